/// The list of pairs of particles that may touch: making it anew, and bringing it up to date at a tick's start.
#include "soil/contact/pair_update.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/zeroed_memory.h"
#include "soil/contact/contact_system.h"
#include "soil/contact/ground_contacts.h"
#include "soil/pairs/pair_list.h"
#include "soil/pairs/pair_turns.h"

size_t pair_most_places(const PairList *list)
{
    int32_t most = list->batches + LATE_BATCHES;
    return (size_t)(most < list->capacity ? most : list->capacity) * BATCH;
}

double pair_cell(const SoilModel *model, const ParticlesExtent *extent)
{
    return (2.0 + PAIR_CELL_SKIN) * (extent->radius > model->particle_radius ? extent->radius : model->particle_radius);
}

bool pair_place_particles(const ContactSystem *system)
{
    ParticlesExtent extent = particles_extent(system->particles, system->team);
    system->tick->placed = neighbours_place(system->neighbours, system->particles, &extent,
                                            pair_cell(system->model, &extent), system->team, system->scratch);
    system->tick->failed |= !system->tick->placed;
    return system->tick->placed;
}

/// ---- a new list ----------------------------------------------------------------------------------------------------
/// Lists the pairs of particles that may touch, and sorts them into batches whose contacts share no particle.
///
/// Cells are searched block by block (neighbours.h). A pair goes to the first batch of its block that has room and
/// holds neither particle; those that touch come first. The order of the list is the order of Gauss-Seidel and part of
/// the state, so that it must not depend on threads. What touching contacts remember goes over from the list before.

bool pair_build_create(PairBuild *build, int32_t pairs)
{
    build->found_room = (size_t)pairs;
    build->found = zeroed_alloc(3 * build->found_room, sizeof(int32_t));
    return build->found != NULL;
}

void pair_build_destroy(PairBuild *build)
{
    zeroed_free(build->found);
    memset(build, 0, sizeof *build);
}

void pair_build_give_back(PairBuild *build)
{
    zeroed_give_back(build->found, 0, 3 * build->found_room * sizeof *build->found);
}

/// Numbers that a look takes for so many particles, contacts of the list, places of contacts, and members of a team.
static size_t look_numbers(size_t particles, size_t contacts, size_t places, size_t members)
{
    size_t of_members = 2 * members * members;
    size_t verdicts = places / sizeof(int32_t); // of a batch: whole numbers
    return 4 * particles + verdicts + 4 * places + 2 * contacts + of_members;
}

size_t pair_scratch_bytes(size_t particles, size_t contacts, int members)
{
    size_t number = zeroed_room(particles, sizeof(int32_t)), masks = zeroed_room(particles, sizeof(uint64_t));
    size_t rows =
        zeroed_room(particles + 1, sizeof(Row)) + zeroed_room(particles / 64 + 1, 8); // behind them what is found late
    size_t late = zeroed_room(particles + contacts, sizeof(int32_t)) + number;
    size_t places = search_places_room((int32_t)particles);
    size_t making = 2 * number + zeroed_room(contacts, sizeof(PairRemembered)) + places;
    size_t looks = look_numbers(particles, contacts, contacts, (size_t)members);
    size_t looking = 2 * number + places + zeroed_room(looks, sizeof(int32_t));
    size_t tidying =
        2 * number + PAIR_COLOURS * masks + zeroed_room(contacts, sizeof(int32_t)) + pair_arrays_room(contacts);
    size_t most = making > looking ? making : looking;
    most = tidying > most ? tidying : most;
    return rows + late > most ? rows + late : most;
}

/// ---- what was ------------------------------------------------------------------------------------------------------

/// Lays aside what the contacts of the list that was remember, chained by their lower particle, in new indices
/// (`where`[old]). The list's own arrays are free afterwards: the search puts what it finds where the lambdas will be
/// written at the end.
static void lay_aside(const PairList *list, PairBuild *build, int32_t particles, const int32_t *where)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < particles; i++) {
        build->head[i] = -1;
    }
    for (int32_t batch = 0; batch < list->batches; batch++) {
        for (int32_t k = batch * BATCH, end = k + list->used[batch]; k < end; k++) {
            bool pressed = list->lambda_x[k] != 0.0F || list->lambda_y[k] != 0.0F || list->lambda_z[k] != 0.0F;
            if (list->flags[k] == 0 && !pressed) {
                continue;
            }
            int32_t i = where[list->i[k]], j = where[list->j[k]], lower = i < j ? i : j;
            float sign = i < j ? 1.0F : -1.0F;
            build->old[kept] = (PairRemembered){
                .upper = i < j ? j : i,
                .next = build->head[lower],
                .lambda = {sign * list->lambda_x[k], sign * list->lambda_y[k], sign * list->lambda_z[k]},
                .rest = list->rest[k],
                .strength = list->strength[k],
                // it may have met in the last substep
                .flags = (uint8_t)(list->flags[k] | (pressed ? CONTACT_TOUCHED : 0))};
            build->head[lower] = kept++;
        }
    }
    build->raw_i = (void *)list->lambda_x;
    build->raw_j = (void *)list->lambda_y;
    build->raw_slot = (void *)list->lambda_z;
}

