/// Lists for a station's page to choose from beside the scenes: courses, and trainees who have driven here before. They
/// are read on a thread of their own: where results are shared, a server that hangs delays that thread by seconds, and
/// no other.
#ifndef SPADEWORK_TRAINER_CHOICES_H
#define SPADEWORK_TRAINER_CHOICES_H

#include <stddef.h>

/// The courses that can be read, with their scenes: a JSON list of {"name", "title", "scenes"} that the caller frees;
/// NULL when memory is short.
char *choices_courses(void);

typedef struct Choices Choices;

/// NULL: memory is short. The caller ends it with choices_close, on the same thread as all else.
/// results  file of results, or the address of a server; NULL: the user's own. Borrowed until then.
Choices *choices_open(const char *results);
/// Waits until what is being read is there or given up (RESULTS_PATIENCE_SERVER). NULL is nothing.
void choices_close(Choices *choices);

/// Begins to read. While something is being read, that is read to its end first. NULL is nothing.
void choices_ask(Choices *choices);
/// One JSON text of `size` bytes, that the caller frees, once for each time that something was read; else NULL. A
/// course or results that cannot be read are left out. NULL has nothing.
char *choices_take(Choices *choices, size_t *size);

#endif
