/// ODE as a pure function: writes the state into its bodies, makes one step and reads the state back. Hinges are ODE's,
/// each with a velocity motor of limited torque; everything else acts as a wrench on a body. ODE's process-wide
/// calls (start and end, message handler) are in this file, too.
#include <ode/ode.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "machine/body/machine_internal.h"

/// ---- the process ---------------------------------------------------------------------------------------------------
///
/// Worlds of different threads share nothing of ODE's but what is in this section:
///   - its count of starts and ends, under a mutex;
///   - its message handler, which is installed once and writes a note of its own thread;
///   - by default, one list of jobs for the steps of all worlds: here each world has its own (ode_world_create);
///   - its random numbers, which only dWorldQuickStep draws, and nothing here calls that.
/// ODE has data by thread for colliders of triangle meshes alone, which nothing here uses: a world may be created,
/// stepped and destroyed by different threads.

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER; ///< guards ODE's start, end and handler
static _Atomic(dMessageFunction *) outside_handler; ///< that the process has set before the last machine; NULL: none

/// Of this thread, since ODE calls its handler without a context.
static _Thread_local bool inside_step, message_came;

/// Notes that a message came. ODE prints on the terminal when constraints are redundant to the last bit and its solver
/// leaves the rest of them out of a step ("LCP internal error"), which a driver can do nothing about. What comes
/// outside a step goes to the handler that the process has set: tests/soak.sh counts how often a step stays unfinished.
static void hear_message(int number, const char *text, va_list arguments)
{
    message_came = true;
    dMessageFunction *outside = inside_step ? NULL : atomic_load(&outside_handler);
    if (outside != NULL) {
        inside_step = true; // a handler that calls the one before it ends here
        outside(number, text, arguments);
        inside_step = false;
    }
}

/// Precedes anything else of ODE; each success is paired with one end_ode.
static bool begin_ode(void)
{
    pthread_mutex_lock(&process_lock);
    dMessageFunction *handler = dGetMessageHandler();
    if (handler != hear_message) {
        atomic_store(&outside_handler, handler);
        dSetMessageHandler(hear_message);
    }
    bool good = dInitODE2(0) != 0;
    pthread_mutex_unlock(&process_lock);
    return good;
}

static void end_ode(void)
{
    pthread_mutex_lock(&process_lock);
    dCloseODE();
    pthread_mutex_unlock(&process_lock);
}

/// One step of `dt` s by ODE's exact solver: the same state gives the same step. False when the solver left constraints
/// out of it; then the bodies have moved all the same.
static bool step_ode(dWorldID world, double dt)
{
    message_came = false;
    inside_step = true;
    dWorldStep(world, dt);
    inside_step = false;
    return !message_came;
}

/// Reports an unfinished step to the message handler that the process has set. Without one nothing is written.
static void report_unfinished_step(void)
{
    dMessage(d_ERR_LCP, "a step stays unfinished");
}

/// ---- bodies and joints ---------------------------------------------------------------------------------------------

struct OdeWorld {
    dWorldID world;
    dThreadingImplementationID jobs; ///< the world's own: its steps run on the thread that makes them
    dBodyID body[MACHINE_MAX_BODIES];
    int body_count, joint_count;
    int child[MACHINE_MAX_JOINTS]; ///< body that each joint carries
    dJointID joint[MACHINE_MAX_JOINTS];
    dJointFeedback feedback[MACHINE_MAX_JOINTS];
    Vec3 anchor[MACHINE_MAX_JOINTS]; ///< m: in the child's frame, from its centre of mass
    Vec3 axis[MACHINE_MAX_JOINTS]; ///< in the child's frame: positive joint angles turn right-handed about it
    dBodyID mover[MACHINE_MAX_MOVERS]; ///< enabled in steps in which there is one of that number
    dJointGroupID touches; ///< of one step
    dJointFeedback touch_feedback[MACHINE_MAX_TOUCHES];
    dJointFeedback rope_feedback[MACHINE_MAX_MOVERS][MACHINE_MAX_ROPES];
    dJointFeedback foot_feedback[MACHINE_MAX_MOVERS][MACHINE_MAX_FEET];
};

