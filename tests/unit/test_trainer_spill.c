/// Spill of the real exercises: what the soil measures reaches the score.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "trainer/session.h"

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

/// Three grains are laid where soil may lie and three where it may not. After two seconds the latter are spilled, less what of them
/// slid so far apart that it counts as crumbs.
static void check_scene(const char *scene, const double right[2], const double wrong[2])
{
    Status status;
    SessionParams params = {.scene = scene, .threads = 1};
    Session *session = session_create(&params, &status);
    if (session == NULL) {
        fail_msg("%s", status.text);
    }
    Soil *soil = session_soil(session);
    for (int k = 0; k < 6; k++) {
        const double *place = k % 2 ? right : wrong;
        double x = place[0] + 0.3 * k, z = soil_get_height(soil, x, place[1]) + 0.06;
        assert_true(soil_add_particle(soil, (Vec3){x, place[1], z}, (Vec3){0, 0, 0}, 0.05, 0, 1.5) >= 0);
    }
    OperatorControls neutral = {{0}};
    assert_true(spilled(session) == 0.0);
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &neutral);
    }
    print_message("%s: spilled %.2f kg of 4.5\n", scene, spilled(session));
    assert_true(spilled(session) > 0.5 * 4.5 && spilled(session) < 4.5 + 1e-6);
    session_destroy(session);
}

static void the_trench_counts_what_lies_beside_it(void **state)
{
    (void)state;
    Status status;
    SessionParams params = {.scene = "trench", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    SceneTrench trench = session_scene(session)->exercise.trench;
    session_destroy(session);
    const double right[2] = {trench.dump_x - 0.8, trench.dump_y}, wrong[2] = {trench.dump_x - 6.0, trench.dump_y};
    check_scene("trench", right, wrong);
}

static void truck_loading_counts_what_lies_beside_the_truck(void **state)
{
    (void)state;
    Status status;
    SessionParams params = {.scene = "truck-loading", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    SceneTruck truck = session_scene(session)->exercise.truck;
    session_destroy(session);
    const double right[2] = {truck.dig_x - 2.6, truck.dig_y + 2.6},
                 wrong[2] = {truck.x, truck.y + 4.0 + truck.bed_width};
    check_scene("truck-loading", right, wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trench_counts_what_lies_beside_it),
        cmocka_unit_test(truck_loading_counts_what_lies_beside_the_truck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
