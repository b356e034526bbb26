/// The four uses of a state visit: hash, save, restore, difference.
#ifndef SPADEWORK_TRAINER_STATE_IO_H
#define SPADEWORK_TRAINER_STATE_IO_H

#include "trainer/session.h"

/// XXH3 of all fields, in order.
uint64_t state_hash(Session *session);

/// A growing byte buffer; zero-initialise, free with state_buffer_free.
typedef struct StateBuffer {
    unsigned char *data;
    size_t size, capacity;
} StateBuffer;
void state_buffer_free(StateBuffer *buffer);

/// Every field as name, size, count and bytes, so that two states can be compared field by field.
bool state_save(Session *session, StateBuffer *buffer, Status *status);
bool state_restore(Session *session, const unsigned char *data, size_t size, Status *status);
/// Name (with index) of the first field of the session that differs from the saved state; false when equal.
bool state_first_difference(Session *session, const unsigned char *data, size_t size, char *field, int field_size);

#endif
