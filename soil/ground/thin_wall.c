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
#include "soil/ground/thin_wall.h"
#include "data/core/constants.h"

#include <math.h>

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
    strip->mass += width * column->load;
    strip->lever += width * column->load * (top - foot);
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
