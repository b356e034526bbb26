/// The operator on foot: steps, what stands in the way, the thing in front, and answers.
#include "trainer/sim/session_foot.h"

#include <math.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

#define STEEPEST    1.4 ///< rad: most that the head is raised or lowered; chosen
#define GIRTH       0.35 ///< m about the operator that stays free of the machine; chosen
#define EDGE        0.5 ///< m from the edge of the site; chosen
#define VIEW        0.45 ///< rad off the direction of looking in which a thing is in front; chosen
#define DOOR_REACH  1.6 ///< m from the door in plan; chosen
#define DOOR_OUT    0.9 ///< m from the door in plan where one who climbs out stands; chosen
#define UPPER_FRONT 1.6 ///< m: the house reaches so far ahead of the swing axis, at eye height; chosen
#define HALF        0.5 ///< of a button's way

typedef struct FootState {
#define F(type, name, low, high, unit)        type name;
#define A(type, name, count, low, high, unit) type name[count];
    FOOT_FIELDS(F, A)
#undef F
#undef A
} FootState;

struct SessionFoot {
    SceneWalkRound asked;
    int body[SCENE_MAX_THINGS]; ///< of the machine that each is on; -1: on the site
    double limit[2]; ///< m: half of the site, less the edge
    double track_length, track_width; ///< m: half of the rectangle that the tracks cover
    double tail, upper_width; ///< m: behind the swing axis; half of the width
    bool swings;
    int house; ///< body that carries the cab
    Vec3 door; ///< m, in the frame of that body: middle of the cab's left side
    FootState state;
};

bool session_foot_create(const SceneParams *scene, const MachineParams *machine, SessionFoot **foot, Status *status)
{
    const SceneWalkRound *asked = &scene->exercise.walk_round;
    *foot = NULL;
    if (asked->things_count == 0) {
        return true;
    }
    SessionFoot *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the walk-round");
    }
    self->asked = *asked;
    for (int k = 0; k < asked->things_count; k++) {
        self->body[k] = asked->things[k].body[0] != '\0' ? machine_body_named(machine, asked->things[k].body) : -1;
    }
    self->limit[0] = 0.5 * scene->ground.size_x - EDGE;
    self->limit[1] = 0.5 * scene->ground.size_y - EDGE;
    self->track_length = 0.5 * machine->tracks.length + GIRTH;
    self->track_width = 0.5 * (machine->tracks.gauge + machine->tracks.shoe_width) + GIRTH;
    self->swings = machine->swing_joint >= 0;
    self->tail = machine->tail_radius + GIRTH;
    self->upper_width = 0.5 * machine->upper_width + GIRTH;
    self->house = machine->cab_body;
    const MachineCab *cab = &machine->cab;
    self->door = vec3(cab->corner[0] + 0.5 * cab->size[0], cab->corner[1] + cab->size[1], cab->corner[2]);
    self->state = (FootState){.walks = 1, .x = asked->x, .y = asked->y, .yaw = asked->heading};
    *foot = self;
    return true;
}

void session_foot_destroy(SessionFoot *foot)
{
    free(foot);
}

/// ---- places --------------------------------------------------------------------------------------------------------

static Vec3 eye_of(const SessionFoot *self, const FootSite *site)
{
    const FootState *state = &self->state;
    return vec3(state->x, state->y, soil_get_height(site->soil, state->x, state->y) + FOOT_EYE);
}

static Vec3 looking(const FootState *state)
{
    double flat = same_cos(state->pitch);
    return vec3(flat * same_cos(state->yaw), flat * same_sin(state->yaw), same_sin(state->pitch));
}

bool session_foot_thing(const SessionFoot *foot, const FootSite *site, int thing, Pose *place)
{
    const SceneThing *asked = &foot->asked.things[thing];
    Pose turned = {.position = vec3(asked->at[0], asked->at[1], asked->at[2]), .rotation = mat3_yaw(asked->heading)};
    if (foot->body[thing] < 0) {
        turned.position.z += soil_get_height(site->soil, asked->at[0], asked->at[1]);
        *place = turned;
    } else {
        Pose body;
        machine_get_body_frame(site->machine, site->state, foot->body[thing], &body);
        *place = (Pose){.position = pose_apply(&body, turned.position),
                        .rotation = mat3_product(&body.rotation, &turned.rotation)};
    }
    return foot->state.walks != 0 || foot->state.finding[thing] != FOOT_REPORTED;
}

