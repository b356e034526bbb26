/// Makes the detail texture: fractal value noise (Perlin, SIGGRAPH 1985) and clods, a bump around a random point of
/// each cell (Worley, SIGGRAPH 1996). Both repeat at the picture's edges, so that it can be laid over any surface.
#include "render/scene/noise.h"

#include <math.h>
#include <stdlib.h>

/// Hashes 32 bits: lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
static uint32_t mix_bits(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// 0..1 for a lattice point that repeats every `period`.
static double lattice(int x, int y, int period, uint32_t seed)
{
    uint32_t i = (uint32_t)((x + period) % period), j = (uint32_t)((y + period) % period);
    return (double)mix_bits(i + 4099U * j + 7919U * seed + 1U) / 4294967295.0;
}

static double value_noise(double x, double y, int period, uint32_t seed)
{
    int i = (int)floor(x), j = (int)floor(y);
    double u = x - i, v = y - j;
    u = u * u * (3.0 - 2.0 * u);
    v = v * v * (3.0 - 2.0 * v);
    double low = lattice(i, j, period, seed) * (1.0 - u) + lattice(i + 1, j, period, seed) * u;
    double high = lattice(i, j + 1, period, seed) * (1.0 - u) + lattice(i + 1, j + 1, period, seed) * u;
    return low * (1.0 - v) + high * v;
}

static double fractal(double x, double y)
{
    double sum = 0.0, weight = 0.5;
    int period = 5;
    for (uint32_t octave = 0; octave < 6; octave++) {
        sum += weight * value_noise(x * period, y * period, period, octave);
        weight *= 0.5;
        period *= 2;
    }
    return sum / (1.0 - 2.0 * weight);
}

/// A clod around a random point in each cell: height by the distance to the nearest one.
static double clods(double x, double y, int cells, uint32_t seed)
{
    double px = x * cells, py = y * cells, nearest = 4.0;
    int i = (int)floor(px), j = (int)floor(py);
    for (int b = j - 1; b <= j + 1; b++) {
        for (int a = i - 1; a <= i + 1; a++) {
            double cx = a + lattice(a, b, cells, seed), cy = b + lattice(a, b, cells, seed + 1U);
            double size = 0.55 + 0.9 * lattice(a, b, cells, seed + 2U);
            double d = ((px - cx) * (px - cx) + (py - cy) * (py - cy)) / (size * size);
            nearest = d < nearest ? d : nearest;
        }
    }
    double h = 1.0 - nearest;
    return h > 0.0 ? sqrt(h) : 0.0;
}

static uint8_t to_byte(double value)
{
    return (uint8_t)lrint(fmin(fmax(value, 0.0), 1.0) * 255.0);
}

void noise_fill(uint8_t *rgba)
{
    double *height = malloc(sizeof(double) * NOISE_SIZE * NOISE_SIZE);
    if (height == NULL) {
        return;
    }
    for (int y = 0; y < NOISE_SIZE; y++) {
        for (int x = 0; x < NOISE_SIZE; x++) {
            double u = (double)x / NOISE_SIZE, v = (double)y / NOISE_SIZE;
            height[y * NOISE_SIZE + x] = 0.52 * clods(u, v, 11, 20) + 0.30 * clods(u, v, 29, 40) +
                                         0.18 * value_noise(u * 90.0, v * 90.0, 90, 60);
            rgba[4 * (y * NOISE_SIZE + x)] = to_byte(fractal(u, v));
        }
    }
    for (int y = 0; y < NOISE_SIZE; y++) {
        for (int x = 0; x < NOISE_SIZE; x++) {
            uint8_t *pixel = &rgba[4 * (y * NOISE_SIZE + x)];
            const double *row = &height[y * NOISE_SIZE];
            double dx = row[(x + 1) % NOISE_SIZE] - row[(x + NOISE_SIZE - 1) % NOISE_SIZE];
            double dy = height[((y + 1) % NOISE_SIZE) * NOISE_SIZE + x] -
                        height[((y + NOISE_SIZE - 1) % NOISE_SIZE) * NOISE_SIZE + x];
            pixel[1] = to_byte(row[x]);
            pixel[2] = to_byte(0.5 + 2.2 * dx);
            pixel[3] = to_byte(0.5 + 2.2 * dy);
        }
    }
    free(height);
}
