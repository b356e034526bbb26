/// The command line: what each command takes, and one clear line for everything that is wrong.
// test: sanitized

#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/cli/cli_parse.h"
#include "trainer/cli/cli_table.h"

enum { MOST_WORDS = 40 };

/// A command line made from one text, its words divided by single spaces ("_" is an empty word).
typedef struct Line {
    char text[2048];
    const char *words[MOST_WORDS];
    int count;
    CliOptions options;
    Status status;
} Line;

static bool parse(Line *line, const char *text)
{
    memset(line, 0, sizeof *line);
    line->words[line->count++] = "spadework";
    strncpy(line->text, text, sizeof line->text - 1);
    for (char *word = line->text; word != NULL && *word != '\0';) {
        char *end = strchr(word, ' ');
        if (end != NULL) {
            *end++ = '\0';
        }
        line->words[line->count++] = strcmp(word, "_") == 0 ? "" : word;
        word = end;
    }
    return cli_parse(line->count, line->words, &line->options, &line->status);
}

/// The text must be refused with one line that holds `part`.
static void refuse(const char *text, const char *part)
{
    Line *line = malloc(sizeof *line);
    assert_non_null(line);
    if (parse(line, text)) {
        fail_msg("accepted: %s", text);
    }
    assert_int_equal(line->status.code, STATUS_BAD_USAGE);
    if (strstr(line->status.text, part) == NULL) {
        fail_msg("%s: \"%s\" is not in: %s", text, part, line->status.text);
    }
    assert_null(strchr(line->status.text, '\n'));
    free(line);
}

static Line *accept(const char *text)
{
    Line *line = malloc(sizeof *line);
    assert_non_null(line);
    if (!parse(line, text)) {
        fail_msg("refused: %s: %s", text, line->status.text);
    }
    return line;
}

/// The help of a command; free it.
static char *help_of(CliCommand topic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    cli_print_help(topic, file);
    fclose(file);
    return text;
}

TEST(test_nothing)
{
    Line *line = accept("");
    assert_int_equal(line->options.command, CLI_NOTHING);
    free(line);
}

TEST(test_run_takes_everything)
{
    Line *line = accept("run trench --headless --operator auto --seconds 12.5 --record a.spade --telemetry a.csv "
                        "--threads 8 --seed 9223372036854775807 --solver gs --shot p.png@3.5 --trainee Ann "
                        "--set ground.layers.1.soil=sand --set seed=3 --controls bhl --keep-going --json --progress");
    const RunOptions *run = &line->options.run;
    assert_int_equal(line->options.command, CLI_RUN);
    assert_string_equal(run->scene, "trench");
    assert_true(run->headless && run->keep_going && run->json && run->progress && run->has_seed);
    assert_string_equal(run->operator_name, "auto");
    assert_true(run->seconds == 12.5 && run->threads == 8 && run->seed == INT64_MAX);
    assert_int_equal(run->solver, SOIL_SOLVER_GS);
    assert_string_equal(run->record, "a.spade");
    assert_string_equal(run->telemetry, "a.csv");
    assert_string_equal(run->shot, "p.png");
    assert_true(run->shot_at == 3.5);
    assert_string_equal(run->trainee, "Ann");
    assert_string_equal(run->controls, "bhl");
    assert_int_equal(run->set_count, 2);
    assert_string_equal(run->set[0], "ground.layers.1.soil=sand");
    assert_string_equal(run->set[1], "seed=3");
    free(line);
}

TEST(test_run_defaults)
{
    Line *line = accept("run trench");
    const RunOptions *run = &line->options.run;
    assert_false(run->headless || run->has_seed || run->keep_going || run->json);
    assert_null(run->operator_name);
    assert_null(run->record);
    assert_null(run->shot);
    assert_true(run->shot_at < 0.0);
    assert_true(run->seconds == 0.0 && run->threads == 0);
    assert_int_equal(run->solver, SOIL_SOLVER_DEFAULT);
    free(line);
}

TEST(test_order_and_equals_do_not_matter)
{
    Line *line = accept("run --seconds=2 --set=a=b=c trench --solver=p2");
    assert_string_equal(line->options.run.scene, "trench");
    assert_true(line->options.run.seconds == 2.0);
    assert_string_equal(line->options.run.set[0], "a=b=c");
    assert_int_equal(line->options.run.solver, SOIL_SOLVER_P2);
    free(line);
    line = accept("check -- --odd-name.yaml");
    assert_string_equal(line->options.files[0], "--odd-name.yaml");
    free(line);
}

