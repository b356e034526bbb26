/// The interface for programs: what a session does, and what it says to wrong arguments.
// test: sanitized

#include "trainer/api/spadework.h"

#include "data/core/operator_controls.h"
#include "tests/support/test.h"
#include "trainer/sim/sim.h"

enum { LEVERS = 6, NUMBERS = 400 };

static Spadework make(const char *scene, int64_t seed)
{
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    Spadework session = 0;
    params.scene = scene;
    params.seed = seed;
    if (spadework_create(&params, &session, error) != SPADEWORK_GOOD) {
        fail_msg("%s", error);
    }
    return session;
}

static uint64_t hash_of(Spadework session)
{
    uint64_t hash = 0;
    assert_int_equal(spadework_hash(session, &hash), SPADEWORK_GOOD);
    return hash;
}

static const char *error_of(Spadework session)
{
    static char text[SPADEWORK_TEXT];
    assert_int_equal(spadework_error(session, text, sizeof text), SPADEWORK_GOOD);
    return text;
}

/// Levers that dig: the boom down, then the bucket in.
static void dig(int tick, double levers[LEVERS])
{
    memset(levers, 0, LEVERS * sizeof *levers);
    levers[0] = 0.2;
    levers[1] = tick > 60 ? 0.6 : 0.0;
    levers[2] = tick < 90 ? -0.7 : 0.1;
    levers[3] = tick > 60 ? 0.5 : 0.0;
}

static void drive(Spadework session, int from, int ticks)
{
    for (int k = from; k < from + ticks; k++) {
        double levers[LEVERS];
        dig(k, levers);
        assert_int_equal(spadework_step(session, levers, LEVERS, 1), SPADEWORK_GOOD);
    }
}

static size_t count_numbers(Spadework session, int (*read)(Spadework, double *, size_t), double values[NUMBERS])
{
    for (size_t count = 1; count < NUMBERS; count++) {
        if (read(session, values, count) == SPADEWORK_GOOD) {
            return count;
        }
    }
    fail_msg("no number of numbers is right");
    return 0;
}

/// ---- creation ------------------------------------------------------------------------------------------------------

/// Creation fails with this result and these words.
static void refused(const SpadeworkParams *params, int wanted, const char *words)
{
    char error[SPADEWORK_TEXT] = "";
    Spadework session = 77;
    assert_int_equal(spadework_create(params, &session, error), wanted);
    assert_int_equal(session, 0);
    assert_contains(error, words);
}

TEST(wrong_params_are_refused)
{
    SpadeworkParams good = SPADEWORK_PARAMS, bad;
    good.scene = "trench";
    refused(NULL, SPADEWORK_BAD_ARGUMENT, "params is NULL");
    bad = good;
    bad.size = 8;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.size");
    bad = good;
    bad.scene = NULL;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.scene");
    bad = good;
    bad.scene = "no-such-scene";
    refused(&bad, SPADEWORK_BAD_FILE, "no-such-scene");
    bad = good;
    bad.seed = -2;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.seed");
    bad = good;
    bad.threads = 0;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.threads");
    bad = good;
    bad.data_folder = "/nowhere";
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "/nowhere has no folder scenes");
    spadework_close(make("trench", -1)); // the folder of before still holds
    bad = good;
    bad.override_count = 1;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.overrides");
    bad.overrides = (const char *const[]){"ground.size_x=-3"};
    refused(&bad, SPADEWORK_BAD_FILE, "ground.size_x");
    bad = good;
    bad.action_count = 2;
    bad.actions = (const char *const[]){"boom", "arm"};
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "'arm'");
    bad.actions = (const char *const[]){"boom", "boom"};
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "twice");
    bad = good;
    bad.file_count = 1;
    refused(&bad, SPADEWORK_BAD_ARGUMENT, "params.files");
    bad.files = &(SpadeworkFile){"scenes", "trench", "kind: nothing", 13};
    refused(&bad, SPADEWORK_BAD_FILE, "trench");
}

