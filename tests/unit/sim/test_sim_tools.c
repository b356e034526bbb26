/// Tools on a site and the coupler that takes them: what is refused, what falls, what a change keeps, states in the
/// middle of one, and scenes that cannot be.
#include "data/core/constants.h"
#include "data/schema/schema.h"
#include "machine/tool_change.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define SCENE SPADEWORK_TEST_DIR "/support/tools.yaml"

static Session *open_with(const char *const *set, int count, Status *status)
{
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    return session_create(&params, status);
}

static Session *open_scene(void)
{
    Status status;
    Session *session = open_with(NULL, 0, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session, double seconds, double bucket, double boom, double coupler)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BUCKET] = control_quantise(bucket);
    controls.axis[CONTROL_BOOM] = control_quantise(boom);
    controls.axis[CONTROL_COUPLER] = control_quantise(coupler);
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
    assert_true(session_is_finite(session));
    assert_true(session_frame(session)->mass_drift == 0);
}

/// How many events of a form of the coupler there are.
static int told(const Session *session, int form)
{
    const Exercise *exercise = session_exercise(session);
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        count += event->kind == EVENT_COUPLER && event->form == form;
    }
    return count;
}

static void press(Session *session)
{
    drive(session, 0.1, 0.0, 0.0, 1.0);
    drive(session, 0.3, 0.0, 0.0, 0.0);
}

/// Curled in, released in two presses; the wedge has opened.
static Session *open_released(void)
{
    Session *session = open_scene();
    drive(session, 2.5, 1.0, 0.0, 0.0);
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_ASKED), 1);
    assert_true(session_frame(session)->coupler.confirm > 0.0);
    press(session);
    drive(session, 1.5, 0.0, 0.0, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_RELEASED), 1);
    return session;
}

static double metric_of(const Session *session, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    return values[metric];
}

/// A tool is released only curled in, off the ground, with the engine running and in two steps; each reason is named.
TEST(what_a_release_needs)
{
    Status status;
    Session *session = open_scene();
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_NOT_CURLED), 1);
    drive(session, 2.5, 1.0, 0.0, 0.0);
    press(session);
    drive(session, 6.0, 0.0, 0.0, 0.0); // the second step comes too late
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_ASKED), 2);
    assert_int_equal(told(session, EVENT_COUPLER_RELEASED), 0);
    drive(session, 6.0, 0.0, 0.0, 0.0);
    drive(session, 3.0, 0.0, -1.0, 0.0); // its back is pressed on the ground
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_PRESSED), 1);
    drive(session, 1.0, 0.0, 1.0, 0.0);
    const SessionOrder stop = {.fault = SESSION_FAULT_ENGINE, .value = 1.0};
    assert_good(session_order(session, &stop, &status), status);
    drive(session, 4.0, 0.0, 0.0, 0.0);
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_NO_POWER), 1);
    assert_int_equal(session_frame(session)->coupler.stand, COUPLER_STANDS_LOCKED);
    session_destroy(session);
}

/// A switch that is held stands for the second step; a released tool whose pins lie in their seats is locked again.
TEST(held_and_locked_again)
{
    Session *session = open_scene();
    drive(session, 2.5, 1.0, 0.0, 0.0);
    drive(session, 1.2, 0.0, 0.0, 1.0);
    drive(session, 1.5, 0.0, 0.0, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_RELEASED), 1);
    assert_int_equal(session_frame(session)->coupler.stand, COUPLER_STANDS_SEATED);
    assert_int_equal(session_machine_params(session)->attachment[0], '\0');
    press(session);
    drive(session, 1.5, 0.0, 0.0, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_LOCKED), 1);
    assert_int_equal(session_frame(session)->coupler.stand, COUPLER_STANDS_LOCKED);
    assert_string_equal(session_machine_params(session)->attachment, "trenching-bucket-600");
    session_destroy(session);
}

/// What the hook alone holds stays there curled in for as long as one likes, and falls when the hook turns down: an
/// event with its energy, m g h, and a count. Nothing locks without the pins.
TEST(an_unlocked_tool_falls)
{
    Session *session = open_released();
    drive(session, 3.0, 0.0, 0.5, 0.0);
    drive(session, 10.0, 0.0, 0.0, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_DROPPED), 0);
    assert_int_equal(told(session, EVENT_COUPLER_UNLOCKED), 0);
    Pose hangs;
    for (int k = 0; k < 400; k++) { // until it stands and the hook leaves its pin a little
        drive(session, 1.0 / 30.0, 0.0, -0.25, 0.0);
        assert_true(session_tools_pose(session_tools(session), 0, &hangs));
        k = hangs.position.z - session_frame(session)->machine.tip.z > 0.02 ? 400 : k;
    }
    drive(session, 3.0, 0.0, 0.5, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_UNLOCKED), 1);
    drive(session, 4.0, -1.0, 0.0, 0.0);
    assert_int_equal(told(session, EVENT_COUPLER_DROPPED), 1);
    assert_near(metric_of(session, METRIC_TOOLS_DROPPED), 1.0, 0.0);
    assert_near(metric_of(session, METRIC_TOOLS_LAID), 0.0, 0.0);
    const Exercise *exercise = session_exercise(session);
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (event->kind == EVENT_COUPLER && event->form == EVENT_COUPLER_DROPPED) {
            print_message("fell from %.2f m: %.0f J\n", event->number.height, event->number.energy);
            assert_true(event->number.height > 1.0);
            assert_near(event->number.energy, 560.0 * STANDARD_GRAVITY * event->number.height, 1e-6);
        }
    }
    drive(session, 3.0, 0.0, 0.0, 0.0);
    Pose lies;
    assert_true(session_tools_pose(session_tools(session), 0, &lies));
    assert_true(lies.position.z > 0.0 && lies.position.z < 1.6);
    press(session);
    assert_int_equal(told(session, EVENT_COUPLER_NOT_SEATED), 1);
    session_destroy(session);
}

