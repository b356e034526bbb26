/// Coupler files: their keys and rules, and the machine that one is mounted on. The machine's tables then describe
/// linkage, coupler and tool as one: whatever reads them needs no coupler.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/schema/coupler_params.h"
#include "data/schema/machine_keys.h"
#include "data/schema/schemas.h"

/// ---- files ---------------------------------------------------------------------------------------------------------

static const DataKey rotate_keys[] = {MACHINE_ROTARY_ROWS, ROW_END};
static const DataKey tilt_keys[] = {
    MACHINE_ROTARY_ROWS,
    ROW_POINT("base", MachineRotary, base,
              "m: pin of the drawn left cylinder on the upper part, left of and above the axis"),
    ROW_POINT("head", MachineRotary, head, "m: pin of its rod on the housing, left of and above the axis"),
    ROW_NUMBER("bore_mm", MachineRotary, bore, 20, 300, UNIT_MM, "mm: inner diameter of the drawn cylinders"),
    ROW_NUMBER("rod_mm", MachineRotary, rod, 10, 250, UNIT_MM, "mm: diameter of their rods"),
    ROW_END,
};

static const DataKey rotator_keys[] = {
    ROW_NUMBER("tilt_height", CouplerRotator, tilt_height, 0.02, 1, 1,
               "m: from the machine's pins out to the tilt axis"),
    ROW_TUPLE("tilt_range_deg", CouplerRotator, tilt_range, double, 2, -60, 60, UNIT_DEG,
              "deg: furthest tilt to the left, below 0, and to the right"),
    ROW_MAPPING("tilt", CouplerRotator, tilt, tilt_keys, "what tilts the housing"),
    ROW_MAPPING("rotate", CouplerRotator, rotate, rotate_keys, "what turns the hitch"),
    ROW_MAPPING("housing", CouplerRotator, housing, machine_body_keys,
                "mass and inertia of what tilts and does not turn"),
    ROW_LIST("housing_pieces", CouplerRotator, housing_piece, housing_count, 1, COUPLER_MAX_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_MAPPING("hitch", CouplerRotator, hitch, machine_body_keys, "mass and inertia of what turns with the tool"),
    ROW_LIST("hitch_pieces", CouplerRotator, hitch_piece, hitch_count, 1, COUPLER_MAX_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_END,
};

static const DataKey lock_keys[] = {
    ROW_NUMBER_OR("opening_deg", CouplerLock, opening, -180, 0, UNIT_DEG, -90,
                  "deg: to where the hook opens, from out to the tool towards the link's pin; -90: away from that pin"),
    ROW_NUMBER("mouth", CouplerLock, mouth, 0.04, 0.5, 1, "m: a pin that is further out has left the hook"),
    ROW_NUMBER("capture", CouplerLock, capture, 0.01, 0.2, 1,
               "m: a pin so near to the line of the opening comes into the hook"),
    ROW_NUMBER("tolerance", CouplerLock, tolerance, 0.005, 0.1, 1,
               "m: pins that lie so near to their seats can be locked"),
    ROW_NUMBER("wedge_time", CouplerLock, wedge_time, 0.1, 10, 1, "s: that the wedge takes to open or to close"),
    ROW_NUMBER_OR("confirm_time", CouplerLock, confirm_time, 1, 20, 1, 5,
                  "s: within which a release has to be confirmed"),
    ROW_NUMBER_OR("curled_deg", CouplerLock, curled, 1, 60, UNIT_DEG, 8,
                  "deg: from the bucket's curled end within which the tool can be released"),
    ROW_NUMBER_OR("most_load", CouplerLock, most_load, 1, 2000, 1, 60, "kg: in the tool, with more it is not released"),
    ROW_NUMBER_OR("most_force_kn", CouplerLock, most_force, 0.5, 100, UNIT_KN, 3,
                  "kN: on the tool from outside, with more it is not released"),
    ROW_END,
};

static const DataKey coupler_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", CouplerParams, title, "shown in lists"),
    ROW_TUPLE("carrier_mass", CouplerParams, carrier_mass, double, 2, 500, 200000, 1,
              "kg: lightest and heaviest machine that carries it, with its tool"),
    ROW_NUMBER("pin_distance", CouplerParams, pin_distance, 0.1, 2, 1,
               "m: between the pin on the stick and the link's, and between those of the tool"),
    ROW_NUMBER("height", CouplerParams, height, 0.02, 1.5, 1, "m: from the machine's pins out to the tool's"),
    ROW_NUMBER_OR("start_boom_deg", CouplerParams, start_boom, 0, 20, UNIT_DEG, 0,
                  "deg: the boom starts so much higher than without it"),
    ROW_MAPPING("body", CouplerParams, body, machine_body_keys, "mass and inertia"),
    ROW_LIST("pieces", CouplerParams, piece, piece_count, 1, COUPLER_MAX_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_MAPPING_OPTIONAL("tiltrotator", CouplerParams, rotator, rotator_keys,
                         "what tilts and turns the tool; left out: nothing does"),
    ROW_MAPPING_OPTIONAL("lock", CouplerParams, lock, lock_keys,
                         "how it takes and releases tools from the cab; left out: by hand"),
    ROW_END,
};

static bool check_pieces(Document *document, const char *name, const ToolPiece *pieces, int count, Status *status)
{
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        good = machine_check_piece(document, document_path("%s.%d", name, k).text, &pieces[k], status);
    }
    return good;
}

static bool check_rotator(Document *document, const CouplerParams *params, Status *status)
{
    const CouplerRotator *rotator = &params->rotator;
    const double *range = rotator->tilt_range;
    if (document_find(document, "tiltrotator") == NULL) {
        return true;
    }
    if (!(range[0] < 0.0 && range[1] > 0.0)) {
        return document_fail_at(document, "tiltrotator.tilt_range_deg", status,
                                "read %.6g to %.6g, allowed the first below 0 and the second above",
                                range[0] / UNIT_DEG, range[1] / UNIT_DEG);
    }
    if (!(rotator->tilt_height < params->height)) {
        return document_fail_at(document, "tiltrotator.tilt_height", status,
                                "read %.6g, allowed less than height (%.6g)", rotator->tilt_height, params->height);
    }
    if (!(rotator->tilt.rod < rotator->tilt.bore)) {
        return document_fail_at(document, "tiltrotator.tilt.rod_mm", status,
                                "read %.6g, allowed less than bore_mm (%.6g)", rotator->tilt.rod / UNIT_MM,
                                rotator->tilt.bore / UNIT_MM);
    }
    return machine_check_rotary(document, "tiltrotator.tilt", &rotator->tilt, status) &&
           machine_check_rotary(document, "tiltrotator.rotate", &rotator->rotate, status) &&
           check_pieces(document, "tiltrotator.housing_pieces", rotator->housing_piece, rotator->housing_count,
                        status) &&
           check_pieces(document, "tiltrotator.hitch_pieces", rotator->hitch_piece, rotator->hitch_count, status) &&
           machine_check_density(document, "tiltrotator.housing.mass", rotator->housing.mass,
                                 rotator->housing.inertia_size, status) &&
           machine_check_density(document, "tiltrotator.hitch.mass", rotator->hitch.mass, rotator->hitch.inertia_size,
                                 status);
}

static bool coupler_check(Document *document, const void *data, Status *status)
{
    const CouplerParams *params = data;
    if (!machine_check_rising(document, "carrier_mass", params->carrier_mass, 1.0, status)) {
        return false;
    }
    if (document_find(document, "tiltrotator") != NULL && document_find(document, "lock") != NULL) {
        return document_fail_at(document, "lock", status,
                                "a tiltrotator's hitch takes tools by hand, allowed of a coupler without tiltrotator");
    }
    return check_pieces(document, "pieces", params->piece, params->piece_count, status) &&
           check_rotator(document, params, status) &&
           machine_check_density(document, "body.mass", params->body.mass, params->body.inertia_size, status) &&
           machine_check_tool_mass(document, "body.mass", params->body.mass, params->carrier_mass[0],
                                   "its lightest carrier", status);
}

const DataSchema data_coupler_schema = {.kind = "coupler",
                                        .folder = "couplers",
                                        .keys = coupler_keys,
                                        .size = sizeof(CouplerParams),
                                        .name_size = KEY_SIZE(CouplerParams, name),
                                        .check = coupler_check};

/// ---- frames --------------------------------------------------------------------------------------------------------

/// A frame in the plane of another one: where its origin lies, and the elevation of its x axis by sine and cosine.
typedef struct PlaneFrame {
    double x, z; ///< m
    double sine, cosine;
} PlaneFrame;

static PlanePoint place_point(const PlaneFrame *frame, PlanePoint p)
{
    return (PlanePoint){frame->x + frame->cosine * p.x - frame->sine * p.z,
                        frame->z + frame->sine * p.x + frame->cosine * p.z};
}

static void place_pair(const PlaneFrame *frame, double pair[2])
{
    PlanePoint p = place_point(frame, (PlanePoint){pair[0], pair[1]});
    pair[0] = p.x;
    pair[1] = p.z;
}

static void place_piece(const PlaneFrame *frame, ToolPiece *piece)
{
    for (int k = 0; k < piece->corner_count; k++) {
        place_pair(frame, piece->corners[k]);
    }
}

/// Moments of inertia of a box about its middle, along axes that are turned as the frame's, kg m2. The product in the
/// plane is left out: a box of equal inertia has none.
static void place_inertia(const PlaneFrame *frame, const MachineBodyParams *body, double moment[3])
{
    const double *s = body->inertia_size;
    double c2 = frame->cosine * frame->cosine, s2 = frame->sine * frame->sine, along[3];
    for (int k = 0; k < 3; k++) {
        double b = s[(k + 1) % 3], c = s[(k + 2) % 3];
        along[k] = body->mass / 12.0 * (b * b + c * c);
    }
    moment[0] = c2 * along[0] + s2 * along[2];
    moment[1] = along[1];
    moment[2] = s2 * along[0] + c2 * along[2];
}

/// A body as its own file has it becomes part of another one in whose plane its frame lies. `whole` may have no mass
/// yet.
static void add_body(const PlaneFrame *frame, const MachineBodyParams *part, MachineBodyParams *whole)
{
    const PlaneFrame level = {.cosine = 1.0};
    PlanePoint middle = place_point(frame, (PlanePoint){part->center[0], part->center[2]});
    const double center[3] = {middle.x, part->center[1], middle.z}, mass = whole->mass + part->mass;
    double own[3], added[3], apart[3], moment[3];
    place_inertia(&level, whole, own);
    place_inertia(frame, part, added);
    for (int k = 0; k < 3; k++) {
        apart[k] = center[k] - whole->center[k];
    }
    // Parallel axes: two masses m, M at a distance r have m M / (m + M) r^2 about their common centre.
    double reduced = whole->mass * part->mass / mass;
    for (int k = 0; k < 3; k++) {
        double b = apart[(k + 1) % 3], c = apart[(k + 2) % 3];
        moment[k] = own[k] + added[k] + reduced * (b * b + c * c);
    }
    for (int k = 0; k < 3; k++) {
        double rest = moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k];
        whole->inertia_size[k] = sqrt(6.0 * rest / mass);
        whole->center[k] += part->mass / mass * apart[k];
    }
    whole->mass = mass;
}

