/// What is kept of ripping: how much of the ground is broken, and how long the ripper was dragged the wrong way.
#include "trainer/exercise/exercise_internal.h"

#include <math.h>
#include <string.h>

#define IN_GROUND 0.10 ///< m of the point below what the tracks stand on, from which on the shank is in the ground
#define DRAGGED   0.10 ///< m/s of a track that runs backwards

void ripping_measure(const ExerciseSample *sample, ExerciseState *state)
{
    const ExerciseRipping *ripping = &sample->ripping;
    if (ripping->seen) {
        state->ripping[RIP_SHARE_FIGURE] = ripping->share;
        state->ripping[RIP_DEPTH_FIGURE] = ripping->depth;
    }
    // A shank is made to be drawn ahead. Whoever backs or turns on the spot, a track running backwards, bends it.
    bool dragged = fmin(sample->belts[0], sample->belts[1]) < -DRAGGED;
    state->ripping[RIP_DRAGGED_FIGURE] += dragged && ripping->point < -IN_GROUND ? sample->dt : 0.0;
}

void ripping_visit(ExerciseState *state, StateVisitor *visitor)
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
