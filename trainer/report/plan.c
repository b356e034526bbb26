/// Draws the plan of a scene, seen from above with north up.
#include "trainer/report/plan.h"

#include <math.h>
#include <stdio.h>

#include "data/schema/schema.h"
#include "data/core/constants.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/report/contours.h"

#define MARGIN    14.0 ///< points around the site
#define KEY_WIDTH 160.0 ///< points beside it, for what the signs mean
#define TEXT_SIZE 9.0 ///< points

enum { LABEL_ROWS = 9 }; ///< of places that are tried for a target's number on each side of it

typedef struct Plan {
    cairo_t *cairo;
    TextUnits units; ///< the reader's
    double scale; ///< points a metre
    double x, y; ///< points: middle of the site
    int keys; ///< signs explained so far
    double key_x, key_y; ///< points: of the first of them
} Plan;

typedef struct Colour {
    double red, green, blue;
} Colour;

// Of Okabe and Ito 2008: people who are colour-blind distinguish them.
static const Colour ink = {0.13, 0.13, 0.13}, grey = {0.6, 0.6, 0.6}, orange = {0.9, 0.62, 0.0},
                    blue = {0.0, 0.45, 0.7}, green = {0.0, 0.62, 0.45}, red = {0.84, 0.37, 0.0},
                    sky = {0.34, 0.71, 0.91};

static void set(Plan *plan, Colour colour, double alpha, double line)
{
    cairo_set_source_rgba(plan->cairo, colour.red, colour.green, colour.blue, alpha);
    cairo_set_line_width(plan->cairo, line);
}

static double px(const Plan *plan, double x)
{
    return plan->x + plan->scale * x;
}

static double py(const Plan *plan, double y)
{
    return plan->y - plan->scale * y;
}

