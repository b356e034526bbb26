/// Asks for each lever, pedal and button in turn and judges what moved.
///
/// First nothing may move, which tells where each axis rests. Then a lever counts once it went far enough and came
/// back, alone; the throttle's wheel once it was put to an end and stays there. An axis that never stands still is left
/// out. Thresholds are shares of an axis' whole range, -1..1, or
/// of the travel seen; they are chosen for worn potentiometers and hurried hands; see test_input_calibration.
#include "input/calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/controls_params.h"

static const double least_travel = 0.5; ///< of an axis that was moved, not brushed
static const double touch_travel = 0.12; ///< of an axis that was touched at all
static const double half_way = 1.25; ///< -1..1: shorter ways are those of a lever that rests in the middle
static const double released_share = 0.25; ///< of the travel: this near its rest a lever counts as let go
static const double alone_share = 0.6; ///< of the travel: what a second axis may move with the first
static const double noise = 0.1; ///< an axis at rest stays within this
static const double rest_time = 1.0; ///< s of stillness
static const double settle_time = 0.4; ///< s after a step in which a lever that springs back may swing over
static const double stand_time = 3.0; ///< s: longer than a hand holds a lever at its end; it rests where it stands
static const double place_time = 1.0; ///< s of stillness of a wheel that was put to an end
enum { MOST_RESTLESS = 4 }; ///< times that an axis may move while all should be at rest, before it is left out

/// ---- steps ---------------------------------------------------------------------------------------------------------

static void add_step(Calibration *self, CalibrationStep step)
{
    self->steps[self->step_count++] = step;
}

void calibration_start(Calibration *self, const ControlsParams *base, const ControlDevice *devices, int device_count)
{
    static const ControlAxis levers[] = {CONTROL_SWING,  CONTROL_STICK,      CONTROL_BOOM,
                                         CONTROL_BUCKET, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK};
    static const ControlAxis switches[] = {CONTROL_IGNITION,   CONTROL_SAFETY_LEVER, CONTROL_TRAVEL_RANGE,
                                           CONTROL_POWER_MODE, CONTROL_AUTO_IDLE,    CONTROL_LIGHTS,
                                           CONTROL_WIPER,      CONTROL_INSPECT,      CONTROL_COUPLER};
    static const ControlAxis rollers[] = {CONTROL_TOOL_TILT, CONTROL_TOOL_ROTATE};
    *self = (Calibration){.base = *base};
    self->device_count = device_count < CONTROLS_MAX_DEVICES ? device_count : CONTROLS_MAX_DEVICES;
    for (int i = 0; i < self->device_count; i++) {
        self->devices[i] = devices[i];
    }
    add_step(self, (CalibrationStep){.kind = CALIBRATION_REST});
    for (size_t i = 0; i < sizeof(levers) / sizeof(levers[0]); i++) {
        add_step(self, (CalibrationStep){CALIBRATION_WAY, levers[i], 1, -1});
        add_step(self, (CalibrationStep){CALIBRATION_WAY, levers[i], -1, -1});
        add_step(self, (CalibrationStep){CALIBRATION_REVERSE, levers[i], -1, -1});
    }
    add_step(self, (CalibrationStep){CALIBRATION_PLACE, CONTROL_THROTTLE, -1, -1});
    add_step(self, (CalibrationStep){CALIBRATION_PLACE, CONTROL_THROTTLE, 1, -1});
    add_step(self, (CalibrationStep){CALIBRATION_BUTTON, CONTROL_HORN, 1, -1});
    for (int i = 0; i < base->action_count; i++) {
        add_step(self, (CalibrationStep){CALIBRATION_BUTTON, CONTROL_HORN, 0, i});
    }
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        add_step(self, (CalibrationStep){CALIBRATION_BUTTON, switches[i], 1, -1});
    }
    for (size_t i = 0; i < sizeof(rollers) / sizeof(rollers[0]); i++) {
        add_step(self, (CalibrationStep){CALIBRATION_WAY, rollers[i], 1, -1});
        add_step(self, (CalibrationStep){CALIBRATION_WAY, rollers[i], -1, -1});
    }
}

bool calibration_is_done(const Calibration *self)
{
    return self->step >= self->step_count;
}

