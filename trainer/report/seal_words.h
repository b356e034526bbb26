/// What the seals of a recording say of it, as one line for people.
#ifndef SPADEWORK_TRAINER_SEAL_WORDS_H
#define SPADEWORK_TRAINER_SEAL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "trainer/record/record.h"

enum { SEAL_WORDS = 256 };

/// "whole; sealed, signed by Simulator 3", "cut short: ...", "being recorded: ...", "changed after it was recorded:
/// rows were changed in table metric (seal 40)". From any thread.
/// english  for the terminal; false: in the language of who reads
void seal_words(const RecordingSeal *seal, bool english, char *text, size_t size);
/// The state alone, for other programs: "whole", "cut short", "being recorded", "changed".
const char *seal_state_name(RecordingState state);

#endif
