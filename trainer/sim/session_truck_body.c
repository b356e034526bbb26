/// Trucks as bodies on springs (machine/truck/truck_body.h): the driver's way as that of their treads, their part in
/// the machine's steps, what lies in their beds, and the trays that move with them.
#include <math.h>

#include "data/core/elementary.h"
#include "trainer/sim/session_truck_internal.h"

/// m driven within which a truck comes back by about two thirds to the road that it was pushed off. Chosen: a driver
/// who steers gently.
#define WAY_BACK 3.0

/// ---- where they are ------------------------------------------------------------------------------------------------

void session_truck_put(SessionTrucks *trucks, int index)
{
    TruckPlace at = session_truck_place(trucks, index);
    Pose chassis = truck_chassis(&trucks->params, &at, trucks->states[index].height);
    truck_body_start(&trucks->params, &chassis, &trucks->bodies[index]);
}

SessionTruckLook session_trucks_look(const SessionTrucks *trucks, int index)
{
    const TruckState *state = &trucks->states[index];
    SessionTruckLook seen = {.rolled = state->rolled};
    seen.steering = trucks->driven ? truck_steering(&trucks->params, &trucks->route, state) : 0.0;
    seen.chassis = truck_body_chassis(&trucks->params, &trucks->bodies[index]);
    seen.bed = truck_bed(&trucks->params, &seen.chassis, state->bed_angle);
    truck_body_travel(&trucks->params, &trucks->bodies[index], seen.travel);
    return seen;
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

void session_truck_plan(SessionTrucks *trucks, int index, const TruckState *before, const TruckPlace *from, Soil *soil,
                        double dt)
{
    const TruckState *state = &trucks->states[index];
    TruckBody *body = &trucks->bodies[index];
    TruckDrivePlan *plan = &trucks->plan[index];
    TruckPlace to = session_truck_place(trucks, index);
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

void session_trucks_push(SessionTrucks *trucks, double elapsed, double dt, double h, const MachineTouch *touches,
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

void session_trucks_take(SessionTrucks *trucks, const MachineMover movers[SCENE_MAX_TRUCKS])
{
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        if (movers[k].mass > 0.0) {
            truck_body_take(&trucks->params, &movers[k], &trucks->bodies[k]);
        }
    }
}

/// ---- after a tick --------------------------------------------------------------------------------------------------

/// Its wheels press the loose soil they roll over.
static void press_ground(const SessionTrucks *trucks, int index, Soil *soil)
{
    enum { WHEELS = 6 };
    const double length = 0.35, width = 0.4; // m: where a tyre of this class touches the ground
    const double *force = trucks->bodies[index].force;
    TruckPlace at = session_truck_place(trucks, index);
    Vec3 wheels[WHEELS];
    truck_wheel_points(&trucks->params, &at, wheels);
    for (int k = 0; k < WHEELS; k++) {
        bool front = k >= 4; // a side's rear wheels, four tyres, share what their support bears
        double load = front ? force[TRUCK_PROBE_FRONT_LEFT + k % 2] : 0.5 * force[TRUCK_PROBE_REAR_LEFT + k % 2];
        soil_press(soil, wheels[k].x, wheels[k].y, at.heading, length, width, load / (length * width));
    }
}

/// What lies in a bed: soil, and the rocks' kg and kg m in the frame of its tray.
static void weigh(SessionTrucks *trucks, int index, const Soil *soil, const SessionTruckRocks *rocks, double dt)
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
        weigh(trucks, k, soil, &rocks[k], dt);
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
        SessionTruckLook look = session_trucks_look(trucks, k);
        SessionTruckReadout readout = session_trucks_readout(trucks, k);
        sight[k] = (IncidentTruck){
            .chassis = look.chassis,
            .bed = look.bed,
            .speed = session_trucks_state(trucks, k)->speed,
            .load = readout.load,
            .overload = fmax(readout.overload, fmax(readout.front_overload, readout.rear_overload)),
            .tipped = readout.tipped,
        };
    }
    return count;
}
