/// What the shipped bucket carries through a swing: a struck load stays in it, a heaped one settles to its angle, and
/// grains that lie still in it do not swell.
// test: long
#include "data/core/tool_geometry.h"
#include "tests/support/plates.h"

#define RADIUS 0.05 ///< m, of a loose grain
#define SOLID  0.62 ///< share of the grains in the volume of a heap
#define APART  2.04 ///< radii between neighbours as they are laid
#define REACH  6.0 ///< m from the swing's axis to the bucket's pin
#define HEIGHT 2.5 ///< m of the pin over the ground
#define SWING  4.0 ///< s for 90 degrees: 0.74 rad/s at most, two thirds of the machine's 11.3 rpm
#define GENTLE 12.0 ///< s for the same: at most 0.08 g

/// The bucket's way: its opening up and its edge towards the machine, it swings by 90 degrees (least jerk).
typedef struct Swing {
    double seconds; ///< that it takes
    double tipped; ///< rad that it is opened by
} Swing;

/// The bucket `time` s after it began to swing.
static SoilTool swinging_bucket(Swing swing, double time)
{
    double s = fmin(fmax(time / swing.seconds, 0.0), 1.0), span = radians(90.0);
    double angle = span * s * s * s * (10.0 + s * (6.0 * s - 15.0));
    double rate = span / swing.seconds * 30.0 * s * s * (1.0 - s) * (1.0 - s); // rad/s
    SoilTool bucket = {.shape = bucket_shape(), .cuts = true, .steel_friction = 1.0};
    Mat3 turned = mat3_yaw(angle), tipped = pitch(M_PI - swing.tipped);
    bucket.motion.frame.position = vec3(REACH * cos(angle) - 3.0, REACH * sin(angle) - 3.0, HEIGHT);
    bucket.motion.frame.rotation = mat3_product(&turned, &tipped);
    bucket.motion.center = bucket.motion.frame.position;
    bucket.motion.velocity = vec3(-rate * REACH * sin(angle), rate * REACH * cos(angle), 0.0);
    bucket.motion.spin = vec3(0.0, 0.0, rate);
    return bucket;
}

/// Lets `seconds` pass, from `time` s after it began to swing.
static void carry(Soil *soil, Swing swing, double time, double seconds)
{
    int ticks = (int)(seconds / DT + 0.5);
    for (int t = 0; t < ticks; t++, time += DT) {
        Wrench wrench;
        SoilTool bucket = swinging_bucket(swing, time);
        soil_begin_tick(soil, &bucket, 1, DT);
        for (int k = 1; k <= 8; k++) {
            soil_substep(soil, &bucket, 1, DT / 8, &wrench);
            bucket = swinging_bucket(swing, time + DT * k / 8);
        }
        soil_end_tick(soil, &bucket, 1);
    }
}

/// Lays close-packed layers of grains of a radius (m) in the bucket at rest, up to `heap` m over its rim.
static Soil *loaded_bucket(const SceneParams *scene, double radius, double heap)
{
    Soil *soil = make_soil(scene, SOIL_SOLVER_DEFAULT, 1);
    SoilTool bucket = swinging_bucket((Swing){SWING, 0.0}, 0.0);
    const SoilParams *loam = &scene->soils[0];
    double mass = 4.0 / 3.0 * M_PI * RADIUS * RADIUS * RADIUS / SOLID * loam->bank_density / (1.0 + loam->swell);
    double apart = APART * radius;
    for (int layer = 0; layer < 20; layer++) {
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 20; j++) {
                double stray = 0.01 * radius * ((layer * 7 + i * 3 + j * 5) % 5 - 2);
                Vec3 at = vec3(apart * (i + 0.5 * ((j + layer) % 2)) + stray,
                               sqrt(0.75) * apart * (j - 9.5 + (layer % 2) / 3.0) - stray,
                               0.86 - sqrt(2.0 / 3.0) * apart * layer);
                double over = fmin(at.z, 0.0); // m over the rim, downwards in the bucket's frame
                bool in = tool_contains(bucket.shape, vec3(at.x, at.y, fmax(at.z, 0.5 * radius)), -radius);
                if (-over <= heap && (in || (over < 0.0 && at.x > 0.25 && at.x < 1.3 && fabs(at.y) < 0.55))) {
                    assert_true(soil_add_particle(soil, pose_apply(&bucket.motion.frame, at), vec3(0, 0, 0),
                                                  radius * (0.94 + 0.01 * ((i * 13 + j * 7 + layer * 3) % 7)), 0,
                                                  mass) >= 0);
                }
            }
        }
    }
    return soil;
}

