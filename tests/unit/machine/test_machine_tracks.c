/// Travel, turning, slopes and slip.
// test: sanitized
#include "data/core/constants.h"
#include "machine/drive/drive.h"
#include "tests/support/machine_fixture.h"

static void levers(Site *site, double left, double right)
{
    site_lever(site, CONTROL_LEFT_TRACK, left);
    site_lever(site, CONTROL_RIGHT_TRACK, right);
}

TEST(both_tracks_travel_at_the_published_speed)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        Site site = site_create();
        levers(&site, direction, direction);
        site_run(&site, 3.0);
        MachineReadout before = site_readout(&site);
        site_run(&site, 2.0);
        MachineReadout after = site_readout(&site);
        assert_near((after.base.x - before.base.x) / 2.0, direction * 5.7 / 3.6, 0.02);
        assert_near(after.base.y, 0.0, 1e-3);
        assert_near(after.slip[0], 0.0, 0.02);
        assert_int_equal(after.limit, MACHINE_LIMIT_NONE);
        assert_true(direction * site.state.track_travel[0] > 4.0);
        levers(&site, 0.0, 0.0);
        site_run(&site, 2.0);
        MachineReadout stopped = site_readout(&site);
        site_run(&site, 2.0);
        assert_near(site_readout(&site).base.x, stopped.base.x, 1e-3);
        site_destroy(&site);
    }
}

TEST(one_track_turns_away_from_itself)
{
    Site right = site_create(), left = site_create(), spot = site_create();
    levers(&right, 0.0, 1.0);
    levers(&left, 1.0, 0.0);
    levers(&spot, 1.0, -1.0);
    site_run(&right, 2.0);
    site_run(&left, 2.0);
    site_run(&spot, 2.0);
    MachineReadout a = site_readout(&right), b = site_readout(&left), c = site_readout(&spot);
    assert_true(a.yaw > 20.0 * degree); // right track forward: to the left
    assert_near(b.yaw, -a.yaw, 0.5 * degree); // mirrored
    assert_near(b.base.y, -a.base.y, 0.01);
    assert_true(c.yaw < -20.0 * degree);
    assert_true(hypot(c.base.x, c.base.y) < 0.5); // turns on the spot
    site_destroy(&right);
    site_destroy(&left);
    site_destroy(&spot);
}

/// What a turn on the spot measures once it goes evenly.
typedef struct SpotTurn {
    double time; ///< s for the whole turn, from rest
    double drive; ///< N m: the belts' forces about the machine's middle, their rolling resistance taken off
    double slip; ///< m/s of the belts over the ground below them
    double spin; ///< rad/s
} SpotTurn;

static SpotTurn turn_on_the_spot(const MachineParams *params, double cohesion, double friction)
{
    Site site = site_of(params);
    site.cohesion = cohesion;
    site.friction = friction;
    site_run(&site, 2.0);
    levers(&site, -1.0, 1.0);
    SpotTurn turn = {0};
    double last = site_readout(&site).yaw, turned = 0.0, half = 0.5 * params->tracks.gauge;
    int steps = 0;
    while (turned < 2.0 * M_PI && turn.time < 60.0) {
        site_step(&site);
        turn.time += step_time;
        double yaw = site_readout(&site).yaw;
        turned += remainder(yaw - last, 2.0 * M_PI);
        last = yaw;
        if (turned > M_PI) {
            double spin = site.state.body[MACHINE_BASE].spin[2];
            turn.drive += half * (site.state.track_force[1] - site.state.track_force[0]);
            turn.slip += 0.5 * (site.state.track_speed[1] - site.state.track_speed[0]) - half * spin;
            turn.spin += spin;
            steps++;
        }
    }
    turn.drive /= steps;
    turn.drive -= half * params->tracks.rolling_resistance * total_mass(params) * STANDARD_GRAVITY;
    turn.slip /= steps;
    turn.spin /= steps;
    site_destroy(&site);
    return turn;
}

