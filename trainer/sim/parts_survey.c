/// What is kept of the parts of an exercise that the session looks at: rocks, ripped ground, fill, loads.
#include "trainer/sim/exercise_internal.h"

#include <math.h>
#include <string.h>

#define IN_GROUND 0.10 ///< m of the point below what the tracks stand on, from which on the shank is in the ground
#define DRAGGED   0.10 ///< m/s of a track that runs backwards

static void measure_rocks(const ExerciseRocks *rocks, ExerciseState *state)
{
    if (rocks->seen) {
        state->rocks[ROCK_COUNT_FIGURE] = rocks->count;
        state->rocks[ROCK_LARGEST_FIGURE] = rocks->largest;
        state->rocks[ROCK_OVERSIZE_FIGURE] = rocks->mass > 0.0 ? rocks->oversize / rocks->mass : 0.0;
    }
}

static void measure_ripping(const ExerciseSample *sample, ExerciseState *state)
{
    const ExerciseRipping *ripping = &sample->ripping;
    double *kept = state->ripping;
    bool shank_in = ripping->point < -IN_GROUND;
    if (ripping->seen) {
        // With the blade in the ground as well, nothing tells which of the two broke it.
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

void parts_start(ExerciseState *state, const ExerciseSample *sample)
{
    measure_rocks(&sample->rocks, state);
    measure_loads(&sample->loads, state);
}

void parts_measure(const ExerciseSample *sample, ExerciseState *state)
{
    state->exposed = sample->exposed >= 0.0 ? sample->exposed : state->exposed;
    state->compacted = sample->compacted >= 0.0 ? sample->compacted : state->compacted;
    measure_rocks(&sample->rocks, state);
    measure_ripping(sample, state);
    measure_loads(&sample->loads, state);
}

static void visit_ripping(ExerciseState *state, StateVisitor *visitor)
{
    state_visit_array(visitor, "exercise.ripping", state->ripping, sizeof(double), RIP_FIGURES);
    double sum = 0.0;
    for (int k = 0; k < RIP_FIGURES; k++) {
        sum += fabs(state->ripping[k]);
    }
    if (visitor->restoring && !isfinite(sum)) {
        memset(state->ripping, 0, sizeof state->ripping);
        visitor->failed = true;
    }
}

void parts_visit(const SceneExercise *asked, ExerciseState *state, StateVisitor *visitor)
{
    if (scene_has_part(asked, METRIC_OF_ROCKS)) {
        state_visit_array(visitor, "exercise.rocks", state->rocks, sizeof(double), ROCK_FIGURES);
    }
    if (scene_has_part(asked, METRIC_OF_RIPPING)) {
        visit_ripping(state, visitor);
    }
    if (scene_has_part(asked, METRIC_OF_COMPACTION)) {
        STATE_VISIT(visitor, "exercise.compacted", state->compacted);
    }
    if (scene_has_part(asked, METRIC_OF_LOADS)) {
        state_visit_array(visitor, "exercise.loads", state->loads, sizeof(double), LOAD_FIGURES);
    }
}
