/// Where a truck is: its place on the road of its phase, chassis and bed as they stand on the ground under the wheels,
/// what is in its way; and the one list of its state. The numbers below are chosen; see test_machine_truck.
#include <math.h>

#include "data/core/elementary.h"
#include "machine/truck.h"

/// m beyond the way it needs to stop that the driver wants free, and beside the truck.
#define ROOM_AHEAD  2.0
#define ROOM_BESIDE 0.4
/// m of the road between two looks ahead.
#define LOOK 0.5

TruckPlace truck_place(const TruckRoute *route, const TruckState *state)
{
    return truck_way_at(truck_road(route, state), state->distance);
}

static Vec3 point_of(const TruckParams *params, const TruckPlace *place, double ahead, double left)
{
    double x, y, c = same_cos(place->heading), s = same_sin(place->heading);
    truck_bed_middle(params, place, &x, &y);
    return vec3(x + c * ahead - s * left, y + s * ahead + c * left, 0.0);
}

/// Half the distance between the wheels of an axle, m.
static double half_gauge(const TruckParams *params)
{
    return 0.5 * params->chassis.gauge;
}

void truck_probes(const TruckParams *params, const TruckPlace *place, Vec3 points[TRUCK_PROBE_COUNT])
{
    double side = half_gauge(params);
    points[TRUCK_PROBE_REAR_LEFT] = point_of(params, place, params->rear_axle, side);
    points[TRUCK_PROBE_REAR_RIGHT] = point_of(params, place, params->rear_axle, -side);
    points[TRUCK_PROBE_FRONT_LEFT] = point_of(params, place, params->rear_axle + params->wheelbase, side);
    points[TRUCK_PROBE_FRONT_RIGHT] = point_of(params, place, params->rear_axle + params->wheelbase, -side);
}

void truck_wheel_points(const TruckParams *params, const TruckPlace *place, Vec3 points[6])
{
    double apart = 0.61 * params->wheel_diameter; // half the distance between the two rear axles
    const double axles[3] = {params->rear_axle - apart, params->rear_axle + apart,
                             params->rear_axle + params->wheelbase};
    for (int k = 0; k < 6; k++) {
        points[k] = point_of(params, place, axles[k / 2], k % 2 == 0 ? half_gauge(params) : -half_gauge(params));
    }
}

void truck_tail_points(const TruckParams *params, const TruckPlace *place, Vec3 points[TRUCK_TAIL_POINTS])
{
    const double behind = 0.6; // m
    for (int k = 0; k < TRUCK_TAIL_POINTS; k++) {
        points[k] = point_of(params, place, -0.5 * params->bed.length - behind, (k - 1) * half_gauge(params));
    }
}

static double mean(const double height[TRUCK_PROBE_COUNT], TruckProbe a, TruckProbe b)
{
    return 0.5 * (height[a] + height[b]);
}

