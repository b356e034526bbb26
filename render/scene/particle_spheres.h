/// Soil particles as instanced, dented low spheres: near ones finer than far ones.
#ifndef SPADEWORK_RENDER_PARTICLE_SPHERES_H
#define SPADEWORK_RENDER_PARTICLE_SPHERES_H

#include "render/scene/camera.h"
#include "render/gpu/gl.h"

enum { SPHERE_FINE_TRIANGLES = 80, SPHERE_COARSE_TRIANGLES = 20 };

/// Points and triangles of an icosahedron split `splits` (0 or 1) times, on the unit sphere. Returns the triangles; writes
/// `point_count`. Room for 42 points and 80 triangles is enough.
int sphere_mesh(int splits, float (*points)[3], int *point_count, uint16_t (*triangles)[3]);

/// One particle as the GPU sees it.
typedef struct SphereInstance {
    float xyzr[4];
    uint32_t mark; ///< id * 8 + soil
    uint8_t tint[4]; ///< sRGB colour laid over the lump and its share
} SphereInstance;

typedef struct ParticleSpheres {
    GLuint program, depth_program;
    GLint soil_color;
    GLuint array[2], vertices[2], triangles[2]; ///< fine, coarse
    GLuint instances;
    SphereInstance *scratch;
    int capacity;
    int count[2]; ///< fine first, then coarse
    GLsizeiptr buffer_size;
} ParticleSpheres;
bool particle_spheres_create(ParticleSpheres *spheres, const char *shader_folder, Status *status);
void particle_spheres_destroy(ParticleSpheres *spheres);

/// Sorts the particles into fine (seen larger than a few pixels) and coarse and sends them. `pixels_per_radian` of the view.
void particle_spheres_update(ParticleSpheres *spheres, const RenderParticles *particles, const float eye[3],
                             double pixels_per_radian);
void particle_spheres_draw(const ParticleSpheres *spheres, const SceneParams *scene, bool depth);

#endif
