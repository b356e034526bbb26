/// Movements and measures that the expert's actions for both machines share: drives along a line, turns on the spot,
/// and divides a field into lanes.
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#include "data/core/elementary.h"

/// ---- tracks --------------------------------------------------------------------------------------------------------

#define TURNED_ALONG      0.06 ///< rad off the way at which turning on the spot ends and driving begins
#define STRAYED           0.5 ///< rad off the way at which it turns on the spot again
#define BACKS_OUT         0.3 ///< rad off the way up to which it backs out in a curve: in a heap no blade turns
#define TRAVEL_AIM_AHEAD  1.5 ///< m on which an offset from the way is taken out
#define TRAVEL_STEER_GAIN 1.2 ///< share of the lever for a radian
#define TRAVEL_STEER_MOST 0.35
#define TURN_GAIN         1.6 ///< share of the lever for a radian that is still to be turned
#define TURN_LEAST        0.16 ///< share of the lever with which any machine still turns
#define DRIVE_LEAST       0.10 ///< the same with which it still drives
#define SLOW_GAIN         0.55 ///< 1/s: m/s for a metre that is still to be driven
#define LEVER_RATE        0.8 ///< 1/s of the track levers: chosen, so that the bucket does not swing
#define STOPPED           0.04 ///< m/s
#define STOPPED_TURN      0.02 ///< rad/s
#define BRAKES_IN         0.12 ///< s that the tracks run on after the levers are let go

static void set_tracks(double left, double right, OperatorControls *controls)
{
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(left);
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(right);
}

/// Levers against each other by what is still to be turned, to the left positive.
static void turn_by(double missing, double speed, OperatorControls *controls)
{
    double lever = copysign(pilot_clamp(TURN_GAIN * fabs(missing), TURN_LEAST, speed), missing);
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
    double most = pilot_clamp(SLOW_GAIN * left / top_speed(expert), DRIVE_LEAST, travel->speed);
    drive->lever = fmin(drive->lever + LEVER_RATE * view->dt, most);
    double nose = drive->heading + (travel->reverse ? M_PI : 0.0) - same_atan(aside / TRAVEL_AIM_AHEAD);
    double steer = pilot_clamp(TRAVEL_STEER_GAIN * remainder(nose - view->yaw, 2.0 * M_PI), -TRAVEL_STEER_MOST,
                               TRAVEL_STEER_MOST) *
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
        drive->turned = fabs(missing) < view->ease * TURNED_ALONG;
        drive->heading = same_atan2(dy, dx); // turning has moved it a little
        drive->lever = 0.0;
        turn_by(missing, 1.0, controls);
        return false;
    }
    drive_on(expert, view, travel, left, aside, controls);
    return false;
}

/// ---- lanes of a field ----------------------------------------------------------------------------------------------

#define OVERLAP 0.85 ///< of the edge's width between two lanes

double expert_lane_offset(const ExpertField *field, double edge, int lanes, int lane)
{
    double room = fmax(field->width - edge, 0.0);
    return lanes < 2 ? 0.0 : room * ((double)lane / (lanes - 1) - 0.5);
}

int expert_lane_count(const ExpertField *field, double edge)
{
    return field->width > edge ? 1 + (int)ceil((field->width - edge) / (OVERLAP * edge)) : 1;
}

Vec3 expert_lane_point(const ExpertField *field, double along, double aside, double height)
{
    double c = same_cos(field->heading), s = same_sin(field->heading);
    return vec3(field->x + along * c - aside * s, field->y + along * s + aside * c, height);
}

double expert_lane_mean(const ExpertView *view, const ExpertField *field, double along, double aside, double edge)
{
    enum { LINES = 5 };
    double mean = 0.0;
    for (int n = 0; n < LINES; n++) {
        Vec3 place = expert_lane_point(field, along, aside + 0.8 * edge * ((double)n / (LINES - 1) - 0.5), 0.0);
        mean += view->arm.height(view->arm.context, place.x, place.y) / LINES;
    }
    return mean;
}
