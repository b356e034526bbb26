/// Shader programs from data/shaders, the texture units they read from, and how textures are sampled.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_GL_H
#define SPADEWORK_RENDER_GL_H

#include <stdbool.h>

#include <epoxy/gl.h>

#include "data/core/status.h"

/// Texture units by what lies in them, the same in every program.
enum {
    GL_UNIT_NOISE,
    GL_UNIT_SHADOW,
    GL_UNIT_HEIGHT,
    GL_UNIT_COLOR,
    GL_UNIT_OVERLAY,
    GL_UNIT_DESIGN,
    GL_UNIT_OUTLINE,
    GL_UNIT_STRATA,
    GL_UNIT_LOOK,
    GL_UNIT_MARKS,
    GL_UNIT_GRAINS,
    GL_UNIT_RELIEF,
    GL_UNIT_PLACES
};
enum { GL_FRAME_BINDING = 0 }; ///< binding point of the uniform block "Frame" (common.glsl)

/// Where shaders are read from, and what is put before each ("#define LOW\n", or "").
typedef struct GlShaders {
    const char *folder, *defines;
} GlShaders;

/// Builds `folder`/`name`.glsl, compiled once with VERTEX and once with FRAGMENT defined, behind `folder`/common.glsl.
/// defines  text put before both ("#define DEPTH\n"), or ""
/// Samplers named noise_map, shadow_map, height_map, color_map, design_map, overlay_map, outline_map, strata_map,
/// look_map, mark_map, grain_map, relief_map and place_map are bound to their units.
/// Returns the program, which the caller deletes with glDeleteProgram; 0 with STATUS_LACKING in `status`, which names
/// the file and the first line of OpenGL's log.
GLuint gl_program_create(const GlShaders *shaders, const char *name, const char *defines, Status *status);

/// Sets how the two-dimensional texture bound to the active unit is sampled; enlarged it is always linear.
/// minify  GL_LINEAR or GL_LINEAR_MIPMAP_LINEAR
/// wrap    GL_REPEAT or GL_CLAMP_TO_EDGE, of both axes
void gl_texture_sampling(GLint minify, GLint wrap);

#endif