/// ---- a machine with a coupler --------------------------------------------------------------------------------------

/// The joint between the stick and what hangs on the pins of stick and link.
static int link_joint(const MachineParams *machine)
{
    int found = 0;
    for (int k = 0; k < machine->joint_count; k++) {
        found = machine->joint[k].linkage.rocker_length > 0.0 ? k : found;
    }
    return found;
}

double coupler_pins_apart(const MachineParams *machine)
{
    PlanePoint pin = machine->joint[link_joint(machine)].linkage.link_pin;
    return same_hypot(pin.x, pin.z);
}

/// Jaws or a thumb that are off a machine while its other bodies and joints are counted anew.
typedef struct KeptJaws {
    int count;
    MachineJointParams joint[ATTACHMENT_JAWS];
    MachineBodyParams body[ATTACHMENT_JAWS];
    double start[ATTACHMENT_JAWS]; ///< rad
} KeptJaws;

/// Their pieces stay in the list of solids: those of jaw k with the body -1 - k.
static KeptJaws take_jaws(MachineParams *machine)
{
    KeptJaws kept = {.count = machine->jaw_count};
    machine->body_count -= kept.count;
    machine->joint_count -= kept.count;
    for (int k = 0; k < kept.count; k++) {
        kept.joint[k] = machine->joint[machine->joint_count + k];
        kept.body[k] = machine->body[machine->body_count + k];
        kept.start[k] = machine->start_pose[machine->joint_count + k];
        machine->start_pose[machine->joint_count + k] = 0.0;
    }
    for (int k = 0; k < machine->solid_count; k++) {
        int jaw = machine->solid[k].body - machine->body_count;
        machine->solid[k].body = jaw >= 0 ? -1 - jaw : machine->solid[k].body;
    }
    return kept;
}

