/// Which tool the machine has, where the others are, and the switch of the coupler.
#include "trainer/sim/session_tools.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/language.h"
#include "data/schema/schema.h"

#define HELD_RELEASES 1.0 ///< s that the switch is held in place of the second step. Chosen: longer than a press
#define DROP_LEAST    0.1 ///< m over the ground: less is no fall. Chosen
#define LIFTED_LEAST  0.3 ///< m over the ground of a tool that is lifted. Chosen
#define STANDS        0.5 ///< of its weight that ground bears of a tool which stands. Chosen
#define TOUCH_MARGIN  0.01 ///< m: contact is searched within this distance
#define STILL_SPEED   3e-3 ///< m/s, of its centre and of what is REACH from it: less is no motion
#define REACH         0.8 ///< m
#define STILL_TIME    0.5 ///< s without motion after which it sleeps
#define GROUND_GONE   0.02 ///< m: a tool asleep wakes when fewer than three feet are so near to the ground
#define START_SINKING 0.002 ///< m that a tool starts in the ground
#define NEAR_HOOK     0.4 ///< m: a tool whose first pin is so near meets the coupler with hook and jaw alone
#define STRIKES       0.5 ///< m/s at which a loose tool strikes what it runs into. Chosen: a drop of 13 mm
#define STRUCK_APART  1.0 ///< s within which blows are one
#define FALLS_SPEED   0.3 ///< m/s: what has left the hook and is slower threatens nobody

typedef struct CouplerState {
#define F(type, name, low, high, unit) type name;
    COUPLER_FIELDS(F)
#undef F
} CouplerState;

typedef struct ToolState {
    MachineBodyState motion;
#define F(type, name, low, high, unit) type name;
    TOOL_FIELDS(F)
#undef F
} ToolState;

struct SessionTools {
    int count;
    Machine *fitted[SESSION_MAX_TOOLS]; ///< with each tool; the first belongs to the session
    Machine *bare;
    MachineParams *plain[SESSION_MAX_TOOLS];
    LooseToolParams loose[SESSION_MAX_TOOLS];
    char name[SESSION_MAX_TOOLS][SCENE_NAME_LENGTH];
    /// Scratch.
    SolidThing thing[SESSION_MAX_TOOLS];
    bool touched[SESSION_MAX_TOOLS]; ///< in this tick
    double blow[SESSION_MAX_TOOLS]; ///< m/s at which it struck a thing in this tick
    int blow_thing[SESSION_MAX_TOOLS];
    /// State.
    CouplerState state;
    ToolState tool[SESSION_MAX_TOOLS];
};

static bool is_loose(const SessionTools *self, int k)
{
    return self->state.tool != k;
}

static void put_thing(SessionTools *self, int k)
{
    loose_tool_thing(&self->loose[k], &self->tool[k].motion, &self->thing[k]);
}

static int hooked_tool(const SessionTools *self)
{
    int hooked = -1;
    for (int k = 0; k < self->count; k++) {
        hooked = is_loose(self, k) && self->tool[k].hooked != 0 ? k : hooked;
    }
    return hooked;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool find_ground(const SessionTools *self, const Soil *soil, int k, LooseToolGround ground[LOOSE_TOOL_FEET])
{
    Vec3 feet[LOOSE_TOOL_FEET];
    int count = loose_tool_feet(&self->loose[k], &self->tool[k].motion, feet), near = 0;
    for (int n = 0; n < count; n++) {
        SoilBase base = soil_get_base(soil, feet[n]);
        ground[n] = (LooseToolGround){base.height, base.normal};
        near += feet[n].z - base.height < GROUND_GONE;
    }
    return near >= 3;
}

/// Stands a tool on the highest ground under its feet.
static void put_down(SessionTools *self, const SceneTool *asked, const Soil *soil, int k)
{
    LooseToolGround ground[LOOSE_TOOL_FEET];
    const double high = 10.0; // m: over any ground
    loose_tool_start(&self->loose[k], asked->x, asked->y, high, asked->heading, &self->tool[k].motion);
    Vec3 feet[LOOSE_TOOL_FEET];
    int count = loose_tool_feet(&self->loose[k], &self->tool[k].motion, feet);
    double lowest = HUGE_VAL;
    find_ground(self, soil, k, ground);
    for (int n = 0; n < count; n++) {
        lowest = fmin(lowest, feet[n].z - ground[n].height);
    }
    self->tool[k].motion.position[2] -= lowest + START_SINKING;
    self->tool[k].borne = self->loose[k].mass * STANDARD_GRAVITY;
    put_thing(self, k);
}

static bool check_start(const SessionTools *self, const ToolSite *site, const SessionSolids *solids, int k,
                        Status *status)
{
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    char place[SCENE_NAME_LENGTH + 32];
    snprintf(place, sizeof place, "exercise.tools.%d (%s)", k - 1, self->name[k]);
    if (machine_find_touches(site->machine, site->state, &self->thing[k], 1, touches) > 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: the machine starts in it: its %s, allowed beside it", place,
                           machine_part_name(site->machine, touches[0].part));
    }
    for (int n = 0; n < session_solids_count(solids); n++) {
        if (solid_things_overlap(session_solids_thing(solids, n), &self->thing[k])) {
            return status_fail(status, STATUS_BAD_FILE, "%s: it starts in the %s, allowed beside it", place,
                               session_solids_called(solids, n)->name);
        }
    }
    for (int n = 1; n < k; n++) {
        if (solid_things_overlap(&self->thing[n], &self->thing[k])) {
            return status_fail(status, STATUS_BAD_FILE, "%s: it starts in exercise.tools.%d (%s), allowed beside it",
                               place, n - 1, self->name[n]);
        }
    }
    return true;
}

