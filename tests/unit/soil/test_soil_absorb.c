/// Grains that become ground again, and ground that slides: neither throws what lies on it. Which grains stay grains
/// near a tool.
// test: sanitized
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

/// The grains that are left of those laid on the ground at `at` (x, y), one bit each.
static unsigned find_left(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    unsigned left = 0;
    for (int i = 0; i < p.count; i++) {
        left |= 1u << p.id[i];
    }
    return left;
}

static void lay_grains(Soil *soil, const double at[][2], int count)
{
    for (int k = 0; k < count; k++) {
        assert_int_equal(soil_add_particle(soil, vec3(at[k][0], at[k][1], 0.05), vec3(0, 0, 0), 0.05, 0, 0.87), k);
    }
}

/// Grains beside a box that stands still, inside its bounding sphere, go back to the ground; in it and at its walls
/// they stay grains, also where the ground stands in the box.
TEST(test_grains_beside_a_tool_at_rest_become_ground)
{
    enum { INSIDE, AT_WALL, BESIDE, AT_CORNER };
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    const double at[][2] = {{0.0, 0.0}, {0.0, 0.66}, {0.0, 1.0}, {1.5, 1.0}};
    lay_grains(soil, at, 4);
    ToolShape shape = box_shape(2.0, 1.0, 0.5);
    SoilTool box = box_tool(&shape, vec3(0, 0, -0.1)); // its walls reach from -0.1 to 0.4 m
    assert_true(0.5 * sqrt(2.2 * 2.2 + 1.2 * 1.2 + 0.6 * 0.6) > 1.0); // m: the sphere's radius
    run_ticks(soil, &box, 1, 60);
    assert_int_equal(find_left(soil), 1u << INSIDE | 1u << AT_WALL);
    soil_destroy(soil);
}

/// Moves an upright plate, 1 m wide and 2 m high, with its edge over the ground for `ticks` at `speed` m/s, to end with
/// its face at x = 0. Grains lie ahead of it, behind it and beside it, in its bounding sphere from the first on that
/// could absorb them. Returns which are left.
static unsigned pass_with_plate(double speed, int ticks)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    const double at[][2] = {{0.4, 0.0}, {-0.6, 0.0}, {-0.1, 0.9}};
    lay_grains(soil, at, 3);
    ToolShape shape = plate_shape(0.1, 2.0, 1.0);
    for (int t = 0; t < ticks; t++) {
        SoilTool plate = box_tool(&shape, vec3(speed * (t - ticks) / 60.0, 0.0, 0.15));
        plate.motion.velocity = vec3(speed, 0.0, 0.0);
        run_ticks(soil, &plate, 1, 1);
    }
    unsigned left = find_left(soil);
    soil_destroy(soil);
    return left;
}

/// Where a tool is about to be nothing becomes ground; beside it and behind it only what has lain still while the tool
/// moved on.
TEST(test_grains_in_the_way_of_a_tool_stay_grains)
{
    enum { AHEAD, BEHIND, BESIDE };
    assert_int_equal(pass_with_plate(0.5, 60), 1u << AHEAD);
    assert_int_equal(pass_with_plate(0.1, 120), 1u << AHEAD | 1u << BEHIND | 1u << BESIDE);
    assert_int_equal(pass_with_plate(0.1, 270), 1u << AHEAD);
}

TEST_GROUP(NULL, NULL)
