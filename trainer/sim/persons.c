/// Persons on the site: the way on foot round obstacles by Dijkstra's algorithm over their corners, the walker who
/// takes it, and the zones around persons and cabs. Bodies, zones and the air above them are prisms that only report;
/// what of the machine is in them is found as touches are (machine/solids.h).
#include "trainer/sim/persons.h"

#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_site.h"
#include "machine/solids.h"
#include "machine/truck.h"

/// ---- the way round obstacles ---------------------------------------------------------------------------------------

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

/// Adds the rectangle about points [count], m, world, with sides along and across `heading` (rad).
static void walk_round_add_points(WalkRound *round, const Vec3 *points, int count, double heading)
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

/// Adds the scene's fixtures that reach between knee and head height over the present ground beside them.
static void walk_round_add_fixtures(WalkRound *round, const SceneParams *scene, const Soil *soil)
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

/// Puts the walker out of the operator's sight: behind to the right, or, where the site has less room, elsewhere.
static void place_walker_at_edge(WalkIn *walker, const WalkSight *sight, const SoilGridView *grid)
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

/// Moves him for a tick of `dt` s.
static void walk_in_tick(WalkIn *walker, const WalkSight *sight, double dt)
{
    SoilGridView grid = soil_get_grid(sight->soil);
    if (!walker->there && sight->stop > 0.0) {
        place_walker_at_edge(walker, sight, &grid);
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

/// Visits the state. Without a walker there are no fields; a restoring visitor says by `holds` whether they come.
static void walk_in_visit(WalkIn *walker, StateVisitor *visitor)
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

/// ---- zones ---------------------------------------------------------------------------------------------------------

#define SKY           40.0 ///< m over a zone: higher reaches no arm
#define DEPTH         2.0 ///< m below the feet: so far down reaches a zone
#define WALKER_RADIUS 0.25 ///< m
#define WALKER_HEIGHT 1.8 ///< m
#define WALKER_ZONE   1.0 ///< m. Chosen: the walker keeps no zone himself; so near he may be hit
#define ARM_REACH     0.7 ///< m beyond a person over which no load hangs either
/// Of the tool's rated load, from which on it counts as loaded.
#define LOADED 0.06
/// m about a truck's middle in which its solids may be.
#define TRUCK_REACH 12.0

enum { SIDES = 12, RING = 8, WALKER = SCENE_MAX_PERSONS, PERSONS = WALKER + 1 }; ///< the scene's, then the walker

struct Zones {
    int person_count; ///< of the scene
    bool has_state; ///< of the scene's persons and trucks
    ScenePerson person[PERSONS]; ///< what they are like
    Vec3 feet[PERSONS]; ///< m, world
    SolidThing body[PERSONS], zone[PERSONS], above[PERSONS];
    SolidThing column[PERSONS]; ///< where no load may hang: over the zone, or over the person
    TruckSolid truck[TRUCK_SOLIDS];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    /// State.
    EventSpell hit[PERSONS], entered[PERSONS], passed[PERSONS], run[PERSONS];
    EventSpell cab[SCENE_MAX_TRUCKS];
    EventSpell knocked[PERSONS], crowded[PERSONS], under[PERSONS]; ///< by loads
    WalkIn walker;
};

/// ---- making --------------------------------------------------------------------------------------------------------

/// An upright prism around a circle.
static void make_prism(Vec3 feet, double radius, double low, double high, SolidThing *thing)
{
    Vec3 points[2 * SIDES];
    const char *reason;
    double out = radius / same_cos(M_PI / SIDES);
    for (int k = 0; k < SIDES; k++) {
        double angle = 2.0 * M_PI * k / SIDES;
        points[k] = vec3_add(feet, vec3(out * same_cos(angle), out * same_sin(angle), low));
        points[SIDES + k] = vec3_add(feet, vec3(out * same_cos(angle), out * same_sin(angle), high));
    }
    (void)solid_thing_make(points, 2 * SIDES, 0.0, thing, &reason); // a prism makes a solid
}

/// A capsule: two rings where its round ends begin, and a square on each end at 45 degrees.
static void make_capsule(Vec3 feet, double radius, double height, SolidThing *thing)
{
    Vec3 points[2 * RING + RING];
    const char *reason;
    int count = 0;
    double small = radius * sqrt(0.5), end = radius * (1.0 - sqrt(0.5));
    for (int k = 0; k < RING; k++) {
        double c = same_cos(2.0 * M_PI * k / RING), s = same_sin(2.0 * M_PI * k / RING);
        points[count++] = vec3_add(feet, vec3(radius * c, radius * s, radius));
        points[count++] = vec3_add(feet, vec3(radius * c, radius * s, height - radius));
        if (k % 2 == 0) {
            points[count++] = vec3_add(feet, vec3(small * c, small * s, end));
            points[count++] = vec3_add(feet, vec3(small * c, small * s, height - end));
        }
    }
    (void)solid_thing_make(points, count, 0.0, thing, &reason); // so does a capsule
}

/// Where a person stands, and what is to be kept clear there.
static void place_person(Zones *self, int index, Vec3 feet)
{
    const ScenePerson *person = &self->person[index];
    self->feet[index] = feet;
    make_capsule(feet, person->radius, person->height, &self->body[index]);
    double column = person->zone > 0.0 ? person->zone : person->radius + ARM_REACH;
    make_prism(feet, column, 0.5 * person->height, SKY, &self->column[index]);
    if (person->zone > 0.0) {
        make_prism(feet, person->zone, -DEPTH, person->height, &self->zone[index]);
        make_prism(feet, person->zone, person->height, SKY, &self->above[index]);
    }
}

static bool check_start(Zones *self, const SceneParams *scene, const Machine *machine, const MachineState *state,
                        Status *status)
{
    for (int k = 0; k < self->person_count; k++) {
        if (machine_find_touches(machine, state, &self->body[k], 1, self->touches) > 0) {
            const MachineTouch *touch = &self->touches[0];
            return status_fail(status, STATUS_BAD_FILE,
                               "persons.%d (%s): the machine starts on it: its %s reaches it at %.4g, %.4g, "
                               "%.4g",
                               k, scene->persons[k].name, machine_part_name(machine, touch->part), touch->point.x,
                               touch->point.y, touch->point.z);
        }
    }
    return true;
}

bool zones_create(const SceneParams *scene, const Machine *machine, const MachineState *state, const Soil *soil,
                  Zones **zones, Status *status)
{
    *zones = NULL;
    bool has_trucks = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    Zones *self = zeroed_alloc(1, sizeof *self);
    *zones = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the persons on the site");
    }
    self->person_count = scene->persons_count;
    self->has_state = scene->persons_count > 0 || has_trucks;
    for (int k = 0; k < self->person_count; k++) {
        const ScenePerson *person = &scene->persons[k];
        self->person[k] = *person;
        place_person(self, k, vec3(person->x, person->y, soil_get_height(soil, person->x, person->y)));
    }
    self->person[WALKER] =
        (ScenePerson){.name = WALK_IN_NAME, .radius = WALKER_RADIUS, .height = WALKER_HEIGHT, .zone = WALKER_ZONE};
    if (has_trucks) {
        TruckParams shape = scene_truck_shape(scene);
        truck_solids(&shape, self->truck);
    }
    return check_start(self, scene, machine, state, status);
}

void zones_destroy(Zones *zones)
{
    zeroed_free(zones);
}

double zones_ground(const Zones *zones, int person)
{
    return zones->feet[person].z;
}

/// Persons of the scene always exist, the walker at times.
static bool is_there(const Zones *self, int person)
{
    return person < self->person_count || (person == WALKER && self->walker.there);
}

/// ---- persons -------------------------------------------------------------------------------------------------------

/// Where the lowest corner of a part is, m, world.
static Vec3 lowest_corner(const IncidentSight *sight, int part)
{
    Vec3 points[CONVEX_MAX_POINTS];
    int count = machine_part_points(sight->machine, sight->state, part, points);
    Vec3 lowest = points[0];
    for (int k = 1; k < count; k++) {
        lowest = points[k].z < lowest.z ? points[k] : lowest;
    }
    return lowest;
}

/// The fastest touch of a thing by a part that counts; NULL: none. `arm`: only arm and tool count.
static const MachineTouch *find_touch(Zones *self, const IncidentSight *sight, const SolidThing *thing, bool arm)
{
    int cab = machine_params(sight->machine)->cab_body;
    int count = machine_find_touches(sight->machine, sight->state, thing, 1, self->touches);
    const MachineTouch *found = NULL;
    for (int k = 0; k < count; k++) {
        const MachineTouch *touch = &self->touches[k];
        bool counts = !arm || (touch->body != MACHINE_BASE && touch->body != cab);
        found = counts && (found == NULL || touch->speed > found->speed) ? touch : found;
    }
    return found;
}

static ExerciseEvent event_of(const IncidentSight *sight, const MachineTouch *touch, EventThing thing)
{
    ExerciseEvent event = {.tick = sight->tick,
                           .number = {.x = touch->point.x,
                                      .y = touch->point.y,
                                      .z = touch->point.z,
                                      .speed = fmax(0.0, touch->speed),
                                      .load = sight->payload}};
    event.part = event_thing(THING_PART, 0, machine_part_name(sight->machine, touch->part));
    event.thing = thing;
    return event;
}

static EventThing person_of(const Zones *self, int index)
{
    return index == WALKER ? event_thing(THING_WALKER, 0, "")
                           : event_thing(THING_PERSON, index, self->person[index].name);
}

static void check_person(Zones *self, const IncidentSight *sight, int index, Exercise *exercise)
{
    const ScenePerson *person = &self->person[index];
    const MachineTouch *touch = find_touch(self, sight, &self->body[index], false);
    if (event_spell_begins(&self->hit[index], touch != NULL, 0.0, sight->dt) && touch != NULL) {
        ExerciseEvent event = event_of(sight, touch, person_of(self, index));
        exercise_report(exercise, INCIDENT_PERSON_HIT, &event);
    }
    if (person->zone <= 0.0) {
        return;
    }
    touch = find_touch(self, sight, &self->zone[index], false);
    if (event_spell_begins(&self->entered[index], touch != NULL, 0.0, sight->dt) && touch != NULL) {
        ExerciseEvent event = event_of(sight, touch, person_of(self, index));
        event.number.distance = person->zone;
        exercise_report(exercise, INCIDENT_PERSON_ZONE, &event);
    }
    touch = find_touch(self, sight, &self->above[index], true);
    if (event_spell_begins(&self->passed[index], touch != NULL, 0.0, sight->dt) && touch != NULL) {
        ExerciseEvent event = event_of(sight, touch, person_of(self, index));
        bool loaded = sight->payload > LOADED * machine_rated_load(machine_params(sight->machine));
        event.form = loaded ? EVENT_SWUNG_LOADED : EVENT_SWUNG_EMPTY;
        event.number.height = lowest_corner(sight, touch->part).z - self->feet[index].z;
        exercise_report(exercise, INCIDENT_SWING_OVER_PERSON, &event);
    }
}

/// ---- trucks --------------------------------------------------------------------------------------------------------

/// A box of a truck in the world, from `low` to `high` m over the frame's origin.
static void make_box(const TruckSolid *solid, const IncidentTruck *vehicle, double low, double high, SolidThing *thing)
{
    Vec3 points[8];
    const char *reason;
    for (int k = 0; k < 8; k++) {
        Vec3 local =
            vec3(k & 1 ? solid->high.x : solid->low.x, k & 2 ? solid->high.y : solid->low.y, k & 4 ? high : low);
        points[k] = pose_apply(solid->on_bed ? &vehicle->bed : &vehicle->chassis, local);
    }
    (void)solid_thing_make(points, 8, 0.0, thing, &reason); // eight corners of a box make a solid
}

static void check_cab(Zones *self, const IncidentSight *sight, const IncidentTruck *vehicle, int truck,
                      Exercise *exercise)
{
    const MachineParams *params = machine_params(sight->machine);
    const TruckSolid *cab = &self->truck[TRUCK_SOLID_CAB];
    SolidThing above;
    make_box(cab, vehicle, cab->high.z, cab->high.z + SKY, &above);
    int count = machine_find_touches(sight->machine, sight->state, &above, 1, self->touches);
    const MachineTouch *touch = NULL;
    for (int k = 0; k < count; k++) {
        for (int tool = 0; tool < params->tool_count; tool++) {
            touch = touch == NULL && self->touches[k].body == params->tool[tool].body ? &self->touches[k] : touch;
        }
    }
    if (event_spell_begins(&self->cab[truck], touch != NULL, 0.0, sight->dt) && touch != NULL) {
        ExerciseEvent event = event_of(sight, touch, event_thing(THING_TRUCK_PART, truck, cab->name));
        double top = pose_apply(&vehicle->chassis, vec3(0.5 * (cab->low.x + cab->high.x), 0.0, cab->high.z)).z;
        event.number.height = fmax(0.0, lowest_corner(sight, touch->part).z - top);
        exercise_report(exercise, INCIDENT_BUCKET_OVER_CAB, &event);
    }
}

/// The name of a truck's solid that is in a person; NULL: none.
static const char *solid_in_person(const Zones *self, const IncidentTruck *vehicle, int person)
{
    Vec3 to = vec3_sub(vehicle->chassis.position, self->feet[person]);
    for (int k = 0; k < TRUCK_SOLIDS && same_hypot(to.x, to.y) < TRUCK_REACH; k++) {
        const TruckSolid *solid = &self->truck[k];
        SolidThing box;
        make_box(solid, vehicle, solid->low.z, solid->high.z, &box);
        if (solid_things_overlap(&box, &self->body[person])) {
            return solid->name;
        }
    }
    return NULL;
}

static void check_truck(Zones *self, const IncidentSight *sight, int truck, bool *reached, Exercise *exercise)
{
    const IncidentTruck *vehicle = &sight->truck[truck];
    check_cab(self, sight, vehicle, truck, exercise);
    for (int k = 0; k < PERSONS; k++) {
        const char *solid = is_there(self, k) ? solid_in_person(self, vehicle, k) : NULL;
        reached[k] = reached[k] || solid != NULL;
        if (solid != NULL && event_spell_begins(&self->run[k], true, 0.0, sight->dt)) {
            Vec3 at = self->feet[k];
            ExerciseEvent event = {.tick = sight->tick,
                                   .number = {.x = at.x, .y = at.y, .z = at.z, .speed = vehicle->speed}};
            event.part = event_thing(THING_TRUCK_PART, truck, solid);
            event.thing = person_of(self, k);
            exercise_report(exercise, INCIDENT_PERSON_HIT, &event);
        }
    }
}

/// ---- loads on slings -----------------------------------------------------------------------------------------------

/// Reports once what a load that moves, or hangs, does to a person.
static void report_load(const Zones *self, const IncidentSight *sight, const IncidentLoad *load, int person,
                        EventSpell *spell, Incident incident, Exercise *exercise)
{
    if (!event_spell_begins(spell, load != NULL, 0.0, sight->dt) || load == NULL) {
        return;
    }
    Vec3 at = load->thing->center;
    ExerciseEvent event = {.tick = sight->tick,
                           .number = {.x = at.x, .y = at.y, .z = at.z, .speed = vec3_length(load->thing->velocity)}};
    event.form = incident == INCIDENT_LOAD_OVER_PERSON ? 0 : EVENT_HIT_BY_LOAD;
    event.part = load->tool > 0 ? event_thing(THING_TOOL, load->tool - 1, load->name)
                                : event_thing(THING_HUNG_LOAD, (int)(load - sight->load), load->name);
    event.thing = person_of(self, person);
    event.number.distance = incident == INCIDENT_PERSON_ZONE ? self->person[person].zone : 0.0;
    exercise_report(exercise, incident, &event);
}

/// Of the loads that hang, the one that is in a thing; NULL: none.
static const IncidentLoad *load_in(const IncidentSight *sight, const SolidThing *thing)
{
    const IncidentLoad *found = NULL;
    for (int k = 0; k < sight->load_count; k++) {
        const IncidentLoad *load = &sight->load[k];
        found = load->hangs && solid_things_overlap(load->thing, thing) ? load : found;
    }
    return found;
}

static void check_loads(Zones *self, const IncidentSight *sight, int person, Exercise *exercise)
{
    const IncidentLoad *hits = load_in(sight, &self->body[person]);
    const IncidentLoad *over = load_in(sight, &self->column[person]);
    bool zone = self->person[person].zone > 0.0;
    const IncidentLoad *near = zone ? load_in(sight, &self->zone[person]) : NULL;
    report_load(self, sight, hits, person, &self->knocked[person], INCIDENT_PERSON_HIT, exercise);
    report_load(self, sight, near, person, &self->crowded[person], INCIDENT_PERSON_ZONE, exercise);
    report_load(self, sight, over, person, &self->under[person], INCIDENT_LOAD_OVER_PERSON, exercise);
}

/// ---- tick and state ------------------------------------------------------------------------------------------------

static void place_walker(Zones *self, const Soil *soil)
{
    double x = self->walker.x, y = self->walker.y;
    place_person(self, WALKER, vec3(x, y, soil_get_height(soil, x, y)));
}

/// What stands in his way: fixtures, and each truck as one box.
static void collect_obstacles(const Zones *self, const IncidentSight *sight, WalkRound *round)
{
    round->count = 0;
    walk_round_add_fixtures(round, sight->scene, sight->soil);
    for (int k = 0; k < sight->truck_count; k++) {
        const IncidentTruck *truck = &sight->truck[k];
        Vec3 points[TRUCK_SOLIDS * 8], ahead = mat3_mul(&truck->chassis.rotation, vec3(1.0, 0.0, 0.0));
        for (int corner = 0; corner < TRUCK_SOLIDS * 8; corner++) {
            const TruckSolid *solid = &self->truck[corner / 8];
            Vec3 at =
                vec3((corner & 1) != 0 ? solid->high.x : solid->low.x, (corner & 2) != 0 ? solid->high.y : solid->low.y,
                     (corner & 4) != 0 ? solid->high.z : solid->low.z);
            points[corner] = pose_apply(solid->on_bed ? &truck->bed : &truck->chassis, at);
        }
        walk_round_add_points(round, points, TRUCK_SOLIDS * 8, same_atan2(ahead.y, ahead.x));
    }
}

/// Moves the walker's solids to his place; once he has gone, his spells are cleared.
static void move_walker(Zones *self, const IncidentSight *sight, double walks, WalkManner manner)
{
    int swing = machine_params(sight->machine)->swing_joint;
    WalkSight walk = {.stop = walks,
                      .manner = (int32_t)manner,
                      .soil = sight->soil,
                      .base = sight->readout->base,
                      .facing = sight->readout->yaw + (swing >= 0 ? sight->readout->angle[swing] : 0.0)};
    if (self->walker.there == WALK_ROUND || (walks > 0.0 && manner == WALK_ROUND)) {
        collect_obstacles(self, sight, &walk.round);
    }
    walk_in_tick(&self->walker, &walk, sight->dt);
    if (self->walker.there) {
        place_walker(self, sight->soil);
    } else {
        EventSpell *const spells[] = {self->hit,     self->entered, self->passed, self->run,
                                      self->knocked, self->crowded, self->under};
        for (size_t k = 0; k < sizeof spells / sizeof spells[0]; k++) {
            spells[k][WALKER] = (EventSpell){0};
        }
    }
}

void zones_tick(Zones *zones, const IncidentSight *sight, double walks, WalkManner manner, Exercise *exercise)
{
    bool reached[PERSONS] = {false};
    move_walker(zones, sight, walks, manner);
    for (int k = 0; k < PERSONS; k++) {
        if (is_there(zones, k)) {
            check_person(zones, sight, k, exercise);
        }
        if (is_there(zones, k) && sight->load_count > 0) {
            check_loads(zones, sight, k, exercise);
        }
    }
    for (int k = 0; k < sight->truck_count; k++) {
        check_truck(zones, sight, k, reached, exercise);
    }
    for (int k = 0; k < PERSONS; k++) {
        if (is_there(zones, k) && !reached[k]) {
            (void)event_spell_begins(&zones->run[k], false, 0.0, sight->dt);
        }
    }
}

bool zones_walker(const Zones *zones, Vec3 *feet)
{
    *feet = zones->feet[WALKER];
    return zones->walker.there != 0;
}

void zones_visit(Zones *zones, StateVisitor *visitor)
{
    if (!zones->has_state) {
        return;
    }
    event_spells_visit(zones->hit, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->entered, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->passed, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->run, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->cab, SCENE_MAX_TRUCKS, visitor);
    event_spells_visit(zones->knocked, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->crowded, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->under, SCENE_MAX_PERSONS, visitor);
}

void zones_visit_walker(Zones *zones, const Soil *soil, StateVisitor *visitor)
{
    walk_in_visit(&zones->walker, visitor);
    if (visitor->measuring || zones->walker.there) {
        event_spells_visit(&zones->hit[WALKER], 1, visitor);
        event_spells_visit(&zones->entered[WALKER], 1, visitor);
        event_spells_visit(&zones->passed[WALKER], 1, visitor);
        event_spells_visit(&zones->run[WALKER], 1, visitor);
        event_spells_visit(&zones->knocked[WALKER], 1, visitor);
        event_spells_visit(&zones->crowded[WALKER], 1, visitor);
        event_spells_visit(&zones->under[WALKER], 1, visitor);
    }
    if (visitor->restoring && !visitor->failed && zones->walker.there) {
        place_walker(zones, soil);
    }
}
