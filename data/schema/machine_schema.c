/// Machine files: the keys and rules that every type shares, those of excavators and dozers with the tables of
/// MachineParams that they fill, and trucks.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/schema/machine_keys.h"
#include "data/schema/machine_params.h"
#include "data/schema/schemas.h"
#include "data/schema/truck_params.h"

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
    double mass = machine_total_mass(params), shoes = 2.0 * params->tracks.contact_length * params->tracks.shoe_width;
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

/// ---- keys of every type --------------------------------------------------------------------------------------------

#define MACHINE_TRACK_ROWS                                                                                             \
    ROW_NUMBER("gauge", MachineTracks, gauge, 0.5, 8, 1, "m: between the middle lines of the tracks"),                 \
        ROW_NUMBER("contact_length", MachineTracks, contact_length, 0.5, 12, 1,                                        \
                   "m: between the first and the last roller"),                                                        \
        ROW_NUMBER("length", MachineTracks, length, 0.5, 15, 1, "m: over all"),                                        \
        ROW_NUMBER("shoe_width", MachineTracks, shoe_width, 0.1, 2, 1, "m: of the track's shoes"),                     \
        ROW_NUMBER("height", MachineTracks, height, 0.2, 3, 1, "m: of the track over the ground"),                     \
        ROW_INTEGER("patches", MachineTracks, patches, 3, 16, "contact patches of a track, on each side"),             \
        ROW_NUMBER("stiffness", MachineTracks, stiffness, 1e4, 5e7, 1,                                                 \
                   "Pa/m: pressure for each metre by which undercarriage and ground that was pressed before give"),    \
        ROW_NUMBER_OR("ground_stiffness", MachineTracks, ground_stiffness, 1e4, 5e8, 1, 0,                             \
                      "Pa/m: of that ground alone; left out: the undercarriage is rigid"),                             \
        ROW_NUMBER("damping_ratio", MachineTracks, damping_ratio, 0, 2, 1,                                             \
                   "ratio: of the machine's heave on its tracks to critical damping"),                                 \
        ROW_NUMBER("friction", MachineTracks, friction, 0, 2, 1,                                                       \
                   "ratio: of the grip of the shoes to the soil's shear strength"),                                    \
        ROW_NUMBER("side_friction", MachineTracks, side_friction, 0.05, 2, 1,                                          \
                   "ratio: of the resistance against sliding sideways to the load"),                                   \
        ROW_NUMBER("shear_modulus_length", MachineTracks, shear_modulus_length, 0.005, 0.2, 1,                         \
                   "m: slip in which the grip builds up (K of Janosi and Hanamoto)"),                                  \
        ROW_NUMBER("rolling_resistance", MachineTracks, rolling_resistance, 0, 0.5, 1,                                 \
                   "share: of the weight that resists rolling")

const DataKey machine_body_keys[] = {
    ROW_NUMBER("mass", MachineBodyParams, mass, 1, 1e6, 1, "kg: of the body with everything mounted on it"),
    ROW_VECTOR("center", MachineBodyParams, center, -20, 20,
               "m: centre of mass, ahead, left and up in the body's frame"),
    ROW_VECTOR("inertia_size", MachineBodyParams, inertia_size, 0.01, 20,
               "m: length, width and height of a box with the same inertia"),
    ROW_END,
};

