/// Surveys of the ground: a trench, a design surface, and the figures of rocks, ripped ground, fill and loads.
///
/// Trench: heights of the columns in and around the box are compared with those before the start and with the box.
/// Depth, width and length come from stations along the trench, so that one deep hole is no trench.
#include "trainer/sim/exercise_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"

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

/// Place in the trench's frame: u along its length from the near end, v across from its middle line.
static void survey_place(const SceneTrench *trench, double x, double y, double *u, double *v)
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

/// ---- design surfaces -----------------------------------------------------------------------------------------------
///
/// Compares the ground's columns inside a design surface with the design and with the ground before the start.

bool surface_create(SurfaceSurvey *survey, const SceneExercise *exercise, double spacing)
{
    *survey = (SurfaceSurvey){0};
    Status ignored;
    DesignBox box;
    survey->surface = design_create(exercise, DESIGN_OF_SURFACE, NULL, &ignored);
    if (survey->surface == NULL) {
        return false;
    }
    if (!design_box(survey->surface, &box)) {
        return true; // a file without its text: the scene is only shown, not driven
    }
    survey->capacity = (int)(((box.high.x - box.low.x) / spacing + 2.0) * ((box.high.y - box.low.y) / spacing + 2.0));
    survey->index = calloc((size_t)survey->capacity, sizeof *survey->index);
    survey->design = calloc((size_t)survey->capacity, sizeof *survey->design);
    survey->start = calloc((size_t)survey->capacity, sizeof *survey->start);
    if (survey->index == NULL || survey->design == NULL || survey->start == NULL) {
        surface_destroy(survey);
        return false;
    }
    return true;
}

void surface_destroy(SurfaceSurvey *survey)
{
    design_destroy(survey->surface);
    free(survey->index);
    free(survey->design);
    free(survey->start);
    *survey = (SurfaceSurvey){0};
}

void surface_start(SurfaceSurvey *survey, const ExerciseSample *sample)
{
    survey->count = 0;
    for (int row = 0; row < sample->rows; row++) {
        for (int column = 0; column < sample->columns && survey->count < survey->capacity; column++) {
            double x = sample->origin_x + column * sample->spacing, y = sample->origin_y + row * sample->spacing;
            double design;
            // The outermost columns lean on what lies outside, and judge nothing.
            if (!design_holds(survey->surface, x, y, sample->spacing) ||
                !design_height(survey->surface, x, y, &design)) {
                continue;
            }
            int k = survey->count++;
            survey->index[k] = row * sample->columns + column;
            survey->design[k] = (float)design;
            survey->start[k] = sample->heights[survey->index[k]];
        }
    }
}

void surface_measure(const SurfaceSurvey *survey, double tolerance, const ExerciseSample *sample, ExerciseState *state)
{
    double squares = 0.0, worst = 0.0, cut = 0.0, fill = 0.0, over = 0.0, left = 0.0, asked = 0.0;
    int within = 0;
    for (int k = 0; k < survey->count; k++) {
        double design = (double)survey->design[k], start = (double)survey->start[k] - design;
        double error = (double)sample->heights[survey->index[k]] - design;
        squares += error * error;
        worst = fabs(error) > fabs(worst) ? error : worst;
        within += fabs(error) <= tolerance;
        cut += error > 0.0 ? error : 0.0;
        fill += error < 0.0 ? -error : 0.0;
        // Soil that was there and is wanted back.
        over += start > -tolerance && error < -tolerance ? -error - tolerance : 0.0;
        asked += fabs(start) > tolerance ? fabs(start) - tolerance : 0.0;
        // What is dug too deep is no work undone: it counts as over-dig. Fill is left where it was asked for.
        left += error > tolerance || (error < -tolerance && start < -tolerance) ? fabs(error) - tolerance : 0.0;
    }
    double area = sample->spacing * sample->spacing, count = survey->count > 0 ? survey->count : 1;
    state->surface_rms = sqrt(squares / count);
    state->surface_worst = worst;
    state->surface_within = within / count;
    state->surface_cut = cut * area;
    state->surface_fill = fill * area;
    state->surface_overdig = over * area;
    state->surface_work = asked > 0.0 ? fmax(0.0, 1.0 - left / asked) : 1.0;
}

/// ---- rocks, ripped ground, fill and loads --------------------------------------------------------------------------

#define IN_GROUND 0.10 ///< m of the point below what the tracks stand on, from which on the shank is in the ground
#define DRAGGED   0.10 ///< m/s of a track that runs backwards

