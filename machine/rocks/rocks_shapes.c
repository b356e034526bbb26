/// Shapes of rocks: defaults and checks of the parameters, mass and inertia of a shape from its parts, and the halves
/// that a rock splits into.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "machine/rocks/rocks_internal.h"

/// ---- parameters and kinds ------------------------------------------------------------------------------------------

void rocks_default(RocksParams *params)
{
    memset(params, 0, sizeof *params);
    params->friction = 0.6;
    params->restitution = 0.1;
    params->sleep = (RockSleepParams){.rest = true,
                                      .piles = true,
                                      .rest_speed = 0.1,
                                      .rest_time = 0.1,
                                      .wake_speed = 0.5,
                                      .pile_wake_speed = 10.0,
                                      .wake_time = 0.1,
                                      .threshold = 0.5,
                                      .avalanche_density = 0.8,
                                      .repose_slope = 1.0};
}

static bool check_number(const char *key, double value, double low, double high, Status *status)
{
    if (!(value >= low && value <= high)) {
        return status_fail(status, STATUS_BAD_FILE, "rocks.%s is %g; allowed is %g..%g", key, value, low, high);
    }
    return true;
}

static bool check_sleep(const RockSleepParams *sleep, Status *status)
{
    return check_number("sleep.rest_speed", sleep->rest_speed, 1e-3, 1.0, status) &&
           check_number("sleep.rest_time", sleep->rest_time, 0.0, 10.0, status) &&
           check_number("sleep.wake_speed", sleep->wake_speed, 1e-3, 1e6, status) &&
           check_number("sleep.pile_wake_speed", sleep->pile_wake_speed, 1e-3, 1e6, status) &&
           check_number("sleep.wake_time", sleep->wake_time, 0.0, 10.0, status) &&
           check_number("sleep.threshold", sleep->threshold, 0.0, 1.0, status) &&
           check_number("sleep.avalanche_density", sleep->avalanche_density, 0.1, 2.0, status) &&
           check_number("sleep.repose_slope", sleep->repose_slope, 0.05, 5.0, status);
}

static bool check_counts(const RocksParams *params, Status *status)
{
    return check_number("budget", params->budget, 1, ROCK_MAX_BUDGET, status) &&
           check_number("shape_count", params->shape_count, 1, ROCK_MAX_SHAPES, status) &&
           check_number("cut_capacity", params->cut_capacity, 0, ROCK_MAX_CUTS, status) &&
           (params->cut_capacity == 0 || check_number("mass_quantum", params->mass_quantum, 1e-9, 1.0, status)) &&
           check_number("obstacle_count", params->obstacle_count, 0, ROCK_MAX_OBSTACLES, status) &&
           check_number("mover_count", params->mover_count, 0, ROCK_MAX_MOVERS, status) &&
           check_number("friction", params->friction, 0.0, 2.0, status) &&
           check_number("restitution", params->restitution, 0.0, 1.0, status);
}

static bool build_hull(const RockPart *part, const char *key, int index, int number, ConvexHull *hull, Status *status)
{
    const char *reason = "";
    if (convex_build(part->point, part->point_count, hull, &reason)) {
        return true;
    }
    return status_fail(status, STATUS_BAD_FILE, "rocks.%s[%d].part[%d] has %d points: %s", key, index, number,
                       part->point_count, reason);
}

// By its cofactors; a solid's tensor of inertia has a determinant above 0.
static Mat3 invert(const Mat3 *t)
{
    const double(*m)[3] = t->m;
    double determinant = 0.0;
    Mat3 inverse;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
            inverse.m[i][j] = m[r][p] * m[s][q] - m[r][q] * m[s][p];
        }
        determinant += m[0][i] * inverse.m[i][0];
    }
    for (int k = 0; k < 9; k++) {
        inverse.m[k / 3][k % 3] /= determinant;
    }
    return inverse;
}

