/// Records a session: recorder_create, recorder_tick after each tick, recorder_close, all from the session's thread.
///
/// Disk work happens on a thread of the recorder. Committed each half of a simulated second: after a kill the file
/// opens and lacks at most that. While the disk is full, or another program reads or has locked the file, what is
/// driven waits in memory, up to eight simulated hours of it. The tables are described in recording.h.
#ifndef SPADEWORK_TRAINER_RECORDER_H
#define SPADEWORK_TRAINER_RECORDER_H

#include "trainer/record/credit.h"
#include "trainer/record/recording_file.h"
#include "trainer/record/seal.h"
#include "trainer/sim/sim.h"

typedef struct Recorder Recorder;

/// Read by recorder_create; belongs to the caller.
typedef struct RecorderParams {
    const char *path; ///< file to make
    const char *trainee; ///< or NULL
    const char *operator_name; ///< "auto", "gamepad", "person", a script's path; NULL: ""
    CreditDriver driver; ///< who moves the levers
    double clumsy; ///< 0..1, as Credit.clumsy
    const char *attempt; ///< UUID of the attempt that the results get, or NULL
    const char *course; ///< that it is driven in, or NULL
    const char *changed; ///< as credit_list_changes; "" or NULL: nothing
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

#endif
