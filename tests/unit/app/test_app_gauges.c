/// The gauges over the picture tell what is there and nothing else: no limit, score or cycles where there are none,
/// what the tools feel, and a payload that does not jump with a boulder before the blade.
#include "tests/support/test.h"
#include "trainer/pilot/operator.h"
#include "trainer/app/session_view.h"

enum { TICKS = 60 }; ///< a second

typedef struct Cab {
    Session *session;
    SessionView *view;
} Cab;

static Cab sit(const char *scene)
{
    Status status = {0};
    Cab cab = {session_create(&(SessionParams){.scene = scene, .threads = 1}, &status), session_view_create()};
    assert_good(cab.session != NULL, status);
    session_view_jump(cab.view, cab.session);
    return cab;
}

static void leave(Cab *cab)
{
    session_view_destroy(cab->view);
    session_destroy(cab->session);
}

static const RenderHud *drive(Cab *cab, int ticks, const OperatorControls *controls)
{
    for (int tick = 0; tick < ticks; tick++) {
        session_tick(cab->session, controls);
        session_view_tick(cab->view, cab->session);
    }
    return &session_view_build(cab->view, cab->session, 1.0)->hud;
}

static bool tells(const RenderHud *hud, const char *start)
{
    for (int k = 0; k < RENDER_HUD_LINES && hud->progress[k] != NULL; k++) {
        if (strncmp(hud->progress[k], start, strlen(start)) == 0) {
            return true;
        }
    }
    return false;
}

TEST(a_free_scene_has_no_limit_no_score_and_no_cycles)
{
    static const char *const scenes[] = {"free", "boulders", "break-boulders", "soils", "dozing"};
    const OperatorControls still = {{0}};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        Cab cab = sit(scenes[k]);
        const RenderHud *hud = drive(&cab, 1, &still);
        assert_true(hud->unscored && hud->time_limit == 0.0);
        assert_false(tells(hud, "Cycles") || tells(hud, "Moved"));
        assert_int_equal(tells(hud, "8 boulders broken into 8 pieces, the largest 1.20 m"),
                         strcmp(scenes[k], "break-boulders") == 0);
        leave(&cab);
    }
    Cab cab = sit("trench");
    const RenderHud *hud = drive(&cab, 1, &still);
    assert_true(!hud->unscored && hud->time_limit == 1200.0 && tells(hud, "Cycles 0"));
    leave(&cab);
}

/// The scene names who shows how it is done.
TEST(boulders_have_an_expert)
{
    Status status = {0};
    Operator driver;
    Cab cab = sit("break-boulders");
    assert_good(operator_create(&driver, &(OperatorParams){.name = "expert"}, cab.session, &status), status);
    operator_destroy(&driver);
    leave(&cab);
}

TEST(an_excavator_has_one_tool_and_a_bulldozer_two)
{
    const OperatorControls still = {{0}};
    Cab cab = sit("ripping");
    OperatorControls rips = {{0}};
    rips.axis[CONTROL_LEFT_TRACK] = rips.axis[CONTROL_RIGHT_TRACK] = control_quantise(0.3);
    rips.axis[CONTROL_RIPPER] = control_quantise(1.0);
    const RenderHud *hud = drive(&cab, 8 * TICKS, &rips);
    assert_string_equal(hud->tool_name[0], "Blade");
    assert_string_equal(hud->tool_name[1], "Ripper");
    assert_true(hud->second_force > 5e3 && hud->tool_force < 1e3);
    leave(&cab);
    cab = sit("free");
    hud = drive(&cab, 1, &still);
    assert_null(hud->tool_name[1]);
    leave(&cab);
}

