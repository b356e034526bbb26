/// Sets up input devices in the window: selection and pattern, one question per lever, a trial, and the written control
/// map.
#include "trainer/app/device_setup.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/language.h"
#include "data/schema/schema.h"
#include "data/core/system_files.h"
#include "trainer/app/hints.h"

/// ---- trying levers -------------------------------------------------------------------------------------------------

/// A lever counts as moved once it has gone most of its way.

#define FAR     0.6 ///< of the full deflection. Chosen: keys and thumbs get there
#define NEUTRAL 0.02 ///< of the full deflection: less counts as neutral. Chosen

static const ControlAxis levers[LEVER_CHECK_LEVERS] = {CONTROL_SWING,  CONTROL_STICK,      CONTROL_BOOM,
                                                       CONTROL_BUCKET, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK};

static int count_devices(InputDevices *devices)
{
    ControlDevice list[CONTROLS_MAX_DEVICES];
    return input_devices_list(devices, list, CONTROLS_MAX_DEVICES);
}

bool lever_check_open(LeverCheck *check, const ControlsParams *params, InputDevices *devices, Status *status)
{
    lever_check_close(check);
    check->map = input_map_create(params, status);
    if (check->map == NULL) {
        return false;
    }
    check->devices = devices;
    if (devices != NULL) {
        check->plugged = count_devices(devices);
        int count = 0;
        const ControlDevice *wanted = input_map_devices(check->map, &count);
        input_devices_use(devices, wanted, count);
    }
    return true;
}

void lever_check_close(LeverCheck *check)
{
    if (check->map != NULL && check->devices != NULL) {
        input_devices_use(check->devices, NULL, 0);
    }
    input_map_destroy(check->map);
    *check = (LeverCheck){0};
}

void lever_check_look(LeverCheck *check, const InputSample *sample, double dt)
{
    OperatorControls controls;
    if (check->map == NULL || sample == NULL) {
        return;
    }
    input_map_apply(check->map, sample, dt, &check->memory, &controls);
    for (int k = 0; k < LEVER_CHECK_LEVERS; k++) {
        double value = check->value[k] = control_value(&controls, levers[k]);
        check->less[k] |= value < -FAR;
        check->more[k] |= value > FAR;
    }
}

bool lever_check_misses(const LeverCheck *check)
{
    return check->devices != NULL && count_devices(check->devices) < check->plugged;
}

int lever_check_moved(const LeverCheck *check)
{
    int count = 0;
    for (int k = 0; k < LEVER_CHECK_LEVERS; k++) {
        count += check->less[k] && check->more[k];
    }
    return count;
}

int lever_check_moving(const LeverCheck *check)
{
    for (int k = LEVER_CHECK_LEVERS - 1; k >= 0; k--) {
        if (check->value[k] < -NEUTRAL || check->value[k] > NEUTRAL) {
            return k;
        }
    }
    return -1;
}

void lever_check_add(const LeverCheck *check, Menu *menu)
{
    for (int k = 0; k < LEVER_CHECK_LEVERS && check->map != NULL; k++) {
        LeverWords words = lever_words(levers[k]);
        char text[MENU_TEXT];
        // In the order in which the map's description names what moves it that way.
        snprintf(text, sizeof text, "%s: %s, %s", words.lever, words.more, words.less);
        MenuItem *item = menu_tell(menu, RENDER_MENU_TELLS, text);
        if (item == NULL) {
            return;
        }
        input_map_describe(check->map, levers[k], true, item->detail, (int)sizeof item->detail);
        lever_words_cut(item->detail);
        bool both = check->less[k] && check->more[k];
        bool moves = check->value[k] > NEUTRAL || check->value[k] < -NEUTRAL;
        item->bar = (RenderMenuBar){.visible = true, .two_way = true, .done = both, .share = check->value[k]};
        snprintf(item->value, sizeof item->value, "%s",
                 moves  ? check->value[k] > 0.0 ? words.more : words.less
                 : both ? "\u2713"
                        : "");
    }
}

/// ---- files of control maps -----------------------------------------------------------------------------------------

/// A map is printed into memory first: the disk is touched only when the text is complete.

bool map_file_write(const ControlsParams *params, const char *path, Status *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    bool good = stream != NULL && controls_write(params, stream);
    if (stream != NULL && fclose(stream) != 0) {
        good = false;
    }
    good = good ? write_whole(path, text, size, status) && data_check_file(path, NULL, NULL, status)
                : status_fail(status, STATUS_LACKING, "%s: out of memory", path);
    free(text);
    return good;
}

