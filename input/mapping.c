#include "input/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/names.h"

/// One input of one device: what a name of the map became.
typedef struct Source {
    ControlSource kind;
    int index; ///< -1: none
} Source;

typedef struct Binding {
    Source source, modifier;
    ControlAxis axis;
    double scale;
} Binding;

typedef struct Action {
    char name[16];
    Source pad, key;
} Action;

struct InputMap {
    int binding_count, action_count;
    Binding bindings[CONTROLS_MAX_BINDINGS];
    Action actions[8];
    ControlCurve curves[CONTROL_COUNT];
};

/// ---- names -> indices ---------------------------------------------------------------------------------------------

static Source find_source(ControlSource kind, const char *name)
{
    switch (kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        return (Source){kind, input_pad_axis_index(name)};
    case CONTROL_SOURCE_PAD_BUTTON:
        return (Source){kind, input_pad_button_index(name)};
    case CONTROL_SOURCE_KEY:
        return (Source){kind, input_key_index(name)};
    }
    return (Source){kind, -1};
}

/// Pad buttons are written in lower case ("x"), keys as SDL writes them ("X"): that tells them apart.
static Source find_modifier(const char *name)
{
    Source button = find_source(CONTROL_SOURCE_PAD_BUTTON, name);
    return button.index >= 0 ? button : find_source(CONTROL_SOURCE_KEY, name);
}

static const char *known_names(ControlSource kind)
{
    switch (kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        return "leftx, lefty, rightx, righty, lefttrigger, righttrigger";
    case CONTROL_SOURCE_PAD_BUTTON:
        return "a, b, x, y, back, guide, start, leftstick, rightstick, leftshoulder, rightshoulder, dpup, dpdown, "
               "dpleft, dpright, misc1, paddle1..paddle4, touchpad";
    case CONTROL_SOURCE_KEY:
        return "SDL key names: A..Z, 0..9, F1..F12, Space, Left, Left Shift, Keypad 4, ...";
    }
    return "";
}

static bool in_range(double value, double lowest, double highest)
{
    return value >= lowest && value <= highest;
}

static bool resolve_binding(const ControlsParams *params, int number, Binding *binding, Status *status)
{
    static const char *const kinds[] = {"pad axis", "pad button", "key"};
    const ControlBinding *from = &params->bindings[number];
    if ((unsigned)from->axis >= CONTROL_COUNT || (unsigned)from->source > CONTROL_SOURCE_KEY) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d names no lever or no kind of input",
                           params->name, number + 1);
    }
    const char *lever = control_axis_names[from->axis];
    binding->source = find_source(from->source, from->input);
    binding->modifier = find_modifier(from->modifier);
    binding->axis = from->axis;
    binding->scale = from->scale;
    if (binding->source.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d (%s): no %s is called \"%s\"; known: %s",
                           params->name, number + 1, lever, kinds[from->source], from->input,
                           known_names(from->source));
    }
    if (from->modifier[0] != '\0' && binding->modifier.index < 0) {
        return status_fail(
            status, STATUS_BAD_FILE,
            "controls %s: binding %d (%s): no pad button or key is called \"%s\" (its modifier); known: %s; %s",
            params->name, number + 1, lever, from->modifier, known_names(CONTROL_SOURCE_PAD_BUTTON),
            known_names(CONTROL_SOURCE_KEY));
    }
    if (!in_range(from->scale, -1.0, 1.0)) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d (%s): scale %g; allowed are -1..1",
                           params->name, number + 1, lever, from->scale);
    }
    return true;
}

static bool resolve_curve(const ControlsParams *params, int axis, ControlCurve *curve, Status *status)
{
    *curve = params->curves[axis];
    if (!in_range(curve->dead_zone, 0.0, 0.5) || !in_range(curve->exponent, 0.5, 4.0) ||
        !in_range(curve->rate, 0.5, 1000.0)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "controls %s: curve of %s: dead zone %g, exponent %g, rate %g; allowed are 0..0.5, 0.5..4, "
                           "0.5..1000",
                           params->name, control_axis_names[axis], curve->dead_zone, curve->exponent, curve->rate);
    }
    return true;
}

