/// Loads on slings in a session: hooking up, the ground they lie on, what they run into, and their events.
#include "trainer/sim/session_loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/scene_site.h"

/// The next numbers are chosen; see test_sim_loads.
#define EYE_STILL        0.3 ///< m/s: no sling is hooked into a faster eye
#define SLACK            0.02 ///< of the weight: a sling that bears less is slack
#define CLEAR_OF         0.01 ///< of the weight: a load of which the ground bears less hangs
#define HANGS_TIME       0.25 ///< s for which it does so: what bounces or is dragged does not hang
#define SET_DOWN         0.05 ///< of the weight: one of which it bears more is set down
#define GROUND_GONE      0.01 ///< m: a load asleep wakes when two feet at most are so near to the ground
#define TOUCH_MARGIN     0.01 ///< m: contact is searched within this distance
#define LYING_SPEED      0.02 ///< m/s: a load that is slower lies
#define START_SINKING    0.002 ///< m that a load starts in the ground
#define FIXTURE_FRICTION 0.3 ///< steel on steel and concrete
#define BEARING_SLOPE    0.3 ///< of a normal's rise: what it stands on bears a load
#define MOVED_ASIDE      0.2 ///< of what presses a load asleep down: a push aside that could move it
#define LIFTED_OFF       0.2 ///< of its weight: a push up that could
#define STRUCK           0.3 ///< m/s that a push would give it in a substep: a blow
enum { PRISM = 12 };
enum { PRESS_TICKS = 15 }; ///< between two comparisons of a trench box with its rating

typedef struct LoadState {
#define F(type, name, low, high, unit) type name;
    LOAD_FIELDS(F)
#undef F
} LoadState;

struct SessionLoads {
    int count, fixture_count;
    bool has_slinger; ///< else hooking takes no time
    SceneLoad asked[SCENE_MAX_LOADS];
    SolidThing shape[SCENE_MAX_LOADS]; ///< in the pipe's frame
    SolidThing fixture[SCENE_MAX_FIXTURES];
    /// Scratch.
    SolidThing thing[SCENE_MAX_LOADS];
    double impact; ///< m/s: of what was set down in the last tick
    bool touched[SCENE_MAX_LOADS]; ///< in this tick
    bool gripped[SCENE_MAX_LOADS]; ///< in this tick, by jaws
    Wrench pushed[SCENE_MAX_LOADS]; ///< by rocks in the last substep
    int first_mover; ///< number of load 0 among the movers
    int first_jaw; ///< body of the machine; those before it grip nothing
    bool grabs; ///< the machine has jaws: no slinger hooks anything up
    /// State.
    HungLoad load[SCENE_MAX_LOADS];
    LoadState state[SCENE_MAX_LOADS];
    int32_t pressed; ///< 1: the lever was pressed in the last tick
    int32_t called; ///< 1 + the load that the slinger is to hook or take off; 0: none
};

/// ---- things --------------------------------------------------------------------------------------------------------

/// A prism of twelve sides around a pipe or a log, the block that a trench box fills.
static void make_shape(const HungLoadParams *pipe, SolidThing *shape)
{
    Vec3 points[2 * PRISM];
    const char *reason;
    for (int k = 0; k < 8 && pipe->height > 0.0; k++) {
        points[k] = vec3((k & 1 ? 0.5 : -0.5) * pipe->length, (k & 2 ? 0.5 : -0.5) * pipe->width,
                         (k & 4 ? 0.5 : -0.5) * pipe->height);
    }
    if (pipe->height > 0.0) {
        (void)solid_thing_make(points, 8, 0.4, shape, &reason); // eight corners of a box make a solid
        return;
    }
    for (int k = 0; k < 2 * PRISM; k++) {
        double angle = 2.0 * M_PI * (k / 2 + 0.5) / PRISM;
        points[k] = vec3((k % 2 == 0 ? 0.5 : -0.5) * pipe->length, pipe->radius * same_cos(angle),
                         pipe->radius * same_sin(angle));
    }
    (void)solid_thing_make(points, 2 * PRISM, pipe->friction, shape, &reason); // the corners of a prism make a solid
}

