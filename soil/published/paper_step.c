/// The published solver, Parallel Particles (D. Holz, VRIPHYS 2014, "P2"), and its sequential reference: neighbour
/// lists, the begin and end of a step, and the iterations.
#include "soil/published/paper.h"

#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/published/paper_contact.h"

/// ---- threads and kernels -------------------------------------------------------------------------------------------

/// As wide as the soil's other kernels (pair_kernel_choose).
static const PaperKernel *paper_kernel_choose(const PaperSystem *system)
{
    return system->contact.model->kernel->lanes == paper_kernel_avx512.lanes ? &paper_kernel_avx512
           : system->contact.model->kernel->lanes == paper_kernel_avx2.lanes ? &paper_kernel_avx2
                                                                             : &paper_kernel_baseline;
}

/// Returns when all threads of the run have come here (team_wait).
static void paper_wait(const PaperWorker *worker)
{
    team_wait(worker->system->contact.team);
}

/// What members share during paper_work.
typedef struct PaperShare {
    const PaperSystem *system;
    const PaperStep *step;
    double h; ///< s
    void (*work)(const PaperWorker *worker);
} PaperShare;

static void work_on_own(void *context, int member, int members)
{
    const PaperShare *share = context;
    TeamPart part =
        team_part((share->system->contact.particles->count + PAPER_CHUNK - 1) / PAPER_CHUNK, member, members);
    PaperWorker worker = {.system = share->system,
                          .step = share->step,
                          .h = share->h,
                          .first = part.first,
                          .end = part.end,
                          .leads = member == 0};
    share->work(&worker);
}

/// Shares the chunks out among the soil's threads, which then all do `work`.
static void paper_work(const PaperSystem *system, const PaperStep *step, double h,
                       void (*work)(const PaperWorker *worker))
{
    PaperShare share = {system, step, h, work};
    team_run(system->contact.team, system->contact.particles->count > PAPER_PARALLEL, work_on_own, &share);
}

/// ---- neighbour lists -----------------------------------------------------------------------------------------------
/// Neighbour lists of the published solvers: for each particle all others it may touch within a tick.
///
/// Every pair stands in both lists: Jacobi then writes to one particle only, and particles are free to run in parallel
/// (P2, section 5). Pairs are found once, by one of the two, and then entered with the other. Particles are sorted by
/// cell and height, so that they are found by walking five short stretches of memory.

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
    *cell_end = around->end[0];
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

/// ---- begin and end of a step ---------------------------------------------------------------------------------------
/// Begins and ends a step of the published solvers: prediction, contact data, new velocities.
///
/// Holz 2014, eqs. 2 and 3, and sleeping (section 7). Contacts with planes, ground or bodies, are collected by
/// particle, so that Jacobi may visit each particle's contacts together.

/// m: lies so far from a lane without a neighbour that nothing touches; its square is still a number.
#define NOWHERE 1e15F
/// m: how far two particles in one place count as apart, one above the other.
#define SAME_PLACE 1e-6F

/// ---- memory --------------------------------------------------------------------------------------------------------

static void *allocate(size_t count, size_t size)
{
    size_t bytes = (count * size + 63) / 64 * 64;
    return aligned_alloc(64, bytes > 0 ? bytes : 64);
}

