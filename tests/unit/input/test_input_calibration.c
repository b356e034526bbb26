/// The calibration assistant: a cab of two equal joysticks and pedals, moved by a script, gives a map that is written,
/// read again and drives; wrong moves are refused with what was read and what is allowed.
// test: sanitized

#include "data/schema/controls_params.h"
#include "data/schema/load.h"
#include "input/calibration.h"
#include "tests/support/test.h"

static const double tick = 1.0 / 60.0;
enum { LEFT, RIGHT, FEET, DEVICES };

/// The assistant, and the devices it looks at.
typedef struct Desk {
    ControlsParams base;
    Calibration calibration;
    InputSample sample;
} Desk;

/// Sticks rest near their middle, pedals at one end; nothing has noise unless a test makes it.
static Desk *sit_down(const char *base)
{
    static const ControlDevice devices[DEVICES] = {{.id = "dev1", .name = "Desk stick", .usb = "1209:0001"},
                                                   {.id = "dev2", .name = "Desk stick", .usb = "1209:0001"},
                                                   {.id = "dev3", .name = "It's pedals", .usb = "1209:0002"}};
    Status status;
    Desk *desk = calloc(1, sizeof(*desk));
    assert_non_null(desk);
    assert_good(data_load_controls(base, &desk->base, NULL, &status), status);
    calibration_start(&desk->calibration, &desk->base, devices, DEVICES);
    for (int i = 0; i < DEVICES; i++) {
        desk->sample.joystick[i].present = true;
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            double rest = axis > 3 ? (double)NAN : i == FEET ? -1.0 : 0.02 * axis;
            desk->sample.joystick[i].axis[axis] = desk->sample.joystick[i].first[axis] = rest;
        }
    }
    return desk;
}

/// Looks for some seconds; the first answer, or CALIBRATION_WAITS.
static CalibrationAnswer watch(Desk *desk, double seconds)
{
    CalibrationAnswer answer = CALIBRATION_WAITS;
    for (int i = 0; i < (int)(seconds / tick) && answer == CALIBRATION_WAITS; i++) {
        answer = calibration_watch(&desk->calibration, &desk->sample, tick);
    }
    return answer;
}

static void rest(Desk *desk)
{
    assert_int_equal(watch(desk, 2.0), CALIBRATION_TAKEN);
}

/// Moves an axis to `end` and lets it go; the answer.
static CalibrationAnswer swing_axis(Desk *desk, int device, int axis, double end)
{
    double *value = &desk->sample.joystick[device].axis[axis], before = *value;
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    for (int i = 1; i <= 10; i++) {
        *value = before + (end - before) * i / 10.0;
        assert_int_equal(watch(desk, 2.0 * tick), CALIBRATION_WAITS);
    }
    *value = before;
    return watch(desk, 0.1);
}

/// Moves a wheel to a place and leaves it there; the answer.
static CalibrationAnswer place_axis(Desk *desk, int device, int axis, double place)
{
    double *value = &desk->sample.joystick[device].axis[axis], before = *value;
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    for (int i = 1; i <= 10; i++) {
        *value = before + (place - before) * i / 10.0;
        assert_int_equal(watch(desk, 2.0 * tick), CALIBRATION_WAITS);
    }
    return watch(desk, 1.2);
}

static CalibrationAnswer press(Desk *desk, int device, int button)
{
    assert_int_equal(watch(desk, 0.1), CALIBRATION_WAITS);
    desk->sample.joystick[device].button[button] = 1;
    CalibrationAnswer answer = watch(desk, 0.1);
    desk->sample.joystick[device].button[button] = 0;
    return answer;
}

static void assert_refused(const Desk *desk, CalibrationAnswer answer, const char *part, const char *other)
{
    assert_int_equal(answer, CALIBRATION_REFUSED);
    if (!strstr(desk->calibration.text, part) || !strstr(desk->calibration.text, other)) {
        fail_msg("\"%s\" does not say \"%s\" and \"%s\"", desk->calibration.text, part, other);
    }
}