static void choose_font(Plan *plan)
{
    cairo_select_font_face(plan->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(plan->cairo, TEXT_SIZE);
}

static void text_at(Plan *plan, double x, double y, const char *text)
{
    choose_font(plan);
    cairo_move_to(plan->cairo, x, y);
    cairo_show_text(plan->cairo, text);
}

/// Path of a rectangle from along[0] to along[1] m beyond (x, y) towards the heading.
static void rectangle(Plan *plan, double x, double y, double heading, const double along[2], double half)
{
    double c = cos(heading), s = sin(heading);
    cairo_new_path(plan->cairo);
    for (int k = 0; k < 4; k++) {
        double u = along[k == 1 || k == 2], v = k < 2 ? -half : half;
        cairo_line_to(plan->cairo, px(plan, x + c * u - s * v), py(plan, y + s * u + c * v));
    }
    cairo_close_path(plan->cairo);
}

/// A text beside a place.
static void label(Plan *plan, double x, double y, const char *text)
{
    set(plan, ink, 1.0, 1.0);
    text_at(plan, px(plan, x) + 4.0, py(plan, y) - 4.0, text);
}

static void circle(Plan *plan, double x, double y, double radius)
{
    cairo_new_path(plan->cairo);
    cairo_arc(plan->cairo, px(plan, x), py(plan, y), plan->scale * radius, 0.0, 2.0 * M_PI);
}

/// Strokes the path, and fills it thinly.
static void paint(Plan *plan, Colour colour, double fill, double line)
{
    set(plan, colour, fill, line);
    cairo_fill_preserve(plan->cairo);
    set(plan, colour, 1.0, line);
    cairo_stroke(plan->cairo);
}

/// `text` is in the reader's language.
static void explain(Plan *plan, Colour colour, const char *text)
{
    double y = plan->key_y + 15.0 * plan->keys++;
    cairo_new_path(plan->cairo);
    cairo_rectangle(plan->cairo, plan->key_x, y - 8.0, 14.0, 9.0);
    paint(plan, colour, 0.25, 1.2);
    set(plan, ink, 1.0, 1.0);
    text_at(plan, plan->key_x + 20.0, y, text);
}

/// ---- contours ------------------------------------------------------------------------------------------------------

/// Heights at a place of the site; false where there are none.
typedef bool HeightAt(const void *context, double x, double y, double *height);

/// Draws the contours of heights over a part of the site and explains them. `lift`: m that their heights are shown
/// over the site's level by, a survey's elevations. `spares_level`: without the line of the level.
static void draw_contours(Plan *plan, const double low[2], const double high[2], HeightAt *height_at,
                          const void *context, double lift, bool spares_level, Colour colour)
{
    enum { SIDE = 120, LABELS = 12, PLACES = 40 };
    double step = fmax(fmax(high[0] - low[0], high[1] - low[1]) / (SIDE - 1), 0.02), lowest = HUGE_VAL,
           highest = -HUGE_VAL;
    int columns = (int)ceil((high[0] - low[0]) / step) + 1, rows = (int)ceil((high[1] - low[1]) / step) + 1;
    float heights[(SIDE + 1) * (SIDE + 1)];
    if (columns < 2 || rows < 2) {
        return;
    }
    for (int k = 0; k < rows * columns; k++) {
        double height = (double)NAN;
        double x = fmin(low[0] + k % columns * step, high[0]), y = fmin(low[1] + k / columns * step, high[1]);
        heights[k] = height_at(context, x, y, &height) ? (float)(height + lift) : (float)NAN;
        lowest = fmin(lowest, (double)heights[k]);
        highest = fmax(highest, (double)heights[k]);
    }
    double interval = contour_interval(lowest, highest);
    if (!(highest - lowest > 0.5 * interval)) {
        return; // level
    }
    const ContourField field = {rows,    columns,     px(plan, low[0]), py(plan, low[1]), plan->scale * step,
                                heights, spares_level};
    ContourLabel labels[LABELS];
    set(plan, colour, 0.8, 0.6);
    contours_stroke(plan->cairo, &field, interval);
    int count = contour_labels(&field, interval, PLACES, labels, LABELS);
    choose_font(plan);
    cairo_set_font_size(plan->cairo, TEXT_SIZE - 2.0);
    for (int k = 0; k < count; k++) {
        cairo_move_to(plan->cairo, labels[k].x + 1.0, labels[k].y - 1.0);
        set(plan, ink, 1.0, 1.0);
        cairo_show_text(plan->cairo, quantity(QUANTITY_LENGTH, labels[k].height, plan->units).text);
    }
    char words[96];
    snprintf(words, sizeof words, language_text("contours every %s"),
             quantity(QUANTITY_LENGTH, interval, plan->units).text);
    explain(plan, colour, words);
}

static bool ground_height(const void *context, double x, double y, double *height)
{
    *height = scene_surface(context, 0.0, x, y);
    return true;
}

static bool asked_height(const void *context, double x, double y, double *height)
{
    return design_height(context, x, y, height);
}

/// ---- what lies on the site -----------------------------------------------------------------------------------------

static void draw_ground(Plan *plan, const SceneParams *scene)
{
    const SceneGround *ground = &scene->ground;
    rectangle(plan, 0.0, 0.0, 0.0, (double[]){-0.5 * ground->size_x, 0.5 * ground->size_x}, 0.5 * ground->size_y);
    paint(plan, grey, 0.08, 1.0);
    if (ground->surface.text != NULL) {
        const double half[2] = {0.5 * ground->size_x, 0.5 * ground->size_y};
        draw_contours(plan, (double[]){-half[0], -half[1]}, half, ground_height, ground, 0.0,
                      ground->surface.layers == SCENE_RELIEF_STAY, grey);
    }
    for (int k = 0; k < ground->patch_count; k++) {
        const ScenePatch *patch = &ground->patches[k];
        if (patch->radius > 0.0) {
            circle(plan, patch->x, patch->y, patch->radius);
        } else {
            rectangle(plan, patch->x, patch->y, patch->heading, (double[]){-0.5 * patch->length, 0.5 * patch->length},
                      0.5 * patch->width);
        }
        paint(plan, orange, 0.15, 0.6);
        label(plan, patch->x, patch->y, language_text(patch->soil));
    }
    for (int k = 0; k < ground->earthwork_count; k++) {
        const SceneEarthwork *shape = &ground->earthworks[k];
        rectangle(plan, shape->x, shape->y, shape->heading, (double[]){-0.5 * shape->length, 0.5 * shape->length},
                  0.5 * shape->width);
        paint(plan, shape->height < 0.0 ? sky : orange, 0.2, 0.8);
        label(plan, shape->x, shape->y, quantity(QUANTITY_RISE, shape->height, plan->units).text);
    }
    for (int k = 0; k < ground->mound_count; k++) {
        const SceneMound *mound = &ground->mounds[k];
        double slope = tan(scene->soils[mound->soil_index].repose_angle);
        circle(plan, mound->x, mound->y, mound->height / (slope > 0.2 ? slope : 0.2));
        paint(plan, orange, 0.3, 0.8);
    }
    for (int k = 0; k < scene->grains_count; k++) {
        const SceneGrains *grains = &scene->grains[k];
        if (grains->obj[0] == '\0') {
            rectangle(plan, grains->x, grains->y, 0.0, (double[]){-0.5 * grains->box[0], 0.5 * grains->box[0]},
                      0.5 * grains->box[1]);
        } else {
            circle(plan, grains->x, grains->y, 0.5 * grains->scale);
        }
        paint(plan, orange, 0.4, 1.4);
    }
    if (ground->patch_count > 0) {
        explain(plan, orange, language_text("other soil"));
    }
    if (scene->grains_count > 0) {
        explain(plan, orange, language_text("loose grains"));
    }
    if (ground->mound_count + ground->earthwork_count > 0) {
        explain(plan, orange, language_text("heap, bank (blue: cut)"));
    }
}

static void dash(Plan *plan, bool dashed)
{
    cairo_set_dash(plan->cairo, (double[]){4.0, 3.0}, dashed ? 2 : 0, 0.0);
}

/// The way that a person walks, dashed.
static void draw_way(Plan *plan, const ScenePerson *person)
{
    const SceneWay *path = &person->path;
    if (path->points_count == 0) {
        return;
    }
    cairo_new_path(plan->cairo);
    cairo_move_to(plan->cairo, px(plan, person->x), py(plan, person->y));
    for (int k = 0; k < path->points_count; k++) {
        cairo_line_to(plan->cairo, px(plan, path->points[k].x), py(plan, path->points[k].y));
    }
    dash(plan, true);
    paint(plan, red, 0.0, 1.0);
    dash(plan, false);
}

static void draw_things(Plan *plan, const SceneParams *scene)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        if (fixture->shape == SCENE_FIXTURE_POST) {
            circle(plan, fixture->x, fixture->y, fmax(fixture->radius, 0.15));
        } else {
            double half = fixture->width > 0.0 ? 0.5 * fixture->width : fixture->radius;
            rectangle(plan, fixture->x, fixture->y, fixture->heading,
                      (double[]){-0.5 * fixture->length, 0.5 * fixture->length}, half);
        }
        paint(plan, ink, fixture->top < 0.0 ? 0.1 : 0.5, 1.0);
        label(plan, fixture->x, fixture->y, reader_name(&(TextReader){.english = false}, fixture->name));
    }
    for (int k = 0; k < scene->rocks_count; k++) {
        const SceneRocks *rocks = &scene->rocks[k];
        circle(plan, rocks->x, rocks->y, rocks->count > 1 ? fmax(rocks->spread, rocks->largest) : 0.5 * rocks->size);
        paint(plan, grey, 0.6, 1.0);
        if (rocks->count > 1) {
            char text[48];
            snprintf(text, sizeof text, language_text("%d rocks"), rocks->count);
            label(plan, rocks->x, rocks->y, text);
        }
    }
    for (int k = 0; k < scene->persons_count; k++) {
        const ScenePerson *person = &scene->persons[k];
        draw_way(plan, person);
        circle(plan, person->x, person->y, person->zone);
        paint(plan, red, 0.12, 1.0);
        circle(plan, person->x, person->y, fmax(person->radius, 0.25));
        paint(plan, red, 1.0, 1.0);
        label(plan, person->x + person->radius, person->y, reader_name(&(TextReader){.english = false}, person->name));
    }
    if (scene->fixtures_count > 0) {
        explain(plan, ink, language_text("fixture (pale: buried)"));
    }
    if (scene->rocks_count > 0) {
        explain(plan, grey, language_text("rocks"));
    }
    if (scene->persons_count > 0) {
        explain(plan, red, language_text("person, zone"));
    }
}

