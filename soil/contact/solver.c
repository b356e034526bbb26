/// The default solver: Gauss-Seidel over contacts with accumulated multipliers, warm start and tangential anchors.
///
/// Parallel and deterministic: pairs come in batches that share no particle, batches in blocks of cells, blocks in four
/// colours (pair_list.h). Blocks of one colour share no particle, so threads may take them in any order; the colours,
/// and the batches inside a block, have a fixed one. Why not the published averaging: it breaks Newton's third law
/// (README.md).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/body_contacts.h"
#include "soil/contact/contact_geometry.h"
#include "soil/contact/pair_late.h"
#include "soil/contact/tool_sweep.h"
#include "soil/contact/partition.h"

/// m/s: about what a clod falls at in air. Only what a tool of unlimited force squeezes out could be faster.
#define FASTEST 50.0

static PairStep make_step(const Soil *soil, double h)
{
    return (PairStep){.h = (float)h,
                      .fall = (float)(soil->model.gravity * h * h),
                      .swelling = CONTACT_SWELLING_SPEED * (float)h,
                      .swelling_limit = CONTACT_SWELLING_LIMIT * (float)soil->model.particle_radius,
                      .contact_margin = CONTACT_MARGIN * (float)soil->model.particle_radius,
                      .hardening = (float)(CONTACT_HARDENING * CONTACT_HARDENING / soil->model.particle_radius),
                      .revisit_threshold = (float)(CONTACT_REVISIT_THRESHOLD * STANDARD_GRAVITY * h * h),
                      .breaking_opening = CONTACT_BREAKING_OPENING * (float)soil->model.particle_radius,
                      .adhesive_separation = CONTACT_ADHESIVE_SEPARATION * (float)soil->model.particle_radius,
                      .rebonding_rate =
                          soil->derived.last_h == 0.0 ? (float)soil->derived.tick_left / CONTACT_REBONDING_TIME : 0.0F,
                      .adhesive_friction_share = CONTACT_ADHESIVE_FRICTION_SHARE,
                      .dry_separation = CONTACT_DRY_SEPARATION * (float)soil->model.particle_radius,
                      .first = soil->derived.last_h == 0.0};
}

/// One member of the team that runs a stage.
typedef struct Worker {
    Soil *soil;
    const PairStep *step; ///< NULL outside a substep
    const PairVisits *visits; ///< its own
    double h; ///< s: of the substep
    Share share;
} Worker;

/// What all members are told.
typedef struct Stage {
    Soil *soil;
    const PairStep *step;
    double h; ///< s
    void (*work)(const Worker *worker);
} Stage;

static void work_on_share(void *context, int member, int members)
{
    const Stage *stage = context;
    Soil *soil = stage->soil;
    Worker worker = {.soil = soil,
                     .step = stage->step,
                     .visits = &soil->scratch.visits[member],
                     .h = stage->h,
                     .share = {.pairs = &soil->state.pairs,
                               .ground = &soil->derived.ground_contacts,
                               .ground_late = soil->derived.ground_reach.late,
                               .member = member,
                               .members = members}};
    stage->work(&worker);
}

/// Runs a stage on all members where there is enough to do.
static void run_stage(Soil *soil, const PairStep *step, double h, void (*work)(const Worker *worker))
{
    Stage stage = {soil, step, h, work};
    team_run(soil->scratch.team, soil->state.particles.count > SOIL_PARALLEL_PARTICLES, work_on_share, &stage);
}

static void wait_for_all(const Worker *worker)
{
    team_wait(worker->soil->scratch.team);
}

/// ---- the tick around the substeps ----------------------------------------------------------------------------------

/// True when a tool may push particles farther than the skin.
static bool is_pushed(const Soil *soil, const Pushers *pushers)
{
    bool pushed = false;
    for (int b = 0; b < pushers->count; b++) {
        pushed = pushed || pushers->push[b] > 0.5 * SOIL_SKIN * soil->model.particle_radius;
    }
    return pushed && soil->state.memory.count > 0;
}

static bool list_lasts(const Soil *soil, double dt)
{
    const Particles *p = &soil->state.particles;
    double most = 0.5 * SOIL_SKIN * soil->model.particle_radius - 0.5 * soil->model.gravity * dt * dt,
           reach = SOIL_APPROACH * dt;
    for (int32_t i = 0; i < p->count; i++) {
        double left = most - (double)p->travel[i];
        double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        if (left < 0.0 || reach * reach * square > left * left) {
            return false;
        }
    }
    return true;
}

