/// Cylinders, levers, valves, pumps and the hydraulic hammer. A lever opens a spool, the open functions share the
/// pumps' flow, and the engine's power caps flow x pressure (load sensing with a power controller, the usual circuit of
/// excavators). Numbers without a source are chosen; test_machine_hydraulics and `validate run cycle` check their
/// effects.
#include "machine/drive/drive.h"

#include <math.h>
#include <stddef.h>

#include "data/core/elementary.h"
#include "machine/cylinder.h"

/// ---- cylinders -----------------------------------------------------------------------------------------------------
/// Cylinders as geometry and as areas: pin-to-pin length and lever arm at a joint angle, straight or through a four-bar
/// linkage (planar loop closure, e.g. Norton, Design of Machinery, chapter 4), and the pressure that a force takes.

static PlanePoint rotate(PlanePoint p, double angle)
{
    double c = same_cos(angle), s = same_sin(angle);
    return (PlanePoint){c * p.x - s * p.z, s * p.x + c * p.z};
}

// Cylinder from `base` (parent frame) to `head` (child frame) whose frame sits at `pivot` of the parent:
//   L = |pivot + R(angle) head - base|,  dL/dangle = (pin - base) . (R' head) / L
static void straight_cylinder(const MachineCylinder *cylinder, PlanePoint pivot, double angle, double *length,
                              double *length_per_rad)
{
    PlanePoint arm = rotate(cylinder->head, angle);
    double dx = pivot.x + arm.x - cylinder->base.x, dz = pivot.z + arm.z - cylinder->base.z;
    *length = sqrt(dx * dx + dz * dz);
    *length_per_rad = (dz * arm.x - dx * arm.z) / *length;
}

bool linkage_pins(const MachineJointParams *joint, double angle, PlanePoint *rocker_end, PlanePoint *link_pin)
{
    const MachineLinkage *linkage = &joint->linkage;
    PlanePoint arm = rotate(linkage->link_pin, angle);
    *link_pin = (PlanePoint){joint->origin.x + arm.x, joint->origin.z + arm.z};
    double dx = link_pin->x - linkage->rocker_pivot.x, dz = link_pin->z - linkage->rocker_pivot.z;
    double d2 = dx * dx + dz * dz;
    double r = linkage->rocker_length, l = linkage->link_length;
    // Circles about both pins: the chord is at u d from the rocker's pivot, half its length is v d.
    double u = (d2 + r * r - l * l) / (2.0 * d2);
    double v2 = r * r / d2 - u * u;
    if (!(d2 > 1e-12) || !(v2 > 0.0)) {
        return false;
    }
    double v = sqrt(v2);
    *rocker_end = (PlanePoint){linkage->rocker_pivot.x + u * dx - v * dz, linkage->rocker_pivot.z + u * dz + v * dx};
    return true;
}

// Cylinder of a linkage: base on the parent, head at the rocker's end C; B is the link's pin on the child, P the joint,
// O the rocker's pivot. With B' = perp(B - P) and C' = w perp(C - O), |C - B| stays constant:
//   w = (C - B) . B' / ((C - B) . perp(C - O)),  dL/dangle = (C - base) . C' / L
static bool linked_cylinder(const MachineJointParams *joint, double angle, double *length, double *length_per_rad)
{
    PlanePoint c, b;
    if (!linkage_pins(joint, angle, &c, &b)) {
        return false;
    }
    PlanePoint o = joint->linkage.rocker_pivot, base = joint->cylinder.base;
    double link_x = c.x - b.x, link_z = c.z - b.z;
    double rocker_x = -(c.z - o.z), rocker_z = c.x - o.x; // perp(C - O)
    double across = link_x * rocker_x + link_z * rocker_z;
    if (fabs(across) < 1e-9) {
        return false;
    }
    double w = (link_x * -(b.z - joint->origin.z) + link_z * (b.x - joint->origin.x)) / across;
    double dx = c.x - base.x, dz = c.z - base.z;
    *length = sqrt(dx * dx + dz * dz);
    *length_per_rad = w * (dx * rocker_x + dz * rocker_z) / *length;
    return *length > 0.0;
}

// Pin of the joint in its cylinder's plane, and the sense in which positive angles turn that plane's first axis to its
// second.
static PlanePoint joint_pivot(const MachineJointParams *joint, double *sense)
{
    *sense = joint->axis == MACHINE_YAW ? -1.0 : 1.0; // seen in [x, y] a turn to the right goes the other way round
    switch (joint->axis) {
    case MACHINE_YAW:
        return (PlanePoint){joint->origin.x, 0.0};
    case MACHINE_ROLL:
        return (PlanePoint){0.0, joint->origin.z};
    default:
        return joint->origin;
    }
}

bool cylinder_length(const MachineJointParams *joint, double angle, double *length, double *length_per_rad)
{
    if (joint->drive != MACHINE_DRIVE_CYLINDER) {
        return false;
    }
    if (joint->linkage.rocker_length > 0.0) {
        return linked_cylinder(joint, angle, length, length_per_rad);
    }
    double sense;
    PlanePoint pivot = joint_pivot(joint, &sense);
    straight_cylinder(&joint->cylinder, pivot, sense * angle, length, length_per_rad);
    *length_per_rad *= sense;
    return *length > 0.0;
}

