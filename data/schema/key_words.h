/// A row of a table of keys (key_table.h) in words for people. Internal to data/.
#ifndef SPADEWORK_DATA_KEY_WORDS_H
#define SPADEWORK_DATA_KEY_WORDS_H

#include "data/files/key_table.h"

enum { KEY_WORDS = 256, KEY_UNIT = 16 };

/// Writes the unit of a number or tuple as files have it ("m"); "" for everything else.
void key_unit(const DataKey *row, char unit[KEY_UNIT]);
/// What the value means, without the unit in front.
const char *key_phrase(const DataKey *row);
/// The kind of value: "number", "whole number", "text", "choice", "keys", "one key", "list", "3 numbers", "word".
void key_type(const DataKey *row, char words[KEY_WORDS]);
/// What is allowed: "0.2 to 6", "free, trench or tasks", "1 to 4 items", "up to 95 bytes"; of many choices how many.
void key_allowed(const DataKey *row, char words[KEY_WORDS]);
/// What a key that is left out stands for; "" where it is needed, and where nothing stands for it.
void key_default(const DataKey *row, char words[KEY_WORDS]);
/// How many choices a row has; 0 of other types.
int key_choice_count(const DataKey *row);

enum { KEY_FEW_CHOICES = 10 }; ///< of more, key_allowed says their number

#endif
