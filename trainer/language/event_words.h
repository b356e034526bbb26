/// What happened in a recording, in the words of who reads. Recordings keep it in English.
#ifndef SPADEWORK_TRAINER_EVENT_WORDS_H
#define SPADEWORK_TRAINER_EVENT_WORDS_H

#include <stddef.h>

#include "data/settings_params.h"
#include "trainer/exercise/exercise.h"

/// Writes an event's kind ("cycle", "touched something"), its detail, and the part or the thing where it has none.
void event_words_kind(const ExerciseEvent *event, char *text, size_t size);
void event_words_detail(const ExerciseEvent *event, SettingsUnits units, char *text, size_t size);

/// Writes what the window is told about devices ("Pad connected as left").
void event_words_device(const char *english, char *text, size_t size);

#endif
