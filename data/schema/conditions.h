/// Conditions that are chosen for one drive of a scene in the menu or on the instructor's page: time of day, weather,
/// soil, machine. Each choice stands for values of --set, so that a drive is recorded and replayed as one with --set.
#ifndef SPADEWORK_DATA_CONDITIONS_H
#define SPADEWORK_DATA_CONDITIONS_H

#include "data/core/data_files.h"
#include "data/core/status.h"

typedef enum Condition {
    CONDITION_TIME,
    CONDITION_WEATHER,
    CONDITION_SOIL, ///< of all layers of the ground; heaps, patches and grains keep theirs
    CONDITION_MACHINE, ///< of the scene's type
    CONDITION_COUNT
} Condition;
extern const char *const condition_names[CONDITION_COUNT]; ///< "time", "weather", "soil", "machine"

enum { CONDITION_NAME = 64, CONDITION_SETS = 12, CONDITION_SET = 96, CONDITION_CHOICES = 64 };

/// Names out of conditions_list; "": as the scene has it. Zero: nothing is chosen.
typedef struct Conditions {
    char name[CONDITION_COUNT][CONDITION_NAME];
} Conditions;

/// KEY=VALUE as data_load_scene takes them.
typedef struct ConditionSets {
    int count; ///< 0..CONDITION_SETS
    char text[CONDITION_SETS][CONDITION_SET];
} ConditionSets;

/// Lists what there is to choose, with titles in English; of soils and machines (without trucks) those that are found
/// by name. Returns how many were written, at most `capacity`; 0 where the data cannot be listed.
int conditions_list(Condition condition, DataListEntry *entries, int capacity);

/// Writes what the conditions set in a scene (a name or a path). False with `status` (STATUS_BAD_USAGE) where a name is
/// none of the list, or the machine is of another type than the scene's, and as data_load_scene where the scene is bad.
/// conditions  NULL: none
bool conditions_set(const Conditions *conditions, const char *scene, ConditionSets *sets, Status *status);

/// True where something is chosen. NULL: nothing.
bool conditions_are_chosen(const Conditions *conditions);

#endif
