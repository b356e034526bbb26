/// The score of an exercise: a sum of rows, each a figure between the value with no points and the value with all. Pure
/// functions of what a scene asks and of figures, so that a recording can be scored by other rules.
#ifndef SPADEWORK_TRAINER_SCORE_H
#define SPADEWORK_TRAINER_SCORE_H

#include "data/scene_params.h"
#include "data/settings_params.h"

enum { SCORE_VERDICT = 240 };

typedef struct ScoreRow {
    double value; ///< of the metric, in its unit
    double share; ///< 0..1, between `zero` and `full`
    double scale; ///< 0..1, of the metric that scales it; 1 without
    double points; ///< weight x share x scale
    bool failed; ///< the value is beyond the row's failing limit
} ScoreRow;

/// Computes the rows of the score from figures; returns how many, scores_count.
/// values  by Metric, each in its unit
int score_rows(const SceneExercise *asked, const double values[METRIC_COUNT], ScoreRow rows[SCENE_MAX_SCORES]);
/// Points of all rows, before incidents cost anything, 0..100.
double score_sum(const SceneExercise *asked, const double values[METRIC_COUNT]);
/// The first row whose failing limit is passed; -1: none.
int score_failed_row(const SceneExercise *asked, const double values[METRIC_COUNT]);
/// True when `score` (points) reaches the pass mark, no failing limit is passed and there is something to score.
bool score_passes(const SceneExercise *asked, const double values[METRIC_COUNT], double score);
/// Why it is passed or not, for people ("Not passed: 62.0 of 70 points").
void score_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], double score,
                   char text[SCORE_VERDICT]);
/// Words for a row: its label, or the metric's phrase.
const char *score_label(const SceneScore *score);

/// Writes a value (in the metric's unit) as people read it: "4.2 %", "0.12 m", "3".
void score_print_value(Metric metric, double value, char text[40]);

/// The same in the language and the units of who reads.
void score_show_value(Metric metric, double value, SettingsUnits units, char text[40]);
/// The same as score_verdict, in the language and the units of who reads.
void score_show_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], double score,
                        SettingsUnits units, char text[SCORE_VERDICT]);

extern const char *const score_group_names[SCORE_GROUP_COUNT]; ///< "work", "accuracy", ...

#endif
