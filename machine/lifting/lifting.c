/// A pipe or a trench box on its sling: its pose, what acts on it in a step, rest and state, and the lever rule of
/// tipping.
#include "machine/lifting.h"

#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

#define ROPE_STIFFNESS   5e6 ///< N: EA of a leg. Steel wire rope of 13 mm (about 60 mm2 of steel at 85 GPa)
#define ROPE_DAMPING     0.3 ///< of critical, of the load on its legs. Chosen: wires rub on each other
#define GROUND_STIFFNESS 5e5 ///< N/m for each m of the pipe. Chosen: 1 kN a metre dents firm soil by 2 mm
#define GROUND_DAMPING   0.7 ///< of critical
#define GROUND_FRICTION  0.5 ///< steel on soil
#define ROLLING          0.08 ///< of the radius. Chosen: the pipe lies where the ground falls by less than 4.6 degrees
#define FOOT_GAP         0.05 ///< m: a foot that is higher is none yet; no fall crosses it in a step
#define FOOT_DEEPEST     0.03 ///< m: a foot that is deeper pushes no harder, so that no wall throws a pipe out
#define ROLL_TIME        1.0 ///< s in which a sling brakes a pipe that turns in it
#define GUIDE_ANGLE      0.3 ///< rad from its heading at which hands pull with all they have
#define GUIDE_DAMPING    0.9 ///< of critical

#define BOX_INSIDE 0.2 ///< m: a box stands on corners so much nearer to each other than its sides: walls are rough
enum { BOX_FEET = 4 };

static Vec3 array_vec3(const double a[3])
{
    return vec3(a[0], a[1], a[2]);
}

static Quat quat_of(const HungLoad *load)
{
    const double *q = load->motion.quaternion;
    return (Quat){q[0], q[1], q[2], q[3]};
}

static bool is_box(const HungLoadParams *params)
{
    return params->height > 0.0;
}

/// kg m2 about the axes of a box: two thin plates.
static Vec3 box_inertia(const HungLoadParams *params)
{
    double length = params->length * params->length / 12.0, height = params->height * params->height / 12.0;
    double out = 0.25 * params->width * params->width;
    return vec3(params->mass * (out + height), params->mass * (length + height), params->mass * (length + out));
}

/// kg m2 about the axis, and about any line across it: a hollow cylinder; of a box about its axis and the upright line.
static void inertia_of(const HungLoadParams *params, double *along, double *across)
{
    if (is_box(params)) {
        *along = box_inertia(params).x;
        *across = box_inertia(params).z;
        return;
    }
    double inner = fmax(0.0, params->radius - params->wall);
    double square = params->radius * params->radius + inner * inner;
    *along = 0.5 * params->mass * square;
    *across = params->mass * (3.0 * square + params->length * params->length) / 12.0;
}

/// ---- eye -----------------------------------------------------------------------------------------------------------

LiftingEye machine_get_eye(const Machine *machine, const MachineState *state)
{
    const MachineParams *params = machine_params(machine);
    LiftingEye eye = {.body = params->tool[0].body};
    RigidMotion motion;
    machine_get_body(machine, state, eye.body, &motion);
    eye.point = pose_apply(&motion.frame, vec3(params->lifting_eye.x, 0.0, params->lifting_eye.z));
    eye.velocity = vec3_add(motion.velocity, vec3_cross(motion.spin, vec3_sub(eye.point, motion.center)));
    return eye;
}

/// ---- where it is ---------------------------------------------------------------------------------------------------

void hung_load_start(double x, double y, double height, double heading, HungLoad *load)
{
    Quat turn = quat_turn(vec3(0.0, 0.0, 1.0), heading);
    *load = (HungLoad){.motion = {.position = {x, y, height}, .quaternion = {turn.w, turn.x, turn.y, turn.z}}};
}

Pose hung_load_frame(const HungLoad *load)
{
    return (Pose){array_vec3(load->motion.position), mat3_from_quat(quat_of(load))};
}

static Vec3 axis_of(const HungLoad *load)
{
    Mat3 turn = mat3_from_quat(quat_of(load));
    return vec3(turn.m[0][0], turn.m[1][0], turn.m[2][0]);
}

double hung_load_heading(const HungLoad *load)
{
    Vec3 axis = axis_of(load);
    return same_atan2(axis.y, axis.x);
}

Vec3 hung_load_velocity(const HungLoad *load, Vec3 at)
{
    Vec3 arm = vec3_sub(at, array_vec3(load->motion.position));
    return vec3_add(array_vec3(load->motion.velocity), vec3_cross(array_vec3(load->motion.spin), arm));
}

/// kg m2 about the axes of its frame.
static Vec3 inertia_of_frame(const HungLoadParams *params)
{
    double along, around;
    inertia_of(params, &along, &around);
    return vec3(along, is_box(params) ? box_inertia(params).y : around, around);
}

