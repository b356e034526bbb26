/// The solvers: weight carried, momentum exchanged, standing still, equal bits on any number of threads.
// test: unit, first
#include "tests/support/soil_fixture.h"

/// Fills a box 3 m over the ground with grains of one size in a loose lattice with sideways jitter. Returns their mass,
/// kg.
static double fill_box(Soil *soil, Vec3 at, int side, int layers)
{
    double mass = 0.0, r = 0.048, step = 0.104;
    unsigned random = 12345;
    for (int k = 0; k < side * side * layers; k++) {
        double jitter[3];
        for (int a = 0; a < 3; a++) {
            random = random * 1664525u + 1013904223u;
            jitter[a] = ((double)(random >> 8) / 16777216.0 - 0.5) * 0.006;
        }
        Vec3 place = vec3(at.x + (k % side - 0.5 * (side - 1)) * step + jitter[0],
                          at.y + (k / side % side - 0.5 * (side - 1)) * step + jitter[1],
                          at.z + 0.06 + k / (side * side) * step + jitter[2]);
        assert_true(soil_add_particle(soil, place, vec3(0, 0, 0), r, 0, 1.0) >= 0);
        mass += 1.0;
    }
    return mass;
}

/// Mean and spread of the weight a box feels over the last second of `seconds`.
static void weigh(Soil *soil, const SoilTool *tool, int seconds, double *mean, double *deviation)
{
    double sum = 0.0, square = 0.0;
    for (int tick = 0; tick < seconds * 60; tick++) {
        double force = -tick_still(soil, tool, 8);
        if (tick >= (seconds - 1) * 60) {
            sum += force;
            square += force * force;
        }
    }
    *mean = sum / 60.0;
    *deviation = sqrt(fmax(0.0, square / 60.0 - *mean * *mean));
}

TEST(a_box_feels_the_weight_in_it)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    ToolShape shape = box_shape(1.1, 1.1, 3.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    double weight = fill_box(soil, box.motion.frame.position, 10, 12) * STANDARD_GRAVITY, mean, deviation;
    weigh(soil, &box, 5, &mean, &deviation);
    assert_near(mean / weight, 1.0, 0.005);
    assert_true(deviation / weight < 0.01);
    soil_destroy(soil);
}

TEST(the_published_scheme_feels_less)
{
    SceneParams scene = sand_scene();
    scene.particles.iterations = 4;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_P2, 1);
    ToolShape shape = box_shape(1.1, 1.1, 3.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    double weight = fill_box(soil, box.motion.frame.position, 10, 12) * STANDARD_GRAVITY, mean, deviation;
    weigh(soil, &box, 4, &mean, &deviation);
    assert_true(mean / weight > 0.1 && mean / weight < 0.97); // its known flaw: averaging breaks Newton's third law
    soil_destroy(soil);
}

TEST(sequential_reference_carries_a_grain)
{
    SceneParams scene = sand_scene();
    scene.particles.iterations = 4;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_GS, 1);
    ToolShape shape = box_shape(1.1, 1.1, 3.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    soil_add_particle(soil, vec3(0, 0, 3.06), vec3(0, 0, 0), 0.05, 0, 1.0);
    double mean, deviation;
    weigh(soil, &box, 3, &mean, &deviation);
    assert_near(mean / STANDARD_GRAVITY, 1.0, 0.005);
    soil_destroy(soil);
}

