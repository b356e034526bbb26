/// Moments of a drive that the instructor can return to. The drive's thread.
#ifndef SPADEWORK_TRAINER_WAY_BACK_H
#define SPADEWORK_TRAINER_WAY_BACK_H

#include "trainer/pilot/pilot.h"
#include "trainer/remote/console_commands.h"
#include "trainer/remote/console_state.h"

/// Belongs to one drive; zero: there are none yet.
typedef struct WayBack {
    int count;
    struct {
        double time; ///< s of the session
        char text[CONSOLE_TEXT]; ///< what it is called, or ""
        char recording[DATA_PATH_LENGTH]; ///< that holds it
    } snapshots[CONSOLE_SNAPSHOTS];
} WayBack;

/// Keeps the present moment. False with `status` (STATUS_BAD_USAGE):
/// nothing is recorded, or there are CONSOLE_SNAPSHOTS already.
bool way_back_keep(WayBack *back, const Drive *drive, const char *text, Status *status);
/// Goes back to a snapshot; number  from 1, as the page has it
DriveReturn way_back_return(const WayBack *back, Drive *drive, double number, Status *status);
/// Tells the page what there is.
void way_back_tell(const WayBack *back, ConsoleNotes *notes);

#endif
