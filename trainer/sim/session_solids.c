/// Things made of a scene's fixtures and trucks, the machine's touches of them in each substep, and the events that
/// follow.
#include "trainer/sim/session_solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/scene_site.h"
#include "trainer/sim/events.h"

/// Coulomb's friction of painted and worn steel on concrete and steel. Chosen within what handbooks give (0.3 to 0.5).
#define SOLID_FRICTION 0.4
/// s for which the whole machine has to be clear of a thing before it can meet it anew. Chosen: an arm that rocks
/// against a wall has met it once
#define CLEAR_TIME 1.0
/// s without a touch after which the next one is another blow, and s that a blow is waited for: what presses on for
/// longer is reported up to there, and counted as another. Chosen: steel on steel is stopped within 0.05 s
#define BLOW_APART 0.1
#define BLOW_LASTS 0.25
/// m/s at which two things come nearer where one strikes the other. Chosen: between an edge that is pressed on (0.01)
/// and one that is set down carefully (0.1)
#define STRIKES 0.05
/// Ticks are not counted beyond.
#define LONG_CLEAR 1000000
/// m: what is not there lies so deep.
#define FAR_BELOW 1000.0

enum { MOST_THINGS = SCENE_MAX_FIXTURES + SCENE_MAX_TRUCKS * TRUCK_SOLIDS + SCENE_MAX_LOADS };

/// A box of a truck.
typedef struct TruckBox {
    int truck; ///< its number
    TruckSolid solid;
    SolidThing shape; ///< in the frame of the bed or the chassis
    Pose placed; ///< where its thing is now
    Vec3 hinge, tipping; ///< m; rad/s: of a box on a bed that turns on its chassis
} TruckBox;

/// What a body had to do with a thing in this tick.
typedef struct Meeting {
    int part; ///< of the first touch
    double speed; ///< m/s: the fastest
    double impulse; ///< N s
    double energy; ///< J that the touches took up
    Vec3 point; ///< m: of the first touch
    bool met;
} Meeting;

/// Touches of one thing, from the first to the last before the machine was clear of it, and the blow of them that goes
/// on. A truck is one thing.
typedef struct TouchSpell {
#define F(type, name, low, high, unit) type name;
    TOUCH_SPELL_FIELDS(F)
#undef F
} TouchSpell;

struct SessionSolids {
    int fixture_count, box_count, count;
    SolidThing thing[MOST_THINGS]; ///< fixtures, then the trucks' boxes, then loads
    EventThing called[MOST_THINGS];
    TruckBox box[SCENE_MAX_TRUCKS * TRUCK_SOLIDS];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    Vec3 before[MACHINE_MAX_TOUCHES]; ///< m/s: of the machine's steel over the thing, before the substep
    int touch_count;
    Meeting meeting[MOST_THINGS][MACHINE_MAX_BODIES];
    double deepest; ///< m, in this tick
    bool lies[SCENE_MAX_FIXTURES]; ///< the fixture's thing is made as it lies
    int blow_count;
    SolidBlow blows[MOST_THINGS]; ///< that ended in this tick
    /// State.
    TouchSpell spell[MOST_THINGS]; ///< by group_of
};

/// ---- things --------------------------------------------------------------------------------------------------------

/// Makes the thing of a fixture as it stands, or as it lies after its fall.
static void set_fixture(SessionSolids *self, const SceneParams *scene, int index, const ThingDamage *damage)
{
    bool lies = damage->worst == DAMAGE_WRECKED;
    const SceneFixture *fixture = &scene->fixtures[index];
    SceneFixture now = lies ? scene_fixture_lying(fixture, damage->heading) : *fixture;
    Vec3 points[SCENE_FIXTURE_MAX_POINTS];
    const char *reason;
    int count = scene_fixture_points(&now, points);
    (void)solid_thing_make(points, count, SOLID_FRICTION, &self->thing[index], &reason); // as it could at the start
    self->lies[index] = lies;
}

