/// Impulses of contacts in one step: a soft spring a contact, solved with the impulse of the step before as its start,
/// then relaxed so that the overlap's push leaves no speed behind (Catto 2011 and 2023, see rock_solver.h). Numbers
/// without a source are chosen; test_machine_rock_movers holds what they do.
#include "machine/rocks/rock_solver.h"

#include <stddef.h>

// Of the contacts' springs: frequency as a share of the step rate, and damping ratio. Contacts with what stands are
// twice as fast.
#define FREQUENCY_SHARE 0.25
#define DAMPING_RATIO   10.0
// m/s: rocks that overlap part no faster.
#define PARTING_SPEED 0.5
// s and m/s: a mover that is x deeper than ROCK_PARTS_FROM in a squeezed rock is given x / PARTS_TIME away from it, at
// most PARTS_SPEED: more would be a kick.
#define PARTS_TIME  0.025
#define PARTS_SPEED 0.3
// m/s: slower impacts do not bounce.
#define BOUNCING_SPEED 0.5

// What the softness of a contact makes of mass, impulse and gap in a step.
typedef struct Softness {
    double rate, mass, impulse;
} Softness;

// Of an oscillator m x'' + 2 zeta w m x' + w^2 m x = 0 taken implicitly (Catto 2011, "Soft constraints", GDC).
static Softness softness_of(double frequency, double h)
{
    double w = 2.0 * M_PI * frequency, a1 = 2.0 * DAMPING_RATIO + h * w, a2 = h * w * a1, a3 = 1.0 / (1.0 + a2);
    return (Softness){w / a1, a2 * a3, a3};
}

