/// The folder of recordings that were made unasked: names, the list, the clean-up that touches nothing else, and the
/// settings that rule it.
#include <sys/stat.h>
#include <time.h>
#include <utime.h>

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "data/core/data_files.h"
#include "trainer/results/results_settings.h"
#include "trainer/results/results_recordings.h"

/// Gives the test a home of its own.
static void make_home(char folder[64])
{
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
}

static void copy(const char *from, const char *to)
{
    char command[4096];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

/// An hour old, so that the clean-up may take it; `made` is what the recording says of its date.
static void make_old(const char *path, const char *made)
{
    sqlite3 *db = NULL;
    char sql[128];
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "update meta set value = '%s' where key = 'created'", made);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_true(reseal(path));
    time_t past = time(NULL) - 3600;
    assert_int_equal(utime(path, &(struct utimbuf){past, past}), 0);
}

TEST(a_new_recording_has_a_name_and_a_place)
{
    char home[64], first[DATA_PATH_LENGTH], second[DATA_PATH_LENGTH];
    Status status = {0};
    make_home(home);
    assert_good(results_new_recording("trench", first, &status), status);
    char start[160];
    snprintf(start, sizeof start, "%s/spadework/recordings/trench-20", home);
    assert_memory_equal(first, start, strlen(start));
    assert_int_equal(strlen(first), strlen(start) + strlen("26-11-23-180531.spade"));
    record(first, 1, 30, NULL);
    for (int k = 0; k < 3; k++) { // the second may change in between
        assert_good(results_new_recording("trench", second, &status), status);
        assert_string_not_equal(first, second);
        assert_int_not_equal(access(second, F_OK), 0);
    }
    remove_folder(home);
}

