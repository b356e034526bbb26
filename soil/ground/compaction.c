/// Loose soil gives way under pressure: ruts under tracks, soil tamped with a bucket.
///
/// In a one-dimensional compression test the void ratio e (pores over grains, by volume) of soil that was never pressed
/// harder falls with the logarithm of the pressure sigma (Terzaghi 1925):
///     e = e0 - Cc log10(sigma / sigma0),   so that
///     rho(sigma) = rho0 / (1 - phi0 C ln(sigma / sigma0)),   phi0 = 1 / (1 + e0) = rho0 / rho_grain,   C = Cc / ln 10
/// with rho0 the loose density, held up to sigma0 (COMPACT_REFERENCE). Valid for 5 kPa to about 1 MPa, above which
/// grains break; bounded here by the bank density. Cc is the soil's compression_index. What was compacted keeps its
/// density, so a second pass with the same pressure finds nothing to do: the density is the memory of the greatest
/// pressure. Below a plate the pressure spreads at 2 : 1 (two down, one to the sides, half on each): p b / (b + z).
#include "data/core/elementary.h"
#include "soil/ground/ground.h"

/// Pa: pressure up to which loose soil keeps its loose density. Handbooks measure swell in heaps; this is what lies on
/// the soil half-way down a heap of 0.8 m.
#define COMPACT_REFERENCE 5e3
/// kg/m3: density of mineral grains (quartz 2650, clay minerals 2600 to 2800).
#define COMPACT_GRAIN 2650.0

/// m: what is compacted at the top of deep loose soil becomes a layer of its own. Chosen; see test_soil_compact.
#define CRUST 0.3
/// Share: a layer that would become denser by a smaller share does not change. Chosen; see test_soil_compact.
#define DENSER 1e-4
enum { SLICES = 8 }; ///< of a layer, over which the pressure is taken

/// What compacts a soil, the same at every pressure.
typedef struct Compression {
    double loose, bank; ///< kg/m3
    double closes; ///< share of the volume by which it closes where the pressure grows e times
    double densest; ///< share that makes it bank soil
} Compression;

static Compression compression_of(const SoilParams *soil)
{
    double loose = ground_loose_density(soil);
    return (Compression){.loose = loose,
                         .bank = soil->bank_density,
                         .closes = loose / COMPACT_GRAIN * soil->compression_index / same_log(10.0),
                         .densest = 1.0 - loose / soil->bank_density};
}

static double density_under(const Compression *soil, double pressure)
{
    if (!(pressure > COMPACT_REFERENCE)) {
        return soil->loose;
    }
    double closed = soil->closes * same_log(pressure / COMPACT_REFERENCE);
    return closed < soil->densest ? soil->loose / (1.0 - closed) : soil->bank;
}

double compact_density(const SoilParams *soil, double pressure)
{
    Compression compression = compression_of(soil);
    return density_under(&compression, pressure);
}

/// Pressure (Pa) of a plate `width` m wide at `depth` m below it, when it presses the surface with `pressure`.
static double compact_pressure_below(double pressure, double width, double depth)
{
    return pressure * width / (width + depth);
}

/// Mean density of a layer from `top` m below the plate on, `thickness` m thick; or any density that is at most `now`,
/// its own, where that is as dense as its uppermost slice would become, the densest of them.
static double layer_density(const SoilParams *soil, double pressure, double width, double top, double thickness,
                            double now)
{
    const Compression compression = compression_of(soil);
    double sum = 0.0;
    for (int k = 0; k < SLICES; k++) {
        double depth = top + thickness * (k + 0.5) / SLICES;
        double density = density_under(&compression, compact_pressure_below(pressure, width, depth));
        if (k == 0 && density < now) {
            return density;
        }
        sum += density;
    }
    return sum / SLICES;
}

/// Parts the top of a deep loose layer from the rest, so that what is compacted there is not spread over all of it.
static void part_crust(const Ground *ground, GroundTile *tile, int slot)
{
    int k = tile->count[slot] - 1;
    if (tile->count[slot] == GROUND_LAYERS || ground_layer_thickness(ground, tile, slot, k) < 1.5 * CRUST) {
        return;
    }
    int32_t crust = (int32_t)(CRUST * (double)tile->density[slot][k] * ground->area / SOIL_QUANTUM);
    tile->mass[slot][k + 1] = crust;
    tile->mass[slot][k] -= crust;
    tile->density[slot][k + 1] = tile->density[slot][k];
    tile->soil[slot][k + 1] = tile->soil[slot][k];
    tile->loose[slot][k + 1] = 1;
    tile->count[slot]++;
}

/// Compacts one layer; returns by how much it became thinner, m.
static double compact_layer(const Ground *ground, GroundTile *tile, int slot, int k, double density, double most)
{
    double now = (double)tile->density[slot][k], thickness = ground_layer_thickness(ground, tile, slot, k);
    if (density <= now * (1.0 + DENSER)) {
        return 0.0;
    }
    double bound = thickness > most ? now * thickness / (thickness - most) : density;
    tile->density[slot][k] = (float)(density < bound ? density : bound);
    return thickness - ground_layer_thickness(ground, tile, slot, k);
}

void ground_compact(Ground *ground, int row, int column, double pressure, double width, double most)
{
    if (!(pressure > COMPACT_REFERENCE) || !ground_top_is_loose(ground, row, column)) {
        return;
    }
    int slot;
    GroundTile *tile = ground_touch(ground, row, column, &slot);
    part_crust(ground, tile, slot);
    double depth = 0.0, sunk = 0.0;
    for (int k = tile->count[slot] - 1; k >= 0 && tile->loose[slot][k] && sunk < most; k--) {
        double thickness = ground_layer_thickness(ground, tile, slot, k);
        double density = layer_density(&ground->soils[tile->soil[slot][k]], pressure, width, depth, thickness,
                                       (double)tile->density[slot][k]);
        sunk += compact_layer(ground, tile, slot, k, density, most - sunk);
        depth += thickness;
    }
    if (sunk > 0.0) {
        ground_update_height(ground, row, column);
    }
}
