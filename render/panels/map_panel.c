/// Draws the site from above, north up: heights as light and dark, the marks of the exercise, the machine and its tool,
/// trucks and persons.
#include "render/panels/panels.h"

#include <math.h>

#include "data/core/quantity.h"
#include "render/panels/canvas.h"

enum { CELLS = 50 }; ///< a side of the picture of the heights

#define RIM 0.5 ///< m that the map shows beyond the site, so that its edge is seen

static const CanvasColor person_color = {1.0, 0.45, 0.10, 1.0}, truck_color = {0.92, 0.94, 0.96, 1.0};

/// Place of the map's square in the world.
typedef struct Map {
    const RenderView *view;
    double x, y, size; ///< m: its middle and its side
    double side; ///< design units
} Map;

static Map make_map(const RenderView *view, double side)
{
    const RenderGrid *site = &view->grids[0];
    double wide = (site->columns - 1) * site->spacing, high = (site->rows - 1) * site->spacing;
    double x = site->origin_x + 0.5 * wide, y = site->origin_y + 0.5 * high;
    double c = cos(site->heading), s = sin(site->heading);
    Map map = {view, site->x + c * x - s * y, site->y + s * x + c * y, fmax(fmax(wide, high) + 2.0 * RIM, 1.0), side};
    if (view->machine != NULL) { // a machine that has left the site stays on the map
        Vec3 base = view->body[MACHINE_BASE].position;
        map.size = fmax(map.size, 2.0 * (fmax(fabs(base.x - map.x), fabs(base.y - map.y)) + 5.0));
    }
    return map;
}

static void place_on(const Map *map, double x, double y, double at[2])
{
    at[0] = (0.5 + (x - map->x) / map->size) * map->side;
    at[1] = (0.5 - (y - map->y) / map->size) * map->side;
}

/// m: the site's height at the middle of a cell; NAN beside the site.
static double height_at(const Map *map, int row, int column)
{
    const RenderGrid *site = &map->view->grids[0];
    double dx = map->x + ((column + 0.5) / CELLS - 0.5) * map->size - site->x;
    double dy = map->y + ((row + 0.5) / CELLS - 0.5) * map->size - site->y;
    double c = cos(site->heading), s = sin(site->heading);
    int i = (int)floor((c * dx + s * dy - site->origin_x) / site->spacing + 0.5);
    int j = (int)floor((c * dy - s * dx - site->origin_y) / site->spacing + 0.5);
    bool inside = i >= 0 && i < site->columns && j >= 0 && j < site->rows && site->height != NULL;
    return inside ? (double)site->height[(size_t)j * (size_t)site->columns + (size_t)i] : (double)NAN;
}

