/// Names each lever and the two ways it goes, and shows beside it the source that moves it now, its reading and the
/// value the machine gets; below, the devices that the control map names, and those that nothing names.
#include "trainer/app/axes_table.h"

#include <stdio.h>

#include "data/core/language.h"

#include "trainer/app/lever_words.h"

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
             slings = session_loads(session) != NULL;
        bool idle = axis == CONTROL_AUXILIARY && !hammers && !slings;
        if (axis == CONTROL_AUXILIARY && !hammers) {
            row->lever = language_text("Sling");
        }
        shown->count += shows && !idle ? 1 : 0;
    }
    if (driver->kind == OPERATOR_PERSON) {
        show_devices(self, driver, shown);
    }
}
