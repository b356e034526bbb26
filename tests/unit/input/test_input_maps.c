/// The shipped control maps: every name is one a device has, and a driver can do the work with a pad or with the
/// keyboard.
// test: sanitized

#include "data/schema/controls_params.h"
#include "data/schema/load.h"
#include "input/input.h"
#include "tests/support/test.h"

enum { MOST_MAPS = 32 };

static const ControlAxis driving[] = {CONTROL_SWING,  CONTROL_STICK,      CONTROL_BOOM,
                                      CONTROL_BUCKET, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK};
enum { DRIVING_COUNT = sizeof(driving) / sizeof(driving[0]) };

static const ControlAxis dozing[] = {CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK, CONTROL_BLADE,
                                     CONTROL_BLADE_TILT, CONTROL_BLADE_ANGLE, CONTROL_RIPPER};
_Static_assert(sizeof(dozing) == sizeof(driving), "as many levers in either machine");

/// The levers of the machine a map is for.
static const ControlAxis *levers_of(const ControlsParams *params)
{
    return strcmp(params->pattern, "dozer") == 0 ? dozing : driving;
}

static ControlsParams load(const char *name)
{
    Status status;
    ControlsParams params;
    assert_good(data_load_controls(name, &params, NULL, &status), status);
    return params;
}

static InputMap *create(const ControlsParams *params)
{
    Status status;
    InputMap *map = input_map_create(params, &status);
    assert_good(map != NULL, status);
    return map;
}

static int list_maps(DataListEntry entries[MOST_MAPS])
{
    Status status;
    int count = data_list("controls", entries, MOST_MAPS, &status);
    if (count < 0) {
        fail_msg("%s", status.text);
    }
    return count;
}

/// Levers when the sample is held long enough for every ramp.
static OperatorControls hold(const InputMap *map, const InputSample *sample)
{
    InputMemory memory = {0};
    OperatorControls controls;
    int count = 0;
    input_map_gear(map, &memory, &count);
    memory.gear = count > 0 ? count - 1 : 0; // the fastest
    input_map_apply(map, sample, 10.0, &memory, &controls);
    return controls;
}

/// Deflects the `index`th of everything a pad (or a keyboard) has, either way; false when there are no more.
static bool deflect(bool keyboard, int index, InputSample *sample)
{
    *sample = (InputSample){.pad_present = !keyboard};
    if (keyboard) {
        sample->key[index % INPUT_MAX_KEYS] = sample->key_pressed[index % INPUT_MAX_KEYS] = 1;
        return index < INPUT_MAX_KEYS;
    }
    if (index < 2 * INPUT_PAD_AXES) {
        bool backwards = index % 2 == 1 && index / 2 < 4; // triggers have one way
        sample->pad_axis[index / 2] = backwards ? -1.0 : 1.0;
        return true;
    }
    index -= 2 * INPUT_PAD_AXES;
    sample->pad_button[index % INPUT_PAD_BUTTONS] = sample->pad_pressed[index % INPUT_PAD_BUTTONS] = 1;
    return index < INPUT_PAD_BUTTONS;
}

TEST(every_map_names_inputs_that_exist)
{
    DataListEntry entries[MOST_MAPS];
    int count = list_maps(entries);
    assert_true(count >= 2);
    for (int i = 0; i < count; i++) {
        ControlsParams params = load(entries[i].name);
        InputMap *map = create(&params);
        InputSample nothing = {.pad_present = true};
        OperatorControls controls = hold(map, &nothing);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            assert_int_equal(controls.axis[axis], control_neutral.axis[axis]); // hands off
        }
        input_map_destroy(map);
    }
}

TEST(every_map_drives_all_levers_both_ways)
{
    DataListEntry entries[MOST_MAPS];
    int count = list_maps(entries);
    for (int i = 0; i < 2 * count; i++) {
        ControlsParams params = load(entries[i / 2].name);
        InputMap *map = create(&params);
        bool keyboard = i % 2 == 1 || params.device_count > 0; // joysticks: below
        int16_t lowest[CONTROL_COUNT] = {0}, highest[CONTROL_COUNT] = {0};
        InputSample sample;
        for (int index = 0; deflect(keyboard, index, &sample); index++) {
            OperatorControls controls = hold(map, &sample);
            for (int axis = 0; axis < CONTROL_COUNT; axis++) {
                lowest[axis] = controls.axis[axis] < lowest[axis] ? controls.axis[axis] : lowest[axis];
                highest[axis] = controls.axis[axis] > highest[axis] ? controls.axis[axis] : highest[axis];
            }
        }
        for (int d = 0; d < DRIVING_COUNT; d++) {
            assert_int_equal(highest[levers_of(&params)[d]], CONTROL_FULL);
            assert_int_equal(lowest[levers_of(&params)[d]], -CONTROL_FULL);
        }
        input_map_destroy(map);
    }
}

