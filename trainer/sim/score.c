/// The score is a weighted sum of shares in 0..1. A row may be scaled by a share of its own, as what has not been done
/// cannot have been done well, and standing still earns nothing.
#include "trainer/sim/score.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "data/core/quantity.h"
#include "data/core/language.h"

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

/// The first row whose failing limit is passed; -1: none.
static int failed_row(const SceneExercise *asked, const double values[METRIC_COUNT])
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

double score_total(double sum, double taken, Incident cause)
{
    return cause < INCIDENT_COUNT ? 0.0 : metric_tenths(sum > taken ? sum - taken : 0.0);
}

Verdict score_judge(const SceneExercise *asked, const double values[METRIC_COUNT], Incident cause)
{
    Verdict verdict = {.score = values[METRIC_SCORE], .row = failed_row(asked, values), .cause = cause};
    verdict.kind = cause < INCIDENT_COUNT                    ? VERDICT_FAILED
                   : asked->scores_count == 0                ? VERDICT_UNSCORED
                   : values[METRIC_FINISHED] == 0.0          ? VERDICT_UNFINISHED
                   : verdict.row >= 0                        ? VERDICT_LIMIT
                   : values[METRIC_SCORE] < asked->pass_mark ? VERDICT_POINTS
                                                             : VERDICT_PASSED;
    return verdict;
}

const char *score_label(const SceneScore *score)
{
    return score->label[0] != '\0' ? score->label : metric_infos[score->metric].phrase;
}

void score_write_what(const SceneScore *score, const TextReader *reader, char text[SCORE_WHAT])
{
    const char *phrase = reader_text(reader, metric_infos[score->metric].phrase);
    if (score->label[0] == '\0') {
        snprintf(text, SCORE_WHAT, "%s", phrase);
    } else {
        snprintf(text, SCORE_WHAT, "%s (%s)", reader_text(reader, score->label), phrase);
    }
}

/// How people read figures of a unit.
static const struct {
    const char *unit;
    QuantityKind kind;
    double scale; ///< of the kind's unit in this one
} shown_units[] = {{"m", QUANTITY_LENGTH, 1.0},   {"m3", QUANTITY_VOLUME, 1.0},    {"m3/h", QUANTITY_RATE, 1.0 / 3600},
                   {"kg", QUANTITY_WEIGHED, 1.0}, {"m/s", QUANTITY_APPROACH, 1.0}, {"kJ", QUANTITY_ENERGY, 1000.0},
                   {"s", QUANTITY_TIME, 1.0}};

void score_write_value(Metric metric, double value, const TextReader *reader, char text[SCORE_VALUE])
{
    const MetricInfo *info = &metric_infos[metric];
    if (info->kind == METRIC_IS_SHARE) {
        snprintf(text, SCORE_VALUE, "%s", quantity_for(reader, QUANTITY_SHARE, value).text);
        return;
    }
    if (info->kind == METRIC_IS_NUMBER || info->kind == METRIC_IS_POINTS || strcmp(info->unit, "1") == 0) {
        int decimals = info->kind == METRIC_IS_NUMBER ? 0 : info->kind == METRIC_IS_POINTS ? 1 : 2;
        snprintf(text, SCORE_VALUE, "%s", quantity_number_for(reader, value, decimals).text);
        return;
    }
    if (strcmp(info->unit, "deg") == 0) {
        snprintf(text, SCORE_VALUE, "%s%s", quantity_number_for(reader, value, 1).number,
                 reader->english ? " deg" : "\u00b0");
        return;
    }
    for (size_t k = 0; k < sizeof shown_units / sizeof *shown_units; k++) {
        if (strcmp(info->unit, shown_units[k].unit) == 0) {
            QuantityKind kind = info->kind == METRIC_IS_ERROR ? QUANTITY_FINE : shown_units[k].kind;
            snprintf(text, SCORE_VALUE, "%s", quantity_for(reader, kind, shown_units[k].scale * value).text);
            return;
        }
    }
    snprintf(text, SCORE_VALUE, "%s", quantity_named_for(reader, value, info->unit).text);
}

