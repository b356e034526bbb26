/// Contacts of rocks: which pairs come near in a tick and where they touch, what the ground bears, how squeezed rocks
/// are kept out of steel, and the impulses of one step.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/rocks/rocks_internal.h"

/// ---- impulses of a step --------------------------------------------------------------------------------------------
/// Impulses of contacts in one step: a soft spring a contact, solved with the impulse of the step before as its start,
/// then relaxed so that the overlap's push leaves no speed behind (Catto 2011 and 2023, see rocks_internal.h). Numbers
/// without a source are chosen; test_machine_rock_movers holds what they do.

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

/// ---- footing in the ground -----------------------------------------------------------------------------------------
/// What the ground bears of a rock, and where the rock sinks into it.
///
/// A rock that lies d deep in ground (the plane through the surface around it) rests on the section A that the plane
/// cuts out of it, as wide as a circle of that area. The ground bears
///     F = A q(B, V / A),    B = 2 sqrt(A / pi),    V: the volume below the plane
/// with q the bearing capacity that the caller knows (Terzaghi 1943: c Nc + q Nq + 1/2 g rho B Ngamma, its surcharge
/// taken at the mean depth V / A), and holds it from the side with the passive pressure on the section across,
///     P = integral over depth z of 2 sqrt(A(z) / pi) q_wall(z)
/// The load of a contact beyond F makes the ground yield (RockConstraint.soft): the rock sinks until F is its load. The
/// ground is rigid below F. What a rock makes of the ground's heights is the caller's (rocks_press).

static size_t part_at(const RockScratch *scratch, int rock, int part)
{
    return (size_t)rock * (size_t)scratch->part_stride + (size_t)part;
}

static ConvexSolid part_solid(const Rocks *rocks, int rock, int part)
{
    const RockScratch *scratch = &rocks->scratch;
    size_t at = part_at(scratch, rock, part);
    const RockBox *box = &scratch->part_box[at];
    return (ConvexSolid){.hull = &rocks->kind[rocks->state.shape[rock][0]].part[part],
                         .point = scratch->point + at * (size_t)scratch->point_stride,
                         .normal = scratch->normal + at * (size_t)scratch->face_stride,
                         .center = vec3_scale(vec3_add(box->low, box->high), 0.5)};
}

enum {
    SAMPLES = 12, ///< of the section along a side
    SLICES = 6, ///< of the depth
    ROUND = 8, ///< places where the surface around is looked at
};
/// m beyond its box: there the surface around a rock begins.
#define BESIDE 0.15
/// m/s: ground that bears nothing yet lets a rock sink no faster under its weight. Chosen near what waves in the ground
/// take from a footing (Lysmer and Richart 1966: 3.4 r2 sqrt(G rho) / (1 - nu); for a stone of 1.4 t that has sunk in
/// to r = 0.15 m of soil with G = 20 MPa, 0.7 m/s)
#define SINKING_SPEED 0.3

double rocks_underside(const Rocks *rocks, int rock, double x, double y)
{
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    double lowest = HUGE_VAL;
    for (int p = 0; p < kind->part_count; p++) {
        ConvexSolid solid = part_solid(rocks, rock, p);
        double low = -HUGE_VAL, high = HUGE_VAL;
        for (int f = 0; f < solid.hull->face_count; f++) {
            Vec3 n = solid.normal[f], on = solid.point[solid.hull->face_point[f][0]];
            double left = vec3_dot(n, on) - n.x * x - n.y * y; // n.z z may be as much
            if (n.z < -1e-9) {
                low = fmax(low, left / n.z);
            } else if (n.z > 1e-9) {
                high = fmin(high, left / n.z);
            } else if (left < 0.0) {
                high = -HUGE_VAL;
            }
        }
        lowest = low <= high ? fmin(lowest, low) : lowest;
    }
    return lowest;
}

/// Looks at the surface around a rock. False where it lies on a mover.
static bool look_around(const Rocks *rocks, int rock, RocksGround *ground, void *context, RockAround *around)
{
    const RockBox *box = &rocks->scratch.box[rock];
    Vec3 middle = vec3_scale(vec3_add(box->low, box->high), 0.5), size = vec3_sub(box->high, box->low);
    double sum = 0.0, by_x = 0.0, by_y = 0.0, xx = 0.0, yy = 0.0;
    for (int k = 0; k < ROUND; k++) {
        double x = (0.5 * size.x + BESIDE) * same_cos(2.0 * M_PI * k / ROUND);
        double y = (0.5 * size.y + BESIDE) * same_sin(2.0 * M_PI * k / ROUND), height = 0.0;
        Vec3 normal;
        if (ground != NULL && ground(context, vec3(middle.x + x, middle.y + y, box->low.z), &height, &normal) >= 0) {
            return false;
        }
        sum += height;
        by_x += height * x;
        by_y += height * y;
        xx += x * x;
        yy += y * y;
    }
    *around = (RockAround){middle, sum / ROUND, by_x / xx, by_y / yy};
    return true;
}