static bool make_fixtures(SessionSolids *self, const SceneParams *scene, Status *status)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        Vec3 points[SCENE_FIXTURE_MAX_POINTS];
        const char *reason;
        int count = scene_fixture_points(&scene->fixtures[k], points);
        if (!solid_thing_make(points, count, SOLID_FRICTION, &self->thing[k], &reason)) {
            return status_fail(status, STATUS_BAD_FILE, "fixtures.%d (%s): %s", k, scene->fixtures[k].name, reason);
        }
        self->called[k] = event_thing(THING_FIXTURE, k, scene->fixtures[k].name);
    }
    self->fixture_count = self->count = scene->fixtures_count;
    return true;
}

/// Velocity, m/s, that a point of a box has on its chassis because the bed tips.
static Vec3 tipping_velocity(const TruckBox *box, Vec3 at)
{
    return vec3_cross(box->tipping, vec3_sub(at, box->hinge));
}

/// Puts a box where its truck has it.
static void put_box(SessionSolids *self, int index, const SessionTruckMotion *motion, bool tail_open)
{
    TruckBox *box = &self->box[index];
    SolidThing *thing = &self->thing[self->fixture_count + index];
    Pose pose = box->solid.on_bed ? motion->bed : motion->chassis;
    pose.position.z -= box->solid.tail && tail_open ? FAR_BELOW : 0.0;
    if (memcmp(&pose, &box->placed, sizeof pose) != 0) {
        solid_thing_place(&box->shape, &pose, thing);
        box->placed = pose;
    }
    Vec3 arm = vec3_sub(thing->center, motion->chassis.position);
    box->hinge = motion->hinge;
    box->tipping = box->solid.on_bed ? motion->tipping : vec3(0.0, 0.0, 0.0);
    thing->velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, arm));
    thing->velocity = vec3_add(thing->velocity, tipping_velocity(box, thing->center));
    thing->spin = vec3_add(motion->spin, box->tipping);
}

/// Puts all boxes to where they are `elapsed` of the way through a tick of `dt` s. A truck's boxes stand together.
static void put_boxes(SessionSolids *self, const SessionTrucks *trucks, double elapsed, double dt)
{
    SessionTruckMotion motion = {.spin = {0.0, 0.0, 0.0}};
    bool tail_open = false;
    for (int k = 0, truck = -1; k < self->box_count; k++) {
        if (self->box[k].truck != truck) {
            truck = self->box[k].truck;
            motion = session_trucks_motion(trucks, truck, elapsed, dt);
            tail_open = truck_tail_open(session_trucks_state(trucks, truck));
        }
        put_box(self, k, &motion, tail_open);
    }
}

static void make_box(const TruckSolid *solid, SolidThing *thing)
{
    const Vec3 low = solid->low, high = solid->high;
    Vec3 corners[8];
    for (int k = 0; k < 8; k++) {
        corners[k] = vec3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
    }
    const char *reason;
    (void)solid_thing_make(corners, 8, SOLID_FRICTION, thing, &reason); // eight corners of a box make a solid
}

static void add_trucks(SessionSolids *self, const SceneParams *scene, const SessionTrucks *trucks)
{
    TruckParams params = scene_truck_shape(scene);
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(&params, solids);
    for (int k = 0; k < session_trucks_count(trucks) * TRUCK_SOLIDS; k++) {
        TruckBox *box = &self->box[self->count - self->fixture_count];
        *box = (TruckBox){.truck = k / TRUCK_SOLIDS, .solid = solids[k % TRUCK_SOLIDS]};
        make_box(&box->solid, &box->shape);
        self->thing[self->count] = box->shape;
        self->thing[self->count].mover = 1 + box->truck;
        self->called[self->count] = event_thing(THING_TRUCK_PART, box->truck, box->solid.name);
        self->count++;
        self->box_count++;
    }
}

static void add_loads(SessionSolids *self, const SceneParams *scene, const SessionLoads *loads)
{
    for (int k = 0; k < session_loads_count(loads); k++) {
        self->called[self->count] = event_thing(THING_HUNG_LOAD, k, scene->exercise.loads[k].name);
        self->count++;
    }
}