/// The remembered contact of a pair that touched, or -1.
static int32_t find_old(const PairBuild *build, int32_t i, int32_t j)
{
    int32_t lower = i < j ? i : j, upper = i < j ? j : i, k = build->head[lower];
    while (k >= 0 && build->old[k].upper != upper) {
        k = build->old[k].next;
    }
    return k;
}

/// ---- pairs that may touch ------------------------------------------------------------------------------------------

/// m: how far beyond a particle the search looks: its slack, and half of what a bond may have opened.
static double search_skin(const SoilModel *model)
{
    return PAIR_MOST_SLACK * model->particle_radius + 0.5 * (double)contact_breaking_opening(model->particle_radius);
}

/// m: what the search lets a particle of a soil reach beyond its slack if that may hold on: a bond may have opened by
/// contact_breaking_opening, and is listed as long as it holds.
static float pair_holding(const SoilModel *model, int soil)
{
    bool holds = model->scene.soils[soil].contact_adhesion > 0.0;
    return holds ? 0.5F * contact_breaking_opening(model->particle_radius) : 0.0F;
}

/// m: pair_holding() of each soil of a scene.
static void find_holding(const SoilModel *model, float holding[SCENE_MAX_SOILS])
{
    for (int soil = 0; soil < model->scene.soil_count; soil++) {
        holding[soil] = pair_holding(model, soil);
    }
}

/// True when two places are farther apart than two that do not hold on to each other are listed. `held` m: what the
/// search let them reach beyond that.
static inline bool are_apart(const SearchPlaces *place, int32_t s, int32_t t, float held)
{
    float dx = place->x[s] - place->x[t], dy = place->y[s] - place->y[t], dz = place->z[s] - place->z[t];
    float wx = place->way_x[s] - place->way_x[t], wy = place->way_y[s] - place->way_y[t],
          wz = place->way_z[s] - place->way_z[t];
    float near = place->reach[s] + place->reach[t] - held + sqrtf(wx * wx + wy * wy + wz * wz);
    return dx * dx + dy * dy + dz * dz > near * near;
}

/// Where a thread puts the pairs it finds.
typedef struct Finder {
    const ContactSystem *system;
    PairBuild *build;
    float holding[SCENE_MAX_SOILS]; ///< m: pair_holding() of each soil
    float dry, adhesive; ///< m: opening at which two that do not stick count as apart, and two that do
    int32_t cursor, end;
    bool full; ///< pairs were left out
} Finder;

/// A bond may have opened by contact_breaking_opening from a gap of PAIR_SKIN: it is listed as long as it holds.
static bool holds_on(const Finder *finder, int32_t i, int32_t j)
{
    int32_t old = find_old(finder->build, i, j);
    return old >= 0 && (finder->build->old[old].flags & CONTACT_BONDED) != 0;
}