/// A loose tool that nothing moves stays where it stands to the bit, and sleeps.
TEST(a_tool_stands)
{
    Session *session = open_scene();
    Pose first, later;
    drive(session, 2.0, 0.0, 0.0, 0.0);
    assert_true(session_tools_pose(session_tools(session), 1, &first));
    drive(session, 4.0, 0.0, 0.0, 0.0);
    assert_true(session_tools_pose(session_tools(session), 1, &later));
    assert_memory_equal(&first, &later, sizeof first);
    assert_near(first.position.x, 5.5, 0.01);
    assert_near(first.position.z, 0.612, 0.02); // its first pin over the face it stands on: from its profile
    session_destroy(session);
}

static Vec3 vector(const double a[3])
{
    return vec3(a[0], a[1], a[2]);
}

static void assert_same_vector(Vec3 a, Vec3 b, double within)
{
    assert_near(a.x, b.x, within);
    assert_near(a.y, b.y, within);
    assert_near(a.z, b.z, within);
}

/// Moment of momentum, kg m2/s, of a body with a box of equal inertia about a point.
static Vec3 moment_of(const MachineBodyParams *params, double mass, const MachineBodyState *body, Vec3 about)
{
    const double *s = params->inertia_size, *q = body->quaternion;
    Mat3 rotation = mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
    Vec3 w = mat3_mul_transposed(&rotation, vector(body->spin));
    w = vec3(w.x * (s[1] * s[1] + s[2] * s[2]), w.y * (s[0] * s[0] + s[2] * s[2]), w.z * (s[0] * s[0] + s[1] * s[1]));
    Vec3 own = mat3_mul(&rotation, vec3_scale(w, mass / 12.0));
    return vec3_add(own, vec3_cross(vec3_sub(vector(body->position), about), vec3_scale(vector(body->velocity), mass)));
}

static Machine *machine_with(const DataFiles *files, const SceneParams *scene, int tool, MachineParams *plain)
{
    Status status;
    MachineParams *params = malloc(sizeof *params);
    assert_good(data_load_scene_tool(files, scene, tool, plain, params, &status), status);
    Machine *machine = machine_create(params, &status);
    assert_good(machine != NULL, status);
    free(params);
    return machine;
}

/// The closed form of a change: two bodies that move as one keep m1 v1 + m2 v2 = m v and every point its velocity; made
/// one again, they keep momentum and moment of momentum about the common centre.
TEST(momentum_at_a_change)
{
    static SceneParams scene;
    static MachineParams params, plain;
    static LooseToolParams tool;
    Status status;
    DataFiles files = {0};
    assert_good(data_load_scene(SCENE, NULL, 0, &scene, &params, &files, &status), status);
    Machine *with = machine_with(&files, &scene, 0, &plain), *bare = machine_with(&files, &scene, -1, NULL);
    assert_good(loose_tool_make(&plain, &tool, &status), status);
    for (int turn = 0; turn < 8; turn++) {
        MachineState state;
        machine_start(with, 0.0, 0.0, 0.0, turn * M_PI / 4.0, &state);
        MachineBodyState *body = &state.body[EXCAVATOR_BUCKET], loose;
        memcpy(body->velocity, (double[]){0.7, -0.3, 0.4}, sizeof body->velocity);
        memcpy(body->spin, (double[]){0.2, -0.9, 0.3}, sizeof body->spin);
        MachineState before = state;
        RigidMotion whole;
        machine_get_body(with, &before, EXCAVATOR_BUCKET, &whole);
        machine_lay_down(with, bare, &tool, &state, &loose);
        double coupler = machine_params(bare)->body[EXCAVATOR_BUCKET].mass, mass = coupler + tool.mass;
        assert_near(mass, machine_params(with)->body[EXCAVATOR_BUCKET].mass, 1e-9);
        Vec3 sum = vec3_madd(vec3_scale(vector(body->velocity), coupler), tool.mass, vector(loose.velocity));
        assert_same_vector(sum, vec3_scale(whole.velocity, mass), 1e-9 * mass);
        Vec3 center = vec3_madd(vec3_scale(vector(body->position), coupler), tool.mass, vector(loose.position));
        assert_same_vector(center, vec3_scale(whole.center, mass), 1e-9 * mass);
        assert_memory_equal(loose.spin, before.body[EXCAVATOR_BUCKET].spin, sizeof loose.spin);
        assert_memory_equal(state.body, before.body, EXCAVATOR_BUCKET * sizeof state.body[0]); // to the bit
        CouplerPins pins = machine_coupler_pins(bare, &state, &tool, &loose);
        assert_true(pins.first < 1e-9 && pins.second < 1e-9);
        // Both get other velocities before they become one again.
        Vec3 kick = vec3(0.1, 0.2, -0.3);
        for (int k = 0; k < 3; k++) {
            loose.velocity[k] += k == 0 ? kick.x : k == 1 ? kick.y : kick.z;
        }
        const MachineBodyParams *own = &machine_params(bare)->body[EXCAVATOR_BUCKET];
        Vec3 moment = vec3_add(moment_of(own, own->mass, body, whole.center),
                               moment_of(&plain.body[EXCAVATOR_BUCKET], tool.mass, &loose, whole.center));
        machine_take_up(bare, with, &tool, &loose, &state);
        assert_same_vector(vector(body->velocity), vec3_madd(whole.velocity, tool.mass / mass, kick), 1e-9);
        assert_same_vector(vector(body->position), whole.center, 1e-9);
        machine_get_body(with, &state, EXCAVATOR_BUCKET, &whole);
        assert_same_vector(vector(body->spin), mat3_mul(&whole.inertia_inverse, moment), 1e-9);
    }
    machine_destroy(with);
    machine_destroy(bare);
    data_files_free(&files);
}