bool paper_create(Paper *paper, int particle_capacity)
{
    memset(paper, 0, sizeof *paper);
    if (particle_capacity == 0) {
        return true;
    }
    size_t n = (size_t)particle_capacity, padded = (n + PAPER_CHUNK - 1) / PAPER_CHUNK * PAPER_CHUNK;
    size_t batches = padded / PAPER_BATCH, rows = padded * PAPER_NEIGHBOURS / PAPER_BATCH;
    paper->capacity = particle_capacity;
    paper->row_capacity = (int32_t)rows;
    paper->flat_capacity = (int32_t)(4 * n);
    paper->list = allocate(padded * PAPER_NEIGHBOURS + PAPER_BATCH, sizeof *paper->list);
    paper->found = allocate(padded * PAPER_NEIGHBOURS / 2 + PAPER_BATCH, sizeof *paper->found);
    paper->found_first = allocate(n, sizeof *paper->found_first);
    paper->found_count = allocate(n, sizeof *paper->found_count);
    paper->room = allocate(n, sizeof *paper->room);
    paper->first = allocate(n, sizeof *paper->first);
    paper->count = allocate(n, sizeof *paper->count);
    paper->member = allocate(padded, sizeof *paper->member);
    paper->row_first = allocate(batches + 1, sizeof *paper->row_first);
    paper->rows = allocate(rows, sizeof *paper->rows);
    paper->soil_rows = allocate(rows, sizeof *paper->soil_rows);
    paper->pairs = allocate(padded * PAPER_NEIGHBOURS / 2, sizeof *paper->pairs);
    paper->flats = allocate(4 * n, sizeof *paper->flats);
    paper->flat_first = allocate(n + 1, sizeof *paper->flat_first);
    paper->flat_end = allocate(n, sizeof *paper->flat_end);
    paper->flat_lanes = allocate(4 * n, sizeof *paper->flat_lanes);
    paper->batch_flats = allocate(batches + 1, sizeof *paper->batch_flats);
    paper->material = allocate(n + 1, sizeof *paper->material);
    paper->soil = allocate(n + 1, sizeof *paper->soil);
    paper->touches = allocate(n + 1, sizeof *paper->touches);
    paper->shift[0] = allocate(n + 1, sizeof *paper->shift[0]);
    paper->shift[1] = allocate(n + 1, sizeof *paper->shift[1]);
    return paper->list != NULL && paper->found != NULL && paper->found_first != NULL && paper->found_count != NULL &&
           paper->room != NULL && paper->first != NULL && paper->count != NULL && paper->member != NULL &&
           paper->row_first != NULL && paper->rows != NULL && paper->soil_rows != NULL && paper->pairs != NULL &&
           paper->flats != NULL && paper->flat_first != NULL && paper->flat_end != NULL && paper->flat_lanes != NULL &&
           paper->batch_flats != NULL && paper->material != NULL && paper->soil != NULL && paper->touches != NULL &&
           paper->shift[0] != NULL && paper->shift[1] != NULL;
}

void paper_destroy(Paper *paper)
{
    free(paper->list);
    free(paper->found);
    free(paper->found_first);
    free(paper->found_count);
    free(paper->room);
    free(paper->first);
    free(paper->count);
    free(paper->member);
    free(paper->row_first);
    free(paper->rows);
    free(paper->soil_rows);
    free(paper->pairs);
    free(paper->flats);
    free(paper->flat_first);
    free(paper->flat_end);
    free(paper->flat_lanes);
    free(paper->batch_flats);
    free(paper->material);
    free(paper->soil);
    free(paper->touches);
    free(paper->shift[0]);
    free(paper->shift[1]);
    memset(paper, 0, sizeof *paper);
}

/// ---- pairs ---------------------------------------------------------------------------------------------------------

/// What pairs need to know of a particle. Stiffness grows with the radius, so that the bulk modulus does not depend on
/// it.
static void set_material(const PaperSystem *system, int32_t i)
{
    const Particles *p = system->contact.particles;
    const SoilParams *params = &system->contact.model->scene.soils[p->soil[i]];
    float *material = system->paper->material[i];
    material[0] = (float)(1.0 / (p->mass[i] * SOIL_QUANTUM));
    material[1] = (float)(params->contact_stiffness / REFERENCE_RADIUS);
    material[2] = (float)params->contact_damping;
    material[3] = p->radius[i];
    system->paper->soil[i][0] = (float)params->contact_friction;
    system->paper->soil[i][1] = (float)params->contact_adhesion;
}

/// Neighbours of a batch and where they are. Two particles in one place lie one above the other.
static void fill_batch(const PaperSystem *system, int32_t batch)
{
    Paper *paper = system->paper;
    const Particles *p = system->contact.particles;
    const int32_t *member = paper->member + (size_t)batch * PAPER_BATCH, *list[PAPER_BATCH];
    int32_t listed[PAPER_BATCH], first = paper->row_first[batch], rows = paper->row_first[batch + 1] - first;
    for (int lane = 0; lane < PAPER_BATCH; lane++) {
        bool none = member[lane] == paper->capacity;
        listed[lane] = none ? 0 : paper->count[member[lane]];
        list[lane] = paper->list + (none ? 0 : paper->first[member[lane]]);
    }
    for (int32_t k = 0; k < rows; k++) {
        PaperRow *r = &paper->rows[first + k];
        for (int lane = 0; lane < PAPER_BATCH; lane++) {
            if (k >= listed[lane]) {
                r->other[lane] = paper->capacity;
                r->start_x[lane] = r->start_y[lane] = r->start_z[lane] = NOWHERE;
                continue;
            }
            int32_t i = member[lane], j = list[lane][k];
            float x = (float)(p->x[i] - p->x[j]), y = (float)(p->y[i] - p->y[j]), z = (float)(p->z[i] - p->z[j]);
            bool apart = x * x + y * y + z * z > SAME_PLACE * SAME_PLACE;
            r->other[lane] = j;
            r->start_x[lane] = x;
            r->start_y[lane] = y;
            r->start_z[lane] = apart ? z : i > j ? SAME_PLACE : -SAME_PLACE;
        }
    }
}

