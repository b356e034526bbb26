/// The score is a weighted sum of shares in 0..1. A row may be scaled by a share of its own, as what has not been done
/// cannot have been done well, and standing still earns nothing.
#include "trainer/exercise/score.h"

#include <stdio.h>
#include <string.h>

#include "data/language/language.h"
#include "data/language/quantity.h"

const char *const score_group_names[SCORE_GROUP_COUNT] = {
#define X(id, name) [SCORE_GROUP_##id] = #name,
    SCORE_GROUPS(X)
#undef X
};

static double clamp01(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

int score_rows(const SceneExercise *asked, const double values[METRIC_COUNT], ScoreRow rows[SCENE_MAX_SCORES])
{
    for (int k = 0; k < asked->scores_count; k++) {
        const SceneScore *score = &asked->scores[k];
        ScoreRow row = {.value = values[score->metric]};
        row.share = clamp01((row.value - score->zero) / (score->full - score->zero));
        row.scale = score->of == METRIC_SCORE ? 1.0 : clamp01(values[score->of]);
        row.points = score->weight * row.share * row.scale;
        row.failed = row.value < score->fail_below || row.value > score->fail_above;
        rows[k] = row;
    }
    return asked->scores_count;
}

double score_sum(const SceneExercise *asked, const double values[METRIC_COUNT])
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = score_rows(asked, values, rows);
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += rows[k].points;
    }
    return sum;
}

int score_failed_row(const SceneExercise *asked, const double values[METRIC_COUNT])
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = score_rows(asked, values, rows);
    for (int k = 0; k < count; k++) {
        if (rows[k].failed) {
            return k;
        }
    }
    return -1;
}

bool score_passes(const SceneExercise *asked, const double values[METRIC_COUNT], double score)
{
    return asked->scores_count > 0 && score >= asked->pass_mark && score_failed_row(asked, values) < 0;
}

const char *score_label(const SceneScore *score)
{
    return score->label[0] != '\0' ? score->label : metric_infos[score->metric].phrase;
}

void score_print_value(Metric metric, double value, char text[40])
{
    const MetricInfo *info = &metric_infos[metric];
    if (info->kind == METRIC_IS_SHARE) {
        snprintf(text, 40, "%.3g %%", 100.0 * value);
    } else {
        bool bare = strcmp(info->unit, "1") == 0;
        snprintf(text, 40, "%.4g%s%s", value, bare ? "" : " ", bare ? "" : info->unit);
    }
}

void score_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], double score,
                   char text[SCORE_VERDICT])
{
    int failed = score_failed_row(asked, values);
    if (asked->scores_count == 0) {
        snprintf(text, SCORE_VERDICT, "Nothing is scored here.");
    } else if (failed >= 0) {
        const SceneScore *row = &asked->scores[failed];
        bool low = values[row->metric] < row->fail_below;
        char is[40], limit[40];
        score_print_value(row->metric, values[row->metric], is);
        score_print_value(row->metric, low ? row->fail_below : row->fail_above, limit);
        snprintf(text, SCORE_VERDICT, "Not passed: %s %s, allowed %s %s", score_label(row), is,
                 low ? "at least" : "at most", limit);
    } else if (score < asked->pass_mark) {
        snprintf(text, SCORE_VERDICT, "Not passed: %.1f of %.4g points", score, asked->pass_mark);
    } else {
        snprintf(text, SCORE_VERDICT, "Passed with %.1f points", score);
    }
}

void score_show_value(Metric metric, double value, SettingsUnits units, char text[40])
{
    const MetricInfo *info = &metric_infos[metric];
    if (info->kind == METRIC_IS_SHARE) {
        snprintf(text, 40, "%s %%", quantity_digits(100.0 * value, 3).number);
    } else {
        snprintf(text, 40, "%s", quantity_named(value, info->unit, units).text);
    }
}

void score_show_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], double score,
                        SettingsUnits units, char text[SCORE_VERDICT])
{
    int failed = score_failed_row(asked, values);
    if (asked->scores_count == 0) {
        snprintf(text, SCORE_VERDICT, "%s", language_text("Nothing is scored here."));
    } else if (failed >= 0) {
        const SceneScore *row = &asked->scores[failed];
        bool low = values[row->metric] < row->fail_below;
        char is[40], limit[40];
        score_show_value(row->metric, values[row->metric], units, is);
        score_show_value(row->metric, low ? row->fail_below : row->fail_above, units, limit);
        snprintf(text, SCORE_VERDICT,
                 language_text(low ? TEXT("Not passed: %s %s, allowed at least %s")
                                   : TEXT("Not passed: %s %s, allowed at most %s")),
                 language_text(score_label(row)), is, limit);
    } else if (score < asked->pass_mark) {
        snprintf(text, SCORE_VERDICT, language_text("Not passed: %s of %s points"), quantity_number(score, 1).number,
                 quantity_digits(asked->pass_mark, 4).number);
    } else {
        snprintf(text, SCORE_VERDICT, language_text("Passed with %s points"), quantity_number(score, 1).number);
    }
}
