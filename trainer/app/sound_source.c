/// From gauges to what is heard: loads, flows, slip and falling soil of the session as the numbers that sound.h takes.
#include "trainer/app/sound_source.h"
#include "data/core/constants.h"

#include <math.h>

#define STANDBY       2.5e6 ///< Pa: the pump while no lever is moved
#define RELIEF_BEGINS 0.96 ///< share of its pressure at which a relief valve cracks open
#define STANDSTILL    0.02 ///< rad/s of a joint that its cylinder does not move
#define FALL_SPEED    1.5 ///< m/s down, and past the tool: soil that falls
#define OPEN_SPOOL    0.02
#define ALARM_SPEED   0.03 ///< m/s of a belt
#define SMALL_ENGINE  100e3 ///< W: engines below it usually have four cylinders, others six

static double clamp01(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/// Torque asked of the engine, as a share of what it has at its rated speed.
static double engine_load(const MachineEngine *engine, double power, double speed)
{
    return speed > 1.0 ? power / speed * engine->rated_speed / engine->power : 0.0;
}

/// How far open the relief valve of a function is, 0..1. A cylinder on its end stop stands at relief, too, though its
/// rod carries no such force.
static double relief_opening(const MachineParams *params, const MachineReadout *readout, int joint, double limit)
{
    bool stands = fabs(readout->speed[joint]) < STANDSTILL && joint != params->swing_joint;
    return (readout->relief & MACHINE_RELIEF_JOINT(joint)) != 0 && stands
               ? 1.0
               : clamp01((readout->pressure[joint] / limit - RELIEF_BEGINS) / (1.0 - RELIEF_BEGINS));
}

/// Pressure and flow of the pump, and what goes over a relief valve: of functions whose spools are open.
static void read_hydraulics(const MachineParams *params, const MachineState *state, const MachineReadout *readout,
                            SoundInput *input)
{
    double pressure = STANDBY, relief = 0.0, asked = 0.0;
    for (int k = 0; k < params->joint_count; k++) {
        double opening = fabs(state->spool[k]), limit = machine_joint_relief(params, k);
        asked += opening;
        if (opening > OPEN_SPOOL) {
            double over = relief_opening(params, readout, k, limit);
            pressure = fmax(pressure, over > 0.0 ? limit : readout->pressure[k]);
            relief += opening * over;
        }
    }
    for (int side = 0; side < 2 && params->travel == MACHINE_TRAVEL_MOTORS; side++) {
        if (fabs(state->track_spool[side]) > OPEN_SPOOL) {
            double pull = fabs(state->track_force[side]) / (0.5 * params->tracks.drawbar);
            pressure = fmax(pressure, fmin(pull, 1.0) * params->tracks.relief);
        }
    }
    double power = readout->pump_power * params->hydraulics.efficiency; // pump_power is taken from the engine
    input->pump_pressure = pressure;
    input->pump_flow = params->travel == MACHINE_TRAVEL_POWERTRAIN
                           ? clamp01(asked) // its power is the converter's, too
                           : clamp01(power / pressure / (params->hydraulics.pump_count * params->hydraulics.pump_flow));
    input->relief_flow = clamp01(relief);
    input->swing_speed = params->swing_joint >= 0 ? readout->speed[params->swing_joint] : 0.0;
}

/// The alarm beeps while a machine on travel motors moves, and while one with gears backs up.
static void read_tracks(const MachineParams *params, const MachineState *state, const MachineReadout *readout,
                        SoundInput *input)
{
    for (int side = 0; side < 2; side++) {
        double belt = state->track_speed[side];
        input->belt_speed[side] = belt;
        input->slip_speed[side] = readout->slip[side] * belt;
        bool warns = params->travel == MACHINE_TRAVEL_MOTORS || state->gear < 0;
        input->travel_alarm |= warns && fabs(state->track_spool[side]) > OPEN_SPOOL && fabs(belt) > ALARM_SPEED;
    }
}

/// The soil's force without the weight of what is carried, and the speed of the cutting edge.
static void read_tool(const SessionFrame *frame, SoundInput *input)
{
    Vec3 force = frame->tool_wrench.force;
    force.z += STANDARD_GRAVITY * frame->payload;
    Vec3 arm = vec3_sub(frame->machine.tip, frame->tool.center);
    input->tool_force = vec3_length(force);
    input->tool_speed = vec3_length(vec3_add(frame->tool.velocity, vec3_cross(frame->tool.spin, arm)));
}

static double falling_mass(Session *session)
{
    SoilParticleView view = soil_get_particles(session_soil(session));
    double slowest = fmin(0.0, session_frame(session)->tool.velocity.z) - FALL_SPEED, mass = 0.0;
    for (int i = 0; i < view.count; i++) {
        mass += view.vz[i] < slowest ? (double)view.mass[i] : 0.0;
    }
    return mass * SOIL_QUANTUM;
}

SoundInput sound_source_read(Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const MachineParams *params = session_machine_params(session);
    const MachineState *state = session_machine_state(session);
    const MachineReadout *readout = &frame->machine;
    SoundInput input = sound_input_default();
    input.volume = 1.0;
    input.engine_speed = readout->engine_speed;
    input.rated_speed = params->engine.rated_speed;
    input.cylinders = params->engine.power < SMALL_ENGINE ? 4 : 6;
    input.engine_load = engine_load(&params->engine, readout->pump_power, readout->engine_speed);
    read_hydraulics(params, state, readout, &input);
    read_tracks(params, state, readout, &input);
    read_tool(frame, &input);
    input.falling = falling_mass(session);
    input.horn = control_value(&frame->controls, CONTROL_HORN) > 0.5;
    input.warning = (readout->limits & MACHINE_LIMIT_BIT(MACHINE_LIMIT_TIP)) != 0;
    return input;
}

/// rad, + left: where a place (m, the cab body's frame) is for who sits in the cab.
static double bearing_of(const MachineParams *params, Vec3 place, double head)
{
    double ahead = place.x - params->cab.eye[0], left = place.y - params->cab.eye[1];
    return atan2(left, ahead) - head;
}

void sound_source_hear(Session *session, double head, SoundInput *input)
{
    const MachineParams *params = session_machine_params(session);
    const Machine *machine = session_machine(session);
    const MachineState *state = session_machine_state(session);
    Pose cab, base;
    machine_get_body_frame(machine, state, params->cab_body, &cab);
    machine_get_body_frame(machine, state, MACHINE_BASE, &base);
    double front = params->cab.corner[0] + params->cab.size[0];
    bool behind = params->travel == MACHINE_TRAVEL_MOTORS;
    Vec3 engine = vec3(behind ? -0.7 * params->tail_radius : front + 0.8, 0.0, 0.0);
    Vec3 pumps = vec3(engine.x, behind ? -0.35 * params->upper_width : 0.0, 0.0);
    input->bearing[SOUND_AT_ENGINE] = bearing_of(params, engine, head);
    input->bearing[SOUND_AT_PUMPS] = bearing_of(params, pumps, head);
    for (int side = 0; side < 2; side++) {
        Vec3 track = vec3(0.0, (side == 0 ? 0.5 : -0.5) * params->tracks.gauge, 0.0);
        Vec3 seen = pose_apply_inverse(&cab, pose_apply(&base, track));
        input->bearing[SOUND_AT_LEFT_TRACK + side] = bearing_of(params, seen, head);
    }
    Vec3 tip = pose_apply_inverse(&cab, session_frame(session)->machine.tip);
    input->bearing[SOUND_AT_TOOL] = bearing_of(params, tip, head);
    input->bearing[SOUND_AT_SIGNALS] = 0.0;
}
