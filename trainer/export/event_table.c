/// Texts stand in quotes, doubled within; numbers have 9 digits and a point whatever the locale.
#include "trainer/export/event_table.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/files/written_file.h"
#include "trainer/export/output_file.h"

enum { MOST_EVENTS = 4096 };

static void print_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, file);
    }
    fputc('"', file);
}

static void print_events(FILE *file, const ExerciseEvent *events, int count, int tick_rate)
{
    fputs("event,tick,t,part,thing", file);
#define X(name) fputs("," #name, file);
    EXERCISE_EVENT_NUMBERS(X)
#undef X
    fputs(",detail\n", file);
    for (int k = 0; k < count; k++) {
        const ExerciseEvent *event = &events[k];
        print_text(file, event->kind);
        fprintf(file, ",%lld,%.9g,", (long long)event->tick, (double)event->tick / tick_rate);
        print_text(file, event->part);
        fputc(',', file);
        print_text(file, event->thing);
#define X(name) fprintf(file, ",%.9g", event->number.name);
        EXERCISE_EVENT_NUMBERS(X)
#undef X
        fputc(',', file);
        print_text(file, event->detail);
        fputc('\n', file);
    }
}

int event_table_write(const char *path, Recording *recording, int tick_rate, Status *status)
{
    if (!output_may_replace(path, OUTPUT_EVENTS, status)) {
        return -1;
    }
    ExerciseEvent *events = calloc(MOST_EVENTS + 1, sizeof *events);
    int found = events != NULL ? recording_events(recording, events, MOST_EVENTS + 1) : 0;
    if (found > MOST_EVENTS) {
        free(events);
        status_fail(status, STATUS_BAD_FILE, "%s: the recording holds more than %d events", path, MOST_EVENTS);
        return -1;
    }
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    FILE *file = events != NULL && locale != (locale_t)0 ? written_file_open(path) : NULL;
    int count = -1;
    if (file != NULL) {
        locale_t before = uselocale(locale);
        print_events(file, events, found, tick_rate);
        uselocale(before);
        bool bad = ferror(file) != 0;
        count = fclose(file) != 0 || bad ? -1 : found;
    }
    if (count < 0) {
        status_fail(status, STATUS_LACKING, "%s: cannot write the events: %s", path, written_file_reason(errno));
    }
    if (locale != (locale_t)0) {
        freelocale(locale);
    }
    free(events);
    return count;
}
