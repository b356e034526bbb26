/// Soil that is one body stays one body: the ground that is cut holds what stands on it with the soil's whole cohesion,
/// in one cut or in many, and what moved holds on to what is cut next to it.
#include "soil/exchange/exchange.h"
#include "tests/support/soil_fixture.h"

#define TICK (1.0 / 60.0)

enum { FIRST = 20, LAST = 60 }; // columns and rows that are cut

static void tick(Soil *soil)
{
    soil_begin_tick(soil, NULL, 0, TICK);
    for (int k = 0; k < soil->model.scene.rates.substeps; k++) {
        soil_substep(soil, NULL, 0, TICK / soil->model.scene.rates.substeps, NULL);
    }
    soil_end_tick(soil, NULL, 0);
}

/// Lowers a square of ground, as a tool does; a column's width farther in along each of its borders.
static void lower(Soil *soil, double floor)
{
    for (int row = FIRST; row < LAST; row++) {
        for (int column = FIRST; column < LAST; column++) {
            cut_mark(soil, row, column, floor, true);
        }
    }
    cut_marked(soil);
    tick(soil);
}

/// Pa: what all bonds with the ground hold, over the area below them, away from the borders.
static double cohesion_of(const Soil *soil)
{
    const PairList *list = &soil->derived.ground_contacts;
    double sum = 0.0, low = soil->state.grounds.site->origin_x + (FIRST + 4) * 0.1,
           high = soil->state.grounds.site->origin_x + (LAST - 4) * 0.1;
    for (int k = 0; k < list->batches * BATCH; k++) {
        int32_t i = list->i[k];
        if (k % BATCH >= list->used[k / BATCH] || !(list->flags[k] & CONTACT_BONDED)) {
            continue;
        }
        double x = soil->state.particles.x[i], y = soil->state.particles.y[i];
        if (x > low && x < high && y > low && y < high) {
            sum += (double)list->ground[k / BATCH].adhesion[k % BATCH] * list->strength[k] / PAIR_WHOLE;
        }
    }
    return sum / ((high - low) * (high - low));
}

TEST(the_ground_holds_with_its_whole_cohesion)
{
    const int steps[] = {1, 4, 15};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = loam_scene();
        scene.particles.budget = 20000;
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        for (int step = 1; step <= steps[k]; step++) {
            lower(soil, -0.3 * step / steps[k]);
        }
        print_message("cut in %d steps: %.0f Pa of %.0f\n", steps[k], cohesion_of(soil), scene.soils[0].cohesion);
        assert_near(cohesion_of(soil), scene.soils[0].cohesion, 0.08 * scene.soils[0].cohesion);
        soil_destroy(soil);
    }
}

/// Bonds between grains that have moved and grains that have not.
static int bonds_across(const Soil *soil)
{
    const PairList *list = &soil->state.pairs;
    int count = 0;
    for (int k = 0; k < list->batches * BATCH; k++) {
        if (k % BATCH < list->used[k / BATCH] && (list->flags[k] & CONTACT_BONDED)) {
            count += particle_is_disturbed(&soil->state.particles, list->i[k], soil->model.particle_radius) !=
                     particle_is_disturbed(&soil->state.particles, list->j[k], soil->model.particle_radius);
        }
    }
    return count;
}

/// Cuts, says that all grains have moved since, and cuts deeper.
static int bonds_after_a_second_cut(bool held)
{
    SceneParams scene = loam_scene();
    scene.particles.budget = 20000;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    lower(soil, -0.15);
    Particles *p = &soil->state.particles;
    for (int32_t i = 0; i < p->count; i++) {
        p->path[i] = 2.0F * (float)soil->model.particle_radius;
        p->ground_bond[i] &= (uint8_t)(held ? CONTACT_TOUCHED | CONTACT_BONDED : CONTACT_TOUCHED);
    }
    lower(soil, -0.3);
    int count = bonds_across(soil);
    soil_destroy(soil);
    return count;
}

/// What held on to the ground holds on to the grains that it becomes; loose soil that lies on it does not.
TEST(what_moved_holds_on_to_what_is_cut_below)
{
    int held = bonds_after_a_second_cut(true);
    print_message("%d bonds\n", held);
    assert_true(held > 1000);
    assert_int_equal(bonds_after_a_second_cut(false), 0);
}

TEST_GROUP(NULL, NULL)
