/// The SDL window: its picture and its input from keys, mouse and pads. Events become commands, counted since the last
/// poll.
#include "trainer/app/window.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/signals.h"
#include "trainer/app/commands.h"
#include "trainer/app/sound.h"
#include "trainer/app/picture.h"
#include "trainer/app/session_view.h"
#include "trainer/app/side_windows.h"

#define PATIENCE 0.05 ///< s that a screen waits for the picture before it polls its events again. Chosen

struct Window {
    SDL_Window *window;
    Picture *picture;
    InputDevices *devices;
    Loudspeaker *sound; ///< or NULL
    Camera camera;
    Pointer pointer;
    SideWindows sides;
    Views views;
    RenderClearance clearance; ///< panels that have given way to the work
    Uint64 polled; ///< ms of SDL's clock
    bool types; ///< keys give text
    bool searches; ///< what is typed searches a list
    bool help, help_asked, debug, controls, cut_fill, mouse_levers;
    SettingsGauges hud;
    TextUnits units;
    SettingsPanels panels;
    bool no_grade; ///< the grade display is put away
    WindowCaller *calls; ///< or NULL
    void *caller; ///< its context
    int pushed; ///< the left stick at the last poll: -1 up, 1 down
};

static bool is_set(const char *variable)
{
    const char *value = SDL_getenv(variable);
    return value != NULL && value[0] != '\0';
}

bool window_has_display(void)
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

static bool create_window(Window *own, const char *title, Status *status)
{
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    own->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 1280, 720,
                                   SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (own->window == NULL) {
        return status_fail(status, STATUS_LACKING,
                           "window: cannot make an OpenGL 3.3 window (%s); use --headless, with --shot OUT.png for a "
                           "picture",
                           SDL_GetError());
    }
    SDL_SetWindowMinimumSize(own->window, 480, 320);
    return true;
}

RenderQuality window_quality(SettingsQuality quality)
{
    static const RenderQuality qualities[SETTINGS_QUALITY_COUNT] = {
        [SETTINGS_QUALITY_AUTO] = RENDER_QUALITY_HIGH,
        [SETTINGS_QUALITY_HIGH] = RENDER_QUALITY_HIGH,
        [SETTINGS_QUALITY_MEDIUM] = RENDER_QUALITY_MEDIUM,
        [SETTINGS_QUALITY_LOW] = RENDER_QUALITY_LOW,
    };
    return qualities[quality];
}

Window *window_open(const char *title, SettingsQuality quality, Status *status)
{
    if (!window_has_display()) {
        status_fail(status, STATUS_LACKING,
                    "window: no display found (DISPLAY and WAYLAND_DISPLAY lead nowhere); use --headless, with "
                    "--shot OUT.png for a picture");
        return NULL;
    }
    Window *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    pointer_begin();
    own->camera = camera_default(RENDER_CAMERA_CAB);
    own->help = true;
    char folder[DATA_PATH_LENGTH];
    SDL_snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    if (create_window(own, title, status)) {
        own->picture = picture_open(&(PictureParams){.window = own->window,
                                                     .shader_folder = folder,
                                                     .quality = window_quality(quality),
                                                     .adapts = quality == SETTINGS_QUALITY_AUTO,
                                                     .low_in_software = true},
                                    status);
        own->devices = own->picture != NULL ? input_devices_open(status) : NULL;
    }
    if (own->devices == NULL) {
        window_close(own);
        return NULL;
    }
    return own;
}

void window_close(Window *own)
{
    if (own == NULL) {
        return;
    }
    loudspeaker_close(own->sound);
    if (own->devices != NULL) {
        input_devices_close(own->devices);
    }
    if (own->picture != NULL) {
        side_windows_close(&own->sides, own->picture);
    }
    picture_close(own->picture);
    if (own->window != NULL) {
        SDL_DestroyWindow(own->window);
    }
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(own);
}

void window_set_title(Window *own, const char *title)
{
    SDL_SetWindowTitle(own->window, title);
}

InputDevices *window_devices(Window *own)
{
    return own->devices;
}

void window_open_sound(Window *own, double volume)
{
    loudspeaker_close(own->sound);
    own->sound = loudspeaker_open(volume);
}

void window_set_volume(Window *own, double volume)
{
    if (own->sound == NULL) {
        window_open_sound(own, volume);
    } else {
        loudspeaker_set_volume(own->sound, volume);
    }
}

