/// Draws a scene from above. North is up.
#include "trainer/plan/plan.h"

#include <math.h>
#include <stdio.h>

#include "data/design/design_surface.h"

#define MARGIN    14.0 ///< points around the site
#define KEY_WIDTH 150.0 ///< points beside it, for what the signs mean
#define TEXT_SIZE 9.0 ///< points

typedef struct Plan {
    cairo_t *cairo;
    double scale; ///< points a metre
    double x, y; ///< points: middle of the site
    int keys; ///< signs explained so far
    double key_x, key_y; ///< points: of the first of them
} Plan;

typedef struct Colour {
    double red, green, blue;
} Colour;

// Of Okabe and Ito: told apart by people who are colour-blind, too.
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

static void text_at(Plan *plan, double x, double y, const char *text)
{
    cairo_select_font_face(plan->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(plan->cairo, TEXT_SIZE);
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

static void explain(Plan *plan, Colour colour, const char *text)
{
    double y = plan->key_y + 15.0 * plan->keys++;
    cairo_new_path(plan->cairo);
    cairo_rectangle(plan->cairo, plan->key_x, y - 8.0, 14.0, 9.0);
    paint(plan, colour, 0.25, 1.2);
    set(plan, ink, 1.0, 1.0);
    text_at(plan, plan->key_x + 20.0, y, text);
}

/// ---- what lies on the site -----------------------------------------------------------------------------------------

static void draw_ground(Plan *plan, const SceneParams *scene)
{
    const SceneGround *ground = &scene->ground;
    rectangle(plan, 0.0, 0.0, 0.0, (double[]){-0.5 * ground->size_x, 0.5 * ground->size_x}, 0.5 * ground->size_y);
    paint(plan, grey, 0.08, 1.0);
    for (int k = 0; k < ground->patch_count; k++) {
        const ScenePatch *patch = &ground->patches[k];
        if (patch->radius > 0.0) {
            circle(plan, patch->x, patch->y, patch->radius);
        } else {
            rectangle(plan, patch->x, patch->y, patch->heading, (double[]){-0.5 * patch->length, 0.5 * patch->length},
                      0.5 * patch->width);
        }
        paint(plan, orange, 0.15, 0.6);
        text_at(plan, px(plan, patch->x) - 12.0, py(plan, patch->y), patch->soil);
    }
    for (int k = 0; k < ground->earthwork_count; k++) {
        const SceneEarthwork *shape = &ground->earthworks[k];
        rectangle(plan, shape->x, shape->y, shape->heading, (double[]){-0.5 * shape->length, 0.5 * shape->length},
                  0.5 * shape->width);
        paint(plan, shape->height < 0.0 ? sky : orange, 0.2, 0.8);
    }
    for (int k = 0; k < ground->mound_count; k++) {
        const SceneMound *mound = &ground->mounds[k];
        double slope = tan(scene->soils[mound->soil_index].repose_angle);
        circle(plan, mound->x, mound->y, mound->height / (slope > 0.2 ? slope : 0.2));
        paint(plan, orange, 0.3, 0.8);
    }
    if (ground->patch_count > 0) {
        explain(plan, orange, "other soil");
    }
    if (ground->mound_count + ground->earthwork_count > 0) {
        explain(plan, orange, "heap, bank (blue: cut)");
    }
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
    }
    for (int k = 0; k < scene->rocks_count; k++) {
        const SceneRocks *rocks = &scene->rocks[k];
        circle(plan, rocks->x, rocks->y, rocks->count > 1 ? fmax(rocks->spread, rocks->largest) : 0.5 * rocks->size);
        paint(plan, grey, 0.6, 1.0);
    }
    for (int k = 0; k < scene->persons_count; k++) {
        const ScenePerson *person = &scene->persons[k];
        circle(plan, person->x, person->y, person->zone);
        paint(plan, red, 0.12, 1.0);
        circle(plan, person->x, person->y, fmax(person->radius, 0.25));
        paint(plan, red, 1.0, 1.0);
    }
    if (scene->fixtures_count > 0) {
        explain(plan, ink, "fixture (pale: buried)");
    }
    if (scene->rocks_count > 0) {
        explain(plan, grey, "rocks");
    }
    if (scene->persons_count > 0) {
        explain(plan, red, "person, zone");
    }
}

static void draw_machine(Plan *plan, const SceneMachine *machine)
{
    rectangle(plan, machine->x, machine->y, machine->heading, (double[]){-2.2, 2.2}, 1.5);
    paint(plan, ink, 0.15, 1.4);
    double c = cos(machine->heading), s = sin(machine->heading);
    cairo_move_to(plan->cairo, px(plan, machine->x), py(plan, machine->y));
    cairo_line_to(plan->cairo, px(plan, machine->x + 3.5 * c), py(plan, machine->y + 3.5 * s));
    cairo_stroke(plan->cairo);
    explain(plan, ink, "machine, looking ahead");
}

/// ---- what is asked for ---------------------------------------------------------------------------------------------

/// The sides of the design surface.
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
            paint(plan, blue, 0.2, 1.4);
        }
    }
    design_destroy(design);
}

