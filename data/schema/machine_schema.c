/// What the machine files of every type share: the tables of bodies, engine, hydraulics, cab and tools, the rules
/// between keys, and which table a file is read with. A type's own keys, and how they fill the tables of MachineParams,
/// stand in excavator_schema.c and dozer_schema.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/schema/machine_keys.h"

/// ---- masses --------------------------------------------------------------------------------------------------------

/// Checks that the masses of a machine make sense: bodies neither as light as foam nor denser than steel, joined
/// bodies of comparable mass, a whole that its tracks and its engine can carry. Without these rules a file with a slip
/// of a few digits loads, and the solver of the rigid bodies gets what it cannot solve.

/// kg/m3 of the box of equal inertia: shipped bodies have 440 (push frame) to 2700 (hammer); solid steel has 7850.
static const double least_density = 50.0, most_density = 7850.0;
/// Between two bodies that a joint joins; shipped: 1.6 to 17.8 (chassis and ripper). Chosen.
static const double most_ratio = 50.0;
/// Share of the machine that a tool weighs; shipped: 0.03 to 0.11 (blade). Makers carry up to 0.2 (demolition shears).
static const double most_tool = 0.2;
/// Pa under the tracks: swamp crawlers have 10 kPa, mining shovels 250 kPa; shipped: 34 to 60 kPa.
static const double least_pressure = 5e3, most_pressure = 300e3;
/// W/kg: mining shovels have 3, small dozers 10; shipped: 5.1 to 7.3.
static const double least_power = 1.5, most_power = 30.0;

bool machine_check_density(Document *document, const char *path, double mass, const double size[3], Status *status)
{
    double volume = size[0] * size[1] * size[2];
    return (mass >= least_density * volume && mass <= most_density * volume) ||
           document_fail_at(
               document, path, status,
               "read %.6g, allowed %.4g to %.4g kg: inertia_size is a box of %.4g m3, which has %.0f kg/m3 "
               "at least, and %.0f as solid steel",
               mass, least_density * volume, most_density * volume, volume, least_density, most_density);
}

bool machine_check_tool_mass(Document *document, const char *path, double mass, double machine, const char *of,
                             Status *status)
{
    return mass <= most_tool * machine ||
           document_fail_at(document, path, status, "read %.6g, allowed up to %.6g kg: %.6g of %s (%.6g kg)", mass,
                            most_tool * machine, most_tool, of, machine);
}

const MachineJointParams *machine_uneven_joint(const MachineParams *params, double *allowed)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        double parent = params->body[joint->parent].mass, child = params->body[joint->child].mass;
        if (!(fmax(parent, child) <= most_ratio * fmin(parent, child))) {
            *allowed = most_ratio;
            return joint;
        }
    }
    return NULL;
}

double machine_mass(const MachineParams *params)
{
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        mass += params->body[k].mass;
    }
    return mass;
}

/// Every body by itself, and those that are joined.
static bool check_bodies(Document *document, const MachineParams *params, Status *status)
{
    for (int k = 0; k < params->body_count; k++) {
        const MachineBodyParams *body = &params->body[k];
        if (!machine_check_density(document, document_path("bodies.%s.mass", body->name).text, body->mass,
                                   body->inertia_size, status)) {
            return false;
        }
    }
    double allowed;
    const MachineJointParams *joint = machine_uneven_joint(params, &allowed);
    if (joint == NULL) {
        return true;
    }
    const MachineBodyParams *parent = &params->body[joint->parent], *child = &params->body[joint->child];
    return document_fail_at(
        document, document_path("bodies.%s.mass", child->name).text, status,
        "read %.6g, allowed %.6g to %.6g kg: at most %.6g times heavier or lighter than the %s that "
        "it hangs on",
        child->mass, parent->mass / allowed, parent->mass * allowed, allowed, parent->name);
}