/// Puts the loads to where they are now.
static void put_loads(SessionSolids *self, const SessionLoads *loads)
{
    for (int k = 0; k < session_loads_count(loads); k++) {
        SolidThing *thing = &self->thing[self->fixture_count + self->box_count + k];
        *thing = *session_loads_thing(loads, k);
        thing->mover = 1 + SCENE_MAX_TRUCKS + k;
    }
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Says in which thing the machine starts.
static bool check_start(SessionSolids *self, const SessionTrucks *trucks, const SessionLoads *loads,
                        const Machine *machine, const MachineState *state, Status *status)
{
    int count;
    const MachineTouch *touch = session_solids_find(self, trucks, loads, 0.0, 0.0, machine, state, &count);
    if (count == 0) {
        return true;
    }
    char place[32] = "exercise.truck", name[EVENT_TEXT];
    event_thing_text(&self->called[touch->thing], &reader_of_files, name);
    if (touch->thing < self->fixture_count) {
        snprintf(place, sizeof place, "fixtures.%d", touch->thing);
    } else if (touch->thing >= self->fixture_count + self->box_count) {
        snprintf(place, sizeof place, "exercise.loads.%d", touch->thing - self->fixture_count - self->box_count);
    }
    return status_fail(status, STATUS_BAD_FILE,
                       "%s (%s): the machine starts in it: its %s reaches %.3g m into it at %.4g, %.4g, %.4g", place,
                       name, machine_part_name(machine, touch->part), touch->depth, touch->point.x, touch->point.y,
                       touch->point.z);
}

bool session_solids_create(const SceneParams *scene, const SessionTrucks *trucks, const SessionLoads *loads,
                           const Machine *machine, const MachineState *state, SessionSolids **solids, Status *status)
{
    *solids = NULL;
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    if (scene->fixtures_count == 0 && !truck && loads == NULL && scene->exercise.tools_count == 0) {
        return true;
    }
    SessionSolids *self = calloc(1, sizeof *self);
    *solids = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for what stands on the site");
    }
    for (int k = 0; k < MOST_THINGS; k++) {
        self->spell[k].clear = LONG_CLEAR;
    }
    if (!make_fixtures(self, scene, status)) {
        return false;
    }
    if (truck) {
        add_trucks(self, scene, trucks);
    }
    add_loads(self, scene, loads);
    return check_start(self, trucks, loads, machine, state, status);
}

