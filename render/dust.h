/// Dust of a RenderView: puffs as they began. Units as in render.h.
#ifndef SPADEWORK_RENDER_VIEW_DUST_H
#define SPADEWORK_RENDER_VIEW_DUST_H

#include <stdint.h>

enum { RENDER_MAX_PUFFS = 512 };
#define RENDER_PUFF_LIFE 2.6 ///< s after which a puff is no longer seen

/// A puff of dust as it began; how it drifts and thins out follows from its age.
typedef struct RenderPuff {
    float at[3], ground; ///< m, world; m: height of the ground under it
    float born, strength, radius, rise; ///< s; share 0..1 of light that it takes; m; m/s upwards
    uint32_t number; ///< number * 8 + index into the scene's soils
} RenderPuff;

typedef struct RenderDust {
    int count; ///< 0..RENDER_MAX_PUFFS
    const RenderPuff *puffs;
    double now; ///< s, of the clock that `born` is of
} RenderDust;

#endif
