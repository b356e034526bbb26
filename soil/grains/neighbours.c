#include "soil/grains/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// More cells than that take longer to clear than to search larger ones.
enum { MOST_CELLS = 1 << 20 };

enum { BLOCK_CELLS = NEIGHBOUR_BLOCK * NEIGHBOUR_BLOCK };

bool neighbours_create(Neighbours *neighbours, int particle_capacity, double reach)
{
    memset(neighbours, 0, sizeof *neighbours);
    size_t n = (size_t)particle_capacity;
    neighbours->reach = reach;
    neighbours->block_first = malloc((n + 2) * sizeof(int32_t));
    if (neighbours->block_first != NULL) {
        neighbours->block_first[0] = 0;
    }
    return neighbours->block_first != NULL;
}

void neighbours_destroy(Neighbours *neighbours)
{
    free(neighbours->start);
    free(neighbours->contents);
    free(neighbours->block_first);
    memset(neighbours, 0, sizeof *neighbours);
}

int neighbours_rank(const Neighbours *neighbours, int cx, int cy)
{
    if (cx < 0 || cy < 0 || cx >= neighbours->blocks_x * NEIGHBOUR_BLOCK ||
        cy >= neighbours->blocks_y * NEIGHBOUR_BLOCK) {
        return -1;
    }
    int bx = cx / NEIGHBOUR_BLOCK, by = cy / NEIGHBOUR_BLOCK;
    int colour = (bx & 1) | (by & 1) << 1;
    int block = (by >> 1) * (neighbours->blocks_x >> 1) + (bx >> 1);
    int blocks = (neighbours->blocks_x >> 1) * (neighbours->blocks_y >> 1);
    return (colour * blocks + block) * BLOCK_CELLS + (cy % NEIGHBOUR_BLOCK) * NEIGHBOUR_BLOCK + cx % NEIGHBOUR_BLOCK;
}

/// Cell along one axis. Clamped: the corner may round above the outermost particle by the last bit.
static int cell_along(double x, double corner, double cell, int cells)
{
    double c = floor((x - corner) / cell);
    return !(c > 0.0) ? 0 : c >= cells ? cells - 1 : (int)c;
}

void neighbours_cell_of(const Neighbours *neighbours, double x, double y, int *cx, int *cy)
{
    *cx = cell_along(x, neighbours->corner_x, neighbours->cell, neighbours->blocks_x * NEIGHBOUR_BLOCK);
    *cy = cell_along(y, neighbours->corner_y, neighbours->cell, neighbours->blocks_y * NEIGHBOUR_BLOCK);
}

/// Chooses the grid that covers all particles. Returns the number of cells.
static int64_t cover(Neighbours *neighbours, const Particles *particles, double cell)
{
    double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL;
    for (int i = 0; i < particles->count; i++) {
        low_x = fmin(low_x, particles->x[i]);
        low_y = fmin(low_y, particles->y[i]);
        high_x = fmax(high_x, particles->x[i]);
        high_y = fmax(high_y, particles->y[i]);
    }
    if (particles->count == 0) {
        low_x = low_y = high_x = high_y = 0.0;
    }
    double reach = neighbours->reach;
    low_x = fmin(fmax(low_x, -reach), reach);
    low_y = fmin(fmax(low_y, -reach), reach);
    high_x = fmin(fmax(high_x, -reach), reach);
    high_y = fmin(fmax(high_y, -reach), reach);
    neighbours->cell = cell;
    // Corners on whole cells: where the grid lies does not depend on the outermost particle.
    double block = cell * NEIGHBOUR_BLOCK * 2.0;
    neighbours->corner_x = floor(low_x / block) * block;
    neighbours->corner_y = floor(low_y / block) * block;
    neighbours->blocks_x = ((int)floor((high_x - neighbours->corner_x) / block) + 1) * 2;
    neighbours->blocks_y = ((int)floor((high_y - neighbours->corner_y) / block) + 1) * 2;
    return (int64_t)neighbours->blocks_x * neighbours->blocks_y * BLOCK_CELLS;
}

static bool reserve_cells(Neighbours *neighbours, int64_t cells)
{
    if (cells > INT32_MAX / 2) {
        return false;
    }
    if (cells + 1 > neighbours->start_capacity) {
        free(neighbours->start);
        free(neighbours->contents);
        int64_t capacity = cells + cells / 2 + 1;
        neighbours->start = malloc((size_t)capacity * sizeof(int32_t));
        neighbours->contents = malloc((size_t)capacity * sizeof *neighbours->contents);
        bool good = neighbours->start != NULL && neighbours->contents != NULL;
        neighbours->start_capacity = good ? (int32_t)capacity : 0;
        if (!good) {
            return false;
        }
    }
    neighbours->cells = (int)cells;
    memset(neighbours->start, 0, ((size_t)cells + 1) * sizeof(int32_t));
    return true;
}

