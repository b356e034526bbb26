/// What the inputs of all devices did, in order, until a tick has taken it: between two ticks a button may go down and
/// up, and a lever out and back, more than once. Internal to input/, without SDL and without a clock.
///
///     device's event --edges_note--> now[] (a look at the devices)
///                        |
///                        +--> queue of turns --edges_take, once a tick--> taken[] (that tick's levers)
///
/// A tick goes along the queue of each input up to the next turn and not past it. So every press lasts a tick at least,
/// has a tick between it and the next, and waits for none but its own input; what only goes on in one direction is
/// taken at once.
#ifndef SPADEWORK_INPUT_EDGES_H
#define SPADEWORK_INPUT_EDGES_H

#include "input/input.h"

/// Numbers of inputs: axes and buttons of the pads, keys, axes and buttons of each device that the map names, then
/// buttons of strangers.
enum {
    EDGES_PAD_BUTTON = INPUT_PAD_AXES,
    EDGES_KEY = EDGES_PAD_BUTTON + INPUT_PAD_BUTTONS,
    EDGES_JOYSTICK = EDGES_KEY + INPUT_MAX_KEYS,
    EDGES_OF_JOYSTICK = CONTROLS_MAX_JOYSTICK_AXES + INPUT_JOYSTICK_BUTTONS,
    EDGES_STRANGER = EDGES_JOYSTICK + CONTROLS_MAX_DEVICES * EDGES_OF_JOYSTICK,
    EDGES_INPUTS = EDGES_STRANGER + INPUT_JOYSTICK_BUTTONS,
    EDGES_MOST = 256 ///< turns that wait; chosen: a second of a hand on every axis
};

/// Of -1..1: an axis that comes back by less has not turned, it trembles. Chosen
#define EDGES_TREMBLE 0.05

/// Where an input went before it turned, or where it is.
typedef struct Edge {
    int input;
    double value; ///< -1..1; of a button 0 or 1; NaN: unknown
    double time; ///< s, any zero: when its device told so first
} Edge;

/// Zero-initialise.
typedef struct InputEdges {
    int count;
    Edge edge[EDGES_MOST]; ///< [count] oldest first
    double now[EDGES_INPUTS]; ///< -1..1, as devices told last
    double taken[EDGES_INPUTS]; ///< -1..1, as the last tick had it
    unsigned char pressed[EDGES_INPUTS]; ///< how often a button went down since edges_look, at most 255
} InputEdges;

/// An input is at `value`, -1..1, since `time`, s. When the queue is full, what waits is given up: all inputs are taken
/// as they are.
void edges_note(InputEdges *edges, int input, double value, double time);
/// Goes on by a tick. Returns the time, s, of the oldest edge that it took, or NaN when nothing has changed.
double edges_take(InputEdges *edges);
/// Takes all inputs as they are; what waits is given up.
void edges_forget(InputEdges *edges);

#endif
