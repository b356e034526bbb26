/// English lines that were written long before they are shown, in recordings for instance: what happened, with its
/// numbers in SI. They are known by their pattern, and said again in the language and the units of who reads.
#ifndef SPADEWORK_DATA_SENTENCE_H
#define SPADEWORK_DATA_SENTENCE_H

#include <stddef.h>

#include "data/settings_params.h"

/// Writes `english` as the first of `patterns` ([count], English, marked with TEXT) that fits says it: each %s of a
/// pattern stands for a word, which is translated, a number, or a number with its unit ("0.45 m/s"), which is written
/// in `units`. What no pattern fits is translated as a whole, or stays as it is. From any thread.
void language_sentence(const char *const *patterns, int count, const char *english, SettingsUnits units, char *text,
                       size_t size);

#endif
