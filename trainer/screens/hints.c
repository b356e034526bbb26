/// Levers first, as the map describes their bindings, then the actions, then the keys that are the same with every map.
/// What does not fit a line of the screen is left out.
#include "trainer/screens/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "data/control_names.h"
#include "data/language/language.h"

#include "trainer/screens/setup/lever_words.h"

/// Labels name the positive direction first, as the map's description does. `hammer`: the machine has one.
static void describe_levers(Hints *hints, const InputMap *map, bool hammer)
{
    static const struct {
        ControlAxis axis;
        const char *text;
    } levers[] = {{CONTROL_SWING, TEXT("swing")},        {CONTROL_STICK, TEXT("stick")},
                  {CONTROL_BOOM, TEXT("boom")},          {CONTROL_BUCKET, TEXT("bucket")},
                  {CONTROL_LEFT_TRACK, TEXT("track L")}, {CONTROL_RIGHT_TRACK, TEXT("track R")},
                  {CONTROL_BLADE, TEXT("blade")},        {CONTROL_BLADE_TILT, TEXT("tilt")},
                  {CONTROL_BLADE_ANGLE, TEXT("angle")},  {CONTROL_RIPPER, TEXT("ripper")},
                  {CONTROL_THROTTLE, TEXT("engine")},    {CONTROL_HORN, TEXT("horn")},
                  {CONTROL_AUXILIARY, TEXT("hammer")}};
    for (size_t i = 0; i < sizeof levers / sizeof levers[0]; i++) {
        char bound[HINT_TEXT / 2] = "";
        input_map_describe(map, levers[i].axis, bound, (int)sizeof bound);
        lever_words_cut(bound);
        if (bound[0] != '\0' && (hammer || levers[i].axis != CONTROL_AUXILIARY)) {
            snprintf(hints->text[hints->count++], HINT_TEXT, "%s: %s", language_text(levers[i].text), bound);
        }
    }
}

/// What the map calls an action, as the screen calls it.
static const char *action_label(const char *name)
{
    static const char *const labels[][2] = {{"camera", TEXT("camera")},
                                            {"pause", TEXT("pause")},
                                            {"menu", TEXT("menu")},
                                            {"throttle_up", TEXT("engine faster")},
                                            {"throttle_down", TEXT("engine slower")},
                                            {"reset", TEXT("start again")}};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (strcmp(name, labels[i][0]) == 0) {
            return language_text(labels[i][1]);
        }
    }
    return language_text(name);
}

static bool is_menu_after_pause(const ControlsParams *params, int k)
{
    return k > 0 && strcmp(params->actions[k].name, "menu") == 0 && params->actions[k].key[0] != '\0' &&
           strcmp(params->actions[k - 1].name, "pause") == 0;
}

/// What is written on a pad's button: "B", "Back".
static const char *pad_name(const char *button)
{
    int index = button[0] != '\0' ? control_pad_button_index(button) : -1;
    return index >= 0 ? control_pad_button_label(index) : "";
}

/// "left button 3", "left hat up", "left hat 2 up"; false and "" when an action has no joystick's button.
static bool name_joystick(const ControlsParams *params, const char *name, char *text, size_t size)
{
    ControlJoystickPart part;
    int hat = 0;
    const char *way = "";
    text[0] = '\0';
    if (!control_joystick_part(params->devices, params->device_count, name, true, &part)) {
        return false;
    }
    const char *device = language_text(params->devices[part.device].id);
    if (!control_hat_way(part.index, &hat, &way)) {
        snprintf(text, size, language_text("%s button %d"), device, part.index);
    } else if (hat == 0) {
        snprintf(text, size, language_text("%s hat %s"), device, language_text(way));
    } else {
        snprintf(text, size, language_text("%s hat %d %s"), device, hat + 1, language_text(way));
    }
    return true;
}

/// One action a line: "camera: pad B, C".
static void describe_actions(Hints *hints, const ControlsParams *params)
{
    for (int i = 0; i < params->action_count && hints->count < RENDER_MAX_HINTS - 3; i++) {
        if (strcmp(params->actions[i].name, "look") == 0) { // the last line tells how
            continue;
        }
        if (is_menu_after_pause(params, i)) { // which does the same
            size_t length = strlen(hints->text[hints->count - 1]);
            snprintf(hints->text[hints->count - 1] + length, HINT_TEXT - length, ", %s",
                     language_text(params->actions[i].key));
            continue;
        }
        const char *pad = language_text(pad_name(params->actions[i].pad)), *key = language_text(params->actions[i].key);
        char joystick[HINT_TEXT / 2] = "";
        bool part = name_joystick(params, params->actions[i].joystick, joystick, sizeof joystick);
        const char *between = pad[0] != '\0' && part ? ", " : "";
        const char *before_key = (pad[0] != '\0' || part) && key[0] != '\0' ? ", " : "";
        snprintf(hints->text[hints->count++], HINT_TEXT, "%s: %s%s%s%s%s%s", action_label(params->actions[i].name),
                 pad[0] != '\0' ? language_text("pad ") : "", pad, between, joystick, before_key, key);
    }
    snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text("F1 help  F2 gauges  F3 soil  F4 axes"));
    snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text("F6 sound  F7 grade  F8 cut and fill"));
    snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text("F9 rear  F10 inset  F12 score  M map"));
    if (hints->count < RENDER_MAX_HINTS - 1) {
        snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text("F11 full screen  N windows"));
    }
    if (hints->count < RENDER_MAX_HINTS) {
        snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text("mouse, Q, E: look round  X: lean"));
    }
}

void hints_describe(Hints *hints, const Operator *driver, const MachineParams *machine)
{
    *hints = (Hints){0};
    const char *pattern = driver->controls->pattern;
    for (size_t i = 0; i + 1 < sizeof hints->pattern && pattern[i] != '\0'; i++) {
        hints->pattern[i] = (char)toupper((unsigned char)pattern[i]);
    }
    describe_levers(hints, driver->map, machine->hammer.blow_energy > 0.0);
    describe_actions(hints, driver->controls);
}

const char *hints_key(const ControlsParams *params, const char *action)
{
    for (int k = 0; k < params->action_count; k++) {
        if (strcmp(params->actions[k].name, action) == 0) {
            return params->actions[k].key;
        }
    }
    return "";
}