static double payload(const Soil *soil, Swing swing, double time)
{
    SoilTool bucket = swinging_bucket(swing, time);
    return soil_get_payload(soil, &bucket, NULL);
}

/// m over the rim of the bucket's side plates: the highest grain.
static double highest(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double top = -HUGE_VAL;
    for (int i = 0; i < p.count; i++) {
        top = fmax(top, p.z[i] - HEIGHT);
    }
    return top;
}

static double mean_radius(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double sum = 0.0;
    for (int i = 0; i < p.count; i++) {
        sum += (double)p.radius[i];
    }
    return sum / p.count;
}

/// Loads a bucket `heap` m over its rim, waits until the load lies, and swings it.
typedef struct Carried {
    double load, lost; ///< kg before the swing, and what left the bucket on it
    double top; ///< m over the rim: the highest grain after it
} Carried;

static Carried swing_load(const SceneParams *scene, double heap)
{
    const Swing swing = {SWING, 0.0};
    Soil *soil = loaded_bucket(scene, RADIUS, heap);
    carry(soil, swing, -2.0, 2.0);
    Carried carried = {.load = payload(soil, swing, 0.0)};
    carry(soil, swing, 0.0, SWING + 0.5);
    carried.lost = carried.load - payload(soil, swing, SWING);
    carried.top = highest(soil);
    print_message("%.0f kg, heaped by %.2f m: %.2f %% lost, %.3f m over the rim\n", carried.load, heap,
                  100.0 * carried.lost / carried.load, carried.top);
    soil_destroy(soil);
    return carried;
}

TEST(test_a_struck_load_stays_in_the_bucket)
{
    const SceneParams scenes[] = {loam_scene(), sand_scene()};
    for (int k = 0; k < 2; k++) {
        Carried carried = swing_load(&scenes[k], 0.2);
        assert_true(carried.load > 1000.0 && carried.top > -0.05);
        assert_true(carried.lost < 0.005 * carried.load);
    }
}

/// A heap that is steeper than its angle of repose comes down to it.
TEST(test_a_heaped_load_settles_to_its_angle)
{
    const SceneParams scenes[] = {loam_scene(), sand_scene()};
    for (int k = 0; k < 2; k++) {
        Carried carried = swing_load(&scenes[k], 0.6);
        double slope = RADIUS + 0.6 * tan(scenes[k].soils[0].repose_angle); // from the side plates to the middle
        assert_true(carried.load > 1400.0);
        assert_true(carried.top > 0.1 && carried.top < slope);
        assert_true(carried.lost < 0.1 * carried.load);
    }
}

/// Loosened soil that has its bank density yet lies in the bucket as one body. It keeps its room while it is held, and
/// most of it while a gentle swing settles it; as it is tipped it swells.
TEST(test_soil_swells_as_it_slips)
{
    SceneParams scene = loam_scene();
    double bank = RADIUS / cbrt(1.0 + scene.soils[0].swell), range = RADIUS - bank;
    Soil *soil = loaded_bucket(&scene, bank, 0.0);
    for (int i = 0; i < soil->state.particles.count; i++) {
        soil->state.particles.path[i] = 1.2F * (float)RADIUS;
    }
    Swing swing = {GENTLE, 0.0};
    carry(soil, swing, -2.0, 1.0);
    double laid = mean_radius(soil);
    carry(soil, swing, -5.0, 5.0);
    double held = mean_radius(soil);
    carry(soil, swing, 0.0, GENTLE);
    double swung = mean_radius(soil);
    for (int t = 0; t < 90; t++) {
        swing.tipped = radians(t + 1.0);
        carry(soil, swing, GENTLE, DT);
    }
    print_message("of its swell: %.4f held, %.4f swung, %.3f tipped\n", (held - laid) / range, (swung - held) / range,
                  (mean_radius(soil) - swung) / range);
    assert_true(held - laid < 1e-3 * range);
    assert_true(swung - held < 0.3 * range);
    assert_true(mean_radius(soil) - swung > 0.3 * range);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
