/// Exercises on synthetic samples: a made-up ground and bucket whose figures are known beforehand.

#include "machine/machine.h"
#include "tests/support/score_fixture.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/exercise.h"

enum { ROWS = 120, COLUMNS = 140 };
#define SPACING 0.1
#define BANK    1500.0
#define SWELL   0.25

typedef struct Site {
    SceneParams scene;
    float heights[ROWS * COLUMNS];
    ExerciseSample sample;
    Exercise *exercise;
} Site;

static Site *make_site(ExerciseKind kind)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    SceneParams *scene = &site->scene;
    scene->ground.size_x = COLUMNS * SPACING;
    scene->ground.size_y = ROWS * SPACING;
    scene->ground.column_spacing = SPACING;
    scene->ground.layer_count = 1;
    scene->soil_count = 1;
    scene->soils[0].bank_density = BANK;
    scene->soils[0].swell = SWELL;
    scene->exercise.kind = kind;
    scene->exercise.time_limit = 600.0;
    scene->exercise.par_time = 200.0;
    // Edges lie between column centres, so that the box holds exactly 40 x 12 columns.
    scene->exercise.trench = (SceneTrench){.x = 0.0,
                                           .y = 0.0,
                                           .length = 4.0,
                                           .width = 1.2,
                                           .depth = 1.0,
                                           .tolerance = 0.05,
                                           .dump_x = 2.0,
                                           .dump_y = 4.0,
                                           .dump_radius = 2.0};
    scene->exercise.truck = (SceneTruck){.x = 2.0,
                                         .y = -4.0,
                                         .bed_length = 5.0,
                                         .bed_width = 2.5,
                                         .bed_height = 1.2,
                                         .floor_height = 1.0,
                                         .target_mass = 4000.0,
                                         .dig_x = 0.0,
                                         .dig_y = 3.0};
    site->sample = (ExerciseSample){.dt = 1.0 / 60.0,
                                    .tip = {2.0, 0.0, 1.0},
                                    .fuel = 100.0,
                                    .full = 1200.0,
                                    .tool_size = 1.0,
                                    .marked = kind != EXERCISE_FREE,
                                    .in_cut = true,
                                    .swings = true,
                                    .edge_clear = true,
                                    .joint_speed = 0.5,
                                    .heights = site->heights,
                                    .rows = ROWS,
                                    .columns = COLUMNS,
                                    .spacing = SPACING,
                                    .origin_x = -6.95,
                                    .origin_y = -5.95};
    if (kind != EXERCISE_FREE) {
        take_scores(kind == EXERCISE_TRENCH ? "trench" : "truck-loading", &scene->exercise);
    }
    site->exercise = exercise_create(scene);
    assert_non_null(site->exercise);
    exercise_start(site->exercise, &site->sample);
    return site;
}

/// Makes the exercise anew after the scene was changed.
static void restart(Site *site)
{
    exercise_destroy(site->exercise);
    site->exercise = exercise_create(&site->scene);
    assert_non_null(site->exercise);
    exercise_start(site->exercise, &site->sample);
}

static void free_site(Site *site)
{
    exercise_destroy(site->exercise);
    free(site);
}

/// Ticks, in the last of which and at each interval before the ground is looked at.
static void tick(Site *site, int count)
{
    ExerciseGround ground = site->sample.ground;
    for (int k = 1; k <= count; k++) {
        site->sample.tick++;
        site->sample.ground = (count - k) % exercise_look_interval(site->sample.dt) == 0 ? ground : EXERCISE_NOT_LOOKED;
        exercise_tick(site->exercise, &site->sample);
    }
    site->sample.ground = ground;
}

/// Sets the ground in a rectangle of the world.
static void set_ground(Site *site, double x0, double x1, double y0, double y1, double height)
{
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            double x = site->sample.origin_x + column * SPACING, y = site->sample.origin_y + row * SPACING;
            if (x > x0 && x < x1 && y > y0 && y < y1) {
                site->heights[row * COLUMNS + column] = (float)height;
            }
        }
    }
}