TEST(test_shot_without_time)
{
    static const char *const names[] = {"p.png", "me@home.png", "a@b/p.png"};
    for (size_t k = 0; k < 3; k++) {
        char text[64] = "run trench --shot ";
        strcat(text, names[k]);
        Line *line = accept(text);
        assert_string_equal(line->options.run.shot, names[k]);
        assert_true(line->options.run.shot_at < 0.0);
        free(line);
    }
    refuse("run trench --shot p.png@-1", "0");
    refuse("run trench --shot p.png@inf", "number");
    refuse("run trench --shot @3", "name");
}

TEST(test_replay_and_resume)
{
    Line *line = accept("replay a.spade --verify --keyframes --from 2.5 --threads 3");
    assert_int_equal(line->options.command, CLI_REPLAY);
    assert_string_equal(line->options.recording, "a.spade");
    assert_true(line->options.verify && line->options.keyframes && line->options.has_from);
    assert_true(line->options.from == 2.5 && line->options.run.threads == 3);
    free(line);
    line = accept("resume a.spade --at 0 --operator gamepad");
    assert_int_equal(line->options.command, CLI_RESUME);
    assert_true(line->options.at == 0.0);
    free(line);
    refuse("replay", "recording");
    refuse("replay a.spade b.spade", "b.spade");
    refuse("replay a.spade --keyframes", "--verify");
    line = accept("replay a.spade --headless --verify");
    assert_true(line->options.verify && line->options.run.headless);
    free(line);
    refuse("replay a.spade --headless", "--headless goes with --verify");
    refuse("resume a.spade", "--at");
    refuse("resume a.spade --at -2", "-2");
    refuse("resume a.spade --at 2 --seed 4", "--seed");
    refuse("resume a.spade --at 2 --set a=b", "--set");
}

TEST(test_check_and_list)
{
    Line *line = accept("check a.yaml b.spade c.yaml --json");
    assert_int_equal(line->options.command, CLI_CHECK);
    assert_int_equal(line->options.file_count, 3);
    assert_string_equal(line->options.files[1], "b.spade");
    assert_true(line->options.run.json);
    free(line);
    line = accept("list soils");
    assert_string_equal(line->options.kind, "soils");
    free(line);
    refuse("check", "file");
    refuse("list", "scenes");
    refuse("list shovels", "shovels");
    refuse("list soils scenes", "scenes");
}

TEST(test_wrong_values)
{
    refuse("run", "SCENE");
    refuse("run a b", "b");
    refuse("run trench --seconds", "--seconds");
    refuse("run trench --seconds 0", "0");
    refuse("run trench --seconds -1", "-1");
    refuse("run trench --seconds nan", "nan");
    refuse("run trench --seconds 1e9", "1e9");
    refuse("run trench --seconds 5s", "5s");
    refuse("run trench --threads 0", "256");
    refuse("run trench --threads 257", "256");
    refuse("run trench --threads 2.5", "2.5");
    refuse("run trench --seed -1", "-1");
    refuse("run trench --seed 9223372036854775808", "9223372036854775807");
    refuse("run trench --seed 99999999999999999999999", "whole number");
    refuse("run trench --solver fast", "fast");
    refuse("run trench --camera drone", "around behind cab bucket boom plan section rear free");
    refuse("run trench --rear often", "off, auto or on");
    refuse("run trench --inset moon", "off or one of around");
    refuse("run trench --mirrors=", "--mirrors");
    refuse("run trench --mirrors yes", "off, auto or on");
    refuse("run trench --screens 2", "1 or 3");
    refuse("run trench --eyes 3", "1 or 2");
    refuse("run trench --screens 3 --eyes 2", "--screens 3");
    refuse("run trench --window drone", "around behind cab bucket boom plan section rear free");
    refuse("run trench --window plan@0", "@1 to @16");
    refuse("run trench --window plan@17", "@1 to @16");
    refuse("run trench --window plan@2x", "@1 to @16");
    refuse("run trench --window plan --window cab --window rear --window free", "at most 3");
    refuse("run trench --headless --window plan", "--window");
    refuse("run trench --quality best", "auto, high, medium or low");
    refuse("run trench --set novalue", "KEY=VALUE");
    refuse("run trench --set =5", "KEY=VALUE");
    refuse("run trench --record _", "--record");
    refuse("run trench --headless=yes", "--headless");
    refuse("run trench --bogus", "--bogus");
    refuse("run trench -x", "-x");
    refuse("run trench --verify", "--verify");
    refuse("run trench --console 65536", "0 to 65535");
}

