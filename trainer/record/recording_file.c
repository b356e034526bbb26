/// Compares device and number of a file, looks at its first bytes (POSIX stat), and marks it by a lock of its open file
/// description (Linux, fcntl(2)), which belongs to that open file alone and never meets SQLite's own; see
/// recording_file.h.
#define _GNU_SOURCE // F_OFD_SETLK
#include "trainer/record/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/regular_file.h"
#include "trainer/record/recording_format.h"

enum { APPLICATION_AT = 68 };
enum { CLAIM_AT = 0x40000000 + 1024 }; ///< byte; SQLite locks the 512 from 0x40000000 on

RecordingFile recording_file_note(const char *path)
{
    struct stat info;
    bool known = stat(path, &info) == 0;
    return (RecordingFile){
        .known = known, .device = known ? info.st_dev : (dev_t)0, .number = known ? info.st_ino : (ino_t)0};
}

bool recording_head_is_ours(const unsigned char *head, size_t size)
{
    const unsigned char *at = head + APPLICATION_AT;
    return size >= RECORDING_HEAD && memcmp(head, "SQLite format 3", 16) == 0 &&
           ((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]) == RECORDING_APPLICATION;
}

static bool tell(char fate[RECORDING_FATE], const char *text)
{
    snprintf(fate, RECORDING_FATE, "%s", text);
    return false;
}

bool recording_file_is_there(const char *path, const RecordingFile *file, char fate[RECORDING_FATE])
{
    struct stat info;
    fate[0] = '\0';
    if (!file->known) {
        return true;
    }
    if (stat(path, &info) != 0) {
        return tell(fate, errno == ENOENT || errno == ENOTDIR
                              ? "its file is no longer there: it was deleted, moved or renamed"
                              : "its file can no longer be reached");
    }
    if (!S_ISREG(info.st_mode)) {
        return tell(fate, S_ISDIR(info.st_mode) ? "its file is no longer there: a folder has its name"
                                                : "its file is no longer there: a device or pipe has its name");
    }
    if (info.st_dev != file->device || info.st_ino != file->number) {
        return tell(fate, "its file is no longer there: another file has its name");
    }
    if (info.st_size < RECORDING_HEAD) {
        snprintf(fate, RECORDING_FATE, "its file was cut to %lld bytes and is no recording any more",
                 (long long)info.st_size);
        return false;
    }
    unsigned char head[RECORDING_HEAD];
    Status unused;
    FILE *opened = regular_file_open(path, &unused);
    size_t got = opened != NULL ? fread(head, 1, sizeof head, opened) : sizeof head;
    if (opened == NULL) {
        return true; // as a file is that only its writer may write
    }
    fclose(opened);
    return recording_head_is_ours(head, got) || tell(fate, "its file was overwritten and is no recording any more");
}

static struct flock claim_of(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = CLAIM_AT, .l_len = 1};
}

int recording_file_claim(const char *path)
{
    struct flock lock = claim_of(F_WRLCK);
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fcntl(file, F_OFD_SETLK, &lock) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

void recording_file_release(int claim)
{
    if (claim >= 0) {
        close(claim);
    }
}

bool recording_file_is_claimed(const char *path)
{
    struct flock lock = claim_of(F_RDLCK);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool claimed = file >= 0 && fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return claimed;
}
