/// Trucks as the renderer draws them: meshes of the scene's truck, and where their parts are.
#ifndef SPADEWORK_RENDER_TRUCK_MODEL_H
#define SPADEWORK_RENDER_TRUCK_MODEL_H

#include "render/models/machine_model.h"
#include "render/render.h"

/// Zero-initialise.
typedef struct TruckModel {
    bool made; ///< of `shape`
    TruckParams shape;
    GlMesh chassis, glass, bed, gate, wheel, barrel, rod;
} TruckModel;
void truck_model_destroy(TruckModel *model);

/// Makes the meshes of the scene's truck, if it has one that they are not made of yet.
void truck_model_follow(TruckModel *model, const SceneParams *scene);
void truck_model_draw(const TruckModel *model, const SolidShared *shared, const RenderView *view, const float dust[4],
                      bool depth);

/// Where trucks stand in a view; returns their number.
int truck_model_places(const RenderView *view, RenderTruck trucks[RENDER_MAX_TRUCKS]);

#endif