static void put_thing(SessionLoads *self, int index)
{
    Pose frame = hung_load_frame(&self->load[index]);
    const MachineBodyState *motion = &self->load[index].motion;
    SolidThing *thing = &self->thing[index];
    solid_thing_place(&self->shape[index], &frame, thing);
    thing->friction = self->shape[index].friction;
    thing->velocity = hung_load_velocity(&self->load[index], thing->center);
    thing->spin = vec3(motion->spin[0], motion->spin[1], motion->spin[2]);
}

/// ---- ground --------------------------------------------------------------------------------------------------------

/// Returns the number of feet.
static int find_ground(const SessionLoads *self, const Soil *soil, int index, HungLoadGround ground[HUNG_LOAD_FEET])
{
    Vec3 feet[HUNG_LOAD_FEET];
    int count = hung_load_feet(&self->asked[index].pipe, &self->load[index], feet);
    for (int k = 0; k < count; k++) {
        SoilBase base = soil_get_base(soil, feet[k]);
        ground[k] = (HungLoadGround){base.height, base.normal};
    }
    return count;
}

/// Lays a load on the highest ground under its feet, level.
static void lay_down(SessionLoads *self, const Soil *soil, int index)
{
    const SceneLoad *asked = &self->asked[index];
    HungLoadGround ground[HUNG_LOAD_FEET];
    hung_load_start(asked->x, asked->y, 10.0, asked->heading, &self->load[index]);
    int count = find_ground(self, soil, index, ground);
    double highest = ground[0].height;
    for (int k = 1; k < count; k++) {
        highest = fmax(highest, ground[k].height);
    }
    hung_load_start(asked->x, asked->y, highest + hung_load_half_height(&asked->pipe) - START_SINKING, asked->heading,
                    &self->load[index]);
    self->load[index].borne[0] = asked->pipe.mass * STANDARD_GRAVITY;
    put_thing(self, index);
}

/// rad between two directions of an axis, either way round: 0 to a right angle.
static double axis_error(double a, double b)
{
    return fabs(remainder(a - b, M_PI));
}

/// Remembers how far from its place it lies.
static void measure_place(SessionLoads *self, int index)
{
    const struct SceneLoadPlace *place = &self->asked[index].place;
    const HungLoad *load = &self->load[index];
    if (place->within > 0.0) {
        self->state[index].offset =
            same_hypot(load->motion.position[0] - place->x, load->motion.position[1] - place->y);
        self->state[index].error = axis_error(hung_load_heading(load), place->heading);
    }
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool check_start(const SessionLoads *self, const SceneParams *scene, const LoadSite *site, int index,
                        Status *status)
{
    const SceneLoad *asked = &self->asked[index];
    for (int k = 0; k < self->fixture_count + index; k++) {
        bool fixture = k < self->fixture_count;
        const SolidThing *other = fixture ? &self->fixture[k] : &self->thing[k - self->fixture_count];
        if (solid_things_overlap(other, &self->thing[index])) {
            return status_fail(status, STATUS_BAD_FILE,
                               "exercise.loads.%d (%s): it starts in the %s, allowed beside it", index, asked->name,
                               fixture ? scene->fixtures[k].name : self->asked[k - self->fixture_count].name);
        }
    }
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    if (asked->hooked && !hung_load_reaches(&asked->pipe, &self->load[index], &eye)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "exercise.loads.%d.hooked (%s): its sling of %.4g m does not reach the lifting eye "
                           "at %.4g, %.4g, %.4g",
                           index, asked->name, asked->pipe.sling, eye.point.x, eye.point.y, eye.point.z);
    }
    return true;
}

static bool place_loads(SessionLoads *self, const SceneParams *scene, const LoadSite *site, Status *status)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        Vec3 points[SCENE_FIXTURE_MAX_POINTS];
        const char *reason;
        int count = scene_fixture_points(&scene->fixtures[k], points);
        if (!solid_thing_make(points, count, 0.4, &self->fixture[k], &reason)) {
            return status_fail(status, STATUS_BAD_FILE, "fixtures.%d (%s): %s", k, scene->fixtures[k].name, reason);
        }
    }
    self->fixture_count = scene->fixtures_count;
    for (int k = 0; k < self->count; k++) {
        make_shape(&self->asked[k].pipe, &self->shape[k]);
        lay_down(self, site->soil, k);
        if (!check_start(self, scene, site, k, status)) {
            return false;
        }
        self->load[k].hooked[0] = self->asked[k].hooked;
        measure_place(self, k);
    }
    return true;
}