/// m: how far a point lies below the surface around.
static double depth_of(const RockAround *around, Vec3 point)
{
    return around->height + around->slope_x * (point.x - around->at.x) + around->slope_y * (point.y - around->at.y) -
           point.z;
}

/// Widens a box, seen from above, by a point.
static void take_in(RockBox *box, Vec3 point)
{
    box->low = vec3(fmin(box->low.x, point.x), fmin(box->low.y, point.y), 0.0);
    box->high = vec3(fmax(box->high.x, point.x), fmax(box->high.y, point.y), 0.0);
}

/// The box, seen from above, around what of a rock lies below the surface around. False: nothing does.
static bool find_section(const Rocks *rocks, int rock, const RockAround *around, RockBox *section)
{
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    *section = (RockBox){vec3(HUGE_VAL, HUGE_VAL, 0.0), vec3(-HUGE_VAL, -HUGE_VAL, 0.0)};
    for (int p = 0; p < kind->part_count; p++) {
        ConvexSolid solid = part_solid(rocks, rock, p);
        for (int e = 0; e < solid.hull->edge_count; e++) {
            Vec3 from = solid.point[solid.hull->edge_point[e][0]], to = solid.point[solid.hull->edge_point[e][1]];
            double first = depth_of(around, from), last = depth_of(around, to);
            if (first > 0.0) {
                take_in(section, from);
            }
            if (last > 0.0) {
                take_in(section, to);
            }
            if ((first > 0.0) != (last > 0.0)) {
                take_in(section, vec3_madd(from, first / (first - last), vec3_sub(to, from)));
            }
        }
    }
    return section->low.x < section->high.x && section->low.y < section->high.y;
}

/// Places of a section.
typedef struct RockSamples {
    double x[SAMPLES], y[SAMPLES]; ///< m, world
    double lowest[SAMPLES * SAMPLES]; ///< m: the underside at x[k % SAMPLES], y[k / SAMPLES]; HUGE_VAL: none
} RockSamples;

/// The vertical line of each sample as far as it lies in a convex solid, m.
typedef struct RockLines {
    double low[SAMPLES][SAMPLES], high[SAMPLES][SAMPLES]; ///< [y][x]; low > high: it misses the solid
} RockLines;

/// Cuts the lines by a face with normal `n`; `reach` m: the face's distance from the origin along it.
static void cut_lines(Vec3 n, double reach, const RockSamples *samples, RockLines *lines)
{
    for (int row = 0; row < SAMPLES; row++) {
        double *low = lines->low[row], *high = lines->high[row], y = n.y * samples->y[row];
        if (n.z < -1e-9) {
            for (int k = 0; k < SAMPLES; k++) {
                double z = (reach - n.x * samples->x[k] - y) / n.z;
                low[k] = z > low[k] ? z : low[k];
            }
        } else if (n.z > 1e-9) {
            for (int k = 0; k < SAMPLES; k++) {
                double z = (reach - n.x * samples->x[k] - y) / n.z;
                high[k] = z < high[k] ? z : high[k];
            }
        } else {
            for (int k = 0; k < SAMPLES; k++) {
                high[k] = reach - n.x * samples->x[k] - y < 0.0 ? -HUGE_VAL : high[k];
            }
        }
    }
}

/// Face by face, since a face is the same for all samples.
static void take_in_solid(const ConvexSolid *solid, RockSamples *samples)
{
    RockLines lines;
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        lines.low[k / SAMPLES][k % SAMPLES] = -HUGE_VAL;
        lines.high[k / SAMPLES][k % SAMPLES] = HUGE_VAL;
    }
    for (int f = 0; f < solid->hull->face_count; f++) {
        Vec3 n = solid->normal[f];
        cut_lines(n, vec3_dot(n, solid->point[solid->hull->face_point[f][0]]), samples, &lines);
    }
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        double low = lines.low[k / SAMPLES][k % SAMPLES];
        bool there = low <= lines.high[k / SAMPLES][k % SAMPLES] && low < samples->lowest[k];
        samples->lowest[k] = there ? low : samples->lowest[k];
    }
}

/// Depths (m) of a rock's underside below the surface around it, on SAMPLES x SAMPLES places of `section`. The
/// underside is that of rocks_underside.
static int find_depths(const Rocks *rocks, int rock, const RockAround *around, const RockBox *section,
                       double depth[SAMPLES * SAMPLES])
{
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    RockSamples samples;
    for (int k = 0; k < SAMPLES; k++) {
        samples.x[k] = section->low.x + (k + 0.5) / SAMPLES * (section->high.x - section->low.x);
        samples.y[k] = section->low.y + (k + 0.5) / SAMPLES * (section->high.y - section->low.y);
    }
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        samples.lowest[k] = HUGE_VAL;
    }
    for (int p = 0; p < kind->part_count; p++) {
        ConvexSolid solid = part_solid(rocks, rock, p);
        take_in_solid(&solid, &samples);
    }
    int count = 0;
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        double below = depth_of(around, vec3(samples.x[k % SAMPLES], samples.y[k / SAMPLES], samples.lowest[k]));
        if (below > 0.0) {
            depth[count++] = below;
        }
    }
    return count;
}

