/// Dust that a session raises: where dry grains fall and fly, where the tool breaks the ground, behind belts that run.
/// Only looked at: nothing of it comes back to the session, and the same session raises the same dust.
#ifndef SPADEWORK_TRAINER_DUST_VIEW_H
#define SPADEWORK_TRAINER_DUST_VIEW_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// Puffs of the last seconds. Zero-initialise; holds no memory of its own.
typedef struct DustView {
    RenderPuff puffs[RENDER_MAX_PUFFS];
    int count, next; ///< puffs that are known; where the next one goes
    double start; ///< s of the session at which the puffs' clock is 0: it stays exact over hours
} DustView;

/// How much dust a soil raises, 0 (what sticks, and any soil in rain) to 1 (dry fines). Pure.
double dust_of_soil(const SoilParams *soil, const SceneWeather *weather);

/// After a tick; `jump`: after a start, a seek or a restart. Then the dust that is in the air is told from how grains
/// and belts move now.
void dust_view_tick(DustView *own, Session *session, bool jump);
/// Fills `dust` for the moment `blend`, see session_view_build. Its pointer holds until the next tick.
void dust_view_build(const DustView *own, const Session *session, double blend, RenderDust *dust);

#endif