static const DataKey machine_engine_keys[] = {
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

static const DataKey machine_switches_keys[] = {
    ROW_NUMBER_OR("low_travel", MachineSwitches, low_travel, 0.1, 1, 1, 0.6,
                  "share: of the full travel speed in the low range"),
    ROW_NUMBER_OR("eco_rpm", MachineSwitches, eco_speed, 400, 4000, UNIT_RPM, 0,
                  "rpm: most engine speed in economy mode; left out: nine tenths of rated_rpm"),
    ROW_NUMBER_OR("auto_idle_rpm", MachineSwitches, auto_idle_speed, 300, 3000, UNIT_RPM, 0,
                  "rpm: engine speed with auto-idle; left out: idle_rpm"),
    ROW_NUMBER_OR("auto_idle_s", MachineSwitches, auto_idle_time, 1, 60, 1, 4,
                  "s: that all levers are neutral before auto-idle lowers the engine speed"),
    ROW_NUMBER_OR("crank_s", MachineSwitches, crank_time, 0.2, 10, 1, 1.2,
                  "s: that the starter turns before the engine runs"),
    ROW_NUMBER_OR("oil_l", MachineSwitches, oil_volume, 10, 2000, UNIT_LITRE, 240, "l: hydraulic oil in the system"),
    ROW_NUMBER_OR("oil_warm_c", MachineSwitches, oil_warm, 0, 60, 1, 25, "degC: oil that is colder is sluggish"),
    ROW_END,
};

/// The row of both types of machine.
#define MACHINE_SWITCHES_ROW                                                                                           \
    ROW_MAPPING_OPTIONAL("switches", MachineParams, switches, machine_switches_keys,                                   \
                         "what the switches of the cab do, and the oil to be warmed up")

static const DataKey machine_hydraulics_keys[] = {
    ROW_NUMBER("pump_flow_lpm", MachineHydraulics, pump_flow, 5, 3000, UNIT_LPM, "l/min: of one pump at full throttle"),
    ROW_INTEGER("pump_count", MachineHydraulics, pump_count, 1, 3, "equal pumps"),
    ROW_NUMBER("efficiency", MachineHydraulics, efficiency, 0.3, 1, 1,
               "share: of the engine's power that reaches the oil"),
    ROW_NUMBER("dead_band", MachineHydraulics, dead_band, 0, 0.3, 1,
               "share: of a lever's travel in which nothing moves"),
    ROW_NUMBER("spool_time", MachineHydraulics, spool_time, 0.01, 1, 1, "s: lag of a valve behind its lever"),
    ROW_NUMBER("cushion_mm", MachineHydraulics, cushion, 0, 500, UNIT_MM,
               "mm: end of a cylinder's stroke in which it is slowed down"),
    ROW_NUMBER("lowering_ratio", MachineHydraulics, lowering_ratio, 1, 3, 1,
               "ratio: of the speed that a function falls with to what the pumps alone give"),
    ROW_END,
};

static const DataKey machine_cab_keys[] = {
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

static const DataKey machine_tool_keys[] = {
    MACHINE_TOOL_ROWS,
    ROW_LIST("inside", ToolShape, inside, inside_count, 3, TOOL_MAX_OPENING, &machine_corner_item,
             "corners of what it holds, from the side, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER("inside_width", ToolShape, inside_width, 0.1, 10, 1, "m: between its side plates"),
    ROW_END,
};

static const DataKey solid_keys[] = {
    ROW_TEXT("name", MachineSolidParams, name, "name that is shown to people"),
    ROW_TEXT("body", MachineSolidParams, carrier, "name of the body that carries it"),
    ROW_LIST("corners", MachineSolidParams, piece.corners, piece.corner_count, 3, TOOL_MAX_CORNERS,
             &machine_corner_item, "corners of its side view, counter-clockwise; each m ahead and m up"),
    ROW_NUMBER("y_min", MachineSolidParams, piece.y_min, -10, 10, 1, "m: its right side, to the left of the middle"),
    ROW_NUMBER("y_max", MachineSolidParams, piece.y_max, -10, 10, 1, "m: its left side, to the left of the middle"),
    ROW_END,
};
static const DataKey machine_solid_item = ROW_ITEM(MachineSolidParams, solid_keys);

#define MACHINE_SOLIDS_ROW                                                                                             \
    ROW_LIST_OPTIONAL("solids", MachineParams, solid, solid_count, 0, MACHINE_MAX_SOLIDS, &machine_solid_item,         \
                      "convex pieces of steel that touch things, beside tools, tracks and cab")

static const KeyChoice machine_types[] = {
#define X(TYPE, type) {#type, MACHINE_##TYPE},
    MACHINE_TYPES(X)
#undef X
        {NULL, 0}};

/// ---- rules of every type -------------------------------------------------------------------------------------------

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

bool machine_check_piece(Document *document, const char *name, const ToolPiece *part, Status *status)
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
        if (!machine_check_piece(document, document_path("%s.pieces.%d", name, i).text, &tool->pieces[i], status)) {
            return false;
        }
    }
    snprintf(path, sizeof path, "%s.inside", name);
    return check_polygon(document, path, tool->inside, tool->inside_count, status);
}

bool machine_check_rising(Document *document, const char *path, const double values[2], double unit, Status *status)
{
    return document_find(document, path) == NULL || values[0] < values[1] ||
           document_fail_at(document, path, status, "read %.6g to %.6g, allowed the lower one first", values[0] / unit,
                            values[1] / unit);
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
            !machine_check_cylinder(document, cylinder, &joint->cylinder, joint->linkage.rocker_length == 0.0,
                                    status)) {
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
        if (!machine_check_piece(document, document_path("solids.%d", k).text, &solid->piece, status)) {
            return false;
        }
    }
    return true;
}

/// The switches of the cab leave the engine a speed that it can hold.
static bool check_switches(Document *document, const MachineParams *params, Status *status)
{
    const MachineEngine *engine = &params->engine;
    const struct {
        const char *key;
        double speed;
    } rows[] = {{"switches.eco_rpm", params->switches.eco_speed},
                {"switches.auto_idle_rpm", params->switches.auto_idle_speed}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        bool within = rows[k].speed >= engine->idle_speed && rows[k].speed <= engine->rated_speed;
        if (rows[k].speed > 0.0 && !within) {
            return document_fail_at(document, rows[k].key, status,
                                    "read %.6g, allowed from engine.idle_rpm to engine.rated_rpm (%.6g to %.6g)",
                                    rows[k].speed / UNIT_RPM, engine->idle_speed / UNIT_RPM,
                                    engine->rated_speed / UNIT_RPM);
        }
    }
    return true;
}

