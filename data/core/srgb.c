/// The two transfer functions of sRGB (IEC 61966-2-1).
#include "data/core/srgb.h"

#include <math.h>

#include "data/core/elementary.h"

uint8_t srgb_from_linear(double linear)
{
    double value = linear > 0.0 ? (linear < 1.0 ? linear : 1.0) : 0.0;
    double curved = value <= 0.0031308 ? 12.92 * value : 1.055 * same_exp(same_log(value) / 2.4) - 0.055;
    return (uint8_t)lrint(curved * 255.0);
}

double srgb_to_linear(uint8_t byte)
{
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : same_exp(2.4 * same_log((c + 0.055) / 1.055));
}
