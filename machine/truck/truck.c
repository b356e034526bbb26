/// The driver as a state machine of eight phases: what comes after what, how fast, and when it stops. Speeds ramp
/// evenly between the limits of the truck's file. The numbers below are chosen after the practice of sites;
/// test_machine_truck and test_sim_haul check their effects.
#include "machine/truck.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/core/language.h"

#define FULL_TIME     2.5 ///< s that the bed is full before the driver leaves: the last bucket has run out
#define PASS_PAUSE    5.0 ///< s without new soil between two buckets
#define WORTH_THE_WAY 0.8 ///< of the load that it is to take: with less, a truck that is sent has not been loaded
#define PASS_LEAST    (20.0 / 24e3) ///< of the payload, that falls into the bed: less are crumbs
#define HEAP_STOP     0.35 ///< m of soil behind the tail against which the driver tips
#define APRON_SPARED  3.0 ///< m of the apron's beginning, where the truck is not straight yet: nobody tips there
#define DRAWN_AHEAD   3.0 ///< m that the truck draws ahead while the bed runs out
#define DRAW_SPEED    0.5 ///< m/s
#define DRAW_AFTER    3.0 ///< s with the bed up before that
#define EMPTY_SHARE   0.005 ///< of what was hauled: so little may stay in the bed
#define EMPTY_PAUSE   4.0 ///< s without less in the bed: the rest sticks
#define EMPTY_LIMIT   60.0 ///< s
#define BED_EASE      1.0 ///< s in which the bed comes up to its speed, and to rest
#define CREEP         0.01 ///< m/s: with so much a truck stops at once
#define FREE_TIME     1.0 ///< s that the way is free before the driver goes on

const char *const truck_phase_names[TRUCK_PHASE_COUNT] = {TEXT("loading"),  TEXT("hauling"),  TEXT("raising"),
                                                          TEXT("emptying"), TEXT("lowering"), TEXT("returning"),
                                                          TEXT("waiting"),  TEXT("spotting")};

/// The road each phase is on.
static const TruckRoad phase_roads[TRUCK_PHASE_COUNT] = {
    [TRUCK_LOADING] = TRUCK_ROAD_OUT,   [TRUCK_HAULING] = TRUCK_ROAD_OUT,   [TRUCK_RAISING] = TRUCK_ROAD_OUT,
    [TRUCK_EMPTYING] = TRUCK_ROAD_BACK, [TRUCK_LOWERING] = TRUCK_ROAD_BACK, [TRUCK_RETURNING] = TRUCK_ROAD_BACK,
    [TRUCK_WAITING] = TRUCK_ROAD_IN,    [TRUCK_SPOTTING] = TRUCK_ROAD_IN,
};

/// The road of the state's phase; belongs to `route`.
static const TruckWay *road_of_phase(const TruckRoute *route, const TruckState *state)
{
    return &route->roads[phase_roads[state->phase]];
}

static void enter(const TruckRoute *route, TruckPhase phase, double distance, TruckState *state)
{
    state->phase = (int32_t)phase;
    state->distance = distance;
    state->goal = road_of_phase(route, state)->length;
    state->speed = 0.0;
    state->timer = 0.0;
    state->phase_time = 0.0;
    state->mark = state->load;
}

void truck_start(const TruckRoute *route, TruckPhase phase, TruckState *state)
{
    *state = (TruckState){.phase = (int32_t)phase};
    enter(route, phase, 0.0, state);
    state->since_pass = PASS_PAUSE;
}

/// ---- driving -------------------------------------------------------------------------------------------------------

/// Most speed on a piece of road, m/s.
static double piece_limit(const TruckParams *params, const TruckState *state, const TruckPiece *piece)
{
    const TruckDrive *drive = &params->drive;
    double share = fmax(0.0, fmin(1.0, state->load / params->payload));
    double limit =
        piece->reverse ? drive->speed_reverse : drive->speed_empty + share * (drive->speed_loaded - drive->speed_empty);
    double curvature = fabs(piece->curvature);
    return curvature > 0.0 ? fmin(limit, sqrt(drive->cornering / curvature)) : limit;
}

