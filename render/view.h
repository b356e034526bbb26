/// RenderView, the input of a frame: everything there is to see, as plain data; its camera as a value of its own; and a
/// copy of it that stands by itself. World frame: x east, y north, z up; m, rad, s.
///
/// All pointers in a view belong to the caller and are read only during the call that takes the view. Nothing here
/// calls OpenGL.
#ifndef SPADEWORK_RENDER_VIEW_H
#define SPADEWORK_RENDER_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/settings_params.h"
#include "render/hud.h"
#include "render/instruments.h"
#include "render/menu.h"
#include "render/replay.h"
#include "render/site.h"

enum { RENDER_MAX_INSETS = 2 };

/// The cameras, by the list of data/schema/settings_params.h.
typedef enum RenderCamera {
#define X(id, name) RENDER_CAMERA_##id,
    CAMERAS(X)
#undef X
        RENDER_CAMERA_COUNT
} RenderCamera;

/// Whether the mirrors of the cab show what is behind the machine, in the view from the cab.
typedef enum RenderMirrors {
    RENDER_MIRRORS_AUTO, ///< at high and medium quality
    RENDER_MIRRORS_OFF, ///< they are grey
    RENDER_MIRRORS_ON, ///< at any quality
} RenderMirrors;

/// The work lights of the machine.
typedef enum RenderLamps {
    RENDER_LAMPS_AUTO, ///< on when it is dark
    RENDER_LAMPS_OFF,
    RENDER_LAMPS_ON,
} RenderLamps;

enum { RENDER_MAX_PERSONS = SCENE_MAX_PERSONS + 1 };

/// Arm signals of a person, by the names of the simulation's (ArmSignal), and in their order.
typedef enum RenderSignal {
    RENDER_SIGNAL_NONE,
    RENDER_SIGNAL_START,
    RENDER_SIGNAL_STOP,
    RENDER_SIGNAL_END,
    RENDER_SIGNAL_RAISE,
    RENDER_SIGNAL_LOWER,
    RENDER_SIGNAL_FORWARD,
    RENDER_SIGNAL_BACKWARD,
    RENDER_SIGNAL_LEFT,
    RENDER_SIGNAL_RIGHT,
    RENDER_SIGNAL_DISTANCE,
    RENDER_SIGNAL_DANGER,
    RENDER_SIGNAL_WORK,
    RENDER_SIGNAL_COUNT
} RenderSignal;

/// A person on the site.
typedef struct RenderPerson {
    Vec3 feet; ///< m, world
    double facing; ///< rad, from x towards y
    double radius, height; ///< m
    double stride; ///< m walked so far: the phase of the legs
    double walks; ///< 0..1: how far the legs swing
    RenderSignal signal;
    double signal_time; ///< s since it began
    bool lies; ///< hurt, on the ground
} RenderPerson;

/// A second machine that is only drawn: blue and translucent.
typedef struct RenderGhost {
    const MachineParams *machine; ///< NULL: there is none
    Pose body[MACHINE_MAX_BODIES]; ///< world
    double track_travel[2]; ///< m that the belts have run
    int strut_count; ///< 0..RENDER_MAX_STRUTS
    RenderStrut struts[RENDER_MAX_STRUTS];
} RenderGhost;

