/// The one loop in which a session is driven. Its rules hold with and without a window: when a drive ends, what is
/// recorded under which name, what a file that can no longer be written does to it, and that a computer that falls
/// behind slows the simulation (with an event in the recording) and never skips physics.
#include "trainer/pilot/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/core/signals.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "trainer/record/record.h"
#include "trainer/results/results.h"

#define LONGEST_ROUND   0.5 ///< s: a round that hung longer (computer asleep) asks for the ticks of this. Chosen
#define METER_TIME      0.8 ///< s over which the shown speed is measured. Chosen
#define SLOW            0.9 ///< share of real time below which an event tells of a slow-down. Chosen
#define WINDOW_PATIENCE 60.0 ///< s that a window waits for another program when a recording is closed. Chosen
#define SLOW_OVER       0.98 ///< share above which it is over. Chosen

double drive_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Credit drive_credit(const Drive *drive)
{
    Credit credit = {.driver = drive->driver.driver, .clumsy = drive->driver.hands.share};
    credit_begin_in(&credit, session_origin_parent(&drive->origin),
                    (double)drive->first_tick * session_dt(drive->session));
    return credit;
}

/// ---- results -------------------------------------------------------------------------------------------------------

/// A person's drive in the window is kept without being asked for; any other drive only where --keep, a trainee or a
/// file of results asks for it. What is kept unasked never ends or fails a drive.

/// A drive at its end; its recording is closed.
typedef struct DriveDone {
    const RunOptions *options;
    const Session *session;
    int64_t first_tick;
    const char *operator_name;
    Credit credit;
    const char *record; ///< path; "" = not recorded
    const char *parent; ///< path, or NULL
    const char *changed; ///< as credit_list_changes
} DriveDone;

/// A course, a name or a path, must be there: what is driven in no course opens nothing. Writes its plain name, "" for
/// NULL.
static bool name_course(const char *course, char name[COURSE_NAME_LENGTH], Status *status)
{
    CourseParams params;
    name[0] = '\0';
    if (course == NULL) {
        return true;
    }
    if (strchr(course, '/') == NULL && !results_check_name("--course", course, status)) {
        return false;
    }
    if (!data_load_course(course, &params, status)) {
        Status reason = *status;
        return status_fail(status, reason.code, "--course %s", reason.text);
    }
    memcpy(name, params.name, COURSE_NAME_LENGTH);
    return true;
}

/// Exchanges shared results with their server; where it is away, that is said once.
static void exchange_results(DriveResults *kept, Results *results)
{
    Status unused;
    char told[RESULTS_TOLD];
    results_refresh(results, &unused);
    kept->waiting = results_waiting(results);
    if (results_shared_told(results, told) && !kept->told) {
        fprintf(stderr, "spadework: %s; what is driven is kept here and sent later\n", told);
        kept->told = true;
    }
}

/// Decides whether a drive is recorded unasked and stored, and sends shared results that wait. `kept` is
/// zero-initialised before the first drive, and keeps over the next ones whether it was told that the server is away.
/// False with `status` when the trainee's or the course's name, or results that were asked for are not to be had.
/// person      one drives in the window
/// takes_over  a recording, which then names the next one
static bool decide_results(DriveResults *kept, const RunOptions *options, bool person, bool takes_over, Status *status)
{
    bool keeps = options->keep || ((person || options->stationed) && !options->no_record);
    bool asked = options->keep || options->results != NULL || (options->trainee != NULL && !keeps);
    *kept = (DriveResults){.stores = asked || keeps,
                           .asked = asked,
                           .insists = options->keep,
                           .names_recording = keeps && options->record == NULL && !takes_over,
                           .told = kept->told};
    results_now(kept->started);
    results_new_uuid(kept->attempt);
    if ((options->trainee != NULL && !results_check_name("--trainee", options->trainee, status)) ||
        !name_course(options->course, kept->course, status)) {
        return false;
    }
    if (!kept->asked) {
        return true;
    }
    Results *results = results_open(options->results, RESULTS_WRITE, status);
    if (results != NULL) {
        exchange_results(kept, results);
    }
    results_close(results);
    return results != NULL;
}

/// Names the recording of a drive that goes into the user's folder. Where that cannot be, a drive that insists fails
/// (false with `status`); else one line on stderr says so, and the drive goes on unrecorded.
static bool name_kept_recording(const DriveResults *kept, const Session *session, char record[DATA_PATH_LENGTH],
                                Status *status)
{
    Status reason;
    SettingsParams settings;
    if (results_settings(&settings, &reason) && results_new_recording(session_scene(session)->name, record, &reason)) {
        return true;
    }
    record[0] = '\0';
    if (kept->insists) {
        *status = reason;
        return false;
    }
    fprintf(stderr, "spadework: %s; driving unrecorded\n", reason.text);
    return true;
}

