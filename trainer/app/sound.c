/// Synthesises the machine's sounds in blocks of 32 samples, converts a session to their levels, and plays them. Levels
/// glide within a block; each voice is panned to both ears, the constant part is removed, and loud sums are compressed
/// smoothly instead of clipped. Snapshots pass to SDL's audio thread through three slots swapped by one atomic index,
/// so neither thread waits for the other.
#include "trainer/app/sound.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"

/// Samples between two updates of the levels: 0.3 to 1.5 ms.
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

/// ---- engine --------------------------------------------------------------------------------------------------------

/// A four-stroke diesel: one pressure pulse a firing through the exhaust, the knock of each injection, turbocharger,
/// breath.

#define LUG_START 0.85F ///< share of the full torque over which the engine begins to lug
#define LUG_RANGE 0.3F
#define SPOOL_LAG 0.7F ///< s of the turbocharger

/// How cylinders differ, -1..1: none burns like its neighbour, which gives an engine its beat of two revolutions.
static const float cylinder_bias[SOUND_MOST_CYLINDERS] = {0.3F, -0.6F, 0.5F,  -0.2F, 0.8F, -0.8F, 0.1F, -0.4F,
                                                          0.6F, -0.1F, -0.7F, 0.4F,  0.2F, -0.5F, 0.7F, -0.3F};

static void start_engine(SoundEngine *engine, float rate)
{
    *engine = (SoundEngine){.random = 0x9e3779b9U, .strength = 1.0F};
    engine->knock.keep = sound_keep(0.0016F, rate);
    engine->body_tuning = sound_tune(150.0F, 1.2F, rate);
    engine->bark_tuning = sound_tune(560.0F, 0.7F, rate);
    engine->metal_tuning = sound_tune(1650.0F, 1.3F, rate);
    engine->ring_tuning = sound_tune(3300.0F, 2.0F, rate);
    engine->breath_tuning = sound_tune(700.0F, 0.6F, rate);
}

/// The next cylinder burns: returns the knock's kick.
static float fire(SoundEngine *engine, int firing, float load)
{
    float lug = fminf(fmaxf((load - LUG_START) / LUG_RANGE, 0.0F), 1.0F);
    engine->firing = firing;
    engine->strength =
        1.0F + (0.05F + 0.22F * lug) * cylinder_bias[firing] + (0.03F + 0.05F * lug) * sound_noise(&engine->random);
    return (0.75F + 0.25F * sound_noise(&engine->random)) * (0.55F + 0.45F * fminf(load, 1.0F));
}

/// Pressure of one firing over its part p of the cycle, 0..1: p (1 - p)^2, scaled to 1 at its greatest, which load
/// makes narrower. It begins and ends at 0, so that firings of different strength join.
static float pulse(float p, float load)
{
    float shape = 6.75F * p * (1.0F - p) * (1.0F - p);
    float sharp = 0.6F * fminf(load, 1.0F);
    return shape + sharp * shape * (shape - 1.0F);
}

/// What leaves the cylinder as its valve opens, over the same part: up at once, and gone in a fifth of it. It is rich
/// in harmonics up to ten times the firing frequency, by which ears know an engine where a loudspeaker gives no bass.
static float blow(float p)
{
    return (expf(-14.0F * p) - expf(-60.0F * p)) * (1.0F - p);
}

static void add_engine(SoundEngine *engine, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    if (sound_is_off(block, SOUND_ENGINE)) {
        return;
    }
    float load = block->start[SOUND_LOAD], full = fminf(load, 1.0F), running = block->start[SOUND_ENGINE];
    SoundTuning exhaust = sound_tune(240.0F + 380.0F * full, 0.8F, block->rate);
    engine->spool += (full * running - engine->spool) * (float)SOUND_BLOCK / (SPOOL_LAG * block->rate);
    float turbo_step = (900.0F + 1500.0F * engine->spool) / block->rate;
    for (int i = 0; i < SOUND_BLOCK; i++) {
        sound_turn(&engine->cycle, 0.5F * sound_level(block, SOUND_CRANK, i) / block->rate);
        float place = engine->cycle * (float)block->cylinders;
        int firing = (int)fminf(place, (float)(block->cylinders - 1));
        load = sound_level(block, SOUND_LOAD, i);
        float kick = firing != engine->firing ? fire(engine, firing, load) : 0.0F;
        float pressure = engine->strength * pulse(place - (float)firing, load);
        float noise = sound_noise(&engine->random) * block->noise;

        float low = sound_low_pass(&engine->exhaust, &exhaust, pressure);
        float bark =
            sound_band_pass(&engine->bark, &engine->bark_tuning, engine->strength * blow(place - (float)firing));
        float body = sound_band_pass(&engine->body, &engine->body_tuning, low);
        float knock = sound_burst(&engine->knock, kick, noise);
        float metal = sound_band_pass(&engine->metal, &engine->metal_tuning, knock) +
                      0.6F * sound_band_pass(&engine->ring, &engine->ring_tuning, knock);
        float breath = sound_band_pass(&engine->breath, &engine->breath_tuning, noise);
        sound_turn(&engine->turbo, turbo_step);
        float turbo = engine->spool * sinf(SOUND_TURN * engine->turbo);
        mix[i] += sound_level(block, SOUND_ENGINE, i) *
                  ((0.13F + 0.27F * load) * (low + 0.5F * body) + (0.8F + 1.2F * load) * bark +
                   (0.34F + 0.20F * load) * metal + (0.035F + 0.05F * engine->spool) * breath + 0.012F * turbo);
    }
}

