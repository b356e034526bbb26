/// Draws the grade display: the offset of the tool's edge as a figure, a section from the side and a map from above.
/// Orange is ground or an edge too high, blue is too low, white is within the tolerance. Colour-blind people can
/// distinguish orange and blue; words say which it is.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "render/panels/canvas.h"

static const CanvasColor ground_color = {0.62, 0.47, 0.33, 1.0}, design_line = {0.95, 0.97, 1.0, 1.0};
static const double margin = 12.0;

void render_grade_color(double error, double tolerance, float color[3])
{
    static const float orange[3] = {0.90f, 0.50f, 0.00f}, blue[3] = {0.15f, 0.50f, 0.90f};
    double share = fmin(fmax((fabs(error) - tolerance) / (5.0 * tolerance), 0.0), 1.0);
    double strength = fabs(error) <= tolerance ? 0.0 : 0.3 + 0.7 * share;
    for (int k = 0; k < 3; k++) {
        float strong = error > 0.0 ? orange[k] : blue[k];
        color[k] = (float)(0.94 + strength * ((double)strong - 0.94));
    }
}

static CanvasColor color_of(double error, double tolerance)
{
    float color[3];
    render_grade_color(error, tolerance, color);
    return (CanvasColor){(double)color[0], (double)color[1], (double)color[2], 1.0};
}

CanvasColor hud_format_verdict(const RenderGrade *grade, char text[HUD_TEXT_LENGTH])
{
    double offset = grade->offset[1];
    bool good = fabs(offset) <= grade->tolerance;
    snprintf(text, HUD_TEXT_LENGTH, "%s%.40s",
             good           ? ""
             : offset > 0.0 ? "\u25bc "
                            : "\u25b2 ",
             language_text(good           ? TEXT("on grade")
                           : offset > 0.0 ? TEXT("above")
                                          : TEXT("too deep")));
    return color_of(offset, grade->tolerance);
}

/// Draws the offset of the edge's middle, whether it is too high or too low, and the offsets of its ends.
static void draw_head(cairo_t *cairo, const RenderGrade *grade, TextUnits units, double width)
{
    char text[HUD_TEXT_LENGTH], line[3 * HUD_TEXT_LENGTH];
    double offset = grade->offset[1], tolerance = grade->tolerance;
    CanvasColor color = grade->over ? color_of(offset, tolerance) : canvas_soft;
    snprintf(text, sizeof text, "%.20s  \u00b1%s", grade->name != NULL ? grade->name : "",
             quantity(QUANTITY_FINE, tolerance, units).text);
    double named = canvas_line(cairo, margin, 8.0, 11.0, true, CANVAS_LEFT, 0.0, canvas_soft, text);
    if (!grade->over) {
        hud_format_depth(grade->depth, units, text);
        snprintf(line, sizeof line, language_text("Edge at %s"), text);
        canvas_fitted_line(cairo, margin, 26.0, 17.0, true, CANVAS_LEFT, width - 2.0 * margin, canvas_text, line);
        canvas_fitted_line(cairo, width - margin, 8.0, 11.0, false, CANVAS_RIGHT, width - 2.0 * margin - 8.0 - named,
                           canvas_soft, language_text("off the design"));
        return;
    }
    Quantity middle = quantity(QUANTITY_OFFSET, offset, units);
    double size = width < 250.0 ? 22.0 : 30.0;
    double used = canvas_line(cairo, margin, 49.0 - size - 0.2 * (30.0 - size), size, true, CANVAS_LEFT, 0.0, color,
                              middle.number);
    used +=
        5.0 + canvas_line(cairo, margin + used + 5.0, 33.0, 14.0, false, CANVAS_LEFT, 0.0, canvas_soft, middle.unit);
    double room = width - 2.0 * margin - used - 6.0;
    hud_format_verdict(grade, line);
    canvas_fitted_line(cairo, width - margin, 19.0, 15.0, true, CANVAS_RIGHT, room, color, line);
    snprintf(line, sizeof line, language_text("L %s   R %s"), quantity(QUANTITY_OFFSET, grade->offset[0], units).number,
             quantity(QUANTITY_OFFSET, grade->offset[2], units).number);
    canvas_fitted_line(cairo, width - margin, 40.0, 12.0, false, CANVAS_RIGHT, room, canvas_text, line);
}

