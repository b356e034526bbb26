/// The way on foot by Dijkstra's algorithm over the visible corners of obstacles, which are few rectangles; and the
/// walker who takes it.
#include "trainer/sim/walker.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/schema/scene_fixture.h"

#define WITHIN  1e-4 ///< m inside an outline from which on a place, or a part of a way, is in it
#define ARRIVED 1e-5 ///< m from a corner at which he has reached it
#define KNEE    0.3 ///< m over the ground: lower he steps over it. Chosen
#define HEAD    1.9 ///< m over the ground: higher he walks under it. Chosen

enum { FROM, END, CORNERS, NODES = CORNERS + WALK_OUTLINES * WALK_CORNERS };

/// m to the left of the side that begins at a corner; inside, that is positive for every side.
static double left_of(const Vec3 outline[WALK_CORNERS], int corner, Vec3 at)
{
    Vec3 a = outline[corner], side = vec3_sub(outline[(corner + 1) % WALK_CORNERS], a), to = vec3_sub(at, a);
    return (side.x * to.y - side.y * to.x) / same_hypot(side.x, side.y);
}

/// ---- obstacles -----------------------------------------------------------------------------------------------------

void walk_round_add(WalkRound *round, const Vec3 outline[WALK_CORNERS])
{
    if (round->count == WALK_OUTLINES) {
        return;
    }
    Vec3 *grown = round->outline[round->count++];
    for (int k = 0; k < WALK_CORNERS; k++) {
        Vec3 before = vec3_sub(outline[k], outline[(k + WALK_CORNERS - 1) % WALK_CORNERS]);
        Vec3 after = vec3_sub(outline[(k + 1) % WALK_CORNERS], outline[k]), up = vec3(0.0, 0.0, 1.0);
        before.z = after.z = 0.0;
        before = vec3_unit(before, vec3(1.0, 0.0, 0.0));
        after = vec3_unit(after, vec3(0.0, 1.0, 0.0));
        Vec3 out = vec3_add(vec3_cross(before, up), vec3_cross(after, up)); // both normals of length 1
        grown[k] = vec3_madd(outline[k], WALK_CLEAR / fmax(0.5, 1.0 + vec3_dot(before, after)), out);
        grown[k].z = 0.0;
    }
}

void walk_round_add_points(WalkRound *round, const Vec3 *points, int count, double heading)
{
    Vec3 along = vec3(same_cos(heading), same_sin(heading), 0.0), across = vec3(-along.y, along.x, 0.0);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < count; k++) {
        double at[2] = {vec3_dot(points[k], along), vec3_dot(points[k], across)};
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    Vec3 outline[WALK_CORNERS];
    for (int k = 0; k < WALK_CORNERS; k++) {
        double ahead = k == 1 || k == 2 ? high[0] : low[0], left = k >= 2 ? high[1] : low[1];
        outline[k] = vec3_add(vec3_scale(along, ahead), vec3_scale(across, left));
    }
    walk_round_add(round, outline);
}

void walk_round_add_fixtures(WalkRound *round, const SceneParams *scene, const Soil *soil)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        Vec3 points[SCENE_POST_SIDES];
        double ground = soil_get_height(soil, fixture->x, fixture->y);
        if (fixture->top > ground + KNEE && fixture->bottom < ground + HEAD) {
            walk_round_add_points(round, points, scene_fixture_outline(fixture, points), fixture->heading);
        }
    }
}

int walk_round_holds(const WalkRound *round, double x, double y)
{
    for (int k = 0; k < round->count; k++) {
        int inside = 0;
        for (int corner = 0; corner < WALK_CORNERS; corner++) {
            inside += left_of(round->outline[k], corner, vec3(x, y, 0.0)) > WITHIN;
        }
        if (inside == WALK_CORNERS) {
            return k;
        }
    }
    return -1;
}

/// ---- the way -------------------------------------------------------------------------------------------------------

/// True when a part of the straight line between two places is inside an outline (Cyrus and Beck: what is left of it
/// after each side).
static bool crosses(const Vec3 outline[WALK_CORNERS], Vec3 a, Vec3 b)
{
    double first = 0.0, last = 1.0;
    for (int k = 0; k < WALK_CORNERS; k++) {
        double at_a = left_of(outline, k, a) - WITHIN, at_b = left_of(outline, k, b) - WITHIN;
        if (at_a <= 0.0 && at_b <= 0.0) {
            return false;
        }
        if (at_a < 0.0) {
            first = fmax(first, at_a / (at_a - at_b));
        } else if (at_b < 0.0) {
            last = fmin(last, at_a / (at_a - at_b));
        }
    }
    return first < last;
}

