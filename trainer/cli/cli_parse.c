/// Parses the command line by the rows of the table (cli_table.h), and prints its help. A mistake is one line: what was
/// read, what is allowed, and the nearest name that is known.
#include "trainer/cli/cli_parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/files.h"
#include "data/schema/settings_params.h"
#include "trainer/report/report.h"

/// ---- single values -------------------------------------------------------------------------------------------------

#define CAMERA_WORD(id, name) " " name
#define CAMERA_WORDS          CAMERAS(CAMERA_WORD)

static bool read_real(const char *option, const char *text, double lowest, double highest, double *value,
                      Status *status)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < lowest || number > highest) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: a number from %g to %g is allowed", option, text,
                           lowest, highest);
    }
    *value = number;
    return true;
}

static bool read_whole(const char *option, const char *text, uint64_t lowest, uint64_t highest, uint64_t *value,
                       Status *status)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < lowest || number > highest) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: a whole number from %llu to %llu is allowed", option,
                           text, (unsigned long long)lowest, (unsigned long long)highest);
    }
    *value = number;
    return true;
}

static bool read_text(const char *option, const char *text, const char **value, Status *status)
{
    if (text[0] == '\0') {
        return status_fail(status, STATUS_BAD_USAGE, "%s: is given an empty value", option);
    }
    *value = text;
    return true;
}

bool cli_read_solver(const char *text, SoilSolver *solver, Status *status)
{
    if (strcmp(text, "default") == 0) {
        *solver = SOIL_SOLVER_DEFAULT;
    } else if (strcmp(text, "p2") == 0) {
        *solver = SOIL_SOLVER_P2;
    } else if (strcmp(text, "gs") == 0) {
        *solver = SOIL_SOLVER_GS;
    } else {
        return status_fail(status, STATUS_BAD_USAGE, "--solver %.80s: default, p2 or gs is allowed", text);
    }
    return true;
}

/// Finds a word among `count` names; -1: it is none of them.
static int word_of(const char *text, const char *const *names, int count)
{
    int k = 0;
    while (k < count && strcmp(text, names[k]) != 0) {
        k++;
    }
    return k < count ? k : -1;
}

bool cli_read_camera(const char *text, int *camera, Status *status)
{
    static const char *const names[] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
    };
    *camera = word_of(text, names, CAMERA_COUNT);
    return *camera >= 0 ||
           status_fail(status, STATUS_BAD_USAGE, "--camera %.80s: allowed is one of" CAMERA_WORDS, text);
}

/// The value of a word, -1: it is none of an option's.
static int view_of(const char *option, const char *text)
{
    static const char *const rear[] = {"off", "auto", "on"}, *const mirrors[] = {"auto", "off", "on"};
    static const char *const screens[] = {"", "1", "", "3"}, *const eyes[] = {"", "1", "2"};
    if (strcmp(option, "--inset") == 0) {
        Status unused;
        int camera = -1;
        bool off = strcmp(text, "off") == 0;
        return off ? 0 : cli_read_camera(text, &camera, &unused) ? 1 + camera : -1;
    }
    return text[0] == '\0'                    ? -1
           : strcmp(option, "--rear") == 0    ? word_of(text, rear, 3)
           : strcmp(option, "--mirrors") == 0 ? word_of(text, mirrors, 3)
           : strcmp(option, "--screens") == 0 ? word_of(text, screens, 4)
                                              : word_of(text, eyes, 3);
}

bool cli_read_view(const char *option, const char *text, int *value, Status *status)
{
    *value = 1 + view_of(option, text);
    if (*value > 0) {
        return true;
    }
    if (strcmp(option, "--inset") == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: allowed is off or one of" CAMERA_WORDS, option, text);
    }
    return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: %s is allowed", option, text,
                       strcmp(option, "--screens") == 0 ? "1 or 3"
                       : strcmp(option, "--eyes") == 0  ? "1 or 2"
                                                        : "off, auto or on");
}

bool cli_read_window(const char *text, SettingsSides *windows, Status *status)
{
    if (windows->count == SETTINGS_MOST_SIDES) {
        return status_fail(status, STATUS_BAD_USAGE, "--window %.80s: at most %d are allowed", text,
                           SETTINGS_MOST_SIDES);
    }
    return sides_add(text, windows) ||
           status_fail(status, STATUS_BAD_USAGE,
                       "--window %.80s: allowed is one of" CAMERA_WORDS ", with @1 to @%d behind it or without", text,
                       SETTINGS_MOST_DISPLAYS);
}

bool cli_read_quality(const char *text, int *quality, Status *status)
{
    static const char *const names[] = {"auto", "high", "medium", "low"};
    *quality = word_of(text, names, 4) + 1;
    return *quality > 0 ||
           status_fail(status, STATUS_BAD_USAGE, "--quality %.80s: auto, high, medium or low is allowed", text);
}

