/// Lists the pairs of particles that may touch, and sorts them into batches whose contacts share no particle.
///
/// Cells are searched block by block (neighbours.h). A pair goes to the first batch of its block that has room and
/// holds neither particle; those that touch come first. The order of the list is the order of Gauss-Seidel and part of
/// the state, so that it must not depend on threads. What touching contacts remember goes over from the list before.
#include "soil/contact/pair_build.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_system.h"
#include "soil/pairs/pair_batches.h"
#include "soil/pairs/pair_turns.h"

bool pair_build_create(PairBuild *build, int32_t particles, int32_t pairs)
{
    size_t n = (size_t)particles;
    build->raw_first = malloc((n + 2) * sizeof(int32_t));
    build->raw_end = malloc((n + 2) * sizeof(int32_t));
    build->head = malloc((n + 1) * sizeof(int32_t));
    build->raw_slot = malloc(((size_t)pairs + 1) * sizeof(int32_t));
    return build->raw_first != NULL && build->raw_end != NULL && build->head != NULL && build->raw_slot != NULL;
}

void pair_build_destroy(PairBuild *build)
{
    free(build->raw_first);
    free(build->raw_end);
    free(build->head);
    free(build->raw_slot);
    memset(build, 0, sizeof *build);
}

/// ---- what was ------------------------------------------------------------------------------------------------------

/// Lays aside what the contacts of the old list remember, chained by their lower particle, in new indices
/// (`where`[old]). Of each, `j` is the upper particle then and `i` the next of the chain; the lambda acts on the
/// lower. The list's own arrays are free afterwards: the search puts what it finds where the lambdas will be written
/// at the end.
static void lay_aside(PairList *list, PairBuild *build, int32_t particles, const int32_t *where, int32_t nothing)
{
    PairArrays *old = &list->old;
    int32_t kept = 0;
    for (int32_t i = 0; i < particles; i++) {
        build->head[i] = -1;
    }
    for (int32_t k = 0; k < list->batches * BATCH; k++) {
        bool pressed = list->lambda_x[k] != 0.0F || list->lambda_y[k] != 0.0F || list->lambda_z[k] != 0.0F;
        if (list->i[k] == nothing || (list->flags[k] == 0 && !pressed)) {
            continue;
        }
        int32_t i = where[list->i[k]], j = where[list->j[k]], lower = i < j ? i : j;
        float sign = i < j ? 1.0F : -1.0F;
        old->i[kept] = build->head[lower];
        old->j[kept] = i < j ? j : i;
        old->lambda_x[kept] = sign * list->lambda_x[k];
        old->lambda_y[kept] = sign * list->lambda_y[k];
        old->lambda_z[kept] = sign * list->lambda_z[k];
        old->rest[kept] = list->rest[k];
        old->strength[kept] = list->strength[k];
        old->flags[kept] = list->flags[k] | (pressed ? CONTACT_TOUCHED : 0); // it may have met in the last substep
        build->head[lower] = kept++;
    }
    build->old = old;
    build->raw_i = (void *)list->lambda_x;
    build->raw_j = (void *)list->lambda_y;
}

/// The remembered contact of a pair that touched, or -1.
static int32_t find_old(const PairBuild *build, int32_t i, int32_t j)
{
    int32_t lower = i < j ? i : j, upper = i < j ? j : i, k = build->head[lower];
    while (k >= 0 && build->old->j[k] != upper) {
        k = build->old->i[k];
    }
    return k;
}

/// ---- pairs that may touch ------------------------------------------------------------------------------------------

/// Where a thread puts the pairs it finds.
typedef struct Finder {
    const ContactSystem *system;
    PairBuild *build;
    int32_t cursor, end;
    bool full; ///< pairs were left out
} Finder;

/// A bond may have opened by CONTACT_BREAKING_OPENING from a gap of PAIR_SKIN: it is listed as long as it holds.
static bool holds_on(const Finder *finder, int32_t i, int32_t j)
{
    int32_t old = find_old(finder->build, i, j);
    return old >= 0 && (finder->build->old->flags[old] & CONTACT_BONDED) != 0;
}

float pair_holding(const SoilModel *model, int soil)
{
    bool holds = model->scene.soils[soil].contact_adhesion > 0.0;
    return holds ? 0.5F * CONTACT_BREAKING_OPENING * (float)model->particle_radius : 0.0F;
}

