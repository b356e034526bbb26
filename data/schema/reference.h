/// The reference of keys: every key that a kind of file may hold, from the tables by which files are read. Any thread;
/// nothing is kept, and all texts live as long as the program.
#ifndef SPADEWORK_DATA_REFERENCE_H
#define SPADEWORK_DATA_REFERENCE_H

#include <stdbool.h>

enum { REFERENCE_PATH = 128, REFERENCE_WORDS = 256, REFERENCE_MOST = 512 };

typedef struct ReferenceKey {
    char path[REFERENCE_PATH]; ///< where it stands: "exercise.scores[].weight"; [] is any item of a list
    char type[REFERENCE_WORDS]; ///< "number", "whole number", "text", "choice", "3 numbers", "keys", "list", ...
    char unit[16]; ///< "m"; "" without one
    char allowed[REFERENCE_WORDS]; ///< "0.2 to 6"; "" of keys that hold other keys
    char fallback[REFERENCE_WORDS]; ///< what it is when left out; "" when nothing stands for it
    bool needed; ///< may not be left out
    const char *meaning; ///< one phrase
    const void *choices; ///< the same of rows that share a list of choices; NULL of other types
} ReferenceKey;

/// Kinds of files: "scene", "machine", ...; NULL behind the last.
const char *reference_kind(int index);

/// Title of a part of a kind's reference: most kinds have one, a machine one of each type; NULL behind the last, and of
/// a kind there is not.
const char *reference_part(const char *kind, int part);

/// Writes the keys of a part in the order of the table, each mapping followed by its own keys. Returns how many there
/// are, at most `capacity`.
int reference_keys(const char *kind, int part, ReferenceKey *keys, int capacity);

/// Name of a choice of a key, or NULL behind the last.
const char *reference_choice(const ReferenceKey *key, int index);
/// How many choices a key has.
int reference_choice_count(const ReferenceKey *key);

#endif
