/// The debug view of a session being driven: lines and figures are those of the last tick; F3 switches it.
#include <assert.h>

#include <SDL.h>

#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/state_io.h"
#include "trainer/app/site_overlays.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"

/// cmocka compares floats only.
/// A trench session in the middle of its first cut.
typedef struct Digging {
    Session *session;
    SessionView *own;
} Digging;

static int start_digging(void **state)
{
    static Digging digging;
    Status status;
    digging.session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    assert_good(digging.session != NULL, status);
    Autopilot *autopilot = autopilot_create(digging.session);
    // Until the bucket is well in the ground: when, is the operator's affair.
    for (int tick = 0; tick < 20 * 60 && session_frame(digging.session)->counters.particles < 1000; tick++) {
        OperatorControls controls;
        autopilot_controls(autopilot, digging.session, &controls);
        session_tick(digging.session, &controls);
    }
    autopilot_destroy(autopilot);
    digging.own = session_view_create();
    session_view_jump(digging.own, digging.session);
    *state = &digging;
    return 0;
}

static int stop_digging(void **state)
{
    Digging *digging = *state;
    session_view_destroy(digging->own);
    session_destroy(digging->session);
    return 0;
}

static RenderView *look(const Digging *digging, bool debug)
{
    RenderView *view = session_view_build(digging->own, digging->session, 1.0);
    if (debug) {
        session_view_add_debug(digging->own, digging->session);
    }
    return view;
}

static bool is_dot(const RenderLine *line)
{
    return vec3_length(vec3_sub(line->b, line->a)) <= 0.0;
}

static bool has_color(const RenderLine *line, const float color[4])
{
    return memcmp(line->color, color, 3 * sizeof(float)) == 0;
}

TEST_WITH(figures_are_the_sessions, const Digging *digging)
{
    const SessionFrame *frame = session_frame(digging->session);
    assert_false(look(digging, false)->debug.visible);
    const RenderDebug *debug = &look(digging, true)->debug;
    assert_true(debug->visible && debug->known);
    assert_true(debug->tick == session_frame(digging->session)->tick && debug->tick > 0);
    assert_int_equal(debug->particles, soil_get_particles(session_soil(digging->session)).count);
    assert_int_equal(debug->budget, session_scene(digging->session)->particles.budget);
    assert_true(debug->particles > 100 && debug->contacts > debug->particles && debug->tool_contacts > 20);
    assert_true(debug->mass_ground > 0 && debug->mass_particles > 0);
    assert_true(debug->mass_ground + debug->mass_particles + debug->mass_trays + debug->mass_left == debug->mass_total);
    assert_int_equal(debug->mass_drift, 0);
    assert_true(debug->mass_total == frame->ledger.total);
    assert_near(debug->quantum, SOIL_QUANTUM, 0.0);
    assert_true(debug->tick_ms > 0.0 && debug->soil_ms > 0.0 && debug->soil_ms + debug->machine_ms <= debug->tick_ms);
    assert_near(debug->force, vec3_length(frame->tool_wrench.force), 1e-9);
    assert_true(debug->recent_cut_columns >= debug->cut_columns && debug->recent_cut_columns > 0);
    assert_false(look(digging, false)->debug.visible); // it does not stay
}

