/// More soil in motion than a tick may take: what is given up, and what is not.
// test: long
#include "tests/support/plates.h"

/// Loose loam, 0.6 m deep, in which a bucket is drawn to and fro.
static SceneParams heap_scene(int most_awake)
{
    SceneParams scene = scene_of("loam");
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.height = 0.9};
    scene.particles.budget = 12000;
    scene.particles.most_awake = most_awake;
    return scene;
}

/// What was seen on the way.
typedef struct Seen {
    int most, hastened; ///< particles
    double awake; ///< particles, mean of the last second
    double crowding; ///< largest share
    double force; ///< N, mean of the size
    uint64_t hash; ///< of the state at the end
} Seen;

/// A bucket, half curled, with its cutting edge at a place.
static SoilTool half_curled(const ToolShape *shape, Vec3 edge)
{
    double c = cos(radians(-75.0)), s = sin(radians(-75.0));
    SoilTool bucket = box_tool(shape, edge);
    bucket.motion.frame.rotation = (Mat3){{{c, 0.0, -s}, {0.0, 1.0, 0.0}, {s, 0.0, c}}};
    Vec3 to = mat3_mul(&bucket.motion.frame.rotation, vec3(shape->edge[0], 0.0, shape->edge[1]));
    bucket.motion.frame.position = bucket.motion.center = vec3_sub(edge, to);
    bucket.cuts = true;
    return bucket;
}

/// Draws the bucket through the heap; nothing is lost or made in any tick, and no share is out of range.
static Seen plough(int most_awake, int threads)
{
    enum { TICKS = 210 };
    SceneParams scene = heap_scene(most_awake);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, threads);
    SoilTool bucket = half_curled(bucket_shape(), vec3(1.6, 0.0, 0.6));
    int64_t total = soil_get_ledger(soil).total;
    Seen seen = {0};
    for (int t = 0; t < TICKS; t++) {
        bucket.motion.velocity = t < 75 ? vec3(-0.8, 0.0, -0.8) : t < 150 ? vec3(-1.0, 0.1, 0.0) : vec3(0.8, 0.2, 0.0);
        seen.force += vec3_length(move_tick(soil, &bucket)) / TICKS;
        SoilCounters counters = soil_get_counters(soil);
        assert_true(soil_get_ledger(soil).total == total);
        assert_true(counters.crowding >= 0.0 && counters.crowding <= 1.0);
        assert_true(counters.hastened <= counters.absorbed && (counters.crowding > 0.0 || counters.hastened == 0));
        int awake = counters.particles - counters.asleep;
        seen.most = awake > seen.most ? awake : seen.most;
        seen.awake += t >= TICKS - 60 ? awake / 60.0 : 0.0;
        seen.hastened += counters.hastened;
        seen.crowding = fmax(seen.crowding, counters.crowding);
    }
    seen.hash = hash_soil(soil);
    soil_destroy(soil);
    return seen;
}

TEST(soil_far_from_a_bucket_is_given_up_when_too_much_moves)
{
    Seen free = plough(0, 1), bound = plough(free.most / 2, 1);
    print_message(
        "awake at once: %d, bound by %d: %d, %d absorbed sooner; in the last second %.0f and %.0f; force %.1f and "
        "%.1f kN\n",
        free.most, free.most / 2, bound.most, bound.hastened, free.awake, bound.awake, 1e-3 * free.force,
        1e-3 * bound.force);
    assert_true(free.crowding == 0.0 && free.hastened == 0);
    assert_true(bound.crowding == 1.0 && bound.hastened > 100);
    assert_true(bound.awake < 0.9 * free.awake);
    assert_true(fabs(bound.force - free.force) < 0.15 * free.force); // of 3 s alone; see validate run crowding
}

TEST(a_bound_that_is_not_reached_changes_nothing)
{
    Seen free = plough(0, 1), wide = plough(400000, 1);
    assert_true(wide.crowding == 0.0 && wide.hash == free.hash);
}

TEST(what_is_given_up_does_not_depend_on_threads)
{
    assert_true(plough(1500, 1).hash == plough(1500, 3).hash);
}

/// Grains at rest far from the only tool, and one in reach of its plates.
TEST(grains_near_a_tool_and_fast_ones_stay)
{
    enum { CROWD = 100, NEAR_TOOL = CROWD, FALLING };
    SceneParams scene = sand_scene();
    scene.particles.most_awake = CROWD;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    for (int k = 0; k < CROWD; k++) {
        assert_true(soil_add_particle(soil, vec3(1.5 + 0.15 * (k % 10), -1.0 + 0.15 * (k / 10), 0.05), vec3(0, 0, 0),
                                      0.05, 0, 0.87) >= 0);
    }
    soil_add_particle(soil, vec3(-1.0, 0.3, 0.05), vec3(0, 0, 0), 0.05, 0, 0.87);
    soil_add_particle(soil, vec3(0.0, 3.0, 2.0), vec3(0, 0, 0), 0.05, 0, 0.87);
    ToolShape shape = plate_shape(0.1, 1.0, 1.0);
    shape.edge_width = 1.0;
    SoilTool plate = box_tool(&shape, vec3(-1.0, -0.25, 0.3));
    run_ticks(soil, &plate, 1, 8); // a third of what grains at rest wait for
    SoilParticleView p = soil_get_particles(soil);
    int far = 0;
    bool kept[2] = {false, false};
    for (int k = 0; k < p.count; k++) {
        far += p.id[k] < CROWD;
        kept[0] |= p.id[k] == NEAR_TOOL;
        kept[1] |= p.id[k] == FALLING;
    }
    assert_true(kept[0] && kept[1]);
    assert_int_equal(far, 0);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
