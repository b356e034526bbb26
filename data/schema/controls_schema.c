/// Control maps: the inputs that a map may name, as SDL numbers them; the keys of its file, the rules between them
/// (every name must be that of an input that exists); and its writing as a YAML file that reads back to the same map,
/// with the comments that a person needs to change it by hand.
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/core/language.h"
#include "data/schema/controls_params.h"
#include "data/schema/schemas.h"

/// ---- patterns ------------------------------------------------------------------------------------------------------

/// ISO 10968 (SAE J1177) and SAE J1814 define the first two. The others have no standard: H is that of Komatsu, whose
/// left lever swings lengthwise; the handler's is that of scrap handlers (docs/devices.md).
static const ControlPattern patterns[] = {
    {"iso",
     TEXT("ISO"),
     TEXT("Most machines: right lever boom and bucket"),
     "iso",
     false,
     {{{CONTROL_SWING, 1}, {CONTROL_STICK, -1}}, {{CONTROL_BUCKET, -1}, {CONTROL_BOOM, -1}}}},
    {"bhl",
     TEXT("Backhoe"),
     TEXT("Many in North America: left lever boom, right lever stick"),
     "bhl",
     false,
     {{{CONTROL_SWING, 1}, {CONTROL_BOOM, -1}}, {{CONTROL_BUCKET, -1}, {CONTROL_STICK, -1}}}},
    {"h",
     TEXT("H pattern"),
     TEXT("Japan and forestry: left lever forward and back swings"),
     "h",
     false,
     {{{CONTROL_STICK, 1}, {CONTROL_SWING, 1}}, {{CONTROL_BUCKET, -1}, {CONTROL_BOOM, -1}}}},
    {"handler",
     TEXT("Material handler"),
     TEXT("Scrap and wood handlers: left lever boom, right lever swing"),
     "handler",
     false,
     {{{CONTROL_BUCKET, 1}, {CONTROL_BOOM, -1}}, {{CONTROL_SWING, 1}, {CONTROL_STICK, -1}}}},
    {"dozer",
     TEXT("Bulldozer"),
     TEXT("Left lever travel and steering, right lever blade"),
     "dozer",
     true,
     {{{CONTROL_LEFT_TRACK, 1}, {CONTROL_LEFT_TRACK, 1}}, {{CONTROL_BLADE_TILT, 1}, {CONTROL_BLADE, -1}}}},
};

const ControlPattern *control_pattern(int index)
{
    return index >= 0 && index < (int)(sizeof patterns / sizeof patterns[0]) ? &patterns[index] : NULL;
}

const ControlPattern *control_pattern_named(const char *name)
{
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; ++k) {
        if (strcasecmp(patterns[k].name, name) == 0) {
            return &patterns[k];
        }
    }
    return NULL;
}

/// ---- names of inputs -----------------------------------------------------------------------------------------------

/// Pad axes and buttons follow SDL_GameControllerAxis and SDL_GameControllerButton; keys are USB HID usages of page 7,
/// which are SDL's scancodes, under the names that SDL_GetScancodeName gives. test_input_devices compares them with
/// SDL's own.

/// Names and labels in SDL's order.
typedef struct NamedInput {
    const char *name, *label;
    const char *positive, *negative; ///< ways of a stick's axis
} NamedInput;

static const NamedInput pad_axes[] = {
    {"leftx", TEXT("left stick"), TEXT("right"), TEXT("left")},
    {"lefty", TEXT("left stick"), TEXT("down"), TEXT("up")},
    {"rightx", TEXT("right stick"), TEXT("right"), TEXT("left")},
    {"righty", TEXT("right stick"), TEXT("down"), TEXT("up")},
    {"lefttrigger", TEXT("left trigger"), NULL, NULL},
    {"righttrigger", TEXT("right trigger"), NULL, NULL},
};

