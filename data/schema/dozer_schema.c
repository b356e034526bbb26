/// The keys of a machine file of type dozer, the rules between them, and the rows of the tables of MachineParams that
/// they fill.
#include "data/schema/dozer_params.h"
#include "data/schema/machine_keys.h"

#include <math.h>
#include <stdio.h>

#include "data/core/tool_geometry.h"
#include "data/core/constants.h"

typedef struct Bodies {
    MachineBodyParams body[DOZER_BODY_COUNT];
} Bodies;
static const DataKey bodies_keys[] = {
    ROW_MAPPING("chassis", Bodies, body[DOZER_CHASSIS], machine_body_keys, "frame with tracks, engine and cab"),
    ROW_MAPPING("ripper", Bodies, body[DOZER_RIPPER], machine_body_keys, "shank and what carries it"),
    ROW_MAPPING("frame", Bodies, body[DOZER_FRAME], machine_body_keys, "push frame from the trunnions to the blade"),
    ROW_MAPPING("yoke", Bodies, body[DOZER_YOKE], machine_body_keys, "what turns to angle the blade"),
    ROW_MAPPING("blade", Bodies, body[DOZER_BLADE], machine_body_keys, "mouldboard with its edge"),
    ROW_END,
};

static const KeyChoice arrangements[] = {
    {"side-by-side", MACHINE_SIDE_BY_SIDE}, {"opposed", MACHINE_OPPOSED}, {NULL, 0}};
static const DataKey cylinder_keys[] = {
    MACHINE_CYLINDER_ROWS,
    ROW_CHOICE_OPTIONAL("arrangement", MachineCylinder, arrangement, arrangements,
                        "how equal cylinders work together: beside each other, or one pushes while the other pulls"),
    ROW_END,
};
static const DataKey tracks_keys[] = {MACHINE_TRACK_ROWS, ROW_END};

static const DataKey powertrain_keys[] = {
    ROW_TUPLE("forward_kmh", MachinePowertrain, forward, double, MACHINE_GEARS, 0.5, 40, UNIT_KMH,
              "km/h: in the gears ahead, at full throttle"),
    ROW_TUPLE("reverse_kmh", MachinePowertrain, reverse, double, MACHINE_GEARS, 0.5, 40, UNIT_KMH,
              "km/h: in the gears back, at full throttle"),
    ROW_NUMBER("stall_ratio", MachinePowertrain, stall_ratio, 1, 4, 1,
               "ratio: of the converter's torque to the engine's with the tracks held"),
    ROW_NUMBER("coupling_ratio", MachinePowertrain, coupling_ratio, 0.5, 0.95, 1,
               "ratio: of its turbine's speed to the engine's from which it multiplies no more"),
    ROW_NUMBER("stall_rpm", MachinePowertrain, stall_speed, 300, 4000, UNIT_RPM,
               "rpm: of the engine at full torque with the tracks held"),
    ROW_NUMBER("efficiency", MachinePowertrain, efficiency, 0.5, 1, 1,
               "share: of the power that gears and final drives pass on"),
    ROW_NUMBER("shift_time", MachinePowertrain, shift_time, 0.05, 2, 1, "s: that a change of gear takes"),
    ROW_NUMBER("brake_kn", MachinePowertrain, brake_force, 5, 2000, UNIT_KN, "kN: of each track's brake"),
    ROW_END,
};

