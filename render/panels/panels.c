/// Lays the panels out. Places are in design units, so that one layout serves every window. They depend on each other
/// where panels share an edge, so all are computed here; what a panel shows is in its own file.
#include "render/panels/panels.h"

#include <math.h>
#include <string.h>

#include "render/panels/canvas.h"

/// Design units. Chosen; test_render_shapes checks that no panel covers another.
static const double margin = 14.0; ///< from the screen's edges
static const double side = 264.0; ///< width of the panels on the right; on a narrow screen they are 240
static const double curves_height = 132.0;
static const double gauges_height = 122.0, strip_height = 40.0;
static const double gap = 8.0; ///< between panels
static const double sticks_height = 176.0, state_height = 34.0, map_side = 150.0, small_map_side = 108.0;
static const double debug_height = 353.0;
static const double usual_width = 1100.0; ///< at least, on a screen that has all gauges
static const double least_width = 780.0, least_height = 440.0; ///< for a strip of gauges and the panels at the sides
static const double readable = 0.8; ///< pixels a design unit: letters of 11 units are 9 pixels high

/// A view and the design units of the screen it is laid out on.
typedef struct Screen {
    const RenderView *view;
    const RenderHud *hud;
    double width, height;
} Screen;

int panel_lines(const char *const *lines, int most)
{
    int count = 0;
    while (count < most && lines[count] != NULL) {
        count++;
    }
    return count;
}

static double controls_height(const RenderControls *controls)
{
    double devices = controls->device_count > 0 ? 10.0 + controls_device_pitch * controls->device_count : 0.0;
    return controls_top + controls_pitch * controls->count + devices + 10.0;
}

static double events_height(const RenderEvents *events)
{
    return events_top + events_pitch * events->count + 8.0;
}

static double timeline_height(const RenderTimeline *timeline)
{
    int lines = panel_lines(timeline->keys, RENDER_TIMELINE_KEYS);
    return 56.0 + (lines > 0 ? 4.0 + 15.0 * lines : 0.0);
}

double timeline_length(double panel_width)
{
    return panel_width - 260.0;
}

static bool is_narrow(const Screen *screen)
{
    return screen->width < usual_width - 1.0;
}

/// Width of the task and the grade display: narrow on a narrow screen and beside a strip of gauges.
static double task_width(const Screen *screen)
{
    bool narrow = is_narrow(screen);
    return screen->hud->compact ? (narrow ? 224.0 : 240.0) : narrow ? 240.0 : 316.0;
}

/// Width of the panels on the right.
static double side_width(const Screen *screen)
{
    return is_narrow(screen) ? 240.0 : side;
}

bool panel_shows_signal(const RenderView *view)
{
    return view->hud.signal != NULL && !view->layout.no_signals;
}

static double task_height(const RenderView *view)
{
    const RenderHud *hud = &view->hud;
    int lines = panel_lines(hud->progress, hud->compact ? PANEL_TASK_LINES : RENDER_HUD_LINES) + hud->race_count +
                panel_shows_signal(view);
    if (hud->compact) {
        return 39.0 + (lines > 0 ? 4.0 + 17.0 * lines : 0.0);
    }
    return 86.0 + (lines > 0 ? 10.0 + 19.0 * lines : 0.0);
}

/// Returns where panels below the task may begin.
static double below_task(const Screen *screen)
{
    bool shown = screen->hud->visible && !screen->view->layout.no_task;
    return margin + (shown ? task_height(screen->view) + gap : 0.0);
}

/// True when all gauges are shown, and the levers beside them.
static bool has_levers(const Screen *screen)
{
    return !screen->hud->compact && !screen->view->layout.no_gauges;
}

/// Height that the panels at the sides leave free above the lower edge.
static double lower_room(const Screen *screen)
{
    return has_levers(screen) ? sticks_height + gap : screen->view->layout.no_gauges ? 0.0 : strip_height + gap;
}

/// Returns where the panels above the time line end.
static double lower_edge(const Screen *screen)
{
    const RenderTimeline *timeline = &screen->view->timeline;
    return screen->height - margin - (timeline->visible ? timeline_height(timeline) + gap : 0.0);
}

/// False with the debug panel, which needs the room of the curves.
static bool shows_curves(const RenderView *view)
{
    return view->curves.visible && !view->debug.visible;
}

/// Returns where the panels above the curves end.
static double edge_of_hud(const Screen *screen)
{
    return lower_edge(screen) - (shows_curves(screen->view) ? curves_height + gap : 0.0);
}

