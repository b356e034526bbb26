/// The default solver: Gauss-Seidel over contacts with accumulated multipliers, warm start and tangential anchors.
///
/// Parallel and deterministic: pairs come in batches that share no particle, batches in blocks of cells, blocks in four
/// colours (pair_list.h). Blocks of one colour share no particle, so threads may take them in any order; the colours,
/// and the batches inside a block, have a fixed one. Why not the published averaging: it breaks Newton's third law
/// (docs/soil-model.md).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/solver.h"
#include "soil/contact/body_contacts.h"
#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"
#include "soil/contact/late_pairs.h"
#include "soil/contact/pair_update.h"
#include "soil/pairs/pair_turns.h"
#include "soil/contact/sleep.h"

/// m/s: about what a clod falls at in air. Only what a tool of unlimited force squeezes out could be faster.
#define FASTEST 50.0

static PairStep make_step(const ContactSystem *system, double h)
{
    return (PairStep){.h = (float)h,
                      .fall = (float)(system->model->gravity * h * h),
                      .swelling = CONTACT_SWELLING_SPEED * (float)h,
                      .creep = CONTACT_CREEP_SPEED * (float)h,
                      .swelling_limit = CONTACT_SWELLING_LIMIT * (float)system->model->particle_radius,
                      .contact_margin = CONTACT_MARGIN * (float)system->model->particle_radius,
                      .hardening = (float)(CONTACT_HARDENING * CONTACT_HARDENING / system->model->particle_radius),
                      .revisit_threshold = (float)(CONTACT_REVISIT_THRESHOLD * STANDARD_GRAVITY * h * h),
                      .breaking_opening = contact_breaking_opening(system->model->particle_radius),
                      .adhesive_separation = CONTACT_ADHESIVE_SEPARATION * (float)system->model->particle_radius,
                      .rebonding_rate =
                          system->tick->last_h == 0.0 ? (float)system->tick->left / CONTACT_REBONDING_TIME : 0.0F,
                      .adhesive_friction_share = CONTACT_ADHESIVE_FRICTION_SHARE,
                      .dry_separation = CONTACT_DRY_SEPARATION * (float)system->model->particle_radius,
                      .first = system->tick->last_h == 0.0};
}

/// One member of the team that runs a stage.
typedef struct Worker {
    const ContactSystem *system;
    const PairStep *step; ///< NULL outside a substep
    const PairVisits *visits; ///< its own
    double h; ///< s: of the substep
    atomic_int *next_piece; ///< of the rows, that nobody has taken
    Share share;
} Worker;

/// Inputs of all members of the team.
typedef struct Stage {
    const ContactSystem *system;
    const PairStep *step;
    double h; ///< s
    void (*work)(const Worker *worker);
    atomic_int next_piece; ///< of the rows, that nobody has taken
} Stage;

static void work_on_share(void *context, int member, int members)
{
    Stage *stage = context;
    const ContactSystem *system = stage->system;
    Worker worker = {.system = system,
                     .step = stage->step,
                     .visits = &system->visits[member],
                     .h = stage->h,
                     .next_piece = &stage->next_piece,
                     .share = {.pairs = system->pairs,
                               .ground = system->ground_contacts,
                               .ground_late = system->ground_reach->late,
                               .member = member,
                               .members = members}};
    stage->work(&worker);
}

/// Whether there is enough to do for all members.
static bool is_shared(const ContactSystem *system)
{
    return system->particles->count > PARTICLES_WORTH_THREADS;
}

/// Runs a stage on all members where there is enough to do; where all particles sleep there is nothing.
static void run_stage(const ContactSystem *system, const PairStep *step, double h, void (*work)(const Worker *worker))
{
    if (sleep_holds_all(system)) {
        return;
    }
    Stage stage = {.system = system, .step = step, .h = h, .work = work};
    atomic_init(&stage.next_piece, 0);
    team_run(system->team, is_shared(system), work_on_share, &stage);
}

static void wait_for_all(const Worker *worker)
{
    team_wait(worker->system->team);
}

