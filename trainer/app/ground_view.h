/// What the picture is told of the site's ground beside its surface: the layers that steep faces show, and the marks of
/// tracks and teeth.
#ifndef SPADEWORK_TRAINER_GROUND_VIEW_H
#define SPADEWORK_TRAINER_GROUND_VIEW_H

#include "render/render.h"
#include "trainer/sim/sim.h"
#include "trainer/app/ground_path.h"

/// Zero-initialise; owned by the caller, freed by ground_view_free.
typedef struct GroundView {
    int rows, columns;
    uint16_t *strata; ///< [rows][columns][RENDER_STRATA]
    GroundMarks marks;
    GroundPath path; ///< where the machine has been, as far as it was seen
    const GroundPath *known; ///< all of its way, somebody else's; NULL: not known
    GroundStep last; ///< that has left its marks
} GroundView;
void ground_view_free(GroundView *own);

/// Completes the site's grid: widens its dirty rectangle to all columns that look different now, and adds the layers of
/// steep ones. The pointers hold until the next call.
void ground_view_fill(GroundView *own, Session *session, RenderGrid *site);

/// After a tick: belts, teeth and blades leave their marks where they have come to. `jump`: after a start, a seek or a
/// restart; the marks are then those of the way up to there.
void ground_view_tick(GroundView *own, Session *session, bool jump);

#endif
