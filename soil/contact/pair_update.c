/// Looks for the pairs of those particles whose slack is used up, and changes the list where they differ from it.
///
/// The search is shared out among the members of a team; it only marks what of the list was found again, and writes
/// down what is new, in the order of the grid. Each block is then changed by one of them, always in that order; what
/// goes from block to block, and late pairs, are left to one thread. So what comes out does not depend on how many
/// there are. A list that lacks room for that is made anew.
#include "soil/contact/pair_update.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"
#include "soil/contact/pair_build.h"
#include "soil/pairs/pair_tidy.h"

/// What is known of a contact of the list while its particles are looked for.
enum { PAIR_OF_OTHERS = 0, PAIR_LOST = 1, PAIR_FOUND = 2 };
/// Instead of the block in which a new pair is to stand.
enum { PAIR_UNPLACED = -1, PAIR_PLACED = -2 };

/// New pairs of one member, in the borrowed arrays.
typedef struct Found {
    int32_t first, end;
} Found;

/// What members share. Particles are numbered by their places in the grid.
typedef struct Look {
    const ContactSystem *system;
    double dt; ///< s
    float holding[SCENE_MAX_SOILS]; ///< m: pair_holding() of each soil
    uint8_t *due; ///< [particles]
    int32_t *places; ///< [count] of the particles that are due
    int32_t count;
    int32_t due_of[TEAM_MOST_MEMBERS]; ///< particles that are due, of each member's share of all
    int32_t *place_of; ///< [particles] those that are not due have ~place
    uint8_t *verdict; ///< [contacts] PAIR_OF_OTHERS, ...
    TeamPart doubts[TEAM_MOST_MEMBERS]; ///< of each member's share of the list: contacts in doubt
    int32_t *seeker, *sought, *place; ///< [contacts] of those: who looks for it, the other particle, where it stands
    int32_t known_of[TEAM_MOST_MEMBERS]; ///< contacts that each member's particles look for
    int32_t *first, *end; ///< [particles] of those that are due: what each looks for
    int32_t *known, *contact; ///< [contacts] by the one that looks for them: the other particle; where it stands
    Found found[TEAM_MOST_MEMBERS];
    int parts; ///< of those that hold anything
    atomic_bool full, moves; ///< there is too little room; contacts have to change their blocks
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

double pair_cell(const ContactSystem *system)
{
    double radius = system->model->particle_radius;
    for (int32_t i = 0; i < system->particles->count; i++) {
        double own = (double)system->particles->radius[i];
        radius = own > radius ? own : radius;
    }
    return (2.0 + PAIR_CELL_SKIN) * radius;
}

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
    int32_t found = part.first * BATCH;
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

/// Counts the contacts that each of a member's particles looks for into `end`.
static void count_own_known(Look *look, int member, int members)
{
    TeamPart own = own_places(look, member, members);
    memset(look->end + own.first, 0, (size_t)(own.end - own.first) * sizeof *look->end);
    int32_t sum = 0;
    for (int part = 0; part < members; part++) {
        for (int32_t k = look->doubts[part].first; k < look->doubts[part].end; k++) {
            int32_t s = look->seeker[k];
            if (s >= own.first && s < own.end) {
                look->end[s]++;
                sum++;
            }
        }
    }
    look->known_of[member] = sum;
}

/// Lists them, particle by particle.
static void list_own_known(const Look *look, int member, int members)
{
    TeamPart own = own_places(look, member, members);
    int32_t at = sum_before(look->known_of, member);
    for (int32_t s = own.first; s < own.end; s++) {
        look->first[s] = at;
        at += look->end[s];
        look->end[s] = look->first[s];
    }
    for (int part = 0; part < members; part++) {
        for (int32_t k = look->doubts[part].first; k < look->doubts[part].end; k++) {
            int32_t s = look->seeker[k];
            if (s >= own.first && s < own.end) {
                int32_t to = look->end[s]++;
                look->known[to] = look->sought[k];
                look->contact[to] = look->place[k];
            }
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
static void consider(const Look *look, int32_t s, int32_t t, Found *found)
{
    const ContactSystem *system = look->system;
    const SearchPlaces *place = system->places;
    int32_t i = system->neighbours->item[s], j = system->neighbours->item[t];
    if (t == s || (look->due[j] && t < s)) {
        return; // it finds this one
    }
    int32_t known = find_known(look, s, t);
    float held = look->holding[system->particles->soil[i]] + look->holding[system->particles->soil[j]];
    if (held > 0.0F && (known < 0 || (system->pairs->flags[known] & CONTACT_BONDED) == 0)) {
        float dx = place->x[s] - place->x[t], dy = place->y[s] - place->y[t], dz = place->z[s] - place->z[t];
        float wx = place->way_x[s] - place->way_x[t], wy = place->way_y[s] - place->way_y[t],
              wz = place->way_z[s] - place->way_z[t];
        float near = place->reach[s] + place->reach[t] - held + sqrtf(wx * wx + wy * wy + wz * wz);
        if (dx * dx + dy * dy + dz * dz > near * near) {
            return;
        }
    }
    if (known >= 0) {
        look->verdict[known] = PAIR_FOUND;
        return;
    }
    system->build->raw_i[found->end] = i;
    system->build->raw_j[found->end++] = j;
}

/// Looks for the pairs of a member's share of those that are due, from found->first on, up to `room`. False when that
/// is too little.
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
            consider(look, s, list[n], found);
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

/// Strikes out what a block has lost. What was found and may stay needs nothing more; what may not is still marked.
static void settle_block(Look *look, int32_t block)
{
    PairList *list = look->system->pairs;
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        uint8_t *verdict = look->verdict + (size_t)batch * BATCH;
        if (is_of_others(look, batch)) {
            continue;
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
                    atomic_store(&look->moves, true);
                }
            }
        }
    }
}

/// Changes the blocks of a member, each of which is one's alone: strikes out what they have lost, and puts new pairs
/// where they have room for them, in the order in which they were found. What has found its place is PAIR_PLACED in
/// raw_i.
static void change_own(Look *look, int member, int members)
{
    const ContactSystem *system = look->system;
    PairBuild *build = system->build;
    for (int32_t block = member; block < system->pairs->block_count - 1; block += members) {
        settle_block(look, block);
    }
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

static void look_together(void *context, int member, int members)
{
    Look *look = context;
    const ContactSystem *system = look->system;
    place_own(look, member, members);
    team_wait(system->team);
    list_own_due(look, member, members);
    doubt_own(look, member, members);
    team_wait(system->team);
    count_own_known(look, member, members);
    team_wait(system->team);
    list_own_known(look, member, members);
    int64_t room = (int64_t)system->pairs->capacity * BATCH;
    TeamPart own = team_part(look->count, member, members), part = team_part(room, member, members);
    look->found[member] = (Found){part.first, part.first};
    if (!look_for_own(look, own, part.end, &look->found[member])) {
        atomic_store(&look->full, true);
    }
    team_wait(system->team);
    // Once more with the room of all: whether there is enough does not depend on threads.
    if (member == 0) {
        look->parts = members;
    }
    if (member == 0 && members > 1 && atomic_load(&look->full)) {
        look->parts = 1;
        look->found[0] = (Found){0, 0};
        atomic_store(&look->full, !look_for_own(look, (TeamPart){0, look->count}, (int32_t)room, &look->found[0]));
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
    for (int32_t block = 0; good && atomic_load(&look->moves) && block < list->block_count - 1; block++) {
        good = move_pairs_of_block(look, block);
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
    system->tick->indexed = false;
    return good;
}

static bool update(const ContactSystem *system, double dt, uint8_t *due, int32_t count)
{
    Scratch *scratch = system->scratch;
    PairList *list = system->pairs;
    if (!neighbours_place(system->neighbours, system->particles, pair_cell(system), system->team, scratch)) {
        abort(); // no memory for the cells: nothing right can follow
    }
    system->tick->placed = true;
    system->build->raw_i = (void *)list->old.lambda_x;
    system->build->raw_j = (void *)list->old.lambda_y;
    Look look = {.system = system, .dt = dt, .due = due, .count = count, .verdict = list->old.flags};
    look.place_of = system->build->raw_first;
    look.first = system->build->head;
    look.end = system->build->raw_end;
    look.seeker = list->old.i;
    look.sought = list->old.j;
    look.place = system->build->raw_slot;
    look.known = (void *)list->old.lambda_z;
    look.contact = (void *)list->old.rest;
    for (int soil = 0; soil < system->model->scene.soil_count; soil++) {
        look.holding[soil] = pair_holding(system->model, soil);
    }
    look.places = scratch_take(scratch, "places of those that are due", (size_t)count, sizeof(int32_t));
    search_take_places(system->places, scratch, system->particles->count);
    system->places->skin = (PAIR_MOST_SLACK + 0.5 * (double)CONTACT_BREAKING_OPENING) * system->model->particle_radius;
    system->places->time = PAIR_APPROACH * dt;
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, look_together, &look);
    search_give_back_places(system->places, scratch);
    scratch_give_back(scratch, look.places);
    return !atomic_load(&look.full) && change_list(&look);
}

bool pair_list_update(const ContactSystem *system, double dt)
{
    PairList *list = system->pairs;
    int32_t count = system->particles->count;
    system->tick->placed = system->tick->indexed = false;
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
                               .place = system->build->raw_slot,
                               .team = system->team,
                               .scratch = system->scratch};
        if (pair_list_tidy(&tidying)) {
            system->tick->indexed = false;
        }
    }
    return serves;
}