bool cli_read_panels(const char *text, int *panels, Status *status)
{
    static const char *const names[] = {"strip", "all", "off"}; // as SettingsGauges
    *panels = word_of(text, names, 3) + 1;
    return *panels > 0 || status_fail(status, STATUS_BAD_USAGE, "--panels %.80s: strip, all or off is allowed", text);
}

static bool read_size(const char *option, const char *text, int *width, int *height, Status *status)
{
    enum { LEAST = 16, MOST = 8192 };
    char *end = NULL;
    long w = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
    const char *second = end != NULL && *end == 'x' ? end + 1 : "";
    long h = second[0] >= '0' && second[0] <= '9' ? strtol(second, &end, 10) : 0;
    if (h == 0 || *end != '\0' || w < LEAST || w > MOST || h < LEAST || h > MOST) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: WIDTHxHEIGHT is expected, each from %d to %d pixels",
                           option, text, LEAST, MOST);
    }
    *width = (int)w;
    *height = (int)h;
    return true;
}

/// A command line while it is parsed.
typedef struct Parsing {
    CliOptions *options;
    const CliCommandRow *row; ///< of its command
    bool given[CLI_MOST_OPTIONS]; ///< which options stood there
    Status *status;
} Parsing;

/// ---- hints ---------------------------------------------------------------------------------------------------------

enum { WORD = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// Letters to insert, delete or replace to turn one word into the other; long words are cut to WORD letters.
static int word_distance(const char *a, const char *b)
{
    int previous[WORD + 1], row[WORD + 1];
    int rows = (int)strnlen(a, WORD), columns = (int)strnlen(b, WORD);
    for (int j = 0; j <= columns; j++) {
        previous[j] = j;
    }
    for (int i = 1; i <= rows; i++) {
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, 1 + least(previous[j], row[j - 1]));
        }
        memcpy(previous, row, sizeof row);
    }
    return previous[columns];
}

/// Keeps the candidate that is nearest to a word, at most three letters away.
static void keep_nearest(const char *word, const char *candidate, const char **nearest, int *distance)
{
    int now = word_distance(word, candidate);
    if (now <= 3 && now < (int)strlen(candidate) / 2 + 1 && (*nearest == NULL || now < *distance)) {
        *nearest = candidate;
        *distance = now;
    }
}

/// ---- values of options ---------------------------------------------------------------------------------------------

/// PNG or PNG@S: what stands behind the last @ is a time when it is a number.
static bool read_shot(const char *text, double most, CliOptions *options, Status *status)
{
    const char *at = strrchr(text, '@');
    char *end = NULL;
    double time = at != NULL ? strtod(at + 1, &end) : 0.0;
    options->run.shot = text;
    options->run.shot_at = -1.0;
    if (at != NULL && end != at + 1 && *end == '\0') {
        if (!read_real("--shot at second", at + 1, 0.0, most, &time, status)) {
            return false;
        }
        if ((size_t)(at - text) >= sizeof options->shot_path) {
            return status_fail(status, STATUS_BAD_USAGE, "--shot: its path is too long");
        }
        memcpy(options->shot_path, text, (size_t)(at - text));
        options->shot_path[at - text] = '\0';
        options->run.shot = options->shot_path;
        options->run.shot_at = time;
    }
    return options->run.shot[0] != '\0' ||
           status_fail(status, STATUS_BAD_USAGE, "--shot %.80s: the file's name is missing", text);
}

/// PATH@S and what may stand behind a comma, which `rest` points to: "" where there is none.
/// expected  what the option asks for
static bool read_moment(const char *option, const char *expected, const char *text, double most,
                        char path[DATA_PATH_LENGTH], double *time, const char **rest, Status *status)
{
    const char *at = strrchr(text, '@');
    char second[32], what[64];
    size_t digits = at != NULL ? strcspn(at + 1, ",") : 0;
    if (at == NULL || at == text || digits == 0 || digits >= sizeof second || at - text >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: %s is expected", option, text, expected);
    }
    memcpy(path, text, (size_t)(at - text));
    path[at - text] = '\0';
    memcpy(second, at + 1, digits);
    second[digits] = '\0';
    *rest = at + 1 + digits + (at[1 + digits] == ',');
    snprintf(what, sizeof what, "%s at second", option);
    return read_real(what, second, 0.0, most, time, status);
}