bool session_loads_create(const SceneParams *scene, const LoadSite *site, SessionLoads **loads, Status *status)
{
    *loads = NULL;
    if (scene->exercise.loads_count == 0) {
        return true;
    }
    SessionLoads *self = calloc(1, sizeof *self);
    *loads = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the loads of the exercise");
    }
    self->count = scene->exercise.loads_count;
    const MachineParams *machine = machine_params(site->machine);
    self->grabs = machine->jaw_count > 0;
    self->first_jaw = machine->body_count - machine->jaw_count;
    for (int k = 0; k < scene->persons_count; k++) {
        self->has_slinger = self->has_slinger || scene->persons[k].role == SCENE_ROLE_SLINGER;
    }
    for (int k = 0; k < self->count; k++) {
        self->asked[k] = scene->exercise.loads[k];
    }
    return place_loads(self, scene, site, status);
}

void session_loads_destroy(SessionLoads *loads)
{
    free(loads);
}

/// ---- hooking up ----------------------------------------------------------------------------------------------------

static double weight_of(const SessionLoads *self, int index)
{
    return self->asked[index].pipe.mass * STANDARD_GRAVITY;
}

static int find_hooked(const SessionLoads *self)
{
    int hooked = -1;
    for (int k = 0; k < self->count; k++) {
        hooked = self->load[k].hooked[0] != 0 ? k : hooked;
    }
    return hooked;
}

/// m from the eye to the middle of a load.
static double distance_of(const SessionLoads *self, int index, const LiftingEye *eye)
{
    return vec3_length(vec3_sub(eye->point, hung_load_frame(&self->load[index]).position));
}

/// The nearest load whose sling reaches the eye, -1: none.
static int find_in_reach(const SessionLoads *self, const LiftingEye *eye)
{
    int found = -1;
    for (int k = 0; k < self->count; k++) {
        bool nearer = found < 0 || distance_of(self, k, eye) < distance_of(self, found, eye);
        found = nearer && hung_load_reaches(&self->asked[k].pipe, &self->load[k], eye) ? k : found;
    }
    return found;
}

/// A load that lies can be taken off: its sling is slack.
static bool is_slack(const SessionLoads *self, int index, const LiftingEye *eye)
{
    return hung_load_pull(&self->asked[index].pipe, &self->load[index], eye) < SLACK * weight_of(self, index);
}

static ExerciseEvent event_of(const SessionLoads *self, int index, EventKind kind, int64_t tick)
{
    return (ExerciseEvent){
        .tick = tick, .kind = (int32_t)kind, .thing = event_thing(THING_HUNG_LOAD, index, self->asked[index].name)};
}

static void report_load(const SessionLoads *self, int index, EventKind kind, int64_t tick, Exercise *exercise)
{
    ExerciseEvent event = event_of(self, index, kind, tick);
    exercise_note_event(exercise, &event);
}

/// What the operator asks for with the lever. `served`: the slinger is there.
static void hook_or_take_off(SessionLoads *self, const LiftingEye *eye, bool served, int64_t tick, Exercise *exercise)
{
    int hooked = find_hooked(self), reach = find_in_reach(self, eye);
    bool can = hooked >= 0 ? is_slack(self, hooked, eye) : reach >= 0 && vec3_length(eye->velocity) < EYE_STILL;
    if (can && self->has_slinger && !served) {
        int load = hooked >= 0 ? hooked : reach;
        if (self->called == 0) {
            report_load(self, load, EVENT_SLINGER, tick, exercise);
        }
        self->called = self->called != 0 ? self->called : load + 1;
    } else if (hooked >= 0 && can) {
        self->load[hooked].hooked[0] = 0;
        self->load[hooked].tension[0] = self->load[hooked].tension[1] = 0.0;
        report_load(self, hooked, EVENT_UNHOOKED, tick, exercise);
    } else if (hooked >= 0) {
        report_load(self, hooked, EVENT_HOOK_REFUSED, tick, exercise);
    } else if (can) {
        hung_load_wake(&self->load[reach]);
        self->load[reach].hooked[0] = 1;
        self->state[reach].laid = 0;
        report_load(self, reach, EVENT_HOOKED, tick, exercise);
    } else {
        ExerciseEvent refused = {
            .tick = tick, .kind = EVENT_HOOK_REFUSED, .form = reach >= 0 ? EVENT_HOOK_MOVES : EVENT_HOOK_FAR};
        exercise_note_event(exercise, &refused);
    }
}

