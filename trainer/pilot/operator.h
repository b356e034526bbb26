/// An operator moves the levers: a person at devices, the autopilot, an expert, or a script file; the same with and
/// without a window.
///
/// Create it with a session, pass it the devices once a round (operator_look), and take the levers of each tick from it
/// (operator_controls). All calls come from the session's thread. It never changes the session.
#ifndef SPADEWORK_TRAINER_OPERATOR_H
#define SPADEWORK_TRAINER_OPERATOR_H

#include "data/schema/schema.h"
#include "input/input.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/expert.h"
#include "trainer/record/record.h"

/// ---- clumsy hands --------------------------------------------------------------------------------------------------

/// A beginner's hands, between a scripted operator and the levers.
///
/// They come late and slowly, do not go all the way, pause, hold a lever too long, and now and then move the one beside
/// it; and the eye is off by some centimetres to decimetres. All that grows with the share of clumsiness, and follows
/// from the seed and the time alone. Its memory belongs to the operator, it is no session state.

enum { CLUMSY_MOST_LATE = 128 }; ///< ticks that are remembered

typedef struct ClumsyHands {
    double share; ///< 0..1; 0: the levers go through as they are
    uint64_t seed;
    int ticks; ///< since the start
    OperatorControls asked[CLUMSY_MOST_LATE]; ///< what was asked for in the last ticks, a ring
    double lever[CONTROL_COUNT]; ///< -1..1: where the levers are
    int answers; ///< given so far
} ClumsyHands;

/// Begins. share  0..1
void clumsy_start(ClumsyHands *hands, double share, uint64_t seed);
/// What the eye is off in this moment. time  s
void clumsy_aim(const ClumsyHands *hands, double time, OperatorAim *aim);
/// Turns what is asked for into what the hands do; once a tick.
/// time, dt  s: of the session, of the tick
void clumsy_move(ClumsyHands *hands, double time, double dt, OperatorControls *controls);

/// ---- operator ------------------------------------------------------------------------------------------------------

typedef enum OperatorKind {
    OPERATOR_PERSON, ///< levers come from devices through a control map
    OPERATOR_AUTOPILOT, ///< autopilot.h plans and moves them
    OPERATOR_EXPERT, ///< a list of actions (expert.h)
    OPERATOR_SCRIPT, ///< a CSV file holds them (input_script_load)
} OperatorKind;

typedef struct OperatorParams {
    /// "gamepad", "keyboard", "auto", "expert", "expert:NAME" or a script's path; NULL: a person at a window,
    /// else "auto".
    const char *name;
    const char *controls; ///< control map, name or path; NULL: the machine's own (control_map_load)
    InputDevices *devices; ///< the window's, borrowed for life; NULL: no window, a person's devices are opened here
    bool still; ///< devices do not shake
    double clumsy; ///< 0..1 of a scripted operator: how much of a beginner he is
} OperatorParams;

/// What a person asked for since the last look, counted.
typedef struct OperatorPresses {
    int faster, slower; ///< steps of the throttle, each an eighth of the way from idle to full
    int go_on; ///< to drive on although a pad was lost
} OperatorPresses;

/// What is asked for beside the devices: switches of a page, and steps on foot by mouse. Zero is nothing.
typedef struct OperatorHand {
    double turn, raise; ///< rad that the operator on foot is still to turn to the right, and to look up
    double ahead; ///< m still to be walked ahead
    double pressed[CONTROL_COUNT]; ///< s for which a switch is still held
    double held[CONTROL_COUNT]; ///< -1..1: where the mouse holds a lever
} OperatorHand;

