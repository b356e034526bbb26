/// A design surface: its heights, and the survey of ground whose volumes are known by hand.

#include "data/schema/design_surface.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"

enum { SIDE = 100 };
#define SPACING 0.1

typedef struct Yard {
    SceneParams scene;
    float heights[SIDE * SIDE];
    ExerciseSample sample;
    Exercise *exercise;
} Yard;

/// A level pad of 4 x 2 m at -0.2 m, and a slope beside it that falls from 0 to -1 m over 4 m. Column centres lie at
/// 0.05 m and so on, so that the sides run between columns.
static const SceneSurface surface = {
    .tolerance = 0.05,
    .parts_count = 2,
    .parts = {{.x = 0.0, .y = 1.0, .length = 4.0, .width = 2.0, .z = -0.2, .far_z = -0.2},
              {.x = 6.0, .y = 0.0, .heading = M_PI / 2.0, .length = 4.0, .width = 2.0, .z = 0.0, .far_z = -1.0}}};

static Yard *make_yard(void)
{
    Yard *yard = calloc(1, sizeof *yard);
    assert_non_null(yard);
    yard->scene.ground.column_spacing = SPACING;
    yard->scene.ground.layer_count = yard->scene.soil_count = 1;
    yard->scene.soils[0].bank_density = 1500.0;
    SceneExercise *exercise = &yard->scene.exercise;
    *exercise = (SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 300.0, .par_time = 100.0, .surface = surface};
    exercise->surface.parts_count = 1;
    yard->sample = (ExerciseSample){.dt = 1.0 / 60.0,
                                    .heights = yard->heights,
                                    .rows = SIDE,
                                    .columns = SIDE,
                                    .spacing = SPACING,
                                    .origin_x = -1.95,
                                    .origin_y = -1.95,
                                    .spilled = {-1.0, -1.0},
                                    .moved = {-1.0, -1.0},
                                    .ground = EXERCISE_SETTLED};
    yard->exercise = exercise_create(&yard->scene);
    assert_non_null(yard->exercise);
    exercise_start(yard->exercise, &yard->sample);
    return yard;
}

static void free_yard(Yard *yard)
{
    exercise_destroy(yard->exercise);
    free(yard);
}

static void set_ground(Yard *yard, double x0, double x1, double height)
{
    for (int k = 0; k < SIDE * SIDE; k++) {
        double x = yard->sample.origin_x + k % SIDE * SPACING;
        yard->heights[k] = x > x0 && x < x1 ? (float)height : yard->heights[k];
    }
    yard->sample.tick++;
    exercise_tick(yard->exercise, &yard->sample);
}

static double value(const Yard *yard, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(yard->exercise, values);
    return values[metric];
}

TEST(planes_have_their_heights)
{
    const SceneExercise exercise = {.kind = EXERCISE_TASKS, .surface = surface};
    Status status;
    DesignSurface *design = design_create(&exercise, DESIGN_OF_SURFACE, NULL, &status);
    assert_non_null(design);
    double z = 9.0;
    assert_true(design_height(design, 2.0, 1.5, &z));
    assert_near(z, -0.2, 1e-12);
    // The slope looks north: its length runs along y.
    assert_true(design_height(design, 6.5, 1.0, &z));
    assert_near(z, -0.25, 1e-12);
    assert_true(design_height(design, 5.2, 4.0, &z));
    assert_near(z, -1.0, 1e-12);
    assert_false(design_height(design, 4.5, 1.0, &z));
    assert_false(design_height(design, 2.0, -0.1, &z));
    assert_true(design_holds(design, 2.0, 1.5, 0.499) && !design_holds(design, 2.0, 1.5, 0.501));
    assert_true(design_holds(design, 3.9, 1.0, 0.099) && !design_holds(design, 3.9, 1.0, 0.101));
    assert_false(design_holds(design, 2.0, 2.5, 0.0));
    DesignBox box;
    assert_true(design_box(design, &box));
    assert_near(box.low.z, -1.0, 1e-12);
    assert_near(box.high.x, 7.0, 1e-12);
    design_destroy(design);
}

TEST(a_trench_is_work_but_no_surface)
{
    const SceneExercise exercise = {
        .kind = EXERCISE_TRENCH,
        .trench = {.x = 3.0, .heading = M_PI / 2.0, .length = 4.0, .width = 1.0, .depth = 1.5, .tolerance = 0.1}};
    Status status;
    double z = 9.0;
    DesignSurface *design = design_create(&exercise, DESIGN_OF_SURFACE, NULL, &status);
    assert_non_null(design);
    assert_true(design_is_empty(design) && !design_height(design, 3.0, 2.0, &z));
    design_destroy(design);
    design = design_create(&exercise, DESIGN_OF_WORK, NULL, &status);
    assert_true(design_height(design, 3.4, 2.0, &z) && !design_height(design, 3.6, 2.0, &z));
    assert_near(z, -1.5, 1e-12);
    assert_near(design_tolerance(design), 0.1, 1e-12);
    DesignLine lines[DESIGN_LINES];
    assert_int_equal(design_lines(design, lines, DESIGN_LINES), 4);
    design_destroy(design);
}

TEST(cut_and_fill_are_what_is_above_and_below)
{
    Yard *yard = make_yard();
    // Columns at least one spacing inside: 38 x 18 of them.
    double area = 38.0 * 18.0 * SPACING * SPACING;
    assert_near(value(yard, METRIC_SURFACE_CUT), 0.2 * area, 1e-5);
    assert_near(value(yard, METRIC_SURFACE_FILL), 0.0, 1e-9);
    assert_near(value(yard, METRIC_SURFACE_RMS), 0.2, 1e-6);
    assert_near(value(yard, METRIC_SURFACE_WORK), 0.0, 1e-9);
    assert_near(value(yard, METRIC_SURFACE_WITHIN), 0.0, 1e-9);
    // Half of it is right, a quarter stays, a quarter is 0.1 m too deep.
    set_ground(yard, 0.0, 2.0, -0.2);
    set_ground(yard, 2.0, 3.0, -0.3);
    double right = 19.0 / 38.0, deep = 10.0 / 38.0, high = 9.0 / 38.0;
    assert_near(value(yard, METRIC_SURFACE_WITHIN), right, 1e-6);
    assert_near(value(yard, METRIC_SURFACE_CUT), 0.2 * high * area, 1e-5);
    assert_near(value(yard, METRIC_SURFACE_FILL), 0.1 * deep * area, 1e-5);
    assert_near(value(yard, METRIC_SURFACE_OVERDIG), 0.05 * deep * area, 1e-5);
    assert_near(value(yard, METRIC_SURFACE_RMS), sqrt(0.01 * deep + 0.04 * high), 1e-6);
    // Beyond the tolerance 0.15 m were asked for everywhere; 0.15 are left where it is high. What is too deep was dug.
    assert_near(value(yard, METRIC_SURFACE_WORK), 1.0 - high, 1e-5);
    free_yard(yard);
}

TEST(what_moves_is_not_measured)
{
    Yard *yard = make_yard();
    yard->sample.ground = EXERCISE_STIRRED;
    set_ground(yard, -9.0, 9.0, -0.2);
    assert_near(value(yard, METRIC_SURFACE_WITHIN), 0.0, 1e-9);
    yard->sample.ground = EXERCISE_SETTLED;
    set_ground(yard, -9.0, 9.0, -0.2);
    assert_near(value(yard, METRIC_SURFACE_WITHIN), 1.0, 1e-9);
    free_yard(yard);
}

TEST_GROUP(NULL, NULL)
