/// The switches of the cab and the temperature of the hydraulic oil.
#include "trainer/sim/session_cab.h"

#include <math.h>
#include <stdlib.h>

#include "data/core/constants.h"

/// Shares of the pumps' power that warm the oil: while something moves the part that valves throttle away, chosen; at
/// relief all.
#define LOSS_MOVING 0.6
#define LOSS_RELIEF 1.0
/// W a litre of pump flow lost at rated speed with neutral levers, and W/K a litre of oil lost to the air by tank and
/// lines. Chosen: a 22-t machine at low idle warms by 4 K in 15 minutes, and at relief by 25 K in two.
#define LOSS_IDLING 12.0e3 ///< W/m3 of oil, at rated speed
#define LOSS_TO_AIR 250.0 ///< W/K/m3 of oil
/// Above this temperature, degC, the cooler takes so much, W/K/m3 of oil. Chosen: work holds 50 to 65 degC.
#define COOLER_OPENS 50.0
#define COOLER       20.0e3
#define OIL_HEAT     1.65e6 ///< J/K/m3: 870 kg/m3 x 1.9 kJ/kg/K, mineral oil
/// Share of the flow that oil holds back when it is COLD_SPAN colder than warm, and in proportion. Chosen: an ISO VG 46
/// oil is then some twenty times as thick.
#define COLD_MOST   0.5
#define COLD_SPAN   35.0
#define HIGH_SPEED  0.8 ///< of the rated speed: relief at more is not the gentle warm-up that manuals ask for
#define LEAST_MOVED 0.05 ///< of a lever's way: less is neutral
#define WARM_ENOUGH 1e-9

/// The switches, in the order of their bits in `pressed`: first those that go on, then those that go back.
enum { IGNITION, SAFETY_LEVER, TRAVEL_RANGE, POWER_MODE, AUTO_IDLE, LIGHTS, WIPER, SWITCHES };
static const ControlAxis axes[SWITCHES] = {CONTROL_IGNITION,   CONTROL_SAFETY_LEVER, CONTROL_TRAVEL_RANGE,
                                           CONTROL_POWER_MODE, CONTROL_AUTO_IDLE,    CONTROL_LIGHTS,
                                           CONTROL_WIPER};

typedef struct CabState {
#define F(type, name, low, high, unit) type name;
    CAB_FIELDS(F)
#undef F
} CabState;

struct SessionCab {
    MachineSwitches switches;
    double idle, rated; ///< rad/s
    double air; ///< degC
    CabState state;
};

bool session_cab_create(const SceneParams *scene, const MachineParams *machine, SessionCab **cab, Status *status)
{
    const SceneStartUp *asked = &scene->exercise.start_up;
    *cab = NULL;
    if (asked->switches != SCENE_SWITCHES_ON) {
        return true;
    }
    *cab = calloc(1, sizeof **cab);
    if (*cab == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the switches of the cab");
    }
    SessionCab *self = *cab;
    self->switches = machine->switches;
    self->idle = machine->engine.idle_speed;
    self->rated = machine->engine.rated_speed;
    if (self->switches.eco_speed <= 0.0) {
        self->switches.eco_speed = fmax(self->idle, 0.9 * self->rated);
    }
    if (self->switches.auto_idle_speed <= 0.0) {
        self->switches.auto_idle_speed = self->idle;
    }
    self->air = asked->air;
    self->state = (CabState){.oil = asked->oil, .coldest = asked->oil};
    return true;
}

void session_cab_destroy(SessionCab *cab)
{
    free(cab);
}

/// ---- events --------------------------------------------------------------------------------------------------------

static void report(Exercise *exercise, int64_t tick, int form)
{
    ExerciseEvent event = {.tick = tick, .kind = EVENT_SWITCH, .form = form};
    exercise_note_event(exercise, &event);
}

/// ---- switches ------------------------------------------------------------------------------------------------------