/// The masses of a machine's bodies fit each other, its tracks and its engine.
static bool check_masses(Document *document, const MachineParams *params, Status *status)
{
    if (!check_bodies(document, params, status)) {
        return false;
    }
    double mass = machine_mass(params), shoes = 2.0 * params->tracks.contact_length * params->tracks.shoe_width;
    double pressure = mass * STANDARD_GRAVITY / shoes, power = params->engine.power / mass;
    if (!(pressure >= least_pressure && pressure <= most_pressure)) {
        return document_fail_at(
            document, "bodies", status,
            "%.6g kg in all, allowed %.4g to %.4g kg on these tracks (%.3g m2 of shoes bear %.0f to "
            "%.0f kPa)",
            mass, least_pressure * shoes / STANDARD_GRAVITY, most_pressure * shoes / STANDARD_GRAVITY, shoes,
            least_pressure / UNIT_KPA, most_pressure / UNIT_KPA);
    }
    if (!(power >= least_power && power <= most_power)) {
        return document_fail_at(document, "engine.power_kw", status,
                                "read %.6g, allowed %.4g to %.4g for a machine of %.6g kg (%.3g to %.3g kW a tonne)",
                                params->engine.power / UNIT_KW, least_power * mass / UNIT_KW,
                                most_power * mass / UNIT_KW, mass, least_power, most_power);
    }
    for (int k = 0; k < params->tool_count; k++) {
        const MachineBodyParams *body = &params->body[params->tool[k].body];
        if (!machine_check_tool_mass(document, document_path("bodies.%s.mass", body->name).text, body->mass, mass,
                                     "the machine", status)) {
            return false;
        }
    }
    return true;
}

/// ---- keys ----------------------------------------------------------------------------------------------------------

const DataKey machine_body_keys[] = {
    ROW_NUMBER("mass", MachineBodyParams, mass, 1, 1e6, 1, "kg: of the body with all that is on it"),
    ROW_VECTOR("center", MachineBodyParams, center, -20, 20,
               "m: centre of mass, ahead, left and up in the body's frame"),
    ROW_VECTOR("inertia_size", MachineBodyParams, inertia_size, 0.01, 20,
               "m: length, width and height of a box with the same inertia"),
    ROW_END,
};

const DataKey machine_engine_keys[] = {
    ROW_NUMBER("power_kw", MachineEngine, power, 5, 3000, UNIT_KW, "kW: most that the engine gives"),
    ROW_NUMBER("idle_rpm", MachineEngine, idle_speed, 300, 3000, UNIT_RPM, "rpm: speed when idle"),
    ROW_NUMBER("rated_rpm", MachineEngine, rated_speed, 500, 4000, UNIT_RPM, "rpm: speed at full throttle"),
    ROW_NUMBER("inertia", MachineEngine, inertia, 0.05, 200, 1, "kg m2: of the crankshaft and what turns with it"),
    ROW_NUMBER("fuel_g_per_kwh", MachineEngine, fuel_rate, 100, 600, UNIT_G_PER_KWH,
               "g/kWh: fuel for the work it does"),
    ROW_NUMBER("idle_fuel_kg_per_h", MachineEngine, idle_fuel, 0, 100, UNIT_KG_PER_H, "kg/h: fuel when idle"),
    ROW_NUMBER("tank", MachineEngine, tank, 0, 10000, 1, "kg: fuel at the start"),
    ROW_END,
};

const DataKey machine_hydraulics_keys[] = {
    ROW_NUMBER("pump_flow_lpm", MachineHydraulics, pump_flow, 5, 3000, UNIT_LPM, "l/min: of one pump at full throttle"),
    ROW_INTEGER("pump_count", MachineHydraulics, pump_count, 1, 3, "equal pumps"),
    ROW_NUMBER("efficiency", MachineHydraulics, efficiency, 0.3, 1, 1,
               "share: of the engine's power that reaches the oil"),
    ROW_NUMBER("dead_band", MachineHydraulics, dead_band, 0, 0.3, 1, "share: of a lever's way in which nothing moves"),
    ROW_NUMBER("spool_time", MachineHydraulics, spool_time, 0.01, 1, 1, "s: lag of a valve behind its lever"),
    ROW_NUMBER("cushion_mm", MachineHydraulics, cushion, 0, 500, UNIT_MM,
               "mm: end of a cylinder's way in which it is slowed down"),
    ROW_NUMBER("lowering_ratio", MachineHydraulics, lowering_ratio, 1, 3, 1,
               "ratio: of the speed that a function falls with to what the pumps alone give"),
    ROW_END,
};

