/// Persons on foot: ways, steps back, turns.
#include "trainer/sim/people.h"

#include <math.h>

#include "data/core/elementary.h"

#define THERE     0.05 ///< m from a place at which a person has reached it. Chosen
#define BACKWARDS 1.6 ///< m/s at which a person steps back from what comes near. Chosen: a brisk walk
#define WARY_TIME 3.0 ///< s for which a person waits after that before walking on. Chosen
#define TURNING   4.0 ///< rad/s: half a turn takes 0.8 s. Chosen
#define RUNS      2.0 ///< m/s: the state holds no faster gait

void person_start(Vec3 feet, double facing, PersonState *state)
{
    *state = (PersonState){.x = feet.x, .y = feet.y, .z = feet.z, .facing = facing};
}

void person_turn_to(PersonState *state, Vec3 place, double dt)
{
    double x = place.x - state->x, y = place.y - state->y;
    if (same_hypot(x, y) > THERE) {
        double turn = remainder(same_atan2(y, x) - state->facing, 2.0 * M_PI);
        state->facing = remainder(state->facing + fmax(-TURNING * dt, fmin(turn, TURNING * dt)), 2.0 * M_PI);
    }
}

/// Goes to a place of the next moment, as far as it is on the site and free. `faced`: the person looks ahead.
static void step_to(PersonState *state, const PersonSight *sight, Vec3 next, bool faced)
{
    double x = fmax(sight->low[0], fmin(next.x, sight->high[0])), y = fmax(sight->low[1], fmin(next.y, sight->high[1]));
    bool held = walk_round_holds(sight->round, state->x, state->y) >= 0;
    if (!held && walk_round_holds(sight->round, x, y) >= 0) {
        return;
    }
    double way = same_hypot(x - state->x, y - state->y);
    if (faced && way > 0.0) {
        Vec3 ahead = vec3(state->x + 10.0 * (x - state->x) / way, state->y + 10.0 * (y - state->y) / way, 0.0);
        person_turn_to(state, ahead, sight->dt);
    }
    state->x = x;
    state->y = y;
    state->stride += way;
    state->speed = fmin(way / sight->dt, RUNS);
}

bool person_walk_to(PersonState *state, const PersonSight *sight, double x, double y, double speed)
{
    if (same_hypot(x - state->x, y - state->y) < THERE) {
        return true;
    }
    Vec3 from = vec3(state->x, state->y, 0.0);
    step_to(state, sight, walk_round_step(sight->round, from, x, y, speed * sight->dt), true);
    return false;
}

bool person_is_under_way(const PersonState *state, const ScenePerson *person)
{
    return state->begun != 0 && (person->path.loop || state->leg < person->path.points_count);
}

/// Where the person is to be: the next point of the way, or the place where the person stands.
static SceneWayPoint goal_of(const PersonState *state, const ScenePerson *person)
{
    const SceneWay *path = &person->path;
    if (state->begun != 0 && state->leg < path->points_count) {
        return path->points[state->leg];
    }
    if (state->begun != 0 && path->points_count > 0 && !path->loop) {
        return path->points[path->points_count - 1];
    }
    return (SceneWayPoint){.x = person->x, .y = person->y};
}

/// At a point of the way: waits, then takes the next one.
static void pass_point(PersonState *state, const ScenePerson *person, double wait, double dt)
{
    const SceneWay *path = &person->path;
    if (state->begun == 0 || path->points_count == 0 || (!path->loop && state->leg >= path->points_count)) {
        return;
    }
    state->waited += dt;
    if (state->waited >= wait) {
        state->waited = 0.0;
        state->leg = state->leg < path->points_count ? state->leg + 1 : 0;
    }
}

void person_tick(PersonState *state, const PersonSight *sight)
{
    const SceneWay *path = &sight->person->path;
    bool due = sight->time >= path->after && (path->when.least <= 0.0 || sight->figure >= path->when.least);
    state->begun = path->points_count > 0 && (due || state->begun != 0);
    state->wary = sight->near ? WARY_TIME : fmax(0.0, state->wary - sight->dt);
    if (sight->near) {
        Vec3 away = vec3(state->x - sight->from.x, state->y - sight->from.y, 0.0);
        away = vec3_unit(away, vec3(1.0, 0.0, 0.0));
        Vec3 at = vec3(state->x, state->y, 0.0);
        step_to(state, sight, vec3_madd(at, BACKWARDS * sight->dt, away), false);
        person_turn_to(state, sight->from, sight->dt);
        return;
    }
    if (state->wary > 0.0) {
        person_turn_to(state, sight->watched, sight->dt);
        return;
    }
    SceneWayPoint goal = goal_of(state, sight->person);
    if (person_walk_to(state, sight, goal.x, goal.y, path->points_count > 0 ? path->speed : PERSON_PACE)) {
        pass_point(state, sight->person, goal.wait, sight->dt);
        person_turn_to(state, sight->watched, sight->dt);
    }
}

void person_signal(PersonState *state, ArmSignal signal, bool to_truck, double dt)
{
    bool same = state->signal == (int32_t)signal && (state->to_truck != 0) == to_truck;
    state->signal_time = same ? state->signal_time + dt : 0.0;
    state->signal = (int32_t)signal;
    state->to_truck = to_truck;
}

void person_visit(PersonState *state, StateVisitor *visitor)
{
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "person." #name, state->name);
    PERSON_FIELDS(F)
#undef F
    double sum = state->x + state->y + state->z + state->facing + state->stride + state->speed + state->waited +
                 state->wary + state->signal_time;
    bool good = isfinite(sum) && state->leg >= 0 && state->leg <= SCENE_MAX_WAY_POINTS && state->task >= 0 &&
                state->task < SLINGER_TASK_COUNT && state->signal >= 0 && state->signal < ARM_SIGNAL_COUNT;
    if (visitor->restoring && !good) {
        *state = (PersonState){0};
        visitor->failed = true;
    }
}
