/// Any text as a file of one kind: a line `kind:` of its own is replaced by the target's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/settings_params.h"
#include "data/schema/load.h"
#include "input/input.h"
#include "tests/fuzz/fuzz.h"

/// The text with the kind in front, without lines that begin with "kind:"; the caller frees it.
static char *of_kind(const char *kind, const uint8_t *data, size_t size, size_t *length)
{
    char *text = malloc(size + 64);
    require(text != NULL);
    *length = (size_t)snprintf(text, 64, "kind: %s\n", kind);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t line = end != NULL ? (size_t)(end - (data + at)) + 1 : size - at;
        if (line < 5 || memcmp(data + at, "kind:", 5) != 0) {
            memcpy(text + *length, data + at, line);
            *length += line;
        }
        at += line;
    }
    return text;
}

static bool check(const char *kind, const uint8_t *data, size_t size, char **text, size_t *length)
{
    Status status = {STATUS_GOOD, ""};
    *text = of_kind(kind, data, size, length);
    bool good = data_check_text("fuzz", *text, *length, &status);
    require(good || status.text[0] != '\0'); // every refusal says why
    return good;
}

#define CHECKED(name)                                                                                                  \
    void fuzz_##name(const uint8_t *data, size_t size)                                                                 \
    {                                                                                                                  \
        size_t length;                                                                                                 \
        char *text;                                                                                                    \
        check(#name, data, size, &text, &length);                                                                      \
        free(text);                                                                                                    \
    }
CHECKED(machine)
CHECKED(truck)
CHECKED(attachment)
CHECKED(coupler)
CHECKED(soil)
CHECKED(course)

/// Presses everything, the further the later the byte; levers stay within their ranges.
static void move_levers(const InputMap *map, const uint8_t *data, size_t size)
{
    static InputSample sample;
    InputMemory memory = {0};
    OperatorControls controls;
    unsigned char *bytes = (unsigned char *)&sample;
    for (size_t tick = 0; tick < 8; tick++) {
        memset(&sample, 0, sizeof sample);
        for (int k = 0; k < INPUT_PAD_AXES; k++) {
            sample.pad_axis[k] = size > 0 ? (double)data[(tick * 7 + (size_t)k) % size] / 127.5 - 1.0 : 0.0;
        }
        for (int i = 0; i < CONTROLS_MAX_DEVICES; i++) {
            InputJoystick *joystick = &sample.joystick[i];
            joystick->present = tick % 5 != 4;
            joystick->came = (unsigned)(tick / 3);
            memset(joystick->button, tick % 3 == 1, sizeof joystick->button);
            for (int k = 0; k < CONTROLS_MAX_JOYSTICK_AXES; k++) {
                joystick->axis[k] =
                    size > 0 ? (double)data[(tick * 5 + (size_t)(i + k)) % size] / 127.5 - 1.0 : (double)NAN;
                joystick->first[k] = tick % 2 == 0 ? joystick->axis[k] : (double)NAN;
                joystick->stands[k] = (double)tick;
            }
        }
        memset(sample.key, tick % 2 != 0, sizeof sample.key);
        memset(sample.pad_button, tick % 3 != 0, sizeof sample.pad_button);
        sample.pad_present = bytes != NULL;
        input_map_apply(map, &sample, 1.0 / 60.0, &memory, &controls);
        input_map_rest(&memory);
        InputNews rest;
        input_map_not_at_rest(map, &sample, &memory, &rest);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            double value = control_value(&controls, (ControlAxis)axis);
            require(value >= -1.0 && value <= 1.0);
            char line[64];
            input_map_describe(map, (ControlAxis)axis, true, line, sizeof line);
            input_map_describe_tracks(map, (InputTracks)(axis % 4), true, line, sizeof line);
            input_map_describe_gentle(map, axis % 2 == 0, line, sizeof line);
        }
    }
}

void fuzz_controls(const uint8_t *data, size_t size)
{
    static ControlsParams params;
    size_t length;
    char *text, path[96];
    Status status = {STATUS_GOOD, ""};
    if (check("controls", data, size, &text, &length)) {
        fuzz_write(fuzz_path("map.yaml", path), text, length);
        require(data_load_controls(path, &params, NULL, &status));
        InputMap *map = input_map_create(&params, &status);
        require(map != NULL || status.text[0] != '\0');
        if (map != NULL) {
            move_levers(map, data, size);
        }
        input_map_destroy(map);
    }
    free(text);
}

/// Whatever file there is, an edit leaves one that can be read, or the same.
void fuzz_settings(const uint8_t *data, size_t size)
{
    static SettingsParams params;
    size_t length, edited, first = 0;
    char *text, path[96], value[64] = "";
    Status status = {STATUS_GOOD, ""};
    bool good = check("settings", data, size, &text, &length);
    fuzz_write(fuzz_path("settings.yaml", path), text, length);
    while (first < size && data[first] != '\n' && first + 1 < sizeof value) {
        value[first] = (char)data[first]; // a comment in front may be the edit
        first++;
    }
    static const char *const edits[] = {"window.gauges=all", "window.units=imperial", "language=de",
                                        "window.gauges=none"};
    const char *edit[] = {value[0] == '#' ? value + 1 : edits[size % 4]};
    bool changed = settings_edit(path, edit, 1, &status);
    require(changed || status.text[0] != '\0');
    require(good || !changed);
    unsigned char *after = fuzz_read(path, &edited);
    require(changed || (edited == length && memcmp(after, text, length) == 0));
    require(!changed || data_load_settings(path, &params, &status));
    free(after);
    free(text);
}
