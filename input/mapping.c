/// Applies a control map: names become indices once, and then each sample becomes levers. Describes in words what moves
/// a lever, and computes how strongly devices shake.
///
/// A lever is the clamped sum of its bindings, each with dead zone and exponent, followed no faster than its rate, and
/// quantised to int16: what leaves this file is what is recorded. Nothing here uses devices or time; the caller keeps
/// the memory.
#include "input/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/controls_params.h"

/// One input of one device: what a name of the map became.
typedef struct Source {
    ControlSource kind;
    int index; ///< -1: none
    int device; ///< of a joystick's axis or button: index into the map's devices
} Source;

typedef struct Binding {
    Source source, modifier;
    ControlAxis axis;
    double scale; ///< factor of the reading
    double low, rest, high; ///< -1..1, of a joystick's axis
} Binding;

typedef struct Action {
    char name[16];
    Source pad, key, joystick;
} Action;

struct InputMap {
    int device_count;
    ControlDevice devices[CONTROLS_MAX_DEVICES];
    int binding_count, action_count, gear_count;
    Binding bindings[CONTROLS_MAX_BINDINGS];
    Action actions[CONTROLS_MAX_ACTIONS];
    double gears[CONTROLS_MAX_GEARS]; ///< 0..1
    ControlCurve curves[CONTROL_COUNT];
    ControlRumble rumble;
};

/// ---- names -> indices ---------------------------------------------------------------------------------------------

static Source find_source(const ControlsParams *params, ControlSource kind, const char *name)
{
    bool button = kind == CONTROL_SOURCE_JOYSTICK_BUTTON;
    if (kind == CONTROL_SOURCE_JOYSTICK_AXIS || button) {
        ControlJoystickPart part;
        bool known = control_joystick_part(params->devices, params->device_count, name, button, &part);
        return (Source){kind, known ? part.index : -1, known ? part.device : -1};
    }
    return (Source){kind, control_source_index(kind, name), -1};
}

/// Pad buttons are written in lower case ("x"), keys as SDL writes them ("X"), a joystick's buttons with a colon.
static Source find_modifier(const ControlsParams *params, const char *name)
{
    if (strchr(name, ':') != NULL) {
        return find_source(params, CONTROL_SOURCE_JOYSTICK_BUTTON, name);
    }
    Source button = find_source(params, CONTROL_SOURCE_PAD_BUTTON, name);
    return button.index >= 0 ? button : find_source(params, CONTROL_SOURCE_KEY, name);
}

static bool in_range(double value, double lowest, double highest)
{
    return value >= lowest && value <= highest;
}

static bool resolve_binding(const ControlsParams *params, int number, Binding *binding, Status *status)
{
    static const char *const kinds[] = {"pad axis", "pad button", "key", "joystick axis", "joystick button"};
    const ControlBinding *from = &params->bindings[number];
    if ((unsigned)from->axis >= CONTROL_COUNT || (unsigned)from->source > CONTROL_SOURCE_JOYSTICK_BUTTON) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d names no lever or no kind of input",
                           params->name, number + 1);
    }
    const char *lever = control_axis_names[from->axis];
    binding->source = find_source(params, from->source, from->input);
    binding->modifier = find_modifier(params, from->modifier);
    binding->axis = from->axis;
    binding->scale = from->scale;
    binding->low = from->low;
    binding->rest = from->rest;
    binding->high = from->high;
    if (binding->source.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d (%s): no %s is called \"%s\"; known: %s",
                           params->name, number + 1, lever, kinds[from->source], from->input,
                           control_source_names(from->source));
    }
    if (from->modifier[0] != '\0' && binding->modifier.index < 0) {
        return status_fail(
            status, STATUS_BAD_FILE,
            "controls %s: binding %d (%s): no pad button or key is called \"%s\" (its modifier); known: %s; %s",
            params->name, number + 1, lever, from->modifier, control_source_names(CONTROL_SOURCE_PAD_BUTTON),
            control_source_names(CONTROL_SOURCE_KEY));
    }
    if (!in_range(from->scale, -1.0, 1.0)) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: binding %d (%s): scale %g; allowed are -1..1",
                           params->name, number + 1, lever, from->scale);
    }
    if (from->source == CONTROL_SOURCE_JOYSTICK_AXIS &&
        !(from->low >= -1.0 && from->low <= from->rest && from->rest <= from->high && from->high <= 1.0)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "controls %s: binding %d (%s): low %g, rest %g, high %g; allowed are -1..1, ascending",
                           params->name, number + 1, lever, from->low, from->rest, from->high);
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
    const char *joystick = params->actions[number].joystick;
    action->pad = find_source(params, CONTROL_SOURCE_PAD_BUTTON, pad);
    action->key = find_source(params, CONTROL_SOURCE_KEY, key);
    action->joystick = find_source(params, CONTROL_SOURCE_JOYSTICK_BUTTON, joystick);
    if (pad[0] != '\0' && action->pad.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: action %s: no pad button is called \"%s\"; known: %s",
                           params->name, action->name, pad, control_source_names(CONTROL_SOURCE_PAD_BUTTON));
    }
    if (key[0] != '\0' && action->key.index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: action %s: no key is called \"%s\"; known: %s",
                           params->name, action->name, key, control_source_names(CONTROL_SOURCE_KEY));
    }
    if (joystick[0] != '\0' && action->joystick.index < 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "controls %s: action %s: no joystick button is called \"%s\"; known: %s", params->name,
                           action->name, joystick, control_source_names(CONTROL_SOURCE_JOYSTICK_BUTTON));
    }
    return true;
}

