/// The plane on which soil fails ahead of a blade: against Rankine's closed form, and against a blade's published
/// equation at other rakes.
#include <math.h>

#include "soil/exchange/spawn.h"
#include "tests/support/test.h"

static const double degree = M_PI / 180.0;

static double level_slope(const SoilParams *soil, double rake, double depth)
{
    RuptureProfile level = rupture_level(depth, 0.1);
    return rupture_slope(soil, rake, &level);
}

TEST(before_a_smooth_upright_wall_it_is_rankines)
{
    for (int phi = 15; phi <= 40; phi += 5) {
        SoilParams soil = {.bank_density = 1600.0, .friction_angle = phi * degree};
        double angle = atan(level_slope(&soil, 0.5 * M_PI, 0.3)) / degree;
        assert_near(angle, 45.0 - 0.5 * phi, 0.51); // planes are tried a degree apart
    }
}

/// Reece's equation for sand of 35 degrees on steel of 23, as the experiment `blade` solves it by finer planes.
TEST(it_is_flatter_the_steeper_the_blade)
{
    static const struct {
        double rake, angle;
    } law[] = {{30.0, 33.8}, {45.0, 31.2}, {60.0, 26.3}, {75.0, 21.1}, {90.0, 14.7}};
    SoilParams sand = {.bank_density = 1600.0, .friction_angle = 35.0 * degree, .steel_friction_angle = 23.0 * degree};
    for (int k = 0; k < 5; k++) {
        assert_near(atan(level_slope(&sand, law[k].rake * degree, 0.2)) / degree, law[k].angle, 0.6);
    }
}

/// The closed form against planes tried a degree apart, for soils and rakes that occur and some that do not.
TEST(below_a_level_surface_it_has_a_closed_form)
{
    for (int n = 0; n < 6 * 6 * 5 * 4; n++) {
        int phi = 5 + n % 6 * 7, rake = 20 + n / 6 % 6 * 16, cohesion = n / 36 % 5 * 7000, depth = n / 180;
        SoilParams soil = {.bank_density = 1600.0,
                           .friction_angle = phi * degree,
                           .steel_friction_angle = 0.6 * phi * degree,
                           .cohesion = cohesion};
        double slope = rupture_slope_level(&soil, rake * degree, 0.1 + 0.4 * depth);
        RuptureProfile level = rupture_level(0.1 + 0.4 * depth, 1.0); // no plane ends within it
        assert_near(atan(slope) / degree, atan(rupture_slope(&soil, rake * degree, &level)) / degree, 0.51);
    }
    SoilParams loam = {.bank_density = 1540.0, .friction_angle = 30.0 * degree, .cohesion = 5000.0};
    assert_true(rupture_slope_level(&loam, -1.0, -5.0) > 0.0 && rupture_slope_level(&loam, 9.0, 0.0) > 0.0);
}

TEST(cohesion_makes_it_steeper_and_depth_flatter)
{
    SoilParams loam = {.bank_density = 1540.0, .friction_angle = 30.0 * degree, .steel_friction_angle = 20.0 * degree};
    double loose = level_slope(&loam, 45.0 * degree, 0.2);
    loam.cohesion = 5000.0;
    double shallow = level_slope(&loam, 45.0 * degree, 0.2), deep = level_slope(&loam, 45.0 * degree, 1.5);
    assert_true(loose < deep && deep < shallow);
    assert_true(level_slope(&loam, -1.0, -5.0) > 0.0 && level_slope(&loam, 9.0, 0.0) > 0.0);
}

/// A chip 0.15 m thick, 0.2 m before a face of 1.5 m, comes out before the face; far from it the law's plane holds.
TEST(a_chip_breaks_out_before_a_face)
{
    SoilParams loam = {.bank_density = 1540.0,
                       .friction_angle = 30.0 * degree,
                       .steel_friction_angle = 20.0 * degree,
                       .cohesion = 5000.0};
    RuptureProfile profile = rupture_level(0.15, 0.02);
    double level = rupture_slope(&loam, 45.0 * degree, &profile);
    for (int k = 10; k < RUPTURE_REACH; k++) {
        profile.top[k] = 1.5;
    }
    double chip = rupture_slope(&loam, 45.0 * degree, &profile);
    assert_near(chip, fmax(level, 0.15 / 0.2), 0.1);
    assert_true(rupture_exit(&profile, chip) < 0.21);
    for (int k = 6; k < RUPTURE_REACH; k++) {
        profile.top[k] = 1.5;
    }
    chip = rupture_slope(&loam, 45.0 * degree, &profile);
    assert_true(chip > 1.2 && rupture_exit(&profile, chip) < 0.13);
    assert_near(rupture_exit(&profile, 0.0001), 0.02 * (RUPTURE_REACH - 1), 1e-9);
}

/// Below a level surface many planes take hardly more than the best does; before a face of 1.5 m, 0.3 m ahead, those
/// that go on below it take twice as much, and are none that the soil could fail on.
TEST(planes_below_a_face_are_none_to_fail_on)
{
    SoilParams loam = {.bank_density = 1540.0,
                       .friction_angle = 30.0 * degree,
                       .steel_friction_angle = 20.0 * degree,
                       .cohesion = 5000.0};
    RuptureProfile profile = rupture_level(0.3, 0.02);
    double best = rupture_slope(&loam, 30.0 * degree, &profile);
    double least = rupture_force(&loam, 30.0 * degree, &profile, best);
    assert_near(rupture_flattest(&loam, 30.0 * degree, &profile, 1.0), best, 1e-9);
    double flattest = rupture_flattest(&loam, 30.0 * degree, &profile, 1.2);
    assert_true(flattest < 0.7 * best && rupture_force(&loam, 30.0 * degree, &profile, flattest) <= 1.2 * least);
    for (int k = 15; k < RUPTURE_REACH; k++) {
        profile.top[k] = 1.5;
    }
    flattest = rupture_flattest(&loam, 30.0 * degree, &profile, 1.2);
    assert_true(rupture_exit(&profile, flattest) < 0.32);
}

TEST_GROUP(NULL, NULL)
