/// Persons on the site: the walker, the persons of the scene, and the zones around persons and cabs. Bodies, zones and
/// the air above them are prisms that only report; what of the machine is in them is found as touches are
/// (machine/solids.h).
#include "trainer/sim/persons.h"

#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_site.h"
#include "machine/lifting.h"
#include "machine/solids.h"
#include "machine/truck.h"
#include "trainer/sim/banksman.h"
#include "trainer/sim/falling_soil.h"
#include "trainer/sim/slinger.h"

/// ---- the walker ----------------------------------------------------------------------------------------------------

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
    double x = sight->base.x - walker->x, y = sight->base.y - walker->y, length = same_hypot(x, y),
           step = PERSON_PACE * dt;
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

/// Goes to the next corner of his way, as far as that is free and he is not near enough.
static void walk_round(WalkIn *walker, const WalkSight *sight, const SoilGridView *grid, double dt)
{
    int held = walk_round_holds(&sight->round, walker->x, walker->y);
    Vec3 from = vec3(walker->x, walker->y, 0.0), end = sight->base;
    if (held < 0 && sight->stop == 0.0 && !find_exit(walker, sight, grid, &end)) {
        walker->there = 0;
        return;
    }
    double left = sight->stop > 0.0 && held < 0 ? same_hypot(end.x - from.x, end.y - from.y) - sight->stop : HUGE_VAL;
    Vec3 next = walk_round_step(&sight->round, from, end.x, end.y, fmin(PERSON_PACE * dt, left));
    walker->x = next.x;
    walker->y = next.y;
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
#define STEEL_HURTS   0.02 ///< m/s: slower steel stands still for a person who walks. Chosen
#define ROCK_HURTS    1.0 ///< m/s: a slower rock pushes a person aside. Chosen
#define LOAD_HURTS    1.0 ///< m/s: so of a load off the hook that falls or rolls. Chosen
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
    SolidThing guard[PERSONS]; ///< what the person keeps clear of
    TruckSolid truck[TRUCK_SOLIDS];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    /// State.
    EventSpell hit[PERSONS], entered[PERSONS], passed[PERSONS], run[PERSONS];
    EventSpell cab[SCENE_MAX_TRUCKS];
    EventSpell knocked[PERSONS], crowded[PERSONS], under[PERSONS]; ///< by loads
    EventSpell stoned[PERSONS]; ///< by rocks
    EventSpell soiled[PERSONS]; ///< by soil that falls
    EventSpell ignored, endangered; ///< signals, and the slinger
    PersonState state[SCENE_MAX_PERSONS];
    WalkIn walker;
    bool hooks; ///< in the last tick: no state
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

/// The person of a role; WALKER: there is none.
static int find_role(const Zones *self, ScenePersonRole role)
{
    for (int k = 0; k < self->person_count; k++) {
        if (self->person[k].role == role) {
            return k;
        }
    }
    return WALKER;
}

/// Where a person stands, and what is to be kept clear there.
static void place_person(Zones *self, int index, Vec3 feet)
{
    const ScenePerson *person = &self->person[index];
    self->feet[index] = feet;
    make_capsule(feet, person->radius, person->height, &self->body[index]);
    double column = person->zone > 0.0 ? person->zone : person->radius + ARM_REACH;
    make_prism(feet, column, 0.5 * person->height, SKY, &self->column[index]);
    if (person->keeps_clear > 0.0) {
        make_prism(feet, person->keeps_clear, -DEPTH, SKY, &self->guard[index]);
    }
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
        double facing = same_atan2(scene->machine.y - person->y, scene->machine.x - person->x);
        Vec3 feet = vec3(person->x, person->y, soil_get_height(soil, person->x, person->y));
        person_start(feet, facing, &self->state[k]);
        place_person(self, k, feet);
    }
    self->person[WALKER] = (ScenePerson){.name = WALK_IN_NAME,
                                         .radius = WALKER_RADIUS,
                                         .height = WALKER_HEIGHT,
                                         .zone = WALKER_ZONE,
                                         .soil_energy = SCENE_SOIL_HURTS};
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

const PersonState *zones_person(const Zones *zones, int person)
{
    return &zones->state[person];
}

bool zones_slinger_hooks(const Zones *zones)
{
    return zones->hooks;
}

bool zones_is_attended(const Zones *zones)
{
    int slinger = find_role(zones, SCENE_ROLE_SLINGER);
    return slinger < WALKER && zones->state[slinger].attends != 0;
}

bool zones_stops(const Zones *zones)
{
    int banksman = find_role(zones, SCENE_ROLE_BANKSMAN);
    const PersonState *state = &zones->state[banksman];
    return banksman < WALKER && state->to_truck == 0 && (state->signal == ARM_STOP || state->signal == ARM_DANGER);
}

/// Persons of the scene always exist, the walker at times.
static bool is_there(const Zones *self, int person)
{
    return person < self->person_count || (person == WALKER && self->walker.there);
}

/// A slinger at the load: machine and load have to be near, and may not move.
static bool is_at_work(const Zones *self, int person)
{
    return person < WALKER && self->state[person].attends != 0;
}

/// Who lies hurt is not hurt again.
static bool is_hurt(const Zones *self, int person)
{
    return person < WALKER && self->state[person].lies != 0;
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

/// Reports that a person was hit; a person of the scene lies from then on.
static void hurt(Zones *self, int index, const ExerciseEvent *event, Exercise *exercise)
{
    if (index < WALKER) {
        self->state[index].lies = 1;
        self->state[index].speed = 0.0;
        self->state[index].signal = ARM_NONE;
    }
    exercise_report(exercise, INCIDENT_PERSON_HIT, event);
}

/// A rock that moves reaches a person: the ball of its volume against the upright line of the body.
static void check_rocks(Zones *self, const IncidentSight *sight, int index, Exercise *exercise)
{
    const ScenePerson *person = &self->person[index];
    const Rocks *rocks = session_rocks_get(sight->rocks);
    ExerciseEvent event = {.tick = sight->tick, .form = EVENT_HIT_BY_ROCK, .thing = person_of(self, index)};
    bool hit = false;
    for (int k = 0; k < session_rocks_count(sight->rocks) && !hit; k++) {
        RockView view;
        if (!rocks_get(rocks, k, &view) || view.asleep) {
            continue;
        }
        Vec3 at = view.motion.frame.position, feet = self->feet[index];
        double over = fmax(feet.z, fmin(at.z, feet.z + person->height));
        double away = vec3_length(vec3_sub(at, vec3(feet.x, feet.y, over)));
        event.number.speed = vec3_length(view.motion.velocity);
        hit = away < person->radius + 0.5 * session_rocks_size(sight->rocks, k) && event.number.speed > ROCK_HURTS;
        event.number.x = at.x;
        event.number.y = at.y;
        event.number.z = at.z;
    }
    if (event_spell_begins(&self->stoned[index], hit, 0.0, sight->dt) && hit) {
        hurt(self, index, &event, exercise);
    }
}

/// Soil falls on a person: what of it is in the body at one moment, by its energy.
static void check_soil(Zones *self, const IncidentSight *sight, int index, Exercise *exercise)
{
    const ScenePerson *person = &self->person[index];
    FallingSoil soil = falling_soil_on(sight->soil, self->feet[index], person->radius, person->height);
    bool hit = soil.energy > person->soil_energy;
    if (event_spell_begins(&self->soiled[index], hit, 0.0, sight->dt) && hit) {
        ExerciseEvent event = {.tick = sight->tick,
                               .form = EVENT_HIT_BY_SOIL,
                               .thing = person_of(self, index),
                               .number = {.x = soil.middle.x,
                                          .y = soil.middle.y,
                                          .z = soil.middle.z,
                                          .load = soil.mass,
                                          .speed = sqrt(2.0 * soil.energy / soil.mass)}};
        hurt(self, index, &event, exercise);
    }
}

/// A person whom nothing moves stands all the time.
static bool is_lively(const ScenePerson *person)
{
    return person->role != SCENE_ROLE_NONE || person->keeps_clear > 0.0 || person->path.points_count > 0;
}

static void check_person(Zones *self, const IncidentSight *sight, int index, Exercise *exercise)
{
    const ScenePerson *person = &self->person[index];
    const MachineTouch *touch = find_touch(self, sight, &self->body[index], false);
    bool hit = touch != NULL && (touch->speed > STEEL_HURTS || !is_lively(person)); // not one who walks into it
    if (event_spell_begins(&self->hit[index], hit, 0.0, sight->dt) && hit) {
        ExerciseEvent event = event_of(sight, touch, person_of(self, index));
        hurt(self, index, &event, exercise);
    }
    check_rocks(self, sight, index, exercise);
    check_soil(self, sight, index, exercise);
    if (person->zone <= 0.0 || is_at_work(self, index)) {
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
        bool stands = is_there(self, k) && !is_hurt(self, k);
        const char *solid = stands ? solid_in_person(self, vehicle, k) : NULL;
        reached[k] = reached[k] || solid != NULL;
        if (solid != NULL && event_spell_begins(&self->run[k], true, 0.0, sight->dt)) {
            Vec3 at = self->feet[k];
            ExerciseEvent event = {.tick = sight->tick,
                                   .number = {.x = at.x, .y = at.y, .z = at.z, .speed = vehicle->speed}};
            event.part = event_thing(THING_TRUCK_PART, truck, solid);
            event.thing = person_of(self, k);
            hurt(self, k, &event, exercise);
        }
    }
}

/// ---- loads on slings -----------------------------------------------------------------------------------------------

/// Reports once what a load that moves, or hangs, does to a person.
static void report_load(Zones *self, const IncidentSight *sight, const IncidentLoad *load, int person,
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
    if (incident == INCIDENT_PERSON_HIT) {
        hurt(self, person, &event, exercise);
    } else {
        exercise_report(exercise, incident, &event);
    }
}

/// Of the loads that hang, or are faster than `least` m/s, the one that is in a thing; NULL: none.
static const IncidentLoad *load_in(const IncidentSight *sight, const SolidThing *thing, double least)
{
    const IncidentLoad *found = NULL;
    for (int k = 0; k < sight->load_count; k++) {
        const IncidentLoad *load = &sight->load[k];
        bool counts = load->hangs || vec3_length(load->thing->velocity) > least;
        found = counts && solid_things_overlap(load->thing, thing) ? load : found;
    }
    return found;
}

static void check_loads(Zones *self, const IncidentSight *sight, int person, Exercise *exercise)
{
    const IncidentLoad *hits = load_in(sight, &self->body[person], LOAD_HURTS);
    const IncidentLoad *over = load_in(sight, &self->column[person], HUGE_VAL);
    bool zone = self->person[person].zone > 0.0;
    const IncidentLoad *near = zone ? load_in(sight, &self->zone[person], HUGE_VAL) : NULL;
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
                                      self->knocked, self->crowded, self->under,  self->stoned};
        for (size_t k = 0; k < sizeof spells / sizeof spells[0]; k++) {
            spells[k][WALKER] = (EventSpell){0};
        }
    }
}

