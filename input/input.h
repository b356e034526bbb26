/// Makes the levers of one tick (OperatorControls) of what a person does at devices, or of a script.
///
///     devices --poll--> InputDevices --tick--> InputSample --map, memory--> OperatorControls --> the session
///     a CSV file ------------------------> InputScript ------ time -----------^
///
/// A program with a window, each round and each tick:
///
///     InputDevices *devices = input_devices_open(&status);
///     InputMap *map = input_map_create(&params, &status); // data_load_controls fills params
///     int count = 0;
///     const ControlDevice *wanted = input_map_devices(map, &count);
///     input_devices_use(devices, wanted, count);
///     input_devices_handle(devices, &event); // each SDL event
///     input_map_apply(map, input_devices_tick(devices), dt, &memory, &controls); // each tick
///
/// Positions of axes and levers are shares of the full deflection, -1..1; times are in s. Maps, scripts and shaking are
/// pure functions of their arguments: any thread, as long as no two write the same memory. Everything about
/// InputDevices belongs to the thread that opened it, which must be the one that runs SDL's events. No function keeps a
/// pointer to what it was given, and none allocates but those named create, load and open. Texts are cut to the room
/// they are given. What fails returns NULL or false with a status of one line.
///
/// calibration.h, above this header, is the assistant that makes a control map; edges.h and devices/boxes.h are
/// internal.
#ifndef SPADEWORK_INPUT_INPUT_H
#define SPADEWORK_INPUT_INPUT_H

#include <stdbool.h>

#include "data/schema/controls_params.h"
#include "data/core/operator_controls.h"
#include "data/core/status.h"
#include "data/core/quantity.h"

/// ---- news of devices (mapping.c) -----------------------------------------------------------------------------------

/// What happened to a device, or to an input of one.
typedef enum InputNewsKind {
    INPUT_NEWS_NONE,
    INPUT_NEWS_CONNECTED,
    INPUT_NEWS_CONNECTED_AS, ///< it stands for what the map names `id`
    INPUT_NEWS_STANDS_FOR, ///< the same, of one that was there before the map
    INPUT_NEWS_STANDS_BY_SOCKET, ///< the same: of equal ones, and the map does not say which
    INPUT_NEWS_STANDS_BY_CHANCE, ///< the same, and no socket tells them apart
    INPUT_NEWS_MISSING, ///< nothing stands for `id`
    INPUT_NEWS_LOST,
    INPUT_NEWS_TOO_MANY, ///< it is left alone
    INPUT_NEWS_CANNOT_OPEN,
    INPUT_NEWS_STRANGER, ///< neither SDL nor the map knows it: it moves nothing
    INPUT_NEWS_STRANGER_LOST,
    INPUT_NEWS_HELD, ///< a gamepad of which something was not at rest when it came
    INPUT_NEWS_AXIS_HELD, ///< an axis of `id` was not at rest when it came, and moves nothing
    INPUT_NEWS_BUTTON_HELD, ///< the same of a button
} InputNewsKind;
enum { INPUT_NEWS_TEXT = 160 };
typedef struct InputNews {
    InputNewsKind kind;
    char name[CONTROLS_DEVICE_NAME]; ///< as the device calls itself, printable ASCII; ""
    char id[12]; ///< as the control map calls it; ""
    int index; ///< of INPUT_NEWS_AXIS_HELD and INPUT_NEWS_BUTTON_HELD: ControlJoystickPart
    double first, rest; ///< of an axis, -1..1: what it read, and what the map says that it reads at rest
} InputNews;
/// Writes one line about it ("Xbox pad connected"). From any thread.
void input_news_text(const InputNews *news, const TextReader *reader, char text[INPUT_NEWS_TEXT]);

/// ---- pure: one control map applied to sampled devices (mapping.c) -------------------------------------------------

enum {
    INPUT_MAX_KEYS = 512,
    INPUT_PAD_AXES = 6,
    INPUT_PAD_BUTTONS = 24,
    /// Buttons, then up, right, down, left of each hat.
    INPUT_JOYSTICK_BUTTONS = CONTROLS_MAX_BUTTONS + CONTROLS_MAX_HATS * CONTROLS_HAT_WAYS,
};

/// s for which what was not at rest at first must have stood at its rest when driving starts or resumes, to count from
/// then on: longer than a hand that moves it is there. Chosen.
#define INPUT_RESTS 1.0

