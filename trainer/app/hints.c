/// Describes the bindings of levers and actions on the screen: the list of keys and the table of axes. The list has the
/// levers first, then the map's actions, then the keys that are the same with every map; long lines are broken.
#include "trainer/app/hints.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/controls_params.h"

/// ---- names of the levers -------------------------------------------------------------------------------------------

/// Names of the levers, with the signs of data/core/operator_controls.h.

LeverWords lever_words(ControlAxis axis)
{
    static const LeverWords words[CONTROL_COUNT] = {
        [CONTROL_SWING] = {TEXT("Swing"), TEXT("left"), TEXT("right")},
        [CONTROL_STICK] = {TEXT("Stick"), TEXT("out"), TEXT("in")},
        [CONTROL_BOOM] = {TEXT("Boom"), TEXT("down"), TEXT("up")},
        [CONTROL_BUCKET] = {TEXT("Bucket"), TEXT("dump"), TEXT("curl")},
        [CONTROL_LEFT_TRACK] = {TEXT("Track L"), TEXT("back"), TEXT("ahead")},
        [CONTROL_RIGHT_TRACK] = {TEXT("Track R"), TEXT("back"), TEXT("ahead")},
        [CONTROL_THROTTLE] = {TEXT("Engine"), TEXT("idle"), TEXT("full")},
        [CONTROL_BLADE] = {TEXT("Blade"), TEXT("down"), TEXT("up")},
        [CONTROL_BLADE_TILT] = {TEXT("Tilt"), TEXT("left"), TEXT("right")},
        [CONTROL_BLADE_ANGLE] = {TEXT("Angle"), TEXT("left"), TEXT("right")},
        [CONTROL_RIPPER] = {TEXT("Ripper"), TEXT("up"), TEXT("down")},
        [CONTROL_HORN] = {TEXT("Horn"), "", TEXT("on")},
        [CONTROL_AUXILIARY] = {TEXT("Hammer"), "", TEXT("on")},
        [CONTROL_ANSWER] = {"", "", ""},
        [CONTROL_BLADE_FLOAT] = {TEXT("Float"), "", TEXT("on")},
        [CONTROL_IGNITION] = {TEXT("Key"), "", TEXT("turned")},
        [CONTROL_SAFETY_LEVER] = {TEXT("Safety lever"), "", TEXT("moved")},
        [CONTROL_TRAVEL_RANGE] = {TEXT("Travel range"), "", TEXT("other")},
        [CONTROL_POWER_MODE] = {TEXT("Power mode"), "", TEXT("other")},
        [CONTROL_AUTO_IDLE] = {TEXT("Auto-idle"), "", TEXT("on")},
        [CONTROL_LIGHTS] = {TEXT("Lights"), "", TEXT("on")},
        [CONTROL_WIPER] = {TEXT("Wiper"), "", TEXT("on")},
        [CONTROL_INSPECT] = {TEXT("Inspect"), "", TEXT("on")},
        [CONTROL_TOOL_TILT] = {TEXT("Tilt"), TEXT("left"), TEXT("right")},
        [CONTROL_TOOL_ROTATE] = {TEXT("Rotate"), TEXT("left"), TEXT("right")},
        [CONTROL_COUPLER] = {TEXT("Coupler"), "", TEXT("pressed")},
    };
    const LeverWords *row = &words[axis];
    return (LeverWords){language_text(row->lever), row->less[0] != '\0' ? language_text(row->less) : "",
                        language_text(row->more)};
}

void lever_words_cut(char *bound)
{
    int commas = 0;
    char *end = NULL; // of the last binding that is kept
    for (char *p = bound; *p != '\0'; p++) {
        if (*p == ',' && ++commas <= 2) {
            end = p;
        }
    }
    char *plus = strstr(bound, " + ");
    if (end != NULL && (commas >= 2 || plus != NULL)) {
        *end = '\0';
    }
}

/// ---- list of keys --------------------------------------------------------------------------------------------------

enum { LINE_LETTERS = 37 }; ///< letters of the panel's size that fit its width

/// Bytes of the text that make a line: all, or up to a break behind a comma, or behind a stroke where no comma is.
static size_t line_length(const char *text, int letters)
{
    size_t comma = 0, stroke = 0, k = 0;
    for (; text[k] != '\0' && letters >= 0; k++) {
        letters -= ((unsigned char)text[k] & 0xC0U) != 0x80U; // a letter of UTF-8 begins
        comma = letters >= 0 && text[k] == ',' ? k + 1 : comma;
        stroke = letters >= 0 && text[k] == '/' ? k + 1 : stroke;
    }
    size_t best = comma > 0 ? comma : stroke;
    return letters >= 0 || best == 0 ? strlen(text) : best;
}

