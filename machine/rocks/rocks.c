/// A heap of rocks: parameters and shapes, memory for the whole budget at once, adding, removing and splitting rocks,
/// the steps of a tick, the exchange with movers, getters, and the fields of the state. Numbers without a source are
/// chosen; test_machine_rocks and test_machine_rock_movers check their effects.
#include "machine/rocks.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"
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

/// Builds a kind of rock from a shape: its parts about its centre of mass. False with `status` when that is no solid.
static bool rocks_build_kind(const RockShapeParams *params, int index, RockKind *kind, Status *status)
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

/// Leaves out one of the nearest two as long as there are too many or two are nearly one. The hull that
/// remains lies inside the original.
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

/// The kinds of halves anew, from the cuts. False when these do not hold together.
static bool rocks_rebuild_kinds(Rocks *rocks)
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

/// ---- life and readings ---------------------------------------------------------------------------------------------

static Mat3 rotation_of(const double q[4])
{
    return mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
}

/// R T R'
static Mat3 turn_tensor(const Mat3 *r, const Mat3 *t)
{
    Mat3 half, whole;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            half.m[i][j] = r->m[i][0] * t->m[0][j] + r->m[i][1] * t->m[1][j] + r->m[i][2] * t->m[2][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            whole.m[i][j] = half.m[i][0] * r->m[j][0] + half.m[i][1] * r->m[j][1] + half.m[i][2] * r->m[j][2];
        }
    }
    return whole;
}

static bool build_shapes(Rocks *rocks, Status *status)
{
    RockScratch *scratch = &rocks->scratch;
    const char *reason;
    rocks->kind_count = rocks->params.shape_count;
    rocks->kind = zeroed_alloc((size_t)rocks->kind_count + 2 * (size_t)rocks->params.cut_capacity, sizeof *rocks->kind);
    if (!rocks->kind) {
        return status_fail(status, STATUS_LACKING, "rocks: no memory");
    }
    if (rocks->params.cut_capacity > 0) {
        scratch->point_stride = CONVEX_MAX_POINTS;
        scratch->face_stride = CONVEX_MAX_FACES;
    }
    for (int i = 0; i < rocks->params.shape_count; i++) {
        RockKind *kind = &rocks->kind[i];
        if (!rocks_build_kind(&rocks->params.shape[i], i, kind, status)) {
            return false;
        }
        rocks->length = fmax(rocks->length, kind->length);
        scratch->part_stride = kind->part_count > scratch->part_stride ? kind->part_count : scratch->part_stride;
        for (int p = 0; p < kind->part_count; p++) {
            const ConvexHull *hull = &kind->part[p];
            scratch->point_stride =
                hull->point_count > scratch->point_stride ? hull->point_count : scratch->point_stride;
            scratch->face_stride = hull->face_count > scratch->face_stride ? hull->face_count : scratch->face_stride;
        }
    }
    for (int n = 0; n < rocks->params.obstacle_count; n++) {
        ConvexHull *hull = &rocks->obstacle[n];
        bool built =
            convex_build(rocks->params.obstacle[n].point, rocks->params.obstacle[n].point_count, hull, &reason);
        assert(built); // rocks_check has built it before
        (void)built;
        rocks->obstacle_box[n] = rocks_box_of(hull->point, hull->point_count);
        Vec3 center = vec3_scale(vec3_add(rocks->obstacle_box[n].low, rocks->obstacle_box[n].high), 0.5);
        rocks->obstacle_solid[n] = (ConvexSolid){hull, hull->point, hull->normal, center};
    }
    return true;
}

static bool build_movers(Rocks *rocks)
{
    const char *reason;
    for (int n = 0; n < rocks->params.mover_count; n++) {
        const RockMoverParams *params = &rocks->params.mover[n];
        rocks->mover_part[n] = calloc((size_t)params->part_count + 1, sizeof *rocks->mover_part[n]);
        if (!rocks->mover_part[n]) {
            return false;
        }
        for (int p = 0; p < params->part_count; p++) {
            const RockPart *part = &params->part[p];
            bool built = convex_build(part->point, part->point_count, &rocks->mover_part[n][p].hull, &reason);
            assert(built); // as above
            (void)built;
        }
    }
    return true;
}

static bool allocate_state(Rocks *rocks)
{
    size_t budget = (size_t)rocks->params.budget;
    RockMemory *memory = &rocks->memory;
    bool good = true;
#define X(type, name, width)                                                                                           \
    good = (rocks->state.name = zeroed_alloc(budget, sizeof *rocks->state.name)) != NULL && good;
    ROCK_FIELDS(X)
#undef X
    memory->capacity = rocks->params.budget * ROCK_TOUCHES;
#define X(type, name, width)                                                                                           \
    good = (memory->name = zeroed_alloc((size_t)memory->capacity, sizeof *memory->name)) != NULL && good;
    ROCK_MEMORY_FIELDS(X)
#undef X
    return good;
}

