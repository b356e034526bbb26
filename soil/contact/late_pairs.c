/// Finds particles that have left the way on which the list of pairs counts, and lists what they may now meet.
///
/// The list allows for particles that go on as they went. In most ticks one to three of thousands hit something and do
/// not; their pairs go to a block of their own, which is visited after all others.
#include "soil/contact/late_pairs.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"
#include "soil/contact/pair_update.h"
#include "soil/pairs/pair_list.h"

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

float late_pairs_least_change(const ContactSystem *system)
{
    const ContactTick *tick = system->tick;
    return (float)(0.5 * PAIR_SKIN * system->model->particle_radius / (tick->elapsed + tick->left));
}

/// Writes those of every so many pieces of the particles that deviate, room for LATE_PARTICLES. Returns how many there
/// are. What has kept its velocity is where it would be; what once has not is looked at from then on. Those that are
/// looked at lie close together.
static int find_deviating(const ContactSystem *system, int member, int members, int32_t *deviating)
{
    enum { PIECE = 128 }; // particles at a time
    const Particles *p = system->particles;
    const double fall = fall_of(system), more = 0.5 * PAIR_SKIN * system->model->particle_radius;
    const float least = late_pairs_least_change(system);
    Row *rows = system->tick->rows;
    const MotionCheck check = {.rows = rows,
                               .vx = p->vx,
                               .vy = p->vy,
                               .vz = p->vz,
                               .falling = (float)(system->model->gravity * system->tick->elapsed),
                               .least_change = least * least,
                               .slow = 0.25F * least * least};
    int32_t changed[PIECE + SEARCH_LANES];
    int found = 0;
    for (int32_t first = member * PIECE; first < p->count && found <= LATE_PARTICLES; first += members * PIECE) {
        int32_t stop = p->count - first < PIECE ? p->count : first + PIECE;
        int32_t count = system->model->kernel->find_changed(&check, first, stop, changed);
        for (int32_t k = 0; k < count && found <= LATE_PARTICLES; k++) {
            int32_t i = changed[k];
            rows[i].deviation = rows[i].deviation > 0.0F ? rows[i].deviation : FLT_MIN;
            double allowed = more + fmax((double)p->slack[i], 0.0) + (double)rows[i].deviation;
            if (deviation_of(system, i, fall) > allowed) {
                if (found < LATE_PARTICLES) {
                    deviating[found] = i;
                }
                found++;
            }
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
    int32_t own[LATE_PARTICLES];
    int more = find_deviating(search->system, member, members, own);
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
    system->tick->pair_next[k] = system->tick->pair_first[lower];
    system->tick->pair_first[lower] = k;
}

/// Chains the contacts of the blocks that are a member's. Blocks of one colour share no particle.
static void index_own(void *context, int member, int members)
{
    const ContactSystem *system = context;
    const PairList *list = system->pairs;
    ContactTick *tick = system->tick;
    const int32_t *first = list->i, *second = list->j;
    int32_t *head = tick->pair_first, *next = tick->pair_next;
    TeamPart part = team_part(system->particles->count, member, members);
    memset(head + part.first, 0xFF, (size_t)(part.end - part.first) * sizeof *head); // -1
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        team_wait(system->team);
        int32_t end = list->colour_first[colour + 1];
        for (int32_t block = list->colour_first[colour] + member; block < end; block += members) {
            for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
                for (int32_t k = batch * BATCH, last = k + list->used[batch]; k < last; k++) {
                    int32_t lower = first[k] < second[k] ? first[k] : second[k];
                    next[k] = head[lower];
                    head[lower] = k;
                }
            }
        }
    }
}

static void pair_index_make(const ContactSystem *system)
{
    ContactTick *tick = system->tick;
    size_t count = (size_t)system->particles->count;
    tick->pair_first = scratch_take(system->scratch, "pairs by their particles",
                                    count + pair_most_places(system->pairs), sizeof(int32_t));
    tick->pair_next = tick->pair_first + count;
    ContactSystem shared = *system;
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, index_own, &shared);
}

static int32_t pair_index_find(const ContactSystem *system, int32_t i, int32_t j)
{
    const PairList *list = system->pairs;
    int32_t k = system->tick->pair_first[i < j ? i : j];
    while (k >= 0 && list->i[k] + list->j[k] != i + j) {
        k = system->tick->pair_next[k];
    }
    return k;
}

/// ---- what they may meet --------------------------------------------------------------------------------------------

/// The new pair has no past: overlap, of which there should be none, holds no energy (pair_update.c).
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
    Row *row = &system->tick->rows[i];
    double x = (double)row->speed[0] - p->vx[i], y = (double)row->speed[1] - p->vy[i];
    double z = (double)row->speed[2] - p->vz[i] + system->model->gravity * system->tick->elapsed;
    row->deviation = (float)(deviation_of(system, i, fall) + system->tick->left * sqrt(x * x + y * y + z * z));
}

bool late_pairs_add(const ContactSystem *system, const int32_t *deviating, int count)
{
    double fall = fall_of(system);
    if (count == 0) {
        return true;
    }
    system->tick->late += count;
    if (!system->tick->placed && !pair_place_particles(system)) {
        return false;
    }
    if (system->tick->pair_first == NULL) {
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