/// Draws cuts dark and heaps light; slopes are lit from the north-west.
static void draw_heights(cairo_t *cairo, const Map *map)
{
    double cell = map->side / CELLS;
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    for (int row = 0; row < CELLS; row++) {
        double west = height_at(map, row, 0);
        for (int column = 0; column < CELLS; column++) {
            double height = height_at(map, row, column), north = height_at(map, row + 1, column);
            double slope = height - (isfinite(north) ? north : height) + height - (isfinite(west) ? west : height);
            west = height;
            if (isfinite(height)) {
                double light = fmin(fmax(0.40 + 0.22 * height + 0.25 * slope, 0.10), 0.85);
                canvas_color(cairo, (CanvasColor){light, 0.90 * light, 0.70 * light, 0.9});
                cairo_rectangle(cairo, column * cell, map->side - (row + 1) * cell, cell + 0.5, cell + 0.5);
                cairo_fill(cairo);
            }
        }
    }
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void draw_marks(cairo_t *cairo, const Map *map)
{
    const RenderView *view = map->view;
    double a[2], b[2];
    cairo_set_line_width(cairo, 1.2);
    for (int k = 0; k < view->line_count; k++) {
        const RenderLine *line = &view->lines[k];
        place_on(map, line->a.x, line->a.y, a);
        place_on(map, line->b.x, line->b.y, b);
        canvas_color(cairo, (CanvasColor){(double)line->color[0], (double)line->color[1], (double)line->color[2],
                                          (double)line->color[3]});
        cairo_move_to(cairo, a[0], a[1]);
        cairo_line_to(cairo, b[0], b[1]);
        cairo_stroke(cairo);
    }
}

/// Draws a box about a body, `length` m long and `width` m wide, with a point at its front.
static void draw_body(cairo_t *cairo, const Map *map, const Pose *pose, double length, double width, CanvasColor color)
{
    double at[2], scale = map->side / map->size;
    place_on(map, pose->position.x, pose->position.y, at);
    cairo_save(cairo);
    cairo_translate(cairo, at[0], at[1]);
    cairo_rotate(cairo, -atan2(pose->rotation.m[1][0], pose->rotation.m[0][0]));
    double l = fmax(0.5 * length * scale, 3.0), w = fmax(0.5 * width * scale, 2.0);
    cairo_move_to(cairo, -l, -w);
    cairo_line_to(cairo, l, -w);
    cairo_line_to(cairo, 1.4 * l, 0.0);
    cairo_line_to(cairo, l, w);
    cairo_line_to(cairo, -l, w);
    cairo_close_path(cairo);
    cairo_restore(cairo);
    canvas_color(cairo, color);
    cairo_fill_preserve(cairo);
    canvas_color(cairo, canvas_panel);
    cairo_set_line_width(cairo, 1.0);
    cairo_stroke(cairo);
}

static void draw_dot(cairo_t *cairo, const Map *map, double x, double y, CanvasColor color)
{
    double at[2];
    place_on(map, x, y, at);
    cairo_arc(cairo, at[0], at[1], 3.0, 0.0, 2.0 * M_PI);
    canvas_color(cairo, color);
    cairo_fill_preserve(cairo);
    canvas_color(cairo, canvas_panel);
    cairo_set_line_width(cairo, 1.0);
    cairo_stroke(cairo);
}

static void draw_machine(cairo_t *cairo, const Map *map)
{
    const RenderView *view = map->view;
    const MachineParams *machine = view->machine;
    double house[2], tool[2];
    if (machine == NULL) {
        return;
    }
    draw_body(cairo, map, &view->body[MACHINE_BASE], machine->tracks.length, machine->tracks.gauge, canvas_accent);
    const Pose *cab = &view->body[machine->cab_body];
    Vec3 edge =
        pose_apply(&view->body[machine->tool[0].body], vec3(machine->tool[0].tip.x, 0.0, machine->tool[0].tip.z));
    place_on(map, cab->position.x, cab->position.y, house);
    place_on(map, edge.x, edge.y, tool);
    cairo_move_to(cairo, house[0], house[1]);
    cairo_line_to(cairo, tool[0], tool[1]);
    canvas_color(cairo, canvas_panel);
    cairo_set_line_width(cairo, 3.5);
    cairo_stroke_preserve(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_set_line_width(cairo, 2.0);
    cairo_stroke(cairo);
    draw_dot(cairo, map, edge.x, edge.y, canvas_accent);
}

static void draw_scale(cairo_t *cairo, const Map *map)
{
    bool imperial = map->view->units == TEXT_UNITS_IMPERIAL;
    double bar = (map->size > 25.0 ? 10.0 : 5.0) * (imperial ? 0.9144 : 1.0); // 30 ft, 15 ft
    double right = map->side - 8.0, low = map->side - 7.0;
    canvas_color(cairo, canvas_text);
    cairo_set_line_width(cairo, 1.5);
    cairo_move_to(cairo, right - bar / map->size * map->side, low);
    cairo_line_to(cairo, right, low);
    cairo_stroke(cairo);
    canvas_line(cairo, right, low - 16.0, 11.0, true, CANVAS_RIGHT, 0.0, canvas_text,
                quantity(QUANTITY_WAY, bar, map->view->units).text);
    cairo_move_to(cairo, 12.0, 7.0); // north
    cairo_line_to(cairo, 16.0, 18.0);
    cairo_line_to(cairo, 12.0, 15.0);
    cairo_line_to(cairo, 8.0, 18.0);
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

static void draw_map(cairo_t *cairo, const RenderView *view, const PanelPlace *place)
{
    Map map = make_map(view, place->width);
    canvas_panel_box(cairo, place->width, place->height);
    cairo_save(cairo);
    canvas_rounded(cairo, 3.0, 3.0, place->width - 6.0, place->height - 6.0, 5.0);
    cairo_clip(cairo);
    draw_heights(cairo, &map);
    draw_marks(cairo, &map);
    for (int k = 0; k < view->truck_count; k++) {
        const SceneTruck *truck = &view->scene->exercise.truck;
        draw_body(cairo, &map, &view->trucks[k].chassis, truck->bed_length + 2.0, truck->bed_width, truck_color);
    }
    draw_machine(cairo, &map);
    for (int k = 0; k < view->person_count; k++) {
        draw_dot(cairo, &map, view->persons[k].feet.x, view->persons[k].feet.y, person_color);
    }
    draw_scale(cairo, &map);
    cairo_restore(cairo);
}

static uint64_t sign_pose(uint64_t hash, const Pose *pose)
{
    hash = signature_value(signature_value(hash, pose->position.x, 0.1), pose->position.y, 0.1);
    return signature_value(hash, atan2(pose->rotation.m[1][0], pose->rotation.m[0][0]), 0.03);
}

static uint64_t sign_map(uint64_t hash, const RenderView *view)
{
    enum { STRIDE = 4 };
    Map map = make_map(view, 1.0);
    hash = signature_value(hash, view->units, 1.0);
    for (int k = 0; k < CELLS / STRIDE * (CELLS / STRIDE); k++) {
        double height = height_at(&map, k / (CELLS / STRIDE) * STRIDE, k % (CELLS / STRIDE) * STRIDE);
        hash = signature_value(hash, isfinite(height) ? height : -1e3, 0.05);
    }
    if (view->machine != NULL) {
        hash = sign_pose(hash, &view->body[MACHINE_BASE]);
        hash = sign_pose(hash, &view->body[view->machine->cab_body]);
        hash = sign_pose(hash, &view->body[view->machine->tool[0].body]);
    }
    for (int k = 0; k < view->truck_count; k++) {
        hash = sign_pose(hash, &view->trucks[k].chassis);
    }
    for (int k = 0; k < view->person_count; k++) {
        hash = signature_value(hash, view->persons[k].feet.x, 0.1);
        hash = signature_value(hash, view->persons[k].feet.y, 0.1);
    }
    return signature_value(hash, view->line_count, 1.0);
}

const PanelType panel_map = {sign_map, draw_map, .runs_with_time = true};
