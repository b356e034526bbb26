/// What a good scene asks for and cannot be is warned of, with its place, and nothing else is.
// test: sanitized

#include <unistd.h>

#include "data/schema/machine_reach.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

enum { ROOM = 32768 };

static char path[] = "/tmp/spadework-advice-XXXXXX";
static Findings found;

/// A shipped scene with one text replaced by another.
typedef struct Change {
    const char *scene, *from, *to;
    const char *key, *words; ///< of the one warning
} Change;

static void put(char text[ROOM], const char *scene, const char *from, const char *to)
{
    static char other[ROOM];
    char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("%s holds no \"%s\"", scene, from);
        return;
    }
    snprintf(other, ROOM, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    memcpy(text, other, ROOM);
}

/// Checks a shipped scene after replacing each pairs[2 k] by pairs[2 k + 1].
static void check_changed(const char *scene, const char *const *pairs, int count)
{
    static char text[ROOM];
    char file[256];
    Status status;
    snprintf(file, sizeof file, "%s/scenes/%s.yaml", SPADEWORK_DATA_DIR, scene);
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    text[fread(text, 1, ROOM - 1, stream)] = '\0';
    fclose(stream);
    for (int k = 0; k < count; k++) {
        put(text, scene, pairs[2 * k], pairs[2 * k + 1]);
    }
    size_t size = strlen(text);
    stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    fclose(stream);
    found = (Findings){0};
    assert_good(data_check_file(path, &found, NULL, &status), status);
}

static void check_scene(const Change *change)
{
    check_changed(change->scene, (const char *const[]){change->from, change->to}, 1);
}

static void assert_warned(const Change *change)
{
    char key[128];
    check_scene(change);
    snprintf(key, sizeof key, ": %s: ", change->key);
    if (found.count != 1 || !found.list[0].warning || strstr(found.list[0].text, key) == NULL ||
        strstr(found.list[0].text, change->words) == NULL) {
        fail_msg("%s with \"%s\": %d findings, expected %s ... %s; first: %s", change->scene, change->to, found.count,
                 key, change->words, found.count > 0 ? found.list[0].text : "none");
    }
}

static void assert_all_warned(const Change *changes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        assert_warned(&changes[k]);
    }
}

TEST(shipped_scenes_have_no_warnings)
{
    static DataListEntry entries[64];
    Status status;
    int count = data_list("scenes", entries, 64, &status);
    for (int k = 0; k < count; k++) {
        char file[256];
        snprintf(file, sizeof file, "%s/scenes/%.63s.yaml", SPADEWORK_DATA_DIR, entries[k].name);
        found = (Findings){0};
        assert_good(data_check_file(file, &found, NULL, &status), status);
        if (found.count > 0) {
            fail_msg("%s", found.list[0].text);
        }
    }
}

TEST(what_is_out_of_reach)
{
    static const Change changes[] = {
        {"controls-targets", "{x: 6.0, y: 0.0, z: 2.0,", "{x: 13.0, y: 0.0, z: 2.0,", "exercise.targets.0",
         "m from where the machine starts, 13 m away and 2 m over it"},
        {"controls-targets", "{x: 8.0, y: 0.0, z: 0.4,", "{x: 0.4, y: 0.0, z: 0.4,", "exercise.targets.7",
         "out of the tool's reach by"},
        {"controls-targets", "{x: 3.0, y: 5.0, z: 2.5,", "{x: 3.0, y: 5.0, z: 12.5,", "exercise.targets.6",
         "12.5 m over it, and no target asks it to travel"},
        {"trench", "    dump_x: -5 ", "    dump_x: -17 ", NULL, NULL},
        {"trench", "    dump_x: -5 ", "    dump_x: -19 ", "exercise.trench.dump_radius",
         "the dump reaches 1.5 m beyond the edge of the site"},
        {"truck-loading", "dig_x: 7.7\n    dig_y: 0", "dig_x: 19.7\n    dig_y: -19.5", "exercise.truck.dig_x",
         "no place reaches both, the tool gets "},
    };
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        if (changes[k].key != NULL) {
            assert_warned(&changes[k]);
        } else {
            check_scene(&changes[k]);
            assert_int_equal(found.count, 0);
        }
    }
}

TEST(what_is_too_deep)
{
    const char *const pairs[] = {"excavator-22t",    "excavator-8t", "bedrock_depth: 4",
                                 "bedrock_depth: 8", "depth: 1.5",   "depth: 5.5"};
    check_changed("trench", pairs, 3);
    assert_int_equal(found.count, 1);
    assert_non_null(strstr(found.list[0].text, "exercise.trench.depth: 5.5 m is deeper than the tool gets, "));
}

TEST(a_machine_in_its_own_way)
{
    static const Change changes[] = {
        {"trench", "machine: {file: excavator-22t, x: -5,", "machine: {file: excavator-22t, x: 0,", "machine",
         "on the trench that it is to dig"},
        {"trench", "dump_y: -7.5", "dump_y: -3", "machine", "its tracks start on the dump"},
        {"truck-loading", "dig_x: 7.7", "dig_x: 1.1", "machine", "where the soil is to be taken"},
    };
    assert_all_warned(changes, sizeof changes / sizeof changes[0]);
}

