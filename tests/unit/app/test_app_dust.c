/// Dust: which soils raise it, that a heap that collapses does and ground at rest does not, and that the same session
/// raises the same.
#include "data/core/constants.h"
#include "tests/support/test.h"
#include "trainer/app/ground_view.h"

enum { TICKS = 50 };

static Session *start(const char *scene)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static const SoilParams *soil_named(const SceneParams *scene, const char *name)
{
    for (int k = 0; k < scene->soil_count; k++) {
        if (strcmp(scene->soils[k].name, name) == 0) {
            return &scene->soils[k];
        }
    }
    fail_msg("the scene has no %s", name);
    return NULL;
}

TEST(dry_fines_raise_dust_and_rain_lays_it)
{
    Session *session = start("soils");
    const SceneParams *scene = session_scene(session);
    SceneWeather dry = scene->weather, wet = scene->weather;
    dry.rain = 0.0;
    wet.rain = 1.0 * UNIT_MM_PER_H;
    double sand = dust_of_soil(soil_named(scene, "sand"), &dry),
           gravel = dust_of_soil(soil_named(scene, "gravel"), &dry);
    assert_true(sand > 0.9 && gravel < sand && gravel > 0.2);
    assert_near(dust_of_soil(soil_named(scene, "clay"), &dry), 0.0, 1e-9);
    for (int k = 0; k < scene->soil_count; k++) {
        assert_near(dust_of_soil(&scene->soils[k], &wet), 0.0, 1e-9);
    }
    session_destroy(session);
}

/// Lets a column of dry grains collapse and takes in the dust of every tick.
static void collapse(Session *session, DustView *own)
{
    const OperatorControls controls = control_neutral;
    dust_view_tick(own, session, true);
    assert_int_equal(own->count, 0); // nothing moves yet
    for (int k = 0; k < TICKS; k++) {
        session_tick(session, &controls);
        dust_view_tick(own, session, false);
    }
}

TEST(the_same_session_raises_the_same_dust)
{
    static DustView first, second, after_seek;
    Session *session = start("dam-break"), *again = start("dam-break");
    collapse(session, &first);
    collapse(again, &second);
    RenderDust dust, sought;
    dust_view_build(&first, session, 1.0, &dust);
    dust_view_tick(&after_seek, again, true); // as of a picture that knows no tick before
    dust_view_build(&after_seek, again, 1.0, &sought);
    print_message("%d puffs; after a seek %d\n", dust.count, sought.count);
    assert_true(dust.count > 20 && dust.count < RENDER_MAX_PUFFS);
    assert_true(sought.count > 5 && sought.count < RENDER_MAX_PUFFS);
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.puffs, second.puffs, sizeof first.puffs);
    for (int k = 0; k < dust.count; k++) {
        const RenderPuff *puff = &dust.puffs[k];
        assert_true(puff->strength > 0.0f && puff->strength <= 0.5f && puff->at[2] >= puff->ground);
        assert_true((double)puff->born <= dust.now + 1e-6);
    }
    session_destroy(session);
    session_destroy(again);
}

TEST_GROUP(NULL, NULL)