void session_solids_destroy(SessionSolids *solids)
{
    free(solids);
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

void session_solids_begin_tick(SessionSolids *solids, const SceneParams *scene, const SiteDamage *damage)
{
    if (solids == NULL) {
        return;
    }
    solids->deepest = 0.0;
    for (int k = 0; k < solids->fixture_count; k++) {
        if (solids->lies[k] != (damage->fixture[k].worst == DAMAGE_WRECKED)) {
            set_fixture(solids, scene, k, &damage->fixture[k]);
        }
    }
}

/// Velocity, m/s, of a thing where something touches it.
static Vec3 thing_velocity(const SolidThing *thing, Vec3 at)
{
    return vec3_add(thing->velocity, vec3_cross(thing->spin, vec3_sub(at, thing->center)));
}

/// Velocity, m/s, of the machine's steel where it touches something.
static Vec3 steel_velocity(const Machine *machine, const MachineState *state, const MachineTouch *touch)
{
    RigidMotion motion;
    machine_get_body(machine, state, touch->body, &motion);
    return vec3_add(motion.velocity, vec3_cross(motion.spin, vec3_sub(touch->point, motion.center)));
}

MachineTouch *session_solids_find(SessionSolids *solids, const SessionTrucks *trucks, const SessionLoads *loads,
                                  double elapsed, double dt, const Machine *machine, const MachineState *state,
                                  int *count)
{
    if (solids == NULL) {
        *count = 0;
        return NULL;
    }
    put_boxes(solids, trucks, elapsed, dt);
    put_loads(solids, loads);
    solids->touch_count = machine_find_touches(machine, state, solids->thing, solids->count, solids->touches);
    for (int k = 0; k < solids->touch_count; k++) {
        const MachineTouch *touch = &solids->touches[k];
        solids->before[k] =
            vec3_sub(steel_velocity(machine, state, touch), thing_velocity(&solids->thing[touch->thing], touch->point));
    }
    *count = solids->touch_count;
    return solids->touches;
}

/// The same, of a body that gave way.
static Vec3 mover_velocity(const MachineBodyState *body, Vec3 at)
{
    Vec3 center = vec3(body->position[0], body->position[1], body->position[2]);
    Vec3 velocity = vec3(body->velocity[0], body->velocity[1], body->velocity[2]);
    return vec3_add(velocity, vec3_cross(vec3(body->spin[0], body->spin[1], body->spin[2]), vec3_sub(at, center)));
}

/// What a touch takes out of machine and mover in a substep of h s: the work of an impulse J on a point is J times the
/// mean of the point's velocities before and after it (Thomson and Tait, Treatise on Natural Philosophy, 1867, section
/// 308). That is m v^2 / 2 of a free body of mass m that is stopped; of a machine m is what arm, drives and tracks make
/// it there. Where they do not come nearer it is taken along the normal alone: an edge that is drawn along a thing rubs
/// on it, and strikes nothing.
void session_solids_add_touches(SessionSolids *solids, const Machine *machine, const MachineState *state,
                                const MachineMover movers[SESSION_MOVERS], double h)
{
    for (int k = 0; solids != NULL && k < solids->touch_count; k++) {
        const MachineTouch *touch = &solids->touches[k];
        Meeting *meeting = &solids->meeting[touch->thing][touch->body];
        if (!meeting->met) {
            *meeting = (Meeting){.part = touch->part, .point = touch->point, .met = true};
        }
        meeting->speed = fmax(meeting->speed, touch->speed);
        solids->deepest = fmax(solids->deepest, touch->depth);
        meeting->impulse += vec3_length(touch->force) * h;
        Vec3 thing = thing_velocity(&solids->thing[touch->thing], touch->point);
        if (touch->mover > 0 && movers[touch->mover - 1].mass > 0.0) {
            thing = mover_velocity(&movers[touch->mover - 1].body, touch->point);
            int box = touch->thing - solids->fixture_count;
            if (box < solids->box_count) {
                thing = vec3_add(thing, tipping_velocity(&solids->box[box], touch->point));
            }
        }
        Vec3 after = vec3_sub(steel_velocity(machine, state, touch), thing);
        Vec3 way = vec3_add(solids->before[k], after);
        bool strikes = vec3_dot(touch->normal, solids->before[k]) < -STRIKES;
        Vec3 along = vec3_scale(touch->normal, vec3_dot(touch->normal, way));
        meeting->energy -= 0.5 * h * vec3_dot(touch->force, strikes ? way : along);
    }
}

double session_solids_deepest(const SessionSolids *solids)
{
    return solids != NULL ? solids->deepest : 0.0;
}

/// Where the touches of a thing are counted: fixtures and loads each for themselves, a truck's boxes together.
static int group_of(const SessionSolids *solids, int thing)
{
    int box = thing - solids->fixture_count;
    return box < 0 || box >= solids->box_count ? thing : solids->fixture_count + TRUCK_SOLIDS * solids->box[box].truck;
}

/// Keeps a blow that has ended for those that ask what it did.
static void keep_blow(SessionSolids *solids, const TouchSpell *spell, const ExerciseEvent *event, double dt)
{
    int box = spell->thing - solids->fixture_count;
    int touched = spell->lasts - 1 - spell->clear; // ticks
    solids->blows[solids->blow_count++] =
        (SolidBlow){.fixture = box < 0 ? spell->thing : -1,
                    .truck = box >= 0 && box < solids->box_count ? solids->box[box].truck : -1,
                    .part = event->part,
                    .thing = event->thing,
                    .at = vec3(spell->x, spell->y, spell->z),
                    .speed = spell->speed,
                    .energy = spell->energy,
                    .force = spell->impulse / (dt * (touched > 1 ? touched : 1))};
}

const SolidBlow *session_solids_blows(const SessionSolids *solids, int *count)
{
    *count = solids != NULL ? solids->blow_count : 0;
    return solids != NULL ? solids->blows : NULL;
}

static void report_blow(SessionSolids *solids, TouchSpell *spell, const Machine *machine, int64_t tick, double dt,
                        Exercise *exercise)
{
    ExerciseEvent event = {.tick = tick,
                           .number = {.x = spell->x,
                                      .y = spell->y,
                                      .z = spell->z,
                                      .speed = spell->speed,
                                      .impulse = spell->impulse,
                                      .energy = spell->energy}};
    bool known = spell->part < machine_part_count(machine); // not where a state of another machine was restored
    event.part = event_thing(THING_PART, 0, known ? machine_part_name(machine, spell->part) : "");
    event.thing = solids->called[spell->thing];
    keep_blow(solids, spell, &event, dt);
    if (!spell->told || exercise_scores_touch(exercise, &event)) {
        exercise_report(exercise, INCIDENT_TOUCH, &event);
        spell->told = 1;
    }
}

/// What the machine had to do with a group of things in this tick: the hardest of its touches, and their sum.
typedef struct GroupMeeting {
    const Meeting *hardest; ///< NULL: none
    int thing; ///< of the hardest
    double energy; ///< J of all
} GroupMeeting;

static GroupMeeting meet_group(const SessionSolids *solids, int group)
{
    GroupMeeting met = {.thing = group};
    for (int k = group; k < solids->count; k++) {
        for (int body = 0; group_of(solids, k) == group && body < MACHINE_MAX_BODIES; body++) {
            const Meeting *meeting = &solids->meeting[k][body];
            if (meeting->met) {
                met.energy += fmax(0.0, meeting->energy);
                if (met.hardest == NULL || meeting->energy > met.hardest->energy) {
                    met.hardest = meeting;
                    met.thing = k;
                }
            }
        }
    }
    return met;
}

/// Adds the touch of a tick to the blow under way, or begins one with it.
static void add_meeting(TouchSpell *spell, const GroupMeeting *met, double dt)
{
    if (spell->lasts == 0) {
        *spell = (TouchSpell){.told = spell->clear * dt < CLEAR_TIME ? spell->told : 0,
                              .lasts = 1,
                              .part = met->hardest->part,
                              .thing = met->thing,
                              .x = met->hardest->point.x,
                              .y = met->hardest->point.y,
                              .z = met->hardest->point.z};
    }
    spell->clear = 0;
    spell->speed = fmax(spell->speed, met->hardest->speed);
    spell->impulse += met->hardest->impulse;
    spell->energy += met->energy;
}

void session_solids_end_tick(SessionSolids *solids, const Machine *machine, int64_t tick, double dt, Exercise *exercise)
{
    if (solids != NULL) {
        solids->blow_count = 0;
    }
    for (int k = 0; solids != NULL && k < solids->count; k++) {
        if (group_of(solids, k) != k) {
            continue;
        }
        TouchSpell *spell = &solids->spell[k];
        GroupMeeting met = meet_group(solids, k);
        if (met.hardest != NULL) {
            add_meeting(spell, &met, dt);
        } else {
            spell->clear += spell->clear < LONG_CLEAR;
        }
        spell->lasts += spell->lasts > 0;
        if (spell->lasts > 0 && (spell->clear * dt >= BLOW_APART || (spell->lasts - 1) * dt >= BLOW_LASTS)) {
            report_blow(solids, spell, machine, tick, dt, exercise);
            spell->lasts = 0;
        }
    }
    if (solids != NULL) {
        memset(solids->meeting, 0, sizeof solids->meeting);
    }
}

int session_solids_count(const SessionSolids *solids)
{
    return solids != NULL ? solids->count : 0;
}

const SolidThing *session_solids_thing(const SessionSolids *solids, int k)
{
    return &solids->thing[k];
}

const EventThing *session_solids_called(const SessionSolids *solids, int k)
{
    return &solids->called[k];
}

void session_solids_visit(SessionSolids *solids, StateVisitor *visitor)
{
    for (int k = 0; solids != NULL && k < MOST_THINGS; k++) {
        TouchSpell *spell = &solids->spell[k];
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "solids.spell." #name, spell->name);
        TOUCH_SPELL_FIELDS(F)
#undef F
        bool good = spell->clear >= 0 && spell->clear <= LONG_CLEAR && spell->lasts >= 0 && spell->part >= 0 &&
                    spell->thing >= 0 && spell->thing < MOST_THINGS && isfinite(spell->energy) &&
                    isfinite(spell->impulse) && isfinite(spell->speed);
        if (visitor->restoring && !good) {
            *spell = (TouchSpell){.clear = LONG_CLEAR};
            visitor->failed = true;
        }
    }
}
