/// Params that cannot be built are refused with a text that names the key and the reason.
// test: sanitized
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

static void refuse(const MachineParams *params, const char *key, const char *reason)
{
    Status status = {STATUS_GOOD, ""};
    assert_null(machine_create(params, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (!strstr(status.text, key) || !strstr(status.text, reason) || strchr(status.text, '\n')) {
        fail_msg("\"%s\" does not tell \"%s\" and \"%s\"", status.text, key, reason);
    }
}

TEST(the_shipped_machine_is_built)
{
    MachineParams params = shipped_params();
    Site site = site_of(&params);
    assert_memory_equal(machine_params(site.machine), &params, sizeof params);
    assert_near(total_mass(&params), 22000.0, 1.0);
    site_destroy(&site);
    machine_destroy(NULL);
}

TEST(bad_bodies_are_refused)
{
    MachineParams params = shipped_params();
    params.body[EXCAVATOR_STICK].mass = 0.0;
    refuse(&params, "stick.mass", "positive");
    params.body[EXCAVATOR_STICK].mass = (double)NAN;
    refuse(&params, "stick.mass", "positive");
    params = shipped_params();
    params.body[EXCAVATOR_HOUSE].inertia_size[1] = -1.0;
    refuse(&params, "house.inertia_size", "positive");
}

TEST(bad_cylinders_are_refused)
{
    MachineParams params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BOOM].cylinder.rod = params.joint[EXCAVATOR_JOINT_BOOM].cylinder.bore;
    refuse(&params, "boom_cylinder.rod", "less than the bore");
    params = shipped_params();
    params.joint[EXCAVATOR_JOINT_STICK].cylinder.stroke = 1.2;
    refuse(&params, "stick_cylinder", "stroke_mm");
    params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BUCKET].cylinder.closed += 0.3;
    refuse(&params, "bucket_cylinder", "closed_mm");
    params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BOOM].cylinder.relief = 0.0;
    refuse(&params, "boom_cylinder", "relief");
}

TEST(a_cylinder_through_its_dead_point_is_refused)
{
    MachineParams params = shipped_params();
    params.joint[EXCAVATOR_JOINT_STICK].cylinder.closed = 1.0;
    params.joint[EXCAVATOR_JOINT_STICK].cylinder.stroke = 4.0;
    params.joint[EXCAVATOR_JOINT_STICK].range[0] = -179.0 * degree;
    params.joint[EXCAVATOR_JOINT_STICK].range[1] = 60.0 * degree;
    refuse(&params, "stick_cylinder", "no lever arm");
}

TEST(a_linkage_that_cannot_close_is_refused)
{
    MachineParams params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BUCKET].linkage.link_length = 0.2;
    params.joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_length = 0.2;
    refuse(&params, "linkage", "cannot close");
}

TEST(bad_ranges_and_patches_are_refused)
{
    MachineParams params = shipped_params();
    params.joint[EXCAVATOR_JOINT_BOOM].range[1] = params.joint[EXCAVATOR_JOINT_BOOM].range[0];
    refuse(&params, "boom_range", "empty");
    params = shipped_params();
    params.tracks.patches = 17;
    refuse(&params, "tracks.patches", "3..16");
    params.tracks.patches = 1;
    refuse(&params, "tracks.patches", "3..16");
}

TEST_GROUP(NULL, NULL)
