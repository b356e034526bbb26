/// Trucks of a session. Drivers (machine/truck.h) decide where the trucks go; the treads of bodies on springs
/// (machine/truck/truck_body.h) follow that way, and the beds are trays of the soil that move with them. Each place
/// holds one truck, so that roads which cross are driven by one at a time.
#include "trainer/sim/session_truck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/elementary.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/scene_site.h"
#include "machine/truck/truck_body.h"
#include "trainer/sim/truck_driver.h"

/// What a driver does with his truck in a tick. Scratch.
typedef struct TruckDrivePlan {
    double height[TRUCK_PROBE_COUNT]; ///< m: of the ground under its supports at the tick's start
    double bed_angle; ///< rad, at the tick's start
    double bed_rate; ///< rad/s
    TruckFooting footing; ///< its heights at the tick's start
    bool moves; ///< it drives, or its bed or tail moves
    bool touched; ///< something has touched it in this tick
} TruckDrivePlan;

struct SessionTrucks {
    TruckParams params;
    TruckRoute route; ///< without roads for a driverless truck
    TruckPlace spot; ///< of a driverless truck
    bool driven;
    double load_mass; ///< kg
    int count;
    TruckDrivePlan plan[SCENE_MAX_TRUCKS];
    /// State.
    TruckState states[SCENE_MAX_TRUCKS];
    TruckBody bodies[SCENE_MAX_TRUCKS];
    TruckDriverState drivers[SCENE_MAX_TRUCKS];
};

/// m driven within which a truck comes back by about two thirds to the road that it was pushed off. Chosen: a driver
/// who steers gently.
#define WAY_BACK 3.0

/// ---- poses ---------------------------------------------------------------------------------------------------------

/// Where the driver of a truck wants it.
static TruckPlace wanted_place(const SessionTrucks *trucks, int index)
{
    return trucks->driven ? truck_place(&trucks->route, &trucks->states[index]) : trucks->spot;
}

/// Puts the body of a truck, empty, to where its driver's state has it.
static void place_body(SessionTrucks *trucks, int index)
{
    TruckPlace at = wanted_place(trucks, index);
    Pose chassis = truck_chassis(&trucks->params, &at, trucks->states[index].height);
    truck_body_start(&trucks->params, &chassis, &trucks->bodies[index]);
}

SessionTruckPose session_trucks_pose(const SessionTrucks *trucks, int index)
{
    const TruckState *state = &trucks->states[index];
    SessionTruckPose pose = {.rolled = state->rolled};
    pose.steering = trucks->driven ? truck_steering(&trucks->params, &trucks->route, state) : 0.0;
    pose.chassis = truck_body_chassis(&trucks->params, &trucks->bodies[index]);
    pose.bed = truck_bed(&trucks->params, &pose.chassis, state->bed_angle);
    truck_body_travel(&trucks->params, &trucks->bodies[index], pose.travel);
    return pose;
}

SessionTruckMotion session_trucks_motion(const SessionTrucks *trucks, int index, double elapsed, double dt)
{
    const TruckBody *body = &trucks->bodies[index];
    const TruckDrivePlan *plan = &trucks->plan[index];
    SessionTruckMotion motion = {.chassis = truck_body_chassis(&trucks->params, body)};
    motion.bed = truck_bed(&trucks->params, &motion.chassis, plan->bed_angle + elapsed * dt * plan->bed_rate);
    motion.velocity = truck_body_velocity(body, motion.chassis.position);
    motion.spin = vec3(body->motion.spin[0], body->motion.spin[1], body->motion.spin[2]);
    motion.hinge = pose_apply(&motion.bed, vec3(-0.5 * trucks->params.bed.length, 0.0, 0.0));
    motion.tipping = mat3_mul(&motion.chassis.rotation, vec3(0.0, -plan->bed_rate, 0.0)); // the front goes up
    return motion;
}

/// ---- the tray of a bed ---------------------------------------------------------------------------------------------

/// Rotation vector that turns a into b, rad; small turns.
static Vec3 turn_between(const Mat3 *a, const Mat3 *b)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        Vec3 from = vec3(a->m[0][k], a->m[1][k], a->m[2][k]), to = vec3(b->m[0][k], b->m[1][k], b->m[2][k]);
        sum = vec3_madd(sum, 0.5, vec3_cross(from, to)); // axis times the sine of the angle
    }
    double sine = vec3_length(sum);
    return sine > 0.0 ? vec3_scale(sum, same_asin(fmin(sine, 1.0)) / sine) : sum;
}