/// Figures that are a mean over something, or a share of it, which may be nothing.
static const struct {
    Metric metric, base; ///< the figure says nothing where the base is 0
} bases[] = {
    {METRIC_SPILLED_SHARE, METRIC_MOVED},
    {METRIC_DELIVERED_SHARE, METRIC_MOVED},
    {METRIC_MEAN_BUCKET, METRIC_CYCLES},
    {METRIC_CARRIED_CURLED, METRIC_CYCLES},
    {METRIC_CARRIED_CLEAR, METRIC_CYCLES},
    {METRIC_CARRIED_SWING, METRIC_CYCLES},
    {METRIC_CARRIED_DUMP, METRIC_CYCLES},
    {METRIC_MEAN_CYCLE, METRIC_CYCLES},
    {METRIC_DIG_TIME, METRIC_CYCLES},
    {METRIC_SWING_TIME, METRIC_CYCLES},
    {METRIC_DUMP_TIME, METRIC_CYCLES},
    {METRIC_RETURN_TIME, METRIC_CYCLES},
    {METRIC_PASSES, METRIC_TRUCK_LOADS},
    {METRIC_TARGET_TIME, METRIC_TARGETS_REACHED},
    {METRIC_TARGET_ERROR, METRIC_TARGETS_REACHED},
    // Errors of a dug floor are never quite 0, and the smoothness of swings is below -5: 0 is that of none.
    {METRIC_RMS_ERROR, METRIC_RMS_ERROR},
    {METRIC_WORST_ERROR, METRIC_WORST_ERROR},
    {METRIC_WITHIN_SHARE, METRIC_RMS_ERROR},
    {METRIC_SMOOTHNESS, METRIC_SMOOTHNESS},
};

bool score_has_value(Metric metric, const double values[METRIC_COUNT])
{
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        if (bases[k].metric == metric && values[bases[k].base] == 0.0) {
            return false;
        }
    }
    return true;
}

void score_write_figure(Metric metric, const double values[METRIC_COUNT], const TextReader *reader,
                        char text[SCORE_VALUE])
{
    if (score_has_value(metric, values)) {
        score_write_value(metric, values[metric], reader, text);
    } else {
        snprintf(text, SCORE_VALUE, "%s", reader->english ? "-" : "\u2013");
    }
}

/// A value and its limit; with more digits where both would read alike.
static void write_against(const SceneScore *row, double value, double limit, const TextReader *reader,
                          char texts[2][SCORE_VALUE])
{
    score_write_value(row->metric, value, reader, texts[0]);
    score_write_value(row->metric, limit, reader, texts[1]);
    if (strcmp(texts[0], texts[1]) == 0) {
        bool share = metric_infos[row->metric].kind == METRIC_IS_SHARE;
        const char *unit = share ? "%" : metric_infos[row->metric].unit;
        const double pair[2] = {value, limit};
        for (int k = 0; k < 2; k++) {
            snprintf(texts[k], SCORE_VALUE, "%s %s",
                     quantity_digits_for(reader, (share ? 100.0 : 1.0) * pair[k], 6).number,
                     strcmp(unit, "1") == 0 ? "" : unit);
        }
    }
}

/// Sentences for attempts that an incident has ended.
static const char *const failures[INCIDENT_COUNT] = {
    [INCIDENT_TOUCH] = TEXT("The machine ran into what it must not touch."),
    [INCIDENT_PERSON_HIT] = TEXT("A person was hit."),
    [INCIDENT_PERSON_ZONE] = TEXT("The machine came too near to a person."),
    [INCIDENT_SWING_OVER_PERSON] = TEXT("The arm passed over a person."),
    [INCIDENT_LOAD_OVER_PERSON] = TEXT("A load hung over a person."),
    [INCIDENT_TIP_BEGINS] = TEXT("The machine tipped."),
    [INCIDENT_TIP_ENDS] = TEXT("The machine tipped."),
    [INCIDENT_TIPPED_OVER] = TEXT("The machine has tipped over."),
    [INCIDENT_LIFTED] = TEXT("The machine was lifted off its tracks."),
    [INCIDENT_FELL_INTO_HOLE] = TEXT("The machine fell into a hole."),
    [INCIDENT_TRACK_OFF_EDGE] = TEXT("A track went over an edge."),
    [INCIDENT_BUCKET_OVER_CAB] = TEXT("The bucket went over the truck's cab."),
    [INCIDENT_SLAM] = TEXT("A cylinder ran into its end stop."),
    [INCIDENT_TRUCK_OVERLOAD] = TEXT("The truck was overloaded."),
    [INCIDENT_TRUCK_TIPPED] = TEXT("The truck lies on its side."),
    [INCIDENT_SITE_LEFT] = TEXT("The machine left the site."),
    [INCIDENT_MAIN_BROKEN] = TEXT("A water main was broken."),
    [INCIDENT_FLOODED] = TEXT("Water from the broken main flooded the site."),
    [INCIDENT_GAS_PIPE_BROKEN] = TEXT("Gas escapes. Switch off the engine, leave the machine still, and get away."),
    [INCIDENT_CABLE_HIT] = TEXT("A power cable was hit. Stay in the cab until the power is off."),
    [INCIDENT_TRUCK_DAMAGED] = TEXT("The truck was damaged."),
    [INCIDENT_FIXTURE_DAMAGED] = TEXT("Something on the site was damaged."),
    [INCIDENT_SIGNAL_IGNORED] = TEXT("The machine worked against a stop signal."),
    [INCIDENT_SLINGER_ENDANGERED] = TEXT("The machine moved while the slinger was at the load."),
    [INCIDENT_WALL_FELL] = TEXT("A wall of ground fell."),
    [INCIDENT_PERSON_BURIED] = TEXT("A person was buried."),
    [INCIDENT_BOX_OVERLOADED] = TEXT("The trench box was overloaded."),
};

