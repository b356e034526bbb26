/// Checks files one after the other. A file that loads may still be impossible to begin with: machines are built,
/// attachments are hung on the shipped machines that carry them, scenes are begun with their experts, and of a
/// recording the seals are checked and every keyframe is restored.
#include "trainer/cli/cli_check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/key_place.h"
#include "data/schema/scene_copy.h"
#include "data/core/regular_file.h"
#include "data/schema/load.h"
#include "machine/machine.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/cli/cli_output.h"
#include "trainer/report/report.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

/// By its name or by its first bytes.
static bool is_recording(const char *path)
{
    char head[16] = "";
    size_t length = strlen(path);
    if (length > 6 && strcmp(path + length - 6, ".spade") == 0) {
        return true;
    }
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    if (file != NULL) {
        size_t got = fread(head, 1, sizeof head, file);
        fclose(file);
        return got == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0;
    }
    return false;
}

static bool can_be_built(const DataFiles *files, const MachineParams *params, Status *status)
{
    Machine *machine = machine_create(params, status);
    bool good = machine != NULL && machine_starts_above(machine, status);
    machine_destroy(machine);
    if (!good) {
        start_fault_place(files, params, status);
    }
    return good;
}

/// Hangs an attachment on a shipped machine. True when that one carries it, by kind and mass; `fits`: can be built so.
static bool hang_on(const char *path, const char *name, MachineParams *machine, bool *fits, Status *status)
{
    DataFiles files = {0};
    bool carries =
        data_load_machine(name, machine, &files, status) && data_load_attachment(path, machine, &files, status);
    *fits = carries && can_be_built(&files, machine, status);
    data_files_free(&files);
    return carries;
}

/// An attachment that fits none of the shipped machines that carry it is bad; one that fits some of them, a warning.
static bool check_attachment(const char *path, MachineParams *machine, Findings *findings, Status *status)
{
    enum { MOST = 64 };
    static DataListEntry machines[MOST];
    Status other, worst = {STATUS_GOOD, ""};
    int count = data_list("machines", machines, MOST, &other), fitting = 0, misfits = 0;
    for (int k = 0; k < count; k++) {
        bool fits;
        if (!hang_on(path, machines[k].name, machine, &fits, &other)) {
            continue;
        }
        fitting += fits;
        if (!fits && misfits++ == 0) {
            status_fail(&worst, other.code, "%.900s (on %s)", other.text, machines[k].name);
        }
    }
    if (misfits > 0 && fitting > 0) {
        findings_add(findings, true, worst.text);
    }
    *status = misfits > 0 && fitting == 0 ? worst : *status;
    return misfits == 0 || fitting > 0;
}

/// The scene can be begun, and its expert can drive it.
static bool check_scene(const char *path, Status *status)
{
    Session *session = session_create(&(SessionParams){.scene = path, .threads = 1}, status);
    bool good = session != NULL;
    if (good && session_scene(session)->exercise.expert[0] != '\0') {
        Operator expert;
        good = operator_create(&expert, &(OperatorParams){.name = "expert"}, session, status);
        if (good) {
            operator_destroy(&expert);
        } else if (status->code == STATUS_BAD_USAGE) {
            char text[sizeof status->text + 24];
            snprintf(text, sizeof text, "exercise.expert: %s", status->text);
            key_place_fail(path, "exercise.expert", text, status);
        }
    }
    session_destroy(session);
    return good;
}

/// A file of data/ that is good as a file.
static bool check_use(const char *path, Findings *findings, Status *status)
{
    DataFiles files = {0};
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    Status other;
    bool good = true;
    if (scene == NULL || machine == NULL) {
        good = status_fail(status, STATUS_LACKING, "%s: out of memory", path);
    } else if (data_load_machine(path, machine, &files, &other)) {
        good = can_be_built(&files, machine, status);
    } else if (data_load_scene(path, NULL, 0, scene, machine, NULL, &other)) {
        good = check_scene(path, status);
    } else {
        good = check_attachment(path, machine, findings, status);
    }
    data_files_free(&files);
    free(machine);
    free(scene);
    return good;
}

static bool check_data(const char *path, Findings *findings, Status *status)
{
    return data_check_file(path, findings, status) && check_use(path, findings, status);
}

