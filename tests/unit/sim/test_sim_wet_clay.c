/// A trench in wet clay: what the bucket leaves on the ground comes to rest while the next load is carried, so that the
/// score is not held, and what lies in a bucket that stands still lies still.
// test: long
#include <stdlib.h>

#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"

#define DRIVE  165.0 ///< s; before, the ground never settled again from the 127th on
#define IDLE   15.0 ///< s with all levers neutral, at the end
#define OUT    0.2 ///< m over the site: an edge that is higher is out of the cut
#define CLEAR  1.0 ///< m over the site: an edge that is higher touches nothing
#define CRUMBS 10.0 ///< kg that may still move in ground that has settled
#define LOOK   0.5 ///< s between two looks
#define RESTS  0.08 ///< m/s: a grain that is slower counts as at rest

enum { LOOKS = 6, TREMBLE = 4 };

static Session *make_session(void)
{
    Status status;
    SessionParams params = {.scene = SPADEWORK_TEST_DIR "/support/trench-wet-clay.yaml", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// True when soil moves that the score waits for.
static bool is_stirred(Session *session)
{
    const SceneTrench *trench = &session_scene(session)->exercise.trench;
    SoilPlace dump = {.x = trench->dump_x, .y = trench->dump_y, .radius = trench->dump_radius};
    return soil_is_stirred(session_soil(session), &dump, 1, (int64_t)(CRUMBS / SOIL_QUANTUM));
}

/// Drives and returns for how long at most, s, the ground did not settle. What passes with the edge in the cut does not
/// count, but does not begin the time anew either.
static double drive(Session *session)
{
    Autopilot *pilot = autopilot_create(session);
    assert_non_null(pilot);
    double stirred = 0.0, longest = 0.0;
    // To the end, and then until the edge is out of the cut: clay that a tool presses on is not at rest.
    while (session_frame(session)->time < DRIVE || session_frame(session)->machine.tip.z < CLEAR) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        assert_true(frame->mass_drift == 0);
        if (frame->machine.tip.z > OUT) {
            stirred = is_stirred(session) ? stirred + session_dt(session) : 0.0;
        }
        longest = fmax(longest, stirred);
    }
    autopilot_destroy(pilot);
    return longest;
}

/// Grains that never come to rest in LOOKS looks, wherever they are: what circles moves in each of them, while one that
/// is jammed between two plates of the bucket trembles now and then.
static int count_moving(Session *session)
{
    size_t most = (size_t)session_scene(session)->particles.budget;
    bool *moves = calloc(most, sizeof *moves);
    uint32_t *ids = calloc(most, sizeof *ids);
    assert_non_null(moves);
    assert_non_null(ids);
    int moving = 0, trembling = 0;
    for (int look = 0; look < LOOKS; look++) {
        SoilParticleView p = soil_get_particles(session_soil(session));
        int now_moving = 0;
        moving = 0;
        for (int i = 0; i < p.count; i++) {
            bool now = p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i] > RESTS * RESTS;
            now_moving += now;
            moves[i] = now && (look == 0 || (moves[i] && p.id[i] == ids[i]));
            ids[i] = p.id[i];
            moving += moves[i];
        }
        trembling = now_moving > trembling ? now_moving : trembling;
        for (int tick = 0; tick < (int)(LOOK / session_dt(session)); tick++) {
            OperatorControls neutral = {{0}};
            session_tick(session, &neutral);
        }
    }
    assert_true(trembling <= TREMBLE);
    free(ids);
    free(moves);
    return moving;
}

TEST(wet_clay_settles_between_two_digs)
{
    Session *session = make_session();
    double longest = drive(session);
    for (int tick = 0; tick < (int)(IDLE / session_dt(session)); tick++) {
        OperatorControls neutral = {{0}};
        session_tick(session, &neutral);
    }
    int count = soil_get_particles(session_soil(session)).count, moving = count_moving(session);
    print_message(
        "out of the cut the ground moved for %.1f s on end at most; at the end %d of %d grains move, %.0f kg lie in "
        "the bucket\n",
        longest, moving, count, session_frame(session)->payload);
    assert_true(longest <= 15.0);
    assert_int_equal(moving, 0);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
