/// Loads on each other and on rocks: a log rests on two others and in a trough of rocks, horizontal momentum stays when
/// a log and a rock meet in the air, a restored state continues with the same bits, and a rock does not start in a log.
#include "data/core/constants.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define SCENE SPADEWORK_TEST_DIR "/support/log-rocks.yaml"

enum { LOG, FALLING = 4 }; ///< the load that is placed; the rock that falls

static Session *open_scene(const char *set)
{
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = SCENE, .threads = 1, .set = &set, .set_count = set != NULL}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void wait_for(Session *session, double seconds)
{
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &control_neutral);
    }
    assert_true(session_is_finite(session));
}

/// Puts the first load somewhere, awake, as a restored state would: each other field keeps its value.
typedef struct Placing {
    StateVisitor visitor;
    int load, loads; ///< that is placed; that have come
    Vec3 position, velocity;
} Placing;

static void place_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Placing *self = (Placing *)visitor;
    self->loads += strcmp(name, "load.position") == 0;
    const Vec3 *put = strcmp(name, "load.position") == 0   ? &self->position
                      : strcmp(name, "load.velocity") == 0 ? &self->velocity
                                                           : NULL;
    if (self->loads == self->load + 1 && put != NULL) {
        assert_int_equal(size * count, sizeof(double[3]));
        memcpy(data, (double[3]){put->x, put->y, put->z}, sizeof(double[3]));
    } else if (self->loads == self->load + 1 && strcmp(name, "load.asleep") == 0) {
        memset(data, 0, size * count);
    }
}

static void put_load(Session *session, int load, Vec3 position, Vec3 velocity)
{
    Placing placing = {
        .visitor = {.field = place_field, .restoring = true}, .load = load, .position = position, .velocity = velocity};
    session_loads_visit((SessionLoads *)session_loads(session), &placing.visitor);
    assert_false(placing.visitor.failed);
}

static void put_log(Session *session, Vec3 position, Vec3 velocity)
{
    put_load(session, LOG, position, velocity);
}

static const HungLoad *log_of(const Session *session)
{
    return session_loads_get(session_loads(session), LOG);
}

static Vec3 place_of(const Session *session)
{
    const double *p = log_of(session)->motion.position;
    return vec3(p[0], p[1], p[2]);
}

static double weight_of_log(void)
{
    return 850.0 * M_PI * 0.2 * 0.2 * 3.0 * STANDARD_GRAVITY;
}

TEST(a_log_rests_on_two_others)
{
    Session *session = open_scene(NULL);
    const double height = sqrt(0.4 * 0.4 - 0.205 * 0.205);
    put_log(session, vec3(8.205, 0.0, 0.2 + height), vec3(0.0, 0.0, 0.0));
    wait_for(session, 2.0);
    Vec3 before = place_of(session);
    wait_for(session, 10.0);
    Vec3 way = vec3_sub(place_of(session), before);
    print_message("height %.3f m, %.2f mm in 10 s\n", before.z, 1e3 * vec3_length(way));
    assert_near(before.z, 0.2 + height, 0.03); // prisms of twelve sides
    assert_true(vec3_length(way) < 2e-3);
    double borne = log_of(session)->borne[0] / weight_of_log(); // of which friction takes a share
    assert_true(borne > 0.8 && borne < 1.02);
    session_destroy(session);
}

/// It falls when the log below is taken away, also from its sleep.
TEST(a_log_falls_when_what_bears_it_goes)
{
    Session *session = open_scene(NULL);
    put_log(session, vec3(8.205, 0.0, 0.56), vec3(0.0, 0.0, 0.0));
    wait_for(session, 4.0);
    assert_true(place_of(session).z > 0.5);
    assert_int_equal(log_of(session)->asleep[0], 1);
    put_load(session, LOG + 1, vec3(3.0, 8.0, 0.2), vec3(0.0, 0.0, 0.0));
    wait_for(session, 3.0);
    assert_near(place_of(session).z, 0.2, 0.02);
    session_destroy(session);
}

