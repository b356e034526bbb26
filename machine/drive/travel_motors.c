/// Travel motors, one a track: from the pumps' flow to the speeds and forces of the belts.
///
/// A motor turns as fast as its oil comes in. Its counterbalance valve lets oil out only while oil comes in under
/// pressure. When the machine outruns its flow (the lever is let go, the ground falls), the pressure of the inlet
/// falls, the valve closes, and what leaves the motor is throttled: it brakes with what the relief valves between its
/// ports hold. Restrictors in the valve's pilot chambers let it open at once and close slowly, so that the machine
/// slows down evenly instead of stopping short. While it closes, the motor sucks oil through its make-up valve and
/// runs free: the machine may slow down by itself, as it does uphill. (Workshop manuals of crawler excavators describe
/// this circuit, e.g. TM 5-3805-281-24, "Propel motor"; docs/machine-model.md, "Travel".)
///
/// Two speeds are state, both of the belt and signed: `track_flow`, which the pumps' oil gives, and `track_hold`,
/// beyond which the counterbalance valve brakes. The belt runs free between them.
#include "machine/drive/drive.h"

#include <math.h>

#include "data/core/constants.h"

// m/s: slower is standstill. Chosen.
#define STANDSTILL 1e-6

double travel_motors_demand(const MachineState *state, int side, double demand)
{
    return state->track_hold[side] * demand < 0.0 ? 0.0 : demand;
}

// The pumps' oil after the valve. A pump swivels out late and in with its valve.
static double next_flow(const MachineTracks *tracks, double flow, double target, double dt)
{
    double time = fabs(target) > fabs(flow) ? tracks->flow_time : HYDRAULIC_FLOW_LAG;
    double next = flow + (target - flow) * dt / (time + dt);
    return target == 0.0 && fabs(next) < STANDSTILL ? 0.0 : next;
}

// The counterbalance valve opens with the flow and closes from full speed to standstill in stop_time.
static double next_hold(const MachineTracks *tracks, double hold, double flow, double dt)
{
    if (hold * flow >= 0.0 && fabs(flow) >= fabs(hold)) {
        return flow;
    }
    double least = hold * flow > 0.0 ? fabs(flow) : 0.0;
    return copysign(fmax(least, fabs(hold) - dt * tracks->max_speed / tracks->stop_time), hold);
}

TrackDrive travel_motors_drive(const MachineParams *params, const double speed[2], double mass, double share, double dt,
                               MachineState *state)
{
    const MachineTracks *tracks = &params->tracks;
    // The published drawbar is the force of the motors less the resistance of the tracks.
    double most = 0.5 * (tracks->drawbar + tracks->rolling_resistance * mass * STANDARD_GRAVITY);
    TrackDrive drive;
    for (int side = 0; side < 2; side++) {
        double flow = next_flow(tracks, state->track_flow[side], speed[side], dt);
        double hold = next_hold(tracks, state->track_hold[side], flow, dt);
        state->track_flow[side] = flow;
        state->track_hold[side] = hold;
        drive.belt[side] = (BeltDrive){.least = fmin(flow, hold),
                                       .most = fmax(flow, hold),
                                       .ahead = most * (state->track_spool[side] > 0.0 ? share : 1.0),
                                       .back = most * (state->track_spool[side] < 0.0 ? share : 1.0)};
    }
    return drive;
}
