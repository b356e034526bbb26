/// The dirt on a machine grows with what it touches, and is the same for who has watched a drive and who looks at its
/// end.
#include <math.h>
#include <stdlib.h>

#include "tests/support/test.h"
#include "trainer/app/ground_view.h"
#include "trainer/pilot/autopilot.h"

/// What sticks to a machine after a drive: to one that was watched tick by tick; by its path; by samples of its path,
/// ten a second, as a recording has them.
typedef struct Driven {
    RenderDirt early[RENDER_DIRT_PARTS]; ///< watched, a third of the way
    RenderDirt watched[RENDER_DIRT_PARTS], later[RENDER_DIRT_PARTS], sampled[RENDER_DIRT_PARTS];
    double way; ///< m that the belts have run
} Driven;

static void drive(const char *scene, int ticks, Driven *driven)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    Autopilot *pilot = autopilot_create(session);
    GroundView watched = {0}, later = {0};
    GroundPath samples = {0};
    GroundStep step;
    ground_view_tick(&watched, session, true);
    for (int k = 0; k < RENDER_DIRT_PARTS; k++) {
        assert_true(watched.dirt[k].share == 0.0f); // it starts clean
    }
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
        ground_view_tick(&watched, session, false);
        if (tick % 6 == 0) {
            ground_step_of_session(session, &step);
            ground_path_add(&samples, &step);
        }
        if (tick == ticks / 3) {
            memcpy(driven->early, watched.dirt, sizeof driven->early);
        }
    }
    later.known = &watched.path;
    ground_view_tick(&later, session, true);
    memcpy(driven->watched, watched.dirt, sizeof driven->watched);
    memcpy(driven->later, later.dirt, sizeof driven->later);
    dirt_of_path(session, &samples, session_frame(session)->tick, driven->sampled);
    driven->way = session_machine_state(session)->track_travel[0];
    // Back at the start it is clean again.
    dirt_of_path(session, &samples, 0, later.dirt);
    assert_true(later.dirt[RENDER_DIRT_TOOL].share == 0.0f);
    ground_path_free(&samples);
    ground_view_free(&watched);
    ground_view_free(&later);
    autopilot_destroy(pilot);
    session_destroy(session);
}

static void assert_alike(const RenderDirt *a, const RenderDirt *b)
{
    for (int k = 0; k < RENDER_DIRT_PARTS; k++) {
        print_message("part %d: share %.3f %.3f, moisture %.3f %.3f\n", k, (double)a[k].share, (double)b[k].share,
                      (double)a[k].wet, (double)b[k].wet);
        assert_true(a[k].share >= 0.0f && a[k].share <= 1.0f && a[k].wet >= 0.0f && a[k].wet <= 1.0f);
        assert_true(fabs((double)a[k].share - (double)b[k].share) < 0.08);
        for (int c = 0; c < 3 && a[k].share > 0.05f; c++) {
            assert_true(fabs((double)a[k].color[c] - (double)b[k].color[c]) < 0.06);
        }
    }
}

TEST(a_bucket_gets_dirty_while_it_digs)
{
    Driven driven;
    drive("trench", 25 * 60, &driven);
    assert_alike(driven.watched, driven.later);
    assert_alike(driven.watched, driven.sampled);
    const RenderDirt *tool = &driven.watched[RENDER_DIRT_TOOL], *arm = &driven.watched[RENDER_DIRT_ARM];
    assert_true(tool->share > 0.3f && tool->share > driven.early[RENDER_DIRT_TOOL].share);
    assert_true(driven.early[RENDER_DIRT_TOOL].share > 0.0f);
    assert_true(arm->share > 0.0f && arm->share < tool->share);
    assert_true(tool->wet > 0.2f);
    assert_true(tool->color[0] > tool->color[2] && tool->color[0] < 1.0f); // of earth
}

TEST(belts_get_dirty_while_they_run)
{
    Driven driven;
    drive("slot-dozing", 25 * 60, &driven);
    assert_alike(driven.watched, driven.later);
    assert_alike(driven.watched, driven.sampled);
    const RenderDirt *dirt = driven.watched;
    print_message("%.1f m driven\n", driven.way);
    assert_true(dirt[RENDER_DIRT_BELTS].share > 0.1f);
    assert_true(dirt[RENDER_DIRT_BASE].share > 0.0f && dirt[RENDER_DIRT_BASE].share < dirt[RENDER_DIRT_BELTS].share);
    assert_true(dirt[RENDER_DIRT_TOOL].share > 0.2f);
}

TEST(what_sticks_to_steel_covers_more)
{
    SoilParams sand = {.steel_adhesion = 0.0}, clay = {.steel_adhesion = 8e3};
    SceneWeather dry = {0}, wet = {.rain = 5e-3 / 3600.0};
    assert_true(dirt_of_soil(&sand, &dry) < 0.5 * dirt_of_soil(&clay, &dry));
    assert_true(dirt_of_soil(&sand, &wet) > dirt_of_soil(&sand, &dry));
    assert_true(dirt_of_soil(&clay, &wet) <= 1.0);
}

TEST_GROUP(NULL, NULL)
