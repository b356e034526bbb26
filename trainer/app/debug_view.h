/// The debug view: the soil's last tick (soil/soil.h) as lines and figures.
#ifndef SPADEWORK_TRAINER_DEBUG_VIEW_H
#define SPADEWORK_TRAINER_DEBUG_VIEW_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// What the debug view draws, in memory that lasts.
typedef struct DebugView DebugView;
DebugView *debug_view_create(void);
void debug_view_destroy(DebugView *own);
/// Fills view->debug and tints the particles that touch the tool; pointers hold until the next call.
void debug_view_fill(DebugView *own, Session *session, RenderView *view);

#endif