/// A line from a place along a heading, with a head.
static void arrow(Plan *plan, double x, double y, double heading, double length, Colour colour)
{
    double c = cos(heading), s = sin(heading), head = 0.15 * length;
    double tip_x = x + length * c, tip_y = y + length * s;
    set(plan, colour, 1.0, 1.4);
    cairo_move_to(plan->cairo, px(plan, x), py(plan, y));
    cairo_line_to(plan->cairo, px(plan, tip_x), py(plan, tip_y));
    cairo_stroke(plan->cairo);
    for (int side = -1; side <= 1; side += 2) {
        cairo_move_to(plan->cairo, px(plan, tip_x), py(plan, tip_y));
        cairo_line_to(plan->cairo, px(plan, tip_x - head * (c + side * 0.6 * s)),
                      py(plan, tip_y - head * (s - side * 0.6 * c)));
    }
    cairo_stroke(plan->cairo);
}

/// Tracks, house and the way the tool gets; without a machine's measures a box of a usual size.
static void draw_machine(Plan *plan, const SceneMachine *place, const MachineParams *machine)
{
    double half = 2.2, side = 1.5, length = 3.5;
    if (machine != NULL) {
        half = 0.5 * machine->tracks.length;
        side = 0.5 * machine->tracks.gauge;
        length = 1.6 * half;
        double shoe = 0.5 * machine->tracks.shoe_width, c = cos(place->heading), s = sin(place->heading);
        for (int k = -1; k <= 1; k += 2) {
            rectangle(plan, place->x - k * side * s, place->y + k * side * c, place->heading, (double[]){-half, half},
                      shoe);
            paint(plan, ink, 0.5, 1.0);
        }
        if (machine->swing_joint >= 0) {
            double ahead = machine->joint[machine->swing_joint].origin.x;
            circle(plan, place->x + ahead * c, place->y + ahead * s, machine->tail_radius);
            paint(plan, ink, 0.15, 1.0);
        }
        if (machine_reach_is_known(machine)) {
            double ahead = machine->joint[machine->swing_joint].origin.x;
            circle(plan, place->x + ahead * c, place->y + ahead * s, machine_reach(machine).far);
            set(plan, ink, 0.7, 0.8);
            dash(plan, true);
            cairo_stroke(plan->cairo);
            dash(plan, false);
        }
        side -= shoe;
    }
    rectangle(plan, place->x, place->y, place->heading, (double[]){-half, half}, side);
    paint(plan, ink, 0.15, 1.4);
    arrow(plan, place->x, place->y, place->heading, length, ink);
    explain(plan, ink,
            machine != NULL && machine_reach_is_known(machine) ? language_text("machine; dashed: its reach")
                                                               : language_text("machine, looking ahead"));
}