/// Fixtures and loads asleep bear one that lies asleep on them, where its middle is between the points that bear it,
/// along it and across.
static bool lies_on_things(const SessionLoads *self, int index)
{
    Pose frame = hung_load_frame(&self->load[index]);
    double heading = hung_load_heading(&self->load[index]), c = same_cos(heading), s = same_sin(heading);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < self->fixture_count + self->count; k++) {
        int load = k - self->fixture_count;
        MachineFoot feet[4];
        const SolidThing *other = load < 0 ? &self->fixture[k] : &self->thing[load];
        bool bears = load < 0 || (load != index && self->load[load].asleep[0] != 0);
        int count = bears ? solid_things_meet(&self->thing[index], other, TOUCH_MARGIN, feet) : 0;
        for (int n = 0; n < count; n++) {
            Vec3 arm = vec3_sub(feet[n].point, frame.position);
            const double at[2] = {c * arm.x + s * arm.y, c * arm.y - s * arm.x};
            for (int axis = 0; axis < 2 && feet[n].normal.z > BEARING_SLOPE; axis++) {
                low[axis] = fmin(low[axis], at[axis]);
                high[axis] = fmax(high[axis], at[axis]);
            }
        }
    }
    return low[0] < 0.0 && high[0] > 0.0 && low[1] < 0.0 && high[1] > 0.0;
}

/// Wakes a load under which the ground, or the load that it lies on, has been taken away.
static void check_footing(SessionLoads *self, const Soil *soil, int index)
{
    HungLoadGround ground[HUNG_LOAD_FEET] = {{.height = 0.0}};
    Vec3 feet[HUNG_LOAD_FEET] = {{0.0, 0.0, 0.0}};
    int standing = 0;
    (void)find_ground(self, soil, index, ground);
    int count = hung_load_feet(&self->asked[index].pipe, &self->load[index], feet);
    for (int k = 0; k < count; k++) {
        standing += feet[k].z - ground[k].height < GROUND_GONE;
    }
    if (standing < 2 && !lies_on_things(self, index)) {
        hung_load_wake(&self->load[index]);
    }
}

void session_loads_begin_tick(SessionLoads *loads, const LoadSite *site, const OperatorControls *controls, int64_t tick,
                              Exercise *exercise)
{
    if (loads == NULL) {
        return;
    }
    bool pressed = control_value(controls, CONTROL_AUXILIARY) > 0.5 && !loads->grabs;
    if (pressed && loads->pressed == 0) {
        LiftingEye eye = machine_get_eye(site->machine, site->state);
        hook_or_take_off(loads, &eye, false, tick, exercise);
    }
    loads->pressed = pressed;
    for (int k = 0; k < loads->count; k++) {
        loads->touched[k] = loads->gripped[k] = false;
        if (loads->load[k].asleep[0] != 0) {
            check_footing(loads, site->soil, k);
        }
    }
}

void session_loads_serve(SessionLoads *loads, const LoadSite *site, int64_t tick, Exercise *exercise)
{
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    loads->called = 0;
    hook_or_take_off(loads, &eye, true, tick, exercise);
}

/// ---- substeps ------------------------------------------------------------------------------------------------------

/// What it runs into: fixtures, loads of lower numbers, and those of higher ones that sleep; a pair of loads awake is
/// the higher one's. `first`: the mover of load 0.
static void add_things(const SessionLoads *self, int index, int first, MachineMover *mover)
{
    for (int k = 0; k < self->fixture_count + self->count; k++) {
        bool fixture = k < self->fixture_count;
        int load = k - self->fixture_count;
        if (!fixture && (load == index || (load > index && self->load[load].asleep[0] == 0))) {
            continue;
        }
        const SolidThing *other = fixture ? &self->fixture[k] : &self->thing[load];
        MachineFoot feet[4] = {{.other = 0}};
        int count = solid_things_meet(&self->thing[index], other, TOUCH_MARGIN, feet);
        for (int n = 0; n < count; n++) {
            feet[n].other = fixture ? 0 : 1 + first + load;
            feet[n].friction = fixture ? FIXTURE_FRICTION : fmin(self->shape[index].friction, other->friction);
            hung_load_stand_on(&self->asked[index].pipe, &feet[n], mover);
        }
    }
}

