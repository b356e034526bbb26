/// The fixtures and the persons of a scene on the GPU: one mesh of all of them, in the world's frame.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_FIXTURE_MODEL_H
#define SPADEWORK_RENDER_FIXTURE_MODEL_H

#include "data/schema/scene_params.h"
#include "render/models/solid.h"

/// Zero-initialise; owned by the caller, freed by fixture_model_destroy.
typedef struct FixtureModel {
    int count; ///< of what the mesh is made of
    SceneFixture fixtures[SCENE_MAX_FIXTURES]; ///< own copies
    int person_count;
    ScenePerson persons[SCENE_MAX_PERSONS];
    double watched[2]; ///< m, world: where they look, the machine's start
    double ground[SCENE_MAX_PERSONS]; ///< m, world: the height that each person stands on
    SolidMesh mesh;
    SolidMesh walker; ///< about his feet
    bool has_walker; ///< that mesh is made
} FixtureModel;
void fixture_model_destroy(FixtureModel *model);

/// Builds the mesh anew when the scene's fixtures or persons, or the ground that these stand on (m,
/// [SCENE_MAX_PERSONS]), are others.
void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const double *ground);
/// Draws them.
/// walker  where somebody walks, world; NULL: nobody does
void fixture_model_draw(const FixtureModel *model, const Pose *walker, const SolidPass *pass);

/// Adds a fixture's mesh. Pure.
void fixture_mesh(const SceneFixture *fixture, Mesh *mesh);
/// Adds a person's mesh, the feet `ground` m high, the face turned to `facing` rad. Pure.
void person_mesh(const ScenePerson *person, double ground, double facing, Mesh *mesh);

#endif
