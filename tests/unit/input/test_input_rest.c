/// No device that rests moves a lever, whatever it is and wherever it rests: by chance over numbers of axes, rests,
/// maps that are right and wrong about them, orders of events, and devices that come and go.
// test: sanitized, waits

#include "data/schema/load.h"
#include "tests/support/input_fixture.h"

static const double tick = 1.0 / 60.0;

/// Numbers of a fixed sequence (Knuth's MMIX constants); the same in each run.
static double unit(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 33) / 2147483648.0;
}

static int below(uint64_t *seed, int count)
{
    return (int)(unit(seed) * count);
}

/// Where an axis may rest: at an end, in the middle, worn, anywhere.
static double any_rest(uint64_t *seed)
{
    static const double usual[] = {-1.0, 1.0, 0.0, 0.15, -0.2, 0.5};
    int kind = below(seed, 8);
    return kind < 6 ? usual[kind] : 2.0 * unit(seed) - 1.0;
}

static void assert_neutral(const OperatorControls *controls, uint64_t number)
{
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (controls->axis[axis] != control_neutral.axis[axis]) {
            fail_msg("case %llu: %s is at %.3f though everything rests", (unsigned long long)number,
                     control_axis_names[axis], control_value(controls, (ControlAxis)axis));
        }
    }
}

/// ---- maps ----------------------------------------------------------------------------------------------------------

enum { BOXES = 2, AXES = 4, BUTTONS = 3 };

/// Devices as they really are, and the map that drives by them.
typedef struct Cab {
    double rest[BOXES][AXES];
    bool down[BOXES][BUTTONS]; ///< a button that rests pressed
    bool right; ///< the map is right about all of them
    ControlsParams params;
    InputMap *map;
    InputSample sample;
    InputMemory memory;
} Cab;

/// A binding of one axis, right about its rest or anyhow.
static void bind_axis(Cab *cab, int box, int axis, uint64_t *seed)
{
    static const double places[][3] = {{-1.0, -1.0, 1.0}, {-1.0, 0.0, 1.0}, {-1.0, 1.0, 1.0}, {-0.9, 0.1, 0.6}};
    ControlBinding *binding = &cab->params.bindings[cab->params.binding_count++];
    const double *place = places[below(seed, 4)];
    *binding = (ControlBinding){.source = CONTROL_SOURCE_JOYSTICK_AXIS,
                                .axis = (ControlAxis)below(seed, CONTROL_THROTTLE),
                                .scale = unit(seed) < 0.5 ? 1.0 : -1.0,
                                .low = place[0],
                                .rest = place[1],
                                .high = place[2]};
    snprintf(binding->input, sizeof(binding->input), "box%d:%d", box, axis);
    if (cab->right) {
        cab->rest[box][axis] = binding->rest;
    }
}

static void bind_button(Cab *cab, int box, int button, uint64_t *seed)
{
    ControlBinding *binding = &cab->params.bindings[cab->params.binding_count++];
    *binding = (ControlBinding){.source = CONTROL_SOURCE_JOYSTICK_BUTTON,
                                .axis = unit(seed) < 0.5 ? CONTROL_HORN : CONTROL_AUXILIARY,
                                .scale = 1.0};
    snprintf(binding->input, sizeof(binding->input), "box%d:%d", box, button);
}

static void let_go(Cab *cab, int box)
{
    memcpy(cab->sample.joystick[box].axis, cab->rest[box], sizeof(cab->rest[box]));
    for (int button = 0; button < BUTTONS; button++) {
        cab->sample.joystick[box].button[button] = cab->down[box][button];
    }
}

static void press_some(Cab *cab, int box, uint64_t *seed)
{
    for (int axis = 0; axis < AXES; axis++) {
        if (unit(seed) < 0.6) {
            cab->sample.joystick[box].axis[axis] = unit(seed) < 0.4 ? (unit(seed) < 0.5 ? -1.0 : 1.0) : any_rest(seed);
        }
    }
    for (int button = 0; button < BUTTONS; button++) {
        cab->sample.joystick[box].button[button] = unit(seed) < 0.5;
    }
}