const char *score_failure(Incident cause)
{
    return cause < INCIDENT_COUNT ? failures[cause] : NULL;
}

void score_verdict(const SceneExercise *asked, const double values[METRIC_COUNT], const Verdict *verdict,
                   const TextReader *reader, char text[SCORE_VERDICT])
{
    const SceneScore *row = verdict->row >= 0 ? &asked->scores[verdict->row] : NULL;
    bool low = row != NULL && values[row->metric] < row->fail_below;
    char against[2][SCORE_VALUE], what[SCORE_WHAT];
    assert(asked != NULL && (row != NULL || verdict->kind != VERDICT_LIMIT));
    Quantity points = quantity_number_for(reader, verdict->score, 1);
    switch (verdict->kind) {
    case VERDICT_UNSCORED:
        snprintf(text, SCORE_VERDICT, "%s", reader_text(reader, "Nothing is scored here."));
        break;
    case VERDICT_UNFINISHED:
        snprintf(text, SCORE_VERDICT, reader_text(reader, "Not finished: left with %s points"), points.number);
        break;
    case VERDICT_FAILED:
        snprintf(text, SCORE_VERDICT, reader_text(reader, "Not passed: %s"),
                 reader_text(reader, score_failure(verdict->cause)));
        break;
    case VERDICT_LIMIT:
        write_against(row, values[row->metric], low ? row->fail_below : row->fail_above, reader, against);
        score_write_what(row, reader, what);
        snprintf(text, SCORE_VERDICT,
                 reader_text(reader, low ? TEXT("Not passed: %s %s, allowed at least %s")
                                         : TEXT("Not passed: %s %s, allowed at most %s")),
                 what, against[0], against[1]);
        break;
    case VERDICT_POINTS:
        snprintf(text, SCORE_VERDICT, reader_text(reader, "Not passed: %s of %s points"), points.number,
                 quantity_digits_for(reader, asked->pass_mark, 4).number);
        break;
    case VERDICT_PASSED:
        snprintf(text, SCORE_VERDICT, reader_text(reader, "Passed with %s points"), points.number);
        break;
    }
}

/// ---- moments of loss -----------------------------------------------------------------------------------------------
///
/// Finds runs of loss and stretches without gain, in the numbers of one row after the other.

#define SAME_RUN    2.0 ///< s between two losses that belong together. Chosen
#define LONGEST_RUN 20.0 ///< s: a longer one is several, so that the worst part is found. Chosen
#define NOISE       1e-6 ///< of all that was lost: what is no loss
#define TAKEN_BACK  0.05 ///< of what a figure reached. Chosen
#define GAIN        0.01 ///< of what a figure reached: less is standing still. Chosen
#define WORTH       0.3 ///< of the costliest moment: less is not named. Chosen

bool score_is_load(Metric metric)
{
    return metric == METRIC_MEAN_BUCKET || (metric >= METRIC_CARRIED_CURLED && metric <= METRIC_CARRIED_DUMP);
}

bool score_is_pace(Metric metric)
{
    return metric == METRIC_PACE_SHARE || metric == METRIC_TIME || metric == METRIC_PRODUCTION;
}

/// The row's number grows where it loses; else it should grow.
static bool grows_with_loss(const SceneScore *score)
{
    return !score_is_pace(score->metric) &&
           (score->full < score->zero || score_is_load(score->metric) || score->metric == METRIC_TOGETHER_SHARE ||
            score->metric == METRIC_SMOOTHNESS || score->metric == METRIC_QUESTIONS_SHARE);
}

/// The numbers of one row.
typedef struct Series {
    const ScoreStand *stands;
    int64_t count;
    int row; ///< -1: the work
    double dt;
} Series;

