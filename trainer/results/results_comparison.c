/// Chooses the recordings that a report compares with, among the attempts and the recordings of the user's folder. A
/// file at the attempt's path is its recording while scene, driver and length agree. One that was moved into the user's
/// folder is found by its hash; only files of that scene and length are hashed, since reading them whole takes long.
#include "trainer/results/results_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/results/results_recordings.h"
#include "trainer/results/results_store_internal.h"

#define SAME_LENGTH 0.5 ///< s by which the length in the attempt and that of its recording may differ. Chosen

enum { MOST_FOUND = 64 }; ///< attempts that are looked at, the most promising ones

bool results_expert_command(const char *scene, char text[RESULTS_COMMAND])
{
    char word[SCENE_NAME_LENGTH];
    bool good = shell_word_scene(scene, word, sizeof word);
    text[0] = '\0';
    if (good) {
        snprintf(text, RESULTS_COMMAND, "spadework run %s --headless --operator expert --keep", word);
    }
    return good;
}

/// ---- what is looked for --------------------------------------------------------------------------------------------

typedef struct Found {
    char path[DATA_PATH_LENGTH];
    char hash[RESULT_HASH]; ///< "": found in the folder
    char trainee[GLANCE_TEXT], operator_name[GLANCE_TEXT];
    char started[RESULT_TIME];
    double duration, score;
} Found;

typedef struct Wanted {
    const char *scene, *trainee, *before; ///< before: UTC; of an expert both are not read
    const char *besides; ///< path that is left out, or NULL
    const char *changed; ///< what the run that is compared changed in the scene; NULL: runs with any changes
    bool expert, newest;
} Wanted;

typedef struct Search {
    Wanted wanted;
    int count;
    Found found[MOST_FOUND];
    ResultRecordings folder; ///< read when it is needed
    bool has_folder;
} Search;

/// Does `a` come before `b`?
static bool is_better(const Search *self, const Found *a, const Found *b)
{
    bool by_score = self->wanted.expert && !self->wanted.newest && a->score != b->score;
    return by_score ? a->score > b->score : strcmp(a->started, b->started) > 0;
}

/// Keeps the better ones, in their order.
static void insert_found(Search *self, const Found *found)
{
    int at = self->count < MOST_FOUND ? self->count++ : MOST_FOUND;
    for (; at > 0 && is_better(self, found, &self->found[at - 1]); at--) {
        if (at < MOST_FOUND) {
            self->found[at] = self->found[at - 1];
        }
    }
    if (at < MOST_FOUND) {
        self->found[at] = *found;
    }
}

/// Of a trainee his own attempts are looked for: neither practice nor what a script drove. Runs on another soil or with
/// another machine are left out.
static bool is_wanted(const Search *self, const char *trainee, const Credit *credit, const char *started,
                      const char *changed)
{
    if (self->wanted.changed != NULL && !credit_are_comparable(self->wanted.changed, changed)) {
        return false;
    }
    if (self->wanted.expert) {
        return credit_is_expert(credit, trainee);
    }
    return strcmp(trainee, self->wanted.trainee) == 0 && !credit_is_scripted(credit) && !credit_is_practice(credit) &&
           strcmp(started, self->wanted.before) < 0;
}

static bool add_attempt(void *context, const ResultAttempt *attempt)
{
    Search *self = context;
    Credit credit = results_credit(attempt);
    if (attempt->recording[0] != '\0' && attempt->recording_hash[0] != '\0' &&
        is_wanted(self, attempt->trainee, &credit, attempt->started, attempt->changed)) {
        Found found = {.duration = attempt->duration, .score = attempt->score};
        memcpy(found.path, attempt->recording, sizeof found.path);
        memcpy(found.hash, attempt->recording_hash, sizeof found.hash);
        memcpy(found.started, attempt->started, sizeof found.started);
        snprintf(found.trainee, sizeof found.trainee, "%s", attempt->trainee);
        snprintf(found.operator_name, sizeof found.operator_name, "%.95s", attempt->operator_name);
        insert_found(self, &found);
    }
    return true;
}

/// ---- the folder ----------------------------------------------------------------------------------------------------

/// A folder that cannot be read has no recordings.
static void read_folder(Search *self)
{
    Status unused;
    if (!self->has_folder) {
        results_recordings(NULL, &self->folder, &unused);
        self->has_folder = true;
    }
}

/// Experts' recordings in the folder, whether an attempt names them or not.
static void add_folder(Search *self)
{
    read_folder(self);
    for (int k = 0; k < self->folder.count; k++) {
        const ResultRecording *entry = &self->folder.entries[k];
        const RecordingGlance *glance = &entry->glance;
        if (strcmp(glance->scene, self->wanted.scene) == 0 && glance->closed &&
            is_wanted(self, glance->trainee, &glance->credit, glance->created, glance->changed)) {
            Found found = {.duration = glance->duration, .score = glance->score};
            memcpy(found.path, entry->path, sizeof found.path);
            snprintf(found.started, sizeof found.started, "%s", glance->created);
            insert_found(self, &found);
        }
    }
}

/// The file with this hash in the folder.
static bool find_moved(Search *self, const Found *found, char path[DATA_PATH_LENGTH])
{
    read_folder(self);
    for (int k = 0; k < self->folder.count; k++) {
        const ResultRecording *entry = &self->folder.entries[k];
        const RecordingGlance *glance = &entry->glance;
        char hash[RESULT_HASH];
        if (strcmp(glance->scene, self->wanted.scene) == 0 && fabs(glance->duration - found->duration) <= SAME_LENGTH &&
            results_hash_file(entry->path, hash) && strcmp(hash, found->hash) == 0) {
            memcpy(path, entry->path, DATA_PATH_LENGTH);
            return true;
        }
    }
    return false;
}