static bool resolve_map(const ControlsParams *params, InputMap *map, Status *status)
{
    int most_actions = CONTROLS_MAX_ACTIONS;
    if (params->device_count < 0 || params->device_count > CONTROLS_MAX_DEVICES) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: %d devices; allowed are 0..%d", params->name,
                           params->device_count, CONTROLS_MAX_DEVICES);
    }
    if (params->binding_count < 0 || params->binding_count > CONTROLS_MAX_BINDINGS || params->action_count < 0 ||
        params->action_count > most_actions) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: %d bindings, %d actions; allowed are 0..%d, 0..%d",
                           params->name, params->binding_count, params->action_count, CONTROLS_MAX_BINDINGS,
                           most_actions);
    }
    if (params->gear_count < 0 || params->gear_count > CONTROLS_MAX_GEARS) {
        return status_fail(status, STATUS_BAD_FILE, "controls %s: %d gears; allowed are 0..%d", params->name,
                           params->gear_count, CONTROLS_MAX_GEARS);
    }
    map->gear_count = params->gear_count;
    memcpy(map->gears, params->gears, sizeof(map->gears));
    map->device_count = params->device_count;
    memcpy(map->devices, params->devices, sizeof(map->devices));
    map->rumble = params->rumble;
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
    if (!resolve_map(params, map, status)) {
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

/// Share of the deflection: an axis within this of its rest is at rest. Chosen; see test_input_rest.
static const double near_rest = 0.25;

static bool is_joystick(Source source)
{
    return source.kind == CONTROL_SOURCE_JOYSTICK_AXIS || source.kind == CONTROL_SOURCE_JOYSTICK_BUTTON;
}

/// True when the device of an input is there, and of a joystick's axis its reading.
static bool is_there(Source source, const InputSample *sample)
{
    const InputJoystick *joystick = is_joystick(source) ? &sample->joystick[source.device] : NULL;
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_AXIS:
    case CONTROL_SOURCE_PAD_BUTTON:
        return sample->pad_present;
    case CONTROL_SOURCE_KEY:
        return true;
    case CONTROL_SOURCE_JOYSTICK_AXIS:
        return joystick->present && !isnan(joystick->axis[source.index]);
    case CONTROL_SOURCE_JOYSTICK_BUTTON:
        return joystick->present;
    }
    return false;
}

/// Deflection of a source as its device tells it, -1..1; 0 when it is none, not there or not a number.
static double source_raw(Source source, const InputSample *sample)
{
    if (source.index < 0) {
        return 0.0;
    }
    double value = 0.0;
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        value = sample->pad_axis[source.index];
        break;
    case CONTROL_SOURCE_PAD_BUTTON:
        return sample->pad_button[source.index] ? 1.0 : 0.0;
    case CONTROL_SOURCE_KEY:
        return sample->key[source.index] ? 1.0 : 0.0;
    case CONTROL_SOURCE_JOYSTICK_AXIS:
        value = is_there(source, sample) ? sample->joystick[source.device].axis[source.index] : 0.0;
        break;
    case CONTROL_SOURCE_JOYSTICK_BUTTON:
        return sample->joystick[source.device].present && sample->joystick[source.device].button[source.index] ? 1.0
                                                                                                               : 0.0;
    }
    return isnan(value) ? 0.0 : fmax(-1.0, fmin(1.0, value));
}

/// How far a joystick's axis that reads `raw` is from what counts as its rest, `from`..`to`; -1..1.
static double deflection_of(const Binding *binding, double raw, double from, double to)
{
    double beyond = raw > to ? raw - to : raw < from ? raw - from : 0.0;
    double side = raw > to ? binding->high - to : from - binding->low;
    return side > 0.0 ? fmax(-1.0, fmin(1.0, beyond / side)) : 0.0;
}

/// True when what an input read at first is its rest, as the map says, so that it may move a lever.
static bool rests_at(const Binding *binding, double first)
{
    if (binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS) {
        return fabs(deflection_of(binding, first, binding->rest, binding->rest)) < near_rest;
    }
    return first < 0.5;
}

