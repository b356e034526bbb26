/// Contacts of particles with bodies in the default solver: one after another, for all of a body's contacts share its motion.
/// The equations stand in pair_list.h, as lanes in pair_kernel.h.
#include <math.h>
#include <string.h>

#include "soil/body_contacts.h"
#include "soil/geometry.h"

/// First impulse of a contact: what it held in the last substep.
static void warm_impulse(ContactCore *core, float impulse[3])
{
    bool open = core->gap - core->rest > 0.0F && core->tension == 0.0F;
    core->lambda = open ? 0.0F : core->lambda * SOIL_WARM_START;
    float limit = core->friction * larger(core->lambda, 0.0F) + (open ? 0.0F : core->tension);
    float square = 0.0F;
    for (int k = 0; k < 3; k++) {
        core->friction_lambda[k] = -SOIL_WARM_START * core->slip[k] / core->alpha_t;
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
    float gap = core->gap - core->rest;
    float error = gap + approach + core->alpha * core->lambda + core->gamma * (approach + larger(gap, 0.0F));
    float lambda = core->lambda - error / ((1.0F + core->gamma) * w + core->alpha);
    lambda = larger(lambda, -core->tension);
    float change = lambda - core->lambda;
    core->lambda = lambda;

    float limit = core->friction * larger(lambda, 0.0F) + (lambda != 0.0F ? core->tension : 0.0F);
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
    float limit = core->friction * larger(core->lambda, 0.0F) + core->tension, square = 0.0F;
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
    float gap = core->gap += approach, torn = SOIL_TORN * radius;
    if (gap <= 0.0F) {
        core->flags |= CONTACT_TOUCHED;
    }
    bool bonded = (core->flags & CONTACT_BONDED) != 0;
    if (bonded && (gap - core->rest > torn || (slips && slid_square > torn * torn))) {
        core->flags &= (uint8_t)~CONTACT_BONDED;
        bonded = false;
        core->rest = smaller(core->rest, 0.0F);
    }
    if (!bonded && gap - core->rest > -SOIL_SQUEEZE * radius) {
        core->rest = smaller(core->rest + CONTACT_SWELLING * h, 0.0F);
    }
    if (!bonded && gap > torn) {
        core->flags = 0;
        core->rest = core->lambda = core->slip[0] = core->slip[1] = core->slip[2] = 0.0F;
    }
}

static void push_particle(float row[4], const float impulse[3], const float less[3])
{
    for (int axis = 0; axis < 3; axis++) {
        row[axis] += row[3] * (impulse[axis] - less[axis]);
    }
}

void body_contacts_warm(Soil *soil, bool first)
{
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        static const float nothing[3] = {0.0F, 0.0F, 0.0F};
        BodyContact *contact = &soil->contacts.bodies[k];
        float impulse[3];
        warm_impulse(&contact->core, impulse);
        push_particle(soil->particles.move[contact->i], impulse, first ? nothing : contact->held);
        memcpy(contact->held, impulse, sizeof impulse);
        soil_body_take(&soil->bodies[contact->body], contact, impulse);
    }
}

void body_contacts_visit(Soil *soil)
{
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        static const float nothing[3] = {0.0F, 0.0F, 0.0F};
        BodyContact *contact = &soil->contacts.bodies[k];
        SolverBody *body = &soil->bodies[contact->body];
        float *row = soil->particles.move[contact->i], other[3], relative[3], impulse[3];
        soil_body_motion(body, contact, other);
        soil_relative(&contact->core, row, other, relative);
        solve_core(&contact->core, relative, impulse);
        push_particle(row, impulse, nothing);
        for (int axis = 0; axis < 3; axis++) {
            contact->held[axis] += impulse[axis];
        }
        soil_body_take(body, contact, impulse);
    }
}

void body_contacts_finish(Soil *soil, double h)
{
    float radius = (float)soil->particle_radius;
    for (int32_t k = 0; k < soil->contacts.body_count; k++) {
        BodyContact *contact = &soil->contacts.bodies[k];
        const float *a = soil->particles.move[contact->i];
        float other[3], relative[3];
        soil_body_motion(&soil->bodies[contact->body], contact, other);
        soil_relative(&contact->core, a, other, relative);
        finish_core(&contact->core, relative, (float)h, radius);
        soil->bodies[contact->body].contacts += contact->core.lambda != 0.0F;
    }
}
