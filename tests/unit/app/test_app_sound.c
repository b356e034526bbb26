/// The loudspeaker on SDL's dummy driver: there, not there, lost while it plays.

#include "tests/support/test.h"
#include "trainer/app/sound.h"

static int start(void **state)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    assert_good(session != NULL, status);
    *state = session;
    return 0;
}

static int stop(void **state)
{
    session_destroy(*state);
    return 0;
}

static void drive(Loudspeaker *sound, Session *session, int ticks)
{
    for (int k = 0; k < ticks; k++) {
        OperatorControls controls = control_neutral;
        session_tick(session, &controls);
        loudspeaker_play(sound, session, k % 7 != 0, (double)NAN);
        SDL_Delay(2);
    }
}

TEST_WITH(silence_opens_nothing, Session *session)
{
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
    Loudspeaker *sound = loudspeaker_open(0.0);
    assert_int_equal(loudspeaker_device(sound), 0);
    drive(sound, session, 2);
    assert_false(loudspeaker_toggle(sound));
    assert_false(loudspeaker_toggle(sound));
    loudspeaker_close(sound);
    loudspeaker_close(NULL);
}

TEST_WITH(without_a_driver_it_is_silent, Session *session)
{
    SDL_setenv("SDL_AUDIODRIVER", "nosuch", 1);
    Loudspeaker *sound = loudspeaker_open(1.0);
    assert_int_equal(loudspeaker_device(sound), 0);
    drive(sound, session, 2);
    SDL_Event added = {.adevice = {.type = SDL_AUDIODEVICEADDED}};
    loudspeaker_handle(sound, &added);
    assert_int_equal(loudspeaker_device(sound), 0);
    loudspeaker_close(sound);
}

TEST_WITH(a_lost_output_does_no_harm, Session *session)
{
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
    Loudspeaker *sound = loudspeaker_open(1.0);
    SDL_AudioDeviceID device = loudspeaker_device(sound);
    assert_true(device != 0);
    drive(sound, session, 20);
    assert_false(loudspeaker_toggle(sound));
    assert_true(loudspeaker_toggle(sound));
    SDL_Event other = {.adevice = {.type = SDL_AUDIODEVICEREMOVED, .which = device + 1}};
    loudspeaker_handle(sound, &other);
    SDL_Event microphone = {.adevice = {.type = SDL_AUDIODEVICEREMOVED, .which = device, .iscapture = 1}};
    loudspeaker_handle(sound, &microphone);
    assert_int_equal(loudspeaker_device(sound), device);
    SDL_Event lost = {.adevice = {.type = SDL_AUDIODEVICEREMOVED, .which = device}};
    loudspeaker_handle(sound, &lost);
    assert_int_equal(loudspeaker_device(sound), 0);
    drive(sound, session, 5);
    SDL_Event added = {.adevice = {.type = SDL_AUDIODEVICEADDED}};
    loudspeaker_handle(sound, &added);
    assert_true(loudspeaker_device(sound) != 0);
    drive(sound, session, 20);
    loudspeaker_close(sound);
}

TEST_GROUP(start, stop)
