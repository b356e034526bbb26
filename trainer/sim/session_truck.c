/// Drivers decide where their trucks go (machine/truck.h); the beds are trays of the soil that move with them. One
/// truck is allowed in each place, so that roads which cross are driven by one at a time.
#include "data/core/elementary.h"
#include "trainer/sim/session_truck_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/scene_fixture.h"

/// m over the sides of the bed from which on a bucket is out of the way.
#define BUCKET_AIR 1.0
/// kg that may still move in a bed whose load is told.
#define CRUMBS 10.0
/// m beyond what a driver ever looks ahead.
#define FAR_AWAY 40.0

/// ---- life ----------------------------------------------------------------------------------------------------------

static void look_at_ground(const Soil *soil, const TruckParams *params, const TruckPlace *place,
                           double ground[TRUCK_PROBE_COUNT])
{
    Vec3 points[TRUCK_PROBE_COUNT];
    truck_probes(params, place, points);
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        ground[k] = soil_get_height(soil, points[k].x, points[k].y);
    }
}

TruckPlace session_truck_place(const SessionTrucks *trucks, int index)
{
    return trucks->driven ? truck_place(&trucks->route, &trucks->states[index]) : trucks->spot;
}

/// The first truck begins at the spot, the second where trucks wait.
static bool place(SessionTrucks *trucks, int index, const SceneTruck *bed, Soil *soil, Status *status)
{
    TruckState *state = &trucks->states[index];
    truck_start(&trucks->route, index == 0 ? TRUCK_LOADING : TRUCK_WAITING, state);
    TruckPlace at = session_truck_place(trucks, index);
    double ground[TRUCK_PROBE_COUNT];
    look_at_ground(soil, &trucks->params, &at, ground);
    truck_settle(ground, state);
    session_truck_put(trucks, index);
    SessionTruckLook look = session_trucks_look(trucks, index);
    SoilTrayMotion motion = {.frame = look.bed};
    SoilTray tray = {.x = motion.frame.position.x,
                     .y = motion.frame.position.y,
                     .heading = at.heading,
                     .length = bed->bed_length,
                     .width = bed->bed_width,
                     .floor = bed->floor_height, // as drawn; the frame below says where it is
                     .wall = bed->bed_height,
                     .tail = bed->tail_height};
    int tray_index = soil_add_tray(soil, &tray, status);
    if (tray_index >= 0 && soil_move_tray(soil, tray_index, &motion, status)) {
        return true;
    }
    Status inner = *status;
    return status_fail(status, inner.code, "exercise.truck: %.960s", inner.text);
}

bool session_trucks_create(const SceneParams *scene, Soil *soil, SessionTrucks **created, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    *created = NULL;
    if (exercise->kind != EXERCISE_TRUCK_LOADING) {
        return true;
    }
    SessionTrucks *trucks = calloc(1, sizeof *trucks);
    if (trucks == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the trucks");
    }
    *created = trucks;
    trucks->params = scene_truck_shape(scene);
    trucks->load_mass = exercise->haul.load_mass;
    trucks->driven = exercise->haul.trucks > 0;
    trucks->count = trucks->driven ? exercise->haul.trucks : 1;
    const SceneTruck *bed = &exercise->truck;
    trucks->spot = truck_place_of(&trucks->params, &(ScenePose){bed->x, bed->y, bed->heading});
    if (trucks->driven && !truck_route(&trucks->params, bed, &exercise->haul, &trucks->route)) {
        return status_fail(status, STATUS_BAD_FILE, "exercise.haul: the trucks' roads have too many bends");
    }
    for (int k = 0; k < trucks->count; k++) {
        if (!place(trucks, k, bed, soil, status)) {
            return false;
        }
    }
    return true;
}

void session_trucks_destroy(SessionTrucks *trucks)
{
    free(trucks);
}

/// ---- who may drive -------------------------------------------------------------------------------------------------

/// True when another truck is in a phase.
static bool other_is(const SessionTrucks *trucks, int self, TruckPhase phase)
{
    for (int k = 0; k < trucks->count; k++) {
        if (k != self && trucks->states[k].phase == (int32_t)phase) {
            return true;
        }
    }
    return false;
}

