/// Draws a RenderView: a plain snapshot of everything there is to see. The library knows nothing of sessions, soil or
/// ODE.
///
///     Renderer *renderer = render_create(&params, &status); // with an OpenGL context
///     if (renderer != NULL) {
///         render_draw(renderer, &view, 1280, 720);
///         render_write_png("view.png", 1280, 720, &status);
///         render_destroy(renderer);
///     }
///
/// Units: SI; world frame x east, y north, z up. A view that is all zero is valid and shows nothing.
///
/// Ownership: all pointers in a view belong to the caller and are read only during the call.
///
/// Threads: every function but those that say "any thread" needs a current OpenGL 3.3 core context, which the caller
/// makes (a window, or offscreen), and must be called from the thread that the context is current on.
///
/// Errors: a Status with one line. Drawing does not fail; it leaves out what memory is short for.
///
/// Headers, from bottom to top; this one includes them all, and callers include only this one:
///     site.h         what stands and lies on the site: filled from the simulation
///     hud.h          gauges, levers, hints, devices: filled from the session and the input devices
///     menu.h         menus: filled by the screen that is open
///     replay.h       time line, events, curves: filled by the screen of a recording
///     instruments.h  debug view, grade display, section: filled from the simulation
///     machine_shape.h  a machine's meshes, for files of other programs
///     view.h         RenderView, which holds all of these; its camera; copies of it
///     render.h       the renderer, and what lies under a place of the screen
#ifndef SPADEWORK_RENDER_RENDER_H
#define SPADEWORK_RENDER_RENDER_H

#include "data/core/status.h"
#include "render/machine_shape.h"
#include "render/view.h"

/// ---- the renderer --------------------------------------------------------------------------------------------------

/// Programs, buffers and textures of one context.
typedef struct Renderer Renderer;

/// How much is drawn. MEDIUM is for slow graphics cards: the same things at fewer pixels. LOW is for computers that
/// draw in software: less fine ground, grains and shadows, plainer light.
typedef enum RenderQuality {
    RENDER_QUALITY_HIGH,
    RENDER_QUALITY_MEDIUM,
    RENDER_QUALITY_LOW,
    RENDER_QUALITY_COUNT
} RenderQuality;

/// How a renderer is made.
typedef struct RenderParams {
    const char *shader_folder; ///< data/shaders; read by render_create only
    RenderQuality quality;
    bool no_shadow_map; ///< for tests: as if OpenGL could not draw into a depth texture
} RenderParams;

/// Returns a new renderer, which the caller frees with render_destroy while the same context is current.
/// NULL with STATUS_LACKING in `status` when OpenGL is older than 3.3, a shader does not compile or memory is short.
Renderer *render_create(const RenderParams *params, Status *status);

/// Returns one line that says what pictures lack because this computer's OpenGL cannot do it; NULL: nothing.
const char *render_lack(const Renderer *renderer);

/// True when the current context is lost, with all that was made in it: the graphics card was reset or removed. Destroy
/// the renderer then, and create one in a new context.
bool render_is_lost(void);

/// True when the current context draws with the processors, without a graphics card.
bool render_is_in_software(void);

/// Frees the renderer and all it has on the GPU; NULL: does nothing.
void render_destroy(Renderer *renderer);

/// Draws one frame of width x height pixels (>= 1, else nothing happens) into the current framebuffer, which needs a
/// depth buffer. Leaves the framebuffer bound; other state of OpenGL is undefined afterwards. Shapes that memory is
/// short for are left out.
void render_draw(Renderer *renderer, const RenderView *view, int width, int height);

/// Draws the next frame as a new renderer would: everything is sent again, whatever its view says has changed. Call it
/// before a view of another site, or where a picture must not depend on those before it.
void render_forget(Renderer *renderer);

enum { RENDER_MAX_BESIDE = 3 };
/// Draws the frame of the last render_draw once more, into the current framebuffer of width x height pixels (>= 1, else
/// nothing happens): as another camera sees it, without panels, insets and new mirrors. Only what belongs to the
/// camera is sent to the GPU. `view` is the one drawn last but for its aim; a view without a scene is dark.
/// k  0..RENDER_MAX_BESIDE - 1: which of the pictures beside it is, so that each keeps its memory
void render_draw_beside(Renderer *renderer, const RenderView *view, int k, int width, int height);
/// Returns when all that was drawn has reached the framebuffer.
void render_wait(void);

/// Sets how fine the scene is drawn from now on.
/// share  of the pixels along a side that the quality gives it, more than 0 and at most 1; a picture of 240 pixels'
/// height
///        or less has them all; panels do not change
/// whole  shadows and small pictures are drawn in every frame, else every few frames, in turn
void render_set_fineness(Renderer *renderer, double share, bool whole);

/// The passes of a frame, for measuring.
#define RENDER_PASSES(X)                                                                                               \
    X(UPLOAD, upload) /* what changed goes to the GPU */                                                               \
    X(SHADOW, shadow) /* all solids as the sun sees them */                                                            \
    X(GROUND, ground)                                                                                                  \
    X(GRAINS, grains)                                                                                                  \
    X(MACHINES, machines) /* and rocks, fixtures, loads, trucks */                                                     \
    X(SKY, sky) /* with lines, ghost and glass */                                                                      \
    X(PANELS, panels)
