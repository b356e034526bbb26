/// One operator for every way of driving. A person's levers go from the devices through the control map (input.h);
/// while no input of the map's throttle is there, presses of its actions throttle_up and throttle_down step it. A pad
/// that is pulled out drops all levers to neutral at once, as the springs of a real lever would, until it is back.
#include "trainer/pilot/operator.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/schema/schema.h"
#include "data/core/random.h"

#define THROTTLE_STEP 0.25 ///< of -1..1: eight presses from idle to full. Chosen; see test_app_operator
#define NOTICE_TIME   4.0 ///< s that a line about pads stays on the screen. Chosen
#define NOTICE_LEAST  1.5 ///< s of that before another one takes its place. Chosen
#define SHAKE_EVERY   0.1 ///< s between two strengths; each lasts a little longer, so that they join. Chosen
#define SHAKE_LASTS   150 ///< ms
#define FULL_FORCE    0.7 ///< of the machine's weight: about an excavator's digging force (ISO 6015, data/machines)

enum { PAD_POLLS = 20 }; ///< of 50 ms: SDL tells of pads that are plugged in within a second

/// ---- clumsy hands --------------------------------------------------------------------------------------------------

/// What a beginner does is drawn anew in each span of time, by seed, kind and number of the span: no draw depends on
/// another. Sizes are chosen: a reaction of half a second and a lever that needs as long for its whole way are the slow
/// end of what people do at a first try; the eye is off by up to four decimetres at eight metres.

// At the share 1.
#define LATE        0.50 ///< s from what is seen to the hand
#define SLOWEST     0.60 ///< s for a lever's whole way
#define QUICKEST    0.04 ///< s: at the share 0
#define SHORT_WAY   0.55 ///< of the lever's way that is not used
#define PAUSE_EVERY 5.0 ///< s: in each such span there may be a pause
#define PAUSE_MOST  2.5 ///< s that it lasts
#define HOLD_EVERY  3.0 ///< s: in each such span a lever may be held where it is
#define HOLD_MOST   0.7 ///< s
#define SWAP_EVERY  6.0 ///< s: in each such span the lever beside the right one may be moved
#define SWAP_MOST   0.6 ///< s
#define OFTEN       0.9 ///< how likely each of them is
#define AIM_EVERY   6.0 ///< s between two errors of the eye; it goes evenly from one to the next
#define AIM_ANGLE   0.050 ///< rad of each of the arm's joints
#define AIM_SWING   0.060 ///< rad
#define AIM_HEIGHT  0.25 ///< m of a dozer's edge
#define WRONG       0.6 ///< how likely an answer is wrong

/// What is drawn; the number of its stream.
enum { DRAW_PAUSE = 1, DRAW_HOLD, DRAW_SWAP, DRAW_ANSWER, DRAW_AIM };

void clumsy_start(ClumsyHands *hands, double share, uint64_t seed)
{
    memset(hands, 0, sizeof *hands);
    hands->share = share;
    hands->seed = seed;
}

static double draw_unit(const ClumsyHands *hands, uint64_t stream, uint64_t span, uint64_t number)
{
    return random_unit(hands->seed ^ 0x636c756d7379u, stream, 16 * span + number);
}

/// True in the part of a span in which what it draws happens; `most` s at the share 1.
static bool happens(const ClumsyHands *hands, uint64_t stream, double time, double every, double most)
{
    uint64_t span = (uint64_t)(time / every);
    double lasts = hands->share * most * (0.3 + 0.7 * draw_unit(hands, stream, span, 1));
    double from = (every - lasts) * draw_unit(hands, stream, span, 2), since = time - (double)span * every;
    return draw_unit(hands, stream, span, 0) < OFTEN * hands->share && since >= from && since < from + lasts;
}

/// -1..1, evenly from one span's draw to the next one's.
static double wander(const ClumsyHands *hands, uint64_t what, double time)
{
    uint64_t span = (uint64_t)(time / AIM_EVERY);
    double share = time / AIM_EVERY - (double)span;
    double from = draw_unit(hands, DRAW_AIM, span, what), to = draw_unit(hands, DRAW_AIM, span + 1, what);
    return 2.0 * (from + share * (to - from)) - 1.0;
}

