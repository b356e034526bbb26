#include "data/controls_params.h"
#include "data/key_table.h"

#include <stdio.h>
#include <string.h>

static const KeyChoice sources[] = {
    {"pad_axis", CONTROL_SOURCE_PAD_AXIS},
    {"pad_button", CONTROL_SOURCE_PAD_BUTTON},
    {"key", CONTROL_SOURCE_KEY},
    {NULL, 0},
};

static const KeyChoice axes[] = {
#define X(upper, lower) {#lower, CONTROL_##upper},
    CONTROL_AXES(X)
#undef X
        {NULL, 0},
};

static const DataKey binding_keys[] = {
    ROW_CHOICE("source", ControlBinding, source, sources),   ROW_TEXT("input", ControlBinding, input),
    ROW_CHOICE("axis", ControlBinding, axis, axes),          ROW_NUMBER("scale", ControlBinding, scale, -1, 1, 1),
    ROW_TEXT_OPTIONAL("modifier", ControlBinding, modifier), ROW_END,
};
static const DataKey binding = {
    .key = "binding", .type = KEY_MAPPING, .size = sizeof(ControlBinding), .inside = binding_keys};

static const DataKey curve_keys[] = {
    ROW_NUMBER_OR("dead_zone", ControlCurve, dead_zone, 0, 0.5, 1, 0.08),
    ROW_NUMBER_OR("exponent", ControlCurve, exponent, 0.5, 4, 1, 1.6),
    ROW_NUMBER_OR("rate", ControlCurve, rate, 0.5, 1000, 1, 1000),
    ROW_END,
};

typedef struct Curves {
    ControlCurve curve[CONTROL_COUNT];
} Curves;
static const DataKey curves_keys[] = {
#define X(upper, lower) ROW_MAPPING_OPTIONAL(#lower, Curves, curve[CONTROL_##upper], curve_keys),
    CONTROL_AXES(X)
#undef X
        ROW_END,
};

typedef struct Action {
    char name[KEY_SIZE(ControlsParams, actions[0].name)];
    char pad[KEY_SIZE(ControlsParams, actions[0].pad)];
    char key[KEY_SIZE(ControlsParams, actions[0].key)];
} Action;
_Static_assert(sizeof(Action) == KEY_SIZE(ControlsParams, actions[0]), "an action is as in controls_params.h");
static const DataKey action_keys[] = {
    ROW_TEXT("name", Action, name),
    ROW_TEXT_OPTIONAL("pad", Action, pad),
    ROW_TEXT_OPTIONAL("key", Action, key),
    ROW_END,
};
static const DataKey action = {.key = "action", .type = KEY_MAPPING, .size = sizeof(Action), .inside = action_keys};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", ControlsParams, title),
    ROW_TEXT("pattern", ControlsParams, pattern),
    ROW_LIST("bindings", ControlsParams, bindings, binding_count, 1, CONTROLS_MAX_BINDINGS, &binding),
    ROW_MAPPING_OPTIONAL("curves", ControlsParams, curves, curves_keys),
    ROW_LIST("actions", ControlsParams, actions, action_count, 0, 8, &action),
    ROW_END,
};

static bool check_controls(Document *document, const void *data, Status *status)
{
    static const char *const known[] = {"camera", "pause", "menu", "throttle_up", "throttle_down", "reset"};
    const ControlsParams *params = data;
    for (int i = 0; i < params->action_count; ++i) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
            found = found || strcmp(params->actions[i].name, known[k]) == 0;
        }
        char path[DOCUMENT_PATH_LENGTH];
        snprintf(path, sizeof path, "actions.%d.name", i);
        if (!found) {
            return document_fail_at(document, path, status,
                                    "read %s, allowed camera, pause, menu, throttle_up, throttle_down, reset",
                                    params->actions[i].name);
        }
        for (int k = 0; k < i; ++k) {
            if (strcmp(params->actions[i].name, params->actions[k].name) == 0) {
                return document_fail_at(document, path, status, "read %s, which stands twice", params->actions[i].name);
            }
        }
    }
    if (strcmp(params->pattern, "iso") != 0 && strcmp(params->pattern, "bhl") != 0) {
        return document_fail_at(document, "pattern", status, "read %s, allowed iso, bhl", params->pattern);
    }
    return true;
}

const DataSchema data_controls_schema = {.kind = "controls",
                                         .folder = "controls",
                                         .keys = keys,
                                         .size = sizeof(ControlsParams),
                                         .name_size = KEY_SIZE(ControlsParams, name),
                                         .check = check_controls};
