/// Things made of a scene's fixtures and trucks, the machine's touches of them in each substep, and the events that
/// follow.
#include "trainer/session/session_solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/scene_fixture.h"

/// Coulomb's friction of painted and worn steel on concrete and steel. Chosen within what handbooks give (0.3 to 0.5).
#define SOLID_FRICTION 0.4
/// s for which a body has to be clear of a thing before it can meet it anew.
#define CLEAR_TIME 0.5
/// Ticks are not counted beyond.
#define LONG_CLEAR 1000000
/// m/s: a thing that is slower stands.
#define STANDS 1e-9
/// m: what is not there lies so deep.
#define FAR_BELOW 1000.0

enum { MOST_THINGS = SCENE_MAX_FIXTURES + SCENE_MAX_TRUCKS * TRUCK_SOLIDS };

/// A box of a truck, where it comes from and where it goes in the tick.
typedef struct TruckBox {
    int truck; ///< its number
    bool still; ///< of the bed that nobody drives: it never moves
    TruckSolid solid;
    Vec3 from[8], to[8]; ///< m, world: its corners
    bool absent; ///< the tail is open
    Vec3 placed[8]; ///< m: the corners that its thing has now
} TruckBox;

/// What a body had to do with a thing in this tick.
typedef struct Meeting {
    int part; ///< of the first touch
    double speed; ///< m/s: the fastest
    double impulse; ///< N s
    bool met;
} Meeting;

struct SessionSolids {
    int fixture_count, count;
    SolidThing thing[MOST_THINGS]; ///< fixtures, then the trucks' boxes
    char name[MOST_THINGS][40];
    TruckBox box[SCENE_MAX_TRUCKS * TRUCK_SOLIDS];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    int touch_count;
    Meeting meeting[MOST_THINGS][MACHINE_MAX_BODIES];
    double deepest; ///< m, in this tick
    /// State.
    int32_t clear[MOST_THINGS][MACHINE_MAX_BODIES]; ///< ticks since the last touch
};

/// ---- things --------------------------------------------------------------------------------------------------------

static bool make_fixtures(SessionSolids *self, const SceneParams *scene, Status *status)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        Vec3 points[SCENE_FIXTURE_MAX_POINTS];
        const char *reason;
        int count = scene_fixture_points(&scene->fixtures[k], points);
        if (!solid_thing_make(points, count, SOLID_FRICTION, &self->thing[k], &reason)) {
            return status_fail(status, STATUS_BAD_FILE, "scene %s: fixtures.%d (%s): %s", scene->name, k,
                               scene->fixtures[k].name, reason);
        }
        snprintf(self->name[k], sizeof self->name[k], "%s", scene->fixtures[k].name);
    }
    self->fixture_count = self->count = scene->fixtures_count;
    return true;
}

static void place_box(const TruckBox *box, const Pose *chassis, const Pose *bed, Vec3 corners[8])
{
    Vec3 low = box->solid.low, high = box->solid.high;
    for (int k = 0; k < 8; k++) {
        Vec3 local = vec3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
        corners[k] = pose_apply(box->solid.on_bed ? bed : chassis, local);
    }
}

/// The corners of each box in the tick: `end` 0 where it comes from, 1 where it goes. A truck's boxes stand together.
static void place_boxes(SessionSolids *self, const SessionTrucks *trucks, int end)
{
    SessionTruckLook look = {.rolled = 0.0};
    bool tail_open = false;
    for (int k = 0, truck = -1; k < self->count - self->fixture_count; k++) {
        TruckBox *box = &self->box[k];
        if (box->still) {
            continue;
        }
        if (box->truck != truck) {
            truck = box->truck;
            look = session_trucks_look(trucks, truck);
            tail_open = truck_tail_open(session_trucks_state(trucks, truck));
        }
        place_box(box, &look.chassis, &look.bed, end == 0 ? box->from : box->to);
        box->absent = box->solid.tail && tail_open;
    }
}