/// A reversing button is asked only for a lever that went one way; the other way only for one that went the first, and
/// the other end of the throttle only where there was one.
static bool is_asked(const Calibration *self, int number)
{
    const CalibrationStep *step = &self->steps[number];
    if ((step->kind == CALIBRATION_WAY && step->sign < 0) || (step->kind == CALIBRATION_PLACE && step->sign > 0)) {
        return self->finds[number - 1].found;
    }
    return step->kind != CALIBRATION_REVERSE || (self->finds[number - 2].found && !self->finds[number - 1].found);
}

int calibration_number(const Calibration *self)
{
    int number = 1;
    for (int i = 0; i < self->step && i < self->step_count; i++) {
        number += is_asked(self, i);
    }
    return number;
}

/// Travel is counted from the rest; of a wheel, which has none, from where it stands.
static void forget_travel(Calibration *self)
{
    bool place = !calibration_is_done(self) && self->steps[self->step].kind == CALIBRATION_PLACE;
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES; number++) {
            CalibrationAxis *axis = &self->axes[i][number];
            axis->low = axis->high = place ? axis->now : axis->rest;
        }
    }
}

/// Each step looks at the travel from here on.
static void begin_step(Calibration *self)
{
    self->still = 0.0;
    forget_travel(self);
}

static void next_step(Calibration *self, CalibrationFind find)
{
    self->finds[self->step++] = find;
    while (self->step < self->step_count && !is_asked(self, self->step)) {
        self->finds[self->step++] = (CalibrationFind){0};
    }
    begin_step(self);
}

CalibrationAnswer calibration_skip(Calibration *self)
{
    if (calibration_is_done(self)) {
        return CALIBRATION_WAITS;
    }
    if (self->steps[self->step].kind == CALIBRATION_REST) {
        self->reason = CALIBRATION_NOT_YET;
        snprintf(self->text, sizeof(self->text), "read nothing yet, allowed: let go of everything for %g s", rest_time);
        return CALIBRATION_REFUSED;
    }
    next_step(self, (CalibrationFind){0});
    snprintf(self->text, sizeof(self->text), "none");
    return CALIBRATION_TAKEN;
}

bool calibration_may_skip_rest(const Calibration *self)
{
    return !calibration_is_done(self) &&
           (self->steps[self->step].kind == CALIBRATION_BUTTON || self->steps[self->step].axis == CONTROL_TOOL_TILT ||
            self->steps[self->step].axis == CONTROL_TOOL_ROTATE);
}

void calibration_skip_rest(Calibration *self)
{
    while (calibration_may_skip_rest(self)) {
        calibration_skip(self);
    }
}

void calibration_back(Calibration *self)
{
    do {
        self->step -= self->step > 0;
    } while (self->step > 0 && !is_asked(self, self->step));
    self->finds[self->step] = (CalibrationFind){0};
    begin_step(self);
}

/// ---- watching ------------------------------------------------------------------------------------------------------

static CalibrationAnswer watch_rest(Calibration *self, double dt)
{
    self->still += dt;
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES; number++) {
            CalibrationAxis *axis = &self->axes[i][number];
            if (!axis->known || axis->useless || axis->high - axis->low <= noise) {
                continue;
            }
            snprintf(self->text, sizeof(self->text), "%s axis %d went from %+.2f to %+.2f, allowed at rest is %g",
                     self->devices[i].id, number, axis->low, axis->high, noise);
            self->reason = CALIBRATION_RESTLESS;
            axis->useless = ++axis->restless > MOST_RESTLESS; // garbage, or not to be waited for: it moves no lever
            axis->rest = axis->low = axis->high = axis->now;
            self->still = 0.0;
            return CALIBRATION_REFUSED;
        }
    }
    if (self->still < rest_time) {
        return CALIBRATION_WAITS;
    }
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES; number++) {
            CalibrationAxis *axis = &self->axes[i][number];
            axis->rest = 0.5 * (axis->low + axis->high);
        }
    }
    snprintf(self->text, sizeof(self->text), "all at rest");
    next_step(self, (CalibrationFind){.found = true});
    return CALIBRATION_TAKEN;
}

/// How far an axis went from its rest in this step, with its sign.
static double travel(const CalibrationAxis *axis)
{
    if (!axis->known || axis->useless) {
        return 0.0;
    }
    return axis->high - axis->rest >= axis->rest - axis->low ? axis->high - axis->rest : axis->low - axis->rest;
}

