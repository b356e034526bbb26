/// What a session is, as JSON.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/deep_call.h"
#include "data/schema/schema.h"
#include "trainer/api/api_internal.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    set(object, key, json_string(text));
}

static void set_number(json_t *object, const char *key, double number)
{
    set(object, key, json_real(number));
}

/// ---- levers --------------------------------------------------------------------------------------------------------

static const char *const positive[CONTROL_COUNT] = {
    [CONTROL_SWING] = "to the right",
    [CONTROL_STICK] = "in, towards the cab",
    [CONTROL_BOOM] = "up",
    [CONTROL_BUCKET] = "curls in",
    [CONTROL_LEFT_TRACK] = "forward",
    [CONTROL_RIGHT_TRACK] = "forward",
    [CONTROL_THROTTLE] = "full engine speed at 1, idle at -1",
    [CONTROL_BLADE] = "up",
    [CONTROL_BLADE_TILT] = "right corner down",
    [CONTROL_BLADE_ANGLE] = "faces to the right",
    [CONTROL_RIPPER] = "down",
    [CONTROL_HORN] = "sounds above 0.5: sends a loaded truck off",
    [CONTROL_AUXILIARY] =
        "closes a grab or a thumb; above 0.5 strikes with the hammer, or hooks a load up and takes it off",
    [CONTROL_ANSWER] = "k / 10 gives answer k when it comes from 0",
    [CONTROL_BLADE_FLOAT] = "above 0.5: the blade floats until its lever is moved",
    [CONTROL_IGNITION] = "above 0.5 turns the key on, held starts the engine, or turns it off; below -0.5 turns it off",
    [CONTROL_SAFETY_LEVER] = "above 0.5 moves the safety lever down or up; below -0.5 up",
    [CONTROL_TRAVEL_RANGE] = "above 0.5 the other travel range; below -0.5 the low one",
    [CONTROL_POWER_MODE] = "above 0.5 the other power mode; below -0.5 full power",
    [CONTROL_AUTO_IDLE] = "above 0.5 auto-idle on or off; below -0.5 off",
    [CONTROL_LIGHTS] = "above 0.5 work lights on or off; below -0.5 off",
    [CONTROL_WIPER] = "above 0.5 wiper on or off; below -0.5 off",
    [CONTROL_INSPECT] = "above 0.5 on foot: looks at what is in front, or climbs in; in the cab: climbs out",
    [CONTROL_TOOL_TILT] = "right corner down",
    [CONTROL_TOOL_ROTATE] = "clockwise seen from above",
    [CONTROL_COUPLER] = "above 0.5 asks to release the tool, again or held releases it; without a tool: locks it",
};

static json_t *axis_row(const ApiSession *own, ControlAxis axis)
{
    json_t *row = json_object();
    set_text(row, "name", control_axis_names[axis]);
    set_number(row, "low", -1.0);
    set_number(row, "high", 1.0);
    set_number(row, "neutral", api_axis_neutral(axis));
    set_text(row, "positive", positive[axis]);
    set(row, "acts", json_boolean(api_axis_acts(own, axis)));
    return row;
}

static json_t *actions(const ApiSession *own)
{
    json_t *list = json_array();
    for (int k = 0; k < own->action_count; k++) {
        json_array_append_new(list, axis_row(own, own->action[k]));
    }
    return list;
}

static json_t *axes(const ApiSession *own)
{
    json_t *list = json_array();
    for (int k = 0; k < CONTROL_COUNT; k++) {
        json_array_append_new(list, axis_row(own, (ControlAxis)k));
    }
    return list;
}

/// ---- meanings ------------------------------------------------------------------------------------------------------

typedef struct Meaning {
    const char *name; ///< whole, or its end where it begins with '_'
    const char *text;
} Meaning;

