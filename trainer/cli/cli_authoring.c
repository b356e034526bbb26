/// Commands for people who write scenes, machines and other files of data/: list, check, new, preview, reference,
/// texts.
#include "trainer/cli/cli_commands.h"

#include <cairo/cairo-svg.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/visible_text.h"
#include "data/core/metric.h"
#include "data/core/language.h"
#include "data/core/system_files.h"
#include "data/core/status.h"
#include "data/schema/schema.h"
#include "machine/machine.h"
#include "trainer/cli/cli_table.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"
#include "trainer/sim/sim.h"

enum { LIST_MOST = 512 };

/// ---- list ----------------------------------------------------------------------------------------------------------

int cli_list(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    DataListEntry *entries = calloc(LIST_MOST, sizeof *entries);
    if (entries == NULL) {
        status_fail(&status, STATUS_LACKING, "out of memory for the list");
        return cli_fail(&status);
    }
    int count = data_list(options->kind, entries, LIST_MOST, &status);
    json_t *array = options->run.json ? json_array() : NULL;
    for (int k = 0; k < count; k++) {
        if (array != NULL) {
            json_t *entry = json_object();
            json_object_set_new(entry, "name", json_string(entries[k].name));
            json_object_set_new(entry, "title", json_string(entries[k].title));
            json_object_set_new(entry, "own", json_boolean(entries[k].own));
            json_object_set_new(entry, "shared", json_boolean(entries[k].shared));
            json_object_set_new(entry, "hides", json_boolean(entries[k].hides));
            json_array_append_new(array, entry);
        } else {
            printf("%-20s %s%s\n", entries[k].name, language_text(entries[k].title),
                   entries[k].own      ? " (own)"
                   : entries[k].shared ? " (shared)"
                                       : "");
        }
        if (entries[k].hides) {
            fprintf(stderr,
                    "spadework: %s: another folder has a file of this name, too; %s one is found by it: rename the "
                    "other\n",
                    entries[k].name, entries[k].shared ? "the shared" : "the shipped");
        }
    }
    free(entries);
    if (count < 0) {
        json_decref(array);
        return cli_fail(&status);
    }
    if (array != NULL) {
        cli_print_json(array);
    }
    return cli_flush();
}

/// ---- check ---------------------------------------------------------------------------------------------------------

/// A file that loads may still be impossible to begin with: machines are built, attachments are hung on the shipped
/// machines that carry them, scenes are begun with their experts, and of a recording the seals are checked and every
/// keyframe is restored.

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

/// Loads an attachment or a coupler onto a machine: data_load_attachment, data_load_coupler.
typedef bool LoadOnto(const char *path, MachineParams *machine, DataFiles *files, Status *status);

/// Hangs it on a shipped machine. True when that one carries it, by kind and mass; `fits`: can be built so.
static bool attach_to(LoadOnto *load, const char *path, const char *name, MachineParams *machine, bool *fits,
                      Status *status)
{
    DataFiles files = {0};
    bool carries = data_load_machine(name, machine, &files, status) && load(path, machine, &files, status);
    *fits = carries && can_be_built(&files, machine, status);
    data_files_free(&files);
    return carries;
}

/// What fits none of the shipped machines that carry it is bad; what fits some of them, a warning.
static bool check_attachment(LoadOnto *load, const char *path, MachineParams *machine, Findings *findings,
                             Status *status)
{
    enum { MOST = 64 };
    static DataListEntry machines[MOST];
    Status other, worst = {STATUS_GOOD, ""};
    int count = data_list("machines", machines, MOST, &other), fitting = 0, misfits = 0;
    for (int k = 0; k < count; k++) {
        bool fits;
        if (!attach_to(load, path, machines[k].name, machine, &fits, &other)) {
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
        good = check_attachment(data_load_attachment, path, machine, findings, status) &&
               check_attachment(data_load_coupler, path, machine, findings, status);
    }
    data_files_free(&files);
    free(machine);
    free(scene);
    return good;
}

static bool check_data(const char *path, Findings *findings, SurveyInfo *survey, Status *status)
{
    return data_check_file(path, findings, survey, status) && check_use(path, findings, status);
}

/// Checks the seals first, then that each keyframe restores. A status that says both names the damage first.
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

static bool check_file(const CliOptions *options, const char *path, RecordingSeal *seal, SurveyInfo *survey,
                       Findings *findings, Status *status)
{
    status_good(status);
    return is_recording(path) ? check_recording(options, path, seal, status)
                              : check_data(path, findings, survey, status);
}

/// Where the middle of a surface lies, m, rounded as a scene states it.
static void find_middle(const SurveySurface *surface, double middle[3])
{
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = round(50.0 * (surface->low[axis] + surface->high[axis])) / 100.0;
    }
}