/// m/s: so fast at most comes out what has sunk into a thing. Chosen: slower than any function works, so that nothing
/// is thrown, and so that what it takes is next to nothing (30 W for each kN).
#define SOLID_RELEASE 0.03
/// Share of the depth that comes out in a step. Chosen, as ODE's manual has it (0.1 to 0.8).
#define SOLID_ERP 0.2
/// m/s per N: how much a touch gives, along the normal and across. Chosen: a few mm/s under 100 kN, and the equations
/// of many touches of one body stay regular.
#define SOLID_CFM  3e-8
#define SOLID_SLIP 5e-8
/// m: pieces that rest on each other overlap by so much, and do not lose touch from step to step. Chosen
#define SOLID_LAYER 1e-3

// Origin of each body's frame in the zero pose (all frames parallel), world.
static Vec3 zero_origin(const MachineParams *params, int body)
{
    Vec3 origin = vec3(0.0, 0.0, 0.0);
    for (int k = params->joint_count - 1; k >= 0; k--) { // a parent's own joint comes before its child's
        if (params->joint[k].child == body) {
            origin = vec3_add(origin, joint_origin(&params->joint[k]));
            body = params->joint[k].parent;
        }
    }
    return origin;
}

static void create_bodies(OdeWorld *world, const MachineParams *params)
{
    world->body_count = params->body_count;
    for (int i = 0; i < params->body_count; i++) {
        const MachineBodyParams *part = &params->body[i];
        Vec3 origin = zero_origin(params, i);
        world->body[i] = dBodyCreate(world->world);
        dMass mass;
        dMassSetBoxTotal(&mass, part->mass, part->inertia_size[0], part->inertia_size[1], part->inertia_size[2]);
        dBodySetMass(world->body[i], &mass);
        dBodySetPosition(world->body[i], origin.x + part->center[0], origin.y + part->center[1],
                         origin.z + part->center[2]);
    }
}

static void create_joints(OdeWorld *world, const MachineParams *params)
{
    world->joint_count = params->joint_count;
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *hinge = &params->joint[k];
        int child = hinge->child;
        Vec3 origin = zero_origin(params, child);
        const double *center = params->body[child].center;
        world->child[k] = child;
        world->axis[k] = joint_axis(hinge).axis;
        world->anchor[k] = vec3(-center[0], -center[1], -center[2]);
        dJointID joint = dJointCreateHinge(world->world, NULL);
        dJointAttach(joint, world->body[child], world->body[hinge->parent]);
        dJointSetHingeAnchor(joint, origin.x, origin.y, origin.z);
        dJointSetHingeAxis(joint, world->axis[k].x, world->axis[k].y, world->axis[k].z);
        dJointSetHingeParam(joint, dParamCFM, 0.0);
        dJointSetFeedback(joint, &world->feedback[k]);
        world->joint[k] = joint;
    }
}

static void destroy_world(OdeWorld *world)
{
    if (world->touches != NULL) {
        dJointGroupDestroy(world->touches);
    }
    if (world->world != NULL) {
        dWorldDestroy(world->world);
    }
    if (world->jobs != NULL) { // after the world, whose memory for steps holds locks of it
        dThreadingFreeImplementation(world->jobs);
    }
    end_ode();
    free(world);
}

OdeWorld *ode_world_create(const MachineParams *params)
{
    if (!begin_ode()) {
        return NULL;
    }
    OdeWorld *world = calloc(1, sizeof *world);
    if (!world) {
        end_ode();
        return NULL;
    }
    world->world = dWorldCreate();
    world->jobs = dThreadingAllocateSelfThreadedImplementation();
    if (world->world == NULL || world->jobs == NULL) {
        destroy_world(world);
        return NULL;
    }
    dWorldSetStepThreadingImplementation(world->world, dThreadingImplementationGetFunctions(world->jobs), world->jobs);
    dWorldSetGravity(world->world, 0.0, 0.0, -STANDARD_GRAVITY);
    dWorldSetERP(world->world, 0.4);
    // Softness of the constraints: small enough that a motor under full load creeps less than a micrometre a second.
    dWorldSetCFM(world->world, 1e-13);
    dWorldSetAutoDisableFlag(world->world, 0);
    world->touches = dJointGroupCreate(0);
    for (int k = 0; k < MACHINE_MAX_MOVERS; k++) {
        world->mover[k] = dBodyCreate(world->world);
        dBodyDisable(world->mover[k]);
    }
    create_bodies(world, params);
    create_joints(world, params);
    return world;
}