static void assert_asks(const Desk *desk, const char *part)
{
    char text[CALIBRATION_TEXT];
    calibration_prompt(&desk->calibration, text, (int)sizeof(text));
    if (!strstr(text, part)) {
        fail_msg("\"%s\" does not ask for \"%s\"", text, part);
    }
}

/// Both ways of a lever, the first one first.
static void move_lever(Desk *desk, int device, int axis, double plus, const char *name)
{
    assert_asks(desk, name);
    assert_int_equal(swing_axis(desk, device, axis, plus), CALIBRATION_TAKEN);
    assert_int_equal(swing_axis(desk, device, axis, -plus), CALIBRATION_TAKEN);
}

static void move_pedal(Desk *desk, int axis)
{
    assert_int_equal(swing_axis(desk, FEET, axis, 0.9), CALIBRATION_TAKEN);
    assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN); // no other way
    assert_asks(desk, "turns the lever round");
    assert_int_equal(press(desk, LEFT, 0), CALIBRATION_TAKEN);
}

/// Answers all questions for a cab whose boom and bucket are on the right stick.
static void answer_all(Desk *desk)
{
    rest(desk);
    move_lever(desk, LEFT, 0, 0.9, "swing right: left lever to the right");
    move_lever(desk, LEFT, 1, 0.9, "stick in: left lever back");
    move_lever(desk, RIGHT, 1, 0.9, "boom up: right lever back");
    move_lever(desk, RIGHT, 0, -0.9, "bucket curl: right lever to the left");
    move_pedal(desk, 0);
    move_pedal(desk, 2);
    assert_asks(desk, "engine idle: throttle wheel or slider to idle, and leave it there");
    assert_int_equal(place_axis(desk, LEFT, 3, 0.95), CALIBRATION_TAKEN);
    assert_asks(desk, "engine full");
    assert_int_equal(place_axis(desk, LEFT, 3, -0.85), CALIBRATION_TAKEN);
    assert_asks(desk, "horn");
    assert_int_equal(press(desk, RIGHT, 0), CALIBRATION_TAKEN);
    assert_asks(desk, "camera");
    assert_int_equal(press(desk, RIGHT, CONTROLS_MAX_BUTTONS + 1), CALIBRATION_TAKEN);
    while (!calibration_is_done(&desk->calibration)) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
}

/// Writes the map to a file and reads it again, as the program does.
static ControlsParams write_and_read(const ControlsParams *params)
{
    char path[] = "/tmp/spadework-calibration-XXXXXX";
    Status status;
    ControlsParams back;
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    assert_true(controls_write(params, stream));
    assert_int_equal(fclose(stream), 0);
    bool good = data_load_controls(path, &back, NULL, &status);
    remove(path);
    assert_good(good, status);
    return back;
}

static OperatorControls drive(InputMap *map, InputSample sample, int device, int axis, double value, bool trigger)
{
    InputMemory memory = {0};
    OperatorControls controls;
    input_map_apply(map, &sample, 10.0, &memory, &controls);
    sample.joystick[device].axis[axis] = value;
    sample.joystick[LEFT].button[0] = trigger;
    input_map_apply(map, &sample, 10.0, &memory, &controls);
    return controls;
}

