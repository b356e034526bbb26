/// Tools as bodies of their own: their outline and how they stand, the contact of hook and jaw with their pins, and the
/// change between two bodies and one.
#include "machine/tool_change.h"

#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

#define GROUND_STIFFNESS 4e5 ///< N/m of a foot. Chosen: a bucket of 0.8 t on four feet dents firm soil by 5 mm
#define GROUND_DAMPING   0.7 ///< of critical
#define GROUND_FRICTION  0.6 ///< edges and plates of steel on soil
#define THING_FRICTION   0.3 ///< steel on steel and concrete
#define FOOT_GAP         0.05 ///< m: a foot that is higher is none yet; no fall crosses it in a step
#define FOOT_DEEPEST     0.05 ///< m: a foot that is deeper pushes no harder
#define STANDS_WITHIN    0.04 ///< m inside the ends of a face that a plumb line falls through where a tool stands on it
#define PIN_FRICTION     0.15 ///< greased steel
#define PIN_PLAY         0.003 ///< m between a pin and the sides of the hook
#define PIN_NEAR         0.004 ///< m: contact with a pin is looked for within this distance
#define LATERAL_PLAY     0.02 ///< m between the tool's ears and the coupler's plates
#define JAW_HALF         0.09 ///< m: half the opening of the jaw
#define ENTERS_BEHIND    0.03 ///< m that a pin may be pressed into the hook's bottom where it enters
#define ASKEW_MOST       0.2 ///< rad between pin and hook where it enters: about what the ears leave
#define LEAVES_BEYOND    0.05 ///< m beyond its capture that a pin has left the hook sideways

/// ---- outline -------------------------------------------------------------------------------------------------------

enum { OUTLINE_CORNERS = LOOSE_TOOL_FEET / 2 };

typedef struct Outline {
    int count;
    double corner[TOOL_MAX_PIECES * TOOL_MAX_CORNERS][2];
} Outline;

static double turn_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Puts corners into the order of x, then of z.
static void sort_corners(Outline *all)
{
    for (int i = 1; i < all->count; i++) {
        for (int k = i; k > 0; k--) {
            double *a = all->corner[k - 1], *b = all->corner[k];
            if (a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1])) {
                break;
            }
            double kept[2] = {a[0], a[1]};
            memcpy(a, b, sizeof kept);
            memcpy(b, kept, sizeof kept);
        }
    }
}

static void add_corner(Outline *hull, int first, const double corner[2])
{
    while (hull->count >= first + 2 &&
           turn_of(hull->corner[hull->count - 2], hull->corner[hull->count - 1], corner) <= 1e-9) {
        hull->count--;
    }
    memcpy(hull->corner[hull->count++], corner, sizeof hull->corner[0]);
}

/// The convex outline, counter-clockwise with x to the right and z up: lower half, then upper half (Andrew 1979,
/// "Another efficient algorithm for convex hulls in two dimensions").
static void find_outline(Outline *all, Outline *hull)
{
    sort_corners(all);
    hull->count = 0;
    for (int k = 0; k < all->count; k++) {
        add_corner(hull, 0, all->corner[k]);
    }
    int first = hull->count - 1;
    for (int k = all->count - 2; k >= 0; k--) {
        add_corner(hull, first, all->corner[k]);
    }
    hull->count--;
}

/// Leaves out the corners that take the least off the outline until no more are left than there are feet.
static void simplify(Outline *hull)
{
    while (hull->count > OUTLINE_CORNERS) {
        int least = 0;
        double smallest = HUGE_VAL;
        for (int k = 0; k < hull->count; k++) {
            const double *a = hull->corner[(k + hull->count - 1) % hull->count],
                         *c = hull->corner[(k + 1) % hull->count];
            double area = turn_of(a, hull->corner[k], c);
            least = area < smallest ? k : least;
            smallest = fmin(smallest, area);
        }
        hull->count--;
        memmove(hull->corner[least], hull->corner[least + 1], (size_t)(hull->count - least) * sizeof hull->corner[0]);
    }
}

