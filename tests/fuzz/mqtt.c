/// What may come from a classroom's broker, and the URL that it is reached by.
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "tests/fuzz/fuzz.h"
#include "trainer/remote/broker_internal.h"
#include "trainer/remote/link_messages.h"

enum { LINES = 2, LINE = 512 };

/// Takes a line off the front of the bytes; cut, and ended at a NUL, as a topic would be.
static void take_line(const uint8_t **data, size_t *size, char line[LINE])
{
    const uint8_t *end = memchr(*data, '\n', *size);
    size_t length = end != NULL ? (size_t)(end - *data) : *size, kept = length < LINE ? length : LINE - 1;
    memcpy(line, *data, kept);
    line[kept] = '\0';
    length += end != NULL;
    *data += length;
    *size -= length;
}

static void read_url(const char *text)
{
    BrokerUrl url;
    Status status = {STATUS_GOOD, ""};
    bool good = broker_url_read(text, &url, &status);
    require(good || status.text[0] != '\0');
    if (good) {
        require(url.port >= 1 && url.port <= 65535 && url.host[0] != '\0');
        require(strchr(url.host, '/') == NULL && strchr(url.user, ':') == NULL);
    } else if (strstr(text, ":secret@") != NULL) { // no message repeats a password
        require(strstr(status.text, ":secret@") == NULL);
    }
}

static void read_payload(const char *payload, size_t size)
{
    LinkOrder order;
    int seconds;
    Status status = {STATUS_GOOD, ""};
    bool good = link_order_read(payload, size, &order, &status);
    require(strspn(order.id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(order.id));
    require(good || status.text[0] != '\0');
    require(!good || (order.id[0] != '\0' && size <= CONSOLE_BODY && order.command.kind < CONSOLE_COMMAND_COUNT));
    require(good || strpbrk(status.text, "\n\r\033") == NULL);
    char *answer = link_answer_text(order.id, good ? NULL : status.text);
    require(answer != NULL);
    free(answer);
    require(!link_watch_read(payload, size, &seconds, &status) || (seconds >= 1 && seconds <= LINK_WATCH_MOST));
}

/// The first lines are a topic, which is tried as the name of a computer, too, and a URL; the rest is the payload.
void fuzz_mqtt(const uint8_t *data, size_t size)
{
    char lines[LINES][LINE], name[LINK_STATION];
    for (int k = 0; k < LINES; k++) {
        take_line(&data, &size, lines[k]);
    }
    LinkNotice notice;
    Status status = {STATUS_GOOD, ""};
    if (link_claim_read((const char *)data, size, &notice, &status) ||
        link_status_read((const char *)data, size, &notice, &status)) {
        char plain[LINK_HOST];
        memcpy(plain, notice.who.host, sizeof plain);
        visible_text_mask(plain, false);
        require(strcmp(plain, notice.who.host) == 0 && strlen(notice.who.instance) == LINK_INSTANCE - 1);
        require(notice.kind != LINK_NOTICE_HOLDS || (notice.term >= 1 && notice.term <= LINK_TERM_MOST));
    }
    LinkTopic topic = link_topic(lines[0], "seat-1");
    require(topic == LINK_NO_TOPIC || strncmp(lines[0], "spadework/seat-1/", 17) == 0);
    link_station_fit(lines[0], name);
    require(link_station_is_one(name));
    read_url(lines[1]);
    read_payload((const char *)data, size);
}
