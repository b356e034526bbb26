/// The keys of a machine file of type excavator, and the rows of the tables of MachineParams that they fill.
#include "data/schema/excavator_params.h"
#include "data/schema/machine_keys.h"

#include <stdio.h>

#include "data/core/tool_geometry.h"
#include "data/core/constants.h"

typedef struct Bodies {
    MachineBodyParams body[EXCAVATOR_BODY_COUNT];
} Bodies;
static const DataKey bodies_keys[] = {
    ROW_MAPPING("undercarriage", Bodies, body[EXCAVATOR_UNDERCARRIAGE], machine_body_keys, "frame with the tracks"),
    ROW_MAPPING("house", Bodies, body[EXCAVATOR_HOUSE], machine_body_keys, "what swings: engine, counterweight, cab"),
    ROW_MAPPING("boom", Bodies, body[EXCAVATOR_BOOM], machine_body_keys, "from the house to the stick"),
    ROW_MAPPING("stick", Bodies, body[EXCAVATOR_STICK], machine_body_keys, "from the boom to the bucket"),
    ROW_MAPPING("bucket", Bodies, body[EXCAVATOR_BUCKET], machine_body_keys, "from its pin to its edge"),
    ROW_END,
};

static const DataKey cylinder_keys[] = {MACHINE_CYLINDER_ROWS, ROW_END};

static const DataKey linkage_keys[] = {
    ROW_POINT("rocker_pivot", MachineLinkage, rocker_pivot, "m: pin of the rocker, along and above the stick"),
    ROW_NUMBER("rocker_length", MachineLinkage, rocker_length, 0.05, 3, 1, "m: from that pin to the rod's pin"),
    ROW_NUMBER("link_length", MachineLinkage, link_length, 0.05, 3, 1, "m: from the rod's pin to the bucket's"),
    ROW_POINT("link_pin", MachineLinkage, link_pin,
              "m: pin of the link on the bucket, along and above its line from pin to edge"),
    ROW_END,
};

static const DataKey tracks_keys[] = {
    MACHINE_TRACK_ROWS,
    ROW_NUMBER("max_speed_kmh", MachineTracks, max_speed, 0.1, 30, UNIT_KMH, "km/h: on level ground"),
    ROW_NUMBER("drawbar_kn", MachineTracks, drawbar, 1, 5000, UNIT_KN, "kN: most pull of both tracks on level ground"),
    ROW_NUMBER("relief_mpa", MachineTracks, relief, 1, 100, UNIT_MPA,
               "MPa: relief pressure of the travel motors, for the gauges"),
    ROW_END,
};

static const DataKey swing_keys[] = {
    ROW_NUMBER("max_speed_rpm", MachineSwing, max_speed, 0.5, 30, UNIT_RPM, "rpm: of the house"),
    ROW_NUMBER("torque_knm", MachineSwing, torque, 0.1, 5000, UNIT_KNM, "kN m: that turns the house"),
    ROW_NUMBER("brake_torque_knm", MachineSwing, brake_torque, 0.1, 5000, UNIT_KNM, "kN m: that holds the house"),
    ROW_NUMBER("relief_mpa", MachineSwing, relief, 1, 100, UNIT_MPA,
               "MPa: relief pressure of the swing motor, for the gauges"),
    ROW_END,
};

