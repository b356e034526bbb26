/// A commented copy of a scene, for who makes an exercise from another one. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_SCENE_COPY_H
#define SPADEWORK_DATA_SCENE_COPY_H

#include "data/core/data_files.h"

/// Makes the text of a copy of the scene `from` (a path, or a name) with another title. Its author's comments stay;
/// above each key stands a comment with unit, range and meaning, of a list's items once. Where the text has such a
/// comment already, it gets no second one. The scene is not checked; the caller frees *text (NUL-terminated).
bool scene_copy(const char *from, const char *title, char **text, size_t *size, Status *status);

/// True when a scene can be called so: letters, digits, - _ and ., without an ending, and no shipped scene's name. Else
/// the status (STATUS_BAD_USAGE) says what is wrong.
bool scene_copy_may_be_called(const char *name, Status *status);

/// Writes the path of the file that a scene's name or path leads to. False with the status (STATUS_BAD_FILE) when it
/// leads nowhere.
bool scene_copy_find(const char *scene, char path[DATA_PATH_LENGTH], Status *status);

#endif