/// An absolute path: results are read from other folders.
static void copy_absolute(const char *path, char absolute[DATA_PATH_LENGTH])
{
    char *real = path[0] != '\0' ? realpath(path, NULL) : NULL;
    snprintf(absolute, DATA_PATH_LENGTH, "%s", real != NULL ? real : path);
    free(real);
}

/// The same of a recording that was begun in, with its own name as it was given: the recording names it so.
static void copy_parent(const char *path, char absolute[DATA_PATH_LENGTH])
{
    char folder[DATA_PATH_LENGTH];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1, slash != NULL ? path : ".");
    char *real = path[0] != '\0' ? realpath(folder, NULL) : NULL;
    bool fits = real != NULL && snprintf(absolute, DATA_PATH_LENGTH, "%s%s%s", real, real[1] != '\0' ? "/" : "", name) <
                                    DATA_PATH_LENGTH;
    if (!fits) {
        snprintf(absolute, DATA_PATH_LENGTH, "%s", path);
    }
    free(real);
}

static void fill_attempt(const DriveResults *kept, const DriveDone *done, ResultAttempt *attempt)
{
    results_fill(attempt, done->session, &done->credit, done->options->trainee);
    memcpy(attempt->uuid, kept->attempt, sizeof attempt->uuid);
    snprintf(attempt->course, sizeof attempt->course, "%s", kept->course);
    snprintf(attempt->changed, sizeof attempt->changed, "%s", done->changed);
    memcpy(attempt->started, kept->started, sizeof attempt->started);
    attempt->duration = (double)(session_frame(done->session)->tick - done->first_tick) * session_dt(done->session);
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "%s", done->operator_name);
    visible_text_mask(attempt->operator_name, false); // the path of a script may hold anything
    results_station(attempt->station);
    copy_absolute(done->record, attempt->recording);
    if (!results_hash_file(attempt->recording, attempt->recording_hash)) {
        attempt->recording[0] = '\0';
    }
    recording_glance_seal(attempt->recording, attempt->recording_seal);
    copy_parent(done->parent != NULL ? done->parent : "", attempt->parent);
}

/// ---- the clean-up --------------------------------------------------------------------------------------------------

typedef struct CleanUp {
    Results *results;
    DriveResults *kept;
    bool best; ///< each trainee's best run goes last
    bool any; ///< experts', passed and marked ones may go, too
    int count;
} CleanUp;

static ResultsKeep kept_for(void *context, const ResultRecording *entry)
{
    const CleanUp *self = context;
    char absolute[DATA_PATH_LENGTH];
    copy_absolute(entry->path, absolute);
    return !self->any && results_is_protected(self->results, entry, absolute) ? RESULTS_KEEP_ALWAYS
           : self->best && results_is_best(self->results, absolute)           ? RESULTS_KEEP_LONGEST
                                                                              : RESULTS_KEEP_NOT;
}

/// Names it on stderr, for the page after the drive and in the results.
static void report_cleared(void *context, const ResultRecording *entry)
{
    CleanUp *self = context;
    char absolute[DATA_PATH_LENGTH];
    Status status;
    size_t length = strlen(self->kept->cleared);
    snprintf(self->kept->cleared + length, DRIVE_CLEARED_TOLD - length, "%s%s", length > 0 ? ", " : "",
             file_name_of(entry->path));
    fprintf(stderr, "spadework: the clean-up deleted %s (%s%s%.10s)\n", visible_text_shown(entry->path).text,
            entry->glance.trainee, entry->glance.trainee[0] != '\0' ? ", " : "", entry->glance.created);
    copy_absolute(entry->path, absolute); // the file is gone: the folder is resolved
    if (!results_note_cleared(self->results, entry->path, absolute, &status)) {
        fprintf(stderr, "spadework: %s; the results still name it\n", status.text);
    }
    self->count++;
}

/// Makes room in the folder of recordings, by the user's settings.
static void clean_recordings(Results *results, DriveResults *kept, const char *newest)
{
    Status status;
    SettingsParams settings;
    if (!results_settings(&settings, &status)) {
        return; // told when the drive began
    }
    CleanUp self = {.results = results,
                    .kept = kept,
                    .best = settings.recordings.keep == SETTINGS_KEEP_BEST,
                    .any = settings.recordings.clear == SETTINGS_CLEAR_ANY};
    double left = 0.0, limit = settings.recordings.limit;
    ResultsCleaning cleaning = {
        .limit = limit, .newest = newest, .keeps = kept_for, .cleared = report_cleared, .context = &self};
    if (results_clean_recordings(NULL, &cleaning, &left, &status) && self.count > 0) {
        fprintf(stderr, "spadework: %d recording%s deleted: the folder is limited to %g GB (recordings.limit_gb)\n",
                self.count, self.count == 1 ? " was" : "s were", limit * 1e-9);
    }
    if (left > limit) {
        fprintf(
            stderr,
            "spadework: the folder of recordings has %.3g GB, %g are allowed: what is left in it are experts' runs, "
            "passed and marked ones, which only recordings.clear: any lets go\n",
            left * 1e-9, limit * 1e-9);
    }
}

