/// What stands and lies on a site, on the GPU: the fixtures and persons of a scene as one mesh in the world's frame,
/// and rocks as one mesh a shape, drawn once a rock.
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
    int person_count;
    ScenePerson persons[SCENE_MAX_PERSONS];
    double watched[2]; ///< m, world: the machine's start, which persons face
    double ground[SCENE_MAX_PERSONS]; ///< m, world: the height that each person stands on
    SolidMesh mesh;
    RenderFall falls[SCENE_MAX_FIXTURES]; ///< own copy
    SolidMesh walker; ///< in the frame of his feet
    bool has_walker; ///< the walker's mesh is made
} FixtureModel;
void fixture_model_destroy(FixtureModel *model);

/// Rebuilds the mesh when the scene's fixtures or persons, or the ground that these stand on (m, [SCENE_MAX_PERSONS]),
/// have changed, or a fixture of `falls` ([SCENE_MAX_FIXTURES]) was pushed over.
void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const double *ground, const RenderFall *falls);
/// Draws fixtures and persons.
/// walker  world: frame of the person who walks; NULL: nobody does
void fixture_model_draw(const FixtureModel *model, const Pose *walker, const SolidPass *pass);

/// Adds a person's mesh, the feet `ground` m high, the face turned to `facing` rad. Pure.
void person_mesh(const ScenePerson *person, double ground, double facing, Mesh *mesh);

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
