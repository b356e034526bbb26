/// What machines and trucks carry: lamps, mirrors and levers; persons beside them.

#include "data/schema/load.h"
#include "data/schema/scene_site.h"
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"
#include "render/meshes/truck_mesh.h"
#include "render/models/person_model.h"
#include "render/render.h"
#include "tests/support/test.h"

static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
enum { MACHINES = 3 };

static void load_machine(const char *name, MachineParams *machine)
{
    Status status;
    assert_good(data_load_machine(name, machine, NULL, &status), status);
}

/// Lamps are in pairs, left and right of the middle of what carries them, and shine down.
TEST(lamps_are_in_pairs)
{
    for (int m = 0; m < MACHINES; m++) {
        MachineParams machine;
        FittingLamp lamps[FITTINGS_MAX_LAMPS];
        load_machine(machines[m], &machine);
        int count = machine_lamps(&machine, lamps);
        assert_int_equal(count, 4);
        for (int k = 0; k < count; k++) {
            assert_true(lamps[k].body > MACHINE_BASE || machine.cab_body == MACHINE_BASE);
            assert_near(vec3_length(lamps[k].direction), 1.0, 1e-12);
            assert_true(lamps[k].direction.z < -0.1);
        }
        for (int k = 0; k < count; k += 2) {
            bool cab = lamps[k].body == machine.cab_body;
            double middle = cab ? machine.cab.corner[1] + 0.5 * machine.cab.size[1] : 0.0;
            assert_int_equal(lamps[k].body, lamps[k + 1].body);
            assert_true(lamps[k].at.y > middle);
            assert_near(lamps[k].at.y - middle, middle - lamps[k + 1].at.y, 1e-9);
        }
        // The first two look ahead over the windscreen.
        assert_true(lamps[0].direction.x > 0.9);
        assert_true(lamps[0].at.x > machine.cab.eye[0] && lamps[0].at.z > machine.cab.corner[2] + machine.cab.size[2]);
    }
}

/// From the driver's eye the middle of each glass shows what the mirror is there for, and the driver sees the glass's
/// face.
TEST(mirrors_show_what_they_are_there_for)
{
    for (int m = 0; m < MACHINES; m++) {
        MachineParams machine;
        FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
        load_machine(machines[m], &machine);
        int count = machine_mirrors(&machine, mirrors);
        assert_true(count >= 1);
        for (int k = 0; k < count; k++) {
            const Pose *glass = &mirrors[k].glass;
            Vec3 eye = pose_apply_inverse(glass, vec3(machine.cab.eye[0], machine.cab.eye[1], machine.cab.eye[2]));
            Vec3 shown = pose_apply_inverse(glass, mirrors[k].shown);
            assert_true(eye.x > 0.3 && shown.x > 0.3);
            // The ray from the eye to the middle leaves it towards what is shown, turned round about the normal.
            eye = vec3_unit(eye, eye);
            shown = vec3_unit(shown, shown);
            assert_near(eye.x, shown.x, 1e-9);
            assert_near(eye.y, -shown.y, 1e-9);
            assert_near(eye.z, -shown.z, 1e-9);
            assert_true(mirrors[k].shown.x < machine.cab.eye[0] - 1.0);
        }
    }
}

/// Levers stand in the cab, under the driver's eye and within his reach, joysticks left and right of him.
TEST(levers_are_within_reach)
{
    for (int m = 0; m < MACHINES; m++) {
        MachineParams machine;
        CabLever levers[CAB_MAX_LEVERS];
        load_machine(machines[m], &machine);
        const MachineCab *cab = &machine.cab;
        int count = cab_levers(&machine, levers);
        assert_true(count >= 2 && count <= CAB_MAX_LEVERS);
        assert_near(levers[0].pivot.y - cab->eye[1], cab->eye[1] - levers[1].pivot.y, 1e-12);
        for (int k = 0; k < count; k++) {
            const double at[3] = {levers[k].pivot.x, levers[k].pivot.y, levers[k].pivot.z};
            for (int axis = 0; axis < 3; axis++) {
                assert_true(at[axis] > cab->corner[axis] && at[axis] < cab->corner[axis] + cab->size[axis]);
            }
            assert_true(at[2] < cab->eye[2] - 0.5);
            assert_true(hypot(at[0] - cab->eye[0], at[1] - cab->eye[1]) < 0.9);
        }
    }
}

TEST(joysticks_lean_as_they_are_held)
{
    double levers[CONTROL_COUNT] = {0}, at[2];
    levers[CONTROL_SWING] = 0.4;
    levers[CONTROL_BOOM] = 0.7;
    render_stick(levers, NULL, true, at);
    assert_near(at[0], 0.4, 1e-12); // swing to the right: to the right
    assert_near(at[1], 0.0, 1e-12);
    render_stick(levers, "ISO", false, at);
    assert_near(at[1], -0.7, 1e-12); // boom up: pulled back
    render_stick(levers, "BHL", true, at);
    assert_near(at[1], -0.7, 1e-12);
}