/// Puts them behind the bodies and joints there are now. What they hung on lies in `frame` of the body of the tool now,
/// turned up by `turn` rad; a thumb's stick has not moved. A jaw's own frame stays: its angles count from elsewhere.
static void put_jaws(const KeptJaws *kept, const PlaneFrame *frame, double turn, MachineParams *machine)
{
    for (int k = 0; k < kept->count; k++) {
        int body = machine->body_count++, index = machine->joint_count++;
        MachineJointParams *joint = &machine->joint[index];
        *joint = kept->joint[k];
        joint->child = body;
        machine->body[body] = kept->body[k];
        machine->start_pose[index] = kept->start[k];
        if (!machine->thumb) {
            joint->parent = machine->tool[0].body;
            joint->origin = place_point(frame, joint->origin);
            joint->cylinder.base = place_point(frame, joint->cylinder.base);
            joint->range[0] += turn;
            joint->range[1] += turn;
            machine->start_pose[index] += turn;
        }
        for (int n = 0; n < machine->solid_count; n++) {
            machine->solid[n].body = machine->solid[n].body == -1 - k ? body : machine->solid[n].body;
        }
    }
}

/// The solids of a body that are not the coupler's, as `to` has them.
static void place_solids(const PlaneFrame *frame, int from, int to, MachineParams *machine)
{
    for (int k = 0; k < machine->solid_count; k++) {
        if (machine->solid[k].body == from && strcmp(machine->solid[k].name, COUPLER_SOLID) != 0) {
            machine->solid[k].body = to;
            place_piece(frame, &machine->solid[k].piece);
        }
    }
}

