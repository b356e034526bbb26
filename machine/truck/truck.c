/// The driver as a state machine of eight phases: what comes after what, how fast, and when it stops. Speeds ramp
/// evenly between the limits of the truck's file. The numbers below are chosen after how sites work; test_machine_truck
/// and test_sim_haul hold what they do.
#include "machine/truck.h"

#include <math.h>

#include "data/core/text.h"

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

const TruckWay *truck_road(const TruckRoute *route, const TruckState *state)
{
    return &route->roads[phase_roads[state->phase]];
}

static void enter(const TruckRoute *route, TruckPhase phase, double distance, TruckState *state)
{
    state->phase = (int32_t)phase;
    state->distance = distance;
    state->goal = truck_road(route, state)->length;
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
    const TruckWay *way = truck_road(route, state);
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
    const TruckWay *way = truck_road(route, state);
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
    double short_of_dump = truck_road(route, state)->length - state->distance;
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
