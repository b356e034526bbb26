/// Events in tests: whether one is of a kind, and what is told of it in English.
#ifndef SPADEWORK_TESTS_EVENT_FIXTURE_H
#define SPADEWORK_TESTS_EVENT_FIXTURE_H

#include <string.h>

#include "trainer/sim/sim.h"

static inline bool is_event(const ExerciseEvent *event, const char *kind)
{
    return strcmp(event_kind_name((EventKind)event->kind), kind) == 0;
}

/// Writes the text and returns it. scene  NULL: it has no words for steps and answers
static inline const char *english_of(const ExerciseEvent *event, const SceneExercise *scene, char text[EVENT_TEXT])
{
    event_text(event, &reader_of_files, scene, text);
    return text;
}

/// What a thing is called in English.
static inline const char *called(const EventThing *thing, char text[EVENT_TEXT])
{
    event_thing_text(thing, &reader_of_files, text);
    return text;
}

#endif
