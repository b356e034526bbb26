/// How the scripted operator clears the strip beside a trench on which no soil may lie: which scrape comes first, the
/// edge's straight way, and what is left of soil that lay there.
#include "tests/support/test.h"
#include "trainer/pilot/autopilot_internal.h"
#include "trainer/sim/session.h"

#define SCENE SPADEWORK_TEST_DIR "/support/setback.yaml"

static Session *open_scene(const char *const *set, int count)
{
    Status status;
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// m3 that lie higher than 6 cm in the strip on one side of the trench of the scene (left 1, right -1).
static double lying_beside(const Session *session, double side)
{
    const double spacing = 0.1;
    double volume = 0.0;
    for (double x = -0.2; x < 3.8; x += spacing) {
        for (double y = 0.85; y < 1.8; y += spacing) {
            double height = soil_get_height(session_soil((Session *)(uintptr_t)session), x, side * y);
            volume += height > 0.06 ? height * spacing * spacing : 0.0;
        }
    }
    return volume;
}

/// Heights of a level site with a trench 1.5 m deep and a ridge of 0.2 m along its left side, 0.4 m along its right.
static double ridges(void *context, double x, double y)
{
    (void)context;
    bool along = x > -0.2 && x < 3.8;
    if (along && fabs(y) < 0.8) {
        return -1.5;
    }
    return along && fabs(fabs(y) - 1.1) < 0.3 ? (y > 0.0 ? 0.2 : 0.4) : 0.0;
}

static double level(void *context, double x, double y)
{
    (void)context;
    return x > -0.2 && x < 3.8 && fabs(y) < 0.8 ? -1.5 : 0.0;
}

static PilotView view_of(const Session *session, Pilot *pilot)
{
    const SessionFrame *frame = session_frame(session);
    pilot_start(pilot, session_scene(session), session_machine_params(session), frame->machine.base);
    pilot->stand = frame->machine.base.z;
    return (PilotView){.base = frame->machine.base, .height = ridges};
}

/// What was pushed ahead to the near end is raked away there.
TEST(both_sides_are_scraped_then_the_near_end_and_no_more_where_nothing_lies)
{
    Session *session = open_scene(NULL, 0);
    Pilot pilot;
    PilotView view = view_of(session, &pilot);
    PilotStroke first, second, next;
    assert_true(pilot_find_scrape(&pilot, &view, 1.0, &first));
    assert_true(pilot_find_scrape(&pilot, &view, 1.0, &second));
    assert_true(first.direction < 0.0 && second.direction > 0.0);
    assert_true(first.volume > 1.5 * second.volume);
    for (int k = 0; k < 2; k++) {
        assert_true(pilot_find_scrape(&pilot, &view, 1.0, &next) && next.rakes);
    }
    // Each is tried once while there is work in the trench, and once more at its end.
    assert_false(pilot_find_scrape(&pilot, &view, 1.0, &next));
    assert_true(pilot_find_scrape(&pilot, &view, 0.0, &next));
    view.height = level;
    assert_false(pilot_find_scrape(&pilot, &view, 0.0, &next));
    session_destroy(session);
}

/// The edge goes straight along the side, with the bucket over the rim, and ends over the trench.
TEST(a_scrape_goes_straight_and_ends_over_the_trench)
{
    Session *session = open_scene(NULL, 0);
    Pilot pilot;
    PilotView view = view_of(session, &pilot);
    assert_true(pilot_find_scrape(&pilot, &view, 1.0, &pilot.stroke));
    pilot_plan_path(&pilot);
    double aside = view.base.y + pilot.stroke.start * sin(pilot.stroke.direction), turned = 0.0;
    for (double time = 0.0; time < pilot.knots[PILOT_KNOT_HELD].time; time += 0.05) {
        double distance = pilot_path_at(&pilot, time).distance, direction = pilot_path_direction(&pilot, time);
        if (time < pilot.knots[PILOT_KNOT_CURL].time) {
            assert_near(view.base.y + distance * sin(direction), aside, 0.01);
        }
        turned = distance * sin(direction);
    }
    assert_near(turned, 0.0, 0.01);
    session_destroy(session);
}

TEST(a_scene_that_asks_for_no_set_back_gets_none)
{
    Session *session = open_scene((const char *[]){"exercise.scores.1.metric=spilled_share"}, 1);
    Pilot pilot;
    view_of(session, &pilot);
    assert_near(pilot.setback, 0.0, 0.0);
    session_destroy(session);
}

/// Ridges of 0.15 m along both sides: after half a minute little of them is left, and it lies in the trench.
TEST(ridges_beside_a_trench_go_into_it)
{
    Session *session = open_scene(NULL, 0);
    Autopilot *autopilot = autopilot_create(session);
    assert_non_null(autopilot);
    double before = lying_beside(session, 1.0) + lying_beside(session, -1.0);
    OperatorControls controls;
    while (session_frame(session)->time < 24.0) {
        autopilot_controls(autopilot, session, &controls);
        session_tick(session, &controls);
    }
    double left = lying_beside(session, 1.0), right = lying_beside(session, -1.0);
    print_message("%.3f m3 before, %.3f m3 on the left and %.3f m3 on the right after 24 s\n", before, left, right);
    assert_true(before > 0.3);
    assert_true(left + right < 0.2 * before);
    autopilot_destroy(autopilot);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