/// What the seals of a recording say comes first. Then each keyframe must restore: one that is damaged is told together
/// with what was changed.
static bool check_recording(const CliOptions *options, const char *path, RecordingSeal *seal, Status *status)
{
    bool shows = cli_shows_progress(&options->run);
    RecordingProgress *progress = shows ? cli_show_progress : NULL;
    CliProgress seals = {.done = "checked", .what = "seals"}, keyframes = {.done = "checked", .what = "keyframes"};
    Status changed = {STATUS_GOOD, ""};
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    bool good = recording_prove(recording, progress, &seals, seal, status);
    if (good && seal->state == RECORDING_CHANGED) {
        recording_tell_change(recording, seal, &changed);
    }
    Session *session = good ? recording_create_session(recording, 1, status) : NULL;
    good = session != NULL && recording_check_keyframes(recording, session, progress, &keyframes, status);
    session_destroy(session);
    recording_close(recording);
    if (changed.code != STATUS_GOOD && good) {
        *status = changed;
    } else if (changed.code != STATUS_GOOD) {
        Status damage = *status;
        status_fail(status, damage.code, "%.600s; %.300s", damage.text, changed.text);
    }
    return good && changed.code == STATUS_GOOD;
}

static bool check_file(const CliOptions *options, const char *path, RecordingSeal *seal, Findings *findings,
                       Status *status)
{
    status_good(status);
    return is_recording(path) ? check_recording(options, path, seal, status) : check_data(path, findings, status);
}

/// Prints all faults and warnings of a file, one a line; of none that is a data file's, the status.
static void print_findings(const Findings *findings, const Status *status)
{
    for (int k = 0; k < findings->count; k++) {
        fprintf(stderr, "%s%s\n", findings->list[k].warning ? "warning: " : "", findings->list[k].text);
    }
    if (findings->beyond > 0) {
        fprintf(stderr, "... and %d more\n", findings->beyond);
    }
    if (findings->faults == 0 && status->code != STATUS_GOOD) {
        fprintf(stderr, "%s\n", status->text);
    }
}

static json_t *list_findings(const Findings *findings, bool warnings)
{
    json_t *list = json_array();
    for (int k = 0; k < findings->count; k++) {
        if (findings->list[k].warning == warnings) {
            json_array_append_new(list, json_string(findings->list[k].text));
        }
    }
    return list;
}

static bool has_warnings(const Findings *findings)
{
    return findings->count + findings->beyond > findings->faults;
}

/// A word that is no file may be a scene's name; what it leads to is what is checked.
static const char *find_file(const char *word, char path[DATA_PATH_LENGTH])
{
    Status ignored;
    bool name = strpbrk(word, "./") == NULL && access(word, F_OK) != 0;
    return name && scene_copy_find(word, path, &ignored) ? path : word;
}

/// Checks one file, prints what is found, and adds it to the JSON array, if there is one. Returns the exit code.
static int check_one(const CliOptions *options, const char *word, json_t *array)
{
    char found[DATA_PATH_LENGTH];
    const char *path = find_file(word, found);
    static Findings findings;
    Status status;
    findings = (Findings){0};
    RecordingSeal seal = {0};
    bool loads = check_file(options, path, &seal, &findings, &status);
    bool good = loads && !(options->strict && has_warnings(&findings));
    print_findings(&findings, &status);
    bool sealed = seal.state != RECORDING_UNCHECKED;
    if (good && array == NULL) {
        char words[SEAL_WORDS] = "";
        if (sealed) {
            seal_words(&seal, true, words, sizeof words);
        }
        printf("%s: good%s%s\n", path, sealed ? ": " : "", words);
    }
    if (array != NULL) {
        json_t *entry = json_object();
        json_object_set_new(entry, "file", json_string(path));
        json_object_set_new(entry, "good", json_boolean(good));
        json_object_set_new(entry, "message", loads ? json_null() : json_string(status.text));
        json_object_set_new(entry, "faults", list_findings(&findings, false));
        json_object_set_new(entry, "warnings", list_findings(&findings, true));
        if (sealed) {
            json_object_set_new(entry, "evidence", cli_seal_json(&seal));
        }
        json_array_append_new(array, entry);
    }
    return good ? STATUS_GOOD : loads ? STATUS_BAD_FILE : (int)status.code;
}

int cli_check(const CliOptions *options)
{
    json_t *array = options->run.json ? json_array() : NULL;
    int result = STATUS_GOOD;
    for (int k = 0; k < options->file_count; k++) {
        int code = check_one(options, options->files[k], array);
        result = result == STATUS_GOOD || code == STATUS_BAD_FILE ? code : result; // a bad file is what is told
    }
    if (array != NULL) {
        json_dumpf(array, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(array);
    }
    int written = cli_flush();
    return result != STATUS_GOOD ? result : written;
}