/// ---- storing -------------------------------------------------------------------------------------------------------

/// `lost`: why the attempt waits.
static bool store_attempt(DriveResults *kept, const DriveDone *done, Status *lost, Status *status)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the attempt");
    }
    fill_attempt(kept, done, attempt);
    Results *results = results_open(done->options->results, RESULTS_WRITE, status);
    bool good = results != NULL && results_add(results, attempt, status);
    if (!good) {
        Status failure;
        *lost = *status;
        if (!results_set_aside(done->options->results, attempt, kept->waits, &failure)) {
            kept->waits[0] = '\0';
        }
        good = kept->waits[0] != '\0' && lost->code == STATUS_LACKING;
    } else {
        exchange_results(kept, results);
        if (kept->names_recording && attempt->recording[0] != '\0') {
            clean_recordings(results, kept, attempt->recording);
        }
    }
    free(attempt);
    results_close(results);
    return good;
}

/// Adds the attempt, when there was a tick, sends shared results, and cleans the folder of recordings up. A server that
/// is away costs RESULTS_PATIENCE_SERVER seconds at most and no result. Results that somebody holds, that have no room
/// or may not be written to (STATUS_LACKING) are no failure: the attempt waits in a file (results_store.h), which
/// stderr tells, and `lost` says why. False with `status` when an attempt that was asked for is not among the results
/// for another reason, though it waits, or could not even be set aside; one that was not asked for is reported on
/// stderr.
static bool store_results(DriveResults *kept, const DriveDone *done, Status *lost, Status *status)
{
    Status failure;
    kept->waits[0] = kept->cleared[0] = '\0';
    status_good(lost);
    if (!kept->stores || session_frame(done->session)->tick == done->first_tick) {
        return true;
    }
    bool good = store_attempt(kept, done, lost, &failure);
    if (kept->waits[0] != '\0') {
        fprintf(stderr, "spadework: %s; the attempt waits in %s and is stored when the results are opened next\n",
                lost->text, kept->waits);
    }
    if (good) {
        return true;
    }
    if (kept->asked) {
        *status = failure;
        return false;
    }
    if (kept->waits[0] == '\0') {
        fprintf(stderr, "spadework: %s; this drive is not among the results\n", failure.text);
    }
    *lost = failure;
    return true;
}

/// ---- orders that wait ----------------------------------------------------------------------------------------------

int order_ring_put(OrderRing *ring)
{
    return ring->count < ring->most ? (ring->first + ring->count++) % ring->most : -1;
}

int order_ring_take(OrderRing *ring)
{
    int oldest = ring->count > 0 ? ring->first : -1;
    if (oldest >= 0) {
        ring->first = (ring->first + 1) % ring->most;
        ring->count--;
    }
    return oldest;
}

/// ---- session -------------------------------------------------------------------------------------------------------

/// The session that begins at `origin`, which the caller destroys. NULL with `status`.
static Session *make_session(const Drive *drive, SessionOrigin *origin, Status *status)
{
    const RunOptions *options = drive->params.options;
    const char *set[RUN_MAX_SET + CONDITION_SETS];
    ConditionSets chosen = {.count = 0};
    int count = 0;
    if (origin->parent[0] == '\0' && !conditions_set(options->conditions, options->scene, &chosen, status)) {
        return NULL;
    }
    for (int k = 0; k < options->set_count; k++) {
        set[count++] = options->set[k];
    }
    for (int k = 0; k < chosen.count; k++) {
        set[count++] = chosen.text[k];
    }
    return session_origin_make(origin,
                               &(SessionParams){.scene = options->scene,
                                                .set = set,
                                                .set_count = count,
                                                .has_seed = options->has_seed,
                                                .seed = options->seed,
                                                .solver = options->solver,
                                                .threads = options->threads},
                               status);
}

/// ---- end -----------------------------------------------------------------------------------------------------------

/// Finds when the drive is over. A script's times count from the session's start, also in one that was taken over.
/// False with `status` (STATUS_BAD_USAGE): the script ends before the session begins.
static bool find_end(Drive *drive, Status *status)
{
    double dt = session_dt(drive->session), seconds = drive->params.options->seconds;
    int64_t now = session_frame(drive->session)->tick;
    drive->first_tick = now;
    drive->until_finished = false;
    if (seconds > 0.0) {
        double ticks = ceil(seconds / dt - 1e-6);
        drive->end_tick = now + (ticks > 1.0 ? (int64_t)ticks : 1);
    } else if (drive->driver.kind == OPERATOR_SCRIPT) {
        drive->end_tick = (int64_t)ceil(input_script_duration(drive->driver.script) / dt - 1e-6);
    } else if (drive->driver.kind == OPERATOR_PERSON && drive->params.devices != NULL) {
        drive->end_tick = INT64_MAX;
    } else {
        drive->until_finished = true;
        double longest = session_scene(drive->session)->exercise.time_limit + EXERCISE_SETTLING;
        drive->end_tick = (int64_t)ceil(longest / dt) + 2 * exercise_look_interval(dt); // until it is judged
    }
    if (drive->end_tick <= now && drive->driver.kind == OPERATOR_SCRIPT && now == 0) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: read t %g in its last row, allowed above 0: a script ends there", drive->driver.name,
                           input_script_duration(drive->driver.script));
    }
    if (drive->end_tick <= now && drive->driver.kind == OPERATOR_SCRIPT) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: ends at %g s, before the takeover at %g s (t counts from the session's start)",
                           drive->driver.name, (double)drive->end_tick * dt, (double)now * dt);
    }
    drive->end_tick = drive->end_tick < now ? now : drive->end_tick;
    return true;
}

