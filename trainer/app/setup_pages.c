/// Words of the set-up, and the bars of what the devices read.
#include "trainer/app/setup_pages.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/control_names.h"
#include "data/core/language.h"
#include "trainer/app/lever_words.h"

enum { MOST_AXES = 8 }; ///< bars of one device

void setup_pages_tell(DeviceSetup *setup, CalibrationAnswer answer)
{
    static const char *const refusals[] = {
        [CALIBRATION_NOT_YET] = TEXT("First nothing may be touched for a second"),
        [CALIBRATION_RESTLESS] = TEXT("Something still moves: let go of everything"),
        [CALIBRATION_SHORT] = TEXT("It went only part of the way: move it all the way, and let it go"),
        [CALIBRATION_BOTH] = TEXT("Two moved at once: only one at a time"),
        [CALIBRATION_USED] = TEXT("That one does something already: another one, or none"),
        [CALIBRATION_STAYS] = TEXT("It stayed there: let it go, and move it once more"),
        [CALIBRATION_OTHER] = TEXT("That is another one: the same one as for idle"),
    };
    setup->refused = answer == CALIBRATION_REFUSED;
    snprintf(setup->told, sizeof setup->told, "%s",
             setup->refused ? language_text(refusals[setup->calibration.reason])
                            : language_text("Good. Now the next one:"));
}

/// ---- which devices -------------------------------------------------------------------------------------------------

static void fill_devices(const DeviceSetup *setup, Menu *menu)
{
    const char *usual =
        setup->count > 0
            ? language_text("Which of these do you drive with? The set-up you have stays until a new one is "
                            "kept at the end")
            : language_text("Plug them in: what is there is listed at once");
    menu_start(menu, language_text("Set up levers, pedals and joysticks"),
               setup->told[0] != '\0' ? setup->told : usual);
    if (setup->count == 0) {
        menu_tell(menu, RENDER_MENU_TELLS, language_text("Nothing but the keyboard is there"));
    }
    for (int k = 0; k < setup->count; k++) {
        MenuItem *item = menu_add(menu, k, setup->list[k].name,
                                  setup->pad[k] ? language_text("A gamepad that works as it is")
                                                : language_text("Its levers are not known yet"));
        if (item != NULL) {
            snprintf(item->value, sizeof item->value, "%s",
                     setup->wanted[k] ? language_text("[x] set it up") : language_text("[ ] leave it"));
        }
    }
    if (setup->count > 0) {
        menu_add_value(menu, SETUP_ITEM_PATTERN, language_text("Pattern"),
                       setup->backhoe ? language_text("Backhoe") : language_text("ISO"));
        menu_add(menu, SETUP_ITEM_BEGIN, language_text("Begin"),
                 language_text("Each lever is asked for, one after the other"));
    }
    menu_add(menu, SETUP_ITEM_LEAVE, language_text("Back"), "");
    menu_select(menu, setup->count > 0 ? SETUP_ITEM_BEGIN : SETUP_ITEM_LEAVE);
}

/// ---- questions -----------------------------------------------------------------------------------------------------

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

/// ---- trial ---------------------------------------------------------------------------------------------------------

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
