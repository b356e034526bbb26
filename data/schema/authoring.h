/// Help for authors of data files: the reference of keys (every key that a kind of file may hold, from the tables by
/// which files are read) and commented copies of scenes. Any thread; nothing is kept, and texts of the reference live
/// as long as the program.
#ifndef SPADEWORK_DATA_AUTHORING_H
#define SPADEWORK_DATA_AUTHORING_H

#include <stdbool.h>

#include "data/core/data_files.h"

/// ---- reference of keys ---------------------------------------------------------------------------------------------

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

/// ---- commented copies ---------------------------------------------------------------------------------------------

/// Makes the text of a copy of a file of `kind` ("scene", "course") with another title. Its author's comments stay;
/// above each key stands a comment with unit, range and meaning, of a list's items once. Where the text has such a
/// comment already, it gets no second one. The file is not checked; the caller frees *text (NUL-terminated).
/// from  a path, or a name; NULL: what a new file of the kind begins with (data/starts)
bool data_copy(const char *kind, const char *from, const char *title, char **text, size_t *size, Status *status);

/// True when a user's file of `kind` can be called so: letters, digits, - _ and ., without an ending, and no name of a
/// shipped or shared one. Else the status (STATUS_BAD_USAGE) says what is wrong.
bool data_copy_may_be_called(const char *kind, const char *name, Status *status);

/// Writes the path of the file that a scene's name or path leads to. False with the status (STATUS_BAD_FILE) when it
/// leads nowhere.
bool scene_copy_find(const char *scene, char path[DATA_PATH_LENGTH], Status *status);

#endif
