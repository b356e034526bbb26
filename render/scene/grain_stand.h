/// How the cluster of a particle stands: how far it has turned and how far it has settled onto the ground. Pure
/// functions of what a view holds: the same view gives the same picture. No OpenGL.
#ifndef SPADEWORK_RENDER_GRAIN_STAND_H
#define SPADEWORK_RENDER_GRAIN_STAND_H

#include "render/gpu/linear.h"
#include "render/render.h"

/// What particles may lie in or on. Points into the view.
typedef struct GrainStand {
    const RenderGrid *ground; ///< NULL: there is none
    bool holds; ///< the machine has a tool that carries soil
    FloatVec3 middle; ///< m, world: of that tool's inside
    float reach; ///< m around it
    mat4 to_tool; ///< world -> the tool's frame
    versor turn; ///< of the tool
    float heading[2]; ///< cosine and sine of the ground's frame
} GrainStand;

/// Finds it for a view.
void grain_stand_find(GrainStand *stand, const RenderView *view);

/// Writes how a particle at xyzr (m: world, radius) stands, parts of 32767: out[0..2]: x, y, z of the unit quaternion
/// whose w is not negative, of its turn; out[3]: how far it has settled, 0 free .. 1 lying on the ground.
/// A cluster turns as it moves on, about a radian every GRAIN_ROLL m; what lies in the tool turns as the tool does.
void grain_stand_at(const GrainStand *stand, const float xyzr[4], uint32_t id, int16_t out[4]);

#define GRAIN_ROLL 0.45f ///< m; chosen by eye: a lump of 10 cm that rolls as fast as it moves would whirl in the air

#endif
