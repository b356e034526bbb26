/// Arrays and steps of the published solvers (p2 and gs). Nothing of it lasts beyond a tick.
///
/// Symbols as in Parallel Particles (D. Holz, VRIPHYS 2014, "P2"): x position at the start of a step, p predicted and
/// then corrected position, w inverse mass, n contact normal towards particle i, h step. Positions are kept as
/// displacements p - x, so that single precision is enough wherever on the site a particle lies.
#ifndef SPADEWORK_SOIL_PAPER_H
#define SPADEWORK_SOIL_PAPER_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/contact/contact_system.h"
#include "soil/tool/bearing.h"

enum {
    PAPER_CHUNK = 256, ///< particles that share one stretch of `list`; also the unit of work of a thread
    PAPER_BATCH = 16, ///< particles that are solved side by side, a lane each
    PAPER_NEIGHBOURS = 32, ///< room in a stretch for so many neighbours a particle, on average over the chunk
    PAPER_PARALLEL = 1000, ///< below so many particles one thread is faster
};

/// One neighbour of each particle of a batch, a lane each. A lane without one has its neighbour far away.
typedef struct PaperRow {
    int32_t other[PAPER_BATCH]; ///< particle j, or the row `capacity` of `shift`: nothing
    float start_x[PAPER_BATCH], start_y[PAPER_BATCH], start_z[PAPER_BATCH]; ///< m: x_i - x_j
    float stiffness[PAPER_BATCH], damping[PAPER_BATCH]; ///< k'_pb and c'_pb of eq. 28
    float share[PAPER_BATCH]; ///< w_i / (w_i + w_j)
} PaperRow;

/// The rest of a row, where particles are of several soils or have adhesion: what is not read need not be fetched.
typedef struct PaperSoilRow {
    float friction[PAPER_BATCH]; ///< kinetic, mu_k
    float pull[PAPER_BATCH]; ///< m: lambda_a of the largest contact surface (eqs. 34-36)
    float inverse_radius[PAPER_BATCH]; ///< 1/m: of the smaller of the two
} PaperSoilRow;

/// One pair, for gs.
typedef struct PaperPair {
    int32_t i, j;
    float start[3], stiffness, damping, friction, pull, inverse_radius, share_i, share_j;
} PaperPair;

/// Contact of a particle with a plane: the ground, or a face of a body. Rows of four numbers, for lanes_gather.
typedef struct PaperFlat {
    _Alignas(16) float normal[3];
    float gap; ///< m: at the start of the step
    float other[3]; ///< m: displacement of the body's point, predicted and with what contacts added
    float share; ///< w_i / (w_i + w_body)
    float stiffness, damping, friction, pull;
    float correction[3]; ///< m: of the particle, by this contact, in this iteration
    float violated; ///< 1 when this iteration found it so, else 0
    float total[3]; ///< m: sum over the iterations of what was applied; of bodies only
    float inverse_radius;
    float predicted[3]; ///< m: displacement of the body's point
    int32_t i;
    int32_t body; ///< -1: the ground
    int32_t contact; ///< index of the body contact
} PaperFlat;

enum { PAPER_FLAT_ROWS = sizeof(PaperFlat) / (4 * sizeof(float)) };

/// A contact with a plane and the lane of the batch in which its particle is.
typedef struct PaperFlatLane {
    int32_t flat, lane;
} PaperFlatLane;

