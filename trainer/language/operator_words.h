/// Who moved the levers of a drive, in the words of who reads. Recordings keep the name that the command line has.
#ifndef SPADEWORK_TRAINER_OPERATOR_WORDS_H
#define SPADEWORK_TRAINER_OPERATOR_WORDS_H

#include <stddef.h>

/// Writes an operator's name ("person", "auto", "expert:pad", "auto, clumsy 0.50", a script's path) for people. From
/// any thread.
void operator_words(const char *name, char *text, size_t size);

#endif