/// Places the events above the right joystick; with the debug panel on the left, below the task.
static PanelPlace place_events(const Screen *screen)
{
    const RenderView *view = screen->view;
    if (!view->events.visible) {
        return (PanelPlace){0};
    }
    bool left = view->debug.visible;
    double top = !left ? margin + state_height + gap : below_task(screen);
    double low = edge_of_hud(screen) - (view->hud.visible ? lower_room(screen) : 0.0);
    double wide = left ? side_width(screen) : 330.0;
    return (PanelPlace){left ? margin : screen->width - margin - wide, top, wide,
                        fmin(events_height(&view->events), fmax(low - top, 60.0))};
}

/// Places the hints on the right; with the debug panel on the left, below the task. On a narrow screen a message
/// replaces them.
static PanelPlace place_hints(const Screen *screen)
{
    int lines = panel_lines(screen->hud->hints, RENDER_MAX_HINTS);
    bool narrow = is_narrow(screen) && screen->hud->message != NULL;
    if (lines == 0 || screen->view->events.visible || narrow) {
        return (PanelPlace){0};
    }
    double height = 16.0 + 17.0 * lines, left = below_task(screen) - 2.0;
    double room = edge_of_hud(screen) - (screen->hud->visible ? lower_room(screen) : 0.0) - left;
    return screen->view->debug.visible
               ? (PanelPlace){margin, left, side_width(screen), fmin(height, room)} // its lines come closer
               : (PanelPlace){screen->width - margin - side_width(screen), margin + state_height + gap,
                              side_width(screen), height};
}

/// Places the message between the panels at the sides; on a narrow screen below them.
static PanelPlace place_message(const Screen *screen)
{
    double height = screen->hud->message != NULL && strchr(screen->hud->message, '\n') != NULL ? 70.0 : 52.0;
    double between = fmin(600.0, screen->width - 2.0 * (margin + side_width(screen) + gap));
    if (!is_narrow(screen) || between >= 500.0) {
        return (PanelPlace){0.5 * (screen->width - between), 190.0, between, height};
    }
    double room = screen->width - task_width(screen) - 2.0 * margin - gap;
    return (PanelPlace){screen->width - margin - room, margin + state_height + gap, room, height};
}

/// Places the table of controls below the message; a long one higher, so that it ends above the gauges at `end`.
static PanelPlace place_controls(const Screen *screen, double end)
{
    double height = controls_height(&screen->hud->controls), width = place_message(screen).width;
    return screen->hud->controls.visible
               ? (PanelPlace){0.5 * (screen->width - width), fmin(250.0, end - gap - height), width, height}
               : (PanelPlace){0};
}

// Of the levers for the mouse. Chosen: low enough for the corner below the cab's left mirror.
static const double mouse_edge = 8.0, mouse_gap = 6.0, gate_width = 108.0, gate_height = 80.0, button_height = 22.0;
enum { FEWEST_COLUMNS = 3, MOST_COLUMNS = 4 };

/// Returns the number of gates, and writes that of columns.
static int count_gates(const RenderMouse *mouse, int *columns)
{
    int gates = 0;
    while (gates < mouse->count && mouse->fields[gates].kind == RENDER_MOUSE_GATE) {
        gates++;
    }
    *columns = gates < FEWEST_COLUMNS ? FEWEST_COLUMNS : gates > MOST_COLUMNS ? MOST_COLUMNS : gates;
    return gates;
}

PanelPlace mouse_field_place(const RenderMouse *mouse, int field)
{
    int columns = 0, gates = count_gates(mouse, &columns), rows = (gates + columns - 1) / columns;
    bool gate = field < gates;
    int place = gate ? field : field - gates, row = place / columns;
    double x = mouse_edge + (place % columns) * (gate_width + mouse_gap);
    double y = mouse_edge + (gate ? row * (gate_height + mouse_gap)
                                  : rows * (gate_height + mouse_gap) + row * (button_height + mouse_gap));
    return (PanelPlace){x, y, gate_width, gate ? gate_height : button_height};
}

/// Places the levers for the mouse in the lower left corner, above the gauges, away from where the tool mostly is.
static PanelPlace place_mouse(const Screen *screen)
{
    const RenderMouse *mouse = &screen->hud->mouse;
    if (!mouse->visible || mouse->count == 0 || screen->view->debug.visible || shows_curves(screen->view)) {
        return (PanelPlace){0};
    }
    int columns = 0;
    count_gates(mouse, &columns);
    PanelPlace last = mouse_field_place(mouse, mouse->count - 1);
    double width = 2.0 * mouse_edge + columns * (gate_width + mouse_gap) - mouse_gap;
    double height = last.y + last.height + mouse_edge;
    double low = edge_of_hud(screen) - lower_room(screen);
    return (PanelPlace){margin, low - height, width, height};
}

