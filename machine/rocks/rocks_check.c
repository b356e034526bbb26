/// The defaults of rocks, and what is refused: numbers out of range, parts that are no solids, rocks of a size that no
/// step could hold. A kind of rock is built here too (mass, inertia, box): only the building shows whether its parts
/// make a body.
#include <math.h>
#include <string.h>

#include "machine/rocks/rocks_internal.h"

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
