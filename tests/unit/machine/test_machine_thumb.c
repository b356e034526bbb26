/// A thumb beside a digging bucket: its class, its times, the force at its tips, what it holds against the bucket by
/// friction alone, equal in all headings, the bucket's own force as without it, and files that cannot be.
// test: sanitized
#include "data/core/constants.h"
#include "data/core/tool_geometry.h"
#include "data/files/document.h"
#include "data/schema/load.h"
#include "machine/cylinder.h"
#include "machine/lifting.h"
#include "tests/support/machine_fixture.h"

#define TOOL "thumb-bucket-1300"

enum { THUMB = EXCAVATOR_JOINT_COUNT }; ///< its joint

static MachineParams thumb_params(void)
{
    Status status;
    MachineParams params;
    assert_good(data_load_machine("excavator-22t", &params, NULL, &status), status);
    assert_good(data_load_attachment(TOOL, &params, NULL, &status), status);
    return params;
}

static double angle_of(const Site *site)
{
    return site_readout(site).angle[THUMB];
}

TEST(the_thumb_hangs_on_the_stick)
{
    MachineParams params = thumb_params(), plain = shipped_params();
    assert_true(params.thumb);
    assert_int_equal(params.joint_count, THUMB + 1);
    assert_int_equal(params.jaw_count, 1);
    assert_int_equal(params.joint[THUMB].parent, EXCAVATOR_STICK);
    assert_int_equal(machine_joint_of_control(&params, CONTROL_AUXILIARY), THUMB);
    assert_near(params.joint[THUMB].origin.x, plain.joint[EXCAVATOR_JOINT_BUCKET].origin.x, 1e-12);
    double more = machine_total_mass(&params) - machine_total_mass(&plain);
    assert_true(more >= 300.0 && more <= 550.0); // of the class
    assert_near(excavator_tip_radius(&params), excavator_tip_radius(&plain), 1e-12);
}

/// N at the tips by the file: pressure x area x lever arm of the cylinder / distance of the tips.
static double tip_force(const MachineParams *params, double angle)
{
    const MachineCylinder *cylinder = &params->joint[THUMB].cylinder;
    double length, arm;
    assert_true(cylinder_length(&params->joint[THUMB], angle, &length, &arm));
    return cylinder->relief * cylinder_area(cylinder, true) * fabs(arm) / 1.40;
}

TEST(forces_and_times_are_those_of_the_file)
{
    MachineParams params = thumb_params();
    const double *range = params.joint[THUMB].range;
    double most = 0.0;
    for (int k = 0; k <= 100; k++) {
        most = fmax(most, tip_force(&params, range[0] + 0.01 * k * (range[1] - range[0])));
    }
    assert_near(tip_force(&params, range[1]), 36e3, 1e3);
    assert_near(most, 52e3, 2e3);
    Site site = site_of(&params);
    site_lever(&site, CONTROL_BUCKET, -1.0); // out of the way
    site_run(&site, 2.5);
    site_lever(&site, CONTROL_BUCKET, 0.0);
    double time[2];
    for (int way = 0; way < 2; way++) {
        double end = way == 0 ? range[1] : range[0];
        site_lever(&site, CONTROL_AUXILIARY, way == 0 ? 1.0 : -1.0);
        int steps = 0;
        for (; steps < 4000 && fabs(angle_of(&site) - end) > 1.0 * degree; steps++) {
            site_step(&site);
        }
        time[way] = steps * step_time;
        site_run(&site, 1.0);
    }
    print_message("closes in %.2f s, opens in %.2f s\n", time[0], time[1]);
    assert_near(time[0], 3.8, 0.3);
    assert_near(time[1], 3.8, 0.3);
    site_destroy(&site);
}

/// The lever's way is the speed: half a lever gives half the speed.
TEST(it_follows_the_lever_by_its_way)
{
    double turned[2];
    for (int k = 0; k < 2; k++) {
        MachineParams params = thumb_params();
        Site site = site_of(&params);
        const double dead = params.hydraulics.dead_band, half = dead + 0.5 * (1.0 - dead);
        site_lever(&site, CONTROL_AUXILIARY, k == 0 ? 1.0 : half);
        site_run(&site, 0.6);
        double from = angle_of(&site);
        site_run(&site, 0.5);
        turned[k] = angle_of(&site) - from;
        site_destroy(&site);
    }
    assert_near(turned[1] / turned[0], 0.5, 0.1);
}