void clumsy_aim(const ClumsyHands *hands, double time, OperatorAim *aim)
{
    *aim = (OperatorAim){.share = hands->share, .late = hands->share * (LATE + 0.5 * SLOWEST)};
    if (hands->share == 0.0) {
        return;
    }
    enum { ARM = EXCAVATOR_JOINT_COUNT }; // what hangs behind the arm is not misjudged
    for (int k = 0; k < ARM; k++) {
        aim->angle[k] = hands->share * AIM_ANGLE * wander(hands, (uint64_t)k, time);
    }
    aim->direction = hands->share * AIM_SWING * wander(hands, ARM, time);
    aim->height = hands->share * AIM_HEIGHT * wander(hands, ARM + 1, time);
}

/// The lever beside the right one, of the same hand.
static void swap_levers(double wanted[CONTROL_COUNT], bool left_hand)
{
    ControlAxis one = left_hand ? CONTROL_SWING : CONTROL_BOOM, other = left_hand ? CONTROL_STICK : CONTROL_BUCKET;
    double kept = wanted[one];
    wanted[one] = wanted[other];
    wanted[other] = kept;
    wanted[CONTROL_BLADE] = -wanted[CONTROL_BLADE];
}

/// An answer that is wrong is wrong as long as it is shown.
static void spoil_answer(ClumsyHands *hands, double shown, OperatorControls *controls)
{
    hands->answers += shown > 0.0 && hands->lever[CONTROL_ANSWER] == 0.0 ? 1 : 0;
    hands->lever[CONTROL_ANSWER] = shown;
    if (shown > 0.0 && draw_unit(hands, DRAW_ANSWER, (uint64_t)hands->answers, 0) < WRONG * hands->share) {
        controls->axis[CONTROL_ANSWER] = control_quantise(shown < 0.15 ? 0.2 : 0.1);
    }
}

void clumsy_move(ClumsyHands *hands, double time, double dt, OperatorControls *controls)
{
    if (hands->share == 0.0) {
        return;
    }
    hands->asked[hands->ticks % CLUMSY_MOST_LATE] = *controls;
    int late = (int)fmin(hands->share * LATE / dt + 0.5, CLUMSY_MOST_LATE - 1);
    late = late < hands->ticks ? late : hands->ticks;
    const OperatorControls *asked = &hands->asked[(hands->ticks - late) % CLUMSY_MOST_LATE];
    hands->ticks++;
    double wanted[CONTROL_COUNT], step = dt / (QUICKEST + hands->share * (SLOWEST - QUICKEST));
    bool pause = happens(hands, DRAW_PAUSE, time, PAUSE_EVERY, PAUSE_MOST);
    bool hold = happens(hands, DRAW_HOLD, time, HOLD_EVERY, HOLD_MOST);
    int held = (int)(draw_unit(hands, DRAW_HOLD, (uint64_t)(time / HOLD_EVERY), 3) *
                     CONTROL_IGNITION); // before the switches: seeds stay what they were
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        wanted[axis] = pause ? 0.0 : (1.0 - SHORT_WAY * hands->share) * control_value(asked, (ControlAxis)axis);
    }
    if (happens(hands, DRAW_SWAP, time, SWAP_EVERY, SWAP_MOST)) {
        swap_levers(wanted, draw_unit(hands, DRAW_SWAP, (uint64_t)(time / SWAP_EVERY), 3) < 0.5);
    }
    *controls = *asked;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (control_is_lever((ControlAxis)axis)) {
            double way = wanted[axis] - hands->lever[axis];
            hands->lever[axis] += hold && axis == held ? 0.0 : fmax(-step, fmin(way, step));
            controls->axis[axis] = control_quantise(hands->lever[axis]);
        }
    }
    spoil_answer(hands, control_value(asked, CONTROL_ANSWER), controls);
}

/// ---- control map ---------------------------------------------------------------------------------------------------

