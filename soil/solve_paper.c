/// The published solver, Parallel Particles (D. Holz, VRIPHYS 2014, "P2"), and its sequential reference.
///
/// p2: Jacobi over particles in parallel, corrections averaged (eq. 9), error reduction (eq. 37).
/// gs: the same constraints one after another, each applied at once.
/// Symbols: p predicted, x last position; everything here is a displacement p - x since the substep's start. A particle's
/// `move` holds what the corrections added to its prediction, a contact's `drift` the predicted part.
/// In eq. 21 the mass of a pair is the reduced mass 1/(w_i + w_j).
#include <math.h>
#include <string.h>

#include "soil/geometry.h"

/// Relaxation factors of one contact: eq. 21 made independent of the number of iterations by eq. 28.
typedef struct Relaxation {
    float stiffness, damping;
} Relaxation;

static Relaxation relax(const ContactCore *core, double h, int iterations)
{
    double w = (double)core->inverse_mass;
    double k = h * h * (double)core->stiffness * w, c = h * (double)core->damping * w; // eq. 21, numerators
    double k_pb = k / (1.0 + c + k), c_pb = c / (1.0 + c + k);
    double alpha = 1.0 - k_pb - c_pb;
    if (alpha >= 1.0) {
        return (Relaxation){0.0F, 0.0F};
    }
    double root = pow(alpha, 1.0 / iterations);
    double damping = c_pb * (1.0 - root) / (1.0 - alpha); // eq. 28
    return (Relaxation){(float)(1.0 - damping - root), (float)damping};
}

/// Correction of the relative displacement (of i against the other side) by one touching contact, eqs. 22-36.
/// `overlap` is C_s of eq. 22 at the current displacements, `normal` points to i.
static void correct(const ContactCore *core, Relaxation factor, float overlap, const float normal[3], float radius,
                    double h, const float relative[3], float correction[3])
{
    float approach = relative[0] * normal[0] + relative[1] * normal[1] + relative[2] * normal[2];
    float lambda_n = -(factor.stiffness * overlap + factor.damping * approach); // eq. 23
    // Adhesion, eqs. 35-36, as a relative displacement by eq. 34.
    float depth = smaller(-overlap, radius);
    float share = 1.0F - (depth / radius - 1.0F) * (depth / radius - 1.0F);
    float lambda_a = core->pull * share * core->inverse_mass * (float)(h * h);
    float stick = larger(-lambda_a, smaller(lambda_a, -(approach + lambda_n))); // damper without relaxation, capped
    float slide[3], square = 0.0F;
    for (int k = 0; k < 3; k++) {
        slide[k] = relative[k] - approach * normal[k]; // v_perp, eq. 30
        square += slide[k] * slide[k];
    }
    float lambda = sqrtf(square), cap = core->friction * fabsf(lambda_n) + lambda_a; // eq. 33
    float held = lambda <= cap ? 1.0F : cap / lambda;
    for (int k = 0; k < 3; k++) {
        correction[k] = (lambda_n + stick) * normal[k] - held * slide[k]; // eq. 32
    }
}

/// A pair: the normal follows the displacements. False when the two do not touch.
static bool correct_pair(const Soil *soil, const PairContact *pair, Relaxation factor, double h,
                         const float relative[3], float correction[3], float normal[3])
{
    const Particles *p = &soil->particles;
    float ri = p->radius[pair->i], rj = p->radius[pair->j], d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = pair->core.normal[k] * (pair->core.gap + ri + rj) + relative[k];
    }
    float distance = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float overlap = distance - (ri + rj);
    if (overlap > 0.0F || distance < 1e-9F) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = d[k] / distance;
    }
    correct(&pair->core, factor, overlap, normal, smaller(ri, rj), h, relative, correction);
    return true;
}

/// Contact with a plane (ground, tool). False when the two do not touch.
static bool correct_flat(const ContactCore *core, Relaxation factor, float radius, double h, const float relative[3],
                         float correction[3])
{
    const float *n = core->normal;
    float overlap = core->gap + relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
    if (overlap > 0.0F) {
        return false;
    }
    correct(core, factor, overlap, n, radius, h, relative, correction);
    return true;
}

/// ---- gs -------------------------------------------------------------------------------------------------------------

