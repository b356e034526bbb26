/// Results: an SQLite file with who drove what and how well. One file serves many programs at once; each call is one
/// transaction, so that an attempt is whole or absent whatever happens: a kill at any moment, a full disk, two writers.
/// A locked file is waited for, RESULTS_PATIENCE_MS, and then told.
///
/// Tables: trainee(name, created); class(name); membership(class, trainee); course_progress(trainee, course, scene,
/// first passed, best points); attempt; attempt_metric(name, unit, value); attempt_score(label, group, weight, value,
/// share, points). What belongs to a trainee goes with him. The layout has a number (user_version) and is brought up to
/// date by numbered migrations when the file is opened; a file of a later layout, of another program or a damaged one
/// is refused and not changed.
///
/// An open file belongs to one thread. Recordings are listed by results_recordings.h.
#ifndef SPADEWORK_TRAINER_RESULTS_H
#define SPADEWORK_TRAINER_RESULTS_H

#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum {
    RESULT_NAME = 96,
    RESULT_LANGUAGE = SCENE_LANGUAGE,
    RESULT_TIME = 24,
    RESULT_END = 16,
    RESULT_UUID = 40,
    RESULT_HASH = 20,
    RESULT_SEAL = 68,
    RESULT_LABEL = 64,
    RESULT_COMMENT = 601,
    RESULT_GRADE = 16
};
enum { RESULTS_PATIENCE_MS = 5000 };

typedef struct ResultScore {
    char label[RESULT_LABEL]; ///< "mean depth"
    char group[16]; ///< "work", "accuracy", ...
    double weight; ///< points, 0..100
    double value; ///< in the metric's unit
    double share; ///< 0..1, of the row's points
    double points; ///< 0..100, that it gave
} ResultScore;

/// One drive at one scene.
typedef struct ResultAttempt {
    char uuid[RESULT_UUID]; ///< names it everywhere; "" when it is added: made then
    char trainee[RESULT_NAME]; ///< "" = nobody said
    char scene[SCENE_NAME_LENGTH]; ///< its file's name
    char title[RESULT_NAME];
    char language[RESULT_LANGUAGE]; ///< of the title, a BCP 47 tag; "" = not known
    char course[SCENE_NAME_LENGTH]; ///< "" = none
    char started[RESULT_TIME]; ///< UTC, "2026-11-23T18:05:31Z"
    double duration; ///< s driven, 0..1e7
    double score; ///< points, 0..100; of practice those of both drives together, which are shown as nobody's
    bool passed; ///< as it was judged, where its credit counts (credit_counts); else false
    bool finished; ///< judged; else it was left before
    char end[RESULT_END]; ///< "done", "time_up", "failed" (by an incident), "aborted"
    char operator_name[DATA_PATH_LENGTH];
    CreditDriver driver; ///< who moved the levers
    double clumsy; ///< 0..1, as Credit.clumsy
    char station[RESULT_NAME]; ///< computer or station (trainer/record) it was driven at; "" = not known
    char machine[SCENE_NAME_LENGTH];
    char build[32]; ///< version of the program
    char recording[DATA_PATH_LENGTH]; ///< absolute path; "" = none
    char recording_hash[RESULT_HASH]; ///< XXH3 of the closed file, 16 hexadecimal digits; "" = none
    char recording_seal[RESULT_SEAL]; ///< last seal of the recording, 64 hexadecimal digits; "" = none
    char cleared[RESULT_TIME]; ///< UTC: when the clean-up deleted the recording; "" = it did not
    char parent[DATA_PATH_LENGTH]; ///< recording that was taken over, which makes it practice; "" = none
    double parent_at; ///< s of it at which that was; below 0: not known, or there is none
    char changed[CREDIT_CHANGED]; ///< what was changed in the scene for this drive, as results_changed; "" = nothing
    char comment[RESULT_COMMENT]; ///< of the instructor; "" = none
    char grade[RESULT_GRADE]; ///< that the instructor gave, in the school's own words; "" = none
    char commented[RESULT_TIME]; ///< UTC: when comment or grade was last changed; "" = never
    int metric_count;
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int score_count;
    ResultScore scores[SCENE_MAX_SCORES];
} ResultAttempt;

/// Which attempts; NULL: all.
typedef struct ResultFilter {
    const char *trainee, *class_name, *scene;
    const char *classmates_of; ///< a trainee: he and all who share a class with him
    bool nobodys; ///< those alone that bear no name
} ResultFilter;

typedef struct Results Results;

typedef enum ResultsMode {
    RESULTS_READ, ///< a file that is not there is an error, or counts as empty when it is the user's own
    RESULTS_WRITE, ///< makes the file, and for the user's own the folder
} ResultsMode;

