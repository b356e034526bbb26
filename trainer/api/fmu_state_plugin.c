/// The FMU's states: copied, restored, written as bytes that another process can read.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/api/fmu_instance.h"

/// In front of a serialised state; behind it FmuPlace, and the bytes of FmuState. Little-endian, as the processor has
/// it.
typedef struct Head {
    char magic[8];
    uint64_t version; ///< STATE_LAYOUT
    uint64_t size; ///< bytes of the session's state
} Head;

enum { STATE_LAYOUT = 1 };

static const char magic[8] = {'S', 'P', 'A', 'D', 'E', 'F', 'M', 'U'};

static void free_state(FmuState *state)
{
    if (state != NULL) {
        free(state->bytes);
        free(state);
    }
}

/// Bytes of the observation, which stand in front of the session's state.
static size_t observation_size(const FmuInstance *instance)
{
    return (size_t)instance->variables.observation * sizeof(double);
}

/// A state with room for `size` bytes of the session's: the one that is there, or a new one. NULL: no memory, and `old`
/// is as it was.
static FmuState *make_room(const FmuInstance *instance, FmuState *old, size_t size)
{
    FmuState *state = old != NULL ? old : calloc(1, sizeof *state);
    unsigned char *bytes = state == NULL ? NULL : realloc(state->bytes, observation_size(instance) + size + 1);
    if (bytes == NULL) {
        if (old == NULL) {
            free(state);
        }
        return NULL;
    }
    state->bytes = bytes;
    state->size = size;
    return state;
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    FmuInstance *own = instance;
    size_t size = 0;
    if (!fmu_may(own, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (state == NULL) {
        return fmu_fail(own, __func__, "the place for the state is NULL");
    }
    if (!fmu_look(own, false) || spadework_save(own->session, NULL, 0, &size) != SPADEWORK_GOOD) {
        return fmu_fail_session(own, __func__);
    }
    FmuState *copy = make_room(own, *state, size);
    if (copy == NULL) {
        return fmu_fail(own, __func__, "no memory for a state of %zu bytes", size);
    }
    *state = copy;
    copy->place = own->place;
    memcpy(copy->bytes, own->observation, observation_size(own));
    return spadework_save(own->session, copy->bytes + observation_size(own), size, NULL) == SPADEWORK_GOOD
               ? fmi3OK
               : fmu_fail_session(own, __func__);
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    FmuInstance *own = instance;
    const FmuState *kept = state;
    if (!fmu_may(own, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (kept == NULL || kept->place.levers != own->variables.levers) {
        return fmu_fail(own, __func__, kept == NULL ? "the state is NULL" : "the state is one of another FMU");
    }
    own->observed = own->measured = false;
    if (spadework_restore(own->session, kept->bytes + observation_size(own), kept->size) != SPADEWORK_GOOD) {
        return fmu_fail_session(own, __func__);
    }
    memcpy(own->observation, kept->bytes, observation_size(own));
    own->observed = true;
    own->place = kept->place;
    return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    if (!fmu_may(instance, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (state != NULL) {
        free_state(*state);
        *state = NULL;
    }
    return fmi3OK;
}

static size_t serialised_size(const FmuInstance *instance, const FmuState *state)
{
    return sizeof(Head) + sizeof(FmuPlace) + observation_size(instance) + state->size;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size)
{
    if (!fmu_may(instance, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (state == NULL || size == NULL) {
        return fmu_fail(instance, __func__, "the state, or the place for its size, is NULL");
    }
    *size = serialised_size(instance, state);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    const FmuState *kept = state;
    if (!fmu_may(instance, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (kept == NULL || bytes == NULL || size != serialised_size(instance, kept)) {
        return fmu_fail(instance, __func__,
                        "room for %zu bytes is given; allowed are exactly those of "
                        "fmi3SerializedFMUStateSize, and no NULL",
                        size);
    }
    Head head = {.version = STATE_LAYOUT, .size = kept->size};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, &kept->place, sizeof kept->place);
    memcpy(bytes + sizeof head + sizeof kept->place, kept->bytes, observation_size(instance) + kept->size);
    return fmi3OK;
}

/// True for numbers that an instance of these variables can have.
static bool place_fits(const FmuPlace *place, const FmuVariables *variables)
{
    bool fits = (place->mode == FMU_INSTANTIATED || place->mode == FMU_INITIALIZATION || place->mode == FMU_STEP ||
                 place->mode == FMU_TERMINATED) &&
                place->levers == variables->levers && place->seed >= 0 && place->ticks >= 0 && isfinite(place->start) &&
                place->point >= place->start && isfinite(place->point);
    for (int k = 0; k < FMU_MOST_LEVERS; k++) {
        fits = fits && place->lever[k] >= -1.0 && place->lever[k] <= 1.0;
    }
    return fits;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    FmuInstance *own = instance;
    Head head;
    FmuPlace place;
    if (!fmu_may(own, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (bytes == NULL || state == NULL) {
        return fmu_fail(own, __func__, "the bytes, or the place for the state, are NULL");
    }
    size_t before = sizeof head + sizeof place + observation_size(own);
    bool whole = size >= before;
    if (whole) {
        memcpy(&head, bytes, sizeof head);
        memcpy(&place, bytes + sizeof head, sizeof place);
        whole = memcmp(head.magic, magic, sizeof magic) == 0 && head.version == STATE_LAYOUT &&
                head.size == size - before && place_fits(&place, &own->variables);
    }
    if (!whole) {
        return fmu_fail(own, __func__,
                        "these %zu bytes are no state of this FMU: pass those that fmi3SerializeFMUState "
                        "has written",
                        size);
    }
    FmuState *made = make_room(own, *state, (size_t)head.size);
    if (made == NULL) {
        return fmu_fail(own, __func__, "no memory for a state of %zu bytes", size);
    }
    made->place = place;
    memcpy(made->bytes, bytes + sizeof head + sizeof place, observation_size(own) + made->size);
    *state = made;
    return fmi3OK;
}
