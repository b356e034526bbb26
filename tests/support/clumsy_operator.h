/// A beginner's hands: an operator script that follows from its seed alone. Levers are held too long, thrown over,
/// moved several at once or as the two sticks of a pad; now and then they dig.
///
/// The script is what `--operator FILE.csv` reads (clumsy_write), and the same levers without a file (clumsy_levers).
/// It has every axis, so that it drives an excavator and a dozer. Lever positions are whole hundredths: the file holds
/// them exactly.
#ifndef SPADEWORK_TESTS_CLUMSY_OPERATOR_H
#define SPADEWORK_TESTS_CLUMSY_OPERATOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/core/operator_controls.h"
#include "data/core/random.h"

#define CLUMSY_SECONDS  30.0 ///< s that a script lasts. The levers of its last row are held after it
#define CLUMSY_SHORTEST 0.1 ///< s between two changes, at least. Chosen: a hand that twitches
#define CLUMSY_LONGEST  1.5 ///< s between two changes, at most. Chosen: a hand that forgets its lever

enum {
    CLUMSY_MOST_ROWS = 301,
    CLUMSY_AXES =
        CONTROL_ANSWER ///< those before the answer: hands know no questions, and old seeds stay what they were
};

/// Levers that are held from a time on.
typedef struct ClumsyRow {
    int milliseconds; ///< since the start
    int16_t hundredths[CONTROL_COUNT]; ///< -100..100
} ClumsyRow;

typedef struct ClumsyScript {
    int row_count; ///< 1..CLUMSY_MOST_ROWS
    ClumsyRow rows[CLUMSY_MOST_ROWS]; ///< the first at 0, later ones later
} ClumsyScript;

/// Random numbers of one row.
typedef struct ClumsyDraw {
    uint64_t seed, row, drawn;
} ClumsyDraw;

/// Next number, 0 <= value < 1.
static inline double clumsy_unit(ClumsyDraw *draw)
{
    return random_unit(draw->seed, draw->row, draw->drawn++);
}

/// Next lever position between two, in hundredths.
static inline int16_t clumsy_between(ClumsyDraw *draw, double low, double high)
{
    return (int16_t)floor(100.0 * (low + (high - low) * clumsy_unit(draw)) + 0.5);
}

/// Grabs every lever that moves something with six chances in ten and puts it anywhere; lets go of the others.
static inline void clumsy_grab(ClumsyDraw *draw, int16_t *levers)
{
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        if (axis != CONTROL_THROTTLE) {
            int16_t anywhere = clumsy_between(draw, -1.0, 1.0);
            levers[axis] = clumsy_unit(draw) < 0.6 ? anywhere : (int16_t)0;
        }
    }
}

/// Digs, or believes so: the boom pressed down, stick and bucket in; the blade pressed down, both tracks ahead.
static inline void clumsy_dig(ClumsyDraw *draw, int16_t *levers)
{
    levers[CONTROL_BOOM] = clumsy_between(draw, -1.0, -0.2);
    levers[CONTROL_STICK] = clumsy_between(draw, 0.2, 1.0);
    levers[CONTROL_BUCKET] = clumsy_between(draw, -0.3, 1.0);
    levers[CONTROL_BLADE] = clumsy_between(draw, -1.0, -0.2);
    levers[CONTROL_SWING] = clumsy_unit(draw) < 0.5 ? clumsy_between(draw, -0.4, 0.4) : (int16_t)0;
    bool drives = clumsy_unit(draw) < 0.5;
    levers[CONTROL_LEFT_TRACK] = drives ? clumsy_between(draw, 0.3, 1.0) : (int16_t)0;
    levers[CONTROL_RIGHT_TRACK] = drives ? clumsy_between(draw, 0.3, 1.0) : (int16_t)0;
}

/// Throws all levers over.
static inline void clumsy_reverse(int16_t *levers)
{
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        levers[axis] = axis == CONTROL_THROTTLE ? levers[axis] : (int16_t)-levers[axis];
    }
}

/// Pushes a pad's stick somewhere: two axes by one direction, far out.
static inline void clumsy_push_stick(ClumsyDraw *draw, int16_t *levers, ControlAxis across, ControlAxis along)
{
    double angle = 2.0 * M_PI * clumsy_unit(draw), out = 0.4 + 0.6 * clumsy_unit(draw);
    levers[across] = (int16_t)floor(100.0 * out * cos(angle) + 0.5);
    levers[along] = (int16_t)floor(100.0 * out * sin(angle) + 0.5);
}

