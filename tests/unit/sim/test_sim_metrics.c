/// Every figure that exercises measure, each on a script whose figures are worked out by hand. The last case names
/// those that no script is about.
// test: sanitized

#include "machine/machine.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"

enum { ROWS = 80, COLUMNS = 80 };
#define SPACING 0.1
#define DT      0.05
#define BANK    1500.0 ///< kg/m3
#define EXACT   1e-9

typedef struct Site {
    SceneParams scene;
    float heights[ROWS * COLUMNS];
    ExerciseSample sample;
    Exercise *exercise;
} Site;

/// A site of 8 x 8 m whose edges run between columns.
static Site *make_site(const SceneExercise *asked)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    site->scene.ground.column_spacing = SPACING;
    site->scene.ground.layer_count = site->scene.soil_count = 1;
    site->scene.soils[0].bank_density = BANK;
    site->scene.exercise = *asked;
    site->sample = (ExerciseSample){.dt = DT,
                                    .tip = {-3.0, 0.0, 1.0},
                                    .fuel = 100.0,
                                    .full = 1200.0,
                                    .swings = true,
                                    .edge_clear = true,
                                    .edge_height = 2.0,
                                    .compacted = -1.0,
                                    .exposed = -1.0,
                                    .spilled = {-1.0, -1.0},
                                    .moved = {-1.0, -1.0},
                                    .tool_size = 1.0,
                                    .marked = asked->kind != EXERCISE_TASKS,
                                    .heights = site->heights,
                                    .rows = ROWS,
                                    .columns = COLUMNS,
                                    .spacing = SPACING,
                                    .origin_x = -3.95,
                                    .origin_y = -3.95};
    site->exercise = exercise_create(&site->scene);
    assert_non_null(site->exercise);
    exercise_start(site->exercise, &site->sample);
    return site;
}

static void free_site(Site *site)
{
    exercise_destroy(site->exercise);
    free(site);
}

/// Ticks for `seconds`; the ground is looked at in the last of them.
static void drive(Site *site, double seconds)
{
    ExerciseGround ground = site->sample.ground;
    int count = (int)lround(seconds / DT);
    for (int k = 1; k <= count; k++) {
        site->sample.tick++;
        site->sample.ground = k == count ? ground : EXERCISE_NOT_LOOKED;
        exercise_tick(site->exercise, &site->sample);
    }
    site->sample.ground = ground;
}

static void set_ground(Site *site, double x0, double x1, double y0, double y1, double height)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        double x = site->sample.origin_x + k % COLUMNS * SPACING, y = site->sample.origin_y + k / COLUMNS * SPACING;
        site->heights[k] = x > x0 && x < x1 && y > y0 && y < y1 ? (float)height : site->heights[k];
    }
}

/// A figure worked out by hand.
typedef struct Known {
    Metric metric;
    double value, tolerance; ///< in the metric's unit
} Known;

static bool covered[METRIC_COUNT];

static void check(const Site *site, const Known *known, int count)
{
    double values[METRIC_COUNT];
    exercise_values(site->exercise, values);
    for (int k = 0; k < count; k++) {
        covered[known[k].metric] = true;
        if (!(fabs(values[known[k].metric] - known[k].value) <= known[k].tolerance)) {
            fail_msg("%s is %.9g, by hand %.9g", metric_infos[known[k].metric].name, values[known[k].metric],
                     known[k].value);
        }
    }
}
#define CHECK(site, known) check(site, known, (int)(sizeof(known) / sizeof *(known)))

/// ---- a trench ------------------------------------------------------------------------------------------------------

/// A stretch of work in which nothing changes but where the edge is.
typedef struct Stretch {
    double seconds;
    double payload; ///< kg
    double edge; ///< m over the ground
    double swing, curl, joint; ///< rad/s
    double way; ///< m/s of the edge, along y
    double levers[2]; ///< swing and bucket
    int limits;
} Stretch;

static void work(Site *site, const Stretch *stretch)
{
    ExerciseSample *sample = &site->sample;
    sample->payload = stretch->payload;
    sample->edge_height = stretch->edge;
    sample->edge_clear = stretch->edge > 0.0;
    sample->swing_speed = stretch->swing;
    sample->curl_speed = stretch->curl;
    sample->joint_speed = stretch->joint;
    sample->levers[0] = stretch->levers[0];
    sample->levers[2] = stretch->levers[1];
    sample->limits = stretch->limits;
    for (int k = 0; k < (int)lround(stretch->seconds / DT); k++) {
        sample->tip.y += stretch->way * DT;
        sample->in_cut = fabs(sample->tip.y) < 1.1;
        sample->fuel -= 0.01 * DT;
        drive(site, DT);
    }
}

