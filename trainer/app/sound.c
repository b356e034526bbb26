/// Mixes the sources in blocks of 32 samples between which all levels glide, gives each its share of both ears, takes
/// the constant part off, and bends what is loud instead of cutting it.
#include "trainer/app/sound.h"

#include <stdlib.h>
#include <string.h>

#include "trainer/app/sound_internal.h"

#define NOISE_RATE  48000.0F ///< samples a second at which the voices' noise was balanced
#define SNAP        1e-5F ///< a level this near to where it goes is there
#define LEAST_SOUND 1e-12F ///< smaller is silence
#define RUMBLE_END  15.0F ///< Hz: what is below is no sound
#define WIDTH       0.8F ///< share of the way to one ear alone that a source goes which is square to the listener

#define FULL_PRESSURE 35e6 ///< Pa: the pump whines at its loudest
#define FAST_SWING    1.2 ///< rad/s
#define FAST_STROKE   1.2 ///< m/s of the edge
#define HARD_CUT      100e3 ///< N
#define SOFT_TOUCH    1.5e3 ///< N: below this nothing is cut
#define MUCH_FALLING  600.0 ///< kg in the air

struct Sound {
    SoundBlock block; ///< the present one; `start` is where the levels stand at its end once it is made
    float target[SOUND_LEVEL_COUNT];
    float part[SOUND_LEVEL_COUNT]; ///< of the way to the target that a block goes
    SoundEngine engine;
    SoundHydraulics hydraulics;
    SoundTrack track[2];
    SoundDigging digging;
    SoundSignals signals;
    float last[2], out[2], keep; ///< of the filter of each ear that takes a constant off
    float voice[SOUND_BLOCK]; ///< of one place
    float samples[SOUND_BLOCK][2];
    int used; ///< samples of the block that were handed out
};

SoundInput sound_input_default(void)
{
    return (SoundInput){.rated_speed = 188.5, .cylinders = 6, .shoe_pitch = 0.19};
}

Sound *sound_create(int rate, Status *status)
{
    if (rate < SOUND_RATE_LEAST || rate > SOUND_RATE_MOST) {
        status_fail(status, STATUS_LACKING, "sound: %d samples a second; %d..%d are allowed", rate, SOUND_RATE_LEAST,
                    SOUND_RATE_MOST);
        return NULL;
    }
    Sound *sound = calloc(1, sizeof *sound);
    if (sound == NULL) {
        abort();
    }
    static const float times[SOUND_LEVEL_COUNT] = {
#define X(name, time) (float)(time),
        SOUND_LEVELS(X)
#undef X
    };
    float f = (float)rate;
    for (int k = 0; k < SOUND_LEVEL_COUNT; k++) {
        sound->part[k] = 1.0F - expf(-(float)SOUND_BLOCK / (times[k] * f));
    }
    sound->block.rate = f;
    sound->block.noise = sqrtf(f / NOISE_RATE);
    sound->keep = expf(-SOUND_TURN * RUMBLE_END / f);
    sound->used = SOUND_BLOCK;
    sound_engine_start(&sound->engine, f);
    sound_hydraulics_start(&sound->hydraulics, f);
    sound_track_start(&sound->track[0], 0, f);
    sound_track_start(&sound->track[1], 1, f);
    sound_digging_start(&sound->digging, f);
    sound_signals_start(&sound->signals, f);
    SoundInput nothing = sound_input_default();
    sound_set(sound, &nothing);
    return sound;
}

void sound_destroy(Sound *sound)
{
    free(sound);
}

/// ---- inputs to levels ----------------------------------------------------------------------------------------------

static double within(double value, double least, double most)
{
    return !(value >= least) ? least : value > most ? most : value;
}

static double share(double value, double full)
{
    return within(value / full, 0.0, 1.0);
}

static void set_engine(float target[SOUND_LEVEL_COUNT], const SoundInput *input)
{
    double speed = within(input->engine_speed, 0.0, 600.0), rated = within(input->rated_speed, 30.0, 600.0);
    double at = speed / rated;
    target[SOUND_CRANK] = (float)speed / SOUND_TURN;
    // Below a quarter of its rated speed an engine only turns over; faster is louder.
    target[SOUND_ENGINE] = (float)(share(at, 0.25) * (0.35 + 0.65 * within(at, 0.0, 1.3)));
    target[SOUND_LOAD] = (float)within(input->engine_load, 0.0, 1.5);
}

static void set_hydraulics(float target[SOUND_LEVEL_COUNT], const SoundInput *input)
{
    double pressure = within(input->pump_pressure, 0.0, 1e8) / FULL_PRESSURE, flow = within(input->pump_flow, 0.0, 1.0);
    bool turns = input->engine_speed > 1.0;
    target[SOUND_WHINE] = turns ? (float)(within(pressure, 0.0, 1.2) * (0.25 + 0.75 * flow)) : 0.0F;
    target[SOUND_FLOW] = (float)flow;
    target[SOUND_RELIEF] = (float)within(input->relief_flow, 0.0, 1.0);
    target[SOUND_SWING] = (float)share(fabs(input->swing_speed), FAST_SWING);
}

static void set_ground(float target[SOUND_LEVEL_COUNT], const SoundInput *input)
{
    for (int side = 0; side < 2; side++) {
        double belt = within(fabs(input->belt_speed[side]), 0.0, 10.0);
        target[SOUND_LEFT_BELT + side] = (float)belt;
        // Dry pins squeal a little whenever the belt runs, and much when it is dragged round or spins.
        target[SOUND_LEFT_SQUEAL + side] =
            (float)(share(belt, 0.3) * (0.15 + 0.85 * share(fabs(input->slip_speed[side]), 0.4)));
    }
    double force = within(input->tool_force, 0.0, 1e7) - SOFT_TOUCH, speed = share(input->tool_speed, FAST_STROKE);
    target[SOUND_SCRAPE] = (float)(sqrt(share(force, HARD_CUT)) * sqrt(speed));
    target[SOUND_SCRAPE_SPEED] = (float)speed;
    target[SOUND_FALL] = (float)sqrt(share(input->falling, MUCH_FALLING));
}

