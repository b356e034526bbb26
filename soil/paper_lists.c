/// Neighbour lists of the published solvers: for each particle all others it may touch within a tick.
///
/// Every pair stands in both lists: Jacobi then writes to one particle only, and particles are free to run in parallel (P2,
/// section 5). Particles are sorted by cell and height, so that a list is found by walking nine short stretches of memory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "soil/internal.h"

/// Gap up to which resting particles count as neighbours, in mean radii: what corrections may close within a tick.
#define SKIN 0.05
/// Particles may speed up within the tick.
#define SPEED_MARGIN 1.2

bool paper_create(Paper *paper, int particle_capacity)
{
    memset(paper, 0, sizeof *paper);
    if (particle_capacity == 0) {
        return true;
    }
    paper->capacity = particle_capacity;
    size_t n = (size_t)particle_capacity, chunks = (n + PAPER_CHUNK - 1) / PAPER_CHUNK;
    paper->list = calloc(chunks * PAPER_CHUNK * PAPER_NEIGHBOURS, sizeof *paper->list);
    paper->first = calloc(n, sizeof *paper->first);
    paper->count = calloc(n, sizeof *paper->count);
    paper->place = calloc(n, sizeof *paper->place);
    return paper->list != NULL && paper->first != NULL && paper->count != NULL && paper->place != NULL;
}

void paper_destroy(Paper *paper)
{
    free(paper->list);
    free(paper->first);
    free(paper->count);
    free(paper->place);
    memset(paper, 0, sizeof *paper);
}

static void place_particles(Soil *soil, double dt)
{
    const Particles *p = &soil->particles;
    const Neighbours *grid = &soil->neighbours;
    for (int32_t i = 0; i < p->count; i++) {
        double speed = sqrt(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]);
        float *place = soil->paper.place[i];
        place[0] = (float)(p->x[i] - grid->corner_x);
        place[1] = (float)(p->y[i] - grid->corner_y);
        place[2] = (float)p->z[i];
        place[3] = p->radius[i] + (float)(0.6 * SKIN * soil->particle_radius + SPEED_MARGIN * dt * speed);
    }
}

/// The exact test, by the speed at which the two close. Single precision and single speeds only ruled out most pairs before.
static bool may_touch(const Soil *soil, int32_t i, int32_t j, double dt)
{
    const Particles *p = &soil->particles;
    double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
    double ux = p->vx[i] - p->vx[j], uy = p->vy[i] - p->vy[j], uz = p->vz[i] - p->vz[j];
    double reach = SKIN * soil->particle_radius + SPEED_MARGIN * dt * sqrt(ux * ux + uy * uy + uz * uz);
    double limit = fmin(soil->neighbours.cell, (double)(p->radius[i] + p->radius[j]) + reach);
    return dx * dx + dy * dy + dz * dz < limit * limit;
}

/// The nine cells around one cell, each with the lowest particle that is still near enough. Particles come by height.
typedef struct Around {
    int32_t low[9], end[9];
    int cells;
} Around;

static void look_around(const Soil *soil, int32_t i, Around *around, int32_t *cell_end)
{
    const Neighbours *grid = &soil->neighbours;
    int cx, cy;
    neighbours_cell_of(grid, soil->particles.x[i], soil->particles.y[i], &cx, &cy);
    *cell_end = grid->start[neighbours_rank(grid, cx, cy) + 1];
    around->cells = 0;
    for (int k = 0; k < 9; k++) {
        int rank = neighbours_rank(grid, cx + k % 3 - 1, cy + k / 3 - 1);
        if (rank >= 0 && grid->start[rank + 1] > grid->start[rank]) {
            around->low[around->cells] = grid->start[rank];
            around->end[around->cells++] = grid->start[rank + 1];
        }
    }
}

/// Writes the neighbours of particle i to `list` (room for `room`). Returns their number.
static int32_t list_particle(const Soil *soil, int32_t i, Around *around, double dt, int32_t *list, int32_t room)
{
    const float(*place)[4] = (const float(*)[4])soil->paper.place;
    const float x = place[i][0], y = place[i][1], z = place[i][2], reach = place[i][3];
    const float height = 1.001F * (float)soil->neighbours.cell;
    int32_t found = 0, kept = 0;
    for (int c = 0; c < around->cells; c++) {
        int32_t j = around->low[c], end = around->end[c];
        while (j < end && place[j][2] < z - height) {
            j++;
        }
        around->low[c] = j;
        for (; j < end && place[j][2] <= z + height && found < room; j++) {
            float dx = x - place[j][0], dy = y - place[j][1], dz = z - place[j][2], sum = reach + place[j][3];
            list[found] = j;
            found += (dx * dx + dy * dy + dz * dz < sum * sum) & (j != i);
        }
    }
    for (int32_t k = 0; k < found; k++) {
        int32_t j = list[k];
        list[kept] = j;
        kept += may_touch(soil, i, j, dt);
    }
    return kept;
}

/// Lists the particles of one chunk. Returns the number of entries.
static int32_t list_chunk(Soil *soil, int32_t chunk, double dt)
{
    Paper *paper = &soil->paper;
    int32_t first = chunk * PAPER_CHUNK, end = first + PAPER_CHUNK, cell_end = first;
    end = end < soil->particles.count ? end : soil->particles.count;
    int32_t used = 0, room = PAPER_CHUNK * PAPER_NEIGHBOURS, *list = paper->list + (size_t)chunk * (size_t)room;
    Around around = {.cells = 0};
    for (int32_t i = first; i < end; i++) {
        if (i >= cell_end) {
            look_around(soil, i, &around, &cell_end);
        }
        paper->first[i] = chunk * room + used;
        paper->count[i] = list_particle(soil, i, &around, dt, list + used, room - used);
        used += paper->count[i];
    }
    return used;
}

void soil_build_paper_lists(Soil *soil, double dt)
{
    int32_t count = soil->particles.count, chunks = (count + PAPER_CHUNK - 1) / PAPER_CHUNK, entries = 0;
    place_particles(soil, dt);
#pragma omp parallel for schedule(static) num_threads(soil->threads) reduction(+ : entries)                            \
    if (count > SOIL_PARALLEL_PARTICLES)
    for (int32_t chunk = 0; chunk < chunks; chunk++) {
        entries += list_chunk(soil, chunk, dt);
    }
    soil->paper.pair_count = entries / 2;
}