enum {
    RELIEF = MACHINE_LIMIT_BIT(MACHINE_LIMIT_RELIEF),
    SLIP = MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP),
    STALL = MACHINE_LIMIT_BIT(MACHINE_LIMIT_STALL),
    TIP = MACHINE_LIMIT_BIT(MACHINE_LIMIT_TIP),
};

/// One load: 5 s of digging, 4 s of swing, 2 s of dump, 3 s back. 1000 kg are curled in, 960 leave the ground, 930
/// begin to swing, 900 are dumped.
static const Stretch load[] = {
    {2.0, 0.0, -0.3, 0.0, 0.0, 0.3, 0.0, {0.0, 0.5}, RELIEF},
    {2.0, 1000.0, -0.3, 0.0, 0.3, 0.3, 0.0, {0.5, 0.5}, STALL},
    {0.5, 960.0, -0.1, 0.0, 0.0, 0.3, 0.0, {0.5, 0.5}, SLIP | TIP},
    {0.5, 930.0, 0.2, 0.0, 0.0, 0.3, 0.0, {0.0, 0.5}, 0},
    {2.0, 930.0, 2.0, 0.5, 0.0, 0.5, 2.0, {0.8, 0.0}, 0},
    {2.0, 900.0, 2.0, 0.5, 0.0, 0.5, 2.0, {0.8, 0.0}, 0},
    {2.0, 0.0, 2.0, 0.0, -0.5, 0.5, 0.0, {0.0, -0.5}, 0},
    {3.0, 0.0, 2.0, -0.5, 0.0, 0.5, -8.0 / 3.0, {-0.8, 0.0}, 0},
};

/// A trench of 4 x 1.2 x 1 m and a score with a row for each group.
static const SceneExercise trench = {
    .kind = EXERCISE_TRENCH,
    .time_limit = 600.0,
    .par_time = 40.0,
    .pass_mark = 70.0,
    .trench =
        {.x = -2.0, .length = 4.0, .width = 1.2, .depth = 1.0, .tolerance = 0.05, .dump_y = 3.0, .dump_radius = 1.0},
    .scores_count = 7,
    .scores = {{.metric = METRIC_REMOVED_SHARE,
                .group = SCORE_GROUP_WORK,
                .weight = 30.0,
                .full = 1.0,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_FINISHED_SHARE,
                .group = SCORE_GROUP_ACCURACY,
                .weight = 10.0,
                .full = 1.0,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_PACE_SHARE,
                .group = SCORE_GROUP_TIME,
                .weight = 10.0,
                .full = 1.0,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_SPILLED_SHARE,
                .group = SCORE_GROUP_SPILL,
                .weight = 10.0,
                .zero = 0.1,
                .of = METRIC_WORK_SHARE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_RELIEF_SHARE,
                .group = SCORE_GROUP_MACHINE,
                .weight = 10.0,
                .zero = 0.1,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_INCIDENT_TOUCH,
                .group = SCORE_GROUP_SAFETY,
                .weight = 20.0,
                .zero = 4.0,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT},
               {.metric = METRIC_TOGETHER_SHARE,
                .group = SCORE_GROUP_SKILL,
                .weight = 10.0,
                .full = 1.0,
                .of = METRIC_SCORE,
                .fail_below = -SCENE_NO_LIMIT,
                .fail_above = SCENE_NO_LIMIT}},
    .rules_count = 1,
    .rules = {{.incident = INCIDENT_TIP_BEGINS, .points = 2.0}},
};

/// Two loads, then 4 s of standing and 6 s of travel: 38 s.
static Site *dig(void)
{
    Site *site = make_site(&trench);
    site->sample.ground = EXERCISE_STIRRED;
    for (int k = 0; k < 2; k++) {
        for (size_t n = 0; n < sizeof load / sizeof *load; n++) {
            work(site, &load[n]);
        }
    }
    work(site, &(Stretch){.seconds = 4.0, .edge = 2.0});
    site->sample.belts[0] = site->sample.belts[1] = 1.0;
    work(site, &(Stretch){.seconds = 6.0, .edge = 2.0});
    return site;
}