/// Turns a correction of the relative displacement into an impulse (force x h^2): both sides get their share of it.
static void to_impulse(const ContactCore *core, float correction[3])
{
    for (int k = 0; k < 3; k++) {
        correction[k] /= core->inverse_mass;
    }
}

static void apply(float *move, const float impulse[3], float sign)
{
    for (int k = 0; k < 3; k++) {
        move[k] += sign * move[3] * impulse[k];
    }
}

static void visit_pairs_in_turn(Soil *soil, double h, int iterations)
{
    float(*move)[4] = soil->particles.move;
    for (int32_t k = 0; k < soil->contacts.pair_count; k++) {
        const PairContact *pair = &soil->contacts.pairs[k];
        float *a = move[pair->i], *b = move[pair->j], correction[3], normal[3], relative[3];
        soil_relative(&pair->core, a, b, relative);
        if (correct_pair(soil, pair, relax(&pair->core, h, iterations), h, relative, correction, normal)) {
            to_impulse(&pair->core, correction);
            apply(a, correction, 1.0F);
            apply(b, correction, -1.0F);
        }
    }
}

static void visit_flats_in_turn(Soil *soil, double h, int iterations)
{
    Particles *p = &soil->particles;
    for (int32_t i = 0; i < p->count; i++) {
        const ContactCore *core = &soil->contacts.ground[i];
        float correction[3], relative[3];
        soil_relative(core, p->move[i], NULL, relative);
        if (correct_flat(core, relax(core, h, iterations), p->radius[i], h, relative, correction)) {
            to_impulse(core, correction);
            apply(p->move[i], correction, 1.0F);
        }
    }
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        const BodyContact *contact = &soil->contacts.bodies[k];
        SolverBody *body = &soil->bodies[contact->body];
        float *a = p->move[contact->i], other[3], correction[3], relative[3];
        soil_body_motion(body, contact, other);
        soil_relative(&contact->core, a, other, relative);
        Relaxation factor = relax(&contact->core, h, iterations);
        if (correct_flat(&contact->core, factor, p->radius[contact->i], h, relative, correction)) {
            to_impulse(&contact->core, correction);
            apply(a, correction, 1.0F);
            soil_body_take(body, contact, correction);
        }
    }
}

/// ---- p2 -------------------------------------------------------------------------------------------------------------

/// Lists for each particle its contacts: [first[i], first[i+1]) into `list`; pair k as k, body contact k as -1 - k.
static void list_by_particle(Contacts *contacts, int32_t count)
{
    int32_t *first = contacts->particle_first, *list = contacts->particle_list;
    memset(first, 0, ((size_t)count + 1) * sizeof(int32_t));
    for (int32_t k = 0; k < contacts->pair_count; k++) {
        first[contacts->pairs[k].i]++;
        first[contacts->pairs[k].j]++;
    }
    for (int32_t k = 0; k < contacts->body_count; k++) {
        first[contacts->bodies[k].i]++;
    }
    int32_t sum = 0;
    for (int32_t i = 0; i <= count; i++) {
        sum += i < count ? first[i] : 0;
        first[i] = sum; // end of i; filling downwards turns it into the start
    }
    for (int32_t k = contacts->body_count - 1; k >= 0; k--) {
        list[--first[contacts->bodies[k].i]] = -1 - k;
    }
    for (int32_t k = contacts->pair_count - 1; k >= 0; k--) {
        list[--first[contacts->pairs[k].i]] = k;
        list[--first[contacts->pairs[k].j]] = k;
    }
}

/// Adds the correction a particle gets from one contact to its sum. Returns 1 when the contact is violated.
static int gather_pair(const Soil *soil, const PairContact *pair, int32_t i, double h, int iterations, float sum[3])
{
    const float(*move)[4] = (const float(*)[4])soil->particles.move;
    const float *a = move[pair->i], *b = move[pair->j];
    float relative[3], correction[3], normal[3];
    soil_relative(&pair->core, a, b, relative);
    if (!correct_pair(soil, pair, relax(&pair->core, h, iterations), h, relative, correction, normal)) {
        return 0;
    }
    float sign = pair->i == i ? 1.0F : -1.0F;
    float epsilon = (float)soil->scene.particles.error_reduction;
    float weight = 1.0F + epsilon * sign * normal[2]; // eq. 37, gravity is -z, the normal points to pair->i
    float share = sign * weight * move[i][3] / pair->core.inverse_mass;
    for (int k = 0; k < 3; k++) {
        sum[k] += share * correction[k];
    }
    return 1;
}

