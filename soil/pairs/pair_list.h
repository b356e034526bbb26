/// The list of contacts the default solver works on: pairs of particles, and particles on the ground.
///
/// Arrays by field, in batches of BATCH contacts that share no particle, so that a batch may be solved by 4, 8 or 16
/// lanes at once with one result. Batches belong to blocks of cells, blocks to colours (neighbours.h). The list is part
/// of the state: the order of Gauss-Seidel is the order of the list. A pair keeps its place until one of its two has
/// moved so far that others may touch it (pair_update.h); then it is dropped, or stays, and new ones are put where a
/// batch of a block has room. Blocks keep some batches empty for that.
///
/// Blocks of one colour share no particle: a pair may stand in a block only if both lie nearer to the block's square
/// than PAIR_BLOCK_REACH cells when the pair is listed, and again whenever one of the two is looked at anew. Between
/// two looks a particle moves less than an eighth of a cell, and squares of one colour are four cells apart.
///
/// The law of a contact, its symbols and its sources: contact_law.h.
///
/// A contact remembers its whole lambda, lambda n + lambda_t, and no more: the parts follow from the normal of the
/// day. (A pair that turns by an angle t shifts t lambda from one part to the other, a compression over a diameter of
/// what its shear changes.) A substep starts with the lambdas of the last one, which the particles' rows keep. When it
/// comes to a contact, one visit ends the last substep, looks where the particles are, and relaxes. A block in which
/// nothing changed by more than CONTACT_REVISIT_THRESHOLD is not visited again.
#ifndef SPADEWORK_SOIL_PAIR_LIST_H
#define SPADEWORK_SOIL_PAIR_LIST_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/schema/scene_params.h"
#include "soil/grains/neighbours.h"
#include "soil/grains/particles.h"
#include "soil/law/contact_law.h"
#include "soil/parallel/team.h"

enum { BATCH = 16, PAIRS_PER_PARTICLE = 16 };
/// Bits of a contact: it has touched; it is a bond; it was one, or joins what was cut out of undisturbed ground.
enum { CONTACT_TOUCHED = 1, CONTACT_BONDED = 2, CONTACT_CUT = 4 };
enum { PAIR_WHOLE = 65535 };
/// Those of the blocks of cells, and the last: one block of the pairs that were found within a tick.
enum { PAIR_COLOURS = NEIGHBOUR_COLOURS + 1 };
/// Squares that touch that of a block.
enum { PAIR_TURN_BESIDE = 8 };
/// Most batches of late pairs: with more, the list is made anew.
enum { LATE_BATCHES = 128 };

/// A particle that is looked at may move half of PAIR_SKIN nominal radii, or more if it is on its way (pair_slack),
/// until it is looked at again: its slack. Pairs are listed when their gap is below the slack of both, and what they
/// may close in the tick at PAIR_APPROACH times their relative speed. Chosen; see test_soil_pairs.
#define PAIR_SKIN     0.1
#define PAIR_APPROACH 1.2
/// A particle gets as much more slack as it goes in so many ticks, up to PAIR_MOST_SLACK nominal radii in all. Chosen:
/// more slack finds more pairs that never meet, less is sooner used up.
#define PAIR_SLACK_TICKS 3.0
#define PAIR_MOST_SLACK  0.3
/// Cells: so near to a block's square lie both particles of its pairs.
#define PAIR_BLOCK_REACH 1.875
/// Cells are wider than the largest particle by so many radii; faster pairs are looked for two cells away. Chosen.
#define PAIR_CELL_SKIN 0.4

/// State. X(type, name): [batches * BATCH].
#define PAIR_FIELDS(X)                                                                                                 \
    X(int32_t, i) /* particle, or the row `capacity`: nothing */                                                       \
    X(int32_t, j) /* the same; of ground contacts always nothing */                                                    \
    X(float, lambda_x) /* N s2, on i */                                                                                \
    X(float, lambda_y)                                                                                                 \
    X(float, lambda_z)                                                                                                 \
    X(float, rest) /* m: gap without force (soil appears without stored energy) */                                     \
    X(uint16_t, strength) /* PAIR_WHOLE..0: what sliding has left of a bond, what pressure gave a broken one */        \
    X(uint8_t, flags) /* CONTACT_* */