/// ---- hydraulics ----------------------------------------------------------------------------------------------------

/// Pump whine, flow noise of valves, hiss and whistle of a relief valve, swing motor.

#define WHISTLE 1480.0F ///< Hz of a relief valve that is open
#define WOBBLE  11.0F ///< Hz: it chatters

static void start_hydraulics(SoundHydraulics *hydraulics, float rate)
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

static void add_hydraulics(SoundHydraulics *hydraulics, const SoundBlock *block, float mix[SOUND_BLOCK])
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

/// ---- tracks and soil -----------------------------------------------------------------------------------------------

/// Contact with the ground: clacking and squealing track shoes, the scraping bucket, falling soil.

/// ---- tracks --------------------------------------------------------------------------------------------------------

#define SECOND_BLOW 0.37F ///< part of a shoe's way at which its pin settles on the idler
#define FAST_BELT   1.5F ///< m/s

static void start_track(SoundTrack *track, int side, float rate)
{
    static const float plates[3] = {320.0F, 880.0F, 2150.0F};
    float bend = side == 0 ? 1.0F : 1.06F; // the two sides do not ring alike
    *track = (SoundTrack){.random = 0x1b873593U + (uint32_t)side, .shoe = side == 0 ? 0.0F : 0.45F};
    track->pitch = 820.0F * bend;
    track->clack.keep = sound_keep(0.004F, rate);
    track->rumble_tuning = sound_tune(95.0F, 0.7F, rate);
    for (int k = 0; k < 3; k++) {
        track->plate_tuning[k] = sound_tune(plates[k] * bend, 4.0F + (float)k, rate);
    }
}

/// Two blows a shoe: on the sprocket, and on the idler. Returns the kick of one that falls now.
static float strike(SoundTrack *track, float step)
{
    if (sound_turn(&track->shoe, step)) {
        track->struck = false;
        return 0.8F + 0.2F * sound_noise(&track->random);
    }
    if (!track->struck && track->shoe >= SECOND_BLOW) {
        track->struck = true;
        return 0.4F + 0.15F * sound_noise(&track->random);
    }
    return 0.0F;
}

static void add_track(SoundTrack *track, int side, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    SoundLevel belt = (SoundLevel)(SOUND_LEFT_BELT + side), squeal = (SoundLevel)(SOUND_LEFT_SQUEAL + side);
    if (sound_is_off(block, belt) && sound_is_off(block, squeal)) {
        return;
    }
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float speed = sound_level(block, belt, i), fast = fminf(speed / FAST_BELT, 1.5F);
        float kick = strike(track, speed / (block->shoe_pitch * block->rate));
        float noise = sound_noise(&track->random) * block->noise;
        float burst = sound_burst(&track->clack, kick, noise);
        float clack = 0.0F;
        for (int k = 0; k < 3; k++) {
            clack += sound_band_pass(&track->plate[k], &track->plate_tuning[k], burst);
        }
        float rumble = sound_low_pass(&track->rumble, &track->rumble_tuning, noise);
        // A pin squeals while it bends round the sprocket: once a shoe, rising.
        float turned = 0.5F - 0.5F * cosf(SOUND_TURN * track->shoe);
        sound_turn(&track->squeal, track->pitch * (1.0F + 0.12F * turned) / block->rate);
        float tone = sinf(SOUND_TURN * track->squeal);
        mix[i] += sqrtf(fast) * fminf(fast * 8.0F, 1.0F) * (1.1F * clack + 0.6F * fast * rumble) +
                  0.04F * sound_level(block, squeal, i) * turned * tone * (1.0F + 0.8F * tone * tone);
    }
}

