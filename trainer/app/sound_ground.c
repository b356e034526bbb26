/// What touches the ground: track shoes that clack and squeal, the bucket that scrapes, soil that falls.
#include "trainer/app/sound_internal.h"

/// ---- tracks --------------------------------------------------------------------------------------------------------

#define SECOND_BLOW 0.37F ///< part of a shoe's way at which its pin settles on the idler
#define FAST_BELT   1.5F ///< m/s

void sound_track_start(SoundTrack *track, int side, float rate)
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

void sound_track_add(SoundTrack *track, int side, const SoundBlock *block, float mix[SOUND_BLOCK])
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

void sound_digging_start(SoundDigging *digging, float rate)
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

void sound_digging_add(SoundDigging *digging, const SoundBlock *block, float mix[SOUND_BLOCK])
{
    if (!sound_is_off(block, SOUND_SCRAPE)) {
        add_scrape(digging, block, mix);
    }
    if (!sound_is_off(block, SOUND_FALL)) {
        add_fall(digging, block, mix);
    }
}
