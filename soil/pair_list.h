/// The list of contacts the default solver works on: pairs of particles, and particles on the ground.
///
/// Arrays by field, in batches of BATCH contacts that share no particle, so that a batch may be solved by 4, 8 or 16 lanes at
/// once with one result. Batches belong to blocks of cells, blocks to colours (neighbours.h). The list is part of the state:
/// the order of Gauss-Seidel is the order of the list, and it is kept until particles have moved so far that others may touch.
///
/// One contact in relative displacements d since the substep's start (predicted drift plus what contacts added), with h the
/// substep, W the sum of the inverse masses, n the normal:
///   normal      C = gap - rest + n.d;  alpha = 1/(k h^2), gamma = c/(k h)
///               dlambda = -(C + alpha lambda + gamma (n.d + max(gap - rest, 0))) / ((1 + gamma) W + alpha),
///               lambda >= -pull h^2; the damper brakes only what is left of d after the two have met
///               (one step from lambda = 0 is the published spring-damper, P2 eq. 21 with m = 1/W)
///   tangential  s = d - n (n.d) - alpha_t lambda_t at the substep's start (the elastic shear is the anchor of Cundall and
///               Strack 1979);  dlambda_t = -(s + alpha_t lambda_t) / (W + alpha_t), k_t = 0.8 k,
///               |lambda_t| <= mu' max(lambda, 0) + pull h^2 (Coulomb),
///               mu' = mu (1 + min(SOIL_HARDENING sqrt(compression / radius), 2)) (internal.h)
/// lambda is force x h^2; every impulse is equal and opposite. alpha is at least SOIL_RESOLVED W.
///
/// A substep starts with the impulses of the last one, which the particles' rows keep, and turns each with its contact when it
/// comes to it: one visit ends the last substep, looks where the particles are, and relaxes. A block in which nothing changed
/// by more than SOIL_CALM is not visited again.
#ifndef SPADEWORK_SOIL_PAIR_LIST_H
#define SPADEWORK_SOIL_PAIR_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "data/state_visitor.h"
#include "soil/neighbours.h"
#include "soil/particles.h"

enum { BATCH = 16, PAIRS_PER_PARTICLE = 16 };
enum { CONTACT_TOUCHED = 1, CONTACT_BONDED = 2 };

/// Least alpha of a contact over W: k h^2 W <= 2.2. Stiffer packings ring with two visits a substep (measured: README.md).
#define SOIL_RESOLVED 0.4545F

/// State. X(type, name): [batches * BATCH].
#define PAIR_STATE_FIELDS(X)                                                                                           \
    X(int32_t, i) /* particle, or the row `capacity`: nothing */                                                       \
    X(int32_t, j) /* the same; of ground contacts always nothing */                                                    \
    X(int32_t, flags) /* CONTACT_* */                                                                                  \
    X(float, lambda) /* N s2 */                                                                                        \
    X(float, rest) /* m: gap without force (soil appears without stored energy) */                                     \
    X(float, force_x) /* N s2: tangential multiplier */                                                                \
    X(float, force_y)                                                                                                  \
    X(float, force_z)

/// Scratch that follows from the particles.
#define PAIR_MATERIAL_FIELDS(X)                                                                                        \
    X(float, compliance) /* m/N: 1/k */                                                                                \
    X(float, relaxation) /* s: c/k */                                                                                  \
    X(float, friction) /* mu */                                                                                        \
    X(float, pull) /* N: force that tears an intact bond */                                                            \
    X(float, remoulded) /* N: force that tears a mere touch */

/// Scratch that is made anew in each tick or substep.
#define PAIR_SCRATCH_FIELDS(X)                                                                                         \
    X(float, start_x) /* m: x_i - x_j at the tick's start; of ground contacts the normal */                            \
    X(float, start_y)                                                                                                  \
    X(float, start_z)                                                                                                  \
    X(float, normal_x) /* towards particle i */                                                                        \
    X(float, normal_y)                                                                                                 \
    X(float, normal_z)                                                                                                 \
    X(float, offset) /* m: C + gamma (n.d + max(gap - rest, 0)) of the drift */                                        \
    X(float, slide_x) /* m: tangential drift less the elastic shear at the substep's start */                          \
    X(float, slide_y)                                                                                                  \
    X(float, slide_z)                                                                                                  \
    X(float, tension) /* N s2: pull of this substep */                                                                 \
    X(float, spare) /* for a rebuild */