/// What holds for every type: joints and their cylinders, engine, tracks, solids.
static bool machine_check_common(Document *document, const MachineParams *params, Status *status)
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
    if (!(params->tracks.ground_stiffness >= params->tracks.stiffness)) {
        return document_fail_at(document, "tracks.ground_stiffness", status,
                                "read %.6g, allowed from stiffness (%.6g) on", params->tracks.ground_stiffness,
                                params->tracks.stiffness);
    }
    return check_switches(document, params, status);
}

/// A body and the joint it hangs on (MachineJointParams): what a type says and no file does.
typedef struct MachineRow {
    const char *body;
    int parent;
    const char *joint;
    MachineAxis axis;
    ControlAxis control;
    int control_sign;
    MachineDrive drive;
    int falls;
    const char *column; ///< NULL: as `joint`
} MachineRow;

/// Writes the names, parents and drives of `count` joints and of the bodies on them, after `base`; finds swing_joint
/// and the bodies of the solids, and fills in the stiffness of the ground.
static void machine_fill_tree(MachineParams *params, const char *base, const MachineRow *rows, int count)
{
    params->joint_count = count;
    params->body_count = count + 1;
    MachineTracks *tracks = &params->tracks;
    tracks->ground_stiffness = tracks->ground_stiffness > 0.0 ? tracks->ground_stiffness : tracks->stiffness;
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

/// ---- excavators ----------------------------------------------------------------------------------------------------

typedef struct ExcavatorBodies {
    MachineBodyParams body[EXCAVATOR_BODY_COUNT];
} ExcavatorBodies;
static const DataKey excavator_bodies_keys[] = {
    ROW_MAPPING("undercarriage", ExcavatorBodies, body[EXCAVATOR_UNDERCARRIAGE], machine_body_keys,
                "frame with the tracks"),
    ROW_MAPPING("house", ExcavatorBodies, body[EXCAVATOR_HOUSE], machine_body_keys,
                "what swings: engine, counterweight, cab"),
    ROW_MAPPING("boom", ExcavatorBodies, body[EXCAVATOR_BOOM], machine_body_keys, "from the house to the stick"),
    ROW_MAPPING("stick", ExcavatorBodies, body[EXCAVATOR_STICK], machine_body_keys, "from the boom to the bucket"),
    ROW_MAPPING("bucket", ExcavatorBodies, body[EXCAVATOR_BUCKET], machine_body_keys, "from its pin to its edge"),
    ROW_END,
};

static const DataKey excavator_cylinder_keys[] = {
    MACHINE_CYLINDER_ROWS,
    MACHINE_OIL_ROWS,
    ROW_END,
};

static const DataKey linkage_keys[] = {
    ROW_POINT("rocker_pivot", MachineLinkage, rocker_pivot, "m: pin of the rocker, along and above the stick"),
    ROW_NUMBER("rocker_length", MachineLinkage, rocker_length, 0.05, 3, 1, "m: from that pin to the rod's pin"),
    ROW_NUMBER("link_length", MachineLinkage, link_length, 0.05, 3, 1, "m: from the rod's pin to the bucket's"),
    ROW_POINT("link_pin", MachineLinkage, link_pin,
              "m: pin of the link on the bucket, along and above its line from pin to edge"),
    ROW_END,
};

static const DataKey excavator_tracks_keys[] = {
    MACHINE_TRACK_ROWS,
    ROW_NUMBER("max_speed_kmh", MachineTracks, max_speed, 0.1, 30, UNIT_KMH, "km/h: on level ground"),
    ROW_NUMBER("drawbar_kn", MachineTracks, drawbar, 1, 5000, UNIT_KN, "kN: most pull of both tracks on level ground"),
    ROW_NUMBER("relief_mpa", MachineTracks, relief, 1, 100, UNIT_MPA,
               "MPa: relief pressure of the travel motors, for the gauges"),
    ROW_NUMBER_OR("start_time", MachineTracks, start_time, 0.05, 5, 1, 0.9,
                  "s: in which the travel valves open fully at the fastest"),
    ROW_NUMBER_OR("flow_time", MachineTracks, flow_time, 0.01, 2, 1, 0.15,
                  "s: lag of the pumps' flow behind opening travel valves"),
    ROW_NUMBER_OR("stop_time", MachineTracks, stop_time, 0.05, 5, 1, 0.9,
                  "s: in which the counterbalance valves close from full speed"),
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

static const DataKey excavator_keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types,
                        "type of machine, which decides what keys there are"),
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
    ROW_MAPPING("bodies", MachineParams, body, excavator_bodies_keys, "mass and inertia of each body"),
    ROW_MAPPING("boom_cylinder", MachineParams, joint[EXCAVATOR_JOINT_BOOM].cylinder, excavator_cylinder_keys,
                "what lifts the boom"),
    ROW_MAPPING("stick_cylinder", MachineParams, joint[EXCAVATOR_JOINT_STICK].cylinder, excavator_cylinder_keys,
                "what moves the stick"),
    ROW_MAPPING("bucket_cylinder", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].cylinder, excavator_cylinder_keys,
                "what turns the bucket by the linkage"),
    ROW_MAPPING("linkage", MachineParams, joint[EXCAVATOR_JOINT_BUCKET].linkage, linkage_keys,
                "rocker and link between the rod and the bucket"),
    ROW_MAPPING("tracks", MachineParams, tracks, excavator_tracks_keys, "what it stands and drives on"),
    ROW_MAPPING("swing", MachineParams, swing, swing_keys, "what turns the house"),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys, "what drives the pumps"),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys, "pumps and valves"),
    MACHINE_SWITCHES_ROW,
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
static const MachineRow excavator_rows[EXCAVATOR_JOINT_COUNT] = {
    {"house", EXCAVATOR_UNDERCARRIAGE, "swing", MACHINE_YAW, CONTROL_SWING, 1, MACHINE_DRIVE_SWING_MOTOR, 0, NULL},
    {"boom", EXCAVATOR_HOUSE, "boom", MACHINE_PITCH, CONTROL_BOOM, 1, MACHINE_DRIVE_CYLINDER, -1, NULL},
    {"stick", EXCAVATOR_BOOM, "stick", MACHINE_PITCH, CONTROL_STICK, -1, MACHINE_DRIVE_CYLINDER, 0, NULL},
    {"bucket", EXCAVATOR_STICK, "bucket", MACHINE_PITCH, CONTROL_BUCKET, -1, MACHINE_DRIVE_CYLINDER, 0, NULL}};

