/// When a machine tips: the load at its tool under which the far track leaves the ground, against the balance of
/// moments from the masses and centres of its file, about the middle of the near track, where its patches stand.
// test: sanitized
#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

/// Load at the first tool's centre of mass that balances the machine about the line y = `edge` of the base's frame, N:
/// sum m_i g (edge - y_i) = F (y_F - edge).
static double load_that_tips(const Site *site, double edge)
{
    const MachineParams *params = machine_params(site->machine);
    Pose base;
    machine_get_body_frame(site->machine, &site->state, MACHINE_BASE, &base);
    double moment = 0.0, arm = 0.0;
    for (int body = 0; body < params->body_count; body++) {
        RigidMotion motion;
        machine_get_body(site->machine, &site->state, body, &motion);
        double y = pose_apply_inverse(&base, motion.center).y;
        moment += params->body[body].mass * STANDARD_GRAVITY * (edge - y) * copysign(1.0, edge);
        arm = body == params->tool[0].body ? fabs(y) - fabs(edge) : arm;
    }
    return moment / arm;
}

/// An arm far out over the side, a load that grows by 2 kN a second at the tool: the far track is unloaded when moments
/// balance, and half as much again throws the machine over.
static void tip(const char *file, double swing)
{
    MachineParams params = load_params(file);
    params.start_pose[EXCAVATOR_JOINT_SWING] = swing;
    params.start_pose[EXCAVATOR_JOINT_BOOM] = 20.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_STICK] = -30.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_BUCKET] = -40.0 * degree;
    Site site = site_of(&params);
    site_run(&site, 2.0);
    int far = swing > 0.0 ? 0 : 1; // a positive swing turns to the right
    double edge = (far == 0 ? -0.5 : 0.5) * params.tracks.gauge, balance = load_that_tips(&site, edge), load = 0.0;
    double before = site_readout(&site).track_load[far];
    while (site_readout(&site).track_load[far] > 0.0 && load < 3.0 * balance) {
        load += 2e3 * step_time;
        site.tool.force = vec3(0.0, 0.0, -load);
        site_step(&site);
    }
    print_message("%s, swing %.0f: far track %.1f kN, lifts at %.2f kN, balance at %.2f kN\n", params.name,
                  swing / degree, before / 1e3, load / 1e3, balance / 1e3);
    assert_true(balance > 0.0);
    assert_near(load, balance, 0.05 * balance);
    assert_true((site.state.limits & MACHINE_LIMIT_BIT(MACHINE_LIMIT_TIP)) != 0);
    site.tool.force = vec3(0.0, 0.0, -1.5 * balance);
    site_run(&site, 1.5);
    assert_true(fabs(site_readout(&site).roll) > 10.0 * degree);
    site_destroy(&site);
}

TEST(far_out_over_the_side)
{
    tip(SPADEWORK_DATA_DIR "/machines/excavator-22t.yaml", 90.0 * degree);
    tip(SPADEWORK_DATA_DIR "/machines/excavator-22t.yaml", -90.0 * degree);
    tip(SPADEWORK_DATA_DIR "/machines/excavator-8t.yaml", 90.0 * degree);
}

TEST_GROUP(NULL, NULL)