/// A load asleep wakes when one that moves touches it.
static void wake_touched(SessionLoads *self)
{
    for (int k = 0; k < self->count; k++) {
        for (int other = 0; other < self->count && self->load[k].asleep[0] != 0; other++) {
            bool moves = other != k && self->load[other].asleep[0] == 0 && self->load[other].still[0] == 0.0;
            MachineFoot feet[4];
            if (moves && solid_things_meet(&self->thing[k], &self->thing[other], 0.0, feet) > 0) {
                hung_load_wake(&self->load[k]);
            }
        }
    }
}

const SolidThing *session_loads_shape(const SessionLoads *loads, int index)
{
    return &loads->shape[index];
}

RigidMotion session_loads_motion(const SessionLoads *loads, int index)
{
    return hung_load_motion(&loads->asked[index].pipe, &loads->load[index]);
}

/// A rock that lies on a load asleep leaves it asleep: both would keep each other awake.
static bool could_move(const SessionLoads *self, int index, Vec3 force, double h)
{
    double weight = weight_of(self, index), down = fmax(0.0, weight - force.z);
    return same_hypot(force.x, force.y) > MOVED_ASIDE * down || force.z > LIFTED_OFF * weight ||
           vec3_length(force) * h > STRUCK * self->asked[index].pipe.mass;
}

void session_loads_push(SessionLoads *loads, const Wrench pushes[SCENE_MAX_LOADS], double h)
{
    for (int k = 0; loads != NULL && k < loads->count; k++) {
        loads->pushed[k] = pushes[k];
        if (loads->load[k].asleep[0] != 0 && could_move(loads, k, pushes[k].force, h)) {
            hung_load_wake(&loads->load[k]);
        }
    }
}

void session_loads_fill_movers(SessionLoads *loads, const LoadSite *site, const MachineTouch *touches, int touch_count,
                               int first, MachineMover movers[SCENE_MAX_LOADS])
{
    for (int k = 0; k < SCENE_MAX_LOADS; k++) {
        movers[k] = (MachineMover){.mass = 0.0};
    }
    if (loads == NULL) {
        return;
    }
    for (int k = 0; k < touch_count; k++) {
        int index = touches[k].mover - 1 - first;
        if (index >= 0 && index < loads->count) {
            loads->touched[index] = true;
            loads->gripped[index] |= touches[k].body >= loads->first_jaw;
            hung_load_wake(&loads->load[index]);
        }
    }
    loads->first_mover = first;
    wake_touched(loads);
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    for (int k = 0; k < loads->count; k++) {
        if (loads->load[k].asleep[0] == 0) {
            const SceneLoad *asked = &loads->asked[k];
            HungLoadGround ground[HUNG_LOAD_FEET];
            (void)find_ground(loads, site->soil, k, ground);
            hung_load_push(&asked->pipe, ground, &eye, &loads->load[k], &movers[k]);
            wrench_add(&movers[k].wrench, &loads->pushed[k], 1.0);
            add_things(loads, k, first, &movers[k]);
            if (asked->tag_lines > 0.0 && loads->state[k].hangs != 0) {
                hung_load_guide(&asked->pipe, &loads->load[k], asked->place.heading, asked->tag_lines, &movers[k]);
            }
        }
    }
}

/// What a load bears of others whose feet are on it: these push it up from below.
static void add_borne(SessionLoads *self, const MachineMover *mover)
{
    for (int n = 0; mover->mass > 0.0 && n < mover->foot_count; n++) {
        const MachineFoot *foot = &mover->foot[n];
        int other = foot->other - 1 - self->first_mover;
        if (foot->other != 0 && other >= 0 && other < self->count && self->load[other].asleep[0] == 0) {
            self->load[other].borne[0] += fmax(0.0, -foot->force * foot->normal.z);
        }
    }
}

void session_loads_set_motion(SessionLoads *loads, const MachineMover movers[SCENE_MAX_LOADS])
{
    for (int k = 0; loads != NULL && k < loads->count; k++) {
        if (movers[k].mass > 0.0) {
            hung_load_take(&movers[k], &loads->load[k]);
            loads->load[k].borne[0] += fmax(0.0, loads->pushed[k].force.z); // a load may lie on rocks
            put_thing(loads, k);
        }
    }
    for (int k = 0; loads != NULL && k < loads->count; k++) {
        add_borne(loads, &movers[k]);
    }
}

