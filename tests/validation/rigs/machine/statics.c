/// Balances forces on arm and tracks in closed form: for each cylinder the force at the edge that its relief pressure
/// allows, for the machine those that tip it or make its tracks slip. The balance of each part stands above its code.
#include "tests/validation/rigs/machine/statics.h"
#include "data/schema/machine_params.h"

#include <math.h>

#include "machine/cylinder.h"
#include "machine/drive/drive.h"
#include "tests/validation/rigs/machine/proving.h"

const char *const statics_limit_names[STATICS_LIMITS] = {"hydraulic: boom", "hydraulic: stick", "hydraulic: bucket",
                                                         "tipping", "slipping"};

/// Pins of boom, stick and bucket, and the edge; elevations of the three lines.
typedef struct Arm {
    PlanePoint pin[4];
    double elevation[3];
} Arm;

static Arm arm_of(const MachineParams *params, const double angles[3])
{
    const double length[3] = {excavator_boom_length(params), excavator_stick_length(params),
                              excavator_tip_radius(params)};
    Arm arm = {
        .pin = {{excavator_boom_foot(params).x, excavator_swing_height(params) + excavator_boom_foot(params).z}}};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += angles[k];
        arm.elevation[k] = sum;
        arm.pin[k + 1] = (PlanePoint){arm.pin[k].x + length[k] * cos(sum), arm.pin[k].z + length[k] * sin(sum)};
    }
    return arm;
}

static double center_x(const MachineParams *params, const Arm *arm, int body)
{
    const double *c = params->body[body].center;
    if (body < EXCAVATOR_BOOM) {
        return c[0];
    }
    int k = body - EXCAVATOR_BOOM;
    return arm->pin[k].x + c[0] * cos(arm->elevation[k]) - c[2] * sin(arm->elevation[k]);
}

static double moment_about(PlanePoint pin, PlanePoint at, PlanePoint force)
{
    return (at.x - pin.x) * force.z - (at.z - pin.z) * force.x;
}

/// Largest F >= 0 with a + b F <= most.
static double largest(double a, double b, double most)
{
    return b <= 0.0 ? HUGE_VAL : fmax(0.0, (most - a) / b);
}

/// A cylinder: L' P + M_weight + F m = 0, P between -relief A_ring and relief A_bore. `weight` receives P's part from
/// weights.
static double cylinder_allows(const MachineParams *params, int joint, const double angles[3], const Arm *arm,
                              PlanePoint reaction, double *weight)
{
    const MachineCylinder *cylinder = function_cylinder(params, (int)joint);
    int k = (int)joint - EXCAVATOR_JOINT_BOOM;
    double length, lever, moment = 0.0;
    (void)cylinder_length(&params->joint[joint], angles[k], &length, &lever);
    for (int body = EXCAVATOR_BOOM + k; body <= EXCAVATOR_BUCKET; body++) {
        double x = center_x(params, arm, body);
        moment -= params->body[body].mass * STANDARD_GRAVITY * (x - arm->pin[k].x);
    }
    double a = -moment / lever, b = -moment_about(arm->pin[k], arm->pin[3], reaction) / lever;
    *weight = -a / b;
    double push = cylinder->relief * cylinder_area(cylinder, true);
    double pull = cylinder->relief * cylinder_area(cylinder, false);
    return fmin(largest(a, b, push), largest(-a, -b, pull));
}

/// N = W - F r_z at x_p, N x_p = W x_c - F m: within half the contact length, and F |r_x| <= A c + N tan(phi).
static void tracks_allow(const MachineParams *params, const Arm *arm, PlanePoint reaction, double friction,
                         double cohesion, double allowed[STATICS_LIMITS])
{
    const MachineTracks *tracks = &params->tracks;
    double weight = 0.0, moment = 0.0, half = 0.5 * tracks->contact_length;
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        double w = params->body[body].mass * STANDARD_GRAVITY;
        weight += w;
        moment += w * center_x(params, arm, body);
    }
    double m = moment_about((PlanePoint){0.0, 0.0}, arm->pin[3], reaction);
    // +-(W x_c - F m) <= half (W - F r_z)
    double front = largest(moment, -m + half * reaction.z, half * weight);
    double rear = largest(-moment, m + half * reaction.z, half * weight);
    allowed[STATICS_TIPPING] = fmin(front, rear);
    double area = 2.0 * tracks->contact_length * tracks->shoe_width;
    allowed[STATICS_SLIPPING] = largest(0.0, fabs(reaction.x) + tracks->friction * friction * reaction.z,
                                        tracks->friction * (area * cohesion + friction * weight));
}

StaticsForce statics_force(const MachineParams *params, int function, const double angles[3], double friction,
                           double cohesion)
{
    Arm arm = arm_of(params, angles);
    PlanePoint pin = arm.pin[(int)function - EXCAVATOR_JOINT_BOOM], edge = arm.pin[3];
    double radius = hypot(edge.x - pin.x, edge.z - pin.z);
    StaticsForce force = {.edge = edge, .direction = {(edge.z - pin.z) / radius, -(edge.x - pin.x) / radius}};
    PlanePoint reaction = {-force.direction.x, -force.direction.z};
    for (int k = 0; k < 3; k++) {
        int joint = EXCAVATOR_JOINT_BOOM + k;
        double weight;
        force.allowed[k] = cylinder_allows(params, joint, angles, &arm, reaction, &weight);
        force.weight = joint == function ? weight : force.weight;
    }
    tracks_allow(params, &arm, reaction, friction, cohesion, force.allowed);
    for (int k = 0; k < STATICS_LIMITS; k++) {
        force.first = force.allowed[k] < force.allowed[force.first] ? (StaticsLimit)k : force.first;
    }
    return force;
}
