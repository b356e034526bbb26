/// The actions of the tracks: straight to a place, and on the spot to a heading. And what a dozer's blade is held at.
#include "data/core/elementary.h"
#include "data/schema/dozer_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define LOOKS_ALONG  0.06 ///< rad off the way at which turning on the spot ends and driving begins
#define STRAYED      0.5 ///< rad off the way at which it turns on the spot again
#define BACKS_OUT    0.3 ///< rad off the way up to which it backs out in a curve: a blade in a heap lets nothing turn
#define AIM_AHEAD    1.5 ///< m on which an offset from the way is taken out
#define STEER_GAIN   1.2 ///< share of the lever for a radian
#define STEER_MOST   0.35
#define TURN_GAIN    1.6 ///< share of the lever for a radian that is still to be turned
#define TURN_LEAST   0.16 ///< share of the lever with which any machine still turns
#define DRIVE_LEAST  0.10 ///< the same with which it still drives
#define SLOW_GAIN    0.55 ///< 1/s: m/s for a metre that is still to be driven
#define LEVER_RATE   0.8 ///< 1/s of the track levers: chosen, so that the bucket does not swing
#define STOPPED      0.04 ///< m/s
#define STOPPED_TURN 0.02 ///< rad/s
#define BRAKES_IN    0.12 ///< s that the tracks run on after the levers are let go
#define BLADE_GAIN   8.0 ///< share of the lever for a metre
#define BLADE_NEAR   0.03 ///< m at which the blade is where it is to be
#define BLADE_STILL  0.01 ///< m
#define ANGLE_GAIN   4.0 ///< share of the lever for a radian
#define ANGLE_NEAR   0.03 ///< rad
#define ANGLE_STILL  0.01 ///< rad

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void set_tracks(double left, double right, OperatorControls *controls)
{
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(left);
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(right);
}

/// Levers against each other by what is still to be turned, to the left positive.
static void turn_by(double missing, double speed, OperatorControls *controls)
{
    double lever = copysign(clamp(TURN_GAIN * fabs(missing), TURN_LEAST, speed), missing);
    set_tracks(-lever, lever, controls);
}

bool expert_turn_to(Expert *expert, const ExpertView *view, const ExpertTurn *turn, bool begins,
                    OperatorControls *controls)
{
    ExpertDrive *drive = &expert->drive;
    if (begins) {
        *drive = (ExpertDrive){.heading = view->yaw};
    }
    double missing = remainder(turn->heading - view->yaw, 2.0 * M_PI);
    double rate = remainder(view->yaw - drive->heading, 2.0 * M_PI) / view->dt;
    drive->heading = view->yaw;
    double tolerance = view->ease * turn->tolerance;
    bool there = fabs(missing - 0.5 * BRAKES_IN * rate) < 0.5 * tolerance;
    drive->braking = there || (drive->braking && fabs(missing) < tolerance);
    if (!drive->braking) {
        turn_by(missing, turn->speed, controls);
    }
    return drive->braking && fabs(rate) < STOPPED_TURN;
}

/// m/s of the tracks with the levers at their ends.
static double top_speed(const Expert *expert)
{
    const MachineParams *machine = &expert->pilot.machine;
    return machine->travel == MACHINE_TRAVEL_POWERTRAIN ? machine->powertrain.forward[MACHINE_GEARS - 1]
                                                        : machine->tracks.max_speed;
}

/// Along the line from where it began; `left` m are left, `aside` m it is to the left of it.
static void drive_on(Expert *expert, const ExpertView *view, const ExpertTravel *travel, double left, double aside,
                     OperatorControls *controls)
{
    ExpertDrive *drive = &expert->drive;
    double sense = travel->reverse ? -1.0 : 1.0;
    double most = clamp(SLOW_GAIN * left / top_speed(expert), DRIVE_LEAST, travel->speed);
    drive->lever = fmin(drive->lever + LEVER_RATE * view->dt, most);
    double nose = drive->heading + (travel->reverse ? M_PI : 0.0) - same_atan(aside / AIM_AHEAD);
    double steer = clamp(STEER_GAIN * remainder(nose - view->yaw, 2.0 * M_PI), -STEER_MOST, STEER_MOST) *
                   fmin(1.0, drive->lever / 0.3);
    set_tracks(sense * drive->lever - steer, sense * drive->lever + steer, controls);
}

