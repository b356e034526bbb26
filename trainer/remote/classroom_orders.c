/// Orders of a classroom to its stations: reads them, writes the payload for each station, and keeps what became of
/// them.
#include "trainer/remote/classroom_orders.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "data/core/visible_text.h"
#include "trainer/remote/console_json.h"

const char *const classroom_result_names[CLASSROOM_RESULTS] = {
    [CLASSROOM_NOT_ASKED] = "",      [CLASSROOM_WAITS] = "waits",         [CLASSROOM_TAKEN] = "taken",
    [CLASSROOM_REFUSED] = "refused", [CLASSROOM_NO_ANSWER] = "no_answer", [CLASSROOM_NOT_SENT] = "not_sent",
};

void classroom_orders_begin(ClassroomOrders *orders, const char *mark)
{
    *orders = (ClassroomOrders){0};
    snprintf(orders->mark, sizeof orders->mark, "%s", mark);
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        orders->pending[k].station = -1;
    }
}

/// ---- orders of the page --------------------------------------------------------------------------------------------

static bool add_station(ClassroomOrder *order, const ClassroomRoster *roster, const char *name, Status *status)
{
    int place = name != NULL ? classroom_roster_find(roster, name) : -1;
    if (place < 0) {
        char read[CLASSROOM_NAME];
        snprintf(read, sizeof read, "%s", name != NULL ? name : "no text");
        visible_text_mask(read, false);
        return status_fail(status, STATUS_BAD_FILE, "stations: %s was read; allowed are those of the page", read);
    }
    order->count += !order->to[place];
    order->to[place] = true;
    return true;
}

