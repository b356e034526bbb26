/// A four-stroke diesel: one pressure pulse a firing through the exhaust, the knock of each injection, turbocharger,
/// breath.
#include "trainer/app/sound_internal.h"

#define LUG_START 0.85F ///< share of the full torque over which the engine begins to lug
#define LUG_RANGE 0.3F
#define SPOOL_LAG 0.7F ///< s of the turbocharger

/// How cylinders differ, -1..1: none burns like its neighbour, which gives an engine its beat of two revolutions.
static const float cylinder_bias[SOUND_MOST_CYLINDERS] = {0.3F, -0.6F, 0.5F,  -0.2F, 0.8F, -0.8F, 0.1F, -0.4F,
                                                          0.6F, -0.1F, -0.7F, 0.4F,  0.2F, -0.5F, 0.7F, -0.3F};

void sound_engine_start(SoundEngine *engine, float rate)
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

void sound_engine_add(SoundEngine *engine, const SoundBlock *block, float mix[SOUND_BLOCK])
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
