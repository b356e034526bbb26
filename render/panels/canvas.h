/// What panels are drawn with: colours, lines of text, bars and marks in cairo and pango; numbers as texts; hashes of
/// what a panel shows. Lengths in design units: the screen is usually 720 units high.
#ifndef SPADEWORK_RENDER_CANVAS_H
#define SPADEWORK_RENDER_CANVAS_H

#include <stddef.h>

#include <cairo.h>

#include "render/render.h"

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
    double size; ///< of its letters, in the units that it was asked for in
    bool cut; ///< it had no room, and ends with an ellipsis
} CanvasText;

/// Calls `see` with each text that is drawn with a context from now on, so that tests find those without room. NULL: no
/// longer.
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

/// The width of a line of text.
double canvas_width(cairo_t *cairo, double size, bool bold, const char *text);
/// The size of letters, two thirds of `size` at least and `size` at most, in which a line fits into `width`. The lines
/// of a list take the least of theirs, so that all have letters of one size.
double canvas_fitting_size(cairo_t *cairo, double size, bool bold, double width, const char *text);

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

/// Draws a bar from its middle to the left or right; `value` -1..1. Its middle is marked.
void canvas_two_way_bar(cairo_t *cairo, double x, double y, double width, double height, double value,
                        CanvasColor color);

/// Draws the mark of an event around (x, y): each kind has a shape and a colour of its own; `r` is about half its
/// width.
void canvas_mark(cairo_t *cairo, RenderMarkKind kind, double x, double y, double r);

/// ---- numbers as texts ----------------------------------------------------------------------------------------------

/// Numbers of the panels that have no unit, or need two (data/core/quantity.h has the rest). Each format writes at most
/// this many bytes with the end. Pure functions but for the language.
enum { HUD_TEXT_LENGTH = 48 };

void hud_format_time(double seconds, char text[HUD_TEXT_LENGTH]); ///< "4:07", "1:02:33"; not a number: "-:--"
/// Writes a depth (m): "1.25 m", "+0.40 m" above the level.
void hud_format_depth(double m, TextUnits units, char text[HUD_TEXT_LENGTH]);
void hud_format_speed(double rad_per_s, char text[HUD_TEXT_LENGTH]); ///< "1800"
/// Writes "76 kN"; of a machine with two tools "76 · 54 kN", under which their names stand.
void hud_format_force(const RenderHud *hud, TextUnits units, char text[HUD_TEXT_LENGTH]);
/// A lamp of the gauges.
typedef struct HudLamp {
    const char *text;
    bool on;
    bool warns; ///< red when it is lit, else green
} HudLamp;
enum { HUD_LAMPS = 5 }; ///< at most: limits and the tool's state
static const double hud_state_width = 16.0; ///< by which a strip with the lamp of a state is wider
/// Writes the lamps from left to right, and returns their number.
int hud_lamps(const RenderHud *hud, HudLamp lamps[HUD_LAMPS]);
/// Writes the names of a machine's two tools: "Blade · Ripper".
void hud_format_tools(const RenderHud *hud, char text[HUD_TEXT_LENGTH]);
/// Writes whether the edge's middle is over the design or below, with an arrow to it; returns the colour for it.
CanvasColor hud_format_verdict(const RenderGrade *grade, char text[HUD_TEXT_LENGTH]);
void hud_format_count(int64_t count, char text[HUD_TEXT_LENGTH]); ///< "12 800 000", in groups of three
/// Writes "0.8×" when the simulation is slower than real time; false (and empty) from 0.98 on.
bool hud_format_badge(double real_time, char text[HUD_TEXT_LENGTH]);
/// Writes "2×", "0.25×", "paused".
void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH]);

/// ---- signatures ----------------------------------------------------------------------------------------------------

#define SIGNATURE_START 14695981039346656037ULL ///< FNV-1a's offset for 64 bits

/// Each function adds what a panel shows to `hash`, which begins with SIGNATURE_START, and returns it. Pure.
uint64_t signature_bytes(uint64_t hash, const void *data, size_t size);
/// A text; NULL differs from every text.
uint64_t signature_text(uint64_t hash, const char *text);
/// A value rounded to `step` > 0: choose the least difference that can be seen.
uint64_t signature_value(uint64_t hash, double value, double step);

#endif