typedef struct PairList {
    int32_t batches, capacity; ///< capacity in batches
    bool stale; ///< State: particles came or went, or the list never was: it only remembers
#define X(type, name) type *name;
    PAIR_STATE_FIELDS(X)
    PAIR_MATERIAL_FIELDS(X)
    PAIR_SCRATCH_FIELDS(X)
#undef X
    uint8_t *
        awake; ///< [batches] scratch: 1 from the substep on in which a contact may touch, to the tick's end; else it is not visited
    uint8_t *used; ///< [batches] contacts in a batch; the rest is padding
    float *plane; ///< [batches * BATCH] of ground contacts: gap when the particle has not moved in this tick
    /// State: which batches belong to which block, and which blocks to which colour.
    int32_t block_count, block_capacity;
    int32_t *block_first; ///< [block_count + 1]
    int32_t *block_particle; ///< [block_count + 1] scratch: first particle of each, only to share the work
    int32_t colour_first[NEIGHBOUR_COLOURS + 1]; ///< blocks
} PairList;

/// Particles as the kernels see them, rows of four floats; row `capacity` is nothing: it never moves,
/// and its radius is negative.
typedef struct Motion {
    float (*shift)[4]; ///< x, y, z: m since the tick's start; radius
    float (*speed)[4]; ///< m/s at the substep's start, inverse mass
    float (*carry)[4]; ///< m/s: what the roundings of `speed` have added (Kahan): subtract it for the velocity
    float (*move)
        [4]; ///< m: what contacts add in this substep; inverse mass. A substep starts with what the last one ended with
} Motion;

/// Length of a substep and what follows from it.
typedef struct PairStep {
    float h; ///< s; multipliers are force x h^2 and last: it must not change in a soil's life
    float fall; ///< m: g h^2, for contacts with what does not fall
    float swelling; ///< m: most that a rest gap closes in this substep
    float squeeze; ///< m: a contact pressed together more than that does not swell: swelling does no work on a load
    float nearness; ///< m: a gap that stays above it does not close in this substep
    float torn; ///< m: opening that breaks a bond and parts what sticks
    float sheared; ///< m: elastic shear, with the slip of one substep, that breaks a bond
    float parted; ///< m: opening at which a contact that does not stick forgets
    float calm; ///< m: a block whose impulses move nothing by more is not visited again in this substep
    float hardening; ///< 1/m: friction grows by the root of this times a contact's compression
    bool first; ///< the tick's first: nothing is to be finished
} PairStep;

/// One instruction set. `ground`: the second side is nothing, the geometry a plane.
typedef struct PairKernel {
    int lanes;
    /// Begins the first substep of a tick: geometry, first impulses.
    void (*begin)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    void (*begin_ground)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    /// Ends the last substep (bonds, what opened), begins the next and visits each contact once. True when an impulse changed by so
    /// much that another visit is worth it.
    bool (*renew)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    bool (*renew_ground)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    /// One Gauss-Seidel visit of each contact.
    void (*solve)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    void (*solve_ground)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    /// Ends the tick's last substep.
    void (*finish)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
    void (*finish_ground)(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end);
} PairKernel;

extern const PairKernel pair_kernel_baseline, pair_kernel_avx2, pair_kernel_avx512;
/// The kernel of `lanes` (4, 8, 16; 0 = the widest) that this processor can run; NULL when it cannot.
const PairKernel *pair_kernel_choose(int lanes);

bool pair_list_create(PairList *list, int32_t batches, int32_t blocks, bool ground);
void pair_list_destroy(PairList *list);
void pair_list_clear(PairList *list); ///< no contacts, nothing remembered
int32_t pair_list_count(const PairList *list); ///< contacts
/// Makes the unused contacts of a batch harmless.
void pair_list_pad(PairList *list, int32_t batch, int32_t nothing);
/// Counts `used` anew from the indices.
void pair_list_count_used(PairList *list, int32_t nothing);
/// Particles were removed: where[old] is the new index, or below 0. The list then only remembers.
void pair_list_forget_removed(PairList *list, const int32_t *where, int32_t nothing);
/// Visits the state; after restoring, indices are checked against `particles` rows and what follows from them is still to be
/// made (pair_list_refresh).
void pair_list_visit(PairList *list, StateVisitor *visitor, int32_t particles, int32_t nothing);

#endif
