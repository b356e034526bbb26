/// The cone and its layers as formulas of Hsu and Keyser 2010, sections 3.1 to 3.3, with their equation numbers.
#include "machine/rocks/rock_piles.h"

#include <math.h>
#include <string.h>

// Newton's iteration instead of the library's function: the same bits everywhere. For 1e-9 < v < 1e12.
static double cube_root(double v)
{
    double root = v > 1.0 ? v : 1.0;
    for (int k = 0; k < 80; k++) {
        root = (2.0 * root + v / (root * root)) / 3.0;
    }
    return root;
}

// V = pi / 3 r^3 tan(alpha), eq. 1; h = r tan(alpha).
double rock_piles_least_volume(double length, double slope)
{
    double radius = length / slope;
    return M_PI / 3.0 * radius * radius * radius * slope;
}

void rock_piles_cut(double volume, double slope, double length, RockLayers *layers)
{
    memset(layers, 0, sizeof *layers);
    layers->radius = cube_root(3.0 * volume / (M_PI * slope));
    layers->height = layers->radius * slope;
    double count = floor(layers->height / length * (1.0 + 1e-9));
    layers->count = count < 1.0 ? 1 : count > ROCK_MAX_LAYERS ? ROCK_MAX_LAYERS : (int)count;
    layers->thickness = layers->height / layers->count;
    for (int i = 0; i < layers->count; i++) {
        double foot = layers->radius * (layers->count - i) / layers->count;
        double top = layers->radius * (layers->count - i - 1) / layers->count;
        layers->layer_radius[i] = foot;
        layers->capacity[i] = M_PI / 3.0 * layers->thickness * (foot * foot + foot * top + top * top);
    }
}

int rock_piles_find(const RockLayers *layers, double up, double aside)
{
    if (up < 0.0 || up >= layers->height) {
        return -1;
    }
    int layer = (int)(up / layers->thickness);
    layer = layer < layers->count ? layer : layers->count - 1;
    return aside < layers->layer_radius[layer] ? layer : -1;
}

double rock_piles_occupation(const RockLayers *layers)
{
    double held = 0.0, capacity = 0.0;
    for (int i = 0; i < layers->count; i++) {
        held += layers->held[i];
        capacity += layers->capacity[i];
    }
    return held / capacity;
}

// rho_i d v with d = max(r_i - s, 0) / r_i (eq. 2) and v = 1 / (1 + |v|), |v| in m/s.
double rock_piles_score(const RockLayers *layers, int layer, double aside, double speed)
{
    double density = layers->held[layer] / layers->capacity[layer];
    double radius = layers->layer_radius[layer];
    double closeness = fmax(radius - aside, 0.0) / radius;
    return density * closeness / (1.0 + speed);
}

bool rock_piles_stands(const RockLayers *layers, int layer)
{
    for (int i = 0; i < layer; i++) {
        if (layers->asleep[i] == 0) {
            return false;
        }
    }
    return true;
}