TEST(test_too_many)
{
    const char *words[2 + 2 * (RUN_MAX_SET + 1) + 1] = {"spadework", "run", "trench"};
    int count = 3;
    for (int k = 0; k < RUN_MAX_SET + 1; k++) {
        words[count++] = "--set";
        words[count++] = "a=b";
    }
    CliOptions *options = malloc(sizeof *options);
    Status status;
    assert_true(cli_parse(count - 2, words, options, &status));
    assert_int_equal(options->run.set_count, RUN_MAX_SET);
    assert_false(cli_parse(count, words, options, &status));
    const char **files = calloc(CLI_MAX_FILES + 3, sizeof *files);
    assert_non_null(files);
    for (int k = 0; k < CLI_MAX_FILES + 3; k++) {
        files[k] = k == 0 ? "spadework" : k == 1 ? "check" : "x.yaml";
    }
    assert_true(cli_parse(CLI_MAX_FILES + 2, files, options, &status));
    assert_false(cli_parse(CLI_MAX_FILES + 3, files, options, &status));
    free(files);
    free(options);
}

TEST(test_unknown_commands)
{
    refuse("dig", "dig");
    refuse("--frobnicate", "--frobnicate");
    refuse("serves", "is serve meant");
}

TEST(test_doctor)
{
    Line *line = accept("doctor --json --quality medium");
    assert_int_equal(line->options.command, CLI_DOCTOR);
    assert_true(line->options.run.json);
    assert_int_equal(line->options.run.quality, 1 + SETTINGS_QUALITY_MEDIUM);
    free(line);
    refuse("doctor --headless", "unknown option");
    refuse("doctor trench", "takes no trench");
}

/// Whoever misspells a command reads the names of all there are.
TEST(test_unknown_command_names_all)
{
    for (int k = 0; k < cli_command_count; k++) {
        refuse("dig", cli_commands[k].name);
    }
}

TEST(test_export)
{
    Line *line = accept("export r.spade --ply out --every 10 --csv t.csv --threads 2 --json");
    assert_int_equal(line->options.command, CLI_EXPORT);
    assert_string_equal(line->options.recording, "r.spade");
    assert_string_equal(line->options.ply, "out");
    assert_string_equal(line->options.csv, "t.csv");
    assert_int_equal(line->options.every, 10);
    free(line);
    line = accept("export r.spade --csv t.csv");
    assert_int_equal(line->options.every, 1);
    assert_null(line->options.ply);
    free(line);
    refuse("export", "a recording");
    refuse("export r.spade", "--events FILE, --mcap OUT.mcap, --video OUT.mp4, --picture PNG@S or --ground FILE@S");
    line = accept("export r.spade --ply out --color speed --solid");
    assert_int_equal(line->options.ply_color, PLY_COLOR_SPEED);
    assert_true(line->options.ply_solid);
    free(line);
    refuse("export r.spade --ply out --color red", "--color red: soil or speed is allowed");
    refuse("export r.spade --csv t.csv --color soil", "--color goes with --ply DIR");
    refuse("export r.spade --csv t.csv --solid", "--solid goes with --ply DIR");
    refuse("export r.spade --ply out --every 0", "--every 0");
    refuse("export r.spade --ply out --every x", "--every x");
    refuse("export r.spade --csv r.spade", "same file as REC");
    line = accept("export r.spade --mcap a.mcap --rate 20");
    assert_string_equal(line->options.mcap, "a.mcap");
    assert_int_equal(line->options.rate, 20);
    free(line);
    refuse("export r.spade --mcap a.bag", "ends in .mcap");
    refuse("export r.spade --mcap .mcap", "ends in .mcap");
    refuse("export r.spade --mcap a.mcap --rate 0", "from 1 to 1000");
    refuse("export r.spade --mcap a.mcap --rate 1001", "from 1 to 1000");
    refuse("export r.spade --csv a --rate 20", "goes with --hdf5 or --mcap");
    refuse("export r.spade --csv x.mcap --mcap x.mcap", "same file");
    refuse("export r.spade --video out.avi", "ends in .mp4");
    refuse("export r.spade --video .mp4", "ends in .mp4");
    refuse("export r.spade --video a.mp4 --fps 0", "from 1 to 240");
    refuse("export r.spade --video a.mp4 --fps 241", "from 1 to 240");
    refuse("export r.spade --video a.mp4 --size 641x360", "even");
    refuse("export r.spade --csv a --fps 25", "goes with --video");
    refuse("export r.spade --csv a --from 1", "goes with --video");
    refuse("export r.spade --csv a --to 1", "goes with --video");
    refuse("export r.spade --video a.mp4 --from 2 --to 1", "a second from --from (2) on");
    refuse("export r.spade --video a.mp4 --from -1", "from 0");
    refuse("export r.spade --video a.mp4 --camera free=1,2,3,4,5", "number 6 of 6");
    refuse("export r.spade --video a.mp4 --camera nowhere", "around behind cab");
    refuse("export r.spade --ply a --overlay", "goes with --video");
    refuse("export r.spade --csv x.mp4 --video x.mp4", "same file");
    refuse("export a.spade b.spade --ply out", "one too many");
    refuse("run trench --ply out", "unknown option");
}