// The pointers of the scratch with how many of each: from here to rocks_destroy.
#define SCRATCH_ARRAYS(X)                                                                                              \
    X(posed, budget)                                                                                                   \
    X(point, parts *(size_t)scratch->point_stride)                                                                     \
    X(normal, parts *(size_t)scratch->face_stride)                                                                     \
    X(part_box, parts)                                                                                                 \
    X(box, budget)                                                                                                     \
    X(sweep, budget)                                                                                                   \
    X(next, budget + 1)                                                                                                \
    X(order, budget)                                                                                                   \
    X(pair, budget *ROCK_PAIRS)                                                                                        \
    X(unsorted, budget *ROCK_PAIRS)                                                                                    \
    X(first, budget + 1)                                                                                               \
    X(touch, budget *ROCK_TOUCHES)                                                                                     \
    X(active, budget)                                                                                                  \
    X(support, budget)                                                                                                 \
    X(footing, budget)                                                                                                 \
    X(mark, budget)                                                                                                    \
    X(margin, budget)                                                                                                  \
    X(slot, budget)                                                                                                    \
    X(body, budget + ROCK_MAX_MOVERS + 1)                                                                              \
    X(start, budget + ROCK_MAX_MOVERS)                                                                                 \
    X(constraint, budget *ROCK_TOUCHES)                                                                                \
    X(squeezed, budget *ROCK_TOUCHES)                                                                                  \
    X(known, budget *ROCK_TOUCHES)

static bool allocate_scratch(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    size_t budget = (size_t)rocks->params.budget, parts = budget * (size_t)scratch->part_stride;
    bool good = true;
#define X(name, count) good = (scratch->name = zeroed_alloc(count, sizeof *scratch->name)) != NULL && good;
    SCRATCH_ARRAYS(X)
#undef X
    return good;
}

/// Leaves out the places of shapes that are not used, which then take no memory.
static void copy_params(const RocksParams *from, RocksParams *to)
{
    size_t used = offsetof(RocksParams, shape) + (size_t)from->shape_count * sizeof from->shape[0];
    size_t rest = offsetof(RocksParams, cut_capacity);
    memcpy(to, from, used);
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *from - rest);
}

Rocks *rocks_create(const RocksParams *params, Status *status)
{
    if (!rocks_check(params, status)) {
        return NULL;
    }
    Rocks *rocks = zeroed_alloc(1, sizeof *rocks);
    if (!rocks) {
        status_fail(status, STATUS_LACKING, "rocks: no memory");
        return NULL;
    }
    copy_params(params, &rocks->params);
    if (!build_shapes(rocks, status)) {
        rocks_destroy(rocks);
        return NULL;
    }
    if (!build_movers(rocks) || !allocate_state(rocks) || !allocate_scratch(rocks)) {
        status_fail(status, STATUS_LACKING, "rocks: no memory for %d rocks", params->budget);
        rocks_destroy(rocks);
        return NULL;
    }
    for (int i = 0; i < params->budget; i++) {
        rocks->state.shape[i][0] = -1;
    }
    return rocks;
}

void rocks_destroy(Rocks *rocks)
{
    if (!rocks) {
        return;
    }
#define X(type, name, width) zeroed_free(rocks->state.name);
    ROCK_FIELDS(X)
#undef X
#define X(type, name, width) zeroed_free(rocks->memory.name);
    ROCK_MEMORY_FIELDS(X)
#undef X
#define X(name, count) zeroed_free(rocks->scratch.name);
    SCRATCH_ARRAYS(X)
#undef X
    for (int n = 0; n < ROCK_MAX_MOVERS; n++) {
        free(rocks->mover_part[n]);
    }
    zeroed_free(rocks->kind);
    zeroed_free(rocks);
}