TEST(a_cab_is_calibrated_and_drives)
{
    Desk *desk = sit_down("iso");
    ControlsParams params;
    Status status;
    answer_all(desk);
    assert_good(calibration_result(&desk->calibration, &params, &status), status);
    params = write_and_read(&params);
    assert_int_equal(params.device_count, DEVICES);
    assert_string_equal(params.devices[LEFT].id, "left");
    assert_string_equal(params.devices[RIGHT].id, "right");
    assert_string_equal(params.devices[FEET].id, "pedals");
    assert_string_equal(params.devices[FEET].name, "It's pedals");
    InputMap *map = input_map_create(&params, &status);
    assert_non_null(map);
    const struct {
        int device, axis;
        double value;
        bool trigger;
        ControlAxis lever;
        int way;
    } moves[] = {{LEFT, 0, 0.9, false, CONTROL_SWING, 1},      {LEFT, 0, -0.9, false, CONTROL_SWING, -1},
                 {LEFT, 1, 0.9, false, CONTROL_STICK, 1},      {RIGHT, 1, 0.9, false, CONTROL_BOOM, 1},
                 {RIGHT, 0, -0.9, false, CONTROL_BUCKET, 1},   {RIGHT, 0, 0.9, false, CONTROL_BUCKET, -1},
                 {FEET, 0, 0.9, false, CONTROL_LEFT_TRACK, 1}, {FEET, 0, 0.9, true, CONTROL_LEFT_TRACK, -1},
                 {FEET, 2, 0.9, false, CONTROL_RIGHT_TRACK, 1}};
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        OperatorControls controls =
            drive(map, desk->sample, moves[i].device, moves[i].axis, moves[i].value, moves[i].trigger);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            int expected = axis == (int)moves[i].lever ? moves[i].way * CONTROL_FULL : control_neutral.axis[axis];
            assert_int_equal(controls.axis[axis], expected);
        }
    }
    for (int k = 0; k <= 8; k++) { // the wheel: +0.95 is idle, -0.85 full, both reached before the very end
        double place = 0.95 - 1.8 * k / 8.0, even = fmax(-1.0, fmin(1.0, (0.05 - place) / (0.97 * 0.9)));
        OperatorControls controls = drive(map, desk->sample, LEFT, 3, place, false);
        assert_near(control_value(&controls, CONTROL_THROTTLE), even, 1e-3);
    }
    InputSample sample = desk->sample;
    sample.joystick[RIGHT].pressed[CONTROLS_MAX_BUTTONS + 1] = 1;
    assert_int_equal(input_map_presses(map, &sample, "camera"), 1);
    sample = desk->sample;
    sample.key[4] = 1; // A: the keyboard of the base map is still there
    InputMemory memory = {0};
    OperatorControls controls;
    input_map_apply(map, &sample, 10.0, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], -CONTROL_FULL);
    input_map_destroy(map);
    free(desk);
}

TEST(wrong_moves_are_refused)
{
    Desk *desk = sit_down("bhl");
    assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_REFUSED); // the rest must be known
    rest(desk);
    assert_refused(desk, swing_axis(desk, LEFT, 0, 0.2), "dev1 axis 0 moved by 0.20", "allowed is at least 0.5");
    assert_asks(desk, "swing right");
    // Two levers at once.
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    desk->sample.joystick[RIGHT].axis[0] = 0.8;
    desk->sample.joystick[LEFT].axis[0] = 1.0;
    assert_int_equal(watch(desk, 0.1), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].axis[0] = 0.0;
    assert_refused(desk, watch(desk, 0.1), "dev1 axis 0 moved by 1.00 and another axis by 0.80", "one at a time");
    desk->sample.joystick[RIGHT].axis[0] = 0.0;
    assert_int_equal(swing_axis(desk, LEFT, 0, 0.9), CALIBRATION_TAKEN);
    // The same way again instead of the other one.
    assert_refused(desk, swing_axis(desk, LEFT, 0, 0.9), "dev1 axis 0 to +0.90 is swing right already",
                   "allowed is one");
    assert_int_equal(swing_axis(desk, LEFT, 0, -0.9), CALIBRATION_TAKEN);
    assert_asks(desk, "stick in: right lever back");
    assert_refused(desk, swing_axis(desk, LEFT, 0, -0.9), "is swing left already", "allowed is one");
    calibration_back(&desk->calibration);
    assert_asks(desk, "swing left");
    assert_int_equal(swing_axis(desk, LEFT, 0, -0.9), CALIBRATION_TAKEN);
    while (desk->calibration.steps[desk->calibration.step].kind != CALIBRATION_BUTTON) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
    assert_int_equal(press(desk, LEFT, 3), CALIBRATION_TAKEN);
    assert_refused(desk, press(desk, LEFT, 3), "button dev1:3 is taken already", "another one");
    free(desk);
}