/// "Gladiator NXT, ISO" becomes "gladiator-nxt-iso".
static void print_name(const char *title, char name[64])
{
    size_t length = 0;
    for (const char *p = title; *p != '\0' && length < 48; p++) {
        bool letter = isalnum((unsigned char)*p) && (unsigned char)*p < 128;
        if (letter) {
            name[length++] = (char)tolower((unsigned char)*p);
        } else if (length > 0 && name[length - 1] != '-') {
            name[length++] = '-';
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
    if (length == 0) {
        snprintf(name, 64, "my-levers");
    }
}

/// Writes a map into the user's folder of control maps under a name made of `title`, its letters and digits alone, in
/// place of one that was there; `name` receives it. False with `status`.
static bool write_user_map(const ControlsParams *params, const char *title, char name[64], Status *status)
{
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH + 80], own[64];
    print_name(title, name);
    snprintf(path, sizeof path, "%.500s/controls/%s.yaml", data_folder(), name);
    if (access(path, F_OK) == 0) { // of two of one name the shipped one is meant
        snprintf(own, sizeof own, "my-%.60s", name);
        memcpy(name, own, sizeof own);
    }
    if (!user_data_path("controls", folder, status) || !user_make_folder(folder, status)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    return map_file_write(params, path, status);
}

/// ---- pages ---------------------------------------------------------------------------------------------------------

/// Texts of the pages, and bars with the devices' readings.

enum { MOST_AXES = 8 }; ///< bars of one device

/// Writes the person's text about an answer of the calibration.
static void describe_answer(DeviceSetup *setup, CalibrationAnswer answer)
{
    static const char *const refusals[] = {
        [CALIBRATION_NOT_YET] = TEXT("First, touch nothing for a second"),
        [CALIBRATION_RESTLESS] = TEXT("Something still moves: let go of everything"),
        [CALIBRATION_SHORT] = TEXT("It went only part of the way: move it all the way, and let it go"),
        [CALIBRATION_BOTH] = TEXT("Two moved at once: only one at a time"),
        [CALIBRATION_USED] = TEXT("That one is already assigned: use another one, or none"),
        [CALIBRATION_STAYS] = TEXT("It stayed there: let it go, and move it once more"),
        [CALIBRATION_OTHER] = TEXT("That is another one: the same one as for idle"),
    };
    setup->refused = answer == CALIBRATION_REFUSED;
    snprintf(setup->told, sizeof setup->told, "%s",
             setup->refused ? language_text(refusals[setup->calibration.reason])
                            : language_text("Good. Now the next one:"));
}

/// ---- texts of the choice -------------------------------------------------------------------------------------------

static void fill_devices(const DeviceSetup *setup, Menu *menu)
{
    const char *usual =
        setup->count > 0
            ? language_text("Which of these do you drive with? The set-up you have stays until a new one is "
                            "kept at the end")
            : language_text("Plug them in: they are listed here at once");
    menu_start(menu, language_text("Set up levers, pedals and joysticks"),
               setup->told[0] != '\0' ? setup->told : usual);
    if (setup->count == 0) {
        menu_tell(menu, RENDER_MENU_TELLS, language_text("Only the keyboard is there"));
    }
    for (int k = 0; k < setup->count; k++) {
        MenuItem *item = menu_add(menu, k, setup->list[k].name,
                                  setup->pad[k] ? language_text("A gamepad that works without set-up")
                                                : language_text("Its levers are not known yet"));
        if (item != NULL) {
            snprintf(item->value, sizeof item->value, "%s",
                     setup->wanted[k] ? language_text("[x] set it up") : language_text("[ ] leave it"));
        }
    }
    if (setup->count > 0) {
        menu_add_value(menu, SETUP_ITEM_PATTERN, language_text("Pattern"), language_text(setup->pattern->title));
        menu_add(menu, SETUP_ITEM_BEGIN, language_text("Begin"),
                 language_text("Each lever is asked for, one after the other"));
    }
    menu_add(menu, SETUP_ITEM_LEAVE, language_text("Back"), "");
    menu_select(menu, setup->count > 0 ? SETUP_ITEM_BEGIN : SETUP_ITEM_LEAVE);
}

/// ---- texts of the questions ----------------------------------------------------------------------------------------

static void add_axes(const DeviceSetup *setup, int device, Menu *menu)
{
    const Calibration *calibration = &setup->calibration;
    int shown = 0;
    for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES && shown < MOST_AXES; number++) {
        const CalibrationAxis *axis = &calibration->axes[device][number];
        char text[MENU_TEXT], does[MENU_TEXT] = "";
        if (!axis->known) {
            continue;
        }
        for (int k = 0; k < calibration->step; k++) {
            const CalibrationFind *find = &calibration->finds[k];
            bool moves =
                calibration->steps[k].kind == CALIBRATION_WAY || calibration->steps[k].kind == CALIBRATION_PLACE;
            if (moves && find->found && find->device == device && find->index == number) {
                snprintf(does, sizeof does, ": %s", lever_words(calibration->steps[k].axis).lever);
            }
        }
        snprintf(text, sizeof text,
                 axis->useless ? language_text("Axis %d: never stands still, left out") : language_text("Axis %d"),
                 number + 1);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%.100s", does);
        MenuItem *item = menu_tell(menu, RENDER_MENU_TELLS, text);
        if (item != NULL) {
            item->bar = (RenderMenuBar){true, true, does[0] != '\0', axis->now};
            snprintf(item->value, sizeof item->value, "%+.2f", axis->now);
        }
        shown++;
    }
}

static void add_buttons(const DeviceSetup *setup, int device, Menu *menu)
{
    char text[MENU_TEXT];
    snprintf(text, sizeof text, "%s", language_text("Buttons:"));
    for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
        size_t length = strlen(text);
        int hat = 0;
        const char *way = "";
        if (setup->sample.joystick[device].button[button] == 0) {
            continue;
        }
        if (control_hat_way(button, &hat, &way)) {
            snprintf(text + length, sizeof text - length, language_text(" hat %d %s"), hat + 1, language_text(way));
        } else {
            snprintf(text + length, sizeof text - length, " %d", button + 1);
        }
    }
    menu_tell(menu, RENDER_MENU_TELLS, text);
}

