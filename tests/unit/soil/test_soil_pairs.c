/// The pair list of the default solver: complete, kept while it lasts, restored as it was, the same for every
/// processor.
#include "soil/contact/contact_geometry.h"
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

static void grains_in_a_cloud(Soil *soil, int count, double side, double speed, uint32_t seed)
{
    for (int k = 0; k < count; k++) {
        double random[6];
        for (int c = 0; c < 6; c++) {
            seed = seed * 1664525u + 1013904223u;
            random[c] = (double)(seed >> 8) / 16777216.0 - 0.5;
        }
        soil_add_particle(soil, vec3(side * random[0], side * random[1], 2.0 + side * random[2]),
                          vec3(2 * speed * random[3], 2 * speed * random[4], 2 * speed * random[5]),
                          k % 3 == 0 ? 0.035 : 0.05, 0, k % 3 == 0 ? 0.4 : 1.0);
    }
}

static bool is_listed(const PairList *list, int32_t i, int32_t j)
{
    for (int32_t k = 0; k < list->batches * BATCH; k++) {
        if ((list->i[k] == i && list->j[k] == j) || (list->i[k] == j && list->j[k] == i)) {
            return true;
        }
    }
    return false;
}

/// Every pair that may close within the tick is in the list, wherever the cells' edges run, up to 7 m/s at this size.
TEST(all_pairs_are_found)
{
    const double speeds[] = {0.0, 0.3, 1.5}; // the last: some close at 5 m/s
    for (int s = 0; s < 3; s++) {
        SceneParams scene = sand_scene();
        scene.particles.persistent = true;
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
        grains_in_a_cloud(soil, 600, 0.8, speeds[s], 7u);
        soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
        const Particles *p = &soil->state.particles;
        int expected = 0;
        for (int32_t i = 0; i < p->count; i++) {
            for (int32_t j = i + 1; j < p->count; j++) {
                Vec3 d = vec3(p->x[i] - p->x[j], p->y[i] - p->y[j], p->z[i] - p->z[j]);
                Vec3 u = vec3(p->vx[i] - p->vx[j], p->vy[i] - p->vy[j], p->vz[i] - p->vz[j]);
                double gap = vec3_length(d) - (double)p->radius[i] - (double)p->radius[j];
                if (gap <= vec3_length(u) / 60.0) {
                    expected++;
                    assert_true(is_listed(&soil->state.pairs, i, j));
                }
            }
        }
        assert_true(expected > 300);
        soil_destroy(soil);
    }
}

/// Grains that fall behind one another at one speed close only when the first one hits the ground, within the tick: the
/// lists are made anew then. None ends up inside another.
TEST(followers_do_not_run_into_each_other)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    for (int k = 0; k < 12; k++) {
        soil_add_particle(soil, vec3(0.001 * (k % 3), 0.0007 * (k % 5), 0.2 + 0.14 * k), vec3(0, 0, -5), 0.05, 0, 1.0);
    }
    double worst = 0.0;
    for (int t = 0; t < 60; t++) {
        run_ticks(soil, NULL, 0, 1);
        SoilParticleView p = soil_get_particles(soil);
        for (int i = 0; i < p.count; i++) {
            for (int j = 0; j < i; j++) {
                Vec3 d = vec3(p.x[i] - p.x[j], p.y[i] - p.y[j], p.z[i] - p.z[j]);
                worst = fmax(worst, 0.1 - vec3_length(d));
            }
        }
    }
    print_message("worst overlap of followers: %.1f mm\n", 1e3 * worst);
    assert_true(worst < 0.02); // what stops 12 kg from 5 m/s, at 2e5 N/m
    soil_destroy(soil);
}

/// Deepest overlap of two grains that the list does not know, m.
static double deepest_unlisted(const Soil *soil)
{
    const Particles *p = &soil->state.particles;
    double deepest = 0.0;
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 a, b, velocity;
        contact_particle_state(p, soil->derived.contact_tick.rows, i, &a, &velocity);
        for (int32_t j = i + 1; j < p->count; j++) {
            contact_particle_state(p, soil->derived.contact_tick.rows, j, &b, &velocity);
            double overlap = (double)p->radius[i] + (double)p->radius[j] - vec3_length(vec3_sub(a, b));
            if (overlap > deepest && !is_listed(&soil->state.pairs, i, j)) {
                deepest = overlap;
            }
        }
    }
    return deepest;
}

