/// Goes through the list: looks, lets the present action move the levers, and goes on when it is done or its time is
/// over.
#include "trainer/pilot/expert.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_HELD 0.3 ///< s that an answer is shown, and as long nothing after it
#define LOOKS_AGAIN 0.7 ///< s after which what is misjudged has halved, once the edge is where it is to be
#define EASED       1.5 ///< more tolerance at the most clumsy
#define SLOWER      2.0 ///< the same of more time
#define MORE_TIME   1.0 ///< s that an action of a given length may be late

static double ground_height(void *context, double x, double y)
{
    return soil_get_height(context, x, y);
}

/// False with the action that lifts a load which the scene lacks, or carries one that has no place.
static bool loads_are_there(const ExpertParams *params, const SceneParams *scene, Status *status)
{
    for (int k = 0; k < params->action_count; k++) {
        ExpertActionKind kind = params->actions[k].kind;
        int load = params->actions[k].with.lift.load, count = scene->exercise.loads_count;
        if ((kind == EXPERT_HOIST || kind == EXPERT_PLACE) && load > count) {
            return status_fail(status, STATUS_BAD_FILE,
                               "actions.%d.%s.load: read %d, allowed up to the number of loads of scene %s (%d)", k,
                               expert_action_names[kind], load, scene->name, count);
        }
        if (kind == EXPERT_PLACE && scene->exercise.loads[load - 1].place.within <= 0.0) {
            return status_fail(status, STATUS_BAD_FILE,
                               "actions.%d.place: load %d of scene %s has no place to be laid at", k, load,
                               scene->name);
        }
    }
    return true;
}

Expert *expert_create(const ExpertParams *params, const Session *session, Status *status)
{
    const MachineParams *machine = session_machine_params(session);
    if (machine->type != params->machine) {
        status_fail(status, STATUS_BAD_FILE, "machine: it is for another type of machine than %s", machine->name);
        return NULL;
    }
    if (!loads_are_there(params, session_scene(session), status)) {
        return NULL;
    }
    Expert *expert = calloc(1, sizeof *expert);
    if (expert == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the operator");
        return NULL;
    }
    expert->params = *params;
    expert->first_late = -1;
    expert->hold = (ExpertHold){EXPERT_NOT_GIVEN, EXPERT_NOT_GIVEN, EXPERT_NOT_GIVEN, EXPERT_NOT_GIVEN};
    expert->pilot.machine = *machine;
    if (machine->type == MACHINE_EXCAVATOR) {
        pilot_start(&expert->pilot, session_scene(session), machine, session_frame(session)->machine.base);
    }
    return expert;
}

void expert_destroy(Expert *expert)
{
    if (expert != NULL) {
        autopilot_destroy(expert->autopilot);
    }
    free(expert);
}

/// What the edge is misjudged by, m, world.
static Vec3 misjudged(const Expert *expert, const PilotView *seen, const OperatorAim *aim)
{
    ArmTip true_tip = pilot_tip_now(&expert->pilot, seen);
    PilotView wrong = *seen;
    pilot_misjudge(&wrong, aim);
    ArmTip wrong_tip = pilot_tip_now(&expert->pilot, &wrong);
    return vec3_sub(pose_apply(&wrong.house, vec3(wrong_tip.x, 0.0, wrong_tip.z)),
                    pose_apply(&seen->house, vec3(true_tip.x, 0.0, true_tip.z)));
}

/// Who waits at a place looks again: what he misjudges grows less.
static OperatorAim aim_now(const Expert *expert, const OperatorAim *aim, double time)
{
    OperatorAim now = aim != NULL ? *aim : (OperatorAim){.share = 0.0};
    ExpertActionKind kind =
        !expert->over && expert->entered ? expert->params.actions[expert->index].kind : EXPERT_ACTION_COUNT;
    double waits = kind == EXPERT_TIP ? expert->way.ended : 0.0;
    if (kind == EXPERT_PLACE && expert->lifting.stage != EXPERT_LIFT_GO) {
        waits = time - expert->lifting.arrived;
    }
    double left = LOOKS_AGAIN / (LOOKS_AGAIN + waits);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        now.angle[k] *= left;
    }
    now.direction *= left;
    return now;
}