/// For gs: every pair once, in the order of the particles (P2, section 5), out of the rows of a chunk.
static void list_pairs_of(Paper *paper, const PaperStep *step, int32_t first, int32_t end)
{
    int32_t place[PAPER_CHUNK];
    for (int32_t k = first; k < first + PAPER_CHUNK; k++) {
        if (paper->member[k] < paper->capacity) {
            place[paper->member[k] - first] = k;
        }
    }
    for (int32_t i = first; i < end; i++) {
        int32_t batch = place[i - first] / PAPER_BATCH, lane = place[i - first] % PAPER_BATCH;
        for (int32_t row = paper->row_first[batch]; row < paper->row_first[batch + 1]; row++) {
            const PaperRow *r = &paper->rows[row];
            if (r->other[lane] <= i || r->other[lane] == paper->capacity) {
                continue;
            }
            PaperPair *pair = &paper->pairs[paper->pair_count++];
            *pair = (PaperPair){.i = i,
                                .j = r->other[lane],
                                .start = {r->start_x[lane], r->start_y[lane], r->start_z[lane]},
                                .stiffness = r->stiffness[lane],
                                .damping = r->damping[lane],
                                .friction = step->friction,
                                .share_i = r->share[lane],
                                .share_j = 1.0F - r->share[lane]};
            if (!step->simple) {
                pair->friction = paper->soil_rows[row].friction[lane];
                pair->pull = paper->soil_rows[row].pull[lane];
                pair->inverse_radius = paper->soil_rows[row].inverse_radius[lane];
            }
        }
    }
}

///< for gs, out of the rows
static void paper_list_pairs(const PaperSystem *system, const PaperStep *step)
{
    system->paper->pair_count = 0;
    for (int32_t first = 0; first < system->contact.particles->count; first += PAPER_CHUNK) {
        int32_t end = first + PAPER_CHUNK;
        list_pairs_of(system->paper, step, first,
                      end < system->contact.particles->count ? end : system->contact.particles->count);
    }
}

/// ---- planes --------------------------------------------------------------------------------------------------------

static void add_flat(const PaperSystem *system, const ContactCore *core, int32_t i, int32_t body, int32_t contact,
                     double h)
{
    Paper *paper = system->paper;
    const float *shift = paper->shift[0][i];
    PaperFlat *flat = &paper->flats[paper->flat_end[i]++];
    double w = (double)core->inverse_mass, k = (double)core->stiffness;
    double own = 1.0 / (system->contact.particles->mass[i] * SOIL_QUANTUM);
    memset(flat, 0, sizeof *flat);
    flat->i = i;
    flat->body = body;
    flat->contact = contact;
    flat->gap = core->gap;
    for (int axis = 0; axis < 3; axis++) {
        flat->normal[axis] = core->normal[axis];
        flat->predicted[axis] = flat->other[axis] = shift[axis] - core->drift[axis];
    }
    flat->stiffness = (float)(h * h * k * w);
    flat->damping = (float)(h * (double)core->damping * w);
    flat->friction = core->friction;
    flat->pull = (float)((double)core->adhesion * w * h * h);
    flat->inverse_radius = 1.0F / system->contact.particles->radius[i];
    flat->share = (float)(own / w);
}

/// True when the particle can come near the plane in this step.
static bool is_near(const PaperSystem *system, const ContactCore *core, int32_t i)
{
    float approach =
        core->drift[0] * core->normal[0] + core->drift[1] * core->normal[1] + core->drift[2] * core->normal[2];
    return core->gap < system->contact.particles->radius[i] - approach;
}