static bool map_moves(const ControlsParams *map, ControlAxis axis)
{
    for (int i = 0; i < map->binding_count; i++) {
        if (map->bindings[i].axis == axis) {
            return true;
        }
    }
    return false;
}

bool control_map_load(const char *controls, const MachineParams *machine, ControlsParams *map, Status *status)
{
    const char *own = machine->controls;
    if (!data_load_controls(controls != NULL ? controls : own, map, NULL, status)) {
        return false;
    }
    static const ControlAxis levers[] = {CONTROL_SWING, CONTROL_STICK,      CONTROL_BOOM,        CONTROL_BUCKET,
                                         CONTROL_BLADE, CONTROL_BLADE_TILT, CONTROL_BLADE_ANGLE, CONTROL_RIPPER};
    bool other = false;
    for (size_t k = 0; k < sizeof levers / sizeof levers[0]; k++) {
        other |= map_moves(map, levers[k]) && machine_joint_of_control(machine, levers[k]) < 0;
    }
    bool fits = map_moves(map, machine->joint[machine->lift_joint].control);
    return fits || !other || data_load_controls(own, map, NULL, status);
}

/// ---- create and destroy --------------------------------------------------------------------------------------------

static bool load_map(Operator *self, const char *controls, const MachineParams *machine, Status *status)
{
    self->controls = calloc(1, sizeof *self->controls);
    if (self->controls == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the control map");
    }
    if (!control_map_load(controls, machine, self->controls, status)) {
        return false;
    }
    self->map = input_map_create(self->controls, status);
    return self->map != NULL;
}

static void use_map(Operator *self)
{
    int count = 0;
    const ControlDevice *wanted = input_map_devices(self->map, &count);
    input_devices_use(self->devices, wanted, count);
}

/// Opens the pads of a person without a window.
static bool open_pads(Operator *self, Status *status)
{
    self->devices = input_devices_open(status);
    if (self->devices == NULL) {
        return false;
    }
    self->owns_devices = true;
    use_map(self);
    for (int k = 0; k < PAD_POLLS; k++) {
        input_devices_poll(self->devices);
        if (input_devices_pad_count(self->devices) > 0) {
            return true;
        }
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    char stranger[CONTROLS_DEVICE_NAME] = "";
    if (input_devices_strangers(self->devices, 0, stranger, (int)sizeof stranger) > 0) {
        return status_fail(status, STATUS_LACKING,
                           "%s moves nothing: it is no gamepad that is known, and the control map %s does not name it; "
                           "spadework calibrate MAP.yaml makes a map for it, --controls MAP.yaml drives by that",
                           stranger, self->controls->name);
    }
    return status_fail(status, STATUS_LACKING,
                       "no gamepad is connected; plug one in, or use --operator auto or a script's path");
}

static bool start_autopilot(Operator *self, const Session *session, Status *status)
{
    autopilot_destroy(self->autopilot);
    self->autopilot = NULL;
    if (!autopilot_can_drive(session_machine_params(session))) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: no scripted operator drives this kind of machine",
                           session_machine_params(session)->name);
    }
    self->autopilot = autopilot_create(session);
    return self->autopilot != NULL || status_fail(status, STATUS_LACKING, "out of memory for the operator");
}

#define EXPERT_OWN    "expert" ///< of the scene's own name
#define EXPERT_PREFIX "expert:"

/// Loads the actions of an expert once. `files` takes the file of one that is not the scene's own.
static bool load_actions(Operator *self, const Session *session, const char *name, DataFiles *files, Status *status)
{
    if (self->actions != NULL) {
        return true;
    }
    self->actions = calloc(1, sizeof *self->actions);
    if (self->actions == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the operator");
    }
    return files == NULL ? data_load_scene_expert(session_files(session), name, self->actions, status)
                         : data_load_expert(name, self->actions, files, status);
}

