/// A coupler between linkage and tool: where the tool's edge comes to lie, what it weighs, how hard it digs, and what
/// is refused and where.
// test: sanitized

#include "data/files/document.h"
#include "data/schema/load.h"
#include "data/schema/machine_params.h"
#include "machine/cylinder.h"
#include "machine/machine.h"
#include "tests/support/machine_fixture.h"

static const char quick[] = "quick-coupler-22t";
#define COUPLER_HEIGHT 0.29 ///< m: of its file
#define COUPLER_MASS   320.0 ///< kg

static MachineParams with_coupler(const char *attachment, const char *coupler)
{
    MachineParams machine = shipped_params();
    Status status;
    if (attachment != NULL) {
        assert_good(data_load_attachment(attachment, &machine, NULL, &status), status);
    }
    if (coupler != NULL) {
        assert_good(data_load_coupler(coupler, &machine, NULL, &status), status);
    }
    return machine;
}

static const char *const tools[] = {NULL, "grading-bucket-1800", "trenching-bucket-600", "hammer-1700"};
enum { TOOLS = sizeof tools / sizeof tools[0] };

/// The tool's pins lie further out by the coupler's height, square to the line between them; the edge with them.
TEST(the_tool_moves_out_by_the_height)
{
    for (int k = 0; k < TOOLS; k++) {
        MachineParams own = with_coupler(tools[k], NULL), coupled = with_coupler(tools[k], quick);
        PlanePoint link = own.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
        double apart = hypot(link.x, link.z);
        double x = own.tool[0].tip.x + COUPLER_HEIGHT * link.z / apart, z = -COUPLER_HEIGHT * link.x / apart;
        double lift = coupled.joint[EXCAVATOR_JOINT_BUCKET].range[0] - own.joint[EXCAVATOR_JOINT_BUCKET].range[0];
        assert_near(coupled.tool[0].tip.x, hypot(x, z), 1e-12);
        assert_near(coupled.tool[0].tip.z, 0.0, 1e-12);
        assert_near(coupled.tool[0].shape.edge[0], coupled.tool[0].tip.x, 1e-12);
        assert_near(lift, atan2(z, x), 1e-12);
        assert_near(coupled.start_pose[3] - own.start_pose[3], lift, 1e-12);
        assert_near(hypot(coupled.tool_origin.x, coupled.tool_origin.z), COUPLER_HEIGHT, 1e-12);
        PlanePoint pin = coupled.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
        assert_near(hypot(pin.x, pin.z), apart, 1e-12);
        // As the edge lies to the link's pin, so it lies with the coupler, further out.
        assert_near(pin.x * coupled.tool[0].tip.x, link.x * x + link.z * z, 1e-12);
        assert_string_equal(coupled.coupler, quick);
        assert_string_equal(coupled.body[EXCAVATOR_BUCKET].name, "bucket");
    }
}

/// Masses add, centres by mass, moments about the stick's pin as they are: about a pitch axis no turn changes them.
TEST(masses_and_moments_add)
{
    MachineParams own = with_coupler(NULL, NULL), coupled = with_coupler(NULL, quick);
    const MachineBodyParams *a = &own.body[EXCAVATOR_BUCKET], *b = &coupled.body[EXCAVATOR_BUCKET];
    const MachineBodyParams hung = {
        .mass = COUPLER_MASS, .center = {0.14, 0.0, 0.26}, .inertia_size = {0.42, 0.38, 0.72}};
    PlanePoint out = coupled.tool_origin;
    double c = cos(coupled.tool_turn), s = sin(coupled.tool_turn);
    double x = out.x + c * a->center[0] - s * a->center[2], z = out.z + s * a->center[0] + c * a->center[2];
    double wanted = a->mass * (x * x + z * z) + hung.mass * (0.14 * 0.14 + 0.26 * 0.26);
    double found = b->mass * (b->center[0] * b->center[0] + b->center[2] * b->center[2]);
    const MachineBodyParams *parts[] = {a, &hung};
    for (int k = 0; k < 2; k++) {
        const double *size = parts[k]->inertia_size;
        wanted += parts[k]->mass / 12.0 * (size[0] * size[0] + size[2] * size[2]);
    }
    found += b->mass / 12.0 * (b->inertia_size[0] * b->inertia_size[0] + b->inertia_size[2] * b->inertia_size[2]);
    assert_near(b->mass, a->mass + COUPLER_MASS, 1e-9);
    assert_near(found, wanted, 1e-9 * wanted);
    assert_near(b->center[1], 0.0, 1e-12);
}

/// Greatest force of the bucket's cylinder at the edge, by ISO 6015, N: relief pressure, lever arm, radius of the edge.
static double digging_force(const MachineParams *params)
{
    const MachineJointParams *joint = &params->joint[EXCAVATOR_JOINT_BUCKET];
    double most = 0.0, push = joint->cylinder.relief * cylinder_area(&joint->cylinder, true);
    for (int k = 0; k <= 400; k++) {
        double length, arm, angle = joint->range[0] + (joint->range[1] - joint->range[0]) * k / 400.0;
        assert_true(cylinder_length(joint, angle, &length, &arm));
        most = fmax(most, push * fabs(arm) / params->tool[0].tip.x);
    }
    return most;
}

