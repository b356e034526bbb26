/// Draws a window on a thread of its own, which owns the OpenGL context and the renderer. The caller hands over a view
/// and continues at once, so slow drawing delays neither events nor simulation. The thread and those that a software
/// renderer starts in it run at lower priority. Call every function from the thread that polls SDL's events.
#ifndef SPADEWORK_TRAINER_PICTURE_H
#define SPADEWORK_TRAINER_PICTURE_H

#include "render/render.h"

/// ---- resolution on slow computers ----------------------------------------------------------------------------------

/// Resolution on slow computers: where pictures of low quality still take too long (night, rain, other load), the
/// scene has fewer pixels, notch by notch, and more again when there is time. Pure; knows no clock.

#define FINENESS_SLOW  (1.0 / 24.0) ///< s: pictures that take longer are drawn less finely
#define FINENESS_QUICK 0.027 ///< s: pictures that take less are drawn more finely; a notch up costs less than 1.5 times
#define FINENESS_LEAST 0.6 ///< share of the pixels along a side that the last notch leaves

enum {
    FINENESS_SLOW_PICTURES = 3, ///< in a row, before a notch down
    FINENESS_QUICK_PICTURES = 60, ///< in a row, before a notch up
};

/// Zero is the finest.
typedef struct Fineness {
    int notch; ///< down from the finest
    int slow, quick; ///< pictures in a row
} Fineness;

/// Takes the time of a picture, s, and returns the share of the quality's pixels along a side, FINENESS_LEAST..1,
/// that the next one is drawn with.
double fineness_next(Fineness *fineness, double seconds);

/// ---- the picture ---------------------------------------------------------------------------------------------------

#define PICTURE_SLOW 0.066 ///< s: longer, and a moving bucket is seen to jump. Chosen

typedef struct Picture Picture;
struct SDL_Window;

typedef struct PictureParams {
    struct SDL_Window *window; ///< made for OpenGL 3.3 core; no context of it is current; stays until picture_close
    const char *shader_folder; ///< copied
    RenderQuality quality; ///< at first
    bool adapts; ///< lowers the quality while pictures take longer than PICTURE_SLOW s (and see Fineness)
    bool low_in_software; ///< with `adapts`: starts at low quality where no graphics card draws
    bool no_shadow_map; ///< RenderParams; for tests
} PictureParams;

/// Starts the thread. NULL with `status` (STATUS_LACKING) when there is no such context, or a shader of the folder is
/// wrong. Features that the context lacks are reported on stderr. A context that is lost later (the graphics card was
/// reset) is made anew with all that was in it, and tried for again where that fails; meanwhile no picture is drawn.
Picture *picture_open(const PictureParams *params, Status *status);
void picture_close(Picture *picture); ///< after the frame that is being drawn; NULL is nothing

/// True when the last view is drawn and shown: the next one is taken at once.
bool picture_is_ready(Picture *picture);
/// Hands a copy of the view over, to be drawn width x height pixels large (1 or more); waits at most `patience` s until
/// the last one is shown. False when that was not long enough: the view is not drawn, and the next one that is will be
/// drawn whole. A view that is the same as the last is drawn once more, as finely as can be where it was not, and then
/// no more: it costs next to nothing while nothing changes.
bool picture_show(Picture *picture, const RenderView *view, int width, int height, double patience);
/// Call when the window may have lost its content (it was covered): the next view is drawn even if unchanged.
void picture_refresh(Picture *picture);
/// Another window that shows the picture's scene from another camera and without panels.
typedef struct PictureSide {
    struct SDL_Window *window; ///< of the same kind as the picture's; NULL: none
    int width, height; ///< pixels; 0: it is not drawn
    RenderAim aim;
} PictureSide;
/// Sets the other windows that show the next views. They are drawn in turn: all after each frame where time is left,
/// else so that they take a sixth of the thread's. A window that is named no more may be destroyed when this returns.
/// hidden  the picture's own window is not in sight: it is drawn, but not shown
void picture_set_sides(Picture *picture, const PictureSide sides[RENDER_MAX_BESIDE], bool hidden);
/// Frames of the `k`th of these windows so far, and s that the last one took.
int64_t picture_side_frames(Picture *picture, int k, double *seconds);
/// Draws the view once, unseen, and returns its pixels [height][width][3], top row first, which the caller frees; NULL
/// when memory is short. Waits for it.
unsigned char *picture_read(Picture *picture, const RenderView *view, int width, int height);
/// Receives pixels [height][width][3], top row first, valid during the call; on the picture's thread.
typedef void PictureTake(void *context, const unsigned char *rgb, int width, int height);
/// Draws the view once, unseen, and gives `take` its pixels, without waiting for it. False where the last view is not
/// shown yet, or memory is short: nothing is drawn.
bool picture_lend(Picture *picture, const RenderView *view, int width, int height, PictureTake *take, void *context);
/// The pixels of picture_read as a PNG file. False with `status`: the file cannot be written.
bool picture_write_png(Picture *picture, const RenderView *view, int width, int height, const char *path,
                       Status *status);
/// Changes the quality after the frame that is being drawn; `adapts` as in picture_open. False with
/// `status`: it stays as it was.
bool picture_set_quality(Picture *picture, RenderQuality quality, bool adapts, Status *status);
RenderQuality picture_quality(Picture *picture); ///< at present
/// Faults that a test puts into a picture.
typedef struct PictureTrial {
    double delay; ///< s that each view takes longer to draw
    double side_delay; ///< s that each picture of another window does
    bool lost; ///< the context counts as lost once, after the next view
} PictureTrial;
void picture_try(Picture *picture, const PictureTrial *trial);

/// Frames drawn and shown so far, and s that the last one took, drawn and shown.
int64_t picture_frames(Picture *picture, double *seconds);

#endif
