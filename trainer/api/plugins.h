/// What the two libraries that libspadework loads on demand give it: libspadework-record (SQLite) and
/// libspadework-render (OpenGL). Each is linked with a copy of the simulation of its own, which holds no state,
/// and works on the session that it is passed: all three must be of one build.
#ifndef SPADEWORK_TRAINER_API_PLUGINS_H
#define SPADEWORK_TRAINER_API_PLUGINS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "trainer/sim/sim.h"

/// What must be equal in all three. Compiled into each.
#define API_BUILD SPADEWORK_VERSION " " SPADEWORK_COMPUTER

/// An episode's recording; calls come from one thread at a time.
typedef struct ApiRecorder {
    const char *build; ///< API_BUILD
    /// Begins a recording of a session at tick 0. NULL with `status`. operator_name: NULL, or who moves the levers
    void *(*begin)(Session *session, const char *path, const char *operator_name, Status *status);
    bool (*order)(void *recording, const SessionOrder *order, Status *status); ///< that the session has taken
    bool (*tick)(void *recording, Session *session, Status *status); ///< after each tick
    bool (*end)(void *recording, Session *session, Status *status); ///< frees it, whatever it returns
} ApiRecorder;
/// The one symbol of libspadework-record.so.0.
const ApiRecorder *spadework_recorder(void);

typedef struct ApiPicture {
    const char *camera; ///< NULL: the operator's
    int width, height; ///< 16..8192 pixels
    int quality; ///< 0..2
    bool panels;
    const char *data_folder; ///< whose shaders draw; NULL: that of the render library's own data_folder
} ApiPicture;

/// Pictures of any number of sessions through one context. Any thread: calls wait for each other.
typedef struct ApiRenderer {
    const char *build; ///< API_BUILD
    /// rgb    [height][width][3], top row first, or NULL
    /// depth  [height][width] m along the camera's axis, or NULL; INFINITY: the sky
    /// False with `status`: STATUS_BAD_USAGE (no such camera), STATUS_LACKING.
    bool (*draw)(Session *session, const ApiPicture *picture, uint8_t *rgb, float *depth, Status *status);
    void (*forget)(const Session *session); ///< of a session that is closed: what was kept for its pictures
} ApiRenderer;
/// The one symbol of libspadework-render.so.0.
const ApiRenderer *spadework_renderer(void);

#endif