void ode_world_destroy(OdeWorld *world)
{
    if (world) {
        destroy_world(world);
    }
}

// ODE renormalises a quaternion that is set; writing the raw value back (and the rotation that ODE itself would have
// derived from it) makes a restored state continue bit for bit.
static void write_body(dBodyID body, const MachineBodyState *state)
{
    dBodySetPosition(body, state->position[0], state->position[1], state->position[2]);
    dBodySetQuaternion(body, state->quaternion);
    memcpy((dReal *)dBodyGetQuaternion(body), state->quaternion, sizeof state->quaternion);
    dMatrix3 rotation;
    dQtoR(state->quaternion, rotation);
    memcpy((dReal *)dBodyGetRotation(body), rotation, sizeof rotation);
    dBodySetLinearVel(body, state->velocity[0], state->velocity[1], state->velocity[2]);
    dBodySetAngularVel(body, state->spin[0], state->spin[1], state->spin[2]);
    dBodySetForce(body, 0.0, 0.0, 0.0);
    dBodySetTorque(body, 0.0, 0.0, 0.0);
}

static void read_body(dBodyID body, MachineBodyState *state)
{
    memcpy(state->position, dBodyGetPosition(body), sizeof state->position);
    memcpy(state->quaternion, dBodyGetQuaternion(body), sizeof state->quaternion);
    memcpy(state->velocity, dBodyGetLinearVel(body), sizeof state->velocity);
    memcpy(state->spin, dBodyGetAngularVel(body), sizeof state->spin);
}

// Torque of joint k's motor. The feedback is the whole constraint's force f and torque t on the child at its centre of
// mass; about the pin, r from that centre, only the motor has a part along the axis: torque = axis . (t - r x f).
static double motor_torque(const OdeWorld *world, int k, const Mat3 *rotation)
{
    const dJointFeedback *feedback = &world->feedback[k];
    Vec3 f = vec3(feedback->f1[0], feedback->f1[1], feedback->f1[2]);
    Vec3 t = vec3(feedback->t1[0], feedback->t1[1], feedback->t1[2]);
    Vec3 r = mat3_mul(rotation, world->anchor[k]);
    return vec3_dot(mat3_mul(rotation, world->axis[k]), vec3_sub(t, vec3_cross(r, f)));
}

/// The body that a touch's thing belongs to; NULL for one that stands or moves whatever touches it.
static dBodyID touched_body(const OdeWorld *world, const MachineTouch *touch, const OdeOthers *others)
{
    int mover = touch->mover - 1;
    return mover >= 0 && mover < others->mover_count && others->movers[mover].mass > 0.0 ? world->mover[mover] : NULL;
}

/// Speed, m/s, that a touch keeps up along its normal: that of a thing that stands or moves whatever touches it; on a
/// mover that at which the thing moves on its body, as a bed does that tips.
static double kept_speed(const MachineTouch *touch, dBodyID other)
{
    if (other == NULL) {
        return touch->push;
    }
    dVector3 own;
    dBodyGetPointVel(other, touch->point.x, touch->point.y, touch->point.z, own);
    return touch->push - vec3_dot(vec3(own[0], own[1], own[2]), touch->normal);
}