const DataKey machine_cab_keys[] = {
    ROW_VECTOR("eye", MachineCab, eye, -10, 10,
               "m: driver's eyes, ahead, left and up in the frame of the body that carries the cab"),
    ROW_VECTOR("size", MachineCab, size, 0.1, 10, "m: length, width and height of the cab"),
    ROW_VECTOR("corner", MachineCab, corner, -10, 10, "m: rear right lower corner of the cab in the same frame"),
    ROW_END,
};

typedef double Corner[2];
const DataKey machine_corner_item = {.key = "corner",
                                     .type = KEY_TUPLE,
                                     .size = sizeof(double),
                                     .min = -20,
                                     .max = 20,
                                     .unit = 1,
                                     .count_min = 2,
                                     .count_max = 2,
                                     .meaning = "m: along and above the frame of the body"};

static const DataKey piece_keys[] = {
    ROW_LIST("corners", ToolPiece, corners, corner_count, 3, TOOL_MAX_CORNERS, &machine_corner_item,
             "corners of its side view, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER("y_min", ToolPiece, y_min, -10, 10, 1, "m: its right side, to the left of the middle"),
    ROW_NUMBER("y_max", ToolPiece, y_max, -10, 10, 1, "m: its left side, to the left of the middle"),
    ROW_END,
};
const DataKey machine_piece_item = ROW_ITEM(ToolPiece, piece_keys);

const DataKey machine_tool_keys[] = {
    MACHINE_TOOL_ROWS,
    ROW_LIST("inside", ToolShape, inside, inside_count, 3, TOOL_MAX_OPENING, &machine_corner_item,
             "corners of what it holds, from the side, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER("inside_width", ToolShape, inside_width, 0.1, 10, 1, "m: between its side plates"),
    ROW_END,
};

static const DataKey solid_keys[] = {
    ROW_TEXT("name", MachineSolidParams, name, "what people are told of it"),
    ROW_TEXT("body", MachineSolidParams, carrier, "name of the body that carries it"),
    ROW_LIST("corners", MachineSolidParams, piece.corners, piece.corner_count, 3, TOOL_MAX_CORNERS,
             &machine_corner_item, "corners of its side view, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER("y_min", MachineSolidParams, piece.y_min, -10, 10, 1, "m: its right side, to the left of the middle"),
    ROW_NUMBER("y_max", MachineSolidParams, piece.y_max, -10, 10, 1, "m: its left side, to the left of the middle"),
    ROW_END,
};
const DataKey machine_solid_item = ROW_ITEM(MachineSolidParams, solid_keys);

/// Convex and counter-clockwise: every corner turns left by a real amount.
static bool check_polygon(Document *document, const char *path, const Corner *corners, int count, Status *status)
{
    const double least = 1e-9; // m2, twice the area of three corners in a line
    for (int i = 0; i < count; ++i) {
        const double *a = corners[(i + count - 1) % count], *b = corners[i], *c = corners[(i + 1) % count];
        double turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
        if (!(turn > least)) {
            char place[DOCUMENT_PATH_LENGTH];
            snprintf(place, sizeof place, "%s.%d", path, i);
            return document_fail_at(document, place, status,
                                    "the corner [%.4g, %.4g] does not turn left, allowed convex corners in "
                                    "counter-clockwise order (x to the right, z up)",
                                    b[0], b[1]);
        }
    }
    // Left turns alone also hold for a star that runs round twice: no corner may lie right of any side.
    for (int i = 0; i < count; ++i) {
        const double *a = corners[i], *b = corners[(i + 1) % count];
        for (int k = 0; k < count; ++k) {
            const double *p = corners[k];
            if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < -least) {
                char place[DOCUMENT_PATH_LENGTH];
                snprintf(place, sizeof place, "%s.%d", path, k);
                return document_fail_at(document, place, status,
                                        "the corner [%.4g, %.4g] makes the polygon cross itself", p[0], p[1]);
            }
        }
    }
    return true;
}

/// `name`: the path of the piece.
static bool check_piece(Document *document, const char *name, const ToolPiece *part, Status *status)
{
    if (!check_polygon(document, document_path("%s.corners", name).text, part->corners, part->corner_count, status)) {
        return false;
    }
    if (!(part->y_min < part->y_max)) {
        return document_fail_at(document, document_path("%s.y_max", name).text, status,
                                "read %.6g, allowed more than y_min (%.6g)", part->y_max, part->y_min);
    }
    return true;
}

bool machine_check_tool(Document *document, const char *name, const ToolShape *tool, Status *status)
{
    char path[DOCUMENT_PATH_LENGTH];
    for (int i = 0; i < tool->piece_count; ++i) {
        if (!check_piece(document, document_path("%s.pieces.%d", name, i).text, &tool->pieces[i], status)) {
            return false;
        }
    }
    snprintf(path, sizeof path, "%s.inside", name);
    return check_polygon(document, path, tool->inside, tool->inside_count, status);
}

static bool check_cylinder(Document *document, const char *name, const MachineCylinder *cylinder, bool needs_head,
                           Status *status)
{
    char path[DOCUMENT_PATH_LENGTH];
    if (!(cylinder->rod < cylinder->bore)) {
        snprintf(path, sizeof path, "%s.rod_mm", name);
        return document_fail_at(document, path, status, "read %.6g, allowed less than bore_mm (%.6g)",
                                cylinder->rod / UNIT_MM, cylinder->bore / UNIT_MM);
    }
    if (!(cylinder->closed > cylinder->stroke)) {
        snprintf(path, sizeof path, "%s.closed_mm", name);
        return document_fail_at(document, path, status, "read %.6g, allowed more than stroke_mm (%.6g)",
                                cylinder->closed / UNIT_MM, cylinder->stroke / UNIT_MM);
    }
    snprintf(path, sizeof path, "%s.head", name);
    if ((document_find(document, path) != NULL) != needs_head) {
        return document_fail_at(document, path, status,
                                needs_head ? "the key is missing" : "the linkage says where this rod ends");
    }
    return true;
}

static bool check_range(Document *document, const char *name, const double range[2], double start, int index,
                        Status *status)
{
    char path[DOCUMENT_PATH_LENGTH];
    snprintf(path, sizeof path, "%s", name);
    if (!(range[0] < range[1])) {
        return document_fail_at(document, path, status, "read %.6g to %.6g, allowed the lower angle first",
                                range[0] / UNIT_DEG, range[1] / UNIT_DEG);
    }
    snprintf(path, sizeof path, "start_pose_deg.%d", index);
    if (!(start >= range[0] && start <= range[1])) {
        return document_fail_at(document, path, status, "read %.6g, allowed %.6g to %.6g (%s)", start / UNIT_DEG,
                                range[0] / UNIT_DEG, range[1] / UNIT_DEG, name);
    }
    return true;
}

enum { KEY_LENGTH = 2 * MACHINE_NAME_SIZE }; ///< of a joint's keys

/// The joints that cylinders drive: ranges, the start pose within them, sizes, pins.
static bool check_joints(Document *document, const MachineParams *params, Status *status)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        char range[KEY_LENGTH], cylinder[KEY_LENGTH];
        if (joint->drive != MACHINE_DRIVE_CYLINDER) {
            continue;
        }
        snprintf(range, sizeof range, "%s_range_deg", joint->name);
        snprintf(cylinder, sizeof cylinder, "%s_cylinder", joint->name);
        if (!check_range(document, range, joint->range, params->start_pose[k], k, status) ||
            !check_cylinder(document, cylinder, &joint->cylinder, joint->linkage.rocker_length == 0.0, status)) {
            return false;
        }
        if (joint->cylinder.arrangement == MACHINE_OPPOSED && joint->cylinder.count != 2) {
            char count[KEY_LENGTH + 8];
            snprintf(count, sizeof count, "%s.count", cylinder);
            return document_fail_at(document, count, status, "read %d, allowed 2 when they are opposed",
                                    joint->cylinder.count);
        }
    }
    return true;
}

