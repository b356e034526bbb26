/// A film made from pictures with ffmpeg, which runs beside the program and is fed through a pipe.
///
/// Until video_close the film is in PATH.part, so that no half film bears its name. Signals are taken (signals.h) while
/// a film is open: a stop that is asked for ends ffmpeg, and nothing is left of the film. One thread; one film at a
/// time.
#ifndef SPADEWORK_TRAINER_VIDEO_H
#define SPADEWORK_TRAINER_VIDEO_H

#include <stdbool.h>

#include "data/core/status.h"

typedef struct Video Video;

/// H.264 in MP4. `width`, `height` pixels, even; `fps` pictures a second. NULL with `status` (STATUS_LACKING): no
/// ffmpeg, or something at `path` that is not a film.
Video *video_create(const char *path, int width, int height, int fps, Status *status);
/// `rgb`: width x height x 3 bytes, top row first. False with `status` when ffmpeg gave up (STATUS_LACKING) or a stop
/// was asked for (STATUS_STOPPED): close it then.
bool video_frame(Video *video, const unsigned char *rgb, Status *status);
/// Ends the film, or (`keep` false) removes it. False with `status` when it could not be written whole: nothing is left
/// of it then. NULL is fine.
bool video_close(Video *video, bool keep, Status *status);

#endif