/// Grains that hit others within a tick leave their ways: what they meet then is listed too, without a new list.
TEST(what_strays_meets_no_unlisted_grain)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    for (int k = 0; k < 300; k++) { // columns that fall, not all at once
        Vec3 at = vec3(0.3 * (k % 5) + 0.002 * (k % 3), 0.3 * (k / 5 % 5) + 0.001 * (k % 7), 0.2 + 0.14 * (k / 25));
        soil_add_particle(soil, vec3_madd(at, 0.01 * (k % 25), vec3(0, 0, 1)), vec3(0, 0, -5), 0.05, 0, 1.0);
    }
    double worst = 0.0, h = 1.0 / (60.0 * scene.rates.substeps);
    int late = 0, lists = 0, ticks = 16;
    for (int tick = 0; tick < ticks; tick++) {
        soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
        for (int k = 0; k < scene.rates.substeps; k++) {
            Wrench none;
            soil_substep(soil, NULL, 0, h, &none);
            worst = fmax(worst, tick > 0 ? deepest_unlisted(soil) : 0.0);
        }
        late += soil->state.pairs.batches -
                soil->state.pairs.block_first[soil->state.pairs.colour_first[NEIGHBOUR_COLOURS]];
        soil_end_tick(soil, NULL, 0);
        lists += soil_get_counters(soil).lists;
    }
    print_message("deepest unlisted overlap: %.1f mm, %d batches of late pairs, %d lists\n", 1e3 * worst, late, lists);
    assert_true(worst < PAIR_SKIN * soil->model.particle_radius); // both may stray by half of it unnoticed
    assert_true(late > 0 && lists <= ticks + ticks / 8);
    soil_destroy(soil);
}

/// No batch holds a particle twice, and blocks of one colour share none.
TEST(batches_share_no_particle)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    grains_in_a_cloud(soil, 3000, 2.5, 2.0, 3u);
    soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
    const PairList *list = &soil->state.pairs;
    int *batch_of = calloc((size_t)soil->state.particles.count, sizeof(int));
    int *block_of = calloc((size_t)soil->state.particles.count, sizeof(int));
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        memset(block_of, 0, (size_t)soil->state.particles.count * sizeof(int));
        for (int32_t block = list->colour_first[colour]; block < list->colour_first[colour + 1]; block++) {
            for (int32_t k = list->block_first[block] * BATCH; k < list->block_first[block + 1] * BATCH; k++) {
                int32_t sides[2] = {list->i[k], list->j[k]};
                for (int side = 0; side < 2 && sides[side] < soil->state.particles.count; side++) {
                    assert_int_not_equal(batch_of[sides[side]], k / BATCH + 1);
                    assert_true(block_of[sides[side]] == 0 || block_of[sides[side]] == block + 1);
                    batch_of[sides[side]] = k / BATCH + 1;
                    block_of[sides[side]] = block + 1;
                }
            }
        }
    }
    free(batch_of);
    free(block_of);
    soil_destroy(soil);
}

static uint64_t hash_with(int lanes, int threads)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, threads);
    uint64_t hash = 0;
    if (soil_set_lanes(soil, lanes)) {
        grains_in_a_cloud(soil, 4500, 2.2, 1.0, 11u);
        for (int k = 0; k < 20; k++) {
            run_ticks(soil, NULL, 0, 1);
        }
        hash = hash_soil(soil);
    }
    soil_destroy(soil);
    return hash;
}

TEST(lanes_and_threads_change_no_bit)
{
    uint64_t expected = hash_with(4, 1);
    const int lanes[] = {4, 8, 16}, threads[] = {1, 2, 3, 4, 8};
    for (int l = 0; l < 3; l++) {
        for (int t = 0; t < 5; t++) {
            uint64_t hash = hash_with(lanes[l], threads[t]);
            if (hash == 0) {
                print_message("this processor has no %d lanes\n", lanes[l]);
                break;
            }
            assert_true(hash == expected);
        }
    }
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_false(soil_set_lanes(soil, 5));
    soil_destroy(soil);
}