static void begin_motion(const Worker *worker, TeamPart part)
{
    const Particles *p = &worker->soil->state.particles;
    for (int32_t i = part.first; i < part.end; i++) {
        Row *row = &worker->soil->scratch.rows[i];
        *row = (Row){.x = row_steps(p->x[i]),
                     .y = row_steps(p->y[i]),
                     .z = row_steps(p->z[i]),
                     .radius = p->radius[i],
                     .speed = {(float)p->vx[i], (float)p->vy[i], (float)p->vz[i]},
                     .curvature = 1.0F / p->radius[i],
                     .inverse_mass = (float)(1.0 / (p->mass[i] * SOIL_QUANTUM))};
        row->carry[0] = (float)((double)row->speed[0] - p->vx[i]);
        row->carry[1] = (float)((double)row->speed[1] - p->vy[i]);
        row->carry[2] = (float)((double)row->speed[2] - p->vz[i]);
    }
}

static void begin_part(const Worker *worker)
{
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        begin_motion(worker, share_particles(&worker->share, colour));
    }
    wait_for_all(worker);
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour); // at its edges it reads rows of other threads
        ground_contacts_begin(worker->soil, part.first, part.end);
    }
}

/// Sorts the particles and makes the list of pairs anew. `bodies`: the contacts with bodies are of this tick and go
/// along.
static void rebuild(Soil *soil, double dt, bool bodies)
{
    Particles *p = &soil->state.particles;
    Scratch *scratch = &soil->scratch.memory;
    double radius = soil->model.particle_radius;
    for (int32_t i = 0; i < p->count; i++) {
        radius = fmax(radius, (double)p->radius[i]);
    }
    int32_t *where = scratch_take(scratch, "new index of each particle", (size_t)p->count, sizeof *where);
    int32_t *order = scratch_take(scratch, "old index of each particle", (size_t)p->count, sizeof *order);
    if (!neighbours_sort(&soil->derived.neighbours, p, (2.0 + SOIL_CELL_SKIN) * radius, order, soil->scratch.team,
                         scratch)) {
        abort(); // no memory for the cells: nothing right can follow
    }
    for (int32_t k = 0; k < p->count; k++) {
        where[order[k]] = k;
    }
    scratch_give_back(scratch, order);
    pair_list_build(soil, where, dt);
    for (int32_t k = 0; bodies && k < soil->derived.contacts.body_count; k++) {
        soil->derived.contacts.bodies[k].i = where[soil->derived.contacts.bodies[k].i];
    }
    scratch_give_back(scratch, where);
    for (int32_t i = 0; i < p->count; i++) {
        p->travel[i] = 0.0F;
    }
}

/// Starts counting motion from where the particles are.
static void begin_count(Soil *soil, double dt, bool anew)
{
    ground_contacts_list(soil, dt, anew);
    pair_list_weigh(&soil->state.pairs);
    int32_t largest = pair_list_largest_block(&soil->state.pairs),
            most = largest > LATE_BATCHES ? largest : LATE_BATCHES;
    for (int k = 0; k < soil->model.threads; k++) {
        if (!pair_visits_reserve(&soil->scratch.visits[k], most)) {
            abort(); // no memory for a block: nothing right can follow
        }
    }
    int32_t nothing = soil->state.particles.capacity;
    soil->scratch.rows = scratch_take(&soil->scratch.memory, "rows", (size_t)nothing + 1, sizeof(Row));
    soil->scratch.rows[nothing] = (Row){.radius = -1.0F, .curvature = 1.0F, .inverse_mass = 1.0F};
    run_stage(soil, NULL, 0.0, begin_part);
    soil->derived.last_h = soil->derived.elapsed = 0.0;
    soil->derived.tick_left = dt;
}

void soil_begin_default(Soil *soil, double dt)
{
    Pushers pushers;
    pushers_find(&pushers, soil, dt);
    bool anew = soil->state.pairs.stale || is_pushed(soil, &pushers) || !list_lasts(soil, dt);
    soil->derived.counters.lists = anew;
    if (anew) {
        rebuild(soil, dt, false);
    }
    begin_count(soil, dt, anew);
}

static void end_motion(const Worker *worker, TeamPart part)
{
    Particles *p = &worker->soil->state.particles;
    for (int32_t i = part.first; i < part.end; i++) {
        const Row *row = &worker->soil->scratch.rows[i];
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
        p->travel[i] += (float)sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
    }
}

static void end_part(const Worker *worker)
{
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour);
        ground_contacts_end(worker->soil, part.first, part.end);
    }
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        end_motion(worker, share_particles(&worker->share, colour));
    }
}

void soil_drop_rows(Soil *soil)
{
    if (soil->scratch.rows != NULL) {
        scratch_give_back(&soil->scratch.memory, soil->scratch.rows);
        soil->scratch.rows = NULL;
    }
}

void soil_end_default(Soil *soil)
{
    if (soil->scratch.rows == NULL) {
        return; // no tick has begun
    }
    if (soil->derived.last_h != 0.0) { // else a tick without a substep
        run_stage(soil, NULL, 0.0, end_part);
    }
    soil_drop_rows(soil);
}