static bool is_same(const Pose *a, const Pose *b)
{
    bool same = a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z;
    for (int k = 0; k < 9; k++) {
        same = same && a->rotation.m[k / 3][k % 3] == b->rotation.m[k / 3][k % 3];
    }
    return same;
}

/// The bed goes from where it is to where the driver has brought it, within the tick.
static void move_bed(Soil *soil, int index, const Pose *from, const Pose *to, bool tail_open, double dt)
{
    Status status;
    Pose now = soil_get_tray_frame(soil, index);
    SoilTrayMotion motion = {.frame = *from, .tail_open = tail_open};
    if (is_same(from, to) && is_same(&now, to)) {
        return;
    }
    motion.velocity = vec3_scale(vec3_sub(to->position, from->position), 1.0 / dt);
    motion.spin = vec3_scale(turn_between(&from->rotation, &to->rotation), 1.0 / dt);
    soil_move_tray(soil, index, &motion, &status); // roads lie on the site and drivers are slow: never refused
}

/// ---- driving -------------------------------------------------------------------------------------------------------

/// The plane that lies best through the ground under the supports of a truck at a place.
static void find_plane(const TruckParams *params, const TruckPlace *at, const double height[TRUCK_PROBE_COUNT],
                       TruckFooting *footing)
{
    Pose chassis = truck_chassis(params, at, height);
    Vec3 middle = vec3(params->rear_axle + 0.5 * params->wheelbase, 0.0, 0.0);
    const Mat3 *turn = &chassis.rotation;
    footing->middle = pose_apply(&chassis, middle);
    footing->normal = vec3(turn->m[0][2], turn->m[1][2], turn->m[2][2]);
}

/// How the treads roll: as the driver goes from a place to the next, and back to that way where the truck is off it.
static void find_roll(const TruckParams *params, const TruckBody *body, const TruckPlace *from, const TruckPlace *to,
                      double dt, TruckFooting *footing)
{
    Pose chassis = truck_body_chassis(params, body);
    Vec3 axle = pose_apply(&chassis, vec3(params->rear_axle, 0.0, 0.0));
    double heading = same_atan2(chassis.rotation.m[1][0], chassis.rotation.m[0][0]);
    double vx = (to->x - from->x) / dt, vy = (to->y - from->y) / dt, rate = same_hypot(vx, vy) / WAY_BACK;
    double turn = remainder(to->heading - from->heading, 2.0 * M_PI) / dt;
    vx += rate * (from->x - axle.x);
    vy += rate * (from->y - axle.y);
    turn += rate * remainder(from->heading - heading, 2.0 * M_PI);
    Vec3 ahead = vec3_sub(footing->middle, vec3(from->x, from->y, footing->middle.z));
    footing->roll = vec3(vx - turn * ahead.y, vy + turn * ahead.x, 0.0);
    footing->turn = turn;
}

/// Plans the treads' way in a tick of `dt` s: the driver's state was `before`, and is now what the trucks have; he
/// drove from the place `from`. Moves the tray of the bed with the body.
static void plan_drive(SessionTrucks *trucks, int index, const TruckState *before, const TruckPlace *from, Soil *soil,
                       double dt)
{
    const TruckState *state = &trucks->states[index];
    TruckBody *body = &trucks->bodies[index];
    TruckDrivePlan *plan = &trucks->plan[index];
    TruckPlace to = wanted_place(trucks, index);
    *plan = (TruckDrivePlan){.bed_angle = before->bed_angle, .bed_rate = (state->bed_angle - before->bed_angle) / dt};
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        plan->footing.height[k] = before->height[k];
        plan->footing.rate[k] = (state->height[k] - before->height[k]) / dt;
    }
    find_plane(&trucks->params, from, before->height, &plan->footing);
    find_roll(&trucks->params, body, from, &to, dt, &plan->footing);
    plan->moves = state->speed > 0.0 || before->speed > 0.0 || plan->bed_rate != 0.0 ||
                  truck_tail_open(state) != truck_tail_open(before);
    if (plan->moves) {
        truck_body_wake(body);
    }
    Pose now = soil_get_tray_frame(soil, index), chassis = truck_body_chassis(&trucks->params, body), bed;
    if (body->asleep[0]) {
        bed = truck_bed(&trucks->params, &chassis, state->bed_angle);
        move_bed(soil, index, &bed, &bed, truck_tail_open(state), dt);
    } else {
        chassis = truck_body_ahead(&trucks->params, body, dt);
        bed = truck_bed(&trucks->params, &chassis, state->bed_angle);
        move_bed(soil, index, &now, &bed, truck_tail_open(state), dt);
    }
}