/// True when another truck, on its way to the dump, is still where one drives to the spot.
static bool other_leaves(const SessionTrucks *trucks, int self)
{
    for (int k = 0; k < trucks->count; k++) {
        if (k != self && trucks->states[k].phase == TRUCK_HAULING && trucks->states[k].distance < trucks->route.clear) {
            return true;
        }
    }
    return false;
}

/// Spot, dump and waiting place hold one truck each, and roads that may cross are driven by one at a time. With two
/// trucks one of the three places is free, so that somebody can always go on.
static bool may_go(const SessionTrucks *trucks, int self)
{
    switch ((TruckPhase)trucks->states[self].phase) {
    case TRUCK_LOADING:
        return !other_is(trucks, self, TRUCK_HAULING) && !other_is(trucks, self, TRUCK_RAISING) &&
               !other_is(trucks, self, TRUCK_EMPTYING) && !other_is(trucks, self, TRUCK_LOWERING) &&
               !other_is(trucks, self, TRUCK_RETURNING);
    case TRUCK_RETURNING:
        return !other_is(trucks, self, TRUCK_HAULING) && !other_is(trucks, self, TRUCK_WAITING) &&
               !other_is(trucks, self, TRUCK_SPOTTING);
    case TRUCK_WAITING:
        return !other_is(trucks, self, TRUCK_LOADING) && !other_leaves(trucks, self);
    case TRUCK_HAULING:
    case TRUCK_RAISING:
    case TRUCK_EMPTYING:
    case TRUCK_LOWERING:
    case TRUCK_SPOTTING:
    case TRUCK_PHASE_COUNT:
        break;
    }
    return true;
}

/// The bucket as a circle in plan, and its lowest point.
static void bucket_circle(const SoilTool *tool, double *radius, double *lowest)
{
    *radius = 0.0;
    *lowest = HUGE_VAL;
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        for (int c = 0; c < 2 * piece->corner_count; c++) {
            const double *corner = piece->corners[c / 2];
            Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], c % 2 ? piece->y_max : piece->y_min, corner[1]));
            *radius = fmax(*radius, same_hypot(at.x - tool->motion.center.x, at.y - tool->motion.center.y));
            *lowest = fmin(*lowest, at.z);
        }
    }
}

/// What stops a driver: something in his way, that his truck has tipped over, or that he was told to.
typedef enum InTheWay { WAY_FREE, WAY_BUCKET, WAY_MACHINE, WAY_TIPPED, WAY_HELD } InTheWay;

static InTheWay find_obstacle(const SessionTrucks *trucks, const TruckState *state, const TruckPlace *at, double ground,
                              const SessionTruckHazard *hazard)
{
    const TruckParams *params = &trucks->params;
    if (same_hypot(hazard->base.x - at->x, hazard->base.y - at->y) > FAR_AWAY) {
        return WAY_FREE;
    }
    double radius, lowest;
    bucket_circle(hazard->tool, &radius, &lowest);
    double top = ground + params->bed.floor_height + params->bed.height + BUCKET_AIR;
    if (lowest < top && truck_looks_ahead(params, &trucks->route, state, hazard->tool->motion.center.x,
                                          hazard->tool->motion.center.y, radius)) {
        return WAY_BUCKET;
    }
    return truck_looks_ahead(params, &trucks->route, state, hazard->base.x, hazard->base.y, hazard->radius)
               ? WAY_MACHINE
               : WAY_FREE;
}

/// True while the driver waits for nothing but the load, or moves nothing but the bed.
static bool stays(const TruckState *state)
{
    return truck_is_at_spot(state) || state->phase == TRUCK_RAISING || state->phase == TRUCK_LOWERING;
}

