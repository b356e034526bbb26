/// Control maps: curves against their closed form, sums, modifiers, rate, quantising, patterns, descriptions.
// test: sanitized

#include "data/schema/controls_params.h"
#include "input/input.h"
#include "tests/support/test.h"

enum { LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y, LEFT_TRIGGER, RIGHT_TRIGGER };

static const double instant = 1000.0; // fastest rate: a full deflection within one tick
static const double tick = 1.0 / 60.0;

static ControlsParams empty_params(void)
{
    ControlsParams params = {.name = "example"};
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        params.curves[axis] = (ControlCurve){.dead_zone = 0.0, .exponent = 1.0, .rate = instant};
    }
    return params;
}

static void bind(ControlsParams *params, ControlSource source, const char *input, ControlAxis axis, double scale,
                 const char *modifier)
{
    ControlBinding *binding = &params->bindings[params->binding_count++];
    *binding = (ControlBinding){.source = source, .axis = axis, .scale = scale};
    snprintf(binding->input, sizeof(binding->input), "%s", input);
    snprintf(binding->modifier, sizeof(binding->modifier), "%s", modifier);
}

static InputMap *create(const ControlsParams *params)
{
    Status status;
    InputMap *map = input_map_create(params, &status);
    assert_good(map != NULL, status);
    return map;
}

/// Levers after one call with a fresh memory.
static OperatorControls apply(const InputMap *map, const InputSample *sample)
{
    InputMemory memory = {.pads_lost = sample->pads_lost};
    OperatorControls controls;
    input_map_apply(map, sample, tick, &memory, &controls);
    return controls;
}

TEST(curve_follows_its_closed_form)
{
    const ControlCurve curves[] = {{0.0, 1.0, 1000.0}, {0.1, 1.0, 1000.0}, {0.15, 2.0, 1000.0}, {0.5, 0.5, 1000.0}};
    for (size_t c = 0; c < sizeof(curves) / sizeof(curves[0]); c++) {
        ControlsParams params = empty_params();
        params.curves[CONTROL_BOOM] = curves[c];
        bind(&params, CONTROL_SOURCE_PAD_AXIS, "righty", CONTROL_BOOM, 0.8, "");
        InputMap *map = create(&params);
        int16_t previous = INT16_MIN;
        for (int i = -200; i <= 200; i++) {
            InputSample sample = {.pad_axis[RIGHT_Y] = i / 200.0};
            double v = fabs(i / 200.0), d = curves[c].dead_zone;
            double expected = v <= d ? 0.0 : 0.8 * pow((v - d) / (1.0 - d), curves[c].exponent) * (i < 0 ? -1.0 : 1.0);
            OperatorControls controls = apply(map, &sample);
            assert_int_equal(controls.axis[CONTROL_BOOM], control_quantise(expected));
            assert_true(controls.axis[CONTROL_BOOM] >= previous);
            previous = controls.axis[CONTROL_BOOM];
            assert_int_equal(controls.axis[CONTROL_SWING], 0);
        }
        input_map_destroy(map);
    }
}

TEST(bindings_add_up_and_are_clamped)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_SWING, 0.5, "");
    bind(&params, CONTROL_SOURCE_KEY, "D", CONTROL_SWING, 1.0, "");
    bind(&params, CONTROL_SOURCE_KEY, "A", CONTROL_SWING, -1.0, "");
    InputMap *map = create(&params);
    InputSample sample = {.pad_axis[LEFT_X] = 0.5};
    assert_int_equal(apply(map, &sample).axis[CONTROL_SWING], control_quantise(0.25));
    sample.key[control_key_index("A")] = 1;
    assert_int_equal(apply(map, &sample).axis[CONTROL_SWING], control_quantise(-0.75));
    sample.key[control_key_index("D")] = 1;
    assert_int_equal(apply(map, &sample).axis[CONTROL_SWING], control_quantise(0.25));
    sample.key[control_key_index("A")] = 0;
    assert_int_equal(apply(map, &sample).axis[CONTROL_SWING], CONTROL_FULL);
    input_map_destroy(map);
}