// Moves the parts so that the centre of mass is the origin. Inertia I = tr(S) - S with S = density x int x x'.
static void settle_kind(const ConvexIntegrals *sum, RockKind *kind)
{
    Vec3 c = vec3_scale(sum->first, 1.0 / sum->volume);
    const double center[3] = {c.x, c.y, c.z};
    double density = kind->mass / sum->volume, s[3][3], trace = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            s[i][j] = density * (sum->second[i][j] - sum->volume * center[i] * center[j]);
        }
        trace += s[i][i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            kind->inertia.m[i][j] = (i == j ? trace : 0.0) - 0.5 * (s[i][j] + s[j][i]);
        }
    }
    kind->inertia_inverse = invert(&kind->inertia);
    RockBox box = {vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    for (int p = 0; p < kind->part_count; p++) {
        ConvexHull *hull = &kind->part[p];
        for (int k = 0; k < hull->point_count; k++) {
            hull->point[k] = vec3_sub(hull->point[k], c);
        }
        RockBox own = rocks_box_of(hull->point, hull->point_count);
        box.low = vec3(fmin(box.low.x, own.low.x), fmin(box.low.y, own.low.y), fmin(box.low.z, own.low.z));
        box.high = vec3(fmax(box.high.x, own.high.x), fmax(box.high.y, own.high.y), fmax(box.high.z, own.high.z));
    }
    Vec3 size = vec3_sub(box.high, box.low);
    kind->volume = sum->volume;
    kind->box_volume = size.x * size.y * size.z;
    kind->length = vec3_length(size);
}

bool rocks_build_kind(const RockShapeParams *params, int index, RockKind *kind, Status *status)
{
    memset(kind, 0, sizeof *kind);
    if (!(params->mass > 0.0) || !isfinite(params->mass)) {
        return status_fail(status, STATUS_BAD_FILE, "rocks.shape[%d].mass is %g kg; it must be positive", index,
                           params->mass);
    }
    if (params->part_count < 1 || params->part_count > ROCK_MAX_PARTS) {
        return status_fail(status, STATUS_BAD_FILE, "rocks.shape[%d].part_count is %d; allowed is 1..%d", index,
                           params->part_count, ROCK_MAX_PARTS);
    }
    if (!(params->work_index >= 0.0 && params->work_index <= 1e4)) {
        return status_fail(status, STATUS_BAD_FILE, "rocks.shape[%d].work_index is %g J sqrt(m)/kg; allowed is 0..1e4",
                           index, params->work_index);
    }
    kind->mass = params->mass;
    kind->work_index = params->work_index;
    kind->part_count = params->part_count;
    ConvexIntegrals sum = {0};
    for (int p = 0; p < params->part_count; p++) {
        if (!build_hull(&params->part[p], "shape", index, p, &kind->part[p], status)) {
            return false;
        }
        convex_integrate(&kind->part[p], &sum);
    }
    settle_kind(&sum, kind);
    if (kind->length < 0.01 || kind->length > 20.0) {
        return status_fail(status, STATUS_BAD_FILE, "rocks.shape[%d] is %g m long; allowed is 0.01..20", index,
                           kind->length);
    }
    return true;
}

static bool check_mover(const RockMoverParams *mover, int index, Status *status)
{
    if (!check_number("mover.friction", mover->friction, 0.0, 2.0, status) ||
        !check_number("mover.part_count", mover->part_count, 0, ROCK_MAX_MOVER_PARTS, status)) {
        return false;
    }
    ConvexHull hull;
    for (int p = 0; p < mover->part_count; p++) {
        if (!build_hull(&mover->part[p], "mover", index, p, &hull, status)) {
            return false;
        }
    }
    return true;
}

bool rocks_check(const RocksParams *params, Status *status)
{
    if (!check_counts(params, status) || !check_sleep(&params->sleep, status)) {
        return false;
    }
    RockKind kind;
    for (int i = 0; i < params->shape_count; i++) {
        if (!rocks_build_kind(&params->shape[i], i, &kind, status)) {
            return false;
        }
    }
    ConvexHull hull;
    for (int i = 0; i < params->obstacle_count; i++) {
        if (!build_hull(&params->obstacle[i], "obstacle", i, 0, &hull, status)) {
            return false;
        }
    }
    for (int i = 0; i < params->mover_count; i++) {
        if (!check_mover(&params->mover[i], i, status)) {
            return false;
        }
    }
    return status_good(status);
}

