/// Pipes on slings on the GPU: a hollow pipe and a rope, stretched to what each load is.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_LOAD_MODEL_H
#define SPADEWORK_RENDER_LOAD_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

typedef enum LoadPart { LOAD_PART_PIPE, LOAD_PART_ROPE, LOAD_PART_BAND, LOAD_PART_COUNT } LoadPart;

/// Zero-initialise; owned by the caller, freed by load_model_destroy.
typedef struct LoadModel {
    SolidMesh part[LOAD_PART_COUNT];
    bool made;
} LoadModel;
void load_model_destroy(LoadModel *model);

/// Builds the meshes when there are loads to draw and none were built.
void load_model_follow(LoadModel *model, int load_count);

/// Draws the view's loads with their slings.
void load_model_draw(const LoadModel *model, const SolidPass *pass, const RenderView *view);

#endif
