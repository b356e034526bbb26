/// Overshoot and smoothness of swings whose figures are known by hand.
#include "tests/support/test.h"
#include "trainer/sim/work_phases.h"

#define DT (1.0 / 60.0)

/// Turns by `angle` in `time` s with the edge 6 m from the middle, on the way of least jerk (Flash and Hogan 1985):
/// angle (10 s^3 - 15 s^4 + 6 s^5).
static double turn(SwingSkill *skill, double from, double angle, double time)
{
    int ticks = (int)(time / DT + 0.5);
    for (int k = 1; k <= ticks; k++) {
        double s = (double)k / ticks, at = from + angle * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        double speed = angle / time * 30.0 * s * s * (1.0 - s) * (1.0 - s);
        swing_skill_tick(skill, DT, vec3(6.0 * cos(at), 6.0 * sin(at), 2.0), speed);
    }
    return from + angle;
}

static void stand(SwingSkill *skill, double at, double time)
{
    for (int k = 0; k < (int)(time / DT + 0.5); k++) {
        swing_skill_tick(skill, DT, vec3(6.0 * cos(at), 6.0 * sin(at), 2.0), 0.0);
    }
}

static SwingSkill begin(void)
{
    SwingSkill skill;
    swing_skill_start(&skill, vec3(6.0, 0.0, 2.0));
    return skill;
}

/// Of two swings one is turned back by 0.1 rad; what comes after a pause is no part of it, and a small turn is none.
TEST(what_is_turned_back_after_a_swing_is_overshoot)
{
    SwingSkill skill = begin();
    assert_near(swing_skill_overshoot(&skill), 0.0, 0.0);
    double at = turn(&skill, 0.0, 1.2, 3.0);
    stand(&skill, at, 0.3);
    at = turn(&skill, at, -0.1, 1.0);
    stand(&skill, at, 3.0);
    assert_int_equal(skill.swings, 1);
    assert_near(swing_skill_overshoot(&skill), 0.1, 0.005);
    at = turn(&skill, at, -1.1, 3.0);
    stand(&skill, at, 2.5);
    at = turn(&skill, at, 0.1, 1.0);
    stand(&skill, at, 1.0);
    assert_int_equal(skill.swings, 2);
    assert_near(swing_skill_overshoot(&skill), 0.05, 0.0025);
}

/// There and back again at once: the way back is the next swing.
TEST(the_next_swing_is_no_overshoot)
{
    SwingSkill skill = begin();
    double at = turn(&skill, 0.0, 1.2, 3.0);
    at = turn(&skill, at, -1.2, 3.0);
    stand(&skill, at, 1.0);
    assert_int_equal(skill.swings, 2);
    assert_near(swing_skill_overshoot(&skill), 0.0, 0.0);
}

/// The edge moves 3 m along a line in 3 s, on the way of least jerk, which has 720 / 1.875^2 = 204.8, while the house
/// turns evenly: so the whole of it is the swing's.
TEST(the_way_of_least_jerk_is_the_smoothest)
{
    double told[3], tremble[3] = {0.0, 0.01, 0.05};
    for (int n = 0; n < 3; n++) {
        SwingSkill skill = begin();
        for (int k = 1; k <= 180; k++) {
            double s = k / 180.0, y = 3.0 * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
            swing_skill_tick(&skill, DT, vec3(6.0, y, 2.0 + tremble[n] * sin(2.0 * M_PI * 3.0 * k * DT)), 0.5);
        }
        for (int k = 0; k < 60; k++) {
            swing_skill_tick(&skill, DT, vec3(6.0, 3.0, 2.0), 0.0);
        }
        assert_int_equal(skill.swings, 1);
        told[n] = swing_skill_smoothness(&skill);
        print_message("tremble %.2f m: %.2f\n", tremble[n], told[n]);
    }
    // The low pass rounds off the jerk with which it begins and ends.
    assert_near(told[0], -log(720.0 / (1.875 * 1.875)), 0.2);
    assert_true(told[1] < told[0] - 1.0 && told[2] < told[1] - 1.0);
}

static void spoil_way(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memset(data, strcmp(name, "exercise.swing.way") == 0 ? 0x7f : 0, size * count);
}

TEST(a_way_that_there_is_not_is_refused)
{
    SwingSkill skill = begin();
    StateVisitor visitor = {.field = spoil_way, .restoring = true};
    swing_skill_visit(&skill, &visitor);
    assert_true(visitor.failed);
    assert_int_equal(skill.way, 0);
}

TEST_GROUP(NULL, NULL)
