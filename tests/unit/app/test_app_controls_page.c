/// The page of the controls: each input that a map binds is in the picture with what it does, in every language and on
/// every screen from 1024 x 600 with room for its words; the picture moves with the devices, and so does its machine.
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/load.h"
#include "render/panels/canvas.h"
#include "render/panels/overlay.h"
#include "trainer/app/controls_page.h"

enum { MOST_MAPS = 32 };

typedef struct Desk {
    ControlsParams params;
    InputMap *map;
    InputSample sample;
    ControlsPage page;
    Menu menu;
    WindowInput input;
} Desk;

/// With all devices of the map plugged in and at rest.
static Desk *sit_down(const char *map, bool pad)
{
    Status status;
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    assert_good(data_load_controls(map, &desk->params, NULL, &status), status);
    desk->map = input_map_create(&desk->params, &status);
    assert_good(desk->map != NULL, status);
    desk->sample.pad_present = pad;
    for (int k = 0; k < desk->params.device_count; k++) {
        InputJoystick *joystick = &desk->sample.joystick[k];
        joystick->present = true;
        for (int axis = 0; axis < CONTROLS_MAX_JOYSTICK_AXES; axis++) {
            bool pedal = strcmp(desk->params.devices[k].id, "pedals") == 0;
            joystick->axis[axis] = joystick->first[axis] = pedal ? -1.0 : 0.0;
        }
    }
    controls_page_begin(&desk->page, &desk->params, desk->map, &desk->sample);
    return desk;
}

static void leave(Desk *desk)
{
    input_map_destroy(desk->map);
    free(desk);
}

static void look(Desk *desk, int times)
{
    for (int k = 0; k < times; k++) {
        desk->input = (WindowInput){0};
        controls_page_look(&desk->page, &desk->sample, 0.05, &desk->input);
    }
}

static const RenderControlInput *find(const Desk *desk, const char *label)
{
    for (int k = 0; k < desk->page.picture.input_count; k++) {
        if (strcmp(desk->page.picture.inputs[k].label, label) == 0) {
            return &desk->page.picture.inputs[k];
        }
    }
    fail_msg("%s is not in the picture", label);
    return NULL;
}

/// ---- what is in the picture ----------------------------------------------------------------------------------------

/// Number of ways of the picture that do something.
static int count_ways(const RenderControlsPicture *picture)
{
    int count = 0;
    for (int k = 0; k < picture->input_count; k++) {
        for (int way = 0; way < RENDER_CONTROL_WAYS; way++) {
            count += picture->inputs[k].words[way][0] != '\0';
        }
    }
    return count;
}

/// True when the binding is the first one of its input: a key that drives both tracks is one word.
static bool is_first(const ControlsParams *params, int number)
{
    for (int k = 0; k < number; k++) {
        if (params->bindings[k].source == params->bindings[number].source &&
            strcmp(params->bindings[k].input, params->bindings[number].input) == 0 &&
            strcmp(params->bindings[k].modifier, params->bindings[number].modifier) == 0) {
            return false;
        }
    }
    return true;
}

/// Ways that the bindings of a device have, without those that a modifier only makes gentle.
static int count_bound(const ControlsParams *params, RenderDevice device)
{
    int count = 0;
    for (int k = 0; k < params->binding_count; k++) {
        const ControlBinding *binding = &params->bindings[k];
        bool axis = binding->source == CONTROL_SOURCE_PAD_AXIS || binding->source == CONTROL_SOURCE_JOYSTICK_AXIS;
        bool trigger = strstr(binding->input, "trigger") != NULL || binding->rest <= binding->low;
        RenderDevice own = binding->source == CONTROL_SOURCE_KEY ? RENDER_DEVICE_KEYBOARD
                           : binding->source == CONTROL_SOURCE_PAD_AXIS || binding->source == CONTROL_SOURCE_PAD_BUTTON
                               ? RENDER_DEVICE_PAD
                               : RENDER_DEVICE_JOYSTICKS;
        bool gentle = binding->modifier[0] != '\0' && own == RENDER_DEVICE_KEYBOARD;
        bool one = own == RENDER_DEVICE_JOYSTICKS ? trigger : strstr(binding->input, "trigger") != NULL;
        count += own == device && is_first(params, k) && !gentle ? (axis && !one ? 2 : 1) : 0;
    }
    return count;
}