/// The costliest so far.
typedef struct Moments {
    int count;
    int64_t ticks[SCORE_MOMENTS];
    double losses[SCORE_MOMENTS];
} Moments;

static double amount_at(const Series *series, int64_t k)
{
    const ScoreStand *stand = &series->stands[k];
    return (double)(series->row < 0 ? stand->work : stand->amount[series->row]);
}

static double seconds_between(const Series *series, int64_t from, int64_t to)
{
    return (double)(series->stands[to].tick - series->stands[from].tick) * series->dt;
}

/// Of equal ones the first stays before.
static void add_moment(Moments *moments, int64_t tick, double loss)
{
    int at = moments->count < SCORE_MOMENTS ? moments->count++ : SCORE_MOMENTS;
    for (; at > 0 && moments->losses[at - 1] < loss; at--) {
        if (at < SCORE_MOMENTS) {
            moments->ticks[at] = moments->ticks[at - 1];
            moments->losses[at] = moments->losses[at - 1];
        }
    }
    if (at < SCORE_MOMENTS) {
        moments->ticks[at] = tick;
        moments->losses[at] = loss;
    }
}

/// Adds the runs in which the number changed by sign (1: grew, -1: fell).
static void add_runs(const Series *series, double sign, double noise, Moments *moments)
{
    double loss = 0.0;
    int64_t begin = 0, last = 0; // stands before and after the losses of the run
    for (int64_t k = 1; k < series->count; k++) {
        double step = sign * (amount_at(series, k) - amount_at(series, k - 1));
        if (step <= noise) {
            continue;
        }
        bool goes_on = loss > 0.0 && seconds_between(series, last, k - 1) <= SAME_RUN &&
                       seconds_between(series, begin, k) <= LONGEST_RUN;
        if (loss > 0.0 && !goes_on) {
            add_moment(moments, series->stands[begin].tick, loss);
        }
        begin = goes_on ? begin : k - 1;
        loss = goes_on ? loss + step : step;
        last = k;
    }
    if (loss > 0.0) {
        add_moment(moments, series->stands[begin].tick, loss);
    }
}

/// Adds the stretches in which the number did not come further, against `sign`, than before.
static void add_stands(const Series *series, double sign, double gain, Moments *moments)
{
    double best = -sign * amount_at(series, 0);
    int64_t since = 0;
    for (int64_t k = 1; k < series->count; k++) {
        double reached = -sign * amount_at(series, k);
        bool gained = reached > best + gain;
        if (gained || k == series->count - 1) {
            add_moment(moments, series->stands[since].tick, seconds_between(series, since, k));
        }
        since = gained ? k : since;
        best = gained ? reached : best;
    }
}

/// Drops what is small beside the costliest.
static int choose(const Moments *moments, int64_t ticks[SCORE_MOMENTS])
{
    int count = 0;
    while (count < moments->count && moments->losses[count] >= WORTH * moments->losses[0]) {
        ticks[count] = moments->ticks[count];
        count++;
    }
    return count;
}

/// The row whose figure another is scaled by; -1: the work.
static int scaling_row(const SceneExercise *asked, Metric of)
{
    for (int k = 0; k < asked->scores_count; k++) {
        if (asked->scores[k].metric == of && !grows_with_loss(&asked->scores[k])) {
            return k;
        }
    }
    return -1;
}

int score_moments(const SceneExercise *asked, int row, bool scaled, const ScoreStand *stands, int64_t count,
                  int64_t end, double dt, int64_t ticks[SCORE_MOMENTS])
{
    const SceneScore *score = &asked->scores[row];
    Series series = {stands, count, scaled ? scaling_row(asked, score->of) : row, dt};
    while (series.count > 0 && stands[series.count - 1].tick > end) {
        series.count--;
    }
    if (series.count < 2) {
        return 0;
    }
    double first = amount_at(&series, 0), last = amount_at(&series, series.count - 1), low = first, high = first;
    for (int64_t k = 1; k < series.count; k++) {
        low = fmin(low, amount_at(&series, k));
        high = fmax(high, amount_at(&series, k));
    }
    Moments moments = {0};
    double sign = !scaled && grows_with_loss(score) ? 1.0 : -1.0, range = high - low;
    bool should_come = sign < 0.0 || last < first; // an error, say, that is worked off
    add_runs(&series, sign, NOISE * range, &moments);
    if (should_come && (moments.count == 0 || moments.losses[0] < TAKEN_BACK * range)) {
        moments.count = 0;
        add_stands(&series, sign, GAIN * range, &moments);
    }
    return choose(&moments, ticks);
}
