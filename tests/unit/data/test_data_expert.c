/// Files of expert runs: what a good one gives, and where each broken one is wrong.
// test: sanitized
#include "data/core/constants.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

#define HEAD "kind: expert\ntitle: A test\nmachine: excavator\nactions:\n"

static bool check(const char *text, Status *status)
{
    *status = (Status){0};
    return data_check_text("expert.yaml", text, strlen(text), status);
}

static void load(const char *text, ExpertParams *params)
{
    char folder[] = "/tmp/spadework-expert-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/test.yaml", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    Status status = {0};
    assert_good(data_load_expert(path, params, NULL, &status), status);
    remove(path);
    remove(folder);
}

TEST(actions_are_read_in_their_order)
{
    ExpertParams *params = calloc(1, sizeof *params);
    assert_non_null(params);
    load(HEAD "  - tip: {x: 5, y: -2, above: 0.5, hold: 1.5}\n"
              "  - line: {from: {x: 7, y: 0, z: -0.5}, to: {x: 5, y: 0, above: -0.1}, angle_deg: -90}\n"
              "  - wait: 2.5\n"
              "  - travel: {x: 3, y: 1, reverse: yes}\n"
              "  - task: {cycles: 3}\n"
              "  - repeat: {last: 2, times: 4}\n",
         params);
    static const ExpertActionKind kinds[] = {EXPERT_TIP,    EXPERT_LINE, EXPERT_WAIT,
                                             EXPERT_TRAVEL, EXPERT_TASK, EXPERT_REPEAT};
    assert_int_equal(params->action_count, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(params->actions[k].kind, kinds[k]);
    }
    const ExpertTip *tip = &params->actions[0].with.tip;
    assert_near(tip->to.x, 5.0, 0.0);
    assert_near(tip->to.above, 0.5, 0.0);
    assert_false(expert_gives(tip->to.z));
    assert_false(expert_gives(tip->angle));
    assert_near(tip->hold, 1.5, 0.0);
    assert_near(tip->tolerance, 0.05, 0.0);
    const ExpertLine *line = &params->actions[1].with.line;
    assert_near(line->from.z, -0.5, 0.0);
    assert_near(line->angle, -90.0 * UNIT_DEG, 1e-12);
    assert_false(expert_gives(line->end_angle));
    assert_near(params->actions[2].with.seconds, 2.5, 0.0);
    assert_true(params->actions[3].with.travel.reverse);
    assert_int_equal(params->actions[4].with.task.cycles, 3);
    assert_int_equal(params->actions[5].with.repeat.times, 4);
    free(params);
}

typedef struct BrokenList {
    const char *text, *says;
} BrokenList;

static void refuse(const BrokenList *broken, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        Status status;
        if (check(broken[k].text, &status)) {
            fail_msg("accepted: %s", broken[k].text);
        }
        if (strstr(status.text, broken[k].says) == NULL) {
            fail_msg("told \"%s\", expected \"%s\"", status.text, broken[k].says);
        }
    }
}

