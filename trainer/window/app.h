/// The program's window: menu, driving, replaying, and pictures of a session. All of SDL's video and OpenGL's context live
/// in the app_*.c files; they are part of the executable only, never of trainer-core. Main thread only.
#ifndef SPADEWORK_TRAINER_APP_H
#define SPADEWORK_TRAINER_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "render/render.h"
#include "trainer/command/cli.h"
#include "trainer/session/session.h"

/// True when a window can be opened: a display answers, or SDL_VIDEODRIVER names a driver on purpose.
bool app_has_display(void);

/// The scene menu, until the user leaves. `defaults` holds what `run` would be given (control map, threads, trainee...); its
/// scene is the first one selected. Returns an exit code (data/core/status.h); one line on stderr when it is not 0.
int app_menu(const RunOptions *defaults);

/// Drives one scene in a window as the options say, until --seconds, the window's close or the pause menu's leave.
int app_run(const RunOptions *options);

/// Takes a recording over at `at` s, in a window: the new recording (options->record, or numbered beside the old one)
/// names its parent. `options` gives operator, controls, seconds and so on; its scene is not used.
int app_resume(const char *path, double at, const RunOptions *options);

/// Watches a recording from second `from`. `options` gives control map and threads for taking over.
int app_replay(const char *path, double from, const RunOptions *options);

/// The calibration assistant on the terminal: asks for each lever, writes the control map `path` (a file that exists is left
/// alone) from the map `base` (NULL = "iso"). Returns an exit code.
int app_calibrate(const char *path, const char *base);

/// Pictures without a display: a hidden context of SDL's offscreen driver and its renderer, used for any number of pictures.
typedef struct AppOffscreen AppOffscreen;
/// Width and height 16..8192 pixels. NULL with `status` (STATUS_LACKING) when the computer cannot draw OpenGL 3.3.
AppOffscreen *app_offscreen_create(int width, int height, Status *status);
void app_offscreen_destroy(AppOffscreen *offscreen);
/// Draws the session's present state; the HUD shows the frame's figures; `debug`: with the debug view. Never changes the session's
/// state.
void app_offscreen_draw(AppOffscreen *offscreen, Session *session, RenderCamera camera, bool debug);
/// What was drawn last: as a PNG file, or as width x height x 3 bytes, top row first.
bool app_offscreen_write(AppOffscreen *offscreen, const char *path, Status *status);
void app_offscreen_pixels(AppOffscreen *offscreen, unsigned char *rgb);

/// One picture of the session's present state: create, draw, write, destroy.
bool app_shot(Session *session, const char *path, RenderCamera camera, bool debug, int width, int height,
              Status *status);

#endif
