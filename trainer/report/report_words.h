/// Who moved the levers of a drive, and what the drive counts as, in the words of who reads.
#ifndef SPADEWORK_TRAINER_OPERATOR_WORDS_H
#define SPADEWORK_TRAINER_OPERATOR_WORDS_H

#include <stddef.h>

#include "trainer/record/record.h"

enum { CREDIT_WORDS = 2 * CREDIT_PARENT };

/// Writes who drove for people. name  as recordings keep it: of a person "gamepad", "keyboard" or else; of a script its
/// path; of others not read. From any thread.
void operator_words(const char *name, const Credit *credit, char *text, size_t size);

/// Writes why a drive passes nothing ("Practice from 0:35.7 of lift-pipe.spade on: it passes nothing"); "" where it
/// counts as it was judged. From any thread.
/// trainee  whose name it bears, "" or NULL: nobody's
void credit_words(const Credit *credit, const char *trainee, char text[CREDIT_WORDS]);
/// The same in English, for the terminal and for other programs.
void credit_words_plain(const Credit *credit, const char *trainee, char text[CREDIT_WORDS]);

#endif