/// Places the grade display on the left, between the task and the joystick, away from where a bucket or a blade works.
/// The debug panel replaces it, because other panels move there.
static PanelPlace place_grade(const Screen *screen)
{
    const double highest = screen->hud->compact ? 166.0 : 312.0, least = 150.0;
    double top = below_task(screen), low = edge_of_hud(screen) - lower_room(screen), mouse = place_mouse(screen).height;
    low -= mouse > 0.0 ? mouse + gap : 0.0;
    double beside = 0.5 * (screen->width - place_message(screen).width) - margin - gap;
    double width = is_narrow(screen) ? task_width(screen) : fmin(task_width(screen), beside);
    return screen->view->grade.visible && !screen->view->debug.visible && low - top >= least
               ? (PanelPlace){margin, top, width, fmin(low - top, highest)}
               : (PanelPlace){0};
}

/// A strip with the gear, or with the lamp of a state, is wider.
static double strip_width(const RenderHud *hud)
{
    double figures = hud->drive != NULL || hud->tool_turn != NULL ? 760.0 : 640.0;
    return figures + (hud->state != NULL ? hud_state_width : 0.0);
}

static PanelPlace place_gauges(const Screen *screen, double low)
{
    double width = screen->hud->compact ? strip_width(screen->hud) : 680.0,
           height = screen->hud->compact ? strip_height : gauges_height;
    return shows_curves(screen->view) || screen->view->layout.no_gauges
               ? (PanelPlace){0}
               : (PanelPlace){0.5 * (screen->width - width), low - height, width, height};
}

/// Places an inset on the right below the keys or the debug panel and as wide as those, or beside the list of events.
static PanelPlace place_inset(const Screen *screen, int k)
{
    bool debug = screen->view->debug.visible, keys = screen->hud->visible && place_hints(screen).width > 0.0;
    double width = 380.0, top = margin + state_height + gap, right = margin;
    if (debug || keys) {
        width = side_width(screen);
        top += (debug ? debug_height : place_hints(screen).height) + gap;
    } else if (screen->view->events.visible) {
        right += place_events(screen).width + gap;
    }
    double height = width * 9.0 / 16.0;
    return (PanelPlace){screen->width - right - width, top + k * (height + gap), width, height};
}

/// Places the map on the right above the joystick, or beside the strip where there is room; not over other panels or
/// insets.
static PanelPlace place_map(const Screen *screen)
{
    const RenderView *view = screen->view;
    bool beside = !has_levers(screen) && screen->width >= strip_width(screen->hud) + 2.0 * (map_side + margin + gap);
    double size = beside || has_levers(screen) ? map_side : small_map_side;
    double low = edge_of_hud(screen) - (beside ? 0.0 : lower_room(screen)), top = low - size;
    PanelPlace hints = place_hints(screen), inset = place_inset(screen, view->inset_count - 1);
    double taken = fmax(margin + state_height + gap, hints.width > 0.0 ? hints.y + hints.height + gap : 0.0);
    taken = view->inset_count > 0 ? inset.y + inset.height + gap : taken;
    bool crowded = view->events.visible || view->debug.visible || shows_curves(view) || view->screens == 3;
    return view->layout.map && view->grid_count > 0 && view->grids[0].height != NULL && !crowded && top >= taken
               ? (PanelPlace){screen->width - margin - size, top, size, size}
               : (PanelPlace){0};
}

static PanelPlace place_stick(const Screen *screen, bool left)
{
    const double width = 196.0;
    return has_levers(screen) ? (PanelPlace){left ? margin : screen->width - margin - width,
                                             edge_of_hud(screen) - sticks_height, width, sticks_height}
                              : (PanelPlace){0};
}

static PanelPlace place_hud(const Screen *screen, PanelKind kind)
{
    const RenderHud *hud = screen->hud;
    double low = edge_of_hud(screen);
    char badge[HUD_TEXT_LENGTH];
    switch (kind) {
    case PANEL_TASK:
        return screen->view->layout.no_task
                   ? (PanelPlace){0}
                   : (PanelPlace){margin, margin, task_width(screen), task_height(screen->view)};
    case PANEL_STATE:
        if (!hud->recording && !hud->paused && !hud_format_badge(hud->real_time, badge)) {
            return (PanelPlace){0};
        }
        return (PanelPlace){screen->width - margin - side_width(screen), margin, side_width(screen), state_height};
    case PANEL_HINTS:
        return place_hints(screen);
    case PANEL_LEFT_STICK:
    case PANEL_RIGHT_STICK:
        return place_stick(screen, kind == PANEL_LEFT_STICK);
    case PANEL_GAUGES:
        return place_gauges(screen, low);
    case PANEL_GRADE:
        return place_grade(screen);
    case PANEL_MAP:
        return place_map(screen);
    case PANEL_MOUSE:
        return place_mouse(screen);
    case PANEL_CONTROLS:
        return place_controls(screen, low - (hud->compact ? strip_height : gauges_height));
    case PANEL_MESSAGE:
        return hud->message == NULL ? (PanelPlace){0} : place_message(screen);
    default:
        return (PanelPlace){0};
    }
}