/// Prints what a survey holds, and how a scene would take it.
static void print_survey(const char *path, const SurveyInfo *survey)
{
    for (int k = 0; k < survey->count; k++) {
        const SurveySurface *surface = &survey->surfaces[k];
        double middle[3];
        bool large = surface->faces > SURVEY_KEPT_FACES || surface->faces == 0;
        char loops[48] = "", named[SURVEY_NAME_LENGTH + 16] = "";
        find_middle(surface, middle);
        if (surface->loops > 1) {
            snprintf(loops, sizeof loops, ", a boundary of %d loops", surface->loops);
        }
        if (survey->count > 1) {
            snprintf(named, sizeof named, ", surface: \"%s\"", surface->name);
        }
        printf("  %s in %s: surface \"%s\" with %d points, ", survey->format, survey->unit, surface->name,
               surface->points);
        if (surface->faces > 0) {
            printf("%d face%s%s\n", surface->faces, surface->faces == 1 ? "" : "s", loops);
        } else {
            printf("too many to join them all\n");
        }
        printf("    east %.2f to %.2f m, north %.2f to %.2f m, height %.2f to %.2f m\n", surface->low[0],
               surface->high[0], surface->low[1], surface->high[1], surface->low[2], surface->high[2]);
        if (surface->longest > 0.0) {
            printf("    the points are joined to triangles; %d with an edge of more than %.2f m %s left out\n",
                   surface->long_count, surface->longest, surface->long_count == 1 ? "is" : "are");
        }
        printf("    in a scene, with %s at x, y, z: {tolerance: 0.03, file: %s%s, east: %.2f, north: %.2f, "
               "elevation: %.2f%s}\n",
               large ? "a part around its middle" : "its middle", path, named, middle[0], middle[1], middle[2],
               large ? ", crop_length: 50, crop_width: 50" : "");
    }
}

