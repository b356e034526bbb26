/// Observations of a session as named arrays of numbers, for files that other programs learn from: one list of arrays,
/// which writers of any format walk, so that an array has one name, one order and one unit everywhere.
///
/// SI units; world: x east, y north, z up. Plain data of one session's thread; nothing is allocated.
#ifndef SPADEWORK_TRAINER_SAMPLING_H
#define SPADEWORK_TRAINER_SAMPLING_H

#include <stdbool.h>

#include "data/core/metric.h"
#include "data/core/operator_controls.h"
#include "trainer/sim/sim.h"

enum { SAMPLING_ARRAYS = 24, SAMPLING_COLUMNS = METRIC_COUNT + SCENE_MAX_SCORES + 64, SAMPLING_NAME = 48 };

typedef struct SampledColumn {
    char name[SAMPLING_NAME]; ///< "boom", "spilled_kg"
    char unit[12]; ///< "rad", "kg"; "1" for none
} SampledColumn;

typedef struct SampledArray {
    const char *name; ///< "qpos"
    const char *about; ///< what it holds, for people
    bool task; ///< of the exercise; else of the machine
    int first, count; ///< its columns
} SampledArray;

/// The arrays of a session's observation. The same for all of a session.
typedef struct Sampling {
    int array_count;
    SampledArray arrays[SAMPLING_ARRAYS];
    int column_count;
    SampledColumn columns[SAMPLING_COLUMNS];
    int axis_count;
    ControlAxis axes[CONTROL_COUNT]; ///< levers that move the machine: an action's, in the order of the joints
} Sampling;

/// Lists the arrays of a session: qpos, qvel, pressure, tool_force, tool_moment, payload, tip, base_position,
/// orientation, track_slip, engine; of the exercise score, score_rows, metrics and, where there is one, truck.
void sampling_describe(const Session *session, Sampling *sampling);
/// Writes the session's present numbers into `values` [sampling->column_count].
void sampling_take(const Session *session, const Sampling *sampling, double *values);

#endif