/// ---- their part in the machine's steps -----------------------------------------------------------------------------

void session_trucks_fill_movers(SessionTrucks *trucks, double elapsed, double dt, double h, const MachineTouch *touches,
                                int touch_count, MachineMover movers[SCENE_MAX_TRUCKS])
{
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        movers[k] = (MachineMover){.mass = 0.0};
    }
    for (int k = 0; k < touch_count; k++) {
        int truck = touches[k].mover - 1;
        if (truck >= 0 && trucks != NULL && truck < trucks->count) {
            trucks->plan[truck].touched = true;
            truck_body_wake(&trucks->bodies[truck]);
        }
    }
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        if (!trucks->bodies[k].asleep[0]) {
            TruckFooting footing = trucks->plan[k].footing;
            for (int i = 0; i < TRUCK_PROBE_COUNT; i++) {
                footing.height[i] += elapsed * dt * footing.rate[i];
            }
            footing.middle = vec3_madd(footing.middle, elapsed * dt, footing.roll);
            truck_body_push(&trucks->params, &footing, h, &trucks->bodies[k], &movers[k]);
        }
    }
}

void session_trucks_set_motion(SessionTrucks *trucks, const MachineMover movers[SCENE_MAX_TRUCKS])
{
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        if (movers[k].mass > 0.0) {
            truck_body_take(&trucks->params, &movers[k], &trucks->bodies[k]);
        }
    }
}

/// ---- after a tick --------------------------------------------------------------------------------------------------

static void place_wheels(const SessionTrucks *trucks, int index, SoilFootprint wheels[SESSION_TRUCK_WHEELS])
{
    const double length = 0.35, width = 0.4; // m: where a tyre of this class touches the ground
    const double *force = trucks->bodies[index].force;
    TruckPlace at = wanted_place(trucks, index);
    Vec3 points[SESSION_TRUCK_WHEELS];
    truck_wheel_points(&trucks->params, &at, points);
    for (int k = 0; k < SESSION_TRUCK_WHEELS; k++) {
        bool front = k >= 4; // a side's rear wheels, four tyres, share what their support bears
        double load = front ? force[TRUCK_PROBE_FRONT_LEFT + k % 2] : 0.5 * force[TRUCK_PROBE_REAR_LEFT + k % 2];
        wheels[k] = (SoilFootprint){.middle = points[k],
                                    .heading = at.heading,
                                    .length = length,
                                    .width = width,
                                    .pressure = load / (length * width)};
    }
}

void session_trucks_standing(const SessionTrucks *trucks, SoilFootprint wheels[SCENE_MAX_TRUCKS * SESSION_TRUCK_WHEELS])
{
    memset(wheels, 0, SCENE_MAX_TRUCKS * SESSION_TRUCK_WHEELS * sizeof *wheels);
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        place_wheels(trucks, k, &wheels[k * SESSION_TRUCK_WHEELS]);
    }
}

/// Its wheels press the loose soil they roll over.
static void press_ground(const SessionTrucks *trucks, int index, Soil *soil)
{
    SoilFootprint wheels[SESSION_TRUCK_WHEELS];
    place_wheels(trucks, index, wheels);
    for (int k = 0; k < SESSION_TRUCK_WHEELS; k++) {
        soil_press(soil, &wheels[k]);
    }
}

