/// Builds the page of the switches, the page of a thing, and the sign of what to do next.
#include "trainer/app/cab_page.h"

#include <math.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/app/drive_pages.h"
#include "trainer/app/hints.h"

#define PRESS 0.05 ///< s: some ticks
#define SPARE 0.3 ///< s that the key is held longer than the starter needs

/// ---- switches ------------------------------------------------------------------------------------------------------

static const char *key_state(const CabReadout *cab)
{
    return cab->engine == CAB_ENGINE_RUNS ? TEXT("engine runs") : cab->key == CAB_KEY_OFF ? TEXT("off") : TEXT("on");
}

static void add_switch(Menu *menu, ControlAxis axis, const char *name, const char *state)
{
    char line[MENU_TEXT];
    snprintf(line, sizeof line, "%s: %s", language_text(name), language_text(state));
    menu_add(menu, CAB_PAGE_AXES + (int)axis, line, "");
}

void cab_page_begin(Menu *menu, const Drive *drive)
{
    const CabReadout *cab = &session_frame(drive->session)->cab;
    const FootReadout *foot = &session_frame(drive->session)->foot;
    menu_start(menu, language_text("Switches of the cab"), "");
    if (foot->may_leave) {
        menu_add(menu, CAB_PAGE_AXES + CONTROL_INSPECT, language_text("Climb out and walk round"), "");
    } else if (foot->walks && foot->at_door) {
        menu_add(menu, CAB_PAGE_AXES + CONTROL_INSPECT, language_text("Climb in"), "");
    }
    if (cab->has && cab->seated) {
        add_switch(menu, CONTROL_IGNITION, TEXT("Key"), key_state(cab));
        add_switch(menu, CONTROL_SAFETY_LEVER, TEXT("Safety lever"), cab->lever_down ? TEXT("down") : TEXT("up"));
        menu_add(menu, CAB_PAGE_AXES + CONTROL_HORN, language_text("Sound the horn"), "");
        add_switch(menu, CONTROL_TRAVEL_RANGE, TEXT("Travel range"), cab->high_range ? TEXT("high") : TEXT("low"));
        add_switch(menu, CONTROL_POWER_MODE, TEXT("Power mode"), cab->eco ? TEXT("economy") : TEXT("full power"));
        add_switch(menu, CONTROL_AUTO_IDLE, TEXT("Auto-idle"), cab->auto_idle ? TEXT("on") : TEXT("off"));
        add_switch(menu, CONTROL_LIGHTS, TEXT("Lights"), cab->lights ? TEXT("on") : TEXT("off"));
        add_switch(menu, CONTROL_WIPER, TEXT("Wiper"), cab->wiper ? TEXT("on") : TEXT("off"));
    }
    const CouplerReadout *coupler = &session_frame(drive->session)->coupler;
    if (coupler->has && cab->seated) {
        add_switch(menu, CONTROL_COUPLER, TEXT("Coupler"), coupler_word(coupler));
    }
    menu_add(menu, DRIVE_ITEM_RESUME, language_text("Drive on"), "");
}

bool cab_page_press(int id, Drive *drive)
{
    int axis = id - CAB_PAGE_AXES;
    if (axis < 0 || axis >= CONTROL_COUNT) {
        return false;
    }
    const CabReadout *cab = &session_frame(drive->session)->cab;
    double crank = session_machine_params(drive->session)->switches.crank_time;
    bool starts = axis == CONTROL_IGNITION && cab->engine != CAB_ENGINE_RUNS;
    operator_press(&drive->driver, (ControlAxis)axis, starts ? CAB_KEY_HELD + crank + SPARE : PRESS);
    return true;
}

/// ---- a thing -------------------------------------------------------------------------------------------------------

void thing_page_begin(Menu *menu, const SceneThing *thing)
{
    menu_start(menu, thing->name, thing->text);
    snprintf(menu->footer, sizeof menu->footer, "%s", language_text("Up/Down: move   Enter or A: choose"));
    menu_add(menu, QUESTION_PAGE_ANSWERS + FOOT_ANSWER_FINE, language_text("It is fine"), "");
    menu_add(menu, QUESTION_PAGE_ANSWERS + FOOT_ANSWER_REPORT, language_text("Report it before the work"), "");
}

/// ---- sign ----------------------------------------------------------------------------------------------------------

