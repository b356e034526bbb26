/// Soil particles as instanced, dented low spheres: near ones finer than far ones.
#ifndef SPADEWORK_RENDER_LUMPS_H
#define SPADEWORK_RENDER_LUMPS_H

#include "render/scene/camera.h"
#include "render/gpu/gl.h"

enum { LUMPS_FINE_TRIANGLES = 80, LUMPS_COARSE_TRIANGLES = 20 };

/// Points and triangles of an icosahedron split `splits` (0 or 1) times, on the unit sphere. Returns the triangles; writes
/// `point_count`. Room for 42 points and 80 triangles is enough.
int lumps_sphere(int splits, float (*points)[3], int *point_count, uint16_t (*triangles)[3]);

/// One particle as the GPU sees it.
typedef struct LumpInstance {
    float xyzr[4];
    uint32_t mark; ///< id * 8 + soil
    uint8_t tint[4]; ///< sRGB colour laid over the lump and its share
} LumpInstance;

typedef struct Lumps {
    GLuint program, depth_program;
    GLint soil_color;
    GLuint array[2], vertices[2], triangles[2]; ///< fine, coarse
    GLuint instances;
    LumpInstance *scratch;
    int capacity;
    int count[2]; ///< fine first, then coarse
    GLsizeiptr buffer_size;
} Lumps;
bool lumps_create(Lumps *lumps, const char *shader_folder, Status *status);
void lumps_destroy(Lumps *lumps);

/// Sorts the particles into fine (seen larger than a few pixels) and coarse and sends them. `pixels_per_radian` of the view.
void lumps_update(Lumps *lumps, const RenderParticles *particles, const Camera *camera, double pixels_per_radian);
void lumps_draw(const Lumps *lumps, const SceneParams *scene, bool depth);

#endif
