/// Soil particles as clusters of grains: each simulated particle is drawn as many grains and clods of its soil's sizes.
/// What is sent to the GPU is one instance a particle; its grains are made there.
///
/// Functions that take Grains need a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_GRAINS_H
#define SPADEWORK_RENDER_GRAINS_H

#include "render/gpu.h"
#include "render/render.h"
#include "render/scene/grain_mesh.h"

enum { GRAIN_POINT_PARTS = 6 }; ///< of a cluster of points, at low quality

/// One particle as the GPU sees it: two texels of four 32-bit numbers.
typedef struct GrainInstance {
    float xyzr[4]; ///< m: centre in the world, radius
    uint32_t mark; ///< id * 8 + soil
    uint8_t tint[4]; ///< sRGB colour laid over the grains and its share
    int16_t stand[4]; ///< of grain_stand_at
} GrainInstance;

/// Zero-initialise; owned by the caller, freed by grains_destroy.
typedef struct Grains {
    bool points; ///< at low quality
    struct GrainProgram {
        GLuint program;
        GLint soil_color, soil_shape, parts, filled;
    } light, depth;
    GLuint array[GRAIN_LEVELS], vertices[GRAIN_LEVELS], triangles[GRAIN_LEVELS];
    int index_count[GRAIN_LEVELS];
    GLuint instances, texture; ///< the particles, and the same as a texture
    GrainInstance *scratch; ///< [capacity]: near ones from the front, far ones from the back
    int capacity;
    int count[2]; ///< near, far
    GLsizeiptr buffer_size; ///< bytes of `instances`
} Grains;

/// Makes programs and meshes. False with `status` set when a shader does not compile; then call grains_destroy.
/// points  whether grains are points, which the shader lights as balls: for what draws in software
bool grains_create(Grains *grains, bool points, const GlShaders *shaders, Status *status);
void grains_destroy(Grains *grains);

/// Sorts the view's particles into near (seen larger than a few pixels from `eye`, m, world) and far and sends them.
/// When memory is short none is drawn.
/// pixels_per_radian  of the picture at its middle
void grains_update(Grains *grains, const RenderView *view, const float eye[3], double pixels_per_radian);

/// Draws what was sent last, in the colours of the scene's soils, into the shadow map (`depth`) or the picture. All
/// near clusters are one draw call, all far ones another; at low quality all are one.
/// cut  a plane cuts some open: they show a solid inside
void grains_draw(const Grains *grains, const SceneParams *scene, bool depth, bool cut);

#endif