static void plug_box(Cab *cab, int box, uint64_t *seed)
{
    InputJoystick *joystick = &cab->sample.joystick[box];
    *joystick = (InputJoystick){.present = true, .came = joystick->came + 1};
    for (int axis = AXES; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
        joystick->axis[axis] = (double)NAN;
    }
    let_go(cab, box);
    if (cab->right && unit(seed) < 0.3) {
        press_some(cab, box, seed); // held while it comes
    }
    memcpy(joystick->first, joystick->axis, sizeof(joystick->first));
    memcpy(joystick->first_button, joystick->button, sizeof(joystick->first_button));
}

static void make_cab(Cab *cab, uint64_t *seed)
{
    Status status;
    *cab = (Cab){.right = unit(seed) < 0.3, .params = {.name = "chance", .device_count = BOXES}};
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        cab->params.curves[axis] = (ControlCurve){.dead_zone = 0.02, .exponent = 1.0, .rate = 1000.0};
    }
    for (int box = 0; box < BOXES; box++) {
        snprintf(cab->params.devices[box].id, sizeof(cab->params.devices[box].id), "box%d", box);
        snprintf(cab->params.devices[box].name, sizeof(cab->params.devices[box].name), "box");
        for (int axis = 0; axis < AXES; axis++) {
            cab->rest[box][axis] = any_rest(seed);
            bind_axis(cab, box, axis, seed);
        }
        for (int button = 0; button < BUTTONS; button++) {
            cab->down[box][button] = !cab->right && unit(seed) < 0.3;
            bind_button(cab, box, button, seed);
        }
        if (unit(seed) < 0.7) {
            plug_box(cab, box, seed);
        }
    }
    cab->map = input_map_create(&cab->params, &status);
    assert_good(cab->map != NULL, status);
}

/// Everything has been where it is for so long, s.
static void set_stands(Cab *cab, double seconds)
{
    for (int box = 0; box < BOXES; box++) {
        for (int axis = 0; axis < AXES; axis++) {
            cab->sample.joystick[box].stands[axis] = seconds;
        }
        for (int button = 0; button < BUTTONS; button++) {
            cab->sample.joystick[box].button_stands[button] = seconds;
        }
    }
}

static OperatorControls run_ticks(Cab *cab, int count)
{
    OperatorControls controls;
    for (int k = 0; k < count; k++) {
        input_map_apply(cab->map, &cab->sample, tick, &cab->memory, &controls);
    }
    return controls;
}

static void change_box(Cab *cab, int box, uint64_t *seed)
{
    InputJoystick *joystick = &cab->sample.joystick[box];
    double what = unit(seed);
    if (what < 0.15 && joystick->present) {
        joystick->present = false;
        cab->sample.pads_lost++;
    } else if (what < 0.4 && !joystick->present) {
        plug_box(cab, box, seed);
    } else if (what < 0.9 && joystick->present) {
        press_some(cab, box, seed);
    }
}

/// Levers by chance; between two changes everything is let go, and then nothing moves. Where the map is right a whole
/// deflection moves a lever all the way, so that "nothing ever moves" does not pass.
TEST(nothing_that_rests_moves_a_lever)
{
    uint64_t seed = 39;
    int moved = 0, moved_wrong = 0;
    for (uint64_t number = 0; number < 4000; number++) {
        static Cab cab;
        make_cab(&cab, &seed);
        if (unit(&seed) < 0.5) {
            run_ticks(&cab, 1); // driving begins with devices as they came, else while they are moved
        }
        for (int step = 0; step < 12; step++) {
            for (int box = 0; box < BOXES; box++) {
                change_box(&cab, box, &seed);
            }
            set_stands(&cab, 0.5 * unit(&seed));
            if (unit(&seed) < 0.2) {
                input_map_rest(&cab.memory); // a pause in which something is moved
            }
            OperatorControls controls = run_ticks(&cab, 1 + below(&seed, 3));
            bool moves = memcmp(&controls, &control_neutral, sizeof(controls)) != 0;
            moved += moves && cab.right;
            moved_wrong += moves && !cab.right;
            for (int box = 0; box < BOXES; box++) {
                let_go(&cab, box);
            }
            if (unit(&seed) < 0.2) {
                input_map_rest(&cab.memory); // a pause with everything let go
                set_stands(&cab, 2.0 * INPUT_RESTS);
            }
            controls = run_ticks(&cab, 2);
            assert_neutral(&controls, number);
        }
        input_map_destroy(cab.map);
    }
    print_message("levers moved in %d steps with a right map, in %d with another\n", moved, moved_wrong);
    assert_true(moved > 4000 && moved_wrong > 4000);
}

