/// What exercises tell a trainee is so in this program: no hint speaks of what the machines and the ground do not do
/// yet ("Not modelled" in docs/machine-model.md). Who models one of these takes its row out.
// test: sanitized
#include "data/schema/load.h"
#include "tests/support/test.h"

static const struct {
    const char *phrase, *lacks;
} promises[] = {
    {"float", "a blade that floats"},
    {"dig themselves", "tracks that dig themselves in"},
    {"dug holes", "tracks that dig holes"},
    {"digs holes", "tracks that dig holes"},
    {"wears", "wear"},
    {"wear out", "wear"},
};

static void check(const char *scene, const char *place, const char *text)
{
    for (size_t k = 0; k < sizeof promises / sizeof promises[0]; k++) {
        if (strstr(text, promises[k].phrase) != NULL) {
            fail_msg("%s, %s: \"%s\" promises %s, which there is not", scene, place, text, promises[k].lacks);
        }
    }
}

TEST(no_scene_promises_what_there_is_not)
{
    DataListEntry entries[64];
    Status status = {0};
    int count = data_list("scenes", entries, 64, &status);
    assert_in_range(count, 20, 63);
    SceneParams *scene = malloc(sizeof *scene);
    MachineParams *machine = malloc(sizeof *machine);
    if (scene == NULL || machine == NULL) {
        abort();
    }
    for (int k = 0; k < count; k++) {
        if (entries[k].own) {
            continue;
        }
        assert_good(data_load_scene(entries[k].name, NULL, 0, scene, machine, NULL, &status), status);
        const SceneExercise *exercise = &scene->exercise;
        check(scene->name, "description", scene->description);
        check(scene->name, "goal", exercise->goal);
        for (int n = 0; n < exercise->hints_count; n++) {
            check(scene->name, "hints", exercise->hints[n]);
        }
        for (int n = 0; n < exercise->faults_count; n++) {
            check(scene->name, "faults", exercise->faults[n].text);
        }
    }
    free(machine);
    free(scene);
}

TEST_GROUP(NULL, NULL)
