/// Windows beside the main one. A closed window keeps its camera. The picture's thread draws into these windows, so
/// each is taken from it before SDL destroys it.
#include "trainer/app/side_windows.h"

#include "data/core/language.h"

enum { WIDTH = 640, HEIGHT = 360, LEAST_WIDTH = 160, LEAST_HEIGHT = 90, TITLE = 80 };

static const char *const camera_names[CAMERA_COUNT] = {
#define X(id, name) name,
    CAMERAS(X)
#undef X
};

/// ---- opening and closing -------------------------------------------------------------------------------------------

static void name_window(const SideWindow *side)
{
    char title[TITLE];
    SDL_snprintf(title, sizeof title, "Spadework: %s", camera_name(side->camera.camera));
    SDL_SetWindowTitle(side->window, title);
}

static bool has_display(const SettingsSide *set, Status *status)
{
    int count = SDL_GetNumVideoDisplays();
    return set->display <= count ||
           status_fail(status, STATUS_LACKING,
                       "window %s@%d: there is no such display; allowed is @1 to @%d, or %s for a window that can be "
                       "moved",
                       camera_names[set->camera], set->display, count, camera_names[set->camera]);
}

static bool open_side(SideWindow *side, Status *status)
{
    if (side->window != NULL) {
        return true;
    }
    if (!side->begun) {
        side->camera = camera_default((RenderCamera)side->set.camera);
        side->camera.before = RENDER_CAMERA_ORBIT; // a camera that is flown begins there
        side->begun = true;
    }
    if (!has_display(&side->set, status)) {
        return false;
    }
    bool fills = side->set.display > 0;
    Uint32 screen = fills ? (Uint32)side->set.display - 1 : 0;
    int place = fills ? (int)SDL_WINDOWPOS_CENTERED_DISPLAY(screen) : (int)SDL_WINDOWPOS_UNDEFINED;
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    side->window =
        SDL_CreateWindow("Spadework", place, place, WIDTH, HEIGHT, flags | (fills ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0));
    if (side->window == NULL) {
        return status_fail(status, STATUS_LACKING, "window %s: cannot be made (%s)", camera_names[side->set.camera],
                           SDL_GetError());
    }
    SDL_SetWindowMinimumSize(side->window, LEAST_WIDTH, LEAST_HEIGHT);
    name_window(side);
    return true;
}

/// Passes the open windows to the picture; a closed one is destroyed afterwards.
static void pass_windows(const SideWindows *sides, Picture *picture)
{
    PictureSide shown[RENDER_MAX_BESIDE] = {{0}};
    for (int k = 0; k < sides->count; k++) {
        shown[k].window = sides->side[k].window; // drawn from the next view on, which gives its size
    }
    picture_set_sides(picture, shown, false);
}

static void close_side(SideWindows *sides, SideWindow *side, Picture *picture)
{
    SDL_Window *window = side->window;
    side->window = NULL;
    side->pointer = (Pointer){0};
    if (window != NULL) {
        pass_windows(sides, picture);
        SDL_DestroyWindow(window);
    }
}

void side_windows_close(SideWindows *sides, Picture *picture)
{
    for (int k = 0; k < sides->count; k++) {
        close_side(sides, &sides->side[k], picture);
    }
}

/// Opens all; `status` reports the first failure.
static bool open_all(SideWindows *sides, Status *status)
{
    bool good = true;
    for (int k = 0; k < sides->count; k++) {
        Status one;
        if (!open_side(&sides->side[k], &one) && good) {
            *status = one;
            good = false;
        }
    }
    return good;
}

bool side_windows_set(SideWindows *sides, const SettingsSides *wanted, Picture *picture, Status *status)
{
    side_windows_close(sides, picture);
    *sides = (SideWindows){.count = wanted->count};
    for (int k = 0; k < wanted->count; k++) {
        sides->side[k].set = wanted->sides[k];
    }
    return open_all(sides, status);
}

bool side_windows_toggle(SideWindows *sides, Picture *picture, Status *status)
{
    int open = 0;
    for (int k = 0; k < sides->count; k++) {
        open += sides->side[k].window != NULL;
    }
    if (sides->count > 0 && open == sides->count) {
        side_windows_close(sides, picture);
        return true;
    }
    if (sides->count == 0) {
        sides->side[0].set = (SettingsSide){.camera = CAMERA_ORBIT};
        sides->count = 1;
    }
    return open_all(sides, status);
}

/// ---- what comes in -------------------------------------------------------------------------------------------------