TEST(a_log_rests_on_rocks)
{
    Session *session = open_scene(NULL);
    put_log(session, vec3(8.0, 4.0, 1.2), vec3(0.0, 0.0, 0.0));
    wait_for(session, 4.0);
    Vec3 before = place_of(session);
    double borne = 0.0;
    for (int k = 0; k < 600; k++) {
        wait_for(session, 1.0 / 60.0);
        borne += log_of(session)->borne[0] / 600.0;
    }
    Vec3 way = vec3_sub(place_of(session), before);
    print_message("%.3f m over the ground, %.2f mm in 10 s, borne %.2f of its weight\n", before.z,
                  1e3 * vec3_length(way), borne / weight_of_log());
    assert_true(before.z > 0.3); // a hand's breadth over the ground
    assert_true(vec3_length(way) < 5e-3);
    assert_near(borne, weight_of_log(), 0.03 * weight_of_log());
    session_destroy(session);
}

/// The rock as `rocks` has it.
static RockView rock_of(const Session *session)
{
    RockView view;
    assert_true(rocks_get(session_rocks_get(session_rocks(session)), FALLING, &view));
    return view;
}

TEST(momentum_stays_when_a_log_strikes_a_rock_in_the_air)
{
    Session *session = open_scene(NULL);
    Vec3 rock = rock_of(session).motion.frame.position;
    const double speed = 2.0, mass = weight_of_log() / STANDARD_GRAVITY;
    put_log(session, vec3(rock.x - 0.8, rock.y, rock.z), vec3(speed, 0.0, 0.0));
    wait_for(session, 0.7);
    RockView view = rock_of(session);
    const double *v = log_of(session)->motion.velocity;
    double sum[2] = {mass * v[0] + view.mass * view.motion.velocity.x,
                     mass * v[1] + view.mass * view.motion.velocity.y};
    print_message("rock %.3f m/s, log %.3f m/s, momentum %.1f of %.1f kg m/s, %.2f across\n", view.motion.velocity.x,
                  v[0], sum[0], mass * speed, sum[1]);
    assert_true(view.motion.velocity.x > 0.3 && v[0] < speed - 0.3);
    assert_near(sum[0], mass * speed, 0.005 * mass * speed);
    assert_near(sum[1], 0.0, 0.005 * mass * speed);
    assert_true(view.motion.frame.position.z > 1.0 && place_of(session).z > 1.0); // still in the air
    session_destroy(session);
}

/// Saved while the log falls among the rocks, and while it lies on them.
TEST(a_restored_state_continues_alike)
{
    Session *session = open_scene(NULL), *other = open_scene(NULL);
    put_log(session, vec3(8.05, 4.0, 1.2), vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < 2; k++) {
        StateBuffer buffer = {0};
        Status status;
        wait_for(session, k == 0 ? 0.4 : 3.0);
        assert_true(state_save(session, &buffer, &status));
        assert_true(state_restore(other, buffer.data, buffer.size, &status));
        wait_for(session, 1.0);
        wait_for(other, 1.0);
        assert_true(state_hash(session) == state_hash(other));
        state_buffer_free(&buffer);
    }
    session_destroy(other);
    session_destroy(session);
}

TEST(a_rock_does_not_start_in_a_log)
{
    Status status;
    const char *const set[] = {"rocks.0.x=8", "rocks.0.y=-5"};
    Session *session =
        session_create(&(SessionParams){.scene = SCENE, .threads = 1, .set = set, .set_count = 2}, &status);
    if (session != NULL || strstr(status.text, "rocks: one starts at 8, -5 in exercise.loads.0 (log)") == NULL) {
        fail_msg("\"%s\"", session != NULL ? "" : status.text);
    }
}

TEST_GROUP(NULL, NULL)
