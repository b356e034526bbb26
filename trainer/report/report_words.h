/// Sentences about a recording: who drove, what the drive counts as, what its seals say; and scenes in the reader's
/// language. Any thread.
#ifndef SPADEWORK_TRAINER_REPORT_WORDS_H
#define SPADEWORK_TRAINER_REPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "data/schema/scene_params.h"
#include "trainer/record/record.h"

enum { CREDIT_WORDS = 2 * CREDIT_PARENT, SEAL_WORDS = 256 };

/// Writes who drove, in the reader's language. name  as recordings keep it: of a person "gamepad", "keyboard" or else;
/// of a script its path; of other drivers not read.
void operator_words(const char *name, const Credit *credit, char *text, size_t size);

/// Writes why a drive passes nothing ("Practice from 0:35.7 of lift-pipe.spade on: it passes nothing"); "" where it
/// counts as it was judged.
/// trainee  whose name it bears, "" or NULL: nobody's
void credit_words(const Credit *credit, const char *trainee, char text[CREDIT_WORDS]);
/// The same in English, for the terminal and for other programs.
void credit_words_plain(const Credit *credit, const char *trainee, char text[CREDIT_WORDS]);

/// "whole; sealed, signed by Simulator 3", "cut short: ...", "being recorded: ...", "changed after it was recorded:
/// rows were changed in table metric (seal 40)".
/// english  for the terminal; false: in the reader's language
void seal_words(const RecordingSeal *seal, bool english, char *text, size_t size);
/// The state alone, for other programs: "whole", "cut short", "being recorded", "changed".
const char *seal_state_name(RecordingState state);

/// Replaces all texts of the scene by their translations: title, description, goal, steps, hints, faults, questions and
/// labels; a row of the score without a label gets the translation of its metric's phrase, where there is one. A text
/// that is longer than its place is cut between characters. The scene is a copy to be shown: what is simulated,
/// recorded and stored keeps the texts of its file.
void language_translate_scene(SceneParams *scene);

#endif