/// The axis that went farthest; `other` receives the travel of the next one. Device -1: none.
static CalibrationFind find_farthest(const Calibration *self, double *other)
{
    CalibrationFind farthest = {.device = -1};
    double most = 0.0;
    *other = 0.0;
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES; number++) {
            double way = travel(&self->axes[i][number]);
            if (fabs(way) > most) {
                *other = most;
                most = fabs(way);
                const CalibrationAxis *axis = &self->axes[i][number];
                farthest = (CalibrationFind){true, i, number, axis->rest, axis->rest + way};
            } else {
                *other = fmax(*other, fabs(way));
            }
        }
    }
    return farthest;
}

/// The step at which the same way of the same axis was found before, or -1. A place has the whole axis.
static int find_taken(const Calibration *self, const CalibrationFind *find)
{
    bool whole = self->steps[self->step].kind == CALIBRATION_PLACE;
    for (int i = 0; i < self->step; i++) {
        const CalibrationFind *other = &self->finds[i];
        if (self->steps[i].kind == CALIBRATION_WAY && other->found && other->device == find->device &&
            other->index == find->index && (whole || (other->end - other->rest) * (find->end - find->rest) > 0.0)) {
            return i;
        }
    }
    return -1;
}

static CalibrationAnswer refuse(Calibration *self, CalibrationReason reason)
{
    self->reason = reason;
    begin_step(self);
    return CALIBRATION_REFUSED;
}

static CalibrationAnswer judge_way(Calibration *self, const CalibrationFind *find, double other)
{
    const char *device = self->devices[find->device].id;
    double way = 0.01 * round(100.0 * fabs(find->end - find->rest)); // as displayed
    int taken = find_taken(self, find);
    if (way < least_travel) {
        self->reason = CALIBRATION_SHORT;
        snprintf(self->text, sizeof(self->text),
                 "%s axis %d moved by %.2f, allowed is at least %g: move it all the way", device, find->index, way,
                 least_travel);
    } else if (other > alone_share * way) {
        self->reason = CALIBRATION_BOTH;
        snprintf(self->text, sizeof(self->text),
                 "%s axis %d moved by %.2f and another axis by %.2f, allowed is one at a time (the other below %.2f)",
                 device, find->index, way, other, alone_share * way);
    } else if (taken >= 0) {
        self->reason = CALIBRATION_USED;
        snprintf(self->text, sizeof(self->text),
                 "%s axis %d to %+.2f is %s already, allowed is one that does nothing yet, or Enter for none", device,
                 find->index, find->end, input_way_name(self->steps[taken].axis, self->steps[taken].sign));
    } else {
        snprintf(self->text, sizeof(self->text), "%s axis %d, from %+.2f to %+.2f", device, find->index, find->rest,
                 find->end);
        next_step(self, *find);
        return CALIBRATION_TAKEN;
    }
    begin_step(self);
    return CALIBRATION_REFUSED;
}

/// False for a while after a step began, in which levers swing over.
static bool has_settled(Calibration *self, double dt)
{
    if (self->still < settle_time) {
        self->still += dt;
        forget_travel(self);
        return false;
    }
    return true;
}

/// The first report of a device may be made up: an axis that was taken to rest where it does not stands elsewhere once
/// it has been touched, and stays there. Then that is its rest.
static CalibrationAnswer renew_rest(Calibration *self, const CalibrationFind *find)
{
    CalibrationAxis *axis = &self->axes[find->device][find->index];
    snprintf(self->text, sizeof(self->text),
             "%s axis %d stays at %+.2f and rested at %+.2f: it rests there now; once more",
             self->devices[find->device].id, find->index, axis->now, axis->rest);
    axis->rested = axis->anew == 0 ? axis->rest : axis->rested;
    axis->anew = axis->anew == 0 ? 1 : axis->anew;
    axis->rest = axis->now;
    return refuse(self, CALIBRATION_STAYS);
}

/// A lever that was held at its end for long was taken to rest there: when it is let go and pushed again, its way ends
/// where it had rested at first. That is its rest after all.
static bool was_held(Calibration *self, const CalibrationFind *find)
{
    CalibrationAxis *axis = &self->axes[find->device][find->index];
    bool half = fabs(find->end - find->rest) < half_way; // of a pedal that rests at one end, the other end counts
    if (axis->anew != 1 || !half || fabs(find->end - axis->rested) > touch_travel) {
        return false;
    }
    snprintf(self->text, sizeof(self->text), "%s axis %d rests at %+.2f after all: once more",
             self->devices[find->device].id, find->index, axis->rested);
    axis->rest = axis->rested;
    axis->anew = 2;
    return true;
}