/// Everything that a frame shows. All zero is valid and shows nothing.
typedef struct RenderView {
    // The site and the machine: filled from the simulation.
    const SceneParams *scene; ///< colours of soils, site; NULL: only the menu is drawn
    double visibility; ///< m of meteorological visibility, > 0; 0: the scene's
    const MachineParams *machine; ///< shapes; NULL: there is no machine
    int grid_count; ///< 0..RENDER_MAX_GRIDS
    RenderGrid grids[RENDER_MAX_GRIDS]; ///< 0 = the site, then trays
    RenderParticles particles;
    RenderDust dust; ///< not drawn at low quality
    RenderRocks rocks;
    Pose body[MACHINE_MAX_BODIES]; ///< world: frames of the machine's bodies (machine_params.h)
    double track_travel[2]; ///< m that the left and the right belt have run
    int strut_count; ///< 0..RENDER_MAX_STRUTS
    RenderStrut struts[RENDER_MAX_STRUTS];
    RenderDirt dirt[RENDER_DIRT_PARTS]; ///< on the machine; zero: it is clean
    int line_count; ///< 0..RENDER_MAX_LINES
    RenderLine lines[RENDER_MAX_LINES];
    int staff_count; ///< 0..RENDER_MAX_STAFFS
    RenderStaff staffs[RENDER_MAX_STAFFS];
    // Cameras: filled by what moves them.
    RenderCamera camera;
    int inset_count; ///< 0..RENDER_MAX_INSETS: smaller pictures in a corner
    RenderCamera insets[RENDER_MAX_INSETS];
    bool rear_on_monitor; ///< the cab's monitor, where it can be read, shows the rear camera's inset
    RenderMirrors mirrors;
    int screens; ///< 3: three screens side by side share the picture, panels on the middle one; else one
    double screen_angle; ///< rad, 0.2..2: angle under which the eye sees one of three screens; 0: 50 degrees
    int eyes; ///< 2: the left half of the picture is the left eye's; else one eye. Not with three screens
    double eye_distance; ///< m, 0..0.2; 0: 0.064
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad, m about the machine; distance <= 0: the default place
    double cab_yaw, cab_pitch, cab_lean; ///< rad, rad: turn of the driver's head; 0..1: how far it leans forward
    double plan_height, section_height; ///< m that plan and section show from top to bottom; 0: 24, 7
    double plan_x, plan_y; ///< m east and north: the plan's middle against the machine
    bool free_placed; ///< the free camera stands at `free_eye`; else beside the machine
    Vec3 free_eye; ///< m, world
    double free_yaw, free_pitch; ///< rad: direction of the free camera; pitch > 0 up
    // Panels: filled by the screen that is open.
    TextUnits units; ///< of the figures in panels
    RenderHud hud;
    RenderLayout layout;
    RenderMenu menu;
    RenderGhost ghost;
    RenderTimeline timeline;
    RenderEvents events;
    RenderCurves curves;
    RenderDebug debug;
    RenderGrade grade;
    RenderSection section;
    // The rest of the site.
    int truck_count; ///< 0..RENDER_MAX_TRUCKS; 0: the scene's truck, if it has one, stands where the scene places it
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int load_count; ///< 0..SCENE_MAX_LOADS
    RenderLoad loads[SCENE_MAX_LOADS];
    int person_count; ///< 0..RENDER_MAX_PERSONS
    RenderPerson persons[RENDER_MAX_PERSONS]; ///< the scene's, then one who walks in
    int thing_count; ///< 0..SCENE_MAX_THINGS
    RenderThing things[SCENE_MAX_THINGS];
    int tool_count; ///< 0..RENDER_MAX_TOOLS
    RenderTool tools[RENDER_MAX_TOOLS];
    bool on_foot; ///< the operator walks: the free camera is his eye
    Vec3 foot_eye; ///< m, world
    double foot_yaw, foot_pitch; ///< rad: where the operator looks; pitch > 0 up
    RenderLamps lamps; ///< whether the machine's work lights are on
    RenderWater water;
    RenderFall falls[SCENE_MAX_FIXTURES]; ///< of the scene's fixtures
} RenderView;

/// ---- cameras -------------------------------------------------------------------------------------------------------

/// The camera of a view: the members of RenderView that have these names, where they are explained.
typedef struct RenderAim {
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad, m
    double cab_yaw, cab_pitch, cab_lean; ///< rad, rad, 0..1
    double plan_height, plan_x, plan_y, section_height; ///< m
    bool free_placed;
    Vec3 free_eye; ///< m
    double free_yaw, free_pitch; ///< rad
} RenderAim;
RenderAim render_aim_of(const RenderView *view); ///< pure; any thread
void render_aim_at(const RenderAim *aim, RenderView *view); ///< pure; any thread

/// Computes the place of a view's camera (`eye`, m, world) and its direction (`yaw`, `pitch` up, rad). Pure; any
/// thread.
void render_camera_stand(const RenderView *view, Vec3 *eye, double *yaw, double *pitch);

/// The upright plane in which the arm, or the middle of a blade, moves.
typedef struct RenderPlane {
    Vec3 origin; ///< m, world: in the plane, at the tool's middle
    Vec3 ahead; ///< unit, level: the direction that the arm reaches in
    Vec3 right; ///< unit, level: square to the plane
} RenderPlane;
/// Computes the plane that the section camera cuts the ground in. Pure; any thread.
RenderPlane render_arm_plane(const RenderView *view);

/// ---- snapshots -----------------------------------------------------------------------------------------------------

/// A copy of a RenderView with all that it points to, so that one thread can draw it while another fills the next view.
/// One thread at a time.
typedef struct RenderSnapshot RenderSnapshot;

RenderSnapshot *render_snapshot_create(void); ///< empty; the caller frees it
void render_snapshot_destroy(RenderSnapshot *snapshot); ///< NULL: does nothing

/// Copies a view with all that it points to. Of grids only the dirty columns are copied: take every view in which a
/// grid has some, or the next one `whole`. A grid of another size is copied whole. Grids must have
/// `soil` and `loose`.
void render_snapshot_take(RenderSnapshot *snapshot, const RenderView *view, bool whole);
/// Returns the copy, which belongs to the snapshot and is valid until the next take.
const RenderView *render_snapshot_view(const RenderSnapshot *snapshot);
/// True when the last view differs by a byte from the one before it, or some of its ground was dirty: its picture may
/// then differ.
bool render_snapshot_is_new(const RenderSnapshot *snapshot);
/// Returns how often memory was allocated since the snapshot was created; a take that finds room allocates none.
int64_t render_snapshot_allocations(const RenderSnapshot *snapshot);

#endif
