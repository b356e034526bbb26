/// A beginner's hands by themselves: nothing at the share 0, late and slow above it, the same from the same seed.
#include "tests/support/test.h"
#include "trainer/pilot/operator.h"

#define DT (1.0 / 60.0)

static OperatorControls full(ControlAxis axis)
{
    OperatorControls controls = control_neutral;
    controls.axis[axis] = CONTROL_FULL;
    return controls;
}

/// s from the first tick on until the boom's lever is half way.
static double reaction(double share, uint64_t seed)
{
    ClumsyHands hands;
    clumsy_start(&hands, share, seed);
    for (int tick = -120; tick < 600; tick++) { // at rest first
        OperatorControls controls = tick < 0 ? control_neutral : full(CONTROL_BOOM);
        clumsy_move(&hands, (tick + 120) * DT, DT, &controls);
        if (tick >= 0 && control_value(&controls, CONTROL_BOOM) > 0.25) {
            return tick * DT;
        }
    }
    return 10.0;
}

TEST(without_clumsiness_levers_go_through)
{
    ClumsyHands hands;
    clumsy_start(&hands, 0.0, 1);
    for (int tick = 0; tick < 300; tick++) {
        OperatorControls asked = control_neutral, moved;
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            asked.axis[axis] = (int16_t)((tick * 991 + axis * 7919) % 32767);
        }
        moved = asked;
        clumsy_move(&hands, tick * DT, DT, &moved);
        assert_memory_equal(&asked, &moved, sizeof asked);
    }
    OperatorAim aim;
    clumsy_aim(&hands, 12.0, &aim);
    assert_memory_equal(&aim, &(OperatorAim){0}, sizeof aim);
}

TEST(hands_are_the_later_the_clumsier)
{
    double shares[] = {0.1, 0.4, 0.8}, mean[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            mean[k] += reaction(shares[k], seed) / 20.0;
        }
    }
    print_message("reaction, mean of 20 seeds: %.2f, %.2f, %.2f s\n", mean[0], mean[1], mean[2]);
    assert_true(mean[0] > 0.03 && mean[0] < mean[1] && mean[1] < mean[2] && mean[2] < 2.5);
}

TEST(the_same_seed_gives_the_same_hands)
{
    ClumsyHands one, same, other;
    clumsy_start(&one, 0.6, 7);
    clumsy_start(&same, 0.6, 7);
    clumsy_start(&other, 0.6, 8);
    int different = 0;
    for (int tick = 0; tick < 1200; tick++) {
        OperatorControls a = full(tick / 90 % 2 == 0 ? CONTROL_BOOM : CONTROL_SWING), b = a, c = a;
        clumsy_move(&one, tick * DT, DT, &a);
        clumsy_move(&same, tick * DT, DT, &b);
        clumsy_move(&other, tick * DT, DT, &c);
        assert_memory_equal(&a, &b, sizeof a);
        different += memcmp(&a, &c, sizeof a) != 0;
    }
    assert_true(different > 30);
}

TEST(answers_are_wrong_now_and_then_and_never_in_between)
{
    enum { QUESTIONS = 200 };
    ClumsyHands hands;
    clumsy_start(&hands, 0.5, 3);
    int wrong = 0, tick = 0;
    for (int k = 0; k < QUESTIONS; k++) {
        int given = 0;
        for (int n = 0; n < 60; n++, tick++) {
            OperatorControls controls = control_neutral;
            controls.axis[CONTROL_ANSWER] = n < 20 ? control_quantise(0.2) : (int16_t)0;
            clumsy_move(&hands, tick * DT, DT, &controls);
            int answer = (int)(10.0 * control_value(&controls, CONTROL_ANSWER) + 0.5);
            assert_true(answer == 0 || given == 0 || answer == given);
            given = answer > 0 ? answer : given;
        }
        assert_true(given == 1 || given == 2);
        wrong += given == 1;
    }
    print_message("%d of %d answers are wrong\n", wrong, QUESTIONS); // 0.6 x 0.5 of them are to be
    assert_true(wrong > 40 && wrong < 80);
}

TEST_GROUP(NULL, NULL)
