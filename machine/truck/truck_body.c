/// Forces on a truck in a step: springs, tyres, and the ground against the corners of a truck that fell over. The truck
/// and its load are one rigid body; the load is a box as long and wide as the bed whose middle is the load's centre.
#include "machine/truck/truck_body.h"

#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

/// Stiffness (N/m), damping ratio and friction of a corner of a fallen truck on the ground. Chosen so that it comes
/// to rest on its side.
#define CORNER_STIFFNESS 2e6
#define CORNER_DAMPING   0.5
#define CORNER_FRICTION  0.5
#define SLIDING_SPEED    0.05 ///< m/s: friction of a corner is full above it
/// Cosine of the lean from which on corners are looked at: 8 degrees, beyond what springs give.
#define LEANING 0.99

/// m: centre of mass of the empty truck in the chassis frame.
static Vec3 tare_center(const TruckParams *params)
{
    const TruckChassis *chassis = &params->chassis;
    return vec3(params->rear_axle + chassis->front_share * params->wheelbase, 0.0, chassis->center_height);
}

static Vec3 load_center(const TruckBody *body)
{
    return vec3(body->load_center[0], body->load_center[1], body->load_center[2]);
}

/// m: centre of mass of truck and load in the chassis frame.
static Vec3 whole_center(const TruckParams *params, const TruckBody *body)
{
    double whole = params->tare + body->load[0];
    return vec3_madd(vec3_scale(tare_center(params), params->tare / whole), body->load[0] / whole, load_center(body));
}

static Mat3 rotation_of(const TruckBody *body)
{
    const double *q = body->motion.quaternion;
    return mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
}

static Vec3 array_vec3(const double a[3])
{
    return vec3(a[0], a[1], a[2]);
}

static void store_vec3(Vec3 v, double a[3])
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

/// ---- where it is ---------------------------------------------------------------------------------------------------

