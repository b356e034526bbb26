/// The edge of the site: what lies beyond it stays there, and nothing of it comes back by itself.
#include "tests/support/plates.h"

/// Grains that lie beyond the edge on side k: 0 east, 1 north, 2 west, 3 south.
typedef struct Beyond {
    int64_t quanta[4];
    double farthest; ///< m
} Beyond;

static Beyond look_beyond(const Soil *soil)
{
    Beyond seen = {.farthest = 0.0};
    const Particles *p = &soil->state.particles;
    for (int32_t i = 0; i < p->count; i++) {
        double away = ground_distance_beyond(soil->state.grounds.site, p->x[i], p->y[i]);
        if (away > 0.0) {
            int side = fabs(p->x[i]) > fabs(p->y[i]) ? (p->x[i] > 0.0 ? 0 : 2) : (p->y[i] > 0.0 ? 1 : 3);
            seen.quanta[side] += p->mass[i];
            seen.farthest = fmax(seen.farthest, away);
        }
    }
    return seen;
}

static int64_t sum_beyond(const Beyond *seen)
{
    return seen->quanta[0] + seen->quanta[1] + seen->quanta[2] + seen->quanta[3];
}

/// What is poured beside the site stays where it was poured, asleep; the site does not change. As spill it counts in
/// full, and where a place for soil reaches over the edge it counts as lying in it.
TEST(soil_poured_beside_the_site_stays_there)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total, ground = soil_get_ledger(soil).ground;
    int64_t poured = drop_heap(soil, 7.0, -0.5, 0.0);
    run_ticks(soil, NULL, 0, 900);
    Beyond seen = look_beyond(soil);
    assert_true(seen.quanta[0] == poured && sum_beyond(&seen) == poured);
    assert_true(seen.farthest < 4.5);
    SoilCounters counters = soil_get_counters(soil);
    assert_int_equal(counters.asleep, counters.particles);
    SoilLedger ledger = soil_get_ledger(soil);
    assert_true(ledger.ground == ground && ledger.left == 0 && ledger.total == total + poured);
    assert_true(soil_get_spill(soil, NULL, 0, 0.02) == poured);
    SoilPlace place = {.x = 6.0, .radius = 4.0};
    assert_true(soil_get_spill(soil, &place, 1, 0.02) == 0);
    soil_destroy(soil);
}

/// What comes to rest far away has left the site: it is booked, it counts as spill wherever soil may lie, and it is
/// part of the state.
TEST(soil_far_away_has_left_the_site)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total, poured = drop_heap(soil, -20.0, 30.0, 0.0);
    run_ticks(soil, NULL, 0, 600);
    SoilLedger ledger = soil_get_ledger(soil);
    assert_true(ledger.particles == 0 && ledger.left == poured && ledger.total == total + poured);
    SoilPlace place = {.x = -20.0, .y = 30.0, .radius = 10.0};
    assert_true(soil_get_spill(soil, &place, 1, 0.0) == poured);
    static unsigned char bytes[1 << 22];
    Copier copier = {.visitor = {.field = copy_field}, .bytes = bytes, .size = sizeof bytes};
    Soil *copy = copy_soil(soil, &scene, &copier);
    assert_true(soil_get_ledger(copy).left == poured);
    assert_true(hash_soil(copy) == hash_soil(soil));
    soil_destroy(copy);
    soil_destroy(soil);
}