/// What lies in a bed: soil, and the rocks' kg and kg m in the frame of its tray.
static void weigh_bed(SessionTrucks *trucks, int index, const Soil *soil, const SessionTruckRocks *rocks, double dt)
{
    Vec3 center;
    double soil_mass = soil_get_tray_load(soil, index, &center), load = soil_mass + rocks->mass;
    if (load > 0.0) {
        center = vec3_scale(vec3_madd(rocks->moment, soil_mass, center), 1.0 / load);
    }
    Pose tray = soil_get_tray_frame(soil, index), chassis = truck_body_chassis(&trucks->params, &trucks->bodies[index]);
    truck_body_carry(load, pose_apply_inverse(&chassis, pose_apply(&tray, center)), &trucks->bodies[index]);
    if (trucks->driven) {
        truck_weigh(&trucks->params, load, dt, &trucks->states[index]);
    } else {
        trucks->states[index].load = load;
    }
}

void session_trucks_end_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckRocks rocks[SCENE_MAX_TRUCKS],
                             double dt)
{
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        if (trucks->states[k].speed > 0.0) {
            press_ground(trucks, k, soil);
        }
        weigh_bed(trucks, k, soil, &rocks[k], dt);
        truck_body_rest(trucks->plan[k].moves || trucks->plan[k].touched, dt, &trucks->bodies[k]);
    }
}

SessionTruckReadout session_trucks_readout(const SessionTrucks *trucks, int index)
{
    const TruckParams *params = &trucks->params;
    const TruckBody *body = &trucks->bodies[index];
    TruckLoads loads = truck_body_loads(body);
    Pose chassis = truck_body_chassis(params, body);
    const Mat3 *turn = &chassis.rotation;
    double all = loads.left + loads.right;
    return (SessionTruckReadout){
        .front = loads.front / STANDARD_GRAVITY,
        .rear = loads.rear / STANDARD_GRAVITY,
        .left = loads.left / STANDARD_GRAVITY,
        .right = loads.right / STANDARD_GRAVITY,
        .load = body->load[0],
        .overload = fmax(0.0, body->load[0] - params->payload),
        .front_overload = fmax(0.0, loads.front / STANDARD_GRAVITY - params->chassis.front_limit),
        .rear_overload = fmax(0.0, loads.rear / STANDARD_GRAVITY - params->chassis.rear_limit),
        .uneven = all > 0.0 ? (loads.left - loads.right) / all : 0.0,
        .pitch = same_asin(fmax(-1.0, fmin(1.0, turn->m[2][0]))),
        .roll = same_atan2(turn->m[2][1], turn->m[2][2]),
        .tipped = truck_body_is_tipped(params, body),
        .asleep = body->asleep[0] != 0,
    };
}

int session_trucks_sight(const SessionTrucks *trucks, IncidentTruck sight[SCENE_MAX_TRUCKS])
{
    int count = session_trucks_count(trucks);
    for (int k = 0; k < count; k++) {
        SessionTruckPose pose = session_trucks_pose(trucks, k);
        SessionTruckReadout readout = session_trucks_readout(trucks, k);
        sight[k] = (IncidentTruck){
            .chassis = pose.chassis,
            .bed = pose.bed,
            .speed = session_trucks_state(trucks, k)->speed,
            .spots = session_trucks_state(trucks, k)->phase == TRUCK_SPOTTING,
            .load = readout.load,
            .overload = fmax(readout.overload, fmax(readout.front_overload, readout.rear_overload)),
            .tipped = readout.tipped,
        };
    }
    return count;
}

/// m over the sides of the bed from which on a bucket is out of the way.
#define BUCKET_AIR 1.0
/// kg that may still move in a bed whose load counts as still.
#define CRUMBS 10.0
/// m: more than a driver ever checks ahead.
#define FAR_AWAY 40.0

/// ---- creation ------------------------------------------------------------------------------------------------------

static void sample_ground(const Soil *soil, const TruckParams *params, const TruckPlace *place,
                          double ground[TRUCK_PROBE_COUNT])
{
    Vec3 points[TRUCK_PROBE_COUNT];
    truck_probes(params, place, points);
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        ground[k] = soil_get_height(soil, points[k].x, points[k].y);
    }
}

