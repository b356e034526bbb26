/// The operator is the same with a window, which hands it samples and presses, and without one, where it polls its own
/// pads.
#include <stdio.h>
#include <unistd.h>

#include "machine/drive/drive.h"
#include "tests/support/input_fixture.h"
#include "trainer/pilot/drive.h"
#include "trainer/pilot/operator.h"

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

/// The operator's first look at what was plugged in, once that counts.
static void look_settled(Operator *driver)
{
    operator_look(driver, NULL, NULL, 0.1);
    SDL_Delay(SETTLES_MS);
    operator_look(driver, NULL, NULL, 0.1);
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
    look_settled(driver);
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

/// Who answers two questions with no tick between them answers both: the answer's lever is back at 0 for a tick.
TEST(two_answers_are_parted_by_a_tick)
{
    InputDevices *devices = open_devices();
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.devices = devices}, session);
    const double expected[] = {0.2, 0.0, 0.3, 0.0};
    driver->answer = 2;
    for (int tick = 0; tick < 4; tick++) {
        OperatorControls controls;
        operator_controls(driver, session, &controls);
        assert_near(control_value(&controls, CONTROL_ANSWER), expected[tick], 1e-4);
        driver->answer = tick == 0 ? 3 : driver->answer;
    }
    drop(driver, session);
    input_devices_close(devices);
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
    const MachineEngine *engine = &session_machine_params(session)->engine;
    for (int press = 3; press <= 8; press++) { // eight lead evenly from full to idle
        operator_look(driver, &sample, &(OperatorPresses){.slower = 1}, 0.1);
        double target = engine_target_speed(engine, lever(driver, session, CONTROL_THROTTLE));
        double even = engine->rated_speed - press / 8.0 * (engine->rated_speed - engine->idle_speed);
        assert_near(target, even, 0.01);
    }
    operator_look(driver, &sample, &(OperatorPresses){.slower = 20}, 0.1);
    assert_near(lever(driver, session, CONTROL_THROTTLE), -1.0, 1e-4);
    Status status;
    assert_true(operator_restart(driver, session, &status));
    assert_near(lever(driver, session, CONTROL_THROTTLE), 1.0, 1e-4);
    drop(driver, session);
    input_devices_close(devices);
}

/// Three taps between two looks sound the horn in three ticks and step the throttle three times; a menu in which no
/// tick is made swallows what was pressed in it.
TEST(no_tap_between_two_looks_is_lost)
{
    FakePad pad = plug_pad("Pad");
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.name = "gamepad"}, session);
    look_settled(driver);
    OperatorControls controls;
    operator_controls(driver, session, &controls);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 6; k++) {
            press(&pad, SDL_CONTROLLER_BUTTON_X, k % 2 == 0);
            press(&pad, SDL_CONTROLLER_BUTTON_A, k % 2 == 0);
            SDL_JoystickUpdate();
        }
        operator_look(driver, NULL, NULL, 0.1);
        if (round == 1) {
            operator_rest(driver);
        }
        int sounds = 0;
        bool sounded = false;
        for (int tick = 0; tick < 10; tick++) {
            operator_controls(driver, session, &controls);
            bool now = controls.axis[CONTROL_HORN] != 0;
            sounds += now && !sounded;
            sounded = now;
        }
        assert_int_equal(sounds, round == 0 ? 3 : 0);
        assert_near(driver->throttle, 1.0 - 0.25 * 3 * (round + 1), 1e-9); // 3 presses of a quarter a round
    }
    drop(driver, session);
    unplug(&pad);
}

/// A pad that is pulled out in mid-swing drops the levers; the next one that is plugged in drives on.
TEST(without_a_window_a_lost_pad_is_neutral)
{
    FakePad pad = plug_pad("Pad");
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.name = "gamepad"}, session);
    look_settled(driver);
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
    FakePad stranger = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 3, 2, 0, "Foot pedals");
    assert_false(operator_create(&driver, &(OperatorParams){.name = "gamepad"}, session, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "Foot pedals moves nothing"));
    assert_non_null(strstr(status.text, "spadework calibrate"));
    unplug(&stranger);
    assert_false(operator_create(&driver, &(OperatorParams){.name = "keyboard"}, session, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    session_destroy(session);
}

static void end_drive(Drive *drive)
{
    Status status;
    assert_good(drive_close(drive, true, &status), status);
    drive_destroy(drive);
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
        end_drive(with);
        assert_true(drive_create(with, &(DriveParams){.options = &options, .devices = devices}, &status));
        assert_int_equal(with->end_tick, 30);
        end_drive(with);
        end_drive(without);
        free(with);
        free(without);
    }
    input_devices_close(devices);
}

