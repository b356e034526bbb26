/// Functions of a soil for tests and experiments alone: they build specimens from single particles, take ground
/// away, and choose gravity and the instruction set.
#include "soil/soil_lab.h"

#include <assert.h>
#include <string.h>

#include "soil/exchange/spawn.h"
#include "soil/soil_parts.h"

int soil_add_particle(Soil *soil, Vec3 at, Vec3 velocity, double radius, int soil_index, double mass)
{
    assert(radius > 0.0 && mass >= SOIL_QUANTUM && soil_index >= 0 && soil_index < soil->model.scene.soil_count);
    return spawn_loose_particle(&soil->state.particles, at, velocity, radius, soil_index, mass);
}

double soil_remove_ground(Soil *soil, double x, double y, double height)
{
    int row, column, soil_index;
    double loose;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    return (double)ground_cut(soil->state.grounds.site, row, column, height, &soil_index, &loose) * SOIL_QUANTUM;
}

bool soil_keep_account(Soil *soil)
{
    return ground_keep_account(soil->state.grounds.site);
}

const SoilAccountEntry *soil_get_account(const Soil *soil, SoilCause cause)
{
    const Ground *site = soil->state.grounds.site;
    return site->account == NULL ? NULL : &site->account[cause * (size_t)site->rows * (size_t)site->columns];
}

void soil_bond(Soil *soil)
{
    memset(soil->state.particles.newborn, PARTICLE_BORN, (size_t)soil->state.particles.count);
    memset(soil->state.particles.path, 0, (size_t)soil->state.particles.count * sizeof *soil->state.particles.path);
    memset(soil->state.particles.calm, 0, (size_t)soil->state.particles.count);
    soil->state.pairs.stale = true;
}

void soil_set_gravity(Soil *soil, double gravity)
{
    soil->model.gravity = gravity;
    memset(soil->state.particles.calm, 0, (size_t)soil->state.particles.count);
}

bool soil_set_lanes(Soil *soil, int lanes)
{
    const PairKernel *kernel = pair_kernel_choose(lanes);
    soil->model.kernel = kernel != NULL ? kernel : soil->model.kernel;
    return kernel != NULL;
}
