/// What hangs on the stick in place of the bucket: what the files say, what a machine becomes with them, what is
/// refused and where.
// test: sanitized

#include "data/core/tool_geometry.h"
#include "data/schema/machine_params.h"
#include "data/schema/load.h"
#include "data/files/document.h"
#include "machine/machine.h"
#include "tests/support/test.h"

static const char *const shipped[] = {"grading-bucket-1800", "trenching-bucket-600", "hammer-1700"};
enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

static MachineParams load_machine(const char *attachment)
{
    Status status;
    MachineParams machine;
    assert_good(data_load_machine("excavator-22t", &machine, NULL, &status), status);
    if (attachment != NULL) {
        assert_good(data_load_attachment(attachment, &machine, NULL, &status), status);
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
    static const double width[] = {1.8, 0.6, 0.135};
    static const double mass[][2] = {{700.0, 900.0}, {500.0, 600.0}, {1300.0, 2000.0}};
    static const double capacity[][2] = {{0.9, 1.0}, {0.45, 0.55}, {0.0, 0.0}};
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

/// What is not the bucket's stays: the arm, its cylinders and the machine's own bucket. Each bucket has its own eye.
TEST(nothing_else_changes)
{
    MachineParams own = load_machine(NULL), other = load_machine(shipped[0]);
    assert_string_equal(own.attachment, "");
    assert_near(own.tool[0].tip.x, 1.47, 1e-12);
    assert_near(own.tool[0].capacity, 1.10, 1e-12);
    assert_near(other.tool[0].tip.x, 1.25, 1e-12);
    assert_string_equal(other.body[EXCAVATOR_BUCKET].name, "bucket");
    other.tool[0] = own.tool[0];
    other.lifting_eye = own.lifting_eye;
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
        {"excavator-22t", "spoon",
         "there are grab-1000, grading-bucket-1800, hammer-1700, sorting-grab-1200, thumb-bucket-"},
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
        if (data_load_attachment(path, &machine, NULL, &status) || strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s on %s gives \"%s\", expected \"%s\"", wrong[k].attachment, wrong[k].machine, status.text,
                     wrong[k].says);
        }
        assert_string_equal(machine.attachment, "");
    }
}