/// Nothing that a map binds is missing: as many ways have words as its bindings have, and its actions and modifiers.
TEST(each_binding_of_each_map_is_in_the_picture)
{
    Status status;
    DataListEntry entries[MOST_MAPS];
    int count = data_list("controls", entries, MOST_MAPS, &status);
    assert_true(count >= 9);
    for (int k = 0; k < count; k++) {
        Desk *desk = sit_down(entries[k].name, true);
        for (int device = 0; device <= (desk->params.device_count > 0 ? 2 : 1); device++) {
            int bound = count_bound(&desk->params, (RenderDevice)device);
            if (bound == 0) {
                continue; // it is not shown
            }
            int actions = 0, modifiers = device == RENDER_DEVICE_PAD ? 0 : 1; // Left Shift, the trigger of the pedals
            for (int n = 0; n < desk->params.action_count; n++) {
                const char *inputs[] = {desk->params.actions[n].key, desk->params.actions[n].pad,
                                        desk->params.actions[n].joystick};
                actions += inputs[device][0] != '\0';
            }
            while ((int)desk->page.picture.device != device) {
                controls_page_next_device(&desk->page);
            }
            look(desk, 1);
            assert_int_equal(count_ways(&desk->page.picture), bound + actions + modifiers);
            assert_true(desk->page.picture.input_count < RENDER_CONTROL_INPUTS);
        }
        leave(desk);
    }
}

TEST(keys_have_the_letters_of_the_keyboard_in_every_language)
{
    static const char *const languages[] = {"en", "de", "es"};
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
        Status status;
        assert_good(language_choose(languages[k], &status), status);
        Desk *desk = sit_down("iso", false);
        char bound[120];
        for (int letter = 'A'; letter <= 'Z'; letter++) {
            find(desk, (const char[]){(char)letter, '\0'}); // "R" and "L" alone are words of other panels
        }
        input_map_describe(desk->map, CONTROL_LEFT_TRACK, false, bound, (int)sizeof bound);
        assert_non_null(strstr(bound, "R/F"));
        leave(desk);
        assert_good(language_choose("en", &status), status);
    }
}

/// ---- it moves ------------------------------------------------------------------------------------------------------

TEST(a_key_moves_the_picture_and_its_machine)
{
    Desk *desk = sit_down("iso", false);
    assert_int_equal(desk->page.picture.device, RENDER_DEVICE_KEYBOARD);
    assert_string_equal(desk->page.picture.told, "");
    double before = desk->page.picture.pose[CONTROL_STICK];
    desk->sample.key[control_key_index("W")] = 1;
    look(desk, 10);
    assert_near(find(desk, "W")->value[0], 1.0, 0.0);
    assert_near(find(desk, "S")->value[0], 0.0, 0.0);
    assert_string_equal(find(desk, "W")->words[0], "out");
    assert_int_equal(find(desk, "W")->axis[0], CONTROL_STICK);
    assert_string_equal(desk->page.picture.told, "stick out");
    assert_near(desk->page.picture.lever[CONTROL_STICK], -1.0, 1e-3);
    assert_true(desk->page.picture.pose[CONTROL_STICK] < before - 0.2);
    desk->sample.key[control_key_index("W")] = 0;
    look(desk, 10);
    assert_string_equal(desk->page.picture.told, "");
    desk->sample.key[control_key_index("Up")] = 1;
    look(desk, 10);
    assert_string_equal(desk->page.picture.told, "drive ahead");
    leave(desk);
    desk = sit_down("dozer", false);
    assert_true(desk->page.picture.dozer);
    desk->sample.key[control_key_index("D")] = 1;
    look(desk, 10);
    assert_string_equal(desk->page.picture.told, "turn right");
    assert_string_equal(find(desk, "D")->words[0], "right");
    leave(desk);
}

/// The device that is moved is the one in sight.
TEST(the_picture_shows_the_device_that_moves)
{
    Desk *desk = sit_down("joysticks-handler", true);
    assert_int_equal(desk->page.picture.device, RENDER_DEVICE_JOYSTICKS);
    look(desk, 1); // at rest
    desk->sample.joystick[0].axis[1] = 1.0; // back
    look(desk, 10);
    assert_near(find(desk, "left")->value[1], -1.0, 1e-9);
    assert_string_equal(find(desk, "left")->words[3], "boom up");
    assert_string_equal(desk->page.picture.told, "boom up");
    desk->sample.joystick[0].axis[1] = 0.0;
    desk->sample.joystick[2].axis[0] = 1.0;
    look(desk, 10);
    assert_near(find(desk, "pedals 0")->value[0], 1.0, 1e-9);
    assert_string_equal(find(desk, "pedals 0")->words[0], "left track ahead");
    assert_string_equal(find(desk, "pedals 0")->words[1], "left track back");
    desk->sample.joystick[2].axis[0] = -1.0;
    leave(desk);
    desk = sit_down("h", true);
    desk->sample.key[control_key_index("J")] = 1;
    look(desk, 2);
    assert_int_equal(desk->page.picture.device, RENDER_DEVICE_KEYBOARD);
    desk->sample.key[control_key_index("J")] = 0;
    desk->sample.pad_axis[1] = -1.0;
    desk->sample.pad_axis[5] = 0.5;
    look(desk, 10);
    assert_int_equal(desk->page.picture.device, RENDER_DEVICE_PAD);
    assert_near(find(desk, "left stick")->value[1], 1.0, 1e-9);
    assert_string_equal(find(desk, "left stick")->words[2], "swing right");
    assert_near(find(desk, "right trigger")->value[0], 0.5, 1e-9);
    assert_true(desk->page.picture.pose[CONTROL_SWING] > 0.2);
    leave(desk);
}

