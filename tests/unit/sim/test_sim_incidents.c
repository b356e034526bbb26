/// Incidents that the machine's motion tells, from states that are made for them: which begin, once each, with what
/// numbers, and that standing and digging make none. A drive over a heap that ends on the machine's side fails the
/// attempt, the same from a state in the middle of the fall.
// test: long

#include "data/core/constants.h"
#include "data/core/vec.h"
#include "machine/cylinder.h"
#include "soil/soil_lab.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/state_io.h"

/// A machine at rest whose state is then bent.
typedef struct Scene {
    Session *session;
    MachineState state;
    MachineReadout readout;
    MachineIncidents events;
    Exercise *exercise;
    int64_t tick;
} Scene;

static Session *open_session(const char *scene, const char *const *set, int set_count)
{
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    Status status;
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static Scene *make_scene(void)
{
    Scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->session = open_session("tight-site", NULL, 0);
    scene->state = *session_machine_state(scene->session);
    scene->exercise = exercise_create(session_scene(scene->session));
    assert_non_null(scene->exercise);
    ExerciseSample sample = {.dt = 1.0 / 60.0, .ground = EXERCISE_NOT_LOOKED};
    exercise_start(scene->exercise, &sample);
    return scene;
}

static void free_scene(Scene *scene)
{
    exercise_destroy(scene->exercise);
    session_destroy(scene->session);
    free(scene);
}

/// Looks at the state for some time.
static void look(Scene *scene, double seconds)
{
    machine_get_readout(session_machine(scene->session), &scene->state, &scene->readout);
    IncidentSight sight = {.scene = session_scene(scene->session),
                           .machine = session_machine(scene->session),
                           .state = &scene->state,
                           .readout = &scene->readout,
                           .soil = session_soil(scene->session),
                           .dt = 1.0 / 60.0};
    for (int k = 0; k < (int)(seconds * 60.0 + 0.5); k++) {
        sight.tick = scene->tick++;
        machine_incidents_tick(&scene->events, &sight, scene->exercise);
    }
}

/// Turns the whole machine about a line along its x axis (0) or its y axis (1) through a point of its base's frame.
static void turn(Scene *scene, int axis, Vec3 pivot, double angle)
{
    const Machine *machine = session_machine(scene->session);
    Pose base;
    machine_get_body_frame(machine, &scene->state, MACHINE_BASE, &base);
    Vec3 line = mat3_mul(&base.rotation, axis == 0 ? vec3(1, 0, 0) : vec3(0, 1, 0)), at = pose_apply(&base, pivot);
    double c = cos(0.5 * angle), s = sin(0.5 * angle), p[4] = {c, s * line.x, s * line.y, s * line.z};
    for (int k = 0; k < machine_params(machine)->body_count; k++) {
        MachineBodyState *body = &scene->state.body[k];
        Vec3 arm = vec3_sub(vec3(body->position[0], body->position[1], body->position[2]), at);
        Vec3 along = vec3_scale(line, vec3_dot(line, arm)), out = vec3_sub(arm, along);
        Vec3 to =
            vec3_add(vec3_madd(vec3_add(at, along), cos(angle), out), vec3_scale(vec3_cross(line, arm), sin(angle)));
        double q[4];
        memcpy(q, body->quaternion, sizeof q);
        body->position[0] = to.x;
        body->position[1] = to.y;
        body->position[2] = to.z;
        body->quaternion[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
        body->quaternion[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
        body->quaternion[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
        body->quaternion[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    }
}

/// Puts a share of the machine's weight on the last patches of both tracks, or on the whole left track.
static void load_patches(Scene *scene, bool left, double share)
{
    const MachineParams *params = session_machine_params(scene->session);
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        mass += params->body[k].mass;
    }
    int n = params->tracks.patches;
    for (int k = 0; k < 2 * n; k++) {
        bool bears = left ? k < n : k % n == n - 1;
        scene->state.patch_load[k] = bears ? share * mass * STANDARD_GRAVITY / (left ? n : 2) : 0.0;
    }
}

static int count_of(const Exercise *exercise, const char *kind, ExerciseEvent *last)
{
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (is_event(event, kind)) {
            *last = *event;
            count++;
        }
    }
    return count;
}

static double metric(const Exercise *exercise, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(exercise, metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

TEST(a_standing_machine_has_no_incident)
{
    Scene *scene = make_scene();
    look(scene, 5.0);
    assert_int_equal(exercise_event_count(scene->exercise), 0);
    free_scene(scene);
}

TEST(a_machine_that_rocks_on_its_front_tips_once)
{
    Scene *scene = make_scene();
    MachineState level = scene->state;
    ExerciseEvent event = {.tick = 0};
    turn(scene, 1, vec3(0.5 * session_machine_params(scene->session)->tracks.contact_length, 0, 0), 0.12);
    load_patches(scene, false, 1.0);
    look(scene, 0.3);
    assert_int_equal(count_of(scene->exercise, "tip_begins", &event), 0);
    look(scene, 2.0);
    assert_int_equal(count_of(scene->exercise, "tip_begins", &event), 1);
    // The rear end stands as high as the angle makes it.
    assert_near(event.number.height, session_machine_params(scene->session)->tracks.contact_length * sin(0.12), 0.05);
    assert_near(event.number.inclination, 0.12, 0.01);
    MachineState leaning = scene->state;
    scene->state = level;
    look(scene, 0.3); // sways back and forth: the same tip
    scene->state = leaning;
    look(scene, 0.5);
    assert_int_equal(count_of(scene->exercise, "tip_begins", &event), 1);
    scene->state = level;
    look(scene, 0.6);
    assert_int_equal(count_of(scene->exercise, "tip_ends", &event), 1);
    assert_near(event.number.duration, 3.0, 0.4);
    scene->state = leaning;
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "tip_begins", &event), 2);
    assert_near(metric(scene->exercise, "tip_begins_count"), 2.0, 0.0);
    assert_int_equal(count_of(scene->exercise, "lifted", &event), 0);
    free_scene(scene);
}

/// The rear stands in the air, and of eight patches a side the two in the middle bear, or the two ends: a crest, and a
/// hollow that is bridged. With the load on the sixth and seventh it is 0.43 of its way from the front end, on the last
/// two 0.14 of it.
TEST(a_machine_on_a_crest_or_over_a_hollow_does_not_tip)
{
    static const struct {
        int first, last; ///< patches of each track that bear, from the rear
        int tips;
    } stands[] = {{3, 4, 0}, {0, 0, 0}, {5, 6, 0}, {6, 7, 1}};
    for (size_t k = 0; k < sizeof stands / sizeof *stands; k++) {
        Scene *scene = make_scene();
        const MachineParams *params = session_machine_params(scene->session);
        ExerciseEvent event = {.tick = 0};
        int n = params->tracks.patches;
        assert_int_equal(n, 8);
        turn(scene, 1, vec3(0.5 * params->tracks.contact_length, 0, 0), 0.12);
        load_patches(scene, false, 1.0);
        double each = scene->state.patch_load[n - 1];
        for (int patch = 0; patch < 2 * n; patch++) {
            int at = patch % n, count = stands[k].last - stands[k].first + 1;
            bool bears = at >= stands[k].first && at <= stands[k].last;
            bool ends = stands[k].last == 0 && (at == 0 || at == n - 1);
            scene->state.patch_load[patch] = ends ? 0.5 * each : bears && stands[k].last > 0 ? each / count : 0.0;
        }
        look(scene, 2.0);
        assert_int_equal(count_of(scene->exercise, "tip_begins", &event), stands[k].tips);
        assert_int_equal(count_of(scene->exercise, "lifted", &event), 0);
        free_scene(scene);
    }
}

TEST(a_machine_that_its_tool_holds_up_is_lifted)
{
    Scene *scene = make_scene();
    ExerciseEvent event = {.tick = 0};
    turn(scene, 0, vec3(0, 0.5 * session_machine_params(scene->session)->tracks.gauge, 0), -0.2);
    load_patches(scene, true, 0.6);
    look(scene, 1.9);
    assert_int_equal(exercise_event_count(scene->exercise), 0);
    look(scene, 3.0);
    assert_int_equal(count_of(scene->exercise, "lifted", &event), 1);
    assert_int_equal(exercise_event_count(scene->exercise), 1);
    free_scene(scene);
}

TEST(a_machine_on_its_side_ends_the_attempt)
{
    Scene *scene = make_scene();
    ExerciseEvent event = {.tick = 0};
    turn(scene, 0, vec3(0, 0.5 * session_machine_params(scene->session)->tracks.gauge, 0), 0.7);
    look(scene, 5.0); // leans, but stands
    assert_int_equal(count_of(scene->exercise, "tipped_over", &event), 0);
    assert_null(exercise_failure(scene->exercise));
    turn(scene, 0, vec3(0, 0.5 * session_machine_params(scene->session)->tracks.gauge, 0), 0.4);
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "tipped_over", &event), 1);
    assert_near(event.number.inclination, 1.1, 0.01);
    assert_int_equal(count_of(scene->exercise, "finished", &event), 1);
    assert_string_equal(exercise_failure(scene->exercise), "The machine has tipped over.");
    assert_true(exercise_is_finished(scene->exercise));
    assert_near(exercise_score(scene->exercise), 0.0, 0.0);
    free_scene(scene);
}

/// The front third of both tracks over a pit.
static void dig_pit(Scene *scene, double depth)
{
    double front = session_frame(scene->session)->machine.base.x;
    front += 0.5 * session_machine_params(scene->session)->tracks.contact_length;
    for (double x = front - 1.2; x < front + 3.0; x += 0.05) {
        for (double y = -2.0; y <= 2.0; y += 0.05) {
            soil_remove_ground(session_soil(scene->session), x, y, -depth);
        }
    }
}

TEST(tracks_over_an_edge_and_the_fall_that_follows)
{
    Scene *scene = make_scene();
    ExerciseEvent event = {.tick = 0};
    const MachineTracks *tracks = &session_machine_params(scene->session)->tracks;
    int n = tracks->patches;
    for (int k = 0; k < 2 * n; k++) { // those over the pit bear nothing
        double ahead = (double)(k % n) / (n - 1) * tracks->contact_length;
        scene->state.patch_load[k] = ahead > tracks->contact_length - 1.25 ? 0.0 : 1e4;
    }
    look(scene, 0.5); // idle patches over level ground are no edge
    assert_int_equal(exercise_event_count(scene->exercise), 0);
    dig_pit(scene, 1.5);
    look(scene, 0.5);
    assert_int_equal(count_of(scene->exercise, "track_off_edge", &event), 2);
    assert_string_equal(event.part.name, "right track");
    assert_near(event.number.height, 1.5, 0.1);
    assert_int_equal(count_of(scene->exercise, "fell_into_hole", &event), 0);
    turn(scene, 1, vec3(0.5 * tracks->contact_length - 1.3, 0, 0), 0.25);
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "fell_into_hole", &event), 1);
    assert_int_equal(count_of(scene->exercise, "track_off_edge", &event), 2);
    free_scene(scene);
}