static bool is_finite(Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool check_rock(const Rocks *rocks, int shape, Vec3 position, Quat turn, Vec3 velocity, Vec3 spin,
                       Status *status)
{
    if (shape < 0 || shape >= rocks->kind_count) {
        return status_fail(status, STATUS_BAD_FILE, "rock: shape is %d; allowed is 0..%d", shape,
                           rocks->kind_count - 1);
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_finite(spin)) {
        return status_fail(status, STATUS_BAD_FILE, "rock: position, velocity or spin is not finite");
    }
    double length = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
    if (!(fabs(length - 1.0) < 1e-6)) {
        return status_fail(status, STATUS_BAD_FILE, "rock: turn has length %g; a unit quaternion is wanted",
                           sqrt(length));
    }
    return true;
}

int rocks_add(Rocks *rocks, int shape, Vec3 position, Quat turn, Vec3 velocity, Vec3 spin, Status *status)
{
    RockState *state = &rocks->state;
    if (!check_rock(rocks, shape, position, turn, velocity, spin, status)) {
        return -1;
    }
    int rock = 0;
    while (rock < rocks->params.budget && state->shape[rock][0] >= 0) {
        rock++;
    }
    if (rock == rocks->params.budget) {
        status_fail(status, STATUS_BAD_FILE, "rock: there are %d already; rocks.budget allows no more", rock);
        return -1;
    }
    rocks_put(state->position[rock], position);
    rocks_put(state->velocity[rock], velocity);
    rocks_put(state->spin[rock], spin);
    rocks_put(state->anchor[rock], position);
    memcpy(state->quaternion[rock], (double[4]){turn.w, turn.x, turn.y, turn.z}, sizeof state->quaternion[rock]);
    rocks_put(state->drift[rock], velocity);
    rocks_put(state->turning[rock], spin);
    state->awake_time[rock][0] = 0.0;
    state->asleep[rock][0] = state->carries[rock][0] = 0;
    state->shape[rock][0] = shape;
    rocks_put(state->force[rock], vec3(0.0, 0.0, 0.0));
    rocks_put(state->moment[rock], vec3(0.0, 0.0, 0.0));
    memset(state->bed[rock], 0, sizeof state->bed[rock]);
    state->damage[rock][0] = 0.0;
    rocks_pose(rocks, rock);
    status_good(status);
    return rock;
}

/// What contacts of a rock that is gone pressed with is not to be found by the next one of its number,
/// nor how it lay in the ground.
static void forget(Rocks *rocks, int rock)
{
    RockMemory *memory = &rocks->memory;
    int kept = 0;
    for (int k = 0; k < memory->count; k++) {
        if (memory->a[k][0] == rock || memory->b[k][0] == rock) {
            continue;
        }
#define X(type, name, width) memmove(memory->name[kept], memory->name[k], sizeof *memory->name);
        ROCK_MEMORY_FIELDS(X)
#undef X
        kept++;
    }
    memory->count = kept;
    memset(&rocks->scratch.footing[rock], 0, sizeof *rocks->scratch.footing);
}

void rocks_remove(Rocks *rocks, int rock)
{
    assert(rock >= 0 && rock < rocks->params.budget);
    if (rocks->state.shape[rock][0] < 0) {
        return;
    }
    rocks_pose_all(rocks);
    rocks->state.shape[rock][0] = -1;
    RockBox box = rocks->scratch.box[rock];
    double margin = 0.02 * rocks->length;
    box.low = vec3_sub(box.low, vec3(margin, margin, margin));
    box.high = vec3_add(box.high, vec3(margin, margin, margin));
    rocks_wake_in_box(rocks, &box, -HUGE_VAL);
    forget(rocks, rock);
}

void rocks_wake(Rocks *rocks, Vec3 middle, double radius)
{
    rocks_pose_all(rocks);
    Vec3 reach = vec3(radius, radius, radius);
    rocks_wake_in_box(rocks, &(RockBox){vec3_sub(middle, reach), vec3_add(middle, reach)}, -HUGE_VAL);
}

bool rocks_get(const Rocks *rocks, int rock, RockView *view)
{
    if (rock < 0 || rock >= rocks->params.budget || rocks->state.shape[rock][0] < 0) {
        return false;
    }
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    Mat3 rotation = rotation_of(rocks->state.quaternion[rock]);
    Vec3 center = rocks_vec(rocks->state.position[rock]);
    *view = (RockView){.shape = rocks->state.shape[rock][0],
                       .asleep = rocks->state.asleep[rock][0] != 0,
                       .mass = kind->mass,
                       .motion = {.frame = {center, rotation},
                                  .center = center,
                                  .velocity = rocks_vec(rocks->state.velocity[rock]),
                                  .spin = rocks_vec(rocks->state.spin[rock]),
                                  .inverse_mass = 1.0 / kind->mass,
                                  .inertia_inverse = turn_tensor(&rotation, &kind->inertia_inverse)}};
    return true;
}

bool rocks_get_pile(const Rocks *rocks, int pile, RockPileView *view)
{
    if (pile < 0 || pile >= ROCK_MAX_PILES || !rocks->piles.used[pile][0]) {
        return false;
    }
    const RockLayers *layers = &rocks->scratch.layers[pile];
    *view = (RockPileView){.middle = rocks_vec(rocks->piles.middle[pile]),
                           .radius = layers->radius,
                           .height = layers->height,
                           .layer_count = layers->count};
    for (int i = 0; i < layers->count; i++) {
        view->layer[i] = (RockLayerView){layers->layer_radius[i], layers->held[i] / layers->capacity[i]};
    }
    return true;
}

RocksCounters rocks_get_counters(const Rocks *rocks)
{
    RocksCounters counters = {.contacts = rocks->scratch.touch_count,
                              .avalanches = rocks->avalanches,
                              .pile_wakes = rocks->pile_wakes,
                              .wakes = rocks->wakes,
                              .pressing = rocks->scratch.pressing,
                              .dropped_contacts = rocks->scratch.dropped};
    for (int k = 0; k < rocks->scratch.touch_count; k++) {
        const RockTouch *touch = &rocks->scratch.touch[k];
        if (touch->b >= 0 || touch->part >= 0) { // not the ground
            counters.deepest = fmax(counters.deepest, touch->depth);
        }
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        bool here = rocks->state.shape[i][0] >= 0;
        counters.rocks += here;
        counters.awake += here && !rocks->state.asleep[i][0];
    }
    return counters;
}

void rocks_set_bearing(Rocks *rocks, RocksBearing *bearing)
{
    rocks->bearing = bearing;
}

double rocks_get_underside(const Rocks *rocks, int rock, double x, double y)
{
    assert(rock >= 0 && rock < rocks->params.budget && rocks->state.shape[rock][0] >= 0 && rocks->scratch.posed[rock]);
    return rocks_underside(rocks, rock, x, y);
}

const ConvexHull *rocks_get_part(const Rocks *rocks, int shape, int part)
{
    assert(shape >= 0 && shape < rocks->kind_count && part >= 0 && part < rocks->kind[shape].part_count);
    return &rocks->kind[shape].part[part];
}

int rocks_get_shape_count(const Rocks *rocks)
{
    return rocks->kind_count;
}

int rocks_get_part_count(const Rocks *rocks, int shape)
{
    return rocks->kind[shape].part_count;
}

double rocks_get_volume(const Rocks *rocks, int shape)
{
    return rocks->kind[shape].volume;
}

double rocks_get_mass(const Rocks *rocks)
{
    double mass = 0.0;
    for (int i = 0; i < rocks->params.budget; i++) {
        mass += rocks->state.shape[i][0] >= 0 ? rocks->kind[rocks->state.shape[i][0]].mass : 0.0;
    }
    return mass;
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

/// ---- a tick --------------------------------------------------------------------------------------------------------

// A hit wakes rocks, which may hit others: so often in a tick at most.
enum { WAKE_PASSES = 4 };

// Of the contacts of rocks under a mover: with 12 a stone of 70 kg bears 22 t within 0.1 %. And most visits of contacts
// of a step.
enum { SQUEEZE_SWEEPS = 12, SQUEEZE_VISITS = 600 };

// s: longest step of rocks_step.
#define LONGEST_STEP (1.0 / 480.0)
// m: a rock that is found deeper in the ground than contacts ever press it was put or buried there, and is left there.
#define BURIED 0.03
// m/s and rad/s: what a mover that squeezes rocks may gain in a step is foreseen up to this; more is a blow from
// elsewhere.
#define FORESEEN 0.1

// m/s: a rock that sinks faster does not sleep.
#define SINKS 0.002

/// ---- bodies --------------------------------------------------------------------------------------------------------

static int standing_body(const Rocks *rocks)
{
    return rocks->scratch.active_count + rocks->scratch.mover_count;
}

static int body_of(const Rocks *rocks, int b)
{
    const RockScratch *scratch = &rocks->scratch;
    if (b >= 0) {
        return rocks->state.asleep[b][0] ? standing_body(rocks) : scratch->slot[b];
    }
    return b == ROCK_STANDS ? standing_body(rocks) : scratch->active_count + rocks_mover_of(b);
}

static RockBody mover_body(const RockMover *mover, const Pose *start)
{
    RockBody body = {.velocity = mover->motion.velocity,
                     .spin = mover->motion.spin,
                     .inverse_mass = mover->motion.inverse_mass,
                     .inertia_inverse = mover->motion.inertia_inverse};
    body.moved = vec3_sub(mover->motion.center, start->position);
    for (int i = 0; i < 3; i++) { // R R0'
        for (int j = 0; j < 3; j++) {
            const double *now = mover->motion.frame.rotation.m[i], *then = start->rotation.m[j];
            body.turned.m[i][j] = now[0] * then[0] + now[1] * then[1] + now[2] * then[2];
        }
    }
    return body;
}

static void begin_bodies(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        const RockKind *kind = &rocks->kind[rocks->state.shape[i][0]];
        Mat3 rotation = rotation_of(rocks->state.quaternion[i]);
        scratch->slot[i] = k;
        scratch->start[k] = (Pose){rocks_vec(rocks->state.position[i]), rotation};
        scratch->body[k] = (RockBody){.velocity = rocks_vec(rocks->state.velocity[i]),
                                      .spin = rocks_vec(rocks->state.spin[i]),
                                      .inverse_mass = 1.0 / kind->mass,
                                      .inertia_inverse = turn_tensor(&rotation, &kind->inertia_inverse),
                                      .turned = mat3_identity()};
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        int k = scratch->active_count + n;
        scratch->start[k] = (Pose){scratch->mover[n].motion.center, scratch->mover[n].motion.frame.rotation};
        scratch->body[k] = mover_body(&scratch->mover[n], &scratch->start[k]);
    }
    scratch->body[standing_body(rocks)] = (RockBody){.turned = mat3_identity()};
}

/// ---- contacts and what they remember -------------------------------------------------------------------------------

// The memory's contacts by rock a: scratch.known lists them, those of rock a from first[a] to first[a + 1].
static void index_memory(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    const RockMemory *memory = &rocks->memory;
    int budget = rocks->params.budget;
    memset(scratch->first, 0, sizeof *scratch->first * (size_t)(budget + 1));
    for (int k = 0; k < memory->count; k++) {
        scratch->first[memory->a[k][0] + 1]++;
    }
    for (int i = 0; i < budget; i++) {
        scratch->first[i + 1] += scratch->first[i];
    }
    int *end = scratch->mark; // [budget]: how many of each are in place; zero again below
    for (int k = 0; k < memory->count; k++) {
        int a = memory->a[k][0];
        scratch->known[scratch->first[a] + end[a]++] = k;
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)budget);
}