bool window_set_quality(Window *own, SettingsQuality quality, Status *status)
{
    return picture_set_quality(own->picture, window_quality(quality), quality == SETTINGS_QUALITY_AUTO, status);
}

void window_play(Window *own, Session *session, bool running)
{
    if (own->sound != NULL) {
        bool sits = own->camera.camera == RENDER_CAMERA_CAB;
        loudspeaker_play(own->sound, session, running, sits ? camera_head(&own->camera) : (double)NAN);
    }
}

void window_rest(int milliseconds)
{
    SDL_Delay((Uint32)milliseconds);
}

Camera *window_camera(Window *own)
{
    return &own->camera;
}

void window_next_camera(Window *own, int steps)
{
    Camera *camera = &own->camera;
    int next = ((int)camera->camera + steps) % RENDER_CAMERA_COUNT;
    camera_select(camera, (RenderCamera)(next < 0 ? next + RENDER_CAMERA_COUNT : next));
}

void window_turn_cameras(Window *own, const WindowInput *input)
{
    if (input->camera > 0) {
        camera_select(&own->camera, (RenderCamera)(input->camera - 1));
    }
    window_next_camera(own, input->shift ? -input->pressed[WINDOW_CAMERA] : input->pressed[WINDOW_CAMERA]);
}

void window_move_camera(Window *own, const WindowInput *input)
{
    Camera *camera = &own->camera;
    window_turn_cameras(own, input);
    camera_drag(camera, input->drag_x, input->drag_y);
    camera_zoom(camera, input->wheel);
    camera_move(camera, &input->camera_keys, input->elapsed);
}

void window_set_views(Window *own, const SettingsViews *views)
{
    own->views = (Views){.set = *views};
}

bool window_cuts_ground(const Window *own)
{
    return views_cut_ground(&own->views, own->camera.camera) || side_windows_section(&own->sides) > 0.0;
}

double window_section(const Window *own)
{
    return fmax(own->camera.section_height, side_windows_section(&own->sides));
}

bool window_set_sides(Window *own, const SettingsSides *wanted, Status *status)
{
    bool good = side_windows_set(&own->sides, wanted, own->picture, status);
    SDL_RaiseWindow(own->window);
    return good;
}

bool window_shows_help(const Window *own)
{
    return own->help;
}

TextUnits window_units(const Window *own)
{
    return own->units;
}

void window_set_units(Window *own, TextUnits units)
{
    own->units = units;
}

void window_set_gauges(Window *own, SettingsGauges hud)
{
    own->hud = hud;
}

void window_set_help(Window *own, bool on)
{
    own->help = on;
}

void window_fade_help(Window *own)
{
    own->help = own->help && own->help_asked;
}

void window_set_panels(Window *own, const SettingsPanels *panels)
{
    own->panels = *panels;
}

SettingsGauges window_gauges(const Window *own)
{
    return own->hud;
}

bool window_shows_debug(const Window *own)
{
    return own->debug;
}

bool window_shows_grade(const Window *own)
{
    return !own->no_grade;
}

bool window_shows_cut_fill(const Window *own)
{
    return own->cut_fill;
}

void window_set_cut_fill(Window *own, bool on)
{
    own->cut_fill = on;
}

bool window_shows_controls(const Window *own)
{
    return own->controls;
}

bool window_shows_mouse_levers(const Window *own)
{
    return own->mouse_levers;
}

void window_set_mouse_levers(Window *own, bool on)
{
    own->mouse_levers = on;
}

void window_set_controls(Window *own, bool on)
{
    own->controls = on;
}

void window_set_debug(Window *own, bool on)
{
    own->debug = on;
}

void window_size(const Window *own, int *width, int *height)
{
    SDL_GL_GetDrawableSize(own->window, width, height);
    *width = *width < 1 ? 1 : *width;
    *height = *height < 1 ? 1 : *height;
}

void window_take_text(Window *own, bool on)
{
    own->types = on;
    own->searches = false;
    if (on) {
        SDL_StartTextInput();
    }
}

void window_take_search(Window *own, bool on)
{
    window_take_text(own, on);
    own->searches = on;
}

/// Takes the last character away; false when there was none.
static bool erase_last(char *text)
{
    size_t length = strlen(text);
    bool had_one = length > 0;
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0U) == 0x80U) {
        length--; // bytes 10xxxxxx belong to the one before
    }
    text[length - (length > 0)] = '\0';
    return had_one;
}

