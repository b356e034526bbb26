/// Makes the list of pairs anew, or brings it up to date, particle by particle, at a tick's start.
///
/// A particle whose slack may be used up within the tick is due, and so is one that has just appeared: all that it may
/// meet is looked for. Pairs that it has still keep their places and what they remember; those that came apart are
/// struck out; new ones go to the block in whose square one of the two lies, or, where there is none or it has no room,
/// to the block of late pairs. The rest of the list is not touched, and particles keep their indices.
#ifndef SPADEWORK_SOIL_PAIR_UPDATE_H
#define SPADEWORK_SOIL_PAIR_UPDATE_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"
#include "soil/pairs/pair_list.h"

/// The list is made anew when more than PAIR_MOST_DUE of 4 particles are due: all of them together are found faster.
/// Chosen by counting instructions (tests/bench, `solve`).
enum { PAIR_MOST_DUE = 3 };
/// After so many searches a particle it is made anew too: particles that are near each other have then come to lie far
/// apart in memory, and batches hold gaps. Chosen.
enum { PAIR_LOOKS = 16 };
/// True when the list serves for a tick of `dt` s; false: it has to be made anew (pair_list_build), from what it
/// remembers. Marks what may touch the ground, too, among the particles it looked for.
bool pair_list_update(const ContactSystem *system, double dt);

/// m: side of the cells in which particles are looked for.
double pair_cell(const SoilModel *model, const ParticlesExtent *extent);
/// Finds which particles are in which cell. False without the memory: the tick has failed.
bool pair_place_particles(const ContactSystem *system);
/// Places of contacts that the list may come to have within a tick, with those of late pairs.
size_t pair_most_places(const PairList *list);

/// Finding the pairs of particles that may touch, and sorting them into batches (pair_list.h).

bool pair_build_create(PairBuild *build, int32_t pairs);
void pair_build_destroy(PairBuild *build);
/// Gives what a look has found back to the system.
void pair_build_give_back(PairBuild *build);
/// Bytes that the scratch memory must have for lists of so many contacts, beside what each stage says.
size_t pair_scratch_bytes(size_t particles, size_t contacts, int members);

/// Makes the list anew after neighbours_sort; what touching contacts remember goes over. `where`: [particle count] the
/// index that each old particle has now. `dt`: the tick, s.
void pair_list_build(const ContactSystem *system, const int32_t *where, double dt);
/// Material and padding of a restored list.
void pair_list_refresh(PairList *list, const SoilModel *model, const Particles *particles);

#endif
