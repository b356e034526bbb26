/// The panels over the view: which there are, where each lies, and what the file of each panel defines. Pure functions
/// of a view; no OpenGL. overlay.h draws them.
#ifndef SPADEWORK_RENDER_PANELS_H
#define SPADEWORK_RENDER_PANELS_H

#include <stdint.h>

#include "render/render.h"

/// As in cairo.h, which users of the places need not have.
typedef struct _cairo cairo_t;

typedef enum PanelKind {
    PANEL_TASK, ///< title, time, score, progress
    PANEL_STATE, ///< recording, pause, slow simulation
    PANEL_HINTS,
    PANEL_LEFT_STICK,
    PANEL_RIGHT_STICK,
    PANEL_GAUGES,
    PANEL_GRADE, ///< edge and design, from the side and from above
    PANEL_MAP, ///< the site from above
    PANEL_CONTROLS, ///< what each axis does
    PANEL_MESSAGE,
    PANEL_TIMELINE,
    PANEL_EVENTS, ///< list of a recording's events
    PANEL_CURVES, ///< figures over its time
    PANEL_MENU,
    PANEL_DEBUG,
    PANEL_MOUSE, ///< levers for the mouse
    PANEL_COUNT
} PanelKind;
_Static_assert((int)PANEL_COUNT + (int)RENDER_MAX_INSETS == (int)RENDER_PANELS, "a place for each panel and inset");

/// Lines of an exercise beside a strip of gauges: the first ones, and the last, which names faults.
enum { PANEL_TASK_LINES = 3 };

/// Design units, in which the screen is usually 720 high and its width follows; width 0 = not shown.
typedef struct PanelPlace {
    double x, y, width, height;
} PanelPlace;
/// Returns where a panel lies on a screen of so many design units while nothing moves it (RenderLayout.moves).
PanelPlace panel_home(const RenderView *view, PanelKind kind, double screen_width, double screen_height);
/// Returns where a panel lies on a screen of so many design units.
PanelPlace panel_place(const RenderView *view, PanelKind kind, double screen_width, double screen_height);

/// Returns the pixels a design unit of a view's panels: render_panel_unit times the layout's scale. In a small window
/// whose gauges are a strip or away it is larger, so that the text can be read; a menu has the usual one.
double panel_unit(const RenderView *view, int width, int height);

/// Where panels lie when screens or eyes share the picture, in pixels from the left.
typedef struct PanelColumn {
    int x, width;
} PanelColumn;
/// Writes the columns of a picture `width` pixels wide that each have all the panels, and returns their number: the
/// middle one of three screens, one for each eye, or the whole.
int panel_columns(const RenderView *view, int width, PanelColumn columns[2]);
/// Changes `x`, pixels from the left of a picture `width` pixels wide, to pixels from the left of its column, and
/// `width` to the column's.
void panel_column_of(const RenderView *view, int *width, double *x);

/// Returns where the `k`th inset of a view lies (RenderView.insets), on a screen of so many design units.
PanelPlace panel_inset(const RenderView *view, int k, double screen_width, double screen_height);

/// The same while nothing moves it.
PanelPlace panel_inset_home(const RenderView *view, int k, double screen_width, double screen_height);

/// Returns how many of at most `most` lines there are before the first NULL.
int panel_lines(const char *const *lines, int most);
/// True when the word of a banksman's signal is shown below the task.
bool panel_shows_signal(const RenderView *view);

/// The table of axes, design units from its upper edge: its first row, the heights of a row and of a device's line.
static const double controls_top = 56.0, controls_pitch = 22.0, controls_device_pitch = 16.0;

/// The list of events, design units: its first row, the height of a row.
static const double events_top = 32.0, events_pitch = 19.0;

/// From the panel's left edge to where the bar of the time line begins, and the curves over it; design units.
static const double timeline_left = 84.0;
/// Returns the length of that bar in a panel so wide, design units.
double timeline_length(double panel_width);

/// A kind of panel: its hash and its drawing. Each is defined in the file that draws it.
typedef struct PanelType {
    uint64_t (*sign)(uint64_t hash, const RenderView *view); ///< adds all that `draw` shows to the hash (canvas.h)
    void (*draw)(cairo_t *cairo, const RenderView *view, const PanelPlace *place); ///< origin at the panel's corner
    bool runs_with_time; ///< its numbers change with every tick
} PanelType;
/// hud_panels.c
extern const PanelType panel_task, panel_state, panel_hints, panel_message, panel_left_stick, panel_right_stick;
extern const PanelType panel_gauges;
/// map_panel.c, grade_panel.c, menu_panel.c, replay_panels.c, debug_panel.c
extern const PanelType panel_map, panel_grade, panel_menu, panel_controls, panel_timeline, panel_events, panel_curves;
extern const PanelType panel_debug;
/// mouse_panel.c
extern const PanelType panel_mouse;
/// Returns the place of a field of the levers for the mouse, from their panel's corner.
PanelPlace mouse_field_place(const RenderMouse *mouse, int field);

/// What a joystick shows: where its grip is (x right, y forward, -1..1) and what each way does, translated.
typedef struct HudStick {
    double x, y;
    const char *ahead, *back, *left, *right;
} HudStick;
/// Returns what the left or the right joystick shows in a pattern (render_stick).
HudStick hud_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left);

/// Returns the first row shown of a list of events in a panel so high (design units), and writes how many are shown.
int events_first_row(const RenderEvents *events, double panel_height, int *shown);

/// Returns the first item in sight of a menu in a panel so large, and writes how many are.
int menu_first_item(const RenderMenu *menu, const PanelPlace *panel, int *shown);

#endif
