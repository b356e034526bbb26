/// Where they stand: depth boards against the walls of an excavator's trench, so that they come out of the ground as it
/// is dug, and ranging poles behind its far corners; profiles beside a dozer's slot and along the sides of a surface,
/// whose zero is the design, out of the way of blade and tracks.
#include "trainer/app/exercise_staffs.h"

#include <math.h>
#include <string.h>

#include "data/schema/design_surface.h"

#define FROM_WALL  0.14 ///< m of a board from the wall as it is to be: over the slope that a wall has between columns
#define BESIDE     0.35 ///< m of a pole or a stake from what it marks
#define CLEAR      0.45 ///< m of a profile from the edge of a slot: a blade as wide as the slot does not touch it
#define RAIL_OVER  0.45 ///< m of a profile's rail over the site at least; over the design it is at a half metre
#define POLE_HIGH  2.0 ///< m
#define STAKE_HIGH 0.8 ///< m over the design or the ground, whichever is higher
#define STAKE_STEP 5.0 ///< m between stakes along a side, at most
#define BELOW      0.5 ///< m: how far they go on under what they stand on

typedef struct Staffs {
    RenderStaff *staffs;
    int count;
} Staffs;

static void add(Staffs *to, RenderStaffKind kind, Vec3 at, double heading, double low, double high)
{
    if (to->count < RENDER_MAX_STAFFS) {
        RenderStaff *staff = &to->staffs[to->count++];
        memset(staff, 0, sizeof *staff); // what compares them looks at every byte
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
    add(to, RENDER_STAFF_PROFILE, at, heading, fmin(over, 0.0) - BELOW,
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
        // At the end wall in the corner, and in the middle of the side, for who looks from the other one.
        Vec3 corner = in_trench(trench, trench->length - FROM_WALL, side * (half - 0.32));
        add(to, RENDER_STAFF_BOARD, corner, trench->heading + M_PI, low, 0.0);
        add(to, RENDER_STAFF_BOARD, in_trench(trench, 0.5 * trench->length, wall), facing, low, 0.0);
        Vec3 pole = in_trench(trench, trench->length + BESIDE, side * (half + BESIDE));
        add(to, RENDER_STAFF_POLE, pole, trench->heading, -BELOW, POLE_HIGH);
        Vec3 stake = in_trench(trench, 0.0, side * (half + BESIDE));
        add(to, RENDER_STAFF_STAKE, stake, trench->heading, -BELOW, 0.5);
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
        add(to, RENDER_STAFF_STAKE, vec3(rip->x + c * u - s * v, rip->y + s * u + c * v, 0.0), rip->heading, -BELOW,
            STAKE_HIGH);
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