/// ---- the scene's persons -------------------------------------------------------------------------------------------

#define MACHINE_RESTS 0.03 ///< rad/s of joints and m/s of belts, as that of session.c: slower is still
#define MACHINE_WORKS 0.10 ///< rad/s and m/s: faster is work. Chosen: an arm that settles is slower
#define LOAD_MOVES    0.30 ///< m/s: a load that is faster is no longer lying or hanging still. Chosen
#define COMES_NEAR    1.0 ///< m beyond zone and tail at which a banksman stops the machine for one who walks. Chosen
#define TRUCK_MOVES   0.15 ///< m/s
#define GUIDES        25.0 ///< m: trucks that are nearer are guided by the banksman

/// rad/s or m/s of the fastest joint or belt.
static double machine_pace(const IncidentSight *sight)
{
    double pace = fmax(fabs(sight->state->track_speed[0]), fabs(sight->state->track_speed[1]));
    for (int k = 0; k < machine_params(sight->machine)->joint_count; k++) {
        pace = fmax(pace, fabs(sight->readout->speed[k]));
    }
    return pace;
}

/// What persons walk among in this tick, but for the person's own things.
static PersonSight common_sight(const IncidentSight *sight, const WalkRound *round)
{
    SoilGridView grid = soil_get_grid(sight->soil);
    return (PersonSight){.round = round,
                         .low = {grid.origin_x + MARGIN, grid.origin_y + MARGIN},
                         .high = {grid.origin_x + (grid.columns - 1) * grid.spacing - MARGIN,
                                  grid.origin_y + (grid.rows - 1) * grid.spacing - MARGIN},
                         .time = (double)sight->tick * sight->dt,
                         .dt = sight->dt,
                         .watched = sight->readout->base};
}

