/// Rocks on ground that yields: how deep they sink against the closed form of a footing, what holds them from the side,
/// and that they sleep there.
// test: sanitized

#include "data/core/constants.h"
#include "machine/rocks.h"
#include "tests/support/state_tape.h"
#include "tests/support/test.h"

static const double h = 1.0 / 480.0;
enum { SUBSTEPS = 8 };
static const Quat level = {1.0, 0.0, 0.0, 0.0};

// Loam of the shipped files, in place: Prandtl's, Reissner's and Vesic's factors for 30 degrees (18.4, 30.1, 22.4), and
// Rankine's Kp = 3.
#define COHESION 5e3
#define WEIGHT   (1540.0 * STANDARD_GRAVITY)
static const double nq = 18.401, nc = 30.140, ngamma = 22.402, kp = 3.0;

static double bears(void *context, Vec3 at, double width, double depth, double down)
{
    (void)context, (void)at;
    return down > 0.5 ? COHESION * nc + WEIGHT * depth * nq + 0.5 * WEIGHT * width * ngamma
                      : 2.0 * COHESION * sqrt(kp) + WEIGHT * depth * kp;
}

// A pyramid on its tip, 0.8 m wide and 0.4 m high, upside down.
static void make_pyramid(RockPart *part)
{
    *part = (RockPart){.point_count = 5,
                       .point = {{0, 0, 0}, {0.4, 0.4, 0.4}, {-0.4, 0.4, 0.4}, {-0.4, -0.4, 0.4}, {0.4, -0.4, 0.4}}};
}

// The cap below is that of a ball of 0.5 m cut off BALL_CUT above its lowest point: rings whose areas are the ball's.
#define BALL_CUT 0.0025
static void make_ball(RockPart *part)
{
    static const double height[3] = {BALL_CUT, 0.0155, 0.03};
    static const int around[3] = {7, 8, 8};
    part->point_count = 0;
    for (int ring = 0; ring < 3; ring++) {
        int n = around[ring];
        double radius = sqrt(height[ring] - height[ring] * height[ring]); // 2 R z - z2
        radius *= sqrt(2.0 * M_PI / (n * sin(2.0 * M_PI / n)));
        for (int k = 0; k < n; k++) {
            double a = 2.0 * M_PI * k / n;
            part->point[part->point_count++] = vec3(radius * cos(a), radius * sin(a), height[ring]);
        }
    }
    part->point[part->point_count++] = vec3(0.0, 0.0, 0.5);
}

typedef struct Laid {
    Rocks *rocks;
    double lowest; ///< m: of the shape, below its centre of mass
} Laid;

static Laid lay(void make(RockPart *part), double mass)
{
    RocksParams *params = malloc(sizeof *params);
    Status status;
    assert_non_null(params);
    rocks_default(params);
    params->budget = 2;
    params->shape_count = 1;
    params->shape[0].mass = mass;
    params->shape[0].part_count = 1;
    make(&params->shape[0].part[0]);
    Laid laid = {.rocks = rocks_create(params, &status)};
    free(params);
    assert_good(laid.rocks != NULL, status);
    rocks_set_bearing(laid.rocks, bears);
    const ConvexHull *hull = rocks_get_part(laid.rocks, 0, 0);
    for (int k = 0; k < hull->point_count; k++) {
        laid.lowest = fmax(laid.lowest, -hull->point[k].z);
    }
    Vec3 zero = {0.0, 0.0, 0.0};
    assert_int_equal(rocks_add(laid.rocks, 0, vec3(0.0, 0.0, laid.lowest), level, zero, zero, &status), 0);
    return laid;
}

static RockView view_of(const Rocks *rocks)
{
    RockView view;
    assert_true(rocks_get(rocks, 0, &view));
    return view;
}

static void tick(Rocks *rocks)
{
    rocks_begin(rocks, NULL, NULL, NULL, SUBSTEPS * h);
    for (int k = 0; k < SUBSTEPS; k++) {
        rocks_substep(rocks, NULL, h, NULL);
    }
    rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
}

