/// Texts of all panels in all languages and units, on screens from small to large: each has room in its panel, none is
/// cut, and none lies over another.
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "render/panels/cab_monitor.h"
#include "render/panels/canvas.h"
#include "render/panels/overlay.h"

enum { MOST_TEXTS = 400 };

typedef struct Seen {
    CanvasText text[MOST_TEXTS];
    char words[MOST_TEXTS][96];
    int count;
} Seen;

static void see(void *context, const CanvasText *text)
{
    Seen *seen = context;
    if (seen->count < MOST_TEXTS) {
        seen->text[seen->count] = *text;
        snprintf(seen->words[seen->count], sizeof seen->words[0], "%s", text->text);
        seen->count++;
    }
}

/// ---- what is shown -------------------------------------------------------------------------------------------------

static char lines[RENDER_HUD_LINES][120];

static void fill_lines(RenderHud *hud)
{
    snprintf(lines[0], sizeof lines[0], language_text("Depth %s of %s"), "1.25", "1.50 m");
    snprintf(lines[1], sizeof lines[1], language_text("Dug out %.0f %%, width %s of %s"), 100.0, "1.58", "1.60 m");
    snprintf(lines[2], sizeof lines[2], language_text("Cycles %lld, last %s s"), 128LL, "21.3");
    snprintf(lines[3], sizeof lines[3], language_text("Too heavy there: %.0f %% at most"), 75.0);
    snprintf(lines[4], sizeof lines[4], language_text("Truck %d: %s/%s, %d passes; %s"), 2, "14.6", "18.0 t", 7,
             "axles 6.4+18.2 t");
    snprintf(lines[5], sizeof lines[5], language_text("Time is up: the soil settles"));
    for (int k = 0; k < 6; k++) {
        hud->progress[k] = lines[k];
    }
}

static void fill_hud(RenderHud *hud, bool dozer)
{
    static const char *const joints[2][4] = {{"Swing", "Boom", "Stick", "Bucket"}, {"Ripper", "Lift", "Angle", "Tilt"}};
    static const char *const limits[4] = {"stall", "relief", "slip", "tip"};
    *hud = (RenderHud){.visible = true,
                       .title = language_text("Dig a trench"),
                       .time = 3753.0,
                       .time_limit = 7200.0,
                       .score = 100.0,
                       .held = true,
                       .pattern = dozer ? "DOZER" : "ISO",
                       .engine_speed = 188.5,
                       .engine_rated = 190.0,
                       .pump_power = 104e3,
                       .payload = 1840.0,
                       .payload_full = 1500.0,
                       .tool_force = 284e3,
                       .depth = dozer ? -1.25 : 3.25,
                       .real_time = 0.8,
                       .recording = true,
                       .paused = true};
    for (int k = 0; k < 4; k++) {
        hud->joint_name[k] = language_text(joints[dozer][k]);
        hud->joint_value[k] = dozer ? (k < 2 ? "+1 ft 4 in" : "12\u00b0 links") : NULL;
        hud->pressure[k] = 34.3e6;
        hud->pressure_relief[k] = 35e6;
        hud->limit[k] = language_text(limits[k]);
        hud->limit_acts[k] = k % 2 == 0;
    }
    hud->drive = dozer ? "V3  11,3 km/h" : NULL;
    fill_lines(hud);
}

static void fill_grade(RenderGrade *grade, bool over)
{
    *grade = (RenderGrade){.visible = true,
                           .tolerance = 0.1,
                           .name = language_text("Surface"),
                           .over = over,
                           .offset = {-1.234, over ? -1.234 : (double)NAN, -1.234},
                           .depth = -1.77,
                           .cut = 123.4,
                           .fill = 99.9,
                           .overdig = 12.3,
                           .step = 0.05,
                           .rows = 4,
                           .columns = 4,
                           .cell = 1.0};
}

static void fill_menu(RenderMenu *menu)
{
    *menu = (RenderMenu){.visible = true,
                         .title = language_text("Who drives?"),
                         .subtitle = language_text("Recordings and results are stored under this name"),
                         .first = -1,
                         .footer = language_text("Up/Down, pad or mouse: move   Enter, A or click: choose   Esc, B or "
                                                 "right click: back   F11: full screen")};
    static const char *const items[] = {TEXT("Drive on"),
                                        TEXT("Start again"),
                                        TEXT("Show what each axis does"),
                                        TEXT("Read the exercise again"),
                                        TEXT("Leave (nothing is recorded)"),
                                        TEXT("Open the debrief in the browser")};
    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        menu->items[menu->count++] = (RenderMenuItem){
            .text = language_text(items[k]), .detail = language_text("goal, plan, steps, points"), .value = "12 %"};
    }
}