/// The truck with its cab, where it stands at a place of its bed's middle.
static void draw_truck(Plan *plan, const TruckParams *truck, const ScenePose *pose, double fill)
{
    double half = 0.5 * truck->bed.length;
    rectangle(plan, pose->x, pose->y, pose->heading, (double[]){-half, half}, 0.5 * truck->bed.width);
    paint(plan, green, fill, 1.0);
    rectangle(plan, pose->x, pose->y, pose->heading, (double[]){half, truck->front}, 0.45 * truck->bed.width);
    paint(plan, green, 0.5 * fill, 1.0);
}

/// The truck, and of a haul its roads, driven from the spot to the dump and back, with where it waits and turns.
static void draw_haul(Plan *plan, const SceneParams *scene)
{
    const SceneTruck *spot = &scene->exercise.truck;
    const SceneHaul *haul = &scene->exercise.haul;
    const TruckParams truck = scene_truck_shape(scene);
    TruckRoute route;
    if (scene->exercise.kind != EXERCISE_TRUCK_LOADING) {
        return;
    }
    draw_truck(plan, &truck, &(ScenePose){spot->x, spot->y, spot->heading}, 0.3);
    if (haul->trucks == 0 || !truck_route(&scene->truck, spot, haul, &route)) {
        return;
    }
    for (int road = 0; road < TRUCK_ROAD_COUNT; road++) {
        const TruckWay *way = &route.roads[road];
        for (double at = 0.0; at < way->length + 0.5; at += 0.5) {
            TruckPlace place = truck_way_at(way, fmin(at, way->length));
            cairo_line_to(plan->cairo, px(plan, place.x), py(plan, place.y));
        }
        set(plan, green, 0.9, 1.2);
        dash(plan, road != TRUCK_ROAD_OUT);
        cairo_stroke(plan->cairo);
    }
    dash(plan, false);
    draw_truck(plan, &truck, &haul->wait, 0.1);
    draw_truck(plan, &truck, &haul->dump, 0.1);
    label(plan, haul->wait.x, haul->wait.y, language_text("waits"));
    label(plan, haul->turn.x, haul->turn.y, language_text("turns"));
    label(plan, haul->dump.x, haul->dump.y, language_text("tips"));
    explain(plan, green, language_text("road (dashed: empty)"));
}

/// ---- what is asked for ---------------------------------------------------------------------------------------------