const DataKey machine_excavator_keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types, "type of machine, which says what keys there are"),
    ROW_TEXT("title", MachineParams, title, "shown in lists"),
    ROW_NUMBER("swing_height", MachineParams, joint[EXCAVATOR_JOINT_SWING].origin.z, 0.2, 5, 1,
               "m: of the house's frame over the ground"),
    ROW_POINT("boom_foot", MachineParams, joint[EXCAVATOR_JOINT_BOOM].origin,
              "m: pin of the boom, ahead of the swing axis and above the house's frame"),
    ROW_NUMBER("boom_length", MachineParams, joint[EXCAVATOR_JOINT_STICK].origin.x, 0.5, 20, 1,
               "m: from the boom's foot to the stick's pin"),
    ROW_NUMBER("stick_length", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].origin.x, 0.3, 15, 1,
               "m: from the stick's pin to the bucket's"),
    ROW_NUMBER("tip_radius", MachineParams, tool[0].tip.x, 0.2, 5, 1, "m: from the bucket's pin to the cutting edge"),
    ROW_TUPLE("boom_range_deg", MachineParams, joint[EXCAVATOR_JOINT_BOOM].range, double, 2, -90, 120, UNIT_DEG,
              "deg: lowest and highest angle of the boom over the level"),
    ROW_TUPLE("stick_range_deg", MachineParams, joint[EXCAVATOR_JOINT_STICK].range, double, 2, -180, 60, UNIT_DEG,
              "deg: lowest and highest angle of the stick against the boom; 0 is straight on"),
    ROW_TUPLE("bucket_range_deg", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].range, double, 2, -180, 90, UNIT_DEG,
              "deg: lowest and highest angle of the bucket against the stick; 0 is straight on"),
    ROW_TUPLE("start_pose_deg", MachineParams, start_pose, double, 4, -180, 180, UNIT_DEG,
              "deg: swing, boom, stick and bucket at the start"),
    ROW_NUMBER("tail_radius", MachineParams, tail_radius, 0.3, 10, 1,
               "m: from the swing axis to the rear of the counterweight"),
    ROW_NUMBER("upper_width", MachineParams, upper_width, 0.3, 10, 1, "m: of the house"),
    ROW_NUMBER("clearance", MachineParams, clearance, 0.05, 3, 1, "m: under the counterweight"),
    ROW_MAPPING("bodies", MachineParams, body, bodies_keys, "mass and inertia of each body"),
    ROW_MAPPING("boom_cylinder", MachineParams, joint[EXCAVATOR_JOINT_BOOM].cylinder, cylinder_keys,
                "what lifts the boom"),
    ROW_MAPPING("stick_cylinder", MachineParams, joint[EXCAVATOR_JOINT_STICK].cylinder, cylinder_keys,
                "what moves the stick"),
    ROW_MAPPING("bucket_cylinder", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].cylinder, cylinder_keys,
                "what turns the bucket by the linkage"),
    ROW_MAPPING("linkage", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].linkage, linkage_keys,
                "rocker and link between the rod and the bucket"),
    ROW_MAPPING("tracks", MachineParams, tracks, tracks_keys, "what it stands and drives on"),
    ROW_MAPPING("swing", MachineParams, swing, swing_keys, "what turns the house"),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys, "what drives the pumps"),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys, "pumps and valves"),
    ROW_MAPPING("cab", MachineParams, cab, machine_cab_keys, "where the driver sits"),
    MACHINE_SOLIDS_ROW,
    ROW_NUMBER("bucket_capacity", MachineParams, tool[0].capacity, 0.01, 50, 1, "m3: heaped, by ISO 7451"),
    ROW_TUPLE_OPTIONAL("lifting_eye", MachineParams, lifting_eye, double, 2, -5, 5, 1,
                       "m: where a sling hangs, along and above the bucket's line from pin to edge; left out: nowhere"),
    ROW_MAPPING("tool", MachineParams, tool[0].shape, machine_tool_keys,
                "shape of the bucket, along its line from pin to edge and above it"),
    ROW_END,
};

/// Of the house's width: so far apart the two cylinders of the boom stand, for drawing. Estimate for machines of 8 to
/// 22 t, beside which a cab has room.
static const double cylinder_spacing = 0.236;

/// Levers: boom + raises, stick + and bucket + fold in, to smaller angles. A boom that is lowered takes its cylinders
/// in.
static const MachineRow rows[EXCAVATOR_JOINT_COUNT] = {
    {"house", EXCAVATOR_UNDERCARRIAGE, "swing", MACHINE_YAW, CONTROL_SWING, 1, MACHINE_DRIVE_SWING_MOTOR, 0, NULL},
    {"boom", EXCAVATOR_HOUSE, "boom", MACHINE_PITCH, CONTROL_BOOM, 1, MACHINE_DRIVE_CYLINDER, -1, NULL},
    {"stick", EXCAVATOR_BOOM, "stick", MACHINE_PITCH, CONTROL_STICK, -1, MACHINE_DRIVE_CYLINDER, 0, NULL},
    {"bucket", EXCAVATOR_STICK, "bucket", MACHINE_PITCH, CONTROL_BUCKET, -1, MACHINE_DRIVE_CYLINDER, 0, NULL}};

static void derive(void *data)
{
    MachineParams *params = data;
    machine_fill_tree(params, "undercarriage", rows, EXCAVATOR_JOINT_COUNT);
    for (int k = 0; k < EXCAVATOR_JOINT_COUNT; k++) {
        params->joint[k].cylinder.spacing = cylinder_spacing * params->upper_width;
    }
    MachineToolParams *bucket = &params->tool[0];
    params->tool_count = 1;
    bucket->body = EXCAVATOR_BUCKET;
    bucket->cuts = true;
    bucket->teeth = 5;
    bucket->middle = 0.5 * bucket->tip.x;
    tool_shape_finish(&bucket->shape);
    params->cab_body = EXCAVATOR_HOUSE;
    params->lift_joint = EXCAVATOR_JOINT_BOOM;
    params->takes_attachment = true;
    params->travel = MACHINE_TRAVEL_MOTORS;
    snprintf(params->controls, sizeof params->controls, "iso");
}

static bool check(Document *document, const void *data, Status *status)
{
    const MachineParams *params = data;
    return machine_check_common(document, params, status) &&
           machine_check_tool(document, "tool", &params->tool[0].shape, status);
}

const DataSchema data_excavator_schema = {.kind = "machine",
                                          .folder = "machines",
                                          .keys = machine_excavator_keys,
                                          .size = sizeof(MachineParams),
                                          .name_size = KEY_SIZE(MachineParams, name),
                                          .derive = derive,
                                          .check = check};