static json_t *survey_json(const SurveyInfo *survey)
{
    json_t *surfaces = json_array();
    for (int k = 0; k < survey->count; k++) {
        const SurveySurface *surface = &survey->surfaces[k];
        double middle[3];
        find_middle(surface, middle);
        json_array_append_new(surfaces,
                              json_pack("{s:s, s:i, s:i, s:i, s:[f, f], s:[f, f], s:[f, f], s:[f, f, f], s:i, s:f}",
                                        "name", surface->name, "points", surface->points, "faces", surface->faces,
                                        "loops", surface->loops, "east", surface->low[0], surface->high[0], "north",
                                        surface->low[1], surface->high[1], "height", surface->low[2], surface->high[2],
                                        "middle", middle[0], middle[1], middle[2], "long_faces", surface->long_count,
                                        "longest_edge", surface->longest));
    }
    return json_pack("{s:s, s:s, s:o}", "format", survey->format, "unit", survey->unit, "surfaces", surfaces);
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

static json_t *findings_json(const Findings *findings, bool warnings)
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

/// The path of a file that is named by its path or, of a scene, by its name.
static const char *find_checked_file(const char *word, char path[DATA_PATH_LENGTH])
{
    Status ignored;
    bool name = strpbrk(word, "./") == NULL && access(word, F_OK) != 0;
    return name && scene_copy_find(word, path, &ignored) ? path : word;
}

/// Checks one file, prints what is found, and adds it to the JSON array, if there is one. Returns the exit code.
static int check_one(const CliOptions *options, const char *word, json_t *array)
{
    char found[DATA_PATH_LENGTH];
    const char *path = find_checked_file(word, found);
    static Findings findings;
    Status status;
    findings = (Findings){0};
    RecordingSeal seal = {0};
    SurveyInfo survey = {.format = NULL};
    bool loads = check_file(options, path, &seal, &survey, &findings, &status);
    bool good = loads && !(options->strict && has_warnings(&findings));
    print_findings(&findings, &status);
    bool sealed = seal.state != RECORDING_UNCHECKED;
    if (good && array == NULL) {
        char words[SEAL_WORDS] = "";
        if (sealed) {
            seal_words(&seal, true, words, sizeof words);
        }
        printf("%s: good%s%s\n", path, sealed ? ": " : "", words);
        print_survey(path, &survey);
    }
    if (array != NULL) {
        json_t *entry = json_object();
        json_object_set_new(entry, "file", json_string(path));
        json_object_set_new(entry, "good", json_boolean(good));
        json_object_set_new(entry, "message", loads ? json_null() : json_string(status.text));
        json_object_set_new(entry, "faults", findings_json(&findings, false));
        json_object_set_new(entry, "warnings", findings_json(&findings, true));
        if (sealed) {
            json_object_set_new(entry, "evidence", cli_seal_json(&seal));
        }
        if (survey.format != NULL && loads) {
            json_object_set_new(entry, "survey", survey_json(&survey));
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
        result =
            result == STATUS_GOOD || code == STATUS_BAD_FILE ? code : result; // a bad file outweighs other failures
    }
    if (array != NULL) {
        cli_print_json(array);
    }
    int written = cli_flush();
    return result != STATUS_GOOD ? result : written;
}

/// ---- new -----------------------------------------------------------------------------------------------------------

/// A kind of file that `new` makes.
typedef struct NewKind {
    const char *word; ///< on the command line
    const char *kind, *folder; ///< of the file; in the user's data folder
    bool needs_from; ///< else there is a file to begin with
} NewKind;
static const NewKind new_kinds[] = {{"exercise", "scene", "scenes", true}, {"course", "course", "courses", false}};
enum { NEW_KINDS = sizeof new_kinds / sizeof new_kinds[0] };

/// The file that is to be made. It is checked as a file of its new place before it is written: a reference to a file
/// beside the other scene is a fault there.
typedef struct NewFile {
    const NewKind *kind;
    const char *from; ///< path or name; NULL: what the kind begins with
    char name[64];
    char title[96];
    char path[DATA_PATH_LENGTH];
} NewFile;

static bool fail_new_usage(Status *status, const char *what)
{
    return status_fail(status, STATUS_BAD_USAGE, "new: %s; see: spadework new --help", what);
}

/// The name of a file without folder and ending.
static bool name_of_path(const char *path, char name[64], Status *status)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    size_t length = strlen(file);
    if (length < 6 || strcmp(file + length - 5, ".yaml") != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "-o %.80s: a name that ends in .yaml is expected", path);
    }
    if (length - 5 >= 64) {
        return status_fail(status, STATUS_BAD_USAGE, "-o %.80s: the name is longer than 63 bytes", path);
    }
    memcpy(name, file, length - 5);
    name[length - 5] = '\0';
    return true;
}

/// "my-trench" becomes "My trench".
static void title_of_name(const char *name, char title[96])
{
    snprintf(title, 96, "%s", name);
    for (char *c = title; *c != '\0'; c++) {
        *c = *c == '-' || *c == '_' ? ' ' : *c;
    }
    title[0] = (char)toupper((unsigned char)title[0]);
}

/// Name and place: in the user's folder, or where -o says.
static bool find_place(const CliOptions *options, NewFile *made, Status *status)
{
    const char *name = options->file_count > 1 ? options->files[1] : NULL;
    char folder[DATA_PATH_LENGTH];
    if (options->copy != NULL) {
        if (!name_of_path(options->copy, made->name, status)) {
            return false;
        }
        snprintf(made->path, sizeof made->path, "%s", options->copy);
        return strlen(options->copy) < sizeof made->path ||
               status_fail(status, STATUS_BAD_USAGE, "-o %.80s...: the path is too long", options->copy);
    }
    if (name == NULL) {
        return fail_new_usage(status, "needs the NAME of the new file, or -o FILE.yaml");
    }
    if (!data_copy_may_be_called(made->kind->kind, name, status)) {
        return false;
    }
    snprintf(made->name, sizeof made->name, "%.63s", name);
    if (!user_data_path(made->kind->folder, folder, status)) {
        return false;
    }
    int length = snprintf(made->path, sizeof made->path, "%.*s/%s.yaml", DATA_PATH_LENGTH - 70, folder, name);
    return (length < (int)sizeof made->path && strlen(folder) < (size_t)(DATA_PATH_LENGTH - 70)) ||
           status_fail(status, STATUS_LACKING, "%.100s...: the path of the user's files is too long", folder);
}

