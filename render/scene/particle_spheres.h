/// Soil particles as instanced, dented low spheres: near ones finer than far ones.
///
/// Functions that take a ParticleSpheres need a current OpenGL 3.3 core context and must be called from the thread that
/// it is current on.
#ifndef SPADEWORK_RENDER_PARTICLE_SPHERES_H
#define SPADEWORK_RENDER_PARTICLE_SPHERES_H

#include "render/gpu/gl.h"
#include "render/render.h"

enum { SPHERE_FINE_TRIANGLES = 80, SPHERE_COARSE_TRIANGLES = 20 };

/// Writes points and triangles of an icosahedron split `splits` (0 or 1) times, on the unit sphere, and the number of
/// points. Returns the number of triangles. Room for 42 points and 80 triangles is enough. Pure.
int sphere_mesh(int splits, float (*points)[3], int *point_count, uint16_t (*triangles)[3]);

/// One particle as the GPU sees it.
typedef struct SphereInstance {
    float xyzr[4]; ///< m: centre in the world, radius
    uint32_t mark; ///< id * 8 + soil
    uint8_t tint[4]; ///< sRGB colour laid over the sphere and its share
} SphereInstance;

/// Zero-initialise; owned by the caller, freed by particle_spheres_destroy.
typedef struct ParticleSpheres {
    bool points; ///< at low quality
    GLuint program, depth_program;
    GLint soil_color;
    GLuint array[2], vertices[2], triangles[2]; ///< fine, coarse
    GLuint instances;
    SphereInstance *scratch; ///< [capacity]: fine ones from the front, coarse ones from the back
    int capacity;
    int count[2]; ///< fine, coarse
    GLsizeiptr buffer_size; ///< bytes of `instances`
} ParticleSpheres;

/// Makes programs and meshes. False with `status` set when a shader does not compile; then call
/// particle_spheres_destroy.
bool particle_spheres_create(ParticleSpheres *spheres, bool points, const GlShaders *shaders, Status *status);
void particle_spheres_destroy(ParticleSpheres *spheres);

/// Sorts the particles into fine (seen larger than a few pixels from `eye`, m, world) and coarse and sends them. When
/// memory is short none is drawn.
/// pixels_per_radian  of the picture at its middle
void particle_spheres_update(ParticleSpheres *spheres, const RenderParticles *particles, const float eye[3],
                             double pixels_per_radian);

/// Draws what was sent last, in the colours of the scene's soils, into the shadow map (`depth`) or the picture.
void particle_spheres_draw(const ParticleSpheres *spheres, const SceneParams *scene, bool depth);

#endif