TEST(one_press_skips_all_optional_questions_and_no_others)
{
    Desk *desk = sit_down("iso");
    Calibration *calibration = &desk->calibration;
    assert_false(calibration_may_skip_rest(calibration));
    calibration_skip_rest(calibration);
    assert_int_equal(calibration->step, 0); // levers are asked for
    rest(desk);
    move_lever(desk, LEFT, 0, 0.9, "swing right: left lever to the right");
    while (calibration->steps[calibration->step].kind != CALIBRATION_BUTTON) {
        assert_false(calibration_may_skip_rest(calibration));
        assert_int_equal(calibration_skip(calibration), CALIBRATION_TAKEN);
    }
    assert_int_equal(press(desk, RIGHT, 0), CALIBRATION_TAKEN); // the horn
    assert_true(calibration_may_skip_rest(calibration));
    calibration_skip_rest(calibration);
    assert_true(calibration_is_done(calibration));
    ControlsParams *params = calloc(1, sizeof *params);
    Status status;
    assert_good(calibration_result(calibration, params, &status), status);
    bool horn = false;
    for (int k = 0; k < params->binding_count; k++) {
        horn |=
            params->bindings[k].source == CONTROL_SOURCE_JOYSTICK_BUTTON && params->bindings[k].axis == CONTROL_HORN;
        assert_true(params->bindings[k].source != CONTROL_SOURCE_JOYSTICK_BUTTON ||
                    params->bindings[k].axis != CONTROL_IGNITION);
    }
    assert_true(horn); // what was answered before stays
    calibration_back(calibration);
    assert_false(calibration_is_done(calibration));
    free(params);
    free(desk);
}

TEST(a_restless_axis_is_told_and_left_out)
{
    Desk *desk = sit_down("iso");
    int refused = 0, taken = 0;
    for (int i = 0; i < 3000 && !taken; i++) {
        desk->sample.joystick[FEET].axis[3] = i % 2 ? 0.7 : -0.7;
        CalibrationAnswer answer = calibration_watch(&desk->calibration, &desk->sample, tick);
        refused += answer == CALIBRATION_REFUSED;
        taken += answer == CALIBRATION_TAKEN;
        if (answer == CALIBRATION_REFUSED) {
            assert_refused(desk, answer, "dev3 axis 3 went from -0.70 to +0.70", "allowed at rest is 0.1");
        }
    }
    assert_true(taken && refused >= 2 && refused < 10);
    for (int i = 0; i < 100; i++) { // it goes on jumping and moves no lever
        desk->sample.joystick[FEET].axis[3] = i % 2 ? 1.0 : -1.0;
        assert_int_equal(calibration_watch(&desk->calibration, &desk->sample, tick), CALIBRATION_WAITS);
    }
    assert_int_equal(swing_axis(desk, LEFT, 0, 0.9), CALIBRATION_TAKEN);
    free(desk);
}

/// SDL reads an axis as 0 until its first report: pedals jump to where they rest after the start.
TEST(pedals_that_report_late_are_known_after_all)
{
    Desk *desk = sit_down("iso");
    for (int axis = 0; axis < 3; axis++) {
        desk->sample.joystick[FEET].axis[axis] = 0.0;
    }
    assert_int_equal(watch(desk, 0.3), CALIBRATION_WAITS);
    for (int axis = 0; axis < 3; axis++) {
        desk->sample.joystick[FEET].axis[axis] = -1.0;
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_refused(desk, watch(desk, 1.0), "dev3 axis", "from -1.00 to +0.00");
    }
    rest(desk);
    assert_int_equal(calibration_number(&desk->calibration), 2);
    assert_int_equal(swing_axis(desk, FEET, 2, 0.9), CALIBRATION_TAKEN);
    assert_true(fabs(desk->calibration.finds[1].rest - -1.0) < 1e-9);
    free(desk);
}

