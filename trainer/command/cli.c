#include "trainer/command/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/command/cli_values.h"

enum {
    ON_MENU = 1 << CLI_MENU,
    ON_RUN = 1 << CLI_RUN,
    ON_REPLAY = 1 << CLI_REPLAY,
    ON_RESUME = 1 << CLI_RESUME,
    ON_CHECK = 1 << CLI_CHECK,
    ON_LIST = 1 << CLI_LIST,
    ON_EXPORT = 1 << CLI_EXPORT,
    ON_CALIBRATE = 1 << CLI_CALIBRATE,
    ON_DRIVE = ON_RUN | ON_RESUME,
};

#define SECONDS_MOST 1e6
#define VOLUME       0.7 ///< of the sound when none is given

static const struct {
    const char *name;
    CliCommand command;
} commands[] = {
    {"menu", CLI_MENU},   {"run", CLI_RUN},   {"replay", CLI_REPLAY}, {"resume", CLI_RESUME},
    {"check", CLI_CHECK}, {"list", CLI_LIST}, {"export", CLI_EXPORT}, {"calibrate", CLI_CALIBRATE},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char *command_name(CliCommand command)
{
    for (int k = 0; k < COMMANDS; k++) {
        if (commands[k].command == command) {
            return commands[k].name;
        }
    }
    return "help";
}

/// Known by the design, not by this version.
static bool is_later_command(const char *name)
{
    return strcmp(name, "report") == 0 || strcmp(name, "results") == 0 || strcmp(name, "serve") == 0;
}

/// ---- hints -----------------------------------------------------------------------------------------------------------

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

/// ---- values ----------------------------------------------------------------------------------------------------------

/// PNG or PNG@S: what stands behind the last @ is a time when it is a number.
static bool read_shot(const char *text, CliOptions *options, Status *status)
{
    const char *at = strrchr(text, '@');
    char *end = NULL;
    double time = at != NULL ? strtod(at + 1, &end) : 0.0;
    options->run.shot = text;
    options->run.shot_at = -1.0;
    if (at != NULL && end != at + 1 && *end == '\0') {
        if (!cli_read_real("--shot at second", at + 1, 0.0, SECONDS_MOST, &time, status)) {
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

static bool read_set(const char *text, RunOptions *run, Status *status)
{
    if (strchr(text, '=') == NULL || text[0] == '=') {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.80s: KEY=VALUE is expected", text);
    }
    if (run->set_count == CLI_MAX_SET) {
        return status_fail(status, STATUS_BAD_USAGE, "--set: at most %d are allowed", CLI_MAX_SET);
    }
    run->set[run->set_count++] = text;
    return true;
}

/// ---- options ---------------------------------------------------------------------------------------------------------

typedef enum OptionId {
    OPTION_HEADLESS,
    OPTION_OPERATOR,
    OPTION_CONTROLS,
    OPTION_SECONDS,
    OPTION_RECORD,
    OPTION_TELEMETRY,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_SOLVER,
    OPTION_SHOT,
    OPTION_CAMERA,
    OPTION_OVERLAY,
    OPTION_AXES,
    OPTION_NO_RUMBLE,
    OPTION_SIZE,
    OPTION_TRAINEE,
    OPTION_SET,
    OPTION_KEEP_GOING,
    OPTION_JSON,
    OPTION_PROGRESS,
    OPTION_VERIFY,
    OPTION_KEYFRAMES,
    OPTION_FROM,
    OPTION_AT,
    OPTION_PLY,
    OPTION_CSV,
    OPTION_EVERY,
    OPTION_VIDEO,
    OPTION_FPS,
    OPTION_VOLUME,
    OPTION_MUTE,
} OptionId;

static const struct Option {
    const char *name;
    OptionId id;
    bool has_value;
    int on; ///< commands that take it
} options_known[] = {
    {"--headless", OPTION_HEADLESS, false, ON_DRIVE},
    {"--operator", OPTION_OPERATOR, true, ON_DRIVE | ON_MENU},
    {"--controls", OPTION_CONTROLS, true, ON_DRIVE | ON_MENU | ON_REPLAY | ON_CALIBRATE},
    {"--seconds", OPTION_SECONDS, true, ON_DRIVE},
    {"--record", OPTION_RECORD, true, ON_DRIVE | ON_MENU},
    {"--telemetry", OPTION_TELEMETRY, true, ON_DRIVE},
    {"--threads", OPTION_THREADS, true, ON_DRIVE | ON_MENU | ON_REPLAY | ON_EXPORT},
    {"--seed", OPTION_SEED, true, ON_RUN},
    {"--solver", OPTION_SOLVER, true, ON_RUN},
    {"--shot", OPTION_SHOT, true, ON_DRIVE},
    {"--camera", OPTION_CAMERA, true, ON_DRIVE | ON_EXPORT},
    {"--size", OPTION_SIZE, true, ON_DRIVE | ON_EXPORT},
    {"--overlay", OPTION_OVERLAY, false, ON_DRIVE | ON_MENU | ON_REPLAY | ON_EXPORT},
    {"--axes", OPTION_AXES, false, ON_DRIVE | ON_MENU},
    {"--no-rumble", OPTION_NO_RUMBLE, false, ON_DRIVE | ON_MENU | ON_REPLAY},
    {"--trainee", OPTION_TRAINEE, true, ON_DRIVE | ON_MENU},
    {"--set", OPTION_SET, true, ON_RUN},
    {"--keep-going", OPTION_KEEP_GOING, false, ON_DRIVE},
    {"--json", OPTION_JSON, false, ON_DRIVE | ON_REPLAY | ON_CHECK | ON_LIST | ON_EXPORT},
    {"--progress", OPTION_PROGRESS, false, ON_DRIVE | ON_REPLAY | ON_EXPORT},
    {"--verify", OPTION_VERIFY, false, ON_REPLAY},
    {"--keyframes", OPTION_KEYFRAMES, false, ON_REPLAY},
    {"--from", OPTION_FROM, true, ON_REPLAY},
    {"--at", OPTION_AT, true, ON_RESUME},
    {"--ply", OPTION_PLY, true, ON_EXPORT},
    {"--csv", OPTION_CSV, true, ON_EXPORT},
    {"--every", OPTION_EVERY, true, ON_EXPORT},
    {"--video", OPTION_VIDEO, true, ON_EXPORT},
    {"--fps", OPTION_FPS, true, ON_EXPORT},
    {"--volume", OPTION_VOLUME, true, ON_DRIVE | ON_MENU | ON_REPLAY},
    {"--mute", OPTION_MUTE, false, ON_DRIVE | ON_MENU | ON_REPLAY},
};

static bool take_flag(CliOptions *options, OptionId id)
{
    RunOptions *run = &options->run;
    bool *const flags[] = {[OPTION_HEADLESS] = &run->headless,   [OPTION_KEEP_GOING] = &run->keep_going,
                           [OPTION_JSON] = &run->json,           [OPTION_PROGRESS] = &run->progress,
                           [OPTION_VERIFY] = &options->verify,   [OPTION_KEYFRAMES] = &options->keyframes,
                           [OPTION_OVERLAY] = &run->overlay,     [OPTION_AXES] = &run->axes,
                           [OPTION_NO_RUMBLE] = &run->no_rumble, [OPTION_MUTE] = &run->mute};
    *flags[id] = true;
    return true;
}

/// A whole number from 1 to `most` that fits an int.
static bool take_count(const char *option, const char *text, uint64_t most, int *value, Status *status)
{
    uint64_t number = 0;
    if (!cli_read_whole(option, text, 1, most, &number, status)) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool take_value(CliOptions *options, OptionId id, const char *text, Status *status)
{
    RunOptions *run = &options->run;
    switch (id) {
    case OPTION_OPERATOR:
        return cli_read_text("--operator", text, &run->operator_name, status);
    case OPTION_CONTROLS:
        return cli_read_text("--controls", text, &run->controls, status);
    case OPTION_SECONDS:
        return cli_read_real("--seconds", text, 0.0, SECONDS_MOST, &run->seconds, status) &&
               (run->seconds > 0.0 ||
                status_fail(status, STATUS_BAD_USAGE, "--seconds %.80s: more than 0 is needed", text));
    case OPTION_RECORD:
        return cli_read_text("--record", text, &run->record, status);
    case OPTION_TELEMETRY:
        return cli_read_text("--telemetry", text, &run->telemetry, status);
    case OPTION_THREADS:
        return take_count("--threads", text, 256, &run->threads, status);
    case OPTION_SEED:
        run->has_seed = true;
        return cli_read_whole("--seed", text, 0, INT64_MAX, &run->seed, status);
    case OPTION_SOLVER:
        return cli_read_solver(text, &run->solver, status);
    case OPTION_SHOT:
        return read_shot(text, options, status);
    case OPTION_CAMERA:
        return cli_read_camera(text, &run->camera, status);
    case OPTION_TRAINEE:
        return cli_read_text("--trainee", text, &run->trainee, status);
    case OPTION_SET:
        return read_set(text, run, status);
    case OPTION_FROM:
        options->has_from = true;
        return cli_read_real("--from", text, 0.0, SECONDS_MOST, &options->from, status);
    case OPTION_AT:
        return cli_read_real("--at", text, 0.0, SECONDS_MOST, &options->at, status);
    case OPTION_PLY:
        return cli_read_text("--ply", text, &options->ply, status);
    case OPTION_CSV:
        return cli_read_text("--csv", text, &options->csv, status);
    case OPTION_EVERY:
        return take_count("--every", text, 1000000, &options->every, status);
    case OPTION_SIZE:
        return cli_read_size(text, &run->width, &run->height, status);
    case OPTION_VIDEO:
        return cli_read_text("--video", text, &options->video, status);
    case OPTION_FPS:
        return take_count("--fps", text, 240, &options->fps, status);
    case OPTION_VOLUME:
        run->has_volume = true;
        return cli_read_real("--volume", text, 0.0, 1.0, &run->volume, status);
    default:
        return false;
    }
}

static bool fail_unknown(const CliOptions *options, const char *argument, Status *status)
{
    const char *command = command_name(options->command);
    char name[WORD + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    if (options->command == CLI_RUN && strcmp(name, "--console") == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "--console: this version has no instructor console");
    }
    const char *nearest = NULL;
    int distance = 0;
    for (size_t k = 0; k < sizeof options_known / sizeof options_known[0]; k++) {
        if ((options_known[k].on & 1 << options->command) != 0) {
            keep_nearest(name, options_known[k].name, &nearest, &distance);
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "%s: unknown option %.80s%s%s%s; see: spadework %s --help", command,
                       argument, nearest != NULL ? " (is " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? " meant?)" : "", command);
}

/// Takes the option at argv[*k]; moves *k over a separate value.
static bool take_option(CliOptions *options, int argc, const char *const *argv, int *k, Status *status)
{
    const char *argument = argv[*k], *equals = strchr(argument, '=');
    size_t length = equals != NULL ? (size_t)(equals - argument) : strlen(argument);
    for (size_t i = 0; i < sizeof options_known / sizeof options_known[0]; i++) {
        const struct Option *option = &options_known[i];
        if (strlen(option->name) != length || strncmp(option->name, argument, length) != 0 ||
            (option->on & 1 << options->command) == 0) {
            continue;
        }
        if (!option->has_value) {
            return equals == NULL ? take_flag(options, option->id)
                                  : status_fail(status, STATUS_BAD_USAGE, "%s: takes no value", option->name);
        }
        if (equals == NULL && *k + 1 >= argc) {
            return status_fail(status, STATUS_BAD_USAGE, "%s: its value is missing; see: spadework %s --help",
                               option->name, command_name(options->command));
        }
        return take_value(options, option->id, equals != NULL ? equals + 1 : argv[++*k], status);
    }
    return fail_unknown(options, argument, status);
}

/// ---- what stands alone -----------------------------------------------------------------------------------------------

static bool take_first(const char **place, CliCommand command, const char *argument, Status *status)
{
    if (*place != NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: %.80s is one too many after %.80s; see: spadework %s --help",
                           command_name(command), argument, *place, command_name(command));
    }
    *place = argument;
    return true;
}

static bool take_kind(CliOptions *options, const char *argument, Status *status)
{
    static const char *const kinds[] = {"scenes", "machines", "soils", "controls", "meshes"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kinds[k], argument) == 0) {
            return take_first(&options->kind, CLI_LIST, kinds[k], status);
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "list %.80s: scenes, machines, soils, controls or meshes is allowed",
                       argument);
}

static bool take_argument(CliOptions *options, const char *argument, Status *status)
{
    switch (options->command) {
    case CLI_RUN:
        return take_first(&options->run.scene, CLI_RUN, argument, status);
    case CLI_REPLAY:
    case CLI_RESUME:
    case CLI_EXPORT:
        return take_first(&options->recording, options->command, argument, status);
    case CLI_CALIBRATE:
        return take_first(&options->map, CLI_CALIBRATE, argument, status);
    case CLI_LIST:
        return take_kind(options, argument, status);
    case CLI_CHECK:
        if (options->file_count == CLI_MAX_FILES) {
            return status_fail(status, STATUS_BAD_USAGE, "check: at most %d files are allowed", CLI_MAX_FILES);
        }
        options->files[options->file_count++] = argument;
        return true;
    default:
        return status_fail(status, STATUS_BAD_USAGE, "%s: takes no %.80s; see: spadework --help",
                           command_name(options->command), argument);
    }
}

/// Refuses a file to be written that is also read, or written twice; a name without dot or slash is no file's.
static bool check_outputs(const CliOptions *options, Status *status)
{
    const RunOptions *run = &options->run;
    enum { OUTPUTS = 5 };
    const char *const names[] = {"--record",  "--telemetry", "--shot",     "--csv", "--video",
                                 "the scene", "--operator",  "--controls", "REC"};
    const char *const files[] = {run->record, run->telemetry,     run->shot,     options->csv,      options->video,
                                 run->scene,  run->operator_name, run->controls, options->recording};
    for (int k = 0; k < OUTPUTS; k++) {
        for (int other = k + 1; other < (int)(sizeof files / sizeof files[0]); other++) {
            bool same = files[k] != NULL && files[other] != NULL && strcmp(files[k], files[other]) == 0;
            if (same && (other < OUTPUTS || strpbrk(files[other], "./") != NULL)) {
                return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: is the same file as %s", names[k], files[k],
                                   names[other]);
            }
        }
    }
    return true;
}

static bool check_video(const CliOptions *options, Status *status)
{
    const RunOptions *run = &options->run;
    size_t length = options->video != NULL ? strlen(options->video) : 0;
    if (options->video == NULL && (run->camera >= 0 || run->width > 0 || run->overlay || options->fps > 0)) {
        return status_fail(status, STATUS_BAD_USAGE, "export: --camera, --size, --overlay and --fps go with --video");
    }
    if (options->video != NULL && (length < 5 || strcmp(options->video + length - 4, ".mp4") != 0)) {
        return status_fail(status, STATUS_BAD_USAGE, "--video %.80s: a name that ends in .mp4 is expected",
                           options->video);
    }
    return (run->width % 2 == 0 && run->height % 2 == 0) ||
           status_fail(status, STATUS_BAD_USAGE, "--size %dx%d: a video needs even numbers", run->width, run->height);
}

static bool check_whole(const CliOptions *options, Status *status)
{
    const char *missing = NULL;
    const RunOptions *run = &options->run;
    if (run->headless && run->operator_name != NULL && strcmp(run->operator_name, "keyboard") == 0) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: --operator keyboard needs the window: leave --headless out, or use --operator auto",
                           command_name(options->command));
    }
    if (run->overlay && (options->verify || (run->headless && run->shot == NULL))) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: --overlay needs a picture: %s",
                           command_name(options->command),
                           options->verify ? "leave --verify out" : "add --shot PNG, or leave --headless out");
    }
    if (run->has_volume && (options->verify || run->headless)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: --volume needs the window: leave --%s out",
                           command_name(options->command), options->verify ? "verify" : "headless");
    }
    switch (options->command) {
    case CLI_CALIBRATE:
        missing = options->map == NULL ? "a file to write (my-joysticks.yaml)" : NULL;
        break;
    case CLI_RUN:
        missing = options->run.scene == NULL ? "a SCENE (see: spadework list scenes)" : NULL;
        break;
    case CLI_REPLAY:
        missing = options->recording == NULL ? "a recording" : NULL;
        if (missing == NULL && !options->verify && (options->keyframes || options->run.json || options->run.progress)) {
            return status_fail(status, STATUS_BAD_USAGE, "replay: --keyframes, --json and --progress go with --verify");
        }
        break;
    case CLI_RESUME:
        missing = options->recording == NULL ? "a recording" : options->at < 0.0 ? "--at S" : NULL;
        break;
    case CLI_CHECK:
        missing = options->file_count == 0 ? "a file" : NULL;
        break;
    case CLI_LIST:
        missing = options->kind == NULL ? "scenes, machines, soils, controls or meshes" : NULL;
        break;
    case CLI_EXPORT:
        missing = options->recording == NULL ? "a recording"
                  : options->ply == NULL && options->csv == NULL && options->video == NULL
                      ? "--ply DIR, --csv FILE or --video OUT.mp4"
                      : NULL;
        if (missing == NULL && !check_video(options, status)) {
            return false;
        }
        break;
    default:
        break;
    }
    return missing == NULL || status_fail(status, STATUS_BAD_USAGE, "%s: needs %s; see: spadework %s --help",
                                          command_name(options->command), missing, command_name(options->command));
}

