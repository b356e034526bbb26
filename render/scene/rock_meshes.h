/// Rocks on the GPU: a flat-shaded mesh a shape, drawn once a rock.
#ifndef SPADEWORK_RENDER_ROCK_MESHES_H
#define SPADEWORK_RENDER_ROCK_MESHES_H

#include "render/models/machine_model.h"

typedef struct RockMeshes {
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES]; ///< what the meshes were made of; own copies
    GlMesh mesh[RENDER_MAX_ROCK_SHAPES];
    int count;
} RockMeshes;

/// Builds the meshes anew when the shapes are others.
void rock_meshes_follow(RockMeshes *meshes, const RenderRocks *rocks);
void rock_meshes_destroy(RockMeshes *meshes);
/// `dust`: as machine_model_draw.
void rock_meshes_draw(const RockMeshes *meshes, const SolidShared *shared, const RenderRocks *rocks,
                      const float dust[4], bool depth);

#endif