static double metric(const Site *site, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(site->exercise, metrics);
    assert_true(count > 0 && count <= EXERCISE_MAX_METRICS);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

static int events_of(const Site *site, const char *kind)
{
    int found = 0;
    for (int k = 0; k < exercise_event_count(site->exercise); k++) {
        found += is_event(exercise_event(site->exercise, k), kind);
    }
    return found;
}

/// The edge is at a place, so high over the ground there; the cut is the box with its rim, or the place to dig.
static void put_edge(Site *site, Vec3 tip, double edge_height)
{
    ExerciseSample *sample = &site->sample;
    const SceneTruck *truck = &site->scene.exercise.truck;
    bool trench = site->scene.exercise.kind == EXERCISE_TRENCH;
    sample->tip = tip;
    sample->edge_height = edge_height;
    sample->edge_clear = edge_height > 0.0;
    sample->curl_speed = 0.0;
    sample->in_cut = trench ? tip.x > -0.5 && tip.x < 4.5 && fabs(tip.y) < 1.1
                            : hypot(tip.x - truck->dig_x, tip.y - truck->dig_y) < EXERCISE_DIG_RADIUS;
}

static void move_to(Site *site, Vec3 tip, double edge_height, double swing_speed, double curl_speed)
{
    put_edge(site, tip, edge_height);
    site->sample.swing_speed = swing_speed;
    site->sample.curl_speed = curl_speed;
}

/// The tool has been in the ground: from now on what lies where it should not is the operator's.
static void touch_ground(Site *site)
{
    ExerciseSample *sample = &site->sample;
    double height = sample->edge_height;
    sample->edge_height = -0.3;
    tick(site, 1);
    sample->edge_height = height;
}

/// A whole cycle: dig 4 s, swing 3 s, dump 2 s, return 3 s.
static void drive_cycle(Site *site, double load, Vec3 dig, Vec3 dump)
{
    move_to(site, dig, -0.1, 0.0, 0.4);
    for (int k = 1; k <= 240; k++) {
        site->sample.payload = load * k / 240.0;
        tick(site, 1);
    }
    move_to(site, dig, 1.5, 0.6, 0.0);
    tick(site, 90);
    move_to(site, dump, 1.5, 0.6, 0.0);
    tick(site, 90);
    move_to(site, dump, 1.5, 0.0, -0.8);
    for (int k = 1; k <= 120; k++) {
        site->sample.payload = fmax(load * (1.0 - k / 90.0), 0.0);
        tick(site, 1);
    }
    move_to(site, dig, 1.5, -0.6, 0.0);
    tick(site, 180);
}

static const Vec3 dig_place = {2.0, 0.0, -0.3}, dump_place = {2.0, 4.0, 2.0};

TEST(test_untouched_ground_scores_nothing)
{
    Site *site = make_site(EXERCISE_TRENCH);
    tick(site, 600);
    assert_near(exercise_score(site->exercise), 0.0, 1e-9);
    assert_near(metric(site, "removed_share"), 0.0, 1e-9);
    assert_near(metric(site, "spilled_kg"), 0.0, 1e-9);
    assert_int_equal(exercise_event_count(site->exercise), 0);
    assert_near(metric(site, "time_s"), 10.0, 1e-6);
    free_site(site);
}

TEST(test_trench_is_measured_by_columns)
{
    Site *site = make_site(EXERCISE_TRENCH);
    // Half the length, whole width, 0.6 of 1.0 m deep.
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -0.6);
    tick(site, 6);
    assert_near(metric(site, "removed_share"), 0.5 * 0.6, 1e-6);
    assert_near(metric(site, "dug_length_m"), 2.0, 0.26);
    assert_near(metric(site, "dug_width_m"), 1.2, 0.15);
    assert_near(metric(site, "worst_depth_error_m"), 0.4, 1e-6);
    assert_near(metric(site, "rms_depth_error_m"), 0.4, 1e-6);
    assert_near(metric(site, "within_tolerance_share"), 0.0, 1e-9);
    assert_near(metric(site, "overdig_m3"), 0.0, 1e-9);
    // To depth: 0.03 m under it is inside the tolerance of 0.05 m.
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -1.03);
    tick(site, 6);
    assert_near(metric(site, "within_tolerance_share"), 1.0, 1e-9);
    assert_near(metric(site, "removed_share"), 0.5, 1e-6);
    assert_false(exercise_is_finished(site->exercise));
    free_site(site);
}

