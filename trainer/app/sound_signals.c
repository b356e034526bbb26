/// Horn, travel alarm, warning.
#include "trainer/app/sound_internal.h"

#define GATE_TIME    0.004F ///< s: how fast a beep comes and goes
#define TRAVEL_BEAT  1.0F ///< beeps a second
#define WARNING_BEAT 4.0F

void sound_signals_start(SoundSignals *signals, float rate)
{
    *signals = (SoundSignals){.gate_keep = sound_keep(GATE_TIME, rate)};
}

/// A reed: sum over k of a^(k-1) sin(k x) = sin x / (1 - 2 a cos x + a^2), with a = 0.45.
static float reed(float phase)
{
    float a = 0.45F;
    return sinf(SOUND_TURN * phase) / (1.0F - 2.0F * a * cosf(SOUND_TURN * phase) + a * a);
}

static void add_horn(SoundSignals *signals, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        sound_turn(&signals->low, (float)SOUND_HORN_LOW / block->rate);
        sound_turn(&signals->high, (float)SOUND_HORN_HIGH / block->rate);
        mix[i] += 0.2F * sound_level(block, SOUND_HORN, i) * (reed(signals->low) + reed(signals->high));
    }
}

/// A tone that is on in the first half of each beat.
static float beep(float *phase, float tone, float *beat, float beats, float *gate, float gate_keep, float rate)
{
    sound_turn(phase, tone / rate);
    sound_turn(beat, beats / rate);
    *gate = (*beat < 0.5F ? 1.0F : 0.0F) + gate_keep * (*gate - (*beat < 0.5F ? 1.0F : 0.0F));
    *gate = *gate < 1e-6F ? 0.0F : *gate;
    return *gate * sinf(SOUND_TURN * *phase);
}

void sound_signals_add(SoundSignals *signals, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    if (!sound_is_off(block, SOUND_HORN)) {
        add_horn(signals, block, mix);
    }
    if (sound_is_off(block, SOUND_TRAVEL)) {
        signals->travel_beat = 0.0F; // the next alarm begins with a beep
    }
    for (int i = 0; i < SOUND_BLOCK && !sound_is_off(block, SOUND_TRAVEL); i++) {
        mix[i] += 0.10F * sound_level(block, SOUND_TRAVEL, i) *
                  beep(&signals->travel, (float)SOUND_TRAVEL_TONE, &signals->travel_beat, TRAVEL_BEAT,
                       &signals->travel_gate, signals->gate_keep, block->rate);
    }
    if (sound_is_off(block, SOUND_WARNING)) {
        signals->warning_beat = 0.0F;
    }
    for (int i = 0; i < SOUND_BLOCK && !sound_is_off(block, SOUND_WARNING); i++) {
        mix[i] += 0.10F * sound_level(block, SOUND_WARNING, i) *
                  beep(&signals->warning, (float)SOUND_WARNING_TONE, &signals->warning_beat, WARNING_BEAT,
                       &signals->warning_gate, signals->gate_keep, block->rate);
    }
}