TEST(values_no_device_should_send_do_no_harm)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_SWING, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefty", CONTROL_STICK, 0.5, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righty", CONTROL_BOOM, 1.0, "");
    InputMap *map = create(&params);
    InputSample sample = {.pad_axis = {(double)NAN, 1e9, 0.0, (double)-INFINITY}};
    InputMemory memory = {0};
    OperatorControls controls;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], 0);
    assert_int_equal(controls.axis[CONTROL_STICK], control_quantise(0.5));
    assert_int_equal(controls.axis[CONTROL_BOOM], -CONTROL_FULL);
    sample = (InputSample){.pad_axis = {1.0}};
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], CONTROL_FULL); // the NaN left no trace
    input_map_destroy(map);
}

TEST(a_modifier_takes_the_input_over)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righttrigger", CONTROL_RIGHT_TRACK, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righttrigger", CONTROL_RIGHT_TRACK, -1.0, "rightshoulder");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefty", CONTROL_STICK, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefty", CONTROL_BLADE, 1.0, "Left Shift");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_SWING, 1.0, "");
    InputMap *map = create(&params);
    InputSample sample = {.pad_axis[RIGHT_TRIGGER] = 0.5, .pad_axis[LEFT_Y] = 1.0, .pad_axis[LEFT_X] = 1.0};
    OperatorControls controls = apply(map, &sample);
    assert_int_equal(controls.axis[CONTROL_RIGHT_TRACK], control_quantise(0.5));
    assert_int_equal(controls.axis[CONTROL_STICK], CONTROL_FULL);
    assert_int_equal(controls.axis[CONTROL_BLADE], 0);
    sample.pad_button[control_pad_button_index("rightshoulder")] = 1;
    sample.key[control_key_index("Left Shift")] = 1;
    controls = apply(map, &sample);
    assert_int_equal(controls.axis[CONTROL_RIGHT_TRACK], control_quantise(-0.5));
    assert_int_equal(controls.axis[CONTROL_STICK], 0);
    assert_int_equal(controls.axis[CONTROL_BLADE], CONTROL_FULL);
    assert_int_equal(controls.axis[CONTROL_SWING], CONTROL_FULL); // another input is not concerned
    input_map_destroy(map);
}

/// As a modifier "x" is the pad's button and "X" the key.
TEST(a_modifier_in_lower_case_is_the_pads)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_BLADE, 1.0, "x");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_RIPPER, 1.0, "X");
    InputMap *map = create(&params);
    InputSample sample = {.pad_axis[LEFT_X] = 1.0};
    sample.key[control_key_index("X")] = 1;
    OperatorControls controls = apply(map, &sample);
    assert_int_equal(controls.axis[CONTROL_BLADE], 0);
    assert_int_equal(controls.axis[CONTROL_RIPPER], CONTROL_FULL);
    sample.key[control_key_index("X")] = 0;
    sample.pad_button[control_pad_button_index("x")] = 1;
    controls = apply(map, &sample);
    assert_int_equal(controls.axis[CONTROL_BLADE], CONTROL_FULL);
    assert_int_equal(controls.axis[CONTROL_RIPPER], 0);
    input_map_destroy(map);
}

TEST(keys_are_ramped_by_the_rate)
{
    ControlsParams params = empty_params();
    params.curves[CONTROL_BUCKET].rate = 3.0;
    bind(&params, CONTROL_SOURCE_KEY, "L", CONTROL_BUCKET, 1.0, "");
    InputMap *map = create(&params);
    InputSample sample = {.pad_present = false};
    InputMemory memory = {0};
    OperatorControls controls;
    sample.key[control_key_index("L")] = 1;
    for (int i = 1; i <= 30; i++) {
        input_map_apply(map, &sample, tick, &memory, &controls);
        // 30 sums of 1/20 round differently from one product: one step of the int16 at most
        assert_true(abs(controls.axis[CONTROL_BUCKET] - control_quantise(fmin(1.0, 3.0 * i * tick))) <= 1);
    }
    sample.key[control_key_index("L")] = 0;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_BUCKET], control_quantise(1.0 - 3.0 * tick));
    input_map_apply(map, &sample, 0.0, &memory, &controls); // no time, no movement
    assert_int_equal(controls.axis[CONTROL_BUCKET], control_quantise(1.0 - 3.0 * tick));
    input_map_destroy(map);
}