static ExpertView look(Expert *expert, Session *session, const OperatorAim *aim)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *machine = &frame->machine;
    ExpertView view = {.machine = machine,
                       .base = machine->base,
                       .tip = machine->tip,
                       .yaw = machine->yaw,
                       .force = frame->tool_wrench.force,
                       .rocks = session_rocks(session),
                       .loads = session_loads(session),
                       .scene = session_scene(session),
                       .lift = frame->lift,
                       .beginner = aim != NULL ? aim->share : 0.0,
                       .time = frame->time,
                       .dt = session_dt(session),
                       .ease = 1.0 + (aim != NULL ? EASED * aim->share : 0.0)};
    view.arm = (PilotView){.time = frame->time,
                           .dt = view.dt,
                           .base = machine->base,
                           .payload = frame->payload,
                           .height = ground_height,
                           .context = session_soil(session)};
    if (expert->params.machine != MACHINE_EXCAVATOR) {
        view.tip.z += aim != NULL ? aim->height : 0.0;
        return view;
    }
    machine_get_body_frame(session_machine(session), session_machine_state(session), EXCAVATOR_HOUSE, &view.arm.house);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        view.arm.angle[k] = machine->angle[k];
        view.arm.speed[k] = machine->speed[k];
    }
    view.seen = view.arm;
    view.arm = pilot_steady_view(&expert->pilot, &view.arm);
    if (aim != NULL) {
        view.tip = vec3_add(view.tip, misjudged(expert, &view.arm, aim));
        pilot_misjudge(&view.arm, aim);
        pilot_misjudge(&view.seen, aim);
    }
    return view;
}

static bool hand_over(Expert *expert, Session *session, const ExpertTask *task, const OperatorAim *aim,
                      OperatorControls *controls)
{
    if (expert->autopilot == NULL) {
        expert->autopilot = autopilot_create(session);
        if (expert->autopilot == NULL) {
            return true; // without memory the action is left out
        }
    }
    if (!expert->entered) {
        expert->cycles = autopilot_cycles(expert->autopilot);
    }
    autopilot_misjudge(expert->autopilot, aim);
    autopilot_controls(expert->autopilot, session, controls);
    bool rests = strcmp(autopilot_phase(expert->autopilot), "rest") == 0;
    bool enough = task->cycles > 0 && autopilot_cycles(expert->autopilot) - expert->cycles >= task->cycles;
    return rests || enough || exercise_is_finished(session_exercise(session));
}

static double limit_of(const ExpertAction *action)
{
    switch (action->kind) {
    case EXPERT_TIP:
        return action->with.tip.limit;
    case EXPERT_LINE:
        return action->with.line.limit;
    case EXPERT_CURL:
        return action->with.curl.limit;
    case EXPERT_SWING:
        return action->with.swing.limit;
    case EXPERT_DIG:
        return action->with.dig.limit;
    case EXPERT_GRADE:
        return action->with.grade.limit;
    case EXPERT_PRESS:
        return action->with.press.limit;
    case EXPERT_TAMP:
        return action->with.tamp.limit;
    case EXPERT_BREAK:
        return action->with.breaking.limit;
    case EXPERT_HAMMER:
        return action->with.hammer.limit;
    case EXPERT_HOIST:
    case EXPERT_PLACE:
        return action->with.lift.limit;
    case EXPERT_PUSH:
        return action->with.push.limit;
    case EXPERT_LEVEL:
        return action->with.level.limit;
    case EXPERT_RIP:
        return action->with.rip.limit;
    case EXPERT_BLADE:
        return action->with.blade.limit;
    case EXPERT_TRAVEL:
        return action->with.travel.limit;
    case EXPERT_TURN:
        return action->with.turn.limit;
    case EXPERT_TASK:
        return action->with.task.limit;
    case EXPERT_WAIT:
    case EXPERT_HORN:
    case EXPERT_AUXILIARY:
        return action->with.seconds + MORE_TIME;
    case EXPERT_ANSWER:
    case EXPERT_REPEAT:
    case EXPERT_ACTION_COUNT:
        break;
    }
    return MORE_TIME;
}

/// Lets the present action move the levers. True when it is done.
static bool act(Expert *expert, Session *session, const ExpertView *view, const OperatorAim *aim,
                OperatorControls *controls)
{
    const ExpertAction *action = &expert->params.actions[expert->index];
    switch (action->kind) {
    case EXPERT_TIP:
        return expert_tip(expert, view, &action->with.tip, controls);
    case EXPERT_LINE:
        return expert_line(expert, view, &action->with.line, controls);
    case EXPERT_CURL:
        return expert_curl(expert, view, &action->with.curl, controls);
    case EXPERT_SWING:
        return expert_swing(expert, view, &action->with.swing, controls);
    case EXPERT_DIG:
        return expert_dig(expert, view, &action->with.dig, controls);
    case EXPERT_GRADE:
        return expert_grade(expert, view, &action->with.grade, controls);
    case EXPERT_PRESS:
        return expert_press(expert, view, &action->with.press, !expert->entered, controls);
    case EXPERT_TAMP:
        return expert_tamp(expert, view, &action->with.tamp, controls);
    case EXPERT_BREAK:
        return expert_break(expert, view, &action->with.breaking, controls);
    case EXPERT_HAMMER:
        return expert_press(expert, view, &action->with.hammer, !expert->entered, controls);
    case EXPERT_HOIST:
        return expert_hoist(expert, view, &action->with.lift, controls);
    case EXPERT_PLACE:
        return expert_place(expert, view, &action->with.lift, controls);
    case EXPERT_PUSH:
        return expert_push(expert, view, &action->with.push, controls);
    case EXPERT_LEVEL:
        return expert_level(expert, view, &action->with.level, controls);
    case EXPERT_RIP:
        return expert_rip(expert, view, &action->with.rip, controls);
    case EXPERT_BLADE:
        return expert_blade(expert, view, &action->with.blade, controls);
    case EXPERT_TRAVEL:
        return expert_travel_to(expert, view, &action->with.travel, !expert->entered, controls);
    case EXPERT_TURN:
        return expert_turn_to(expert, view, &action->with.turn, !expert->entered, controls);
    case EXPERT_TASK:
        return hand_over(expert, session, &action->with.task, aim, controls);
    case EXPERT_ANSWER:
        if (view->time - expert->began < ANSWER_HELD) {
            controls->axis[CONTROL_ANSWER] = control_quantise(action->with.answer / 10.0);
        }
        return view->time - expert->began >= 2.0 * ANSWER_HELD;
    case EXPERT_HORN:
        controls->axis[CONTROL_HORN] = CONTROL_FULL;
        break;
    case EXPERT_AUXILIARY:
        controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
        break;
    case EXPERT_WAIT:
    case EXPERT_REPEAT:
    case EXPERT_ACTION_COUNT:
        break;
    }
    return view->time - expert->began >= action->with.seconds;
}

