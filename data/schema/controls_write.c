/// Writes a control map as a YAML file that reads back to the same map, with the comments a person needs to change it
/// by hand.
///
/// Texts go in single quotes, in which YAML knows no escapes but the doubled quote.
#include "data/schema/controls_write.h"

#include <string.h>

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
    write_actions(params, stream);
    return ferror(stream) == 0;
}
