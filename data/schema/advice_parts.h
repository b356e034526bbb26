/// The parts of the advice on a scene, each of which adds warnings to the document's findings. Internal to data/schema.
#ifndef SPADEWORK_DATA_ADVICE_PARTS_H
#define SPADEWORK_DATA_ADVICE_PARTS_H

#include "data/schema/machine_params.h"
#include "data/files/document.h"
#include "data/schema/scene_params.h"

/// What the tool cannot get to, and a machine that stands where the work is.
void advise_places(const Document *document, const SceneParams *scene, const MachineParams *machine);
/// Rules of events that cannot happen in the scene.
void advise_rules(const Document *document, const SceneParams *scene);
/// Steps, faults and scores whose limits no value can pass; questions.
void advise_figures(const Document *document, const SceneParams *scene);

/// Why an incident cannot happen in a scene; NULL: it can.
const char *advise_why_not(const SceneParams *scene, Incident incident);

#endif