static CalibrationAnswer watch_way(Calibration *self, const InputSample *sample, double dt)
{
    double other = 0.0;
    if (!has_settled(self, dt)) {
        return CALIBRATION_WAITS;
    }
    CalibrationFind find = find_farthest(self, &other);
    if (find.device < 0 || fabs(find.end - find.rest) < touch_travel || !sample->joystick[find.device].present) {
        return CALIBRATION_WAITS;
    }
    double now = sample->joystick[find.device].axis[find.index];
    if (fabs(now - find.rest) < released_share * fabs(find.end - find.rest)) {
        return was_held(self, &find) ? refuse(self, CALIBRATION_STAYS) : judge_way(self, &find, other);
    }
    return self->axes[find.device][find.index].stands > stand_time ? renew_rest(self, &find) : CALIBRATION_WAITS;
}

/// ---- the throttle --------------------------------------------------------------------------------------------------

/// The axis that was moved most in this step; device -1: none was moved far enough. `end` receives where it is now.
static CalibrationFind find_moved(const Calibration *self)
{
    CalibrationFind moved = {.device = -1};
    double most = least_travel;
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES; number++) {
            const CalibrationAxis *axis = &self->axes[i][number];
            if (axis->known && !axis->useless && axis->high - axis->low >= most) {
                most = axis->high - axis->low;
                moved = (CalibrationFind){true, i, number, axis->rest, axis->now};
            }
        }
    }
    return moved;
}

/// A wheel that was turned to an end of what it was turned through, and left there. The other end is on the same axis,
/// far away from the first.
static CalibrationAnswer watch_place(Calibration *self, double dt)
{
    if (!has_settled(self, dt)) {
        return CALIBRATION_WAITS;
    }
    CalibrationFind find = find_moved(self);
    const CalibrationFind *idle = self->steps[self->step].sign > 0 ? &self->finds[self->step - 1] : NULL;
    if (find.device < 0) {
        return CALIBRATION_WAITS;
    }
    const char *device = self->devices[find.device].id;
    const CalibrationAxis *axis = &self->axes[find.device][find.index];
    bool at_end = axis->now - axis->low < noise || axis->high - axis->now < noise;
    if (axis->stands < place_time || !at_end) {
        return CALIBRATION_WAITS;
    }
    int taken = find_taken(self, &find);
    if (taken >= 0) {
        snprintf(self->text, sizeof(self->text),
                 "%s axis %d is %s already, allowed is one that does nothing yet, or Enter for none", device,
                 find.index, input_way_name(self->steps[taken].axis, self->steps[taken].sign));
        return refuse(self, CALIBRATION_USED);
    }
    if (idle != NULL && (find.device != idle->device || find.index != idle->index)) {
        snprintf(self->text, sizeof(self->text), "%s axis %d was moved, allowed is %s axis %d, whose other end is idle",
                 device, find.index, self->devices[idle->device].id, idle->index);
        return refuse(self, CALIBRATION_OTHER);
    }
    if (idle != NULL && fabs(find.end - idle->end) < least_travel) {
        snprintf(self->text, sizeof(self->text),
                 "%s axis %d stands at %+.2f and idle is %+.2f, allowed is the other end", device, find.index, find.end,
                 idle->end);
        return refuse(self, CALIBRATION_SHORT);
    }
    snprintf(self->text, sizeof(self->text), "%s axis %d at %+.2f", device, find.index, find.end);
    next_step(self, find);
    return CALIBRATION_TAKEN;
}

static CalibrationAnswer judge_button(Calibration *self, const CalibrationFind *find)
{
    char name[32];
    control_joystick_name(&self->devices[find->device], true, find->index, name, (int)sizeof(name));
    for (int i = 0; i < self->step; i++) {
        const CalibrationFind *other = &self->finds[i];
        bool both_reverse = self->steps[self->step].kind == CALIBRATION_REVERSE &&
                            self->steps[i].kind == CALIBRATION_REVERSE; // one button may turn both pedals round
        bool button = self->steps[i].kind == CALIBRATION_REVERSE || self->steps[i].kind == CALIBRATION_BUTTON;
        if (button && !both_reverse && other->found && other->device == find->device && other->index == find->index) {
            self->reason = CALIBRATION_USED;
            snprintf(self->text, sizeof(self->text), "button %s is taken already, allowed is another one, or Enter",
                     name);
            return CALIBRATION_REFUSED;
        }
    }
    snprintf(self->text, sizeof(self->text), "button %s", name);
    next_step(self, *find);
    return CALIBRATION_TAKEN;
}