/// Puts a box where it is `elapsed` of the way through the tick.
static void put_box(SessionSolids *self, int index, double elapsed)
{
    TruckBox *box = &self->box[index];
    SolidThing *thing = &self->thing[self->fixture_count + index];
    Vec3 corners[8], velocity = thing->velocity;
    for (int k = 0; k < 8; k++) {
        corners[k] = vec3_madd(box->from[k], elapsed, vec3_sub(box->to[k], box->from[k]));
        corners[k].z -= box->absent ? FAR_BELOW : 0.0;
    }
    if (memcmp(corners, box->placed, sizeof corners) != 0) {
        const char *reason;
        (void)solid_thing_make(corners, 8, SOLID_FRICTION, thing, &reason); // eight corners of a box make a solid
        memcpy(box->placed, corners, sizeof corners);
        thing->velocity = velocity;
    }
}

static void add_truck(SessionSolids *self, const TruckParams *params, int truck, bool still, const Pose *chassis,
                      const Pose *bed)
{
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(params, solids);
    for (int k = 0; k < TRUCK_SOLIDS; k++) {
        int index = self->count - self->fixture_count;
        TruckBox *box = &self->box[index];
        *box = (TruckBox){.truck = truck, .still = still, .solid = solids[k]};
        place_box(box, chassis, bed, box->from);
        place_box(box, chassis, bed, box->to);
        snprintf(self->name[self->count], sizeof self->name[0], "the truck's %s", solids[k].name);
        self->count++;
        put_box(self, index, 0.0);
    }
}

static void add_trucks(SessionSolids *self, const SceneParams *scene, const SessionTrucks *trucks)
{
    TruckParams params = scene_truck_shape(scene);
    for (int k = 0; k < session_trucks_count(trucks); k++) {
        SessionTruckLook look = session_trucks_look(trucks, k);
        add_truck(self, &params, k, false, &look.chassis, &look.bed);
    }
    if (session_trucks_count(trucks) == 0) {
        const SceneTruck *truck = &scene->exercise.truck;
        Pose chassis = {vec3(truck->x, truck->y, 0.0), mat3_yaw(truck->heading)}, bed = chassis;
        bed.position.z = truck->floor_height;
        add_truck(self, &params, 0, true, &chassis, &bed);
    }
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Says in which thing the machine starts.
static bool check_start(SessionSolids *self, const SceneParams *scene, const Machine *machine,
                        const MachineState *state, Status *status)
{
    int count;
    const MachineTouch *touch = session_solids_find(self, 0.0, machine, state, &count);
    if (count == 0) {
        return true;
    }
    char place[32] = "exercise.truck";
    if (touch->thing < self->fixture_count) {
        snprintf(place, sizeof place, "fixtures.%d", touch->thing);
    }
    return status_fail(status, STATUS_BAD_FILE,
                       "scene %s: %s (%s): the machine starts in it: its %s reaches %.3g m into it at %.4g, %.4g, %.4g",
                       scene->name, place, self->name[touch->thing], machine_part_name(machine, touch->part),
                       touch->depth, touch->point.x, touch->point.y, touch->point.z);
}

bool session_solids_create(const SceneParams *scene, const SessionTrucks *trucks, const Machine *machine,
                           const MachineState *state, SessionSolids **solids, Status *status)
{
    *solids = NULL;
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    if (scene->fixtures_count == 0 && !truck) {
        return true;
    }
    SessionSolids *self = calloc(1, sizeof *self);
    *solids = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for what stands on the site");
    }
    for (int k = 0; k < MOST_THINGS * MACHINE_MAX_BODIES; k++) {
        self->clear[k / MACHINE_MAX_BODIES][k % MACHINE_MAX_BODIES] = LONG_CLEAR;
    }
    if (!make_fixtures(self, scene, status)) {
        return false;
    }
    if (truck) {
        add_trucks(self, scene, trucks);
    }
    return check_start(self, scene, machine, state, status);
}