/// From a state in the middle of a release, of a fall and of a lock it continues with the same bits, in a session
/// whose machine has another tool.
TEST(goes_on_from_a_saved_state)
{
    static const double times[] = {0.5, 1.6, 3.0};
    for (int k = 0; k < 3; k++) {
        Status status;
        Session *session = open_scene(), *other = open_released();
        StateBuffer saved = {0};
        drive(session, 2.5, 1.0, 0.0, 0.0);
        press(session);
        press(session);
        drive(session, times[k], k == 2 ? -0.7 : 0.0, 0.0, 0.0);
        assert_good(state_save(session, &saved, &status), status);
        drive(session, 1.0, 0.0, 0.2, 1.0);
        drive(session, 2.0, 0.2, -0.2, 0.0);
        uint64_t hash = state_hash(session);
        assert_good(state_restore(other, saved.data, saved.size, &status), status);
        drive(other, 1.0, 0.0, 0.2, 1.0);
        drive(other, 2.0, 0.2, -0.2, 0.0);
        assert_true(state_hash(other) == hash);
        state_buffer_free(&saved);
        session_destroy(session);
        session_destroy(other);
    }
}

/// A session that begins anew has the tool of the start.
TEST(another_start_has_the_first_tool)
{
    Status status;
    Session *session = open_released(), *fresh = open_scene();
    assert_good(session_reseed(session, session_seed(fresh), &status), status);
    assert_string_equal(session_machine_params(session)->attachment, "trenching-bucket-600");
    assert_true(state_hash(session) == state_hash(fresh));
    session_destroy(session);
    session_destroy(fresh);
}

/// Scenes in which a tool cannot be where it is, or cannot be taken.
TEST(tools_that_cannot_be)
{
    static const struct {
        const char *set[3], *words;
    } cases[] = {
        {{"exercise.tools.0.x=11.9"}, "exercise.tools.0"},
        {{"exercise.tools.0.x=2", "exercise.tools.0.y=1"}, "exercise.tools.0: the machine starts on it"},
        {{"exercise.tools.0.x=9.5", "exercise.tools.0.y=-6"},
         "exercise.tools.0 (grading-bucket-1800): it starts in the block"},
        {{"exercise.tools.0.x=6.2", "exercise.tools.0.y=0"}, "the machine starts in it: its bucket"},
        {{"exercise.tools.0.heading_deg=400"}, "exercise.tools.0.heading_deg"},
        {{"exercise.tools.0.attachment=shovel"}, "no attachment named shovel"},
        {{"machine.coupler="}, "exercise.tools: the machine cannot take them, allowed with machine.coupler"},
        {{"rocks=[{x: -6, y: 6, size: 0.8}]"}, "rocks"},
        {{"machine.file=excavator-8t", "machine.attachment="}, "kg"},
        {{"exercise.tools.0.attachment=grab-1000"}, "grab-1000 has jaws or a thumb"},
        {{"machine.attachment=thumb-bucket-1300"}, "thumb-bucket-1300 has jaws or a thumb"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        int count = 0;
        while (count < 3 && cases[k].set[count] != NULL) {
            count++;
        }
        Session *session = open_with(cases[k].set, count, &status);
        if (session != NULL || strstr(status.text, cases[k].words) == NULL) {
            fail_msg("case %zu: \"%s\" instead of \"%s\"", k, session != NULL ? "" : status.text, cases[k].words);
        }
    }
}

TEST_GROUP(NULL, NULL)