/// ---- from the side -------------------------------------------------------------------------------------------------

/// A section's place on the panel.
typedef struct Section {
    const RenderGrade *grade;
    double x, y, width, height; ///< design units
    double scale; ///< design units a metre
} Section;

static double section_x(const Section *section, double ahead)
{
    return section->x + (ahead - section->grade->from) * section->scale;
}

static double section_y(const Section *section, double height)
{
    return section->y + section->height - (height - section->grade->low) * section->scale;
}

static void draw_ground(cairo_t *cairo, const Section *section)
{
    const RenderGrade *grade = section->grade;
    cairo_move_to(cairo, section->x, section->y + section->height);
    for (int k = 0; k < RENDER_GRADE_POINTS; k++) {
        cairo_line_to(cairo, section_x(section, grade->from + k * grade->step),
                      section_y(section, (double)grade->ground[k]));
    }
    cairo_line_to(cairo, section->x + section->width, section->y + section->height);
    cairo_close_path(cairo);
    canvas_color(cairo, (CanvasColor){ground_color.r, ground_color.g, ground_color.b, 0.75});
    cairo_fill(cairo);
}

/// Begins a path along the design.
static void trace_design(cairo_t *cairo, const Section *section)
{
    const RenderGrade *grade = section->grade;
    bool down = false;
    for (int k = 0; k < RENDER_GRADE_POINTS; k++) {
        bool asked = grade->wanted[k] > 0.5f * RENDER_NO_DESIGN;
        double x = section_x(section, grade->from + k * grade->step);
        double y = section_y(section, (double)grade->wanted[k]);
        if (asked && down) {
            cairo_line_to(cairo, x, y);
        } else if (asked) {
            cairo_move_to(cairo, x, y);
        }
        down = asked;
    }
}

/// Draws the design as a line, and its tolerance as a band.
static void draw_design(cairo_t *cairo, const Section *section)
{
    const RenderGrade *grade = section->grade;
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    trace_design(cairo, section);
    canvas_color(cairo, (CanvasColor){design_line.r, design_line.g, design_line.b, 0.28});
    cairo_set_line_width(cairo, fmax(2.0 * grade->tolerance * section->scale, 2.0));
    cairo_stroke(cairo);
    trace_design(cairo, section);
    canvas_color(cairo, design_line);
    cairo_set_line_width(cairo, 1.6);
    cairo_stroke(cairo);
}

/// Draws the tool's plates, and a plumb line from the edge to the design.
static void draw_tool(cairo_t *cairo, const Section *section)
{
    const RenderGrade *grade = section->grade;
    for (int k = 0; k < grade->tool_count; k++) {
        double x = section_x(section, (double)grade->tool[k][0]), y = section_y(section, (double)grade->tool[k][1]);
        if (grade->tool_starts[k]) {
            cairo_close_path(cairo);
            cairo_move_to(cairo, x, y);
        } else {
            cairo_line_to(cairo, x, y);
        }
    }
    cairo_close_path(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_fill(cairo);
    double x = section_x(section, 0.0), y = section_y(section, grade->edge_height);
    if (grade->over) {
        canvas_color(cairo, color_of(grade->offset[1], grade->tolerance));
        cairo_set_line_width(cairo, 1.5);
        cairo_move_to(cairo, x, y);
        cairo_line_to(cairo, x, section_y(section, grade->edge_height - grade->offset[1]));
        cairo_stroke(cairo);
    }
    canvas_color(cairo, canvas_text);
    cairo_arc(cairo, x, y, 3.0, 0.0, 2.0 * M_PI);
    cairo_fill(cairo);
}

static void draw_section(cairo_t *cairo, const Section *section, TextUnits units)
{
    cairo_save(cairo);
    cairo_rectangle(cairo, section->x, section->y, section->width, section->height);
    cairo_clip(cairo);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.05});
    cairo_paint(cairo);
    draw_ground(cairo, section);
    draw_design(cairo, section);
    draw_tool(cairo, section);
    cairo_restore(cairo);
    double bar = section->height / section->scale > 2.0 ? 1.0 : 0.25; // m
    bar *= units == TEXT_UNITS_IMPERIAL ? 1.2192 : 1.0; // 4 ft, 1 ft
    Quantity text = quantity(QUANTITY_LENGTH, bar, units);
    double right = section->x + section->width - 6.0, y = section->y + section->height - 6.0;
    canvas_color(cairo, canvas_text);
    cairo_set_line_width(cairo, 1.5);
    cairo_move_to(cairo, right - bar * section->scale, y);
    cairo_line_to(cairo, right, y);
    cairo_stroke(cairo);
    canvas_line(cairo, right, y - 15.0, 10.0, false, CANVAS_RIGHT, 0.0, canvas_text, text.text);
}

