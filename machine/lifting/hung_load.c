/// A pipe on its sling: where it is, and what acts on it in a step.
#include "data/core/elementary.h"
#include "machine/lifting.h"

#include <math.h>

#define ROPE_STIFFNESS   5e6 ///< N: EA of a leg. Steel wire rope of 13 mm (about 60 mm2 of steel at 85 GPa)
#define ROPE_DAMPING     0.3 ///< of critical, of the load on its legs. Chosen: wires rub on each other
#define GROUND_STIFFNESS 5e5 ///< N/m for each m of the pipe. Chosen: 1 kN a metre dents firm soil by 2 mm
#define GROUND_DAMPING   0.7 ///< of critical
#define GROUND_FRICTION  0.5 ///< steel on soil
#define ROLLING          0.08 ///< of the radius. Chosen: the pipe lies where the ground falls by less than 4.6 degrees
#define THING_FRICTION   0.3 ///< steel on steel and concrete
#define FOOT_GAP         0.05 ///< m: a foot that is higher is none yet; no fall crosses it in a step
#define FOOT_DEEPEST     0.03 ///< m: a foot that is deeper pushes no harder, so that no wall throws a pipe out
#define ROLL_TIME        1.0 ///< s in which a sling brakes a pipe that turns in it
#define GUIDE_ANGLE      0.3 ///< rad from its heading at which hands pull with all they have
#define GUIDE_DAMPING    0.9 ///< of critical

static Vec3 array_vec3(const double a[3])
{
    return vec3(a[0], a[1], a[2]);
}

static Quat quat_of(const HungLoad *load)
{
    const double *q = load->motion.quaternion;
    return (Quat){q[0], q[1], q[2], q[3]};
}

/// kg m2 about the axis, and about any line across it: a hollow cylinder.
static void inertia_of(const HungLoadParams *params, double *along, double *across)
{
    double inner = fmax(0.0, params->radius - params->wall);
    double square = params->radius * params->radius + inner * inner;
    *along = 0.5 * params->mass * square;
    *across = params->mass * (3.0 * square + params->length * params->length) / 12.0;
}

/// ---- eye -----------------------------------------------------------------------------------------------------------

bool machine_has_eye(const MachineParams *params)
{
    return params->lifting_eye.x != 0.0 || params->lifting_eye.z != 0.0;
}

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

void hung_load_feet(const HungLoadParams *params, const HungLoad *load, Vec3 points[HUNG_LOAD_FEET])
{
    Vec3 down = across(load, vec3(0.0, 0.0, -1.0));
    if (down.z > 0.0) {
        down = vec3_scale(down, -1.0);
    }
    for (int k = 0; k < HUNG_LOAD_FEET; k++) {
        points[k] = vec3_madd(axis_point(params, load, k), params->radius, down);
    }
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
        mover->foot[mover->foot_count++] = foot_at(params, foot->point, foot->normal, foot->depth, THING_FRICTION);
    }
}

static void add_feet(const HungLoadParams *params, const HungLoadGround *ground, const HungLoad *load,
                     MachineMover *mover)
{
    Vec3 points[HUNG_LOAD_FEET];
    hung_load_feet(params, load, points);
    for (int k = 0; k < HUNG_LOAD_FEET; k++) {
        Vec3 n = ground[k].normal, under = vec3(points[k].x, points[k].y, ground[k].height);
        Vec3 at = vec3_madd(axis_point(params, load, k), -params->radius, across(load, n));
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
    double along, around;
    inertia_of(params, &along, &around);
    *mover = (MachineMover){.mass = params->mass,
                            .inertia = {{{along, 0.0, 0.0}, {0.0, around, 0.0}, {0.0, 0.0, around}}},
                            .body = load->motion,
                            .roll_axis = axis_of(load),
                            .roll_resistance = ROLLING * params->radius * load->borne[0]};
    add_feet(params, ground, load, mover);
    if (load->hooked[0]) {
        add_legs(params, eye, load, mover);
        Vec3 axis = axis_of(load);
        double rolls = vec3_dot(array_vec3(load->motion.spin), axis);
        mover->wrench.moment = vec3_scale(axis, -along * rolls / ROLL_TIME);
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
        load->borne[0] += fmax(0.0, mover->foot[k].force);
    }
}
