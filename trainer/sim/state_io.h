/// The four uses of a state visit: hash, save, restore, difference.
///
/// Saved form, little-endian: "SPADEST1", size of the whole (u64), then per field: length of the name (u16), name,
/// bytes an element (u32), elements (u64), bytes; last XXH3 of everything before it (u64).
#ifndef SPADEWORK_TRAINER_STATE_IO_H
#define SPADEWORK_TRAINER_STATE_IO_H

#include "trainer/sim/session.h"

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

#endif