void session_solids_destroy(SessionSolids *solids)
{
    free(solids);
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

void session_solids_before_tick(SessionSolids *solids, const SessionTrucks *trucks)
{
    if (solids != NULL) {
        place_boxes(solids, trucks, 0);
    }
}

void session_solids_begin_tick(SessionSolids *solids, const SessionTrucks *trucks, double dt)
{
    if (solids == NULL) {
        return;
    }
    place_boxes(solids, trucks, 1);
    solids->deepest = 0.0;
    for (int k = 0; k < solids->count - solids->fixture_count; k++) {
        const TruckBox *box = &solids->box[k];
        Vec3 way = vec3(0.0, 0.0, 0.0);
        for (int c = 0; c < 8; c++) {
            way = vec3_madd(way, 0.125, vec3_sub(box->to[c], box->from[c]));
        }
        solids->thing[solids->fixture_count + k].velocity = vec3_scale(way, 1.0 / dt);
        put_box(solids, k, 0.0);
    }
}

MachineTouch *session_solids_find(SessionSolids *solids, double elapsed, const Machine *machine,
                                  const MachineState *state, int *count)
{
    if (solids == NULL) {
        *count = 0;
        return NULL;
    }
    for (int k = 0; k < solids->count - solids->fixture_count; k++) {
        if (vec3_length(solids->thing[solids->fixture_count + k].velocity) > STANDS) {
            put_box(solids, k, elapsed);
        }
    }
    solids->touch_count = machine_find_touches(machine, state, solids->thing, solids->count, solids->touches);
    *count = solids->touch_count;
    return solids->touches;
}

void session_solids_take(SessionSolids *solids, double h)
{
    for (int k = 0; solids != NULL && k < solids->touch_count; k++) {
        const MachineTouch *touch = &solids->touches[k];
        Meeting *meeting = &solids->meeting[touch->thing][touch->body];
        if (!meeting->met) {
            *meeting = (Meeting){.part = touch->part, .met = true};
        }
        meeting->speed = fmax(meeting->speed, touch->speed);
        solids->deepest = fmax(solids->deepest, touch->depth);
        meeting->impulse += vec3_length(touch->force) * h;
    }
}

double session_solids_deepest(const SessionSolids *solids)
{
    return solids != NULL ? solids->deepest : 0.0;
}

void session_solids_end_tick(SessionSolids *solids, const Machine *machine, int64_t tick, double dt, Exercise *exercise)
{
    for (int k = 0; solids != NULL && k < solids->count; k++) {
        for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
            Meeting *meeting = &solids->meeting[k][body];
            int32_t *clear = &solids->clear[k][body];
            if (meeting->met && *clear * dt >= CLEAR_TIME) {
                char text[96];
                snprintf(text, sizeof text, "%s touches %s at %.2f m/s, %.1f kN s",
                         machine_part_name(machine, meeting->part), solids->name[k], meeting->speed,
                         1e-3 * meeting->impulse);
                exercise_note(exercise, tick, "touch", text);
            }
            *clear = meeting->met ? 0 : *clear < LONG_CLEAR ? *clear + 1 : LONG_CLEAR;
            *meeting = (Meeting){.met = false};
        }
    }
}

void session_solids_visit(SessionSolids *solids, StateVisitor *visitor)
{
    if (solids == NULL) {
        return;
    }
    STATE_VISIT(visitor, "solids.clear", solids->clear);
    for (int k = 0; visitor->restoring && k < MOST_THINGS * MACHINE_MAX_BODIES; k++) {
        int32_t *clear = &solids->clear[k / MACHINE_MAX_BODIES][k % MACHINE_MAX_BODIES];
        if (*clear < 0 || *clear > LONG_CLEAR) {
            *clear = LONG_CLEAR;
            visitor->failed = true;
        }
    }
}