/// One of the devices that the control map names.
typedef struct InputJoystick {
    bool present;
    /// How many devices have stood here so far: tells one that was plugged in again from one that stayed.
    unsigned came;
    /// -1..1 as the device tells; NaN before its first report, and where it has none.
    double axis[CONTROLS_MAX_JOYSTICK_AXES];
    double first[CONTROLS_MAX_JOYSTICK_AXES]; ///< -1..1: what it read when the device had come; NaN as above
    double stands[CONTROLS_MAX_JOYSTICK_AXES]; ///< s for which it has not moved
    unsigned char button[INPUT_JOYSTICK_BUTTONS]; ///< 0/1
    unsigned char first_button[INPUT_JOYSTICK_BUTTONS]; ///< 0/1: it was down when the device had come
    double button_stands[INPUT_JOYSTICK_BUTTONS]; ///< s for which it has not gone down or up
    unsigned char pressed[INPUT_JOYSTICK_BUTTONS]; ///< how often each went down since the look before
} InputJoystick;

/// Raw sample of everything the map may name, at a look or for a tick. Axes -1..1 (triggers 0..1) in SDL game
/// controller order (leftx, lefty, rightx, righty, lefttrigger, righttrigger); buttons and keys 0/1 (keys by SDL
/// scancode).
typedef struct InputSample {
    double pad_axis[INPUT_PAD_AXES]; ///< -1..1
    unsigned char pad_button[INPUT_PAD_BUTTONS];
    unsigned char key[INPUT_MAX_KEYS];
    unsigned char pad_pressed[INPUT_PAD_BUTTONS]; ///< how often each went down since the look before, at most 255
    unsigned char key_pressed[INPUT_MAX_KEYS]; ///< the same; a key that is held and repeats counts once
    InputJoystick joystick[CONTROLS_MAX_DEVICES]; ///< in the order of the map's devices
    /// How often each button of devices that neither SDL nor the map knows went down: for menus alone.
    unsigned char stranger_pressed[INPUT_JOYSTICK_BUTTONS];
    bool pad_present; ///< a gamepad that SDL knows and no map names is there
    bool pad_waits[INPUT_PAD_AXES]; ///< a gamepad's axis was not at rest when it came: it reads 0 (input_devices_open)
    unsigned pads_lost; ///< pads that went away so far: when it changes, the levers drop to neutral at once
    double waited; ///< s since the oldest event that this tick is the first to have; 0: nothing new
} InputSample;

/// What is remembered between ticks: where levers are, and where inputs rest. Belongs to the caller; zero-initialise.
typedef struct InputMemory {
    bool begun; ///< false: levers begin as in control_neutral
    bool rested; ///< see input_map_rest
    double lever[CONTROL_COUNT]; ///< -1..1, after the last call
    int gear; ///< of the map's gears, from 0 on
    bool gear_held[2]; ///< the input of gear_down, of gear_up was held in the last sample
    unsigned pads_lost; ///< of the last sample
    unsigned came[CONTROLS_MAX_DEVICES]; ///< of the last sample
    double first[CONTROLS_MAX_BINDINGS]; ///< -1..1, of joysticks: what the input read at first; NaN: nothing yet
    bool armed[CONTROLS_MAX_BINDINGS]; ///< joysticks' inputs that rest where the map says, and have been there since
} InputMemory;

/// A control map with its names resolved to indices.
typedef struct InputMap InputMap;
/// Resolves the names of a map, which is copied. NULL with `status`: a name that no input has, a number out of its
/// range (both STATUS_BAD_FILE, with map and binding), or memory is short (STATUS_LACKING). The caller destroys it.
InputMap *input_map_create(const ControlsParams *params, Status *status);
void input_map_destroy(InputMap *map); ///< NULL is fine
/// Computes the levers of one tick: dead zone, exponent, sum of bindings, clamp, rate limit, quantise. `dt` is the time
/// since the last call, s, 0 or more. Levers begin as in control_neutral.
///
/// A joystick's input moves a lever only if it was at the map's rest when its device came or driving began, so that
/// nothing that rests moves anything, however wrong the map is; what is held meanwhile counts once it was let go. The
/// throttle stays where it is put: its inputs count at once. A wheel or slider puts it at -1..1; what goes one way
/// leads from idle up (scale above 0) or from full down (below 0). Of several the one that asks for least counts, and
/// without any it is at full.
void input_map_apply(const InputMap *map, const InputSample *sample, double dt, InputMemory *memory,
                     OperatorControls *controls);
/// Driving goes on after a pause: what was not at its rest before counts if it has been for INPUT_RESTS.
void input_map_rest(InputMemory *memory);
/// The gear that keys and buttons drive in, from 1 on, and the number of gears; 0 where the map has none.
int input_map_gear(const InputMap *map, const InputMemory *memory, int *count);
/// True when an input that the map binds to the throttle is there.
bool input_map_has_throttle(const InputMap *map, const InputSample *sample);

