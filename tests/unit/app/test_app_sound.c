/// The loudspeaker on SDL's dummy driver: there, not there, lost while it plays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "trainer/window/loudspeaker.h"

static int start(void **state)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    if (session == NULL) {
        fail_msg("%s", status.text);
    }
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
        OperatorControls controls = {0};
        session_tick(session, &controls);
        loudspeaker_play(sound, session, k % 7 != 0);
        SDL_Delay(2);
    }
}

static void silence_opens_nothing(void **state)
{
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
    Loudspeaker *sound = loudspeaker_open(0.0);
    assert_int_equal(loudspeaker_device(sound), 0);
    drive(sound, *state, 2);
    assert_false(loudspeaker_toggle(sound));
    assert_false(loudspeaker_toggle(sound));
    loudspeaker_close(sound);
    loudspeaker_close(NULL);
}

static void without_a_driver_it_is_silent(void **state)
{
    SDL_setenv("SDL_AUDIODRIVER", "nosuch", 1);
    Loudspeaker *sound = loudspeaker_open(1.0);
    assert_int_equal(loudspeaker_device(sound), 0);
    drive(sound, *state, 2);
    SDL_Event added = {.adevice = {.type = SDL_AUDIODEVICEADDED}};
    loudspeaker_handle(sound, &added);
    assert_int_equal(loudspeaker_device(sound), 0);
    loudspeaker_close(sound);
}

static void a_lost_output_does_no_harm(void **state)
{
    SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
    Loudspeaker *sound = loudspeaker_open(1.0);
    SDL_AudioDeviceID device = loudspeaker_device(sound);
    assert_true(device != 0);
    drive(sound, *state, 20);
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
    drive(sound, *state, 5);
    SDL_Event added = {.adevice = {.type = SDL_AUDIODEVICEADDED}};
    loudspeaker_handle(sound, &added);
    assert_true(loudspeaker_device(sound) != 0);
    drive(sound, *state, 20);
    loudspeaker_close(sound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_opens_nothing),
        cmocka_unit_test(without_a_driver_it_is_silent),
        cmocka_unit_test(a_lost_output_does_no_harm),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
