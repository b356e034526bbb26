/// Three pages: which devices and pattern, the questions, and the trial.
#include "trainer/app/device_setup.h"

#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/load.h"
#include "trainer/app/map_file.h"

#define TILT 0.6 ///< of the travel that swing went: as far it answers. Chosen

/// ---- which devices -------------------------------------------------------------------------------------------------

static bool is_same(const ControlDevice *a, const ControlDevice *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->usb, b->usb) == 0 && strcmp(a->serial, b->serial) == 0 &&
           strcmp(a->port, b->port) == 0;
}

/// What is plugged in now; what was wanted stays so, and of what is new all but known gamepads is.
static void list_devices(DeviceSetup *setup)
{
    ControlDevice before[CONTROLS_MAX_DEVICES];
    bool wanted[CONTROLS_MAX_DEVICES];
    int count_before = setup->count;
    memcpy(before, setup->list, sizeof before);
    memcpy(wanted, setup->wanted, sizeof wanted);
    setup->count = input_devices_list(setup->devices, setup->list, CONTROLS_MAX_DEVICES);
    for (int k = 0; k < setup->count; k++) {
        setup->pad[k] = input_devices_is_pad(setup->devices, k);
        bool known = k < count_before && is_same(&before[k], &setup->list[k]);
        setup->wanted[k] = known ? wanted[k] : !setup->pad[k];
    }
}

void device_setup_begin(DeviceSetup *setup, InputDevices *devices, bool backhoe)
{
    device_setup_end(setup);
    setup->devices = devices;
    setup->backhoe = backhoe;
    list_devices(setup);
}

void device_setup_end(DeviceSetup *setup)
{
    lever_check_close(&setup->check);
    if (setup->devices != NULL) {
        input_devices_use(setup->devices, NULL, 0);
    }
    *setup = (DeviceSetup){0};
}

static void ask_from_start(DeviceSetup *setup)
{
    ControlDevice chosen[CONTROLS_MAX_DEVICES];
    Status status;
    int count = 0;
    for (int k = 0; k < setup->count; k++) {
        if (setup->wanted[k]) {
            chosen[count++] = setup->list[k];
        }
    }
    if (count == 0) {
        snprintf(setup->told, sizeof setup->told, "%s", language_text("Choose at least one device"));
        setup->refused = true;
        return;
    }
    if (!data_load_controls(setup->backhoe ? "bhl" : "iso", &setup->params, NULL, &status)) {
        snprintf(setup->told, sizeof setup->told, "%.*s", CALIBRATION_TEXT, status.text);
        setup->refused = true;
        return;
    }
    lever_check_close(&setup->check);
    input_devices_use(setup->devices, chosen, count);
    calibration_start(&setup->calibration, &setup->params, chosen, count);
    snprintf(setup->title, sizeof setup->title, "%.60s%s, %s", chosen[0].name, count > 1 ? " ..." : "",
             setup->backhoe ? "backhoe" : "ISO");
    setup->page = SETUP_ASKS;
    setup->told[0] = '\0';
    setup->button_down = true; // what is still held from the choice is no answer
}

/// ---- questions -----------------------------------------------------------------------------------------------------

/// All is answered: the map is tried.
static void try_out(DeviceSetup *setup)
{
    Status status;
    setup->told[0] = '\0';
    if (calibration_result(&setup->calibration, &setup->params, &status)) {
        snprintf(setup->params.title, sizeof setup->params.title, "%s", setup->title);
        if (lever_check_open(&setup->check, &setup->params, setup->devices, &status)) {
            setup->page = SETUP_TRIES;
            return;
        }
    }
    setup->page = SETUP_CHOOSES;
    setup->refused = true;
    snprintf(setup->told, sizeof setup->told, "%.*s", CALIBRATION_TEXT,
             status.code == STATUS_BAD_USAGE ? language_text("No lever was moved: nothing has changed") : status.text);
}

/// Goes on without an answer, or back.
static void step(DeviceSetup *setup, bool on)
{
    setup->told[0] = '\0';
    if (!on && setup->calibration.step == 0) {
        input_devices_use(setup->devices, NULL, 0);
        setup->page = SETUP_CHOOSES;
    } else if (!on) {
        calibration_back(&setup->calibration);
    } else if (calibration_skip(&setup->calibration) == CALIBRATION_REFUSED) {
        setup_pages_tell(setup, CALIBRATION_REFUSED);
    }
    if (setup->page == SETUP_ASKS && calibration_is_done(&setup->calibration)) {
        try_out(setup);
    }
}

static bool asks_button(const DeviceSetup *setup)
{
    const Calibration *calibration = &setup->calibration;
    CalibrationStepKind kind = calibration->steps[calibration->step].kind;
    return kind == CALIBRATION_REVERSE || kind == CALIBRATION_BUTTON;
}