static void measure(const Rocks *rocks, int rock, const RockAround *around, void *context, RockFooting *footing)
{
    double depth[SAMPLES * SAMPLES], volume = 0.0, deepest = 0.0;
    RockBox box;
    int count = find_section(rocks, rock, around, &box) ? find_depths(rocks, rock, around, &box, depth) : 0;
    double cell = (box.high.x - box.low.x) * (box.high.y - box.low.y) / (SAMPLES * SAMPLES);
    for (int k = 0; k < count; k++) {
        volume += depth[k] * cell;
        deepest = fmax(deepest, depth[k]);
    }
    footing->bears = footing->holds = 0.0;
    footing->area = count > 0 ? count * cell : 0.0;
    footing->width = 2.0 * sqrt(footing->area / M_PI);
    if (count == 0) {
        return;
    }
    Vec3 at = vec3(around->at.x, around->at.y, rocks->scratch.box[rock].low.z);
    footing->bears = footing->area * rocks->bearing(context, at, footing->width, volume / footing->area, 1.0);
    for (int slice = 0; slice < SLICES; slice++) {
        double z = deepest * (slice + 0.5) / SLICES;
        int deeper = 0;
        for (int k = 0; k < count; k++) {
            deeper += depth[k] > z;
        }
        double width = 2.0 * sqrt(deeper * cell / M_PI);
        footing->holds += width * deepest / SLICES * rocks->bearing(context, at, width, z, 0.0);
    }
}

void rocks_forget_footings(Rocks *rocks)
{
    memset(rocks->scratch.footing, 0, sizeof *rocks->scratch.footing * (size_t)rocks->params.budget);
}

/// Turns the normals of a rock's contacts in its own dent, count of them, to that of the surface around.
static void level_dent_contacts(Rocks *rocks, int rock, RocksGround *ground, void *context, ConvexContact *contacts,
                                int count)
{
    RockFooting *footing = &rocks->scratch.footing[rock];
    if (rocks->bearing == NULL || count == 0) {
        return;
    }
    if (!footing->looked) {
        footing->looked = true;
        footing->yields = look_around(rocks, rock, ground, context, &footing->around);
    }
    const RockAround *around = &footing->around;
    Vec3 normal = vec3_unit(vec3(-around->slope_x, -around->slope_y, 1.0), vec3(0.0, 0.0, 1.0));
    for (int k = 0; k < count && footing->yields; k++) {
        if (depth_of(around, contacts[k].point) > 0.0) {
            contacts[k].depth *= normal.z / contacts[k].normal.z;
            contacts[k].normal = normal;
        }
    }
}

void rocks_find_footings(Rocks *rocks, void *context)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; rocks->bearing != NULL && k < scratch->touch_count; k++) {
        const RockTouch *touch = &scratch->touch[k];
        RockFooting *footing = &scratch->footing[touch->a];
        if (touch->b == ROCK_STANDS && touch->part < 0 && footing->yields && !footing->known) {
            footing->known = true;
            measure(rocks, touch->a, &footing->around, context, footing);
        }
    }
}

void rocks_soften(Rocks *rocks, const RockTouch *touch, RockConstraint *constraint)
{
    const RockFooting *footing = &rocks->scratch.footing[touch->a];
    bool soft = touch->b == ROCK_STANDS && touch->part < 0 && footing->known;
    constraint->soft = soft;
    if (soft) {
        double mass = rocks->kind[rocks->state.shape[touch->a][0]].mass;
        constraint->bears = footing->bears;
        constraint->holds = footing->holds;
        constraint->damping = mass * STANDARD_GRAVITY / SINKING_SPEED;
    }
}

void rocks_press(Rocks *rocks, RocksPress *press, void *context)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        RockFooting *footing = &scratch->footing[i];
        if (!footing->sank || rocks->state.shape[i][0] < 0) {
            continue;
        }
        footing->sank = false;
        RockPress what = {.rock = i,
                          .low = scratch->box[i].low,
                          .high = scratch->box[i].high,
                          .width = footing->width,
                          .pressure = footing->area > 0.0 ? footing->bears / footing->area : 0.0};
        press(context, &what);
    }
}