/// ---- events --------------------------------------------------------------------------------------------------------

/// m/s at which the lowest foot sinks.
static double sinking_of(const SessionLoads *self, int index)
{
    Vec3 feet[HUNG_LOAD_FEET];
    int lowest = 0, count = hung_load_feet(&self->asked[index].pipe, &self->load[index], feet);
    for (int k = 1; k < count; k++) {
        lowest = feet[k].z < feet[lowest].z ? k : lowest;
    }
    return fmax(0.0, -hung_load_velocity(&self->load[index], feet[lowest]).z);
}

static void check_load(SessionLoads *self, int index, const LiftingEye *eye, int64_t tick, double dt,
                       Exercise *exercise)
{
    LoadState *state = &self->state[index];
    double weight = weight_of(self, index), borne = self->load[index].borne[0];
    bool held = self->gripped[index] || (self->load[index].hooked[0] != 0 && !is_slack(self, index, eye));
    bool free = held && borne < CLEAR_OF * weight;
    state->free_time = free ? fmin(state->free_time + dt, HANGS_TIME) : 0.0;
    if (state->hangs == 0 && state->free_time >= HANGS_TIME) {
        state->hangs = state->lifted = 1;
        state->laid = 0;
        ExerciseEvent event = event_of(self, index, EVENT_LIFTED_OFF, tick);
        event.number.load = self->asked[index].pipe.mass;
        exercise_note_event(exercise, &event);
    } else if (state->hangs != 0 && borne > SET_DOWN * weight) {
        state->hangs = 0;
        self->impact = fmax(self->impact, state->sinking);
        ExerciseEvent event = event_of(self, index, EVENT_SET_DOWN, tick);
        event.number.speed = state->sinking;
        exercise_note_event(exercise, &event);
    } else if (state->lifted != 0 && state->laid == 0 && state->hangs == 0 && is_slack(self, index, eye)) {
        state->laid = 1;
        report_load(self, index, EVENT_LAID_DOWN, tick, exercise);
    }
    if (state->hangs == 0 && is_slack(self, index, eye)) {
        measure_place(self, index);
    }
    state->sinking = sinking_of(self, index);
}

void session_loads_end_tick(SessionLoads *loads, const LoadSite *site, int64_t tick, double dt, Exercise *exercise)
{
    if (loads == NULL) {
        return;
    }
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    loads->impact = 0.0;
    for (int k = 0; k < loads->count; k++) {
        bool slept = loads->load[k].asleep[0] != 0;
        bool on_rocks =
            loads->pushed[k].force.z > LIFTED_OFF * weight_of(loads, k); // they might sleep under its weight
        hung_load_rest(loads->touched[k] || on_rocks, dt, &loads->load[k]);
        if (!slept && loads->load[k].asleep[0] != 0) {
            put_thing(loads, k); // it stops: what touches it next meets a thing at rest, as after a restore
        }
        check_load(loads, k, &eye, tick, dt, exercise);
    }
}

/// ---- trench boxes --------------------------------------------------------------------------------------------------

#define UPRIGHT 0.97 ///< cosine of the lean up to which a box holds walls, 14 degrees. Chosen

/// Writes both plates of a box that stands upright; 0: it hangs, leans or is a pipe.
static int plates_of(const SessionLoads *self, int index, SoilPlate plates[2])
{
    const HungLoadParams *box = &self->asked[index].pipe;
    Pose frame = hung_load_frame(&self->load[index]);
    Vec3 side = mat3_mul(&frame.rotation, vec3(0.0, 1.0, 0.0));
    if (box->height <= 0.0 || self->state[index].hangs != 0 || frame.rotation.m[2][2] < UPRIGHT) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        double out = (k == 0 ? 0.5 : -0.5) * (box->width - box->wall);
        plates[k] = (SoilPlate){.x = frame.position.x + out * side.x,
                                .y = frame.position.y + out * side.y,
                                .heading = hung_load_heading(&self->load[index]),
                                .length = box->length,
                                .thickness = box->wall,
                                .bottom = frame.position.z - 0.5 * box->height,
                                .top = frame.position.z + 0.5 * box->height};
    }
    return 2;
}