/// Appends "label: how" in as many lines as it needs; nothing where no described input has the function.
static void add_hint(Hints *hints, const char *label, const char *how)
{
    char whole[3 * HINT_TEXT];
    if (how[0] == '\0') {
        return;
    }
    snprintf(whole, sizeof whole, "%s: %s", label, how);
    const char *indent = "";
    for (const char *rest = whole; *rest != '\0' && hints->count < RENDER_MAX_HINTS; indent = "    ") {
        size_t length = line_length(rest, LINE_LETTERS - (int)strlen(indent));
        snprintf(hints->text[hints->count++], HINT_TEXT, "%s%.*s", indent, (int)length, rest);
        rest += length;
        rest += *rest == ' ';
    }
}

/// The inputs that move a track alone, or both.
static void describe_tracks(Hints *hints, const InputMap *map, bool devices)
{
    static const struct {
        InputTracks tracks;
        const char *text;
    } lines[] = {{INPUT_TRACKS_AHEAD, TEXT("drive")},
                 {INPUT_TRACKS_TURN, TEXT("steer")},
                 {INPUT_TRACK_LEFT, TEXT("track L")},
                 {INPUT_TRACK_RIGHT, TEXT("track R")}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char bound[HINT_TEXT];
        input_map_describe_tracks(map, lines[i].tracks, devices, bound, (int)sizeof bound);
        add_hint(hints, language_text(lines[i].text), bound);
    }
}

/// Labels name the positive direction first, as the map's description does.
/// auxiliary  what the auxiliary lever is for; NULL: nothing
static void describe_levers(Hints *hints, const InputMap *map, bool devices, const char *auxiliary)
{
    const struct {
        ControlAxis axis;
        const char *text;
    } levers[] = {
        {CONTROL_SWING, TEXT("swing")},      {CONTROL_STICK, TEXT("stick")},       {CONTROL_BOOM, TEXT("boom")},
        {CONTROL_BUCKET, TEXT("bucket")},    {CONTROL_LEFT_TRACK, NULL},           {CONTROL_BLADE, TEXT("blade")},
        {CONTROL_BLADE_TILT, TEXT("tilt")},  {CONTROL_BLADE_ANGLE, TEXT("angle")}, {CONTROL_RIPPER, TEXT("ripper")},
        {CONTROL_THROTTLE, TEXT("engine")},  {CONTROL_HORN, TEXT("horn")},         {CONTROL_AUXILIARY, auxiliary},
        {CONTROL_BLADE_FLOAT, TEXT("float")}};
    char bound[HINT_TEXT];
    for (size_t i = 0; i < sizeof levers / sizeof levers[0]; i++) {
        if (levers[i].axis == CONTROL_LEFT_TRACK) {
            describe_tracks(hints, map, devices);
            continue;
        }
        input_map_describe(map, levers[i].axis, devices, bound, (int)sizeof bound);
        if (levers[i].text != NULL) {
            add_hint(hints, language_text(levers[i].text), bound);
        }
    }
    input_map_describe_gentle(map, devices, bound, (int)sizeof bound);
    add_hint(hints, language_text("gently with"), bound);
}

/// The keys of a tiltrotator, where the machine has one: what a pad needs for it is too long for a line, and stands on
/// the page of the controls.
static void describe_tool(Hints *hints, const InputMap *map, const MachineParams *machine)
{
    static const struct {
        ControlAxis axis;
        const char *text;
    } levers[] = {{CONTROL_TOOL_TILT, TEXT("tilt")}, {CONTROL_TOOL_ROTATE, TEXT("rotate")}};
    char bound[HINT_TEXT];
    for (size_t i = 0; i < sizeof levers / sizeof levers[0]; i++) {
        if (machine_joint_of_control(machine, levers[i].axis) >= 0) {
            input_map_describe(map, levers[i].axis, false, bound, (int)sizeof bound);
            add_hint(hints, language_text(levers[i].text), bound);
        }
    }
}

/// The switches of the cab in some lines, with what a person on foot presses.
static void describe_switches(Hints *hints, const InputMap *map, bool devices)
{
    static const struct {
        const char *text;
        ControlAxis axes[3];
        int count;
    } lines[] = {{TEXT("key, lever, range"), {CONTROL_IGNITION, CONTROL_SAFETY_LEVER, CONTROL_TRAVEL_RANGE}, 3},
                 {TEXT("mode, idle, light"), {CONTROL_POWER_MODE, CONTROL_AUTO_IDLE, CONTROL_LIGHTS}, 3},
                 {TEXT("wiper, inspect"), {CONTROL_WIPER, CONTROL_INSPECT}, 2}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char all[3 * (HINT_TEXT + 2)] = "", bound[HINT_TEXT];
        for (int k = 0; k < lines[i].count; k++) {
            input_map_describe(map, lines[i].axes[k], devices, bound, (int)sizeof bound);
            strcat(all, all[0] != '\0' && bound[0] != '\0' ? ", " : "");
            strcat(all, bound);
        }
        add_hint(hints, language_text(lines[i].text), all);
    }
}

