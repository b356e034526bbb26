/// Contacts of particles with bodies in the default solver: one after another, for all of a body's contacts share its motion.
/// The equations stand in pair_list.h, as lanes in pair_kernel.h.
#include <math.h>
#include <string.h>

#include "soil/contact/body_contacts.h"
#include "soil/contact/contact_geometry.h"

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Shortens a vector to a length, where it is longer.
static void cap(float vector[3], float limit)
{
    float square = dot(vector, vector);
    float scale = square > limit * limit ? limit / sqrtf(square) : 1.0F;
    for (int k = 0; k < 3; k++) {
        vector[k] *= scale;
    }
}

/// What a contact starts a substep with: what it held in the last one, turned with it.
static void warm_core(ContactCore *core)
{
    bool open = core->gap - core->rest > 0.0F && core->tension == 0.0F;
    core->lambda = open ? 0.0F : smaller(core->lambda, core->most);
    float along = dot(core->friction_lambda, core->normal);
    for (int k = 0; k < 3; k++) {
        core->friction_lambda[k] -= along * core->normal[k];
    }
    cap(core->friction_lambda, core->friction * larger(core->lambda, 0.0F) + (open ? 0.0F : core->tension));
    for (int k = 0; k < 3; k++) {
        core->slide[k] = -core->alpha_t * core->friction_lambda[k];
    }
}

/// One visit of a contact. `relative`: displacement of i minus that of the other side.
static void solve_core(ContactCore *core, const float relative[3])
{
    const float *n = core->normal;
    float w = core->inverse_mass, approach = dot(relative, n), gap = core->gap - core->rest;
    float error = gap + approach + core->alpha * core->lambda + core->gamma * (approach + larger(gap, 0.0F));
    float lambda = core->lambda - error / ((1.0F + core->gamma) * w + core->alpha);
    core->lambda = smaller(larger(lambda, -core->tension), core->most);
    float inverse = 1.0F / (w + core->alpha_t);
    for (int k = 0; k < 3; k++) {
        float slid = core->slide[k] + relative[k] - approach * n[k];
        core->friction_lambda[k] -= (slid + core->alpha_t * core->friction_lambda[k]) * inverse;
    }
    cap(core->friction_lambda,
        core->friction * larger(core->lambda, 0.0F) + (core->lambda != 0.0F ? core->tension : 0.0F));
}

/// After the last iteration: contacts that opened, swelling, and how hard soil was pressed on.
static void finish_core(ContactCore *core, const float relative[3], float h, float radius)
{
    float gap = core->gap += dot(relative, core->normal);
    if (gap <= 0.0F) {
        core->flags |= CONTACT_TOUCHED;
    }
    core->pressed = larger(core->pressed, core->lambda / (h * h));
    if (gap - core->rest > -SOIL_SQUEEZE * radius) {
        core->rest = smaller(core->rest + CONTACT_SWELLING * h, 0.0F);
    }
    if (gap > (core->pull > 0.0F ? SOIL_STICKY : SOIL_PARTED) * radius) {
        core->flags = 0;
        core->rest = core->lambda = core->pressed = 0.0F;
        memset(core->friction_lambda, 0, sizeof core->friction_lambda);
    }
}

/// ---- both sides ------------------------------------------------------------------------------------------------------

/// The impulse of the contact goes to its two sides, less what they have of it. The particle's row starts a substep with the
/// impulse of the last one, the body with none.
static void apply(const Soil *soil, BodyContact *contact, SolverBody *body, const float body_has[3])
{
    const ContactCore *core = &contact->core;
    Row *row = &soil->scratch.rows[contact->i];
    float to_body[3];
    for (int k = 0; k < 3; k++) {
        float impulse = core->lambda * core->normal[k] + core->friction_lambda[k];
        row->move[k] += row->inverse_mass * (impulse - contact->held[k]);
        to_body[k] = impulse - body_has[k];
        contact->held[k] = impulse;
    }
    soil_body_take(body, contact, to_body);
}

/// Relative displacement of the two sides in this substep.
static void motion_of(const Soil *soil, const BodyContact *contact, float relative[3])
{
    float other[3];
    soil_body_motion(&soil->derived.bodies[contact->body], contact, other);
    soil_relative(&contact->core, soil->scratch.rows[contact->i].move, other, relative);
}

void body_contacts_warm(Soil *soil, bool first)
{
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        static const float nothing[3] = {0.0F, 0.0F, 0.0F};
        BodyContact *contact = &soil->derived.contacts.bodies[k];
        if (first) {
            memset(contact->held, 0, sizeof contact->held);
        }
        if (contact->open && dot(contact->held, contact->held) == 0.0F) {
            continue;
        }
        warm_core(&contact->core);
        apply(soil, contact, &soil->derived.bodies[contact->body], nothing);
    }
}

void body_contacts_visit(Soil *soil)
{
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        BodyContact *contact = &soil->derived.contacts.bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3], had[3];
        motion_of(soil, contact, relative);
        solve_core(&contact->core, relative);
        memcpy(had, contact->held, sizeof had);
        apply(soil, contact, &soil->derived.bodies[contact->body], had);
    }
}

void body_contacts_finish(Soil *soil, double h)
{
    float radius = (float)soil->model.particle_radius;
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        BodyContact *contact = &soil->derived.contacts.bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3];
        motion_of(soil, contact, relative);
        finish_core(&contact->core, relative, (float)h, radius);
        soil->derived.bodies[contact->body].contacts += contact->core.lambda != 0.0F;
    }
}
