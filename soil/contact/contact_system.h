/// What the stages of contacts work on: the parts of a soil that they touch, and what they keep of a tick.
///
/// The room knows grains/, ground/ and the model below it. Who calls it lends it the parts (soil_parts.h); nothing here
/// is owned but by the soil that contains it.
#ifndef SPADEWORK_SOIL_CONTACT_SYSTEM_H
#define SPADEWORK_SOIL_CONTACT_SYSTEM_H

#include "data/core/constants.h"
#include "soil/contact/body_contact.h"
#include "soil/contact/solver_body.h"
#include "soil/grains/neighbours.h"
#include "soil/grains/particles.h"
#include "soil/ground/grounds.h"
#include "soil/model.h"
#include "soil/pairs/pair_list.h"
#include "soil/parallel/scratch.h"
#include "soil/parallel/team.h"

/// Derived: which particles are listed as near the ground.
typedef struct GroundReach {
    uint64_t version; ///< sum of the grounds' versions when particles were marked
    bool known; ///< false: the list must be made from the marks
    int32_t late; ///< batches from there on were added within a tick: they do not come by particle
} GroundReach;

/// Scratch of making a list of pairs and of bringing one up to date (pair_update.c).
typedef struct PairBuild {
    int32_t *raw_first, *raw_end; ///< [blocks] pairs of a block
    int32_t
        *head; ///< [particles] first contact, of those remembered or of the list, whose lower particle this is, or -1
    int32_t *raw_i, *raw_j; ///< borrowed from lambdas that are not in use: pairs as found
    int32_t *raw_slot; ///< [pairs] of each: place in the block, batch * BATCH + lane
    const PairArrays *old; ///< the list that was, see lay_aside
} PairBuild;

/// Derived: where the default solver is in its tick. Computed by solver.c.
typedef struct ContactTick {
    double elapsed, left; ///< s: since motion is counted, and to the end of the tick
    double last_h; ///< s: length of the substep before, 0 at the start of a tick
    int lists; ///< how often the pairs were listed anew in this tick
    int32_t looked; ///< particles whose pairs were looked for at its start, without those of a new list
    int32_t late; ///< particles that left their ways within it
    bool placed; ///< the grid holds the particles as they were at its start
    bool indexed; ///< the list's pairs can be found (pair_update.h)
    int32_t asleep; ///< particles that sleep in this tick
    bool held; ///< some of them have contacts with some that are awake
    Vec3 taken; ///< N s2: what those that sleep took beyond their balance in the last substep, and gave to the ground
    Row *rows; ///< [budget + 1] a piece of the scratch from the tick's first list to its end, else NULL
    float *deviation; ///< [particles] m: how far from its way the list lets each be; 0: it has kept its
        ///< velocity; -1: it was slow at the start, too. As the rows
} ContactTick;

typedef struct ContactSystem {
    const SoilModel *model;
    const Grounds *grounds;
    Particles *particles;
    /// State that contacts keep from tick to tick.
    ContactMemory *memory; ///< of contacts with bodies
    PairList *pairs; ///< of the default solver; its order is part of the state
    /// Derived in each tick.
    Neighbours *neighbours;
    Contacts *contacts;
    PairList *ground_contacts; ///< of the default solver: particles that may touch the ground
    GroundReach *ground_reach;
    ContactTick *tick;
    SolverBody *bodies; ///< [body_count] tools, then the walls of trays, then fixtures
    int body_count;
    /// Scratch.
    PairBuild *build;
    SearchPlaces *places; ///< while a list is made
    PairVisits *visits; ///< [model->threads]
    Team *team; ///< of model->threads members
    Scratch *scratch;
} ContactSystem;

#endif
