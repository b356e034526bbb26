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

#include "trainer/session/session.h"

enum {
    RESULT_NAME = 96,
    RESULT_TIME = 24,
    RESULT_END = 16,
    RESULT_UUID = 40,
    RESULT_HASH = 20,
    RESULT_SEAL = 68,
    RESULT_LABEL = 64
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
    char course[SCENE_NAME_LENGTH]; ///< "" = none
    char started[RESULT_TIME]; ///< UTC, "2026-11-23T18:05:31Z"
    double duration; ///< s driven, 0..1e7
    double score; ///< points, 0..100
    bool passed;
    bool finished; ///< judged; else it was left before
    char end[RESULT_END]; ///< "done", "time_up", "failed" (by an incident), "aborted"
    char operator_name[DATA_PATH_LENGTH];
    char machine[SCENE_NAME_LENGTH];
    char build[32]; ///< version of the program
    char recording[DATA_PATH_LENGTH]; ///< absolute path; "" = none
    char recording_hash[RESULT_HASH]; ///< XXH3 of the closed file, 16 hexadecimal digits; "" = none
    char recording_seal[RESULT_SEAL]; ///< last seal of the recording, 64 hexadecimal digits; "" = none
    char parent[DATA_PATH_LENGTH]; ///< recording that was taken over; "" = none
    int metric_count;
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int score_count;
    ResultScore scores[SCENE_MAX_SCORES];
} ResultAttempt;

typedef struct Results Results;

typedef enum ResultsMode {
    RESULTS_READ, ///< a file that is not there is an error, or counts as empty when it is the user's own
    RESULTS_WRITE, ///< makes the file, and for the user's own the folder
} ResultsMode;

/// Opens and checks. path  NULL: results.db in the user's data. NULL with `status` (STATUS_BAD_FILE: foreign, damaged,
/// of a later version; STATUS_LACKING: locked, no rights, disk full).
Results *results_open(const char *path, ResultsMode mode, Status *status);
void results_close(Results *results); ///< NULL is nothing

/// Fills what an attempt says of a session as it stands: scene, machine, build, score, metrics, score rows. What the
/// session does not know (trainee, times, files) is left empty. A pure look at the session.
void results_fill(ResultAttempt *attempt, const Session *session);
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

/// Which attempts; NULL: all.
typedef struct ResultFilter {
    const char *trainee, *class_name, *scene;
    const char *classmates_of; ///< a trainee: he and all who share a class with him
} ResultFilter;

/// Called for each attempt, in order of time; `attempt` is valid during the call. False ends the reading.
typedef bool ResultsVisit(void *context, const ResultAttempt *attempt);
/// Reads attempts. False with `status` when the file cannot be read; a visit that ends it is no failure.
bool results_each(Results *results, const ResultFilter *filter, ResultsVisit *visit, void *context, Status *status);

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

/// A scene of a course that a trainee has passed.
typedef struct ResultProgress {
    char trainee[RESULT_NAME], course[SCENE_NAME_LENGTH], scene[SCENE_NAME_LENGTH];
    char passed[RESULT_TIME]; ///< UTC: when first
    double best; ///< points, 0..100
} ResultProgress;
/// Lists what was passed, of a trainee or (NULL) all, by trainee, course and time; the caller frees `*list`. Returns
/// how many, -1 with `status`.
int results_progress(Results *results, const char *trainee, ResultProgress **list, Status *status);

/// Paths of a trainee's recordings; called before anything is deleted.
typedef void ResultsNamed(void *context, const char *recording);
/// Deletes a trainee with his attempts, memberships and progress. `named` is told each recording of his first. False
/// with `status` (STATUS_BAD_USAGE) when there is no such trainee.
bool results_delete_trainee(Results *results, const char *trainee, ResultsNamed *named, void *context, Status *status);

#endif