/// Appends whole characters to a text of `size` bytes, as many as have room.
static void append_text(const char *more, char *text, size_t size)
{
    size_t length = strlen(text);
    size_t fits = strnlen(more, size - 1 - length);
    while (fits > 0 && ((unsigned char)more[fits] & 0xC0U) == 0x80U) {
        fits--;
    }
    memcpy(text + length, more, fits);
    text[length + fits] = '\0';
}

static void take_typed_key(SDL_Keycode key, WindowInput *input)
{
    if (key == SDLK_BACKSPACE && !erase_last(input->text)) {
        input->erased++; // what was there before
    }
    input->pressed[WINDOW_ACCEPT] += key == SDLK_RETURN || key == SDLK_KP_ENTER;
    input->pressed[WINDOW_BACK] += key == SDLK_ESCAPE;
}

void window_edit_text(const WindowInput *input, char *text, size_t size)
{
    for (int k = 0; k < input->erased; k++) {
        erase_last(text);
    }
    append_text(input->text, text, size);
}

/// Drawing pixels a mouse unit: more than 1 on high-density screens.
static double pixel_scale(const Window *own)
{
    int width = 1, height = 1, window_width = 1, window_height = 1;
    window_size(own, &width, &height);
    SDL_GetWindowSize(own->window, &window_width, &window_height);
    return (double)width / (window_width > 0 ? window_width : 1);
}

static void choose_camera(SDL_Keycode key, WindowInput *input)
{
    if (key >= SDLK_1 && key < SDLK_1 + (int)RENDER_CAMERA_COUNT) {
        input->camera = 1 + (int)(key - SDLK_1);
    }
}

static void take_event(Window *own, const SDL_Event *event, const InputMap *map, WindowInput *input)
{
    switch (event->type) {
    case SDL_QUIT:
        input->close = true;
        break;
    case SDL_WINDOWEVENT: // with other windows open SDL sends this event instead of a quit
        input->close = input->close || (event->window.event == SDL_WINDOWEVENT_CLOSE &&
                                        event->window.windowID == SDL_GetWindowID(own->window));
        picture_refresh(own->picture);
        break;
    case SDL_KEYDOWN: // Shift may be released again before the key event is handled
        input->shift = input->shift || (event->key.keysym.mod & KMOD_SHIFT) != 0;
        if (own->types) {
            take_typed_key(event->key.keysym.sym, input);
            if (own->searches) {
                commands_take_moving_key(&event->key, input->pressed);
            }
        } else {
            commands_take_key(&event->key, map != NULL, input->pressed);
            choose_camera(event->key.keysym.sym, input);
        }
        break;
    case SDL_TEXTINPUT:
        if (own->types) {
            append_text(event->text.text, input->text, sizeof input->text);
        }
        break;
    default:
        break;
    }
}

