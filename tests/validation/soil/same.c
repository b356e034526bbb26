/// What must be the same however it is turned, placed and timed: a tool that is drawn through level ground, and loose
/// soil that slides.
///
/// Each row is a set-up that differs in one thing from the others of its group: heading, mirror, place within a column,
/// place against the borders of tiles, tick rate, column spacing (with the same grains), speed, a pause half-way. What
/// the tool feels is compared with the mean of its group, or with the first row where that is the usual case, and the
/// difference is also given in standard errors of the mean over the places where the tool begins. Undisturbed ground is
/// one endless packing, so a place is a specimen.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/site.h"
#include "tests/validation/rigs/soil/tow.h"
#include "tests/validation/soil/same_exercise.h"

static const ExperimentOption options[] = {
    {"case", 0, 0, 0, "", "which tool is drawn, or the pile, or whole exercises",
     "all|blade|upright|bucket|pile|exercise"},
    {"group", 0, 0, 0, "", "what is varied (of the pile: rate, column; of exercises: all)",
     "all|heading|place|tile|rate|column|speed|pause"},
    {"starts", 6, 1, 40, "", "places where the tool begins, of which the mean is taken (quick: 2)", NULL},
    {"travel", 2.5, 0.5, 6, "m", "way of the tool (quick: 1)", NULL},
    {"loam_depth", 0.15, 0.05, 0.4, "m", "of the blade and the bucket, which are drawn through loam", NULL},
    {"sand_depth", 0.2, 0.05, 0.4, "m", "of the upright blade, which is drawn through sand", NULL},
    {"width", 1.0, 0.3, 4, "m", "of the blades", NULL},
    {"exercise", 0, 0, 0, "", "which one is turned and mirrored (quick: without the truck)",
     "all|trench|truck-loading|slot-dozing"},
    {"driven", 0, 0, 0, "", "by recorded levers or by the scripted operator", "levers|operator|all"},
    {"drives", 6, 2, 20, "", "of each form of an exercise, of which the mean is taken (quick: 3)", NULL},
    {"seconds", 30, 2, 1200, "s", "that recorded levers drive (quick: 15)", NULL},
    {"operator_time", 0, 0, 1200, "s", "that the scripted operator drives; 0: to the end", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { CASES = 3, MOST_ROWS = 8, MOST_STARTS = 40 };

#define RADIUS       0.05 ///< m: of a grain where column spacing is not varied
#define FINE_RADIUS  0.025 ///< m: of a grain where it is
#define SPEED        0.3 ///< m/s where it is not varied
#define NEXT_ALONG   0.618 ///< of the packing's period, from one start to the next
#define NEXT_ASIDE   0.37 ///< the same to the side
#define PERIOD       0.8 ///< m: over which starts are spread
#define ALLOWED      0.04 ///< of the draft
#define SIDE_ALLOWED 0.03 ///< of the draft: force to the side

typedef struct Case {
    const char *name, *soil;
    TowTool tool;
    double rake; ///< rad
} Case;

static const Case cases[CASES] = {
    {"blade", "loam", TOW_BLADE, 0.25 * M_PI},
    {"upright", "sand", TOW_BLADE, 0.5 * M_PI},
    {"bucket", "loam", TOW_BUCKET, 0.0},
};

/// One set-up of a group.
typedef struct Row {
    char name[32];
    Tow tow;
} Row;

typedef struct Group {
    const char *name;
    double allowed; ///< of the draft
    bool by_first; ///< compared with the first row, else with the mean of all
    void (*vary)(int row, Row *to); ///< from the usual set-up
    int rows;
} Group;

static void vary_heading(int row, Row *to)
{
    static const double degrees[] = {0.0, 30.0, 45.0, 90.0, 180.0, 30.0, 90.0};
    bool mirrored = row >= 5;
    to->tow.heading = degrees[row] * M_PI / 180.0;
    to->tow.mirrored = mirrored;
    snprintf(to->name, sizeof to->name, "heading %g%s", degrees[row], mirrored ? ", mirrored" : "");
}

/// Eighths of a column to the side: the starts then differ by whole columns.
static void vary_place(int row, Row *to)
{
    to->tow.aside = row / 8.0 * to->tow.spacing;
    snprintf(to->name, sizeof to->name, "%d/8 of a column aside", row);
}

/// The middle of its way on the border between two tiles of 32 columns, and half a tile beside it.
static void vary_tile(int row, Row *to)
{
    double columns = floor((to->tow.travel + 4.0) / to->tow.spacing + 0.5), border = floor(columns / 64.0) * 32.0;
    to->tow.aside = (border - 0.5 * columns + 16.0 * row) * to->tow.spacing;
    snprintf(to->name, sizeof to->name, "%s", row == 0 ? "on a tile's border" : "in a tile's middle");
}

static void vary_rate(int row, Row *to)
{
    static const int rates[] = {60, 30, 120, 240};
    to->tow.tick_rate = rates[row];
    snprintf(to->name, sizeof to->name, "%d ticks a second", rates[row]);
}

static void vary_column(int row, Row *to)
{
    static const double spacings[] = {0.1, 0.05, 0.2};
    to->tow.spacing = spacings[row];
    to->tow.radius = FINE_RADIUS;
    snprintf(to->name, sizeof to->name, "columns of %g m", spacings[row]);
}

static void vary_speed(int row, Row *to)
{
    static const double speeds[] = {0.3, 0.01, 0.03, 0.1, 0.5};
    to->tow.speed = speeds[row];
    snprintf(to->name, sizeof to->name, "%g m/s", speeds[row]);
}

static void vary_pause(int row, Row *to)
{
    static const double seconds[] = {0.0, 2.0, 10.0};
    to->tow.pause = seconds[row];
    snprintf(to->name, sizeof to->name, "%g s of pause", seconds[row]);
}

static const Group groups[] = {
    {"heading", ALLOWED, false, vary_heading, 7},     {"place", ALLOWED, false, vary_place, 8},
    {"tile", ALLOWED, false, vary_tile, 2},           {"rate", ALLOWED, true, vary_rate, 4},
    {"column", 2.0 * ALLOWED, false, vary_column, 3}, {"speed", ALLOWED, true, vary_speed, 5},
    {"pause", ALLOWED, true, vary_pause, 3},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/// What is measured of a row.
typedef enum Quantity { DRAFT, SIDE, LIFT, YAW, PAYLOAD, DUG, REGAINED, QUANTITIES } Quantity;

/// What one row measured, over its starts.
typedef struct Measured {
    Statistics of[QUANTITIES];
    int grains; ///< most at once
} Measured;

static bool measure_row(Run *run, const Group *group, const Row *row, int starts, Measured *measured)
{
    memset(measured, 0, sizeof *measured);
    bool whole = group->vary == vary_place || group->vary == vary_tile; // columns from one start to the next
    for (int k = 0; k < starts; k++) {
        Tow tow = row->tow;
        TowForces forces;
        double aside = (fmod(k * NEXT_ASIDE, 1.0) - 0.5) * PERIOD;
        tow.along += (fmod(k * NEXT_ALONG, 1.0) - 0.5) * PERIOD;
        if (group->vary != vary_tile) {
            tow.aside += whole ? round(aside / tow.spacing) * tow.spacing : aside;
        }
        if (!tow_run(run, &tow, &forces)) {
            return false;
        }
        const double values[QUANTITIES] = {
            [DRAFT] = forces.draft, [SIDE] = forces.side,       [LIFT] = forces.lift,        [YAW] = forces.yaw,
            [DUG] = forces.dug,     [PAYLOAD] = forces.payload, [REGAINED] = forces.regained};
        for (int q = 0; q < QUANTITIES; q++) {
            statistics_add(&measured->of[q], values[q]);
        }
        measured->grains = forces.grains > measured->grains ? forces.grains : measured->grains;
    }
    return true;
}

/// What the rows of a group are compared with.
static void find_references(const Group *group, const Measured *measured, double references[QUANTITIES])
{
    for (int q = 0; q < QUANTITIES; q++) {
        double sum = 0.0;
        for (int k = 0; k < group->rows; k++) {
            sum += statistics_mean(&measured[k].of[q]);
        }
        references[q] = group->by_first ? statistics_mean(&measured[0].of[q]) : sum / group->rows;
    }
}

/// A quantity of a row: its difference from the reference over `unit`, and over its standard error.
static void tell_share(Run *run, const char *name, const char *what, const Statistics *one, double reference,
                       double unit, double allowed)
{
    char text[112];
    double off = statistics_mean(one) - reference;
    double error = statistics_deviation(one) / sqrt(fmax(one->count - 1.0, 1.0));
    snprintf(text, sizeof text, "%s: %s over its reference", name, what);
    if (allowed > 0.0) {
        run_result(run, text, "", 1.0 + off / unit, 1.0, allowed);
    } else {
        run_note(run, text, "", 1.0 + off / unit);
    }
    snprintf(text, sizeof text, "%s: %s, difference over scatter", name, what);
    run_note(run, text, "", error > 0.0 ? off / error : 0.0);
}

static void tell_row(Run *run, const Case *chosen, const Group *group, const Row *row, const Measured *measured,
                     const double references[QUANTITIES])
{
    char name[48], text[112];
    double draft = references[DRAFT],
           allowed = row->tow.speed > SPEED ? 0.0 : group->allowed; // there inertia adds to it
    snprintf(name, sizeof name, "%.8s, %.31s", chosen->name, row->name);
    snprintf(text, sizeof text, "%s: draft", name);
    run_note(run, text, "N", statistics_mean(&measured->of[DRAFT]));
    tell_share(run, name, "draft", &measured->of[DRAFT], draft, draft, allowed);
    tell_share(run, name, "lift in drafts", &measured->of[LIFT], references[LIFT], draft, allowed);
    snprintf(text, sizeof text, "%s: side force over draft", name);
    run_result(run, text, "", statistics_mean(&measured->of[SIDE]) / draft, 0.0, SIDE_ALLOWED);
    snprintf(text, sizeof text, "%s: yaw moment over draft", name);
    run_note(run, text, "m", statistics_mean(&measured->of[YAW]) / draft);
    tell_share(run, name, "dug", &measured->of[DUG], references[DUG], references[DUG], allowed);
    if (chosen->tool == TOW_BUCKET) {
        tell_share(run, name, "payload", &measured->of[PAYLOAD], references[PAYLOAD], references[PAYLOAD], allowed);
    }
    if (row->tow.pause > 0.0) {
        snprintf(text, sizeof text, "%s: draft of the next 0.1 m over the same without", name);
        run_result(run, text, "", statistics_mean(&measured->of[REGAINED]) / references[REGAINED], 1.0, allowed);
    }
    snprintf(text, sizeof text, "%s: most grains", name);
    run_note(run, text, "", measured->grains);
}

static bool run_group(Run *run, const Case *chosen, const Tow *usual, const Group *group, int starts)
{
    Row rows[MOST_ROWS] = {0};
    Measured measured[MOST_ROWS] = {0};
    double references[QUANTITIES];
    for (int k = 0; k < group->rows; k++) {
        rows[k].tow = *usual;
        group->vary(k, &rows[k]);
        if (!measure_row(run, group, &rows[k], starts, &measured[k])) {
            return false;
        }
    }
    find_references(group, measured, references);
    for (int k = 0; k < group->rows; k++) {
        tell_row(run, chosen, group, &rows[k], &measured[k], references);
    }
    return true;
}

static bool run_case(Run *run, const Case *chosen, int starts)
{
    SoilParams soil;
    ToolShape bucket;
    if (!run_load_soil(run, chosen->soil, &soil) || !site_load_bucket(run, "excavator-22t", "own", &bucket, NULL)) {
        return false;
    }
    Tow usual = {.soil = &soil,
                 .tool = chosen->tool,
                 .bucket = &bucket,
                 .rake = chosen->rake,
                 .width = option_number(run, "width"),
                 .depth = option_number(run, strcmp(chosen->soil, "sand") == 0 ? "sand_depth" : "loam_depth"),
                 .speed = SPEED,
                 .travel = option_number(run, "travel"),
                 .tick_rate = 60,
                 .spacing = 2.0 * RADIUS,
                 .radius = RADIUS};
    for (int g = 0; g < GROUPS; g++) {
        if (same_is_chosen(run, "group", groups[g].name) && !run_group(run, chosen, &usual, &groups[g], starts)) {
            return false;
        }
    }
    return true;
}

/// ---- a pile --------------------------------------------------------------------------------------------------------
/// A block of loose sand, steeper than it stands, slides until it rests.

#define PILE_SIDE   2.0 ///< m: of its crest
#define PILE_HEIGHT 1.5 ///< m
#define PILE_SLOPE  (75.0 * M_PI / 180.0)
#define PILE_SITE   12.0 ///< m
#define PILE_TIME   120.0 ///< s, at most
#define PILE_NEAR   0.95 ///< of the way that the soil has slid at the end

typedef struct Pile {
    double rest, near; ///< s: until nothing slides any more, and until most of the way is done
    double reach; ///< m: mean distance of the soil from the middle at the end, over that at the start
} Pile;

/// m: mean distance from the middle of what lies over the level.
static double pile_spread(const Soil *soil)
{
    SoilGridView grid = soil_get_grid(soil);
    double volume = 0.0, moment = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing;
        double y = grid.origin_y + (double)(k / grid.columns) * grid.spacing,
               height = fmax(0.0, (double)grid.height[k]);
        volume += height;
        moment += height * sqrt(x * x + y * y);
    }
    return moment / volume;
}

static bool run_pile(Run *run, const SoilParams *soil, int tick_rate, double spacing, Pile *pile)
{
    SiteForm form = {.size_x = PILE_SITE, .size_y = PILE_SITE, .depth = 1.0, .radius = 0.5 * spacing, .budget = 100};
    SceneParams scene = site_scene(run, soil, &form);
    scene.rates = (SceneRates){.tick_rate = tick_rate, .substeps = TOW_SUBSTEPS / tick_rate};
    scene.ground.earthwork_count = 1;
    scene.ground.earthworks[0] = (SceneEarthwork){.shape = SCENE_EARTHWORK_BANK,
                                                  .length = PILE_SIDE,
                                                  .width = PILE_SIDE,
                                                  .height = PILE_HEIGHT,
                                                  .slope = PILE_SLOPE,
                                                  .loose = true};
    Soil *body = run_create_soil(run, &scene);
    if (body == NULL) {
        return false;
    }
    int most = (int)(PILE_TIME * tick_rate), count = 0;
    double *spread = calloc((size_t)most + 1, sizeof *spread);
    if (spread == NULL) {
        abort();
    }
    spread[0] = pile_spread(body);
    do {
        Wrench wrench;
        soil_begin_tick(body, NULL, 0, 1.0 / tick_rate);
        for (int k = 0; k < scene.rates.substeps; k++) {
            soil_substep(body, NULL, 0, 1.0 / TOW_SUBSTEPS, &wrench);
        }
        soil_end_tick(body, NULL, 0);
        spread[++count] = pile_spread(body);
    } while (count < most && (count < tick_rate || soil_get_counters(body).active_columns > 0));
    int near = 0;
    while (spread[near] - spread[0] < PILE_NEAR * (spread[count] - spread[0])) {
        near++;
    }
    *pile = (Pile){(double)count / tick_rate, (double)near / tick_rate, spread[count]};
    free(spread);
    soil_destroy(body);
    return true;
}

static void tell_pile(Run *run, const char *name, const Pile *pile, const Pile *usual, double allowed)
{
    char text[96];
    snprintf(text, sizeof text, "pile, %s: time until nothing slides", name);
    run_note(run, text, "s", pile->rest);
    snprintf(text, sizeof text, "pile, %s: time of 0.95 of its way over the usual", name);
    run_result(run, text, "", pile->near / usual->near, 1.0, allowed);
    snprintf(text, sizeof text, "pile, %s: time until nothing slides over the usual", name);
    run_result(run, text, "", pile->rest / usual->rest, 1.0, allowed);
    snprintf(text, sizeof text, "pile, %s: mean distance from its middle over the usual", name);
    run_result(run, text, "", pile->reach / usual->reach, 1.0, 0.02);
}

static bool run_piles(Run *run)
{
    static const int rates[] = {30, 120, 240};
    static const double spacings[] = {0.05, 0.2};
    SoilParams soil;
    Pile usual, pile;
    if (!run_load_soil(run, "sand", &soil) || !run_pile(run, &soil, 60, 2.0 * RADIUS, &usual)) {
        return false;
    }
    tell_pile(run, "60 ticks a second, columns of 0.1 m", &usual, &usual, 0.0);
    for (int k = 0; k < 3 && same_is_chosen(run, "group", "rate"); k++) {
        char name[40];
        if (!run_pile(run, &soil, rates[k], 2.0 * RADIUS, &pile)) {
            return false;
        }
        snprintf(name, sizeof name, "%d ticks a second", rates[k]);
        tell_pile(run, name, &pile, &usual, 0.05);
    }
    for (int k = 0; k < 2 && same_is_chosen(run, "group", "column"); k++) {
        char name[40];
        if (!run_pile(run, &soil, 60, spacings[k], &pile)) {
            return false;
        }
        snprintf(name, sizeof name, "columns of %g m", spacings[k]);
        tell_pile(run, name, &pile, &usual, 0.10);
    }
    return true;
}

static bool run_same(Run *run)
{
    int starts;
    option_quick(run, "starts", 2.0);
    option_quick(run, "travel", 1.0);
    if (!option_whole(run, "starts", &starts)) {
        return false;
    }
    for (int k = 0; k < CASES; k++) {
        if (same_is_chosen(run, "case", cases[k].name) && !run_case(run, &cases[k], starts)) {
            return false;
        }
    }
    if (same_is_chosen(run, "case", "pile") && !run_piles(run)) {
        return false;
    }
    // With all cases, exercises are left out where one group is asked for, and with the published solvers.
    bool all = strcmp(option_word(run, "group"), "all") == 0 && run_solver(run) == SOIL_SOLVER_DEFAULT;
    bool named = strcmp(option_word(run, "case"), "exercise") == 0;
    return !(named || (all && same_is_chosen(run, "case", "exercise"))) || same_run_exercises(run);
}

const Experiment experiment_same = {
    .name = "same",
    .title = "a tool drawn through level ground: the same for any heading, place, tick rate, columns and speed",
    .law = "symmetry: physics has no preferred heading, place, clock or grid",
    .options = options,
    .run = run_same,
};