/// "X,Y,Z,X,Y,Z": where a free camera stands and what it looks at, m on the site. `option`: the one that says so.
static bool read_place(const char *option, const char *text, Still *still, Status *status)
{
    double *const numbers[] = {&still->eye.x,    &still->eye.y,    &still->eye.z,
                               &still->target.x, &still->target.y, &still->target.z};
    for (int k = 0; k < 6; k++) {
        size_t length = strcspn(text, ",");
        char number[32] = "", what[64];
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        snprintf(what, sizeof what, "%s free=, number %d of 6 (eye and target, m)", option, k + 1);
        if (number[0] == '\0') {
            return status_fail(status, STATUS_BAD_USAGE,
                               "%s: nothing was read; X,Y,Z of the eye and of what it looks at are expected", what);
        }
        if (!read_real(what, number, -2000.0, 2000.0, numbers[k], status)) {
            return false;
        }
        text += length + (text[length] == ',');
    }
    if (text[0] != '\0' || !(vec3_length(vec3_sub(still->target, still->eye)) > 0.0)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s free=: six numbers are allowed, X,Y,Z of the eye and of another place that it looks at",
                           option);
    }
    still->placed = true;
    return cli_read_camera("free", &still->view, status);
}

/// PNG@S or PNG@S,VIEW; a free camera may have a place.
static bool read_still(const char *text, double most, CliOptions *options, Status *status)
{
    if (options->still_count == STILLS_MOST) {
        return status_fail(status, STATUS_BAD_USAGE, "--picture: at most %d are allowed", STILLS_MOST);
    }
    Still *still = &options->stills[options->still_count++];
    const char *view;
    still->view = -1;
    if (!read_moment("--picture", "PNG@S or PNG@S,VIEW", text, most, still->path, &still->time, &view, status)) {
        return false;
    }
    if (strncmp(view, "free=", 5) == 0) {
        return read_place("--picture", view + 5, still, status);
    }
    return view[0] == '\0' || cli_read_camera(view, &still->view, status);
}

/// The camera of a film, and of pictures that name none.
static bool read_film_camera(const char *text, CliOptions *options, Status *status)
{
    options->place.placed = false;
    if (strncmp(text, "free=", 5) != 0) {
        return cli_read_camera(text, &options->run.camera, status);
    }
    bool good = read_place("--camera", text + 5, &options->place, status);
    options->run.camera = options->place.view;
    return good;
}

/// FILE@S or FILE@S with "site" and what is asked for behind commas. Soils are looked up once the scene is known.
static bool read_ground(const char *text, double most, CliOptions *options, Status *status)
{
    static const struct {
        const char *name;
        GroundPart part;
    } parts[] = {{"start", GROUND_START}, {"design", GROUND_DESIGN}, {"firm", GROUND_FIRM}};
    if (options->ground_count == GROUNDS_MOST) {
        return status_fail(status, STATUS_BAD_USAGE, "--ground: at most %d are allowed", GROUNDS_MOST);
    }
    GroundShot *shot = &options->grounds[options->ground_count++];
    const char *word;
    SurveyFormat format;
    if (!read_moment("--ground", "FILE@S, FILE@S,WHAT or FILE@S,site", text, most, shot->path, &shot->time, &word,
                     status) ||
        !survey_format_of(shot->path, &format, status)) {
        return false;
    }
    while (word[0] != '\0') {
        char name[SOIL_NAME_LENGTH];
        size_t length = strcspn(word, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        word += length + (word[length] == ',');
        if (strcmp(name, "site") == 0) {
            shot->on_site = true;
            continue;
        }
        if (shot->part != GROUND_SURFACE) {
            return status_fail(status, STATUS_BAD_USAGE,
                               "--ground %.80s: one of start, design, firm and a soil is allowed", text);
        }
        shot->part = GROUND_SOIL;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            shot->part = strcmp(name, parts[k].name) == 0 ? parts[k].part : shot->part;
        }
        snprintf(shot->soil, sizeof shot->soil, "%s", name);
    }
    return true;
}

static bool read_set(const char *text, RunOptions *run, Status *status)
{
    if (strchr(text, '=') == NULL || text[0] == '=') {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.80s: KEY=VALUE is expected", text);
    }
    if (run->set_count == RUN_MAX_SET) {
        return status_fail(status, STATUS_BAD_USAGE, "--set: at most %d are allowed", RUN_MAX_SET);
    }
    run->set[run->set_count++] = text;
    return true;
}

