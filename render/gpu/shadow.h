/// The sun's shadow map.
#ifndef SPADEWORK_RENDER_SHADOW_H
#define SPADEWORK_RENDER_SHADOW_H

#include "render/gpu/gl.h"

enum { SHADOW_TEXELS = 2048 };
#define SHADOW_RADIUS 16.0f ///< m around the machine that have shadows

typedef struct Shadow {
    GLuint framebuffer, texture;
} Shadow;
bool shadow_create(Shadow *shadow, Status *status);
void shadow_destroy(Shadow *shadow);
/// Makes the map the target of drawing and clears it. The caller restores its own framebuffer and viewport.
void shadow_begin(const Shadow *shadow);
void shadow_end(void);

#endif