/// Begins the actions of `expert` or `expert:NAME`. What the scene lacks for them is reported with the place in their
/// file.
static bool start_expert(Operator *self, const Session *session, Status *status)
{
    bool own = strcmp(self->name, EXPERT_OWN) == 0;
    const char *name = own ? session_scene(session)->exercise.expert : self->name + strlen(EXPERT_PREFIX);
    DataFiles files = {0};
    if (!load_actions(self, session, name, own ? NULL : &files, status)) {
        return false;
    }
    expert_destroy(self->expert);
    self->expert = expert_create(self->actions, session, status);
    if (self->expert == NULL) {
        key_place_text(data_files_find(own ? session_files(session) : &files, "experts", self->actions->name), status);
    }
    data_files_free(&files);
    return self->expert != NULL;
}

/// The operator that the scene names as its expert; OPERATOR_PERSON: none.
static OperatorKind scene_expert(const Session *session)
{
    const char *expert = session_scene(session)->exercise.expert;
    return expert[0] == '\0' ? OPERATOR_PERSON : strcmp(expert, "auto") == 0 ? OPERATOR_AUTOPILOT : OPERATOR_EXPERT;
}

static OperatorKind kind_of(const char *name, const Session *session)
{
    if (strcmp(name, EXPERT_OWN) == 0) {
        return scene_expert(session);
    }
    if (strncmp(name, EXPERT_PREFIX, strlen(EXPERT_PREFIX)) == 0) {
        return OPERATOR_EXPERT;
    }
    bool person = strcmp(name, "gamepad") == 0 || strcmp(name, "keyboard") == 0;
    return person ? OPERATOR_PERSON : strcmp(name, "auto") == 0 ? OPERATOR_AUTOPILOT : OPERATOR_SCRIPT;
}

/// A scene's expert may be the autopilot, which then counts as the expert, too.
static CreditDriver driver_of(OperatorKind kind, const char *name)
{
    switch (kind) {
    case OPERATOR_PERSON:
        return CREDIT_PERSON;
    case OPERATOR_SCRIPT:
        return CREDIT_SCRIPT;
    default:
        return kind == OPERATOR_EXPERT || strcmp(name, EXPERT_OWN) == 0 ? CREDIT_EXPERT : CREDIT_AUTO;
    }
}

/// A column that only pushes its joint against the end where it stands at the start moves nothing: most likely its
/// author took its sign for the other one. Writes a line about the first such column.
static void check_script(Operator *self, const Session *session)
{
    const double hardly = 0.15; // of the joint's range. Chosen: a raised ripper stands at 0.09
    const MachineParams *machine = session_machine_params(session);
    for (int j = 0; j < machine->joint_count && self->advice[0] == '\0'; j++) {
        const MachineJointParams *joint = &machine->joint[j];
        double least, greatest, angle = session_frame(session)->machine.angle[j];
        input_script_span(self->script, joint->control, &least, &greatest);
        bool one_way = least * greatest >= 0.0 && least != greatest && !machine_joint_is_endless(joint);
        bool up = (least < 0.0 ? -1 : 1) * joint->control_sign > 0;
        double room = up ? joint->range[1] - angle : angle - joint->range[0];
        if (one_way && room < hardly * (joint->range[1] - joint->range[0])) {
            snprintf(self->advice, sizeof self->advice,
                     "%s: column %s is never %s 0, which only pushes it against its end; the other sign moves it "
                     "(docs/commands.md, Script of levers)",
                     self->name, control_axis_names[joint->control], least < 0.0 ? "above" : "below");
        }
    }
}

static bool prepare(Operator *self, const OperatorParams *params, const Session *session, Status *status)
{
    bool window = params->devices != NULL, person = self->kind == OPERATOR_PERSON;
    if (!window && strcmp(self->name, "keyboard") == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "no keyboard can be read without a window; use --operator auto");
    }
    if ((window || person || params->controls != NULL) &&
        !load_map(self, params->controls, session_machine_params(session), status)) {
        return false;
    }
    if (window) {
        self->devices = params->devices;
        use_map(self);
        self->pads = input_devices_pad_count(self->devices);
        self->lost = input_devices_lost(self->devices);
    } else if (person) {
        return open_pads(self, status);
    }
    if (self->kind == OPERATOR_SCRIPT) {
        self->script = input_script_load(self->name, status);
        if (self->script != NULL) {
            check_script(self, session);
        }
        return self->script != NULL;
    }
    if (self->kind == OPERATOR_EXPERT) {
        return start_expert(self, session, status);
    }
    return person || start_autopilot(self, session, status);
}

