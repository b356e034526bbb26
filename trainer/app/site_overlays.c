/// Draws what a picture shows over the site: an exercise's marks, staffs and stakes, the grade display with its section
/// of the ground, and the debug view of the soil.
#include "trainer/app/site_overlays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/random.h"
#include "data/schema/schema.h"

/// ---- marks of an exercise ------------------------------------------------------------------------------------------

/// Edge of the site, trench with depth ladder, design surface, ripping area, dump circle, truck, numbered targets, and
/// zones of persons.

/// Lines lie this far over the ground, m: clear of its small unevenness, near enough to mark it.
#define LIFT 0.04

static const float mark_color[4] = {1.0F, 0.85F, 0.1F, 0.95F}; // what is to be dug
static const float depth_color[4] = {0.25F, 0.75F, 1.0F, 0.9F}; // how deep
static const float zone_color[4] = {1.0F, 0.35F, 0.15F, 0.95F}; // what is to be kept clear of
static const float later_color[4] = {0.85F, 0.9F, 1.0F, 0.45F}; // what comes after it
static const float edge_color[4] = {1.0F, 0.2F, 0.15F, 0.8F}; // where the site ends
static const float crack_color[4] = {0.06F, 0.04F, 0.03F, 1.0F}; // open in the ground, behind a face
static const float dump_color[4] = {0.3F, 1.0F, 0.4F, 0.9F}; // where it goes

typedef struct Pencil {
    Session *session;
    RenderLine *lines;
    int count, capacity;
} Pencil;

static void draw_line(Pencil *pencil, Vec3 a, Vec3 b, const float color[4])
{
    if (pencil->count < pencil->capacity) {
        pencil->lines[pencil->count++] =
            (RenderLine){.a = a, .b = b, .color = {color[0], color[1], color[2], color[3]}};
    }
}

static Vec3 on_ground(const Pencil *pencil, double x, double y)
{
    return vec3(x, y, soil_get_height(session_soil(pencil->session), x, y) + LIFT);
}

/// Height of a mark: over the ground but never below z = 0, so it stays while the ground below is dug away.
static Vec3 on_string(const Pencil *pencil, double x, double y)
{
    Vec3 p = on_ground(pencil, x, y);
    p.z = p.z < LIFT ? LIFT : p.z;
    return p;
}

/// A string from a to b, in pieces so that it rises over what lies there.
static void draw_string(Pencil *pencil, Vec3 a, Vec3 b, int pieces, const float color[4])
{
    Vec3 from = on_string(pencil, a.x, a.y);
    for (int i = 1; i <= pieces; i++) {
        Vec3 p = vec3_madd(a, (double)i / pieces, vec3_sub(b, a));
        Vec3 to = on_string(pencil, p.x, p.y);
        draw_line(pencil, from, to, color);
        from = to;
    }
}

static void draw_circle(Pencil *pencil, double x, double y, double radius, const float color[4])
{
    const int pieces = radius < 5.0 ? 24 : 40;
    Vec3 from = on_ground(pencil, x + radius, y);
    for (int i = 1; i <= pieces; i++) {
        double angle = 2.0 * M_PI * i / pieces;
        Vec3 to = on_ground(pencil, x + radius * cos(angle), y + radius * sin(angle));
        draw_line(pencil, from, to, color);
        from = to;
    }
}

static void draw_edge(Pencil *pencil, const SceneGround *ground)
{
    const double x = 0.5 * ground->size_x, y = 0.5 * ground->size_y;
    const Vec3 corner[4] = {{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}};
    for (int k = 0; k < 4; k++) {
        int pieces = (int)ceil(vec3_length(vec3_sub(corner[(k + 1) % 4], corner[k])) / 2.0);
        draw_string(pencil, corner[k], corner[(k + 1) % 4], pieces > 24 ? 24 : pieces, edge_color);
    }
}

/// Corner of the trench: `along` 0 near end .. 1 far end, `across` -1 right .. 1 left; at height z.
static Vec3 trench_corner(const SceneTrench *trench, double along, double across, double z)
{
    double c = cos(trench->heading), s = sin(trench->heading);
    double forward = along * trench->length, left = across * 0.5 * trench->width;
    return vec3(trench->x + c * forward - s * left, trench->y + s * forward + c * left, z);
}

/// The box to be dug: its outline on the ground, its floor at the wanted depth, and at every corner a line down with a
/// tick each half metre.
static void draw_trench(Pencil *pencil, const SceneTrench *trench)
{
    const double corner[4][2] = {{0, -1}, {1, -1}, {1, 1}, {0, 1}};
    for (int i = 0; i < 4; i++) {
        const double *from = corner[i], *to = corner[(i + 1) % 4];
        Vec3 a = trench_corner(trench, from[0], from[1], 0.0), b = trench_corner(trench, to[0], to[1], 0.0);
        int pieces = (int)(vec3_length(vec3_sub(b, a)) / 0.4) + 1;
        draw_string(pencil, a, b, pieces > 24 ? 24 : pieces, mark_color);
        Vec3 floor_a = vec3(a.x, a.y, -trench->depth), floor_b = vec3(b.x, b.y, -trench->depth);
        draw_line(pencil, floor_a, floor_b, depth_color);
        draw_line(pencil, floor_a, vec3(a.x, a.y, LIFT), depth_color);
        Vec3 along = vec3_scale(vec3_unit(vec3_sub(b, a), vec3(1, 0, 0)), 0.15);
        for (double depth = 0.5; depth < trench->depth; depth += 0.5) {
            Vec3 mark = vec3(a.x, a.y, -depth);
            draw_line(pencil, mark, vec3_add(mark, along), depth_color);
        }
    }
    draw_circle(pencil, trench->dump_x, trench->dump_y, trench->dump_radius, dump_color);
}

/// Where to dig, and the rim of the bed that is to be filled.
static void draw_truck(Pencil *pencil, const SceneTruck *truck)
{
    double c = cos(truck->heading), s = sin(truck->heading);
    double rim = truck->floor_height + truck->bed_height;
    Vec3 corner[4];
    for (int i = 0; i < 4; i++) {
        double forward = (i == 0 || i == 3 ? -0.5 : 0.5) * truck->bed_length;
        double left = (i < 2 ? -0.5 : 0.5) * truck->bed_width;
        corner[i] = vec3(truck->x + c * forward - s * left, truck->y + s * forward + c * left, rim + LIFT);
    }
    for (int i = 0; i < 4; i++) {
        draw_line(pencil, corner[i], corner[(i + 1) % 4], dump_color);
    }
    draw_circle(pencil, truck->dig_x, truck->dig_y, 2.0, mark_color);
}