TEST(cycles_of_a_trench)
{
    Site *site = dig();
    // A load is what the tool holds when it leaves the cut, low-passed with 0.3 s: 1.25 s after the load fell from 960
    // to 930 kg 0.5 of these 30 are still there. The way back belongs to the next cycle: the first has none. The ground
    // was stirred the whole time: what lies outside the cut was not measured, and nothing is held for more than 10 s.
    const Known known[] = {
        {METRIC_TIME, 38.0, 1e-6},
        {METRIC_CYCLES, 2.0, 0.0},
        {METRIC_MOVED, 0.0, EXACT},
        {METRIC_MEAN_BUCKET, 930.0, 3.0},
        {METRIC_PRODUCTION, 0.0, EXACT},
        {METRIC_CARRIED_CURLED, 1000.0, EXACT},
        {METRIC_CARRIED_CLEAR, 960.0, EXACT},
        {METRIC_CARRIED_SWING, 930.0, EXACT},
        {METRIC_CARRIED_DUMP, 900.0, EXACT},
        {METRIC_MEAN_CYCLE, 0.5 * (11.0 + 14.0), 1e-6},
        {METRIC_DIG_TIME, 5.0, 1e-6},
        {METRIC_SWING_TIME, 4.0, 1e-6},
        {METRIC_DUMP_TIME, 2.0, 1e-6},
        {METRIC_RETURN_TIME, 1.5, 1e-6},
        {METRIC_DIG_TOTAL, 10.0, 1e-6},
        {METRIC_SWING_TOTAL, 8.0, 1e-6},
        {METRIC_DUMP_TOTAL, 4.0, 1e-6},
        {METRIC_RETURN_TOTAL, 6.0, 1e-6},
        {METRIC_IDLE_TOTAL, 4.0, 1e-6},
        {METRIC_TRAVEL_TOTAL, 6.0, 1e-6},
        {METRIC_HELD, 0.0, EXACT},
    };
    CHECK(site, known);
    free_site(site);
}

TEST(use_of_the_machine)
{
    Site *site = dig();
    // Ten minutes are what relief and slip are shares of, at least. Each lever turns from + to - and back.
    const Known known[] = {
        {METRIC_RELIEF_TIME, 4.0, 1e-6},     {METRIC_RELIEF_SHARE, 4.0 / 600.0, 1e-9},
        {METRIC_SLIP_TIME, 1.0, 1e-6},       {METRIC_SLIP_SHARE, 1.0 / 600.0, 1e-9},
        {METRIC_STALL_TIME, 4.0, 1e-6},      {METRIC_TIP_TIME, 1.0, 1e-6},
        {METRIC_REVERSALS, 6.0, 0.0},        {METRIC_TOGETHER_SHARE, 5.0 / 28.0, 1e-9},
        {METRIC_TIP_PATH, 2.0 * 16.0, 1e-6}, {METRIC_FUEL, 0.38, 1e-9},
    };
    CHECK(site, known);
    free_site(site);
}

/// Half of the trench is dug to its depth, a quarter 0.2 m too deep; beside it 0.2 m2 lie 0.4 m lower and
/// 0.2 m2 0.3 m higher. Judged are the
/// 38 x 10 columns that lie one within its sides.
static void lay_out(Site *site)
{
    set_ground(site, -2.0, 0.0, -0.6, 0.6, -1.0);
    set_ground(site, 0.0, 1.0, -0.6, 0.6, -1.2);
    set_ground(site, -2.0, -1.0, 0.6, 0.8, -0.4);
    set_ground(site, 0.0, 1.0, -0.8, -0.6, 0.3);
    site->sample.spilled = (ExerciseMoved){80.0, 0.05};
    site->sample.moved = (ExerciseMoved){2000.0, 1.25};
    site->sample.dump_mass = 777.0;
    site->sample.ground = EXERCISE_SETTLED;
}