static int gather_body(const Soil *soil, BodyContact *contact, double h, int iterations, float sum[3])
{
    const float *a = soil->particles.move[contact->i];
    const SolverBody *body = &soil->bodies[contact->body];
    float other[3], correction[3], relative[3];
    soil_body_motion(body, contact, other);
    soil_relative(&contact->core, a, other, relative);
    float *own = contact->core.friction_lambda; // this particle's share, kept for the body (eq. 34)
    own[0] = own[1] = own[2] = 0.0F;
    Relaxation factor = relax(&contact->core, h, iterations);
    if (!correct_flat(&contact->core, factor, soil->particles.radius[contact->i], h, relative, correction)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        own[k] = correction[k] / contact->core.inverse_mass;
        sum[k] += a[3] * own[k];
    }
    return 1;
}

static int gather_ground(const Soil *soil, int32_t i, double h, int iterations, float sum[3])
{
    const ContactCore *core = &soil->contacts.ground[i];
    float correction[3], relative[3];
    soil_relative(core, soil->particles.move[i], NULL, relative);
    if (!correct_flat(core, relax(core, h, iterations), soil->particles.radius[i], h, relative, correction)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        sum[k] += correction[k];
    }
    return 1;
}

/// One iteration of the averaged Jacobi scheme for one particle (eq. 9) into `next`.
static void average_particle(Soil *soil, int32_t i, double h, int iterations, float next[4])
{
    Contacts *contacts = &soil->contacts;
    float sum[3] = {0.0F, 0.0F, 0.0F};
    int violated = gather_ground(soil, i, h, iterations, sum);
    for (int32_t k = contacts->particle_first[i]; k < contacts->particle_first[i + 1]; k++) {
        int32_t contact = contacts->particle_list[k];
        violated += contact >= 0 ? gather_pair(soil, &contacts->pairs[contact], i, h, iterations, sum)
                                 : gather_body(soil, &contacts->bodies[-1 - contact], h, iterations, sum);
    }
    float share = violated > 0 ? 1.0F / (float)violated : 0.0F;
    for (int k = 0; k < 3; k++) {
        next[k] = soil->particles.move[i][k] + sum[k] * share;
    }
    next[3] = soil->particles.move[i][3];
    for (int32_t k = contacts->particle_first[i]; k < contacts->particle_first[i + 1] && violated > 0; k++) {
        int32_t contact = contacts->particle_list[k];
        for (int axis = 0; contact < 0 && axis < 3; axis++) {
            contacts->bodies[-1 - contact].core.friction_lambda[axis] *= share; // what was really applied
        }
    }
}

static void iterate_jacobi(Soil *soil, double h, int iterations)
{
    Particles *p = &soil->particles;
    float(*next)[4] = soil->contacts.next;
#pragma omp parallel for schedule(static) num_threads(soil->threads) if (p->count > SOIL_PARALLEL_PARTICLES)
    for (int32_t i = 0; i < p->count; i++) {
        average_particle(soil, i, h, iterations, next[i]);
    }
    soil->contacts.next = p->move;
    p->move = next;
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        const BodyContact *contact = &soil->contacts.bodies[k];
        soil_body_take(&soil->bodies[contact->body], contact, contact->core.friction_lambda);
    }
}

void soil_solve_paper(Soil *soil, double h, bool jacobi)
{
    int iterations = soil->scene.particles.iterations;
    soil_clear_moves(soil);
    soil_begin_pairs(soil, h);
    soil_begin_ground(soil, h);
    soil_begin_bodies(soil, h);
    if (jacobi) {
        list_by_particle(&soil->contacts, soil->particles.count);
    }
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (jacobi) {
            iterate_jacobi(soil, h, iterations);
        } else {
            visit_pairs_in_turn(soil, h, iterations);
            visit_flats_in_turn(soil, h, iterations);
        }
    }
    soil_advance(soil, h);
}
