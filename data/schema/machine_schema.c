#include "data/schema/machine_keys.h"
#include "data/core/units.h"

#include <stdio.h>
#include <string.h>

const DataKey machine_body_keys[] = {
    ROW_NUMBER("mass", MachineBodyParams, mass, 1, 1e6, 1),
    ROW_VECTOR("center", MachineBodyParams, center, -20, 20),
    ROW_VECTOR("inertia_size", MachineBodyParams, inertia_size, 0.01, 20),
    ROW_END,
};

typedef struct Bodies {
    MachineBodyParams body[MACHINE_BODY_COUNT];
} Bodies;
static const DataKey bodies_keys[] = {
    ROW_MAPPING("undercarriage", Bodies, body[MACHINE_UNDERCARRIAGE], machine_body_keys),
    ROW_MAPPING("house", Bodies, body[MACHINE_HOUSE], machine_body_keys),
    ROW_MAPPING("boom", Bodies, body[MACHINE_BOOM], machine_body_keys),
    ROW_MAPPING("stick", Bodies, body[MACHINE_STICK], machine_body_keys),
    ROW_MAPPING("bucket", Bodies, body[MACHINE_BUCKET], machine_body_keys),
    ROW_END,
};

static const DataKey cylinder_keys[] = {MACHINE_CYLINDER_ROWS, ROW_END};

static const DataKey linkage_keys[] = {
    ROW_POINT("rocker_pivot", MachineLinkage, rocker_pivot),
    ROW_NUMBER("rocker_length", MachineLinkage, rocker_length, 0.05, 3, 1),
    ROW_NUMBER("link_length", MachineLinkage, link_length, 0.05, 3, 1),
    ROW_POINT("link_pin", MachineLinkage, link_pin),
    ROW_END,
};

static const DataKey tracks_keys[] = {
    MACHINE_TRACK_ROWS,
    ROW_NUMBER("max_speed_kmh", MachineTracks, max_speed, 0.1, 30, UNIT_KMH),
    ROW_NUMBER("drawbar_kn", MachineTracks, drawbar, 1, 5000, UNIT_KN),
    ROW_NUMBER("relief_mpa", MachineTracks, relief, 1, 100, UNIT_MPA),
    ROW_END,
};

static const DataKey swing_keys[] = {
    ROW_NUMBER("max_speed_rpm", MachineSwing, max_speed, 0.5, 30, UNIT_RPM),
    ROW_NUMBER("torque_knm", MachineSwing, torque, 0.1, 5000, UNIT_KNM),
    ROW_NUMBER("brake_torque_knm", MachineSwing, brake_torque, 0.1, 5000, UNIT_KNM),
    ROW_NUMBER("relief_mpa", MachineSwing, relief, 1, 100, UNIT_MPA),
    ROW_END,
};

const DataKey machine_engine_keys[] = {
    ROW_NUMBER("power_kw", MachineEngine, power, 5, 3000, UNIT_KW),
    ROW_NUMBER("idle_rpm", MachineEngine, idle_speed, 300, 3000, UNIT_RPM),
    ROW_NUMBER("rated_rpm", MachineEngine, rated_speed, 500, 4000, UNIT_RPM),
    ROW_NUMBER("inertia", MachineEngine, inertia, 0.05, 200, 1),
    ROW_NUMBER("fuel_g_per_kwh", MachineEngine, fuel_rate, 100, 600, UNIT_G_PER_KWH),
    ROW_NUMBER("idle_fuel_kg_per_h", MachineEngine, idle_fuel, 0, 100, UNIT_KG_PER_H),
    ROW_NUMBER("tank", MachineEngine, tank, 0, 10000, 1),
    ROW_END,
};

