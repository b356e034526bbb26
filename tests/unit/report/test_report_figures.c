/// The figures of the debrief stay within their frame: what a PDF page has around one is other text. A recording
/// surface of cairo without an edge measures what each draws.
// test: long

#include <cairo/cairo.h>

#include "data/core/language.h"
#include "tests/support/recording_fixture.h"
#include "trainer/report/report_pages_internal.h"

/// Records `ticks` ticks of a scene whose levers nobody moves, or the scripted operator's.
static void record_scene(const SessionParams *params, bool driven, int ticks, const char *path)
{
    Status status = {0};
    Session *session = session_create(params, &status);
    assert_good(session != NULL, status);
    Autopilot *pilot = driven ? autopilot_create(session) : NULL;
    RecorderParams about = {.path = path, .operator_name = "auto", .driver = CREDIT_AUTO};
    Recorder *recorder = recorder_create(&about, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls = control_neutral;
        if (pilot != NULL) {
            autopilot_controls(pilot, session, &controls);
        }
        session_tick(session, &controls);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    autopilot_destroy(pilot);
    session_destroy(session);
}

static void measure(const ReportFigure *figure, const ReportData *data, const char *what)
{
    double x, y, width, height;
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cairo = cairo_create(surface);
    figure->draw(cairo, data, figure->width, figure->height);
    assert_int_equal(cairo_status(cairo), CAIRO_STATUS_SUCCESS);
    cairo_destroy(cairo);
    cairo_recording_surface_ink_extents(surface, &x, &y, &width, &height);
    cairo_surface_destroy(surface);
    if (x < 0.0 || y < 0.0 || x + width > figure->width || y + height > figure->height) {
        fail_msg("%s, %s: draws from %.1f, %.1f to %.1f, %.1f, its frame is %.0f x %.0f", what, figure->id, x, y,
                 x + width, y + height, figure->width, figure->height);
    }
}

static void measure_all(const SessionParams *params, bool driven, int ticks)
{
    static const char *const languages[] = {"en", "de", "es"};
    char folder[64], path[512], what[128];
    make_folder(folder);
    record_scene(params, driven, ticks, path_in(folder, "a.spade", path));
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
        Status status = {0};
        assert_good(language_choose(languages[k], &status), status);
        ReportRequest request = {.recording = path};
        ReportData *data = report_data_read(&request, &status);
        assert_good(data != NULL, status);
        snprintf(what, sizeof what, "%s, %s", params->scene, languages[k]);
        for (int figure = 0; figure < report_figure_count; figure++) {
            if (report_figures[figure].shows == NULL || report_figures[figure].shows(data)) {
                measure(&report_figures[figure], data, what);
            }
        }
        report_data_free(data);
    }
    Status ignored;
    language_choose("en", &ignored);
    remove_folder(folder);
}

/// The start and the place to dump lie far outside the map of the trench.
TEST(a_trench_beside_the_machine_stays_within_its_figures)
{
    static const char *const set[] = {"exercise.trench.x=-5", "exercise.trench.y=4.8", "exercise.trench.heading_deg=90",
                                      "exercise.trench.dump_x=2.5", "exercise.trench.dump_y=0"};
    measure_all(&(SessionParams){.scene = "trench", .set = set, .set_count = 5, .threads = 1}, false, 60);
}

/// The floor of a deep trench lies below everything that the edge came to.
TEST(a_deep_trench_that_nobody_dug_stays_within_its_figures)
{
    static const char *const set[] = {"exercise.trench.depth=3.8"};
    measure_all(&(SessionParams){.scene = "trench", .set = set, .set_count = 1, .threads = 1}, false, 60);
}

TEST(work_of_each_kind_stays_within_its_figures)
{
    static const char *const scenes[] = {"trench",      "truck-loading", "spread-pile",      "slot-dozing",
                                         "expose-pipe", "lift-pipe",     "controls-targets", "trench-people"};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        measure_all(&(SessionParams){.scene = scenes[k], .threads = 1}, k < 3, k < 3 ? 25 * TICK_RATE : 60);
    }
}

TEST_GROUP(NULL, NULL)
