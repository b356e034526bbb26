/// Operator scripts that follow from a seed, harder than a beginner's hands (clumsy_operator.h): levers held at their
/// ends for long, jerked, thrown from one end to the other, swung to and fro at one frequency, some at once and all at
/// once, and the beginner's ways between them.
///
/// A script is a ClumsyScript: what `--operator FILE.csv` reads (clumsy_write), and the same levers without a file.
#ifndef SPADEWORK_TESTS_RANDOM_SCRIPT_H
#define SPADEWORK_TESTS_RANDOM_SCRIPT_H

#include "tests/support/clumsy_operator.h"

#define RANDOM_SHORTEST_ROW 0.05 ///< s between two rows, at least: three ticks

/// A script that is being made.
typedef struct RandomScript {
    ClumsyScript *script;
    ClumsyDraw draw;
    int16_t levers[CONTROL_COUNT]; ///< hundredths
    double time, end; ///< s
} RandomScript;

/// Holds the levers as they are for a while, s.
static inline void random_row(RandomScript *self, double seconds)
{
    if (self->time >= self->end || self->script->row_count >= CLUMSY_MOST_ROWS) {
        return;
    }
    ClumsyRow *row = &self->script->rows[self->script->row_count++];
    *row = (ClumsyRow){.milliseconds = (int)floor(1000.0 * self->time + 0.5)};
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        row->hundredths[axis] = self->levers[axis];
    }
    self->time += fmax(seconds, RANDOM_SHORTEST_ROW);
}

/// s between two, most often short.
static inline double random_while(RandomScript *self, double shortest, double longest)
{
    double share = clumsy_unit(&self->draw);
    return shortest + (longest - shortest) * share * share;
}

/// A lever, but for the engine's.
static inline int random_axis(RandomScript *self)
{
    int axis = (int)(clumsy_unit(&self->draw) * CLUMSY_AXES);
    return axis == CONTROL_THROTTLE ? CONTROL_BOOM : axis;
}

static inline int16_t random_end(RandomScript *self)
{
    return clumsy_unit(&self->draw) < 0.5 ? (int16_t)-100 : (int16_t)100;
}

/// Up to three levers go to their ends and stay there.
static inline void random_hold(RandomScript *self)
{
    int levers = 1 + (int)(3.0 * clumsy_unit(&self->draw));
    for (int k = 0; k < levers; k++) {
        self->levers[random_axis(self)] = random_end(self);
    }
    random_row(self, random_while(self, 0.3, 5.0));
}

/// A lever is jerked: out and back, some times.
static inline void random_jerk(RandomScript *self)
{
    int axis = random_axis(self), times = 1 + (int)(4.0 * clumsy_unit(&self->draw));
    int16_t before = self->levers[axis], out = random_end(self);
    for (int k = 0; k < times; k++) {
        self->levers[axis] = out;
        random_row(self, random_while(self, 0.05, 0.3));
        self->levers[axis] = before;
        random_row(self, random_while(self, 0.05, 0.3));
    }
}

/// Levers swing from one end to the other with one period.
static inline void random_swing(RandomScript *self)
{
    int first = random_axis(self), second = random_axis(self);
    double half = random_while(self, 0.05, 1.5);
    int times = 2 + (int)(10.0 * clumsy_unit(&self->draw));
    int16_t end = random_end(self);
    bool both = clumsy_unit(&self->draw) < 0.4;
    for (int k = 0; k < times; k++) {
        end = (int16_t)-end;
        self->levers[first] = end;
        if (both) {
            self->levers[second] = end;
        }
        random_row(self, half);
    }
}

/// Every lever to an end at once.
static inline void random_all(RandomScript *self)
{
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        if (axis != CONTROL_THROTTLE) {
            self->levers[axis] = random_end(self);
        }
    }
    random_row(self, random_while(self, 0.2, 3.0));
}

/// All levers let go.
static inline void random_rest(RandomScript *self)
{
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        if (axis != CONTROL_THROTTLE) {
            self->levers[axis] = 0;
        }
    }
    random_row(self, random_while(self, 0.1, 1.0));
}

/// Makes the script of a seed, `seconds` (s, above 0) long; one that would have more rows than a script can hold ends
/// sooner. Shares of the ways are chosen, so that each comes in most scripts of ten seconds.
static inline void random_script_make(uint64_t seed, double seconds, ClumsyScript *script)
{
    RandomScript self = {.script = script, .levers = {[CONTROL_THROTTLE] = 100}, .end = seconds};
    script->row_count = 0;
    for (uint64_t way = 0; self.time < self.end && script->row_count < CLUMSY_MOST_ROWS; way++) {
        self.draw = (ClumsyDraw){.seed = random_mix(seed ^ 0x736372697074u), .row = way};
        double drawn = clumsy_unit(&self.draw);
        if (drawn < 0.2) {
            random_hold(&self);
        } else if (drawn < 0.35) {
            random_jerk(&self);
        } else if (drawn < 0.5) {
            random_swing(&self);
        } else if (drawn < 0.58) {
            random_all(&self);
        } else if (drawn < 0.65) {
            random_rest(&self);
        } else {
            clumsy_change(&self.draw, self.levers);
            random_row(&self, random_while(&self, CLUMSY_SHORTEST, CLUMSY_LONGEST));
        }
    }
}

#endif
