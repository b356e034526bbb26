/// A recording: an SQLite file (`.spade`) with everything needed to replay a session bit for bit.
///
/// Tables: meta(key, value); file(kind, name, text); input(tick, controls); fault_order(number, tick, fault, part,
/// value); state(tick, hash); keyframe(tick, zstd); event(tick, kind, form, detail, part_kind, part_index, part,
/// thing_kind, thing_index, thing, and EVENT_NUMBERS: x, y, z, speed, impulse, ...): names and numbers of
/// events.h; `detail` is what somebody typed, "" of all others; metric(name, unit, value); trace(tick, samples)
/// and ground(tick, rows, columns, spacing, origin_x, origin_y, zstd): see trace.h; picture(png): how it ended, where a
/// window drove it; seal(number, closed, disturbed, rows, hash, signature): see seal.h. Reading never modifies a file;
/// an open recording belongs to one thread. Recordings are written by recorder.h.
///
/// A tick's number is the count of ticks done: input row t leads from state row t to state row t + 1. A recording that
/// takes another over begins at its parent's tick, with a keyframe there. `controls` is CONTROL_COUNT int16,
/// little-endian; `input.hash` is XXH3 of tick and controls, `fault_order.hash` of the row; orders are given before the
/// tick's controls, and a recording without that table has none. `state.hash` of the state; `keyframe.zstd` is a saved
/// state (state_io.h), each three seconds: compressed whole when `base` is its own tick,
/// else with the keyframe of tick `base`, the one before, as zstd's prefix.
#ifndef SPADEWORK_TRAINER_RECORDING_H
#define SPADEWORK_TRAINER_RECORDING_H

#include "trainer/record/credit.h"
#include "trainer/record/seal.h"
#include "trainer/record/trace.h"
#include "trainer/sim/sim.h"

typedef struct Recording Recording; ///< an opened file, read-only

/// Opens and checks (format, completeness, types). NULL with `status` (STATUS_BAD_FILE) and one clear text for a file
/// that is absent, foreign, cut or damaged; the file is never changed.
Recording *recording_open(const char *path, Status *status);
/// Frees the recording and all it returned but sessions. NULL is nothing.
void recording_close(Recording *recording);
int recording_tick_rate(const Recording *recording); ///< Hz
int64_t recording_ticks(const Recording *recording); ///< tick it ends at (ticks recorded, when it begins at 0)
int64_t
recording_first_tick(const Recording *recording); ///< tick it begins at: 0, or the parent's when it took one over
/// Value of a meta key ("trainee", "seed", "build", "scene", "parent", ...) as it can be shown (visible_text.h), or
/// NULL. "computer" is the processor and the ODE that it was simulated with. Valid until the next call.
const char *recording_meta(Recording *recording, const char *key);
/// What its drive counts as.
void recording_credit(Recording *recording, Credit *credit);
/// Session as it was at the recording's first tick, made from the stored files alone; the caller destroys it, before or
/// after the recording is closed. `threads`: see SessionParams. NULL with `status` (STATUS_BAD_FILE, STATUS_LACKING).
Session *recording_create_session(Recording *recording, int threads, Status *status);
/// The same with the scene, and the file of its surface, of another set (copied) in place of the recorded ones, for
/// recordings that begin at tick 0: another exercise on the same site.
Session *recording_create_session_of(Recording *recording, const DataFiles *asked, int threads, Status *status);
const DataFiles *recording_files(const Recording *recording); ///< the texts it was made of; never NULL
/// Controls that lead from `tick` to the next; first_tick <= tick < ticks. False with `status` (STATUS_BAD_FILE) when
/// that row is not what was recorded.
bool recording_controls(Recording *recording, int64_t tick, OperatorControls *controls, Status *status);
/// Finds the orders that were given before a tick: NULL where there are none. Valid as long as the recording.
const RecordedOrder *recording_orders_of(const Recording *recording, int64_t tick, int *count);
/// Makes the tick that was recorded at the session's present one: gives its orders, then its controls. False with
/// `status` when there is no such tick, or an order cannot be given.
bool recording_advance(Recording *recording, Session *session, Status *status);
/// Recorded hash (state_io.h) of the state after `tick` ticks; first_tick <= tick <= ticks.
uint64_t recording_state_hash(const Recording *recording, int64_t tick);
/// Puts `session` to the state after `tick` ticks (first_tick..ticks): nearest keyframe at or before it, then
/// re-simulated.
bool recording_seek(Recording *recording, Session *session, int64_t tick, Status *status);

/// How far something has come, now and then, on the thread that does it.
typedef void RecordingProgress(void *context, int64_t done, int64_t all);
/// Restores each keyframe into `session` and simulates nothing. False with `status` at the first that is damaged, or
/// when a signal ends it.
/// progress  in keyframes; NULL: none
bool recording_check_keyframes(Recording *recording, Session *session, RecordingProgress *progress, void *context,
                               Status *status);
/// Checks every seal and every signature against the rows of the file: hashes alone, nothing is replayed. True also
/// when it is changed, which seal->state says. False with `status` when it cannot be read, or a signal ends it.
/// progress  in seals; NULL: none
bool recording_prove(Recording *recording, RecordingProgress *progress, void *context, RecordingSeal *seal,
                     Status *status);