/// ---- splitting -----------------------------------------------------------------------------------------------------
/// Rocks that blows split: how much energy a rock takes, along which plane it parts, and the two kinds of rock that
/// come of it.
///
/// Energy. Bond's law (Bond 1952, The third theory of comminution; 1961, Crushing and grinding calculations): to bring
/// rock from size F to size P takes W = 10 Wi (1 / sqrt(P) - 1 / sqrt(F)) kWh/t, sizes in micrometres, Wi the rock's
/// work index. Halves of a rock of diameter F have P = F / 2^(1/3). Blows add up until a rock has taken what its halves
/// cost.
///
/// Plane. It holds the chisel's direction and passes through the place that was struck, or at most NEAR_MIDDLE of the
/// rock's half length beside its middle; of all such planes it is the one square to the rock's longest extent, turned
/// by `twist`: the crack takes a short way. Both halves are convex, keep their place and share the rock's motion.
///
/// Kinds of halves follow from the list of cuts, which is state: parent and plane. So a state that is restored builds
/// them anew, bit for bit.

// Of the half length of a rock along the plane's normal: how far from its middle it may part. Chosen: a half has at
// least about a quarter of the rock.
#define NEAR_MIDDLE 0.3
// m: corners nearer than this to one another are one.
#define SAME_POINT 0.01

enum { MOST_CORNERS = CONVEX_MAX_POINTS + CONVEX_MAX_EDGES };

static double diameter_of(double volume)
{
    return same_cbrt(6.0 / M_PI * volume);
}

double rocks_get_strength(const Rocks *rocks, int rock)
{
    if (rock < 0 || rock >= rocks->params.budget || rocks->state.shape[rock][0] < 0) {
        return HUGE_VAL;
    }
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    double size = diameter_of(kind->volume), half = diameter_of(0.5 * kind->volume);
    bool stays = kind->work_index <= 0.0 || kind->part_count != 1 || half < ROCK_LEAST_HALF ||
                 rocks->cuts.count >= rocks->params.cut_capacity;
    return stays ? HUGE_VAL : kind->mass * kind->work_index * (1.0 / sqrt(half) - 1.0 / sqrt(size));
}

bool rocks_strike(Rocks *rocks, int rock, double energy)
{
    assert(rock >= 0 && rock < rocks->params.budget && energy >= 0.0);
    double strength = rocks_get_strength(rocks, rock);
    rocks->state.damage[rock][0] += strength < HUGE_VAL ? energy : 0.0;
    return rocks->state.damage[rock][0] >= strength;
}

/// ---- cutting a hull ------------------------------------------------------------------------------------------------

typedef struct Corners {
    int count;
    Vec3 point[MOST_CORNERS];
} Corners;

static void add_corner(Corners *corners, Vec3 p)
{
    assert(corners->count < MOST_CORNERS);
    corners->point[corners->count++] = p;
}

/// Leaves out one of the nearest two as long as there are too many or two are nearly one. What is left lies inside.
static void thin_out(Corners *corners)
{
    for (;;) {
        double nearest = HUGE_VAL;
        int drop = 0;
        for (int i = 1; i < corners->count; i++) {
            for (int k = 0; k < i; k++) {
                Vec3 to = vec3_sub(corners->point[i], corners->point[k]);
                if (vec3_dot(to, to) < nearest) {
                    nearest = vec3_dot(to, to);
                    drop = i;
                }
            }
        }
        if (corners->count <= CONVEX_MAX_POINTS && nearest >= SAME_POINT * SAME_POINT) {
            return;
        }
        corners->count--;
        memmove(&corners->point[drop], &corners->point[drop + 1],
                (size_t)(corners->count - drop) * sizeof *corners->point);
    }
}

/// The corners of a hull on one side of a plane: `side` -1 below it, +1 above; those of the cut belong to both.
static void cut_hull(const ConvexHull *hull, Vec3 normal, double offset, double side, Corners *corners)
{
    corners->count = 0;
    for (int k = 0; k < hull->point_count; k++) {
        if (side * (vec3_dot(normal, hull->point[k]) - offset) >= 0.0) {
            add_corner(corners, hull->point[k]);
        }
    }
    for (int e = 0; e < hull->edge_count; e++) {
        Vec3 a = hull->point[hull->edge_point[e][0]], b = hull->point[hull->edge_point[e][1]];
        double from = vec3_dot(normal, a) - offset, to = vec3_dot(normal, b) - offset;
        if (from * to < 0.0) {
            add_corner(corners, vec3_madd(a, from / (from - to), vec3_sub(b, a)));
        }
    }
    thin_out(corners);
}