/// Of a batch of ground contacts alone, made anew in each tick.
typedef struct GroundBatch {
    _Alignas(64) float normal_x[BATCH]; ///< of the plane, up
    float normal_y[BATCH], normal_z[BATCH];
    float plane[BATCH]; ///< m: gap of a particle in the place below
    float drift_x[BATCH], drift_y[BATCH], drift_z[BATCH]; ///< m/s: of the plane, in a tray that moves
    int32_t base_x[BATCH], base_y[BATCH], base_z[BATCH]; ///< as Row.x: where the plane was taken
    float compliance[BATCH]; ///< m/N: 1/k
    float relaxation[BATCH]; ///< s: c/k
    float friction[BATCH]; ///< mu, of a bond, too
    float adhesion[BATCH]; ///< N: pull-off force of an intact bond
    float remoulded[BATCH]; ///< N: pull-off force of a mere touch
    float rebonded_strength[BATCH]; ///< 0..1: most strength that pressure gives
    float strength_per_force[BATCH]; ///< 1/N: strength that pressure gives
    uint8_t tray[BATCH]; ///< 1 + index; 0: the site
} GroundBatch;

typedef struct PairArrays {
#define X(type, name) type *name;
    PAIR_FIELDS(X)
#undef X
} PairArrays;

/// Takes arrays for so many contacts as one piece, which begins with `i`; bytes that they take.
PairArrays pair_arrays_take(Scratch *scratch, const char *name, size_t contacts);
size_t pair_arrays_room(size_t contacts);

/// The ContactMaterial of two soils at radii of 1 m, as the lanes take it. The second column says how it goes to other
/// radii: R = 1/ri + 1/rj, r the smaller radius. The lanes gather it by fours.
typedef struct PairMaterial {
    _Alignas(64) float compliance; ///< m/N x R m: 1 / k
    float damping; ///< twice the damping ratio
    float friction; ///< mu
    float bond_friction; ///< mu while the bond holds
    float adhesion; ///< N x r^2 / m^2: pull-off force
    float remoulded; ///< share of it that a mere touch holds
    float wear; ///< 1/m: share of its strength that a bond loses as it slides
    float rebonded_strength; ///< 0..1: most strength that pressure gives
    float strength_per_force; ///< 1/N x m^2 / r^2: strength that pressure gives
} PairMaterial;

/// Of a batch: no particle sleeps; some contacts are of one that sleeps and one that is awake; both of all sleep.
enum { PAIR_FREE, PAIR_HELD, PAIR_ASLEEP };
/// Kind of a batch whose contacts are not all of two soils alike.
enum { PAIR_MIXED = 255 };

typedef struct PairList {
    int32_t batches, capacity; ///< capacity in batches
    void *memory; ///< of all arrays
    bool holds; ///< scratch: some of the particles sleep
    bool stale; ///< State: particles came or went, or the list never was: it only remembers
#define X(type, name) type *name;
    PAIR_FIELDS(X)
#undef X
    GroundBatch *ground; ///< [batches] of ground contacts; else NULL
    uint8_t *awake; ///< [batches] scratch: 1 when a contact may touch; else the batch is not visited
    uint8_t *used; ///< [batches] contacts in a batch; the rest is padding
    uint8_t *held; ///< [batches] scratch, where it holds: PAIR_FREE, PAIR_HELD or PAIR_ASLEEP
    uint8_t *kind; ///< [batches] scratch: pair_list_kind() of its contacts, or PAIR_MIXED
    PairMaterial materials[SCENE_MAX_SOILS * SCENE_MAX_SOILS]; ///< a x SCENE_MAX_SOILS + b, in both orders
    const uint8_t *soils; ///< of the particles
    /// State: which batches belong to which block, and which blocks to which colour.
    int32_t block_count, block_capacity;
    int32_t block_room; ///< blocks that the arrays below have room for
    int32_t *block_first; ///< [block_count + 1]
    int32_t *block_x, *block_y; ///< [block_count] square of each, in squares; of the last not used
    int32_t *block_contacts, *block_batches; ///< [block_count] that touched when it was sorted (pair_batches_sort)
    double cell; ///< m: side of the cells that the blocks are made of
    int32_t looks; ///< at particles since the list was made anew
    int32_t turn; ///< of the blocks that drop what has come apart (pair_update.c)
    int32_t *block_particle; ///< [block_count + 1] scratch: first particle of each, only to share the work
    TeamPart *block_found; ///< [block_count] scratch: its pairs as they were found, while the list is made
    int32_t *block_load; ///< [block_count + 1] scratch: work of all blocks before, only to share it
    int32_t colour_first[PAIR_COLOURS + 1]; ///< blocks
    /// Scratch: whose turn it is when members sweep over the blocks of cells together (pair_turns.h).
    uint32_t sweep; ///< number of the sweep
    int32_t *block_before; ///< [block_count][PAIR_TURN_BESIDE] blocks that come before each and may share particles; -1
    int32_t *block_urgency; ///< [block_count] work of each, and of what waits for it
    int32_t *block_owner; ///< [block_count] member
    int32_t *block_turn; ///< [block_count] blocks by owner and urgency
    int32_t turns_first[TEAM_MOST_MEMBERS + 1]; ///< of each owner
    atomic_uint *block_taken, *block_done; ///< [block_count] last sweep in which it was taken, and was through
} PairList;

