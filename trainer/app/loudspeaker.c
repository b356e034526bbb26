/// Converts a session to sound levels and plays them. Snapshots pass to SDL's audio thread through three slots swapped
/// by one atomic index, so neither thread waits for the other.
#include "trainer/app/loudspeaker.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/constants.h"

/// ---- sounds of a session -------------------------------------------------------------------------------------------

/// Converts loads, flows, slip and falling soil of a session to the inputs of sound.h.

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

/// Pump pressure, pump flow and relief flow of the functions whose spools are open.
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

/// rad, + left: bearing of a place (m, the cab body's frame) from the operator's seat.
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

/// ---- loudspeaker ---------------------------------------------------------------------------------------------------

enum {
    RATE = 48000, ///< samples a second; SDL converts where a device wants another
    PIECE = 1024, ///< samples a call, 21 ms
    PATIENCE = 3 * RATE, ///< samples without an update after which the session counts as over or hanging
    FRESH = 4 ///< flag on the index of a snapshot that was not played yet
};

/// Three snapshots: the writer fills one, the reader plays another, and they swap with the one between.
struct Loudspeaker {
    double volume;
    bool silent; ///< by the person
    bool told; ///< that there is no output
    bool initialised; ///< SDL's audio
    SDL_AudioDeviceID device;
    SoundInput snapshot[3];
    int writing; ///< main thread
    atomic_int between;
    int reading; ///< SDL's thread
    int waited; ///< SDL's thread: samples since the last fresh snapshot
    Sound *sound; ///< SDL's thread, while the device plays
};

/// SDL's thread.
static void fill_audio(void *context, Uint8 *bytes, int size)
{
    Loudspeaker *own = context;
    int count = size / (int)(2 * sizeof(float));
    if ((atomic_load_explicit(&own->between, memory_order_relaxed) & FRESH) != 0) {
        own->reading = atomic_exchange_explicit(&own->between, own->reading, memory_order_acq_rel) & ~FRESH;
        own->waited = 0;
    }
    SoundInput input = own->snapshot[own->reading];
    if (own->waited >= PATIENCE) {
        input.volume = 0.0;
    } else {
        own->waited += count;
    }
    sound_set(own->sound, &input);
    sound_fill(own->sound, (float(*)[2])(void *)bytes, count);
}

static void publish_input(Loudspeaker *own, const SoundInput *input)
{
    own->snapshot[own->writing] = *input;
    own->writing = atomic_exchange_explicit(&own->between, own->writing | FRESH, memory_order_acq_rel) & ~FRESH;
}

static void open_device(Loudspeaker *own)
{
    SDL_AudioSpec wanted = {
        .freq = RATE, .format = AUDIO_F32SYS, .channels = 2, .samples = PIECE, .callback = fill_audio, .userdata = own};
    SDL_AudioSpec given;
    bool none =
        own->initialised && SDL_GetNumAudioDevices(0) == 0; // asked first: ALSA prints to stderr when it finds none
    own->device = own->initialised && !none ? SDL_OpenAudioDevice(NULL, 0, &wanted, &given, 0) : 0;
    if (own->device != 0) {
        SDL_PauseAudioDevice(own->device, 0);
    } else if (!own->told) {
        own->told = true;
        fprintf(stderr, "spadework: no sound: %s\n", none ? "this computer has no output for it" : SDL_GetError());
    }
}

Loudspeaker *loudspeaker_open(double volume)
{
    Loudspeaker *own = calloc(1, sizeof *own);
    Status status;
    if (own == NULL || (own->sound = sound_create(RATE, &status)) == NULL) {
        abort();
    }
    own->reading = 2;
    atomic_init(&own->between, 1);
    for (int k = 0; k < 3; k++) {
        own->snapshot[k] = sound_input_default();
    }
    loudspeaker_set_volume(own, volume);
    return own;
}

void loudspeaker_set_volume(Loudspeaker *own, double volume)
{
    own->volume = volume;
    if (volume > 0.0 && !own->initialised) {
        own->initialised = SDL_InitSubSystem(SDL_INIT_AUDIO) == 0;
        open_device(own);
    }
}

void loudspeaker_close(Loudspeaker *own)
{
    if (own == NULL) {
        return;
    }
    if (own->device != 0) {
        SDL_CloseAudioDevice(own->device); // waits for the last call of `fill`
    }
    if (own->initialised) {
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
    }
    sound_destroy(own->sound);
    free(own);
}

void loudspeaker_play(Loudspeaker *own, Session *session, bool running, double head)
{
    if (own->device == 0) {
        return;
    }
    SoundInput input = sound_source_read(session);
    if (isfinite(head)) {
        sound_source_hear(session, head, &input);
    }
    input.volume = running && !own->silent ? own->volume : 0.0;
    publish_input(own, &input);
}

void loudspeaker_handle(Loudspeaker *own, const SDL_Event *event)
{
    bool output =
        (event->type == SDL_AUDIODEVICEADDED || event->type == SDL_AUDIODEVICEREMOVED) && event->adevice.iscapture == 0;
    if (output && event->type == SDL_AUDIODEVICEREMOVED && own->device != 0 && event->adevice.which == own->device) {
        SDL_CloseAudioDevice(own->device);
        own->device = 0;
        fprintf(stderr, "spadework: the sound's output is gone; driving on in silence until there is one\n");
    } else if (output && event->type == SDL_AUDIODEVICEADDED && own->device == 0 && own->initialised) {
        open_device(own);
    }
}

bool loudspeaker_toggle(Loudspeaker *own)
{
    own->silent = !own->silent;
    return !own->silent && own->device != 0;
}

SDL_AudioDeviceID loudspeaker_device(const Loudspeaker *own)
{
    return own->device;
}