/// Speed from which braking b still reaches u within s, after one more tick: v dt + (v^2 - u^2) / (2 b) = s.
static double speed_before(double u, double s, double b, double dt)
{
    return sqrt(b * b * dt * dt + u * u + 2.0 * b * s) - b * dt;
}

/// Speed at which the driver can still slow down for all that lies ahead.
static double safe_speed(const TruckParams *params, const TruckWay *way, double dt, const TruckState *state)
{
    double brake = params->drive.braking, stop = fmin(truck_way_stop(way, state->distance + 1e-9), state->goal);
    double speed = fmin(piece_limit(params, state, truck_way_piece(way, state->distance)),
                        speed_before(0.0, fmax(stop - state->distance, 0.0), brake, dt));
    for (int k = 0; k < way->count; k++) {
        const TruckPiece *piece = &way->pieces[k];
        if (piece->at > state->distance && piece->at < stop) {
            double limit = piece_limit(params, state, piece);
            speed = fmin(speed, speed_before(limit, piece->at - state->distance, brake, dt));
        }
    }
    return speed;
}

/// The springs: height follows the ground over a few metres, without a step in slope, so that nothing in the bed is
/// thrown.
static void follow_ground(const double ground[TRUCK_PROBE_COUNT], double way, TruckState *state)
{
    const double rate = 1.5; // 1/m; critically damped: z'' = k^2 (ground - z) - 2 k z', derivatives by the way driven
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        double pull = rate * rate * (ground[k] - state->height[k]) - 2.0 * rate * state->slope[k];
        state->slope[k] += pull * way;
        state->height[k] += state->slope[k] * way;
    }
}

void truck_settle(const double ground[TRUCK_PROBE_COUNT], TruckState *state)
{
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        state->height[k] = ground[k];
        state->slope[k] = 0.0;
    }
}

/// Drives on, at most at `limit` m/s. True once it stands at its goal.
static bool drive(const TruckParams *params, const TruckRoute *route, double limit, const TruckSight *sight, double dt,
                  TruckState *state)
{
    const TruckWay *way = road_of_phase(route, state);
    if (state->distance >= state->goal) {
        state->speed = 0.0;
        return true;
    }
    double wanted = state->blocked ? 0.0 : fmin(limit, safe_speed(params, way, dt, state));
    double most = state->speed + params->drive.acceleration * dt, least = state->speed - params->drive.braking * dt;
    state->speed = fmax(0.0, fmax(fmin(wanted, most), least));
    double stop = fmin(truck_way_stop(way, state->distance + 1e-9), state->goal);
    if (!state->blocked) {
        state->speed = fmax(state->speed, fmin(CREEP, most));
    }
    double step = state->speed * dt;
    if (state->distance + step >= stop) {
        step = stop - state->distance;
        state->distance = stop;
        state->speed = 0.0;
    } else {
        state->distance += step;
    }
    state->rolled += truck_way_piece(way, state->distance)->reverse ? -step : step;
    follow_ground(sight->ground, step, state);
    return state->distance >= state->goal;
}

/// Something in the way stops the truck; it goes on when the way has been free for a while.
static TruckNews heed(const TruckSight *sight, double dt, TruckState *state)
{
    state->timer = sight->blocked ? 0.0 : state->timer + dt;
    if (sight->blocked && !state->blocked) {
        state->blocked = 1;
        return TRUCK_NEWS_BLOCKED;
    }
    if (state->blocked && state->timer > FREE_TIME) {
        state->blocked = 0;
        return TRUCK_NEWS_FREE;
    }
    return TRUCK_NEWS_NONE;
}

/// ---- phases --------------------------------------------------------------------------------------------------------