static void gather(const ToolShape *shape, Outline *all, double *half_width)
{
    all->count = 0;
    *half_width = 0.0;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        *half_width = fmax(*half_width, fmax(fabs(piece->y_min), fabs(piece->y_max)));
        for (int c = 0; c < piece->corner_count; c++) {
            memcpy(all->corner[all->count++], piece->corners[c], sizeof all->corner[0]);
        }
    }
}

/// Of the faces that it can stand on, the one over which its first pin is highest: so tools are laid down to be taken
/// up again. Without such a face it stands on the one that comes nearest to it.
static void find_rest(const Outline *hull, LooseToolParams *tool)
{
    bool found = false;
    double nearest = -HUGE_VAL;
    for (int k = 0; k < hull->count; k++) {
        const double *a = hull->corner[k], *b = hull->corner[(k + 1) % hull->count];
        double dx = b[0] - a[0], dz = b[1] - a[1], length = sqrt(dx * dx + dz * dz);
        double nx = dz / length, nz = -dx / length; // out of the tool
        double along = ((tool->center.x - a[0]) * dx + (tool->center.z - a[1]) * dz) / length;
        double inside = fmin(along, length - along), height = a[0] * nx + a[1] * nz;
        bool stands = inside > STANDS_WITHIN;
        if (stands ? !found || height > tool->rest_height : !found && inside > nearest) {
            found = stands;
            nearest = inside;
            tool->rest_height = height;
            tool->rest_turn = -0.5 * M_PI - same_atan2(nz, nx);
        }
    }
}

static void take_outline(const Outline *hull, double half_width, LooseToolParams *tool)
{
    tool->foot_count = 2 * hull->count;
    for (int k = 0; k < tool->foot_count; k++) {
        const double *corner = hull->corner[k / 2];
        tool->foot[k] = vec3(corner[0], k % 2 == 0 ? half_width : -half_width, corner[1]);
    }
}

static const MachineJointParams *joint_of(const MachineParams *params)
{
    const MachineJointParams *joint = &params->joint[0];
    for (int k = 0; k < params->joint_count; k++) {
        joint = params->joint[k].child == params->tool[0].body ? &params->joint[k] : joint;
    }
    return joint;
}

bool loose_tool_make(const MachineParams *plain, LooseToolParams *tool, Status *status)
{
    const double half_pin = 0.16; // m: chosen, a third of a metre lies between the ears
    const MachineBodyParams *body = &plain->body[plain->tool[0].body];
    const double *s = body->inertia_size;
    PlanePoint link = joint_of(plain)->linkage.link_pin;
    Outline all, hull;
    double half_width;
    *tool = (LooseToolParams){.mass = body->mass,
                              .center = vec3(body->center[0], body->center[1], body->center[2]),
                              .pin = {{0.0, 0.0, 0.0}, vec3(link.x, 0.0, link.z)},
                              .half_pin = half_pin};
    tool->inertia =
        vec3(body->mass / 12.0 * (s[1] * s[1] + s[2] * s[2]), body->mass / 12.0 * (s[2] * s[2] + s[0] * s[0]),
             body->mass / 12.0 * (s[0] * s[0] + s[1] * s[1]));
    gather(&plain->tool[0].shape, &all, &half_width);
    find_outline(&all, &hull);
    simplify(&hull);
    find_rest(&hull, tool);
    take_outline(&hull, half_width, tool);
    const char *reason;
    return solid_thing_make(tool->foot, tool->foot_count, THING_FRICTION, &tool->shape, &reason) ||
           status_fail(status, STATUS_BAD_FILE, "%s: tool.pieces: %s", plain->name, reason);
}

/// ---- a loose tool --------------------------------------------------------------------------------------------------

static Vec3 array_vec3(const double a[3])
{
    return vec3(a[0], a[1], a[2]);
}

