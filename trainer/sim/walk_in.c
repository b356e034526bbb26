/// Moves somebody on foot.
#include "trainer/sim/walk_in.h"

#include <math.h>

#include "data/core/elementary.h"

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

// of pi; to the right of what is straight on first
static const double turns[] = {-0.75, 0.75, 1.0, -0.5, 0.5, -0.25, 0.25, 0.0};
enum { TURNS = sizeof turns / sizeof turns[0] };

static bool is_free(const WalkSight *sight, double x, double y)
{
    return sight->manner == WALK_STRAIGHT || walk_round_holds(&sight->round, x, y) < 0;
}

/// Appears where the operator does not look: behind to the right, or, where the site has less room there, elsewhere.
static void appear(WalkIn *walker, const WalkSight *sight, const SoilGridView *grid)
{
    double longest = 0.0;
    for (int k = 0; k < TURNS; k++) {
        double angle = sight->facing + M_PI * turns[k], c = same_cos(angle), s = same_sin(angle);
        double reach = room(grid, sight->base.x, sight->base.y, c, s);
        double x = sight->base.x + reach * c, y = sight->base.y + reach * s;
        if (reach > longest + 1.0 && is_free(sight, x, y)) {
            longest = reach;
            walker->x = x;
            walker->y = y;
        }
    }
    walker->there = longest > sight->stop ? sight->manner : 0;
}

/// Walks straight at the machine, or straight away from it. Nothing stops him.
static void walk_straight(WalkIn *walker, const WalkSight *sight, const SoilGridView *grid, double dt)
{
    double x = sight->base.x - walker->x, y = sight->base.y - walker->y, length = same_hypot(x, y), step = PACE * dt;
    double c = length > 0.0 ? x / length : 1.0, s = length > 0.0 ? y / length : 0.0;
    if (sight->stop > 0.0) {
        step = fmax(0.0, fmin(step, length - sight->stop));
    } else {
        step = -fmin(step, room(grid, walker->x, walker->y, -c, -s));
        walker->there = length < WALK_IN_FROM && step < 0.0 ? walker->there : 0;
    }
    walker->x += step * c;
    walker->y += step * s;
}

/// Where he goes to leave: away from the machine as far as the site reaches, or beside that where something stands.
/// False: he is at the edge already.
static bool find_exit(const WalkIn *walker, const WalkSight *sight, const SoilGridView *grid, Vec3 *end)
{
    double x = walker->x - sight->base.x, y = walker->y - sight->base.y, length = same_hypot(x, y);
    double c = length > 0.0 ? x / length : 1.0, s = length > 0.0 ? y / length : 0.0;
    if (length >= WALK_IN_FROM || room(grid, walker->x, walker->y, c, s) <= 0.0) {
        return false;
    }
    for (int k = TURNS - 1; k >= 0; k--) { // straight on first
        double turn_c = same_cos(M_PI * turns[k]), turn_s = same_sin(M_PI * turns[k]);
        double way_c = c * turn_c - s * turn_s, way_s = c * turn_s + s * turn_c;
        double reach = room(grid, walker->x, walker->y, way_c, way_s);
        *end = vec3(walker->x + reach * way_c, walker->y + reach * way_s, 0.0);
        if (reach > 1.0 && walk_round_holds(&sight->round, end->x, end->y) < 0) {
            break;
        }
    }
    return true;
}

/// Steps away from the middle of what has come too near.
static void step_back(WalkIn *walker, const Vec3 outline[WALK_CORNERS], double dt)
{
    Vec3 middle = vec3_scale(vec3_add(outline[0], outline[2]), 0.5);
    Vec3 away = vec3_unit(vec3(walker->x - middle.x, walker->y - middle.y, 0.0), vec3(1.0, 0.0, 0.0));
    walker->x += PACE * dt * away.x;
    walker->y += PACE * dt * away.y;
}

/// Goes to the next corner of his way, as far as that is free and he is not near enough.
static void walk_round(WalkIn *walker, const WalkSight *sight, const SoilGridView *grid, double dt)
{
    int held = walk_round_holds(&sight->round, walker->x, walker->y);
    Vec3 from = vec3(walker->x, walker->y, 0.0), end = sight->base;
    if (held >= 0) {
        step_back(walker, sight->round.outline[held], dt);
        return;
    }
    if (sight->stop == 0.0 && !find_exit(walker, sight, grid, &end)) {
        walker->there = 0;
        return;
    }
    double left = sight->stop > 0.0 ? same_hypot(end.x - from.x, end.y - from.y) - sight->stop : HUGE_VAL;
    Vec3 next = walk_round_next(&sight->round, from, end.x, end.y);
    double x = next.x - from.x, y = next.y - from.y, length = same_hypot(x, y);
    double step = fmin(fmin(PACE * dt, length), left);
    if (step > 0.0 && walk_round_holds(&sight->round, from.x + step * x / length, from.y + step * y / length) < 0) {
        walker->x += step * x / length;
        walker->y += step * y / length;
    }
}

void walk_in_tick(WalkIn *walker, const WalkSight *sight, double dt)
{
    SoilGridView grid = soil_get_grid(sight->soil);
    if (!walker->there && sight->stop > 0.0) {
        appear(walker, sight, &grid);
    }
    if (!walker->there) {
        return;
    }
    walker->there = sight->stop > 0.0 ? sight->manner : walker->there;
    if (walker->there == WALK_STRAIGHT) {
        walk_straight(walker, sight, &grid, dt);
    } else {
        walk_round(walker, sight, &grid, dt);
    }
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