TEST(the_list_tells_what_recordings_are_about)
{
    char folder[64], a[512], b[512], c[512];
    Status status = {0};
    ResultRecordings list;
    make_folder(folder);
    assert_good(results_recordings("/nowhere/at/all", &list, &status), status);
    assert_int_equal(list.count, 0);
    record(path_in(folder, "trench-2026-11-01-080000.spade", a), 1, 60, NULL);
    copy(a, path_in(folder, "mine.spade", b));
    make_old(a, "2026-11-01T07:00:00Z");
    make_old(b, "2026-11-02T07:00:00Z");
    FILE *file = fopen(path_in(folder, "text.spade", c), "w");
    fputs("no recording\n", file);
    fclose(file);
    assert_good(results_recordings(folder, &list, &status), status);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.entries[2].path, c); // what is none stands last, with its fault
    assert_non_null(strstr(list.entries[2].fault, "is not a recording"));
    assert_string_equal(list.entries[0].fault, "");
    assert_string_equal(list.entries[0].path, b);
    assert_false(list.entries[0].own);
    assert_true(list.entries[1].own);
    const RecordingGlance *glance = &list.entries[1].glance;
    assert_string_equal(glance->scene, "trench");
    assert_string_equal(glance->trainee, "Ada");
    assert_string_equal(glance->operator_name, "auto");
    assert_string_equal(glance->created, "2026-11-01T07:00:00Z");
    assert_true(glance->replayable && glance->closed);
    assert_true(glance->title[0] != '\0' && strcmp(glance->title, "trench") != 0);
    assert_near(glance->duration, 1.0, 1e-12); // 60 ticks of 1/60 s
    assert_near(glance->score, (double)sql_number(a, "select value from metric where name = 'score'"), 1.0);
    results_recordings_free(&list);
    RecordingGlance none;
    assert_false(recording_glance(c, &none, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_false(recording_glance(folder, &none, &status));
    remove_folder(folder);
}

TEST(a_recording_goes_with_what_lies_beside_it)
{
    static const char *const names[] = {"a.spade", "a.spade.html", "a.spade.marks", "a.spade.txt"};
    char folder[64], path[4][512];
    make_folder(folder);
    for (int k = 0; k < 4; k++) {
        FILE *file = fopen(path_in(folder, names[k], path[k]), "w");
        assert_non_null(file);
        fclose(file);
    }
    assert_true(results_delete_recording(path[0]));
    for (int k = 0; k < 4; k++) {
        assert_int_equal(access(path[k], F_OK) == 0, k == 3);
    }
    assert_false(results_delete_recording(path[0]));
    remove_folder(folder);
}

/// The picture is in the file, and what made it an older or a damaged one is told as none.
TEST(a_recording_keeps_a_picture_of_its_end)
{
    static const char png[] = "\x89PNG\r\n\x1a\n and so on";
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    path_in(folder, "dig.spade", path);
    Session *session = make_session(1);
    RecorderParams params = {.path = path, .operator_name = "auto"};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    size_t length = sizeof png;
    unsigned char *given = malloc(length);
    assert_non_null(given);
    memcpy(given, png, sizeof png);
    recorder_keep_picture(recorder, given, sizeof png);
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    size_t size = 0;
    unsigned char *kept = recording_glance_picture(path, &size);
    assert_int_equal(size, sizeof png);
    assert_memory_equal(kept, png, sizeof png);
    free(kept);
    recording_close(open_good(path));
    sql_number(path, "delete from picture");
    assert_null(recording_glance_picture(path, &size));
    sql_number(path, "drop table picture");
    assert_null(recording_glance_picture(path, &size));
    assert_null(recording_glance_picture("/dev/null", &size));
    remove_folder(folder);
}

/// Who is asked how long a recording stays, and told what went.
typedef struct Asked {
    const char *longest, *always; ///< paths, or NULL
    int cleared;
    char last[DATA_PATH_LENGTH];
} Asked;

static ResultsKeep keep(void *context, const ResultRecording *entry)
{
    const Asked *asked = context;
    return asked->always != NULL && strcmp(entry->path, asked->always) == 0     ? RESULTS_KEEP_ALWAYS
           : asked->longest != NULL && strcmp(entry->path, asked->longest) == 0 ? RESULTS_KEEP_LONGEST
                                                                                : RESULTS_KEEP_NOT;
}

static void hear(void *context, const ResultRecording *entry)
{
    Asked *asked = context;
    asked->cleared++;
    snprintf(asked->last, sizeof asked->last, "%s", entry->path);
}

/// Cleans a folder up; returns how many went.
static int clean(const char *folder, double limit, const char *newest, Asked *asked, double *left)
{
    Status status = {0};
    asked->cleared = 0;
    ResultsCleaning cleaning = {.limit = limit, .newest = newest, .keeps = keep, .cleared = hear, .context = asked};
    assert_good(results_clean_recordings(folder, &cleaning, left, &status), status);
    return asked->cleared;
}

/// Three old ones of ours, one just written, one of another name, a link and a text: only ours go, the oldest first,
/// and those that are kept last.
TEST(the_clean_up_deletes_its_own_oldest_alone)
{
    char folder[64], own[3][512], fresh[512], other[512], link[512], text[512];
    Status status = {0};
    make_folder(folder);
    record(path_in(folder, "mine.spade", other), 1, 30, NULL);
    make_old(other, "2020-01-01T00:00:00Z");
    for (int k = 0; k < 3; k++) {
        char name[64], date[32];
        snprintf(name, sizeof name, "trench-2026-11-0%d-080000%s.spade", k + 1, k == 2 ? "-2" : "");
        snprintf(date, sizeof date, "2026-11-0%dT07:00:00Z", k + 1);
        copy(other, path_in(folder, name, own[k]));
        make_old(own[k], date);
    }
    copy(other, path_in(folder, "trench-2026-10-01-080000.spade", fresh)); // the oldest by its name, written just now
    assert_int_equal(symlink(other, path_in(folder, "trench-2026-09-01-080000.spade", link)), 0);
    FILE *file = fopen(path_in(folder, "trench-2026-08-01-080000.spade", text), "w");
    fputs("no recording\n", file);
    fclose(file);
    struct stat info;
    assert_int_equal(stat(other, &info), 0);
    double size = (double)info.st_size; // five count: the three, the fresh one and the link
    double left = 0.0;
    Asked nothing = {0}, kept = {.longest = own[0]}, always = {.always = own[0]};
    assert_int_equal(clean(folder, 5.5 * size, NULL, &nothing, &left), 0);
    assert_near(left, 5.0 * size, 0.5);
    assert_int_equal(clean(folder, 4.5 * size, NULL, &kept, &left), 1);
    assert_string_equal(kept.last, own[1]);
    assert_int_equal(access(own[0], F_OK), 0);
    assert_int_not_equal(access(own[1], F_OK), 0);
    assert_int_equal(clean(folder, 1.0, own[2], &always, &left), 0); // nothing may go: there is too much then
    assert_int_equal(access(own[0], F_OK), 0);
    assert_near(left, 4.0 * size, 0.5);
    assert_int_equal(clean(folder, 1.0, own[2], &kept, &left), 1);
    assert_int_not_equal(access(own[0], F_OK), 0); // kept the longest, not for ever
    assert_int_equal(access(own[2], F_OK), 0); // the newest stays
    assert_int_equal(access(fresh, F_OK), 0);
    assert_int_equal(access(link, F_OK), 0);
    assert_int_equal(access(text, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    assert_false(results_clean_recordings(text, &(ResultsCleaning){.limit = 1.0}, &left, &status));
    remove_folder(folder);
}

static void write_settings(const char *home, const char *text)
{
    char path[512], folder[512];
    mkdir(path_in(home, "spadework", folder), 0700);
    FILE *file = fopen(path_in(home, "spadework/settings.yaml", path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(settings_have_defaults_and_bounds)
{
    char home[64];
    Status status = {0};
    SettingsParams settings;
    make_home(home);
    assert_good(results_settings(&settings, &status), status);
    assert_near(settings.recordings.limit, 10e9, 1.0);
    assert_int_equal(settings.recordings.keep, SETTINGS_KEEP_NEWEST);
    assert_int_equal(settings.recordings.clear, SETTINGS_CLEAR_PLAIN);
    assert_int_equal(settings.window.quality, SETTINGS_QUALITY_AUTO);
    assert_int_equal(settings.window.gauges, SETTINGS_GAUGES_STRIP);
    assert_false(settings.window.no_keys);
    assert_int_equal(settings.window.units, TEXT_UNITS_METRIC);
    assert_string_equal(settings.controls, "");
    assert_near(settings.sound.volume, 0.7, 1e-12);
    write_settings(home, "kind: settings\ncontrols: bhl\nsound: {volume: 0.2}\n");
    assert_good(results_settings(&settings, &status), status);
    assert_string_equal(settings.controls, "bhl");
    assert_near(settings.sound.volume, 0.2, 1e-12);
    write_settings(home, "kind: settings\nwindow: {quality: low, gauges: all, keys: no, units: imperial}\n");
    assert_good(results_settings(&settings, &status), status);
    assert_int_equal(settings.window.quality, SETTINGS_QUALITY_LOW);
    assert_int_equal(settings.window.gauges, SETTINGS_GAUGES_ALL);
    assert_true(settings.window.no_keys);
    assert_int_equal(settings.window.units, TEXT_UNITS_IMPERIAL);
    assert_near(settings.window.panels.scale, 1.0, 1e-12);
    write_settings(home, "kind: settings\nwindow: {score: no, map: no, sides: swapped, panel_scale: 1.25}\n");
    assert_good(results_settings(&settings, &status), status);
    assert_true(settings.window.panels.no_score && settings.window.panels.no_map && settings.window.panels.mirrored);
    assert_near(settings.window.panels.scale, 1.25, 1e-12);
    write_settings(home, "kind: settings\nwindow: {rear: auto, inset: section, mirrors: on, screens: 3, "
                         "screen_angle_deg: 45}\n");
    assert_good(results_settings(&settings, &status), status);
    assert_int_equal(settings.window.views.rear, SETTINGS_REAR_AUTO);
    assert_int_equal(settings.window.views.inset, 1 + CAMERA_SECTION);
    assert_int_equal(settings.window.views.mirrors, SETTINGS_MIRRORS_ON);
    assert_int_equal(settings.window.views.screens, 3);
    assert_near(settings.window.views.screen_angle, M_PI / 4.0, 1e-9);
    write_settings(home, "kind: settings\nwindow: {windows: \"around@2, behind\"}\n");
    assert_good(results_settings(&settings, &status), status);
    assert_string_equal(settings.window.windows, "around@2, behind");
    write_settings(home, "kind: settings\nlanguage: de\nrecordings:\n  limit_gb: 2.5\n  keep: best\n  clear: any\n");
    assert_good(results_settings(&settings, &status), status);
    assert_near(settings.recordings.limit, 2.5e9, 1.0);
    assert_int_equal(settings.recordings.keep, SETTINGS_KEEP_BEST);
    assert_int_equal(settings.recordings.clear, SETTINGS_CLEAR_ANY);
    assert_string_equal(settings.language, "de");
    remove_folder(home);
}

TEST(wrong_settings_say_where)
{
    char home[64];
    Status status = {0};
    SettingsParams settings;
    make_home(home);
    static const struct {
        const char *text, *told;
    } wrong[] = {
        {"kind: settings\nrecordings:\n  limit_gb: 0.01\n", ":3:13: recordings.limit_gb: read 0.01"},
        {"kind: settings\nrecordings:\n  keep: all\n", ":3:9: recordings.keep: read all"},
        {"kind: settings\nrecordings:\n  clear: experts\n",
         ":3:10: recordings.clear: read experts, allowed plain, any"},
        {"kind: settings\nwindow: {quality: best}\n",
         ":2:19: window.quality: read best, allowed auto, high, medium, low"},
        {"kind: settings\nwindow: {gauges: few}\n", ":2:18: window.gauges: read few, allowed strip, all, none"},
        {"kind: settings\nwindow: {rear: maybe}\n", ":2:16: window.rear: read maybe, allowed off, auto, on"},
        {"kind: settings\nwindow: {inset: moon}\n", ":2:17: window.inset: read moon, allowed off, around"},
        {"kind: settings\nwindow: {mirrors: yes}\n", ":2:19: window.mirrors: read yes, allowed auto, off, on"},
        {"kind: settings\nwindow: {screens: 2}\n", ":2:19: window.screens: read 2, allowed 1, 3"},
        {"kind: settings\nwindow: {screen_angle_deg: 5}\n", ":2:28: window.screen_angle_deg: read 5"},
        {"kind: settings\nwindow: {score: 3}\n", ":2:17: window.score: read 3, allowed yes, no"},
        {"kind: settings\nwindow: {map: north}\n", ":2:15: window.map: read north, allowed yes, no"},
        {"kind: settings\nwindow: {sides: left}\n", ":2:17: window.sides: read left, allowed usual, swapped"},
        {"kind: settings\nwindow: {panel_scale: 9}\n", ":2:23: window.panel_scale: read 9, allowed 0.75 to 1.5"},
        {"kind: settings\nwindow: {eyes: 0}\n", ":2:16: window.eyes: read 0, allowed 1, 2"},
        {"kind: settings\nwindow: {screens: 3, eyes: 2}\n", ":2:28: window.eyes: read 2 beside screens: 3"},
        {"kind: settings\nwindow: {windows: moon}\n", ":2:19: window.windows: read moon, allowed up to 3 of around"},
        {"kind: settings\nwindow: {windows: plan@99}\n", ":2:19: window.windows: read plan@99, allowed up to 3"},
        {"kind: settings\nwindow: {windows: cab cab cab cab}\n", ":2:19: window.windows: read cab cab cab cab"},
        {"kind: settings\nwindow: {units: feet}\n", ":2:17: window.units: read feet, allowed metric, imperial"},
        {"kind: settings\nlogo: logo.png\n", ":2:7: logo: read logo.png, allowed the whole path of a PNG file"},
        {"kind: settings\nshared_folder: courses\n", ":2:16: shared_folder: read courses, allowed the whole path"},
        {"kind: settings\nxapi:\n  home_page: ftp://x\n", ":3:14: xapi.home_page: read ftp://x"},
        {"kind: settings\nlanguage: ../de\n", ":2:11: language: read ../de, allowed letters"},
        {"kind: settings\nsound: {volume: 1.5}\n", ":2:17: sound.volume: read 1.5, allowed 0 to 1"},
        {"kind: settings\nlimit: 3\n", ":2:1: limit"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        write_settings(home, wrong[k].text);
        assert_false(results_settings(&settings, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        if (strstr(status.text, wrong[k].told) == NULL) {
            fail_msg("told: %s; wanted: %s", status.text, wrong[k].told);
        }
    }
    assert_int_equal(setenv("XDG_DATA_HOME", "relative", 1), 0);
    assert_int_equal(unsetenv("HOME"), 0);
    char path[DATA_PATH_LENGTH];
    assert_false(user_data_path("results.db", path, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    remove_folder(home);
}

TEST_GROUP(NULL, NULL)
