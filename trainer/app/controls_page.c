/// Fills the picture of the controls: which inputs the device has, what each does by the map's bindings, where they
/// stand, and how far they have moved the machine of the picture.
#include "trainer/app/controls_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/hints.h"

#define MOVED 0.4 ///< of a deflection from which a device is the one that is driven with. Chosen
#define RESTS 0.5 ///< of a stick's way from which it would move a menu's selection. Chosen

/// ---- what an input does --------------------------------------------------------------------------------------------

/// What one way of an input does: the first lever that it moves, and whether it moves both tracks.
typedef struct Does {
    ControlAxis axis; ///< CONTROL_COUNT: nothing
    int sign; ///< 1 or -1
    int other; ///< of a track: the sign of the other one; 0: it is not moved
} Does;

/// sign  1 or -1: the way of the input
/// held  with a modifier, else without one
static Does find_does(const ControlsParams *params, ControlSource source, const char *input, int sign, bool held)
{
    Does does = {CONTROL_COUNT, 0, 0};
    for (int k = 0; k < params->binding_count; k++) {
        const ControlBinding *binding = &params->bindings[k];
        if (binding->source != source || strcmp(binding->input, input) != 0 || binding->scale == 0.0 ||
            (binding->modifier[0] != '\0') != held) {
            continue;
        }
        int way = binding->scale * sign > 0.0 ? 1 : -1;
        if (does.axis == CONTROL_COUNT) {
            does = (Does){binding->axis, way, 0};
        } else if (does.axis == CONTROL_LEFT_TRACK && binding->axis == CONTROL_RIGHT_TRACK) {
            does.other = way;
        }
    }
    return does;
}

/// What a switch does, short enough for the cap of a key: no lever's colour names it. NULL: it is none.
static const char *cap_word(ControlAxis axis)
{
    static const char *const words[CONTROL_COUNT] = {
        [CONTROL_IGNITION] = TEXT("key"),       [CONTROL_SAFETY_LEVER] = TEXT("lock"),
        [CONTROL_TRAVEL_RANGE] = TEXT("range"), [CONTROL_POWER_MODE] = TEXT("mode"),
        [CONTROL_AUTO_IDLE] = TEXT("idle"),     [CONTROL_LIGHTS] = TEXT("light"),
        [CONTROL_WIPER] = TEXT("wipe"),         [CONTROL_INSPECT] = TEXT("inspect"),
        [CONTROL_COUPLER] = TEXT("swap"),       [CONTROL_BLADE_FLOAT] = TEXT("float"),
    };
    return words[axis];
}

/// Writes what a way does: in full "boom up", or in short, of a key whose colour says the lever, "up".
static void name_does(const Does *does, bool brief, char text[RENDER_CONTROL_WORDS])
{
    const char *word = "";
    if (does->axis == CONTROL_COUNT) {
        word = "";
    } else if (does->other == 0) {
        LeverWords words = lever_words(does->axis);
        bool plain = does->axis == CONTROL_HORN || does->axis == CONTROL_AUXILIARY; // two devices in one word
        const char *name = input_way_name(does->axis, does->sign);
        const char *cap = cap_word(does->axis);
        word = brief && cap != NULL ? language_text(cap)
               : brief && !plain    ? (does->sign > 0 ? words.more : words.less)
               : name[0] != '\0'    ? language_text(name)
                                    : words.lever;
    } else if (does->other == does->sign) {
        word = brief ? language_text(does->sign > 0 ? TEXT("ahead") : TEXT("back"))
                     : language_text(does->sign > 0 ? TEXT("drive ahead") : TEXT("drive back"));
    } else {
        word = brief ? language_text(does->sign > 0 ? TEXT("right") : TEXT("left"))
                     : language_text(does->sign > 0 ? TEXT("turn right") : TEXT("turn left"));
    }
    snprintf(text, RENDER_CONTROL_WORDS, "%s", word);
    language_end_whole(text);
}

