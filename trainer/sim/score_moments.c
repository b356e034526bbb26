/// Finds runs of loss and stretches without gain, in the numbers of one row after the other.
#include "trainer/sim/score_moments.h"

#include <stdlib.h>
#include <string.h>

#include "trainer/sim/exercise_internal.h"

#define MOST_AMOUNT 1e30 ///< what a row may ask for is written as a float
#define SAME_RUN    2.0 ///< s between two losses that belong together. Chosen
#define LONGEST_RUN 20.0 ///< s: a longer one is several, so that the worst part is found. Chosen
#define NOISE       1e-6 ///< of all that was lost: what is no loss
#define TAKEN_BACK  0.05 ///< of what a figure reached. Chosen
#define GAIN        0.01 ///< of what a figure reached: less is standing still. Chosen
#define WORTH       0.3 ///< of the costliest moment: less is not named. Chosen

/// ---- how rows stand ------------------------------------------------------------------------------------------------

/// Sums of which the figure is a mean or a share; false where the figure itself is followed.
static bool get_sum(const ExerciseState *state, Metric metric, double *sum)
{
    switch (metric) {
    case METRIC_SPILLED_SHARE:
        *sum = state->spilled;
        break;
    case METRIC_OVERDIG_SHARE:
        *sum = state->overdig;
        break;
    case METRIC_RELIEF_SHARE:
        *sum = state->relief_time;
        break;
    case METRIC_SLIP_SHARE:
        *sum = state->slip_time;
        break;
    case METRIC_TARGET_ERROR:
        *sum = state->target_error;
        break;
    case METRIC_TARGET_TIME:
        *sum = state->target_time;
        break;
    case METRIC_OVERSHOOT:
        *sum = state->skill.overshoot;
        break;
    case METRIC_SMOOTHNESS:
        *sum = -state->skill.smoothness;
        break;
    case METRIC_TOGETHER_SHARE:
        *sum = state->working_time - state->together_time;
        break;
    case METRIC_DIG_TIME:
        *sum = state->phase_time[WORK_DIG];
        break;
    case METRIC_SWING_TIME:
        *sum = state->phase_time[WORK_SWING_LOADED];
        break;
    case METRIC_DUMP_TIME:
        *sum = state->phase_time[WORK_DUMP];
        break;
    case METRIC_RETURN_TIME:
        *sum = state->phase_time[WORK_SWING_EMPTY];
        break;
    default:
        return false;
    }
    return true;
}

/// What the loads of all cycles lacked to the row's full mark; below 0 where there was more.
static double lacking_loads(const ExerciseState *state, const SceneScore *score, double mean)
{
    return (double)state->cycles * (score->full - mean);
}

/// The figure is about loads, of which more is better.
static bool is_load(Metric metric)
{
    return metric == METRIC_MEAN_BUCKET || (metric >= METRIC_CARRIED_CURLED && metric <= METRIC_CARRIED_DUMP);
}

/// More driven time, less pace: what is lost then is time in which the work did not go on.
static bool is_pace(Metric metric)
{
    return metric == METRIC_PACE_SHARE || metric == METRIC_TIME || metric == METRIC_PRODUCTION;
}

/// The row's number grows where it loses; else it should grow.
static bool grows_with_loss(const SceneScore *score)
{
    return !is_pace(score->metric) &&
           (score->full < score->zero || is_load(score->metric) || score->metric == METRIC_TOGETHER_SHARE ||
            score->metric == METRIC_SMOOTHNESS || score->metric == METRIC_QUESTIONS_SHARE);
}

static double row_amount(const Exercise *exercise, const SceneScore *score, const double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    double sum, value = values[score->metric];
    if (is_pace(score->metric)) {
        return values[METRIC_WORK_SHARE];
    }
    if (is_load(score->metric)) {
        return lacking_loads(state, score, value);
    }
    if (score->metric == METRIC_MEAN_CYCLE) {
        return value * (double)state->cycles;
    }
    if (score->metric == METRIC_QUESTIONS_SHARE) {
        return state->answered - value * exercise->asked.questions_count;
    }
    return get_sum(state, score->metric, &sum) ? sum : value;
}

void exercise_stand(const Exercise *exercise, ScoreStand *stand)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    memset(stand->amount, 0, sizeof stand->amount);
    stand->work = (float)values[METRIC_WORK_SHARE];
    for (int k = 0; k < exercise->asked.scores_count; k++) {
        double amount = row_amount(exercise, &exercise->asked.scores[k], values);
        stand->amount[k] = (float)fmax(-MOST_AMOUNT, fmin(MOST_AMOUNT, amount));
    }
}

/// ---- moments -------------------------------------------------------------------------------------------------------

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

/// ---- during an exercise --------------------------------------------------------------------------------------------

void score_trail_add(ScoreTrail *trail, const Exercise *exercise, int64_t tick)
{
    if (trail->count == trail->capacity) {
        int64_t capacity = trail->capacity > 0 ? 2 * trail->capacity : 4096;
        ScoreStand *stands = realloc(trail->stands, (size_t)capacity * sizeof *stands);
        if (stands == NULL) {
            return;
        }
        trail->stands = stands;
        trail->capacity = capacity;
    }
    ScoreStand *stand = &trail->stands[trail->count++];
    stand->tick = tick;
    exercise_stand(exercise, stand);
}

void score_trail_free(ScoreTrail *trail)
{
    free(trail->stands);
    *trail = (ScoreTrail){0};
}
