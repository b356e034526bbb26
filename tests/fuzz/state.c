/// Fields of a saved state, changed, with a size and a checksum that fit: a keyframe of who knows the format.
/// It is refused with its reason, or what it holds can be looked at.
///
/// With SPADEWORK_FUZZ_TICK set it goes on for a tick, too. As long as a state may hold any finite number, a place
/// 1e200 m away ends the process in ODE's own check of a quaternion.
///
/// Each change is 12 bytes: field (2), element (2), value (8), of which as many bytes count as an element has.
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/sim/state_io.h"

enum { CHANGE = 12, HEAD = 16, SUM = 8, FIELDS_MOST = 4096 };

/// Where the fields of a saved state lie.
typedef struct Field {
    size_t at; ///< of its first element
    uint32_t size; ///< bytes an element
    uint64_t count;
} Field;

static Field fields[FIELDS_MOST];
static size_t field_count;

static void find_fields(const StateBuffer *state)
{
    size_t at = HEAD;
    while (at < state->size - SUM) {
        uint16_t name;
        Field field;
        memcpy(&name, state->data + at, 2);
        at += 2 + (size_t)name;
        memcpy(&field.size, state->data + at, 4);
        memcpy(&field.count, state->data + at + 4, 8);
        field.at = at + 12;
        at = field.at + field.size * field.count;
        if (field.size > 0 && field.count > 0) {
            require(field_count < FIELDS_MOST);
            fields[field_count++] = field;
        }
    }
    require(at == state->size - SUM);
}

static void change(StateBuffer *state, const uint8_t *data)
{
    const Field *field = &fields[(size_t)(data[0] | data[1] << 8) % field_count];
    size_t element = (size_t)(data[2] | data[3] << 8) % field->count;
    memcpy(state->data + field->at + element * field->size, data + 4, field->size < 8 ? field->size : 8);
}

void fuzz_state(const uint8_t *data, size_t size)
{
    static Session *session;
    static StateBuffer good, changed;
    Status status = {STATUS_GOOD, ""};
    if (session == NULL) {
        session = fuzz_session();
        OperatorControls levers = control_neutral;
        levers.axis[0] = 20000;
        session_tick(session, &levers);
        require(state_save(session, &good, &status));
        find_fields(&good);
    }
    changed.size = 0;
    require(state_buffer_reserve(&changed, good.size));
    memcpy(changed.data, good.data, good.size);
    changed.size = good.size;
    for (size_t at = 0; at + CHANGE <= size; at += CHANGE) {
        change(&changed, data + at);
    }
    uint64_t sum = XXH3_64bits(changed.data, changed.size - SUM);
    memcpy(changed.data + changed.size - SUM, &sum, sizeof sum);
    if (state_restore(session, changed.data, changed.size, &status)) {
        require(state_hash(session) != 0 && session_frame(session) != NULL);
        if (getenv("SPADEWORK_FUZZ_TICK") != NULL) {
            OperatorControls controls = control_neutral;
            session_tick(session, &controls);
        }
    } else {
        require(status.text[0] != '\0');
    }
    require(state_restore(session, good.data, good.size, &status));
}