static bool read_count(const CliOption *option, const char *text, int *value, Status *status)
{
    uint64_t number = 0;
    if (!read_whole(option->name, text, (uint64_t)option->least, (uint64_t)option->most, &number, status)) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool read_positive(const CliOption *option, const char *text, double *value, Status *status)
{
    return read_real(option->name, text, 0.0, option->most, value, status) &&
           (*value > 0.0 ||
            status_fail(status, STATUS_BAD_USAGE, "%s %.80s: more than 0 is needed", option->name, text));
}

static bool read_layout(const char *text, int *layout, Status *status)
{
    *layout = word_of(text, hdf5_layout_names, HDF5_LAYOUT_COUNT);
    return *layout >= 0 ||
           status_fail(status, STATUS_BAD_USAGE, "--layout %.80s: spadework, act or robomimic is allowed", text);
}

static bool read_ply_color(const char *text, int *color, Status *status)
{
    *color = word_of(text, ply_color_names, PLY_COLOR_COUNT);
    return *color >= 0 || status_fail(status, STATUS_BAD_USAGE, "--color %.80s: soil or speed is allowed", text);
}

/// Names with commas between.
static bool read_cameras(const char *text, CliOptions *options, Status *status)
{
    options->camera_count = 0;
    for (const char *at = text;; at += strcspn(at, ",") + 1) {
        char name[WORD];
        int camera = -1;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (options->camera_count == HDF5_CAMERAS) {
            return status_fail(status, STATUS_BAD_USAGE, "--cameras %.80s: at most %d are allowed", text, HDF5_CAMERAS);
        }
        if (!cli_read_camera(name, &camera, status)) {
            return status_fail(status, STATUS_BAD_USAGE,
                               "--cameras %.80s: allowed are, with commas between," CAMERA_WORDS, text);
        }
        for (int k = 0; k < options->camera_count; k++) {
            if (options->cameras[k] == camera) {
                return status_fail(status, STATUS_BAD_USAGE, "--cameras %.80s: %s is there twice", text, name);
            }
        }
        options->cameras[options->camera_count++] = camera;
        if (at[strcspn(at, ",")] == '\0') {
            return true;
        }
    }
}

/// N or N,SPACING.
static bool read_heights(const CliOption *option, const char *text, CliOptions *options, Status *status)
{
    char count[WORD];
    size_t length = strcspn(text, ",");
    snprintf(count, sizeof count, "%.*s", (int)length, text);
    return read_count(option, count, &options->heights, status) &&
           (text[length] == '\0' ||
            read_real("--heights N,", text + length + 1, 0.01, 10.0, &options->spacing, status));
}

/// Reads an option's value into its place; `text` is NULL for a flag.
static bool read_value(CliOptions *options, const CliOption *option, const char *text, Status *status)
{
    void *place = (char *)options + option->place;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)place = true;
        return true;
    case CLI_TEXT:
    case CLI_INPUT:
    case CLI_OUTPUT:
        return read_text(option->name, text, place, status);
    case CLI_REAL:
        return read_real(option->name, text, option->least, option->most, place, status);
    case CLI_POSITIVE:
        return read_positive(option, text, place, status);
    case CLI_COUNT:
        return read_count(option, text, place, status);
    case CLI_SEED:
        return read_whole(option->name, text, 0, INT64_MAX, place, status);
    case CLI_SOLVER:
        return cli_read_solver(text, place, status);
    case CLI_CAMERA:
        return cli_read_camera(text, place, status);
    case CLI_QUALITY:
        return cli_read_quality(text, place, status);
    case CLI_PANELS:
        return cli_read_panels(text, place, status);
    case CLI_VIEW:
        return cli_read_view(option->name, text, place, status);
    case CLI_WINDOW:
        return cli_read_window(text, place, status);
    case CLI_SIZE:
        return read_size(option->name, text, place, (int *)place + 1, status);
    case CLI_SHOT:
        return read_shot(text, option->most, options, status);
    case CLI_SET:
        return read_set(text, &options->run, status);
    case CLI_STILL:
        return read_still(text, option->most, options, status);
    case CLI_FILM_CAMERA:
        return read_film_camera(text, options, status);
    case CLI_GROUND:
        return read_ground(text, option->most, options, status);
    case CLI_LAYOUT:
        return read_layout(text, place, status);
    case CLI_PLY_COLOR:
        return read_ply_color(text, place, status);
    case CLI_CAMERAS:
        return read_cameras(text, options, status);
    case CLI_HEIGHTS:
        return read_heights(option, text, options, status);
    case CLI_TARGET:
        return motion_stream_check(text, status) && read_text(option->name, text, place, status);
    }
    return false;
}

/// ---- options -------------------------------------------------------------------------------------------------------

static bool belongs_to_command(const Parsing *self, const CliOption *option)
{
    return (option->on & 1U << self->row->command) != 0;
}

