/// Persons on a site and cabs of trucks: what reaches them or passes above is told once, with part and place; a person
/// who was hit ends the attempt where the scene says so; a recording of it verifies from every keyframe.

#include "data/schema/scene_site.h"
#include "machine/truck.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/persons.h"
#include "trainer/record/record.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static Session *open_session(const char *scene, const char *const *set, int set_count, Status *status)
{
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    return session_create(&params, status);
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

/// Lifts the boom, swings to the right until the bucket is over the banksman, and comes down.
static void drive(Session *session)
{
    int64_t tick = session_frame(session)->tick;
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(tick < 90 ? 1.0 : tick < 180 ? 0.0 : -1.0);
    controls.axis[CONTROL_SWING] = control_quantise(tick >= 90 && tick < 156 ? 0.6 : 0.0);
    controls.axis[CONTROL_STICK] = control_quantise(tick >= 180 ? -0.6 : 0.0);
    session_tick(session, &controls);
}

TEST(a_bucket_that_comes_down_on_a_person_is_told_and_fails_the_attempt)
{
    enum { SAVED_AT = 224, TICKS = 260 };
    Status status = {0};
    Session *session = open_session("tight-site", NULL, 0, &status);
    assert_good(session != NULL, status);
    char path[] = "/tmp/spadework-zones-XXXXXX";
    assert_non_null(mkdtemp(path));
    char file[64];
    snprintf(file, sizeof file, "%s/hit.spade", path);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = file}, session, &status);
    assert_good(recorder != NULL, status);
    StateBuffer saved = {0};
    for (int k = 0; k < TICKS; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        drive(session);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    const Exercise *exercise = session_exercise(session);
    ExerciseEvent over = {.tick = 0}, zone = over, hit = over, end = over;
    assert_int_equal(count_of(exercise, "swing_over_person", &over), 1);
    assert_int_equal(count_of(exercise, "person_zone", &zone), 1);
    assert_int_equal(count_of(exercise, "person_hit", &hit), 1);
    assert_int_equal(count_of(exercise, "finished", &end), 1);
    assert_true(over.tick < zone.tick && zone.tick < SAVED_AT && SAVED_AT < hit.tick && hit.tick == end.tick);
    assert_string_equal(hit.part.name, "bucket");
    assert_string_equal(hit.thing.name, "banksman");
    const ScenePerson *person = &session_scene(session)->persons[0];
    assert_near(hypot(hit.number.x - person->x, hit.number.y - person->y), 0.0, person->radius + 0.01);
    assert_in_range((int)(hit.number.z * 100.0), 150, 190); // comes from above: the head of 1.8 m
    assert_true(hit.number.speed > 1.0);
    assert_near(over.number.height, over.number.z, 1.5);
    assert_string_equal(exercise_failure(exercise), "A person was hit.");
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < TICKS; k++) {
        drive(session);
    }
    assert_int_equal(count_of(session_exercise(session), "person_hit", &end), 1);
    assert_memory_equal(&end.number, &hit.number, sizeof hit.number);
    assert_true(state_hash(session) == hash);
    Recording *recording = recording_open(file, &status);
    assert_good(recording != NULL, status);
    VerifyResult result;
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
    remove(file);
    remove(path);
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(work_beside_persons_is_no_incident)
{
    Status status = {0};
    Session *session = open_session("tight-site", NULL, 0, &status);
    assert_good(session != NULL, status);
    for (int k = 0; k < 180; k++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = control_quantise(k < 60 ? 1.0 : -0.3);
        session_tick(session, &controls);
    }
    assert_int_equal(exercise_event_count(session_exercise(session)), 0);
    session_destroy(session);
}