/// ---- near pairs and touches ----------------------------------------------------------------------------------------
/// Which pairs come near in a tick, and where they touch: boxes sorted along one axis (sweep and prune, Baraff 1992),
/// then the exact test of two solids (convex_contact.h) for rocks, obstacles and movers, and the plane of the ground
/// below each corner. Contacts that may close within the tick are found too, for they are followed and, but for those
/// of squeezed rocks, not found again. Numbers without a source are chosen;
/// test_machine_rocks and test_machine_rock_movers hold what they do.

// m: contacts are found from this gap on, and from farther where rock or mover is fast.
#define NEAR 0.01
// Times what a body moves in a tick as it goes at its start: it may be pushed on within it.
#define REACH 1.25
// m: most of that.
#define FARTHEST 0.3

RockBox rocks_box_of(const Vec3 *points, int count)
{
    RockBox box = {points[0], points[0]};
    for (int k = 1; k < count; k++) {
        box.low = vec3(fmin(box.low.x, points[k].x), fmin(box.low.y, points[k].y), fmin(box.low.z, points[k].z));
        box.high = vec3(fmax(box.high.x, points[k].x), fmax(box.high.y, points[k].y), fmax(box.high.z, points[k].z));
    }
    return box;
}

static RockBox widened(const RockBox *box, double margin)
{
    Vec3 reach = vec3(margin, margin, margin);
    return (RockBox){vec3_sub(box->low, reach), vec3_add(box->high, reach)};
}

static void grow(RockBox *box, const RockBox *by)
{
    box->low = vec3(fmin(box->low.x, by->low.x), fmin(box->low.y, by->low.y), fmin(box->low.z, by->low.z));
    box->high = vec3(fmax(box->high.x, by->high.x), fmax(box->high.y, by->high.y), fmax(box->high.z, by->high.z));
}

bool rocks_boxes_meet(const RockBox *a, const RockBox *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

void rocks_pose(Rocks *rocks, int rock)
{
    RockScratch *scratch = &rocks->scratch;
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    const double *q = rocks->state.quaternion[rock];
    Pose pose = {rocks_vec(rocks->state.position[rock]), mat3_from_quat((Quat){q[0], q[1], q[2], q[3]})};
    RockBox *box = &scratch->box[rock];
    for (int p = 0; p < kind->part_count; p++) {
        const ConvexHull *hull = &kind->part[p];
        size_t at = part_at(scratch, rock, p);
        Vec3 *point = scratch->point + at * (size_t)scratch->point_stride;
        Vec3 *normal = scratch->normal + at * (size_t)scratch->face_stride;
        for (int k = 0; k < hull->point_count; k++) {
            point[k] = pose_apply(&pose, hull->point[k]);
        }
        for (int k = 0; k < hull->face_count; k++) {
            normal[k] = mat3_mul(&pose.rotation, hull->normal[k]);
        }
        scratch->part_box[at] = rocks_box_of(point, hull->point_count);
        if (p == 0) {
            *box = scratch->part_box[at];
        } else {
            grow(box, &scratch->part_box[at]);
        }
    }
    scratch->posed[rock] = true;
}

void rocks_pose_all(Rocks *rocks)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !rocks->scratch.posed[i]) {
            rocks_pose(rocks, i);
        }
    }
}

void rocks_find_margins(Rocks *rocks, double dt)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0) {
            double reach = 0.5 * rocks->kind[rocks->state.shape[i][0]].length;
            double speed =
                vec3_length(rocks_vec(rocks->state.velocity[i])) + reach * vec3_length(rocks_vec(rocks->state.spin[i]));
            rocks->scratch.margin[i] = fmin(NEAR + REACH * dt * speed, FARTHEST);
            rocks->scratch.sweep[i] = rocks->scratch.box[i].low.x - rocks->scratch.margin[i];
        }
    }
}

/// Puts mover n's parts where it is now, and finds the contacts of a rock with them as both are placed.
static void pose_mover(Rocks *rocks, int n, const RockMover *mover)
{
    RockScratch *scratch = &rocks->scratch;
    RockBox *box = &scratch->mover_box[n];
    for (int p = 0; p < rocks->params.mover[n].part_count; p++) {
        RockMoverPart *part = &rocks->mover_part[n][p];
        for (int k = 0; k < part->hull.point_count; k++) {
            part->point[k] = pose_apply(&mover->motion.frame, part->hull.point[k]);
        }
        for (int k = 0; k < part->hull.face_count; k++) {
            part->normal[k] = mat3_mul(&mover->motion.frame.rotation, part->hull.normal[k]);
        }
        part->box = rocks_box_of(part->point, part->hull.point_count);
        if (p == 0) {
            *box = part->box;
        } else {
            grow(box, &part->box);
        }
    }
}

static void place_mover(Rocks *rocks, int n, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    const RockMover *mover = &scratch->mover[n];
    const RockBox *box = &scratch->mover_box[n];
    pose_mover(rocks, n, mover);
    double size = vec3_length(vec3_sub(box->high, box->low));
    double speed = vec3_length(mover->motion.velocity) + size * vec3_length(mover->motion.spin);
    scratch->mover_margin[n] = fmin(REACH * dt * speed, FARTHEST);
}

