/// Proves where a recording comes from, by its seals and those of the recording that it took over, and makes the
/// session that continues a recording. A replay begins with the state that the recording stores; only the parent
/// proves that one.
#include "data/core/system_files.h"
#include "trainer/record/recording_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "data/core/language.h"

/// ---- seals ---------------------------------------------------------------------------------------------------------

bool recording_tell_change(const Recording *recording, const RecordingSeal *seal, Status *status)
{
    char what[96];
    snprintf(what, sizeof what, seal->change, seal->table);
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: is not what was recorded: %s (seal %" PRId64 ")",
                       recording->path, what, seal->at);
}

/// The key that the recording names; true with seal->key "" when it names none. False when what it names is no key,
/// which is a change.
static bool read_key(Recording *recording, RecordingSeal *seal, unsigned char key[STATION_KEY])
{
    const char *text = recording_meta(recording, "station_key");
    if (text == NULL) {
        return true;
    }
    if (!station_key_read(text, key)) {
        seal_set_change(&(SealFault){.what = TEXT("the key of its station is not valid"), .table = ""}, seal);
        return false;
    }
    snprintf(seal->key, sizeof seal->key, "%s", text);
    text = recording_meta(recording, "station");
    snprintf(seal->station, sizeof seal->station, "%.*s", STATION_NAME - 1, text != NULL ? text : "?");
    recording_seal_look_up(seal);
    return true;
}

static bool check_chain(Recording *recording, SealCheck *check, RecordingProgress *progress, void *context,
                        RecordingSeal *seal, Status *status)
{
    SealFault fault;
    SealStep step = SEAL_GOES_ON;
    while (step == SEAL_GOES_ON) {
        if (!signals_go_on(recording->path, status)) {
            return false;
        }
        step = seal_check_next(check, &fault);
        if (progress != NULL && step != SEAL_DIFFERS) {
            progress(context, seal_check_last(check)->number + 1, recording->moment.count);
        }
    }
    seal->count = seal_check_last(check)->number + 1;
    if (step == SEAL_FAILED) {
        return seal_check_is_busy(check)
                   ? status_fail(status, STATUS_LACKING, "%s: another program has locked it", recording->path)
                   : recording_fail(recording, status, "is damaged: its seals cannot be read");
    }
    if (step == SEAL_DIFFERS) {
        seal_set_change(&fault, seal);
        return true;
    }
    seal_set_good(check, recording->live, seal);
    return true;
}

bool recording_prove(Recording *recording, RecordingProgress *progress, void *context, RecordingSeal *seal,
                     Status *status)
{
    unsigned char key[STATION_KEY];
    *seal = (RecordingSeal){0};
    if (!read_key(recording, seal, key)) {
        return true;
    }
    SealCheck *check = seal_check_open(recording->db, &recording->moment, seal->key[0] != '\0' ? key : NULL);
    if (check == NULL && sqlite3_errcode(recording->db) != SQLITE_OK) {
        return recording_fail(recording, status, "is damaged: its seals cannot be read");
    }
    bool good = check != NULL ? check_chain(recording, check, progress, context, seal, status)
                              : status_fail(status, STATUS_LACKING, "%s: out of memory for its seals", recording->path);
    seal_check_close(check);
    return good;
}

bool recording_check_seals(Recording *recording, RecordingSeal *seal, Status *status)
{
    return recording_prove(recording, NULL, NULL, seal, status) &&
           (seal->state != RECORDING_CHANGED || recording_tell_change(recording, seal, status));
}

void recording_last_seal(Recording *recording, char hash[SEAL_TEXT])
{
    Seal seal;
    hash[0] = '\0';
    if (recording->moment.in_order) {
        memcpy(seal.hash, recording->moment.hash, SEAL_HASH);
        seal_text(&seal, hash);
    }
}

/// ---- the parent ----------------------------------------------------------------------------------------------------

static bool report_other_parent(const Recording *recording, const RecordingParent *parent, const char *what,
                                Status *status)
{
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: its parent %s is not the one that it took over: %.400s",
                       recording->path, parent->name, what);
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
static bool compare_parent(Recording *recording, Recording *from, const char *hash, RecordingParent *parent,
                           Status *status)
{
    char what[160];
    RecordingSeal seal;
    Status broken;
    if (hash[0] == '\0') {
        parent->state = PARENT_UNSEALED;
    } else if (!recording_check_seals(from, &seal, &broken)) {
        return report_other_parent(recording, parent, broken.text, status);
    } else if (!has_seal(from, hash)) {
        snprintf(what, sizeof what, "it has no seal %.64s", hash);
        return report_other_parent(recording, parent, what, status);
    } else {
        parent->state = PARENT_FITS;
    }
    if (parent->tick < from->first_tick || parent->tick > from->last_tick) {
        snprintf(what, sizeof what, "it holds ticks %" PRId64 " to %" PRId64 ", and was taken over at %" PRId64,
                 from->first_tick, from->last_tick, parent->tick);
        return report_other_parent(recording, parent, what, status);
    }
    if (from->hashes[parent->tick - from->first_tick] != recording->hashes[0]) {
        snprintf(what, sizeof what, "its state at tick %" PRId64 " is another one", parent->tick);
        return report_other_parent(recording, parent, what, status);
    }
    return true;
}