static bool plan_copy(const CliOptions *options, NewFile *made, Status *status)
{
    for (int k = 0; k < NEW_KINDS && options->file_count > 0; k++) {
        made->kind = strcmp(options->files[0], new_kinds[k].word) == 0 ? &new_kinds[k] : made->kind;
    }
    if (made->kind == NULL) {
        fail_new_usage(status, "what is expected: new exercise --from SCENE NAME, or new course NAME");
        return false;
    }
    if (options->file_count > 2 || (options->file_count == 2 && options->copy != NULL)) {
        return fail_new_usage(status, "one NAME is expected, or -o FILE.yaml in its place");
    }
    if (options->from_scene == NULL && made->kind->needs_from) {
        return fail_new_usage(status, "needs --from SCENE, the scene it is made from");
    }
    made->from = options->from_scene;
    if (!find_place(options, made, status)) {
        return false;
    }
    if (options->title == NULL) {
        title_of_name(made->name, made->title);
        return true;
    }
    snprintf(made->title, sizeof made->title, "%s", options->title);
    return strlen(options->title) < sizeof made->title ||
           status_fail(status, STATUS_BAD_USAGE, "--title: it is longer than %zu bytes", sizeof made->title - 1);
}

static bool fail_write(const char *path, Status *status)
{
    return errno == EEXIST ? status_fail(status, STATUS_LACKING,
                                         "%s: there is a file already, which is left alone: choose another name", path)
                           : status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(errno));
}

/// Makes the file, which is removed again when it cannot be written whole.
static bool write_new(const char *path, const char *text, size_t size, Status *status)
{
    int handle = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (handle < 0) {
        return fail_write(path, status);
    }
    FILE *file = fdopen(handle, "wb");
    bool written = file != NULL && fwrite(text, 1, size, file) == size;
    int error = errno;
    if (file == NULL) {
        close(handle);
    } else if (fclose(file) != 0) {
        error = written ? errno : error;
        written = false;
    }
    if (!written) {
        unlink(path);
        errno = error;
        return fail_write(path, status);
    }
    return true;
}

static bool make_copy(const CliOptions *options, NewFile *made, Status *status)
{
    char folder[DATA_PATH_LENGTH];
    char *text = NULL;
    size_t size = 0;
    if (!plan_copy(options, made, status) ||
        !data_copy(made->kind->kind, made->from, made->title, &text, &size, status)) {
        return false;
    }
    bool good = data_check_text(made->path, text, size, status);
    if (good && options->copy == NULL) {
        good = user_data_path(made->kind->folder, folder, status) && user_make_folder(folder, status);
    }
    good = good && write_new(made->path, text, size, status);
    free(text);
    return good;
}

/// Prints the path and the commands that check and drive it; a course is driven from its first exercise on.
static void print_new(const CliOptions *options, const NewFile *made)
{
    char file[2 * DATA_PATH_LENGTH], name[SCENE_NAME_LENGTH], course[COURSE_NAME_LENGTH + 16] = "";
    const char *dot = strchr(made->path, '/') == NULL && made->path[0] != '-' ? "./" : "";
    printf("%-13s %s\n", made->kind->word, made->path);
    if (!shell_word_file(made->path, file, sizeof file)) {
        return;
    }
    CourseParams params;
    Status unused;
    bool is_course = !made->kind->needs_from, named = options->copy == NULL;
    if (is_course && data_load_course(made->path, &params, &unused)) {
        snprintf(course, sizeof course, "%s --course ", params.exercises[0].scene);
    }
    named = named && shell_word_scene(made->name, name, sizeof name);
    printf("check         spadework check %s%s\n", dot, file);
    printf("drive         spadework run %s%s%s\n", course, named ? "" : dot, named ? name : file);
}

