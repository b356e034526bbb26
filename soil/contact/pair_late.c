/// Finds particles that have left the way on which the list of pairs counts, and lists what they may now meet.
///
/// The list allows for particles that go on as they went. In most ticks one to three of thousands hit something and do
/// not; their pairs go to a block of their own, which is visited after all others (pair_late.c).

#include "soil/contact/pair_update.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"

/// ---- who has deviated ----------------------------------------------------------------------------------------------

/// m: how far a particle is from where it would be, had it gone on as at the tick's start, or fallen from there on.
static double deviation_of(const ContactSystem *system, int32_t i, double fall)
{
    const Particles *p = system->particles;
    double shift[3], t = system->tick->elapsed;
    row_shift(&system->tick->rows[i], p, i, shift);
    double x = shift[0] - p->vx[i] * t, y = shift[1] - p->vy[i] * t, z = shift[2] - p->vz[i] * t;
    z = fabs(z) < fabs(z + fall) ? z : z + fall;
    return sqrt(x * x + y * y + z * z);
}

static double fall_of(const ContactSystem *system)
{
    return 0.5 * system->model->gravity * system->tick->elapsed * (system->tick->elapsed + system->tick->last_h);
}

/// m2/s2: how much the velocity differs from that at the tick's start, but for what it may have fallen.
static float change_of(const Particles *p, const Row *row, int32_t i, float falling)
{
    float x = row->speed[0] - (float)p->vx[i], y = row->speed[1] - (float)p->vy[i];
    float z = row->speed[2] - (float)p->vz[i], fallen = z + falling;
    return x * x + y * y + smaller(z * z, fallen * fallen);
}

float late_pairs_least_change(const ContactSystem *system)
{
    const ContactTick *tick = system->tick;
    return (float)(0.5 * PAIR_SKIN * system->model->particle_radius / (tick->elapsed + tick->left));
}

/// Writes those of particles [first, end) that deviate, room for LATE_PARTICLES. Returns how many there are. What has
/// kept its velocity is where it would be; what once has not is looked at from then on.
static int find_deviating(const ContactSystem *system, int32_t first, int32_t end, int32_t *deviating)
{
    const double fall = fall_of(system), more = 0.5 * PAIR_SKIN * system->model->particle_radius;
    const float least = late_pairs_least_change(system), slow = 0.25F * least * least;
    const float falling = (float)(system->model->gravity * system->tick->elapsed);
    int found = 0;
    for (int32_t i = first; i < end && found <= LATE_PARTICLES; i++) {
        float *deviation = &system->tick->deviation[i];
        const Row *row = &system->tick->rows[i];
        float x = row->speed[0], y = row->speed[1], z = row->speed[2];
        if ((*deviation < 0.0F && x * x + y * y + z * z < slow) ||
            (*deviation <= 0.0F && change_of(system->particles, row, i, falling) < least * least)) {
            continue;
        }
        *deviation = *deviation > 0.0F ? *deviation : FLT_MIN;
        double allowed = more + fmax((double)system->particles->slack[i], 0.0) + (double)*deviation;
        if (deviation_of(system, i, fall) > allowed) {
            if (found < LATE_PARTICLES) {
                deviating[found] = i;
            }
            found++;
        }
    }
    return found;
}

/// Into ascending order, whichever thread found them first.
static void sort(int32_t *numbers, int count)
{
    for (int a = 1; a < count; a++) {
        int32_t number = numbers[a];
        int b = a;
        for (; b > 0 && numbers[b - 1] > number; b--) {
            numbers[b] = numbers[b - 1];
        }
        numbers[b] = number;
    }
}

/// What members share while they look.
typedef struct DeviationSearch {
    const ContactSystem *system;
    int32_t *deviating; ///< [LATE_PARTICLES], in any order
    atomic_int found; ///< of all members
} DeviationSearch;

static void find_own_deviating(void *context, int member, int members)
{
    DeviationSearch *search = context;
    TeamPart part = team_part(search->system->particles->count, member, members);
    int32_t own[LATE_PARTICLES];
    int more = find_deviating(search->system, part.first, part.end, own);
    int place = atomic_fetch_add(&search->found, more);
    for (int k = 0; k < more && place + k < LATE_PARTICLES; k++) {
        search->deviating[place + k] = own[k];
    }
}

int late_pairs_find_deviating(const ContactSystem *system, int32_t deviating[LATE_PARTICLES])
{
    DeviationSearch search = {.system = system, .deviating = deviating};
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, find_own_deviating, &search);
    int found = atomic_load(&search.found);
    found = found > LATE_PARTICLES ? LATE_PARTICLES + 1 : found;
    sort(deviating, found > LATE_PARTICLES ? 0 : found);
    return found;
}

/// ---- pairs by their particles --------------------------------------------------------------------------------------

static void pair_index_add(const ContactSystem *system, int32_t k)
{
    const PairList *list = system->pairs;
    int32_t lower = list->i[k] < list->j[k] ? list->i[k] : list->j[k];
    list->old.i[k] = system->build->head[lower];
    system->build->head[lower] = k;
}

