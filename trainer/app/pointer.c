/// Fingers are followed by their ids: a third one is left out. A touch clicks when it is lifted, not when it is laid
/// on, since only then it is known that it did not draw.
#include "trainer/app/pointer.h"

#include <math.h>

#define STILL      12.0 ///< pixels that a finger may move and still tap. Chosen
#define WHEEL_STEP 40.0 ///< pixels that two fingers part for a click of the wheel. Chosen

void pointer_begin(void)
{
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
    SDL_SetHint(SDL_HINT_MOUSE_TOUCH_EVENTS, "0");
    SDL_SetHint(SDL_HINT_MOUSE_AUTO_CAPTURE, "0"); // it goes to the window with the keyboard, not to the one under it
}

/// ---- mouse ---------------------------------------------------------------------------------------------------------

static void take_motion(Pointer *pointer, const SDL_MouseMotionEvent *event, const PointerArea *area,
                        PointerInput *input)
{
    pointer->x = area->scale * event->x;
    pointer->y = area->scale * event->y;
    pointer->button = (event->state & SDL_BUTTON_LMASK) != 0;
    input->moved = true;
    if (pointer->button) {
        input->drag_x += area->scale * event->xrel;
        input->drag_y += area->scale * event->yrel;
    }
}

static void take_button(Pointer *pointer, const SDL_MouseButtonEvent *event, const PointerArea *area,
                        PointerInput *input)
{
    bool down = event->type == SDL_MOUSEBUTTONDOWN;
    pointer->x = area->scale * event->x;
    pointer->y = area->scale * event->y;
    pointer->button = event->button == SDL_BUTTON_LEFT ? down : pointer->button;
    input->clicks += down && event->button == SDL_BUTTON_LEFT;
    input->back_clicks += down && event->button == SDL_BUTTON_RIGHT;
}

/// ---- fingers -------------------------------------------------------------------------------------------------------

static int find_finger(const Pointer *pointer, const SDL_TouchFingerEvent *event)
{
    for (int k = 0; k < pointer->finger_count; k++) {
        if (pointer->fingers[k].touch == event->touchId && pointer->fingers[k].id == event->fingerId) {
            return k;
        }
    }
    return -1;
}

static double measure_spread(const Pointer *pointer)
{
    const PointerFinger *a = &pointer->fingers[0], *b = &pointer->fingers[1];
    return hypot(a->x - b->x, a->y - b->y);
}

static void lay_on(Pointer *pointer, const PointerFinger *finger, PointerInput *input)
{
    if (pointer->finger_count == POINTER_FINGERS) {
        return;
    }
    pointer->fingers[pointer->finger_count++] = *finger;
    pointer->button = pointer->finger_count == 1;
    if (pointer->finger_count == 1) {
        pointer->touch = POINTER_TAPS;
        pointer->x = pointer->from_x = finger->x;
        pointer->y = pointer->from_y = finger->y;
        input->moved = true;
    } else {
        pointer->touch = pointer->touch == POINTER_TAPS ? POINTER_TAPS_BOTH : POINTER_PINCHES;
        pointer->spread = measure_spread(pointer);
    }
}

static void pinch(Pointer *pointer, PointerInput *input)
{
    double spread = measure_spread(pointer);
    if (pointer->touch == POINTER_PINCHES || fabs(spread - pointer->spread) > STILL) {
        input->wheel += (spread - pointer->spread) / WHEEL_STEP;
        pointer->spread = spread;
        pointer->touch = POINTER_PINCHES;
    }
}

static void draw_along(Pointer *pointer, int index, const PointerFinger *finger, PointerInput *input)
{
    PointerFinger *known = &pointer->fingers[index];
    double along = finger->x - known->x, down = finger->y - known->y;
    *known = *finger;
    if (pointer->finger_count == POINTER_FINGERS) {
        pinch(pointer, input);
        return;
    }
    if (pointer->touch == POINTER_TAPS && hypot(finger->x - pointer->from_x, finger->y - pointer->from_y) > STILL) {
        pointer->touch = POINTER_DRAWS; // what it moved so far counts, so that the list does not lag behind the finger
        along = finger->x - pointer->from_x;
        down = finger->y - pointer->from_y;
    }
    if (pointer->touch == POINTER_DRAWS) {
        pointer->x = finger->x;
        pointer->y = finger->y;
        input->drag_x += along;
        input->drag_y += down;
        input->scroll += down;
    }
}

static void lift(Pointer *pointer, int index, PointerInput *input)
{
    pointer->fingers[index] = pointer->fingers[--pointer->finger_count];
    pointer->button = false;
    if (pointer->finger_count > 0) {
        pointer->touch = pointer->touch == POINTER_TAPS_BOTH ? POINTER_TAPS_BOTH : POINTER_SPENT;
        return;
    }
    input->clicks += pointer->touch == POINTER_TAPS;
    input->back_clicks += pointer->touch == POINTER_TAPS_BOTH;
    pointer->touch = POINTER_UNTOUCHED;
}

static void take_finger(Pointer *pointer, const SDL_TouchFingerEvent *event, const PointerArea *area,
                        PointerInput *input)
{
    PointerFinger finger = {event->touchId, event->fingerId, (double)event->x * area->width,
                            (double)event->y * area->height};
    int index = find_finger(pointer, event);
    if (event->type == SDL_FINGERDOWN && index < 0) {
        lay_on(pointer, &finger, input);
    } else if (event->type == SDL_FINGERMOTION && index >= 0) {
        draw_along(pointer, index, &finger, input);
    } else if (event->type == SDL_FINGERUP && index >= 0) {
        lift(pointer, index, input);
    }
}

void pointer_take(Pointer *pointer, const SDL_Event *event, const PointerArea *area, PointerInput *input)
{
    switch (event->type) {
    case SDL_MOUSEMOTION:
        take_motion(pointer, &event->motion, area, input);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        take_button(pointer, &event->button, area, input);
        break;
    case SDL_MOUSEWHEEL:
        input->wheel += event->wheel.y;
        break;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        take_finger(pointer, &event->tfinger, area, input);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            pointer->finger_count = 0; // that they are lifted will be told to another window
            pointer->touch = POINTER_UNTOUCHED;
            pointer->button = false;
        }
        break;
    default:
        break;
    }
}