/// A heap at the edge runs out over it, to each side alike, as far as its slope goes: no bank stands beyond the edge, a
/// grain that is dropped out there falls to the ground, and what has run out stays out.
TEST(a_heap_at_the_edge_runs_out)
{
    int64_t out[4];
    const int row[4] = {40, 78, 39, 1}, column[4] = {78, 39, 1, 40};
    const double x[4] = {1.0, 0.0, -1.0, 0.0}, y[4] = {0.0, 1.0, 0.0, -1.0};
    for (int side = 0; side < 4; side++) {
        SceneParams scene = scene_of("sand");
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        ground_put(soil->state.grounds.site, row[side], column[side], 0, (int64_t)(400.0 / SOIL_QUANTUM), false);
        int64_t total = soil_get_ledger(soil).total;
        run_ticks(soil, NULL, 0, 1200);
        for (double away = 0.06; away < 30.0; away *= 1.5) {
            assert_near(soil_get_height(soil, (4.0 + away) * x[side], (4.0 + away) * y[side]), 0.0, 1e-6);
        }
        double steepest = same_tan(scene.soils[0].repose_angle) * 0.1 + soil->model.layer_height;
        assert_true(soil_get_height(soil, 3.95 * x[side], 3.95 * y[side]) < 3.0 * steepest);
        Beyond seen = look_beyond(soil);
        out[side] = seen.quanta[side];
        assert_true(out[side] == sum_beyond(&seen) && seen.farthest < 1.5);
        assert_true(soil_get_ledger(soil).total == total && soil_get_ledger(soil).left == 0);
        int absorbed = 0;
        for (int tick = 0; tick < 600; tick++) {
            run_ticks(soil, NULL, 0, 1);
            absorbed += soil_get_counters(soil).absorbed;
        }
        Beyond later = look_beyond(soil);
        assert_int_equal(absorbed, 0); // nothing goes to and fro
        assert_true(later.quanta[side] == out[side]);
        assert_false(soil_is_stirred(soil, NULL, 0, 0));
        int32_t grain = soil_add_particle(soil, vec3(14.0 * x[side], 14.0 * y[side], 1.0), vec3(0, 0, 0), 0.05, 0, 0.8);
        assert_true(grain >= 0);
        run_ticks(soil, NULL, 0, 45);
        SoilParticleView grains = soil_get_particles(soil);
        assert_true(grains.count > 0 && (double)grains.z[grains.count - 1] < 0.06);
        soil_destroy(soil);
    }
    for (int side = 0; side < 4; side++) {
        double share = (double)out[side] * SOIL_QUANTUM / 400.0;
        print_message("out on side %d: %.3f\n", side, share);
        assert_true(share > 0.3 && share < 0.7);
        assert_near((double)out[side] / (double)out[0], 1.0, 0.1);
    }
}

/// Where the site's edge is dug away the ground beyond stands, hard, and soil inside slides alone.
TEST(a_ditch_at_the_edge_ends_there)
{
    SceneParams scene = scene_of("sand");
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int kind;
    double loose;
    int64_t cut = 0, total = soil_get_ledger(soil).total;
    for (int column = 20; column < 60; column++) {
        for (int row = 75; row < 80; row++) {
            cut += ground_cut(soil->state.grounds.site, row, column, -1.0, &kind, &loose);
        }
    }
    run_ticks(soil, NULL, 0, 600);
    assert_near(soil_get_height(soil, 0.0, 4.06), 0.0, 1e-6);
    assert_true(soil_get_height(soil, 0.0, 3.95) < -0.1);
    Beyond seen = look_beyond(soil);
    assert_true(sum_beyond(&seen) == 0 && soil_get_ledger(soil).total == total - cut);
    soil_destroy(soil);
}

/// With the particle budget nearly used up, what lies at rest beside the site is booked as having left it.
TEST(a_short_budget_books_what_lies_beside_the_site)
{
    SceneParams scene = loam_scene();
    scene.particles.budget = 250;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t total = soil_get_ledger(soil).total, beside = drop_heap(soil, 7.0, 0.0, 0.0);
    run_ticks(soil, NULL, 0, 600);
    assert_true(soil_get_ledger(soil).left == 0);
    int64_t more = 0;
    for (int k = 0; k < 30; k++) {
        int64_t before = soil_get_ledger(soil).particles;
        assert_true(soil_add_particle(soil, vec3(6.0, 1.0 + 0.11 * k, 0.06), vec3(0, 0, 0), 0.05, 0, 0.8) >= 0);
        more += soil_get_ledger(soil).particles - before;
    }
    run_ticks(soil, NULL, 0, 600);
    SoilLedger ledger = soil_get_ledger(soil);
    assert_true(ledger.left > 0 && ledger.particles + ledger.left == beside + more);
    assert_true(ledger.total == total + beside + more);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