static void pair_index_make(const ContactSystem *system)
{
    const PairList *list = system->pairs;
    const int32_t *first = list->i, *second = list->j;
    int32_t *head = system->build->head, *next = list->old.i;
    memset(head, 0xFF, (size_t)system->particles->count * sizeof *head); // -1
    for (int32_t batch = 0; batch < list->batches; batch++) {
        for (int32_t k = batch * BATCH, end = k + list->used[batch]; k < end; k++) {
            int32_t lower = first[k] < second[k] ? first[k] : second[k];
            next[k] = head[lower];
            head[lower] = k;
        }
    }
    system->tick->indexed = true;
}

static int32_t pair_index_find(const ContactSystem *system, int32_t i, int32_t j)
{
    const PairList *list = system->pairs;
    int32_t k = system->build->head[i < j ? i : j];
    while (k >= 0 && list->i[k] + list->j[k] != i + j) {
        k = list->old.i[k];
    }
    return k;
}

/// ---- what they may meet --------------------------------------------------------------------------------------------

/// The new pair has no past: overlap, of which there should be none, holds no energy (pair_build.c).
static bool add_pair(const ContactSystem *system, int32_t i, int32_t j, float gap)
{
    PairList *list = system->pairs;
    int32_t k = pair_list_insert_late(list, i, j, system->particles->capacity);
    if (k < 0) {
        return false;
    }
    list->rest[k] = smaller(gap, 0.0F);
    list->held[k / BATCH] = PAIR_HELD; // where it holds: who sleeps is not known here
    pair_index_add(system, k);
    return true;
}

/// What two may close in the rest of the tick, as they move now.
static float closing_of(const ContactSystem *system, const Row *a, const Row *b)
{
    float x = a->speed[0] - b->speed[0], y = a->speed[1] - b->speed[1], z = a->speed[2] - b->speed[2];
    return (float)(PAIR_APPROACH * system->tick->left) * sqrtf(x * x + y * y + z * z);
}

static bool add_pairs_in_cell(const ContactSystem *system, int32_t i, int rank)
{
    const Neighbours *grid = system->neighbours;
    const Row *own = &system->tick->rows[i];
    const float skin = (float)(0.5 * PAIR_SKIN * system->model->particle_radius);
    for (int32_t k = grid->start[rank]; k < grid->start[rank + 1]; k++) {
        int32_t j = grid->item[k];
        const Row *row = &system->tick->rows[j];
        float x = (float)row_metres(own->x, row->x), y = (float)row_metres(own->y, row->y);
        float z = (float)row_metres(own->z, row->z), touch = own->radius + row->radius;
        float near = touch + skin + larger(system->particles->slack[j], skin) + closing_of(system, own, row),
              square = x * x + y * y + z * z;
        bool meets = j != i && square < near * near;
        if (meets && pair_index_find(system, i, j) < 0 && !add_pair(system, i, j, sqrtf(square) - touch)) {
            return false;
        }
    }
    return true;
}

/// Its contact with the ground, where it has none yet and may touch it in the rest of the tick. False without room.
static bool add_ground_of(const ContactSystem *system, int32_t i)
{
    if (system->particles->ground_near[i]) {
        return true;
    }
    Vec3 at, velocity;
    contact_particle_state(system->particles, system->tick->rows, i, &at, &velocity);
    double fall = system->model->gravity * system->tick->left,
           way = PAIR_APPROACH * system->tick->left * (vec3_length(velocity) + fall);
    return ground_contact_is_far(system, i, at, way + PAIR_SKIN * system->model->particle_radius) ||
           ground_contacts_add(system, i);
}

/// Pairs of one particle with those that were, at the tick's start, up to two cells away.
static bool add_pairs_of(const ContactSystem *system, int32_t i)
{
    const Neighbours *grid = system->neighbours;
    const Particles *p = system->particles;
    int cx, cy;
    neighbours_cell_of(grid, p->x[i], p->y[i], &cx, &cy);
    bool good = true;
    for (int c = 0; good && c < 25; c++) {
        int rank = neighbours_rank(grid, cx + c % 5 - 2, cy + c / 5 - 2);
        good = rank < 0 || add_pairs_in_cell(system, i, rank);
    }
    return good;
}

/// From now on it may deviate by what it has, and by what its new velocity differs from that at the start.
static void allow_for(const ContactSystem *system, int32_t i, double fall)
{
    const Particles *p = system->particles;
    const Row *row = &system->tick->rows[i];
    double x = (double)row->speed[0] - p->vx[i], y = (double)row->speed[1] - p->vy[i];
    double z = (double)row->speed[2] - p->vz[i] + system->model->gravity * system->tick->elapsed;
    system->tick->deviation[i] =
        (float)(deviation_of(system, i, fall) + system->tick->left * sqrt(x * x + y * y + z * z));
}

bool late_pairs_add(const ContactSystem *system, const int32_t *deviating, int count)
{
    double fall = fall_of(system);
    if (count == 0) {
        return true;
    }
    system->tick->late += count;
    if (!system->tick->placed &&
        !neighbours_place(system->neighbours, system->particles, pair_cell(system), system->team, system->scratch)) {
        abort(); // no memory for the cells: nothing right can follow
    }
    system->tick->placed = true;
    if (!system->tick->indexed) {
        pair_index_make(system);
    }
    for (int k = 0; k < count; k++) {
        if (!add_ground_of(system, deviating[k]) || !add_pairs_of(system, deviating[k])) {
            return false;
        }
        allow_for(system, deviating[k], fall);
    }
    return true;
}
