/// All faults of a file are told at once, each with its place, and none that is not there.
// test: sanitized
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/test.h"

#include "data/schema/load.h"

static Findings found;

/// Checks the scene `trench` after replacing each `pairs[2 k]` by `pairs[2 k + 1]`.
static void check_loose(const char *const *pairs, int count, bool good)
{
    enum { ROOM = 16384 };
    char path[] = "/tmp/findings-XXXXXX";
    static char text[ROOM], other[ROOM];
    FILE *file = fopen(SPADEWORK_DATA_DIR "/scenes/trench.yaml", "rb");
    assert_non_null(file);
    text[fread(text, 1, ROOM - 1, file)] = '\0';
    fclose(file);
    for (int k = 0; k < count; k++) {
        char *at = strstr(text, pairs[2 * k]);
        assert_non_null(at);
        snprintf(other, ROOM, "%.*s%s%s", (int)(at - text), text, pairs[2 * k + 1], at + strlen(pairs[2 * k]));
        memcpy(text, other, ROOM);
    }
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), (ssize_t)strlen(text));
    close(handle);
    Status status;
    found = (Findings){0};
    assert_int_equal(data_check_file(path, &found, NULL, &status), good);
    if (!good) {
        assert_string_equal(status.text, found.list[0].text);
    }
    unlink(path);
}

static void check_changed(const char *const *pairs, int count)
{
    check_loose(pairs, count, count == 0);
}

static void assert_told(const char *place, const char *words)
{
    for (int k = 0; k < found.count; k++) {
        if (strstr(found.list[k].text, place) != NULL && strstr(found.list[k].text, words) != NULL) {
            return;
        }
    }
    fail_msg("no fault with %s and %s", place, words);
}

TEST(a_good_file_has_none)
{
    check_changed(NULL, 0);
    assert_int_equal(found.faults, 0);
}

TEST(every_key_is_told)
{
    const char *const pairs[] = {"size_x: 40", "size_x: 400",  "roughness: 0.03",  "rough: 0.03",
                                 "weight: 25", "weight: many", "    depth: 1.5\n", ""};
    check_changed(pairs, 4);
    assert_int_equal(found.faults, 4);
    assert_told(":10:11: ground.size_x: ", "read 400, allowed 10 to 200");
    assert_told(":14:3: ground.rough: ", "unknown key");
    assert_told("exercise.scores.0.weight: ", "read many, allowed a number, 0 to 100");
    assert_told("exercise.trench.depth: ", "the key is missing");
}

/// With a fault in a key most rules cannot be looked at, but weights can be summed.
TEST(weights_are_summed_beside_a_wrong_key)
{
    const char *const pairs[] = {"roughness: 0.03", "rough: 0.03", "weight: 25", "weight: 20"};
    check_changed(pairs, 2);
    assert_int_equal(found.faults, 2);
    assert_told(":14:3: ground.rough: ", "unknown key");
    assert_told("exercise.scores: ", "weights sum to 95, allowed 100");
}

TEST(every_rule_is_told)
{
    const char *const pairs[] = {"weight: 25", "weight: 20",    "depth: 1.5",
                                 "depth: 5.5", "par_time: 600", "par_time: 6000"};
    check_changed(pairs, 3);
    assert_int_equal(found.faults, 3);
    assert_told("exercise.scores: ", "weights sum to 95, allowed 100");
    assert_told("exercise.trench.depth: ", "5.5 reaches bedrock");
    assert_told("exercise.par_time: ", "read 6000");
}

TEST(every_name_is_told)
{
    const char *const pairs[] = {"soil: loam",   "soil: lom",     "soil: topsoil",
                                 "soil: tpsoil", "excavator-22t", "excavator-2t"};
    check_changed(pairs, 3);
    assert_int_equal(found.faults, 3);
    assert_told("ground.layers.0.soil: ", "no soil named tpsoil");
    assert_told("ground.layers.1.soil: ", "no soil named lom");
    assert_told("machine.file: ", "no machine named excavator-2t");
}

TEST(what_cannot_work_is_warned_of)
{
    const char *const pairs[] = {"width: 1.6", "width: 0.6", "dump_y: -7.5", "dump_y: -2", "least: 0.95", "least: 0.4"};
    check_changed(pairs, 0);
    assert_int_equal(found.count, 0);
    check_loose(pairs, 3, true);
    assert_int_equal(found.faults, 0);
    assert_int_equal(found.count, 3);
    assert_told(":7:10: machine: ", "its tracks start on the dump");
    assert_told("exercise.trench.width: ", "0.6 m is narrower than the tool's edge");
    assert_told("exercise.steps.3.least: ", "0.4 is done with step 1, which asks for 0.5");
}

/// The circle of 2.5 m lies 2 m beside the middle line of a trench that is 1.6 m wide.
TEST(a_dump_on_the_trench_is_warned_of)
{
    const char *const pairs[] = {"dump_x: -5", "dump_x: 1", "dump_y: -7.5", "dump_y: -2"};
    check_loose(pairs, 2, true);
    assert_int_equal(found.faults, 0);
    assert_int_equal(found.count, 1);
    assert_told("exercise.trench.dump_radius: ", "its middle is 1.2 m from it, its radius is 2.5 m");
}

TEST(a_full_list_counts_on)
{
    found = (Findings){0};
    for (int k = 0; k < FINDINGS_MOST + 3; k++) {
        char text[16];
        snprintf(text, sizeof text, "fault %d", k);
        findings_add(&found, false, text);
        findings_add(&found, false, text);
    }
    assert_int_equal(found.count, FINDINGS_MOST);
    assert_int_equal(found.list[0].warning, false);
    assert_true(found.beyond >= 3);
}

TEST_GROUP(NULL, NULL)
