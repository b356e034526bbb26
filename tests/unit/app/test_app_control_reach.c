/// Each control of each shipped machine, with each attachment and coupler, is moved both ways by the keyboard alone, by
/// a gamepad alone and by the mouse alone: by a binding of the control map, by the levers for the mouse, or by a page.
#include "tests/support/test.h"

#include <math.h>

#include "data/schema/schema.h"
#include "render/panels/panels.h"
#include "trainer/app/cab_page.h"
#include "trainer/app/mouse_levers.h"
#include "trainer/pilot/drive.h"

enum { WIDTH = 1280, HEIGHT = 720 };

typedef enum Hand { BY_KEYS, BY_PAD, BY_MOUSE, HANDS } Hand;
static const char *const hand_names[HANDS] = {"keyboard", "gamepad", "mouse"};

/// Ways of the controls that a hand reaches.
typedef struct Reach {
    bool less[CONTROL_COUNT], more[CONTROL_COUNT];
} Reach;

static void note(Reach *reach, ControlAxis axis, double value)
{
    reach->less[axis] |= value < -0.5;
    reach->more[axis] |= value > 0.5;
}

/// What the map's keys, or a pad's sticks and buttons, do.
static void note_map(const ControlsParams *map, Hand hand, Reach *reach)
{
    for (int k = 0; k < map->binding_count; k++) {
        const ControlBinding *binding = &map->bindings[k];
        bool stick = binding->source == CONTROL_SOURCE_PAD_AXIS;
        bool own = hand == BY_KEYS ? binding->source == CONTROL_SOURCE_KEY
                                   : stick || binding->source == CONTROL_SOURCE_PAD_BUTTON;
        bool trigger = strstr(binding->input, "trigger") != NULL;
        if (own) {
            note(reach, binding->axis, binding->scale);
            note(reach, binding->axis, stick && !trigger ? -binding->scale : 0.0);
        }
    }
    for (int k = 0; k < map->action_count; k++) {
        bool bound = hand == BY_KEYS ? map->actions[k].key[0] != '\0' : map->actions[k].pad[0] != '\0';
        bool faster = strcmp(map->actions[k].name, "throttle_up") == 0,
             slower = strcmp(map->actions[k].name, "throttle_down") == 0;
        note(reach, CONTROL_THROTTLE, bound && faster ? 1.0 : bound && slower ? -1.0 : 0.0);
    }
}

/// The middle of a field of the panel, found as the mouse finds it.
static bool find_field(const RenderView *view, int field, double at[2])
{
    for (double y = 4.0; y < HEIGHT; y += 4.0) {
        for (double x = 4.0; x < WIDTH; x += 4.0) {
            if (render_mouse_at(view, WIDTH, HEIGHT, x, y) == field) {
                at[0] = x + 30.0;
                at[1] = y + 8.0;
                return render_mouse_at(view, WIDTH, HEIGHT, at[0], at[1]) == field;
            }
        }
    }
    return false;
}

/// Drags each field all ways, or presses it, and notes the levers of the next tick.
static void note_mouse(Operator *driver, Session *session, RenderView *view, Reach *reach)
{
    static const double drags[][2] = {{0, 0}, {200, 0}, {-200, 0}, {0, 200}, {0, -200}};
    MouseLevers levers = {0};
    mouse_levers_fill(&levers, "ISO", session, session_loads(session) != NULL);
    view->hud.visible = true;
    view->hud.compact = true;
    for (int field = 0; field < levers.picture.count; field++) {
        double at[2] = {0.0, 0.0};
        view->hud.mouse = levers.picture;
        view->hud.mouse.visible = true;
        assert_true(find_field(view, field, at));
        for (size_t k = 0; k < sizeof drags / sizeof drags[0]; k++) {
            OperatorPresses presses = {0};
            OperatorControls controls;
            WindowInput input = {.width = WIDTH, .height = HEIGHT, .mouse_x = at[0], .mouse_y = at[1]};
            input.button = true;
            assert_true(mouse_levers_take(&levers, &input, view, driver, &presses));
            input.mouse_x += drags[k][0];
            input.mouse_y += drags[k][1];
            assert_true(mouse_levers_take(&levers, &input, view, driver, &presses));
            mouse_levers_fill(&levers, "ISO", session, session_loads(session) != NULL); // of the next picture
            const RenderMouseField *shown = &levers.picture.fields[field];
            assert_true(shown->kind == RENDER_MOUSE_BUTTON
                            ? shown->lit
                            : k == 0 || fabs(shown->at[0]) + fabs(shown->at[1]) > 0.5 ||
                                  levers.fields[field].axis[k < 3 ? 0 : 1] == CONTROL_COUNT);
            note(reach, CONTROL_THROTTLE, presses.faster - presses.slower);
            operator_controls(driver, session, &controls);
            for (int axis = 0; axis < CONTROL_COUNT; axis++) {
                note(reach, (ControlAxis)axis,
                     axis == CONTROL_THROTTLE ? 0.0 : control_value(&controls, (ControlAxis)axis));
            }
            input.button = false;
            assert_true(mouse_levers_take(&levers, &input, view, driver, &presses));
            driver->hand = (OperatorHand){0};
            operator_controls(driver, session, &controls); // all levers sprang back
            for (int axis = 0; axis < CONTROL_COUNT; axis++) {
                assert_true(axis == CONTROL_THROTTLE || controls.axis[axis] == 0);
            }
        }
    }
    assert_false(mouse_levers_take(
        &levers, &(WindowInput){.width = WIDTH, .height = HEIGHT, .mouse_x = 900.0, .mouse_y = 300.0, .button = true},
        view, driver, &(OperatorPresses){0})); // the camera's
}