static void stop_engine(CabState *state, Exercise *exercise, int64_t tick)
{
    if (state->engine == CAB_ENGINE_RUNS) {
        report(exercise, tick, EVENT_SWITCH_ENGINE_STOPS);
    }
    state->engine = CAB_ENGINE_OFF;
    state->cranked = 0.0;
    state->idles = 0;
    state->warned = state->moved = 0;
}

/// A press of the key: from off to on; off again while the engine runs, or when it is turned back.
static void turn_key(CabState *state, bool back, Exercise *exercise, int64_t tick)
{
    if (back || state->engine == CAB_ENGINE_RUNS) {
        stop_engine(state, exercise, tick);
        state->key = CAB_KEY_OFF;
        state->held = -1.0; // this press starts nothing
    } else {
        state->key = CAB_KEY_ON;
        state->held = 0.0;
    }
}

static void move_lever(CabState *state, bool down, Exercise *exercise, int64_t tick)
{
    if (down != (state->lever_down != 0)) {
        state->lever_down = down;
        report(exercise, tick, down ? EVENT_SWITCH_LEVER_DOWN : EVENT_SWITCH_LEVER_UP);
    }
}

/// A press of a switch: `back` goes to its first position, else to the next.
static void press(CabState *state, int which, bool back, Exercise *exercise, int64_t tick)
{
    int32_t *const toggles[SWITCHES] = {[TRAVEL_RANGE] = &state->high_range,
                                        [POWER_MODE] = &state->eco,
                                        [AUTO_IDLE] = &state->auto_idle,
                                        [LIGHTS] = &state->lights,
                                        [WIPER] = &state->wiper};
    if (which == IGNITION) {
        turn_key(state, back, exercise, tick);
    } else if (which == SAFETY_LEVER) {
        move_lever(state, !back && state->lever_down == 0, exercise, tick);
    } else {
        *toggles[which] = !back && *toggles[which] == 0;
        state->rest = which == AUTO_IDLE ? 0.0 : state->rest;
    }
}

static void take_presses(CabState *state, const OperatorControls *controls, Exercise *exercise, int64_t tick)
{
    int32_t pressed = 0;
    for (int k = 0; k < SWITCHES; k++) {
        double value = control_value(controls, axes[k]);
        int32_t next = 1 << k, back = 1 << (SWITCHES + k);
        int32_t now = value > 0.5 ? next : value < -0.5 ? back : 0;
        if (now != 0 && (state->pressed & now) == 0) {
            press(state, k, now == back, exercise, tick);
        }
        pressed |= now;
    }
    state->pressed = pressed;
}

/// Turns the starter while the key is held at start. Returns true in the tick in which the engine starts.
static bool crank(SessionCab *self, double dt, Exercise *exercise, int64_t tick)
{
    CabState *state = &self->state;
    bool held = (state->pressed & (1 << IGNITION)) != 0 && state->held >= 0.0 && state->key != CAB_KEY_OFF;
    bool reaches = held && state->held < CAB_KEY_HELD && state->held + dt >= CAB_KEY_HELD;
    state->held = held ? fmin(state->held + dt, CAB_KEY_HELD) : state->held < 0.0 && state->pressed & 1 ? -1.0 : 0.0;
    bool starts = held && state->held >= CAB_KEY_HELD && state->engine != CAB_ENGINE_RUNS;
    if (reaches && starts && state->lever_down != 0) {
        report(exercise, tick, EVENT_SWITCH_REFUSED);
    }
    if (!starts || state->lever_down != 0) {
        state->engine = state->engine == CAB_ENGINE_CRANKS ? CAB_ENGINE_OFF : state->engine;
        state->key = state->key == CAB_KEY_START ? CAB_KEY_ON : state->key;
        state->cranked = 0.0;
        return false;
    }
    state->key = CAB_KEY_START;
    state->engine = CAB_ENGINE_CRANKS;
    state->cranked += dt;
    if (state->cranked < self->switches.crank_time) {
        return false;
    }
    state->engine = CAB_ENGINE_RUNS;
    state->key = CAB_KEY_ON;
    state->held = -1.0;
    state->warned = state->moved = 0;
    state->rest = 0.0;
    report(exercise, tick, EVENT_SWITCH_ENGINE_STARTS);
    return true;
}