/// Opens and checks. path  NULL: results.db in the user's data. NULL with `status` (STATUS_BAD_FILE: foreign, damaged,
/// of a later version; STATUS_LACKING: locked, no rights, disk full).
Results *results_open(const char *path, ResultsMode mode, Status *status);
void results_close(Results *results); ///< NULL is nothing
/// What opening did to the file: a layout that was brought up to date, attempts that had waited and are stored; "" =
/// nothing. stderr has said it, too.
const char *results_notice(const Results *results);

/// What an attempt counts as.
Credit results_credit(const ResultAttempt *attempt);
/// Fills what an attempt says of a session as it stands: scene, machine, build, score, metrics, score rows. What the
/// session does not know (times, files) is left empty. A pure look at the session.
/// trainee  whose name it bears; NULL or "": nobody's
void results_fill(ResultAttempt *attempt, const Session *session, const Credit *credit, const char *trainee);
/// The figures of an exercise as they count: practice has no points and no verdict of its own, and what passes nothing
/// is marked as not passed. Returns how many there are.
int results_metrics(const Session *session, const Credit *credit, const char *trainee,
                    ExerciseMetric metrics[EXERCISE_MAX_METRICS]);
/// Makes a random name for an attempt, version 4 of RFC 4122.
void results_new_uuid(char uuid[RESULT_UUID]);
/// Writes what this computer is called: its station's name (trainer/record), else its host's.
void results_station(char name[RESULT_NAME]);
/// Writes the present time as UTC text.
void results_now(char text[RESULT_TIME]);
/// Hash of a file as `recording_hash` has it; false when it cannot be read.
bool results_hash_file(const char *path, char hash[RESULT_HASH]);

/// Is this a name for a trainee or a class? 1..95 bytes without control characters. False with `status`
/// (STATUS_BAD_USAGE). what  "trainee", "class"
bool results_check_name(const char *what, const char *name, Status *status);

/// Adds an attempt and, where he is new, its trainee; passing a scene of a course is noted as progress. False with
/// `status` (STATUS_LACKING); then nothing was changed.
bool results_add(Results *results, ResultAttempt *attempt, Status *status);

/// ---- what an instructor says of it ---------------------------------------------------------------------------------

typedef enum ResultRemark { RESULT_REMARK_COMMENT, RESULT_REMARK_GRADE } ResultRemark;

/// True for a comment of 0..600 bytes, or a grade of 0..15, without control characters and directions. Else the status
/// (STATUS_BAD_USAGE) says what was read and what is allowed.
bool results_check_remark(ResultRemark remark, const char *text, Status *status);
/// Sets the comment or the grade of an attempt; "" takes it away. Its recording is not touched. False with `status`:
/// STATUS_BAD_USAGE as above, or no attempt has this UUID; STATUS_LACKING.
bool results_set_remark(Results *results, const char *uuid, ResultRemark remark, const char *text, Status *status);
/// Finds an attempt by its UUID or the path of its recording, or ("last") the last one of a filter. False with `status`
/// (STATUS_BAD_USAGE): there is none.
/// filter  of "last"; NULL: of all
bool results_find_attempt(Results *results, const char *word, const ResultFilter *filter, char uuid[RESULT_UUID],
                          Status *status);

/// ---- out of a recording: a drive whose program was killed, that was recorded alone, or on another computer ---------

/// Checks the seals of a recording and makes of it the attempt that its drive would have been stored as; the figures
/// are those of its last state. False with `status`: STATUS_BAD_FILE (it is none, or was cut short and has no figures),
/// STATUS_NOT_VERIFIED (it was changed), STATUS_LACKING.
bool results_of_recording(const char *path, ResultAttempt *attempt, Status *status);

/// Adds it. False with `status` (STATUS_BAD_FILE) when an attempt of that UUID, seal or file is there already, or when
/// its trainee was deleted after it began and `restore` is not set.
bool results_add_recorded(Results *results, ResultAttempt *attempt, bool restore, Status *status);

/// ---- attempts that could not be stored -----------------------------------------------------------------------------
/// Somebody held the results, the disk was full, or the file was not to be had: each attempt waits as a file of its own
/// in `waiting` in the user's data folder. The next program that opens those results stores it and removes the file.

/// Sets an attempt aside, written to the disk and then given its name, so that no kill leaves half of it. It gets a
/// UUID where it has none. False with `status` (STATUS_LACKING, STATUS_BAD_USAGE), and nothing is left behind.
/// path  as results_open takes it
/// file  out: where it waits
bool results_set_aside(const char *path, ResultAttempt *attempt, char file[DATA_PATH_LENGTH], Status *status);