const DataKey machine_hydraulics_keys[] = {
    ROW_NUMBER("pump_flow_lpm", MachineHydraulics, pump_flow, 5, 3000, UNIT_LPM),
    ROW_INTEGER("pump_count", MachineHydraulics, pump_count, 1, 3),
    ROW_NUMBER("efficiency", MachineHydraulics, efficiency, 0.3, 1, 1),
    ROW_NUMBER("dead_band", MachineHydraulics, dead_band, 0, 0.3, 1),
    ROW_NUMBER("spool_time", MachineHydraulics, spool_time, 0.01, 1, 1),
    ROW_NUMBER("cushion_mm", MachineHydraulics, cushion, 0, 500, UNIT_MM),
    ROW_NUMBER("lowering_ratio", MachineHydraulics, lowering_ratio, 1, 3, 1),
    ROW_END,
};

const DataKey machine_cab_keys[] = {
    ROW_VECTOR("eye", MachineCab, eye, -10, 10),
    ROW_VECTOR("size", MachineCab, size, 0.1, 10),
    ROW_VECTOR("corner", MachineCab, corner, -10, 10),
    ROW_END,
};

typedef double Corner[2];
static const DataKey corner = {.key = "corner",
                               .type = KEY_TUPLE,
                               .size = sizeof(double),
                               .min = -20,
                               .max = 20,
                               .unit = 1,
                               .count_min = 2,
                               .count_max = 2};

static const DataKey piece_keys[] = {
    ROW_LIST("corners", ToolPiece, corners, corner_count, 3, TOOL_MAX_CORNERS, &corner),
    ROW_NUMBER("y_min", ToolPiece, y_min, -10, 10, 1),
    ROW_NUMBER("y_max", ToolPiece, y_max, -10, 10, 1),
    ROW_END,
};
static const DataKey piece = {.key = "piece", .type = KEY_MAPPING, .size = sizeof(ToolPiece), .inside = piece_keys};

const DataKey machine_tool_keys[] = {
    ROW_LIST("pieces", ToolShape, pieces, piece_count, 1, TOOL_MAX_PIECES, &piece),
    ROW_TUPLE("edge", ToolShape, edge, double, 2, -20, 20, 1),
    ROW_NUMBER("edge_width", ToolShape, edge_width, 0.1, 10, 1),
    ROW_LIST("inside", ToolShape, inside, inside_count, 3, TOOL_MAX_OPENING, &corner),
    ROW_NUMBER("inside_width", ToolShape, inside_width, 0.1, 10, 1),
    ROW_END,
};

const KeyChoice machine_types[] = {{"excavator", MACHINE_EXCAVATOR}, {"dozer", MACHINE_DOZER}, {NULL, 0}};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types),
    ROW_TEXT("title", MachineParams, title),
    ROW_NUMBER("swing_height", MachineParams, swing_height, 0.2, 5, 1),
    ROW_POINT("boom_foot", MachineParams, boom_foot),
    ROW_NUMBER("boom_length", MachineParams, boom_length, 0.5, 20, 1),
    ROW_NUMBER("stick_length", MachineParams, stick_length, 0.3, 15, 1),
    ROW_NUMBER("tip_radius", MachineParams, tip_radius, 0.2, 5, 1),
    ROW_TUPLE("boom_range_deg", MachineParams, boom_range, double, 2, -90, 120, UNIT_DEG),
    ROW_TUPLE("stick_range_deg", MachineParams, stick_range, double, 2, -180, 60, UNIT_DEG),
    ROW_TUPLE("bucket_range_deg", MachineParams, bucket_range, double, 2, -180, 90, UNIT_DEG),
    ROW_TUPLE("start_pose_deg", MachineParams, start_pose, double, 4, -180, 180, UNIT_DEG),
    ROW_NUMBER("tail_radius", MachineParams, tail_radius, 0.3, 10, 1),
    ROW_NUMBER("upper_width", MachineParams, upper_width, 0.3, 10, 1),
    ROW_NUMBER("clearance", MachineParams, clearance, 0.05, 3, 1),
    ROW_MAPPING("bodies", MachineParams, body, bodies_keys),
    ROW_MAPPING("boom_cylinder", MachineParams, boom_cylinder, cylinder_keys),
    ROW_MAPPING("stick_cylinder", MachineParams, stick_cylinder, cylinder_keys),
    ROW_MAPPING("bucket_cylinder", MachineParams, bucket_cylinder, cylinder_keys),
    ROW_MAPPING("linkage", MachineParams, linkage, linkage_keys),
    ROW_MAPPING("tracks", MachineParams, tracks, tracks_keys),
    ROW_MAPPING("swing", MachineParams, swing, swing_keys),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys),
    ROW_MAPPING("cab", MachineParams, cab, machine_cab_keys),
    ROW_NUMBER("bucket_capacity", MachineParams, bucket_capacity, 0.01, 50, 1),
    ROW_MAPPING("tool", MachineParams, tool, machine_tool_keys),
    ROW_END,
};

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

