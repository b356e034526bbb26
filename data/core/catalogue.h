/// A catalogue of translations: a file that msgfmt made (GNU MO, revision 0, little-endian), searched as it is.
///
/// The C library's gettext reads such files, too, but only for a locale that the system has, and from glibc 2.41 on it
/// takes C.UTF-8, which is the only one of a small system, for one that translates nothing.
/// Format: GNU gettext manual, "The Format of GNU MO Files".
///
///     Catalogue *catalogue = catalogue_open("texts/de.mo", status);
///     const char *german = catalogue != NULL ? catalogue_find(catalogue, "Paused") : NULL;
///     catalogue_close(catalogue);
#ifndef SPADEWORK_DATA_CATALOGUE_H
#define SPADEWORK_DATA_CATALOGUE_H

#include "data/core/status.h"

typedef struct Catalogue Catalogue;

enum { CATALOGUE_MOST_BYTES = 16 << 20 };

/// Reads a whole catalogue of at most CATALOGUE_MOST_BYTES and checks it: every text lies in the file and ends there,
/// the originals are in order. NULL with `status` (STATUS_BAD_FILE; STATUS_LACKING without memory).
Catalogue *catalogue_open(const char *path, Status *status);

/// The translation of `english`, with "CONTEXT\004" before it where it has a context; NULL = none. Belongs to the
/// catalogue. From any thread.
const char *catalogue_find(const Catalogue *catalogue, const char *english);

/// Frees it. NULL is nothing.
void catalogue_close(Catalogue *catalogue);

#endif
