/// The screen's table of what each axis does, and the driver behind it, with SDL's virtual joysticks.

#include "data/schema/load.h"
#include "data/schema/controls_params.h"
#include "tests/support/input_fixture.h"
#include "trainer/app/hints.h"

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

/// At a bulldozer where the map is one's.
static Seat *sit(const char *operator_name, const char *controls)
{
    bool dozer = controls != NULL && strcmp(controls, "dozer") == 0;
    Status status;
    Seat *seat = calloc(1, sizeof(*seat));
    assert_non_null(seat);
    seat->session = session_create(&(SessionParams){.scene = dozer ? "dozing" : "free", .threads = 1}, &status);
    seat->devices = open_devices();
    OperatorParams params = {.name = operator_name, .controls = controls, .devices = seat->devices};
    if (!seat->session || !operator_create(&seat->driver, &params, seat->session, &status)) {
        fail_msg("%s", status.text);
    }
    hints_describe(&seat->hints, &seat->driver, session_machine_params(seat->session), false, false, false);
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
        frame(seat);
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

/// Adds what stands behind the colon of the lines that begin with a lever's or an action's name, and of those that go
/// on from them. The fixed keys come last.
static void gather(const Hints *hints, char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < hints->count && strncmp(hints->text[k], "F1 ", 3) != 0; k++) {
        bool goes_on = hints->text[k][0] == ' ';
        const char *how = goes_on ? hints->text[k] + 3 : strstr(hints->text[k], ": ") + 1;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", how,
                 k + 1 < hints->count && hints->text[k + 1][0] == ' ' ? "" : ",");
        assert_true(strlen(hints->text[k]) <= 37);
    }
}

/// Cuts the next of the names that are parted by commas and strokes off; NULL: there is none.
static char *next_name(char **rest)
{
    char *name = strtok_r(NULL, ",/", rest);
    while (name != NULL && *name == ' ') {
        name++;
    }
    return name;
}