/// Fills what has come nearer than a person keeps clear.
static void look_round(Zones *self, const IncidentSight *sight, int index, PersonSight *person)
{
    if (person->person->keeps_clear <= 0.0) {
        return;
    }
    const MachineTouch *touch = find_touch(self, sight, &self->guard[index], false);
    const IncidentLoad *load = load_in(sight, &self->guard[index], HUGE_VAL);
    person->near = touch != NULL || load != NULL;
    person->from = load != NULL ? load->middle : touch != NULL ? touch->point : vec3(0.0, 0.0, 0.0);
}

/// The load that a slinger has to do with: called for, on the hook, or else the nearest; NULL: there is none.
static const IncidentLoad *load_of_slinger(const IncidentSight *sight, const PersonState *state)
{
    const IncidentLoad *found = NULL;
    double least = HUGE_VAL;
    for (int k = 0; k < sight->load_count; k++) {
        const IncidentLoad *load = &sight->load[k];
        double far = same_hypot(load->middle.x - state->x, load->middle.y - state->y);
        far -= load->called ? 2e4 : load->hooked ? 1e4 : 0.0;
        found = far < least ? load : found;
        least = fmin(least, far);
    }
    return found;
}

static void report_endangered(Zones *self, const IncidentSight *sight, int index, const IncidentLoad *load,
                              Exercise *exercise)
{
    bool works = machine_pace(sight) > MACHINE_WORKS;
    bool moves = works || vec3_length(load->thing->velocity) > LOAD_MOVES;
    moves = moves && self->state[index].attends != 0;
    if (event_spell_begins(&self->endangered, moves, 0.0, sight->dt) && moves) {
        Vec3 at = self->feet[index];
        ExerciseEvent event = {.tick = sight->tick,
                               .form = works ? EVENT_MOVED_MACHINE : EVENT_MOVED_LOAD,
                               .number = {.x = at.x, .y = at.y, .z = at.z}};
        event.thing = person_of(self, index);
        event.part = works ? event_thing(THING_NOTHING, 0, "")
                           : event_thing(THING_HUNG_LOAD, (int)(load - sight->load), load->name);
        exercise_report(exercise, INCIDENT_SLINGER_ENDANGERED, &event);
    }
}

