/// How dense a fill is, by hand, and how dense an expert makes one.
#include "data/core/constants.h"
#include "tests/support/expert_run.h"
#include "trainer/sim/session_exercise.h"

#define SCENE SPADEWORK_TEST_DIR "/support/fill.yaml"

static Session *open_scene(const char *const *set, int count)
{
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = SCENE, .set = set, .set_count = count, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

/// What the fill of the bare site holds when a bank lies on it as a scene says.
static double dense_with(const FillSurvey *fill, const Session *bare, const char *const *set, int count)
{
    Session *filled = open_scene(set, count);
    double dense = fill_survey_dense(fill, session_scene(bare), session_soil(filled));
    session_destroy(filled);
    return dense;
}

/// The fill is 4 m long and 0.3 m high. Intact soil on 2 m of it, or half as high on all of it, is half of it; loose
/// soil is not dense; what stands over the design does not count.
TEST(dense_soil_below_the_design_counts)
{
    Session *bare = open_scene(NULL, 0);
    FillSurvey *fill = fill_survey_create(session_scene(bare), session_soil(bare));
    assert_non_null(fill);
    assert_near(fill_survey_dense(fill, session_scene(bare), session_soil(bare)), 0.0, 1e-9);
    const char *dense = "ground.earthworks.0.compacted=yes", *steep = "ground.earthworks.0.slope_deg=90";
    const char *all = "ground.earthworks.0.x=2", *half = "ground.earthworks.0.x=4";
    const char *low = "ground.earthworks.0.height=0.15", *high = "ground.earthworks.0.height=0.45";
    assert_near(dense_with(fill, bare, (const char *[]){dense, steep, all}, 3), 1.0, 1e-3);
    assert_near(dense_with(fill, bare, (const char *[]){dense, steep, half}, 3), 0.5, 0.026); // columns of 0.1 m
    assert_near(dense_with(fill, bare, (const char *[]){dense, steep, all, low}, 4), 0.5, 1e-3);
    assert_near(dense_with(fill, bare, (const char *[]){dense, steep, all, high}, 4), 1.0, 1e-3);
    assert_near(dense_with(fill, bare, (const char *[]){all}, 1), 0.0, 1e-3);
    fill_survey_destroy(fill);
    session_destroy(bare);
}

/// A scene that asks for no density has nothing to tell.
TEST(a_scene_without_compaction_tells_nothing)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "bench", .threads = 1}, &status);
    assert_good(session != NULL, status);
    FillSurvey *fill = fill_survey_create(session_scene(session), session_soil(session));
    assert_non_null(fill);
    assert_near(fill_survey_dense(fill, session_scene(session), session_soil(session)), -1.0, 0.0);
    fill_survey_destroy(fill);
    session_destroy(session);
}

/// 0 as dense as in the bank .. 1 loose: mean of places in a field's middle.
static double looseness(Session *session)
{
    double sum = 0.0;
    int count = 0;
    for (double x = 0.8; x < 3.3; x += 0.1) {
        for (double y = -0.4; y < 0.45; y += 0.1) {
            sum += soil_get_surface(session_soil(session), x, y).looseness;
            count++;
        }
    }
    return sum / count;
}

/// 45 kN on a plate of 0.44 x 1.3 m are 79 kPa, which make loose loam 0.90 as dense as in the bank: half of its swell
/// is left where the plate lies flat.
TEST(a_loose_field_is_tamped)
{
    Run run = run_begin(SCENE, "ground.earthworks.0.x=2", MACHINE_EXCAVATOR);
    assert_near(looseness(run.session), 1.0, 0.02);
    ExpertTamp tamp = {.field = {0.4, 0.0, 0.0, 3.2, 1.3},
                       .angle = -110.0 * UNIT_DEG,
                       .depth = 0.4,
                       .force = 45e3,
                       .hold = 1.0,
                       .over = 0.3,
                       .limit = 200.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_TAMP, .with.tamp = tamp});
    double left = looseness(run.session);
    print_message("tamped in %.0f s: %.2f of the swell is left, the machine stands %.2f m high\n", run.time, left,
                  run_readout(&run)->base.z);
    assert_true(in_time);
    assert_true(left > 0.4 && left < 0.65);
    run_end(&run);
}

TEST_GROUP(NULL, NULL)
