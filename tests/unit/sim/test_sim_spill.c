/// Spill of the real exercises: what the soil measures reaches the score.

#include "tests/support/test.h"

#include "soil/soil_lab.h"
#include "trainer/sim/session.h"

static double spilled(const Session *session)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, "spilled_kg") == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric spilled_kg");
    return 0.0;
}

/// The boom is lowered until the edge is in the ground, and lifted: what moves from now on is the operator's.
static void touch_ground(Session *session)
{
    OperatorControls controls = control_neutral;
    const MachineReadout *machine = &session_frame(session)->machine;
    for (int up = 0; up < 2; up++) {
        controls.axis[CONTROL_BOOM] = up ? CONTROL_FULL : -CONTROL_FULL;
        for (int tick = 0; tick < (up ? 60 : 600); tick++) {
            double ground = soil_get_height(session_soil(session), machine->tip.x, machine->tip.y);
            if (!up && machine->tip.z < ground - 0.02) {
                break;
            }
            session_tick(session, &controls);
        }
    }
}

/// kg spilled after two seconds in which nobody drives, with three grains at each of `count` places: x, y and height
/// over the ground.
static double spilled_with(const char *scene, const double places[][3], int count)
{
    Status status;
    SessionParams params = {.scene = scene, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    Soil *soil = session_soil(session);
    assert_true(spilled(session) == 0.0);
    touch_ground(session);
    for (int k = 0; k < 3 * count; k++) {
        const double *place = places[k % count];
        double x = place[0] + 0.3 * k, z = soil_get_height(soil, x, place[1]) + place[2] + 0.06;
        assert_true(soil_add_particle(soil, (Vec3){x, place[1], z}, (Vec3){0, 0, 0}, 0.05, 0, 1.5) >= 0);
    }
    OperatorControls neutral = control_neutral;
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &neutral);
    }
    double result = spilled(session);
    session_destroy(session);
    return result;
}

/// Grains where soil may lie are no spill, those where it may not are, less what of them slid so far apart that it
/// counts as crumbs. The scene's own mounds slide a little beyond the place to dig, and a little more where grains
/// fell.
static void check_scene(const char *scene, const double right[3], const double wrong[3])
{
    const double places[2][3] = {{right[0], right[1], right[2]}, {wrong[0], wrong[1], wrong[2]}};
    double mounds = spilled_with(scene, places, 0);
    double more = spilled_with(scene, places, 2) - mounds;
    print_message("%s: spilled %.2f kg of 4.5, and %.2f kg of itself\n", scene, more, mounds);
    assert_true(more > 0.5 * 4.5 && more < 1.3 * 4.5);
}

TEST(the_trench_counts_what_lies_beside_it)
{
    Status status;
    SessionParams params = {.scene = "trench", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    SceneTrench trench = session_scene(session)->exercise.trench;
    session_destroy(session);
    const double right[3] = {trench.dump_x - 0.8, trench.dump_y, 0.0};
    const double wrong[3] = {trench.dump_x - 6.0, trench.dump_y, 0.0};
    check_scene("trench", right, wrong);
}

TEST(truck_loading_counts_what_lies_beside_the_truck)
{
    Status status;
    SessionParams params = {.scene = "truck-loading", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    SceneTruck truck = session_scene(session)->exercise.truck;
    session_destroy(session);
    const double right[3] = {truck.x - 0.8, truck.y, truck.floor_height + 0.1};
    const double wrong[3] = {truck.x, truck.y + 4.0 + truck.bed_width, 0.0};
    check_scene("truck-loading", right, wrong);
}

TEST_GROUP(NULL, NULL)
