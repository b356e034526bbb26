/// The voices of the synthesiser and what they share: blocks, gliding levels, noise, filters.
#ifndef SPADEWORK_TRAINER_SOUND_INTERNAL_H
#define SPADEWORK_TRAINER_SOUND_INTERNAL_H

#include <math.h>
#include <stdint.h>

#include "trainer/app/sound.h"

/// Samples between two looks at the levels: 0.3 to 1.5 ms.
enum { SOUND_BLOCK = 32, SOUND_MOST_CYLINDERS = 16 };

#define SOUND_TURN 6.28318531F ///< 2 pi

/// What glides from one setting to the next: name, time constant (s).
#define SOUND_LEVELS(X)                                                                                                \
    X(VOLUME, 0.05) /* 0..1 */                                                                                         \
    X(CRANK, 0.05) /* revolutions a second */                                                                          \
    X(ENGINE, 0.06) /* 0..1: how loud it runs at this speed without load */                                            \
    X(LOAD, 0.08) /* 0..1.5 */                                                                                         \
    X(WHINE, 0.04) /* 0..1, of the pump */                                                                             \
    X(FLOW, 0.04) /* 0..1 */                                                                                           \
    X(RELIEF, 0.03) /* 0..1 */                                                                                         \
    X(SWING, 0.04) /* 0..1 of a fast swing */                                                                          \
    X(LEFT_BELT, 0.05) /* m/s */                                                                                       \
    X(RIGHT_BELT, 0.05)                                                                                                \
    X(LEFT_SQUEAL, 0.06) /* 0..1 */                                                                                    \
    X(RIGHT_SQUEAL, 0.06)                                                                                              \
    X(SCRAPE, 0.03) /* 0..1 */                                                                                         \
    X(SCRAPE_SPEED, 0.03) /* 0..1 of a fast stroke */                                                                  \
    X(FALL, 0.05) /* 0..1 */                                                                                           \
    X(HORN, 0.012) /* 0..1 */                                                                                          \
    X(TRAVEL, 0.012)                                                                                                   \
    X(WARNING, 0.012)                                                                                                  \
    X(ENGINE_SIDE, 0.05) /* -1 (right) .. 1 (left); sides in the order of SoundPlace */                                \
    X(PUMPS_SIDE, 0.05)                                                                                                \
    X(LEFT_TRACK_SIDE, 0.05)                                                                                           \
    X(RIGHT_TRACK_SIDE, 0.05)                                                                                          \
    X(TOOL_SIDE, 0.05)                                                                                                 \
    X(SIGNALS_SIDE, 0.05)

typedef enum SoundLevel {
#define X(name, time) SOUND_##name,
    SOUND_LEVELS(X)
#undef X
        SOUND_LEVEL_COUNT
} SoundLevel;

/// One block's worth of levels: straight lines from `start`.
typedef struct SoundBlock {
    float rate; ///< samples a second
    float noise; ///< factor of white noise that keeps its density at every rate
    int cylinders;
    float shoe_pitch; ///< m
    float start[SOUND_LEVEL_COUNT];
    float slope[SOUND_LEVEL_COUNT]; ///< a sample
} SoundBlock;

static inline float sound_level(const SoundBlock *block, SoundLevel level, int sample)
{
    return block->start[level] + block->slope[level] * (float)sample;
}

/// True when a level is 0 all through the block: its voice need not be made.
static inline bool sound_is_off(const SoundBlock *block, SoundLevel level)
{
    return block->start[level] == 0.0F && block->slope[level] == 0.0F;
}

/// White noise, -1..1: Marsaglia's xorshift generator (13, 17, 5). The state may not be 0.
static inline float sound_noise(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (float)(int32_t)x * (1.0F / 2147483648.0F);
}

/// Moves a phase (turns, 0..1) on; true when it came round.
static inline bool sound_turn(float *phase, float step)
{
    *phase += step;
    if (*phase < 1.0F) {
        return false;
    }
    *phase -= floorf(*phase);
    return true;
}

/// A two-pole state-variable filter, integrated by the trapezoidal rule, so that it stays stable while it is retuned.
/// Zavalishin, The Art of VA Filter Design (2012), ch. 4: g = tan(pi f / rate), k = 1 / Q.
typedef struct SoundFilter {
    float band, low; ///< the integrators
} SoundFilter;
typedef struct SoundTuning {
    float k, a1, a2, a3;
} SoundTuning;

