/// The default solver: Gauss-Seidel over contacts with accumulated multipliers, warm start and tangential anchors.
///
/// Parallel and deterministic: pairs come in batches that share no particle, batches in blocks of cells, blocks in four
/// colours (pair_list.h). Blocks of one colour share no particle, so threads may take them in any order; the colours, and the
/// batches inside a block, have a fixed one. Why not the published averaging: it breaks Newton's third law (README.md).
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/body_contacts.h"
#include "soil/contact/contact_geometry.h"
#include "soil/contact/pair_late.h"
#include "soil/contact/tool_sweep.h"
#include "soil/contact/team.h"

/// m/s: about what a clod falls at in air. Only what a tool of unlimited force squeezes out could be faster.
#define FASTEST 50.0

static PairStep make_step(const Soil *soil, double h)
{
    return (PairStep){.h = (float)h,
                      .fall = (float)(soil->model.gravity * h * h),
                      .swelling = CONTACT_SWELLING * (float)h,
                      .squeeze = SOIL_SQUEEZE * (float)soil->model.particle_radius,
                      .nearness = SOIL_NEARNESS * (float)soil->model.particle_radius,
                      .hardening = (float)(SOIL_HARDENING * SOIL_HARDENING / soil->model.particle_radius),
                      .calm = (float)(SOIL_CALM * STANDARD_GRAVITY * h * h),
                      .torn = SOIL_TORN * (float)soil->model.particle_radius,
                      .sticky = SOIL_STICKY * (float)soil->model.particle_radius,
                      .kneading = soil->derived.last_h == 0.0 ? (float)soil->derived.tick_left / SOIL_KNEADING : 0.0F,
                      .grasp = SOIL_GRASP,
                      .parted = SOIL_PARTED * (float)soil->model.particle_radius,
                      .first = soil->derived.last_h == 0.0};
}

/// ---- who does what -------------------------------------------------------------------------------------------------

/// One thread of the team that runs a substep. Each takes the same part of every colour in every sweep, so that its particles
/// and contacts stay in its cache: what goes from one processor to another costs more than all arithmetic.
typedef struct Worker {
    Soil *soil;
    const PairStep *step;
    const PairVisits *visits; ///< its own
    Team *team;
    double h; ///< s
    int thread, threads;
} Worker;

typedef struct Part {
    int32_t first, end;
} Part;

/// Whose a block of a colour is: by its load, so that threads have equally much to do.
static int owner_of(const Worker *worker, int colour, int32_t block)
{
    const PairList *list = &worker->soil->state.pairs;
    int64_t start = list->block_load[list->colour_first[colour]];
    int64_t total = list->block_load[list->colour_first[colour + 1]] - start;
    int64_t middle = ((int64_t)list->block_load[block] + list->block_load[block + 1]) / 2 - start;
    int owner = total > 0 ? (int)(middle * worker->threads / total) : 0;
    return owner < worker->threads ? owner : worker->threads - 1;
}

/// The particles of a colour that are a thread's: those of its blocks, which follow one another.
static Part own_particles(const Worker *worker, int colour)
{
    const PairList *list = &worker->soil->state.pairs;
    int32_t block = list->colour_first[colour], end = list->colour_first[colour + 1];
    while (block < end && owner_of(worker, colour, block) < worker->thread) {
        block++;
    }
    Part part = {list->block_particle[block], list->block_particle[block]};
    while (block < end && owner_of(worker, colour, block) == worker->thread) {
        part.end = list->block_particle[++block];
    }
    return part;
}

/// The first batch of ground contacts whose particles do not come before `particle`.
static int32_t ground_batch_of(const Soil *soil, int32_t particle)
{
    const PairList *ground = &soil->derived.ground_contacts;
    int32_t low = 0, high = soil->derived.ground_reach.late;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (ground->i[middle * BATCH] < particle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// The batches of ground contacts that are a thread's: those of its particles, but for the edges; late ones are the first thread's.
static Part own_ground(const Worker *worker, int colour)
{
    const Soil *soil = worker->soil;
    if (colour == NEIGHBOUR_COLOURS) {
        int32_t end = soil->derived.ground_contacts.batches;
        return (Part){worker->thread == 0 ? soil->derived.ground_reach.late : end, end};
    }
    Part part = own_particles(worker, colour);
    return (Part){ground_batch_of(soil, part.first), ground_batch_of(soil, part.end)};
}

/// True when a block of a colour is a thread's; `part` receives its batches.
static bool owns_block(const Worker *worker, int colour, int32_t block, Part *part)
{
    const PairList *list = &worker->soil->state.pairs;
    *part = (Part){list->block_first[block], list->block_first[block + 1]};
    return part->first < part->end && owner_of(worker, colour, block) == worker->thread;
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

static void begin_motion(const Worker *worker, Part part)
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
        begin_motion(worker, own_particles(worker, colour));
    }
#pragma omp barrier
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        Part part = own_ground(worker, colour); // at its edges it reads rows of other threads
        ground_contacts_begin(worker->soil, part.first, part.end);
    }
}