static const NamedInput pad_buttons[] = {
    {"a", "A", NULL, NULL},
    {"b", "B", NULL, NULL},
    {"x", "X", NULL, NULL},
    {"y", "Y", NULL, NULL},
    {"back", "Back", NULL, NULL},
    {"guide", "Guide", NULL, NULL},
    {"start", "Start", NULL, NULL},
    {"leftstick", TEXT("left stick press"), NULL, NULL},
    {"rightstick", TEXT("right stick press"), NULL, NULL},
    {"leftshoulder", TEXT("left bumper"), NULL, NULL},
    {"rightshoulder", TEXT("right bumper"), NULL, NULL},
    {"dpup", TEXT("D-pad up"), NULL, NULL},
    {"dpdown", TEXT("D-pad down"), NULL, NULL},
    {"dpleft", TEXT("D-pad left"), NULL, NULL},
    {"dpright", TEXT("D-pad right"), NULL, NULL},
    {"misc1", TEXT("misc"), NULL, NULL},
    {"paddle1", TEXT("paddle 1"), NULL, NULL},
    {"paddle2", TEXT("paddle 2"), NULL, NULL},
    {"paddle3", TEXT("paddle 3"), NULL, NULL},
    {"paddle4", TEXT("paddle 4"), NULL, NULL},
    {"touchpad", TEXT("touchpad"), NULL, NULL},
};

/// A key by its USB HID usage (page 7), which is SDL's scancode.
typedef struct NamedKey {
    int code;
    const char *name;
} NamedKey;

static const NamedKey keyboard_keys[] = {
    {4, "A"},
    {5, "B"},
    {6, "C"},
    {7, "D"},
    {8, "E"},
    {9, "F"},
    {10, "G"},
    {11, "H"},
    {12, "I"},
    {13, "J"},
    {14, "K"},
    {15, "L"},
    {16, "M"},
    {17, "N"},
    {18, "O"},
    {19, "P"},
    {20, "Q"},
    {21, "R"},
    {22, "S"},
    {23, "T"},
    {24, "U"},
    {25, "V"},
    {26, "W"},
    {27, "X"},
    {28, "Y"},
    {29, "Z"},
    {30, "1"},
    {31, "2"},
    {32, "3"},
    {33, "4"},
    {34, "5"},
    {35, "6"},
    {36, "7"},
    {37, "8"},
    {38, "9"},
    {39, "0"},
    {40, TEXT("Return")},
    {41, TEXT("Escape")},
    {42, TEXT("Backspace")},
    {43, TEXT("Tab")},
    {44, TEXT("Space")},
    {45, "-"},
    {46, "="},
    {47, "["},
    {48, "]"},
    {49, "\\"},
    {51, ";"},
    {52, "'"},
    {53, "`"},
    {54, ","},
    {55, "."},
    {56, "/"},
    {57, TEXT("CapsLock")},
    {58, "F1"},
    {59, "F2"},
    {60, "F3"},
    {61, "F4"},
    {62, "F5"},
    {63, "F6"},
    {64, "F7"},
    {65, "F8"},
    {66, "F9"},
    {67, "F10"},
    {68, "F11"},
    {69, "F12"},
    {70, TEXT("PrintScreen")},
    {71, TEXT("ScrollLock")},
    {72, TEXT("Pause")},
    {73, TEXT("Insert")},
    {74, TEXT("Home")},
    {75, TEXT("PageUp")},
    {76, TEXT("Delete")},
    {77, TEXT("End")},
    {78, TEXT("PageDown")},
    {79, TEXT("Right")},
    {80, TEXT("Left")},
    {81, TEXT("Down")},
    {82, TEXT("Up")},
    {83, TEXT("Numlock")},
    {84, TEXT("Keypad /")},
    {85, TEXT("Keypad *")},
    {86, TEXT("Keypad -")},
    {87, TEXT("Keypad +")},
    {88, TEXT("Keypad Enter")},
    {89, TEXT("Keypad 1")},
    {90, TEXT("Keypad 2")},
    {91, TEXT("Keypad 3")},
    {92, TEXT("Keypad 4")},
    {93, TEXT("Keypad 5")},
    {94, TEXT("Keypad 6")},
    {95, TEXT("Keypad 7")},
    {96, TEXT("Keypad 8")},
    {97, TEXT("Keypad 9")},
    {98, TEXT("Keypad 0")},
    {99, TEXT("Keypad .")},
    {224, TEXT("Left Ctrl")},
    {225, TEXT("Left Shift")},
    {226, TEXT("Left Alt")},
    {227, TEXT("Left GUI")},
    {228, TEXT("Right Ctrl")},
    {229, TEXT("Right Shift")},
    {230, TEXT("Right Alt")},
    {231, TEXT("Right GUI")},
};

