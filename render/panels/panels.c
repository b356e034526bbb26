/// Lays the panels out and knows their kinds. Places are in design units, so that one layout serves every window; they
/// depend on each other where panels share an edge, which is why they are all decided here. What a panel shows, and
/// when it looks different, is in the panel's own file.
#include "render/panels/panels.h"

#include <math.h>
#include <string.h>

#include "render/panels/hud_text.h"
#include "render/panels/signature.h"

/// Design units; chosen: see test_render_shapes, which lets no panel cover another.
static const double margin = 14.0; ///< from the screen's edges
static const double side = 264.0; ///< width of the panels on the right
static const double curves_height = 132.0;
static const double gauges_height = 122.0, strip_height = 40.0;
static const double gap = 8.0; ///< between panels

static const PanelType *const types[PANEL_COUNT] = {
    [PANEL_TASK] = &panel_task,
    [PANEL_STATE] = &panel_state,
    [PANEL_HINTS] = &panel_hints,
    [PANEL_LEFT_STICK] = &panel_left_stick,
    [PANEL_RIGHT_STICK] = &panel_right_stick,
    [PANEL_GAUGES] = &panel_gauges,
    [PANEL_GRADE] = &panel_grade,
    [PANEL_CONTROLS] = &panel_controls,
    [PANEL_MESSAGE] = &panel_message,
    [PANEL_TIMELINE] = &panel_timeline,
    [PANEL_EVENTS] = &panel_events,
    [PANEL_CURVES] = &panel_curves,
    [PANEL_MENU] = &panel_menu,
    [PANEL_DEBUG] = &panel_debug,
};

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
    int lines = count_lines(hud->progress, RENDER_HUD_LINES) + hud->race_count;
    return 86.0 + (lines > 0 ? 10.0 + 19.0 * lines : 0.0);
}

/// Of the levers' panels; a compact screen has none.
static double stick_height(const RenderHud *hud)
{
    return hud->compact ? 0.0 : 176.0;
}

/// What the panels at the sides leave free above the lower edge.
static double lower_room(const RenderHud *hud)
{
    return hud->compact ? 0.0 : stick_height(hud) + gap;
}

/// Where the panels above the time line end.
static double lower_edge(const RenderView *view)
{
    return 720.0 - margin - (view->timeline.visible ? timeline_height(&view->timeline) + gap : 0.0);
}

/// The debug panel needs the room of the curves.
static bool shows_curves(const RenderView *view)
{
    return view->curves.visible && !view->debug.visible;
}

/// The same above the curves.
static double edge_of_hud(const RenderView *view)
{
    return lower_edge(view) - (shows_curves(view) ? curves_height + gap : 0.0);
}

/// Above the right joystick; the debug panel sends them to the left, below the task.
static PanelPlace place_events(const RenderView *view, double width)
{
    if (!view->events.visible) {
        return (PanelPlace){0};
    }
    bool left = view->debug.visible;
    double top = !left ? margin + 42.0 : view->hud.visible ? margin + task_height(&view->hud) + gap : margin;
    double low = edge_of_hud(view) - (view->hud.visible ? lower_room(&view->hud) : 0.0);
    double wide = left ? side : 330.0;
    return (PanelPlace){left ? margin : width - margin - wide, top, wide,
                        fmin(events_height(&view->events), fmax(low - top, 60.0))};
}

