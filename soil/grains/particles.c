/// Storage of the particles, one array a field.
///
/// All that treats every field alike (creation, removal, sorting, hash, save and restore) is written once over the
/// list of fields in particles.h. Sorting copies a field through a buffer, several fields at a time on the members of
/// a team.
#include "soil/grains/particles.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"

bool particles_create(Particles *particles, int capacity)
{
    memset(particles, 0, sizeof *particles);
    particles->capacity = capacity;
    size_t n = (size_t)capacity, bytes = 0;
#define X(type, name) bytes += zeroed_room(n, sizeof(type));
    PARTICLE_FIELDS(X)
#undef X
    unsigned char *at = particles->memory = zeroed_alloc(bytes, 1);
    if (at == NULL) {
        return false;
    }
#define X(type, name)                                                                                                  \
    particles->name = (void *)at;                                                                                      \
    at += zeroed_room(n, sizeof(type));
    PARTICLE_FIELDS(X)
#undef X
    return true;
}

void particles_destroy(Particles *particles)
{
    zeroed_free(particles->memory);
    memset(particles, 0, sizeof *particles);
}

void particles_give_back(Particles *particles)
{
    size_t count = (size_t)particles->count, capacity = (size_t)particles->capacity;
#define X(type, name) zeroed_give_back_elements(particles->memory, particles->name, sizeof(type), count, capacity);
    PARTICLE_FIELDS(X)
#undef X
}

int particles_add(Particles *particles)
{
    if (particles->count == particles->capacity) {
        return -1;
    }
    int i = particles->count++;
#define X(type, name) particles->name[i] = 0;
    PARTICLE_FIELDS(X)
#undef X
    particles->id[i] = particles->next_id++;
    return i;
}

void particles_remove_empty(Particles *particles, int32_t *where)
{
    int kept = 0;
    for (int i = 0; i < particles->count; i++) {
        where[i] = particles->mass[i] == 0 ? -1 : kept;
        if (particles->mass[i] == 0) {
            continue;
        }
        if (kept != i) {
#define X(type, name) particles->name[kept] = particles->name[i];
            PARTICLE_FIELDS(X)
#undef X
        }
        kept++;
    }
    particles->count = kept;
}

/// One field of all particles.
typedef struct Field {
    void *values;
    size_t size;
} Field;

static void permute_field(const Field *field, const int32_t *order, size_t n, void *buffer)
{
    if (field->size == sizeof(uint64_t)) {
        uint64_t *values = field->values, *sorted = buffer;
        for (size_t k = 0; k < n; k++) {
            sorted[k] = values[order[k]];
        }
    } else if (field->size == sizeof(uint32_t)) {
        uint32_t *values = field->values, *sorted = buffer;
        for (size_t k = 0; k < n; k++) {
            sorted[k] = values[order[k]];
        }
    } else if (field->size == sizeof(uint16_t)) {
        uint16_t *values = field->values, *sorted = buffer;
        for (size_t k = 0; k < n; k++) {
            sorted[k] = values[order[k]];
        }
    } else {
        uint8_t *values = field->values, *sorted = buffer;
        for (size_t k = 0; k < n; k++) {
            sorted[k] = values[order[k]];
        }
    }
    memcpy(field->values, buffer, n * field->size);
}

/// Fields that are still to be sorted; each member takes the next one.
typedef struct Permutation {
    const Field *fields;
    int count;
    atomic_int next;
    const int32_t *order;
    size_t n; ///< particles
    uint64_t *buffers; ///< [PARTICLE_BUFFERS][n]
} Permutation;

static void permute_fields(void *context, int member, int members)
{
    Permutation *self = context;
    (void)members;
    if (member >= PARTICLE_BUFFERS) {
        return; // it has no buffer
    }
    for (int k = atomic_fetch_add(&self->next, 1); k < self->count; k = atomic_fetch_add(&self->next, 1)) {
        permute_field(&self->fields[k], self->order, self->n, self->buffers + (size_t)member * self->n);
    }
}

void particles_permute(Particles *particles, const int32_t *order, Team *team, Scratch *scratch)
{
    size_t n = (size_t)particles->count;
    const Field fields[] = {
#define X(type, name) {particles->name, sizeof(type)},
        PARTICLE_FIELDS(X)
#undef X
    };
    uint64_t *buffers = scratch_take(scratch, "fields being sorted", PARTICLE_BUFFERS * n, sizeof *buffers);
    Permutation permutation = {
        .fields = fields, .count = sizeof fields / sizeof fields[0], .order = order, .n = n, .buffers = buffers};
    team_run(team, n > PARTICLES_WORTH_THREADS, permute_fields, &permutation);
    scratch_give_back(scratch, buffers);
}