/// The sides of the ground that is to be ripped, as a string on it.
static void draw_rip(Pencil *pencil, const SceneRip *rip)
{
    double c = cos(rip->heading), s = sin(rip->heading);
    Vec3 corner[4];
    for (int i = 0; i < 4; i++) {
        double u = i == 1 || i == 2 ? rip->length : 0.0, v = (i < 2 ? -0.5 : 0.5) * rip->width;
        corner[i] = vec3(rip->x + c * u - s * v, rip->y + s * u + c * v, 0.0);
    }
    for (int i = 0; i < 4; i++) {
        Vec3 next = corner[(i + 1) % 4];
        int pieces = (int)(vec3_length(vec3_sub(next, corner[i])) / 0.4) + 1;
        draw_string(pencil, corner[i], next, pieces > 24 ? 24 : pieces, mark_color);
    }
}

/// The sides of the design: on the ground and at design height, with a stake at each corner.
static void draw_design(Pencil *pencil, const DesignSurface *design)
{
    DesignLine lines[DESIGN_LINES];
    int count = design_lines(design, lines, DESIGN_LINES);
    for (int k = 0; k < count; k++) {
        Vec3 at = lines[k].a, next = lines[k].b;
        int pieces = (int)(vec3_length(vec3_sub(next, at)) / 0.4) + 1, most = count > 16 ? 4 : 24;
        draw_string(pencil, at, next, pieces > most ? most : pieces, mark_color);
        draw_line(pencil, at, next, depth_color);
        if (lines[k].corner && (count <= 16 || k % 4 == 0)) {
            draw_line(pencil, at, on_ground(pencil, at.x, at.y), depth_color);
        }
    }
}

/// A ring of a target: `a` and `b` are the two directions that it lies in.
static void draw_ring(Pencil *pencil, Vec3 middle, double radius, Vec3 a, Vec3 b, const float color[4])
{
    const int pieces = 12;
    Vec3 from = vec3_madd(middle, radius, a);
    for (int i = 1; i <= pieces; i++) {
        double angle = 2.0 * M_PI * i / pieces;
        Vec3 to = vec3_madd(vec3_madd(middle, radius * cos(angle), a), radius * sin(angle), b);
        draw_line(pencil, from, to, color);
        from = to;
    }
}

/// A digit of seven strokes, `right` wide and twice as high, from its lower left corner.
static void draw_digit(Pencil *pencil, int digit, Vec3 corner, Vec3 right, const float color[4])
{
    // Strokes: top, upper left, upper right, middle, lower left, lower right, bottom.
    static const unsigned char strokes[10] = {0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f};
    static const double ends[7][4] = {{0, 2, 1, 2}, {0, 1, 0, 2}, {1, 1, 1, 2}, {0, 1, 1, 1},
                                      {0, 0, 0, 1}, {1, 0, 1, 1}, {0, 0, 1, 0}};
    Vec3 up = vec3(0.0, 0.0, vec3_length(right));
    for (int k = 0; k < 7; k++) {
        if ((strokes[digit] >> k & 1) != 0) {
            Vec3 a = vec3_madd(vec3_madd(corner, ends[k][0], right), ends[k][1], up);
            Vec3 b = vec3_madd(vec3_madd(corner, ends[k][2], right), ends[k][3], up);
            draw_line(pencil, a, b, color);
        }
    }
}

/// The number of a target over it, readable from where the machine is.
static void draw_number(Pencil *pencil, int number, Vec3 place, const float color[4])
{
    const double width = 0.16, gap = 0.08; // m
    Vec3 base = session_frame(pencil->session)->machine.base;
    double away = atan2(place.y - base.y, place.x - base.x);
    Vec3 right = vec3(width * sin(away), -width * cos(away), 0.0), step = vec3_scale(right, (width + gap) / width);
    int digits = number > 9 ? 2 : 1;
    Vec3 corner = vec3_madd(place, -0.5 * (digits * (1.0 + gap / width) - gap / width), right);
    if (digits == 2) {
        draw_digit(pencil, number / 10 % 10, corner, right, color);
        corner = vec3_add(corner, step);
    }
    draw_digit(pencil, number % 10, corner, right, color);
}

/// A target of the machine: a circle on the ground, with an arrow where it needs a heading.
static void draw_stand(Pencil *pencil, const SceneTarget *target, int number, const float color[4])
{
    draw_circle(pencil, target->x, target->y, target->radius, color);
    Vec3 middle = on_ground(pencil, target->x, target->y);
    if (target->heading_tolerance < M_PI) {
        const double length = 1.5; // m
        Vec3 ahead = vec3(cos(target->heading), sin(target->heading), 0.0), left = vec3(-ahead.y, ahead.x, 0.0);
        Vec3 head = vec3_madd(middle, length, ahead), neck = vec3_madd(middle, 0.7 * length, ahead);
        draw_line(pencil, middle, head, color);
        draw_line(pencil, head, vec3_madd(neck, 0.3, left), color);
        draw_line(pencil, head, vec3_madd(neck, -0.3, left), color);
    }
    draw_number(pencil, number, vec3_add(middle, vec3(0.0, 0.0, 0.3)), color);
}

/// A target of the edge: a ball of rings, its number over it, and a plumb line to the ground.
static void draw_ball(Pencil *pencil, const SceneTarget *target, int number, const float color[4])
{
    Vec3 middle = vec3(target->x, target->y, target->z), x = vec3(1, 0, 0), y = vec3(0, 1, 0), z = vec3(0, 0, 1);
    draw_ring(pencil, middle, target->radius, x, y, color);
    draw_ring(pencil, middle, target->radius, y, z, color);
    draw_ring(pencil, middle, target->radius, z, x, color);
    Vec3 foot = on_ground(pencil, target->x, target->y);
    draw_line(pencil, vec3_madd(middle, -target->radius, z), foot, color);
    draw_ring(pencil, foot, 0.5 * target->radius, x, y, color);
    draw_number(pencil, number, vec3_madd(middle, target->radius + 0.12, z), color);
}