static void draw_work(Plan *plan, const SceneExercise *exercise)
{
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        rectangle(plan, trench->x, trench->y, trench->heading, (double[]){0.0, trench->length}, 0.5 * trench->width);
        paint(plan, blue, 0.25, 1.4);
        circle(plan, trench->dump_x, trench->dump_y, trench->dump_radius);
        paint(plan, green, 0.15, 1.4);
        explain(plan, blue, "trench");
        explain(plan, green, "dump");
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *truck = &exercise->truck;
        rectangle(plan, truck->x, truck->y, truck->heading,
                  (double[]){-0.5 * truck->bed_length, 0.5 * truck->bed_length}, 0.5 * truck->bed_width);
        paint(plan, green, 0.25, 1.4);
        circle(plan, truck->dig_x, truck->dig_y, 0.4);
        paint(plan, blue, 0.6, 1.4);
        explain(plan, green, "truck's bed, dump");
        explain(plan, blue, "where to dig");
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
        explain(plan, blue, "to be ripped");
    }
    for (int k = 0; k < exercise->targets_count; k++) {
        char number[8];
        const SceneTarget *target = &exercise->targets[k];
        circle(plan, target->x, target->y, target->radius);
        paint(plan, blue, 0.2, 1.0);
        snprintf(number, sizeof number, "%d", k + 1);
        set(plan, ink, 1.0, 1.0);
        text_at(plan, px(plan, target->x) + plan->scale * target->radius + 2.0, py(plan, target->y) - 2.0, number);
    }
    if (scene_has_part(exercise, METRIC_OF_SURFACE)) {
        explain(plan, blue, "design surface");
    }
    if (exercise->targets_count > 0) {
        explain(plan, blue, "targets, in order");
    }
}

static void draw_bar(Plan *plan, double height)
{
    double metres = plan->scale * 10.0 > 120.0 ? 5.0 : 10.0, y = height - MARGIN - 4.0;
    char text[16];
    snprintf(text, sizeof text, "%.0f m", metres);
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
    text_at(plan, plan->key_x + 2.5, y - 24.0, "N");
}

void plan_draw(cairo_t *cairo, const SceneParams *scene, double width, double height)
{
    double room = width - KEY_WIDTH - 2.0 * MARGIN;
    Plan plan = {.cairo = cairo, .key_x = width - KEY_WIDTH, .key_y = MARGIN + 12.0};
    plan.scale = fmin(room / scene->ground.size_x, (height - 2.0 * MARGIN) / scene->ground.size_y);
    plan.x = MARGIN + 0.5 * room;
    plan.y = 0.5 * height;
    cairo_save(cairo);
    draw_ground(&plan, scene);
    draw_things(&plan, scene);
    draw_work(&plan, &scene->exercise);
    draw_machine(&plan, &scene->machine);
    draw_bar(&plan, height);
    cairo_restore(cairo);
}