/// Read freely; written by the functions below alone.
typedef struct Operator {
    OperatorKind kind;
    CreditDriver driver; ///< the same as results and recordings have it
    /// As a recording stores it: "auto", "expert", "expert:NAME", a script's path, "gamepad", "keyboard", "person".
    char name[DATA_PATH_LENGTH];
    Autopilot *autopilot; ///< NULL: it is no autopilot
    ExpertParams *actions; ///< NULL: it is no expert
    Expert *expert; ///< the same, at work
    ClumsyHands hands; ///< of the autopilot and the expert
    InputScript *script; ///< NULL: it is no script
    char advice[DATA_PATH_LENGTH + 160]; ///< one line about a script that hardly means what it says; "" = none
    ControlsParams *controls; ///< control map as it was read; NULL where there is neither person nor window
    InputMap *map; ///< the same, ready to use; with a window its actions work for every operator
    /// -1..1 (idle..full): where the presses put it; starts at full. Not used while an input of the map's throttle is
    /// there (input_map_has_throttle).
    double throttle;
    InputDevices *devices; ///< NULL: none
    bool owns_devices; ///< opened here: there is no window
    const InputSample *sample; ///< the devices at the last look; belongs to them
    InputMemory memory; ///< of the control map
    double waited; ///< s that what is new in the last tick's levers lay with SDL and here; 0: nothing was new
    int pads; ///< plugged in at the last look
    OperatorHand hand; ///< what a page or the mouse asks for
    int answer; ///< that the next tick gives to the question that is asked, 1..; 0: none
    bool answered; ///< the last tick gave one
    int lost; ///< devices that had been used, at the last look
    bool driving_lost; ///< the lost pad had been used
    bool pad_lost; ///< levers are neutral until a pad is back, or the person goes on without
    InputNews notice; ///< what last happened to the pads
    double notice_left; ///< s that it is still to be shown
    InputNews unrested; ///< the input that was last said not to have been at rest when it came
    int unrested_told; ///< how often one was
    bool still;
    double shake_left; ///< s until the next strength is sent to the devices
    InputPulse pulse; ///< for what has happened, and s that it still lasts
    int events; ///< that have been felt
    bool slips; ///< the tracks did, at the last look
} Operator;

/// Makes an operator for a new session, or one that was taken over. False with `status` and nothing to destroy: the
/// script or the control map is wrong (STATUS_BAD_FILE), no pad is plugged in within a second and there is no window,
/// memory is short (both STATUS_LACKING), or a keyboard is asked for without a window (STATUS_BAD_USAGE).
bool operator_create(Operator *self, const OperatorParams *params, const Session *session, Status *status);
/// Frees what operator_create made; the window's devices are given back without a control map. A zeroed operator is
/// fine.
void operator_destroy(Operator *self);
/// Changes to another control map (control_map_load), levers at rest. False with `status`: the map is wrong, or memory
/// is short, and the one before stays.
bool operator_change_controls(Operator *self, const char *controls, const Session *session, Status *status);
/// Begins again with a new session: throttle full, levers at rest, a new plan. False (STATUS_LACKING) when memory is
/// short.
bool operator_restart(Operator *self, const Session *session, Status *status);

/// Takes in the devices, once a round and also while the session is held: pads that come and go, presses of the
/// throttle.
/// sample   the window's devices as they are now, valid until the next look; NULL: the operator polls its own, and
///          finds the presses itself
/// presses  since the last look; not read when `sample` is NULL
/// elapsed  s of the wall clock since the last look
void operator_look(Operator *self, const InputSample *sample, const OperatorPresses *presses, double elapsed);
/// While the session is held: what the devices do meanwhile moves no lever afterwards.
void operator_rest(Operator *self);
/// Holds a switch of the cab, or `inspect`. A person's alone.
/// seconds  s of the session
void operator_press(Operator *self, ControlAxis axis, double seconds);
/// Holds a lever from the next tick on, beside what the devices do, until another value is given; 0 lets it go. A
/// person's alone.
/// value  -1..1
void operator_hold(Operator *self, ControlAxis axis, double value);
/// Moves the operator on foot in the coming ticks. A person's alone.
/// turn, raise  rad: to the right; the view up
/// ahead        m
void operator_walk(Operator *self, double turn, double raise, double ahead);
/// Writes the levers of the session's next tick. What a person did since the last tick
/// is in them, or waits for the next one (input_devices_tick).
void operator_controls(Operator *self, Session *session, OperatorControls *controls);
/// Shakes a person's devices, ten times a second, with the force on the tool, the engine's load and when a limit acts;
/// and at once with a pulse for what has happened (event_pulse), for as long as that lasts.
/// elapsed  s of the wall clock since the last call
void operator_feel(Operator *self, const Session *session, double elapsed);

/// Loads the map `controls` (name or path; NULL = the machine's own, MachineParams.controls). A map that was made for
/// another machine, that is, moves joints that this one does not have and does not raise its tool, gives way to the
/// machine's own one.
bool control_map_load(const char *controls, const MachineParams *machine, ControlsParams *map, Status *status);

/// What the devices' motors do for an event of the exercise; constant, any thread. A kind that is to be felt is a row
/// of the table. The pulse's time is 0 for kinds that are not felt.
InputPulse event_pulse(const ExerciseEvent *event);
/// The pulse with which tracks begin to slip: a limit, no event.
InputPulse event_pulse_slip(void);

#endif