/// Makes the machine with tool k, and that tool as a body; -1: the coupler alone.
static bool make_machine(SessionTools *self, const SceneParams *scene, const DataFiles *files, int k, Status *status)
{
    MachineParams *params = malloc(sizeof *params);
    bool good = params != NULL;
    if (good && k >= 0) {
        self->plain[k] = malloc(sizeof *self->plain[k]);
        good = self->plain[k] != NULL;
    }
    if (!good) {
        free(params);
        return status_fail(status, STATUS_LACKING, "out of memory for the tools of the scene");
    }
    good = data_load_scene_tool(files, scene, k, k >= 0 ? self->plain[k] : NULL, params, status);
    if (good && k != 0) {
        Machine *made = machine_create(params, status);
        *(k < 0 ? &self->bare : &self->fitted[k]) = made;
        good = made != NULL;
    }
    free(params);
    return good && (k < 0 || loose_tool_make(self->plain[k], &self->loose[k], status));
}

static bool make_all(SessionTools *self, const SceneParams *scene, const DataFiles *files, const ToolSite *site,
                     const SessionSolids *solids, Status *status)
{
    bool good = make_machine(self, scene, files, -1, status);
    snprintf(self->name[0], sizeof self->name[0], "%s", scene->machine.attachment);
    self->tool[0].motion.quaternion[0] = 1.0;
    for (int k = 0; good && k < self->count; k++) {
        good = make_machine(self, scene, files, k, status);
        if (good && k > 0) {
            const SceneTool *asked = &scene->exercise.tools[k - 1];
            snprintf(self->name[k], sizeof self->name[k], "%s", asked->attachment);
            put_down(self, asked, site->soil, k);
            good = check_start(self, site, solids, k, status);
        }
    }
    return good;
}

bool session_tools_create(const SceneParams *scene, const DataFiles *files, Machine *machine, const ToolSite *site,
                          const SessionSolids *solids, SessionTools **tools, Status *status)
{
    *tools = NULL;
    if (scene->exercise.tools_count == 0) {
        return true;
    }
    SessionTools *self = calloc(1, sizeof *self);
    *tools = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the tools of the scene");
    }
    self->count = 1 + scene->exercise.tools_count;
    self->fitted[0] = machine;
    return make_all(self, scene, files, site, solids, status);
}

void session_tools_destroy(SessionTools *tools)
{
    for (int k = 0; tools != NULL && k < tools->count; k++) {
        machine_destroy(k > 0 ? tools->fitted[k] : NULL);
        free(tools->plain[k]);
    }
    if (tools != NULL) {
        machine_destroy(tools->bare);
    }
    free(tools);
}

Machine *session_tools_machine(const SessionTools *tools, Machine *machine)
{
    return tools == NULL ? machine : tools->state.tool >= 0 ? tools->fitted[tools->state.tool] : tools->bare;
}

/// ---- events --------------------------------------------------------------------------------------------------------