/// Which way swing is held, where it was found.
static int find_tilt(const DeviceSetup *setup)
{
    const Calibration *calibration = &setup->calibration;
    for (int k = 0; k < calibration->step; k++) {
        const CalibrationStep *asked = &calibration->steps[k];
        const CalibrationFind *find = &calibration->finds[k];
        if (asked->kind == CALIBRATION_WAY && asked->axis == CONTROL_SWING && find->found) {
            double now = calibration->axes[find->device][find->index].now;
            if ((now - find->rest) / (find->end - find->rest) > TILT) {
                return asked->sign;
            }
        }
    }
    return 0;
}

static bool is_button_down(const DeviceSetup *setup)
{
    for (int i = 0; i < setup->calibration.device_count; i++) {
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
            const InputJoystick *joystick = &setup->sample.joystick[i];
            if (joystick->button[button] != 0 || joystick->pressed[button] != 0) {
                return true;
            }
        }
    }
    return false;
}

/// A button of what is set up is an answer where one is asked for, and else a command of the menu.
static void sort_commands(DeviceSetup *setup, WindowInput *input)
{
    static const WindowCommand commands[] = {WINDOW_ACCEPT, WINDOW_BACK, WINDOW_UP,
                                             WINDOW_DOWN,   WINDOW_LEFT, WINDOW_RIGHT};
    bool down = is_button_down(setup);
    for (size_t k = 0; asks_button(setup) && (down || setup->button_down) && k < sizeof commands / sizeof commands[0];
         k++) {
        input->pressed[commands[k]] = 0;
    }
    setup->button_down = down;
}

static bool look_at_question(DeviceSetup *setup, double dt, WindowInput *input)
{
    int before = setup->calibration.step;
    bool button = asks_button(setup);
    sort_commands(setup, input);
    CalibrationAnswer answer = calibration_watch(&setup->calibration, &setup->sample, dt);
    if (answer != CALIBRATION_WAITS) {
        setup_pages_tell(setup, answer);
    }
    int tilt = button ? find_tilt(setup) : 0;
    if (button && answer == CALIBRATION_WAITS && tilt != 0 && setup->tilts == 0) {
        step(setup, tilt > 0);
    }
    setup->tilts = asks_button(setup) ? tilt : 1; // swing that is still held from its own question does not answer
    if (setup->page == SETUP_ASKS && calibration_is_done(&setup->calibration)) {
        try_out(setup);
    }
    return setup->page != SETUP_ASKS || setup->calibration.step != before;
}

bool device_setup_look(DeviceSetup *setup, const InputSample *sample, double dt, WindowInput *input)
{
    if (setup->devices == NULL || sample == NULL) {
        return false;
    }
    setup->sample = *sample;
    if (setup->page == SETUP_CHOOSES) {
        int before = setup->count;
        list_devices(setup);
        return setup->count != before;
    }
    if (setup->page == SETUP_TRIES) {
        lever_check_look(&setup->check, sample, dt);
        return false;
    }
    return look_at_question(setup, dt, input);
}

/// ---- choosing ------------------------------------------------------------------------------------------------------

static SetupAnswer keep(DeviceSetup *setup)
{
    Status status;
    if (map_file_keep(&setup->params, setup->title, setup->name, &status)) {
        return SETUP_KEPT;
    }
    snprintf(setup->told, sizeof setup->told, "%.*s", CALIBRATION_TEXT, status.text);
    setup->refused = true;
    return SETUP_STAYS;
}

SetupAnswer device_setup_choose(DeviceSetup *setup, int id)
{
    switch (id) {
    case SETUP_ITEM_BEGIN:
    case SETUP_ITEM_AGAIN:
        ask_from_start(setup);
        return SETUP_STAYS;
    case SETUP_ITEM_SKIP:
        step(setup, true);
        return SETUP_STAYS;
    case SETUP_ITEM_BACK:
        step(setup, false);
        return SETUP_STAYS;
    case SETUP_ITEM_KEEP:
        return keep(setup);
    case SETUP_ITEM_LEAVE:
        return SETUP_LEAVES;
    default:
        device_setup_change(setup, id);
        return SETUP_STAYS;
    }
}

SetupAnswer device_setup_back(DeviceSetup *setup)
{
    if (setup->page == SETUP_ASKS) {
        step(setup, false);
        return SETUP_STAYS;
    }
    if (setup->page == SETUP_TRIES) {
        lever_check_close(&setup->check);
        setup->page = SETUP_CHOOSES;
        return SETUP_STAYS;
    }
    return SETUP_LEAVES;
}

void device_setup_change(DeviceSetup *setup, int id)
{
    if (id == SETUP_ITEM_PATTERN) {
        setup->backhoe = !setup->backhoe;
    } else if (setup->page == SETUP_CHOOSES && id >= 0 && id < setup->count) {
        setup->wanted[id] = !setup->wanted[id];
    }
}