/// What the search found: lists the pair when the two can touch within this tick, or are so near that they may soon.
static inline void consider(Finder *finder, int32_t i, int32_t j)
{
    const ContactSystem *system = finder->system;
    const SearchPlaces *place = system->places;
    const Particles *p = system->particles;
    float dx = place->x[i] - place->x[j], dy = place->y[i] - place->y[j], dz = place->z[i] - place->z[j];
    float square = dx * dx + dy * dy + dz * dz;
    float held = pair_holding(system->model, p->soil[i]) + pair_holding(system->model, p->soil[j]);
    if (held > 0.0F) {
        float wx = place->way_x[i] - place->way_x[j], wy = place->way_y[i] - place->way_y[j],
              wz = place->way_z[i] - place->way_z[j];
        float near = place->reach[i] + place->reach[j] - held + sqrtf(wx * wx + wy * wy + wz * wz);
        if (square > near * near && !holds_on(finder, i, j)) {
            return;
        }
    }
    finder->build->raw_i[finder->cursor] = i;
    finder->build->raw_j[finder->cursor] = j;
    float touch =
        p->radius[i] + p->radius[j] +
        (held > 0.0F ? CONTACT_ADHESIVE_SEPARATION : CONTACT_DRY_SEPARATION) * (float)system->model->particle_radius;
    finder->build->raw_slot[finder->cursor++] = square < touch * touch ? PAIR_TOUCHES : PAIR_NEAR;
}

/// Pairs of particle i with later ones of its cell and with those of the cells around.
static void find_near(Finder *finder, int32_t i, SearchAround *around)
{
    const ContactSystem *system = finder->system;
    if (search_room(around) > finder->end - finder->cursor) {
        finder->full = true;
        return;
    }
    int32_t *list = finder->build->raw_j + finder->cursor; // what is kept takes the places of what was found
    int32_t found = system->model->kernel->search(system->places, around, i, list, finder->end - finder->cursor);
    for (int32_t k = 0; k < found; k++) {
        consider(finder, i, list[k]);
    }
}

/// All pairs of a cell's particles with later ones of the cell, and with those of half the cells around: up to two
/// cells away, which is as far as blocks of one colour allow.
static void find_pairs_of_cell(Finder *finder, int cx, int cy, int rank)
{
    const Neighbours *neighbours = finder->system->neighbours;
    int32_t last = neighbours->start[rank + 1];
    if (last == neighbours->start[rank]) {
        return;
    }
    SearchAround around;
    search_look_around(finder->system->places, neighbours, cx, cy, SEARCH_FAR, &around);
    for (int32_t i = neighbours->start[rank]; i < last; i++) {
        find_near(finder, i, &around);
    }
}

static void find_pairs_of_block(Finder *finder, int32_t first)
{
    const Neighbours *neighbours = finder->system->neighbours;
    const Particles *p = finder->system->particles;
    int cx, cy;
    neighbours_cell_of(neighbours, p->x[first], p->y[first], &cx, &cy);
    cx -= cx % NEIGHBOUR_BLOCK;
    cy -= cy % NEIGHBOUR_BLOCK;
    int rank = neighbours_rank(neighbours, cx, cy); // the cells of a block follow one another
    for (int c = 0; c < NEIGHBOUR_BLOCK * NEIGHBOUR_BLOCK; c++) {
        find_pairs_of_cell(finder, cx + c % NEIGHBOUR_BLOCK, cy + c / NEIGHBOUR_BLOCK, rank + c);
    }
}

/// True for the thread whose turn a piece [first, end) of [start, stop) is.
static bool is_mine(int64_t first, int64_t end, int64_t start, int64_t stop, int thread, int threads)
{
    int64_t middle = (first + end) / 2 - start, total = stop - start;
    return total <= 0 ? thread == 0 : middle * threads / total == thread || (thread == threads - 1 && middle >= total);
}

/// Pairs of a thread's blocks, one after another into its own part of the raw arrays, which have `room`. False when
/// that was too small.
static bool find_pairs(const ContactSystem *system, int64_t room, int thread, int threads)
{
    const Neighbours *neighbours = system->neighbours;
    Finder finder = {.system = system,
                     .build = system->build,
                     .cursor = (int32_t)(room * thread / threads),
                     .end = (int32_t)(room * (thread + 1) / threads)};
    for (int block = 0; block < neighbours->block_count; block++) {
        int32_t first = neighbours->block_first[block], end = neighbours->block_first[block + 1];
        if (is_mine(first, end, 0, system->particles->count, thread, threads)) {
            system->build->raw_first[block] = finder.cursor;
            find_pairs_of_block(&finder, first);
            system->build->raw_end[block] = finder.cursor;
        }
    }
    return !finder.full;
}

