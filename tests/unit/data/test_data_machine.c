/// Broken machines: the shipped one with one value changed each, so that the numbers in its file may be tuned freely.
// test: sanitized

#include "data/schema/load.h"
#include "data/files/document.h"
#include "tests/support/test.h"

static DataFiles shipped, dozer;

static int load_shipped(void **state)
{
    (void)state;
    static MachineParams machine;
    Status status;
    return data_load_machine("excavator-22t", &machine, &shipped, &status) &&
                   data_load_machine("dozer-20t", &machine, &dozer, &status)
               ? 0
               : -1;
}

static int free_shipped(void **state)
{
    (void)state;
    data_files_free(&shipped);
    data_files_free(&dozer);
    return 0;
}

/// What stands at line:column of a text (counted from 1).
static const char *at_place(const char *text, int line, int column)
{
    for (; line > 1; --line) {
        text = strchr(text, '\n');
        assert_non_null(text);
        ++text;
    }
    return text + column - 1;
}

/// Changes one value; the error must say `says`, and must point at `points` in the text (the new value, when NULL).
typedef struct Broken {
    const char *set, *says, *points;
} Broken;

static void check(const DataFiles *good, const Broken *broken)
{
    Status status;
    Document document;
    if (!document_open(&document, "bad", good->files[0].text, good->files[0].size, &status) ||
        !override_apply(&document, broken->set, &status)) {
        fail_msg("%s", status.text);
    }
    if (data_check_text("bad", document.text, document.size, &status)) {
        fail_msg("%s is accepted", broken->set);
    }
    int line = 0, column = 0;
    if (sscanf(status.text, "bad:%d:%d: ", &line, &column) != 2 || !strstr(status.text, broken->says)) {
        fail_msg("%s gives \"%s\", expected \"%s\"", broken->set, status.text, broken->says);
    }
    const char *points = broken->points ? broken->points : strchr(broken->set, '=') + 1;
    if (strncmp(at_place(document.text, line, column), points, strlen(points)) != 0) {
        fail_msg("%s gives \"%s\", which does not point at %s", broken->set, status.text, points);
    }
    document_close(&document);
}

TEST(a_converter_that_makes_power)
{
    Status status;
    Document document;
    assert_good(document_open(&document, "bad", dozer.files[0].text, dozer.files[0].size, &status), status);
    assert_good(override_apply(&document, "powertrain.efficiency=1", &status), status);
    assert_good(override_apply(&document, "powertrain.stall_ratio=3.1", &status), status); // 0.985 at most
    assert_good(data_check_text("bad", document.text, document.size, &status), status);
    assert_good(override_apply(&document, "powertrain.stall_ratio=3.3", &status), status); // 1.018 at most
    assert_false(data_check_text("bad", document.text, document.size, &status));
    assert_non_null(strstr(status.text, "powertrain.stall_ratio: read 3.3, allowed up to 3.196 with this coupling"));
    document_close(&document);
}

