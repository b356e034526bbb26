/// Walls of trenches against closed forms: height with and without a tension crack, spoil on the crest, time and water,
/// plates of a trench box, and what is known of a wall that fell.
#include "data/core/elementary.h"
#include "data/schema/load.h"
#include "soil/exchange/exchange.h"
#include "soil/ground/wedge.h"
#include "tests/support/face_fixture.h"

/// m: height at which an upright section under `load` kg/m2 begins to fail, by halving.
static double section_height(const SoilParams *soil, double crack, double load)
{
    static WedgeProfile profile;
    double tangents[WEDGE_PLANES], low = 0.05, critical = critical_height(soil, 0.5 * M_PI), high = 2.0 * critical;
    wedge_trial_planes(tangents);
    while (high - low > 1e-5) {
        double middle = 0.5 * (low + high);
        Wedge wedge;
        make_section(&profile, soil, 0.02 * critical, middle, 0.5 * M_PI);
        for (int k = 0; k < profile.count; k++) {
            profile.columns[k].load = load;
            profile.columns[k].crack = crack;
        }
        if (wedge_find(&profile, tangents, &wedge)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/// m: depth down to which the soil behind a crest is pulled apart, under q kg/m2.
static double pulled_depth(const SoilParams *soil, double q)
{
    double held = 2.0 * soil->cohesion * tan(0.25 * M_PI + 0.5 * soil->friction_angle) / STANDARD_GRAVITY;
    return fmax(0.0, held - q) / soil->bank_density;
}

/// Every shipped soil with cohesion: upright faces fail at 4 c tan(45 + phi / 2) / (rho g) (Culmann), at two thirds of
/// it behind a crack of half their height (Terzaghi 1943: 2.67), and with q on the crest at Hc - z - 2 q / (rho g). For
/// phi = 0 the curved surface of Taylor (1937) gives 3.83 c / (rho g): a plane is 4.4 % too high there.
TEST(shipped_soils_stand_as_high_as_the_closed_forms_say)
{
    const char *const names[] = {"topsoil", "loam", "clay", "wet-clay", "hard-clay"};
    for (int k = 0; k < 5; k++) {
        SoilParams soil;
        Status status;
        assert_good(data_load_soil(names[k], &soil, NULL, &status), status);
        double culmann = critical_height(&soil, 0.5 * M_PI), apart = pulled_depth(&soil, 0.0);
        double whole = section_height(&soil, 0.0, 0.0), cracked = section_height(&soil, apart, 0.0);
        assert_near(apart, 0.5 * culmann, 1e-9);
        assert_near(whole / culmann, 1.0, 0.003);
        assert_near(cracked / culmann, 2.0 / 3.0, 0.004);
        double q = 0.1 * culmann * soil.bank_density, crack = pulled_depth(&soil, q);
        double loaded = section_height(&soil, crack, q);
        double free = culmann - 2.0 * q / soil.bank_density; // of a face without a crack
        double expected = fmax(free - crack, free / 1.5); // a crack reaches half the height
        assert_near(loaded / culmann, expected / culmann, 0.005);
        print_message(
            "%-9s c %5.1f kPa: %.2f m, Culmann %.2f; cracked %.2f, Terzaghi %.2f; under %.1f kPa %.2f, %.2f\n",
            names[k], 1e-3 * soil.cohesion, whole, culmann, cracked, 2.0 / 3.0 * culmann, 1e-3 * q * STANDARD_GRAVITY,
            loaded, expected);
    }
    SoilParams soil = loam_scene().soils[0];
    soil.friction_angle = 0.0;
    double number = section_height(&soil, 0.0, 0.0) * soil.bank_density * STANDARD_GRAVITY / soil.cohesion;
    assert_near(number, 3.83, 0.05 * 3.83);
}

static SceneParams cracking_scene(double spacing, int rate)
{
    SceneParams scene = site_scene(4.0);
    scene.ground.column_spacing = spacing;
    scene.rates = (SceneRates){rate, 480 / rate};
    scene.soils[0].tension_crack = 1.0;
    return scene;
}

/// Digs so that the face looks along the diagonal of the site.
static void dig_diagonal(Soil *soil, double depth)
{
    const Ground *ground = soil->state.grounds.site;
    for (int row = 0; row < ground->rows; row++) {
        for (int column = 0; column < ground->columns - row; column++) {
            soil_remove_ground(soil, ground->origin_x + column * ground->spacing,
                               ground->origin_y + row * ground->spacing, -depth);
        }
    }
}

/// A cracked wall on a site falls at two thirds of Culmann's height, 4 % either way, whatever the grid, the rate of
/// ticks and the heading; before it falls its crack is open, at the place where the worst plane meets it.
TEST(a_cracked_wall_falls_at_terzaghis_height)
{
    const struct {
        double spacing;
        int rate;
        bool diagonal;
    } cases[] = {{0.2, 60, false}, {0.1, 60, false}, {0.2, 120, false}, {0.2, 60, true}};
    for (int k = 0; k < 8; k++) {
        SceneParams scene = cracking_scene(cases[k / 2].spacing, cases[k / 2].rate);
        double height = (k % 2 == 0 ? 0.96 : 1.04) * 2.0 / 3.0 * critical_height(&scene.soils[0], 0.5 * M_PI);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        if (cases[k / 2].diagonal) {
            dig_diagonal(soil, height);
        } else {
            dig(soil, -5.0, 0.0, 6.0, height);
        }
        assert_true(fails_within(soil, scene.rates.tick_rate) == (k % 2 == 1));
        const SoilCrack *cracks;
        if (k % 2 == 0) {
            int count = soil_get_cracks(soil, &cracks);
            assert_true(count > 0);
            for (int n = 0; n < count && !cases[k / 2].diagonal; n++) {
                double expected = 0.5 * height / tan(radians(60.0)); // z = H / 2 over the plane at 45 + phi / 2
                assert_near(cracks[n].from.x, expected, scene.ground.column_spacing + 0.1 * height);
            }
        }
        soil_destroy(soil);
    }
}

/// A short pit is held by the ground at its two ends. What is behind its wall hangs there, and its crack is open for as
/// long as it does.
TEST(a_wall_that_hangs_at_its_ends_keeps_its_crack)
{
    SceneParams scene = cracking_scene(0.2, 60);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -1.0, 0.0, 1.0, 1.04 * 2.0 / 3.0 * critical_height(&scene.soils[0], 0.5 * M_PI));
    const SoilCrack *cracks;
    assert_false(fails_within(soil, 60));
    int count = soil_get_cracks(soil, &cracks), behind = 0;
    for (int n = 0; n < count; n++) {
        behind += cracks[n].from.x > 0.2 && fabs(cracks[n].from.y) < 0.8;
    }
    assert_true(behind >= 3);
    soil_destroy(soil);
}

TEST(a_low_wall_has_no_open_crack)
{
    SceneParams scene = cracking_scene(0.2, 60);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, 0.75 * 2.0 / 3.0 * critical_height(&scene.soils[0], 0.5 * M_PI));
    const SoilCrack *cracks;
    assert_false(fails_within(soil, 60));
    assert_int_equal(soil_get_cracks(soil, &cracks), 0);
    soil_destroy(soil);
}

/// Lays `mass` kg a metre of loose soil along a face at x = 0, from `near` to `near` + 0.6 m behind it.
static void lay_spoil(Soil *soil, double near, double mass)
{
    Ground *ground = soil->state.grounds.site;
    int first = (int)floor((near - ground->origin_x) / ground->spacing + 0.5);
    int columns = (int)(0.6 / ground->spacing + 0.5);
    for (int row = 0; row < ground->rows; row++) {
        for (int column = first; column < first + columns; column++) {
            ground_put(ground, row, column, 0, (int64_t)(mass * ground->spacing / columns / SOIL_QUANTUM), false);
        }
    }
}

/// Soil heaped on the crest brings a wall down that stands with the same heap set back by more than the wedge is wide.
TEST(spoil_on_the_edge_brings_a_wall_down)
{
    for (int k = 0; k < 2; k++) {
        SceneParams scene = site_scene(4.0);
        double height = 0.93 * critical_height(&scene.soils[0], 0.5 * M_PI);
        double wide = height / tan(radians(60.0)), lacks; // N/m: what the plane at 60 degrees holds beyond the wedge
        lacks = scene.soils[0].cohesion * height / sin(radians(60.0)) -
                0.5 * scene.soils[0].bank_density * STANDARD_GRAVITY * height * wide *
                    (sin(radians(60.0)) - cos(radians(60.0)) * tan(radians(30.0)));
        double mass = 1.8 * lacks / (sin(radians(60.0)) - cos(radians(60.0)) * tan(radians(30.0))) / STANDARD_GRAVITY;
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        dig(soil, -5.0, 0.0, 6.0, height);
        assert_false(fails_within(soil, 60));
        lay_spoil(soil, k == 0 ? 0.4 : wide + 1.0, mass);
        assert_true(fails_within(soil, 120) == (k == 0));
        const SoilFall *falls;
        if (k == 0) {
            assert_true(soil_get_falls(soil, &falls) > 0);
            assert_true(falls[0].spoil > 0.5 * mass * falls[0].length);
            assert_near(falls[0].height, height, 0.02); // without the heap
        }
        soil_destroy(soil);
    }
}

static SceneParams weakening_scene(bool wet)
{
    SceneParams scene = site_scene(4.0);
    scene.ground.wet = wet;
    scene.soils[0].soft_cohesion = 2e3;
    scene.soils[0].standing_time = wet ? 0.0 : 10.0;
    scene.soils[0].soaking_time = 10.0;
    return scene;
}

/// s until a wall falls; -1: it stands for 30 s.
static double standing_time(Soil *soil, double height)
{
    dig(soil, -5.0, 0.0, 6.0, height);
    for (int tick = 1; tick <= 1800; tick++) {
        if (fails_within(soil, 1)) {
            return tick / 60.0;
        }
    }
    return -1.0;
}

/// A wall that needs the cohesion ch falls after T ln((c - c1) / (ch - c1)), dry by standing_time and wet by
/// soaking_time; one that needs less than c1 never does, nor does any in the dry that only water softens.
TEST(a_wall_stands_for_a_time_and_then_falls)
{
    for (int k = 0; k < 4; k++) {
        bool wet = k >= 2;
        SceneParams scene = weakening_scene(wet);
        double share = k % 2 == 0 ? 0.7 : 0.38, height = share * critical_height(&scene.soils[0], 0.5 * M_PI);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        double time = standing_time(soil, height), needed = share * scene.soils[0].cohesion;
        double expected = needed > 2e3 ? 10.0 * log((5e3 - 2e3) / (needed - 2e3)) : -1.0;
        print_message("%s, %.2f m: %.2f s, expected %.2f s\n", wet ? "wet" : "dry", height, time, expected);
        assert_near(time, expected, expected > 0.0 ? 0.06 * expected + 0.3 : 0.0);
        soil_destroy(soil);
    }
    SceneParams scene = weakening_scene(false);
    scene.soils[0].standing_time = 0.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(standing_time(soil, 0.7 * critical_height(&scene.soils[0], 0.5 * M_PI)) < 0.0);
    soil_destroy(soil);
}

/// The clocks are state: a copy that is made while a wall stands falls in the same tick, with the same bits.
TEST(a_restored_wall_falls_in_the_same_tick)
{
    SceneParams scene = weakening_scene(false);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, 0.7 * critical_height(&scene.soils[0], 0.5 * M_PI));
    run_ticks(soil, NULL, 0, 200);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64 << 20};
    copier.bytes = malloc(copier.size);
    Soil *copy = copy_soil(soil, &scene, &copier);
    bool fell = false;
    for (int tick = 0; tick < 600 && !fell; tick++) {
        run_ticks(soil, NULL, 0, 1);
        run_ticks(copy, NULL, 0, 1);
        fell = soil_get_counters(soil).failed > 0;
        assert_true(fell == (soil_get_counters(copy).failed > 0));
    }
    assert_true(fell && hash_soil(soil) == hash_soil(copy));
    free(copier.bytes);
    soil_destroy(soil);
    soil_destroy(copy);
}