/// Steeds (1950), Wong (Theory of Ground Vehicles, section 6.2): rollers at x from the middle slide by (a, w x) with a
/// the belt's slip, so that they resist turning with mu_t W / n x^2 / sqrt((a/w)^2 + x^2), which falls short of
/// Merritt's mu_t W L / 4 by the sharing of their friction, and exceeds it by the load that the end rollers carry.
static double turning_resistance(const MachineParams *params, const SpotTurn *turn)
{
    const MachineTracks *tracks = &params->tracks;
    double sum = 0.0, shift = turn->slip / turn->spin;
    for (int k = 0; k < tracks->patches; k++) {
        double x = track_patch_point(tracks, k).x;
        sum += x * x / sqrt(shift * shift + x * x);
    }
    return tracks->side_friction * total_mass(params) * STANDARD_GRAVITY * sum / tracks->patches;
}

/// On firm ground (25 kPa and 35 degrees) a 22-t excavator turns round in less than 12 s.
TEST(counter_rotation_takes_what_the_turning_resistance_leaves)
{
    static const char *const machines[3] = {"excavator-22t", "excavator-8t", "dozer-20t"};
    for (int k = 0; k < 3; k++) {
        char path[512];
        snprintf(path, sizeof path, SPADEWORK_DATA_DIR "/machines/%s.yaml", machines[k]);
        MachineParams params = load_params(path);
        SpotTurn turn = turn_on_the_spot(&params, 25e3, tan(35.0 * degree));
        double resistance = turning_resistance(&params, &turn);
        print_message("%s: %.1f s, drive %.1f kN m of %.1f, belts slip %.2f m/s\n", machines[k], turn.time,
                      1e-3 * turn.drive, 1e-3 * resistance, turn.slip);
        assert_true(turn.time < 12.0);
        // Less than that: shoes are laid down without shear, and carry that of the front over the middle.
        assert_true(turn.drive > 0.85 * resistance && turn.drive < 1.01 * resistance);
    }
}

/// A pull to the side through the middle: the tracks hold mu_t W, or what the soil bears when that is less.
TEST(the_tracks_hold_sideways_up_to_the_lateral_resistance)
{
    MachineParams params = shipped_params();
    double weight = total_mass(&params) * STANDARD_GRAVITY;
    for (int k = 0; k < 4; k++) {
        bool soft = k >= 2, slides = k % 2 != 0;
        Site site = site_of(&params);
        double friction = soft ? 0.3 : 1.0, most = weight * fmin(friction, params.tracks.side_friction), before = 0.0;
        for (int step = 0; step < 4 * 480; step++) {
            Vec3 points[MACHINE_MAX_PATCHES];
            MachineGround ground[MACHINE_MAX_PATCHES];
            int count = machine_track_patches(site.machine, &site.state, points);
            for (int i = 0; i < count; i++) {
                ground[i] = (MachineGround){.normal = {0.0, 0.0, 1.0},
                                            .firmness = 1.0,
                                            .bearing = HUGE_VAL,
                                            .friction = friction,
                                            .cohesion = 0.0};
            }
            Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
            loads[MACHINE_BASE].force.y = step < 480 ? 0.0 : most * (slides ? 1.15 : 0.85);
            loads[MACHINE_BASE].moment.x = site.state.body[MACHINE_BASE].position[2] * loads[MACHINE_BASE].force.y;
            before = step == 3 * 480 ? site_readout(&site).base.y : before;
            machine_step(site.machine, &(MachineInputs){.controls = &site.controls, .ground = ground, .loads = loads},
                         step_time, &site.state);
        }
        double moved = site_readout(&site).base.y - before;
        assert_true(slides ? moved > 0.1 : fabs(moved) < 5e-3);
        site_destroy(&site);
    }
}

/// No turn slips, whether one lever is half way, one track stands, or both run against each other: the tracks scrub
/// sideways. That they slip against a wall is tested with the bulldozer.
TEST(a_turn_is_no_slip)
{
    static const double ways[][2] = {{1.0, 0.5}, {1.0, 0.0}, {1.0, -1.0}};
    Site site = site_create();
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        levers(&site, ways[k][0], ways[k][1]);
        site_run(&site, 1.5);
        for (int step = 0; step < 480; step++) {
            site_step(&site);
            assert_int_not_equal(site_readout(&site).limit, MACHINE_LIMIT_SLIP);
        }
    }
    site_destroy(&site);
}

