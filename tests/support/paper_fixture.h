/// Small scenes of the published solvers.
#ifndef SPADEWORK_TESTS_PAPER_FIXTURE_H
#define SPADEWORK_TESTS_PAPER_FIXTURE_H

#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

#define H (1.0 / 60.0)

/// Sand as the published solvers run it: one step of 1/60 s with 10 iterations, no error reduction, grains stay grains.
static inline SceneParams paper_scene(void)
{
    SceneParams scene = sand_scene();
    scene.rates.substeps = 1;
    scene.particles.iterations = 10;
    scene.particles.error_reduction = 0.0;
    scene.particles.static_ratio = 1.0;
    scene.particles.persistent = true;
    return scene;
}

static inline void tick(Soil *soil, const SoilTool *tools, int count, int substeps)
{
    Wrench wrenches[SOIL_MAX_TOOLS];
    soil_begin_tick(soil, tools, count, H);
    for (int k = 0; k < substeps; k++) {
        soil_substep(soil, tools, count, H / substeps, wrenches);
    }
    soil_end_tick(soil, tools, count);
}

/// The particle with an id: the order changes from tick to tick.
static inline int index_of(const SoilParticleView *p, uint32_t id)
{
    for (int k = 0; k < p->count; k++) {
        if (p->id[k] == id) {
            return k;
        }
    }
    fail_msg("particle %u is gone", id);
    return -1;
}

static inline Vec3 place_of(const Soil *soil, uint32_t id)
{
    SoilParticleView p = soil_get_particles(soil);
    int k = index_of(&p, id);
    return vec3(p.x[k], p.y[k], p.z[k]);
}

static inline Vec3 velocity_of(const Soil *soil, uint32_t id)
{
    SoilParticleView p = soil_get_particles(soil);
    int k = index_of(&p, id);
    return vec3(p.vx[k], p.vy[k], p.vz[k]);
}

static const SoilSolver both[] = {SOIL_SOLVER_P2, SOIL_SOLVER_GS};

/// side x side x layers grains on a lattice with sideways jitter.
static inline void add_lattice(Soil *soil, Vec3 corner, int side, int layers, double step, double radius, double mass)
{
    unsigned random = 4711;
    for (int k = 0; k < side * side * layers; k++) {
        double jitter[2];
        for (int a = 0; a < 2; a++) {
            random = random * 1664525u + 1013904223u;
            jitter[a] = ((double)(random >> 8) / 16777216.0 - 0.5) * 0.1 * radius;
        }
        Vec3 at = vec3(corner.x + (k % side) * step + jitter[0], corner.y + (k / side % side) * step + jitter[1],
                       corner.z + (k / (side * side)) * step);
        assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), radius, 0, mass) >= 0);
    }
}

#endif
