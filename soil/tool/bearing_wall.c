/// What ground bears a tool's upright faces: side plates, the ends of a blade, a plate that stands in its own print.
///
/// The height field has no upright walls. So ground before an upright face is looked at column by column, each a prism:
/// a patch stands before the column whose middle is a column or less before it, and is pressed as far as that one
/// stands higher. A wall that is pushed on takes each column when it passes its middle (bearing_failure.c), and stands
/// before the next at once.
///
/// The pressure grows with the way u that the patch has been pushed on since it met ground, to all of it at a fiftieth
/// of the wall's depth (Clough and Duncan 1991: 1 % before dense sand, 2 % before medium, 4 % before loose, 5 % before
/// clay): the passive pressure (Rankine 1857)
///     p = q Kp + 2 c sqrt(Kp),   Kp = tan2(pi/4 + phi/2),
/// q the weight of what stands above the patch over the length of the wedge that is lifted, d tan(pi/4 + phi/2) for a
/// patch d deep. A wall as narrow as it is high lifts more than what is straight before it: its pressure is greater by
///     R = 1 + (Kp - Ka)^(2/3) 1.6 / (1 + 5 l / d),   Ka = 1 / Kp,   R <= 2,
/// l its length, d its depth (Ovesen 1964, Brinch Hansen 1966, for a wall by itself from the surface down; Duncan and
/// Mokwa 2001 bound it by 2).
///
/// Ground that ends before it could fail as a wedge (a bank, a fin between two trenches) is sheared off below: what
/// stands above a depth carries no more than b (q tan phi + c), b its breadth. A patch bears what its own height adds
/// to the lesser of the two forces, the wedge's and that.
///
/// A wall that slides along comes before fresh ground, which is not pressed yet: u falls over the way FRESH.
///
/// Grains that have fallen between a wall and the ground that it is pushed into are part of that ground (absorb.c):
/// between two things that are both unyielding they would carry any force.
///
/// Ground that has been pressed comes back by a fifth of the way, so that a wall that is let go is hardly thrown back.
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "soil/ground/profile.h"
#include "soil/tool/bearing.h"

/// Pressed soil is so much stiffer when it is let go (oedometer: three to ten times). Chosen; see test_soil_walls.
#define UNLOADING 5.0
/// Columns: ground that goes on so far before a wall counts as going on for ever. Chosen: 4 m, twice the longest wedge
/// before a wall of 1 m.
enum { FAR_AHEAD = 40 };
#define MOBILISED 0.02 ///< of a wall's depth: the way with which ground before it bears all that it can
#define ENDLESS   1e6 ///< m: that is its breadth
#define WIDEST    2.0 ///< of R
#define FRESH     0.3 ///< m. Chosen: half of what a bucket's side plate has in the ground

enum { WAYS = 6 }; ///< along the tool's axes, and against them

Vec3 bearing_level_way(const BearingPatch *patch)
{
    double size = same_hypot(patch->out.x, patch->out.y);
    return vec3(patch->out.x / size, patch->out.y / size, 0.0);
}

double bearing_reach(const Ground *ground, Vec3 way)
{
    return 0.5 * ground->spacing * (fabs(way.x) + fabs(way.y));
}

double bearing_half_height(const Footing *footing, const BearingPatch *patch)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    return fabs(mat3_mul(turn, patch->along_local).z) + fabs(mat3_mul(turn, patch->across_local).z);
}

/// Extent of all walls of a footing that look one way.
typedef struct Extent {
    Vec3 along; ///< level
    double low, high; ///< m along it
    double deep; ///< m
    double passive, wider; ///< how much more it bears, before ground of that Kp; 0: not found yet
} Extent;

static int way_of(const BearingPatch *patch)
{
    const double out[3] = {patch->out_local.x, patch->out_local.y, patch->out_local.z};
    int axis = fabs(out[0]) > fabs(out[1]) ? 0 : 1;
    axis = fabs(out[2]) > fabs(out[axis]) ? 2 : axis;
    return 2 * axis + (out[axis] > 0.0 ? 1 : 0);
}

