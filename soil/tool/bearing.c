/// Pressure of the ground on a tool's edge, teeth, belly and sides.
///
/// A patch of the tool's surface in the ground bears k_s z at right angles to its face (z its depth, k_s =
/// BEARING_MODULUS), up to what the ground bears before it fails. For a strip of width B that is Terzaghi's sum with
/// the factors of Prandtl (Nq), Reissner (Nc) and Vesic (Ngamma):
///     p = c Nc + q Nq + 1/2 g rho B Ngamma,
///     Nq = tan2(pi/4 + phi/2) exp(2 theta tan phi),  Nc = (Nq - 1) / tan phi,  Ngamma = 2 (Nq + 1) tan phi
/// theta is the angle of the fan between the soil under the plate and that which is lifted beside it: pi/2 under a
/// level plate (Prandtl 1920), 0 before a wall, where Nq and Nc are Rankine's Kp and 2 sqrt(Kp), between the two pi/2
/// less the plate's inclination (Sokolovskii 1965). The term of B belongs to footings: it fades with the cosine of the
/// inclination, for a wall's own weight term is q Nq. q is the weight of the soil around above the patch; B the shorter
/// side of what the tool rests on. Loose soil has the density it has, and of its cohesion the remoulded share, more as
/// it is compacted. What fails is pushed aside (bearing_failure.c); only an edge that moves along turns ground into
/// particles (spawn.c). A wall is pressed by what stands before it (bearing_wall.c).
///
/// What is settled in a tray bears as the site does, in the tray's frame; the tray does not feel it.
#include "soil/tool/bearing.h"

#include <assert.h>
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

#define SLIP_SPEED 0.05 ///< m/s: friction is full above it. Chosen; see test_soil_bearing
/// m/s: a face that leaves the ground so fast is not pressed: soil does not spring back. Chosen; see test_soil_kick.
#define LEAVING 0.2
#define BEYOND  10.0 ///< ratio: the hard ground beyond the site bears so much more. Chosen; see test_pilot_scripts
#define DAMPED  2.0 ///< substeps: friction stops a tool in no fewer, so that it cannot turn it back

double bearing_cohesion(const BearingGround *ground)
{
    double remoulded = ground->soil->contact_remoulded;
    return ground->soil->cohesion * (remoulded + (1.0 - remoulded) * ground->firmness);
}

void bearing_find_factors(BearingFactors *factors, const SoilParams *soil, double down)
{
    assert(soil != NULL);
    if (factors->soil == soil && factors->down == down) {
        return;
    }
    double phi = soil->friction_angle, fan = 0.5 * M_PI - same_acos(fmax(0.0, fmin(1.0, down)));
    if (factors->soil != soil) {
        factors->soil = soil;
        factors->tangent = same_tan(phi);
        factors->passive = same_tan(0.25 * M_PI + 0.5 * phi);
        factors->rubbing = same_tan(soil->steel_friction_angle);
    }
    factors->down = down;
    factors->nq = factors->passive * factors->passive * same_exp(2.0 * fan * factors->tangent);
    factors->nc = phi > 1e-3 ? (factors->nq - 1.0) / factors->tangent : 2.0 + 2.0 * fan;
    factors->ngamma = 2.0 * (factors->nq + 1.0) * factors->tangent * fmax(0.0, down);
}

double bearing_capacity_by(const BearingFactors *factors, const BearingGround *ground, double width, double surcharge)
{
    return bearing_cohesion(ground) * factors->nc + surcharge * factors->nq +
           0.5 * STANDARD_GRAVITY * ground->density * width * factors->ngamma;
}

double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down)
{
    BearingFactors factors = {.soil = NULL};
    bearing_find_factors(&factors, ground->soil, down);
    return bearing_capacity_by(&factors, ground, width, surcharge);
}

double footing_width(const Footing *footing)
{
    return fmin(footing->cover.high[0] - footing->cover.low[0], footing->cover.high[1] - footing->cover.low[1]);
}

