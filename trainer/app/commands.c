/// Which key and which button is which command. Levers are the control map's; these are the same with every map.
#include "trainer/app/commands.h"

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
static bool repeats(SDL_Keycode key)
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
    if (event->repeat != 0 && !repeats(key)) {
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

/// A stick that is pushed as far as that asks once for what the button of that direction asks.
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