TEST(an_impossible_clock_is_refused)
{
    SceneParams scene = weakening_scene(false);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, 1.0);
    run_ticks(soil, NULL, 0, 30);
    const int32_t bad = (int32_t)0xbf800000U; // -1.0F
    Forger forger = {
        .copier = {.visitor = {.field = forge_field}, .size = 64 << 20}, .field = "faces.wet", .at = 3, .value = bad};
    forger.copier.bytes = malloc(forger.copier.size);
    soil_visit(soil, &forger.copier.visitor);
    forger.copier.at = 0;
    forger.copier.visitor.restoring = true;
    soil_visit(soil, &forger.copier.visitor);
    assert_true(forger.copier.visitor.failed);
    free(forger.copier.bytes);
    soil_destroy(soil);
}

/// A plate along the face at x = 0, its outer side `gap` m before it.
static SoilPlate plate_before(double gap, double bottom, double top)
{
    return (SoilPlate){
        .x = -gap - 0.05, .heading = 0.5 * M_PI, .length = 12.0, .thickness = 0.1, .bottom = bottom, .top = top};
}

/// Ticks behind plates until something fails, `most` at most. True when something has.
static bool fails_behind(Soil *soil, const SoilPlate *plate, int count, int most)
{
    for (int k = 0; k < most; k++) {
        soil_shore(soil, plate, count);
        if (fails_within(soil, 1)) {
            return true;
        }
    }
    return false;
}

