/// The default solver: Gauss-Seidel over contacts with accumulated multipliers, warm start and tangential anchors.
///
/// Parallel and deterministic: contacts are grouped by blocks of cells in four colours (neighbours.h). Blocks of one colour
/// share no particle, so threads may take them in any order; the colours, and the contacts inside a block, have a fixed one.
/// The equations stand in contacts.h. Why not the published averaging: it breaks Newton's third law (see README.md).
#include <math.h>

#include "soil/geometry.h"

/// Share of the last substep's normal multiplier that a contact starts with.
#define WARM_START 0.9F

/// First impulse of a contact: what it held in the last substep.
static void warm_impulse(ContactCore *core, float impulse[3])
{
    bool open = core->gap - core->rest > 0.0F && core->tension == 0.0F;
    core->lambda = open ? 0.0F : core->lambda * WARM_START;
    float limit = core->friction * larger(core->lambda, 0.0F) + (open ? 0.0F : core->shear);
    float square = 0.0F;
    for (int k = 0; k < 3; k++) {
        core->friction_lambda[k] = -WARM_START * core->slip[k] / core->alpha_t;
        square += core->friction_lambda[k] * core->friction_lambda[k];
    }
    float scale = square > limit * limit ? limit / sqrtf(square) : 1.0F;
    for (int k = 0; k < 3; k++) {
        core->friction_lambda[k] *= scale;
        impulse[k] = core->lambda * core->normal[k] + core->friction_lambda[k];
    }
}

/// One visit of a contact. `relative`: displacement of i minus that of the other side. `impulse` receives what is added.
static void solve_core(ContactCore *core, const float relative[3], float impulse[3])
{
    const float *n = core->normal;
    float w = core->inverse_mass;
    float approach = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
    float error = core->gap - core->rest + approach + core->alpha * core->lambda + core->gamma * approach;
    if (error < 0.0F) {
        // Overlap opens at a bounded speed, however deep it is; a load that holds the contact shut is not affected.
        error = larger(error, approach - core->separation);
    }
    float lambda = core->lambda - error / ((1.0F + core->gamma) * w + core->alpha);
    lambda = larger(lambda, -core->tension);
    float change = lambda - core->lambda;
    core->lambda = lambda;

    float limit = core->friction * larger(lambda, 0.0F) + (lambda != 0.0F ? core->shear : 0.0F);
    float inverse = 1.0F / (w + core->alpha_t), square = 0.0F, wanted[3];
    for (int k = 0; k < 3; k++) {
        float slid = core->slip[k] + relative[k] - approach * n[k];
        wanted[k] = core->friction_lambda[k] - (slid + core->alpha_t * core->friction_lambda[k]) * inverse;
        square += wanted[k] * wanted[k];
    }
    float scale = square > limit * limit ? limit / sqrtf(square) : 1.0F;
    for (int k = 0; k < 3; k++) {
        float held = wanted[k] * scale;
        impulse[k] = change * n[k] + held - core->friction_lambda[k];
        core->friction_lambda[k] = held;
    }
}

/// After the last iteration: slip since contact, bonds that broke, contacts that opened, swelling.
static void finish_core(ContactCore *core, const float relative[3], float h, float radius)
{
    const float *n = core->normal;
    float approach = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
    float limit = core->friction * larger(core->lambda, 0.0F) + core->shear, square = 0.0F;
    for (int k = 0; k < 3; k++) {
        square += core->friction_lambda[k] * core->friction_lambda[k];
    }
    bool slips = square >= 0.998F * limit * limit;
    float slid_square = 0.0F;
    for (int k = 0; k < 3; k++) {
        float slid = core->slip[k] + relative[k] - approach * n[k];
        slid_square += slid * slid;
        // A sliding contact keeps only the slip its friction can hold.
        core->slip[k] = slips ? -core->alpha_t * core->friction_lambda[k] : slid;
    }
    float gap = core->gap + approach, torn = 0.02F * radius;
    if (gap <= 0.0F) {
        core->flags |= CONTACT_TOUCHED;
    }
    bool bonded = (core->flags & CONTACT_BONDED) != 0;
    if (bonded && (gap - core->rest > torn || (slips && slid_square > torn * torn))) {
        core->flags &= (uint8_t)~CONTACT_BONDED;
        bonded = false;
        core->rest = smaller(core->rest, 0.0F);
    }
    if (!bonded) {
        core->rest = smaller(core->rest + CONTACT_SWELLING * h, 0.0F);
    }
    if (!bonded && gap > torn) {
        core->flags = 0;
        core->rest = core->lambda = core->slip[0] = core->slip[1] = core->slip[2] = 0.0F;
    }
}

/// ---- what a visit does to the two sides ---------------------------------------------------------------------------

static inline void push_pair(float *a, float *b, const float impulse[3])
{
    for (int k = 0; k < 3; k++) {
        a[k] += a[3] * impulse[k];
        b[k] -= b[3] * impulse[k];
    }
}