TEST(a_lost_pad_is_neutral_at_once)
{
    ControlsParams params = empty_params();
    params.curves[CONTROL_BOOM].rate = 0.5;
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righty", CONTROL_BOOM, 1.0, "");
    InputMap *map = create(&params);
    InputSample sample = {.pad_axis[RIGHT_Y] = 1.0, .pad_present = true};
    InputMemory memory = {0};
    OperatorControls controls;
    for (int i = 0; i < 200; i++) {
        input_map_apply(map, &sample, tick, &memory, &controls);
    }
    assert_int_equal(controls.axis[CONTROL_BOOM], CONTROL_FULL);
    sample = (InputSample){.pads_lost = 1};
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_BOOM], 0);
    input_map_destroy(map);
}

/// The working levers of a pattern: sticks as levers, forward = SDL's negative y.
static ControlsParams pattern(bool iso)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftx", CONTROL_SWING, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "rightx", CONTROL_BUCKET, -1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefty", iso ? CONTROL_STICK : CONTROL_BOOM, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righty", iso ? CONTROL_BOOM : CONTROL_STICK, 1.0, "");
    return params;
}

TEST(iso_and_backhoe_exchange_two_levers)
{
    ControlsParams iso_params = pattern(true), bhl_params = pattern(false);
    InputMap *iso = create(&iso_params), *bhl = create(&bhl_params);
    InputSample sample = {.pad_axis = {0.1, 0.2, 0.3, -0.4}};
    OperatorControls a = apply(iso, &sample), b = apply(bhl, &sample);
    assert_int_equal(a.axis[CONTROL_STICK], control_quantise(0.2)); // left lever back: stick in
    assert_int_equal(a.axis[CONTROL_BOOM], control_quantise(-0.4)); // right lever forward: boom down
    assert_int_equal(b.axis[CONTROL_STICK], a.axis[CONTROL_BOOM]);
    assert_int_equal(b.axis[CONTROL_BOOM], a.axis[CONTROL_STICK]);
    assert_int_equal(b.axis[CONTROL_SWING], a.axis[CONTROL_SWING]);
    assert_int_equal(b.axis[CONTROL_BUCKET], a.axis[CONTROL_BUCKET]);
    assert_int_equal(a.axis[CONTROL_BUCKET], control_quantise(-0.3)); // right lever to the right: dump
    input_map_destroy(iso);
    input_map_destroy(bhl);
}

TEST(actions_answer_on_pad_and_keyboard)
{
    ControlsParams params = empty_params();
    params.action_count = 2;
    strcpy(params.actions[0].name, "pause");
    strcpy(params.actions[0].pad, "back");
    strcpy(params.actions[0].key, "P");
    strcpy(params.actions[1].name, "reset");
    strcpy(params.actions[1].key, "F5");
    InputMap *map = create(&params);
    InputSample sample = {.pad_present = true};
    sample.pad_button[control_pad_button_index("back")] = 1; // held since before: not pressed again
    assert_int_equal(input_map_presses(map, &sample, "pause"), 0);
    sample.pad_pressed[control_pad_button_index("back")] = 1;
    assert_int_equal(input_map_presses(map, &sample, "pause"), 1);
    assert_int_equal(input_map_presses(map, &sample, "reset"), 0);
    assert_int_equal(input_map_presses(map, &sample, "fly"), 0);
    sample.key_pressed[control_key_index("P")] = 3;
    assert_int_equal(input_map_presses(map, &sample, "pause"), 4);
    input_map_destroy(map);
}

TEST(bindings_are_told_in_words)
{
    char text[128];
    ControlsParams params = pattern(true);
    bind(&params, CONTROL_SOURCE_KEY, "K", CONTROL_BOOM, 1.0, "");
    bind(&params, CONTROL_SOURCE_KEY, "I", CONTROL_BOOM, -1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefttrigger", CONTROL_LEFT_TRACK, 1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefttrigger", CONTROL_LEFT_TRACK, -1.0, "leftshoulder");
    bind(&params, CONTROL_SOURCE_KEY, "Space", CONTROL_HORN, 1.0, "");
    InputMap *map = create(&params);
    input_map_describe(map, CONTROL_BOOM, true, text, sizeof(text));
    assert_string_equal(text, "right stick down/up, K/I");
    input_map_describe(map, CONTROL_BUCKET, true, text, sizeof(text));
    assert_string_equal(text, "right stick left/right");
    input_map_describe(map, CONTROL_LEFT_TRACK, true, text, sizeof(text));
    assert_string_equal(text, "left trigger/with left bumper");
    input_map_describe(map, CONTROL_HORN, true, text, sizeof(text));
    assert_string_equal(text, "Space");
    input_map_describe(map, CONTROL_RIPPER, true, text, sizeof(text));
    assert_string_equal(text, "");
    char small[8] = "0123456";
    input_map_describe(map, CONTROL_BOOM, true, small, 6);
    assert_string_equal(small, "right");
    assert_int_equal(small[6], '6');
    input_map_destroy(map);
}

