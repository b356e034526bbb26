/// Rows of the table fault_order: orders as they are recorded. Internal to the recording.
#ifndef SPADEWORK_TRAINER_RECORDING_ORDERS_H
#define SPADEWORK_TRAINER_RECORDING_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "trainer/sim/sim.h"

/// The table: its rows count from 0 and are in order of tick.
#define RECORDING_ORDER_TABLE                                                                                          \
    "CREATE TABLE fault_order(number INTEGER PRIMARY KEY, tick INTEGER NOT NULL, fault TEXT NOT NULL, "                \
    "part INTEGER NOT NULL, value REAL NOT NULL, hash INTEGER NOT NULL)"

/// A row.
typedef struct RecordedOrder {
    int64_t number; ///< from 0
    int64_t tick; ///< before which it was given
    SessionOrder order;
    bool whole; ///< read: the row's hash fits
} RecordedOrder;

/// XXH3 of number, tick, fault, part and value.
int64_t recording_order_hash(const RecordedOrder *row);

#endif
