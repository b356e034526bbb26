/// A grab: the force of its jaws against its data, what it holds by friction alone, equal in all headings, with an open
/// and a closed valve, and files that cannot be.
// test: sanitized
#include "data/core/tool_geometry.h"
#include "data/files/document.h"
#include "data/schema/load.h"
#include "tests/support/machine_fixture.h"

#include "data/core/constants.h"
#include "machine/cylinder.h"
#include "machine/lifting.h"

#define GRAB "sorting-grab-1200"

enum { OUTER = EXCAVATOR_JOINT_COUNT + 1 }; ///< joint of the outer jaw, after the rotator's

static MachineParams grab_params(void)
{
    Status status;
    MachineParams params;
    assert_good(data_load_machine("excavator-22t", &params, NULL, &status), status);
    assert_good(data_load_attachment(GRAB, &params, NULL, &status), status);
    return params;
}

/// The grab with flat plates for jaws, which stand upright and `apart` m from each other at the angle 0.
static MachineParams plate_params(double apart, double relief)
{
    MachineParams params = grab_params();
    for (int jaw = 0; jaw < 2; jaw++) {
        int joint = params.joint_count - 2 + jaw, body = params.joint[joint].child;
        double side = jaw == 0 ? 1.0 : -1.0, face = side * (0.5 * apart) - params.joint[joint].origin.z;
        double low = fmin(face, face + side * 0.06), high = fmax(face, face + side * 0.06);
        bool first = true;
        for (int k = 0; k < params.solid_count; k++) {
            if (params.solid[k].body == body && first) {
                params.solid[k].piece = (ToolPiece){.corner_count = 4,
                                                    .corners = {{0.3, low}, {0.9, low}, {0.9, high}, {0.3, high}},
                                                    .y_min = -0.5,
                                                    .y_max = 0.5};
                first = false;
            } else if (params.solid[k].body == body) {
                params.solid[k--] = params.solid[--params.solid_count];
            }
        }
        params.joint[joint].range[jaw == 0 ? 0 : 1] = -side * 0.15;
        params.joint[joint].cylinder.stroke += 0.05;
        params.joint[joint].cylinder.relief = relief;
        params.start_pose[joint] = side * 0.12;
    }
    return params;
}

/// A grab over firm ground with a log in its jaws.
typedef struct Grip {
    Site site;
    HungLoadParams log;
    HungLoad load;
    SolidThing shape, thing;
    double friction, heading;
    double pressed; ///< N: of the outer jaw on the log, along its normals, in the last step
} Grip;

static void put_log(Grip *grip)
{
    Pose frame = hung_load_frame(&grip->load);
    solid_thing_place(&grip->shape, &frame, &grip->thing);
    grip->thing.mover = 1;
    grip->thing.friction = grip->friction;
    grip->thing.velocity = hung_load_velocity(&grip->load, grip->thing.center);
    const double *spin = grip->load.motion.spin;
    grip->thing.spin = vec3(spin[0], spin[1], spin[2]);
}

static Pose grab_frame(const Grip *grip)
{
    Pose frame;
    machine_get_body_frame(grip->site.machine, &grip->site.state, machine_params(grip->site.machine)->tool[0].body,
                           &frame);
    return frame;
}

/// A prism of twelve sides, square across the jaws, with its middle `down` m along the grab and `aside` m off its
/// middle plane.
static Grip grip_of(MachineParams *params, double mass, double friction, double heading, double down, double aside)
{
    Grip grip = {.log = {.mass = mass, .length = 3.0, .radius = 0.2, .wall = 0.2}, .friction = friction};
    grip.site = site_of(params);
    machine_start(grip.site.machine, 0.0, 0.0, 0.0, heading, &grip.site.state);
    grip.site.cohesion = 2e4;
    grip.heading = heading;
    Vec3 points[24];
    const char *reason;
    for (int k = 0; k < 24; k++) {
        double angle = 2.0 * M_PI * (k / 2 + 0.5) / 12, r = grip.log.radius;
        points[k] = vec3((k % 2 == 0 ? 0.5 : -0.5) * grip.log.length, r * cos(angle), r * sin(angle));
    }
    assert_true(solid_thing_make(points, 24, friction, &grip.shape, &reason));
    Pose frame = grab_frame(&grip);
    Vec3 at = pose_apply(&frame, vec3(down, aside, 0.0));
    hung_load_start(at.x, at.y, at.z, heading + 0.5 * M_PI, &grip.load);
    put_log(&grip);
    return grip;
}

