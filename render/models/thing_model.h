/// Things to be looked at on a walk round the machine, on the GPU: one small mesh a look, made once, drawn at the
/// pose of each thing that shows it. Every function but thing_mesh needs a current OpenGL 3.3 core context and must be
/// called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_THING_MODEL_H
#define SPADEWORK_RENDER_THING_MODEL_H

#include "data/schema/scene_params.h"
#include "render/models/solid.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by thing_model_destroy.
typedef struct ThingModel {
    SolidMesh mesh[SCENE_THING_LOOK_COUNT];
    bool made; ///< the meshes are
} ThingModel;
void thing_model_destroy(ThingModel *model);

/// Makes the meshes when the first view has things.
void thing_model_follow(ThingModel *model, int thing_count);
/// Draws the things of the view.
void thing_model_draw(const ThingModel *model, const SolidPass *pass, const RenderView *view);

/// Adds the mesh of a look, in m: origin on the surface or the ground that it lies on, x out of its front, z up. Pure.
void thing_mesh(SceneThingLook look, Mesh *mesh);

#endif
