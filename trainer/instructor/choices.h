/// What a station's page chooses from beside the scenes: courses, and who has driven here before.
#ifndef SPADEWORK_TRAINER_CHOICES_H
#define SPADEWORK_TRAINER_CHOICES_H

#include <stddef.h>

/// Returns one JSON text of `size` bytes, that the caller frees; NULL when memory is short. A course or results that
/// cannot be read are left out.
/// results  file of results; NULL: the user's own
char *choices_text(const char *results, size_t *size);

#endif