static bool check_solids(Document *document, const MachineParams *params, Status *status)
{
    for (int k = 0; k < params->solid_count; k++) {
        const MachineSolidParams *solid = &params->solid[k];
        if (solid->body < 0) {
            char known[MACHINE_MAX_BODIES * (MACHINE_NAME_SIZE + 2)] = "";
            for (int i = 0, n = 0; i < params->body_count; i++) {
                n += snprintf(known + n, sizeof known - (size_t)n, "%s%s", i > 0 ? ", " : "", params->body[i].name);
            }
            return document_fail_at(document, document_path("solids.%d.body", k).text, status,
                                    "read %s, allowed are %s", solid->carrier, known);
        }
        if (!check_piece(document, document_path("solids.%d", k).text, &solid->piece, status)) {
            return false;
        }
    }
    return true;
}

bool machine_check_common(Document *document, const MachineParams *params, Status *status)
{
    if (!check_masses(document, params, status) || !check_joints(document, params, status) ||
        !check_solids(document, params, status)) {
        return false;
    }
    if (!(params->engine.idle_speed < params->engine.rated_speed)) {
        return document_fail_at(document, "engine.idle_rpm", status, "read %.6g, allowed less than rated_rpm (%.6g)",
                                params->engine.idle_speed / UNIT_RPM, params->engine.rated_speed / UNIT_RPM);
    }
    if (!(params->tracks.contact_length <= params->tracks.length)) {
        return document_fail_at(document, "tracks.contact_length", status, "read %.6g, allowed up to length (%.6g)",
                                params->tracks.contact_length, params->tracks.length);
    }
    return true;
}

