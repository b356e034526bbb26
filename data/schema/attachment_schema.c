/// Attachments: the keys of their files, the rules between them, and their changes to a machine.
#include "data/core/elementary.h"
#include "data/schema/machine_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/tool_geometry.h"
#include "data/core/constants.h"

static const DataKey tool_keys[] = {
    MACHINE_TOOL_ROWS,
    ROW_LIST_OPTIONAL("inside", ToolShape, inside, inside_count, 3, TOOL_MAX_OPENING, &machine_corner_item,
                      "corners of what it holds, from the side, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER_OR("inside_width", ToolShape, inside_width, 0.1, 10, 1, 0, "m: between its side plates"),
    ROW_END,
};

static const DataKey hammer_keys[] = {
    ROW_NUMBER("blow_energy_kj", MachineHammer, blow_energy, 0.05, 30, UNIT_KJ, "kJ: of one blow"),
    ROW_NUMBER("blows_per_min", MachineHammer, blow_rate, 100, 3000, UNIT_PER_MIN,
               "1/min: with all the oil it is made for"),
    ROW_NUMBER("flow_lpm", MachineHammer, flow, 5, 500, UNIT_LPM, "l/min: of oil it is made for"),
    ROW_NUMBER("pressure_mpa", MachineHammer, pressure, 5, 35, UNIT_MPA, "MPa: of the oil at work"),
    ROW_NUMBER("piston_mass", MachineHammer, piston_mass, 0.5, 2000, 1, "kg: of the piston"),
    ROW_NUMBER("feed_kn", MachineHammer, feed, 0.1, 100, UNIT_KN,
               "kN: so hard the chisel must be pressed on before the piston runs"),
    ROW_NUMBER("chisel_mm", MachineHammer, chisel, 20, 300, UNIT_MM, "mm: diameter of the chisel"),
    ROW_POINT("top", MachineHammer, top,
              "m: a point on the chisel's axis, along and above the tool's line from pin to tip"),
    ROW_END,
};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", AttachmentParams, title, "shown in lists"),
    ROW_TUPLE("carrier_mass", AttachmentParams, carrier_mass, double, 2, 500, 200000, 1,
              "kg: lightest and heaviest machine that carries it, with its own bucket"),
    ROW_MAPPING("body", AttachmentParams, body, machine_body_keys, "mass and inertia"),
    ROW_NUMBER_OR("capacity", AttachmentParams, capacity, 0.01, 50, 1, 0,
                  "m3: heaped, by ISO 7451; 0: it holds nothing"),
    ROW_INTEGER_OR("teeth", AttachmentParams, teeth, 0, 12, 5, "on the edge, for drawing"),
    ROW_TUPLE_OPTIONAL(
        "link_pin", AttachmentParams, link_pin, double, 2, -20, 20, 1,
        "m: pin of the link, along and above its line from pin to edge; left out: as the machine's bucket"),
    ROW_TUPLE_OPTIONAL("lifting_eye", AttachmentParams, lifting_eye, double, 2, -5, 5, 1,
                       "m: where a sling hangs, along and above its line from pin to edge; left out: nowhere"),
    ROW_TUPLE_OPTIONAL("bucket_range_deg", AttachmentParams, range, double, 2, -180, 120, UNIT_DEG,
                       "deg: lowest and highest angle; left out: as the machine's bucket"),
    ROW_TUPLE_OPTIONAL("start_pose_deg", AttachmentParams, start_pose, double, 4, -180, 180, UNIT_DEG,
                       "deg: swing, boom, stick and bucket at the start; left out: as with the machine's bucket"),
    ROW_MAPPING("tool", AttachmentParams, shape, tool_keys, "its shape, along its line from pin to edge and above it"),
    ROW_MAPPING_OPTIONAL("hammer", AttachmentParams, hammer, hammer_keys,
                         "of a hydraulic hammer, in place of an inside"),
    ROW_END,
};

static void derive(void *data)
{
    AttachmentParams *params = data;
    tool_shape_finish(&params->shape);
}

/// What holds soil has an inside, its width and a capacity; the capacity is what the inside holds, heaped.
static bool check_capacity(Document *document, const AttachmentParams *params, Status *status)
{
    const double share = 0.05; // of what the profile gives
    const ToolShape *shape = &params->shape;
    const char *const needed[] = {"tool.inside", "tool.inside_width", "capacity"};
    bool holds = false;
    for (int k = 0; k < 3; k++) {
        holds = holds || document_find(document, needed[k]) != NULL;
    }
    for (int k = 0; holds && k < 3; k++) {
        if (document_find(document, needed[k]) == NULL) {
            return document_fail_at(document, needed[k], status,
                                    "the key is missing: tool.inside, tool.inside_width and capacity belong together");
        }
    }
    double heaped = tool_heaped_volume(shape);
    if (holds && !(fabs(params->capacity - heaped) <= share * heaped)) {
        return document_fail_at(document, "capacity", status,
                                "read %.6g, allowed %.4g to %.4g m3: tool.inside holds %.4g struck and %.4g heaped "
                                "(ISO 7451)",
                                params->capacity, (1.0 - share) * heaped, (1.0 + share) * heaped,
                                tool_struck_volume(shape), heaped);
    }
    return true;
}

