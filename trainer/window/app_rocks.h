/// Rocks of a session as the picture shows them.
#ifndef SPADEWORK_TRAINER_APP_ROCKS_H
#define SPADEWORK_TRAINER_APP_ROCKS_H

#include "render/render.h"
#include "trainer/session/session.h"

/// Where they lay after the last two ticks. Zero-initialise.
typedef struct AppRocks {
    int shape_count, count;
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES];
    RenderRock past[SCENE_MAX_ROCKS], present[SCENE_MAX_ROCKS], shown[SCENE_MAX_ROCKS];
} AppRocks;

/// After a tick; `jump`: after a start, a seek or a restart.
void app_rocks_tick(AppRocks *own, const Session *session, bool jump);
/// Fills `view` for the moment `blend`, see app_view_build. Its pointers hold until the next call.
void app_rocks_build(AppRocks *own, double blend, RenderRocks *view);

/// Between two rotations that are a tick apart (app_view.c).
Mat3 app_blend_rotation(const Mat3 *a, const Mat3 *b, double t);

#endif