/// Finds out where the flats of each particle begin; flat_end holds whether it has one with the ground.
static void place_flats(const PaperSystem *system)
{
    const BodyContact *bodies = system->contact.contacts->bodies;
    int32_t count = system->contact.particles->count, sum = 0, *first = system->paper->flat_first,
            *end = system->paper->flat_end;
    for (int32_t k = 0; k < system->contact.contacts->body_count; k++) {
        end[bodies[k].i] += is_near(system, &bodies[k].core, bodies[k].i) ? 1 : 0;
    }
    for (int32_t i = 0; i < count; i++) {
        first[i] = sum;
        sum += end[i];
        end[i] = first[i];
    }
    first[count] = system->paper->batch_flats[system->paper->batch_count] = sum;
}

/// Says which lanes of a chunk's batches have contacts with planes.
static void list_flat_lanes(Paper *paper, int32_t chunk)
{
    const int32_t first = chunk * (PAPER_CHUNK / PAPER_BATCH);
    int32_t used = paper->flat_first[chunk * PAPER_CHUNK];
    for (int32_t batch = first; batch < first + PAPER_CHUNK / PAPER_BATCH; batch++) {
        paper->batch_flats[batch] = used;
        for (int lane = 0; lane < PAPER_BATCH; lane++) {
            int32_t i = paper->member[batch * PAPER_BATCH + lane];
            int32_t end = i < paper->capacity ? paper->flat_first[i + 1] : 0;
            for (int32_t k = i < paper->capacity ? paper->flat_first[i] : 0; k < end; k++) {
                paper->flat_lanes[used++] = (PaperFlatLane){k, lane};
            }
        }
    }
}

/// Collects the contacts of particles [first, end) with planes.
static void collect_flats(const PaperSystem *system, double h, int32_t first, int32_t end)
{
    const ContactCore *ground = system->contact.contacts->ground;
    const BodyContact *bodies = system->contact.contacts->bodies;
    for (int32_t i = first; i < end; i++) {
        if (is_near(system, &ground[i], i)) {
            add_flat(system, &ground[i], i, -1, -1, h);
        }
    }
    for (int32_t k = 0; k < system->contact.contacts->body_count; k++) {
        if (bodies[k].i >= first && bodies[k].i < end && is_near(system, &bodies[k].core, bodies[k].i)) {
            add_flat(system, &bodies[k].core, bodies[k].i, bodies[k].body, k, h);
        }
    }
}

/// ---- step ----------------------------------------------------------------------------------------------------------

/// Eq. 2: p - x = h v + h^2 f_e / m, of one axis.
static inline float predict(double v, double acceleration, double h)
{
    return (float)((v + acceleration * h) * h);
}

/// What all contacts of a step share.
static void paper_set_step(const PaperSystem *system, double h, bool jacobi, PaperStep *step)
{
    const SceneParticles *scene = &system->contact.model->scene.particles;
    const Particles *p = system->contact.particles;
    uint8_t first = p->count > 0 ? p->soil[0] : 0;
    const SoilParams *params = &system->contact.model->scene.soils[first];
    *step = (PaperStep){.error_reduction = (float)scene->error_reduction,
                        .static_ratio = scene->static_ratio > 1.0 ? (float)scene->static_ratio : 1.0F,
                        .macklin = scene->friction == PARTICLE_FRICTION_MACKLIN,
                        .friction = (float)params->contact_friction,
                        .jacobi = jacobi,
                        .sleeps = scene->sleep_distance > 0.0,
                        .bodies = system->contact.contacts->body_count > 0,
                        .h = (float)h,
                        .iterations = (float)scene->iterations};
    int32_t alike = 0;
    while (alike < p->count && p->soil[alike] == first) {
        alike++;
    }
    step->simple = alike == p->count && params->contact_adhesion == 0.0 && !step->macklin;
}

/// Particles of a worker.
typedef struct Span {
    int32_t first, end;
} Span;

static Span span_of(const PaperWorker *worker)
{
    int32_t count = worker->system->contact.particles->count, first = worker->first * PAPER_CHUNK,
            end = worker->end * PAPER_CHUNK;
    return (Span){first, end < count ? end : count};
}

/// What is behind the last particle: one that is far from all.
static void set_nobody(Paper *paper)
{
    const float nothing[4] = {1.0F, 1.0F, 0.0F, 1.0F}, still[4] = {0.0F, 0.0F, 0.0F, 1.0F};
    memcpy(paper->material[paper->capacity], nothing, sizeof nothing);
    memcpy(paper->shift[0][paper->capacity], still, sizeof still);
    memcpy(paper->shift[1][paper->capacity], still, sizeof still);
    paper->soil[paper->capacity][0] = paper->soil[paper->capacity][1] = 0.0F;
}