static bool fail_unknown(const Parsing *self, const char *argument)
{
    const char *command = self->row->name;
    char name[WORD + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *nearest = NULL;
    int distance = 0;
    for (int k = 0; k < cli_option_count; k++) {
        if (belongs_to_command(self, &cli_options[k])) {
            keep_nearest(name, cli_options[k].name, &nearest, &distance);
        }
    }
    return status_fail(self->status, STATUS_BAD_USAGE, "%s: unknown option %.80s%s%s%s; see: spadework %s --help",
                       command, argument, nearest != NULL ? " (is " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? " meant?)" : "", command);
}

/// Parses the option at argv[*k]; moves *k over a separate value.
static bool parse_option(Parsing *self, int argc, const char *const *argv, int *k)
{
    const char *argument = argv[*k], *equals = strchr(argument, '=');
    size_t length = strcspn(argument, "=");
    int i = 0;
    while (i < cli_option_count &&
           !(belongs_to_command(self, &cli_options[i]) && strlen(cli_options[i].name) == length &&
             strncmp(cli_options[i].name, argument, length) == 0)) {
        i++;
    }
    if (i == cli_option_count) {
        return fail_unknown(self, argument);
    }
    const CliOption *option = &cli_options[i];
    bool flag = option->type == CLI_FLAG;
    if (flag && equals != NULL) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: takes no value", option->name);
    }
    if (!flag && equals == NULL && *k + 1 >= argc) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: its value is missing; see: spadework %s --help",
                           option->name, self->row->name);
    }
    self->given[i] = true;
    if (option->mark != 0) {
        *(bool *)((char *)self->options + option->mark) = true;
    }
    const char *value = equals != NULL ? equals + 1 : flag ? NULL : argv[++*k];
    return read_value(self->options, option, value, self->status);
}

/// ---- arguments -----------------------------------------------------------------------------------------------------

/// What `list` shows.
static bool read_kind(const char *argument, const char **kind, Status *status)
{
    static const char *const kinds[] = {"scenes",  "machines", "soils",    "controls", "meshes",     "attachments",
                                        "experts", "courses",  "surfaces", "heights",  "conditions", "couplers"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kinds[k], argument) == 0) {
            *kind = kinds[k];
            return true;
        }
    }
    return status_fail(
        status, STATUS_BAD_USAGE,
        "list %.80s: scenes, machines, soils, controls, meshes, attachments, experts, courses, surfaces, "
        "heights, conditions or couplers is allowed",
        argument);
}

static bool add_file(CliOptions *options, const char *argument, Status *status)
{
    if (options->file_count == CLI_MAX_FILES) {
        return status_fail(status, STATUS_BAD_USAGE, "at most %d files are allowed", CLI_MAX_FILES);
    }
    options->files[options->file_count++] = argument;
    if (options->command == CLI_EXPORT && options->file_count == 1) {
        options->recording = argument;
    }
    return true;
}

/// True for commands with any number of files.
static bool has_file_list(const CliCommandRow *row)
{
    return row->command == CLI_CHECK || row->command == CLI_TEXTS || row->command == CLI_RESCORE ||
           row->command == CLI_REPORT || row->command == CLI_RESULTS || row->command == CLI_NEW ||
           row->command == CLI_STATION || row->command == CLI_EXPORT || row->command == CLI_VOLUME;
}

static bool parse_argument(Parsing *self, const char *argument)
{
    const CliCommandRow *row = self->row;
    if (has_file_list(row)) {
        return add_file(self->options, argument, self->status);
    }
    if (row->argument == 0) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: takes no %.80s; see: spadework --help", row->name,
                           argument);
    }
    const char **place = (const char **)(void *)((char *)self->options + row->argument);
    if (*place != NULL) {
        return status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: %.80s is one too many after %.80s; see: spadework %s --help", row->name, argument,
                           *place, row->name);
    }
    if (row->command == CLI_LIST) {
        return read_kind(argument, place, self->status);
    }
    *place = argument;
    return true;
}

/// ---- the whole line, checked ---------------------------------------------------------------------------------------

static const char *text_at(const Parsing *self, size_t place)
{
    return *(const char *const *)(const void *)((const char *)self->options + place);
}

/// A scene, a control map or an operator that is given by its name is no file.
static bool is_name(const char *text)
{
    return strpbrk(text, "./") == NULL;
}

static bool check_pair(const Parsing *self, const char *output, const char *path, const char *other,
                       const char *other_path)
{
    return !output_is_same_file(path, other_path) ||
           status_fail(self->status, STATUS_BAD_USAGE, "%s %.80s: is the same file as %s", output, path, other);
}

/// Refuses a file to be written that is also read, or written twice.
static bool check_output(const Parsing *self, int output)
{
    const char *name = cli_options[output].name, *path = text_at(self, cli_options[output].place);
    for (int k = 0; k < cli_option_count; k++) {
        const CliOption *other = &cli_options[k];
        bool written = other->type == CLI_OUTPUT || other->type == CLI_SHOT, is_read = other->type == CLI_INPUT;
        if (!self->given[k] || !((written && k > output) || is_read)) {
            continue;
        }
        const char *other_path = text_at(self, other->place);
        if (!(is_read && is_name(other_path)) && !check_pair(self, name, path, other->name, other_path)) {
            return false;
        }
    }
    const CliOptions *options = self->options;
    for (int k = 1; options->command == CLI_EXPORT && k < options->file_count; k++) {
        if (!check_pair(self, name, path, "REC", options->files[k])) {
            return false;
        }
    }
    bool scene_file = options->run.scene != NULL && !is_name(options->run.scene);
    const char *machine = options->machine != NULL && !is_name(options->machine) ? options->machine : NULL;
    return check_pair(self, name, path, "REC", options->recording) &&
           check_pair(self, name, path, "the machine", machine) &&
           (!scene_file || check_pair(self, name, path, "the scene", options->run.scene));
}

