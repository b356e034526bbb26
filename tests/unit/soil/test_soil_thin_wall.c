/// A wall that is free on both sides falls over, or slides, at a closed form's height; no fin of one column stands.
#include "soil/ground/wedge.h"
#include "soil/exchange/exchange.h"
#include "tests/support/soil_fixture.h"

/// A wall of the first columns, level ground beside and behind it.
static void make_wall(WedgeProfile *profile, const SoilParams *soil, double pitch, double thickness, double height)
{
    memset(profile, 0, sizeof *profile);
    profile->pitch = pitch;
    profile->count = WEDGE_REACH;
    for (int k = 0; k < WEDGE_REACH; k++) {
        profile->columns[k] = (WedgeColumn){.count = 1,
                                            .bottom = {-1.0, (k + 0.5) * pitch < thickness ? height : 0.0},
                                            .density = {soil->bank_density},
                                            .cohesion = {soil->cohesion},
                                            .tan_friction = {tan(soil->friction_angle)}};
    }
}

typedef bool (*FindFailure)(const WedgeProfile *profile, Wedge *wedge);

static bool slides(const WedgeProfile *profile, Wedge *wedge)
{
    double tangents[WEDGE_PLANES];
    wedge_trial_planes(tangents);
    return wedge_find(profile, tangents, wedge);
}

/// Height (m) at which a wall begins to fail, by halving; `fill` m of loose soil behind it, `load` kg/m2 on it.
static double failing_height(const SoilParams *soil, double pitch, double thickness, double fill, double load,
                             FindFailure fails)
{
    static WedgeProfile profile;
    double low = 0.02, high = 20.0;
    while (high - low > 1e-5) {
        double middle = 0.5 * (low + high);
        make_wall(&profile, soil, pitch, thickness, middle);
        for (int k = 0; k < profile.count; k++) {
            WedgeColumn *column = &profile.columns[k];
            bool wall = (k + 0.5) * pitch < thickness;
            column->load = wall ? load : 0.0;
            if (!wall && fill > 0.0) {
                column->count = 2;
                column->bottom[2] = fill;
                column->density[1] = soil->bank_density / (1.0 + soil->swell);
                column->tan_friction[1] = column->tan_friction[0];
                column->loose[1] = true;
            }
        }
        Wedge wedge;
        *(fails(&profile, &wedge) ? &high : &low) = middle;
    }
    return high;
}

/// h = (t - 2 s) / k, whatever the soil and the columns.
TEST(a_wall_falls_over_where_it_is_five_times_as_high_as_what_is_whole_of_it)
{
    SoilParams soil = loam_scene().soils[0];
    const double cases[][2] = {{0.1, 0.2}, {0.1, 0.3}, {0.1, 0.5}, {0.05, 0.15}, {0.05, 0.2}, {0.02, 0.3}, {0.2, 0.4}};
    for (int k = 0; k < 7; k++) {
        double expected = (cases[k][1] - 2.0 * WEDGE_SKIN) / THIN_WALL_SHAKING;
        soil.cohesion = k * 5e3;
        assert_near(failing_height(&soil, cases[k][0], cases[k][1], 0.0, 0.0, thin_wall_find), expected, 1e-4);
    }
}

/// With q on its top: k (rho t h2 / 2 + q t h) = (rho h + q) t b / 2.
TEST(a_load_makes_it_fall_earlier)
{
    SoilParams soil = loam_scene().soils[0];
    double q = 300.0 / soil.bank_density, whole = 0.3, k = THIN_WALL_SHAKING;
    double half = q - 0.5 * whole / k, expected = -half + sqrt(half * half + q * whole / k);
    assert_true(expected < whole / k);
    assert_near(failing_height(&soil, 0.1, 0.4, 0.0, 300.0, thin_wall_find), expected, 1e-4);
}