/// One bucket of a beginner in the cut: more than half seems dug, and falls back. Nothing of it is ever shown.
TEST(test_what_is_stirred_is_not_shown)
{
    Site *site = make_site(EXERCISE_TRENCH);
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -1.0);
    tick(site, 1);
    double score = exercise_score(site->exercise);
    assert_near(metric(site, "removed_share"), 0.5, 1e-6);
    assert_near(exercise_held(site->exercise), 0.0, 0.0);
    touch_ground(site);
    site->sample.ground = EXERCISE_STIRRED;
    site->sample.spilled.mass = 900.0;
    set_ground(site, 2.0, 4.0, -0.6, 0.6, -1.0);
    tick(site, 15);
    site->sample.ground = EXERCISE_NOT_LOOKED; // what was seen last holds
    tick(site, 45);
    assert_near(metric(site, "removed_share"), 0.5, 1e-6);
    assert_near(metric(site, "spilled_kg"), 0.0, 0.0);
    assert_near(exercise_held(site->exercise), 46.0 / 60.0, 1e-6); // from the look on
    assert_true(fabs(exercise_score(site->exercise) - score) < 0.5);
    assert_false(exercise_is_finished(site->exercise));
    set_ground(site, 2.0, 4.0, -0.6, 0.6, -0.1);
    site->sample.ground = EXERCISE_SETTLED;
    site->sample.spilled.mass = 5.0;
    tick(site, 1);
    assert_near(metric(site, "removed_share"), 0.55, 1e-6);
    assert_near(metric(site, "spilled_kg"), 5.0, 0.0);
    assert_near(exercise_held(site->exercise), 0.0, 0.0);
    free_site(site);
}

/// Soil that never comes to rest holds the score for ten seconds. Then it is judged where it is, look by look, and the
/// work may be done; with the tool in the cut the ground's shape alone is judged, and nothing is done by that.
TEST(test_what_never_settles_is_judged_after_a_while)
{
    for (int k = 0; k < 2; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        touch_ground(site);
        site->sample.ground = EXERCISE_STIRRED;
        site->sample.spilled.mass = site->sample.moved.mass = 100.0;
        set_ground(site, 0.0, 4.0, -0.6, 0.6, -1.0);
        tick(site, 15 * 38);
        assert_true(exercise_held(site->exercise) > 9.0);
        assert_near(metric(site, "removed_share"), 0.0, 0.0);
        assert_false(exercise_waited(site->exercise));
        tick(site, 45);
        assert_true(exercise_waited(site->exercise));
        site->sample.ground = k == 0 ? EXERCISE_CREEPING : EXERCISE_WORKED; // as the session then tells
        tick(site, 15);
        assert_near(exercise_held(site->exercise), 0.0, 0.0);
        assert_near(metric(site, "removed_share"), 1.0, 1e-6);
        assert_near(metric(site, "spilled_kg"), k == 0 ? 100.0 : 0.0, 0.0);
        assert_int_equal(exercise_is_finished(site->exercise), k == 0);
        free_site(site);
    }
}

/// Finished floor is worth the same whatever is begun beside it: dug to more than half the depth, that part is measured
/// but not yet judged.
TEST(test_what_is_begun_takes_nothing_from_what_is_finished)
{
    Site *site = make_site(EXERCISE_TRENCH);
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -1.0);
    tick(site, 1);
    double points = metric(site, "points_accuracy"), score = exercise_score(site->exercise);
    assert_true(points > 8.0);
    set_ground(site, 2.0, 4.0, -0.6, 0.6, -0.6);
    tick(site, 1);
    assert_true(metric(site, "within_tolerance_share") < 0.7);
    assert_true(metric(site, "points_accuracy") >= points);
    assert_true(exercise_score(site->exercise) > score);
    free_site(site);
}