// 1 / (1/m_a + 1/m_b + (r_a x d)' I_a^-1 (r_a x d) + (r_b x d)' I_b^-1 (r_b x d))
static double mass_along(const RockBody *a, const RockBody *b, const RockConstraint *c, Vec3 d)
{
    Vec3 turn_a = vec3_cross(c->arm_a, d), turn_b = vec3_cross(c->arm_b, d);
    double inverse = a->inverse_mass + b->inverse_mass + vec3_dot(turn_a, mat3_mul(&a->inertia_inverse, turn_a)) +
                     vec3_dot(turn_b, mat3_mul(&b->inertia_inverse, turn_b));
    return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

static Vec3 relative_velocity(const RockBody *a, const RockBody *b, const RockConstraint *c)
{
    Vec3 of_a = vec3_add(a->velocity, vec3_cross(a->spin, c->arm_a));
    Vec3 of_b = vec3_add(b->velocity, vec3_cross(b->spin, c->arm_b));
    return vec3_sub(vec3_sub(of_a, of_b), c->drift);
}

static void apply_to_first(RockBody *a, const RockConstraint *c, Vec3 impulse)
{
    a->velocity = vec3_madd(a->velocity, a->inverse_mass, impulse);
    a->spin = vec3_add(a->spin, mat3_mul(&a->inertia_inverse, vec3_cross(c->arm_a, impulse)));
}

static void apply(RockBody *a, RockBody *b, const RockConstraint *c, Vec3 impulse)
{
    apply_to_first(a, c, impulse);
    if (b->inverse_mass > 0.0) {
        b->velocity = vec3_madd(b->velocity, -b->inverse_mass, impulse);
        b->spin = vec3_sub(b->spin, mat3_mul(&b->inertia_inverse, vec3_cross(c->arm_b, impulse)));
    }
}

void rock_solver_prepare(const RockBody *bodies, RockConstraint *c, Vec3 impulse_world)
{
    const RockBody *a = &bodies[c->a], *b = &bodies[c->b];
    Vec3 axis = fabs(c->normal.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    c->tangent[0] = vec3_unit(vec3_cross(c->normal, axis), axis);
    c->tangent[1] = vec3_cross(c->normal, c->tangent[0]);
    c->mass = mass_along(a, b, c, c->normal);
    c->impulse = fmax(vec3_dot(impulse_world, c->normal), 0.0);
    for (int k = 0; k < 2; k++) {
        c->tangent_mass[k] = mass_along(a, b, c, c->tangent[k]);
        c->tangent_impulse[k] = vec3_dot(impulse_world, c->tangent[k]);
    }
    c->approach = vec3_dot(relative_velocity(a, b, c), c->normal);
    c->most = c->sunk = 0.0;
    c->stiff = b->inverse_mass == 0.0;
}

Vec3 rock_solver_impulse(const RockConstraint *c)
{
    Vec3 sliding = vec3_madd(vec3_scale(c->tangent[0], c->tangent_impulse[0]), c->tangent_impulse[1], c->tangent[1]);
    return vec3_madd(sliding, c->impulse, c->normal);
}

// The gap now, as the bodies have moved: of two points that stay with them.
static double gap_now(const RockBody *a, const RockBody *b, const RockConstraint *c)
{
    Vec3 point_a = vec3_add(a->moved, mat3_mul(&a->turned, c->arm_a));
    Vec3 point_b = vec3_add(b->moved, mat3_mul(&b->turned, c->arm_b));
    Vec3 now = vec3_sub(point_a, point_b), then = vec3_sub(c->arm_a, c->arm_b);
    return c->gap + vec3_dot(c->normal, vec3_sub(now, then));
}

// The impulse with which ground yields: lambda = h (F - d v), v the speed after it, v = v_free + lambda / m; F is what
// the rock's other contacts leave of what the ground bears.
static double yielding_impulse(const RockBody *a, const RockConstraint *c, double speed, double h)
{
    double left = fmax(h * c->bears - (a->borne - c->impulse), 0.0), damping = h * c->damping;
    double freely = speed - (c->mass > 0.0 ? c->impulse / c->mass : 0.0);
    return c->mass > 0.0 ? fmax((left - damping * freely) / (1.0 + damping / c->mass), 0.0) : left;
}

// Keeps a contact's impulse within what the ground bears. Where that is less than what would stop the rock the ground
// goes along; what would push it out of an overlap makes no ground yield.
static double bound_by_ground(RockBody *a, RockConstraint *c, double wanted, double speed, double gap, double h)
{
    double most = yielding_impulse(a, c, speed, h);
    if (gap < 0.0 && c->impulse - c->mass * speed > most) {
        c->sunk -= gap;
        c->gap -= gap;
    }
    wanted = fmin(wanted, most);
    a->borne += wanted - c->impulse;
    return wanted;
}

static void solve_normal(RockBody *a, RockBody *b, RockConstraint *c, const Softness *soft, double h)
{
    double gap = gap_now(a, b, c), bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
    if (gap > 0.0) {
        bias = gap / h; // so far they may come nearer
    } else if (soft != NULL) {
        bias = fmax(soft->rate * gap, -PARTING_SPEED);
        mass_scale = soft->mass;
        impulse_scale = soft->impulse;
    } else if (c->parts) {
        bias = fmax(fmin(gap + ROCK_PARTS_FROM, 0.0) / PARTS_TIME, -PARTS_SPEED);
    }
    double speed = vec3_dot(relative_velocity(a, b, c), c->normal);
    double wanted = c->impulse - c->mass * mass_scale * (speed + bias) - impulse_scale * c->impulse;
    double impulse = wanted > 0.0 ? wanted : 0.0;
    impulse = c->soft ? bound_by_ground(a, c, impulse, speed, gap, h) : impulse;
    double change = impulse - c->impulse;
    c->impulse = impulse;
    c->most = impulse > c->most ? impulse : c->most;
    if (change != 0.0) {
        apply(a, b, c, vec3_scale(c->normal, change));
    }
}

// Coulomb: at most friction x normal impulse, against the slip; in ground also its share of what holds from the side.
static void solve_friction(RockBody *a, RockBody *b, RockConstraint *c, double h)
{
    double most = c->friction * c->impulse;
    most += c->soft && c->impulse > 0.0 ? h * c->holds * c->impulse / fmax(a->borne, c->impulse) : 0.0;
    if (most == 0.0 && c->tangent_impulse[0] == 0.0 && c->tangent_impulse[1] == 0.0) {
        return;
    }
    Vec3 slip = relative_velocity(a, b, c);
    double now[2];
    for (int k = 0; k < 2; k++) {
        now[k] = c->tangent_impulse[k] - c->tangent_mass[k] * vec3_dot(slip, c->tangent[k]);
    }
    double size = now[0] * now[0] + now[1] * now[1];
    double scale = size > most * most ? most / sqrt(size) : 1.0;
    Vec3 change = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        now[k] *= scale;
        change = vec3_madd(change, now[k] - c->tangent_impulse[k], c->tangent[k]);
        c->tangent_impulse[k] = now[k];
    }
    apply(a, b, c, change);
}

static void solve(RockBody *bodies, RockConstraint *c, const Softness *soft, double h)
{
    solve_normal(&bodies[c->a], &bodies[c->b], c, soft, h);
    solve_friction(&bodies[c->a], &bodies[c->b], c, h);
}

void rock_solver_push(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h)
{
    const Softness loose = softness_of(FREQUENCY_SHARE / h, h), stiff = softness_of(2.0 * FREQUENCY_SHARE / h, h);
    for (int k = 0; k < count; k++) {
        bodies[constraints[k].a].borne = 0.0;
    }
    for (int k = 0; k < count; k++) {
        RockConstraint *c = &constraints[k];
        bodies[c->a].borne += c->soft ? c->impulse : 0.0;
        if (c->impulse > 0.0 && bodies[c->b].loaded) {
            apply_to_first(&bodies[c->a], c, rock_solver_impulse(c));
        } else if (c->impulse > 0.0) {
            apply(&bodies[c->a], &bodies[c->b], c, rock_solver_impulse(c));
        } else {
            c->tangent_impulse[0] = c->tangent_impulse[1] = 0.0;
        }
    }
    for (int k = 0; k < count; k++) {
        solve(bodies, &constraints[k], constraints[k].stiff ? &stiff : &loose, h);
    }
    for (int n = 0; n < squeeze->sweeps * squeeze->count; n++) {
        RockConstraint *c = &constraints[squeeze->list[n % squeeze->count]];
        solve(bodies, c, c->stiff ? &stiff : &loose, h);
    }
}

void rock_solver_relax(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h)
{
    for (int k = 0; k < count; k++) {
        solve(bodies, &constraints[k], NULL, h);
    }
    for (int n = 0; n < squeeze->sweeps * squeeze->count; n++) {
        solve(bodies, &constraints[squeeze->list[n % squeeze->count]], NULL, h);
    }
}

void rock_solver_bounce(RockBody *bodies, RockConstraint *constraints, int count, double restitution)
{
    for (int k = 0; k < count; k++) {
        RockConstraint *c = &constraints[k];
        if (c->approach > -BOUNCING_SPEED || c->most == 0.0 || c->sunk > 0.0) {
            continue;
        }
        RockBody *a = &bodies[c->a], *b = &bodies[c->b];
        double speed = vec3_dot(relative_velocity(a, b, c), c->normal);
        double impulse = fmax(c->impulse - c->mass * (speed + restitution * c->approach), 0.0);
        apply(a, b, c, vec3_scale(c->normal, impulse - c->impulse));
        c->impulse = impulse;
    }
}
