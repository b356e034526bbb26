/// Data files: what each kind of file may say (scenes, machines, trucks, attachments, soils, control maps, experts,
/// courses, settings), how it is loaded and checked, and what follows from it before a simulation begins.
///
/// Params structs hold a file's values in SI units, constant once loaded. A load function reads a file with everything
/// that it names, checks every value against the table of its kind and fills the struct. The same tables give the
/// reference of keys and commented copies of scenes.
///
///     Status status = {0};
///     SceneParams *scene = calloc(1, sizeof *scene);
///     MachineParams *machine = calloc(1, sizeof *machine);
///     const char *const set[] = {"machine.x=2"};
///     if (data_load_scene("trench", set, 1, scene, machine, NULL, &status)) {
///         printf("%s: %s, %g m long\n", scene->title, machine->title, scene->exercise.trench.length);
///     } else {
///         fprintf(stderr, "%s\n", status.text);
///     }
///     free(machine);
///     free(scene);
///
/// Threads    any; functions keep nothing, and shipped texts of the reference live as long as the program.
/// Ownership  params are the caller's plain values; texts of meshes and surfaces point into the DataFiles of the load.
/// Errors     a Status: "file:line:column: key: what was read, what is allowed"; a bad file is STATUS_BAD_FILE, a value
///            that --set may not take STATUS_BAD_USAGE. data_check_file collects all faults and warnings (Findings).
///
/// Headers from bottom to top; each may use those above it. *_params.h, truck_way.h and scene_site.h are plain values
/// and pure functions on them: soil, machine and others that load nothing include those alone.
///     soil_params.h, truck_params.h, machine_params.h, controls_params.h, settings_params.h  values of one file each
///     scene_params.h    a scene with its exercise; courses
///     expert_params.h   lists of actions that demonstrate an exercise
///     truck_way.h       the ways of a truck: arcs and straights
///     scene_site.h      ground, fixtures and truck before the start
///     damage_limits.h   what pipes, fixtures and trucks bear of a blow
///     machine_reach.h   reach of a tool's edge
///     design_surface.h  the design that the ground is to be shaped to
///     load.h            loading, checking, lists of files, places of keys
///     conditions.h      time of day, weather, soil and machine that are chosen for one drive
///     authoring.h       reference of keys, commented copies of scenes
#ifndef SPADEWORK_DATA_SCHEMA_DOOR_H
#define SPADEWORK_DATA_SCHEMA_DOOR_H

#include "data/schema/soil_params.h"
#include "data/schema/truck_params.h"
#include "data/schema/machine_params.h"
#include "data/schema/controls_params.h"
#include "data/schema/settings_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/expert_params.h"
#include "data/schema/truck_way.h"
#include "data/schema/scene_site.h"
#include "data/schema/damage_limits.h"
#include "data/schema/machine_reach.h"
#include "data/schema/design_surface.h"
#include "data/schema/load.h"
#include "data/schema/conditions.h"
#include "data/schema/authoring.h"

#endif
