#include "trainer/autopilot.h"

#include <stdlib.h>

#include "trainer/autopilot_internal.h"

struct Autopilot {
    Pilot pilot;
};

static double ground_height(void *context, double x, double y)
{
    return soil_get_height(context, x, y);
}

Autopilot *autopilot_create(const Session *session)
{
    Autopilot *autopilot = calloc(1, sizeof *autopilot);
    if (autopilot) {
        pilot_start(&autopilot->pilot, session_scene(session), session_machine_params(session),
                    session_frame(session)->machine.base);
    }
    return autopilot;
}

void autopilot_destroy(Autopilot *autopilot)
{
    free(autopilot);
}

void autopilot_controls(Autopilot *autopilot, Session *session, OperatorControls *controls)
{
    const SessionFrame *frame = session_frame(session);
    PilotView view = {.time = frame->time,
                      .dt = session_dt(session),
                      .base = frame->machine.base,
                      .payload = frame->payload,
                      .finished = exercise_is_finished(session_exercise(session)),
                      .truck_away = !session_trucks_ready(session_trucks(session)),
                      .height = ground_height,
                      .context = session_soil(session)};
    machine_get_body_frame(session_machine(session), session_machine_state(session), MACHINE_HOUSE, &view.house);
    for (int k = 0; k < MACHINE_JOINT_COUNT; k++) {
        view.angle[k] = frame->machine.angle[k];
        view.speed[k] = frame->machine.speed[k];
    }
    pilot_update(&autopilot->pilot, &view, controls);
}

const char *autopilot_phase(const Autopilot *autopilot)
{
    return pilot_phase_name(autopilot->pilot.phase);
}

int autopilot_cycles(const Autopilot *autopilot)
{
    return autopilot->pilot.cycles;
}
