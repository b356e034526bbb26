/// The hash of an order's row.
#include "trainer/record/format_orders.h"

#include <string.h>

#include <xxhash.h>

enum { NUMBERS = 4 };

/// The name of the fault stands in the row, so that another order of SESSION_FAULTS changes nothing.
int64_t recording_order_hash(const RecordedOrder *row)
{
    const char *name = session_fault_kind((SessionFault)row->order.fault)->name;
    unsigned char bytes[8 * NUMBERS + ORDER_NAME];
    uint64_t numbers[NUMBERS] = {(uint64_t)row->number, (uint64_t)row->tick, (uint64_t)(int64_t)row->order.part, 0};
    memcpy(&numbers[NUMBERS - 1], &row->order.value, sizeof row->order.value);
    for (int k = 0; k < 8 * NUMBERS; k++) {
        bytes[k] = (unsigned char)(numbers[k / 8] >> (8 * (k % 8)));
    }
    size_t length = 8 * NUMBERS;
    for (const char *letter = name; *letter != '\0' && length < sizeof bytes; letter++) {
        bytes[length++] = (unsigned char)*letter;
    }
    return (int64_t)XXH3_64bits(bytes, length);
}