static SideWindow *find_side(SideWindows *sides, Uint32 id)
{
    for (int k = 0; k < sides->count; k++) {
        SDL_Window *window = sides->side[k].window;
        if (window != NULL && SDL_GetWindowID(window) == id) {
            return &sides->side[k];
        }
    }
    return NULL;
}

/// Which window an event is for; 0: it is for none.
static Uint32 window_of(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        return event->window.windowID;
    case SDL_KEYDOWN:
        return event->key.windowID;
    case SDL_MOUSEMOTION:
        return event->motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return event->button.windowID;
    case SDL_MOUSEWHEEL:
        return event->wheel.windowID;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        return event->tfinger.windowID;
    default:
        return 0;
    }
}

static void fill_screen(SDL_Window *window)
{
    bool full = (SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
    SDL_SetWindowFullscreen(window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

/// Digits and F11; any other key is not for this window alone.
static bool take_key(SideWindow *side, const SDL_KeyboardEvent *event)
{
    SDL_Keycode key = event->keysym.sym;
    if (key == SDLK_F11) {
        if (event->repeat == 0) {
            fill_screen(side->window);
        }
        return true;
    }
    if (key >= SDLK_1 && key < SDLK_1 + (int)RENDER_CAMERA_COUNT) {
        camera_select(&side->camera, (RenderCamera)(key - SDLK_1));
        name_window(side);
        return true;
    }
    return false;
}

static void steer_camera(SideWindow *side, const SDL_Event *event)
{
    int width = 1, height = 1, window_width = 1, window_height = 1;
    SDL_GL_GetDrawableSize(side->window, &width, &height);
    SDL_GetWindowSize(side->window, &window_width, &window_height);
    PointerArea area = {width, height, (double)width / (window_width > 0 ? window_width : 1)};
    PointerInput input = {0};
    pointer_take(&side->pointer, event, &area, &input);
    camera_drag(&side->camera, input.drag_x, input.drag_y);
    camera_zoom(&side->camera, input.wheel);
}

bool side_windows_take(SideWindows *sides, const SDL_Event *event, Picture *picture)
{
    Uint32 id = window_of(event);
    SideWindow *side = id != 0 ? find_side(sides, id) : NULL;
    if (side == NULL) {
        return false;
    }
    if (event->type == SDL_KEYDOWN) {
        return take_key(side, &event->key);
    }
    if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_CLOSE) {
        close_side(sides, side, picture);
    } else {
        steer_camera(side, event);
    }
    return true;
}

bool side_windows_fly(SideWindows *sides, const CameraKeys *keys, double dt)
{
    SDL_Window *focus = SDL_GetKeyboardFocus();
    SideWindow *side = focus != NULL ? find_side(sides, SDL_GetWindowID(focus)) : NULL;
    bool flies = side != NULL && side->camera.camera == RENDER_CAMERA_FREE;
    if (flies) {
        camera_move(&side->camera, keys, dt);
    }
    return flies;
}

/// ---- what they show ------------------------------------------------------------------------------------------------

static bool is_seen(const SideWindow *side)
{
    const Uint32 away = SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN;
    return side->window != NULL && (SDL_GetWindowFlags(side->window) & away) == 0;
}

bool side_windows_are_seen(const SideWindows *sides)
{
    bool seen = false;
    for (int k = 0; k < sides->count; k++) {
        seen = seen || is_seen(&sides->side[k]);
    }
    return seen;
}

double side_windows_section(const SideWindows *sides)
{
    double height = 0.0;
    for (int k = 0; k < sides->count; k++) {
        const SideWindow *side = &sides->side[k];
        bool cuts = is_seen(side) && side->camera.camera == RENDER_CAMERA_SECTION;
        height = cuts && side->camera.section_height > height ? side->camera.section_height : height;
    }
    return height;
}

void side_windows_show(SideWindows *sides, RenderView *view, Picture *picture, bool hidden)
{
    PictureSide shown[RENDER_MAX_BESIDE] = {{0}};
    for (int k = 0; k < sides->count; k++) {
        SideWindow *side = &sides->side[k];
        shown[k].window = side->window;
        if (is_seen(side)) {
            SDL_GL_GetDrawableSize(side->window, &shown[k].width, &shown[k].height);
        }
        if (side->window != NULL && view->scene != NULL) {
            camera_aim(&side->camera, view);
            shown[k].aim = render_aim_of(view);
        }
    }
    picture_set_sides(picture, shown, hidden);
}
