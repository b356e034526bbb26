/// Replaying a recording and comparing every tick.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/core/signals.h"
#include "trainer/record/recording.h"
#include "trainer/record/recording_evidence.h"
#include "trainer/record/recording_internal.h"

typedef struct Verification {
    Recording *recording;
    Session *session; ///< runs through
    Session *second; ///< restored at each keyframe, or NULL
    bool second_runs;
    int next_keyframe; ///< number of the first one not compared yet
    VerifyResult *result;
    Evidence *evidence; ///< NULL: the replay does not begin at the first tick
} Verification;

static bool is_keyframe(const Verification *self, int64_t tick)
{
    const Recording *recording = self->recording;
    return self->next_keyframe < recording->keyframe_count && recording->keyframe_ticks[self->next_keyframe] == tick;
}

static uint64_t stored_hash(const Verification *self, int64_t tick)
{
    return self->recording->hashes[tick - self->recording->first_tick];
}

/// Tells where the recording comes from, when meta `key` says otherwise than this program, else nothing: another build,
/// or an ODE that was compiled for another processor, may well compute other bits; that is worth knowing before anybody
/// looks for damage.
static void other_origin(Recording *recording, const char *key, const char *before, const char *here, char *text,
                         size_t size)
{
    const char *there = recording_meta(recording, key);
    text[0] = '\0';
    if (there != NULL && strcmp(there, here) != 0) {
        snprintf(text, size, "; it was recorded %s%.40s, this is %s%s", before, there,
                 strcmp(key, "build") == 0 ? "version " : "", here);
    }
}

static bool differs(Verification *self, int64_t tick, const char *field, Status *status)
{
    VerifyResult *result = self->result;
    result->first_difference = tick;
    if (field != result->field) {
        snprintf(result->field, sizeof result->field, "%s", field);
    }
    char build[160], computer[160], fate[RECORDING_FATE];
    other_origin(self->recording, "build", "by version ", SPADEWORK_VERSION, build, sizeof build);
    other_origin(self->recording, "computer", "on another kind of computer, ", SPADEWORK_COMPUTER, computer,
                 sizeof computer);
    bool there = recording_file_is_there(self->recording->path, &self->recording->file, fate);
    return status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: differs from the replay first at tick %" PRId64 " (%.3f s) in %s%s%s%s%s",
                       self->recording->path, tick, (double)tick / self->recording->tick_rate, result->field, build,
                       computer, there ? "" : "; ", fate);
}

/// A hash differs: what does, is seen at the next keyframe, because only keyframes hold the state itself.
static bool find_field(Verification *self, int64_t tick, Status *status)
{
    Recording *recording = self->recording;
    VerifyResult *result = self->result;
    int64_t at = tick;
    Status unused;
    while (!is_keyframe(self, at) && at < recording->last_tick &&
           recording_advance(recording, self->session, &unused)) {
        at++;
    }
    if (is_keyframe(self, at) && recording_load_keyframe(recording, self->next_keyframe, &unused)) {
        if (!state_first_difference(self->session, recording->state.data, recording->state.size, result->field,
                                    (int)sizeof result->field)) {
            return differs(self, tick, "state.hash", status);
        }
        return differs(self, tick, result->field, status);
    }
    // No keyframe to look into: when the replay is right again, only the stored hash was wrong.
    bool only_hash = at > tick && state_hash(self->session) == stored_hash(self, at);
    return differs(self, tick, only_hash ? "state.hash" : "state (no keyframe follows)", status);
}

/// Compares the replay with the keyframe of this tick, and starts the second session from it.
static bool compare_keyframe(Verification *self, int64_t tick, Status *status)
{
    Recording *recording = self->recording;
    VerifyResult *result = self->result;
    if (!recording_load_keyframe(recording, self->next_keyframe, status)) {
        return status->code == STATUS_LACKING ? false : differs(self, tick, "keyframe", status);
    }
    const StateBuffer *state = &recording->state;
    if (state_first_difference(self->session, state->data, state->size, result->field, (int)sizeof result->field)) {
        return differs(self, tick, result->field, status);
    }
    self->next_keyframe++;
    if (self->second == NULL) {
        return true;
    }
    Status reason;
    if (!state_restore(self->second, state->data, state->size, &reason)) {
        return differs(self, tick, "keyframe (cannot be restored)", status);
    }
    if (state_first_difference(self->second, state->data, state->size, result->field, (int)sizeof result->field)) {
        return differs(self, tick, result->field, status);
    }
    self->second_runs = true;
    result->keyframes++;
    return true;
}

