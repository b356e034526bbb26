/// What the ground bears of a rock, and where the rock sinks into it.
///
/// A rock that lies d deep in ground (the plane through the surface around it) rests on the section A that the plane
/// cuts out of it, as wide as a circle of that area. The ground bears
///     F = A q(B, V / A),    B = 2 sqrt(A / pi),    V: the volume below the plane
/// with q the bearing capacity that the caller knows (Terzaghi 1943: c Nc + q Nq + 1/2 g rho B Ngamma, its surcharge
/// taken at the mean depth V / A), and holds it from the side with the passive pressure on the section across,
///     P = integral over depth z of 2 sqrt(A(z) / pi) q_wall(z)
/// The load of a contact beyond F makes the ground yield (rock_solver.h): the rock sinks until F is its load. The
/// ground is rigid below F. What a rock makes of the ground's heights is the caller's (rocks_press).
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/rocks/rocks_internal.h"

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
        ConvexSolid solid = rocks_part_solid(rocks, rock, p);
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
        ConvexSolid solid = rocks_part_solid(rocks, rock, p);
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

/// Depths (m) of a rock's underside below the surface around it, on SAMPLES x SAMPLES places of `section`.
static int find_depths(const Rocks *rocks, int rock, const RockAround *around, const RockBox *section,
                       double depth[SAMPLES * SAMPLES])
{
    int count = 0;
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        double x = section->low.x + (k % SAMPLES + 0.5) / SAMPLES * (section->high.x - section->low.x);
        double y = section->low.y + (k / SAMPLES + 0.5) / SAMPLES * (section->high.y - section->low.y);
        double below = depth_of(around, vec3(x, y, rocks_underside(rocks, rock, x, y)));
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

void rocks_level_contacts(Rocks *rocks, int rock, RocksGround *ground, void *context, ConvexContact *contacts,
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