/// What members share while they measure.
typedef struct ExtentSearch {
    const Particles *particles;
    ParticlesExtent found[TEAM_MOST_MEMBERS]; ///< by each member
} ExtentSearch;

static const ParticlesExtent no_extent = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                          .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void measure_own(void *context, int member, int members)
{
    ExtentSearch *search = context;
    const Particles *p = search->particles;
    TeamPart part = team_part(p->count, member, members);
    ParticlesExtent found = no_extent;
    for (int32_t i = part.first; i < part.end; i++) {
        double x = p->x[i], y = p->y[i], z = p->z[i];
        found.low = vec3(lesser_of(x, found.low.x), lesser_of(y, found.low.y), lesser_of(z, found.low.z));
        found.high = vec3(greater_of(x, found.high.x), greater_of(y, found.high.y), greater_of(z, found.high.z));
        found.radius = greater_of((double)p->radius[i], found.radius);
        found.square = greater_of(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i], found.square);
    }
    search->found[member] = found;
}

ParticlesExtent particles_extent(const Particles *particles, Team *team)
{
    ExtentSearch search; // of the rest, what members write
    search.particles = particles;
    bool together = particles->count > PARTICLES_WORTH_THREADS;
    team_run(team, together, measure_own, &search);
    ParticlesExtent all = no_extent;
    for (int k = 0; k < (together ? team_members(team) : 1); k++) {
        const ParticlesExtent *own = &search.found[k];
        all.low =
            vec3(lesser_of(own->low.x, all.low.x), lesser_of(own->low.y, all.low.y), lesser_of(own->low.z, all.low.z));
        all.high = vec3(greater_of(own->high.x, all.high.x), greater_of(own->high.y, all.high.y),
                        greater_of(own->high.z, all.high.z));
        all.radius = greater_of(own->radius, all.radius);
        all.square = greater_of(own->square, all.square);
    }
    return all;
}

int64_t particles_total(const Particles *particles)
{
    int64_t total = 0;
    for (int i = 0; i < particles->count; i++) {
        total += particles->mass[i];
    }
    return total;
}

static const StateName recorded[] = {{"particles.ground_lambda_x", "particles.ground_impulse_x"},
                                     {"particles.ground_lambda_y", "particles.ground_impulse_y"},
                                     {"particles.ground_lambda_z", "particles.ground_impulse_z"}};

void particles_visit(Particles *particles, StateVisitor *visitor)
{
    int32_t count = visitor->measuring ? particles->capacity : particles->count;
    STATE_VISIT(visitor, "particles.count", count);
    STATE_VISIT(visitor, "particles.next_id", particles->next_id);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > particles->capacity) {
            visitor->failed = true;
            return;
        }
        particles->count = count;
    }
#define X(type, name)                                                                                                  \
    state_visit_array(visitor, state_recorded_name(recorded, sizeof recorded / sizeof *recorded, "particles." #name),  \
                      particles->name, sizeof(type), (size_t)count);
    PARTICLE_FIELDS(X)
#undef X
}

bool particles_are_valid(const Particles *particles, int soil_count, double reach)
{
    const Particles *p = particles;
    for (int i = 0; i < p->count; i++) {
        double speed = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        bool good = p->soil[i] < soil_count && p->mass[i] > 0 && p->mass[i] < 1000000000;
        good = good && p->radius[i] > 1e-4F && p->radius[i] < 1.0F && speed < 1e6; // m2/s2
        good = good && fabs(p->x[i]) < reach && fabs(p->y[i]) < reach && fabs(p->z[i]) < 1e4;
        good = good && fabsf(p->ground_rest[i]) < 1e3F && fabsf(p->ground_gap[i]) < 1e4F;
        good = good && fabsf(p->slack[i]) < 1e3F && p->path[i] >= -1.0F;
        good = good && fabsf(p->ground_lambda_x[i]) < 1e12F && fabsf(p->ground_lambda_y[i]) < 1e12F;
        if (!good || !(fabsf(p->ground_lambda_z[i]) < 1e12F)) {
            return false;
        }
    }
    return true;
}

bool particles_are_finite(const Particles *particles)
{
    for (int i = 0; i < particles->count; i++) {
        double sum = particles->x[i] + particles->y[i] + particles->z[i] + particles->vx[i] + particles->vy[i] +
                     particles->vz[i];
        if (!isfinite(sum)) {
            return false;
        }
    }
    return true;
}