TEST(ground_of_a_trench)
{
    Site *site = dig();
    lay_out(site);
    drive(site, DT);
    const Known known[] = {
        {METRIC_REMOVED_SHARE, 0.75, 1e-6},
        {METRIC_WORK_SHARE, 0.75, 1e-6},
        {METRIC_PACE_SHARE, 0.75 * 40.0 / 38.05, 1e-6},
        {METRIC_MEAN_DEPTH, (19.0 * 1.0 + 10.0 * 1.2) / 38.0, 1e-6},
        {METRIC_DUG_LENGTH, 3.0, 1e-6},
        {METRIC_DUG_WIDTH, 1.2, 1e-6},
        {METRIC_WORST_ERROR, -0.2, 1e-6},
        {METRIC_RMS_ERROR, sqrt(10.0 * 0.04 / 29.0), 1e-6},
        {METRIC_WITHIN_SHARE, 19.0 / 29.0, 1e-6},
        {METRIC_FINISHED_SHARE, 19.0 / 38.0, 1e-6},
        {METRIC_OVERDIG, 0.15 * 1.2, 1e-5},
        {METRIC_OVERDIG_SHARE, 0.15 * 1.2 / 4.8, 1e-5},
        {METRIC_OUTSIDE_DUG, 0.4 * 0.2, 1e-5},
        {METRIC_SETBACK, 0.3 * 0.2, 1e-5},
        {METRIC_DUMPED, 777.0, EXACT},
        {METRIC_SPILLED, 80.0, EXACT},
        {METRIC_SPILLED_SHARE, 0.04, EXACT},
        {METRIC_MOVED, 2000.0, EXACT},
        {METRIC_DELIVERED_SHARE, 0.96, EXACT},
        {METRIC_PRODUCTION, 1.2 / 38.05 * 3600.0, 1e-3},
        {METRIC_HELD, 0.0, EXACT},
    };
    CHECK(site, known);
    free_site(site);
}

/// One row a group: 22.5, 5, 7.9, 10 x 0.6 x 0.75, 10 x 14/15, 15 and 1.8 points; the tip takes 2.
TEST(points_of_a_trench)
{
    Site *site = dig();
    lay_out(site);
    drive(site, DT);
    exercise_report(site->exercise, INCIDENT_TOUCH, &(ExerciseEvent){.thing = {THING_FIXTURE, 0, "wall"}});
    exercise_report(site->exercise, INCIDENT_TIP_BEGINS, &(ExerciseEvent){0});
    double pace = 7.5 * 40.0 / 38.05, relief = 10.0 * (1.0 - 4.0 / 60.0), skill = 50.0 / 28.0;
    double sum = 22.5 + 5.0 + pace + 4.5 + relief + 15.0 + skill;
    const Known known[] = {
        {METRIC_POINTS_WORK, 22.5, 1e-5},
        {METRIC_POINTS_ACCURACY, 5.0, 1e-5},
        {METRIC_POINTS_TIME, pace, 1e-5},
        {METRIC_POINTS_SPILL, 4.5, 1e-6},
        {METRIC_POINTS_MACHINE, relief, 1e-6},
        {METRIC_POINTS_SAFETY, 15.0, EXACT},
        {METRIC_POINTS_SKILL, skill, 1e-6},
        {METRIC_POINTS_INCIDENTS, -2.0, EXACT},
        {METRIC_SCORE, floor(10.0 * (sum - 2.0)) / 10.0, 1e-9},
        {METRIC_FINISHED, 0.0, EXACT},
        {METRIC_PASSED, 0.0, EXACT},
    };
    CHECK(site, known);
    set_ground(site, -2.0, 2.0, -0.6, 0.6, -1.0);
    drive(site, DT);
    const Known finished[] = {
        {METRIC_FINISHED, 1.0, EXACT}, {METRIC_PASSED, 1.0, EXACT}, {METRIC_WORK_SHARE, 1.0, 1e-6}};
    CHECK(site, finished);
    free_site(site);
}

/// ---- trucks, incidents, tasks, surfaces ----------------------------------------------------------------------------

TEST(loads_of_trucks)
{
    Site *site = make_site(&(SceneExercise){
        .kind = EXERCISE_TRUCK_LOADING, .time_limit = 600.0, .truck = {.target_mass = 4000.0}, .haul = {.trucks = 1}});
    site->sample.beds[0].mass = 3000.0;
    drive(site, DT);
    const Known part[] = {{METRIC_LOADED, 3000.0, EXACT},
                          {METRIC_TARGET_SHARE, 0.75, EXACT},
                          {METRIC_COMPLETE_SHARE, 0.0, EXACT},
                          {METRIC_OVERLOAD_SHARE, 0.0, EXACT},
                          {METRIC_WORK_SHARE, 0.75, EXACT}};
    CHECK(site, part);
    site->sample.beds[0].mass = 4400.0;
    site->sample.delivered = 2500.0;
    site->sample.truck_loads = 2;
    site->sample.truck_passes = 9;
    drive(site, DT);
    const Known all[] = {{METRIC_LOADED, 4400.0, EXACT},      {METRIC_TARGET_SHARE, 1.1, EXACT},
                         {METRIC_COMPLETE_SHARE, 1.0, EXACT}, {METRIC_OVERLOAD_SHARE, 0.1, 1e-9},
                         {METRIC_WORK_SHARE, 1.0, EXACT},     {METRIC_DELIVERED, 2500.0, EXACT},
                         {METRIC_TRUCK_LOADS, 2.0, EXACT},    {METRIC_PASSES, 4.5, EXACT}};
    CHECK(site, all);
    free_site(site);
}