static int index_of(const NamedInput *inputs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(inputs[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int control_pad_axis_index(const char *name)
{
    return index_of(pad_axes, sizeof(pad_axes) / sizeof(pad_axes[0]), name);
}

int control_pad_button_index(const char *name)
{
    return index_of(pad_buttons, sizeof(pad_buttons) / sizeof(pad_buttons[0]), name);
}

int control_key_index(const char *name)
{
    for (size_t i = 0; i < sizeof(keyboard_keys) / sizeof(keyboard_keys[0]); i++) {
        if (strcasecmp(keyboard_keys[i].name, name) == 0) {
            return keyboard_keys[i].code;
        }
    }
    return -1;
}

int control_source_index(ControlSource source, const char *name)
{
    switch (source) {
    case CONTROL_SOURCE_PAD_AXIS:
        return control_pad_axis_index(name);
    case CONTROL_SOURCE_PAD_BUTTON:
        return control_pad_button_index(name);
    case CONTROL_SOURCE_KEY:
        return control_key_index(name);
    default:
        return -1;
    }
}

const char *control_source_names(ControlSource source)
{
    switch (source) {
    case CONTROL_SOURCE_PAD_AXIS:
        return "leftx, lefty, rightx, righty, lefttrigger, righttrigger";
    case CONTROL_SOURCE_PAD_BUTTON:
        return "a, b, x, y, back, guide, start, leftstick, rightstick, leftshoulder, rightshoulder, dpup, dpdown, "
               "dpleft, dpright, misc1, paddle1..paddle4, touchpad";
    case CONTROL_SOURCE_KEY:
        return "SDL key names: A..Z, 0..9, F1..F12, Space, Left, Left Shift, Keypad 4, ...";
    default:
        return "DEVICE:NUMBER, DEVICE an id of the map's devices";
    }
}

const char *control_pad_axis_label(int index)
{
    return pad_axes[index].label;
}

const char *control_pad_button_label(int index)
{
    return pad_buttons[index].label;
}

const char *control_key_label(int scancode)
{
    for (size_t i = 0; i < sizeof(keyboard_keys) / sizeof(keyboard_keys[0]); i++) {
        if (keyboard_keys[i].code == scancode) {
            return keyboard_keys[i].name;
        }
    }
    return "";
}

const char *control_pad_axis_way(int index, int sign)
{
    return sign > 0 ? pad_axes[index].positive : pad_axes[index].negative;
}

static const char *const hat_ways[CONTROLS_HAT_WAYS] = {"up", "right", "down", "left"};

/// A number of at most three digits, without sign or leading zero; -1 when it is none.
static int small_number(const char *text)
{
    size_t length = strspn(text, "0123456789");
    bool good = length >= 1 && length <= 3 && text[length] == '\0' && (text[0] != '0' || length == 1);
    return good ? (int)strtol(text, NULL, 10) : -1;
}

/// "up", "hat2-left" -> the index of a button (ControlJoystickPart), or -1.
static int hat_index(const char *text)
{
    int hat = 0;
    if (strncmp(text, "hat", 3) == 0 && text[3] > '0' && text[3] <= '0' + CONTROLS_MAX_HATS && text[4] == '-') {
        hat = text[3] - '1';
        text += 5;
    }
    for (int way = 0; way < CONTROLS_HAT_WAYS; way++) {
        if (strcmp(text, hat_ways[way]) == 0) {
            return CONTROLS_MAX_BUTTONS + hat * CONTROLS_HAT_WAYS + way;
        }
    }
    return -1;
}

bool control_joystick_part(const ControlDevice *devices, int device_count, const char *name, bool button,
                           ControlJoystickPart *part)
{
    const char *colon = strchr(name, ':');
    if (!colon) {
        return false;
    }
    size_t length = (size_t)(colon - name);
    *part = (ControlJoystickPart){-1, small_number(colon + 1)};
    for (int i = 0; i < device_count; i++) {
        if (strlen(devices[i].id) == length && strncmp(devices[i].id, name, length) == 0) {
            part->device = i;
        }
    }
    if (button && hat_index(colon + 1) >= 0) {
        part->index = hat_index(colon + 1);
        return part->device >= 0;
    }
    int most = button ? CONTROLS_MAX_BUTTONS : CONTROLS_MAX_JOYSTICK_AXES;
    return part->device >= 0 && part->index >= 0 && part->index < most;
}

void control_joystick_name(const ControlDevice *device, bool button, int index, char *text, int size)
{
    int hat = 0;
    const char *way = "";
    if (!button || !control_hat_way(index, &hat, &way)) {
        snprintf(text, (size_t)size, "%s:%d", device->id, index);
    } else if (hat == 0) {
        snprintf(text, (size_t)size, "%s:%s", device->id, way);
    } else {
        snprintf(text, (size_t)size, "%s:hat%d-%s", device->id, hat + 1, way);
    }
}

bool control_hat_way(int index, int *hat, const char **way)
{
    if (index < CONTROLS_MAX_BUTTONS) {
        return false;
    }
    *hat = (index - CONTROLS_MAX_BUTTONS) / CONTROLS_HAT_WAYS;
    *way = hat_ways[(index - CONTROLS_MAX_BUTTONS) % CONTROLS_HAT_WAYS];
    return true;
}

bool control_devices_alike(const ControlDevice *a, const ControlDevice *b)
{
    // A map seeks a part of the name, and so "Twin Stick 2" answers to "Twin Stick" as well.
    return strcmp(a->usb, b->usb) == 0 && (strstr(a->name, b->name) != NULL || strstr(b->name, a->name) != NULL);
}

bool control_usb_numbers(const char *text, unsigned *vendor, unsigned *product)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    if (strlen(text) != 9 || strspn(text, digits) != 4 || text[4] != ':' || strspn(text + 5, digits) != 4) {
        return false;
    }
    *vendor = (unsigned)strtoul(text, NULL, 16);
    *product = (unsigned)strtoul(text + 5, NULL, 16);
    return true;
}

/// ---- reading -------------------------------------------------------------------------------------------------------

static const KeyChoice sources[] = {
    {"pad_axis", CONTROL_SOURCE_PAD_AXIS},
    {"pad_button", CONTROL_SOURCE_PAD_BUTTON},
    {"key", CONTROL_SOURCE_KEY},
    {"joystick_axis", CONTROL_SOURCE_JOYSTICK_AXIS},
    {"joystick_button", CONTROL_SOURCE_JOYSTICK_BUTTON},
    {NULL, 0},
};

static const KeyChoice axes[] = {
#define X(upper, lower) {#lower, CONTROL_##upper},
    CONTROL_AXES(X)
#undef X
        {NULL, 0},
};

static const DataKey binding_keys[] = {
    ROW_CHOICE("source", ControlBinding, source, sources, "kind of input"),
    ROW_TEXT("input", ControlBinding, input, "its name: leftx, a, W, left:0"),
    ROW_CHOICE("axis", ControlBinding, axis, axes, "the lever that it moves"),
    ROW_NUMBER("scale", ControlBinding, scale, -1, 1, 1,
               "share: of the lever's travel at full deflection of the input; below 0: reversed"),
    ROW_TEXT_OPTIONAL("modifier", ControlBinding, modifier, "button or key that must be held, too"),
    ROW_NUMBER_OR("low", ControlBinding, low, -1, 1, 1, -1, "reading: of a joystick's axis at its lower end"),
    ROW_NUMBER_OR("rest", ControlBinding, rest, -1, 1, 1, 0, "reading: of a joystick's axis at rest"),
    ROW_NUMBER_OR("high", ControlBinding, high, -1, 1, 1, 1, "reading: of a joystick's axis at its upper end"),
    ROW_END,
};
static const DataKey binding_item = ROW_ITEM(ControlBinding, binding_keys);

static const DataKey device_keys[] = {
    ROW_TEXT("id", ControlDevice, id, "name of the device in the bindings"),
    ROW_TEXT_OPTIONAL("name", ControlDevice, name, "part of the name that the device reports"),
    ROW_TEXT_OPTIONAL("usb", ControlDevice, usb, "vendor and product, hexadecimal: vvvv:pppp"),
    ROW_TEXT_OPTIONAL("serial", ControlDevice, serial, "its serial number, which distinguishes equal devices"),
    ROW_TEXT_OPTIONAL("port", ControlDevice, port,
                      "the socket that it is plugged into, which distinguishes equal devices; the doctor prints both"),
    ROW_END,
};
static const DataKey device_item = ROW_ITEM(ControlDevice, device_keys);

static const DataKey curve_keys[] = {
    ROW_NUMBER_OR("dead_zone", ControlCurve, dead_zone, 0, 0.5, 1, 0.08,
                  "share: of the deflection in which nothing moves"),
    ROW_NUMBER_OR("exponent", ControlCurve, exponent, 0.5, 4, 1, 1.6,
                  "power: of the deflection that the lever follows; 1 is linear"),
    ROW_NUMBER_OR("rate", ControlCurve, rate, 0.5, 1000, 1, 1000, "ways a second: fastest that the lever moves"),
    ROW_END,
};

/// The throttle stays where it is put: its inputs are even from one end to the other where a map says nothing else.
static const DataKey throttle_keys[] = {
    ROW_NUMBER_OR("dead_zone", ControlCurve, dead_zone, 0, 0.5, 1, 0,
                  "share: of the travel from its middle, or its end, in which nothing moves"),
    ROW_NUMBER_OR("exponent", ControlCurve, exponent, 0.5, 4, 1, 1,
                  "power: of the travel that it follows; 1 is linear"),
    ROW_NUMBER_OR("rate", ControlCurve, rate, 0.5, 1000, 1, 1000, "ways a second: fastest that it moves"),
    ROW_END,
};

typedef struct Curves {
    ControlCurve curve[CONTROL_COUNT];
} Curves;
static const DataKey curves_keys[] = {
#define X(upper, lower)                                                                                                \
    ROW_MAPPING_OPTIONAL(#lower, Curves, curve[CONTROL_##upper],                                                       \
                         CONTROL_##upper == CONTROL_THROTTLE ? throttle_keys : curve_keys,                             \
                         "response of this lever to its inputs"),
    CONTROL_AXES(X)
#undef X
        ROW_END,
};

typedef struct Action {
    char name[KEY_SIZE(ControlsParams, actions[0].name)];
    char pad[KEY_SIZE(ControlsParams, actions[0].pad)];
    char key[KEY_SIZE(ControlsParams, actions[0].key)];
    char joystick[KEY_SIZE(ControlsParams, actions[0].joystick)];
} Action;
_Static_assert(sizeof(Action) == KEY_SIZE(ControlsParams, actions[0]), "an action is as in controls_params.h");
static const DataKey action_keys[] = {
    ROW_TEXT("name", Action, name,
             "name of the action: camera, look, pause, menu, throttle_up, throttle_down, gear_up, gear_down, reset"),
    ROW_TEXT_OPTIONAL("pad", Action, pad, "button of a pad"),
    ROW_TEXT_OPTIONAL("key", Action, key, "key of the keyboard"),
    ROW_TEXT_OPTIONAL("joystick", Action, joystick, "button of a joystick: left:3"),
    ROW_END,
};
static const DataKey action = ROW_ITEM(Action, action_keys);

static const DataKey gear_item = {
    .type = KEY_NUMBER, .size = sizeof(double), .min = 0.05, .max = 1, .unit = 1, .meaning = "share of the travel"};

static const DataKey rumble_keys[] = {
    ROW_NUMBER_OR("tool", ControlRumble, tool, 0, 1, 1, 1,
                  "share: of the motors' strength at the machine's full digging force"),
    ROW_NUMBER_OR("engine", ControlRumble, engine, 0, 1, 1, 0.2,
                  "share: of the motors' strength at full load of the engine"),
    ROW_END,
};

static const DataKey map_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", ControlsParams, title, "shown in lists"),
    ROW_TEXT("pattern", ControlsParams, pattern,
             "pattern of the levers, shown on the screen: iso, bhl, h, handler or dozer"),
    ROW_LIST_OPTIONAL("devices", ControlsParams, devices, device_count, 1, CONTROLS_MAX_DEVICES, &device_item,
                      "joysticks and pedals that the map knows by name"),
    ROW_LIST("bindings", ControlsParams, bindings, binding_count, 1, CONTROLS_MAX_BINDINGS, &binding_item,
             "which input moves which lever"),
    ROW_MAPPING_OPTIONAL("curves", ControlsParams, curves, curves_keys, "response of the levers to their inputs"),
    ROW_MAPPING_OPTIONAL("rumble", ControlsParams, rumble, rumble_keys, "how strongly devices shake"),
    ROW_LIST_OPTIONAL(
        "gears", ControlsParams, gears, gear_count, 1, CONTROLS_MAX_GEARS, &gear_item,
        "shares of the tracks' travel that keys and buttons ask for, gear by gear, the first one at first"),
    ROW_LIST("actions", ControlsParams, actions, action_count, 0, CONTROLS_MAX_ACTIONS, &action,
             "buttons and keys with a fixed meaning"),
    ROW_END,
};

/// ---- rules between keys -------------------------------------------------------------------------------------------

static bool is_id(const char *id)
{
    size_t length = strlen(id);
    for (size_t i = 0; i < length; ++i) {
        if (!isalnum((unsigned char)id[i]) && id[i] != '-' && id[i] != '_') {
            return false;
        }
    }
    return length > 0;
}

/// True for what the kernel writes of a socket or a serial number.
static bool is_printable(const char *text)
{
    for (; *text != '\0'; ++text) {
        if (*text <= ' ' || *text > '~') {
            return false;
        }
    }
    return true;
}

static bool check_devices(Document *document, const ControlsParams *params, Status *status)
{
    for (int i = 0; i < params->device_count; ++i) {
        const ControlDevice *own = &params->devices[i];
        unsigned vendor, product;
        DocumentPath path = document_path("devices.%d.id", i);
        if (!is_id(own->id)) {
            return document_fail_at(document, path.text, status, "read %s, allowed letters, digits, - and _", own->id);
        }
        for (int k = 0; k < i; ++k) {
            if (strcmp(own->id, params->devices[k].id) == 0) {
                return document_fail_at(document, path.text, status, "read %s, which stands twice", own->id);
            }
        }
        if (own->usb[0] != '\0' && !control_usb_numbers(own->usb, &vendor, &product)) {
            return document_fail_at(document, document_path("devices.%d.usb", i).text, status,
                                    "read %s, allowed vendor:product, four hexadecimal digits each (044f:b10a)",
                                    own->usb);
        }
        if (own->usb[0] == '\0' && own->name[0] == '\0' && own->serial[0] == '\0' && own->port[0] == '\0') {
            return document_fail_at(document, document_path("devices.%d", i).text, status,
                                    "read no name, usb, serial or port, one of them tells the device");
        }
        const char *const places[] = {own->serial, own->port};
        for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k) {
            if (!is_printable(places[k])) {
                return document_fail_at(
                    document, document_path(k == 0 ? "devices.%d.serial" : "devices.%d.port", i).text, status,
                    "read %s, allowed letters, digits and signs of ASCII without a space", places[k]);
            }
        }
    }
    return true;
}

