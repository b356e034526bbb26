/// A disk for SQLite that fails when it is asked to, and remembers what was done to it: a layer over SQLite's own file
/// system (sqlite3_vfs). One at a time; files are those of databases and their journals.
///
/// It counts the calls that change a file (write, truncate, sync) and lets number `fail_at` fail, or all from there on.
/// Nothing is really synced: a test that asks what a loss of power leaves builds it from the log.
#ifndef SPADEWORK_TESTS_FAULTY_DISK_H
#define SPADEWORK_TESTS_FAULTY_DISK_H

#include <pthread.h>
#include <stdbool.h>

#include <sqlite3.h>

#include "tests/support/test.h"

typedef enum DiskOpKind { DISK_CREATE, DISK_WRITE, DISK_TRUNCATE, DISK_SYNC, DISK_DELETE } DiskOpKind;

/// What was done, in order. File 0 is the database; each journal is a file of its own, from 1.
typedef struct DiskOp {
    DiskOpKind kind;
    int file;
    int64_t at; ///< bytes: place of a write, size after a truncation
    int size; ///< bytes
    unsigned char *bytes; ///< [size]
} DiskOp;

typedef struct FaultyDisk {
    sqlite3_vfs vfs, *real;
    pthread_mutex_t mutex;
    int fail_at; ///< number of the call that fails, from 0; -1: none
    bool for_ever; ///< so do those after it
    int code; ///< SQLITE_FULL, or SQLITE_IOERR: which one says the call
    int calls, deletes; ///< so far; deletes of a journal before the first failure: transactions that are committed
    bool failed;
    bool logs;
    DiskOp *ops; ///< [op_count]
    int op_count, op_capacity, journals;
} FaultyDisk;

typedef struct DiskFile {
    sqlite3_file base;
    FaultyDisk *disk;
    int number; ///< -1: none that counts
    sqlite3_file *real;
} DiskFile;

static inline sqlite3_file *disk_real(sqlite3_file *file)
{
    return ((DiskFile *)file)->real;
}

static inline void disk_log(FaultyDisk *disk, DiskOpKind kind, int file, int64_t at, const void *bytes, int size)
{
    if (!disk->logs) {
        return;
    }
    if (disk->op_count == disk->op_capacity) {
        disk->op_capacity = 2 * disk->op_capacity + 256;
        disk->ops = realloc(disk->ops, (size_t)disk->op_capacity * sizeof *disk->ops);
        assert_non_null(disk->ops);
    }
    DiskOp *op = &disk->ops[disk->op_count++];
    *op = (DiskOp){.kind = kind, .file = file, .at = at, .size = size};
    if (size > 0) {
        op->bytes = malloc((size_t)size);
        assert_non_null(op->bytes);
        memcpy(op->bytes, bytes, (size_t)size);
    }
}

/// Counts a call that changes the file, logs it, and says whether it fails.
static inline int disk_change(sqlite3_file *base, DiskOpKind kind, int64_t at, const void *bytes, int size, int detail)
{
    DiskFile *file = (DiskFile *)base;
    FaultyDisk *disk = file->disk;
    if (file->number < 0) {
        return SQLITE_OK;
    }
    pthread_mutex_lock(&disk->mutex);
    int call = disk->calls++;
    bool fails = disk->fail_at >= 0 && (call == disk->fail_at || (call > disk->fail_at && disk->for_ever));
    disk->failed |= fails;
    if (!fails) {
        disk_log(disk, kind, file->number, at, bytes, size);
    }
    pthread_mutex_unlock(&disk->mutex);
    return !fails ? SQLITE_OK : disk->code == SQLITE_IOERR || kind == DISK_SYNC ? detail : disk->code;
}

static inline int disk_close(sqlite3_file *file)
{
    return disk_real(file)->pMethods != NULL ? disk_real(file)->pMethods->xClose(disk_real(file)) : SQLITE_OK;
}

static inline int disk_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 at)
{
    return disk_real(file)->pMethods->xRead(disk_real(file), bytes, size, at);
}

static inline int disk_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
    int code = disk_change(file, DISK_WRITE, at, bytes, size, SQLITE_IOERR_WRITE);
    return code != SQLITE_OK ? code : disk_real(file)->pMethods->xWrite(disk_real(file), bytes, size, at);
}

