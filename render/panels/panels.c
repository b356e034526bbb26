#include "render/panels/panels.h"

#include <math.h>
#include <string.h>

#include "render/panels/hud_text.h"

static const double margin = 14.0;
static const double side = 264.0; ///< width of the panels on the right

static int count_lines(const char *const *lines, int most)
{
    int count = 0;
    while (count < most && lines[count] != NULL) {
        count++;
    }
    return count;
}

static double task_height(const RenderHud *hud)
{
    int lines = count_lines(hud->progress, 6);
    return 86.0 + (lines > 0 ? 10.0 + 19.0 * lines : 0.0);
}

/// On the right; the debug panel sends them to the left, below the task.
static PanelPlace place_hints(const RenderView *view, double width)
{
    int lines = count_lines(view->hud.hints, RENDER_MAX_HINTS);
    if (lines == 0) {
        return (PanelPlace){0};
    }
    double height = 16.0 + 17.0 * lines;
    return view->debug.visible ? (PanelPlace){margin, margin + task_height(&view->hud) + 6.0, side, height}
                               : (PanelPlace){width - margin - side, margin + 42.0, side, height};
}

/// Below the message; a long table goes up rather than over the gauges, which begin at `end`.
static PanelPlace place_controls(const RenderHud *hud, double width, double own_width, double end)
{
    double height = controls_height(&hud->controls);
    return hud->controls.visible
               ? (PanelPlace){0.5 * (width - own_width), fmin(250.0, end - 8.0 - height), own_width, height}
               : (PanelPlace){0};
}

static PanelPlace place_hud(const RenderView *view, PanelKind kind, double width)
{
    const RenderHud *hud = &view->hud;
    double low = view->timeline.visible ? 720.0 - 84.0 : 720.0 - margin;
    double message = fmin(600.0, width - 2.0 * (margin + side + 8.0)); // between the panels at the sides
    char badge[HUD_TEXT_LENGTH];
    switch (kind) {
    case PANEL_TASK:
        return (PanelPlace){margin, margin, 316.0, task_height(hud)};
    case PANEL_STATE:
        if (!hud->recording && !hud->paused && !hud_format_badge(hud->real_time, badge)) {
            return (PanelPlace){0};
        }
        return (PanelPlace){width - margin - side, margin, side, 34.0};
    case PANEL_HINTS:
        return place_hints(view, width);
    case PANEL_LEFT_STICK:
        return (PanelPlace){margin, low - 176.0, 196.0, 176.0};
    case PANEL_RIGHT_STICK:
        return (PanelPlace){width - margin - 196.0, low - 176.0, 196.0, 176.0};
    case PANEL_GAUGES:
        return (PanelPlace){0.5 * width - 340.0, low - 122.0, 680.0, 122.0};
    case PANEL_CONTROLS:
        return place_controls(hud, width, message, low - 122.0);
    case PANEL_MESSAGE:
        return hud->message == NULL ? (PanelPlace){0} : (PanelPlace){0.5 * (width - message), 190.0, message, 52.0};
    default:
        return (PanelPlace){0};
    }
}

PanelPlace panel_place(const RenderView *view, PanelKind kind, double screen_width)
{
    if (kind == PANEL_MENU) {
        double width = fmin(760.0, screen_width - 40.0);
        return view->menu.visible ? (PanelPlace){0.5 * (screen_width - width), 40.0, width, 640.0} : (PanelPlace){0};
    }
    if (view->menu.visible) {
        return (PanelPlace){0};
    }
    if (kind == PANEL_TIMELINE) {
        return view->timeline.visible ? (PanelPlace){margin, 720.0 - 76.0, screen_width - 2.0 * margin, 62.0}
                                      : (PanelPlace){0};
    }
    if (kind == PANEL_DEBUG) {
        return view->debug.visible ? (PanelPlace){screen_width - margin - side, margin + 42.0, side, 338.0}
                                   : (PanelPlace){0};
    }
    return view->hud.visible ? place_hud(view, kind, screen_width) : (PanelPlace){0};
}