/// A pass of a frame.
typedef enum RenderPass {
#define X(id, name) RENDER_PASS_##id,
    RENDER_PASSES(X)
#undef X
        RENDER_PASS_COUNT
} RenderPass;
extern const char *const render_pass_names[RENDER_PASS_COUNT]; ///< "upload", ...
/// Measures passes from now on: waits for each and adds its time, s, to `seconds`, which the caller owns; NULL: no
/// longer. Frames that are measured take longer as a whole.
void render_measure(Renderer *renderer, double seconds[RENDER_PASS_COUNT]);

/// ---- panels on the screen ------------------------------------------------------------------------------------------

/// Returns the pixels a design unit of the panels, in which the screen is 720 high: by the screen's height (pixels), in
/// a narrow window by its width. Pure; any thread.
double render_panel_unit(int width, int height);

/// Finds what lies at (x, y), pixels from the upper left, in a screen of width x height pixels. Pure; any thread.
/// Returns the share of the time line's duration, 0..1, or -1 elsewhere: the whole panel holds its bar.
double render_timeline_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the row of the list of events at (x, y), pixels, or -1 elsewhere. Pure; any thread.
int render_event_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the number of the field of the mouse's levers (RenderHud.mouse) at (x, y), pixels from the upper left of a
/// screen of width x height pixels; -1: none. Pure; any thread.
int render_mouse_at(const RenderView *view, int width, int height, double x, double y);
/// Returns how many pixels a grip of these levers goes from its middle to its end.
double render_mouse_reach(const RenderView *view, int width, int height);
/// Returns the menu's item at (x, y), pixels, or -1 elsewhere. Pure; any thread.
int render_menu_at(const RenderView *view, int width, int height, double x, double y);
/// Returns -1 or 1 where (x, y), pixels, lies on the left or right arrow of an item (RenderMenuItem.changes), else 0.
/// Pure; any thread.
int render_menu_arrow_at(const RenderView *view, int width, int height, double x, double y);
/// Returns the first of the menu's items that are in sight, and writes how many are. Pure; any thread.
int render_menu_first(const RenderView *view, int width, int height, int *shown);

enum { RENDER_WORK_POINTS = 16 };
/// Writes the points (m, world) that an operator works by: the tool's middle and tip, its cutting edge, the ground
/// below the edge, and the end of a mark that is nearest to the tool, where work begins. Returns their number. Pure;
/// any thread.
int render_work_points(const RenderView *view, Vec3 points[RENDER_WORK_POINTS]);

enum { RENDER_CLEARANCE_ROWS = 24, RENDER_CLEARANCE_COLUMNS = 40 };
/// Which panels have given way to the work, from picture to picture of one window or film. Zero at first.
typedef struct RenderClearance {
    RenderMove moves[RENDER_PANELS];
    /// [row][column] of the screen, top left first: 1 + s of RenderHud.time at which the work, a mirror or the monitor
    /// was last seen there; 0: never.
    float needed[RENDER_CLEARANCE_ROWS][RENDER_CLEARANCE_COLUMNS];
    bool begun, reads; ///< a picture came before; in it the cab's monitor could be read
    double changed; ///< s of RenderHud.time since which that is otherwise
    RenderCamera camera; ///< of the last picture
    int width, height; ///< pixels of the last picture
} RenderClearance;

/// Leaves the strip of gauges out where the cab's monitor can be read, which has the same figures, and moves panels and
/// insets (RenderLayout.moves) away from the points of work, the cab's mirrors and its monitor, for a picture of
/// width x height pixels. A panel leaves its place only when something is about to be under it. It goes along the edges
/// of the screen, where it can to a place that was not needed in the last minute, and returns once its usual place was
/// not needed for a minute, so that in the cycles of a drive it moves once. A panel that finds no room is hidden. Call
/// it when all else of the view is filled. Allocates nothing; one thread a clearance.
void render_clear_work(RenderClearance *clearance, RenderView *view, int width, int height);

/// ---- pictures ------------------------------------------------------------------------------------------------------

/// Writes width x height pixels of the current framebuffer as PNG. False with STATUS_LACKING in `status` for sizes that
/// are not possible, a file that cannot be written, or short memory.
bool render_write_png(const char *path, int width, int height, Status *status);

/// Reads width x height pixels of the current framebuffer into rgb [height][width][3], top row first. Of several
/// samples a pixel that is their mean; black where memory is short for it.
void render_read_pixels(int width, int height, unsigned char *rgb);

/// Reads how far what the last render_draw drew of the scene is from its camera, into depth [height][width], top row
/// first: m along the camera's axis, INFINITY where there is only sky. Panels, glass, rain and dust have no depth.
/// Where the scene has fewer pixels than the picture (low and medium quality), each pixel has the depth of the nearest
/// of them. Call it with the size of that render_draw, which had one screen and one eye, while its framebuffer is
/// bound, which has one sample a pixel. False with STATUS_LACKING in `status`: memory is short, or the view had no
/// scene.
bool render_read_depth(const Renderer *renderer, int width, int height, float *depth, Status *status);

#endif