/// Does what is to be done to the particles of a part that do not sleep: runs of those that follow one another.
static void for_awake(const Worker *worker, TeamPart part, void (*work)(const Worker *worker, TeamPart part))
{
    const Particles *p = worker->system->particles;
    if (worker->system->tick->asleep == 0) {
        work(worker, part);
        return;
    }
    for (int32_t first = part.first, end; first < part.end; first = end) {
        bool sleeps = particle_sleeps(p, first);
        for (end = first + 1; end < part.end && particle_sleeps(p, end) == sleeps;) {
            end++;
        }
        if (!sleeps) {
            work(worker, (TeamPart){first, end});
        }
    }
}

/// ---- the tick around the substeps ----------------------------------------------------------------------------------

/// True when a tool that touches particles may push them farther than their slack.
static bool is_pushed(const ContactSystem *system)
{
    ToolSweep sweep;
    tool_sweep_find(&sweep, system, system->tick->left + system->tick->elapsed);
    bool pushed = false;
    for (int b = 0; b < sweep.count; b++) {
        pushed = pushed || sweep.push[b] > 0.5 * PAIR_SKIN * system->model->particle_radius;
    }
    return pushed && system->contacts->body_count > 0;
}

static void begin_motion(const Worker *worker, TeamPart part)
{
    const Particles *p = worker->system->particles;
    const float slow = 0.5F * late_pairs_least_change(worker->system);
    for (int32_t i = part.first; i < part.end; i++) {
        Row *row = &worker->system->tick->rows[i];
        *row = (Row){.x = row_steps(p->x[i]),
                     .y = row_steps(p->y[i]),
                     .z = row_steps(p->z[i]),
                     .radius = p->radius[i],
                     .speed = {(float)p->vx[i], (float)p->vy[i], (float)p->vz[i]},
                     .curvature = 1.0F / p->radius[i],
                     .inverse_mass = (float)(1.0 / (p->mass[i] * SOIL_QUANTUM))};
        float x = row->speed[0], y = row->speed[1], z = row->speed[2];
        row->deviation = x * x + y * y + z * z < slow * slow ? -1.0F : 0.0F;
        row->carry[0] = (float)((double)row->speed[0] - p->vx[i]);
        row->carry[1] = (float)((double)row->speed[1] - p->vy[i]);
        row->carry[2] = (float)((double)row->speed[2] - p->vz[i]);
    }
}

/// Rows of those that sleep: nothing moves them.
static void hold_sleepers(const Worker *worker, TeamPart part)
{
    for (int32_t i = part.first; i < part.end; i++) {
        Row *row = &worker->system->tick->rows[i];
        if (particle_sleeps(worker->system->particles, i)) {
            row->speed[0] = row->speed[1] = row->speed[2] = row->inverse_mass = 0.0F;
            row->deviation = -1.0F;
        }
    }
}

static void begin_part(const Worker *worker)
{
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_particles(&worker->share, colour);
        begin_motion(worker, part);
        if (worker->system->tick->asleep > 0) {
            hold_sleepers(worker, part);
        }
    }
    wait_for_all(worker);
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour); // at its edges it reads rows of other threads
        ground_contacts_begin(worker->system, part.first, part.end);
    }
}

/// Sorts the particles and makes the list of pairs anew. `bodies`: the contacts with bodies are of this tick and go
/// along. Without memory for the cells the tick has failed, and all stays as it was.
static void rebuild(const ContactSystem *system, double dt, bool bodies)
{
    Particles *p = system->particles;
    Scratch *scratch = system->scratch;
    int32_t *where = scratch_take(scratch, "new index of each particle", (size_t)p->count, sizeof *where);
    int32_t *order = scratch_take(scratch, "old index of each particle", (size_t)p->count, sizeof *order);
    ParticlesExtent extent = particles_extent(p, system->team);
    double cell = pair_cell(system->model, &extent);
    if (!neighbours_sort(system->neighbours, p, &extent, cell, order, system->team, scratch)) {
        system->tick->failed = true;
        scratch_give_back(scratch, order);
        scratch_give_back(scratch, where);
        return;
    }
    for (int32_t k = 0; k < p->count; k++) {
        where[order[k]] = k;
    }
    scratch_give_back(scratch, order);
    pair_list_build(system, where, dt);
    for (int32_t k = 0; bodies && k < system->contacts->body_count; k++) {
        system->contacts->bodies[k].i = where[system->contacts->bodies[k].i];
    }
    scratch_give_back(scratch, where);
    system->tick->placed = true;
}