/// What the search found near particle i, `list`: lists the pairs that can touch within this tick, or are so near that
/// they may soon.
static void list_found_pairs(Finder *finder, int32_t i, const int32_t *list, int32_t found)
{
    const SearchPlaces *place = finder->system->places;
    const Particles *p = finder->system->particles;
    PairBuild *build = finder->build;
    const float x = place->x[i], y = place->y[i], z = place->z[i], radius = p->radius[i];
    const float holding = finder->holding[p->soil[i]];
    int32_t cursor = finder->cursor;
    for (int32_t k = 0; k < found; k++) {
        int32_t j = list[k];
        float held = holding + finder->holding[p->soil[j]];
        if (held > 0.0F && are_apart(place, i, j, held) && !holds_on(finder, i, j)) {
            continue;
        }
        float dx = x - place->x[j], dy = y - place->y[j], dz = z - place->z[j];
        float touch = radius + p->radius[j] + (held > 0.0F ? finder->adhesive : finder->dry);
        build->raw_i[cursor] = i;
        build->raw_j[cursor] = j;
        build->raw_slot[cursor++] = dx * dx + dy * dy + dz * dz < touch * touch ? PAIR_TOUCHES : PAIR_NEAR;
    }
    finder->cursor = cursor;
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
    list_found_pairs(finder, i, list, found);
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
    const float radius = (float)system->model->particle_radius;
    Finder finder = {.system = system,
                     .build = system->build,
                     .dry = CONTACT_DRY_SEPARATION * radius,
                     .adhesive = CONTACT_ADHESIVE_SEPARATION * radius,
                     .cursor = (int32_t)(room * thread / threads),
                     .end = (int32_t)(room * (thread + 1) / threads)};
    find_holding(system->model, finder.holding);
    for (int block = 0; block < neighbours->block_count; block++) {
        int32_t first = neighbours->block_first[block], end = neighbours->block_first[block + 1];
        if (is_mine(first, end, 0, system->particles->count, thread, threads)) {
            system->pairs->block_found[block].first = finder.cursor;
            find_pairs_of_block(&finder, first);
            system->pairs->block_found[block].end = finder.cursor;
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
                TeamPart found = system->pairs->block_found[block];
                system->pairs->block_first[block + 1] =
                    pair_batches_sort(build->raw_i, build->raw_j, build->raw_slot, masks, found.first, found.end);
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
    list->block_found[blocks] = (TeamPart){0, 0};
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
            list->block_found[block].end = list->block_found[block].first;
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
            list->materials[i * SCENE_MAX_SOILS + j] = list->materials[j * SCENE_MAX_SOILS + i] =
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

/// Begins the contact k of the list, where there is anything to begin.
static void begin_life(const ContactSystem *system, size_t k)
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
        const SoilParams *soils = system->model->scene.soils;
        bool sticks = soils[p->soil[i]].contact_adhesion + soils[p->soil[j]].contact_adhesion > 0.0;
        bool cut = particle_is_cut(p, i) || particle_is_cut(p, j);
        list->flags[k] = cut && !sticks ? CONTACT_CUT | CONTACT_TOUCHED : 0;
    }
}

/// Begins the contact k of the list. Contacts of undisturbed soil are bonds: where one side has just appeared, and
/// after soil_bond. Overlap without a past (soil put into soil, a tool that jumped) holds no energy: it is the
/// contact's rest gap, from which it swells slowly. Most pairs are of old particles that touch already or do not
/// overlap: nothing begins.
static inline void pair_begin_life(const ContactSystem *system, size_t k)
{
    const PairList *list = system->pairs;
    const Particles *p = system->particles;
    int32_t i = list->i[k], j = list->j[k];
    double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
    double touch = (1.0 + 1e-9) * ((double)p->radius[i] + (double)p->radius[j]); // whatever the roundings of the gap
    bool apart = dx * dx + dy * dy + dz * dz > touch * touch;
    if (p->newborn[i] || p->newborn[j] || (list->flags[k] == 0 && !apart)) {
        begin_life(system, k);
    }
}

/// Where the pairs as found are written: their places are taken for the lambdas afterwards.
static void write_block(const ContactSystem *system, int block)
{
    PairList *list = system->pairs;
    const PairBuild *build = system->build;
    int32_t first = list->block_first[block], end = list->block_first[block + 1];
    memset(list->used + first, 0, (size_t)(end - first));
    for (int32_t raw = list->block_found[block].first; raw < list->block_found[block].end; raw++) {
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
    static const PairRemembered nothing = {0};
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        pair_list_pad(list, batch, system->particles->capacity);
        list->awake[batch] = 0;
        for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
            int32_t known = find_old(system->build, list->i[k], list->j[k]);
            const PairRemembered *old = known >= 0 ? &system->build->old[known] : &nothing;
            float sign = known < 0 || list->i[k] < list->j[k] ? 1.0F : -1.0F; // the lambda acts on i
            list->lambda_x[k] = sign * old->lambda[0];
            list->lambda_y[k] = sign * old->lambda[1];
            list->lambda_z[k] = sign * old->lambda[2];
            list->rest[k] = old->rest;
            list->strength[k] = old->strength;
            list->flags[k] = old->flags;
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
    float holding[SCENE_MAX_SOILS]; ///< m: pair_holding() of each soil
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
                              (double)p->slack[i] + (double)self->holding[p->soil[i]]);
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
    PairBuild *build = system->build;
    size_t count = (size_t)system->particles->count;
    build->head = scratch_take(scratch, "first contacts of particles", count, sizeof *build->head);
    search_take_places(system->places, scratch, system->particles->count);
    build->old = scratch_take(scratch, "what contacts remember", (size_t)pair_list_count(list), sizeof *build->old);
    lay_aside(list, build, system->particles->count, where);
    pair_list_reserve_blocks(list, system->neighbours->block_count + 1);
    set_materials(system->pairs, system->model, system->particles);
    system->places->skin = search_skin(system->model);
    system->places->time = PAIR_APPROACH * dt;
    // Members share not much more room than was needed last time: memory that is never touched costs nothing.
    int64_t most = (int64_t)list->capacity * BATCH;
    int64_t room = (int64_t)list->batches * (BATCH + BATCH / 8) + system->particles->count;
    ListMaking making = {.system = system, .dt = dt, .room = room < most ? room : most, .most = most};
    find_holding(system->model, making.holding);
    making.masks = (void *)system->places->x; // once the search is through, its places mean nothing any more
    team_run(system->team, count > PARTICLES_WORTH_THREADS, make_list, &making);
    scratch_give_back(scratch, build->old);
    search_give_back_places(system->places, scratch);
    scratch_give_back(scratch, build->head);
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

/// ---- at a tick's start ---------------------------------------------------------------------------------------------
/// Looks for the pairs of those particles whose slack is used up, and changes the list where they differ from it.
///
/// The search is shared out among the members of a team; it only marks what of the list was found again, and writes
/// down what is new, in the order of the grid. Each block is then changed by one of them, always in that order; what
/// goes from block to block, and late pairs, are left to one thread. So what comes out does not depend on how many
/// there are. A list that lacks room for that is made anew.

/// What is known of a contact of the list while its particles are looked for.
enum { PAIR_OF_OTHERS = 0, PAIR_LOST = 1, PAIR_FOUND = 2 };
/// Instead of the block in which a new pair is to stand.
enum { PAIR_UNPLACED = -1, PAIR_PLACED = -2 };

/// Parts of the search for each member, and particles of a part, at least: who is through takes another, for some have
/// more around them. Chosen.
enum { LOOK_PARTS = 16, LOOK_LEAST = 16 };

/// New pairs of one part of the search, in the borrowed arrays.
typedef struct Found {
    int32_t first, end;
} Found;

/// What members share. Particles are numbered by their places in the grid.
typedef struct Look {
    const ContactSystem *system;
    double dt; ///< s
    float holding[SCENE_MAX_SOILS]; ///< m: pair_holding() of each soil
    uint8_t *due; ///< [particles]
    int32_t *places; ///< [particles] of those that are due: the first `count`
    int32_t count;
    int32_t due_of[TEAM_MOST_MEMBERS]; ///< particles that are due, of each member's share of all
    int32_t *place_of; ///< [particles] those that are not due have ~place
    uint8_t *verdict; ///< [places of contacts] PAIR_OF_OTHERS, ...
    TeamPart doubts[TEAM_MOST_MEMBERS]; ///< of each member's share of the list: contacts in doubt
    int32_t *seeker, *sought, *place; ///< [places] of those: who looks for it, the other particle, where it stands
    int32_t *next; ///< [places] the next of the same piece whose seeker is the same member's, or -1
    int32_t *head, *known_of; ///< [members][members] of a piece: the first of each member's, or -1; how many those are
    int32_t *first, *end; ///< [particles] of those that are due: what each looks for
    int32_t *known, *contact; ///< [contacts] by the one that looks for them: the other particle; where it stands
    Found found[LOOK_PARTS * TEAM_MOST_MEMBERS]; ///< of each part of the search
    int parts;
    atomic_int next_part; ///< that nobody has taken
    atomic_bool full; ///< there is too little room
    atomic_uchar *moves; ///< [blocks] whether a block's contacts have to change it
} Look;

/// ---- who is due ----------------------------------------------------------------------------------------------------

/// What members share while they look who is due.
typedef struct DueSearch {
    const Particles *particles;
    double reach; ///< s: of the tick, times PAIR_APPROACH
    uint8_t *due; ///< [particles]
    atomic_int found; ///< of all members
} DueSearch;

static void find_own_due(void *context, int member, int members)
{
    DueSearch *search = context;
    const Particles *p = search->particles;
    const double reach = search->reach;
    TeamPart part = team_part(p->count, member, members);
    int found = 0;
    for (int32_t i = part.first; i < part.end; i++) {
        double slack = (double)p->slack[i];
        double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        bool used_up = slack <= 0.0 || reach * reach * square > slack * slack;
        search->due[i] = used_up;
        found += used_up;
    }
    atomic_fetch_add(&search->found, found);
}

/// Marks the particles whose slack may be used up within the tick. Returns their number.
static int32_t find_due(const ContactSystem *system, double dt, uint8_t *due)
{
    DueSearch search = {.particles = system->particles, .reach = PAIR_APPROACH * dt, .due = due};
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, find_own_due, &search);
    return atomic_load(&search.found);
}

/// ---- the search ----------------------------------------------------------------------------------------------------

/// Gives those that are due new slack, and the search the particles of a member's share of the grid.
static void place_own(Look *look, int member, int members)
{
    const ContactSystem *system = look->system;
    const Particles *p = system->particles;
    const double most = PAIR_MOST_SLACK * system->model->particle_radius;
    TeamPart part = team_part(p->count, member, members);
    int32_t found = 0;
    for (int32_t k = part.first; k < part.end; k++) {
        int32_t i = system->neighbours->item[k];
        if (look->due[i]) {
            p->slack[i] = pair_slack(system->model->particle_radius, p, i, look->dt);
            found++;
        }
        double slack = p->slack[i] > 0.0F ? (double)p->slack[i] : 0.0;
        slack = slack < most ? slack : most;
        search_place_particle(system->places, system->neighbours, p, k, slack + (double)look->holding[p->soil[i]]);
        look->place_of[i] = look->due[i] ? k : ~k;
    }
    look->due_of[member] = found;
}

/// Where a member's things begin when all follow one another.
static int32_t sum_before(const int32_t numbers[], int member)
{
    int32_t sum = 0;
    for (int k = 0; k < member; k++) {
        sum += numbers[k];
    }
    return sum;
}

/// Those that are due, in the order of the grid.
static void list_own_due(const Look *look, int member, int members)
{
    TeamPart part = team_part(look->system->particles->count, member, members);
    int32_t found = sum_before(look->due_of, member);
    for (int32_t k = part.first; k < part.end; k++) {
        if (look->due[look->system->neighbours->item[k]]) {
            look->places[found++] = k;
        }
    }
}

/// Marks the contacts of those that are due as lost, until they are found, and says who looks for them: the one that
/// is due, of two the first.
static void doubt_own(Look *look, int member, int members)
{
    const PairList *list = look->system->pairs;
    TeamPart part = team_part(list->batches, member, members);
    int32_t found = part.first * BATCH; // at most so many come before
    look->doubts[member].first = found;
    for (int32_t batch = part.first; batch < part.end; batch++) {
        uint8_t *verdict = look->verdict + (size_t)batch * BATCH;
        memset(verdict, PAIR_OF_OTHERS, BATCH);
        for (int32_t lane = 0; lane < list->used[batch]; lane++) {
            int32_t k = batch * BATCH + lane, s = look->place_of[list->i[k]], t = look->place_of[list->j[k]];
            bool first = (uint32_t)s < (uint32_t)t, doubtful = s >= 0 || t >= 0; // those that are not due come last
            int32_t other = first ? t : s;
            verdict[lane] = doubtful ? PAIR_LOST : PAIR_OF_OTHERS;
            look->seeker[found] = first ? s : t;
            look->sought[found] = other < 0 ? ~other : other;
            look->place[found] = k;
            found += doubtful;
        }
    }
    look->doubts[member].end = found;
}

/// True when a batch holds nothing that is in doubt.
static bool is_of_others(const Look *look, int32_t batch)
{
    static const uint8_t others[BATCH] = {PAIR_OF_OTHERS};
    return memcmp(look->verdict + (size_t)batch * BATCH, others, BATCH) == 0;
}

/// The places in the grid at which a member's share of those that are due lies.
static TeamPart own_places(const Look *look, int member, int members)
{
    TeamPart own = team_part(look->count, member, members);
    int32_t all = look->system->particles->count;
    return (TeamPart){own.first < look->count ? look->places[own.first] : all,
                      own.end < look->count ? look->places[own.end] : all};
}

/// Chains of contacts in doubt by the member whose particle looks for them: so none looks at all of them.
typedef struct DoubtChains {
    int members;
    int32_t *head, *known_of; ///< [members] of a Look
    int32_t end[TEAM_MOST_MEMBERS]; ///< places in the grid behind those of each member
} DoubtChains;

static void chain_doubt(const Look *look, const DoubtChains *chains, int32_t k)
{
    int low = 0, high = chains->members - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        bool behind = look->seeker[k] >= chains->end[middle];
        low = behind ? middle + 1 : low;
        high = behind ? high : middle;
    }
    look->next[k] = chains->head[low];
    chains->head[low] = k;
    chains->known_of[low]++;
}

