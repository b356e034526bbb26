/// What a picture shows of the ground beside its surface: layers on steep faces, marks of tracks, teeth and blades,
/// dirt on the machine, and dust. Only for the picture: nothing of it returns to the session.
#ifndef SPADEWORK_TRAINER_GROUND_VIEW_H
#define SPADEWORK_TRAINER_GROUND_VIEW_H

#include "machine/machine.h"
#include "render/render.h"
#include "trainer/sim/sim.h"

/// ---- marks ---------------------------------------------------------------------------------------------------------

/// A rectangle that a belt, or an edge between two moments, sweeps over the ground.
typedef struct GroundTread {
    RenderTraceKind kind;
    Pose frame; ///< x along the way, its origin on the ground in the middle
    double length, width; ///< m
    double low, high; ///< m along z: ground between them has been touched
    double pitch; ///< m from one bar or tooth to the next
    double run; ///< m that the belt has run
} GroundTread;

/// Zero-initialise; owned by the caller, freed by ground_marks_free.
typedef struct GroundMarks {
    int rows, columns;
    uint32_t *mark; ///< [rows][columns] of render_mark
    float *height; ///< m, [rows][columns]: of the ground when it was marked
    int row_min, row_max, column_min, column_max; ///< what has changed since ground_marks_show
} GroundMarks;
void ground_marks_free(GroundMarks *own);
/// Clears all marks.
void ground_marks_clear(GroundMarks *own, int rows, int columns);

/// Marks the columns under a tread whose ground it touches.
void ground_marks_press(GroundMarks *own, const RenderGrid *site, const GroundTread *tread);
/// Fades marks where the ground was dug or covered since, until none is left, and shows the others in `site`, whose
/// dirty rectangle is widened to what has changed.
void ground_marks_show(GroundMarks *own, RenderGrid *site);

/// ---- the way of the machine ----------------------------------------------------------------------------------------

/// The machine's path. The marks on the ground follow from it at any moment: after a seek, and in a single picture,
/// they are pressed again into the present ground.

enum { GROUND_EDGES = MACHINE_MAX_TOOLS };

/// Pose of the machine at a tick.
typedef struct GroundStep {
    int64_t tick;
    float base[3], ahead[3], left[3]; ///< m and unit vectors, world: the undercarriage
    float travel[2]; ///< m that the belts have run
    float force[GROUND_EDGES]; ///< N on each tool
    float edge[GROUND_EDGES][3], along[GROUND_EDGES][3]; ///< the same: middle and direction, to the left, of its edges
} GroundStep;

/// Zero-initialise; owned by the caller, freed by ground_path_free.
typedef struct GroundPath {
    GroundStep *steps; ///< in order of tick
    int64_t count, capacity;
} GroundPath;
void ground_path_free(GroundPath *path);

/// `force`: N on the machine's tools [GROUND_EDGES], 0 where there is none.
void ground_step_take(const Machine *machine, const MachineState *state, int64_t tick, const float force[GROUND_EDGES],
                      GroundStep *step);
void ground_step_of_session(const Session *session, GroundStep *step); ///< of its last tick
/// Adds a step that is later than the last one and has moved; ignores others.
void ground_path_add(GroundPath *path, const GroundStep *step);
/// Removes the steps after `tick`.
void ground_path_cut(GroundPath *path, int64_t tick);

/// Presses the marks of the machine's move between two steps. `whole`: under the whole belts, not only at their ends.
void ground_step_press(const MachineParams *machine, const GroundStep *before, const GroundStep *now, bool whole,
                       const RenderGrid *site, GroundMarks *marks);
/// Presses the marks of all steps up to a tick into the present ground.
void ground_path_press(const GroundPath *path, int64_t tick, const MachineParams *machine, const RenderGrid *site,
                       GroundMarks *marks);

/// ---- dirt ----------------------------------------------------------------------------------------------------------

/// Soil that sticks to the machine: computed from its path and the forces on its tools.

/// How well a soil sticks to steel in a weather, 0..1: by its adhesion; more in rain. Pure.
double dirt_of_soil(const SoilParams *soil, const SceneWeather *weather);

/// Adds the dirt of the machine's move between two steps to dirt [RENDER_DIRT_PARTS]: a tool that soil presses on takes
/// it from the layer that its edge is in, belts from the ground under them. What was moist
/// dries. Soil that has gone since counts as what lies there now.
void dirt_add(Session *session, const GroundStep *before, const GroundStep *now, RenderDirt *dirt);

/// Computes the dirt [RENDER_DIRT_PARTS] after all steps of a path up to a tick, from a clean machine.
void dirt_of_path(Session *session, const GroundPath *path, int64_t tick, RenderDirt *dirt);

/// ---- layers and marks of a session ---------------------------------------------------------------------------------

/// Zero-initialise; owned by the caller, freed by ground_view_free.
typedef struct GroundView {
    int rows, columns;
    uint16_t *strata; ///< [rows][columns][RENDER_STRATA]
    uint8_t *cover; ///< [rows][columns] of render_cover
    GroundMarks marks;
    GroundPath path; ///< the machine's path as seen so far
    const GroundPath *known; ///< its whole path, borrowed; NULL: unknown
    GroundStep last; ///< whose marks are made
    RenderDirt dirt[RENDER_DIRT_PARTS]; ///< on the machine, after the last step
} GroundView;
void ground_view_free(GroundView *own);

/// Completes the site's grid: widens its dirty rectangle to all columns to be redrawn, and adds the layers of
/// steep ones. The pointers hold until the next call.
void ground_view_fill(GroundView *own, Session *session, RenderGrid *site);

/// After a tick: belts, teeth and blades leave their marks where they have come to. `jump`: after a start, a seek or a
/// restart; the marks are then those of the way up to there.
void ground_view_tick(GroundView *own, Session *session, bool jump);

/// ---- dust ----------------------------------------------------------------------------------------------------------

/// Dust that a session raises: where dry grains fall and fly, where the tool breaks the ground, behind belts that run.
/// The same session raises the same dust.

/// Puffs of the last seconds. Zero-initialise; holds no memory of its own.
typedef struct DustView {
    RenderPuff puffs[RENDER_MAX_PUFFS];
    int count, next; ///< puffs that are known; where the next one goes
    double start; ///< s of the session at which the puffs' clock is 0: it stays exact over hours
} DustView;

/// How much dust a soil raises, 0 (what sticks, and any soil in rain) to 1 (dry fines). Pure.
double dust_of_soil(const SoilParams *soil, const SceneWeather *weather);

/// After a tick; `jump`: after a start, a seek or a restart. Then the dust in the air follows from how grains
/// and belts move now.
void dust_view_tick(DustView *own, Session *session, bool jump);
/// Fills `dust` for the moment `blend`, see session_view_build. Its pointer holds until the next tick.
void dust_view_build(const DustView *own, const Session *session, double blend, RenderDust *dust);

#endif