/// Pushed by loose soil f high on one side: k rho t h2 / 2 + Ka rho' f3 / 6 = rho t h b / 2. Where both sides are
/// filled, what stands out of the fill is judged.
TEST(loose_soil_on_one_side_pushes_it_over)
{
    SoilParams soil = loam_scene().soils[0];
    double thickness = 0.4, whole = thickness - 2.0 * WEDGE_SKIN, k = THIN_WALL_SHAKING, fill = 0.6;
    double loose = soil.bank_density / (1.0 + soil.swell), sine = sin(soil.friction_angle);
    double push = (1.0 - sine) / (1.0 + sine) * loose * fill * fill * fill / (3.0 * thickness * soil.bank_density);
    double expected = 0.5 * (whole + sqrt(whole * whole - 4.0 * k * push)) / k;
    assert_near(failing_height(&soil, 0.1, thickness, fill, 0.0, thin_wall_find), expected, 1e-4);

    WedgeProfile profile;
    Wedge wedge;
    make_wall(&profile, &soil, 0.1, 0.1, 0.5);
    profile.toe = 0.3;
    assert_true(thin_wall_find(&profile, &wedge));
    assert_near(wedge.toe, 0.3, 1e-12);
    profile.toe = 0.41;
    assert_false(thin_wall_find(&profile, &wedge));
}

/// The skins have no cohesion; between them the plane has the soil's. Over all angles of the plane
///   rho g (h - t tan(theta) / 2) sin(theta - phi) cos(theta) = c (1 - 2 s / t) cos(phi).
TEST(a_wall_slides_along_a_plane_that_comes_out_behind)
{
    SoilParams soil = loam_scene().soils[0];
    const double cases[][3] = {{5e3, 30, 0.3}, {5e3, 30, 0.5}, {20e3, 22, 0.3}, {20e3, 22, 1.0}, {3e3, 30, 0.2}};
    for (int k = 0; k < 5; k++) {
        soil.cohesion = cases[k][0];
        soil.friction_angle = radians(cases[k][1]);
        double t = cases[k][2], phi = soil.friction_angle, lowest = 20.0;
        for (double angle = phi + 0.01; angle < 1.5; angle += 0.001) {
            double strength = soil.cohesion * (1.0 - 2.0 * WEDGE_SKIN / t) * cos(phi);
            double height = strength / (soil.bank_density * STANDARD_GRAVITY * sin(angle - phi) * cos(angle)) +
                            0.5 * t * tan(angle);
            lowest = height >= t * tan(angle) ? fmin(lowest, height) : lowest;
        }
        assert_near(failing_height(&soil, 0.1, t, 0.0, 0.0, slides), lowest, 0.003 * lowest);
        double culmann = 4.0 * soil.cohesion * cos(phi) / (soil.bank_density * STANDARD_GRAVITY * (1.0 - sin(phi)));
        assert_true(lowest < culmann);
    }
}

/// ---- on a site -----------------------------------------------------------------------------------------------------

/// Level loam with the contacts of data/soils, 8 x 8 m, in columns of 0.1 m.
static SceneParams site_scene(void)
{
    SceneParams scene = loam_scene();
    SoilParams *loam = &scene.soils[0];
    loam->contact_friction = 0.135;
    loam->contact_bond_friction = 0.108;
    loam->contact_stiffness = 2.5e5;
    loam->contact_adhesion = 8e3;
    loam->contact_ductility = 0.8;
    loam->contact_remoulded = 0.0135;
    scene.ground.bedrock_depth = 4;
    scene.particles.budget = 20000;
    return scene;
}

static void dig_column(Soil *soil, int row, int column, double depth)
{
    const Ground *ground = soil->state.grounds.site;
    soil_remove_ground(soil, ground->origin_x + column * ground->spacing, ground->origin_y + row * ground->spacing,
                       -depth);
}

/// Digs the columns of a rectangle, ends included.
static void dig(Soil *soil, int row, int last_row, int column, int last_column, double depth)
{
    for (int r = row; r <= last_row; r++) {
        for (int c = column; c <= last_column; c++) {
            dig_column(soil, r, c, depth);
        }
    }
}

static double height_of(const Soil *soil, int row, int column)
{
    return (double)soil->state.grounds.site->height[ground_index(soil->state.grounds.site, row, column)];
}

