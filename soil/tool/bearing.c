/// Pressure of the ground on a tool's edge, teeth, belly and sides.
///
/// A point of the tool's surface in the ground bears k_s z at right angles to its face (z its depth, k_s = BEARING_MODULUS), up to what the
/// ground bears before it fails. For a strip of width B that is Terzaghi's sum with the factors of Prandtl (Nq), Reissner
/// (Nc) and Vesic (Ngamma):
///     p = c Nc + q Nq + 1/2 g rho B Ngamma,
///     Nq = tan2(pi/4 + phi/2) exp(2 theta tan phi),  Nc = (Nq - 1) / tan phi,  Ngamma = 2 (Nq + 1) tan phi
/// theta is the angle of the fan between the soil under the plate and that which is lifted beside it: pi/2 under a level
/// plate (Prandtl 1920), 0 before a wall, where Nq and Nc are Rankine's Kp and 2 sqrt(Kp), between the two pi/2 less the plate's
/// inclination (Sokolovskii 1965). The term of B belongs to footings: it fades with the cosine of the inclination, for a
/// wall's own weight term is q Nq. q is the weight of the soil around above the point; B the shorter side of what the tool
/// rests on. Loose soil has the density it has, and of its cohesion the remoulded share, more as it is compacted.
/// What fails is pushed aside (tamp.c); only an edge that moves along turns ground into particles (spawn.c).
#include <math.h>

#include "soil/contact/contact_geometry.h"

#define SLIP_SPEED 0.05 ///< m/s: friction is full above it
#define LEAVING    0.2 ///< m/s: a face that leaves the ground so fast is not pressed; soil does not spring back
#define DAMPED     2.0 ///< friction stops a tool in no fewer substeps, so that it cannot turn it back

double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down)
{
    const SoilParams *soil = ground->soil;
    double phi = soil->friction_angle, tangent = tan(phi), inclined = acos(fmax(0.0, fmin(1.0, down)));
    double passive = tan(0.25 * M_PI + 0.5 * phi), fan = 0.5 * M_PI - inclined;
    double nq = passive * passive * exp(2.0 * fan * tangent);
    double nc = phi > 1e-3 ? (nq - 1.0) / tangent : 2.0 + 2.0 * fan;
    double ngamma = 2.0 * (nq + 1.0) * tangent * fmax(0.0, down);
    double remoulded = soil->contact_remoulded;
    double cohesion = soil->cohesion * (remoulded + (1.0 - remoulded) * ground->firmness);
    return cohesion * nc + surcharge * nq + 0.5 * STANDARD_GRAVITY * ground->density * width * ngamma;
}

double footing_width(const Footing *footing)
{
    return fmin(footing->cover.high[0] - footing->cover.low[0], footing->cover.high[1] - footing->cover.low[1]);
}

/// Half the length of a patch along a level direction.
static double half_along(const BearingPoint *point, const Mat3 *turn, const double d[2])
{
    Vec3 a = mat3_mul(turn, point->along_local), b = mat3_mul(turn, point->across_local);
    return fabs(a.x * d[0] + a.y * d[1]) + fabs(b.x * d[0] + b.y * d[1]);
}

/// The rectangle around a tool's points in the ground, with sides along its level axis.
static void measure_cover(const Soil *soil, int body, Footing *footing)
{
    const Mat3 *turn = &soil->derived.bodies[body].tool.motion.frame.rotation;
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]); // the tool's y axis
    bool upright = fabs(side.z) > 0.9;
    double c = upright ? 1.0 : side.x, s = upright ? 0.0 : side.y, size = hypot(c, s);
    footing->cover = (GroundCover){.y = {c / size, s / size},
                                   .x = {s / size, -c / size},
                                   .low = {HUGE_VAL, HUGE_VAL},
                                   .high = {-HUGE_VAL, -HUGE_VAL}};
    GroundCover *cover = &footing->cover;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPoint *point = &soil->derived.pressed[k];
        for (int axis = 0; axis < 2 && point->weight > 0.0; axis++) {
            const double *d = axis == 0 ? cover->x : cover->y;
            double at = point->at.x * d[0] + point->at.y * d[1], half = half_along(point, turn, d);
            cover->low[axis] = fmin(cover->low[axis], at - half);
            cover->high[axis] = fmax(cover->high[axis], at + half);
        }
    }
}

