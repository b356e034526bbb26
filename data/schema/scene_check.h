/// The parts of a scene's file: tables of keys, rules that a single key cannot express, and advice. Internal to data/.
/// A check says what is wrong where, and returns false. Those that need the scene's soils, truck or machine are called
/// once these are loaded.
#ifndef SPADEWORK_DATA_SCENE_CHECK_H
#define SPADEWORK_DATA_SCENE_CHECK_H

#include <stdbool.h>

#include "data/files/document.h"
#include "data/files/key_table.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"

/// ---- places --------------------------------------------------------------------------------------------------------

/// m that earthworks may have changed the ground under a truck or a road; chosen.
extern const double scene_truck_level;

/// A place that must lie on the site; the paths are those of its two keys.
bool scene_check_place(Document *document, const SceneGround *ground, const char *x_path, double x, const char *y_path,
                       double y, Status *status);
/// The four corners of a rectangle whose middle line runs from along[0] to along[1] m beyond `middle` towards
/// `heading`.
bool scene_check_rectangle(Document *document, const SceneGround *ground, const char *path, const double middle[2],
                           double heading, const double along[2], double half_width, Status *status);
/// Patches are whole, on the site and above bedrock.
bool scene_check_patches(Document *document, const SceneGround *ground, Status *status);

/// What needs the scene's soils and machine: nowhere too many layers, and the machine starts on the ground, not in it.
bool scene_check_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

/// ---- earthworks ----------------------------------------------------------------------------------------------------

/// Whether soil that was put down is as dense as undisturbed ground.
extern const KeyChoice scene_compactions[];

/// The row of one item of a ground's list `earthworks`.
extern const DataKey scene_earthworks_item;

/// Whole, crest or floor on the site, above bedrock, and each changes something. False with the place and the reason.
bool scene_check_earthworks(Document *document, const SceneGround *ground, Status *status);

/// What needs soils and machine: no bank of tipped soil is steeper than that soil stands, and the machine's tracks lie
/// on a plane that they can hold on to.
bool scene_check_earthworks_loaded(Document *document, const SceneParams *scene, const MachineParams *machine,
                                   Status *status);

/// ---- fixtures ------------------------------------------------------------------------------------------------------

/// The row of one item of a scene's list `fixtures`.
extern const DataKey scene_fixtures_item;

/// Whole, on the site, above bedrock and not upside down. False with the place and the reason.
bool scene_check_fixtures(Document *document, const SceneParams *scene, Status *status);

/// Fills what follows of a pipe: its bottom and top.
void scene_complete_fixtures(SceneParams *scene);

/// ---- rocks ---------------------------------------------------------------------------------------------------------

/// The rows of an exercise's `rock_place`.
extern const DataKey scene_rock_place_keys[];
/// The row of one item of a scene's list `rocks`.
extern const DataKey scene_rocks_item;

/// On the site, no more than SCENE_MAX_ROCKS, sizes in order. False with the place and the reason.
bool scene_check_rocks(Document *document, const SceneParams *scene, Status *status);
/// The machine does not start in them.
bool scene_check_rocks_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                             Status *status);

/// ---- loads ---------------------------------------------------------------------------------------------------------

/// The row of one item of an exercise's list `loads`.
extern const DataKey scene_loads_item;

/// Completes the loads of a scene (SceneParams) with what their keys leave out.
void scene_complete_loads(void *params);
/// On the site, of possible mass, with a sling that can hold them. False with the place and the reason.
bool scene_check_loads(Document *document, const SceneParams *scene, Status *status);
/// The machine has an eye, or a grab, and is heavier than they are, and one of them hangs there at most.
bool scene_check_loads_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                             Status *status);

/// ---- tools ---------------------------------------------------------------------------------------------------------

/// The row of one item of a scene's list `tools`.
extern const DataKey scene_tools_item;

/// On the site, and the machine has a coupler. False with the place and the reason.
bool scene_check_tools(Document *document, const SceneParams *scene, Status *status);
/// What needs the machine: its coupler takes tools from the cab, and it does not start on them.
bool scene_check_tools_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                             Status *status);

/// ---- persons and incidents -----------------------------------------------------------------------------------------

/// Figures by name, those of incidents last; ends with a NULL name.
extern const KeyChoice scene_metric_names[];
/// The row of one item of a scene's list `persons`.
extern const DataKey scene_persons_item;
/// The row of one item of an exercise's list `rules`.
extern const DataKey scene_rules_item;

/// Persons stand on the site, as tall as they are wide, within their zone and in no fixture. False with the place and
/// the reason.
bool scene_check_persons(Document *document, const SceneParams *scene, Status *status);
/// Each rule takes points or ends the attempt, one of the two. False with the place and the reason.
bool scene_check_rules(Document *document, const SceneExercise *exercise, Status *status);

/// ---- truck and haul ------------------------------------------------------------------------------------------------

extern const DataKey scene_haul_keys[];

/// The bed is stated once, by the scene or by a truck's file, and only a truck of a file can be driven.
bool scene_check_truck(Document *document, const SceneTruck *truck, Status *status);

/// Fills in what follows from the truck's file that was loaded to scene->truck: the bed and defaults of the haul.
void scene_complete_truck(Document *document, SceneParams *scene);

/// What needs truck and machine: the bed and every road lies on the site, in no mound, not where the machine starts,
/// and lets waiting trucks stand.
bool scene_check_haul(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

/// ---- exercises -----------------------------------------------------------------------------------------------------

/// What needs the machine: ground is ripped by one with a ripper, no deeper than that reaches.
bool scene_check_rip_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

/// ---- walk-round and start-up ---------------------------------------------------------------------------------------

#define SCENE_THING_OUT 10.0 ///< m from the origin of the body that it is on: beyond any part of a machine

/// Keys of an exercise's mappings `walk_round` and `start_up`.
extern const DataKey scene_walk_round_keys[], scene_start_up_keys[];

/// The operator starts on the site, and things on the site lie there. False with the place and the reason.
bool scene_check_walk_round(Document *document, const SceneParams *scene, Status *status);
/// What needs the machine: things are on bodies that it has, no farther out than its arm reaches.
bool scene_check_walk_round_loaded(Document *document, const SceneParams *scene, const MachineParams *machine,
                                   Status *status);

/// ---- advice --------------------------------------------------------------------------------------------------------

/// Adds warnings, each with its place and its figures, to the document's findings. The scene and its machine are loaded
/// and good.
void scene_advise(const Document *document, const SceneParams *scene, const MachineParams *machine);

#endif
