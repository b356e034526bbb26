/// Finds particles that have left the way on which the list of pairs counts, and lists what they may now meet.
///
/// The list allows for particles that go on as they went. In most ticks one to three of thousands hit something and do
/// not; their pairs go to a block of their own, which is visited after all others (pair_late.h).
#include "soil/contact/pair_late.h"

#include <math.h>
#include <stdatomic.h>

#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"
#include "soil/contact/tool_sweep.h"

/// ---- who has deviated ----------------------------------------------------------------------------------------------

/// m: how far a particle is from where it would be, had it gone on as at the tick's start.
static double deviation_of(const ContactSystem *system, int32_t i, double fall)
{
    const Particles *p = system->particles;
    double shift[3], t = system->tick->elapsed;
    row_shift(&system->tick->rows[i], p, i, shift);
    double x = shift[0] - p->vx[i] * t, y = shift[1] - p->vy[i] * t, z = shift[2] - p->vz[i] * t + fall;
    return sqrt(x * x + y * y + z * z);
}

static double fall_of(const ContactSystem *system)
{
    return 0.5 * system->model->gravity * system->tick->elapsed * (system->tick->elapsed + system->tick->last_h);
}

/// Writes those of particles [first, end) that deviate, room for LATE_PARTICLES. Returns how many there are.
static int find_deviating(const ContactSystem *system, const ToolSweep *sweep, int32_t first, int32_t end,
                          int32_t *deviating)
{
    double fall = fall_of(system),
           allowed = PAIR_SKIN * system->model->particle_radius; // of a pair seldom both deviate so far
    int found = 0;
    for (int32_t i = first; i < end && found <= LATE_PARTICLES; i++) {
        double more = allowed + (double)system->tick->rows[i].deviation, deviation = deviation_of(system, i, fall);
        if (deviation > more && deviation > more + tool_sweep_reach(sweep, system->particles, i)) {
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
    ToolSweep sweep;
    int32_t *deviating; ///< [LATE_PARTICLES], in any order
    atomic_int found; ///< of all members
} DeviationSearch;

static void find_own_deviating(void *context, int member, int members)
{
    DeviationSearch *search = context;
    TeamPart part = team_part(search->system->particles->count, member, members);
    int32_t own[LATE_PARTICLES];
    int more = find_deviating(search->system, &search->sweep, part.first, part.end, own);
    int place = atomic_fetch_add(&search->found, more);
    for (int k = 0; k < more && place + k < LATE_PARTICLES; k++) {
        search->deviating[place + k] = own[k];
    }
}

int late_pairs_find_deviating(const ContactSystem *system, int32_t deviating[LATE_PARTICLES])
{
    DeviationSearch search = {.system = system, .deviating = deviating};
    tool_sweep_find(&search.sweep, system, system->tick->left + system->tick->elapsed);
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, find_own_deviating, &search);
    int found = atomic_load(&search.found);
    found = found > LATE_PARTICLES ? LATE_PARTICLES + 1 : found;
    sort(deviating, found > LATE_PARTICLES ? 0 : found);
    return found;
}

/// ---- what they may meet --------------------------------------------------------------------------------------------

/// The block a particle is in.
static int32_t block_of(const PairList *list, int32_t particle)
{
    int32_t low = 0, high = list->colour_first[NEIGHBOUR_COLOURS];
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (list->block_particle[middle] <= particle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_in_block(const PairList *list, int32_t block, int32_t i, int32_t j)
{
    int found = 0;
    for (int32_t k = list->block_first[block] * BATCH; k < list->block_first[block + 1] * BATCH; k++) {
        found |= ((list->i[k] == i) & (list->j[k] == j)) | ((list->i[k] == j) & (list->j[k] == i));
    }
    return found != 0;
}

/// A pair is listed by one of its two, or it was late.
static bool is_listed(const PairList *list, int32_t i, int32_t j)
{
    return is_in_block(list, block_of(list, i), i, j) || is_in_block(list, block_of(list, j), i, j) ||
           is_in_block(list, list->colour_first[NEIGHBOUR_COLOURS], i, j);
}

static bool has_either(const PairList *list, int32_t batch, int32_t i, int32_t j)
{
    bool found = false;
    for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
        found = found || list->i[k] == i || list->i[k] == j || list->j[k] == i || list->j[k] == j;
    }
    return found;
}

/// The first batch of the late block that has room for a pair, a new one if there is none; -1 without room.
static int32_t late_batch(PairList *list, int32_t i, int32_t j, int32_t nothing)
{
    int32_t late = list->colour_first[NEIGHBOUR_COLOURS], first = list->block_first[late];
    for (int32_t batch = first; batch < list->batches; batch++) {
        if (list->used[batch] < BATCH && !has_either(list, batch, i, j)) {
            return batch;
        }
    }
    if (list->batches == list->capacity || list->batches - first == LATE_BATCHES) {
        return -1;
    }
    int32_t batch = list->batches++;
    list->block_first[late + 1] = list->batches;
    list->used[batch] = 0;
    pair_list_pad(list, batch, nothing);
    return batch;
}

/// The new pair has no past: overlap, of which there should be none, holds no energy (pair_build.c).
static bool add_pair(const ContactSystem *system, int32_t i, int32_t j, float gap)
{
    PairList *list = system->pairs;
    int32_t batch = late_batch(list, i, j, system->particles->capacity);
    if (batch < 0) {
        return false;
    }
    size_t k = (size_t)batch * BATCH + list->used[batch]++;
    list->i[k] = i;
    list->j[k] = j;
    list->rest[k] = smaller(gap, 0.0F);
    list->awake[batch] = 1;
    pair_list_set_kind(list, batch);
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
    const float skin = (float)(PAIR_SKIN * system->model->particle_radius);
    for (int32_t j = grid->start[rank]; j < grid->start[rank + 1]; j++) {
        const Row *row = &system->tick->rows[j];
        float x = (float)row_metres(own->x, row->x), y = (float)row_metres(own->y, row->y);
        float z = (float)row_metres(own->z, row->z), touch = own->radius + row->radius;
        float near = touch + skin + closing_of(system, own, row), square = x * x + y * y + z * z;
        bool meets = j != i && square < near * near;
        if (meets && !is_listed(system->pairs, i, j) && !add_pair(system, i, j, sqrtf(square) - touch)) {
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
    for (int k = 0; k < count; k++) {
        if (!add_ground_of(system, deviating[k]) || !add_pairs_of(system, deviating[k])) {
            return false;
        }
        allow_for(system, deviating[k], fall);
    }
    pair_list_weigh(system->pairs);
    return true;
}