/// Unit quaternion of a rotation, by its largest component (Shepperd 1978).
static Quat quat_of(const Mat3 *r)
{
    double d[4] = {r->m[0][0] + r->m[1][1] + r->m[2][2], r->m[0][0], r->m[1][1], r->m[2][2]};
    int most = 0;
    for (int k = 1; k < 4; k++) {
        most = d[k] > d[most] ? k : most;
    }
    double q[4];
    if (most == 0) {
        q[0] = 1.0 + d[0];
        q[1] = r->m[2][1] - r->m[1][2];
        q[2] = r->m[0][2] - r->m[2][0];
        q[3] = r->m[1][0] - r->m[0][1];
    } else {
        int i = most - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = r->m[k][j] - r->m[j][k];
        q[1 + i] = 1.0 + r->m[i][i] - r->m[j][j] - r->m[k][k];
        q[1 + j] = r->m[j][i] + r->m[i][j];
        q[1 + k] = r->m[k][i] + r->m[i][k];
    }
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (Quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

/// N on a support of the empty truck.
static double static_force(const TruckParams *params, int support)
{
    double front = params->chassis.front_share, share = support >= TRUCK_PROBE_FRONT_LEFT ? front : 1.0 - front;
    return 0.5 * share * params->tare * STANDARD_GRAVITY;
}

static double stiffness_of(const TruckParams *params, int support)
{
    return support >= TRUCK_PROBE_FRONT_LEFT ? params->chassis.front_stiffness : params->chassis.rear_stiffness;
}

/// m: a support in the chassis frame.
static Vec3 support_point(const TruckParams *params, int support)
{
    bool front = support >= TRUCK_PROBE_FRONT_LEFT, left = support % 2 == 0;
    return vec3(params->rear_axle + (front ? params->wheelbase : 0.0), (left ? 0.5 : -0.5) * params->chassis.gauge,
                0.0);
}

void truck_body_start(const TruckParams *params, const Pose *chassis, TruckBody *body)
{
    *body = (TruckBody){.load = {0.0}};
    store_vec3(pose_apply(chassis, tare_center(params)), body->motion.position);
    Quat q = quat_of(&chassis->rotation);
    body->motion.quaternion[0] = q.w;
    body->motion.quaternion[1] = q.x;
    body->motion.quaternion[2] = q.y;
    body->motion.quaternion[3] = q.z;
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        body->force[k] = static_force(params, k);
    }
}

Pose truck_body_chassis(const TruckParams *params, const TruckBody *body)
{
    Mat3 turn = rotation_of(body);
    return (Pose){vec3_sub(array_vec3(body->motion.position), mat3_mul(&turn, tare_center(params))), turn};
}

/// A rotation turned on by a vector, rad (Rodrigues 1840).
static Mat3 turned(const Mat3 *rotation, Vec3 by)
{
    double angle = vec3_length(by);
    Vec3 axis = vec3_unit(by, vec3(0.0, 0.0, 1.0));
    double c = same_cos(angle), s = same_sin(angle), t = 1.0 - c, x = axis.x, y = axis.y, z = axis.z;
    Mat3 turn = {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
                  {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
                  {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}};
    return mat3_product(&turn, rotation);
}

Pose truck_body_ahead(const TruckParams *params, const TruckBody *body, double dt)
{
    Mat3 now = rotation_of(body), then = turned(&now, vec3_scale(array_vec3(body->motion.spin), dt));
    Vec3 center = vec3_madd(array_vec3(body->motion.position), dt, array_vec3(body->motion.velocity));
    return (Pose){vec3_sub(center, mat3_mul(&then, tare_center(params))), then};
}

Vec3 truck_body_velocity(const TruckBody *body, Vec3 at)
{
    Vec3 arm = vec3_sub(at, array_vec3(body->motion.position));
    return vec3_add(array_vec3(body->motion.velocity), vec3_cross(array_vec3(body->motion.spin), arm));
}

/// ---- what acts -----------------------------------------------------------------------------------------------------

/// Adds the inertia of a box of `mass` kg and sides `size` m whose middle is `arm` m from the centre.
static void add_box(double mass, Vec3 size, Vec3 arm, Mat3 *inertia)
{
    const double s[3] = {size.x, size.y, size.z}, a[3] = {arm.x, arm.y, arm.z};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        inertia->m[i][i] += mass * ((s[j] * s[j] + s[k] * s[k]) / 12.0 + a[j] * a[j] + a[k] * a[k]);
        inertia->m[i][j] -= mass * a[i] * a[j];
        inertia->m[j][i] -= mass * a[i] * a[j];
    }
}

static Mat3 whole_inertia(const TruckParams *params, const TruckBody *body, Vec3 center)
{
    Mat3 inertia = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    Vec3 at = load_center(body);
    double high = fmax(0.0, 2.0 * (at.z - params->bed.floor_height));
    add_box(params->tare, array_vec3(params->chassis.inertia_size), vec3_sub(tare_center(params), center), &inertia);
    add_box(body->load[0], vec3(params->bed.length, params->bed.width, high), vec3_sub(at, center), &inertia);
    return inertia;
}

/// Adds a force on the truck at a point `at`, m, world.
static void add_force(MachineMover *mover, Vec3 at, Vec3 force)
{
    Vec3 arm = vec3_sub(at, array_vec3(mover->body.position));
    mover->wrench.force = vec3_add(mover->wrench.force, force);
    mover->wrench.moment = vec3_add(mover->wrench.moment, vec3_cross(arm, force));
}

/// Force along the ground of a support's tyres, whose treads slide by `slip` m/s over it: a damped spring whose stretch
/// goes along once Coulomb's limit is reached, so that what stands keeps its place (Dahl 1968).
static Vec3 tyre_force(const TruckParams *params, double normal, Vec3 ahead, Vec3 left, Vec3 slip, double dt,
                       double shear[2])
{
    const TruckChassis *chassis = &params->chassis;
    double k = chassis->tyre_stiffness, c = 2.0 * chassis->damping_ratio * sqrt(0.25 * k * params->tare);
    double most = chassis->tyre_friction * normal;
    double u = vec3_dot(slip, ahead), v = vec3_dot(slip, left);
    shear[0] += u * dt;
    shear[1] += v * dt;
    double stretch = k * same_hypot(shear[0], shear[1]);
    if (stretch > most) {
        shear[0] *= most / stretch;
        shear[1] *= most / stretch;
    }
    double x = -k * shear[0] - c * u, y = -k * shear[1] - c * v, force = same_hypot(x, y);
    double share = force > most ? most / force : 1.0;
    return vec3_add(vec3_scale(ahead, share * x), vec3_scale(left, share * y));
}

static void push_support(const TruckParams *params, const TruckFooting *footing, int support, double dt,
                         TruckBody *body, MachineMover *mover)
{
    Pose chassis = truck_body_chassis(params, body);
    Vec3 at = pose_apply(&chassis, support_point(params, support)), v = truck_body_velocity(body, at);
    const Vec3 *n = &footing->normal;
    double k = stiffness_of(params, support), empty = static_force(params, support);
    double c = 2.0 * params->chassis.damping_ratio * sqrt(k * empty / STANDARD_GRAVITY);
    double depth = (footing->height[support] - at.z) * n->z, rate = (footing->rate[support] - v.z) * n->z;
    body->force[support] = fmax(0.0, empty + k * depth > 0.0 ? empty + k * depth + c * rate : 0.0);
    Vec3 axis = vec3(chassis.rotation.m[0][0], chassis.rotation.m[1][0], chassis.rotation.m[2][0]);
    Vec3 ahead = vec3_unit(vec3_madd(axis, -vec3_dot(axis, *n), *n), vec3(1.0, 0.0, 0.0)), left = vec3_cross(*n, ahead);
    Vec3 tread = vec3_add(footing->roll, vec3_cross(vec3(0.0, 0.0, footing->turn), vec3_sub(at, footing->middle)));
    Vec3 along =
        tyre_force(params, body->force[support], ahead, left, vec3_sub(v, tread), dt, &body->shear[2 * support]);
    add_force(mover, at, vec3_madd(along, body->force[support], *n));
}

/// The ground against the corners of the truck's boxes, its bed down: damped springs and friction.
static void push_corners(const TruckParams *params, const TruckFooting *footing, const TruckBody *body,
                         MachineMover *mover)
{
    Pose chassis = truck_body_chassis(params, body);
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(params, solids);
    const double damping = 2.0 * CORNER_DAMPING * sqrt(CORNER_STIFFNESS * params->tare);
    for (int k = 0; k < 8 * TRUCK_SOLIDS; k++) {
        const TruckSolid *solid = &solids[k / 8];
        Vec3 local = vec3(k & 1 ? solid->high.x : solid->low.x, k & 2 ? solid->high.y : solid->low.y,
                          (k & 4 ? solid->high.z : solid->low.z) + (solid->on_bed ? params->bed.floor_height : 0.0));
        Vec3 at = pose_apply(&chassis, local), v = truck_body_velocity(body, at);
        double depth = vec3_dot(vec3_sub(footing->middle, at), footing->normal);
        if (depth > 0.0) {
            double in = vec3_dot(v, footing->normal);
            double load = fmax(0.0, CORNER_STIFFNESS * depth - damping * in);
            Vec3 slide = vec3_madd(v, -in, footing->normal);
            double grip = CORNER_FRICTION * load / fmax(SLIDING_SPEED, vec3_length(slide));
            add_force(mover, at, vec3_madd(vec3_scale(footing->normal, load), -grip, slide));
        }
    }
}

void truck_body_push(const TruckParams *params, const TruckFooting *footing, double dt, TruckBody *body,
                     MachineMover *mover)
{
    Vec3 center = whole_center(params, body);
    Pose chassis = truck_body_chassis(params, body);
    Vec3 at = pose_apply(&chassis, center);
    *mover = (MachineMover){
        .mass = params->tare + body->load[0], .inertia = whole_inertia(params, body, center), .body = body->motion};
    store_vec3(truck_body_velocity(body, at), mover->body.velocity);
    store_vec3(at, mover->body.position);
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        push_support(params, footing, k, dt, body, mover);
    }
    Vec3 up = vec3(chassis.rotation.m[0][2], chassis.rotation.m[1][2], chassis.rotation.m[2][2]);
    if (vec3_dot(up, footing->normal) < LEANING) {
        push_corners(params, footing, body, mover);
    }
}

