/// The line that says what to do next in the cab agrees with the step of the exercise, from the walk to parking.
#include "tests/support/test.h"

#include "trainer/app/cab_page.h"

/// Drives walk-round by its expert, and fails where the line contradicts the step.
TEST(the_line_agrees_with_the_step)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "walk-round", .threads = 1}, &status);
    assert_good(session != NULL, status);
    static Drive drive;
    drive = (Drive){.session = session};
    assert_good(operator_create(&drive.driver, &(OperatorParams){.name = "expert"}, session, &status), status);
    const SceneParams *scene = session_scene(session);
    const Exercise *exercise = session_exercise(session);
    const int last = scene->exercise.steps_count - 1;
    int lowers = 0, parking = 0;
    for (int tick = 0; tick < 60 * 240 && !exercise_is_finished(exercise); tick++) {
        OperatorControls controls;
        char text[CAB_SIGN] = "";
        operator_controls(&drive.driver, session, &controls);
        session_tick(session, &controls);
        bool shown = cab_sign(&drive, scene, false, text);
        bool parks = exercise_step_tick(exercise, last - 1) > 0 && !exercise_is_finished(exercise);
        parking += parks;
        lowers += shown && strstr(text, "lower it") != NULL;
        if (parks && shown) { // the lever is to go up, and the engine off
            fail_msg("\"%s\" while the step is to park", text);
        }
    }
    assert_true(exercise_is_finished(exercise));
    assert_true(parking > 0 && lowers > 0); // before the work it is to be lowered
    operator_destroy(&drive.driver);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
