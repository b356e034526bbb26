/// Begins and ends a step of the published solvers: prediction, contact data, new velocities.
///
/// Holz 2014, eqs. 2 and 3, and sleeping (section 7). Contacts with planes, ground or bodies, are collected by
/// particle, so that Jacobi may visit each particle's contacts together.
#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/published/paper.h"
#include "soil/published/paper_relax.h"

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

void paper_list_pairs(const PaperSystem *system, const PaperStep *step)
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

void paper_set_step(const PaperSystem *system, double h, bool jacobi, PaperStep *step)
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

void paper_begin(const PaperWorker *worker)
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

void paper_end(const PaperWorker *worker, const float (*shift)[4])
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
