/// Conditions of a drive: what the shipped files offer, that every scene takes each of them, and files that are wrong.
#include "data/schema/conditions.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

static int list(Condition condition, DataListEntry entries[CONDITION_CHOICES])
{
    int count = conditions_list(condition, entries, CONDITION_CHOICES);
    assert_true(count > 1);
    return count;
}

TEST(times_and_weathers_are_listed_in_their_order)
{
    static const char *const times[] = {"dawn", "morning", "noon", "evening", "night"};
    static const char *const weathers[] = {"clear", "overcast", "rain", "fog"};
    DataListEntry entries[CONDITION_CHOICES];
    assert_int_equal(list(CONDITION_TIME, entries), 5);
    for (int k = 0; k < 5; k++) {
        assert_string_equal(entries[k].name, times[k]);
    }
    assert_string_equal(entries[0].title, "Dawn, 6:00");
    assert_int_equal(list(CONDITION_WEATHER, entries), 4);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(entries[k].name, weathers[k]);
    }
}

TEST(a_scene_takes_each_condition)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    for (int condition = 0; condition < CONDITION_COUNT; condition++) {
        DataListEntry entries[CONDITION_CHOICES];
        int count = list((Condition)condition, entries);
        for (int k = 0; k < count; k++) {
            Status status;
            ConditionSets sets;
            Conditions chosen = {.name = {""}};
            const char *set[CONDITION_SETS];
            memcpy(chosen.name[condition], entries[k].name, CONDITION_NAME);
            if (!conditions_set(&chosen, "trench", &sets, &status)) {
                assert_int_equal(condition, CONDITION_MACHINE); // of another type
                assert_contains(status.text, "which is of another type than the exercise's");
                continue;
            }
            assert_true(sets.count > 0);
            for (int n = 0; n < sets.count; n++) {
                set[n] = sets.text[n];
            }
            assert_good(data_load_scene("trench", set, sets.count, scene, machine, NULL, &status), status);
        }
    }
    free(machine);
    free(scene);
}

TEST(names_that_there_are_not_are_told_with_those_that_there_are)
{
    Status status;
    ConditionSets sets;
    Conditions chosen = {.name = {[CONDITION_WEATHER] = "snow"}};
    assert_false(conditions_set(&chosen, "trench", &sets, &status));
    assert_string_equal(status.text, "weather: read snow, allowed clear, overcast, rain, fog");
    chosen = (Conditions){.name = {[CONDITION_WEATHER] = "night"}}; // a time
    assert_false(conditions_set(&chosen, "trench", &sets, &status));
    assert_contains(status.text, "weather: read night, allowed clear");
}

TEST(wrong_files_are_refused)
{
#define HEAD "kind: condition\ntitle: Snow\n"
    static const struct {
        const char *text, *says;
    } wrong[] = {{HEAD "of: soil\nset: [weather.time=6]\n", "of: read soil, allowed time, weather, start"},
                 {HEAD "of: time\nset: []\n", "set: "},
                 {HEAD "of: time\nset: [weather.time=6, a=1, b=2, c=3, d=4]\n", "set: "},
                 {HEAD "of: time\nset: [ground.roughness=0.5]\n",
                  "set.0: read ground.roughness=0.5, allowed weather.KEY=VALUE: other keys change the work"},
                 {HEAD "of: start\nset: [weather.time=6]\n",
                  "set.0: read weather.time=6, allowed exercise.start_up.KEY=VALUE: other keys change the work"},
                 {HEAD "of: time\nset: [weather.time]\n", "set.0: read weather.time, allowed weather.KEY=VALUE"},
                 {HEAD "of: time\nplace: 0\nset: [weather.time=6]\n", "place: "},
                 {"kind: condition\nof: time\nset: [weather.time=6]\n", "title: the key is missing"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        assert_false(data_check_text("t.yaml", wrong[k].text, strlen(wrong[k].text), &status));
        assert_contains(status.text, wrong[k].says);
    }
}

TEST_GROUP(NULL, NULL)