/// ---- batches -------------------------------------------------------------------------------------------------------

/// Number of batches of each block into block_first[block + 1]. Blocks of one colour share no particle, nor its mask.
static void sort_blocks(const ContactSystem *system, uint64_t *masks, int thread, int threads)
{
    const Neighbours *neighbours = system->neighbours;
    const int32_t *particle = neighbours->block_first;
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        int first = neighbours->colour_first[colour], end = neighbours->colour_first[colour + 1];
        for (int block = first; block < end; block++) {
            if (is_mine(particle[block], particle[block + 1], particle[first], particle[end], thread, threads)) {
                PairBuild *build = system->build;
                system->pairs->block_first[block + 1] = pair_batches_sort(
                    build->raw_i, build->raw_j, build->raw_slot, masks, build->raw_first[block], build->raw_end[block]);
            }
        }
        team_wait(system->team);
    }
}

/// Batches that a block keeps empty for pairs that are found later. Chosen; see PAIR_LOOKS.
static int32_t spare_batches(int32_t batches)
{
    return 2 + batches / 8;
}

/// Where the blocks lie.
static void place_squares(const ContactSystem *system)
{
    PairList *list = system->pairs;
    const Neighbours *grid = system->neighbours;
    const double square = grid->cell * NEIGHBOUR_BLOCK;
    int32_t corner_x = (int32_t)floor(grid->corner_x / square + 0.5);
    int32_t corner_y = (int32_t)floor(grid->corner_y / square + 0.5);
    list->cell = grid->cell;
    for (int block = 0; block < grid->block_count; block++) {
        int32_t i = grid->block_first[block];
        int cx, cy;
        neighbours_cell_of(grid, system->particles->x[i], system->particles->y[i], &cx, &cy);
        list->block_x[block] = corner_x + cx / NEIGHBOUR_BLOCK;
        list->block_y[block] = corner_y + cy / NEIGHBOUR_BLOCK;
    }
    list->block_x[grid->block_count] = list->block_y[grid->block_count] = 0;
    pair_turns_join(list);
}

/// From numbers of batches to first batches; blocks that find no room lose their pairs. What is left over after the
/// pairs goes to the blocks as room to spare.
static void place_blocks(const ContactSystem *system)
{
    PairList *list = system->pairs;
    int32_t blocks = system->neighbours->block_count;
    list->block_count = blocks + 1; // one for late pairs
    memcpy(list->colour_first, system->neighbours->colour_first, sizeof system->neighbours->colour_first);
    list->colour_first[PAIR_COLOURS] = list->block_count;
    memcpy(list->block_particle, system->neighbours->block_first, ((size_t)blocks + 1) * sizeof(int32_t));
    list->block_particle[blocks + 1] = system->particles->count;
    system->build->raw_first[blocks] = system->build->raw_end[blocks] = 0;
    list->block_first[blocks + 1] = 0;
    list->block_first[0] = 0;
    int32_t needed = 0;
    for (int block = 0; block < blocks; block++) {
        needed += list->block_first[block + 1] + spare_batches(list->block_first[block + 1]);
    }
    bool spare = needed + LATE_BATCHES <= list->capacity;
    for (int block = 0; block < list->block_count; block++) {
        int32_t more = spare && block < blocks ? spare_batches(list->block_first[block + 1]) : 0;
        int32_t sum = list->block_first[block] + list->block_first[block + 1] + more;
        if (sum > list->capacity) {
            sum = list->block_first[block];
            system->build->raw_end[block] = system->build->raw_first[block];
        }
        list->block_first[block + 1] = sum;
    }
    list->batches = list->block_first[list->block_count];
    place_squares(system);
}

/// ---- contacts ------------------------------------------------------------------------------------------------------

