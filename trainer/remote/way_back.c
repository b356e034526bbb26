/// A snapshot is a moment of a recording: what is driven is recorded anyway, each tick of it, and proven.
#include "trainer/remote/way_back.h"

#include <stdio.h>

bool way_back_keep(WayBack *back, const Drive *drive, const char *text, Status *status)
{
    if (drive->recorder == NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no snapshot: nothing is recorded");
    }
    if (back->count == CONSOLE_SNAPSHOTS) {
        return status_fail(status, STATUS_BAD_USAGE, "there are %d snapshots, which is all that there is room for",
                           CONSOLE_SNAPSHOTS);
    }
    int at = back->count++;
    back->snapshots[at].time = session_frame(drive->session)->time;
    snprintf(back->snapshots[at].text, sizeof back->snapshots[at].text, "%s", text);
    snprintf(back->snapshots[at].recording, sizeof back->snapshots[at].recording, "%s", drive->record);
    return true;
}

DriveReturn way_back_return(const WayBack *back, Drive *drive, double number, Status *status)
{
    int at = (int)number - 1;
    if (number != (double)(at + 1) || at < 0 || at >= back->count) {
        status_fail(status, STATUS_BAD_USAGE, "snapshot %g: there are %d", number, back->count);
        return DRIVE_REFUSED;
    }
    return drive_return(drive, back->snapshots[at].recording, back->snapshots[at].time, status);
}

void way_back_tell(const WayBack *back, ConsoleNotes *notes)
{
    notes->snapshot_count = back->count;
    for (int k = 0; k < back->count; k++) {
        notes->snapshots[k] = (ConsoleSnapshot){.time = back->snapshots[k].time, .text = back->snapshots[k].text};
    }
}