/// A failure of the evidence: what differs, or what could not be read.
static bool tell_evidence(Verification *self, int64_t tick, Status *status)
{
    return self->result->field[0] != '\0' ? differs(self, tick, self->result->field, status) : false;
}

static bool compare_evidence(Verification *self, int64_t tick, Status *status)
{
    return self->evidence == NULL ||
           evidence_compare_tick(self->evidence, self->recording, self->session, self->result, status) ||
           tell_evidence(self, tick, status);
}

/// Compares both sessions at a tick.
static bool compare(Verification *self, int64_t tick, Status *status)
{
    uint64_t hash = state_hash(self->session);
    if (hash != stored_hash(self, tick)) {
        return find_field(self, tick, status);
    }
    if (self->second_runs && state_hash(self->second) != hash) {
        StateBuffer *state = &self->recording->state;
        self->recording->state_index = -1;
        if (!state_save(self->session, state, status)) {
            return false;
        }
        state_first_difference(self->second, state->data, state->size, self->result->field,
                               (int)sizeof self->result->field);
        return differs(self, tick, self->result->field, status);
    }
    return (!is_keyframe(self, tick) || compare_keyframe(self, tick, status)) && compare_evidence(self, tick, status);
}

/// True when what was put into a tick stands as it was recorded; else the name of what does not.
static bool inputs_are_whole(const Recording *recording, int64_t tick, const char **field)
{
    int count;
    const RecordedOrder *rows = recording_orders_of(recording, tick, &count);
    *field = "fault_order";
    for (int k = 0; k < count; k++) {
        if (!rows[k].whole) {
            return false;
        }
    }
    *field = "input.controls";
    return recording->controls_whole[tick - recording->first_tick];
}

static bool run(Verification *self, int64_t from, RecordingProgress *progress, void *context, Status *status)
{
    Recording *recording = self->recording;
    if (!compare(self, from, status)) {
        return false;
    }
    for (int64_t tick = from; tick < recording->last_tick; tick++) {
        const char *field;
        if (!signals_go_on(recording->path, status)) {
            return false;
        }
        if (!inputs_are_whole(recording, tick, &field)) {
            return differs(self, tick + 1, field, status);
        }
        if (!recording_advance(recording, self->session, status) ||
            (self->second_runs && !recording_advance(recording, self->second, status))) {
            return false;
        }
        self->result->ticks++;
        if (progress != NULL) {
            progress(context, tick + 1, recording->last_tick);
        }
        if (!compare(self, tick + 1, status)) {
            return false;
        }
    }
    return evidence_compare_results(recording, self->session, self->result, status) ||
           tell_evidence(self, recording->last_tick, status);
}

bool recording_verify(Recording *recording, int64_t from, bool keyframes, int threads, RecordingProgress *progress,
                      void *context, VerifyResult *result, Status *status)
{
    *result = (VerifyResult){.first_difference = -1};
    if (from < recording->first_tick || from > recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: tick %" PRId64 " is not recorded, allowed %" PRId64 "..%" PRId64, recording->path, from,
                           recording->first_tick, recording->last_tick);
    }
    // Where the replay differs, too, it tells more: the tick and the field.
    Status broken;
    bool sealed = recording_check_seals(recording, &result->seal, &broken) &&
                  recording_check_parent(recording, &result->parent, &broken);
    Evidence evidence = {0};
    Verification self = {.recording = recording, .result = result};
    self.session = recording_create_session(recording, threads, status);
    self.second = self.session != NULL && keyframes ? recording_create_session(recording, threads, status) : NULL;
    bool good = self.session != NULL && (self.second != NULL || !keyframes) &&
                (from == recording->first_tick || recording_seek(recording, self.session, from, status));
    if (good && from == recording->first_tick) {
        self.evidence = &evidence;
        good = evidence_open(&evidence, recording, self.session, status);
    }
    if (good) {
        self.next_keyframe = recording_keyframe_before(recording, from);
        self.next_keyframe += recording->keyframe_ticks[self.next_keyframe] < from;
        good = run(&self, from, progress, context, status);
    }
    evidence_close(&evidence);
    session_destroy(self.second);
    session_destroy(self.session);
    if (!sealed && (good || status->code == STATUS_BAD_FILE)) {
        *status = broken; // damage that somebody has done is told as that
    }
    return good && sealed;
}
