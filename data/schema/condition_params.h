/// Conditions that may be chosen for one drive of a scene, and what a file of them states (folder data/conditions).
#ifndef SPADEWORK_DATA_CONDITION_PARAMS_H
#define SPADEWORK_DATA_CONDITION_PARAMS_H

typedef enum Condition {
    CONDITION_TIME,
    CONDITION_WEATHER,
    CONDITION_SOIL, ///< of all layers of the ground; heaps, patches and grains keep theirs
    CONDITION_MACHINE, ///< of the scene's type
    CONDITION_START, ///< whether the operator starts the machine
    CONDITION_COUNT
} Condition;
extern const char *const condition_names[CONDITION_COUNT]; ///< "time", "weather", "soil", "machine", "start"

enum { CONDITION_NAME = 64, CONDITION_SET = 96, CONDITION_FILE_SETS = 4 };

/// A time of day or a weather, as a file states it, which changes the picture alone, so that points stay comparable; or
/// the state of the machine at the start.
typedef struct ConditionParams {
    char name[CONDITION_NAME]; ///< of its file
    char title[96]; ///< for lists, in English
    int of; ///< CONDITION_TIME, CONDITION_WEATHER or CONDITION_START
    int place; ///< 1..100, default 50: order in lists, the lowest first
    int set_count; ///< 1..CONDITION_FILE_SETS
    char set[CONDITION_FILE_SETS][CONDITION_SET]; ///< values of a scene's `weather`, or of `exercise.start_up`
} ConditionParams;

#endif
