/// Rocks of a session as the picture shows them.
#ifndef SPADEWORK_TRAINER_ROCK_VIEWS_H
#define SPADEWORK_TRAINER_ROCK_VIEWS_H

#include "render/render.h"
#include "trainer/sim/sim.h"

enum { ROCK_VIEWS_MOST = SCENE_MAX_ROCKS + ROCK_MAX_CUTS };
_Static_assert((int)RENDER_MAX_ROCK_SHAPES == (int)ROCK_MAX_KINDS, "a picture has room for all kinds of rock");

/// Where they lay after the last two ticks. Zero-initialise.
typedef struct RockViews {
    int shape_count, count;
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES];
    RenderRock past[ROCK_VIEWS_MOST], present[ROCK_VIEWS_MOST], shown[ROCK_VIEWS_MOST];
} RockViews;

/// After a tick; `jump`: after a start, a seek or a restart.
void rock_views_tick(RockViews *own, const Session *session, bool jump);
/// Fills `view` for the moment `blend`, see session_view_build. Its pointers hold until the next call.
void rock_views_build(RockViews *own, double blend, RenderRocks *view);

#endif