/// Moves the whole machine.
static void shift(Scene *scene, double x, double y)
{
    for (int k = 0; k < session_machine_params(scene->session)->body_count; k++) {
        scene->state.body[k].position[0] += x;
        scene->state.body[k].position[1] += y;
    }
}

/// The machine faces east: the bucket crosses first, then the tracks, each once. It has to come back inside for half a
/// second before it crosses anew; what lies on the edge and shakes is one crossing.
TEST(the_edge_of_the_site_is_crossed_once)
{
    Scene *scene = make_scene();
    ExerciseEvent event = {.tick = 0};
    const SceneGround *ground = &session_scene(scene->session)->ground;
    const MachineParams *params = session_machine_params(scene->session);
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 0);
    Pose bucket;
    machine_get_body_frame(session_machine(scene->session), &scene->state, params->tool[0].body, &bucket);
    shift(scene, 0.5 * ground->size_x - bucket.position.x + 0.05, 0.0);
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 1);
    assert_string_equal(event.part.name, "bucket");
    assert_near(event.number.x, 0.5 * ground->size_x + 0.05, 1e-6);
    double beyond = machine_beyond_site(ground, session_machine(scene->session), &scene->state, NULL, NULL);
    assert_true(beyond < 0.0);
    shift(scene, 0.1 - beyond, 0.0);
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 2);
    assert_non_null(strstr(event.part.name, "track"));
    for (int k = 0; k < 20; k++) { // it shakes on the edge
        shift(scene, k % 2 == 0 ? -0.15 : 0.15, 0.0);
        look(scene, 0.1);
    }
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 2);
    shift(scene, 40.0, 0.0); // farther out is no new crossing
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 2);
    shift(scene, -0.5 * ground->size_x - 41.0, 0.0);
    look(scene, 1.0);
    shift(scene, 0.0, -0.5 * ground->size_y - 10.0); // and out on another side
    look(scene, 1.0);
    assert_int_equal(count_of(scene->exercise, "site_left", &event), 4);
    assert_true(event.number.y < -0.5 * ground->size_y);
    free_scene(scene);
}

