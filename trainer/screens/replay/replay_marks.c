/// Sorts a recording's events into the kinds that the time line tells apart, and finds the one that a person means.
#include "trainer/screens/replay/replay_marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/incident.h"
#include "data/language/language.h"
#include "data/language/quantity.h"
#include "trainer/language/event_words.h"

#define MOST_EVENTS 4096 ///< that are shown; an exercise keeps fewer

/// Writes "1:04.2".
static void write_time(double time, char *text, size_t size)
{
    int tenths = (int)(10.0 * time + 0.5);
    snprintf(text, size, "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10);
}

/// Writes what an event was and what it gave or took, without its time, as the recording has it.
static void write_english(const ExerciseEvent *event, const char *given, char *text, size_t size)
{
    bool named = event->detail[0] == '\0' && event->thing[0] != '\0';
    bool tells = strcmp(event->kind, "points") != 0 || event->detail[0] == '\0'; // the detail of points is enough
    snprintf(text, size, "%s%s%s%s%s%s%s", tells ? event->kind : "",
             tells && (event->detail[0] != '\0' || named) ? ": " : "", event->detail, named ? event->part : "",
             named ? " on " : "", named ? event->thing : "", given);
    for (char *c = text; *c != '\0'; c++) { // names of events have _ where people write a space
        *c = *c == '_' ? ' ' : *c;
    }
}

/// The same in the words of who reads. A bookmark's name is his own.
static void write_words(const ReplayMarks *marks, const ExerciseEvent *event, const char *given, char *text,
                        size_t size)
{
    char kind[64], detail[REPLAY_MARK_ROW];
    event_words_kind(event, kind, sizeof kind);
    event_words_detail(event, marks->units, detail, sizeof detail);
    bool tells = strcmp(event->kind, "points") != 0 || detail[0] == '\0';
    snprintf(text, size, "%s%s%s%s", tells ? kind : "", tells && detail[0] != '\0' ? ": " : "", detail, given);
}

static void write_phrase(const ReplayMarks *marks, const ExerciseEvent *event, char *text, size_t size)
{
    double points = event->number.points;
    char given[48] = "";
    // An event of points says them itself.
    if (fabs(points) >= 0.05 && strcmp(event->kind, "points") != 0) {
        if (marks->english) {
            snprintf(given, sizeof given, " (%+.1f points)", points);
        } else {
            snprintf(given, sizeof given, language_text(" (%s points)"), quantity_signed(points, 1).number);
        }
    }
    if (marks->english) {
        write_english(event, given, text, size);
    } else {
        write_words(marks, event, given, text, size);
    }
}

/// The time stands first in the row's text, ended by a zero.
static void write_row(ReplayMarks *marks, int index, double dt)
{
    char *text = marks->texts[index];
    write_time((double)marks->events[index].tick * dt, text, REPLAY_MARK_ROW);
    char *phrase = text + strlen(text) + 1;
    write_phrase(marks, &marks->events[index], phrase, (size_t)(text + REPLAY_MARK_ROW - phrase));
    marks->rows[index] = (RenderEvent){text, phrase, marks->marks[index].kind};
}

static void write_all(ReplayMarks *marks, double dt)
{
    for (int i = 0; i < marks->count; i++) {
        marks->marks[i] = (RenderMark){(double)marks->events[i].tick * dt, replay_marks_kind(&marks->events[i])};
        write_row(marks, i, dt);
    }
}

void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt)
{
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
        ExerciseEvent event = {.tick = (int64_t)llround(bookmarks->rows[k].time / dt), .kind = "bookmark"};
        snprintf(event.detail, sizeof event.detail, "%s", bookmarks->rows[k].name);
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
    free(marks->events);
    free(marks->marks);
    free(marks->rows);
    free(marks->texts);
    *marks = (ReplayMarks){0};
}

static bool is_one_of(const char *kind, const char *const *names, int count)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(kind, names[k]) == 0) {
            return true;
        }
    }
    return false;
}

RenderMarkKind replay_marks_kind(const ExerciseEvent *event)
{
    static const char *const done[] = {"finished", "step", "target"};
    static const char *const faults[] = {"spill", "overdig", "relief"};
    if (strcmp(event->kind, "bookmark") == 0) {
        return RENDER_MARK_BOOKMARK;
    }
    if (is_one_of(event->kind, incident_names, INCIDENT_COUNT)) {
        return RENDER_MARK_INCIDENT;
    }
    if (event->number.points < 0.0 || is_one_of(event->kind, faults, 3)) {
        return RENDER_MARK_FAULT;
    }
    if (is_one_of(event->kind, done, 3)) {
        return RENDER_MARK_DONE;
    }
    return strcmp(event->kind, "cycle") == 0 ? RENDER_MARK_CYCLE : RENDER_MARK_NOTE;
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
    char time[24], phrase[REPLAY_MARK_ROW];
    write_time((double)event->tick * dt, time, sizeof time);
    write_phrase(marks, event, phrase, sizeof phrase);
    snprintf(text, REPLAY_MARK_TEXT, "%d/%d   %s   %s", index + 1, marks->count, time, phrase);
}
