/// What the seat feels against closed forms, and the filters against their corners and the tables of ISO 2631-1.
#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"
#include "trainer/sim/seat_motion.h"

/// Amplitude of the answer of filters in a row to a sine of 1 at `hertz` (Hz), after `seconds` (s).
static double gain(Filter *filters, int count, double hertz, double dt)
{
    double most = 0.0, settled = fmax(6.0, 12.0 / hertz), seconds = settled + fmax(2.0, 2.0 / hertz);
    for (int k = 0; k * dt < seconds; k++) {
        double value = sin(2.0 * M_PI * hertz * k * dt);
        for (int i = 0; i < count; i++) {
            value = filter_step(&filters[i], value);
        }
        most = k * dt > settled ? fmax(most, fabs(value)) : most;
    }
    return most;
}

TEST(filters_have_their_corners)
{
    const double dt = 1.0 / 480.0, corner = 2.0 * M_PI * 20.0;
    Filter low = filter_low_pass(corner, M_SQRT1_2, dt), high = filter_high_pass(corner, M_SQRT1_2, dt);
    assert_near(gain(&low, 1, 20.0, dt), M_SQRT1_2, 0.01);
    low = filter_low_pass(corner, M_SQRT1_2, dt);
    assert_near(gain(&low, 1, 2.0, dt), 1.0, 0.01);
    low = filter_low_pass(corner, M_SQRT1_2, dt);
    assert_true(gain(&low, 1, 100.0, dt) < 0.04);
    assert_near(gain(&high, 1, 20.0, dt), M_SQRT1_2, 0.01);
    high = filter_high_pass(corner, M_SQRT1_2, dt);
    assert_near(gain(&high, 1, 2.0, dt), 0.01, 0.001);
    // A steady signal: nothing is left by the one, all by the other, from the first sample on.
    high = filter_high_pass(2.5, 1.0, dt);
    low = filter_low_pass(5.0, 1.0, dt);
    assert_near(filter_settle(&high, 9.81), 0.0, 1e-12);
    assert_near(filter_settle(&low, 9.81), 9.81, 1e-9);
    assert_near(filter_step(&high, 9.81), 0.0, 1e-9);
    assert_near(filter_step(&low, 9.81), 9.81, 1e-9);
}

/// ISO 2631-1:1997, table 3: principal frequency weightings at one-third octaves, times 1000.
TEST(vibration_is_weighted_as_the_standard_has_it)
{
    static const struct {
        double hertz, up, side;
    } table[] = {{0.5, 418, 853}, {1, 482, 1011},   {2, 531, 890},    {3.15, 804, 642}, {4, 967, 512},
                 {5, 1039, 409},  {6.3, 1054, 323}, {8, 1036, 253},   {12.5, 902, 161}, {16, 768, 125},
                 {20, 636, 100},  {25, 513, 80},    {31.5, 405, 63.2}};
    const double dt = 1.0 / 480.0;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        for (int up = 0; up < 2; up++) {
            Filter stages[FILTER_WEIGHTING];
            filter_weighting(up, dt, stages);
            double wanted = 1e-3 * (up ? table[k].up : table[k].side);
            assert_near(gain(stages, FILTER_WEIGHTING, table[k].hertz, dt), wanted, 0.04 * wanted);
        }
    }
}

static void run(Site *site, SeatMotion *seat, double seconds)
{
    for (int k = 0; k < (int)(seconds / step_time + 0.5); k++) {
        if (k % 8 == 0) {
            seat_motion_begin_tick(seat);
        }
        site_step(site);
        seat_motion_step(seat, site->machine, &site->state);
    }
}

