/// The panels over the view: where each lies, what tells that it must be drawn again, and how it is drawn.
#ifndef SPADEWORK_RENDER_PANELS_H
#define SPADEWORK_RENDER_PANELS_H

#include <stdint.h>

#include "render/render.h"

/// As in cairo.h, which users of the places and signatures need not have.
typedef struct _cairo cairo_t;

typedef enum PanelKind {
    PANEL_TASK, ///< title, time, score, progress
    PANEL_STATE, ///< recording, pause, slow simulation
    PANEL_HINTS,
    PANEL_LEFT_STICK,
    PANEL_RIGHT_STICK,
    PANEL_GAUGES,
    PANEL_CONTROLS, ///< what each axis does
    PANEL_MESSAGE,
    PANEL_TIMELINE,
    PANEL_MENU,
    PANEL_DEBUG,
    PANEL_COUNT
} PanelKind;

/// Design units, in which the screen is 720 high and its width follows; width 0 = not shown.
typedef struct PanelPlace {
    double x, y, width, height;
} PanelPlace;
PanelPlace panel_place(const RenderView *view, PanelKind kind, double screen_width);
/// On a screen higher than 720: what lies below stays at the lower edge, the menu in the middle.
PanelPlace panel_place_high(const RenderView *view, PanelKind kind, double screen_width, double screen_height);

/// Changes when what the panel shows changes visibly. Numbers that run with the time count at most 15 times a second of
/// `hud.time`.
uint64_t panel_signature(const RenderView *view, PanelKind kind);

/// Draws with the origin at the panel's corner.
void panel_draw(cairo_t *cairo, const RenderView *view, PanelKind kind, const PanelPlace *place);

/// The single panels (hud_panels.c, gauge_panel.c, controls_panel.c, menu_panel.c, debug_panel.c).
void panel_draw_task(cairo_t *cairo, const RenderHud *hud, const PanelPlace *place);
void panel_draw_state(cairo_t *cairo, const RenderHud *hud, const PanelPlace *place);
void panel_draw_hints(cairo_t *cairo, const RenderHud *hud, const PanelPlace *place);
void panel_draw_stick(cairo_t *cairo, const RenderHud *hud, bool left, const PanelPlace *place);
void panel_draw_message(cairo_t *cairo, const RenderHud *hud, const PanelPlace *place);
void panel_draw_gauges(cairo_t *cairo, const RenderHud *hud, const PanelPlace *place);
void panel_draw_controls(cairo_t *cairo, const RenderControls *controls, const PanelPlace *place);
/// Design units that the table needs.
double controls_height(const RenderControls *controls);
void panel_draw_menu(cairo_t *cairo, const RenderMenu *menu, const PanelPlace *place);
void panel_draw_debug(cairo_t *cairo, const RenderDebug *debug, const PanelPlace *place);
void panel_draw_timeline(cairo_t *cairo, const RenderTimeline *timeline, const PanelPlace *place);

/// First item shown of a menu longer than its panel, and how many fit.
int menu_first_item(const RenderMenu *menu, double panel_height, int *shown);

#endif
