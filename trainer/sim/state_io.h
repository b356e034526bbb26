/// The four uses of a state visit: hash, save, restore, difference; and range and unit of every field.
///
/// Saved form, little-endian: "SPADEST1", size of the whole (u64), then per field: length of the name (u16), name,
/// bytes an element (u32), elements (u64), bytes; last XXH3 of everything before it (u64).
#ifndef SPADEWORK_TRAINER_STATE_IO_H
#define SPADEWORK_TRAINER_STATE_IO_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "data/schema/scene_params.h"
#include "trainer/sim/session.h"

/// Version of what a tick computes and of the state's fields: states and recordings of another one do not fit.
#define STATE_VERSION 22

/// XXH3 of all fields, in order. Allocates nothing.
uint64_t state_hash(Session *session);

/// A growing byte buffer; zero-initialise, free with state_buffer_free.
typedef struct StateBuffer {
    unsigned char *data;
    size_t size, capacity;
} StateBuffer;
void state_buffer_free(StateBuffer *buffer);
/// Makes room for `more` bytes behind what is in it; grows by doubling. False when memory is out.
bool state_buffer_reserve(StateBuffer *buffer, size_t more);

/// Every field as name, size, count and bytes, so that two states can be compared field by field. Replaces what the
/// buffer held; its memory is kept, so that saving again seldom allocates. False when memory is out.
bool state_save(Session *session, StateBuffer *buffer, Status *status);
/// Bytes of the largest state that a session of this scene can have: all of its soil moving, all of its ground touched.
/// Follows from the scene alone. 0 when memory is out.
size_t state_size_most(Session *session);
/// A damaged state is refused before anything is written. One that is whole but does not fit the session (another
/// scene) may leave the session half written: restore another state into it, or destroy it.
bool state_restore(Session *session, const unsigned char *data, size_t size, Status *status);
/// True when the saved state is whole: magic, sizes, checksum.
bool state_is_whole(const unsigned char *data, size_t size, Status *status);
/// Name (with index) of the first field of the session that differs from the saved state; false when equal.
bool state_first_difference(Session *session, const unsigned char *data, size_t size, char *field, int field_size);

/// The same over any visit, for tests and tools.
typedef void StateVisit(void *subject, StateVisitor *visitor);
uint64_t state_hash_visit(StateVisit *visit, void *subject);
bool state_save_visit(StateVisit *visit, void *subject, StateBuffer *buffer, Status *status);
bool state_restore_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, Status *status);
bool state_first_difference_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, char *field,
                                  int field_size);

/// ---- ranges --------------------------------------------------------------------------------------------------------
///
/// The range of every number of a saved state: what a stored keyframe may hold before any other code reads it.
///
/// The rows name each field as recordings do, in the order of session_visit. A field without a row is refused when a
/// state is restored. A range is wider than anything that an honest session reaches, and narrow enough that whatever
/// lies in it can be stepped.

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

#endif
