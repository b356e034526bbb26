/// The two transfer functions of sRGB (IEC 61966-2-1). They are for files and pictures: no state of a session comes
/// through `pow`, whose last bit differs between C libraries.
#include "data/core/srgb.h"

#include <math.h>

uint8_t srgb_from_linear(double linear)
{
    double value = linear > 0.0 ? (linear < 1.0 ? linear : 1.0) : 0.0;
    double curved = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
    return (uint8_t)lrint(curved * 255.0);
}

double srgb_to_linear(uint8_t byte)
{
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}