/// The same as a lever takes it: a joystick's axis from its rest to either end is 0..1.
/// first  -1..1: where the axis was at first, which is as good a rest as the map's when it is near it; NaN: unknown
static double binding_deflection(const Binding *binding, double first, const InputSample *sample)
{
    double raw = source_raw(binding->source, sample);
    if (binding->source.kind != CONTROL_SOURCE_JOYSTICK_AXIS || !is_there(binding->source, sample)) {
        return raw;
    }
    bool rests = binding->axis != CONTROL_THROTTLE && rests_at(binding, first);
    double from = rests ? fmin(first, binding->rest) : binding->rest;
    double to = rests ? fmax(first, binding->rest) : binding->rest;
    return deflection_of(binding, raw, fmax(from, binding->low), fmin(to, binding->high));
}

static bool is_held(Source source, const InputSample *sample)
{
    return source_raw(source, sample) > 0.5;
}

static bool is_same_source(Source a, Source b)
{
    return a.kind == b.kind && a.index == b.index && a.device == b.device;
}

/// True when a binding counts: its modifier is held, or it has none and the same input has no other meaning just now.
static bool binding_counts(const InputMap *map, const Binding *binding, const InputSample *sample)
{
    if (binding->modifier.index >= 0) {
        return is_held(binding->modifier, sample);
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *other = &map->bindings[i];
        if (is_same_source(other->source, binding->source) && is_held(other->modifier, sample)) {
            return false;
        }
    }
    return true;
}

/// ---- where an input rests ------------------------------------------------------------------------------------------
///
/// What a joystick's input reads when its device has come, before a hand has moved it, is where it rests. Where that
/// is the rest that the map gives, the input counts, from the band between both on. Where it is not, either somebody
/// holds it or the map is wrong about it, and nothing tells which: a pedal that rests pressed looks like a foot that
/// lies on it. Such an input does not count until its device comes anew, or driving starts or resumes after it has
/// stood at its rest for INPUT_RESTS.

static double first_reading(Source source, const InputSample *sample)
{
    const InputJoystick *joystick = &sample->joystick[source.device];
    return source.kind == CONTROL_SOURCE_JOYSTICK_AXIS ? joystick->first[source.index]
                                                       : (double)joystick->first_button[source.index];
}

/// True when an input is at its rest and has been for a while.
static bool stands_at_rest(const Binding *binding, const InputSample *sample)
{
    Source source = binding->source;
    const InputJoystick *joystick = &sample->joystick[source.device];
    double stands = source.kind == CONTROL_SOURCE_JOYSTICK_AXIS ? joystick->stands[source.index]
                                                                : joystick->button_stands[source.index];
    return stands >= INPUT_RESTS && rests_at(binding, source_raw(source, sample));
}

/// True when the input moves a lever, and not the throttle, which stays where it is put.
static bool has_rest(const Binding *binding)
{
    return is_joystick(binding->source) && binding->axis != CONTROL_THROTTLE;
}

/// Notes where a binding's input rested at first.
/// came   its device came since the last call
/// again  driving starts or resumes: what was not at its rest before may be now
static void note_first(const Binding *binding, const InputSample *sample, bool came, bool again, InputMemory *memory,
                       int number)
{
    double *first = &memory->first[number];
    *first = came ? (double)NAN : *first;
    memory->armed[number] = memory->armed[number] && !came;
    if (!is_there(binding->source, sample)) {
        return;
    }
    if (isnan(*first)) {
        *first = first_reading(binding->source, sample);
    }
    if (isnan(*first) || (again && !rests_at(binding, *first) && stands_at_rest(binding, sample))) {
        *first = source_raw(binding->source, sample);
    }
    bool near = rests_at(binding, *first) && fabs(binding_deflection(binding, *first, sample)) < near_rest;
    memory->armed[number] = memory->armed[number] || near;
}

static void note_rests(const InputMap *map, const InputSample *sample, InputMemory *memory)
{
    bool came[CONTROLS_MAX_DEVICES], again = !memory->begun || memory->rested;
    for (int i = 0; i < CONTROLS_MAX_DEVICES; i++) {
        came[i] = !memory->begun || sample->joystick[i].came != memory->came[i];
        memory->came[i] = sample->joystick[i].came;
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (has_rest(binding)) {
            note_first(binding, sample, came[binding->source.device], again, memory, i);
        }
    }
    memory->rested = false;
}

void input_map_rest(InputMemory *memory)
{
    memory->rested = true;
}

bool input_map_not_at_rest(const InputMap *map, const InputSample *sample, const InputMemory *memory, InputNews *news)
{
    for (int i = 0; i < map->binding_count && memory->begun; i++) {
        const Binding *binding = &map->bindings[i];
        if (has_rest(binding) && is_there(binding->source, sample) && !rests_at(binding, memory->first[i])) {
            bool axis = binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS;
            *news = (InputNews){.kind = axis ? INPUT_NEWS_AXIS_HELD : INPUT_NEWS_BUTTON_HELD,
                                .index = binding->source.index,
                                .first = memory->first[i],
                                .rest = axis ? binding->rest : 0.0};
            snprintf(news->id, sizeof(news->id), "%s", map->devices[binding->source.device].id);
            return true;
        }
    }
    return false;
}

