/// Draws the figures of the debug view: particles, contacts, counts of the last tick, the ledger of mass, forces and
/// the colours of their lines. The ledger is in quanta as well as kg, because one lost quantum is a fault. Units are
/// always SI: the panel is for developers.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"

enum { RAMP_STOPS = 5 };
static const float ramp[RAMP_STOPS][3] = {
    {0.22f, 0.38f, 1.00f}, {0.10f, 0.80f, 0.95f}, {0.30f, 0.90f, 0.30f}, {1.00f, 0.85f, 0.15f}, {1.00f, 0.18f, 0.12f}};

static const double left = 14.0, pitch = 16.0;

void render_force_color(double share, float color[4])
{
    double at = (RAMP_STOPS - 1) * sqrt(fmin(fmax(share, 0.0), 1.0));
    int stop = (int)fmin(at, RAMP_STOPS - 2);
    float part = (float)(at - stop);
    for (int k = 0; k < 3; k++) {
        color[k] = ramp[stop][k] + part * (ramp[stop + 1][k] - ramp[stop][k]);
    }
    color[3] = 1.0f;
}

static void draw_row(cairo_t *cairo, double right, double *y, const char *name, const char *value)
{
    double used = canvas_line(cairo, left, *y, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, name);
    canvas_fitted_line(cairo, right, *y, 11.0, false, CANVAS_RIGHT, right - left - 6.0 - used, canvas_text, value);
    *y += pitch;
}

static void draw_counts(cairo_t *cairo, const RenderDebug *debug, double right, double *y)
{
    char a[HUD_TEXT_LENGTH], b[HUD_TEXT_LENGTH], text[3 * HUD_TEXT_LENGTH];
    hud_format_count(debug->particles, a);
    hud_format_count(debug->budget, b);
    int crowded = (int)ceil(100.0 * debug->crowding);
    snprintf(text, sizeof(text), language_text(crowded > 0 ? TEXT("%s of %s, crowded %d %%") : TEXT("%s of %s")), a, b,
             crowded);
    draw_row(cairo, right, y, language_text("Particles"), text);
    double share = debug->budget > 0 ? (double)debug->particles / debug->budget : 0.0;
    canvas_bar(cairo, left, *y + 1.0, right - left, 5.0, share, -1.0, share > 0.9 ? canvas_bad : canvas_good);
    *y += 11.0;
    if (!debug->known) {
        canvas_line(cairo, left, *y, 11.0, false, CANVAS_LEFT, right - left, canvas_soft,
                    language_text("The last tick is not known: drive on or play."));
        *y += 5.0 * pitch;
        return;
    }
    hud_format_count(debug->contacts, a);
    hud_format_count(debug->tool_contacts, b);
    snprintf(text, sizeof(text), language_text("%s, on the tool %s"), a, b);
    draw_row(cairo, right, y, language_text("Contacts"), text);
    snprintf(text, sizeof(text), language_text("%d, %d a tick"), debug->spawned, debug->absorbed);
    draw_row(cairo, right, y, language_text("Spawned, absorbed"), text);
    hud_format_count(debug->active_columns, a);
    draw_row(cairo, right, y, language_text("Active columns"), a);
    snprintf(text, sizeof(text), language_text("%d, in %s s %d; %d yield"), debug->cut_columns,
             quantity_number(0.5, 1).text, debug->recent_cut_columns, debug->yields);
    draw_row(cairo, right, y, language_text("Cut columns"), text);
    snprintf(text, sizeof(text), "%s; %s; %s ms", quantity_number(debug->soil_ms, 2).text,
             quantity_number(debug->machine_ms, 2).text, quantity_number(debug->tick_ms, 2).text);
    draw_row(cairo, right, y, language_text("Soil, machine, tick"), text);
}

static void draw_mass(cairo_t *cairo, double right, double *y, const char *name, int64_t quanta, double quantum)
{
    char text[HUD_TEXT_LENGTH];
    double kg = (double)quanta * quantum;
    canvas_line(cairo, left, *y, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, name);
    hud_format_count((int64_t)round(kg), text);
    canvas_line(cairo, left + 122.0, *y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_text, text);
    hud_format_count(quanta, text);
    canvas_line(cairo, right, *y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_text, text);
    *y += 15.0;
}

static void draw_ledger(cairo_t *cairo, const RenderDebug *debug, double right, double *y)
{
    canvas_line(cairo, left, *y, 11.0, true, CANVAS_LEFT, 0.0, canvas_text, language_text("Mass"));
    canvas_line(cairo, left + 122.0, *y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, "kg");
    canvas_line(cairo, right, *y, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, language_text("quanta"));
    *y += 15.0;
    draw_mass(cairo, right, y, language_text("ground"), debug->mass_ground, debug->quantum);
    draw_mass(cairo, right, y, language_text("particles"), debug->mass_particles, debug->quantum);
    draw_mass(cairo, right, y, language_text("trays"), debug->mass_trays, debug->quantum);
    draw_mass(cairo, right, y, language_text("off the site"), debug->mass_left, debug->quantum);
    draw_mass(cairo, right, y, language_text("total"), debug->mass_total, debug->quantum);
    char text[HUD_TEXT_LENGTH];
    hud_format_count(debug->mass_drift, text);
    canvas_line(cairo, left, *y, 11.0, false, CANVAS_LEFT, 0.0, canvas_soft, language_text("drift since the start"));
    canvas_line(cairo, right, *y, 11.0, true, CANVAS_RIGHT, 0.0, debug->mass_drift == 0 ? canvas_good : canvas_bad,
                text);
    *y += 15.0;
}

