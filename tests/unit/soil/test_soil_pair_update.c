/// The list of pairs while soil is stirred, dug and comes to rest: what it misses, against brute force; how often it is
/// made anew; the same bits for every number of threads and lanes and from a saved state.
#include "soil/contact/contact_geometry.h"
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

#define DT (1.0 / 60.0)

enum { SUBSTEPS = 8, MOST = 2600 };

/// What brute force found in a run.
typedef struct PairFindings {
    int ticks, lists, looked, late, spawned, absorbed;
    int closing; ///< pairs that may meet within the tick in which they were counted
    double deepest; ///< m: overlap of two that the list did not know
} PairFindings;

static unsigned char listed[MOST][MOST];

/// Notes the pairs of the list; none stands in it twice, none holds a particle that is not there.
static void note_list(const Soil *soil)
{
    const PairList *list = &soil->state.pairs;
    int32_t count = soil->state.particles.count;
    assert_in_range(count, 0, MOST);
    memset(listed, 0, sizeof listed);
    for (int32_t batch = 0; batch < list->batches; batch++) {
        for (int32_t k = batch * BATCH; k < batch * BATCH + list->used[batch]; k++) {
            int32_t i = list->i[k], j = list->j[k];
            assert_true(i >= 0 && i < count && j >= 0 && j < count && i != j && !listed[i][j]);
            listed[i][j] = listed[j][i] = 1;
        }
    }
}

/// Blocks of a colour, and contacts of a batch, share no particle.
static void check_blocks(const Soil *soil)
{
    static int batch_of[MOST], block_of[MOST];
    const PairList *list = &soil->state.pairs;
    memset(batch_of, 0, sizeof batch_of);
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        memset(block_of, 0, sizeof block_of);
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
}

/// At a tick's start every pair that closes within it at the speeds of then is listed.
static void check_start(const Soil *soil, PairFindings *found)
{
    const Particles *p = &soil->state.particles;
    note_list(soil);
    check_blocks(soil);
    for (int32_t i = 0; i < p->count; i++) {
        for (int32_t j = i + 1; j < p->count; j++) {
            Vec3 d = vec3(p->x[i] - p->x[j], p->y[i] - p->y[j], p->z[i] - p->z[j]);
            Vec3 u = vec3(p->vx[i] - p->vx[j], p->vy[i] - p->vy[j], p->vz[i] - p->vz[j]);
            double speed = vec3_length(u), reach = (double)p->radius[i] + (double)p->radius[j] + speed * DT;
            if (speed < 5.0 && vec3_dot(d, d) <= reach * reach) {
                found->closing++;
                assert_true(listed[i][j]);
            }
        }
    }
}

/// Deepest overlap of two grains that the list does not know, where they are within a tick.
static void check_within(const Soil *soil, PairFindings *found)
{
    const Particles *p = &soil->state.particles;
    static Vec3 at[MOST];
    note_list(soil);
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 velocity;
        contact_particle_state(p, soil->derived.contact_tick.rows, i, &at[i], &velocity);
    }
    for (int32_t i = 0; i < p->count; i++) {
        for (int32_t j = i + 1; j < p->count; j++) {
            Vec3 d = vec3_sub(at[i], at[j]);
            double touch = (double)p->radius[i] + (double)p->radius[j];
            if (!listed[i][j] && vec3_dot(d, d) < touch * touch) {
                found->deepest = fmax(found->deepest, touch - vec3_length(d));
            }
        }
    }
}

static void run_tick(Soil *soil, SoilTool *tool, Vec3 velocity, PairFindings *found)
{
    Wrench wrench;
    tool->motion.velocity = velocity;
    soil_begin_tick(soil, tool, 1, DT);
    if (found != NULL) {
        check_start(soil, found);
    }
    for (int k = 0; k < SUBSTEPS; k++) {
        tool->motion.frame.position = tool->motion.center = vec3_madd(tool->motion.center, DT / SUBSTEPS, velocity);
        soil_substep(soil, tool, 1, DT / SUBSTEPS, &wrench);
        if (found != NULL && k % 3 == 1) {
            check_within(soil, found);
        }
    }
    soil_end_tick(soil, tool, 1);
    if (found != NULL) {
        SoilCounters counters = soil_get_counters(soil);
        found->ticks++;
        found->lists += counters.lists;
        found->looked += counters.looked;
        found->late += counters.late;
        found->spawned += counters.spawned;
        found->absorbed += counters.absorbed;
    }
}

static void print_findings(const char *what, const PairFindings *found)
{
    print_message("%s: %d ticks, %d lists, %d particles looked for, %d late, %d spawned, %d absorbed; "
                  "%d pairs that close, deepest unlisted overlap %.1f mm\n",
                  what, found->ticks, found->lists, found->looked, found->late, found->spawned, found->absorbed,
                  found->closing, 1e3 * found->deepest);
}

/// A bed of loose grains, `layers` deep, that has come to rest.
static Soil *make_bed(SceneParams *scene, double radius, int side, int layers, int threads)
{
    scene->particles.persistent = true;
    Soil *soil = make_soil(scene, SOIL_SOLVER_DEFAULT, threads);
    double mass = 1540.0 / 1.25 * 4.0 / 3.0 * M_PI * radius * radius * radius / 0.6;
    for (int k = 0; k < side * side * layers; k++) {
        double shift = k / (side * side) % 2 * radius;
        Vec3 at = vec3((k % side - 0.5 * side) * 2.3 * radius + shift + 0.01 * radius * (k % 7),
                       (k / side % side - 0.5 * side) * 2.3 * radius + shift + 0.01 * radius * (k % 5),
                       (1.01 + 1.9 * (k / (side * side))) * radius);
        soil_add_particle(soil, at, vec3(0, 0, 0), radius * (k % 3 == 0 ? 0.9 : 1.0), 0, mass);
    }
    for (int tick = 0; tick < 150; tick++) {
        run_ticks(soil, NULL, 0, 1);
    }
    return soil;
}