/// A drive straight off the site: a scene's rule takes points for it, and without one it costs nothing. The state
/// restores what has been told.
TEST(a_scene_may_score_that_the_site_is_left)
{
    static const char *const set[] = {"exercise.rules.0.event=site_left", "exercise.rules.0.points=7"};
    for (int k = 0; k < 2; k++) {
        Session *session = open_session("pad", set, 2 * k);
        OperatorControls back = {{0}};
        back.axis[CONTROL_LEFT_TRACK] = back.axis[CONTROL_RIGHT_TRACK] = control_quantise(-1.0);
        back.axis[CONTROL_BLADE] = control_quantise(0.6);
        ExerciseEvent event = {.tick = 0};
        for (int tick = 0; tick < 10 * 60 && count_of(session_exercise(session), "site_left", &event) < 2; tick++) {
            session_tick(session, &back);
        }
        assert_true(session_beyond_site(session) > 1.0);
        assert_int_equal(count_of(session_exercise(session), "site_left", &event), 2); // tracks and blade
        assert_string_equal(event.part.name, "blade");
        assert_near(event.number.points, k == 0 ? 0.0 : -7.0, 1e-9);
        StateBuffer saved = {0};
        Status status = {0};
        assert_good(state_save(session, &saved, &status), status);
        assert_good(state_restore(session, saved.data, saved.size, &status), status);
        session_tick(session, &back);
        assert_int_equal(count_of(session_exercise(session), "site_left", &event), 2);
        state_buffer_free(&saved);
        session_destroy(session);
    }
}