static void refuse(const ControlsParams *params, const char *part, const char *other_part)
{
    Status status;
    assert_null(input_map_create(params, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (!strstr(status.text, part) || !strstr(status.text, other_part)) {
        fail_msg("\"%s\" does not say \"%s\" and \"%s\"", status.text, part, other_part);
    }
}

TEST(names_that_no_device_has_are_refused)
{
    ControlsParams params = empty_params();
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "leftz", CONTROL_SWING, 1.0, "");
    refuse(&params, "\"leftz\"", "lefttrigger");
    params.binding_count = 0;
    bind(&params, CONTROL_SOURCE_PAD_BUTTON, "leftx", CONTROL_SWING, 1.0, "");
    refuse(&params, "no pad button is called \"leftx\"", "leftshoulder");
    params.binding_count = 0;
    bind(&params, CONTROL_SOURCE_KEY, "Hyper", CONTROL_SWING, 1.0, "");
    refuse(&params, "\"Hyper\"", "binding 1 (swing)");
    params.binding_count = 0;
    bind(&params, CONTROL_SOURCE_KEY, "A", CONTROL_SWING, 1.0, "shoulder");
    refuse(&params, "\"shoulder\"", "modifier");
    params = empty_params();
    params.action_count = 1;
    strcpy(params.actions[0].name, "pause");
    strcpy(params.actions[0].pad, "select");
    refuse(&params, "action pause", "\"select\"");
    strcpy(params.actions[0].pad, "");
    strcpy(params.actions[0].key, "Any");
    refuse(&params, "action pause", "\"Any\"");
}

TEST(numbers_out_of_range_are_refused)
{
    ControlsParams params = empty_params();
    params.curves[CONTROL_STICK].dead_zone = (double)NAN;
    refuse(&params, "curve of stick", "0..0.5");
    params = empty_params();
    params.curves[CONTROL_HORN].rate = 0.0;
    refuse(&params, "curve of horn", "0.5..1000");
    params = empty_params();
    bind(&params, CONTROL_SOURCE_KEY, "A", CONTROL_SWING, 1.5, "");
    refuse(&params, "scale 1.5", "-1..1");
    params = empty_params();
    params.binding_count = CONTROLS_MAX_BINDINGS + 1;
    refuse(&params, "97 bindings", "0..96");
    params = empty_params();
    bind(&params, CONTROL_SOURCE_KEY, "A", (ControlAxis)99, 1.0, "");
    refuse(&params, "binding 1", "lever");
}

/// A map with a stick (axis 0: swing, 1: boom) and a pedal (axis 0: left track, reversed while the stick's button 2 is
/// held), a wheel on the stick for the throttle.
static ControlsParams joystick_params(void)
{
    ControlsParams params = empty_params();
    params.device_count = 2;
    params.devices[0] = (ControlDevice){.id = "stick", .name = "stick"};
    params.devices[1] = (ControlDevice){.id = "feet", .name = "feet"};
    bind(&params, CONTROL_SOURCE_JOYSTICK_AXIS, "stick:0", CONTROL_SWING, 1.0, "");
    bind(&params, CONTROL_SOURCE_JOYSTICK_AXIS, "stick:1", CONTROL_BOOM, -1.0, "");
    bind(&params, CONTROL_SOURCE_JOYSTICK_AXIS, "stick:3", CONTROL_THROTTLE, 1.0, "");
    for (int i = 0; i < 3; i++) {
        params.bindings[i].low = -0.8;
        params.bindings[i].rest = 0.1;
        params.bindings[i].high = 0.6;
    }
    bind(&params, CONTROL_SOURCE_JOYSTICK_AXIS, "feet:0", CONTROL_LEFT_TRACK, 1.0, "");
    bind(&params, CONTROL_SOURCE_JOYSTICK_AXIS, "feet:0", CONTROL_LEFT_TRACK, -1.0, "stick:2");
    for (int i = 3; i < 5; i++) {
        params.bindings[i].low = params.bindings[i].rest = -1.0;
        params.bindings[i].high = 0.5;
    }
    bind(&params, CONTROL_SOURCE_JOYSTICK_BUTTON, "stick:up", CONTROL_HORN, 1.0, "");
    return params;
}

/// Both devices there and untouched.
static InputSample joysticks_at_rest(void)
{
    InputSample sample = {.pad_present = true};
    for (int i = 0; i < 2; i++) {
        sample.joystick[i].present = true;
        sample.joystick[i].came = 1;
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            sample.joystick[i].axis[axis] = sample.joystick[i].first[axis] = i == 0 ? 0.1 : -1.0;
        }
    }
    return sample;
}