double cylinder_area(const MachineCylinder *cylinder, bool push)
{
    double bore = cylinder->bore * cylinder->bore, ring = bore - cylinder->rod * cylinder->rod;
    if (cylinder->arrangement == MACHINE_OPPOSED) {
        return 0.25 * M_PI * (bore + ring); // one pushes while the other pulls
    }
    return cylinder->count * 0.25 * M_PI * (push ? bore : ring);
}

double cylinder_flow_share(const MachineCylinder *cylinder, bool push)
{
    return !push && cylinder->flow_share_in > 0.0 ? cylinder->flow_share_in : cylinder->flow_share;
}

double cylinder_pressure(const MachineCylinder *cylinder, double force)
{
    return fabs(force) / cylinder_area(cylinder, force >= 0.0);
}

const MachineCylinder *function_cylinder(const MachineParams *params, int function)
{
    bool cylinder = function < params->joint_count && params->joint[function].drive == MACHINE_DRIVE_CYLINDER;
    return cylinder ? &params->joint[function].cylinder : NULL;
}

/// What turns a function at the same torque everywhere (drive.h), or NULL.
static const MachineRotary *function_rotary(const MachineParams *params, int function)
{
    bool rotary = function < params->joint_count && params->joint[function].drive == MACHINE_DRIVE_ROTARY;
    return rotary ? &params->joint[function].rotary : NULL;
}

/// ---- valves and pumps ----------------------------------------------------------------------------------------------

// Pressure the pumps hold above the load for the valves' losses, Pa.
#define LOAD_SENSING_MARGIN 2.0e6
// The power controller takes flow back between these shares of the wanted engine speed: none left at the lower one.
#define LUG_START 0.98
#define LUG_END   0.80
// Speed that a cushion leaves at the very end, and from which it begins to brake at its full length, m/s.
#define CUSHION_END_SPEED   0.03
#define CUSHION_START_SPEED 0.5
// Below this a closing spool is shut.
#define SPOOL_SHUT 1e-3

double hydraulics_dead_band(double lever, double dead_band)
{
    double beyond = fabs(lever) - dead_band;
    if (beyond <= 0.0) {
        return 0.0;
    }
    return copysign(fmin(beyond / (1.0 - dead_band), 1.0), lever);
}

double hydraulics_spool(double spool, double demand, double time, double dt)
{
    double next = spool + (demand - spool) * dt / (time + dt);
    return demand == 0.0 && fabs(next) < SPOOL_SHUT ? 0.0 : next;
}

double hydraulics_throttled_spool(double spool, double next, double start_time, double dt)
{
    double from = spool * next >= 0.0 ? fabs(spool) : 0.0; // an opposite spool has closed within the step
    return copysign(fmin(fabs(next), from + dt / start_time), next);
}

// The function's own weight moves it: a boom that is lowered, a blade that is let down by lengthening cylinders.
static bool lowers(const MachineParams *params, int function, double opening)
{
    return function < params->joint_count && params->joint[function].falls * opening > 0.0;
}

// Flow a fully open function takes at rated speed, m3/s. A boom that is lowered gets one pump at most: its own weight
// does the work. The swing motor's displacement follows from its torque at relief. A travel motor takes one pump at
// full speed (its displacement adapts to the load).
static double full_flow(const MachineParams *params, int function, double opening)
{
    const MachineCylinder *cylinder = function_cylinder(params, function);
    if (cylinder) {
        double share = cylinder_flow_share(cylinder, opening >= 0.0);
        return (lowers(params, function, opening) ? fmin(share, 1.0) : share) * params->hydraulics.pump_flow;
    }
    if (function == HYDRAULIC_HAMMER) {
        return params->hammer.flow;
    }
    const MachineRotary *rotary = function_rotary(params, function);
    if (rotary) {
        return rotary->flow;
    }
    if (function == params->swing_joint) {
        return params->swing.torque / params->swing.relief * params->swing.max_speed;
    }
    return params->hydraulics.pump_flow;
}

// Pressure the pump has to hold for a function: that of its load when it works against one, else only the margin.
static double supply_pressure(const MachineParams *params, int function, const HydraulicLoad *load)
{
    double against = load->opening >= 0.0 ? load->force : -load->force;
    const MachineCylinder *cylinder = function_cylinder(params, function);
    if (function == HYDRAULIC_HAMMER) {
        return params->hammer.pressure;
    }
    const MachineRotary *rotary = function_rotary(params, function);
    double pressure = 0.0;
    if (rotary) {
        pressure = fmin(fmax(against, 0.0) / rotary->torque, 1.0) * rotary->relief;
    } else if (against > 0.0 && cylinder) {
        pressure = fmin(cylinder_pressure(cylinder, load->force), cylinder->relief);
    } else if (against > 0.0 && function == params->swing_joint) {
        pressure = fmin(against / params->swing.torque, 1.0) * params->swing.relief;
    } else if (against > 0.0) {
        // Force x speed = pressure x flow, one pump at full speed.
        pressure = against * params->tracks.max_speed / params->hydraulics.pump_flow;
    }
    return pressure + LOAD_SENSING_MARGIN;
}

