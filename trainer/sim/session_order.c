/// The table of faults, the check of an order against its scene, the orders in force, and lists of orders with times.
#include "trainer/sim/session_order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/files.h"
#include "machine/machine.h"

static const SessionFaultKind kinds[SESSION_FAULT_COUNT] = {
#define X(id, name, unit, low, high, sound, ends, part) {#name, unit, low, high, sound, ends, part},
    SESSION_FAULTS(X)
#undef X
};

const SessionFaultKind *session_fault_kind(SessionFault fault)
{
    return &kinds[fault];
}

SessionFault session_fault_named(const char *name)
{
    int fault = 0;
    while (fault < SESSION_FAULT_COUNT && strcmp(kinds[fault].name, name) != 0) {
        fault++;
    }
    return (SessionFault)fault;
}

/// ---- parts and the check -------------------------------------------------------------------------------------------

static bool has_function(int part, const MachineParams *machine)
{
    bool joint = part >= 0 && part < machine->joint_count;
    bool track = part >= MACHINE_MAX_JOINTS && part < ORDER_PARTS && machine->travel == MACHINE_TRAVEL_MOTORS;
    return joint || track;
}

bool session_order_part(SessionFault fault, int part, const SceneParams *scene, const MachineParams *machine,
                        char name[ORDER_NAME])
{
    name[0] = '\0';
    switch (kinds[fault].part) {
    case ORDER_OF_FUNCTION:
        if (!has_function(part, machine)) {
            return false;
        }
        snprintf(name, ORDER_NAME, "%s",
                 part < MACHINE_MAX_JOINTS    ? machine->joint[part].name
                 : part == MACHINE_MAX_JOINTS ? "left track"
                                              : "right track");
        return true;
    case ORDER_OF_TRUCK:
        snprintf(name, ORDER_NAME, "%d", part + 1);
        return part >= 0 && part < scene->exercise.haul.trucks;
    case ORDER_OF_WALKER:
        return part == ORDER_WALKS_ROUND;
    case ORDER_OF_MACHINE:
        break;
    }
    return part == 0 && (fault != SESSION_FAULT_SWING || machine->swing_joint >= 0);
}

int session_order_part_named(SessionFault fault, const char *name, const SceneParams *scene,
                             const MachineParams *machine)
{
    char known[ORDER_NAME];
    int part = 0;
    while (part < ORDER_PARTS &&
           !(session_order_part(fault, part, scene, machine, known) && strcmp(known, name) == 0)) {
        part++;
    }
    return part;
}

