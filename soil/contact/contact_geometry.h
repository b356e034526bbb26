/// Steps that all solvers share: prediction, contact geometry, what a body feels, and the end of a substep.
#ifndef SPADEWORK_SOIL_CONTACT_GEOMETRY_H
#define SPADEWORK_SOIL_CONTACT_GEOMETRY_H

#include <math.h>
#include <stddef.h>

#include "data/core/tool_geometry.h"
#include "soil/contact/contact_system.h"

/// Finds gap, normal, predicted relative displacement (P2 eq. 2) and material of every particle's contact with the
/// ground at the start of a substep of `h` seconds, for the published solvers.
void paper_ground_contacts_begin(const ContactSystem *system, double h);
/// Sets to zero what contacts add to the bodies in a substep: displacements, sums of lambda, numbers of contacts.
void solver_bodies_reset(const ContactSystem *system);
/// Finds gap, normal, predicted relative displacement, compliance and limits of the contacts [first, end) with bodies.
void body_contacts_begin(const ContactSystem *system, double h, int32_t first, int32_t end);

/// Signed distance from a body's piece to a place in its frame, and the unit normal there; the contact's face becomes
/// the nearest one.
double body_contact_distance(BodyContact *contact, const ToolPiece *piece, Vec3 local, Vec3 *normal);

/// A particle stands in the hollows of the layer below: centres of lattice layers are sqrt(2) r apart, so that the
/// surface of the ground lies half of that below the centres of the lowest layer.
#define GROUND_STANDOFF 0.70710678118654752

/// Gap of particle i at height z over the ground that carries it.
static inline double ground_contact_gap(const Particles *p, int32_t i, double z, const Support *support)
{
    return (z - support->height) * support->normal.z - GROUND_STANDOFF * (double)p->radius[i];
}

/// Where the ground is looked at that carries a particle at a place (m, world): there, but between the side plates of a
/// tool no nearer to them than a column. The surface rises to what stands beside a plate over the width of a column,
/// which a particle inside must not feel: the plate is its wall.
Vec3 ground_contact_place(const ContactSystem *system, Vec3 at);

/// True when the gap of particle i to the ground is surely more than `reach`, m.
bool ground_contact_is_far(const ContactSystem *system, int32_t i, Vec3 at, double reach);

/// Where particle i is at the start of the substep (m, world), and its velocity (m/s). `rows`: [particle capacity + 1],
/// in which the default solver counts motion from the tick's start; NULL: the particles' own.
static inline void contact_particle_state(const Particles *p, const Row *rows, int32_t i, Vec3 *at, Vec3 *velocity)
{
    *at = vec3(p->x[i], p->y[i], p->z[i]);
    *velocity = vec3(p->vx[i], p->vy[i], p->vz[i]);
    if (rows != NULL) {
        const float *speed = rows[i].speed;
        double shift[3];
        row_shift(&rows[i], p, i, shift);
        *at = vec3_add(*at, vec3(shift[0], shift[1], shift[2]));
        *velocity = vec3((double)speed[0], (double)speed[1], (double)speed[2]);
    }
}

/// Plain comparisons: the library's versions are calls, for the sake of NaN.
static inline float larger(float a, float b)
{
    return a > b ? a : b;
}
static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

/// Relative displacement of a contact: predicted drift plus what contacts added to its two sides (`b` NULL: a side that
/// does not move).
static inline void contact_relative(const ContactCore *core, const float *a, const float *b, float relative[3])
{
    for (int k = 0; k < 3; k++) {
        relative[k] = core->drift[k] + a[k] - (b != NULL ? b[k] : 0.0F);
    }
}

/// Applies minus `lambda` (force x h^2, as on the particle) to a body at a contact.
static inline void solver_body_take(SolverBody *body, const BodyContact *contact, const float lambda[3])
{
    Vec3 j = vec3(-(double)lambda[0], -(double)lambda[1], -(double)lambda[2]);
    Vec3 arm = vec3((double)contact->arm[0], (double)contact->arm[1], (double)contact->arm[2]);
    Vec3 moment = vec3_cross(arm, j);
    body->lambda = vec3_add(body->lambda, j);
    body->lambda_moment = vec3_add(body->lambda_moment, moment);
    body->displacement = vec3_madd(body->displacement, body->tool.motion.inverse_mass, j);
    body->rotation = vec3_add(body->rotation, mat3_mul(&body->tool.motion.inertia_inverse, moment));
}

/// Displacement that contacts have added to the body's point at a contact.
static inline void solver_body_motion(const SolverBody *body, const BodyContact *contact, float motion[3])
{
    Vec3 arm = vec3((double)contact->arm[0], (double)contact->arm[1], (double)contact->arm[2]);
    Vec3 move = vec3_add(body->displacement, vec3_cross(body->rotation, arm));
    motion[0] = (float)move.x;
    motion[1] = (float)move.y;
    motion[2] = (float)move.z;
}

/// ---- reach of tools ------------------------------------------------------------------------------------------------
/// Tools move particles within a tick, whatever speed those had at its start: how far, at most.

/// m: soil so far from a tool's bounding sphere may be pushed by it within a tick, through other soil. Chosen.
#define TOOL_SWEEP_MARGIN 0.8

typedef struct ToolSweep {
    int count;
    double push[SOIL_MAX_BODIES]; ///< m: most that a tool moves in this tick
    double near[SOIL_MAX_BODIES]; ///< m: particles so near the tool's middle may be pushed, through other soil
    Vec3 middle[SOIL_MAX_BODIES];
} ToolSweep;

/// Most is what the cells' skin leaves room for.
static inline void tool_sweep_find(ToolSweep *sweep, const ContactSystem *system, double dt)
{
    double most = (PAIR_CELL_SKIN - PAIR_SKIN) * system->model->particle_radius;
    sweep->count = system->body_count;
    for (int b = 0; b < system->body_count; b++) {
        const SolverBody *body = &system->bodies[b];
        const RigidMotion *motion = &body->tool.motion;
        const double radius = body->reach;
        double speed = vec3_length(motion->velocity) + vec3_length(motion->spin) * 2.0 * radius;
        sweep->push[b] = fmin(PAIR_APPROACH * dt * speed, most);
        sweep->middle[b] = pose_apply(&motion->frame, body->middle);
        sweep->near[b] = radius + TOOL_SWEEP_MARGIN;
    }
}

/// m: most that a particle may be pushed.
static inline double tool_sweep_most(const ToolSweep *sweep)
{
    double most = 0.0;
    for (int b = 0; b < sweep->count; b++) {
        most = fmax(most, sweep->push[b]);
    }
    return most;
}

/// How far particle i may be pushed, m.
static inline double tool_sweep_reach(const ToolSweep *sweep, const Particles *p, int32_t i)
{
    double push = 0.0;
    for (int b = 0; b < sweep->count; b++) {
        Vec3 to = vec3_sub(vec3(p->x[i], p->y[i], p->z[i]), sweep->middle[b]);
        if (sweep->push[b] > push && vec3_dot(to, to) < sweep->near[b] * sweep->near[b]) {
            push = sweep->push[b];
        }
    }
    return push;
}

#endif