bool machine_check_tool(Document *document, const char *name, const ToolShape *tool, Status *status)
{
    char path[DOCUMENT_PATH_LENGTH];
    for (int i = 0; i < tool->piece_count; ++i) {
        const ToolPiece *part = &tool->pieces[i];
        snprintf(path, sizeof path, "%s.pieces.%d.corners", name, i);
        if (!check_polygon(document, path, part->corners, part->corner_count, status)) {
            return false;
        }
        if (!(part->y_min < part->y_max)) {
            snprintf(path, sizeof path, "%s.pieces.%d.y_max", name, i);
            return document_fail_at(document, path, status, "read %.6g, allowed more than y_min (%.6g)", part->y_max,
                                    part->y_min);
        }
    }
    snprintf(path, sizeof path, "%s.inside", name);
    return check_polygon(document, path, tool->inside, tool->inside_count, status);
}

bool machine_check_cylinder(Document *document, const char *name, const MachineCylinder *cylinder, bool needs_head,
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

bool machine_check_joint(Document *document, const char *name, const double range[2], double start, int index,
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

bool machine_check_common(Document *document, const MachineParams *params, Status *status)
{
    if (!(params->engine.idle_speed < params->engine.rated_speed)) {
        return document_fail_at(document, "engine.idle_rpm", status, "read %.6g, allowed less than rated_rpm (%.6g)",
                                params->engine.idle_speed / UNIT_RPM, params->engine.rated_speed / UNIT_RPM);
    }
    if (!(params->tracks.contact_length <= params->tracks.length)) {
        return document_fail_at(document, "tracks.contact_length", status, "read %.6g, allowed up to length (%.6g)",
                                params->tracks.contact_length, params->tracks.length);
    }
    return machine_check_tool(document, "tool", &params->tool, status);
}

static bool check_machine(Document *document, const void *data, Status *status)
{
    const MachineParams *params = data;
    if (!machine_check_joint(document, "boom_range_deg", params->boom_range, params->start_pose[1], 1, status) ||
        !machine_check_joint(document, "stick_range_deg", params->stick_range, params->start_pose[2], 2, status) ||
        !machine_check_joint(document, "bucket_range_deg", params->bucket_range, params->start_pose[3], 3, status) ||
        !machine_check_cylinder(document, "boom_cylinder", &params->boom_cylinder, true, status) ||
        !machine_check_cylinder(document, "stick_cylinder", &params->stick_cylinder, true, status) ||
        !machine_check_cylinder(document, "bucket_cylinder", &params->bucket_cylinder, false, status)) {
        return false;
    }
    return machine_check_common(document, params, status);
}

static const DataSchema *choose_schema(Document *document)
{
    const DocumentNode *type = document_child(document->root, "type");
    return type && strcmp(type->text, "dozer") == 0 ? &data_dozer_schema : &data_machine_schema;
}

const DataSchema data_machine_schema = {.kind = "machine",
                                        .folder = "machines",
                                        .keys = keys,
                                        .size = sizeof(MachineParams),
                                        .name_size = KEY_SIZE(MachineParams, name),
                                        .check = check_machine,
                                        .variant = choose_schema};