/// ---- from above ----------------------------------------------------------------------------------------------------

/// A map's place on the panel: its lower left corner and its scale.
typedef struct Map {
    const RenderGrade *grade;
    double x, y, scale; ///< design units; design units a metre
} Map;

static double map_x(const Map *map, double x)
{
    return map->x + (x - map->grade->map_x) * map->scale;
}

static double map_y(const Map *map, double y)
{
    return map->y - (y - map->grade->map_y) * map->scale;
}

static void draw_cells(cairo_t *cairo, const Map *map)
{
    const RenderGrade *grade = map->grade;
    double side = grade->cell * map->scale;
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    for (int k = 0; k < grade->rows * grade->columns; k++) {
        if (grade->error[k] != INT8_MIN) {
            // One step is a third of the tolerance; an error rounded to the tolerance counts as within it.
            canvas_color(cairo, color_of(grade->error[k] / 3.0 - (grade->error[k] > 0 ? 1e-6 : -1e-6), 1.0));
            cairo_rectangle(cairo, map->x + k % grade->columns * side, map->y - (k / grade->columns + 1) * side, side,
                            side);
            cairo_fill(cairo);
        }
    }
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void draw_machine(cairo_t *cairo, const Map *map)
{
    const RenderGrade *grade = map->grade;
    double x = map_x(map, grade->base_x), y = map_y(map, grade->base_y);
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    cairo_rotate(cairo, -grade->heading);
    cairo_scale(cairo, map->scale, map->scale);
    cairo_rectangle(cairo, -2.0, -1.4, 4.0, 2.8);
    cairo_move_to(cairo, 2.0, -0.7);
    cairo_line_to(cairo, 3.0, 0.0);
    cairo_line_to(cairo, 2.0, 0.7);
    cairo_restore(cairo);
    canvas_color(cairo, (CanvasColor){0.0, 0.0, 0.0, 0.22}); // the ground under it stays visible
    cairo_fill_preserve(cairo);
    canvas_color(cairo, canvas_panel);
    cairo_set_line_width(cairo, 1.4);
    cairo_stroke(cairo);
    cairo_move_to(cairo, map_x(map, grade->edge[0][0]), map_y(map, grade->edge[0][1]));
    cairo_line_to(cairo, map_x(map, grade->edge[1][0]), map_y(map, grade->edge[1][1]));
    canvas_color(cairo, canvas_panel); // a dark rim, visible on every colour of the map
    cairo_set_line_width(cairo, 5.5);
    cairo_stroke_preserve(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_set_line_width(cairo, 2.5);
    cairo_stroke(cairo);
}

/// Draws the map as large as fits into a box.
static void draw_map(cairo_t *cairo, const RenderGrade *grade, double x, double y, double width, double height)
{
    double wide = fmax(grade->columns * grade->cell, 1.0), high = fmax(grade->rows * grade->cell, 1.0);
    Map map = {.grade = grade, .scale = fmin(width / wide, height / high)};
    map.x = x + 0.5 * (width - wide * map.scale);
    map.y = y + height - 0.5 * (height - high * map.scale);
    cairo_save(cairo);
    cairo_rectangle(cairo, x, y, width, height);
    cairo_clip(cairo);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.05});
    cairo_paint(cairo);
    draw_cells(cairo, &map);
    canvas_color(cairo, design_line);
    cairo_set_line_width(cairo, 1.0);
    for (int k = 0; k < grade->line_count; k++) {
        cairo_move_to(cairo, map_x(&map, (double)grade->lines[k][0]), map_y(&map, (double)grade->lines[k][1]));
        cairo_line_to(cairo, map_x(&map, (double)grade->lines[k][2]), map_y(&map, (double)grade->lines[k][3]));
    }
    cairo_stroke(cairo);
    draw_machine(cairo, &map);
    cairo_restore(cairo);
}