// The nearest contact of the last tick, which is then used up; -1 = none. `anchor` in rock a's frame.
static int recall(Rocks *rocks, const RockTouch *touch, Vec3 anchor)
{
    RockScratch *scratch = &rocks->scratch;
    int best = -1;
    double nearest = ROCK_SAME_PLACE * ROCK_SAME_PLACE;
    for (int n = scratch->first[touch->a]; n < scratch->first[touch->a + 1]; n++) {
        int k = scratch->known[n];
        if (k < 0 || rocks->memory.b[k][0] != touch->b) {
            continue;
        }
        Vec3 to = vec3_sub(anchor, rocks_vec(rocks->memory.anchor[k]));
        if (vec3_dot(to, to) < nearest) {
            nearest = vec3_dot(to, to);
            best = n;
        }
    }
    if (best < 0) {
        return -1;
    }
    int k = scratch->known[best];
    scratch->known[best] = -1;
    return k;
}

static void make_constraint(Rocks *rocks, int k)
{
    RockScratch *scratch = &rocks->scratch;
    RockTouch *touch = &scratch->touch[k];
    RockConstraint *c = &scratch->constraint[k];
    bool mover = touch->b < ROCK_STANDS;
    *c = (RockConstraint){.a = scratch->slot[touch->a],
                          .b = body_of(rocks, touch->b),
                          .normal = touch->normal,
                          .friction = rocks->params.friction};
    c->arm_a = vec3_sub(touch->point, scratch->start[c->a].position);
    int known = recall(rocks, touch, mat3_mul_transposed(&scratch->start[c->a].rotation, c->arm_a));
    touch->rest = known >= 0 ? fmax(fmin(rocks->memory.rest[known][0], touch->depth), 0.0) : 0.0;
    if (known < 0 && touch->part < 0 && touch->depth > BURIED) {
        touch->rest = touch->depth;
    }
    c->gap = touch->rest - touch->depth;
    if (mover) {
        const RockMover *of = &scratch->mover[rocks_mover_of(touch->b)];
        c->arm_b = vec3_sub(touch->point, of->motion.center);
        c->friction = rocks->params.mover[rocks_mover_of(touch->b)].friction;
        c->drift = rocks_belt_drift(of, touch->part, touch->normal);
    } else if (c->b < scratch->active_count) {
        c->arm_b = vec3_sub(touch->point, scratch->start[c->b].position);
    }
    Vec3 impulse = known >= 0 ? rocks_vec(rocks->memory.impulse[known]) : vec3(0.0, 0.0, 0.0);
    rock_solver_prepare(scratch->body, c, impulse);
    rocks_soften(rocks, touch, c);
    c->approach = mover ? 0.0 : c->approach; // what bounces off a mover would be lost to it
}