/// The first truck begins at the spot, the second where trucks wait.
static bool start_truck(SessionTrucks *trucks, int index, const SceneTruck *bed, Soil *soil, Status *status)
{
    TruckState *state = &trucks->states[index];
    truck_start(&trucks->route, index == 0 ? TRUCK_LOADING : TRUCK_WAITING, state);
    TruckPlace at = wanted_place(trucks, index);
    double ground[TRUCK_PROBE_COUNT];
    sample_ground(soil, &trucks->params, &at, ground);
    truck_settle(ground, state);
    place_body(trucks, index);
    SessionTruckPose pose = session_trucks_pose(trucks, index);
    SoilTrayMotion motion = {.frame = pose.bed};
    SoilTray tray = {.x = motion.frame.position.x,
                     .y = motion.frame.position.y,
                     .heading = at.heading,
                     .length = bed->bed_length,
                     .width = bed->bed_width,
                     .floor = bed->floor_height, // as drawn; the frame below says where it is
                     .wall = bed->bed_height,
                     .tail = bed->tail_height};
    int tray_index = soil_add_tray(soil, &tray, status);
    if (tray_index >= 0 && soil_move_tray(soil, tray_index, &motion, status)) {
        return true;
    }
    Status inner = *status;
    return status_fail(status, inner.code, "exercise.truck: %.960s", inner.text);
}

bool session_trucks_create(const SceneParams *scene, Soil *soil, SessionTrucks **created, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    *created = NULL;
    if (exercise->kind != EXERCISE_TRUCK_LOADING) {
        return true;
    }
    SessionTrucks *trucks = calloc(1, sizeof *trucks);
    if (trucks == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the trucks");
    }
    *created = trucks;
    trucks->params = scene_truck_shape(scene);
    trucks->load_mass = exercise->haul.load_mass;
    trucks->driven = exercise->haul.trucks > 0;
    trucks->count = trucks->driven ? exercise->haul.trucks : 1;
    const SceneTruck *bed = &exercise->truck;
    trucks->spot = truck_place_of(&trucks->params, &(ScenePose){bed->x, bed->y, bed->heading});
    if (trucks->driven && !truck_route(&trucks->params, bed, &exercise->haul, &trucks->route)) {
        return status_fail(status, STATUS_BAD_FILE, "exercise.haul: the trucks' roads have too many bends");
    }
    for (int k = 0; k < trucks->count; k++) {
        if (!start_truck(trucks, k, bed, soil, status)) {
            return false;
        }
    }
    return true;
}

void session_trucks_destroy(SessionTrucks *trucks)
{
    free(trucks);
}

/// ---- right of way and obstacles ------------------------------------------------------------------------------------

/// True when another truck is in a phase.
static bool other_is(const SessionTrucks *trucks, int self, TruckPhase phase)
{
    for (int k = 0; k < trucks->count; k++) {
        if (k != self && trucks->states[k].phase == (int32_t)phase) {
            return true;
        }
    }
    return false;
}

/// True when another truck, on its way to the dump, is still where one drives to the spot.
static bool other_leaves(const SessionTrucks *trucks, int self)
{
    for (int k = 0; k < trucks->count; k++) {
        if (k != self && trucks->states[k].phase == TRUCK_HAULING && trucks->states[k].distance < trucks->route.clear) {
            return true;
        }
    }
    return false;
}

/// Spot, dump and waiting place hold one truck each, and roads that may cross are driven by one at a time. With two
/// trucks one of the three places is free, so that one can always drive.
static bool may_go(const SessionTrucks *trucks, int self)
{
    switch ((TruckPhase)trucks->states[self].phase) {
    case TRUCK_LOADING:
        return !other_is(trucks, self, TRUCK_HAULING) && !other_is(trucks, self, TRUCK_RAISING) &&
               !other_is(trucks, self, TRUCK_EMPTYING) && !other_is(trucks, self, TRUCK_LOWERING) &&
               !other_is(trucks, self, TRUCK_RETURNING);
    case TRUCK_RETURNING:
        return !other_is(trucks, self, TRUCK_HAULING) && !other_is(trucks, self, TRUCK_WAITING) &&
               !other_is(trucks, self, TRUCK_SPOTTING);
    case TRUCK_WAITING:
        return !other_is(trucks, self, TRUCK_LOADING) && !other_leaves(trucks, self);
    case TRUCK_HAULING:
    case TRUCK_RAISING:
    case TRUCK_EMPTYING:
    case TRUCK_LOWERING:
    case TRUCK_SPOTTING:
    case TRUCK_PHASE_COUNT:
        break;
    }
    return true;
}

