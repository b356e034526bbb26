/// Moves somebody on foot.
#include "trainer/events/walk_in.h"

#include <math.h>

#include "data/core/elementary/elementary.h"

#define PACE   1.4 ///< m/s. Bohannon 1997, Age and Ageing 26: comfortable walking of adults, 1.3 to 1.5 m/s
#define MARGIN 0.5 ///< m within the edge of the site that he keeps

/// How far one can go from a place in a direction and still be on the site, m, at most WALK_IN_FROM; 0 outside of it.
static double room(const SoilGridView *grid, double x, double y, double c, double s)
{
    double low[2] = {grid->origin_x + MARGIN, grid->origin_y + MARGIN};
    double high[2] = {grid->origin_x + (grid->columns - 1) * grid->spacing - MARGIN,
                      grid->origin_y + (grid->rows - 1) * grid->spacing - MARGIN};
    double at[2] = {x, y}, way[2] = {c, s}, most = WALK_IN_FROM;
    for (int k = 0; k < 2; k++) {
        if (fabs(way[k]) > 1e-9) {
            most = fmin(most, ((way[k] > 0.0 ? high[k] : low[k]) - at[k]) / way[k]);
        }
    }
    return fmax(0.0, most);
}

/// Appears where the operator does not look: behind to the right, or, where the site has less room there, elsewhere.
static void appear(WalkIn *walker, double stop, const SoilGridView *grid, Vec3 base, double facing)
{
    static const double turns[] = {-0.75, 0.75, 1.0, -0.5, 0.5, -0.25, 0.25, 0.0}; // of pi; to the right first
    double longest = 0.0;
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        double angle = facing + M_PI * turns[k], c = same_cos(angle), s = same_sin(angle);
        double reach = room(grid, base.x, base.y, c, s);
        if (reach > longest + 1.0) {
            longest = reach;
            walker->x = base.x + reach * c;
            walker->y = base.y + reach * s;
        }
    }
    walker->there = longest > stop;
}

void walk_in_tick(WalkIn *walker, double stop, const Soil *soil, Vec3 base, double facing, double dt)
{
    SoilGridView grid = soil_get_grid(soil);
    if (!walker->there && stop > 0.0) {
        appear(walker, stop, &grid, base, facing);
    }
    if (!walker->there) {
        return;
    }
    double x = base.x - walker->x, y = base.y - walker->y, distance = same_hypot(x, y), step = PACE * dt;
    double c = distance > 0.0 ? x / distance : 1.0, s = distance > 0.0 ? y / distance : 0.0;
    if (stop > 0.0) {
        step = fmax(0.0, fmin(step, distance - stop));
    } else {
        step = -fmin(step, room(&grid, walker->x, walker->y, -c, -s));
        walker->there = distance < WALK_IN_FROM && step < 0.0;
    }
    walker->x += step * c;
    walker->y += step * s;
    if (!walker->there) {
        *walker = (WalkIn){0};
    }
}

void walk_in_visit(WalkIn *walker, StateVisitor *visitor)
{
    static const char first[] = "walker.x";
    bool comes = visitor->measuring || walker->there;
    if (visitor->restoring) {
        *walker = (WalkIn){0};
        comes = !visitor->failed && visitor->holds != NULL && visitor->holds(visitor, first);
    }
    if (comes) {
        STATE_VISIT(visitor, "walker.x", walker->x);
        STATE_VISIT(visitor, "walker.y", walker->y);
        STATE_VISIT(visitor, "walker.there", walker->there);
        visitor->failed =
            visitor->failed || (visitor->restoring && !walker->there); // a state without him has no fields
    }
}