static void remember(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    RockMemory *memory = &rocks->memory;
    memory->count = 0;
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        const RockTouch *touch = &scratch->touch[k];
        if ((c->impulse <= 0.0 && touch->rest == 0.0) || rocks->state.asleep[touch->a][0]) {
            continue;
        }
        int n = memory->count++;
        memory->a[n][0] = touch->a;
        memory->b[n][0] = touch->b;
        memory->rest[n][0] = touch->rest + c->sunk; // ground that gave way does not push back
        rocks_put(memory->anchor[n], mat3_mul_transposed(&scratch->start[c->a].rotation, c->arm_a));
        rocks_put(memory->impulse[n], rock_solver_impulse(c));
    }
}

/// ---- the tick ------------------------------------------------------------------------------------------------------

void rocks_begin(Rocks *rocks, RocksGround *ground, void *context, const RockMover *movers, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    rocks_pose_all(rocks);
    rocks_place_movers(rocks, movers, dt);
    rocks_wake_unbedded(rocks, ground, context);
    rocks_find_margins(rocks, dt);
    rocks_forget_footings(rocks);
    rocks_find_touches(rocks, ground, context);
    for (int pass = 0; pass < WAKE_PASSES && rocks_wake_hit(rocks, dt); pass++) {
        rocks_find_touches(rocks, ground, context);
    }
    rocks_list_active(rocks);
    rocks_find_footings(rocks, context);
    begin_bodies(rocks);
    index_memory(rocks);
    for (int k = 0; k < scratch->touch_count; k++) {
        make_constraint(rocks, k);
    }
    memcpy(scratch->before, scratch->mover, sizeof scratch->before);
    rocks_find_squeezed(rocks);
}

