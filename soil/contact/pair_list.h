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
///               |lambda_t| <= mu' max(lambda, 0) + SOIL_GRASP pull h^2 (Coulomb),
///               mu' = mu (1 + min(SOIL_HARDENING sqrt(compression / radius), 2)) (internal.h)
///   strength    pull = remoulded + S (pull of undisturbed soil - remoulded), of all contacts that have met
///   bonds       S falls evenly from 1 as the bond slides by L = contact_ductility x nominal radius; the bond is torn where S comes
///               down to the Sp of what presses it then, or at once, S = 0, when it opens by SOIL_TORN. It slides while
///               |lambda_t| is at its limit, against the force: dS = -max(-d.lambda_t, 0) / (|lambda_t| L), a sum over the bond's
///               life, so that it depends neither on the substep nor on the speed; but S is counted in PAIR_WHOLE, and what slides
///               by less than L / (2 PAIR_WHOLE) in a substep loses nothing
///   ground      bonds with the ground do not wear: under a wedge that is pushed along, the plane of slip eats into fresh ground
///   torn        soil that was remoulded keeps 1 / sensitivity of its strength (Skempton and Northey 1952), where it is one body again:
///               clods touch in points, which yield until they bear what presses (as on steel, contacts.h), and water films need time to
///               be squeezed out. Under a force N the contact may have
///               Sp = contact_kneaded min(1, N / (A qu)),  A = pi r^2,  qu = 2 c tan(45 + phi/2),
///               of the softer soil and the smaller grain. While S < Sp: dS/dt = (Sp - S) / SOIL_KNEADING, taken once a tick, so that it
///               depends neither on the substep nor on what S is counted in. It is not lost again until the contact has parted, by SOIL_STICKY. N / A is about the mean stress of a packing: s = v Z N / (4 pi r^2) with solid share
///               v = 0.6 and Z = pi / (1 - v) contacts (Rumpf 1958) is 1.2 N / A
/// lambda is force x h^2; every impulse is equal and opposite. alpha is at least SOIL_RESOLVED W.
///
/// A contact remembers its whole impulse, lambda n + lambda_t, and no more: the parts follow from the normal of the day. (A pair
/// that turns by an angle t shifts t lambda from one part to the other, a compression over a diameter of what its shear changes.)
/// A substep starts with the impulses of the last one, which the particles' rows keep. When it comes to a contact, one visit ends
/// the last substep, looks where the particles are, and relaxes. A block in which nothing changed by more than SOIL_CALM is not
/// visited again.
#ifndef SPADEWORK_SOIL_PAIR_LIST_H
#define SPADEWORK_SOIL_PAIR_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene_params.h"
#include "data/core/state_visitor.h"
#include "soil/grains/particle_row.h"
#include "soil/grains/neighbours.h"
#include "soil/grains/particles.h"
#include "soil/grains/search.h"

enum { BATCH = 16, PAIRS_PER_PARTICLE = 16 };
enum { CONTACT_TOUCHED = 1, CONTACT_BONDED = 2 };
enum { PAIR_WHOLE = 65535 };
/// Those of the blocks of cells, and the last: one block of the pairs that were found within a tick (pair_late.h).
enum { PAIR_COLOURS = NEIGHBOUR_COLOURS + 1 };

/// Share of what a particle slides by on the ground by which an overlap that it was born with closes at least: it climbs out of where it
/// appeared as far as it is sheared, however fast (27 degrees; densely packed soil dilates by up to 20 to 30). Pairs
/// do not: the soils' contacts are fitted without it (CALIBRATION.md), and direct shear of sand would rise by 1.6 degrees.
#define PAIR_CLIMB 0.5F
/// Radii: least slip that uses up a bond; soils may state none.
#define LEAST_DUCTILITY 1e-3

/// Least alpha of a contact over W: k h^2 W <= 2.2. Stiffer packings ring with two visits a substep (measured: README.md).
#define SOIL_RESOLVED 0.4545F

