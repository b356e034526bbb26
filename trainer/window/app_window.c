#include "trainer/window/app_window.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/window/app.h"
#include "trainer/window/app_sound.h"

/// Without vsync (Xvfb, offscreen) a frame is held back to this, s; screens up to 160 Hz are not slowed.
#define SHORTEST_FRAME      0.006
#define FRAME_WITHOUT_VSYNC (1.0 / 60.0)

struct AppWindow {
    SDL_Window *window;
    SDL_GLContext context;
    Renderer *renderer;
    InputDevices *devices;
    AppSound *sound; ///< or NULL
    AppCamera camera;
    bool help, hud, debug, controls;
    double last_show; ///< app_clock
    unsigned char held[APP_COMMAND_COUNT]; ///< pad buttons and actions at the last poll
};

double app_clock(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static bool is_set(const char *variable)
{
    const char *value = SDL_getenv(variable);
    return value != NULL && value[0] != '\0';
}

bool app_has_display(void)
{
    if (!is_set("SDL_VIDEODRIVER")) {
        if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
            return false;
        }
        // Without this SDL would fall back to drivers that complain on stderr, or to one that shows nothing.
        SDL_SetHint(SDL_HINT_VIDEODRIVER, is_set("WAYLAND_DISPLAY") ? "wayland,x11" : "x11");
    }
    return SDL_WasInit(SDL_INIT_VIDEO) != 0 || SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
}

static bool create_context(AppWindow *own, const char *title, Status *status)
{
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    own->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 1280, 720,
                                   SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (own->window != NULL) {
        own->context = SDL_GL_CreateContext(own->window);
    }
    if (own->context == NULL) {
        return status_fail(status, STATUS_LACKING,
                           "window: cannot make an OpenGL 3.3 window (%s); use --headless, with --shot OUT.png for a "
                           "picture",
                           SDL_GetError());
    }
    SDL_SetWindowMinimumSize(own->window, 480, 320);
    SDL_GL_SetSwapInterval(1);
    return true;
}

AppWindow *app_window_open(const char *title, Status *status)
{
    if (!app_has_display()) {
        status_fail(status, STATUS_LACKING,
                    "window: no display found (DISPLAY and WAYLAND_DISPLAY lead nowhere); use --headless, with "
                    "--shot OUT.png for a picture");
        return NULL;
    }
    AppWindow *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->camera = app_camera_default(RENDER_CAMERA_CAB);
    own->help = own->hud = true;
    char folder[DATA_PATH_LENGTH];
    SDL_snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    if (create_context(own, title, status)) {
        own->renderer = render_create(folder, status);
        own->devices = own->renderer != NULL ? input_devices_open(status) : NULL;
    }
    if (own->devices == NULL) {
        app_window_close(own);
        return NULL;
    }
    return own;
}

void app_window_close(AppWindow *own)
{
    if (own == NULL) {
        return;
    }
    app_sound_close(own->sound);
    if (own->devices != NULL) {
        input_devices_close(own->devices);
    }
    if (own->renderer != NULL) {
        render_destroy(own->renderer);
    }
    if (own->context != NULL) {
        SDL_GL_DeleteContext(own->context);
    }
    if (own->window != NULL) {
        SDL_DestroyWindow(own->window);
    }
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(own);
}

void app_window_set_title(AppWindow *own, const char *title)
{
    SDL_SetWindowTitle(own->window, title);
}

InputDevices *app_window_devices(AppWindow *own)
{
    return own->devices;
}

Renderer *app_window_renderer(AppWindow *own)
{
    return own->renderer;
}

void app_window_open_sound(AppWindow *own, double volume)
{
    app_sound_close(own->sound);
    own->sound = app_sound_open(volume);
}

void app_window_play(AppWindow *own, Session *session, bool running)
{
    if (own->sound != NULL) {
        app_sound_play(own->sound, session, running);
    }
}

AppCamera *app_window_camera(AppWindow *own)
{
    return &own->camera;
}

bool app_window_shows_help(const AppWindow *own)
{
    return own->help;
}

bool app_window_shows_hud(const AppWindow *own)
{
    return own->hud;
}

bool app_window_shows_debug(const AppWindow *own)
{
    return own->debug;
}

bool app_window_shows_controls(const AppWindow *own)
{
    return own->controls;
}

void app_window_set_controls(AppWindow *own, bool on)
{
    own->controls = on;
}

void app_window_set_debug(AppWindow *own, bool on)
{
    own->debug = on;
}

void app_window_size(const AppWindow *own, int *width, int *height)
{
    SDL_GL_GetDrawableSize(own->window, width, height);
    *width = *width < 1 ? 1 : *width;
    *height = *height < 1 ? 1 : *height;
}