static bool is_clear_way(const WalkRound *round, Vec3 a, Vec3 b)
{
    for (int k = 0; k < round->count; k++) {
        if (crosses(round->outline[k], a, b)) {
            return false;
        }
    }
    return true;
}

static double distance(Vec3 a, Vec3 b)
{
    return same_hypot(a.x - b.x, a.y - b.y);
}

typedef struct Search {
    int count;
    Vec3 node[NODES];
    double length[NODES]; ///< m from the beginning; HUGE_VAL: no way is known yet
    int before[NODES];
    bool done[NODES];
} Search;

/// The nearest that is not done; -1: none is left that a way leads to.
static int find_nearest(const Search *search)
{
    int nearest = -1;
    for (int k = 0; k < search->count; k++) {
        bool open = !search->done[k] && search->length[k] < HUGE_VAL;
        nearest = open && (nearest < 0 || search->length[k] < search->length[nearest]) ? k : nearest;
    }
    return nearest;
}

static void look_on(const WalkRound *round, Search *search, int from)
{
    search->done[from] = true;
    for (int k = 0; k < search->count; k++) {
        double length = search->length[from] + distance(search->node[from], search->node[k]);
        if (!search->done[k] && length < search->length[k] &&
            is_clear_way(round, search->node[from], search->node[k])) {
            search->length[k] = length;
            search->before[k] = from;
        }
    }
}

/// Beginning, end and the corners that are outside of all outlines.
static void start_search(const WalkRound *round, Vec3 from, Vec3 end, Search *search)
{
    search->count = CORNERS;
    search->node[FROM] = from;
    search->node[END] = end;
    for (int k = 0; k < round->count * WALK_CORNERS; k++) {
        Vec3 corner = round->outline[k / WALK_CORNERS][k % WALK_CORNERS];
        if (walk_round_holds(round, corner.x, corner.y) < 0) {
            search->node[search->count++] = corner;
        }
    }
    for (int k = 0; k < search->count; k++) {
        search->length[k] = k == FROM ? 0.0 : HUGE_VAL;
        search->before[k] = FROM;
        search->done[k] = false;
    }
}

Vec3 walk_round_next(const WalkRound *round, Vec3 from, double x, double y)
{
    Vec3 end = vec3(x, y, 0.0);
    Search search;
    from.z = 0.0;
    if (is_clear_way(round, from, end)) {
        return end;
    }
    start_search(round, from, end, &search);
    for (int k = FROM; k >= 0 && k != END; k = find_nearest(&search)) {
        look_on(round, &search, k);
    }
    int next = END;
    for (int k = END; search.length[END] < HUGE_VAL && k != FROM; k = search.before[k]) {
        next =
            distance(search.node[k], from) > ARRIVED ? k : next; // from a corner where he has arrived he takes the next
    }
    return search.node[next];
}

/// ---- the walker ----------------------------------------------------------------------------------------------------

#define PACE   1.4 ///< m/s. Bohannon 1997, Age and Ageing 26: comfortable walking of adults, 1.3 to 1.5 m/s
#define MARGIN 0.5 ///< m within the edge of the site that he keeps

/// How far one can go from a place in a direction and still be on the site, m, at most WALK_IN_FROM; 0 outside of it.
static double room_ahead(const SoilGridView *grid, double x, double y, double c, double s)
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
        double reach = room_ahead(grid, sight->base.x, sight->base.y, c, s);
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
        step = -fmin(step, room_ahead(grid, walker->x, walker->y, -c, -s));
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
    if (length >= WALK_IN_FROM || room_ahead(grid, walker->x, walker->y, c, s) <= 0.0) {
        return false;
    }
    for (int k = TURNS - 1; k >= 0; k--) { // straight on first
        double turn_c = same_cos(M_PI * turns[k]), turn_s = same_sin(M_PI * turns[k]);
        double way_c = c * turn_c - s * turn_s, way_s = c * turn_s + s * turn_c;
        double reach = room_ahead(grid, walker->x, walker->y, way_c, way_s);
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
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "walker." #name, walker->name);
        WALKER_FIELDS(F)
#undef F
        visitor->failed =
            visitor->failed || (visitor->restoring && !walker->there); // a state without him has no fields
    }
}
