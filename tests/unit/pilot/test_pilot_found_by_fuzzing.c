/// Inputs on which the fuzzer found the program at fault. Most of the faults are seen by the sanitizers alone.
// test: sanitized
#include "tests/support/small_session.h"
#include "trainer/pilot/expert.h"

/// On a site where nothing is where the list expects it, the lane of a pass began nearer to the machine than its drag
/// ended, and a height was looked up before the first.
TEST(an_expert_that_digs_nearer_than_it_reaches_keeps_its_levers_in_range)
{
    static ExpertParams params;
    Status status = {0};
    assert_good(data_load_expert("backfill", &params, NULL, &status), status);
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    Expert *expert = expert_create(&params, session, &status);
    assert_good(expert != NULL, status);
    for (int tick = 0; tick < 20; tick++) {
        OperatorControls controls;
        expert_controls(expert, session, NULL, &controls);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            assert_true(fabs(control_value(&controls, (ControlAxis)axis)) <= 1.0);
        }
        session_tick(session, &controls);
    }
    expert_destroy(expert);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