/// A plate goes through a bed, and grains fall on it: each tick finds what may meet, with few whole lists.
TEST(a_stirred_bed_misses_no_pair)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_bed(&scene, 0.05, 18, 4, 2);
    ToolShape shape = plate_shape(0.08, 0.5, 1.0);
    SoilTool plate = box_tool(&shape, vec3(-0.5, 0, 0.1));
    PairFindings found = {0};
    for (int tick = 0; tick < 60; tick++) {
        if (tick % 7 == 0) {
            soil_add_particle(soil, vec3(0.3, 0.01 * tick, 0.8), vec3(0, 0, -2), 0.05, 0, 1.0);
        }
        double angle = 0.1 * tick;
        run_tick(soil, &plate, vec3(0.8 * cos(angle), 0.8 * sin(angle), 0), &found);
    }
    print_findings("stirred", &found);
    assert_true(found.looked > 0 && found.closing > 60 * 1000);
    assert_true(found.deepest < PAIR_SKIN * soil->model.particle_radius);
    assert_true(found.lists <= found.ticks / 6);
    soil_destroy(soil);
}

/// A blade digs, grains appear before it and come to rest behind it: the list goes on.
TEST(a_dug_bed_misses_no_pair)
{
    SceneParams scene = loam_scene();
    scene.particles.budget = MOST;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(-2, 0, -0.2));
    blade.cuts = true;
    PairFindings found = {0};
    for (int tick = 0; tick < 240; tick++) {
        run_tick(soil, &blade, vec3(tick < 120 ? 0.5 : 0.0, 0, tick < 120 ? 0.0 : tick < 150 ? 1.0 : 0.0), &found);
    }
    print_findings("dug", &found);
    assert_true(found.spawned > 300 && found.absorbed > 100);
    assert_true(found.deepest < PAIR_SKIN * soil->model.particle_radius);
    assert_true(found.lists <= found.ticks / 2); // while the blade pushes nearly all that there are
    soil_destroy(soil);
}

/// Grains of 12.5 mm that lie keep their list, and one that is thrown among them is looked for alone.
TEST(small_grains_at_rest_keep_their_list)
{
    SceneParams scene = sand_scene();
    scene.ground.size_x = scene.ground.size_y = 2.0;
    scene.ground.column_spacing = 0.025;
    Soil *soil = make_bed(&scene, 0.0125, 20, 4, 1);
    int looked = 0;
    for (int tick = 0; tick < 60; tick++) {
        run_ticks(soil, NULL, 0, 1);
        assert_int_equal(soil_get_counters(soil).lists, 0);
        looked += soil_get_counters(soil).looked;
    }
    assert_true(looked < soil->state.particles.count / 4);
    soil_add_particle(soil, vec3(0, 0, 0.3), vec3(0, 0, -1), 0.0125, 0, 0.012);
    for (int tick = 0; tick < 30; tick++) {
        run_ticks(soil, NULL, 0, 1);
        assert_int_equal(soil_get_counters(soil).lists, 0);
        assert_in_range(soil_get_counters(soil).looked, tick == 0 ? 1 : 0, 100);
    }
    soil_destroy(soil);
}

static uint64_t hash_stirred(int lanes, int threads)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_bed(&scene, 0.05, 26, 4, threads);
    uint64_t hash = 0;
    if (soil_set_lanes(soil, lanes)) {
        ToolShape shape = plate_shape(0.08, 0.8, 1.0);
        SoilTool plate = box_tool(&shape, vec3(-0.8, 0, 0.1));
        for (int tick = 0; tick < 30; tick++) {
            run_tick(soil, &plate, vec3(1.0, 0.2, 0), NULL);
        }
        hash = hash_soil(soil);
    }
    soil_destroy(soil);
    return hash;
}

TEST(lanes_and_threads_change_no_bit_of_a_stirred_bed)
{
    uint64_t expected = hash_stirred(4, 1);
    assert_true(expected != 0);
    const int threads[] = {2, 3, 4, 8};
    for (int t = 0; t < 4; t++) {
        assert_true(hash_stirred(4, threads[t]) == expected);
    }
    uint64_t wide = hash_stirred(8, 2), widest = hash_stirred(16, 3);
    assert_true(wide == 0 || wide == expected);
    assert_true(widest == 0 || widest == expected);
}

/// From any tick of digging a saved state goes on as the soil itself does.
TEST(a_dug_bed_goes_on_from_saved_states)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *copy = NULL;
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(-2, 0, -0.2)), other = blade;
    blade.cuts = true;
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    for (int tick = 0; tick < 120; tick++) {
        if (tick % 17 == 16) {
            soil_destroy(copy);
            copy = copy_soil(soil, &scene, &copier);
            other = blade;
        }
        Vec3 velocity = vec3(tick < 60 ? 1.0 : 0.0, 0, tick < 60 ? 0.0 : 0.5);
        run_tick(soil, &blade, velocity, NULL);
        if (copy != NULL) {
            run_tick(copy, &other, velocity, NULL);
            assert_true(hash_soil(soil) == hash_soil(copy));
        }
    }
    free(copier.bytes);
    soil_destroy(copy);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
