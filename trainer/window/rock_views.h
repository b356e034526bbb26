/// Rocks of a session as the picture shows them.
#ifndef SPADEWORK_TRAINER_ROCK_VIEWS_H
#define SPADEWORK_TRAINER_ROCK_VIEWS_H

#include "render/render.h"
#include "trainer/session/session.h"

/// Where they lay after the last two ticks. Zero-initialise.
typedef struct RockViews {
    int shape_count, count;
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES];
    RenderRock past[SCENE_MAX_ROCKS], present[SCENE_MAX_ROCKS], shown[SCENE_MAX_ROCKS];
} RockViews;

/// After a tick; `jump`: after a start, a seek or a restart.
void rock_views_tick(RockViews *own, const Session *session, bool jump);
/// Fills `view` for the moment `blend`, see session_view_build. Its pointers hold until the next call.
void rock_views_build(RockViews *own, double blend, RenderRocks *view);

#endif