/// Path of the parent's file where it lies in the folder of the recording, as it was named; false when it has none, or
/// the path is too long.
static bool find_parent(Recording *recording, char path[DATA_PATH_LENGTH])
{
    char told[DATA_PATH_LENGTH];
    recording_meta_bytes(recording, "parent", told, sizeof told);
    const char *name = file_name_of(told);
    int folder = (int)(file_name_of(recording->path) - recording->path);
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
    snprintf(parent->name, sizeof parent->name, "%s", file_name_of(told));
    told = recording_meta(recording, "parent_seal");
    snprintf(hash, sizeof hash, "%s", told != NULL ? told : "");
    if (!find_parent(recording, path) || access(path, F_OK) != 0) {
        parent->state = PARENT_MISSING;
        return true;
    }
    Status reason;
    Recording *from = recording_open(path, &reason);
    bool good = from != NULL ? compare_parent(recording, from, hash, parent, status)
                             : report_other_parent(recording, parent, reason.text, status);
    recording_close(from);
    return good;
}

/// ---- where a session begins ----------------------------------------------------------------------------------------

enum { PARENTS_MOST = 1000 }; ///< recordings in a row, each of which took the next one over. Chosen

SessionOrigin session_origin(const char *parent, double at)
{
    SessionOrigin origin = {.at = parent != NULL ? at : 0.0};
    snprintf(origin.parent, sizeof origin.parent, "%s", parent != NULL ? parent : "");
    return origin;
}

const char *session_origin_parent(const SessionOrigin *origin)
{
    return origin->parent[0] != '\0' ? origin->parent : NULL;
}

/// Puts the session to the tick at which the recording is taken over.
static bool seek_origin(Recording *recording, Session *session, const SessionOrigin *origin, Status *status)
{
    double dt = session_dt(session), tick = round(origin->at / dt);
    int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
    if (!(tick >= (double)first && tick <= (double)last)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: cannot be taken over at %g s: it holds %.3f..%.3f s",
                           origin->parent, origin->at, (double)first * dt, (double)last * dt);
    }
    return recording_seek(recording, session, (int64_t)tick, status);
}

static Session *take_over(SessionOrigin *origin, int threads, Status *status)
{
    Recording *recording = recording_open(origin->parent, status);
    if (recording == NULL) {
        return NULL;
    }
    RecordingSeal seal;
    Session *session = recording_create_session(recording, threads, status);
    if (session != NULL &&
        !(seek_origin(recording, session, origin, status) && recording_check_seals(recording, &seal, status))) {
        session_destroy(session);
        session = NULL;
    }
    recording_last_seal(recording, origin->seal);
    const char *changed = recording_meta(recording, "changed");
    snprintf(origin->changed, sizeof origin->changed, "%s", changed != NULL ? changed : "");
    recording_close(recording);
    return session;
}

Session *session_origin_make(SessionOrigin *origin, const SessionParams *params, Status *status)
{
    if (origin->parent[0] != '\0') {
        return take_over(origin, params->threads, status);
    }
    credit_list_changes(params->set, params->set_count, origin->changed);
    return session_create(params, status);
}

bool session_origin_find(const char *recording, double at, SessionOrigin *origin, Status *status)
{
    *origin = session_origin(recording, at);
    for (int k = 0; k < PARENTS_MOST; k++) {
        Recording *opened = recording_open(origin->parent, status);
        if (opened == NULL) {
            return false;
        }
        double rate = recording_tick_rate(opened), first = (double)recording_first_tick(opened) / rate;
        bool found = round(at * rate) >= (double)recording_first_tick(opened),
             goes_on = !found && find_parent(opened, origin->parent);
        recording_close(opened);
        if (found) {
            return true;
        }
        if (!goes_on) {
            return status_fail(status, STATUS_BAD_USAGE, "%s: begins at %.3f s, which is later than %g s",
                               origin->parent, first, at);
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "%s: more than %d recordings took over one another", recording,
                       PARENTS_MOST);
}
