/// What the pages of the set-up show: of a set-up as it stands, its words and the bars of what the devices read.
#ifndef SPADEWORK_TRAINER_SETUP_PAGES_H
#define SPADEWORK_TRAINER_SETUP_PAGES_H

#include "input/calibration.h"
#include "trainer/app/lever_check.h"

/// Ids of items; below them the id is the number of a device.
enum {
    SETUP_ITEM_PATTERN = 800,
    SETUP_ITEM_BEGIN,
    SETUP_ITEM_SKIP,
    SETUP_ITEM_BACK,
    SETUP_ITEM_KEEP,
    SETUP_ITEM_AGAIN,
    SETUP_ITEM_LEAVE
};

typedef enum SetupPage { SETUP_CHOOSES, SETUP_ASKS, SETUP_TRIES } SetupPage;

/// A set-up as it stands. Zero-initialise; end with device_setup_end (device_setup.h).
typedef struct DeviceSetup {
    InputDevices *devices; ///< the window's, borrowed; NULL: not begun
    SetupPage page;
    int count;
    ControlDevice list[CONTROLS_MAX_DEVICES]; ///< that are plugged in
    bool pad[CONTROLS_MAX_DEVICES], wanted[CONTROLS_MAX_DEVICES]; ///< is a known gamepad; is to be set up
    bool backhoe; ///< the pattern, else ISO
    Calibration calibration;
    InputSample sample; ///< the devices at the last look
    bool button_down; ///< of what is set up, at the last look
    int tilts; ///< -1, 0, 1: swing at the last look, while a button is asked for
    LeverCheck check;
    ControlsParams params; ///< what came out
    char title[96];
    char name[64]; ///< of the map that was kept
    char told[CALIBRATION_TEXT + 64]; ///< what the last answer was; "" = nothing
    bool refused; ///< it was one
} DeviceSetup;

/// Begins the menu of the page, with the item selected that is chosen most.
void setup_pages_fill(const DeviceSetup *setup, Menu *menu);
/// Writes what an answer of the calibration means to the person.
void setup_pages_tell(DeviceSetup *setup, CalibrationAnswer answer);

#endif