static bool is_over(const Drive *drive)
{
    return session_frame(drive->session)->tick >= drive->end_tick ||
           (drive->until_finished && exercise_is_finished(session_exercise(drive->session)));
}

/// ---- files ---------------------------------------------------------------------------------------------------------

/// With --keep-going a file that fails is reported once and given up.
static bool goes_on_without(const Drive *drive, const char *how, const Status *failure)
{
    if (!drive->params.options->keep_going) {
        return false;
    }
    fprintf(stderr, "spadework: %s; driving on %s\n", failure->text, how);
    return true;
}

static bool name_recording(Drive *drive, Status *status)
{
    const DriveParams *params = &drive->params;
    if (params->options->record != NULL) {
        snprintf(drive->record, sizeof drive->record, "%s", params->options->record);
    } else if (drive->origin.parent[0] != '\0') {
        output_number_path(drive->origin.parent, drive->record, sizeof drive->record);
    } else if (drive->results.names_recording) {
        return name_kept_recording(&drive->results, drive->session, drive->record, status);
    }
    return true;
}

/// Closing waits for a program that keeps the recording's file: without a window until a signal asks to stop, in a
/// window as long as a person may be left waiting.
static bool waits_for_program(void *context, const Status *reason)
{
    Drive *drive = context;
    bool headless = drive->params.options->headless;
    if (drive->closing == 0.0) {
        drive->closing = drive_clock();
        fprintf(stderr, "spadework: %s; its end is written once that is over%s\n", reason->text,
                headless ? " (Ctrl-C: it is given up)" : "");
    }
    return headless ? !signals_stop_asked() : drive_clock() - drive->closing < WINDOW_PATIENCE;
}

static bool start_recording(Drive *drive, Status *status)
{
    if (drive->record[0] == '\0') {
        return true;
    }
    drive->disturbed = false;
    drive->closing = 0.0;
    RecorderParams params = {.path = drive->record,
                             .waits = {waits_for_program, drive},
                             .trainee = drive->params.options->trainee,
                             .operator_name = drive->driver.name,
                             .driver = drive->driver.driver,
                             .clumsy = drive->driver.hands.share,
                             .attempt = drive->results.attempt,
                             .course = drive->results.course,
                             .changed = drive->origin.changed,
                             .parent = session_origin_parent(&drive->origin),
                             .parent_tick = session_frame(drive->session)->tick,
                             .parent_seal = drive->origin.seal};
    Station station;
    if (station_load(&station, status)) {
        params.station = &station;
        drive->recorder = recorder_create(&params, drive->session, status);
    }
    station_forget(&station);
    if (drive->recorder != NULL) {
        return true;
    }
    drive->record[0] = '\0'; // no file that does not exist is named as recorded
    drive->record_failure = *status;
    if (drive->results.names_recording && !drive->results.insists) {
        fprintf(stderr, "spadework: %s; driving unrecorded\n", status->text);
        return true;
    }
    return goes_on_without(drive, "unrecorded", status);
}

static bool start_telemetry(Drive *drive, Status *status)
{
    const char *path = drive->params.options->telemetry;
    drive->telemetry = path != NULL ? telemetry_create(path, session_machine_params(drive->session), status) : NULL;
    drive->measured = drive->telemetry != NULL;
    if (path == NULL || drive->telemetry != NULL) {
        return true;
    }
    drive->telemetry_failure = *status;
    return goes_on_without(drive, "without telemetry", status);
}

/// Begins recording and telemetry; a recording that was begun is taken away again when the telemetry fails.
static bool start_files(Drive *drive, Status *status)
{
    drive->record_failure = (Status){STATUS_GOOD, ""};
    drive->mass_first = session_frame(drive->session)->ledger.total;
    drive->mass_constant = true;
    if (!start_recording(drive, status)) {
        return false;
    }
    if (start_telemetry(drive, status)) {
        return true;
    }
    if (drive->recorder != NULL) {
        Status unused; // the telemetry's failure is reported
        recorder_close(drive->recorder, drive->session, &unused);
        drive->recorder = NULL;
        remove(drive->record);
    }
    return false;
}