/// The order of the two makes no difference.
static inline int pair_list_kind(int a, int b)
{
    return a < b ? a * SCENE_MAX_SOILS + b : b * SCENE_MAX_SOILS + a;
}

/// m: slack of particle i, which is looked at in a tick of `dt` s; `radius`: of a nominal particle.
static inline float pair_slack(double radius, const Particles *p, int32_t i, double dt)
{
    double speed = sqrt(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]);
    double slack = 0.5 * PAIR_SKIN * radius + PAIR_SLACK_TICKS * dt * speed, most = PAIR_MOST_SLACK * radius;
    return (float)(slack < most ? slack : most);
}

/// Length of a substep and what follows from it.
typedef struct PairStep {
    float h; ///< s; lambdas are force x h^2 and last: it must not change in a soil's life
    float fall; ///< m: g h^2, for contacts with what does not fall
    float swelling; ///< m: most that a rest gap closes in this substep without slip
    float creep; ///< m: the same of soil without cohesion that was cut
    float swelling_limit; ///< m: a contact pressed together more than that does not swell
    float contact_margin; ///< m: a gap that stays above it does not close in this substep
    float breaking_opening; ///< m: opening that breaks a bond
    float adhesive_separation; ///< m: opening that parts what sticks
    float dry_separation; ///< m: opening at which a contact that does not stick forgets
    float revisit_threshold; ///< m: a block whose lambdas move nothing by more is not visited again in this substep
    float hardening; ///< 1/m: friction grows by the root of this times a contact's compression
    float rebonding_rate; ///< share of what pressure may give a broken contact that it gains: once a tick, else 0
    float adhesive_friction_share; ///< of the adhesion, which holds against sliding
    bool first; ///< the tick's first: the rows hold no lambda yet
} PairStep;

/// What a batch is visited with once more in a substep: of each contact, in lanes.
typedef struct PairVisit {
    float normal_x[BATCH], normal_y[BATCH], normal_z[BATCH];
    float offset[BATCH]; ///< m: C + gamma (n.d + max(gap - rest, 0)) of the drift
    float slide_x[BATCH], slide_y[BATCH], slide_z[BATCH]; ///< m: tangential drift less the elastic shear at its start
    float tension[BATCH]; ///< N s2: pull of this substep
    float alpha[BATCH], gamma[BATCH], friction[BATCH];
} PairVisit;

/// Those of a block. One a thread.
typedef struct PairVisits {
    int32_t capacity; ///< batches
    PairVisit *batches;
} PairVisits;

/// What tells particles that have kept their velocity from others (pair_update.c).
typedef struct MotionCheck {
    const Row *rows; ///< [particles]
    const double *vx, *vy, *vz; ///< [particles] m/s at the tick's start
    float falling; ///< m/s that a particle has gained since if nothing holds it
    float least_change; ///< m2/s2: square of a difference that counts
    float slow; ///< m2/s2: square of a speed that does not count in a particle that was slow at the start
} MotionCheck;

/// One instruction set. Of ground contacts the second side is nothing, the geometry a plane.
typedef struct PairKernel {
    int lanes;
    /// Gives the rows the lambdas that contacts held at the end of the last tick.
    void (*begin)(const PairList *list, Row *rows, int32_t first, int32_t end);
    void (*begin_ground)(const PairList *list, Row *rows, int32_t first, int32_t end);
    /// Ends the last substep (bonds, what opened), begins the next and visits each contact once. True when a lambda
    /// changed by so much that another visit is worth it; what that needs is left in `visits`.
    bool (*renew)(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end);
    void (*renew_ground)(const PairList *list, Row *rows, const PairStep *step, int32_t first, int32_t end);
    /// One Gauss-Seidel visit more of the batches that were renewed last.
    void (*solve)(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end);
    /// v += move / h - h g, x += h v (P2 eq. 3) of the rows [first, end). The sum of the velocity is compensated:
    /// gravity adds up to what it is, however fast a particle falls. Places are whole steps.
    void (*advance)(Row *rows, double h, double gravity, int32_t first, int32_t end);
    SearchFunction *search;
    /// Writes those of particles [first, end) whose velocity has changed, now or before, to `changed`, in their order;
    /// it has room for end - first + SEARCH_LANES. Returns their number.
    int32_t (*find_changed)(const MotionCheck *check, int32_t first, int32_t end, int32_t *changed);
} PairKernel;

