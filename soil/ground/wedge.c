/// Stability of faces: a planar wedge that slides, and a wall free on both sides that falls over.
#include "soil/ground/wedge.h"

#include <assert.h>
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

/// ---- wedges --------------------------------------------------------------------------------------------------------
/// A planar wedge through the toe of a face (Culmann 1875; e.g. Taylor, Fundamentals of Soil Mechanics, 1948, section
/// 16.9).
///
/// On a plane at the angle theta through the toe, over its length L inside the soil, the wedge above it (mass m a metre
/// of face) is driven by D = m g sin(theta) and held by R = sum over the pieces of the plane of c l + m_piece g
/// cos(theta) tan(phi), with c and phi of the layer that the piece passes. It fails when D > R for any theta. Uniform
/// soil, face of height H and inclination i below a level surface: m = rho H^2 (cot theta - cot i) / 2, L = H /
/// sin(theta). D - R = 0 asks for the cohesion
///   c = rho g H sin(i - theta) sin(theta - phi) / (2 sin(i) cos(phi)),
/// which is the largest at theta = (i + phi) / 2; there
///   Hc = 4 c sin(i) cos(phi) / (rho g (1 - cos(i - phi))), Culmann's height.
/// (D - R) / L = what is asked for less c: it is the largest on the same plane, also beyond Hc. Trial planes lie 2
/// degrees apart; at most one degree beside the worst, the height of a vertical face comes out 0.2 % too large or less
/// (1 - cos 2 deg over 1 - sin(phi)).
///
/// Columns are prisms that end halfway to their neighbours; the mass above the plane is integrated exactly in each. A
/// vertical face between two columns stands halfway between their middles; a slope passes through the middles. Which of
/// the two a step is cannot be told from heights: up to STEP_SLOPE times the pitch it counts as slope, from STEP_FACE
/// times on as face, between the two the toe moves evenly.
///
/// A plane may come out at another face behind the first one: the wedge is then free on both sides. What lies within a
/// skin of either face has lost its cohesion (WEDGE_SKIN), so that the plane has c only along what is whole. A wall t
/// thick and thin beside its height h stands up to h = qu (1 - 2 s / t) / (rho g), with the unconfined strength qu = 2
/// c cos(phi) / (1 - sin(phi)): it gives way along the plane at 45 degrees + phi / 2, as a sample does that is pressed,
/// below half of Culmann's height.

/// A soil that is pulled apart behind the crest of a face opens in a tension crack (Terzaghi, Theoretical Soil
/// Mechanics, 1943, sections 57 and 62): Rankine's active stress is below 0 down to z = (2 c / sqrt(Ka) - q) / (rho g),
/// q what lies on the crest, and a crack reaches half the height of the face at most. A plane ends at the crack, which
/// bears nothing. For an upright face m = rho (H^2 - z^2) cot(theta) / 2 and L = (H - z) / sin(theta): it fails at
///   H = Hc - z - 2 q / (rho g), with z = H / 2 at 2 Hc / 3 = 2.67 c sqrt(Kp) / (rho g), Terzaghi's value.

/// Rise over pitch of a step: up to the first it counts as slope, from the second on as face. Chosen; see
/// test_soil_face_failure.
#define STEP_SLOPE 2.0
#define STEP_FACE  4.0
#define DOUBT      1e-9 ///< more than what a tangent loses by rounding

/// Along one plane, a metre of face.
typedef struct PlaneSums {
    double length; ///< m, horizontally
    double mass; ///< kg/m
    double rubbing; ///< kg/m: mass times tan(phi) of what it lies on
    double sticking; ///< N/m: cohesion times horizontal length
} PlaneSums;

void wedge_trial_planes(double tangents[WEDGE_PLANES])
{
    for (int k = 0; k < WEDGE_PLANES; k++) {
        tangents[k] = same_tan((k + 1) * M_PI / 90.0);
    }
}

/// Share of a step that counts as face, 0..1.
static double face_share(double pitch, double rise)
{
    double face = (rise / pitch - STEP_SLOPE) / (STEP_FACE - STEP_SLOPE);
    return face < 0.0 ? 0.0 : face > 1.0 ? 1.0 : face;
}

/// m from the toe to the middle of a section's first column, whose surface lies `rise` higher.
static double wedge_first_distance(double pitch, double rise)
{
    return pitch * (1.0 - 0.5 * face_share(pitch, rise));
}

