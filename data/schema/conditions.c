/// Lists the conditions of a drive and turns chosen ones into values of --set. Times and weathers stand here; soils and
/// machines are the files that there are.
#include "data/schema/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/load.h"

const char *const condition_names[CONDITION_COUNT] = {"time", "weather", "soil", "machine"};

enum { PRESET_SETS = 3 };

/// A choice whose values are the same in all scenes.
typedef struct Preset {
    Condition condition;
    const char *name, *title; ///< title: in English
    const char *sets[PRESET_SETS]; ///< NULL behind the last
} Preset;

/// Values are chosen: rain of 8 mm/h is heavy, fog of 80 m hides the far end of a site and not the bucket.
static const Preset presets[] = {
    {CONDITION_TIME, "dawn", TEXT("Dawn, 6:00"), {"weather.time=6"}},
    {CONDITION_TIME, "morning", TEXT("Morning, 9:00"), {"weather.time=9"}},
    {CONDITION_TIME, "noon", TEXT("Noon, 12:00"), {"weather.time=12"}},
    {CONDITION_TIME, "evening", TEXT("Evening, 19:00"), {"weather.time=19"}},
    {CONDITION_TIME, "night", TEXT("Night, 23:00"), {"weather.time=23"}},
    {CONDITION_WEATHER, "clear", TEXT("Clear"), {"weather.clouds=0.1", "weather.rain=0", "weather.visibility=20000"}},
    {CONDITION_WEATHER,
     "overcast",
     TEXT("Overcast"),
     {"weather.clouds=1", "weather.rain=0", "weather.visibility=5000"}},
    {CONDITION_WEATHER, "rain", TEXT("Rain"), {"weather.clouds=1", "weather.rain=8", "weather.visibility=1500"}},
    {CONDITION_WEATHER, "fog", TEXT("Fog"), {"weather.clouds=0.8", "weather.rain=0", "weather.visibility=80"}},
};
enum { PRESETS = sizeof presets / sizeof presets[0] };

/// ---- what there is -------------------------------------------------------------------------------------------------

static int list_presets(Condition condition, DataListEntry *entries, int capacity)
{
    int count = 0;
    for (int k = 0; k < PRESETS && count < capacity; k++) {
        if (presets[k].condition == condition) {
            entries[count] = (DataListEntry){.own = false};
            snprintf(entries[count].name, sizeof entries[count].name, "%s", presets[k].name);
            snprintf(entries[count].title, sizeof entries[count].title, "%s", presets[k].title);
            count++;
        }
    }
    return count;
}

/// Trucks lie beside the machines and cannot be driven: they are left out, as are broken files.
static int keep_machines(DataListEntry *entries, int count)
{
    MachineParams *machine = malloc(sizeof *machine);
    Status unused;
    int kept = 0;
    for (int k = 0; k < count && machine != NULL; k++) {
        if (data_load_machine(entries[k].name, machine, NULL, &unused)) {
            entries[kept++] = entries[k];
        }
    }
    free(machine);
    return kept;
}

int conditions_list(Condition condition, DataListEntry *entries, int capacity)
{
    Status unused;
    if (condition == CONDITION_TIME || condition == CONDITION_WEATHER) {
        return list_presets(condition, entries, capacity);
    }
    int count = data_list(condition == CONDITION_SOIL ? "soils" : "machines", entries, capacity, &unused);
    return count < 0 ? 0 : condition == CONDITION_MACHINE ? keep_machines(entries, count) : count;
}

bool conditions_are_chosen(const Conditions *conditions)
{
    bool chosen = false;
    for (int k = 0; k < CONDITION_COUNT && conditions != NULL; k++) {
        chosen = chosen || conditions->name[k][0] != '\0';
    }
    return chosen;
}

/// ---- what they set -------------------------------------------------------------------------------------------------

static bool add_set(ConditionSets *sets, const char *key, const char *value, Status *status)
{
    char *text = sets->text[sets->count];
    bool fits = sets->count < CONDITION_SETS && snprintf(text, CONDITION_SET, "%s%s", key, value) < CONDITION_SET;
    sets->count += fits;
    return fits || status_fail(status, STATUS_BAD_USAGE, "conditions: %.40s%.60s is too long", key, value);
}

/// "weather: read snow, allowed clear, overcast, rain, fog"
static bool fail_name(Condition condition, const char *name, Status *status)
{
    DataListEntry *entries = calloc(CONDITION_CHOICES, sizeof *entries);
    int count = entries != NULL ? conditions_list(condition, entries, CONDITION_CHOICES) : 0;
    char names[512] = "";
    for (int k = 0; k < count; k++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", k > 0 ? ", " : "", entries[k].name);
    }
    free(entries);
    return status_fail(status, STATUS_BAD_USAGE, "%s: read %.60s, allowed %s", condition_names[condition], name, names);
}

static bool set_preset(Condition condition, const char *name, ConditionSets *sets, Status *status)
{
    for (int k = 0; k < PRESETS; k++) {
        if (presets[k].condition == condition && strcmp(presets[k].name, name) == 0) {
            bool good = true;
            for (int n = 0; n < PRESET_SETS && presets[k].sets[n] != NULL && good; n++) {
                good = add_set(sets, presets[k].sets[n], "", status);
            }
            return good;
        }
    }
    return fail_name(condition, name, status);
}

/// The soil of every layer.
static bool set_soil(const char *name, const SceneParams *scene, ConditionSets *sets, Status *status)
{
    SoilParams soil;
    Status unused;
    if (!data_load_soil(name, &soil, NULL, &unused)) {
        return fail_name(CONDITION_SOIL, name, status);
    }
    bool good = true;
    for (int k = 0; k < scene->ground.layer_count && good; k++) {
        char key[CONDITION_SET];
        snprintf(key, sizeof key, "ground.layers.%d.soil=", k);
        good = add_set(sets, key, name, status);
    }
    return good;
}

static bool set_machine(const char *name, const MachineParams *own, ConditionSets *sets, Status *status)
{
    MachineParams *machine = malloc(sizeof *machine);
    Status unused;
    if (machine == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the machine %.60s", name);
    }
    bool good = data_load_machine(name, machine, NULL, &unused) || fail_name(CONDITION_MACHINE, name, status);
    if (good && machine->type != own->type) {
        good = status_fail(status, STATUS_BAD_USAGE,
                           "machine: read %.60s, which is of another type than the exercise's %s: choose another, or "
                           "the exercise's own",
                           name, own->name);
    }
    free(machine);
    return good && add_set(sets, "machine.file=", name, status);
}

bool conditions_set(const Conditions *conditions, const char *scene, ConditionSets *sets, Status *status)
{
    *sets = (ConditionSets){.count = 0};
    if (!conditions_are_chosen(conditions)) {
        return status_good(status);
    }
    SceneParams *params = malloc(sizeof *params);
    MachineParams *machine = malloc(sizeof *machine);
    bool good = params != NULL && machine != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the scene %.60s", scene);
    }
    good = good && data_load_scene(scene, NULL, 0, params, machine, NULL, status);
    for (int k = 0; k < CONDITION_COUNT && good; k++) {
        const char *name = conditions->name[k];
        good = name[0] == '\0'          ? true
               : k == CONDITION_SOIL    ? set_soil(name, params, sets, status)
               : k == CONDITION_MACHINE ? set_machine(name, machine, sets, status)
                                        : set_preset((Condition)k, name, sets, status);
    }
    free(params);
    free(machine);
    return good && status_good(status);
}