/// The boom pressed down for as long as it goes: the machine rears onto its tail and stays there, and comes down again.
TEST(it_rests_on_its_tail)
{
    Site site = site_create();
    site_lever(&site, CONTROL_BOOM, -1.0);
    double steepest = 0.0;
    for (int k = 0; k < 9 * 480; k++) {
        if (k == 6 * 480) {
            site_lever(&site, CONTROL_BOOM, 1.0);
        }
        // Hard ground under the bucket: a stiff, damped support of its tip.
        RigidMotion tool;
        machine_get_tool(site.machine, &site.state, &tool);
        MachineReadout readout = site_readout(&site);
        double depth = fmax(0.0, -readout.tip.z);
        Vec3 arm = vec3_sub(readout.tip, tool.center);
        Vec3 velocity = vec3_add(tool.velocity, vec3_cross(tool.spin, arm));
        site.tool.force = vec3(0.0, 0.0, depth > 0.0 ? fmax(0.0, 2e6 * depth - 4e4 * velocity.z) : 0.0);
        site.tool.moment = vec3_cross(arm, site.tool.force);
        site_step(&site);
        steepest = fmax(steepest, fabs(readout.pitch));
    }
    assert_true(machine_state_is_finite(&site.state));
    assert_true(steepest > 0.3 && steepest < 1.2);
    assert_near(site_readout(&site).pitch, 0.0, 0.1);
    site_destroy(&site);
}

TEST(it_stands_on_a_slope_without_creeping)
{
    Site site = site_create();
    site_tilt(&site, 20.0 * degree);
    site_run(&site, 5.0);
    MachineReadout before = site_readout(&site);
    site_run(&site, 30.0);
    MachineReadout after = site_readout(&site);
    assert_near(after.pitch, 20.0 * degree, 0.5 * degree);
    assert_true(vec3_length(vec3_sub(after.base, before.base)) < 1e-3);
    assert_int_equal(after.limit, MACHINE_LIMIT_NONE);
    site_destroy(&site);
}

TEST(grade_is_limited_by_friction)
{
    Site good = site_create(), slick = site_create();
    site_tilt(&good, 25.0 * degree);
    site_tilt(&slick, 25.0 * degree);
    site_run(&good, 1.0);
    levers(&good, 1.0, 1.0);
    site_run(&good, 2.0);
    MachineReadout before = site_readout(&good);
    site_run(&good, 2.0);
    MachineReadout after = site_readout(&good);
    assert_true(after.base.x > before.base.x + 1.0);
    assert_true((after.base.x - before.base.x) / 2.0 / cos(25.0 * degree) < 4.5 / 3.6); // the engine's power slows it
    site_destroy(&good);

    slick.friction = 0.4; // 0.4 x 0.85 = tan 19 deg
    site_run(&slick, 2.0);
    levers(&slick, 1.0, 1.0);
    site_run(&slick, 2.0);
    MachineReadout sliding = site_readout(&slick);
    assert_int_equal(sliding.limit, MACHINE_LIMIT_SLIP);
    assert_true(sliding.slip[0] > 0.5);
    site_destroy(&slick);
}

// A horizontal pull at the bucket is carried by the tracks' shear: they stand below the friction limit and slide above.
TEST(the_tracks_hold_up_to_friction)
{
    MachineParams params = shipped_params();
    params.tracks.friction = 0.2;
    double most = params.tracks.friction * total_mass(&params) * STANDARD_GRAVITY;
    Site site = site_of(&params);
    site_run(&site, 1.0);
    site.tool.force = vec3(0.7 * most, 0.0, 0.0);
    site_run(&site, 3.0);
    MachineReadout before = site_readout(&site);
    site_run(&site, 1.0);
    assert_near(site_readout(&site).base.x, before.base.x, 2e-3);
    site.tool.force = vec3(1.5 * most, 0.0, 0.0);
    site_run(&site, 1.0);
    assert_true(site_readout(&site).base.x > before.base.x + 0.1);
    assert_int_equal(site_readout(&site).limit, MACHINE_LIMIT_SLIP);
    site_destroy(&site);
}