/// Adds what a column has above the plane between the distances `near` and `far` (m from the toe).
static void cross_column(const WedgeColumn *column, double toe, double tangent, double near, double far,
                         PlaneSums *sums)
{
    double above = column->load + column->surcharge; // kg/m2 on the layer
    double low = toe + near * tangent; // what lies lower is not cut
    for (int k = column->count - 1; k >= 0 && column->bottom[k + 1] > low; k--) {
        double from = (column->bottom[k] - toe) / tangent, to = (column->bottom[k + 1] - toe) / tangent;
        from = from > near ? from : near; // two comparisons: a library's fmin and fmax are a tenth of all this
        to = to < far ? to : far;
        if (to > from) {
            double depth = column->bottom[k + 1] - toe - 0.5 * (from + to) * tangent;
            double mass = (to - from) * (above + column->density[k] * depth);
            sums->length += to - from;
            sums->mass += mass;
            sums->rubbing += mass * column->tan_friction[k];
            sums->sticking += column->cohesion[k] * (to - from);
        }
        above += column->density[k] * (column->bottom[k + 1] - column->bottom[k]);
    }
}

/// A slope's plane starts at the foot's middle, in soil that the prisms of the columns do not have: the triangle that
/// they have instead lies behind.
static void begin_plane(const WedgeColumn *face, double toe, double start, PlaneSums *sums)
{
    *sums = (PlaneSums){.length = start};
    for (int k = 0; k < face->count && start > 0.0; k++) {
        if (face->bottom[k + 1] > toe) {
            sums->sticking = face->cohesion[k] * start;
            return;
        }
    }
}

/// A plane comes out `along` m from the toe below the column `last`: at a face behind it, if what lies beyond is low.
static void shed_skins(const WedgeProfile *profile, int last, double along, double height, PlaneSums *sums)
{
    const WedgeColumn *column = &profile->columns[last], *beyond = &profile->columns[last + 1];
    if (wedge_filled_top(beyond) < height) {
        double drop = column->bottom[column->count] - beyond->bottom[beyond->count];
        double skins = 2.0 * WEDGE_SKIN * face_share(profile->pitch, drop);
        sums->sticking *= fmax(0.0, 1.0 - skins / along);
    }
}

/// m from the toe to where a plane meets a column's crack; HUGE_VAL: it has none.
static double way_to_crack(const WedgeColumn *column, double toe, double tangent)
{
    if (column->crack <= 0.0) {
        return HUGE_VAL;
    }
    double top = wedge_firm_top(column);
    return (top - fmin(column->crack, 0.5 * fmax(0.0, top - toe)) - toe) / tangent;
}

/// Follows a plane to where it comes out at the surface or meets a crack. Returns the columns it passes below, or 0:
/// the section ends before, or the plane starts above the surface (soil between two middles does not count: a slope
/// would be a staircase).
static int follow_plane(const WedgeProfile *profile, double toe, double first, double tangent, PlaneSums *sums)
{
    begin_plane(&profile->columns[0], toe, first - 0.5 * profile->pitch, sums);
    if (profile->columns[0].bottom[profile->columns[0].count] <= toe + first * tangent) {
        return 0;
    }
    for (int k = 0; k < profile->count; k++) {
        const WedgeColumn *column = &profile->columns[k];
        double near = first + (k - 0.5) * profile->pitch;
        if (column->bottom[column->count] <= toe + near * tangent) {
            shed_skins(profile, k - 1, near, toe + near * tangent, sums);
            return k;
        }
        double crack = way_to_crack(column, toe, tangent);
        if (crack < near + profile->pitch) {
            cross_column(column, toe, tangent, near, fmax(near, crack), sums);
            return crack < near + 0.5 * profile->pitch ? k : k + 1;
        }
        cross_column(column, toe, tangent, near, near + profile->pitch, sums);
    }
    return 0;
}

/// What no plane from a height of a section exceeds.
typedef struct PlaneBounds {
    double friction; ///< the least tan(phi) of a layer
    double cohesion; ///< Pa, the least; 0 where a plane may lose some of it to a skin
    double weight; ///< Pa: the most that stands on the toe's height
} PlaneBounds;

static void bound_column(const WedgeColumn *column, double toe, PlaneBounds *bounds)
{
    double mass = fabs(column->load) + column->surcharge;
    for (int k = column->count - 1; k >= 0 && column->bottom[k + 1] > toe; k--) {
        mass += column->density[k] * (column->bottom[k + 1] - fmax(column->bottom[k], toe));
        bounds->friction = fmin(bounds->friction, column->tan_friction[k]);
        bounds->cohesion = fmin(bounds->cohesion, column->cohesion[k]);
    }
    bounds->weight = fmax(bounds->weight, STANDARD_GRAVITY * mass);
    bounds->friction = column->load < 0.0 ? 0.0 : bounds->friction; // rounding of a sum of floats may be negative
}

