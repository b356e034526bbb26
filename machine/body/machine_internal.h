/// Types and functions that the files of machine/body share: the Machine, its solid parts, and its bodies in ODE.
#ifndef SPADEWORK_MACHINE_MACHINE_INTERNAL_H
#define SPADEWORK_MACHINE_MACHINE_INTERNAL_H

#include "data/core/convex.h"
#include "machine/contact/convex_contact.h"
#include "machine/drive/drive.h"
#include "machine/machine.h"
#include "machine/solids.h"

/// How a joint turns.
typedef struct JointAxis {
    Vec3 axis; ///< unit, in either frame: positive joint angles turn the child right-handed about it
    Vec3 zero; ///< unit, square to the axis: the child's own stands on the parent's at the angle 0
} JointAxis;

JointAxis joint_axis(const MachineJointParams *joint);
/// m: origin of the child's frame in the parent's frame.
Vec3 joint_origin(const MachineJointParams *joint);

/// m, and cosine of the angle between normals, within which two touches are one. Chosen: thinner than a plate.
#define SAME_PLACE 0.02
#define SAME_WAY   0.95

/// True when a touch at a point, m, with a normal, unit, is the same as another one.
static inline bool touches_are_one(Vec3 point, Vec3 normal, Vec3 other_point, Vec3 other_normal)
{
    Vec3 to = vec3_sub(point, other_point);
    return vec3_dot(to, to) < SAME_PLACE * SAME_PLACE && vec3_dot(normal, other_normal) > SAME_WAY;
}

/// The rigid bodies of a machine in ODE, used as a pure function from body states to body states. ODE's types stay in
/// ode_world.c.
typedef struct OdeWorld OdeWorld;

/// Bodies and hinges in the zero pose. NULL when ODE cannot be initialised. The caller destroys it.
OdeWorld *ode_world_create(const MachineParams *params);
void ode_world_destroy(OdeWorld *world);

/// What the machine has to do with in a step.
typedef struct OdeOthers {
    MachineTouch *touches; ///< they hold the bodies off the world, or off movers; each gets its force
    int touch_count;
    MachineMover *movers;
    int mover_count;
    const MachineOwnTouch *own; ///< they hold two of its bodies apart
    int own_count;
} OdeOthers;

/// One step of ODE's exact solver. `wrenches` act at the centres of mass, gravity is added. `torques` receives what
/// each motor gave, N m, positive towards greater joint angles.
void ode_world_step(OdeWorld *world, const Wrench wrenches[MACHINE_MAX_BODIES],
                    const JointMotor motors[MACHINE_MAX_JOINTS], const OdeOthers *others, double dt,
                    MachineBodyState bodies[MACHINE_MAX_BODIES], double torques[MACHINE_MAX_JOINTS]);

/// A convex part in its body's frame.
typedef struct SolidPart {
    char name[MACHINE_NAME_SIZE];
    int body;
    ConvexHull hull;
    Vec3 middle; ///< m: of the sphere around it
    double radius; ///< m
} SolidPart;

typedef struct SolidParts {
    int count;
    /// Of bodies a > b: true when their parts can meet, which no joint between the two of them stops.
    bool meets[MACHINE_MAX_BODIES][MACHINE_MAX_BODIES];
    struct {
        Vec3 middle;
        double radius; ///< m; negative: a body without parts
    } sphere[MACHINE_MAX_BODIES]; ///< around all parts of a body, in its frame
    SolidPart part[];
} SolidParts;

struct Machine {
    MachineParams params;
    SolidParts *parts;
    OdeWorld *world;
    DriveRange range[MACHINE_MAX_JOINTS];
    double mass; ///< kg of all bodies
};

/// What the machine is solid with. NULL with `status` for a piece that is no solid, or without memory. Freed by free().
SolidParts *solid_parts_create(const MachineParams *params, Status *status);

/// False with the parts and the place where parts overlap in the start pose that machine_find_own_touches knows.
bool own_touches_check(const Machine *machine, Status *status);

/// Angles and rates of all joints, rad and rad/s (a swing in -pi..pi).
void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_MAX_JOINTS],
                          double rates[MACHINE_MAX_JOINTS]);

#endif