/// What a pad with motors was last asked for.
typedef struct Shaken {
    int count;
    double low, high; ///< 0..1
} Shaken;

static int SDLCALL take_rumble(void *userdata, Uint16 low, Uint16 high)
{
    Shaken *shaken = userdata;
    *shaken = (Shaken){shaken->count + 1, low / 65535.0, high / 65535.0};
    return 0;
}

static FakePad plug_shaking_pad(Shaken *shaken)
{
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                    .naxes = SDL_CONTROLLER_AXIS_MAX,
                                    .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                    .vendor_id = 0x1209,
                                    .product_id = 0x7778,
                                    .name = "Shaking pad",
                                    .userdata = shaken,
                                    .Rumble = take_rumble};
    int index = SDL_JoystickAttachVirtualEx(&desc);
    assert_true(index >= 0);
    FakePad pad = {SDL_JoystickGetDeviceInstanceID(index), SDL_JoystickOpen(index)};
    assert_non_null(pad.joystick);
    return pad;
}

/// The strongest pulse among events of the last tick; `count`: events before it.
static InputPulse pulse_since(const Session *session, int count)
{
    InputPulse strongest = {0};
    for (int k = count; k < exercise_event_count(session_exercise(session)); k++) {
        InputPulse pulse = event_pulse(exercise_event(session_exercise(session), k));
        strongest = pulse.low > strongest.low ? pulse : strongest;
    }
    return strongest;
}

/// Swings a bucket into a container: the pad gets a pulse in the same round, and it ends.
static void swing_into_container(bool still)
{
    Shaken shaken = {0};
    Status status;
    FakePad pad = plug_shaking_pad(&shaken);
    Session *session = session_create(&(SessionParams){.scene = "tight-site", .threads = 1}, &status);
    assert_good(session != NULL, status);
    Operator *driver = make_operator(&(OperatorParams){.name = "gamepad", .still = still}, session);
    int touches = 0;
    for (int k = 0; k < 240; k++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = k < 40 ? control_quantise(0.3) : 0;
        controls.axis[CONTROL_SWING] = control_quantise(-1.0);
        int events = exercise_event_count(session_exercise(session)), before = shaken.count;
        session_tick(session, &controls);
        operator_feel(driver, session, 1.0 / 60.0);
        InputPulse pulse = pulse_since(session, events);
        if (pulse.time > 0.0 && pulse.low >= driver->pulse.low) {
            double strength = input_map_rumble(driver->map)->tool;
            assert_true(still || (shaken.count > before && shaken.low > strength * pulse.low - 0.001));
            touches++;
        }
    }
    assert_true(touches > 0);
    assert_true(still ? shaken.count == 0 : driver->pulse.time <= 0.0);
    drop(driver, session);
    unplug(&pad);
}

TEST(a_touch_is_felt_as_a_pulse)
{
    swing_into_container(false);
    swing_into_container(true);
}

static ExerciseEvent event_of(EventKind kind, double impulse, double speed)
{
    return (ExerciseEvent){.kind = (int32_t)kind, .number = {.impulse = impulse, .speed = speed}};
}

/// A heavier blow is a stronger pulse, up to all that a motor gives; what is no blow is none.
TEST(pulses_follow_what_happened)
{
    ExerciseEvent light = event_of(EVENT_TOUCH, 1.0, 0.0), half = event_of(EVENT_TOUCH, 5e3, 0.0),
                  heavy = event_of(EVENT_TOUCH, 1e6, 0.0);
    assert_near(event_pulse(&light).low, 0.2, 1e-12);
    assert_near(event_pulse(&half).low, 0.5, 1e-12);
    assert_near(event_pulse(&heavy).low, 1.0, 1e-12);
    assert_near(event_pulse(&heavy).high, 0.4, 1e-12);
    ExerciseEvent slam = event_of(EVENT_SLAM, 0.0, -0.25), tip = event_of(EVENT_TIP_BEGINS, 0.0, 0.0),
                  cycle = event_of(EVENT_CYCLE, 1e4, 1.0);
    assert_near(event_pulse(&slam).low, 0.35, 1e-12);
    assert_true(event_pulse(&tip).high > event_pulse(&slam).high && event_pulse(&tip).time > event_pulse(&slam).time);
    assert_near(event_pulse(&cycle).time, 0.0, 1e-12);
    assert_true(event_pulse_slip().high > 0.0 && event_pulse_slip().low <= 0.0);
}