/// Targets that are not reached yet; the next one is emphasised.
static void draw_targets(Pencil *pencil, const SceneExercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(pencil->session), values);
    int reached = (int)values[METRIC_TARGETS_REACHED];
    for (int k = reached; k < exercise->targets_count; k++) {
        const SceneTarget *target = &exercise->targets[k];
        const float *color = k == reached ? mark_color : later_color;
        if (target->what == SCENE_TARGET_MACHINE) {
            draw_stand(pencil, target, k + 1, color);
        } else {
            draw_ball(pencil, target, k + 1, color);
        }
    }
}

/// Where a load is to be laid: its outline on the ground, and the line of its axis.
static void draw_load_place(Pencil *pencil, const SceneLoad *load)
{
    const struct SceneLoadPlace *place = &load->place;
    double c = cos(place->heading), s = sin(place->heading), half = 0.5 * load->pipe.length;
    double r = hung_load_half_width(&load->pipe);
    Vec3 corner[5];
    for (int k = 0; k < 5; k++) {
        double u = k % 4 == 0 || k % 4 == 3 ? -half : half, v = k % 4 < 2 ? -r : r;
        corner[k] = vec3(place->x + c * u - s * v, place->y + s * u + c * v, 0.0);
    }
    for (int k = 0; k < 4; k++) {
        draw_string(pencil, corner[k], corner[k + 1], 8, mark_color);
    }
    Vec3 from = vec3(place->x - c * (half + 0.5), place->y - s * (half + 0.5), 0.0);
    draw_string(pencil, from, vec3(place->x + c * (half + 0.5), place->y + s * (half + 0.5), 0.0), 8, depth_color);
}

/// m that a crack leaves its line, to either side. Chosen: about a clod.
#define CRACK_STRAYS 0.06

/// Soil does not crack along a ruler. Pieces that meet in a point still meet there.
static Vec3 stray(Vec3 at)
{
    enum { CELLS = 1 << 20, CELLS_A_METRE = 40 };
    uint64_t row = (uint64_t)(llround(at.y * CELLS_A_METRE) + CELLS / 2);
    uint64_t place = row * CELLS + (uint64_t)(llround(at.x * CELLS_A_METRE) + CELLS / 2);
    return vec3(at.x + CRACK_STRAYS * (2.0 * random_unit(0, 0, place) - 1.0),
                at.y + CRACK_STRAYS * (2.0 * random_unit(0, 1, place) - 1.0), at.z);
}

/// Tension cracks that are open: a wall is about to fall.
static void draw_cracks(Pencil *pencil)
{
    const SoilCrack *cracks;
    int count = soil_get_cracks(session_soil(pencil->session), &cracks);
    for (int k = 0; k < count; k++) {
        draw_string(pencil, stray(cracks[k].from), stray(cracks[k].to), 1, crack_color);
    }
}

int exercise_marks(Session *session, RenderLine *lines, int capacity)
{
    const SceneExercise *exercise = &session_scene(session)->exercise;
    Pencil pencil = {.session = session, .lines = lines, .capacity = capacity};
    if (exercise->kind == EXERCISE_TRENCH) {
        draw_trench(&pencil, &exercise->trench);
    } else if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        draw_truck(&pencil, &exercise->truck);
        if (exercise->haul.trucks > 0) {
            draw_circle(&pencil, exercise->haul.dump.x, exercise->haul.dump.y, exercise->haul.dump_radius, dump_color);
        }
    }
    draw_targets(&pencil, exercise);
    draw_design(&pencil, exercise_surface(session_exercise(session)));
    if (exercise->rip.depth > 0.0) {
        draw_rip(&pencil, &exercise->rip);
    }
    for (int k = 0; k < exercise->loads_count; k++) {
        if (exercise->loads[k].place.within > 0.0) {
            draw_load_place(&pencil, &exercise->loads[k]);
        }
    }
    if (exercise->rock_place.radius > 0.0) {
        draw_circle(&pencil, exercise->rock_place.x, exercise->rock_place.y, exercise->rock_place.radius, dump_color);
    }
    const SceneParams *scene = session_scene(session);
    for (int k = 0; k < scene->persons_count; k++) {
        if (scene->persons[k].zone > 0.0) {
            const PersonState *state = session_person(session, k);
            draw_circle(&pencil, state->x, state->y, scene->persons[k].zone, zone_color);
        }
    }
    draw_edge(&pencil, &scene->ground);
    draw_cracks(&pencil);
    return pencil.count;
}

/// ---- staffs, stakes and boards -------------------------------------------------------------------------------------

/// Depth boards stand against the walls of an excavator's trench and emerge as it is dug; ranging poles stand behind
/// its far corners. Profiles stand beside a dozer's slot and along the sides of a surface, clear of blade and tracks;
/// their zero is the design.

#define FROM_WALL  0.14 ///< m of a board from the design's wall: more than the slope that a wall has between columns
#define BESIDE     0.35 ///< m of a pole or a stake from what it marks
#define CLEAR      0.45 ///< m of a profile from the edge of a slot: a blade as wide as the slot does not touch it
#define RAIL_OVER  0.45 ///< m of a profile's rail over the site at least; over the design it is at a half metre
#define POLE_HIGH  2.0 ///< m
#define STAKE_HIGH 0.8 ///< m over the design or the ground, whichever is higher
#define STAKE_STEP 5.0 ///< m between stakes along a side, at most
#define BELOW      0.5 ///< m: depth below the ground that they stand on

typedef struct Staffs {
    RenderStaff *staffs;
    int count;
} Staffs;

static void add_staff(Staffs *to, RenderStaffKind kind, Vec3 at, double heading, double low, double high)
{
    if (to->count < RENDER_MAX_STAFFS) {
        RenderStaff *staff = &to->staffs[to->count++];
        memset(staff, 0, sizeof *staff); // comparisons read every byte
        staff->kind = kind;
        staff->at = at;
        staff->heading = heading;
        staff->low = low;
        staff->high = high;
    }
}

/// A place of a trench, `along` m from its near end and `left` m from its middle line, at the level of the site.
static Vec3 in_trench(const SceneTrench *trench, double along, double left)
{
    double c = cos(trench->heading), s = sin(trench->heading);
    return vec3(trench->x + c * along - s * left, trench->y + s * along + c * left, 0.0);
}

/// A profile whose zero is the design at `at`; the site is there `over` m above it. Its rail reaches to the left of
/// `heading`.
static void add_profile(Staffs *to, Vec3 at, double heading, double over)
{
    add_staff(to, RENDER_STAFF_PROFILE, at, heading, fmin(over, 0.0) - BELOW,
              0.5 * ceil(2.0 * (fmax(over, 0.0) + RAIL_OVER)));
}

