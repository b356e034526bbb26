/// Neighbour lists of the published solvers: for each particle all others it may touch within a tick.
///
/// Every pair stands in both lists: Jacobi then writes to one particle only, and particles are free to run in parallel
/// (P2, section 5). Pairs are found once, by one of the two, and then entered with the other. Particles are sorted by
/// cell and height, so that they are found by walking five short stretches of memory.
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/published/paper.h"

/// Gap up to which resting particles count as neighbours, in mean radii: what corrections may close within a tick.
#define SKIN 0.05
/// Particles may speed up within the tick.
#define SPEED_MARGIN 1.2

static void place_particle(const PaperSystem *system, int32_t i)
{
    search_place_particle(system->contact.places, system->contact.neighbours, system->contact.particles, i,
                          0.5 * SKIN * system->contact.model->particle_radius);
}

static void look_around(const PaperSystem *system, int32_t i, SearchAround *around, int32_t *cell_end)
{
    const Neighbours *grid = system->contact.neighbours;
    int cx, cy;
    neighbours_cell_of(grid, system->contact.particles->x[i], system->contact.particles->y[i], &cx, &cy);
    search_look_around(system->contact.places, grid, cx, cy, SEARCH_NEAR, around);
    *cell_end = around->cell[0].end;
}

static void find_chunk(const PaperSystem *system, int32_t chunk)
{
    Paper *paper = system->paper;
    int32_t first = chunk * PAPER_CHUNK, end = first + PAPER_CHUNK, cell_end = first;
    end = end < system->contact.particles->count ? end : system->contact.particles->count;
    int32_t used = 0, room = PAPER_CHUNK * PAPER_NEIGHBOURS / 2;
    int32_t *list = paper->found + (size_t)chunk * (size_t)room;
    SearchAround around = {.cells = 0};
    for (int32_t i = first; i < end; i++) {
        if (i >= cell_end) {
            look_around(system, i, &around, &cell_end);
        }
        paper->found_first[i] = chunk * room + used;
        paper->found_count[i] =
            system->contact.model->kernel->search(system->contact.places, &around, i, list + used, room - used);
        used += paper->found_count[i];
    }
}

/// Lays out the lists of the particles of a chunk, whose final lengths are in `count`, and enters what they found
/// themselves.
static void place_lists(Paper *paper, int32_t first, int32_t end)
{
    const int32_t room = PAPER_CHUNK * PAPER_NEIGHBOURS, start = first / PAPER_CHUNK * room;
    int32_t used = 0;
    for (int32_t i = first; i < end; i++) {
        int32_t length = paper->count[i] < room - used ? paper->count[i] : room - used;
        int32_t own = paper->found_count[i] < length ? paper->found_count[i] : length;
        paper->first[i] = start + used;
        paper->room[i] = length;
        paper->count[i] = own;
        memcpy(paper->list + start + used, paper->found + paper->found_first[i], (size_t)own * sizeof(int32_t));
        used += length;
    }
}

/// Makes the lists of particles [low, high) out of all pairs: first those that a particle found, then those that found
/// it, in their order. Threads share the particles among them, so that none writes to a list of another.
static void enter_pairs(Paper *paper, int32_t particles, int32_t low, int32_t high)
{
    const uint32_t width = (uint32_t)(high - low);
    memcpy(paper->count + low, paper->found_count + low, width * sizeof(int32_t));
    for (int32_t i = 0; i < particles; i++) {
        const int32_t *found = paper->found + paper->found_first[i];
        for (int32_t k = 0; k < paper->found_count[i]; k++) {
            if ((uint32_t)(found[k] - low) < width) {
                paper->count[found[k]]++;
            }
        }
    }
    for (int32_t first = low; first < high; first += PAPER_CHUNK) {
        place_lists(paper, first, first + PAPER_CHUNK < high ? first + PAPER_CHUNK : high);
    }
    for (int32_t i = 0; i < particles; i++) {
        const int32_t *found = paper->found + paper->found_first[i];
        for (int32_t k = 0; k < paper->found_count[i]; k++) {
            int32_t j = found[k];
            if ((uint32_t)(j - low) < width && paper->count[j] < paper->room[j]) {
                paper->list[paper->first[j] + paper->count[j]++] = i;
            }
        }
    }
}

