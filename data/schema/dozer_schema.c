/// The keys of a machine file of type dozer, and the rules between them.
#include "data/schema/machine_keys.h"
#include "data/core/units.h"

#include <math.h>
#include <stdio.h>

typedef struct Bodies {
    MachineBodyParams body[MACHINE_BODY_COUNT];
} Bodies;
static const DataKey bodies_keys[] = {
    ROW_MAPPING("chassis", Bodies, body[DOZER_CHASSIS], machine_body_keys),
    ROW_MAPPING("ripper", Bodies, body[DOZER_RIPPER], machine_body_keys),
    ROW_MAPPING("frame", Bodies, body[DOZER_FRAME], machine_body_keys),
    ROW_MAPPING("yoke", Bodies, body[DOZER_YOKE], machine_body_keys),
    ROW_MAPPING("blade", Bodies, body[DOZER_BLADE], machine_body_keys),
    ROW_END,
};

static const KeyChoice arrangements[] = {
    {"side-by-side", MACHINE_SIDE_BY_SIDE}, {"opposed", MACHINE_OPPOSED}, {NULL, 0}};
static const DataKey cylinder_keys[] = {
    MACHINE_CYLINDER_ROWS,
    ROW_CHOICE_OPTIONAL("arrangement", MachineCylinder, arrangement, arrangements),
    ROW_END,
};
static const DataKey tracks_keys[] = {MACHINE_TRACK_ROWS, ROW_END};

static const DataKey powertrain_keys[] = {
    ROW_TUPLE("forward_kmh", MachinePowertrain, forward, double, MACHINE_GEARS, 0.5, 40, UNIT_KMH),
    ROW_TUPLE("reverse_kmh", MachinePowertrain, reverse, double, MACHINE_GEARS, 0.5, 40, UNIT_KMH),
    ROW_NUMBER("stall_ratio", MachinePowertrain, stall_ratio, 1, 4, 1),
    ROW_NUMBER("coupling_ratio", MachinePowertrain, coupling_ratio, 0.5, 0.95, 1),
    ROW_NUMBER("stall_rpm", MachinePowertrain, stall_speed, 300, 4000, UNIT_RPM),
    ROW_NUMBER("efficiency", MachinePowertrain, efficiency, 0.5, 1, 1),
    ROW_NUMBER("shift_time", MachinePowertrain, shift_time, 0.05, 2, 1),
    ROW_NUMBER("brake_kn", MachinePowertrain, brake_force, 5, 2000, UNIT_KN),
    ROW_END,
};

#define ROW_RANGE(name, joint) ROW_TUPLE(name, MachineParams, dozer.range[joint], double, 2, -60, 60, UNIT_DEG)

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types),
    ROW_TEXT("title", MachineParams, title),
    ROW_POINT("ripper_hinge", MachineParams, dozer.ripper_hinge),
    ROW_POINT("trunnion", MachineParams, dozer.trunnion),
    ROW_NUMBER("frame_length", MachineParams, dozer.frame_length, 0.5, 10, 1),
    ROW_RANGE("ripper_range_deg", DOZER_JOINT_RIPPER),
    ROW_RANGE("lift_range_deg", DOZER_JOINT_LIFT),
    ROW_RANGE("angle_range_deg", DOZER_JOINT_ANGLE),
    ROW_RANGE("tilt_range_deg", DOZER_JOINT_TILT),
    ROW_TUPLE("start_pose_deg", MachineParams, start_pose, double, 4, -60, 60, UNIT_DEG),
    ROW_NUMBER("tail_radius", MachineParams, tail_radius, 0.3, 10, 1),
    ROW_NUMBER("upper_width", MachineParams, upper_width, 0.3, 10, 1),
    ROW_NUMBER("clearance", MachineParams, clearance, 0.05, 3, 1),
    ROW_MAPPING("bodies", MachineParams, body, bodies_keys),
    ROW_MAPPING("ripper_cylinder", MachineParams, dozer.cylinder[DOZER_JOINT_RIPPER], cylinder_keys),
    ROW_MAPPING("lift_cylinder", MachineParams, dozer.cylinder[DOZER_JOINT_LIFT], cylinder_keys),
    ROW_MAPPING("angle_cylinder", MachineParams, dozer.cylinder[DOZER_JOINT_ANGLE], cylinder_keys),
    ROW_MAPPING("tilt_cylinder", MachineParams, dozer.cylinder[DOZER_JOINT_TILT], cylinder_keys),
    ROW_NUMBER("lift_spacing", MachineParams, dozer.lift_spacing, 0.1, 5, 1),
    ROW_MAPPING("tracks", MachineParams, tracks, tracks_keys),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys),
    ROW_MAPPING("powertrain", MachineParams, dozer.powertrain, powertrain_keys),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys),
    ROW_MAPPING("cab", MachineParams, cab, machine_cab_keys),
    ROW_NUMBER("blade_capacity", MachineParams, bucket_capacity, 0.01, 50, 1),
    ROW_MAPPING("tool", MachineParams, tool, machine_tool_keys),
    ROW_MAPPING("ripper_tool", MachineParams, dozer.ripper, machine_tool_keys),
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
    const MachinePowertrain *train = &params->dozer.powertrain;
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
    const ToolShape *tool = &params->tool;
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

static bool check_dozer(Document *document, const void *data, Status *status)
{
    static const char *const joints[MACHINE_JOINT_COUNT] = {"ripper", "lift", "angle", "tilt"};
    const MachineParams *params = data;
    for (int k = 0; k < MACHINE_JOINT_COUNT; k++) {
        char range[DOCUMENT_PATH_LENGTH], cylinder[DOCUMENT_PATH_LENGTH];
        snprintf(range, sizeof range, "%s_range_deg", joints[k]);
        snprintf(cylinder, sizeof cylinder, "%s_cylinder", joints[k]);
        if (!machine_check_joint(document, range, params->dozer.range[k], params->start_pose[k], k, status) ||
            !machine_check_cylinder(document, cylinder, &params->dozer.cylinder[k], true, status)) {
            return false;
        }
        if (params->dozer.cylinder[k].arrangement == MACHINE_OPPOSED && params->dozer.cylinder[k].count != 2) {
            snprintf(cylinder, sizeof cylinder, "%s_cylinder.count", joints[k]);
            return document_fail_at(document, cylinder, status, "read %d, allowed 2 when they are opposed",
                                    params->dozer.cylinder[k].count);
        }
    }
    return machine_check_common(document, params, status) && check_powertrain(document, params, status) &&
           machine_check_tool(document, "ripper_tool", &params->dozer.ripper, status) &&
           check_blade(document, params, status);
}

const DataSchema data_dozer_schema = {.kind = "machine",
                                      .folder = "machines",
                                      .keys = keys,
                                      .size = sizeof(MachineParams),
                                      .name_size = KEY_SIZE(MachineParams, name),
                                      .check = check_dozer};
