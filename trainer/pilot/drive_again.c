/// Another session in the same drive: from the beginning, or from a moment that was recorded.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trainer/pilot/drive_internal.h"
#include "trainer/report/report.h"

/// Takes leave of the present session: its files are closed, its attempt is among the results.
static bool take_leave(Drive *drive, Status *status)
{
    return drive_close_files(drive, status) && drive_end_results(drive, status);
}

/// Names the recording of a session that follows another one. `recorded`: that was.
static bool name_recording(Drive *drive, bool recorded, Status *status)
{
    const char *asked = drive->params.options->record, *base = asked != NULL ? asked : drive->origin.parent;
    if (recorded && drive->results.names_recording) {
        return drive_results_name(&drive->results, drive->session, drive->record, status);
    }
    if (recorded && base[0] != '\0') {
        output_number_path(base, drive->record, sizeof drive->record);
    } else {
        drive->record[0] = '\0';
    }
    return true;
}

/// Begins with a session that takes the place of the one that was taken leave of.
static bool begin_with(Drive *drive, Session *session, const SessionOrigin *origin, bool recorded, Status *status)
{
    session_destroy(drive->session);
    drive->session = session;
    drive->origin = *origin;
    drive->restarts++;
    bool good = drive_begin_results(drive, status);
    if (!good && status->code == STATUS_LACKING) {
        // Somebody holds the results, or the disk is full: what is driven now may wait as what was driven before does.
        fprintf(stderr, "spadework: %s; it is driven on\n", status->text);
        good = status_good(status);
    }
    if (!good || !name_recording(drive, recorded, status)) {
        return false;
    }
    drive_forget_time(drive);
    drive->order_count = 0;
    order_script_seek(drive->order_script, session_frame(session)->time);
    motion_stream_jump(drive->motion);
    return operator_restart(&drive->driver, session, status) && drive_find_end(drive, status) &&
           drive_start_files(drive, status);
}

bool drive_restart(Drive *drive, Status *status)
{
    bool recorded = drive->recorder != NULL;
    SessionOrigin origin = session_origin(drive->params.parent, drive->params.at);
    Session *session = drive_session(drive, &origin, status);
    if (session == NULL) {
        return false;
    }
    if (!take_leave(drive, status)) {
        session_destroy(session);
        return false;
    }
    return begin_with(drive, session, &origin, recorded, status);
}

/// Where the way back leads to. False with `status`: nowhere. `present`: into the recording that is being written,
/// which can be read once it is closed.
static bool find_way_back(const Drive *drive, const char *recording, double at, bool *present, SessionOrigin *origin,
                          Status *status)
{
    double dt = session_dt(drive->session), tick = round(at / dt);
    if (drive->recorder == NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no way back: nothing is recorded");
    }
    bool own = recording == NULL || strcmp(recording, drive->record) == 0;
    *present = own && tick >= (double)drive->first_tick;
    recording = !own ? recording : *present ? drive->record : session_origin_parent(&drive->origin);
    if (recording == NULL || (own && tick > (double)session_frame(drive->session)->tick)) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no way back to %g s: recorded are %.3f..%.3f s", at,
                           (double)drive->first_tick * dt, session_frame(drive->session)->time);
    }
    *origin = session_origin(recording, at);
    return *present || session_origin_find(recording, at, origin, status);
}

DriveReturn drive_return(Drive *drive, const char *recording, double at, Status *status)
{
    SessionOrigin origin;
    Session *session = NULL;
    bool present = false;
    if (!find_way_back(drive, recording, at, &present, &origin, status)) {
        return DRIVE_REFUSED;
    }
    if (!present && (session = drive_session(drive, &origin, status)) == NULL) {
        return DRIVE_REFUSED;
    }
    bool good = take_leave(drive, status);
    if (good && present) {
        session = drive_session(drive, &origin, status);
    }
    if (!good || session == NULL) {
        session_destroy(session);
        return DRIVE_FAILED;
    }
    return begin_with(drive, session, &origin, true, status) ? DRIVE_WENT_BACK : DRIVE_FAILED;
}
