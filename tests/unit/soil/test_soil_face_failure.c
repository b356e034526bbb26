/// Intact ground stands up to Culmann's height and then falls as a wedge.
#include "soil/exchange/exchange.h"
#include "soil/ground/wedge.h"
#include "tests/support/face_fixture.h"

/// Height at which a section begins to fail, over Culmann's, by halving.
static double section_ratio(SoilParams soil, double pitch_over_height, double angle, double *plane)
{
    static WedgeProfile profile;
    double tangents[WEDGE_PLANES], low = 0.5, high = 2.0, critical = critical_height(&soil, angle);
    wedge_trial_planes(tangents);
    *plane = 0.0;
    while (high - low > 1e-5) {
        double middle = 0.5 * (low + high);
        Wedge wedge;
        make_section(&profile, &soil, pitch_over_height * critical, middle * critical, angle);
        if (wedge_find(&profile, tangents, &wedge)) {
            high = middle;
            *plane = atan(wedge.tan_angle);
        } else {
            low = middle;
        }
    }
    return high;
}

TEST(a_section_fails_at_culmanns_height_along_his_plane)
{
    const double cases[][2] = {{5e3, 30}, {20e3, 22}, {3e3, 30}, {15e3, 15}, {10e3, 5}};
    SoilParams soil = loam_scene().soils[0];
    for (int k = 0; k < 5; k++) {
        soil.cohesion = cases[k][0];
        soil.friction_angle = radians(cases[k][1]);
        double plane = 0.0, ratio = section_ratio(soil, 0.05, 0.5 * M_PI, &plane);
        assert_near(ratio, 1.0, 0.002);
        assert_near(plane, 0.5 * (0.5 * M_PI + soil.friction_angle), radians(1.01));
        for (double angle = 55.0; angle < 75.0; angle += 5.0) {
            ratio = section_ratio(soil, 0.02, radians(angle), &plane);
            assert_near(ratio, 1.0, 0.03);
            assert_near(plane, 0.5 * (radians(angle) + soil.friction_angle), radians(2.01));
        }
    }
}

/// What lies on the crest weighs: q on level ground counts as soil of the height q / rho, but for the cohesion that
/// such soil would have. D = R of the wedge with q: c = (rho H / 2 + q) g cos(theta) sin(theta - phi) / cos(phi), the
/// largest at the same theta.
TEST(a_load_on_the_crest_lowers_the_height)
{
    static WedgeProfile profile;
    SoilParams soil = loam_scene().soils[0];
    double tangents[WEDGE_PLANES], load = 1000.0;
    double expected = critical_height(&soil, 0.5 * M_PI) - 2.0 * load / soil.bank_density;
    wedge_trial_planes(tangents);
    for (int k = 0; k < 2; k++) {
        Wedge wedge;
        make_section(&profile, &soil, 0.1, (k == 0 ? 0.99 : 1.01) * expected, 0.5 * M_PI);
        for (int n = 0; n < profile.count; n++) {
            profile.columns[n].load = load;
        }
        assert_true(wedge_find(&profile, tangents, &wedge) == (k == 1));
        for (int n = 0; n < profile.count; n++) { // a machine weighs as soil does
            profile.columns[n].load = 0.0;
            profile.columns[n].surcharge = load;
        }
        assert_true(wedge_find(&profile, tangents, &wedge) == (k == 1));
    }
}

/// Pressure (Pa) of a long strip from `near` to `far` m behind an upright face at which a wedge begins to slide: the
/// least over all planes of (c H / sin(theta) / (sin(theta) - cos(theta) tan(phi)) - rho g H^2 cot(theta) / 2) / b, b
/// the part of the strip that stands on the wedge.
static double strip_pressure(const SoilParams *soil, double height, double near, double far)
{
    double least = HUGE_VAL;
    for (double angle = 0.1; angle < 89.95; angle += 0.1) {
        double sine = sin(radians(angle)), cosine = cos(radians(angle)), crest = height * cosine / sine;
        double driving = sine - cosine * tan(soil->friction_angle), b = fmin(far, crest) - near;
        if (driving > 0.0 && b > 0.0) {
            double weight = soil->cohesion * height / sine / driving;
            least = fmin(least, (weight - 0.5 * soil->bank_density * STANDARD_GRAVITY * height * crest) / b);
        }
    }
    return least;
}

enum { STRIP_PIECES = 5 };

