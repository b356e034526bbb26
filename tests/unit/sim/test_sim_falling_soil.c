/// Soil and loads that fall on persons: what hurts, what does not, and that the state continues to the bit.
#include "soil/soil_lab.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/persons.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define PEOPLE SPADEWORK_TEST_DIR "/support/people.yaml"

enum { BANKSMAN = 2, TICKS = 40 };

static Session *open_scene(void)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = PEOPLE, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session)
{
    for (int k = 0; k < TICKS; k++) {
        session_tick(session, &control_neutral);
    }
}

/// Number of person_hit; the last one is written.
static int hits(const Exercise *exercise, ExerciseEvent *last)
{
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        if (is_event(exercise_event(exercise, k), "person_hit")) {
            *last = *exercise_event(exercise, k);
            count++;
        }
    }
    return count;
}

/// Puts `count` lumps of `mass` kg each over a place beside the banksman, `beside` m away, 2 m over his feet.
static void pour(Session *session, int count, double mass, double beside, double speed)
{
    const PersonState *person = session_person(session, BANKSMAN);
    for (int k = 0; k < count; k++) {
        Vec3 at = vec3(person->x + beside, person->y, person->z + 2.0 + 0.2 * k);
        assert_true(soil_add_particle(session_soil(session), at, vec3(0.0, 0.0, -speed), 0.09, 0, mass) >= 0);
    }
}

TEST(soil_dumped_on_a_person_hurts_and_the_state_continues)
{
    Status status = {0};
    Session *session = open_scene(), *other = open_scene();
    StateBuffer saved = {0};
    ExerciseEvent event = {0};
    char text[EVENT_TEXT];
    session_tick(session, &control_neutral);
    pour(session, 4, 5.0, 0.0, 4.0);
    session_tick(session, &control_neutral);
    assert_good(state_save(session, &saved, &status), status);
    drive(session);
    assert_int_equal(hits(session_exercise(session), &event), 1);
    assert_int_equal(event.form, EVENT_HIT_BY_SOIL);
    assert_true(event.number.load >= 5.0 - 0.01 && event.number.load <= 20.0 + 0.01);
    assert_true(event.number.speed > 3.9 && event.number.speed < 7.5); // 4 m/s and at most 2 m of fall
    assert_non_null(strstr(english_of(&event, NULL, text), "falling soil hits banksman: "));
    assert_true(session_person(session, BANKSMAN)->lies);
    assert_string_equal(exercise_failure(session_exercise(session)), "A person was hit.");
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(other, &status), status);
    drive(other);
    assert_true(state_hash(other) == state_hash(session));
    state_buffer_free(&saved);
    session_destroy(other);
    session_destroy(session);
}

TEST(crumbs_and_soil_beside_a_person_do_not_hurt)
{
    static const struct {
        int count;
        double mass, beside, speed;
    } falls[] = {{1, 1.0, 0.0, 4.0}, {4, 5.0, 0.6, 4.0}};
    for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
        Session *session = open_scene();
        ExerciseEvent event = {0};
        session_tick(session, &control_neutral);
        pour(session, falls[k].count, falls[k].mass, falls[k].beside, falls[k].speed);
        drive(session);
        assert_int_equal(hits(session_exercise(session), &event), 0);
        assert_false(session_person(session, BANKSMAN)->lies);
        session_destroy(session);
    }
}

/// Hits by a load or a tool that is at the banksman with a velocity, in a tick.
static int hits_of(Session *session, double fall, bool hangs, int tool, double beside)
{
    Status status = {0};
    const SceneParams *scene = session_scene(session);
    Exercise *exercise = exercise_create(scene);
    Zones *zones;
    assert_good(zones_create(scene, session_machine(session), session_machine_state(session), session_soil(session),
                             &zones, &status),
                status);
    const PersonState *person = session_person(session, BANKSMAN);
    SolidThing thing;
    Vec3 points[8];
    const char *reason;
    for (int k = 0; k < 8; k++) {
        Vec3 corner = vec3(k & 1 ? 0.3 : -0.3, k & 2 ? 0.3 : -0.3, k & 4 ? 2.1 : 1.5);
        points[k] = vec3_add(vec3(person->x + beside, person->y, person->z), corner);
    }
    assert_true(solid_thing_make(points, 8, 0.0, &thing, &reason));
    thing.velocity = vec3(0.0, 0.0, -fall);
    IncidentSight sight = {.scene = scene,
                           .machine = session_machine(session),
                           .state = session_machine_state(session),
                           .readout = &session_frame(session)->machine,
                           .soil = session_soil(session),
                           .dt = 1.0 / 60.0,
                           .load_count = 1,
                           .load = {{.thing = &thing, .name = "pipe", .hangs = hangs, .tool = tool}}};
    zones_tick(zones, &sight, 0.0, WALK_ROUND, exercise);
    ExerciseEvent event = {0};
    int count = hits(exercise, &event);
    assert_true(count == 0 || event.form == EVENT_HIT_BY_LOAD);
    zones_destroy(zones);
    exercise_destroy(exercise);
    return count;
}

TEST(a_load_or_tool_that_falls_or_rolls_hurts_and_one_at_rest_does_not)
{
    Session *session = open_scene();
    session_tick(session, &control_neutral);
    assert_int_equal(hits_of(session, 4.0, false, 0, 0.0), 1); // a pipe off the hook
    assert_int_equal(hits_of(session, 4.0, true, 1, 0.0), 1); // a bucket off the coupler
    assert_int_equal(hits_of(session, 0.5, true, 0, 0.0), 1); // a pipe on the hook
    assert_int_equal(hits_of(session, 0.0, false, 0, 0.0), 0); // leans on him
    assert_int_equal(hits_of(session, 4.0, false, 0, 0.8), 0); // falls beside him
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