// Turns a quaternion by spin x h.
static void turn_quaternion(double q[4], Vec3 spin, double h)
{
    Vec3 t = vec3_scale(spin, 0.5 * h);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double n[4] = {w - t.x * x - t.y * y - t.z * z, x + t.x * w + t.y * z - t.z * y, y + t.y * w + t.z * x - t.x * z,
                   z + t.z * w + t.x * y - t.y * x};
    double scale = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    for (int k = 0; k < 4; k++) {
        q[k] = scale * n[k];
    }
}

// Without moment, the angular momentum I w stays as the rock turns: w = I(new)^-1 I(old) w.
static void move_rock(Rocks *rocks, int k, double h)
{
    RockScratch *scratch = &rocks->scratch;
    int i = scratch->active[k];
    const RockKind *kind = &rocks->kind[rocks->state.shape[i][0]];
    RockBody *body = &scratch->body[k];
    double *q = rocks->state.quaternion[i];
    Mat3 rotation = rotation_of(q), inertia = turn_tensor(&rotation, &kind->inertia);
    Vec3 momentum = mat3_mul(&inertia, body->spin);
    body->moved = vec3_madd(body->moved, h, body->velocity);
    turn_quaternion(q, body->spin, h);
    rotation = rotation_of(q);
    body->inertia_inverse = turn_tensor(&rotation, &kind->inertia_inverse);
    body->spin = mat3_mul(&body->inertia_inverse, momentum);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const double *now = rotation.m[r], *then = scratch->start[k].rotation.m[c];
            body->turned.m[r][c] = now[0] * then[0] + now[1] * then[1] + now[2] * then[2];
        }
    }
    rocks_put(rocks->state.position[i], vec3_add(scratch->start[k].position, body->moved));
}

static void add_reaction(const RockScratch *scratch, const RockConstraint *c, double h, Wrench *wrenches)
{
    int n = c->b - scratch->active_count;
    if (n < 0 || n >= scratch->mover_count || c->impulse == 0.0) {
        return;
    }
    Vec3 force = vec3_scale(rock_solver_impulse(c), -1.0 / h);
    Vec3 arm = mat3_mul(&scratch->body[c->b].turned, c->arm_b);
    wrenches[n].force = vec3_add(wrenches[n].force, force);
    wrenches[n].moment = vec3_add(wrenches[n].moment, vec3_cross(arm, force));
}

static int squeeze_sweeps(int count)
{
    int most = count > 0 ? SQUEEZE_VISITS / count : 0;
    return most < SQUEEZE_SWEEPS ? most : SQUEEZE_SWEEPS;
}

// A mover that squeezes rocks, as it will be in the next step if what acts on it lasts, the rocks' forces of the last
// step included: 2 v - v of the step before. What drives it (a cylinder, a weight) then adds to the rocks' forces from
// step to step until they hold it: for a mover of mass m, a part of a machine of mass M, these settle as long as
// m < 2 M.
static void foresee(const RockMover *before, RockBody *body)
{
    Vec3 gained = vec3_sub(body->velocity, before->motion.velocity), turn = vec3_sub(body->spin, before->motion.spin);
    double speed = vec3_length(gained), rate = vec3_length(turn);
    body->velocity = vec3_madd(body->velocity, speed > FORESEEN ? FORESEEN / speed : 1.0, gained);
    body->spin = vec3_madd(body->spin, rate > FORESEEN ? FORESEEN / rate : 1.0, turn);
    body->loaded = true;
}

// Gravity and loads; where the movers are now.
static void begin_substep(Rocks *rocks, const RockMover *movers, double h)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        RockBody *body = &scratch->body[k];
        body->velocity = vec3_madd(body->velocity, h * body->inverse_mass, rocks_vec(rocks->state.force[i]));
        body->velocity.z -= h * STANDARD_GRAVITY;
        body->spin = vec3_madd(body->spin, h, mat3_mul(&body->inertia_inverse, rocks_vec(rocks->state.moment[i])));
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        int k = scratch->active_count + n;
        scratch->body[k] = mover_body(&movers[n], &scratch->start[k]);
        if (scratch->squeezes[n]) {
            foresee(&scratch->before[n], &scratch->body[k]);
        }
        scratch->before[n] = movers[n];
    }
}

static void move_bodies(Rocks *rocks, const RockMover *movers, double h)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        move_rock(rocks, k, h);
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        RockBody *body = &scratch->body[scratch->active_count + n];
        body->moved = vec3_madd(body->moved, h, movers[n].motion.velocity);
    }
}

