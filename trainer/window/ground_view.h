/// What the picture is told of the site's ground beside its surface: the layers that steep faces show.
#ifndef SPADEWORK_TRAINER_GROUND_VIEW_H
#define SPADEWORK_TRAINER_GROUND_VIEW_H

#include "render/render.h"
#include "trainer/session/session.h"

/// Zero-initialise; owned by the caller, freed by ground_view_free.
typedef struct GroundView {
    int rows, columns;
    uint16_t *strata; ///< [rows][columns][RENDER_STRATA]
} GroundView;
void ground_view_free(GroundView *own);

/// Completes the site's grid: widens its dirty rectangle to all columns that look different now, and adds the layers of
/// steep ones. The pointers hold until the next call.
void ground_view_fill(GroundView *own, Session *session, RenderGrid *site);

#endif
