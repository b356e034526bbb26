/// What the machine files of every type share: the tables of bodies, engine, hydraulics, cab and tools, the rules
/// between keys, and which table a file is read with. A type's own keys, and how they fill the tables of MachineParams,
/// stand in excavator_schema.c and dozer_schema.c.
#include "data/schema/machine_keys.h"

#include "data/core/units.h"

#include <stdio.h>
#include <string.h>

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
    if (!machine_check_masses(document, params, status) || !check_joints(document, params, status) ||
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
