/// Lists the conditions of a drive, which are files, and turns chosen ones into values of --set.
#include "data/schema/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"

const char *const condition_names[CONDITION_COUNT] = {"time", "weather", "soil", "machine", "start"};

/// ---- what there is -------------------------------------------------------------------------------------------------

/// A condition of a file, for sorting.
typedef struct Placed {
    int place;
    DataListEntry entry;
} Placed;

static int compare_places(const void *a, const void *b)
{
    const Placed *p = a, *q = b;
    return p->place != q->place ? (p->place > q->place) - (p->place < q->place) : strcmp(p->entry.name, q->entry.name);
}

/// Keeps the entries that are of a condition, in the order of their places; broken files are left out.
static int keep_conditions(Condition condition, DataListEntry *entries, int count)
{
    Placed *placed = calloc(CONDITION_CHOICES, sizeof *placed);
    ConditionParams params;
    Status unused;
    int kept = 0;
    for (int k = 0; k < count && k < CONDITION_CHOICES && placed != NULL; k++) {
        if (data_load_condition(entries[k].name, &params, &unused) && params.of == (int)condition) {
            placed[kept++] = (Placed){params.place, entries[k]};
        }
    }
    if (kept > 0) {
        qsort(placed, (size_t)kept, sizeof *placed, compare_places);
    }
    for (int k = 0; k < kept; k++) {
        entries[k] = placed[k].entry;
    }
    free(placed);
    return kept;
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
    bool soil = condition == CONDITION_SOIL, machine = condition == CONDITION_MACHINE;
    int count = data_list(soil ? "soils" : machine ? "machines" : "conditions", entries, capacity, &unused);
    return count < 0 ? 0
           : soil    ? count
           : machine ? keep_machines(entries, count)
                     : keep_conditions(condition, entries, count);
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

static bool set_condition(Condition condition, const char *name, ConditionSets *sets, Status *status)
{
    ConditionParams params;
    Status unused;
    if (!data_load_condition(name, &params, &unused) || params.of != (int)condition) {
        return fail_name(condition, name, status);
    }
    bool good = true;
    for (int k = 0; k < params.set_count && good; k++) {
        good = add_set(sets, params.set[k], "", status);
    }
    return good;
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
                                        : set_condition((Condition)k, name, sets, status);
    }
    free(params);
    free(machine);
    return good && status_good(status);
}