static bool resolve_action(const ControlsParams *params, int number, Action *action, Status *status)
{
    snprintf(action->name, sizeof(action->name), "%s", params->actions[number].name);
    const char *pad = params->actions[number].pad, *key = params->actions[number].key;
    action->pad = find_source(CONTROL_SOURCE_PAD_BUTTON, pad);
    action->key = find_source(CONTROL_SOURCE_KEY, key);
    if (pad[0] != '\0' && action->pad.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: action %s: no pad button is called \"%s\"; known: %s",
                           params->name, action->name, pad, known_names(CONTROL_SOURCE_PAD_BUTTON));
    }
    if (key[0] != '\0' && action->key.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: action %s: no key is called \"%s\"; known: %s",
                           params->name, action->name, key, known_names(CONTROL_SOURCE_KEY));
    }
    return true;
}

static bool resolve(const ControlsParams *params, InputMap *map, Status *status)
{
    int most_actions = (int)(sizeof(map->actions) / sizeof(map->actions[0]));
    if (params->binding_count < 0 || params->binding_count > CONTROLS_MAX_BINDINGS || params->action_count < 0 ||
        params->action_count > most_actions) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: %d bindings, %d actions; allowed are 0..%d, 0..%d",
                           params->name, params->binding_count, params->action_count, CONTROLS_MAX_BINDINGS,
                           most_actions);
    }
    map->binding_count = params->binding_count;
    map->action_count = params->action_count;
    for (int i = 0; i < map->binding_count; i++) {
        if (!resolve_binding(params, i, &map->bindings[i], status)) {
            return false;
        }
    }
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (!resolve_curve(params, axis, &map->curves[axis], status)) {
            return false;
        }
    }
    for (int i = 0; i < map->action_count; i++) {
        if (!resolve_action(params, i, &map->actions[i], status)) {
            return false;
        }
    }
    return status_good(status);
}

InputMap *input_map_create(const ControlsParams *params, Status *status)
{
    InputMap *map = calloc(1, sizeof(*map));
    if (!map) {
        status_fail(status, STATUS_LACKING, "not enough memory for the control map %s", params->name);
        return NULL;
    }
    if (!resolve(params, map, status)) {
        free(map);
        return NULL;
    }
    return map;
}

void input_map_destroy(InputMap *map)
{
    free(map);
}

/// ---- sample -> levers ---------------------------------------------------------------------------------------------

/// Deflection of a source, -1..1; 0 when it is none or not a number.
static double deflection(Source source, const InputSample *sample)
{
    if (source.index < 0) {
        return 0.0;
    }
    if (source.kind == CONTROL_SOURCE_PAD_BUTTON) {
        return sample->pad_button[source.index] ? 1.0 : 0.0;
    }
    if (source.kind == CONTROL_SOURCE_KEY) {
        return sample->key[source.index] ? 1.0 : 0.0;
    }
    double value = sample->pad_axis[source.index];
    if (isnan(value)) {
        return 0.0;
    }
    return fmax(-1.0, fmin(1.0, value));
}

static bool is_held(Source source, const InputSample *sample)
{
    return deflection(source, sample) > 0.5;
}

static bool is_same(Source a, Source b)
{
    return a.kind == b.kind && a.index == b.index;
}

/// A binding counts when its modifier is held; one without counts unless the same input has another meaning just now.
static bool counts(const InputMap *map, const Binding *binding, const InputSample *sample)
{
    if (binding->modifier.index >= 0) {
        return is_held(binding->modifier, sample);
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *other = &map->bindings[i];
        if (is_same(other->source, binding->source) && is_held(other->modifier, sample)) {
            return false;
        }
    }
    return true;
}

/// Lever answer to a deflection v:  f(v) = sign(v) ((|v| - d) / (1 - d))^e  outside the dead zone d, 0 inside it.
/// Continuous at the dead zone's edge; f(1) = 1.
static double answer(const ControlCurve *curve, double v)
{
    double outside = (fabs(v) - curve->dead_zone) / (1.0 - curve->dead_zone);
    return outside <= 0.0 ? 0.0 : copysign(pow(outside, curve->exponent), v);
}

void input_map_apply(const InputMap *map, const InputSample *sample, double dt, InputMemory *memory,
                     OperatorControls *controls)
{
    double wanted[CONTROL_COUNT] = {0.0};
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (counts(map, binding, sample)) {
            wanted[binding->axis] +=
                binding->scale * answer(&map->curves[binding->axis], deflection(binding->source, sample));
        }
    }
    bool pad_lost = sample->pads_lost != memory->pads_lost;
    memory->pads_lost = sample->pads_lost;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        double from = pad_lost ? 0.0 : memory->lever[axis];
        double to = fmax(-1.0, fmin(1.0, wanted[axis]));
        double most = map->curves[axis].rate * fmax(dt, 0.0);
        memory->lever[axis] = from + fmax(-most, fmin(most, to - from));
        controls->axis[axis] = control_quantise(memory->lever[axis]);
    }
}

