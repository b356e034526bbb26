/// A box full of soil, hung on springs as a bucket hangs on its arm: it comes to rest, weighs what it holds, loses
/// nothing as it is moved and keeps nothing when it is tipped over.
#include "tests/support/soil_fixture.h"

#define STEP (1.0 / 480.0)

enum { SUBSTEPS = 8 };

/// A rigid body that its owner integrates with what the soil did to it, as a machine does.
typedef struct Hanging {
    Soil *soil;
    ToolShape shape;
    double mass;
    Vec3 inertia; ///< about its own axes, here taken as the world's: it only matters while it turns
    Pose frame, rest; ///< where it is, and where its springs hold it
    Vec3 velocity, spin;
    double stiffness, damping; ///< N/m, N s/m
    double load; ///< kg
} Hanging;

static SoilTool tool_of(const Hanging *box)
{
    SoilTool tool = box_tool(&box->shape, box->frame.position);
    tool.motion.frame = box->frame;
    tool.motion.velocity = box->velocity;
    tool.motion.spin = box->spin;
    tool.motion.inverse_mass = 1.0 / box->mass;
    tool.motion.inertia_inverse.m[0][0] = 1.0 / box->inertia.x;
    tool.motion.inertia_inverse.m[1][1] = 1.0 / box->inertia.y;
    tool.motion.inertia_inverse.m[2][2] = 1.0 / box->inertia.z;
    return tool;
}

/// Small rotation vector from the body's rest to where it is, world axes.
static Vec3 twist(const Hanging *box)
{
    Vec3 sum = vec3(0, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        const Mat3 *a = &box->rest.rotation, *b = &box->frame.rotation;
        Vec3 from = vec3(a->m[0][axis], a->m[1][axis], a->m[2][axis]);
        Vec3 to = vec3(b->m[0][axis], b->m[1][axis], b->m[2][axis]);
        sum = vec3_madd(sum, 0.5, vec3_cross(from, to));
    }
    return sum;
}

static void turn(Mat3 *rotation, Vec3 by)
{
    double angle = vec3_length(by), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.0;
    Mat3 step = mat3_from_quat((Quat){cos(0.5 * angle), s * by.x, s * by.y, s * by.z}), before = *rotation;
    for (int axis = 0; axis < 3; axis++) {
        Vec3 to = mat3_mul(&step, vec3(before.m[0][axis], before.m[1][axis], before.m[2][axis]));
        rotation->m[0][axis] = to.x;
        rotation->m[1][axis] = to.y;
        rotation->m[2][axis] = to.z;
    }
}

/// One implicit step of a mass on a spring and damper: its speed after.
static double step_speed(double speed, double away, double force, double mass, double stiffness, double damping)
{
    return (speed + STEP / mass * (force - stiffness * away)) /
           (1.0 + STEP * damping / mass + STEP * STEP * stiffness / mass);
}

/// What the soil did, the springs and its own weight move the body for one substep.
static void move_body(Hanging *box, const Wrench *wrench)
{
    double k = box->stiffness, c = box->damping, arm = 0.3; // m2: of the springs about the middle
    Vec3 away = vec3_sub(box->frame.position, box->rest.position), twisted = twist(box);
    box->velocity.x = step_speed(box->velocity.x, away.x, wrench->force.x, box->mass, k, c);
    box->velocity.y = step_speed(box->velocity.y, away.y, wrench->force.y, box->mass, k, c);
    box->velocity.z =
        step_speed(box->velocity.z, away.z, wrench->force.z - STANDARD_GRAVITY * box->mass, box->mass, k, c);
    box->spin.x = step_speed(box->spin.x, twisted.x, wrench->moment.x, box->inertia.x, arm * k, arm * c);
    box->spin.y = step_speed(box->spin.y, twisted.y, wrench->moment.y, box->inertia.y, arm * k, arm * c);
    box->spin.z = step_speed(box->spin.z, twisted.z, wrench->moment.z, box->inertia.z, arm * k, arm * c);
    box->frame.position = vec3_madd(box->frame.position, STEP, box->velocity);
    turn(&box->frame.rotation, vec3_scale(box->spin, STEP));
}

/// Weight that the body feels in a tick over that of its load: mean, and largest difference from it.
typedef struct Felt {
    double mean, swing;
    Vec3 last; ///< N
} Felt;

static Felt tick(Hanging *box)
{
    Felt felt = {0};
    double weights[SUBSTEPS];
    SoilTool tool = tool_of(box);
    soil_begin_tick(box->soil, &tool, 1, SUBSTEPS * STEP);
    for (int k = 0; k < SUBSTEPS; k++) {
        Wrench wrench;
        tool = tool_of(box);
        soil_substep(box->soil, &tool, 1, STEP, &wrench);
        move_body(box, &wrench);
        felt.last = wrench.force;
        weights[k] = -wrench.force.z / (STANDARD_GRAVITY * box->load);
        felt.mean += weights[k] / SUBSTEPS;
    }
    tool = tool_of(box);
    soil_end_tick(box->soil, &tool, 1);
    for (int k = 0; k < SUBSTEPS; k++) {
        felt.swing = fmax(felt.swing, fabs(weights[k] - felt.mean));
    }
    return felt;
}