/// At the time limit with the bucket in the cut: the ground has ten seconds to settle, and is judged as it then is.
TEST(test_a_time_out_in_mid_cut_waits_for_the_ground)
{
    Site *site = make_site(EXERCISE_TRENCH);
    set_ground(site, 0.0, 1.0, -0.6, 0.6, -1.0);
    tick(site, 599 * 60);
    site->sample.ground = EXERCISE_STIRRED;
    set_ground(site, 1.0, 3.9, -0.6, 0.6, -1.0); // the peak
    tick(site, 63);
    assert_true(exercise_is_settling(site->exercise));
    assert_false(exercise_is_finished(site->exercise));
    double time = metric(site, "time_s");
    tick(site, 120);
    assert_near(metric(site, "removed_share"), 0.25, 1e-6);
    char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    int count = exercise_progress(site->exercise, NULL, TEXT_UNITS_METRIC, lines);
    assert_true(count > 0);
    assert_string_equal(lines[0], "Time is up: the soil settles");
    set_ground(site, 1.0, 3.9, -0.6, 0.6, -0.2);
    site->sample.ground = EXERCISE_SETTLED;
    tick(site, 1);
    assert_true(exercise_is_finished(site->exercise));
    assert_near(metric(site, "removed_share"), 0.25 + 0.2 * 0.725, 0.006);
    assert_near(metric(site, "time_s"), time, 1e-9);
    assert_near(time, 600.0, 0.04);
    free_site(site);
}

/// What has not settled ten seconds after the time limit counts as fallen back: the session then lays it down.
TEST(test_what_never_settles_is_judged_as_fallen_back)
{
    Site *site = make_site(EXERCISE_TRENCH);
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -1.0);
    tick(site, 599 * 60);
    site->sample.ground = EXERCISE_STIRRED;
    set_ground(site, 0.0, 2.0, -0.6, 0.6, -0.5);
    tick(site, 63 + 9 * 60);
    assert_true(exercise_is_settling(site->exercise));
    assert_near(metric(site, "removed_share"), 0.5, 1e-6);
    tick(site, 60);
    assert_true(exercise_waited(site->exercise));
    site->sample.ground = EXERCISE_WORKED;
    tick(site, 60);
    assert_true(exercise_is_finished(site->exercise));
    assert_near(metric(site, "removed_share"), 0.25, 1e-6);
    assert_int_equal(events_of(site, "finished"), 1);
    free_site(site);
}

/// A bucket that falls into the bed counts when it lies there, and a truck is not full before.
TEST(test_a_load_counts_once_it_lies_still)
{
    Site *site = make_site(EXERCISE_TRUCK_LOADING);
    site->sample.beds[0] = (ExerciseBed){3500.0, false};
    site->sample.beds[1] = (ExerciseBed){100.0, false};
    tick(site, 1);
    assert_near(metric(site, "loaded_kg"), 3600.0, 1e-9);
    site->sample.beds[0] = (ExerciseBed){4700.0, true};
    tick(site, 60);
    assert_near(metric(site, "loaded_kg"), 3600.0, 1e-9);
    assert_near(exercise_held(site->exercise), 46.0 / 60.0, 1e-6);
    assert_false(exercise_is_finished(site->exercise));
    site->sample.beds[0] = (ExerciseBed){4100.0, false};
    tick(site, 1);
    assert_near(metric(site, "loaded_kg"), 4200.0, 1e-9);
    assert_true(exercise_is_finished(site->exercise));
    free_site(site);
}

/// Ten seconds of slip or relief, at any time and with all work done, cost less than 2 of 100 points.
TEST(test_ten_seconds_of_abuse_cost_little)
{
    const int limits[2] = {MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP), MACHINE_LIMIT_BIT(MACHINE_LIMIT_RELIEF)};
    for (int k = 0; k < 4; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        site->scene.exercise.time_limit = 1200.0;
        restart(site);
        set_ground(site, 0.0, 3.7, -0.6, 0.6, -1.0);
        tick(site, k / 2 ? 60 * 60 : 1000 * 60);
        double points = metric(site, "points_machine");
        site->sample.limits = limits[k % 2];
        tick(site, 600);
        double lost = points - metric(site, "points_machine");
        assert_true(lost > 0.1 && lost < 2.0);
        free_site(site);
    }
}

TEST(test_overdig_costs_points_and_is_told)
{
    Site *good = make_site(EXERCISE_TRENCH), *deep = make_site(EXERCISE_TRENCH);
    set_ground(good, 0.0, 2.0, -0.6, 0.6, -1.0);
    set_ground(deep, 0.0, 2.0, -0.6, 0.6, -1.25);
    tick(good, 6);
    tick(deep, 6);
    // 0.25 m too deep less 0.05 m tolerance over 2.0 m x 1.2 m.
    assert_near(metric(deep, "overdig_m3"), 0.2 * 2.4, 1e-4);
    assert_near(metric(good, "overdig_m3"), 0.0, 1e-9);
    assert_int_equal(events_of(deep, "overdig"), 1);
    assert_int_equal(events_of(good, "overdig"), 0);
    assert_true(exercise_score(good->exercise) > exercise_score(deep->exercise) + 5.0);
    free_site(good);
    free_site(deep);
}