/// Writes the first tool with all that belongs to it as `body` has it in whose plane the tool's frame lies.
static void place_tool(const PlaneFrame *frame, int body, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    for (int k = 0; k < tool->shape.piece_count; k++) {
        place_piece(frame, &tool->shape.pieces[k]);
    }
    for (int k = 0; k < tool->shape.inside_count; k++) {
        place_pair(frame, tool->shape.inside[k]);
    }
    place_pair(frame, tool->shape.edge);
    tool_shape_finish(&tool->shape);
    tool->tip = place_point(frame, tool->tip);
    tool->middle = 0.5 * tool->tip.x;
    if (machine->lifting_eye.x != 0.0 || machine->lifting_eye.z != 0.0) {
        machine->lifting_eye = place_point(frame, machine->lifting_eye);
    }
    if (machine->hammer.blow_energy > 0.0) {
        machine->hammer.top = place_point(frame, machine->hammer.top);
    }
    place_solids(frame, tool->body, body, machine);
    tool->body = body;
}

static void add_pieces(const PlaneFrame *frame, const ToolPiece *pieces, int count, int body, MachineParams *machine)
{
    for (int k = 0; k < count && machine->solid_count < MACHINE_MAX_SOLIDS; k++) {
        MachineSolidParams *solid = &machine->solid[machine->solid_count++];
        snprintf(solid->name, sizeof solid->name, "%s", COUPLER_SOLID);
        memcpy(solid->carrier, machine->body[body].name, sizeof solid->carrier);
        solid->body = body;
        solid->piece = pieces[k];
        place_piece(frame, &solid->piece);
    }
}

int coupler_pieces(const CouplerParams *coupler)
{
    return coupler->piece_count + coupler->rotator.housing_count + coupler->rotator.hitch_count;
}

static PlaneFrame moved(PlaneFrame frame, PlanePoint origin)
{
    frame.x -= origin.x;
    frame.z -= origin.z;
    return frame;
}

static void name_body(MachineBodyParams *body, const char *name)
{
    snprintf(body->name, sizeof body->name, "%s", name);
}

/// A joint of a tiltrotator with its child, the next of each. `origin`: in the parent's frame.
static int add_joint(MachineParams *machine, int parent, const MachineJointParams *as, PlanePoint origin)
{
    int child = machine->body_count++;
    MachineJointParams *joint = &machine->joint[machine->joint_count++];
    *joint = *as;
    joint->parent = parent;
    joint->child = child;
    joint->origin = origin;
    joint->control_sign = 1;
    joint->drive = MACHINE_DRIVE_ROTARY;
    machine->body[child] = (MachineBodyParams){.mass = 0.0};
    return child;
}