int cli_new(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    NewFile made = {0};
    if (!make_copy(options, &made, &status)) {
        return cli_fail(&status);
    }
    print_new(options, &made);
    return cli_flush();
}

/// ---- preview -------------------------------------------------------------------------------------------------------

enum { PLAN_WIDTH = 900, PLAN_HEIGHT = 640 }; ///< pixels, or points

static bool draw_plan_file(const SceneParams *scene, const MachineParams *machine, const char *path, Status *status)
{
    bool svg = output_ends_in(path, ".svg");
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, PLAN_WIDTH, PLAN_HEIGHT)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, PLAN_WIDTH, PLAN_HEIGHT);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    plan_draw_machine(cairo, scene, machine, results_units(), PLAN_WIDTH, PLAN_HEIGHT);
    cairo_destroy(cairo);
    cairo_status_t code = svg ? CAIRO_STATUS_SUCCESS : cairo_surface_write_to_png(surface, path);
    cairo_surface_finish(surface);
    code = code == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : code;
    cairo_surface_destroy(surface);
    if (code != CAIRO_STATUS_SUCCESS) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the plan cannot be written: %s", path,
                           cairo_status_to_string(code));
    }
    return true;
}

int cli_preview(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const char *path = options->html;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    DataFiles files = {0};
    bool good = scene != NULL && machine != NULL;
    if (!good) {
        status_fail(&status, STATUS_LACKING, "out of memory for the scene");
    } else if (!output_ends_in(path, ".png") && !output_ends_in(path, ".svg")) {
        good = status_fail(&status, STATUS_BAD_USAGE, "-o %.80s: a name that ends in .png or .svg is expected", path);
    }
    good = good && output_may_replace(path, output_ends_in(path, ".svg") ? OUTPUT_SVG : OUTPUT_PICTURE, &status) &&
           data_load_scene(options->run.scene, NULL, 0, scene, machine, &files, &status) &&
           draw_plan_file(scene, machine, path, &status);
    data_files_free(&files);
    free(machine);
    free(scene);
    if (!good) {
        return cli_fail(&status);
    }
    printf("plan          %s\n", path);
    return cli_flush();
}

/// ---- volumes -------------------------------------------------------------------------------------------------------

#define VOLUME_TOLERANCE 0.03 ///< m: default

/// place  where it is greatest
static void print_part(const char *name, double part, const VolumePlace *place)
{
    printf("%-13s %.3f m3", name, part);
    if (part > 0.0) {
        printf(", %.3f m at most, at east %.2f, north %.2f", fabs(place->change), place->east, place->north);
    }
    fputs("\n", stdout);
}

static int print_volume(const CliOptions *options, const VolumeRequest *request, const Volume *volume)
{
    if (options->run.json) {
        json_t *object =
            json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "from", request->from, "to", request->to,
                      "cell_m", volume->cell, "area_m2", volume->area, "cut_m3", volume->cut, "fill_m3", volume->fill,
                      "tolerance_m", request->tolerance, "equal_share", volume->equal / volume->area, "lowest_m",
                      volume->lowest.change, "highest_m", volume->highest.change);
        cli_print_json(object);
        return cli_flush();
    }
    printf("from          %s\n", visible_text_shown(request->from).text);
    printf("to            %s\n", visible_text_shown(request->to).text);
    printf("area          %.2f m2 that both have, in cells of %g m\n", volume->area, volume->cell);
    print_part("cut", volume->cut, &volume->lowest);
    print_part("fill", volume->fill, &volume->highest);
    printf("fill less cut %.3f m3\n", volume->fill - volume->cut);
    printf("equal         %.2f %% of the area, within %g m\n", 100.0 * volume->equal / volume->area,
           request->tolerance);
    if (options->html != NULL) {
        printf("page          %s\n", visible_text_shown(options->html).text);
    }
    return cli_flush();
}

int cli_volume(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const VolumeRequest request = {.from = options->files[0],
                                   .to = options->files[1],
                                   .cell = options->cell,
                                   .tolerance = options->tolerance > 0.0 ? options->tolerance : VOLUME_TOLERANCE};
    Volume volume;
    if (!volume_compare(&request, &volume, &status)) {
        return cli_fail(&status);
    }
    bool good = options->html == NULL || volume_write(&volume, &request, options->html, results_units(), &status);
    int code = good ? print_volume(options, &request, &volume) : cli_fail(&status);
    volume_free(&volume);
    return code;
}