/// Blows take no more power than the oil brings, and the chisel has a length.
static bool check_hammer(Document *document, const AttachmentParams *params, Status *status)
{
    const MachineHammer *hammer = &params->hammer;
    const double shortest = 0.3; // m
    if (document_find(document, "hammer") == NULL) {
        return true;
    }
    if (params->capacity > 0.0) {
        return document_fail_at(document, "hammer", status, "a tool with a capacity is no hammer");
    }
    double blows = hammer->blow_energy * hammer->blow_rate, oil = hammer->flow * hammer->pressure;
    if (!(blows <= oil)) {
        return document_fail_at(document, "hammer.blow_energy_kj", status,
                                "read %.6g: with blows_per_min that is %.4g kW, allowed at most what flow_lpm and "
                                "pressure_mpa bring (%.4g kW)",
                                hammer->blow_energy / UNIT_KJ, blows / UNIT_KW, oil / UNIT_KW);
    }
    double length = same_hypot(params->shape.edge[0] - hammer->top.x, params->shape.edge[1] - hammer->top.z);
    return length >= shortest || document_fail_at(document, "hammer.top", status,
                                                  "lies %.4g m from the tip, allowed from %.4g m on", length, shortest);
}

static bool check_rising(Document *document, const char *path, const double values[2], double unit, Status *status)
{
    return document_find(document, path) == NULL || values[0] < values[1] ||
           document_fail_at(document, path, status, "read %.6g to %.6g, allowed the lower one first", values[0] / unit,
                            values[1] / unit);
}

static bool check(Document *document, const void *data, Status *status)
{
    const AttachmentParams *params = data;
    const double least = 0.2, most = 5.0, level = 1e-3; // m
    const double *edge = params->shape.edge;
    if (!check_rising(document, "carrier_mass", params->carrier_mass, 1.0, status) ||
        !check_rising(document, "bucket_range_deg", params->range, UNIT_DEG, status) ||
        !machine_check_tool(document, "tool", &params->shape, status)) {
        return false;
    }
    if (!machine_check_density(document, "body.mass", params->body.mass, params->body.inertia_size, status) ||
        !machine_check_tool_mass(document, "body.mass", params->body.mass, params->carrier_mass[0],
                                 "its lightest carrier", status)) {
        return false;
    }
    if (!(edge[0] >= least && edge[0] <= most && fabs(edge[1]) <= level)) {
        return document_fail_at(document, "tool.edge", status,
                                "read [%.6g, %.6g], allowed %.4g to %.4g m along x: the frame's x axis runs from the "
                                "pin to the edge",
                                edge[0], edge[1], least, most);
    }
    return check_capacity(document, params, status) && check_hammer(document, params, status);
}

const DataSchema data_attachment_schema = {.kind = "attachment",
                                           .folder = "attachments",
                                           .keys = keys,
                                           .size = sizeof(AttachmentParams),
                                           .name_size = KEY_SIZE(AttachmentParams, name),
                                           .derive = derive,
                                           .check = check};

static bool is_given(const double *values, int count)
{
    bool given = false;
    for (int k = 0; k < count; k++) {
        given = given || values[k] != 0.0;
    }
    return given;
}

void attachment_hang(const AttachmentParams *attachment, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    MachineBodyParams *body = &machine->body[tool->body];
    MachineJointParams *joint = &machine->joint[0];
    for (int k = 0; k < machine->joint_count; k++) {
        joint = machine->joint[k].child == tool->body ? &machine->joint[k] : joint;
    }
    char name[MACHINE_NAME_SIZE];
    memcpy(name, body->name, sizeof name);
    *body = attachment->body;
    memcpy(body->name, name, sizeof name);
    tool->shape = attachment->shape;
    tool_shape_finish(&tool->shape);
    tool->cuts = true;
    tool->capacity = attachment->capacity;
    tool->teeth = attachment->teeth;
    machine->hammer = attachment->hammer;
    machine->lifting_eye = attachment->lifting_eye;
    tool->tip = (PlanePoint){attachment->shape.edge[0], attachment->shape.edge[1]};
    tool->middle = 0.5 * tool->tip.x;
    if (is_given((const double[]){attachment->link_pin.x, attachment->link_pin.z}, 2)) {
        joint->linkage.link_pin = attachment->link_pin;
    }
    if (is_given(attachment->range, 2)) {
        memcpy(joint->range, attachment->range, sizeof joint->range);
    }
    if (is_given(attachment->start_pose, MACHINE_MAX_JOINTS)) {
        memcpy(machine->start_pose, attachment->start_pose, sizeof machine->start_pose);
    }
    snprintf(machine->attachment, sizeof machine->attachment, "%s", attachment->name);
}