static const struct {
    SDL_Keycode key;
    AppCommand command;
} key_commands[] = {
    {SDLK_UP, APP_UP},         {SDLK_DOWN, APP_DOWN},       {SDLK_LEFT, APP_LEFT},      {SDLK_RIGHT, APP_RIGHT},
    {SDLK_RETURN, APP_ACCEPT}, {SDLK_KP_ENTER, APP_ACCEPT}, {SDLK_ESCAPE, APP_BACK},    {SDLK_ESCAPE, APP_ESCAPE},
    {SDLK_F1, APP_HELP},       {SDLK_F2, APP_HUD},          {SDLK_F11, APP_FULLSCREEN}, {SDLK_SPACE, APP_PLAY},
    {SDLK_PLUS, APP_FASTER},   {SDLK_EQUALS, APP_FASTER},   {SDLK_KP_PLUS, APP_FASTER}, {SDLK_MINUS, APP_SLOWER},
    {SDLK_t, APP_TAKE_OVER},   {SDLK_KP_MINUS, APP_SLOWER}, {SDLK_F3, APP_DEBUG},       {SDLK_F4, APP_CONTROLS},
    {SDLK_F6, APP_SOUND},
};

static const struct {
    SDL_GameControllerButton button;
    AppCommand command;
} pad_commands[] = {
    {SDL_CONTROLLER_BUTTON_DPAD_UP, APP_UP},     {SDL_CONTROLLER_BUTTON_DPAD_DOWN, APP_DOWN},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, APP_LEFT}, {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, APP_RIGHT},
    {SDL_CONTROLLER_BUTTON_A, APP_ACCEPT},       {SDL_CONTROLLER_BUTTON_B, APP_BACK},
};

static const struct {
    const char *action;
    AppCommand command;
} action_commands[] = {
    {"camera", APP_CAMERA},
    {"pause", APP_PAUSE},
    {"menu", APP_PAUSE},
    {"reset", APP_RESTART},
    {"throttle_up", APP_THROTTLE_UP},
    {"throttle_down", APP_THROTTLE_DOWN},
};

static void take_key(const SDL_KeyboardEvent *event, const InputMap *map, AppInput *input)
{
    SDL_Keycode key = event->keysym.sym;
    bool steps = key == SDLK_LEFT || key == SDLK_RIGHT || key == SDLK_UP || key == SDLK_DOWN;
    if (event->repeat != 0 && !steps) {
        return;
    }
    for (size_t i = 0; i < sizeof key_commands / sizeof key_commands[0]; i++) {
        if (key_commands[i].key == key) {
            input->pressed[key_commands[i].command]++;
        }
    }
    if (map == NULL && key == SDLK_c) {
        input->pressed[APP_CAMERA]++;
    }
}

/// Drawing pixels a mouse unit: more than 1 on high-density screens.
static double pixel_scale(const AppWindow *own)
{
    int width = 1, height = 1, window_width = 1, window_height = 1;
    app_window_size(own, &width, &height);
    SDL_GetWindowSize(own->window, &window_width, &window_height);
    return (double)width / (window_width > 0 ? window_width : 1);
}

static void take_event(AppWindow *own, const SDL_Event *event, const InputMap *map, AppInput *input)
{
    double scale = pixel_scale(own);
    switch (event->type) {
    case SDL_QUIT:
        input->close = true;
        break;
    case SDL_KEYDOWN:
        take_key(&event->key, map, input);
        break;
    case SDL_MOUSEMOTION:
        if ((event->motion.state & SDL_BUTTON_LMASK) != 0) {
            input->drag_x += scale * event->motion.xrel;
            input->drag_y += scale * event->motion.yrel;
        }
        break;
    case SDL_MOUSEWHEEL:
        input->wheel += event->wheel.y;
        break;
    default:
        break;
    }
}

/// Buttons and keys that went down since the last poll: a tap shorter than a frame shows in no level.
static void take_tap(const SDL_Event *event, InputSample *tapped)
{
    if (event->type == SDL_KEYDOWN && event->key.repeat == 0) {
        int key = (int)event->key.keysym.scancode;
        if (key >= 0 && key < INPUT_MAX_KEYS) {
            tapped->key[key] = 1;
        }
    } else if (event->type == SDL_CONTROLLERBUTTONDOWN && event->cbutton.button < INPUT_PAD_BUTTONS) {
        tapped->pad_button[event->cbutton.button] = 1;
    }
}

static InputSample sample_with_taps(const InputSample *now, const InputSample *tapped)
{
    InputSample sum = *now;
    for (int key = 0; key < INPUT_MAX_KEYS; key++) {
        sum.key[key] |= tapped->key[key];
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        sum.pad_button[button] |= tapped->pad_button[button];
    }
    return sum;
}