static ExerciseEvent event_of(const SessionTools *self, int form, int k, int64_t tick)
{
    ExerciseEvent event = {.tick = tick, .kind = EVENT_COUPLER, .form = form};
    if (k >= 0) {
        event.thing = event_thing(THING_TOOL, k, self->name[k][0] != '\0' ? self->name[k] : "bucket");
        event.number.load = self->loose[k].mass;
    }
    return event;
}

static void report(const SessionTools *self, int form, int k, int64_t tick, Exercise *exercise)
{
    ExerciseEvent event = event_of(self, form, k, tick);
    exercise_note_event(exercise, &event);
}

/// ---- the switch ----------------------------------------------------------------------------------------------------

/// The joint that curls the tool: how far it is from its curled end, rad.
static double uncurled(const Machine *machine, const MachineReadout *readout)
{
    const MachineParams *params = machine_params(machine);
    double off = 0.0;
    for (int k = 0; k < params->joint_count; k++) {
        off = params->joint[k].child == params->tool[0].body ? readout->angle[k] - params->joint[k].range[0] : off;
    }
    return off;
}

/// Why the tool cannot be released now, as a form of EVENT_COUPLER; -1: it can.
static int refusal(const SessionTools *self, const ToolSite *site, const ToolSight *sight)
{
    const CouplerLock *lock = &machine_params(self->bare)->lock;
    return !sight->powered                                          ? EVENT_COUPLER_NO_POWER
           : uncurled(site->machine, sight->readout) > lock->curled ? EVENT_COUPLER_NOT_CURLED
           : sight->payload > lock->most_load                       ? EVENT_COUPLER_LOADED
           : sight->force > lock->most_force                        ? EVENT_COUPLER_PRESSED
                                                                    : -1;
}

static void begin_release(SessionTools *self, const ToolSite *site, const ToolSight *sight, bool confirmed,
                          Exercise *exercise)
{
    CouplerState *state = &self->state;
    int refused = refusal(self, site, sight);
    if (refused >= 0) {
        state->confirm = 0.0;
        report(self, refused, state->tool, sight->tick, exercise);
    } else if (confirmed) {
        state->confirm = state->wedge_time = 0.0;
        state->wedge = -1;
    } else {
        state->confirm = machine_params(self->bare)->lock.confirm_time;
        report(self, EVENT_COUPLER_ASKED, state->tool, sight->tick, exercise);
    }
}

static bool is_seated(const SessionTools *self, const ToolSite *site, int k)
{
    if (k < 0 || site->machine != self->bare) {
        return false;
    }
    CouplerPins pins = machine_coupler_pins(self->bare, site->state, &self->loose[k], &self->tool[k].motion);
    return coupler_pins_seated(&machine_params(self->bare)->lock, &pins);
}

static void begin_lock(SessionTools *self, const ToolSite *site, const ToolSight *sight, Exercise *exercise)
{
    int hooked = hooked_tool(self);
    if (!sight->powered) {
        report(self, EVENT_COUPLER_NO_POWER, hooked, sight->tick, exercise);
    } else if (!is_seated(self, site, hooked)) {
        report(self, EVENT_COUPLER_NOT_SEATED, hooked, sight->tick, exercise);
    } else {
        self->state.wedge = 1;
        self->state.wedge_time = 0.0;
    }
}

static void take_switch(SessionTools *self, const ToolSite *site, const ToolSight *sight,
                        const OperatorControls *controls, Exercise *exercise)
{
    CouplerState *state = &self->state;
    double value = control_value(controls, CONTROL_COUPLER);
    bool pressed = value > 0.5, begins = pressed && state->pressed == 0;
    double held = pressed ? fmin(state->held + sight->dt, HELD_RELEASES) : 0.0;
    bool confirmed = state->confirm > 0.0 && (begins || (held >= HELD_RELEASES && state->held < HELD_RELEASES));
    state->confirm = value < -0.5 ? 0.0 : fmax(0.0, state->confirm - sight->dt);
    state->held = held;
    state->pressed = pressed;
    if (state->wedge != 0) {
        return;
    }
    if (state->tool >= 0 && (begins || confirmed)) {
        begin_release(self, site, sight, confirmed, exercise);
    } else if (state->tool < 0 && begins) {
        begin_lock(self, site, sight, exercise);
    }
}

/// ---- the change ----------------------------------------------------------------------------------------------------

