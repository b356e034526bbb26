/// What becomes of a drive: the recording that a person's drive in the window gets without asking, and the attempt that
/// is added to the results at its end. The session's thread alone.
#ifndef SPADEWORK_TRAINER_DRIVE_RESULTS_H
#define SPADEWORK_TRAINER_DRIVE_RESULTS_H

#include "trainer/pilot/run_options.h"
#include "trainer/results/results.h"

enum { DRIVE_CLEARED_TOLD = 1024 };

/// What is kept of a drive.
typedef struct DriveResults {
    bool stores; ///< an attempt is added at its end
    bool asked; ///< by --results, --keep, or by --trainee of no person: the drive fails when it cannot be added
    bool insists; ///< by --keep: the drive fails when it cannot be recorded
    bool names_recording; ///< the recording goes into the user's folder under a name of the program's own
    char started[RESULT_TIME]; ///< UTC
    char attempt[RESULT_UUID]; ///< that the attempt and its recording bear
    char waits[DATA_PATH_LENGTH]; ///< file in which the attempt waits for results that could not be had; "" = none
    char cleared[DRIVE_CLEARED_TOLD]; ///< which recordings the clean-up has deleted at the drive's end; "" = none
    bool told; ///< stderr has said that shared results wait here; it is said once
    int waiting; ///< shared results that wait here for their server, when the drive has ended
} DriveResults;

/// A drive at its end; its recording is closed.
typedef struct DriveDone {
    const RunOptions *options;
    const Session *session;
    int64_t first_tick;
    const char *operator_name;
    Credit credit;
    const char *record; ///< path; "" = not recorded
    const char *parent; ///< path, or NULL
} DriveDone;

/// Decides whether a drive is recorded unasked and stored, and sends shared results that wait. `kept` is
/// zero-initialised before the first drive, and keeps over the next ones whether it was told that the server is away.
/// False with `status` when the trainee's or the course's name, or results that were asked for are not to be had.
/// person      one drives in the window
/// takes_over  a recording, which then names the next one
bool drive_results_begin(DriveResults *kept, const RunOptions *options, bool person, bool takes_over, Status *status);
/// Names the recording of a drive that goes into the user's folder. Where that cannot be, a drive that insists fails
/// (false with `status`); else one line on stderr says so, and the drive goes on unrecorded.
bool drive_results_name(const DriveResults *kept, const Session *session, char record[DATA_PATH_LENGTH],
                        Status *status);
/// Adds the attempt, when there was a tick, sends shared results, and cleans the folder of recordings up. A server that
/// is away costs RESULTS_PATIENCE_SERVER seconds at most and no result. Results that somebody holds, that have no room
/// or may not be written to (STATUS_LACKING) are no failure: the attempt waits in a file (results_set_aside), which
/// stderr tells, and `lost` says why. False with `status` when an attempt that was asked for is not among the results
/// for another reason, though it waits, or could not even be set aside; one that was not asked for is reported on
/// stderr.
bool drive_results_end(DriveResults *kept, const DriveDone *done, Status *lost, Status *status);

#endif