/// True when the metric that a repetition is for has come to its value.
static bool is_reached(const ExpertRepeat *repeat, const Exercise *exercise)
{
    double values[METRIC_COUNT];
    if (!expert_gives(repeat->least) && !expert_gives(repeat->most)) {
        return false;
    }
    exercise_values(exercise, values);
    double value = values[repeat->metric];
    return expert_gives(repeat->least) ? value >= repeat->least : value <= repeat->most;
}

/// Goes to the next action that moves something; what a `repeat` asks for begins anew.
static void go_on(Expert *expert, const Exercise *exercise, double time)
{
    expert->index++;
    expert->began = time;
    expert->entered = false;
    while (expert->index < expert->params.action_count && expert->params.actions[expert->index].kind == EXPERT_REPEAT) {
        const ExpertRepeat *repeat = &expert->params.actions[expert->index].with.repeat;
        int *done = &expert->done[expert->index];
        bool again = ++*done < repeat->times && !is_reached(repeat, exercise);
        *done = again ? *done : 0;
        expert->index += again ? -repeat->last : 1;
    }
    expert->over = expert->index >= expert->params.action_count;
}

static void tell_phase(Expert *expert)
{
    const char *name = expert->over ? "" : expert_action_names[expert->params.actions[expert->index].kind];
    if (expert->over) {
        snprintf(expert->phase, sizeof expert->phase, "done");
    } else {
        snprintf(expert->phase, sizeof expert->phase, "%d/%d %s", expert->index + 1, expert->params.action_count, name);
    }
}

void expert_controls(Expert *expert, Session *session, const OperatorAim *aim, OperatorControls *controls)
{
    *controls = control_neutral;
    OperatorAim misjudged_now = aim_now(expert, aim, session_frame(session)->time);
    ExpertView view = look(expert, session, aim != NULL ? &misjudged_now : NULL);
    if (expert->begun == 0) {
        expert->index = -1;
        go_on(expert, session_exercise(session), view.time);
    }
    tell_phase(expert);
    if (expert->over) {
        return;
    }
    expert->begun += expert->entered ? 0 : 1;
    bool task = expert->params.actions[expert->index].kind == EXPERT_TASK;
    bool done = act(expert, session, &view, aim, controls);
    expert->entered = true;
    if (expert->params.machine == MACHINE_DOZER && !task) {
        expert_hold_blade(expert, &view, controls);
    }
    double patience = 1.0 + (aim != NULL ? SLOWER * aim->share : 0.0);
    bool late = !done && view.time - expert->began > patience * limit_of(&expert->params.actions[expert->index]);
    if (late) {
        expert->late++;
        expert->first_late = expert->first_late < 0 ? expert->index : expert->first_late;
    }
    if (done || late) {
        go_on(expert, session_exercise(session), view.time);
    }
}

const char *expert_phase(const Expert *expert)
{
    return expert->phase;
}

bool expert_is_done(const Expert *expert)
{
    return expert->over;
}

int expert_begun(const Expert *expert)
{
    return expert->begun;
}

int expert_late(const Expert *expert)
{
    return expert->late;
}

int expert_first_late(const Expert *expert)
{
    return expert->first_late;
}

void expert_report(const Expert *expert, char text[EXPERT_REPORT_TEXT])
{
    const ExpertParams *params = &expert->params;
    int length = expert->over ? snprintf(text, EXPERT_REPORT_TEXT, "all %d actions are done", params->action_count)
                              : snprintf(text, EXPERT_REPORT_TEXT, "at action %s", expert->phase);
    if (expert->late > 0) {
        snprintf(text + length, (size_t)(EXPERT_REPORT_TEXT - length), "; %d %s late, the first: %d %s", expert->late,
                 expert->late == 1 ? "was" : "were", expert->first_late + 1,
                 expert_action_names[params->actions[expert->first_late].kind]);
    }
}