RigidMotion hung_load_motion(const HungLoadParams *params, const HungLoad *load)
{
    RigidMotion motion = {.frame = hung_load_frame(load), .center = array_vec3(load->motion.position)};
    if (load->asleep[0] != 0) {
        return motion;
    }
    Vec3 moment = inertia_of_frame(params);
    const double inverse[3] = {1.0 / moment.x, 1.0 / moment.y, 1.0 / moment.z};
    const Mat3 *turn = &motion.frame.rotation;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                motion.inertia_inverse.m[i][j] += turn->m[i][k] * inverse[k] * turn->m[j][k];
            }
        }
    }
    motion.inverse_mass = 1.0 / params->mass;
    motion.velocity = array_vec3(load->motion.velocity);
    motion.spin = array_vec3(load->motion.spin);
    return motion;
}

/// The part of a vector across the axis, as a unit vector; the frame's z axis where there is none.
static Vec3 across(const HungLoad *load, Vec3 v)
{
    Mat3 turn = mat3_from_quat(quat_of(load));
    Vec3 axis = axis_of(load);
    return vec3_unit(vec3_madd(v, -vec3_dot(v, axis), axis), vec3(turn.m[0][2], turn.m[1][2], turn.m[2][2]));
}

/// A sling around a pipe lies on it where it leaves it towards the eye: but for friction it turns nothing.
int hung_load_hitches(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye,
                      Vec3 points[HUNG_LOAD_LEGS])
{
    int count = params->spread > 0.0 ? 2 : 1;
    Pose frame = hung_load_frame(load);
    for (int k = 0; k < count && is_box(params); k++) {
        double u = count == 1 ? 0.0 : (k - 0.5) * params->spread;
        points[k] = pose_apply(&frame, vec3(u, 0.0, 0.5 * params->height));
    }
    if (is_box(params)) {
        return count;
    }
    Vec3 center = array_vec3(load->motion.position), axis = axis_of(load);
    for (int k = 0; k < count; k++) {
        double u = count == 1 ? 0.0 : (k - 0.5) * params->spread;
        Vec3 middle = vec3_madd(center, u, axis);
        points[k] = vec3_madd(middle, params->radius, across(load, vec3_sub(eye->point, middle)));
    }
    return count;
}

/// The point of the axis over a foot, m, world.
static Vec3 axis_point(const HungLoadParams *params, const HungLoad *load, int foot)
{
    double u = params->length * ((double)foot / (HUNG_LOAD_FEET - 1) - 0.5);
    return vec3_madd(array_vec3(load->motion.position), u, axis_of(load));
}

int hung_load_feet(const HungLoadParams *params, const HungLoad *load, Vec3 points[HUNG_LOAD_FEET])
{
    Pose frame = hung_load_frame(load);
    for (int k = 0; k < BOX_FEET && is_box(params); k++) {
        double x = (k & 1 ? 0.5 : -0.5) * params->length, y = (k & 2 ? 0.5 : -0.5) * (params->width - BOX_INSIDE);
        points[k] = pose_apply(&frame, vec3(x, y, -0.5 * params->height));
    }
    if (is_box(params)) {
        return BOX_FEET;
    }
    Vec3 down = across(load, vec3(0.0, 0.0, -1.0));
    if (down.z > 0.0) {
        down = vec3_scale(down, -1.0);
    }
    for (int k = 0; k < HUNG_LOAD_FEET; k++) {
        points[k] = vec3_madd(axis_point(params, load, k), params->radius, down);
    }
    return HUNG_LOAD_FEET;
}

double hung_load_pull(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye)
{
    Vec3 points[HUNG_LOAD_LEGS];
    int count = hung_load_hitches(params, load, eye, points);
    double pull = 0.0;
    for (int k = 0; k < count; k++) {
        Vec3 along = vec3_unit(vec3_sub(eye->point, points[k]), vec3(0.0, 0.0, 1.0));
        pull += load->tension[k] * along.z;
    }
    return pull;
}

double hung_load_swing(const HungLoad *load, const LiftingEye *eye)
{
    Vec3 along = vec3_sub(eye->point, array_vec3(load->motion.position));
    return same_atan2(same_hypot(along.x, along.y), along.z);
}

bool hung_load_reaches(const HungLoadParams *params, const HungLoad *load, const LiftingEye *eye)
{
    Vec3 points[HUNG_LOAD_LEGS];
    int count = hung_load_hitches(params, load, eye, points);
    bool reaches = true;
    for (int k = 0; k < count; k++) {
        reaches = reaches && vec3_length(vec3_sub(eye->point, points[k])) <= params->sling;
    }
    return reaches;
}

/// ---- what acts -----------------------------------------------------------------------------------------------------