static bool is_named(const char *text, const char *label)
{
    char copy[2080], *rest = NULL;
    snprintf(copy, sizeof copy, "first,%s", text);
    strtok_r(copy, ",/", &rest);
    for (char *name = next_name(&rest); name != NULL; name = next_name(&rest)) {
        if (strcmp(name, label) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_bound_key(const ControlsParams *params, const char *name)
{
    bool bound = false;
    for (int k = 0; k < params->binding_count; k++) {
        const ControlBinding *binding = &params->bindings[k];
        bound |= (binding->source == CONTROL_SOURCE_KEY && strcmp(binding->input, name) == 0) ||
                 strcmp(binding->modifier, name) == 0;
    }
    for (int k = 0; k < params->action_count; k++) {
        bound |= strcmp(params->actions[k].key, name) == 0;
    }
    return bound;
}

/// Each key, button and modifier of each shipped map is named on the panel, and the panel names no key that does
/// nothing.
TEST(the_panel_names_each_bound_key_and_no_other)
{
    static const char *const maps[] = {
        "iso", "bhl", "h", "handler", "joysticks-iso", "joysticks-bhl", "joysticks-h", "joysticks-handler", "dozer"};
    for (size_t m = 0; m < sizeof(maps) / sizeof(maps[0]); m++) {
        Seat *seat = sit(NULL, maps[m]);
        const ControlsParams *params = seat->driver.controls;
        seat->driver.pads = 1;
        char text[2048], copy[2080], label[64], *rest = NULL;
        static MachineParams machine;
        Status status;
        machine = *session_machine_params(seat->session);
        if (machine.takes_attachment) {
            assert_good(data_load_coupler("tiltrotator-22t", &machine, NULL, &status), status);
        }
        hints_describe(&seat->hints, &seat->driver, &machine, true, true, true);
        assert_true(seat->hints.count < RENDER_MAX_HINTS);
        gather(&seat->hints, text, sizeof text);
        for (int k = 0; k < params->binding_count; k++) {
            const ControlBinding *binding = &params->bindings[k];
            bool key = binding->source == CONTROL_SOURCE_KEY, button = binding->source == CONTROL_SOURCE_PAD_BUTTON;
            snprintf(label, sizeof label, "%s",
                     button ? control_pad_button_label(control_pad_button_index(binding->input)) : binding->input);
            if ((key || button) && !is_named(text, label)) {
                fail_msg("%s: %s is not named in: %s", maps[m], label, text);
            }
            if (key && binding->modifier[0] != '\0' && !is_named(text, binding->modifier)) {
                fail_msg("%s: %s is not named in: %s", maps[m], binding->modifier, text);
            }
        }
        for (int k = 0; k < params->action_count; k++) {
            const char *key = params->actions[k].key, *pad = params->actions[k].pad;
            snprintf(label, sizeof label, "pad %s",
                     pad[0] != '\0' ? control_pad_button_label(control_pad_button_index(pad)) : "");
            if ((key[0] != '\0' && !is_named(text, key)) || (pad[0] != '\0' && !is_named(text, label))) {
                fail_msg("%s: %s or %s is not named in: %s", maps[m], key, label, text);
            }
        }
        snprintf(copy, sizeof copy, "first,%s", text);
        strtok_r(copy, ",/", &rest);
        for (char *name = next_name(&rest); name != NULL; name = next_name(&rest)) {
            int key = control_key_index(name);
            bool is_key = key >= 0 && strcmp(control_key_label(key), name) == 0;
            if (is_key && !is_bound_key(params, name) && strchr("ABXY+-", name[0]) == NULL) { // buttons and ways
                fail_msg("%s: %s is named and not bound", maps[m], name);
            }
        }
        leave(seat);
    }
}

/// What drives a bulldozer stands first, by the keys alone, too.
TEST(the_panel_tells_how_a_bulldozer_is_driven)
{
    Seat *seat = sit(NULL, "dozer");
    assert_true(has_hint(&seat->hints, "drive: W/S"));
    assert_true(has_hint(&seat->hints, "steer: D/A"));
    assert_true(has_hint(&seat->hints, "next gear: Up"));
    assert_true(has_hint(&seat->hints, "gear before: Down"));
    assert_true(has_hint(&seat->hints, "gently with: Left Shift"));
    assert_false(has_hint(&seat->hints, "track L"));
    seat->driver.pads = 1; // one is plugged in
    hints_describe(&seat->hints, &seat->driver, session_machine_params(seat->session), false, false, false);
    assert_true(has_hint(&seat->hints, "drive: left stick up/down, W/S"));
    assert_true(has_hint(&seat->hints, "steer: left stick right/left, D/A"));
    leave(seat);
    seat = sit(NULL, "iso");
    assert_true(has_hint(&seat->hints, "drive: Up/Down"));
    assert_true(has_hint(&seat->hints, "track L: R/F"));
    seat->driver.pads = 1;
    hints_describe(&seat->hints, &seat->driver, session_machine_params(seat->session), false, false, false);
    assert_true(has_hint(&seat->hints, "drive: D-pad up/D-pad down, Up/Down"));
    assert_true(has_hint(&seat->hints, "track L: left trigger/left bumper,"));
    leave(seat);
}

/// Each action of each shipped map has its line, the lever of a hammer or a sling included, and the keys come after
/// them.
TEST(all_hints_of_the_shipped_maps_fit)
{
    static const char *const maps[] = {
        "iso", "bhl", "h", "handler", "joysticks-iso", "joysticks-bhl", "joysticks-h", "joysticks-handler", "dozer"};
    for (size_t k = 0; k < sizeof(maps) / sizeof(maps[0]); k++) {
        Seat *seat = sit(NULL, maps[k]);
        bool dozer = strcmp(maps[k], "dozer") == 0;
        assert_false(has_hint(&seat->hints, "hammer: ") || has_hint(&seat->hints, "sling: "));
        assert_true(has_hint(&seat->hints, "mouse, Q, E: look round"));
        MachineParams *machine = malloc(sizeof(*machine));
        assert_non_null(machine);
        *machine = *session_machine_params(seat->session);
        hints_describe(&seat->hints, &seat->driver, machine, true, false, false);
        assert_true(has_hint(&seat->hints, "sling: ") || dozer);
        machine->hammer.blow_energy = 1000.0;
        seat->driver.pads = 1;
        hints_describe(&seat->hints, &seat->driver, machine, false, false, false);
        free(machine);
        assert_true(has_hint(&seat->hints, "hammer: ") || dozer);
        assert_true(has_hint(&seat->hints, "start again: "));
        assert_true(has_hint(&seat->hints, "F1 help"));
        assert_true(has_hint(&seat->hints, "mouse, Q, E: look round"));
        int actions = 0;
        for (int i = 0; i < seat->driver.controls->action_count; i++) {
            const char *name = seat->driver.controls->actions[i].name;
            actions += has_hint(&seat->hints, name) ||
                       strstr("throttle_up throttle_down gear_up gear_down reset menu", name) != NULL;
        }
        assert_int_equal(actions, seat->driver.controls->action_count);
        assert_true(seat->hints.count < RENDER_MAX_HINTS);
        leave(seat);
    }
}

/// A script's author reads there which way each column moves its lever.
TEST(the_document_tells_the_signs_of_a_script)
{
    static const char *const signs[] = {"swing + right",
                                        "stick + in",
                                        "boom + up",
                                        "bucket + curl in",
                                        "tracks + forward",
                                        "blade + up",
                                        "blade_tilt + right corner down",
                                        "blade_angle + face to the right",
                                        "ripper + down",
                                        "throttle -1 idle to +1 full",
                                        "horn and auxiliary above 0.5 on",
                                        "answer k/10 for answer k"};
    FILE *file = fopen(SPADEWORK_TEST_DIR "/../docs/commands.md", "r");
    static char text[1 << 17];
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t k = 0; k < size; k++) {
        text[k] = text[k] == '\n' ? ' ' : text[k];
    }
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) {
        if (strstr(text, signs[k]) == NULL) {
            fail_msg("docs/commands.md does not tell \"%s\"", signs[k]);
        }
    }
    // The words of the panels go the same ways.
    assert_string_equal(lever_words(CONTROL_RIPPER).more, "down");
    assert_string_equal(lever_words(CONTROL_BLADE).more, "up");
    assert_string_equal(lever_words(CONTROL_BLADE_TILT).more, "right");
    assert_string_equal(lever_words(CONTROL_BLADE_ANGLE).more, "right");
}

TEST_GROUP(start_sdl, stop_sdl)
