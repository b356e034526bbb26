/// Trying levers out without a machine: a control map at work, and which ways of which levers were moved so far.
#ifndef SPADEWORK_TRAINER_LEVER_CHECK_H
#define SPADEWORK_TRAINER_LEVER_CHECK_H

#include "input/input.h"
#include "trainer/app/menu.h"

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
/// The devices as they are, `dt` s after the last look.
void lever_check_look(LeverCheck *check, const InputSample *sample, double dt);
/// True while fewer devices are plugged in than when it was opened.
bool lever_check_misses(const LeverCheck *check);
/// How many levers were moved both ways.
int lever_check_moved(const LeverCheck *check);
/// The last of the levers that is away from neutral, from 0 on; -1: none is.
int lever_check_moving(const LeverCheck *check);
/// Appends a line for each lever: where it is now, and what moves it.
void lever_check_add(const LeverCheck *check, Menu *menu);

#endif
