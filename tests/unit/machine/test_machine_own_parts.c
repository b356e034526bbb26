/// A machine's own parts against each other: which can meet at all, over the whole space of its joints; that they stop
/// each other; that a file whose parts overlap at the start is refused.
// test: sanitized
#include "data/schema/machine_params.h"
#include "machine/body/machine_internal.h"
#include "machine/solids.h"
#include "tests/support/machine_fixture.h"

enum { MOST_PAIRS = 64 };

/// Two kinds of parts that meet somewhere.
typedef struct Meeting {
    char name[MACHINE_NAME_SIZE], other[MACHINE_NAME_SIZE];
    double depth; ///< m: greatest
    double angle[MACHINE_MAX_JOINTS]; ///< rad: there
    int poses;
} Meeting;

static void note(Meeting meetings[MOST_PAIRS], int *count, const Machine *machine, const MachineOwnTouch *found)
{
    const MachineTouch *touch = &found->touch;
    const char *name = machine_part_name(machine, touch->part), *other = machine_part_name(machine, found->other_part);
    int k = 0;
    while (k < *count && (strcmp(meetings[k].name, name) != 0 || strcmp(meetings[k].other, other) != 0)) {
        k++;
    }
    if (k == *count) {
        assert_true(*count < MOST_PAIRS);
        meetings[k] = (Meeting){.poses = 0};
        snprintf(meetings[k].name, sizeof meetings[k].name, "%s", name);
        snprintf(meetings[k].other, sizeof meetings[k].other, "%s", other);
        ++*count;
    }
    meetings[k].poses++;
    if (touch->depth > meetings[k].depth) {
        meetings[k].depth = touch->depth;
        for (int joint = 0; joint < MACHINE_MAX_JOINTS; joint++) {
            meetings[k].angle[joint] = machine->params.start_pose[joint];
        }
    }
}

/// Tries STEPS angles of every joint, of a swing all the way round, and tells which parts meet. Returns how many pairs.
static int sweep(const char *file, Meeting meetings[MOST_PAIRS])
{
    enum { STEPS = 13 };
    const int steps = STEPS;
    MachineParams params = load_params(file);
    Status status;
    Machine *machine = machine_create(&params, &status);
    assert_good(machine != NULL, status);
    int poses = 1, count = 0;
    for (int k = 0; k < params.joint_count; k++) {
        poses *= steps;
    }
    for (int pose = 0; pose < poses; pose++) {
        for (int k = 0, rest = pose; k < params.joint_count; k++, rest /= steps) {
            bool swing = params.joint[k].drive == MACHINE_DRIVE_SWING_MOTOR;
            double low = swing ? -M_PI : params.joint[k].range[0], high = swing ? M_PI : params.joint[k].range[1];
            machine->params.start_pose[k] = low + (high - low) * (rest % steps) / (steps - 1);
        }
        MachineState state;
        MachineOwnTouch touches[MACHINE_MAX_OWN_TOUCHES];
        machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
        int found = machine_find_own_touches(machine, &state, touches);
        for (int k = 0; k < found; k++) {
            note(meetings, &count, machine, &touches[k]);
        }
    }
    for (int k = 0; k < count; k++) {
        const double *a = meetings[k].angle;
        print_message("%s: %s and %s meet, %d touches in %d poses, at most by %.3f m at %.0f %.0f %.0f %.0f\n",
                      params.name, meetings[k].name, meetings[k].other, meetings[k].poses, poses, meetings[k].depth,
                      a[0] / degree, a[1] / degree, a[2] / degree, a[3] / degree);
    }
    machine_destroy(machine);
    return count;
}

/// True when two parts of these names are among those that meet.
static bool meet(const Meeting *meetings, int count, const char *name, const char *other)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(meetings[k].name, name) == 0 && strcmp(meetings[k].other, other) == 0) {
            return true;
        }
    }
    return false;
}

/// Over all joints' ranges: an excavator's boom and bucket meet its tracks, a dozer's blade its hood; bucket, stick and
/// boom reach neither cab nor house, nor the bucket the boom, for their cylinders end before.
TEST(what_can_meet)
{
    Meeting meetings[MOST_PAIRS];
    int count = sweep(SPADEWORK_DATA_DIR "/machines/excavator-22t.yaml", meetings);
    assert_int_equal(count, 4);
    assert_true(meet(meetings, count, "boom", "left track") && meet(meetings, count, "boom", "right track"));
    assert_true(meet(meetings, count, "bucket", "left track") && meet(meetings, count, "bucket", "right track"));
    count = sweep(SPADEWORK_DATA_DIR "/machines/excavator-8t.yaml", meetings);
    assert_int_equal(count, 2);
    assert_true(meet(meetings, count, "bucket", "left track") && meet(meetings, count, "bucket", "right track"));
    count = sweep(SPADEWORK_DATA_DIR "/machines/dozer-20t.yaml", meetings);
    assert_int_equal(count, 1);
    assert_true(meet(meetings, count, "blade", "hood"));
}

