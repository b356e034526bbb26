/// Meshes of plates, bars and stones on the GPU: the programs that draw them, sending them, and drawing at a pose.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_SOLID_H
#define SPADEWORK_RENDER_SOLID_H

#include "render/gpu.h"
#include "render/meshes/mesh.h"
#include "render/site.h"

/// A program of data/shaders/solid.glsl and its uniforms.
typedef struct SolidProgram {
    GLuint program;
    GLint model, dust_color, tint, dirt, dirt_from, dirt_wet;
    vec4 planes[6]; ///< of the view volume that is drawn into, pointing inwards
} SolidProgram;

/// The programs of all solids, each [0] for the picture and [1] for the shadow map. Zero-initialise.
typedef struct SolidPrograms {
    SolidProgram plain[2]; ///< one mesh at one pose
    SolidProgram shoes[2]; ///< one mesh at every place along a belt
    SolidProgram stone[2]; ///< one mesh of a rock at one pose
} SolidPrograms;

/// Compiles the programs. False with `status` set when one does not compile; then call solid_programs_destroy.
bool solid_programs_create(SolidPrograms *programs, const GlShaders *shaders, Status *status);
void solid_programs_destroy(SolidPrograms *programs);
/// Sets the view volume: meshes wholly outside one of the planes are not drawn.
void solid_programs_aim(SolidPrograms *programs, vec4 planes[6]);

/// What all solids of one pass have in common.
typedef struct SolidPass {
    const SolidPrograms *programs;
    bool depth; ///< into the shadow map
    bool plain; ///< at low quality
    bool lamps_lit; ///< lenses of lamps shine
    float dust[4]; ///< linear colour of the dust on them, and the share of it, 0..1
    float tint[4]; ///< linear colour laid over them, and the share of it, 0..1
} SolidPass;

/// Makes `program` ([0] picture, [1] shadow map) current for the following draws. Returns the one of the pass.
const SolidProgram *solid_begin(const SolidPass *pass, const SolidProgram program[2]);

/// Sets the dirt on what `program` draws from now on, until solid_begin: none with a share of 0.
/// from   m, world: where it is thickest
/// reach  m from there, where none is any more; 0: it is everywhere the same; below 0: m up from the zero of the body
void solid_set_dirt(const SolidProgram *program, const RenderDirt *dirt, Vec3 from, double reach);

/// False where a ball of `radius` m about `middle` (m, world) lies wholly outside what the program draws into.
bool solid_sees(const SolidProgram *program, Vec3 middle, double radius);

/// A mesh on the GPU; zero-initialised = empty. Owned by the model that it belongs to.
typedef struct SolidMesh {
    GLuint array, vertices, indices;
    GLsizei count; ///< indices
    Vec3 middle; ///< m, of a ball around it
    double radius; ///< m
} SolidMesh;

/// Sends `source` to the GPU and frees it. An empty source leaves `mesh` empty.
void solid_mesh_create(SolidMesh *mesh, Mesh *source);
/// Sends the vertices of `source`, which the caller keeps, to a mesh that solid_mesh_create made of as many.
void solid_mesh_move(SolidMesh *mesh, const Mesh *source);
/// Frees `count` meshes and leaves them empty.
void solid_meshes_destroy(SolidMesh *meshes, int count);

/// Draws a mesh whose frame lies at `pose` in the world (m; the rotation may be scaled).
void solid_draw(const SolidProgram *program, const SolidMesh *mesh, const Pose *pose);

/// Draws a mesh with its x axis along the unit vector `axis` and its y axis as near the unit vector `side` as can be,
/// from `origin` (m, world), stretched by `scale` = {along x, y, z}.
void solid_draw_stretched(const SolidProgram *program, const SolidMesh *mesh, Vec3 origin, Vec3 axis, Vec3 side,
                          Vec3 scale);

#endif
