/// Tracks and a heap: an excavator that drives into heaps of loam pushes them aside and climbs them, with no more
/// resistance than bulldozing takes, loses no soil and does not jump; on level ground its tracks push nothing.

#include "data/core/constants.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 60, SAVED_AT = 150, END = 480 };

static Session *open_heap(const char *const *set, int set_count, int threads)
{
    Status status;
    SessionParams params = {
        .scene = SPADEWORK_TEST_DIR "/support/heap.yaml", .set = set, .set_count = set_count, .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// The bucket is raised out of the way, then both tracks drive.
static void tick(Session *session)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = session_frame(session)->tick < 90 ? control_quantise(0.8) : 0;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] =
        session_frame(session)->tick < 90 ? 0 : control_quantise(0.35);
    session_tick(session, &controls);
}

/// m3 of ground above the level in a strip across the site.
static double volume(Session *session, double x_low, double x_high)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    double sum = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing;
        sum += x > x_low && x < x_high ? fmax((double)grid.height[k], 0.0) * grid.spacing * grid.spacing : 0.0;
    }
    return sum;
}

/// Of a track's height: what is lower is rolled over, not pushed (machine_get_steel).
#define FOOT 0.2

/// m: how high the soil stands at the front ends of the tracks over what they roll over, mean of the two.
static double immersion(Session *session)
{
    const MachineTracks *tracks = &session_machine_params(session)->tracks;
    RigidMotion base;
    machine_get_body(session_machine(session), session_machine_state(session), MACHINE_BASE, &base);
    double sum = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        Vec3 foot =
            pose_apply(&base.frame, vec3(0.5 * tracks->length, 0.5 * side * tracks->gauge, FOOT * tracks->height));
        sum += 0.5 * fmax(soil_get_height(session_soil(session), foot.x, foot.y) - foot.z, 0.0);
    }
    return sum;
}

/// N: of loose loam that stands z m high before both tracks, b (1/2 gamma z2 Kp + 2 c z sqrt(Kp)): Rankine's passive
/// pressure, which Hegedus (1960) and Bekker (1960) take for what a track bulldozes.
static double bulldozing(const Session *session, double z)
{
    const SoilParams *soil = &session_scene(session)->soils[0];
    double kp = tan(0.25 * M_PI + 0.5 * soil->friction_angle) * tan(0.25 * M_PI + 0.5 * soil->friction_angle);
    double gamma = soil->bank_density / (1.0 + soil->swell) * STANDARD_GRAVITY;
    double cohesion = soil->cohesion * soil->contact_remoulded;
    return 2.0 * session_machine_params(session)->tracks.shoe_width *
           (0.5 * gamma * z * z * kp + 2.0 * cohesion * z * sqrt(kp));
}

/// What a drive into the heaps came to.
typedef struct Drive {
    double push, wanted; ///< N: means of the ticks in which something is pushed
    double strongest; ///< N
    double deepest, highest, jump; ///< m: immersion, machine's rise, and that in a tick
    int pushed, grains;
} Drive;

static void watch(Session *session, Drive *drive)
{
    double was = session_frame(session)->machine.base.z, deep = immersion(session);
    tick(session);
    const SessionFrame *frame = session_frame(session);
    double push = -session_hull(session)->pending[MACHINE_BASE].force.x;
    if (push > 100.0) {
        drive->push += push;
        drive->wanted += bulldozing(session, deep);
        drive->pushed++;
    }
    drive->strongest = fmax(drive->strongest, push);
    drive->deepest = fmax(drive->deepest, deep);
    drive->highest = fmax(drive->highest, frame->machine.base.z);
    drive->jump = fmax(drive->jump, fabs(frame->machine.base.z - was));
    drive->grains = frame->counters.particles > drive->grains ? frame->counters.particles : drive->grains;
}

TEST(tracks_push_a_heap_aside)
{
    Session *session = open_heap(NULL, 0, 1);
    StateBuffer saved = {0};
    Status status;
    Drive drive = {.push = 0.0};
    int64_t total = session_frame(session)->ledger.total;
    double before = volume(session, 3.5, 5.0);
    for (int k = 0; k < END; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        watch(session, &drive);
        assert_true(session_frame(session)->ledger.total == total && session_is_finite(session));
    }
    double after = volume(session, 3.5, 5.0);
    print_message(
        "%.1f kN on the mean of %d ticks, %.2f of bulldozing; at most %.1f kN, soil %.2f m over the "
        "ends' feet; machine at %.2f m, %.2f m up, %.4f m in a tick; %d grains; near side %.2f m3, then %.2f\n",
        1e-3 * drive.push / fmax(drive.pushed, 1), drive.pushed, drive.push / fmax(drive.wanted, 1.0),
        1e-3 * drive.strongest, drive.deepest, session_frame(session)->machine.base.x, drive.highest, drive.jump,
        drive.grains, before, after);
    assert_true(drive.pushed > 30);
    assert_true(drive.push > 0.3 * drive.wanted && drive.push < 3.0 * drive.wanted); // in order of magnitude
    // Pressed together and gone ahead; what the tracks push aside stays in that range of x.
    assert_true(after < 0.97 * before);
    assert_true(drive.jump < 0.03 && drive.highest > 0.05);
    assert_true(drive.grains < 2000);
    assert_true(session_frame(session)->machine.base.x > 1.0);
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < END; k++) {
        tick(session);
    }
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(tracks_on_level_ground_push_nothing)
{
    static const char *const set[] = {"ground.mounds.0.x=-15", "ground.mounds.1.x=-15"};
    Session *session = open_heap(set, 2, 1);
    for (int k = 0; k < END; k++) {
        tick(session);
        Vec3 push = session_hull(session)->pending[MACHINE_BASE].force;
        assert_true(push.x == 0.0 && push.y == 0.0 && push.z == 0.0);
    }
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
