/// The queue between devices and ticks: every press lasts a tick, in its order, however many there are between two
/// ticks; and the devices that fill it by SDL's events.
// test: sanitized
#include "input/edges.h"
#include "tests/support/input_fixture.h"

enum { BUTTON = EDGES_PAD_BUTTON + 3, OTHER = EDGES_KEY + 20, AXIS = 1 };

static InputEdges *begin(void)
{
    InputEdges *edges = calloc(1, sizeof *edges);
    assert_non_null(edges);
    return edges;
}

/// The value of an input in each of the next `count` ticks.
static void assert_ticks(InputEdges *edges, int input, int count, const double *expected)
{
    for (int k = 0; k < count; k++) {
        edges_take(edges);
        assert_near(edges->taken[input], expected[k], 1e-9);
    }
    assert_int_equal(edges->count, 0);
}

TEST(two_taps_between_two_ticks_are_two_ticks_with_one_between)
{
    InputEdges *edges = begin();
    for (int k = 0; k < 4; k++) {
        edges_note(edges, BUTTON, k % 2 == 0, 1.0 + k);
    }
    assert_int_equal(edges->pressed[BUTTON], 2);
    assert_near(edges_take(edges), 1.0, 1e-9); // the time of the first press
    assert_near(edges->taken[BUTTON], 1.0, 1e-9);
    assert_ticks(edges, BUTTON, 3, (double[]){0.0, 1.0, 0.0});
    assert_true(isnan(edges_take(edges)));
    free(edges);
}

TEST(an_input_waits_for_none_but_itself)
{
    InputEdges *edges = begin();
    edges_note(edges, BUTTON, 1.0, 1.0);
    edges_note(edges, BUTTON, 0.0, 2.0);
    edges_note(edges, OTHER, 1.0, 3.0);
    edges_take(edges);
    assert_near(edges->taken[BUTTON], 1.0, 1e-9);
    assert_near(edges->taken[OTHER], 1.0, 1e-9);
    assert_ticks(edges, BUTTON, 1, (double[]){0.0});
    assert_near(edges->taken[OTHER], 1.0, 1e-9);
    free(edges);
}

/// A lever thrown out, over and back between two ticks, in small steps: both extremes last a tick. What goes on in one
/// direction is taken at once.
TEST(extremes_of_a_lever_last_a_tick)
{
    InputEdges *edges = begin();
    for (int k = 1; k <= 20; k++) {
        edges_note(edges, AXIS, 0.05 * k, 0.001 * k);
    }
    assert_int_equal(edges->count, 1);
    for (int k = 1; k <= 40; k++) {
        edges_note(edges, AXIS, 1.0 - 0.05 * k, 0.02 + 0.001 * k);
    }
    for (int k = 1; k <= 20; k++) {
        edges_note(edges, AXIS, -1.0 + 0.05 * k, 0.06 + 0.001 * k);
    }
    assert_int_equal(edges->count, 3);
    assert_ticks(edges, AXIS, 3, (double[]){1.0, -1.0, 0.0});
    free(edges);
}

/// A stick that trembles where it is held has not turned: the next tick has what it reads by then.
TEST(trembling_fills_no_queue)
{
    InputEdges *edges = begin();
    edges_note(edges, AXIS, 0.5, 0.0);
    edges_take(edges);
    for (int k = 0; k < 1000; k++) {
        edges_note(edges, AXIS, 0.5 + (k % 2 == 0 ? 0.02 : -0.02), 0.001 * k);
    }
    assert_int_equal(edges->count, 1);
    assert_ticks(edges, AXIS, 1, (double[]){0.48});
    free(edges);
}

/// Nobody takes anything for a long time: the last states count, and presses are told as far as they can be counted.
TEST(a_full_queue_gives_way_to_what_is_so_now)
{
    InputEdges *edges = begin();
    for (int k = 0; k < 4 * EDGES_MOST + 1; k++) {
        edges_note(edges, BUTTON, k % 2 == 0, 0.001 * k);
        assert_true(edges->count <= EDGES_MOST);
    }
    assert_int_equal(edges->pressed[BUTTON], UINT8_MAX);
    while (edges->count > 0) {
        edges_take(edges);
    }
    assert_near(edges->taken[BUTTON], 1.0, 1e-9);
    edges_note(edges, BUTTON, 0.0, 2.0);
    edges_note(edges, BUTTON, 1.0, 2.0);
    edges_forget(edges);
    assert_ticks(edges, BUTTON, 1, (double[]){1.0});
    free(edges);
}

/// An axis that has told nothing yet is no extreme.
TEST(what_is_unknown_is_no_turn)
{
    InputEdges *edges = begin();
    int axis = EDGES_JOYSTICK;
    edges_note(edges, axis, (double)NAN, 0.0);
    edges_forget(edges);
    edges_note(edges, axis, 0.5, 1.0);
    edges_take(edges);
    assert_near(edges->taken[axis], 0.5, 1e-9);
    edges_note(edges, axis, (double)NAN, 2.0);
    edges_take(edges);
    assert_true(isnan(edges->taken[axis]));
    free(edges);
}

/// ---- by SDL's events -----------------------------------------------------------------------------------------------