TEST(test_spill_is_what_the_soil_measures)
{
    const ExerciseKind kinds[2] = {EXERCISE_TRENCH, EXERCISE_TRUCK_LOADING};
    for (int k = 0; k < 2; k++) {
        Site *site = make_site(kinds[k]);
        touch_ground(site);
        site->sample.spilled.mass = 120.0;
        tick(site, 6);
        assert_near(metric(site, "spilled_kg"), 120.0, 1e-9);
        assert_int_equal(events_of(site, "spill"), 1);
        site->sample.spilled.mass = -1.0; // not measured
        tick(site, 6);
        assert_near(metric(site, "spilled_kg"), 120.0, 1e-9);
        site->sample.spilled.mass = 140.0; // crumbs make no event
        tick(site, 6);
        assert_int_equal(events_of(site, "spill"), 1);
        site->sample.spilled.mass = 20.0; // cleaned up
        tick(site, 6);
        assert_near(metric(site, "spilled_kg"), 20.0, 1e-9);
        free_site(site);
    }
}

TEST(test_spill_costs_points)
{
    Site *clean = make_site(EXERCISE_TRUCK_LOADING), *messy = make_site(EXERCISE_TRUCK_LOADING);
    touch_ground(messy);
    messy->sample.spilled.mass = 60.0;
    messy->sample.moved.mass = clean->sample.moved.mass = 1000.0;
    Vec3 dig = {0.0, 3.0, 0.2}, bed = {2.0, -4.0, 3.5};
    drive_cycle(clean, 1000.0, dig, bed);
    drive_cycle(messy, 1000.0, dig, bed);
    clean->sample.beds[0].mass = messy->sample.beds[0].mass = 1000.0;
    tick(clean, 300);
    tick(messy, 300);
    assert_true(exercise_score(clean->exercise) > exercise_score(messy->exercise) + 0.5);
    free_site(clean);
    free_site(messy);
}

TEST(test_a_cycle_is_counted_once_and_split)
{
    Site *site = make_site(EXERCISE_TRENCH);
    drive_cycle(site, 1200.0, dig_place, dump_place);
    drive_cycle(site, 1200.0, dig_place, dump_place);
    drive_cycle(site, 200.0, dig_place, dump_place); // too little to count
    assert_near(metric(site, "cycles"), 2.0, 0.0);
    assert_int_equal(events_of(site, "cycle"), 2);
    assert_near(metric(site, "mean_bucket_kg"), 1200.0, 12.0);
    assert_near(metric(site, "moved_kg"), 0.0, 0.0); // that is for the soil to say
    assert_near(metric(site, "dig_s"), 4.0, 0.1);
    assert_near(metric(site, "swing_s"), 3.0, 0.1);
    assert_near(metric(site, "dump_s"), 2.0, 0.1);
    assert_near(metric(site, "return_s"), 1.5, 0.1); // the first began in the cut
    assert_near(metric(site, "mean_cycle_s"), 10.5, 0.1);
    free_site(site);
}

/// Clay: 300 kg of each bucket come back. Each is a cycle all the same, and only what was dumped counts.
TEST(test_what_sticks_does_not_hide_a_cycle)
{
    Site *site = make_site(EXERCISE_TRENCH);
    ExerciseSample *sample = &site->sample;
    for (int k = 0; k < 2; k++) {
        put_edge(site, dig_place, -0.3);
        for (sample->payload = 300.0; sample->payload < 1200.0; sample->payload += 10.0) {
            tick(site, 2);
        }
        move_to(site, dig_place, 1.5, 0.6, 0.0);
        tick(site, 60);
        move_to(site, dump_place, 1.5, 0.0, -0.8);
        tick(site, 30);
        sample->payload = 300.0;
        tick(site, 120);
        assert_near(metric(site, "cycles"), k, 0.0);
        move_to(site, dig_place, 0.5, -0.6, 0.0);
        tick(site, 60);
        sample->swing_speed = 0.0;
        assert_near(metric(site, "cycles"), k + 1.0, 0.0);
    }
    assert_near(metric(site, "mean_bucket_kg"), 900.0, 20.0);
    free_site(site);
}