TEST(a_closed_session_stays_closed)
{
    Spadework session = make("trench", -1), later;
    double levers[LEVERS] = {0.0}, values[NUMBERS];
    size_t count = 0;
    assert_int_equal(spadework_close(session), SPADEWORK_GOOD);
    later = make("trench", -1);
    assert_true(later != session);
    assert_int_equal(spadework_close(session), SPADEWORK_CLOSED);
    assert_int_equal(spadework_step(session, levers, LEVERS, 1), SPADEWORK_CLOSED);
    assert_int_equal(spadework_observe(session, values, NUMBERS), SPADEWORK_CLOSED);
    assert_int_equal(spadework_exercise(session, values, NUMBERS), SPADEWORK_CLOSED);
    assert_int_equal(spadework_reset(session, NULL), SPADEWORK_CLOSED);
    assert_int_equal(spadework_save(session, NULL, 0, &count), SPADEWORK_CLOSED);
    assert_int_equal(spadework_restore(session, levers, sizeof levers), SPADEWORK_CLOSED);
    assert_int_equal(spadework_order(session, "engine", "", 1.0), SPADEWORK_CLOSED);
    assert_int_equal(spadework_record(session, "x", NULL), SPADEWORK_CLOSED);
    assert_int_equal(spadework_record_end(session), SPADEWORK_CLOSED);
    assert_int_equal(spadework_render(session, NULL, NULL, NULL), SPADEWORK_CLOSED);
    assert_int_equal(spadework_heights(session, NULL, NULL, NULL, NULL), SPADEWORK_CLOSED);
    assert_int_equal(spadework_particles(session, NULL, 0, &count), SPADEWORK_CLOSED);
    assert_int_equal(spadework_events(session, 0, NULL, 0, &count), SPADEWORK_CLOSED);
    assert_int_equal(spadework_info(session, NULL, 0), 0);
    assert_int_equal(spadework_file(session, 0, NULL, NULL, NULL, 0), 0);
    for (Spadework wrong = 0; wrong < 100; wrong++) {
        assert_int_equal(spadework_close(wrong), SPADEWORK_CLOSED);
    }
    assert_int_equal(spadework_close(UINT64_MAX), SPADEWORK_CLOSED);
    assert_int_equal(spadework_close(later), SPADEWORK_GOOD);
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

TEST(a_step_makes_the_ticks_of_the_simulator)
{
    Status status;
    Session *wanted = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    Spadework session = make("trench", -1);
    double values[NUMBERS];
    size_t count = count_numbers(session, spadework_observe, values);
    assert_int_equal(hash_of(session), state_hash(wanted));
    for (int k = 0; k < 150; k++) {
        double levers[LEVERS];
        OperatorControls controls = control_neutral;
        dig(k, levers);
        static const ControlAxis axes[LEVERS] = {CONTROL_SWING,  CONTROL_STICK,      CONTROL_BOOM,
                                                 CONTROL_BUCKET, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK};
        for (int n = 0; n < LEVERS; n++) {
            controls.axis[axes[n]] = control_quantise(levers[n]);
        }
        session_tick(wanted, &controls);
        assert_int_equal(spadework_step(session, levers, LEVERS, 1), SPADEWORK_GOOD);
        assert_int_equal(hash_of(session), state_hash(wanted));
    }
    assert_int_equal(spadework_observe(session, values, count), SPADEWORK_GOOD);
    assert_near(values[0], session_frame(wanted)->time, 0.0);
    assert_near(values[1], session_frame(wanted)->machine.angle[0], 0.0);
    assert_true(session_frame(wanted)->payload > 1.0);
    spadework_close(session);
    session_destroy(wanted);
}

TEST(wrong_steps_change_nothing)
{
    Spadework session = make("trench", -1);
    double levers[LEVERS] = {0.0};
    uint64_t before = hash_of(session);
    assert_int_equal(spadework_step(session, levers, LEVERS - 1, 1), SPADEWORK_BAD_ARGUMENT);
    assert_contains(error_of(session), "5 given, allowed are exactly 6");
    assert_int_equal(spadework_step(session, NULL, LEVERS, 1), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_step(session, levers, LEVERS, 0), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_step(session, levers, LEVERS, SPADEWORK_MOST_TICKS + 1), SPADEWORK_BAD_ARGUMENT);
    levers[2] = NAN;
    assert_int_equal(spadework_step(session, levers, LEVERS, 1), SPADEWORK_BAD_ARGUMENT);
    assert_contains(error_of(session), "levers[2] (boom)");
    levers[2] = 1.01;
    assert_int_equal(spadework_step(session, levers, LEVERS, 1), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(hash_of(session), before);
    spadework_close(session);
}

TEST(questions_are_answered_for_a_program)
{
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    params.scene = "controls-targets";
    Spadework answered = make("controls-targets", -1), asked = 0;
    params.questions = 1;
    assert_int_equal(spadework_create(&params, &asked, error), SPADEWORK_GOOD);
    double values[NUMBERS], angle[2];
    double levers[LEVERS + 1] = {1.0};
    int64_t tick = 0;
    assert_int_equal(spadework_tick(answered, &tick), SPADEWORK_GOOD);
    assert_true(tick > 0);
    size_t count = count_numbers(answered, spadework_observe, values);
    angle[0] = values[1];
    assert_int_equal(spadework_step(answered, levers, LEVERS, 60), SPADEWORK_GOOD);
    assert_int_equal(spadework_observe(answered, values, count), SPADEWORK_GOOD);
    assert_true(fabs(values[1] - angle[0]) > 0.05); // its levers move it
    assert_int_equal(spadework_step(asked, levers, LEVERS + 1, 60), SPADEWORK_GOOD); // with `answer`
    assert_int_equal(spadework_observe(asked, values, count), SPADEWORK_GOOD);
    assert_near(values[1], angle[0], 1e-3); // locked
    spadework_close(answered);
    spadework_close(asked);
}

TEST(many_are_stepped_as_each_alone)
{
    enum { MANY = 5 };
    Spadework many[MANY + 1], alone[MANY];
    double levers[(MANY + 1) * LEVERS] = {0.0};
    int32_t results[MANY + 1];
    for (int k = 0; k < MANY; k++) {
        many[k] = make("trench", k);
        alone[k] = make("trench", k);
        levers[k * LEVERS + 2] = -0.2 * k;
    }
    for (int step = 0; step < 10; step++) {
        assert_int_equal(spadework_step_many(many, MANY, levers, LEVERS, 4, 3, NULL), SPADEWORK_GOOD);
        for (int k = 0; k < MANY; k++) {
            assert_int_equal(spadework_step(alone[k], levers + k * LEVERS, LEVERS, 4), SPADEWORK_GOOD);
        }
    }
    for (int k = 0; k < MANY; k++) {
        assert_int_equal(hash_of(many[k]), hash_of(alone[k]));
    }
    many[MANY] = alone[0];
    assert_int_equal(spadework_close(alone[0]), SPADEWORK_GOOD);
    assert_int_equal(spadework_step_many(many, MANY + 1, levers, LEVERS, 1, 2, results), SPADEWORK_CLOSED);
    assert_int_equal(results[MANY], SPADEWORK_CLOSED);
    assert_int_equal(results[0], SPADEWORK_GOOD);
    assert_int_equal(spadework_step_many(many, MANY, levers, LEVERS, 1, 0, NULL), SPADEWORK_BAD_ARGUMENT);
    Spadework twice[2] = {many[0], many[0]};
    uint64_t before = hash_of(many[0]);
    assert_int_equal(spadework_step_many(twice, 2, levers, LEVERS, 1, 1, NULL), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(hash_of(many[0]), before);
    assert_int_equal(spadework_step_many(NULL, MANY, levers, LEVERS, 1, 1, NULL), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_step_many(NULL, 0, NULL, LEVERS, 1, 1, NULL), SPADEWORK_GOOD);
    for (int k = 0; k < MANY; k++) {
        spadework_close(many[k]);
        spadework_close(alone[k]);
    }
}

TEST(orders_act_and_wrong_ones_are_refused)
{
    Spadework session = make("trench", -1);
    double levers[LEVERS] = {0.0}, values[NUMBERS];
    size_t count = 0;
    assert_int_equal(spadework_order(session, "rust", "", 1.0), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_order(session, "valve", "nose", 1.0), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_order(session, "pressure", "", NAN), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_order(session, NULL, NULL, 0.0), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_events(session, 0, NULL, 0, &count), SPADEWORK_GOOD);
    assert_int_equal(count, 0);
    assert_int_equal(spadework_order(session, "function", "boom", 1.0), SPADEWORK_GOOD);
    SpadeworkEvent event;
    assert_int_equal(spadework_events(session, 0, &event, 1, &count), SPADEWORK_GOOD);
    assert_int_equal(count, 1);
    assert_string_equal(event.kind, "fault");
    assert_contains(event.text, "boom");
    size_t numbers = count_numbers(session, spadework_observe, values);
    assert_int_equal(spadework_step(session, levers, LEVERS, 30), SPADEWORK_GOOD);
    spadework_observe(session, values, numbers);
    double angle[2] = {values[8], 0.0};
    levers[2] = 1.0;
    assert_int_equal(spadework_step(session, levers, LEVERS, 60), SPADEWORK_GOOD);
    spadework_observe(session, values, numbers);
    angle[1] = values[8];
    assert_near(angle[1], angle[0], 0.02); // the boom gives nothing
    spadework_close(session);
}

/// ---- starts and states ---------------------------------------------------------------------------------------------

TEST(a_reset_is_a_fresh_session)
{
    Spadework session = make("trench", -1), other = make("trench", 4711);
    uint64_t start = hash_of(session), other_start = hash_of(other);
    assert_true(start != other_start);
    drive(session, 0, 150);
    assert_int_equal(spadework_reset(session, NULL), SPADEWORK_GOOD);
    assert_int_equal(hash_of(session), start);
    drive(session, 0, 120);
    assert_int_equal(spadework_reset(session, &(int64_t){4711}), SPADEWORK_GOOD);
    assert_int_equal(hash_of(session), other_start);
    drive(session, 0, 120);
    drive(other, 0, 120);
    assert_int_equal(hash_of(session), hash_of(other));
    assert_int_equal(spadework_reset(session, &(int64_t){-5}), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(hash_of(session), hash_of(other));
    spadework_close(session);
    spadework_close(other);
}

static unsigned char *saved(Spadework session, size_t *size)
{
    assert_int_equal(spadework_save(session, NULL, 0, size), SPADEWORK_GOOD);
    unsigned char *state = malloc(*size);
    assert_non_null(state);
    assert_int_equal(spadework_save(session, state, *size - 1, NULL), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_save(session, state, *size, NULL), SPADEWORK_GOOD);
    return state;
}

TEST(a_state_goes_on_anywhere)
{
    Spadework session = make("trench", -1), other = make("trench", 99);
    size_t size = 0;
    drive(session, 0, 140);
    unsigned char *state = saved(session, &size);
    uint64_t then = hash_of(session);
    double seen[NUMBERS], again[NUMBERS];
    size_t numbers = count_numbers(session, spadework_observe, seen);
    drive(session, 140, 30);
    uint64_t later = hash_of(session);
    assert_int_equal(spadework_restore(session, state, size), SPADEWORK_GOOD);
    assert_int_equal(hash_of(session), then);
    assert_int_equal(spadework_observe(session, again, numbers), SPADEWORK_GOOD);
    assert_memory_equal(seen, again, numbers * sizeof *seen); // also what the tool felt, which is no part of the state
    drive(session, 140, 30);
    assert_int_equal(hash_of(session), later);
    assert_int_equal(spadework_restore(other, state, size), SPADEWORK_GOOD); // of another seed
    drive(other, 140, 30);
    assert_int_equal(hash_of(other), later);
    free(state);
    spadework_close(session);
    spadework_close(other);
}

TEST(foreign_and_damaged_states_change_nothing)
{
    Spadework session = make("trench", -1), foreign = make("free", -1);
    size_t size = 0, foreign_size = 0;
    drive(session, 0, 100);
    unsigned char *state = saved(session, &size), *other = saved(foreign, &foreign_size);
    uint64_t before = hash_of(session);
    assert_int_equal(spadework_restore(session, other, foreign_size), SPADEWORK_BAD_STATE);
    assert_contains(error_of(session), "another scene");
    assert_int_equal(spadework_restore(session, NULL, size), SPADEWORK_BAD_STATE);
    for (size_t cut = 0; cut < size; cut += 1 + size / 64) {
        assert_int_equal(spadework_restore(session, state, cut), SPADEWORK_BAD_STATE);
    }
    for (size_t k = 0; k < size; k += 1 + size / 200) {
        state[k] ^= 0x10;
        assert_int_equal(spadework_restore(session, state, size), SPADEWORK_BAD_STATE);
        state[k] ^= 0x10;
        assert_int_equal(hash_of(session), before);
    }
    assert_int_equal(spadework_restore(session, state, size), SPADEWORK_GOOD);
    free(state);
    free(other);
    spadework_close(session);
    spadework_close(foreign);
}

TEST(texts_of_a_session_make_it_again)
{
    enum { MOST = 20, TEXT = 1 << 18 };
    Spadework session = make("truck-loading", 5), again = 0;
    SpadeworkParams params = SPADEWORK_PARAMS;
    SpadeworkFile files[MOST];
    static char kind[MOST][SPADEWORK_NAME], name[MOST][SPADEWORK_NAME];
    char error[SPADEWORK_TEXT];
    params.files = files;
    params.seed = 5;
    for (size_t size; (size = spadework_file(session, params.file_count, NULL, NULL, NULL, 0)) > 0;
         params.file_count++) {
        size_t k = params.file_count;
        char *text = malloc(size);
        assert_int_equal(spadework_file(session, k, kind[k], name[k], text, size), size);
        files[k] = (SpadeworkFile){kind[k], name[k], text, size};
    }
    assert_true(params.file_count >= 3);
    if (spadework_create(&params, &again, error) != SPADEWORK_GOOD) {
        fail_msg("%s", error);
    }
    assert_int_equal(hash_of(session), hash_of(again));
    for (size_t k = 0; k < params.file_count; k++) {
        free((void *)(uintptr_t)files[k].text);
    }
    spadework_close(session);
    spadework_close(again);
}

/// ---- reading -------------------------------------------------------------------------------------------------------

TEST(counts_of_numbers_are_checked)
{
    Spadework session = make("trench", -1);
    double values[NUMBERS];
    size_t count = count_numbers(session, spadework_observe, values);
    assert_int_equal(spadework_observe(session, values, count + 1), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_observe(session, NULL, count), SPADEWORK_BAD_ARGUMENT);
    assert_contains(error_of(session), "exactly");
    count = count_numbers(session, spadework_exercise, values);
    assert_int_equal(spadework_exercise(session, values, 0), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_exercise(session, NULL, count), SPADEWORK_BAD_ARGUMENT);
    spadework_close(session);
}

TEST(patches_follow_machine_and_tool)
{
    Spadework session = make("trench", -1);
    static float ground[64 * 64], design[64 * 64];
    static uint8_t mask[64 * 64];
    double levers[LEVERS] = {1.0}, values[NUMBERS];
    size_t count = count_numbers(session, spadework_observe, values);
    assert_int_equal(spadework_step(session, levers, LEVERS, 120), SPADEWORK_GOOD);
    spadework_observe(session, values, count);
    SpadeworkPatch patch = SPADEWORK_PATCH;
    patch.frame = SPADEWORK_TOOL;
    patch.rows = patch.columns = 1;
    float at_tip = 0.0F, by_place = 0.0F;
    assert_int_equal(spadework_heights(session, &patch, &at_tip, NULL, NULL), SPADEWORK_GOOD);
    size_t tip = 0; // found by the numbers' order: info names them
    size_t size = spadework_info(session, NULL, 0);
    char *info = malloc(size);
    assert_int_equal(spadework_info(session, info, size), size);
    const char *from = strstr(info, "\"observation\"");
    for (const char *row = from;
         (row = strstr(row, "\"name\"")) != NULL && strncmp(row, "\"name\": \"tip_x\"", 15) != 0; row++) {
        tip++;
    }
    free(info);
    patch.frame = SPADEWORK_WORLD;
    patch.x = values[tip];
    patch.y = values[tip + 1];
    assert_int_equal(spadework_heights(session, &patch, &by_place, NULL, NULL), SPADEWORK_GOOD);
    assert_near(at_tip, by_place, 1e-6);
    SpadeworkPatch whole = SPADEWORK_PATCH;
    whole.frame = SPADEWORK_MACHINE;
    whole.spacing = 0.3;
    assert_int_equal(spadework_heights(session, &whole, ground, design, mask), SPADEWORK_GOOD);
    int designed = 0;
    for (int k = 0; k < 64 * 64; k++) {
        designed += (mask[k] & SPADEWORK_DESIGNED) != 0;
        assert_true((mask[k] & SPADEWORK_DESIGNED) != 0 || design[k] == ground[k]);
    }
    assert_true(designed > 0);
    whole.rows = 513;
    assert_int_equal(spadework_heights(session, &whole, ground, design, mask), SPADEWORK_BAD_ARGUMENT);
    whole = (SpadeworkPatch)SPADEWORK_PATCH;
    whole.spacing = NAN;
    assert_int_equal(spadework_heights(session, &whole, ground, design, mask), SPADEWORK_BAD_ARGUMENT);
    whole = (SpadeworkPatch)SPADEWORK_PATCH;
    whole.frame = 4;
    assert_int_equal(spadework_heights(session, &whole, ground, design, mask), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_heights(session, NULL, ground, design, mask), SPADEWORK_BAD_ARGUMENT);
    assert_int_equal(spadework_heights(session, &patch, NULL, design, mask), SPADEWORK_BAD_ARGUMENT);
    spadework_close(session);
}

TEST(grains_are_read_with_their_numbers)
{
    Spadework session = make("trench", -1);
    size_t count = 0, again = 0;
    drive(session, 0, 130);
    assert_int_equal(spadework_particles(session, NULL, 0, &count), SPADEWORK_GOOD);
    assert_true(count > 50);
    double *rows = malloc(count * SPADEWORK_PARTICLE * sizeof *rows), mass = 0.0;
    assert_int_equal(spadework_particles(session, rows, count, &again), SPADEWORK_GOOD);
    assert_int_equal(again, count);
    for (size_t k = 0; k < count; k++) {
        mass += rows[k * SPADEWORK_PARTICLE + 7];
        assert_true(rows[k * SPADEWORK_PARTICLE + 3] > 0.0 && rows[k * SPADEWORK_PARTICLE + 7] > 0.0);
    }
    assert_true(mass > 10.0);
    free(rows);
    spadework_close(session);
}

TEST_GROUP(NULL, NULL)
