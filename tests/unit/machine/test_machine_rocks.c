/// Rocks: fall, slide, rest, sleep, wake, slide as an avalanche; a restored state goes on bit for bit; bad input is
/// refused.
// test: sanitized

#include "data/core/constants.h"
#include "machine/rocks.h"
#include "tests/support/state_tape.h"
#include "tests/support/test.h"

static const double dt = 1.0 / 120.0;
static const Quat level = {1.0, 0.0, 0.0, 0.0};
static const Vec3 zero = {0.0, 0.0, 0.0};

// Cubes of 0.3 m and wedges.
static RocksParams *cubes(int budget)
{
    static RocksParams params;
    rocks_default(&params);
    params.budget = budget;
    params.shape_count = 2;
    for (int s = 0; s < 2; s++) {
        RockShapeParams *shape = &params.shape[s];
        shape->mass = 70.0;
        shape->part_count = 1;
        shape->part[0].point_count = 8;
        for (int k = 0; k < 8; k++) {
            double narrow = s == 1 && (k & 4) ? 0.5 : 1.0;
            shape->part[0].point[k] = vec3(k & 1 ? 0.15 : -0.15, (k & 2 ? 0.15 : -0.15) * narrow, k & 4 ? 0.15 : -0.15);
        }
    }
    return &params;
}

static Rocks *create(const RocksParams *params)
{
    Status status;
    Rocks *rocks = rocks_create(params, &status);
    assert_good(rocks != NULL, status);
    return rocks;
}

static int add(Rocks *rocks, int shape, double x, double y, double z, Vec3 velocity)
{
    Status status;
    int rock = rocks_add(rocks, shape, vec3(x, y, z), level, velocity, zero, &status);
    if (rock < 0) {
        fail_msg("%s", status.text);
    }
    return rock;
}

static RockView view_of(const Rocks *rocks, int rock)
{
    RockView view;
    assert_true(rocks_get(rocks, rock, &view));
    return view;
}

static void run(Rocks *rocks, int steps)
{
    for (int k = 0; k < steps; k++) {
        rocks_step(rocks, NULL, NULL, dt);
    }
    assert_true(rocks_is_finite(rocks));
}

// A loose heap, dropped layer by layer.
static void drop_heap(Rocks *rocks, int count)
{
    for (int k = 0; k < count; k++) {
        add(rocks, k % 2, 0.33 * (k % 3) + 0.05 * (k % 7), 0.33 * (k / 3 % 3) - 0.04 * (k % 5), 0.3 + 0.4 * (k / 9.0),
            zero);
    }
}

// v = -g t, and z by the sum of the steps of 1/480 s (symplectic Euler).
TEST(a_rock_falls_freely)
{
    Rocks *rocks = create(cubes(1));
    int rock = add(rocks, 0, 0.0, 0.0, 50.0, zero);
    run(rocks, 120);
    assert_near(view_of(rocks, rock).motion.velocity.z, -STANDARD_GRAVITY, 1e-9);
    assert_near(view_of(rocks, rock).motion.frame.position.z, 50.0 - STANDARD_GRAVITY * 480 * 481 / 2 / (480.0 * 480.0),
                1e-9);
    rocks_destroy(rocks);
}

static int slope_ground(void *context, Vec3 at, double *height, Vec3 *normal)
{
    double slope = *(double *)context, length = sqrt(1.0 + slope * slope);
    *height = slope * at.x;
    *normal = vec3(-slope / length, 0.0, 1.0 / length);
    return -1;
}

