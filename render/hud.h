/// The panels over the picture while a machine is driven: gauges, levers, progress, hints and the table of devices.
/// Filled once a frame from the session and the input devices. Texts are UTF-8 in the language of the screen and belong
/// to the caller.
#ifndef SPADEWORK_RENDER_HUD_H
#define SPADEWORK_RENDER_HUD_H

#include <stdbool.h>

#include "data/core/operator_controls.h"
#include "render/mouse_levers.h"

enum {
    RENDER_MAX_HINTS = 36,
    RENDER_MAX_DEVICES = 8,
};

/// One lever in the table of what each axis does.
typedef struct RenderControl {
    const char *lever, *less, *more; ///< "boom", "down", "up": its name and what its two ends do
    const char *source; ///< the device's control that moves it now, or that can
    bool moved; ///< `source` is what moves it now
    bool analog; ///< `source` is an axis, whose reading is `raw`
    bool waiting; ///< the axis must be let go once before it counts
    bool unrested; ///< it counts only after a pause
    double raw; ///< -1..1, as the device reads
    double value; ///< -1..1, what the machine gets
} RenderControl;

/// The table of levers and devices.
typedef struct RenderControls {
    bool visible;
    const char *title;
    int count; ///< 0..CONTROL_COUNT
    RenderControl rows[CONTROL_COUNT];
    int device_count; ///< 0..RENDER_MAX_DEVICES
    const char *devices[RENDER_MAX_DEVICES]; ///< "pedals: Pedals", "left: not plugged in"
    bool device_present[RENDER_MAX_DEVICES]; ///< it is plugged in
} RenderControls;

enum { RENDER_HUD_LINES = 8, RENDER_RACE_LINES = 2 }; ///< of an exercise, of a race, at most

/// The panels over the picture while a machine is driven.
typedef struct RenderHud {
    bool visible;
    bool compact; ///< gauges as a strip at the lower edge, no levers: the place of work stays free
    const char *title; ///< scene title
    double time, time_limit; ///< s, 0 or more; limit 0: there is none
    bool unscored; ///< nothing gives points: no score is shown
    double score; ///< 0..100
    bool held; ///< score and progress are those of the ground before it was stirred, until it has settled
    double levers[CONTROL_COUNT]; ///< -1..1, by ControlAxis
    const char *pattern; ///< "ISO", "BHL", "H", "HANDLER", "DOZER"
    double pressure[4]; ///< Pa, of the machine's joints
    double pressure_relief[4]; ///< Pa, full scale
    const char *joint_name[4]; ///< of each pressure: "Boom", "Lift"; NULL ends
    const char *joint_value[4]; ///< text shown instead of the pressure; NULL: the pressure
    bool at_relief[4]; ///< the joint's relief valve is open
    const char *drive; ///< "F2  4.3 km/h", shown instead of the pumps' power; NULL: the power
    const char *tool_turn; ///< tilt and turn of a tiltrotator's tool; NULL: there is none
    double engine_speed, engine_rated; ///< rad/s
    double pump_power; ///< W
    double payload, payload_full; ///< kg: in the bucket; in a heaped one
    double fuel; ///< kg left in the tank
    double tool_force; ///< N: size of the total force on the tool
    double second_force; ///< N: the same on a second tool, a ripper
    const char *tool_name[2]; ///< "Blade", "Ripper" of a machine that has both; NULL: it has one tool
    double depth; ///< m of the tip below z = 0
    const char *limit[4]; ///< lamps side by side: "stall", "relief", ...; NULL ends
    bool limit_acts[4]; ///< the lamp is lit
    const char *state; ///< lamp of a state of the tool beside them: "float", "coupler"; NULL: there is none
    bool state_acts; ///< it is lit
    bool state_warns; ///< as a warning: the coupler is not locked
    bool oil_hot; ///< the lamp of the oil's temperature is lit
    double real_time; ///< simulated s per wall s; a badge is shown below 0.98
    const char *progress[RENDER_HUD_LINES]; ///< exercise lines ("Depth 0.62 of 1.50 m"); NULL ends
    int race_count; ///< 0..RENDER_RACE_LINES
    const char *race[RENDER_RACE_LINES]; ///< lead over a ghost, under the exercise's lines
    const char *signal; ///< word of the banksman's signal, under those lines; NULL: none
    const char *message; ///< one or two centre lines parted by \n (pad lost, recording stopped); NULL: none
    const char *hints[RENDER_MAX_HINTS]; ///< hints of keys and pads, one a line; NULL ends
    RenderControls controls;
    bool recording; ///< the lamp of a running recording is lit
    bool paused;
    RenderMouse mouse; ///< levers for the mouse
} RenderHud;

enum { RENDER_PANELS = 18 }; ///< kinds of panels (panels.h), then the insets

/// A panel that is not in its usual place, because something to be seen is there.
typedef struct RenderMove {
    bool moved; ///< its upper left corner is at x, y
    bool hidden; ///< there is no room for it
    double x, y; ///< design units, as PanelPlace
} RenderMove;

/// How the panels are laid out; zero is the usual layout.
typedef struct RenderLayout {
    double scale; ///< 0.75..1.5 of the usual size; 0 counts as 1
    bool mirrored; ///< left and right sides are exchanged, but for the levers
    bool no_task; ///< without title, time, score and progress
    bool no_gauges; ///< without gauges and levers
    bool no_signals; ///< without the word of the banksman's signal
    bool map; ///< with the site from above
    RenderMove moves[RENDER_PANELS]; ///< filled by render_clear_work, as the next
    int monitor_inset; ///< 1 + the inset that the cab's monitor shows; 0: none
} RenderLayout;

/// What a way of the left or right joystick does in a pattern (ControlPattern): returns the lever, and writes to `sign`
/// which of its ways that is, 1 or -1. CONTROL_LEFT_TRACK stands for both tracks. Pure; any thread.
/// pattern  name of a ControlPattern, as RenderHud's; NULL, or none that is known: "ISO"
/// forward  the forward way, else that to the right
ControlAxis render_stick_way(const char *pattern, bool left, bool forward, int *sign);
/// Computes where the grip of the left or right joystick stands: `at` = {to the right, ahead}, -1..1 of its way. Pure;
/// any thread.
/// levers   [CONTROL_COUNT], -1..1: what the machine is asked to do
/// pattern  as of render_stick_way
void render_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left, double at[2]);

#endif
