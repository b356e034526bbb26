/// The survey of a trench: heights of the columns in and around the box are compared with those before the start and
/// with the box. Depth, width and length come from stations along the trench, so that one deep hole is no trench.
#include "data/core/elementary.h"
#include "trainer/sim/exercise_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define CRUMBS 0.03 ///< m of soil on the ground beside a trench that are no heap: crumbs and swollen edges

bool survey_create(Survey *survey, const SceneTrench *trench, double spacing)
{
    // A rectangle of a x b holds at most (a + 1)(b + 1) lattice points when aligned; turned ones stay below the margin
    // of 4.
    double along = (trench->length + 2.0 * SURVEY_BORDER_WIDTH) / spacing + 4.0;
    double across = (trench->width + 2.0 * SURVEY_BORDER_WIDTH) / spacing + 4.0;
    int capacity = (int)(along * across) + 1;
    *survey = (Survey){.capacity = capacity};
    survey->index = calloc((size_t)capacity, sizeof *survey->index);
    survey->zone = calloc((size_t)capacity, sizeof *survey->zone);
    survey->start = calloc((size_t)capacity, sizeof *survey->start);
    survey->station = calloc((size_t)capacity, sizeof *survey->station);
    if (!survey->index || !survey->zone || !survey->start || !survey->station) {
        survey_destroy(survey);
        return false;
    }
    return true;
}

void survey_destroy(Survey *survey)
{
    free(survey->index);
    free(survey->zone);
    free(survey->start);
    free(survey->station);
    *survey = (Survey){0};
}

void survey_place(const SceneTrench *trench, double x, double y, double *u, double *v)
{
    double c = same_cos(trench->heading), s = same_sin(trench->heading);
    double dx = x - trench->x, dy = y - trench->y;
    *u = c * dx + s * dy;
    *v = c * dy - s * dx;
}

static SurveyZone zone_of(const SceneTrench *trench, double x, double y, double u, double v, double spacing)
{
    double half = 0.5 * trench->width;
    if (u >= 0.0 && u <= trench->length && fabs(v) <= half) {
        bool inner = u >= spacing && u <= trench->length - spacing && fabs(v) <= half - spacing;
        return inner ? SURVEY_FLOOR : SURVEY_WALL;
    }
    double dx = x - trench->dump_x, dy = y - trench->dump_y;
    return dx * dx + dy * dy <= trench->dump_radius * trench->dump_radius ? SURVEY_DUMP : SURVEY_BORDER;
}

/// Range of whole columns that [low, high] touches, cut to 0..count - 1.
static void index_range(double low, double high, double origin, double spacing, int count, int *first, int *last)
{
    double from = ceil((low - origin) / spacing), to = floor((high - origin) / spacing);
    *first = from < 0.0 ? 0 : from > count ? count : (int)from;
    *last = to < 0.0 ? -1 : to > count - 1 ? count - 1 : (int)to;
}

void survey_start(Survey *survey, const SceneTrench *trench, const ExerciseSample *sample)
{
    double c = same_cos(trench->heading), s = same_sin(trench->heading);
    double along = 0.5 * trench->length + SURVEY_BORDER_WIDTH, across = 0.5 * trench->width + SURVEY_BORDER_WIDTH;
    double middle_x = trench->x + 0.5 * trench->length * c, middle_y = trench->y + 0.5 * trench->length * s;
    double half_x = fabs(c) * along + fabs(s) * across, half_y = fabs(s) * along + fabs(c) * across;
    int row_first, row_last, column_first, column_last;
    index_range(middle_x - half_x, middle_x + half_x, sample->origin_x, sample->spacing, sample->columns, &column_first,
                &column_last);
    index_range(middle_y - half_y, middle_y + half_y, sample->origin_y, sample->spacing, sample->rows, &row_first,
                &row_last);
    survey->count = 0;
    for (int row = row_first; row <= row_last; row++) {
        for (int column = column_first; column <= column_last; column++) {
            double x = sample->origin_x + column * sample->spacing, y = sample->origin_y + row * sample->spacing;
            double u, v;
            survey_place(trench, x, y, &u, &v);
            if (u < -SURVEY_BORDER_WIDTH || u > trench->length + SURVEY_BORDER_WIDTH ||
                fabs(v) > 0.5 * trench->width + SURVEY_BORDER_WIDTH) {
                continue;
            }
            assert(survey->count < survey->capacity);
            if (survey->count >= survey->capacity) {
                return;
            }
            int k = survey->count++;
            survey->index[k] = row * sample->columns + column;
            survey->zone[k] = (uint8_t)zone_of(trench, x, y, u, v, sample->spacing);
            survey->start[k] = sample->heights[survey->index[k]];
            survey->station[k] = (uint8_t)((u + SURVEY_BORDER_WIDTH) / SURVEY_STATION);
        }
    }
}