void rocks_place_movers(Rocks *rocks, const RockMover *movers, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    scratch->mover_count = movers != NULL ? rocks->params.mover_count : 0;
    for (int n = 0; n < scratch->mover_count; n++) {
        scratch->mover[n] = movers[n];
        if (rocks->params.mover[n].part_count > 0) {
            place_mover(rocks, n, dt);
        }
    }
}

void rocks_list_active(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    scratch->active_count = 0;
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !rocks->state.asleep[i][0]) {
            scratch->active[scratch->active_count++] = i;
        }
    }
}

// Rocks by the low x of their boxes, widened by their margins, equals by number. The order of before is nearly this
// one.
static void sort_order(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int kept = 0;
    for (int k = 0; k < scratch->order_count; k++) {
        int rock = scratch->order[k];
        if (rocks->state.shape[rock][0] < 0) {
            scratch->mark[rock] = 0;
        } else {
            scratch->order[kept++] = rock;
            scratch->mark[rock] = 1; // marks the rocks that are listed
        }
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !scratch->mark[i]) {
            scratch->order[kept++] = i;
        }
        scratch->mark[i] = 0;
    }
    scratch->order_count = kept;
    for (int k = 1; k < kept; k++) {
        int rock = scratch->order[k], at = k;
        double x = scratch->sweep[rock];
        for (; at > 0; at--) {
            int before = scratch->order[at - 1];
            double low = scratch->sweep[before];
            if (low < x || (low == x && before < rock)) {
                break;
            }
            scratch->order[at] = before;
        }
        scratch->order[at] = rock;
    }
}

// Into the order by first, then second rock: counted by the first, then put in by the second.
static void sort_pairs(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    memset(scratch->first, 0, sizeof *scratch->first * (size_t)(rocks->params.budget + 1));
    for (int k = 0; k < scratch->pair_count; k++) {
        scratch->first[scratch->unsorted[k][0] + 1]++;
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        scratch->first[i + 1] += scratch->first[i];
    }
    int *end = scratch->mark; // [budget]: how many of each are in place; zero again below
    for (int k = 0; k < scratch->pair_count; k++) {
        int a = scratch->unsorted[k][0], b = scratch->unsorted[k][1], at = scratch->first[a] + end[a]++;
        for (; at > scratch->first[a] && scratch->pair[at - 1][1] > b; at--) {
            memcpy(scratch->pair[at], scratch->pair[at - 1], sizeof scratch->pair[at]);
        }
        scratch->pair[at][0] = a;
        scratch->pair[at][1] = b;
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
}

static void add_pair(Rocks *rocks, int i, int j)
{
    RockScratch *scratch = &rocks->scratch;
    bool awake = !rocks->state.asleep[i][0], other_awake = !rocks->state.asleep[j][0];
    RockBox box = widened(&scratch->box[i], scratch->margin[i] + scratch->margin[j]);
    if (!rocks_boxes_meet(&box, &scratch->box[j])) {
        return;
    }
    if (scratch->pair_count == ROCK_PAIRS * rocks->params.budget) {
        scratch->dropped++;
        return;
    }
    bool swapped = awake && other_awake ? j < i : !awake;
    scratch->unsorted[scratch->pair_count][0] = swapped ? j : i;
    scratch->unsorted[scratch->pair_count++][1] = swapped ? i : j;
}

// Sweep and prune along x. Two that sleep are no pair: those that sleep skip to the next one awake.
static void find_pairs(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int count = scratch->order_count, *next = scratch->next;
    next[count] = count;
    for (int k = count - 1; k >= 0; k--) {
        next[k] = rocks->state.asleep[scratch->order[k]][0] ? next[k + 1] : k;
    }
    scratch->pair_count = 0;
    for (int k = 0; k < count; k++) {
        int i = scratch->order[k];
        bool awake = !rocks->state.asleep[i][0];
        double reach = scratch->box[i].high.x + scratch->margin[i];
        for (int m = awake ? k + 1 : next[k + 1]; m < count; m = awake ? m + 1 : next[m + 1]) {
            int j = scratch->order[m];
            if (scratch->sweep[j] > reach) {
                break;
            }
            add_pair(rocks, i, j);
        }
    }
    sort_pairs(rocks);
}

static void add_touch(Rocks *rocks, int a, int b, int part, const ConvexContact *contact)
{
    RockScratch *scratch = &rocks->scratch;
    if (scratch->touch_count == ROCK_TOUCHES * rocks->params.budget) {
        scratch->dropped++;
        return;
    }
    scratch->touch[scratch->touch_count++] = (RockTouch){
        .a = a, .b = b, .part = part, .point = contact->point, .normal = contact->normal, .depth = contact->depth};
}

static void touch_solids(Rocks *rocks, int a, int b, int part, const ConvexSolid solids[2], double margin)
{
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    int count = convex_contact_solids(&solids[0], &solids[1], margin, contacts);
    for (int k = 0; k < count; k++) {
        add_touch(rocks, a, b, part, &contacts[k]);
    }
}

static void touch_pair(Rocks *rocks, int a, int b)
{
    RockScratch *scratch = &rocks->scratch;
    double margin = scratch->margin[a] + scratch->margin[b];
    int parts_a = rocks->kind[rocks->state.shape[a][0]].part_count;
    int parts_b = rocks->kind[rocks->state.shape[b][0]].part_count;
    for (int i = 0; i < parts_a; i++) {
        RockBox box = widened(&scratch->part_box[part_at(scratch, a, i)], margin);
        if (!rocks_boxes_meet(&box, &scratch->box[b])) {
            continue;
        }
        for (int j = 0; j < parts_b; j++) {
            if (rocks_boxes_meet(&box, &scratch->part_box[part_at(scratch, b, j)])) {
                ConvexSolid solids[2] = {part_solid(rocks, a, i), part_solid(rocks, b, j)};
                touch_solids(rocks, a, b, 0, solids, margin);
            }
        }
    }
}

static void touch_obstacles(Rocks *rocks, int rock)
{
    double margin = rocks->scratch.margin[rock];
    RockBox box = widened(&rocks->scratch.box[rock], margin);
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int n = 0; n < rocks->params.obstacle_count; n++) {
        if (!rocks_boxes_meet(&box, &rocks->obstacle_box[n])) {
            continue;
        }
        for (int p = 0; p < parts; p++) {
            ConvexSolid solids[2] = {part_solid(rocks, rock, p), rocks->obstacle_solid[n]};
            touch_solids(rocks, rock, ROCK_STANDS, 0, solids, margin);
        }
    }
}

