/// The screen's table of what each axis does, and the driver behind it, with SDL's virtual joysticks.

#include "tests/support/input_fixture.h"
#include "trainer/screens/axes_table.h"
#include "trainer/screens/hints.h"

/// A driver at two joysticks of the shipped map; the pedals are missing.
typedef struct Seat {
    Session *session;
    InputDevices *devices;
    Operator driver;
    Hints hints;
    AxesTable texts;
    RenderControls shown;
    InputSample sample;
    OperatorControls controls;
} Seat;

static Seat *sit(const char *operator_name, const char *controls)
{
    Status status;
    Seat *seat = calloc(1, sizeof(*seat));
    assert_non_null(seat);
    seat->session = session_create(&(SessionParams){.scene = "free", .threads = 1}, &status);
    seat->devices = open_devices();
    OperatorParams params = {.name = operator_name, .controls = controls, .devices = seat->devices};
    if (!seat->session || !operator_create(&seat->driver, &params, seat->session, &status)) {
        fail_msg("%s", status.text);
    }
    hints_describe(&seat->hints, &seat->driver, session_machine_params(seat->session));
    return seat;
}

static void leave(Seat *seat)
{
    operator_destroy(&seat->driver);
    input_devices_close(seat->devices);
    session_destroy(seat->session);
    free(seat);
}

/// A frame of one second: what the screen shows afterwards.
static const RenderControls *frame(Seat *seat)
{
    const OperatorPresses nothing = {0};
    seat->sample = sample_now(seat->devices);
    operator_look(&seat->driver, &seat->sample, &nothing, 1.0);
    for (int tick = 0; tick < 60; tick++) {
        operator_controls(&seat->driver, seat->session, &seat->controls);
    }
    axes_table_show(&seat->texts, &seat->driver, seat->hints.pattern, seat->session, &seat->shown);
    return &seat->shown;
}

static const RenderControl *find_row(const RenderControls *shown, const char *lever)
{
    for (int i = 0; i < shown->count; i++) {
        if (strcmp(shown->rows[i].lever, lever) == 0) {
            return &shown->rows[i];
        }
    }
    fail_msg("%s is not shown", lever);
    return NULL;
}

static FakePad plug_joystick(void)
{
    FakePad pad = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 3, 8, 1, "Desk Joystick");
    return pad;
}

TEST(the_table_tells_axis_reading_and_lever)
{
    FakePad left = plug_joystick(), right = plug_joystick();
    Seat *seat = sit(NULL, "joysticks-iso");
    frame(seat);
    for (int axis = 0; axis < 2; axis++) {
        move(&left, axis, 0.01);
        move(&right, axis, 0.01);
    }
    frame(seat);
    move(&left, 0, -0.5);
    const RenderControls *shown = frame(seat);
    const RenderControl *swing = find_row(shown, "Swing"), *boom = find_row(shown, "Boom");
    assert_string_equal(swing->source, "left axis 0");
    assert_true(swing->moved && swing->analog && !swing->waiting);
    assert_axis(swing->raw, -0.5);
    // The shipped curve of the swing: dead zone 0.1, exponent 1.6.
    assert_axis(swing->value, -pow((0.5 - 0.1) / 0.9, 1.6));
    assert_axis(control_value(&seat->controls, CONTROL_SWING), swing->value);
    assert_false(boom->moved);
    assert_string_equal(boom->source, "right axis 1 +/-, K/I");
    assert_axis(find_row(shown, "Engine")->value, 1.0);
    assert_int_equal(shown->device_count, 3);
    assert_string_equal(shown->devices[0], "left: Desk Joystick");
    assert_true(shown->device_present[1]);
    assert_false(shown->device_present[2]);
    assert_string_equal(shown->devices[2], "pedals: not plugged in (the map seeks \"pedals\")");

    unplug(&left); // in mid-swing
    shown = frame(seat);
    assert_true(seat->driver.pad_lost);
    assert_int_equal(seat->controls.axis[CONTROL_SWING], 0);
    assert_false(shown->device_present[0]);
    left = plug_joystick();
    move(&left, 0, 0.9); // held while it is plugged in
    shown = frame(seat);
    assert_false(seat->driver.pad_lost);
    assert_int_equal(seat->controls.axis[CONTROL_SWING], 0);
    assert_true(find_row(shown, "Swing")->waiting && find_row(shown, "Swing")->unrested);
    leave(seat);
    unplug(&left);
    unplug(&right);
}