static void excavator_derive(void *data)
{
    MachineParams *params = data;
    machine_fill_tree(params, "undercarriage", excavator_rows, EXCAVATOR_JOINT_COUNT);
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

static bool excavator_check(Document *document, const void *data, Status *status)
{
    const MachineParams *params = data;
    return machine_check_common(document, params, status) &&
           machine_check_tool(document, "tool", &params->tool[0].shape, status);
}

const DataSchema data_excavator_schema = {.kind = "machine",
                                          .folder = "machines",
                                          .keys = excavator_keys,
                                          .size = sizeof(MachineParams),
                                          .name_size = KEY_SIZE(MachineParams, name),
                                          .derive = excavator_derive,
                                          .check = excavator_check};

/// ---- dozers --------------------------------------------------------------------------------------------------------

typedef struct DozerBodies {
    MachineBodyParams body[DOZER_BODY_COUNT];
} DozerBodies;
static const DataKey dozer_bodies_keys[] = {
    ROW_MAPPING("chassis", DozerBodies, body[DOZER_CHASSIS], machine_body_keys, "frame with tracks, engine and cab"),
    ROW_MAPPING("ripper", DozerBodies, body[DOZER_RIPPER], machine_body_keys, "shank and what carries it"),
    ROW_MAPPING("frame", DozerBodies, body[DOZER_FRAME], machine_body_keys,
                "push frame from the trunnions to the blade"),
    ROW_MAPPING("yoke", DozerBodies, body[DOZER_YOKE], machine_body_keys, "what turns to angle the blade"),
    ROW_MAPPING("blade", DozerBodies, body[DOZER_BLADE], machine_body_keys, "mouldboard with its edge"),
    ROW_END,
};

static const KeyChoice arrangements[] = {
    {"side-by-side", MACHINE_SIDE_BY_SIDE}, {"opposed", MACHINE_OPPOSED}, {NULL, 0}};
static const DataKey dozer_cylinder_keys[] = {
    MACHINE_CYLINDER_ROWS,
    ROW_CHOICE_OPTIONAL("arrangement", MachineCylinder, arrangement, arrangements,
                        "how equal cylinders work together: beside each other, or one pushes while the other pulls"),
    ROW_END,
};
static const DataKey dozer_tracks_keys[] = {MACHINE_TRACK_ROWS, ROW_END};

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
    ROW_NUMBER_OR("speeding_up", MachinePowertrain, speeding_up, 0.1, 10, 1, 1.5,
                  "m/s2: with which the clutches bring the tracks up to speed at the most"),
    ROW_NUMBER_OR("braking", MachinePowertrain, braking, 0.1, 10, 1, 3,
                  "m/s2: with which the brakes slow the tracks down at the most"),
    ROW_END,
};

#define ROW_RANGE(name, one, about)                                                                                    \
    ROW_TUPLE(name, MachineParams, joint[one].range, double, 2, -60, 60, UNIT_DEG, about)