// m below the level surface, at rest. It sleeps within two seconds, and stays as it is.
static double sinkage(const Laid *laid)
{
    int ticks = 0;
    for (; ticks < 120 && !view_of(laid->rocks).asleep; ticks++) {
        tick(laid->rocks);
    }
    RockView view = view_of(laid->rocks);
    assert_true(view.asleep);
    double depth = laid->lowest - view.motion.frame.position.z;
    for (int k = 0; k < 60; k++) {
        tick(laid->rocks);
    }
    assert_near(laid->lowest - view_of(laid->rocks).motion.frame.position.z, depth, 1e-12);
    print_message("asleep after %d ticks, %.4f m deep\n", ticks, depth);
    return depth;
}

// Depth at which A (c Nc + q Nq + 1/2 gamma B Ngamma) is the weight, by bisection: area and volume of what is below the
// surface are those of the closed form.
static double footing_depth(double mass, double radius)
{
    double low = 0.0, high = 0.4;
    for (int k = 0; k < 60; k++) {
        double z = 0.5 * (low + high);
        double area = radius > 0.0 ? M_PI * (2.0 * radius * z - z * z) : 4.0 * z * z;
        double volume = radius > 0.0 ? M_PI * z * z * (radius - z / 3.0) : 4.0 * z * z * z / 3.0;
        double force =
            area * COHESION * nc + WEIGHT * volume * nq + 0.5 * WEIGHT * 2.0 * sqrt(area / M_PI) * ngamma * area;
        *(force < mass * STANDARD_GRAVITY ? &low : &high) = z;
    }
    return low;
}

// Terzaghi (1943) with the factors of Prandtl, Reissner and Vesic, on the section of the shape with the surface: a
// tip, and a ball.
TEST(a_rock_sinks_until_the_ground_bears_it)
{
    static const double masses[3] = {300.0, 1000.0, 3000.0};
    for (int k = 0; k < 3; k++) {
        Laid laid = lay(make_pyramid, masses[k]);
        double wanted = footing_depth(masses[k], 0.0), depth = sinkage(&laid);
        print_message("tip of %.0f kg: %.4f of the closed form's %.4f m\n", masses[k], depth / wanted, wanted);
        assert_near(depth, wanted, 0.02 * wanted);
        rocks_destroy(laid.rocks);
    }
    Laid laid = lay(make_ball, 1360.0);
    double wanted = footing_depth(1360.0, 0.5), depth = sinkage(&laid) + BALL_CUT;
    print_message("ball of 1360 kg: %.4f of the closed form's %.4f m\n", depth / wanted, wanted);
    assert_near(depth, wanted, 0.06 * wanted);
    rocks_destroy(laid.rocks);
}

// N: the level force at which a tip that has sunk in begins to slide.
static double force_to_slide(double mass, bool soft)
{
    Laid laid = lay(make_pyramid, mass);
    rocks_set_bearing(laid.rocks, soft ? bears : NULL);
    for (int k = 0; k < 120; k++) {
        tick(laid.rocks);
    }
    double x = view_of(laid.rocks).motion.frame.position.x, force;
    Vec3 low = vec3(0.0, 0.0, 0.0);
    for (force = 4000.0; view_of(laid.rocks).motion.frame.position.x < x + 0.001 && force < 1e5;) {
        force += 3.0;
        low.y = -force * laid.lowest; // it acts at the tip
        rocks_set_load(laid.rocks, 0, vec3(force, 0.0, 0.0), low);
        tick(laid.rocks);
    }
    rocks_destroy(laid.rocks);
    return force;
}

// Rankine's passive pressure on the section across, 2 c sqrt(Kp) z + 1/2 gamma Kp z2 over a mean width, and Coulomb's
// friction below.
TEST(a_rock_in_its_dent_is_held_from_the_side)
{
    double mass = 1000.0, z = footing_depth(mass, 0.0), passive = 0.0;
    for (int k = 0; k < 1000; k++) { // a triangle, as wide as a circle of the square section's area
        double depth = z * (k + 0.5) / 1000.0, width = 2.0 * (z - depth) * 2.0 / sqrt(M_PI);
        passive += z / 1000.0 * width * bears(NULL, vec3(0.0, 0.0, 0.0), width, depth, 0.0);
    }
    double weight = mass * STANDARD_GRAVITY, dent = force_to_slide(mass, true);
    print_message("tip of %.0f kg, %.3f m deep: slides at %.0f N, friction alone %.0f N, passive pressure %.0f N\n",
                  mass, z, dent, 0.6 * weight, passive);
    assert_true(dent > 0.6 * weight + 0.6 * passive);
    assert_true(dent < 0.6 * weight + 1.6 * passive);
}

TEST_GROUP(NULL, NULL)