/// The question in two parts: "Swing right" and "left lever to the right, all the way, and let it go".
static void print_question(const Calibration *calibration, char what[CALIBRATION_TEXT], char how[CALIBRATION_TEXT])
{
    CalibrationQuestion question = calibration_question(calibration);
    snprintf(what, CALIBRATION_TEXT, "%s",
             question.kind == CALIBRATION_REST ? language_text("Let go of all levers and pedals")
                                               : language_text(question.what));
    what[0] = (char)toupper((unsigned char)what[0]);
    switch (question.kind) {
    case CALIBRATION_REST:
        snprintf(how, CALIBRATION_TEXT, "%s", language_text("Nothing may move for a second"));
        break;
    case CALIBRATION_WAY:
        snprintf(how, CALIBRATION_TEXT, language_text("Move it all the way and let it go: %s"),
                 language_text(question.gesture));
        break;
    case CALIBRATION_PLACE:
        snprintf(how, CALIBRATION_TEXT, language_text("Put it there and leave it: %s"),
                 language_text(question.gesture));
        break;
    case CALIBRATION_REVERSE:
        snprintf(how, CALIBRATION_TEXT, "%s",
                 language_text("Press the button that turns the lever round while it is held"));
        break;
    case CALIBRATION_BUTTON:
        snprintf(how, CALIBRATION_TEXT, "%s", language_text("Press its button"));
        break;
    }
}

static void fill_question(const DeviceSetup *setup, Menu *menu)
{
    const Calibration *calibration = &setup->calibration;
    CalibrationStepKind kind = calibration->steps[calibration->step].kind;
    bool button = kind == CALIBRATION_REVERSE || kind == CALIBRATION_BUTTON;
    char what[CALIBRATION_TEXT], how[CALIBRATION_TEXT], title[MENU_TEXT], subtitle[MENU_SUBTITLE];
    print_question(calibration, what, how);
    snprintf(title, sizeof title, "%d. %.120s", calibration_number(calibration), what);
    snprintf(subtitle, sizeof subtitle, "%s%s%s", setup->told, setup->told[0] != '\0' ? " " : "", how);
    menu_start(menu, title, subtitle);
    if (kind != CALIBRATION_REST) {
        menu_add(menu, SETUP_ITEM_SKIP, language_text("There is none: go on"),
                 button ? language_text("Swing right does it, too") : language_text("The first button does it, too"));
    }
    if (calibration_may_skip_rest(calibration)) {
        menu_add(menu, SETUP_ITEM_SKIP_REST, language_text("None of the rest: try it out"),
                 language_text("The rest are buttons and rollers, which the keyboard and the menu have, too"));
    }
    menu_add(menu, SETUP_ITEM_BACK, language_text("One step back"),
             button ? language_text("Swing left does it, too") : "");
    menu_add(menu, SETUP_ITEM_LEAVE, language_text("Stop: the set-up you had stays"), "");
    for (int i = 0; i < calibration->device_count; i++) {
        char text[MENU_TEXT];
        snprintf(text, sizeof text,
                 setup->sample.joystick[i].present ? "%s" : language_text("%s: it is not plugged in any more"),
                 calibration->devices[i].name);
        menu_tell(menu, RENDER_MENU_HEADING, text);
        add_axes(setup, i, menu);
        add_buttons(setup, i, menu);
    }
    menu_select(menu, kind != CALIBRATION_REST ? SETUP_ITEM_SKIP : SETUP_ITEM_BACK);
}

/// ---- texts of the trial --------------------------------------------------------------------------------------------