/// Which commands pad buttons and the map's actions hold.
static void find_held(const InputMap *map, const InputSample *sample, unsigned char held[APP_COMMAND_COUNT])
{
    memset(held, 0, APP_COMMAND_COUNT);
    for (size_t i = 0; i < sizeof pad_commands / sizeof pad_commands[0]; i++) {
        held[pad_commands[i].command] |= sample->pad_button[pad_commands[i].button];
    }
    for (int i = 0; i < CONTROLS_MAX_DEVICES; i++) { // joysticks that the map names: hat, trigger, second button
        const InputJoystick *joystick = &sample->joystick[i];
        held[APP_UP] |= joystick->button[CONTROLS_MAX_BUTTONS];
        held[APP_RIGHT] |= joystick->button[CONTROLS_MAX_BUTTONS + 1];
        held[APP_DOWN] |= joystick->button[CONTROLS_MAX_BUTTONS + 2];
        held[APP_LEFT] |= joystick->button[CONTROLS_MAX_BUTTONS + 3];
        held[APP_ACCEPT] |= joystick->button[0];
        held[APP_BACK] |= joystick->button[1];
    }
    held[APP_UP] |= sample->pad_axis[SDL_CONTROLLER_AXIS_LEFTY] < -0.6;
    held[APP_DOWN] |= sample->pad_axis[SDL_CONTROLLER_AXIS_LEFTY] > 0.6;
    if (map == NULL) {
        held[APP_CAMERA] |= sample->pad_button[SDL_CONTROLLER_BUTTON_Y];
    } else {
        for (size_t i = 0; i < sizeof action_commands / sizeof action_commands[0]; i++) {
            held[action_commands[i].command] |= input_map_action(map, sample, action_commands[i].action);
        }
    }
}

/// A command is the rising edge of its level, or a tap. What was only tapped is not held, so that each tap counts.
static void take_levels(AppWindow *own, const InputMap *map, const InputSample *now, const InputSample *tapped,
                        AppInput *input)
{
    InputSample sum = sample_with_taps(now, tapped);
    unsigned char active[APP_COMMAND_COUNT];
    find_held(map, &sum, active);
    for (int command = 0; command < APP_COMMAND_COUNT; command++) {
        input->pressed[command] += active[command] != 0 && own->held[command] == 0;
    }
    find_held(map, now, own->held);
}

/// What every screen answers in the same way.
static void answer_common(AppWindow *own, AppInput *input)
{
    if ((input->pressed[APP_HELP] & 1) != 0) {
        own->help = !own->help;
    }
    if ((input->pressed[APP_HUD] & 1) != 0) {
        own->hud = !own->hud;
    }
    if ((input->pressed[APP_DEBUG] & 1) != 0) {
        own->debug = !own->debug;
    }
    if ((input->pressed[APP_CONTROLS] & 1) != 0) {
        own->controls = !own->controls;
    }
    if ((input->pressed[APP_SOUND] & 1) != 0 && own->sound != NULL) {
        app_sound_toggle(own->sound);
    }
    if ((input->pressed[APP_FULLSCREEN] & 1) != 0) {
        bool full = (SDL_GetWindowFlags(own->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
        SDL_SetWindowFullscreen(own->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
}

void app_window_poll(AppWindow *own, const InputMap *map, AppInput *input, InputSample *sample)
{
    *input = (AppInput){0};
    InputSample tapped = {0};
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        input_devices_handle(own->devices, &event);
        if (own->sound != NULL) {
            app_sound_handle(own->sound, &event);
        }
        take_event(own, &event, map, input);
        take_tap(&event, &tapped);
    }
    int x = 0, y = 0;
    input->button = (SDL_GetMouseState(&x, &y) & SDL_BUTTON_LMASK) != 0;
    input->mouse_x = pixel_scale(own) * x;
    input->mouse_y = pixel_scale(own) * y;
    input->shift = (SDL_GetModState() & KMOD_SHIFT) != 0;
    InputSample now;
    input_devices_sample(own->devices, &now);
    take_levels(own, map, &now, &tapped, input);
    answer_common(own, input);
    if (sample != NULL) {
        *sample = now;
    }
}

static void draw(AppWindow *own, RenderView *view)
{
    int width = 0, height = 0;
    app_window_size(own, &width, &height);
    view->camera = own->camera.camera;
    view->orbit_yaw = own->camera.orbit_yaw;
    view->orbit_pitch = own->camera.orbit_pitch;
    view->orbit_distance = own->camera.orbit_distance;
    view->cab_yaw = own->camera.cab_yaw;
    view->cab_pitch = own->camera.cab_pitch;
    render_draw(own->renderer, view, width, height);
}

void app_window_show(AppWindow *own, RenderView *view)
{
    draw(own, view);
    SDL_GL_SwapWindow(own->window);
    double elapsed = app_clock() - own->last_show;
    if (elapsed < SHORTEST_FRAME) {
        SDL_Delay((Uint32)((FRAME_WITHOUT_VSYNC - elapsed) * 1000.0));
    }
    own->last_show = app_clock();
}

bool app_window_write_png(AppWindow *own, RenderView *view, const char *path, Status *status)
{
    int width = 0, height = 0;
    app_window_size(own, &width, &height);
    draw(own, view);
    return render_write_png(path, width, height, status);
}
