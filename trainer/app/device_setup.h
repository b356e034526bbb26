/// Setting levers, pedals and joysticks up in the window: which of them, one lever after the other with what they read,
/// and a trial of the map before it is kept. What input/calibration.h asks stands here as pages. It goes by keyboard,
/// mouse or pad alone, and by the buttons of what is set up: the first one goes on, the second one back. Where a button
/// is asked for, swing right goes on without one, and swing left back.
#ifndef SPADEWORK_TRAINER_DEVICE_SETUP_H
#define SPADEWORK_TRAINER_DEVICE_SETUP_H

#include "trainer/app/setup_pages.h"

typedef enum SetupAnswer {
    SETUP_STAYS,
    SETUP_LEAVES, ///< without a map
    SETUP_KEPT ///< the map is written, `name` says under which name
} SetupAnswer;

/// Begins with the devices of the window; what was known goes.
void device_setup_begin(DeviceSetup *setup, InputDevices *devices, bool backhoe);
/// Gives the devices back. May be called at any time.
void device_setup_end(DeviceSetup *setup);
/// The devices as they are, `dt` s after the last look. Takes out of `input` the commands that were meant as answers.
/// True: the page is another one, or its first choice is to be selected anew.
bool device_setup_look(DeviceSetup *setup, const InputSample *sample, double dt, WindowInput *input);
SetupAnswer device_setup_choose(DeviceSetup *setup, int id);
SetupAnswer device_setup_back(DeviceSetup *setup);
/// Left or right on an item.
void device_setup_change(DeviceSetup *setup, int id);

#endif