/// Finds the first input that does not count, since it was elsewhere than at its rest when its device came. `memory` is
/// that of the last input_map_apply with this sample.
bool input_map_not_at_rest(const InputMap *map, const InputSample *sample, const InputMemory *memory, InputNews *news);
/// How often the action ("pause", "camera", ...) was asked for since the look before, by any device: 0 when the map
/// does not name it.
int input_map_presses(const InputMap *map, const InputSample *sample, const char *action);
/// The screen's name of a key: letters are the same in every language, "Space" is not. Constant.
/// name  SDL's, as a map has it
const char *input_key_text(const char *name);
/// What a way of a lever does, English and marked for translation: "boom up"; "" where it does not go that way.
/// sign  1: the plus way, -1: the other
const char *input_way_name(ControlAxis axis, int sign);
/// Writes one line for the screen: what an axis is bound to on the pad and on the keyboard, the lever's positive
/// direction first ("right stick down/up, K/I" for boom up/down). Empty when nothing moves it; cut to `size` bytes.
/// devices  with what pads and joysticks do; else the keys alone
void input_map_describe(const InputMap *map, ControlAxis axis, bool devices, char *text, int size);
/// What of the tracks is described.
typedef enum InputTracks {
    INPUT_TRACK_LEFT, ///< what moves this one alone
    INPUT_TRACK_RIGHT,
    INPUT_TRACKS_AHEAD, ///< what moves both the same way, ahead first: "left stick up/down, W/S"
    INPUT_TRACKS_TURN ///< what moves them against each other, to the right first: "D/A"
} InputTracks;
/// The same for the tracks, whose inputs move one of them or both. The four lines together name each of them once.
void input_map_describe_tracks(const InputMap *map, InputTracks tracks, bool devices, char *text, int size);
/// Names the modifiers that make the inputs move a lever less far: "Left Shift". Empty when there is none.
void input_map_describe_gentle(const InputMap *map, bool devices, char *text, int size);
/// The devices that the map names, for input_devices_use. They belong to the map.
const ControlDevice *input_map_devices(const InputMap *map, int *count);
const ControlRumble *input_map_rumble(const InputMap *map); ///< belongs to the map

/// How strongly the devices shake, 0..1 each.
typedef struct InputShake {
    double low, high; ///< 0..1: the heavy, slow motor and the light, quick one
} InputShake;
/// Computes how strongly to shake. What is not a number shakes nothing.
/// tool_force   share of the machine's digging force, clamped to 0..1: the heavy motor follows it
/// engine_load  share of the engine's power, clamped to 0..1: the light motor hums with it
/// at_limit     a relief, stall, slip or tip limit acts: the light motor buzzes
InputShake input_shake(const ControlRumble *rumble, double tool_force, double engine_load, bool at_limit);

/// What the devices do once, for something that has happened.
typedef struct InputPulse {
    double low, high; ///< 0..1 each, of the heavy and of the light motor
    double time; ///< s; 0: nothing
} InputPulse;

/// Adds a pulse to what is felt: each motor does the stronger of both. The pulse is scaled by the map's strength for
/// the tool. What is not a number shakes nothing.
InputShake input_shake_add(const ControlRumble *rumble, InputShake shake, const InputPulse *pulse);

/// What moves a lever just now, for the screen.
typedef struct InputTrace {
    char source[64]; ///< "left stick", "K", "pedals axis 1": what is deflected most; "" when nothing is
    bool analog; ///< `source` is an axis
    double raw; ///< as the device tells it, -1..1
    double lever; ///< -1..1 after dead zone, curve and rate: what the machine gets
    bool waiting; ///< an input of this lever has not been at its rest and does not count
    bool unrested; ///< it was elsewhere when its device came, so that it counts after a pause at the soonest
} InputTrace;
/// Finds what moves a lever. `memory` is that of the last input_map_apply with this sample.
void input_map_trace(const InputMap *map, const InputSample *sample, const InputMemory *memory, ControlAxis axis,
                     InputTrace *trace);

/// ---- pure: operator scripts (script.c) ---------------------------------------------------------------------------

/// A CSV operator script (header row; columns t and any control axis; values -1..1 held until the next row).
typedef struct InputScript InputScript;
/// NULL with `status` when the file is not right: its text names file:line:column, what was read and what is allowed.
/// Times are 0..1e6 s and ascend strictly; a file has at most 64 MiB, a line at most 4095 bytes.
InputScript *input_script_load(const char *path, Status *status);
void input_script_destroy(InputScript *script);
/// Controls at time t (s). Before the first row, and in columns that the script does not have: control_neutral, so that
/// a script without a throttle runs at full. Binary search; any order of calls.
void input_script_get(const InputScript *script, double t, OperatorControls *controls);
/// The least and the greatest value that a column has, -1..1; of a column that the script lacks those of
/// control_neutral.
void input_script_span(const InputScript *script, ControlAxis axis, double *least, double *greatest);
double input_script_duration(const InputScript *script); ///< t of the last row