/// A wall that would fall stands behind a plate a hand's breadth off, and falls when the plate has gone. A plate that
/// is farther off, that ends too high over the foot or that stands along the wall's normal holds nothing.
TEST(a_plate_holds_a_wall)
{
    SceneParams scene = site_scene(4.0);
    double height = 1.2 * critical_height(&scene.soils[0], 0.5 * M_PI);
    SoilPlate turned = plate_before(0.1, -height, 0.1);
    turned.heading = 0.0;
    const SoilPlate plates[] = {plate_before(0.1, -height, 0.1), plate_before(0.1, -height + 0.5, 0.1),
                                plate_before(0.4, -height, 0.1), plate_before(0.1, -height + 0.8, 0.1), turned};
    for (int k = 0; k < 5; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        dig(soil, -5.0, 0.0, 6.0, height);
        assert_true(fails_behind(soil, &plates[k], 1, 120) == (k >= 2));
        if (k == 0) {
            assert_true(fails_within(soil, 16));
        }
        soil_destroy(soil);
    }
}

/// Over a plate that is too short the wall falls when what rises above the plate could not stand alone.
TEST(a_wall_falls_over_a_short_plate)
{
    SceneParams scene = site_scene(5.0);
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    for (int k = 0; k < 2; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        SoilPlate plate = plate_before(0.1, -1.8 * critical, (k == 0 ? -0.9 : -1.1) * critical);
        dig(soil, -5.0, 0.0, 6.0, 1.8 * critical);
        assert_true(fails_behind(soil, &plate, 1, 60) == (k == 1));
        soil_destroy(soil);
    }
}

