/// The page: reads /live as a browser does, and looks when it shows what was sent.
#include "tests/load/load.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

enum { ROOM = 1 << 20 };

bool load_page_open(LoadPage *page, const char *url, const char *token)
{
    static const char scheme[] = "http://127.0.0.1:";
    char request[512];
    *page = (LoadPage){.socket = -1, .room = ROOM};
    page->bytes = malloc(ROOM);
    int port = strncmp(url, scheme, sizeof scheme - 1) == 0 ? atoi(url + sizeof scheme - 1) : 0;
    struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    page->socket = socket(AF_INET, SOCK_STREAM, 0);
    // HTTP/1.0 has no chunks.
    int length = snprintf(request, sizeof request,
                          "GET /live HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n\r\n", port, token);
    bool good = page->bytes != NULL && page->socket >= 0 &&
                connect(page->socket, (struct sockaddr *)&place, sizeof place) == 0 &&
                send(page->socket, request, (size_t)length, MSG_NOSIGNAL) == length;
    if (!good) {
        fprintf(stderr, "load: no page at %s\n", url);
    }
    return good;
}

void load_page_close(LoadPage *page)
{
    if (page->socket >= 0) {
        close(page->socket);
    }
    free(page->bytes);
    free(page->lags);
}

static long count_of(const json_t *counts, const char *key)
{
    return (long)json_integer_value(json_object_get(counts, key));
}

static LoadStation *find(LoadPlay *play, const char *name)
{
    int place = name != NULL && strncmp(name, "sim-", 4) == 0 ? atoi(name + 4) : 0;
    return place >= 1 && place <= play->count ? &play->stations[place - 1] : NULL;
}

/// Every state up to this one is shown now, or was passed over for a newer one.
static void note_lags(LoadPage *page, LoadStation *station, long sequence, double now)
{
    for (long k = station->seen + 1; k <= sequence && k < station->states; k++) {
        if (page->lag_count == page->lag_room) {
            page->lag_room = page->lag_room > 0 ? 2 * page->lag_room : 1 << 16;
            float *lags = realloc(page->lags, page->lag_room * sizeof *lags);
            if (lags == NULL) {
                return;
            }
            page->lags = lags;
        }
        page->lags[page->lag_count++] = (float)(now - station->sent[k % LOAD_KEPT]);
    }
    station->seen = sequence > station->seen ? sequence : station->seen;
}

static void take_text(LoadPage *page, LoadPlay *play, const char *text, size_t size, double now)
{
    json_t *all = json_loadb(text, size, 0, NULL);
    const json_t *counts = json_object_get(all, "counts"), *stations = json_object_get(all, "stations");
    page->texts++;
    page->text_bytes += (long)size;
    page->counts = (LoadCounts){count_of(counts, "states"),
                                count_of(counts, "states_lost"),
                                count_of(counts, "events"),
                                count_of(counts, "events_again"),
                                count_of(counts, "events_lost"),
                                count_of(counts, "refused"),
                                0};
    for (size_t k = 0; k < json_array_size(stations); k++) {
        const json_t *one = json_array_get(stations, k), *sequence = json_object_get(one, "sequence");
        LoadStation *station = find(play, json_string_value(json_object_get(one, "name")));
        page->counts.online += json_is_true(json_object_get(one, "online"));
        if (station != NULL && sequence != NULL) {
            note_lags(page, station, (long)json_integer_value(sequence), now);
        }
    }
    json_decref(all);
}

bool load_page_read(LoadPage *page, LoadPlay *play)
{
    static const char head[] = "event: stations\ndata: ";
    ssize_t got = recv(page->socket, page->bytes + page->size, page->room - 1 - page->size, MSG_DONTWAIT);
    if (got <= 0) {
        return false;
    }
    double now = load_clock();
    page->size += (size_t)got;
    page->bytes[page->size] = '\0';
    for (char *end; (end = strstr(page->bytes, "\n\n")) != NULL;) {
        char *start = strstr(page->bytes, head);
        if (start != NULL && start < end) {
            start += sizeof head - 1;
            take_text(page, play, start, (size_t)(end - start), now);
        }
        page->size -= (size_t)(end + 2 - page->bytes);
        memmove(page->bytes, end + 2, page->size + 1);
    }
    return page->size + 1 < page->room;
}