/// Chains a member's piece of all contacts in doubt, which lie close together.
static void chain_own_doubts(const Look *look, int member, int members)
{
    size_t row = (size_t)member * (size_t)members;
    DoubtChains chains = {.members = members, .head = look->head + row, .known_of = look->known_of + row};
    int32_t all = 0, before = 0;
    for (int k = 0; k < members; k++) {
        chains.head[k] = -1;
        chains.known_of[k] = 0;
        chains.end[k] = own_places(look, k, members).end;
        all += look->doubts[k].end - look->doubts[k].first;
    }
    TeamPart piece = team_part(all, member, members);
    for (int share = 0; share < members && before < piece.end; share++) {
        TeamPart doubts = look->doubts[share];
        int32_t count = doubts.end - doubts.first, first = piece.first > before ? piece.first - before : 0;
        int32_t end = piece.end - before < count ? piece.end - before : count;
        for (int32_t k = doubts.first + first; k < doubts.first + end; k++) {
            chain_doubt(look, &chains, k);
        }
        before += count;
    }
}

/// Where what a member's particles look for begins when all follows one another.
static int32_t known_before(const Look *look, int member, int members)
{
    int32_t sum = 0;
    for (int part = 0; part < members; part++) {
        for (int owner = 0; owner < member; owner++) {
            sum += look->known_of[part * members + owner];
        }
    }
    return sum;
}

