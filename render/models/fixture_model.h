/// What stands and lies on a site, on the GPU: the fixtures of a scene as one mesh in the world's frame, and rocks as
/// one mesh a shape, drawn once a rock.
///
/// Every function that makes, bends, draws or destroys needs a current OpenGL 3.3 core context and must be called from
/// the thread that it is current on.
#ifndef SPADEWORK_RENDER_FIXTURE_MODEL_H
#define SPADEWORK_RENDER_FIXTURE_MODEL_H

#include "data/schema/scene_params.h"
#include "render/models/solid.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by fixture_model_destroy.
typedef struct FixtureModel {
    int count; ///< of the fixtures that the mesh is made of
    SceneFixture fixtures[SCENE_MAX_FIXTURES]; ///< own copies
    SolidMesh mesh;
    RenderFall falls[SCENE_MAX_FIXTURES]; ///< own copy
} FixtureModel;
void fixture_model_destroy(FixtureModel *model);

/// Rebuilds the mesh when the scene's fixtures have changed, or one of `falls` ([SCENE_MAX_FIXTURES]) was pushed over.
void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const RenderFall *falls);
void fixture_model_draw(const FixtureModel *model, const SolidPass *pass);

/// ---- rocks ---------------------------------------------------------------------------------------------------------

/// Zero-initialise; owned by the caller, freed by rock_model_destroy.
typedef struct RockModel {
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES]; ///< what the meshes were made of; own copies
    SolidMesh mesh[RENDER_MAX_ROCK_SHAPES];
    int count;
} RockModel;
void rock_model_destroy(RockModel *model);

/// Builds the meshes of shapes that have changed. `plain`: at low quality.
void rock_model_follow(RockModel *model, const RenderRocks *rocks, bool plain);

/// Draws each rock at its pose.
void rock_model_draw(const RockModel *model, const SolidPass *pass, const RenderRocks *rocks);

#endif