static void toggle_sides(Window *own)
{
    Status status;
    if (!side_windows_toggle(&own->sides, own->picture, &status)) {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    SDL_RaiseWindow(own->window);
}

/// Commands that every screen handles alike.
static void answer_common(Window *own, WindowInput *input)
{
    if ((input->pressed[WINDOW_HELP] & 1) != 0) {
        own->help = !own->help;
        own->help_asked = true;
    }
    own->hud = (SettingsGauges)(((int)own->hud + input->pressed[WINDOW_HUD]) % SETTINGS_GAUGES_COUNT);
    own->panels.no_score ^= input->pressed[WINDOW_SCORE] % 2 != 0;
    own->panels.no_map ^= input->pressed[WINDOW_MAP] % 2 != 0;
    if ((input->pressed[WINDOW_DEBUG] & 1) != 0) {
        own->debug = !own->debug;
    }
    own->no_grade ^= (input->pressed[WINDOW_GRADE] & 1) != 0;
    for (int k = 0; k < input->pressed[WINDOW_REAR]; k++) {
        views_step_rear(&own->views);
    }
    for (int k = 0; k < input->pressed[WINDOW_INSET]; k++) {
        views_step_inset(&own->views);
    }
    own->cut_fill ^= (input->pressed[WINDOW_CUT_FILL] & 1) != 0;
    if ((input->pressed[WINDOW_CONTROLS] & 1) != 0) {
        own->controls = !own->controls;
    }
    if ((input->pressed[WINDOW_SOUND] & 1) != 0 && own->sound != NULL) {
        loudspeaker_toggle(own->sound);
    }
    if ((input->pressed[WINDOW_SIDES] & 1) != 0) {
        toggle_sides(own);
    }
    if ((input->pressed[WINDOW_FULLSCREEN] & 1) != 0) {
        bool full = (SDL_GetWindowFlags(own->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
        SDL_SetWindowFullscreen(own->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
}

static void take_pointed(const Pointer *pointer, const PointerInput *pointed, WindowInput *input)
{
    input->button = pointer->button;
    input->mouse_x = pointer->x;
    input->mouse_y = pointer->y;
    input->moved = pointed->moved;
    input->clicks = pointed->clicks;
    input->back_clicks = pointed->back_clicks;
    input->drag_x = pointed->drag_x;
    input->drag_y = pointed->drag_y;
    input->scroll = pointed->scroll;
    input->wheel = pointed->wheel;
}

/// Reads the keys that move cameras, and the time since the last poll.
static void take_camera_keys(Window *own, const InputMap *map, WindowInput *input)
{
    Uint64 now = SDL_GetTicks64();
    double elapsed = 1e-3 * (double)(now - own->polled);
    own->polled = now;
    input->elapsed = elapsed < 0.25 ? elapsed : 0.25;
    if (!own->types) {
        input->camera_keys = camera_keys_held(map != NULL);
        input->camera_keys.looks = input->pressed[WINDOW_LOOK];
        if (side_windows_fly(&own->sides, &input->camera_keys, input->elapsed)) {
            input->camera_keys = (CameraKeys){.looks = input->pressed[WINDOW_LOOK]};
        }
    }
}

const InputSample *window_poll(Window *own, const InputMap *map, WindowInput *input)
{
    *input = (WindowInput){0};
    window_size(own, &input->width, &input->height);
    PointerArea area = {input->width, input->height, pixel_scale(own)};
    PointerInput pointed = {0};
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        input_devices_handle(own->devices, &event);
        if (own->sound != NULL) {
            loudspeaker_handle(own->sound, &event);
        }
        if (!side_windows_take(&own->sides, &event, own->picture)) {
            pointer_take(&own->pointer, &event, &area, &pointed);
            take_event(own, &event, map, input);
        }
    }
    input->at_once = signals_stop_asked() || (own->calls != NULL && own->calls(own->caller));
    input->close = input->close || input->at_once;
    take_pointed(&own->pointer, &pointed, input);
    const InputSample *sample = input_devices_sample(own->devices);
    commands_count(map, sample, &own->pushed, input->pressed);
    take_camera_keys(own, map, input);
    answer_common(own, input);
    return sample;
}

void window_set_caller(Window *window, WindowCaller *calls, void *context)
{
    window->calls = calls;
    window->caller = context;
}

static bool is_hidden(const Window *own)
{
    return (SDL_GetWindowFlags(own->window) & SDL_WINDOW_MINIMIZED) != 0;
}

/// Aims the view by the window's camera; returns the size of the drawing area.
static void aim_view(Window *own, RenderView *view, int *width, int *height)
{
    window_size(own, width, height);
    side_windows_show(&own->sides, view, own->picture, is_hidden(own));
    camera_aim(&own->camera, view);
    views_show(&own->views, view);
    views_lay_out(&own->panels, own->hud, view);
    render_clear_work(&own->clearance, view, *width, *height);
}

bool window_is_ready(Window *own)
{
    return (!is_hidden(own) || side_windows_are_seen(&own->sides)) && picture_is_ready(own->picture);
}

Picture *window_picture(Window *own)
{
    return own->picture;
}

void window_show(Window *own, RenderView *view)
{
    int width = 0, height = 0;
    aim_view(own, view, &width, &height);
    picture_show(own->picture, view, width, height, PATIENCE);
}

unsigned char *window_read(Window *own, RenderView *view, int *width, int *height)
{
    aim_view(own, view, width, height);
    return picture_read(own->picture, view, *width, *height);
}

bool window_lend(Window *own, RenderView *view, PictureTake *take, void *context)
{
    int width = 0, height = 0;
    aim_view(own, view, &width, &height);
    return picture_lend(own->picture, view, width, height, take, context);
}

bool window_write_png(Window *own, RenderView *view, const char *path, Status *status)
{
    int width = 0, height = 0;
    aim_view(own, view, &width, &height);
    return picture_write_png(own->picture, view, width, height, path, status);
}