/// Sums over the columns, before they become figures.
typedef struct SurveySums {
    double box, removed; ///< m of height
    double depth; ///< m, over the floor
    int floor, dug, within, finished; ///< columns
    double squares, worst; ///< of the error where dug
    double below, outside, heaped; ///< m of height
    int half_deep; ///< columns of box and border below half the depth
    uint8_t station[SURVEY_MAX_STATIONS]; ///< 1 where any is
} SurveySums;

static void add_column(const SceneTrench *trench, SurveyZone zone, double start, double height, SurveySums *sums)
{
    double target = -trench->depth, lowered = start - height, to_remove = start - target;
    bool half_deep = lowered >= 0.5 * to_remove;
    sums->half_deep += half_deep;
    if (zone == SURVEY_BORDER) {
        // Ruts and settled edges are no digging.
        sums->outside += lowered > 0.15 + trench->tolerance ? lowered : 0.0;
        sums->heaped += lowered < -CRUMBS ? -lowered : 0.0;
    }
    if (zone != SURVEY_FLOOR && zone != SURVEY_WALL) {
        return;
    }
    sums->box += to_remove > 0.0 ? to_remove : 0.0;
    sums->removed += fmax(0.0, fmin(lowered, to_remove));
    double error = height - target;
    sums->below += error < -trench->tolerance ? -error - trench->tolerance : 0.0;
    if (zone == SURVEY_WALL) {
        return;
    }
    sums->floor++;
    sums->finished += fabs(error) <= trench->tolerance;
    sums->depth += lowered > 0.0 ? lowered : 0.0;
    if (half_deep) {
        sums->dug++;
        sums->within += fabs(error) <= trench->tolerance;
        sums->squares += error * error;
        sums->worst = fabs(error) > fabs(sums->worst) ? error : sums->worst;
    }
}

void survey_measure(const Survey *survey, const SceneTrench *trench, const ExerciseSample *sample, ExerciseState *state)
{
    SurveySums sums = {0};
    for (int k = 0; k < survey->count; k++) {
        double start = (double)survey->start[k], height = (double)sample->heights[survey->index[k]];
        int before = sums.half_deep;
        add_column(trench, (SurveyZone)survey->zone[k], start, height, &sums);
        if (sums.half_deep > before) {
            sums.station[survey->station[k]] = 1;
        }
    }
    int stations = 0;
    for (int k = 0; k < SURVEY_MAX_STATIONS; k++) {
        stations += sums.station[k];
    }
    double area = sample->spacing * sample->spacing;
    state->removed_share = sums.box > 0.0 ? sums.removed / sums.box : 0.0;
    state->mean_depth = sums.floor > 0 ? sums.depth / sums.floor : 0.0;
    state->dug_length = stations * SURVEY_STATION;
    state->dug_width = stations > 0 ? sums.half_deep * area / state->dug_length : 0.0;
    state->worst_error = sums.worst;
    state->rms_error = sums.dug > 0 ? sqrt(sums.squares / sums.dug) : 0.0;
    state->within_share = sums.dug > 0 ? (double)sums.within / sums.dug : 0.0;
    state->finished_share = sums.floor > 0 ? (double)sums.finished / sums.floor : 0.0;
    state->overdig = sums.below * area;
    state->outside_dug = sums.outside * area;
    state->setback = sums.heaped * area;
}