static inline SoundTuning sound_tune(float frequency, float quality, float rate)
{
    float g = tanf(0.5F * SOUND_TURN * fminf(frequency / rate, 0.42F)), k = 1.0F / quality;
    float a1 = 1.0F / (1.0F + g * (g + k));
    return (SoundTuning){k, a1, g * a1, g * g * a1};
}

static inline void sound_filter(SoundFilter *filter, const SoundTuning *tuning, float x, float *low, float *band)
{
    float v3 = x - filter->low;
    float v1 = tuning->a1 * filter->band + tuning->a2 * v3;
    float v2 = filter->low + tuning->a2 * filter->band + tuning->a3 * v3;
    filter->band = 2.0F * v1 - filter->band;
    filter->low = 2.0F * v2 - filter->low;
    *low = v2;
    *band = tuning->k * v1;
}

static inline float sound_low_pass(SoundFilter *filter, const SoundTuning *tuning, float x)
{
    float low, band;
    sound_filter(filter, tuning, x, &low, &band);
    return low;
}

/// 1 at its frequency.
static inline float sound_band_pass(SoundFilter *filter, const SoundTuning *tuning, float x)
{
    float low, band;
    sound_filter(filter, tuning, x, &low, &band);
    return band;
}

/// Grains of noise: bursts that start at `kick` and die away.
typedef struct SoundBurst {
    float strength, keep; ///< keep: share that is left a sample later
} SoundBurst;

static inline float sound_burst(SoundBurst *burst, float kick, float noise)
{
    burst->strength = burst->strength * burst->keep + kick;
    burst->strength = burst->strength < 1e-6F ? 1e-6F : burst->strength; // never so small that it slows the processor
    return burst->strength * noise;
}

static inline float sound_keep(float seconds, float rate)
{
    return expf(-1.0F / (seconds * rate));
}

typedef struct SoundEngine {
    uint32_t random;
    float cycle; ///< turns of two crank revolutions
    int firing; ///< which cylinder burns
    float strength; ///< of this firing, about 1
    float turbo; ///< turns
    float spool; ///< 0..1: the turbocharger follows the load late
    SoundBurst knock;
    SoundFilter exhaust, body, bark, metal, ring, breath;
    SoundTuning body_tuning, bark_tuning, metal_tuning, ring_tuning, breath_tuning;
} SoundEngine;

typedef struct SoundHydraulics {
    uint32_t random;
    float pump, whistle, wobble, swing; ///< turns
    SoundFilter flow, hiss;
    SoundTuning flow_tuning, hiss_tuning;
} SoundHydraulics;

typedef struct SoundTrack {
    uint32_t random;
    float shoe, squeal, pitch; ///< turns, turns, Hz of its squeal
    bool struck; ///< the second blow of this shoe has fallen
    SoundBurst clack;
    SoundFilter rumble, plate[3];
    SoundTuning rumble_tuning, plate_tuning[3];
} SoundTrack;

typedef struct SoundDigging {
    uint32_t random;
    SoundBurst grit, clod;
    SoundFilter rub, steel, edge, patter;
    SoundTuning steel_tuning, edge_tuning, patter_tuning;
} SoundDigging;

typedef struct SoundSignals {
    float low, high; ///< turns, of the horn
    float travel, travel_beat, travel_gate; ///< turns, turns, 0..1
    float warning, warning_beat, warning_gate;
    float gate_keep;
} SoundSignals;

void sound_engine_start(SoundEngine *engine, float rate);
void sound_engine_add(SoundEngine *engine, const SoundBlock *block, float mix[SOUND_BLOCK]);
void sound_hydraulics_start(SoundHydraulics *hydraulics, float rate);
void sound_hydraulics_add(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK]);
void sound_track_start(SoundTrack *track, int side, float rate);
void sound_track_add(SoundTrack *track, int side, const SoundBlock *block, float mix[SOUND_BLOCK]);
void sound_digging_start(SoundDigging *digging, float rate);
void sound_digging_add(SoundDigging *digging, const SoundBlock *block, float mix[SOUND_BLOCK]);
void sound_signals_start(SoundSignals *signals, float rate);
void sound_signals_add(SoundSignals *signals, const SoundBlock *block, float mix[SOUND_BLOCK]);

#endif
