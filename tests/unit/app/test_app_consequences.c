/// What a mistake has led to is seen and said: water in the pit below a broken main and how long it leaks, a wall that
/// lies, and the newest damage.
#include "tests/support/render_studio.h"

#include "render/camera.h"
#include "trainer/app/session_view.h"

static Session *open_session(const char *scene)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Pixels that differ between two pictures of the studio's size.
static int difference(const unsigned char *a, const unsigned char *b)
{
    int count = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        count += abs(a[3 * k] - b[3 * k]) + abs(a[3 * k + 1] - b[3 * k + 1]) + abs(a[3 * k + 2] - b[3 * k + 2]) > 24;
    }
    return count;
}

/// Shoots the view with and without what `clear` takes away. Returns how many pixels of it are seen.
static int pixels_of(Studio *studio, RenderView *view, void *field, size_t size, const char *name)
{
    static unsigned char with[3 * WIDTH * HEIGHT];
    char path[64];
    snprintf(path, sizeof path, "app-%s.png", name);
    shoot(studio, view, path);
    memcpy(with, studio->rgb, sizeof with);
    memset(field, 0, size);
    snprintf(path, sizeof path, "app-%s-without.png", name);
    shoot(studio, view, path);
    return difference(with, studio->rgb);
}

TEST_WITH(water_out_of_a_main_is_seen_in_its_pit_alone, Studio *studio)
{
    Session *session = open_session(SPADEWORK_TEST_DIR "/support/leak.yaml");
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    assert_null(session_view_notice(own, session));
    while (session_frame(session)->time < 4.0) {
        double t = session_frame(session)->time;
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = control_quantise(t < 0.3 ? 0.0 : t < 2.0 ? -0.4 : 0.5);
        session_tick(session, &controls);
        session_view_tick(own, session);
    }
    const char *notice = session_view_notice(own, session);
    assert_non_null(notice);
    print_message("%s\n", notice);
    assert_true(strncmp(notice, "Water runs out: the attempt is over in ", 39) == 0);
    RenderView *view = session_view_build(own, session, 1.0);
    FloodPool pool = session_water(session);
    assert_near(view->water.level, pool.level, 0.0);
    assert_true(view->water.depth > 0.004);
    view->camera = RENDER_CAMERA_PLAN;
    view->hud.visible = false;
    int seen = pixels_of(studio, view, &view->water, sizeof view->water, "leak");
    print_message("water on %d of %d pixels\n", seen, WIDTH * HEIGHT);
    double pit = 2.4 * 3.0, picture = 24.0 * 24.0 * WIDTH / HEIGHT; // m2 of the pit's floor and of the plan
    double share = pit / picture * WIDTH * HEIGHT;
    assert_true(seen > 0.3 * share && seen < 1.3 * share);
    session_view_destroy(own);
    session_destroy(session);
}

TEST_WITH(a_wall_that_was_pushed_over_lies_in_the_picture, Studio *studio)
{
    Session *session = open_session(SPADEWORK_TEST_DIR "/support/ram.yaml");
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    while (session_damage(session)->fixture[0].worst != DAMAGE_WRECKED && session_frame(session)->time < 12.0) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(1.0);
        session_tick(session, &controls);
        session_view_tick(own, session);
    }
    const char *notice = session_view_notice(own, session);
    assert_non_null(notice);
    assert_true(strncmp(notice, "wall is pushed over: ", 21) == 0);
    RenderView *view = session_view_build(own, session, 1.0);
    assert_true(view->falls[0].lies);
    view->hud.visible = false;
    assert_true(pixels_of(studio, view, view->falls, sizeof view->falls, "fall") > WIDTH * HEIGHT / 200);
    session_view_destroy(own);
    session_destroy(session);
}

TEST_GROUP(open_studio, close_studio)
