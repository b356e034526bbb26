/// What the tools feel, by where it comes from: a wall before the blade, a shank in clay, a pipe on its sling, a hammer
/// on a boulder. Each is held against a figure that does not come from the same sum.
#include "data/schema/machine_params.h"
#include "tests/support/test.h"
#include "trainer/pilot/operator.h"

enum { TICKS = 60 }; ///< a second

static Session *open_scene(const char *scene)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static OperatorControls levers_of(double left, double right)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_LEFT_TRACK] = control_quantise(left);
    controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(right);
    return controls;
}

/// The tracks push the wall with all they have: what the blade feels is their drive force but for what rolling takes.
/// The moment of the impact, in which the model stops 20 t within a substep, is no force to be read.
TEST(a_wall_is_felt_with_what_the_tracks_give)
{
    Session *session = open_scene(SPADEWORK_TEST_DIR "/support/blade-wall.yaml");
    OperatorControls ahead = levers_of(0.5, 0.5);
    double most = 0.0, load = 0.0, pull = 0.0;
    for (int tick = 0; tick < 8 * TICKS; tick++) {
        session_tick(session, &ahead);
        const MachineState *state = session_machine_state(session);
        most = fmax(most, session_tool_load(session, 0));
        if (tick >= 6 * TICKS) {
            load -= session_frame(session)->tool_force[0].solids.x / (2 * TICKS);
            pull += (state->track_force[0] + state->track_force[1]) / (2 * TICKS);
        }
    }
    print_message("wall: the blade feels %.1f kN, the tracks give %.1f kN, %.0f kN at most\n", 1e-3 * load, 1e-3 * pull,
                  1e-3 * most);
    assert_true(load > 50e3 && fabs(load - pull) < 0.15 * pull);
    assert_true(most < 1e6);
    assert_true(vec3_length(session_frame(session)->tool_wrench.force) < 1e3); // no soil
    session_destroy(session);
}

/// The tracks give the shank's pull and what rolling takes: at least nine tenths of the pull, at the same speed.
TEST(a_shank_in_the_ground_is_felt)
{
    Session *session = open_scene("ripping");
    OperatorControls levers = levers_of(0.3, 0.3);
    levers.axis[CONTROL_RIPPER] = control_quantise(1.0);
    double pull = 0.0, drive = 0.0;
    for (int tick = 0; tick < 9 * TICKS; tick++) {
        session_tick(session, &levers);
        if (tick >= 7 * TICKS) {
            const MachineState *state = session_machine_state(session);
            pull -= tool_force_total(&session_frame(session)->tool_force[1]).x / (2 * TICKS);
            drive += (state->track_force[0] + state->track_force[1]) / (2 * TICKS);
        }
    }
    print_message("ripper: %.1f kN, the tracks give %.1f kN\n", 1e-3 * pull, 1e-3 * drive);
    assert_true(pull > 10e3 && pull < drive && drive < pull + 15e3);
    assert_true(session_tool_load(session, 0) < 1e3); // the blade hangs in the air
    session_destroy(session);
}

static Operator *take_operator(const Session *session, const char *name)
{
    Status status = {0};
    Operator *driver = calloc(1, sizeof *driver);
    assert_non_null(driver);
    assert_good(operator_create(driver, &(OperatorParams){.name = name}, session, &status), status);
    return driver;
}

static void drive_tick(Operator *driver, Session *session)
{
    OperatorControls controls;
    operator_controls(driver, session, &controls);
    session_tick(session, &controls);
}

static void leave(Operator *driver, Session *session)
{
    operator_destroy(driver);
    free(driver);
    session_destroy(session);
}

/// A pipe that hangs pulls with its weight, the more it swings the more unevenly.
TEST(a_load_on_the_sling_is_felt)
{
    Session *session = open_scene("lift-pipe");
    Operator *driver = take_operator(session, "expert");
    double weight = 0.0, pull = 0.0, lift = 0.0;
    int count = 0;
    for (int tick = 0; tick < 30 * TICKS; tick++) {
        drive_tick(driver, session);
        const SessionFrame *frame = session_frame(session);
        if (frame->lift.hooked >= 0 && frame->lift.hangs) {
            weight = session_scene(session)->exercise.loads[frame->lift.hooked].pipe.mass * STANDARD_GRAVITY;
            pull -= frame->tool_force[0].sling.z;
            lift += frame->lift.pull;
            count++;
        }
    }
    assert_true(count > TICKS);
    print_message("pipe: %.0f N on the mean of %d ticks, it weighs %.0f N\n", pull / count, count, weight);
    assert_true(fabs(pull / count - weight) < 0.03 * weight);
    assert_true(fabs(pull - lift) < 0.03 * lift);
    leave(driver, session);
}

/// A piston of m kg that strikes n times a second with E J gives n sqrt(2 m E) N on the mean; the boulder bears the
/// chisel's share beside it.
TEST(a_hammer_feels_its_blows)
{
    Session *session = open_scene("break-boulders");
    Operator *driver = take_operator(session, "expert:break-rocks");
    const MachineHammer *hammer = &session_machine_params(session)->hammer;
    double blow = sqrt(2.0 * hammer->piston_mass * hammer->blow_energy), felt = 0.0, rate = 0.0, boulder = 0.0;
    int count = 0;
    for (int tick = 0; tick < 40 * TICKS; tick++) {
        double before = session_machine_state(session)->hammer_rate;
        drive_tick(driver, session);
        const ToolForce *force = &session_frame(session)->tool_force[0];
        if (before > 0.0 && session_machine_state(session)->hammer_rate > 0.0) {
            felt += vec3_length(force->blows);
            rate += session_machine_state(session)->hammer_rate;
            boulder += vec3_length(force->rocks);
            count++;
        }
    }
    assert_true(count > TICKS);
    print_message("hammer: %.1f kN of blows in %d ticks, %.1f kN of the boulder\n", 1e-3 * felt / count, count,
                  1e-3 * boulder / count);
    assert_true(fabs(felt - rate * blow) < 0.05 * felt);
    assert_true(boulder / count > hammer->feed);
    leave(driver, session);
}

TEST_GROUP(NULL, NULL)