static CalibrationAnswer watch_button(Calibration *self, const InputSample *sample)
{
    for (int i = 0; i < self->device_count; i++) {
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
            if (self->sampled && sample->joystick[i].button[button] && !self->held[i][button]) {
                return judge_button(self, &(CalibrationFind){.found = true, .device = i, .index = button});
            }
        }
    }
    return CALIBRATION_WAITS;
}

/// Notes for how long an axis has stood where it is.
static void note_stand(CalibrationAxis *axis, double dt)
{
    bool stands = fabs(axis->now - axis->stood) < noise;
    axis->stands = stands ? axis->stands + dt : 0.0;
    axis->stood = stands ? axis->stood : axis->now;
}

static void sample_axes(Calibration *self, const InputSample *sample, double dt)
{
    for (int i = 0; i < self->device_count; i++) {
        for (int number = 0; number < CONTROLS_MAX_JOYSTICK_AXES && sample->joystick[i].present; number++) {
            CalibrationAxis *axis = &self->axes[i][number];
            double value = sample->joystick[i].axis[number];
            if (!isfinite(value)) {
                continue;
            }
            value = fmax(-1.0, fmin(1.0, value));
            if (!axis->known) { // its first report is where it rests
                *axis = (CalibrationAxis){.known = true, .rest = value, .low = value, .high = value};
            }
            axis->now = value;
            axis->low = fmin(axis->low, value);
            axis->high = fmax(axis->high, value);
            note_stand(axis, dt);
        }
    }
}

CalibrationAnswer calibration_watch(Calibration *self, const InputSample *sample, double dt)
{
    CalibrationAnswer answer = CALIBRATION_WAITS;
    if (calibration_is_done(self)) {
        return answer;
    }
    sample_axes(self, sample, fmax(dt, 0.0));
    switch (self->steps[self->step].kind) {
    case CALIBRATION_REST:
        answer = watch_rest(self, fmax(dt, 0.0));
        break;
    case CALIBRATION_WAY:
        answer = watch_way(self, sample, fmax(dt, 0.0));
        break;
    case CALIBRATION_PLACE:
        answer = watch_place(self, fmax(dt, 0.0));
        break;
    case CALIBRATION_REVERSE:
    case CALIBRATION_BUTTON:
        answer = watch_button(self, sample);
        break;
    }
    for (int i = 0; i < self->device_count; i++) {
        for (int button = 0; button < INPUT_JOYSTICK_BUTTONS; button++) {
            self->held[i][button] = sample->joystick[i].present && sample->joystick[i].button[button];
        }
    }
    self->sampled = true;
    return answer;
}

/// The pattern that the base map has; the first one where it has none of an excavator.
static const ControlPattern *find_pattern(const Calibration *self)
{
    const ControlPattern *pattern = control_pattern_named(self->base.pattern);
    return pattern != NULL ? pattern : control_pattern(0);
}

/// What the hands do for a way in the base map's pattern.
static const char *find_gesture(const Calibration *self, ControlAxis axis, int sign)
{
    static const char *const gestures[2][2][2] = {{{TEXT("left lever to the left"), TEXT("left lever to the right")},
                                                   {TEXT("left lever back"), TEXT("left lever forward")}},
                                                  {{TEXT("right lever to the left"), TEXT("right lever to the right")},
                                                   {TEXT("right lever back"), TEXT("right lever forward")}}};
    const ControlPattern *pattern = find_pattern(self);
    if (axis == CONTROL_TOOL_TILT || axis == CONTROL_TOOL_ROTATE) {
        return sign > 0 ? TEXT("thumb roller to the right") : TEXT("thumb roller to the left");
    }
    for (int lever = 0; lever < 2; lever++) {
        for (int way = 0; way < 2; way++) {
            if (pattern->ways[lever][way].axis == axis && !pattern->dozer) {
                return gestures[lever][way][pattern->ways[lever][way].sign * sign > 0];
            }
        }
    }
    return sign > 0 ? TEXT("pedal or lever forward") : TEXT("pedal or lever back");
}