TEST(a_machine_does_not_start_on_a_person)
{
    static const char *const set[] = {"persons.0.x=1.2", "persons.0.y=1.2"};
    Status status = {0};
    assert_null(open_session("tight-site", set, 2, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(
        strstr(status.text, "persons.0 (banksman): the machine starts on it: its left track reaches it at "));
}

/// A truck that is put under a raised bucket by hand.
typedef struct Yard {
    Session *session;
    SceneParams *scene;
    Zones *zones;
    Exercise *exercise;
    IncidentSight sight;
} Yard;

static Yard make_yard(void)
{
    Status status = {0};
    Yard yard = {.session = open_session("tight-site", NULL, 0, &status), .scene = malloc(sizeof *yard.scene)};
    assert_good(yard.session != NULL, status);
    assert_non_null(yard.scene);
    for (int k = 0; k < 90; k++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = control_quantise(1.0);
        session_tick(yard.session, &controls);
    }
    *yard.scene = *session_scene(yard.session);
    yard.scene->exercise.kind = EXERCISE_TRUCK_LOADING;
    yard.scene->exercise.truck =
        (SceneTruck){.bed_length = 5.0, .bed_width = 2.6, .bed_height = 1.2, .floor_height = 1.2};
    assert_good(zones_create(yard.scene, session_machine(yard.session), session_machine_state(yard.session),
                             session_soil(yard.session), &yard.zones, &status),
                status);
    yard.exercise = exercise_create(yard.scene);
    assert_non_null(yard.exercise);
    yard.sight = (IncidentSight){.scene = yard.scene,
                                 .machine = session_machine(yard.session),
                                 .state = session_machine_state(yard.session),
                                 .readout = &session_frame(yard.session)->machine,
                                 .soil = session_soil(yard.session),
                                 .payload = 900.0,
                                 .dt = 1.0 / 60.0,
                                 .truck_count = 1};
    return yard;
}

static void free_yard(Yard *yard)
{
    exercise_destroy(yard->exercise);
    zones_destroy(yard->zones);
    free(yard->scene);
    session_destroy(yard->session);
}

/// Puts the truck's origin to a place for a second.
static void put_truck(Yard *yard, double x, double y)
{
    Pose chassis = {vec3(x, y, 0.0), mat3_yaw(0.0)}, bed = {vec3(x, y, 1.2), mat3_yaw(0.0)};
    yard->sight.truck[0] = (IncidentTruck){.chassis = chassis, .bed = bed, .speed = 2.0};
    for (int tick = 0; tick < 60; tick++) {
        yard->sight.tick++;
        zones_tick(yard->zones, &yard->sight, 0.0, WALK_ROUND, yard->exercise);
    }
}

TEST(a_bucket_over_a_cab_is_told_and_over_a_bed_is_not)
{
    Yard yard = make_yard();
    TruckParams shape = scene_truck_shape(yard.scene);
    TruckSolid solids[TRUCK_SOLIDS];
    truck_solids(&shape, solids);
    const TruckSolid *cab = &solids[TRUCK_SOLID_CAB];
    Vec3 tip = yard.sight.readout->tip;
    double middle = 0.5 * (cab->low.x + cab->high.x);
    ExerciseEvent event = {.tick = 0};
    put_truck(&yard, tip.x - middle, tip.y);
    assert_int_equal(count_of(yard.exercise, "bucket_over_cab", &event), 1);
    put_truck(&yard, tip.x, tip.y);
    assert_int_equal(count_of(yard.exercise, "bucket_over_cab", &event), 1);
    put_truck(&yard, tip.x - middle, tip.y);
    assert_int_equal(count_of(yard.exercise, "bucket_over_cab", &event), 2);
    char text[EVENT_TEXT];
    assert_string_equal(called(&event.thing, text), "the truck's cab");
    assert_near(event.number.load, 900.0, 0.0);
    assert_true(event.number.height > 0.0 && event.number.height < tip.z);
    assert_int_equal(count_of(yard.exercise, "person_hit", &event), 0);
    free_yard(&yard);
}

TEST(a_truck_that_reaches_a_person_is_told)
{
    Yard yard = make_yard();
    ExerciseEvent event = {.tick = 0};
    const ScenePerson *surveyor = &yard.scene->persons[1];
    put_truck(&yard, surveyor->x, surveyor->y);
    assert_int_equal(count_of(yard.exercise, "person_hit", &event), 1);
    assert_string_equal(event.thing.name, "surveyor");
    assert_near(event.number.speed, 2.0, 0.0);
    free_yard(&yard);
}

/// What falls into a bed is a load for a moment; what stays in it is one for good.
TEST(a_truck_that_bears_too_much_or_falls_is_told_once)
{
    Yard yard = make_yard();
    TruckIncidents incidents = {.overload = {{0}}};
    ExerciseEvent event = {.tick = 0};
    yard.sight.truck[0] = (IncidentTruck){.chassis = {vec3(5, 5, 0), mat3_yaw(0.0)}, .load = 26000.0};
    for (int tick = 0; tick < 1200; tick++) {
        bool strikes = tick >= 100 && tick < 160, stays = tick >= 300;
        yard.sight.tick = tick;
        yard.sight.truck[0].overload = strikes || stays ? 800.0 : 0.0;
        yard.sight.truck[0].tipped = tick >= 900;
        truck_incidents_tick(&incidents, &yard.sight, yard.exercise);
        assert_int_equal(count_of(yard.exercise, "truck_overload", &event), tick >= 300 + 119);
        assert_int_equal(count_of(yard.exercise, "truck_tipped", &event), tick >= 900 + 29);
    }
    char text[EVENT_TEXT];
    assert_string_equal(called(&event.thing, text), "truck 1");
    assert_near(event.number.load, 26000.0, 0.0);
    free_yard(&yard);
}

TEST_GROUP(NULL, NULL)