/// A strip over the whole width of the site, `near` to `far` m behind the face that dig makes at x = 0.
static void make_strip(double near, double far, double pressure, SoilFootprint strip[STRIP_PIECES])
{
    for (int k = 0; k < STRIP_PIECES; k++) {
        strip[k] = (SoilFootprint){.middle = vec3(0.5 * (near + far), 2.0 * (k - STRIP_PIECES / 2), 0.0),
                                   .heading = 0.5 * M_PI,
                                   .length = 2.0,
                                   .width = far - near,
                                   .pressure = pressure};
    }
}

/// Ticks under what stands there until something fails, `most` at most. True when something has.
static bool fails_under(Soil *soil, const SoilFootprint *footprints, int count, int most)
{
    for (int k = 0; k < most; k++) {
        soil_load(soil, footprints, count);
        if (fails_within(soil, 1)) {
            return true;
        }
    }
    return false;
}

/// A track or a tyre beside a face weighs on it: a face that stands alone falls when a machine comes too near. Neither
/// the width of columns nor the size of the pieces matters.
TEST(a_machine_beside_a_face_weighs_on_it)
{
    for (int grid = 0; grid < 2; grid++) {
        SceneParams scene = site_scene(4.0);
        scene.ground.column_spacing = grid == 0 ? 0.2 : 0.1;
        const double height = 0.6 * critical_height(&scene.soils[0], 0.5 * M_PI), near = 0.4, far = 1.0;
        double most = strip_pressure(&scene.soils[0], height, near, far);
        print_message("a face of %.2f m: %.1f kPa beside it\n", height, 1e-3 * most);
        for (int k = 0; k < 3; k++) {
            SoilFootprint strip[STRIP_PIECES];
            make_strip(near, far, (k == 0 ? 0.95 : 1.05) * most, strip);
            for (int n = 0; n < STRIP_PIECES && k == 2; n++) {
                strip[n].middle.x += height; // so far away no wedge carries it
            }
            Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
            dig(soil, -5.0, 0.0, 6.0, height);
            assert_false(fails_within(soil, 60));
            assert_true(fails_under(soil, strip, STRIP_PIECES, 300) == (k == 1));
            soil_destroy(soil);
        }
    }
}

/// What stands on bare rock behind a face weighs on nothing.
TEST(a_machine_on_bedrock_behind_a_face_does_no_harm)
{
    SceneParams scene = site_scene(1.0);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilFootprint strip[STRIP_PIECES];
    make_strip(0.6, 1.2, 100e3, strip);
    dig(soil, -5.0, 0.0, 6.0, 0.5);
    dig(soil, 0.6, 5.0, 6.0, 1.0);
    assert_false(fails_under(soil, strip, STRIP_PIECES, 60));
    soil_destroy(soil);
}

/// A jolt moves nothing: what counts is the mean over half a second. What has gone away weighs no more.
TEST(a_jolt_beside_a_face_moves_nothing)
{
    SceneParams scene = site_scene(4.0);
    const double height = 0.6 * critical_height(&scene.soils[0], 0.5 * M_PI);
    double most = strip_pressure(&scene.soils[0], height, 0.4, 1.0);
    SoilFootprint calm[STRIP_PIECES], jolt[STRIP_PIECES];
    make_strip(0.4, 1.0, 0.7 * most, calm);
    make_strip(0.4, 1.0, 1.8 * most, jolt);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, height);
    for (int k = 0; k < 20; k++) {
        assert_false(fails_under(soil, calm, STRIP_PIECES, 50 + k)); // looks fall on any tick of the jolt
        assert_false(fails_under(soil, jolt, STRIP_PIECES, 6));
    }
    assert_false(fails_within(soil, 120));
    assert_true(fails_under(soil, jolt, STRIP_PIECES, 60));
    soil_destroy(soil);
}

/// A strong layer below does not hold the weak one above it: the plane starts at the boundary.
TEST(a_weak_layer_fails_above_a_strong_one)
{
    static WedgeProfile profile;
    SoilParams soil = loam_scene().soils[0];
    double tangents[WEDGE_PLANES], critical = critical_height(&soil, 0.5 * M_PI);
    wedge_trial_planes(tangents);
    for (int k = 0; k < 2; k++) {
        double weak = (k == 0 ? 0.98 : 1.02) * critical;
        Wedge wedge;
        make_section(&profile, &soil, 0.1, 1.0 + weak, 0.5 * M_PI);
        for (int n = 0; n < profile.count; n++) {
            WedgeColumn *column = &profile.columns[n];
            column->count = 2;
            column->bottom[2] = column->bottom[1];
            column->bottom[1] = 1.0;
            column->density[1] = column->density[0];
            column->cohesion[1] = column->cohesion[0];
            column->tan_friction[1] = column->tan_friction[0];
            column->cohesion[0] = 1e6;
        }
        assert_true(wedge_find(&profile, tangents, &wedge) == (k == 1));
        assert_true(k == 0 || wedge.toe == 1.0);
    }
}