static bool fail_part(Document *document, const ControlsParams *params, const char *path, const char *name, bool button,
                      Status *status)
{
    char ids[CONTROLS_MAX_DEVICES * 16] = "(this map has no devices)";
    for (int i = 0; i < params->device_count; ++i) {
        size_t used = i > 0 ? strlen(ids) : 0;
        snprintf(ids + used, sizeof ids - used, "%s%.11s", i > 0 ? ", " : "", params->devices[i].id);
    }
    return document_fail_at(document, path, status,
                            button ? "read %s, allowed DEVICE:BUTTON, DEVICE one of %s, BUTTON 0 to %d, up, right, "
                                     "down or left of the first hat, hat2-up to hat4-left of the others"
                                   : "read %s, allowed DEVICE:AXIS, DEVICE one of %s, AXIS 0 to %d",
                            name, ids, (button ? CONTROLS_MAX_BUTTONS : CONTROLS_MAX_JOYSTICK_AXES) - 1);
}

static bool check_name(Document *document, const ControlsParams *params, const char *path, ControlSource source,
                       const char *name, Status *status)
{
    ControlJoystickPart part;
    bool button = source == CONTROL_SOURCE_JOYSTICK_BUTTON;
    switch (source) {
    case CONTROL_SOURCE_PAD_AXIS:
    case CONTROL_SOURCE_PAD_BUTTON:
    case CONTROL_SOURCE_KEY:
        return control_source_index(source, name) >= 0 ||
               document_fail_at(document, path, status, "read %s, allowed %s", name, control_source_names(source));
    case CONTROL_SOURCE_JOYSTICK_AXIS:
    case CONTROL_SOURCE_JOYSTICK_BUTTON:
        return control_joystick_part(params->devices, params->device_count, name, button, &part) ||
               fail_part(document, params, path, name, button, status);
    }
    return false;
}

