/// The file that a recording lies in, seen from outside SQLite: whether it still is the one that was opened, and what
/// became of it. Internal to the recording; any thread, nothing is kept.
#ifndef SPADEWORK_TRAINER_RECORDING_FILE_H
#define SPADEWORK_TRAINER_RECORDING_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

enum {
    RECORDING_HEAD = 100, ///< bytes that every SQLite file begins with
    RECORDING_FATE = 128, ///< bytes of what became of a file, as text
};

/// Which file bears a recording's name.
typedef struct RecordingFile {
    bool known; ///< false: nothing is compared
    dev_t device;
    ino_t number;
} RecordingFile;

/// Notes which file is at `path`; not known when there is none.
RecordingFile recording_file_note(const char *path);

/// True while the noted file is at `path` and begins as a recording does. Else `fate` says what became of it: it is
/// gone, a folder or another file has its name, it was cut, or its beginning was overwritten.
bool recording_file_is_there(const char *path, const RecordingFile *file, char fate[RECORDING_FATE]);

/// Marks a file as being recorded, by a lock on a byte beside those that SQLite locks: the system takes it away when
/// the process ends, however it ends. Called before SQLite opens the file, and released after SQLite has closed it:
/// closing any file takes away the locks that SQLite holds on it. Returns an open file for recording_file_release; -1
/// where there are no locks.
int recording_file_claim(const char *path);
/// Takes the mark away; -1 is nothing.
void recording_file_release(int claim);
/// True while another program (or this one) records into the file.
bool recording_file_is_claimed(const char *path);

/// Looks at the first `size` bytes of a file for those of an SQLite file that is a recording, of whatever format.
bool recording_head_is_ours(const unsigned char *head, size_t size);

#endif
