/// Drawing of panels with cairo and pango, in design units (the screen is 720 units high).
#ifndef SPADEWORK_RENDER_CANVAS_H
#define SPADEWORK_RENDER_CANVAS_H

#include <stdbool.h>

#include <cairo.h>

/// sRGB and opacity, 0..1.
typedef struct CanvasColor {
    double r, g, b, a;
} CanvasColor;

static const CanvasColor canvas_text = {0.93, 0.94, 0.95, 1.0};
static const CanvasColor canvas_soft = {0.66, 0.70, 0.74, 1.0};
static const CanvasColor canvas_faint = {1.0, 1.0, 1.0, 0.13};
static const CanvasColor canvas_accent = {1.00, 0.72, 0.13, 1.0};
static const CanvasColor canvas_good = {0.38, 0.80, 0.47, 1.0};
static const CanvasColor canvas_bad = {0.96, 0.33, 0.27, 1.0};
static const CanvasColor canvas_panel = {0.055, 0.065, 0.078, 0.74};

/// A text as it was drawn, in pixels of the surface.
typedef struct CanvasText {
    const char *text; ///< valid during the call only
    double x, y, width, height; ///< pixels of the surface: the box of its letters' lines
    bool cut; ///< it had no room, and ends with an ellipsis
} CanvasText;

/// Looks at each text that is drawn with a context from now on, so that tests find those without room. NULL: no longer.
typedef struct CanvasWatch {
    void (*see)(void *context, const CanvasText *text);
    void *context;
} CanvasWatch;
void canvas_watch(cairo_t *cairo, CanvasWatch *watch);

typedef enum CanvasAlign { CANVAS_LEFT, CANVAS_CENTER, CANVAS_RIGHT } CanvasAlign;

/// Draws in this colour from now on.
void canvas_color(cairo_t *cairo, CanvasColor color);
/// Begins a path of a rectangle with round corners; draws nothing.
void canvas_rounded(cairo_t *cairo, double x, double y, double width, double height, double radius);
/// Draws a panel's dark ground, its corner at the origin.
void canvas_panel_box(cairo_t *cairo, double width, double height);

/// Draws one line of text of the height `size`; x is its left end, middle or right end, y its upper edge. Cut with an
/// ellipsis at `width` (0 = no limit). Returns its width.
double canvas_line(cairo_t *cairo, double x, double y, double size, bool bold, CanvasAlign align, double width,
                   CanvasColor color, const char *text);

/// Draws the same line in smaller letters, to two thirds, rather than cut it at `width`.
double canvas_fitted_line(cairo_t *cairo, double x, double y, double size, bool bold, CanvasAlign align, double width,
                          CanvasColor color, const char *text);
/// Draws a text broken between words into lines of `width`; \n begins a new one. What is lower than `height` is left
/// out behind an ellipsis. Returns its height.
double canvas_paragraph(cairo_t *cairo, double x, double y, double size, double width, double height, CanvasColor color,
                        const char *text);

/// Draws a level bar with a mark; `share` and `mark` 0..1, mark < 0 = none.
void canvas_bar(cairo_t *cairo, double x, double y, double width, double height, double share, double mark,
                CanvasColor color);

#endif