/// An order that stops the engine stops it once; the key starts it again.
static bool heed_order(SessionCab *self, bool ordered, bool started, Exercise *exercise, int64_t tick)
{
    CabState *state = &self->state;
    bool over = ordered && state->stopped_by_order != 0 && started;
    if (ordered && state->stopped_by_order == 0) {
        stop_engine(state, exercise, tick);
    }
    state->stopped_by_order = ordered && !over;
    return over;
}

/// ---- levers --------------------------------------------------------------------------------------------------------

static bool any_lever(const OperatorControls *controls)
{
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if ((control_is_lever((ControlAxis)axis) || axis == CONTROL_AUXILIARY) &&
            fabs(control_value(controls, (ControlAxis)axis)) > LEAST_MOVED) {
            return true;
        }
    }
    return false;
}

static void lock_levers(OperatorControls *controls)
{
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (control_is_lever((ControlAxis)axis) || axis == CONTROL_AUXILIARY) {
            controls->axis[axis] = 0;
        }
    }
}

/// The throttle at which the governor holds a speed, -1..1.
static double throttle_of(const SessionCab *self, double speed)
{
    return 2.0 * (speed - self->idle) / (self->rated - self->idle) - 1.0;
}

/// Power mode and auto-idle bound the engine's speed; the low range bounds that of the tracks.
static void bound(SessionCab *self, double dt, OperatorControls *controls)
{
    CabState *state = &self->state;
    bool moves = any_lever(controls);
    state->rest = moves ? 0.0 : fmin(state->rest + dt, self->switches.auto_idle_time);
    state->idles = state->auto_idle != 0 && state->rest >= self->switches.auto_idle_time;
    double most = 1.0;
    most = state->eco != 0 ? throttle_of(self, self->switches.eco_speed) : most;
    most = state->idles != 0 ? fmin(most, throttle_of(self, self->switches.auto_idle_speed)) : most;
    controls->axis[CONTROL_THROTTLE] = control_quantise(fmin(control_value(controls, CONTROL_THROTTLE), most));
    for (int side = 0; side < 2 && state->high_range == 0; side++) {
        ControlAxis axis = side == 0 ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
        controls->axis[axis] = control_quantise(self->switches.low_travel * control_value(controls, axis));
    }
    if (moves && state->moved == 0) {
        state->moved = 1;
        state->unwarned = state->unwarned != 0 || state->warned == 0;
    }
}

/// ---- oil -----------------------------------------------------------------------------------------------------------

static bool is_cold(const SessionCab *self)
{
    return self->state.oil < self->switches.oil_warm - WARM_ENOUGH;
}

static void warm_oil(SessionCab *self, const CabSight *sight)
{
    CabState *state = &self->state;
    const MachineReadout *readout = sight->readout;
    double volume = self->switches.oil_volume;
    bool relief = readout->relief != 0, fast = readout->engine_speed > HIGH_SPEED * self->rated;
    double loss = (relief ? LOSS_RELIEF : LOSS_MOVING) * fmax(readout->pump_power, 0.0);
    loss += LOSS_IDLING * volume * readout->engine_speed / self->rated;
    loss -= LOSS_TO_AIR * volume * (state->oil - self->air);
    loss -= state->oil > COOLER_OPENS ? COOLER * volume * (state->oil - COOLER_OPENS) : 0.0;
    state->oil += sight->dt * loss / (OIL_HEAT * volume);
    state->cold_relief += relief && fast && is_cold(self) ? sight->dt : 0.0;
}

