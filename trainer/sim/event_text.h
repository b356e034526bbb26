/// Makes the sentences of events, in the reader's language and units; no other place does. Templates come from the
/// tables (event_kinds.h), numbers from quantity.h; what people typed and the names of a scene stay byte for byte.
/// Pure but for the chosen language; from any thread.
#ifndef SPADEWORK_TRAINER_EVENT_TEXT_H
#define SPADEWORK_TRAINER_EVENT_TEXT_H

#include "trainer/sim/event_kinds.h"

/// Bytes that hold any event's text, title or line.
enum { EVENT_TEXT = 400 };

/// Writes what people call the event's kind: "cycle", "touched something".
void event_title(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes what happened: "bucket touches container at 0.45 m/s, 10.3 kN s, 2.1 kJ".
/// scene  the exercise with its texts in this reader's language (scene_language.h): it says what a step, an answer or a
///        row of the score is called; NULL: that is left out
void event_text(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene,
                char text[EVENT_TEXT]);

/// Writes the points that it gave or took, "+1.5"; "" where it did neither.
void event_points(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes title, text and points in one line: "touched something: bucket touches wall at 0.45 m/s, ... (-2.0 points)".
void event_line(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene,
                char text[EVENT_TEXT]);

/// Writes what a thing is called: "container", "the truck's cab", "boom cylinder"; of a row of the score its metric's
/// name, of an incident its own. For the English of files the rules of scenes name things so.
void event_thing_text(const EventThing *thing, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes what a rule is about: "touched something (truck)".
void event_rule_text(const SceneRule *rule, const TextReader *reader, char text[EVENT_TEXT]);

#endif
