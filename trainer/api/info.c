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
    [CONTROL_AUXILIARY] = "on above 0.5: strikes with the hammer, or hooks a load up and takes it off",
    [CONTROL_ANSWER] = "k / 10 gives answer k when it comes from 0",
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
    if (number->phrase[0] != '\0') {
        set_text(row, "phrase", number->phrase);
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