TEST(test_export_of_demonstrations)
{
    Line *line = accept("export a.spade b.spade --hdf5 all.hdf5 --layout robomimic --rate 20 --cameras cab,around");
    const CliOptions *options = &line->options;
    assert_string_equal(options->recording, "a.spade");
    assert_string_equal(options->files[1], "b.spade");
    assert_int_equal(options->file_count, 2);
    assert_int_equal(options->layout, HDF5_LAYOUT_ROBOMIMIC);
    assert_int_equal(options->rate, 20);
    assert_int_equal(options->camera_count, 2);
    assert_int_equal(options->cameras[0], CAMERA_CAB);
    assert_int_equal(options->cameras[1], CAMERA_ORBIT);
    assert_int_equal(options->heights, HDF5_HEIGHTS);
    assert_true(options->spacing == HDF5_SPACING && !options->trainee_names);
    free(line);
    line = accept("export a.spade --hdf5 a.hdf5 --heights 32,0.25 --cameras cab --picture-size 64x48 --trainee-names");
    assert_int_equal(line->options.heights, 32);
    assert_true(line->options.spacing == 0.25 && line->options.trainee_names);
    assert_int_equal(line->options.picture_width, 64);
    assert_int_equal(line->options.picture_height, 48);
    free(line);
    refuse("export a.spade --hdf5 a.hdf5 --layout zarr", "spadework, act or robomimic");
    refuse("export a.spade --hdf5 a.hdf5 --rate 0", "from 1 to 1000");
    refuse("export a.spade --hdf5 a.hdf5 --rate 1001", "from 1 to 1000");
    refuse("export a.spade --hdf5 a.hdf5 --heights -1", "from 0 to 512");
    refuse("export a.spade --hdf5 a.hdf5 --heights 64,nan", "from 0.01 to 10");
    refuse("export a.spade --hdf5 a.hdf5 --heights 64,", "from 0.01 to 10");
    refuse("export a.spade --hdf5 a.hdf5 --cameras cab,", "with commas between");
    refuse("export a.spade --hdf5 a.hdf5 --cameras cab,cab", "twice");
    refuse("export a.spade --hdf5 a.hdf5 --picture-rate 5", "goes with --cameras");
    refuse("export a.spade --hdf5 a.hdf5 --layout act --cameras cab --picture-rate 5", "--picture-rate");
    refuse("export a.spade --csv a.csv --layout act", "goes with --hdf5");
    refuse("export a.spade --csv a.csv --hdf5 a.hdf5", "goes alone");
    refuse("export a.spade --csv a.csv --quality low", "--cameras");
    refuse("export a.spade b.spade --hdf5 b.spade", "same file as REC");
}

TEST(test_nothing_is_written_over)
{
    refuse("run trench --record a --telemetry a", "same file");
    refuse("run trench --shot a.png@3 --record a.png", "same file");
    refuse("run trench --operator s.csv --telemetry s.csv", "same file as --operator");
    refuse("run ./my.yaml --telemetry ./my.yaml", "same file as the scene");
    refuse("resume r.spade --at 1 --record r.spade", "same file as REC");
    free(accept("run trench --record trench"));
}

