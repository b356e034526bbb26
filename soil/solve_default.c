/// The default solver: Gauss-Seidel over contacts with accumulated multipliers, warm start and tangential anchors.
///
/// Parallel and deterministic: pairs come in batches that share no particle, batches in blocks of cells, blocks in four
/// colours (pair_list.h). Blocks of one colour share no particle, so threads may take them in any order; the colours, and the
/// batches inside a block, have a fixed one. Why not the published averaging: it breaks Newton's third law (README.md).
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "soil/body_contacts.h"
#include "soil/geometry.h"

static PairStep make_step(const Soil *soil, double h)
{
    double ratio = soil->last_h > 0.0 ? h / soil->last_h : 1.0; // multipliers are force x h^2
    return (PairStep){.h = (float)h,
                      .warm = SOIL_WARM_START * (float)(ratio * ratio),
                      .fall = (float)(SOIL_GRAVITY * h * h),
                      .swelling = CONTACT_SWELLING * (float)h,
                      .squeeze = SOIL_SQUEEZE * (float)soil->particle_radius,
                      .torn = SOIL_TORN * (float)soil->particle_radius,
                      .first = soil->last_h == 0.0};
}

/// ---- the tick around the substeps ----------------------------------------------------------------------------------

bool soil_list_lasts(const Soil *soil, double dt)
{
    const Particles *p = &soil->particles;
    double most = 0.5 * SOIL_SKIN * soil->particle_radius - 0.5 * SOIL_GRAVITY * dt * dt, reach = SOIL_APPROACH * dt;
    for (int32_t i = 0; i < p->count; i++) {
        double left = most - (double)p->travel[i];
        double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        if (left < 0.0 || reach * reach * square > left * left) {
            return false;
        }
    }
    return true;
}

static void clear_row(float row[4], float last)
{
    row[0] = row[1] = row[2] = 0.0F;
    row[3] = last;
}

static void begin_motion(Soil *soil)
{
    const Particles *p = &soil->particles;
    Motion *motion = &soil->motion;
    motion->move = p->move;
    int32_t count = p->count;
#pragma omp parallel for schedule(static) num_threads(soil->threads) if (count > SOIL_PARALLEL_PARTICLES)
    for (int32_t i = 0; i < count; i++) {
        float inverse_mass = (float)(1.0 / (p->mass[i] * SOIL_QUANTUM));
        clear_row(motion->shift[i], p->radius[i]);
        clear_row(motion->move[i], inverse_mass);
        const double velocity[3] = {p->vx[i], p->vy[i], p->vz[i]};
        for (int k = 0; k < 3; k++) {
            motion->speed[i][k] = (float)velocity[k];
            motion->carry[i][k] = (float)((double)motion->speed[i][k] - velocity[k]);
        }
        motion->speed[i][3] = inverse_mass;
        motion->carry[i][3] = 0.0F;
    }
    clear_row(motion->shift[p->capacity], -1.0F); // padding never touches itself
    clear_row(motion->speed[p->capacity], 0.0F);
    clear_row(motion->move[p->capacity], 0.0F);
}

/// Distances of the pairs at the tick's start: in a substep only what has changed since is added.
static void begin_distances(Soil *soil)
{
    const Particles *p = &soil->particles;
    PairList *list = &soil->pairs;
    int32_t batches = list->batches;
#pragma omp parallel for schedule(static) num_threads(soil->threads) if (batches * BATCH > SOIL_PARALLEL_PAIRS)
    for (int32_t batch = 0; batch < batches; batch++) {
        size_t first = (size_t)batch * BATCH, end = first + list->used[batch];
        for (size_t k = first; k < end; k++) {
            int32_t i = list->i[k], j = list->j[k];
            list->start_x[k] = (float)(p->x[i] - p->x[j]);
            list->start_y[k] = (float)(p->y[i] - p->y[j]);
            list->start_z[k] = (float)(p->z[i] - p->z[j]);
        }
    }
}

void soil_begin_default(Soil *soil, double dt)
{
    bool anew = soil->pairs.stale || !soil_list_lasts(soil, dt);
    soil->counters.rebuilt = anew;
    if (anew) {
        double radius = soil->particle_radius;
        for (int32_t i = 0; i < soil->particles.count; i++) {
            radius = fmax(radius, (double)soil->particles.radius[i]);
        }
        if (!neighbours_sort(&soil->neighbours, &soil->particles, (2.0 + SOIL_CELL_SKIN) * radius)) {
            abort(); // particles spread over more cells than memory holds: nothing right can follow
        }
        pair_list_build(soil, dt);
        for (int32_t i = 0; i < soil->particles.count; i++) {
            soil->particles.travel[i] = 0.0F;
        }
    }
    begin_motion(soil);
    begin_distances(soil);
    ground_contacts_begin(soil, dt, anew);
    soil->last_h = 0.0;
}