static void find_mover_touches(Rocks *rocks, int rock, int n)
{
    const RockScratch *scratch = &rocks->scratch;
    double margin = scratch->margin[rock] + scratch->mover_margin[n];
    RockBox box = widened(&scratch->box[rock], margin);
    if (rocks->params.mover[n].part_count == 0 || !rocks_boxes_meet(&box, &scratch->mover_box[n])) {
        return;
    }
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int m = 0; m < rocks->params.mover[n].part_count; m++) {
        const RockMoverPart *part = &rocks->mover_part[n][m];
        if ((scratch->mover[n].absent >> m & 1U) != 0 || !rocks_boxes_meet(&box, &part->box)) {
            continue;
        }
        Vec3 center = vec3_scale(vec3_add(part->box.low, part->box.high), 0.5);
        for (int p = 0; p < parts; p++) {
            ConvexSolid solids[2] = {part_solid(rocks, rock, p), {&part->hull, part->point, part->normal, center}};
            touch_solids(rocks, rock, ROCK_STANDS - 1 - n, m, solids, margin);
        }
    }
}

// Corners near or below the ground, each against the plane of the ground beneath it; all with the mover that bears any.
static void touch_ground(Rocks *rocks, int rock, RocksGround *ground, void *context)
{
    double margin = rocks->scratch.margin[rock];
    if (ground == NULL && rocks->scratch.box[rock].low.z > margin) {
        return;
    }
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int p = 0; p < parts; p++) {
        ConvexSolid solid = part_solid(rocks, rock, p);
        ConvexContact near[CONVEX_MAX_POINTS], chosen[CONVEX_PAIR_CONTACTS];
        int count = 0, mover = -1;
        for (int k = 0; k < solid.hull->point_count; k++) {
            double height = 0.0;
            Vec3 normal = vec3(0.0, 0.0, 1.0), point = solid.point[k];
            if (ground != NULL) {
                int bears = ground(context, point, &height, &normal);
                mover = bears > mover ? bears : mover;
            }
            double depth = (height - point.z) * normal.z;
            if (depth >= -margin) {
                near[count++] = (ConvexContact){point, normal, depth};
            }
        }
        level_dent_contacts(rocks, rock, ground, context, near, count);
        count = count > 0 ? convex_contact_choose(near, count, chosen) : 0;
        for (int k = 0; k < count; k++) {
            add_touch(rocks, rock, ROCK_STANDS - 1 - mover, -1, &chosen[k]);
        }
    }
}