/// Either side of rest is one whole deflection: (v - rest) / (high - rest), (v - rest) / (rest - low).
TEST(a_joystick_axis_goes_from_its_rest_to_its_ends)
{
    ControlsParams params = joystick_params();
    InputMap *map = create(&params);
    InputMemory memory = {0};
    OperatorControls controls;
    InputSample sample = joysticks_at_rest();
    input_map_apply(map, &sample, tick, &memory, &controls);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        assert_int_equal(controls.axis[axis], 0); // the throttle's wheel stands in its middle
    }
    const double read[] = {-1.0, -0.8, -0.35, 0.1, 0.35, 0.6, 1.0};
    const double deflections[] = {-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0};
    for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
        sample.joystick[0].axis[0] = sample.joystick[0].axis[1] = read[i];
        input_map_apply(map, &sample, tick, &memory, &controls);
        assert_true(abs(controls.axis[CONTROL_SWING] - control_quantise(deflections[i])) <= 1);
        assert_true(abs(controls.axis[CONTROL_BOOM] - control_quantise(-deflections[i])) <= 1);
    }
    sample.joystick[1].axis[0] = -0.25; // half way down
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_LEFT_TRACK], control_quantise(0.5));
    sample.joystick[0].button[2] = 1;
    sample.joystick[0].button[CONTROLS_MAX_BUTTONS] = 1;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_LEFT_TRACK], control_quantise(-0.5));
    assert_int_equal(controls.axis[CONTROL_HORN], CONTROL_FULL);
    input_map_destroy(map);
}

TEST(a_joystick_that_is_held_when_it_comes_moves_nothing)
{
    ControlsParams params = joystick_params();
    InputMap *map = create(&params);
    InputMemory memory = {0};
    OperatorControls controls;
    InputTrace trace;
    InputSample sample = joysticks_at_rest();
    sample.joystick[0].axis[0] = sample.joystick[0].first[0] = 0.6;
    sample.joystick[0].axis[3] = 0.35; // the throttle's wheel stays where it was put: it counts
    sample.joystick[1].axis[0] = sample.joystick[1].first[0] = (double)NAN; // has told nothing yet
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], 0);
    assert_int_equal(controls.axis[CONTROL_LEFT_TRACK], 0);
    assert_int_equal(controls.axis[CONTROL_THROTTLE], control_quantise(0.5));
    input_map_trace(map, &sample, &memory, CONTROL_SWING, &trace);
    assert_true(trace.waiting);
    const double way[] = {0.1, 0.6, 0.1};
    for (int k = 0; k < 3; k++) {
        sample.joystick[0].axis[0] = way[k];
        input_map_rest(&memory); // driving goes on while it is moved
        input_map_apply(map, &sample, tick, &memory, &controls);
        assert_int_equal(controls.axis[CONTROL_SWING], 0); // or it rests there, and was pressed
    }
    input_map_rest(&memory); // driving goes on, and it has been at its rest for a while
    sample.joystick[0].stands[0] = INPUT_RESTS;
    input_map_apply(map, &sample, tick, &memory, &controls);
    sample.joystick[0].axis[0] = 0.6;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], CONTROL_FULL);
    sample.joystick[0].came++; // pulled out and plugged in between two ticks, still held
    sample.pads_lost++;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_SWING], 0);
    sample.joystick[0].present = false;
    input_map_apply(map, &sample, tick, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_THROTTLE], CONTROL_FULL);
    input_map_destroy(map);
}

