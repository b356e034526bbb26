/// What takes light of the sky from the ground near it: the machine's tracks, trucks, and the tool, the more the nearer
/// it is to the ground. Pure, no OpenGL.
#ifndef SPADEWORK_RENDER_OCCLUDERS_H
#define SPADEWORK_RENDER_OCCLUDERS_H

#include "render/render.h"

enum { OCCLUDERS_TOOL = 1 + RENDER_MAX_TRUCKS, OCCLUDERS_MAX }; ///< as in common.glsl; the machine is the first

/// The occluders' part of the uniform block "Frame" (common.glsl, std140).
typedef struct OccluderUniforms {
    float place[OCCLUDERS_MAX][4]; ///< m: x, y; cos and sin of the heading
    float size[OCCLUDERS_MAX][4]; ///< m: half length, half width; strength 0..1, 0: none; m: softness
    float top[OCCLUDERS_MAX]; ///< m, world: what is higher is not under it
} OccluderUniforms;

/// Computes them for how things stand in the view.
void occluders_compute(const RenderView *view, OccluderUniforms *occluders);

#endif