static bool check_modifier(Document *document, const ControlsParams *params, int number, Status *status)
{
    const char *name = params->bindings[number].modifier;
    DocumentPath path = document_path("bindings.%d.modifier", number);
    if (strchr(name, ':') != NULL) {
        return check_name(document, params, path.text, CONTROL_SOURCE_JOYSTICK_BUTTON, name, status);
    }
    return name[0] == '\0' || control_pad_button_index(name) >= 0 || control_key_index(name) >= 0 ||
           document_fail_at(document, path.text, status, "read %s, allowed %s; %s; or a button of a device (left:0)",
                            name, control_source_names(CONTROL_SOURCE_PAD_BUTTON),
                            control_source_names(CONTROL_SOURCE_KEY));
}

/// An axis needs somewhere to go, and each side of its rest that there is must be wider than noise.
static bool check_range(Document *document, const ControlBinding *own, int number, Status *status)
{
    double up = own->high - own->rest, down = own->rest - own->low;
    bool good = (up >= CONTROLS_LEAST_TRAVEL || up == 0.0) && (down >= CONTROLS_LEAST_TRAVEL || down == 0.0) &&
                up + down >= CONTROLS_LEAST_TRAVEL;
    return good || document_fail_at(document, document_path("bindings.%d", number).text, status,
                                    "read low %g, rest %g, high %g, allowed low <= rest <= high, each side 0 or at "
                                    "least %g wide, not both 0",
                                    own->low, own->rest, own->high, CONTROLS_LEAST_TRAVEL);
}