static RenderControlInput *add_input(RenderControlsPicture *picture, RenderInputShape shape, const char *label)
{
    if (picture->input_count == RENDER_CONTROL_INPUTS) {
        return NULL;
    }
    RenderControlInput *input = &picture->inputs[picture->input_count++];
    input->shape = shape;
    snprintf(input->label, sizeof input->label, "%s", label);
    language_end_whole(input->label);
    for (int k = 0; k < RENDER_CONTROL_WAYS; k++) {
        input->axis[k] = CONTROL_COUNT;
    }
    return input;
}

static void set_way(RenderControlInput *input, int way, const Does *does, bool brief)
{
    input->axis[way] = does->axis;
    name_does(does, brief, input->words[way]);
}

/// ---- keyboard ------------------------------------------------------------------------------------------------------

/// Keys of the picture, in caps; letters stand where they stand on a keyboard.
static const struct {
    const char *name;
    double x, y, width;
} caps[] = {
    {"Q", 0.45, 0, 1},      {"W", 1.45, 0, 1},         {"E", 2.45, 0, 1},      {"R", 3.45, 0, 1},
    {"T", 4.45, 0, 1},      {"Y", 5.45, 0, 1},         {"U", 6.45, 0, 1},      {"I", 7.45, 0, 1},
    {"O", 8.45, 0, 1},      {"P", 9.45, 0, 1},         {"A", 0.75, 1, 1},      {"S", 1.75, 1, 1},
    {"D", 2.75, 1, 1},      {"F", 3.75, 1, 1},         {"G", 4.75, 1, 1},      {"H", 5.75, 1, 1},
    {"J", 6.75, 1, 1},      {"K", 7.75, 1, 1},         {"L", 8.75, 1, 1},      {"Left Shift", 0, 2, 1.2},
    {"Z", 1.25, 2, 1},      {"X", 2.25, 2, 1},         {"C", 3.25, 2, 1},      {"V", 4.25, 2, 1},
    {"B", 5.25, 2, 1},      {"N", 6.25, 2, 1},         {"M", 7.25, 2, 1},      {".", 9.25, 2, 1},
    {";", 9.75, 1, 1},      {"Space", 2.25, 3, 5},     {"Up", 12.2, 2, 1},     {"Left", 11.2, 3, 1},
    {"Down", 12.2, 3, 1},   {"Right", 13.2, 3, 1},     {"0", 10.2, 0, 0.9},    {"Tab", 11.2, 0, 1},
    {"Insert", 12.2, 0, 1}, {"Backspace", 13.2, 0, 1}, {"Return", 12.2, 1, 1}, {"Delete", 11.2, 1, 1},
};

static bool is_modifier(const ControlsParams *params, const char *name)
{
    for (int k = 0; k < params->binding_count; k++) {
        if (strcmp(params->bindings[k].modifier, name) == 0) {
            return true;
        }
    }
    return false;
}

/// Arrows, Shift and the like have their signs on the caps, which are short in every language.
static const char *cap_label(const char *name)
{
    static const char *const signs[][2] = {{"Left Shift", "\u21e7"}, {"Up", "\u2191"},       {"Left", "\u2190"},
                                           {"Down", "\u2193"},       {"Right", "\u2192"},    {"Tab", "\u21e5"},
                                           {"Return", "\u21b5"},     {"Backspace", "\u232b"}};
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) {
        if (strcmp(signs[k][0], name) == 0) {
            return signs[k][1];
        }
    }
    return input_key_text(name);
}