/// The linkage turns as before; the same moment has a longer way to the edge.
TEST(the_digging_force_falls_with_the_radius)
{
    MachineParams own = with_coupler(NULL, NULL), coupled = with_coupler(NULL, quick);
    double before = digging_force(&own), after = digging_force(&coupled);
    assert_near(after, before * own.tool[0].tip.x / coupled.tool[0].tip.x, 1e-6 * before);
    assert_true(after > 0.80 * before && after < 0.87 * before);
}

TEST(a_machine_with_a_coupler_stands_and_digs)
{
    for (int k = 0; k < TOOLS; k++) {
        MachineParams params = with_coupler(tools[k], quick);
        Site site = site_of(&params);
        assert_true(site_readout(&site).tip.z > 0.0);
        site_run(&site, 1.0);
        double start = site_readout(&site).angle[EXCAVATOR_JOINT_BUCKET];
        site_lever(&site, CONTROL_BUCKET, -1.0);
        site_run(&site, 1.0);
        assert_true(site_readout(&site).angle[EXCAVATOR_JOINT_BUCKET] > start + 0.3);
        site_destroy(&site);
    }
}

TEST(machines_that_cannot_carry_it_refuse_it)
{
    static const struct {
        const char *machine, *coupler, *says;
    } wrong[] = {
        {"excavator-22t", "hook", "no coupler named hook in "},
        {"dozer-20t", quick, "dozer-20t takes no coupler, only machines of type excavator do"},
        {"excavator-8t", quick, "for machines of 18000 to 26500 kg (carrier_mass), read excavator-8t"},
        {"excavator-22t", SPADEWORK_DATA_DIR "/couplers/../soils/loam.yaml", "kind: read soil, allowed coupler"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        MachineParams machine, before;
        assert_good(data_load_machine(wrong[k].machine, &machine, NULL, &status), status);
        before = machine;
        if (data_load_coupler(wrong[k].coupler, &machine, NULL, &status) ||
            strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s on %s gives \"%s\", expected \"%s\"", wrong[k].coupler, wrong[k].machine, status.text,
                     wrong[k].says);
        }
        assert_memory_equal(&machine, &before, sizeof machine);
    }
    MachineParams other = shipped_params();
    other.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin.x -= 0.02;
    Status status;
    assert_false(data_load_coupler(quick, &other, NULL, &status));
    assert_non_null(strstr(status.text, "is for pins 0.548 m apart (pin_distance), read 0.556"));
    other = shipped_params();
    other.solid_count = MACHINE_MAX_SOLIDS;
    assert_false(data_load_coupler(quick, &other, NULL, &status));
    assert_non_null(strstr(status.text, "has 1 pieces and excavator-22t 24 solids, allowed 24 together"));
}

/// Changes one value of a coupler's file.
static void check_broken(const char *coupler, const char *set, const char *says)
{
    char path[DATA_PATH_LENGTH], text[1 << 13];
    snprintf(path, sizeof path, "%s/couplers/%s.yaml", SPADEWORK_DATA_DIR, coupler);
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
        {"carrier_mass.0=30000", "carrier_mass: read 30000 to 26500, allowed the lower one first"},
        {"carrier_mass.0=1", "carrier_mass.0: read 1, allowed 500 to 200000"},
        {"pin_distance=5", "pin_distance: read 5, allowed 0.1 to 2"},
        {"height=0", "height: read 0, allowed 0.02 to 1.5"},
        {"height=nan", "height: read nan, allowed a number"},
        {"body.mass=1", "body.mass: read 1, allowed "},
        {"body.mass=1e5", "body.mass: read 100000, allowed "},
        {"pieces.0.y_max=-2", "pieces.0.y_max: read -2, allowed more than y_min"},
        {"pieces.0.corners.0.0=9", "pieces.0.corners.0: "},
        {"hieght=2", "hieght: unknown key"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        check_broken(quick, broken[k][0], broken[k][1]);
    }
}

/// A scene names it; a recording keeps its text and needs nothing else.
TEST(a_scene_chooses_a_coupler)
{
    static SceneParams scene, again;
    static MachineParams machine, machine_again;
    const char *const set[] = {"machine.attachment=trenching-bucket-600", "machine.coupler=quick-coupler-22t"};
    const char *const wrong[] = {"machine.coupler=hook"};
    DataFiles files = {0};
    Status status;
    assert_good(data_load_scene("trench", set, 2, &scene, &machine, &files, &status), status);
    assert_non_null(data_files_find(&files, "couplers", quick));
    assert_string_equal(machine.coupler, quick);
    assert_good(data_load_scene_from_files(&files, &again, &machine_again, &status), status);
    assert_memory_equal(&machine, &machine_again, sizeof machine);
    data_files_free(&files);
    assert_false(data_load_scene("trench", wrong, 1, &scene, &machine, NULL, &status));
    assert_non_null(strstr(status.text, "machine.coupler: no coupler named hook"));
}

TEST_GROUP(NULL, NULL)
