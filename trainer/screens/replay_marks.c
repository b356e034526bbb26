/// Sorts a recording's events into the kinds that the time line tells apart, and finds the one that a person means.
#include "trainer/screens/replay_marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/incident.h"

#define MOST_EVENTS 4096 ///< that are shown; an exercise keeps fewer

void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt)
{
    marks->events = calloc(MOST_EVENTS, sizeof *marks->events);
    marks->marks = calloc(MOST_EVENTS, sizeof *marks->marks);
    if (marks->events == NULL || marks->marks == NULL) {
        abort();
    }
    int count = recording_events(recording, marks->events, MOST_EVENTS);
    marks->count = count < 0 ? 0 : count > MOST_EVENTS ? MOST_EVENTS : count;
    for (int i = 0; i < marks->count; i++) {
        marks->marks[i] = (RenderMark){(double)marks->events[i].tick * dt, replay_marks_kind(&marks->events[i])};
    }
}

void replay_marks_free(ReplayMarks *marks)
{
    free(marks->events);
    free(marks->marks);
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

void replay_marks_tell(const ReplayMarks *marks, int index, double dt, char text[REPLAY_MARK_TEXT])
{
    const ExerciseEvent *event = &marks->events[index];
    double time = (double)event->tick * dt, points = event->number.points;
    int minutes = (int)(time / 60.0);
    char given[32] = "";
    // An event of points says them itself.
    if (fabs(points) >= 0.05 && strcmp(event->kind, "points") != 0) {
        snprintf(given, sizeof given, " (%+.1f points)", points);
    }
    snprintf(text, REPLAY_MARK_TEXT, "%d/%d   %d:%04.1f   %s%s%s%s", index + 1, marks->count, minutes,
             time - 60.0 * minutes, event->kind, event->detail[0] != '\0' ? ": " : "", event->detail, given);
    for (char *c = text; *c != '\0'; c++) { // names of events have _ where people write a space
        *c = *c == '_' ? ' ' : *c;
    }
}