static void fill_keyboard(const ControlsParams *params, const InputSample *sample, RenderControlsPicture *picture)
{
    for (size_t k = 0; k < sizeof caps / sizeof caps[0]; k++) {
        RenderControlInput *key = add_input(picture, RENDER_INPUT_KEY, cap_label(caps[k].name));
        int code = control_key_index(caps[k].name);
        if (key == NULL) {
            return;
        }
        Does does = find_does(params, CONTROL_SOURCE_KEY, caps[k].name, 1, false);
        key->x = caps[k].x;
        key->y = caps[k].y;
        key->width = caps[k].width;
        key->value[0] = sample->key[code] != 0;
        set_way(key, 0, &does, true);
        if (is_modifier(params, caps[k].name)) {
            snprintf(key->words[0], sizeof key->words[0], "%s", language_text("gently"));
        }
    }
    for (int k = 0; k < params->action_count; k++) {
        const char *key = params->actions[k].key;
        RenderControlInput *line = key[0] != '\0' ? add_input(picture, RENDER_INPUT_BUTTON, input_key_text(key)) : NULL;
        if (line != NULL) {
            line->value[0] = sample->key[control_key_index(key)] != 0;
            snprintf(line->words[0], sizeof line->words[0], "%s", hints_action(params->actions[k].name));
        }
    }
}

/// ---- gamepad -------------------------------------------------------------------------------------------------------

/// The action of the map that a button of a pad or joystick does; NULL: none.
static const char *find_action(const ControlsParams *params, const char *button, bool joystick)
{
    for (int k = 0; k < params->action_count; k++) {
        if (strcmp(joystick ? params->actions[k].joystick : params->actions[k].pad, button) == 0) {
            return params->actions[k].name;
        }
    }
    return NULL;
}

/// Adds a button where it does something.
static void add_button(const ControlsParams *params, ControlSource source, const char *name, const char *label,
                       bool down, RenderControlsPicture *picture)
{
    Does does = find_does(params, source, name, 1, false);
    const char *action = find_action(params, name, source == CONTROL_SOURCE_JOYSTICK_BUTTON);
    bool modifier = is_modifier(params, name);
    RenderControlInput *button = does.axis != CONTROL_COUNT || action != NULL || modifier
                                     ? add_input(picture, RENDER_INPUT_BUTTON, label)
                                     : NULL;
    if (button != NULL) {
        button->value[0] = down;
        set_way(button, 0, &does, false);
        if (does.axis == CONTROL_COUNT) {
            snprintf(button->words[0], sizeof button->words[0], "%s",
                     action != NULL ? hints_action(action) : language_text("the other way"));
        }
    }
}

/// Adds what a pad's button does while a modifier is held; nothing where there is no such binding.
static void add_held_button(const ControlsParams *params, const char *name, bool down, RenderControlsPicture *picture)
{
    Does does = find_does(params, CONTROL_SOURCE_PAD_BUTTON, name, 1, true);
    char label[RENDER_CONTROL_WORDS];
    snprintf(label, sizeof label, "R3 + %s", language_text(control_pad_button_label(control_pad_button_index(name))));
    RenderControlInput *button = does.axis != CONTROL_COUNT ? add_input(picture, RENDER_INPUT_BUTTON, label) : NULL;
    if (button != NULL) {
        button->value[0] = down;
        set_way(button, 0, &does, false);
    }
}

