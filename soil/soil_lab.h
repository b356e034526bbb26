/// Functions of a soil for tests, benchmarks and experiments alone. The trainer includes soil.h.
///
/// All of it is called from the thread that calls soil_begin_tick, and not between soil_begin_tick and soil_end_tick.
#ifndef SPADEWORK_SOIL_LAB_H
#define SPADEWORK_SOIL_LAB_H

#include "soil/soil.h"

/// Chooses the instruction set of the contact kernels: 4 (every processor), 8 (AVX2) or 16 (AVX-512) contacts at once;
/// 0, the default, is the widest that the processor has. All give the same bits. Returns false, and changes nothing,
/// when this processor cannot.
bool soil_set_lanes(Soil *soil, int lanes);

/// Sets the gravity that acts on the particles, m/s2, 0 or more, from the next tick on: for specimens so small in the
/// laboratory that their weight does not count. 9.81 after soil_create; not part of the state.
void soil_set_gravity(Soil *soil, double gravity);

/// Adds one particle to build a scene from: the only way mass enters a soil after its creation.
/// at, velocity  m and m/s, world
/// radius        m, above 0
/// soil_index    of the scene's soils
/// mass          kg, at least one quantum (SOIL_QUANTUM); rounded to whole quanta
/// Returns its index, or -1 when the particle budget is full.
int soil_add_particle(Soil *soil, Vec3 at, Vec3 velocity, double radius, int soil_index, double mass);

/// Takes away the ground above `height` (m, world z) in the column at (x, y): the only way mass leaves a soil. Returns
/// the kg taken.
double soil_remove_ground(Soil *soil, double x, double y, double height);

/// Begins an account of what changes the columns of the site, or begins it anew. Nothing in the simulation reads it,
/// and it is no part of the state: a restore leaves it as it is. Returns false when memory is short.
bool soil_keep_account(Soil *soil);

/// Returns what a cause did to each column of the site since soil_keep_account: [rows][columns] as in soil_get_grid,
/// the soil's; NULL when no account is kept.
const SoilAccountEntry *soil_get_account(const Soil *soil, SoilCause cause);

/// Turns all particles into undisturbed soil: in the next tick every contact becomes an intact bond with the soil's
/// whole adhesion. For specimens that are poured, loaded and then tested.
void soil_bond(Soil *soil);

#endif
