/// What writer and reader of a recording share: the keys of meta, the bytes of controls, the hashes of rows and of the
/// stored files.
#include "trainer/record/recording_format.h"

#include <string.h>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

bool recording_is_meta_key(const char *key)
{
#define X(name)                                                                                                        \
    if (strcmp(key, #name) == 0) {                                                                                     \
        return true;                                                                                                   \
    }
    RECORDING_META_KEYS(X)
#undef X
    return false;
}

void recording_pack_controls(const OperatorControls *controls, unsigned char bytes[RECORDING_CONTROLS_SIZE])
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        unsigned value = (uint16_t)controls->axis[k];
        bytes[2 * k] = (unsigned char)(value & 0xffu);
        bytes[2 * k + 1] = (unsigned char)(value >> 8);
    }
}

void recording_unpack_controls(const unsigned char bytes[RECORDING_CONTROLS_SIZE], OperatorControls *controls)
{
    for (int k = 0; k < CONTROL_COUNT; k++) {
        int value = bytes[2 * k] | bytes[2 * k + 1] << 8;
        controls->axis[k] = (int16_t)(value > INT16_MAX ? value - 65536 : value);
    }
}

int64_t recording_input_hash(int64_t tick, const OperatorControls *controls)
{
    unsigned char bytes[8 + RECORDING_CONTROLS_SIZE];
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)((uint64_t)tick >> (8 * k));
    }
    recording_pack_controls(controls, bytes + 8);
    return (int64_t)XXH3_64bits(bytes, sizeof bytes);
}

uint64_t recording_files_hash(const DataFiles *files)
{
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    for (int k = 0; k < files->count; k++) {
        const DataFile *file = &files->files[k];
        XXH3_64bits_update(&hash, file->kind, strlen(file->kind) + 1);
        XXH3_64bits_update(&hash, file->name, strlen(file->name) + 1);
        XXH3_64bits_update(&hash, file->text, file->size);
    }
    return XXH3_64bits_digest(&hash);
}

enum { ORDER_NUMBERS = 4 };

/// The name of the fault stands in the row, so that another order of SESSION_FAULTS changes nothing.
int64_t recording_order_hash(const RecordedOrder *row)
{
    const char *name = session_fault_kind((SessionFault)row->order.fault)->name;
    unsigned char bytes[8 * ORDER_NUMBERS + ORDER_NAME];
    uint64_t numbers[ORDER_NUMBERS] = {(uint64_t)row->number, (uint64_t)row->tick, (uint64_t)(int64_t)row->order.part,
                                       0};
    memcpy(&numbers[ORDER_NUMBERS - 1], &row->order.value, sizeof row->order.value);
    for (int k = 0; k < 8 * ORDER_NUMBERS; k++) {
        bytes[k] = (unsigned char)(numbers[k / 8] >> (8 * (k % 8)));
    }
    size_t length = 8 * ORDER_NUMBERS;
    for (const char *letter = name; *letter != '\0' && length < sizeof bytes; letter++) {
        bytes[length++] = (unsigned char)*letter;
    }
    return (int64_t)XXH3_64bits(bytes, length);
}