TEST(test_load_lost_where_it_was_dug_is_no_cycle)
{
    Site *site = make_site(EXERCISE_TRENCH);
    put_edge(site, dig_place, -0.3);
    site->sample.payload = 900.0;
    tick(site, 120);
    put_edge(site, dig_place, 1.0);
    tick(site, 60);
    site->sample.payload = 0.0;
    tick(site, 120);
    assert_near(metric(site, "cycles"), 0.0, 0.0);
    assert_near(metric(site, "mean_bucket_kg"), 0.0, 0.0);
    free_site(site);
}

/// A load that runs out of a closed bucket while it swings was not dumped.
TEST(test_a_load_lost_on_the_way_is_no_cycle)
{
    Site *site = make_site(EXERCISE_TRENCH);
    put_edge(site, dig_place, -0.3);
    site->sample.payload = 1000.0;
    tick(site, 120);
    move_to(site, dump_place, 1.5, 0.6, 0.0);
    for (; site->sample.payload > 0.0; site->sample.payload -= 5.0) {
        tick(site, 1);
    }
    tick(site, 60);
    assert_near(metric(site, "cycles"), 0.0, 0.0);
    free_site(site);
}

/// A beginner scratches: the bucket is drawn through the ground with twice of what it can hold in and above it, lifted
/// a little and let go beside its groove, outside the trench or in it. None of it is a load, however often.
TEST(test_scratching_is_no_cycle)
{
    for (int k = 0; k < 2; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        Vec3 groove = {2.0, k * -3.0, -0.1}, beside = {2.0, groove.y + 1.0, 0.2};
        for (int stroke = 0; stroke < 9; stroke++) {
            put_edge(site, groove, -0.2);
            site->sample.payload = 2400.0;
            tick(site, 240);
            put_edge(site, beside, 0.2);
            tick(site, 60);
            site->sample.payload = 0.0;
            tick(site, 120);
        }
        assert_near(metric(site, "cycles"), 0.0, 0.0);
        assert_int_equal(events_of(site, "cycle"), 0);
        assert_near(metric(site, "production_m3_per_h"), 0.0, 0.0);
        free_site(site);
    }
}

/// A bucket that shows 2 t while it is in the ground and sheds its heap as it is lifted carries what it leaves the cut
/// with; a blade likewise, which is out of the cut when its edge is on the tracks' plane, and sheds less.
TEST(test_a_load_is_weighed_out_of_the_cut)
{
    for (int k = 0; k < 2; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        ExerciseSample *sample = &site->sample;
        sample->swings = k == 0;
        sample->belts[0] = sample->belts[1] = k == 0 ? 0.0 : 1.0;
        put_edge(site, dig_place, -0.3);
        for (sample->payload = 0.0; sample->payload < (k == 0 ? 2000.0 : 1050.0); sample->payload += 10.0) {
            tick(site, 1);
        }
        put_edge(site, (Vec3){2.0, 0.8, 0.5}, 1.0);
        sample->carries = true;
        sample->payload = 1000.0;
        tick(site, 120);
        move_to(site, (Vec3){2.0, 2.5, 2.0}, 1.0, 0.6, 0.0);
        tick(site, 90);
        move_to(site, dump_place, 1.0, 0.0, -0.8);
        for (; sample->payload > 0.0; sample->payload -= 10.0) {
            tick(site, 1);
        }
        sample->belts[0] = sample->belts[1] = k == 0 ? 0.0 : -1.0;
        move_to(site, dump_place, 1.0, -0.6, 0.0);
        tick(site, 120);
        assert_near(metric(site, "cycles"), 1.0, 0.0);
        assert_near(metric(site, "mean_bucket_kg"), 1000.0, 10.0);
        free_site(site);
    }
}