/// Memory of each thread for the contacts of the largest block. Without it the tick has failed.
static void reserve_visits(const ContactSystem *system)
{
    int32_t largest = pair_list_largest_block(system->pairs), most = largest > LATE_BATCHES ? largest : LATE_BATCHES;
    for (int k = 0; k < system->model->threads; k++) {
        system->tick->failed |= !pair_visits_reserve(&system->visits[k], most);
    }
}

/// Starts counting motion from where the particles are. A tick that has failed gets no rows.
static void begin_count(const ContactSystem *system, double dt, bool anew)
{
    if (system->tick->failed) {
        return;
    }
    ground_contacts_list(system, dt, anew);
    sleep_mark_batches(system);
    pair_list_weigh(system->pairs, system->team);
    pair_turns_deal(system->pairs, team_members(system->team));
    reserve_visits(system);
    if (system->tick->failed) {
        return;
    }
    int32_t nothing = system->particles->capacity;
    system->tick->rows = scratch_take(system->scratch, "rows", (size_t)nothing + 1, sizeof(Row));
    system->tick->rows[nothing] = (Row){.radius = -1.0F, .curvature = 1.0F, .inverse_mass = 1.0F};
    system->tick->last_h = system->tick->elapsed = 0.0;
    system->tick->left = dt;
    run_stage(system, NULL, 0.0, begin_part);
}

void contact_solver_begin_tick(const ContactSystem *system, double dt)
{
    bool changed = sleep_decide(system, dt), anew = !pair_list_update(system, dt);
    system->tick->lists = anew;
    system->tick->late = 0;
    if (anew) {
        rebuild(system, dt, false);
    }
    begin_count(system, dt, anew || changed);
}

static void end_motion(const Worker *worker, TeamPart part)
{
    Particles *p = worker->system->particles;
    for (int32_t i = part.first; i < part.end; i++) {
        const Row *row = &worker->system->tick->rows[i];
        double shift[3];
        row_shift(row, p, i, shift);
        p->x[i] += shift[0];
        p->y[i] += shift[1];
        p->z[i] += shift[2];
        double x = (double)row->speed[0] - (double)row->carry[0], y = (double)row->speed[1] - (double)row->carry[1];
        double z = (double)row->speed[2] - (double)row->carry[2], square = x * x + y * y + z * z;
        double slower = square > FASTEST * FASTEST ? FASTEST / sqrt(square) : 1.0;
        p->vx[i] = x * slower;
        p->vy[i] = y * slower;
        p->vz[i] = z * slower;
        p->slack[i] -= (float)sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
    }
}

static void end_part(const Worker *worker)
{
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour);
        ground_contacts_end(worker->system, part.first, part.end);
    }
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        for_awake(worker, share_particles(&worker->share, colour), end_motion);
    }
}

void contact_solver_drop_rows(ContactTick *tick, Scratch *scratch)
{
    if (tick->pair_first != NULL) {
        scratch_give_back(scratch, tick->pair_first);
        tick->pair_first = tick->pair_next = NULL;
    }
    if (tick->at_bodies != NULL) {
        scratch_give_back(scratch, tick->at_bodies);
        tick->at_bodies = NULL;
    }
    if (tick->rows != NULL) {
        scratch_give_back(scratch, tick->rows);
        tick->rows = NULL;
    }
}

/// From rows to particles.
static void end_count(const ContactSystem *system)
{
    if (system->tick->last_h != 0.0) { // else a tick without a substep
        run_stage(system, NULL, 0.0, end_part);
    }
}

void contact_solver_end_tick(const ContactSystem *system)
{
    if (system->tick->rows == NULL) {
        return; // no tick has begun
    }
    end_count(system);
    if (system->tick->last_h != 0.0 && !system->model->scene.particles.sleepless && !sleep_holds_all(system)) {
        sleep_count_calm(system);
    }
    contact_solver_drop_rows(system->tick, system->scratch);
    sleep_weigh_forces(system);
}

/// ---- a substep -----------------------------------------------------------------------------------------------------