/// Adds an input of the throttle with what its axis reads at its ends and its rest.
static void bind_throttle(ControlsParams *params, const char *input, double scale, double low, double rest, double high)
{
    bind(params, CONTROL_SOURCE_JOYSTICK_AXIS, input, CONTROL_THROTTLE, scale, "");
    ControlBinding *binding = &params->bindings[params->binding_count - 1];
    binding->low = low;
    binding->rest = rest;
    binding->high = high;
}

/// The throttle with two axes of a joystick at these places, -1..1.
static double throttle_at(const InputMap *map, double wheel, double pedal)
{
    InputSample sample = joysticks_at_rest();
    sample.joystick[0].axis[0] = wheel;
    sample.joystick[0].axis[1] = pedal;
    return control_value(&(OperatorControls){.axis = {[CONTROL_THROTTLE] = apply(map, &sample).axis[CONTROL_THROTTLE]}},
                         CONTROL_THROTTLE);
}

/// -1 idle to +1 full, evenly: a wheel by its place, an accelerator from idle up, a decelerator from full down; of two
/// the one that asks for less.
TEST(the_throttle_follows_its_inputs_evenly)
{
    ControlsParams params = empty_params();
    params.device_count = 1;
    params.devices[0] = (ControlDevice){.id = "cab", .name = "cab"};
    const ControlsParams empty = params;
    bind_throttle(&params, "cab:0", -1.0, -0.9, 0.0, 0.9);
    InputMap *wheel = create(&params);
    bind_throttle(&params, "cab:1", -1.0, -1.0, -1.0, 1.0); // a decelerator beside it
    InputMap *both = create(&params);
    params = empty;
    bind_throttle(&params, "cab:1", 1.0, -1.0, -1.0, 1.0);
    InputMap *accelerator = create(&params);
    params = empty;
    bind_throttle(&params, "cab:1", -1.0, -1.0, 1.0, 1.0); // pressed towards its low end
    InputMap *towards_low = create(&params);
    for (int k = -9; k <= 9; k++) {
        double place = 0.1 * k;
        assert_near(throttle_at(wheel, place, 0.0), -place / 0.9, 1e-4);
        assert_near(throttle_at(both, place, -1.0), -place / 0.9, 1e-4);
        assert_near(throttle_at(both, place, 0.2), fmin(-place / 0.9, 1.0 - 2.0 * 0.6), 1e-4);
        assert_near(throttle_at(accelerator, 0.0, place), place, 1e-4);
        assert_near(throttle_at(towards_low, 0.0, place), -place, 1e-4);
    }
    InputSample nothing = {.pad_present = false};
    assert_false(input_map_has_throttle(wheel, &nothing));
    assert_int_equal(apply(wheel, &nothing).axis[CONTROL_THROTTLE], CONTROL_FULL);
    InputSample there = joysticks_at_rest();
    assert_true(input_map_has_throttle(wheel, &there));
    input_map_destroy(wheel);
    input_map_destroy(both);
    input_map_destroy(accelerator);
    input_map_destroy(towards_low);
}

/// Keys, buttons and triggers go one way; a stick is a wheel. A rate is followed from full on.
TEST(the_throttle_takes_keys_and_sticks)
{
    ControlsParams params = empty_params();
    params.curves[CONTROL_THROTTLE].rate = 30.0; // half the way in a tick
    bind(&params, CONTROL_SOURCE_KEY, "Space", CONTROL_THROTTLE, -1.0, "");
    InputMap *key = create(&params);
    params.binding_count = 0;
    params.curves[CONTROL_THROTTLE].rate = instant;
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "righty", CONTROL_THROTTLE, -1.0, "");
    bind(&params, CONTROL_SOURCE_PAD_AXIS, "lefttrigger", CONTROL_THROTTLE, -0.5, "");
    InputMap *pad = create(&params);
    InputSample sample = {.pad_present = true};
    assert_int_equal(apply(key, &sample).axis[CONTROL_THROTTLE], CONTROL_FULL);
    sample.key[control_key_index("Space")] = 1;
    assert_int_equal(apply(key, &sample).axis[CONTROL_THROTTLE], control_quantise(0.5));
    assert_int_equal(apply(pad, &sample).axis[CONTROL_THROTTLE], 0);
    sample.pad_axis[RIGHT_Y] = -1.0;
    assert_int_equal(apply(pad, &sample).axis[CONTROL_THROTTLE], CONTROL_FULL);
    sample.pad_axis[LEFT_TRIGGER] = 0.5;
    assert_int_equal(apply(pad, &sample).axis[CONTROL_THROTTLE], control_quantise(0.5));
    input_map_destroy(key);
    input_map_destroy(pad);
}

