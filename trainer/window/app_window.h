/// The window, its OpenGL context and what comes in through it. SDL's event types stay in app_window.c.
#ifndef SPADEWORK_TRAINER_APP_WINDOW_H
#define SPADEWORK_TRAINER_APP_WINDOW_H

#include "input/input.h"
#include "render/render.h"
#include "trainer/window/app_view.h"

/// What a person can ask of the program besides moving levers. Keys and pad buttons: app_window.c.
typedef enum AppCommand {
    APP_UP,
    APP_DOWN,
    APP_LEFT,
    APP_RIGHT,
    APP_ACCEPT,
    APP_BACK, ///< Esc or pad B
    APP_ESCAPE, ///< Esc alone: pad B is the camera while driving
    APP_PAUSE, ///< by the control map
    APP_CAMERA,
    APP_RESTART, ///< by the control map
    APP_THROTTLE_UP, ///< by the control map
    APP_THROTTLE_DOWN, ///< by the control map
    APP_HELP,
    APP_HUD,
    APP_DEBUG, ///< F3
    APP_SOUND, ///< F6
    APP_CONTROLS, ///< F4
    APP_FULLSCREEN,
    APP_PLAY, ///< space
    APP_FASTER,
    APP_SLOWER,
    APP_TAKE_OVER,
    APP_COMMAND_COUNT
} AppCommand;

/// What came in since the last poll.
typedef struct AppInput {
    bool close; ///< the window is to go
    int pressed[APP_COMMAND_COUNT]; ///< how many times each command was given
    bool shift; ///< shift is held: longer steps
    bool button; ///< left mouse button is down
    double mouse_x, mouse_y; ///< pixels of the drawing area, from the top left
    double drag_x, drag_y; ///< pixels moved with the button down
    double wheel; ///< clicks, positive away from the person
} AppInput;

typedef struct AppWindow AppWindow;

/// Opens the window with a context and renderer. NULL with `status` (STATUS_LACKING) when there is no display or no
/// OpenGL 3.3; the text says what to do instead.
AppWindow *app_window_open(const char *title, Status *status);
void app_window_close(AppWindow *window);
void app_window_set_title(AppWindow *window, const char *title);

/// Takes in all events. With a control map its actions give camera, pause and throttle; without one key C and pad Y turn
/// the cameras. `sample` (may be NULL) receives the devices as they are now.
void app_window_poll(AppWindow *window, const InputMap *map, AppInput *input, InputSample *sample);
/// Pads and keyboard of this window.
InputDevices *app_window_devices(AppWindow *window);
Renderer *app_window_renderer(AppWindow *window);
/// Opens the loudspeaker at `volume` 0..1; never fails (app_sound.h). Without this call the window is silent.
void app_window_open_sound(AppWindow *window, double volume);
/// Once a frame: the session that is on the screen, and whether it runs.
void app_window_play(AppWindow *window, Session *session, bool running);

/// Camera and toggles; they outlive a scene.
AppCamera *app_window_camera(AppWindow *window);
bool app_window_shows_help(const AppWindow *window);
bool app_window_shows_hud(const AppWindow *window);
bool app_window_shows_debug(const AppWindow *window); ///< off at first
bool app_window_shows_controls(const AppWindow *window); ///< off at first
void app_window_set_controls(AppWindow *window, bool on);
void app_window_set_debug(AppWindow *window, bool on);

/// Draws the view with the window's camera and shows it; waits for the screen, or for about 1/60 s where it does not.
void app_window_show(AppWindow *window, RenderView *view);
/// Draws the view once and writes it as PNG.
bool app_window_write_png(AppWindow *window, RenderView *view, const char *path, Status *status);
void app_window_size(const AppWindow *window, int *width, int *height);

/// Seconds of a clock that never goes back.
double app_clock(void);

#endif
