/// Times ticks of a scene that the scripted operator digs in: first until the bucket is in the ground, then for what is
/// measured. Both are bounded by the wall clock, so that a slow computer is told of after less digging, not later.
#include "trainer/cli/trial.h"

#include <math.h>
#include <stdio.h>

#include "soil/parallel/team.h"
#include "trainer/pilot/pilot.h"
#include "trainer/cli/looks.h"

#define DIGS_AT      4.0 ///< simulated s until the bucket is in the ground
#define WARM_MOST    1.5 ///< s of the wall for that. Chosen
#define MEASURED     5.0 ///< simulated s. Chosen
#define MEASURE_MOST 1.5 ///< s of the wall for that. Chosen

bool trial_create(Trial *trial, Status *status)
{
    *trial = (Trial){0};
    trial->session = session_create(&(SessionParams){.scene = DOCTOR_SCENE}, status);
    trial->pilot = trial->session != NULL ? autopilot_create(trial->session) : NULL;
    return trial->pilot != NULL ||
           (trial->session != NULL && status_fail(status, STATUS_LACKING, "out of memory for the operator"));
}

void trial_tick(Trial *trial)
{
    OperatorControls controls;
    autopilot_controls(trial->pilot, trial->session, &controls);
    session_tick(trial->session, &controls);
}

void trial_destroy(Trial *trial)
{
    autopilot_destroy(trial->pilot);
    session_destroy(trial->session);
    *trial = (Trial){0};
}

/// Drives up to a simulated time or for so many seconds of the wall; returns those it took. `longest` (or NULL) takes
/// the longest tick, s.
static double drive_until(Trial *trial, double time, double most, double *longest)
{
    double begin = drive_clock(), now = begin;
    while (session_frame(trial->session)->time < time - 1e-9 && now - begin < most) {
        trial_tick(trial);
        double before = now;
        now = drive_clock();
        if (longest != NULL) {
            *longest = fmax(*longest, now - before);
        }
    }
    return now - begin;
}

void look_at_session(DoctorFacts *facts, DoctorTell *tell)
{
    SessionFacts *session = &facts->session;
    Trial trial;
    Status status = {STATUS_GOOD, ""};
    double begin = drive_clock();
    if (trial_create(&trial, &status)) {
        snprintf(session->scene, sizeof session->scene, "%s", DOCTOR_SCENE);
        session->made = true;
        session->built = drive_clock() - begin;
        session->threads = team_count_processors();
        session->tick = session_dt(trial.session);
        doctor_tell(tell, facts);
        drive_until(&trial, DIGS_AT, WARM_MOST, NULL);
        session->from = session_frame(trial.session)->time;
        session->wall = drive_until(&trial, session->from + MEASURED, MEASURE_MOST, &session->longest);
        session->simulated = session_frame(trial.session)->time - session->from;
    }
    snprintf(session->fault, sizeof session->fault, "%.255s", status.text);
    doctor_tell(tell, facts);
    trial_destroy(&trial);
}
