/// The oil of the boom's cylinders gives like a spring: the arm swings about its foot when it or the machine stops.
// test: sanitized
#include "data/core/constants.h"
#include "machine/cylinder.h"
#include "tests/support/machine_fixture.h"

enum { BOOM = EXCAVATOR_JOINT_BOOM, SWINGS = 4 };

static const char *const excavators[] = {SPADEWORK_DATA_DIR "/machines/excavator-22t.yaml",
                                         SPADEWORK_DATA_DIR "/machines/excavator-8t.yaml"};

/// Oil of 1.4 GPa in both chambers of a boom cylinder at half stroke and in its hoses, with a tenth of critical damping
/// at 2.3 Hz.
static MachineParams with_oil(const char *path)
{
    MachineParams params = load_params(path);
    params.joint[BOOM].cylinder.stiffness = 30e6;
    params.joint[BOOM].cylinder.damping = 0.014;
    return params;
}

/// On rock: the machine itself does not rock.
static MachineParams on_rock(const char *path)
{
    MachineParams params = with_oil(path);
    params.tracks.stiffness = params.tracks.ground_stiffness = 5e7;
    params.body[EXCAVATOR_UNDERCARRIAGE].mass = 1e6;
    params.body[EXCAVATOR_HOUSE].mass = 1e6;
    return params;
}

/// kg m2 about the foot of the boom: of boom, stick and bucket as they stand.
static double inertia_of_arm(const Site *site)
{
    const MachineParams *params = machine_params(site->machine);
    Pose foot;
    machine_get_body_frame(site->machine, &site->state, EXCAVATOR_BOOM, &foot);
    double sum = 0.0;
    for (int body = EXCAVATOR_BOOM; body <= EXCAVATOR_BUCKET; body++) {
        const double *size = params->body[body].inertia_size, *at = site->state.body[body].position;
        double x = at[0] - foot.position.x, z = at[2] - foot.position.z;
        sum += params->body[body].mass * (x * x + z * z + (size[0] * size[0] + size[2] * size[2]) / 12.0);
    }
    return sum;
}

typedef struct Swing {
    double frequency, damping; ///< Hz; of critical
    double first; ///< m: of the tip, from its rest to the first turn
} Swing;

/// Lets the boom swing after the tip was pushed down for a moment with `force` N; steps of `dt` s.
static Swing measure_swing(Site *site, double force, double dt)
{
    double rest = site_readout(site).angle[BOOM], before = 0.0, time = 0.0, crossed[2 * SWINGS] = {0},
           peak[2 * SWINGS] = {0};
    int crossings = 0;
    for (int k = 0; crossings < 2 * SWINGS && time < 10.0; k++) {
        site->tool.force.z = time < 0.05 ? -force : 0.0;
        site_step_by(site, dt);
        time += dt;
        double angle = site_readout(site).angle[BOOM] - rest;
        if (time > 0.1 && angle * before < 0.0) {
            crossed[crossings++] = time - dt * angle / (angle - before);
        }
        if (crossings > 0 && crossings < 2 * SWINGS) {
            peak[crossings] = fmax(peak[crossings], fabs(angle));
        }
        before = angle;
    }
    assert_int_equal(crossings, 2 * SWINGS);
    double period = (crossed[2 * SWINGS - 1] - crossed[1]) / (SWINGS - 1);
    double decay = log(peak[1] / peak[5]) / 2.0; // a swing
    return (Swing){1.0 / period, decay / sqrt(4.0 * M_PI * M_PI + decay * decay), peak[1]};
}