TEST(one_wrong_value)
{
    static const Broken broken[] = {
        {"bodies.house.mass=0", "bodies.house.mass: read 0, allowed 1 to 1000000", NULL},
        {"bodies.boom.inertia_size.1=0", "bodies.boom.inertia_size.1: read 0, allowed 0.01 to 20", NULL},
        {"bodies.boom.center.2=nan", "bodies.boom.center.2: read nan, allowed a number", NULL},
        {"bodies.boom.mass=1",
         "bodies.boom.mass: read 1, allowed 112 to 1.758e+04 kg: inertia_size is a box of 2.24 m3", NULL},
        {"bodies.bucket.mass=1000000", "bodies.bucket.mass: read 1e+06, allowed 70.2 to 1.102e+04 kg", NULL},
        {"bodies.bucket.mass=6000",
         "bodies.bucket.mass: read 6000, allowed up to 5420 kg: 0.2 of the machine (27100 kg)", NULL},
        {"bodies.stick.mass=33", "bodies.stick.mass: read 33, allowed 34 to 5338 kg", NULL},
        {"tracks.contact_length=0.5", "bodies: 22000 kg in all, allowed 305.8 to 1.835e+04 kg on these tracks",
         "undercarriage"},
        {"engine.power_kw=1000", "engine.power_kw: read 1000, allowed 33 to 660 for a machine of 22000 kg", NULL},
        {"engine.power_kw=10", "engine.power_kw: read 10, allowed 33 to 660", NULL},
        {"boom_cylinder.count=5", "boom_cylinder.count: read 5, allowed a whole number, 1 to 4", NULL},
        {"boom_cylinder.rod_mm=400", "boom_cylinder.rod_mm: read 400, allowed less than bore_mm", NULL},
        {"stick_cylinder.closed_mm=200", "stick_cylinder.closed_mm: read 200, allowed more than stroke_mm", NULL},
        {"bucket_cylinder.relief_mpa=35e6", "bucket_cylinder.relief_mpa: read 35e6, allowed 1 to 100", NULL},
        {"linkage.rocker_length=-1", "linkage.rocker_length: read -1, allowed 0.05 to 3", NULL},
        {"tracks.patches=2", "tracks.patches: read 2, allowed a whole number, 3 to 16", NULL},
        {"tracks.contact_length=12", "tracks.contact_length: read 12, allowed up to length", NULL},
        {"tracks.ground_stiffness=8e6", "tracks.ground_stiffness: read 8e+06, allowed from stiffness (9e+06) on", NULL},
        {"tracks.side_friction=0", "tracks.side_friction: read 0, allowed 0.05 to 2", NULL},
        {"tracks.start_time=0", "tracks.start_time: read 0, allowed 0.05 to 5", NULL},
        {"tracks.flow_time=nan", "tracks.flow_time: read nan, allowed a number", NULL},
        {"tracks.stop_time=6", "tracks.stop_time: read 6, allowed 0.05 to 5", NULL},
        {"stick_cylinder.flow_share_in=3", "stick_cylinder.flow_share_in: read 3, allowed 0 to 2", NULL},
        {"tracks.side_friction=nan", "tracks.side_friction: read nan, allowed a number", NULL},
        {"engine.idle_rpm=3000", "engine.idle_rpm: read 3000, allowed less than rated_rpm", NULL},
        {"hydraulics.efficiency=1.1", "hydraulics.efficiency: read 1.1, allowed 0.3 to 1", NULL},
        {"start_pose_deg.1=120", "start_pose_deg.1: read 120, allowed ", NULL},
        {"start_pose_deg.2=60", "start_pose_deg.2: read 60, allowed ", NULL},
        {"boom_range_deg.0=119", "boom_range_deg: read 119 to ", "["},
        {"bucket_range_deg.1=-179", "bucket_range_deg: read ", "["},
        {"tracks.brake_kn=5", "tracks.brake_kn: unknown key, allowed gauge", "brake_kn"},
        {"swing.torque=74000", "swing.torque: unknown key, allowed max_speed_rpm, torque_knm", "torque"},
        {"bucket_cylinder.head=1", "bucket_cylinder.head: read 1, allowed a list of 2 numbers", NULL},
        {"tool.edge_width=0", "tool.edge_width: read 0, allowed 0.1 to 10", NULL},
        {"tool.pieces.0.y_max=-5", "tool.pieces.0.y_max: read -5, allowed more than y_min", NULL},
        {"tool.pieces.1.corners.2.1=5", "tool.pieces.1.corners.", "["},
        {"tool.inside.1.0=-10", "tool.inside.", "["},
        {"solids.0.body=arm", "solids.0.body: read arm, allowed are undercarriage, house, boom, stick, bucket", NULL},
        {"solids.1.y_max=-3", "solids.1.y_max: read -3, allowed more than y_min", NULL},
        {"solids.2.corners.1.1=5", "solids.2.corners.", "["},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        check(&shipped, &broken[i]);
    }
}