/// Sorts the particles and makes the list of pairs anew.
static void rebuild(Soil *soil, double dt)
{
    double radius = soil->model.particle_radius;
    for (int32_t i = 0; i < soil->state.particles.count; i++) {
        radius = fmax(radius, (double)soil->state.particles.radius[i]);
    }
    if (!neighbours_sort(&soil->derived.neighbours, &soil->state.particles, (2.0 + SOIL_CELL_SKIN) * radius,
                         soil->model.threads)) {
        abort(); // no memory for the cells: nothing right can follow
    }
    pair_list_build(soil, dt);
    for (int32_t i = 0; i < soil->state.particles.count; i++) {
        soil->state.particles.travel[i] = 0.0F;
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
    soil->scratch.rows[soil->state.particles.capacity] =
        (Row){.radius = -1.0F, .curvature = 1.0F, .inverse_mass = 1.0F};
#pragma omp parallel num_threads(soil->model.threads) if (soil->state.particles.count > SOIL_PARALLEL_PARTICLES)
    {
        Worker worker = {.soil = soil, .thread = omp_get_thread_num(), .threads = omp_get_num_threads()};
        begin_part(&worker);
    }
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
        rebuild(soil, dt);
    }
    begin_count(soil, dt, anew);
}

static void end_motion(const Worker *worker, Part part)
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
        Part part = own_ground(worker, colour);
        ground_contacts_end(worker->soil, part.first, part.end);
    }
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        end_motion(worker, own_particles(worker, colour));
    }
}

void soil_end_default(Soil *soil)
{
    if (soil->derived.last_h == 0.0) {
        return; // a tick without a substep
    }
#pragma omp parallel num_threads(soil->model.threads) if (soil->state.particles.count > SOIL_PARALLEL_PARTICLES)
    {
        Worker worker = {.soil = soil, .thread = omp_get_thread_num(), .threads = omp_get_num_threads()};
        end_part(&worker);
    }
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
            Part part;
            if (!owns_block(worker, colour, block, &part)) {
                continue;
            }
            if (begin) {
                soil->model.kernel->begin(list, soil->scratch.rows, part.first, part.end);
            } else {
                renew_block(worker, part.first, part.end);
            }
        }
        team_wait(worker->team);
    }
}

static void sweep_ground(const Worker *worker, bool begin)
{
    Soil *soil = worker->soil;
    const PairList *ground = &soil->derived.ground_contacts;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        Part part = own_ground(worker, colour);
        if (begin) {
            soil->model.kernel->begin_ground(ground, soil->scratch.rows, part.first, part.end);
        } else {
            ground_contacts_follow(soil, part.first, part.end);
            soil->model.kernel->renew_ground(ground, soil->scratch.rows, worker->step, part.first, part.end);
        }
    }
    team_wait(worker->team);
}

/// The contacts of a body are begun side by side, and visited one after another, by one thread.
static void warm_bodies(const Worker *worker)
{
    int64_t count = worker->soil->derived.contacts.body_count;
    if (count == 0) {
        return;
    }
    soil_begin_body_contacts(worker->soil, worker->h, (int32_t)(count * worker->thread / worker->threads),
                             (int32_t)(count * (worker->thread + 1) / worker->threads));
    team_wait(worker->team);
    if (worker->thread == 0) {
        body_contacts_warm(worker->soil, worker->step->first);
    }
    team_wait(worker->team);
}

static void visit_bodies(const Worker *worker)
{
    Soil *soil = worker->soil;
    if (soil->derived.contacts.body_count == 0) {
        return;
    }
    for (int visit = 0; worker->thread == 0 && visit < soil->model.scene.particles.iterations; visit++) {
        body_contacts_visit(soil);
    }
    if (worker->thread == 0) {
        body_contacts_finish(soil, worker->h);
    }
    team_wait(worker->team);
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
        Part part = own_particles(worker, colour);
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
    rebuild(soil, left);
    const int32_t *where = soil->derived.neighbours.rank; // see pair_list_build
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        soil->derived.contacts.bodies[k].i = where[soil->derived.contacts.bodies[k].i];
    }
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
    Team team;
    soil_begin_bodies(soil);
#pragma omp parallel num_threads(soil->model.threads) if (soil->state.particles.count > SOIL_PARALLEL_PARTICLES)
    {
#pragma omp single
        team_create(&team, omp_get_num_threads());
        int thread = omp_get_thread_num();
        Worker worker = {soil, &step, &soil->scratch.visits[thread], &team, h, thread, omp_get_num_threads()};
        run_substep(&worker);
    }
    soil->derived.last_h = h;
    soil->derived.elapsed += h;
    soil->derived.tick_left -= h;
}