void rocks_substep(Rocks *rocks, const RockMover *movers, double h, Wrench *wrenches)
{
    RockScratch *scratch = &rocks->scratch;
    RockConstraint *constraints = scratch->constraint;
    const RockMover *now = movers != NULL ? movers : scratch->mover;
    begin_substep(rocks, now, h);
    rocks_follow_squeezed(rocks, now);
    RockSqueeze squeeze = {
        .list = scratch->squeezed, .count = scratch->squeezed_count, .sweeps = squeeze_sweeps(scratch->squeezed_count)};
    rock_solver_push(scratch->body, constraints, scratch->touch_count, &squeeze, h);
    move_bodies(rocks, now, h);
    rock_solver_relax(scratch->body, constraints, scratch->touch_count, &squeeze, h);
    for (int k = 0; k < scratch->active_count; k++) {
        rocks_put(rocks->state.velocity[scratch->active[k]], scratch->body[k].velocity);
        rocks_put(rocks->state.spin[scratch->active[k]], scratch->body[k].spin);
    }
    if (wrenches != NULL) {
        memset(wrenches, 0, sizeof *wrenches * (size_t)rocks->params.mover_count);
    }
    scratch->pressing = 0.0;
    for (int k = 0; k < scratch->touch_count; k++) {
        scratch->pressing = fmax(scratch->pressing, constraints[k].impulse / h);
        if (wrenches != NULL) {
            add_reaction(scratch, &constraints[k], h, wrenches);
        }
    }
}

void rocks_end(Rocks *rocks, RocksGround *ground, void *context, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    rock_solver_bounce(scratch->body, scratch->constraint, scratch->touch_count, rocks->params.restitution);
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        rocks_put(rocks->state.velocity[i], scratch->body[k].velocity);
        rocks_put(rocks->state.spin[i], scratch->body[k].spin);
        rocks_pose(rocks, i);
    }
    for (int k = 0; k < scratch->touch_count; k++) {
        RockTouch *touch = &scratch->touch[k];
        touch->pressed = scratch->constraint[k].most > 0.0;
        touch->sinks = scratch->constraint[k].sunk > SINKS * dt;
        scratch->footing[touch->a].sank |= scratch->constraint[k].sunk > 0.0;
    }
    rocks_update_sleep(rocks, dt);
    for (int k = 0; k < scratch->active_count; k++) {
        if (rocks->state.asleep[scratch->active[k]][0]) {
            rocks_note_bed(rocks, scratch->active[k], ground, context);
        }
    }
    remember(rocks);
}

void rocks_step(Rocks *rocks, RocksGround *ground, void *context, double dt)
{
    int steps = (int)ceil(dt / LONGEST_STEP - 1e-9);
    rocks_begin(rocks, ground, context, NULL, dt);
    for (int k = 0; k < steps; k++) {
        rocks_substep(rocks, NULL, dt / steps, NULL);
    }
    rocks_end(rocks, ground, context, dt);
}

/// ---- state ---------------------------------------------------------------------------------------------------------
/// The one list of the rocks' state at work: hash, save and restore; and what makes a restored state safe to step. A
/// state that does not hold together leaves no rock at all, rather than one that reaches outside an array.

// Nothing that this program steps gets so large, m, m/s, N...
#define LARGEST 1e9

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(numbers[i]) <= LARGEST)) {
            return false;
        }
    }
    return true;
}

static bool is_flag(int32_t value)
{
    return value == 0 || value == 1;
}

static bool rock_is_sound(const Rocks *rocks, int i)
{
    const RockState *state = &rocks->state;
    if (state->shape[i][0] < -1 || state->shape[i][0] >= rocks->kind_count || !is_flag(state->asleep[i][0]) ||
        !is_flag(state->carries[i][0])) {
        return false;
    }
    if (!all_finite(state->position[i], 3) || !all_finite(state->quaternion[i], 4) || !all_finite(state->force[i], 3) ||
        !all_finite(state->moment[i], 3) || !(state->damage[i][0] >= 0.0 && state->damage[i][0] <= LARGEST) ||
        !all_finite(state->bed[i], ROCK_BED) || !all_finite(state->velocity[i], 3) || !all_finite(state->spin[i], 3) ||
        !all_finite(state->anchor[i], 3) || !all_finite(state->drift[i], 3) || !all_finite(state->turning[i], 3) ||
        !(state->awake_time[i][0] >= 0.0)) {
        return false;
    }
    const double *q = state->quaternion[i];
    double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return state->shape[i][0] < 0 || fabs(length - 1.0) < 1e-6;
}

// Contacts of rocks that are there and awake.
static bool memory_is_sound(const Rocks *rocks)
{
    const RockMemory *memory = &rocks->memory;
    for (int k = 0; k < memory->count; k++) {
        int a = memory->a[k][0], b = memory->b[k][0];
        if (a < 0 || a >= rocks->params.budget || b >= rocks->params.budget ||
            b < ROCK_STANDS - rocks->params.mover_count || !all_finite(memory->anchor[k], 3) ||
            !all_finite(memory->impulse[k], 3) || !(memory->rest[k][0] >= 0.0 && memory->rest[k][0] < 100.0)) {
            return false;
        }
    }
    return true;
}