TEST(a_truck_has_two_headlamps)
{
    TruckParams truck = {.bed = {.width = 2.4}, .front = 5.0};
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    assert_int_equal(truck_lamps(&truck, lamps), 2);
    assert_near(lamps[0].at.y, -lamps[1].at.y, 1e-12);
    assert_true(lamps[0].at.y > 0.5 && lamps[0].at.y < 1.2);
    assert_near(lamps[0].at.x, truck.front, 0.05);
    assert_true(lamps[0].direction.x > 0.9);
}

/// The number stands on both doors; a digit has as many strokes as it needs.
TEST(a_truck_is_told_by_its_number)
{
    Status status;
    SceneParams scene;
    MachineParams machine;
    assert_good(data_load_scene("truck-loading", NULL, 0, &scene, &machine, NULL, &status), status);
    TruckParams truck = scene_truck_shape(&scene);
    float low[3], high[3];
    Mesh mesh = {0};
    truck_mesh_number(&truck, 88, &mesh);
    int all = mesh.vertex_count;
    mesh_bounds(&mesh, low, high);
    assert_near((double)high[1], 0.5 * truck_cab_width(&truck), 0.01);
    assert_near((double)low[1], -0.5 * truck_cab_width(&truck), 0.01);
    assert_true((double)high[0] < truck.front && (double)(high[0] - low[0]) < 0.5);
    mesh_free(&mesh);
    truck_mesh_number(&truck, 21, &mesh);
    assert_int_equal(mesh.vertex_count * 14, all * 7); // 5 + 2 strokes of 14
    mesh_free(&mesh);
    truck_mesh_chassis(&truck, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_near((double)high[0], truck.front, 0.03);
    assert_true((double)high[1] < 0.5 * truck.bed.width + 0.25);
    mesh_free(&mesh);
}

/// A person is as tall as the capsule that the soil and the machine know, and not much wider.
TEST(a_person_has_the_size_of_its_capsule)
{
    ScenePerson person = {.x = 3.0, .y = -2.0, .radius = 0.3, .height = 1.7};
    float low[3], high[3];
    Mesh mesh = {0};
    person_mesh(&person, 0.5, 0.0, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_near((double)low[2], 0.5, 0.01);
    assert_near((double)high[2], 2.2, 0.01);
    assert_near(0.5 * (double)(high[1] + low[1]), -2.0, 0.03);
    assert_near(0.5 * (double)(high[1] - low[1]), 0.3, 0.06);
    mesh_free(&mesh);
}

/// Shoes and nose point to where the person looks.
TEST(a_person_looks_where_it_faces)
{
    ScenePerson person = {.radius = 0.25, .height = 1.8};
    float low[3], high[3];
    Mesh mesh = {0};
    person_mesh(&person, 0.0, 0.5 * M_PI, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_true((double)(high[1] + low[1]) > 0.05 && fabs((double)(high[0] + low[0])) < 0.06);
    mesh_free(&mesh);
}

/// Where a signal has the two hands, m from the shoulders.
static void find_hands(RenderSignal signal, double time, Vec3 hands[2])
{
    PersonArms arms = person_arms(signal, time);
    for (int side = 0; side < 2; side++) {
        assert_near(vec3_length(arms.part[side][0]), 1.0, 1e-9);
        assert_near(vec3_length(arms.part[side][1]), 1.0, 1e-9);
        hands[side] = vec3_add(vec3_scale(arms.part[side][0], 0.27), vec3_scale(arms.part[side][1], 0.40));
    }
}

/// No two arm signals look alike: somewhere in a movement a hand is two fists' widths from where the other has it.
TEST(arm_signals_can_be_told_apart)
{
    for (int a = 0; a < RENDER_SIGNAL_COUNT; a++) {
        for (int b = 0; b < a; b++) {
            double most = 0.0;
            for (int k = 0; k < 30; k++) {
                Vec3 one[2], other[2];
                find_hands((RenderSignal)a, 0.1 * k, one);
                find_hands((RenderSignal)b, 0.1 * k, other);
                most = fmax(most, vec3_length(vec3_sub(one[0], other[0])));
                most = fmax(most, vec3_length(vec3_sub(one[1], other[1])));
            }
            if (most < 0.2) {
                fail_msg("signals %d and %d: %.2f m", a, b, most);
            }
        }
    }
}

TEST_GROUP(NULL, NULL)
