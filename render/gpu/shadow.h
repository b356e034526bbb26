/// The sun's shadow map: a depth texture and the framebuffer that draws into it.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_SHADOW_H
#define SPADEWORK_RENDER_SHADOW_H

#include "render/gpu/gl.h"

enum {
    SHADOW_TEXELS = 2048, ///< a side; with the radius below a texel covers 16 mm: a sixth of a particle of 0.1 m
    SHADOW_TEXELS_LOW = 1024, ///< at medium and low quality
};
#define SHADOW_RADIUS 16.0f ///< m ahead of and around the machine that have shadows: its reach and the truck beside it

/// Zero-initialise; owned by the caller, freed by shadow_destroy.
typedef struct Shadow {
    GLuint framebuffer; ///< 0: there is none, and nothing lies in shadow
    GLuint texture;
    int texels; ///< a side, as it was asked for
} Shadow;

/// Makes the map. Where the driver cannot draw into a depth texture of that size, or `none` asks for that, the map is a
/// single texel that lets all light through.
void shadow_create(Shadow *shadow, int texels, bool none);
/// Frees what shadow_create made; a zero `shadow` is left alone.
void shadow_destroy(Shadow *shadow);

/// Makes the map, which has a framebuffer, the target of drawing and clears it. The caller restores its own framebuffer
/// and viewport afterwards.
void shadow_begin(const Shadow *shadow);
/// Ends the drawing into the map: depth offsets no longer apply.
void shadow_end(void);

#endif