/// The stronger of what is felt all the time and of the pulse, by the map's strength.
TEST(a_pulse_is_added_to_what_is_felt)
{
    const ControlRumble half = {.tool = 0.5, .engine = 0.2}, off = {0};
    const InputPulse pulse = {.low = 1.0, .high = 0.2, .time = 0.1};
    InputShake shake = input_shake_add(&half, (InputShake){.low = 0.1, .high = 0.3}, &pulse);
    assert_near(shake.low, 0.5, 1e-12);
    assert_near(shake.high, 0.3, 1e-12);
    shake = input_shake_add(&off, (InputShake){0}, &pulse);
    assert_near(shake.low + shake.high, 0.0, 1e-12);
    shake = input_shake_add(&half, (InputShake){0}, &(InputPulse){.low = (double)NAN, .high = -1.0, .time = 1.0});
    assert_near(shake.low + shake.high, 0.0, 1e-12);
}

TEST(who_cannot_be_had_is_told)
{
    static const struct {
        OperatorParams params;
        const char *says;
    } wrong[] = {
        {{.name = "gamepad", .clumsy = 0.5}, "--clumsy needs a scripted operator"},
        {{.name = "expert"}, "the scene names no expert"},
        {{.name = "expert:nobody"}, "nobody"},
    };
    Session *session = make_session();
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Operator driver;
        Status status = {0};
        assert_false(operator_create(&driver, &wrong[k].params, session, &status));
        assert_non_null(strstr(status.text, wrong[k].says));
    }
    session_destroy(session);
}

TEST(an_expert_drives_by_its_name_and_begins_again)
{
    Session *session = make_session();
    Operator *driver = make_operator(&(OperatorParams){.name = "expert:free", .clumsy = 0.25}, session);
    assert_string_equal(driver->name, "expert:free, clumsy 0.25");
    OperatorControls first, again;
    for (int tick = 0; tick < 120; tick++) {
        operator_controls(driver, session, &first);
        session_tick(session, &first);
    }
    Session *other = make_session();
    Status status = {0};
    assert_good(operator_restart(driver, other, &status), status);
    for (int tick = 0; tick < 120; tick++) {
        operator_controls(driver, other, &again);
        session_tick(other, &again);
    }
    assert_memory_equal(&first, &again, sizeof first);
    bool moves = false;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        moves = moves || (axis != CONTROL_THROTTLE && first.axis[axis] != 0);
    }
    assert_true(moves);
    session_destroy(other);
    drop(driver, session);
}

/// A script of levers for a bulldozer, and the line that is said about it.
static void expect_advice(const char *csv, const char *says)
{
    Status status;
    char path[64];
    snprintf(path, sizeof path, "/tmp/spadework-script-%d.csv", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(csv, file);
    assert_int_equal(fclose(file), 0);
    Session *session = session_create(&(SessionParams){.scene = "ripping", .threads = 1}, &status);
    assert_good(session != NULL, status);
    Operator *driver = make_operator(&(OperatorParams){.name = path}, session);
    assert_int_equal(remove(path), 0);
    if (says[0] == '\0') {
        assert_string_equal(driver->advice, "");
    } else {
        assert_non_null(strstr(driver->advice, says));
    }
    drop(driver, session);
}

/// Its ripper starts raised, so that a script which means to lower it by -1 drives about without a word.
TEST(a_script_that_only_raises_the_raised_ripper_is_reported)
{
    expect_advice("t,left_track,right_track,ripper\n0,0,0,-1\n3,0.3,0.3,0\n9,0,0,0\n",
                  "column ripper is never above 0");
    expect_advice("t,left_track,right_track,ripper\n0,0,0,1\n3,0.3,0.3,0\n9,0,0,-1\n", "");
    expect_advice("t,left_track,right_track,ripper\n0,0,0,1\n9,0,0,0\n", "");
    expect_advice("t,left_track,right_track\n0,0,0\n9,1,1\n", "");
    expect_advice("t,blade,ripper\n0,-1,0\n9,0,0\n", "");
}

TEST_GROUP(start_sdl, stop_sdl)