/// The bucket as a circle in plan, and its lowest point.
static void bucket_circle(const SoilTool *tool, double *radius, double *lowest)
{
    *radius = 0.0;
    *lowest = HUGE_VAL;
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        for (int c = 0; c < 2 * piece->corner_count; c++) {
            const double *corner = piece->corners[c / 2];
            Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], c % 2 ? piece->y_max : piece->y_min, corner[1]));
            *radius = fmax(*radius, same_hypot(at.x - tool->motion.center.x, at.y - tool->motion.center.y));
            *lowest = fmin(*lowest, at.z);
        }
    }
}

/// What stops a driver: an obstacle, a tipped truck, or an order.
typedef enum InTheWay { WAY_FREE, WAY_BUCKET, WAY_MACHINE, WAY_TIPPED, WAY_HELD } InTheWay;

static InTheWay find_obstacle(const SessionTrucks *trucks, const TruckState *state, const TruckPlace *at, double ground,
                              const SessionTruckHazard *hazard)
{
    const TruckParams *params = &trucks->params;
    if (same_hypot(hazard->base.x - at->x, hazard->base.y - at->y) > FAR_AWAY) {
        return WAY_FREE;
    }
    double radius, lowest;
    bucket_circle(hazard->tool, &radius, &lowest);
    double top = ground + params->bed.floor_height + params->bed.height + BUCKET_AIR;
    if (lowest < top && truck_looks_ahead(params, &trucks->route, state, hazard->tool->motion.center.x,
                                          hazard->tool->motion.center.y, radius)) {
        return WAY_BUCKET;
    }
    return truck_looks_ahead(params, &trucks->route, state, hazard->base.x, hazard->base.y, hazard->radius)
               ? WAY_MACHINE
               : WAY_FREE;
}

/// True while the driver waits for nothing but the load, or moves nothing but the bed.
static bool is_parked(const TruckState *state)
{
    return truck_is_at_spot(state) || state->phase == TRUCK_RAISING || state->phase == TRUCK_LOWERING;
}

/// True while the driver of a truck that is to leave stays because of how it was loaded.
static bool stays_for_load(SessionTrucks *trucks, int index, int64_t tick, double dt, Exercise *exercise)
{
    const TruckParams *params = &trucks->params;
    const TruckState *state = &trucks->states[index];
    SessionTruckReadout truck = session_trucks_readout(trucks, index);
    DriverSight sight = {
        .truck = index,
        .uneven = fabs(truck.uneven),
        .excess = fmax(truck.overload, fmax(truck.front_overload, truck.rear_overload)),
        .over = fmax(truck.overload / params->payload, fmax(truck.front_overload / params->chassis.front_limit,
                                                            truck.rear_overload / params->chassis.rear_limit))};
    bool leaves = state->phase == TRUCK_LOADING && state->leaving != 0;
    return truck_driver_stays(params, leaves, &sight, tick, dt, &trucks->drivers[index], exercise);
}