TEST(a_face_stands_below_the_height_and_fails_above)
{
    SceneParams scene = site_scene(4.0);
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    for (int k = 0; k < 2; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        dig(soil, -5.0, 0.0, 6.0, (k == 0 ? 0.95 : 1.1) * critical);
        assert_true(fails_within(soil, k == 0 ? 600 : 16) == (k == 1));
        soil_destroy(soil);
    }
}

/// A slot from end to end of a site keeps both walls as they were cut up to the height. Above it one falls, and props
/// the other with what it leaves in the slot. Where it fell the ground lies 0.58 m lower on the mean, by 0.45 to 0.7 m
/// from place to place, as its grains happen to come to rest: half of the mean tells it from a wall that stands.
TEST(a_slot_keeps_upright_walls_up_to_the_height)
{
    SceneParams scene = site_scene(4.0);
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    for (int k = 0; k < 2; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        dig(soil, -0.6, 0.6, 6.0, (k == 0 ? 0.9 : 1.05) * critical);
        assert_true(fails_within(soil, k == 0 ? 300 : 16) == (k == 1));
        run_ticks(soil, NULL, 0, 300);
        for (double y = -4.0; y < 4.5; y += 0.5) {
            double left = soil_get_height(soil, -0.7, y), right = soil_get_height(soil, 0.7, y); // beside the slot
            assert_true((fmin(left, right) < -0.29) == (k == 1));
            assert_true(k == 1 || fmin(left, right) > -1e-6);
        }
        soil_destroy(soil);
    }
}

/// A diagonal face fails at the same height as one along the columns.
TEST(a_diagonal_face_fails_too)
{
    SceneParams scene = site_scene(4.0);
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    for (int k = 0; k < 2; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        const Ground *ground = soil->state.grounds.site;
        for (int row = 0; row < ground->rows; row++) {
            for (int column = 0; column < ground->columns; column++) {
                if (row + column < ground->columns) {
                    double x = ground->origin_x + column * ground->spacing,
                           y = ground->origin_y + row * ground->spacing;
                    soil_remove_ground(soil, x, y, -(k == 0 ? 0.95 : 1.1) * critical);
                }
            }
        }
        assert_true(fails_within(soil, k == 0 ? 60 : 16) == (k == 1));
        soil_destroy(soil);
    }
}

/// A shaft's walls hang on each other: at the height at which a long face falls they stand.
TEST(a_narrow_pit_stands_deeper_than_a_long_face)
{
    SceneParams scene = site_scene(5.0);
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -0.6, 0.6, 0.6, 1.3 * critical);
    assert_false(fails_within(soil, 60));
    soil_destroy(soil);
}

static double potential_energy(const Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    const Particles *p = &soil->state.particles;
    double energy = 0.0, density = soil->model.scene.soils[0].bank_density;
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        double depth = (double)ground->height[k] - ground->base;
        energy += 0.5 * density * ground->area * depth * depth;
    }
    for (int32_t i = 0; i < p->count; i++) {
        energy += p->mass[i] * SOIL_QUANTUM * (p->z[i] - ground->base);
    }
    return STANDARD_GRAVITY * energy;
}

/// The wedge falls, and lies lower: no mass and no energy is made, nothing rises, nothing hangs on the wall.
TEST(what_fails_falls)
{
    SceneParams scene = site_scene(4.0);
    double height = 1.1 * critical_height(&scene.soils[0], 0.5 * M_PI), fastest = 0.0, top = -1.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, height);
    int64_t total = soil_get_ledger(soil).total;
    double before = potential_energy(soil);
    assert_true(fails_within(soil, 16));
    int64_t wedge = soil_get_ledger(soil).particles;
    // Nothing is gained; a slice of the face may be lost: there the surface slopes, and no centre lies above it.
    double gained = (potential_energy(soil) - before) / (STANDARD_GRAVITY * (double)wedge * SOIL_QUANTUM);
    assert_true(gained < 0.1 * soil->model.layer_height && gained > -0.5 * soil->model.layer_height);
    double expected = 0.5 * 1540.0 * height * height / tan(radians(60.0)) * 10.0;
    assert_near((double)wedge * SOIL_QUANTUM, expected, 0.1 * expected);
    for (int k = 0; k < 600; k++) {
        run_ticks(soil, NULL, 0, 1);
        const Particles *p = &soil->state.particles;
        assert_true(soil_get_ledger(soil).total == total);
        for (int32_t i = 0; i < p->count; i++) {
            fastest = fmax(fastest, p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]);
            top = fmax(top, p->z[i]);
        }
    }
    for (int k = 0; k < soil->state.grounds.site->rows * soil->state.grounds.site->columns; k++) {
        top = fmax(top, (double)soil->state.grounds.site->height[k]);
    }
    print_message("fastest %.2f m/s (a free fall: %.2f), highest %.3f m, %d particles left\n", sqrt(fastest),
                  sqrt(2.0 * STANDARD_GRAVITY * height), top, soil->state.particles.count);
    assert_true(fastest < 2.0 * STANDARD_GRAVITY * height);
    assert_true(top < 0.5 * soil->model.particle_radius); // where grains of the upper layer have their tops
    assert_true(soil_get_height(soil, 0.5, 0.0) < -1.0); // the crest has gone
    assert_true(soil_get_height(soil, -0.5, 0.0) > -height + 0.3); // and lies in front
    assert_true(potential_energy(soil) < before);
    soil_destroy(soil);
}

