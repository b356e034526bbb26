/// Pump whine, oil rushing through valves, the hiss and whistle of a relief valve, the swing motor.
#include "trainer/app/sound_internal.h"

#define WHISTLE 1480.0F ///< Hz of a relief valve that is open
#define WOBBLE  11.0F ///< Hz: it chatters

void sound_hydraulics_start(SoundHydraulics *hydraulics, float rate)
{
    *hydraulics = (SoundHydraulics){.random = 0x2545f491U};
    hydraulics->flow_tuning = sound_tune(1100.0F, 0.7F, rate);
    hydraulics->hiss_tuning = sound_tune(4200.0F, 0.6F, rate);
}

/// Fundamental, second and third harmonic of a phase, from one sine: sin 2a = 2 sin a cos a, sin 3a = 3 sin a - 4 sin^3
/// a.
static float three_tones(float phase, float second, float third)
{
    float s = sinf(SOUND_TURN * phase), c = cosf(SOUND_TURN * phase);
    return s + second * 2.0F * s * c + third * s * (3.0F - 4.0F * s * s);
}

static void add_pump(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        sound_turn(&hydraulics->pump, SOUND_PUMP_PISTONS * sound_level(block, SOUND_CRANK, i) / block->rate);
        mix[i] += 0.08F * sound_level(block, SOUND_WHINE, i) * three_tones(hydraulics->pump, 0.9F, 0.7F);
    }
}

static void add_oil(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float noise = sound_noise(&hydraulics->random) * block->noise;
        float flow = sound_band_pass(&hydraulics->flow, &hydraulics->flow_tuning, noise);
        float hiss = sound_band_pass(&hydraulics->hiss, &hydraulics->hiss_tuning, noise);
        sound_turn(&hydraulics->wobble, WOBBLE / block->rate);
        float bend = 1.0F + 0.02F * sinf(SOUND_TURN * hydraulics->wobble);
        sound_turn(&hydraulics->whistle, WHISTLE * bend / block->rate);
        float relief = sound_level(block, SOUND_RELIEF, i);
        mix[i] += 0.12F * sound_level(block, SOUND_FLOW, i) * flow +
                  relief * (0.20F * hiss + 0.028F * sinf(SOUND_TURN * hydraulics->whistle));
    }
}

static void add_swing(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float speed = sound_level(block, SOUND_SWING, i);
        sound_turn(&hydraulics->swing, (120.0F + 460.0F * speed) / block->rate);
        mix[i] += 0.03F * speed * three_tones(hydraulics->swing, 0.5F, 0.25F);
    }
}

void sound_hydraulics_add(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    if (!sound_is_off(block, SOUND_WHINE)) {
        add_pump(hydraulics, block, mix);
    }
    if (!sound_is_off(block, SOUND_FLOW) || !sound_is_off(block, SOUND_RELIEF)) {
        add_oil(hydraulics, block, mix);
    }
    if (!sound_is_off(block, SOUND_SWING)) {
        add_swing(hydraulics, block, mix);
    }
}
