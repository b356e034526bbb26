/// The table of what each axis does: lever, the two ways it goes, what the machine gets, and what device moves it.
/// Operators with pads, pedals and joysticks at once see here which one of them counts.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"
#include "render/panels/hud_text.h"
#include "render/panels/signature.h"

static const double top = 56.0, pitch = 22.0, device_pitch = 16.0;

double controls_height(const RenderControls *controls)
{
    double devices = controls->device_count > 0 ? 10.0 + device_pitch * controls->device_count : 0.0;
    return top + pitch * controls->count + devices + 10.0;
}

/// A bar from its middle, `value` -1..1.
static void draw_two_way(cairo_t *cairo, double x, double y, double width, double height, double value,
                         CanvasColor color)
{
    canvas_rounded(cairo, x, y, width, height, 0.5 * height);
    canvas_color(cairo, canvas_faint);
    cairo_fill(cairo);
    double middle = x + 0.5 * width, length = 0.5 * width * fmin(fmax(value, -1.0), 1.0);
    cairo_rectangle(cairo, length > 0.0 ? middle : middle + length, y, fabs(length), height);
    canvas_color(cairo, color);
    cairo_fill(cairo);
    cairo_rectangle(cairo, middle - 0.5, y - 2.0, 1.0, height + 4.0);
    canvas_color(cairo, canvas_soft);
    cairo_fill(cairo);
}

/// Columns of the table, in design units from its left edge; `source` takes what is left.
typedef struct Columns {
    double lever, less, bar, bar_width, more, value, source, raw;
} Columns;

static Columns find_columns(double width)
{
    double bar = 140.0, bar_width = fmin(110.0, 0.18 * width), more = bar + bar_width + 8.0;
    return (Columns){.lever = 14.0,
                     .less = bar - 8.0,
                     .bar = bar,
                     .bar_width = bar_width,
                     .more = more,
                     .value = more + 88.0,
                     .source = more + 104.0,
                     .raw = width - 14.0};
}

static void draw_row(cairo_t *cairo, const RenderControl *row, const Columns *at, double y)
{
    bool up = row->value > 0.005, down = row->value < -0.005;
    char text[HUD_TEXT_LENGTH];
    canvas_line(cairo, at->lever, y, 12.0, true, CANVAS_LEFT, 0.0, canvas_text, row->lever);
    canvas_line(cairo, at->less, y, 11.0, false, CANVAS_RIGHT, 0.0, down ? canvas_text : canvas_soft, row->less);
    canvas_line(cairo, at->more, y, 11.0, false, CANVAS_LEFT, 0.0, up ? canvas_text : canvas_soft, row->more);
    draw_two_way(cairo, at->bar, y + 4.0, at->bar_width, 8.0, row->value, canvas_accent);
    snprintf(text, sizeof(text), "%s", quantity_signed(row->value, 2).text);
    canvas_line(cairo, at->value, y, 11.0, up || down, CANVAS_RIGHT, 0.0, up || down ? canvas_text : canvas_soft, text);
    double room = at->raw - at->source;
    if (row->waiting) {
        snprintf(text, sizeof(text),
                 row->unrested ? language_text("%.24s: let it go and pause once")
                               : language_text("%.24s: let it go once"),
                 row->moved ? row->source : language_text("an axis"));
        canvas_fitted_line(cairo, at->source, y, 11.0, true, CANVAS_LEFT, room, canvas_bad, text);
    } else if (row->moved && row->analog) {
        canvas_fitted_line(cairo, at->source, y, 11.0, true, CANVAS_LEFT, room - 84.0, canvas_text, row->source);
        draw_two_way(cairo, at->raw - 78.0, y + 6.0, 36.0, 4.0, row->raw, canvas_good);
        snprintf(text, sizeof(text), "%s", quantity_signed(row->raw, 2).text);
        canvas_line(cairo, at->raw, y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_text, text);
    } else {
        canvas_fitted_line(cairo, at->source, y, 11.0, row->moved, CANVAS_LEFT, room,
                           row->moved ? canvas_text : canvas_soft, row->source);
    }
}

static void draw_controls(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderControls *controls = &view->hud.controls;
    Columns at = find_columns(place->width);
    canvas_panel_box(cairo, place->width, place->height);
    canvas_line(cairo, at.lever, 8.0, 14.0, true, CANVAS_LEFT, place->width - 28.0, canvas_text, controls->title);
    canvas_line(cairo, at.lever, 33.0, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, language_text("lever"));
    canvas_line(cairo, at.value, 33.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft,
                language_text("what the machine gets"));
    canvas_line(cairo, at.source, 33.0, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, language_text("moved by"));
    canvas_line(cairo, at.raw, 33.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, language_text("device reads"));
    double y = top;
    for (int k = 0; k < controls->count; k++, y += pitch) {
        draw_row(cairo, &controls->rows[k], &at, y);
    }
    y += 6.0;
    for (int k = 0; k < controls->device_count; k++, y += device_pitch) {
        canvas_line(cairo, at.lever, y, 11.0, false, CANVAS_LEFT, place->width - 28.0,
                    controls->device_present[k] ? canvas_good : canvas_bad, controls->devices[k]);
    }
}

static uint64_t sign_controls(uint64_t hash, const RenderView *view)
{
    const RenderControls *controls = &view->hud.controls;
    hash = signature_text(hash, controls->title);
    for (int k = 0; k < controls->count; k++) {
        const RenderControl *row = &controls->rows[k];
        hash = signature_text(signature_text(hash, row->lever), row->source);
        hash = signature_value(signature_value(hash, row->raw, 0.01), row->value, 0.01);
        hash = signature_value(hash, row->moved + 2 * row->analog + 4 * row->waiting + 8 * row->unrested, 1.0);
    }
    for (int k = 0; k < controls->device_count; k++) {
        hash = signature_text(hash, controls->devices[k]);
    }
    return hash;
}

const PanelType panel_controls = {sign_controls, draw_controls, .runs_with_time = false};