/// Adds the two joints and bodies of a tiltrotator to the upper part of its coupler. Returns the body that holds the
/// tool.
/// frame   of the coupler, in the upper part's frame
/// hitch   out: the same in the frame of the body that holds the tool
/// origin  m, out: of that body's frame in the upper part's
static int mount_rotator(const CouplerParams *coupler, const PlaneFrame *frame, int upper, MachineParams *machine,
                         PlaneFrame *hitch, PlanePoint *origin)
{
    const CouplerRotator *rotator = &coupler->rotator;
    double middle = 0.5 * coupler->pin_distance;
    // Ahead of the axes is the coupler's z.
    double lean = same_atan2(frame->cosine, -frame->sine);
    PlanePoint tilt = place_point(frame, (PlanePoint){rotator->tilt_height, middle});
    *origin = place_point(frame, (PlanePoint){coupler->height, middle});
    MachineJointParams tilts = {.name = "tilt",
                                .column = "tool_tilt",
                                .axis = MACHINE_ROLL,
                                .lean = lean,
                                .control = CONTROL_TOOL_TILT,
                                .rotary = rotator->tilt};
    memcpy(tilts.range, rotator->tilt_range, sizeof tilts.range);
    MachineJointParams turns = {.name = "rotate",
                                .column = "tool_rotate",
                                .axis = MACHINE_YAW,
                                .lean = lean,
                                .control = CONTROL_TOOL_ROTATE,
                                .rotary = rotator->rotate};
    int housing = add_joint(machine, upper, &tilts, tilt);
    int holder = add_joint(machine, housing, &turns, (PlanePoint){origin->x - tilt.x, origin->z - tilt.z});
    const PlaneFrame of_housing = moved(*frame, tilt);
    *hitch = moved(*frame, *origin);
    add_body(&of_housing, &rotator->housing, &machine->body[housing]);
    memcpy(machine->body[holder].name, machine->body[upper].name, sizeof machine->body[holder].name);
    name_body(&machine->body[upper], "coupler");
    name_body(&machine->body[housing], "tiltrotator");
    add_pieces(&of_housing, rotator->housing_piece, rotator->housing_count, housing, machine);
    add_pieces(hitch, rotator->hitch_piece, rotator->hitch_count, holder, machine);
    return holder;
}

/// A grab whose rotator's bracket hangs on the machine's pins: bracket, axis and grab as a coupler holds them. The body
/// that turns keeps its origin, and lies along its parent at the angle 0.
/// of_bracket  the bracket's old frame in the body that holds it now   turn  rad: that frame's elevation
static void place_turning_tool(const PlaneFrame *of_bracket, const PlaneFrame *of_tool, double turn,
                               MachineParams *machine)
{
    int turned = machine->tool[0].body;
    MachineJointParams *axis = &machine->joint[machine_joint_of_control(machine, CONTROL_TOOL_ROTATE)];
    const MachineBodyParams hung = machine->body[turned];
    place_solids(of_bracket, axis->parent, axis->parent, machine);
    axis->origin = place_point(of_bracket, axis->origin);
    axis->lean += turn;
    machine->body[turned] = (MachineBodyParams){.mass = 0.0};
    memcpy(machine->body[turned].name, hung.name, sizeof hung.name);
    add_body(of_tool, &hung, &machine->body[turned]);
    place_tool(of_tool, turned, machine);
}