/// At rest a seat feels its weight, along the cab's own axes on a slope.
TEST(at_rest_it_feels_gravity)
{
    Site site = site_create();
    site_tilt(&site, 20.0 * degree);
    site_run(&site, 5.0);
    SeatMotion seat;
    seat_motion_start(&seat, site.machine, &site.state, step_time);
    double pitch = site_readout(&site).pitch;
    for (int k = 0; k < 2; k++) {
        const SeatSample *now = seat_motion_last(&seat);
        assert_near(now->force.x, STANDARD_GRAVITY * sin(pitch), 0.01);
        assert_near(now->force.y, 0.0, 0.01);
        assert_near(now->force.z, STANDARD_GRAVITY * cos(pitch), 0.01);
        assert_near(now->attitude.y, pitch, 1e-6);
        assert_near(now->sustained.x, now->force.x, 0.01);
        assert_true(vec3_length(now->onset) < 0.01 && vec3_length(now->rate) < 0.01 && now->vibration < 0.01);
        run(&site, &seat, 4.0);
    }
    site_destroy(&site);
}

/// A house that swings evenly: w^2 r to the middle, a yaw rate of w, and gravity.
TEST(a_swing_presses_the_seat_outwards)
{
    Site site = site_create();
    site_lever(&site, CONTROL_SWING, 1.0);
    site_run(&site, 6.0);
    SeatMotion seat;
    seat_motion_start(&seat, site.machine, &site.state, step_time);
    run(&site, &seat, 6.0);
    const SeatSample *now = seat_motion_last(&seat);
    const MachineParams *params = machine_params(site.machine);
    double rate = -site_readout(&site).speed[EXCAVATOR_JOINT_SWING]; // a swing's positive angle turns to the right
    assert_near(fabs(rate), params->swing.max_speed, 0.02 * params->swing.max_speed);
    assert_near(now->rate.z, rate, 0.01 * fabs(rate));
    assert_near(now->force.x, -rate * rate * params->cab.eye[0], 0.05);
    assert_near(now->force.y, -rate * rate * params->cab.eye[1], 0.05);
    assert_near(now->force.z, STANDARD_GRAVITY, 0.05);
    assert_near(now->sustained.y, now->force.y, 0.05);
    assert_true(fabs(now->turn.z) < 0.1 * fabs(rate)); // no platform turns for ever
    site_destroy(&site);
}

/// Starting off: the force ahead is the change of speed, and vibration is felt.
TEST(pulling_away_presses_the_seat_ahead)
{
    Site site = site_create();
    site_run(&site, 1.0);
    SeatMotion seat;
    seat_motion_start(&seat, site.machine, &site.state, step_time);
    site_lever(&site, CONTROL_LEFT_TRACK, 1.0);
    site_lever(&site, CONTROL_RIGHT_TRACK, 1.0);
    double speed = 0.0, onset = 0.0;
    for (int k = 0; k < 120; k++) {
        run(&site, &seat, 1.0 / 60.0);
        const SeatSample *now = seat_motion_last(&seat);
        speed += (now->force.x - STANDARD_GRAVITY * sin(now->attitude.y)) / 60.0;
        onset = fmax(onset, now->onset.x);
    }
    assert_near(speed, site_readout(&site).speed_over_ground, 0.05 * speed);
    assert_true(speed > 1.0 && onset > 0.5);
    assert_true(seat_motion_last(&seat)->vibration > 0.01);
    site_destroy(&site);
}

TEST(between_two_samples_it_goes_by_proportion)
{
    SeatMotion seat = {.count = 2};
    for (int k = 0; k < 3; k++) {
        seat.sample[k].force.x = 10.0 * k;
        seat.sample[k].attitude.z = remainder(3.1 + 0.1 * k, 2.0 * M_PI);
    }
    assert_near(seat_motion_at(&seat, 0.5).force.x, 5.0, 1e-12);
    assert_near(seat_motion_at(&seat, 2.0).force.x, 20.0, 1e-12);
    assert_near(seat_motion_at(&seat, 0.5).attitude.z, remainder(3.15, 2.0 * M_PI), 1e-12);
    seat.count = 0;
    assert_near(seat_motion_at(&seat, 1.0).force.x, 0.0, 1e-12);
}

TEST_GROUP(NULL, NULL)