/// "all" are those that are there.
static bool read_stations(const json_t *value, const ClassroomRoster *roster, double now, ClassroomOrder *order,
                          Status *status)
{
    if (json_is_string(value) && strcmp(json_string_value(value), "all") == 0) {
        for (int k = 0; k < roster->count; k++) {
            order->to[k] = classroom_station_is_there(&roster->stations[k], now);
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

/// Reads the trainee of each station: names of stations that get the order, each with what `load` takes as its text.
static bool read_trainees(json_t *object, json_t *trainees, const ClassroomRoster *roster, ClassroomOrder *order,
                          Status *status)
{
    const char *name;
    json_t *value;
    if (!json_is_object(trainees) || order->command.kind != CONSOLE_LOAD) {
        return status_fail(status, STATUS_BAD_FILE,
                           "trainees: allowed is an object with a text for each station, with load alone");
    }
    json_t *one = json_copy(object);
    bool good = one != NULL;
    json_object_foreach(trainees, name, value)
    {
        ConsoleCommand unused;
        int place = classroom_roster_find(roster, name);
        if (good && (place < 0 || !order->to[place])) {
            char read[CLASSROOM_NAME];
            snprintf(read, sizeof read, "%.40s", name);
            visible_text_mask(read, false);
            good = status_fail(status, STATUS_BAD_FILE, "trainees: %s was read; allowed are those in stations", read);
        }
        good = good && json_object_set(one, "text", value) == 0 && console_command_read_object(one, &unused, status);
    }
    json_decref(one);
    order->trainees = good ? json_incref(trainees) : NULL;
    return good;
}

/// Takes "stations" and "trainees" out, reads the rest as an order, and keeps it.
static bool read_object(json_t *object, int station, const ClassroomRoster *roster, double now, ClassroomOrder *order,
                        Status *status)
{
    json_t *trainees = NULL;
    if (station >= 0) {
        order->to[station] = true;
        order->count = 1;
    } else if (!read_stations(json_object_get(object, "stations"), roster, now, order, status)) {
        return false;
    } else {
        trainees = json_incref(json_object_get(object, "trainees"));
        json_object_del(object, "stations");
        json_object_del(object, "trainees");
    }
    bool good = console_command_read_object(object, &order->command, status) &&
                (trainees == NULL || read_trainees(object, trainees, roster, order, status));
    json_decref(trainees);
    json_object_set_new(object, "version", json_integer(1));
    order->payload = good ? json_incref(object) : NULL;
    return good;
}

void classroom_order_free(ClassroomOrder *order)
{
    json_decref(order->payload);
    json_decref(order->trainees);
    order->payload = order->trainees = NULL;
}

bool classroom_order_read(const char *body, size_t size, int station, const ClassroomRoster *roster, double now,
                          ClassroomOrder *order, Status *status)
{
    *order = (ClassroomOrder){0};
    json_t *object = console_command_parse(body, size, CLASSROOM_BODY, status);
    if (object == NULL) {
        return false;
    }
    status_fail(status, STATUS_LACKING, "out of memory for an order");
    bool good = read_object(object, station, roster, now, order, status);
    json_decref(object);
    if (!good) {
        classroom_order_free(order);
    }
    return good;
}

/// ---- payloads and answers ------------------------------------------------------------------------------------------

static void write_id(const ClassroomOrders *orders, long number, char id[CLASSROOM_NAME])
{
    snprintf(id, CLASSROOM_NAME, "%s-%ld", orders->mark, number);
}

ClassroomBatch *classroom_orders_begin_batch(ClassroomOrders *orders, ConsoleCommandKind kind)
{
    ClassroomBatch *batch = &orders->batches[orders->batch_count++ % CLASSROOM_BATCHES];
    *batch = (ClassroomBatch){.number = orders->batch_count, .kind = kind};
    return batch;
}

/// The order as one station gets it.
static char *write_payload(const ClassroomOrder *order, const char *station, const char *id)
{
    json_t *object = json_copy(order->payload);
    json_t *trainee = json_object_get(order->trainees, station);
    json_object_set_new(object, "id", json_string(id));
    if (trainee != NULL) {
        json_object_set(object, "text", trainee);
    }
    return console_json_write(object, 0, NULL);
}

char *classroom_order_payload(ClassroomOrders *orders, const ClassroomOrder *order, const ClassroomRoster *roster,
                              int station, ClassroomBatch *batch, double now, char id[CLASSROOM_NAME])
{
    ClassroomPending *found = NULL;
    for (int k = 0; k < CLASSROOM_PENDING && found == NULL; k++) {
        found = orders->pending[k].station < 0 ? &orders->pending[k] : NULL;
    }
    if (found == NULL) {
        return NULL;
    }
    write_id(orders, orders->sent, id);
    char *payload = write_payload(order, roster->stations[station].name, id);
    if (payload != NULL) {
        double patience = order->command.kind == CONSOLE_LOAD ? CLASSROOM_PATIENCE_LOAD : CLASSROOM_PATIENCE;
        if (batch != NULL) {
            batch->ids[station] = orders->sent;
            batch->results[station] = CLASSROOM_WAITS;
        }
        *found = (ClassroomPending){station, orders->sent++, now + patience};
    }
    return payload;
}

/// The batch in which an order went to a station; NULL: none that is kept.
static ClassroomBatch *find_batch(ClassroomOrders *orders, int station, const char *id)
{
    for (int k = 0; k < CLASSROOM_BATCHES; k++) {
        char own[CLASSROOM_NAME];
        ClassroomBatch *batch = &orders->batches[k];
        write_id(orders, batch->ids[station], own);
        if (batch->number > 0 && batch->results[station] != CLASSROOM_NOT_ASKED &&
            batch->results[station] != CLASSROOM_NOT_SENT && strcmp(own, id) == 0) {
            return batch;
        }
    }
    return NULL;
}

bool classroom_orders_answered(ClassroomOrders *orders, int station, const ClassroomAnswer *answer)
{
    ClassroomBatch *batch = find_batch(orders, station, answer->id);
    if (batch != NULL) {
        batch->results[station] = answer->taken ? CLASSROOM_TAKEN : CLASSROOM_REFUSED;
        snprintf(batch->errors[station], sizeof batch->errors[station], "%s", answer->taken ? "" : answer->error);
    }
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        char own[CLASSROOM_NAME];
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station != station) {
            continue;
        }
        write_id(orders, pending->number, own);
        if (strcmp(own, answer->id) == 0) {
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
    for (int k = 0; k < CLASSROOM_BATCHES; k++) {
        orders->batches[k].results[station] = CLASSROOM_NOT_ASKED;
    }
}

bool classroom_orders_late(ClassroomOrders *orders, double now, int *station, char id[CLASSROOM_NAME])
{
    for (int k = 0; k < CLASSROOM_PENDING; k++) {
        ClassroomPending *pending = &orders->pending[k];
        if (pending->station >= 0 && now > pending->until) {
            *station = pending->station;
            write_id(orders, pending->number, id);
            ClassroomBatch *batch = find_batch(orders, *station, id);
            if (batch != NULL) {
                batch->results[*station] = CLASSROOM_NO_ANSWER;
            }
            pending->station = -1;
            return true;
        }
    }
    return false;
}

/// ---- texts of the orders -------------------------------------------------------------------------------------------

static json_t *make_batch(const ClassroomBatch *batch, const ClassroomRoster *roster)
{
    json_t *list = json_array();
    for (int k = 0; k < roster->count; k++) {
        if (batch->results[k] == CLASSROOM_NOT_ASKED) {
            continue;
        }
        json_t *one = json_pack("{s:s, s:s}", "name", roster->stations[k].name, "result",
                                classroom_result_names[batch->results[k]]);
        if (batch->results[k] == CLASSROOM_REFUSED) {
            json_object_set_new(one, "error", json_string(batch->errors[k]));
        }
        json_array_append_new(list, one);
    }
    return json_pack("{s:I, s:s, s:o}", "number", (json_int_t)batch->number, "command",
                     console_command_names[batch->kind], "stations", list);
}

char *classroom_orders_text(const ClassroomOrders *orders, const ClassroomRoster *roster, size_t *size)
{
    json_t *list = json_array();
    for (long k = orders->batch_count; k > 0 && k > orders->batch_count - CLASSROOM_BATCHES; k--) {
        json_array_append_new(list, make_batch(&orders->batches[(k - 1) % CLASSROOM_BATCHES], roster));
    }
    return console_json_write(list, 0, size);
}
