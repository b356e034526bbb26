/// Converts colours between linear light, in which they are stated and mixed, and the bytes of sRGB (IEC 61966-2-1), in
/// which pictures and models store them. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_SRGB_H
#define SPADEWORK_DATA_SRGB_H

#include <stdint.h>

uint8_t srgb_from_linear(double linear); ///< values outside 0..1 and NaN are taken for the nearest end, NaN for 0
double srgb_to_linear(uint8_t byte); ///< 0..1

#endif