bool input_map_action(const InputMap *map, const InputSample *sample, const char *action)
{
    for (int i = 0; i < map->action_count; i++) {
        if (strcmp(map->actions[i].name, action) == 0 &&
            (is_held(map->actions[i].pad, sample) || is_held(map->actions[i].key, sample))) {
            return true;
        }
    }
    return false;
}

/// ---- indices -> words ---------------------------------------------------------------------------------------------

enum { MOST_WORDS = 16, WORD_LENGTH = 64 };

/// What moves a lever one way: "right trigger", "K".
typedef struct Words {
    int count;
    char text[MOST_WORDS][WORD_LENGTH];
} Words;

static const char *source_label(Source source)
{
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        return input_pad_axis_label(source.index);
    case CONTROL_SOURCE_PAD_BUTTON:
        return input_pad_button_label(source.index);
    case CONTROL_SOURCE_KEY:
        return input_key_label(source.index);
    }
    return "";
}

/// Room for one more word (cut to WORD_LENGTH); the last one is written over when there are too many.
static char *new_word(Words *words)
{
    if (words->count < MOST_WORDS) {
        words->count++;
    }
    return words->text[words->count - 1];
}

/// True when the modifier only changes how far the same input moves the same lever: no news for who reads the bindings.
static bool is_variant(const InputMap *map, const Binding *binding)
{
    for (int i = 0; i < map->binding_count && binding->modifier.index >= 0; i++) {
        const Binding *plain = &map->bindings[i];
        if (plain->modifier.index < 0 && plain->axis == binding->axis && is_same(plain->source, binding->source) &&
            plain->scale * binding->scale > 0.0) {
            return true;
        }
    }
    return false;
}

/// Sorts the bindings of one lever and one device into whole sticks, ways up and ways down.
static void collect(const InputMap *map, ControlAxis axis, bool keys, Words *sticks, Words *ups, Words *downs)
{
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        bool here = binding->axis == axis && (binding->source.kind == CONTROL_SOURCE_KEY) == keys;
        if (!here || binding->scale == 0.0 || is_variant(map, binding)) {
            continue;
        }
        int sign = binding->scale > 0.0 ? 1 : -1;
        bool held = binding->modifier.index >= 0;
        const char *modifier = held ? source_label(binding->modifier) : "", *plus = held ? " + " : "";
        const char *label = source_label(binding->source);
        if (binding->source.kind == CONTROL_SOURCE_PAD_AXIS && input_pad_axis_way(binding->source.index, sign)) {
            snprintf(new_word(sticks), WORD_LENGTH, "%s%s%s %s/%s", modifier, plus, label,
                     input_pad_axis_way(binding->source.index, sign), input_pad_axis_way(binding->source.index, -sign));
        } else {
            snprintf(new_word(sign > 0 ? ups : downs), WORD_LENGTH, "%s%s%s", modifier, plus, label);
        }
    }
}

static void append(char *text, int size, const char *separator, const char *words)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s%s", used ? separator : "", words);
}

static void describe_device(const InputMap *map, ControlAxis axis, bool keys, char *text, int size)
{
    Words sticks = {0, {{0}}}, ups = {0, {{0}}}, downs = {0, {{0}}};
    collect(map, axis, keys, &sticks, &ups, &downs);
    for (int i = 0; i < sticks.count; i++) {
        append(text, size, ", ", sticks.text[i]);
    }
    for (int i = 0; i < ups.count || i < downs.count; i++) {
        char pair[2 * WORD_LENGTH + 2];
        bool up = i < ups.count, down = i < downs.count;
        snprintf(pair, sizeof(pair), "%s%s%s", up ? ups.text[i] : "", up && down ? "/" : "", down ? downs.text[i] : "");
        append(text, size, ", ", pair);
    }
}

void input_map_describe(const InputMap *map, ControlAxis axis, char *text, int size)
{
    if (size > 0) {
        text[0] = '\0';
        describe_device(map, axis, false, text, size);
        describe_device(map, axis, true, text, size);
    }
}
