/// Curves of a replay: their values in the units of people, their axes, the part of the time they show, and peaks.
#include "trainer/app/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum { SAMPLES = 6001 }; ///< ten a second: ten minutes

/// A machine of two joints whose boom's pressure has one peak of one sample, which creeps ahead at 1 m/s.
static ReplayCurves ten_minutes(MachineParams *machine, TraceSample *samples)
{
    *machine = (MachineParams){.joint_count = 2};
    strcpy(machine->joint[0].name, "swing");
    strcpy(machine->joint[1].name, "boom");
    machine->joint[0].control = CONTROL_SWING;
    machine->joint[1].control = CONTROL_BOOM;
    machine->joint[0].cylinder.relief = machine->joint[1].cylinder.relief = 34e6;
    for (int k = 0; k < SAMPLES; k++) {
        samples[k] = (TraceSample){.tick = 6 * (int64_t)k, .base_x = (float)(0.1 * k), .payload = 1500.0F};
        samples[k].pressure[1] = k == 3000 ? 30e6F : 1e6F;
        samples[k].lever[CONTROL_BOOM] = -0.5F;
        samples[k].lever[CONTROL_RIGHT_TRACK] = 0.25F;
    }
    return (ReplayCurves){
        .machine = machine, .dt = 1.0 / 60.0, .samples = samples, .count = SAMPLES, .group = CURVES_PRESSURE};
}

TEST(figures_have_units)
{
    static TraceSample samples[SAMPLES];
    static MachineParams machine;
    static ReplayCurves curves;
    curves = ten_minutes(&machine, samples);
    assert_int_equal(replay_curves_number(&curves, CURVES_PRESSURE), 2);
    assert_int_equal(replay_curves_number(&curves, CURVES_LEVERS), 4); // two joints and two tracks
    assert_int_equal(replay_curves_number(&curves, CURVES_OFF), 0);
    assert_float_equal(replay_curves_value(&curves, CURVES_PRESSURE, 1, 3000), 30.0, 1e-6);
    assert_float_equal(replay_curves_value(&curves, CURVES_LEVERS, 1, 0), -50.0, 1e-6);
    assert_float_equal(replay_curves_value(&curves, CURVES_LEVERS, 3, 0), 25.0, 1e-6);
    assert_float_equal(replay_curves_value(&curves, CURVES_LOAD, 0, 9), 1.5, 1e-6);
    for (int k = 0; k < SAMPLES; k += 500) { // also at the ends
        assert_float_equal(replay_curves_value(&curves, CURVES_TRAVEL, 0, k), 3.6, 1e-3);
    }
    assert_float_equal(replay_curves_value(&curves, CURVES_TRAVEL, 0, SAMPLES - 1), 3.6, 1e-3);
}

TEST(no_peak_is_lost)
{
    static TraceSample samples[SAMPLES];
    static MachineParams machine;
    static ReplayCurves curves;
    curves = ten_minutes(&machine, samples);
    RenderCurves shown;
    replay_curves_show(&curves, 300.0, 600.0, &shown);
    assert_true(shown.visible);
    assert_int_equal(shown.count, 2);
    assert_string_equal(shown.curves[1].name, "Boom");
    assert_string_equal(shown.curves[1].value, "30.0");
    assert_string_equal(shown.bottom, "0");
    assert_string_equal(shown.top, "40"); // the relief pressure of 34 MPa is on the axis
    assert_string_equal(shown.to, "10:00.0");
    assert_float_equal(shown.cursor, 0.5, 1e-9);
    float most = 0.0F;
    for (int k = 0; k < shown.columns; k++) {
        most = fmaxf(most, shown.curves[1].high[k]);
        assert_true(isfinite((double)shown.curves[1].low[k]));
    }
    assert_float_equal(most, 0.75, 1e-6);
}

TEST(a_part_follows_the_time)
{
    static TraceSample samples[SAMPLES];
    static MachineParams machine;
    static ReplayCurves curves;
    curves = ten_minutes(&machine, samples);
    replay_curves_zoom(&curves, 2); // 30 s
    RenderCurves shown;
    replay_curves_show(&curves, 100.0, 600.0, &shown);
    assert_string_equal(shown.from, "1:25.0");
    assert_string_equal(shown.to, "1:55.0");
    assert_float_equal(shown.cursor, 0.5, 1e-9);
    replay_curves_show(&curves, 3.0, 600.0, &shown); // not beyond the ends
    assert_string_equal(shown.from, "0:00.0");
    assert_float_equal(shown.cursor, 0.1, 1e-9);
    replay_curves_zoom(&curves, 2);
    replay_curves_show(&curves, 3.0, 600.0, &shown);
    assert_string_equal(shown.to, "10:00.0");
}

TEST(groups_go_round)
{
    static TraceSample samples[SAMPLES];
    static MachineParams machine;
    static ReplayCurves curves;
    curves = ten_minutes(&machine, samples);
    RenderCurves shown;
    for (int k = 0; k < CURVES_COUNT; k++) {
        replay_curves_show(&curves, 12.0, 600.0, &shown);
        assert_int_equal(shown.visible, curves.group != CURVES_OFF);
        replay_curves_step(&curves, 1);
    }
    assert_int_equal(curves.group, CURVES_PRESSURE);
    replay_curves_step(&curves, -1);
    assert_int_equal(curves.group, CURVES_OFF);
    curves.count = 0; // a recording that was killed before its first sample
    curves.group = CURVES_LOAD;
    replay_curves_show(&curves, 0.0, 0.0, &shown);
    assert_false(shown.visible);
}

TEST_GROUP(NULL, NULL)