/// Sticks and arrows move levers here: the stick moves no selection, left and right change no value; up, down, accept
/// and back stay commands of the menu.
TEST(levers_do_not_move_the_menu)
{
    Desk *desk = sit_down("iso", true);
    desk->sample.pad_axis[1] = -1.0;
    desk->input = (WindowInput){0};
    desk->input.pressed[WINDOW_UP] = desk->input.pressed[WINDOW_LEFT] = desk->input.pressed[WINDOW_ACCEPT] = 1;
    controls_page_look(&desk->page, &desk->sample, 0.05, &desk->input);
    assert_int_equal(desk->input.pressed[WINDOW_UP], 0);
    assert_int_equal(desk->input.pressed[WINDOW_LEFT], 0);
    assert_int_equal(desk->input.pressed[WINDOW_ACCEPT], 1);
    desk->sample.pad_axis[1] = 0.0;
    desk->input.pressed[WINDOW_DOWN] = desk->input.pressed[WINDOW_BACK] = 1;
    controls_page_look(&desk->page, &desk->sample, 0.05, &desk->input);
    assert_int_equal(desk->input.pressed[WINDOW_DOWN], 1);
    assert_int_equal(desk->input.pressed[WINDOW_BACK], 1);
    leave(desk);
}

/// ---- room for its words --------------------------------------------------------------------------------------------

typedef struct Faults {
    int count, seen;
    const char *where;
} Faults;

static void see(void *context, const CanvasText *text)
{
    Faults *faults = context;
    faults->seen++;
    if (text->cut) {
        print_error("%s: \"%s\" is cut\n", faults->where, text->text);
        faults->count++;
    }
}

static void draw(Desk *desk, int width, int height, Faults *faults)
{
    static RenderView view;
    char text[MENU_TEXT];
    menu_start(&desk->menu, language_text("Controls"), "");
    controls_page_name_device(&desk->page, text);
    menu_add(&desk->menu, 1, text, "");
    controls_page_name_pattern(&desk->page, text);
    menu_add(&desk->menu, 2, text, "");
    controls_page_show(&desk->page, &desk->menu);
    view = (RenderView){0};
    menu_show(&desk->menu, &view.menu);
    double unit = panel_unit(&view, width, height);
    PanelPlace place = panel_place(&view, PANEL_MENU, width / unit, height / unit);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, width, height);
    cairo_t *cairo = cairo_create(surface);
    CanvasWatch watch = {see, faults};
    canvas_watch(cairo, &watch);
    cairo_scale(cairo, unit, unit);
    panel_draw(cairo, &view, PANEL_MENU, &place);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

TEST(every_word_of_each_map_has_its_room_in_every_language)
{
    static const char *const languages[] = {"en", "de", "es"};
    static const int sizes[][2] = {{1024, 600}, {1280, 720}, {1920, 1080}};
    Status status;
    DataListEntry entries[MOST_MAPS];
    Faults faults = {0};
    int count = data_list("controls", entries, MOST_MAPS, &status);
    for (int k = 0; k < 3 * count; k++) {
        assert_good(language_choose(languages[k % 3], &status), status);
        Desk *desk = sit_down(entries[k / 3].name, true);
        char where[96];
        for (int device = 0; device < 3; device++, controls_page_next_device(&desk->page)) {
            look(desk, 1);
            for (size_t size = 0; size < 3; size++) {
                snprintf(where, sizeof where, "%s, %s, device %d, %d x %d", entries[k / 3].name, languages[k % 3],
                         (int)desk->page.picture.device, sizes[size][0], sizes[size][1]);
                faults.where = where;
                draw(desk, sizes[size][0], sizes[size][1], &faults);
            }
        }
        leave(desk);
    }
    assert_good(language_choose("en", &status), status);
    assert_true(faults.seen > 1000);
    assert_int_equal(faults.count, 0);
}

static int use_shipped_data(void **state)
{
    (void)state;
    return setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1);
}

TEST(the_caps_of_switches_name_what_they_do)
{
    static const struct {
        const char *map, *key, *word;
    } caps[] = {{"iso", "B", "key"},  {"iso", "V", "lock"}, {"iso", "0", "light"},
                {"iso", "X", "swap"}, {"iso", "H", "horn"}, {"dozer", "Space", "float"}};
    for (size_t k = 0; k < sizeof caps / sizeof caps[0]; k++) {
        Desk *desk = sit_down(caps[k].map, false);
        look(desk, 1);
        assert_string_equal(find(desk, caps[k].key)->words[0], caps[k].word);
        leave(desk);
    }
}

TEST_GROUP(use_shipped_data, NULL)