static bool binding_waits(const InputMap *map, int number, const InputSample *sample, const InputMemory *memory)
{
    const Binding *binding = &map->bindings[number];
    if (binding->source.kind == CONTROL_SOURCE_PAD_AXIS) {
        return sample->pad_waits[binding->source.index];
    }
    return has_rest(binding) && !memory->armed[number];
}

/// ---- levers --------------------------------------------------------------------------------------------------------

/// Lever answer to a deflection v:  f(v) = sign(v) ((|v| - d) / (1 - d))^e  outside the dead zone d, 0 inside it.
/// Continuous at the dead zone's edge; f(1) = 1.
static double curve_at(const ControlCurve *curve, double v)
{
    double outside = (fabs(v) - curve->dead_zone) / (1.0 - curve->dead_zone);
    return outside <= 0.0 ? 0.0 : copysign(pow(outside, curve->exponent), v);
}

/// True for an axis that goes both ways from its rest: a stick, a wheel.
static bool goes_both_ways(const Binding *binding)
{
    if (binding->source.kind == CONTROL_SOURCE_PAD_AXIS) {
        return control_pad_axis_way(binding->source.index, 1) != NULL;
    }
    return binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS && binding->low < binding->rest &&
           binding->rest < binding->high;
}

/// Where one input puts the throttle, -1..1. A wheel or slider v = -1..1 puts it at scale v. What goes one way, v =
/// 0..1, leads from idle up (scale above 0, an accelerator) or from full down (below 0, a decelerator), by twice as
/// much.
static double throttle_of(const InputMap *map, const Binding *binding, const InputSample *sample)
{
    double v = curve_at(&map->curves[CONTROL_THROTTLE], binding_deflection(binding, 0.0, sample));
    if (goes_both_ways(binding)) {
        return binding->scale * v;
    }
    bool towards_low = binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS && binding->rest >= binding->high;
    double way = 2.0 * binding->scale * fabs(v) * (towards_low ? -1.0 : 1.0);
    return (binding->scale > 0.0) != towards_low ? way - 1.0 : way + 1.0;
}

bool input_map_has_throttle(const InputMap *map, const InputSample *sample)
{
    for (int i = 0; i < map->binding_count; i++) {
        if (map->bindings[i].axis == CONTROL_THROTTLE && is_there(map->bindings[i].source, sample)) {
            return true;
        }
    }
    return false;
}

/// ---- gears ---------------------------------------------------------------------------------------------------------
/// A key or button has one way alone and would ask for the fastest gear at once. So a gear limits what all of them ask
/// of the tracks together; a stick or pedal says by its way how fast.

static bool is_action_held(const InputMap *map, const InputSample *sample, const char *name)
{
    bool held = false;
    for (int i = 0; i < map->action_count; i++) {
        const Action *action = &map->actions[i];
        held |= strcmp(action->name, name) == 0 &&
                (is_held(action->pad, sample) || is_held(action->key, sample) || is_held(action->joystick, sample));
    }
    return held;
}

/// Each press is a step: presses last a tick at least, and are a tick apart (edges.h).
static void change_gear(const InputMap *map, const InputSample *sample, InputMemory *memory)
{
    static const char *const names[] = {"gear_down", "gear_up"};
    for (int k = 0; k < 2; k++) {
        bool held = is_action_held(map, sample, names[k]);
        if (held && !memory->gear_held[k] && memory->begun) {
            int gear = memory->gear + (k == 0 ? -1 : 1);
            memory->gear = gear < 0 || gear >= map->gear_count ? memory->gear : gear;
        }
        memory->gear_held[k] = held;
    }
}

int input_map_gear(const InputMap *map, const InputMemory *memory, int *count)
{
    *count = map->gear_count;
    return map->gear_count > 0 ? memory->gear + 1 : 0;
}

/// True when a gear limits what the binding asks for.
static bool goes_by_gear(const InputMap *map, const Binding *binding)
{
    bool axis = binding->source.kind == CONTROL_SOURCE_PAD_AXIS || binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS;
    return map->gear_count > 0 && !axis &&
           (binding->axis == CONTROL_LEFT_TRACK || binding->axis == CONTROL_RIGHT_TRACK);
}

/// Where the levers are to go. Of several inputs of the throttle the one that asks for least counts, as on a machine
/// with a hand throttle and a decelerator.
static void find_wanted(const InputMap *map, const InputSample *sample, const InputMemory *memory,
                        double wanted[CONTROL_COUNT])
{
    double geared[CONTROL_COUNT] = {0}; // of keys and buttons, as in the fastest gear
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        wanted[axis] = control_value(&control_neutral, (ControlAxis)axis);
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (!binding_counts(map, binding, sample) || binding_waits(map, i, sample, memory)) {
            continue;
        }
        if (binding->axis != CONTROL_THROTTLE) {
            double v = binding_deflection(binding, memory->first[i], sample);
            double *sum = goes_by_gear(map, binding) ? geared : wanted;
            sum[binding->axis] += binding->scale * curve_at(&map->curves[binding->axis], v);
        } else if (is_there(binding->source, sample)) {
            wanted[CONTROL_THROTTLE] = fmin(wanted[CONTROL_THROTTLE], throttle_of(map, binding, sample));
        }
    }
    for (int axis = 0; axis < CONTROL_COUNT && map->gear_count > 0; axis++) {
        wanted[axis] += map->gears[memory->gear] * fmax(-1.0, fmin(1.0, geared[axis]));
    }
}