static void fill_replay(RenderView *view)
{
    static RenderEvent rows[3];
    view->timeline = (RenderTimeline){
        .visible = true,
        .position = 3600.0,
        .duration = 4000.0,
        .told = language_text("What happened"),
        .keys = {
            language_text("Space: play   +/-: speed   Left/Right: 1 s (Shift: 10 s)   ,/.: one tick   Up/Down or a "
                          "click: events   L: their list   B/Del: bookmark"),
            language_text("V/Shift+V: curves   Z: their span   G: ghost   C: camera   T: take over from here   "
                          "F2: gauges   F1: keys   Esc: leave")}};
    rows[0] = (RenderEvent){"61:04.2", language_text("a load hung over a person"), RENDER_MARK_INCIDENT};
    rows[1] = (RenderEvent){"61:14.2", language_text("a cylinder ran into its stop"), RENDER_MARK_INCIDENT};
    rows[2] = (RenderEvent){"61:24.2", language_text("Time is up"), RENDER_MARK_DONE};
    view->events =
        (RenderEvents){.visible = true, .title = language_text("What happened"), .count = 3, .chosen = 1, .rows = rows};
    static float none[RENDER_MAX_COLUMNS];
    static const char *const names[] = {TEXT("Left track"), TEXT("Right track"), TEXT("Nose up"), TEXT("Left up"),
                                        TEXT("Functions")};
    view->curves = (RenderCurves){.visible = true,
                                  .title = language_text("Tilt of the undercarriage"),
                                  .top = "-100",
                                  .bottom = "100",
                                  .from = "0:00",
                                  .to = "61:40,0",
                                  .cursor = 0.5,
                                  .columns = 2,
                                  .count = 5};
    for (int k = 0; k < 5; k++) {
        view->curves.curves[k] = (RenderCurve){language_text(names[k]), "-123,4", none, none};
    }
}

static void fill_controls(RenderControls *controls)
{
    static const char *const names[][3] = {{TEXT("Swing"), TEXT("left"), TEXT("right")},
                                           {TEXT("Track L"), TEXT("back"), TEXT("ahead")},
                                           {TEXT("Bucket"), TEXT("dump"), TEXT("curl")}};
    static char title[96];
    snprintf(title, sizeof title, language_text("What each axis does, %s pattern"), "ISO");
    *controls = (RenderControls){.visible = true, .title = title, .count = 3};
    for (int k = 0; k < 3; k++) {
        controls->rows[k] = (RenderControl){.lever = language_text(names[k][0]),
                                            .less = language_text(names[k][1]),
                                            .more = language_text(names[k][2]),
                                            .source = language_text("right stick"),
                                            .moved = true,
                                            .analog = k == 0,
                                            .waiting = k == 1,
                                            .raw = -1.0,
                                            .value = -1.0};
    }
}

static void fill_debug(RenderDebug *debug)
{
    *debug = (RenderDebug){.visible = true,
                           .tick = 1234567,
                           .known = true,
                           .particles = 29800,
                           .budget = 30000,
                           .contacts = 123456,
                           .tool_contacts = 1234,
                           .spawned = 123,
                           .absorbed = 123,
                           .active_columns = 12345,
                           .cut_columns = 123,
                           .recent_cut_columns = 1234,
                           .yields = 12,
                           .soil_ms = 12.34,
                           .machine_ms = 1.23,
                           .tick_ms = 13.57,
                           .quantum = 1e-6,
                           .mass_ground = 123456789012,
                           .force = 284e3,
                           .arrow_scale = 1e5,
                           .contact_scale = 1e4,
                           .contact_force = 5e4};
}

/// ---- the looks -----------------------------------------------------------------------------------------------------

static bool is_inside(const CanvasText *text, const PanelPlace *place, double unit)
{
    const double spare = 1.5 * unit; // of design units: hinting moves letters by a pixel
    return text->x >= place->x * unit - spare && text->y >= place->y * unit - spare &&
           text->x + text->width <= (place->x + place->width) * unit + spare &&
           text->y + text->height <= (place->y + place->height) * unit + spare;
}

static bool lie_over(const CanvasText *a, const CanvasText *b, double unit)
{
    double wide = fmin(a->x + a->width, b->x + b->width) - fmax(a->x, b->x);
    double high = fmin(a->y + a->height, b->y + b->height) - fmax(a->y, b->y);
    return wide > 1.5 * unit && high > 6.0 * unit; // boxes of lines reach over the letters
}

