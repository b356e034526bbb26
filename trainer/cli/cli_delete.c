/// Deleting people. Results and recordings lie apart: a recording is a file of the station that made it, so each is
/// looked for here and told by what became of it, and those of other stations are told by their place.
#include "trainer/cli/cli_delete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/visible_text.h"
#include "data/core/data_files.h"
#include "trainer/results/results.h"

/// ---- recordings ----------------------------------------------------------------------------------------------------

typedef struct Deleting {
    const CliOptions *options;
    char folder[DATA_PATH_LENGTH]; ///< of the user's recordings, absolute; "" = there is none
    char station[RESULT_NAME]; ///< this computer
    bool shared;
    bool dry; ///< nothing is deleted
    int deleted, left, elsewhere; ///< recordings: gone, here and not ours to delete, on other stations
} Deleting;

static void begin(Deleting *self, const CliOptions *options)
{
    char folder[DATA_PATH_LENGTH];
    Status unused;
    *self = (Deleting){.options = options, .dry = options->dry_run, .shared = results_are_shared(options->run.results)};
    results_station(self->station);
    if (user_data_path("recordings", folder, &unused)) {
        char *real = realpath(folder, NULL);
        snprintf(self->folder, sizeof self->folder, "%s", real != NULL ? real : "");
        free(real);
    }
}

static bool is_in_folder(const Deleting *self, const char *path)
{
    size_t length = strlen(self->folder);
    return length > 0 && strncmp(path, self->folder, length) == 0 && path[length] == '/' &&
           strchr(path + length + 1, '/') == NULL;
}

/// Another station's recording may have the path of one that lies here.
static bool is_that_file(const char *path, const char *recording_hash)
{
    char hash[RESULT_HASH];
    return recording_hash[0] == '\0' || (results_hash_file(path, hash) && strcmp(hash, recording_hash) == 0);
}

static void delete_here(Deleting *self, const char *path)
{
    if (is_in_folder(self, path) && recording_is_one(path) && (self->dry || results_delete_recording(path))) {
        printf("%s %s\n", self->dry ? "would delete" : "deleted", visible_text_shown(path).text);
        self->deleted++;
    } else {
        printf("left, since it is not in the folder of recordings: %s\n", visible_text_shown(path).text);
        self->left++;
    }
}

/// One recording of the results.
static void delete_one(Deleting *self, const ResultsDeleted *one)
{
    bool here = one->station[0] == '\0' || strcmp(one->station, self->station) == 0;
    if (one->recording[0] == '\0') {
        return;
    }
    if (access(one->recording, F_OK) == 0 && is_that_file(one->recording, one->hash)) {
        delete_here(self, one->recording);
    } else if (one->cleared) {
        printf("deleted already by the clean-up: %s\n", visible_text_shown(one->recording).text);
    } else if (here && (!self->shared || one->station[0] != '\0')) {
        printf(access(one->recording, F_OK) == 0 ? "left, since it is another file by now: %s\n" : "gone already: %s\n",
               visible_text_shown(one->recording).text);
    } else {
        printf("left at %s, where \"spadework results purge\" deletes it: %s\n",
               one->station[0] != '\0' ? one->station : "another station", visible_text_shown(one->recording).text);
        self->elsewhere++;
    }
}

/// Recordings in the folder that bear the name and that no attempt of these results names.
static void delete_by_name(Deleting *self, const char *trainee, const ResultsDeletion *told)
{
    ResultRecordings list;
    Status status;
    if (!results_recordings(NULL, &list, &status)) {
        fprintf(stderr, "spadework: %s\n", status.text);
        return;
    }
    for (int k = 0; k < list.count; k++) {
        const char *path = list.entries[k].path;
        char *real = realpath(path, NULL);
        bool known = false;
        for (int n = 0; n < told->count && !known; n++) {
            known = strcmp(told->attempts[n].recording, real != NULL ? real : path) == 0;
        }
        if (!known && list.entries[k].fault[0] == '\0' && strcmp(list.entries[k].glance.trainee, trainee) == 0) {
            delete_here(self, real != NULL ? real : path);
        }
        free(real);
    }
    results_recordings_free(&list);
}

static int count_by_name(const char *trainee)
{
    ResultRecordings list;
    Status unused;
    int count = 0;
    if (results_recordings(NULL, &list, &unused)) {
        for (int k = 0; k < list.count; k++) {
            count += list.entries[k].fault[0] == '\0' && strcmp(list.entries[k].glance.trainee, trainee) == 0;
        }
        results_recordings_free(&list);
    }
    return count;
}

/// ---- what is told --------------------------------------------------------------------------------------------------