/// One line and one dot a contact, long as its force; the same for the sum at the bucket's centre of mass.
TEST_WITH(lines_are_the_forces, const Digging *digging)
{
    const SessionFrame *frame = session_frame(digging->session);
    const RenderView *view = look(digging, true);
    const RenderDebug *debug = &view->debug;
    SoilToolContactView contacts = soil_get_tool_contacts(session_soil(digging->session));
    Vec3 shown = {0.0, 0.0, 0.0}, expected = {0.0, 0.0, 0.0};
    int lines = 0, dots = 0;
    bool arrow = false;
    for (int k = 0; k < contacts.count; k++) {
        expected = vec3_add(expected, contacts.contacts[k].force);
    }
    for (int k = 0; k < debug->force_line_count; k++) {
        const RenderLine *line = &debug->force_lines[k];
        bool white = line->color[0] + line->color[1] + line->color[2] > 2.999F;
        if (has_color(line, render_debug_cut) || has_color(line, render_debug_yield)) {
            continue;
        }
        Vec3 force = vec3_scale(vec3_sub(line->b, line->a), white ? debug->arrow_scale : debug->contact_scale);
        if (white) {
            bool from_center = vec3_length(vec3_sub(line->a, frame->tool.center)) < 1e-9;
            arrow |= from_center && vec3_length(vec3_sub(force, frame->tool_wrench.force)) < 1e-6 * debug->force;
        } else {
            dots += is_dot(line);
            lines += !is_dot(line);
            shown = vec3_add(shown, force);
        }
    }
    assert_true(arrow);
    assert_int_equal(lines, contacts.count);
    assert_int_equal(dots, contacts.count);
    assert_true(vec3_length(vec3_sub(shown, expected)) < 1e-6 * (1.0 + vec3_length(expected)));
    int tinted = 0;
    for (int k = 0; k < view->particles.count; k++) {
        tinted += view->particles.tint[4 * k + 3] > 0;
    }
    assert_true(tinted > 10 && tinted <= contacts.count);
}

/// Lines on the ground go around every column that was cut in the last half second or lies in a tile that slides.
TEST_WITH(ground_lines_lie_on_the_ground, const Digging *digging)
{
    const RenderDebug *debug = &look(digging, true)->debug;
    assert_true(debug->ground_line_count > 3);
    for (int k = 0; k < debug->ground_line_count; k++) {
        const RenderLine *line = &debug->ground_lines[k];
        double height = soil_get_height(session_soil(digging->session), line->a.x, line->a.y);
        assert_true(line->a.z >= height && line->a.z < height + 1.0);
        assert_true(has_color(line, render_debug_changed) || has_color(line, render_debug_sliding));
    }
}

/// A restored session shows nothing of the ticks before it was restored.
TEST_WITH(nothing_stale_after_a_seek, const Digging *digging)
{
    StateBuffer buffer = {0};
    Status status;
    assert_true(state_save(digging->session, &buffer, &status));
    assert_true(state_restore(digging->session, buffer.data, buffer.size, &status));
    state_buffer_free(&buffer);
    const RenderView *view = look(digging, true);
    const RenderDebug *debug = &view->debug;
    assert_false(debug->known);
    assert_int_equal(debug->tool_contacts + debug->cut_columns + debug->recent_cut_columns, 0);
    assert_int_equal(debug->mass_drift, 0);
    assert_true(debug->particles > 100 && debug->mass_particles > 0);
    assert_null(view->particles.tint);
    for (int k = 0; k < debug->force_line_count; k++) {
        const RenderLine *line = &debug->force_lines[k];
        bool white = line->color[0] + line->color[1] + line->color[2] > 2.999F; // the state knows the last force
        assert_true(white || has_color(line, render_debug_yield));
    }
}

static void send_key(SDL_Keycode key, bool repeated)
{
    SDL_Event event;
    memset(&event, 0, sizeof event);
    event.type = SDL_KEYDOWN;
    event.key.state = SDL_PRESSED;
    event.key.repeat = repeated;
    event.key.keysym.sym = key;
    event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    SDL_PushEvent(&event);
}

static bool shows_after_poll(Window *window)
{
    WindowInput input;
    window_poll(window, NULL, &input);
    return window_shows_debug(window);
}

TEST(f3_switches_it)
{
    Status status;
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    Window *window = window_open("test", SETTINGS_QUALITY_HIGH, &status);
    if (window == NULL) {
        printf("%s\n", status.text);
        skip();
    }
    assert(window != NULL);
    assert_false(shows_after_poll(window));
    send_key(SDLK_F3, false);
    assert_true(shows_after_poll(window));
    send_key(SDLK_F3, true); // held down
    assert_true(shows_after_poll(window));
    send_key(SDLK_F2, false);
    assert_true(shows_after_poll(window));
    send_key(SDLK_F3, false);
    assert_false(shows_after_poll(window));
    window_set_debug(window, true); // --overlay
    assert_true(shows_after_poll(window));
    window_close(window);
}

TEST_GROUP(start_digging, stop_digging)