/// A touch as a joint of the next step, on the body and on what it touches; NULL: the world. `speed`: m/s that it keeps
/// up along its normal.
static dJointID add_touch(OdeWorld *world, const MachineTouch *touch, dBodyID other, double speed, double dt)
{
    const double most = SOLID_RELEASE * dt / SOLID_ERP; // m: of which a share comes out at that speed
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode =
        dContactSoftERP | dContactSoftCFM | dContactApprox1 | dContactSlip1 | dContactSlip2 | dContactMotionN;
    contact.surface.mu = touch->friction;
    contact.surface.soft_erp = SOLID_ERP;
    contact.surface.soft_cfm = SOLID_CFM;
    contact.surface.slip1 = contact.surface.slip2 = SOLID_SLIP;
    contact.geom.pos[0] = touch->point.x;
    contact.geom.pos[1] = touch->point.y;
    contact.geom.pos[2] = touch->point.z;
    contact.geom.normal[0] = touch->normal.x;
    contact.geom.normal[1] = touch->normal.y;
    contact.geom.normal[2] = touch->normal.z;
    contact.surface.motionN = speed;
    contact.geom.depth = fmin(most, fmax(0.0, touch->depth - SOLID_LAYER));
    dJointID joint = dJointCreateContact(world->world, world->touches, &contact);
    dJointAttach(joint, world->body[touch->body], other);
    return joint;
}

/// Number of the first touch that is the same as touch k, k itself when none is: of the same bodies at the same place,
/// where two things that a machine touches meet.
static int first_same(const OdeWorld *world, const OdeOthers *others, int k)
{
    const MachineTouch *touch = &others->touches[k];
    dBodyID other = touched_body(world, touch, others);
    int n = 0;
    while (n < k &&
           !(others->touches[n].body == touch->body && touched_body(world, &others->touches[n], others) == other &&
             touches_are_one(touch->point, touch->normal, others->touches[n].point, others->touches[n].normal))) {
        n++;
    }
    return n;
}

/// Touch k for all that are the same: it keeps what the most demanding of them would.
static MachineTouch sum_up(const OdeWorld *world, const OdeOthers *others, int k)
{
    MachineTouch whole = others->touches[k];
    for (int n = k + 1; n < others->touch_count; n++) {
        if (first_same(world, others, n) == k) {
            whole.depth = fmax(whole.depth, others->touches[n].depth);
            whole.push = fmax(whole.push, others->touches[n].push);
        }
    }
    return whole;
}

/// merged  true: of touches that are the same the first one stands for all, and the others get no force
static void add_touches(OdeWorld *world, const OdeOthers *others, bool merged, double dt)
{
    for (int k = 0; k < others->touch_count; k++) {
        world->touch_feedback[k] = (dJointFeedback){{0.0}, {0.0}, {0.0}, {0.0}};
        if (merged && first_same(world, others, k) != k) {
            continue;
        }
        MachineTouch touch = merged ? sum_up(world, others, k) : others->touches[k];
        dBodyID other = touched_body(world, &touch, others);
        dJointID joint = add_touch(world, &touch, other, kept_speed(&touch, other), dt);
        dJointSetFeedback(joint, &world->touch_feedback[k]);
    }
    for (int k = 0; k < others->own_count; k++) {
        add_touch(world, &others->own[k].touch, world->body[others->own[k].other], 0.0, dt);
    }
}

/// Softness of a contact that acts as a damped spring over a step of `dt` s (ODE's manual, "How to use ERP and CFM"):
/// the spring is solved implicitly, and stable whatever it holds.
static void soften(double stiffness, double damping, double dt, dSurfaceParameters *surface)
{
    double whole = dt * stiffness + damping;
    surface->mode |= dContactSoftERP | dContactSoftCFM;
    surface->soft_erp = dt * stiffness / whole;
    surface->soft_cfm = 1.0 / whole;
}

static void put_vector(Vec3 from, dReal to[3])
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

