/// Grains that become ground again, and ground that slides: neither throws what lies on it.
#include "tests/support/soil_fixture.h"

enum { GRAINS = 2125 };

/// A heap of five layers of 25 x 17 grains, laid on the ground.
static void lay_heap(Soil *soil)
{
    const double radius = 0.05, apart = 0.112, mass = 0.87;
    for (int layer = 0; layer < 5; layer++) {
        for (int i = -12; i <= 12; i++) {
            for (int j = -8; j <= 8; j++) {
                double stray_x = ((i * 7 + j * 3 + layer * 5 + 90) % 5 - 2) * 0.002;
                double stray_y = ((i * 3 + j * 5 + layer + 90) % 5 - 2) * 0.002;
                Vec3 at = vec3(1.0 + i * apart + stray_x, 0.5 + j * apart + stray_y, 0.06 + layer * apart);
                double size = radius * (0.92 + 0.02 * ((i + j + layer + 90) % 5));
                assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), size, 0, mass) >= 0);
            }
        }
    }
}

/// How high each grain could rise, by its id.
static void find_energies(const Soil *soil, double energy[GRAINS])
{
    SoilParticleView p = soil_get_particles(soil);
    for (int i = 0; i < p.count; i++) {
        double square = p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i];
        energy[p.id[i]] = p.z[i] + square / (2.0 * STANDARD_GRAVITY);
    }
}

/// A heap collapses and is absorbed from below within some seconds. No grain gains more in a tick than what lifts it by
/// its own size: what others that fall may give it, but not what ground that rises under it could.
static void check_heap(SceneParams scene)
{
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    lay_heap(soil);
    int64_t total = soil_get_ledger(soil).total;
    static double before[GRAINS], after[GRAINS];
    find_energies(soil, before);
    double most = 0.0;
    for (int t = 0; t < 300; t++) {
        run_ticks(soil, NULL, 0, 1);
        memcpy(after, before, sizeof after);
        find_energies(soil, after);
        for (int k = 0; k < GRAINS; k++) {
            most = fmax(most, after[k] - before[k]);
        }
        memcpy(before, after, sizeof before);
        assert_true(soil_get_ledger(soil).total == total);
    }
    SoilLedger ledger = soil_get_ledger(soil);
    print_message("most that a grain gained in a tick: %.3f m; %.1f %% of the heap is ground\n", most,
                  100.0 - 100.0 * (double)ledger.particles / (GRAINS * 0.87 / SOIL_QUANTUM));
    assert_true(most < 0.1);
    assert_true((double)ledger.particles < 0.1 * GRAINS * 0.87 / SOIL_QUANTUM);
    soil_destroy(soil);
}

TEST(test_a_heap_of_sand_is_absorbed_in_peace)
{
    check_heap(sand_scene());
}

TEST(test_a_heap_of_loam_is_absorbed_in_peace)
{
    check_heap(loam_scene());
}

TEST_MAIN(NULL, NULL)