static inline int disk_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int code = disk_change(file, DISK_TRUNCATE, size, NULL, 0, SQLITE_IOERR_TRUNCATE);
    return code != SQLITE_OK ? code : disk_real(file)->pMethods->xTruncate(disk_real(file), size);
}

static inline int disk_sync(sqlite3_file *file, int flags)
{
    (void)flags;
    return disk_change(file, DISK_SYNC, 0, NULL, 0, SQLITE_IOERR_FSYNC);
}

static inline int disk_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return disk_real(file)->pMethods->xFileSize(disk_real(file), size);
}

static inline int disk_lock(sqlite3_file *file, int level)
{
    return disk_real(file)->pMethods->xLock(disk_real(file), level);
}

static inline int disk_unlock(sqlite3_file *file, int level)
{
    return disk_real(file)->pMethods->xUnlock(disk_real(file), level);
}

static inline int disk_is_reserved(sqlite3_file *file, int *reserved)
{
    return disk_real(file)->pMethods->xCheckReservedLock(disk_real(file), reserved);
}

static inline int disk_control(sqlite3_file *file, int operation, void *argument)
{
    return disk_real(file)->pMethods->xFileControl(disk_real(file), operation, argument);
}

static inline int disk_sector(sqlite3_file *file)
{
    return disk_real(file)->pMethods->xSectorSize(disk_real(file));
}

static inline int disk_character(sqlite3_file *file)
{
    return disk_real(file)->pMethods->xDeviceCharacteristics(disk_real(file));
}

static const sqlite3_io_methods disk_methods = {
    .iVersion = 1,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_is_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_character,
};

static inline int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out)
{
    FaultyDisk *disk = vfs->pAppData;
    DiskFile *file = (DiskFile *)base;
    *file = (DiskFile){.disk = disk, .number = -1, .real = (sqlite3_file *)(file + 1)};
    int code = disk->real->xOpen(disk->real, path, file->real, flags, out);
    if (code == SQLITE_OK) {
        file->base.pMethods = &disk_methods;
        pthread_mutex_lock(&disk->mutex);
        if (flags & SQLITE_OPEN_MAIN_DB) {
            file->number = 0;
        } else if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
            file->number = ++disk->journals;
            disk_log(disk, DISK_CREATE, file->number, 0, NULL, 0);
        }
        pthread_mutex_unlock(&disk->mutex);
    }
    return code;
}

static inline int disk_delete(sqlite3_vfs *vfs, const char *path, int sync)
{
    FaultyDisk *disk = vfs->pAppData;
    pthread_mutex_lock(&disk->mutex);
    disk->deletes += !disk->failed;
    disk_log(disk, DISK_DELETE, disk->journals, 0, NULL, 0);
    pthread_mutex_unlock(&disk->mutex);
    (void)sync;
    return disk->real->xDelete(disk->real, path, 0);
}

/// Makes it the file system of all databases that are opened from now on.
static inline void disk_insert(FaultyDisk *disk)
{
    *disk = (FaultyDisk){.real = sqlite3_vfs_find(NULL), .fail_at = -1, .code = SQLITE_FULL};
    pthread_mutex_init(&disk->mutex, NULL);
    disk->vfs = *disk->real;
    disk->vfs.zName = "faulty";
    disk->vfs.pNext = NULL;
    disk->vfs.pAppData = disk;
    disk->vfs.szOsFile = (int)sizeof(DiskFile) + disk->real->szOsFile;
    disk->vfs.xOpen = disk_open;
    disk->vfs.xDelete = disk_delete;
    assert_int_equal(sqlite3_vfs_register(&disk->vfs, 1), SQLITE_OK);
}

/// Begins again: counts nothing, fails from call `fail_at` on.
static inline void disk_begin(FaultyDisk *disk, int fail_at, bool for_ever, int code)
{
    disk->fail_at = fail_at;
    disk->for_ever = for_ever;
    disk->code = code;
    disk->calls = disk->deletes = disk->journals = 0;
    disk->failed = false;
}

/// Puts SQLite's own file system back.
static inline void disk_remove(FaultyDisk *disk)
{
    sqlite3_vfs_unregister(&disk->vfs);
    sqlite3_vfs_register(disk->real, 1);
    for (int k = 0; k < disk->op_count; k++) {
        free(disk->ops[k].bytes);
    }
    free(disk->ops);
    pthread_mutex_destroy(&disk->mutex);
}

#endif