/// ---- reference -----------------------------------------------------------------------------------------------------

enum { REFERENCE_FEW = 10 }; ///< names of more choices are listed once, behind the keys

typedef struct ReferencePage {
    const char *title;
    const ReferenceKey *keys;
    int count;
} ReferencePage;

/// "number, m, 0.2 to 6, default 60"; a key that is needed says so.
static void describe_key(const ReferenceKey *key, char *words, size_t size)
{
    char fallback[REFERENCE_WORDS + 16];
    snprintf(fallback, sizeof fallback, "default %s", key->fallback);
    snprintf(words, size, "%s%s%s%s%s, %s", key->type, key->unit[0] != '\0' ? ", " : "", key->unit,
             key->allowed[0] != '\0' ? ", " : "", key->allowed,
             key->needed                ? "needed"
             : key->fallback[0] != '\0' ? fallback
                                        : "may be left out");
}

/// True for the first key that has a list of many choices.
static bool begins_names(const ReferencePage *page, int index)
{
    const ReferenceKey *key = &page->keys[index];
    bool begins = reference_choice_count(key) > REFERENCE_FEW;
    for (int k = 0; k < index && begins; k++) {
        begins = page->keys[k].choices != key->choices;
    }
    return begins;
}

/// What a name of a long list means: a figure with its unit, or an incident; "" of others.
static void explain_name(const char *name, char *words, size_t size)
{
    Metric metric = metric_named(name);
    words[0] = '\0';
    if (metric != METRIC_COUNT) {
        const char *unit = metric_infos[metric].unit;
        bool bare = strcmp(unit, "1") == 0;
        snprintf(words, size, "%s%s%s", bare ? "" : unit, bare ? "" : ": ", metric_infos[metric].phrase);
    }
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        if (strcmp(incident_names[k], name) == 0) {
            snprintf(words, size, "%s", incident_phrases[k]);
        }
    }
}

static void print_reference_text(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fprintf(file, "%s\n\n", page->title);
    for (int k = 0; k < page->count; k++) {
        describe_key(&page->keys[k], words, sizeof words);
        fprintf(file, "%s\n    %s\n    %s\n", page->keys[k].path, words, page->keys[k].meaning);
    }
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fprintf(file, "\nNames for %s\n", page->keys[k].path);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain_name(name, words, sizeof words);
            fprintf(file, words[0] != '\0' ? "    %-24s %s\n" : "    %s\n", name, words);
        }
    }
    fputc('\n', file);
}

static void print_reference_markdown(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fprintf(file, "# %s\n\n| key | value | unit | allowed | when left out | meaning |\n|---|---|---|---|---|---|\n",
            page->title);
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        fprintf(file, "| `%s` | %s | %s | %s | %s | %s |\n", key->path, key->type, key->unit, key->allowed,
                key->needed ? "(needed)" : key->fallback, key->meaning);
    }
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fprintf(file, "\n## Names for `%s`\n\n| name | meaning |\n|---|---|\n", page->keys[k].path);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain_name(name, words, sizeof words);
            fprintf(file, "| `%s` | %s |\n", name, words);
        }
    }
    fputc('\n', file);
}

static void print_cell(const char *text, FILE *file)
{
    fputs("<td>", file);
    html_put(file, text);
    fputs("</td>", file);
}

static void begin_reference_html(const char *kind, FILE *file)
{
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Keys of a %s</title>\n"
            "<style>body{font:15px/1.4 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
            "table{border-collapse:collapse;width:100%%}td,th{border-bottom:1px solid #ccc;padding:.25em .6em;"
            "text-align:left;vertical-align:top}td:first-child{font-family:monospace}tr.inside td:first-child"
            "{color:#444}@media print{body{font-size:9pt}}</style></head><body>\n",
            kind);
}

static void end_reference_html(FILE *file)
{
    fputs("</body></html>\n", file);
}

