/// Rocks among bodies that move by themselves: momentum, weight, belts; and ground that gives way or holds what is
/// buried.
// test: sanitized

#include "data/core/constants.h"
#include "machine/rocks.h"
#include "tests/support/state_tape.h"
#include "tests/support/test.h"

static const double h = 1.0 / 480.0;
enum { SUBSTEPS = 8 };
static const Quat level = {1.0, 0.0, 0.0, 0.0};
static const Vec3 zero = {0.0, 0.0, 0.0};

static void make_box(RockPart *part, double x, double y, double z)
{
    part->point_count = 8;
    for (int k = 0; k < 8; k++) {
        part->point[k] = vec3(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
    }
}

// Cubes of 0.3 m that weigh `mass` kg, and one mover: a box of 2 x 2 x 0.4 m.
static Rocks *create_of(double friction, double mass)
{
    RocksParams *params = malloc(sizeof *params);
    Status status;
    assert_non_null(params);
    rocks_default(params);
    params->budget = 4;
    params->shape_count = 1;
    params->shape[0].mass = mass;
    params->shape[0].part_count = 1;
    make_box(&params->shape[0].part[0], 0.15, 0.15, 0.15);
    params->mover_count = 1;
    params->mover[0].friction = friction;
    params->mover[0].part_count = 1;
    make_box(&params->mover[0].part[0], 1.0, 1.0, 0.2);
    Rocks *rocks = rocks_create(params, &status);
    free(params);
    assert_good(rocks != NULL, status);
    return rocks;
}

static Rocks *create(double friction)
{
    return create_of(friction, 70.0);
}

static int add(Rocks *rocks, Vec3 at, Vec3 velocity)
{
    Status status;
    int rock = rocks_add(rocks, 0, at, level, velocity, zero, &status);
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

// A mover as heavy as `mass` in all directions, which does not turn.
static RockMover mover_at(Vec3 at, Vec3 velocity, double mass)
{
    RockMover mover = {
        .motion.velocity = velocity, .motion.center = at, .motion.inverse_mass = mass > 0.0 ? 1.0 / mass : 0.0};
    mover.motion.frame = (Pose){at, mat3_identity()};
    return mover;
}

// It goes on under the force on it, `weight` (N) and its own mass.
static void carry(RockMover *mover, Vec3 force, double weight, double mass)
{
    mover->motion.velocity = vec3_madd(mover->motion.velocity, h / mass, vec3_sub(force, vec3(0.0, 0.0, weight)));
    mover->motion.center = vec3_madd(mover->motion.center, h, mover->motion.velocity);
    mover->motion.frame.position = mover->motion.center;
}

// m v of both, along x, where nothing else acts, is what it was; they go on together but for a few hundredths of the
// impact's speed.
TEST(a_hit_keeps_the_momentum)
{
    Rocks *rocks = create(0.0);
    int rock = add(rocks, vec3(1.25, 0.0, 50.0), zero);
    RockMover mover = mover_at(vec3(0.0, 0.0, 50.0), vec3(3.0, 0.0, 0.0), 900.0);
    double strongest = 0.0;
    for (int tick = 0; tick < 12; tick++) {
        rocks_begin(rocks, NULL, NULL, &mover, SUBSTEPS * h);
        for (int k = 0; k < SUBSTEPS; k++) {
            Wrench wrench;
            rocks_substep(rocks, &mover, h, &wrench);
            carry(&mover, wrench.force, 0.0, 900.0);
            assert_near(900.0 * mover.motion.velocity.x + 70.0 * view_of(rocks, rock).motion.velocity.x, 2700.0, 1e-8);
            strongest = fmax(strongest, -wrench.force.x);
        }
        rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_near(view_of(rocks, rock).motion.velocity.x, 2700.0 / 970.0, 0.1);
    assert_near(mover.motion.velocity.x, 2700.0 / 970.0, 0.1);
    assert_true(strongest * h < 1.01 * 3.0 * 900.0 * 70.0 / 970.0); // an impact's impulse, not more
    rocks_destroy(rocks);
}

// A body of 22 t whose part that touches weighs 7.8 t stands on a stone of 70 kg: it comes to rest, and the stone bears
// it.
TEST(a_small_rock_bears_a_heavy_mover)
{
    Rocks *rocks = create(0.5);
    int rock = add(rocks, vec3(0.0, 0.0, 0.15), zero);
    RockMover mover = mover_at(vec3(0.0, 0.0, 0.51), zero, 7800.0);
    double force = 0.0, weight = 22000.0 * STANDARD_GRAVITY;
    for (int tick = 0; tick < 180; tick++) {
        rocks_begin(rocks, NULL, NULL, &mover, SUBSTEPS * h);
        for (int k = 0; k < SUBSTEPS; k++) {
            Wrench wrench;
            rocks_substep(rocks, &mover, h, &wrench);
            carry(&mover, wrench.force, weight, 22000.0);
            force += tick >= 120 ? wrench.force.z / (60 * SUBSTEPS) : 0.0;
        }
        rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
        assert_false(view_of(rocks, rock).asleep);
    }
    assert_near(force, weight, 0.002 * weight);
    assert_near(mover.motion.velocity.z, 0.0, 1e-3);
    assert_near(mover.motion.center.z, 0.5, 0.02);
    assert_near(view_of(rocks, rock).motion.frame.position.z, 0.15, 0.01);
    rocks_destroy(rocks);
}

// A cylinder drives a body down at 0.3 m/s on a rock, with 200 kN at most. The body's part that touches weighs 0.9 t
// of 5 t. It stops within a centimetre and presses with all that the cylinder has, on a light rock as on a heavy one.
static void press(double rock_mass)
{
    const double limit = 2e5, mass = 5000.0, weight = mass * STANDARD_GRAVITY, speed = -0.3;
    Rocks *rocks = create_of(0.5, rock_mass);
    int rock = add(rocks, vec3(0.0, 0.0, 0.15), zero);
    RockMover mover = mover_at(vec3(0.0, 0.0, 0.53), vec3(0.0, 0.0, speed), 900.0);
    double force = 0.0, lowest = 1.0;
    for (int tick = 0; tick < 180; tick++) {
        rocks_begin(rocks, NULL, NULL, &mover, SUBSTEPS * h);
        for (int k = 0; k < SUBSTEPS; k++) {
            Wrench wrench;
            rocks_substep(rocks, &mover, h, &wrench);
            double wanted = mass * (speed - mover.motion.velocity.z) / h + weight - wrench.force.z;
            double drive = fmax(-limit, fmin(wanted, limit));
            carry(&mover, vec3(0.0, 0.0, wrench.force.z + drive), weight, mass);
            lowest = fmin(lowest, mover.motion.center.z);
            force += tick >= 120 ? wrench.force.z / (60 * SUBSTEPS) : 0.0;
        }
        rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
    }
    print_message("rock of %.0f kg: pressed with %.1f kN, %.1f mm inside\n", rock_mass, 1e-3 * force,
                  1e3 * (0.5 - lowest));
    assert_near(force, limit + weight, 0.005 * limit);
    assert_near(mover.motion.velocity.z, 0.0, 1e-3);
    assert_true(lowest > 0.49);
    assert_near(view_of(rocks, rock).motion.frame.position.z, 0.15, 0.01);
    rocks_destroy(rocks);
}

TEST(a_cylinder_presses_with_all_it_has)
{
    press(70.0);
    press(1000.0);
    press(5000.0);
}

// A rock put on a belt slides with mu g until it goes with it.
TEST(a_belt_takes_a_rock_along)
{
    Rocks *rocks = create(0.4);
    int rock = add(rocks, vec3(-0.8, 0.0, 10.35), zero);
    RockMover mover = mover_at(vec3(0.0, 0.0, 10.0), zero, 0.0);
    mover.belt[0] = 1.0;
    for (int tick = 0; tick < 60; tick++) {
        rocks_begin(rocks, NULL, NULL, &mover, SUBSTEPS * h);
        for (int k = 0; k < SUBSTEPS; k++) {
            rocks_substep(rocks, &mover, h, NULL);
        }
        rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
        if (tick == 5) {
            assert_near(view_of(rocks, rock).motion.velocity.x, 0.4 * STANDARD_GRAVITY * 0.1, 0.02);
        }
    }
    assert_near(view_of(rocks, rock).motion.velocity.x, 1.0, 0.01);
    assert_near(view_of(rocks, rock).motion.frame.position.z, 10.35, 5e-3);
    rocks_destroy(rocks);
}

// Asleep, a rock is pushed when a mover comes, and not by one that passes.
TEST(a_mover_wakes_what_it_pushes)
{
    Rocks *rocks = create(0.3);
    int rock = add(rocks, vec3(1.5, 0.0, 0.15), zero), beside = add(rocks, vec3(0.0, 1.5, 0.15), zero);
    for (int k = 0; k < 60; k++) {
        rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_int_equal(rocks_get_counters(rocks).awake, 0);
    RockMover mover = mover_at(vec3(0.0, 0.0, 0.25), vec3(0.3, 0.0, 0.0), 900.0);
    for (int tick = 0; tick < 120; tick++) {
        rocks_begin(rocks, NULL, NULL, &mover, SUBSTEPS * h);
        for (int k = 0; k < SUBSTEPS; k++) {
            rocks_substep(rocks, &mover, h, NULL);
            carry(&mover, zero, 0.0, 900.0);
        }
        rocks_end(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_near(view_of(rocks, rock).motion.frame.position.x, mover.motion.center.x + 1.15, 0.01);
    assert_true(view_of(rocks, beside).asleep);
    rocks_destroy(rocks);
}

static int ground_at(void *context, Vec3 at, double *height, Vec3 *normal)
{
    (void)at;
    *height = *(double *)context;
    *normal = vec3(0.0, 0.0, 1.0);
    return -1;
}

// Half buried it stays where it is; when the ground is dug away it wakes and falls.
TEST(the_ground_below_a_rock_may_be_dug_away)
{
    Rocks *rocks = create(0.5);
    int rock = add(rocks, vec3(0.0, 0.0, 0.0), zero);
    double ground = 0.0;
    for (int k = 0; k < 120; k++) {
        rocks_step(rocks, ground_at, &ground, SUBSTEPS * h);
    }
    assert_near(view_of(rocks, rock).motion.frame.position.z, 0.0, 0.01);
    assert_true(view_of(rocks, rock).asleep);
    ground = -0.5;
    rocks_step(rocks, ground_at, &ground, SUBSTEPS * h);
    assert_false(view_of(rocks, rock).asleep);
    for (int k = 0; k < 120; k++) {
        rocks_step(rocks, ground_at, &ground, SUBSTEPS * h);
    }
    assert_near(view_of(rocks, rock).motion.frame.position.z, -0.35, 0.01);
    assert_true(view_of(rocks, rock).asleep);
    rocks_destroy(rocks);
}

// A load moves a rock as a force does, and wakes it only where it would.
TEST(a_load_pushes_a_rock)
{
    Rocks *rocks = create(0.5);
    int rock = add(rocks, vec3(0.0, 0.0, 30.0), zero);
    rocks_set_load(rocks, rock, vec3(140.0, 0.0, 0.0), zero);
    for (int k = 0; k < 60; k++) {
        rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_near(view_of(rocks, rock).motion.velocity.x, 2.0, 1e-9);
    int still = add(rocks, vec3(5.0, 0.0, 0.15), zero);
    for (int k = 0; k < 60; k++) {
        rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_true(view_of(rocks, still).asleep);
    rocks_set_load(rocks, still, vec3(100.0, 0.0, -500.0), zero);
    assert_true(view_of(rocks, still).asleep);
    rocks_set_load(rocks, still, vec3(400.0, 0.0, 0.0), zero);
    assert_false(view_of(rocks, still).asleep);
    rocks_destroy(rocks);
}

// Reads a tape back, but for one field, whose first element is another.
typedef struct Saboteur {
    Tape tape; // first, so that the visitor is the struct
    const char *name;
    double number;
    int32_t integer;
} Saboteur;

static void read_but_one(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Saboteur *self = (Saboteur *)visitor;
    read_tape(visitor, name, data, size, count);
    if (self->name != NULL && strcmp(self->name, name) == 0 && count > 0) {
        memcpy(data, size == sizeof(double) ? (void *)&self->number : (void *)&self->integer, size);
    }
}

static bool restore_but(Rocks *rocks, const Tape *tape, const char *name, double number, int32_t integer)
{
    static Saboteur saboteur;
    saboteur.tape = *tape;
    saboteur.tape.at = 0;
    saboteur.tape.visitor = (StateVisitor){.field = read_but_one, .restoring = true};
    saboteur.name = name;
    saboteur.number = number;
    saboteur.integer = integer;
    rocks_visit(rocks, &saboteur.tape.visitor);
    return !saboteur.tape.visitor.failed;
}

// A state whose contacts or loads could not have been written by this program is refused and leaves nothing.
TEST(damaged_contacts_are_refused)
{
    static Tape good;
    Rocks *rocks = create(0.5);
    add(rocks, vec3(0.0, 0.0, 0.15), vec3(0.5, 0.0, 0.0));
    rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    good = (Tape){.visitor = {.field = write_tape}};
    rocks_visit(rocks, &good.visitor);
    assert_true(restore_but(rocks, &good, NULL, 0.0, 0));
    const struct {
        const char *name;
        double number;
        int32_t integer;
    } damage[] = {
        {"rocks.contacts", 0.0, -1},        {"rocks.contacts", 0.0, 1000000},
        {"rocks.contact.a", 0.0, -1},       {"rocks.contact.a", 0.0, 4},
        {"rocks.contact.b", 0.0, 4},        {"rocks.contact.b", 0.0, -3},
        {"rocks.contact.rest", -1.0, 0},    {"rocks.contact.impulse", (double)NAN, 0},
        {"rocks.contact.anchor", 1e300, 0}, {"rocks.force", (double)INFINITY, 0},
        {"rocks.bed", (double)NAN, 0},      {"rocks.position", 1e200, 0},
    };
    for (size_t k = 0; k < sizeof damage / sizeof damage[0]; k++) {
        if (restore_but(rocks, &good, damage[k].name, damage[k].number, damage[k].integer)) {
            fail_msg("%s of %g or %d is accepted", damage[k].name, damage[k].number, damage[k].integer);
        }
        assert_int_equal(rocks_get_counters(rocks).rocks, 0);
        rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    }
    assert_true(restore_but(rocks, &good, NULL, 0.0, 0));
    rocks_step(rocks, NULL, NULL, SUBSTEPS * h);
    rocks_destroy(rocks);
}

TEST(bad_movers_are_refused)
{
    RocksParams *params = calloc(1, sizeof *params);
    Status status;
    assert_non_null(params);
    rocks_default(params);
    params->budget = params->shape_count = 1;
    params->shape[0].mass = 70.0;
    params->shape[0].part_count = 1;
    make_box(&params->shape[0].part[0], 0.15, 0.15, 0.15);
    params->mover_count = ROCK_MAX_MOVERS + 1;
    assert_null(rocks_create(params, &status));
    assert_non_null(strstr(status.text, "rocks.mover_count is 17; allowed is 0..16"));
    params->mover_count = 1;
    params->mover[0].friction = -1.0;
    assert_null(rocks_create(params, &status));
    assert_non_null(strstr(status.text, "rocks.mover.friction is -1; allowed is 0..2"));
    params->mover[0].friction = 0.5;
    params->mover[0].part_count = 1;
    assert_null(rocks_create(params, &status));
    assert_non_null(strstr(status.text, "rocks.mover[0].part[0] has 0 points"));
    free(params);
}

TEST_GROUP(NULL, NULL)