static void fill_pad(const ControlsParams *params, const InputSample *sample, RenderControlsPicture *picture)
{
    static const char *const sticks[2][2] = {{"leftx", "lefty"}, {"rightx", "righty"}};
    static const char *const triggers[] = {"lefttrigger", "righttrigger"};
    static const char *const buttons[] = {
        "leftshoulder", "rightshoulder", "dpup",      "dpdown",    "dpleft", "dpright", "a", "b", "x", "y",
        "back",         "start",         "leftstick", "rightstick"};
    for (int k = 0; k < 2; k++) {
        RenderControlInput *stick = add_input(
            picture, RENDER_INPUT_STICK, language_text(control_pad_axis_label(control_pad_axis_index(sticks[k][0]))));
        for (int way = 0; stick != NULL && way < RENDER_CONTROL_WAYS; way++) {
            int sign = way == 0 || way == 3 ? 1 : -1; // SDL counts right and back as plus
            Does does = find_does(params, CONTROL_SOURCE_PAD_AXIS, sticks[k][way / 2], sign, false);
            set_way(stick, way, &does, false);
        }
        if (stick != NULL) {
            stick->value[0] = sample->pad_axis[control_pad_axis_index(sticks[k][0])];
            stick->value[1] = -sample->pad_axis[control_pad_axis_index(sticks[k][1])];
        }
    }
    for (int k = 0; k < 2; k++) {
        int index = control_pad_axis_index(triggers[k]);
        Does does = find_does(params, CONTROL_SOURCE_PAD_AXIS, triggers[k], 1, false);
        RenderControlInput *trigger =
            add_input(picture, RENDER_INPUT_PEDAL, language_text(control_pad_axis_label(index)));
        if (trigger != NULL) {
            trigger->value[0] = sample->pad_axis[index];
            set_way(trigger, 0, &does, false);
        }
    }
    for (size_t k = 0; k < sizeof buttons / sizeof buttons[0]; k++) {
        int index = control_pad_button_index(buttons[k]);
        add_button(params, CONTROL_SOURCE_PAD_BUTTON, buttons[k], language_text(control_pad_button_label(index)),
                   sample->pad_button[index] != 0, picture);
    }
    bool held = sample->pad_button[control_pad_button_index("rightstick")] != 0;
    for (size_t k = 0; k < sizeof buttons / sizeof buttons[0]; k++) {
        add_held_button(params, buttons[k], held && sample->pad_button[control_pad_button_index(buttons[k])] != 0,
                        picture);
    }
}

/// ---- joysticks and pedals ------------------------------------------------------------------------------------------

/// The binding without a modifier of an axis of a device; NULL: there is none.
static const ControlBinding *find_axis(const ControlsParams *params, int device, int axis, char name[24])
{
    control_joystick_name(&params->devices[device], false, axis, name, 24);
    for (int k = 0; k < params->binding_count; k++) {
        const ControlBinding *binding = &params->bindings[k];
        if (binding->source == CONTROL_SOURCE_JOYSTICK_AXIS && binding->modifier[0] == '\0' &&
            strcmp(binding->input, name) == 0) {
            return binding;
        }
    }
    return NULL;
}

/// -1..1: how far an axis is from its rest.
static double axis_value(const ControlBinding *binding, const InputSample *sample, int device, int axis)
{
    double raw = sample->joystick[device].present ? sample->joystick[device].axis[axis] : binding->rest;
    double way = raw > binding->rest ? binding->high - binding->rest : binding->rest - binding->low;
    return raw == raw && way > 0.0 ? fmax(-1.0, fmin(1.0, (raw - binding->rest) / way)) : 0.0;
}

/// Adds an axis that does not belong to a lever of two: a pedal, a wheel, a slider.
static void add_bar(const ControlsParams *params, int device, const ControlBinding *binding, double value,
                    RenderControlsPicture *picture)
{
    const char *name = binding->input;
    char label[RENDER_CONTROL_WORDS];
    snprintf(label, sizeof label, "%.24s %.4s", language_text(params->devices[device].id), strchr(name, ':') + 1);
    RenderControlInput *bar = add_input(picture, RENDER_INPUT_PEDAL, label);
    if (bar != NULL) {
        bar->both_ways = binding->low < binding->rest && binding->rest < binding->high;
        bar->value[0] = bar->both_ways ? value : fabs(value);
        int plus = !bar->both_ways && binding->rest >= binding->high ? -1 : 1;
        Does does = find_does(params, CONTROL_SOURCE_JOYSTICK_AXIS, name, plus, false);
        Does back = find_does(params, CONTROL_SOURCE_JOYSTICK_AXIS, name, bar->both_ways ? -1 : plus, !bar->both_ways);
        set_way(bar, 0, &does, false);
        set_way(bar, 1, &back, false);
    }
}

