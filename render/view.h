/// A copy of a RenderView that stands by itself: what draws it needs nothing of what it was made from, which may go on
/// or go away meanwhile. One thread at a time.
#ifndef SPADEWORK_RENDER_SNAPSHOT_H
#define SPADEWORK_RENDER_SNAPSHOT_H

#include "render/render.h"

typedef struct RenderSnapshot RenderSnapshot;

RenderSnapshot *render_snapshot_create(void); ///< empty; the caller frees it
void render_snapshot_destroy(RenderSnapshot *snapshot); ///< NULL is nothing

/// Copies a view with all that it points to. Of grids only what the view calls dirty is copied: a snapshot is to be
/// given every view of a grid that says something is, or the next one `whole`. A grid of another size is copied whole.
void render_snapshot_take(RenderSnapshot *snapshot, const RenderView *view, bool whole);
/// The copy; it belongs to the snapshot and stays as it is until the next take.
const RenderView *render_snapshot_view(const RenderSnapshot *snapshot);
/// True when the last view is, byte by byte, not what the view before it was, or some of its ground was called dirty; a
/// picture of it may then be another one.
bool render_snapshot_is_new(const RenderSnapshot *snapshot);
/// Copies into it that memory had to be made for since it was created: 0 in a take that found room.
int64_t render_snapshot_allocations(const RenderSnapshot *snapshot);

#endif
