/// The ghost of a replay: a machine that is set by a sample stands as the one that the sample was taken of.
#include "trainer/app/ghost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

/// Drives a scene for two seconds with all levers and compares every body's place, mm.
static void stands_as_it_stood(const char *scene)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_non_null(session);
    OperatorControls controls = control_neutral;
    for (int axis = 0; axis < CONTROL_THROTTLE; axis++) {
        controls.axis[axis] = (int16_t)(axis % 2 == 0 ? CONTROL_FULL / 2 : -CONTROL_FULL / 3);
    }
    controls.axis[CONTROL_BLADE_ANGLE] = controls.axis[CONTROL_BLADE_TILT] = CONTROL_FULL / 2;
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &controls);
    }
    TraceSample sample;
    trace_take(session, &sample);
    MachineState state;
    const Machine *machine = session_machine(session);
    ghost_place(machine, &sample, &state);
    const MachineParams *params = session_machine_params(session);
    for (int body = 0; body < params->body_count; body++) {
        Pose was, is;
        machine_get_body_frame(machine, session_machine_state(session), body, &was);
        machine_get_body_frame(machine, &state, body, &is);
        assert_true(vec3_length(vec3_sub(was.position, is.position)) < 0.02); // joints give a little
        for (int k = 0; k < 9; k++) {
            assert_float_equal(was.rotation.m[k / 3][k % 3], is.rotation.m[k / 3][k % 3], 0.01);
        }
    }
    session_destroy(session);
}

/// A recording of two seconds of driving, 3 m ahead at most.
static void record_driving(const char *path)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path}, session, &status);
    assert_non_null(recorder);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = CONTROL_FULL;
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &controls);
        assert_true(recorder_tick(recorder, session, &status));
    }
    assert_true(recorder_close(recorder, session, &status));
    session_destroy(session);
}

/// Belts turn as they did, and the machine is there without a session.
TEST(tracks_turn)
{
    char path[] = "/tmp/spadework-ghost-XXXXXX";
    Status status = {0};
    assert_true(mkstemp(path) >= 0 && remove(path) == 0);
    record_driving(path);
    Ghost ghost;
    RenderGhost start, end;
    assert_true(ghost_ask(&ghost, &(GhostAsked){.who = NULL}, &status));
    assert_int_equal(ghost.count, 0);
    assert_true(ghost_ask(&ghost, &(GhostAsked){.who = path}, &status));
    assert_true(ghost.count > 18 && ghost.count < 24);
    ghost_show(&ghost, 0.0, &start);
    ghost_show(&ghost, 2.0, &end);
    double way = vec3_length(vec3_sub(end.body[0].position, start.body[0].position));
    for (int side = 0; side < 2; side++) {
        double run = end.track_travel[side] - start.track_travel[side];
        assert_true(way > 0.5 && run >= 0.95 * way && run < 2.0 * way);
    }
    Session *other = session_create(&(SessionParams){.scene = "pad", .threads = 1}, &status);
    GhostLead told;
    RenderHud hud = {.race_count = 1};
    ghost_beside(&ghost, other);
    assert_true(ghost.differs);
    assert_non_null(strstr(ghost.note, "drives another scene"));
    ghost_tell(&ghost, other, &told, &hud);
    assert_int_equal(hud.race_count, 0);
    session_destroy(other);
    ghost_close(&ghost);
    remove(path);
    assert_false(ghost_open(&ghost, path, &status));
}

/// Step 1 at 10 s against 12 s, cycle 1 at 20 s against 15 s, step 2 of the other one at 30 s.
TEST(the_lead_is_known_by_hand)
{
    const ExerciseEvent own[] = {{.tick = 200, .kind = EVENT_STEP}, {.tick = 400, .kind = EVENT_CYCLE}};
    const ExerciseEvent other[] = {{.tick = 240, .kind = EVENT_STEP},
                                   {.tick = 300, .kind = EVENT_CYCLE},
                                   {.tick = 310, .kind = EVENT_SPILL},
                                   {.tick = 600, .kind = EVENT_STEP, .thing = {.index = 1}}};
    GhostMark a[2], b[4];
    assert_int_equal(ghost_marks(own, 2, a), 2);
    assert_int_equal(ghost_marks(other, 4, b), 3);
    GhostRace race = {.own = a, .other = b, .other_count = 3, .dt = 0.05, .own_score = 31.2, .other_score = 38.0};
    char text[GHOST_RACE_LINES][GHOST_RACE_TEXT];
    double lead;
    GhostMark at;
    race.tick = 100;
    assert_false(ghost_race_lead(&race, &lead, &at));
    ghost_race_text(&race, text);
    assert_string_equal(text[0], "");
    assert_string_equal(text[1], "31 points, the ghost 38");
    race.own_count = 1;
    race.tick = 220;
    ghost_race_text(&race, text);
    assert_string_equal(text[0], "2.0 s ahead of the ghost (step 1)");
    race.tick = 360; // its cycle is 3 s overdue
    ghost_race_text(&race, text);
    assert_string_equal(text[0], "3.0 s behind the ghost (cycle 1)");
    race.own_count = 2;
    race.tick = 500;
    ghost_race_text(&race, text);
    assert_string_equal(text[0], "5.0 s behind the ghost (cycle 1)");
    race.tick = 800; // step 2 is 10 s overdue
    assert_true(ghost_race_lead(&race, &lead, &at));
    assert_float_equal(lead, -10.0, 1e-9);
    assert_true(at.kind == GHOST_STEP && at.number == 2);
}

TEST(an_excavator_stands_as_it_stood)
{
    stands_as_it_stood("trench");
}

TEST(a_dozer_stands_as_it_stood)
{
    stands_as_it_stood("slot-dozing");
}

TEST_GROUP(NULL, NULL)