/// ---- grip ----------------------------------------------------------------------------------------------------------

/// Plates in place of bucket and thumb, upright and `apart` m from each other, and a log between them.
typedef struct Grip {
    Site site;
    HungLoadParams log;
    HungLoad load;
    SolidThing shape, thing;
    double friction;
    double pressed; ///< N: of the thumb on the log, along its normals, in the last step
} Grip;

#define PLATE_AT 0.9 ///< m: from the pin to the log

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

/// The two plates are parallel where both press on a log whose sides are `radius` m from its axis.
static MachineParams plate_params(double radius, double relief)
{
    MachineParams params = thumb_params();
    ToolShape *shape = &params.tool[0].shape;
    const ToolPiece bucket = {.corner_count = 4,
                              .corners = {{0.4, radius}, {1.4, radius}, {1.4, radius + 0.06}, {0.4, radius + 0.06}},
                              .y_min = -0.5,
                              .y_max = 0.5};
    const ToolPiece thumb = {.corner_count = 4,
                             .corners = {{0.4, -radius - 0.06}, {1.4, -radius - 0.06}, {1.4, -radius}, {0.4, -radius}},
                             .y_min = -0.5,
                             .y_max = 0.5};
    shape->piece_count = 1;
    shape->pieces[0] = bucket;
    bool first = true;
    for (int k = 0; k < params.solid_count; k++) {
        if (params.solid[k].body == params.joint[THUMB].child && first) {
            params.solid[k].piece = thumb;
            first = false;
        } else if (params.solid[k].body == params.joint[THUMB].child) {
            params.solid[k--] = params.solid[--params.solid_count];
        }
    }
    // Both hang straight down in the middle of the thumb's way.
    params.start_pose[EXCAVATOR_JOINT_BOOM] = 40.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_STICK] = -50.0 * degree;
    params.start_pose[EXCAVATOR_JOINT_BUCKET] = -80.0 * degree;
    params.start_pose[THUMB] = -83.0 * degree;
    params.joint[THUMB].cylinder.relief = relief;
    return params;
}

static Pose tool_frame(const Grip *grip)
{
    Pose frame;
    machine_get_body_frame(grip->site.machine, &grip->site.state, EXCAVATOR_BUCKET, &frame);
    return frame;
}

static Grip grip_of(MachineParams *params, double friction, double heading)
{
    Grip grip = {.log = {.mass = 100.0, .length = 2.0, .radius = 0.2, .wall = 0.2}, .friction = friction};
    grip.site = site_of(params);
    machine_start(grip.site.machine, 0.0, 0.0, 0.0, heading, &grip.site.state);
    Vec3 points[24];
    const char *reason;
    for (int k = 0; k < 24; k++) {
        double angle = 2.0 * M_PI * (k / 2 + 0.5) / 12, r = grip.log.radius;
        points[k] = vec3((k % 2 == 0 ? 0.5 : -0.5) * grip.log.length, r * cos(angle), r * sin(angle));
    }
    assert_true(solid_thing_make(points, 24, friction, &grip.shape, &reason));
    Pose frame = tool_frame(&grip);
    Vec3 at = pose_apply(&frame, vec3(PLATE_AT, 0.0, 0.0));
    hung_load_start(at.x, at.y, at.z, heading + 0.5 * M_PI, &grip.load);
    put_log(&grip);
    return grip;
}

static void grip_run(Grip *grip, double seconds, double lever, bool held)
{
    Site *site = &grip->site;
    for (int n = 0; n < (int)(seconds / step_time + 0.5); n++) {
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
            bool thumb = touches[k].body == machine_params(site->machine)->joint[THUMB].child;
            grip->pressed += thumb ? vec3_dot(touches[k].force, touches[k].normal) : 0.0;
        }
        if (!held) {
            hung_load_take(&mover, &grip->load);
        }
        put_log(grip);
    }
    assert_true(machine_state_is_finite(&site->state));
    assert_true(hung_load_is_finite(&grip->load));
}

