/// OpenGL behind everything that is drawn: float vectors and matrices, shader programs, the detail texture, off-screen
/// targets ("stages") and shadow maps.
///
/// Every function but the two of linear_ needs a current OpenGL 3.3 core context and must be called from the thread
/// that it is current on.
#ifndef SPADEWORK_RENDER_GPU_H
#define SPADEWORK_RENDER_GPU_H

#include <stdbool.h>

#include <epoxy/gl.h>

// cglm (float, column-major, OpenGL clip space) and data/core/vec.h (double) both define `vec3`: cglm's vector is
// called FloatVec3 here.
#define vec3 FloatVec3
#include <cglm/cglm.h>
#undef vec3

#include "data/core/status.h"
#include "data/core/vec.h"

/// ---- float vectors and matrices ------------------------------------------------------------------------------------

/// Rounds a place or direction to float.
static inline void linear_from_vec3(Vec3 v, FloatVec3 out)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// Writes a pose as the matrix that takes its local points (m) to the world. The rotation may be scaled.
static inline void linear_from_pose(const Pose *pose, mat4 matrix)
{
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            matrix[column][row] = (float)pose->rotation.m[row][column];
        }
        matrix[column][3] = 0.0f;
    }
    linear_from_vec3(pose->position, matrix[3]);
    matrix[3][3] = 1.0f;
}

/// ---- programs and textures -----------------------------------------------------------------------------------------

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

/// Makes the tileable detail texture that GL_UNIT_NOISE holds: 512 x 512 pixels; r smooth fractal noise, g clods (0
/// gaps .. 1 crowns), b and a the clods' slope along x and y around 0.5. Its content is always the same. Returns the
/// texture, which the caller deletes with glDeleteTextures; 0 when memory is short.
GLuint gl_noise_create(void);

/// ---- stages --------------------------------------------------------------------------------------------------------

/// An off-screen picture: of the scene where it has fewer pixels than the screen, over which it is then stretched, or a
/// picture that is part of another.
/// Zero-initialise; owned by the caller, freed by stage_destroy.
typedef struct GlStage {
    GLuint framebuffer, depth;
    GLuint color; ///< a texture
    GLuint places,
        places_framebuffer; ///< a texture of four floats a pixel, and it with the same depth; 0: not asked for
    int width, height; ///< pixels
} GlStage;
void stage_destroy(GlStage *stage);

/// Makes it the target of drawing, width x height pixels, made anew when that is another size. False where the driver
/// cannot draw into it: the target stays what it was. Its depth has a stencil.
/// places  a second picture of the same depth is wanted, for stage_begin_places
bool stage_begin(GlStage *stage, int width, int height, bool places);
/// Clears the places. Else those of earlier pictures are left between what is drawn, and along outlines some pixels
/// depend on them.
void stage_clear_places(const GlStage *stage);
/// Draws the places of pixels into the second picture from now on.
void stage_begin_places(const GlStage *stage);
/// Writes `mark`, 1 or more, into the stencil wherever something is drawn from now on.
void stage_mark_places(int mark);
/// The stage is the target again; places are bound to GL_UNIT_PLACES.
void stage_use_places(const GlStage *stage);
/// Only pixels whose stencil holds `mark` are drawn from now on, whatever their depth.
void stage_choose_places(int mark);
/// Restores the state before stage_begin_places.
void stage_end_places(void);
/// Stretches what was drawn over `width` x `height` pixels of the framebuffer `target`, which becomes the target again.
void stage_end(const GlStage *stage, GLuint target, int width, int height);

/// Reads the depths of a stage, or with NULL of the current framebuffer, width x height pixels from the lower left, as
/// parts of UINT32_MAX, which is where nothing was drawn. It has one sample a pixel.
void gl_read_depth(const GlStage *stage, int width, int height, uint32_t *depth);

/// ---- shadow maps ---------------------------------------------------------------------------------------------------

enum {
    SHADOW_TEXELS = 2048, ///< a side; with the radius below a texel covers 16 mm: a sixth of a particle of 0.1 m
    SHADOW_TEXELS_LOW = 1024, ///< at medium and low quality
    SHADOW_TOOL_TEXELS = 1024, ///< a side of the parts of the tool: 4 mm a texel around an excavator's bucket
};
#define SHADOW_RADIUS 16.0f ///< m ahead of and around the machine that have shadows: its reach and the truck beside it

/// Parts of the texture.
typedef enum ShadowPart {
    SHADOW_SITE, ///< in its lower left corner: what the sun sees of the site
    SHADOW_TOOL, ///< to the right of it: what the sun sees of the surroundings of the tool
    SHADOW_LAMP, ///< above that: what lamps see of the tool
    SHADOW_PARTS
} ShadowPart;

/// Zero-initialise; owned by the caller, freed by shadow_destroy.
typedef struct Shadow {
    GLuint framebuffer; ///< 0: there is none, and nothing lies in shadow
    GLuint texture;
    int texels[SHADOW_PARTS]; ///< a side of each part, as it was asked for; 0: there is no such part
} Shadow;

/// Makes the maps. Where the driver cannot draw into a depth texture of that size, or `none` asks for that, they are a
/// single texel that lets all light through.
/// texels  of each part; the tool's and the lamp's are as large as each other, or the lamp's is 0
void shadow_create(Shadow *shadow, const int texels[SHADOW_PARTS], bool none);
/// Frees what shadow_create made; a zero `shadow` is left alone.
void shadow_destroy(Shadow *shadow);

/// Makes a part of the map, which has a framebuffer, the target of drawing and clears it. The caller restores its own
/// framebuffer and viewport afterwards.
void shadow_begin(const Shadow *shadow, ShadowPart part);
/// Ends the drawing into a part: depth offsets no longer apply.
void shadow_end(void);

/// Writes the `place` of a part as shares of the texture: width, height, left, lower edge.
void shadow_part_place(const Shadow *shadow, ShadowPart part, float place[4]);

#endif
