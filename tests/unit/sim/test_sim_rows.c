/// Every row of every shipped exercise as people read it: its label says what its figure is, in the same direction,
/// with its unit and no more decimals than anybody can use.
#include <ctype.h>
#include <math.h>

#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/sim/score.h"

/// Labels of scenes that stand in place of the figure's own words, each read once by a person: more of what it says is
/// better, or less.
static const struct {
    const char *label;
    bool less;
} read_labels[] = {
    {"soil that stands above the layer", true},
    {"soil that the layer lacks", true},
    {"soil on the heap", false},
    {"share of the strip that is stripped", false},
};

/// Figures whose words promise something good: no row may ask for little of them.
static const Metric good_figures[] = {
    METRIC_WORK_SHARE,     METRIC_PACE_SHARE,       METRIC_PRODUCTION,      METRIC_REMOVED_SHARE,  METRIC_WITHIN_SHARE,
    METRIC_FINISHED_SHARE, METRIC_DUMPED,           METRIC_TARGET_SHARE,    METRIC_COMPLETE_SHARE, METRIC_DELIVERED,
    METRIC_STEPS_SHARE,    METRIC_TARGETS_SHARE,    METRIC_QUESTIONS_SHARE, METRIC_EXPOSED_SHARE,  METRIC_SURFACE_WORK,
    METRIC_SURFACE_WITHIN, METRIC_COMPACTION_SHARE, METRIC_RIPPED_SHARE,    METRIC_RIPPED_DEPTH,   METRIC_LOADS_LIFTED,
    METRIC_LOADS_PLACED,   METRIC_TOGETHER_SHARE,   METRIC_SMOOTHNESS,
};

/// And those whose words are a fault: no row may ask for much of them.
static const Metric bad_figures[] = {
    METRIC_SPILLED,         METRIC_SPILLED_SHARE,  METRIC_WORST_ERROR,    METRIC_RMS_ERROR,      METRIC_OVERDIG,
    METRIC_OVERDIG_SHARE,   METRIC_OUTSIDE_DUG,    METRIC_SETBACK,        METRIC_OVERLOAD_SHARE, METRIC_TARGET_ERROR,
    METRIC_STRUCK,          METRIC_SURFACE_RMS,    METRIC_SURFACE_WORST,  METRIC_SURFACE_CUT,    METRIC_SURFACE_FILL,
    METRIC_SURFACE_OVERDIG, METRIC_OVERSIZE_SHARE, METRIC_RIPPER_DRAGGED, METRIC_LOAD_OFFSET,    METRIC_LOAD_HEADING,
    METRIC_LOAD_SWING,      METRIC_LOAD_IMPACT,    METRIC_TIPPING_SHARE,  METRIC_RELIEF_TIME,    METRIC_RELIEF_SHARE,
    METRIC_SLIP_TIME,       METRIC_SLIP_SHARE,     METRIC_STALL_TIME,     METRIC_TIP_TIME,       METRIC_REVERSALS,
    METRIC_OVERSHOOT,
};

static bool is_among(Metric metric, const Metric *list, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (list[k] == metric) {
            return true;
        }
    }
    return false;
}

static void check_direction(const char *scene, const SceneScore *row)
{
    bool less = row->full < row->zero, read = row->label[0] == '\0';
    for (size_t k = 0; k < sizeof read_labels / sizeof *read_labels; k++) {
        if (strcmp(read_labels[k].label, row->label) == 0) {
            read = true;
            assert_int_equal(read_labels[k].less, less);
        }
    }
    if (!read) {
        fail_msg("%s: nobody has read the label \"%s\" of %s", scene, row->label, metric_infos[row->metric].name);
    }
    bool good = is_among(row->metric, good_figures, sizeof good_figures / sizeof *good_figures);
    bool bad = is_among(row->metric, bad_figures, sizeof bad_figures / sizeof *bad_figures) ||
               metric_infos[row->metric].part == METRIC_OF_LOADS;
    bad = bad || row->metric >= METRIC_INCIDENT_TOUCH;
    if ((less && good) || (!less && bad && !good)) {
        fail_msg("%s: \"%s\" asks for %s of it", scene, score_label(row), less ? "little" : "much");
    }
}

/// The text is a number of at most two decimals and five digits before them, and a unit where the figure has one.
static void check_text(const char *scene, const SceneScore *row, double value, const char *text)
{
    const MetricInfo *info = &metric_infos[row->metric];
    const char *digits = text + strcspn(text, "0123456789"), *point = digits + strspn(digits, "0123456789");
    size_t decimals = *point == '.' || *point == ',' ? strspn(point + 1, "0123456789") : 0;
    const char *rest = point + (decimals > 0 ? decimals + 1 : 0);
    bool bare = strcmp(info->unit, "1") == 0 && info->kind != METRIC_IS_SHARE;
    if (*digits == '\0' || point - digits > 6 || decimals > 2 || strpbrk(rest, "eE") == rest ||
        bare != (*rest == '\0')) {
        fail_msg("%s: %s of %.9g is read as \"%s\"", scene, info->name, value, text);
    }
    bool nothing = strtod(digits, NULL) == 0.0 && decimals == 0 && strchr(text, '<') == NULL;
    if (info->kind == METRIC_IS_SHARE && value > 0.0 && nothing) {
        fail_msg("%s: %s of %.9g is read as \"%s\"", scene, info->name, value, text);
    }
}