/// Pushes the place (x, y), m, in the frame of a body out of a rectangle from `rear` to `front`, `half` m to each side,
/// by the shortest way.
static void push_out(const Pose *frame, double rear, double front, double half, FootState *state)
{
    Vec3 ahead = mat3_mul(&frame->rotation, vec3(1.0, 0.0, 0.0));
    double length = same_hypot(ahead.x, ahead.y);
    if (length <= 0.0) {
        return; // the machine lies on its nose
    }
    double c = ahead.x / length, s = ahead.y / length;
    double dx = state->x - frame->position.x, dy = state->y - frame->position.y;
    double along = c * dx + s * dy, across = c * dy - s * dx;
    double out[4] = {along - rear, front - along, across + half, half - across};
    int least = 0;
    for (int k = 0; k < 4; k++) {
        if (out[k] <= 0.0) {
            return;
        }
        least = out[k] < out[least] ? k : least;
    }
    along += least == 0 ? -out[0] : least == 1 ? out[1] : 0.0;
    across += least == 2 ? -out[2] : least == 3 ? out[3] : 0.0;
    state->x = frame->position.x + c * along - s * across;
    state->y = frame->position.y + s * along + c * across;
}

static void stay_outside(SessionFoot *self, const FootSite *site)
{
    FootState *state = &self->state;
    Pose base, house;
    machine_get_body_frame(site->machine, site->state, MACHINE_BASE, &base);
    machine_get_body_frame(site->machine, site->state, self->house, &house);
    push_out(&base, -self->track_length, self->track_length, self->track_width, state);
    if (self->swings) {
        push_out(&house, -self->tail, UPPER_FRONT, self->upper_width, state);
        push_out(&base, -self->track_length, self->track_length, self->track_width, state);
    }
    state->x = fmax(-self->limit[0], fmin(state->x, self->limit[0]));
    state->y = fmax(-self->limit[1], fmin(state->y, self->limit[1]));
}

/// The door of the cab: its middle, m, world, and the direction out of it.
static Vec3 find_door(const SessionFoot *self, const FootSite *site, Vec3 *out)
{
    Pose house;
    machine_get_body_frame(site->machine, site->state, self->house, &house);
    *out = mat3_mul(&house.rotation, vec3(0.0, 1.0, 0.0));
    return pose_apply(&house, self->door);
}

static bool is_at_door(const SessionFoot *self, const FootSite *site)
{
    Vec3 out, door = find_door(self, site, &out);
    return same_hypot(self->state.x - door.x, self->state.y - door.y) < DOOR_REACH;
}

/// The thing in front that can be looked at closely, or -1: the one nearest to where the operator looks.
static int find_near(const SessionFoot *self, const FootSite *site)
{
    Vec3 eye = eye_of(self, site), look = looking(&self->state);
    double best = same_cos(VIEW);
    int near = -1;
    for (int k = 0; k < self->asked.things_count; k++) {
        Pose place;
        if (!session_foot_thing(self, site, k, &place)) {
            continue;
        }
        Vec3 way = vec3_sub(place.position, eye), front = mat3_mul(&place.rotation, vec3(1.0, 0.0, 0.0));
        double distance = vec3_length(way), cosine = vec3_dot(way, look) / fmax(distance, 1e-9);
        bool behind = self->body[k] >= 0 && front.x * way.x + front.y * way.y > 0.0;
        if (distance <= self->asked.things[k].reach && !behind && cosine > best) {
            best = cosine;
            near = k;
        }
    }
    return near;
}

/// ---- findings ------------------------------------------------------------------------------------------------------