static InTheWay look(const SessionTrucks *trucks, int index, const Soil *soil, const SessionTruckHazard *hazard,
                     TruckSight *sight)
{
    const TruckState *state = &trucks->states[index];
    TruckPlace at = truck_place(&trucks->route, state);
    look_at_ground(soil, &trucks->params, &at, sight->ground);
    sight->heap = 0.0;
    if (state->phase == TRUCK_HAULING) {
        Vec3 tail[TRUCK_TAIL_POINTS];
        truck_tail_points(&trucks->params, &at, tail);
        double under = 0.5 * (sight->ground[TRUCK_PROBE_REAR_LEFT] + sight->ground[TRUCK_PROBE_REAR_RIGHT]);
        for (int k = 0; k < TRUCK_TAIL_POINTS; k++) {
            sight->heap = fmax(sight->heap, soil_get_height(soil, tail[k].x, tail[k].y) - under);
        }
    }
    bool tipped = truck_body_is_tipped(&trucks->params, &trucks->bodies[index]);
    sight->may_go = !tipped && !hazard->held[index] && may_go(trucks, index);
    InTheWay obstacle = tipped                ? WAY_TIPPED
                        : hazard->held[index] ? WAY_HELD
                        : stays(state)
                            ? WAY_FREE
                            : find_obstacle(trucks, state, &at, sight->ground[TRUCK_PROBE_REAR_LEFT], hazard);
    sight->blocked = obstacle != WAY_FREE;
    return obstacle;
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

static void tell(Exercise *exercise, int64_t tick, int index, TruckNews news, InTheWay obstacle,
                 const TruckState *state)
{
    static const int32_t reasons[] = {[WAY_TIPPED] = EVENT_TRUCK_LIES,
                                      [WAY_HELD] = EVENT_TRUCK_HELD,
                                      [WAY_BUCKET] = EVENT_TRUCK_BEHIND_BUCKET,
                                      [WAY_MACHINE] = EVENT_TRUCK_BEHIND_MACHINE};
    ExerciseEvent event = {.tick = tick, .kind = EVENT_TRUCK, .thing = event_thing(THING_TRUCK, index, "")};
    switch (news) {
    case TRUCK_NEWS_SPOTTED:
        event.form = EVENT_TRUCK_SPOTTED;
        break;
    case TRUCK_NEWS_FULL:
    case TRUCK_NEWS_CALLED:
        event.form = news == TRUCK_NEWS_FULL ? EVENT_TRUCK_FULL : EVENT_TRUCK_CALLED;
        event.number.load = state->hauled;
        event.number.count = (double)state->passes;
        break;
    case TRUCK_NEWS_TIPPED:
        event.form = EVENT_TRUCK_EMPTIED;
        event.number.load = state->hauled - state->load;
        event.number.rest = state->load;
        break;
    case TRUCK_NEWS_BLOCKED:
        event.form = reasons[obstacle];
        break;
    case TRUCK_NEWS_FREE:
        event.form = EVENT_TRUCK_GOES_ON;
        break;
    case TRUCK_NEWS_NONE:
        return;
    }
    exercise_tell(exercise, &event);
}

void session_trucks_begin_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckHazard *hazard,
                               const OperatorControls *controls, int64_t tick, double dt, Exercise *exercise)
{
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        TruckState *state = &trucks->states[k], before = *state;
        TruckPlace from = session_truck_place(trucks, k);
        if (trucks->driven) {
            TruckSight sight = {.called = control_value(controls, CONTROL_HORN) > 0.5};
            InTheWay obstacle = look(trucks, k, soil, hazard, &sight);
            TruckNews news = truck_step(&trucks->params, &trucks->route, trucks->load_mass, &sight, dt, state);
            tell(exercise, tick, k, news, obstacle, state);
        }
        session_truck_plan(trucks, k, &before, &from, soil, dt);
    }
}

/// ---- what others read ----------------------------------------------------------------------------------------------

SessionTruckSum session_trucks_sum(const SessionTrucks *trucks, const Soil *soil, bool looks)
{
    const int64_t crumbs = (int64_t)(CRUMBS / SOIL_QUANTUM);
    SessionTruckSum sum = {0};
    if (!session_trucks_driven(trucks)) {
        sum.beds[0] = (ExerciseBed){soil_get_tray_mass(soil, 0), looks && soil_tray_is_stirred(soil, 0, crumbs)};
        return sum;
    }
    for (int k = 0; k < trucks->count; k++) {
        const TruckState *state = &trucks->states[k];
        bool stands = state->phase == TRUCK_LOADING; // on the road its load moves with it
        sum.beds[k] =
            (ExerciseBed){state->load + state->delivered, looks && stands && soil_tray_is_stirred(soil, k, crumbs)};
        sum.delivered += state->delivered;
        sum.loads += state->loads;
        sum.passes += state->all_passes;
        sum.left += state->full_departures;
    }
    return sum;
}

const TruckState *session_trucks_state(const SessionTrucks *trucks, int index)
{
    return &trucks->states[index];
}