/// The operator's own key or button; where the map has none, the page that has it.
static void name_input(const Drive *drive, ControlAxis axis, bool devices, char text[HINT_TEXT])
{
    text[0] = '\0';
    if (drive->driver.map != NULL) {
        input_map_describe(drive->driver.map, axis, devices, text, HINT_TEXT);
        lever_words_cut(text);
    }
    if (text[0] == '\0') {
        snprintf(text, HINT_TEXT, "%s", language_text("menu: switches"));
    }
}

static bool foot_sign(const Drive *drive, const SceneParams *scene, bool devices, char text[CAB_SIGN])
{
    const FootReadout *foot = &session_frame(drive->session)->foot;
    char input[HINT_TEXT];
    name_input(drive, devices ? CONTROL_HORN : CONTROL_INSPECT, devices, input);
    if (foot->near >= 0) {
        snprintf(text, CAB_SIGN, language_text("%s: look closely (%s)"),
                 scene->exercise.walk_round.things[foot->near].name, input);
    } else if (foot->at_door) {
        snprintf(text, CAB_SIGN, language_text("Door of the cab: climb in (%s)"), input);
    } else {
        snprintf(text, CAB_SIGN, language_text("Walk round the machine: %d of %d looked at"), foot->looked,
                 foot->count);
    }
    return true;
}

/// What is to be done next at a coupler that is not locked.
static bool coupler_sign(const Drive *drive, bool devices, char text[CAB_SIGN])
{
    const CouplerReadout *coupler = &session_frame(drive->session)->coupler;
    char input[HINT_TEXT];
    name_input(drive, CONTROL_COUPLER, devices, input);
    if (!coupler->has || coupler->moves) {
        return false;
    }
    if (coupler->confirm > 0.0) {
        snprintf(text, CAB_SIGN, language_text("Release the tool? Press again within %.0f s (%s)"),
                 ceil(coupler->confirm), input);
    } else if (coupler->stand == COUPLER_STANDS_SEATED) {
        snprintf(text, CAB_SIGN, language_text("Not locked. Both pins are in: lock (%s)"), input);
    } else if (coupler->stand == COUPLER_STANDS_HOOKED) {
        snprintf(text, CAB_SIGN, "%s", language_text("Not locked. The hook alone holds the tool: curl in"));
    } else {
        return false;
    }
    return true;
}

/// True once the exercise's present step is to park: lever up and engine off are what it asks for.
static bool is_parking(const Drive *drive, const SceneExercise *asked)
{
    const Exercise *exercise = session_exercise(drive->session);
    for (int step = 0; step < asked->steps_count; step++) {
        if (asked->steps[step].metric == METRIC_PARKED) {
            return true;
        }
        if (exercise_step_tick(exercise, step) <= 0) {
            return false;
        }
    }
    return false;
}

bool cab_sign(const Drive *drive, const SceneParams *scene, bool devices, char text[CAB_SIGN])
{
    const SessionFrame *frame = session_frame(drive->session);
    const CabReadout *cab = &frame->cab;
    char input[HINT_TEXT];
    if (frame->foot.walks) {
        return foot_sign(drive, scene, devices, text);
    }
    if (coupler_sign(drive, devices, text)) {
        return true;
    }
    if (!cab->has || exercise_is_finished(session_exercise(drive->session)) || is_parking(drive, &scene->exercise)) {
        return false;
    }
    bool runs = cab->engine == CAB_ENGINE_RUNS;
    if (cab->engine == CAB_ENGINE_CRANKS) {
        snprintf(text, CAB_SIGN, "%s", language_text("Hold the key until the engine runs"));
        return true;
    }
    if (!runs && cab->lever_down) {
        name_input(drive, CONTROL_SAFETY_LEVER, devices, input);
        snprintf(text, CAB_SIGN, language_text("Safety lever is down: raise it to start (%s)"), input);
    } else if (!runs) {
        name_input(drive, CONTROL_IGNITION, devices, input);
        snprintf(text, CAB_SIGN, language_text("Engine is off: hold the key to start (%s)"), input);
    } else if (cab->horn_due) {
        name_input(drive, CONTROL_HORN, devices, input);
        snprintf(text, CAB_SIGN, language_text("Sound the horn before you move (%s)"), input);
    } else if (!cab->lever_down) {
        name_input(drive, CONTROL_SAFETY_LEVER, devices, input);
        snprintf(text, CAB_SIGN, language_text("Safety lever is up: lower it (%s)"), input);
    } else if (cab->oil < cab->oil_warm) {
        snprintf(text, CAB_SIGN, language_text("Oil is cold, %.0f of %.0f degrees C: move gently"), cab->oil,
                 cab->oil_warm);
    } else {
        return false;
    }
    return true;
}