/// One file under two names: a link, and a longer way to it.
TEST(test_nothing_is_written_over_by_another_name)
{
    char folder[] = "/tmp/spadework-cli-XXXXXX", text[256];
    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "%s/r.spade", folder);
    FILE *file = fopen(text, "w");
    assert_non_null(file);
    fclose(file);
    char other[128];
    snprintf(other, sizeof other, "%s/link.csv", folder);
    assert_int_equal(symlink(text, other), 0);
    snprintf(text, sizeof text, "resume %s/r.spade --at 1 --telemetry %s/link.csv", folder, folder);
    refuse(text, "same file as REC");
    snprintf(text, sizeof text, "export %s/r.spade --csv %s/../%s/r.spade", folder, folder, folder + strlen("/tmp/"));
    refuse(text, "same file as REC");
    snprintf(text, sizeof text, "run trench --record %s/a --operator %s/r.spade --shot %s/link.csv@1", folder, folder,
             folder);
    refuse(text, "same file as --operator");
    remove(other);
    snprintf(other, sizeof other, "%s/r.spade", folder);
    remove(other);
    rmdir(folder);
}

/// Finds an option with its value behind the start of a line; a long one has that line for itself.
static const char *find_option(const char *help, const char *head)
{
    const char *found = strstr(help, head);
    return found == NULL || strchr(" \n", found[strlen(head)]) != NULL ? found : find_option(found + 1, head);
}

/// The help of every command names each of its options once, with its value, on a line of at most 120 columns.
TEST(test_help_is_the_table)
{
    for (int c = 0; c < cli_command_count; c++) {
        char *help = help_of(cli_commands[c].command);
        for (int k = 0; k < cli_option_count; k++) {
            char head[64];
            snprintf(head, sizeof head, "\n  %s%s%s", cli_options[k].name, cli_options[k].value != NULL ? " " : "",
                     cli_options[k].value != NULL ? cli_options[k].value : "");
            const char *found = find_option(help, head);
            if ((cli_options[k].on & 1U << cli_commands[c].command) == 0) {
                continue;
            }
            assert_non_null(found);
            assert_null(find_option(found + 1, head));
        }
        for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
            assert_true(strcspn(line, "\n") <= 120);
        }
        free(help);
    }
}

TEST(test_qualities)
{
    static const char *const lines[] = {"run trench --quality auto", "menu --quality high", "menu --quality medium",
                                        "replay x.spade --quality low"};
    for (int k = 0; k < 4; k++) {
        Line *line = accept(lines[k]);
        assert_int_equal(line->options.run.quality, k + 1);
        free(line);
    }
}

TEST(test_cameras)
{
    static const char *const lines[] = {"run trench",
                                        "run trench --camera around",
                                        "run trench --camera behind",
                                        "resume x.spade --at 1 --camera cab",
                                        "run trench --camera bucket",
                                        "run trench --camera boom",
                                        "run trench --camera plan",
                                        "run trench --camera section",
                                        "run trench --camera rear",
                                        "run trench --camera free"};
    for (int k = 0; k < 10; k++) {
        Line *line = accept(lines[k]);
        assert_int_equal(line->options.run.camera, k - 1);
        free(line);
    }
}

/// What the command line says of insets, mirrors, screens and eyes comes before the settings, and only that.
TEST(test_views_come_before_settings)
{
    SettingsViews settings = {.rear = SETTINGS_REAR_ON, .inset = 1 + CAMERA_PLAN, .screens = 3, .screen_angle = 0.7};
    Line *line = accept("run trench --rear off --inset section --mirrors on");
    SettingsViews views = run_views(&line->options.run.views, &settings);
    assert_int_equal(views.rear, SETTINGS_REAR_OFF);
    assert_int_equal(views.inset, 1 + CAMERA_SECTION);
    assert_int_equal(views.mirrors, SETTINGS_MIRRORS_ON);
    assert_int_equal(views.screens, 3);
    assert_float_equal(views.screen_angle, 0.7, 0.0);
    free(line);
    line = accept("replay r.spade --eyes 2 --inset off");
    views = run_views(&line->options.run.views, &settings);
    assert_int_equal(views.eyes, 2);
    assert_int_equal(views.screens, 1); // the settings' three screens give way
    assert_int_equal(views.inset, 0);
    assert_int_equal(views.rear, SETTINGS_REAR_ON);
    free(line);
    line = accept("run trench");
    views = run_views(&line->options.run.views, NULL);
    assert_int_equal(views.rear, SETTINGS_REAR_OFF);
    assert_int_equal(views.inset, 0);
    free(line);
}