TEST(broken_files_are_refused_with_their_place)
{
    static const BrokenList broken[] = {
        {HEAD "  - fly: {x: 1}\n", "expert.yaml:5:5: actions.0.fly: unknown key, allowed tip, line,"},
        {HEAD "  - wait: 1\n    horn: 1\n", "expert.yaml:6:5: actions.0: read 2 keys, allowed exactly one"},
        {HEAD "  - {}\n", "expert.yaml:5:5: actions.0: read 0 keys, allowed exactly one"},
        {HEAD "  - wait\n", "expert.yaml:5:5: actions.0: read wait, allowed one key and its value"},
        {HEAD "  - wait: -1\n", "expert.yaml:5:11: actions.0.wait: read -1, allowed 0.01 to 600"},
        {HEAD "  - tip: {x: 1, y: 2}\n", "expert.yaml:5:10: actions.0.tip: neither z nor above is given"},
        {HEAD "  - tip: {x: 1, y: 2, z: 1, above: 1}\n", "expert.yaml:5:10: actions.0.tip: both z and above"},
        {HEAD "  - tip: {x: 1, y: 2, z: 1, speed: 9}\n", "expert.yaml:5:36: actions.0.tip.speed: read 9"},
        {HEAD "  - line: {from: {x: 1, y: 0, z: 0}, to: {x: 1, y: 0}, angle_deg: 0}\n",
         "expert.yaml:5:42: actions.0.line.to: neither z nor above is given"},
        {HEAD "  - repeat: {last: 1, times: 2}\n", "expert.yaml:5:20: actions.0.repeat.last: read 1"},
        {HEAD "  - travel: {x: 1, y: 0, float: yes}\n",
         "expert.yaml:5:33: actions.0.travel.float: read yes, allowed no: this machine has no blade that floats"},
        {HEAD "  - blade: {height: 0.2}\n", "expert.yaml:5:12: actions.0.blade: this machine's expert has no blade"},
        {HEAD "  - rip: {x: 0, y: 0, length: 4, width: 2, depth: 0.3}\n",
         "expert.yaml:5:10: actions.0.rip: this machine's expert has no rip"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions:\n  - rip: {x: 0, y: 0, length: 4, width: 2, depth: 3}\n",
         "actions.0.rip.depth: read 3, allowed 0.05 to 1"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions:\n  - blade: {limit: 2}\n",
         "expert.yaml:5:12: actions.0.blade: nothing is given"},
        {HEAD "  - wait: 1\n  - repeat: {last: 1, times: 2, least: 1}\n",
         "expert.yaml:6:13: actions.1.repeat: allowed"},
        {HEAD "  - wait: 1\n  - repeat: {last: 1, times: 2, metric: luck, least: 1}\n",
         "expert.yaml:6:41: actions.1.repeat.metric: read luck"},
        {HEAD "  - grade: {x: 5, y: 0, length: 3, width: 2, z: 0, dump_x: 1}\n",
         "expert.yaml:5:12: actions.0.grade: allowed both dump_x and dump_y, or none of them"},
        {HEAD "  - grade: {x: 5, y: 0, length: 3, width: 2, z: 0, layer: 0}\n",
         "expert.yaml:5:59: actions.0.grade.layer: read 0"},
        {HEAD "  - grade: {x: 5, y: 0, length: 3, z: 0}\n",
         "expert.yaml:5:12: actions.0.grade.width: the key is missing"},
        {HEAD "  - tamp: {x: 5, y: 0, length: 3}\n", "expert.yaml:5:11: actions.0.tamp.width: the key is missing"},
        {HEAD "  - tamp: {x: 5, y: 0, length: 3, width: 1, force_kn: 0}\n",
         "actions.0.tamp.force_kn: read 0, allowed 1 to 500"},
        {HEAD "  - tamp: {x: 5, y: 0, length: 3, width: 1, hold: 11}\n",
         "actions.0.tamp.hold: read 11, allowed 0 to 10"},
        {HEAD "  - answer: 7\n", "expert.yaml:5:13: actions.0.answer: read 7, allowed a whole number, 1 to 6"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions:\n  - push: {x: 2, y: 0, z: 1, end_depth: 0.1}\n",
         "expert.yaml:5:11: actions.0.push: allowed either z with end_z"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions:\n  - push: {x: 2, y: 0}\n",
         "expert.yaml:5:11: actions.0.push"},
        {"kind: expert\ntitle: A\nmachine: truck\nactions:\n  - wait: 1\n", "expert.yaml:3:10: machine: read truck"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions: []\n", "expert.yaml:4:10: actions: read 0 items"},
    };
    refuse(broken, sizeof broken / sizeof broken[0]);
}

TEST(broken_breaking_is_refused_with_its_place)
{
    static const BrokenList broken[] = {
        {HEAD "  - break: {angle_deg: -90}\n", "expert.yaml:5:12: actions.0.break.size: the key is missing"},
        {HEAD "  - break: {size: 0.1}\n", "expert.yaml:5:19: actions.0.break.size: read 0.1, allowed 0.2 to 1.5"},
        {HEAD "  - break: {size: 0.6, angle_deg: 100}\n", "actions.0.break.angle_deg: read 100, allowed -270 to 90"},
        {HEAD "  - break: {size: 0.6, force_kn: 0}\n", "actions.0.break.force_kn: read 0, allowed 1 to 500"},
        {HEAD "  - break: {size: 0.6, seconds: 601}\n", "actions.0.break.seconds: read 601, allowed 0.1 to 600"},
        {HEAD "  - break: {size: 0.6, limit: 0}\n", "actions.0.break.limit: read 0, allowed 0.1 to 3600"},
        {HEAD "  - break: {size: 0.6, x: 2}\n",
         "expert.yaml:5:24: actions.0.break.x: unknown key, allowed size, angle"},
        {HEAD "  - break: 0.6\n", "expert.yaml:5:12: actions.0.break: read 0.6, allowed keys and values"},
        {"kind: expert\ntitle: A\nmachine: dozer\nactions:\n  - break: {size: 0.6}\n",
         "expert.yaml:5:12: actions.0.break: this machine's expert has no break"},
    };
    refuse(broken, sizeof broken / sizeof broken[0]);
}

TEST(a_scene_keeps_its_expert_and_refuses_a_wrong_one)
{
    static const struct {
        const char *scene, *set, *says;
    } wrong[] = {
        {"trench", "exercise.expert=nobody", "exercise.expert: no expert named nobody"},
        {"slot-dozing", "exercise.expert=free", "exercise.expert: read free, which is for another type of machine"},
    };
    SceneParams *scene = calloc(1, sizeof *scene);
    ExpertParams *expert = calloc(1, sizeof *expert);
    MachineParams machine;
    Status status = {0};
    assert_non_null(scene);
    assert_non_null(expert);
    for (int k = 0; k < 2; k++) {
        DataFiles files = {0};
        assert_false(data_load_scene(wrong[k].scene, &wrong[k].set, 1, scene, &machine, &files, &status));
        assert_non_null(strstr(status.text, wrong[k].says));
    }
    DataFiles files = {0};
    const char *set = "exercise.expert=free";
    assert_good(data_load_scene("trench", &set, 1, scene, &machine, &files, &status), status);
    assert_non_null(data_files_find(&files, "experts", "free"));
    assert_good(data_load_scene_expert(&files, scene->exercise.expert, expert, &status), status);
    assert_int_equal(expert->action_count, 11);
    assert_good(data_load_scene_from_files(&files, scene, &machine, &status), status);
    data_files_free(&files);
    free(expert);
    free(scene);
}

TEST(shipped_experts_are_good)
{
    DataListEntry entries[64];
    Status status = {0};
    int count = data_list("experts", entries, 64, &status);
    assert_true(count > 0);
    ExpertParams *params = calloc(1, sizeof *params);
    assert_non_null(params);
    for (int k = 0; k < count; k++) {
        assert_good(data_load_expert(entries[k].name, params, NULL, &status), status);
    }
    free(params);
}

TEST_GROUP(NULL, NULL)
