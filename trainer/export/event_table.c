/// Texts stand in quotes, doubled within; numbers have 9 digits and a point whatever the locale.
#include "trainer/export/event_table.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/export/output_file.h"

enum { MOST_EVENTS = 4096 };

static void print_text(FILE *file, const char *text)
{
    fputs(",\"", file);
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
        fprintf(file, "%s,%lld,%.9g", event->kind, (long long)event->tick, (double)event->tick / tick_rate);
        print_text(file, event->part);
        print_text(file, event->thing);
#define X(name) fprintf(file, ",%.9g", event->number.name);
        EXERCISE_EVENT_NUMBERS(X)
#undef X
        print_text(file, event->detail);
        fputc('\n', file);
    }
}

int event_table_write(const char *path, Recording *recording, int tick_rate, Status *status)
{
    if (!output_may_replace(path, OUTPUT_EVENTS, status)) {
        return -1;
    }
    ExerciseEvent *events = calloc(MOST_EVENTS, sizeof *events);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    FILE *file = events != NULL && locale != (locale_t)0 ? fopen(path, "w") : NULL;
    int count = -1;
    if (file != NULL) {
        locale_t before = uselocale(locale);
        count = recording_events(recording, events, MOST_EVENTS);
        print_events(file, events, count, tick_rate);
        uselocale(before);
        bool bad = ferror(file) != 0;
        count = fclose(file) != 0 || bad ? -1 : count;
    }
    if (count < 0) {
        status_fail(status, STATUS_LACKING, "%s: cannot write the events: %s", path, strerror(errno));
    }
    if (locale != (locale_t)0) {
        freelocale(locale);
    }
    free(events);
    return count;
}
