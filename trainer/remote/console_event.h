/// An event as JSON, for the page and for the broker of a classroom: what it is, as data, and beside it the same in the
/// station's language.
#ifndef SPADEWORK_TRAINER_CONSOLE_EVENT_H
#define SPADEWORK_TRAINER_CONSOLE_EVENT_H

#include <jansson.h>

#include "trainer/sim/sim.h"

/// Adds `kind`, `form` ("" of a kind that has one), `part` and `thing` ({"kind", "index", "name"}; left out where there
/// is none), `numbers` (those that the kind carries, in SI), `text` (what somebody typed; left out where nobody did),
/// and for people `title` and `detail`.
/// scene  with its texts in the station's language
void console_event_add(json_t *object, const ExerciseEvent *event, const SceneExercise *scene);

#endif