/// The pressure on a plate is Ka (rho g z + q) - 2 c sqrt(Ka), without cohesion and with it, under spoil as well.
TEST(a_plate_feels_rankines_pressure)
{
    for (int k = 0; k < 4; k++) {
        SceneParams scene = site_scene(5.0);
        SoilParams *soil_params = &scene.soils[0];
        soil_params->cohesion = k % 2 == 0 ? 0.0 : 5e3;
        double depth = 3.6, q = k >= 2 ? 500.0 : 0.0, root = tan(0.25 * M_PI - 0.5 * soil_params->friction_angle);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        dig(soil, -5.0, 0.0, 6.0, depth);
        Ground *ground = soil->state.grounds.site;
        for (int row = 0; q > 0.0 && row < ground->rows; row++) {
            for (int column = ground->columns / 2; column < ground->columns; column++) {
                ground_put(ground, row, column, 0, (int64_t)(q * ground->area / SOIL_QUANTUM), false);
            }
        }
        SoilPlate plate = plate_before(0.1, -depth, 0.1);
        double expected = root * root * STANDARD_GRAVITY * (soil_params->bank_density * depth + q) -
                          2.0 * soil_params->cohesion * root;
        assert_near(soil_get_plate_pressure(soil, &plate), expected, 0.01 * expected + 50.0);
        soil_destroy(soil);
    }
}

/// What is known of a wall that fell: where, how high, and Culmann's mass, rho H^2 tan(45 - phi / 2) / 2 a metre.
TEST(a_fall_is_described)
{
    SceneParams scene = site_scene(4.0);
    double height = 1.1 * critical_height(&scene.soils[0], 0.5 * M_PI);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, height);
    assert_true(fails_within(soil, 16));
    const SoilFall *falls;
    assert_int_equal(soil_get_falls(soil, &falls), 1);
    double expected = 0.5 * 1540.0 * height * height * tan(radians(30.0)) * 10.0;
    assert_near(falls[0].mass, expected, 0.1 * expected);
    assert_near(falls[0].height, height, 0.02);
    assert_near(falls[0].length, 10.0, 0.3);
    assert_near(falls[0].foot.x, -0.1, 0.11);
    assert_near(falls[0].foot.z, -height, 0.02);
    assert_near(falls[0].middle.z, 0.0, 0.01);
    assert_true(falls[0].spoil <= 0.0 && falls[0].standing <= 0.0);
    run_ticks(soil, NULL, 0, 1);
    assert_int_equal(soil_get_falls(soil, &falls), 0);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
