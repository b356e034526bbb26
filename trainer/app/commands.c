/// Maps keys, pad buttons, mouse and touch to the program's commands. The control map binds the levers; the bindings
/// here are the same with every map.
#include "trainer/app/commands.h"

#include <math.h>

#define STICK_PUSHED 0.6 ///< of -1..1. Chosen

static const struct {
    SDL_Keycode key;
    WindowCommand command;
} key_commands[] = {
    {SDLK_COMMA, WINDOW_TICK_BACK},
    {SDLK_PERIOD, WINDOW_TICK_ON},
    {SDLK_PAGEUP, WINDOW_MARK_BACK},
    {SDLK_PAGEDOWN, WINDOW_MARK_ON},
    {SDLK_UP, WINDOW_UP},
    {SDLK_DOWN, WINDOW_DOWN},
    {SDLK_LEFT, WINDOW_LEFT},
    {SDLK_RIGHT, WINDOW_RIGHT},
    {SDLK_RETURN, WINDOW_ACCEPT},
    {SDLK_KP_ENTER, WINDOW_ACCEPT},
    {SDLK_ESCAPE, WINDOW_BACK},
    {SDLK_ESCAPE, WINDOW_ESCAPE},
    {SDLK_F1, WINDOW_HELP},
    {SDLK_F2, WINDOW_HUD},
    {SDLK_F11, WINDOW_FULLSCREEN},
    {SDLK_n, WINDOW_SIDES},
    {SDLK_SPACE, WINDOW_PLAY},
    {SDLK_PLUS, WINDOW_FASTER},
    {SDLK_EQUALS, WINDOW_FASTER},
    {SDLK_KP_PLUS, WINDOW_FASTER},
    {SDLK_MINUS, WINDOW_SLOWER},
    {SDLK_t, WINDOW_TAKE_OVER},
    {SDLK_KP_MINUS, WINDOW_SLOWER},
    {SDLK_F3, WINDOW_DEBUG},
    {SDLK_F4, WINDOW_CONTROLS},
    {SDLK_F6, WINDOW_SOUND},
    {SDLK_v, WINDOW_CURVES},
    {SDLK_z, WINDOW_SPAN},
    {SDLK_b, WINDOW_BOOKMARK},
    {SDLK_DELETE, WINDOW_REMOVE},
    {SDLK_l, WINDOW_LIST},
    {SDLK_g, WINDOW_GHOST},
    {SDLK_F7, WINDOW_GRADE},
    {SDLK_F8, WINDOW_CUT_FILL},
    {SDLK_F9, WINDOW_REAR},
    {SDLK_F10, WINDOW_INSET},
    {SDLK_F12, WINDOW_SCORE},
    {SDLK_m, WINDOW_MAP},
    {SDLK_PAGEUP, WINDOW_PAGE_UP},
    {SDLK_PAGEDOWN, WINDOW_PAGE_DOWN},
    {SDLK_HOME, WINDOW_FIRST},
    {SDLK_END, WINDOW_LAST},
};

static const struct {
    SDL_GameControllerButton button;
    WindowCommand command;
} pad_commands[] = {
    {SDL_CONTROLLER_BUTTON_DPAD_UP, WINDOW_UP},
    {SDL_CONTROLLER_BUTTON_DPAD_DOWN, WINDOW_DOWN},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, WINDOW_LEFT},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, WINDOW_RIGHT},
    {SDL_CONTROLLER_BUTTON_A, WINDOW_ACCEPT},
    {SDL_CONTROLLER_BUTTON_B, WINDOW_BACK},
    {SDL_CONTROLLER_BUTTON_LEFTSTICK, WINDOW_TICK_BACK},
    {SDL_CONTROLLER_BUTTON_RIGHTSTICK, WINDOW_TICK_ON},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, WINDOW_MARK_BACK},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, WINDOW_MARK_ON},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, WINDOW_PAGE_UP},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, WINDOW_PAGE_DOWN},
};

static const struct {
    const char *action;
    WindowCommand command;
} action_commands[] = {
    {"camera", WINDOW_CAMERA},
    {"look", WINDOW_LOOK},
    {"pause", WINDOW_PAUSE},
    {"menu", WINDOW_PAUSE},
    {"reset", WINDOW_RESTART},
    {"throttle_up", WINDOW_THROTTLE_UP},
    {"throttle_down", WINDOW_THROTTLE_DOWN},
};

/// Keys that are repeated while they are held.
static bool key_repeats(SDL_Keycode key)
{
    return key == SDLK_LEFT || key == SDLK_RIGHT || key == SDLK_UP || key == SDLK_DOWN || key == SDLK_PAGEUP ||
           key == SDLK_PAGEDOWN;
}

void commands_take_moving_key(const SDL_KeyboardEvent *event, int pressed[WINDOW_COMMAND_COUNT])
{
    static const SDL_Keycode keys[] = {SDLK_UP, SDLK_DOWN, SDLK_PAGEUP, SDLK_PAGEDOWN, SDLK_HOME, SDLK_END, SDLK_F11};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (event->keysym.sym == keys[i]) {
            commands_take_key(event, true, pressed);
        }
    }
}

