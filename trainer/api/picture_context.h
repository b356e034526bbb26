/// An OpenGL 3.3 core context without a window, by EGL alone, and one framebuffer in it. SDL is not used, so a host's
/// SDL is left alone.
///
/// A process has one EGL display a device, which its libraries share. This one never terminates it, which would take it
/// from the host; but the host may (SDL_Quit does), and then the context is lost (picture_context_is_lost).
///
/// Every function must be called from the thread that created the context, on which it stays current.
#ifndef SPADEWORK_TRAINER_API_PICTURE_CONTEXT_H
#define SPADEWORK_TRAINER_API_PICTURE_CONTEXT_H

#include <stdbool.h>

#include "data/core/status.h"

typedef struct PictureContext PictureContext;

/// Creates a context on the first device that has one: graphics cards, then the processor. The caller destroys it. NULL
/// with `status` (STATUS_LACKING): this computer has no EGL, or no OpenGL 3.3.
PictureContext *picture_context_create(Status *status);
void picture_context_destroy(PictureContext *context); ///< NULL is nothing

/// True when something else in the process has terminated the display. Call no function of OpenGL then: libepoxy ends
/// the process at the first that it does not know yet.
bool picture_context_is_lost(const PictureContext *context);
/// Puts a new context in the place of one that is lost. What was made in the old one is gone; destroying it here does
/// nothing to the new one, which holds nothing yet. False with `status` (STATUS_LACKING): it stays lost.
bool picture_context_renew(PictureContext *context, Status *status);

/// Makes a framebuffer with colour, depth and stencil the target of drawing, new where size or samples differ from the
/// last.
/// width, height  pixels, 1..8192
/// samples        a pixel, as many as the driver has: 1..4
/// False with `status` (STATUS_LACKING): the driver has no memory for it.
bool picture_context_aim(PictureContext *context, int width, int height, int samples, Status *status);

#endif
