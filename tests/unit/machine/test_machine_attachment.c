/// What hangs on the stick in place of the bucket: what the files say, what a machine becomes with them, what is
/// refused and where.

#include "data/core/tool_geometry.h"
#include "data/excavator_params.h"
#include "data/load.h"
#include "data/read/override.h"
#include "machine/machine.h"
#include "tests/support/test.h"

static const char *const shipped[] = {"grading-bucket-1800", "trenching-bucket-600"};
enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

static MachineParams load_machine(const char *attachment)
{
    Status status;
    MachineParams machine;
    assert_good(data_load_machine("excavator-22t", &machine, NULL, &status), status);
    if (attachment != NULL) {
        assert_good(data_load_attachment(attachment, &machine, &status), status);
    }
    return machine;
}

/// ISO 7451 on shapes whose volume is known: on a square opening of side a the heap is a pyramid of height a / 2.
TEST(a_heap_rises_one_to_one)
{
    ToolShape box = {
        .inside_count = 4, .inside = {{1.0, 0.0}, {1.0, 0.5}, {0.0, 0.5}, {0.0, 0.0}}, .inside_width = 1.0};
    assert_near(tool_struck_volume(&box), 0.5, 1e-12);
    assert_near(tool_heaped_volume(&box), 0.5 + 1.0 / 6.0, 1e-12);
    box.inside_width = 3.0; // a roof 2 m long between two half pyramids
    assert_near(tool_heaped_volume(&box), 1.5 + 2.0 * 0.25 + 1.0 / 6.0, 1e-12);
    box.inside_width = 0.4;
    assert_near(tool_heaped_volume(&box), 0.2 + 0.6 * 0.04 + 0.4 * 0.4 * 0.2 / 3.0, 1e-12);
}

/// Width, mass and capacity of the class, and a machine that can be built and starts above the ground.
TEST(shipped_attachments_are_of_their_class)
{
    static const double width[] = {1.8, 0.6}, mass[][2] = {{700.0, 900.0}, {500.0, 600.0}};
    static const double capacity[][2] = {{0.9, 1.0}, {0.45, 0.55}};
    for (int k = 0; k < SHIPPED; k++) {
        MachineParams params = load_machine(shipped[k]);
        const MachineToolParams *tool = &params.tool[0];
        Status status;
        assert_string_equal(params.attachment, shipped[k]);
        assert_near(tool->shape.edge_width, width[k], 1e-12);
        double body = params.body[EXCAVATOR_BUCKET].mass;
        assert_true(body >= mass[k][0] && body <= mass[k][1]);
        assert_true(tool->capacity >= capacity[k][0] && tool->capacity <= capacity[k][1]);
        Machine *machine = machine_create(&params, &status);
        assert_good(machine != NULL, status);
        MachineState state;
        MachineReadout readout;
        machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
        machine_get_readout(machine, &state, &readout);
        assert_true(readout.tip.z > 0.1);
        machine_destroy(machine);
    }
}

/// What is not the bucket's stays: the arm, its cylinders and the machine's own bucket.
TEST(nothing_else_changes)
{
    MachineParams own = load_machine(NULL), other = load_machine(shipped[0]);
    assert_string_equal(own.attachment, "");
    assert_near(own.tool[0].tip.x, 1.47, 1e-12);
    assert_near(own.tool[0].capacity, 1.10, 1e-12);
    assert_near(other.tool[0].tip.x, 1.25, 1e-12);
    assert_string_equal(other.body[EXCAVATOR_BUCKET].name, "bucket");
    other.tool[0] = own.tool[0];
    other.body[EXCAVATOR_BUCKET] = own.body[EXCAVATOR_BUCKET];
    memcpy(other.attachment, own.attachment, sizeof own.attachment);
    assert_memory_equal(&own, &other, sizeof own);
}

