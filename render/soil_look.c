/// Derives looks from laboratory figures. Cohesion makes clods; a soil without any that is heavier than sand packs is
/// of mixed coarse grain; what sticks to steel is plastic, and a plastic soil is cut as smooth as the steel; a surface
/// that weathers greener than its soil is has grass on it. The bounds are chosen between the shipped soils.
#include "render/soil_look.h"

#include <math.h>

#include "data/core/srgb.h"

static double ramp(double low, double high, double value)
{
    return fmin(fmax((value - low) / (high - low), 0.0), 1.0);
}

SoilLook soil_look(const SoilParams *soil)
{
    double bare = ramp(2e3, 0.0, soil->cohesion);
    double fresh = (double)soil->color_fresh[1] / fmax((double)soil->color_fresh[0], 0.01);
    double weathered = (double)soil->color_weathered[1] / fmax((double)soil->color_weathered[0], 0.01);
    return (SoilLook){.lumps = (float)ramp(0.5e3, 12e3, soil->cohesion),
                      .stones = (float)(bare * ramp(1750.0, 1950.0, soil->bank_density)),
                      .sheen = (float)ramp(1e3, 8e3, soil->steel_adhesion),
                      .growth = (float)ramp(0.12, 0.24, weathered - fresh)};
}

uint32_t soil_look_pack(const SoilLook *look)
{
    const float shares[3] = {look->lumps, look->stones, look->sheen};
    uint32_t packed = 0;
    for (int k = 0; k < 3; k++) {
        packed |= (uint32_t)lrintf(shares[k] * 255.0f) << (8 * k);
    }
    return packed;
}

uint32_t soil_look_pack_color(const SoilParams *soil, uint8_t loose)
{
    uint32_t packed = (uint32_t)loose << 24;
    float share = (float)loose / 255.0f;
    for (int k = 0; k < 3; k++) {
        float value = soil->color_weathered[k] + (soil->color_fresh[k] - soil->color_weathered[k]) * share;
        packed |= (uint32_t)srgb_from_linear((double)value) << (8 * k);
    }
    return packed;
}

static double smooth_ramp(double low, double high, double value)
{
    double share = ramp(low, high, value);
    return share * share * (3.0 - 2.0 * share);
}

/// As the shaders of high quality find it for each pixel (terrain.glsl).
SoilTint soil_look_tint(const SoilParams *soil, double loose)
{
    static const double grass_mean[3] = {0.086, 0.0855, 0.036}; // linear: between its two greens
    SoilLook look = soil_look(soil);
    double lumps = (double)look.lumps, stones = (double)look.stones, growth = (double)look.growth;
    double weathered = 1.0 - smooth_ramp(0.06, 0.40, loose);
    double cut = 1.0 - smooth_ramp(0.05, 0.13, fabs(loose - SOIL_LOOK_CUT));
    double tipped = (1.0 - weathered) * (1.0 - cut), grass = growth * weathered;
    double rest = 0.30 - 0.26 * grass, broken = 0.45 + 1.1 * lumps;
    SoilTint tint = {.relief = (float)((rest + tipped * (broken - rest)) * (1.0 - 0.45 * stones) / 1.6),
                     .grass = (float)grass};
    for (int k = 0; k < 3; k++) {
        double color = (double)soil->color_weathered[k] * (1.0 - loose) + (double)soil->color_fresh[k] * loose;
        double bare = 0.97 * color * (0.05 * color + 0.455);
        double albedo = bare + 0.80 * grass * (grass_mean[k] - bare);
        albedo *= (1.0 - 0.20 * cut * (1.0 - 0.6 * stones)) * (1.0 - 0.06 * tipped);
        tint.root[k] = (float)sqrt(fmax(albedo, 0.0));
    }
    return tint;
}

uint32_t soil_look_pack_tint(const SoilTint *tint)
{
    uint32_t packed = (uint32_t)lrintf(255.0f * tint->relief) << 24;
    for (int k = 0; k < 3; k++) {
        packed |= (uint32_t)lrintf(255.0f * fminf(tint->root[k], 1.0f)) << (8 * k);
    }
    return packed;
}

/// The look between two: `share` 0 is a, 1 is b.
static GrainLook mix_grain_looks(const GrainLook *a, const GrainLook *b, float share)
{
    return (GrainLook){.largest = a->largest + (b->largest - a->largest) * share,
                       .decay = a->decay + (b->decay - a->decay) * share,
                       .angular = a->angular + (b->angular - a->angular) * share,
                       .spread = a->spread + (b->spread - a->spread) * share};
}

GrainLook grain_look(const SoilParams *soil)
{
    static const GrainLook fine = {.largest = 0.030f, .decay = 0.10f, .angular = 0.0f, .spread = 1.30f};
    static const GrainLook gravel = {.largest = 0.050f, .decay = 0.34f, .angular = 0.45f, .spread = 1.25f};
    static const GrainLook small_clods = {.largest = 0.055f, .decay = 0.34f, .angular = 0.75f, .spread = 1.28f};
    static const GrainLook large_clods = {.largest = 0.120f, .decay = 0.60f, .angular = 0.90f, .spread = 1.10f};
    SoilLook look = soil_look(soil);
    GrainLook clods = mix_grain_looks(&small_clods, &large_clods, look.lumps);
    GrainLook loose = mix_grain_looks(&fine, &gravel, look.stones);
    return mix_grain_looks(&loose, &clods, (float)ramp(0.0, 2e3, soil->cohesion));
}