static void renew_block(const Worker *worker, int32_t first, int32_t end)
{
    const ContactSystem *system = worker->system;
    const PairKernel *kernel = system->model->kernel;
    bool restless = kernel->renew(system->pairs, system->tick->rows, worker->step, worker->visits, first, end);
    for (int visit = 1; restless && visit < system->model->scene.particles.iterations; visit++) {
        kernel->solve(system->pairs, system->tick->rows, worker->step, worker->visits, first, end);
    }
}

static void visit_block(const Worker *worker, int32_t block, bool begin)
{
    const ContactSystem *system = worker->system;
    const PairList *list = system->pairs;
    int32_t first = list->block_first[block], end = list->block_first[block + 1];
    if (first < end && begin) {
        system->model->kernel->begin(list, system->tick->rows, first, end);
    } else if (first < end) {
        renew_block(worker, first, end);
    }
}

/// One sweep over the pairs: gives the rows what contacts held, or renews it. The block of late pairs comes last.
static void sweep_pairs(const Worker *worker, bool begin)
{
    const PairList *list = worker->system->pairs;
    int32_t late = list->colour_first[NEIGHBOUR_COLOURS];
    if (worker->share.members == 1) {
        for (int32_t block = 0; block < list->block_count; block++) {
            visit_block(worker, block, begin);
        }
        return;
    }
    PairTurn turn = pair_turn_start(list, list->sweep + (begin ? 0 : 1), worker->share.member, worker->share.members);
    for (int32_t block = pair_turn_take(&turn); block >= 0; block = pair_turn_take(&turn)) {
        visit_block(worker, block, begin);
        pair_turn_finish(&turn, block);
    }
    wait_for_all(worker);
    if (late < list->block_count && list->block_first[late] < list->block_first[late + 1]) {
        if (worker->share.member == 0) {
            visit_block(worker, late, begin);
        }
        wait_for_all(worker);
    }
}

static void sweep_ground(const Worker *worker, bool begin)
{
    const ContactSystem *system = worker->system;
    const PairList *ground = system->ground_contacts;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour);
        if (begin) {
            system->model->kernel->begin_ground(ground, system->tick->rows, part.first, part.end);
        } else {
            ground_contacts_follow(system, part.first, part.end);
            system->model->kernel->renew_ground(ground, system->tick->rows, worker->step, part.first, part.end);
        }
    }
    wait_for_all(worker);
}

/// The contacts of a body are begun and finished side by side, and visited one after another, by one thread.
static void warm_bodies(const Worker *worker)
{
    TeamPart own = team_part(worker->system->contacts->body_count, worker->share.member, worker->share.members);
    if (worker->system->contacts->body_count == 0) {
        return;
    }
    body_contacts_begin(worker->system, worker->h, own.first, own.end);
    body_contacts_prepare(worker->system, worker->step->first, own.first, own.end);
    wait_for_all(worker);
    if (worker->share.member == 0) {
        body_contacts_warm(worker->system);
    }
    wait_for_all(worker);
}

static void advance(const Worker *worker, TeamPart part)
{
    const ContactSystem *system = worker->system;
    system->model->kernel->advance(system->tick->rows, worker->h, system->model->gravity, part.first, part.end);
}

enum { WORD = 64 }; // particles of a number of ContactTick.at_bodies

/// Moves those of a word's particles on that have contacts with bodies, or those that have none.
static void advance_of_word(const Worker *worker, int32_t word, bool at_bodies)
{
    const int32_t first = WORD * word, count = worker->system->particles->count - first;
    uint64_t set = worker->system->tick->at_bodies[word], left = at_bodies ? set : ~set;
    left &= count < WORD ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    while (left != 0) {
        int from = __builtin_ctzll(left);
        uint64_t behind = ~(left >> from);
        int end = behind == 0 ? WORD : from + __builtin_ctzll(behind);
        for_awake(worker, (TeamPart){first + from, first + end}, advance);
        left &= end < WORD ? UINT64_MAX << end : 0;
    }
}

/// Words of the marks of all particles.
static int32_t words_of(const ContactSystem *system)
{
    return (system->particles->count + WORD - 1) / WORD;
}