/// f = sqrt(K a^2 / I) / (2 pi) of an arm with the inertia I on a spring K at the lever arm a, and the damping ratio
/// w tau / 2; at every length of a step.
TEST(the_arm_swings_as_its_oil_and_inertia_say)
{
    for (int m = 0; m < 2; m++) {
        for (int rate = 240; rate <= 960; rate *= 2) {
            MachineParams params = on_rock(excavators[m]);
            const MachineCylinder *cylinder = &params.joint[BOOM].cylinder;
            Site site = site_of(&params);
            site_run(&site, 4.0);
            double length, arm, weight = 0.0;
            assert_true(cylinder_length(&params.joint[BOOM], site_readout(&site).angle[BOOM], &length, &arm));
            double spring = cylinder->count * cylinder->stiffness * arm * arm;
            double wanted = sqrt(spring / inertia_of_arm(&site)) / (2.0 * M_PI);
            for (int body = EXCAVATOR_BOOM; body <= EXCAVATOR_BUCKET; body++) {
                weight += params.body[body].mass * STANDARD_GRAVITY;
            }
            Swing swing = measure_swing(&site, weight, 1.0 / rate);
            double damping = M_PI * wanted * cylinder->damping;
            print_message("%s, %d Hz: %.3f Hz, law %.3f; damping %.3f, law %.3f\n", params.name, rate, swing.frequency,
                          wanted, swing.damping, damping);
            assert_near(swing.frequency / wanted, 1.0, 0.03);
            assert_near(swing.damping, damping, 0.01);
            site_destroy(&site);
        }
    }
}

/// At the start the oil is pressed by what it holds: the arm neither drops nor swings.
TEST(an_arm_on_oil_starts_at_rest)
{
    for (int m = 0; m < 2; m++) {
        MachineParams params = with_oil(excavators[m]);
        Site site = site_of(&params);
        double start = site_readout(&site).angle[BOOM], off = 0.0;
        for (int k = 0; k < 480; k++) {
            site_step(&site);
            off = fmax(off, fabs(site_readout(&site).angle[BOOM] - start));
        }
        print_message("%s: %.2f mrad\n", params.name, 1e3 * off);
        assert_true(off < 1e-3); // the machine itself rocks by half a milliradian
        site_destroy(&site);
    }
}

/// A machine that stops from full speed nods with its arm, which is at rest after 2 s.
TEST(a_stop_makes_the_boom_swing)
{
    MachineParams params = with_oil(excavators[0]);
    Site site = site_of(&params);
    site_lever(&site, CONTROL_LEFT_TRACK, 1.0);
    site_lever(&site, CONTROL_RIGHT_TRACK, 1.0);
    site_run(&site, 3.0);
    site_lever(&site, CONTROL_LEFT_TRACK, 0.0);
    site_lever(&site, CONTROL_RIGHT_TRACK, 0.0);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 4 * 480; k++) {
        site_step(&site);
        double angle = site_readout(&site).angle[BOOM];
        int part = k < 2 * 480 ? 0 : 1;
        low[part] = fmin(low[part], angle);
        high[part] = fmax(high[part], angle);
    }
    print_message("boom: %.2f mrad in the first 2 s, %.2f in the next\n", 1e3 * (high[0] - low[0]),
                  1e3 * (high[1] - low[1]));
    assert_true(high[0] - low[0] > 1e-3);
    assert_true(high[1] - low[1] < 0.25 * (high[0] - low[0]));
    site_destroy(&site);
}

/// A boom that is driven against its end, or pushed back over its relief, says so; one that carries behind its closed
/// valve does not.
TEST(a_relief_valve_opens_where_oil_flows)
{
    MachineParams params = with_oil(excavators[0]);
    Site site = site_of(&params);
    site_run(&site, 0.5);
    assert_int_equal(site.state.relief & MACHINE_RELIEF_JOINT(BOOM), 0);
    site_lever(&site, CONTROL_BOOM, 1.0);
    site_run(&site, 6.0);
    assert_true((site.state.relief & MACHINE_RELIEF_JOINT(BOOM)) != 0);
    site_lever(&site, CONTROL_BOOM, 0.0);
    site_run(&site, 2.0);
    assert_int_equal(site.state.relief & MACHINE_RELIEF_JOINT(BOOM), 0);
    site.tool.force.z = -200e3;
    int opened = 0;
    for (int k = 0; k < 240; k++) {
        site_step(&site);
        opened += (site.state.relief & MACHINE_RELIEF_JOINT(BOOM)) != 0;
    }
    assert_true(opened > 24);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
