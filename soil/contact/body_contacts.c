/// Contacts of particles with bodies in the default solver: one after another, for all of a body's contacts share its
/// motion. The law stands in contact_law.h; what it shares with the lanes of pair_lanes.h in contact_equations.h.
#include <math.h>
#include <string.h>

#include "soil/contact/body_contacts.h"
#include "soil/contact/contact_geometry.h"

typedef float Real;
typedef bool RealBits;
#define real_larger  larger
#define real_smaller smaller
#define real_sqrt    sqrtf
static inline float real_all(float value)
{
    return value;
}
static inline float real_select(bool chosen, float yes, float no)
{
    return chosen ? yes : no;
}
#include "soil/law/contact_equations.h"

static Real3 load(const float from[3])
{
    return (Real3){from[0], from[1], from[2]};
}

static void store(float to[3], Real3 value)
{
    to[0] = value.x;
    to[1] = value.y;
    to[2] = value.z;
}

/// What a contact starts a substep with: what it held in the last one, turned with it.
static void warm_core(ContactCore *core)
{
    bool open = core->gap - core->rest > 0.0F && core->tension == 0.0F;
    core->lambda = open ? 0.0F : smaller(core->lambda, core->most);
    Real3 normal = load(core->normal), lambda_t = load(core->friction_lambda);
    lambda_t = flatten(lambda_t, dot(lambda_t, normal), normal);
    lambda_t = cap3(lambda_t, friction_hold(core->friction, core->lambda, open ? 0.0F : core->tension));
    store(core->friction_lambda, lambda_t);
    store(core->slide, scale3(-core->alpha_t, lambda_t));
}

/// One visit of a contact. `relative`: displacement of i minus that of the other side.
static void solve_core(ContactCore *core, const float relative[3])
{
    Real3 moved = load(relative), normal = load(core->normal), lambda_t = load(core->friction_lambda);
    float w = core->inverse_mass, approach = dot(moved, normal), gap = core->gap - core->rest;
    float error = gap + approach + core->alpha * core->lambda + core->gamma * (approach + larger(gap, 0.0F));
    float lambda = relax_normal(core->lambda, error, 1.0F + core->gamma, w, core->alpha, core->tension);
    core->lambda = smaller(lambda, core->most);
    Real3 slid = flatten(add3(load(core->slide), moved), approach, normal);
    lambda_t = relax_friction(lambda_t, slid, w, core->alpha_t);
    float adhesive_hold = core->lambda != 0.0F ? core->tension : 0.0F;
    store(core->friction_lambda, cap3(lambda_t, friction_hold(core->friction, core->lambda, adhesive_hold)));
}

/// After the last iteration: contacts that opened, swelling, and how hard soil was pressed on.
static void finish_core(ContactCore *core, const float relative[3], float h, float radius)
{
    float gap = core->gap += dot(load(relative), load(core->normal));
    if (gap <= 0.0F) {
        core->flags |= CONTACT_TOUCHED;
    }
    core->pressed = larger(core->pressed, core->lambda / (h * h));
    if (gap - core->rest > -CONTACT_SWELLING_LIMIT * radius) {
        core->rest = smaller(core->rest + CONTACT_SWELLING_SPEED * h, 0.0F);
    }
    if (gap > (core->adhesion > 0.0F ? CONTACT_ADHESIVE_SEPARATION : CONTACT_DRY_SEPARATION) * radius) {
        core->flags = 0;
        core->rest = core->lambda = core->pressed = 0.0F;
        memset(core->friction_lambda, 0, sizeof core->friction_lambda);
    }
}

/// ---- both sides ----------------------------------------------------------------------------------------------------

/// The lambda of the contact goes to its two sides, less what they have of it. The particle's row starts a substep
/// with the lambda of the last one, the body with none.
static void apply(const ContactSystem *system, BodyContact *contact, SolverBody *body, const float body_has[3])
{
    const ContactCore *core = &contact->core;
    Row *row = &system->tick->rows[contact->i];
    float to_body[3];
    for (int k = 0; k < 3; k++) {
        float lambda = core->lambda * core->normal[k] + core->friction_lambda[k];
        row->move[k] += row->inverse_mass * (lambda - contact->held[k]);
        to_body[k] = lambda - body_has[k];
        contact->held[k] = lambda;
    }
    solver_body_take(body, contact, to_body);
}

/// Relative displacement of the two sides in this substep.
static void motion_of(const ContactSystem *system, const BodyContact *contact, float relative[3])
{
    float other[3];
    solver_body_motion(&system->bodies[contact->body], contact, other);
    contact_relative(&contact->core, system->tick->rows[contact->i].move, other, relative);
}

/// True of a contact that holds nothing, and held nothing in the last substep.
static bool is_idle(const BodyContact *contact)
{
    return contact->open && dot(load(contact->held), load(contact->held)) == 0.0F;
}

void body_contacts_prepare(const ContactSystem *system, bool first_substep, int32_t first, int32_t end)
{
    for (int32_t k = first; k < end; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (first_substep) {
            memset(contact->held, 0, sizeof contact->held);
        }
        if (!is_idle(contact)) {
            warm_core(&contact->core);
        }
    }
}

void body_contacts_warm(const ContactSystem *system)
{
    for (int32_t k = 0; k < system->contacts->body_count; k++) {
        static const float nothing[3] = {0.0F, 0.0F, 0.0F};
        BodyContact *contact = &system->contacts->bodies[k];
        if (!is_idle(contact)) {
            apply(system, contact, &system->bodies[contact->body], nothing);
        }
    }
}

void body_contacts_visit(const ContactSystem *system)
{
    for (int32_t k = 0; k < system->contacts->body_count; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3], had[3];
        motion_of(system, contact, relative);
        solve_core(&contact->core, relative);
        memcpy(had, contact->held, sizeof had);
        apply(system, contact, &system->bodies[contact->body], had);
    }
}

void body_contacts_finish(const ContactSystem *system, double h, int32_t first, int32_t end)
{
    float radius = (float)system->model->particle_radius;
    for (int32_t k = first; k < end; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3];
        motion_of(system, contact, relative);
        finish_core(&contact->core, relative, (float)h, radius);
        if (contact->core.lambda != 0.0F) {
            atomic_fetch_add_explicit(&system->bodies[contact->body].contacts, 1, memory_order_relaxed);
        }
    }
}