/// The first that fits is a number's.
static const Meaning meanings[] = {
    {"time", "since the scene's beginning"},
    {"tip_height",
     "middle of the edge over the plane that the tracks stand on: of a tilted machine not over the ground"},
    {"ground_below_tip", "world z of the settled ground straight below the edge's middle, without moving grains"},
    {"tip_x", "middle of the tool's cutting edge, world"},
    {"tip_y", "middle of the tool's cutting edge, world"},
    {"tip_z", "middle of the tool's cutting edge, world"},
    {"yaw", "of the undercarriage, to the left"},
    {"pitch", "of the undercarriage, nose up"},
    {"roll", "of the undercarriage, left side up"},
    {"engine_speed", "of the crankshaft"},
    {"pump_power", "that pumps and converter take from the engine"},
    {"fuel", "left in the tank"},
    {"gear", "1 to 3 forward, -1 to -3 reverse, 0 neutral; 0 of travel motors"},
    {"limit_stall", "1: the engine is pulled down, or the converter stands"},
    {"limit_relief", "1: a function is at its relief pressure"},
    {"limit_slip", "1: the tracks slip"},
    {"limit_tip", "1: the machine lifts off its tracks"},
    {"left_track_speed", "of the belt, forward above 0"},
    {"right_track_speed", "of the belt, forward above 0"},
    {"left_track_load", "on the track, from the ground"},
    {"right_track_load", "on the track, from the ground"},
    {"payload", "soil and rocks in the tool or heaped over it, also while it is in the ground"},
    {"rock_payload", "rocks of it"},
    {"truck_load", "soil and rocks in the bed"},
    {"second_truck_load", "soil and rocks in the bed"},
    {"truck_ready", "1: a truck stands to be loaded"},
    {"tipped", "what trucks have tipped at the dump"},
    {"sling_pull", "straight down on the lifting eye"},
    {"sling_swing", "of the load, off straight down"},
    {"sling_hooked", "1: a load is in the eye"},
    {"particles", "grains that are not settled ground"},
    {"payload_now", "soil and rocks in the tool or heaped over it, also while it is in the ground"},
    {"loaded_now", "in the beds of all trucks"},
    {"tipped_now", "what trucks have tipped at the dump"},
    {"cut_left", "ground above the design, with the grains that no tool carries laid down"},
    {"fill_left", "space below the design: what is to be filled, or was dug too deep"},
    {"design_rms", "root mean square of ground less design"},
    {"end", "0 under way, 1 done, 2 time over, 3 time over and the ground settles, 4 failed by an incident"},
    {"locked", "1: levers move nothing, a question is to be answered"},
    {"figures_age", "since the figures that are not live were last measured"},
    {"_angle", "of the joint, as telemetry has it"},
    {"_length_speed", "of the rod, out above 0"},
    {"_length", "from pin to pin of the cylinder"},
    {"_pressure", "of the port with more"},
    {"_force", "of the cylinders together, pushing above 0, last substep"},
    {"_torque", "of the swing motor, last substep"},
    {"_spool", "opening of the valve"},
    {"_slip", "1 - ground speed / belt speed"},
    {"_fx", "of soil and rocks on the tool, world axes, mean over the tick"},
    {"_fy", "of soil and rocks on the tool, world axes, mean over the tick"},
    {"_fz", "of soil and rocks on the tool, world axes, mean over the tick"},
    {"_mx", "the same, about the tool's centre of mass"},
    {"_my", "the same, about the tool's centre of mass"},
    {"_mz", "the same, about the tool's centre of mass"},
    {"_load", "size of all that acts on the tool: soil, rocks, walls, trucks, loads; its own weight is no part"},
    {"_vx", "of the undercarriage's centre of mass, world"},
    {"_vy", "of the undercarriage's centre of mass, world"},
    {"_vz", "of the undercarriage's centre of mass, world"},
    {"_wx", "of the undercarriage, world axes"},
    {"_wy", "of the undercarriage, world axes"},
    {"_wz", "of the undercarriage, world axes"},
    {"_speed", "of the joint"},
    {"_x", "world"},
    {"_y", "world"},
    {"_z", "world"},
};

/// NULL: there is none.
static const char *meaning_of(const char *name)
{
    for (size_t k = 0; k < sizeof meanings / sizeof meanings[0]; k++) {
        size_t length = strlen(name), end = strlen(meanings[k].name);
        bool fits = meanings[k].name[0] == '_' ? length > end && strcmp(name + length - end, meanings[k].name) == 0
                                               : strcmp(name, meanings[k].name) == 0;
        if (fits) {
            return meanings[k].text;
        }
    }
    return NULL;
}

