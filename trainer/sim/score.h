/// The score of an exercise: a sum of rows, each a figure between the value with no points and the value with all. Pure
/// functions of what a scene asks and of figures, so that a recording can be scored by other rules.
#ifndef SPADEWORK_TRAINER_SCORE_H
#define SPADEWORK_TRAINER_SCORE_H

#include "data/core/quantity.h"
#include "data/schema/scene_params.h"

enum { SCORE_VERDICT = 400, SCORE_VALUE = 40, SCORE_WHAT = 240 };

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
/// Points of all rows, before incidents cost anything, 0..100. `values` as above.
double score_sum(const SceneExercise *asked, const double values[METRIC_COUNT]);
/// What an attempt came to. All that show or store it take it from score_judge.
typedef enum VerdictKind {
    VERDICT_UNSCORED, ///< the exercise has no score
    VERDICT_UNFINISHED, ///< it was left before its end: nothing is judged
    VERDICT_FAILED, ///< an incident ended it: no points
    VERDICT_LIMIT, ///< a row is beyond its failing limit
    VERDICT_POINTS, ///< fewer points than the pass mark
    VERDICT_PASSED,
} VerdictKind;

typedef struct Verdict {
    VerdictKind kind;
    double score; ///< points, 0..100, in tenths (metric_tenths)
    int row; ///< of VERDICT_LIMIT: the first row beyond its limit
    Incident cause; ///< of VERDICT_FAILED
} Verdict;

/// Judges an attempt by its figures `values` (each in its unit): the score (points) and `finished` among them.
/// cause  the incident that ended it; INCIDENT_COUNT: none did
Verdict score_judge(const SceneExercise *asked, const double values[METRIC_COUNT], Incident cause);
/// The score of an attempt, points in tenths: the rows less what incidents cost, 0 where one ended it.
/// sum    points of all rows, 0..100
/// taken  points that incidents cost, 0..100
double score_total(double sum, double taken, Incident cause);
/// Sentence for an attempt that an incident ended ("The machine has tipped over."); English.
const char *score_failure(Incident cause);
/// The verdict for people ("Not passed: 62.0 of 70 points"), from `values`, each in its unit.
void score_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], const Verdict *verdict,
                   const TextReader *reader, char text[SCORE_VERDICT]);
/// Words for a row: its label, or the metric's phrase.
const char *score_label(const SceneScore *score);
/// The same where a figure stands beside it: an author's own label may be worded as the aim ("floor within the
/// tolerance") where the figure is what went wrong; behind it stands the metric's phrase in brackets.
void score_write_what(const SceneScore *score, const TextReader *reader, char text[SCORE_WHAT]);

/// Writes a value (in the metric's unit) as people read it: "4.2 %", "0.12 m", "3".
void score_write_value(Metric metric, double value, const TextReader *reader, char text[SCORE_VALUE]);
/// Whether a figure of `values` says something: a share of what was moved does not where nothing was, nor the mean of
/// no cycles.
bool score_has_value(Metric metric, const double values[METRIC_COUNT]);
/// Writes a figure of `values`, each in its metric's unit, as score_write_value does; a dash where it says nothing.
void score_write_figure(Metric metric, const double values[METRIC_COUNT], const TextReader *reader,
                        char text[SCORE_VALUE]);

extern const char *const score_group_names[SCORE_GROUP_COUNT]; ///< "work", "accuracy", ...

/// ---- moments of loss -----------------------------------------------------------------------------------------------

enum { SCORE_MOMENTS = 3 };

/// How the rows of the score stood at a tick, each by a number of its own: of what takes points when there is more of
/// it, so much as there has been (kg spilled, s at relief, m beside all targets so far); of what gives points when
/// there is more of it, the figure itself.
typedef struct ScoreStand {
    int64_t tick;
    float work; ///< share of the work done, 0..1
    float amount[SCENE_MAX_SCORES]; ///< value of each row, in the unit of its metric; 0 of rows that do not exist
} ScoreStand;

/// The figure is about loads, of which more is better.
bool score_is_load(Metric metric);
/// More driven time, less pace: what is lost then is time in which the work did not go on.
bool score_is_pace(Metric metric);

/// Finds where a row lost most, the costliest first. Losses that follow each other within two seconds count as one,
/// which begins where the first did. Where a figure that should grow did not, and was not taken back by a twentieth of
/// what it reached either, it is where it stood still for longest.
/// row     0..scores_count - 1
/// scaled  its points are missing for what the row is scaled by (SceneScore.of)
/// stands  [count], in order of tick; what comes after `end`, the tick in which the exercise was judged, is
///         ignored
/// dt      s of a tick
/// Returns how many moments were written into `ticks`.
int score_moments(const SceneExercise *asked, int row, bool scaled, const ScoreStand *stands, int64_t count,
                  int64_t end, double dt, int64_t ticks[SCORE_MOMENTS]);

#endif
