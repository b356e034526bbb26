/// Input of the window apart from the levers: commands of keys and pads, keys that move cameras, mouse and fingers.
/// Main thread only.
#ifndef SPADEWORK_TRAINER_COMMANDS_H
#define SPADEWORK_TRAINER_COMMANDS_H

#include <SDL.h>
#include <stdbool.h>

#include "input/input.h"
#include "trainer/app/camera.h"

/// Commands to the program. Their keys and pad buttons: commands.c.
typedef enum WindowCommand {
    WINDOW_UP,
    WINDOW_DOWN,
    WINDOW_LEFT,
    WINDOW_RIGHT,
    WINDOW_ACCEPT,
    WINDOW_BACK, ///< Esc or pad B
    WINDOW_ESCAPE, ///< Esc alone: pad B is the camera while driving
    WINDOW_PAUSE, ///< by the control map
    WINDOW_CAMERA,
    WINDOW_LOOK, ///< by the control map: the driver's next glance
    WINDOW_RESTART, ///< by the control map
    WINDOW_THROTTLE_UP, ///< by the control map
    WINDOW_THROTTLE_DOWN, ///< by the control map
    WINDOW_HELP,
    WINDOW_HUD,
    WINDOW_DEBUG, ///< F3
    WINDOW_GRADE, ///< F7: the grade display
    WINDOW_CUT_FILL, ///< F8: its colours on the ground
    WINDOW_SOUND, ///< F6
    WINDOW_CONTROLS, ///< F4
    WINDOW_REAR, ///< F9: the rear camera in a corner
    WINDOW_INSET, ///< F10: another one
    WINDOW_SCORE, ///< F12: the panel of the score
    WINDOW_MAP, ///< M: the site from above
    WINDOW_FULLSCREEN,
    WINDOW_SIDES, ///< N: the other windows
    WINDOW_PLAY, ///< space
    WINDOW_FASTER,
    WINDOW_SLOWER,
    WINDOW_TAKE_OVER,
    WINDOW_TICK_BACK, ///< , or . or the pad's sticks pressed down: one tick of a replay
    WINDOW_TICK_ON,
    WINDOW_MARK_BACK, ///< Page Up and Page Down or the pad's shoulders: from event to event of a replay
    WINDOW_MARK_ON,
    WINDOW_CURVES, ///< V: the next curves of a replay
    WINDOW_SPAN, ///< Z: the part of the time that they show
    WINDOW_GHOST, ///< G: the other recording's machine in a replay
    WINDOW_BOOKMARK, ///< B: sets or names a bookmark of a replay
    WINDOW_REMOVE, ///< Delete: takes one away
    WINDOW_LIST, ///< L: the list of a replay's events
    WINDOW_PAGE_UP, ///< Page Up and Page Down or the pad's shoulders: a page of a list
    WINDOW_PAGE_DOWN,
    WINDOW_FIRST, ///< Home and End: the ends of a list
    WINDOW_LAST,
    WINDOW_COMMAND_COUNT
} WindowCommand;

/// Counts the commands of a key.
/// levers  a control map is in force; without one C turns the cameras
void commands_take_key(const SDL_KeyboardEvent *event, bool levers, int pressed[WINDOW_COMMAND_COUNT]);
/// The same while text is typed that a list is searched by: the keys that move in it, and F11.
void commands_take_moving_key(const SDL_KeyboardEvent *event, int pressed[WINDOW_COMMAND_COUNT]);
/// Counts the commands of pad buttons, sticks and the map's actions since the last poll.
/// map     NULL: none; pad Y turns the cameras then
/// pushed  position of the left stick at the last poll: -1 up, 1 down
void commands_count(const InputMap *map, const InputSample *sample, int *pushed, int pressed[WINDOW_COMMAND_COUNT]);

/// ---- keys that are held for cameras --------------------------------------------------------------------------------

/// Keys that turn the driver's head and fly the free camera, the same with every control map.

/// Reads the keys that are held now.
/// levers  letters move levers: without them W A S D, Q and E fly the free camera, too
CameraKeys camera_keys_held(bool levers);

/// ---- mouse and fingers ---------------------------------------------------------------------------------------------

/// Mouse and fingers as one pointer: its place, clicks, drags, scrolling and zooming. A finger that is
/// laid on and lifted at one place clicks, one that is dragged scrolls lists and turns the camera, two that part
/// zoom, and a tap of two goes back, as the right mouse button does. Main thread only.

enum { POINTER_FINGERS = 2 };

typedef struct PointerFinger {
    SDL_TouchID touch;
    SDL_FingerID id;
    double x, y; ///< pixels, now
} PointerFinger;

/// State of the fingers on the screen.
typedef enum PointerTouch {
    POINTER_UNTOUCHED,
    POINTER_TAPS, ///< one that has not moved
    POINTER_TAPS_BOTH, ///< two that have not moved, or one of them still lies there
    POINTER_DRAWS, ///< one that moves
    POINTER_PINCHES, ///< two that move
    POINTER_SPENT, ///< the remaining one is ignored
} PointerTouch;

/// Zero-initialise.
typedef struct Pointer {
    double x, y; ///< pixels of the drawing area, from the top left
    bool button; ///< left mouse button is down, or one finger lies on the screen
    int finger_count;
    PointerFinger fingers[POINTER_FINGERS]; ///< that lie on the screen, in the order in which they came
    PointerTouch touch;
    double from_x, from_y; ///< pixels: where the first finger was laid on
    double spread; ///< pixels between two fingers
} Pointer;

/// What it did since the last poll. Zero-initialise.
typedef struct PointerInput {
    bool moved;
    int clicks, back_clicks;
    double drag_x, drag_y; ///< pixels, with the button down
    double scroll; ///< pixels that a finger drew a list along, positive downwards
    double wheel; ///< clicks, positive away from the person; of two fingers that part as well
} PointerInput;

/// Conversion of window coordinates to pixels of the drawing area.
typedef struct PointerArea {
    int width, height; ///< pixels of the drawing area
    double scale; ///< such pixels a mouse unit
} PointerArea;

/// Call once before the first event: SDL then sends no mouse events for fingers.
void pointer_begin(void);
/// Handles an event of mouse or fingers; ignores others.
void pointer_take(Pointer *pointer, const SDL_Event *event, const PointerArea *area, PointerInput *input);

#endif