static bool check_bindings(Document *document, const ControlsParams *params, Status *status)
{
    for (int i = 0; i < params->binding_count; ++i) {
        const ControlBinding *own = &params->bindings[i];
        if (!check_name(document, params, document_path("bindings.%d.input", i).text, own->source, own->input,
                        status) ||
            !check_modifier(document, params, i, status) ||
            (own->source == CONTROL_SOURCE_JOYSTICK_AXIS && !check_range(document, own, i, status))) {
            return false;
        }
    }
    return true;
}

static bool check_action_inputs(Document *document, const ControlsParams *params, int number, Status *status)
{
    const struct {
        const char *key, *name;
        ControlSource source;
    } inputs[] = {{"pad", params->actions[number].pad, CONTROL_SOURCE_PAD_BUTTON},
                  {"key", params->actions[number].key, CONTROL_SOURCE_KEY},
                  {"joystick", params->actions[number].joystick, CONTROL_SOURCE_JOYSTICK_BUTTON}};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; ++i) {
        if (inputs[i].name[0] != '\0' &&
            !check_name(document, params, document_path("actions.%d.%s", number, inputs[i].key).text, inputs[i].source,
                        inputs[i].name, status)) {
            return false;
        }
    }
    return true;
}

static bool check_actions(Document *document, const ControlsParams *params, Status *status)
{
    static const char *const known[] = {"camera",        "look",    "pause",     "menu", "throttle_up",
                                        "throttle_down", "gear_up", "gear_down", "reset"};
    for (int i = 0; i < params->action_count; ++i) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
            found = found || strcmp(params->actions[i].name, known[k]) == 0;
        }
        DocumentPath path = document_path("actions.%d.name", i);
        if (!found) {
            return document_fail_at(document, path.text, status,
                                    "read %s, allowed camera, look, pause, menu, throttle_up, throttle_down, gear_up, "
                                    "gear_down, reset",
                                    params->actions[i].name);
        }
        for (int k = 0; k < i; ++k) {
            if (strcmp(params->actions[i].name, params->actions[k].name) == 0) {
                return document_fail_at(document, path.text, status, "read %s, which stands twice",
                                        params->actions[i].name);
            }
        }
        if (!check_action_inputs(document, params, i, status)) {
            return false;
        }
    }
    return true;
}