/// How many attempts there are, a line a station.
static void tell_stations(const Deleting *self, const ResultsDeletion *told)
{
    for (int k = 0; k < told->count;) {
        int first = k, recordings = 0;
        while (k < told->count && strcmp(told->attempts[k].station, told->attempts[first].station) == 0) {
            recordings += told->attempts[k++].recording[0] != '\0';
        }
        const char *station = told->attempts[first].station;
        bool here = strcmp(station, self->station) == 0;
        printf("%s%s: %d attempt%s, %d recording%s\n", station[0] != '\0' ? station : "where it is not known",
               here ? " (here)" : "", k - first, k - first == 1 ? "" : "s", recordings, recordings == 1 ? "" : "s");
    }
}

/// Asks where somebody sits at a terminal. False with `status`: it is not to be done.
static bool ask(const Deleting *self, const char *trainee, Status *status)
{
    char answer[16] = "";
    if (self->options->yes || isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) {
        return true;
    }
    printf("Delete %s with all this? [y/N] ", trainee);
    fflush(stdout);
    if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y')) {
        return true;
    }
    return status_fail(status, STATUS_BAD_USAGE, "results delete: nothing was deleted; --yes does not ask");
}

/// The server hears of it now, or when it can be reached.
static void tell_server(Results *results)
{
    Status status;
    if (results_exchange(results, CLI_DELETE_PATIENCE, NULL, &status)) {
        printf("deleted on the server; other stations follow when they next reach it\n");
    } else {
        printf("not yet deleted on the server, which waits here to be told: %s\n", status.text);
    }
}

static void tell_end(const Deleting *self, const char *trainee, bool was_known)
{
    printf("%s %s deleted from these results%s%s\n", trainee, self->dry ? "would be" : "is",
           self->left > 0 || self->elsewhere > 0 ? "; recordings that bear the name are left, see above" : "",
           was_known ? "" : ", which did not hold the name");
    printf("what was exported, sent to learning platforms or copied, backups among it, is not reached\n");
}

/// ---- the verbs -----------------------------------------------------------------------------------------------------

/// Who drove last is kept for the menu.
static void forget_last(const char *trainee)
{
    char last[RESULT_NAME];
    Status unused;
    results_remembered(last);
    if (strcmp(last, trainee) == 0) {
        results_remember("", &unused);
    }
}

bool cli_delete(const CliOptions *options, Results *results, const char *trainee, Status *status)
{
    Deleting self;
    ResultsDeletion told;
    begin(&self, options);
    if (!results_describe(results, trainee, &told, status)) {
        return false;
    }
    int named = count_by_name(trainee);
    if (!told.known && named == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no trainee %.80s", trainee);
    }
    tell_stations(&self, &told);
    bool known = told.known, good = self.dry || ask(&self, trainee, status);
    if (good && known && !self.dry) { // what was added meanwhile is deleted and told, too
        results_deletion_free(&told);
        good = results_delete_trainee(results, trainee, &told, status);
    }
    if (good) {
        for (int k = 0; k < told.count; k++) {
            delete_one(&self, &told.attempts[k]);
        }
        delete_by_name(&self, trainee, &told);
        if (!self.dry) {
            forget_last(trainee);
        }
        if (self.shared && known && !self.dry) {
            tell_server(results);
        }
        tell_end(&self, trainee, known);
    }
    results_deletion_free(&told);
    return good;
}

bool cli_purge(const CliOptions *options, Results *results, Status *status)
{
    Deleting self;
    ResultsDeleted *list = NULL;
    begin(&self, options);
    int count = results_left(results, &list, status);
    bool good = count >= 0;
    for (int k = 0; k < count && good; k++) {
        bool there = access(list[k].recording, F_OK) == 0 && is_that_file(list[k].recording, list[k].hash);
        int left = self.left;
        if (there) {
            delete_here(&self, list[k].recording);
        }
        if (!self.dry && self.left == left) {
            good = results_forget_left(results, list[k].recording, status);
        }
    }
    if (good) {
        printf("%d recording%s of people who were deleted %s deleted, %d left\n", self.deleted,
               self.deleted == 1 ? "" : "s",
               self.dry            ? "would be"
               : self.deleted == 1 ? "is"
                                   : "are",
               self.left);
    }
    free(list);
    return good;
}

void cli_tell_left(Results *results)
{
    ResultsDeleted *list = NULL;
    Status unused;
    int count = results_left(results, &list, &unused), here = 0;
    for (int k = 0; k < count; k++) {
        if (access(list[k].recording, F_OK) != 0) { // another station's, or gone by now
            results_forget_left(results, list[k].recording, &unused);
        } else {
            here++;
        }
    }
    if (here > 0) {
        fprintf(stderr,
                "spadework: %d recording%s of people who were deleted at another station %s left here: \"spadework "
                "results purge\" deletes them\n",
                here, here == 1 ? "" : "s", here == 1 ? "is" : "are");
    }
    free(list);
}