static const char *action_label(const char *name)
{
    static const char *const labels[][2] = {{"throttle_up", TEXT("engine faster")},
                                            {"throttle_down", TEXT("engine slower")},
                                            {"gear_up", TEXT("next gear")},
                                            {"gear_down", TEXT("gear before")},
                                            {"reset", TEXT("start again")},
                                            {"camera", TEXT("camera")},
                                            {"pause", TEXT("pause")},
                                            {"menu", TEXT("menu")}};
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        if (strcmp(name, labels[i][0]) == 0) {
            return labels[i][1];
        }
    }
    return name;
}

static const char *switch_label(ControlAxis axis)
{
    switch (axis) {
    case CONTROL_IGNITION:
        return TEXT("key of the engine");
    case CONTROL_SAFETY_LEVER:
        return TEXT("safety lever");
    case CONTROL_TRAVEL_RANGE:
        return TEXT("travel range");
    case CONTROL_POWER_MODE:
        return TEXT("power mode");
    case CONTROL_AUTO_IDLE:
        return TEXT("auto-idle");
    case CONTROL_LIGHTS:
        return TEXT("work lights");
    case CONTROL_WIPER:
        return TEXT("wiper");
    case CONTROL_INSPECT:
        return TEXT("inspect, climb in and out");
    case CONTROL_COUPLER:
        return TEXT("coupler of the tool");
    default:
        return TEXT("horn");
    }
}

CalibrationQuestion calibration_question(const Calibration *self)
{
    const CalibrationStep *step = &self->steps[self->step];
    CalibrationQuestion question = {.kind = step->kind, .what = "", .gesture = ""};
    if (step->kind == CALIBRATION_WAY) {
        question.what = input_way_name(step->axis, step->sign);
        question.gesture = find_gesture(self, step->axis, step->sign);
    } else if (step->kind == CALIBRATION_PLACE) {
        question.what = input_way_name(step->axis, step->sign);
        question.gesture =
            step->sign < 0 ? TEXT("throttle wheel or slider to idle") : TEXT("throttle wheel or slider to full");
    } else if (step->kind == CALIBRATION_REVERSE) {
        question.what = input_way_name(step->axis, -1);
    } else if (step->kind == CALIBRATION_BUTTON) {
        question.what =
            step->action < 0 ? switch_label(step->axis) : action_label(self->base.actions[step->action].name);
    }
    return question;
}

void calibration_prompt(const Calibration *self, char *text, int size)
{
    if (calibration_is_done(self)) {
        snprintf(text, (size_t)size, "done");
        return;
    }
    CalibrationQuestion question = calibration_question(self);
    switch (question.kind) {
    case CALIBRATION_REST:
        snprintf(text, (size_t)size, "Let go of all levers and pedals");
        break;
    case CALIBRATION_WAY:
        snprintf(text, (size_t)size, "%s: %s, all the way, and let it go", question.what, question.gesture);
        break;
    case CALIBRATION_PLACE:
        snprintf(text, (size_t)size, "%s: %s, and leave it there", question.what, question.gesture);
        break;
    case CALIBRATION_REVERSE:
        snprintf(text, (size_t)size, "%s: the button that turns the lever round while it is held", question.what);
        break;
    case CALIBRATION_BUTTON:
        snprintf(text, (size_t)size, "%s: press its button", question.what);
        break;
    }
}

/// ---- the control map that comes of it ------------------------------------------------------------------------------

/// Share of the travel that counts as all of it: no hand finds the very end each time.
static const double full_share = 0.97;

static bool is_used(const Calibration *self, int device)
{
    for (int i = 0; i < self->step_count; i++) {
        if (self->steps[i].kind != CALIBRATION_REST && self->finds[i].found && self->finds[i].device == device) {
            return true;
        }
    }
    return false;
}

/// The device that moves a lever, or -1.
static int find_mover(const Calibration *self, ControlAxis axis)
{
    for (int i = 0; i < self->step_count; i++) {
        if (self->steps[i].kind == CALIBRATION_WAY && self->steps[i].axis == axis && self->finds[i].found) {
            return self->finds[i].device;
        }
    }
    return -1;
}

/// What a driver calls the device: by the levers it moves.
static void name_device(const Calibration *self, int device, char *id, int size)
{
    const ControlPattern *pattern = find_pattern(self);
    bool left = find_mover(self, pattern->ways[0][0].axis) == device;
    bool right = find_mover(self, pattern->ways[1][0].axis) == device;
    bool feet = find_mover(self, CONTROL_LEFT_TRACK) == device;
    if (left && !right) {
        snprintf(id, (size_t)size, "left");
    } else if (right && !left) {
        snprintf(id, (size_t)size, "right");
    } else if (feet && !left) {
        snprintf(id, (size_t)size, "pedals");
    } else {
        snprintf(id, (size_t)size, "dev%d", (device + 1) % 10);
    }
}

