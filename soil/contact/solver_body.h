/// A rigid body as the contacts of a substep see it.
#ifndef SPADEWORK_SOIL_SOLVER_BODY_H
#define SPADEWORK_SOIL_SOLVER_BODY_H

#include <stdatomic.h>

#include "data/schema/scene_params.h"
#include "soil/soil_types.h"

/// Bodies at a time: tools, the walls of trays, and what stands on the site.
enum { SOIL_MAX_BODIES = SOIL_MAX_TOOLS + SOIL_MAX_TRAYS + SCENE_MAX_FIXTURES };

/// A body during one substep: the tool as given and how far the contacts have moved it.
typedef struct SolverBody {
    SoilTool tool;
    bool stands; ///< a fixture: nothing moves it
    bool far; ///< no particle can come near it within the tick
    Vec3 middle; ///< m, in the tool's frame: of the sphere around its shape; of the tick, with `reach`
    double reach; ///< m: that sphere's radius
    Vec3 displacement; ///< m that contacts have added, of the centre of mass
    Vec3 rotation; ///< rad that contacts have added
    Vec3 lambda; ///< N s2: sum of what acts on the body, force x h^2 of the substep; a Wrench is lambda / h^2
    Vec3 lambda_moment; ///< N m s2: the same about the centre of mass
    atomic_int contacts; ///< that hold a force: members of a team count theirs
} SolverBody;

#endif