void commands_take_key(const SDL_KeyboardEvent *event, bool levers, int pressed[WINDOW_COMMAND_COUNT])
{
    SDL_Keycode key = event->keysym.sym;
    if (event->repeat != 0 && !key_repeats(key)) {
        return;
    }
    for (size_t i = 0; i < sizeof key_commands / sizeof key_commands[0]; i++) {
        WindowCommand command = key_commands[i].command;
        bool mark = command == WINDOW_MARK_BACK || command == WINDOW_MARK_ON; // each is gone to by a press of its own
        if (key_commands[i].key == key && !(mark && event->repeat != 0)) {
            pressed[command]++;
        }
    }
    if (!levers && key == SDLK_c) {
        pressed[WINDOW_CAMERA]++;
    }
}

/// A stick pushed beyond STICK_PUSHED counts once as the direction's button.
static void count_stick(const InputSample *sample, int *pushed, int pressed[WINDOW_COMMAND_COUNT])
{
    double stick = sample->pad_axis[SDL_CONTROLLER_AXIS_LEFTY];
    int now = stick < -STICK_PUSHED ? -1 : stick > STICK_PUSHED ? 1 : 0;
    pressed[WINDOW_UP] += now < 0 && *pushed >= 0;
    pressed[WINDOW_DOWN] += now > 0 && *pushed <= 0;
    *pushed = now;
}

/// Of a joystick: hat, trigger, second button.
static void count_joystick(const unsigned char button[INPUT_JOYSTICK_BUTTONS], int pressed[WINDOW_COMMAND_COUNT])
{
    pressed[WINDOW_UP] += button[CONTROLS_MAX_BUTTONS];
    pressed[WINDOW_RIGHT] += button[CONTROLS_MAX_BUTTONS + 1];
    pressed[WINDOW_DOWN] += button[CONTROLS_MAX_BUTTONS + 2];
    pressed[WINDOW_LEFT] += button[CONTROLS_MAX_BUTTONS + 3];
    pressed[WINDOW_ACCEPT] += button[0];
    pressed[WINDOW_BACK] += button[1];
}

void commands_count(const InputMap *map, const InputSample *sample, int *pushed, int pressed[WINDOW_COMMAND_COUNT])
{
    for (size_t i = 0; i < sizeof pad_commands / sizeof pad_commands[0]; i++) {
        pressed[pad_commands[i].command] += sample->pad_pressed[pad_commands[i].button];
    }
    for (int i = 0; i < CONTROLS_MAX_DEVICES; i++) {
        count_joystick(sample->joystick[i].pressed, pressed);
    }
    count_joystick(sample->stranger_pressed, pressed);
    count_stick(sample, pushed, pressed);
    if (map == NULL) {
        pressed[WINDOW_CAMERA] += sample->pad_pressed[SDL_CONTROLLER_BUTTON_Y];
        return;
    }
    for (size_t i = 0; i < sizeof action_commands / sizeof action_commands[0]; i++) {
        pressed[action_commands[i].command] += input_map_presses(map, sample, action_commands[i].action);
    }
}

/// ---- keys that are held for cameras --------------------------------------------------------------------------------

/// The numeric pad turns the driver's head and flies the camera; Q, E and X serve keyboards without one.

static double held_axis(const Uint8 *held, int less, int more)
{
    return (double)held[more] - (double)held[less];
}

CameraKeys camera_keys_held(bool levers)
{
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    CameraKeys keys = {.left = held[SDL_SCANCODE_KP_4] || held[SDL_SCANCODE_Q],
                       .right = held[SDL_SCANCODE_KP_6] || held[SDL_SCANCODE_E],
                       .back_left = held[SDL_SCANCODE_KP_1],
                       .back_right = held[SDL_SCANCODE_KP_3],
                       .lean = held[SDL_SCANCODE_KP_5] || held[SDL_SCANCODE_X],
                       .nod = held_axis(held, SDL_SCANCODE_KP_2, SDL_SCANCODE_KP_8),
                       .ahead = held_axis(held, SDL_SCANCODE_KP_2, SDL_SCANCODE_KP_8),
                       .aside = held_axis(held, SDL_SCANCODE_KP_6, SDL_SCANCODE_KP_4),
                       .rise = held_axis(held, SDL_SCANCODE_KP_3, SDL_SCANCODE_KP_9),
                       .turn = held_axis(held, SDL_SCANCODE_KP_1, SDL_SCANCODE_KP_7),
                       .fast = (SDL_GetModState() & KMOD_SHIFT) != 0};
    if (!levers) {
        keys.ahead += held_axis(held, SDL_SCANCODE_S, SDL_SCANCODE_W);
        keys.aside += held_axis(held, SDL_SCANCODE_D, SDL_SCANCODE_A);
        keys.rise += held_axis(held, SDL_SCANCODE_Q, SDL_SCANCODE_E);
    }
    return keys;
}

/// ---- mouse and fingers ---------------------------------------------------------------------------------------------

/// Fingers are tracked by their ids; a third one is ignored. A touch clicks when it is lifted, since only then it is
/// known not to be a drag.

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

static void zoom_by_pinch(Pointer *pointer, PointerInput *input)
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
        zoom_by_pinch(pointer, input);
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

static void lift_finger(Pointer *pointer, int index, PointerInput *input)
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
        lift_finger(pointer, index, input);
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