// Coulomb: stands below tan(angle) = mu, slides with g (sin - mu cos) above.
TEST(a_rock_on_a_slope_stands_or_slides)
{
    const double slopes[2] = {0.4, 0.7};
    for (int k = 0; k < 2; k++) {
        double slope = slopes[k], angle = atan(slope);
        RocksParams *params = cubes(1);
        params->friction = 0.5;
        params->sleep.rest = params->sleep.piles = false;
        Rocks *rocks = create(params);
        Status status;
        Quat turn = {cos(-0.5 * angle), 0.0, sin(-0.5 * angle), 0.0};
        Vec3 up = vec3(-sin(angle), 0.0, cos(angle));
        int rock = rocks_add(rocks, 0, vec3_scale(up, 0.15), turn, zero, zero, &status);
        assert_int_equal(rock, 0);
        for (int step = 0; step < 120; step++) {
            rocks_step(rocks, slope_ground, &slope, dt);
        }
        double speed = vec3_length(view_of(rocks, rock).motion.velocity);
        double wanted = fmax(STANDARD_GRAVITY * (sin(angle) - 0.5 * cos(angle)), 0.0);
        assert_near(speed, wanted, 0.03 * fmax(wanted, 0.3));
        rocks_destroy(rocks);
    }
}

TEST(a_heap_comes_to_rest_and_sleeps)
{
    Rocks *rocks = create(cubes(60));
    drop_heap(rocks, 60);
    double mass = rocks_get_mass(rocks);
    run(rocks, 60);
    assert_true(rocks_get_counters(rocks).awake > 0);
    run(rocks, 1200);
    RocksCounters counters = rocks_get_counters(rocks);
    assert_int_equal(counters.rocks, 60);
    assert_int_equal(counters.awake, 0);
    assert_int_equal(counters.dropped_contacts, 0);
    assert_true(rocks_get_mass(rocks) == mass);
    RockPileView pile;
    assert_true(rocks_get_pile(rocks, 0, &pile)); // those that landed founded one
    assert_true(pile.layer_count >= 1 && pile.layer[0].density > 0.05);
    for (int i = 0; i < 60; i++) { // nothing sank in or hangs in the air above a heap of 60 cubes
        double z = view_of(rocks, i).motion.frame.position.z;
        assert_true(z > 0.1 && z < 2.5);
    }
    rocks_destroy(rocks);
}

TEST(a_hit_wakes_and_a_touch_does_not)
{
    Rocks *rocks = create(cubes(4));
    int low = add(rocks, 0, 0.0, 0.0, 0.15, zero), high = add(rocks, 0, 0.0, 0.0, 0.45, zero);
    run(rocks, 240);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    int gentle = add(rocks, 0, 0.0, 0.0, 0.76, zero); // lands with 0.4 m/s at most
    run(rocks, 20);
    assert_true(view_of(rocks, low).asleep && view_of(rocks, high).asleep);
    run(rocks, 240);
    rocks_remove(rocks, gentle);
    run(rocks, 240);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    Vec3 before = view_of(rocks, high).motion.frame.position;
    add(rocks, 0, -1.0, 0.0, 0.45, vec3(8.0, 0.0, 1.0));
    run(rocks, 20);
    assert_false(view_of(rocks, high).asleep);
    assert_true(rocks_get_counters(rocks).wakes > 0);
    assert_true(view_of(rocks, high).motion.frame.position.x > before.x + 0.1);
    rocks_destroy(rocks);
}

TEST(what_loses_its_support_falls)
{
    Rocks *rocks = create(cubes(3));
    int low = add(rocks, 0, 0.0, 0.0, 0.15, zero), middle = add(rocks, 0, 0.0, 0.0, 0.45, zero);
    int high = add(rocks, 0, 0.0, 0.0, 0.75, zero);
    run(rocks, 240);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    rocks_remove(rocks, low);
    run(rocks, 360);
    assert_near(view_of(rocks, middle).motion.frame.position.z, 0.15, 0.01);
    assert_near(view_of(rocks, high).motion.frame.position.z, 0.45, 0.02);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    rocks_wake(rocks, vec3(5.0, 0.0, 0.0), 1.0);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    rocks_wake(rocks, vec3(0.0, 0.0, 0.4), 0.2);
    assert_int_equal(rocks_get_counters(rocks).awake, 2);
    rocks_destroy(rocks);
}