/// Grains a hair's breadth apart that tremble: contacts that sleep wake one by one, each with its whole batch.
static uint64_t hash_trembling(int lanes)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    uint64_t hash = 0;
    if (soil_set_lanes(soil, lanes)) {
        for (int k = 0; k < 1440; k++) {
            Vec3 velocity = vec3(0.04 * (k * 7 % 11 - 5), 0.04 * (k * 5 % 13 - 6), 0.04 * (k * 3 % 7 - 3));
            soil_add_particle(soil, vec3(k % 12 * 0.1006, k / 12 % 12 * 0.1005, 0.051 + k / 144 * 0.1007), velocity,
                              0.05, 0, 1.0);
        }
        run_ticks(soil, NULL, 0, 6);
        hash = hash_soil(soil);
    }
    soil_destroy(soil);
    return hash;
}

TEST(sleeping_contacts_wake_alike_in_all_lanes)
{
    uint64_t expected = hash_trembling(4), wide = hash_trembling(8), widest = hash_trembling(16);
    assert_true(expected != 0);
    assert_true(wide == 0 || wide == expected);
    assert_true(widest == 0 || widest == expected);
}

/// A list in the middle of its life continues after a restore as if nothing had happened, also into the next rebuild.
TEST(a_list_is_restored_in_mid_life)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *other = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    grains_in_a_cloud(soil, 400, 0.8, 0.0, 5u);
    int kept = 0;
    Copier copier = {.visitor = {.field = copy_field}, .size = 32u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    for (int k = 0; k < 400; k++) {
        run_ticks(soil, NULL, 0, 1);
        kept += soil_get_counters(soil).lists == 0;
        if (k == 300) {
            assert_int_equal(soil_get_counters(soil).lists, 0);
            soil_visit(soil, &copier.visitor);
            copier.visitor.restoring = true;
            copier.at = 0;
            soil_visit(other, &copier.visitor);
            assert_false(copier.visitor.failed);
        } else if (k > 300) {
            run_ticks(other, NULL, 0, 1);
        }
        if (k == 350) { // a grain from above makes both build anew
            soil_add_particle(soil, vec3(0, 0, 2), vec3(0, 0, -1), 0.05, 0, 1.0);
            soil_add_particle(other, vec3(0, 0, 2), vec3(0, 0, -1), 0.05, 0, 1.0);
        }
    }
    assert_true(kept > 100);
    assert_true(hash_soil(soil) == hash_soil(other));
    free(copier.bytes);
    soil_destroy(soil);
    soil_destroy(other);
}

/// Lists in which a batch or two blocks of a colour share a particle are refused: what comes out would hang on the
/// processor.
TEST(a_forged_list_is_refused)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *other = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    grains_in_a_cloud(soil, 3000, 2.5, 0.0, 3u);
    run_ticks(soil, NULL, 0, 1);
    const PairList *list = &soil->state.pairs;
    int32_t last = list->block_first[1] - 1; // of the first block that holds contacts: behind it there is room
    while (last > 0 && list->used[last] == 0) {
        last--;
    }
    assert_true(list->used[0] > 1 && list->colour_first[1] > 1 && last > 0);
    Forger forger = {.copier = {.visitor = {.field = forge_field}, .size = 32u << 20}, .field = ""};
    forger.copier.bytes = malloc(forger.copier.size);
    assert_non_null(forger.copier.bytes);
    soil_visit(soil, &forger.copier.visitor);
    const struct {
        const char *field;
        size_t at;
        int32_t value;
        bool refused;
    } cases[] = {{"", 0, 0, false},
                 {"pairs.i", 1, list->i[0], true},
                 {"pairs.block", 1, last, true}, // a batch goes to a neighbour of one colour
                 {"pairs.block_x", 0, list->block_x[0] + 1, true}, // the square of another colour
                 {"pairs.colour", 1, list->block_count, true}};
    for (int k = 0; k < 5; k++) {
        forger.copier.visitor = (StateVisitor){.field = forge_field, .restoring = true};
        forger.copier.at = 0;
        forger.field = cases[k].field;
        forger.at = cases[k].at;
        forger.value = cases[k].value;
        soil_visit(other, &forger.copier.visitor);
        assert_int_equal(forger.copier.visitor.failed, cases[k].refused);
    }
    free(forger.copier.bytes);
    soil_destroy(soil);
    soil_destroy(other);
}

TEST_GROUP(NULL, NULL)