/// With `held` the log stays where it is, as if it stood on something.
static void grip_step(Grip *grip, double lever, bool held)
{
    Site *site = &grip->site;
    Vec3 points[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(site->machine, &site->state, points);
    for (int i = 0; i < count; i++) {
        ground[i] = (MachineGround){
            .normal = {0.0, 0.0, 1.0}, .firmness = 1.0, .bearing = HUGE_VAL, .friction = 0.7, .cohesion = 2e4};
    }
    HungLoadGround under[HUNG_LOAD_FEET];
    for (int k = 0; k < HUNG_LOAD_FEET; k++) {
        under[k] = (HungLoadGround){-10.0, vec3(0.0, 0.0, 1.0)};
    }
    MachineMover mover = {.mass = 0.0};
    if (!held) {
        hung_load_push(&grip->log, under, NULL, &grip->load, &mover);
    }
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    int found = machine_find_touches(site->machine, &site->state, &grip->thing, 1, touches);
    site_lever(site, CONTROL_AUXILIARY, lever);
    const MachineInputs inputs = {.controls = &site->controls,
                                  .ground = ground,
                                  .touches = touches,
                                  .touch_count = found,
                                  .movers = &mover,
                                  .mover_count = 1};
    machine_step(site->machine, &inputs, step_time, &site->state);
    grip->pressed = 0.0;
    for (int k = 0; k < found; k++) {
        bool outer = touches[k].body == machine_params(site->machine)->body_count - 2;
        grip->pressed += outer ? vec3_dot(touches[k].force, touches[k].normal) : 0.0;
    }
    if (!held) {
        hung_load_take(&mover, &grip->load);
    }
    put_log(grip);
}

static void grip_run(Grip *grip, double seconds, double lever, bool held)
{
    for (int k = 0; k < (int)(seconds / step_time + 0.5); k++) {
        grip_step(grip, lever, held);
    }
    assert_true(machine_state_is_finite(&grip->site.state));
    assert_true(hung_load_is_finite(&grip->load));
}

/// Of the log in the grab's frame, m.
static Vec3 place_of(const Grip *grip)
{
    Pose frame = grab_frame(grip);
    return pose_apply_inverse(&frame, hung_load_frame(&grip->load).position);
}

/// N at the tips by the file: pressure x bore x lever arm of the cylinder / distance of the tip.
static double tip_force(const MachineParams *params, double angle)
{
    const MachineJointParams *joint = &params->joint[params->joint_count - 2];
    double length, arm;
    assert_true(cylinder_length(joint, angle, &length, &arm));
    return joint->cylinder.relief * cylinder_area(&joint->cylinder, true) * fabs(arm) / hypot(0.90, 0.27);
}

/// Makers of the class state 40 to 60 kN at the tips, 1.9 to 2.2 m of opening, 1.1 to 1.35 t.
TEST(the_grab_is_of_its_class)
{
    MachineParams params = grab_params();
    const MachineJointParams *joint = &params.joint[params.joint_count - 2];
    double mass = 0.0, open = joint->range[1];
    for (int k = EXCAVATOR_BUCKET; k < params.body_count; k++) {
        mass += params.body[k].mass;
    }
    double opening = 2.0 * (joint->origin.z + 0.90 * sin(open) - 0.27 * cos(open));
    print_message("%.0f kg, opening %.2f m, %.1f kN at the tips\n", mass, opening, 1e-3 * tip_force(&params, 0.0));
    assert_true(mass >= 1100.0 && mass <= 1350.0);
    assert_true(opening >= 1.9 && opening <= 2.2);
    assert_true(tip_force(&params, 0.0) >= 40e3 && tip_force(&params, 0.0) <= 60e3);
    Status status;
    Machine *machine = machine_create(&params, &status);
    assert_good(machine != NULL, status);
    machine_destroy(machine);
}

/// Plates that press a log that stands give what relief, bore and lever arm say, and keep it when the valve closes.
TEST(the_force_is_that_of_the_cylinder)
{
    static const double relief[] = {5e6, 15e6, 30e6};
    for (int k = 0; k < 3; k++) {
        MachineParams params = plate_params(0.4 * cos(M_PI / 12.0), relief[k]);
        Grip grip = grip_of(&params, 300.0, 0.4, 0.0, params.joint[OUTER].origin.x + 0.6, 0.0);
        grip_run(&grip, 3.0, 1.0, true);
        double length, arm, closed = grip.pressed;
        assert_true(cylinder_length(&params.joint[OUTER], 0.0, &length, &arm));
        double wanted = relief[k] * cylinder_area(&params.joint[OUTER].cylinder, true) * fabs(arm) / 0.6;
        grip_run(&grip, 10.0, 0.0, true);
        print_message("%.0f MPa: %.2f kN, by the cylinder %.2f kN, 10 s later %.2f kN\n", 1e-6 * relief[k],
                      1e-3 * closed, 1e-3 * wanted, 1e-3 * grip.pressed);
        assert_near(closed, wanted, 0.1 * wanted); // the plates lie on sides of 10 cm
        assert_near(grip.pressed, closed, 0.02 * closed);
        site_destroy(&grip.site);
    }
}

/// Two plates that press with N hold by friction what weighs 2 mu N, and no more.
TEST(friction_alone_holds)
{
    static const double share[] = {0.80, 0.95, 1.05, 1.25};
    for (int k = 0; k < 4; k++) {
        const double friction = 0.4, relief = 5e6;
        MachineParams params = plate_params(0.4 * cos(M_PI / 12.0), relief);
        Grip grip = grip_of(&params, 100.0, friction, 0.0, params.joint[OUTER].origin.x + 0.6, 0.0);
        grip_run(&grip, 3.0, 1.0, true);
        grip.log.mass = share[k] * 2.0 * friction * grip.pressed / STANDARD_GRAVITY;
        Vec3 before = place_of(&grip);
        grip_run(&grip, 0.4, 1.0, false);
        double fell = place_of(&grip).x - before.x;
        print_message("%.2f of 2 mu N: %.1f mm in 0.4 s\n", share[k], 1e3 * fell);
        assert_true(share[k] < 1.0 ? fell < 2e-3 : fell > 5e-3);
        site_destroy(&grip.site);
    }
}

/// A log of 0.4 t in the shipped jaws, the valve closed: in 30 s it creeps by little, and so it does in all headings.
TEST(a_grip_lasts_and_is_equal_in_all_headings)
{
    static const double headings[] = {0.0, 0.7, 2.4, -1.9};
    double first = 0.0;
    for (int k = 0; k < 4; k++) {
        MachineParams params = plate_params(0.4 * cos(M_PI / 12.0), 20e6);
        Grip grip = grip_of(&params, 400.0, 0.4, headings[k], params.joint[OUTER].origin.x + 0.6, 0.0);
        grip_run(&grip, 2.0, 1.0, true);
        grip_run(&grip, 2.0, 0.0, false);
        Vec3 before = place_of(&grip);
        grip_run(&grip, k == 0 ? 30.0 : 5.0, 0.0, false);
        Vec3 way = vec3_sub(place_of(&grip), before);
        double rate = vec3_length(way) / (k == 0 ? 30.0 : 5.0);
        first = k == 0 ? rate : first;
        print_message("heading %.1f: %.2f mm in 30 s\n", headings[k], 30e3 * rate);
        assert_true(30.0 * rate < 0.01);
        assert_near(rate, first, 2e-5);
        site_destroy(&grip.site);
    }
}

/// Gripped 0.9 m beside its middle a log tilts when it is squeezed weakly.
TEST(a_log_gripped_beside_its_middle_tilts)
{
    double tilt[2];
    for (int k = 0; k < 2; k++) {
        MachineParams params = plate_params(0.4 * cos(M_PI / 12.0), k == 0 ? 1.8e6 : 30e6);
        Grip grip = grip_of(&params, 250.0, 0.4, 0.0, params.joint[OUTER].origin.x + 0.6, 0.9);
        grip_run(&grip, 2.0, 1.0, true);
        grip_run(&grip, 1.0, 0.0, false);
        Mat3 turn = hung_load_frame(&grip.load).rotation;
        tilt[k] = fabs(asin(turn.m[2][0])) / degree;
        site_destroy(&grip.site);
    }
    print_message("tilted by %.1f degrees at 1.8 MPa, %.2f at 30 MPa\n", tilt[0], tilt[1]);
    assert_true(tilt[0] > 10.0 && tilt[1] < 2.0);
}

/// ---- files ---------------------------------------------------------------------------------------------------------

TEST(jaws_that_cannot_be_are_refused_where_they_stand)
{
    static const struct {
        const char *set, *says;
    } wrong[] = {
        {"jaws.0.range_deg.1=2", "jaws.0.range_deg: read 0 to 2, allowed angles from 5 deg apart on"},
        {"jaws.0.start_deg=80", "jaws.0.start_deg: read 80, allowed 0 to 75 (range_deg)"},
        {"jaws.1.body.mass=1", "jaws.1.body.mass: read 1, allowed 16.2 to"},
        {"jaws.0.cylinder.rod_mm=110", "jaws.0.cylinder.rod_mm: read 110, allowed less than bore_mm (110)"},
        {"jaws.0.cylinder.relief_mpa=200", "jaws.0.cylinder.relief_mpa: read 200"},
        {"jaws.0.cylinder.stiffness_kn_per_mm=0.5", "jaws.0.cylinder.stiffness_kn_per_mm: read 0.5"},
        {"jaws.0.pieces.0.y_max=-1", "jaws.0.pieces.0.y_max: read -1, allowed more than y_min (-0.5)"},
        {"carrier_mass.0=5000", "jaws: read 1200, allowed up to 1000 kg: 0.2 of its lightest carrier (5000 kg)"},
        {"jaws.0.pin.0=50", "jaws.0.pin.0: read 50, allowed -20 to 20"},
    };
    static char text[1 << 14];
    FILE *file = fopen(SPADEWORK_DATA_DIR "/attachments/" GRAB ".yaml", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        Document document;
        assert_good(document_open(&document, "bad", text, size, &status), status);
        assert_good(override_apply(&document, wrong[k].set, &status), status);
        bool good = data_check_text("bad", document.text, document.size, &status);
        document_close(&document);
        if (good || strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s gives \"%s\", expected \"%s\"", wrong[k].set, good ? "" : status.text, wrong[k].says);
        }
    }
}

TEST_GROUP(NULL, NULL)