bool expert_travel_to(Expert *expert, const ExpertView *view, const ExpertTravel *travel, bool begins,
                      OperatorControls *controls)
{
    ExpertDrive *drive = &expert->drive;
    double dx = travel->x - view->base.x, dy = travel->y - view->base.y;
    if (begins) {
        *drive = (ExpertDrive){.heading = same_atan2(dy, dx)};
        double off = remainder(drive->heading + M_PI - view->yaw, 2.0 * M_PI);
        bool backs_out = travel->reverse && expert->params.machine == MACHINE_DOZER && fabs(off) < BACKS_OUT;
        drive->turned = backs_out || sqrt(dx * dx + dy * dy) < travel->tolerance;
    }
    double c = same_cos(drive->heading), s = same_sin(drive->heading), left = dx * c + dy * s, aside = dx * s - dy * c;
    double speed = view->machine->speed_over_ground * (travel->reverse ? -1.0 : 1.0);
    if (left < 0.3 * view->ease * travel->tolerance + BRAKES_IN * speed || drive->braking) {
        drive->braking = true;
        return fabs(speed) < STOPPED;
    }
    double missing = remainder(drive->heading + (travel->reverse ? M_PI : 0.0) - view->yaw, 2.0 * M_PI);
    if (!drive->turned || fabs(missing) > STRAYED) {
        drive->turned = fabs(missing) < view->ease * LOOKS_ALONG;
        drive->heading = same_atan2(dy, dx); // turning has moved it a little
        drive->lever = 0.0;
        turn_by(missing, 1.0, controls);
        return false;
    }
    drive_on(expert, view, travel, left, aside, controls);
    return false;
}

/// Moves one of the dozer's functions towards where it is held. True when it is there, or nobody holds it.
static bool hold_angle(const ExpertView *view, int joint, ControlAxis axis, double wanted, OperatorControls *controls)
{
    if (!expert_gives(wanted)) {
        return true;
    }
    double missing = wanted - view->machine->angle[joint];
    if (controls != NULL && fabs(missing) > ANGLE_STILL) {
        double share = clamp(ANGLE_GAIN * missing, -1.0, 1.0);
        controls->axis[axis] = control_quantise(share + copysign(0.05, share));
    }
    return fabs(missing) < ANGLE_NEAR;
}

static bool hold_height(const Expert *expert, const ExpertView *view, OperatorControls *controls)
{
    if (!expert_gives(expert->hold.height)) {
        return true;
    }
    double missing = expert->hold.height - (view->machine->tip_height + view->tip.z - view->machine->tip.z);
    if (controls != NULL && fabs(missing) > BLADE_STILL) {
        double share = clamp(BLADE_GAIN * missing, -1.0, 1.0);
        controls->axis[CONTROL_BLADE] = control_quantise(share + copysign(0.05, share));
    }
    return fabs(missing) < BLADE_NEAR;
}

void expert_hold_blade(const Expert *expert, const ExpertView *view, OperatorControls *controls)
{
    const ExpertHold *hold = &expert->hold;
    hold_height(expert, view, controls);
    hold_angle(view, DOZER_JOINT_ANGLE, CONTROL_BLADE_ANGLE, hold->angle, controls);
    hold_angle(view, DOZER_JOINT_TILT, CONTROL_BLADE_TILT, hold->tilt, controls);
    hold_angle(view, DOZER_JOINT_RIPPER, CONTROL_RIPPER, hold->ripper, controls);
}

bool expert_blade(Expert *expert, const ExpertView *view, const ExpertBlade *blade, OperatorControls *controls)
{
    ExpertHold *hold = &expert->hold;
    hold->height = expert_gives(blade->height) ? blade->height : hold->height;
    hold->angle = expert_gives(blade->angle) ? blade->angle : hold->angle;
    hold->tilt = expert_gives(blade->tilt) ? blade->tilt : hold->tilt;
    hold->ripper = expert_gives(blade->ripper) ? blade->ripper : hold->ripper;
    (void)controls; // moved with all that is held
    return hold_height(expert, view, NULL) &&
           hold_angle(view, DOZER_JOINT_ANGLE, CONTROL_BLADE_ANGLE, hold->angle, NULL) &&
           hold_angle(view, DOZER_JOINT_TILT, CONTROL_BLADE_TILT, hold->tilt, NULL) &&
           hold_angle(view, DOZER_JOINT_RIPPER, CONTROL_RIPPER, hold->ripper, NULL);
}