static PlaneBounds bound_planes(const WedgeProfile *profile, double toe)
{
    PlaneBounds bounds = {.friction = HUGE_VAL, .cohesion = HUGE_VAL};
    double before = -HUGE_VAL;
    bool skins = false;
    for (int k = 0; k < profile->count; k++) {
        const WedgeColumn *column = &profile->columns[k];
        double top = column->bottom[column->count];
        skins |= face_share(profile->pitch, before - top) > 0.0;
        before = top;
        bound_column(column, toe, &bounds);
    }
    bounds.cohesion = skins ? 0.0 : bounds.cohesion;
    return bounds;
}

/// True when the excess of a plane cannot be larger than `worst` (Pa, 0 or more). A metre of it carries at most the
/// `weight` W, so that (D - R) / L <= W (tan(theta) - tan(phi)) cos(theta)^2 - c; none that is flatter than phi slides.
static bool cannot_exceed(const PlaneBounds *bounds, double tangent, double worst)
{
    double steeper = tangent - bounds->friction;
    return steeper < -DOUBT ||
           bounds->weight * (steeper / (1.0 + tangent * tangent) + DOUBT) < worst + bounds->cohesion;
}

/// Pa: what drives a plane from a height of the face less what holds it, mean along the plane; -HUGE_VAL where no wedge
/// lies above it. `plane.toe`, `first` and `tan_angle` are given; the rest of it is filled in.
static double stress_along(const WedgeProfile *profile, Wedge *plane)
{
    PlaneSums sums;
    plane->columns = follow_plane(profile, plane->toe, plane->first, plane->tan_angle, &sums);
    if (plane->columns == 0 || sums.length <= 0.0) {
        return -HUGE_VAL;
    }
    double cosine = 1.0 / sqrt(1.0 + plane->tan_angle * plane->tan_angle);
    double driving = STANDARD_GRAVITY * sums.mass * plane->tan_angle * cosine;
    double holding = STANDARD_GRAVITY * sums.rubbing * cosine + sums.sticking / cosine;
    plane->excess = driving - holding;
    plane->cohesion = sums.sticking / sums.length;
    return (driving - holding) * cosine / sums.length;
}

/// The most dangerous plane from a height of the face. `worst` Pa: the excess to beat.
static bool find_from(const WedgeProfile *profile, const double *tangents, double toe, double *worst, Wedge *wedge)
{
    const WedgeColumn *face = &profile->columns[0];
    const PlaneBounds bounds = bound_planes(profile, toe);
    double first = wedge_first_distance(profile->pitch, face->bottom[face->count] - toe);
    bool found = false;
    for (int k = WEDGE_PLANES - 1; k >= 0; k--) {
        Wedge plane = {.toe = toe, .first = first, .tan_angle = tangents[k]};
        if (cannot_exceed(&bounds, tangents[k], *worst)) {
            assert(stress_along(profile, &plane) <= *worst && "the bound holds");
            continue;
        }
        double stress = stress_along(profile, &plane);
        if (stress > *worst) {
            *worst = stress;
            *wedge = plane;
            found = true;
        }
    }
    return found;
}

bool wedge_find(const WedgeProfile *profile, const double tangents[WEDGE_PLANES], Wedge *wedge)
{
    if (profile->count == 0) {
        return false;
    }
    const WedgeColumn *face = &profile->columns[0];
    double worst = 0.0;
    bool found = find_from(profile, tangents, profile->toe, &worst, wedge);
    for (int k = 1; k < face->count; k++) { // a weak layer fails above a strong one
        if (face->bottom[k] > profile->toe && !face->loose[k]) {
            found |= find_from(profile, tangents, face->bottom[k], &worst, wedge);
        }
    }
    return found;
}

/// ---- thin walls ----------------------------------------------------------------------------------------------------
/// A wall that is free on both sides stands by its weight on what is whole of its foot.
///
/// A strip of soil t thick and h high between two cuts has lost the strength of a skin s on either side; b = t - 2 s is
/// whole (b = 0 where the skins meet). Three things push it over. The ground shakes where machines dig: sideways, by a
/// share k of the strip's weight. What lies on the strip shakes with it. Loose soil that lies on its far side f higher
/// than on this one pushes with Rankine's active pressure, Ka rho g f2 / 2, a third of f above the foot. Soil that has
/// been cut is fissured, and takes no tension: what lies across the foot opens, and the strip turns about the edge of
/// what is whole. It stands while
///   k g sum(m z) + Ka rho g f3 / 6 <= m g b / 2,
/// m its mass a metre and z heights above the foot. Uniform, without load or push, that is h <= b / k: what stands is
/// five times as high as it is thick, less the skins; for comparison, walls of adobe in regions of earthquakes are
/// built up to eight or ten times as high. Wider bodies slide before they fall over (wedge.c), and there is no jump
/// between the two.
///
/// At its ends a strip hangs on its neighbours by the cohesion of b, as every body that fails (face_failure.c).