/// A tick of the slinger: with a task, or as any person.
static void tick_slinger(Zones *self, const IncidentSight *sight, int index, PersonSight *person, Exercise *exercise)
{
    PersonState *state = &self->state[index];
    const IncidentLoad *load = load_of_slinger(sight, state);
    const SceneLoad *asked = &sight->scene->exercise.loads[load - sight->load];
    bool rests = machine_pace(sight) < MACHINE_RESTS && vec3_length(load->thing->velocity) < LOAD_MOVES;
    SlingerSight slinger = {.called = load->called,
                            .rests = rests,
                            .middle = load->middle,
                            .heading = load->heading,
                            .half_length = 0.5 * asked->pipe.length,
                            .radius = asked->pipe.radius,
                            .eye = machine_get_eye(sight->machine, sight->state).point};
    if (state->task == SLINGER_WAITS && !load->called) {
        look_round(self, sight, index, person);
        person_tick(state, person);
    } else {
        self->hooks = slinger_tick(state, person, &slinger);
    }
    person_signal(state, state->task == SLINGER_WORKS ? ARM_WORK : ARM_NONE, false, sight->dt);
    state->attends = slinger_is_near(state, person->person, &slinger);
    report_endangered(self, sight, index, load, exercise);
}

/// The next load for the banksman: on the hook, else the first that does not lie at its place.
static BanksmanLift find_lift(const IncidentSight *sight)
{
    BanksmanLift lift = {.eye = machine_get_eye(sight->machine, sight->state).point};
    for (int k = 0; k < sight->load_count; k++) {
        const IncidentLoad *load = &sight->load[k];
        const SceneLoad *asked = &sight->scene->exercise.loads[k];
        double off = same_hypot(load->middle.x - asked->place.x, load->middle.y - asked->place.y);
        bool open = asked->place.within > 0.0 && (load->hooked || off > asked->place.within);
        if (!open || (lift.wanted && !load->hooked)) {
            continue;
        }
        double half = 0.5 * asked->pipe.spread, leg = asked->pipe.sling;
        lift.wanted = true;
        lift.hooked = load->hooked;
        lift.hangs = load->hangs;
        lift.called = load->called;
        lift.middle = load->middle;
        lift.reach = sqrt(leg * leg - half * half) + asked->pipe.radius;
        lift.clear = load->middle.z - asked->pipe.radius - soil_get_height(sight->soil, load->middle.x, load->middle.y);
        lift.place[0] = asked->place.x;
        lift.place[1] = asked->place.y;
        lift.within = asked->place.within;
        lift.swing = vec3_length(load->thing->velocity);
    }
    return lift;
}

