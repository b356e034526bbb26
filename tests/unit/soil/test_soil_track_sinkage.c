/// Ground under tracks: Bekker's depth, what a rut remembers, the law of slip, and that neither grid nor heading nor
/// the length of a tick matters.
#include "soil/ground/track_sinkage.h"

#include "tests/support/soil_fixture.h"

#define WIDTH     0.6 ///< m
#define STIFFNESS 3e7 ///< Pa/m
#define TICK      (1.0 / 60.0) ///< s

/// A track patch of 3.6 x 0.6 m at the middle of a site.
static SoilFootprint footprint_at(double heading)
{
    return (SoilFootprint){
        .heading = heading, .length = 3.6, .width = WIDTH, .stiffness = STIFFNESS, .track_length = 3.6};
}

/// Pa that the ground bears of it, as a machine's patch has it (machine/drive/tracks.c).
static double borne(const Soil *soil, const SoilFootprint *footprint)
{
    double depth = soil_get_height(soil, 0.0, 0.0) - footprint->middle.z;
    return fmin(STIFFNESS * depth, soil_get_track_bearing(soil, 0.0, 0.0, WIDTH, depth));
}

/// Presses until it bears `pressure`; returns how deep its underside is below where the ground was, m.
static double stand(Soil *soil, SoilFootprint *footprint, double pressure)
{
    // It comes down slowly, as a machine does that weighs so much; what it stands on follows.
    footprint->pressure = pressure;
    for (int k = 0; k < 4000; k++) {
        if (borne(soil, footprint) < pressure) {
            footprint->middle.z -= 1e-5;
        }
        soil_press(soil, footprint);
    }
    return -footprint->middle.z;
}

TEST(it_sinks_as_deep_as_bekker_has_it_and_a_second_time_no_deeper)
{
    SceneParams scene = loam_scene();
    const SoilParams *loam = &scene.soils[0];
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total;
    double depth = sinkage_depth(loam, WIDTH, 50e3);
    assert_near(depth, pow(50e3 / (60.0 / WIDTH + 5.88e6), 1.0 / 1.01), 1e-9);
    SoilFootprint track = footprint_at(0.0);
    double first = stand(soil, &track, 50e3);
    print_message("50 kPa: %.2f mm, Bekker %.2f\n", 1e3 * first, 1e3 * depth);
    assert_near(first, depth, 0.3e-3);
    double rut = -soil_get_height(soil, 0.0, 0.0);
    assert_near(rut, depth - 50e3 / STIFFNESS, 0.3e-3);
    assert_true(soil_get_height(soil, 0.0, 0.45) > 0.002); // what it displaced lies beside it
    // Let go and put down again.
    track = footprint_at(0.0);
    assert_near(stand(soil, &track, 50e3), first, 0.2e-3);
    assert_near(-soil_get_height(soil, 0.0, 0.0), rut, 0.1e-3);
    assert_near(stand(soil, &track, 100e3), sinkage_depth(loam, WIDTH, 100e3), 0.3e-3);
    assert_true(soil_get_ledger(soil).total == total);
    soil_destroy(soil);
}

/// Ground that was dug by more than the rut is fresh.
TEST(what_was_dug_forgets_the_rut)
{
    SceneParams scene = loam_scene();
    Ground *ground = ground_create(&scene, &scene.ground, 7, 20, 20, -2.0);
    assert_non_null(ground);
    SoilFootprint track = footprint_at(0.0);
    track.middle.z = -0.02;
    for (int k = 0; k < 20; k++) {
        ground_press(ground, &track, TICK);
    }
    double pressed = ground_track_bearing(ground, 10, 10, WIDTH, 1e-3);
    double fresh = ground_track_bearing(ground, 2, 2, WIDTH, 1e-3);
    assert_true(pressed > 8.0 * fresh);
    int soil;
    double loose, height = (double)ground->height[ground_index(ground, 10, 10)];
    ground_cut(ground, 10, 10, height - 0.1, &soil, &loose);
    assert_near(ground_track_bearing(ground, 10, 10, WIDTH, 1e-3), fresh, 1e-6 * fresh);
    ground_destroy(ground);
}

/// A track that shears the ground below it by j stands (1 + 1.5 j / L) times as deep.
TEST(a_track_that_slips_sinks_deeper)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilFootprint track = footprint_at(0.0);
    double first = stand(soil, &track, 50e3);
    for (int k = 0; k < 120; k++) { // a way of 3.6 m
        track.sheared = 0.03;
        while (borne(soil, &track) < 50e3) {
            track.middle.z -= 1e-5;
        }
        soil_press(soil, &track);
    }
    double ratio = -track.middle.z / first;
    print_message("after a length of slip %.3f times as deep\n", ratio);
    assert_near(ratio, 2.5, 0.1);
    soil_destroy(soil);
}

/// Depth of the rut under the middle of a track, for one grid, heading and tick.
static double rut_for(double spacing, double heading, int rate)
{
    SceneParams scene = loam_scene();
    scene.ground.column_spacing = spacing;
    scene.rates.tick_rate = rate;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilFootprint track = footprint_at(heading);
    double depth = stand(soil, &track, 60e3);
    soil_destroy(soil);
    return depth;
}

TEST(grid_heading_and_tick_do_not_matter)
{
    double usual = rut_for(0.1, 0.0, 60);
    assert_near(rut_for(0.05, 0.0, 60), usual, 0.02 * usual);
    assert_near(rut_for(0.2, 0.0, 60), usual, 0.02 * usual);
    assert_near(rut_for(0.1, 0.7, 60), usual, 0.02 * usual);
    assert_near(rut_for(0.1, 0.0, 120), usual, 0.02 * usual);
}

/// A tyre only compacts loose soil: intact ground does not change below it, nor below a track in the air.
TEST(only_a_track_that_stands_on_it_sinks)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    double before = soil_get_height(soil, 0.0, 0.0);
    SoilFootprint tyre = footprint_at(0.0), track = tyre;
    tyre.middle.z = -0.1;
    tyre.pressure = 200e3;
    tyre.stiffness = 0.0;
    track.middle.z = 0.001;
    track.pressure = 50e3;
    soil_press(soil, &tyre);
    soil_press(soil, &track);
    assert_near(soil_get_height(soil, 0.0, 0.0), before, 0.0);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
