/// Opens what the window would open, unseen: SDL's driver of the display, where there is one, else that of pictures
/// without a display. Pictures are of the cab's view while the trial digs, and each one is read back, which is the only
/// way to wait for it that does not trust the driver.
#include <SDL.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trainer/pilot/pilot.h"
#include "trainer/cli/probe_looks.h"
#include "trainer/cli/trial.h"
#include "trainer/results/results.h"
#include "trainer/app/app.h"

#define FRAMES_MOST 0.6 ///< s of pictures that count. Chosen
#define SMOOTH      30.0 ///< pictures a second, 1/s, from which on no lower quality is tried
#define TRY_MOST    6.0 ///< s after which no other quality is tried. Chosen

enum { WARM_FRAMES = 2, MOST_FRAMES = 60 }; ///< at most: that warm a context up; that count

static void look_at_card(DrawingFacts *drawing)
{
    static const char *const nodes[] = {"/dev/dri/renderD128", "/dev/nvidia0"};
    for (size_t k = 0; k < sizeof nodes / sizeof nodes[0]; k++) {
        bool there = access(nodes[k], F_OK) == 0;
        drawing->card_closed |= there && access(nodes[k], R_OK | W_OK) != 0;
        drawing->card |= there;
    }
}

static void look_at_displays(DrawingFacts *drawing)
{
    drawing->display = window_has_display();
    if (!drawing->display) {
        bool named =
            getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL || getenv("SDL_VIDEODRIVER") != NULL;
        snprintf(drawing->display_fault, sizeof drawing->display_fault, "%.255s",
                 named ? SDL_GetError() : "neither DISPLAY nor WAYLAND_DISPLAY is set");
        return;
    }
    snprintf(drawing->driver, sizeof drawing->driver, "%s", SDL_GetCurrentVideoDriver());
    int count = SDL_GetNumVideoDisplays();
    for (int k = 0; k < count && drawing->display_count < DOCTOR_MOST_DISPLAYS; k++) {
        DisplayFacts *display = &drawing->displays[drawing->display_count];
        const char *name = SDL_GetDisplayName(k);
        SDL_DisplayMode mode;
        if (SDL_GetDesktopDisplayMode(k, &mode) == 0) {
            snprintf(display->name, sizeof display->name, "%s", name != NULL ? name : "");
            display->width = mode.w;
            display->height = mode.h;
            display->refresh = mode.refresh_rate;
            drawing->display_count++;
        }
    }
}

static void read_words(GLenum which, char words[DOCTOR_NAME])
{
    const GLubyte *text = glGetString(which);
    snprintf(words, DOCTOR_NAME, "%s", text != NULL ? (const char *)text : "");
}

static void read_context(DrawingFacts *drawing)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    drawing->context = true;
    snprintf(drawing->driver, sizeof drawing->driver, "%s", driver != NULL ? driver : "");
    read_words(GL_VERSION, drawing->version);
    read_words(GL_RENDERER, drawing->renderer);
    read_words(GL_VENDOR, drawing->vendor);
}

/// What draws the trial in one quality.
typedef struct Painter {
    Offscreen *context;
    Renderer *renderer;
    SessionView *view;
    unsigned char *pixels;
} Painter;

/// s that the picture after one more tick takes.
static double paint(const Painter *painter, Trial *trial)
{
    trial_tick(trial);
    session_view_tick(painter->view, trial->session);
    double begin = drive_clock();
    Camera place = camera_default(RENDER_CAMERA_CAB);
    RenderView *view = session_view_build(painter->view, trial->session, 1.0);
    camera_aim(&place, view);
    render_draw(painter->renderer, view, DOCTOR_WIDTH, DOCTOR_HEIGHT);
    offscreen_pixels(painter->context, painter->pixels);
    return drive_clock() - begin;
}

/// Pictures a second, 1/s.
static double count_frames(const Painter *painter, Trial *trial)
{
    double taken = 0.0, warmed = 0.0;
    int frames = 0;
    for (int k = 0; k < WARM_FRAMES && warmed < FRAMES_MOST; k++) {
        warmed += paint(painter, trial);
    }
    while (frames < MOST_FRAMES && taken < FRAMES_MOST) {
        taken += paint(painter, trial);
        frames++;
    }
    return taken > 0.0 ? frames / taken : 0.0;
}

/// The same at one quality; 0: it cannot be drawn.
static double try_quality(Offscreen *context, Trial *trial, SettingsQuality quality)
{
    char folder[DATA_PATH_LENGTH + 16];
    Status unused;
    snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    Painter painter = {.context = context,
                       .renderer = render_create(
                           &(RenderParams){.shader_folder = folder, .quality = window_quality(quality)}, &unused),
                       .view = session_view_create(),
                       .pixels = malloc((size_t)3 * DOCTOR_WIDTH * DOCTOR_HEIGHT)};
    double frames = 0.0;
    if (painter.renderer != NULL && painter.pixels != NULL) {
        session_view_jump(painter.view, trial->session);
        frames = count_frames(&painter, trial);
    }
    free(painter.pixels);
    session_view_destroy(painter.view);
    if (painter.renderer != NULL) {
        render_destroy(painter.renderer);
    }
    return frames;
}

/// The quality that is asked for, and where that is slow, the lowest; where that is not, what lies between.
static void look_at_pictures(DoctorFacts *facts, DoctorTell *tell, Offscreen *context, Trial *trial)
{
    DrawingFacts *drawing = &facts->drawing;
    SettingsQuality first = drawing->asked == SETTINGS_QUALITY_AUTO ? SETTINGS_QUALITY_HIGH : drawing->asked;
    const SettingsQuality order[] = {first, SETTINGS_QUALITY_LOW, SETTINGS_QUALITY_MEDIUM};
    double begin = drive_clock();
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        double *frames = &drawing->frames[order[k]];
        bool worth = k == 0 || (k == 1 && drawing->frames[first] < SMOOTH) ||
                     (k == 2 && first == SETTINGS_QUALITY_HIGH && drawing->frames[first] < SMOOTH &&
                      drawing->frames[SETTINGS_QUALITY_LOW] >= SMOOTH);
        if (worth && *frames <= 0.0 && drive_clock() - begin < TRY_MOST) {
            *frames = try_quality(context, trial, order[k]);
            doctor_tell(tell, facts);
        }
    }
}

void look_at_drawing(DoctorFacts *facts, DoctorTell *tell)
{
    DrawingFacts *drawing = &facts->drawing;
    SettingsParams settings = {0};
    Status status = {STATUS_GOOD, ""};
    if (!drawing->given && results_settings(&settings, &status)) {
        drawing->asked = settings.window.quality;
    }
    look_at_card(drawing);
    look_at_displays(drawing);
    doctor_tell(tell, facts);
    // Without smoothed edges, as a window has them.
    Offscreen *context = offscreen_create(DOCTOR_WIDTH, DOCTOR_HEIGHT, RENDER_QUALITY_LOW, &status);
    if (context == NULL) {
        snprintf(drawing->context_fault, sizeof drawing->context_fault, "%.255s", status.text);
        return;
    }
    read_context(drawing);
    doctor_tell(tell, facts);
    Trial trial;
    if (trial_create(&trial, &status)) {
        doctor_tell(tell, facts);
        look_at_pictures(facts, tell, context, &trial);
    }
    trial_destroy(&trial);
    offscreen_destroy(context);
}