/// How many wait for the results at `path`, which results_open takes; of damaged ones nobody knows.
int results_aside_count(const char *path);

/// ---- reading -------------------------------------------------------------------------------------------------------

/// Called for each attempt, in order of time; `attempt` is valid during the call. False ends the reading.
typedef bool ResultsVisit(void *context, const ResultAttempt *attempt);
/// Reads attempts: those that there were at the call and that are there still when their turn comes. Nothing of the
/// file is held during a visit, however long it takes, and memory grows by 8 bytes an attempt. False with `status` when
/// the file cannot be read; a visit that ends it is no failure.
bool results_each(Results *results, const ResultFilter *filter, ResultsVisit *visit, void *context, Status *status);

/// Notes that the clean-up deleted a recording, with all attempts that name it by either path. False with `status`.
bool results_note_cleared(Results *results, const char *path, const char *absolute, Status *status);

/// True when no attempt of the same trainee at the same scene whose recording is known has more points than the one
/// recorded at `path`; false also for a path that no attempt names.
bool results_is_best(Results *results, const char *path);

/// ---- people --------------------------------------------------------------------------------------------------------

/// Adds a trainee to a class; both are made where they are new. False with `status`.
bool results_add_member(Results *results, const char *class_name, const char *trainee, Status *status);
/// Takes him out of it; a class without members goes. False with `status` (STATUS_BAD_USAGE) when he is not in it.
bool results_remove_member(Results *results, const char *class_name, const char *trainee, Status *status);

/// One trainee, of a class or of all.
typedef struct ResultTrainee {
    char name[RESULT_NAME];
    int attempts, passed; ///< how many
    double best; ///< points, 0..100
} ResultTrainee;
/// Lists trainees by name, of a class or (NULL) all; the caller frees `*list`. Returns how many, -1 with `status`: also
/// when there is no such class.
int results_trainees(Results *results, const char *class_name, ResultTrainee **list, Status *status);

/// Is there such a trainee, in a class or (NULL) anywhere? False with `status`: STATUS_BAD_USAGE where there is none,
/// or no such class. trainee  NULL: only the class is looked for
bool results_check_people(Results *results, const char *class_name, const char *trainee, Status *status);

/// Who is in which class.
typedef struct ResultMember {
    char trainee[RESULT_NAME], class_name[RESULT_NAME];
} ResultMember;
/// Lists all members by trainee, then class, in the order of their bytes; the caller frees `*list`. Returns how many,
/// -1 with `status`.
int results_members(Results *results, ResultMember **list, Status *status);

/// A scene of a course that a trainee has passed.
typedef struct ResultProgress {
    char trainee[RESULT_NAME], course[SCENE_NAME_LENGTH], scene[SCENE_NAME_LENGTH];
    char passed[RESULT_TIME]; ///< UTC: when first
    double best; ///< points, 0..100
} ResultProgress;
/// Lists what was passed, of a trainee or (NULL) all, by trainee, course and time; the caller frees `*list`. Returns
/// how many, -1 with `status`.
int results_progress(Results *results, const char *trainee, ResultProgress **list, Status *status);

/// One attempt of somebody who is deleted.
typedef struct ResultsDeleted {
    char station[RESULT_NAME]; ///< where it was driven; "" = not known
    char recording[DATA_PATH_LENGTH]; ///< path on that station; "" = none
    char hash[RESULT_HASH]; ///< of the recording; "" = not known
    bool cleared; ///< the clean-up deleted the recording
} ResultsDeleted;
/// What there is of somebody. Zero-initialise; end with results_deletion_free.
typedef struct ResultsDeletion {
    bool known; ///< there is such a trainee
    int count;
    ResultsDeleted *attempts; ///< [count], by station
} ResultsDeletion;
/// Tells what results_delete_trainee would delete, and changes nothing. False with `status`.
bool results_describe(Results *results, const char *trainee, ResultsDeletion *told, Status *status);
/// Deletes a trainee with his attempts, memberships and progress; that somebody of this name was deleted, and when, is
/// kept, so that no older file brings him back. False with `status` (STATUS_BAD_USAGE) when there is no such trainee.
/// told  what was deleted, of the same moment, or NULL
bool results_delete_trainee(Results *results, const char *trainee, ResultsDeletion *told, Status *status);
void results_deletion_free(ResultsDeletion *told);

/// Recordings of people who were deleted at another station, which are left here (of shared results). The caller frees
/// `*list`. Returns how many, -1 with `status`.
int results_left(Results *results, ResultsDeleted **list, Status *status);
/// Forgets one of them. False with `status`.
bool results_forget_left(Results *results, const char *path, Status *status);

#endif