/// State. X(type, name): [batches * BATCH].
#define PAIR_FIELDS(X)                                                                                                 \
    X(int32_t, i) /* particle, or the row `capacity`: nothing */                                                       \
    X(int32_t, j) /* the same; of ground contacts always nothing */                                                    \
    X(float, impulse_x) /* N s2, on i */                                                                               \
    X(float, impulse_y)                                                                                                \
    X(float, impulse_z)                                                                                                \
    X(float, rest) /* m: gap without force (soil appears without stored energy) */                                     \
    X(uint16_t, strength) /* PAIR_WHOLE..0: what sliding has left of a bond, what pressure gave a torn contact */      \
    X(uint8_t, flags) /* CONTACT_* */

/// Of ground contacts alone, made anew in each tick.
#define GROUND_FIELDS(X)                                                                                               \
    X(float, normal_x) /* of the plane, up */                                                                          \
    X(float, normal_y)                                                                                                 \
    X(float, normal_z)                                                                                                 \
    X(float, plane) /* m: gap of a particle in the place below */                                                      \
    X(float, drift_x) /* m/s: of the plane, in a tray that moves */                                                    \
    X(float, drift_y)                                                                                                  \
    X(float, drift_z)                                                                                                  \
    X(uint8_t, tray) /* 1 + index; 0: the site */                                                                      \
    X(int32_t, base_x) /* as Row.x: where the plane was taken */                                                       \
    X(int32_t, base_y)                                                                                                 \
    X(int32_t, base_z)                                                                                                 \
    X(float, compliance) /* m/N: 1/k */                                                                                \
    X(float, relaxation) /* s: c/k */                                                                                  \
    X(float, friction) /* mu */                                                                                        \
    X(float, bond_friction) /* mu while the bond holds */                                                              \
    X(float, pull) /* N: force that tears an intact bond */                                                            \
    X(float, remoulded) /* N: force that tears a mere touch */                                                         \
    X(float, kneaded) /* most strength that pressure gives */                                                          \
    X(float, kneading) /* 1/N: strength that pressure gives */

typedef struct PairArrays {
#define X(type, name) type *name;
    PAIR_FIELDS(X)
#undef X
} PairArrays;

/// What contacts of two soils are made of.
typedef struct PairMaterial {
    float
        softness; ///< m2/N: compliance over the sum of the inverse radii; the bulk modulus does not depend on the radius
    float damping; ///< twice the damping ratio
    float friction; ///< mu
    float bond_friction; ///< mu while the bond holds
    float adhesion; ///< N/m2: pull-off force over the square of the smaller radius
    float remoulded; ///< share of it that a mere touch holds
    float wear; ///< 1/m: share of its strength that a bond loses as it slides
    float kneaded; ///< most strength that pressure gives
    float kneading; ///< m2/N: strength that pressure gives, times the square of the smaller radius
} PairMaterial;

/// Kind of a batch whose contacts are not all of two soils alike.
enum { PAIR_MIXED = 255 };

typedef struct PairList {
    int32_t batches, capacity; ///< capacity in batches
    bool stale; ///< State: particles came or went, or the list never was: it only remembers
#define X(type, name) type *name;
    PAIR_FIELDS(X)
    GROUND_FIELDS(X)
#undef X
    PairArrays old; ///< scratch of a rebuild: the list that was
    uint8_t *awake; ///< [batches] scratch: 1 when a contact may touch; else the batch is not visited
    uint8_t *used; ///< [batches] contacts in a batch; the rest is padding
    uint8_t *kind; ///< [batches] scratch: pair_list_kind() of its contacts, or PAIR_MIXED
    PairMaterial materials[SCENE_MAX_SOILS * SCENE_MAX_SOILS]; ///< by pair_list_kind()
    const uint8_t *soils; ///< of the particles
    /// State: which batches belong to which block, and which blocks to which colour.
    int32_t block_count, block_capacity;
    int32_t *block_first; ///< [block_count + 1]
    int32_t *block_particle; ///< [block_count + 1] scratch: first particle of each, only to share the work
    int32_t *block_load; ///< [block_count + 1] scratch: work of all blocks before, only to share it
    int32_t colour_first[PAIR_COLOURS + 1]; ///< blocks
} PairList;