/// Both sticks of a pad at once, as the shipped maps lay the axes on them: arm and swing, and blade and tracks.
static inline void clumsy_pad(ClumsyDraw *draw, int16_t *levers)
{
    clumsy_push_stick(draw, levers, CONTROL_SWING, CONTROL_STICK);
    clumsy_push_stick(draw, levers, CONTROL_BUCKET, CONTROL_BOOM);
    clumsy_push_stick(draw, levers, CONTROL_BLADE_TILT, CONTROL_BLADE);
    clumsy_push_stick(draw, levers, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK);
}

/// Changes the levers as one row does. Shares of the ways: chosen, so that each comes several times in half a minute.
static inline void clumsy_change(ClumsyDraw *draw, int16_t *levers)
{
    double way = clumsy_unit(draw);
    if (way < 0.4) {
        clumsy_grab(draw, levers);
    } else if (way < 0.55) {
        clumsy_dig(draw, levers);
    } else if (way < 0.65) {
        clumsy_reverse(levers);
    } else if (way < 0.85) {
        clumsy_pad(draw, levers);
    } else if (way < 0.95) { // one lever to its end, the others held
        int axis = (int)(clumsy_unit(draw) * CLUMSY_AXES);
        levers[axis == CONTROL_THROTTLE ? CONTROL_BOOM : axis] = clumsy_unit(draw) < 0.5 ? (int16_t)-100 : (int16_t)100;
    } else {
        for (int axis = 0; axis < CLUMSY_AXES; axis++) {
            levers[axis] = axis == CONTROL_THROTTLE ? levers[axis] : (int16_t)0;
        }
    }
    if (clumsy_unit(draw) < 0.3) { // the throttle stays at full; the draws stay, so that a seed keeps its script
        clumsy_unit(draw);
    }
}

/// Makes the script of a seed.
static inline void clumsy_make(uint64_t seed, ClumsyScript *script)
{
    int16_t levers[CONTROL_COUNT] = {[CONTROL_THROTTLE] = 100};
    int milliseconds = 0;
    *script = (ClumsyScript){0};
    while (milliseconds < (int)(1000.0 * CLUMSY_SECONDS)) {
        ClumsyDraw draw = {.seed = seed, .row = (uint64_t)script->row_count};
        clumsy_change(&draw, levers);
        ClumsyRow *row = &script->rows[script->row_count++];
        row->milliseconds = milliseconds;
        for (int axis = 0; axis < CLUMSY_AXES; axis++) {
            row->hundredths[axis] = levers[axis];
        }
        double held = CLUMSY_SHORTEST + (CLUMSY_LONGEST - CLUMSY_SHORTEST) * clumsy_unit(&draw);
        milliseconds += (int)(1000.0 * held + 0.5);
    }
}

/// The levers at a time (s) since the script's start.
static inline void clumsy_levers(const ClumsyScript *script, double time, OperatorControls *controls)
{
    int k = 0;
    while (k + 1 < script->row_count && script->rows[k + 1].milliseconds / 1000.0 <= time) {
        k++;
    }
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        controls->axis[axis] = control_quantise(script->rows[k].hundredths[axis] / 100.0);
    }
    for (int axis = CLUMSY_AXES; axis < CONTROL_COUNT; axis++) {
        controls->axis[axis] = 0;
    }
}

/// Writes the script as CSV. False when the file takes no more.
static inline bool clumsy_write(const ClumsyScript *script, FILE *file)
{
    fputs("t", file);
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        fprintf(file, ",%s", control_axis_names[axis]);
    }
    fputc('\n', file);
    for (int k = 0; k < script->row_count; k++) {
        const ClumsyRow *row = &script->rows[k];
        fprintf(file, "%d.%03d", row->milliseconds / 1000, row->milliseconds % 1000);
        for (int axis = 0; axis < CLUMSY_AXES; axis++) {
            int lever = row->hundredths[axis], size = lever < 0 ? -lever : lever;
            fprintf(file, ",%s%d.%02d", lever < 0 ? "-" : "", size / 100, size % 100);
        }
        fputc('\n', file);
    }
    return ferror(file) == 0;
}

#endif
