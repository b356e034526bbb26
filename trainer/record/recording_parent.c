/// A recording that took another over, held against it. Its own replay begins with the state that it stores: that this
/// was the parent's, the parent alone can prove.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trainer/record/recording_internal.h"

static bool differs(const Recording *recording, const RecordingParent *parent, const char *what, Status *status)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: its parent %s is not the one that it took over: %.400s",
                       recording->path, parent->name, what);
}

/// The last part of a path.
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// True when one of the seals has that hash.
static bool has_seal(Recording *parent, const char *hash)
{
    sqlite3_stmt *row = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(parent->db, "SELECT 1 FROM seal WHERE lower(hex(hash)) = ?", -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, hash, -1, SQLITE_STATIC);
        found = sqlite3_step(row) == SQLITE_ROW;
    }
    sqlite3_finalize(row);
    return found;
}

/// Holds the opened parent against what the branch says of it.
static bool compare(Recording *recording, Recording *from, const char *hash, RecordingParent *parent, Status *status)
{
    char what[160];
    RecordingSeal seal;
    Status broken;
    if (hash[0] == '\0') {
        parent->state = PARENT_UNSEALED;
    } else if (!recording_check_seals(from, &seal, &broken)) {
        return differs(recording, parent, broken.text, status);
    } else if (!has_seal(from, hash)) {
        snprintf(what, sizeof what, "it has no seal %.64s", hash);
        return differs(recording, parent, what, status);
    } else {
        parent->state = PARENT_FITS;
    }
    if (parent->tick < from->first_tick || parent->tick > from->last_tick) {
        snprintf(what, sizeof what, "it holds ticks %" PRId64 " to %" PRId64 ", and was taken over at %" PRId64,
                 from->first_tick, from->last_tick, parent->tick);
        return differs(recording, parent, what, status);
    }
    if (from->hashes[parent->tick - from->first_tick] != recording->hashes[0]) {
        snprintf(what, sizeof what, "its state at tick %" PRId64 " is another one", parent->tick);
        return differs(recording, parent, what, status);
    }
    return true;
}

bool recording_parent_path(Recording *recording, char path[DATA_PATH_LENGTH])
{
    char told[DATA_PATH_LENGTH];
    recording_meta_bytes(recording, "parent", told, sizeof told);
    const char *name = name_of(told);
    int folder = (int)(name_of(recording->path) - recording->path);
    return name[0] != '\0' &&
           snprintf(path, DATA_PATH_LENGTH, "%.*s%s", folder, recording->path, name) < DATA_PATH_LENGTH;
}

bool recording_check_parent(Recording *recording, RecordingParent *parent, Status *status)
{
    char path[DATA_PATH_LENGTH] = "", hash[SEAL_TEXT];
    *parent = (RecordingParent){.state = PARENT_NONE, .tick = recording->first_tick};
    const char *told = recording_meta(recording, "parent");
    if (told == NULL) {
        return true;
    }
    snprintf(parent->name, sizeof parent->name, "%s", name_of(told));
    told = recording_meta(recording, "parent_seal");
    snprintf(hash, sizeof hash, "%s", told != NULL ? told : "");
    if (!recording_parent_path(recording, path) || access(path, F_OK) != 0) {
        parent->state = PARENT_MISSING;
        return true;
    }
    Status reason;
    Recording *from = recording_open(path, &reason);
    bool good =
        from != NULL ? compare(recording, from, hash, parent, status) : differs(recording, parent, reason.text, status);
    recording_close(from);
    return good;
}