/// ---- the whole line --------------------------------------------------------------------------------------------------

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static bool find_command(const char *name, CliCommand *command, Status *status)
{
    for (int k = 0; k < COMMANDS; k++) {
        if (strcmp(commands[k].name, name) == 0) {
            *command = commands[k].command;
            return true;
        }
    }
    if (is_later_command(name)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: this version does not have it; see: spadework --help", name);
    }
    const char *nearest = NULL;
    int distance = 0;
    for (int k = 0; k < COMMANDS; k++) {
        keep_nearest(name, commands[k].name, &nearest, &distance);
    }
    return status_fail(
        status, STATUS_BAD_USAGE,
        "unknown %s %.80s%s%s%s; known: menu, run, replay, resume, check, list, export; see: spadework --help",
        name[0] == '-' ? "option" : "command", name, nearest != NULL ? " (is " : "", nearest != NULL ? nearest : "",
        nearest != NULL ? " meant?)" : "");
}

static bool parse_help(CliOptions *options, int argc, const char *const *argv, Status *status)
{
    options->command = CLI_HELP;
    options->topic = CLI_NOTHING;
    return argc < 3 || find_command(argv[2], &options->topic, status);
}

bool cli_parse(int argc, const char *const *argv, CliOptions *options, Status *status)
{
    *options = (CliOptions){.run = {.shot_at = -1.0, .camera = -1, .volume = VOLUME}, .at = -1.0, .every = 1};
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
    bool only_arguments = false;
    for (int k = 2; k < argc; k++) {
        if (!only_arguments && strcmp(argv[k], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[k][0] == '-' && argv[k][1] != '\0') {
            if (!take_option(options, argc, argv, &k, status)) {
                return false;
            }
        } else if (!take_argument(options, argv[k], status)) {
            return false;
        }
    }
    return check_whole(options, status) && check_outputs(options, status);
}