void coupler_mount(const CouplerParams *coupler, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    const KeptJaws jaws = take_jaws(machine);
    const bool turns = machine_tool_turns(machine);
    int pins = link_joint(machine), upper = machine->joint[pins].child, holder = upper;
    MachineJointParams *joint = &machine->joint[pins];
    PlanePoint tip = tool->tip, down = turns ? machine->joint[machine->joint_count - 1].origin : (PlanePoint){0.0, 0.0};
    // In the tool's own frame: along the line between the pins, and square to it, away from the stick.
    PlanePoint link = joint->linkage.link_pin;
    double apart = same_hypot(link.x, link.z), along_x = link.x / apart, along_z = link.z / apart;
    double out_x = coupler->height * along_z, out_z = -coupler->height * along_x;
    // The body's new x axis runs from the stick's pin to the edge, where it is now.
    double lift = same_atan2(out_z + down.z + tip.z, out_x + down.x + tip.x), c = same_cos(lift), s = same_sin(lift);
    const PlaneFrame turned = {.sine = -s, .cosine = c};
    PlanePoint place = place_point(&turned, (PlanePoint){out_x, out_z}), origin = {0.0, 0.0};
    const PlaneFrame of_coupler = {0.0, 0.0, -along_x * c - along_z * s, along_z * c - along_x * s};
    PlaneFrame of_hitch = of_coupler;

    const MachineBodyParams hung = machine->body[upper];
    machine->body[upper] = (MachineBodyParams){.mass = 0.0};
    memcpy(machine->body[upper].name, hung.name, sizeof hung.name);
    add_pieces(&of_coupler, coupler->piece, coupler->piece_count, upper, machine);
    if (coupler->rotator.hitch_count > 0) {
        holder = mount_rotator(coupler, &of_coupler, upper, machine, &of_hitch, &origin);
        add_body(&of_hitch, &coupler->rotator.hitch, &machine->body[holder]);
    }
    PlaneFrame of_tool = {place.x - origin.x, place.z - origin.z, -s, c};
    add_body(&of_tool, &hung, &machine->body[holder]);
    add_body(&of_coupler, &coupler->body, &machine->body[upper]);
    if (turns) {
        place_turning_tool(&of_tool, &turned, -lift, machine);
        of_tool = turned;
    } else {
        place_tool(&of_tool, holder, machine);
    }
    if (holder == upper && !turns) {
        tool->tip.z = tool->shape.edge[1] = 0.0; // by the choice of the axis, but for rounding
    }
    joint->linkage.link_pin = place_point(&turned, link);
    joint->range[0] += lift;
    joint->range[1] += lift;
    machine->start_pose[joint - machine->joint] += lift;
    double *boom = &machine->start_pose[machine->lift_joint];
    *boom = fmin(*boom + coupler->start_boom, machine->joint[machine->lift_joint].range[1]);
    machine->tool_origin = place_point(&of_tool, machine->tool_origin);
    machine->tool_turn = -lift;
    put_jaws(&jaws, &of_tool, -lift, machine);
    machine->lock = coupler->lock;
    snprintf(machine->coupler, sizeof machine->coupler, "%s", coupler->name);
}

/// What the machine's own tool has of solids goes with it.
static void remove_solids(int body, MachineParams *machine)
{
    int count = 0;
    for (int k = 0; k < machine->solid_count; k++) {
        if (machine->solid[k].body != body) {
            machine->solid[count++] = machine->solid[k];
        }
    }
    machine->solid_count = count;
}

/// The coupler's steel, as a tool that holds nothing and cuts nothing. Its edge is the seat of the tool's first pin.
static ToolShape bare_shape(const CouplerParams *coupler)
{
    ToolShape shape = {.piece_count = coupler->piece_count, .edge = {coupler->height, 0.0}};
    double width = 0.0;
    for (int k = 0; k < coupler->piece_count; k++) {
        shape.pieces[k] = coupler->piece[k];
        width = fmax(width, coupler->piece[k].y_max - coupler->piece[k].y_min);
    }
    shape.edge_width = width;
    tool_shape_finish(&shape);
    return shape;
}

void coupler_mount_alone(const CouplerParams *coupler, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    MachineBodyParams *body = &machine->body[tool->body];
    MachineJointParams *joint = &machine->joint[link_joint(machine)];
    // The body's frame is the coupler's: its x axis is square to the line between the pins.
    PlanePoint link = joint->linkage.link_pin;
    double apart = same_hypot(link.x, link.z), lift = same_atan2(-link.x, link.z);
    char name[MACHINE_NAME_SIZE];
    memcpy(name, body->name, sizeof name);
    *body = coupler->body;
    memcpy(body->name, name, sizeof body->name);
    remove_solids(tool->body, machine);
    *tool = (MachineToolParams){.body = tool->body, .shape = bare_shape(coupler), .tip = {coupler->height, 0.0}};
    tool->middle = 0.5 * coupler->height;
    machine->hammer = (MachineHammer){.blow_energy = 0.0};
    machine->lifting_eye = (PlanePoint){0.0, 0.0};
    joint->linkage.link_pin = (PlanePoint){0.0, apart};
    joint->range[0] += lift;
    joint->range[1] += lift;
    machine->start_pose[joint - machine->joint] += lift;
    machine->attachment[0] = '\0';
    machine->tool_origin = (PlanePoint){coupler->height, 0.0};
    machine->tool_turn = 0.0;
    machine->lock = coupler->lock;
    snprintf(machine->coupler, sizeof machine->coupler, "%s", coupler->name);
}