TEST(iso_is_the_standard)
{
    ControlsParams params = load("iso");
    InputMap *map = create(&params);
    assert_string_equal(params.pattern, "iso");
    // ISO 10968: left lever right = swing right, back = stick in; right lever right = dump, back = boom up.
    // SDL counts right and back (down) as plus.
    const ControlAxis levers[] = {CONTROL_SWING, CONTROL_STICK, CONTROL_BUCKET, CONTROL_BOOM};
    const int signs[] = {1, 1, -1, 1};
    for (int axis = 0; axis < 4; axis++) {
        InputSample sample = {.pad_present = true};
        sample.pad_axis[axis] = 1.0;
        assert_int_equal(hold(map, &sample).axis[levers[axis]], signs[axis] * CONTROL_FULL);
    }
    input_map_destroy(map);
}

TEST(backhoe_exchanges_stick_and_boom)
{
    ControlsParams iso_params = load("iso"), bhl_params = load("bhl");
    assert_string_equal(bhl_params.pattern, "bhl");
    InputMap *iso = create(&iso_params), *bhl = create(&bhl_params);
    for (int device = 0; device < 2; device++) {
        InputSample sample;
        for (int index = 0; deflect(device == 1, index, &sample); index++) {
            OperatorControls a = hold(iso, &sample), b = hold(bhl, &sample);
            int16_t stick = a.axis[CONTROL_STICK];
            a.axis[CONTROL_STICK] = a.axis[CONTROL_BOOM];
            a.axis[CONTROL_BOOM] = stick;
            assert_memory_equal(&a, &b, sizeof(a));
        }
    }
    input_map_destroy(iso);
    input_map_destroy(bhl);
}

TEST(every_map_pauses_and_tells_its_levers)
{
    DataListEntry entries[MOST_MAPS];
    int count = list_maps(entries);
    const char *const actions[] = {"pause", "menu", "camera"};
    for (int i = 0; i < count; i++) {
        ControlsParams params = load(entries[i].name);
        InputMap *map = create(&params);
        size_t first = params.device_count > 0 ? 1 : 0, step = first + 1; // no pad, but the keyboard still
        for (size_t a = first; a < 2 * sizeof(actions) / sizeof(actions[0]); a += step) {
            bool found = false;
            InputSample sample;
            for (int index = 0; deflect(a % 2 == 1, index, &sample); index++) {
                found = found || input_map_presses(map, &sample, actions[a / 2]) > 0;
            }
            assert_true(found);
        }
        for (int d = 0; d < DRIVING_COUNT; d++) {
            char text[64] = "";
            input_map_describe(map, levers_of(&params)[d], true, text, sizeof(text));
            assert_non_null(strchr(text, '/'));
            assert_true(strlen(text) < sizeof(text) - 1); // told whole, on one short line
        }
        input_map_destroy(map);
    }
}

/// All of a map's devices there and untouched, pedals at -1.
static InputSample joysticks_at_rest(const ControlsParams *params)
{
    InputSample sample = {.pad_present = true};
    for (int i = 0; i < params->device_count; i++) {
        sample.joystick[i].present = true;
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            double rest = strcmp(params->devices[i].id, "pedals") == 0 ? -1.0 : 0.0;
            sample.joystick[i].axis[axis] = sample.joystick[i].first[axis] = rest;
        }
    }
    return sample;
}

/// Levers with one axis moved (device * 16 + axis), with or without the left joystick's trigger held.
static OperatorControls move_axis(const InputMap *map, const ControlsParams *params, int number, double to,
                                  bool trigger)
{
    InputMemory memory = {0};
    OperatorControls controls;
    InputSample sample = joysticks_at_rest(params);
    input_map_apply(map, &sample, 10.0, &memory, &controls);
    sample.joystick[number / CONTROLS_MAX_JOYSTICK_AXES].axis[number % CONTROLS_MAX_JOYSTICK_AXES] = to;
    sample.joystick[0].button[0] = trigger;
    input_map_apply(map, &sample, 10.0, &memory, &controls);
    return controls;
}