/// Lists the contacts that each of a member's particles looks for, particle by particle.
static void list_own_known(const Look *look, int member, int members)
{
    TeamPart own = own_places(look, member, members);
    memset(look->end + own.first, 0, (size_t)(own.end - own.first) * sizeof *look->end);
    for (int part = 0; part < members; part++) {
        for (int32_t k = look->head[part * members + member]; k >= 0; k = look->next[k]) {
            look->end[look->seeker[k]]++;
        }
    }
    int32_t at = known_before(look, member, members);
    for (int32_t s = own.first; s < own.end; s++) {
        look->first[s] = at;
        at += look->end[s];
        look->end[s] = look->first[s];
    }
    for (int part = 0; part < members; part++) {
        for (int32_t k = look->head[part * members + member]; k >= 0; k = look->next[k]) {
            int32_t to = look->end[look->seeker[k]]++;
            look->known[to] = look->sought[k];
            look->contact[to] = look->place[k];
        }
    }
}

/// The contact of the list that s looks for with t, or -1.
static int32_t find_known(const Look *look, int32_t s, int32_t t)
{
    for (int32_t k = look->first[s]; k < look->end[s]; k++) {
        if (look->known[k] == t) {
            return look->contact[k];
        }
    }
    return -1;
}

/// Two that the search found near each other: a pair of the list is found again, another is new. Bonds that have opened
/// hold on farther than others are listed.
static void match_found_pair(const Look *look, int32_t s, int32_t t, Found *found)
{
    const ContactSystem *system = look->system;
    int32_t i = system->neighbours->item[s], j = system->neighbours->item[t];
    if (t == s || (look->due[j] && t < s)) {
        return; // it finds this one
    }
    int32_t known = find_known(look, s, t);
    float held = look->holding[system->particles->soil[i]] + look->holding[system->particles->soil[j]];
    bool holds_on = known >= 0 && (system->pairs->flags[known] & CONTACT_BONDED) != 0;
    if (held > 0.0F && !holds_on && are_apart(system->places, s, t, held)) {
        return;
    }
    if (known >= 0) {
        look->verdict[known] = PAIR_FOUND;
        return;
    }
    system->build->raw_i[found->end] = i;
    system->build->raw_j[found->end++] = j;
}