#define ROW_RANGE(name, one, about)                                                                                    \
    ROW_TUPLE(name, MachineParams, joint[one].range, double, 2, -60, 60, UNIT_DEG, about)

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types, "type of machine, which says what keys there are"),
    ROW_TEXT("title", MachineParams, title, "shown in lists"),
    ROW_POINT("ripper_hinge", MachineParams, joint[DOZER_JOINT_RIPPER].origin,
              "m: hinge of the ripper, ahead of the chassis's middle and above the ground"),
    ROW_POINT("trunnion", MachineParams, joint[DOZER_JOINT_LIFT].origin,
              "m: pins of the push frame, ahead of the chassis's middle and above the ground"),
    ROW_NUMBER("frame_length", MachineParams, joint[DOZER_JOINT_ANGLE].origin.x, 0.5, 10, 1,
               "m: from the trunnions to the ball joint of the blade"),
    ROW_RANGE("ripper_range_deg", DOZER_JOINT_RIPPER, "deg: lowest and highest angle of the ripper; more is down"),
    ROW_RANGE("lift_range_deg", DOZER_JOINT_LIFT, "deg: lowest and highest angle of the push frame; more is up"),
    ROW_RANGE("angle_range_deg", DOZER_JOINT_ANGLE, "deg: lowest and highest angle of the blade; more is to the right"),
    ROW_RANGE("tilt_range_deg", DOZER_JOINT_TILT,
              "deg: lowest and highest tilt of the blade; more is the right corner down"),
    ROW_TUPLE("start_pose_deg", MachineParams, start_pose, double, 4, -60, 60, UNIT_DEG,
              "deg: ripper, lift, angle and tilt at the start"),
    ROW_NUMBER("tail_radius", MachineParams, tail_radius, 0.3, 10, 1, "m: from the chassis's middle to its rear"),
    ROW_NUMBER("upper_width", MachineParams, upper_width, 0.3, 10, 1, "m: of the chassis above the tracks"),
    ROW_NUMBER("clearance", MachineParams, clearance, 0.05, 3, 1, "m: under the chassis"),
    ROW_MAPPING("bodies", MachineParams, body, bodies_keys, "mass and inertia of each body"),
    ROW_MAPPING("ripper_cylinder", MachineParams, joint[DOZER_JOINT_RIPPER].cylinder, cylinder_keys,
                "what moves the ripper"),
    ROW_MAPPING("lift_cylinder", MachineParams, joint[DOZER_JOINT_LIFT].cylinder, cylinder_keys,
                "what lifts the blade"),
    ROW_MAPPING("angle_cylinder", MachineParams, joint[DOZER_JOINT_ANGLE].cylinder, cylinder_keys,
                "what angles the blade"),
    ROW_MAPPING("tilt_cylinder", MachineParams, joint[DOZER_JOINT_TILT].cylinder, cylinder_keys,
                "what tilts the blade"),
    ROW_NUMBER("lift_spacing", MachineParams, joint[DOZER_JOINT_LIFT].cylinder.spacing, 0.1, 5, 1,
               "m: between the two lift cylinders, for drawing"),
    ROW_MAPPING("tracks", MachineParams, tracks, tracks_keys, "what it stands and drives on"),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys, "what drives tracks and pumps"),
    ROW_MAPPING("powertrain", MachineParams, powertrain, powertrain_keys, "from the engine to the tracks"),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys, "pumps and valves"),
    ROW_MAPPING("cab", MachineParams, cab, machine_cab_keys, "where the driver sits"),
    MACHINE_SOLIDS_ROW,
    ROW_NUMBER("blade_capacity", MachineParams, tool[DOZER_TOOL_BLADE].capacity, 0.01, 50, 1,
               "m3: heaped in front of the blade"),
    ROW_MAPPING("tool", MachineParams, tool[DOZER_TOOL_BLADE].shape, machine_tool_keys, "shape of the blade"),
    ROW_MAPPING("ripper_tool", MachineParams, tool[DOZER_TOOL_RIPPER].shape, machine_tool_keys,
                "shape of the ripper's shank"),
    ROW_END,
};

static bool check_gears(Document *document, const char *path, const double speeds[MACHINE_GEARS], Status *status)
{
    for (int gear = 1; gear < MACHINE_GEARS; gear++) {
        if (!(speeds[gear] > speeds[gear - 1])) {
            char place[DOCUMENT_PATH_LENGTH];
            snprintf(place, sizeof place, "%s.%d", path, gear);
            return document_fail_at(document, place, status,
                                    "read %.6g, allowed more than the gear before it (%.6g km/h)",
                                    speeds[gear] / UNIT_KMH, speeds[gear - 1] / UNIT_KMH);
        }
    }
    return true;
}

