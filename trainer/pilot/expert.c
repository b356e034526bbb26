/// Carries out an expert's list of actions. Each tick reads what a person would see, calls the step of the present
/// action, and begins the next one when that is done or its time is over.
#include "trainer/pilot/expert.h"
#include "data/core/elementary.h"
#include "data/schema/machine_params.h"
#include "trainer/pilot/expert_internal.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS_AGAIN 0.7 ///< s after which what is misjudged has halved, once the edge is where it is to be
#define EASED       1.5 ///< more tolerance at the most clumsy
#define SLOWER      2.0 ///< the same of more time

static double ground_height(void *context, double x, double y)
{
    return soil_get_height(context, x, y);
}

/// False with the action that lifts a load which the scene lacks, carries one that has no place, or looks at a thing
/// that the scene lacks.
static bool all_is_there(const ExpertParams *params, const SceneParams *scene, Status *status)
{
    for (int k = 0; k < params->action_count; k++) {
        ExpertActionKind kind = params->actions[k].kind;
        int load = params->actions[k].with.lift.load, count = scene->exercise.loads_count;
        if ((kind == EXPERT_HOIST || kind == EXPERT_PLACE) && load > count) {
            return status_fail(status, STATUS_BAD_FILE,
                               "actions.%d.%s.load: read %d, allowed up to the number of loads of scene %s (%d)", k,
                               expert_action_names[kind], load, scene->name, count);
        }
        int thing = params->actions[k].with.walk.thing, things = scene->exercise.walk_round.things_count;
        if (kind == EXPERT_INSPECT && thing > things) {
            return status_fail(status, STATUS_BAD_FILE,
                               "actions.%d.inspect.thing: read %d, allowed up to the number of things on the "
                               "walk-round of scene %s (%d)",
                               k, thing, scene->name, things);
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
    if (!all_is_there(params, session_scene(session), status)) {
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

/// ---- what it sees --------------------------------------------------------------------------------------------------

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

/// What is misjudged shrinks while the operator waits at a place.
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

/// The arm carries another tool since its coupler was locked or released.
static void follow_tool(Expert *expert, const Session *session)
{
    const CouplerReadout *coupler = &session_frame(session)->coupler;
    int fitted = coupler->stand == COUPLER_STANDS_LOCKED ? coupler->tool : -1;
    if (coupler->has && fitted != expert->fitted) {
        expert->fitted = fitted;
        expert->pilot.machine = *session_machine_params(session);
    }
}

static ExpertView read_view(Expert *expert, Session *session, const OperatorAim *aim)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *machine = &frame->machine;
    follow_tool(expert, session);
    ExpertView view = {.session = session,
                       .machine = machine,
                       .base = machine->base,
                       .tip = machine->tip,
                       .yaw = machine->yaw,
                       .force = frame->tool_wrench.force,
                       .rocks = session_rocks(session),
                       .loads = session_loads(session),
                       .scene = session_scene(session),
                       .lift = frame->lift,
                       .beginner = aim != NULL ? aim->share : 0.0,
                       .late = aim != NULL ? aim->late : 0.0,
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

/// ---- actions -------------------------------------------------------------------------------------------------------

#define ANSWER_HELD 0.3 ///< s that an answer is shown, and as long nothing after it
#define MORE_TIME   1.0 ///< s that an action of a given length may be late

static bool expert_travel(Expert *expert, const ExpertView *view, const ExpertAction *action,
                          OperatorControls *controls)
{
    bool there = expert_travel_to(expert, view, &action->with.travel, !expert->entered, controls);
    if (action->with.travel.floats) {
        expert->hold.height = EXPERT_NOT_GIVEN;
        controls->axis[CONTROL_BLADE_FLOAT] = CONTROL_FULL;
    }
    return there;
}

static bool expert_turn(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    return expert_turn_to(expert, view, &action->with.turn, !expert->entered, controls);
}

/// The exercise's own task, done by the autopilot.
static bool expert_task(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    if (expert->autopilot == NULL) {
        expert->autopilot = autopilot_create(view->session);
        if (expert->autopilot == NULL) {
            return true; // without memory the action is left out
        }
    }
    if (!expert->entered) {
        expert->cycles = autopilot_cycles(expert->autopilot);
    }
    autopilot_misjudge(expert->autopilot, view->aim);
    autopilot_controls(expert->autopilot, view->session, controls);
    int cycles = action->with.task.cycles;
    bool rests = strcmp(autopilot_phase(expert->autopilot), "rest") == 0;
    bool enough = cycles > 0 && autopilot_cycles(expert->autopilot) - expert->cycles >= cycles;
    return rests || enough || exercise_is_finished(session_exercise(view->session));
}

static bool expert_answer(Expert *expert, const ExpertView *view, const ExpertAction *action,
                          OperatorControls *controls)
{
    double shown = view->time - expert->began;
    if (shown < ANSWER_HELD) {
        controls->axis[CONTROL_ANSWER] = control_quantise(action->with.answer / 10.0);
    }
    return shown >= 2.0 * ANSWER_HELD;
}

static bool expert_wait(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    (void)controls;
    return view->time - expert->began >= action->with.seconds;
}

static bool expert_horn(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    controls->axis[CONTROL_HORN] = CONTROL_FULL;
    return expert_wait(expert, view, action, controls);
}

static bool expert_auxiliary(Expert *expert, const ExpertView *view, const ExpertAction *action,
                             OperatorControls *controls)
{
    controls->axis[CONTROL_AUXILIARY] = CONTROL_FULL;
    return expert_wait(expert, view, action, controls);
}

static bool expert_release(Expert *expert, const ExpertView *view, const ExpertAction *action,
                           OperatorControls *controls)
{
    controls->axis[CONTROL_AUXILIARY] = -CONTROL_FULL;
    return expert_wait(expert, view, action, controls);
}

#define SWITCH_REST 0.3 ///< s after a switch before the next one

static bool expert_switch(Expert *expert, const ExpertView *view, const ExpertAction *action,
                          OperatorControls *controls)
{
    double held = view->time - expert->began;
    controls->axis[action->with.switching.axis] = held < action->with.switching.seconds ? CONTROL_FULL : 0;
    return held >= action->with.switching.seconds + SWITCH_REST;
}

/// How an action is carried out; its name and machine are in EXPERT_ACTIONS.
typedef struct ActionRow {
    ExpertStep *step; ///< NULL: begin_next carries it out
    size_t limit; ///< place in ExpertAction of a time, s; 0: none
    double more; ///< s that the action may take beyond that time
} ActionRow;

#define LIMIT(member) offsetof(ExpertAction, with.member)

/// A new kind of action is a row here beside its row in EXPERT_ACTIONS.
static const ActionRow action_rows[EXPERT_ACTION_COUNT] = {
    [EXPERT_TIP] = {expert_tip, LIMIT(tip.limit), 0.0},
    [EXPERT_LINE] = {expert_line, LIMIT(line.limit), 0.0},
    [EXPERT_CURL] = {expert_curl, LIMIT(curl.limit), 0.0},
    [EXPERT_SWING] = {expert_swing, LIMIT(swing.limit), 0.0},
    [EXPERT_DIG] = {expert_dig, LIMIT(dig.limit), 0.0},
    [EXPERT_GRADE] = {expert_grade, LIMIT(grade.limit), 0.0},
    [EXPERT_PRESS] = {expert_press, LIMIT(press.limit), 0.0},
    [EXPERT_TAMP] = {expert_tamp, LIMIT(tamp.limit), 0.0},
    [EXPERT_BREAK] = {expert_break, LIMIT(breaking.limit), 0.0},
    [EXPERT_HAMMER] = {expert_press, LIMIT(press.limit), 0.0},
    [EXPERT_HOIST] = {expert_hoist, LIMIT(lift.limit), 0.0},
    [EXPERT_PLACE] = {expert_place, LIMIT(lift.limit), 0.0},
    [EXPERT_PUSH] = {expert_push, LIMIT(push.limit), 0.0},
    [EXPERT_LEVEL] = {expert_level, LIMIT(level.limit), 0.0},
    [EXPERT_RIP] = {expert_rip, LIMIT(rip.limit), 0.0},
    [EXPERT_BLADE] = {expert_blade, LIMIT(blade.limit), 0.0},
    [EXPERT_TRAVEL] = {expert_travel, LIMIT(travel.limit), 0.0},
    [EXPERT_TURN] = {expert_turn, LIMIT(turn.limit), 0.0},
    [EXPERT_TASK] = {expert_task, LIMIT(task.limit), 0.0},
    [EXPERT_ANSWER] = {expert_answer, 0, MORE_TIME},
    [EXPERT_WAIT] = {expert_wait, LIMIT(seconds), MORE_TIME},
    [EXPERT_HORN] = {expert_horn, LIMIT(seconds), MORE_TIME},
    [EXPERT_AUXILIARY] = {expert_auxiliary, LIMIT(seconds), MORE_TIME},
    [EXPERT_WALK] = {expert_walk, LIMIT(walk.limit), 0.0},
    [EXPERT_INSPECT] = {expert_inspect, LIMIT(walk.limit), 0.0},
    [EXPERT_SWITCH] = {expert_switch, LIMIT(switching.seconds), MORE_TIME},
    [EXPERT_REPEAT] = {NULL, 0, 0.0},
    [EXPERT_TOOL] = {expert_tool, LIMIT(tool.limit), 0.0},
    [EXPERT_RELEASE] = {expert_release, LIMIT(seconds), MORE_TIME},
};

/// s that an action may take.
static double action_limit(const ExpertAction *action)
{
    const ActionRow *row = &action_rows[action->kind];
    double limit = row->limit > 0 ? *(const double *)(const void *)((const char *)action + row->limit) : 0.0;
    return limit + row->more;
}

/// ---- the list ------------------------------------------------------------------------------------------------------

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

/// Begins the next action that moves something; a `repeat` goes back to the actions before it.
static void begin_next(Expert *expert, const Exercise *exercise, double time)
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

static void write_phase(Expert *expert)
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
    ExpertView view = read_view(expert, session, aim != NULL ? &misjudged_now : NULL);
    view.aim = aim;
    if (expert->begun == 0) {
        expert->index = -1;
        begin_next(expert, session_exercise(session), view.time);
    }
    write_phase(expert);
    if (expert->over) {
        return;
    }
    expert->begun += expert->entered ? 0 : 1;
    const ExpertAction *action = &expert->params.actions[expert->index];
    assert(action_rows[action->kind].step != NULL);
    bool done = action_rows[action->kind].step(expert, &view, action, controls);
    expert->entered = true;
    if (expert->params.machine == MACHINE_DOZER && action->kind != EXPERT_TASK) {
        expert_hold_blade(expert, &view, controls);
    }
    double patience = 1.0 + (aim != NULL ? SLOWER * aim->share : 0.0);
    bool late = !done && view.time - expert->began > patience * action_limit(action);
    if (late) {
        expert->late++;
        expert->first_late = expert->first_late < 0 ? expert->index : expert->first_late;
    }
    if (done || late) {
        begin_next(expert, session_exercise(session), view.time);
    }
}

bool expert_is_done(const Expert *expert)
{
    return expert->over;
}

int expert_late(const Expert *expert)
{
    return expert->late;
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