/// Looks for the pairs of a part of those that are due, from found->first on, up to `room`. False when that is too
/// little.
static bool look_for_own(const Look *look, TeamPart own, int32_t room, Found *found)
{
    const ContactSystem *system = look->system;
    const Particles *p = system->particles;
    int at_x = -1, at_y = -1;
    SearchAround around = {.cells = 0};
    found->end = found->first;
    for (int32_t k = own.first; k < own.end; k++) {
        int32_t s = look->places[k], i = system->neighbours->item[s];
        int cx, cy;
        neighbours_cell_of(system->neighbours, p->x[i], p->y[i], &cx, &cy);
        if (cx != at_x || cy != at_y) {
            search_look_around(system->places, system->neighbours, cx, cy, SEARCH_ALL, &around);
            at_x = cx;
            at_y = cy;
        }
        if (search_room(&around) > room - found->end) {
            return false;
        }
        int32_t *list = system->build->raw_j + found->end; // what is new takes the places of what was found
        int32_t near = system->model->kernel->search(system->places, &around, s, list, room - found->end);
        for (int32_t n = 0; n < near; n++) {
            match_found_pair(look, s, list[n], found);
        }
    }
    return true;
}

/// A block in whose square one of the two lies and that reaches the other: that of the first, or else of the second.
static int32_t block_for(const ContactSystem *system, int32_t i, int32_t j)
{
    const Particles *p = system->particles;
    const PairList *list = system->pairs;
    int32_t block = pair_list_block_at(list, p->x[i], p->y[i]);
    if (block >= 0 && pair_list_reaches(list, block, p->x[j], p->y[j])) {
        return block;
    }
    block = pair_list_block_at(list, p->x[j], p->y[j]);
    return block >= 0 && pair_list_reaches(list, block, p->x[i], p->y[i]) ? block : PAIR_UNPLACED;
}

/// True when both of a contact may have pairs in its block.
static bool may_stay(const ContactSystem *system, int32_t block, int32_t k)
{
    const PairList *list = system->pairs;
    const Particles *p = system->particles;
    int32_t i = list->i[k], j = list->j[k];
    return pair_list_reaches(list, block, p->x[i], p->y[i]) && pair_list_reaches(list, block, p->x[j], p->y[j]);
}

/// Strikes out what a batch of a block has lost. What was found and may stay needs nothing more; what may not is still
/// marked.
static void settle_batch(Look *look, int32_t block, int32_t batch)
{
    PairList *list = look->system->pairs;
    uint8_t *verdict = look->verdict + (size_t)batch * BATCH;
    if (is_of_others(look, batch)) {
        return;
    }
    for (int32_t lane = list->used[batch] - 1; lane >= 0; lane--) { // from the last, which takes others' places
        int32_t k = batch * BATCH + lane;
        if (verdict[lane] == PAIR_LOST) {
            pair_list_strike(list, k, look->system->particles->capacity);
            verdict[lane] = verdict[list->used[batch]];
            verdict[list->used[batch]] = PAIR_OF_OTHERS;
        } else if (verdict[lane] == PAIR_FOUND) {
            bool stays = may_stay(look->system, block, k);
            verdict[lane] = stays ? PAIR_OF_OTHERS : PAIR_FOUND;
            if (!stays) {
                atomic_store_explicit(&look->moves[block], 1, memory_order_relaxed);
            }
        }
    }
}

/// Settles every so many batches of the blocks of cells in turn: what is in doubt lies close together.
static void settle_own(Look *look, int member, int members)
{
    enum { TOGETHER = 16 }; // batches: their verdicts fill cache lines
    const PairList *list = look->system->pairs;
    int32_t block = 0, end = list->block_first[list->block_count - 1];
    for (int32_t first = member * TOGETHER; first < end; first += members * TOGETHER) {
        for (int32_t batch = first; batch < end && batch < first + TOGETHER; batch++) {
            while (batch >= list->block_first[block + 1]) {
                block++;
            }
            settle_batch(look, block, batch);
        }
    }
}