/// The same work of a machine with a quarter of the bucket gives the same cycles and a quarter of the load.
TEST(test_a_small_machine_is_counted_alike)
{
    Site *large = make_site(EXERCISE_TRENCH), *small = make_site(EXERCISE_TRENCH);
    small->sample.full = 300.0;
    small->sample.tool_size = 0.63;
    for (int k = 0; k < 3; k++) {
        drive_cycle(large, 1000.0, dig_place, dump_place);
        drive_cycle(small, 250.0, dig_place, dump_place);
    }
    assert_near(metric(large, "cycles"), 3.0, 0.0);
    assert_near(metric(small, "cycles"), 3.0, 0.0);
    assert_near(metric(small, "mean_bucket_kg"), 0.25 * metric(large, "mean_bucket_kg"), 1e-6);
    free_site(large);
    free_site(small);
}

/// Soil that slid by itself before the tool was in the ground is neither moved nor spilled; what comes after it is.
TEST(test_what_slides_by_itself_is_not_moved)
{
    Site *site = make_site(EXERCISE_TRUCK_LOADING);
    site->sample.spilled = (ExerciseMoved){30.0, 0.02};
    site->sample.moved = (ExerciseMoved){50.0, 0.03};
    tick(site, 30);
    assert_near(metric(site, "spilled_kg"), 0.0, 0.0);
    assert_near(metric(site, "moved_kg"), 0.0, 0.0);
    touch_ground(site);
    site->sample.spilled = (ExerciseMoved){90.0, 0.06};
    site->sample.moved = (ExerciseMoved){1550.0, 1.03};
    tick(site, 30);
    assert_near(metric(site, "spilled_kg"), 60.0, 1e-9);
    assert_near(metric(site, "moved_kg"), 1500.0, 1e-9);
    assert_near(metric(site, "spilled_share"), 0.04, 1e-9);
    double hours = metric(site, "time_s") / 3600.0;
    assert_near(metric(site, "production_m3_per_h"), (1.0 - 0.04) / hours, 1e-6);
    free_site(site);
}

TEST(test_truck_is_full_at_its_target)
{
    Site *site = make_site(EXERCISE_TRUCK_LOADING);
    Vec3 dig = {0.0, 3.0, 0.2}, bed = {2.0, -4.0, 3.5};
    for (int k = 0; k < 4; k++) {
        assert_false(exercise_is_finished(site->exercise));
        drive_cycle(site, 1000.0, dig, bed);
        site->sample.beds[0].mass += 1000.0;
    }
    tick(site, 300);
    assert_true(exercise_is_finished(site->exercise));
    assert_int_equal(events_of(site, "finished"), 1);
    assert_near(metric(site, "loaded_kg"), 4000.0, 1e-6);
    assert_near(metric(site, "spilled_kg"), 0.0, 60.0);
    assert_true(exercise_score(site->exercise) > 95.0);
    // Nothing is measured after the end.
    double time = metric(site, "time_s");
    tick(site, 60);
    assert_near(metric(site, "time_s"), time, 1e-12);
    free_site(site);
}

TEST(test_abuse_and_skill_are_counted)
{
    Site *site = make_site(EXERCISE_FREE);
    ExerciseSample *sample = &site->sample;
    sample->limits = MACHINE_LIMIT_BIT(MACHINE_LIMIT_RELIEF) | MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP);
    sample->levers[1] = 0.8;
    sample->levers[2] = 0.8;
    tick(site, 300);
    sample->limits = MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP) | MACHINE_LIMIT_BIT(MACHINE_LIMIT_STALL) |
                     MACHINE_LIMIT_BIT(MACHINE_LIMIT_TIP);
    sample->levers[1] = -0.8;
    sample->levers[2] = 0.0;
    sample->fuel = 99.0;
    sample->tip.x += 3.0;
    tick(site, 300);
    // Limits that act together count each for itself.
    assert_near(metric(site, "relief_s"), 5.0, 1e-6);
    assert_near(metric(site, "track_slip_s"), 10.0, 1e-6);
    assert_near(metric(site, "stall_s"), 5.0, 1e-6);
    assert_near(metric(site, "tip_s"), 5.0, 1e-6);
    assert_int_equal(events_of(site, "relief"), 1);
    assert_near(metric(site, "lever_reversals"), 1.0, 0.0);
    assert_near(metric(site, "together_share"), 0.5, 1e-6);
    assert_near(metric(site, "tip_path_m"), 3.0, 1e-9);
    assert_near(metric(site, "fuel_kg"), 1.0, 1e-9);
    free_site(site);
}