/// ---- digging and falling soil --------------------------------------------------------------------------------------

#define MOST_GRAINS 700.0F ///< a second, of a fast scrape
#define MOST_CLODS  260.0F ///< a second, of a bucket poured out

static void start_digging(SoundDigging *digging, float rate)
{
    *digging = (SoundDigging){.random = 0x85ebca6bU};
    digging->grit.keep = sound_keep(0.0025F, rate);
    digging->clod.keep = sound_keep(0.007F, rate);
    digging->steel_tuning = sound_tune(610.0F, 2.2F, rate);
    digging->edge_tuning = sound_tune(1750.0F, 2.5F, rate);
    digging->patter_tuning = sound_tune(430.0F, 0.8F, rate);
}

/// A grain falls now with this chance, and then with a random weight.
static float grain(uint32_t *random, float chance)
{
    float draw = 0.5F + 0.5F * sound_noise(random);
    return draw < chance ? 0.3F + 0.7F * draw / chance : 0.0F;
}

static void add_scrape(SoundDigging *digging, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    float fast = block->start[SOUND_SCRAPE_SPEED];
    SoundTuning rub = sound_tune(160.0F + 520.0F * fast, 0.7F, block->rate);
    float chance = MOST_GRAINS * (0.1F + 0.9F * fast) / block->rate;
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float noise = sound_noise(&digging->random) * block->noise;
        float burst = sound_burst(&digging->grit, grain(&digging->random, chance), noise);
        float steel = sound_band_pass(&digging->steel, &digging->steel_tuning, burst) +
                      0.6F * sound_band_pass(&digging->edge, &digging->edge_tuning, burst);
        mix[i] +=
            sound_level(block, SOUND_SCRAPE, i) * (0.7F * sound_low_pass(&digging->rub, &rub, noise) + 0.7F * steel);
    }
}

static void add_fall(SoundDigging *digging, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    for (int i = 0; i < SOUND_BLOCK; i++) {
        float fall = sound_level(block, SOUND_FALL, i);
        float kick = grain(&digging->random, MOST_CLODS * (0.1F + 0.9F * fall) / block->rate);
        float burst = sound_burst(&digging->clod, kick, sound_noise(&digging->random) * block->noise);
        mix[i] += 0.35F * fall * sound_band_pass(&digging->patter, &digging->patter_tuning, burst);
    }
}

static void add_digging(SoundDigging *digging, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    if (!sound_is_off(block, SOUND_SCRAPE)) {
        add_scrape(digging, block, mix);
    }
    if (!sound_is_off(block, SOUND_FALL)) {
        add_fall(digging, block, mix);
    }
}

/// ---- signals -------------------------------------------------------------------------------------------------------

/// Horn, travel alarm, warning.

#define GATE_TIME    0.004F ///< s: how fast a beep comes and goes
#define TRAVEL_BEAT  1.0F ///< beeps a second
#define WARNING_BEAT 4.0F

static void start_signals(SoundSignals *signals, float rate)
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

static void add_signals(SoundSignals *signals, const SoundBlock *block, float mix[SOUND_BLOCK])
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

/// ---- mixer ---------------------------------------------------------------------------------------------------------

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
    start_engine(&sound->engine, f);
    start_hydraulics(&sound->hydraulics, f);
    start_track(&sound->track[0], 0, f);
    start_track(&sound->track[1], 1, f);
    start_digging(&sound->digging, f);
    start_signals(&sound->signals, f);
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
static void limit_samples(Sound *sound, int ear)
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
    add_engine(&sound->engine, block, sound->voice);
    place_voice(sound, SOUND_AT_ENGINE);
    add_hydraulics(&sound->hydraulics, block, sound->voice);
    place_voice(sound, SOUND_AT_PUMPS);
    for (int side = 0; side < 2; side++) {
        add_track(&sound->track[side], side, block, sound->voice);
        place_voice(sound, (SoundPlace)(SOUND_AT_LEFT_TRACK + side));
    }
    add_digging(&sound->digging, block, sound->voice);
    place_voice(sound, SOUND_AT_TOOL);
    add_signals(&sound->signals, block, sound->voice);
    place_voice(sound, SOUND_AT_SIGNALS);
    limit_samples(sound, 0);
    limit_samples(sound, 1);
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