/// The same, and false with STATUS_NOT_VERIFIED, too, at the first seal that does not fit: rows were changed, added or
/// taken away.
bool recording_check_seals(Recording *recording, RecordingSeal *seal, Status *status);
/// Says what is wrong with a changed one: "PATH: is not what was recorded: ..." with STATUS_NOT_VERIFIED. Always false.
bool recording_tell_change(const Recording *recording, const RecordingSeal *seal, Status *status);
/// The last seal's hash as it stands in the file, unchecked; "" where there is none.
void recording_last_seal(Recording *recording, char hash[SEAL_TEXT]);

/// What is known of the recording that another one took over.
typedef enum ParentState {
    PARENT_NONE, ///< it took none over
    PARENT_MISSING, ///< nothing of that name lies beside it: it begins with a state that nobody has proven
    PARENT_UNSEALED, ///< it is there, but has no seal that the branch could name (an older format)
    PARENT_FITS, ///< its seals hold, the branch names one of them, and begins with its state
} ParentState;
typedef struct RecordingParent {
    ParentState state;
    int64_t tick; ///< of the parent at which it was taken over
    char name[DATA_PATH_LENGTH]; ///< file's name, without a folder; ""
} RecordingParent;
/// Looks for the parent in the folder of the recording, and nowhere else: a stranger's file names no other place. False
/// with STATUS_NOT_VERIFIED when another recording bears its name, with the reason.
bool recording_check_parent(Recording *recording, RecordingParent *parent, Status *status);

typedef struct VerifyResult {
    int64_t ticks; ///< compared
    int events, metrics, samples, grounds; ///< that follow from the replay, compared; of a replay from the first tick
    RecordingSeal seal;
    RecordingParent parent;
    int64_t first_difference; ///< tick whose state differs; -1 = none
    /// First differing field, as found at the next keyframe ("machine.boom.position[2]"); "input.controls" when that
    /// row is not what was recorded, "fault_order" when one of the orders is not, "state.hash" when only the stored
    /// hash is wrong, "keyframe" when the keyframe cannot be read, "event 3", "metric score", "trace" or "ground" when
    /// that is not what the replay gives.
    char field[96];
    int keyframes; ///< restored and continued from
} VerifyResult;
/// Checks the seals, and those of the recording that it took over where that lies beside it; replays from tick `from`
/// (first_tick..ticks) and compares every hash and every keyframe; a replay from the first tick compares the samples
/// and the maps of the ground too. At the end it compares events and metrics, which are thus proven by the replay and
/// not believed. With `keyframes`, it restores each keyframe into a second session too and runs it to the next.
/// `progress` may be NULL. False with STATUS_NOT_VERIFIED at the first difference (then `result` tells it), or with
/// another status when the recording cannot be replayed.
bool recording_verify(Recording *recording, int64_t from, bool keyframes, int threads, RecordingProgress *progress,
                      void *context, VerifyResult *result, Status *status);

/// Tables, in order of tick and of writing; at most `capacity`. Returns how many were read.
int recording_events(Recording *recording, ExerciseEvent *events, int capacity);
int recording_metrics(Recording *recording, ExerciseMetric *metrics, int capacity);

/// Reads all samples (trace.h), in order of tick, into an array that the caller frees. Returns how many; -1 with
/// `status` (STATUS_BAD_FILE: they are damaged; STATUS_LACKING).
int64_t recording_trace(Recording *recording, TraceSample **samples, Status *status);
/// Reads the last map of the ground at or before `tick`, or the first one where there is none so early. The caller
/// frees ground->height. False with `status` (STATUS_BAD_FILE, STATUS_LACKING).
bool recording_ground(Recording *recording, int64_t tick, TraceGround *ground, Status *status);

/// ---- where a session begins ----------------------------------------------------------------------------------------
/// At the first tick of a scene, or at a moment of a recording that it takes over.

typedef struct SessionOrigin {
    char parent[DATA_PATH_LENGTH]; ///< path of the recording that is taken over; "" = none
    double at; ///< s of it, rounded to a tick
    char seal[SEAL_TEXT]; ///< its last seal, once its session was made; ""
    char changed[CREDIT_CHANGED]; ///< in its scene, as its recording says, or by the session's params, the same
} SessionOrigin;

/// parent  NULL: the first tick of the options' scene
/// at      s of the parent
SessionOrigin session_origin(const char *parent, double at);
/// NULL: no recording is taken over.
const char *session_origin_parent(const SessionOrigin *origin);
/// Finds the recording that holds the moment `at` (s): the one named, or, where that begins later, the one in its
/// folder that it took over, and so on. False with `status` (STATUS_BAD_USAGE: none holds it; STATUS_BAD_FILE).
bool session_origin_find(const char *recording, double at, SessionOrigin *origin, Status *status);
/// Makes the session, which the caller destroys, and notes the parent's seal. Of `params` only `threads` counts where a
/// recording is taken over. NULL with `status`: STATUS_BAD_USAGE when
/// the recording does not hold the moment, else as recording_open, recording_create_session or session_create.
Session *session_origin_make(SessionOrigin *origin, const SessionParams *params, Status *status);

#endif
