/// Reading a list of orders and giving them out by their times.
#include "trainer/sim/order_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/csv_file.h"

enum { TIME, FAULT, PART, VALUE, COLUMNS };

#define LATEST 1e6 ///< s
#define SOON   1e-9 ///< s: times of ticks are right within rounding

typedef struct TimedOrder {
    double time; ///< s
    SessionOrder order;
} TimedOrder;

struct OrderScript {
    int count, capacity, next;
    TimedOrder *rows; ///< [count]
};

/// What a row is read with.
typedef struct RowReader {
    const SceneParams *scene;
    const MachineParams *machine;
    int columns[COLUMNS], count;
} RowReader;

static bool read_fault(CsvFile *file, CsvField field, SessionOrder *order)
{
    order->fault = 0;
    while (order->fault < SESSION_FAULT_COUNT &&
           !csv_field_is(field, session_fault_kind((SessionFault)order->fault)->name)) {
        order->fault++;
    }
#define X(id, name, unit, low, high, sound, ends, part) " " #name
    return order->fault < SESSION_FAULT_COUNT || csv_fail(file, field, "known faults:" SESSION_FAULTS(X));
#undef X
}

/// A name that the machine or the scene does not know becomes a part that there is not, so that the check tells.
static int find_part(CsvField field, const RowReader *reader, int fault)
{
    char name[ORDER_NAME];
    size_t length = (size_t)(field.end - field.begin);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, field.begin);
    return length < sizeof name ? session_order_part_named((SessionFault)fault, name, reader->scene, reader->machine)
                                : ORDER_PARTS;
}

static bool check(CsvFile *file, CsvField field, const RowReader *reader, const SessionOrder *order)
{
    Status reason;
    return session_order_check(order, reader->scene, reader->machine, &reason) || csv_fail(file, field, reason.text);
}

/// The fields of a row in the order of the enum above, whatever the order of the columns is.
static bool read_fields(CsvFile *file, const RowReader *reader, CsvField fields[COLUMNS], int places[COLUMNS])
{
    CsvField field = {NULL, NULL};
    int count = 0;
    while (csv_next_field(file, &field)) {
        if (count == reader->count) {
            return csv_fail(file, field, "this row has more values than the header has columns");
        }
        places[reader->columns[count]] = file->column;
        fields[reader->columns[count++]] = field;
    }
    return count == reader->count || csv_fail(file, field, "this row has fewer values than the header has columns");
}

static bool read_row(CsvFile *file, const RowReader *reader, double before, TimedOrder *row)
{
    CsvField fields[COLUMNS] = {{NULL, NULL}};
    int places[COLUMNS] = {0};
    *row = (TimedOrder){0};
    if (!read_fields(file, reader, fields, places)) {
        return false;
    }
    file->column = places[TIME];
    if (!csv_read_number(file, fields[TIME], 0.0, LATEST, "t is a number 0..1000000 (seconds)", &row->time)) {
        return false;
    }
    if (row->time < before) {
        return csv_fail(file, fields[TIME], "t may not be less than in the row before");
    }
    file->column = places[FAULT];
    if (!read_fault(file, fields[FAULT], &row->order)) {
        return false;
    }
    file->column = places[PART];
    row->order.part = find_part(fields[PART], reader, row->order.fault);
    row->order.value = session_fault_kind((SessionFault)row->order.fault)->sound;
    if (!check(file, fields[PART], reader, &row->order)) {
        return false;
    }
    file->column = places[VALUE];
    return csv_read_number(file, fields[VALUE], -LATEST, LATEST, "the value is a number", &row->order.value) &&
           check(file, fields[VALUE], reader, &row->order);
}

static bool add_row(OrderScript *script, const TimedOrder *row, Status *status)
{
    if (script->count == script->capacity) {
        int capacity = script->capacity > 0 ? 2 * script->capacity : 64;
        TimedOrder *rows = realloc(script->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) {
            return status_fail(status, STATUS_LACKING, "out of memory for a list of %d orders", capacity);
        }
        script->rows = rows;
        script->capacity = capacity;
    }
    script->rows[script->count++] = *row;
    return true;
}

static bool read_rows(OrderScript *script, CsvFile *file, RowReader *reader)
{
    static const char *const names[COLUMNS] = {"t", "fault", "part", "value"};
    reader->count = csv_read_header(file, names, COLUMNS, reader->columns, "known columns: t, fault, part, value", TIME,
                                    "the header row needs the columns t, fault, part, value");
    if (reader->count == 0) {
        return false;
    }
    if (reader->count < COLUMNS) {
        return csv_fail_row(file, "the header row needs the columns t, fault, part, value");
    }
    bool good = true;
    while (good && csv_next_row(file)) {
        TimedOrder row;
        double before = script->count > 0 ? script->rows[script->count - 1].time : 0.0;
        good = read_row(file, reader, before, &row) && add_row(script, &row, file->status);
    }
    return good && file->good;
}

OrderScript *order_script_load(const char *path, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    CsvFile file;
    RowReader reader = {.scene = scene, .machine = machine};
    OrderScript *script = calloc(1, sizeof *script);
    if (script == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the list of orders %s", path);
        return NULL;
    }
    bool good = csv_open(&file, path, "a list of orders", status) && read_rows(script, &file, &reader);
    csv_close(&file);
    if (!good) {
        order_script_destroy(script);
        return NULL;
    }
    return script;
}

void order_script_destroy(OrderScript *script)
{
    if (script != NULL) {
        free(script->rows);
        free(script);
    }
}

void order_script_seek(OrderScript *script, double time)
{
    if (script != NULL) {
        script->next = 0;
        while (script->next < script->count && script->rows[script->next].time < time - SOON) {
            script->next++;
        }
    }
}

const SessionOrder *order_script_take(OrderScript *script, double time)
{
    bool due = script != NULL && script->next < script->count && script->rows[script->next].time <= time + SOON;
    return due ? &script->rows[script->next++].order : NULL;
}