/// True for incidents that end an attempt whatever its rules are.
static bool ends_any_attempt(int incident)
{
    return incident == INCIDENT_TIPPED_OVER || incident == INCIDENT_PERSON_HIT || incident == INCIDENT_PERSON_BURIED ||
           incident == INCIDENT_FLOODED || incident == INCIDENT_GAS_PIPE_BROKEN || incident == INCIDENT_CABLE_HIT;
}

/// The first of them counts, and nothing after it.
TEST(incidents_that_end_an_attempt_are_counted_once)
{
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0});
        drive(site, DT);
        for (int n = 0; n < 2; n++) {
            exercise_report(site->exercise, (Incident)k, &(ExerciseEvent){0});
        }
        const Known known[] = {{METRIC_INCIDENT_TOUCH + k, ends_any_attempt(k) ? 1.0 : 2.0, 0.0}};
        CHECK(site, known);
        assert_int_equal(exercise_cause(site->exercise), ends_any_attempt(k) ? k : INCIDENT_COUNT);
        free_site(site);
    }
}

/// Each kind of incident is reported once more often than the kind before; whoever tips over ends the attempt.
TEST(incidents_are_counted)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .expose = "gas"});
    Known known[INCIDENT_COUNT];
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        int times = k == INCIDENT_TIPPED_OVER ? 1 : ends_any_attempt(k) ? 0 : k + 1;
        known[k] = (Known){METRIC_INCIDENT_TOUCH + k, times, 0.0};
        ExerciseEvent pipe_touch = {.thing = {THING_FIXTURE, 0, "gas pipe"}};
        pipe_touch.number.energy = k == INCIDENT_TOUCH ? 4e3 : 0.0;
        for (int n = 0; n < times && k != INCIDENT_TIPPED_OVER; n++) {
            exercise_report(site->exercise, (Incident)k, &pipe_touch);
        }
    }
    exercise_report(site->exercise, INCIDENT_TOUCH,
                    &(ExerciseEvent){.thing = {THING_FIXTURE, 1, "wall"}, .number.energy = 9e3});
    known[INCIDENT_TOUCH].value++;
    site->sample.exposed = 0.6;
    drive(site, DT);
    exercise_report(site->exercise, INCIDENT_TIPPED_OVER, &(ExerciseEvent){0});
    CHECK(site, known);
    const Known pipe[] = {{METRIC_EXPOSED_SHARE, 0.6, EXACT}, {METRIC_STRUCK, 4.0, EXACT}, {METRIC_PASSED, 0.0, EXACT}};
    CHECK(site, pipe);
    free_site(site);
}

/// Of 900 kg of rocks 600 kg lie in their circle; in a tick in which nobody looks they stay what they were.
TEST(rocks_are_placed)
{
    Site *site = make_site(&(SceneExercise){
        .kind = EXERCISE_TASKS, .time_limit = 600.0, .rock_place = {.x = 1.0, .y = 2.0, .radius = 3.0}});
    site->sample.rocks = (ExerciseRocks){.placing = true, .mass = 900.0, .placed = 600.0};
    drive(site, DT);
    site->sample.rocks = (ExerciseRocks){.seen = false};
    drive(site, DT);
    const Known known[] = {{METRIC_ROCKS_PLACED, 2.0 / 3.0, EXACT}};
    CHECK(site, known);
    free_site(site);
}

/// Tools that were laid down, taken and lost are counted.
TEST(tools_are_counted)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .tools_count = 2});
    site->sample.tools = (ExerciseTools){.laid = 3, .taken = 2, .dropped = 1};
    drive(site, DT);
    const Known known[] = {
        {METRIC_TOOLS_LAID, 3.0, 0.0}, {METRIC_TOOLS_TAKEN, 2.0, 0.0}, {METRIC_TOOLS_DROPPED, 1.0, 0.0}};
    CHECK(site, known);
    free_site(site);
}

