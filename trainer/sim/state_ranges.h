/// The range of every number of a saved state: what a stored keyframe may hold before any other code reads it.
///
/// The rows name each field as recordings do, in the order of session_visit. A field without a row is refused when a
/// state is restored, so that none can be forgotten for long. A range is wider than anything that an honest session
/// reaches, and narrow enough that whatever lies in it can be stepped.
#ifndef SPADEWORK_TRAINER_STATE_RANGES_H
#define SPADEWORK_TRAINER_STATE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"

/// What a field's bytes are.
typedef enum StateNumber {
    STATE_DOUBLE,
    STATE_FLOAT,
    STATE_INT64,
    STATE_INT32,
    STATE_UINT32,
    STATE_UINT16,
    STATE_UINT8,
    STATE_TEXT, ///< characters, which have no range
} StateNumber;

/// What is added to a row's `low` and `high`, or how its elements are taken.
typedef enum StateBasis {
    STATE_FIXED, ///< nothing
    STATE_ALONG_X, ///< half the site's size and a margin, to both sides of its middle
    STATE_ALONG_Y,
    STATE_PLACE, ///< the elements are x, y, z in turn, x and y as above, z from low to high
    STATE_UNIT, ///< every four elements are a quaternion of length 1, or all 0 where nothing is
    STATE_PARTICLES, ///< `high` counts from the budget of particles
    STATE_SOILS, ///< `high` counts from the number of soils
} StateBasis;

typedef struct StateRange {
    const char *name; ///< as in recordings; one '*' stands for a body's name
    StateNumber number;
    StateBasis basis;
    double low, high; ///< in `unit`
    const char *unit; ///< "" = none
} StateRange;

/// Lists the rows, `*count` of them, in the order of session_visit.
const StateRange *state_ranges(int *count);
/// Finds a field's row, `name_length` characters; NULL: none. `hint`: the number of the row at which to begin, and
/// then that after the one found; fields that come in order are found at once.
const StateRange *state_range_find(const char *name, size_t name_length, int *hint);
/// Computes the bounds, `low` and `high` in the unit of the row, of element `index` of a field in a scene.
void state_range_bounds(const StateRange *range, const SceneParams *scene, size_t index, double *low, double *high);
/// Bytes of one number; 1 of text.
size_t state_number_size(StateNumber number);

/// The bytes of one field.
typedef struct StateBytes {
    const char *name; ///< not NUL-terminated
    size_t name_length;
    const unsigned char *data;
    size_t bytes;
} StateBytes;

/// True when every number of the field lies in its range. Else `status` (STATUS_BAD_FILE) says the field, the value and
/// what is allowed.
bool state_range_holds(const StateBytes *field, const SceneParams *scene, int *hint, Status *status);

/// ---- joints against their bodies -----------------------------------------------------------------------------------
///
/// Whether the bodies of a restored machine hang together. Each number of a state may be in its range and its bodies
/// metres apart all the same; the solver would pull them together within a tick and fling the machine.

/// m that a joint's pin may be from where its other body has it, and rad between the pin's axes. Chosen: a thousand
/// times the worst of honest recordings, 2e-5 m and 2e-6 rad in 1860 joints of the keyframes of digging, loading and
/// dozing; what is left comes out in some ticks without a jerk that is felt.
#define JOINED_DISTANCE 0.02
#define JOINED_ANGLE    0.002

/// True when the pins of all joints are where both of their bodies have them. Else `status` (STATUS_BAD_FILE) says
/// which joint, its bodies, how far they are apart and what is allowed.
bool joined_bodies_hold(const Machine *machine, const MachineParams *params, const MachineState *state, Status *status);

#endif