/// Adds a device's lever of two axes, and its other axes.
static void add_axes(const ControlsParams *params, int device, const InputSample *sample,
                     RenderControlsPicture *picture)
{
    RenderControlInput *stick = NULL;
    int found = 0;
    for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        char name[24];
        const ControlBinding *binding = find_axis(params, device, axis, name);
        if (binding == NULL) {
            continue;
        }
        double value = axis_value(binding, sample, device, axis);
        bool both = binding->low < binding->rest && binding->rest < binding->high;
        if (!both || found == 2 || binding->axis == CONTROL_THROTTLE) {
            add_bar(params, device, binding, value, picture);
            continue;
        }
        stick =
            stick != NULL ? stick : add_input(picture, RENDER_INPUT_STICK, language_text(params->devices[device].id));
        for (int k = 0; stick != NULL && k < 2; k++) {
            int sign = (k == 0) == (found == 0) ? 1 : -1; // to the right and back are plus
            Does does = find_does(params, CONTROL_SOURCE_JOYSTICK_AXIS, name, sign, false);
            set_way(stick, 2 * found + k, &does, false);
        }
        if (stick != NULL) {
            stick->value[found] = found == 0 ? value : -value;
        }
        found++;
    }
}

static void fill_joysticks(const ControlsParams *params, const InputSample *sample, RenderControlsPicture *picture)
{
    for (int device = 0; device < params->device_count; device++) {
        add_axes(params, device, sample, picture);
    }
    for (int device = 0; device < params->device_count; device++) {
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
            char name[24], label[RENDER_CONTROL_WORDS];
            control_joystick_name(&params->devices[device], true, button, name, (int)sizeof name);
            if (hints_joystick(params, name, label, sizeof label)) {
                add_button(params, CONTROL_SOURCE_JOYSTICK_BUTTON, name, label,
                           sample->joystick[device].button[button] != 0, picture);
            }
        }
    }
}

/// ---- which device --------------------------------------------------------------------------------------------------

/// True when the map binds inputs of the device.
static bool has_device(const ControlsParams *params, RenderDevice device)
{
    static const RenderDevice devices[] = {[CONTROL_SOURCE_PAD_AXIS] = RENDER_DEVICE_PAD,
                                           [CONTROL_SOURCE_PAD_BUTTON] = RENDER_DEVICE_PAD,
                                           [CONTROL_SOURCE_KEY] = RENDER_DEVICE_KEYBOARD,
                                           [CONTROL_SOURCE_JOYSTICK_AXIS] = RENDER_DEVICE_JOYSTICKS,
                                           [CONTROL_SOURCE_JOYSTICK_BUTTON] = RENDER_DEVICE_JOYSTICKS};
    bool found = device == RENDER_DEVICE_KEYBOARD; // which moves menus, too
    for (int k = 0; k < params->binding_count; k++) {
        found |= devices[params->bindings[k].source] == device;
    }
    return found;
}

static bool is_pad_moved(const InputSample *sample)
{
    bool moved = false;
    for (int k = 0; k < INPUT_PAD_AXES; k++) {
        moved |= fabs(sample->pad_axis[k]) > MOVED;
    }
    for (int k = 0; k < INPUT_PAD_BUTTONS; k++) {
        moved |= sample->pad_button[k] != 0;
    }
    return moved;
}

static bool is_joystick_moved(const ControlsParams *params, const InputSample *sample)
{
    bool moved = false;
    for (int k = 0; k < params->device_count; k++) {
        const InputJoystick *joystick = &sample->joystick[k];
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES && joystick->present; axis++) {
            moved |= fabs(joystick->axis[axis] - joystick->first[axis]) > MOVED; // false for what is not a number
        }
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS && joystick->present; button++) {
            moved |= joystick->button[button] != 0;
        }
    }
    return moved;
}