/// On the right; the debug panel sends them to the left, below the task.
static PanelPlace place_hints(const RenderView *view, double width)
{
    int lines = count_lines(view->hud.hints, RENDER_MAX_HINTS);
    if (lines == 0 || view->events.visible) {
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

/// On the left, between the task and the joystick: away from where a bucket or a blade works. The debug panel sends
/// other things there.
static PanelPlace place_grade(const RenderView *view, double width, double message)
{
    const double highest = 312.0, least = 150.0;
    double top = margin + task_height(&view->hud) + gap, low = edge_of_hud(view) - lower_room(&view->hud);
    double own_width = fmin(316.0, 0.5 * (width - message) - margin - gap);
    return view->grade.visible && !view->debug.visible && low - top >= least
               ? (PanelPlace){margin, top, own_width, fmin(low - top, highest)}
               : (PanelPlace){0};
}

static PanelPlace place_gauges(const RenderView *view, double width, double low)
{
    if (shows_curves(view)) {
        return (PanelPlace){0};
    }
    return view->hud.compact ? (PanelPlace){0.5 * width - 320.0, low - strip_height, 640.0, strip_height}
                             : (PanelPlace){0.5 * width - 340.0, low - gauges_height, 680.0, gauges_height};
}

static PanelPlace place_hud(const RenderView *view, PanelKind kind, double width)
{
    const RenderHud *hud = &view->hud;
    double low = edge_of_hud(view);
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
    case PANEL_RIGHT_STICK:
        return hud->compact ? (PanelPlace){0}
                            : (PanelPlace){kind == PANEL_LEFT_STICK ? margin : width - margin - 196.0,
                                           low - stick_height(hud), 196.0, stick_height(hud)};
    case PANEL_GAUGES:
        return place_gauges(view, width, low);
    case PANEL_GRADE:
        return place_grade(view, width, message);
    case PANEL_CONTROLS:
        return place_controls(hud, width, message, low - (hud->compact ? strip_height : gauges_height));
    case PANEL_MESSAGE:
        return hud->message == NULL
                   ? (PanelPlace){0}
                   : (PanelPlace){0.5 * (width - message), 190.0, message, strchr(hud->message, '\n') ? 70.0 : 52.0};
    default:
        return (PanelPlace){0};
    }
}

PanelPlace panel_place(const RenderView *view, PanelKind kind, double screen_width)
{
    if (kind == PANEL_MENU) {
        double width = fmin(view->menu.side.visible ? 1160.0 : 760.0, screen_width - 40.0);
        return view->menu.visible ? (PanelPlace){0.5 * (screen_width - width), 40.0, width, 640.0} : (PanelPlace){0};
    }
    if (view->menu.visible) {
        return (PanelPlace){0};
    }
    if (kind == PANEL_TIMELINE) {
        double height = timeline_height(&view->timeline);
        return view->timeline.visible
                   ? (PanelPlace){margin, 720.0 - margin - height, screen_width - 2.0 * margin, height}
                   : (PanelPlace){0};
    }
    if (kind == PANEL_CURVES) {
        return shows_curves(view)
                   ? (PanelPlace){margin, lower_edge(view) - curves_height, screen_width - 2.0 * margin, curves_height}
                   : (PanelPlace){0};
    }
    if (kind == PANEL_EVENTS) {
        return place_events(view, screen_width);
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
    double spare = place.width > 0.0 ? screen_height - 720.0 : 0.0;
    place.y += types[kind]->low ? spare : kind == PANEL_MENU ? 0.5 * spare : 0.0;
    return place;
}

int panel_columns(const RenderView *view, int width, PanelColumn columns[2])
{
    if (view->screens == 3) {
        columns[0] = (PanelColumn){width / 3, width * 2 / 3 - width / 3};
        return 1;
    }
    if (view->eyes == 2) {
        columns[0] = (PanelColumn){0, width / 2};
        columns[1] = (PanelColumn){width / 2, width / 2};
        return 2;
    }
    columns[0] = (PanelColumn){0, width};
    return 1;
}

void panel_column_of(const RenderView *view, int *width, double *x)
{
    PanelColumn columns[2];
    int count = panel_columns(view, *width, columns);
    const PanelColumn *column = &columns[count == 2 && *x >= columns[1].x ? 1 : 0];
    *width = column->width;
    *x -= column->x;
}

PanelPlace panel_inset(const RenderView *view, int k, double screen_width)
{
    double width = 380.0, top = margin + 42.0, right = margin;
    PanelPlace above = panel_place(view, view->debug.visible ? PANEL_DEBUG : PANEL_HINTS, screen_width);
    PanelPlace beside = panel_place(view, PANEL_EVENTS, screen_width);
    if (above.width > 0.0 && above.x > 0.5 * screen_width) { // as wide as that, below it
        width = above.width;
        top = above.y + above.height + gap;
    } else if (beside.width > 0.0 && beside.x > 0.5 * screen_width) {
        right += beside.width + gap;
    }
    double height = width * 9.0 / 16.0;
    return (PanelPlace){screen_width - right - width, top + k * (height + gap), width, height};
}

double render_panel_unit(int width, int height)
{
    return fmin(height / 720.0, width / 1100.0);
}

uint64_t panel_signature(const RenderView *view, PanelKind kind)
{
    return types[kind]->sign(SIGNATURE_START, view);
}

bool panel_runs_with_time(PanelKind kind)
{
    return types[kind]->runs_with_time;
}

void panel_draw(cairo_t *cairo, const RenderView *view, PanelKind kind, const PanelPlace *place)
{
    types[kind]->draw(cairo, view, place);
}