/// Axes of the chassis: x from the middle of the rear axle to that of the front axle, y across as both axles lie in the
/// mean, as far as that allows.
static Mat3 chassis_rotation(const TruckParams *params, double heading, const double height[TRUCK_PROBE_COUNT])
{
    double rise = (mean(height, TRUCK_PROBE_FRONT_LEFT, TRUCK_PROBE_FRONT_RIGHT) -
                   mean(height, TRUCK_PROBE_REAR_LEFT, TRUCK_PROBE_REAR_RIGHT)) /
                  params->wheelbase;
    double lean = (mean(height, TRUCK_PROBE_REAR_LEFT, TRUCK_PROBE_FRONT_LEFT) -
                   mean(height, TRUCK_PROBE_REAR_RIGHT, TRUCK_PROBE_FRONT_RIGHT)) /
                  (2.0 * half_gauge(params));
    double c = same_cos(heading), s = same_sin(heading);
    Vec3 x = vec3_unit(vec3(c, s, rise), vec3(c, s, 0.0)), y = vec3(-s, c, lean);
    y = vec3_unit(vec3_madd(y, -vec3_dot(x, y), x), vec3(-s, c, 0.0));
    Vec3 z = vec3_cross(x, y);
    return (Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

Pose truck_chassis(const TruckParams *params, const TruckPlace *place, const double height[TRUCK_PROBE_COUNT])
{
    Mat3 turn = chassis_rotation(params, place->heading, height);
    Vec3 axle = vec3(place->x, place->y, mean(height, TRUCK_PROBE_REAR_LEFT, TRUCK_PROBE_REAR_RIGHT));
    return (Pose){vec3_add(axle, mat3_mul(&turn, vec3(-params->rear_axle, 0.0, 0.0))), turn};
}

Pose truck_bed(const TruckParams *params, const Pose *chassis, double angle)
{
    double c = same_cos(angle), s = same_sin(angle), half = 0.5 * params->bed.length;
    const Mat3 *turn = &chassis->rotation;
    Vec3 hinge = pose_apply(chassis, vec3(-half, 0.0, params->bed.floor_height));
    Vec3 x = mat3_mul(turn, vec3(c, 0.0, s)), y = mat3_mul(turn, vec3(0.0, 1.0, 0.0)), z = vec3_cross(x, y);
    return (Pose){vec3_madd(hinge, half, x), {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

void truck_frames(const TruckParams *params, const TruckRoute *route, const TruckState *state, Pose *chassis, Pose *bed)
{
    TruckPlace place = truck_place(route, state);
    *chassis = truck_chassis(params, &place, state->height);
    *bed = truck_bed(params, chassis, state->bed_angle);
}

void truck_solids(const TruckParams *params, TruckSolid solids[TRUCK_SOLIDS])
{
    const double wall = 0.09, floor = 0.14, cab = 1.75, bumper = 0.10, roof = 2.86; // m: as they are drawn
    double l = 0.5 * params->bed.length, w = 0.5 * params->bed.width, h = params->bed.height, out = w + wall;
    double tail = params->bed.tail_height > 0.0 ? params->bed.tail_height : h, top = params->bed.floor_height;
    double front = params->front - bumper, side = w - 0.05, half = 0.5 * fmin(params->bed.width, 2.5);
    solids[0] = (TruckSolid){"bed", true, false, vec3(-l - wall, -out, -floor), vec3(l + wall, out, 0.0)};
    solids[1] = (TruckSolid){"bed", true, false, vec3(-l - wall, w, -floor), vec3(l + wall, out, h)};
    solids[2] = (TruckSolid){"bed", true, false, vec3(-l - wall, -out, -floor), vec3(l + wall, -w, h)};
    solids[3] = (TruckSolid){"bed", true, false, vec3(l, -out, -floor), vec3(l + wall, out, h + 0.1)};
    solids[4] = (TruckSolid){"tail", true, true, vec3(-l - wall, -out, -floor), vec3(-l, out, tail)};
    solids[5] = (TruckSolid){"chassis", false, false, vec3(-l, -side, 0.3), vec3(front, side, top - floor)};
    solids[6] = (TruckSolid){"cab", false, false, vec3(front - cab, -half, 0.5), vec3(front, half, roof)};
}

double truck_steering(const TruckParams *params, const TruckRoute *route, const TruckState *state)
{
    const double step = 0.25; // m
    const TruckWay *way = truck_road(route, state);
    double from = fmax(0.0, fmin(state->distance, way->length - step));
    TruckPlace a = truck_way_at(way, from), b = truck_way_at(way, from + step);
    double turn = params->wheelbase * (b.heading - a.heading) / step;
    return same_atan(truck_way_piece(way, from)->reverse ? -turn : turn);
}

bool truck_tail_open(const TruckState *state)
{
    return state->phase == TRUCK_RAISING || state->phase == TRUCK_EMPTYING || state->phase == TRUCK_LOWERING;
}

bool truck_is_at_spot(const TruckState *state)
{
    return state->phase == TRUCK_LOADING && state->leaving == 0;
}

bool truck_looks_ahead(const TruckParams *params, const TruckRoute *route, const TruckState *state, double x, double y,
                       double radius)
{
    const TruckWay *way = truck_road(route, state);
    double to = state->distance + ROOM_AHEAD + state->speed * state->speed / (2.0 * params->drive.braking);
    for (double at = state->distance; at < to + LOOK; at += LOOK) {
        TruckPlace place = truck_way_at(way, fmin(at, state->goal));
        if (truck_distance(params, &place, x, y) < radius + ROOM_BESIDE) {
            return true;
        }
    }
    return false;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

bool truck_is_finite(const TruckState *state)
{
    const double sum = state->distance + state->goal + state->speed + state->rolled + state->bed_angle +
                       state->bed_rate + state->timer + state->phase_time + state->mark + state->load + state->hauled +
                       state->delivered + state->since_pass;
    bool good = isfinite(sum);
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        good = good && isfinite(state->height[k]) && isfinite(state->slope[k]);
    }
    return good;
}

void truck_visit(TruckState *state, const TruckRoute *route, StateVisitor *visitor)
{
#define X(type, name) STATE_VISIT(visitor, "truck." #name, state->name);
    TRUCK_SCALARS(X)
#undef X
    state_visit_array(visitor, "truck.height", state->height, sizeof(double), TRUCK_PROBE_COUNT);
    state_visit_array(visitor, "truck.slope", state->slope, sizeof(double), TRUCK_PROBE_COUNT);
    // What selects a road, and where on it, must be right before anything uses it.
    bool good = state->phase >= 0 && state->phase < TRUCK_PHASE_COUNT && truck_is_finite(state);
    if (good) {
        double length = truck_road(route, state)->length;
        good = state->distance >= 0.0 && state->distance <= length && state->speed >= 0.0 && state->goal <= length &&
               fabs(state->bed_angle) <= M_PI && state->leaving >= 0 && state->leaving <= 2;
    }
    if (!good) {
        truck_start(route, TRUCK_LOADING, state);
        visitor->failed = true;
    }
}
