/// A machine that starts on a slope: it leans as the slope does, begins at rest, and can drive on. Scenes in which it
/// would stand askew or a truck would not stand level are refused with their place.
#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"

#define SCENE SPADEWORK_TEST_DIR "/support/earthworks.yaml"

static Session *open_scene(const char *const *set, int count)
{
    Status status;
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static void run(Session *session, ControlAxis axis, double value, double seconds)
{
    OperatorControls controls = control_neutral;
    controls.axis[axis] = control_quantise(value);
    for (int k = 0; k < (int)(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
}

/// The foot of a ramp of 10 degrees is at x = -11 - 2 / tan(10) = -22.3, its upper end at -11: the tracks lie on it.
TEST(it_starts_on_a_ramp_as_it_stays)
{
    for (int turn = 0; turn < 4; turn++) {
        char heading[40];
        snprintf(heading, sizeof heading, "machine.heading_deg=%d", 90 * turn);
        const char *set[] = {heading, "machine.x=-14.8", "ground.roughness=0",
                             "ground.earthworks.0.start_slope_deg=10"};
        Session *session = open_scene(set, 4);
        int64_t mass = session_frame(session)->ledger.total;
        MachineReadout before = session_frame(session)->machine;
        double slope = 10.0 * M_PI / 180.0;
        double pitch = turn == 0   ? -slope
                       : turn == 2 ? slope
                                   : 0.0,
               roll = turn == 1   ? slope
                      : turn == 3 ? -slope
                                  : 0.0;
        assert_near(fabs(before.pitch), fabs(pitch), 0.01);
        assert_near(fabs(before.roll), fabs(roll), 0.01);
        run(session, CONTROL_SWING, 0.0, 3.0);
        MachineReadout after = session_frame(session)->machine;
        assert_near(after.base.x, before.base.x, 0.05);
        assert_near(after.base.y, before.base.y, 0.05);
        assert_near(after.base.z, before.base.z, 0.03);
        assert_near(after.pitch, before.pitch, 0.01);
        assert_near(after.roll, before.roll, 0.01);
        assert_true(session_frame(session)->ledger.total == mass);
        session_destroy(session);
    }
}

TEST(it_climbs_the_ramp_to_the_platform)
{
    Session *session = open_scene(NULL, 0);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(0.7);
    for (int k = 0; k < 60 * 30 && session_frame(session)->machine.base.x < -8.0; k++) {
        session_tick(session, &controls);
    }
    assert_true(session_frame(session)->machine.base.x >= -8.0);
    assert_near(session_frame(session)->machine.base.z, 2.0, 0.15);
    session_destroy(session);
}

static void refuse(const char *const set[3], const char *says)
{
    Status status;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    assert_non_null(scene);
    assert_non_null(machine);
    assert_false(data_load_scene(SCENE, set, 3, scene, machine, NULL, &status));
    if (strstr(status.text, says) == NULL) {
        fail_msg("%s: %s", set[0], status.text);
    }
    free(scene);
    free(machine);
}

TEST(a_bad_start_is_refused)
{
    refuse((const char *[]){"machine.x=-8", "machine.y=3", "seed=2"}, "machine: its tracks do not lie on the ground: ");
    refuse((const char *[]){"machine.x=-15", "ground.earthworks.0.height=6", "ground.earthworks.0.start_slope_deg=38"},
           "machine: it starts on a slope of 38 degrees, allowed up to 35");
}

TEST_GROUP(NULL, NULL)