void input_map_apply(const InputMap *map, const InputSample *sample, double dt, InputMemory *memory,
                     OperatorControls *controls)
{
    double wanted[CONTROL_COUNT];
    note_rests(map, sample, memory);
    change_gear(map, sample, memory);
    find_wanted(map, sample, memory, wanted);
    bool starts = !memory->begun || sample->pads_lost != memory->pads_lost;
    memory->pads_lost = sample->pads_lost;
    memory->begun = true;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        double from = starts ? control_value(&control_neutral, (ControlAxis)axis) : memory->lever[axis];
        double to = fmax(-1.0, fmin(1.0, wanted[axis]));
        double most = map->curves[axis].rate * fmax(dt, 0.0);
        memory->lever[axis] = from + fmax(-most, fmin(most, to - from));
        controls->axis[axis] = control_quantise(memory->lever[axis]);
    }
}

static int presses_of(Source source, const InputSample *sample)
{
    if (source.index < 0) {
        return 0;
    }
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_BUTTON:
        return sample->pad_pressed[source.index];
    case CONTROL_SOURCE_KEY:
        return sample->key_pressed[source.index];
    case CONTROL_SOURCE_JOYSTICK_BUTTON:
        return sample->joystick[source.device].pressed[source.index];
    case CONTROL_SOURCE_PAD_AXIS:
    case CONTROL_SOURCE_JOYSTICK_AXIS:
        break;
    }
    return 0;
}

int input_map_presses(const InputMap *map, const InputSample *sample, const char *action)
{
    int presses = 0;
    for (int i = 0; i < map->action_count; i++) {
        if (strcmp(map->actions[i].name, action) == 0) {
            presses += presses_of(map->actions[i].pad, sample) + presses_of(map->actions[i].key, sample) +
                       presses_of(map->actions[i].joystick, sample);
        }
    }
    return presses;
}

const ControlDevice *input_map_devices(const InputMap *map, int *count)
{
    *count = map->device_count;
    return map->devices;
}

const ControlRumble *input_map_rumble(const InputMap *map)
{
    return &map->rumble;
}

const char *input_key_text(const char *name)
{
    return name[0] != '\0' && name[1] == '\0' ? name : language_text(name); // "R" alone means "right" elsewhere
}

const char *input_way_name(ControlAxis axis, int sign)
{
    static const char *const names[CONTROL_COUNT][2] = {
        [CONTROL_SWING] = {TEXT("swing left"), TEXT("swing right")},
        [CONTROL_STICK] = {TEXT("stick out"), TEXT("stick in")},
        [CONTROL_BOOM] = {TEXT("boom down"), TEXT("boom up")},
        [CONTROL_BUCKET] = {TEXT("bucket dump"), TEXT("bucket curl")},
        [CONTROL_LEFT_TRACK] = {TEXT("left track back"), TEXT("left track ahead")},
        [CONTROL_RIGHT_TRACK] = {TEXT("right track back"), TEXT("right track ahead")},
        [CONTROL_THROTTLE] = {TEXT("engine idle"), TEXT("engine full")},
        [CONTROL_BLADE] = {TEXT("blade down"), TEXT("blade up")},
        [CONTROL_BLADE_TILT] = {TEXT("tilt left"), TEXT("tilt right")},
        [CONTROL_BLADE_ANGLE] = {TEXT("angle left"), TEXT("angle right")},
        [CONTROL_RIPPER] = {TEXT("ripper up"), TEXT("ripper down")},
        [CONTROL_HORN] = {NULL, TEXT("horn")},
        [CONTROL_TOOL_TILT] = {TEXT("tilt left"), TEXT("tilt right")},
        [CONTROL_TOOL_ROTATE] = {TEXT("rotate left"), TEXT("rotate right")},
        [CONTROL_AUXILIARY] = {TEXT("grip open"), TEXT("hammer, sling, grip")},
    };
    const char *name = names[axis][sign > 0];
    return name != NULL ? name : "";
}

/// ---- words for what moves a lever ----------------------------------------------------------------------------------
/// From the map alone: "right stick down/up, K/I" for boom up and down. Both ways of a lever are given as pairs, the
/// positive one first; what a modifier only makes gentler is left out.