/// The order of the two makes no difference.
static inline int pair_list_kind(int a, int b)
{
    return a < b ? a * SCENE_MAX_SOILS + b : b * SCENE_MAX_SOILS + a;
}

/// Length of a substep and what follows from it.
typedef struct PairStep {
    float h; ///< s; impulses are force x h^2 and last: it must not change in a soil's life
    float fall; ///< m: g h^2, for contacts with what does not fall
    float swelling; ///< m: most that a rest gap closes in this substep
    float squeeze; ///< m: a contact pressed together more than that does not swell: swelling does no work on a load
    float nearness; ///< m: a gap that stays above it does not close in this substep
    float torn; ///< m: opening that breaks a bond
    float sticky; ///< m: opening that parts what sticks
    float parted; ///< m: opening at which a contact that does not stick forgets
    float calm; ///< m: a block whose impulses move nothing by more is not visited again in this substep
    float hardening; ///< 1/m: friction grows by the root of this times a contact's compression
    float kneading; ///< share of what pressure may give a torn contact that it gains, once a tick
    float grasp; ///< share of the pull that holds against sliding
    bool first; ///< the tick's first: the rows hold no impulse yet
} PairStep;

/// What a block's contacts are visited with once more in a substep, X(name): [lanes of the largest block]. One a thread.
#define PAIR_VISIT_FIELDS(X)                                                                                           \
    X(normal_x)                                                                                                        \
    X(normal_y)                                                                                                        \
    X(normal_z)                                                                                                        \
    X(offset) /* m: C + gamma (n.d + max(gap - rest, 0)) of the drift */                                               \
    X(slide_x) /* m: tangential drift less the elastic shear at the substep's start */                                 \
    X(slide_y)                                                                                                         \
    X(slide_z)                                                                                                         \
    X(tension) /* N s2: pull of this substep */                                                                        \
    X(alpha)                                                                                                           \
    X(gamma)                                                                                                           \
    X(friction)

typedef struct PairVisits {
    int32_t capacity; ///< batches
#define X(name) float *name;
    PAIR_VISIT_FIELDS(X)
#undef X
} PairVisits;

/// One instruction set. Of ground contacts the second side is nothing, the geometry a plane.
typedef struct PairKernel {
    int lanes;
    /// Gives the rows the impulses that contacts held at the end of the last tick.
    void (*begin)(const PairList *list, Row *rows, int32_t first, int32_t end);
    void (*begin_ground)(const PairList *list, Row *rows, int32_t first, int32_t end);
    /// Ends the last substep (bonds, what opened), begins the next and visits each contact once. True when an impulse changed by so
    /// much that another visit is worth it; what that needs is left in `visits`.
    bool (*renew)(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end);
    void (*renew_ground)(const PairList *list, Row *rows, const PairStep *step, int32_t first, int32_t end);
    /// One Gauss-Seidel visit more of the batches that were renewed last.
    void (*solve)(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end);
    /// v += move / h - h g, x += h v (P2 eq. 3) of the rows [first, end). The sum of the velocity is compensated: gravity adds up to
    /// what it is, however fast a particle falls. Places are whole steps.
    void (*advance)(Row *rows, double h, double gravity, int32_t first, int32_t end);
    SearchFunction *search;
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
/// Weighs the blocks, by the batches that were visited last.
void pair_list_weigh(PairList *list);
/// What the contacts of a batch are made of.
void pair_list_set_kind(PairList *list, int32_t batch);
/// Counts `used` anew from the indices.
void pair_list_count_used(PairList *list, int32_t nothing);
/// Particles were removed: where[old] is the new index, or below 0. The list then only remembers.
void pair_list_forget_removed(PairList *list, const int32_t *where, int32_t nothing);
/// Visits the state; after restoring, indices are checked against `particles` rows and what follows from them is still to be
/// made (pair_list_refresh).
void pair_list_visit(PairList *list, StateVisitor *visitor, int32_t particles, int32_t nothing);

/// Room for blocks of so many batches. False when there is no memory.
bool pair_visits_reserve(PairVisits *visits, int32_t batches);
void pair_visits_destroy(PairVisits *visits);

#endif