/// Sets what contacts of each two soils are made of.
static void set_materials(PairList *list, const SoilModel *model, const Particles *particles)
{
    list->soils = particles->soil;
    for (int i = 0; i < model->scene.soil_count; i++) {
        for (int j = 0; j < model->scene.soil_count; j++) {
            ContactMaterial m = contact_material(model, CONTACT_PARTICLES, i, j, 1.0);
            list->materials[pair_list_kind(i, j)] =
                (PairMaterial){.compliance = (float)(1.0 / m.stiffness),
                               .damping = (float)(2.0 * m.damping_ratio),
                               .friction = (float)m.friction,
                               .bond_friction = (float)m.bond_friction,
                               .adhesion = (float)m.adhesion,
                               .remoulded = (float)m.remoulded_share,
                               .wear = (float)(1.0 / m.ductility),
                               .rebonded_strength = (float)m.rebonded_strength,
                               .strength_per_force = (float)contact_strength_per_force(&m)};
        }
    }
}

/// True when two grains are so near that one lies in the other: a bond would have no direction (contact_law.h).
static bool is_in_one_place(const ContactSystem *system, int32_t i, int32_t j)
{
    const Particles *p = system->particles;
    double least =
        contact_material(system->model, CONTACT_PARTICLES, p->soil[i], p->soil[j], (double)p->radius[i]).bond_distance;
    double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
    return dx * dx + dy * dy + dz * dz < least * least;
}

/// Strength of the bond that two have since one or both appeared, or 0. Undisturbed soil is whole; what has moved held
/// on to the ground that the other is made of, and goes on so.
static uint16_t birth_bond(const ContactSystem *system, int32_t i, int32_t j)
{
    const Particles *p = system->particles;
    bool moved_i = particle_is_disturbed(system->particles, i, system->model->particle_radius),
         moved_j = particle_is_disturbed(system->particles, j, system->model->particle_radius);
    if ((!p->newborn[i] && !p->newborn[j]) || (moved_i && moved_j) || is_in_one_place(system, i, j)) {
        return 0;
    }
    int32_t older = moved_i ? i : j;
    bool holds = p->newborn[older] == 0 && (p->ground_bond[older] & CONTACT_BONDED) != 0;
    return !moved_i && !moved_j ? PAIR_WHOLE : holds ? p->ground_strength[older] : 0;
}

void pair_begin_life(const ContactSystem *system, size_t k)
{
    const PairList *list = system->pairs;
    const Particles *p = system->particles;
    int32_t i = list->i[k], j = list->j[k];
    uint16_t bond = birth_bond(system, i, j);
    if (list->flags[k] != 0) { // it touches already, and keeps its rest gap
        list->strength[k] = bond > 0 ? bond : list->strength[k];
        list->flags[k] |= bond > 0 ? CONTACT_BONDED : 0;
        return;
    }
    double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
    double gap = sqrt(dx * dx + dy * dy + dz * dz) - (double)p->radius[i] - (double)p->radius[j];
    if (bond > 0 && gap < PAIR_SKIN * system->model->particle_radius) {
        list->strength[k] = bond;
        list->flags[k] = CONTACT_BONDED | CONTACT_TOUCHED;
        list->rest[k] = (float)gap;
    } else if (gap < 0.0) {
        list->rest[k] = (float)gap;
    }
}

/// Where the pairs as found are written: their places are taken for the lambdas afterwards.
static void write_block(const ContactSystem *system, int block)
{
    PairList *list = system->pairs;
    const PairBuild *build = system->build;
    int32_t first = list->block_first[block], end = list->block_first[block + 1];
    memset(list->used + first, 0, (size_t)(end - first));
    for (int32_t raw = build->raw_first[block]; raw < build->raw_end[block]; raw++) {
        size_t k = (size_t)first * BATCH + (size_t)build->raw_slot[raw];
        list->i[k] = build->raw_i[raw];
        list->j[k] = build->raw_j[raw];
        list->used[k / BATCH]++;
    }
    for (int32_t batch = first; batch < end; batch++) {
        pair_list_set_kind(list, batch);
    }
}

/// What the pairs of a block remember of the last tick.
static void recall_block(const ContactSystem *system, int block)
{
    PairList *list = system->pairs;
    const PairArrays *old = system->build->old;
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        pair_list_pad(list, batch, system->particles->capacity);
        list->awake[batch] = 0;
        for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
            int32_t known = find_old(system->build, list->i[k], list->j[k]);
            float sign = list->i[k] < list->j[k] ? 1.0F : -1.0F; // the lambda acts on i
            list->lambda_x[k] = known >= 0 ? sign * old->lambda_x[known] : 0.0F;
            list->lambda_y[k] = known >= 0 ? sign * old->lambda_y[known] : 0.0F;
            list->lambda_z[k] = known >= 0 ? sign * old->lambda_z[known] : 0.0F;
            list->rest[k] = known >= 0 ? old->rest[known] : 0.0F;
            list->strength[k] = known >= 0 ? old->strength[known] : 0;
            list->flags[k] = known >= 0 ? old->flags[known] : 0;
            pair_begin_life(system, k);
            list->awake[batch] |= list->flags[k] != 0;
        }
    }
    pair_block_note(list, block);
}

