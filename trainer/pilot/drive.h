/// A drive is one session being driven: session, operator, recording and telemetry, and the loop that joins them. The
/// loop is the same with and without a window; its host paces, shows and ends it.
///
/// Everything is called on one thread, the session's. Disk work of the recording happens on the recorder's own.
#ifndef SPADEWORK_TRAINER_DRIVE_H
#define SPADEWORK_TRAINER_DRIVE_H

#include "trainer/pilot/operator.h"
#include "trainer/pilot/run_options.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"
#include "trainer/sim/sim.h"

/// ---- results -------------------------------------------------------------------------------------------------------

enum { DRIVE_CLEARED_TOLD = 1024 };

/// What is kept of a drive.
typedef struct DriveResults {
    bool stores; ///< an attempt is added at its end
    bool asked; ///< by --results, --keep, or by --trainee of no person: the drive fails when it cannot be added
    bool insists; ///< by --keep: the drive fails when it cannot be recorded
    bool names_recording; ///< the recording goes into the user's folder under a name of the program's own
    char course[COURSE_NAME_LENGTH]; ///< plain name of the course that is driven in; "" = none
    char started[RESULT_TIME]; ///< UTC
    char attempt[RESULT_UUID]; ///< that the attempt and its recording bear
    char waits[DATA_PATH_LENGTH]; ///< file in which the attempt waits for results that could not be had; "" = none
    char cleared[DRIVE_CLEARED_TOLD]; ///< which recordings the clean-up has deleted at the drive's end; "" = none
    bool told; ///< stderr has said that shared results wait here; it is said once
    int waiting; ///< shared results that wait here for their server, when the drive has ended
} DriveResults;

/// ---- orders that wait ----------------------------------------------------------------------------------------------

/// Places of a ring in which orders wait, the oldest first. The orders lie in an array of `most`, which belongs to the
/// ring's owner, as its lock does.
typedef struct OrderRing {
    int most; ///< 1 or more
    int first, count;
} OrderRing;
int order_ring_put(OrderRing *ring); ///< place of another order; -1: it is full
int order_ring_take(OrderRing *ring); ///< place of the oldest, which leaves the ring; -1: it is empty

/// ---- drive ---------------------------------------------------------------------------------------------------------

struct Drive;
struct DriveRound;

/// A guide (console, classroom) may hold a drive, end it or begin it again, with a window or without.
typedef struct DriveGuide {
    void *context; ///< belongs to the guide
    /// After the host's `before`: may set the round's `holds` and `leaves`, and call drive_restart and drive_tell.
    bool (*before)(void *context, struct Drive *drive, struct DriveRound *round, Status *status);
    /// After each round, before the host's `after`; `last`: the drive is over.
    void (*after)(void *context, struct Drive *drive, bool last);
    /// While a page follows the drive, which is closed and not yet destroyed, some ten times a second or more. True:
    /// the page is to be left at once. NULL: never.
    bool (*follows)(void *context, const struct Drive *drive);
    /// True when the host should pass a picture of what the operator sees. NULL: never.
    bool (*wants_picture)(void *context);
    /// Takes it, a PNG file of `size` bytes that is valid during the call; on any thread. There where the other is.
    void (*take_picture)(void *context, const unsigned char *png, size_t size);
} DriveGuide;

enum { DRIVE_TOLD = 160 }; ///< bytes of a text for the driver, with its NUL

/// Where a drive begins (the scene of the options or a moment of a recording), its devices and its guide. The strings
/// outlive it.
typedef struct DriveParams {
    const RunOptions *options;
    const char *parent; ///< path of the recording that is taken over, NULL: none
    double at; ///< s of it, rounded to a tick
    InputDevices *devices; ///< the window's, borrowed; NULL: there is no window
    bool briefs; ///< a page tells a person about the exercise before it starts
    bool from_menu; ///< leaving goes back to the menu
    /// Called after each tick, for tests and benchmarks; NULL: nothing is.
    void (*watch)(void *watcher, Session *session);
    void *watcher; ///< passed to `watch`
    const DriveGuide *guide; ///< NULL: nobody stands beside it
} DriveParams;

/// Read freely; written by the functions below alone.
typedef struct Drive {
    DriveParams params;
    SessionOrigin origin; ///< where the present session begins
    Session *session;
    Operator driver;
    Recorder *recorder; ///< NULL: nothing is recorded, or no longer
    Telemetry *telemetry; ///< the same
    OrderScript *order_script; ///< of --orders, or NULL
    OrderRing waiting; ///< of `orders`
    SessionOrder orders[SESSION_ORDERS_A_TICK]; ///< to be given before the next tick
    MotionStream *motion; ///< NULL: motion is sent nowhere
    char record[DATA_PATH_LENGTH]; ///< file that is recorded, or was as far as it could be; "" = none
    int64_t first_tick, end_tick; ///< the session's tick at the start; the one that ends the drive, INT64_MAX: none
    bool until_finished; ///< the exercise's end is an end too
    double behind; ///< s of the wall clock not yet simulated
    double worked; ///< s of work since the simulation has been behind by a tick or more; 0: it is with the clock
    double real_time; ///< simulated s per wall s, over METER_TIME s; 1 in a drive that is not paced
    double metered; ///< s of the wall clock since that measure began
    int metered_ticks; ///< since then
    bool slow; ///< in a slow-down that is already in the recording
    int64_t mass_first; ///< quanta of soil at the start
    bool mass_constant; ///< at every tick since
    bool measured; ///< telemetry was begun
    DriveResults results;
    bool asks; ///< a person is asked about `record_failure`; no tick is made until then
    RecorderHold held_up; ///< what holds the recording up, once reported
    bool disturbed; ///< another program wrote into the recording, once reported
    double
        closing; ///< s of drive_clock at which closing the recording began to wait for another program; 0: it did not
    bool held; ///< time stood still in the last round
    bool dismissed; ///< the guide has ended it: nobody is asked anything any more
    int restarts; ///< how often it was begun again, or went back
    int told_count; ///< how often drive_tell was called
    char told[DRIVE_TOLD]; ///< what it said last
    Status record_failure, telemetry_failure; ///< why writing was given up; STATUS_GOOD: it was not
    Status results_failure; ///< why the drive, closed now, is not among the results; STATUS_GOOD: nothing failed
} Drive;