void session_loads_press(SessionLoads *loads, const Soil *soil, int64_t tick, Exercise *exercise)
{
    for (int k = 0; k < session_loads_count(loads); k++) {
        SoilPlate plates[2];
        double rating = loads->asked[k].pipe.rating, pressure = 0.0;
        int count = tick % PRESS_TICKS == 0 && loads->state[k].bent == 0 ? plates_of(loads, k, plates) : 0;
        for (int n = 0; n < count; n++) {
            pressure = fmax(pressure, soil_get_plate_pressure(soil, &plates[n]));
        }
        if (count > 0 && pressure > rating) {
            loads->state[k].bent = 1;
            ExerciseEvent event = event_of(loads, k, EVENT_BOX_OVERLOADED, tick);
            event.number = (EventNumbers){.x = plates[0].x, .y = plates[0].y, .z = plates[0].bottom};
            event.number.share = pressure / rating;
            exercise_report(exercise, INCIDENT_BOX_OVERLOADED, &event);
        }
    }
}

int session_loads_plates(const SessionLoads *loads, SoilPlate plates[SOIL_MAX_PLATES])
{
    int count = 0;
    for (int k = 0; k < session_loads_count(loads) && count + 2 <= SOIL_MAX_PLATES; k++) {
        count += loads->state[k].bent == 0 ? plates_of(loads, k, plates + count) : 0;
    }
    return count;
}

/// ---- what others read ----------------------------------------------------------------------------------------------

int session_loads_count(const SessionLoads *loads)
{
    return loads != NULL ? loads->count : 0;
}

const HungLoad *session_loads_get(const SessionLoads *loads, int index)
{
    return &loads->load[index];
}

const SolidThing *session_loads_thing(const SessionLoads *loads, int index)
{
    return &loads->thing[index];
}

int session_loads_sight(const SessionLoads *loads, IncidentLoad sight[SCENE_MAX_LOADS])
{
    int count = session_loads_count(loads);
    for (int k = 0; k < count; k++) {
        sight[k] = (IncidentLoad){.thing = &loads->thing[k],
                                  .name = loads->asked[k].name,
                                  .hangs = loads->state[k].hangs != 0,
                                  .hooked = loads->load[k].hooked[0] != 0,
                                  .called = loads->called == k + 1,
                                  .middle = hung_load_frame(&loads->load[k]).position,
                                  .heading = hung_load_heading(&loads->load[k])};
    }
    return count;
}

SessionLift session_loads_lift(const SessionLoads *loads, const LoadSite *site)
{
    SessionLift lift = {.hooked = -1, .in_reach = -1};
    if (loads == NULL) {
        return lift;
    }
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    lift.hooked = find_hooked(loads);
    lift.in_reach = lift.hooked < 0 ? find_in_reach(loads, &eye) : -1;
    if (lift.hooked >= 0) {
        const HungLoad *load = &loads->load[lift.hooked];
        lift.hangs = loads->state[lift.hooked].hangs != 0;
        lift.pull = fmax(0.0, hung_load_pull(&loads->asked[lift.hooked].pipe, load, &eye));
        lift.swing = hung_load_swing(load, &eye);
    }
    lift.moment = machine_lifting_moment(site->machine, site->state, eye.point, lift.pull);
    return lift;
}

SessionLoadPose session_loads_pose(const SessionLoads *loads, const LoadSite *site, int index)
{
    const HungLoadParams *pipe = &loads->asked[index].pipe;
    Pose frame = hung_load_frame(&loads->load[index]);
    LiftingEye eye = machine_get_eye(site->machine, site->state);
    SessionLoadPose pose = {.radius = pipe->radius,
                            .solid = pipe->density > 0.0,
                            .width = pipe->width,
                            .height = pipe->height,
                            .wall = pipe->wall,
                            .up = mat3_mul(&frame.rotation, vec3(0.0, 0.0, 1.0)),
                            .eye = eye.point};
    pose.end[0] = pose_apply(&frame, vec3(-0.5 * pipe->length, 0.0, 0.0));
    pose.end[1] = pose_apply(&frame, vec3(0.5 * pipe->length, 0.0, 0.0));
    if (loads->load[index].hooked[0] != 0) {
        pose.leg_count = hung_load_hitches(pipe, &loads->load[index], &eye, pose.hitch);
    }
    return pose;
}