static bool pile_is_sound(const RockPileState *piles, int p)
{
    if (!is_flag(piles->used[p][0]) || !is_flag(piles->given[p][0]) || !all_finite(piles->middle[p], 3)) {
        return false;
    }
    for (int i = 0; i < ROCK_MAX_LAYERS; i++) {
        if (!(piles->borne[p][i] >= 0.0)) {
            return false;
        }
    }
    double volume = piles->volume[p][0], boundary = piles->boundary[p][0];
    return !piles->used[p][0] || (volume > 1e-9 && volume < 1e12 && boundary >= 0.0 && boundary <= 1e4);
}

static bool state_is_sound(const Rocks *rocks)
{
    bool sound = rocks->avalanches >= 0 && rocks->pile_wakes >= 0 && rocks->wakes >= 0 && memory_is_sound(rocks);
    for (int i = 0; i < rocks->params.budget && sound; i++) {
        sound = rock_is_sound(rocks, i);
    }
    for (int p = 0; p < ROCK_MAX_PILES && sound; p++) {
        sound = pile_is_sound(&rocks->piles, p);
    }
    return sound;
}

// A state that was refused leaves no rock and no pile, which is safe to step and to destroy.
static void clear_state(Rocks *rocks)
{
#define X(type, name, width) memset(rocks->state.name, 0, sizeof *rocks->state.name *(size_t)rocks->params.budget);
    ROCK_FIELDS(X)
#undef X
    memset(&rocks->piles, 0, sizeof rocks->piles);
    rocks->memory.count = 0;
    rocks->cuts.count = 0;
    rocks->kind_count = rocks->params.shape_count;
    rocks->avalanches = rocks->pile_wakes = rocks->wakes = 0;
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->state.shape[i][0] = -1;
    }
}

// What follows from the state: geometry, and the piles' layers as wide as they are.
static void rebuild(Rocks *rocks)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        rocks->scratch.posed[i] = false;
    }
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (rocks->piles.used[p][0]) {
            rock_piles_cut(rocks->piles.volume[p][0], rocks->params.sleep.repose_slope, rocks->length,
                           &rocks->scratch.layers[p]);
        }
    }
}

static void visit_memory(Rocks *rocks, StateVisitor *visitor)
{
    RockMemory *memory = &rocks->memory;
    int32_t count = visitor->measuring ? memory->capacity : memory->count;
    STATE_VISIT(visitor, "rocks.contacts", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > memory->capacity) {
            visitor->failed = true;
            count = 0;
        }
        memory->count = count;
    }
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks.contact." #name, memory->name, sizeof(type), (width) * (size_t)count);
    ROCK_MEMORY_FIELDS(X)
#undef X
}

static void visit_cuts(Rocks *rocks, StateVisitor *visitor)
{
    RockCuts *cuts = &rocks->cuts;
    STATE_VISIT(visitor, "rocks.cuts", cuts->count);
    if (visitor->restoring && (visitor->failed || cuts->count < 0 || cuts->count > rocks->params.cut_capacity)) {
        visitor->failed = true;
        cuts->count = 0;
    }
    size_t count = (size_t)(visitor->measuring ? rocks->params.cut_capacity : cuts->count);
#define X(type, name, width) state_visit_array(visitor, "rocks.cut." #name, cuts->name, sizeof(type), (width)*count);
    ROCK_CUT_FIELDS(X)
#undef X
    if (visitor->restoring && !rocks_rebuild_kinds(rocks)) {
        visitor->failed = true;
    }
}

void rocks_visit(Rocks *rocks, StateVisitor *visitor)
{
    size_t budget = (size_t)rocks->params.budget;
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks." #name, rocks->state.name, sizeof(type), (width)*budget);
    ROCK_FIELDS(X)
#undef X
#define X(type, name, width)                                                                                           \
    state_visit_array(visitor, "rocks.pile." #name, rocks->piles.name, sizeof(type), (width)*ROCK_MAX_PILES);
    ROCK_PILE_FIELDS(X)
#undef X
    visit_memory(rocks, visitor);
    visit_cuts(rocks, visitor);
    STATE_VISIT(visitor, "rocks.avalanches", rocks->avalanches);
    STATE_VISIT(visitor, "rocks.pile_wakes", rocks->pile_wakes);
    STATE_VISIT(visitor, "rocks.wakes", rocks->wakes);
    if (visitor->restoring) {
        if (visitor->failed || !state_is_sound(rocks)) {
            visitor->failed = true;
            clear_state(rocks);
        }
        rebuild(rocks);
    }
}

bool rocks_is_finite(const Rocks *rocks)
{
    return state_is_sound(rocks);
}
