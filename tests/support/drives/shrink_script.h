/// Makes an operator script that fails as short as it can: delta debugging (Zeller and Hildebrandt 2002, "Simplifying
/// and Isolating Failure-Inducing Input", IEEE Trans. Softw. Eng. 28(2)) over rows, then over levers.
///
/// Rows are taken away in ever smaller runs, first with the time they last, then leaving the levers before them to be
/// held; then each lever is let go in all rows, then in each; then holds are halved. All that until nothing more can be
/// taken, or the most trials are made.
#ifndef SPADEWORK_TESTS_SHRINK_SCRIPT_H
#define SPADEWORK_TESTS_SHRINK_SCRIPT_H

#include "tests/support/clumsy_operator.h"

/// Drives a script for at most `milliseconds`. Returns the ms after which it has failed, in the way that is looked for;
/// -1: it has not.
typedef int ScriptTrial(void *context, const ClumsyScript *script, int milliseconds);

typedef struct Shrink {
    ScriptTrial *trial;
    void *context;
    int trials, most_trials;
    ClumsyScript best; ///< the smallest one known that fails
    int milliseconds; ///< after which it does
} Shrink;

/// Rows that begin when all is over are none.
static inline void shrink_cut(ClumsyScript *script, int milliseconds)
{
    while (script->row_count > 1 && script->rows[script->row_count - 1].milliseconds >= milliseconds) {
        script->row_count--;
    }
}

/// Keeps `script` when it fails within `milliseconds`.
static inline bool shrink_try(Shrink *self, const ClumsyScript *script, int milliseconds)
{
    if (self->trials >= self->most_trials || script->row_count < 1 || milliseconds < 1) {
        return false;
    }
    self->trials++;
    int after = self->trial(self->context, script, milliseconds);
    if (after < 0) {
        return false;
    }
    self->best = *script;
    self->milliseconds = after;
    shrink_cut(&self->best, after);
    return true;
}

/// Without the rows from `first` on, `count` of them. `time`: without the time that they last, too.
static inline bool shrink_without(Shrink *self, int first, int count, bool time)
{
    ClumsyScript script = {.row_count = 0};
    const ClumsyScript *best = &self->best;
    int end = first + count < best->row_count ? best->rows[first + count].milliseconds : self->milliseconds;
    int gone = end - best->rows[first].milliseconds;
    if (count >= best->row_count) {
        return false;
    }
    for (int k = 0; k < best->row_count; k++) {
        if (k < first || k >= first + count) {
            ClumsyRow *row = &script.rows[script.row_count++];
            *row = best->rows[k];
            row->milliseconds -= time && k >= first ? gone : 0;
        }
    }
    script.rows[0].milliseconds = 0;
    return shrink_try(self, &script, self->milliseconds - (time ? gone : 0));
}

/// Takes rows away, half of them at first, one by one at last. Returns whether one could go.
static inline bool shrink_rows(Shrink *self, bool time)
{
    bool less = false;
    for (int count = self->best.row_count / 2; count >= 1; count /= 2) {
        for (int first = self->best.row_count - count; first >= 0; first -= count) {
            if (first + count <= self->best.row_count) {
                less = shrink_without(self, first, count, time) || less;
            }
        }
    }
    return less;
}

/// Lets levers go: one in all rows, or in one of them.
static inline bool shrink_levers(Shrink *self)
{
    bool less = false;
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        for (int only = -1; only < self->best.row_count; only++) {
            ClumsyScript script = self->best;
            bool moved = false;
            int16_t rest = axis == CONTROL_THROTTLE ? 100 : 0;
            for (int k = 0; k < script.row_count; k++) {
                if ((only < 0 || k == only) && script.rows[k].hundredths[axis] != rest) {
                    script.rows[k].hundredths[axis] = rest;
                    moved = true;
                }
            }
            if (moved) {
                less = shrink_try(self, &script, self->milliseconds) || less;
            }
        }
    }
    return less;
}

/// Halves how long each row lasts.
static inline bool shrink_holds(Shrink *self)
{
    enum { SHORTEST = 34 }; // ms: two ticks
    bool less = false;
    for (int k = 0; k + 1 < self->best.row_count; k++) {
        ClumsyScript script = self->best;
        int gone = (script.rows[k + 1].milliseconds - script.rows[k].milliseconds) / 2;
        if (gone >= SHORTEST) {
            for (int later = k + 1; later < script.row_count; later++) {
                script.rows[later].milliseconds -= gone;
            }
            less = shrink_try(self, &script, self->milliseconds - gone) || less;
        }
    }
    return less;
}

/// Makes `script`, which fails within `milliseconds`, smaller; writes the ms after which what is left fails. Returns
/// the number of trials; 0, with all as it was, when the script does not fail.
static inline int shrink_script(ClumsyScript *script, int *milliseconds, ScriptTrial *trial, void *context,
                                int most_trials)
{
    Shrink self = {.trial = trial, .context = context, .most_trials = most_trials};
    if (!shrink_try(&self, script, *milliseconds)) {
        return 0;
    }
    while (shrink_rows(&self, true) || shrink_rows(&self, false) || shrink_levers(&self) || shrink_holds(&self)) {
    }
    *script = self.best;
    *milliseconds = self.milliseconds;
    return self.trials;
}

#endif
