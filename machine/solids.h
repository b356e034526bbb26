/// Touches between a machine's steel and convex things in the world, and movable bodies of the world. The steel is the
/// pieces of its tools, its tracks, its cab and the solids of its file (MachineParams.solid), all convex.
///
/// A touch is found where two pieces overlap; machine_step then lets neither come nearer: Coulomb
/// friction, no bounce, in the same exact solution as the joints, so that a motor pushes with what its relief allows.
/// What a piece has sunk in comes out again at SOLID_RELEASE m/s at most: nothing is kicked back. A thing may belong to
/// a movable body (MachineMover): the touch then holds two bodies apart, and both move in that one solution.
///
/// Owner, thread, errors: as machine/machine.h.
#ifndef SPADEWORK_MACHINE_SOLIDS_H
#define SPADEWORK_MACHINE_SOLIDS_H

#include "data/core/convex.h"
#include "machine/machine.h"

enum {
    MACHINE_MAX_TOUCHES = 48,
    MACHINE_MAX_MOVERS = 12,
    MACHINE_MAX_OWN_TOUCHES = 16,
    MACHINE_MAX_ROPES = 2, ///< of a mover
    MACHINE_MAX_FEET = 16 ///< of a mover
};

/// A convex thing in the world.
typedef struct SolidThing {
    ConvexHull hull; ///< m, world
    Vec3 low, high; ///< m: the box around it
    Vec3 center; ///< m: a point inside
    double friction; ///< Coulomb's, of steel on it, 0..2
    Vec3 velocity; ///< m/s of that point: it goes on with it whatever touches it; on a mover, with what it has beyond
        ///< the mover's own, as a bed that tips on its truck
    Vec3 spin; ///< rad/s
    int mover; ///< 1 + the number of the movable body that it belongs to; 0: none
} SolidThing;

/// A rope between a body of the machine and a mover. It pulls and never pushes: slack up to its length, beyond it a
/// damped spring, solved with the joints of the same step, so that it neither rings nor bursts whatever hangs there.
typedef struct MachineRope {
    int body; ///< of the machine
    Vec3 from, to; ///< m, world: its ends, on the body and on the mover
    double length; ///< m, > 0, without load
    double stiffness; ///< N/m, > 0
    double damping; ///< N s/m, 0 or more
    double tension; ///< N, 0 or more, out: of the step
} MachineRope;

/// A point where a mover stands on, or runs into, what stands for good.
typedef struct MachineFoot {
    Vec3 point; ///< m, world
    Vec3 normal; ///< unit, out of the ground
    double depth; ///< m that it has sunk in; below 0: the gap
    double stiffness; ///< N/m, > 0
    double damping; ///< N s/m, 0 or more
    double friction; ///< Coulomb's, 0..2
    int other; ///< 1 + the number of the mover that it stands on; 0: what stands for good
    double force; ///< N along the normal, out: of the step
} MachineFoot;

/// A rigid body of the world that gives way to the machine, as a truck on its springs: it moves in the machine's step,
/// under gravity, what touches it, its ropes and feet, and `wrench`.
typedef struct MachineMover {
    double mass; ///< kg; 0: there is none of this number, or it stands still
    Mat3 inertia; ///< kg m2 about its centre of mass, in the body's frame; positive definite
    MachineBodyState body; ///< its centre of mass; in: before the step, out: after it
    Wrench wrench; ///< N, N m about the centre of mass, world axes, without gravity
    Vec3 roll_axis; ///< unit, world: it rolls about it
    double roll_resistance; ///< N m about that axis with which the ground resists, at most; 0: none
    int rope_count, foot_count;
    MachineRope rope[MACHINE_MAX_ROPES];
    MachineFoot foot[MACHINE_MAX_FEET];
} MachineMover;