/// Three rocks of 900 kg, one of them, 300 kg, too large; in a tick in which nobody looks they stay what they were.
TEST(rocks_are_measured)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .oversize = 0.5});
    site->sample.rocks = (ExerciseRocks){.seen = true, .count = 3, .largest = 0.6, .mass = 900.0, .oversize = 300.0};
    drive(site, DT);
    const Known known[] = {
        {METRIC_ROCKS_COUNT, 3.0, 0.0}, {METRIC_LARGEST_ROCK, 0.6, EXACT}, {METRIC_OVERSIZE_SHARE, 1.0 / 3.0, EXACT}};
    CHECK(site, known);
    site->sample.rocks = (ExerciseRocks){.count = 9};
    drive(site, DT);
    CHECK(site, known);
    free_site(site);
}

/// What broke between two looks counts when the ripper alone was in the ground: not what the blade cut with the ripper
/// up, nor what breaks while both are in the ground.
TEST(what_the_blade_cuts_is_not_ripped)
{
    static const struct {
        double point;
        bool blade_up;
        double ripped; ///< share after 1 s in which a tenth of the ground breaks, 3 cm deep
    } works[] = {{0.35, false, 0.0}, {-0.3, false, 0.0}, {-0.05, true, 0.0}, {-0.3, true, 0.1}};
    Site *site =
        make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .rip = {.width = 2.0, .depth = 0.3}});
    for (int k = 0; k < 4; k++) {
        double broken = 0.1 * (k + 1);
        site->sample.ripping = (ExerciseRipping){.seen = true,
                                                 .share = broken,
                                                 .depth = 0.3 * broken,
                                                 .blade_up = works[k].blade_up,
                                                 .point = works[k].point};
        drive(site, 1.0);
        const Known known[] = {{METRIC_RIPPED_SHARE, works[k].ripped, 1e-12},
                               {METRIC_RIPPED_DEPTH, 0.3 * works[k].ripped, 1e-12}};
        CHECK(site, known);
    }
    free_site(site);
}

/// The share and the depth stay what they were in a tick in which nobody looks. The ripper is 0.3 m deep for 2 s of
/// backing and for 1 s of turning on the spot; ahead, and with the point at 0.05 m, it may be.
TEST(ripping_is_measured)
{
    Site *site =
        make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .rip = {.width = 2.0, .depth = 0.3}});
    static const struct {
        double seconds, point, belts[2];
    } drives[] = {{5.0, -0.3, {0.8, 0.8}},
                  {2.0, -0.3, {-0.5, -0.5}},
                  {1.0, -0.3, {-0.4, 0.4}},
                  {3.0, -0.05, {-0.8, -0.8}},
                  {4.0, 0.5, {-1.0, -1.0}}};
    for (size_t k = 0; k < sizeof drives / sizeof *drives; k++) {
        site->sample.ripping = (ExerciseRipping){
            .seen = k == 0, .share = 0.4 - 0.1 * (double)k, .depth = 0.14, .blade_up = true, .point = drives[k].point};
        site->sample.belts[0] = drives[k].belts[0];
        site->sample.belts[1] = drives[k].belts[1];
        drive(site, drives[k].seconds);
    }
    const Known known[] = {
        {METRIC_RIPPED_SHARE, 0.4, EXACT}, {METRIC_RIPPED_DEPTH, 0.14, EXACT}, {METRIC_RIPPER_DRAGGED, 3.0, 1e-6}};
    CHECK(site, known);
    free_site(site);
}

/// Of two loads both were lifted and one lies at its place; swing, impact and share of tipping are the most of three
/// ticks, what lies is as it is in the last of them.
TEST(loads_are_measured)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0, .loads_count = 2});
    static const ExerciseLoads seen[] = {
        {.lifted = 1, .offset = 5.0, .heading = 1.0, .swing = 10.0 * M_PI / 180.0, .impact = 0.0, .share = 0.3},
        {.lifted = 1, .offset = 5.0, .heading = 1.0, .swing = 12.0 * M_PI / 180.0, .impact = 0.25, .share = 0.4},
        {.lifted = 2, .placed = 1, .offset = 0.2, .heading = 3.0 * M_PI / 180.0, .impact = 0.1, .share = 0.1},
    };
    for (int k = 0; k < 3; k++) {
        site->sample.loads = seen[k];
        drive(site, DT);
    }
    const Known known[] = {{METRIC_LOADS_LIFTED, 1.0, EXACT}, {METRIC_LOADS_PLACED, 0.5, EXACT},
                           {METRIC_LOAD_OFFSET, 0.2, EXACT},  {METRIC_LOAD_HEADING, 3.0, EXACT},
                           {METRIC_LOAD_SWING, 12.0, EXACT},  {METRIC_LOAD_IMPACT, 0.25, EXACT},
                           {METRIC_TIPPING_SHARE, 0.4, EXACT}};
    CHECK(site, known);
    free_site(site);
}

