/// Opening a recording without ever changing it.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "trainer/record/recording_internal.h"
#include "trainer/record/recording_trust.h"

enum { JOURNAL_HEAD = 28, LOCK_WAIT_MS = 5000 };

bool recording_fail(const Recording *recording, Status *status, const char *format, ...)
{
    char text[sizeof status->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char fate[RECORDING_FATE];
    bool there = recording_file_is_there(recording->path, &recording->file, fate);
    return status_fail(status, STATUS_BAD_FILE, "%s: %s%s%s", recording->path, text, there ? "" : "; ", fate);
}

/// ---- is it ours ----------------------------------------------------------------------------------------------------

static uint32_t get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Reads up to `size` bytes from the beginning. Returns how many, or -1 with errno.
static ssize_t read_head(const char *path, unsigned char *bytes, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return -1;
    }
    ssize_t got = read(file, bytes, size);
    int error = errno;
    close(file);
    errno = error;
    return got;
}

/// The header is looked at before SQLite is: a file in WAL mode, for example, would make it leave files beside ours.
static bool check_head(Recording *recording, Status *status)
{
    struct stat info;
    if (stat(recording->path, &info) != 0) {
        return recording_fail(recording, status, "cannot be read: %s", strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return recording_fail(recording, status, "is %s, not a recording",
                              S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    unsigned char head[RECORDING_HEAD];
    ssize_t got = read_head(recording->path, head, sizeof head);
    if (got < 0) {
        return recording_fail(recording, status, "cannot be read: %s", strerror(errno));
    }
    if (got == 0) {
        return recording_fail(recording, status, "is empty, not a recording");
    }
    if (got < RECORDING_HEAD || memcmp(head, "SQLite format 3", 16) != 0) {
        return recording_fail(recording, status, "is not a recording: it does not begin as an SQLite file does");
    }
    if (get_big_endian(head + 68) != RECORDING_APPLICATION) {
        return recording_fail(recording, status, "is not a recording: it is an SQLite file of another program");
    }
    uint32_t version = get_big_endian(head + 60);
    if (version != RECORDING_VERSION) {
        return recording_fail(recording, status, "has recording format %u, this program reads format %d: %s",
                              (unsigned)version, RECORDING_VERSION,
                              version > RECORDING_VERSION
                                  ? "a newer one made it, which is needed to replay it"
                                  : "it was simulated with other figures; replay it with a version that made such");
    }
    recording->file = recording_file_note(recording->path);
    return head[18] == 1 && head[19] == 1 ? true : recording_fail(recording, status, "is damaged: its header is wrong");
}

/// ---- a writer that was killed --------------------------------------------------------------------------------------

static bool copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t got = read(from, bytes, sizeof bytes);
    while (got > 0) {
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, bytes + done, (size_t)(got - done));
            if (put < 0) {
                return false;
            }
            done += put;
        }
        got = read(from, bytes, sizeof bytes);
    }
    return got == 0;
}

static bool copy_file(const char *from, const char *to)
{
    int source = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK), target = -1;
    bool good = source >= 0;
    if (good) {
        target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        good = target >= 0 && copy_bytes(source, target);
    }
    int error = errno;
    if (source >= 0) {
        close(source);
    }
    if (target >= 0) {
        close(target);
    }
    errno = error;
    return good;
}

static void copy_paths(const Recording *recording, char file[128], char journal[128])
{
    snprintf(file, 128, "%s/recording", recording->copy);
    snprintf(journal, 128, "%s/recording-journal", recording->copy);
}

static int64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}

/// A copy takes at most half of what is free: others want to write there too.
static bool has_room(const Recording *recording, const char *journal, Status *status)
{
    struct statvfs info;
    int64_t wanted = size_of(recording->path) + size_of(journal);
    if (statvfs(recording->copy, &info) != 0 || wanted <= (int64_t)(info.f_bavail * info.f_frsize / 2)) {
        return true; // where it is not known, the copy itself tells
    }
    return status_fail(status, STATUS_LACKING,
                       "%s: a copy of its %lld bytes would take more than half of what is free in %s: set TMPDIR",
                       recording->path, (long long)wanted, recording->copy);
}

/// A journal that is left beside the file holds what must be put back before the file makes sense. SQLite would do that
/// in the file itself; here it does it in a copy.
static bool copy_with_journal(Recording *recording, const char *journal, Status *status)
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(recording->copy, sizeof recording->copy, "%s/spadework-XXXXXX",
                          folder != NULL && folder[0] != '\0' && strlen(folder) < 40 ? folder : "/tmp");
    char file_copy[128], journal_copy[128];
    if (length >= (int)sizeof recording->copy || mkdtemp(recording->copy) == NULL) {
        recording->copy[0] = '\0';
        return status_fail(status, STATUS_LACKING, "%s: no folder for a temporary copy: %s", recording->path,
                           strerror(errno));
    }
    copy_paths(recording, file_copy, journal_copy);
    if (!has_room(recording, journal, status)) {
        return false;
    }
    return (copy_file(recording->path, file_copy) && copy_file(journal, journal_copy)) ||
           status_fail(status, STATUS_LACKING, "%s: cannot be copied to %s: %s", recording->path, recording->copy,
                       strerror(errno));
}

/// The copy's journal is looked at once before it is copied, and once as it was copied: nobody changes that any more.
static bool open_copy(Recording *recording, const char *journal, Status *status)
{
    char copied_journal[128];
    if (!recording_check_journal(journal, size_of(recording->path), recording->path, status) ||
        !copy_with_journal(recording, journal, status)) {
        return false;
    }
    copy_paths(recording, recording->copied, copied_journal);
    return recording_check_journal(copied_journal, size_of(recording->copied), recording->path, status);
}