/// Neighbours and flat contacts of a chunk's batches.
static void fill_chunk(const PaperWorker *worker, int32_t chunk)
{
    Paper *paper = worker->system->paper;
    const PaperKernel *kernel = paper_kernel_choose(worker->system);
    const int32_t first = chunk * (PAPER_CHUNK / PAPER_BATCH), end = first + PAPER_CHUNK / PAPER_BATCH;
    const int32_t count = worker->system->contact.particles->count, last = (chunk + 1) * PAPER_CHUNK;
    list_flat_lanes(paper, chunk);
    kernel->relate_flats(paper, worker->step, paper->flat_first[chunk * PAPER_CHUNK],
                         paper->flat_first[last < count ? last : count]);
    for (int32_t batch = first; batch < end; batch++) {
        fill_batch(worker->system, batch);
        kernel->relate(paper, worker->step, batch, batch + 1);
    }
}

/// Begins a step: predicted displacements (eq. 2) in shift[0], flat contacts and the rows. All have done so when it
/// returns.
static void paper_begin(const PaperWorker *worker)
{
    const PaperSystem *system = worker->system;
    Paper *paper = system->paper;
    const Particles *p = system->contact.particles;
    const Span own = span_of(worker);
    const double h = worker->h;
    for (int32_t i = own.first; i < own.end; i++) {
        float *shift = paper->shift[0][i];
        shift[0] = predict(p->vx[i], 0.0, h);
        shift[1] = predict(p->vy[i], 0.0, h);
        shift[2] = predict(p->vz[i], -system->contact.model->gravity, h);
        shift[3] = p->radius[i];
        paper->touches[i] = 0;
        paper->flat_end[i] = is_near(system, &system->contact.contacts->ground[i], i) ? 1 : 0;
        set_material(system, i);
    }
    paper_wait(worker);
    if (worker->leads) {
        set_nobody(paper);
        place_flats(system);
    }
    paper_wait(worker);
    collect_flats(system, h, own.first, own.end);
    for (int32_t chunk = worker->first; chunk < worker->end; chunk++) {
        fill_chunk(worker, chunk);
    }
    paper_wait(worker);
}

/// Ends it (eq. 3, section 7) with the displacements `shift`.
static void paper_end(const PaperWorker *worker, const float (*shift)[4])
{
    Particles *p = worker->system->contact.particles;
    const Span own = span_of(worker);
    const double h = worker->h;
    float sleep = (float)worker->system->contact.model->scene.particles.sleep_distance;
    for (int32_t i = own.first; i < own.end; i++) {
        const float *s = shift[i];
        // Section 7: a particle that almost came to rest keeps its place.
        bool rests = worker->system->paper->touches[i] && s[0] * s[0] + s[1] * s[1] + s[2] * s[2] < sleep * sleep;
        if (rests) {
            p->vx[i] = p->vy[i] = p->vz[i] = 0.0;
            continue;
        }
        // Eq. 3: v = (p - x) / h, x = p; as a change of the predicted velocity, so that free flight is not rounded.
        p->vx[i] += (double)(s[0] - predict(p->vx[i], 0.0, h)) / h;
        p->vy[i] += (double)(s[1] - predict(p->vy[i], 0.0, h)) / h;
        p->vz[i] += (double)(s[2] - predict(p->vz[i], -worker->system->contact.model->gravity, h)) / h -
                    worker->system->contact.model->gravity * h;
        p->x[i] += h * p->vx[i];
        p->y[i] += h * p->vy[i];
        p->z[i] += h * p->vz[i];
    }
}

/// ---- iterations ----------------------------------------------------------------------------------------------------
/// The published solver, Parallel Particles (D. Holz, VRIPHYS 2014, "P2"), and its sequential reference.
///
/// p2: Jacobi over particles in parallel, corrections averaged (eq. 9), error reduction (eq. 37).
/// gs: the same constraints one after another, each applied at once, without error reduction, as in the paper's figure
/// 5. Equations: paper_contact.h (22, 23, 30-36), paper_kernel.h (9, 37), above (2, 3, 21, 28, sleeping).

static Lanes one(float value)
{
    return (Lanes){value};
}