/// Of the log in the bucket's frame, m.
static Vec3 place_of(const Grip *grip)
{
    Pose frame = tool_frame(grip);
    return pose_apply_inverse(&frame, hung_load_frame(&grip->load).position);
}

/// The thumb presses with what relief, bore and lever arm say, and keeps it when the valve closes. It holds by friction
/// what weighs 2 mu N against the bucket, and no more.
TEST(friction_alone_holds)
{
    static const double share[] = {0.95, 1.05};
    for (int k = 0; k < 2; k++) {
        const double friction = 0.4, relief = 4e6;
        MachineParams params = plate_params(0.2 * cos(M_PI / 12.0), relief);
        Grip grip = grip_of(&params, friction, 0.0);
        grip_run(&grip, 3.0, 1.0, true);
        double length, arm, force = grip.pressed;
        assert_true(cylinder_length(&params.joint[THUMB], angle_of(&grip.site), &length, &arm));
        double wanted = relief * cylinder_area(&params.joint[THUMB].cylinder, true) * fabs(arm) / PLATE_AT;
        assert_near(force, wanted, 0.1 * wanted); // with the thumb's own weight
        grip_run(&grip, 1.0, 1.0, false);
        double free = grip.pressed;
        grip_run(&grip, 3.0, 0.0, false);
        print_message("%.2f kN, by the cylinder %.2f kN, of a free log %.2f and %.2f kN 3 s later\n", 1e-3 * force,
                      1e-3 * wanted, 1e-3 * free, 1e-3 * grip.pressed);
        assert_near(grip.pressed, free, 0.1 * free); // the arm gives a quarter of a millimetre
        grip_run(&grip, 1.0, 1.0, false);
        // What slips down draws the thumb on: N a = T + mu N r, T the cylinder's moment with half the log's weight now.
        const double r = 0.2 * cos(M_PI / 12.0), half = 0.5 * grip.log.mass * STANDARD_GRAVITY;
        double slipping = (grip.pressed * PLATE_AT - half * r) / (PLATE_AT - friction * r);
        grip.log.mass = share[k] * 2.0 * friction * slipping / STANDARD_GRAVITY;
        Vec3 before = place_of(&grip);
        grip_run(&grip, 0.4, 1.0, false);
        double fell = place_of(&grip).x - before.x;
        print_message("%.2f of 2 mu N: %.1f mm in 0.4 s\n", share[k], 1e3 * fell);
        assert_true(share[k] < 1.0 ? fabs(fell) < 3e-3 : fell > 5e-3);
        site_destroy(&grip.site);
    }
}

TEST(a_grip_lasts_and_is_equal_in_all_headings)
{
    static const double headings[] = {0.0, 0.7, 2.4, -1.9};
    double first = 0.0;
    for (int k = 0; k < 4; k++) {
        MachineParams params = plate_params(0.2 * cos(M_PI / 12.0), 20e6);
        Grip grip = grip_of(&params, 0.4, headings[k]);
        grip.log.mass = 400.0;
        grip_run(&grip, 2.0, 1.0, true);
        grip_run(&grip, 1.0, 0.0, false);
        Vec3 before = place_of(&grip);
        grip_run(&grip, 4.0, 0.0, false);
        double way = vec3_length(vec3_sub(place_of(&grip), before));
        first = k == 0 ? way : first;
        print_message("heading %.1f: %.3f mm in 4 s\n", headings[k], 1e3 * way);
        assert_true(way < 2e-3);
        assert_near(way, first, 8e-5);
        site_destroy(&grip.site);
    }
}

/// ---- digging -------------------------------------------------------------------------------------------------------

