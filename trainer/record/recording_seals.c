/// What the seals of an opened recording say of it: whether it is whole, and who signed it.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/core/signals.h"
#include "data/core/text.h"
#include "trainer/record/recording_internal.h"

_Static_assert((int)SEAL_TEXT == (int)SEAL_HEX, "a seal's hash as text");

bool recording_tell_change(const Recording *recording, const RecordingSeal *seal, Status *status)
{
    char what[96];
    snprintf(what, sizeof what, seal->change, seal->table);
    return status_fail(status, STATUS_NOT_VERIFIED, "%s: is not what was recorded: %s (seal %" PRId64 ")",
                       recording->path, what, seal->at);
}

void recording_seal_look_up(RecordingSeal *seal)
{
    unsigned char key[STATION_KEY];
    Status unused; // a list of trusted stations that cannot be read trusts nobody
    seal->trusted[0] = '\0';
    if (seal->key[0] != '\0' && station_key_read(seal->key, key) && !station_find(key, seal->trusted, &unused)) {
        seal->trusted[0] = '\0';
    }
}

static void set_change(RecordingSeal *seal, const SealFault *fault)
{
    seal->state = RECORDING_CHANGED;
    seal->change = fault->what;
    seal->table = fault->table;
    seal->at = fault->seal;
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
        set_change(seal, &(SealFault){.what = TEXT("the key of its station is none"), .table = ""});
        return false;
    }
    snprintf(seal->key, sizeof seal->key, "%s", text);
    text = recording_meta(recording, "station");
    snprintf(seal->station, sizeof seal->station, "%.*s", STATION_NAME - 1, text != NULL ? text : "?");
    recording_seal_look_up(seal);
    return true;
}

static bool check_all(Recording *recording, SealCheck *check, RecordingProgress *progress, void *context,
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
    const Seal *last = seal_check_last(check);
    seal->count = last->number + 1;
    if (step == SEAL_FAILED) {
        return seal_check_is_busy(check)
                   ? status_fail(status, STATUS_LACKING, "%s: another program has locked it", recording->path)
                   : recording_fail(recording, status, "is damaged: its seals cannot be read");
    }
    if (step == SEAL_DIFFERS) {
        set_change(seal, &fault);
        return true;
    }
    seal->closed = last->closed;
    seal_text(last, seal->hash);
    seal->state = seal->closed ? RECORDING_WHOLE : recording->live ? RECORDING_LIVE : RECORDING_CUT_SHORT;
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
    bool good = check != NULL ? check_all(recording, check, progress, context, seal, status)
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