/// ---- numbers, events, faults ---------------------------------------------------------------------------------------

static void add_number(void *context, const ApiNumber *number)
{
    char name[SPADEWORK_NAME];
    json_t *row = json_object();
    snprintf(name, sizeof name, "%s%s", number->prefix, number->suffix);
    set_text(row, "name", name);
    set_text(row, "unit", number->unit);
    set_number(row, "low", number->low);
    set_number(row, "high", number->high);
    const char *phrase = number->phrase[0] != '\0' ? number->phrase : meaning_of(name);
    if (phrase != NULL) {
        set_text(row, "phrase", phrase);
    }
    set(row, "live", json_boolean(number->live));
    json_array_append_new(context, row);
}

static json_t *event_kinds(void)
{
    json_t *list = json_array();
    for (int k = 0; k < EVENT_KIND_COUNT; k++) {
        if (event_kind_source((EventKind)k) == EVENT_OF_EXERCISE) {
            json_t *row = json_object();
            set_text(row, "name", event_kind_name((EventKind)k));
            set_text(row, "phrase", event_kind_phrase((EventKind)k));
            json_array_append_new(list, row);
        }
    }
    return list;
}

static json_t *event_number_rows(void)
{
    json_t *list = json_array();
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        json_t *row = json_object();
        set_text(row, "name", event_numbers[k].name);
        set_text(row, "unit", event_numbers[k].unit);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *faults(const ApiSession *own)
{
    json_t *list = json_array();
    for (int k = 0; k < SESSION_FAULT_COUNT; k++) {
        const SessionFaultKind *kind = session_fault_kind((SessionFault)k);
        json_t *parts = json_array(), *row = json_object();
        char name[ORDER_NAME];
        for (int part = 0; part < ORDER_PARTS && kind->part != ORDER_OF_MACHINE && kind->part != ORDER_OF_WALKER;
             part++) {
            if (session_order_part((SessionFault)k, part, session_scene(own->session),
                                   session_machine_params(own->session), name)) {
                json_array_append_new(parts, json_string(name));
            }
        }
        set_text(row, "name", kind->name);
        set_text(row, "unit", kind->unit[0] == '\0' ? "1" : kind->unit);
        set_number(row, "low", kind->low);
        set_number(row, "high", kind->high);
        set_number(row, "ends", kind->sound);
        set(row, "either", json_boolean(kind->ends));
        set(row, "parts", parts);
        json_array_append_new(list, row);
    }
    return list;
}

/// ---- scene ---------------------------------------------------------------------------------------------------------

static json_t *scene(const ApiSession *own)
{
    const SceneParams *params = session_scene(own->session);
    const DataFiles *files = session_files(own->session);
    json_t *row = json_object(), *list = json_array();
    set_text(row, "name", params->name);
    set_text(row, "title", params->title);
    set_text(row, "description", params->description);
    set(row, "seed", json_integer((json_int_t)session_seed(own->session)));
    for (int k = 0; k < files->count; k++) {
        json_t *file = json_object();
        set_text(file, "kind", files->files[k].kind);
        set_text(file, "name", files->files[k].name);
        json_array_append_new(list, file);
    }
    set(row, "files", list);
    return row;
}

static json_t *site(const ApiSession *own)
{
    const SceneParams *params = session_scene(own->session);
    json_t *row = json_object(), *soils = json_array();
    set_number(row, "length", params->ground.size_x);
    set_number(row, "width", params->ground.size_y);
    set_number(row, "spacing", params->ground.column_spacing);
    set_number(row, "bedrock", -params->ground.bedrock_depth);
    for (int k = 0; k < params->soil_count; k++) {
        json_array_append_new(soils, json_string(params->soils[k].name));
    }
    set(row, "soils", soils);
    return row;
}

static json_t *design(const ApiSession *own)
{
    const DesignSurface *asked = exercise_work(session_exercise(own->session));
    DesignBox box;
    if (!design_box(asked, &box)) {
        return json_null();
    }
    json_t *row = json_object();
    set_number(row, "tolerance", design_tolerance(asked));
    set(row, "low", json_pack("[fff]", box.low.x, box.low.y, box.low.z));
    set(row, "high", json_pack("[fff]", box.high.x, box.high.y, box.high.z));
    return row;
}

static json_t *cameras(void)
{
    json_t *list = json_array();
#define X(id, name) json_array_append_new(list, json_string(name));
    CAMERAS(X)
#undef X
    return list;
}

/// What the library and the session are.
static void add_versions(const ApiSession *own, json_t *info)
{
    set(info, "abi", json_pack("[ii]", SPADEWORK_ABI_MAJOR, SPADEWORK_ABI_MINOR));
    set_text(info, "version", SPADEWORK_VERSION);
    set(info, "semantics", json_integer(STATE_VERSION));
    set_text(info, "computer", SPADEWORK_COMPUTER);
    set(info, "scene", scene(own));
    set_text(info, "machine", session_machine_params(own->session)->name);
    set_number(info, "dt", session_dt(own->session));
    set(info, "tick_rate", json_integer(session_scene(own->session)->rates.tick_rate));
    set(info, "start_tick", json_integer((json_int_t)own->start_tick));
    set(info, "threads", json_integer(own->threads));
}

static json_t *make_info(ApiSession *own)
{
    json_t *info = json_object(), *observation = json_array(), *exercise = json_array();
    api_observation(own, add_number, observation);
    bool whole = api_exercise(own, false, add_number, exercise);
    add_versions(own, info);
    set(info, "actions", actions(own));
    set(info, "axes", axes(own));
    set(info, "observation", observation);
    set(info, "exercise", exercise);
    set(info, "events", event_kinds());
    set(info, "event_numbers", event_number_rows());
    set(info, "faults", faults(own));
    set(info, "cameras", cameras());
    set(info, "site", site(own));
    set(info, "design", design(own));
    set(info, "trucks", json_integer(session_trucks_count(session_trucks(own->session))));
    set(info, "questions", json_integer(session_scene(own->session)->exercise.questions_count));
    set_number(info, "time_limit", session_scene(own->session)->exercise.time_limit);
    set_number(info, "pass_mark", session_scene(own->session)->exercise.pass_mark);
    set(info, "particle", json_pack("[sssssssss]", "x", "y", "z", "radius", "vx", "vy", "vz", "mass", "soil"));
    if (!whole) {
        json_decref(info);
        return NULL;
    }
    return info;
}

typedef struct Asked {
    ApiSession *own;
    char *text; ///< out, malloc'd; NULL: no memory
} Asked;

static void write_info(void *context)
{
    Asked *asked = context;
    json_t *info = make_info(asked->own);
    asked->text = info == NULL ? NULL : json_dumps(info, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(info);
}

size_t spadework_info(Spadework session, char *json, size_t size)
{
    ApiCall call;
    if (api_enter(&call, session) != SPADEWORK_GOOD) {
        return 0;
    }
    Asked asked = {.own = call.own};
    if (!deep_call(write_info, &asked) || asked.text == NULL) {
        api_leave(&call, api_fail(call.own, SPADEWORK_NO_MEMORY, "no memory for the description of the session"));
        return 0;
    }
    size_t needed = strlen(asked.text) + 1;
    if (json != NULL && size >= needed) {
        memcpy(json, asked.text, needed);
    }
    free(asked.text);
    api_leave(&call, SPADEWORK_GOOD);
    return needed;
}

size_t spadework_file(Spadework session, size_t index, char *kind, char *name, char *text, size_t size)
{
    ApiCall call;
    if (api_enter(&call, session) != SPADEWORK_GOOD) {
        return 0;
    }
    const DataFiles *files = session_files(call.own->session);
    size_t needed = 0;
    if (index < (size_t)files->count) {
        const DataFile *file = &files->files[index];
        needed = file->size;
        if (kind != NULL) {
            snprintf(kind, SPADEWORK_NAME, "%s", file->kind);
        }
        if (name != NULL) {
            snprintf(name, SPADEWORK_NAME, "%s", file->name);
        }
        if (text != NULL && size >= needed) {
            memcpy(text, file->text, needed);
        }
    }
    api_leave(&call, SPADEWORK_GOOD);
    return needed;
}