/// As panel_place, but never mirrored.
static PanelPlace place_kind(const Screen *screen, PanelKind kind)
{
    const RenderView *view = screen->view;
    if (kind == PANEL_MENU) {
        double width = fmin(view->menu.side.visible ? 1160.0 : 760.0, screen->width - 40.0);
        return view->menu.visible
                   ? (PanelPlace){0.5 * (screen->width - width), 40.0 + 0.5 * (screen->height - 720.0), width, 640.0}
                   : (PanelPlace){0};
    }
    if (view->menu.visible) {
        return (PanelPlace){0};
    }
    double whole = screen->width - 2.0 * margin;
    switch (kind) {
    case PANEL_TIMELINE: {
        double height = timeline_height(&view->timeline);
        return view->timeline.visible ? (PanelPlace){margin, screen->height - margin - height, whole, height}
                                      : (PanelPlace){0};
    }
    case PANEL_CURVES:
        return shows_curves(view) ? (PanelPlace){margin, lower_edge(screen) - curves_height, whole, curves_height}
                                  : (PanelPlace){0};
    case PANEL_EVENTS:
        return place_events(screen);
    case PANEL_DEBUG:
        return view->debug.visible ? (PanelPlace){screen->width - margin - side_width(screen),
                                                  margin + state_height + gap, side_width(screen), debug_height}
                                   : (PanelPlace){0};
    default:
        return view->hud.visible ? place_hud(screen, kind) : (PanelPlace){0};
    }
}

/// Moves a panel, or hides it, as the layout says.
static PanelPlace move_place(PanelPlace place, const RenderMove *move)
{
    if (place.width <= 0.0 || !move->moved) {
        return place;
    }
    return move->hidden ? (PanelPlace){0} : (PanelPlace){move->x, move->y, place.width, place.height};
}

PanelPlace panel_place(const RenderView *view, PanelKind kind, double screen_width, double screen_height)
{
    return move_place(panel_home(view, kind, screen_width, screen_height), &view->layout.moves[kind]);
}

PanelPlace panel_home(const RenderView *view, PanelKind kind, double screen_width, double screen_height)
{
    Screen screen = {view, &view->hud, screen_width, screen_height};
    PanelPlace place = place_kind(&screen, kind);
    bool stays = kind == PANEL_LEFT_STICK || kind == PANEL_RIGHT_STICK || place.width <= 0.0;
    if (view->layout.mirrored && !stays) {
        place.x = screen_width - place.x - place.width;
    }
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

PanelPlace panel_inset(const RenderView *view, int k, double screen_width, double screen_height)
{
    if (view->layout.monitor_inset == k + 1) {
        return (PanelPlace){0};
    }
    return move_place(panel_inset_home(view, k, screen_width, screen_height), &view->layout.moves[PANEL_COUNT + k]);
}

PanelPlace panel_inset_home(const RenderView *view, int k, double screen_width, double screen_height)
{
    Screen screen = {view, &view->hud, screen_width, screen_height};
    PanelPlace place = place_inset(&screen, k);
    place.x = view->layout.mirrored ? screen_width - place.x - place.width : place.x;
    return place;
}

double render_panel_unit(int width, int height)
{
    return fmin(height / 720.0, width / usual_width);
}

double panel_unit(const RenderView *view, int width, int height)
{
    double unit = render_panel_unit(width, height), scale = view->layout.scale;
    if (view->menu.visible) {
        return unit;
    }
    bool bare = view->hud.compact || view->layout.no_gauges;
    bool full = view->hud.controls.visible || view->debug.visible || view->timeline.visible;
    double room = bare ? fmin(height / least_height, width / least_width) : fmin(height / 640.0, width / usual_width);
    if (bare && !full) {
        unit = fmax(unit, fmin(readable, room));
    }
    return scale > 0.0 ? fmin(unit * scale, fmax(unit, full ? unit : room)) : unit;
}
