/// The loads of an exercise that are lifted on a sling (machine/lifting.h): between the machine, the soil they lie on,
/// what they run into, and the exercise.
///
/// The load is hooked up when the operator asks for it (CONTROL_AUXILIARY beyond its half, once), and the eye stands
/// still within the sling's reach; it is taken off when the sling is slack and the load lies. In a scene with a slinger
/// (slinger.h) that is done once the slinger has come.
#ifndef SPADEWORK_TRAINER_LOADS_H
#define SPADEWORK_TRAINER_LOADS_H

#include "data/core/operator_controls.h"
#include "data/schema/scene_params.h"
#include "machine/lifting.h"
#include "soil/soil.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/exercise.h"

/// Every field of a load's state beside its body's, F(type, name, low, high, unit): hashed, saved, restored.
#define LOAD_FIELDS(F)                                                                                                 \
    F(int32_t, hangs, 0.0, 1.0, "") /* 1: clear of the ground */                                                       \
    F(int32_t, lifted, 0.0, 1.0, "") /* 1: it was clear of the ground once */                                          \
    F(int32_t, bent, 0.0, 1.0, "") /* 1: a trench box that the soil has overloaded; it holds nothing any more */       \
    F(int32_t, laid, 0.0, 1.0, "") /* 1: its laying down was reported, since it last hung */                           \
    F(double, offset, 0.0, 1e4, "m") /* from its place, as it last lay */                                              \
    F(double, error, -3.2, 3.2, "rad") /* off its heading there, either way round: 0 to a right angle */               \
    F(double, free_time, 0.0, LONGEST, "s") /* for which the sling alone has borne it */                               \
    F(double, sinking, 0.0, FASTEST, "m/s") /* 0 or more: of its lowest foot at the last tick's end */

typedef struct SessionLoads SessionLoads;

/// What the loads touch, now.
typedef struct LoadSite {
    const Soil *soil;
    const Machine *machine;
    const MachineState *state;
} LoadSite;

/// Puts the loads on the ground. `*loads` is NULL, without an error, where there are none; so may it be in all that
/// follows. False with `status`: one starts in a fixture or another load, a hooked one is out of the sling's reach, or
/// memory is short.
bool session_loads_create(const SceneParams *scene, const LoadSite *site, SessionLoads **loads, Status *status);
void session_loads_destroy(SessionLoads *loads);

/// Start of a tick: hooks up and takes off as the lever asks; wakes those whose ground has gone.
void session_loads_begin_tick(SessionLoads *loads, const LoadSite *site, const OperatorControls *controls, int64_t tick,
                              Exercise *exercise);
/// The slinger is at the load that was called for: hooks it up or takes it off, where that can still be done.
void session_loads_serve(SessionLoads *loads, const LoadSite *site, int64_t tick, Exercise *exercise);
/// A load in its own frame, with its friction.
const SolidThing *session_loads_shape(const SessionLoads *loads, int index);
/// Its motion now, for what pushes it: one asleep stands.
RigidMotion session_loads_motion(const SessionLoads *loads, int index);
/// What rocks did to the loads in the last substep of `h` s, which the next one adds. One asleep that it could move
/// wakes.
void session_loads_push(SessionLoads *loads, const Wrench pushes[SCENE_MAX_LOADS], double h);
/// Writes how they take part in a substep: as mover k the load k, with no mass where it sleeps. Those that the machine
/// touches wake; a touch of load k is one of mover `first` + k.
void session_loads_fill_movers(SessionLoads *loads, const LoadSite *site, const MachineTouch *touches, int touch_count,
                               int first, MachineMover movers[SCENE_MAX_LOADS]);
/// Stores where that substep left them.
void session_loads_set_motion(SessionLoads *loads, const MachineMover movers[SCENE_MAX_LOADS]);
/// End of a tick of `dt` s: what lies still falls asleep; lifting off and setting down become events.
void session_loads_end_tick(SessionLoads *loads, const LoadSite *site, int64_t tick, double dt, Exercise *exercise);

/// Between soil_load and soil_end_tick: a trench box bends, for good, that the soil overloads. Once in a quarter of a
/// second.
void session_loads_press(SessionLoads *loads, const Soil *soil, int64_t tick, Exercise *exercise);
/// Writes the plates of the trench boxes that stand, and returns their number.
int session_loads_plates(const SessionLoads *loads, SoilPlate plates[SOIL_MAX_PLATES]);

int session_loads_count(const SessionLoads *loads); ///< 0 for NULL
const HungLoad *session_loads_get(const SessionLoads *loads, int index);
/// The load as a convex thing where it is now; belongs to `loads`, until its next tick.
const SolidThing *session_loads_thing(const SessionLoads *loads, int index);

/// Writes the inputs of incidents, which borrow from `loads`. Returns how many there are.
int session_loads_sight(const SessionLoads *loads, IncidentLoad sight[SCENE_MAX_LOADS]);

/// Places of a load and its sling, for drawing.
typedef struct SessionLoadPose {
    Vec3 end[2]; ///< m: of its axis
    bool solid; ///< it is a log
    double radius; ///< m; of a trench box 0
    double width, height, wall; ///< m: of a trench box, outside, and its plates' thickness; of a pipe 0
    Vec3 up; ///< unit: upwards in its frame
    int leg_count; ///< 0: it is on no hook
    Vec3 eye, hitch[HUNG_LOAD_LEGS]; ///< m
} SessionLoadPose;
SessionLoadPose session_loads_pose(const SessionLoads *loads, const LoadSite *site, int index);

/// Figures of a lifting gauge and of the exercise.
typedef struct SessionLift {
    int hooked; ///< number of the load in the eye, -1: none
    int in_reach; ///< number of the load that could be hooked up now, -1: none
    bool hangs; ///< clear of the ground
    bool attended; ///< the slinger is at it: nothing may move. Filled by the session
    double pull; ///< N straight down on the eye
    double swing; ///< rad of the load off straight down
    LiftingMoment moment; ///< of `pull` at the eye
} SessionLift;
SessionLift session_loads_lift(const SessionLoads *loads, const LoadSite *site);
#define LIFTING_CAPACITY 0.75 ///< of the tipping load: what an excavator may lift (ISO 10567)
enum { LIFT_LINES = 2, LIFT_LINE = 120 };
/// Writes lines for the screen: "620 kg at 6.6 m: 14 % of tipping". Returns how many.
int session_loads_lines(const SessionLoads *loads, const SessionLift *lift, TextUnits units,
                        char lines[LIFT_LINES][LIFT_LINE]);
/// Their part of the sample of a tick.
ExerciseLoads session_loads_sample(const SessionLoads *loads, const LoadSite *site);

void session_loads_visit(SessionLoads *loads, StateVisitor *visitor);
bool session_loads_are_finite(const SessionLoads *loads);

#endif
