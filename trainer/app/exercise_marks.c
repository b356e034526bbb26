/// Draws an exercise's marks as lines (edge of the site, trench with depth ladder, design surface, ripping area, dump
/// circle, truck, numbered targets, zones of persons) and places its staffs, stakes and depth boards.
#include "trainer/app/exercise_marks.h"

#include <math.h>
#include <string.h>

#include "data/schema/schema.h"

/// Lines lie this far over the ground, m: clear of its small unevenness, near enough to mark it.
#define LIFT 0.04

static const float mark_color[4] = {1.0F, 0.85F, 0.1F, 0.95F}; // what is to be dug
static const float depth_color[4] = {0.25F, 0.75F, 1.0F, 0.9F}; // how deep
static const float zone_color[4] = {1.0F, 0.35F, 0.15F, 0.95F}; // what is to be kept clear of
static const float later_color[4] = {0.85F, 0.9F, 1.0F, 0.45F}; // what comes after it
static const float edge_color[4] = {1.0F, 0.2F, 0.15F, 0.8F}; // where the site ends
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
    double c = cos(place->heading), s = sin(place->heading), half = 0.5 * load->pipe.length, r = load->pipe.radius;
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
    const SceneParams *scene = session_scene(session);
    for (int k = 0; k < scene->persons_count; k++) {
        if (scene->persons[k].zone > 0.0) {
            draw_circle(&pencil, scene->persons[k].x, scene->persons[k].y, scene->persons[k].zone, zone_color);
        }
    }
    draw_edge(&pencil, &scene->ground);
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