/// Beside a slot all rails reach away from it.
static void add_slot(Staffs *to, const SceneTrench *trench)
{
    for (double along = 0.0; along < trench->length + 1e-6; along += 0.5 * STAKE_STEP) {
        for (int side = -1; side <= 1; side += 2) {
            Vec3 beside = in_trench(trench, along, side * (0.5 * trench->width + CLEAR));
            beside.z = -trench->depth;
            add_profile(to, beside, trench->heading + (side < 0 ? M_PI : 0.0), trench->depth);
        }
    }
}

static void add_trench(Staffs *to, const SceneTrench *trench)
{
    const double half = 0.5 * trench->width, low = -trench->depth - BELOW, sides[2] = {1.0, -1.0};
    for (int k = 0; k < 2; k++) {
        double side = sides[k], facing = trench->heading - side * 0.5 * M_PI;
        double wall = side * (half - FROM_WALL);
        // At the end wall in the corner, and in the middle of the side, to be read from the opposite side.
        Vec3 corner = in_trench(trench, trench->length - FROM_WALL, side * (half - 0.32));
        add_staff(to, RENDER_STAFF_BOARD, corner, trench->heading + M_PI, low, 0.0);
        add_staff(to, RENDER_STAFF_BOARD, in_trench(trench, 0.5 * trench->length, wall), facing, low, 0.0);
        Vec3 pole = in_trench(trench, trench->length + BESIDE, side * (half + BESIDE));
        add_staff(to, RENDER_STAFF_POLE, pole, trench->heading, -BELOW, POLE_HIGH);
        Vec3 stake = in_trench(trench, 0.0, side * (half + BESIDE));
        add_staff(to, RENDER_STAFF_STAKE, stake, trench->heading, -BELOW, 0.5);
    }
}

/// A profile whose zero is the design's height, beside the side that runs in the unit direction `along`: on its right,
/// where its rail reaches to.
static void add_design_stake(Staffs *to, Vec3 at, Vec3 along)
{
    Vec3 foot = vec3(at.x + CLEAR * along.y, at.y - CLEAR * along.x, at.z);
    add_profile(to, foot, atan2(-along.y, -along.x), -at.z);
}

static void add_design(Staffs *to, const DesignSurface *design, double heading)
{
    DesignLine lines[DESIGN_LINES];
    int count = design_lines(design, lines, DESIGN_LINES);
    for (int k = 0; k < count; k++) {
        if (count > 16 && k % 4 != 0) {
            continue;
        }
        Vec3 along = vec3_unit(vec3_sub(lines[k].b, lines[k].a), vec3(1.0, 0.0, 0.0));
        double length = vec3_length(vec3_sub(lines[k].b, lines[k].a));
        if (lines[k].corner) {
            add_design_stake(to, lines[k].a, along);
        }
        // None in the way: where the machine comes in and out, only the corners are marked.
        bool beside = fabs(along.x * cos(heading) + along.y * sin(heading)) > 0.7;
        int pieces = beside ? (int)ceil(length / STAKE_STEP) : 1;
        for (int piece = 1; piece < pieces; piece++) {
            add_design_stake(to, vec3_madd(lines[k].a, length * piece / pieces, along), along);
        }
    }
}

static void add_rip(Staffs *to, const SceneRip *rip)
{
    double c = cos(rip->heading), s = sin(rip->heading);
    for (int k = 0; k < 4; k++) {
        double u = k < 2 ? 0.0 : rip->length, v = (k % 2 == 0 ? 1.0 : -1.0) * (0.5 * rip->width + BESIDE);
        add_staff(to, RENDER_STAFF_STAKE, vec3(rip->x + c * u - s * v, rip->y + s * u + c * v, 0.0), rip->heading,
                  -BELOW, STAKE_HIGH);
    }
}

int exercise_staffs(Session *session, RenderStaff staffs[RENDER_MAX_STAFFS])
{
    const SceneParams *scene = session_scene(session);
    Staffs to = {staffs, 0};
    if (scene->exercise.kind == EXERCISE_TRENCH) {
        if (session_machine_params(session)->type == MACHINE_DOZER) {
            add_slot(&to, &scene->exercise.trench);
        } else {
            add_trench(&to, &scene->exercise.trench);
        }
    }
    add_design(&to, exercise_surface(session_exercise(session)), scene->machine.heading);
    if (scene->exercise.rip.depth > 0.0) {
        add_rip(&to, &scene->exercise.rip);
    }
    return to.count;
}

/// ---- section camera ------------------------------------------------------------------------------------------------

/// Reads the layers of each column that the section passes, and the exercise's design.

/// Widest picture that the section fills, over its height: three screens side by side.
#define WIDEST 5.4

/// A film of soil that differs from what is over it by less than this (looseness), or is thinner (m), is no layer of
/// its own: soil that was driven over or put down in lifts has many.
#define SAME_STATE 0.35
#define FILM       0.03

static void fill_column(RenderSection *section, const Soil *soil, int i, Vec3 at)
{
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = soil_get_layers(soil, at.x, at.y, layers), told = 0;
    double top = (double)section->surface[i];
    for (int k = 0; k < count; k++) {
        const SoilLayer *layer = &layers[k];
        double above = told > 0 ? section->loose[i][told - 1] / 255.0 : 0.0;
        bool same =
            told > 0 && section->soil[i][told - 1] == layer->soil && fabs(above - layer->looseness) < SAME_STATE;
        bool joins = same || (told > 0 && top - layer->bottom < FILM) || told == RENDER_SECTION_LAYERS;
        if (!joins) {
            section->soil[i][told] = (uint8_t)layer->soil;
            section->loose[i][told++] = (uint8_t)lround(255.0 * layer->looseness);
        }
        section->bottom[i][told - 1] = (float)layer->bottom;
        top = layer->bottom;
    }
    section->count[i] = (uint8_t)told;
}