/// Puts the particles of a chunk into batches, most neighbours first, so that the lanes of a batch end together. Writes
/// the number of rows of each batch behind its place in row_first.
static void batch_chunk(const PaperSystem *system, int32_t chunk)
{
    enum { MOST = 64 }; // longer lists are not told apart
    Paper *paper = system->paper;
    int32_t first = chunk * PAPER_CHUNK, end = first + PAPER_CHUNK, slot[MOST + 2] = {0};
    int32_t used = end < system->contact.particles->count ? end : system->contact.particles->count;
    int32_t *member = paper->member + first;
    for (int32_t i = first; i < used; i++) {
        int32_t few = MOST - (paper->count[i] < MOST ? paper->count[i] : MOST);
        slot[few + 1]++;
    }
    for (int k = 0; k < MOST; k++) {
        slot[k + 1] += slot[k];
    }
    for (int32_t i = first; i < used; i++) {
        int32_t few = MOST - (paper->count[i] < MOST ? paper->count[i] : MOST);
        member[slot[few]++] = i;
    }
    for (int32_t k = used; k < end; k++) {
        member[k - first] = paper->capacity;
    }
    for (int32_t b = 0; b < PAPER_CHUNK / PAPER_BATCH; b++) {
        int32_t rows = 0;
        for (int lane = 0; lane < PAPER_BATCH; lane++) {
            int32_t i = member[b * PAPER_BATCH + lane];
            rows = i < paper->capacity && paper->count[i] > rows ? paper->count[i] : rows;
        }
        paper->row_first[first / PAPER_BATCH + b + 1] = rows;
    }
}

/// What one thread does of the lists: those of its chunks.
static void build_lists(const PaperWorker *worker)
{
    const PaperSystem *system = worker->system;
    const int32_t count = system->contact.particles->count, first = worker->first * PAPER_CHUNK,
                  end = worker->end * PAPER_CHUNK;
    for (int32_t i = first; i < end && i < count; i++) {
        place_particle(system, i);
    }
    paper_wait(worker);
    for (int32_t chunk = worker->first; chunk < worker->end; chunk++) {
        find_chunk(system, chunk);
    }
    paper_wait(worker);
    if (worker->first < worker->end) {
        enter_pairs(system->paper, count, first, end < count ? end : count);
    }
    for (int32_t chunk = worker->first; chunk < worker->end; chunk++) {
        batch_chunk(system, chunk);
    }
}

void paper_lists_build(const PaperSystem *system, double dt)
{
    Paper *paper = system->paper;
    const int32_t count = system->contact.particles->count, chunks = (count + PAPER_CHUNK - 1) / PAPER_CHUNK;
    search_take_places(system->contact.places, system->contact.scratch, count);
    system->contact.places->skin = 0.5 * SKIN * system->contact.model->particle_radius;
    system->contact.places->time = SPEED_MARGIN * dt;
    paper_work(system, NULL, dt, build_lists);
    search_give_back_places(system->contact.places, system->contact.scratch);
    paper->pair_count = 0;
    for (int32_t i = 0; i < count; i++) {
        paper->pair_count += paper->found_count[i];
    }
    paper->batch_count = chunks * (PAPER_CHUNK / PAPER_BATCH);
    paper->row_first[0] = 0;
    for (int32_t b = 1; b <= paper->batch_count; b++) {
        int32_t sum = paper->row_first[b - 1] + paper->row_first[b];
        paper->row_first[b] = sum < paper->row_capacity ? sum : paper->row_capacity;
    }
}