static void fill_trial(const DeviceSetup *setup, Menu *menu)
{
    menu_start(menu, language_text("Try it out"),
               setup->told[0] != '\0' ? setup->told
                                      : language_text("Move each lever both ways: does it do what stands here?"));
    menu_add(menu, SETUP_ITEM_KEEP, language_text("Keep it and drive with it"), setup->title);
    menu_add(menu, SETUP_ITEM_AGAIN, language_text("Ask for all of it again"), "");
    menu_add(menu, SETUP_ITEM_LEAVE, language_text("Leave it: the set-up you had stays"), "");
    lever_check_add(&setup->check, menu);
    menu_select(menu, SETUP_ITEM_KEEP);
}

void setup_pages_fill(const DeviceSetup *setup, Menu *menu)
{
    switch (setup->page) {
    case SETUP_CHOOSES:
        fill_devices(setup, menu);
        break;
    case SETUP_ASKS:
        fill_question(setup, menu);
        break;
    case SETUP_TRIES:
        fill_trial(setup, menu);
        break;
    }
}

/// ---- set-up in the window ------------------------------------------------------------------------------------------

#define TILT 0.6 ///< of the travel that swing went: as far it answers. Chosen

/// ---- choosing devices ----------------------------------------------------------------------------------------------

static bool is_same(const ControlDevice *a, const ControlDevice *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->usb, b->usb) == 0 && strcmp(a->serial, b->serial) == 0 &&
           strcmp(a->port, b->port) == 0;
}

/// Reads the plugged-in devices. Earlier choices stay; new devices are wanted unless they are known gamepads.
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

void device_setup_begin(DeviceSetup *setup, InputDevices *devices, const char *pattern)
{
    const ControlPattern *known = control_pattern_named(pattern);
    device_setup_end(setup);
    setup->devices = devices;
    setup->pattern = known != NULL && !known->dozer ? known : control_pattern(0);
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
    if (!data_load_controls(setup->pattern->map, &setup->params, NULL, &status)) {
        snprintf(setup->told, sizeof setup->told, "%.*s", CALIBRATION_TEXT, status.text);
        setup->refused = true;
        return;
    }
    lever_check_close(&setup->check);
    input_devices_use(setup->devices, chosen, count);
    calibration_start(&setup->calibration, &setup->params, chosen, count);
    snprintf(setup->title, sizeof setup->title, "%.60s%s, %s", chosen[0].name, count > 1 ? " ..." : "",
             setup->pattern->title);
    setup->page = SETUP_ASKS;
    setup->told[0] = '\0';
    setup->button_down = true; // what is still held from the choice is no answer
}

/// ---- asking for levers ---------------------------------------------------------------------------------------------

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

/// Skips the question, or goes back.
static void step_question(DeviceSetup *setup, bool on)
{
    setup->told[0] = '\0';
    if (!on && setup->calibration.step == 0) {
        input_devices_use(setup->devices, NULL, 0);
        setup->page = SETUP_CHOOSES;
    } else if (!on) {
        calibration_back(&setup->calibration);
    } else if (calibration_skip(&setup->calibration) == CALIBRATION_REFUSED) {
        describe_answer(setup, CALIBRATION_REFUSED);
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

/// Direction in which swing is held, once it was found.
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

static bool poll_question(DeviceSetup *setup, double dt, WindowInput *input)
{
    int before = setup->calibration.step;
    bool button = asks_button(setup);
    sort_commands(setup, input);
    CalibrationAnswer answer = calibration_watch(&setup->calibration, &setup->sample, dt);
    if (answer != CALIBRATION_WAITS) {
        describe_answer(setup, answer);
    }
    int tilt = button ? find_tilt(setup) : 0;
    if (button && answer == CALIBRATION_WAITS && tilt != 0 && setup->tilts == 0) {
        step_question(setup, tilt > 0);
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
    return poll_question(setup, dt, input);
}

/// ---- choosing ------------------------------------------------------------------------------------------------------

static SetupAnswer write_map(DeviceSetup *setup)
{
    Status status;
    if (write_user_map(&setup->params, setup->title, setup->name, &status)) {
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
        step_question(setup, true);
        return SETUP_STAYS;
    case SETUP_ITEM_SKIP_REST:
        calibration_skip_rest(&setup->calibration);
        try_out(setup);
        return SETUP_STAYS;
    case SETUP_ITEM_BACK:
        step_question(setup, false);
        return SETUP_STAYS;
    case SETUP_ITEM_KEEP:
        return write_map(setup);
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
        step_question(setup, false);
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
        const ControlPattern *next = setup->pattern + 1;
        setup->pattern = next->dozer ? control_pattern(0) : next; // excavators' come first
    } else if (setup->page == SETUP_CHOOSES && id >= 0 && id < setup->count) {
        setup->wanted[id] = !setup->wanted[id];
    }
}