static const InputSample nothing = {0}; ///< devices that nobody touches

bool operator_create(Operator *self, const OperatorParams *params, const Session *session, Status *status)
{
    *self = (Operator){.throttle = 1.0, .still = params->still, .sample = &nothing};
    self->events = session_frame(session)->event_count; // what was before is not felt again
    const char *name = params->name != NULL ? params->name : params->devices != NULL ? "person" : "auto";
    self->kind = params->name == NULL && params->devices != NULL ? OPERATOR_PERSON : kind_of(name, session);
    self->driver = driver_of(self->kind, name);
    if (snprintf(self->name, sizeof self->name, "%s", name) >= (int)sizeof self->name) {
        return status_fail(status, STATUS_BAD_USAGE, "--operator %.80s...: its path is too long", name);
    }
    if (self->kind == OPERATOR_PERSON && strcmp(name, EXPERT_OWN) == 0) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--operator expert: the scene names no expert (exercise.expert); expert:NAME takes one "
                           "of those that \"spadework list experts\" names");
    }
    bool scripted = self->kind == OPERATOR_AUTOPILOT || self->kind == OPERATOR_EXPERT;
    if (params->clumsy > 0.0 && !scripted) {
        return status_fail(status, STATUS_BAD_USAGE, "--clumsy needs a scripted operator: auto, expert or expert:NAME");
    }
    clumsy_start(&self->hands, params->clumsy, session_seed(session));
    if (!prepare(self, params, session, status)) {
        operator_destroy(self);
        return false;
    }
    if (params->clumsy > 0.0) {
        size_t length = strlen(self->name);
        snprintf(self->name + length, sizeof self->name - length, ", clumsy %.2f", params->clumsy);
    }
    return true;
}

void operator_destroy(Operator *self)
{
    autopilot_destroy(self->autopilot);
    expert_destroy(self->expert);
    free(self->actions);
    if (self->script != NULL) {
        input_script_destroy(self->script);
    }
    if (self->owns_devices) {
        input_devices_close(self->devices);
    } else if (self->devices != NULL) {
        input_devices_use(self->devices, NULL, 0);
    }
    if (self->map != NULL) {
        input_map_destroy(self->map);
    }
    free(self->controls);
    *self = (Operator){0};
}

bool operator_change_controls(Operator *self, const char *controls, const Session *session, Status *status)
{
    Operator other = {0};
    if (!load_map(&other, controls, session_machine_params(session), status)) {
        free(other.controls);
        return false;
    }
    if (self->map != NULL) {
        input_map_destroy(self->map);
    }
    free(self->controls);
    self->controls = other.controls;
    self->map = other.map;
    self->memory = (InputMemory){0};
    if (self->devices != NULL) {
        use_map(self);
    }
    operator_rest(self);
    return true;
}

bool operator_restart(Operator *self, const Session *session, Status *status)
{
    self->memory = (InputMemory){0};
    operator_rest(self);
    clumsy_start(&self->hands, self->hands.share, session_seed(session));
    self->throttle = 1.0;
    self->pad_lost = self->driving_lost = false;
    self->pulse = (InputPulse){0};
    self->events = session_frame(session)->event_count;
    if (self->kind == OPERATOR_EXPERT) {
        return start_expert(self, session, status);
    }
    return self->kind != OPERATOR_AUTOPILOT || start_autopilot(self, session, status);
}

/// ---- once a round --------------------------------------------------------------------------------------------------

static void step_throttle(Operator *self, int steps)
{
    double throttle = self->throttle + THROTTLE_STEP * steps;
    self->throttle = throttle < -1.0 ? -1.0 : throttle > 1.0 ? 1.0 : throttle;
}