/// ---- volumes -------------------------------------------------------------------------------------------------------

static void draw_volume(cairo_t *cairo, double right, double y, CanvasColor color, const char *name, const char *text)
{
    canvas_line(cairo, right, y, 11.0, false, CANVAS_RIGHT, 0.0, color, name);
    canvas_line(cairo, right, y + 13.0, 12.0, true, CANVAS_RIGHT, 0.0, canvas_text, text);
}

static void draw_volumes(cairo_t *cairo, const RenderGrade *grade, TextUnits units, double right, double y,
                         double height)
{
    int count = grade->cut >= 0.0 ? 3 : 1;
    double apart = fmin(32.0, height / count);
    if (grade->cut >= 0.0) {
        draw_volume(cairo, right, y, color_of(1.0, 0.01), language_text("to cut"),
                    quantity(QUANTITY_VOLUME, grade->cut, units).text);
        draw_volume(cairo, right, y + apart, color_of(-1.0, 0.01), language_text("to fill"),
                    quantity(QUANTITY_VOLUME, grade->fill, units).text);
    }
    draw_volume(cairo, right, y + (count - 1) * apart, canvas_bad, language_text("over-dig"),
                quantity(QUANTITY_VOLUME, grade->overdig, units).text);
}

static void draw_grade(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    const double head = 62.0, figures = 74.0, least_map = 60.0;
    const RenderGrade *grade = &view->grade;
    double width = place->width - 2.0 * margin, low = place->height - margin;
    canvas_panel_box(cairo, place->width, place->height);
    draw_head(cairo, grade, view->units, place->width);
    double height = fmin(width / RENDER_GRADE_ASPECT, low - head);
    Section section = {.grade = grade, .x = margin, .y = head, .width = height * RENDER_GRADE_ASPECT, .height = height};
    section.x += 0.5 * (width - section.width);
    section.scale = section.width / fmax((RENDER_GRADE_POINTS - 1) * grade->step, 1e-3);
    draw_section(cairo, &section, view->units);
    double top = head + height + 8.0;
    if (low - top >= least_map) {
        draw_map(cairo, grade, margin, top, width - figures, low - top);
        draw_volumes(cairo, grade, view->units, place->width - margin, top, low - top);
    }
}

static uint64_t sign_grade(uint64_t hash, const RenderView *view)
{
    const RenderGrade *grade = &view->grade;
    hash = signature_value(signature_text(hash, grade->name), view->units, 1.0);
    hash = signature_value(signature_value(hash, grade->over, 1.0), grade->tolerance, 1e-4);
    for (int k = 0; k < 3; k++) {
        hash = signature_value(hash, isnan(grade->offset[k]) ? 1e6 : grade->offset[k], 5e-4);
    }
    const double figures[] = {grade->depth,   grade->cut,        grade->fill,      grade->overdig,
                              grade->low,     grade->step,       grade->base_x,    grade->base_y,
                              grade->heading, grade->edge[0][0], grade->edge[0][1]};
    for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++) {
        hash = signature_value(hash, figures[k], 5e-3);
    }
    hash = signature_bytes(hash, grade->wanted, sizeof grade->wanted);
    hash = signature_bytes(hash, grade->ground, sizeof grade->ground);
    return signature_bytes(hash, grade->error, (size_t)grade->rows * (size_t)grade->columns);
}

const PanelType panel_grade = {sign_grade, draw_grade, .runs_with_time = true};