/// Draws the colours of contact forces over their scale.
static void draw_ramp(cairo_t *cairo, const RenderDebug *debug, double right, double *y)
{
    char text[HUD_TEXT_LENGTH];
    cairo_pattern_t *colors = cairo_pattern_create_linear(left, 0.0, right, 0.0);
    for (int k = 0; k < RAMP_STOPS; k++) {
        cairo_pattern_add_color_stop_rgb(colors, (double)k / (RAMP_STOPS - 1), (double)ramp[k][0], (double)ramp[k][1],
                                         (double)ramp[k][2]);
    }
    canvas_rounded(cairo, left, *y + 2.0, right - left, 6.0, 3.0);
    cairo_set_source(cairo, colors);
    cairo_fill(cairo);
    cairo_pattern_destroy(colors);
    for (int k = 0; k <= 2; k++) {
        double share = 0.5 * k; // of the bar; the force goes with its square
        snprintf(text, sizeof(text), "%s kN", quantity_digits(debug->contact_force * share * share / 1e3, 3).text);
        canvas_line(cairo, left + share * (right - left), *y + 9.0, 10.0, false, (CanvasAlign)k, 0.0, canvas_soft,
                    k == 0 ? "0" : text);
    }
    *y += 25.0;
}

static void draw_mark(cairo_t *cairo, double x, double y, const float color[4], const char *name)
{
    cairo_set_source_rgb(cairo, (double)color[0], (double)color[1], (double)color[2]);
    cairo_rectangle(cairo, x, y + 5.5, 14.0, 3.0);
    cairo_fill(cairo);
    canvas_line(cairo, x + 19.0, y, 10.5, false, CANVAS_LEFT, 0.0, canvas_soft, name);
}

static void draw_forces(cairo_t *cairo, const RenderDebug *debug, double right, double *y)
{
    char text[2 * HUD_TEXT_LENGTH];
    canvas_line(cairo, left, *y, 11.0, true, CANVAS_LEFT, 0.0, canvas_text, language_text("Force on the tool"));
    snprintf(text, sizeof(text), "%s kN", quantity_number(debug->force / 1e3, 1).text);
    canvas_line(cairo, right, *y - 1.0, 12.0, true, CANVAS_RIGHT, 0.0, canvas_text, text);
    *y += pitch;
    snprintf(text, sizeof(text), "%s kN; %s kN", quantity_digits(debug->arrow_scale / 1e3, 3).text,
             quantity_digits(debug->contact_scale / 1e3, 3).text);
    draw_row(cairo, right, y, language_text("1 m of arrow, of contact"), text);
    draw_ramp(cairo, debug, right, y);
    double middle = 0.5 * (left + right);
    draw_mark(cairo, left, *y, render_debug_cut, language_text("column cut"));
    draw_mark(cairo, middle, *y, render_debug_yield, language_text("ground yields"));
    *y += 14.0;
    draw_mark(cairo, left, *y, render_debug_changed, language_text("columns changed"));
    draw_mark(cairo, middle, *y, render_debug_sliding, language_text("tile slides"));
}

static void draw_debug(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const RenderDebug *debug = &view->debug;
    char tick[HUD_TEXT_LENGTH], text[HUD_TEXT_LENGTH + 8];
    double right = place->width - left, y = 8.0;
    canvas_panel_box(cairo, place->width, place->height);
    canvas_line(cairo, left, y, 13.0, true, CANVAS_LEFT, 0.0, canvas_text, language_text("Soil"));
    hud_format_count(debug->tick, tick);
    snprintf(text, sizeof(text), language_text("tick %s"), tick);
    canvas_line(cairo, right, y + 1.0, 11.0, false, CANVAS_RIGHT, 0.0, canvas_soft, text);
    y += 22.0;
    draw_counts(cairo, debug, right, &y);
    y += 8.0;
    draw_ledger(cairo, debug, right, &y);
    y += 8.0;
    draw_forces(cairo, debug, right, &y);
}

static uint64_t sign_debug(uint64_t hash, const RenderView *view)
{
    const RenderDebug *debug = &view->debug;
    const int counts[] = {
        debug->known,   debug->particles, debug->budget,         debug->contacts,    debug->tool_contacts,
        debug->spawned, debug->absorbed,  debug->active_columns, debug->cut_columns, debug->recent_cut_columns,
        debug->yields};
    const int64_t masses[] = {debug->tick,      debug->mass_ground, debug->mass_particles, debug->mass_trays,
                              debug->mass_left, debug->mass_total,  debug->mass_drift};
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
        hash = signature_value(hash, counts[k], 1.0);
    }
    for (size_t k = 0; k < sizeof(masses) / sizeof(masses[0]); k++) {
        hash = signature_value(hash, (double)masses[k], 1.0);
    }
    hash = signature_value(signature_value(signature_value(hash, debug->soil_ms, 0.01), debug->machine_ms, 0.01),
                           debug->tick_ms, 0.01);
    hash = signature_value(signature_value(hash, debug->crowding, 0.01), debug->force, 10.0);
    hash = signature_value(hash, debug->arrow_scale, 1.0);
    return signature_value(signature_value(hash, debug->contact_scale, 1.0), debug->contact_force, 1.0);
}

const PanelType panel_debug = {sign_debug, draw_debug, .runs_with_time = true};
