/// Water that stands on the site, on the GPU: one square that is drawn as large and as high as the water is.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_WATER_MODEL_H
#define SPADEWORK_RENDER_WATER_MODEL_H

#include "render/models/solid.h"
#include "render/site.h"

/// Zero-initialise; owned by the caller, freed by water_model_destroy.
typedef struct WaterModel {
    SolidMesh mesh; ///< a square of 1 m about the origin, its upper side at z = 0
    bool made; ///< the mesh is
} WaterModel;
void water_model_destroy(WaterModel *model);

/// Makes the mesh when the first view has water.
void water_model_follow(WaterModel *model, const RenderWater *water);
/// Draws the water, which is muddy: one does not see through it. It casts no shadow.
void water_model_draw(const WaterModel *model, const SolidPass *pass, const RenderWater *water);

#endif