/// A point where a machine touches a thing.
typedef struct MachineTouch {
    int body, part; ///< of the machine: body, and the part for machine_part_name
    int thing; ///< index of what it touches
    Vec3 point; ///< m, world
    Vec3 normal; ///< unit, from the thing to the machine
    double depth; ///< m, 0 or more: how far they overlap
    double friction; ///< Coulomb's, 0..2: that of the thing
    double speed; ///< m/s at which they come nearer
    double push; ///< m/s: of the thing along the normal
    int mover; ///< as of the thing
    Vec3 force; ///< N on the machine, out: of the step
} MachineTouch;

/// A point where a part of a machine touches another of its parts. `touch.thing` is -1, its normal points from the
/// other part to touch.part; its force stays 0.
typedef struct MachineOwnTouch {
    MachineTouch touch;
    int other, other_part; ///< the other body, and the part for machine_part_name
} MachineOwnTouch;

/// Builds a thing from 4..CONVEX_MAX_POINTS points, m, world; `friction`: Coulomb's, 0..2. False, with a reason, when
/// they make no solid.
bool solid_thing_make(const Vec3 *points, int count, double friction, SolidThing *thing, const char **reason);

/// Puts a thing to where `pose` has one that was made in a frame of its own; what it is and how it moves stays with it.
void solid_thing_place(const SolidThing *shape, const Pose *pose, SolidThing *thing);

/// Finds where the machine touches `count` things: the first MACHINE_MAX_TOUCHES, in the order of parts and things.
/// Returns how many.
int machine_find_touches(const Machine *machine, const MachineState *state, const SolidThing *things, int count,
                         MachineTouch touches[MACHINE_MAX_TOUCHES]);
/// The outline of a belt whose middle lies at `y` m: flat below and on top, pointed at the ends, where sprockets are.
ToolPiece machine_track_piece(const MachineTracks *tracks, double y);
/// Finds where parts of the machine touch each other: those of bodies that no joint joins, for a joint's range alone
/// holds what it joins apart. The first MACHINE_MAX_OWN_TOUCHES; machine_step finds them by itself. Returns
/// how many.
int machine_find_own_touches(const Machine *machine, const MachineState *state,
                             MachineOwnTouch touches[MACHINE_MAX_OWN_TOUCHES]);
/// Finds where a thing stands on or runs into another one: up to 4 points within `margin` m of touching, with normals
/// from `other` to `thing`; of each foot nothing else is written. Returns how many.
int solid_things_meet(const SolidThing *thing, const SolidThing *other, double margin, MachineFoot feet[4]);
/// True when two things overlap.
bool solid_things_overlap(const SolidThing *a, const SolidThing *b);
/// Corners of a part where it is now, m, world. Returns how many.
int machine_part_points(const Machine *machine, const MachineState *state, int part, Vec3 points[CONVEX_MAX_POINTS]);
/// The hull of a part, in the frame of the body that carries it, whose number is written to `body`. Belongs to the
/// machine.
const ConvexHull *machine_part_hull(const Machine *machine, int part, int *body);
/// How many parts there are, each by its number from 0 on.
int machine_part_count(const Machine *machine);
/// Name of a part, as people know it: "left track", "boom". Belongs to the machine.
const char *machine_part_name(const Machine *machine, int part);

/// ---- movable bodies at rest and restored ---------------------------------------------------------------------------

/// m of a place, m/s and rad/s of a motion: farther and faster is no state that this program wrote.
#define MACHINE_BODY_FARTHEST 1e4

/// Returns the speed (m/s) of a body's centre, and of a point `reach` m from it on top.
double machine_body_pace(const MachineBodyState *body, double reach);
/// Counts the time of `dt` s that a body is `still`; after `time` s it stops and falls asleep.
/// still_time  s, 0 or more, in and out
/// asleep      0 or 1, in and out
void machine_body_doze(bool still, double time, double dt, double *still_time, int32_t *asleep, MachineBodyState *body);
/// True when all of numbers[count] are in low..high, all in one unit.
bool machine_numbers_within(const double *numbers, int count, double low, double high);
/// True when a restored motion is one that a body can have: within MACHINE_BODY_FARTHEST, its quaternion a unit one.
bool machine_body_is_possible(const MachineBodyState *body);

#endif