static InTheWay sense_road(const SessionTrucks *trucks, int index, const Soil *soil, const SessionTruckHazard *hazard,
                           TruckSight *sight)
{
    const TruckState *state = &trucks->states[index];
    TruckPlace at = truck_place(&trucks->route, state);
    sample_ground(soil, &trucks->params, &at, sight->ground);
    sight->heap = 0.0;
    if (state->phase == TRUCK_HAULING) {
        Vec3 tail[TRUCK_TAIL_POINTS];
        truck_tail_points(&trucks->params, &at, tail);
        double under = 0.5 * (sight->ground[TRUCK_PROBE_REAR_LEFT] + sight->ground[TRUCK_PROBE_REAR_RIGHT]);
        for (int k = 0; k < TRUCK_TAIL_POINTS; k++) {
            sight->heap = fmax(sight->heap, soil_get_height(soil, tail[k].x, tail[k].y) - under);
        }
    }
    bool tipped = truck_body_is_tipped(&trucks->params, &trucks->bodies[index]);
    sight->may_go = !tipped && !hazard->held[index] && may_go(trucks, index);
    InTheWay obstacle = tipped                ? WAY_TIPPED
                        : hazard->held[index] ? WAY_HELD
                        : is_parked(state)
                            ? WAY_FREE
                            : find_obstacle(trucks, state, &at, sight->ground[TRUCK_PROBE_REAR_LEFT], hazard);
    sight->blocked = obstacle != WAY_FREE;
    return obstacle;
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

static void report_news(Exercise *exercise, int64_t tick, int index, TruckNews news, InTheWay obstacle,
                        const TruckState *state)
{
    static const int32_t reasons[] = {[WAY_TIPPED] = EVENT_TRUCK_LIES,
                                      [WAY_HELD] = EVENT_TRUCK_HELD,
                                      [WAY_BUCKET] = EVENT_TRUCK_BEHIND_BUCKET,
                                      [WAY_MACHINE] = EVENT_TRUCK_BEHIND_MACHINE};
    ExerciseEvent event = {.tick = tick, .kind = EVENT_TRUCK, .thing = event_thing(THING_TRUCK, index, "")};
    switch (news) {
    case TRUCK_NEWS_SPOTTED:
        event.form = EVENT_TRUCK_SPOTTED;
        break;
    case TRUCK_NEWS_FULL:
    case TRUCK_NEWS_CALLED:
        event.form = news == TRUCK_NEWS_FULL ? EVENT_TRUCK_FULL : EVENT_TRUCK_CALLED;
        event.number.load = state->hauled;
        event.number.count = (double)state->passes;
        break;
    case TRUCK_NEWS_TIPPED:
        event.form = EVENT_TRUCK_EMPTIED;
        event.number.load = state->hauled - state->load;
        event.number.rest = state->load;
        break;
    case TRUCK_NEWS_BLOCKED:
        event.form = reasons[obstacle];
        break;
    case TRUCK_NEWS_FREE:
        event.form = EVENT_TRUCK_GOES_ON;
        break;
    case TRUCK_NEWS_NONE:
        return;
    }
    exercise_note_event(exercise, &event);
}

void session_trucks_begin_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckHazard *hazard,
                               const OperatorControls *controls, int64_t tick, double dt, Exercise *exercise)
{
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        TruckState *state = &trucks->states[k], before = *state;
        TruckPlace from = wanted_place(trucks, k);
        if (trucks->driven) {
            TruckSight sight = {.called = control_value(controls, CONTROL_HORN) > 0.5};
            InTheWay obstacle = sense_road(trucks, k, soil, hazard, &sight);
            sight.may_go = !stays_for_load(trucks, k, tick, dt, exercise) && sight.may_go;
            TruckNews news = truck_step(&trucks->params, &trucks->route, trucks->load_mass, &sight, dt, state);
            report_news(exercise, tick, k, news, obstacle, state);
        }
        plan_drive(trucks, k, &before, &from, soil, dt);
    }
}

/// ---- what others read ----------------------------------------------------------------------------------------------

SessionTruckSum session_trucks_sum(const SessionTrucks *trucks, const Soil *soil, bool measures)
{
    const int64_t crumbs = (int64_t)(CRUMBS / SOIL_QUANTUM);
    SessionTruckSum sum = {0};
    if (!session_trucks_driven(trucks)) {
        sum.beds[0] = (ExerciseBed){soil_get_tray_mass(soil, 0), measures && soil_tray_is_stirred(soil, 0, crumbs)};
        return sum;
    }
    for (int k = 0; k < trucks->count; k++) {
        const TruckState *state = &trucks->states[k];
        bool stands = state->phase == TRUCK_LOADING; // on the road its load moves with it
        sum.beds[k] =
            (ExerciseBed){state->load + state->delivered, measures && stands && soil_tray_is_stirred(soil, k, crumbs)};
        sum.delivered += state->delivered;
        sum.loads += state->loads;
        sum.passes += state->all_passes;
        sum.left += state->full_departures;
    }
    return sum;
}

const TruckState *session_trucks_state(const SessionTrucks *trucks, int index)
{
    return &trucks->states[index];
}

bool session_trucks_driven(const SessionTrucks *trucks)
{
    return trucks != NULL && trucks->driven;
}

int session_trucks_count(const SessionTrucks *trucks)
{
    return trucks != NULL ? trucks->count : 0;
}