typedef enum DriveFile { DRIVE_RECORDING, DRIVE_TELEMETRY } DriveFile;

/// What the host lets the drive do in one round.
typedef struct DriveRound {
    bool leaves; ///< no further tick; `after` is called once more
    bool holds; ///< time stands still (a menu is open)
    bool paced; ///< by the wall clock, which asks for a tick or none; else one tick, as soon as may be
    double elapsed; ///< s of the wall clock since the last round
    double budget; ///< paced: s of work for catching up, over rounds; what is left over then is dropped, never skipped
    const InputSample *sample; ///< the window's devices; NULL: the operator polls its own
    OperatorPresses presses; ///< of the window
} DriveRound;

/// Pacing, showing and ending. False of a function ends the loop as failed with its `status`. All are needed.
typedef struct DriveHost {
    void *context;
    /// Fills the next round. It may call drive_restart, drive_record_no_more and drive_forget_time.
    bool (*before)(void *context, Drive *drive, DriveRound *round, Status *status);
    /// After each tick, its recording and its telemetry.
    void (*after_tick)(void *context, Drive *drive);
    /// After each round; `last`: the drive is over.
    bool (*after)(void *context, Drive *drive, bool last, Status *status);
    /// A file can no longer be written, `record_failure` or `telemetry_failure` says why. True: a person is there to
    /// answer. The drive then waits for what becomes of a recording (`asks`), and goes on without telemetry. False: the
    /// drive fails. Not called with --keep-going, which gives the file up.
    bool (*answers)(void *context, Drive *drive, DriveFile file);
} DriveHost;

/// Makes session, operator, recorder and telemetry. False with `status` and nothing left behind, on the disk neither:
/// exit codes are those of what failed; STATUS_BAD_USAGE when a recording does not hold `at`, or a script ends before
/// it.
///
/// The drive ends after --seconds; without them with the script; without both, and unless a person drives at a window,
/// with the exercise or its time limit. A recording that is taken over is recorded beside it when --record names no
/// file.
bool drive_create(Drive *drive, const DriveParams *params, Status *status);
/// Closes recording and telemetry; `good`: nothing failed before, else `status` is left as it is. False when something
/// failed before, some of the files was lost (STATUS_LACKING), or soil was lost or made (STATUS_NOT_VERIFIED).
bool drive_close(Drive *drive, bool good, Status *status);
/// Frees everything; call it after drive_close, or after a drive_create that failed.
void drive_destroy(Drive *drive);

/// Drives until the end, the host's leaving, or a failure (false with `status`). Each round: the host's `before`, the
/// operator's look, at most one tick, the host's `after`.
bool drive_run(Drive *drive, const DriveHost *host, Status *status);

/// Gives the guide a round in which time stands still, while the host shows a page of its own between two rounds of
/// drive_run. True with `dismissed` or another count of `restarts`: the host is to come back at once. False with
/// `status`: the drive has failed.
bool drive_stand(Drive *drive, Status *status);

/// Orders something of the session: it is given, and recorded, before the next tick; without one it never is. False
/// with `status` (STATUS_BAD_USAGE) and no change when the scene or its machine lacks what is named, the value is out
/// of its range, or SESSION_ORDERS_A_TICK wait already.
bool drive_order(Drive *drive, const SessionOrder *order, Status *status);

/// From the beginning again, with a recording of its own beside the first one and the telemetry begun anew. False with
/// `status`.
bool drive_restart(Drive *drive, Status *status);
typedef enum DriveReturn {
    DRIVE_WENT_BACK,
    DRIVE_REFUSED, ///< `status` says why; nothing has changed
    DRIVE_FAILED, ///< `status` says why; the drive cannot go on
} DriveReturn;
/// Goes back to a moment, `at` s, and drives on from there; what was driven since stays in its recording, which is
/// closed, and another one that takes it over is begun beside it. Refused where nothing is recorded, or no recording
/// holds that moment.
/// recording  of this drive or an earlier one; NULL: the present one. Where that begins later than `at`, the one that
///            it took over
DriveReturn drive_return(Drive *drive, const char *recording, double at, Status *status);
/// Gives a recording up that failed, and drives on without; one line on stderr.
void drive_record_no_more(Drive *drive);
/// Shows a text to the driver: the host compares `told_count`. Cut to DRIVE_TOLD.
void drive_tell(Drive *drive, const char *text);
/// Puts an event of the program (EVENT_OF_PROGRAM) into the recording, where there is one. One that can no longer be
/// written tells so at the next tick.
void drive_note(Drive *drive, const ExerciseEvent *event);
/// After a pause: no time has passed.
void drive_forget_time(Drive *drive);
/// Share of a tick that has passed on the wall clock, 0..1, for drawing between ticks.
double drive_blend(const Drive *drive);

/// True while another tick is due at once: other work waits until that is made. Never true
/// after a round in which time stood still.
bool drive_catches_up(const Drive *drive);
/// True when the next round need not come at once: no tick is due yet, or time stands still.
bool drive_waits_for_clock(const Drive *drive);

/// What the present attempt counts as.
Credit drive_credit(const Drive *drive);

/// s of the wall clock, which never goes back; its zero is arbitrary. Any thread.
double drive_clock(void);

#endif