TEST(a_walk_and_a_start_up_are_taken_over)
{
    SceneExercise asked = {.kind = EXERCISE_TASKS, .time_limit = 600.0};
    asked.walk_round.things_count = 4;
    asked.start_up.switches = SCENE_SWITCHES_ON;
    Site *site = make_site(&asked);
    site->sample.walk = (ExerciseWalk){.looked = 0.75, .found = 0.5, .false_reports = 1.0, .early = 1.0, .seated = 1.0};
    site->sample.start_up = (ExerciseStartUp){
        .running = 1.0, .lever_down = 1.0, .horn_first = 1.0, .warm = 0.25, .cold_relief = 3.5, .parked = 1.0};
    drive(site, DT);
    const Known known[] = {
        {METRIC_LOOKED_SHARE, 0.75, EXACT}, {METRIC_FOUND_SHARE, 0.5, EXACT}, {METRIC_FALSE_REPORTS, 1.0, EXACT},
        {METRIC_EARLY_START, 1.0, EXACT},   {METRIC_SEATED, 1.0, EXACT},      {METRIC_ENGINE_RUNNING, 1.0, EXACT},
        {METRIC_LEVER_DOWN, 1.0, EXACT},    {METRIC_HORN_FIRST, 1.0, EXACT},  {METRIC_WARM_SHARE, 0.25, EXACT},
        {METRIC_COLD_RELIEF, 3.5, EXACT},   {METRIC_PARKED, 1.0, EXACT}};
    CHECK(site, known);
    free_site(site);
}

/// A hundred more notes come than there is room for.
TEST(events_without_room_are_counted)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 600.0});
    int room = 0;
    const ExerciseEvent note = {.tick = 1, .kind = EVENT_RELIEF};
    exercise_note_event(site->exercise, &note);
    while (exercise_event_count(site->exercise) > room) {
        room = exercise_event_count(site->exercise);
        exercise_note_event(site->exercise, &note);
    }
    for (int k = 0; k < 99; k++) {
        exercise_note_event(site->exercise, &note);
    }
    const Known known[] = {{METRIC_EVENTS_LOST, 100.0, 0.0}};
    CHECK(site, known);
    free_site(site);
}

/// Two of four targets: the first 0.1 m off after 2 s and held for one, the second 0.3 m off 4 s later. One of two
/// questions is answered rightly. One of three steps is done, another halfway.
TEST(targets_questions_and_steps)
{
    SceneExercise asked = {.kind = EXERCISE_TASKS,
                           .time_limit = 600.0,
                           .par_time = 3.5,
                           .targets_count = 4,
                           .questions_count = 2,
                           .questions = {{.answers_count = 2, .right = 2}, {.answers_count = 3, .right = 1}},
                           .steps_count = 3,
                           .steps = {{.metric = METRIC_TARGETS_REACHED, .least = 2.0, .most = SCENE_NO_LIMIT},
                                     {.metric = METRIC_TARGETS_REACHED, .least = 4.0, .most = SCENE_NO_LIMIT},
                                     {.metric = METRIC_CYCLES, .least = 1.0, .most = SCENE_NO_LIMIT}}};
    for (int k = 0; k < 4; k++) {
        asked.targets[k] = (SceneTarget){.x = 2.0 * k, .z = 1.0, .radius = 0.5, .hold = 1.0};
    }
    Site *site = make_site(&asked);
    site->sample.answer = 2;
    drive(site, DT);
    site->sample.answer = 0;
    drive(site, DT);
    site->sample.answer = 2;
    drive(site, DT);
    double asking = 3 * DT;
    drive(site, 1.0);
    site->sample.tip = vec3(0.1, 0.0, 1.0);
    drive(site, 1.0);
    site->sample.tip = vec3(1.0, 0.0, 1.0);
    drive(site, 3.0);
    site->sample.tip = vec3(2.0, 0.3, 1.0);
    drive(site, 1.0);
    const Known known[] = {
        {METRIC_TARGETS_REACHED, 2.0, 0.0},    {METRIC_TARGETS_SHARE, 0.5, EXACT},
        {METRIC_TARGET_TIME, 3.0, 2.0 * DT},   {METRIC_TARGET_ERROR, 0.2, EXACT},
        {METRIC_QUESTIONS_ANSWERED, 2.0, 0.0}, {METRIC_QUESTIONS_SHARE, 0.5, EXACT},
        {METRIC_STEPS_DONE, 1.0, 0.0},         {METRIC_STEPS_SHARE, 0.5, EXACT},
        {METRIC_WORK_SHARE, 0.5, EXACT},       {METRIC_PACE_SHARE, 0.5 * 3.5 / (6.0 + asking), 1e-6},
    };
    CHECK(site, known);
    free_site(site);
}