static const DataKey dozer_keys[] = {
    ROW_KIND(),
    ROW_CHOICE_OPTIONAL("type", MachineParams, type, machine_types,
                        "type of machine, which decides what keys there are"),
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
    ROW_MAPPING("bodies", MachineParams, body, dozer_bodies_keys, "mass and inertia of each body"),
    ROW_MAPPING("ripper_cylinder", MachineParams, joint[DOZER_JOINT_RIPPER].cylinder, dozer_cylinder_keys,
                "what moves the ripper"),
    ROW_MAPPING("lift_cylinder", MachineParams, joint[DOZER_JOINT_LIFT].cylinder, dozer_cylinder_keys,
                "what lifts the blade"),
    ROW_NUMBER_OR("lift_float_mpa", MachineParams, joint[DOZER_JOINT_LIFT].float_pressure, 0, 5, UNIT_MPA, 0.3,
                  "MPa: that resists the lift cylinders while the blade floats; 0: it cannot float"),
    ROW_MAPPING("angle_cylinder", MachineParams, joint[DOZER_JOINT_ANGLE].cylinder, dozer_cylinder_keys,
                "what angles the blade"),
    ROW_MAPPING("tilt_cylinder", MachineParams, joint[DOZER_JOINT_TILT].cylinder, dozer_cylinder_keys,
                "what tilts the blade"),
    ROW_NUMBER("lift_spacing", MachineParams, joint[DOZER_JOINT_LIFT].cylinder.spacing, 0.1, 5, 1,
               "m: between the two lift cylinders, for drawing"),
    ROW_MAPPING("tracks", MachineParams, tracks, dozer_tracks_keys, "what it stands and drives on"),
    ROW_MAPPING("engine", MachineParams, engine, machine_engine_keys, "what drives tracks and pumps"),
    ROW_MAPPING("powertrain", MachineParams, powertrain, powertrain_keys, "from the engine to the tracks"),
    ROW_MAPPING("hydraulics", MachineParams, hydraulics, machine_hydraulics_keys, "pumps and valves"),
    MACHINE_SWITCHES_ROW,
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

/// The torque falls evenly from the stall ratio s to 1 at the speed ratio c, so that what comes out of what goes in is
/// the efficiency e times n (s - (s - 1) n / c): at most e s^2 c / (4 (s - 1)), from s = 2 on. That is 1 where s is the
/// larger root of e c s^2 - 4 s + 4 = 0.
static bool check_converter(Document *document, const MachinePowertrain *train, Status *status)
{
    double passed = train->efficiency * train->coupling_ratio;
    double most = (2.0 + 2.0 * sqrt(1.0 - passed)) / passed; // both are at most 1
    if (train->stall_ratio <= most) {
        return true;
    }
    return document_fail_at(
        document, "powertrain.stall_ratio", status,
        "read %.6g, allowed up to %.4g with this coupling_ratio and efficiency: the converter would "
        "give more power than it takes",
        train->stall_ratio, most);
}

static bool check_powertrain(Document *document, const MachineParams *params, Status *status)
{
    const MachinePowertrain *train = &params->powertrain;
    if (!check_gears(document, "powertrain.forward_kmh", train->forward, status) ||
        !check_gears(document, "powertrain.reverse_kmh", train->reverse, status) ||
        !check_converter(document, train, status)) {
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

static bool dozer_check(Document *document, const void *data, Status *status)
{
    const MachineParams *params = data;
    return machine_check_common(document, params, status) &&
           machine_check_tool(document, "tool", &params->tool[DOZER_TOOL_BLADE].shape, status) &&
           check_powertrain(document, params, status) &&
           machine_check_tool(document, "ripper_tool", &params->tool[DOZER_TOOL_RIPPER].shape, status) &&
           check_blade(document, params, status);
}

/// Levers go as the angles. A blade that is let down pulls its cylinders out.
static const MachineRow dozer_rows[DOZER_JOINT_COUNT] = {
    {"ripper", DOZER_CHASSIS, "ripper", MACHINE_PITCH, CONTROL_RIPPER, 1, MACHINE_DRIVE_CYLINDER, 0, NULL},
    {"frame", DOZER_CHASSIS, "lift", MACHINE_PITCH, CONTROL_BLADE, 1, MACHINE_DRIVE_CYLINDER, 1, "blade_lift"},
    {"yoke", DOZER_FRAME, "angle", MACHINE_YAW, CONTROL_BLADE_ANGLE, 1, MACHINE_DRIVE_CYLINDER, 0, "blade_angle"},
    {"blade", DOZER_YOKE, "tilt", MACHINE_ROLL, CONTROL_BLADE_TILT, 1, MACHINE_DRIVE_CYLINDER, 0, "blade_tilt"}};

static void dozer_derive(void *data)
{
    static const int bodies[DOZER_TOOL_COUNT] = {DOZER_BLADE, DOZER_RIPPER};
    MachineParams *params = data;
    machine_fill_tree(params, "chassis", dozer_rows, DOZER_JOINT_COUNT);
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
                                      .keys = dozer_keys,
                                      .size = sizeof(MachineParams),
                                      .name_size = KEY_SIZE(MachineParams, name),
                                      .derive = dozer_derive,
                                      .check = dozer_check};

/// ---- which table a file is read with -------------------------------------------------------------------------------

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
                                        .keys = excavator_keys,
                                        .size = sizeof(MachineParams),
                                        .name_size = KEY_SIZE(MachineParams, name),
                                        .variant = choose_schema};

/// ---- trucks --------------------------------------------------------------------------------------------------------

/// What a truck's measures, masses and speeds say must fit together.

static const DataKey truck_bed_keys[] = {
    ROW_NUMBER("length", TruckBed, length, 2, 10, 1, "m: of its floor"),
    ROW_NUMBER("width", TruckBed, width, 1.5, 5, 1, "m: between its side walls"),
    ROW_NUMBER("height", TruckBed, height, 0.3, 3, 1, "m: of the side walls over the floor"),
    ROW_NUMBER("tail_height", TruckBed, tail_height, 0.1, 3, 1, "m: of the tail over the floor"),
    ROW_NUMBER("floor_height", TruckBed, floor_height, 0.5, 3, 1, "m: of the floor over the ground"),
    ROW_NUMBER("capacity", TruckBed, capacity, 0.5, 200, 1, "m3: heaped"),
    ROW_END,
};

static const DataKey truck_chassis_keys[] = {
    ROW_NUMBER("front_share", TruckChassis, front_share, 0.2, 0.8, 1,
               "share: of the empty truck's mass on the front axle"),
    ROW_NUMBER("center_height", TruckChassis, center_height, 0.3, 4, 1,
               "m: of the empty truck's centre of mass over the ground"),
    ROW_TUPLE("inertia_size", TruckChassis, inertia_size, double, 3, 0.5, 20, 1,
              "m: length, width and height of a box with the same inertia"),
    ROW_NUMBER("gauge", TruckChassis, gauge, 0.8, 5, 1, "m: between the middles of left and right tyres"),
    ROW_NUMBER("front_stiffness", TruckChassis, front_stiffness, 1e4, 5e7, 1,
               "N/m: of a side's springs and tyres in front"),
    ROW_NUMBER("rear_stiffness", TruckChassis, rear_stiffness, 1e4, 5e7, 1,
               "N/m: of a side's springs and tyres behind"),
    ROW_NUMBER("damping_ratio", TruckChassis, damping_ratio, 0.05, 1, 1,
               "ratio: of the empty truck on its springs to critical damping"),
    ROW_NUMBER("tyre_stiffness", TruckChassis, tyre_stiffness, 1e4, 5e7, 1,
               "N/m: of the tyres of one support along the ground"),
    ROW_NUMBER("tyre_friction", TruckChassis, tyre_friction, 0.1, 2, 1, "ratio: of the tyres' grip to their load"),
    ROW_NUMBER("front_limit", TruckChassis, front_limit, 500, 500000, 1, "kg: that the front axle may carry"),
    ROW_NUMBER("rear_limit", TruckChassis, rear_limit, 500, 500000, 1, "kg: that the rear axles may carry together"),
    ROW_END,
};

static const DataKey truck_drive_keys[] = {
    ROW_NUMBER("speed_empty_kmh", TruckDrive, speed_empty, 1, 80, UNIT_KMH, "km/h: on the road, without a load"),
    ROW_NUMBER("speed_loaded_kmh", TruckDrive, speed_loaded, 1, 80, UNIT_KMH,
               "km/h: on the road, with the full payload"),
    ROW_NUMBER("speed_reverse_kmh", TruckDrive, speed_reverse, 0.5, 30, UNIT_KMH, "km/h: backwards"),
    ROW_NUMBER("acceleration", TruckDrive, acceleration, 0.1, 2, 1, "m/s2: when it speeds up"),
    ROW_NUMBER("braking", TruckDrive, braking, 0.1, 2, 1, "m/s2: when it slows down"),
    ROW_NUMBER("cornering", TruckDrive, cornering, 0.1, 2, 1, "m/s2: most sideways"),
    ROW_NUMBER("turning_radius", TruckDrive, turning_radius, 3, 30, 1, "m: of the middle between the rear wheels"),
    ROW_END,
};

static const DataKey truck_tip_keys[] = {
    ROW_NUMBER("angle_deg", TruckTip, angle, 20, 75, UNIT_DEG, "deg: of the raised bed"),
    ROW_NUMBER("raise_time", TruckTip, raise_time, 3, 120, 1, "s: that the bed takes to rise"),
    ROW_NUMBER("lower_time", TruckTip, lower_time, 3, 120, 1, "s: that the bed takes to come down"),
    ROW_END,
};

static const DataKey truck_damage_keys[] = {
    ROW_NUMBER("scratch_kj", TruckDamage, scratch, 0.001, 10000, 1e3, "kJ: blows of a machine that scratch it"),
    ROW_NUMBER("dent_kj", TruckDamage, dent, 0.001, 10000, 1e3, "kJ: blows that dent it"),
    ROW_NUMBER("wreck_kj", TruckDamage, wreck, 0.001, 10000, 1e3, "kJ: of all blows together that wreck it"),
    ROW_END,
};

static const DataKey truck_driver_keys[] = {
    ROW_NUMBER("uneven_share", TruckDriver, uneven, 0.02, 1, 1,
               "share: that one side bears more than the other, over all, from which the driver complains"),
    ROW_NUMBER("refuse_share", TruckDriver, refuse, 0, 1, 1,
               "share: of the payload, or of an axle's limit, too much, from which the driver does not leave"),
    ROW_NUMBER("delay", TruckDriver, delay, 0, 600, 1, "s: by which the driver leaves later after a complaint"),
    ROW_END,
};

static const DataKey truck_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", TruckParams, title, "shown in lists"),
    ROW_NUMBER("tare_mass", TruckParams, tare, 1000, 500000, 1, "kg: of the empty truck"),
    ROW_NUMBER("payload", TruckParams, payload, 500, 500000, 1, "kg: that it may carry"),
    ROW_MAPPING("bed", TruckParams, bed, truck_bed_keys, "the open box that is loaded"),
    ROW_NUMBER("front", TruckParams, front, 2, 15, 1, "m: from the bed's middle to the front bumper"),
    ROW_NUMBER("rear_axle", TruckParams, rear_axle, -8, 8, 1, "m: middle of the rear axles, ahead of the bed's middle"),
    ROW_NUMBER("wheelbase", TruckParams, wheelbase, 1.5, 12, 1,
               "m: from the middle of the rear axles to the front axle"),
    ROW_NUMBER("wheel_diameter", TruckParams, wheel_diameter, 0.4, 4, 1, "m: of the wheels"),
    ROW_MAPPING("chassis", TruckParams, chassis, truck_chassis_keys, "how it stands on springs and tyres"),
    ROW_MAPPING("drive", TruckParams, drive, truck_drive_keys, "how it drives"),
    ROW_MAPPING("tip", TruckParams, tip, truck_tip_keys, "how its bed tips"),
    ROW_MAPPING_OPTIONAL("damage", TruckParams, damage, truck_damage_keys, "what blows do to it"),
    ROW_MAPPING_OPTIONAL("driver", TruckParams, driver, truck_driver_keys, "what its driver puts up with"),
    ROW_END,
};

static bool check_truck_bed(Document *document, const TruckParams *params, Status *status)
{
    const double least_load = 300.0, most_load = 4000.0; // kg/m3 of what is hauled
    const double most_heap = 1.6; // of a bed's own volume that lies in it when it is heaped
    const TruckBed *bed = &params->bed;
    if (!(bed->tail_height <= bed->height)) {
        return document_fail_at(document, "bed.tail_height", status, "read %.6g, allowed up to height (%.6g)",
                                bed->tail_height, bed->height);
    }
    double volume = bed->length * bed->width * bed->height;
    if (!(bed->capacity <= most_heap * volume)) {
        return document_fail_at(document, "bed.capacity", status,
                                "read %.6g, allowed up to %.4g: a bed of %.4g x %.4g x %.4g m holds no more",
                                bed->capacity, most_heap * volume, bed->length, bed->width, bed->height);
    }
    double density = params->payload / bed->capacity;
    if (!(density >= least_load && density <= most_load)) {
        return document_fail_at(document, "payload", status,
                                "read %.6g, allowed %.6g to %.6g: the heaped bed would weigh %.4g kg a cubic metre",
                                params->payload, least_load * bed->capacity, most_load * bed->capacity, density);
    }
    return true;
}

/// An empty truck is made of steel, and carries at most three times what it weighs; haulers carry up to 1.6 times.
static bool check_truck_tare(Document *document, const TruckParams *params, Status *status)
{
    const double most = 3.0;
    if (!(params->payload <= most * params->tare)) {
        return document_fail_at(document, "tare_mass", status,
                                "read %.6g, allowed from %.6g on: a truck carries up to "
                                "%.6g times its own mass (payload %.6g)",
                                params->tare, params->payload / most, most, params->payload);
    }
    return machine_check_density(document, "tare_mass", params->tare, params->chassis.inertia_size, status);
}

static bool check_truck_chassis(Document *document, const TruckParams *params, Status *status)
{
    const TruckBed *bed = &params->bed;
    double half = 0.5 * bed->length;
    if (!(params->front > half)) {
        return document_fail_at(document, "front", status, "read %.6g, allowed more than half of bed.length (%.6g)",
                                params->front, half);
    }
    if (!(params->rear_axle >= -half && params->rear_axle <= half)) {
        return document_fail_at(document, "rear_axle", status, "read %.6g, allowed %.6g to %.6g (under the bed)",
                                params->rear_axle, -half, half);
    }
    if (!(params->rear_axle + params->wheelbase <= params->front)) {
        return document_fail_at(document, "wheelbase", status,
                                "read %.6g, allowed up to %.6g: the front axle lies behind the bumper",
                                params->wheelbase, params->front - params->rear_axle);
    }
    if (!(params->wheel_diameter < bed->floor_height)) {
        return document_fail_at(document, "wheel_diameter", status,
                                "read %.6g, allowed less than bed.floor_height (%.6g)", params->wheel_diameter,
                                bed->floor_height);
    }
    return true;
}

/// Axles bear the empty truck, and its springs are soft enough for the step of the rigid bodies.
static bool check_truck_springs(Document *document, const TruckParams *params, Status *status)
{
    const double fastest = 100.0; // rad/s of a mass on a spring: a fifth of a step's 1/480 s at most
    const TruckChassis *c = &params->chassis;
    if (!(c->gauge <= params->bed.width)) {
        return document_fail_at(document, "chassis.gauge", status, "read %.6g, allowed up to bed.width (%.6g)",
                                c->gauge, params->bed.width);
    }
    const double front = c->front_share * params->tare, rear = params->tare - front;
    const struct {
        const char *limit, *spring;
        double most, stiffness, mass;
    } axle[2] = {{"chassis.front_limit", "chassis.front_stiffness", c->front_limit, c->front_stiffness, front},
                 {"chassis.rear_limit", "chassis.rear_stiffness", c->rear_limit, c->rear_stiffness, rear}};
    for (int k = 0; k < 2; k++) {
        if (!(axle[k].most > axle[k].mass)) {
            return document_fail_at(document, axle[k].limit, status,
                                    "read %.6g, allowed more than its share of tare_mass (%.6g)", axle[k].most,
                                    axle[k].mass);
        }
        double stiffest = 0.5 * axle[k].mass * fastest * fastest;
        if (!(axle[k].stiffness <= stiffest)) {
            return document_fail_at(document, axle[k].spring, status,
                                    "read %.6g, allowed up to %.6g: %.6g kg on it would swing too fast",
                                    axle[k].stiffness, stiffest, 0.5 * axle[k].mass);
        }
    }
    double stiffest = 0.25 * params->tare * fastest * fastest;
    if (!(c->tyre_stiffness <= stiffest)) {
        return document_fail_at(document, "chassis.tyre_stiffness", status, "read %.6g, allowed up to %.6g",
                                c->tyre_stiffness, stiffest);
    }
    return true;
}

static bool check_truck_damage(Document *document, const TruckDamage *damage, Status *status)
{
    bool dent = damage->dent < damage->scratch;
    if (dent || damage->wreck < damage->dent) {
        return document_fail_at(document, dent ? "damage.dent_kj" : "damage.wreck_kj", status,
                                "read %.6g, allowed at least %s (%.6g)", 1e-3 * (dent ? damage->dent : damage->wreck),
                                dent ? "scratch_kj" : "dent_kj", 1e-3 * (dent ? damage->scratch : damage->dent));
    }
    return true;
}

static bool truck_check(Document *document, const void *data, Status *status)
{
    const double sharpest = 0.8; // of the wheelbase: front wheels turned by 51 degrees
    const TruckParams *params = data;
    const TruckDrive *drive = &params->drive;
    if (!check_truck_bed(document, params, status) || !check_truck_tare(document, params, status) ||
        !check_truck_chassis(document, params, status) || !check_truck_springs(document, params, status) ||
        !check_truck_damage(document, &params->damage, status)) {
        return false;
    }
    if (!(drive->speed_loaded <= drive->speed_empty)) {
        return document_fail_at(document, "drive.speed_loaded_kmh", status,
                                "read %.6g, allowed up to speed_empty_kmh (%.6g)", drive->speed_loaded / UNIT_KMH,
                                drive->speed_empty / UNIT_KMH);
    }
    if (!(drive->turning_radius >= sharpest * params->wheelbase)) {
        return document_fail_at(document, "drive.turning_radius", status,
                                "read %.6g, allowed at least %.6g (%.6g times the wheelbase)", drive->turning_radius,
                                sharpest * params->wheelbase, sharpest);
    }
    return true;
}

const DataSchema data_truck_schema = {.kind = "truck",
                                      .folder = "machines",
                                      .keys = truck_keys,
                                      .size = sizeof(TruckParams),
                                      .name_size = KEY_SIZE(TruckParams, name),
                                      .check = truck_check};