static void check_row(const char *scene, const SceneScore *row, const TextReader *reader)
{
    char zero[SCORE_VALUE], full[SCORE_VALUE], text[SCORE_VALUE];
    score_write_value(row->metric, row->zero, reader, zero);
    score_write_value(row->metric, row->full, reader, full);
    if (strcmp(zero, full) == 0) {
        fail_msg("%s: %s with all points and with none are both read as %s", scene, score_label(row), zero);
    }
    const double shares[] = {0.0, 5.53e-6, 1e-4, 0.003472, 0.0313, 1.0 / 3.0, 0.491, 0.97777, 1.0, 1.37};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        bool whole = metric_infos[row->metric].kind == METRIC_IS_NUMBER;
        double value = row->zero + (row->full - row->zero) * shares[k];
        value = whole ? round(value) : value;
        score_write_value(row->metric, value, reader, text);
        check_text(scene, row, value, text);
    }
}

TEST(every_row_of_every_exercise_reads_true)
{
    static DataListEntry scenes[128];
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    assert_true(scene != NULL && machine != NULL);
    Status status = {0};
    int count = data_list("scenes", scenes, 128, &status), rows = 0;
    assert_good(count > 0, status);
    for (int k = 0; k < count; k++) {
        assert_good(data_load_scene(scenes[k].name, NULL, 0, scene, machine, NULL, &status), status);
        for (int n = 0; n < scene->exercise.scores_count; n++, rows++) {
            const SceneScore *row = &scene->exercise.scores[n];
            check_direction(scenes[k].name, row);
            for (int english = 0; english < 2; english++) {
                for (int units = 0; units < 2; units++) {
                    TextUnits system = units ? TEXT_UNITS_IMPERIAL : TEXT_UNITS_METRIC;
                    check_row(scenes[k].name, row, &(TextReader){.english = english != 0, .units = system});
                }
            }
        }
    }
    print_message("%d rows\n", rows);
    assert_true(rows > 80);
    free(machine);
    free(scene);
}

/// What is a share of nothing, or a mean of none, reads as a dash.
TEST(a_figure_of_nothing_is_no_number)
{
    static const struct {
        Metric metric, base;
        double value;
        const char *text;
    } cases[] = {{METRIC_DELIVERED_SHARE, METRIC_MOVED, 1.0, "100 %"},
                 {METRIC_SPILLED_SHARE, METRIC_MOVED, 0.0, "0 %"},
                 {METRIC_MEAN_CYCLE, METRIC_CYCLES, 0.0, "0.0 s"},
                 {METRIC_CARRIED_DUMP, METRIC_CYCLES, 0.0, "0 kg"},
                 {METRIC_TARGET_ERROR, METRIC_TARGETS_REACHED, 0.0, "0.0 cm"},
                 {METRIC_WITHIN_SHARE, METRIC_RMS_ERROR, 0.0, "0 %"}};
    const TextReader reader = {.units = TEXT_UNITS_METRIC};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double values[METRIC_COUNT] = {0.0};
        char text[SCORE_VALUE];
        values[cases[k].metric] = cases[k].value;
        score_write_figure(cases[k].metric, values, &reader, text);
        assert_string_equal(text, "\u2013");
        values[cases[k].base] = 1.0;
        score_write_figure(cases[k].metric, values, &reader, text);
        assert_string_equal(text, cases[k].text);
    }
    double values[METRIC_COUNT] = {0.0};
    char text[SCORE_VALUE];
    score_write_figure(METRIC_SMOOTHNESS, values, &reader, text);
    assert_string_equal(text, "\u2013"); // 0 would be smoother than the best
    score_write_figure(METRIC_OUTSIDE_DUG, values, &reader, text);
    assert_string_equal(text, "0.00 m\u00b3"); // nothing dug beside is a figure
}

/// What is beyond its limit never reads as though it were within.
TEST(a_limit_that_is_missed_by_little_reads_so)
{
    SceneExercise asked = {
        .pass_mark = 70.0,
        .scores_count = 1,
        .scores = {{METRIC_LOAD_SWING, SCORE_GROUP_SKILL, 100.0, 6.0, 40.0, METRIC_SCORE, -SCENE_NO_LIMIT, 20.0, ""}}};
    double values[METRIC_COUNT] = {[METRIC_LOAD_SWING] = 20.004, [METRIC_SCORE] = 80.0, [METRIC_FINISHED] = 1.0};
    Verdict verdict = score_judge(&asked, values, INCIDENT_COUNT);
    char text[SCORE_VERDICT];
    score_verdict(&asked, values, &verdict, &(TextReader){.english = true}, text);
    assert_string_equal(text, "Not passed: largest swing of a load that hung free 20.004 deg, allowed at most 20 deg");
}

/// 69.97 points are not 70.
TEST(points_below_the_mark_do_not_read_as_the_mark)
{
    SceneExercise asked = {.pass_mark = 70.0, .scores_count = 1};
    asked.scores[0] = (SceneScore){METRIC_WORK_SHARE, SCORE_GROUP_WORK, 100.0,          1.0, 0.0,
                                   METRIC_SCORE,      -SCENE_NO_LIMIT,  SCENE_NO_LIMIT, ""};
    double values[METRIC_COUNT] = {[METRIC_WORK_SHARE] = 0.6997, [METRIC_FINISHED] = 1.0};
    values[METRIC_SCORE] = score_total(score_sum(&asked, values), 0.0, INCIDENT_COUNT);
    Verdict verdict = score_judge(&asked, values, INCIDENT_COUNT);
    char text[SCORE_VERDICT];
    score_verdict(&asked, values, &verdict, &(TextReader){.english = true}, text);
    assert_string_equal(text, "Not passed: 69.9 of 70 points");
    assert_near(metric_whole(values[METRIC_SCORE]), 69.0, 0.0);
}

TEST_GROUP(NULL, NULL)