/// Shows what came and went, one line after the other; a lost pad at once, since its news is the last that waits.
static void update_notice(Operator *self, bool lost)
{
    while ((lost || self->notice_left < NOTICE_TIME - NOTICE_LEAST) &&
           input_devices_changed(self->devices, &self->notice)) {
        self->notice_left = NOTICE_TIME;
    }
}

/// Shows once that an input was not at rest when its device came, and so moves nothing.
static void notice_unrested(Operator *self)
{
    InputNews held;
    if (self->kind != OPERATOR_PERSON || !input_map_not_at_rest(self->map, self->sample, &self->memory, &held)) {
        self->unrested = (InputNews){.kind = INPUT_NEWS_NONE};
        return;
    }
    bool told = held.kind == self->unrested.kind && held.index == self->unrested.index &&
                strcmp(held.id, self->unrested.id) == 0;
    if (!told && self->notice_left < NOTICE_TIME - NOTICE_LEAST) {
        self->notice = self->unrested = held;
        self->notice_left = NOTICE_TIME;
        self->unrested_told++;
    }
}

static void watch_pads(Operator *self, bool goes_on, double elapsed)
{
    self->notice_left -= elapsed;
    int pads = input_devices_pad_count(self->devices);
    update_notice(self, pads < self->pads);
    notice_unrested(self);
    if (pads < self->pads && self->kind == OPERATOR_PERSON) {
        self->pad_lost = true;
        self->driving_lost |= input_devices_lost(self->devices) > self->lost;
    } else if (pads > self->pads || goes_on) {
        self->pad_lost = self->driving_lost = false;
    }
    self->pads = pads;
    self->lost = input_devices_lost(self->devices);
}

void operator_look(Operator *self, const InputSample *sample, const OperatorPresses *presses, double elapsed)
{
    if (self->devices == NULL) {
        return;
    }
    OperatorPresses found = {0};
    if (sample != NULL) {
        self->sample = sample;
        found = *presses;
    } else {
        input_devices_poll(self->devices);
        self->sample = input_devices_sample(self->devices);
        found.faster = input_map_presses(self->map, self->sample, "throttle_up");
        found.slower = input_map_presses(self->map, self->sample, "throttle_down");
    }
    step_throttle(self, found.faster - found.slower);
    watch_pads(self, found.go_on > 0, elapsed);
}

void operator_rest(Operator *self)
{
    input_map_rest(&self->memory);
    if (self->devices != NULL) {
        input_devices_forget(self->devices);
    }
}

/// ---- pulses of the devices' motors ---------------------------------------------------------------------------------
/// Devices state no strength in N, so that all numbers of the table are chosen. A heavier blow is felt as such, and
/// kinds differ: blows by the heavy motor, slipping by the light one, tipping by both and for long.

#define LEAST_PULSE 0.2 ///< share of a pulse that the lightest event of a kind gives

/// How strong an event is: the number of it that counts, and how much of it is a full pulse.
typedef struct PulseRow {
    Incident incident;
    size_t number; ///< place in EventNumbers; not read where `full` is 0
    double full; ///< in the number's unit; 0: each event is a full pulse
    InputPulse pulse;
} PulseRow;

#define NUMBER(name) offsetof(EventNumbers, name)

static const PulseRow pulse_rows[] = {
    {INCIDENT_TOUCH, NUMBER(impulse), 10e3, {1.0, 0.4, 0.25}}, // 22 t at half a metre a second
    {INCIDENT_SLAM, NUMBER(speed), 0.5, {0.7, 0.2, 0.15}},
    {INCIDENT_PERSON_HIT, 0, 0.0, {1.0, 1.0, 0.6}},
    {INCIDENT_TIP_BEGINS, 0, 0.0, {0.6, 0.6, 0.6}},
    {INCIDENT_TIP_ENDS, 0, 0.0, {0.8, 0.2, 0.2}},
    {INCIDENT_TIPPED_OVER, 0, 0.0, {1.0, 1.0, 1.0}},
    {INCIDENT_LIFTED, 0, 0.0, {0.4, 0.1, 0.3}},
    {INCIDENT_FELL_INTO_HOLE, 0, 0.0, {1.0, 0.5, 0.5}},
    {INCIDENT_TRACK_OFF_EDGE, 0, 0.0, {0.5, 0.2, 0.4}},
    {INCIDENT_WALL_FELL, 0, 0.0, {0.6, 0.4, 0.5}},
    {INCIDENT_PERSON_BURIED, 0, 0.0, {1.0, 1.0, 0.6}},
};