/// Counts texts that are cut, leave their panel or lie over each other, and prints them.
static int count_faults(const Seen *seen, const PanelPlace *place, double unit, const char *language, const char *what)
{
    int bad = 0;
    for (int k = 0; k < seen->count; k++) {
        const CanvasText *text = &seen->text[k];
        const char *fault = text->cut ? "is cut" : !is_inside(text, place, unit) ? "leaves its panel" : NULL;
        for (int n = 0; n < k && fault == NULL; n++) {
            fault = lie_over(text, &seen->text[n], unit) ? seen->words[n] : NULL;
        }
        if (fault != NULL) {
            print_error("%s, %s: \"%s\": %s\n", language, what, seen->words[k], fault);
            bad++;
        }
    }
    return bad;
}

typedef struct Screen {
    int width, height;
    const char *language, *what;
} Screen;

static int look_at(const RenderView *view, PanelKind kind, const Screen *screen)
{
    double unit = panel_unit(view, screen->width, screen->height);
    PanelPlace place = panel_place(view, kind, screen->width / unit, screen->height / unit);
    if (place.width <= 0.0) {
        return 0;
    }
    Seen *seen = calloc(1, sizeof *seen);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, screen->width, screen->height);
    cairo_t *cairo = cairo_create(surface);
    CanvasWatch watch = {see, seen};
    canvas_watch(cairo, &watch);
    cairo_scale(cairo, unit, unit);
    cairo_translate(cairo, place.x, place.y);
    panel_draw(cairo, view, kind, &place);
    char name[80];
    snprintf(name, sizeof name, "%s, %d x %d, panel %d", screen->what, screen->width, screen->height, (int)kind);
    int bad = count_faults(seen, &place, unit, screen->language, name);
    assert_true(seen->count > 0);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    free(seen);
    return bad;
}

/// Counts the same faults on the cab's monitor.
static int look_at_monitor(const RenderView *view, const char *language, const char *what)
{
    const PanelPlace place = {0.0, 0.0, cab_monitor_width, cab_monitor_height};
    Seen *seen = calloc(1, sizeof *seen);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_A8, (int)cab_monitor_width, (int)cab_monitor_height);
    cairo_t *cairo = cairo_create(surface);
    CanvasWatch watch = {see, seen};
    canvas_watch(cairo, &watch);
    cab_monitor_paint(cairo, view);
    int bad = count_faults(seen, &place, 1.0, language, what);
    assert_true(seen->count > 8);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    free(seen);
    return bad;
}

static int look_at_all(const RenderView *view, const char *language, const char *what)
{
    static const int sizes[][2] = {{640, 360}, {1280, 720}, {1024, 768}, {3840, 2160}};
    int bad = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        Screen screen = {sizes[k][0], sizes[k][1], language, what};
        for (int kind = 0; kind < PANEL_COUNT; kind++) {
            bad += look_at(view, (PanelKind)kind, &screen);
        }
    }
    return bad;
}

static int look_in(const char *language, TextUnits units)
{
    int bad = 0;
    RenderView *view = calloc(1, sizeof *view);
    Status status;
    assert_non_null(view);
    assert_good(language_choose(language, &status), status);
    view->units = units;
    for (int dozer = 0; dozer < 2; dozer++) {
        fill_hud(&view->hud, dozer == 1);
        fill_grade(&view->grade, dozer == 1);
        view->hud.message = language_text("Pad lost: levers neutral. Plug it in or press Enter");
        view->hud.hints[0] = language_text("F1 help  F2 gauges  F3 soil  F4 axes");
        view->hud.hints[1] = language_text("F6 sound  F7 grade  F8 cut and fill");
        bad += look_at_all(view, language, dozer == 1 ? "dozer" : "excavator");
        view->hud.compact = true;
        bad += look_at_all(view, language, dozer == 1 ? "dozer, strip" : "excavator, strip");
        bad += look_at_monitor(view, language, dozer == 1 ? "dozer, monitor" : "excavator, monitor");
    }
    fill_controls(&view->hud.controls);
    bad += look_at_all(view, language, "axes");
    fill_debug(&view->debug);
    bad += look_at_all(view, language, "soil");
    view->debug.visible = view->hud.controls.visible = false;
    fill_replay(view);
    bad += look_at_all(view, language, "replay");
    fill_menu(&view->menu);
    bad += look_at_all(view, language, "menu");
    free(view);
    return bad;
}

TEST(every_text_has_its_room)
{
    static const char *const languages[] = {"en", "de", "es"};
    int bad = 0;
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
        bad += look_in(languages[k], TEXT_UNITS_METRIC);
        bad += look_in(languages[k], TEXT_UNITS_IMPERIAL);
    }
    assert_int_equal(bad, 0);
}

TEST_GROUP(NULL, NULL)