void rocks_find_touches(Rocks *rocks, RocksGround *ground, void *context)
{
    RockScratch *scratch = &rocks->scratch;
    rocks_list_active(rocks);
    scratch->touch_count = scratch->dropped = 0;
    sort_order(rocks);
    find_pairs(rocks);
    for (int k = 0; k < scratch->pair_count; k++) {
        touch_pair(rocks, scratch->pair[k][0], scratch->pair[k][1]);
    }
    for (int k = 0; k < scratch->active_count; k++) {
        touch_obstacles(rocks, scratch->active[k]);
        touch_ground(rocks, scratch->active[k], ground, context);
    }
    for (int i = 0; i < rocks->params.budget && scratch->mover_count > 0; i++) {
        for (int n = 0; n < scratch->mover_count && rocks->state.shape[i][0] >= 0; n++) {
            find_mover_touches(rocks, i, n);
        }
    }
}

/// ---- squeezed rocks ------------------------------------------------------------------------------------------------
/// Rocks squeezed between a mover and what stands: which they are, and what keeps steel out of them.
///
/// Ground pushes a rock out of an overlap, steel pushes it back, and the steel itself is moved by forces alone: between
/// the two the rock would be pressed into the steel. So where steel is deep in a squeezed rock (ROCK_PARTS_FROM)
///   - ground that yields is no spring: it keeps the dent that the rock has made;
///   - the steel is lifted out at a bounded speed (RockConstraint.parts), with the force that this takes.
/// And a hit turns a rock within a tick by more than contacts found at its start can follow: they are found anew.
/// Numbers without a source are chosen; test_pilot_scripts holds what they do.

enum {
    FOLLOWED_PAIRS = 16, ///< of squeezed rocks and movers, whose contacts are found anew in a step at most
    KEPT_IMPULSES = 64, ///< of a pair's contacts
};
// m: contacts of squeezed rocks that have come farther in the tick, by motion or by turning, are found anew.
#define FOLLOWED 0.01

// Lets ground that yields keep its dent below squeezed rocks which steel is deep in, and the steel part from them.
static void loosen_jammed(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int *jammed = scratch->mark; // [budget]; zero again below
    for (int n = 0; n < scratch->squeezed_count; n++) {
        const RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        c->parts = !c->stiff && touch->part >= 0;
        jammed[touch->a] |= c->parts && touch->depth > ROCK_PARTS_FROM;
    }
    for (int n = 0; n < scratch->squeezed_count; n++) {
        RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        if (jammed[touch->a] && c->soft && c->gap < 0.0) {
            touch->rest -= c->gap;
            c->gap = 0.0;
        }
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
}

// What touches a rock: a mover that gives way, and something that stands or sleeps, or in its place another mover that
// holds the rock against the first one as jaws do. FIRST_MOVER: 1 + the number of the first one.
enum { BY_MOVER = 1, BY_STANDING = 2, BY_BOTH = 3, FIRST_MOVER = 4 };

static int note_mover(const Rocks *rocks, int between, int mover)
{
    int first = between / FIRST_MOVER - 1;
    if (first < 0) {
        return between | BY_MOVER | (mover + 1) * FIRST_MOVER;
    }
    bool gripped = first != mover && (rocks->params.mover[first].grips || rocks->params.mover[mover].grips);
    return between | (gripped ? BY_STANDING : 0);
}

// Of the rocks that touch both a mover that gives way and something that holds them against it: their contacts with
// these.
void rocks_find_squeezed(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int *between = scratch->mark; // [budget]; zero again below
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        int *of = &between[scratch->touch[k].a];
        *of = c->stiff                  ? *of | BY_STANDING
              : scratch->touch[k].b < 0 ? note_mover(rocks, *of, rocks_mover_of(scratch->touch[k].b))
                                        : *of;
    }
    scratch->squeezed_count = 0;
    memset(scratch->squeezes, 0, sizeof scratch->squeezes);
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        if ((between[scratch->touch[k].a] & BY_BOTH) == BY_BOTH && (c->stiff || scratch->touch[k].b < 0)) {
            scratch->squeezed[scratch->squeezed_count++] = k;
            if (!c->stiff) {
                scratch->squeezes[c->b - scratch->active_count] = true;
            }
        }
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
    loosen_jammed(rocks);
}

/// ---- contacts found anew -------------------------------------------------------------------------------------------

typedef struct Pair {
    int rock, b;
} Pair;

// What a contact that is found anew begins with: its place, in the pose at the tick's start, and N s.
typedef struct KeptImpulse {
    Vec3 arm, impulse;
} KeptImpulse;

// m: where a body's point is that was `arm` from its centre at the tick's start, less `arm`.
static Vec3 gone(const RockBody *body, Vec3 arm)
{
    return vec3_sub(vec3_add(body->moved, mat3_mul(&body->turned, arm)), arm);
}

// m: how far the two sides of a contact have come along each other in the tick, and the rock's ends by turning.
static double come(const Rocks *rocks, const RockTouch *touch, const RockConstraint *c)
{
    const RockBody *a = &rocks->scratch.body[c->a], *b = &rocks->scratch.body[c->b];
    double turn = 0.0; // |R_a - R_b|^2 / 2, the angle squared where it is small
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double by = a->turned.m[i][j] - b->turned.m[i][j];
            turn += 0.5 * by * by;
        }
    }
    double reach = 0.5 * rocks->kind[rocks->state.shape[touch->a][0]].length;
    return vec3_length(vec3_sub(gone(a, c->arm_a), gone(b, c->arm_b))) + reach * sqrt(turn);
}