/// What the way `way` (0 to the right, 1 forward) of a lever moves, by the pattern's own table.
static void assert_way(const OperatorControls *controls, const ControlPattern *pattern, int lever, int way, int sign)
{
    const ControlPatternWay *does = &pattern->ways[lever][way];
    assert_int_equal(controls->axis[does->axis], sign * does->sign * CONTROL_FULL);
    if (does->axis == CONTROL_LEFT_TRACK && way == 1) {
        assert_int_equal(controls->axis[CONTROL_RIGHT_TRACK], sign * does->sign * CONTROL_FULL);
    }
}

/// Sticks, joysticks and the two fields of keys move what the map's pattern says, which is what is drawn of them.
TEST(each_map_does_what_its_pattern_says)
{
    static const char *const keys[2][2][2] = {{{"A", "D"}, {"S", "W"}}, {{"J", "L"}, {"K", "I"}}};
    DataListEntry entries[MOST_MAPS];
    int count = list_maps(entries);
    for (int i = 0; i < count; i++) {
        ControlsParams params = load(entries[i].name);
        InputMap *map = create(&params);
        const ControlPattern *pattern = control_pattern_named(params.pattern);
        assert_non_null(pattern);
        for (int k = 0; k < 8; k++) {
            int lever = k / 4, way = k / 2 % 2, sign = k % 2 == 0 ? -1 : 1;
            if (pattern->ways[lever][way].axis == CONTROL_LEFT_TRACK && way == 0) {
                continue; // steering is gentler: the_bulldozer_steers...
            }
            InputSample sample = {.pad_present = true};
            sample.pad_axis[2 * lever + way] = way == 1 ? -sign : sign; // SDL counts back as plus
            OperatorControls controls = hold(map, &sample);
            if (params.device_count > 0) {
                int number = lever * CONTROLS_MAX_JOYSTICK_AXES + way;
                controls = move_axis(map, &params, number, way == 1 ? -sign : sign, false);
            }
            assert_way(&controls, pattern, lever, way, sign);
            InputSample typed = {0};
            typed.key[control_key_index(keys[lever][way][sign > 0])] = 1;
            controls = hold(map, &typed);
            assert_way(&controls, pattern, lever, way, sign);
        }
        input_map_destroy(map);
    }
}

/// Each excavator's pattern has a map for gamepads and one for joysticks, and no two patterns are the same.
TEST(each_pattern_has_its_maps)
{
    for (int k = 0; control_pattern(k) != NULL; k++) {
        const ControlPattern *pattern = control_pattern(k);
        ControlsParams params = load(pattern->map);
        assert_string_equal(params.pattern, pattern->name);
        assert_int_equal(params.device_count, 0);
        if (!pattern->dozer) {
            char name[64];
            snprintf(name, sizeof name, "joysticks-%s", pattern->map);
            params = load(name);
            assert_string_equal(params.pattern, pattern->name);
            assert_int_equal(params.device_count, 3);
        }
        for (int n = 0; n < k; n++) {
            assert_memory_not_equal(pattern->ways, control_pattern(n)->ways, sizeof pattern->ways);
        }
    }
    assert_ptr_equal(control_pattern_named("HANDLER"), control_pattern(3));
    assert_null(control_pattern_named("sae"));
}

TEST(pedals_drive_the_tracks)
{
    static const char *const names[] = {"joysticks-iso", "joysticks-bhl", "joysticks-h", "joysticks-handler"};
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        ControlsParams params = load(names[m]);
        InputMap *map = create(&params);
        for (int k = 0; k < 2; k++) {
            int number = 2 * CONTROLS_MAX_JOYSTICK_AXES + k;
            ControlAxis track = k == 0 ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
            assert_int_equal(move_axis(map, &params, number, 1.0, false).axis[track], CONTROL_FULL);
            assert_int_equal(move_axis(map, &params, number, 1.0, true).axis[track], -CONTROL_FULL);
        }
        input_map_destroy(map);
    }
}

/// ---- gears of the bulldozer ----------------------------------------------------------------------------------------

/// Presses a key and lets it go; the levers with `also` held meanwhile.
static OperatorControls press(const InputMap *map, InputMemory *memory, const char *key, const char *also)
{
    OperatorControls controls;
    InputSample sample = {0};
    sample.key[control_key_index(also)] = 1;
    sample.key[control_key_index(key)] = 1;
    input_map_apply(map, &sample, 10.0, memory, &controls);
    input_map_apply(map, &sample, 10.0, memory, &controls); // held: no second step
    sample.key[control_key_index(key)] = 0;
    input_map_apply(map, &sample, 10.0, memory, &controls);
    return controls;
}