/// A foot as stiff as one of the five on the ground.
static MachineFoot foot_at(const HungLoadParams *params, Vec3 point, Vec3 normal, double depth, double friction)
{
    double stiffness = GROUND_STIFFNESS * params->length / HUNG_LOAD_FEET;
    return (MachineFoot){.point = point,
                         .normal = normal,
                         .depth = fmin(depth, FOOT_DEEPEST),
                         .stiffness = stiffness,
                         .damping = 2.0 * GROUND_DAMPING * sqrt(stiffness * params->mass / HUNG_LOAD_FEET),
                         .friction = friction};
}

void hung_load_stand_on(const HungLoadParams *params, const MachineFoot *foot, MachineMover *mover)
{
    if (mover->foot_count < MACHINE_MAX_FEET) {
        MachineFoot *added = &mover->foot[mover->foot_count++];
        *added = foot_at(params, foot->point, foot->normal, foot->depth, foot->friction);
        added->other = foot->other;
    }
}

static void add_feet(const HungLoadParams *params, const HungLoadGround *ground, const HungLoad *load,
                     MachineMover *mover)
{
    Vec3 points[HUNG_LOAD_FEET] = {{0.0, 0.0, 0.0}};
    int count = hung_load_feet(params, load, points);
    for (int k = 0; k < count; k++) {
        Vec3 n = ground[k].normal, under = vec3(points[k].x, points[k].y, ground[k].height);
        Vec3 at = is_box(params) ? points[k] : vec3_madd(axis_point(params, load, k), -params->radius, across(load, n));
        double depth = vec3_dot(vec3_sub(under, at), n);
        if (depth > -FOOT_GAP) {
            mover->foot[mover->foot_count++] = foot_at(params, at, n, depth, GROUND_FRICTION);
        }
    }
}

static void add_legs(const HungLoadParams *params, const LiftingEye *eye, const HungLoad *load, MachineMover *mover)
{
    Vec3 points[HUNG_LOAD_LEGS];
    mover->rope_count = hung_load_hitches(params, load, eye, points);
    double stiffness = ROPE_STIFFNESS / params->sling;
    for (int k = 0; k < mover->rope_count; k++) {
        mover->rope[k] =
            (MachineRope){.body = eye->body,
                          .from = eye->point,
                          .to = points[k],
                          .length = params->sling,
                          .stiffness = stiffness,
                          .damping = 2.0 * ROPE_DAMPING * sqrt(stiffness * params->mass / mover->rope_count)};
    }
}

void hung_load_push(const HungLoadParams *params, const HungLoadGround ground[HUNG_LOAD_FEET], const LiftingEye *eye,
                    const HungLoad *load, MachineMover *mover)
{
    Vec3 moment = inertia_of_frame(params);
    *mover = (MachineMover){.mass = params->mass,
                            .inertia = {{{moment.x, 0.0, 0.0}, {0.0, moment.y, 0.0}, {0.0, 0.0, moment.z}}},
                            .body = load->motion,
                            .roll_axis = axis_of(load),
                            .roll_resistance = ROLLING * params->radius * load->borne[0]};
    add_feet(params, ground, load, mover);
    if (load->hooked[0]) {
        add_legs(params, eye, load, mover);
        Vec3 axis = axis_of(load);
        double rolls = vec3_dot(array_vec3(load->motion.spin), axis);
        mover->wrench.moment = vec3_scale(axis, -moment.x * rolls / ROLL_TIME);
    }
}

void hung_load_guide(const HungLoadParams *params, const HungLoad *load, double heading, double force,
                     MachineMover *mover)
{
    double along, around, most = force * params->length, stiffness = most / GUIDE_ANGLE;
    inertia_of(params, &along, &around);
    double off = remainder(heading - hung_load_heading(load), 2.0 * M_PI);
    double damping = 2.0 * GUIDE_DAMPING * sqrt(stiffness * around);
    double moment = stiffness * off - damping * load->motion.spin[2];
    mover->wrench.moment.z += fmax(-most, fmin(moment, most));
}

void hung_load_take(const MachineMover *mover, HungLoad *load)
{
    load->motion = mover->body;
    load->borne[0] = 0.0;
    for (int k = 0; k < HUNG_LOAD_LEGS; k++) {
        load->tension[k] = k < mover->rope_count ? mover->rope[k].tension : 0.0;
    }
    for (int k = 0; k < mover->foot_count; k++) {
        const MachineFoot *foot = &mover->foot[k]; // one on another mover may press down
        load->borne[0] += fmax(0.0, foot->other != 0 ? foot->force * foot->normal.z : foot->force);
    }
}

/// ---- rest and state ------------------------------------------------------------------------------------------------
/// A pipe's rest and its state: when it falls asleep and what wakes it, and the one list of its fields. Numbers are
/// chosen; see test_machine_lifting.