/// What the page of the switches has: every hand reaches it through the pause menu.
static void note_page(const Drive *drive, Reach *reach)
{
    static Menu menu;
    cab_page_begin(&menu, drive);
    for (int k = 0; k < menu.count; k++) {
        int axis = menu.items[k].id - CAB_PAGE_AXES;
        if (axis >= 0 && axis < CONTROL_COUNT) {
            note(reach, (ControlAxis)axis, 1.0);
        }
    }
}

/// Fails where a hand misses a way of a control that the machine has.
static void check(const Session *session, const Reach *reach, Hand hand, const char *set)
{
    const MachineParams *machine = session_machine_params(session);
    bool wanted[CONTROL_COUNT] = {[CONTROL_LEFT_TRACK] = true, [CONTROL_RIGHT_TRACK] = true};
    for (int k = 0; k < machine->joint_count; k++) {
        wanted[machine->joint[k].control] = true;
    }
    const bool hammers = machine->hammer.blow_energy > 0.0, slings = session_loads(session) != NULL;
    const bool presses[CONTROL_COUNT] = {
        [CONTROL_HORN] = true,
        [CONTROL_AUXILIARY] = hammers || slings,
        [CONTROL_BLADE_FLOAT] = machine_floating_joint(machine) >= 0,
        [CONTROL_COUPLER] = session_frame(session)->coupler.has,
    };
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if ((wanted[axis] && !(reach->less[axis] && reach->more[axis])) || (presses[axis] && !reach->more[axis])) {
            fail_msg("%s of %s with %s: %s is not moved both ways", control_axis_names[axis], machine->name, set,
                     hand_names[hand]);
        }
    }
}

static void try_machine(const char *scene, const char *set, const char *other)
{
    Status status;
    const char *const sets[] = {set, other};
    SessionParams params = {.scene = scene, .threads = 1, .set = sets, .set_count = other != NULL ? 2 : set != NULL};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    static Drive drive;
    static RenderView view;
    drive = (Drive){.session = session};
    drive.driver = (Operator){.kind = OPERATOR_PERSON, .throttle = 1.0};
    drive.driver.controls = calloc(1, sizeof *drive.driver.controls);
    assert_good(control_map_load(NULL, session_machine_params(session), drive.driver.controls, &status), status);
    drive.driver.map = input_map_create(drive.driver.controls, &status);
    assert_good(drive.driver.map != NULL, status);
    for (int hand = 0; hand < HANDS; hand++) {
        Reach reach = {{false}, {false}};
        if (hand == BY_MOUSE) {
            note_mouse(&drive.driver, session, &view, &reach);
        } else {
            note_map(drive.driver.controls, (Hand)hand, &reach);
        }
        note_page(&drive, &reach);
        check(session, &reach, (Hand)hand, set != NULL ? set : scene);
    }
    input_map_destroy(drive.driver.map);
    free(drive.driver.controls);
    session_destroy(session);
}

TEST(each_control_of_each_machine_is_reached_by_each_hand_alone)
{
    static const char *const scenes[] = {"change-bucket", "slope-tilt", "sorting",   "lift-pipe",
                                         "break-rocks",   "ripping",    "walk-round"};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        try_machine(scenes[k], NULL, NULL);
    }
    try_machine("free", "machine.file=excavator-8t", NULL);
}

TEST(each_attachment_and_coupler_is_reached_by_each_hand_alone)
{
    static const char *const folders[] = {"attachments", "couplers"};
    static const char *const keys[] = {"machine.attachment", "machine.coupler"};
    for (int n = 0; n < 2; n++) {
        DataListEntry entries[32];
        Status status;
        int count = data_list(folders[n], entries, 32, &status);
        assert_true(count >= 2);
        for (int k = 0; k < count; k++) {
            char set[200];
            snprintf(set, sizeof set, "%s=%.150s", keys[n], entries[k].name);
            try_machine("free", "machine.file=excavator-22t", set);
        }
    }
}

TEST_GROUP(NULL, NULL)