Vec3 rocks_belt_drift(const RockMover *mover, int part, Vec3 out)
{
    if (part < 0 || part > 1 || mover->belt[part] == 0.0) {
        return vec3(0.0, 0.0, 0.0);
    }
    const Mat3 *r = &mover->motion.frame.rotation;
    Vec3 along = vec3_cross(vec3(r->m[0][1], r->m[1][1], r->m[2][1]), out);
    return vec3_scale(along, mover->belt[part]);
}

// A contact as one from the tick's start that has come to where it is now.
static void make_late(Rocks *rocks, int k, const RockMover *mover, const KeptImpulse *kept, int kept_count)
{
    RockScratch *scratch = &rocks->scratch;
    const RockTouch *touch = &scratch->touch[k];
    RockConstraint *c = &scratch->constraint[k];
    int n = rocks_mover_of(touch->b);
    *c = (RockConstraint){.a = scratch->slot[touch->a],
                          .b = scratch->active_count + n,
                          .normal = touch->normal,
                          .friction = rocks->params.mover[n].friction,
                          .drift = rocks_belt_drift(mover, touch->part, touch->normal)};
    const RockBody *a = &scratch->body[c->a], *b = &scratch->body[c->b];
    Vec3 from_a = vec3_sub(touch->point, vec3_add(scratch->start[c->a].position, a->moved));
    Vec3 from_b = vec3_sub(touch->point, vec3_add(scratch->start[c->b].position, b->moved));
    c->arm_a = mat3_mul_transposed(&a->turned, from_a);
    c->arm_b = mat3_mul_transposed(&b->turned, from_b);
    c->gap = -touch->depth - vec3_dot(touch->normal, vec3_sub(gone(a, c->arm_a), gone(b, c->arm_b)));
    Vec3 impulse = vec3(0.0, 0.0, 0.0);
    double nearest = ROCK_SAME_PLACE * ROCK_SAME_PLACE;
    for (int i = 0; i < kept_count; i++) {
        Vec3 to = vec3_sub(c->arm_a, kept[i].arm);
        if (vec3_dot(to, to) < nearest) {
            nearest = vec3_dot(to, to);
            impulse = kept[i].impulse;
        }
    }
    rock_solver_prepare(scratch->body, c, impulse);
    c->approach = 0.0; // what bounces off a mover would be lost to it
}

static void find_anew(Rocks *rocks, Pair pair, const RockMover *mover)
{
    RockScratch *scratch = &rocks->scratch;
    KeptImpulse kept[KEPT_IMPULSES];
    int kept_count = 0, count = 0;
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockTouch *touch = &scratch->touch[k];
        const RockConstraint *c = &scratch->constraint[k];
        if (touch->a != pair.rock || touch->b != pair.b || touch->part < 0) {
            scratch->touch[count] = *touch;
            scratch->constraint[count++] = *c;
        } else if (kept_count < KEPT_IMPULSES) {
            kept[kept_count++] = (KeptImpulse){c->arm_a, rock_solver_impulse(c)};
        }
    }
    scratch->touch_count = count;
    rocks_pose(rocks, pair.rock);
    pose_mover(rocks, rocks_mover_of(pair.b), mover);
    find_mover_touches(rocks, pair.rock, rocks_mover_of(pair.b));
    for (int k = count; k < scratch->touch_count; k++) {
        make_late(rocks, k, mover, kept, kept_count);
    }
}

// The pairs whose contacts have come too far.
static int list_pairs(const Rocks *rocks, Pair pairs[FOLLOWED_PAIRS])
{
    const RockScratch *scratch = &rocks->scratch;
    int count = 0;
    for (int n = 0; n < scratch->squeezed_count; n++) {
        const RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        const RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        bool listed = count == FOLLOWED_PAIRS;
        for (int i = 0; i < count; i++) {
            listed = listed || (pairs[i].rock == touch->a && pairs[i].b == touch->b);
        }
        if (c->parts && !listed && come(rocks, touch, c) > FOLLOWED) {
            pairs[count++] = (Pair){touch->a, touch->b};
        }
    }
    return count;
}

void rocks_follow_squeezed(Rocks *rocks, const RockMover *movers)
{
    Pair pairs[FOLLOWED_PAIRS];
    int count = list_pairs(rocks, pairs);
    for (int i = 0; i < count; i++) {
        find_anew(rocks, pairs[i], &movers[rocks_mover_of(pairs[i].b)]);
    }
    if (count > 0) {
        rocks_find_squeezed(rocks);
    }
}