// Bekker: thrust = A c + W tan(phi). What friction alone does not hold, cohesion does.
TEST(cohesion_adds_to_friction)
{
    MachineParams params = shipped_params();
    params.tracks.friction = 0.5;
    double area = 2.0 * params.tracks.contact_length * params.tracks.shoe_width;
    double weight = total_mass(&params) * STANDARD_GRAVITY;
    for (int slide = 0; slide < 2; slide++) {
        Site site = site_of(&params);
        site.friction = 0.2;
        site.cohesion = 20e3;
        double most = params.tracks.friction * (area * site.cohesion + weight * site.friction);
        site_run(&site, 1.0);
        site.tool.force = vec3(most * (slide ? 1.2 : 0.8), 0.0, 0.0);
        site_run(&site, 2.0);
        double before = site_readout(&site).base.x;
        site_run(&site, 1.0);
        double moved = site_readout(&site).base.x - before;
        assert_true(slide ? moved > 0.1 : fabs(moved) < 2e-3);
        site_destroy(&site);
    }
}

/// A rope on the undercarriage holds the driving machine: its drives' relief valves open, and the gauge says so.
TEST(a_blocked_travel_motor_is_at_its_relief)
{
    Site site = site_create();
    site.cohesion = 30e3;
    levers(&site, 1.0, 1.0);
    for (int k = 0; k < 3 * 480; k++) {
        Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        const MachineBodyState *body = &site.state.body[MACHINE_BASE];
        loads[MACHINE_BASE].force.x = -1e6 * body->position[0] - 1e5 * body->velocity[0];
        Vec3 points[MACHINE_MAX_PATCHES];
        MachineGround ground[MACHINE_MAX_PATCHES];
        int count = machine_track_patches(site.machine, &site.state, points);
        for (int i = 0; i < count; i++) {
            ground[i] = (MachineGround){.normal = {0.0, 0.0, 1.0},
                                        .firmness = 1.0,
                                        .bearing = HUGE_VAL,
                                        .friction = 1.0,
                                        .cohesion = site.cohesion};
        }
        machine_step(site.machine, &(MachineInputs){.controls = &site.controls, .ground = ground, .loads = loads},
                     step_time, &site.state);
    }
    assert_int_equal(site_readout(&site).limit, MACHINE_LIMIT_RELIEF);
    const MachineTracks *tracks = &machine_params(site.machine)->tracks;
    double drive =
        tracks->drawbar + tracks->rolling_resistance * total_mass(machine_params(site.machine)) * STANDARD_GRAVITY;
    assert_near(site.state.track_force[0] + site.state.track_force[1], drive, 0.01 * drive);
    site_destroy(&site);
}

TEST(soft_ground_lets_the_tracks_sink)
{
    MachineParams params = shipped_params();
    Site firm = site_of(&params), soft;
    params.tracks.stiffness *= 0.1;
    soft = site_of(&params);
    machine_start(firm.machine, 0.0, 0.0, 0.0, 0.0, &firm.state);
    site_run(&firm, 2.0);
    site_run(&soft, 3.0);
    double depth = -site_readout(&firm).base.z;
    // 22 t on two tracks: depth = W / (k A)
    double wanted = total_mass(&params) * STANDARD_GRAVITY /
                    (10.0 * params.tracks.stiffness * 2.0 * params.tracks.contact_length * params.tracks.shoe_width);
    assert_near(depth, wanted, 0.05 * wanted);
    assert_near(-site_readout(&soft).base.z, 10.0 * depth, depth);
    site_destroy(&soft);
    site_destroy(&firm);
}

TEST(patches_lie_under_the_tracks)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    machine_start(site.machine, 5.0, 1.0, 0.0, 90.0 * degree, &site.state);
    Vec3 points[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(site.machine, &site.state, points), n = params.tracks.patches;
    assert_int_equal(count, 2 * n);
    // Heading north: the left track lies west, its patches run from south to north.
    assert_near(points[0].x, 5.0 - 0.5 * params.tracks.gauge, 0.01);
    assert_near(points[0].y, 1.0 - 0.5 * params.tracks.contact_length, 0.01);
    assert_near(points[n - 1].y, 1.0 + 0.5 * params.tracks.contact_length, 0.01);
    assert_near(points[n].x, 5.0 + 0.5 * params.tracks.gauge, 0.01);
    double area = count * machine_patch_area(site.machine);
    assert_near(area, 2.0 * params.tracks.contact_length * params.tracks.shoe_width, 1e-9);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
