/// What is observed of a session has one name and unit for each number, in every tick the same.
// test: sanitized

#include "tests/support/test.h"
#include "trainer/report/sampling.h"

static const SampledArray *find(const Sampling *sampling, const char *name)
{
    for (int k = 0; k < sampling->array_count; k++) {
        if (strcmp(sampling->arrays[k].name, name) == 0) {
            return &sampling->arrays[k];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
}

static Session *make(const char *scene)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

TEST(numbers_are_those_of_the_frame)
{
    Sampling sampling;
    static double values[SAMPLING_COLUMNS];
    Session *session = make("trench");
    sampling_describe(session, &sampling);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = -CONTROL_FULL;
    for (int tick = 0; tick < 30; tick++) {
        session_tick(session, &controls);
    }
    sampling_take(session, &sampling, values);
    const SessionFrame *frame = session_frame(session);
    const SampledArray *qpos = find(&sampling, "qpos"), *tip = find(&sampling, "tip"), *metrics = NULL;
    assert_int_equal(qpos->count, 4);
    for (int k = 0; k < 4; k++) {
        assert_true(values[qpos->first + k] == frame->machine.angle[k]);
        assert_string_equal(sampling.columns[qpos->first + k].unit, "rad");
    }
    assert_string_equal(sampling.columns[qpos->first + 1].name, "boom");
    assert_true(values[tip->first + 2] == frame->machine.tip.z);
    metrics = find(&sampling, "metrics");
    assert_true(metrics->task && !tip->task);
    for (int k = 0; k < metrics->count; k++) {
        const SampledColumn *column = &sampling.columns[metrics->first + k];
        if (strcmp(column->name, "time_s") == 0) {
            assert_near(values[metrics->first + k], frame->time, 1e-9);
            assert_string_equal(column->unit, "s");
        }
    }
    session_destroy(session);
}

TEST(arrays_follow_each_other_without_gaps)
{
    static const char *const scenes[] = {"trench", "dozing", "truck-loading", "break-rocks", "free"};
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; n++) {
        Sampling sampling;
        static double values[SAMPLING_COLUMNS];
        Session *session = make(scenes[n]);
        sampling_describe(session, &sampling);
        int next = 0;
        for (int k = 0; k < sampling.array_count; k++) {
            assert_int_equal(sampling.arrays[k].first, next);
            assert_true(sampling.arrays[k].count > 0);
            next += sampling.arrays[k].count;
        }
        assert_int_equal(next, sampling.column_count);
        sampling_take(session, &sampling, values);
        for (int k = 0; k < next; k++) {
            assert_true(isfinite(values[k]) && sampling.columns[k].name[0] != '\0' &&
                        sampling.columns[k].unit[0] != '\0');
        }
        bool hammer = session_machine_params(session)->hammer.blow_energy > 0.0;
        bool floats = machine_floating_joint(session_machine_params(session)) >= 0;
        assert_int_equal(sampling.axis_count, 7 + hammer + floats);
        assert_int_equal(sampling.axes[0], session_machine_params(session)->joint[0].control);
        session_destroy(session);
    }
}

TEST_GROUP(NULL, NULL)
