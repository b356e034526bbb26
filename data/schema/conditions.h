/// Conditions that are chosen for one drive of a scene in the menu or on the instructor's page: time of day, weather,
/// soil, machine. Each choice stands for values of --set, so that a drive is recorded and replayed as one with --set.
#ifndef SPADEWORK_DATA_CONDITIONS_H
#define SPADEWORK_DATA_CONDITIONS_H

#include "data/core/data_files.h"
#include "data/core/status.h"
#include "data/schema/condition_params.h"

enum { CONDITION_SETS = 12, CONDITION_CHOICES = 64 };

/// Names out of conditions_list; "": as the scene has it. Zero: nothing is chosen.
typedef struct Conditions {
    char name[CONDITION_COUNT][CONDITION_NAME];
} Conditions;

/// KEY=VALUE as data_load_scene takes them.
typedef struct ConditionSets {
    int count; ///< 0..CONDITION_SETS
    char text[CONDITION_SETS][CONDITION_SET];
} ConditionSets;

/// Lists what there is to choose, with titles in English: what is found by name of data/conditions in the order of
/// its places, of soils, and of machines without trucks. Returns how many were written, at most `capacity`; 0 where
/// the data cannot be listed.
int conditions_list(Condition condition, DataListEntry *entries, int capacity);

/// Writes what the conditions set in a scene (a name or a path). False with `status` (STATUS_BAD_USAGE) where a name is
/// none of the list, or the machine is of another type than the scene's, and as data_load_scene where the scene is bad.
/// conditions  NULL: none
bool conditions_set(const Conditions *conditions, const char *scene, ConditionSets *sets, Status *status);

/// True where something is chosen. NULL: nothing.
bool conditions_are_chosen(const Conditions *conditions);

#endif