static bool check_outputs(const Parsing *self)
{
    for (int k = 0; k < cli_option_count; k++) {
        bool written = cli_options[k].type == CLI_OUTPUT || cli_options[k].type == CLI_SHOT;
        if (self->given[k] && written && !check_output(self, k)) {
            return false;
        }
    }
    return true;
}

static bool check_need(const Parsing *self, const CliOption *option)
{
    const CliOptions *options = self->options;
    const char *with = options->verify ? "--verify" : "--headless";
    bool blind = options->verify || options->run.headless;
    switch (option->need) {
    case CLI_NEEDS_NOTHING:
        break;
    case CLI_NEEDS_WINDOW:
        return !blind || status_fail(self->status, STATUS_BAD_USAGE, "%s: %s needs the window: leave %s out",
                                     self->row->name, option->name, with);
    case CLI_NEEDS_PICTURE:
        return !blind || options->run.shot != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: %s needs a picture: add --shot PNG, or leave --headless out", self->row->name,
                           option->name);
    case CLI_NEEDS_VERIFY:
        return options->verify ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --verify", self->row->name, option->name);
    case CLI_NEEDS_PLY:
        return options->ply != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --ply DIR", self->row->name, option->name);
    case CLI_NEEDS_VIDEO:
        return options->video != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --video", self->row->name, option->name);
    case CLI_NEEDS_CONSOLE:
        return self->row->command == CLI_SERVE || options->run.has_console ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --console PORT", self->row->name,
                           option->name);
    case CLI_NEEDS_BROKER:
        return options->run.broker != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --broker URL", self->row->name,
                           option->name);
    case CLI_NEEDS_URDF:
        return options->urdf != NULL || status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --urdf DIR",
                                                    self->row->name, option->name);
    case CLI_NEEDS_DRAWING:
        return options->video != NULL || options->still_count > 0 ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --video or --picture", self->row->name,
                           option->name);
    case CLI_NEEDS_CAMERA:
        return options->video != NULL || options->still_count > 0 || options->camera_count > 0 ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --video, --picture or --cameras",
                           self->row->name, option->name);
    case CLI_NEEDS_HDF5:
        return options->hdf5 != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --hdf5", self->row->name, option->name);
    case CLI_NEEDS_SAMPLES:
        return options->hdf5 != NULL || options->mcap != NULL ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --hdf5 or --mcap", self->row->name,
                           option->name);
    case CLI_NEEDS_CAMERAS:
        return options->camera_count > 0 ||
               status_fail(self->status, STATUS_BAD_USAGE, "%s: %s goes with --cameras", self->row->name, option->name);
    }
    return true;
}

/// Foxglove opens a file by its suffix.
static bool check_mcap(const CliOptions *options, Status *status)
{
    size_t length = options->mcap != NULL ? strlen(options->mcap) : 0;
    return options->mcap == NULL || (length > 5 && strcmp(options->mcap + length - 5, ".mcap") == 0) ||
           status_fail(status, STATUS_BAD_USAGE, "--mcap %.80s: a name that ends in .mcap is expected", options->mcap);
}

static bool check_video(const CliOptions *options, Status *status)
{
    const RunOptions *run = &options->run;
    size_t length = options->video != NULL ? strlen(options->video) : 0;
    if (options->video != NULL && (length < 5 || strcmp(options->video + length - 4, ".mp4") != 0)) {
        return status_fail(status, STATUS_BAD_USAGE, "--video %.80s: a name that ends in .mp4 is expected",
                           options->video);
    }
    if (options->has_film_to && options->film_to < options->film_from) {
        return status_fail(status, STATUS_BAD_USAGE, "--to %g: a second from --from (%g) on is allowed",
                           options->film_to, options->film_from);
    }
    return options->video == NULL || (run->width % 2 == 0 && run->height % 2 == 0) ||
           status_fail(status, STATUS_BAD_USAGE, "--size %dx%d: a video needs even numbers", run->width, run->height);
}

static bool check_model(const CliOptions *options, Status *status)
{
    size_t length = options->gltf != NULL ? strlen(options->gltf) : 0;
    return options->gltf == NULL || (length >= 5 && strcmp(options->gltf + length - 4, ".glb") == 0) ||
           status_fail(status, STATUS_BAD_USAGE, "--gltf %.80s: a name that ends in .glb is expected", options->gltf);
}