// Cubes `from` to `end` of a block, 3 x 3 a floor, with a little air between.
static void build_block(Rocks *rocks, int from, int end)
{
    for (int k = from; k < end; k++) {
        add(rocks, 0, 0.302 * (k % 3 - 1), 0.302 * (k / 3 % 3 - 1), 0.15 + 0.3005 * (k / 9), zero);
    }
}

// Section 3.3: dense layers sleep from the middle outwards; out of the cone nothing does.
TEST(the_structure_alone_puts_a_dense_middle_to_sleep)
{
    RocksParams *params = cubes(40);
    params->sleep.rest = false;
    params->sleep.repose_slope = 2.0;
    params->sleep.avalanche_density = 2.0;
    params->sleep.threshold = 0.4;
    Rocks *rocks = create(params);
    Status status;
    assert_true(rocks_add_pile(rocks, zero, 0.6, &status));
    build_block(rocks, 0, 14);
    int far = add(rocks, 0, 3.0, 0.0, 0.15, zero);
    run(rocks, 120);
    RockPileView pile;
    assert_true(rocks_get_pile(rocks, 0, &pile));
    assert_true(pile.layer[0].density > 0.4);
    assert_true(view_of(rocks, 4).asleep); // in the middle at the bottom
    assert_false(view_of(rocks, 0).asleep); // a corner
    assert_false(view_of(rocks, far).asleep);
    rocks_destroy(rocks);
}

// Section 3.4: a layer that gets denser than it may wakes its pile, once. 9 cubes fill 0.61 of the lowest, 14 fill
// 0.95.
TEST(a_layer_too_dense_starts_an_avalanche)
{
    RocksParams *params = cubes(40);
    params->sleep.repose_slope = 2.0;
    params->sleep.avalanche_density = 0.7;
    Rocks *rocks = create(params);
    Status status;
    assert_true(rocks_add_pile(rocks, zero, 0.6, &status));
    build_block(rocks, 0, 9);
    run(rocks, 120);
    assert_int_equal(rocks_get_counters(rocks).avalanches, 0);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    build_block(rocks, 9, 14);
    run(rocks, 3);
    assert_int_equal(rocks_get_counters(rocks).avalanches, 1);
    assert_int_equal(rocks_get_counters(rocks).awake, 14);
    run(rocks, 600);
    assert_int_equal(rocks_get_counters(rocks).avalanches, 1);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    rocks_destroy(rocks);
}

// A boulder fast enough wakes the whole pile; walls hold what lies behind them.
TEST(a_great_momentum_wakes_the_pile_and_walls_hold)
{
    RocksParams *params = cubes(40);
    params->obstacle_count = 1;
    params->obstacle[0].point_count = 8;
    for (int k = 0; k < 8; k++) {
        params->obstacle[0].point[k] = vec3(k & 1 ? 2.0 : 1.0, k & 2 ? 5.0 : -5.0, k & 4 ? 4.0 : 0.0);
    }
    Rocks *rocks = create(params);
    Status status;
    assert_true(rocks_add_pile(rocks, zero, 0.0, &status));
    build_block(rocks, 0, 18);
    run(rocks, 240);
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    add(rocks, 1, -1.5, 0.0, 0.3, vec3(30.0, 0.0, 0.0));
    int woken = 0;
    for (int k = 0; k < 30; k++) {
        run(rocks, 1);
        woken = woken > rocks_get_counters(rocks).awake ? woken : rocks_get_counters(rocks).awake;
    }
    assert_true(rocks_get_counters(rocks).pile_wakes > 0);
    assert_true(woken >= 18);
    run(rocks, 600);
    for (int k = 0; k < 19; k++) {
        double x = view_of(rocks, k).motion.frame.position.x, z = view_of(rocks, k).motion.frame.position.z;
        assert_true(x < 1.0 || z > 4.0);
    }
    rocks_destroy(rocks);
}