/// ---- devices (devices/devices.c): SDL game controllers, joysticks and keyboard -------------------------------------

typedef struct InputDevices InputDevices;
enum { INPUT_MAX_DEVICES = 8 }; ///< pads and joysticks used at the same time; further ones are reported and not used

/// Initialises SDL's game controller subsystem (not video). NULL with `status` when SDL cannot.
/// Several gamepads that SDL knows add up (clamped). A device that neither SDL knows nor a map names is a stranger: its
/// buttons work menus, and it moves nothing. Devices count a quarter of a second after they came, when they have told
/// where they rest; this function waits for those that are there. What of a gamepad was not at rest then reads 0 until
/// driving starts or resumes after it has been at rest for INPUT_RESTS.
InputDevices *input_devices_open(Status *status);
void input_devices_close(InputDevices *devices);
/// The devices that a control map names (input_map_devices; copied): those that are plugged in and fit are given to it,
/// the others stay or become pads or strangers. Equal ones go by serial number and socket (ControlDevice). `count` 0:
/// no map. Driving begins: see input_devices_forget.
void input_devices_use(InputDevices *devices, const ControlDevice *wanted, int count);
/// The device that stands for entry `number` of the list given last: false and "" when it is not plugged in.
bool input_devices_name(const InputDevices *devices, int number, char *text, int size);
/// The devices that are plugged in, in the order in which they came, as a map would name them ("dev1", name, USB
/// numbers, serial number and socket). Returns how many were written, at most `capacity`.
int input_devices_list(InputDevices *devices, ControlDevice *list, int capacity);
/// True when entry `number` of that list is a gamepad whose sticks and buttons SDL knows: every map moves levers by it.
bool input_devices_is_pad(InputDevices *devices, int number);
/// True when entry `number` of that list can stand for a device that a map names.
bool input_devices_fits(InputDevices *devices, int number, const ControlDevice *wanted);
/// Takes in what happened: hot plug, axes, buttons. `event` is an SDL_Event * from the window's loop, or NULL to have
/// this function pump SDL itself (no window). Keyboard comes from the events.
void input_devices_handle(InputDevices *devices, const void *event);
void input_devices_poll(InputDevices *devices); ///< for programs without a window loop: pumps and handles all events
/// Reads the devices as they are now, and what was pressed since the call before; a device that is gone reads
/// neutral. The sample belongs to the devices and stays as it is until the next call.
const InputSample *input_devices_sample(InputDevices *devices);
/// The devices as the next tick has them, for input_map_apply: each input as far as it went without turning since the
/// tick before. A button that went down and up is down in one tick and up in the next; two taps are two, however late
/// the ticks come. The sample belongs to the devices and stays as it is until the next call.
const InputSample *input_devices_tick(InputDevices *devices);
/// While there are no ticks: the next one has the devices as they are by then, and nothing of what was before; a
/// gamepad's axis or button that was not at rest when it came counts if it is now.
void input_devices_forget(InputDevices *devices);
/// True once for each device that came or went; `news` receives the oldest that was not asked for yet.
bool input_devices_changed(InputDevices *devices, InputNews *news);
/// How many devices are plugged in that move levers: pads, and what the map names.
int input_devices_pad_count(const InputDevices *devices);
/// How many strangers are plugged in; `text` receives the name of that with this number, from 0 on, if there is one.
int input_devices_strangers(const InputDevices *devices, int number, char *text, int size);
/// How many devices that had been used - a button pressed, an axis moved - were lost since they were opened.
int input_devices_lost(const InputDevices *devices);
/// A box of levers, pedals or buttons that the kernel has.
typedef struct InputBox {
    char name[CONTROLS_DEVICE_NAME];
    char usb[10]; ///< "vvvv:pppp"
    char node[32]; ///< "/dev/input/event7"
    bool closed; ///< this user may not read it
} InputBox;
/// The boxes that the kernel has, by their nodes; whether SDL lists them or not. Returns how many were written, at most
/// `capacity`. Needs no devices that are open.
int input_boxes(InputBox *list, int capacity);
/// True when SDL lists the box as a device.
bool input_devices_lists(InputDevices *devices, const InputBox *box);

/// Rumble of the heavy motor (`low`) and the light one (`high`), 0..1 each, for `milliseconds`; nothing when the pad
/// cannot.
void input_devices_rumble(InputDevices *devices, double low, double high, int milliseconds);

#endif