/// Strikes out what the blocks have lost, then puts new pairs where the blocks of a member, each of which is one's
/// alone, have room for them, in the order in which they were found. What has found its place is PAIR_PLACED in raw_i.
static void change_own(Look *look, int member, int members)
{
    const ContactSystem *system = look->system;
    PairBuild *build = system->build;
    settle_own(look, member, members);
    int32_t *i = build->raw_i;
    const int32_t *j = build->raw_j;
    for (int part = member; part < look->parts; part += members) {
        for (int32_t n = look->found[part].first; n < look->found[part].end; n++) {
            build->raw_slot[n] = block_for(system, i[n], j[n]);
        }
    }
    team_wait(system->team);
    for (int part = 0; part < look->parts; part++) {
        for (int32_t n = look->found[part].first; n < look->found[part].end; n++) {
            int32_t block = build->raw_slot[n]; // which all members read, and none writes any more
            if (block < 0 || block % members != member) {
                continue;
            }
            int32_t k = pair_list_insert(system->pairs, block, i[n], j[n]);
            if (k >= 0) {
                pair_begin_life(system, (size_t)k);
                i[n] = PAIR_PLACED;
            }
        }
    }
}

/// Pairs that all parts of the search have room for together.
static int32_t room_of(const ContactSystem *system)
{
    return system->pairs->capacity * BATCH;
}

/// Looks through parts of the search until all are taken.
static void look_for_parts(Look *look)
{
    const int32_t room = room_of(look->system);
    for (int k = atomic_fetch_add(&look->next_part, 1); k < look->parts; k = atomic_fetch_add(&look->next_part, 1)) {
        TeamPart due = team_part(look->count, k, look->parts), part = team_part(room, k, look->parts);
        look->found[k] = (Found){part.first, part.first};
        if (!look_for_own(look, due, part.end, &look->found[k])) {
            atomic_store(&look->full, true);
        }
    }
}

static void look_together(void *context, int member, int members)
{
    Look *look = context;
    const ContactSystem *system = look->system;
    place_own(look, member, members);
    team_wait(system->team);
    list_own_due(look, member, members);
    doubt_own(look, member, members);
    team_wait(system->team);
    chain_own_doubts(look, member, members);
    team_wait(system->team);
    list_own_known(look, member, members);
    team_wait(system->team);
    look_for_parts(look);
    team_wait(system->team);
    // Once more with the room of all: whether there is enough does not depend on threads.
    if (member == 0 && members > 1 && atomic_load(&look->full)) {
        look->parts = 1;
        look->found[0] = (Found){0, 0};
        atomic_store(&look->full, !look_for_own(look, (TeamPart){0, look->count}, room_of(system), &look->found[0]));
    }
    team_wait(system->team);
    if (!atomic_load(&look->full)) {
        change_own(look, member, members);
    }
}

/// ---- the list ------------------------------------------------------------------------------------------------------

/// A place for a pair in a block that it may stand in; -1 where there is none or no room.
static int32_t insert_by_place(const ContactSystem *system, int32_t i, int32_t j)
{
    PairList *list = system->pairs;
    int32_t block = block_for(system, i, j), k = block >= 0 ? pair_list_insert(list, block, i, j) : -1;
    if (k < 0) {
        int32_t other = block_for(system, j, i);
        k = other >= 0 && other != block ? pair_list_insert(list, other, i, j) : -1;
    }
    return k;
}

/// The same, or in the block of late pairs; -1 without room.
static int32_t insert(const ContactSystem *system, int32_t i, int32_t j)
{
    int32_t k = insert_by_place(system, i, j);
    return k >= 0 ? k : pair_list_insert_late(system->pairs, i, j, system->particles->capacity);
}

/// Moves contact k, which may not stay, to a block where it may stand; a late one, if there is any. Returns false
/// without room.
static bool move_pair(const Look *look, bool late, int32_t k)
{
    PairList *list = look->system->pairs;
    int32_t i = list->i[k], j = list->j[k],
            to = late ? insert_by_place(look->system, i, j) : insert(look->system, i, j);
    if (to >= 0) {
#define X(type, name) list->name[to] = list->name[k];
        PAIR_FIELDS(X)
#undef X
        look->verdict[to] = PAIR_OF_OTHERS;
        pair_list_strike(list, k, look->system->particles->capacity);
    }
    return to >= 0 || late;
}

/// Moves what may not stay where it is. False without room.
static bool move_pairs_of_block(const Look *look, int32_t block)
{
    const PairList *list = look->system->pairs;
    bool good = true;
    for (int32_t batch = list->block_first[block]; good && batch < list->block_first[block + 1]; batch++) {
        if (is_of_others(look, batch)) {
            continue;
        }
        for (int32_t lane = list->used[batch] - 1; good && lane >= 0; lane--) {
            uint8_t *verdict = &look->verdict[(size_t)batch * BATCH + (size_t)lane];
            bool moves = *verdict == PAIR_FOUND;
            *verdict = PAIR_OF_OTHERS;
            good = !moves || move_pair(look, false, batch * BATCH + lane);
        }
    }
    return good;
}

/// Finds places for late pairs, and strikes out those that are lost. Pairs that come to them meanwhile stay.
static void settle_late(const Look *look)
{
    PairList *list = look->system->pairs;
    int32_t late = list->block_count - 1, end = list->block_first[late + 1];
    for (int32_t batch = list->block_first[late]; batch < end; batch++) {
        for (int32_t lane = list->used[batch] - 1; lane >= 0; lane--) {
            int32_t k = batch * BATCH + lane;
            if (look->verdict[k] == PAIR_LOST) {
                pair_list_strike(list, k, look->system->particles->capacity);
            } else {
                move_pair(look, true, k);
            }
            look->verdict[k] = PAIR_OF_OTHERS;
        }
    }
}