static void set_button(const FakePad *pad, int button, bool down)
{
    assert_int_equal(SDL_JoystickSetVirtualButton(pad->joystick, button, down), 0);
    SDL_JoystickUpdate(); // as the window's loop does each millisecond; the events stay in SDL's queue
}

TEST(taps_of_a_pad_between_two_looks_are_all_counted)
{
    enum { TAPS = 5, HORN = SDL_CONTROLLER_BUTTON_LEFTSTICK };
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Tapped pad");
    sample_now(devices);
    input_devices_tick(devices);
    for (int k = 0; k < TAPS; k++) {
        set_button(&pad, HORN, true);
        set_button(&pad, HORN, false);
    }
    InputSample sample = sample_now(devices);
    assert_int_equal(sample.pad_pressed[HORN], TAPS);
    assert_int_equal(sample.pad_button[HORN], 0);
    assert_int_equal(sample_now(devices).pad_pressed[HORN], 0);
    for (int k = 0; k < 2 * TAPS; k++) {
        assert_int_equal(input_devices_tick(devices)->pad_button[HORN], k % 2 == 0);
    }
    const InputSample *last = input_devices_tick(devices);
    assert_int_equal(last->pad_button[HORN], 0);
    assert_near(last->waited, 0.0, 0.0);
    unplug(&pad);
    input_devices_close(devices);
}

TEST(a_flick_of_a_stick_between_two_looks_moves_a_tick)
{
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Flicked pad");
    sample_now(devices);
    input_devices_tick(devices);
    move(&pad, SDL_CONTROLLER_AXIS_LEFTX, -1.0);
    SDL_JoystickUpdate();
    SDL_Delay(5);
    move(&pad, SDL_CONTROLLER_AXIS_LEFTX, 0.0);
    SDL_JoystickUpdate();
    assert_axis(sample_now(devices).pad_axis[0], 0.0);
    const InputSample *tick = input_devices_tick(devices);
    assert_axis(tick->pad_axis[0], -1.0);
    assert_true(tick->waited >= 0.004 && tick->waited < 60.0); // s since SDL saw the flick begin
    assert_axis(input_devices_tick(devices)->pad_axis[0], 0.0);
    unplug(&pad);
    input_devices_close(devices);
}

/// Presses in a menu, in which no tick is made, move nothing when the drive goes on; nor does what was under way on a
/// pad that is pulled out.
TEST(what_is_forgotten_moves_nothing)
{
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Forgotten pad");
    sample_now(devices);
    input_devices_tick(devices);
    set_button(&pad, 0, true);
    set_button(&pad, 0, false);
    set_button(&pad, 1, true);
    sample_now(devices);
    input_devices_forget(devices);
    assert_int_equal(input_devices_tick(devices)->pad_button[0], 0);
    assert_int_equal(input_devices_tick(devices)->pad_button[1], 1);
    set_button(&pad, 1, false);
    set_button(&pad, 1, true);
    sample_now(devices);
    unplug(&pad);
    sample_now(devices);
    assert_int_equal(input_devices_tick(devices)->pad_button[1], 0);
    assert_int_equal(input_devices_tick(devices)->pad_button[1], 0);
    input_devices_close(devices);
}

/// A joystick that the map names, and a key: the same.
TEST(taps_of_named_joysticks_and_keys_are_counted)
{
    InputDevices *devices = open_devices();
    const ControlDevice wanted = {.id = "left", .name = "Desk"};
    FakePad stick = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 3, 8, 1, "Desk stick");
    input_devices_use(devices, &wanted, 1);
    sample_now(devices);
    input_devices_tick(devices);
    SDL_Event key = {.key = {.type = SDL_KEYDOWN, .timestamp = 1, .keysym.scancode = SDL_SCANCODE_W}};
    for (int k = 0; k < 3; k++) {
        set_button(&stick, 2, true);
        set_button(&stick, 2, false);
        assert_int_equal(SDL_JoystickSetVirtualHat(stick.joystick, 0, SDL_HAT_DOWN), 0);
        SDL_JoystickUpdate();
        assert_int_equal(SDL_JoystickSetVirtualHat(stick.joystick, 0, SDL_HAT_CENTERED), 0);
        SDL_JoystickUpdate();
        key.type = SDL_KEYDOWN;
        input_devices_handle(devices, &key);
        key.type = SDL_KEYUP;
        input_devices_handle(devices, &key);
    }
    InputSample sample = sample_now(devices);
    assert_int_equal(sample.joystick[0].pressed[2], 3);
    assert_int_equal(sample.joystick[0].pressed[CONTROLS_MAX_BUTTONS + 2], 3);
    assert_int_equal(sample.key_pressed[SDL_SCANCODE_W], 3);
    for (int k = 0; k < 6; k++) {
        const InputSample *tick = input_devices_tick(devices);
        assert_int_equal(tick->joystick[0].button[2], k % 2 == 0);
        assert_int_equal(tick->joystick[0].button[CONTROLS_MAX_BUTTONS + 2], k % 2 == 0);
        assert_int_equal(tick->key[SDL_SCANCODE_W], k % 2 == 0);
    }
    unplug(&stick);
    input_devices_close(devices);
}

TEST_GROUP(start_sdl, stop_sdl)