/// A rope as a joint of the next step: a contact without friction whose normal runs along it. Its force has the same
/// moment about both bodies wherever on the rope's line the contact is. A slack one may come nearer to its length by
/// what it is slack.
static void add_rope(OdeWorld *world, int mover, int index, const MachineRope *rope, double dt)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    Vec3 along = vec3_sub(rope->to, rope->from);
    double stretch = vec3_length(along) - rope->length;
    soften(rope->stiffness, rope->damping, dt, &contact.surface);
    contact.surface.mode |= dContactMotionN;
    contact.surface.motionN = stretch < 0.0 ? stretch / dt : 0.0;
    contact.geom.depth = fmax(0.0, stretch);
    put_vector(rope->from, contact.geom.pos);
    put_vector(vec3_unit(along, vec3(0.0, 0.0, -1.0)), contact.geom.normal);
    dJointID joint = dJointCreateContact(world->world, world->touches, &contact);
    dJointAttach(joint, world->body[rope->body], world->mover[mover]);
    dJointSetFeedback(joint, &world->rope_feedback[mover][index]);
}

static void add_foot(OdeWorld *world, int mover, int index, const MachineFoot *foot, const OdeOthers *others, double dt)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    soften(foot->stiffness, foot->damping, dt, &contact.surface);
    contact.surface.mode |= dContactApprox1 | dContactSlip1 | dContactSlip2 | dContactMotionN;
    contact.surface.mu = foot->friction;
    contact.surface.slip1 = contact.surface.slip2 = SOLID_SLIP;
    contact.surface.motionN = foot->depth < 0.0 ? foot->depth / dt : 0.0;
    contact.geom.depth = fmax(0.0, foot->depth);
    put_vector(foot->point, contact.geom.pos);
    put_vector(foot->normal, contact.geom.normal);
    dJointID joint = dJointCreateContact(world->world, world->touches, &contact);
    int other = foot->other - 1;
    bool moves = other >= 0 && other < others->mover_count && others->movers[other].mass > 0.0;
    dJointAttach(joint, world->mover[mover], moves ? world->mover[other] : NULL);
    dJointSetFeedback(joint, &world->foot_feedback[mover][index]);
}

/// Rolling resistance, as Coulomb's friction of a turn about an axis.
static void add_rolling(OdeWorld *world, int mover, const MachineMover *rolls)
{
    dJointID motor = dJointCreateAMotor(world->world, world->touches);
    dJointAttach(motor, world->mover[mover], NULL);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 0, rolls->roll_axis.x, rolls->roll_axis.y, rolls->roll_axis.z);
    dJointSetAMotorParam(motor, dParamVel, 0.0);
    dJointSetAMotorParam(motor, dParamFMax, rolls->roll_resistance);
}

static void add_ropes_and_feet(OdeWorld *world, const OdeOthers *others, double dt)
{
    for (int k = 0; k < others->mover_count; k++) {
        const MachineMover *mover = &others->movers[k];
        for (int n = 0; mover->mass > 0.0 && n < mover->rope_count; n++) {
            add_rope(world, k, n, &mover->rope[n], dt);
        }
        for (int n = 0; mover->mass > 0.0 && n < mover->foot_count; n++) {
            add_foot(world, k, n, &mover->foot[n], others, dt);
        }
        if (mover->mass > 0.0 && mover->roll_resistance > 0.0) {
            add_rolling(world, k, mover);
        }
    }
}

static void take_ropes_and_feet(const OdeWorld *world, const OdeOthers *others)
{
    for (int k = 0; k < others->mover_count; k++) {
        MachineMover *mover = &others->movers[k];
        for (int n = 0; mover->mass > 0.0 && n < mover->rope_count; n++) {
            const dReal *f = world->rope_feedback[k][n].f1;
            mover->rope[n].tension = vec3_length(vec3(f[0], f[1], f[2]));
        }
        for (int n = 0; mover->mass > 0.0 && n < mover->foot_count; n++) {
            const dReal *f = world->foot_feedback[k][n].f1;
            mover->foot[n].force = vec3_dot(vec3(f[0], f[1], f[2]), mover->foot[n].normal);
        }
    }
}

static void take_touches(OdeWorld *world, MachineTouch *touches, int count)
{
    for (int k = 0; k < count; k++) {
        const dReal *force = world->touch_feedback[k].f1;
        touches[k].force = vec3(force[0], force[1], force[2]);
    }
    dJointGroupEmpty(world->touches);
}