// Speed that `flow` gives a function.
static double flow_to_speed(const MachineParams *params, int function, const HydraulicLoad *load, double flow)
{
    if (function == HYDRAULIC_HAMMER) {
        return params->hammer.flow > 0.0 ? flow / params->hammer.flow : 0.0;
    }
    double direction = load->opening < 0.0 ? -1.0 : 1.0;
    const MachineCylinder *cylinder = function_cylinder(params, function);
    const MachineRotary *rotary = function_rotary(params, function);
    if (rotary) {
        return direction * rotary->speed * flow / rotary->flow;
    }
    if (!cylinder) {
        double full = function == params->swing_joint ? params->swing.max_speed : params->tracks.max_speed;
        return direction * full * flow / full_flow(params, function, load->opening);
    }
    double speed = direction * flow / cylinder_area(cylinder, direction > 0.0);
    bool falling = lowers(params, function, direction) && load->force * direction < 0.0;
    return falling ? speed * params->hydraulics.lowering_ratio : speed;
}

double hydraulics_full_speed(const MachineParams *params, int function, double opening)
{
    const HydraulicLoad helped = {opening, -opening};
    double available = params->hydraulics.pump_count * params->hydraulics.pump_flow;
    return flow_to_speed(params, function, &helped, fmin(full_flow(params, function, opening), available));
}

void hydraulics_share(const MachineParams *params, const HydraulicLoad loads[HYDRAULIC_COUNT], double engine_speed,
                      double engine_target, HydraulicSupply *supply)
{
    // Above the rated speed, where the engine idles fast without load, the pumps are held at their rated flow.
    double ratio = fmin(engine_speed / params->engine.rated_speed, 1.0);
    double available = params->hydraulics.pump_count * params->hydraulics.pump_flow * ratio;
    double flow[HYDRAULIC_COUNT], wanted = 0.0, hydraulic_power = 0.0;
    for (int i = 0; i < HYDRAULIC_COUNT; i++) {
        flow[i] = fabs(loads[i].opening) * full_flow(params, i, loads[i].opening) * ratio;
        wanted += flow[i];
    }
    double share = wanted > available ? available / wanted : 1.0;
    for (int i = 0; i < HYDRAULIC_COUNT; i++) {
        flow[i] *= share;
        hydraulic_power += flow[i] * supply_pressure(params, i, &loads[i]);
    }
    double health = (engine_speed / engine_target - LUG_END) / (LUG_START - LUG_END);
    double most = params->engine.power * params->hydraulics.efficiency * ratio * fmax(0.0, fmin(health, 1.0));
    supply->limited = hydraulic_power > most;
    double cut = supply->limited ? most / hydraulic_power : 1.0;
    for (int i = 0; i < HYDRAULIC_COUNT; i++) {
        supply->speed[i] = flow_to_speed(params, i, &loads[i], flow[i] * cut);
    }
    supply->power = hydraulic_power * cut / params->hydraulics.efficiency;
}

// Even braking over the cushion: v^2 = v_end^2 + (v_start^2 - v_end^2) distance / cushion.
double hydraulics_cushion(double cushion, double distance, double dt)
{
    if (distance <= 0.0) {
        return 0.0;
    }
    if (distance >= cushion) {
        return distance / dt;
    }
    double end = CUSHION_END_SPEED * CUSHION_END_SPEED, start = CUSHION_START_SPEED * CUSHION_START_SPEED;
    return fmin(sqrt(end + (start - end) * distance / cushion), distance / dt);
}

/// ---- hammer --------------------------------------------------------------------------------------------------------
/// A hammer is a piston that the oil lifts and throws on the chisel: each blow takes one stroke volume of oil, so that
/// the rate follows the flow, and has the energy E of the file. A piston of mass m that arrives with v = sqrt(2 E / m)
/// gives its momentum m v to the chisel; the oil that threw it pushed the housing back by as much. Over blows at the
/// rate f that is a mean force F = f m v, which the arm has to hold.

bool hammer_is_fed(const MachineHammer *hammer, double push)
{
    return hammer->blow_energy > 0.0 && push >= hammer->feed;
}

HammerStep hammer_step(const MachineHammer *hammer, double share, double dt, double *clock)
{
    HammerStep step = {0.0, false};
    if (hammer->blow_energy <= 0.0 || share <= 0.0) {
        return step;
    }
    step.rate = hammer->blow_rate * fmin(share, 1.0);
    *clock += step.rate * dt;
    step.blow = *clock >= 1.0;
    *clock -= step.blow ? 1.0 : 0.0;
    return step;
}

double hammer_momentum(const MachineHammer *hammer)
{
    return sqrt(2.0 * hammer->blow_energy * hammer->piston_mass);
}

PlanePoint hammer_axis(const MachineHammer *hammer, const PlanePoint *tip)
{
    double x = tip->x - hammer->top.x, z = tip->z - hammer->top.z, length = sqrt(x * x + z * z);
    return (PlanePoint){x / length, z / length};
}