/// The sides of the design surface. Those around holes run the other way round: one path leaves them open.
static void draw_design(Plan *plan, const SceneExercise *exercise)
{
    Status ignored;
    DesignLine lines[DESIGN_LINES];
    DesignSurface *design = design_create(exercise, DESIGN_OF_SURFACE, NULL, &ignored);
    int count = design_lines(design, lines, DESIGN_LINES);
    for (int k = 0; k < count; k++) {
        if (lines[k].starts) {
            cairo_move_to(plan->cairo, px(plan, lines[k].a.x), py(plan, lines[k].a.y));
        }
        cairo_line_to(plan->cairo, px(plan, lines[k].b.x), py(plan, lines[k].b.y));
        if (k + 1 == count || lines[k + 1].starts) {
            cairo_close_path(plan->cairo);
        }
    }
    DesignBox box;
    if (count > 0) {
        const SceneSurface *surface = &exercise->surface;
        double lift = surface->file[0] != '\0' ? surface->elevation - surface->z : 0.0;
        paint(plan, blue, 0.2, 1.4);
        design_box(design, &box);
        draw_contours(plan, (double[]){box.low.x, box.low.y}, (double[]){box.high.x, box.high.y}, asked_height, design,
                      lift, false, blue);
    }
    design_destroy(design);
}

typedef struct Box {
    double left, top, width, height; ///< points
} Box;

static bool boxes_overlap(const Box *a, const Box *b)
{
    return a->left < b->left + b->width && b->left < a->left + a->width && a->top < b->top + b->height &&
           b->top < a->top + a->height;
}

/// Writes a target's number beside its circle of this radius (points): right of it, further and further above and
/// below, or left, where it lies over nothing that is there; right of it where there is no such place. Returns where.
static Box write_beside(Plan *plan, double x, double y, double radius, const char *text, const Box *there, int count)
{
    cairo_text_extents_t extents;
    choose_font(plan);
    cairo_text_extents(plan->cairo, text, &extents);
    Box best = {0};
    bool hidden = true;
    for (int place = 0; place < 2 * LABEL_ROWS && hidden; place++) {
        int step = place % LABEL_ROWS, rows = (step + 1) / 2 * (step % 2 == 0 ? 1 : -1);
        bool left = place >= LABEL_ROWS;
        Box box = {left ? x - radius - 2.0 - extents.x_advance : x + radius + 2.0,
                   y - 0.5 * TEXT_SIZE + rows * (TEXT_SIZE + 1.0), extents.x_advance, TEXT_SIZE};
        hidden = false;
        for (int k = 0; k < count && !hidden; k++) {
            hidden = boxes_overlap(&box, &there[k]);
        }
        best = place == 0 || !hidden ? box : best;
    }
    text_at(plan, best.left, best.top + 0.85 * TEXT_SIZE, text);
    return best;
}

/// Circles with numbers; those of the tool with the height that it is to be brought to.
static void draw_targets(Plan *plan, const SceneExercise *exercise)
{
    Box there[2 * SCENE_MAX_TARGETS];
    int count = exercise->targets_count;
    for (int k = 0; k < count; k++) {
        const SceneTarget *target = &exercise->targets[k];
        double radius = plan->scale * target->radius;
        there[k] = (Box){px(plan, target->x) - radius, py(plan, target->y) - radius, 2.0 * radius, 2.0 * radius};
    }
    for (int k = 0; k < count; k++) {
        char number[64];
        const SceneTarget *target = &exercise->targets[k];
        circle(plan, target->x, target->y, target->radius);
        paint(plan, blue, 0.2, 1.0);
        bool tip = target->what == SCENE_TARGET_TIP;
        snprintf(number, sizeof number, tip ? "%d: %s" : "%d", k + 1,
                 quantity(QUANTITY_WAY, target->z, plan->units).text);
        set(plan, ink, 1.0, 1.0);
        there[count + k] = write_beside(plan, px(plan, target->x), py(plan, target->y), plan->scale * target->radius,
                                        number, there, count + k);
        if (target->what == SCENE_TARGET_MACHINE && target->heading_tolerance < 179.0 * UNIT_DEG) {
            arrow(plan, target->x, target->y, target->heading, 2.0, blue);
        }
    }
}