/// One half of a kind, with its middle in the parent's frame. The mass is not known yet.
static bool build_half(const RockKind *parent, Vec3 normal, double offset, double side, RockKind *half, Vec3 *middle)
{
    Corners corners;
    RockShapeParams params = {.mass = 1.0, .work_index = parent->work_index, .part_count = 1};
    cut_hull(&parent->part[0], normal, offset, side, &corners);
    params.part[0].point_count = corners.count;
    memcpy(params.part[0].point, corners.point, (size_t)corners.count * sizeof *corners.point);
    Status ignored;
    if (corners.count < 4 || !rocks_build_kind(&params, 0, half, &ignored)) {
        return false;
    }
    ConvexHull hull;
    ConvexIntegrals sum = {0};
    const char *reason;
    if (!convex_build(corners.point, corners.count, &hull, &reason)) {
        return false;
    }
    convex_integrate(&hull, &sum);
    *middle = vec3_scale(sum.first, 1.0 / sum.volume);
    return diameter_of(half->volume) >= ROCK_LEAST_HALF;
}

static void set_mass(RockKind *kind, double mass)
{
    for (int k = 0; k < 9; k++) {
        kind->inertia.m[k / 3][k % 3] *= mass / kind->mass;
        kind->inertia_inverse.m[k / 3][k % 3] *= kind->mass / mass;
    }
    kind->mass = mass;
}

/// Both halves, below the plane first; their masses are whole quanta that add up to the parent's.
static bool build_halves(const RockKind *parent, Vec3 normal, double offset, double quantum, RockKind half[2],
                         Vec3 middle[2])
{
    if (!build_half(parent, normal, offset, -1.0, &half[0], &middle[0]) ||
        !build_half(parent, normal, offset, 1.0, &half[1], &middle[1])) {
        return false;
    }
    double quanta = round(parent->mass / quantum);
    double first = round(quanta * half[0].volume / (half[0].volume + half[1].volume));
    if (first < 1.0 || first > quanta - 1.0) {
        return false;
    }
    set_mass(&half[0], first * quantum);
    set_mass(&half[1], (quanta - first) * quantum);
    return true;
}

/// ---- the plane -----------------------------------------------------------------------------------------------------

/// Rounded so that another computer's sines give the same plane.
static double rounded(double value)
{
    return round(value * 1e6) * 1e-6;
}

/// Unit normal of the plane, in the rock's frame: square to `axis`, along the rock's longest extent but for `twist`
/// rad. The second moments are S = tr(I) / 2 - I.
static Vec3 choose_normal(const RockKind *kind, Vec3 axis, double twist)
{
    Vec3 away = fabs(axis.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    Vec3 u = vec3_unit(vec3_cross(axis, away), away), v = vec3_cross(axis, u);
    Vec3 iu = mat3_mul(&kind->inertia, u), iv = mat3_mul(&kind->inertia, v);
    double angle = 0.5 * same_atan2(-2.0 * vec3_dot(u, iv), vec3_dot(v, iv) - vec3_dot(u, iu)) + twist;
    Vec3 n = vec3_add(vec3_scale(u, same_cos(angle)), vec3_scale(v, same_sin(angle)));
    return vec3_unit(vec3(rounded(n.x), rounded(n.y), rounded(n.z)), u);
}

/// m from the middle along the normal: through the place that was struck, near the middle.
static double choose_offset(const RockKind *kind, Vec3 normal, Vec3 place)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < kind->part[0].point_count; k++) {
        double at = vec3_dot(normal, kind->part[0].point[k]);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    return rounded(fmax(NEAR_MIDDLE * low, fmin(vec3_dot(normal, place), NEAR_MIDDLE * high)));
}

/// ---- the cuts as state ---------------------------------------------------------------------------------------------

/// Adds the two kinds of a cut behind those there are.
static bool add_kinds(Rocks *rocks, int parent, Vec3 normal, double offset, Vec3 middle[2])
{
    RockKind *half = &rocks->kind[rocks->kind_count];
    if (!build_halves(&rocks->kind[parent], normal, offset, rocks->params.mass_quantum, half, middle)) {
        return false;
    }
    rocks->kind_count += 2;
    return true;
}

bool rocks_rebuild_kinds(Rocks *rocks)
{
    const RockCuts *cuts = &rocks->cuts;
    bool good = true;
    rocks->kind_count = rocks->params.shape_count;
    for (int k = 0; k < cuts->count && good; k++) {
        Vec3 normal = rocks_vec(cuts->normal[k]), middle[2];
        double length = vec3_length(normal), offset = cuts->offset[k][0];
        int parent = cuts->parent[k][0];
        good = fabs(length - 1.0) < 1e-9 && fabs(offset) < 100.0 && parent >= 0 && parent < rocks->kind_count &&
               rocks->kind[parent].part_count == 1 && add_kinds(rocks, parent, normal, offset, middle);
    }
    return good;
}

