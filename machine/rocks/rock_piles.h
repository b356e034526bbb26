/// The stacking structure of a pile of rocks: pure functions of numbers.
///
/// Hsu and Keyser 2010, "Piles of Objects", ACM Trans. Graph. 29(6), sections 3.1 to 3.3. Two things differ: densities
/// are ratios of volumes instead of numbers of objects, which for equal objects is the same and allows unequal ones;
/// and a layer, whose density is counted within its radius, is as wide as the cone at its foot.
#ifndef SPADEWORK_MACHINE_ROCK_PILES_H
#define SPADEWORK_MACHINE_ROCK_PILES_H

#include "machine/rocks.h"

/// The cone cut into layers, bottom first.
typedef struct RockLayers {
    double radius, height; ///< m: of the cone
    double thickness; ///< m: of a layer
    int count;
    double layer_radius[ROCK_MAX_LAYERS]; ///< m
    double capacity[ROCK_MAX_LAYERS]; ///< m3
    double held[ROCK_MAX_LAYERS]; ///< m3: boxes of the rocks in it
    int asleep[ROCK_MAX_LAYERS]; ///< rocks in it that sleep
} RockLayers;

/// Volume of the smallest cone that has one layer of thickness `length`.
double rock_piles_least_volume(double length, double slope);
/// A cone of `volume` with tan(angle) = `slope`, in floor(height / length) layers (at least one); empty.
void rock_piles_cut(double volume, double slope, double length, RockLayers *layers);
/// The layer that holds a point `up` m above the base and `aside` m off the axis; -1 = outside.
int rock_piles_find(const RockLayers *layers, double up, double aside);
/// Sum of held over sum of capacity.
double rock_piles_occupation(const RockLayers *layers);
/// Sleep score of a rock in `layer`: density x closeness to the axis x slowness.
double rock_piles_score(const RockLayers *layers, int layer, double aside, double speed);
/// Every layer below holds a rock that sleeps.
bool rock_piles_stands(const RockLayers *layers, int layer);

#endif