/// Inside each cell by height, ties by id: a total order. Insertion sort, for the order hardly changes between ticks.
static void sort_cell_by_height(int32_t *order, int count, const Particles *particles)
{
    for (int a = 1; a < count; a++) {
        int32_t item = order[a];
        double z = particles->z[item];
        int b = a;
        while (b > 0 && (particles->z[order[b - 1]] > z ||
                         (particles->z[order[b - 1]] == z && particles->id[order[b - 1]] > particles->id[item]))) {
            order[b] = order[b - 1];
            b--;
        }
        order[b] = item;
    }
}

static void list_blocks(Neighbours *neighbours)
{
    int blocks = neighbours->cells / BLOCK_CELLS;
    int per_colour = blocks / NEIGHBOUR_COLOURS, found = 0;
    for (int block = 0; block < blocks; block++) {
        if (block % per_colour == 0) {
            neighbours->colour_first[block / per_colour] = found;
        }
        int32_t first = neighbours->start[block * BLOCK_CELLS], end = neighbours->start[(block + 1) * BLOCK_CELLS];
        if (end > first) {
            neighbours->block_first[found++] = first;
        }
    }
    neighbours->colour_first[NEIGHBOUR_COLOURS] = found;
    neighbours->block_first[found] = neighbours->start[neighbours->cells];
    neighbours->block_count = found;
}

/// Of the particles [first, end).
static CellContents contents_of(const Particles *p, int32_t first, int32_t end)
{
    double x = 0.0, y = 0.0, z = 0.0, most = 0.0;
    float radius = 0.0F;
    for (int32_t i = first; i < end; i++) {
        x += p->vx[i];
        y += p->vy[i];
        z += p->vz[i];
    }
    x /= end - first;
    y /= end - first;
    z /= end - first;
    for (int32_t i = first; i < end; i++) {
        double dx = p->vx[i] - x, dy = p->vy[i] - y, dz = p->vz[i] - z, square = dx * dx + dy * dy + dz * dz;
        most = square > most ? square : most;
        radius = p->radius[i] > radius ? p->radius[i] : radius;
    }
    return (CellContents){.velocity = {(float)x, (float)y, (float)z},
                          .deviation = (float)sqrt(most) * 1.001F, // the roundings above
                          .radius = radius};
}

/// Counting sort into cells: `start` is shifted while filling and put back afterwards.
static void fill_cells(Neighbours *neighbours, const Particles *particles, int threads)
{
    int32_t *start = neighbours->start, count = particles->count;
#pragma omp parallel for schedule(static) num_threads(threads) if (count > PARTICLES_WORTH_THREADS)
    for (int32_t i = 0; i < count; i++) {
        int cx, cy;
        neighbours_cell_of(neighbours, particles->x[i], particles->y[i], &cx, &cy);
        neighbours->rank[i] = neighbours_rank(neighbours, cx, cy);
    }
    for (int32_t i = 0; i < count; i++) {
        start[neighbours->rank[i] + 1]++;
    }
    for (int c = 0; c < neighbours->cells; c++) {
        start[c + 1] += start[c];
    }
    for (int32_t i = 0; i < count; i++) {
        neighbours->order[start[neighbours->rank[i]]++] = i;
    }
    for (int c = neighbours->cells; c > 0; c--) {
        start[c] = start[c - 1];
    }
    start[0] = 0;
}

bool neighbours_sort(Neighbours *neighbours, Particles *particles, double cell, int threads)
{
    int64_t cells = cover(neighbours, particles, cell);
    while (cells > MOST_CELLS) {
        cell *= 2.0;
        cells = cover(neighbours, particles, cell);
    }
    if (!reserve_cells(neighbours, cells)) {
        return false;
    }
    fill_cells(neighbours, particles, threads);
    const int32_t *start = neighbours->start;
    bool many = particles->count > PARTICLES_WORTH_THREADS;
#pragma omp parallel for schedule(dynamic, BLOCK_CELLS) num_threads(threads) if (many)
    for (int c = 0; c < neighbours->cells; c++) {
        if (start[c + 1] - start[c] > 1) {
            sort_cell_by_height(neighbours->order + start[c], start[c + 1] - start[c], particles);
        }
    }
    particles_permute(particles, neighbours->order, threads);
#pragma omp parallel for schedule(dynamic, BLOCK_CELLS) num_threads(threads) if (many)
    for (int c = 0; c < neighbours->cells; c++) {
        if (start[c + 1] > start[c]) {
            neighbours->contents[c] = contents_of(particles, start[c], start[c + 1]);
        }
    }
    list_blocks(neighbours);
    return true;
}