TEST(sand_ends_at_its_friction_angle)
{
    SceneParams scene = sand_scene();
    scene.ground.size_x = scene.ground.size_y = 10.0;
    scene.ground.column_spacing = 0.2;
    scene.soils[0].friction_angle = radians(35);
    scene.soils[0].repose_angle = radians(33.5);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, 1.5);
    run_ticks(soil, NULL, 0, 1500);
    const Ground *ground = soil->state.grounds.site;
    double steepest = 0.0;
    for (int row = 2; row < ground->rows - 2; row++) {
        for (int column = 2; column < ground->columns - 2; column++) {
            const float *h = &ground->height[ground_index(ground, row, column)];
            steepest = fmax(steepest, fabs((double)(h[2] - h[0])) / (2.0 * ground->spacing));
        }
    }
    print_message("steepest %.1f degrees, %d particles\n", atan(steepest) * 180.0 / M_PI, soil->state.particles.count);
    assert_true(atan(steepest) < radians(35.0 + 3.0));
    assert_true(soil_get_height(soil, 0.3, 0.0) < -0.4);
    soil_destroy(soil);
}

/// Particles that fill a pit hold its walls; nothing fails there.
TEST(a_filled_pit_stands)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    scene.soils[0].friction_angle = radians(35);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    for (int row = 30; row < 50; row++) {
        for (int column = 30; column < 50; column++) {
            cut_mark(soil, row, column, -0.6, false);
            cut_marked(soil);
        }
    }
    assert_true(soil->state.particles.count > 2000);
    run_ticks(soil, NULL, 0, 60);
    assert_near((double)soil->state.grounds.site->height[40 * 80 + 52], 0.0, 1e-6);
    soil_destroy(soil);
}

/// With too small a budget the wedge slides down as loose soil.
TEST(a_full_budget_lets_faces_slide)
{
    SceneParams scene = site_scene(4.0);
    scene.particles.budget = 800;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -5.0, 0.0, 6.0, 1.5 * critical_height(&scene.soils[0], 0.5 * M_PI)); // higher than spoil could hold
    int64_t total = soil_get_ledger(soil).total;
    bool busy = true;
    while (busy && soil->state.tick < 9000) {
        busy = fails_within(soil, 60) || soil->state.particles.count > 0 || soil_get_counters(soil).active_columns > 0;
        assert_true(soil_get_ledger(soil).total == total);
    }
    assert_false(busy);
    for (double y = -4.5; y < 5.0; y += 0.5) {
        assert_true(soil_get_height(soil, 0.3, y) < -0.8);
    }
    soil_destroy(soil);
}

/// m3 that the ground beside a pit has sunk by, on one side of x = 0.
static double fallen_beside(const Soil *soil, int side, double depth)
{
    const Ground *ground = soil->state.grounds.site;
    double sum = 0.0;
    for (int index = 0; index < ground->rows * ground->columns; index++) {
        double x = side * (ground->origin_x + index % ground->columns * ground->spacing);
        double fallen = -(double)ground->height[index];
        sum += x > 0.0 && fallen > 0.0 && fallen < depth - 0.1 ? fallen * ground->area : 0.0;
    }
    return sum;
}

