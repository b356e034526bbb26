/// Loading and checking of the YAML files: scene, machine, truck, soil, controls.
///
/// Every failure names `file:line:column` (or the key path where the parser no longer knows the line), what was read
/// and what is allowed. NaN, infinities, out-of-range numbers, unknown and missing keys, wrong types and missing files
/// are refused. No function here keeps anything: all results are plain values, all text belongs to the caller.
#ifndef SPADEWORK_DATA_LOAD_H
#define SPADEWORK_DATA_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/data_files.h"
#include "data/core/status.h"
#include "data/core/survey_info.h"
#include "data/schema/condition_params.h"
#include "data/schema/controls_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/expert_params.h"
#include "data/schema/machine_params.h"
#include "data/schema/settings_params.h"
#include "data/schema/truck_params.h"

/// Loads a scene with everything it names (soils, machine). `scene` is a path (contains '/' or ends in .yaml) or a name
/// under data/scenes, in the shared folder or the user's (data_files.h says which of two of one name). `set` holds
/// `set_count` strings KEY=VALUE (dotted keys of the scene, list items by number), applied to the scene before it is
/// checked. A value that --set may not take is STATUS_BAD_USAGE; a bad or missing file, also one that --set names, is
/// STATUS_BAD_FILE. When `files` is not NULL it receives the text of every file read; the scene's meshes (SceneGrains)
/// and the file of its surface (SceneSurface) point into it. Without `files` such a scene can be looked at, but no soil
/// and no design can be made of it.
bool data_load_scene(const char *scene, const char *const *set, int set_count, SceneParams *params,
                     MachineParams *machine, DataFiles *files, Status *status);

/// Of a scene that loads and cannot be begun: names the --set that the failure `status` comes from before its text.
/// Call it when the scene can be begun without them. The code is then STATUS_BAD_USAGE, but of a bad file that a --set
/// leads to (`in_file`) STATUS_BAD_FILE.
void data_blame_set(const char *const *set, int set_count, bool in_file, Status *status);

/// The same from texts that were kept (a recording): the scene's text already holds the --set values.
bool data_load_scene_from_files(const DataFiles *files, SceneParams *params, MachineParams *machine, Status *status);

bool data_load_machine(const char *machine, MachineParams *params, DataFiles *files, Status *status);
/// Loads an attachment and hangs it on a loaded machine, which is as it was on failure: the machine takes none, is too
/// light or too heavy for it, or the file is bad. Its text is added to `files` (or NULL), which may hold the machine's.
bool data_load_attachment(const char *attachment, MachineParams *machine, DataFiles *files, Status *status);
/// Mounts a coupler on a loaded machine, between its linkage and the tool that hangs there. On failure the machine is
/// unchanged: it takes none, is too light or too heavy, has pins of another distance, or the file is bad.
bool data_load_coupler(const char *coupler, MachineParams *machine, DataFiles *files, Status *status);
/// Loads the machine of a scene with another tool, from the files that were kept of the scene, which is loaded and has
/// tools.
/// tool   0: that of the start; 1..exercise.tools_count: those of the site; -1: the coupler alone
/// plain  out: with that tool on its own pins, without the coupler; NULL: not wanted, and so of no tool
bool data_load_scene_tool(const DataFiles *files, const SceneParams *scene, int tool, MachineParams *plain,
                          MachineParams *machine, Status *status);
bool data_load_truck(const char *truck, TruckParams *params, DataFiles *files, Status *status);
bool data_load_soil(const char *soil, SoilParams *params, DataFiles *files, Status *status);
bool data_load_expert(const char *expert, ExpertParams *params, DataFiles *files, Status *status);
/// Loads a course, a path or a name as of a scene; each of its scenes is there.
bool data_load_course(const char *course, CourseParams *params, Status *status);
bool data_load_condition(const char *condition, ConditionParams *params, Status *status);
/// The same of the expert that a scene names (SceneExercise.expert), from the files that were kept of the scene.
bool data_load_scene_expert(const DataFiles *files, const char *reference, ExpertParams *params, Status *status);
/// Loads the user's settings; NULL: those of an empty file.
bool data_load_settings(const char *path, SettingsParams *params, Status *status);
bool data_load_controls(const char *controls, ControlsParams *params, DataFiles *files, Status *status);

/// Checks one file: a mesh (NAME.obj), a survey (NAME.xml), a height map (NAME.png), or YAML of any kind (by its
/// `kind:` key: scene, machine, truck, attachment, coupler, soil, controls, expert, course or settings).
/// `findings`, when not NULL, takes every fault of the file (on failure at least one); the status is the first one.
/// `survey`, when not NULL and empty, takes what a survey holds.
bool data_check_file(const char *path, Findings *findings, SurveyInfo *survey, Status *status);

/// The same for a text of `size` bytes (no NUL needed). `label` is what errors call it; a scene's relative references
/// start in its folder.
bool data_check_text(const char *label, const char *text, size_t size, Status *status);

/// Lists a kind ("scenes", "machines", "soils", "controls", "meshes", "attachments", "experts", "courses", "surfaces",
/// "heights", "conditions", "couplers"), by name; behind the shipped scenes, courses and control maps those of the
/// shared folder and the user's. Returns how many were written (at most `capacity`), or -1 with `status` filled.
int data_list(const char *kind, DataListEntry *entries, int capacity, Status *status);

/// ---- places of keys ------------------------------------------------------------------------------------------------

enum { KEY_PLACE_LENGTH = 96 }; ///< bytes of a key

/// Writes `FILE:LINE:COLUMN: TEXT` with the place of a dotted key, of its nearest parent where it is missing, or
/// without a place where the file cannot be read, into the status (STATUS_BAD_FILE). Returns false.
bool key_place_fail(const char *file, const char *key, const char *text, Status *status);

/// The same of a file as it was loaded (a scene: after --set); one that a recording kept is called "kept KIND/NAME".
bool key_place_fail_in(const DataFile *file, const char *key, const char *text, Status *status);

/// The same of a failure whose text begins with its key; only of STATUS_BAD_FILE, other failures stay what they are.
/// `file` NULL: without a place.
bool key_place_text(const DataFile *file, Status *status);

/// True when a loaded file has the key.
bool key_place_has(const DataFile *file, const char *key);

/// Copies the dotted key that a text begins with ("machine.x: read ...", "fixtures.0 (wall): ..."); "" when it begins
/// with none.
void key_place_of_text(const char *text, char key[KEY_PLACE_LENGTH]);

#endif