static void measure_rocks(const ExerciseRocks *rocks, ExerciseState *state)
{
    if (rocks->seen) {
        state->rocks[ROCK_COUNT_FIGURE] = rocks->count;
        state->rocks[ROCK_LARGEST_FIGURE] = rocks->largest;
        state->rocks[ROCK_OVERSIZE_FIGURE] = rocks->mass > 0.0 ? rocks->oversize / rocks->mass : 0.0;
    }
    if (rocks->placing) {
        state->rocks_placed[0] = rocks->mass > 0.0 ? rocks->placed / rocks->mass : 0.0;
    }
}

static void measure_ripping(const ExerciseSample *sample, ExerciseState *state)
{
    const ExerciseRipping *ripping = &sample->ripping;
    double *kept = state->ripping;
    bool shank_in = ripping->point < -IN_GROUND;
    if (ripping->seen) {
        // With the blade in the ground as well, which of the two broke it is unknown.
        bool counts = shank_in && ripping->blade_up;
        kept[RIP_SHARE_FIGURE] += counts ? fmax(0.0, ripping->share - kept[RIP_SHARE_SEEN_FIGURE]) : 0.0;
        kept[RIP_DEPTH_FIGURE] += counts ? fmax(0.0, ripping->depth - kept[RIP_DEPTH_SEEN_FIGURE]) : 0.0;
        kept[RIP_SHARE_SEEN_FIGURE] = ripping->share;
        kept[RIP_DEPTH_SEEN_FIGURE] = ripping->depth;
    }
    // A shank is made to be drawn ahead. Backing or turning on the spot, a track running backwards, bends it.
    bool dragged = fmin(sample->belts[0], sample->belts[1]) < -DRAGGED;
    kept[RIP_DRAGGED_FIGURE] += dragged && shank_in ? sample->dt : 0.0;
}

static void measure_loads(const ExerciseLoads *loads, ExerciseState *state)
{
    double *kept = state->loads;
    kept[LOAD_LIFTED_FIGURE] = loads->lifted;
    kept[LOAD_PLACED_FIGURE] = loads->placed;
    kept[LOAD_OFFSET_FIGURE] = loads->offset;
    kept[LOAD_HEADING_FIGURE] = loads->heading;
    kept[LOAD_SWING_FIGURE] = fmax(kept[LOAD_SWING_FIGURE], loads->swing);
    kept[LOAD_IMPACT_FIGURE] = fmax(kept[LOAD_IMPACT_FIGURE], loads->impact);
    kept[LOAD_SHARE_FIGURE] = fmax(kept[LOAD_SHARE_FIGURE], loads->share);
}

static void measure_before_work(const ExerciseSample *sample, ExerciseState *state)
{
    const ExerciseWalk *walk = &sample->walk;
    const ExerciseStartUp *start = &sample->start_up;
    const double walked[WALK_FIGURES] = {[WALK_LOOKED] = walk->looked,
                                         [WALK_FOUND] = walk->found,
                                         [WALK_FALSE] = walk->false_reports,
                                         [WALK_EARLY] = walk->early,
                                         [WALK_SEATED] = walk->seated};
    const double started[START_FIGURES] = {
        [START_RUNNING] = start->running, [START_LEVER] = start->lever_down, [START_HORN] = start->horn_first,
        [START_WARM] = start->warm,       [START_COLD] = start->cold_relief, [START_PARKED] = start->parked};
    memcpy(state->walk, walked, sizeof walked);
    memcpy(state->start_up, started, sizeof started);
}

static void measure_tools(const ExerciseTools *tools, ExerciseState *state)
{
    state->tools[TOOL_LAID_FIGURE] = tools->laid;
    state->tools[TOOL_TAKEN_FIGURE] = tools->taken;
    state->tools[TOOL_DROPPED_FIGURE] = tools->dropped;
}

void parts_start(ExerciseState *state, const ExerciseSample *sample)
{
    measure_before_work(sample, state);
    measure_rocks(&sample->rocks, state);
    measure_loads(&sample->loads, state);
    measure_tools(&sample->tools, state);
}

void parts_measure(const ExerciseSample *sample, ExerciseState *state)
{
    measure_before_work(sample, state);
    state->exposed = sample->exposed >= 0.0 ? sample->exposed : state->exposed;
    state->compacted[0] = sample->compacted >= 0.0 ? sample->compacted : state->compacted[0];
    measure_rocks(&sample->rocks, state);
    measure_ripping(sample, state);
    measure_loads(&sample->loads, state);
    measure_tools(&sample->tools, state);
}
