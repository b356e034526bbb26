/// Pictures without a visible window: files and films of a session, and pictures for a drive's guide.
#ifndef SPADEWORK_TRAINER_OFFSCREEN_H
#define SPADEWORK_TRAINER_OFFSCREEN_H

#include "render/render.h"
#include "trainer/app/ground_view.h"
#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"
#include "trainer/sim/sim.h"

/// A hidden context of SDL's offscreen driver and its renderer, used for any number of pictures.
typedef struct Offscreen Offscreen;
/// Width and height 16..8192 pixels. NULL with `status` (STATUS_LACKING) when the computer cannot draw OpenGL 3.3.
/// Pictures of high quality have smooth edges where they can be had.
Offscreen *offscreen_create(int width, int height, RenderQuality quality, Status *status);
void offscreen_destroy(Offscreen *offscreen);
/// Panels over a picture: none, or those of a window whose gauges are set to the same word (SettingsGauges).
typedef enum OffscreenPanels { OFFSCREEN_PANELS_OFF, OFFSCREEN_PANELS_STRIP, OFFSCREEN_PANELS_ALL } OffscreenPanels;

/// Options of a picture. Zero is a picture from the orbit camera with nothing added.
typedef struct OffscreenLook {
    RenderCamera camera;
    SettingsViews views; ///< beside that camera's picture
    RenderQuality quality; ///< of offscreen_shot
    bool debug; ///< with the debug view
    TextUnits units; ///< that figures are written in
    OffscreenPanels panels; ///< over the picture
    bool cut_fill; ///< with colours of cut and fill on the ground
    bool placed; ///< the free camera stands at `eye` and looks towards `target`
    Vec3 eye, target; ///< m, world
    const GroundPath *path; ///< the machine's way, whose marks are on the ground; NULL: none are
    const RenderGhost *ghost; ///< another machine beside it, or NULL
    RenderClearance *clearance; ///< of the film that the picture belongs to; NULL: it stands alone
    const RenderHud *race; ///< whose lines of a race are shown, or NULL
} OffscreenLook;
/// Draws the session's present state; the HUD shows the frame's figures and the grade display. Never changes the
/// session's state.
void offscreen_draw(Offscreen *offscreen, Session *session, const OffscreenLook *look);
/// The same by a renderer in a context of the caller's, which is current: into the current framebuffer.
void offscreen_render(Renderer *renderer, Session *session, const OffscreenLook *look, int width, int height);
/// The last picture: as a PNG file, or as width x height x 3 bytes, top row first.
bool offscreen_write(Offscreen *offscreen, const char *path, Status *status);
void offscreen_pixels(Offscreen *offscreen, unsigned char *rgb);

/// One picture of the session's present state: create, draw, write, destroy.
bool offscreen_shot(Session *session, const char *path, const OffscreenLook *look, int width, int height,
                    Status *status);

/// ---- pictures of a drive for others --------------------------------------------------------------------------------

/// Pictures of the operator's view for a drive's guide (DriveGuide): where the window draws, from its own
/// view; of a drive without a window from a copy of the session's view, drawn by a thread of its own. A tick waits for
/// neither. Main thread.

/// Draws the view unseen when the guide wants a picture, and returns true: it is then not to be shown.
/// guide  NULL is nothing
bool lookout_lend(Window *window, RenderView *view, const DriveGuide *guide);

/// The lookout of a drive without a window. Zero at first; it makes what it draws with when a picture is first wanted,
/// and reports once that the computer cannot draw.
typedef struct Lookout {
    const DriveGuide *guide; ///< NULL: no pictures are wanted
    struct SDL_Window *window;
    struct SessionView *view;
    struct Picture *picture;
    int64_t tick; ///< of the session, at the last picture
    bool failed;
} Lookout;
/// Call after each round of the drive.
void lookout_look(Lookout *lookout, Session *session);
/// Call before another session is driven, and at the end.
void lookout_close(Lookout *lookout);

#endif