static void put_array(Vec3 v, double to[3])
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static Quat quat_of(const MachineBodyState *body)
{
    const double *q = body->quaternion;
    return (Quat){q[0], q[1], q[2], q[3]};
}

/// A turn of an arm's frame in its plane, by an elevation.
static Quat elevation_turn(double angle)
{
    return quat_turn(vec3(0.0, -1.0, 0.0), angle);
}

static void put_body(Vec3 origin, Quat q, Vec3 center, MachineBodyState *body)
{
    Mat3 rotation = mat3_from_quat(q);
    put_array(vec3_add(origin, mat3_mul(&rotation, center)), body->position);
    memcpy(body->quaternion, (double[4]){q.w, q.x, q.y, q.z}, sizeof body->quaternion);
}

void loose_tool_start(const LooseToolParams *tool, double x, double y, double height, double heading,
                      MachineBodyState *body)
{
    // Where the x axis points backwards, the edge looks the other way than the frame.
    double look = same_cos(tool->rest_turn) < 0.0 ? heading + M_PI : heading;
    Quat q = quat_mul(quat_turn(vec3(0.0, 0.0, 1.0), look), elevation_turn(tool->rest_turn));
    memset(body, 0, sizeof *body);
    put_body(vec3(x, y, height + tool->rest_height), q, tool->center, body);
}

Pose loose_tool_frame(const LooseToolParams *tool, const MachineBodyState *body)
{
    Pose frame = {.rotation = mat3_from_quat(quat_of(body))};
    frame.position = vec3_sub(array_vec3(body->position), mat3_mul(&frame.rotation, tool->center));
    return frame;
}

void loose_tool_thing(const LooseToolParams *tool, const MachineBodyState *body, SolidThing *thing)
{
    Pose frame = loose_tool_frame(tool, body);
    solid_thing_place(&tool->shape, &frame, thing);
    Vec3 arm = vec3_sub(thing->center, array_vec3(body->position));
    thing->friction = THING_FRICTION;
    thing->spin = array_vec3(body->spin);
    thing->velocity = vec3_add(array_vec3(body->velocity), vec3_cross(thing->spin, arm));
}

int loose_tool_feet(const LooseToolParams *tool, const MachineBodyState *body, Vec3 points[LOOSE_TOOL_FEET])
{
    Pose frame = loose_tool_frame(tool, body);
    for (int k = 0; k < tool->foot_count; k++) {
        points[k] = pose_apply(&frame, tool->foot[k]);
    }
    return tool->foot_count;
}

/// Four of its feet bear it.
static MachineFoot foot_at(const LooseToolParams *tool, Vec3 point, Vec3 normal, double depth, double friction)
{
    return (MachineFoot){.point = point,
                         .normal = normal,
                         .depth = fmin(depth, FOOT_DEEPEST),
                         .stiffness = GROUND_STIFFNESS,
                         .damping = 2.0 * GROUND_DAMPING * sqrt(GROUND_STIFFNESS * 0.25 * tool->mass),
                         .friction = friction};
}

void loose_tool_stand_on(const LooseToolParams *tool, const MachineFoot *foot, MachineMover *mover)
{
    if (mover->foot_count < MACHINE_MAX_FEET) {
        MachineFoot *added = &mover->foot[mover->foot_count++];
        *added = foot_at(tool, foot->point, foot->normal, foot->depth, THING_FRICTION);
        added->other = foot->other;
    }
}

void loose_tool_push(const LooseToolParams *tool, const LooseToolGround ground[LOOSE_TOOL_FEET],
                     const MachineBodyState *body, MachineMover *mover)
{
    const Vec3 i = tool->inertia;
    *mover = (MachineMover){
        .mass = tool->mass, .inertia = {{{i.x, 0.0, 0.0}, {0.0, i.y, 0.0}, {0.0, 0.0, i.z}}}, .body = *body};
    Vec3 points[LOOSE_TOOL_FEET];
    int count = loose_tool_feet(tool, body, points);
    for (int k = 0; k < count; k++) {
        Vec3 under = vec3(points[k].x, points[k].y, ground[k].height);
        double depth = vec3_dot(vec3_sub(under, points[k]), ground[k].normal);
        if (depth > -FOOT_GAP) {
            mover->foot[mover->foot_count++] = foot_at(tool, points[k], ground[k].normal, depth, GROUND_FRICTION);
        }
    }
}