static void label_button(const ControlDevice *device, int index, char *text, int size)
{
    int hat = 0;
    const char *way = "";
    if (!control_hat_way(index, &hat, &way)) {
        snprintf(text, (size_t)size, language_text("%s button %d"), language_text(device->id), index);
    } else if (hat == 0) {
        snprintf(text, (size_t)size, language_text("%s hat %s"), language_text(device->id), language_text(way));
    } else {
        snprintf(text, (size_t)size, language_text("%s hat %d %s"), language_text(device->id), hat + 1,
                 language_text(way));
    }
}

/// "left stick", "pedals axis 1", "K".
static void source_label(const InputMap *map, Source source, char *text, int size)
{
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        snprintf(text, (size_t)size, "%s", language_text(control_pad_axis_label(source.index)));
        break;
    case CONTROL_SOURCE_PAD_BUTTON:
        snprintf(text, (size_t)size, "%s", language_text(control_pad_button_label(source.index)));
        break;
    case CONTROL_SOURCE_KEY:
        snprintf(text, (size_t)size, "%s", input_key_text(control_key_label(source.index)));
        break;
    case CONTROL_SOURCE_JOYSTICK_AXIS:
        snprintf(text, (size_t)size, language_text("%s axis %d"), language_text(map->devices[source.device].id),
                 source.index);
        break;
    case CONTROL_SOURCE_JOYSTICK_BUTTON:
        label_button(&map->devices[source.device], source.index, text, size);
        break;
    }
}

void input_map_trace(const InputMap *map, const InputSample *sample, const InputMemory *memory, ControlAxis axis,
                     InputTrace *trace)
{
    *trace = (InputTrace){.lever = memory->lever[axis]};
    double most = 0.02; // of -1..1: less is the noise of an untouched axis
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (binding->axis != axis) {
            continue;
        }
        double moved = fabs(binding_deflection(binding, memory->first[i], sample));
        bool waiting = binding_waits(map, i, sample, memory) && is_there(binding->source, sample);
        bool pad = binding->source.kind == CONTROL_SOURCE_PAD_AXIS;
        trace->waiting = trace->waiting || waiting;
        trace->unrested = trace->unrested || (waiting && (pad || !rests_at(binding, memory->first[i])));
        if (moved > most && binding_counts(map, binding, sample)) {
            most = moved;
            trace->raw = source_raw(binding->source, sample);
            trace->analog =
                binding->source.kind == CONTROL_SOURCE_PAD_AXIS || binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS;
            source_label(map, binding->source, trace->source, (int)sizeof(trace->source));
        }
    }
}

enum { MOST_WORDS = 16, WORD_LENGTH = 96, LABEL_LENGTH = 32 };

/// What moves a lever one way: "right trigger", "K".
typedef struct Words {
    int count;
    char text[MOST_WORDS][WORD_LENGTH];
} Words;

/// The two ways of a binding's axis, that which moves the lever to plus first: "right/left", "+/-". False for what has
/// one way: buttons, keys, triggers, pedals.
static bool name_ways(const Binding *binding, const char **plus, const char **minus)
{
    int sign = binding->scale > 0.0 ? 1 : -1;
    *plus = *minus = NULL;
    if (binding->source.kind == CONTROL_SOURCE_PAD_AXIS) {
        *plus = control_pad_axis_way(binding->source.index, sign);
        *minus = control_pad_axis_way(binding->source.index, -sign);
    } else if (binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS && binding->low < binding->rest &&
               binding->rest < binding->high) {
        *plus = sign > 0 ? "+" : "-";
        *minus = sign > 0 ? "-" : "+";
    }
    return *plus != NULL;
}

/// Room for one more word (cut to WORD_LENGTH); the last one is written over when there are too many.
static char *new_word(Words *words)
{
    if (words->count < MOST_WORDS) {
        words->count++;
    }
    return words->text[words->count - 1];
}

/// The binding of the same input to the same lever without a modifier whose scale has this sign (that of `way` x the
/// binding's own); NULL when there is none.
static const Binding *find_plain(const InputMap *map, const Binding *binding, double way)
{
    for (int i = 0; i < map->binding_count && binding->modifier.index >= 0; i++) {
        const Binding *plain = &map->bindings[i];
        if (plain->modifier.index < 0 && plain->axis == binding->axis &&
            is_same_source(plain->source, binding->source) && way * plain->scale * binding->scale > 0.0) {
            return plain;
        }
    }
    return NULL;
}

static bool is_directional(Source source)
{
    return source.kind == CONTROL_SOURCE_PAD_BUTTON && source.index >= control_pad_button_index("dpup") &&
           source.index <= control_pad_button_index("dpright");
}

/// Whether the four of the directional pad move a lever: then they are described as one.
static bool takes_directional_pad(const InputMap *map, ControlAxis axis)
{
    unsigned found = 0, all = 0xF;
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (binding->axis == axis && binding->scale != 0.0 && is_directional(binding->source)) {
            found |= 1U << (binding->source.index - control_pad_button_index("dpup"));
        }
    }
    return found == all;
}

/// Which bindings of a lever are described.
typedef enum Part {
    PART_ALL,
    PART_ALONE, ///< of a track: what does not move the other one
    PART_BOTH, ///< of a track: what moves both the same way
    PART_APART ///< of a track: what moves the other one the other way
} Part;

