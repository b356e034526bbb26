/// A recording: an SQLite file (`.spade`) with everything needed to replay a session bit for bit.
///
/// Tables: meta(key, value); file(kind, name, text); input(tick, controls); fault_order(number, tick, fault, part,
/// value); state(tick, hash); keyframe(tick, zstd);
/// event(tick, kind, form, detail, part_kind, part_index, part, thing_kind, thing_index, thing, and EVENT_NUMBERS: x,
/// y, z, speed, impulse, ...): names and numbers of event_kinds.h; `detail` is what somebody typed, "" of all others;
/// metric(name, unit, value); trace(tick, samples) and ground(tick, rows, columns, spacing, origin_x, origin_y, zstd):
/// see trace.h; picture(png): how it ended, where a window drove it; seal(number, closed, disturbed, rows, hash,
/// signature): see seal.h. Committed each half of a simulated second: after a kill the file opens and lacks at most
/// that. While the disk is full, or another program reads or has locked the file, what is driven waits in memory, up to
/// eight simulated hours of it. Reading never modifies a file.
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
#include "trainer/record/trace.h"
#include "trainer/sim/sim.h"
#include "trainer/record/station.h"

// ---- writing: recorder_create, recorder_tick after each tick, recorder_close; all from the session's thread
// -----------

enum { SEAL_TEXT = 65 }; ///< bytes of a seal's hash as text

typedef struct Recorder Recorder;

/// What holds writing up and may go away by itself.
typedef enum RecorderHold {
    RECORDER_WRITES, ///< nothing
    RECORDER_LOCKED, ///< another program reads the file or has locked it
    RECORDER_FULL, ///< the disk is full
} RecorderHold;

/// How recorder_close waits for another program that keeps the file.
typedef struct RecorderWait {
    /// Asked several times a second, on the thread that closes, once a quarter of a second has passed. True: it waits
    /// on. NULL: it waits as long as for a full disk.
    bool (*goes_on)(void *context, const Status *reason);
    void *context;
} RecorderWait;

/// Read by recorder_create; belongs to the caller.
typedef struct RecorderParams {
    const char *path; ///< file to make
    const char *trainee; ///< or NULL
    const char *operator_name; ///< "auto", "gamepad", "person", a script's path; NULL: ""
    CreditDriver driver; ///< who moves the levers
    double clumsy; ///< 0..1, as Credit.clumsy
    const char *attempt; ///< UUID of the attempt that the results get, or NULL
    const char *course; ///< that it is driven in, or NULL
    const char *parent; ///< recording this one continues, or NULL
    int64_t parent_tick; ///< tick of it at which the session stands; not read without a parent
    const char *parent_seal; ///< its last seal (RecordingSeal.hash), NULL: none; not read without a parent
    const Station *station; ///< signs; NULL, or one without a name: nobody does
    double patience; ///< s that closing waits for a full disk; 0: ten
    RecorderWait waits; ///< for another program, when it is closed
} RecorderParams;

/// Creates the file (refuses a path that exists) and stores files, meta and the first keyframe. NULL with `status`
/// (STATUS_LACKING) when it cannot be written; nothing is left behind then.
Recorder *recorder_create(const RecorderParams *params, Session *session, Status *status);
/// Called after each session_tick. Disk work happens on the recorder's own thread. False once writing failed for good
/// (a full disk or a lock that lasts for eight simulated hours): the text says so; the file up to the last commit stays
/// valid; later calls do nothing and return false. Waits when the disk is more than half a simulated second behind.
bool recorder_tick(Recorder *recorder, Session *session, Status *status);
/// Records an order that the session took (session_order) and that acts from the next tick on; session_tick and
/// recorder_tick follow. False with `status`: STATUS_BAD_USAGE, more than SESSION_ORDERS_A_TICK before one tick, else
/// once writing failed.
bool recorder_order(Recorder *recorder, const SessionOrder *order, Status *status);
/// Adds an event that is not the exercise's, of a kind of EVENT_OF_PROGRAM, at the session's present tick, whatever its
/// own is. False once writing failed.
bool recorder_event(Recorder *recorder, const ExerciseEvent *event, Status *status);
/// What held writing up at the last tick; `reason` then says it. What is driven waits in memory.
RecorderHold recorder_is_held_up(Recorder *recorder, Status *reason);
/// True once another program has written into the recording's file: it will not be taken for what was recorded.
bool recorder_is_disturbed(const Recorder *recorder);
/// Gives the recording a picture of how it ended, a PNG of `size` bytes from malloc that the recorder takes over; it is
/// written when the recorder is closed. NULL: none.
void recorder_keep_picture(Recorder *recorder, unsigned char *png, size_t size);
/// Writes metrics and the rest, waits for the disk, closes and frees the recorder, whatever it returns. False with
/// `status` (STATUS_LACKING) when something was lost, also when a call before has told so.
bool recorder_close(Recorder *recorder, Session *session, Status *status);

// ---- reading: an open recording belongs to one thread

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
/// Makes the tick that was recorded at the session's present one: gives its orders, then its controls. False with
/// `status` when there is no such tick, or an order cannot be given.
bool recording_advance(Recording *recording, Session *session, Status *status);
/// Recorded hash (state_io.h) of the state after `tick` ticks; first_tick <= tick <= ticks.
uint64_t recording_state_hash(const Recording *recording, int64_t tick);
/// Puts `session` to the state after `tick` ticks (first_tick..ticks): nearest keyframe at or before it, then
/// re-simulated.
bool recording_seek(Recording *recording, Session *session, int64_t tick, Status *status);

/// What the seals of a recording say of it.
typedef enum RecordingState {
    RECORDING_UNCHECKED, ///< nobody has looked yet
    RECORDING_WHOLE, ///< it holds what was recorded, and its session ended in good order
    RECORDING_CUT_SHORT, ///< it holds what was recorded up to where it ends: the recorder was killed, or the file cut
    RECORDING_LIVE, ///< it held what was recorded when it was opened: the recorder is at work
    RECORDING_CHANGED, ///< it holds something else than what was recorded
} RecordingState;
typedef struct RecordingSeal {
    RecordingState state;
    int64_t count; ///< seals that fit
    bool closed; ///< the last one closes the recording: its session ended in good order
    char hash[SEAL_TEXT]; ///< the last one, 64 hexadecimal digits; "" of a changed one
    char station[STATION_NAME]; ///< who signed, as it calls itself; "" = nobody
    char key[STATION_HEX]; ///< public key that every seal was signed with; ""
    char trusted[STATION_NAME]; ///< name by which this computer trusts that key; "" = it does not
    const char *change; ///< of a changed one: what does not fit, English for language_text; a %s stands for the table
    const char *table; ///< of the change; ""
    int64_t at; ///< number of the seal that does not fit
} RecordingSeal;
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
/// Looks up whether this computer trusts the key: sets `trusted`.
void recording_seal_look_up(RecordingSeal *seal);
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
/// Path of the parent's file where it lies in the folder of the recording, as it was named; false when it has none, or
/// the path is too long.
bool recording_parent_path(Recording *recording, char path[DATA_PATH_LENGTH]);
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

#endif