/// Soil that comes to rest far beyond the edge makes one event in five seconds, with its mass, and stays in the ledger.
TEST(soil_that_leaves_the_site_is_told)
{
    Session *session = open_session("trench", NULL, 0);
    Soil *soil = session_soil(session);
    int64_t total = soil_get_ledger(soil).total, before = soil_get_ledger(soil).particles;
    for (int k = 0; k < 20; k++) {
        double x = 0.5 * session_scene(session)->ground.size_x + 15.0 + 0.3 * (k % 5), y = 0.3 * (double)(k / 5);
        assert_true(soil_add_particle(soil, vec3(x, y, 0.3), vec3(0, 0, 0), 0.05, 0, 0.8) >= 0);
    }
    int64_t added = soil_get_ledger(soil).particles - before;
    for (int tick = 0; tick < 12 * 60; tick++) {
        session_tick(session, &control_neutral);
    }
    ExerciseEvent event = {.tick = 0};
    assert_int_equal(count_of(session_exercise(session), "soil_left", &event), 1);
    assert_near(event.number.load, (double)added * SOIL_QUANTUM, 1e-6);
    assert_near(event.number.total, event.number.load, 1e-9);
    SoilLedger ledger = session_frame(session)->ledger;
    assert_true(ledger.left == added && ledger.total == total + added && ledger.particles == before);
    session_destroy(session);
}

TEST(a_cylinder_that_is_stopped_by_its_end_slams)
{
    Scene *scene = make_scene();
    ExerciseEvent event = {.tick = 0};
    const MachineParams *params = session_machine_params(scene->session);
    int stick = machine_joint_of_control(params, CONTROL_STICK);
    double length, length_per_rad;
    look(scene, 0.1);
    assert_true(cylinder_length(&params->joint[stick], params->joint[stick].range[1], &length, &length_per_rad));
    MachineReadout readout = scene->readout;
    IncidentSight sight = {.scene = session_scene(scene->session),
                           .machine = session_machine(scene->session),
                           .state = &scene->state,
                           .readout = &readout,
                           .soil = session_soil(scene->session),
                           .dt = 1.0 / 60.0};
    double speed = 0.25 / fabs(length_per_rad); // rad/s of a cylinder at 0.25 m/s
    for (int k = 0; k < 60; k++) {
        bool stopped = k >= 10;
        readout.angle[stick] = params->joint[stick].range[1] - (stopped ? 0.001 : 0.02 + (10 - k) * speed / 60.0);
        readout.speed[stick] = stopped ? 0.0 : speed;
        sight.tick = k;
        machine_incidents_tick(&scene->events, &sight, scene->exercise);
    }
    assert_int_equal(count_of(scene->exercise, "slam", &event), 1);
    char text[EVENT_TEXT];
    assert_string_equal(called(&event.part, text), "stick cylinder");
    assert_near(event.number.speed, 0.25, 0.005);
    free_scene(scene);
}