/// Batches at the end of the block of late pairs that hold none any more.
static void trim_late(PairList *list)
{
    int32_t late = list->block_count - 1;
    while (list->batches > list->block_first[late] && list->used[list->batches - 1] == 0) {
        list->batches--;
    }
    list->block_first[late + 1] = list->batches;
}

/// What of the list no member could change alone. False without room.
static bool change_list(const Look *look)
{
    const ContactSystem *system = look->system;
    PairList *list = system->pairs;
    bool good = true;
    for (int32_t block = 0; good && block < list->block_count - 1; block++) {
        good = !look->moves[block] || move_pairs_of_block(look, block);
    }
    settle_late(look);
    for (int part = 0; good && part < look->parts; part++) {
        const Found *found = &look->found[part];
        for (int32_t n = found->first; good && n < found->end; n++) {
            if (system->build->raw_i[n] != PAIR_PLACED) {
                int32_t k = insert(system, system->build->raw_i[n], system->build->raw_j[n]);
                good = k >= 0;
                if (good) {
                    pair_begin_life(system, (size_t)k);
                }
            }
        }
    }
    trim_late(list);
    return good;
}

/// Takes the arrays of a look as one piece. Where few are due those that come last are hardly touched.
static int32_t *take_look(Look *look)
{
    const ContactSystem *system = look->system;
    const PairList *list = system->pairs;
    PairBuild *build = system->build;
    size_t particles = (size_t)system->particles->count, contacts = (size_t)pair_list_count(list);
    size_t places = pair_most_places(list), members = (size_t)team_members(system->team);
    size_t numbers = look_numbers(particles, contacts, places, members);
    int32_t *piece = scratch_take(system->scratch, "a look at pairs", numbers, sizeof *piece);
    int32_t *at = piece;
    look->place_of = at;
    look->first = at += particles;
    look->end = at += particles;
    look->places = at += particles;
    look->verdict = (void *)(at += particles);
    look->seeker = at += places / sizeof(int32_t);
    look->sought = at += places;
    look->place = at += places;
    look->next = at += places;
    look->known = at += places;
    look->contact = at += contacts;
    look->head = at += contacts;
    look->known_of = at + members * members;
    build->raw_i = build->found;
    build->raw_j = build->found + build->found_room;
    build->raw_slot = build->found + 2 * build->found_room;
    return piece;
}

static bool update(const ContactSystem *system, double dt, uint8_t *due, int32_t count)
{
    Scratch *scratch = system->scratch;
    if (!pair_place_particles(system)) {
        return false;
    }
    bool together = system->particles->count > PARTICLES_WORTH_THREADS && team_members(system->team) > 1;
    Look look = {.system = system, .dt = dt, .due = due, .count = count};
    int32_t most = together ? LOOK_PARTS * team_members(system->team) : 1, parts = count / LOOK_LEAST;
    look.parts = parts < 1 ? 1 : parts < most ? parts : most;
    atomic_init(&look.next_part, 0);
    find_holding(system->model, look.holding);
    search_take_places(system->places, scratch, system->particles->count);
    int32_t *pieces = take_look(&look);
    look.moves =
        scratch_take(scratch, "whether contacts change blocks", (size_t)system->pairs->block_count, sizeof *look.moves);
    for (int32_t block = 0; block < system->pairs->block_count; block++) {
        atomic_init(&look.moves[block], 0);
    }
    system->places->skin = search_skin(system->model);
    system->places->time = PAIR_APPROACH * dt;
    team_run(system->team, together, look_together, &look);
    bool good = !atomic_load(&look.full) && change_list(&look);
    scratch_give_back(scratch, look.moves);
    scratch_give_back(scratch, pieces);
    search_give_back_places(system->places, scratch);
    return good;
}

bool pair_list_update(const ContactSystem *system, double dt)
{
    PairList *list = system->pairs;
    int32_t count = system->particles->count;
    system->tick->placed = false;
    system->tick->looked = 0;
    if (list->stale || list->block_count == 0) {
        return false;
    }
    list->block_particle[list->block_count] = count; // those that have just appeared come last
    uint8_t *due = scratch_take(system->scratch, "whether a particle is due", (size_t)count, sizeof *due);
    int32_t found = find_due(system, dt, due);
    bool serves = (int64_t)found * 4 <= (int64_t)count * PAIR_MOST_DUE &&
                  (int64_t)list->looks + found <= (int64_t)PAIR_LOOKS * count;
    if (serves && found > 0) {
        serves = update(system, dt, due, found);
        list->looks += found;
        system->tick->looked = found;
        if (ground_contacts_last(system->ground_reach, system->grounds)) { // else all are looked at
            ground_contacts_look(system, dt, due);
        }
    }
    scratch_give_back(system->scratch, due);
    if (serves) {
        PairTidying tidying = {.list = list,
                               .particles = system->particles,
                               .radius = system->model->particle_radius,
                               .dt = dt,
                               .team = system->team,
                               .scratch = system->scratch};
        pair_list_tidy(&tidying);
    }
    return serves;
}
