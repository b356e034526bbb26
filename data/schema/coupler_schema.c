/// Coupler files: their keys and rules, and the machine that one is mounted on. The machine's tables then describe
/// linkage, coupler and tool as one: whatever reads them needs no coupler.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/schema/coupler_params.h"
#include "data/schema/machine_keys.h"
#include "data/schema/schemas.h"

/// ---- files ---------------------------------------------------------------------------------------------------------

static const DataKey coupler_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", CouplerParams, title, "shown in lists"),
    ROW_TUPLE("carrier_mass", CouplerParams, carrier_mass, double, 2, 500, 200000, 1,
              "kg: lightest and heaviest machine that carries it, with its tool"),
    ROW_NUMBER("pin_distance", CouplerParams, pin_distance, 0.1, 2, 1,
               "m: between the pin on the stick and the link's, and between those of the tool"),
    ROW_NUMBER("height", CouplerParams, height, 0.02, 1.5, 1, "m: from the machine's pins out to the tool's"),
    ROW_MAPPING("body", CouplerParams, body, machine_body_keys, "mass and inertia"),
    ROW_LIST("pieces", CouplerParams, piece, piece_count, 1, COUPLER_MAX_PIECES, &machine_piece_item,
             "convex pieces of its steel"),
    ROW_END,
};

static bool coupler_check(Document *document, const void *data, Status *status)
{
    const CouplerParams *params = data;
    if (!machine_check_rising(document, "carrier_mass", params->carrier_mass, 1.0, status)) {
        return false;
    }
    for (int k = 0; k < params->piece_count; k++) {
        if (!machine_check_piece(document, document_path("pieces.%d", k).text, &params->piece[k], status)) {
            return false;
        }
    }
    return machine_check_density(document, "body.mass", params->body.mass, params->body.inertia_size, status) &&
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

double coupler_pins_apart(const MachineParams *machine)
{
    PlanePoint pin = {0.0, 0.0};
    for (int k = 0; k < machine->joint_count; k++) {
        const MachineJointParams *joint = &machine->joint[k];
        pin = joint->child == machine->tool[0].body ? joint->linkage.link_pin : pin;
    }
    return same_hypot(pin.x, pin.z);
}

/// Writes the first tool with all that belongs to it as a body has it in whose plane the tool's frame lies.
static void place_tool(const PlaneFrame *frame, MachineParams *machine)
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
    for (int k = 0; k < machine->solid_count; k++) {
        if (machine->solid[k].body == tool->body) {
            place_piece(frame, &machine->solid[k].piece);
        }
    }
}

static void add_pieces(const PlaneFrame *frame, const ToolPiece *pieces, int count, int body, MachineParams *machine)
{
    for (int k = 0; k < count && machine->solid_count < MACHINE_MAX_SOLIDS; k++) {
        MachineSolidParams *solid = &machine->solid[machine->solid_count++];
        snprintf(solid->name, sizeof solid->name, "coupler");
        memcpy(solid->carrier, machine->body[body].name, sizeof solid->carrier);
        solid->body = body;
        solid->piece = pieces[k];
        place_piece(frame, &solid->piece);
    }
}

void coupler_mount(const CouplerParams *coupler, MachineParams *machine)
{
    MachineToolParams *tool = &machine->tool[0];
    MachineJointParams *joint = &machine->joint[0];
    for (int k = 0; k < machine->joint_count; k++) {
        joint = machine->joint[k].child == tool->body ? &machine->joint[k] : joint;
    }
    // In the tool's own frame: along the line between the pins, and square to it, away from the stick.
    PlanePoint link = joint->linkage.link_pin;
    double apart = same_hypot(link.x, link.z), along_x = link.x / apart, along_z = link.z / apart;
    double out_x = coupler->height * along_z, out_z = -coupler->height * along_x;
    // The body's new x axis runs from the stick's pin to the edge, where it is now.
    double lift = same_atan2(out_z + tool->tip.z, out_x + tool->tip.x), c = same_cos(lift), s = same_sin(lift);
    const PlaneFrame turned = {.sine = -s, .cosine = c};
    PlanePoint origin = place_point(&turned, (PlanePoint){out_x, out_z});
    const PlaneFrame of_tool = {origin.x, origin.z, -s, c};
    const PlaneFrame of_coupler = {0.0, 0.0, -along_x * c - along_z * s, along_z * c - along_x * s};

    MachineBodyParams whole = {.mass = 0.0, .inertia_size = {0.0, 0.0, 0.0}};
    memcpy(whole.name, machine->body[tool->body].name, sizeof whole.name);
    add_body(&of_tool, &machine->body[tool->body], &whole);
    add_body(&of_coupler, &coupler->body, &whole);
    machine->body[tool->body] = whole;
    place_tool(&of_tool, machine);
    tool->tip.z = tool->shape.edge[1] = 0.0; // by the choice of the axis, but for rounding
    joint->linkage.link_pin = place_point(&turned, link);
    joint->range[0] += lift;
    joint->range[1] += lift;
    machine->start_pose[joint - machine->joint] += lift;
    add_pieces(&of_coupler, coupler->piece, coupler->piece_count, tool->body, machine);
    machine->tool_origin = origin;
    machine->tool_turn = -lift;
    snprintf(machine->coupler, sizeof machine->coupler, "%s", coupler->name);
}