/// A first report that was made up stays until its device is touched, when the levers are already asked for.
TEST(pedals_that_report_when_they_are_touched_are_asked_again)
{
    Desk *desk = sit_down("iso");
    rest(desk);
    desk->sample.joystick[FEET].axis[0] = 0.2; // it rested at +1 and not at -1 as it said, and is pressed now
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    desk->sample.joystick[FEET].axis[0] = 1.0;
    assert_refused(desk, watch(desk, 4.0), "dev3 axis 0 stays at +1.00 and rested at -1.00", "once more");
    assert_asks(desk, "swing right");
    assert_int_equal(swing_axis(desk, FEET, 0, -0.9), CALIBRATION_TAKEN);
    assert_near(desk->calibration.finds[1].rest, 1.0, 1e-9);
    free(desk);
}

/// A lever that is held at its end for long does not rest there: let go and pushed again, it is asked for once more.
TEST(a_lever_that_is_held_keeps_its_rest)
{
    Desk *desk = sit_down("iso");
    rest(desk);
    desk->sample.joystick[LEFT].axis[0] = 0.9;
    assert_refused(desk, watch(desk, 4.0), "dev1 axis 0 stays at +0.90 and rested at +0.00", "once more");
    desk->sample.joystick[LEFT].axis[0] = 0.0;
    assert_int_equal(watch(desk, 1.0), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].axis[0] = 0.9;
    assert_refused(desk, watch(desk, 1.0), "dev1 axis 0 rests at +0.00 after all", "once more");
    desk->sample.joystick[LEFT].axis[0] = 0.0;
    assert_int_equal(watch(desk, 1.0), CALIBRATION_WAITS);
    assert_asks(desk, "swing right");
    assert_int_equal(swing_axis(desk, LEFT, 0, 0.9), CALIBRATION_TAKEN);
    assert_near(desk->calibration.finds[1].rest, 0.0, 1e-9);
    assert_near(desk->calibration.finds[1].end, 0.9, 1e-9);
    free(desk);
}

TEST(a_wheel_is_told_from_levers)
{
    Desk *desk = sit_down("iso");
    rest(desk);
    assert_int_equal(swing_axis(desk, LEFT, 0, 0.9), CALIBRATION_TAKEN);
    while (desk->calibration.steps[desk->calibration.step].kind != CALIBRATION_PLACE) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
    assert_refused(desk, place_axis(desk, LEFT, 0, -0.9), "dev1 axis 0 is swing right already", "allowed is one");
    assert_int_equal(place_axis(desk, LEFT, 0, 0.0), CALIBRATION_REFUSED); // and back
    assert_int_equal(place_axis(desk, LEFT, 2, 0.9), CALIBRATION_TAKEN);
    assert_refused(desk, place_axis(desk, LEFT, 3, 0.9), "dev1 axis 3 was moved", "allowed is dev1 axis 2");
    desk->sample.joystick[LEFT].axis[2] = -0.5;
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    assert_refused(desk, place_axis(desk, LEFT, 2, 0.9), "stands at +0.90 and idle is +0.90", "the other end");
    assert_int_equal(place_axis(desk, LEFT, 2, -0.9), CALIBRATION_TAKEN);
    free(desk);
}

/// The devices of the map that a cab of two equal sticks gives; the left one moves, the pedals and the right one do
/// not.
static ControlsParams calibrate_twins(const char *const serials[2], const char *const ports[2])
{
    Desk *desk = sit_down("iso");
    ControlsParams params;
    Status status;
    for (int k = 0; k < 2; k++) {
        snprintf(desk->calibration.devices[k].serial, CONTROLS_DEVICE_SERIAL, "%s", serials[k]);
        snprintf(desk->calibration.devices[k].port, CONTROLS_DEVICE_PORT, "%s", ports[k]);
    }
    snprintf(desk->calibration.devices[FEET].port, CONTROLS_DEVICE_PORT, "usb-1-9/input0");
    rest(desk);
    move_lever(desk, LEFT, 0, 0.9, "swing right");
    move_lever(desk, LEFT, 1, 0.9, "stick in");
    move_lever(desk, RIGHT, 1, 0.9, "boom up");
    move_pedal(desk, 0); // asked for the bucket
    while (!calibration_is_done(&desk->calibration)) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
    assert_good(calibration_result(&desk->calibration, &params, &status), status);
    free(desk);
    return write_and_read(&params);
}

