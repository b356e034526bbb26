/// Lifting with an excavator: a pipe or a trench box on a sling below the lifting eye, or a pipe or a log in a grab, as
/// a rigid body that moves in the machine's own step (machine/solids.h, MachineMover), and how near the machine is to
/// tipping with it.
///
/// The sling pulls with its true force on the body that carries the eye, so that cylinders, tracks and gauges feel what
/// hangs there. A leg is a rope that gives 0.1 mm for each 100 N and metre (EA = 5 MN: steel wire rope of 13 mm) and
/// passes through things. Ground is a row of feet along the pipe, springs that dent by 2 mm under 1 kN a metre, with
/// Coulomb's friction and rolling resistance: the pipe does not shape the soil.
///
/// Frames  world: x east, y north, z up. Of the pipe: origin at its centre of mass, x along its axis. SI units.
/// Owner   the state (HungLoad) is the caller's, plain memory. Nothing allocates.
/// Thread  any: pure functions but for what they write through their arguments.
/// Errors  none: params come checked from data/schema/load.h; the rest asserts.
#ifndef SPADEWORK_MACHINE_LIFTING_H
#define SPADEWORK_MACHINE_LIFTING_H

#include <stdbool.h>
#include <stdint.h>

#include "data/schema/scene_params.h"
#include "machine/solids.h"

enum { HUNG_LOAD_FEET = 5, HUNG_LOAD_LEGS = 2 };

/// Every field of the state but the motion's own, X(type, name, count): hashed, saved, restored.
#define HUNG_LOAD_FIELDS(X)                                                                                            \
    X(int32_t, hooked, 1) /* 1: the sling hangs in the eye */                                                          \
    X(int32_t, asleep, 1) /* 1: it lies where it is until hung_load_wake */                                            \
    X(double, tension, HUNG_LOAD_LEGS) /* N, 0 or more: of each leg in the last step */                                \
    X(double, borne, 1) /* N, 0 or more: what ground and things bore of it in the last step */                         \
    X(double, still, 1) /* s for which it has not moved */

typedef struct HungLoad {
    MachineBodyState motion;
#define X(type, name, count) type name[count];
    HUNG_LOAD_FIELDS(X)
#undef X
} HungLoad;

/// The ground under a foot.
typedef struct HungLoadGround {
    double height; ///< m, at the foot's x and y
    Vec3 normal; ///< unit, upwards
} HungLoadGround;

/// What holds the sling.
typedef struct LiftingEye {
    int body; ///< of the machine
    Vec3 point; ///< m, world
    Vec3 velocity; ///< m/s
} LiftingEye;

/// The machine's lifting eye; MachineParams.lifting_eye is not zero.
LiftingEye machine_get_eye(const Machine *machine, const MachineState *state);

/// Writes the state of a pipe at rest, unhooked, its axis level at (x, y), m, and `height` m over the world's zero,
/// along `heading` rad.
void hung_load_start(double x, double y, double height, double heading, HungLoad *load);
/// Pose of its frame.
Pose hung_load_frame(const HungLoad *load);
/// rad, from x towards y: where its axis points.
double hung_load_heading(const HungLoad *load);
/// Velocity, m/s, of a point of it at `at`, m, world.
Vec3 hung_load_velocity(const HungLoad *load, Vec3 at);
/// Motion for what pushes it: with the mass of `params`, with none where it sleeps and stands for everything.
RigidMotion hung_load_motion(const HungLoadParams *params, const HungLoad *load);
/// Where the legs hold it, m, world: on a pipe's surface, towards the eye; on a box's upper edge. Returns how many
/// there are, 1 or 2.
int hung_load_hitches(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye,
                      Vec3 points[HUNG_LOAD_LEGS]);
/// Its lowest points, m, world: places for which hung_load_push needs the ground. Returns how many there are.
int hung_load_feet(const HungLoadParams *params, const HungLoad *load, Vec3 points[HUNG_LOAD_FEET]);
/// N of all legs together, straight down on the eye.
double hung_load_pull(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye);
/// rad: how far the line from the eye to its centre is from straight down.
double hung_load_swing(const HungLoad *load, const LiftingEye *eye);
/// True when the sling is long enough for the eye where it is.
bool hung_load_reaches(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye);

/// Writes what acts on it in a step: its feet on the ground and, when hooked, its sling. `eye` is read only then.
void hung_load_push(const HungLoadParams *params, const HungLoadGround ground[HUNG_LOAD_FEET], const LiftingEye *eye,
                    const HungLoad *load, MachineMover *mover);
/// Adds a foot on a thing that it runs into: `foot` has point, normal, depth, friction and the
/// other mover. Left out where there is no room.
void hung_load_stand_on(const HungLoadParams *params, const MachineFoot *foot, MachineMover *mover);
/// Copies the motion and the forces of the mover after the step.
void hung_load_take(const MachineMover *mover, HungLoad *load);
/// Lets hands on two tag lines, `force` N at most at each end, turn it towards a heading, rad, and steady it about the
/// vertical; it swings as it would.
void hung_load_guide(const HungLoadParams *params, const HungLoad *load, double heading, double force,
                     MachineMover *mover);

/// End of a tick of `dt` s in which something `moved` it, or not: unhooked, it falls asleep when it has come to rest.
void hung_load_rest(bool moved, double dt, HungLoad *load);
void hung_load_wake(HungLoad *load);

/// Visits every field of the state once. A restored state of impossible numbers fails the visitor.
void hung_load_visit(HungLoad *load, StateVisitor *visitor);
/// True when all numbers of the state are finite.
bool hung_load_is_finite(const HungLoad *load);

/// How near the machine is to tipping about an edge of its tracks, by the lever rule: a rigid machine on hard ground,
/// under gravity alone.
typedef struct LiftingMoment {
    double radius; ///< m in plan from the swing axis to where the force acts
    double tipping; ///< N straight down there that would bring it to the point of tipping; HUGE_VAL: none would
    double share; ///< ratio of the force to that, 0 or more
} LiftingMoment;
/// For `force` N straight down at a point of the machine, m, world. Edges: middle lines of the tracks, and lines across
/// them through the first and the last roller.
LiftingMoment machine_lifting_moment(const Machine *machine, const MachineState *state, Vec3 at, double force);

#endif
