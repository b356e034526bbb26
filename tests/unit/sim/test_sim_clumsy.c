/// Clumsy hands break nothing: in every scene each tick keeps the mass to the quantum, all numbers finite, every
/// particle in its place and solid things out of each other. A build with asserts checks the soil's own ledger in each
/// tick too.
///
/// SPADEWORK_LONG=1 in the environment drives two hundred and twenty scripts of half a minute, twenty in each scene
/// (half an hour); without it, two of a few seconds.
// test: long, first
#include "tests/support/clumsy_operator.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"

#define DEEPEST 0.03 ///< m: what is asked of all solids

static bool is_long(void)
{
    const char *text = getenv("SPADEWORK_LONG");
    return text != NULL && strcmp(text, "1") == 0;
}

static Session *open_session(const char *scene, int threads)
{
    Status status;
    SessionParams params = {.scene = scene, .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// What a tick must leave behind.
static void check_tick(const SessionFrame *frame, int64_t total, int64_t rocks)
{
    assert_true(frame->mass_drift == 0);
    assert_true(frame->ledger.total == total);
    assert_true(frame->ledger.ground + frame->ledger.particles + frame->ledger.trays == total);
    assert_true(frame->ledger.ground >= 0 && frame->ledger.particles >= 0 && frame->ledger.trays >= 0);
    assert_true(frame->rock_mass == rocks);
    assert_true(frame->score >= 0.0 && frame->score <= 100.0);
}

static void drive(const char *scene, uint64_t seed, double seconds)
{
    static ClumsyScript script;
    clumsy_make(seed, &script);
    Session *session = open_session(scene, 0);
    int64_t total = session_frame(session)->ledger.total, rocks = session_frame(session)->rock_mass;
    int most = 0;
    double deepest = 0.0;
    for (int tick = 0; tick < (int)(60.0 * seconds); tick++) {
        OperatorControls controls;
        clumsy_levers(&script, tick / 60.0, &controls);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        check_tick(frame, total, rocks);
        most = frame->counters.particles > most ? frame->counters.particles : most;
        deepest = fmax(deepest, frame->overlap);
        if (tick % 60 == 59) {
            assert_true(session_is_finite(session));
        }
    }
    print_message("%s, script %llu, %.0f s: at most %d particles, solids %.1f mm inside each other\n", scene,
                  (unsigned long long)seed, seconds, most, 1e3 * deepest);
    assert_true(deepest < DEEPEST);
    session_destroy(session);
}

/// `early`: two seeds whose hands are in the ground within the first seconds.
static void drive_all(const char *scene, const uint64_t early[2])
{
    enum { SEEDS = 20 };
    if (!is_long()) {
        drive(scene, early[0], 5.0);
        drive(scene, early[1], 5.0);
        return;
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        drive(scene, seed, CLUMSY_SECONDS);
    }
}

static const uint64_t early_bucket[2] = {6, 8}, early_blade[2] = {1, 3};

TEST(in_the_trench)
{
    drive_all("trench", early_bucket);
}

TEST(in_six_soils)
{
    drive_all("soils", early_bucket);
}

TEST(beside_the_truck)
{
    drive_all("truck-loading", early_bucket);
}

TEST(among_boulders)
{
    drive_all("boulders", early_bucket);
}

TEST(with_a_hammer_among_boulders)
{
    drive_all("break-boulders", early_bucket);
}

TEST(on_the_dozer)
{
    drive_all("dozing", early_blade);
}

TEST(in_the_slot)
{
    drive_all("slot-dozing", early_blade);
}

TEST(between_trucks_that_come_and_go)
{
    drive_all("haul", early_bucket);
}

TEST(among_walls)
{
    drive_all("tight-site", early_bucket);
}

TEST(in_the_sandbox)
{
    drive_all("free", early_bucket);
}

TEST(beside_a_dam_that_breaks)
{
    drive_all("dam-break", early_bucket);
}

TEST_GROUP(NULL, NULL)