bool session_trucks_driven(const SessionTrucks *trucks)
{
    return trucks != NULL && trucks->driven;
}

int session_trucks_count(const SessionTrucks *trucks)
{
    return trucks != NULL ? trucks->count : 0;
}

/// The truck an operator is interested in: at the spot, or else the next to come.
static int nearest_truck(const SessionTrucks *trucks)
{
    static const TruckPhase order[TRUCK_PHASE_COUNT] = {TRUCK_LOADING,  TRUCK_SPOTTING, TRUCK_WAITING, TRUCK_RETURNING,
                                                        TRUCK_LOWERING, TRUCK_EMPTYING, TRUCK_RAISING, TRUCK_HAULING};
    for (int k = 0; k < TRUCK_PHASE_COUNT; k++) {
        for (int i = 0; i < trucks->count; i++) {
            if (trucks->states[i].phase == (int32_t)order[k]) {
                return i;
            }
        }
    }
    return 0;
}

int session_trucks_watched(const SessionTrucks *trucks)
{
    return trucks == NULL ? -1 : trucks->driven ? nearest_truck(trucks) : 0;
}

bool session_trucks_ready(const SessionTrucks *trucks)
{
    return !session_trucks_driven(trucks) || truck_is_at_spot(&trucks->states[nearest_truck(trucks)]);
}

/// What is wrong with how a truck is loaded, or what its axles bear.
static void axles_line(const SessionTruckReadout *truck, TextUnits units, char *line, size_t size)
{
    if (truck->tipped) {
        snprintf(line, size, "tipped over");
    } else if (truck->overload > 0.0) {
        snprintf(line, size, language_text("%s too much"), quantity(QUANTITY_TONNES, truck->overload, units).text);
    } else if (truck->front_overload > 0.0 || truck->rear_overload > 0.0) {
        bool front = truck->front_overload > truck->rear_overload;
        snprintf(line, size, language_text(front ? TEXT("front axle %s over") : TEXT("rear axles %s over")),
                 quantity(QUANTITY_TONNES, fmax(truck->front_overload, truck->rear_overload), units).text);
    } else {
        snprintf(line, size, language_text("axles %s+%s"), quantity(QUANTITY_TONNES, truck->front, units).number,
                 quantity(QUANTITY_TONNES, truck->rear, units).text);
    }
}

void session_trucks_line(const SessionTrucks *trucks, TextUnits units, char *line, size_t size)
{
    int index = session_trucks_watched(trucks);
    const TruckState *state = &trucks->states[index];
    SessionTruckReadout truck = session_trucks_readout(trucks, index);
    char axles[64];
    axles_line(&truck, units, axles, sizeof axles);
    if (!trucks->driven) {
        snprintf(line, size, language_text("Truck: %s"), axles);
    } else if (state->phase == TRUCK_LOADING && state->leaving != 0 && !truck.tipped) {
        snprintf(line, size,
                 language_text(state->timer > 0.0 ? TEXT("Truck %d: leaves when the road is free")
                                                  : TEXT("Truck %d: leaves when the bucket is away")),
                 index + 1);
    } else if (state->phase == TRUCK_LOADING) {
        snprintf(line, size, language_text("Truck %d: %s/%s, %d passes; %s"), index + 1,
                 quantity(QUANTITY_TONNES, state->load, units).number,
                 quantity(QUANTITY_TONNES, trucks->load_mass, units).text, (int)state->passes, axles);
    } else {
        snprintf(line, size, language_text("Truck %d: %s%s"), index + 1, language_text(truck_phase_names[state->phase]),
                 truck.tipped     ? language_text(", tipped over")
                 : state->blocked ? language_text(", blocked")
                                  : "");
    }
}

void session_trucks_visit(SessionTrucks *trucks, StateVisitor *visitor)
{
    for (int k = 0; trucks != NULL && k < trucks->count && !visitor->failed; k++) {
        truck_visit(&trucks->states[k], &trucks->route, visitor);
        truck_body_visit(&trucks->bodies[k], visitor);
    }
}

bool session_trucks_are_finite(const SessionTrucks *trucks)
{
    bool good = true;
    for (int k = 0; trucks != NULL && k < trucks->count; k++) {
        good = good && truck_is_finite(&trucks->states[k]) && truck_body_is_finite(&trucks->bodies[k]);
    }
    return good;
}
