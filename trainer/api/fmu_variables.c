/// The list of the FMU's variables, from the JSON of spadework_info.
#include "trainer/api/fmu_variables.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool fail(char *error, const char *text)
{
    snprintf(error, SPADEWORK_TEXT, "%s", text);
    return false;
}

static void copy_text(char *to, size_t size, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    snprintf(to, size, "%s", text == NULL ? "" : text);
}

static bool is_plain(const char *name)
{
    for (const char *letter = name; *letter != '\0'; letter++) {
        bool begins = (*letter >= 'a' && *letter <= 'z') || (*letter >= 'A' && *letter <= 'Z') || *letter == '_';
        if (!begins && (letter == name || *letter < '0' || *letter > '9')) {
            return false;
        }
    }
    return name[0] != '\0';
}

/// One list of info: its rows become variables GROUP.NAME. A name with other signs than a word's is quoted, as the
/// naming convention `structured` has it.
static int read_list(FmuVariables *variables, const json_t *list, const char *group, uint32_t first)
{
    size_t index;
    json_t *row;
    json_array_foreach(list, index, row)
    {
        FmuVariable *variable = &variables->variable[variables->count++];
        char name[SPADEWORK_NAME];
        copy_text(name, sizeof name, row, "name");
        const char *quote = is_plain(name) ? "" : "'";
        snprintf(variable->name, sizeof variable->name, "%s.%s%s%s", group, quote, name, quote);
        variable->reference = first + (uint32_t)index;
        copy_text(variable->unit, sizeof variable->unit, row, "unit");
        copy_text(variable->phrase, sizeof variable->phrase, row, "phrase");
        if (first == FMU_LEVER) {
            snprintf(variable->unit, sizeof variable->unit, "1");
            copy_text(variable->phrase, sizeof variable->phrase, row, "positive");
        }
        variable->low = json_number_value(json_object_get(row, "low"));
        variable->high = json_number_value(json_object_get(row, "high"));
        variable->start = json_number_value(json_object_get(row, "neutral"));
    }
    return (int)json_array_size(list);
}

static bool read_info(FmuVariables *variables, const json_t *info, char *error)
{
    const json_t *scene = json_object_get(info, "scene");
    const json_t *levers = json_object_get(info, "actions"), *observation = json_object_get(info, "observation"),
                 *exercise = json_object_get(info, "exercise");
    copy_text(variables->scene, sizeof variables->scene, scene, "name");
    copy_text(variables->title, sizeof variables->title, scene, "title");
    copy_text(variables->machine, sizeof variables->machine, info, "machine");
    copy_text(variables->version, sizeof variables->version, info, "version");
    variables->seed = json_integer_value(json_object_get(scene, "seed"));
    variables->tick_rate = (int)json_integer_value(json_object_get(info, "tick_rate"));
    if (json_array_size(levers) > FMU_OBSERVATION - FMU_LEVER ||
        json_array_size(observation) > FMU_EXERCISE - FMU_OBSERVATION ||
        json_array_size(exercise) > FMU_END - FMU_EXERCISE || variables->tick_rate < 1) {
        return fail(error, "the session has more numbers than the FMU has references for them");
    }
    size_t most = json_array_size(levers) + json_array_size(observation) + json_array_size(exercise);
    variables->variable = calloc(most + 1, sizeof *variables->variable);
    if (variables->variable == NULL) {
        return fail(error, "no memory for the list of variables");
    }
    variables->levers = read_list(variables, levers, "lever", FMU_LEVER);
    variables->observation = read_list(variables, observation, "observation", FMU_OBSERVATION);
    variables->exercise = read_list(variables, exercise, "exercise", FMU_EXERCISE);
    return true;
}

static void hash_text(XXH3_state_t *hash, const void *text, size_t size)
{
    uint64_t length = size;
    XXH3_128bits_update(hash, &length, sizeof length);
    XXH3_128bits_update(hash, text, size);
}

/// Hashes the files that the session was made of. False: no memory.
static bool hash_files(Spadework session, XXH3_state_t *hash)
{
    char kind[SPADEWORK_NAME], name[SPADEWORK_NAME];
    size_t size = 0;
    for (size_t k = 0; (size = spadework_file(session, k, kind, name, NULL, 0)) > 0; k++) {
        char *text = malloc(size);
        if (text == NULL) {
            return false;
        }
        spadework_file(session, k, kind, name, text, size);
        hash_text(hash, kind, strlen(kind));
        hash_text(hash, name, strlen(name));
        hash_text(hash, text, size);
        free(text);
    }
    return true;
}

static bool make_token(Spadework session, FmuVariables *variables, char *error)
{
    XXH3_state_t *hash = XXH3_createState();
    if (hash == NULL) {
        return fail(error, "no memory for the token");
    }
    XXH3_128bits_reset(hash);
    hash_text(hash, variables->version, strlen(variables->version));
    bool whole = hash_files(session, hash);
    for (int k = 0; k < variables->count; k++) {
        const FmuVariable *variable = &variables->variable[k];
        hash_text(hash, &variable->reference, sizeof variable->reference);
        hash_text(hash, variable->name, strlen(variable->name));
        hash_text(hash, variable->unit, strlen(variable->unit));
    }
    XXH128_hash_t digest = XXH3_128bits_digest(hash);
    XXH3_freeState(hash);
    snprintf(variables->token, sizeof variables->token, "{%016" PRIx64 "-%016" PRIx64 "}", digest.high64, digest.low64);
    return whole || fail(error, "no memory for the token");
}

bool fmu_variables_read(Spadework session, FmuVariables *variables, char *error)
{
    *variables = (FmuVariables){0};
    size_t size = spadework_info(session, NULL, 0);
    char *text = size > 0 ? malloc(size) : NULL;
    if (text == NULL || spadework_info(session, text, size) != size) {
        free(text);
        return fail(error, "no memory for the description of the session");
    }
    json_t *info = json_loads(text, 0, NULL);
    bool read = info != NULL ? read_info(variables, info, error) : fail(error, "no memory to read the description");
    json_decref(info);
    free(text);
    read = read && make_token(session, variables, error);
    if (!read) {
        fmu_variables_free(variables);
    }
    return read;
}

void fmu_variables_free(FmuVariables *variables)
{
    free(variables->variable);
    *variables = (FmuVariables){0};
}