/// Demonstrations are made of any number of recordings, and alone; all else of one.
static bool check_export(const Parsing *self)
{
    const CliOptions *options = self->options;
    bool others = options->ply != NULL || options->csv != NULL || options->events != NULL || options->mcap != NULL ||
                  options->video != NULL || options->still_count > 0 || options->ground_count > 0;
    if (self->row->command == CLI_EXPORT && options->hdf5 == NULL && options->file_count > 1) {
        return status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: %.80s is one too many after %.80s; see: spadework %s --help", self->row->name,
                           options->files[1], options->files[0], self->row->name);
    }
    if (self->row->command == CLI_VOLUME && options->file_count > 2) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: %.80s is one too many; see: spadework %s --help",
                           self->row->name, options->files[2], self->row->name);
    }
    if (options->hdf5 != NULL && others) {
        return status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: --hdf5 goes alone: write --ply, --csv, --events, --mcap, --video, --picture and "
                           "--ground in another run",
                           self->row->name);
    }
    return options->picture_rate == 0 || options->layout == HDF5_LAYOUT_SPADEWORK ||
           status_fail(self->status, STATUS_BAD_USAGE,
                       "%s: --picture-rate: each sample of layout %s has its pictures: leave it out, or set --rate",
                       self->row->name, hdf5_layout_names[options->layout]);
}

/// An argument or option that the command needs and lacks, in words; NULL: none.
static const char *find_missing(const Parsing *self)
{
    const CliOptions *options = self->options;
    bool many = has_file_list(self->row) && self->row->command != CLI_RESULTS && self->row->command != CLI_STATION;
    int least = self->row->command == CLI_VOLUME ? 2 : 1;
    bool there =
        many ? options->file_count >= least : self->row->argument == 0 || text_at(self, self->row->argument) != NULL;
    if (!there) {
        return self->row->needs;
    }
    if (self->row->command == CLI_RESUME && options->at < 0.0) {
        return "--at S";
    }
    if (self->row->command == CLI_REPORT && options->html == NULL && options->pdf == NULL) {
        return "-o OUT.html or --pdf OUT.pdf";
    }
    if (self->row->command == CLI_PREVIEW && options->html == NULL) {
        return "-o PLAN.png or PLAN.svg";
    }
    if (self->row->command == CLI_ENV && options->listen == NULL) {
        return "--listen ADDRESS";
    }
    if (self->row->command == CLI_MODEL && options->urdf == NULL && options->gltf == NULL) {
        return "--urdf DIR or --gltf FILE.glb";
    }
    if (self->row->command == CLI_SERVE && options->classroom && options->run.broker == NULL) {
        return "--broker URL";
    }
    bool exports = options->ply != NULL || options->csv != NULL || options->events != NULL || options->mcap != NULL ||
                   options->video != NULL || options->still_count > 0 || options->ground_count > 0 ||
                   options->hdf5 != NULL;
    return self->row->command == CLI_EXPORT && !exports ? "--hdf5 FILE, --ply DIR, --csv FILE, --events FILE, --mcap "
                                                          "OUT.mcap, --video OUT.mp4, --picture PNG@S or "
                                                          "--ground FILE@S"
                                                        : NULL;
}

static bool check_whole(const Parsing *self)
{
    const RunOptions *run = &self->options->run;
    const char *missing = find_missing(self);
    if (missing != NULL) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: needs %s; see: spadework %s --help", self->row->name,
                           missing, self->row->name);
    }
    if (run->headless && run->operator_name != NULL && strcmp(run->operator_name, "keyboard") == 0) {
        return status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: --operator keyboard needs the window: leave --headless out, or use --operator auto",
                           self->row->name);
    }
    if (run->views.screens == 1 + 3 && run->views.eyes == 1 + 2) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: --eyes 2 goes with one screen: leave --screens 3 out",
                           self->row->name);
    }
    if (self->options->classroom &&
        (self->options->demo || run->headless || run->operator_name != NULL || run->station != NULL)) {
        return status_fail(self->status, STATUS_BAD_USAGE,
                           "%s: with --classroom nothing is driven here: leave --demo, --headless, --operator and "
                           "--station out",
                           self->row->name);
    }
    if (run->keep && run->no_record) {
        return status_fail(self->status, STATUS_BAD_USAGE, "%s: --keep and --no-record ask for opposite things",
                           self->row->name);
    }
    for (int k = 0; k < cli_option_count; k++) {
        if (self->given[k] && !check_need(self, &cli_options[k])) {
            return false;
        }
    }
    return check_video(self->options, self->status) && check_model(self->options, self->status) &&
           check_mcap(self->options, self->status) && check_export(self) && check_outputs(self);
}

/// ---- commands ------------------------------------------------------------------------------------------------------

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static bool fail_command(const char *name, Status *status)
{
    char known[512] = "";
    const char *nearest = NULL;
    int distance = 0;
    for (int k = 0; k < cli_command_count; k++) {
        keep_nearest(name, cli_commands[k].name, &nearest, &distance);
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", k > 0 ? ", " : "", cli_commands[k].name);
    }
    return status_fail(status, STATUS_BAD_USAGE, "unknown %s %.80s%s%s%s; known: %s; see: spadework --help",
                       name[0] == '-' ? "option" : "command", name, nearest != NULL ? " (is " : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? " meant?)" : "", known);
}

