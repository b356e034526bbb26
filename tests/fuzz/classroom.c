/// What stations of a classroom may publish, and orders to many: the first byte chooses the reader, the rest is the
/// payload.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "tests/fuzz/fuzz.h"
#include "trainer/remote/classroom_roster.h"

/// True when nothing in it ends a line or is a terminal's command.
static bool is_plain(const char *text)
{
    char plain[CLASSROOM_TEXT];
    require(strlen(text) < sizeof plain);
    memcpy(plain, text, strlen(text) + 1);
    visible_text_mask(plain, false);
    return strcmp(plain, text) == 0;
}

static void read_message(const char *payload, size_t size, ClassroomTopic topic, Status *status)
{
    static ClassroomRoster roster;
    static const char known[] = "{\"version\":1,\"online\":true,\"station\":\"a\",\"phase\":\"driving\"}";
    roster.count = 0;
    require(classroom_roster_status(&roster, "a", known, sizeof known - 1, false, 1.0, status) == 0);
    ClassroomStation *station = &roster.stations[0];
    station->heard = 0.0;
    station->event.number = 0;
    station->rival_count = 0;
    ClassroomAnswer answer;
    char *line = NULL;
    switch (topic) {
    case CLASSROOM_STATUS:
        classroom_roster_status(&roster, "a", payload, size, (size & 1) != 0, 1.0, status);
        require(is_plain(station->status.who.host));
        break;
    case CLASSROOM_STATE:
        classroom_roster_state(&roster, 0, payload, size, 1.0, status);
        require(isfinite(station->state.score) && station->state.progress >= 0.0 && station->state.progress <= 1.0);
        break;
    case CLASSROOM_EVENT:
        classroom_roster_event(&roster, 0, payload, size, status);
        break;
    case CLASSROOM_ANSWER:
        require(!classroom_read_answer(payload, size, &answer, status) || is_plain(answer.error));
        break;
    case CLASSROOM_CLAIM:
        classroom_roster_claim(&roster, 0, payload, size, 1.0, status);
        require(station->rival_count >= 0 && station->rival_count <= CLASSROOM_RIVALS);
        require(station->rival_count == 0 || is_plain(station->rivals[0].who.host));
        break;
    case CLASSROOM_SCENES:
        line = classroom_read_scenes(payload, size, status);
        break;
    case CLASSROOM_VIEW:
        line = classroom_read_view(payload, size, status);
        break;
    default:
        line = classroom_read_ground(payload, size, status);
        break;
    }
    require(line == NULL || strpbrk(line, "\r\n") == NULL); // one line of an event
    free(line);
    require(is_plain(station->status.title) && is_plain(station->status.trainee) && is_plain(station->event.text));
    char *text = classroom_roster_text(&roster, true, 2.0, &size);
    require(text != NULL && strpbrk(text, "\r\n") == NULL);
    free(text);
}

static void read_order(const char *body, size_t size, Status *status)
{
    static ClassroomRoster roster;
    static ClassroomOrders orders;
    static const char known[] = "{\"version\":1,\"online\":true,\"station\":\"a\",\"phase\":\"driving\"}";
    roster.count = 0;
    require(classroom_roster_status(&roster, "a", known, sizeof known - 1, false, 1.0, status) == 0);
    classroom_orders_begin(&orders, "x");
    ClassroomOrder order;
    if (classroom_order_read(body, size, -1, &roster, 1.0, &order, status)) {
        ClassroomAnswer answer = {.taken = true};
        require(order.count == 1 && order.to[0]);
        ClassroomBatch *batch = classroom_orders_begin_batch(&orders, order.command.kind);
        char *payload = classroom_order_payload(&orders, &order, &roster, 0, batch, 1.0, answer.id);
        require(payload != NULL && classroom_orders_answered(&orders, 0, &answer));
        require(batch->results[0] == CLASSROOM_TAKEN);
        free(payload);
        classroom_order_free(&order);
    }
}

void fuzz_classroom(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    if (size == 0) {
        return;
    }
    int topic = data[0] % (CLASSROOM_TOPIC_COUNT + 1);
    if (topic == CLASSROOM_TOPIC_COUNT) {
        read_order((const char *)data + 1, size - 1, &status);
    } else {
        read_message((const char *)data + 1, size - 1, (ClassroomTopic)topic, &status);
    }
    require(strpbrk(status.text, "\r\n\x1b") == NULL);
}