static bool check_gears(Document *document, const ControlsParams *params, Status *status)
{
    for (int k = 1; k < params->gear_count; ++k) {
        if (params->gears[k] <= params->gears[k - 1]) {
            return document_fail_at(document, document_path("gears.%d", k).text, status,
                                    "read %g, allowed more than %g, the gear before", params->gears[k],
                                    params->gears[k - 1]);
        }
    }
    return true;
}

static bool check_controls(Document *document, const void *data, Status *status)
{
    const ControlsParams *params = data;
    if (!check_devices(document, params, status) || !check_bindings(document, params, status) ||
        !check_gears(document, params, status) || !check_actions(document, params, status)) {
        return false;
    }
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; ++k) {
        if (strcmp(params->pattern, patterns[k].name) == 0) {
            return true;
        }
    }
    return document_fail_at(document, "pattern", status, "read %s, allowed iso, bhl, h, handler, dozer",
                            params->pattern);
}

const DataSchema data_controls_schema = {.kind = "controls",
                                         .folder = "controls",
                                         .users_too = true,
                                         .keys = map_keys,
                                         .size = sizeof(ControlsParams),
                                         .name_size = KEY_SIZE(ControlsParams, name),
                                         .check = check_controls};

/// ---- writing -------------------------------------------------------------------------------------------------------

/// Texts go in single quotes, in which YAML knows no escapes but the doubled quote.

