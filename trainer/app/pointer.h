/// What mouse and fingers do, as one pointer: where it is, what it clicks, drags, scrolls and zooms. A finger that is
/// laid on and lifted at one place clicks, one that is drawn along scrolls lists and turns the camera, two that part
/// zoom, and a tap of two goes back, as the right mouse button does. Main thread only.
#ifndef SPADEWORK_TRAINER_POINTER_H
#define SPADEWORK_TRAINER_POINTER_H

#include <SDL.h>
#include <stdbool.h>

enum { POINTER_FINGERS = 2 };

typedef struct PointerFinger {
    SDL_TouchID touch;
    SDL_FingerID id;
    double x, y; ///< pixels, now
} PointerFinger;

/// What the fingers on the screen are doing.
typedef enum PointerTouch {
    POINTER_UNTOUCHED,
    POINTER_TAPS, ///< one that has not moved
    POINTER_TAPS_BOTH, ///< two that have not moved, or one of them still lies there
    POINTER_DRAWS, ///< one that moves
    POINTER_PINCHES, ///< two that move
    POINTER_SPENT, ///< the one that is left does nothing any more
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

/// What it did since the last look. Zero-initialise.
typedef struct PointerInput {
    bool moved;
    int clicks, back_clicks;
    double drag_x, drag_y; ///< pixels, with the button down
    double scroll; ///< pixels that a finger drew a list along, positive downwards
    double wheel; ///< clicks, positive away from the person; of two fingers that part as well
} PointerInput;

/// How a window's places become pixels of its drawing area.
typedef struct PointerArea {
    int width, height; ///< pixels of the drawing area
    double scale; ///< such pixels a mouse unit
} PointerArea;

/// Once, before the first event: fingers are no mouse.
void pointer_begin(void);
/// Takes an event in; others than those of mouse and fingers are nothing.
void pointer_take(Pointer *pointer, const SDL_Event *event, const PointerArea *area, PointerInput *input);

#endif
