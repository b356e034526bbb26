/// Applies a control map: names become indices once, and then each sample becomes levers.
///
/// A lever is the clamped sum of its bindings, each with dead zone and exponent, followed no faster than its rate, and
/// quantised to int16: what leaves this file is what is recorded. Nothing here knows devices or time; the caller keeps
/// the memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/control_names.h"
#include "input/map.h"

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

static bool resolve(const ControlsParams *params, InputMap *map, Status *status)
{
    int most_actions = (int)(sizeof(map->actions) / sizeof(map->actions[0]));
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

double map_raw(Source source, const InputSample *sample)
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

double map_deflection(const Binding *binding, double first, const InputSample *sample)
{
    double raw = map_raw(binding->source, sample);
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
    return map_raw(source, sample) > 0.5;
}

bool map_is_same(Source a, Source b)
{
    return a.kind == b.kind && a.index == b.index && a.device == b.device;
}

bool map_counts(const InputMap *map, const Binding *binding, const InputSample *sample)
{
    if (binding->modifier.index >= 0) {
        return is_held(binding->modifier, sample);
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *other = &map->bindings[i];
        if (map_is_same(other->source, binding->source) && is_held(other->modifier, sample)) {
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
    return stands >= INPUT_RESTS && rests_at(binding, map_raw(source, sample));
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
        *first = map_raw(binding->source, sample);
    }
    bool near = rests_at(binding, *first) && fabs(map_deflection(binding, *first, sample)) < near_rest;
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

static bool waits(const InputMap *map, int number, const InputSample *sample, const InputMemory *memory)
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
static double answer(const ControlCurve *curve, double v)
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
    double v = answer(&map->curves[CONTROL_THROTTLE], map_deflection(binding, 0.0, sample));
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

/// Where the levers are to go. Of several inputs of the throttle the one that asks for least counts, as on a machine
/// with a hand throttle and a decelerator.
static void find_wanted(const InputMap *map, const InputSample *sample, const InputMemory *memory,
                        double wanted[CONTROL_COUNT])
{
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        wanted[axis] = control_value(&control_neutral, (ControlAxis)axis);
    }
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (!map_counts(map, binding, sample) || waits(map, i, sample, memory)) {
            continue;
        }
        if (binding->axis != CONTROL_THROTTLE) {
            double v = map_deflection(binding, memory->first[i], sample);
            wanted[binding->axis] += binding->scale * answer(&map->curves[binding->axis], v);
        } else if (is_there(binding->source, sample)) {
            wanted[CONTROL_THROTTLE] = fmin(wanted[CONTROL_THROTTLE], throttle_of(map, binding, sample));
        }
    }
}

void input_map_apply(const InputMap *map, const InputSample *sample, double dt, InputMemory *memory,
                     OperatorControls *controls)
{
    double wanted[CONTROL_COUNT];
    note_rests(map, sample, memory);
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
        double moved = fabs(map_deflection(binding, memory->first[i], sample));
        bool waiting = waits(map, i, sample, memory) && is_there(binding->source, sample);
        bool pad = binding->source.kind == CONTROL_SOURCE_PAD_AXIS;
        trace->waiting = trace->waiting || waiting;
        trace->unrested = trace->unrested || (waiting && (pad || !rests_at(binding, memory->first[i])));
        if (moved > most && map_counts(map, binding, sample)) {
            most = moved;
            trace->raw = map_raw(binding->source, sample);
            trace->analog =
                binding->source.kind == CONTROL_SOURCE_PAD_AXIS || binding->source.kind == CONTROL_SOURCE_JOYSTICK_AXIS;
            map_label(map, binding->source, trace->source, (int)sizeof(trace->source));
        }
    }
}