/// Correction of a particle with displacement `shift` by its contact with a plane, into flat->correction (none: zero).
/// Returns whether the constraint is violated.
static bool paper_correct_flat(PaperFlat *flat, const PaperStep *step, const float *shift)
{
    LaneVector normal = {one(flat->normal[0]), one(flat->normal[1]), one(flat->normal[2])};
    LaneVector relative = {one(shift[0] - flat->other[0]), one(shift[1] - flat->other[1]),
                           one(shift[2] - flat->other[2])};
    PaperTouch touch;
    LaneBits touches = paper_touch_plane(one(flat->gap), normal, relative, &touch);
    flat->correction[0] = flat->correction[1] = flat->correction[2] = 0.0F;
    if (!touches[0]) {
        return false;
    }
    PaperLaw law = {one(flat->stiffness), one(flat->damping), one(flat->friction), one(flat->pull),
                    one(flat->inverse_radius)};
    LaneVector c = paper_correct(&law, step->static_ratio, step->macklin, true, &touch);
    flat->correction[0] = flat->share * c.x[0];
    flat->correction[1] = flat->share * c.y[0];
    flat->correction[2] = flat->share * c.z[0];
    return true;
}

/// ---- bodies (section 6.6) ------------------------------------------------------------------------------------------

/// Hands the body what `moved` (m, of the particle) means as force x h^2 (N s2), by eq. 34: m lambda.
static void push_body(const PaperSystem *system, const PaperFlat *flat, const float moved[3])
{
    float mass = (float)(system->contact.particles->mass[flat->i] * SOIL_QUANTUM);
    float lambda[3] = {mass * moved[0], mass * moved[1], mass * moved[2]};
    solver_body_take(&system->contact.bodies[flat->body], &system->contact.contacts->bodies[flat->contact], lambda);
}

static bool yields(const SoilTool *tool)
{
    const Mat3 zero = {0};
    return tool->motion.inverse_mass > 0.0 || memcmp(&tool->motion.inertia_inverse, &zero, sizeof zero) != 0;
}

static bool is_movable(const PaperSystem *system, const PaperFlat *flat)
{
    return flat->body >= 0 && yields(&system->contact.bodies[flat->body].tool);
}

/// A body with a finite mass yields within the step: told of the forces only afterwards, it rings under a heavy load.
static void follow_body(const PaperSystem *system, PaperFlat *flat)
{
    float motion[3];
    solver_body_motion(&system->contact.bodies[flat->body], &system->contact.contacts->bodies[flat->contact], motion);
    for (int axis = 0; axis < 3; axis++) {
        flat->other[axis] = flat->predicted[axis] + motion[axis];
    }
}

static void move_bodies(const PaperSystem *system)
{
    Paper *paper = system->paper;
    int32_t flats = paper->flat_first[system->contact.particles->count];
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(system, &paper->flats[k])) {
            push_body(system, &paper->flats[k], paper->flats[k].correction);
        }
    }
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(system, &paper->flats[k])) {
            follow_body(system, &paper->flats[k]);
        }
    }
}

/// What is left when the step ends: bodies that do not yield get their sums.
static void finish_bodies(const PaperSystem *system)
{
    Paper *paper = system->paper;
    for (int32_t k = 0; k < paper->flat_first[system->contact.particles->count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body < 0) {
            continue;
        }
        if (!is_movable(system, flat)) {
            push_body(system, flat, flat->total);
        }
        system->contact.bodies[flat->body].contacts +=
            flat->total[0] != 0.0F || flat->total[1] != 0.0F || flat->total[2] != 0.0F;
    }
}

/// ---- gs ------------------------------------------------------------------------------------------------------------

static void visit_pair(Paper *paper, const PaperStep *step, const PaperPair *pair)
{
    float *a = paper->shift[0][pair->i], *b = paper->shift[0][pair->j];
    LaneVector start = {one(pair->start[0]), one(pair->start[1]), one(pair->start[2])};
    LaneVector relative = {one(a[0] - b[0]), one(a[1] - b[1]), one(a[2] - b[2])};
    PaperTouch touch;
    LaneBits touches = paper_touch_particle(start, relative, one(a[3] + b[3]), &touch);
    if (!touches[0]) {
        return;
    }
    PaperLaw law = {one(pair->stiffness), one(pair->damping), one(pair->friction), one(pair->pull),
                    one(pair->inverse_radius)};
    LaneVector c = paper_correct(&law, step->static_ratio, step->macklin, true, &touch);
    const float correction[3] = {c.x[0], c.y[0], c.z[0]};
    for (int axis = 0; axis < 3; axis++) {
        a[axis] += pair->share_i * correction[axis];
        b[axis] -= pair->share_j * correction[axis];
    }
    paper->touches[pair->i] = paper->touches[pair->j] = 1;
}

