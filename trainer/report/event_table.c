/// Texts stand in quotes, doubled within; numbers have 9 digits and a point whatever the locale.
#include "trainer/report/event_table.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/written_file.h"
#include "data/schema/load.h"
#include "trainer/sim/sim.h"
#include "trainer/report/output_file.h"

enum { MOST_EVENTS = 4096 };

static void print_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, file);
    }
    fputc('"', file);
}

static void print_name(FILE *file, const EventThing *thing)
{
    char text[EVENT_TEXT];
    event_thing_text(thing, &reader_of_files, text);
    print_text(file, text);
}

static void print_thing(FILE *file, const EventThing *thing)
{
    fputc(',', file);
    print_text(file, event_thing_kind_name((EventThingKind)thing->kind));
    fprintf(file, ",%d", (int)thing->index);
}

/// scene  NULL: it could not be read, and what it says of steps and answers is missing
static void print_events(FILE *file, const ExerciseEvent *events, int count, int tick_rate, const SceneExercise *scene)
{
    fputs("event,tick,t,part,thing", file);
#define X(name, unit, shown) fputs("," #name, file);
    EVENT_NUMBERS(X)
#undef X
    fputs(",detail,form,part_kind,part_index,thing_kind,thing_index\n", file);
    for (int k = 0; k < count; k++) {
        const ExerciseEvent *event = &events[k];
        EventKind kind = (EventKind)event->kind;
        char text[EVENT_TEXT];
        print_text(file, event_kind_name(kind));
        fprintf(file, ",%lld,%.9g,", (long long)event->tick, (double)event->tick / tick_rate);
        print_name(file, &event->part);
        fputc(',', file);
        print_name(file, &event->thing);
#define X(name, unit, shown) fprintf(file, ",%.9g", event->number.name);
        EVENT_NUMBERS(X)
#undef X
        fputc(',', file);
        event_text(event, &reader_of_files, scene, text);
        print_text(file, text);
        fputc(',', file);
        print_text(file, event_form(kind, event->form)->name);
        print_thing(file, &event->part);
        print_thing(file, &event->thing);
        fputc('\n', file);
    }
}

/// What the recording's own scene says; NULL: it cannot be read. The caller frees it.
static SceneParams *read_scene(Recording *recording)
{
    Status ignored;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL &&
                data_load_scene_from_files(recording_files(recording), scene, machine, &ignored);
    free(machine);
    if (!good) {
        free(scene);
    }
    return good ? scene : NULL;
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
        SceneParams *scene = read_scene(recording);
        print_events(file, events, found, tick_rate, scene != NULL ? &scene->exercise : NULL);
        free(scene);
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