/// A box 3 m over the ground with about 420 kg of dry sand, `ratio` times its own mass. The springs hold box and sand
/// at 8 Hz.
static void hang(Hanging *box, double ratio)
{
    const double radius = 0.05, grain = 1232.0 * 4.0 * sqrt(2.0) * radius * radius * radius, apart = 0.105;
    SceneParams scene = sand_scene();
    memset(box, 0, sizeof *box);
    box->soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    box->shape = box_shape(1.2, 1.0, 0.9);
    box->frame = box->rest = (Pose){vec3(0, 0, 3), mat3_identity()};
    for (int layer = 0; layer < 6; layer++) {
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 8; j++) {
                double stray = 0.002 * ((layer * 7 + i * 3 + j * 5) % 5 - 2);
                Vec3 at = vec3(apart * (i - 4.5) + stray, apart * (j - 3.5) - stray, 3.06 + apart * layer);
                double size = radius * (0.9 + 0.01 * ((i * 13 + j * 7 + layer * 3) % 11));
                assert_true(soil_add_particle(box->soil, at, vec3(0, 0, 0), size, 0, grain) >= 0);
            }
        }
    }
    box->load = (double)soil_get_ledger(box->soil).particles * SOIL_QUANTUM;
    box->mass = box->load / ratio;
    box->inertia = vec3(0.25 * box->mass, 0.3 * box->mass, 0.3 * box->mass);
    double pulse = 2.0 * M_PI * 8.0, hung = box->mass + box->load; // rad/s
    box->stiffness = pulse * pulse * hung;
    box->damping = 2.0 * 0.3 * pulse * hung;
}

/// Makes the plates of a box as thin as a bucket's, 30 mm.
static void thin_plates(ToolShape *shape)
{
    const double plate = 0.03, thick = 0.1;
    shape->pieces[0].corners[0][1] = shape->pieces[0].corners[1][1] = -plate;
    shape->pieces[1].y_max -= thick - plate;
    shape->pieces[2].y_min += thick - plate;
    shape->pieces[3].corners[1][0] -= thick - plate;
    shape->pieces[3].corners[2][0] -= thick - plate;
    shape->pieces[4].corners[0][0] += thick - plate;
    shape->pieces[4].corners[3][0] += thick - plate;
}

static double payload(const Hanging *box)
{
    SoilTool tool = tool_of(box);
    return soil_get_payload(box->soil, &tool, NULL);
}

/// The load drops into the box by a centimetre. After a second nothing rings and the springs feel its weight.
TEST(test_a_load_comes_to_rest_whatever_the_box_weighs)
{
    const double ratios[] = {0.1, 0.5, 1.0, 2.0, 5.0};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        Hanging box;
        hang(&box, ratios[k]);
        for (int t = 0; t < 60; t++) {
            tick(&box);
        }
        double swing = 0.0, off = 0.0, fastest = 0.0;
        for (int t = 0; t < 60; t++) {
            Felt felt = tick(&box);
            swing = fmax(swing, felt.swing);
            off = fmax(off, fabs(felt.mean - 1.0));
            fastest = fmax(fastest, vec3_length(box.velocity));
        }
        print_message("load %.1f times the box: weight off by %.1e, swings by %.1e, moves at %.1e m/s\n", ratios[k],
                      off, swing, fastest);
        assert_true(off < 0.005);
        assert_true(swing < 0.005);
        assert_true(fastest < 1e-3);
        assert_near(payload(&box), box.load, 1e-6);
        soil_destroy(box.soil);
    }
}

/// Up and down, to and fro and around, at up to 0.4 g, five times its own mass in a box of thin plates: nothing leaves
/// it or goes through them.
TEST(test_nothing_is_lost_on_the_way)
{
    Hanging box;
    hang(&box, 5.0);
    thin_plates(&box.shape);
    for (int t = 0; t < 300; t++) {
        double time = t / 60.0, start = fmin(time, 1.0);
        Vec3 to = vec3(0.3 * sin(3.0 * time), 0.2 * sin(2.3 * time), 0.1 * sin(5.0 * time));
        box.rest.position = vec3_madd(vec3(0, 0, 3), start, to);
        box.rest.rotation = mat3_yaw(0.4 * start * sin(1.7 * time));
        tick(&box);
    }
    SoilParticleView p = soil_get_particles(box.soil);
    for (int i = 0; i < p.count; i++) {
        Vec3 local = pose_apply_inverse(&box.frame, vec3(p.x[i], p.y[i], p.z[i]));
        assert_true(local.z > 0.0 && fabs(local.x) < 0.6 && fabs(local.y) < 0.5);
    }
    assert_near(payload(&box), box.load, 1e-6);
    soil_destroy(box.soil);
}

/// Tipped by 150 degrees in 5 s: dry sand runs out to the last grain, and what is in the box and beside it is all there
/// was.
TEST(test_dry_sand_leaves_a_box_that_is_tipped)
{
    Hanging box;
    hang(&box, 2.0);
    SoilLedger before = soil_get_ledger(box.soil);
    for (int t = 0; t < 480; t++) {
        if (t >= 60 && t < 360) {
            turn(&box.rest.rotation, vec3(0, radians(150.0) / 300.0, 0));
        }
        tick(&box);
        SoilLedger now = soil_get_ledger(box.soil);
        assert_true(now.total == before.total);
    }
    SoilLedger after = soil_get_ledger(box.soil);
    int64_t carried = (int64_t)(payload(&box) / SOIL_QUANTUM + 0.5);
    int64_t spilled = after.ground - before.ground + after.particles - carried;
    print_message("stays in the box: %.3f kg of %.0f\n", (double)carried * SOIL_QUANTUM, box.load);
    assert_true(carried == 0);
    assert_true(carried + spilled == before.particles);
    Felt felt = tick(&box);
    assert_true(felt.last.x == 0.0 && felt.last.y == 0.0 && felt.last.z == 0.0); // no ghost force
    soil_destroy(box.soil);
}

TEST_GROUP(NULL, NULL)