/// Every cylinder driven to both its ends at full lever: the cushions stop it.
TEST(cushioned_cylinders_do_not_slam)
{
    Session *session = open_session("tight-site", NULL, 0);
    static const ControlAxis axis[3] = {CONTROL_STICK, CONTROL_BUCKET, CONTROL_BOOM};
    for (int k = 0; k < 24 * 60; k++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = k < 180 ? control_quantise(1.0) : 0;
        controls.axis[axis[k / 180 % 3]] = control_quantise(k / 540 % 2 == 0                    ? 1.0
                                                            : axis[k / 180 % 3] == CONTROL_BOOM ? 1.0
                                                                                                : -1.0);
        session_tick(session, &controls);
    }
    ExerciseEvent event = {.tick = 0};
    int slams = count_of(session_exercise(session), "slam", &event);
    char text[EVENT_TEXT];
    print_message("slams: %d %s\n", slams, slams > 0 ? english_of(&event, NULL, text) : "");
    assert_int_equal(slams, 0);
    session_destroy(session);
}

static const char *spoiled;

static void spoil(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    memset(data, strcmp(name, spoiled) == 0 ? 0xff : 0, size * count); // -1, or not a number
}

TEST(spells_and_numbers_that_there_cannot_be_are_refused)
{
    static const char *const names[] = {"events.held",        "events.clear",       "events.told",
                                        "events.joint_speed", "events.edge_height", "events.tip_time"};
    for (int k = 0; k < 6; k++) {
        MachineIncidents events;
        StateVisitor visitor = {.field = spoil, .restoring = true};
        spoiled = names[k];
        machine_incidents_visit(&events, &visitor);
        assert_true(visitor.failed);
    }
}

/// ---- a drive -------------------------------------------------------------------------------------------------------

/// Over the flank of a steep heap with the arm stretched out downhill, then lifted.
static void drive(Session *session)
{
    double t = (double)session_frame(session)->tick / 60.0;
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_SWING] = control_quantise(t < 2.3 ? -1.0 : 0.0);
    controls.axis[CONTROL_BOOM] = control_quantise(t < 2.0 ? 0.25 : t > 9.5 && t < 12.5 ? 1.0 : 0.0);
    controls.axis[CONTROL_STICK] = control_quantise(t < 2.8 ? -1.0 : 0.0);
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] =
        control_quantise(t > 3.0 && t < 12.5 ? 1.0 : 0.0);
    session_tick(session, &controls);
}

TEST(a_fall_ends_the_attempt_and_goes_on_from_any_state_alike)
{
    enum { SAVED_AT = 560, TICKS = 1000 };
    static const char *const set[] = {"ground.mounds.0.x=7", "ground.mounds.0.y=-4.8", "ground.mounds.0.height=4",
                                      "machine.x=-3.5"};
    Status status;
    Session *session = open_session("free", set, 4);
    StateBuffer saved = {0};
    for (int k = 0; k < TICKS; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        drive(session);
    }
    ExerciseEvent begins = {.tick = 0}, over = begins;
    assert_int_equal(count_of(session_exercise(session), "tip_begins", &begins), 1);
    assert_int_equal(count_of(session_exercise(session), "tipped_over", &over), 1);
    assert_true(begins.tick < SAVED_AT && over.tick > SAVED_AT); // the state lies within the tip
    assert_non_null(exercise_failure(session_exercise(session)));
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < TICKS; k++) {
        drive(session);
    }
    ExerciseEvent again = {.tick = 0};
    assert_int_equal(count_of(session_exercise(session), "tipped_over", &again), 1);
    assert_memory_equal(&again.number, &over.number, sizeof over.number);
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
}

/// A minute of the scripted operator in the trench: work as it should be has no incident.
TEST(a_minute_of_digging_has_no_incident)
{
    Session *session = open_session("trench", NULL, 0);
    Autopilot *pilot = autopilot_create(session);
    assert_non_null(pilot);
    for (int k = 0; k < 3600; k++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
    }
    assert_true(metric(session_exercise(session), "cycles") >= 2.0);
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_count", incident_names[k]);
        assert_near(metric(session_exercise(session), name), 0.0, 0.0);
    }
    autopilot_destroy(pilot);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