/// How equal devices are distinguished.
typedef enum Mark { MARK_NONE, MARK_SERIAL, MARK_PORT } Mark;

static const char *mark_of(const ControlDevice *device, Mark mark)
{
    return mark == MARK_SERIAL ? device->serial : device->port;
}

/// True when a mark tells a device from all that look like it. Makers of cheap devices give all the same number.
static bool tells_apart(const Calibration *self, int device, Mark mark)
{
    const ControlDevice *own = &self->devices[device];
    for (int k = 0; k < self->device_count; k++) {
        const ControlDevice *other = &self->devices[k];
        if (k != device && control_devices_alike(own, other) && strcmp(mark_of(own, mark), mark_of(other, mark)) == 0) {
            return false;
        }
    }
    return mark_of(own, mark)[0] != '\0';
}

/// What tells a device from those that look like it: the serial number where each has its own, which goes with the
/// device into any socket; else the socket; else nothing but their order. A device without its like needs no mark.
static Mark choose_mark(const Calibration *self, int device)
{
    bool alone = true, serials = true, ports = true;
    for (int k = 0; k < self->device_count; k++) {
        if (control_devices_alike(&self->devices[device], &self->devices[k])) {
            alone = alone && k == device;
            serials = serials && tells_apart(self, k, MARK_SERIAL);
            ports = ports && tells_apart(self, k, MARK_PORT);
        }
    }
    return alone ? MARK_NONE : serials ? MARK_SERIAL : ports ? MARK_PORT : MARK_NONE;
}

/// True when a device goes into the map: it is used, or only its place in the list tells it from one that is.
static bool is_kept(const Calibration *self, int device)
{
    bool kept = is_used(self, device);
    for (int k = 0; k < self->device_count && choose_mark(self, device) == MARK_NONE; k++) {
        kept = kept || (is_used(self, k) && control_devices_alike(&self->devices[device], &self->devices[k]));
    }
    return kept;
}

/// `number` receives where each device went, -1: nowhere.
static void copy_devices(const Calibration *self, ControlsParams *params, int number[CONTROLS_MAX_DEVICES])
{
    params->device_count = 0;
    for (int i = 0; i < self->device_count; i++) {
        number[i] = is_kept(self, i) ? params->device_count : -1;
        if (number[i] >= 0) {
            ControlDevice *device = &params->devices[params->device_count++];
            Mark mark = choose_mark(self, i);
            *device = self->devices[i];
            name_device(self, i, device->id, (int)sizeof(device->id));
            if (mark != MARK_SERIAL) {
                device->serial[0] = '\0';
            }
            if (mark != MARK_PORT) {
                device->port[0] = '\0';
            }
        }
    }
}

/// Room for one more binding; NULL when the map is full.
static ControlBinding *add_binding(ControlsParams *params, ControlSource source, ControlAxis axis, double scale)
{
    if (params->binding_count == CONTROLS_MAX_BINDINGS) {
        return NULL;
    }
    ControlBinding *binding = &params->bindings[params->binding_count++];
    *binding = (ControlBinding){.source = source, .axis = axis, .scale = scale};
    return binding;
}

/// One side of an axis as a binding; `way` is +1 or -1, where the lever goes.
static ControlBinding *bind_side(ControlsParams *params, const int *number, ControlAxis axis, int way,
                                 const CalibrationFind *find)
{
    bool upwards = find->end > find->rest;
    ControlBinding *binding = add_binding(params, CONTROL_SOURCE_JOYSTICK_AXIS, axis, upwards ? way : -way);
    if (binding) {
        double end = find->rest + full_share * (find->end - find->rest);
        binding->rest = find->rest;
        binding->low = upwards ? find->rest : end;
        binding->high = upwards ? end : find->rest;
        control_joystick_name(&params->devices[number[find->device]], false, find->index, binding->input,
                              (int)sizeof(binding->input));
    }
    return binding;
}

static bool is_one_axis(const CalibrationFind *plus, const CalibrationFind *minus)
{
    return plus->found && minus->found && plus->device == minus->device && plus->index == minus->index;
}