void soil_end_default(Soil *soil)
{
    PairStep step = make_step(soil, soil->last_h);
    Particles *p = &soil->particles;
    const Motion *motion = &soil->motion;
    const PairList *pairs = &soil->pairs, *ground = &soil->ground_contacts;
    int32_t count = p->count, batches = pairs->batches;
    if (soil->last_h == 0.0) {
        return; // a tick without a substep
    }
#pragma omp parallel num_threads(soil->threads) if (count > SOIL_PARALLEL_PARTICLES)
    {
#pragma omp for schedule(static) nowait
        for (int32_t chunk = 0; chunk < (batches + 31) / 32; chunk++) {
            int32_t end = chunk * 32 + 32;
            soil->kernel->finish(pairs, motion, &step, chunk * 32, end < batches ? end : batches);
        }
#pragma omp single nowait
        soil->kernel->finish_ground(ground, motion, &step, 0, ground->batches);
#pragma omp for schedule(static)
        for (int32_t i = 0; i < count; i++) {
            const float *shift = motion->shift[i], *speed = motion->speed[i], *carry = motion->carry[i];
            p->x[i] += (double)shift[0];
            p->y[i] += (double)shift[1];
            p->z[i] += (double)shift[2];
            p->vx[i] = (double)speed[0] - (double)carry[0];
            p->vy[i] = (double)speed[1] - (double)carry[1];
            p->vz[i] = (double)speed[2] - (double)carry[2];
            p->travel[i] += sqrtf(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
        }
    }
    ground_contacts_end(soil);
}

void soil_forget_removed(Soil *soil, const int32_t *where)
{
    pair_list_forget_removed(&soil->pairs, where, soil->particles.capacity);
    soil->ground_reach.known = false;
}

/// ---- a substep -----------------------------------------------------------------------------------------------------

/// What a thread does of [0, count).
static void share(int32_t count, int thread, int threads, int32_t *first, int32_t *end)
{
    *first = (int32_t)((int64_t)count * thread / threads);
    *end = (int32_t)((int64_t)count * (thread + 1) / threads);
}

/// One sweep over the pairs: colour by colour, each thread its share of a colour's blocks.
static void sweep_pairs(const Soil *soil, const PairStep *step, bool begin, int thread, int threads)
{
    const PairList *list = &soil->pairs;
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        int32_t first = list->colour_first[colour], end = list->colour_first[colour + 1];
        int64_t start = list->block_first[first], total = list->block_first[end] - start;
        for (int32_t block = first; block < end; block++) {
            int32_t a = list->block_first[block], b = list->block_first[block + 1];
            int64_t middle = ((int64_t)a + b) / 2 - start;
            if (a == b || middle * threads / total != thread) {
                continue;
            }
            if (begin) {
                soil->kernel->begin(list, &soil->motion, step, a, b);
                continue;
            }
            for (int visit = 0; visit < soil->scene.particles.iterations; visit++) {
                soil->kernel->solve(list, &soil->motion, step, a, b);
            }
        }
#pragma omp barrier
    }
}

static void sweep_ground(Soil *soil, const PairStep *step, bool begin, int thread, int threads)
{
    int32_t first, end;
    share(soil->ground_contacts.batches, thread, threads, &first, &end);
    if (begin) {
        ground_contacts_follow(soil, first, end);
        soil->kernel->begin_ground(&soil->ground_contacts, &soil->motion, step, first, end);
    } else {
        soil->kernel->solve_ground(&soil->ground_contacts, &soil->motion, step, first, end);
    }
#pragma omp barrier
}

/// v += move / h + h g, x += h v (P2 eq. 3). Whole rows of four, the last of which stays: that is one operation. The sum of
/// the velocity is compensated: gravity adds up to what it is, however fast a particle falls.
static void advance(const Motion *motion, double h, int32_t first, int32_t end)
{
    const float per_h = (float)(1.0 / h), step = (float)h;
    const float gain[4] = {per_h, per_h, per_h, 0.0F}, fall[4] = {0.0F, 0.0F, (float)(SOIL_GRAVITY * h), 0.0F};
    const float time[4] = {step, step, step, 0.0F};
    for (int32_t i = first; i < end; i++) {
        float *restrict shift = motion->shift[i], *restrict speed = motion->speed[i], *restrict move = motion->move[i];
        float *restrict carry = motion->carry[i];
        for (int k = 0; k < 4; k++) {
            float added = move[k] * gain[k] - fall[k] - carry[k], sum = speed[k] + added;
            carry[k] = (sum - speed[k]) - added;
            speed[k] = sum;
            shift[k] += time[k] * sum;
        }
        move[0] = move[1] = move[2] = 0.0F;
    }
}

static void run_substep(Soil *soil, const PairStep *step, double h, int thread, int threads)
{
    bool bodies = soil->contacts.body_count > 0;
    for (int iteration = -1; iteration < 1; iteration++) {
        bool begin = iteration < 0;
        sweep_pairs(soil, step, begin, thread, threads);
        sweep_ground(soil, step, begin, thread, threads);
        if (bodies) {
#pragma omp single
            body_contacts_sweep(soil, begin);
        }
    }
    if (bodies) {
#pragma omp single
        body_contacts_finish(soil, h);
    }
    int32_t first, end;
    share(soil->particles.count, thread, threads, &first, &end);
    advance(&soil->motion, h, first, end);
}

void soil_solve_default(Soil *soil, double h)
{
    PairStep step = make_step(soil, h);
    soil_begin_bodies(soil, h);
#pragma omp parallel num_threads(soil->threads) if (soil->particles.count > SOIL_PARALLEL_PARTICLES)
    run_substep(soil, &step, h, omp_get_thread_num(), omp_get_num_threads());
    soil->last_h = h;
}
