/// The way on foot round obstacles by Dijkstra's algorithm over their corners.
#include "trainer/sim/walk_round.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/schema/scene_site.h"

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
        grown[k] = vec3_madd(outline[k], SCENE_WALK_CLEAR / fmax(0.5, 1.0 + vec3_dot(before, after)), out);
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

static void search_from(const WalkRound *round, Search *search, int from)
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
        search_from(round, &search, k);
    }
    int next = END;
    for (int k = END; search.length[END] < HUGE_VAL && k != FROM; k = search.before[k]) {
        next =
            distance(search.node[k], from) > ARRIVED ? k : next; // from a corner where he has arrived he takes the next
    }
    return search.node[next];
}

Vec3 walk_round_step(const WalkRound *round, Vec3 from, double x, double y, double length)
{
    int held = walk_round_holds(round, from.x, from.y);
    from.z = 0.0;
    if (held >= 0) {
        const Vec3 *outline = round->outline[held];
        Vec3 middle = vec3_scale(vec3_add(outline[0], outline[2]), 0.5);
        Vec3 away = vec3_unit(vec3(from.x - middle.x, from.y - middle.y, 0.0), vec3(1.0, 0.0, 0.0));
        return vec3_madd(from, length, away);
    }
    Vec3 next = walk_round_next(round, from, x, y);
    double across = next.x - from.x, up = next.y - from.y, way = same_hypot(across, up), step = fmin(length, way);
    if (step <= 0.0) {
        return from;
    }
    Vec3 to = vec3(from.x + step * across / way, from.y + step * up / way, 0.0);
    return walk_round_holds(round, to.x, to.y) < 0 ? to : from;
}
