/// Prints the levers a pad moves, whenever they change: swing stick boom bucket left_track right_track, and what comes
/// and goes; to stderr the time of each change, s. For evdev_pad.sh, which puts a pad made of files in front of SDL.
/// Usage: pad_probe SECONDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "input/input.h"

static void bind(ControlsParams *params, const char *input, ControlAxis axis, double scale, const char *modifier)
{
    ControlBinding *binding = &params->bindings[params->binding_count++];
    *binding = (ControlBinding){.source = CONTROL_SOURCE_PAD_AXIS, .axis = axis, .scale = scale};
    snprintf(binding->input, sizeof(binding->input), "%s", input);
    snprintf(binding->modifier, sizeof(binding->modifier), "%s", modifier);
}

/// The ISO pattern with straight curves, so that a raw value can be told from the printed lever.
static ControlsParams straight_iso(void)
{
    ControlsParams params = {.name = "probe"};
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        params.curves[axis] = (ControlCurve){.dead_zone = 0.0, .exponent = 1.0, .rate = 1000.0};
    }
    bind(&params, "leftx", CONTROL_SWING, 1.0, "");
    bind(&params, "lefty", CONTROL_STICK, 1.0, "");
    bind(&params, "righty", CONTROL_BOOM, 1.0, "");
    bind(&params, "rightx", CONTROL_BUCKET, -1.0, "");
    bind(&params, "lefttrigger", CONTROL_LEFT_TRACK, 1.0, "");
    bind(&params, "righttrigger", CONTROL_RIGHT_TRACK, 1.0, "");
    bind(&params, "righttrigger", CONTROL_RIGHT_TRACK, -1.0, "rightshoulder");
    return params;
}

static void probe(InputDevices *devices, const InputMap *map, double seconds)
{
    const double pause = 0.002;
    const struct timespec wait = {0, (long)(pause * 1e9)};
    InputMemory memory = {0};
    OperatorControls before = control_neutral;
    char text[INPUT_NEWS_TEXT];
    InputNews news;
    int count = (int)(seconds / pause);
    for (int i = 0; i < count; i++) {
        OperatorControls controls;
        input_devices_poll(devices);
        while (input_devices_changed(devices, &news)) {
            input_news_text(&news, &(TextReader){.english = true}, text);
            printf("%s\n", text);
        }
        const InputSample *sample = input_devices_sample(devices);
        input_map_apply(map, sample, pause, &memory, &controls);
        if (memcmp(&controls, &before, sizeof(controls)) != 0) {
            for (int axis = CONTROL_SWING; axis <= CONTROL_RIGHT_TRACK; axis++) {
                printf("%+.2f%c", control_value(&controls, (ControlAxis)axis), axis < CONTROL_RIGHT_TRACK ? ' ' : '\n');
            }
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            fprintf(stderr, "%.4f\n", (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
            before = controls;
        }
        fflush(stdout);
        nanosleep(&wait, NULL);
    }
}

int main(int count, char **arguments)
{
    double seconds = count == 2 ? strtod(arguments[1], NULL) : 0.0;
    if (!(seconds > 0.0 && seconds <= 60.0)) {
        fprintf(stderr, "usage: pad_probe SECONDS (0..60)\n");
        return STATUS_BAD_USAGE;
    }
    Status status;
    ControlsParams params = straight_iso();
    InputMap *map = input_map_create(&params, &status);
    InputDevices *devices = map ? input_devices_open(&status) : NULL;
    if (devices) {
        probe(devices, map, seconds);
    } else {
        fprintf(stderr, "pad_probe: %s\n", status.text);
    }
    input_devices_close(devices);
    input_map_destroy(map);
    return (int)status.code;
}
