/// What the files of this room share about a Machine.
#ifndef SPADEWORK_MACHINE_MACHINE_INTERNAL_H
#define SPADEWORK_MACHINE_MACHINE_INTERNAL_H

#include "data/core/convex.h"
#include "machine/body/ode_world.h"
#include "machine/contact/convex_contact.h"
#include "machine/drive/drive_step.h"
#include "machine/machine.h"
#include "machine/solids.h"

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

/// Finds which bodies' parts can meet.
void solid_parts_find_meetings(SolidParts *parts, const MachineParams *params);
/// Puts a part's corners and normals where it is in `frame`.
ConvexSolid solid_part_place(const SolidPart *part, const Pose *frame, Vec3 points[CONVEX_MAX_POINTS],
                             Vec3 normals[CONVEX_MAX_FACES]);
/// False with the parts and the place where parts overlap in the start pose that machine_find_own_touches knows.
bool own_touches_check(const Machine *machine, Status *status);

/// Angles and rates of all joints, rad and rad/s (a swing in -pi..pi).
void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_MAX_JOINTS],
                          double rates[MACHINE_MAX_JOINTS]);

/// Checks what only geometry can tell: cylinders reach, linkages close, lever arms do not vanish. Fills the ranges.
/// False with the key, what it would be and what is allowed.
bool geometry_check(const MachineParams *params, DriveRange range[MACHINE_MAX_JOINTS], Status *status);

#endif