/// What nothing names is said when driving begins and when it comes, stands in the table, and moves nothing; pulled out
/// it pauses nothing. Lines about devices follow one another.
TEST(a_stranger_is_told_and_moves_nothing)
{
    FakePad pedals = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 3, 1, 0, "Foot set"), left = plug_joystick();
    Seat *seat = sit(NULL, "joysticks-iso");
    const char *const told[] = {"Desk Joystick is left", "right is not plugged in", "pedals is not plugged in",
                                "Foot set moves nothing until it is set up"};
    const RenderControls *shown = NULL;
    for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
        shown = frame(seat);
        char text[INPUT_NEWS_TEXT];
        input_news_text(&seat->driver.notice, &(TextReader){.english = true}, text);
        assert_string_equal(text, told[k]);
        shown = frame(seat); // a line is there for two frames of a second
    }
    assert_int_equal(shown->device_count, 4);
    assert_string_equal(shown->devices[3], "Foot set: not set up, moves nothing");
    assert_false(shown->device_present[3]);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = -1; k <= 1; k++) {
            move(&pedals, axis, k);
            frame(seat);
            assert_memory_equal(&seat->controls, &control_neutral, sizeof control_neutral);
        }
    }
    unplug(&pedals);
    frame(seat);
    assert_false(seat->driver.pad_lost);
    leave(seat);
    unplug(&left);
}

TEST(another_operator_is_named)
{
    Seat *seat = sit("auto", NULL);
    const RenderControls *shown = frame(seat);
    assert_string_equal(find_row(shown, "Boom")->source, "the automatic operator");
    assert_int_equal(shown->device_count, 0);
    leave(seat);
}

static bool has_hint(const Hints *hints, const char *start)
{
    for (int k = 0; k < hints->count; k++) {
        if (strncmp(hints->text[k], start, strlen(start)) == 0) {
            return true;
        }
    }
    return false;
}

/// Each action of each shipped map has its line, the lever of a hammer included, and the keys come after them.
TEST(all_hints_of_the_shipped_maps_fit)
{
    static const char *const maps[] = {"iso", "bhl", "joysticks-iso", "joysticks-bhl", "dozer"};
    for (size_t k = 0; k < sizeof(maps) / sizeof(maps[0]); k++) {
        Seat *seat = sit(NULL, maps[k]);
        assert_false(has_hint(&seat->hints, "hammer: "));
        assert_true(has_hint(&seat->hints, "mouse, Q, E: look round"));
        MachineParams *machine = malloc(sizeof(*machine));
        assert_non_null(machine);
        *machine = *session_machine_params(seat->session);
        machine->hammer.blow_energy = 1000.0;
        hints_describe(&seat->hints, &seat->driver, machine);
        free(machine);
        assert_true(has_hint(&seat->hints, "hammer: ") || strcmp(maps[k], "dozer") == 0);
        assert_true(has_hint(&seat->hints, "start again: "));
        assert_true(has_hint(&seat->hints, "F1 help"));
        for (int i = 0; i < seat->hints.count; i++) { // the menu's key stands beside the pause's
            const char *text = seat->hints.text[i];
            assert_true(strncmp(text, "pause: ", 7) != 0 || strstr(text, ", P, Escape") != NULL);
        }
        int actions = 0;
        for (int i = 0; i < seat->driver.controls->action_count; i++) {
            const char *name = seat->driver.controls->actions[i].name;
            actions +=
                has_hint(&seat->hints, name) || strstr("throttle_up throttle_down reset look menu", name) != NULL;
        }
        assert_int_equal(actions, seat->driver.controls->action_count);
        assert_true(seat->hints.count <= RENDER_MAX_HINTS);
        leave(seat);
    }
}

TEST_MAIN(start_sdl, stop_sdl)
