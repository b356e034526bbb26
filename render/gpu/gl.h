/// OpenGL helpers of the renderer: shader programs from data/shaders, static meshes, textures. Needs a current context.
#ifndef SPADEWORK_RENDER_GL_H
#define SPADEWORK_RENDER_GL_H

#include <stdbool.h>

#include <epoxy/gl.h>

#include "data/core/status.h"
#include "render/gpu/mesh.h"

enum { GL_UNIT_NOISE, GL_UNIT_SHADOW, GL_UNIT_HEIGHT, GL_UNIT_COLOR, GL_UNIT_OVERLAY };
enum { GL_FRAME_BINDING = 0 }; ///< uniform block "Frame"

/// Builds `folder`/NAME.glsl, compiled twice (VERTEX and FRAGMENT defined) behind `folder`/common.glsl. `defines` is text put
/// before both ("#define DEPTH\n") or "". Samplers named noise_map, shadow_map, height_map, color_map and overlay_map are
/// bound to their units. Returns 0 with `status` naming the file and GL's first log line.
GLuint gl_program_create(const char *folder, const char *name, const char *defines, Status *status);

/// A mesh on the GPU; zero-initialised = empty.
typedef struct GlMesh {
    GLuint array, vertices, indices;
    GLsizei count; ///< indices
} GlMesh;
void gl_mesh_create(GlMesh *mesh, const Mesh *source);
void gl_mesh_destroy(GlMesh *mesh);
void gl_mesh_draw(const GlMesh *mesh);

#endif
