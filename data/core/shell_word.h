/// Words of a command line that is printed for people to copy: the shell takes each as that word alone, whatever stands
/// in it. The program itself never gives a line to a shell. Any thread.
#ifndef SPADEWORK_DATA_SHELL_WORD_H
#define SPADEWORK_DATA_SHELL_WORD_H

#include <stdbool.h>
#include <stddef.h>

/// Writes a file's path as one word for sh (POSIX, 2.2.2): bare where that is safe, else in single quotes, and behind
/// ./ where it would be taken for an option. False with "" where no line can hold it: it is empty, has control or
/// direction characters or bytes that are no text, or there is not enough room.
bool shell_word_file(const char *path, char *word, size_t room);
/// The same of a scene's name. False with "" for what cannot be one: other letters than those of ASCII, digits, - _ and
/// ., more than 63 of them, - or . at the beginning.
bool shell_word_scene(const char *name, char *word, size_t room);

#endif