/// The boulder weighs 1.4 t; it rolls in and out of what counts as inside the blade. The gauge shows the soil alone,
/// and that without jumps.
TEST(a_boulder_before_the_blade_is_no_payload)
{
    Cab cab = sit(SPADEWORK_TEST_DIR "/support/blade-rock.yaml");
    OperatorControls ahead = {{0}};
    ahead.axis[CONTROL_LEFT_TRACK] = ahead.axis[CONTROL_RIGHT_TRACK] = control_quantise(0.4);
    ahead.axis[CONTROL_BLADE] = control_quantise(-0.05);
    double rocks = 0.0, jump = 0.0, before = 0.0;
    for (int tick = 0; tick < 10 * TICKS; tick++) {
        const RenderHud *hud = drive(&cab, 1, &ahead);
        rocks = fmax(rocks, session_frame(cab.session)->rock_payload);
        jump = fmax(jump, fabs(hud->payload - before));
        before = hud->payload;
    }
    print_message("rocks %.0f kg at most in the blade, the gauge moved by %.0f kg a tick at most\n", rocks, jump);
    assert_true(rocks > 500.0);
    assert_true(jump < 100.0);
    leave(&cab);
}

/// Who has left the site is told so for as long as he is outside, in the scene's units; the edge is on the map, and so
/// is the machine.
TEST(outside_the_site_the_screen_says_so)
{
    Cab cab = sit(SPADEWORK_TEST_DIR "/support/blade-rock.yaml");
    OperatorControls back = {{0}};
    back.axis[CONTROL_LEFT_TRACK] = back.axis[CONTROL_RIGHT_TRACK] = control_quantise(-0.8);
    assert_null(drive(&cab, 1, &back)->message);
    const RenderHud *hud = drive(&cab, 12 * TICKS, &back);
    char wanted[80];
    assert_true(session_beyond_site(cab.session) > 1.0);
    snprintf(wanted, sizeof wanted, "Outside the site, %.1f m beyond its edge", session_beyond_site(cab.session));
    assert_string_equal(hud->message, wanted);
    const RenderView *view = session_view_build(cab.view, cab.session, 1.0);
    int edge = 0;
    for (int k = 0; k < view->line_count; k++) {
        const RenderLine *line = &view->lines[k];
        edge += (fabs(fabs(line->a.x) - 20.0) < 1e-6 && fabs(fabs(line->b.x) - 20.0) < 1e-6) ||
                (fabs(fabs(line->a.y) - 10.0) < 1e-6 && fabs(fabs(line->b.y) - 10.0) < 1e-6);
    }
    assert_int_equal(edge, 2 * (20 + 10)); // in pieces of 2 m
    leave(&cab);
}

TEST(a_lamp_says_that_the_blade_floats)
{
    Cab cab = sit("dozing");
    OperatorControls controls = control_neutral;
    const RenderHud *hud = drive(&cab, 2, &controls);
    assert_string_equal(hud->state, "float");
    assert_false(hud->state_acts);
    controls.axis[CONTROL_BLADE_FLOAT] = CONTROL_FULL;
    hud = drive(&cab, TICKS, &controls);
    assert_true(hud->state_acts && !hud->state_warns);
    controls.axis[CONTROL_BLADE_FLOAT] = 0;
    controls.axis[CONTROL_BLADE] = CONTROL_FULL / 2;
    hud = drive(&cab, TICKS, &controls);
    assert_false(hud->state_acts); // the blade was moved
    leave(&cab);
    cab = sit("trench");
    controls = control_neutral;
    assert_null(drive(&cab, 1, &controls)->state);
    leave(&cab);
}

TEST(a_lamp_warns_of_a_coupler_that_is_not_locked)
{
    Cab cab = sit("change-bucket");
    OperatorControls controls = control_neutral;
    const RenderHud *hud = drive(&cab, 2, &controls);
    assert_string_equal(hud->state, "coupler");
    assert_false(hud->state_acts);
    controls.axis[CONTROL_BUCKET] = controls.axis[CONTROL_BOOM] = CONTROL_FULL;
    drive(&cab, 4 * TICKS, &controls); // curled in, off the ground
    controls = control_neutral;
    controls.axis[CONTROL_COUPLER] = CONTROL_FULL;
    hud = drive(&cab, 3 * TICKS, &controls); // held: released
    assert_true(hud->state_acts && hud->state_warns);
    leave(&cab);
}

TEST_GROUP(NULL, NULL)