/// Free clusters: contacts exchange momentum, they do not make any.
TEST(momentum_is_exchanged_not_made)
{
    const SoilSolver solvers[] = {SOIL_SOLVER_DEFAULT, SOIL_SOLVER_GS};
    for (int s = 0; s < 2; s++) {
        SceneParams scene = loam_scene();
        Soil *soil = make_soil(&scene, solvers[s], 2);
        for (int k = 0; k < 200; k++) {
            Vec3 at = vec3((k % 5) * 0.095, (k / 5 % 5) * 0.095, 40.0 + (k / 25) * 0.095);
            soil_add_particle(soil, at, vec3(0.3 * (k % 3), -0.2 * (k % 2), 0.1 * (k % 7)), 0.05, 0, 1.0);
        }
        SoilParticleView p = soil_get_particles(soil);
        Vec3 before = vec3(0, 0, 0), after = vec3(0, 0, 0);
        for (int k = 0; k < p.count; k++) {
            before = vec3_add(before, vec3(p.vx[k], p.vy[k], p.vz[k]));
        }
        for (int tick = 0; tick < 30; tick++) {
            run_ticks(soil, NULL, 0, 1);
        }
        p = soil_get_particles(soil);
        double scale = 0.0;
        for (int k = 0; k < p.count; k++) {
            after = vec3_add(after, vec3(p.vx[k], p.vy[k], p.vz[k] + STANDARD_GRAVITY * 0.5));
            scale += STANDARD_GRAVITY * 0.5;
        }
        assert_true(vec3_length(vec3_sub(after, before)) / scale < 2e-6);
        soil_destroy(soil);
    }
}

TEST(a_heap_stands_still)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    ToolShape shape = box_shape(3.0, 3.0, 0.05); // a plate with a low rim
    SoilTool plate = box_tool(&shape, vec3(0, 0, 3));
    fill_box(soil, plate.motion.frame.position, 9, 7);
    double before = 0.0, after = 0.0;
    for (int tick = 0; tick < 10 * 60; tick++) {
        tick_still(soil, &plate, 8);
        if (tick == 5 * 60 || tick == 10 * 60 - 1) {
            SoilParticleView p = soil_get_particles(soil);
            double sum = 0.0;
            for (int k = 0; k < p.count; k++) {
                sum += p.z[k] > 2.9 ? p.z[k] - 3.0 : 0.0; // what fell off the plate does not count
            }
            *(tick == 5 * 60 ? &before : &after) = sum / p.count;
        }
    }
    SoilParticleView p = soil_get_particles(soil);
    double top = 0.0;
    for (int k = 0; k < p.count; k++) {
        top = fmax(top, p.z[k]);
    }
    assert_true(top > 3.25); // it is a heap, not a carpet
    assert_true(fabs(after - before) < 1e-4); // and it does not creep
    soil_destroy(soil);
}

static uint64_t hash_of_a_fall(SoilSolver solver, int threads)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, solver, threads);
    ToolShape shape = box_shape(2.0, 2.0, 1.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    fill_box(soil, box.motion.frame.position, 14, 14); // more grains than PARTICLES_WORTH_THREADS
    for (int tick = 0; tick < 25; tick++) {
        tick_still(soil, &box, 8);
    }
    uint64_t hash = hash_soil(soil);
    soil_destroy(soil);
    return hash;
}

TEST(threads_do_not_change_a_bit)
{
    const SoilSolver solvers[] = {SOIL_SOLVER_DEFAULT, SOIL_SOLVER_P2, SOIL_SOLVER_GS};
    for (int s = 0; s < 3; s++) {
        uint64_t one = hash_of_a_fall(solvers[s], 1);
        assert_true(one == hash_of_a_fall(solvers[s], 2));
        assert_true(one == hash_of_a_fall(solvers[s], 3));
        assert_true(one == hash_of_a_fall(solvers[s], 8));
    }
}

/// Half-overlapping grains part without flying off.
TEST(overlap_opens_gently)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    for (int k = 0; k < 125; k++) {
        soil_add_particle(soil, vec3((k % 5) * 0.05, (k / 5 % 5) * 0.05, 1.0 + (k / 25) * 0.05), vec3(0, 0, 0), 0.05, 0,
                          1.0);
    }
    double fastest = 0.0;
    for (int tick = 0; tick < 20; tick++) {
        run_ticks(soil, NULL, 0, 1);
        SoilParticleView p = soil_get_particles(soil);
        double fall = STANDARD_GRAVITY * (tick + 1) / 60.0;
        for (int k = 0; k < p.count; k++) {
            double vz = p.vz[k] + fall;
            fastest = fmax(fastest, sqrt(p.vx[k] * p.vx[k] + p.vy[k] * p.vy[k] + vz * vz));
        }
    }
    assert_true(soil_is_finite(soil));
    assert_true(fastest < 6.0);
    soil_destroy(soil);
}