TEST(a_trace_says_what_moves_a_lever)
{
    ControlsParams params = joystick_params();
    params.curves[CONTROL_SWING].exponent = 2.0;
    bind(&params, CONTROL_SOURCE_KEY, "D", CONTROL_SWING, 1.0, "");
    InputMap *map = create(&params);
    InputMemory memory = {0};
    OperatorControls controls;
    InputTrace trace;
    InputSample sample = joysticks_at_rest();
    input_map_apply(map, &sample, tick, &memory, &controls);
    input_map_trace(map, &sample, &memory, CONTROL_SWING, &trace);
    assert_string_equal(trace.source, "");
    sample.joystick[0].axis[0] = 0.35;
    input_map_apply(map, &sample, tick, &memory, &controls);
    input_map_trace(map, &sample, &memory, CONTROL_SWING, &trace);
    assert_string_equal(trace.source, "stick axis 0");
    assert_true(trace.analog && !trace.waiting);
    assert_true(fabs(trace.raw - 0.35) < 1e-9 && fabs(trace.lever - 0.25) < 1e-9);
    sample.key[control_key_index("D")] = 1;
    input_map_trace(map, &sample, &memory, CONTROL_SWING, &trace);
    assert_string_equal(trace.source, "D");
    assert_false(trace.analog);
    input_map_destroy(map);
}

TEST(joysticks_are_described)
{
    ControlsParams params = joystick_params();
    InputMap *map = create(&params);
    const struct {
        ControlAxis axis;
        const char *text;
    } expected[] = {{CONTROL_SWING, "stick axis 0 +/-"},
                    {CONTROL_BOOM, "stick axis 1 -/+"},
                    {CONTROL_LEFT_TRACK, "feet axis 0/with stick button 2"},
                    {CONTROL_HORN, "stick hat up, stick hat 3 left, stick button 127"}};
    bind(&params, CONTROL_SOURCE_JOYSTICK_BUTTON, "stick:hat3-left", CONTROL_HORN, 1.0, "");
    bind(&params, CONTROL_SOURCE_JOYSTICK_BUTTON, "stick:127", CONTROL_HORN, 1.0, "");
    input_map_destroy(map);
    map = create(&params);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        char text[96];
        input_map_describe(map, expected[i].axis, true, text, sizeof(text));
        assert_string_equal(text, expected[i].text);
    }
    input_map_destroy(map);
}

TEST(parts_of_joysticks_that_are_not_there_are_refused)
{
    const char *const inputs[] = {"stick:16", "stick:",   "stick",    ":0", "hand:0",
                                  "stick:up", "stick:0x", "stick:-1", ""};
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        ControlsParams params = joystick_params();
        snprintf(params.bindings[0].input, sizeof(params.bindings[0].input), "%s", inputs[i]);
        refuse(&params, "binding 1 (swing)", inputs[i]);
    }
    const char *const buttons[] = {"stick:128",  "stick:hat5-up", "stick:hat0-up",
                                   "stick:hat2", "stick:hat2-",   "stick:1000"};
    for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++) {
        ControlsParams params = joystick_params();
        bind(&params, CONTROL_SOURCE_JOYSTICK_BUTTON, buttons[i], CONTROL_HORN, 1.0, "");
        refuse(&params, "binding 7 (horn)", buttons[i]);
    }
    ControlsParams params = joystick_params();
    params.bindings[0].low = 0.2;
    refuse(&params, "binding 1 (swing)", "low 0.2, rest 0.1");
    params = joystick_params();
    params.bindings[0].rest = (double)NAN;
    refuse(&params, "binding 1 (swing)", "nan");
    params = joystick_params();
    params.device_count = CONTROLS_MAX_DEVICES + 1;
    refuse(&params, "7 devices", "0..6");
}

TEST_GROUP(NULL, NULL)