/// W asks for the first gear until another one is chosen, whatever the blade does; each gear is one of the machine.
TEST(keys_drive_a_bulldozer_in_the_chosen_gear)
{
    Status status;
    MachineParams machine;
    assert_good(data_load_machine("dozer-20t", &machine, NULL, &status), status);
    ControlsParams params = load("dozer");
    InputMap *map = create(&params);
    InputMemory memory = {0};
    InputSample none = {0};
    OperatorControls controls;
    int count = 0;
    input_map_apply(map, &none, 10.0, &memory, &controls);
    assert_int_equal(input_map_gear(map, &memory, &count), 1);
    assert_int_equal(count, MACHINE_GEARS);
    controls = press(map, &memory, "Down", "W"); // none below the first
    for (int gear = 0; gear < MACHINE_GEARS; gear++) {
        assert_int_equal(input_map_gear(map, &memory, &count), gear + 1);
        double ahead = control_value(&controls, CONTROL_LEFT_TRACK);
        const double *tables[] = {machine.powertrain.forward, machine.powertrain.reverse};
        for (int k = 0; k < 2; k++) { // the lever asks for no faster gear, ahead or back, and for most of this one
            double speed = ahead * tables[k][MACHINE_GEARS - 1];
            assert_true(speed <= tables[k][gear] * 1.0001 && speed > 0.95 * tables[k][gear]);
        }
        InputSample both = {0}; // first gear and the blade at its full speed
        both.key[control_key_index("W")] = both.key[control_key_index("K")] = 1;
        input_map_apply(map, &both, 10.0, &memory, &controls);
        assert_int_equal(controls.axis[CONTROL_BLADE], CONTROL_FULL);
        assert_near(control_value(&controls, CONTROL_LEFT_TRACK), params.gears[gear], 1e-4);
        both.key[control_key_index("Left Shift")] = 1; // and gently
        input_map_apply(map, &both, 10.0, &memory, &controls);
        assert_near(control_value(&controls, CONTROL_BLADE), 0.35, 1e-4);
        assert_near(control_value(&controls, CONTROL_LEFT_TRACK), params.gears[gear], 1e-4);
        controls = press(map, &memory, "Up", "W");
    }
    assert_int_equal(input_map_gear(map, &memory, &count), MACHINE_GEARS); // none above the last
    InputSample stick = {.pad_present = true}; // a stick asks by its way
    stick.pad_axis[1] = -1.0;
    memory.gear = 0;
    input_map_apply(map, &stick, 10.0, &memory, &controls);
    assert_int_equal(controls.axis[CONTROL_LEFT_TRACK], CONTROL_FULL);
    input_map_destroy(map);
}

/// Steering keys turn on the spot alone, and bend the way with W, in every gear: the inner track runs on.
TEST(keys_steer_a_bulldozer_in_each_gear)
{
    ControlsParams params = load("dozer");
    InputMap *map = create(&params);
    for (int gear = 0; gear < params.gear_count; gear++) {
        InputMemory memory = {.gear = gear};
        OperatorControls controls;
        InputSample sample = {0};
        sample.key[control_key_index("D")] = 1;
        input_map_apply(map, &sample, 10.0, &memory, &controls);
        assert_true(controls.axis[CONTROL_LEFT_TRACK] > 0);
        assert_int_equal(controls.axis[CONTROL_RIGHT_TRACK], -controls.axis[CONTROL_LEFT_TRACK]);
        sample.key[control_key_index("W")] = 1;
        input_map_apply(map, &sample, 10.0, &memory, &controls);
        assert_near(control_value(&controls, CONTROL_LEFT_TRACK), params.gears[gear], 1e-4);
        assert_near(control_value(&controls, CONTROL_RIGHT_TRACK), 0.4 * params.gears[gear], 1e-4);
    }
    input_map_destroy(map);
}

TEST(a_map_with_too_many_gears_is_refused)
{
    Status status;
    ControlsParams params = load("dozer");
    params.gear_count = CONTROLS_MAX_GEARS + 1;
    assert_null(input_map_create(&params, &status));
    assert_string_equal(status.text, "controls dozer: 7 gears; allowed are 0..6");
}

static int use_shipped_data(void **state)
{
    (void)state;
    return setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1);
}

TEST_GROUP(use_shipped_data, NULL)