TEST(machines_that_cannot_carry_it_refuse_it)
{
    static const struct {
        const char *machine, *attachment, *says;
    } wrong[] = {
        {"excavator-22t", "spoon", "no attachment named spoon in "},
        {"excavator-22t", "spoon", "there are grading-bucket-1800, trenching-bucket-600"},
        {"dozer-20t", "grading-bucket-1800", "dozer-20t takes no attachment"},
        {"excavator-8t", "grading-bucket-1800", "for machines of 18000 to 26000 kg (carrier_mass), read excavator-8t"},
        {"excavator-22t", "../soils/loam", "kind: read soil, allowed attachment"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        MachineParams machine;
        assert_good(data_load_machine(wrong[k].machine, &machine, NULL, &status), status);
        char path[DATA_PATH_LENGTH];
        snprintf(path, sizeof path, "%s%s%s", wrong[k].attachment[0] == '.' ? SPADEWORK_DATA_DIR "/attachments/" : "",
                 wrong[k].attachment, wrong[k].attachment[0] == '.' ? ".yaml" : "");
        if (data_load_attachment(path, &machine, &status) || strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s on %s gives \"%s\", expected \"%s\"", wrong[k].attachment, wrong[k].machine, status.text,
                     wrong[k].says);
        }
        assert_string_equal(machine.attachment, "");
    }
}

/// Changes one value of the grading bucket.
static void check_broken(const char *set, const char *says)
{
    static char text[1 << 14];
    FILE *file = fopen(SPADEWORK_DATA_DIR "/attachments/grading-bucket-1800.yaml", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    Status status;
    Document document;
    assert_good(document_open(&document, "bad", text, size, &status), status);
    assert_good(override_apply(&document, set, &status), status);
    bool good = data_check_text("bad", document.text, document.size, &status);
    int line = 0, column = 0;
    if (good || sscanf(status.text, "bad:%d:%d: ", &line, &column) != 2 || strstr(status.text, says) == NULL) {
        fail_msg("%s gives \"%s\", expected \"%s\"", set, good ? "no error" : status.text, says);
    }
    document_close(&document);
}

TEST(one_wrong_value)
{
    static const char *const broken[][2] = {
        {"capacity=1.2",
         "capacity: read 1.2, allowed 0.9685 to 1.07 m3: tool.inside holds 0.6164 struck and 1.02 heap"},
        {"capacity=0", "capacity: read 0, allowed 0.01 to 50"},
        {"carrier_mass.0=30000", "carrier_mass: read 30000 to 26000, allowed the lower one first"},
        {"carrier_mass.0=1", "carrier_mass.0: read 1, allowed 500 to 200000"},
        {"body.mass=nan", "body.mass: read nan, allowed a number"},
        {"tool.edge.1=0.3", "tool.edge: read [1.25, 0.3], allowed 0.2 to 5 m along x"},
        {"tool.edge_width=0", "tool.edge_width: read 0, allowed 0.1 to 10"},
        {"tool.pieces.0.y_max=-2", "tool.pieces.0.y_max: read -2, allowed more than y_min"},
        {"teeth=40", "teeth: read 40, allowed a whole number, 0 to 12"},
        {"widht=2", "widht: unknown key"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        check_broken(broken[k][0], broken[k][1]);
    }
}

/// A recording keeps the texts and needs nothing else.
TEST(a_kept_scene_keeps_its_attachment)
{
    static SceneParams scene, again;
    static MachineParams machine, machine_again;
    const char *const set[] = {"machine.attachment=trenching-bucket-600"};
    DataFiles files = {0};
    Status status;
    assert_good(data_load_scene("trench", set, 1, &scene, &machine, &files, &status), status);
    assert_non_null(data_files_find(&files, "attachments", "trenching-bucket-600"));
    assert_good(data_load_scene_from_files(&files, &again, &machine_again, &status), status);
    assert_memory_equal(&machine, &machine_again, sizeof machine);
    assert_string_equal(again.machine.attachment, "trenching-bucket-600");
    data_files_free(&files);
}

TEST_MAIN(NULL, NULL)