/// Closes the recorder; false with `status` when some of the recording was lost and that ends the drive. A drive
/// without a tick, left on its briefing, leaves no recording.
static bool close_recording(Drive *drive, Status *status)
{
    Recorder *recorder = drive->recorder;
    drive->recorder = NULL;
    if (recorder == NULL || recorder_close(recorder, drive->session, status)) {
        if (recorder != NULL && session_frame(drive->session)->tick == drive->first_tick) {
            remove(drive->record);
            drive->record[0] = '\0';
        }
        return true;
    }
    drive->record_failure = *status;
    return goes_on_without(drive, "unrecorded", status);
}

/// drive_close reports what is lost of the telemetry.
static void close_telemetry(Drive *drive)
{
    Status failure;
    Telemetry *telemetry = drive->telemetry;
    drive->telemetry = NULL;
    if (!telemetry_close(telemetry, &failure)) {
        drive->telemetry_failure = failure;
        goes_on_without(drive, "without telemetry", &failure);
    }
}

/// Closes both. False with `status` when what was lost ends the drive.
static bool close_files(Drive *drive, Status *status)
{
    close_telemetry(drive);
    return close_recording(drive, status) &&
           (drive->mass_constant ||
            status_fail(status, STATUS_NOT_VERIFIED, "soil was lost or made: %lld quanta first, %lld last",
                        (long long)drive->mass_first, (long long)session_frame(drive->session)->ledger.total));
}

/// ---- results -------------------------------------------------------------------------------------------------------

/// Begins the attempt.
static bool begin_results(Drive *drive, Status *status)
{
    bool person = drive->driver.kind == OPERATOR_PERSON && drive->params.devices != NULL;
    return decide_results(&drive->results, drive->params.options, person, drive->origin.parent[0] != '\0', status);
}

/// Stores the attempt; its recording is closed.
static bool end_results(Drive *drive, Status *status)
{
    DriveDone done = {.options = drive->params.options,
                      .session = drive->session,
                      .first_tick = drive->first_tick,
                      .operator_name = drive->driver.name,
                      .credit = drive_credit(drive),
                      .record = drive->record,
                      .parent = session_origin_parent(&drive->origin),
                      .changed = drive->origin.changed};
    return store_results(&drive->results, &done, &drive->results_failure, status);
}

bool drive_close(Drive *drive, bool good, Status *status)
{
    Status unused;
    good = close_files(drive, good ? status : &unused) && good;
    if (good || status->code != STATUS_NOT_VERIFIED) { // what is no true drive is no attempt
        good = end_results(drive, good ? status : &unused) && good;
    }
    if (good && !drive->params.options->keep_going && drive->telemetry_failure.code != STATUS_GOOD) {
        *status = drive->telemetry_failure;
        return false;
    }
    return good;
}

