/// Reads orders for many, and waits for the answers of each.
#include "trainer/classroom/classroom_orders.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

void classroom_orders_begin(ClassroomOrders *orders, const char *mark)
{
    *orders = (ClassroomOrders){0};
    snprintf(orders->mark, sizeof orders->mark, "%s", mark);
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        orders->pending[k].station = -1;
    }
}

/// ---- what the page sends -------------------------------------------------------------------------------------------

static bool add_station(ClassroomOrder *order, const ClassroomRoster *roster, const char *name, Status *status)
{
    int place = name != NULL ? classroom_roster_find(roster, name) : -1;
    if (place < 0) {
        char read[CLASSROOM_NAME];
        snprintf(read, sizeof read, "%s", name != NULL ? name : "no text");
        status_make_plain(read, false);
        return status_fail(status, STATUS_BAD_FILE, "stations: %s was read; allowed are those of the page", read);
    }
    order->count += !order->to[place];
    order->to[place] = true;
    return true;
}

/// "all" are those that are online.
static bool read_stations(const json_t *value, const ClassroomRoster *roster, ClassroomOrder *order, Status *status)
{
    if (json_is_string(value) && strcmp(json_string_value(value), "all") == 0) {
        for (int k = 0; k < roster->count; k++) {
            order->to[k] = roster->stations[k].status.online;
            order->count += order->to[k];
        }
    } else if (!json_is_array(value) || json_array_size(value) > CLASSROOM_STATIONS) {
        return status_fail(status, STATUS_BAD_FILE, "stations: allowed is \"all\", or a list of at most %d names",
                           CLASSROOM_STATIONS);
    }
    for (size_t k = 0; k < json_array_size(value); k++) {
        if (!add_station(order, roster, json_string_value(json_array_get(value, k)), status)) {
            return false;
        }
    }
    return order->count > 0 || status_fail(status, STATUS_BAD_FILE, "stations: none of them is there");
}

/// Takes "stations" out and reads the rest as the console of one drive does.
static bool read_object(json_t *object, int station, const ClassroomRoster *roster, ClassroomOrder *order,
                        Status *status)
{
    if (station >= 0) {
        order->to[station] = true;
        order->count = 1;
    } else if (!read_stations(json_object_get(object, "stations"), roster, order, status)) {
        return false;
    } else {
        json_object_del(object, "stations");
    }
    char *rest = json_dumps(object, JSON_COMPACT);
    bool good = rest != NULL && console_command_read(rest, strlen(rest), &order->command, status);
    json_object_set_new(object, "version", json_integer(1));
    free(rest);
    order->payload = good ? json_dumps(object, JSON_COMPACT) : NULL;
    return good && order->payload != NULL;
}

bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster,
                          ClassroomOrder *order, Status *status)
{
    json_error_t error;
    *order = (ClassroomOrder){0};
    status_fail(status, STATUS_LACKING, "out of memory for an order");
    json_t *object = size <= CLASSROOM_BODY ? json_loadb(body, size, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!json_is_object(object)) { // the console says what is wrong with it
        bool unexpected = console_command_read(body, size, &order->command, status);
        json_decref(object);
        return unexpected && status_fail(status, STATUS_BAD_FILE, "body: allowed is one JSON object");
    }
    bool good = read_object(object, station, roster, order, status);
    json_decref(object);
    return good;
}

/// ---- who answers ---------------------------------------------------------------------------------------------------

static void write_id(const ClassroomOrders *orders, long number, char id[CLASSROOM_NAME])
{
    snprintf(id, CLASSROOM_NAME, "%s-%ld", orders->mark, number);
}

char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, int station, double now,
                              char id[CLASSROOM_NAME])
{
    ClassroomPending *found = NULL;
    for (int k = 0; k < CLASSROOM_PENDING && found == NULL; k++) {
        found = orders->pending[k].station < 0 ? &orders->pending[k] : NULL;
    }
    if (found == NULL) {
        return NULL;
    }
    write_id(orders, orders->sent, id);
    json_t *object = json_loads(order->payload, 0, NULL);
    json_object_set_new(object, "id", json_string(id));
    char *payload = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (payload != NULL) {
        *found = (ClassroomPending){station, orders->sent++, now + CLASSROOM_PATIENCE};
    }
    return payload;
}

bool classroom_orders_answered(ClassroomOrders *orders, int station, const char *id)
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        char own[CLASSROOM_NAME];
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station != station) {
            continue;
        }
        write_id(orders, pending->number, own);
        if (strcmp(own, id) == 0) {
            pending->station = -1;
            return true;
        }
    }
    return false;
}

void classroom_orders_forget(ClassroomOrders *orders, int station)
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        if (orders->pending[k].station == station) {
            orders->pending[k].station = -1;
        }
    }
}

bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME])
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station >= 0 && now > pending->until) {
            *station = pending->station;
            write_id(orders, pending->number, id);
            pending->station = -1;
            return true;
        }
    }
    return false;
}