/// Equal sticks are told apart by serial numbers where each has its own, else by their sockets; what has no equal needs
/// neither.
TEST(equal_sticks_are_told_apart)
{
    const char *const none[] = {"", ""}, *const same[] = {"000000", "000000"}, *const own[] = {"A1", "A2"};
    const char *const ports[] = {"usb-0000:00:14.0-1/input0", "usb-0000:00:14.0-2/input0"};
    ControlsParams params = calibrate_twins(own, ports);
    assert_int_equal(params.device_count, DEVICES);
    assert_string_equal(params.devices[LEFT].serial, "A1");
    assert_string_equal(params.devices[RIGHT].serial, "A2");
    assert_string_equal(params.devices[LEFT].port, "");
    assert_string_equal(params.devices[FEET].port, "");
    params = calibrate_twins(same, ports);
    assert_string_equal(params.devices[LEFT].serial, "");
    assert_string_equal(params.devices[LEFT].port, ports[0]);
    assert_string_equal(params.devices[RIGHT].port, ports[1]);
    params = calibrate_twins(none, none);
    assert_string_equal(params.devices[LEFT].serial, "");
    assert_string_equal(params.devices[LEFT].port, "");
    assert_int_equal(params.device_count, DEVICES); // by their order
}

TEST(lost_devices_and_garbage_do_no_harm)
{
    Desk *desk = sit_down("iso");
    rest(desk);
    assert_int_equal(watch(desk, 0.5), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].axis[0] = 0.9;
    assert_int_equal(watch(desk, 0.1), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].present = false; // pulled out in mid-move
    assert_int_equal(watch(desk, 1.0), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].present = true;
    desk->sample.joystick[LEFT].axis[0] = (double)NAN;
    desk->sample.joystick[LEFT].axis[1] = (double)INFINITY;
    assert_int_equal(watch(desk, 1.0), CALIBRATION_WAITS);
    desk->sample.joystick[LEFT].axis[0] = desk->sample.joystick[LEFT].axis[1] = 0.0;
    assert_int_equal(watch(desk, 1.0), CALIBRATION_TAKEN); // back, and let go
    ControlsParams params;
    Status status;
    while (!calibration_is_done(&desk->calibration)) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
    assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_WAITS);
    assert_true(calibration_result(&desk->calibration, &params, &status));
    params = write_and_read(&params);
    // The second, unused stick is equal to the first: it stays in the list, or a map of both could not tell them apart.
    assert_int_equal(params.device_count, 2);
    free(desk);
}

TEST(nothing_moved_is_no_map)
{
    Desk *desk = sit_down("iso");
    ControlsParams params;
    Status status;
    rest(desk);
    while (!calibration_is_done(&desk->calibration)) {
        assert_int_equal(calibration_skip(&desk->calibration), CALIBRATION_TAKEN);
    }
    assert_false(calibration_result(&desk->calibration, &params, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    free(desk);
}

/// Every shipped map, written and read again, is the same map.
TEST(maps_survive_writing)
{
    const char *const names[] = {"iso", "bhl", "h", "joysticks-iso", "joysticks-handler", "dozer"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        Status status;
        ControlsParams params;
        assert_true(data_load_controls(names[i], &params, NULL, &status));
        ControlsParams back = write_and_read(&params);
        memset(back.name, 0, sizeof(back.name)); // the file's
        memset(params.name, 0, sizeof(params.name));
        assert_memory_equal(&back, &params, sizeof(params));
    }
}

static int use_shipped_data(void **state)
{
    (void)state;
    return setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1);
}

TEST_GROUP(use_shipped_data, NULL)
