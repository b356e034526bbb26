/// What the picture is told of the site's ground beside its surface: the layers that steep faces show, and the marks of
/// tracks and teeth.
#ifndef SPADEWORK_TRAINER_GROUND_VIEW_H
#define SPADEWORK_TRAINER_GROUND_VIEW_H

#include "render/render.h"
#include "trainer/session/session.h"
#include "trainer/window/ground_marks.h"

/// Zero-initialise; owned by the caller, freed by ground_view_free.
typedef struct GroundView {
    int rows, columns;
    uint16_t *strata; ///< [rows][columns][RENDER_STRATA]
    GroundMarks marks;
    Pose stood; ///< of the undercarriage when its tracks were last pressed into the ground
    Vec3 edge; ///< m, world: middle of the cutting edge, a tick ago
} GroundView;
void ground_view_free(GroundView *own);

/// Completes the site's grid: widens its dirty rectangle to all columns that look different now, and adds the layers of
/// steep ones. The pointers hold until the next call.
void ground_view_fill(GroundView *own, Session *session, RenderGrid *site);

/// After a tick: the tracks leave prints where they have come to, teeth grooves where they have cut. `jump`: after a
/// start, a seek or a restart; the ground is then without marks.
/// body    [MACHINE_MAX_BODIES] frames of the machine's bodies
/// travel  m that the belts have run
void ground_view_tick(GroundView *own, Session *session, const Pose *body, const double travel[2], bool jump);

#endif