static void report(const SessionFoot *self, int64_t tick, int form, int thing, Exercise *exercise)
{
    ExerciseEvent event = {.tick = tick, .kind = EVENT_INSPECTION, .form = form};
    if (thing >= 0) {
        event.thing = event_thing(THING_FINDING, thing, self->asked.things[thing].name);
    }
    exercise_note_event(exercise, &event);
}

static int count_looked(const SessionFoot *self)
{
    int looked = 0;
    for (int k = 0; k < self->asked.things_count; k++) {
        looked += self->state.finding[k] != FOOT_NOT_SEEN;
    }
    return looked;
}

static void climb_in(SessionFoot *self, int64_t tick, Exercise *exercise)
{
    bool early = count_looked(self) < self->asked.things_count;
    self->state.walks = 0;
    self->state.early = self->state.early != 0 || early;
    report(self, tick, early ? EVENT_INSPECTION_EARLY : EVENT_INSPECTION_IN, -1, exercise);
}

static void climb_out(SessionFoot *self, const FootSite *site, int64_t tick, Exercise *exercise)
{
    FootState *state = &self->state;
    Vec3 out, door = find_door(self, site, &out);
    state->walks = 1;
    state->x = door.x + DOOR_OUT * out.x;
    state->y = door.y + DOOR_OUT * out.y;
    state->yaw = same_atan2(-out.y, -out.x);
    state->pitch = 0.0;
    stay_outside(self, site);
    report(self, tick, EVENT_INSPECTION_OUT, -1, exercise);
}