/// True while machine or load are in a person's zone, or over it.
static bool is_in_danger(const Zones *self, int person)
{
    const EventSpell *const spells[] = {self->hit, self->entered, self->knocked, self->crowded, self->under};
    bool found = false;
    for (size_t k = 0; k < sizeof spells / sizeof spells[0]; k++) {
        found = found || (spells[k][person].held > 0 && spells[k][person].clear == 0);
    }
    return found;
}

/// Somebody is in reach of what moves (`danger`), or walks near to it (`stop`).
static void find_people_near(const Zones *self, const IncidentSight *sight, BanksmanSight *banksman)
{
    double tail = machine_params(sight->machine)->tail_radius;
    for (int k = 0; k < PERSONS; k++) {
        bool walks = k == WALKER || (k < self->person_count && person_is_under_way(&self->state[k], &self->person[k]));
        if (!is_there(self, k) || self->person[k].role != SCENE_ROLE_NONE) {
            continue;
        }
        Vec3 to = vec3_sub(self->feet[k], sight->readout->base);
        double near = tail + self->person[k].zone + COMES_NEAR;
        banksman->danger = banksman->danger || is_in_danger(self, k) || is_hurt(self, k);
        banksman->stop = banksman->stop || (walks && same_hypot(to.x, to.y) < near);
    }
}

static void find_truck(const PersonState *state, const IncidentSight *sight, BanksmanSight *banksman)
{
    double nearest = GUIDES;
    for (int k = 0; k < sight->truck_count; k++) {
        const IncidentTruck *truck = &sight->truck[k];
        Vec3 at = truck->chassis.position;
        double far = same_hypot(at.x - state->x, at.y - state->y);
        if (truck->spots && truck->speed > TRUCK_MOVES && far < nearest) {
            nearest = far;
            banksman->truck_moves = true;
            banksman->truck = at;
            banksman->truck_ahead = mat3_mul(&truck->chassis.rotation, vec3(-1.0, 0.0, 0.0)); // it backs
        }
    }
}

static void report_ignored(Zones *self, const IncidentSight *sight, int index, Exercise *exercise)
{
    const PersonState *state = &self->state[index];
    bool ignores = banksman_stops(state) && !zones_is_attended(self) && machine_pace(sight) > MACHINE_WORKS;
    if (event_spell_begins(&self->ignored, ignores, 0.0, sight->dt) && ignores) {
        Vec3 at = self->feet[index];
        ExerciseEvent event = {.tick = sight->tick,
                               .form = state->signal == ARM_DANGER ? EVENT_SIGNAL_DANGER : EVENT_SIGNAL_STOP,
                               .number = {.x = at.x, .y = at.y, .z = at.z}};
        event.thing = person_of(self, index);
        exercise_report(exercise, INCIDENT_SIGNAL_IGNORED, &event);
    }
}