static bool check_powertrain(Document *document, const MachineParams *params, Status *status)
{
    const MachinePowertrain *train = &params->powertrain;
    if (!check_gears(document, "powertrain.forward_kmh", train->forward, status) ||
        !check_gears(document, "powertrain.reverse_kmh", train->reverse, status)) {
        return false;
    }
    double idle = params->engine.idle_speed, rated = params->engine.rated_speed;
    if (!(train->stall_speed > idle && train->stall_speed < rated)) {
        return document_fail_at(document, "powertrain.stall_rpm", status,
                                "read %.6g, allowed between engine.idle_rpm and engine.rated_rpm (%.6g to %.6g)",
                                train->stall_speed / UNIT_RPM, idle / UNIT_RPM, rated / UNIT_RPM);
    }
    return true;
}

/// The blade is as wide as its edge, and has a height that can hold soil.
static bool check_blade(Document *document, const MachineParams *params, Status *status)
{
    const double least = 0.2; // m
    const ToolShape *tool = &params->tool[DOZER_TOOL_BLADE].shape;
    double top = -HUGE_VAL;
    for (int i = 0; i < tool->piece_count; i++) {
        for (int k = 0; k < tool->pieces[i].corner_count; k++) {
            top = fmax(top, tool->pieces[i].corners[k][1]);
        }
    }
    double height = top - tool->edge[1];
    if (!(height >= least)) {
        return document_fail_at(document, "tool.pieces", status,
                                "the blade reaches %.4g m above its edge (tool.edge), allowed from %.4g m on", height,
                                least);
    }
    return true;
}

static bool check(Document *document, const void *data, Status *status)
{
    const MachineParams *params = data;
    return machine_check_common(document, params, status) &&
           machine_check_tool(document, "tool", &params->tool[DOZER_TOOL_BLADE].shape, status) &&
           check_powertrain(document, params, status) &&
           machine_check_tool(document, "ripper_tool", &params->tool[DOZER_TOOL_RIPPER].shape, status) &&
           check_blade(document, params, status);
}

/// Levers go as the angles. A blade that is let down pulls its cylinders out.
static const MachineRow rows[DOZER_JOINT_COUNT] = {
    {"ripper", DOZER_CHASSIS, "ripper", MACHINE_PITCH, CONTROL_RIPPER, 1, MACHINE_DRIVE_CYLINDER, 0, NULL},
    {"frame", DOZER_CHASSIS, "lift", MACHINE_PITCH, CONTROL_BLADE, 1, MACHINE_DRIVE_CYLINDER, 1, "blade_lift"},
    {"yoke", DOZER_FRAME, "angle", MACHINE_YAW, CONTROL_BLADE_ANGLE, 1, MACHINE_DRIVE_CYLINDER, 0, "blade_angle"},
    {"blade", DOZER_YOKE, "tilt", MACHINE_ROLL, CONTROL_BLADE_TILT, 1, MACHINE_DRIVE_CYLINDER, 0, "blade_tilt"}};

static void derive(void *data)
{
    static const int bodies[DOZER_TOOL_COUNT] = {DOZER_BLADE, DOZER_RIPPER};
    MachineParams *params = data;
    machine_fill_tree(params, "chassis", rows, DOZER_JOINT_COUNT);
    params->tool_count = DOZER_TOOL_COUNT;
    for (int k = 0; k < DOZER_TOOL_COUNT; k++) {
        MachineToolParams *tool = &params->tool[k];
        tool->body = bodies[k];
        tool->cuts = true;
        tool->tip = (PlanePoint){tool->shape.edge[0], tool->shape.edge[1]};
        tool->middle = tool->tip.x;
        tool_shape_finish(&tool->shape);
    }
    params->cab_body = DOZER_CHASSIS;
    params->lift_joint = DOZER_JOINT_LIFT;
    params->travel = MACHINE_TRAVEL_POWERTRAIN;
    snprintf(params->controls, sizeof params->controls, "dozer");
}

const DataSchema data_dozer_schema = {.kind = "machine",
                                      .folder = "machines",
                                      .keys = keys,
                                      .size = sizeof(MachineParams),
                                      .name_size = KEY_SIZE(MachineParams, name),
                                      .derive = derive,
                                      .check = check};