static void add_wrench(dBodyID body, const Wrench *wrench)
{
    dBodyAddForce(body, wrench->force.x, wrench->force.y, wrench->force.z);
    dBodyAddTorque(body, wrench->moment.x, wrench->moment.y, wrench->moment.z);
}

static void write_movers(OdeWorld *world, const OdeOthers *others)
{
    for (int k = 0; k < others->mover_count; k++) {
        const MachineMover *mover = &others->movers[k];
        if (mover->mass > 0.0) {
            const Mat3 *i = &mover->inertia;
            dMass mass;
            dMassSetParameters(&mass, mover->mass, 0.0, 0.0, 0.0, i->m[0][0], i->m[1][1], i->m[2][2], i->m[0][1],
                               i->m[0][2], i->m[1][2]);
            dBodySetMass(world->mover[k], &mass);
            dBodyEnable(world->mover[k]);
            write_body(world->mover[k], &mover->body);
            add_wrench(world->mover[k], &mover->wrench);
        }
    }
}

static void read_movers(OdeWorld *world, const OdeOthers *others)
{
    for (int k = 0; k < others->mover_count; k++) {
        if (others->movers[k].mass > 0.0) {
            read_body(world->mover[k], &others->movers[k].body);
            dBodyDisable(world->mover[k]);
        }
    }
}

/// What a step is made of.
typedef struct OdeStep {
    const Wrench *wrenches; ///< [MACHINE_MAX_BODIES]
    const JointMotor *motors; ///< [MACHINE_MAX_JOINTS]
    const MachineBodyState *bodies; ///< [MACHINE_MAX_BODIES]: before it
    const OdeOthers *others;
    double dt; ///< s
} OdeStep;

/// Writes the state into ODE's bodies and makes the step there; false when ODE left something of it out.
static bool try_step(OdeWorld *world, const OdeStep *step, bool merged)
{
    for (int i = 0; i < world->body_count; i++) {
        write_body(world->body[i], &step->bodies[i]);
        add_wrench(world->body[i], &step->wrenches[i]);
    }
    for (int k = 0; k < world->joint_count; k++) {
        dJointSetHingeParam(world->joint[k], dParamVel, step->motors[k].speed);
        dJointSetHingeParam(world->joint[k], dParamFMax, step->motors[k].limit);
        dJointSetHingeParam(world->joint[k], dParamCFM, step->motors[k].softness);
    }
    write_movers(world, step->others);
    add_touches(world, step->others, merged, step->dt);
    add_ropes_and_feet(world, step->others, step->dt);
    return step_ode(world->world, step->dt);
}

static bool any_same(const OdeWorld *world, const OdeOthers *others)
{
    bool any = false;
    for (int k = 0; k < others->touch_count; k++) {
        any |= first_same(world, others, k) != k;
    }
    return any;
}

void ode_world_step(OdeWorld *world, const Wrench wrenches[MACHINE_MAX_BODIES],
                    const JointMotor motors[MACHINE_MAX_JOINTS], const OdeOthers *others, double dt,
                    MachineBodyState bodies[MACHINE_MAX_BODIES], double torques[MACHINE_MAX_JOINTS])
{
    Mat3 rotations[MACHINE_MAX_BODIES];
    for (int i = 0; i < world->body_count; i++) {
        const double *q = bodies[i].quaternion;
        rotations[i] = mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
    }
    OdeStep step = {wrenches, motors, bodies, others, dt};
    bool whole = try_step(world, &step, false);
    if (!whole && any_same(world, others)) { // equal rows: ODE left out what came behind them
        dJointGroupEmpty(world->touches);
        whole = try_step(world, &step, true);
    }
    if (!whole) {
        report_unfinished_step();
    }
    take_ropes_and_feet(world, others);
    take_touches(world, others->touches, others->touch_count);
    read_movers(world, others);
    for (int i = 0; i < world->body_count; i++) {
        read_body(world->body[i], &bodies[i]);
    }
    for (int k = 0; k < world->joint_count; k++) {
        torques[k] = motor_torque(world, k, &rotations[world->child[k]]);
    }
}