TEST(test_windows_are_collected)
{
    Line *line = accept("replay r.spade --window around@2 --window section");
    const SettingsSides *windows = &line->options.run.windows;
    assert_int_equal(windows->count, 2);
    assert_int_equal(windows->sides[0].camera, CAMERA_ORBIT);
    assert_int_equal(windows->sides[0].display, 2);
    assert_int_equal(windows->sides[1].camera, CAMERA_SECTION);
    assert_int_equal(windows->sides[1].display, 0);
    free(line);
}

TEST(test_the_debug_view_needs_a_picture)
{
    static const char *const good[] = {"run trench --overlay",
                                       "run trench --headless --shot a.png@2 --overlay",
                                       "run --overlay trench --headless --shot a.png",
                                       "resume x.spade --at 1 --overlay",
                                       "resume x.spade --at 1 --headless --overlay --shot a.png",
                                       "replay x.spade --overlay",
                                       "menu --overlay"};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        Line *line = accept(good[k]);
        assert_true(line->options.run.overlay);
        free(line);
    }
    Line *line = accept("run trench");
    assert_false(line->options.run.overlay);
    free(line);
    refuse("run trench --headless --overlay", "--overlay needs a picture: add --shot");
    refuse("resume x.spade --at 1 --headless --overlay", "--shot");
    refuse("replay x.spade --verify --overlay", "leave --verify out");
    refuse("run trench --overlay=yes", "takes no value");
    refuse("check a.yaml --overlay", "--overlay");
}

TEST(test_panels_over_pictures)
{
    Line *line = accept("run trench --headless --shot a.png");
    assert_int_equal(line->options.run.panels, 0);
    free(line);
    line = accept("export r.spade --picture a.png@1 --panels strip");
    assert_int_equal(line->options.run.panels, 1 + SETTINGS_GAUGES_STRIP);
    free(line);
    line = accept("run trench --headless --shot a.png --panels=all");
    assert_int_equal(line->options.run.panels, 1 + SETTINGS_GAUGES_ALL);
    free(line);
    line = accept("export r.spade --video a.mp4 --panels off");
    assert_int_equal(line->options.run.panels, 1 + SETTINGS_GAUGES_NONE);
    free(line);
    line = accept("export r.spade --video a.mp4 --plain");
    assert_true(line->options.run.plain);
    free(line);
    refuse("export r.spade --picture a.png@1 --panels none", "--panels none: strip, all or off is allowed");
    refuse("export r.spade --picture a.png@1 --panels", "--panels");
    refuse("export r.spade --csv a.csv --panels strip", "goes with --video or --picture");
    refuse("run trench --headless --panels strip", "--panels needs a picture: add --shot");
}

TEST(test_volumes)
{
    static const char *const good[] = {"run trench --volume 0.25", "resume x.spade --at 1 --volume=0.25",
                                       "replay x.spade --volume 0.25", "menu --volume 0.25"};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        Line *line = accept(good[k]);
        assert_true(line->options.run.volume == 0.25);
        assert_false(line->options.run.mute);
        free(line);
    }
    Line *line = accept("run trench --mute");
    assert_true(line->options.run.mute && line->options.run.volume < 0.0); // the settings' volume
    free(line);
    free(accept("run trench --volume 0"));
    free(accept("run trench --volume 1"));
    free(accept("run trench --headless --mute"));
    refuse("run trench --volume -0.1", "--volume -0.1: a number from 0 to 1");
    refuse("run trench --volume 1.01", "from 0 to 1");
    refuse("run trench --volume nan", "from 0 to 1");
    refuse("run trench --volume loud", "from 0 to 1");
    refuse("run trench --volume", "value is missing");
    refuse("run trench --headless --volume 0.5", "leave --headless out");
    refuse("replay x.spade --verify --volume 0.5", "leave --verify out");
    refuse("run trench --mute=yes", "takes no value");
    refuse("check a.yaml --mute", "--mute");
}