static void take_answer(SessionFoot *self, int answer, int64_t tick, Exercise *exercise)
{
    FootState *state = &self->state;
    int thing = state->open - 1;
    bool bad = self->asked.things[thing].report, reported = answer == FOOT_ANSWER_REPORT;
    state->finding[thing] = reported ? FOOT_REPORTED : FOOT_PASSED;
    state->open = 0;
    report(self, tick,
           reported ? (bad ? EVENT_INSPECTION_FOUND : EVENT_INSPECTION_FALSE)
                    : (bad ? EVENT_INSPECTION_MISSED : EVENT_INSPECTION_FINE),
           thing, exercise);
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

static void walk(SessionFoot *self, const FootSite *site, double dt, const OperatorControls *controls)
{
    FootState *state = &self->state;
    double left = control_value(controls, CONTROL_LEFT_TRACK), right = control_value(controls, CONTROL_RIGHT_TRACK);
    double ahead = 0.5 * (left + right) - control_value(controls, CONTROL_STICK);
    double aside = -control_value(controls, CONTROL_BUCKET);
    double turn = control_value(controls, CONTROL_SWING) + 0.5 * (left - right);
    double raise = control_value(controls, CONTROL_BOOM) - control_value(controls, CONTROL_BLADE);
    ahead = fmax(-1.0, fmin(ahead, 1.0));
    turn = fmax(-1.0, fmin(turn, 1.0));
    state->yaw -= FOOT_TURNING * dt * turn;
    state->yaw -= state->yaw > M_PI ? 2.0 * M_PI : state->yaw < -M_PI ? -2.0 * M_PI : 0.0;
    state->pitch = fmax(-STEEPEST, fmin(state->pitch + FOOT_LOOKING * dt * raise, STEEPEST));
    double c = same_cos(state->yaw), s = same_sin(state->yaw), step = FOOT_WALKING * dt;
    state->x += step * (c * ahead + s * aside);
    state->y += step * (s * ahead - c * aside);
    stay_outside(self, site);
}

static void take_inspect(SessionFoot *self, const FootSite *site, int64_t tick, Exercise *exercise)
{
    FootState *state = &self->state;
    int near = find_near(self, site);
    bool again = near >= 0 && state->finding[near] >= FOOT_PASSED && is_at_door(self, site);
    if (near >= 0 && !again) {
        state->open = near + 1;
        state->finding[near] = state->finding[near] == FOOT_NOT_SEEN ? FOOT_SEEN : state->finding[near];
    } else if (is_at_door(self, site)) {
        climb_in(self, tick, exercise);
    }
}

/// On foot the machine gets no lever, no horn and no switch.
static void release_levers(OperatorControls *controls)
{
    int16_t throttle = controls->axis[CONTROL_THROTTLE], answer = controls->axis[CONTROL_ANSWER];
    *controls = control_neutral;
    controls->axis[CONTROL_THROTTLE] = throttle;
    controls->axis[CONTROL_ANSWER] = answer;
}

void session_foot_tick(SessionFoot *foot, const FootSite *site, int64_t tick, double dt, bool locked, bool may_leave,
                       OperatorControls *controls, Exercise *exercise)
{
    if (foot == NULL) {
        return;
    }
    FootState *state = &foot->state;
    bool walks = state->walks != 0;
    bool inspects = control_value(controls, CONTROL_INSPECT) > HALF;
    inspects = inspects || (walks && control_value(controls, CONTROL_HORN) > HALF);
    bool press = inspects && state->pressed == 0 && !locked;
    int answer = (int)lround(10.0 * control_value(controls, CONTROL_ANSWER));
    bool answers = answer > 0 && state->answered == 0 && !locked;
    state->pressed = inspects;
    state->answered = answer > 0;
    if (!walks) {
        if (press && may_leave) {
            climb_out(foot, site, tick, exercise);
        }
        return;
    }
    if (state->open > 0) {
        if (answers && answer <= FOOT_ANSWER_REPORT) {
            take_answer(foot, answer, tick, exercise);
        }
    } else if (press) {
        take_inspect(foot, site, tick, exercise);
    } else if (!locked) {
        walk(foot, site, dt, controls);
    }
    release_levers(controls);
}

/// ---- what others read ----------------------------------------------------------------------------------------------

bool session_foot_seated(const SessionFoot *foot)
{
    return foot == NULL || foot->state.walks == 0;
}

FootReadout session_foot_readout(const SessionFoot *foot, const FootSite *site, bool may_leave)
{
    FootReadout readout = {.near = -1, .open = -1};
    if (foot == NULL) {
        return readout;
    }
    readout.has = true;
    readout.walks = foot->state.walks != 0;
    readout.eye = eye_of(foot, site);
    readout.yaw = foot->state.yaw;
    readout.pitch = foot->state.pitch;
    readout.open = foot->state.open - 1;
    readout.near = readout.walks && readout.open < 0 ? find_near(foot, site) : -1;
    readout.at_door = readout.walks && is_at_door(foot, site);
    readout.may_leave = !readout.walks && may_leave;
    readout.looked = count_looked(foot);
    readout.count = foot->asked.things_count;
    return readout;
}

ExerciseWalk session_foot_sample(const SessionFoot *foot)
{
    ExerciseWalk walk = {.seated = 1.0};
    if (foot == NULL) {
        return walk;
    }
    int bad = 0, found = 0;
    for (int k = 0; k < foot->asked.things_count; k++) {
        bool reported = foot->state.finding[k] == FOOT_REPORTED;
        bad += foot->asked.things[k].report;
        found += foot->asked.things[k].report && reported;
        walk.false_reports += !foot->asked.things[k].report && reported ? 1.0 : 0.0;
    }
    walk.looked = (double)count_looked(foot) / foot->asked.things_count;
    walk.found = bad > 0 ? (double)found / bad : 1.0;
    walk.early = foot->state.early;
    walk.seated = foot->state.walks == 0 ? 1.0 : 0.0;
    return walk;
}

void session_foot_visit(SessionFoot *foot, StateVisitor *visitor)
{
    if (foot == NULL) {
        return;
    }
    FootState *state = &foot->state;
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "foot." #name, state->name);
#define A(type, name, count, low, high, unit)                                                                          \
    state_visit_array(visitor, "foot." #name, state->name, sizeof *state->name, count);
    FOOT_FIELDS(F, A)
#undef F
#undef A
    if (visitor->restoring && (state->open < 0 || state->open > foot->asked.things_count)) {
        state->open = 0;
        visitor->failed = true;
    }
}

bool session_foot_is_finite(const SessionFoot *foot)
{
    return foot == NULL || isfinite(foot->state.x + foot->state.y + foot->state.yaw + foot->state.pitch);
}