static void visit_flat(const PaperSystem *system, const PaperStep *step, PaperFlat *flat)
{
    Paper *paper = system->paper;
    float *a = paper->shift[0][flat->i];
    bool movable = is_movable(system, flat);
    if (movable) {
        follow_body(system, flat);
    }
    if (!paper_correct_flat(flat, step, a)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] += flat->correction[axis];
        flat->total[axis] += flat->correction[axis];
    }
    if (movable) {
        push_body(system, flat, flat->correction);
    }
    paper->touches[flat->i] = 1;
}

static void iterate_in_turn(const PaperSystem *system, const PaperStep *step)
{
    Paper *paper = system->paper;
    memset(paper->touches, 0, (size_t)system->contact.particles->count);
    for (int32_t k = 0; k < paper->pair_count; k++) {
        visit_pair(paper, step, &paper->pairs[k]);
    }
    for (int32_t k = 0; k < paper->flat_first[system->contact.particles->count]; k++) {
        visit_flat(system, step, &paper->flats[k]);
    }
}

/// ---- p2 ------------------------------------------------------------------------------------------------------------

static bool any_yields(const PaperSystem *system)
{
    bool yielding = false;
    for (int body = 0; body < system->contact.body_count; body++) {
        yielding = yielding || yields(&system->contact.bodies[body].tool);
    }
    return yielding;
}

/// Iterations go to and fro between the two arrays of displacements. Returns the last one written.
static int iterate_in_parallel(const PaperWorker *worker)
{
    Paper *paper = worker->system->paper;
    const PaperKernel *kernel = paper_kernel_choose(worker->system);
    const int32_t chunk = PAPER_CHUNK / PAPER_BATCH;
    const int iterations = worker->system->contact.model->scene.particles.iterations;
    const bool moves = any_yields(worker->system);
    for (int iteration = 0; iteration < iterations; iteration++) {
        const float(*from)[4] = (const float(*)[4])paper->shift[iteration & 1];
        float(*to)[4] = paper->shift[1 - (iteration & 1)];
        for (int32_t k = worker->first; k < worker->end; k++) {
            kernel->average(paper, worker->step, from, to, k * chunk, (k + 1) * chunk);
        }
        paper_wait(worker);
        if (moves && worker->leads) {
            move_bodies(worker->system);
        }
        if (moves) {
            paper_wait(worker);
        }
    }
    return iterations & 1;
}

/// What one thread does of a step.
static void take_step(const PaperWorker *worker)
{
    int last = 0;
    paper_begin(worker);
    if (worker->step->jacobi) {
        last = iterate_in_parallel(worker);
    } else {
        if (worker->leads) {
            paper_list_pairs(worker->system, worker->step);
            for (int iteration = 0; iteration < worker->system->contact.model->scene.particles.iterations;
                 iteration++) {
                iterate_in_turn(worker->system, worker->step);
            }
        }
        paper_wait(worker);
    }
    paper_end(worker, (const float(*)[4])worker->system->paper->shift[last]);
}

void paper_solve(const PaperSystem *system, double h, bool jacobi)
{
    PaperStep step;
    paper_ground_contacts_begin(&system->contact, h);
    solver_bodies_reset(&system->contact);
    body_contacts_begin(&system->contact, h, 0, system->contact.contacts->body_count);
    paper_set_step(system, h, jacobi, &step);
    paper_work(system, &step, h, take_step);
    finish_bodies(system);
}

void paper_show_contacts(const PaperSystem *system, Probe *probe)
{
    const Paper *paper = system->paper;
    const Particles *p = system->contact.particles;
    for (int32_t k = 0; k < paper->flat_first[p->count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body >= 0) {
            double scale = p->mass[flat->i] * SOIL_QUANTUM / (probe->substep * probe->substep);
            Vec3 moved = vec3((double)flat->total[0], (double)flat->total[1], (double)flat->total[2]);
            probe_note_contact(probe, system->contact.bodies, &system->contact.contacts->bodies[flat->contact],
                               p->id[flat->i], vec3_scale(moved, scale));
        }
    }
}