/// ---- hook and jaw --------------------------------------------------------------------------------------------------

/// The coupler in the frame of the body that it is part of. Its axes lie in the body's plane.
typedef struct Coupler {
    Vec3 first, second; ///< m: seats of the pins
    Vec3 opening, aside; ///< unit: to where the hook opens; square to it
    Vec3 closing, along; ///< unit: to where the jaw closes; from the first seat to the second
} Coupler;

static Coupler coupler_of(const MachineParams *params)
{
    PlanePoint link = joint_of(params)->linkage.link_pin, origin = params->tool_origin;
    double apart = same_hypot(link.x, link.z), opening = params->lock.opening;
    Vec3 along = vec3(link.x / apart, 0.0, link.z / apart), out = vec3(along.z, 0.0, -along.x);
    Coupler coupler = {.first = vec3(origin.x, 0.0, origin.z), .closing = out, .along = along};
    coupler.second = vec3_madd(coupler.first, apart, along);
    coupler.opening = vec3_madd(vec3_scale(out, same_cos(opening)), same_sin(opening), along);
    coupler.aside = vec3(-coupler.opening.z, 0.0, coupler.opening.x);
    return coupler;
}

/// rad: elevation of the coupler's own x axis in the frame of the body that it is part of.
static double coupler_turn(const MachineParams *params)
{
    PlanePoint link = joint_of(params)->linkage.link_pin;
    return same_atan2(-link.x, link.z);
}

/// A point of the tool as the body of the coupler sees it.
static Vec3 seen(const Pose *frame, const Pose *tool, Vec3 point)
{
    return pose_apply_inverse(frame, pose_apply(tool, point));
}

CouplerPins machine_coupler_pins(const Machine *machine, const MachineState *state, const LooseToolParams *tool,
                                 const MachineBodyState *body)
{
    const MachineParams *params = machine_params(machine);
    Coupler coupler = coupler_of(params);
    Pose frame, own = loose_tool_frame(tool, body);
    machine_get_body_frame(machine, state, params->tool[0].body, &frame);
    Vec3 first = vec3_sub(seen(&frame, &own, tool->pin[0]), coupler.first);
    Vec3 second = vec3_sub(seen(&frame, &own, tool->pin[1]), coupler.second);
    Vec3 axis = mat3_mul_transposed(&frame.rotation, mat3_mul(&own.rotation, vec3(0.0, 1.0, 0.0)));
    return (CouplerPins){.out = vec3_dot(first, coupler.opening),
                         .aside = vec3_dot(first, coupler.aside),
                         .lateral = first.y,
                         .askew = same_atan2(same_hypot(axis.x, axis.z), axis.y),
                         .jaw = vec3_dot(second, coupler.closing),
                         .slipped = vec3_dot(second, coupler.along),
                         .first = vec3_length(first),
                         .second = vec3_length(second),
                         .faces_down = -mat3_mul(&frame.rotation, coupler.opening).z};
}

bool coupler_pin_enters(const CouplerLock *lock, const CouplerPins *pins)
{
    return pins->out > -ENTERS_BEHIND && pins->out < 0.7 * lock->mouth && fabs(pins->aside) < lock->capture &&
           fabs(pins->lateral) < lock->capture && fabs(pins->askew) < ASKEW_MOST;
}

bool coupler_pin_leaves(const CouplerLock *lock, const CouplerPins *pins)
{
    return pins->out > lock->mouth || fabs(pins->aside) > lock->capture + LEAVES_BEYOND ||
           fabs(pins->lateral) > lock->capture + LEAVES_BEYOND;
}

