/// A lever counts as moved once it went most of the way.
#include "trainer/app/lever_check.h"

#include <stdio.h>

#include "trainer/app/lever_words.h"

#define FAR     0.6 ///< of the full deflection. Chosen: keys and thumbs get there
#define NEUTRAL 0.02 ///< of the full deflection: less is not told. Chosen

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