static TruckNews step_loading(const TruckRoute *route, double load_mass, const TruckSight *sight, double dt,
                              TruckState *state)
{
    if (state->leaving == 0) {
        state->timer = state->load >= load_mass ? state->timer + dt : 0.0;
        state->leaving = sight->called ? 2 : state->timer > FULL_TIME ? 1 : 0;
        state->timer = state->leaving != 0 ? 0.0 : state->timer;
        return TRUCK_NEWS_NONE;
    }
    state->timer = sight->blocked ? 0.0 : state->timer + dt;
    if (state->timer < FREE_TIME || !sight->may_go) {
        return TRUCK_NEWS_NONE;
    }
    TruckNews news = state->leaving == 1 ? TRUCK_NEWS_FULL : TRUCK_NEWS_CALLED;
    state->hauled = state->load;
    bool full = state->load >= WORTH_THE_WAY * load_mass;
    state->all_passes += full ? state->passes : 0;
    state->departures++;
    state->full_departures += full;
    state->leaving = 0;
    enter(route, TRUCK_HAULING, 0.0, state);
    return news;
}

/// Backs up until the dump, or the heap that lies before it, is reached.
static TruckNews step_hauling(const TruckParams *params, const TruckRoute *route, const TruckSight *sight, double dt,
                              TruckState *state)
{
    const TruckWay *way = road_of_phase(route, state);
    TruckNews news = heed(sight, dt, state);
    bool on_apron = state->distance > way->length - (TRUCK_APRON - APRON_SPARED);
    if (on_apron && state->goal >= way->length && sight->heap > HEAP_STOP) {
        double braking = state->speed * state->speed / (2.0 * params->drive.braking);
        state->goal = fmin(way->length, state->distance + braking);
    }
    if (drive(params, route, HUGE_VAL, sight, dt, state)) {
        enter(route, TRUCK_RAISING, state->distance, state);
    }
    return news;
}

/// Turns the bed towards `target`, with ease. True once it is there.
static bool turn_bed(double target, double rate, double dt, TruckState *state)
{
    double left = fabs(target - state->bed_angle), pull = rate / BED_EASE;
    double wanted = fmin(rate, sqrt(2.0 * pull * left));
    state->bed_rate = fmin(wanted, state->bed_rate + pull * dt);
    if (left <= fmax(state->bed_rate, 0.02 * rate) * dt) {
        state->bed_angle = target;
        state->bed_rate = 0.0;
        return true;
    }
    state->bed_angle += copysign(fmax(state->bed_rate, 0.02 * rate) * dt, target - state->bed_angle);
    return false;
}

static void step_raising(const TruckParams *params, const TruckRoute *route, double dt, TruckState *state)
{
    if (!turn_bed(params->tip.angle, params->tip.angle / params->tip.raise_time, dt, state)) {
        return;
    }
    // The same place on the road back, which begins with the apron.
    double short_of_dump = road_of_phase(route, state)->length - state->distance;
    enter(route, TRUCK_EMPTYING, short_of_dump, state);
    state->goal = fmin(short_of_dump + DRAWN_AHEAD, TRUCK_APRON);
}

static void step_emptying(const TruckParams *params, const TruckRoute *route, const TruckSight *sight, double dt,
                          TruckState *state)
{
    double crumbs = fmax(EMPTY_SHARE * state->hauled, 1.0);
    if (state->load < state->mark - crumbs) {
        state->mark = state->load;
        state->timer = 0.0;
    }
    state->timer += dt;
    state->blocked = sight->blocked;
    bool drawn = state->phase_time > DRAW_AFTER && drive(params, route, DRAW_SPEED, sight, dt, state);
    bool empty = state->load <= crumbs || state->timer > EMPTY_PAUSE || state->phase_time > EMPTY_LIMIT;
    if (empty && (drawn || state->speed == 0.0)) {
        enter(route, TRUCK_LOWERING, state->distance, state);
    } else if (empty) {
        state->goal = fmin(state->goal, state->distance + 0.5 * state->speed * state->speed / params->drive.braking);
    }
}

static TruckNews step_lowering(const TruckParams *params, const TruckRoute *route, double dt, TruckState *state)
{
    if (!turn_bed(0.0, params->tip.angle / params->tip.lower_time, dt, state)) {
        return TRUCK_NEWS_NONE;
    }
    state->loads++;
    state->blocked = 0;
    enter(route, TRUCK_RETURNING, state->distance, state);
    return TRUCK_NEWS_TIPPED;
}