/// Does the file say of itself what the attempt says?
static bool is_same(const Search *self, const Found *found, const RecordingGlance *glance)
{
    return strcmp(glance->scene, self->wanted.scene) == 0 && strcmp(glance->trainee, found->trainee) == 0 &&
           strcmp(glance->operator_name, found->operator_name) == 0 &&
           fabs(glance->duration - found->duration) <= SAME_LENGTH;
}

/// The recording as a file that this program replays.
static bool locate_recording(Search *self, const Found *found, char path[DATA_PATH_LENGTH])
{
    RecordingGlance glance;
    Status unused;
    memcpy(path, found->path, DATA_PATH_LENGTH);
    bool there = recording_glance(path, &glance, &unused) && (found->hash[0] == '\0' || is_same(self, found, &glance));
    if (!there) {
        there = found->hash[0] != '\0' && find_moved(self, found, path) && recording_glance(path, &glance, &unused);
    }
    return there && glance.replayable && glance.seal.state != RECORDING_CHANGED &&
           (self->wanted.besides == NULL || strcmp(path, self->wanted.besides) != 0);
}

/// ---- the search ----------------------------------------------------------------------------------------------------

/// Writes the best `most` runs; returns how many. -1 with `status` when the results cannot be read.
static int find_runs(Search *self, const char *db, char (*paths)[DATA_PATH_LENGTH], int most, Status *status)
{
    Results *results = results_open(db, RESULTS_READ, status);
    bool good = results != NULL &&
                results_each(results, &(ResultFilter){.scene = self->wanted.scene}, add_attempt, self, status);
    results_close(results);
    if (good && self->wanted.expert) {
        add_folder(self);
    }
    int count = 0;
    for (int k = 0; good && k < self->count && count < most; k++) {
        bool known = !locate_recording(self, &self->found[k], paths[count]);
        for (int n = 0; n < count; n++) { // named by an attempt and found in the folder
            known = known || strcmp(paths[n], paths[count]) == 0;
        }
        count += !known;
    }
    results_recordings_free(&self->folder);
    return good ? count : -1;
}

/// The same with memory of its own: what is found is too much for a stack.
static int find_runs_for(const Wanted *wanted, const char *db, char (*paths)[DATA_PATH_LENGTH], int most,
                         Status *status)
{
    Search *self = calloc(1, sizeof *self);
    if (self == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the runs to compare with");
        return -1;
    }
    self->wanted = *wanted;
    int count = find_runs(self, db, paths, most, status);
    free(self);
    return count;
}

bool results_find_expert(const char *db, const char *scene, bool newest, char path[DATA_PATH_LENGTH], Status *status)
{
    char found[1][DATA_PATH_LENGTH];
    Wanted wanted = {.scene = scene, .expert = true, .newest = newest};
    status_good(status);
    if (find_runs_for(&wanted, db, found, 1, status) <= 0) {
        return false;
    }
    memcpy(path, found[0], DATA_PATH_LENGTH);
    return true;
}

bool results_find_comparison(const char *db, const char *recording, ResultsComparison *comparison, Status *status)
{
    *comparison = (ResultsComparison){0};
    RecordingGlance glance;
    if (!recording_glance(recording, &glance, status) || glance.seal.state == RECORDING_CHANGED) {
        return status_good(status); // the reader of the recording tells why
    }
    memcpy(comparison->scene, glance.scene, sizeof comparison->scene);
    comparison->is_expert = credit_is_expert(&glance.credit, glance.trainee);
    char *absolute = realpath(recording, NULL);
    Wanted wanted = {.scene = glance.scene, .besides = absolute, .changed = glance.changed, .expert = true};
    int experts = find_runs_for(&wanted, db, comparison->path, 1, status);
    wanted.expert = false;
    wanted.trainee = glance.trainee;
    wanted.before = glance.created;
    int own = 0;
    if (experts >= 0 && !comparison->is_expert) {
        own = find_runs_for(&wanted, db, comparison->path + experts, RESULTS_OWN_RUNS, status);
    }
    free(absolute);
    if (experts < 0 || own < 0) {
        return false;
    }
    comparison->has_expert = experts > 0;
    comparison->count = experts + own;
    return status_good(status);
}

/// ---- what an instructor says ---------------------------------------------------------------------------------------

void results_find_remarks(const char *db, const char *recording, ResultsRemarks *remarks)
{
#define OF_RECORDING                                                                                                   \
    " FROM attempt WHERE (recording_seal = ?1 AND ?1 <> '') OR recording IN (?2, ?3) ORDER BY id LIMIT 1"
    Status unused;
    char seal[SEAL_TEXT], *real = realpath(recording, NULL);
    *remarks = (ResultsRemarks){.comment = ""};
    recording_glance_seal(recording, seal);
    const char *const texts[] = {seal, recording, real != NULL ? real : recording};
    Results *results = results_open(db, RESULTS_READ, &unused);
    if (results != NULL) {
        results_find_text(results, "SELECT comment" OF_RECORDING, 3, texts, remarks->comment, sizeof remarks->comment,
                          &unused);
        results_find_text(results, "SELECT grade" OF_RECORDING, 3, texts, remarks->grade, sizeof remarks->grade,
                          &unused);
    }
    results_close(results);
    free(real);
#undef OF_RECORDING
}
