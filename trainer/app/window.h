/// The window: its input, picture, sound, camera and display options. It hides SDL's events from the screens. Main
/// thread only.
#ifndef SPADEWORK_TRAINER_WINDOW_H
#define SPADEWORK_TRAINER_WINDOW_H

#include "data/schema/settings_params.h"
#include "input/input.h"
#include "render/render.h"
#include "trainer/app/camera.h"
#include "trainer/app/commands.h"
#include "trainer/app/picture.h"
#include "trainer/sim/sim.h"

/// Input since the last poll.
typedef struct WindowInput {
    bool close; ///< the window is to go
    bool at_once; ///< as a signal or the caller asks: without a question
    int pressed[WINDOW_COMMAND_COUNT]; ///< count of each command
    char text[32]; ///< typed while the window takes text, UTF-8, without what was erased of it again
    int erased; ///< characters that Backspace takes from what stood there before
    bool shift; ///< Shift was held when a key was pressed: longer steps
    bool button; ///< left mouse button is down, or a finger lies on the screen
    bool moved; ///< the mouse was, or a finger was laid on
    int clicks, back_clicks; ///< of the left and the right mouse button; taps of one finger and of two
    int width, height; ///< pixels of the drawing area
    double mouse_x, mouse_y; ///< pixels of the drawing area, from the top left
    double drag_x, drag_y; ///< pixels moved with the button down
    double scroll; ///< pixels that a finger drew along the screen, positive downwards
    int camera; ///< 1 + the camera that a digit asked for; 0: none did
    CameraKeys camera_keys;
    double elapsed; ///< s since the last poll, at most 0.25
    double wheel; ///< clicks, positive away from the person; two fingers that part turn it, too
} WindowInput;

/// How a screen of the window ended.
typedef enum ScreenEnd {
    SCREEN_END_LEAVE, ///< back to where it was started from
    SCREEN_END_CLOSE, ///< the window is to go
    SCREEN_END_TAKE_OVER, ///< watching only: drive on from `at`
    SCREEN_END_FAILED ///< with `status`
} ScreenEnd;

typedef struct Window Window;

/// Quality of pictures at first; without a window, always. Pure.
RenderQuality window_quality(SettingsQuality quality);

/// True when a window can be opened: a display answers, or SDL_VIDEODRIVER names a driver on purpose.
bool window_has_display(void);

/// Opens the window with a context and renderer. NULL with `status` (STATUS_LACKING) when there is no display or no
/// OpenGL 3.3; the text names the alternative.
/// quality  of the pictures
Window *window_open(const char *title, SettingsQuality quality, Status *status);
void window_close(Window *window);
void window_set_title(Window *window, const char *title);

/// Handles all events. With a control map its actions give camera, pause and throttle; without one key C and pad Y
/// turn the cameras. Returns the devices as they are now; the sample belongs to them and stays until the next call.
const InputSample *window_poll(Window *window, const InputMap *map, WindowInput *input);
/// Callback that may call the person back from any open page, called once at each poll. True: the page, and each below
/// it, is to close at once. NULL: nobody.
typedef bool WindowCaller(void *context);
void window_set_caller(Window *window, WindowCaller *calls, void *context);
/// While it takes text, keys give nothing but text, Backspace, accept and back.
void window_take_text(Window *window, bool on);
/// The same for a text that a list is searched by: the keys that move in a list (arrows up and down, Page Up and Page
/// Down, Home and End) do so as well.
void window_take_search(Window *window, bool on);
/// Takes away what was erased from a text of `size` bytes, then appends what was typed, so far as whole characters have
/// room. Pure.
void window_edit_text(const WindowInput *input, char *text, size_t size);
/// Pads and keyboard of this window.
InputDevices *window_devices(Window *window);
/// Opens the loudspeaker at `volume` 0..1; never fails (sound.h). Without this call the window is silent.
void window_open_sound(Window *window, double volume);
/// Plays at `volume` 0..1 from now on; opens the loudspeaker where it was not.
void window_set_volume(Window *window, double volume);
/// Changes the quality. False with `status`: it stays as it was.
bool window_set_quality(Window *window, SettingsQuality quality, Status *status);
/// Once a frame: the session that is on the screen, and whether it runs.
void window_play(Window *window, Session *session, bool running);

/// Waits some milliseconds.
void window_rest(int milliseconds);

/// Camera and toggles; they outlive a scene.
Camera *window_camera(Window *window);
/// Selects the camera that a digit or the camera command asks for.
void window_turn_cameras(Window *window, const WindowInput *input);
/// The same, and lets the mouse turn and the wheel move the camera, and the camera command go to the next one.
void window_move_camera(Window *window, const WindowInput *input);
/// Selects the camera so many places further in their order, or back.
void window_next_camera(Window *window, int steps);
/// Sets what is shown beside the camera's picture.
void window_set_views(Window *window, const SettingsViews *views);
bool window_cuts_ground(const Window *window); ///< views need their section
double window_section(const Window *window); ///< m: least height of the section
/// Replaces the other windows, each with a camera of its own; N opens and closes them. False with
/// `status` (STATUS_LACKING): a display is not there, or SDL can make no window; the others are open.
bool window_set_sides(Window *window, const SettingsSides *wanted, Status *status);
bool window_shows_help(const Window *window); ///< on at first
/// Hides the list of keys unless the person has shown or hidden it by F1.
void window_fade_help(Window *window);
SettingsGauges window_gauges(const Window *window); ///< the strip at first; F2 chooses the next
void window_set_panels(Window *window, const SettingsPanels *panels);
void window_set_gauges(Window *window, SettingsGauges hud);
TextUnits window_units(const Window *window); ///< of quantities on its screen; metric at first
void window_set_units(Window *window, TextUnits units);
void window_set_help(Window *window, bool on);
bool window_shows_debug(const Window *window); ///< off at first
bool window_shows_controls(const Window *window); ///< off at first
bool window_shows_mouse_levers(const Window *window); ///< levers for the mouse; off at first
void window_set_mouse_levers(Window *window, bool on);
bool window_shows_grade(const Window *window); ///< on at first
bool window_shows_cut_fill(const Window *window); ///< off at first
void window_set_cut_fill(Window *window, bool on);
void window_set_controls(Window *window, bool on);
void window_set_debug(Window *window, bool on);

/// The thread that draws, for tests and benchmarks; belongs to the window.
struct Picture *window_picture(Window *window);
/// True when the last view is on the screen and a window is not minimised: a caller that builds views only then never
/// waits and builds none that nobody sees.
bool window_is_ready(Window *window);
/// Hands the view, as the window's camera sees it, to the thread that draws and shows it. Waits until the last one is
/// on the screen, but not for long: where drawing is slow, some views are left out.
void window_show(Window *window, RenderView *view);
/// Draws the view once and writes it as PNG.
bool window_write_png(Window *window, RenderView *view, const char *path, Status *status);
/// Draws the view once and returns its pixels [height][width][3], top row first, which the caller frees; NULL when
/// memory is short.
unsigned char *window_read(Window *window, RenderView *view, int *width, int *height);
/// Draws the view once, unseen, in the place of a frame, and passes on its pixels (picture_lend).
bool window_lend(Window *window, RenderView *view, PictureTake *take, void *context);
void window_size(const Window *window, int *width, int *height);

#endif