/// A worn lever that rests beside the map's rest is at rest in between, too, and reaches its end.
TEST(a_worn_lever_counts_from_where_it_rests)
{
    Status status;
    ControlsParams params = {.name = "worn", .device_count = 1, .binding_count = 1};
    params.devices[0] = (ControlDevice){.id = "box0", .name = "box"};
    params.bindings[0] = (ControlBinding){.source = CONTROL_SOURCE_JOYSTICK_AXIS,
                                          .input = "box0:0",
                                          .axis = CONTROL_SWING,
                                          .scale = 1.0,
                                          .low = -1.0,
                                          .high = 1.0};
    params.curves[CONTROL_SWING] = (ControlCurve){.dead_zone = 0.0, .exponent = 1.0, .rate = 1000.0};
    for (int axis = 1; axis < CONTROL_COUNT; axis++) {
        params.curves[axis] = params.curves[CONTROL_SWING];
    }
    InputMap *map = input_map_create(&params, &status);
    assert_good(map != NULL, status);
    InputMemory memory = {0};
    InputSample sample = {.joystick[0] = {.present = true, .came = 1, .axis = {0.2}, .first = {0.2}}};
    const double read[] = {0.2, 0.0, 0.1, 0.6, 1.0, -0.5, -1.0};
    const double lever[] = {0.0, 0.0, 0.0, 0.5, 1.0, -0.5, -1.0};
    for (size_t k = 0; k < sizeof(read) / sizeof(read[0]); k++) {
        OperatorControls controls;
        sample.joystick[0].axis[0] = read[k];
        input_map_apply(map, &sample, tick, &memory, &controls);
        assert_near(control_value(&controls, CONTROL_SWING), lever[k], 1e-4);
    }
    input_map_destroy(map);
}

/// ---- devices -------------------------------------------------------------------------------------------------------

enum { MOST_PLUGGED = 4, MOST_AXES = 9 };

/// A device of any kind: a pad that SDL knows, a box that the map names, a stranger.
typedef struct Plugged {
    bool there;
    FakePad pad;
    int axes;
    double rest[MOST_AXES];
} Plugged;

static void rest_all(const Plugged *device)
{
    for (int axis = 0; axis < device->axes && device->there; axis++) {
        move(&device->pad, axis, device->rest[axis]);
    }
}

static void plug_any(Plugged *device, uint64_t *seed)
{
    static const char *const names[] = {"Stranger", "Named box"};
    int kind = below(seed, 4);
    *device = (Plugged){.there = true};
    if (kind == 0) {
        device->axes = SDL_CONTROLLER_AXIS_MAX;
        device->pad = plug_pad("Known pad");
    } else {
        device->axes = below(seed, MOST_AXES + 1);
        const char *name = names[kind == 1];
        char whole[32];
        snprintf(whole, sizeof(whole), "%s %d", name, device->axes); // SDL keeps what it knows by name and numbers
        device->pad = plug(SDL_JOYSTICK_TYPE_UNKNOWN, device->axes, 4, 1, whole);
    }
    for (int axis = 0; axis < device->axes; axis++) {
        double worn = 0.1 * any_rest(seed);
        device->rest[axis] = kind != 0 || unit(seed) < 0.4 ? any_rest(seed) : axis < 4 ? worn : -1.0;
    }
    rest_all(device);
}

static void plug_or_pull(Plugged *device, uint64_t *seed)
{
    if (!device->there) {
        plug_any(device, seed);
    } else if (unit(seed) < 0.4) {
        unplug(&device->pad);
        device->there = false;
    }
}

/// The map `iso` beside which a box is named whose axes do all that the sticks do, wrong about where they rest.
static InputMap *name_box(void)
{
    static ControlsParams params;
    Status status;
    assert_good(data_load_controls("iso", &params, NULL, &status), status);
    params.device_count = 1;
    params.devices[0] = (ControlDevice){.id = "box", .name = "named box"};
    for (int axis = 0; axis < CONTROL_THROTTLE; axis++) {
        ControlBinding *binding = &params.bindings[params.binding_count++];
        *binding = (ControlBinding){
            .source = CONTROL_SOURCE_JOYSTICK_AXIS, .axis = (ControlAxis)axis, .scale = 1.0, .low = -1.0, .high = 1.0};
        snprintf(binding->input, sizeof(binding->input), "box:%d", axis);
    }
    InputMap *map = input_map_create(&params, &status);
    assert_good(map != NULL, status);
    return map;
}