void truck_body_take(const TruckParams *params, const MachineMover *mover, TruckBody *body)
{
    body->motion = mover->body;
    Mat3 turn = rotation_of(body);
    Vec3 arm = mat3_mul(&turn, vec3_sub(tare_center(params), whole_center(params, body)));
    store_vec3(vec3_add(array_vec3(mover->body.position), arm), body->motion.position);
    store_vec3(vec3_add(array_vec3(mover->body.velocity), vec3_cross(array_vec3(mover->body.spin), arm)),
               body->motion.velocity);
}

/// ---- what it bears -------------------------------------------------------------------------------------------------

TruckLoads truck_body_loads(const TruckBody *body)
{
    const double *f = body->force;
    return (TruckLoads){.front = f[TRUCK_PROBE_FRONT_LEFT] + f[TRUCK_PROBE_FRONT_RIGHT],
                        .rear = f[TRUCK_PROBE_REAR_LEFT] + f[TRUCK_PROBE_REAR_RIGHT],
                        .left = f[TRUCK_PROBE_FRONT_LEFT] + f[TRUCK_PROBE_REAR_LEFT],
                        .right = f[TRUCK_PROBE_FRONT_RIGHT] + f[TRUCK_PROBE_REAR_RIGHT]};
}

void truck_body_travel(const TruckParams *params, const TruckBody *body, double travel[TRUCK_PROBE_COUNT])
{
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        travel[k] = (body->force[k] - static_force(params, k)) / stiffness_of(params, k);
    }
}