void drive_record_no_more(Drive *drive)
{
    Status unused; // why it broke is in record_failure
    fprintf(stderr, "spadework: %s; driving on unrecorded\n", drive->record_failure.text);
    if (drive->recorder != NULL) {
        recorder_close(drive->recorder, drive->session, &unused);
        drive->recorder = NULL;
    }
    drive->asks = false;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

void drive_destroy(Drive *drive)
{
    motion_stream_close(drive->motion);
    order_script_destroy(drive->order_script);
    operator_destroy(&drive->driver);
    session_destroy(drive->session);
    *drive = (Drive){0};
}

static bool start_motion(Drive *drive, Status *status)
{
    const char *target = drive->params.options->motion;
    drive->motion = target != NULL ? motion_stream_create(target, status) : NULL;
    return target == NULL || drive->motion != NULL;
}

static bool start_orders(Drive *drive, Status *status)
{
    const char *path = drive->params.options->orders;
    if (path == NULL) {
        return true;
    }
    drive->order_script =
        order_script_load(path, session_scene(drive->session), session_machine_params(drive->session), status);
    order_script_seek(drive->order_script, session_frame(drive->session)->time);
    return drive->order_script != NULL;
}

bool drive_create(Drive *drive, const DriveParams *params, Status *status)
{
    *drive = (Drive){.params = *params, .waiting.most = SESSION_ORDERS_A_TICK, .real_time = 1.0};
    drive->origin = session_origin(params->parent, params->at);
    drive->session = make_session(drive, &drive->origin, status);
    if (drive->session == NULL) {
        return false;
    }
    OperatorParams who = {.name = params->options->operator_name,
                          .controls = params->options->controls,
                          .devices = params->devices,
                          .clumsy = params->options->clumsy,
                          .still = params->options->no_rumble};
    bool good = start_motion(drive, status) && start_orders(drive, status) &&
                operator_create(&drive->driver, &who, drive->session, status) && find_end(drive, status) &&
                begin_results(drive, status);
    if (!good || !name_recording(drive, status) || !start_files(drive, status)) {
        drive_destroy(drive);
        return false;
    }
    if (drive->driver.advice[0] != '\0') {
        fprintf(stderr, "spadework: %s\n", drive->driver.advice);
    }
    return true;
}

/// ---- another session in the same drive -----------------------------------------------------------------------------

/// Ends the present session: closes its files and stores its attempt.
static bool end_attempt(Drive *drive, Status *status)
{
    return close_files(drive, status) && end_results(drive, status);
}

/// Names the recording of a session that follows another one. `recorded`: that was.
static bool name_next_recording(Drive *drive, bool recorded, Status *status)
{
    const char *asked = drive->params.options->record, *base = asked != NULL ? asked : drive->origin.parent;
    if (recorded && drive->results.names_recording) {
        return name_kept_recording(&drive->results, drive->session, drive->record, status);
    }
    if (recorded && base[0] != '\0') {
        output_number_path(base, drive->record, sizeof drive->record);
    } else {
        drive->record[0] = '\0';
    }
    return true;
}

/// Begins with a session that takes the place of the one that was ended.
static bool replace_session(Drive *drive, Session *session, const SessionOrigin *origin, bool recorded, Status *status)
{
    session_destroy(drive->session);
    drive->session = session;
    drive->origin = *origin;
    drive->restarts++;
    bool good = begin_results(drive, status);
    if (!good && status->code == STATUS_LACKING) {
        // Another program holds the results, or the disk is full: what is driven now may wait as the drive before.
        fprintf(stderr, "spadework: %s; it is driven on\n", status->text);
        good = status_good(status);
    }
    if (!good || !name_next_recording(drive, recorded, status)) {
        return false;
    }
    drive_forget_time(drive);
    drive->waiting = (OrderRing){.most = SESSION_ORDERS_A_TICK};
    order_script_seek(drive->order_script, session_frame(session)->time);
    motion_stream_jump(drive->motion);
    return operator_restart(&drive->driver, session, status) && find_end(drive, status) && start_files(drive, status);
}

bool drive_restart(Drive *drive, Status *status)
{
    bool recorded = drive->recorder != NULL;
    SessionOrigin origin = session_origin(drive->params.parent, drive->params.at);
    Session *session = make_session(drive, &origin, status);
    if (session == NULL) {
        return false;
    }
    if (!end_attempt(drive, status)) {
        session_destroy(session);
        return false;
    }
    return replace_session(drive, session, &origin, recorded, status);
}

/// Where the way back leads to. False with `status`: nowhere. `present`: into the recording that is being written,
/// which can be read once it is closed.
static bool find_way_back(const Drive *drive, const char *recording, double at, bool *present, SessionOrigin *origin,
                          Status *status)
{
    double dt = session_dt(drive->session), tick = round(at / dt);
    if (drive->recorder == NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no way back: nothing is recorded");
    }
    bool own = recording == NULL || strcmp(recording, drive->record) == 0;
    *present = own && tick >= (double)drive->first_tick;
    recording = !own ? recording : *present ? drive->record : session_origin_parent(&drive->origin);
    if (recording == NULL || (own && tick > (double)session_frame(drive->session)->tick)) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no way back to %g s: recorded are %.3f..%.3f s", at,
                           (double)drive->first_tick * dt, session_frame(drive->session)->time);
    }
    *origin = session_origin(recording, at);
    return *present || session_origin_find(recording, at, origin, status);
}

DriveReturn drive_return(Drive *drive, const char *recording, double at, Status *status)
{
    SessionOrigin origin = {.parent = ""};
    Session *session = NULL;
    bool present = false;
    if (!find_way_back(drive, recording, at, &present, &origin, status)) {
        return DRIVE_REFUSED;
    }
    if (!present && (session = make_session(drive, &origin, status)) == NULL) {
        return DRIVE_REFUSED;
    }
    bool good = end_attempt(drive, status);
    if (good && present) {
        session = make_session(drive, &origin, status);
    }
    if (!good || session == NULL) {
        session_destroy(session);
        return DRIVE_FAILED;
    }
    return replace_session(drive, session, &origin, true, status) ? DRIVE_WENT_BACK : DRIVE_FAILED;
}

/// ---- texts, notes and time -----------------------------------------------------------------------------------------

void drive_tell(Drive *drive, const char *text)
{
    snprintf(drive->told, sizeof drive->told, "%s", text);
    drive->told_count++;
}

void drive_note(Drive *drive, const ExerciseEvent *event)
{
    Status unused; // told again by the next tick, or when the recording is closed
    if (drive->recorder != NULL) {
        recorder_event(drive->recorder, event, &unused);
    }
}

void drive_forget_time(Drive *drive)
{
    drive->behind = 0.0;
    drive->worked = 0.0;
    drive->real_time = 1.0;
    drive->metered = 0.0;
    drive->metered_ticks = 0;
}

double drive_blend(const Drive *drive)
{
    return fmin(drive->behind / session_dt(drive->session), 1.0);
}

bool drive_catches_up(const Drive *drive)
{
    return drive->worked > 0.0;
}

bool drive_waits_for_clock(const Drive *drive)
{
    return drive->held || drive->asks || drive->behind < session_dt(drive->session);
}

/// ---- ticks ---------------------------------------------------------------------------------------------------------

