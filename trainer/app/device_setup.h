/// Setting up levers, pedals and joysticks in the window: choosing devices, one question per lever with the readings
/// shown, and a trial before the map is kept; the questions are those of input/calibration.h. It works by keyboard,
/// mouse, pad, or the buttons of the devices themselves: the first button goes on, the second back. While a button is
/// asked for, swing right skips and swing left goes back.
#ifndef SPADEWORK_TRAINER_DEVICE_SETUP_H
#define SPADEWORK_TRAINER_DEVICE_SETUP_H

#include "input/calibration.h"
#include "input/input.h"
#include "trainer/app/menu.h"

/// ---- trying levers -------------------------------------------------------------------------------------------------

/// Tries levers without a machine: the values that a control map gives, and which levers were moved which way so far.

enum { LEVER_CHECK_LEVERS = 6 }; ///< swing, stick, boom, bucket and the tracks

/// Zero-initialise.
typedef struct LeverCheck {
    InputMap *map; ///< NULL: not open
    InputMemory memory;
    InputDevices *devices; ///< borrowed
    int plugged; ///< devices that were plugged in when it was opened
    double value[LEVER_CHECK_LEVERS]; ///< -1..1
    bool less[LEVER_CHECK_LEVERS], more[LEVER_CHECK_LEVERS]; ///< was moved that way
} LeverCheck;

/// Opens with a map, whose devices are used from now on. False with `status`: it is none.
bool lever_check_open(LeverCheck *check, const ControlsParams *params, InputDevices *devices, Status *status);
/// Gives the devices back. May be called at any time.
void lever_check_close(LeverCheck *check);
/// Reads the devices, `dt` s after the last call.
void lever_check_look(LeverCheck *check, const InputSample *sample, double dt);
/// True while fewer devices are plugged in than when it was opened.
bool lever_check_misses(const LeverCheck *check);
/// How many levers were moved both ways.
int lever_check_moved(const LeverCheck *check);
/// The last of the levers that is away from neutral, from 0 on; -1: none is.
int lever_check_moving(const LeverCheck *check);
/// Appends a line for each lever: where it is now, and what moves it.
void lever_check_add(const LeverCheck *check, Menu *menu);

/// ---- pages ---------------------------------------------------------------------------------------------------------

/// A set-up in progress, its texts, and bars with the devices' readings.

/// Ids of items; below them the id is the number of a device.
enum {
    SETUP_ITEM_PATTERN = 800,
    SETUP_ITEM_BEGIN,
    SETUP_ITEM_SKIP,
    SETUP_ITEM_SKIP_REST,
    SETUP_ITEM_BACK,
    SETUP_ITEM_KEEP,
    SETUP_ITEM_AGAIN,
    SETUP_ITEM_LEAVE
};

typedef enum SetupPage { SETUP_CHOOSES, SETUP_ASKS, SETUP_TRIES } SetupPage;

/// A set-up in progress. Zero-initialise; end with device_setup_end.
typedef struct DeviceSetup {
    InputDevices *devices; ///< the window's, borrowed; NULL: not begun
    SetupPage page;
    int count;
    ControlDevice list[CONTROLS_MAX_DEVICES]; ///< that are plugged in
    bool pad[CONTROLS_MAX_DEVICES], wanted[CONTROLS_MAX_DEVICES]; ///< is a known gamepad; is to be set up
    const ControlPattern *pattern; ///< that the levers are asked for in
    Calibration calibration;
    InputSample sample; ///< the devices at the last poll
    bool button_down; ///< of a device being set up, at the last poll
    int tilts; ///< -1, 0, 1: swing at the last poll, while a button is asked for
    LeverCheck check;
    ControlsParams params; ///< the resulting map
    char title[96];
    char name[64]; ///< of the map that was kept
    char told[CALIBRATION_TEXT + 64]; ///< text about the last answer; "" = none
    bool refused; ///< the last answer was refused
} DeviceSetup;

/// Begins the menu of the page, with the item selected that is chosen most.
void setup_pages_fill(const DeviceSetup *setup, Menu *menu);

/// ---- set-up in the window ------------------------------------------------------------------------------------------

typedef enum SetupAnswer {
    SETUP_STAYS,
    SETUP_LEAVES, ///< without a map
    SETUP_KEPT ///< the map is written under `name`
} SetupAnswer;

/// Begins with the window's devices and forgets an earlier set-up.
/// pattern  name of the excavator's pattern that is offered first; another name: the first of all
void device_setup_begin(DeviceSetup *setup, InputDevices *devices, const char *pattern);
/// Gives the devices back. May be called at any time.
void device_setup_end(DeviceSetup *setup);
/// Reads the devices, `dt` s after the last call. Removes commands from `input` that were answers.
/// True: the page has changed, or its first item is to be selected again.
bool device_setup_look(DeviceSetup *setup, const InputSample *sample, double dt, WindowInput *input);
SetupAnswer device_setup_choose(DeviceSetup *setup, int id);
SetupAnswer device_setup_back(DeviceSetup *setup);
/// Left or right on an item.
void device_setup_change(DeviceSetup *setup, int id);

/// Writes a map to a file at once (data/core/system_files.h), and reads it again to check it. False with `status`.
bool map_file_write(const ControlsParams *params, const char *path, Status *status);

#endif
