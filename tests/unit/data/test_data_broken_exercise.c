/// Broken exercises: scores, steps, targets, questions, hints and faults that cannot be.
// test: sanitized

#include "tests/support/broken.h"

static const char *const scene_text = "kind: scene\n"
                                      "title: A test\n"
                                      "description: Dig.\n"
                                      "seed: 3\n"
                                      "machine: {file: excavator-22t, x: -5, y: 0, heading_deg: 0}\n"
                                      "ground:\n"
                                      "  size_x: 40\n"
                                      "  size_y: 30\n"
                                      "  bedrock_depth: 4\n"
                                      "  layers:\n"
                                      "    - {soil: loam}\n"
                                      "exercise:\n"
                                      "  kind: trench\n"
                                      "  time_limit: 1200\n"
                                      "  par_time: 600\n"
                                      "  trench: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2, depth: 1.5,\n"
                                      "    tolerance: 0.1, dump_x: -5, dump_y: -7, dump_radius: 2}\n"
                                      "  scores:\n"
                                      "    - {metric: removed_share, weight: 60, full: 1, zero: 0}\n"
                                      "    - {metric: spilled_share, group: spill, weight: 40, full: 0, zero: 0.2,\n"
                                      "      of: work_share, fail_above: 0.5, label: Spill}\n"
                                      "  steps:\n"
                                      "    - {text: Half, metric: mean_depth_m, least: 0.75}\n"
                                      "  faults:\n"
                                      "    - {text: Slower., metric: touch_count, above: 0}\n"
                                      "  targets:\n"
                                      "    - {x: 2, y: 3, z: 1, radius: 0.4, hold: 2}\n"
                                      "  questions:\n"
                                      "    - {text: Who goes first?, answers: [you, nobody], right: 2, why: So.}\n"
                                      "  surface:\n"
                                      "    tolerance: 0.03\n"
                                      "    parts:\n"
                                      "      - {x: 8, y: 8, heading_deg: 90, length: 4, width: 3, z: -0.2, far_z: -1}\n"
                                      "  hints: [Look.]\n";

