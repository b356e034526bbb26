/// The way that a machine has come, from which the marks on its ground follow at any moment: after a seek and in a
/// picture that is drawn once, they are pressed anew into the ground as it then is. Kept in memory, for the picture
/// alone.
#ifndef SPADEWORK_TRAINER_GROUND_PATH_H
#define SPADEWORK_TRAINER_GROUND_PATH_H

#include "machine/machine.h"
#include "trainer/app/ground_marks.h"

enum { GROUND_EDGES = MACHINE_MAX_TOOLS };

/// How the machine stood at a tick.
typedef struct GroundStep {
    int64_t tick;
    float base[3], ahead[3], left[3]; ///< m and unit vectors, world: the undercarriage
    float travel[2]; ///< m that the belts have run
    float edge[GROUND_EDGES][3], along[GROUND_EDGES][3]; ///< the same: middle and direction, to the left, of its edges
} GroundStep;

/// Zero-initialise; owned by the caller, freed by ground_path_free.
typedef struct GroundPath {
    GroundStep *steps; ///< in order of tick
    int64_t count, capacity;
} GroundPath;
void ground_path_free(GroundPath *path);

void ground_step_take(const Machine *machine, const MachineState *state, int64_t tick, GroundStep *step);
/// True where something of the machine has moved so far that it leaves another mark.
bool ground_step_moved(const GroundStep *before, const GroundStep *now);
/// Adds a step that is later than the last one and has moved; others are left out.
void ground_path_add(GroundPath *path, const GroundStep *step);
/// Forgets what is later than `tick`.
void ground_path_cut(GroundPath *path, int64_t tick);

/// Marks what the machine leaves on its way between two steps; `whole`: under its belts, too, and not only where it has
/// come from them.
void ground_step_press(const MachineParams *machine, const GroundStep *before, const GroundStep *now, bool whole,
                       const RenderGrid *site, GroundMarks *marks);
/// The marks of all steps up to a tick, pressed into the ground as it is.
void ground_path_press(const GroundPath *path, int64_t tick, const MachineParams *machine, const RenderGrid *site,
                       GroundMarks *marks);

/// m between bars of a belt, and between grooves of the tool, as the marks have them.
#define GROUND_BAR_PITCH 0.19
double ground_tooth_pitch(const MachineParams *machine);

#endif
