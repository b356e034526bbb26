/// The lamps that light the work: those of the machine. Pure, no OpenGL.
#ifndef SPADEWORK_RENDER_LAMPS_H
#define SPADEWORK_RENDER_LAMPS_H

#include "render/render.h"

enum { LAMPS_MAX = 4 }; ///< as in common.glsl

/// The lamps' part of the uniform block "Frame" (common.glsl, std140).
typedef struct LampUniforms {
    float place[LAMPS_MAX][4]; ///< m, world; strength: light straight ahead times the square of the distance, 0: out
    float aim[LAMPS_MAX][4]; ///< unit, where it shines; cosine of half its cone
} LampUniforms;

/// Computes them where the machine of the view stands.
/// share  0..1: how far they are on (Daylight.lamps)
void lamps_compute(const RenderView *view, double share, LampUniforms *lamps);

#endif