/// Mean height of the ground beside the middle of each side of what a tool rests on.
static double height_around(const Soil *soil, const GroundCover *cover)
{
    double beyond = 1.5 * soil->state.grounds.site->spacing, sum = 0.0;
    for (int k = 0; k < 4; k++) {
        double place[2] = {0.5 * (cover->low[0] + cover->high[0]), 0.5 * (cover->low[1] + cover->high[1])};
        place[k / 2] = k % 2 ? cover->high[k / 2] + beyond : cover->low[k / 2] - beyond;
        double x = place[0] * cover->x[0] + place[1] * cover->y[0];
        double y = place[0] * cover->x[1] + place[1] * cover->y[1];
        sum += ground_height(soil->state.grounds.site, x, y);
    }
    return 0.25 * sum;
}

static const SoilParams *soil_at(const Soil *soil, Vec3 at)
{
    int row, column;
    ground_column_at(soil->state.grounds.site, at.x, at.y, &row, &column);
    return &soil->model.scene.soils[ground_top_soil(soil->state.grounds.site, row, column)];
}

static BearingGround ground_under(const Soil *soil, Vec3 at, double width)
{
    const Ground *ground = soil->state.grounds.site;
    int row, column;
    ground_column_at(ground, at.x, at.y, &row, &column);
    double looseness = ground_looseness(ground, row, column, fmax(width, ground->spacing));
    return (BearingGround){soil_at(soil, at), ground_top_density(ground, row, column), 1.0 - looseness};
}

static double most_friction(const SoilParams *soil, const BearingPoint *point, double push, double steel)
{
    return steel * (tan(soil->steel_friction_angle) * push + soil->steel_adhesion * point->area * point->weight);
}

/// The pressure on a point; whether the ground fails there.
static void press(Soil *soil, const Footing *footing, BearingPoint *point)
{
    double width = footing_width(footing);
    BearingGround under = ground_under(soil, point->at, width);
    double surcharge = STANDARD_GRAVITY * under.density * fmax(0.0, footing->around - point->at.z);
    double capacity = bearing_capacity(&under, width, surcharge, -point->out.z);
    double pressure = BEARING_MODULUS * point->depth;
    point->fails = pressure > capacity;
    point->pressure = fmin(pressure, capacity);
}

/// Presses all points; returns the most friction of all together, N.
static double press_body(Soil *soil, int body)
{
    const Footing *footing = &soil->derived.footings[body];
    double rubbing = 0.0, steel = soil->derived.bodies[body].tool.steel_friction;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPoint *point = &soil->derived.pressed[k];
        if (point->weight > 0.0) {
            press(soil, footing, point);
            if (point->fails) {
                soil_views_note_yield(soil, point->at);
            }
            const SoilParams *params = soil_at(soil, point->at);
            rubbing += most_friction(params, point, point->pressure * point->area * point->weight, steel);
        }
    }
    return rubbing;
}

static void bear_body(Soil *soil, int body, double h)
{
    SolverBody *self = &soil->derived.bodies[body];
    const Footing *footing = &soil->derived.footings[body];
    double slow = fmax(SLIP_SPEED, DAMPED * press_body(soil, body) * h * self->tool.motion.inverse_mass);
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPoint *point = &soil->derived.pressed[k];
        if (point->weight <= 0.0) {
            continue;
        }
        const SoilParams *params = soil_at(soil, point->at);
        Vec3 arm = vec3_sub(point->at, self->tool.motion.center);
        Vec3 velocity = vec3_add(self->tool.motion.velocity, vec3_cross(self->tool.motion.spin, arm));
        double leaving = -vec3_dot(velocity, point->out);
        double push = point->pressure * point->area * point->weight;
        push *= leaving > 0.0 ? fmax(0.0, 1.0 - leaving / LEAVING) : 1.0;
        Vec3 slip = vec3_madd(velocity, leaving, point->out);
        double rub = most_friction(params, point, push, self->tool.steel_friction) / fmax(vec3_length(slip), slow);
        Vec3 force = vec3_madd(vec3_scale(point->out, -push), -rub, slip);
        soil_views_note_bearing(soil, self, point->at, vec3_scale(point->out, -1.0), force);
        self->impulse = vec3_madd(self->impulse, h * h, force);
        self->moment = vec3_madd(self->moment, h * h, vec3_cross(arm, force));
    }
}

void soil_bear(Soil *soil, double h)
{
    for (int b = 0; b < soil->derived.body_count; b++) {
        Footing *footing = &soil->derived.footings[b];
        footing->pressed = 0;
        for (int k = footing->first; k < footing->first + footing->count; k++) {
            soil_follow_pressed(soil, &soil->derived.pressed[k]);
            footing->pressed += soil->derived.pressed[k].weight > 0.0;
        }
        if (footing->pressed > 0) {
            measure_cover(soil, b, footing);
            footing->around = height_around(soil, &footing->cover);
            bear_body(soil, b, h);
        }
    }
}