static void widen(Extent *extent, const Footing *footing, const BearingPatch *patch)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    if (!(extent->deep > 0.0)) {
        Vec3 way = bearing_level_way(patch);
        *extent = (Extent){.along = vec3(-way.y, way.x, 0.0), .low = HUGE_VAL, .high = -HUGE_VAL};
    }
    double at = vec3_dot(patch->at, extent->along);
    double half = fabs(vec3_dot(mat3_mul(turn, patch->along_local), extent->along)) +
                  fabs(vec3_dot(mat3_mul(turn, patch->across_local), extent->along));
    extent->low = fmin(extent->low, at - half);
    extent->high = fmax(extent->high, at + half);
    extent->deep = fmax(extent->deep, patch->ahead);
}

bool bearing_look_ahead(const Footing *footing, BearingPatch *patch, Vec3 way)
{
    const Ground *ground = footing->ground;
    Vec3 before = vec3_madd(patch->at, bearing_reach(ground, way), way);
    ground_column_at(ground, before.x, before.y, &patch->row, &patch->column);
    double height = (double)ground->height[ground_index(ground, patch->row, patch->column)];
    patch->ahead = height - (patch->at.z - bearing_half_height(footing, patch));
    patch->wall = patch->ahead > 0.0 && bearing_has_ground(footing, before, height);
    return patch->wall;
}

/// Ground before a patch, from the column that it stands before on.
typedef struct Ahead {
    double mean; ///< m: height above the patch's foot, over the length of the wedge
    double breadth; ///< m: how far it stands higher than that; ENDLESS when it does not end
} Ahead;

static Ahead measure_ahead(const Ground *ground, const BearingPatch *patch, double foot, double wedge)
{
    Vec3 way = bearing_level_way(patch);
    double x = ground->origin_x + patch->column * ground->spacing;
    double y = ground->origin_y + patch->row * ground->spacing, sum = 0.0, size = ground->spacing;
    int counted = 0;
    for (int k = 0; k < FAR_AHEAD; k++) {
        int row, column;
        ground_column_at(ground, x + k * size * way.x, y + k * size * way.y, &row, &column);
        double rise = (double)ground->height[ground_index(ground, row, column)] - foot;
        if (rise <= 0.0) {
            return (Ahead){sum / counted, k * size};
        }
        if (counted == 0 || k * size < wedge) {
            sum += rise;
            counted++;
        }
    }
    return (Ahead){sum / counted, ENDLESS};
}

/// How much more a wall bears for what it lifts beside it.
static double widening(Extent *extent, double passive)
{
    if (extent->passive != passive) {
        double length = extent->high - extent->low;
        double over = fmax(0.0, passive - 1.0 / passive),
               more = same_cbrt(over * over) * 1.6 / (1.0 + 5.0 * length / extent->deep);
        extent->passive = passive;
        extent->wider = fmin(WIDEST, 1.0 + more);
    }
    return extent->wider;
}

/// What ground before a wall carries, all above a depth together.
typedef struct Passive {
    double cohesive; ///< Pa: of the wedge's pressure, the same at all depths
    double weighty; ///< Pa a metre of depth
    double wider; ///< R
    double foot, foot_weighty; ///< N/m, and a metre of depth: of what stands on a foot that is sheared
} Passive;

/// N a metre of the wall's length.
static double force_above(const Passive *passive, double depth)
{
    double wedge = passive->wider * depth * (passive->cohesive + 0.5 * passive->weighty * depth);
    return depth > 0.0 ? fmin(wedge, passive->foot + passive->foot_weighty * depth) : 0.0;
}

static void find_capacity(const Footing *footing, Extent *extent, BearingFactors *factors, BearingPatch *patch)
{
    const Ground *ground = footing->ground;
    double half = bearing_half_height(footing, patch), foot = patch->at.z - half;
    double above = fmax(0.5 * patch->ahead, patch->ahead - half); // m, of the middle of what is in the ground
    GroundProfile profile = ground_profile_above(ground, patch->row, patch->column, foot + patch->ahead - above);
    const SoilParams *soil = &ground->soils[profile.soil];
    BearingGround before = {soil, profile.density, profile.firmness};
    bearing_find_factors(factors, soil, fmax(0.0, -patch->out.z));
    double steep = factors->passive;
    Ahead ahead = measure_ahead(ground, patch, foot, patch->ahead * steep);
    double weight = profile.weight / above; // N/m3
    Passive passive = {.cohesive = bearing_capacity_by(factors, &before, 0.0, 0.0),
                       .wider = widening(extent, steep * steep),
                       .foot = ahead.breadth * bearing_cohesion(&before),
                       .foot_weighty = ahead.breadth * weight * factors->tangent};
    passive.weighty = bearing_capacity_by(factors, &before, 0.0, weight) - passive.cohesive;
    patch->soil = profile.soil;
    patch->rubbing = factors->rubbing;
    patch->crushing = 2.0 * soil->cohesion * steep;
    patch->yielding = MOBILISED * extent->deep;
    patch->capacity =
        (force_above(&passive, ahead.mean) - force_above(&passive, ahead.mean - 2.0 * half)) / (2.0 * half);
}

