/// The output for sound: opened as the loudspeaker opens it, and left paused.
#include <SDL.h>
#include <stdio.h>

#include "trainer/cli/probe_looks.h"

static void look_at_output(SoundFacts *sound)
{
    SDL_AudioSpec wanted = {.freq = 48000, .format = AUDIO_F32SYS, .channels = 2, .samples = 1024}, given;
    const char *driver = SDL_GetCurrentAudioDriver(), *output = SDL_GetAudioDeviceName(0, 0);
    snprintf(sound->driver, sizeof sound->driver, "%s", driver != NULL ? driver : "");
    if (SDL_GetNumAudioDevices(0) == 0) {
        snprintf(sound->fault, sizeof sound->fault, "%s knows of none", sound->driver);
        return;
    }
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 0, &wanted, &given, 0);
    if (device == 0) {
        snprintf(sound->fault, sizeof sound->fault, "%.255s", SDL_GetError());
        return;
    }
    snprintf(sound->output, sizeof sound->output, "%s", output != NULL ? output : "the usual output");
    sound->open = true;
    sound->rate = given.freq;
    SDL_CloseAudioDevice(device);
}

void look_at_sound(DoctorFacts *facts, DoctorTell *tell)
{
    SoundFacts *sound = &facts->sound;
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        snprintf(sound->fault, sizeof sound->fault, "%.255s", SDL_GetError());
        return;
    }
    look_at_output(sound);
    doctor_tell(tell, facts);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}