static void tick_banksman(Zones *self, const IncidentSight *sight, int index, PersonSight *person, Exercise *exercise)
{
    PersonState *state = &self->state[index];
    look_round(self, sight, index, person);
    person_tick(state, person);
    BanksmanSight banksman = {.base = sight->readout->base,
                              .time = person->time,
                              .dt = sight->dt,
                              .stop = zones_is_attended(self),
                              .finished = exercise_is_finished(exercise),
                              .lift = find_lift(sight)};
    for (int k = 0; k < sight->load_count; k++) {
        banksman.has_lift = banksman.has_lift || sight->scene->exercise.loads[k].place.within > 0.0;
    }
    find_people_near(self, sight, &banksman);
    find_truck(state, sight, &banksman);
    banksman_tick(state, &banksman);
    report_ignored(self, sight, index, exercise);
}

/// Moves the persons of the scene. The banksman comes last and sees what the others do.
static void move_people(Zones *self, const IncidentSight *sight, Exercise *exercise)
{
    WalkRound round = {0};
    double values[METRIC_COUNT] = {0.0};
    bool lively = false, counts = false;
    for (int k = 0; k < self->person_count; k++) {
        lively = lively || is_lively(&self->person[k]);
        counts = counts || (self->person[k].path.when.least > 0.0 && self->state[k].begun == 0);
    }
    self->hooks = false;
    if (!lively) {
        return;
    }
    collect_obstacles(self, sight, &round);
    if (counts) {
        exercise_values(exercise, values);
    }
    PersonSight person = common_sight(sight, &round);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < self->person_count; k++) {
            PersonState *state = &self->state[k];
            double x = state->x, y = state->y;
            person.person = &self->person[k];
            person.figure = values[person.person->path.when.metric];
            person.near = false;
            bool banksman = person.person->role == SCENE_ROLE_BANKSMAN;
            if (state->lies != 0 || !is_lively(person.person) || banksman != (pass == 1)) {
                continue;
            }
            state->speed = 0.0;
            if (banksman) {
                tick_banksman(self, sight, k, &person, exercise);
            } else if (person.person->role == SCENE_ROLE_SLINGER) {
                tick_slinger(self, sight, k, &person, exercise);
            } else {
                look_round(self, sight, k, &person);
                person_tick(state, &person);
            }
            if (state->x != x || state->y != y) {
                state->z = soil_get_height(sight->soil, state->x, state->y);
                place_person(self, k, vec3(state->x, state->y, state->z));
            }
        }
    }
}

void zones_tick(Zones *zones, const IncidentSight *sight, double walks, WalkManner manner, Exercise *exercise)
{
    bool reached[PERSONS] = {false};
    move_walker(zones, sight, walks, manner);
    move_people(zones, sight, exercise);
    for (int k = 0; k < PERSONS; k++) {
        if (is_there(zones, k) && !is_hurt(zones, k)) {
            check_person(zones, sight, k, exercise);
        }
        if (is_there(zones, k) && !is_hurt(zones, k) && sight->load_count > 0) {
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

bool zones_find_person(const Zones *zones, int person, Vec3 *feet, EventThing *thing)
{
    if (!is_there(zones, person)) {
        return false;
    }
    *feet = zones->feet[person];
    *thing = person_of(zones, person);
    return true;
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
    event_spells_visit(zones->stoned, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(zones->soiled, SCENE_MAX_PERSONS, visitor);
    event_spells_visit(&zones->ignored, 1, visitor);
    event_spells_visit(&zones->endangered, 1, visitor);
    for (int k = 0; k < zones->person_count; k++) {
        person_visit(&zones->state[k], visitor);
        if (visitor->restoring && !visitor->failed) {
            place_person(zones, k, vec3(zones->state[k].x, zones->state[k].y, zones->state[k].z));
        }
    }
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
        event_spells_visit(&zones->stoned[WALKER], 1, visitor);
        event_spells_visit(&zones->soiled[WALKER], 1, visitor);
    }
    if (visitor->restoring && !visitor->failed && zones->walker.there) {
        place_walker(zones, soil);
    }
}
