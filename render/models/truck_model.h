/// Trucks on the GPU: meshes of the scene's truck, and the poses of their parts.
///
/// Every function that makes, bends, draws or destroys needs a current OpenGL 3.3 core context and must be called from
/// the thread that it is current on.
#ifndef SPADEWORK_RENDER_TRUCK_MODEL_H
#define SPADEWORK_RENDER_TRUCK_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

/// The meshes of a truck.
enum {
    TRUCK_PART_CHASSIS,
    TRUCK_PART_GLASS,
    TRUCK_PART_BED,
    TRUCK_PART_GATE,
    TRUCK_PART_WHEEL,
    TRUCK_PART_BARREL, ///< this and the next: 1 m along x, of radius 1, stretched to the cylinder under the bed
    TRUCK_PART_ROD,
    TRUCK_PART_NUMBER, ///< of the first truck; of the others behind it
    TRUCK_PART_LAST_NUMBER = TRUCK_PART_NUMBER + RENDER_MAX_TRUCKS - 1,
    TRUCK_PART_LENS, ///< of a lamp, dark; and the next: lit
    TRUCK_PART_LENS_LIT,
    TRUCK_PART_COUNT
};

/// Zero-initialise; owned by the caller, freed by truck_model_destroy.
typedef struct TruckModel {
    bool made; ///< of `shape`
    TruckParams shape; ///< own copy
    SolidMesh part[TRUCK_PART_COUNT];
} TruckModel;
void truck_model_destroy(TruckModel *model);

/// Rebuilds the meshes when the scene's truck has changed; frees them when there is none.
void truck_model_follow(TruckModel *model, const SceneParams *scene);

/// Draws every truck of the view; does nothing when the scene has none.
void truck_model_draw(const TruckModel *model, const SolidPass *pass, const RenderView *view);

/// Finds where trucks stand in a view that has a scene; returns their number. Pure.
int truck_model_places(const RenderView *view, RenderTruck trucks[RENDER_MAX_TRUCKS]);

#endif