static void save(Rocks *rocks, Tape *tape)
{
    memset(tape, 0, sizeof *tape);
    tape->visitor.field = write_tape;
    rocks_visit(rocks, &tape->visitor);
}

static bool restore(Rocks *rocks, Tape *tape)
{
    tape->visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape->at = 0;
    rocks_visit(rocks, &tape->visitor);
    return !tape->visitor.failed;
}

static void assert_same(Rocks *a, Rocks *b)
{
    static Tape first, second;
    save(a, &first);
    save(b, &second);
    assert_int_equal(first.at, second.at);
    assert_memory_equal(first.bytes, second.bytes, first.at);
}

// Restored in mid-fall, half asleep and asleep; into fresh rocks, and back in time into those that went on.
TEST(a_restored_state_goes_on_bit_for_bit)
{
    static Tape tape, end;
    const int moments[] = {15, 110, 200};
    for (int k = 0; k < 3; k++) {
        Rocks *rocks = create(cubes(50)), *fresh = create(cubes(50));
        drop_heap(rocks, 45);
        run(rocks, moments[k]);
        save(rocks, &tape);
        add(rocks, 0, 0.3, 0.3, 4.0, vec3(0.0, 0.0, -6.0));
        rocks_remove(rocks, 3);
        run(rocks, 200);
        save(rocks, &end);
        for (int again = 0; again < 2; again++) {
            Rocks *other = again ? rocks : fresh;
            assert_true(restore(other, &tape));
            add(other, 0, 0.3, 0.3, 4.0, vec3(0.0, 0.0, -6.0));
            rocks_remove(other, 3);
            run(other, 200);
        }
        assert_same(rocks, fresh);
        static Tape now;
        save(fresh, &now);
        assert_memory_equal(now.bytes, end.bytes, end.at);
        rocks_destroy(fresh);
        rocks_destroy(rocks);
    }
}

TEST(two_in_turn_equal_each_alone)
{
    Rocks *alone = create(cubes(30)), *a = create(cubes(30)), *b = create(cubes(30));
    drop_heap(alone, 30);
    drop_heap(a, 30);
    drop_heap(b, 20);
    run(alone, 150);
    for (int k = 0; k < 150; k++) {
        rocks_step(a, NULL, NULL, dt);
        rocks_step(b, NULL, NULL, dt);
    }
    assert_same(alone, a);
    rocks_destroy(b);
    rocks_destroy(a);
    rocks_destroy(alone);
}

// Every byte that can break the state is found: the first field's numbers, the shapes and the flags.
TEST(a_damaged_state_is_refused)
{
    static Tape good, bad;
    Rocks *rocks = create(cubes(2));
    add(rocks, 0, 0.0, 0.0, 0.2, zero);
    run(rocks, 5);
    save(rocks, &good);
    double not_a_number = (double)NAN;
    size_t shapes = 2 * sizeof(double) * (3 + 4 + 3 + 3 + 3 + 3 + 3 + 1 + 3 + 3 + 5 + 1);
    const int32_t no_shape = 2, no_flag = 7;
    const struct {
        size_t at;
        const void *bytes;
        size_t size;
    } damage[] = {{0, &not_a_number, sizeof not_a_number},
                  {shapes, &no_shape, sizeof no_shape},
                  {shapes + 2 * sizeof(int32_t), &no_flag, sizeof no_flag},
                  {shapes + 4 * sizeof(int32_t), &no_flag, sizeof no_flag}};
    for (size_t k = 0; k < sizeof damage / sizeof damage[0]; k++) {
        bad = good;
        memcpy(bad.bytes + damage[k].at, damage[k].bytes, damage[k].size);
        assert_false(restore(rocks, &bad));
        run(rocks, 2); // still safe
        assert_int_equal(rocks_get_counters(rocks).rocks, 0);
        assert_true(restore(rocks, &good));
        assert_int_equal(rocks_get_counters(rocks).rocks, 1);
    }
    bad = good;
    memset(bad.bytes + 2 * 3 * sizeof(double), 0, 4 * sizeof(double)); // a quaternion of length 0
    assert_false(restore(rocks, &bad));
    rocks_destroy(rocks);
}

