/// The words of a scene that people read, one after the other: what a translation covers. Names of files, soils, parts
/// and metrics are not among them.
#ifndef SPADEWORK_DATA_SCENE_TEXTS_H
#define SPADEWORK_DATA_SCENE_TEXTS_H

#include "data/schema/scene_params.h"

/// `key`: the dotted place of the text in the scene's file ("exercise.steps.0.text"); `size`: bytes that a text of this
/// place may have, its end included. The visitor may write another text there.
typedef void SceneTextVisitor(void *context, const char *key, char *text, size_t size);

/// Calls `visit` once for each text of the scene that is not empty, in the order of its file's reference: title,
/// description, goal, steps, hints, faults, questions, labels.
void scene_visit_texts(SceneParams *scene, SceneTextVisitor *visit, void *context);

#endif