/// True when a key that the picture has is down, but for those that move a menu, too.
static bool is_key_down(const InputSample *sample)
{
    for (size_t k = 0; k < sizeof caps / sizeof caps[0]; k++) {
        if (strlen(caps[k].name) == 1 && sample->key[control_key_index(caps[k].name)] != 0) {
            return true;
        }
    }
    return false;
}

static void choose_device(ControlsPage *page, const InputSample *sample)
{
    RenderDevice *device = &page->picture.device;
    if (is_joystick_moved(page->params, sample)) {
        *device = RENDER_DEVICE_JOYSTICKS;
    } else if (sample->pad_present && is_pad_moved(sample) && has_device(page->params, RENDER_DEVICE_PAD)) {
        *device = RENDER_DEVICE_PAD;
    } else if (is_key_down(sample)) {
        *device = RENDER_DEVICE_KEYBOARD;
    }
}

void controls_page_next_device(ControlsPage *page)
{
    RenderDevice *device = &page->picture.device;
    do {
        *device = (RenderDevice)((*device + 1) % (RENDER_DEVICE_JOYSTICKS + 1));
    } while (!has_device(page->params, *device));
}

/// ---- the machine ---------------------------------------------------------------------------------------------------

/// Moves the parts of the picture's machine by the levers.
static void move_machine(RenderControlsPicture *picture, double dt)
{
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        double *pose = &picture->pose[axis], step = picture->lever[axis] * fmin(dt, 0.1);
        bool track = axis == CONTROL_LEFT_TRACK || axis == CONTROL_RIGHT_TRACK;
        if (axis == CONTROL_SWING || track) {
            *pose = fmod(*pose + step, track ? 11.0 : 2.0 * M_PI); // of a shoe's pitch, of a turn
        } else {
            *pose = fmax(-1.0, fmin(1.0, *pose + step));
        }
    }
}

/// Writes what moves most: "boom up", "drive ahead".
static void tell_motion(RenderControlsPicture *picture)
{
    int most = 0;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        bool lever = axis != CONTROL_THROTTLE && axis != CONTROL_ANSWER;
        most = lever && fabs(picture->lever[axis]) > fabs(picture->lever[most]) ? axis : most;
    }
    double left = picture->lever[CONTROL_LEFT_TRACK], right = picture->lever[CONTROL_RIGHT_TRACK];
    Does does = {(ControlAxis)most, picture->lever[most] > 0.0 ? 1 : -1, 0};
    if (does.axis == CONTROL_LEFT_TRACK && right != 0.0) {
        does.other = left * right > 0.0 ? does.sign : -does.sign;
    }
    picture->told[0] = '\0';
    if (fabs(picture->lever[most]) > 0.02) {
        char text[RENDER_CONTROL_WORDS];
        name_does(&does, false, text);
        snprintf(picture->told, sizeof picture->told, "%s", text);
    }
}

static void name_levers(RenderControlsPicture *picture)
{
    static const ControlAxis excavator[] = {CONTROL_SWING, CONTROL_STICK, CONTROL_BOOM, CONTROL_BUCKET};
    static const ControlAxis dozer[] = {CONTROL_BLADE, CONTROL_BLADE_TILT, CONTROL_BLADE_ANGLE, CONTROL_RIPPER};
    for (int k = 0; k < 4; k++) {
        ControlAxis axis = picture->dozer ? dozer[k] : excavator[k];
        snprintf(picture->names[axis], RENDER_CONTROL_WORDS, "%s", lever_words(axis).lever);
    }
    snprintf(picture->names[CONTROL_LEFT_TRACK], RENDER_CONTROL_WORDS, "%s", language_text("Tracks"));
}

/// ---- page ----------------------------------------------------------------------------------------------------------

