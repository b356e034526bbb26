/// Bookmarks of a recording: times with names that a person set while watching. They lie beside it in REC.marks, one a
/// line: seconds since the start, a blank, the name; a line that begins with # is a comment. The recording itself is
/// not changed.
#ifndef SPADEWORK_TRAINER_BOOKMARKS_H
#define SPADEWORK_TRAINER_BOOKMARKS_H

#include <stdbool.h>

#include "data/core/status.h"

enum { BOOKMARKS_MOST = 200, BOOKMARK_NAME = 64 };

typedef struct Bookmark {
    double time; ///< s since the start of the recorded exercise, 0 or more
    char name[BOOKMARK_NAME]; ///< 1..63 bytes without line ends
} Bookmark;

/// In order of time, no two within a millisecond.
typedef struct Bookmarks {
    int count; ///< 0..BOOKMARKS_MOST
    Bookmark rows[BOOKMARKS_MOST];
} Bookmarks;

/// Reads those of the recording at `path`; none where REC.marks is absent. False with `status` (STATUS_BAD_FILE, with
/// line and column) for one that is no time of the recording, a line without a name, or too many.
/// duration  s: when the recording ends
bool bookmarks_read(const char *path, double duration, Bookmarks *bookmarks, Status *status);
/// Writes REC.marks beside itself and renames it, so that half of it is never found: a full disk leaves the old one.
/// False with `status` (STATUS_LACKING).
bool bookmarks_write(const char *path, const Bookmarks *bookmarks, Status *status);
/// Sets a bookmark at `time` (s), or names the one that is there anew; the name is cut to its length. False when there
/// are BOOKMARKS_MOST.
bool bookmarks_set(Bookmarks *bookmarks, double time, const char *name);
/// Takes away the one at `time` (s); false where there is none.
bool bookmarks_remove(Bookmarks *bookmarks, double time);

#endif
