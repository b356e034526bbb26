/// Hands snapshots of the session to SDL's audio thread through three slots that are swapped by one atomic index, so
/// that neither thread ever waits for the other.
#include "trainer/app/loudspeaker.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "trainer/app/sound_source.h"

enum {
    RATE = 48000, ///< samples a second; SDL converts where a device wants another
    PIECE = 1024, ///< samples a call, 21 ms
    PATIENCE = 3 * RATE, ///< samples after which a session that says nothing is over or hangs
    FRESH = 4 ///< mark on the index of a snapshot that was not heard yet
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
static void fill(void *context, Uint8 *bytes, int size)
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

static void publish(Loudspeaker *own, const SoundInput *input)
{
    own->snapshot[own->writing] = *input;
    own->writing = atomic_exchange_explicit(&own->between, own->writing | FRESH, memory_order_acq_rel) & ~FRESH;
}

static void open_device(Loudspeaker *own)
{
    SDL_AudioSpec wanted = {
        .freq = RATE, .format = AUDIO_F32SYS, .channels = 2, .samples = PIECE, .callback = fill, .userdata = own};
    SDL_AudioSpec given;
    bool none = own->initialised && SDL_GetNumAudioDevices(0) == 0; // asked first: ALSA tells on stderr what it misses
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
    publish(own, &input);
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