TEST(test_motion_platforms)
{
    static const char *const good[] = {"run trench --motion localhost:4600",
                                       "resume x.spade --at 1 --motion=localhost:4600",
                                       "replay x.spade --motion localhost:4600", "menu --motion localhost:4600"};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        Line *line = accept(good[k]);
        assert_string_equal(line->options.run.motion, "localhost:4600");
        free(line);
    }
    Line *without = accept("run trench");
    assert_null(without->options.run.motion);
    free(without);
    refuse("run trench --motion localhost", "--motion localhost: HOST:PORT is expected");
    refuse("run trench --motion localhost:0", "1 to 65535");
    refuse("run trench --motion localhost:65536", "1 to 65535");
    refuse("run trench --motion", "value is missing");
    refuse("replay x.spade --verify --motion localhost:4600", "--motion needs the window: leave --verify out");
    refuse("export x.spade --csv a.csv --motion localhost:4600", "unknown option --motion");
}

TEST(test_sizes)
{
    Line *line = accept("run trench --headless --shot a.png --size 640x360");
    assert_int_equal(line->options.run.width, 640);
    assert_int_equal(line->options.run.height, 360);
    free(line);
    line = accept("export r.spade --video a.mp4 --size 8192x16 --fps 25 --camera cab --overlay");
    assert_string_equal(line->options.video, "a.mp4");
    assert_int_equal(line->options.run.width, 8192);
    assert_int_equal(line->options.run.height, 16);
    assert_int_equal(line->options.fps, 25);
    assert_int_equal(line->options.run.camera, 2);
    assert_true(line->options.run.overlay);
    free(line);
    static const char *const bad[] = {"640",      "640x",     "x360",     "15x360",   "640x8193",
                                      "640x360x", "-640x360", "640 x360", "640x+360", "99999999999999999999x360",
                                      "_"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[96] = "run trench --shot a.png --size=";
        strcat(text, bad[k]);
        refuse(text, "--size");
    }
}

TEST(test_hints_at_the_nearest)
{
    refuse("reply x.spade", "(is replay meant?)");
    refuse("rum trench", "(is run meant?)");
    refuse("run trench --telemetr x.csv", "(is --telemetry meant?)");
    refuse("run trench --headles", "(is --headless meant?)");
    refuse("run trench --thread=2", "(is --threads meant?)");
    refuse("replay x.spade --verfiy", "(is --verify meant?)");
    // Only what the command takes, and only what is near.
    static const char *const far[] = {"list soils --verify", "run trench --frobnicate", "excavate"};
    for (size_t k = 0; k < 3; k++) {
        Line *line = malloc(sizeof *line);
        assert_non_null(line);
        assert_false(parse(line, far[k]));
        assert_null(strstr(line->status.text, "meant?"));
        free(line);
    }
}

TEST(test_a_keyboard_needs_a_window)
{
    refuse("run trench --headless --operator keyboard", "--operator auto");
    refuse("resume x.spade --at 2 --operator keyboard --headless", "window");
    free(accept("run trench --operator keyboard"));
    free(accept("run trench --headless --operator gamepad"));
}

TEST(test_clumsiness_is_a_share)
{
    Line *line = accept("run trench --operator auto --clumsy 0.5");
    assert_near(line->options.run.clumsy, 0.5, 0.0);
    free(line);
    refuse("run trench --operator auto --clumsy 1.5", "--clumsy");
}

TEST(test_help)
{
    static const struct {
        const char *text;
        CliCommand topic;
    } cases[] = {{"--help", CLI_NOTHING},       {"-h", CLI_NOTHING},       {"help", CLI_NOTHING},
                 {"help run", CLI_RUN},         {"run --help", CLI_RUN},   {"run --bogus --help", CLI_RUN},
                 {"replay --help", CLI_REPLAY}, {"resume -h", CLI_RESUME}, {"check --help", CLI_CHECK},
                 {"list --help", CLI_LIST},     {"menu --help", CLI_MENU}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Line *line = accept(cases[k].text);
        assert_int_equal(line->options.command, CLI_HELP);
        assert_int_equal(line->options.topic, cases[k].topic);
        char *help = help_of(cases[k].topic);
        assert_int_equal(help[strlen(help) - 1], '\n');
        free(help);
        free(line);
    }
    Line *line = accept("--version");
    assert_int_equal(line->options.command, CLI_VERSION);
    free(line);
}

TEST_GROUP(NULL, NULL)