static void print_reference_html(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fputs("<h1>", file);
    html_put(file, page->title);
    fputs("</h1>\n<table><tr><th>key</th><th>value</th><th>unit</th><th>allowed</th><th>when left out</th>"
          "<th>meaning</th></tr>\n",
          file);
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        fputs("<tr>", file);
        print_cell(key->path, file);
        print_cell(key->type, file);
        print_cell(key->unit, file);
        print_cell(key->allowed, file);
        print_cell(key->needed ? "(needed)" : key->fallback, file);
        print_cell(key->meaning, file);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fputs("<h2>Names for ", file);
        html_put(file, page->keys[k].path);
        fputs("</h2>\n<table><tr><th>name</th><th>meaning</th></tr>\n", file);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain_name(name, words, sizeof words);
            fputs("<tr>", file);
            print_cell(name, file);
            print_cell(words, file);
            fputs("</tr>\n", file);
        }
        fputs("</table>\n", file);
    }
}

static json_t *reference_json(const ReferencePage *page)
{
    json_t *object = json_object(), *list = json_array();
    json_object_set_new(object, "title", json_string(page->title));
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        json_t *entry = json_object();
        json_object_set_new(entry, "path", json_string(key->path));
        json_object_set_new(entry, "type", json_string(key->type));
        json_object_set_new(entry, "unit", cli_json_text(key->unit));
        json_object_set_new(entry, "allowed", cli_json_text(key->allowed));
        json_object_set_new(entry, "default", cli_json_text(key->fallback));
        json_object_set_new(entry, "needed", json_boolean(key->needed));
        json_object_set_new(entry, "meaning", json_string(key->meaning));
        if (key->choices != NULL) {
            json_t *choices = json_array();
            for (int i = 0; reference_choice(key, i) != NULL; i++) {
                json_array_append_new(choices, json_string(reference_choice(key, i)));
            }
            json_object_set_new(entry, "choices", choices);
        }
        json_array_append_new(list, entry);
    }
    json_object_set_new(object, "keys", list);
    return object;
}

/// A kind there is; the status lists them.
static bool check_kind(const char *kind, Status *status)
{
    char kinds[160] = "";
    for (int k = 0; reference_kind(k) != NULL; k++) {
        size_t length = strlen(kinds);
        snprintf(kinds + length, sizeof kinds - length, "%s%s", k > 0 ? ", " : "", reference_kind(k));
    }
    return reference_part(kind, 0) != NULL ||
           status_fail(status, STATUS_BAD_USAGE, "reference %.80s: one of %s is allowed", kind, kinds);
}

static void print_reference_page(const CliOptions *options, const ReferencePage *page, json_t *pages)
{
    if (pages != NULL) {
        json_array_append_new(pages, reference_json(page));
    } else if (options->as_html) {
        print_reference_html(page, stdout);
    } else if (options->as_markdown) {
        print_reference_markdown(page, stdout);
    } else {
        print_reference_text(page, stdout);
    }
}

int cli_reference(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    if (options->run.json + options->as_html + options->as_markdown > 1) {
        status_fail(&status, STATUS_BAD_USAGE, "reference: one of --json, --html and --markdown is allowed");
        return cli_fail(&status);
    }
    if (!check_kind(options->kind, &status)) {
        return cli_fail(&status);
    }
    ReferenceKey *keys = calloc(REFERENCE_MOST, sizeof *keys);
    if (keys == NULL) {
        status_fail(&status, STATUS_LACKING, "out of memory for the reference");
        return cli_fail(&status);
    }
    json_t *pages = options->run.json ? json_array() : NULL;
    if (options->as_html) {
        begin_reference_html(options->kind, stdout);
    }
    const char *title = NULL;
    for (int part = 0; (title = reference_part(options->kind, part)) != NULL; part++) {
        const ReferencePage page = {title, keys, reference_keys(options->kind, part, keys, REFERENCE_MOST)};
        print_reference_page(options, &page, pages);
    }
    if (options->as_html) {
        end_reference_html(stdout);
    }
    free(keys);
    if (pages != NULL) {
        cli_print_json(pages);
    }
    return cli_flush();
}

/// ---- texts ---------------------------------------------------------------------------------------------------------

enum { SCENES_MOST = 256, TEXTS_MOST = 8192 };