PanelPlace panel_place_high(const RenderView *view, PanelKind kind, double screen_width, double screen_height)
{
    PanelPlace place = panel_place(view, kind, screen_width);
    bool low = kind == PANEL_LEFT_STICK || kind == PANEL_RIGHT_STICK || kind == PANEL_GAUGES || kind == PANEL_TIMELINE;
    double spare = place.width > 0.0 ? screen_height - 720.0 : 0.0;
    place.y += low ? spare : kind == PANEL_MENU ? 0.5 * spare : 0.0;
    return place;
}

double render_panel_unit(int width, int height)
{
    return fmin(height / 720.0, width / 1100.0);
}

/// ---- signatures (FNV-1a) -----------------------------------------------------------------------------------------

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ bytes[k]) * 1099511628211ULL;
    }
    return hash;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text == NULL ? add_bytes(hash, "\1", 1) : add_bytes(hash, text, strlen(text) + 1);
}

/// Adds a value rounded to `step`.
static uint64_t add_value(uint64_t hash, double value, double step)
{
    int64_t rounded = isfinite(value) ? (int64_t)fmin(fmax(round(value / step), -1e15), 1e15) : INT64_MIN;
    return add_bytes(hash, &rounded, sizeof(rounded));
}

static uint64_t sign_menu(uint64_t hash, const RenderMenu *menu)
{
    hash = add_text(add_text(add_text(hash, menu->title), menu->subtitle), menu->footer);
    hash = add_value(add_value(hash, menu->selected, 1.0), menu->count, 1.0);
    for (int k = 0; k < menu->count && k < RENDER_MAX_MENU; k++) {
        hash = add_text(add_text(hash, menu->items[k]), menu->details[k]);
    }
    return hash;
}

static uint64_t sign_timeline(uint64_t hash, const RenderTimeline *timeline)
{
    hash = add_value(add_value(hash, timeline->position, fmax(timeline->duration / 2000.0, 0.1)), timeline->duration,
                     0.01);
    hash = add_value(add_value(hash, timeline->speed, 0.01), timeline->event_count, 1.0);
    if (timeline->event_count > 0 && timeline->events != NULL) {
        hash = add_bytes(hash, timeline->events, (size_t)timeline->event_count * sizeof(double));
    }
    return add_text(hash, timeline->footer);
}

static uint64_t sign_task(uint64_t hash, const RenderHud *hud)
{
    hash = add_text(hash, hud->title);
    hash = add_value(add_value(add_value(hash, floor(hud->time), 1.0), hud->time_limit, 1.0), hud->score, 1.0);
    for (int k = 0; k < 6 && hud->progress[k] != NULL; k++) {
        hash = add_text(hash, hud->progress[k]);
    }
    return hash;
}

static uint64_t sign_gauges(uint64_t hash, const RenderHud *hud)
{
    for (int k = 0; k < 4; k++) {
        double full = fmax(hud->pressure_relief[k], 1.0);
        hash = add_value(add_value(hash, hud->pressure[k], full / 100.0), full, 1e5);
    }
    for (int k = 0; k < 4 && hud->joint_value[k] != NULL; k++) {
        hash = add_text(hash, hud->joint_value[k]);
    }
    hash = add_text(hash, hud->drive);
    hash = add_value(add_value(hash, hud->engine_speed, 1.0), hud->engine_rated, 1.0);
    hash = add_value(add_value(hash, hud->pump_power, 1000.0), hud->payload, 10.0);
    hash = add_value(add_value(hash, hud->payload_full, 1.0), hud->fuel, 1.0);
    hash = add_value(add_value(hash, hud->tool_force, 1000.0), hud->depth, 0.01);
    return add_text(hash, hud->limit);
}