/// A grain that is half in the ground climbs out as far as it slides, at a walking pace as at a crawl, and is not
/// thrown.
TEST(overlap_opens_as_it_slides)
{
    const double speeds[] = {1.0, 2.0, 4.0};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = sand_scene();
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        soil_add_particle(soil, vec3(-1.0, 0.02, 0.0), vec3(speeds[k], 0.0, 0.0), 0.05, 0, 0.8);
        SoilParticleView p = soil_get_particles(soil);
        for (int tick = 0; tick < 30 && p.count == 1 && p.x[0] < -0.94; tick++) {
            run_ticks(soil, NULL, 0, 1);
            p = soil_get_particles(soil);
        }
        double slid = p.x[0] + 1.0;
        assert_true(p.count == 1 && slid > 0.05);
        print_message("%.0f m/s: slid %.3f m, climbed %.3f m\n", speeds[k], slid, p.z[0]);
        assert_true(p.z[0] > 0.2 * fmin(slid, 0.1)); // by time alone: 0.003 m at 1 m/s
        assert_true(p.vz[0] < 0.6 * speeds[k]);
        soil_destroy(soil);
    }
}

/// Two grains that meet head on within one tick, however fast, part with no more energy than they had.
TEST(fast_grains_gain_no_energy)
{
    const double speeds[] = {1.0, 4.0, 6.0};
    for (int s = 0; s < 3; s++) {
        SceneParams scene = sand_scene();
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        soil_add_particle(soil, vec3(-0.2, 0, 40), vec3(speeds[s], 0, 0), 0.05, 0, 1.0);
        soil_add_particle(soil, vec3(0.2, 0, 40), vec3(-speeds[s], 0, 0), 0.05, 0, 1.0);
        for (int tick = 0; tick < 30; tick++) {
            run_ticks(soil, NULL, 0, 1);
        }
        SoilParticleView p = soil_get_particles(soil);
        assert_int_equal(p.count, 2);
        int left = p.x[0] < p.x[1] ? 0 : 1;
        assert_true(p.vx[left] <= 0.0 && p.vx[1 - left] >= 0.0); // they met and parted, none passed through
        assert_true(fabs(p.vx[0]) <= speeds[s] && fabs(p.vx[1]) <= speeds[s]);
        assert_near(p.vx[0] + p.vx[1], 0.0, 1e-6);
        soil_destroy(soil);
    }
}

/// Grains hang where they are, and a pushed one flies on, in every solver.
TEST(grains_without_weight_do_not_fall)
{
    const SoilSolver solvers[] = {SOIL_SOLVER_DEFAULT, SOIL_SOLVER_P2, SOIL_SOLVER_GS};
    for (int s = 0; s < 3; s++) {
        SceneParams scene = sand_scene();
        scene.particles.persistent = true;
        Soil *soil = make_soil(&scene, solvers[s], 1);
        soil_set_gravity(soil, 0.0);
        soil_add_particle(soil, vec3(0, 0, 1), vec3(0, 0, 0), 0.05, 0, 1.0);
        soil_add_particle(soil, vec3(0, 1, 1), vec3(0.3, 0, 0.2), 0.05, 0, 1.0);
        run_ticks(soil, NULL, 0, 60);
        SoilParticleView p = soil_get_particles(soil);
        for (int k = 0; k < 2; k++) {
            bool moves = p.vx[k] > 0.1;
            assert_near(p.x[k], moves ? 0.3 : 0.0, 1e-5);
            assert_near(p.z[k], moves ? 1.2 : 1.0, 1e-5);
        }
        soil_destroy(soil);
    }
}

TEST_GROUP(NULL, NULL)