void section_view_fill(RenderView *view, Session *session, double height)
{
    RenderSection *section = &view->section;
    const Soil *soil = session_soil(session);
    const DesignSurface *design = exercise_work(session_exercise(session));
    RenderPlane plane = render_arm_plane(view);
    double width = WIDEST * (height > 0.0 ? height : 7.0);
    section->visible = true;
    section->along = plane.ahead;
    section->step = width / RENDER_SECTION_COLUMNS;
    section->start = vec3_madd(plane.origin, -0.5 * width, plane.ahead);
    section->start.z = 0.0;
    for (int i = 0; i <= RENDER_SECTION_COLUMNS; i++) {
        Vec3 at = vec3_madd(section->start, i * section->step, section->along);
        double wanted;
        section->surface[i] = (float)soil_get_height(soil, at.x, at.y);
        section->wanted[i] = design_height(design, at.x, at.y, &wanted) ? (float)wanted : RENDER_NO_DESIGN;
        fill_column(section, soil, i, at);
    }
}

/// ---- grade display -------------------------------------------------------------------------------------------------

#define LEAST_HEIGHT 0.9 ///< m of the section
#define MOST_HEIGHT  3.2 ///< m
#define AROUND       1.0 ///< m of the map around the design
enum { MAP_TICKS = 6, STEPS = 3 }; ///< ticks a map is kept; steps of an error in a tolerance

struct GradeView {
    const DesignSurface *design; ///< that `heights` and `map_tick` are of
    float *heights; ///< m, [rows][columns] of the site; NULL until colours are wanted
    int rows, columns;
    uint64_t key;
    int64_t map_tick; ///< in which the map was made; -1: none
};

GradeView *grade_view_create(void)
{
    GradeView *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->map_tick = -1;
    return own;
}

void grade_view_destroy(GradeView *own)
{
    if (own != NULL) {
        free(own->heights);
        free(own);
    }
}

static float design_or_none(const DesignSurface *design, double x, double y)
{
    double height;
    return design_height(design, x, y, &height) ? (float)height : RENDER_NO_DESIGN;
}

/// ---- the ground's colours ------------------------------------------------------------------------------------------

/// Design height of every column, computed once a design.
static void fill_heights(GradeView *own, const SoilGridView *grid)
{
    if (own->heights != NULL && own->rows == grid->rows && own->columns == grid->columns) {
        return;
    }
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    free(own->heights);
    own->heights = malloc(count * sizeof *own->heights);
    if (own->heights == NULL) {
        abort();
    }
    own->rows = grid->rows;
    own->columns = grid->columns;
    own->key = 14695981039346656037ULL; // FNV-1a
    for (size_t k = 0; k < count; k++) {
        double x = grid->origin_x + (double)(k % (size_t)grid->columns) * grid->spacing;
        double y = grid->origin_y + (double)(k / (size_t)grid->columns) * grid->spacing;
        own->heights[k] = design_or_none(own->design, x, y);
        uint32_t bits;
        memcpy(&bits, &own->heights[k], sizeof bits);
        own->key = (own->key ^ bits) * 1099511628211ULL;
    }
    own->key |= 1U; // never 0
}

/// ---- the map -------------------------------------------------------------------------------------------------------

static void fill_map(const DesignSurface *design, const SoilGridView *grid, RenderGrade *grade)
{
    DesignBox box;
    design_box(design, &box);
    double width = box.high.x - box.low.x + 2.0 * AROUND, height = box.high.y - box.low.y + 2.0 * AROUND;
    grade->cell = fmax(fmax(width, height) / RENDER_GRADE_CELLS, grid->spacing);
    grade->columns = (int)fmin(ceil(width / grade->cell), RENDER_GRADE_CELLS);
    grade->rows = (int)fmin(ceil(height / grade->cell), RENDER_GRADE_CELLS);
    grade->map_x = box.low.x - AROUND;
    grade->map_y = box.low.y - AROUND;
    for (int k = 0; k < grade->rows * grade->columns; k++) {
        double x = grade->map_x + (k % grade->columns + 0.5) * grade->cell, wanted;
        double y = grade->map_y + (k / grade->columns + 0.5) * grade->cell;
        int row = (int)lround((y - grid->origin_y) / grid->spacing);
        int column = (int)lround((x - grid->origin_x) / grid->spacing);
        bool known = row >= 0 && row < grid->rows && column >= 0 && column < grid->columns &&
                     design_height(design, x, y, &wanted);
        double error = known ? ((double)grid->height[row * grid->columns + column] - wanted) / grade->tolerance : 0.0;
        // Rounded away from zero, so that what is beyond the tolerance is not drawn within it.
        double steps = error > 0.0 ? ceil(error * STEPS) : floor(error * STEPS);
        grade->error[k] = known ? (int8_t)fmin(fmax(steps, -127.0), 127.0) : INT8_MIN;
    }
    DesignLine lines[RENDER_GRADE_LINES];
    grade->line_count = design_lines(design, lines, RENDER_GRADE_LINES);
    for (int k = 0; k < grade->line_count; k++) {
        const float line[4] = {(float)lines[k].a.x, (float)lines[k].a.y, (float)lines[k].b.x, (float)lines[k].b.y};
        memcpy(grade->lines[k], line, sizeof line);
    }
}

/// ---- the section ---------------------------------------------------------------------------------------------------

/// Level unit vector along the arm; for a machine without a house, along the machine.
static Vec3 looks_ahead(const Session *session)
{
    const MachineParams *params = session_machine_params(session);
    Pose house;
    machine_get_body_frame(session_machine(session), session_machine_state(session), params->cab_body, &house);
    Vec3 ahead = vec3(house.rotation.m[0][0], house.rotation.m[1][0], 0.0);
    return vec3_unit(ahead, vec3(1.0, 0.0, 0.0));
}

/// The ends of the edge: left and right, seen from the machine.
static void edge_ends(const Session *session, Vec3 ends[2])
{
    const ToolShape *shape = &session_machine_params(session)->tool[0].shape;
    const Pose *frame = &session_frame(session)->tool.frame;
    for (int k = 0; k < 2; k++) {
        ends[k] = pose_apply(frame, vec3(shape->edge[0], (k == 0 ? 0.5 : -0.5) * shape->edge_width, shape->edge[1]));
    }
}

static void fill_offsets(const DesignSurface *design, const Session *session, RenderGrade *grade)
{
    Vec3 ends[2];
    edge_ends(session, ends);
    const Vec3 places[3] = {ends[0], vec3_scale(vec3_add(ends[0], ends[1]), 0.5), ends[1]};
    for (int k = 0; k < 3; k++) {
        double wanted;
        bool over = design_height(design, places[k].x, places[k].y, &wanted);
        grade->offset[k] = over ? places[k].z - wanted : (double)NAN;
    }
    grade->over = !isnan(grade->offset[1]);
    grade->depth = -places[1].z;
    grade->edge_height = places[1].z;
    for (int k = 0; k < 2; k++) {
        grade->edge[k][0] = ends[k].x;
        grade->edge[k][1] = ends[k].y;
    }
}

