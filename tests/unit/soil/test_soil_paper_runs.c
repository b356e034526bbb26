/// The published solvers at large: complete lists, the same bits on every machine, hostile states.
#include "tests/support/paper_fixture.h"

static double random_sign(unsigned *random)
{
    *random = *random * 1664525u + 1013904223u;
    return (double)(*random >> 8) / 8388608.0 - 1.0;
}

static int times_listed(const Paper *paper, int32_t i, int32_t j)
{
    int times = 0;
    for (int32_t k = 0; k < paper->count[i]; k++) {
        times += paper->list[paper->first[i] + k] == j;
    }
    return times;
}

/// A cloud of grains of many sizes and speeds: what may touch within the tick stands once in each of the two lists, and
/// nothing else does that is far away.
TEST(lists_hold_every_pair)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        SceneParams scene = paper_scene();
        Soil *soil = make_soil(&scene, SOIL_SOLVER_P2, threads);
        unsigned random = 99;
        for (int k = 0; k < 1500; k++) {
            Vec3 at = vec3(random_sign(&random), 0.5 * random_sign(&random), 3.0 + 0.4 * random_sign(&random));
            double speed = k % 50 == 0 ? 3.0 : 0.2;
            Vec3 v = vec3(speed * random_sign(&random), speed * random_sign(&random), speed * random_sign(&random));
            soil_add_particle(soil, at, v, 0.04 + 0.01 * random_sign(&random), 0, 1.0);
        }
        soil_begin_tick(soil, NULL, 0, H);
        const Particles *p = &soil->state.particles;
        int pairs = 0;
        for (int32_t i = 0; i < p->count; i++) {
            for (int32_t j = 0; j < i; j++) {
                Vec3 d = vec3(p->x[i] - p->x[j], p->y[i] - p->y[j], p->z[i] - p->z[j]);
                Vec3 u = vec3(p->vx[i] - p->vx[j], p->vy[i] - p->vy[j], p->vz[i] - p->vz[j]);
                double gap = vec3_length(d) - (double)p->radius[i] - (double)p->radius[j];
                int listed = times_listed(&soil->scratch.paper, i, j);
                assert_int_equal(listed, times_listed(&soil->scratch.paper, j, i));
                bool may_touch = gap<H * vec3_length(u), far = gap> 0.01 + 2.0 * H * vec3_length(u);
                assert_true(may_touch ? listed == 1 : listed <= (far ? 0 : 1));
                pairs += listed;
            }
        }
        assert_true(pairs > 1000);
        assert_int_equal(soil->scratch.paper.pair_count, pairs);
        soil_destroy(soil);
    }
}

static uint64_t hash_of_a_pour(SoilSolver solver, ParticleFriction friction, double adhesion, int threads)
{
    SceneParams scene = paper_scene();
    scene.particles.error_reduction = 0.5;
    scene.particles.friction = friction;
    scene.soils[0].contact_adhesion = adhesion;
    Soil *soil = make_soil(&scene, solver, threads);
    ToolShape shape = box_shape(1.4, 1.4, 1.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    add_lattice(soil, vec3(-0.6, -0.6, 3.05), 12, 14, 0.104, 0.05, 1.0); // more than PAPER_PARALLEL
    for (int t = 0; t < 40; t++) {
        tick(soil, &box, 1, 1);
    }
    uint64_t hash = hash_soil(soil);
    soil_destroy(soil);
    return hash;
}

TEST(threads_change_no_bit)
{
    const int threads[] = {2, 3, 4, 8};
    for (int n = 0; n < 4; n++) {
        SoilSolver solver = n == 3 ? SOIL_SOLVER_GS : SOIL_SOLVER_P2;
        ParticleFriction friction = n == 1 ? PARTICLE_FRICTION_MACKLIN : PARTICLE_FRICTION_COULOMB;
        double adhesion = n == 2 ? 2e3 : 0.0;
        uint64_t one = hash_of_a_pour(solver, friction, adhesion, 1);
        for (int k = 0; k < 4; k++) {
            assert_true(one == hash_of_a_pour(solver, friction, adhesion, threads[k]));
        }
    }
}

/// One iteration by every instruction set that this processor has, on a heap under way.
TEST(instruction_sets_change_no_bit)
{
    SceneParams scene = paper_scene();
    scene.soils[0].contact_adhesion = 500.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_P2, 1);
    ToolShape shape = box_shape(1.0, 1.0, 1.0);
    SoilTool box = box_tool(&shape, vec3(0, 0, 3));
    add_lattice(soil, vec3(-0.4, -0.4, 3.05), 8, 9, 0.104, 0.05, 1.0);
    for (int t = 0; t < 60; t++) {
        tick(soil, &box, 1, 1);
    }
    const Paper *paper = &soil->scratch.paper;
    size_t bytes = (size_t)paper->capacity * sizeof paper->shift[0][0];
    float(*first)[4] = aligned_alloc(64, (bytes + 127) / 64 * 64),
    (*second)[4] = aligned_alloc(64, (bytes + 127) / 64 * 64);
    assert_non_null(first);
    assert_non_null(second);
    for (int n = 0; n < 3; n++) {
        PaperStep step = {
            .error_reduction = 0.5F, .static_ratio = 1.2F, .macklin = n == 1, .simple = n == 0, .friction = 0.4F};
        const float(*from)[4] = (const float(*)[4])paper->shift[0];
        const PaperKernel *wide[] = {__builtin_cpu_supports("avx2") ? &paper_kernel_avx2 : NULL,
                                     __builtin_cpu_supports("avx512f") ? &paper_kernel_avx512 : NULL};
        for (int k = 0; k < 2; k++) {
            memset(first, 0, bytes);
            memset(second, 0, bytes);
            paper_kernel_baseline.average(paper, &step, from, first, 0, paper->batch_count);
            if (wide[k] != NULL) {
                wide[k]->average(paper, &step, from, second, 0, paper->batch_count);
                assert_memory_equal(first, second, (size_t)soil->state.particles.count * sizeof *first);
            }
        }
    }
    free(first);
    free(second);
    soil_destroy(soil);
}

