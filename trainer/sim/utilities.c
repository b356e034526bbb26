/// Compares blows with what pipes bear, and lets the water of a broken main run out.
#include "trainer/sim/utilities.h"

#include <math.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/schema/schema.h"

static const double sharp_edge = 0.62;
static const double water = 1000.0; ///< kg/m3
static const double look = 0.25; ///< s between searches for the water's level; chosen: it rises by a few mm

struct SessionUtilities {
    const SceneParams *scene;
    Flood *flood; ///< scratch; NULL: no main
#define F(type, name, low, high, unit) type name;
    UTILITY_FIELDS(F)
#undef F
};

bool session_utilities_create(const SceneParams *scene, const Soil *soil, SessionUtilities **utilities, Status *status)
{
    bool any = false, main = false;
    for (int k = 0; k < scene->fixtures_count; k++) {
        any = any || scene->fixtures[k].utility.medium != SCENE_MEDIUM_NONE;
        main = main || scene->fixtures[k].utility.medium == SCENE_MEDIUM_WATER;
    }
    *utilities = NULL;
    if (!any) {
        return true;
    }
    SessionUtilities *self = calloc(1, sizeof *self);
    *utilities = self;
    if (self != NULL && main) {
        SoilGridView grid = soil_get_grid(soil);
        self->flood = flood_create(grid.rows, grid.columns);
    }
    if (self == NULL || (main && self->flood == NULL)) {
        return status_fail(status, STATUS_LACKING, "out of memory for buried pipes");
    }
    self->scene = scene;
    return true;
}

void session_utilities_destroy(SessionUtilities *utilities)
{
    if (utilities != NULL) {
        flood_destroy(utilities->flood);
        free(utilities);
    }
}

double utilities_leak(double hole, double pressure)
{
    return pressure > 0.0 ? sharp_edge * 0.25 * M_PI * hole * hole * sqrt(2.0 * pressure / water) : 0.0;
}

/// Reports a broken pipe, once.
static void break_pipe(SessionUtilities *self, const SolidBlow *blow, int64_t tick, Exercise *exercise)
{
    static const Incident incidents[] = {[SCENE_MEDIUM_WATER] = INCIDENT_MAIN_BROKEN,
                                         [SCENE_MEDIUM_GAS] = INCIDENT_GAS_PIPE_BROKEN,
                                         [SCENE_MEDIUM_CABLE] = INCIDENT_CABLE_HIT};
    SceneMedium medium = self->scene->fixtures[blow->fixture].utility.medium;
    ExerciseEvent event = {.tick = tick,
                           .part = blow->part,
                           .thing = blow->thing,
                           .number = {.x = blow->at.x, .y = blow->at.y, .z = blow->at.z, .energy = blow->energy}};
    if (medium == SCENE_MEDIUM_WATER && self->leaking == 0) {
        self->leaking = 1 + blow->fixture;
        self->x = blow->at.x;
        self->y = blow->at.y;
        self->z = self->level = blow->at.z;
        exercise_report(exercise, INCIDENT_MAIN_BROKEN, &event);
    } else if (medium != SCENE_MEDIUM_WATER && self->halted == 0) {
        self->halted = 1;
        exercise_report(exercise, incidents[medium], &event);
    }
}

FloodPool session_utilities_water(const SessionUtilities *utilities, const Soil *soil)
{
    if (utilities == NULL || utilities->leaking == 0) {
        return (FloodPool){0};
    }
    SoilGridView grid = soil_get_grid(soil);
    return flood_pour(utilities->flood, &grid, utilities->x, utilities->y, utilities->volume);
}

/// Lets the main leak for a tick; it is shut, and the attempt over, after its time.
static void run_out(SessionUtilities *self, const Soil *soil, int64_t tick, double dt, Exercise *exercise)
{
    const SceneUtility *utility = &self->scene->fixtures[self->leaking - 1].utility;
    double over = fmax(0.0, self->level - self->z);
    self->volume += dt * utilities_leak(utility->hole, utility->pressure - water * STANDARD_GRAVITY * over);
    self->time += dt;
    bool last = self->time >= utility->leak_time;
    int64_t interval = (int64_t)fmax(1.0, look / dt);
    if (!last && tick % interval != 0) {
        return;
    }
    FloodPool pool = session_utilities_water(self, soil);
    self->level = pool.depth > 0.0 ? pool.level : self->z;
    if (last) {
        self->flooded = 1;
        ExerciseEvent event = {.tick = tick,
                               .number = {.x = self->x,
                                          .y = self->y,
                                          .z = self->z,
                                          .duration = self->time,
                                          .volume = self->volume,
                                          .height = pool.depth}};
        event.thing = event_thing(THING_FIXTURE, self->leaking - 1, self->scene->fixtures[self->leaking - 1].name);
        exercise_report(exercise, INCIDENT_FLOODED, &event);
    }
}

void session_utilities_end_tick(SessionUtilities *utilities, const SolidBlow *blows, int count, const Soil *soil,
                                int64_t tick, double dt, Exercise *exercise)
{
    for (int k = 0; utilities != NULL && k < count; k++) {
        const SolidBlow *blow = &blows[k];
        if (blow->fixture < 0 || utilities->scene->fixtures[blow->fixture].utility.medium == SCENE_MEDIUM_NONE) {
            continue;
        }
        const SceneFixture *fixture = &utilities->scene->fixtures[blow->fixture];
        PipeLimits limits = pipe_limits(fixture);
        if (blow->energy >= limits.energy || blow->force >= limits.force) {
            break_pipe(utilities, blow, tick, exercise);
        }
    }
    if (utilities != NULL && utilities->leaking != 0 && utilities->flooded == 0) {
        run_out(utilities, soil, tick, dt, exercise);
    }
}

bool session_utilities_halt(const SessionUtilities *utilities)
{
    return utilities != NULL && utilities->halted != 0;
}

double session_utilities_left(const SessionUtilities *utilities)
{
    bool leaks = utilities != NULL && utilities->leaking != 0 && utilities->flooded == 0;
    return leaks ? utilities->scene->fixtures[utilities->leaking - 1].utility.leak_time - utilities->time : 0.0;
}

void session_utilities_visit(SessionUtilities *utilities, StateVisitor *visitor)
{
    if (utilities == NULL) {
        return;
    }
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "utilities." #name, utilities->name);
    UTILITY_FIELDS(F)
#undef F
    int main = utilities->leaking - 1;
    bool known = main == -1 || (main >= 0 && main < utilities->scene->fixtures_count &&
                                utilities->scene->fixtures[main].utility.medium == SCENE_MEDIUM_WATER);
    double sum = utilities->x + utilities->y + utilities->z + utilities->time + utilities->volume + utilities->level;
    if (visitor->restoring && (!known || !isfinite(sum))) {
#define F(type, name, low, high, unit) utilities->name = 0;
        UTILITY_FIELDS(F)
#undef F
        visitor->failed = true;
    }
}