/// Both ways of the lever that step `first` asks for, and what turns it round.
static void bind_lever(const Calibration *self, ControlsParams *params, const int *number, int first)
{
    const CalibrationFind *plus = &self->finds[first], *minus = &self->finds[first + 1],
                          *turn = &self->finds[first + 2];
    ControlAxis axis = self->steps[first].axis;
    if (!plus->found) {
        return;
    }
    ControlBinding *binding = bind_side(params, number, axis, 1, plus);
    if (binding && is_one_axis(plus, minus)) {
        double end = minus->rest + full_share * (minus->end - minus->rest);
        binding->low = fmin(binding->low, end);
        binding->high = fmax(binding->high, end);
    } else if (minus->found) {
        bind_side(params, number, axis, -1, minus);
    } else if (turn->found) {
        binding = bind_side(params, number, axis, -1, plus);
        if (binding) {
            control_joystick_name(&params->devices[number[turn->device]], true, turn->index, binding->modifier,
                                  (int)sizeof(binding->modifier));
        }
    }
}

/// The throttle's wheel: even from one end to the other, and all the way without the very ends.
static void bind_throttle(const Calibration *self, ControlsParams *params, const int *number, int idle)
{
    const CalibrationFind *low = &self->finds[idle], *high = &self->finds[idle + 1];
    if (!low->found || !high->found) {
        return;
    }
    ControlBinding *binding =
        add_binding(params, CONTROL_SOURCE_JOYSTICK_AXIS, CONTROL_THROTTLE, high->end > low->end ? 1.0 : -1.0);
    if (binding) {
        double half = full_share * 0.5 * fabs(high->end - low->end);
        binding->rest = 0.5 * (low->end + high->end);
        binding->low = binding->rest - half;
        binding->high = binding->rest + half;
        control_joystick_name(&params->devices[number[low->device]], false, low->index, binding->input,
                              (int)sizeof(binding->input));
        params->curves[CONTROL_THROTTLE].dead_zone = 0.0;
        params->curves[CONTROL_THROTTLE].exponent = 1.0;
    }
}

static void bind_button(const Calibration *self, ControlsParams *params, const int *number, int at)
{
    const CalibrationFind *find = &self->finds[at];
    if (!find->found) {
        return;
    }
    char name[sizeof(params->bindings[0].input)];
    control_joystick_name(&params->devices[number[find->device]], true, find->index, name, (int)sizeof(name));
    if (self->steps[at].action >= 0) {
        memcpy(params->actions[self->steps[at].action].joystick, name, sizeof(name));
        return;
    }
    ControlBinding *binding = add_binding(params, CONTROL_SOURCE_JOYSTICK_BUTTON, self->steps[at].axis, 1.0);
    if (binding) {
        memcpy(binding->input, name, sizeof(name));
    }
}

/// What the base map binds to keys and pads stays; its own joysticks go.
static void copy_base(const ControlsParams *base, ControlsParams *params)
{
    *params = *base;
    params->binding_count = 0;
    snprintf(params->title, sizeof(params->title), "Calibrated joysticks, %s pattern", base->pattern);
    for (int i = 0; i < base->binding_count; i++) {
        const ControlBinding *binding = &base->bindings[i];
        bool own = binding->source == CONTROL_SOURCE_JOYSTICK_AXIS ||
                   binding->source == CONTROL_SOURCE_JOYSTICK_BUTTON || strchr(binding->modifier, ':') != NULL;
        if (!own) {
            params->bindings[params->binding_count++] = *binding;
        }
    }
    for (int i = 0; i < params->action_count; i++) {
        params->actions[i].joystick[0] = '\0';
    }
}

bool calibration_result(const Calibration *self, ControlsParams *params, Status *status)
{
    int number[CONTROLS_MAX_DEVICES];
    bool any = false;
    copy_base(&self->base, params);
    copy_devices(self, params, number);
    for (int i = 0; i < self->step_count; i++) {
        const CalibrationStep *step = &self->steps[i];
        any = any || (step->kind == CALIBRATION_WAY && self->finds[i].found);
        if (step->kind == CALIBRATION_PLACE && step->sign < 0) {
            bind_throttle(self, params, number, i);
        } else if (step->kind == CALIBRATION_WAY && step->sign > 0) {
            bind_lever(self, params, number, i);
        } else if (step->kind == CALIBRATION_BUTTON) {
            bind_button(self, params, number, i);
        }
    }
    return any || status_fail(status, STATUS_BAD_USAGE, "calibrate: no lever was moved, there is nothing to write");
}
