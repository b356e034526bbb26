/// What the published solvers (p2 and gs, solve_paper.c) work on: each particle's list of neighbours, found once a tick.
/// They remember nothing between ticks.
#ifndef SPADEWORK_SOIL_PAPER_H
#define SPADEWORK_SOIL_PAPER_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/soil.h"

enum {
    PAPER_CHUNK = 256, ///< particles that share one stretch of `list`; also the unit of work of a thread
    PAPER_NEIGHBOURS = 32, ///< room in a stretch for so many neighbours a particle, on average over the chunk
};

typedef struct Paper {
    int32_t capacity; ///< particles
    int32_t *list; ///< neighbours of all particles, chunk by chunk
    int32_t *first, *count; ///< [capacity] neighbours of particle i: list[first[i]] .. list[first[i] + count[i] - 1]
    int32_t pair_count; ///< each pair counted once
    float (*place)[4]; ///< [capacity] x, y, z from the grid's corner, and radius plus reach: search only
} Paper;

bool paper_create(Paper *paper, int particle_capacity); ///< capacity 0: for a solver that does not need it
void paper_destroy(Paper *paper);

/// Finds the neighbours of every particle: all that it may touch within a tick of `dt`. The particles are sorted.
void soil_build_paper_lists(Soil *soil, double dt);

#endif
