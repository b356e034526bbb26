/// Lists the inputs that a control map may name, as SDL numbers them, so that maps can be read and checked without SDL.
///
/// Pad axes and buttons follow SDL_GameControllerAxis and SDL_GameControllerButton; keys are USB HID usages of page 7,
/// which are SDL's scancodes, under the names that SDL_GetScancodeName gives. test_input_devices compares them with
/// SDL's own.
#include "data/schema/control_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/core/language.h"

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

static const NamedKey keys[] = {
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
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (strcasecmp(keys[i].name, name) == 0) {
            return keys[i].code;
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
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (keys[i].code == scancode) {
            return keys[i].name;
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