/// A level of -0.2 m over 4 x 2 m, tolerance 0.05 m: of the 38 x 18 columns within its sides half are right, 10 x 18
/// are 0.1 m too deep, 9 x 18 untouched.
TEST(errors_of_a_surface)
{
    Site *site = make_site(
        &(SceneExercise){.kind = EXERCISE_TASKS,
                         .time_limit = 600.0,
                         .surface = {.tolerance = 0.05,
                                     .compaction = 0.9,
                                     .parts_count = 1,
                                     .parts = {{.x = -2.0, .length = 4.0, .width = 2.0, .z = -0.2, .far_z = -0.2}}}});
    site->sample.compacted = 0.25; // as it was last seen
    drive(site, DT);
    site->sample.compacted = -1.0;
    set_ground(site, -2.0, 0.0, -1.0, 1.0, -0.2);
    set_ground(site, 0.0, 1.0, -1.0, 1.0, -0.3);
    site->sample.ground = EXERCISE_SETTLED;
    drive(site, DT);
    double column = 18.0 * SPACING * SPACING;
    const Known known[] = {
        {METRIC_SURFACE_WITHIN, 19.0 / 38.0, 1e-6},
        {METRIC_SURFACE_CUT, 0.2 * 9.0 * column, 1e-5},
        {METRIC_SURFACE_FILL, 0.1 * 10.0 * column, 1e-5},
        {METRIC_SURFACE_OVERDIG, 0.05 * 10.0 * column, 1e-5},
        {METRIC_SURFACE_RMS, sqrt((0.01 * 10.0 + 0.04 * 9.0) / 38.0), 1e-6},
        {METRIC_SURFACE_WORST, 0.2, 1e-6},
        {METRIC_SURFACE_WORK, 1.0 - 9.0 / 38.0, 1e-5},
        {METRIC_COMPACTION_SHARE, 0.25, EXACT},
    };
    CHECK(site, known);
    free_site(site);
}

/// ---- swings --------------------------------------------------------------------------------------------------------

/// The edge moves along a line on the way of least jerk (Flash and Hogan 1985) while the house turns evenly.
static void swing(Site *site, double angle, double way, double time)
{
    double from = site->sample.tip.x;
    int ticks = (int)lround(time / DT);
    site->sample.swing_speed = angle / time;
    for (int k = 1; k <= ticks; k++) {
        double s = (double)k / ticks;
        site->sample.tip.x = from + way * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        drive(site, DT);
    }
    site->sample.swing_speed = 0.0;
}

/// A swing of 60 degrees in 15 s, its edge on the smoothest way: -ln(720 / 1.875^2) = -5.32, of which the low pass
/// takes 0.06. Three degrees are turned back.
TEST(smoothness_and_overshoot_of_a_swing)
{
    Site *site = make_site(&(SceneExercise){.kind = EXERCISE_FREE, .time_limit = 600.0});
    swing(site, M_PI / 3.0, 6.0, 15.0);
    drive(site, 0.6);
    swing(site, -M_PI / 60.0, 0.0, 1.0);
    drive(site, 2.0);
    const Known known[] = {{METRIC_OVERSHOOT, 3.0, 0.01}, {METRIC_SMOOTHNESS, -log(720.0 / 1.875 / 1.875), 0.07}};
    CHECK(site, known);
    free_site(site);
}

/// ---- all of them ---------------------------------------------------------------------------------------------------

TEST(no_figure_is_without_a_script)
{
    for (int k = 0; k < METRIC_COUNT; k++) {
        if (!covered[k]) {
            fail_msg("no script is about %s", metric_infos[k].name);
        }
    }
}

TEST_GROUP(NULL, NULL)