static double fastest_of(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double square = 0.0;
    for (int k = 0; k < p.count; k++) {
        square = fmax(square, p.vx[k] * p.vx[k] + p.vy[k] * p.vy[k] + p.vz[k] * p.vz[k]);
    }
    return sqrt(square);
}

/// Grains that overlap by half their diameter, and two in one place: no faster than the overlap in a step.
TEST(overlaps_stay_bounded)
{
    for (int n = 0; n < 2; n++) {
        SceneParams scene = paper_scene();
        Soil *soil = make_soil(&scene, both[n], 1);
        add_lattice(soil, vec3(0, 0, 0.5), 5, 5, 0.05, 0.05, 1.0);
        soil_add_particle(soil, vec3(2, 2, 2), vec3(0, 0, 0), 0.05, 0, 1.0);
        soil_add_particle(soil, vec3(2, 2, 2), vec3(0, 0, 0), 0.05, 0, 1.0);
        double fastest = 0.0;
        for (int t = 0; t < 120; t++) {
            tick(soil, NULL, 0, 1);
            fastest = fmax(fastest, fastest_of(soil));
            assert_true(soil_is_finite(soil));
        }
        assert_true(fastest < 4.0 * 0.1 / H);
        Vec3 apart = vec3_sub(place_of(soil, 125), place_of(soil, 126));
        assert_true(vec3_length(apart) > 0.09);
        soil_destroy(soil);
    }
}

TEST(hardly_any_grains)
{
    for (int n = 0; n < 4; n++) {
        SceneParams scene = paper_scene();
        Soil *soil = make_soil(&scene, both[n % 2], 3);
        if (n >= 2) {
            soil_add_particle(soil, vec3(0.3, -0.2, 0.5), vec3(1, 0, 0), 0.05, 0, 1.0);
        }
        for (int t = 0; t < 120; t++) {
            tick(soil, NULL, 0, 2);
        }
        SoilParticleView p = soil_get_particles(soil);
        assert_int_equal(p.count, n / 2);
        assert_true(soil_is_finite(soil));
        assert_true(p.count == 0 || (p.z[0] > 0.03 && p.z[0] < 0.05)); // it lies on the ground
        soil_destroy(soil);
    }
}

/// A grain of a tonne on grains of a kilogramme: poor, but finite and bounded.
TEST(masses_far_apart)
{
    for (int n = 0; n < 2; n++) {
        SceneParams scene = paper_scene();
        scene.particles.error_reduction = 0.5;
        Soil *soil = make_soil(&scene, both[n], 1);
        ToolShape shape = box_shape(0.9, 0.9, 1.0);
        SoilTool box = box_tool(&shape, vec3(0, 0, 3));
        add_lattice(soil, vec3(-0.35, -0.35, 3.05), 8, 3, 0.101, 0.05, 1.0);
        soil_add_particle(soil, vec3(0, 0, 3.5), vec3(0, 0, -1.0), 0.05, 0, 1000.0);
        double highest = 0.0;
        for (int t = 0; t < 180; t++) {
            tick(soil, &box, 1, 1);
            assert_true(soil_is_finite(soil));
            SoilParticleView p = soil_get_particles(soil);
            for (int k = 0; k < p.count; k++) {
                highest = fmax(highest, p.z[k]);
            }
        }
        assert_true(highest < 5.0);
        assert_true(fastest_of(soil) < 3.0);
        soil_destroy(soil);
    }
}

TEST_GROUP(NULL, NULL)