InputPulse event_pulse(const ExerciseEvent *event)
{
    InputPulse pulse = {0};
    for (size_t k = 0; k < sizeof pulse_rows / sizeof pulse_rows[0]; k++) {
        const PulseRow *row = &pulse_rows[k];
        if (event->kind != (int32_t)row->incident) {
            continue;
        }
        double share = 1.0;
        if (row->full > 0.0) {
            double number = *(const double *)(const void *)((const char *)&event->number + row->number);
            share = fmax(LEAST_PULSE, fmin(fabs(number) / row->full, 1.0));
        }
        pulse = (InputPulse){share * row->pulse.low, share * row->pulse.high, row->pulse.time};
    }
    return pulse;
}

InputPulse event_pulse_slip(void)
{
    return (InputPulse){.low = 0.0, .high = 0.6, .time = 0.3};
}

/// ---- feeling -------------------------------------------------------------------------------------------------------

/// Begins the strongest pulse of what has happened since the last look. True when there is one.
static bool begin_pulse(Operator *self, const Session *session)
{
    const Exercise *exercise = session_exercise(session);
    int count = exercise_event_count(exercise);
    bool slips = (session_frame(session)->machine.limits & MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP)) != 0, begins = false;
    InputPulse strongest = {0};
    for (int k = self->events < count ? self->events : count; k <= count; k++) {
        bool slip_begins = slips && !self->slips;
        InputPulse pulse = k < count     ? event_pulse(exercise_event(exercise, k))
                           : slip_begins ? event_pulse_slip()
                                         : (InputPulse){0};
        if (pulse.time > 0.0 && (!begins || pulse.low + pulse.high > strongest.low + strongest.high)) {
            strongest = pulse;
            begins = true;
        }
    }
    self->events = count;
    self->slips = slips;
    bool stronger = strongest.low + strongest.high >= self->pulse.low + self->pulse.high;
    if (begins && (stronger || self->pulse.time <= 0.0)) {
        self->pulse = strongest;
        return true;
    }
    return false;
}

void operator_feel(Operator *self, const Session *session, double elapsed)
{
    self->shake_left -= elapsed;
    self->pulse.time -= elapsed;
    if (self->kind != OPERATOR_PERSON || self->still || (!begin_pulse(self, session) && self->shake_left > 0.0)) {
        return;
    }
    self->shake_left = SHAKE_EVERY;
    const SessionFrame *frame = session_frame(session);
    const MachineParams *machine = session_machine_params(session);
    const ControlRumble *rumble = input_map_rumble(self->map);
    double force = fmax(session_tool_load(session, 0), session_tool_load(session, 1)) /
                   (FULL_FORCE * machine_total_mass(machine) * STANDARD_GRAVITY);
    double load = frame->machine.pump_power / (machine->hydraulics.efficiency * machine->engine.power);
    InputShake shake = input_shake(rumble, force, load, frame->machine.limits != 0);
    if (self->pulse.time > 0.0) {
        shake = input_shake_add(rumble, shake, &self->pulse);
    }
    if (shake.low > 0.0 || shake.high > 0.0) {
        input_devices_rumble(self->devices, shake.low, shake.high, SHAKE_LASTS);
    }
}

/// ---- once a tick ---------------------------------------------------------------------------------------------------

static void person_controls(Operator *self, double dt, OperatorControls *controls)
{
    const InputSample *sample = self->devices != NULL ? input_devices_tick(self->devices) : &nothing;
    self->waited = sample->waited;
    if (self->pad_lost) {
        // Levers spring back at once, whatever rate the map allows them.
        self->memory = (InputMemory){0};
        sample = &nothing;
    }
    input_map_apply(self->map, sample, dt, &self->memory, controls);
    if (!input_map_has_throttle(self->map, sample)) {
        controls->axis[CONTROL_THROTTLE] = control_quantise(self->throttle);
    }
}