bool coupler_pins_seated(const CouplerLock *lock, const CouplerPins *pins)
{
    return pins->first < lock->tolerance && pins->second < lock->tolerance && fabs(pins->askew) < ASKEW_MOST;
}

/// The touches of a hooked tool, as they are found.
typedef struct HookSearch {
    MachineTouch *touches;
    int count, body, mover;
    const RigidMotion *machine; ///< of the body that has the hook
    const MachineBodyState *tool;
} HookSearch;

/// `normal`: unit, in the body's frame, from the pin to the steel of the coupler.
static void add_touch(HookSearch *search, Vec3 point, Vec3 normal, double depth)
{
    if (depth <= -PIN_NEAR || search->count >= MACHINE_MAX_TOUCHES) {
        return;
    }
    Vec3 n = mat3_mul(&search->machine->frame.rotation, normal);
    Vec3 own = vec3_add(search->machine->velocity,
                        vec3_cross(search->machine->spin, vec3_sub(point, search->machine->center)));
    Vec3 its =
        vec3_add(array_vec3(search->tool->velocity),
                 vec3_cross(array_vec3(search->tool->spin), vec3_sub(point, array_vec3(search->tool->position))));
    search->touches[search->count++] = (MachineTouch){.body = search->body,
                                                      .thing = -1,
                                                      .point = point,
                                                      .normal = n,
                                                      .depth = fmax(0.0, depth),
                                                      .friction = PIN_FRICTION,
                                                      .speed = -vec3_dot(vec3_sub(own, its), n),
                                                      .push = vec3_dot(its, n),
                                                      .mover = search->mover};
}

int machine_hook_touches(const Machine *machine, const MachineState *state, const LooseToolParams *tool,
                         const MachineBodyState *body, int mover, MachineTouch touches[MACHINE_MAX_TOUCHES], int count)
{
    const MachineParams *params = machine_params(machine);
    Coupler coupler = coupler_of(params);
    RigidMotion motion;
    machine_get_body(machine, state, params->tool[0].body, &motion);
    Pose own = loose_tool_frame(tool, body);
    HookSearch search = {touches, count, params->tool[0].body, mover, &motion, body};
    for (int end = -1; end <= 1; end += 2) {
        Vec3 half = vec3(0.0, end * tool->half_pin, 0.0);
        Vec3 first = pose_apply(&own, vec3_add(tool->pin[0], half));
        Vec3 off = vec3_sub(pose_apply_inverse(&motion.frame, first), vec3_add(coupler.first, half));
        double out = vec3_dot(off, coupler.opening), aside = vec3_dot(off, coupler.aside);
        add_touch(&search, first, vec3_scale(coupler.opening, -1.0), -out);
        if (out < params->lock.mouth) {
            double side = aside < 0.0 ? -1.0 : 1.0;
            add_touch(&search, first, vec3_scale(coupler.aside, side), fabs(aside) - PIN_PLAY);
        }
        Vec3 second = pose_apply(&own, vec3_add(tool->pin[1], half));
        off = vec3_sub(pose_apply_inverse(&motion.frame, second), vec3_add(coupler.second, half));
        if (fabs(vec3_dot(off, coupler.along)) < JAW_HALF) {
            add_touch(&search, second, vec3_scale(coupler.closing, -1.0), -vec3_dot(off, coupler.closing));
        }
    }
    Vec3 middle = pose_apply(&own, tool->pin[0]);
    double lateral = pose_apply_inverse(&motion.frame, middle).y;
    add_touch(&search, middle, vec3(0.0, lateral < 0.0 ? -1.0 : 1.0, 0.0), fabs(lateral) - LATERAL_PLAY);
    return search.count;
}

/// ---- the change ----------------------------------------------------------------------------------------------------

/// Puts the body that carries the tool where another machine of the same coupler has it; its motion is left.
static void put_carrier(const Machine *from, const Machine *to, MachineState *state)
{
    const MachineParams *before = machine_params(from), *after = machine_params(to);
    int body = after->tool[0].body;
    MachineBodyState *carrier = &state->body[body];
    Pose frame;
    machine_get_body_frame(from, state, body, &frame);
    Quat q = quat_mul(quat_of(carrier), elevation_turn(coupler_turn(before) - coupler_turn(after)));
    put_body(frame.position, q, array_vec3(after->body[body].center), carrier);
}