/// Changes one value of an attachment.
static void check_broken(const char *attachment, const char *set, const char *says)
{
    static char text[1 << 14], path[DATA_PATH_LENGTH];
    snprintf(path, sizeof path, "%s/attachments/%s.yaml", SPADEWORK_DATA_DIR, attachment);
    FILE *file = fopen(path, "rb");
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
        {"body.mass=1000000", "body.mass: read 1e+06, allowed "},
        {"body.mass=4000", "body.mass: read 4000, allowed up to 3600 kg: 0.2 of its lightest carrier (18000 kg)"},
        {"body.mass=1", "body.mass: read 1, allowed "},
        {"body.mass=nan", "body.mass: read nan, allowed a number"},
        {"tool.edge.1=0.3", "tool.edge: read [1.25, 0.3], allowed 0.2 to 5 m along x"},
        {"tool.edge_width=0", "tool.edge_width: read 0, allowed 0.1 to 10"},
        {"tool.pieces.0.y_max=-2", "tool.pieces.0.y_max: read -2, allowed more than y_min"},
        {"teeth=40", "teeth: read 40, allowed a whole number, 0 to 12"},
        {"widht=2", "widht: unknown key"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        check_broken(shipped[0], broken[k][0], broken[k][1]);
    }
    static const char *const hammer[][2] = {
        {"hammer.blow_energy_kj=6", "hammer.blow_energy_kj: read 6: with blows_per_min that is 50 kW, allowed at most"},
        {"hammer.blows_per_min=20", "hammer.blows_per_min: read 20, allowed 100 to 3000"},
        {"hammer.pressure_mpa=16.5e6", "hammer.pressure_mpa: read 16.5e6, allowed 5 to 35"},
        {"hammer.feed_kn=nan", "hammer.feed_kn: read nan, allowed a number"},
        {"hammer.top.0=2.3", "hammer.top: lies 0."},
        {"bucket_range_deg.0=100", "bucket_range_deg: read 100 to 77.5, allowed the lower one first"},
        {"capacity=1", "tool.inside: the key is missing"},
    };
    for (size_t k = 0; k < sizeof hammer / sizeof hammer[0]; k++) {
        check_broken("hammer-1700", hammer[k][0], hammer[k][1]);
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

/// ---- the hammer ----------------------------------------------------------------------------------------------------

/// What a hammer on a machine that stands still does in `seconds`, after one to begin with. What it stands on presses
/// the chisel in with `push` N.
typedef struct Hammering {
    int blows;
    double power, load; ///< W from the engine, N on the tracks: means
} Hammering;

static Hammering run_hammer(double push, bool lever, double throttle, double seconds)
{
    enum { RATE = 480 };
    MachineParams params = load_machine("hammer-1700");
    Status status;
    Machine *machine = machine_create(&params, &status);
    assert_good(machine != NULL, status);
    static MachineGround ground[MACHINE_MAX_PATCHES];
    for (int k = 0; k < MACHINE_MAX_PATCHES; k++) {
        ground[k] = (MachineGround){
            .normal = {0.0, 0.0, 1.0}, .firmness = 1.0, .bearing = HUGE_VAL, .friction = 0.7, .cohesion = 25e3};
    }
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_AUXILIARY] = lever ? CONTROL_FULL : 0;
    controls.axis[CONTROL_THROTTLE] = control_quantise(throttle);
    MachineState state;
    machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
    Hammering result = {0, 0.0, 0.0};
    int first = 0, steps = (int)(seconds * RATE);
    for (int step = -RATE; step < steps; step++) {
        RigidMotion body;
        machine_get_tool(machine, &state, &body);
        Vec3 x = mat3_mul(&body.frame.rotation, vec3(2.268, 0.0, -0.272));
        Vec3 force = vec3_scale(x, -push / vec3_length(x));
        Vec3 arm = vec3_sub(pose_apply(&body.frame, vec3(2.30, 0.0, 0.0)), body.center);
        Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        loads[machine_params(machine)->tool[0].body] = (Wrench){force, vec3_cross(arm, force)};
        const MachineInputs inputs = {.controls = &controls, .ground = ground, .loads = loads};
        machine_step(machine, &inputs, 1.0 / RATE, &state);
        first = step < 0 ? state.hammer_blows : first;
        result.power += step >= 0 ? state.pump_power / steps : 0.0;
        for (int k = 0; k < MACHINE_MAX_PATCHES && step >= 0; k++) {
            result.load += state.patch_load[k] / steps;
        }
    }
    result.blows = state.hammer_blows - first;
    machine_destroy(machine);
    return result;
}

/// Rate by the file, power by flow x (pressure) / efficiency, force by the piston's momentum.
TEST(a_pressed_hammer_strikes_at_its_rate)
{
    Hammering rest = run_hammer(20e3, false, 1.0, 4.0), work = run_hammer(20e3, true, 1.0, 4.0);
    assert_int_equal(rest.blows, 0);
    assert_near(work.blows, 4.0 * 500.0 / 60.0, 1.0);
    double oil = 150e-3 / 60.0 * 16.5e6 / 0.85;
    assert_near(work.power - rest.power, oil, 0.03 * oil);
    // m v f, upwards on the housing, whose axis leans by 10 to 17 degrees from the vertical.
    double thrust = 500.0 / 60.0 * sqrt(2.0 * 3400.0 * 75.0);
    double lifted = (rest.load - work.load) / thrust;
    assert_true(lifted > cos(20.0 * M_PI / 180.0) && lifted < 1.0);
}

TEST(a_hammer_does_not_strike_the_air)
{
    Hammering idle = run_hammer(4.9e3, true, 1.0, 2.0), none = run_hammer(4.9e3, false, 1.0, 2.0);
    assert_int_equal(idle.blows, 0);
    assert_near(idle.power, none.power, 1e-9);
}

/// An engine that idles at half of its rated speed moves half of the oil.
TEST(the_rate_follows_the_flow)
{
    Hammering slow = run_hammer(20e3, true, -1.0, 6.0);
    assert_near(slow.blows, 0.5 * 6.0 * 500.0 / 60.0, 2.0);
}

TEST_GROUP(NULL, NULL)