static TruckNews step_returning(const TruckParams *params, const TruckRoute *route, const TruckSight *sight, double dt,
                                TruckState *state)
{
    TruckNews news = heed(sight, dt, state);
    state->on_road = state->on_road || sight->may_go;
    if (state->on_road && drive(params, route, HUGE_VAL, sight, dt, state)) {
        enter(route, TRUCK_WAITING, 0.0, state);
        state->on_road = 0;
    }
    return news;
}

static TruckNews step_spotting(const TruckParams *params, const TruckRoute *route, const TruckSight *sight, double dt,
                               TruckState *state)
{
    TruckNews news = heed(sight, dt, state);
    if (!drive(params, route, HUGE_VAL, sight, dt, state)) {
        return news;
    }
    enter(route, TRUCK_LOADING, 0.0, state);
    state->blocked = 0;
    state->passes = 0;
    state->since_pass = PASS_PAUSE;
    return TRUCK_NEWS_SPOTTED;
}

TruckNews truck_step(const TruckParams *params, const TruckRoute *route, double load_mass, const TruckSight *sight,
                     double dt, TruckState *state)
{
    state->phase_time += dt;
    switch ((TruckPhase)state->phase) {
    case TRUCK_LOADING:
        return step_loading(route, load_mass, sight, dt, state);
    case TRUCK_HAULING:
        return step_hauling(params, route, sight, dt, state);
    case TRUCK_RAISING:
        step_raising(params, route, dt, state);
        break;
    case TRUCK_EMPTYING:
        step_emptying(params, route, sight, dt, state);
        break;
    case TRUCK_LOWERING:
        return step_lowering(params, route, dt, state);
    case TRUCK_RETURNING:
        return step_returning(params, route, sight, dt, state);
    case TRUCK_WAITING:
        if (sight->may_go && !sight->blocked) {
            enter(route, TRUCK_SPOTTING, 0.0, state);
        }
        break;
    case TRUCK_SPOTTING:
        return step_spotting(params, route, sight, dt, state);
    case TRUCK_PHASE_COUNT:
        break;
    }
    return TRUCK_NEWS_NONE;
}

void truck_weigh(const TruckParams *params, double load, double dt, TruckState *state)
{
    double more = load - state->load;
    bool tips = state->phase == TRUCK_RAISING || state->phase == TRUCK_EMPTYING || state->phase == TRUCK_LOWERING;
    state->load = load;
    if (tips) {
        state->delivered -= more;
    }
    if (state->phase != TRUCK_LOADING) {
        return;
    }
    state->since_pass += dt;
    if (load > state->mark + PASS_LEAST * params->payload) {
        state->passes += state->since_pass > PASS_PAUSE;
        state->since_pass = 0.0;
        state->mark = load;
    } else if (load < state->mark) {
        state->mark = load; // dug out again
    }
}

/// ---- place and state -----------------------------------------------------------------------------------------------
/// Where a truck is: its place on the road of its phase, chassis and bed as they stand on the ground under the wheels,
/// what is in its way; and the one list of its state. The numbers below are chosen; see test_machine_truck.

/// m beyond the way it needs to stop that the driver wants free, and beside the truck.
#define ROOM_AHEAD  2.0
#define ROOM_BESIDE 0.4
/// m of the road between two looks ahead.
#define LOOK 0.5

TruckPlace truck_place(const TruckRoute *route, const TruckState *state)
{
    return truck_way_at(road_of_phase(route, state), state->distance);
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
    const TruckWay *way = road_of_phase(route, state);
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
    const TruckWay *way = road_of_phase(route, state);
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
        double length = road_of_phase(route, state)->length;
        good = state->distance >= 0.0 && state->distance <= length && state->speed >= 0.0 && state->goal <= length &&
               fabs(state->bed_angle) <= M_PI && state->leaving >= 0 && state->leaving <= 2;
    }
    if (!good) {
        truck_start(route, TRUCK_LOADING, state);
        visitor->failed = true;
    }
}
