/// The orders of an opened recording: read and checked once, and given again before their ticks.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "trainer/record/recording_internal.h"

/// What a row holds is believed no more than anything else in a file; whether the scene has the part, the session
/// looks.
static bool read_row(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status)
{
    RecordedOrder *order = &recording->orders[index];
    const RecordedOrder *before = index > 0 ? order - 1 : NULL;
    const char *name = (const char *)sqlite3_column_text(row, 2);
    *order = (RecordedOrder){.number = sqlite3_column_int64(row, 0), .tick = sqlite3_column_int64(row, 1)};
    order->order.fault = name != NULL ? (int32_t)session_fault_named(name) : SESSION_FAULT_COUNT;
    int64_t part = sqlite3_column_int64(row, 3);
    order->order.value = sqlite3_column_double(row, 4);
    int64_t first = before != NULL ? before->tick : recording->first_tick;
    if (order->number != index || order->tick < first || order->tick >= recording->last_tick ||
        (index >= SESSION_ORDERS_A_TICK && order[-SESSION_ORDERS_A_TICK].tick == order->tick)) {
        return recording_fail(recording, status,
                              "is damaged: order %" PRId64 " of tick %" PRId64 " stands where order %" PRId64
                              " of tick %" PRId64 "..%" PRId64 " belongs, allowed %d a tick",
                              order->number, order->tick, index, first, recording->last_tick - 1,
                              SESSION_ORDERS_A_TICK);
    }
    if (order->order.fault == SESSION_FAULT_COUNT || part < 0 || part >= ORDER_PARTS ||
        sqlite3_column_type(row, 4) != SQLITE_FLOAT || !isfinite(order->order.value)) {
        return recording_fail(recording, status, "is damaged: order %" PRId64 " is none", index);
    }
    order->order.part = (int32_t)part;
    order->whole =
        sqlite3_column_type(row, 5) == SQLITE_INTEGER && sqlite3_column_int64(row, 5) == recording_order_hash(order);
    return true;
}

static bool make_room(Recording *recording, int64_t most, Status *status)
{
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(recording->db, "SELECT count(*) FROM fault_order", -1, &row, NULL) == SQLITE_OK &&
                sqlite3_step(row) == SQLITE_ROW;
    recording->order_count = good ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    if (!good) {
        return recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    if (recording->order_count > most) {
        return recording_fail(recording, status, "is damaged: orders: %" PRId64 ", allowed 0..%" PRId64,
                              recording->order_count, most);
    }
    recording->orders = calloc((size_t)recording->order_count + 1, sizeof *recording->orders);
    return recording->orders != NULL ||
           status_fail(status, STATUS_LACKING, "%s: out of memory for its orders", recording->path);
}

bool recording_read_orders(Recording *recording, Status *status)
{
    int64_t ticks = recording->last_tick - recording->first_tick;
    if (!make_room(recording, SESSION_ORDERS_A_TICK * ticks, status)) {
        return false;
    }
    sqlite3_stmt *row = NULL;
    const char *sql = "SELECT number, tick, fault, part, value, hash FROM fault_order ORDER BY number";
    bool good = sqlite3_prepare_v2(recording->db, sql, -1, &row, NULL) == SQLITE_OK;
    int64_t index = 0;
    for (; good && index < recording->order_count && sqlite3_step(row) == SQLITE_ROW; index++) {
        good = read_row(recording, row, index, status);
    }
    if (good && index < recording->order_count) {
        good = recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_finalize(row);
    return good;
}

const RecordedOrder *recording_orders_of(const Recording *recording, int64_t tick, int *count)
{
    int64_t low = 0, high = recording->order_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (recording->orders[middle].tick < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < recording->order_count && recording->orders[low + *count].tick == tick) {
        ++*count;
    }
    return *count > 0 ? &recording->orders[low] : NULL;
}

bool recording_advance(Recording *recording, Session *session, Status *status)
{
    int64_t tick = session_frame(session)->tick;
    OperatorControls controls;
    if (!recording_controls(recording, tick, &controls, status)) {
        return false;
    }
    int count;
    const RecordedOrder *rows = recording_orders_of(recording, tick, &count);
    for (int k = 0; k < count; k++) {
        Status reason;
        if (!session_order(session, &rows[k].order, &reason)) {
            return recording_fail(recording, status, "order %" PRId64 " of tick %" PRId64 " cannot be given: %.300s",
                                  rows[k].number, tick, reason.text);
        }
    }
    session_tick(session, &controls);
    return true;
}
