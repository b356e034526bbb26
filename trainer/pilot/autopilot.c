/// Shows the scripted operator what a person would see of the session (pilot of an excavator or of a dozer) and returns
/// its levers.
#include "trainer/pilot/autopilot.h"
#include "data/schema/excavator_params.h"

#include <stdlib.h>
#include <string.h>

#include "trainer/pilot/autopilot_dozer.h"
#include "trainer/pilot/autopilot_internal.h"

enum { GLANCE_TICKS = 30 }; ///< ticks between looks at the screen's figures

struct Autopilot {
    bool dozes;
    Pilot pilot; ///< of an excavator
    DozerPilot dozer;
    OperatorAim aim; ///< what is misjudged
    double missing; ///< kg that the truck wanted at the last look at the screen
};

static double ground_height(void *context, double x, double y)
{
    return soil_get_height(context, x, y);
}

bool autopilot_can_drive(const MachineParams *machine)
{
    return machine->type == MACHINE_EXCAVATOR || machine->type == MACHINE_DOZER;
}

Autopilot *autopilot_create(const Session *session)
{
    Autopilot *autopilot = calloc(1, sizeof *autopilot);
    if (autopilot && session_machine_params(session)->type == MACHINE_DOZER) {
        autopilot->dozes = true;
        dozer_pilot_start(&autopilot->dozer, session_scene(session), session_machine_params(session));
    } else if (autopilot) {
        pilot_start(&autopilot->pilot, session_scene(session), session_machine_params(session),
                    session_frame(session)->machine.base);
    }
    return autopilot;
}

void autopilot_destroy(Autopilot *autopilot)
{
    free(autopilot);
}

void autopilot_misjudge(Autopilot *autopilot, const OperatorAim *aim)
{
    autopilot->aim = aim != NULL ? *aim : (OperatorAim){0};
}

static void doze(DozerPilot *pilot, Session *session, double height, OperatorControls *controls)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *machine = &frame->machine;
    DozerView view = {.time = frame->time,
                      .dt = session_dt(session),
                      .base = machine->base,
                      .tip = machine->tip,
                      .tip_height = machine->tip_height,
                      .yaw = machine->yaw,
                      .speed = machine->speed_over_ground,
                      .slip = machine->slip[0] > machine->slip[1] ? machine->slip[0] : machine->slip[1],
                      .payload = frame->payload,
                      .height = ground_height,
                      .context = session_soil(session)};
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view.angle[k] = machine->angle[k];
    }
    view.tip.z += height;
    view.tip_height += height;
    dozer_pilot_update(pilot, &view, controls);
}

/// kg that the truck still wants, as the screen shows it.
static double missing_load(const Session *session)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "loaded_kg") == 0) {
            return fmax(session_scene(session)->exercise.truck.target_mass - metrics[k].value, 0.0);
        }
    }
    return 0.0;
}

void autopilot_controls(Autopilot *autopilot, Session *session, OperatorControls *controls)
{
    const SessionFrame *frame = session_frame(session);
    if (autopilot->dozes) {
        doze(&autopilot->dozer, session, autopilot->aim.height, controls);
        return;
    }
    if (frame->tick % GLANCE_TICKS == 0) {
        autopilot->missing = missing_load(session);
    }
    PilotView view = {.time = frame->time,
                      .dt = session_dt(session),
                      .base = frame->machine.base,
                      .payload = frame->payload,
                      .missing = autopilot->missing,
                      .finished = exercise_is_finished(session_exercise(session)),
                      .truck_away = !session_trucks_ready(session_trucks(session)),
                      .height = ground_height,
                      .context = session_soil(session)};
    machine_get_body_frame(session_machine(session), session_machine_state(session), EXCAVATOR_HOUSE, &view.house);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view.angle[k] = frame->machine.angle[k];
        view.speed[k] = frame->machine.speed[k];
    }
    autopilot->pilot.beginner = autopilot->aim.share;
    pilot_misjudge(&view, &autopilot->aim);
    pilot_update(&autopilot->pilot, &view, controls);
}

const char *autopilot_phase(const Autopilot *autopilot)
{
    return autopilot->dozes ? dozer_phase_name(autopilot->dozer.phase) : pilot_phase_name(autopilot->pilot.phase);
}

int autopilot_cycles(const Autopilot *autopilot)
{
    return autopilot->dozes ? autopilot->dozer.cycles : autopilot->pilot.cycles;
}