/// N with which the edge of a curling bucket pushes against a moment: that which just stops it.
static double curl_force(MachineParams *params)
{
    double low = 50e3, high = 400e3;
    for (int n = 0; n < 12; n++) {
        double force = 0.5 * (low + high);
        Site site = site_of(params);
        site_run(&site, 0.5);
        double from = site_readout(&site).angle[EXCAVATOR_JOINT_BUCKET];
        site_lever(&site, CONTROL_BUCKET, 1.0);
        for (int k = 0; k < 240; k++) {
            Pose frame;
            machine_get_body_frame(site.machine, &site.state, EXCAVATOR_BUCKET, &frame);
            Vec3 axis = mat3_mul(&frame.rotation, machine_joint_axis(site.machine, EXCAVATOR_JOINT_BUCKET));
            site.tool.moment = vec3_scale(axis, force * excavator_tip_radius(params)); // against the curl
            site_step(&site);
        }
        bool turns = site_readout(&site).angle[EXCAVATOR_JOINT_BUCKET] < from - 0.5 * degree;
        low = turns ? force : low;
        high = turns ? high : force;
        site_destroy(&site);
    }
    return low;
}

/// The stowed thumb touches nothing while the bucket runs from end to end, and takes nothing from its force.
TEST(a_stowed_thumb_does_not_change_the_bucket)
{
    MachineParams params = thumb_params(), plain = shipped_params();
    double with = curl_force(&params), without = curl_force(&plain);
    print_message("curl force %.1f kN with the thumb, %.1f kN without\n", 1e-3 * with, 1e-3 * without);
    assert_near(with, without, 0.005 * without);
    Site sites[2] = {site_of(&params), site_of(&plain)};
    double least[2];
    for (int k = 0; k < 2; k++) {
        site_lever(&sites[k], CONTROL_BUCKET, 1.0);
        site_run(&sites[k], 4.0);
        least[k] = site_readout(&sites[k]).angle[EXCAVATOR_JOINT_BUCKET];
        site_destroy(&sites[k]);
    }
    assert_near(least[0], least[1], 0.2 * degree); // curled as far
}

/// ---- files ---------------------------------------------------------------------------------------------------------

TEST(thumbs_that_cannot_be_are_refused_where_they_stand)
{
    static const struct {
        const char *set, *says;
    } wrong[] = {
        {"thumb.range_deg.1=-36", "thumb.range_deg: read -35 to -36, allowed angles from 5 deg apart on"},
        {"thumb.start_deg=0", "thumb.start_deg: read 0, allowed -140 to -35 (range_deg)"},
        {"thumb.body.mass=1", "thumb.body.mass: read 1, allowed 6.875 to"},
        {"thumb.cylinder.rod_mm=100", "thumb.cylinder.rod_mm: read 100, allowed less than bore_mm (100)"},
        {"thumb.cylinder.closed_mm=500", "thumb.cylinder.closed_mm: read 500, allowed more than stroke_mm (530)"},
        {"thumb.cylinder.relief_mpa=200", "thumb.cylinder.relief_mpa: read 200, allowed 1 to 100"},
        {"thumb.pieces.0.y_max=-1", "thumb.pieces.0.y_max: read -1, allowed more than y_min (-0.25)"},
        {"thumb.pin.0=50", "thumb.pin.0: read 50, allowed -20 to 20"},
        {NULL, "lifting_eye: a tool with a thumb has none"},
        {"carrier_mass.0=5000", "thumb: read 1230, allowed up to 1000 kg: 0.2 of its lightest carrier (5000 kg)"},
    };
    static char text[1 << 14];
    FILE *file = fopen(SPADEWORK_DATA_DIR "/attachments/" TOOL ".yaml", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 64, file), with_eye;
    fclose(file);
    with_eye = size + (size_t)snprintf(text + size, 64, "\nlifting_eye: [0.1, 0.5]\n");
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        Document document;
        bool eye = wrong[k].set == NULL;
        assert_good(document_open(&document, "bad", text, eye ? with_eye : size, &status), status);
        assert_good(eye || override_apply(&document, wrong[k].set, &status), status);
        bool good = data_check_text("bad", document.text, document.size, &status);
        document_close(&document);
        if (good || strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s gives \"%s\", expected \"%s\"", eye ? "an eye" : wrong[k].set, good ? "" : status.text,
                     wrong[k].says);
        }
    }
}

TEST_GROUP(NULL, NULL)
