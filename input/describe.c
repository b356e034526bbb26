/// Tells in the words of who reads what moves a lever, from the map alone: "right stick down/up, K/I" for boom up and
/// down.
///
/// Both ways of a lever are told as pairs, the positive one first; what a modifier only makes gentler is left out.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/control_names.h"
#include "data/core/language.h"
#include "input/map.h"

enum { MOST_WORDS = 16, WORD_LENGTH = 96, LABEL_LENGTH = 32 };

/// What moves a lever one way: "right trigger", "K".
typedef struct Words {
    int count;
    char text[MOST_WORDS][WORD_LENGTH];
} Words;

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

void map_label(const InputMap *map, Source source, char *text, int size)
{
    switch (source.kind) {
    case CONTROL_SOURCE_PAD_AXIS:
        snprintf(text, (size_t)size, "%s", language_text(control_pad_axis_label(source.index)));
        break;
    case CONTROL_SOURCE_PAD_BUTTON:
        snprintf(text, (size_t)size, "%s", language_text(control_pad_button_label(source.index)));
        break;
    case CONTROL_SOURCE_KEY:
        snprintf(text, (size_t)size, "%s", language_text(control_key_label(source.index)));
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
        if (plain->modifier.index < 0 && plain->axis == binding->axis && map_is_same(plain->source, binding->source) &&
            way * plain->scale * binding->scale > 0.0) {
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

/// Whether the four of the directional pad move a lever: then they are told as one.
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

/// Which bindings of a lever are told.
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
        if (pair->axis == other && pair->scale != 0.0 && map_is_same(pair->source, binding->source) &&
            held == pair_held && (!held || map_is_same(pair->modifier, binding->modifier))) {
            return pair->scale * binding->scale > 0.0 ? PART_BOTH : PART_APART;
        }
    }
    return PART_ALONE;
}

/// Whether a binding of the lever is told as a word of its own.
static bool is_told(const InputMap *map, ControlAxis axis, Part part, bool keys, const Binding *binding)
{
    bool pad = part == PART_ALL && takes_directional_pad(map, axis);
    return binding->axis == axis && binding->scale != 0.0 && (binding->source.kind == CONTROL_SOURCE_KEY) == keys &&
           !(pad && is_directional(binding->source)) &&
           find_plain(map, binding, 1.0) == NULL && // a modifier that only changes how far the lever goes is no news
           (part == PART_ALL || part == part_of(map, binding));
}

/// Sorts the bindings of one lever and one device into whole sticks, ways up and ways down.
static void collect(const InputMap *map, ControlAxis axis, Part part, bool keys, Words *sticks, Words *ups,
                    Words *downs)
{
    for (int i = 0; i < map->binding_count; i++) {
        const Binding *binding = &map->bindings[i];
        if (!is_told(map, axis, part, keys, binding)) {
            continue;
        }
        bool held = binding->modifier.index >= 0;
        char modifier[LABEL_LENGTH] = "", label[LABEL_LENGTH];
        const char *between = held ? " + " : "", *plus = NULL, *minus = NULL;
        if (held) {
            map_label(map, binding->modifier, modifier, (int)sizeof(modifier));
        }
        map_label(map, binding->source, label, (int)sizeof(label));
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

static void append(char *text, int size, const char *separator, const char *words)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s%s", used ? separator : "", words);
}

static void describe_device(const InputMap *map, ControlAxis axis, Part part, bool keys, char *text, int size)
{
    Words sticks = {0, {{0}}}, ups = {0, {{0}}}, downs = {0, {{0}}};
    collect(map, axis, part, keys, &sticks, &ups, &downs);
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

static void describe(const InputMap *map, ControlAxis axis, Part part, bool devices, char *text, int size)
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
        describe(map, axis, PART_ALL, devices, text, size);
        if (devices && takes_directional_pad(map, axis)) {
            append(text, size, ", ", language_text("D-pad"));
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
        describe(map, parts[tracks].axis, parts[tracks].part, devices, text, size);
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
            told = find_plain(map, before, 1.0) != NULL && map_is_same(before->modifier, binding->modifier);
        }
        if (!told) {
            char modifier[LABEL_LENGTH];
            map_label(map, binding->modifier, modifier, (int)sizeof(modifier));
            append(text, size, ", ", modifier);
        }
    }
}
