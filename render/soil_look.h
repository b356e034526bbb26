/// How soils look, from the laboratory figures that their files state: colours, surfaces and grains. Pure functions;
/// none calls OpenGL.
#ifndef SPADEWORK_RENDER_SOIL_LOOK_H
#define SPADEWORK_RENDER_SOIL_LOOK_H

#include <stdint.h>

#include "data/schema/soil_params.h"

/// The look of a soil's surface; 0..1 each.
typedef struct SoilLook {
    float lumps; ///< how far it breaks into clods that hold together: from 0.5 kPa (0) to 12 kPa of cohesion (1)
    float stones; ///< how coarse its grains are: without cohesion and denser than sand, 1750 (0) to 1950 kg/m3 (1)
    float sheen; ///< how smooth and glossy a tool leaves it: by its adhesion to steel, 1 kPa (0) to 8 kPa (1)
    float growth; ///< share of grass on its weathered surface: by how much greener that is than the fresh soil
} SoilLook;
/// Returns the look of a soil.
SoilLook soil_look(const SoilParams *soil);

/// Packs a look into bytes, `lumps` in the lowest; the highest is left 0 for the grass that is there.
uint32_t soil_look_pack(const SoilLook *look);

/// Packs a soil's colour, `loose` from 0 weathered to 255 fresh, for the colour texture: sRGB bytes, looseness in the
/// highest.
uint32_t soil_look_pack_color(const SoilParams *soil, uint8_t loose);

/// How a soil looks at low quality, found once for each looseness instead of for each pixel.
typedef struct SoilTint {
    float root[3]; ///< 0..1: square root of the dry albedo, linear, with the moisture of what was just dug
    float relief; ///< 0..1: how rough it is, of 1.6
    float grass; ///< 0..1: how much of it grass covers
} SoilTint;
/// Returns the tint of a soil; `loose`: 0..1 from weathered to fresh, SOIL_LOOK_CUT where a tool has cut.
SoilTint soil_look_tint(const SoilParams *soil, double loose);
#define SOIL_LOOK_CUT 0.78
/// Packs a tint but its grass into bytes, relief in the highest.
uint32_t soil_look_pack_tint(const SoilTint *tint);

/// The look of a soil's grains, as the shader reads it.
typedef struct GrainLook {
    float largest; ///< m: radius of the largest part, which fills at most most of its particle
    float decay; ///< exponent, 0..1: part k has (k + 1)^-decay of that
    float angular; ///< share: 0 rounded .. 1 with flat faces
    float spread; ///< particle radii that the outermost grains reach
} GrainLook;

/// Returns the look of a soil's grains: cohesion makes clods, without any there is a spray of fine grains; what has
/// none and packs denser than sand is gravel, whose grains are stones.
GrainLook grain_look(const SoilParams *soil);

#endif