/// How high the section is, m: about three times the offset, within bounds.
static double section_height(const RenderGrade *grade)
{
    double offset = grade->over ? fabs(grade->offset[1]) : MOST_HEIGHT;
    return fmin(fmax(3.0 * offset, LEAST_HEIGHT), MOST_HEIGHT);
}

static void fill_tool(const Session *session, Vec3 middle, Vec3 ahead, RenderGrade *grade)
{
    const ToolShape *shape = &session_machine_params(session)->tool[0].shape;
    const Pose *frame = &session_frame(session)->tool.frame;
    grade->tool_count = 0;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        if (grade->tool_count + piece->corner_count > RENDER_GRADE_TOOL) {
            return;
        }
        for (int c = 0; c < piece->corner_count; c++) {
            double across = 0.5 * (piece->y_min + piece->y_max);
            Vec3 at = pose_apply(frame, vec3(piece->corners[c][0], across, piece->corners[c][1]));
            float *out = grade->tool[grade->tool_count];
            out[0] = (float)vec3_dot(vec3_sub(at, middle), ahead);
            out[1] = (float)at.z;
            grade->tool_starts[grade->tool_count++] = c == 0;
        }
    }
}

static void fill_section(const DesignSurface *design, Session *session, RenderGrade *grade)
{
    Vec3 ends[2], ahead = looks_ahead(session);
    edge_ends(session, ends);
    Vec3 middle = vec3_scale(vec3_add(ends[0], ends[1]), 0.5);
    double height = section_height(grade), width = height * RENDER_GRADE_ASPECT;
    grade->step = width / (RENDER_GRADE_POINTS - 1);
    grade->from = -0.5 * width;
    double wanted = grade->over ? middle.z - grade->offset[1] : middle.z;
    grade->low = fmin(fmax(0.5 * (middle.z + wanted), wanted - 0.3 * height), wanted + 0.3 * height) - 0.5 * height;
    for (int k = 0; k < RENDER_GRADE_POINTS; k++) {
        Vec3 at = vec3_madd(middle, grade->from + k * grade->step, ahead);
        grade->ground[k] = (float)soil_get_height(session_soil(session), at.x, at.y);
        grade->wanted[k] = design_or_none(design, at.x, at.y);
    }
    fill_tool(session, middle, ahead, grade);
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

static void fill_volumes(const Session *session, RenderGrade *grade)
{
    double values[METRIC_COUNT];
    const Exercise *exercise = session_exercise(session);
    bool surface = scene_has_part(&session_scene(session)->exercise, METRIC_OF_SURFACE);
    exercise_values(exercise, values);
    bool dozer = session_machine_params(session)->type == MACHINE_DOZER; // which cuts a slot or a strip
    grade->name = language_text(surface ? TEXT("Surface") : dozer ? TEXT("Cut") : TEXT("Trench"));
    grade->cut = surface ? values[METRIC_SURFACE_CUT] : -1.0;
    grade->fill = surface ? values[METRIC_SURFACE_FILL] : -1.0;
    grade->overdig = values[surface ? METRIC_SURFACE_OVERDIG : METRIC_OVERDIG];
}

void grade_view_fill(GradeView *own, Session *session, bool colors, RenderGrade *grade)
{
    const DesignSurface *design = exercise_work(session_exercise(session));
    const SessionFrame *frame = session_frame(session);
    grade->visible = !design_is_empty(design);
    grade->colors = colors && grade->visible;
    if (!grade->visible) {
        return;
    }
    SoilGridView grid = soil_get_grid(session_soil(session));
    if (own->design != design) {
        free(own->heights);
        *own = (GradeView){.design = design, .map_tick = -1};
    }
    grade->tolerance = design_tolerance(design);
    int64_t since = frame->tick - own->map_tick;
    if (own->map_tick < 0 || since < 0 || since >= MAP_TICKS) {
        fill_map(design, &grid, grade);
        own->map_tick = frame->tick;
    }
    fill_offsets(design, session, grade);
    fill_section(design, session, grade);
    fill_volumes(session, grade);
    grade->base_x = frame->machine.base.x;
    grade->base_y = frame->machine.base.y;
    grade->heading = frame->machine.yaw;
    if (colors) {
        fill_heights(own, &grid);
    }
    grade->design = own->heights;
    grade->design_key = own->key;
}

/// ---- debug view ----------------------------------------------------------------------------------------------------

#define ARROW_SCALE   20e3 ///< N a metre
#define CONTACT_SCALE 4e3 ///< N a metre
#define CONTACT_FORCE 5e3 ///< N at the end of the colours
#define DEBUG_LIFT    0.02 ///< m over the ground

enum { MOST_CUTS = 1024, MOST_TILES = 512, EDGE_PIECES = 16 };

/// Force on one particle, for its tint.
typedef struct Touch {
    uint32_t particle; ///< id
    float force; ///< N
} Touch;

/// A growing list of lines.
typedef struct Lines {
    int count, capacity;
    RenderLine *lines;
} Lines;

struct DebugView {
    Lines ground, forces;
    int touch_count, touch_capacity;
    Touch *touches;
    int tint_capacity; ///< particles
    uint8_t *tint;
    SoilCutColumn cuts[MOST_CUTS];
    SoilActiveTile tiles[MOST_TILES];
};

DebugView *debug_view_create(void)
{
    DebugView *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    return own;
}

void debug_view_destroy(DebugView *own)
{
    if (own != NULL) {
        free(own->ground.lines);
        free(own->forces.lines);
        free(own->touches);
        free(own->tint);
        free(own);
    }
}

/// Room for `count` things of `size` bytes.
static void *reserve(void *memory, int *capacity, int count, size_t size)
{
    if (count <= *capacity) {
        return memory;
    }
    *capacity = count + count / 2 + 256;
    void *grown = realloc(memory, (size_t)*capacity * size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

static void add_line(Lines *to, Vec3 a, Vec3 b, const float color[4], double alpha, double width)
{
    to->lines = reserve(to->lines, &to->capacity, to->count + 1, sizeof *to->lines);
    to->lines[to->count++] = (RenderLine){
        .a = a, .b = b, .color = {color[0], color[1], color[2], (float)alpha * color[3]}, .width = (float)width};
}

/// ---- ground --------------------------------------------------------------------------------------------------------

/// A grid and where it stands in the world.
typedef struct Field {
    SoilGridView grid;
    Pose frame;
} Field;

/// A corner of column (row, column), `row` and `column` -0.5 from its centre, at height z (world).
static Vec3 corner_of(const Field *field, double row, double column, double z)
{
    const SoilGridView *grid = &field->grid;
    Vec3 local =
        vec3(grid->origin_x + (column - 0.5) * grid->spacing, grid->origin_y + (row - 0.5) * grid->spacing, 0.0);
    Vec3 world = pose_apply(&field->frame, local);
    return vec3(world.x, world.y, z);
}

/// The same on the surface.
static Vec3 corner_on(const Field *field, double row, double column)
{
    const SoilGridView *grid = &field->grid;
    int r = (int)row, c = (int)column;
    r = r < grid->rows ? r : grid->rows - 1;
    c = c < grid->columns ? c : grid->columns - 1;
    double height = (double)grid->height[r * grid->columns + c];
    if (r > 0 && c > 0) { // the highest of the four columns that meet there
        height = fmax(fmax(height, (double)grid->height[(r - 1) * grid->columns + c]),
                      fmax((double)grid->height[r * grid->columns + c - 1],
                           (double)grid->height[(r - 1) * grid->columns + c - 1]));
    }
    return corner_of(field, row, column, height + DEBUG_LIFT);
}

/// The outline of a rectangle of columns, laid on the ground.
static void draw_rectangle(Lines *to, const Field *field, int row, int column, int rows, int columns,
                           const float color[4], double width)
{
    const int corner[5][2] = {
        {row, column}, {row, column + columns}, {row + rows, column + columns}, {row + rows, column}, {row, column}};
    for (int k = 0; k < 4; k++) {
        int steps = abs(corner[k + 1][0] - corner[k][0]) + abs(corner[k + 1][1] - corner[k][1]);
        int pieces = steps < EDGE_PIECES ? steps : EDGE_PIECES;
        Vec3 from = corner_on(field, corner[k][0], corner[k][1]);
        for (int piece = 1; piece <= pieces; piece++) {
            int at = steps * piece / pieces; // whole columns, so that the line follows the ground
            int down = corner[k + 1][0] - corner[k][0], along = corner[k + 1][1] - corner[k][1];
            Vec3 to_place = corner_on(field,
                                      corner[k][0] + (down > 0   ? at
                                                      : down < 0 ? -at
                                                                 : 0),
                                      corner[k][1] + (along > 0   ? at
                                                      : along < 0 ? -at
                                                                  : 0));
            add_line(to, from, to_place, color, 1.0, width);
            from = to_place;
        }
    }
}

static void draw_tiles(DebugView *own, const Soil *soil, int tray, const Field *field)
{
    int count = soil_get_active_tiles(soil, tray, own->tiles, MOST_TILES);
    for (int k = 0; k < count; k++) {
        const SoilActiveTile *tile = &own->tiles[k];
        if (tile->slides) {
            draw_rectangle(&own->ground, field, tile->row, tile->column, tile->rows, tile->columns,
                           render_debug_sliding, 1.0);
        }
        if (tile->changed_rows > 0) {
            draw_rectangle(&own->ground, field, tile->changed_row, tile->changed_column, tile->changed_rows,
                           tile->changed_columns, render_debug_changed, 1.3);
        }
    }
}

/// A cut column: its floor, and when it is of the last tick, the whole prism that went.
static void draw_cut(Lines *to, const Field *field, const SoilCutColumn *cut, double half_second)
{
    bool now = cut->age == 0;
    double alpha = now ? 1.0 : 0.45 * (1.0 - (double)cut->age / (half_second + 1.0));
    for (int k = 0; k < 4; k++) {
        int row = cut->row + (k == 1 || k == 2), column = cut->column + (k >= 2);
        int next_row = cut->row + (k == 0 || k == 1), next_column = cut->column + (k == 1 || k == 2);
        Vec3 a = corner_of(field, row, column, cut->floor), b = corner_of(field, next_row, next_column, cut->floor);
        add_line(to, a, b, render_debug_cut, alpha, now ? 1.0 : 0.6);
        if (now) {
            add_line(to, a, corner_of(field, row, column, cut->top), render_debug_cut, 0.6, 0.6);
            add_line(to, corner_of(field, row, column, cut->top), corner_of(field, next_row, next_column, cut->top),
                     render_debug_cut, 0.6, 0.6);
        }
    }
}

/// True when the column was cut again after cut k: its newer floor is drawn.
static bool is_cut_again(const SoilCutColumn *cuts, int k)
{
    bool again = false;
    for (int newer = 0; newer < k && !again; newer++) {
        again = cuts[newer].row == cuts[k].row && cuts[newer].column == cuts[k].column;
    }
    return again;
}

static void draw_wedge(DebugView *own, Session *session, const Field *site, RenderDebug *debug)
{
    int half_second = session_scene(session)->rates.tick_rate / 2;
    int count = soil_get_wedge(session_soil(session), half_second - 1, own->cuts, MOST_CUTS);
    for (int k = 0; k < count; k++) {
        if (!is_cut_again(own->cuts, k)) {
            draw_cut(&own->forces, site, &own->cuts[k], half_second);
            debug->cut_columns += own->cuts[k].age == 0;
            debug->recent_cut_columns++;
        }
    }
}

static void draw_ground(DebugView *own, Session *session, RenderDebug *debug)
{
    Soil *soil = session_soil(session);
    const SceneParams *scene = session_scene(session);
    Field site = {soil_get_grid(soil), {vec3(0, 0, 0), mat3_identity()}};
    draw_tiles(own, soil, -1, &site);
    if (scene->exercise.kind == EXERCISE_TRUCK_LOADING) {
        int trucks = session_trucks_count(session_trucks(session));
        for (int k = 0; k < (trucks > 0 ? trucks : 1); k++) {
            Pose frame = soil_get_tray_frame(soil, k);
            Vec3 under = vec3(0.0, 0.0, -scene->exercise.truck.floor_height); // heights count from below the floor
            Field bed = {soil_get_tray_grid(soil, k), {pose_apply(&frame, under), frame.rotation}};
            draw_tiles(own, soil, k, &bed);
        }
    }
    draw_wedge(own, session, &site, debug);
    const Vec3 *places;
    debug->yields = soil_get_yields(soil, &places);
    for (int k = 0; k < debug->yields; k++) {
        add_line(&own->forces, places[k], places[k], render_debug_yield, 1.0, 4.0);
    }
}

/// ---- forces --------------------------------------------------------------------------------------------------------

/// An arrow of four barbs.
static void draw_arrow(Lines *to, Vec3 from, Vec3 by, const float color[4], double width)
{
    double length = vec3_length(by);
    Vec3 tip = vec3_add(from, by), along = vec3_unit(by, vec3(0, 0, 1));
    Vec3 aside = vec3_unit(vec3_cross(along, fabs(along.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0)), vec3(0, 1, 0));
    Vec3 across = vec3_cross(along, aside);
    double head = fmin(0.35 * length, 0.22);
    add_line(to, from, tip, color, 1.0, width);
    for (int k = 0; k < 4; k++) {
        Vec3 out = vec3_scale(k < 2 ? aside : across, (k % 2 == 0 ? 0.4 : -0.4) * head);
        add_line(to, tip, vec3_add(vec3_madd(tip, -head, along), out), color, 1.0, width);
    }
    add_line(to, from, from, color, 1.0, 2.0 * width);
}

static void draw_forces(DebugView *own, Session *session)
{
    static const float total_color[4] = {1.0F, 1.0F, 1.0F, 1.0F};
    SoilToolContactView view = soil_get_tool_contacts(session_soil(session));
    own->touches = reserve(own->touches, &own->touch_capacity, view.count, sizeof *own->touches);
    for (int k = 0; k < view.count; k++) {
        const SoilToolContact *contact = &view.contacts[k];
        double force = vec3_length(contact->force);
        float color[4];
        render_force_color(force / CONTACT_FORCE, color);
        Vec3 end = vec3_madd(contact->point, 1.0 / CONTACT_SCALE, contact->force);
        bool ground = contact->particle == SOIL_NO_PARTICLE;
        add_line(&own->forces, contact->point, end, color, 0.9, ground ? 1.6 : 0.8);
        add_line(&own->forces, contact->point, contact->point, color, 1.0, ground ? 3.0 : 1.2);
        if (!ground) {
            own->touches[own->touch_count++] = (Touch){contact->particle, (float)force};
        }
    }
    const SessionFrame *frame = session_frame(session);
    draw_arrow(&own->forces, frame->tool.center, vec3_scale(frame->tool_wrench.force, 1.0 / ARROW_SCALE), total_color,
               2.2);
}

static int compare_touches(const void *a, const void *b)
{
    const Touch *x = a, *y = b;
    return x->particle != y->particle ? (x->particle > y->particle) - (x->particle < y->particle)
                                      : (x->force > y->force) - (x->force < y->force);
}

static int compare_particle(const void *key, const void *element)
{
    uint32_t id = *(const uint32_t *)key, other = ((const Touch *)element)->particle;
    return (id > other) - (id < other);
}

/// Sorts contacts by particle and sums those of a particle that touches several plates.
static void gather_touches(DebugView *own)
{
    if (own->touch_count == 0) {
        return;
    }
    qsort(own->touches, (size_t)own->touch_count, sizeof *own->touches, compare_touches);
    int kept = 0;
    for (int k = 1; k < own->touch_count; k++) {
        if (own->touches[k].particle == own->touches[kept].particle) {
            own->touches[kept].force += own->touches[k].force;
        } else {
            own->touches[++kept] = own->touches[k];
        }
    }
    own->touch_count = kept + 1;
}

/// Colours the particles that touch the tool by their force on it.
static void tint_particles(DebugView *own, RenderParticles *particles)
{
    gather_touches(own);
    if (own->touch_count == 0) {
        return;
    }
    own->tint = reserve(own->tint, &own->tint_capacity, particles->count, 4);
    memset(own->tint, 0, 4 * (size_t)particles->count);
    for (int i = 0; i < particles->count; i++) {
        const Touch *touch =
            bsearch(&particles->id[i], own->touches, (size_t)own->touch_count, sizeof *own->touches, compare_particle);
        if (touch != NULL) {
            float color[4];
            render_force_color((double)touch->force / CONTACT_FORCE, color);
            for (int k = 0; k < 3; k++) {
                own->tint[4 * i + k] = (uint8_t)(255.0F * color[k]);
            }
            own->tint[4 * i + 3] = 230;
        }
    }
    particles->tint = own->tint;
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

static void fill_figures(Session *session, RenderDebug *debug)
{
    const SessionFrame *frame = session_frame(session);
    debug->visible = true;
    debug->tick = frame->tick;
    debug->known = frame->tick_ms > 0.0;
    debug->particles = soil_get_particles(session_soil(session)).count;
    debug->budget = session_scene(session)->particles.budget;
    debug->crowding = frame->counters.crowding;
    debug->contacts = frame->counters.contacts;
    debug->tool_contacts = soil_get_tool_contacts(session_soil(session)).count;
    debug->spawned = frame->counters.spawned;
    debug->absorbed = frame->counters.absorbed;
    debug->active_columns = frame->counters.active_columns;
    debug->soil_ms = frame->soil_ms;
    debug->machine_ms = frame->machine_ms;
    debug->tick_ms = frame->tick_ms;
    debug->quantum = SOIL_QUANTUM;
    debug->mass_ground = frame->ledger.ground;
    debug->mass_particles = frame->ledger.particles;
    debug->mass_trays = frame->ledger.trays;
    debug->mass_left = frame->ledger.left;
    debug->mass_total = frame->ledger.total;
    debug->mass_drift = frame->mass_drift;
    debug->force = vec3_length(frame->tool_wrench.force);
    debug->arrow_scale = ARROW_SCALE;
    debug->contact_scale = CONTACT_SCALE;
    debug->contact_force = CONTACT_FORCE;
}

void debug_view_fill(DebugView *own, Session *session, RenderView *view)
{
    own->ground.count = own->forces.count = own->touch_count = 0;
    view->debug = (RenderDebug){0};
    fill_figures(session, &view->debug);
    draw_ground(own, session, &view->debug);
    draw_forces(own, session);
    tint_particles(own, &view->particles);
    view->debug.ground_lines = own->ground.lines;
    view->debug.ground_line_count = own->ground.count;
    view->debug.force_lines = own->forces.lines;
    view->debug.force_line_count = own->forces.count;
}
