/// Attachment files: their keys and rules, and what an attachment changes of the machine that it hangs on. Some have
/// parts that move by themselves: the jaws of a grab, the rotator that turns it, a thumb on the stick.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/schema/machine_keys.h"
#include "data/schema/schemas.h"

/// ---- keys ----------------------------------------------------------------------------------------------------------

static const DataKey attachment_tool_keys[] = {
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
               "kN: least force on the chisel for the piston to run"),
    ROW_NUMBER("chisel_mm", MachineHammer, chisel, 20, 300, UNIT_MM, "mm: diameter of the chisel"),
    ROW_POINT("top", MachineHammer, top,
              "m: a point on the chisel's axis, along and above the tool's line from pin to tip"),
    ROW_END,
};

static const DataKey jaw_cylinder_keys[] = {
    MACHINE_CYLINDER_ROWS,
    MACHINE_OIL_ROWS,
    ROW_END,
};

static const DataKey jaw_keys[] = {
    ROW_MAPPING("body", AttachmentJaw, body, machine_body_keys, "mass and inertia, in the jaw's frame"),
    ROW_POINT("pin", AttachmentJaw, pin, "m: where it hangs, along and above the line of the grab"),
    ROW_TUPLE("range_deg", AttachmentJaw, range, double, 2, -180, 180, UNIT_DEG,
              "deg: closed, then open; more is up where the line of the grab points ahead"),
    ROW_NUMBER_OR("start_deg", AttachmentJaw, start, -180, 180, UNIT_DEG, 0, "deg: at the start"),
    ROW_MAPPING("cylinder", AttachmentJaw, cylinder, jaw_cylinder_keys, "from the grab's body to the jaw"),
    ROW_LIST("pieces", AttachmentJaw, pieces, piece_count, 1, ATTACHMENT_JAW_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_END,
};
static const DataKey jaw_item = ROW_ITEM(AttachmentJaw, jaw_keys);

static const DataKey thumb_keys[] = {
    ROW_MAPPING("body", AttachmentJaw, body, machine_body_keys, "mass and inertia, in the thumb's frame"),
    ROW_POINT("pin", AttachmentJaw, pin, "m: where it hangs, from the tool's pin on, along and above the stick"),
    ROW_TUPLE("range_deg", AttachmentJaw, range, double, 2, -180, 180, UNIT_DEG,
              "deg: closed, then open, against the stick; 0 is straight on, less is towards the cab"),
    ROW_NUMBER_OR("start_deg", AttachmentJaw, start, -180, 180, UNIT_DEG, 0, "deg: at the start"),
    ROW_MAPPING("cylinder", AttachmentJaw, cylinder, jaw_cylinder_keys,
                "from the stick (base, as the pin) to the thumb (head)"),
    ROW_LIST("pieces", AttachmentJaw, pieces, piece_count, 1, ATTACHMENT_JAW_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_END,
};

static const DataKey drive_keys[] = {MACHINE_ROTARY_ROWS, ROW_END};
static const DataKey rotator_keys[] = {
    ROW_NUMBER("height", AttachmentRotator, height, 0.05, 1.5, 1, "m: from the machine's pin down to what turns"),
    ROW_MAPPING("drive", AttachmentRotator, drive, drive_keys, "what turns it"),
    ROW_MAPPING("bracket", AttachmentRotator, bracket, machine_body_keys, "mass and inertia of what does not turn"),
    ROW_LIST("pieces", AttachmentRotator, pieces, piece_count, 1, ATTACHMENT_JAW_PIECES, &machine_piece_item,
             "convex pieces of the steel that does not turn"),
    ROW_END,
};

static const DataKey attachment_keys[] = {
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
    ROW_MAPPING("tool", AttachmentParams, shape, attachment_tool_keys,
                "its shape, along its line from pin to edge and above it"),
    ROW_MAPPING_OPTIONAL("hammer", AttachmentParams, hammer, hammer_keys,
                         "of a hydraulic hammer, in place of an inside"),
    ROW_LIST_OPTIONAL("jaws", AttachmentParams, jaw, jaw_count, 0, ATTACHMENT_JAWS, &jaw_item,
                      "of a grab: the outer jaw, then the one towards the cab"),
    ROW_MAPPING_OPTIONAL("rotator", AttachmentParams, rotator, rotator_keys,
                         "what turns it below its bracket; left out: nothing does"),
    ROW_MAPPING_OPTIONAL("thumb", AttachmentParams, thumb, thumb_keys,
                         "a thumb on the stick that holds things against it; left out: none"),
    ROW_END,
};

/// ---- rules ---------------------------------------------------------------------------------------------------------

bool machine_check_rotary(Document *document, const char *name, const MachineRotary *rotary, Status *status)
{
    double given = rotary->torque * rotary->speed, oil = rotary->flow * rotary->relief;
    if (!(given <= oil)) {
        return document_fail_at(document, document_path("%s.torque_knm", name).text, status,
                                "read %.6g: with speed_rpm that is %.4g kW, allowed at most what flow_lpm and "
                                "relief_mpa bring (%.4g kW)",
                                rotary->torque / UNIT_KNM, given / UNIT_KW, oil / UNIT_KW);
    }
    return rotary->holding >= rotary->torque ||
           document_fail_at(document, document_path("%s.holding_knm", name).text, status,
                            "read %.6g, allowed torque_knm (%.6g) and more", rotary->holding / UNIT_KNM,
                            rotary->torque / UNIT_KNM);
}

static void attachment_derive(void *data)
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

static bool check_pieces(Document *document, const char *name, const ToolPiece *pieces, int count, Status *status)
{
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        good = machine_check_piece(document, document_path("%s.pieces.%d", name, k).text, &pieces[k], status);
    }
    return good;
}

/// A jaw between its closed and its open angle, of pieces that make solids and a cylinder that can be. `name`: its key.
static bool check_jaw(Document *document, const char *name, const AttachmentJaw *jaw, Status *status)
{
    double low = fmin(jaw->range[0], jaw->range[1]), high = fmax(jaw->range[0], jaw->range[1]);
    const double least = 5.0 * UNIT_DEG;
    if (!(high - low >= least)) {
        return document_fail_at(document, document_path("%s.range_deg", name).text, status,
                                "read %.6g to %.6g, allowed angles from %.4g deg apart on", jaw->range[0] / UNIT_DEG,
                                jaw->range[1] / UNIT_DEG, least / UNIT_DEG);
    }
    if (!(jaw->start >= low && jaw->start <= high)) {
        return document_fail_at(document, document_path("%s.start_deg", name).text, status,
                                "read %.6g, allowed %.6g to %.6g (range_deg)", jaw->start / UNIT_DEG, low / UNIT_DEG,
                                high / UNIT_DEG);
    }
    return machine_check_density(document, document_path("%s.body.mass", name).text, jaw->body.mass,
                                 jaw->body.inertia_size, status) &&
           machine_check_cylinder(document, document_path("%s.cylinder", name).text, &jaw->cylinder, true, status) &&
           check_pieces(document, name, jaw->pieces, jaw->piece_count, status);
}

/// A grab holds with its jaws: it is neither a hammer nor a bucket.
static bool check_jaws(Document *document, const AttachmentParams *params, Status *status)
{
    bool holds = params->capacity > 0.0 || document_find(document, "hammer") != NULL;
    if (params->jaw_count > 0 && holds) {
        return document_fail_at(document, "jaws", status, "a grab has neither a capacity nor a hammer");
    }
    bool good = true;
    for (int k = 0; k < params->jaw_count && good; k++) {
        good = check_jaw(document, document_path("jaws.%d", k).text, &params->jaw[k], status);
    }
    return good;
}

static bool check_rotator(Document *document, const AttachmentParams *params, Status *status)
{
    const AttachmentRotator *rotator = &params->rotator;
    if (rotator->piece_count == 0) {
        return true;
    }
    if (params->jaw_count == 0) {
        return document_fail_at(document, "rotator", status, "allowed of a grab (jaws)");
    }
    if (!(rotator->height < params->shape.edge[0])) {
        return document_fail_at(document, "rotator.height", status, "read %.6g, allowed less than tool.edge.0 (%.6g)",
                                rotator->height, params->shape.edge[0]);
    }
    return machine_check_rotary(document, "rotator.drive", &rotator->drive, status) &&
           machine_check_density(document, "rotator.bracket.mass", rotator->bracket.mass, rotator->bracket.inertia_size,
                                 status) &&
           check_pieces(document, "rotator", rotator->pieces, rotator->piece_count, status);
}

/// One lever, `auxiliary`, moves the thumb: nothing else may need it.
static bool check_thumb(Document *document, const AttachmentParams *params, Status *status)
{
    if (params->thumb.piece_count == 0) {
        return true;
    }
    if (params->jaw_count > 0 || document_find(document, "hammer") != NULL) {
        return document_fail_at(document, "thumb", status, "allowed of a tool with neither jaws nor a hammer");
    }
    if (document_find(document, "lifting_eye") != NULL) {
        return document_fail_at(document, "lifting_eye", status,
                                "a tool with a thumb has none: the lever that calls the slinger moves the thumb");
    }
    return check_jaw(document, "thumb", &params->thumb, status);
}

static bool check_parts(Document *document, const AttachmentParams *params, Status *status)
{
    double mass = params->body.mass;
    if (!check_jaws(document, params, status) || !check_rotator(document, params, status) ||
        !check_thumb(document, params, status)) {
        return false;
    }
    for (int k = 0; k < params->jaw_count; k++) {
        mass += params->jaw[k].body.mass;
    }
    mass += params->rotator.piece_count > 0 ? params->rotator.bracket.mass : 0.0;
    mass += params->thumb.piece_count > 0 ? params->thumb.body.mass : 0.0;
    const char *heavy = params->jaw_count > 0 ? "jaws" : "thumb";
    return mass == params->body.mass ||
           machine_check_tool_mass(document, heavy, mass, params->carrier_mass[0], "its lightest carrier", status);
}

static bool attachment_check(Document *document, const void *data, Status *status)
{
    const AttachmentParams *params = data;
    const double least = 0.2, most = 5.0, level = 1e-3; // m
    const double *edge = params->shape.edge;
    if (!machine_check_rising(document, "carrier_mass", params->carrier_mass, 1.0, status) ||
        !machine_check_rising(document, "bucket_range_deg", params->range, UNIT_DEG, status) ||
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
    return check_capacity(document, params, status) && check_hammer(document, params, status) &&
           check_parts(document, params, status);
}

const DataSchema data_attachment_schema = {.kind = "attachment",
                                           .folder = "attachments",
                                           .keys = attachment_keys,
                                           .size = sizeof(AttachmentParams),
                                           .name_size = KEY_SIZE(AttachmentParams, name),
                                           .derive = attachment_derive,
                                           .check = attachment_check};

/// ---- a machine with one -------------------------------------------------------------------------------------------

static void add_solids(const char *name, const ToolPiece *pieces, int count, int body, MachineParams *machine)
{
    for (int k = 0; k < count; k++) {
        MachineSolidParams *solid = &machine->solid[machine->solid_count++];
        *solid = (MachineSolidParams){.body = body, .piece = pieces[k]};
        snprintf(solid->name, sizeof solid->name, "%s", name);
        memcpy(solid->carrier, machine->body[body].name, sizeof solid->carrier);
    }
}

/// What a jaw hangs on: a body, and the point of its frame that the jaw's file starts from.
typedef struct JawPlace {
    int parent;
    PlanePoint from; ///< m
    const char *name, *body, *solid; ///< for people, of the body, of its pieces
} JawPlace;

static PlanePoint moved(PlanePoint at, PlanePoint by)
{
    return (PlanePoint){at.x + by.x, at.z + by.z};
}

/// Adds a jaw: a body, the joint that the auxiliary lever closes, and its pieces.
static void hang_jaw(const AttachmentJaw *jaw, const JawPlace *place, MachineParams *machine)
{
    int body = machine->body_count++, index = machine->joint_count++;
    MachineJointParams *joint = &machine->joint[index];
    machine->body[body] = jaw->body;
    *joint = (MachineJointParams){.parent = place->parent,
                                  .child = body,
                                  .origin = moved(jaw->pin, place->from),
                                  .axis = MACHINE_PITCH,
                                  .range = {fmin(jaw->range[0], jaw->range[1]), fmax(jaw->range[0], jaw->range[1])},
                                  .control = CONTROL_AUXILIARY,
                                  .control_sign = jaw->range[0] > jaw->range[1] ? 1 : -1,
                                  .drive = MACHINE_DRIVE_CYLINDER,
                                  .cylinder = jaw->cylinder};
    joint->cylinder.base = moved(jaw->cylinder.base, place->from);
    snprintf(machine->body[body].name, MACHINE_NAME_SIZE, "%s", place->body);
    snprintf(joint->name, MACHINE_NAME_SIZE, "%s", place->name);
    snprintf(joint->column, MACHINE_NAME_SIZE, "%s", place->body);
    machine->start_pose[index] = jaw->start;
    add_solids(place->solid, jaw->pieces, jaw->piece_count, body, machine);
    machine->jaw_count++;
}

static void move_pair(double pair[2], double down)
{
    pair[0] -= down;
}

/// The tool's body becomes the bracket's, and the tool a body below it that turns about the tool's x axis.
static void hang_rotator(const AttachmentRotator *rotator, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    int bracket = tool->body, turned = machine->body_count++;
    double down = rotator->height;
    machine->body[turned] = machine->body[bracket];
    machine->body[turned].center[0] -= down;
    machine->body[bracket] = rotator->bracket;
    snprintf(machine->body[bracket].name, MACHINE_NAME_SIZE, "rotator");
    // The axis of a yaw joint is -z; pitched up by a right angle it is x.
    machine->joint[machine->joint_count++] = (MachineJointParams){.name = "rotate",
                                                                  .column = "tool_rotate",
                                                                  .parent = bracket,
                                                                  .child = turned,
                                                                  .origin = {down, 0.0},
                                                                  .axis = MACHINE_YAW,
                                                                  .lean = 0.5 * M_PI,
                                                                  .control = CONTROL_TOOL_ROTATE,
                                                                  .control_sign = 1,
                                                                  .drive = MACHINE_DRIVE_ROTARY,
                                                                  .rotary = rotator->drive};
    tool->body = turned;
    for (int k = 0; k < tool->shape.piece_count; k++) {
        for (int c = 0; c < tool->shape.pieces[k].corner_count; c++) {
            move_pair(tool->shape.pieces[k].corners[c], down);
        }
    }
    move_pair(tool->shape.edge, down);
    tool_shape_finish(&tool->shape);
    tool->tip.x -= down;
    tool->middle = 0.5 * tool->tip.x;
    machine->tool_origin = (PlanePoint){-down, 0.0};
    add_solids("rotator", rotator->pieces, rotator->piece_count, bracket, machine);
}

static void hang_parts(const AttachmentParams *attachment, MachineParams *machine)
{
    const MachineJointParams *pin = &machine->joint[0]; // the tool's on the stick
    for (int k = 0; k < machine->joint_count; k++) {
        pin = machine->joint[k].child == machine->tool[0].body ? &machine->joint[k] : pin;
    }
    if (attachment->rotator.piece_count > 0) {
        hang_rotator(&attachment->rotator, machine);
    }
    for (int k = 0; k < attachment->jaw_count; k++) {
        const JawPlace place = {.parent = machine->tool[0].body,
                                .from = machine->tool_origin,
                                .name = k == 0 ? "outer jaw" : "inner jaw",
                                .body = k == 0 ? "outer_jaw" : "inner_jaw",
                                .solid = "jaw"};
        hang_jaw(&attachment->jaw[k], &place, machine);
    }
    if (attachment->thumb.piece_count > 0) {
        const JawPlace place = {
            .parent = pin->parent, .from = pin->origin, .name = "thumb", .body = "thumb", .solid = "thumb"};
        hang_jaw(&attachment->thumb, &place, machine);
        machine->thumb = true;
    }
}

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
    if (is_given(attachment->start_pose, ATTACHMENT_POSE)) {
        memcpy(machine->start_pose, attachment->start_pose, sizeof attachment->start_pose);
    }
    hang_parts(attachment, machine);
    snprintf(machine->attachment, sizeof machine->attachment, "%s", attachment->name);
}