TEST(test_time_limit_ends_it)
{
    Site *site = make_site(EXERCISE_FREE);
    tick(site, 599 * 60);
    assert_false(exercise_is_finished(site->exercise));
    tick(site, 120);
    assert_true(exercise_is_finished(site->exercise));
    char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    int count = exercise_progress(site->exercise, NULL, TEXT_UNITS_METRIC, lines);
    assert_in_range((uintmax_t)count, 1, EXERCISE_MAX_PROGRESS);
    assert_string_equal(lines[0], "Time is up");
    free_site(site);
}

/// A visitor that writes to or reads from a buffer.
typedef struct Tape {
    StateVisitor visitor;
    unsigned char *data;
    size_t used, size;
} Tape;

static void tape_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    Tape *tape = (Tape *)(void *)visitor;
    size_t bytes = size * count;
    assert_true(tape->used + bytes <= tape->size);
    if (visitor->restoring) {
        memcpy(data, tape->data + tape->used, bytes);
    } else {
        memcpy(tape->data + tape->used, data, bytes);
    }
    tape->used += bytes;
}

TEST(test_restored_state_goes_on_the_same)
{
    static unsigned char saved[1 << 17], after_a[1 << 17], after_b[1 << 17];
    Site *a = make_site(EXERCISE_TRENCH), *b = make_site(EXERCISE_TRENCH);
    drive_cycle(a, 900.0, dig_place, dump_place);
    set_ground(a, 0.0, 2.0, -0.6, 0.6, -1.25);
    a->sample.payload = 700.0;
    a->sample.tip = (Vec3){-4.0, 0.0, 1.0};
    tick(a, 33);
    a->sample.ground = EXERCISE_STIRRED; // what is held is part of the state
    set_ground(a, 2.0, 4.0, -0.6, 0.6, -0.9);
    tick(a, 20);
    a->sample.ground = EXERCISE_NOT_LOOKED;
    Tape save = {{.field = tape_field}, saved, 0, sizeof saved};
    exercise_visit(a->exercise, &save.visitor);
    Tape restore = {{.field = tape_field, .restoring = true}, saved, 0, save.used};
    exercise_visit(b->exercise, &restore.visitor);
    assert_false(restore.visitor.failed);
    assert_int_equal(restore.used, save.used);
    memcpy(b->heights, a->heights, sizeof a->heights);
    b->sample = a->sample;
    b->sample.heights = b->heights;
    a->sample.payload = b->sample.payload = 50.0;
    tick(a, 200);
    tick(b, 200);
    Tape first = {{.field = tape_field}, after_a, 0, sizeof after_a};
    Tape second = {{.field = tape_field}, after_b, 0, sizeof after_b};
    exercise_visit(a->exercise, &first.visitor);
    exercise_visit(b->exercise, &second.visitor);
    assert_int_equal(first.used, second.used);
    assert_memory_equal(after_a, after_b, first.used);
    assert_true(exercise_event_count(b->exercise) >= 2);
    free_site(a);
    free_site(b);
}

static void spoil_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memset(data, strcmp(name, "exercise.event_count") == 0 ? 0x7f : 0, size * count);
}

TEST(test_impossible_event_count_is_refused)
{
    Site *site = make_site(EXERCISE_TRENCH);
    StateVisitor visitor = {.field = spoil_field, .restoring = true};
    exercise_visit(site->exercise, &visitor);
    assert_true(visitor.failed);
    assert_int_equal(exercise_event_count(site->exercise), 0);
    free_site(site);
}

TEST(test_event_list_never_overflows)
{
    Site *site = make_site(EXERCISE_FREE);
    site->scene.exercise.time_limit = 1200.0;
    restart(site);
    const ExerciseEvent event = {.kind = EVENT_MARK};
    for (int k = 0; k < 2 * EXERCISE_MAX_EVENTS; k++) {
        exercise_note_event(site->exercise, &event);
    }
    tick(site, 1201 * 60);
    assert_in_range(exercise_event_count(site->exercise), EXERCISE_MAX_EVENTS - 8, EXERCISE_MAX_EVENTS);
    assert_true(exercise_is_finished(site->exercise));
    assert_int_equal(events_of(site, "finished"), 1);
    assert_null(exercise_event(site->exercise, EXERCISE_MAX_EVENTS));
    assert_null(exercise_event(site->exercise, -1));
    free_site(site);
}

TEST_GROUP(NULL, NULL)