/// Greatest depth of one part in another, m.
static double deepest_of(const Site *site)
{
    MachineOwnTouch touches[MACHINE_MAX_OWN_TOUCHES];
    int count = machine_find_own_touches(site->machine, &site->state, touches);
    double depth = 0.0;
    for (int k = 0; k < count; k++) {
        depth = fmax(depth, touches[k].touch.depth);
    }
    return depth;
}

/// Lowers the boom at full pressure over a corner of the tracks or between them: where it meets a track it stops with
/// its cylinders at relief and stays; else it goes down to the end of its range. What meets is in less than `most` m.
static void lower_boom(double swing, bool meets, double most)
{
    MachineParams params = shipped_params();
    params.start_pose[EXCAVATOR_JOINT_SWING] = swing;
    params.start_pose[EXCAVATOR_JOINT_STICK] = -40.0 * degree;
    Site site = site_of(&params);
    double deepest = 0.0, fastest = 0.0;
    site_lever(&site, CONTROL_BOOM, -1.0);
    for (int k = 0; k < 6 * 480; k++) {
        site_step(&site);
        deepest = fmax(deepest, deepest_of(&site));
        fastest = deepest > 0.0 ? fmax(fastest, site_readout(&site).speed[EXCAVATOR_JOINT_BOOM]) : 0.0;
    }
    MachineReadout readout = site_readout(&site);
    double end = params.joint[EXCAVATOR_JOINT_BOOM].range[0], angle = readout.angle[EXCAVATOR_JOINT_BOOM];
    print_message("swing %.0f: boom at %.1f of %.1f degrees, deepest %.4f m, pitch %.2f, springs back at %.3f rad/s\n",
                  swing / degree, angle / degree, end / degree, deepest, readout.pitch / degree, fastest);
    assert_true(meets ? angle > end + 5.0 * degree : angle < end + 0.2 * degree);
    assert_true(meets == (deepest > 0.0));
    assert_true(deepest < most);
    assert_true(fastest < 0.05);
    assert_true(!meets ||
                readout.pressure[EXCAVATOR_JOINT_BOOM] > 0.9 * params.joint[EXCAVATOR_JOINT_BOOM].cylinder.relief);
    site_destroy(&site);
}

TEST(a_boom_stops_at_the_tracks)
{
    lower_boom(30.0 * degree, true, 0.03);
    lower_boom(0.0, false, 0.03);
}

/// The bucket is lowered on a track from above, and stays there when the swing pulls.
TEST(a_bucket_stops_at_a_track)
{
    MachineParams params = shipped_params();
    params.start_pose[EXCAVATOR_JOINT_SWING] = 30.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_BOOM] = 35.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_STICK] = -147.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_BUCKET] = -52.0 * degree;
    Site site = site_of(&params);
    double deepest = 0.0;
    site_lever(&site, CONTROL_BOOM, -0.7);
    for (int k = 0; k < 6 * 480; k++) {
        site_lever(&site, CONTROL_SWING, k < 4 * 480 ? 0.0 : 0.5);
        site_step(&site);
        deepest = fmax(deepest, deepest_of(&site));
    }
    print_message("bucket on a track: deepest %.4f m, boom %.1f degrees, swing %.1f\n", deepest,
                  site_readout(&site).angle[EXCAVATOR_JOINT_BOOM] / degree,
                  site_readout(&site).angle[EXCAVATOR_JOINT_SWING] / degree);
    assert_true(machine_state_is_finite(&site.state));
    assert_true(deepest > 0.0 && deepest < 0.03);
    site_destroy(&site);
}

TEST(parts_that_overlap_at_the_start_are_refused)
{
    MachineParams params = shipped_params();
    params.start_pose[EXCAVATOR_JOINT_SWING] = 30.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_BOOM] = -48.0 * degree;
    Status status;
    assert_null(machine_create(&params, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    print_message("%s\n", status.text);
    assert_non_null(strstr(status.text, "start_pose_deg: the boom reaches "));
    assert_non_null(strstr(status.text, " track at "));
}

TEST_GROUP(NULL, NULL)
