/// People in hi-vis clothes: a trunk and jointed arms and legs, posed by what a person does: stands, walks, signals,
/// works at a hook or lies. As tall and as wide as the capsules that the simulation knows.
///
/// Functions that make, draw or destroy need a current OpenGL 3.3 core context and must be called from the thread that
/// it is current on.
#ifndef SPADEWORK_RENDER_PERSON_MODEL_H
#define SPADEWORK_RENDER_PERSON_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

enum { PERSON_SHAPES = 5 }; ///< trunk, upper arm, forearm, thigh, lower leg

/// Zero-initialise; freed by person_model_destroy.
typedef struct PersonModel {
    SolidMesh shape[PERSON_SHAPES];
    bool made;
} PersonModel;
void person_model_destroy(PersonModel *model);
void person_model_follow(PersonModel *model); ///< makes the meshes once
/// Draws `count` persons.
void person_model_draw(const PersonModel *model, const RenderPerson *persons, int count, const SolidPass *pass);

/// Adds the mesh of a person who stands, the feet `ground` m high, the face turned to `facing` rad. Pure.
void person_mesh(const ScenePerson *person, double ground, double facing, Mesh *mesh);

/// Directions of a person's arms, unit vectors with x ahead, y to the left and z up: [left, right][upper arm, forearm].
typedef struct PersonArms {
    Vec3 part[2][2];
} PersonArms;
/// Arms of a signal after `time` s of it; ARM signals by their number in RenderPerson. Pure.
PersonArms person_arms(RenderSignal signal, double time);

#endif
