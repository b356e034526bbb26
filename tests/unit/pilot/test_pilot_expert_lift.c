/// The expert lifts a pipe and lays it down at its place: how it swings, how softly and how exactly it comes down; and
/// lists that lift what is not there.
#include "tests/support/expert_run.h"

static ExpertAction lift_action(ExpertActionKind kind, int load, double speed)
{
    return (ExpertAction){.kind = kind,
                          .with.lift = {.load = load,
                                        .height = 0.5,
                                        .angle = -160.0 * M_PI / 180.0,
                                        .speed = speed,
                                        .swing = 1.5 * M_PI / 180.0,
                                        .limit = 90.0}};
}

TEST(a_pipe_is_lifted_and_laid_down)
{
    Run run = run_begin("lift-pipe", "machine.file=excavator-22t", MACHINE_EXCAVATOR);
    assert_true(run_act(&run, lift_action(EXPERT_HOIST, 1, 0.3)));
    assert_true(session_frame(run.session)->lift.hangs);
    double values[METRIC_COUNT], up = run.time;
    assert_true(run_act(&run, lift_action(EXPERT_PLACE, 1, 0.9)));
    exercise_values(session_exercise(run.session), values);
    print_message("up in %.1f s, down in %.1f s; swung %.1f deg, off %.3f m and %.2f deg, set down at %.2f m/s\n", up,
                  run.time, values[METRIC_LOAD_SWING], values[METRIC_LOAD_OFFSET], values[METRIC_LOAD_HEADING],
                  values[METRIC_LOAD_IMPACT]);
    assert_near(values[METRIC_LOADS_PLACED], 1.0, 0.0);
    assert_true(values[METRIC_LOAD_SWING] < 8.0);
    assert_true(values[METRIC_LOAD_OFFSET] < 0.1);
    assert_true(values[METRIC_LOAD_HEADING] < 2.0);
    assert_true(values[METRIC_LOAD_IMPACT] < 0.2);
    run_end(&run);
}

TEST(what_is_not_there_is_not_lifted)
{
    static const struct {
        const char *scene, *words;
        ExpertActionKind kind;
        int load;
    } cases[] = {
        {"lift-pipe", "actions.0.hoist.load: read 2, allowed up to the number of loads of scene lift-pipe (1)",
         EXPERT_HOIST, 2},
        {"free", "actions.0.place.load: read 1", EXPERT_PLACE, 1},
        {SPADEWORK_TEST_DIR "/support/lift.yaml", "load 1 of scene lift has no place", EXPERT_PLACE, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Run run = run_begin(cases[k].scene, "machine.file=excavator-22t", MACHINE_EXCAVATOR);
        Status status;
        run.params.actions[0] = lift_action(cases[k].kind, cases[k].load, 0.3);
        run.params.action_count = 1;
        assert_null(expert_create(&run.params, run.session, &status));
        if (strstr(status.text, cases[k].words) == NULL) {
            fail_msg("\"%s\" instead of \"%s\"", status.text, cases[k].words);
        }
        run_end(&run);
    }
}

TEST_GROUP(NULL, NULL)