/// Ticks in which each direction is looked at twice. Returns the slices that fail.
static int watch(Soil *soil, int ticks)
{
    int failed = 0;
    int64_t total = soil_get_ledger(soil).total;
    for (int k = 0; k < ticks; k++) {
        run_ticks(soil, NULL, 0, 1);
        failed += soil_get_counters(soil).failed;
        assert_true(soil_get_ledger(soil).total == total);
    }
    return failed;
}

/// Most that a column stands above both its neighbours on a line, m: a fin or a fang of one column.
static double highest_fin(const Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    double highest = 0.0;
    for (int row = 1; row < ground->rows - 1; row++) {
        for (int column = 1; column < ground->columns - 1; column++) {
            double here = height_of(soil, row, column);
            double east = fmax(height_of(soil, row, column + 1), height_of(soil, row, column - 1));
            double north = fmax(height_of(soil, row + 1, column), height_of(soil, row - 1, column));
            highest = fmax(highest, here - fmin(east, north));
        }
    }
    return highest;
}

/// A fin of one column between two cuts, straight, aslant and along a diagonal, a fang and the rib of a wall: all fall,
/// and come to rest as loose soil where they stood or beside.
TEST(no_fin_of_one_column_stands)
{
    SceneParams scene = site_scene();
    for (int shape = 0; shape < 5; shape++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        for (int row = 20; row < 60; row++) {
            for (int column = 20; column < 60; column++) {
                const bool left[] = {column == 40, column == 40 + (row - 40) / 3, column + row == 80,
                                     column == 40 && row == 40, row == 40 && column < 30};
                if (!left[shape]) {
                    dig_column(soil, row, column, 1.2);
                }
            }
        }
        assert_true(highest_fin(soil) > 1.1);
        assert_true(watch(soil, 32) > 0);
        print_message("shape %d: highest fin %.3f m, %d particles\n", shape, highest_fin(soil),
                      soil->state.particles.count);
        watch(soil, 300);
        print_message("shape %d: highest fin %.3f m, %d particles left\n", shape, highest_fin(soil),
                      soil->state.particles.count);
        assert_true(highest_fin(soil) <= 2.0 * WEDGE_SKIN + 1e-6);
        assert_true(soil->state.particles.count < 20);
        assert_near(height_of(soil, 40, 19), 0.0, 1e-6); // the walls of the cut stand
        assert_near(height_of(soil, 40, 60), 0.0, 1e-6);
        soil_destroy(soil);
    }
}

/// A wall without ends falls over above the closed form's height and stands below; a short one hangs on its ends.
TEST(a_wall_between_two_cuts_hangs_on_its_ends)
{
    SceneParams scene = site_scene();
    scene.soils[0].cohesion = 50e3; // it falls over before it slides
    double height = (0.3 - 2.0 * WEDGE_SKIN) / THIN_WALL_SHAKING;
    const double cases[][2] = {{0.95, 80}, {1.05, 80}, {1.5, 12}};
    for (int k = 0; k < 3; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int half = (int)cases[k][1] / 2;
        dig(soil, 40 - half, 39 + half, 30, 38, cases[k][0] * height);
        dig(soil, 40 - half, 39 + half, 42, 50, cases[k][0] * height);
        assert_true((watch(soil, 16) > 0) == (k == 1));
        soil_destroy(soil);
    }
}

/// Neither a notch of one column in a wall nor the corner between two cuts makes it fail, nor a step on its crest.
TEST(corners_and_notches_stand)
{
    SceneParams scene = site_scene();
    double height = 0.9 * 4.0 * 5e3 * cos(radians(30)) / (1540.0 * STANDARD_GRAVITY * (1.0 - sin(radians(30))));
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    dig(soil, 0, 39, 0, 79, height);
    dig(soil, 0, 79, 0, 39, height);
    assert_true(watch(soil, 16) == 0);
    dig_column(soil, 40, 60, height); // into the wall
    dig(soil, 60, 61, 40, 40, height);
    assert_true(watch(soil, 16) == 0);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
