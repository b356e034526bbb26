/// A good recording, its copy that a test changes, and copies that must not open.
#ifndef SPADEWORK_TESTS_RECORDING_REFUSED_H
#define SPADEWORK_TESTS_RECORDING_REFUSED_H

#include <sys/stat.h>

#include "tests/support/recording_fixture.h"

enum { TICKS = 200 };

typedef struct Fixture {
    char folder[64], good[512], path[512];
} Fixture;

static inline char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline void write_whole(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static inline int set_up(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    make_folder(fixture->folder);
    path_in(fixture->folder, "changed.spade", fixture->path);
    record(path_in(fixture->folder, "good.spade", fixture->good), 1, TICKS, NULL);
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    Fixture *fixture = *state;
    remove_folder(fixture->folder);
    free(fixture);
    return 0;
}

static inline void restore_copy(const Fixture *fixture)
{
    size_t size;
    char *bytes = read_whole(fixture->good, &size);
    write_whole(fixture->path, bytes, size);
    free(bytes);
}

/// A fresh copy, changed by several statements.
static inline void forge(const Fixture *fixture, const char *sql)
{
    restore_copy(fixture);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) {
        fail_msg("%s: %s", sql, error);
    }
    sqlite3_close(db);
}

/// Expects the file to be refused with a text that names it and holds `reason`, and left as it is.
static inline void expect_refused(const char *path, const char *reason)
{
    struct stat info = {0};
    bool readable = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    size_t size = 0, size_after = 0;
    char *before = readable ? read_whole(path, &size) : NULL;
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    if (recording != NULL) {
        fail_msg("%s was opened, wanted: %s", path, reason);
    }
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (strstr(status.text, reason) == NULL || strstr(status.text, path) == NULL || strchr(status.text, '\n') != NULL) {
        fail_msg("told: %s; wanted: %s", status.text, reason);
    }
    if (readable) {
        char *after = read_whole(path, &size_after);
        assert_int_equal(size, size_after);
        assert_memory_equal(before, after, size);
        free(after);
    }
    free(before);
}

#endif