static void refuse(const RocksParams *params, const char *key, const char *reason)
{
    Status status = {STATUS_GOOD, ""};
    assert_null(rocks_create(params, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (!strstr(status.text, key) || !strstr(status.text, reason) || strchr(status.text, '\n')) {
        fail_msg("\"%s\" does not tell \"%s\" and \"%s\"", status.text, key, reason);
    }
}

TEST(bad_params_are_refused)
{
    refuse(cubes(0), "rocks.budget is 0", "1..4096");
    refuse(cubes(5000), "rocks.budget is 5000", "1..4096");
    RocksParams *params = cubes(4);
    params->shape[1].mass = 0.0;
    refuse(params, "rocks.shape[1].mass is 0 kg", "positive");
    params->shape[1].mass = (double)NAN;
    refuse(params, "rocks.shape[1].mass", "positive");
    params = cubes(4);
    params->shape[0].part[0].point_count = 3;
    refuse(params, "rocks.shape[0].part[0] has 3 points", "4 to 24");
    params = cubes(4);
    for (int k = 0; k < 8; k++) {
        params->shape[0].part[0].point[k].z = 0.0;
    }
    refuse(params, "rocks.shape[0].part[0]", "no volume");
    params = cubes(4);
    params->shape[0].part_count = 9;
    refuse(params, "rocks.shape[0].part_count is 9", "1..8");
    params = cubes(4);
    params->friction = -0.1;
    refuse(params, "rocks.friction is -0.1", "0..2");
    params = cubes(4);
    params->obstacle_count = 1;
    params->obstacle[0].point_count = 2;
    refuse(params, "rocks.obstacle[0]", "4 to 24");
    params = cubes(4);
    params->sleep.threshold = (double)NAN;
    refuse(params, "rocks.sleep.threshold", "0..1");
    params = cubes(4);
    params->shape[0].part[0].point[0].x = -30.0;
    refuse(params, "rocks.shape[0]", "0.01..20");
}

TEST(bad_rocks_and_piles_are_refused)
{
    Rocks *rocks = create(cubes(2));
    Status status;
    assert_int_equal(rocks_add(rocks, 2, zero, level, zero, zero, &status), -1);
    assert_non_null(strstr(status.text, "shape is 2"));
    assert_int_equal(rocks_add(rocks, 0, vec3(0, (double)INFINITY, 0), level, zero, zero, &status), -1);
    assert_non_null(strstr(status.text, "finite"));
    assert_int_equal(rocks_add(rocks, 0, zero, (Quat){1, 1, 0, 0}, zero, zero, &status), -1);
    assert_non_null(strstr(status.text, "unit quaternion"));
    add(rocks, 0, 0.0, 0.0, 1.0, zero);
    add(rocks, 0, 1.0, 0.0, 1.0, zero);
    assert_int_equal(rocks_add(rocks, 0, zero, level, zero, zero, &status), -1);
    assert_non_null(strstr(status.text, "budget"));
    assert_false(rocks_add_pile(rocks, zero, -1.0, &status));
    assert_non_null(strstr(status.text, "boundary is -1"));
    for (int k = 0; k < ROCK_MAX_PILES; k++) {
        assert_true(rocks_add_pile(rocks, vec3(10.0 * k, 0.0, 0.0), 0.0, &status));
    }
    assert_false(rocks_add_pile(rocks, zero, 0.0, &status));
    assert_non_null(strstr(status.text, "16 already"));
    RockView view;
    assert_false(rocks_get(rocks, 7, &view));
    rocks_destroy(rocks);
    rocks_destroy(NULL);
}

TEST_GROUP(NULL, NULL)