/// Half the length of a patch along a level direction, by half its sides.
static double half_along(Vec3 a, Vec3 b, const double d[2])
{
    return fabs(a.x * d[0] + a.y * d[1]) + fabs(b.x * d[0] + b.y * d[1]);
}

/// The rectangle around what a tool rests on, with sides along its level axis.
static void measure_cover(const Bearing *bearing, Footing *footing)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]); // the tool's y axis
    bool upright = fabs(side.z) > 0.9;
    double c = upright ? 1.0 : side.x, s = upright ? 0.0 : side.y, size = same_hypot(c, s);
    footing->cover = (GroundCover){.y = {c / size, s / size},
                                   .x = {s / size, -c / size},
                                   .low = {HUGE_VAL, HUGE_VAL},
                                   .high = {-HUGE_VAL, -HUGE_VAL}};
    GroundCover *cover = &footing->cover;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0 || patch->wall) {
            continue;
        }
        Vec3 a = mat3_mul(turn, patch->along_local), b = mat3_mul(turn, patch->across_local);
        for (int axis = 0; axis < 2; axis++) {
            const double *d = axis == 0 ? cover->x : cover->y;
            double at = patch->at.x * d[0] + patch->at.y * d[1], half = half_along(a, b, d);
            cover->low[axis] = fmin(cover->low[axis], at - half);
            cover->high[axis] = fmax(cover->high[axis], at + half);
        }
    }
}

/// Mean height of the ground beside the middle of each side of what a tool rests on.
static double height_around(const Ground *ground, const GroundCover *cover)
{
    double beyond = 1.5 * ground->spacing, sum = 0.0;
    for (int k = 0; k < 4; k++) {
        double place[2] = {0.5 * (cover->low[0] + cover->high[0]), 0.5 * (cover->low[1] + cover->high[1])};
        place[k / 2] = k % 2 ? cover->high[k / 2] + beyond : cover->low[k / 2] - beyond;
        double x = place[0] * cover->x[0] + place[1] * cover->y[0];
        double y = place[0] * cover->x[1] + place[1] * cover->y[1];
        sum += ground_height(ground, x, y);
    }
    return 0.25 * sum;
}

/// The ground under a patch, whose soil is noted.
static BearingGround ground_under(const Ground *ground, BearingPatch *patch, double width)
{
    int row, column;
    ground_column_at(ground, patch->at.x, patch->at.y, &row, &column);
    patch->soil = ground_top_soil(ground, row, column);
    double looseness = ground_looseness(ground, row, column, fmax(width, ground->spacing));
    return (BearingGround){&ground->soils[patch->soil], ground_top_density(ground, row, column), 1.0 - looseness};
}

/// Soil sticks to a wall as far as it is pressed flat on it, fully at the strength of its clods (contact_law.h).
static double sticking_share(const BearingPatch *patch)
{
    return patch->pressure < patch->crushing ? patch->pressure / patch->crushing : 1.0;
}

static double most_friction(const Footing *footing, const BearingPatch *patch, double push)
{
    const SoilParams *soil = &footing->ground->soils[patch->soil];
    double stuck = patch->area * patch->weight * (patch->wall ? sticking_share(patch) : 1.0);
    return footing->tool.steel_friction * (patch->rubbing * push + soil->steel_adhesion * stuck);
}

/// Finds the pressure on a patch that rests on the ground, and whether the ground fails there.
static void press(const Footing *footing, BearingFactors *factors, BearingPatch *patch)
{
    double width = footing_width(footing);
    BearingGround under = ground_under(footing->ground, patch, width);
    double surcharge = STANDARD_GRAVITY * under.density * fmax(0.0, footing->around - patch->at.z);
    bearing_find_factors(factors, under.soil, -patch->out.z);
    double capacity = bearing_capacity_by(factors, &under, width, surcharge);
    bool beyond = bearing_is_beyond(footing, patch->under);
    capacity *= beyond ? BEYOND : 1.0;
    patch->rubbing = factors->rubbing;
    double pressure = BEARING_MODULUS * patch->depth;
    patch->fails = pressure > capacity && !beyond;
    patch->pressure = fmin(pressure, capacity);
}

