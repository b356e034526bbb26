/// Sorts a recording's events into the kinds that the time line tells apart, and finds the one that a person means.
#include "trainer/app/replay_marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "trainer/sim/sim.h"
#include "trainer/report/report.h"

#define MOST_EVENTS 4096 ///< that are shown; an exercise keeps fewer

/// Writes "1:04.2".
static void write_time(double time, char *text, size_t size)
{
    int tenths = (int)(10.0 * time + 0.5);
    snprintf(text, size, "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10);
}

/// The time stands first in the row's text, ended by a zero.
static void write_row(ReplayMarks *marks, int index, double dt)
{
    char *text = marks->texts[index];
    write_time((double)marks->events[index].tick * dt, text, REPLAY_MARK_ROW);
    char *phrase = text + strlen(text) + 1;
    char line[EVENT_TEXT];
    event_line(&marks->events[index], &marks->reader, marks->scene, line);
    snprintf(phrase, (size_t)(text + REPLAY_MARK_ROW - phrase), "%s", line);
    marks->rows[index] = (RenderEvent){text, phrase, marks->marks[index].kind};
}

static void write_all(ReplayMarks *marks, double dt)
{
    for (int i = 0; i < marks->count; i++) {
        marks->marks[i] = (RenderMark){(double)marks->events[i].tick * dt, replay_marks_kind(&marks->events[i])};
        write_row(marks, i, dt);
    }
}

/// What the recording's own scene says of steps, answers and rows; NULL: it cannot be read, and they stay without.
static SceneExercise *read_scene(Recording *recording, const TextReader *reader)
{
    Status ignored;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    SceneExercise *exercise = malloc(sizeof *exercise);
    if (scene == NULL || machine == NULL || exercise == NULL) {
        abort();
    }
    bool good = data_load_scene_from_files(recording_files(recording), scene, machine, &ignored);
    if (good && !reader->english) {
        language_translate_scene(scene);
    }
    *exercise = scene->exercise;
    free(scene);
    free(machine);
    if (!good) {
        free(exercise);
        return NULL;
    }
    return exercise;
}

void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt)
{
    marks->scene = read_scene(recording, &marks->reader);
    marks->events = calloc(MOST_EVENTS, sizeof *marks->events);
    marks->marks = calloc(MOST_EVENTS, sizeof *marks->marks);
    marks->rows = calloc(MOST_EVENTS, sizeof *marks->rows);
    marks->texts = calloc(MOST_EVENTS, sizeof *marks->texts);
    if (marks->events == NULL || marks->marks == NULL || marks->rows == NULL || marks->texts == NULL) {
        abort();
    }
    int count = recording_events(recording, marks->events, MOST_EVENTS);
    marks->count = count < 0 ? 0 : count > MOST_EVENTS ? MOST_EVENTS : count;
    write_all(marks, dt);
}

void replay_marks_set_bookmarks(ReplayMarks *marks, const Bookmarks *bookmarks, double dt)
{
    int kept = 0;
    for (int k = 0; k < marks->count; k++) {
        if (replay_marks_kind(&marks->events[k]) != RENDER_MARK_BOOKMARK) {
            marks->events[kept++] = marks->events[k];
        }
    }
    marks->count = kept;
    for (int k = 0; k < bookmarks->count && marks->count < MOST_EVENTS; k++) {
        ExerciseEvent event = {.tick = (int64_t)llround(bookmarks->rows[k].time / dt), .kind = EVENT_BOOKMARK};
        snprintf(event.text, sizeof event.text, "%s", bookmarks->rows[k].name);
        int at = marks->count;
        while (at > 0 && marks->events[at - 1].tick > event.tick) {
            marks->events[at] = marks->events[at - 1];
            at--;
        }
        marks->events[at] = event;
        marks->count++;
    }
    write_all(marks, dt);
}

void replay_marks_free(ReplayMarks *marks)
{
    free(marks->scene);
    free(marks->events);
    free(marks->marks);
    free(marks->rows);
    free(marks->texts);
    *marks = (ReplayMarks){0};
}

RenderMarkKind replay_marks_kind(const ExerciseEvent *event)
{
    if (event->kind < INCIDENT_COUNT) {
        return RENDER_MARK_INCIDENT;
    }
    if (event->number.points < 0.0) {
        return RENDER_MARK_FAULT;
    }
    switch ((EventKind)event->kind) {
    case EVENT_BOOKMARK:
        return RENDER_MARK_BOOKMARK;
    case EVENT_SPILL:
    case EVENT_OVERDIG:
    case EVENT_RELIEF:
        return RENDER_MARK_FAULT;
    case EVENT_FINISHED:
    case EVENT_STEP:
    case EVENT_TARGET:
        return RENDER_MARK_DONE;
    case EVENT_CYCLE:
        return RENDER_MARK_CYCLE;
    default:
        return RENDER_MARK_NOTE;
    }
}

int replay_marks_next(const ReplayMarks *marks, int64_t tick, bool forward)
{
    int found = -1;
    for (int k = 0; k < marks->count; k++) {
        int64_t at = marks->events[k].tick;
        if (forward && at > tick) {
            return k;
        }
        if (!forward && at < tick && (found < 0 || at > marks->events[found].tick)) {
            found = k;
        }
    }
    return found;
}

int replay_marks_near(const ReplayMarks *marks, int64_t tick, int64_t before, int64_t after)
{
    int found = -1;
    int64_t nearest = 0;
    for (int k = 0; k < marks->count; k++) {
        int64_t at = marks->events[k].tick, away = at > tick ? at - tick : tick - at;
        if (at < tick - before || at > tick + after) {
            continue;
        }
        if (found < 0 || away < nearest || (away == nearest && marks->marks[k].kind > marks->marks[found].kind)) {
            found = k;
            nearest = away;
        }
    }
    return found;
}

int replay_marks_chosen(const ReplayMarks *marks, int64_t tick, int wanted)
{
    if (wanted >= 0 && wanted < marks->count && marks->events[wanted].tick == tick) {
        return wanted;
    }
    int found = -1;
    while (found + 1 < marks->count && marks->events[found + 1].tick <= tick) {
        found++;
    }
    return found;
}

void replay_marks_tell(const ReplayMarks *marks, int index, double dt, char text[REPLAY_MARK_TEXT])
{
    const ExerciseEvent *event = &marks->events[index];
    char time[24], line[EVENT_TEXT];
    write_time((double)event->tick * dt, time, sizeof time);
    event_line(event, &marks->reader, marks->scene, line);
    snprintf(text, REPLAY_MARK_TEXT, "%d/%d   %s   %s", index + 1, marks->count, time, line);
}