static const Broken broken_exercises[] = {
    {"metric: removed_share", "metric: |removed_shar", "of which removed_share is nearest"},
    {"metric: removed_share", "metric: |loaded_kg", "allowed what this exercise measures: it has no truck"},
    {"metric: removed_share", "metric: |score", "exercise.scores.0.metric: read score, allowed what is measured"},
    {"weight: 60", "weight: |600", "exercise.scores.0.weight: read 600, allowed 0 to 100"},
    {"scores:\n    - {metric: removed_share, weight: 60", "scores:\n    |- {metric: removed_share, weight: 61",
     "exercise.scores: weights sum to 101, allowed 100"},
    {"full: 1, zero: 0}", "full: 1, zero: |1}", "exercise.scores.0.zero: read 1, allowed another value than full"},
    {"of: work_share", "of: |spilled_kg", "exercise.scores.1.of: read spilled_kg, allowed a share (0 to 1)"},
    {"fail_above: 0.5", "fail_above: |nan", "exercise.scores.1.fail_above: read nan, allowed a number"},
    {"  time_limit: 1200", "  oversize: |0.1\n  time_limit: 1200", "exercise.oversize: read 0.1, allowed 0.2 to 1.5"},
    {"  time_limit: 1200", "  oversize: |0.7\n  time_limit: 1200", "exercise.oversize: the scene has no rocks"},
    {"metric: removed_share", "metric: |oversize_share", "allowed what this exercise measures: it has no oversize"},
    {"  time_limit: 1200", "  rip: |{x: 8, y: 0, length: 4, width: 2, depth: 0.3}\n  time_limit: 1200",
     "exercise.rip: excavator-22t has no ripper, allowed of a dozer alone"},
    {"metric: removed_share", "metric: |ripped_share", "allowed what this exercise measures: it has no rip"},
    {"metric: removed_share", "metric: |loads_placed_share", "allowed what this exercise measures: it has no loads"},
    {"metric: removed_share", "metric: |found_share", "allowed what this exercise measures: it has no walk_round"},
    {"metric: removed_share", "metric: |parked", "allowed what this exercise measures: it has no start_up"},
    {"group: spill", "group: |mess", "exercise.scores.1.group: read mess, allowed work, accuracy, time"},
    {"- {text: Half, metric: mean_depth_m, least: 0.75}", "- |{text: Half, metric: mean_depth_m}",
     "exercise.steps.0: read neither, allowed least or most"},
    {"metric: mean_depth_m", "metric: |steps_done", "exercise.steps.0.metric: read steps_done, allowed what does not"},
    {"- {text: Slower., metric: touch_count, above: 0}", "- |{text: Slower., metric: touch_count, above: 0, below: 3}",
     "exercise.faults.0: read both, allowed below or above"},
    {"{x: 2, y: 3, z: 1", "{x: 2, y: |16, z: 1", "exercise.targets.0.y: 16 lies outside the site"},
    {"radius: 0.4, hold: 2", "radius: 0.4, hold: |-2", "exercise.targets.0.hold: read -2, allowed 0 to 60"},
    {"right: 2", "right: |3", "exercise.questions.0.right: read 3, allowed 1 to the number of answers (2)"},
    {"answers: [you, nobody]", "answers: |[you]", "read 1 items, allowed a list of 2 to 6 items"},
    {"tolerance: 0.03", "tolerance: 0.03\n    compaction: |1.2",
     "exercise.surface.compaction: read 1.2, allowed 0.5 to 1"},
    {"tolerance: 0.03", "tolerance: 0.03\n    compaction: |dense",
     "exercise.surface.compaction: read dense, allowed a"},
    {"metric: removed_share", "metric: |compaction_share",
     "allowed what this exercise measures: it has no surface.compaction"},
    {"tolerance: 0.03", "tolerance: |0.7", "exercise.surface.tolerance: read 0.7, allowed 0.005 to 0.5"},
    {"parts:\n      - {x: 8", "parts:\n      - |{x: 19.5",
     "exercise.surface.parts.0: its corner at 21, 8 lies outside the site"},
    {"far_z: -1}", "far_z: |-5}", "exercise.surface.parts.0.far_z: -5 reaches bedrock, allowed more than -4"},
    {"z: -0.2, far_z", "z: |high, far_z", "exercise.surface.parts.0.z: read high, allowed a number"},
    {"hints: [Look.]", "hints: [|'']", "exercise.hints.0: read nothing, allowed a text of 1 to 199 bytes"},
    {"kind: trench\n  time_limit: 1200\n  par_time: 600\n  trench: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2, "
     "depth: "
     "1.5,\n    tolerance: 0.1, dump_x: -5, dump_y: -7, dump_radius: 2}\n  scores:\n    - {metric: removed_share",
     "kind: tasks\n  time_limit: 1200\n  par_time: 600\n  scores:\n    - {metric: |dumped_kg",
     "exercise.scores.0.metric: read dumped_kg, allowed what this exercise measures: it has no trench"},
};

TEST(exercises)
{
    check_broken(scene_text, broken_exercises, sizeof broken_exercises / sizeof broken_exercises[0]);
}

static const char *const ripping_text = "kind: scene\n"
                                        "title: A test\n"
                                        "description: Rip.\n"
                                        "seed: 3\n"
                                        "machine: {file: dozer-20t, x: -5, y: 0, heading_deg: 0}\n"
                                        "ground:\n"
                                        "  size_x: 40\n"
                                        "  size_y: 30\n"
                                        "  bedrock_depth: 4\n"
                                        "  layers:\n"
                                        "    - {soil: clay}\n"
                                        "exercise:\n"
                                        "  kind: tasks\n"
                                        "  time_limit: 1200\n"
                                        "  par_time: 600\n"
                                        "  rip: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2, depth: 0.3}\n"
                                        "  steps:\n"
                                        "    - {text: Half, metric: ripped_share, least: 0.5}\n";

static const Broken broken_ripping[] = {
    {"rip: {x: 0", "rip: |{x: 17", "exercise.rip: its corner at 21, -1 lies outside the site"},
    {"length: 4", "length: |0.5", "exercise.rip.length: read 0.5, allowed 1 to 50"},
    {"depth: 0.3", "depth: |deep", "exercise.rip.depth: read deep, allowed a number"},
    {"depth: 0.3", "depth: |1.2", "exercise.rip.depth: read 1.2, allowed 0.1 to 1"},
    {"depth: 0.3", "depth: |0.6", "exercise.rip.depth: read 0.6, allowed up to what the ripper of dozer-20t reaches"},
    {"rip: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2,", "rip: |{x: 0, y: 0, heading_deg: 0, length: 4,",
     "exercise.rip.width: the key is missing"},
};

TEST(ripping)
{
    check_broken(ripping_text, broken_ripping, sizeof broken_ripping / sizeof broken_ripping[0]);
}

TEST_GROUP(NULL, NULL)