TEST(one_wrong_value_of_a_dozer)
{
    static const Broken broken[] = {
        {"type=lorry", "type: read lorry, allowed excavator, dozer", NULL},
        {"type=excavator", "ripper_hinge: unknown key", "ripper_hinge"},
        {"bodies.yoke.mass=43",
         "bodies.blade.mass: read 2200, allowed 0.86 to 2150 kg: at most 50 times heavier or lighter than the yoke",
         "2200"},
        {"bodies.blade.mass=0", "bodies.blade.mass: read 0, allowed 1 to 1000000", NULL},
        {"powertrain.forward_kmh.1=3.8",
         "powertrain.forward_kmh.1: read 3.8, allowed more than the gear before it (3.8 km/h)", NULL},
        {"powertrain.reverse_kmh.2=8", "powertrain.reverse_kmh.2: read 8, allowed more than the gear before it", NULL},
        {"powertrain.forward_kmh.0=0", "powertrain.forward_kmh.0: read 0, allowed 0.5 to 40", NULL},
        {"powertrain.stall_rpm=700", "powertrain.stall_rpm: read 700, allowed between engine.idle_rpm and", NULL},
        {"powertrain.stall_rpm=1850", "powertrain.stall_rpm: read 1850, allowed between engine.idle_rpm and", NULL},
        {"powertrain.coupling_ratio=1", "powertrain.coupling_ratio: read 1, allowed 0.5 to 0.95", NULL},
        {"powertrain.speeding_up=0", "powertrain.speeding_up: read 0, allowed 0.1 to 10", NULL},
        {"powertrain.braking=11", "powertrain.braking: read 11, allowed 0.1 to 10", NULL},
        {"lift_float_mpa=-1", "lift_float_mpa: read -1, allowed 0 to 5", NULL},
        {"tracks.start_time=1", "tracks.start_time: unknown key, allowed gauge", "start_time"},
        {"powertrain.shift_time=0", "powertrain.shift_time: read 0, allowed 0.05 to 2", NULL},
        {"lift_range_deg.0=30", "lift_range_deg: read 30 to 20.94, allowed the lower angle first", "["},
        {"tilt_range_deg.1=61", "tilt_range_deg.1: read 61, allowed -60 to 60", NULL},
        {"start_pose_deg.1=40", "start_pose_deg.1: read 40, allowed -9.12 to 20.94 (lift_range_deg)", NULL},
        {"angle_cylinder.count=1", "angle_cylinder.count: read 1, allowed 2 when they are opposed", NULL},
        {"angle_cylinder.arrangement=crossed", "angle_cylinder.arrangement: read crossed, allowed side-by-side", NULL},
        {"tilt_cylinder.rod_mm=400", "tilt_cylinder.rod_mm: read 400, allowed less than bore_mm", NULL},
        {"lift_cylinder.closed_mm=200", "lift_cylinder.closed_mm: read 200, allowed more than stroke_mm", NULL},
        {"tool.edge.1=0.98", "tool.pieces: the blade reaches 0.01 m above its edge (tool.edge), allowed from 0.2 m on",
         "-"},
        {"tool.edge_width=0", "tool.edge_width: read 0, allowed 0.1 to 10", NULL},
        {"ripper_tool.pieces.0.y_max=-5", "ripper_tool.pieces.0.y_max: read -5, allowed more than y_min", NULL},
        {"tracks.contact_length=12", "tracks.contact_length: read 12, allowed up to length", NULL},
        {"engine.idle_rpm=3000", "engine.idle_rpm: read 3000, allowed less than rated_rpm", NULL},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        check(&dozer, &broken[i]);
    }
}

/// The shipped text with the corners of the first tool piece replaced.
static void check_corners(const char *corners, const char *says)
{
    const char *old = strstr(shipped.files[0].text, "corners: ");
    assert_non_null(old);
    old += strlen("corners: ");
    const char *rest = strstr(old, "]]");
    assert_non_null(rest);
    rest += 2;
    size_t size = shipped.files[0].size + strlen(corners) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(old - shipped.files[0].text), shipped.files[0].text, corners, rest);
    Status status;
    bool accepted = data_check_text("bad", text, strlen(text), &status);
    free(text);
    if (says == NULL) {
        assert_good(accepted, status);
    } else if (accepted || !strstr(status.text, says)) {
        fail_msg("%s gives \"%s\", expected \"%s\"", corners, accepted ? "no error" : status.text, says);
    }
}

TEST(tool_pieces_are_convex)
{
    check_corners("[[0, 0], [1, 0], [1, 1], [0, 1]]", NULL);
    check_corners("[[0, 0], [0, 1], [1, 1], [1, 0]]", "tool.pieces.0.corners.0: the corner [0, 0] does not turn left");
    check_corners("[[0, 0], [1, 0], [0.2, 0.2], [0, 1]]",
                  "tool.pieces.0.corners.2: the corner [0.2, 0.2] does not turn left");
    check_corners("[[0, 0], [1, 0], [1, 0], [0, 1]]", "does not turn left");
    check_corners("[[0, 0], [1, 0], [2, 0], [0, 1]]", "tool.pieces.0.corners.1: the corner [1, 0] does not turn left");
    check_corners("[[0, 0], [1, 0]]", "tool.pieces.0.corners: read 2 items, allowed a list of 3 to 10 items");
    // A five-pointed star turns left at every corner, twice round.
    check_corners("[[1, 0], [-0.809, 0.588], [0.309, -0.951], [0.309, 0.951], [-0.809, -0.588]]",
                  "makes the polygon cross itself");
}

TEST_GROUP(load_shipped, free_shipped)