/// A recording that failed ends the drive, unless a person is asked or --keep-going drives on without.
static bool answer_record_failure(Drive *drive, const DriveHost *host, Status *status)
{
    drive->record_failure = *status;
    if (drive->params.options->keep_going) {
        drive_record_no_more(drive);
        return true;
    }
    drive->asks = host->answers(host->context, drive, DRIVE_RECORDING);
    return drive->asks;
}

/// Telemetry that failed ends a drive without a person; a person drives on without it and learns of it again at the
/// end. So does a recording whose telemetry nobody reads any more: who left did not ask for its end.
static bool answer_telemetry_failure(Drive *drive, const DriveHost *host, Status *status)
{
    Status unused;
    bool only_unread = drive->recorder != NULL && telemetry_reader_left(drive->telemetry);
    telemetry_close(drive->telemetry, &unused);
    drive->telemetry = NULL;
    drive->telemetry_failure = *status;
    if (only_unread) {
        fprintf(stderr, "spadework: %s; the recording goes on\n", status->text);
        return true;
    }
    return goes_on_without(drive, "without telemetry", status) || host->answers(host->context, drive, DRIVE_TELEMETRY);
}

/// Tells once what holds the recording up, and once that it is over; and that another program writes into it.
static void report_held_up(Drive *drive)
{
    Status reason;
    RecorderHold hold = drive->recorder != NULL ? recorder_is_held_up(drive->recorder, &reason) : RECORDER_WRITES;
    if (hold != RECORDER_WRITES && drive->held_up != hold) {
        fprintf(stderr, "spadework: %s; what is driven waits in memory\n", reason.text);
    } else if (drive->held_up != RECORDER_WRITES && hold == RECORDER_WRITES && drive->recorder != NULL) {
        fprintf(stderr, "spadework: the recording goes on\n");
    }
    drive->held_up = hold;
    if (drive->recorder != NULL && recorder_is_disturbed(drive->recorder) && !drive->disturbed) {
        drive->disturbed = true;
        fprintf(stderr, "spadework: %s: another program wrote into the recording: it will count as changed\n",
                drive->record);
    }
}

static bool is_finite_each_second(const Drive *drive, Status *status)
{
    const SessionFrame *frame = session_frame(drive->session);
    return frame->tick % session_scene(drive->session)->rates.tick_rate != 0 || session_is_finite(drive->session) ||
           status_fail(status, STATUS_NOT_VERIFIED, "the simulation lost its numbers before %.2f s (not finite)",
                       frame->time);
}

bool drive_order(Drive *drive, const SessionOrder *order, Status *status)
{
    if (drive->waiting.count == SESSION_ORDERS_A_TICK) {
        return status_fail(status, STATUS_BAD_USAGE, "more orders wait for the next tick than it takes, allowed 0..%d",
                           SESSION_ORDERS_A_TICK);
    }
    if (!session_order_check(order, session_scene(drive->session), session_machine_params(drive->session), status)) {
        return false;
    }
    drive->orders[order_ring_put(&drive->waiting)] = *order;
    return true;
}

/// Gives what was ordered since the last tick and what the list of orders has for this one.
static bool apply_orders(Drive *drive, const DriveHost *host, Status *status)
{
    double time = session_frame(drive->session)->time;
    const SessionOrder *listed = NULL;
    while (drive->waiting.count < SESSION_ORDERS_A_TICK &&
           (listed = order_script_take(drive->order_script, time)) != NULL) {
        if (!drive_order(drive, listed, status)) {
            return false;
        }
    }
    bool good = true;
    for (int k; good && (k = order_ring_take(&drive->waiting)) >= 0;) {
        good = session_order(drive->session, &drive->orders[k], status);
        if (good && drive->recorder != NULL && !recorder_order(drive->recorder, &drive->orders[k], status)) {
            good = answer_record_failure(drive, host, status);
        }
    }
    drive->waiting.count = 0; // after a failure the others are dropped
    return good;
}

static bool tick(Drive *drive, const DriveHost *host, Status *status)
{
    OperatorControls controls;
    if (!apply_orders(drive, host, status)) {
        return false;
    }
    operator_controls(&drive->driver, drive->session, &controls);
    session_tick(drive->session, &controls);
    if (session_has_failed(drive->session)) {
        return status_fail(status, STATUS_LACKING, "out of memory for the soil after %.2f s: the drive ends there",
                           session_frame(drive->session)->time);
    }
    drive->mass_constant &= session_frame(drive->session)->ledger.total == drive->mass_first;
    bool good = is_finite_each_second(drive, status);
    if (good && drive->motion != NULL) {
        motion_stream_tick(drive->motion, drive->session);
    }
    if (good && drive->recorder != NULL && !recorder_tick(drive->recorder, drive->session, status)) {
        good = answer_record_failure(drive, host, status);
    }
    report_held_up(drive);
    if (good && drive->telemetry != NULL && !telemetry_tick(drive->telemetry, drive->session, status)) {
        good = answer_telemetry_failure(drive, host, status);
    }
    host->after_tick(host->context, drive);
    if (drive->params.watch != NULL) {
        drive->params.watch(drive->params.watcher, drive->session);
    }
    return good;
}

