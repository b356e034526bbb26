/// The operator is the same with a window, which hands it samples and presses, and without one, where it polls its own
/// pads.
#include "tests/support/input_fixture.h"
#include "trainer/command/drive.h"

static Session *make_session(void)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "free", .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static Operator *make_operator(const OperatorParams *params, const Session *session)
{
    Status status;
    Operator *driver = calloc(1, sizeof *driver);
    assert_non_null(driver);
    assert_good(operator_create(driver, params, session, &status), status);
    return driver;
}

static double lever(Operator *driver, Session *session, ControlAxis axis)
{
    OperatorControls controls;
    for (int tick = 0; tick < 60; tick++) { // a second: longer than any rate limit
        operator_controls(driver, session, &controls);
    }
    return control_value(&controls, axis);
}

static void press(const FakePad *pad, int button, bool down)
{
    assert_int_equal(SDL_JoystickSetVirtualButton(pad->joystick, button, down), 0);
}

static void drop(Operator *driver, Session *session)
{
    operator_destroy(driver);
    free(driver);
    session_destroy(session);
}

/// The engine begins at full speed; pad X slows it by a quarter a press, however long it is held.
TEST(without_a_window_pad_buttons_step_the_throttle)
{
    FakePad pad = plug_pad("Pad");
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.name = "gamepad"}, session);
    assert_int_equal(driver->kind, OPERATOR_PERSON);
    operator_look(driver, NULL, NULL, 0.1);
    assert_near(lever(driver, session, CONTROL_THROTTLE), 1.0, 1e-4);
    for (int k = 0; k < 2; k++) {
        press(&pad, SDL_CONTROLLER_BUTTON_X, true);
        operator_look(driver, NULL, NULL, 0.1);
        operator_look(driver, NULL, NULL, 0.1);
        press(&pad, SDL_CONTROLLER_BUTTON_X, false);
        operator_look(driver, NULL, NULL, 0.1);
    }
    assert_near(lever(driver, session, CONTROL_THROTTLE), 0.5, 1e-4);
    press(&pad, SDL_CONTROLLER_BUTTON_Y, true);
    operator_look(driver, NULL, NULL, 0.1);
    assert_near(lever(driver, session, CONTROL_THROTTLE), 0.75, 1e-4);
    drop(driver, session);
    unplug(&pad);
}

TEST(with_a_window_its_presses_step_the_throttle)
{
    InputDevices *devices = open_devices();
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.devices = devices}, session);
    assert_string_equal(driver->name, "person");
    InputSample sample = sample_now(devices);
    operator_look(driver, &sample, &(OperatorPresses){.slower = 2}, 0.1);
    assert_near(lever(driver, session, CONTROL_THROTTLE), 0.5, 1e-4);
    operator_look(driver, &sample, &(OperatorPresses){.slower = 20}, 0.1);
    assert_near(lever(driver, session, CONTROL_THROTTLE), -1.0, 1e-4);
    Status status;
    assert_true(operator_restart(driver, session, &status));
    assert_near(lever(driver, session, CONTROL_THROTTLE), 1.0, 1e-4);
    drop(driver, session);
    input_devices_close(devices);
}

/// A pad that is pulled out in mid-swing drops the levers; the next one that is plugged in drives on.
TEST(without_a_window_a_lost_pad_is_neutral)
{
    FakePad pad = plug_pad("Pad");
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.name = "gamepad"}, session);
    operator_look(driver, NULL, NULL, 0.1);
    move(&pad, SDL_CONTROLLER_AXIS_LEFTX, 1.0);
    operator_look(driver, NULL, NULL, 0.1);
    assert_near(lever(driver, session, CONTROL_SWING), 1.0, 1e-3);
    unplug(&pad);
    operator_look(driver, NULL, NULL, 0.1);
    assert_true(driver->pad_lost);
    OperatorControls controls;
    operator_controls(driver, session, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], 0);
    pad = plug_pad("Pad");
    operator_look(driver, NULL, NULL, 0.1);
    assert_false(driver->pad_lost);
    drop(driver, session);
    unplug(&pad);
}

TEST(without_a_window_a_person_needs_a_pad)
{
    Session *session = make_session();
    Operator driver;
    Status status;
    assert_false(operator_create(&driver, &(OperatorParams){.name = "gamepad"}, session, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_false(operator_create(&driver, &(OperatorParams){.name = "keyboard"}, session, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    session_destroy(session);
}

/// The end does not depend on the window, but for a person, who is not sent away from one.
TEST(a_window_ends_a_drive_at_the_same_tick)
{
    InputDevices *devices = open_devices();
    const char *const operators[] = {"auto", NULL};
    for (int k = 0; k < 2; k++) {
        RunOptions options = {.scene = "free", .threads = 1, .operator_name = operators[k]};
        Drive *with = calloc(1, sizeof *with), *without = calloc(1, sizeof *without);
        Status status;
        assert_true(drive_create(with, &(DriveParams){.options = &options, .devices = devices}, &status));
        assert_true(drive_create(without, &(DriveParams){.options = &options}, &status));
        assert_int_equal(with->until_finished, k == 0);
        assert_true(with->end_tick == (k == 0 ? without->end_tick : INT64_MAX));
        options.seconds = 0.5;
        drive_destroy(with);
        assert_true(drive_create(with, &(DriveParams){.options = &options, .devices = devices}, &status));
        assert_int_equal(with->end_tick, 30);
        drive_destroy(with);
        drive_destroy(without);
        free(with);
        free(without);
    }
    input_devices_close(devices);
}

TEST_MAIN(start_sdl, stop_sdl)