static void draw_work(Plan *plan, const SceneExercise *exercise)
{
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        rectangle(plan, trench->x, trench->y, trench->heading, (double[]){0.0, trench->length}, 0.5 * trench->width);
        paint(plan, blue, 0.25, 1.4);
        circle(plan, trench->dump_x, trench->dump_y, trench->dump_radius);
        paint(plan, green, 0.15, 1.4);
        explain(plan, blue, language_text("trench"));
        explain(plan, green, language_text("place to dump"));
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *truck = &exercise->truck;
        rectangle(plan, truck->x, truck->y, truck->heading,
                  (double[]){-0.5 * truck->bed_length, 0.5 * truck->bed_length}, 0.5 * truck->bed_width);
        paint(plan, green, 0.25, 1.4);
        circle(plan, truck->dig_x, truck->dig_y, 0.4);
        paint(plan, blue, 0.6, 1.4);
        explain(plan, green, language_text("truck's bed, dump"));
        explain(plan, blue, language_text("where to dig"));
        if (exercise->haul.trucks > 0) {
            circle(plan, exercise->haul.dump.x, exercise->haul.dump.y, exercise->haul.dump_radius);
            paint(plan, green, 0.1, 1.0);
        }
    }
    draw_design(plan, exercise);
    if (exercise->rip.depth > 0.0) {
        const SceneRip *rip = &exercise->rip;
        rectangle(plan, rip->x, rip->y, rip->heading, (double[]){0.0, rip->length}, 0.5 * rip->width);
        paint(plan, blue, 0.2, 1.4);
        explain(plan, blue, language_text("to be ripped"));
    }
    if (exercise->rock_place.radius > 0.0) {
        circle(plan, exercise->rock_place.x, exercise->rock_place.y, exercise->rock_place.radius);
        paint(plan, green, 0.15, 1.4);
        explain(plan, green, language_text("place of the rocks"));
    }
    draw_targets(plan, exercise);
    if (scene_has_part(exercise, METRIC_OF_SURFACE)) {
        explain(plan, blue, language_text("design surface"));
    }
    if (exercise->targets_count > 0) {
        explain(plan, blue, language_text("targets in order, height"));
    }
}

static void draw_bar(Plan *plan, double height)
{
    double metres = plan->scale * 10.0 > 120.0 ? 5.0 : 10.0, y = height - MARGIN - 4.0;
    bool imperial = plan->units == TEXT_UNITS_IMPERIAL;
    double shown = imperial ? metres * 4.0 : metres; // ft or m, round
    const char *unit;
    metres = imperial ? shown / quantity_scale(QUANTITY_LENGTH, plan->units, &unit) : metres;
    char text[16];
    snprintf(text, sizeof text, imperial ? "%.0f ft" : "%.0f m", shown);
    set(plan, ink, 1.0, 2.0);
    cairo_move_to(plan->cairo, plan->key_x, y);
    cairo_line_to(plan->cairo, plan->key_x + plan->scale * metres, y);
    cairo_stroke(plan->cairo);
    text_at(plan, plan->key_x, y - 5.0, text);
    cairo_move_to(plan->cairo, plan->key_x + 6.0, y - 60.0);
    cairo_line_to(plan->cairo, plan->key_x + 12.0, y - 36.0);
    cairo_line_to(plan->cairo, plan->key_x, y - 36.0);
    cairo_close_path(plan->cairo);
    cairo_fill(plan->cairo);
    text_at(plan, plan->key_x + 2.5, y - 24.0, language_text("N"));
}

void plan_draw_machine(cairo_t *cairo, const SceneParams *scene, const MachineParams *machine, TextUnits units,
                       double width, double height)
{
    double room = width - KEY_WIDTH - 2.0 * MARGIN;
    Plan plan = {.cairo = cairo, .units = units, .key_x = width - KEY_WIDTH, .key_y = MARGIN + 12.0};
    plan.scale = fmin(room / scene->ground.size_x, (height - 2.0 * MARGIN) / scene->ground.size_y);
    plan.x = MARGIN + 0.5 * room;
    plan.y = 0.5 * height;
    cairo_save(cairo);
    draw_ground(&plan, scene);
    draw_things(&plan, scene);
    draw_work(&plan, &scene->exercise);
    draw_haul(&plan, scene);
    draw_machine(&plan, &scene->machine, machine);
    draw_bar(&plan, height);
    cairo_restore(cairo);
}

void plan_draw(cairo_t *cairo, const SceneParams *scene, TextUnits units, double width, double height)
{
    plan_draw_machine(cairo, scene, NULL, units, width, height);
}