/// One event for each spell in which the computer falls behind.
static bool note_slowness(Drive *drive, const DriveHost *host, Status *status)
{
    if (drive->slow || drive->real_time > SLOW) {
        drive->slow = drive->slow && drive->real_time < SLOW_OVER;
        return true;
    }
    drive->slow = true;
    ExerciseEvent event = {.kind = EVENT_SLOW, .number = {.share = drive->real_time}};
    return drive->recorder == NULL || drive->asks || recorder_event(drive->recorder, &event, status) ||
           answer_record_failure(drive, host, status);
}

/// Compares what was simulated with the clock, from tick to tick; where no tick is made, that is reported after half
/// as long again.
static void meter(Drive *drive, double elapsed, int ticks)
{
    drive->metered += elapsed;
    drive->metered_ticks += ticks;
    if (drive->metered >= (ticks > 0 ? METER_TIME : 1.5 * METER_TIME)) {
        drive->real_time = drive->metered_ticks * session_dt(drive->session) / drive->metered;
        drive->metered = 0.0;
        drive->metered_ticks = 0;
    }
}

/// No tick is made in this round: the levers rest, and what was being caught up is not due any more. Without that
/// drive_catches_up would stay true while time stands still, and no page would ever be drawn.
static void stand_still(Drive *drive)
{
    operator_rest(&drive->driver);
    drive->behind = fmin(drive->behind, session_dt(drive->session));
    drive->worked = 0.0;
}

/// A tick, when the wall clock asks for one. What is behind is caught up round by round, so that the devices are looked
/// at between any two ticks; what cannot be done within the budget is dropped.
static bool advance_by_clock(Drive *drive, const DriveHost *host, const DriveRound *round, Status *status)
{
    double dt = session_dt(drive->session), start = drive_clock();
    drive->behind += fmin(round->elapsed, LONGEST_ROUND);
    bool due = drive->behind >= dt;
    if (due && !tick(drive, host, status)) {
        return false;
    }
    drive->behind -= due ? dt : 0.0;
    drive->worked += drive_clock() - start;
    if (drive->behind < dt || drive->worked >= round->budget) {
        drive->behind = fmin(drive->behind, dt);
        drive->worked = 0.0;
    }
    meter(drive, round->elapsed, due);
    return note_slowness(drive, host, status);
}

static bool advance(Drive *drive, const DriveHost *host, const DriveRound *round, Status *status)
{
    bool good = round->paced ? advance_by_clock(drive, host, round, status) : tick(drive, host, status);
    operator_feel(&drive->driver, drive->session, round->elapsed);
    return good;
}

bool drive_stand(Drive *drive, Status *status)
{
    const DriveGuide *guide = drive->params.guide;
    DriveRound round = {.holds = true};
    if (guide == NULL) {
        return true;
    }
    if (!guide->before(guide->context, drive, &round, status)) {
        return false;
    }
    drive->dismissed |= round.leaves;
    guide->after(guide->context, drive, false);
    return true;
}

bool drive_run(Drive *drive, const DriveHost *host, Status *status)
{
    const DriveGuide *guide = drive->params.guide;
    bool over = false;
    while (!over) {
        DriveRound round = {0};
        if (!host->before(host->context, drive, &round, status) ||
            (guide != NULL && !guide->before(guide->context, drive, &round, status))) {
            return false;
        }
        operator_look(&drive->driver, round.sample, &round.presses, round.elapsed);
        drive->held = round.holds;
        over = round.leaves || is_over(drive);
        if (round.holds || drive->asks) {
            stand_still(drive);
        } else if (!over) {
            if (!advance(drive, host, &round, status)) {
                return false;
            }
            over = is_over(drive);
        }
        if (guide != NULL) {
            guide->after(guide->context, drive, over);
        }
        if (!host->after(host->context, drive, over, status)) {
            return false;
        }
    }
    if (drive->asks) {
        *status = drive->record_failure;
    }
    return !drive->asks;
}

/// ---- options -------------------------------------------------------------------------------------------------------

static void override(int given, int *value)
{
    *value = given > 0 ? given - 1 : *value;
}

SettingsViews run_views(const RunViews *given, const SettingsViews *settings)
{
    SettingsViews views = settings != NULL ? *settings : (SettingsViews){0};
    int rear = (int)views.rear, mirrors = (int)views.mirrors;
    override(given->rear, &rear);
    override(given->mirrors, &mirrors);
    override(given->inset, &views.inset);
    override(given->screens, &views.screens);
    override(given->eyes, &views.eyes);
    views.rear = (SettingsRear)rear;
    views.mirrors = (SettingsMirrors)mirrors;
    if (views.screens == 3 && views.eyes == 2) {
        views.screens = given->eyes > 0 ? 1 : 3;
        views.eyes = given->eyes > 0 ? 2 : 1;
    }
    return views;
}