void machine_fill_tree(MachineParams *params, const char *base, const MachineRow *rows, int count)
{
    params->joint_count = count;
    params->body_count = count + 1;
    snprintf(params->body[MACHINE_BASE].name, MACHINE_NAME_SIZE, "%s", base);
    params->swing_joint = -1;
    for (int k = 0; k < count; k++) {
        MachineJointParams *joint = &params->joint[k];
        snprintf(params->body[k + 1].name, MACHINE_NAME_SIZE, "%s", rows[k].body);
        snprintf(joint->name, MACHINE_NAME_SIZE, "%s", rows[k].joint);
        snprintf(joint->column, MACHINE_NAME_SIZE, "%s", rows[k].column != NULL ? rows[k].column : rows[k].joint);
        joint->parent = rows[k].parent;
        joint->child = k + 1;
        joint->axis = rows[k].axis;
        joint->control = rows[k].control;
        joint->control_sign = rows[k].control_sign;
        joint->drive = rows[k].drive;
        joint->falls = rows[k].falls;
        if (joint->drive == MACHINE_DRIVE_SWING_MOTOR) {
            params->swing_joint = k;
        }
    }
    for (int k = 0; k < params->solid_count; k++) {
        params->solid[k].body = -1;
        for (int i = 0; i < params->body_count; i++) {
            params->solid[k].body =
                strcmp(params->solid[k].carrier, params->body[i].name) == 0 ? i : params->solid[k].body;
        }
    }
}

const KeyChoice machine_types[] = {
#define X(TYPE, type) {#type, MACHINE_##TYPE},
    MACHINE_TYPES(X)
#undef X
        {NULL, 0}};

static const DataSchema *const schemas[] = {
#define X(TYPE, type) [MACHINE_##TYPE] = &data_##type##_schema,
    MACHINE_TYPES(X)
#undef X
};

/// The table of the file's type; a type that does not exist is refused by any of them.
static const DataSchema *choose_schema(Document *document)
{
    const DocumentNode *type = document_child(document->root, "type");
    const KeyChoice *choice = machine_types;
    while (choice->name && (!type || strcmp(type->text, choice->name) != 0)) {
        choice++;
    }
    return schemas[choice->name ? choice->value : 0];
}

const DataSchema data_machine_schema = {.kind = "machine",
                                        .folder = "machines",
                                        .keys = machine_excavator_keys,
                                        .size = sizeof(MachineParams),
                                        .name_size = KEY_SIZE(MachineParams, name),
                                        .variant = choose_schema};