static uint64_t sign_debug(uint64_t hash, const RenderDebug *debug)
{
    const int counts[] = {
        debug->known,   debug->particles, debug->budget,         debug->contacts,    debug->tool_contacts,
        debug->spawned, debug->absorbed,  debug->active_columns, debug->cut_columns, debug->recent_cut_columns,
        debug->yields};
    const int64_t masses[] = {debug->tick,       debug->mass_ground, debug->mass_particles,
                              debug->mass_trays, debug->mass_total,  debug->mass_drift};
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        hash = add_value(hash, counts[k], 1.0);
    }
    for (size_t k = 0; k < sizeof(masses) / sizeof(masses[0]); k++) {
        hash = add_value(hash, (double)masses[k], 1.0);
    }
    hash = add_value(add_value(add_value(hash, debug->soil_ms, 0.01), debug->machine_ms, 0.01), debug->tick_ms, 0.01);
    hash = add_value(add_value(hash, debug->force, 10.0), debug->arrow_scale, 1.0);
    return add_value(add_value(hash, debug->contact_scale, 1.0), debug->contact_force, 1.0);
}

static uint64_t sign_controls(uint64_t hash, const RenderControls *controls)
{
    hash = add_text(hash, controls->title);
    for (int k = 0; k < controls->count; k++) {
        const RenderControl *row = &controls->rows[k];
        hash = add_text(add_text(hash, row->lever), row->source);
        hash = add_value(add_value(hash, row->raw, 0.01), row->value, 0.01);
        hash = add_value(hash, row->moved + 2 * row->analog + 4 * row->waiting, 1.0);
    }
    for (int k = 0; k < controls->device_count; k++) {
        hash = add_text(hash, controls->devices[k]);
    }
    return hash;
}

uint64_t panel_signature(const RenderView *view, PanelKind kind)
{
    const RenderHud *hud = &view->hud;
    uint64_t hash = 14695981039346656037ULL;
    switch (kind) {
    case PANEL_TASK:
        return sign_task(hash, hud);
    case PANEL_STATE:
        return add_value(add_value(add_value(hash, hud->recording, 1.0), hud->paused, 1.0), hud->real_time, 0.1);
    case PANEL_HINTS:
        for (int k = 0; k < RENDER_MAX_HINTS && hud->hints[k] != NULL; k++) {
            hash = add_text(hash, hud->hints[k]);
        }
        return hash;
    case PANEL_LEFT_STICK:
    case PANEL_RIGHT_STICK:
        for (int k = 0; k < CONTROL_COUNT; k++) {
            hash = add_value(hash, hud->levers[k], 0.02);
        }
        return add_text(hash, hud->pattern);
    case PANEL_GAUGES:
        return sign_gauges(hash, hud);
    case PANEL_CONTROLS:
        return sign_controls(hash, &hud->controls);
    case PANEL_MESSAGE:
        return add_text(hash, hud->message);
    case PANEL_TIMELINE:
        return sign_timeline(hash, &view->timeline);
    case PANEL_MENU:
        return sign_menu(hash, &view->menu);
    case PANEL_DEBUG:
        return sign_debug(hash, &view->debug);
    default:
        return hash;
    }
}

void panel_draw(cairo_t *cairo, const RenderView *view, PanelKind kind, const PanelPlace *place)
{
    const RenderHud *hud = &view->hud;
    switch (kind) {
    case PANEL_TASK:
        panel_draw_task(cairo, hud, place);
        break;
    case PANEL_STATE:
        panel_draw_state(cairo, hud, place);
        break;
    case PANEL_HINTS:
        panel_draw_hints(cairo, hud, place);
        break;
    case PANEL_LEFT_STICK:
    case PANEL_RIGHT_STICK:
        panel_draw_stick(cairo, hud, kind == PANEL_LEFT_STICK, place);
        break;
    case PANEL_GAUGES:
        panel_draw_gauges(cairo, hud, place);
        break;
    case PANEL_CONTROLS:
        panel_draw_controls(cairo, &hud->controls, place);
        break;
    case PANEL_MESSAGE:
        panel_draw_message(cairo, hud, place);
        break;
    case PANEL_TIMELINE:
        panel_draw_timeline(cairo, &view->timeline, place);
        break;
    case PANEL_MENU:
        panel_draw_menu(cairo, &view->menu, place);
        break;
    case PANEL_DEBUG:
        panel_draw_debug(cairo, &view->debug, place);
        break;
    default:
        break;
    }
}