/// Which part of its track's bindings this one is.
static Part part_of(const InputMap *map, const Binding *binding)
{
    ControlAxis other = binding->axis == CONTROL_LEFT_TRACK ? CONTROL_RIGHT_TRACK : CONTROL_LEFT_TRACK;
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *pair = &map->bindings[i];
        bool held = binding->modifier.index >= 0, pair_held = pair->modifier.index >= 0;
        if (pair->axis == other && pair->scale != 0.0 && is_same_source(pair->source, binding->source) &&
            held == pair_held && (!held || is_same_source(pair->modifier, binding->modifier))) {
            return pair->scale * binding->scale > 0.0 ? PART_BOTH : PART_APART;
        }
    }
    return PART_ALONE;
}

/// Whether a binding of the lever has a word of its own.
static bool is_described(const InputMap *map, ControlAxis axis, Part part, bool keys, const Binding *binding)
{
    bool pad = part == PART_ALL && takes_directional_pad(map, axis);
    return binding->axis == axis && binding->scale != 0.0 && (binding->source.kind == CONTROL_SOURCE_KEY) == keys &&
           !(pad && is_directional(binding->source)) &&
           find_plain(map, binding, 1.0) == NULL && // a modifier that only changes how far the lever goes is no news
           (part == PART_ALL || part == part_of(map, binding));
}

/// Sorts the bindings of one lever and one device into whole sticks, ways up and ways down.
static void collect_words(const InputMap *map, ControlAxis axis, Part part, bool keys, Words *sticks, Words *ups,
                          Words *downs)
{
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (!is_described(map, axis, part, keys, binding)) {
            continue;
        }
        bool held = binding->modifier.index >= 0;
        char modifier[LABEL_LENGTH] = "", label[LABEL_LENGTH];
        const char *between = held ? " + " : "", *plus = NULL, *minus = NULL;
        if (held) {
            source_label(map, binding->modifier, modifier, (int)sizeof(modifier));
        }
        source_label(map, binding->source, label, (int)sizeof(label));
        if (name_ways(binding, &plus, &minus)) {
            snprintf(new_word(sticks), WORD_LENGTH, "%s%s%s %s/%s", modifier, between, label, language_text(plus),
                     language_text(minus));
        } else {
            // A pedal that is pressed towards its low end pulls the lever the other way.
            bool towards_low = binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS && binding->rest >= binding->high;
            bool up = (binding->scale > 0.0) != towards_low;
            char *word = new_word(up ? ups : downs);
            if (find_plain(map, binding, -1.0) != NULL) {
                snprintf(word, WORD_LENGTH, language_text("with %s"), modifier); // "pedals axis 0/with left button 0"
            } else {
                snprintf(word, WORD_LENGTH, "%s%s%s", modifier, between, label);
            }
        }
    }
}

static void append_words(char *text, int size, const char *separator, const char *words)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s%s", used ? separator : "", words);
}

static void describe_device(const InputMap *map, ControlAxis axis, Part part, bool keys, char *text, int size)
{
    Words sticks = {0, {{0}}}, ups = {0, {{0}}}, downs = {0, {{0}}};
    collect_words(map, axis, part, keys, &sticks, &ups, &downs);
    for (int i = 0; i < sticks.count; i++) {
        append_words(text, size, ", ", sticks.text[i]);
    }
    for (int i = 0; i < ups.count || i < downs.count; i++) {
        char pair[2 * WORD_LENGTH + 2];
        bool up = i < ups.count, down = i < downs.count;
        snprintf(pair, sizeof(pair), "%s%s%s", up ? ups.text[i] : "", up && down ? "/" : "", down ? downs.text[i] : "");
        append_words(text, size, ", ", pair);
    }
}

static void describe_axis(const InputMap *map, ControlAxis axis, Part part, bool devices, char *text, int size)
{
    text[0] = '\0';
    if (devices) {
        describe_device(map, axis, part, false, text, size);
    }
    describe_device(map, axis, part, true, text, size);
}

void input_map_describe(const InputMap *map, ControlAxis axis, bool devices, char *text, int size)
{
    if (size > 0) {
        describe_axis(map, axis, PART_ALL, devices, text, size);
        if (devices && takes_directional_pad(map, axis)) {
            append_words(text, size, ", ", language_text("D-pad"));
        }
    }
}

void input_map_describe_tracks(const InputMap *map, InputTracks tracks, bool devices, char *text, int size)
{
    static const struct {
        ControlAxis axis;
        Part part;
    } parts[] = {[INPUT_TRACK_LEFT] = {CONTROL_LEFT_TRACK, PART_ALONE},
                 [INPUT_TRACK_RIGHT] = {CONTROL_RIGHT_TRACK, PART_ALONE},
                 [INPUT_TRACKS_AHEAD] = {CONTROL_LEFT_TRACK, PART_BOTH},
                 [INPUT_TRACKS_TURN] = {CONTROL_LEFT_TRACK, PART_APART}};
    if (size > 0) {
        describe_axis(map, parts[tracks].axis, parts[tracks].part, devices, text, size);
    }
}