static void sweep_block(Soil *soil, int block, bool warm)
{
    float(*move)[4] = soil->particles.move;
    PairContact *pairs = soil->contacts.pairs;
    for (int32_t k = soil->contacts.block_first[block]; k < soil->contacts.block_first[block + 1]; k++) {
        float *a = move[pairs[k].i], *b = move[pairs[k].j];
        float impulse[3];
        if (warm) {
            warm_impulse(&pairs[k].core, impulse);
        } else {
            float relative[3];
            soil_relative(&pairs[k].core, a, b, relative);
            solve_core(&pairs[k].core, relative, impulse);
        }
        push_pair(a, b, impulse);
    }
}

static void sweep_pairs(Soil *soil, bool warm)
{
    const Neighbours *neighbours = &soil->neighbours;
    bool parallel = soil->contacts.pair_count > SOIL_PARALLEL_PAIRS;
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        int first = neighbours->colour_first[colour], end = neighbours->colour_first[colour + 1];
#pragma omp parallel for schedule(dynamic, 1) num_threads(soil->threads) if (parallel)
        for (int block = first; block < end; block++) {
            sweep_block(soil, block, warm);
        }
    }
}

static void sweep_ground(Soil *soil, bool warm)
{
    float(*move)[4] = soil->particles.move;
    ContactCore *ground = soil->contacts.ground;
    int32_t count = soil->particles.count;
    for (int32_t i = 0; i < count; i++) {
        if (ground[i].gap - ground[i].rest > 0.05F) {
            ground[i].lambda = 0.0F;
            ground[i].friction_lambda[0] = ground[i].friction_lambda[1] = ground[i].friction_lambda[2] = 0.0F;
            continue; // out of reach in this substep
        }
        float impulse[3];
        if (warm) {
            warm_impulse(&ground[i], impulse);
        } else {
            float relative[3];
            soil_relative(&ground[i], move[i], NULL, relative);
            solve_core(&ground[i], relative, impulse);
        }
        for (int k = 0; k < 3; k++) {
            move[i][k] += move[i][3] * impulse[k];
        }
    }
}

static void sweep_bodies(Soil *soil, bool warm)
{
    float(*move)[4] = soil->particles.move;
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        BodyContact *contact = &soil->contacts.bodies[k];
        SolverBody *body = &soil->bodies[contact->body];
        float *a = move[contact->i];
        float impulse[3];
        if (warm) {
            warm_impulse(&contact->core, impulse);
        } else {
            float other[3], relative[3];
            soil_body_motion(body, contact, other);
            soil_relative(&contact->core, a, other, relative);
            solve_core(&contact->core, relative, impulse);
        }
        for (int axis = 0; axis < 3; axis++) {
            a[axis] += a[3] * impulse[axis];
        }
        soil_body_take(body, contact, impulse);
    }
}

static void finish_contacts(Soil *soil, float h)
{
    Particles *p = &soil->particles;
    Contacts *contacts = &soil->contacts;
    float radius = (float)soil->particle_radius;
#pragma omp parallel for schedule(static) num_threads(soil->threads) if (contacts->pair_count > SOIL_PARALLEL_PAIRS)
    for (int32_t k = 0; k < contacts->pair_count; k++) {
        PairContact *pair = &contacts->pairs[k];
        float relative[3];
        soil_relative(&pair->core, p->move[pair->i], p->move[pair->j], relative);
        finish_core(&pair->core, relative, h, radius);
    }
    for (int32_t i = 0; i < p->count; i++) {
        ContactCore *core = &contacts->ground[i];
        float relative[3];
        soil_relative(core, p->move[i], NULL, relative);
        finish_core(core, relative, h, radius);
        p->ground_lambda[i] = core->lambda;
        p->ground_slip_x[i] = core->slip[0];
        p->ground_slip_y[i] = core->slip[1];
        p->ground_slip_z[i] = core->slip[2];
        p->ground_bond[i] = core->flags;
        p->ground_rest[i] = core->rest;
    }
    for (int32_t k = 0; k < contacts->body_count; k++) {
        BodyContact *contact = &contacts->bodies[k];
        const float *a = p->move[contact->i];
        float other[3], relative[3];
        soil_body_motion(&soil->bodies[contact->body], contact, other);
        soil_relative(&contact->core, a, other, relative);
        finish_core(&contact->core, relative, h, radius);
        soil->bodies[contact->body].contacts += contact->core.lambda != 0.0F;
    }
}

void soil_solve_default(Soil *soil, double h)
{
    soil_clear_moves(soil);
    soil_begin_pairs(soil, h);
    soil_begin_ground(soil, h);
    soil_begin_bodies(soil, h);
    for (int iteration = -1; iteration < soil->scene.particles.iterations; iteration++) {
        bool warm = iteration < 0;
        sweep_pairs(soil, warm);
        sweep_ground(soil, warm);
        sweep_bodies(soil, warm);
    }
    finish_contacts(soil, (float)h);
    soil_advance(soil, h);
}