static bool find_command(const char *name, CliCommand *command, Status *status)
{
    for (int k = 0; k < cli_command_count; k++) {
        if (strcmp(cli_commands[k].name, name) == 0) {
            *command = cli_commands[k].command;
            return true;
        }
    }
    return fail_command(name, status);
}

static bool parse_help(CliOptions *options, int argc, const char *const *argv, Status *status)
{
    options->command = CLI_HELP;
    options->topic = CLI_NOTHING;
    return argc < 3 || find_command(argv[2], &options->topic, status);
}

/// Options and arguments behind the command.
static bool parse_rest(Parsing *self, int argc, const char *const *argv)
{
    bool only_arguments = false;
    for (int k = 2; k < argc; k++) {
        if (!only_arguments && strcmp(argv[k], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[k][0] == '-' && argv[k][1] != '\0') {
            if (!parse_option(self, argc, argv, &k)) {
                return false;
            }
        } else if (!parse_argument(self, argv[k])) {
            return false;
        }
    }
    return check_whole(self);
}

bool cli_parse(int argc, const char *const *argv, CliOptions *options, Status *status)
{
    *options = (CliOptions){.run = {.shot_at = -1.0, .camera = -1, .volume = -1.0},
                            .at = -1.0,
                            .every = 1,
                            .heights = HDF5_HEIGHTS,
                            .spacing = HDF5_SPACING};
    status_good(status);
    if (argc < 2) {
        return true;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        return parse_help(options, argc, argv, status);
    }
    if (strcmp(argv[1], "--version") == 0) {
        options->command = CLI_VERSION;
        return true;
    }
    if (!find_command(argv[1], &options->command, status)) {
        return false;
    }
    for (int k = 2; k < argc; k++) {
        if (is_help(argv[k])) {
            options->topic = options->command;
            options->command = CLI_HELP;
            return true;
        }
    }
    Parsing parsing = {.options = options, .row = cli_command_row(options->command), .status = status};
    return parse_rest(&parsing, argc, argv);
}

/// ---- help ----------------------------------------------------------------------------------------------------------

enum { OPTION_COLUMN = 21, SUMMARY_COLUMN = 46 }; ///< where an option's lines, and a command's summary, begin

static const char exit_codes[] =
    "Exit codes: 0 good, 1 bad input file, 2 bad usage, 3 verification failed, 4 the computer lacks something,\n"
    "128 + n ended by signal n.\n";

/// Prints lines, each behind the first indented to `column`.
static void print_indented(const char *lines, int column, FILE *file)
{
    for (const char *line = lines; line != NULL; line = strchr(line, '\n')) {
        if (line != lines) {
            line++;
            fprintf(file, "%*s", column, "");
        }
        fprintf(file, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
}

static void print_option(const CliOption *option, FILE *file)
{
    char head[64];
    int length = snprintf(head, sizeof head, "  %s%s%s", option->name, option->value != NULL ? " " : "",
                          option->value != NULL ? option->value : "");
    fprintf(file, "%-*s", OPTION_COLUMN, head);
    if (length >= OPTION_COLUMN) {
        fprintf(file, "\n%*s", OPTION_COLUMN, "");
    }
    print_indented(option->help, OPTION_COLUMN, file);
}

static void print_overview(FILE *file)
{
    fputs("spadework - excavator operator training simulator\n\n", file);
    for (int k = 0; k < cli_command_count; k++) {
        const CliCommandRow *row = &cli_commands[k];
        int length = fprintf(file, "  spadework %s", row->brief);
        if (row->summary[0] == '\0') {
            fputc('\n', file);
            continue;
        }
        if (length > SUMMARY_COLUMN - 2) {
            length = 0;
            fputc('\n', file);
        }
        fprintf(file, "%*s%s\n", SUMMARY_COLUMN - length, "", row->summary);
    }
    fputs("  spadework COMMAND --help, --version\n\n"
          "Without arguments: the menu; without a display: a demonstration that a scripted operator drives.\n",
          file);
    fputs(exit_codes, file);
}

void cli_print_help(CliCommand topic, FILE *file)
{
    const CliCommandRow *row = cli_command_row(topic);
    if (row == NULL) {
        print_overview(file);
        return;
    }
    fprintf(file, "usage: spadework %s %s\n%s", row->name, row->takes, row->about);
    for (int k = 0; k < cli_option_count; k++) {
        if ((cli_options[k].on & 1U << topic) != 0) {
            print_option(&cli_options[k], file);
        }
    }
    if (row->exit_codes) {
        fputs(exit_codes, file);
    }
}