static void release(SessionTools *self, const ToolSite *site, int64_t tick, Exercise *exercise)
{
    int k = self->state.tool;
    ToolState *tool = &self->tool[k];
    *tool = (ToolState){.hooked = 1};
    machine_lay_down(self->fitted[k], self->bare, &self->loose[k], site->state, &tool->motion);
    self->state.tool = -1;
    self->state.unlocked = 1; // who has just released it in the air knows
    put_thing(self, k);
    report(self, EVENT_COUPLER_RELEASED, k, tick, exercise);
}

static bool lock(SessionTools *self, const ToolSite *site, int64_t tick, Exercise *exercise)
{
    int k = hooked_tool(self);
    if (!is_seated(self, site, k)) {
        report(self, EVENT_COUPLER_NOT_SEATED, k, tick, exercise);
        return false;
    }
    machine_take_up(self->bare, self->fitted[k], &self->loose[k], &self->tool[k].motion, site->state);
    self->tool[k] = (ToolState){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
    self->state.tool = k;
    self->state.taken++;
    report(self, EVENT_COUPLER_LOCKED, k, tick, exercise);
    return true;
}

/// The wedge moves; at its end the machine is another one.
static bool move_wedge(SessionTools *self, const ToolSite *site, const ToolSight *sight, Exercise *exercise)
{
    CouplerState *state = &self->state;
    if (state->wedge == 0) {
        return false;
    }
    state->wedge_time += sight->dt;
    if (state->wedge_time < machine_params(self->bare)->lock.wedge_time) {
        return false;
    }
    bool opens = state->wedge < 0;
    state->wedge = 0;
    state->wedge_time = 0.0;
    if (opens) {
        release(self, site, sight->tick, exercise);
        return true;
    }
    return lock(self, site, sight->tick, exercise);
}

bool session_tools_begin_tick(SessionTools *tools, const ToolSite *site, const ToolSight *sight,
                              const OperatorControls *controls, Exercise *exercise)
{
    if (tools == NULL) {
        return false;
    }
    take_switch(tools, site, sight, controls, exercise);
    bool changed = move_wedge(tools, site, sight, exercise);
    for (int k = 0; k < tools->count; k++) {
        LooseToolGround ground[LOOSE_TOOL_FEET];
        ToolState *tool = &tools->tool[k];
        tools->touched[k] = false;
        tools->blow[k] = 0.0;
        tool->struck = fmax(0.0, tool->struck - sight->dt);
        if (is_loose(tools, k) && tool->asleep != 0 && !find_ground(tools, site->soil, k, ground)) {
            tool->asleep = 0;
            tool->still = 0.0;
        }
    }
    return changed;
}

/// ---- substeps ------------------------------------------------------------------------------------------------------

/// Leaves out what lies between the coupler and a tool whose pin is at its hook.
static bool is_at_hook(const SessionTools *self, const ToolSite *site, const MachineTouch *touch, int k)
{
    if (touch->body != machine_params(site->machine)->tool[0].body || site->machine != self->bare) {
        return false;
    }
    CouplerPins pins = machine_coupler_pins(self->bare, site->state, &self->loose[k], &self->tool[k].motion);
    return pins.first < NEAR_HOOK;
}

int session_tools_find(SessionTools *tools, const ToolSite *site, int first, MachineTouch touches[MACHINE_MAX_TOUCHES],
                       int count)
{
    for (int k = 0; tools != NULL && k < tools->count; k++) {
        if (!is_loose(tools, k)) {
            continue;
        }
        MachineTouch found[MACHINE_MAX_TOUCHES];
        int added = machine_find_touches(site->machine, site->state, &tools->thing[k], 1, found);
        for (int n = 0; n < added && count < MACHINE_MAX_TOUCHES; n++) {
            if (!is_at_hook(tools, site, &found[n], k)) {
                touches[count] = found[n];
                touches[count].thing = -1;
                touches[count++].mover = 1 + first + k;
            }
        }
        if (tools->tool[k].hooked != 0) {
            count = machine_hook_touches(site->machine, site->state, &tools->loose[k], &tools->tool[k].motion,
                                         1 + first + k, touches, count);
        }
    }
    return count;
}

/// m/s at which a tool comes nearer to a thing at a point of contact.
static double nearing(const SessionTools *self, int k, const SolidThing *other, const MachineFoot *foot)
{
    const SolidThing *own = &self->thing[k];
    Vec3 v = vec3_add(own->velocity, vec3_cross(own->spin, vec3_sub(foot->point, own->center)));
    Vec3 w = vec3_add(other->velocity, vec3_cross(other->spin, vec3_sub(foot->point, other->center)));
    return -vec3_dot(vec3_sub(v, w), foot->normal);
}

static void add_feet(SessionTools *self, int k, const SolidThing *other, int mover, int called, MachineMover *own)
{
    MachineFoot feet[4] = {{.other = 0}};
    int count = solid_things_meet(&self->thing[k], other, TOUCH_MARGIN, feet);
    for (int n = 0; n < count; n++) {
        feet[n].other = mover;
        loose_tool_stand_on(&self->loose[k], &feet[n], own);
        double speed = nearing(self, k, other, &feet[n]);
        if (called >= 0 && speed > self->blow[k]) {
            self->blow[k] = speed;
            self->blow_thing[k] = called;
        }
    }
}

void session_tools_fill_movers(SessionTools *tools, const ToolSite *site, const SessionSolids *solids,
                               const MachineTouch *touches, int touch_count, int first,
                               MachineMover movers[SESSION_MAX_TOOLS])
{
    for (int k = 0; k < SESSION_MAX_TOOLS; k++) {
        movers[k] = (MachineMover){.mass = 0.0};
    }
    for (int k = 0; tools != NULL && k < touch_count; k++) {
        int index = touches[k].mover - 1 - first;
        if (index >= 0 && index < tools->count) {
            tools->touched[index] = true;
            tools->tool[index].asleep = 0;
            tools->tool[index].still = 0.0;
        }
    }
    for (int k = 0; tools != NULL && k < tools->count; k++) {
        if (!is_loose(tools, k) || tools->tool[k].asleep != 0) {
            continue;
        }
        LooseToolGround ground[LOOSE_TOOL_FEET];
        find_ground(tools, site->soil, k, ground);
        loose_tool_push(&tools->loose[k], ground, &tools->tool[k].motion, &movers[k]);
        for (int n = 0; n < session_solids_count(solids); n++) {
            const SolidThing *other = session_solids_thing(solids, n);
            add_feet(tools, k, other, other->mover, n, &movers[k]);
        }
        for (int n = 0; n < k; n++) {
            if (is_loose(tools, n)) {
                add_feet(tools, k, &tools->thing[n], 1 + first + n, -1, &movers[k]);
            }
        }
    }
}

void session_tools_set_motion(SessionTools *tools, const MachineMover movers[SESSION_MAX_TOOLS])
{
    for (int k = 0; tools != NULL && k < tools->count; k++) {
        if (movers[k].mass > 0.0) {
            tools->tool[k].motion = movers[k].body;
            tools->tool[k].borne = 0.0;
            for (int n = 0; n < movers[k].foot_count; n++) {
                tools->tool[k].borne += fmax(0.0, movers[k].foot[n].force);
            }
            put_thing(tools, k);
        }
    }
}

/// ---- end of a tick -------------------------------------------------------------------------------------------------

static bool stands(const SessionTools *self, int k)
{
    return self->tool[k].borne > STANDS * self->loose[k].mass * STANDARD_GRAVITY;
}

/// m that the lowest foot is over the ground; 0: on it.
static double height_over_ground(const SessionTools *self, const Soil *soil, int k)
{
    LooseToolGround ground[LOOSE_TOOL_FEET] = {{.height = 0.0}};
    Vec3 feet[LOOSE_TOOL_FEET] = {{0.0, 0.0, 0.0}};
    int count = loose_tool_feet(&self->loose[k], &self->tool[k].motion, feet);
    double lowest = HUGE_VAL;
    find_ground(self, soil, k, ground);
    for (int n = 0; n < count; n++) {
        lowest = fmin(lowest, feet[n].z - ground[n].height);
    }
    return fmax(0.0, lowest);
}

static void leave_hook(SessionTools *self, const ToolSite *site, int k, int64_t tick, Exercise *exercise)
{
    ToolState *tool = &self->tool[k];
    tool->hooked = 0;
    if (stands(self, k) || height_over_ground(self, site->soil, k) < DROP_LEAST) {
        self->state.laid++;
        report(self, EVENT_COUPLER_LAID, k, tick, exercise);
        return;
    }
    tool->falls = 1;
    self->state.dropped++;
    ExerciseEvent event = event_of(self, EVENT_COUPLER_DROPPED, k, tick);
    event.number.x = tool->motion.position[0];
    event.number.y = tool->motion.position[1];
    event.number.z = tool->motion.position[2];
    event.number.height = height_over_ground(self, site->soil, k);
    event.number.energy = self->loose[k].mass * STANDARD_GRAVITY * event.number.height;
    exercise_note_event(exercise, &event);
}

/// What the hook has taken or lost.
static void watch_hook(SessionTools *self, const ToolSite *site, int k, int64_t tick, Exercise *exercise)
{
    const CouplerLock *lock = &machine_params(self->bare)->lock;
    CouplerPins pins = machine_coupler_pins(self->bare, site->state, &self->loose[k], &self->tool[k].motion);
    ToolState *tool = &self->tool[k];
    if (tool->hooked != 0 && coupler_pin_leaves(lock, &pins)) {
        leave_hook(self, site, k, tick, exercise);
    } else if (tool->hooked == 0 && hooked_tool(self) < 0 && coupler_pin_enters(lock, &pins)) {
        tool->hooked = 1;
        tool->falls = 0;
        self->state.unlocked = 0;
        report(self, EVENT_COUPLER_HOOKED, k, tick, exercise);
    }
    if (tool->hooked != 0 && stands(self, k)) {
        self->state.unlocked = 0;
    } else if (tool->hooked != 0 && self->state.unlocked == 0 &&
               height_over_ground(self, site->soil, k) > LIFTED_LEAST) {
        self->state.unlocked = 1;
        report(self, EVENT_COUPLER_UNLOCKED, k, tick, exercise);
    }
}

/// A loose tool that strikes a thing of the site.
static void watch_blow(SessionTools *self, const SessionSolids *solids, int k, int64_t tick, Exercise *exercise)
{
    ToolState *tool = &self->tool[k];
    if (self->blow[k] < STRIKES || tool->struck > 0.0) {
        return;
    }
    const double *p = tool->motion.position, v = self->blow[k], mass = self->loose[k].mass;
    ExerciseEvent event = event_of(self, 0, k, tick);
    event.part = event.thing;
    event.thing = *session_solids_called(solids, self->blow_thing[k]);
    event.number =
        (EventNumbers){.x = p[0], .y = p[1], .z = p[2], .speed = v, .impulse = mass * v, .energy = 0.5 * mass * v * v};
    tool->struck = STRUCK_APART;
    exercise_report(exercise, INCIDENT_TOUCH, &event);
}

void session_tools_end_tick(SessionTools *tools, const ToolSite *site, const SessionSolids *solids, int64_t tick,
                            double dt, Exercise *exercise)
{
    for (int k = 0; tools != NULL && k < tools->count; k++) {
        if (!is_loose(tools, k)) {
            continue;
        }
        ToolState *tool = &tools->tool[k];
        bool still = !tools->touched[k] && tool->hooked == 0 && machine_body_pace(&tool->motion, REACH) < STILL_SPEED;
        machine_body_doze(still, STILL_TIME, dt, &tool->still, &tool->asleep, &tool->motion);
        tool->still = fmin(tool->still, STILL_TIME);
        tool->falls = tool->asleep != 0 ? 0 : tool->falls;
        if (tools->state.tool < 0) {
            watch_hook(tools, site, k, tick, exercise);
        }
        watch_blow(tools, solids, k, tick, exercise);
    }
}

/// ---- what others read ----------------------------------------------------------------------------------------------

CouplerReadout session_tools_readout(const SessionTools *tools, const ToolSite *site)
{
    CouplerReadout readout = {.tool = -1, .name = ""};
    if (tools == NULL) {
        return readout;
    }
    readout.has = true;
    readout.moves = tools->state.wedge != 0;
    readout.confirm = tools->state.confirm;
    readout.tool = tools->state.tool >= 0 ? tools->state.tool : hooked_tool(tools);
    readout.stand = tools->state.tool >= 0                 ? COUPLER_STANDS_LOCKED
                    : readout.tool < 0                     ? COUPLER_STANDS_OPEN
                    : is_seated(tools, site, readout.tool) ? COUPLER_STANDS_SEATED
                                                           : COUPLER_STANDS_HOOKED;
    readout.name = readout.tool >= 0 ? tools->name[readout.tool] : "";
    return readout;
}

const char *coupler_word(const CouplerReadout *coupler)
{
    static const char *const words[] = {[COUPLER_STANDS_LOCKED] = TEXT("locked"),
                                        [COUPLER_STANDS_OPEN] = TEXT("open"),
                                        [COUPLER_STANDS_HOOKED] = TEXT("hooked, not locked"),
                                        [COUPLER_STANDS_SEATED] = TEXT("pins in, not locked")};
    return coupler->moves ? TEXT("moves") : words[coupler->stand];
}

ExerciseTools session_tools_sample(const SessionTools *tools)
{
    if (tools == NULL) {
        return (ExerciseTools){.laid = 0};
    }
    return (ExerciseTools){.laid = tools->state.laid, .taken = tools->state.taken, .dropped = tools->state.dropped};
}

int session_tools_count(const SessionTools *tools)
{
    return tools != NULL ? tools->count : 0;
}

const MachineParams *session_tools_params(const SessionTools *tools, int k)
{
    return tools->plain[k];
}

bool session_tools_pose(const SessionTools *tools, int k, Pose *frame)
{
    bool loose = is_loose(tools, k);
    if (loose) {
        *frame = loose_tool_frame(&tools->loose[k], &tools->tool[k].motion);
    }
    return loose;
}

int session_tools_sight(const SessionTools *tools, IncidentLoad sight[SESSION_MAX_TOOLS])
{
    int count = 0;
    for (int k = 0; k < session_tools_count(tools); k++) {
        const ToolState *tool = &tools->tool[k];
        const double *v = tool->motion.velocity;
        bool falls = tool->falls != 0 && vec3_length(vec3(v[0], v[1], v[2])) > FALLS_SPEED;
        if (is_loose(tools, k) && (falls || (tool->hooked != 0 && !stands(tools, k)))) {
            sight[count++] =
                (IncidentLoad){.thing = &tools->thing[k], .name = tools->name[k], .hangs = true, .tool = 1 + k};
        }
    }
    return count;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool is_flag(int32_t number)
{
    return number == 0 || number == 1;
}

static bool is_possible(const SessionTools *self)
{
    const CouplerState *state = &self->state;
    bool good = state->tool >= -1 && state->tool < self->count && state->wedge >= -1 && state->wedge <= 1 &&
                is_flag(state->pressed) && is_flag(state->unlocked) && state->laid >= 0 && state->taken >= 0 &&
                state->dropped >= 0 && state->wedge_time >= 0.0 && state->confirm >= 0.0 && state->held >= 0.0;
    for (int k = 0; k < self->count; k++) {
        const ToolState *tool = &self->tool[k];
        good = good && is_flag(tool->hooked) && is_flag(tool->falls) && is_flag(tool->asleep) && tool->still >= 0.0 &&
               tool->borne >= 0.0 && tool->struck >= 0.0 && machine_body_is_possible(&tool->motion);
    }
    return good;
}

static void visit_tool(ToolState *tool, StateVisitor *visitor)
{
    state_visit_array(visitor, "tool.position", tool->motion.position, sizeof(double), 3);
    state_visit_array(visitor, "tool.quaternion", tool->motion.quaternion, sizeof(double), 4);
    state_visit_array(visitor, "tool.velocity", tool->motion.velocity, sizeof(double), 3);
    state_visit_array(visitor, "tool.spin", tool->motion.spin, sizeof(double), 3);
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "tool." #name, tool->name);
    TOOL_FIELDS(F)
#undef F
}

void session_tools_visit(SessionTools *tools, StateVisitor *visitor)
{
    if (tools == NULL) {
        return;
    }
    CouplerState *state = &tools->state;
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "coupler." #name, state->name);
    COUPLER_FIELDS(F)
#undef F
    for (int k = 0; k < tools->count; k++) {
        visit_tool(&tools->tool[k], visitor);
    }
    if (!visitor->restoring) {
        return;
    }
    if (!is_possible(tools)) {
        tools->state = (CouplerState){.tool = 0};
        for (int k = 0; k < tools->count; k++) {
            tools->tool[k] = (ToolState){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
        }
        visitor->failed = true;
    }
    for (int k = 0; k < tools->count; k++) {
        put_thing(tools, k);
        tools->touched[k] = false;
        tools->blow[k] = 0.0;
    }
}

bool session_tools_are_finite(const SessionTools *tools)
{
    double sum = 0.0;
    for (int k = 0; k < session_tools_count(tools); k++) {
        const MachineBodyState *body = &tools->tool[k].motion;
        sum += tools->tool[k].borne + body->quaternion[0];
        for (int n = 0; n < 3; n++) {
            sum += body->position[n] + body->velocity[n] + body->spin[n] + body->quaternion[1 + n];
        }
    }
    return isfinite(sum);
}