/// Calls `work` for the blocks that are a thread's by their batches.
static void for_own_blocks(const ContactSystem *system, void (*work)(const ContactSystem *system, int block),
                           int thread, int threads)
{
    const PairList *list = system->pairs;
    for (int block = 0; block < list->block_count; block++) {
        if (is_mine(list->block_first[block], list->block_first[block + 1], 0, list->batches, thread, threads)) {
            work(system, block);
        }
    }
}

/// What members share while they make the list.
typedef struct ListMaking {
    const ContactSystem *system;
    double dt; ///< s
    uint64_t *masks; ///< [particles] batches that each is in
    int64_t room, most; ///< pairs: of all members together; if that is too little, of one alone
    atomic_bool full;
} ListMaking;

static void make_list(void *context, int thread, int threads)
{
    ListMaking *self = context;
    const ContactSystem *system = self->system;
    Team *team = system->team;
    TeamPart part = team_part(system->particles->count, thread, threads);
    for (int32_t i = part.first; i < part.end; i++) {
        Particles *p = system->particles;
        p->slack[i] = pair_slack(system->model->particle_radius, p, i, self->dt);
        search_place_particle(system->places, system->neighbours, p, i,
                              (double)p->slack[i] + (double)pair_holding(system->model, p->soil[i]));
    }
    team_wait(team);
    if (!find_pairs(system, self->room, thread, threads)) {
        atomic_store(&self->full, true);
    }
    team_wait(team);
    // Once more with the room of all, in the order of the blocks: what is left out does not depend on threads.
    if (thread == 0 && atomic_load(&self->full)) {
        find_pairs(system, self->most, 0, 1);
    }
    team_wait(team);
    sort_blocks(system, self->masks, thread, threads);
    if (thread == 0) {
        place_blocks(system);
    }
    team_wait(team);
    for_own_blocks(system, write_block, thread, threads);
    team_wait(team);
    for_own_blocks(system, recall_block, thread, threads);
}

void pair_list_build(const ContactSystem *system, const int32_t *where, double dt)
{
    PairList *list = system->pairs;
    Scratch *scratch = system->scratch;
    size_t count = (size_t)system->particles->count;
    lay_aside(list, system->build, system->particles->count, where, system->particles->capacity);
    set_materials(system->pairs, system->model, system->particles);
    search_take_places(system->places, scratch, system->particles->count);
    system->places->skin = (PAIR_MOST_SLACK + 0.5 * (double)CONTACT_BREAKING_OPENING) * system->model->particle_radius;
    system->places->time = PAIR_APPROACH * dt;
    // Members share not much more room than was needed last time: memory that is never touched costs nothing.
    int64_t most = (int64_t)list->capacity * BATCH;
    int64_t room = (int64_t)list->batches * (BATCH + BATCH / 8) + system->particles->count;
    ListMaking making = {.system = system, .dt = dt, .room = room < most ? room : most, .most = most};
    making.masks = scratch_take(scratch, "batches of particles", count, sizeof *making.masks);
    team_run(system->team, count > PARTICLES_WORTH_THREADS, make_list, &making);
    scratch_give_back(scratch, making.masks);
    search_give_back_places(system->places, scratch);
    list->stale = false;
    list->looks = 0;
}

void pair_list_refresh(PairList *list, const SoilModel *model, const Particles *particles)
{
    pair_list_count_used(list, particles->capacity);
    set_materials(list, model, particles);
    pair_turns_join(list);
    int32_t late = list->colour_first[NEIGHBOUR_COLOURS];
    for (int32_t block = 0; block <= list->block_count; block++) { // as if all had equally many
        int32_t before = block < late ? block : late;
        list->block_particle[block] = late > 0 ? (int32_t)((int64_t)particles->count * before / late) : 0;
    }
    for (int32_t batch = 0; batch < list->batches; batch++) {
        pair_list_set_kind(list, batch);
        list->awake[batch] = 1;
        pair_list_pad(list, batch, particles->capacity);
    }
}