/// Velocity, m/s, of a point of a rigid body.
static Vec3 velocity_at(const RigidMotion *motion, Vec3 at)
{
    return vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(at, motion->center)));
}

void machine_lay_down(const Machine *with, const Machine *bare, const LooseToolParams *tool, MachineState *state,
                      MachineBodyState *body)
{
    const MachineParams *params = machine_params(with);
    int index = params->tool[0].body;
    MachineBodyState *carrier = &state->body[index];
    RigidMotion whole;
    machine_get_body(with, state, index, &whole);
    Vec3 origin = pose_apply(&whole.frame, vec3(params->tool_origin.x, 0.0, params->tool_origin.z));
    put_body(origin, quat_mul(quat_of(carrier), elevation_turn(params->tool_turn)), tool->center, body);
    put_carrier(with, bare, state);
    put_array(velocity_at(&whole, array_vec3(body->position)), body->velocity);
    put_array(whole.spin, body->spin);
    put_array(velocity_at(&whole, array_vec3(carrier->position)), carrier->velocity);
    state->hammer_spool = state->hammer_clock = state->hammer_rate = 0.0;
}

/// Moment of momentum of a body about a point: m r x v + I w, with I = R diag(i) R'.
static Vec3 moment_of(double mass, Vec3 inertia, const Mat3 *rotation, const MachineBodyState *body, Vec3 about)
{
    Vec3 arm = vec3_sub(array_vec3(body->position), about);
    Vec3 local = mat3_mul_transposed(rotation, array_vec3(body->spin));
    Vec3 own = mat3_mul(rotation, vec3(inertia.x * local.x, inertia.y * local.y, inertia.z * local.z));
    return vec3_add(own, vec3_cross(arm, vec3_scale(array_vec3(body->velocity), mass)));
}

static Vec3 box_inertia(const MachineBodyParams *body)
{
    const double *s = body->inertia_size;
    return vec3(body->mass / 12.0 * (s[1] * s[1] + s[2] * s[2]), body->mass / 12.0 * (s[2] * s[2] + s[0] * s[0]),
                body->mass / 12.0 * (s[0] * s[0] + s[1] * s[1]));
}

/// The sum of both momenta moves the whole: v = (m1 v1 + m2 v2) / (m1 + m2), w = I^-1 (L1 + L2), about the common
/// centre of mass.
void machine_take_up(const Machine *bare, const Machine *with, const LooseToolParams *tool,
                     const MachineBodyState *body, MachineState *state)
{
    const MachineParams *before = machine_params(bare);
    int index = before->tool[0].body;
    const MachineBodyParams *own = &before->body[index];
    MachineBodyState *carrier = &state->body[index];
    double mass = own->mass + tool->mass;
    Vec3 center = vec3_scale(
        vec3_madd(vec3_scale(array_vec3(carrier->position), own->mass), tool->mass, array_vec3(body->position)),
        1.0 / mass);
    Mat3 coupler = mat3_from_quat(quat_of(carrier)), loose = mat3_from_quat(quat_of(body));
    Vec3 moment = vec3_add(moment_of(own->mass, box_inertia(own), &coupler, carrier, center),
                           moment_of(tool->mass, tool->inertia, &loose, body, center));
    Vec3 momentum =
        vec3_madd(vec3_scale(array_vec3(carrier->velocity), own->mass), tool->mass, array_vec3(body->velocity));
    put_carrier(bare, with, state);
    RigidMotion whole;
    machine_get_body(with, state, index, &whole);
    put_array(vec3_scale(momentum, whole.inverse_mass), carrier->velocity);
    put_array(mat3_mul(&whole.inertia_inverse, moment), carrier->spin);
}