typedef struct Paper {
    int32_t capacity; ///< particles
    /// Lists of a tick.
    int32_t *list; ///< neighbours of all particles, chunk by chunk
    int32_t *found; ///< the same with every pair once, at the particle that found it
    int32_t *found_first, *found_count; ///< [capacity]
    int32_t *room; ///< [capacity] length of a particle's list when it is complete
    int32_t *first, *count; ///< [capacity] neighbours of particle i: list[first[i]] .. list[first[i] + count[i] - 1]
    int32_t pair_count; ///< each pair counted once
    /// Batches of a tick: particles of one chunk with like numbers of neighbours stand together.
    int32_t *member; ///< [batches * PAPER_BATCH] particle, or `capacity`: none
    int32_t *row_first; ///< [batches + 1] rows of a batch
    int32_t batch_count, row_capacity;
    /// Of one step.
    float (*material)[4]; ///< [capacity + 1] inverse mass, stiffness over radius, damping ratio, radius
    float (*soil)[2]; ///< [capacity + 1] friction, adhesion (Pa)
    PaperRow *rows;
    PaperSoilRow *soil_rows;
    PaperPair *pairs; ///< gs only; pair_count of them
    PaperFlat *flats; ///< by particle
    int32_t *flat_first; ///< [capacity + 1] flats of a particle
    int32_t *flat_end; ///< [capacity] end of those that are there already
    int32_t flat_capacity;
    PaperFlatLane *flat_lanes; ///< by batch and lane
    int32_t *batch_flats; ///< [batches + 1] first of `flat_lanes` of a batch; those of a chunk are its flats
    uint8_t *touches; ///< [capacity] 1 when the particle violated a constraint in the last iteration
    float (*shift[2])[4]; ///< [capacity + 1] x, y, z: p - x (m), radius; the second is what Jacobi writes to
} Paper;

/// What is alike for all contacts of a step.
typedef struct PaperStep {
    float error_reduction; ///< epsilon of eq. 37
    float static_ratio; ///< mu_s / mu_k
    bool macklin; ///< friction of Macklin et al. in place of eqs. 30-33
    bool simple; ///< one soil without adhesion: `friction` holds for all pairs
    float friction; ///< kinetic, mu_k
    bool jacobi; ///< p2, else gs
    bool sleeps; ///< `touches` is wanted
    bool bodies; ///< some flat contacts are with bodies
    float h, iterations; ///< s, number
} PaperStep;

bool paper_create(Paper *paper, int particle_capacity); ///< capacity 0: for a solver that does not need it
void paper_destroy(Paper *paper);

/// The parts of a soil that the published solvers touch, lent for one call.
typedef struct PaperSystem {
    ContactSystem contact;
    Paper *paper;
} PaperSystem;

/// One of the threads that make lists or take a step together.
typedef struct PaperWorker {
    const PaperSystem *system;
    const PaperStep *step; ///< NULL: the lists of a tick
    double h; ///< s: of the step or the tick
    int32_t first, end; ///< its chunks
    bool leads; ///< does what one has to do for all
} PaperWorker;

/// Finds the neighbours of every particle: all that it may touch within a tick of `dt`. The particles are sorted.
void paper_lists_build(const PaperSystem *system, double dt);

/// Takes one substep of `h` seconds: Jacobi (p2), else one contact after another (gs). Places and velocities of the
/// particles and the bodies' sums of lambda (N s2) are the result.
void paper_solve(const PaperSystem *system, double h, bool jacobi);
/// Notes the forces (N) of the last substep on the bodies in the probe.
void paper_show_contacts(const PaperSystem *system, Probe *probe);

/// What is compiled once for each instruction set, none of which changes a bit.
typedef struct PaperKernel {
    int lanes;
    /// Factors, shares and friction of the rows of batches [first, end), of which `other` and `start` are set.
    void (*relate)(const Paper *paper, const PaperStep *step, int32_t first, int32_t end);
    /// Factors of flat contacts [first, end), which hold h^2 k w and h c w.
    void (*relate_flats)(const Paper *paper, const PaperStep *step, int32_t first, int32_t end);
    /// One iteration of the averaged scheme (eq. 9) for batches [first, end), whole chunks: reads `from`, writes `to`.
    void (*average)(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4], int32_t first,
                    int32_t end);
} PaperKernel;
extern const PaperKernel paper_kernel_baseline, paper_kernel_avx2, paper_kernel_avx512;

#endif