/// Walls whose whole part is thicker, of their height, fall over under no push that loose soil with a friction angle of
/// 30 degrees or more can give: b^2 - k h b = Ka h2 / 3.
#define THICK 0.5

/// What stands above a foot on some columns side by side, a metre of wall.
typedef struct Strip {
    double mass; ///< kg/m
    double lever; ///< kg: sum of mass times height above the foot, a metre
    double sticking; ///< N/m: cohesion times height times width
    double section; ///< m2
    double height; ///< m, of the highest column
} Strip;

bool thin_wall_may_fall(double thickness, double height)
{
    return height > 2.0 * WEDGE_SKIN && thickness - 2.0 * WEDGE_SKIN < THICK * height;
}

/// Adds a column above a foot. False when it does not reach so high, or is loose there: it slides by itself.
static bool add_column(const WedgeColumn *column, double foot, double width, Strip *strip)
{
    double top = column->bottom[column->count];
    bool founded = false;
    for (int k = 0; k < column->count; k++) {
        double low = fmax(column->bottom[k], foot), thickness = column->bottom[k + 1] - low;
        if (thickness <= 0.0) {
            continue;
        }
        if (!founded && column->loose[k]) {
            return false;
        }
        founded = true;
        double mass = width * thickness * column->density[k];
        strip->mass += mass;
        strip->lever += mass * (low + 0.5 * thickness - foot);
        strip->sticking += width * thickness * column->cohesion[k];
        strip->section += width * thickness;
    }
    strip->mass += width * (column->load + column->surcharge);
    strip->lever += width * (column->load + column->surcharge) * (top - foot);
    strip->height = fmax(strip->height, top - foot);
    return founded;
}

/// N: moment about the foot, a metre of wall, of loose soil that lies on a column `depth` m above the foot.
static double push_of(const WedgeColumn *column, double depth)
{
    int k = column->count - 1;
    double tangent = column->tan_friction[k], root = sqrt(1.0 + tangent * tangent) - tangent; // tan(45 - phi / 2)
    return root * root * column->density[k] * STANDARD_GRAVITY * depth * depth * depth / 6.0;
}

/// The strip of the first `count` columns above a foot, pushed from behind by soil that lies `fill` m above the foot.
/// Replaces the wedge when it lacks more.
static bool try_foot(const WedgeProfile *profile, int count, double foot, double fill, Wedge *wedge)
{
    Strip strip = {0};
    for (int k = 0; k < count; k++) {
        if (!add_column(&profile->columns[k], foot, profile->pitch, &strip)) {
            return false;
        }
    }
    double thickness = count * profile->pitch, whole = fmax(0.0, thickness - 2.0 * WEDGE_SKIN);
    double push = fill > 0.0 ? push_of(&profile->columns[count], fmin(fill, strip.height)) : 0.0;
    double moment = STANDARD_GRAVITY * (THIN_WALL_SHAKING * strip.lever - 0.5 * whole * strip.mass) + push;
    double excess = moment / (0.5 * strip.height);
    if (strip.height <= 2.0 * WEDGE_SKIN || excess <= wedge->excess) {
        return false;
    }
    *wedge = (Wedge){.toe = foot,
                     .first = 0.5 * profile->pitch,
                     .excess = excess,
                     .cohesion = strip.sticking / strip.section * whole / thickness,
                     .columns = count,
                     .topples = true};
    return true;
}

bool thin_wall_find(const WedgeProfile *profile, Wedge *wedge)
{
    double highest = 0.0, lowest = HUGE_VAL;
    bool found = false;
    *wedge = (Wedge){0};
    for (int count = 1; count < profile->count; count++) {
        const WedgeColumn *last = &profile->columns[count - 1], *far = &profile->columns[count];
        highest = fmax(highest, last->bottom[last->count] - profile->toe);
        lowest = fmin(lowest, last->bottom[last->count]);
        if (!thin_wall_may_fall(count * profile->pitch, highest)) {
            break;
        }
        double firm = wedge_firm_top(far), filled = wedge_filled_top(far);
        if (fmax(profile->toe, filled) < lowest) {
            found |= try_foot(profile, count, fmax(profile->toe, filled), 0.0, wedge);
        }
        double foot = fmax(profile->toe, firm);
        if (foot < lowest && filled > foot) {
            found |= try_foot(profile, count, foot, filled - foot, wedge);
        }
    }
    return found;
}