/// ---- breaking ------------------------------------------------------------------------------------------------------

/// Puts the halves in the rock's place. They go on as its parts did, so that momentum stays.
static int put_halves(Rocks *rocks, int rock, int first_kind, const Vec3 middle[2])
{
    RockView view;
    bool there = rocks_get(rocks, rock, &view);
    assert(there);
    (void)there;
    const double *q = rocks->state.quaternion[rock];
    const Quat turn = {q[0], q[1], q[2], q[3]};
    Vec3 arm[2], gain = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        arm[k] = mat3_mul(&view.motion.frame.rotation, middle[k]);
        gain = vec3_madd(gain, rocks->kind[first_kind + k].mass / view.mass, vec3_cross(view.motion.spin, arm[k]));
    }
    rocks_remove(rocks, rock);
    int number[2];
    for (int k = 0; k < 2; k++) {
        Status ignored;
        Vec3 velocity = vec3_sub(vec3_add(view.motion.velocity, vec3_cross(view.motion.spin, arm[k])), gain);
        number[k] = rocks_add(rocks, first_kind + k, vec3_add(view.motion.center, arm[k]), turn, velocity,
                              view.motion.spin, &ignored);
        assert(number[k] >= 0); // the budget was looked at before
    }
    return number[0] == rock ? number[1] : number[0];
}

int rocks_break(Rocks *rocks, int rock, Vec3 point, Vec3 axis, double twist)
{
    RockView view;
    RocksCounters counters = rocks_get_counters(rocks);
    if (!rocks_get(rocks, rock, &view) || rocks_get_strength(rocks, rock) == HUGE_VAL ||
        counters.rocks >= rocks->params.budget) {
        return -1;
    }
    const RockKind *kind = &rocks->kind[view.shape];
    Vec3 place = pose_apply_inverse(&view.motion.frame, point), middle[2];
    Vec3 normal = choose_normal(kind, mat3_mul_transposed(&view.motion.frame.rotation, axis), twist);
    double offset = choose_offset(kind, normal, place);
    int first = rocks->kind_count;
    if (!add_kinds(rocks, view.shape, normal, offset, middle)) {
        offset = 0.0;
        if (!add_kinds(rocks, view.shape, normal, offset, middle)) {
            rocks->state.damage[rock][0] = 0.0;
            return -1;
        }
    }
    RockCuts *cuts = &rocks->cuts;
    int n = cuts->count++;
    cuts->parent[n][0] = view.shape;
    rocks_put(cuts->normal[n], normal);
    cuts->offset[n][0] = offset;
    return put_halves(rocks, rock, first, middle);
}

/// ---- what a mover presses on ---------------------------------------------------------------------------------------

int rocks_find_pressed(const Rocks *rocks, int mover, int part, Vec3 *point)
{
    const RockScratch *scratch = &rocks->scratch;
    int rock = -1;
    double most = 0.0;
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockTouch *touch = &scratch->touch[k];
        bool here = touch->b < 0 && rocks_mover_of(touch->b) == mover && touch->part == part;
        if (here && scratch->constraint[k].impulse > most) {
            most = scratch->constraint[k].impulse;
            rock = touch->a;
            *point = touch->point;
        }
    }
    return rock;
}

void rocks_push(Rocks *rocks, int rock, Vec3 point, Vec3 impulse)
{
    RockScratch *scratch = &rocks->scratch;
    if (rocks->state.shape[rock][0] < 0 || rocks->state.asleep[rock][0]) {
        return; // what sleeps stands as ground does
    }
    RockBody *body = &scratch->body[scratch->slot[rock]];
    Vec3 arm = vec3_sub(point, rocks_vec(rocks->state.position[rock]));
    body->velocity = vec3_madd(body->velocity, body->inverse_mass, impulse);
    body->spin = vec3_add(body->spin, mat3_mul(&body->inertia_inverse, vec3_cross(arm, impulse)));
    rocks_put(rocks->state.velocity[rock], body->velocity);
    rocks_put(rocks->state.spin[rock], body->spin);
}