/// Moves particles on that have no contact with a body, word by word until all are taken.
static void advance_others(const Worker *worker)
{
    enum { TOGETHER = 4 }; // words
    const int32_t words = words_of(worker->system);
    for (int32_t first = TOGETHER * atomic_fetch_add(worker->next_piece, 1); first < words;
         first = TOGETHER * atomic_fetch_add(worker->next_piece, 1)) {
        for (int32_t word = first; word < words && word < first + TOGETHER; word++) {
            advance_of_word(worker, word, false);
        }
    }
}

/// One thread visits the contacts of bodies; the others have the particles that it does not touch moved on meanwhile.
/// What finishes a contact reads of a particle does not change as it moves on.
static void visit_bodies(const Worker *worker)
{
    const ContactSystem *system = worker->system;
    TeamPart own = team_part(system->contacts->body_count, worker->share.member, worker->share.members);
    if (system->contacts->body_count == 0) {
        return;
    }
    for (int visit = 0; worker->share.member == 0 && visit < system->model->scene.particles.iterations; visit++) {
        body_contacts_visit(system);
    }
    if (system->tick->at_bodies != NULL) {
        advance_others(worker);
    }
    wait_for_all(worker);
    body_contacts_finish(system, worker->h, own.first, own.end);
}

/// Moves on what has not been while bodies were visited.
static void advance_left(const Worker *worker)
{
    const Share *share = &worker->share;
    if (worker->system->tick->at_bodies != NULL) {
        TeamPart words = team_part(words_of(worker->system), share->member, share->members);
        for (int32_t word = words.first; word < words.end; word++) {
            advance_of_word(worker, word, true);
        }
        return;
    }
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        for_awake(worker, share_particles(share, colour), advance);
    }
}

static void run_substep(const Worker *worker)
{
    if (worker->step->first) {
        sweep_pairs(worker, true);
        sweep_ground(worker, true);
    }
    warm_bodies(worker);
    sweep_pairs(worker, false);
    sweep_ground(worker, false);
    visit_bodies(worker);
    advance_left(worker);
}

/// In the middle of a tick: the lists are made anew for the rest of it.
static void relist(const ContactSystem *system)
{
    double left = system->tick->left;
    end_count(system);
    contact_solver_drop_rows(system->tick, system->scratch);
    memset(system->particles->newborn, 0,
           (size_t)system->particles->count); // bonds that broke since are not made again
    rebuild(system, left, true);
    begin_count(system, left, true);
    system->tick->lists++;
}

/// Particles that hit something have left the ways that the list allows for.
static void follow_deviating(const ContactSystem *system)
{
    int32_t deviating[LATE_PARTICLES];
    int count = late_pairs_find_deviating(system, deviating);
    if (count > LATE_PARTICLES || !late_pairs_add(system, deviating, count)) {
        relist(system);
    }
}

/// Marks the particles at bodies, which stay the same while there are rows.
static void mark_at_bodies(const ContactSystem *system)
{
    const Contacts *contacts = system->contacts;
    if (!is_shared(system) || team_members(system->team) == 1 || contacts->body_count == 0) {
        return;
    }
    size_t words = (size_t)words_of(system);
    uint64_t *marks = scratch_take(system->scratch, "whether particles are at bodies", words, sizeof *marks);
    memset(marks, 0, words * sizeof *marks);
    for (int32_t k = 0; k < contacts->body_count; k++) {
        marks[contacts->bodies[k].i / WORD] |= (uint64_t)1 << contacts->bodies[k].i % WORD;
    }
    system->tick->at_bodies = marks;
}

void contact_solver_substep(const ContactSystem *system, double h)
{
    bool moves = system->tick->lists > 0 || system->tick->looked > 0 || is_pushed(system);
    if (moves && system->tick->elapsed > 0.0 && !sleep_holds_all(system)) {
        follow_deviating(system);
    }
    if (system->tick->failed) {
        return;
    }
    if (system->tick->last_h == 0.0) {
        mark_at_bodies(system);
    }
    PairStep step = make_step(system, h);
    solver_bodies_reset(system);
    pair_turns_begin(system->pairs);
    run_stage(system, &step, h, run_substep);
    system->tick->last_h = h;
    system->tick->elapsed += h;
    system->tick->left -= h;
}