bool session_cab_tick(SessionCab *cab, const CabSight *sight, bool seated, OperatorControls *controls,
                      Exercise *exercise)
{
    if (cab == NULL) {
        return false;
    }
    CabState *state = &cab->state;
    warm_oil(cab, sight);
    OperatorControls idle = control_neutral;
    const OperatorControls *given = seated ? controls : &idle;
    take_presses(state, given, exercise, sight->tick);
    bool started = crank(cab, sight->dt, exercise, sight->tick);
    bool over = heed_order(cab, sight->ordered_stop, started, exercise, sight->tick);
    bool runs = state->engine == CAB_ENGINE_RUNS;
    state->warned = state->warned != 0 || (runs && control_value(given, CONTROL_HORN) > 0.5);
    if (!runs || state->lever_down == 0) {
        lock_levers(controls);
    }
    if (runs) {
        bound(cab, sight->dt, controls);
    }
    state->worked = state->worked != 0 || (runs && state->lever_down != 0);
    bool off = state->key == CAB_KEY_OFF && state->lever_down == 0;
    state->parked = state->worked != 0 && off && sight->tool_down;
    return over;
}

void session_cab_add_faults(const SessionCab *cab, MachineFaults *faults)
{
    if (cab == NULL) {
        return;
    }
    faults->engine_stopped = cab->state.engine != CAB_ENGINE_RUNS;
    faults->starter = cab->state.engine == CAB_ENGINE_CRANKS;
    double missing = cab->switches.oil_warm - cab->state.oil;
    faults->cold = COLD_MOST * fmax(0.0, fmin(missing / COLD_SPAN, 1.0));
}

/// ---- what others read ----------------------------------------------------------------------------------------------

CabReadout session_cab_readout(const SessionCab *cab)
{
    if (cab == NULL) {
        return (CabReadout){.key = CAB_KEY_ON,
                            .engine = CAB_ENGINE_RUNS,
                            .lever_down = true,
                            .high_range = true,
                            .seated = true,
                            .oil = CAB_WARM_OIL};
    }
    const CabState *state = &cab->state;
    return (CabReadout){.has = true,
                        .key = (CabKey)state->key,
                        .engine = (CabEngine)state->engine,
                        .lever_down = state->lever_down != 0,
                        .high_range = state->high_range != 0,
                        .eco = state->eco != 0,
                        .auto_idle = state->auto_idle != 0,
                        .idles = state->idles != 0,
                        .lights = state->lights != 0,
                        .wiper = state->wiper != 0,
                        .horn_due = state->engine == CAB_ENGINE_RUNS && state->warned == 0 && state->moved == 0,
                        .seated = true,
                        .oil = state->oil,
                        .oil_warm = cab->switches.oil_warm};
}

ExerciseStartUp session_cab_sample(const SessionCab *cab)
{
    if (cab == NULL) {
        return (ExerciseStartUp){.running = 1.0, .lever_down = 1.0, .horn_first = 1.0, .warm = 1.0, .parked = 1.0};
    }
    const CabState *state = &cab->state;
    double way = cab->switches.oil_warm - state->coldest;
    return (ExerciseStartUp){.running = state->engine == CAB_ENGINE_RUNS ? 1.0 : 0.0,
                             .lever_down = state->lever_down,
                             .horn_first = state->unwarned != 0 ? 0.0 : 1.0,
                             .warm = is_cold(cab) ? fmax(0.0, (state->oil - state->coldest) / way) : 1.0,
                             .cold_relief = state->cold_relief,
                             .parked = state->parked};
}

void session_cab_visit(SessionCab *cab, StateVisitor *visitor)
{
    if (cab == NULL) {
        return;
    }
    CabState *state = &cab->state;
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "cab." #name, state->name);
    CAB_FIELDS(F)
#undef F
}

bool session_cab_is_finite(const SessionCab *cab)
{
    return cab == NULL || isfinite(cab->state.oil + cab->state.rest + cab->state.held + cab->state.cranked);
}