/// A scripted operator takes his hands off the levers while the banksman signals stop or danger; only the button that
/// calls the slinger is pressed.
static void obey_signals(const Session *session, OperatorControls *controls)
{
    for (int axis = 0; axis < CONTROL_COUNT && session_is_stopped(session); axis++) {
        if (control_is_lever((ControlAxis)axis) && axis != CONTROL_AUXILIARY && axis != CONTROL_THROTTLE) {
            controls->axis[axis] = 0;
        }
    }
}

/// The autopilot's levers or the expert's, by hands as clumsy as they are.
static void scripted_controls(Operator *self, Session *session, OperatorControls *controls)
{
    double time = session_frame(session)->time;
    OperatorAim aim;
    clumsy_aim(&self->hands, time, &aim);
    if (self->kind == OPERATOR_EXPERT) {
        expert_controls(self->expert, session, &aim, controls);
    } else {
        autopilot_misjudge(self->autopilot, &aim);
        autopilot_controls(self->autopilot, session, controls);
    }
    obey_signals(session, controls);
    clumsy_move(&self->hands, time, session_dt(session), controls);
}

/// An answer lasts a tick, and the one after it comes a tick later at the soonest: else it would be the same still.
static void apply_answer(Operator *self, OperatorControls *controls)
{
    int answer = self->answered ? 0 : self->answer;
    controls->axis[CONTROL_ANSWER] = control_quantise(0.1 * answer);
    self->answered = answer != 0;
    self->answer = answer != 0 ? 0 : self->answer;
}

void operator_press(Operator *self, ControlAxis axis, double seconds)
{
    self->hand.pressed[axis] = seconds;
}

void operator_hold(Operator *self, ControlAxis axis, double value)
{
    self->hand.held[axis] = value;
}

void operator_walk(Operator *self, double turn, double raise, double ahead)
{
    self->hand.turn += turn;
    self->hand.raise += raise;
    self->hand.ahead += ahead;
}

/// Takes from `left` what a lever at `rate` a second does in a tick at most, and adds it to the lever.
static void spend(double *left, double rate, double dt, ControlAxis axis, double sign, OperatorControls *controls)
{
    double share = fmax(-1.0, fmin(*left / (rate * dt), 1.0));
    *left -= share * rate * dt;
    controls->axis[axis] = control_quantise(control_value(controls, axis) + sign * share);
}

static void apply_hand(Operator *self, const Session *session, OperatorControls *controls)
{
    OperatorHand *hand = &self->hand;
    double dt = session_dt(session);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (hand->held[axis] != 0.0) {
            controls->axis[axis] = control_quantise(control_value(controls, (ControlAxis)axis) + hand->held[axis]);
        }
        if (hand->pressed[axis] > 0.0) {
            hand->pressed[axis] -= dt;
            controls->axis[axis] = CONTROL_FULL;
        }
    }
    if (!session_frame(session)->foot.walks) {
        hand->turn = hand->raise = hand->ahead = 0.0;
        return;
    }
    spend(&hand->turn, FOOT_TURNING, dt, CONTROL_SWING, 1.0, controls);
    spend(&hand->raise, FOOT_LOOKING, dt, CONTROL_BOOM, 1.0, controls);
    spend(&hand->ahead, FOOT_WALKING, dt, CONTROL_STICK, -1.0, controls);
}

void operator_controls(Operator *self, Session *session, OperatorControls *controls)
{
    *controls = control_neutral;
    switch (self->kind) {
    case OPERATOR_PERSON:
        person_controls(self, session_dt(session), controls);
        apply_hand(self, session, controls);
        apply_answer(self, controls);
        break;
    case OPERATOR_AUTOPILOT:
    case OPERATOR_EXPERT:
        scripted_controls(self, session, controls);
        break;
    case OPERATOR_SCRIPT:
        input_script_get(self->script, session_frame(session)->time, controls);
        break;
    }
}