int session_loads_lines(const SessionLoads *loads, const SessionLift *lift, TextUnits units,
                        char lines[LIFT_LINES][LIFT_LINE])
{
    int count = 0;
    if (lift->attended || loads->called > 0) {
        snprintf(lines[count++], LIFT_LINE, "%s",
                 language_text(lift->attended ? TEXT("Slinger at the load: stand still")
                                              : TEXT("Slinger called: stand still")));
    }
    if (lift->hooked >= 0 && !lift->attended) {
        snprintf(lines[count++], LIFT_LINE, language_text("%s at %s: %.0f %% of tipping"),
                 quantity(QUANTITY_MASS, lift->pull / STANDARD_GRAVITY, units).text,
                 quantity(QUANTITY_WAY, lift->moment.radius, units).text, 100.0 * lift->moment.share);
        bool beyond = lift->moment.share > LIFTING_CAPACITY;
        snprintf(lines[count++], LIFT_LINE,
                 language_text(beyond ? TEXT("Too heavy there: %.0f %% at most") : TEXT("Off plumb %.0f deg")),
                 beyond ? 100.0 * LIFTING_CAPACITY : lift->swing * 180.0 / M_PI);
    } else if (lift->in_reach >= 0 && count == 0) {
        snprintf(lines[count++], LIFT_LINE,
                 language_text(loads->has_slinger ? TEXT("%s within reach: stand still, call")
                                                  : TEXT("%s within reach: stand still, hook")),
                 reader_name(&(TextReader){.units = units}, loads->asked[lift->in_reach].name));
    }
    return count;
}

ExerciseLoads session_loads_sample(const SessionLoads *loads, const LoadSite *site)
{
    ExerciseLoads figures = {.impact = 0.0};
    SessionLift lift = session_loads_lift(loads, site);
    for (int k = 0; k < session_loads_count(loads); k++) {
        const struct SceneLoadPlace *place = &loads->asked[k].place;
        const LoadState *state = &loads->state[k];
        const double *v = loads->load[k].motion.velocity;
        bool lies =
            loads->load[k].hooked[0] == 0 && state->hangs == 0 && vec3_length(vec3(v[0], v[1], v[2])) < LYING_SPEED;
        figures.offset = fmax(figures.offset, state->offset);
        figures.heading = fmax(figures.heading, state->error);
        figures.placed += lies && state->lifted != 0 && place->within > 0.0 && state->offset <= place->within &&
                          state->error <= place->within_angle;
        figures.lifted += state->lifted;
    }
    figures.impact = loads != NULL ? loads->impact : 0.0;
    figures.swing = lift.hangs ? lift.swing : 0.0;
    figures.share = lift.moment.share;
    return figures;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool is_flag(int32_t number)
{
    return number == 0 || number == 1;
}

static void visit_state(LoadState *state, StateVisitor *visitor)
{
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "load." #name, state->name);
    LOAD_FIELDS(F)
#undef F
    bool good = is_flag(state->hangs) && is_flag(state->lifted) && is_flag(state->bent) && is_flag(state->laid) &&
                state->sinking >= 0.0 && isfinite(state->sinking) && state->offset >= 0.0 && isfinite(state->offset) &&
                state->error >= 0.0 && state->error <= M_PI && state->free_time >= 0.0 &&
                state->free_time <= HANGS_TIME;
    if (visitor->restoring && !good) {
        *state = (LoadState){0};
        visitor->failed = true;
    }
}

void session_loads_visit(SessionLoads *loads, StateVisitor *visitor)
{
    if (loads == NULL) {
        return;
    }
    STATE_VISIT(visitor, "loads.pressed", loads->pressed);
    STATE_VISIT(visitor, "loads.called", loads->called);
    for (int k = 0; k < loads->count; k++) {
        hung_load_visit(&loads->load[k], visitor);
        visit_state(&loads->state[k], visitor);
    }
    if (visitor->restoring && !(is_flag(loads->pressed) && loads->called >= 0 && loads->called <= loads->count)) {
        loads->pressed = loads->called = 0;
        visitor->failed = true;
    }
    for (int k = 0; visitor->restoring && k < loads->count; k++) {
        put_thing(loads, k);
        loads->touched[k] = loads->gripped[k] = false;
    }
    loads->impact = visitor->restoring ? 0.0 : loads->impact;
}

bool session_loads_are_finite(const SessionLoads *loads)
{
    bool finite = true;
    for (int k = 0; k < session_loads_count(loads); k++) {
        finite = finite && hung_load_is_finite(&loads->load[k]);
    }
    return finite;
}