/// Which wall of a pit is looked at first does not decide which of them falls, with a budget for all and with one for
/// less than that.
TEST(both_walls_of_a_pit_fail_alike)
{
    static const int budgets[] = {2000, 20000};
    for (int k = 0; k < 2; k++) {
        SceneParams scene = site_scene(4.0);
        scene.particles.budget = budgets[k];
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        double depth = 1.5 * critical_height(&scene.soils[0], 0.5 * M_PI);
        dig(soil, -1.6, 1.6, 4.0, depth);
        run_ticks(soil, NULL, 0, 600);
        double left = fallen_beside(soil, -1, depth), right = fallen_beside(soil, 1, depth);
        print_message("a budget of %d: %.2f and %.2f m3\n", budgets[k], left, right);
        assert_true(left > 1.0 && right > 1.0);
        assert_near(left / right, 1.0, budgets[k] < 10000 ? 0.005 : 0.08);
        soil_destroy(soil);
    }
}

TEST(a_restored_failure_goes_on_bit_for_bit)
{
    SceneParams scene = site_scene(4.0);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *other = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    static unsigned char bytes[64 << 20];
    dig(soil, -5.0, 0.0, 6.0, 1.1 * critical_height(&scene.soils[0], 0.5 * M_PI));
    for (int k = 0; k < 4; k++) { // before it fails, as it is born, as it falls
        Copier copier = {.visitor = {.field = copy_field}, .bytes = bytes, .size = sizeof bytes};
        soil_visit(soil, &copier.visitor);
        copier.at = 0;
        copier.visitor.restoring = true;
        soil_visit(other, &copier.visitor);
        assert_false(copier.visitor.failed);
        const int ticks[4] = {1, 1, 30, 60};
        run_ticks(soil, NULL, 0, ticks[k]);
        run_ticks(other, NULL, 0, ticks[k]);
        assert_true(hash_soil(soil) == hash_soil(other));
    }
    assert_true(soil->state.particles.count > 100);
    soil_destroy(soil);
    soil_destroy(other);
}

/// Forgets which steps were found to stand: all of a due tile are judged anew.
static void forget_standing(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    for (int k = 0; k < ground->tile_rows * ground->tile_columns; k++) {
        if (ground->tiles[k] != NULL) {
            memset(ground->tiles[k]->stands, 0, sizeof ground->tiles[k]->stands);
        }
    }
}

/// Steps that stand are left out until something changes around them: a site that is dug into anew every 20 ticks, with
/// walls that stand, fail and are buried by what fell, changes as one in which all steps are judged each time; and
/// fewer are judged.
TEST(steps_that_are_left_out_would_stand)
{
    SceneParams scene = site_scene(4.0);
    Soil *soils[2] = {make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), make_soil(&scene, SOIL_SOLVER_DEFAULT, 1)};
    double critical = critical_height(&scene.soils[0], 0.5 * M_PI);
    int faces[2] = {0, 0}, failed = 0;
    for (int tick = 0; tick < 600; tick++) {
        for (int k = 0; k < 2; k++) {
            if (tick % 20 == 0) {
                double x = -4.0 + 0.2 * (tick / 20 % 16), depth = (0.4 + 0.05 * (tick / 20)) * critical;
                dig(soils[k], x, x + 1.5, 0.5 + 0.1 * (tick / 20), depth);
            }
            if (k == 1) {
                forget_standing(soils[k]);
            }
            run_ticks(soils[k], NULL, 0, 1);
            faces[k] += soil_get_counters(soils[k]).faces;
        }
        assert_true(hash_soil(soils[0]) == hash_soil(soils[1]));
        failed += soil_get_counters(soils[0]).failed;
    }
    print_message("%d steps are judged of %d, %d slices fail\n", faces[0], faces[1], failed);
    assert_true(failed > 20 && faces[0] < faces[1] * 3 / 4);
    soil_destroy(soils[0]);
    soil_destroy(soils[1]);
}

/// Nothing is looked at where nothing changes, however high the faces; and after a change only what is near.
TEST(a_quiet_site_costs_nothing)
{
    SceneParams scene = site_scene(4.0);
    scene.ground.size_x = scene.ground.size_y = 100.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, -50.0, 0.0, 60.0, 0.9 * critical_height(&scene.soils[0], 0.5 * M_PI));
    int faces = 0;
    for (int k = 0; k < 16; k++) { // at least one look
        run_ticks(soil, NULL, 0, 1);
        faces += soil_get_counters(soil).faces;
    }
    assert_true(faces >= 500);
    for (int k = 0; k < 16; k++) {
        run_ticks(soil, NULL, 0, 1);
        assert_true(soil_get_counters(soil).faces == 0);
    }
    soil_remove_ground(soil, -3.0, 0.0, -2.2);
    faces = 0;
    for (int k = 0; k < 16; k++) {
        run_ticks(soil, NULL, 0, 1);
        faces += soil_get_counters(soil).faces;
    }
    assert_true(faces > 0 && faces <= 3 * GROUND_TILE + 8);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