void bearing_find_walls(Bearing *bearing, const Footing *footing)
{
    Extent extents[WAYS] = {{.deep = 0.0}};
    BearingFactors factors = {.soil = NULL};
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->wall) {
            widen(&extents[way_of(patch)], footing, patch);
        }
    }
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->wall) {
            find_capacity(footing, &extents[way_of(patch)], &factors, patch);
        }
    }
}

void bearing_push_wall(BearingPatch *patch, Vec3 velocity, double h)
{
    double approach = vec3_dot(velocity, patch->out);
    double slip = h * vec3_length(vec3_madd(velocity, -approach, patch->out));
    double pushed = patch->pushed / (1.0 + slip / FRESH) + h * approach * (approach > 0.0 ? 1.0 : UNLOADING);
    patch->fails = pushed > patch->yielding;
    patch->pushed = fmax(0.0, fmin(patch->yielding, pushed));
    patch->pressure = patch->capacity * patch->pushed / patch->yielding;
}

static bool is_pressed(const Bearing *bearing, const BearingPatch *patch)
{
    return patch->wall && patch->pushed > 0.0 && bearing->footings[patch->footing].tray == NULL;
}

void bearing_find_pressed(const Bearing *bearing, PressedWalls *walls)
{
    walls->low[0] = walls->low[1] = HUGE_VAL;
    walls->high[0] = walls->high[1] = -HUGE_VAL;
    walls->count = 0;
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (is_pressed(bearing, patch)) {
            walls->low[0] = fmin(walls->low[0], patch->at.x);
            walls->low[1] = fmin(walls->low[1], patch->at.y);
            walls->high[0] = fmax(walls->high[0], patch->at.x);
            walls->high[1] = fmax(walls->high[1], patch->at.y);
            walls->patches[walls->count++] = (int16_t)k;
        }
    }
    for (int k = walls->count - 1; k >= 0; k--) {
        const BearingPatch *here = &bearing->patches[walls->patches[k]], *after = here;
        if (k + 1 < walls->count) {
            after = &bearing->patches[walls->patches[k + 1]];
        }
        bool same = after != here && after->footing == here->footing && bearing_face_of(after) == bearing_face_of(here);
        walls->next[k] = same ? walls->next[k + 1] : (int16_t)(k + 1);
    }
}

/// True when a place lies beside a patch, in its plane, by no more than `beside` m.
static bool is_beside(const Footing *footing, const BearingPatch *patch, Vec3 to, double beside)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    const Vec3 sides[2] = {mat3_mul(turn, patch->along_local), mat3_mul(turn, patch->across_local)};
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        double half = vec3_length(sides[k]);
        inside = inside && fabs(vec3_dot(to, sides[k])) <= half * (half + beside);
    }
    return inside;
}

bool bearing_catches(const Bearing *bearing, const PressedWalls *walls, Vec3 at, double radius)
{
    double reach = 4.0 * radius;
    if (at.x < walls->low[0] - reach || at.x > walls->high[0] + reach || at.y < walls->low[1] - reach ||
        at.y > walls->high[1] + reach) {
        return false;
    }
    for (int k = 0; k < walls->count;) {
        const BearingPatch *patch = &bearing->patches[walls->patches[k]];
        double off = vec3_dot(vec3_sub(at, patch->at), patch->out);
        int end = off > 0.0 && off <= 2.0 * radius ? walls->next[k] : k;
        for (int one = k; one < end; one++) {
            patch = &bearing->patches[walls->patches[one]];
            if (is_beside(&bearing->footings[patch->footing], patch, vec3_sub(at, patch->at), radius)) {
                return true;
            }
        }
        k = walls->next[k];
    }
    return false;
}