void soil_forget_removed(Soil *soil, const int32_t *where)
{
    pair_list_forget_removed(&soil->state.pairs, where, soil->state.particles.capacity);
}

/// ---- a substep -----------------------------------------------------------------------------------------------------

static void renew_block(const Worker *worker, int32_t first, int32_t end)
{
    const Soil *soil = worker->soil;
    const PairKernel *kernel = soil->model.kernel;
    bool restless = kernel->renew(&soil->state.pairs, soil->scratch.rows, worker->step, worker->visits, first, end);
    for (int visit = 1; restless && visit < soil->model.scene.particles.iterations; visit++) {
        kernel->solve(&soil->state.pairs, soil->scratch.rows, worker->step, worker->visits, first, end);
    }
}

/// One sweep over the pairs, colour by colour, each thread its blocks: gives the rows what contacts held, or renews it.
static void sweep_pairs(const Worker *worker, bool begin)
{
    const Soil *soil = worker->soil;
    const PairList *list = &soil->state.pairs;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        if (colour == NEIGHBOUR_COLOURS && list->batches == list->block_first[list->colour_first[colour]]) {
            break; // no late pairs
        }
        for (int32_t block = list->colour_first[colour]; block < list->colour_first[colour + 1]; block++) {
            TeamPart part;
            if (!share_has_block(&worker->share, colour, block, &part)) {
                continue;
            }
            if (begin) {
                soil->model.kernel->begin(list, soil->scratch.rows, part.first, part.end);
            } else {
                renew_block(worker, part.first, part.end);
            }
        }
        wait_for_all(worker);
    }
}

static void sweep_ground(const Worker *worker, bool begin)
{
    Soil *soil = worker->soil;
    const PairList *ground = &soil->derived.ground_contacts;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        TeamPart part = share_ground(&worker->share, colour);
        if (begin) {
            soil->model.kernel->begin_ground(ground, soil->scratch.rows, part.first, part.end);
        } else {
            ground_contacts_follow(soil, part.first, part.end);
            soil->model.kernel->renew_ground(ground, soil->scratch.rows, worker->step, part.first, part.end);
        }
    }
    wait_for_all(worker);
}

/// The contacts of a body are begun side by side, and visited one after another, by one thread.
static void warm_bodies(const Worker *worker)
{
    int64_t count = worker->soil->derived.contacts.body_count;
    if (count == 0) {
        return;
    }
    soil_begin_body_contacts(worker->soil, worker->h, (int32_t)(count * worker->share.member / worker->share.members),
                             (int32_t)(count * (worker->share.member + 1) / worker->share.members));
    wait_for_all(worker);
    if (worker->share.member == 0) {
        body_contacts_warm(worker->soil, worker->step->first);
    }
    wait_for_all(worker);
}

static void visit_bodies(const Worker *worker)
{
    Soil *soil = worker->soil;
    if (soil->derived.contacts.body_count == 0) {
        return;
    }
    for (int visit = 0; worker->share.member == 0 && visit < soil->model.scene.particles.iterations; visit++) {
        body_contacts_visit(soil);
    }
    if (worker->share.member == 0) {
        body_contacts_finish(soil, worker->h);
    }
    wait_for_all(worker);
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
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        TeamPart part = share_particles(&worker->share, colour);
        worker->soil->model.kernel->advance(worker->soil->scratch.rows, worker->h, worker->soil->model.gravity,
                                            part.first, part.end);
    }
}

/// In the middle of a tick: the lists are made anew for the rest of it.
static void relist(Soil *soil)
{
    double left = soil->derived.tick_left;
    soil_end_default(soil);
    memset(soil->state.particles.newborn, 0,
           (size_t)soil->state.particles.count); // bonds that broke since are not made again
    rebuild(soil, left, true);
    begin_count(soil, left, true);
    soil->derived.counters.lists++;
}

/// Particles that hit something have left the ways that the list allows for.
static void follow_strayed(Soil *soil)
{
    int32_t strayed[LATE_PARTICLES];
    int count = soil_find_strayed(soil, strayed);
    if (count > LATE_PARTICLES || !soil_add_late_pairs(soil, strayed, count)) {
        relist(soil);
    }
}

void soil_solve_default(Soil *soil, double h)
{
    if (soil->derived.counters.lists > 0 && soil->derived.elapsed > 0.0) {
        follow_strayed(soil);
    }
    PairStep step = make_step(soil, h);
    soil_begin_bodies(soil);
    run_stage(soil, &step, h, run_substep);
    soil->derived.last_h = h;
    soil->derived.elapsed += h;
    soil->derived.tick_left -= h;
}