void input_map_describe_gentle(const InputMap *map, bool devices, char *text, int size)
{
    if (size <= 0) {
        return;
    }
    text[0] = '\0';
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i], *plain = find_plain(map, binding, 1.0);
        bool told = plain == NULL || (!devices && binding->source.kind != CONTROL_SOURCE_KEY) ||
                    fabs(binding->scale) >= fabs(plain->scale);
        for (int k = 0; k < i && !told; k++) {
            const Binding *before = &map->bindings[k];
            told = find_plain(map, before, 1.0) != NULL && is_same_source(before->modifier, binding->modifier);
        }
        if (!told) {
            char modifier[LABEL_LENGTH];
            source_label(map, binding->modifier, modifier, (int)sizeof(modifier));
            append_words(text, size, ", ", modifier);
        }
    }
}

/// ---- words for what happened to devices ----------------------------------------------------------------------------

static void button_text(const InputNews *news, const TextReader *reader, char text[INPUT_NEWS_TEXT])
{
    int hat = 0;
    const char *way = "";
    if (control_hat_way(news->index, &hat, &way)) {
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s hat %d %s came pressed: let it go and pause once"),
                 news->id, hat + 1, reader_text(reader, way));
    } else {
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s button %d came pressed: let it go and pause once"),
                 news->id, news->index);
    }
}

void input_news_text(const InputNews *news, const TextReader *reader, char text[INPUT_NEWS_TEXT])
{
    switch (news->kind) {
    case INPUT_NEWS_CONNECTED:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s connected"), news->name);
        break;
    case INPUT_NEWS_CONNECTED_AS:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s connected as %s"), news->name, news->id);
        break;
    case INPUT_NEWS_STANDS_FOR:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s"), news->name, news->id);
        break;
    case INPUT_NEWS_MISSING:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is not plugged in"), news->id);
        break;
    case INPUT_NEWS_LOST:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s lost: its levers are neutral"), news->name);
        break;
    case INPUT_NEWS_TOO_MANY:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s not used: too many pads"), news->name);
        break;
    case INPUT_NEWS_CANNOT_OPEN:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s cannot be opened"), news->name);
        break;
    case INPUT_NEWS_STANDS_BY_SOCKET:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s by the order of sockets: set it up to keep that"),
                 news->name, news->id);
        break;
    case INPUT_NEWS_STANDS_BY_CHANCE:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s by chance: nothing tells it from an equal one"),
                 news->name, news->id);
        break;
    case INPUT_NEWS_STRANGER:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s moves nothing until it is set up"), news->name);
        break;
    case INPUT_NEWS_STRANGER_LOST:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s unplugged"), news->name);
        break;
    case INPUT_NEWS_HELD:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s came with something held: let it go and pause once"),
                 news->name);
        break;
    case INPUT_NEWS_AXIS_HELD:
        snprintf(text, INPUT_NEWS_TEXT,
                 reader_text(reader, "%s axis %d came at %+.2f and rests at %+.2f: let it go and pause once"), news->id,
                 news->index, news->first, news->rest);
        break;
    case INPUT_NEWS_BUTTON_HELD:
        button_text(news, reader, text);
        break;
    case INPUT_NEWS_NONE:
        text[0] = '\0';
        break;
    }
}

/// ---- shaking -------------------------------------------------------------------------------------------------------
/// The heavy motor follows the tool's force. The light one hums with the square of the engine's load, so that idling is
/// not felt, and buzzes when a limit acts. A pulse is for what happens once: each motor does the stronger of both.
/// Strengths are shares of a motor's full strength, which no device states in N.

static const double least_force = 0.05; ///< share of the digging force below which the tool is felt as free; chosen
static const double limit_buzz = 0.3; ///< share of the map's strength that a limit adds; chosen

/// 0..1; 0 for what is not a number.
static double unit_share(double value)
{
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

InputShake input_shake(const ControlRumble *rumble, double tool_force, double engine_load, bool at_limit)
{
    double force = unit_share(tool_force);
    double hum = unit_share(rumble->engine) * unit_share(engine_load) * unit_share(engine_load); // idling is not felt
    double buzz = at_limit ? limit_buzz * unit_share(rumble->tool) : 0.0;
    return (InputShake){.low = force < least_force ? 0.0 : force * unit_share(rumble->tool),
                        .high = unit_share(hum + buzz)};
}

InputShake input_shake_add(const ControlRumble *rumble, InputShake shake, const InputPulse *pulse)
{
    double low = unit_share(rumble->tool) * unit_share(pulse->low),
           high = unit_share(rumble->tool) * unit_share(pulse->high);
    return (InputShake){.low = low > shake.low ? low : shake.low, .high = high > shake.high ? high : shake.high};
}