extern const PairKernel pair_kernel_baseline, pair_kernel_avx2, pair_kernel_avx512;
/// The kernel of `lanes` (4, 8, 16; 0 = the widest) that this processor can run; NULL when it cannot.
const PairKernel *pair_kernel_choose(int lanes);

bool pair_list_create(PairList *list, int32_t batches, int32_t blocks, bool ground);
void pair_list_destroy(PairList *list);
/// Room for so many blocks, up to block_capacity, whose arrays lie close together. What they held is lost.
void pair_list_reserve_blocks(PairList *list, int32_t blocks);
/// Gives the memory behind the last batch back to the system.
void pair_list_give_back(PairList *list);
void pair_list_clear(PairList *list); ///< no contacts, nothing remembered
int32_t pair_list_count(const PairList *list); ///< contacts
/// Batches of the largest block.
int32_t pair_list_largest_block(const PairList *list);
/// Makes the unused contacts of a batch harmless.
void pair_list_pad(PairList *list, int32_t batch, int32_t nothing);
/// Weighs the blocks, by the batches that were visited last.
void pair_list_weigh(PairList *list, Team *team);
/// What the contacts of a batch are made of.
void pair_list_set_kind(PairList *list, int32_t batch);
/// Counts `used` anew from the indices.
void pair_list_count_used(PairList *list, int32_t nothing);
/// Particles were removed, in whose order nothing else has changed: where[old] is the new index of each of `particles`,
/// or below 0. Their pairs are struck out.
void pair_list_forget_removed(PairList *list, const int32_t *where, int32_t particles, int32_t nothing);
/// The member of `members` whose share of the work a block of a colour is.
int pair_list_owner(const PairList *list, int colour, int32_t block, int members);
/// The block with a square, or -1.
int32_t pair_list_block_of(const PairList *list, int32_t x, int32_t y);
/// The block in whose square a place (m) lies, or -1.
int32_t pair_list_block_at(const PairList *list, double x, double y);
/// True when a particle at a place (m) may have pairs in a block.
bool pair_list_reaches(const PairList *list, int32_t block, double x, double y);
/// Makes a place for a pair in a block: the first batch that has room and neither of the two. The pair holds nothing
/// yet. Returns the place, or -1 without room.
int32_t pair_list_insert(PairList *list, int32_t block, int32_t i, int32_t j);
/// The same in the block of late pairs, which grows up to LATE_BATCHES. `nothing`: the row that stands for no particle.
int32_t pair_list_insert_late(PairList *list, int32_t i, int32_t j, int32_t nothing);
/// Strikes out contact k: the last of its batch takes its place.
void pair_list_strike(PairList *list, int32_t k, int32_t nothing);
/// Visits the state; after restoring, indices are checked against `particles` rows and what follows from them is still
/// to be made (pair_list_refresh).
void pair_list_visit(PairList *list, StateVisitor *visitor, int32_t particles, int32_t nothing);

/// Room for blocks of so many batches, and half as many more. False when there is no memory.
bool pair_visits_reserve(PairVisits *visits, int32_t batches);
void pair_visits_destroy(PairVisits *visits);

/// Sorts the contacts of a block into batches that share no particle.
///
/// A contact goes to the first batch that has room and holds neither of its two. Those that touch come first; those
/// that are only near fill the room that is left in their batches, where they cost nothing, and then batches of their
/// own, which are seldom visited.

/// What a contact's place is before it has one.
enum { PAIR_TOUCHES = -1, PAIR_NEAR = -2 };

/// Contacts [first, end) of i and j. place: PAIR_TOUCHES or PAIR_NEAR; out: batch * BATCH + lane, from 0. masks:
/// [particles] scratch. Returns the number of batches.
int32_t pair_batches_sort(const int32_t *i, const int32_t *j, int32_t *place, uint64_t *masks, int32_t first,
                          int32_t end);

/// Notes how tight a block is that was just sorted.
void pair_block_note(PairList *list, int32_t block);

/// Keeps the blocks of the list of pairs tight.
///
/// Those whose contacts have come to be spread over more batches than they need are sorted anew. Each block once in
/// PAIR_PRUNING_TICKS drops what has come apart without that one of the two was looked at.

/// Ticks in which each block once drops what has come apart. Chosen.
enum { PAIR_PRUNING_TICKS = 64 };

typedef struct PairTidying {
    PairList *list;
    const Particles *particles; ///< whose slack may become less
    double radius; ///< m: of a nominal particle
    double dt; ///< s: of the tick
    Team *team;
    Scratch *scratch;
} PairTidying;

/// Once a tick.
void pair_list_tidy(const PairTidying *with);

#endif