static const char *const source_names[] = {
    [CONTROL_SOURCE_PAD_AXIS] = "pad_axis",
    [CONTROL_SOURCE_PAD_BUTTON] = "pad_button",
    [CONTROL_SOURCE_KEY] = "key",
    [CONTROL_SOURCE_JOYSTICK_AXIS] = "joystick_axis",
    [CONTROL_SOURCE_JOYSTICK_BUTTON] = "joystick_button",
};

/// A text in single quotes, in which only the quote itself must be doubled.
static void write_text(FILE *stream, const char *before, const char *text)
{
    fprintf(stream, "%s'", before);
    for (; *text != '\0'; ++text) {
        fprintf(stream, *text == '\'' ? "''" : "%c", *text);
    }
    fputc('\'', stream);
}

static void write_devices(const ControlsParams *params, FILE *stream)
{
    if (params->device_count > 0) {
        fputs("\n# serial, port: which of two equal devices it is, by its serial number or the socket that it is "
              "plugged\n"
              "# into; with neither the one in the lower socket is the first in the list. `spadework doctor` prints "
              "both.\n"
              "devices:\n",
              stream);
    }
    for (int i = 0; i < params->device_count; ++i) {
        const ControlDevice *device = &params->devices[i];
        write_text(stream, "  - {id: ", device->id);
        if (device->name[0] != '\0') {
            write_text(stream, ", name: ", device->name);
        }
        if (device->usb[0] != '\0') {
            write_text(stream, ", usb: ", device->usb);
        }
        if (device->serial[0] != '\0') {
            write_text(stream, ", serial: ", device->serial);
        }
        if (device->port[0] != '\0') {
            write_text(stream, ", port: ", device->port);
        }
        fputs("}\n", stream);
    }
}

static void write_binding(const ControlBinding *binding, FILE *stream)
{
    fprintf(stream, "  - {source: %s", source_names[binding->source]);
    write_text(stream, ", input: ", binding->input);
    fprintf(stream, ", axis: %s, scale: %.4g", control_axis_names[binding->axis], binding->scale);
    if (binding->source == CONTROL_SOURCE_JOYSTICK_AXIS) {
        fprintf(stream, ", low: %.4f, rest: %.4f, high: %.4f", binding->low, binding->rest, binding->high);
    }
    if (binding->modifier[0] != '\0') {
        write_text(stream, ", modifier: ", binding->modifier);
    }
    fputs("}\n", stream);
}

static void write_actions(const ControlsParams *params, FILE *stream)
{
    fputs(params->action_count > 0 ? "\nactions:\n" : "\nactions: []\n", stream);
    for (int i = 0; i < params->action_count; ++i) {
        write_text(stream, "  - {name: ", params->actions[i].name);
        const struct {
            const char *key, *value;
        } inputs[] = {{", pad: ", params->actions[i].pad},
                      {", joystick: ", params->actions[i].joystick},
                      {", key: ", params->actions[i].key}};
        for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; ++k) {
            if (inputs[k].value[0] != '\0') {
                write_text(stream, inputs[k].key, inputs[k].value);
            }
        }
        fputs("}\n", stream);
    }
}

bool controls_write(const ControlsParams *params, FILE *stream)
{
    fputs("kind: controls\n", stream);
    write_text(stream, "title: ", params->title);
    fprintf(stream, "\npattern: %s\n", params->pattern);
    write_devices(params, stream);
    fputs("\n# low, rest, high: what an axis reads at its two ends and when nobody touches it.\nbindings:\n", stream);
    for (int i = 0; i < params->binding_count; ++i) {
        write_binding(&params->bindings[i], stream);
    }
    fputs("\n# dead_zone: share of the deflection that does nothing; exponent: above 1 is gentle around the middle;\n"
          "# rate: full deflections a second a lever can move.\ncurves:\n",
          stream);
    for (int axis = 0; axis < CONTROL_COUNT; ++axis) {
        const ControlCurve *curve = &params->curves[axis];
        fprintf(stream, "  %s: {dead_zone: %.4g, exponent: %.4g, rate: %.4g}\n", control_axis_names[axis],
                curve->dead_zone, curve->exponent, curve->rate);
    }
    fprintf(stream, "\nrumble: {tool: %.4g, engine: %.4g}\n", params->rumble.tool, params->rumble.engine);
    for (int k = 0; k < params->gear_count; ++k) {
        fprintf(stream, "%s%.4g%s", k == 0 ? "\ngears: [" : ", ", params->gears[k],
                k + 1 < params->gear_count ? "" : "]\n");
    }
    write_actions(params, stream);
    return ferror(stream) == 0;
}