void sound_set(Sound *sound, const SoundInput *input)
{
    float *target = sound->target;
    target[SOUND_VOLUME] = (float)within(input->volume, 0.0, 1.0);
    set_engine(target, input);
    set_hydraulics(target, input);
    set_ground(target, input);
    target[SOUND_HORN] = input->horn ? 1.0F : 0.0F;
    target[SOUND_TRAVEL] = input->travel_alarm ? 1.0F : 0.0F;
    target[SOUND_WARNING] = input->warning ? 1.0F : 0.0F;
    for (int k = 0; k < SOUND_PLACE_COUNT; k++) {
        double bearing = isfinite(input->bearing[k]) ? input->bearing[k] : 0.0;
        target[SOUND_ENGINE_SIDE + k] = (float)sin(bearing);
    }
    sound->block.cylinders = (int)within(input->cylinders, 1, SOUND_MOST_CYLINDERS);
    sound->block.shoe_pitch = (float)within(input->shoe_pitch, 0.05, 1.0);
}

/// ---- blocks --------------------------------------------------------------------------------------------------------

static void aim_levels(Sound *sound)
{
    SoundBlock *block = &sound->block;
    for (int k = 0; k < SOUND_LEVEL_COUNT; k++) {
        float gap = sound->target[k] - block->start[k];
        block->slope[k] = gap * (fabsf(gap) < SNAP ? 1.0F : sound->part[k]) / (float)SOUND_BLOCK;
    }
}

/// Where the levels stand after the block. A level that has arrived is exactly there.
static void move_levels(Sound *sound)
{
    SoundBlock *block = &sound->block;
    for (int k = 0; k < SOUND_LEVEL_COUNT; k++) {
        float gap = sound->target[k] - block->start[k];
        block->start[k] = fabsf(gap) < SNAP ? sound->target[k] : block->start[k] + block->slope[k] * (float)SOUND_BLOCK;
    }
}

/// The shares of both ears of a source at `side`, by the law of equal power: sqrt(2) cos and sqrt(2) sin of an angle
/// that is 45 degrees in the middle.
static void share_out(float side, float share_of[2])
{
    float angle = 0.125F * SOUND_TURN * (1.0F - WIDTH * side);
    share_of[0] = side == 0.0F ? 1.0F : 1.41421356F * cosf(angle);
    share_of[1] = side == 0.0F ? 1.0F : 1.41421356F * sinf(angle);
}

/// Lays the voice of one place between both ears; the shares go in straight lines through the block.
static void place_voice(Sound *sound, SoundPlace place)
{
    SoundLevel side = (SoundLevel)(SOUND_ENGINE_SIDE + place);
    float from[2], to[2];
    share_out(sound_level(&sound->block, side, 0), from);
    share_out(sound_level(&sound->block, side, SOUND_BLOCK), to);
    for (int ear = 0; ear < 2; ear++) {
        float slope = (to[ear] - from[ear]) / (float)SOUND_BLOCK;
        for (int i = 0; i < SOUND_BLOCK; i++) {
            sound->samples[i][ear] += sound->voice[i] * (from[ear] + slope * (float)i);
        }
    }
    memset(sound->voice, 0, sizeof sound->voice);
}

/// Takes a constant off, bends what is loud, y = x / sqrt(1 + x^2) (never beyond 1), and sets the volume.
static void finish(Sound *sound, int ear)
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float x = sound->samples[i][ear], out = sound->keep * (sound->out[ear] + x - sound->last[ear]);
        out = fabsf(out) < LEAST_SOUND ? 0.0F : out;
        sound->out[ear] = out;
        sound->last[ear] = x;
        sound->samples[i][ear] = sound_level(&sound->block, SOUND_VOLUME, i) * out / sqrtf(1.0F + out * out);
    }
}

static void make_block(Sound *sound)
{
    aim_levels(sound);
    const SoundBlock *block = &sound->block;
    memset(sound->samples, 0, sizeof sound->samples);
    sound_engine_add(&sound->engine, block, sound->voice);
    place_voice(sound, SOUND_AT_ENGINE);
    sound_hydraulics_add(&sound->hydraulics, block, sound->voice);
    place_voice(sound, SOUND_AT_PUMPS);
    for (int side = 0; side < 2; side++) {
        sound_track_add(&sound->track[side], side, block, sound->voice);
        place_voice(sound, (SoundPlace)(SOUND_AT_LEFT_TRACK + side));
    }
    sound_digging_add(&sound->digging, block, sound->voice);
    place_voice(sound, SOUND_AT_TOOL);
    sound_signals_add(&sound->signals, block, sound->voice);
    place_voice(sound, SOUND_AT_SIGNALS);
    finish(sound, 0);
    finish(sound, 1);
    move_levels(sound);
    sound->used = 0;
}

void sound_fill(Sound *sound, float (*samples)[2], int count)
{
    for (int done = 0; done < count;) {
        if (sound->used == SOUND_BLOCK) {
            make_block(sound);
        }
        int left = SOUND_BLOCK - sound->used, piece = count - done < left ? count - done : left;
        memcpy(samples + done, sound->samples + sound->used, (size_t)piece * sizeof *samples);
        sound->used += piece;
        done += piece;
    }
}
