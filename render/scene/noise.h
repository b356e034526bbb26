/// The tileable noise picture that all surfaces take their detail from. Always the same; no OpenGL.
#ifndef SPADEWORK_RENDER_NOISE_H
#define SPADEWORK_RENDER_NOISE_H

#include <stdint.h>

enum { NOISE_SIZE = 512 }; ///< pixels a side, a power of two

/// Fills [NOISE_SIZE][NOISE_SIZE][4]: r smooth fractal noise, g clods (0 gaps .. 255 crowns), b and a the clods' slope
/// along x and y around 128. Leaves it as it is when memory is short.
void noise_fill(uint8_t *rgba);

#endif