static Vec3 arm_of(const Footing *footing, const BearingPatch *patch)
{
    return vec3_sub(patch->at, footing->tool.motion.center);
}

static Vec3 velocity_of(const Footing *footing, const BearingPatch *patch)
{
    return vec3_add(footing->tool.motion.velocity, vec3_cross(footing->tool.motion.spin, arm_of(footing, patch)));
}

static Vec3 place_in_world(const Footing *footing, Vec3 at)
{
    return footing->tray != NULL ? tray_show_place(footing->tray, at) : at;
}

/// Presses all patches of a footing for `h` seconds; returns the most friction of all together, N.
static double press_all(Bearing *bearing, const Footing *footing, double h, Probe *probe)
{
    double rubbing = 0.0;
    BearingFactors factors = {.soil = NULL};
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0) {
            continue;
        }
        if (patch->wall) {
            bearing_push_wall(patch, velocity_of(footing, patch), h);
        } else {
            press(footing, &factors, patch);
        }
        if (patch->fails) {
            probe_note_yield(probe, place_in_world(footing, patch->at));
        }
        rubbing += most_friction(footing, patch, patch->pressure * patch->area * patch->weight);
    }
    return rubbing;
}

/// Adds a force at a patch to the sums of the body.
static void add_force(const Footing *footing, const BearingPatch *patch, Vec3 force, SolverBody *self, double h,
                      Probe *probe)
{
    Vec3 out = patch->out, moment = vec3_cross(arm_of(footing, patch), force);
    if (footing->tray != NULL) {
        const Mat3 *turn = &footing->tray->frame.rotation;
        out = mat3_mul(turn, out);
        force = mat3_mul(turn, force);
        moment = mat3_mul(turn, moment);
    }
    probe_note_bearing(probe, footing->body, place_in_world(footing, patch->at), vec3_scale(out, -1.0), force);
    self->lambda = vec3_madd(self->lambda, h * h, force);
    self->lambda_moment = vec3_madd(self->lambda_moment, h * h, moment);
}

static void bear(Bearing *bearing, const Footing *footing, SolverBody *self, double h, Probe *probe)
{
    double rubbing = press_all(bearing, footing, h, probe);
    double slow = fmax(SLIP_SPEED, DAMPED * rubbing * h * self->tool.motion.inverse_mass);
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0 || (patch->wall && patch->pressure <= 0.0)) {
            continue;
        }
        Vec3 velocity = velocity_of(footing, patch);
        double leaving = -vec3_dot(velocity, patch->out);
        double push = patch->pressure * patch->area * patch->weight;
        push *= leaving > 0.0 ? fmax(0.0, 1.0 - leaving / LEAVING) : 1.0;
        Vec3 slip = vec3_madd(velocity, leaving, patch->out);
        double rub = most_friction(footing, patch, push) / fmax(vec3_length(slip), slow);
        add_force(footing, patch, vec3_madd(vec3_scale(patch->out, -push), -rub, slip), self, h, probe);
    }
}

void bearing_press(Bearing *bearing, SolverBody *bodies, double h, Probe *probe)
{
    for (int f = 0; f < bearing->footing_count; f++) {
        Footing *footing = &bearing->footings[f];
        const SoilTool *tool = &bodies[footing->body].tool;
        int walls = 0;
        footing->tool = footing->tray != NULL ? tray_see_tool(footing->tray, tool) : *tool;
        footing->pressed = 0;
        for (int k = footing->first; k < footing->first + footing->count; k++) {
            const BearingPatch *patch = &bearing->patches[k];
            bearing_follow_patch(&bearing->patches[k], footing);
            footing->pressed += patch->weight > 0.0 && !patch->wall;
            walls += patch->wall;
        }
        if (footing->pressed > 0) {
            measure_cover(bearing, footing);
            footing->around = height_around(footing->ground, &footing->cover);
        }
        if (footing->pressed + walls > 0) {
            bear(bearing, footing, &bodies[footing->body], h, probe);
        }
    }
}
