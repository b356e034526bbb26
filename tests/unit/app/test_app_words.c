/// Each text that a person sees, in the window's pages and panels, on plans and in the debrief, is in the languages: a
/// language whose texts have other vowels draws them all, and what has plain ones is English that nobody translates.
// test: unit, alone
#include "tests/support/marked_words.h"
#include "tests/unit/app/page_walk.h"

#include <ctype.h>
#include <sys/stat.h>

#include "data/schema/load.h"
#include "render/panels/overlay.h"
#include "tests/support/recording_fixture.h"
#include "trainer/report/report_words.h"
#include "trainer/report/plan.h"
#include "trainer/report/report_pages.h"
#include "trainer/app/drive_pages.h"
#include "trainer/app/hints.h"
#include "trainer/app/main_menu.h"
#include "trainer/app/replay.h"
#include "trainer/app/session_view.h"

enum { WIDTH = 1280, HEIGHT = 720 };

static char home[64], recorded[512];

/// A home of its own, with a recording.
static int begin(void **state)
{
    (void)state;
    Status status;
    char path[512];
    make_folder(home);
    setenv("XDG_DATA_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    static const char *const folders[] = {"spadework", "spadework/scenes", "spadework/recordings"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        assert_int_equal(mkdir(path_in(home, folders[k], path), 0700), 0);
    }
    assert_good(language_choose("de", &status), status);
    record(path_in(home, "spadework/recordings/trench-2026-01-01-000000.spade", recorded), 2, 25 * TICK_RATE, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

static void draw(const RenderView *view, const char *where)
{
    marked_where = where;
    double unit = panel_unit(view, WIDTH, HEIGHT);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, WIDTH, HEIGHT);
    cairo_t *cairo = cairo_create(surface);
    for (int kind = 0; kind < PANEL_COUNT; kind++) {
        PanelPlace place = panel_place(view, (PanelKind)kind, WIDTH / unit, HEIGHT / unit);
        if (place.width > 0.0) {
            panel_draw(cairo, view, (PanelKind)kind, &place);
        }
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

/// ---- the menu ------------------------------------------------------------------------------------------------------

TEST(each_page_of_the_menu_is_in_the_languages)
{
    Status status;
    static RenderView view;
    view = (RenderView){0};
    MainMenu *menu = main_menu_create(&(RunOptions){.trainee = "Ann"}, &status);
    assert_good(menu != NULL, status);
    main_menu_show(menu, &view.menu);
    page_walk_menu(menu, &view, 3, draw);
    main_menu_destroy(menu);
    mark_judge();
}

/// ---- a drive -------------------------------------------------------------------------------------------------------

static void show_drive(Drive *drive, SessionView *own, const char *scene)
{
    static Hints hints;
    static AxesTable axes;
    RenderView *view = session_view_build(own, drive->session, 1.0);
    hints_describe(&hints, &drive->driver, session_machine_params(drive->session), true, true, true);
    session_view_add_grade(own, drive->session, true, true);
    session_view_add_debug(own, drive->session);
    view->debug.visible = view->hud.visible = view->layout.map = true;
    view->hud.pattern = hints.pattern;
    view->hud.recording = view->hud.paused = true;
    view->hud.real_time = 0.5;
    for (int k = 0; k < hints.count; k++) {
        view->hud.hints[k] = hints.text[k];
    }
    axes_table_show(&axes, &drive->driver, hints.pattern, drive->session, &view->hud.controls);
    draw(view, scene);
    view->hud.compact = true;
    draw(view, scene);
}

TEST(each_panel_of_a_drive_is_in_the_languages)
{
    static const struct {
        const char *scene, *controls;
    } drives[] = {{"trench-people", "iso"},
                  {"walk-round", "iso"},
                  {"truck-loading", "joysticks-iso"},
                  {"haul", "bhl"},
                  {"ripping", "dozer"},
                  {"pad", "dozer"},
                  {"lift-pipe", "iso"},
                  {"controls-targets", "joysticks-bhl"},
                  {"break-rocks", "iso"}};
    for (size_t k = 0; k < sizeof drives / sizeof drives[0]; k++) {
        Status status;
        Drive drive;
        RunOptions options = {.scene = drives[k].scene,
                              .controls = drives[k].controls,
                              .operator_name = "auto",
                              .threads = 2,
                              .no_record = true};
        if (strcmp(drives[k].scene, "lift-pipe") == 0 || strcmp(drives[k].scene, "break-rocks") == 0 ||
            strcmp(drives[k].scene, "walk-round") == 0 || strcmp(drives[k].scene, "controls-targets") == 0 ||
            strcmp(drives[k].scene, "ripping") == 0 || strcmp(drives[k].scene, "pad") == 0) {
            options.operator_name = "expert";
        }
        assert_good(drive_create(&drive, &(DriveParams){.options = &options}, &status), status);
        SessionView *own = session_view_create();
        session_view_set_units(own, k % 2 == 0 ? TEXT_UNITS_METRIC : TEXT_UNITS_IMPERIAL);
        session_view_jump(own, drive.session);
        for (int tick = 0; tick < TICK_RATE; tick++) {
            OperatorControls controls;
            operator_controls(&drive.driver, drive.session, &controls);
            session_tick(drive.session, &controls);
            session_view_tick(own, drive.session);
        }
        show_drive(&drive, own, drives[k].scene);
        page_walk_drive(&drive, own, drives[k].scene, draw);
        session_view_destroy(own);
        drive_close(&drive, true, &status);
        drive_destroy(&drive);
    }
    mark_judge();
}

/// ---- a recording ---------------------------------------------------------------------------------------------------

TEST(what_a_recording_tells_is_in_the_languages)
{
    Status status;
    static RenderView view;
    static ReplayCurves curves;
    MachineParams *machine = calloc(1, sizeof *machine);
    SceneParams *scene = calloc(1, sizeof *scene);
    Recording *recording = recording_open(recorded, &status);
    assert_good(recording != NULL, status);
    assert_good(data_load_scene_from_files(recording_files(recording), scene, machine, &status), status);
    assert_good(replay_curves_open(&curves, recording, machine, 1.0 / TICK_RATE, TEXT_UNITS_METRIC, &status), status);
    ReplayMarks marks = {0};
    replay_marks_read(&marks, recording, 1.0 / TICK_RATE);
    char told[REPLAY_MARK_TEXT];
    for (int k = 0; k < marks.count; k++) {
        view = (RenderView){.timeline = {.visible = true, .told = told}};
        view.events = (RenderEvents){
            .visible = true, .title = language_text("What happened"), .count = marks.count, .rows = marks.rows};
        replay_marks_tell(&marks, k, 1.0 / TICK_RATE, told);
        draw(&view, "events");
    }
    for (int group = CURVES_PRESSURE; group < CURVES_COUNT; group++) {
        view = (RenderView){.timeline = {.visible = true}};
        curves.group = (CurveGroup)group;
        replay_curves_show(&curves, 5.0, 20.0, &view.curves);
        draw(&view, "curves");
    }
    replay_marks_free(&marks);
    replay_curves_close(&curves);
    recording_close(recording);
    free(scene);
    free(machine);
    mark_judge();
}

/// Shows the letters of a page to the check: what stands between tags, but for commands and styles.
static void look_at_page(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char text[8000];
    size_t length = 0;
    bool tag = false, style = true; // the style ends with the head
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        if (c == '<') {
            text[length] = '\0';
            if (!style && length > 0) {
                mark_look(text);
            }
            style = style && strstr(text, "@page") == NULL;
            length = 0;
            tag = true;
        } else if (c == '>') {
            tag = false;
        } else if (!tag && length + 1 < sizeof text) {
            text[length++] = (char)c;
        }
    }
    fclose(file);
}

TEST(the_debrief_is_in_the_languages)
{
    Status status;
    char html[512], pdf[512];
    const ReportOther others[] = {{recorded, "expert", true}, {recorded, "", true}};
    ReportRequest request = {.recording = recorded,
                             .against = others,
                             .against_count = 2,
                             .html = path_in(home, "a.html", html),
                             .pdf = path_in(home, "a.pdf", pdf)};
    marked_where = "debrief";
    assert_good(report_write(&request, &status), status);
    look_at_page(html);
    mark_judge();
}

TEST(each_plan_is_in_the_languages)
{
    Status status;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    DataListEntry entries[128];
    int count = data_list("scenes", entries, 128, &status);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, WIDTH, HEIGHT);
    cairo_t *cairo = cairo_create(surface);
    for (int k = 0; k < count; k++) {
        if (!entries[k].own) {
            marked_where = entries[k].name;
            assert_good(data_load_scene(entries[k].name, NULL, 0, scene, machine, NULL, &status), status);
            plan_draw_machine(cairo, scene, machine, TEXT_UNITS_IMPERIAL, WIDTH, HEIGHT);
        }
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    free(machine);
    free(scene);
    mark_judge();
}

TEST(the_check_finds_english)
{
    char marked[64];
    mark_text("%d points at %.1f MPa", marked);
    assert_string_equal(marked, "%d p\u00f6\u00efnts \u00e4t %.1f MP\u00e4");
    assert_true(mark_has_plain_word("1.5 points"));
    assert_false(mark_has_plain_word("21.4 MPa, 4 ft 1 in, /tmp/file.yaml"));
    assert_string_equal(language_text("no such text"), "no such text");
}

TEST_GROUP(begin, end)