/// The truck an operator is interested in: at the spot, or else the next to come.
static int nearest_truck(const SessionTrucks *trucks)
{
    static const TruckPhase order[TRUCK_PHASE_COUNT] = {TRUCK_LOADING,  TRUCK_SPOTTING, TRUCK_WAITING, TRUCK_RETURNING,
                                                        TRUCK_LOWERING, TRUCK_EMPTYING, TRUCK_RAISING, TRUCK_HAULING};
    for (int k = 0; k < TRUCK_PHASE_COUNT; k++) {
        for (int i = 0; i < trucks->count; i++) {
            if (trucks->states[i].phase == (int32_t)order[k]) {
                return i;
            }
        }
    }
    return 0;
}

int session_trucks_watched(const SessionTrucks *trucks)
{
    return trucks == NULL ? -1 : trucks->driven ? nearest_truck(trucks) : 0;
}

bool session_trucks_ready(const SessionTrucks *trucks)
{
    return !session_trucks_driven(trucks) || truck_is_at_spot(&trucks->states[nearest_truck(trucks)]);
}

/// What is wrong with how a truck is loaded, or what its axles bear.
static void axles_line(const SessionTruckReadout *truck, TextUnits units, char *line, size_t size)
{
    if (truck->tipped) {
        snprintf(line, size, "tipped over");
    } else if (truck->overload > 0.0) {
        snprintf(line, size, language_text("%s too much"), quantity(QUANTITY_TONNES, truck->overload, units).text);
    } else if (truck->front_overload > 0.0 || truck->rear_overload > 0.0) {
        bool front = truck->front_overload > truck->rear_overload;
        snprintf(line, size, language_text(front ? TEXT("front axle %s over") : TEXT("rear axles %s over")),
                 quantity(QUANTITY_TONNES, fmax(truck->front_overload, truck->rear_overload), units).text);
    } else {
        snprintf(line, size, language_text("axles %s+%s"), quantity(QUANTITY_TONNES, truck->front, units).number,
                 quantity(QUANTITY_TONNES, truck->rear, units).text);
    }
}

void session_trucks_line(const SessionTrucks *trucks, TextUnits units, char *line, size_t size)
{
    int index = session_trucks_watched(trucks);
    const TruckState *state = &trucks->states[index];
    SessionTruckReadout truck = session_trucks_readout(trucks, index);
    char axles[64];
    axles_line(&truck, units, axles, sizeof axles);
    const TruckDriverState *driver = &trucks->drivers[index];
    if (!trucks->driven) {
        snprintf(line, size, language_text("Truck: %s"), axles);
    } else if (driver->said == DRIVER_REFUSED || driver->wait > 0.0) {
        snprintf(line, size,
                 language_text(driver->said == DRIVER_REFUSED ? TEXT("Truck %d: does not leave; %s")
                                                              : TEXT("Truck %d: badly loaded, leaves later; %s")),
                 index + 1, axles);
    } else if (state->phase == TRUCK_LOADING && state->leaving != 0 && !truck.tipped) {
        snprintf(line, size,
                 language_text(state->timer > 0.0 ? TEXT("Truck %d: leaves when the road is free")
                                                  : TEXT("Truck %d: leaves when the bucket is away")),
                 index + 1);
    } else if (state->phase == TRUCK_LOADING) {
        snprintf(line, size, language_text("Truck %d: %s/%s, %d passes; %s"), index + 1,
                 quantity(QUANTITY_TONNES, state->load, units).number,
                 quantity(QUANTITY_TONNES, trucks->load_mass, units).text, (int)state->passes, axles);
    } else {
        snprintf(line, size, language_text("Truck %d: %s%s"), index + 1, language_text(truck_phase_names[state->phase]),
                 truck.tipped     ? language_text(", tipped over")
                 : state->blocked ? language_text(", blocked")
                                  : "");
    }
}

void session_trucks_visit(SessionTrucks *trucks, StateVisitor *visitor)
{
    for (int k = 0; trucks != NULL && k < trucks->count && !visitor->failed; k++) {
        truck_visit(&trucks->states[k], &trucks->route, visitor);
        truck_body_visit(&trucks->bodies[k], visitor);
        truck_driver_visit(&trucks->drivers[k], visitor);
    }
}

bool session_trucks_are_finite(const SessionTrucks *trucks)
{
    bool good = true;
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        good = good && truck_is_finite(&trucks->states[k]) && truck_body_is_finite(&trucks->bodies[k]);
    }
    return good;
}