static void fill_picture(ControlsPage *page, const InputSample *sample)
{
    RenderControlsPicture *picture = &page->picture;
    memset(picture->inputs, 0, sizeof picture->inputs);
    memset(picture->names, 0, sizeof picture->names);
    picture->input_count = 0;
    name_levers(picture);
    switch (picture->device) {
    case RENDER_DEVICE_KEYBOARD:
        fill_keyboard(page->params, sample, picture);
        break;
    case RENDER_DEVICE_PAD:
        fill_pad(page->params, sample, picture);
        break;
    case RENDER_DEVICE_JOYSTICKS:
        fill_joysticks(page->params, sample, picture);
        break;
    }
}

void controls_page_begin(ControlsPage *page, const ControlsParams *params, const InputMap *map,
                         const InputSample *sample)
{
    static const InputSample nothing = {0};
    const InputSample *now = sample != NULL ? sample : &nothing;
    const ControlPattern *pattern = control_pattern_named(params->pattern);
    bool joysticks = false, keeps = page->params != NULL && has_device(params, page->picture.device);
    RenderDevice before = page->picture.device;
    memset(page, 0, sizeof *page);
    page->params = params;
    page->map = map;
    for (int k = 0; k < params->device_count; k++) {
        joysticks |= now->joystick[k].present;
    }
    page->picture.dozer = pattern != NULL && pattern->dozer;
    page->picture.device = keeps                                                       ? before
                           : joysticks                                                 ? RENDER_DEVICE_JOYSTICKS
                           : now->pad_present && has_device(params, RENDER_DEVICE_PAD) ? RENDER_DEVICE_PAD
                                                                                       : RENDER_DEVICE_KEYBOARD;
    fill_picture(page, now);
}

void controls_page_look(ControlsPage *page, const InputSample *sample, double dt, WindowInput *input)
{
    OperatorControls controls;
    if (page->params == NULL || sample == NULL) {
        return;
    }
    if (fabs(sample->pad_axis[1]) > RESTS) {
        input->pressed[WINDOW_UP] = input->pressed[WINDOW_DOWN] = 0;
    }
    input->pressed[WINDOW_LEFT] = input->pressed[WINDOW_RIGHT] = 0;
    choose_device(page, sample);
    input_map_apply(page->map, sample, dt, &page->memory, &controls);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        page->picture.lever[axis] = control_value(&controls, (ControlAxis)axis);
    }
    move_machine(&page->picture, dt);
    tell_motion(&page->picture);
    fill_picture(page, sample);
}

void controls_page_name_device(const ControlsPage *page, char text[MENU_TEXT])
{
    static const char *const names[] = {[RENDER_DEVICE_KEYBOARD] = TEXT("Keyboard"),
                                        [RENDER_DEVICE_PAD] = TEXT("Gamepad"),
                                        [RENDER_DEVICE_JOYSTICKS] = TEXT("Joysticks")};
    snprintf(text, MENU_TEXT, language_text("Device: %s"), language_text(names[page->picture.device]));
}

void controls_page_name_pattern(const ControlsPage *page, char text[MENU_TEXT])
{
    const ControlsParams *params = page->params;
    const ControlPattern *pattern = control_pattern_named(params->pattern);
    char joysticks[sizeof params->name], both[MENU_TEXT / 2];
    snprintf(joysticks, sizeof joysticks, "joysticks-%s", pattern != NULL ? pattern->map : "");
    const char *title = pattern != NULL ? language_text(pattern->title) : "";
    snprintf(both, sizeof both, "%s, %s", title, language_text("Joysticks"));
    bool shipped = pattern != NULL && strcmp(params->name, pattern->map) == 0;
    snprintf(text, MENU_TEXT, language_text("Pattern: %s"),
             shipped                                ? title
             : strcmp(params->name, joysticks) == 0 ? both
                                                    : language_text(params->title));
}

void controls_page_show(const ControlsPage *page, Menu *menu)
{
    menu->controls = page->params != NULL ? &page->picture : NULL;
}