static bool refuse_part(const SessionOrder *order, const SceneParams *scene, const MachineParams *machine,
                        Status *status)
{
    char name[ORDER_NAME], parts[ORDER_PARTS * (ORDER_NAME + 2)] = "";
    size_t length = 0;
    for (int part = 0; part < ORDER_PARTS; part++) {
        if (session_order_part((SessionFault)order->fault, part, scene, machine, name)) {
            length += (size_t)snprintf(parts + length, sizeof parts - length, "%s%s", length > 0 ? ", " : "",
                                       name[0] != '\0' ? name : "none");
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "fault %s: this %s has no such part, allowed %s",
                       kinds[order->fault].name, kinds[order->fault].part == ORDER_OF_TRUCK ? "scene" : "machine",
                       length > 0 ? parts : "nothing: it cannot be ordered here");
}

bool session_order_check(const SessionOrder *order, const SceneParams *scene, const MachineParams *machine,
                         Status *status)
{
    if (order->fault < 0 || order->fault >= SESSION_FAULT_COUNT) {
        return status_fail(status, STATUS_BAD_USAGE, "fault %d: allowed 0..%d", (int)order->fault,
                           SESSION_FAULT_COUNT - 1);
    }
    const SessionFaultKind *kind = &kinds[order->fault];
    char name[ORDER_NAME];
    bool older = kind->part == ORDER_OF_WALKER && order->part == ORDER_WALKS_STRAIGHT;
    if (!older && !session_order_part((SessionFault)order->fault, order->part, scene, machine, name)) {
        return refuse_part(order, scene, machine, status);
    }
    bool within = order->value >= kind->low && order->value <= kind->high &&
                  (!kind->ends || order->value == kind->low || order->value == kind->high);
    return within || order->value == kind->sound ||
           status_fail(status, STATUS_BAD_USAGE, "fault %s: value %g, allowed %s%g%s%g%s%s", kind->name, order->value,
                       kind->sound < kind->low ? "0 or " : "", kind->low, kind->ends ? " or " : "..", kind->high,
                       kind->unit[0] != '\0' ? " " : "", kind->unit);
}

/// ---- the event -----------------------------------------------------------------------------------------------------

/// The form of a fault that acts, and of its end: of those that have no end of their own the same.
static const struct {
    int acts, ends;
} forms[SESSION_FAULT_COUNT] = {
    [SESSION_FAULT_PRESSURE] = {EVENT_FAULT_PRESSURE, EVENT_FAULT_PRESSURE},
    [SESSION_FAULT_SWING] = {EVENT_FAULT_SWING, EVENT_FAULT_SWING},
    [SESSION_FAULT_HEAT] = {EVENT_FAULT_HEAT, EVENT_FAULT_HEAT},
    [SESSION_FAULT_VALVE] = {EVENT_FAULT_VALVE, EVENT_FAULT_VALVE_OVER},
    [SESSION_FAULT_FUNCTION] = {EVENT_FAULT_FUNCTION, EVENT_FAULT_FUNCTION_OVER},
    [SESSION_FAULT_ENGINE] = {EVENT_FAULT_ENGINE, EVENT_FAULT_ENGINE_OVER},
    [SESSION_FAULT_SIGHT] = {EVENT_FAULT_SIGHT, EVENT_FAULT_SIGHT},
    [SESSION_FAULT_TRUCK] = {EVENT_FAULT_TRUCK, EVENT_FAULT_TRUCK_OVER},
    [SESSION_FAULT_PERSON] = {EVENT_FAULT_PERSON, EVENT_FAULT_PERSON_OVER},
};

void session_order_event(const SessionOrder *order, const SceneParams *scene, const MachineParams *machine,
                         int64_t tick, ExerciseEvent *event)
{
    char part[ORDER_NAME];
    SessionFault fault = (SessionFault)order->fault;
    bool acts = order->value != kinds[fault].sound;
    session_order_part(fault, order->part, scene, machine, part);
    *event = (ExerciseEvent){.tick = tick, .kind = EVENT_FAULT, .form = acts ? forms[fault].acts : forms[fault].ends};
    if (kinds[fault].part == ORDER_OF_FUNCTION) {
        event->part = event_thing(THING_PART, 0, part);
    } else if (kinds[fault].part == ORDER_OF_TRUCK) {
        event->thing = event_thing(THING_TRUCK, order->part, "");
    }
    bool share = fault == SESSION_FAULT_PRESSURE || fault == SESSION_FAULT_SWING;
    event->number.share = share ? order->value : 0.0;
    event->number.heat = fault == SESSION_FAULT_HEAT ? order->value : 0.0;
    event->number.distance = fault == SESSION_FAULT_PERSON                      ? order->value
                             : fault == SESSION_FAULT_SIGHT && order->value > 0 ? order->value
                             : fault == SESSION_FAULT_SIGHT                     ? scene->weather.visibility
                                                                                : 0.0;
}

/// ---- orders in force -----------------------------------------------------------------------------------------------

void session_orders_clear(SessionOrders *orders)
{
    for (int k = 0; k < SESSION_FAULT_COUNT * ORDER_PARTS; k++) {
        orders->value[k / ORDER_PARTS][k % ORDER_PARTS] = kinds[k / ORDER_PARTS].sound;
    }
}

bool session_orders_act(const SessionOrders *orders)
{
    bool acts = false;
    for (int k = 0; k < SESSION_FAULT_COUNT * ORDER_PARTS; k++) {
        acts |= orders->value[k / ORDER_PARTS][k % ORDER_PARTS] != kinds[k / ORDER_PARTS].sound;
    }
    return acts;
}

void session_orders_apply(SessionOrders *orders, const SessionOrder *order)
{
    if (kinds[order->fault].part == ORDER_OF_WALKER) { // there is one walker
        orders->value[order->fault][ORDER_WALKS_STRAIGHT] = orders->value[order->fault][ORDER_WALKS_ROUND] = 0.0;
    }
    orders->value[order->fault][order->part] = order->value;
}

static int functions_of(const double value[ORDER_PARTS])
{
    int set = 0;
    for (int part = 0; part < ORDER_PARTS; part++) {
        set |= value[part] != 0.0 ? MACHINE_RELIEF_JOINT(part) : 0; // the tracks' bits follow those of the joints
    }
    return set;
}

static_assert(MACHINE_RELIEF_TRACK(1) == MACHINE_RELIEF_JOINT(ORDER_PARTS - 1), "parts count as the machine's bits do");

MachineFaults session_orders_machine(const SessionOrders *orders)
{
    return (MachineFaults){.pressure = orders->value[SESSION_FAULT_PRESSURE][0],
                           .swing = orders->value[SESSION_FAULT_SWING][0],
                           .oil_heat = orders->value[SESSION_FAULT_HEAT][0],
                           .stuck = functions_of(orders->value[SESSION_FAULT_VALVE]),
                           .dead = functions_of(orders->value[SESSION_FAULT_FUNCTION]),
                           .engine_stopped = orders->value[SESSION_FAULT_ENGINE][0] != 0.0};
}

double session_orders_sight(const SessionOrders *orders)
{
    return orders->value[SESSION_FAULT_SIGHT][0];
}

double session_orders_walker(const SessionOrders *orders)
{
    const double *value = orders->value[SESSION_FAULT_PERSON];
    return value[ORDER_WALKS_ROUND] > 0.0 ? value[ORDER_WALKS_ROUND] : value[ORDER_WALKS_STRAIGHT];
}

bool session_orders_walks_round(const SessionOrders *orders)
{
    return orders->value[SESSION_FAULT_PERSON][ORDER_WALKS_ROUND] > 0.0;
}

bool session_orders_hold(const SessionOrders *orders, int truck)
{
    return orders->value[SESSION_FAULT_TRUCK][truck] != 0.0;
}

/// True when one of the faults up to the last but one acts: their fields come together.
static bool any_fails(const SessionOrders *orders)
{
    SessionOrders others = *orders;
    others.value[SESSION_FAULT_PERSON][ORDER_WALKS_STRAIGHT] = 0.0;
    others.value[SESSION_FAULT_PERSON][ORDER_WALKS_ROUND] = 0.0;
    return session_orders_act(&others);
}

/// True when the fields that begin with `name` are visited: they are in what is restored, or `acts`.
static bool has_fields(StateVisitor *visitor, const char *name, bool acts)
{
    return visitor->restoring ? !visitor->failed && visitor->holds != NULL && visitor->holds(visitor, name)
                              : visitor->measuring || acts;
}

void session_orders_visit(SessionOrders *orders, StateVisitor *visitor)
{
    double *walker = orders->value[SESSION_FAULT_PERSON];
    bool fails = any_fails(orders), round = walker[ORDER_WALKS_ROUND] != 0.0,
         straight = walker[ORDER_WALKS_STRAIGHT] != 0.0;
    if (visitor->restoring) {
        session_orders_clear(orders);
    }
    if (has_fields(visitor, "order.pressure", fails)) {
#define X(id, name, unit, low, high, sound, ends, part)                                                                \
    if (SESSION_FAULT_##id != SESSION_FAULT_PERSON) {                                                                  \
        STATE_VISIT(visitor, "order." #name, orders->value[SESSION_FAULT_##id]);                                       \
    }
        SESSION_FAULTS(X)
#undef X
        visitor->failed |= visitor->restoring && !any_fails(orders); // a state without orders has none of these fields
    }
    if (has_fields(visitor, "order.person", straight)) {
        STATE_VISIT(visitor, "order.person", walker[ORDER_WALKS_STRAIGHT]);
        visitor->failed |= visitor->restoring && walker[ORDER_WALKS_STRAIGHT] == 0.0;
    }
    if (has_fields(visitor, "order.person_round", round)) {
        STATE_VISIT(visitor, "order.person_round", walker[ORDER_WALKS_ROUND]);
        visitor->failed |=
            visitor->restoring && (walker[ORDER_WALKS_ROUND] == 0.0 || walker[ORDER_WALKS_STRAIGHT] != 0.0);
    }
}

/// ---- lists of orders with their times ------------------------------------------------------------------------------
///
/// Reads a list of orders and returns them by their times.

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

/// A name that the machine or the scene does not know becomes a part that does not exist, so that the check refuses it.
static int find_part(CsvField field, const RowReader *reader, int fault)
{
    char name[ORDER_NAME];
    size_t length = (size_t)(field.end - field.begin);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, field.begin);
    return length < sizeof name ? session_order_part_named((SessionFault)fault, name, reader->scene, reader->machine)
                                : ORDER_PARTS;
}

static bool check_field(CsvFile *file, CsvField field, const RowReader *reader, const SessionOrder *order)
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
    if (!check_field(file, fields[PART], reader, &row->order)) {
        return false;
    }
    file->column = places[VALUE];
    return csv_read_number(file, fields[VALUE], -LATEST, LATEST, "the value is a number", &row->order.value) &&
           check_field(file, fields[VALUE], reader, &row->order);
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