/// Texts that were printed already, and whose are printed now. Equal texts stand once, at their first place, since
/// gettext has one translation of a text.
typedef struct TextPrinter {
    char **texts;
    int count;
    const char *place;
    bool full; ///< more texts than there is room for, or no memory
} TextPrinter;

/// Prints a text as a string of C, in which PO files write.
static void print_quoted(const char *text)
{
    putchar('"');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n') {
            fputs("\\n", stdout);
            continue;
        }
        if (*p == '"' || *p == '\\') {
            putchar('\\');
        }
        putchar(*p);
    }
    putchar('"');
}

static void print_text(void *context, const char *key, char *text, size_t size)
{
    TextPrinter *self = context;
    for (int k = 0; k < self->count; k++) {
        if (strcmp(self->texts[k], text) == 0) {
            return;
        }
    }
    char *copy = self->count < TEXTS_MOST ? malloc(strlen(text) + 1) : NULL;
    if (copy == NULL) {
        self->full = true;
        return;
    }
    self->texts[self->count++] = strcpy(copy, text);
    printf("\n#. At most %zu bytes.\n#: %s %s\nmsgid ", size - 1, self->place, key);
    print_quoted(text);
    fputs("\nmsgstr \"\"\n", stdout);
}

static void print_phrases(TextPrinter *printer)
{
    printer->place = "metric";
    for (int k = 0; k < METRIC_COUNT; k++) {
        char phrase[SCENE_TEXT];
        snprintf(phrase, sizeof phrase, "%s", metric_infos[k].phrase);
        print_text(printer, metric_infos[k].name, phrase, sizeof((SceneScore *)NULL)->label);
    }
}

static void print_conditions(TextPrinter *printer)
{
    DataListEntry entries[CONDITION_CHOICES];
    for (int condition = 0; condition < CONDITION_COUNT; condition++) {
        if (condition == CONDITION_SOIL || condition == CONDITION_MACHINE) {
            continue; // files of their own
        }
        int count = conditions_list((Condition)condition, entries, CONDITION_CHOICES);
        printer->place = condition_names[condition];
        for (int k = 0; k < count; k++) {
            print_text(printer, entries[k].name, entries[k].title, sizeof entries[k].title);
        }
    }
}

static bool print_scene_texts(TextPrinter *printer, const char *name, Status *status)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the scene");
    }
    good = good && data_load_scene(name, NULL, 0, scene, machine, NULL, status);
    if (good) {
        printer->place = scene->name;
        scene_visit_texts(scene, print_text, printer);
    }
    free(machine);
    free(scene);
    return good;
}

static bool print_texts(const CliOptions *options, TextPrinter *printer, Status *status)
{
    if (options->file_count > 0) {
        for (int k = 0; k < options->file_count; k++) {
            if (!print_scene_texts(printer, options->files[k], status)) {
                return false;
            }
        }
        return true;
    }
    DataListEntry *entries = calloc(SCENES_MOST, sizeof *entries);
    int count = entries == NULL ? 0 : data_list("scenes", entries, SCENES_MOST, status);
    bool good = entries != NULL ? count >= 0 : status_fail(status, STATUS_LACKING, "out of memory for the list");
    for (int k = 0; good && k < count; k++) {
        good = entries[k].own || print_scene_texts(printer, entries[k].name, status);
    }
    free(entries);
    print_phrases(printer);
    print_conditions(printer);
    return good;
}

int cli_texts(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    TextPrinter printer = {.texts = calloc(TEXTS_MOST, sizeof(char *))};
    fputs("# Texts of exercises. An English text is the key; what is left empty is shown in English.\n"
          "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
          "\"Content-Transfer-Encoding: 8bit\\n\"\n",
          stdout);
    bool good = printer.texts != NULL ? print_texts(options, &printer, &status)
                                      : status_fail(&status, STATUS_LACKING, "out of memory for the texts");
    if (good && printer.full) {
        good = status_fail(&status, STATUS_LACKING, "more than %d texts, or out of memory for them", TEXTS_MOST);
    }
    for (int k = 0; k < printer.count; k++) {
        free(printer.texts[k]);
    }
    free(printer.texts);
    return good ? cli_flush() : cli_fail(&status);
}
