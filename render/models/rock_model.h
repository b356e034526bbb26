/// Rocks on the GPU: a flat-shaded mesh a shape, drawn once a rock.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_ROCK_MODEL_H
#define SPADEWORK_RENDER_ROCK_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by rock_model_destroy.
typedef struct RockModel {
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES]; ///< what the meshes were made of; own copies
    SolidMesh mesh[RENDER_MAX_ROCK_SHAPES];
    int count;
} RockModel;
void rock_model_destroy(RockModel *model);

/// Builds the meshes anew when the shapes are others.
void rock_model_follow(RockModel *model, const RenderRocks *rocks);

/// Draws each rock at its pose.
void rock_model_draw(const RockModel *model, const SolidPass *pass, const RenderRocks *rocks);

#endif