bool truck_body_is_tipped(const TruckParams *params, const TruckBody *body)
{
    Mat3 turn = rotation_of(body);
    Vec3 center = whole_center(params, body), down = mat3_mul_transposed(&turn, vec3(0.0, 0.0, -1.0));
    if (down.z >= 0.0) {
        return true;
    }
    Vec3 below = vec3_madd(center, -center.z / down.z, down); // in the plane of the supports
    return fabs(below.y) > 0.5 * params->chassis.gauge || below.x < params->rear_axle ||
           below.x > params->rear_axle + params->wheelbase;
}

/// ---- rest and state ------------------------------------------------------------------------------------------------
/// A truck's rest and its state: when it falls asleep and what wakes it, and the one list of its fields. The numbers
/// below are chosen: what lies in the bed must feel nothing of a truck that stands; see test_machine_truck_body.

#define STILL_SPEED 5e-4 ///< m/s, of its centre and of what is REACH from it: less is no motion
#define REACH       3.0 ///< m
#define STILL_TIME  0.5 ///< s without motion, longer than a swing on its springs, after which it sleeps
#define CRUMBS      20.0 ///< kg, and kg m of their moment: a load that changes by less does not wake it
#define HEAVIEST    2e6 ///< kg of a load in a restored state
#define STRONGEST   1e9 ///< N on a support in a restored state
#define LONGEST     10.0 ///< m of shear in a restored state

void truck_body_wake(TruckBody *body)
{
    body->asleep[0] = 0;
    body->still[0] = 0.0;
}

void truck_body_carry(double load, Vec3 center, TruckBody *body)
{
    const double c[3] = {center.x, center.y, center.z};
    double change = fabs(load - body->load[0]);
    for (int k = 0; k < 3; k++) {
        change = fmax(change, fabs(load * c[k] - body->load[0] * body->load_center[k]));
    }
    if (body->asleep[0] && change < CRUMBS) {
        return;
    }
    body->load[0] = load;
    for (int k = 0; k < 3; k++) {
        body->load_center[k] = c[k];
    }
    if (body->asleep[0]) {
        truck_body_wake(body);
    }
}

void truck_body_rest(bool moved, double dt, TruckBody *body)
{
    bool still = !moved && !(machine_body_pace(&body->motion, REACH) > STILL_SPEED);
    machine_body_doze(still, STILL_TIME, dt, body->still, body->asleep, &body->motion);
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool is_possible(const TruckBody *body)
{
    return machine_body_is_possible(&body->motion) &&
           machine_numbers_within(body->shear, 2 * TRUCK_PROBE_COUNT, -LONGEST, LONGEST) &&
           machine_numbers_within(body->force, TRUCK_PROBE_COUNT, 0.0, STRONGEST) &&
           machine_numbers_within(body->load, 1, 0.0, HEAVIEST) &&
           machine_numbers_within(body->load_center, 3, -MACHINE_BODY_FARTHEST, MACHINE_BODY_FARTHEST) &&
           body->still[0] >= 0.0 && (body->asleep[0] == 0 || body->asleep[0] == 1);
}

bool truck_body_is_finite(const TruckBody *body)
{
    double sum = body->still[0] + body->load[0];
    for (int k = 0; k < 3; k++) {
        sum += body->motion.position[k] + body->motion.velocity[k] + body->motion.spin[k] + body->load_center[k];
    }
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        sum += body->motion.quaternion[k] + body->force[k] + body->shear[2 * k] + body->shear[2 * k + 1];
    }
    return isfinite(sum);
}

void truck_body_visit(TruckBody *body, StateVisitor *visitor)
{
    state_visit_array(visitor, "truck.body.position", body->motion.position, sizeof(double), 3);
    state_visit_array(visitor, "truck.body.quaternion", body->motion.quaternion, sizeof(double), 4);
    state_visit_array(visitor, "truck.body.velocity", body->motion.velocity, sizeof(double), 3);
    state_visit_array(visitor, "truck.body.spin", body->motion.spin, sizeof(double), 3);
#define X(type, name, count) state_visit_array(visitor, "truck.body." #name, body->name, sizeof(type), count);
    TRUCK_BODY_FIELDS(X)
#undef X
    if (visitor->restoring && !is_possible(body)) {
        *body = (TruckBody){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
        visitor->failed = true;
    }
}