static OperatorControls drive(InputDevices *devices, const InputMap *map, InputMemory *memory)
{
    OperatorControls controls;
    sample_now(devices);
    for (int k = 0; k < 30; k++) { // longer than a rate of the map lasts, and than what waits in the queue
        input_map_apply(map, input_devices_tick(devices), tick, memory, &controls);
    }
    return controls;
}

static void press_any(Plugged devices[MOST_PLUGGED], uint64_t *seed)
{
    for (int k = 0; k < MOST_PLUGGED; k++) {
        for (int axis = 0; axis < devices[k].axes && devices[k].there; axis++) {
            if (unit(seed) < 0.5) {
                move(&devices[k].pad, axis, any_rest(seed));
            }
        }
    }
}

/// The same with SDL: pads, boxes that the map names and strangers come and go, are pressed and let go. Devices of two
/// axes are among them, of which SDL makes up where they begin.
TEST(no_device_that_rests_moves_a_lever)
{
    uint64_t seed = 139;
    int moved = 0;
    InputMap *map = name_box();
    for (uint64_t number = 0; number < 6; number++) {
        Plugged plugged[MOST_PLUGGED] = {{.there = false}};
        bool before = number % 2 == 0; // devices that are there before the program starts
        for (int k = 0; k < MOST_PLUGGED && before; k++) {
            plug_any(&plugged[k], &seed);
        }
        InputDevices *devices = open_devices();
        int count = 0;
        const ControlDevice *wanted = input_map_devices(map, &count);
        input_devices_use(devices, wanted, count);
        InputMemory memory = {0};
        for (int round = 0; round < 8; round++) {
            if (round > 0 || !before) {
                plug_or_pull(&plugged[below(&seed, MOST_PLUGGED)], &seed);
            }
            OperatorControls controls = drive(devices, map, &memory);
            assert_neutral(&controls, number);
            for (int k = 0; k < 4; k++) {
                press_any(plugged, &seed);
                controls = drive(devices, map, &memory);
                moved += memcmp(&controls, &control_neutral, sizeof(controls)) != 0;
            }
            for (int k = 0; k < MOST_PLUGGED; k++) {
                rest_all(&plugged[k]);
            }
            controls = drive(devices, map, &memory);
            assert_neutral(&controls, number);
            if (round % 3 == 2) { // a pause
                input_devices_forget(devices);
                input_map_rest(&memory);
            }
        }
        for (int k = 0; k < MOST_PLUGGED; k++) {
            if (plugged[k].there) {
                unplug(&plugged[k].pad);
            }
        }
        sample_now(devices);
        input_devices_close(devices);
    }
    print_message("levers moved in %d rounds\n", moved);
    assert_true(moved > 20);
    input_map_destroy(map);
}

/// Four axes of a stranger in every place they could be in, one after the other: nothing moves, not even for a tick.
TEST(a_stranger_moves_nothing_wherever_it_goes)
{
    Status status;
    static ControlsParams params;
    assert_good(data_load_controls("iso", &params, NULL, &status), status);
    InputMap *map = input_map_create(&params, &status);
    assert_good(map != NULL, status);
    InputDevices *devices = open_devices();
    FakePad pedals = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 3, 1, 0, "Foot Pedal Set"), pad = plug_pad("Known pad");
    for (int axis = 0; axis < 3; axis++) {
        move(&pedals, axis, 1.0);
    }
    InputMemory memory = {0};
    sample_now(devices);
    for (int k = 0; k <= 20; k++) {
        move(&pedals, 0, 1.0 - 0.2 * (k < 10 ? k : 20 - k)); // pressed, and let go
        SDL_JoystickSetVirtualButton(pedals.joystick, 0, k % 2 == 0);
        OperatorControls controls = drive(devices, map, &memory);
        assert_neutral(&controls, (uint64_t)k);
    }
    unplug(&pedals);
    unplug(&pad);
    input_devices_close(devices);
    input_map_destroy(map);
}

static int start(void **state)
{
    return setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1) == 0 ? start_sdl(state) : -1;
}

TEST_GROUP(start, stop_sdl)