static void remove_copy(Recording *recording)
{
    if (recording->copy[0] == '\0') {
        return;
    }
    char file[128], journal[128];
    copy_paths(recording, file, journal);
    unlink(file);
    unlink(journal);
    rmdir(recording->copy);
    recording->copy[0] = '\0';
}

/// ---- SQLite --------------------------------------------------------------------------------------------------------

static int text_of(void *context, int count, char **values, char **names)
{
    (void)names;
    char *text = context;
    snprintf(text, 128, "%s", count > 0 && values[0] != NULL ? values[0] : "");
    return 1; // the first row is enough
}

static bool check_whole(const Recording *recording, Status *status)
{
    char answer[128] = "";
    int code = sqlite3_exec(recording->db, "PRAGMA quick_check(1)", text_of, answer, NULL);
    if (code != SQLITE_OK && code != SQLITE_ABORT) {
        return recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    for (char *at = answer; (at = strchr(at, '\n')) != NULL;) {
        *at = ' ';
    }
    return strcmp(answer, "ok") == 0 || recording_fail(recording, status, "is damaged: %.100s", answer);
}

/// A cut through unused bytes of the last page is none of SQLite's concern; here it is.
static bool check_length(const Recording *recording, const char *path, Status *status)
{
    char pages[128] = "", size[128] = "";
    struct stat info;
    sqlite3_exec(recording->db, "PRAGMA page_count", text_of, pages, NULL);
    sqlite3_exec(recording->db, "PRAGMA page_size", text_of, size, NULL);
    long long whole = strtoll(pages, NULL, 10) * strtoll(size, NULL, 10);
    return (stat(path, &info) == 0 && (long long)info.st_size >= whole) ||
           recording_fail(recording, status, "is damaged: it is cut: %lld of %lld bytes", (long long)info.st_size,
                          whole);
}

/// Begins to read at one moment: what is written meanwhile is not seen. `*left`: a writer was killed after it was seen
/// at work, and left a journal.
static bool begin_reading(Recording *recording, bool *left, Status *status)
{
    int code = sqlite3_exec(recording->db, "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", NULL, NULL, NULL) & 0xff;
    *left = code == SQLITE_READONLY || code == SQLITE_CANTOPEN;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        return status_fail(status, STATUS_LACKING, "%s: another program has locked it for %d s", recording->path,
                           LOCK_WAIT_MS / 1000);
    }
    return code == SQLITE_OK || recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
}

/// Opens the file itself, or, when the last writer was killed in the middle of a commit, a copy that is put right.
static bool open_database(Recording *recording, const char **path, bool *left, Status *status)
{
    static const char ending[] = "-journal";
    char journal[DATA_PATH_LENGTH + sizeof ending];
    snprintf(journal, sizeof journal, "%s%s", recording->path, ending);
    struct stat info;
    recording->live = recording_file_is_claimed(recording->path);
    bool cut_short = !recording->live && stat(journal, &info) == 0 && info.st_size >= JOURNAL_HEAD;
    if (cut_short && !open_copy(recording, journal, status)) {
        return false;
    }
    *path = cut_short ? recording->copied : recording->path;
    int flags = cut_short ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(*path, &recording->db, flags, NULL) != SQLITE_OK) {
        return recording_fail(recording, status, "cannot be opened: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_busy_timeout(recording->db, LOCK_WAIT_MS);
    recording_distrust(recording->db, &recording->budget, size_of(*path));
    return begin_reading(recording, left, status);
}

bool recording_open_file(Recording *recording, Status *status)
{
    const char *path = recording->path;
    bool left = false;
    if (!check_head(recording, status)) {
        return false;
    }
    bool good = open_database(recording, &path, &left, status);
    if (left && recording->live) {
        sqlite3_close(recording->db);
        recording->db = NULL;
        good = open_database(recording, &path, &left, status);
    }
    return good && recording_check_schema(recording->db, false, recording->path, status) &&
           check_whole(recording, status) && check_length(recording, path, status);
}

/// The seals up to the moment at which it is read.
static bool read_moment(Recording *recording, Status *status)
{
    return seal_moment_read(recording->db, recording->live, &recording->moment) ||
           recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
}

Recording *recording_open(const char *path, Status *status)
{
    Recording *recording = calloc(1, sizeof *recording);
    if (recording == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recording", path);
        return NULL;
    }
    if (strlen(path) >= sizeof recording->path || path[0] == '\0' || path[0] == ':') {
        status_fail(status, STATUS_BAD_FILE, "%.200s: not the name of a recording", path);
        free(recording);
        return NULL;
    }
    snprintf(recording->path, sizeof recording->path, "%s", path);
    if (!recording_open_file(recording, status) || !read_moment(recording, status) ||
        !recording_read_tables(recording, status)) {
        recording_close(recording);
        return NULL;
    }
    sqlite3_exec(recording->db, "COMMIT", NULL, NULL, NULL); // who records it writes on
    recording_end_budget(recording->db); // a keyframe, or all events, are read as often as one likes
    return recording;
}

void recording_close(Recording *recording)
{
    if (recording == NULL) {
        return;
    }
    sqlite3_finalize(recording->keyframe);
    sqlite3_finalize(recording->meta);
    ZSTD_freeDCtx(recording->zstd);
    sqlite3_close(recording->db);
    remove_copy(recording);
    free(recording->controls);
    free(recording->controls_whole);
    free(recording->orders);
    free(recording->hashes);
    free(recording->keyframe_ticks);
    free(recording->keyframe_bases);
    data_files_free(&recording->files);
    state_buffer_free(&recording->state);
    state_buffer_free(&recording->before);
    free(recording);
}
