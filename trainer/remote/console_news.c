/// What is published: each text is put into its event once, and all who look on send the same bytes.
#include "trainer/remote/console_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

enum { HEAD = 64 }; ///< bytes before the text, at most

static ConsoleEvent *make_event(const char *channel, const char *json, size_t size)
{
    ConsoleEvent *event = malloc(sizeof *event + HEAD + size + 2);
    if (event == NULL) {
        return NULL;
    }
    atomic_init(&event->holders, 1);
    event->text_at = (size_t)snprintf(event->bytes, HEAD, "event: %s\ndata: ", channel);
    event->text_size = size;
    event->size = event->text_at + size + 2;
    memcpy(event->bytes + event->text_at, json, size);
    event->bytes[event->size - 2] = event->bytes[event->size - 1] = '\n';
    return event;
}

void console_publish(Console *console, int channel, const char *json, size_t size)
{
    console_publish_part(console, 0, channel, json, size);
}

void console_publish_part(Console *console, int part, int channel, const char *json, size_t size)
{
    ConsoleEvent *event = make_event(console_kind(console, part)->page->channels[channel], json, size);
    if (event == NULL) {
        return;
    }
    pthread_mutex_lock(&console->lock);
    ConsoleNewest *newest = &console->parts[part].newest[channel];
    ConsoleEvent *before = newest->event;
    *newest = (ConsoleNewest){event, newest->version + 1};
    bool seen = console->parts[part].lookers > 0;
    pthread_mutex_unlock(&console->lock);
    console_release(before);
    if (seen) { // whoever wakes finds the lock free
        eventfd_write(console->bell, 1);
    }
}

bool console_is_newest(Console *console, int channel, const char *json, size_t size)
{
    ConsoleEvent *event = console_hold_newest(console, 0, channel);
    bool same = event != NULL && event->text_size == size && memcmp(event->bytes + event->text_at, json, size) == 0;
    console_release(event);
    return same;
}

ConsoleEvent *console_hold_newest(Console *console, int part, int channel)
{
    pthread_mutex_lock(&console->lock);
    ConsoleEvent *event = console->parts[part].newest[channel].event;
    if (event != NULL) {
        atomic_fetch_add(&event->holders, 1);
    }
    pthread_mutex_unlock(&console->lock);
    return event;
}

void console_release(ConsoleEvent *event)
{
    if (event != NULL && atomic_fetch_sub(&event->holders, 1) == 1) {
        free(event);
    }
}