const char *hints_action(const char *name)
{
    static const char *const labels[][2] = {{"camera", TEXT("camera")},
                                            {"pause", TEXT("pause")},
                                            {"menu", TEXT("menu")},
                                            {"throttle_up", TEXT("engine faster")},
                                            {"throttle_down", TEXT("engine slower")},
                                            {"gear_up", TEXT("next gear")},
                                            {"gear_down", TEXT("gear before")},
                                            {"reset", TEXT("start again")},
                                            {"look", TEXT("look")}};
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

bool hints_joystick(const ControlsParams *params, const char *name, char *text, size_t size)
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

/// The inputs of an action: "pad B, C".
static void describe_action(const ControlsParams *params, int k, bool devices, char how[HINT_TEXT])
{
    const char *pad = devices ? language_text(pad_name(params->actions[k].pad)) : "",
               *key = input_key_text(params->actions[k].key);
    char joystick[HINT_TEXT / 2] = "";
    bool part = devices && hints_joystick(params, params->actions[k].joystick, joystick, sizeof joystick);
    const char *between = pad[0] != '\0' && part ? ", " : "";
    const char *before_key = (pad[0] != '\0' || part) && key[0] != '\0' ? ", " : "";
    snprintf(how, HINT_TEXT, "%s%s%s%s%s%s", pad[0] != '\0' ? language_text("pad ") : "", pad, between, joystick,
             before_key, key);
}

/// One action each: "camera: pad B, C"; the menu's key stands beside the pause's, which does the same.
static void describe_actions(Hints *hints, const ControlsParams *params, bool devices)
{
    static const char *const keys[] = {TEXT("F1 help  F2 gauges  F3 soil  F4 axes"),
                                       TEXT("F6 sound  F7 grade  F8 cut and fill"),
                                       TEXT("F9 rear  F10 inset  F12 score  M map"), TEXT("F11 full screen  N windows"),
                                       TEXT("mouse, Q, E: look round  X: lean")};
    for (int k = 0; k < params->action_count; k++) {
        char how[HINT_TEXT], menu[HINT_TEXT];
        describe_action(params, k, devices, how);
        if (k + 1 < params->action_count && is_menu_after_pause(params, k + 1)) {
            char both[2 * HINT_TEXT + 4];
            describe_action(params, ++k, devices, menu);
            snprintf(both, sizeof both, "%s%s%s", how, how[0] != '\0' && menu[0] != '\0' ? ", " : "", menu);
            add_hint(hints, hints_action("pause"), both);
        } else {
            add_hint(hints, hints_action(params->actions[k].name), how);
        }
    }
    for (size_t k = 0; k < sizeof keys / sizeof keys[0] && hints->count < RENDER_MAX_HINTS; k++) {
        snprintf(hints->text[hints->count++], HINT_TEXT, "%s", language_text(keys[k]));
    }
}

void hints_describe(Hints *hints, const Operator *driver, const MachineParams *machine, bool slings, bool switches,
                    bool coupler)
{
    bool devices = driver->pads > 0;
    *hints = (Hints){.devices = devices};
    const char *pattern = driver->controls->pattern;
    for (size_t i = 0; i + 1 < sizeof hints->pattern && pattern[i] != '\0'; i++) {
        hints->pattern[i] = (char)toupper((unsigned char)pattern[i]);
    }
    bool hammers = machine->hammer.blow_energy > 0.0;
    describe_levers(hints, driver->map, devices,
                    hammers                  ? TEXT("hammer")
                    : machine->thumb         ? TEXT("thumb")
                    : machine->jaw_count > 0 ? TEXT("grab")
                    : slings                 ? TEXT("sling")
                                             : NULL);
    describe_tool(hints, driver->map, machine);
    if (switches) {
        describe_switches(hints, driver->map, devices);
    }
    if (coupler) {
        char bound[HINT_TEXT];
        input_map_describe(driver->map, CONTROL_COUPLER, devices, bound, (int)sizeof bound);
        add_hint(hints, language_text("coupler"), bound);
    }
    describe_actions(hints, driver->controls, devices);
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

/// ---- table of the axes ---------------------------------------------------------------------------------------------

/// Names each lever and the two ways it goes, and shows beside it the source that moves it now, its reading and the
/// value the machine gets; below, the devices that the control map names, and those that nothing names.

_Static_assert((int)RENDER_MAX_DEVICES >= (int)CONTROLS_MAX_DEVICES, "the screen shows every device of a map");

/// Fills a row from the person's devices; false when nothing of the map moves the lever.
static bool show_person(AxesTable *self, const Operator *driver, ControlAxis axis, RenderControl *row)
{
    char *text = self->sources[axis];
    InputTrace trace;
    input_map_trace(driver->map, driver->sample, &driver->memory, axis, &trace);
    row->moved = trace.source[0] != '\0';
    row->analog = trace.analog;
    row->waiting = trace.waiting;
    row->unrested = trace.unrested;
    row->raw = trace.raw;
    row->value = trace.lever;
    input_map_describe(driver->map, axis, true, text, HINT_TEXT);
    bool bound = text[0] != '\0';
    if (axis == CONTROL_THROTTLE && !input_map_has_throttle(driver->map, driver->sample)) {
        row->value = driver->throttle;
        snprintf(text, HINT_TEXT, language_text("in steps: engine faster, engine slower"));
        return true;
    }
    if (row->moved) {
        snprintf(text, HINT_TEXT, "%s", trace.source);
    }
    return bound;
}

static void show_devices(AxesTable *self, const Operator *driver, RenderControls *shown)
{
    int count = 0;
    const ControlDevice *wanted = input_map_devices(driver->map, &count);
    for (int i = 0; i < count; i++) {
        char name[64] = "";
        bool there = driver->devices != NULL && input_devices_name(driver->devices, i, name, (int)sizeof name);
        const char *sought = wanted[i].name[0] != '\0'     ? wanted[i].name
                             : wanted[i].usb[0] != '\0'    ? wanted[i].usb
                             : wanted[i].serial[0] != '\0' ? wanted[i].serial
                                                           : wanted[i].port;
        snprintf(self->devices[i], HINT_TEXT,
                 there ? "%s: %s" : language_text("%s: not plugged in (the map seeks \"%s\")"), wanted[i].id,
                 there ? name : sought);
        shown->devices[i] = self->devices[i];
        shown->device_present[i] = there;
    }
    char name[48] = "";
    for (int k = 0; driver->devices != NULL && count < RENDER_MAX_DEVICES &&
                    k < input_devices_strangers(driver->devices, k, name, (int)sizeof name);
         k++, count++) {
        snprintf(self->devices[count], HINT_TEXT, language_text("%s: not set up, moves nothing"), name);
        shown->devices[count] = self->devices[count];
        shown->device_present[count] = false;
    }
    shown->device_count = count;
}

void axes_table_show(AxesTable *self, const Operator *driver, const char *pattern, const Session *session,
                     RenderControls *shown)
{
    *shown = (RenderControls){.visible = true, .title = self->title};
    snprintf(self->title, sizeof self->title, language_text("What each axis does, %s pattern"), language_text(pattern));
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        RenderControl *row = &shown->rows[shown->count];
        LeverWords words = lever_words((ControlAxis)axis);
        *row = (RenderControl){.lever = words.lever,
                               .less = words.less,
                               .more = words.more,
                               .source = self->sources[axis],
                               .value = control_value(&session_frame(session)->controls, (ControlAxis)axis)};
        bool shows = axis <= CONTROL_THROTTLE;
        if (driver->kind == OPERATOR_PERSON) {
            shows = show_person(self, driver, (ControlAxis)axis, row);
        } else {
            snprintf(self->sources[axis], HINT_TEXT, "%s",
                     language_text(driver->autopilot != NULL ? TEXT("the automatic operator")
                                                             : TEXT("the operator script")));
        }
        bool hammers = session_machine_params(session)->hammer.blow_energy > 0.0,
             grabs = session_machine_params(session)->jaw_count > 0, slings = session_loads(session) != NULL;
        bool idle = axis == CONTROL_AUXILIARY && !hammers && !slings && !grabs;
        if (axis == CONTROL_AUXILIARY && grabs) {
            row->lever = language_text(session_machine_params(session)->thumb ? TEXT("Thumb") : TEXT("Grab"));
            row->less = language_text("opens");
            row->more = language_text("closes");
        } else if (axis == CONTROL_AUXILIARY && !hammers) {
            row->lever = language_text("Sling");
        }
        shown->count += shows && !idle ? 1 : 0;
    }
    if (driver->kind == OPERATOR_PERSON) {
        show_devices(self, driver, shown);
    }
}