TEST(persons_in_the_way)
{
    static const char persons[] = "machine: {file: excavator-22t, x: -5, y: 0, heading_deg: 0}\n"
                                  "persons: [{name: surveyor, x: %s, y: %s}]\n";
    static const struct {
        const char *x, *y, *words;
    } places[] = {{"1", "0.9", "persons.0: surveyor stands on the trench"},
                  {"-5", "-5", "persons.0: surveyor stands on the dump"},
                  {"1", "4", NULL}};
    for (int k = 0; k < 3; k++) {
        char text[256];
        snprintf(text, sizeof text, persons, places[k].x, places[k].y);
        check_scene(&(Change){
            .scene = "trench", .from = "machine: {file: excavator-22t, x: -5, y: 0, heading_deg: 0}\n", .to = text});
        const char *words = places[k].words;
        assert_int_equal(found.count, words != NULL);
        assert_true(words == NULL || strstr(found.list[0].text, words) != NULL);
    }
}

TEST(events_that_cannot_happen)
{
    static const Change changes[] = {
        {"trench", "{event: tip_begins, points: 2}", "{event: person_hit, fail: yes}", "exercise.rules.0.event",
         "person_hit cannot happen: the scene has no persons"},
        {"trench", "{event: tip_begins, points: 2}", "{event: truck_overload, points: 2}", "exercise.rules.0.event",
         "the scene has no truck"},
        {"trench", "{event: tip_begins, points: 2}", "{event: touch, points: 2}", "exercise.rules.0.event",
         "neither fixtures nor a truck"},
        {"truck-loading", "{event: touch, thing: truck, points: 2}", "{event: touch, thing: lorry, points: 2}",
         "exercise.rules.0.thing", "nothing of the scene is named so"},
        {"trench", "{metric: track_off_edge_count, above: 0", "{metric: person_zone_count, above: 0",
         "exercise.faults.5.above", "person_zone_count is from 0 to 0: the fault is never told"},
    };
    assert_all_warned(changes, sizeof changes / sizeof changes[0]);
}

TEST(limits_that_no_figure_passes)
{
    static const Change changes[] = {
        {"trench", "metric: removed_share, least: 0.95", "metric: removed_share, least: 1.5", "exercise.steps.3.least",
         "removed_share is from 0 to 1: the step is never done"},
        {"trench", "metric: dumped_kg, least: 6000", "metric: dumped_kg, least: 0", "exercise.steps.1.least",
         "dumped_kg is never less than 0: the step is done from the start"},
        {"trench", "{metric: spilled_share, above: 0.05", "{metric: spilled_share, above: 1", "exercise.faults.0.above",
         "the fault is never told"},
        {"trench", "{metric: relief_share, above: 0.05", "{metric: time_s, above: 1200", "exercise.faults.4.above",
         "time_s is from 0 to 1200"},
        {"trench", "weight: 25, full: 0.95", "weight: 25, full: 95", "exercise.scores.0.full",
         "the row never has all its points"},
        {"trench", "zero: 0.4, of: work_share}\n    - {metric: slip",
         "zero: 0.4, fail_above: 2, of: work_share}\n    - "
         "{metric: slip",
         "exercise.scores.6.fail_above", "nobody fails by it"},
        {"controls-targets", "time_limit: 300", "time_limit: 50\n  #", NULL, NULL},
        {"controls-targets", "par_time: 50", "par_time: 7", "exercise.par_time",
         "7 s are less than the targets are to be held, 8 s"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        if (changes[k].key != NULL) {
            assert_warned(&changes[k]);
        } else {
            check_scene(&changes[k]);
            assert_int_equal(found.count, 0);
        }
    }
}

TEST(answers_that_say_the_same)
{
    static const Change change = {"walk-round", "answers: [", "answers: [Nothing, Nothing, ", NULL, NULL};
    check_scene(&change);
    assert_int_equal(found.count, 1);
    assert_non_null(strstr(found.list[0].text, "exercise.questions.0.answers.1: says the same as answer 1"));
}

/// The reach of an arm of one joint is a circle about its pin; that of the shipped machine is what it is built for.
TEST(reach_by_hand)
{
    static MachineParams machine;
    Status status;
    machine = (MachineParams){.joint_count = 2, .body_count = 3, .tool_count = 1, .swing_joint = 0};
    machine.joint[0] = (MachineJointParams){.child = 1, .origin = {0.0, 1.0}, .axis = MACHINE_YAW};
    machine.joint[1] =
        (MachineJointParams){.parent = 1, .child = 2, .origin = {0.5, 0.5}, .range = {-0.5 * M_PI, 0.5 * M_PI}};
    machine.tool[0] = (MachineToolParams){.body = 2, .tip = {3.0, 0.0}};
    assert_true(machine_reach_is_known(&machine));
    MachineReach reach = machine_reach(&machine);
    assert_near(reach.far, 3.5, 1e-6);
    assert_near(reach.high, 4.5, 1e-6);
    assert_near(reach.low, -1.5, 1e-6);
    assert_near(machine_reach_miss(&machine, 3.5, 1.5), 0.0, 1e-6);
    assert_near(machine_reach_miss(&machine, 6.5, 1.5), 3.0, 1e-6);
    assert_near(machine_reach_miss(&machine, 0.5, 0.5), 2.0, 1e-6);
    machine.swing_joint = -1;
    assert_false(machine_reach_is_known(&machine));

    assert_good(data_load_machine("excavator-22t", &machine, NULL, &status), status);
    reach = machine_reach(&machine);
    print_message("22 t: far %.2f, high %.2f, low %.2f m\n", reach.far, reach.high, reach.low);
    assert_true(reach.far > 9.0 && reach.far < 10.5 && reach.high > 8.0 && reach.low < -6.0);
    assert_near(machine_reach_miss(&machine, 7.0, 0.0), 0.0, 1e-2);
    assert_true(machine_reach_miss(&machine, reach.far + 1.0, 2.0) > 0.99);
}

static int make_file(void **state)
{
    (void)state;
    int handle = mkstemp(path);
    return handle < 0 ? -1 : close(handle);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

TEST_GROUP(make_file, remove_file)
