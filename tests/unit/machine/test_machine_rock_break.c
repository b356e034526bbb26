/// Rocks that break: energy by Bond's law, mass to the quantum, momentum, halves that fit and stay together, limits,
/// and a state that goes on from the cuts.
// test: sanitized

#include "machine/rocks.h"
#include "tests/support/state_tape.h"
#include "tests/support/test.h"

static const Vec3 down = {0.0, 0.0, -1.0};
#define QUANTUM (1.0 / 65536.0)
#define GRANITE (36.0 * 15.0) ///< J sqrt(m) / kg: 15 kWh/t (Bond 1961)

/// Twenty corners on an ellipsoid, all different.
static RocksParams *boulders(int budget, double size)
{
    static RocksParams params;
    rocks_default(&params);
    params.budget = budget;
    params.shape_count = 1;
    params.cut_capacity = ROCK_MAX_CUTS;
    params.mass_quantum = QUANTUM;
    RockShapeParams *shape = &params.shape[0];
    shape->mass = round(0.5 * size * size * size * 2600.0 / QUANTUM) * QUANTUM;
    shape->work_index = GRANITE;
    shape->part_count = 1;
    shape->part[0].point_count = 20;
    for (int k = 0; k < 20; k++) {
        double z = 1.0 - (2.0 * k + 1.0) / 20.0, turn = 2.4 * k, ring = sqrt(1.0 - z * z);
        shape->part[0].point[k] = vec3(0.55 * size * ring * cos(turn), 0.5 * size * ring * sin(turn), 0.45 * size * z);
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

static RockView view_of(const Rocks *rocks, int rock)
{
    RockView view;
    assert_true(rocks_get(rocks, rock, &view));
    return view;
}

static double diameter(const Rocks *rocks, int rock)
{
    return cbrt(6.0 / M_PI * rocks_get_volume(rocks, view_of(rocks, rock).shape));
}

/// A rock that spins high up.
static int throw_one(Rocks *rocks)
{
    Status status;
    double n = sqrt(0.9 * 0.9 + 0.2 * 0.2 + 0.3 * 0.3 + 0.1 * 0.1);
    const Quat turn = {0.9 / n, 0.2 / n, 0.3 / n, 0.1 / n};
    int rock = rocks_add(rocks, 0, vec3(3.0, -2.0, 50.0), turn, vec3(1.0, 2.0, 0.5), vec3(0.4, -0.7, 1.1), &status);
    assert_true(rock >= 0);
    return rock;
}

/// W = 10 Wi (1 / sqrt(P) - 1 / sqrt(F)) kWh/t, sizes in micrometres.
TEST(a_rock_takes_what_bonds_law_says)
{
    Rocks *rocks = create(boulders(2, 1.0));
    int rock = throw_one(rocks);
    double size = diameter(rocks, rock), mass = view_of(rocks, rock).mass;
    double half = size / cbrt(2.0);
    double wanted = 10.0 * 15.0 * (1.0 / sqrt(half * 1e6) - 1.0 / sqrt(size * 1e6)) * 3.6e6 * mass / 1000.0;
    assert_near(rocks_get_strength(rocks, rock), wanted, 1e-9 * wanted);
    int blows = (int)ceil(wanted / 3400.0);
    for (int k = 1; k < blows; k++) {
        assert_false(rocks_strike(rocks, rock, 3400.0));
    }
    assert_true(rocks_strike(rocks, rock, 3400.0));
    print_message("%.0f kg of %.2f m: %.1f kJ, %d blows of 3.4 kJ\n", mass, size, wanted / 1000.0, blows);
    rocks_destroy(rocks);
}

static Vec3 momentum(const RockView *view)
{
    return vec3_scale(view->motion.velocity, view->mass);
}

TEST(halves_keep_mass_and_momentum)
{
    double least = 1.0;
    for (int k = 0; k < 12; k++) {
        Rocks *rocks = create(boulders(2, 0.8 + 0.05 * k));
        int rock = throw_one(rocks);
        RockView whole = view_of(rocks, rock);
        Vec3 point = vec3_add(whole.motion.center, vec3(0.2 * cos(k), 0.2 * sin(k), 0.3));
        int other = rocks_break(rocks, rock, point, down, 0.1 * k);
        assert_true(other >= 0 && other != rock);
        RockView a = view_of(rocks, rock), b = view_of(rocks, other);
        assert_true(a.mass + b.mass == whole.mass);
        assert_true(round(a.mass / QUANTUM) * QUANTUM == a.mass && a.mass > 0.2 * whole.mass &&
                    b.mass > 0.2 * whole.mass);
        Vec3 lost = vec3_sub(vec3_add(momentum(&a), momentum(&b)), momentum(&whole));
        assert_true(vec3_length(lost) < 1e-9 * whole.mass);
        double volume = rocks_get_volume(rocks, a.shape) + rocks_get_volume(rocks, b.shape);
        double before = rocks_get_volume(rocks, whole.shape);
        least = fmin(least, volume / before);
        assert_true(volume > 0.98 * before && volume < before * (1.0 + 1e-9));
        rocks_destroy(rocks);
    }
    print_message("volume of halves over that of the whole: %.4f at least\n", least);
}

/// m: how deep the corners of a rock are inside another.
static double depth_inside(const Rocks *rocks, int rock, int other)
{
    RockView a = view_of(rocks, rock), b = view_of(rocks, other);
    const ConvexHull *corners = rocks_get_part(rocks, a.shape, 0), *hull = rocks_get_part(rocks, b.shape, 0);
    double deepest = 0.0;
    for (int k = 0; k < corners->point_count; k++) {
        Vec3 p = pose_apply_inverse(&b.motion.frame, pose_apply(&a.motion.frame, corners->point[k]));
        double out = -HUGE_VAL;
        for (int f = 0; f < hull->face_count; f++) {
            out = fmax(out, vec3_dot(hull->normal[f], vec3_sub(p, hull->point[hull->face_point[f][0]])));
        }
        deepest = fmax(deepest, -out);
    }
    return deepest;
}

/// Neither do they overlap, nor does their contact throw them apart as they fall together.
TEST(halves_fit_and_stay_together)
{
    double deepest = 0.0, fastest = 0.0;
    for (int k = 0; k < 12; k++) {
        RocksParams *params = boulders(2, 0.8 + 0.05 * k);
        Rocks *rocks = create(params);
        Status status;
        const Quat level = {1.0, 0.0, 0.0, 0.0};
        const Vec3 rest = {0.0, 0.0, 0.0};
        int rock = rocks_add(rocks, 0, vec3(0.0, 0.0, 60.0), level, rest, rest, &status);
        int other = rocks_break(rocks, rock, vec3(0.1 * k - 0.5, 0.05, 60.4), down, 0.1 * k);
        assert_true(other >= 0);
        deepest = fmax(deepest, fmax(depth_inside(rocks, rock, other), depth_inside(rocks, other, rock)));
        for (int tick = 0; tick < 60; tick++) {
            rocks_step(rocks, NULL, NULL, 1.0 / 60.0);
            RockView a = view_of(rocks, rock), b = view_of(rocks, other);
            fastest = fmax(fastest, vec3_length(vec3_sub(a.motion.velocity, b.motion.velocity)));
        }
        rocks_destroy(rocks);
    }
    print_message("halves: %.2g m inside one another, apart with %.2g m/s\n", deepest, fastest);
    assert_true(deepest < 1e-6);
    assert_true(fastest < 0.02);
}

/// Broken as often as they may: no piece is too small, none is lost, and there are as many as cuts.
TEST(breaking_ends)
{
    Rocks *rocks = create(boulders(300, 1.5));
    throw_one(rocks);
    double mass = rocks_get_mass(rocks);
    int count = 1, broken = 1;
    for (int pass = 0; pass < 12 && broken > 0; pass++) {
        broken = 0;
        for (int i = 0, most = count; i < most; i++) {
            bool breaks = rocks_get_strength(rocks, i) < HUGE_VAL;
            int other = rocks_break(rocks, i, view_of(rocks, i).motion.center, down, 0.3 * i);
            assert_true(breaks || other < 0);
            count += other >= 0;
            broken += other >= 0;
        }
    }
    double least = 10.0;
    for (int i = 0; i < count; i++) {
        least = fmin(least, diameter(rocks, i));
    }
    print_message("%d pieces of 1.5 m, the least of %.3f m\n", count, least);
    assert_true(count > 8 && count <= 1 + ROCK_MAX_CUTS);
    assert_true(least >= ROCK_LEAST_HALF);
    assert_true(rocks_get_mass(rocks) == mass);
    assert_int_equal(rocks_get_counters(rocks).rocks, count);
    rocks_destroy(rocks);
}

/// A hammer of 3.4 kJ and 500 blows/min breaks boulders of 0.7 m3 down to what a shovel of 1 m3 takes, 0.5 m: figures
/// for docs/machine-model.md, and the order of magnitude. Bond's law over the whole way gives the energy that is to
/// come out, but that halves are not all of a size: what is smaller than 0.5 m took a step more.
TEST(production_follows_from_the_energy)
{
    Rocks *rocks = create(boulders(200, 1.25));
    throw_one(rocks);
    double size = diameter(rocks, 0), volume = rocks_get_volume(rocks, 0), energy = 0.0, mass = rocks_get_mass(rocks);
    int count = 1;
    for (int i = 0; i < count; i++) {
        while (diameter(rocks, i) > 0.5) {
            double blows = ceil(rocks_get_strength(rocks, i) / 3400.0);
            int other = rocks_break(rocks, i, view_of(rocks, i).motion.center, down, 0.2 * i);
            assert_true(other >= 0);
            energy += blows * 3400.0;
            count++;
        }
    }
    double hours = energy / 3400.0 / 500.0 / 60.0, bond = mass * GRANITE * (1.0 / sqrt(0.5) - 1.0 / sqrt(size));
    print_message("%.2f m3 into %d pieces: %.0f kJ, by Bond over the whole way %.0f kJ; %.0f m3/h while it strikes\n",
                  volume, count, energy / 1e3, bond / 1e3, volume / hours);
    assert_true(energy > 0.8 * bond && energy < 1.4 * bond);
    rocks_destroy(rocks);
}

TEST(some_rocks_stay_whole)
{
    Rocks *small = create(boulders(2, 0.24));
    assert_true(rocks_get_strength(small, throw_one(small)) == HUGE_VAL);
    assert_false(rocks_strike(small, 0, 1e6));
    rocks_destroy(small);
    RocksParams *params = boulders(2, 1.0);
    params->shape[0].work_index = 0.0;
    Rocks *tough = create(params);
    assert_true(rocks_get_strength(tough, throw_one(tough)) == HUGE_VAL);
    rocks_destroy(tough);
    params = boulders(1, 1.0);
    Rocks *full = create(params);
    assert_int_equal(rocks_break(full, throw_one(full), vec3(3.0, -2.0, 50.4), down, 0.0), -1);
    assert_int_equal(rocks_break(full, 7, vec3(0.0, 0.0, 0.0), down, 0.0), -1);
    rocks_destroy(full);
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

static void go_on(Rocks *rocks)
{
    rocks_break(rocks, 1, view_of(rocks, 1).motion.center, down, 0.4);
    for (int k = 0; k < 90; k++) {
        rocks_step(rocks, NULL, NULL, 1.0 / 60.0);
    }
}

/// Into fresh rocks, and back in time into those that went on.
TEST(a_restored_state_knows_its_halves)
{
    static Tape tape, end, now;
    Rocks *rocks = create(boulders(8, 1.2)), *fresh = create(boulders(8, 1.2));
    Status status;
    const Quat level = {1.0, 0.0, 0.0, 0.0};
    const Vec3 rest = {0.0, 0.0, 0.0};
    rocks_add(rocks, 0, vec3(0.0, 0.0, 1.0), level, rest, rest, &status);
    rocks_break(rocks, 0, vec3(0.1, 0.0, 1.5), down, 0.1);
    rocks_break(rocks, 0, vec3(0.3, 0.0, 1.5), down, 0.2);
    rocks_strike(rocks, 1, 777.0);
    rocks_step(rocks, NULL, NULL, 1.0 / 60.0);
    save(rocks, &tape);
    go_on(rocks);
    save(rocks, &end);
    for (int again = 0; again < 2; again++) {
        Rocks *other = again ? rocks : fresh;
        assert_true(restore(other, &tape));
        assert_int_equal(rocks_get_shape_count(other), 5);
        go_on(other);
        save(other, &now);
        assert_int_equal(now.at, end.at);
        assert_memory_equal(now.bytes, end.bytes, end.at);
    }
    rocks_destroy(fresh);
    rocks_destroy(rocks);
}

/// Field by field: what a cut says of its parent and its plane is checked before anything is built on it.
typedef struct Forger {
    Tape *tape;
    StateVisitor visitor;
    const char *name;
    const void *bytes;
    size_t size;
} Forger;

static Forger *forger; ///< of the visit that runs

static void forge(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memcpy(data, forger->tape->bytes + forger->tape->at, size * count);
    forger->tape->at += size * count;
    if (strcmp(name, forger->name) == 0) {
        memcpy(data, forger->bytes, forger->size);
    }
}

TEST(damaged_cuts_are_refused)
{
    static Tape good;
    Rocks *rocks = create(boulders(8, 1.2));
    throw_one(rocks);
    rocks_break(rocks, 0, view_of(rocks, 0).motion.center, down, 0.1);
    save(rocks, &good);
    const int32_t many = ROCK_MAX_CUTS + 1, negative = -1, unborn = 1;
    const double no_plane[3] = {0.0, 0.0, 0.5}, outside = 3.0, not_a_number = (double)NAN;
    Forger forgers[] = {{.name = "rocks.cuts", .bytes = &many, .size = sizeof many},
                        {.name = "rocks.cuts", .bytes = &negative, .size = sizeof negative},
                        {.name = "rocks.cut.parent", .bytes = &negative, .size = sizeof negative},
                        {.name = "rocks.cut.parent", .bytes = &unborn, .size = sizeof unborn},
                        {.name = "rocks.cut.normal", .bytes = no_plane, .size = sizeof no_plane},
                        {.name = "rocks.cut.offset", .bytes = &outside, .size = sizeof outside},
                        {.name = "rocks.cut.offset", .bytes = &not_a_number, .size = sizeof not_a_number},
                        {.name = "rocks.damage", .bytes = &not_a_number, .size = sizeof not_a_number}};
    for (size_t k = 0; k < sizeof forgers / sizeof forgers[0]; k++) {
        good.at = 0;
        forger = &forgers[k];
        forger->tape = &good;
        forger->visitor = (StateVisitor){.field = forge, .restoring = true};
        rocks_visit(rocks, &forger->visitor);
        assert_true(forger->visitor.failed);
        rocks_step(rocks, NULL, NULL, 1.0 / 60.0); // still safe
        assert_int_equal(rocks_get_counters(rocks).rocks, 0);
        assert_true(restore(rocks, &good));
        assert_int_equal(rocks_get_counters(rocks).rocks, 2);
    }
    rocks_destroy(rocks);
}

static void refuse(const RocksParams *params, const char *says)
{
    Status status;
    assert_null(rocks_create(params, &status));
    if (strstr(status.text, says) == NULL) {
        fail_msg("\"%s\", expected \"%s\"", status.text, says);
    }
}

TEST(bad_params_are_refused)
{
    RocksParams *params = boulders(2, 1.0);
    params->cut_capacity = ROCK_MAX_CUTS + 1;
    refuse(params, "rocks.cut_capacity is 129; allowed is 0..128");
    params = boulders(2, 1.0);
    params->mass_quantum = 0.0;
    refuse(params, "rocks.mass_quantum is 0; allowed is 1e-09..1");
    params = boulders(2, 1.0);
    params->shape[0].work_index = -1.0;
    refuse(params, "rocks.shape[0].work_index is -1 J sqrt(m)/kg; allowed is 0..1e4");
}

TEST_GROUP(NULL, NULL)