#define STILL_SPEED 2e-3 ///< m/s, of its centre and of what is REACH from it: less is no motion
#define REACH       2.0 ///< m
#define STILL_TIME  0.5 ///< s without motion after which it sleeps
#define STRONGEST   1e9 ///< N in a restored state

void hung_load_wake(HungLoad *load)
{
    load->asleep[0] = 0;
    load->still[0] = 0.0;
}

void hung_load_rest(bool moved, double dt, HungLoad *load)
{
    bool still = !moved && load->hooked[0] == 0 && machine_body_pace(&load->motion, REACH) < STILL_SPEED;
    machine_body_doze(still, STILL_TIME, dt, load->still, load->asleep, &load->motion);
}

static bool is_possible(const HungLoad *load)
{
    return machine_body_is_possible(&load->motion) &&
           machine_numbers_within(load->tension, HUNG_LOAD_LEGS, 0.0, STRONGEST) &&
           machine_numbers_within(load->borne, 1, 0.0, STRONGEST) && load->still[0] >= 0.0 &&
           (load->asleep[0] == 0 || load->asleep[0] == 1) && (load->hooked[0] == 0 || load->hooked[0] == 1) &&
           !(load->hooked[0] == 1 && load->asleep[0] == 1);
}

bool hung_load_is_finite(const HungLoad *load)
{
    double sum = load->borne[0] + load->still[0] + load->tension[0] + load->tension[1] + load->motion.quaternion[0];
    for (int k = 0; k < 3; k++) {
        sum +=
            load->motion.position[k] + load->motion.velocity[k] + load->motion.spin[k] + load->motion.quaternion[1 + k];
    }
    return isfinite(sum);
}

void hung_load_visit(HungLoad *load, StateVisitor *visitor)
{
    state_visit_array(visitor, "load.position", load->motion.position, sizeof(double), 3);
    state_visit_array(visitor, "load.quaternion", load->motion.quaternion, sizeof(double), 4);
    state_visit_array(visitor, "load.velocity", load->motion.velocity, sizeof(double), 3);
    state_visit_array(visitor, "load.spin", load->motion.spin, sizeof(double), 3);
#define X(type, name, count) state_visit_array(visitor, "load." #name, load->name, sizeof(type), count);
    HUNG_LOAD_FIELDS(X)
#undef X
    if (visitor->restoring && !is_possible(load)) {
        *load = (HungLoad){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
        visitor->failed = true;
    }
}

/// ---- tipping -------------------------------------------------------------------------------------------------------
/// The lever rule about the edges that a machine on tracks tips over.
///
///   P a = sum m_i g b_i
///
/// P  N straight down at the point; a  m in plan from the edge out to the point; b_i  m in plan from the edge in to the
/// centre of the mass m_i.

/// kg of all bodies; their centre, m, world.
static double whole_machine(const Machine *machine, const MachineState *state, Vec3 *center)
{
    const MachineParams *params = machine_params(machine);
    double mass = 0.0;
    *center = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < params->body_count; k++) {
        RigidMotion motion;
        machine_get_body(machine, state, k, &motion);
        mass += params->body[k].mass;
        *center = vec3_madd(*center, params->body[k].mass, motion.center);
    }
    *center = vec3_scale(*center, 1.0 / mass);
    return mass;
}

LiftingMoment machine_lifting_moment(const Machine *machine, const MachineState *state, Vec3 at, double force)
{
    const MachineTracks *tracks = &machine_params(machine)->tracks;
    Vec3 center;
    Pose base;
    double weight = whole_machine(machine, state, &center) * STANDARD_GRAVITY;
    machine_get_body_frame(machine, state, MACHINE_BASE, &base);
    LiftingMoment moment = {.radius = same_hypot(at.x - base.position.x, at.y - base.position.y), .tipping = HUGE_VAL};
    const Vec3 out[4] = {vec3(0.5 * tracks->contact_length, 0.0, 0.0), vec3(-0.5 * tracks->contact_length, 0.0, 0.0),
                         vec3(0.0, 0.5 * tracks->gauge, 0.0), vec3(0.0, -0.5 * tracks->gauge, 0.0)};
    for (int k = 0; k < 4; k++) {
        Vec3 edge = pose_apply(&base, out[k]), away = vec3_sub(edge, base.position);
        away.z = 0.0;
        away = vec3_unit(away, vec3(1.0, 0.0, 0.0));
        double arm = vec3_dot(vec3_sub(at, edge), away), holding = weight * vec3_dot(vec3_sub(edge, center), away);
        if (arm > 0.0) {
            moment.tipping = fmin(moment.tipping, fmax(0.0, holding) / arm);
        }
    }
    moment.share = force > 0.0 ? force / fmax(moment.tipping, 1.0) : 0.0;
    return moment;
}
