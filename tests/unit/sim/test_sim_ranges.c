/// Ranges of a saved state: each number of each field is refused when it is just beyond its range, infinite or none,
/// with the field's name, before anything is restored. What an exercise counts stays in its ranges, whatever is driven.
#include <math.h>

#include "data/core/random.h"
#include "tests/support/recording_fixture.h"
#include "trainer/sim/state_io.h"

#define MOST_BYTES 96

/// Writes a number as the bytes of its kind. False when that kind cannot hold it.
static bool put_number(StateNumber number, double value, unsigned char *at)
{
    double real = value;
    float single = (float)value;
    int32_t whole = 0;
    memset(at, 0, MOST_BYTES);
    if (number == STATE_DOUBLE) {
        memcpy(at, &real, sizeof real);
        return true;
    }
    if (number == STATE_FLOAT) {
        memcpy(at, &single, sizeof single);
        return true;
    }
    if (number != STATE_INT32 || !(fabs(value) < 2147483647.0)) {
        return false;
    }
    whole = (int32_t)value;
    memcpy(at, &whole, sizeof whole);
    return true;
}

/// A number of a field's first element is refused with the field's name.
static void refuse(const StateRange *range, const SceneParams *scene, double value)
{
    unsigned char bytes[MOST_BYTES];
    if (!put_number(range->number, value, bytes)) {
        return;
    }
    Status status = {0};
    int hint = 0;
    StateBytes field = {range->name, strlen(range->name), bytes, state_number_size(range->number)};
    assert_false(state_range_holds(&field, scene, &hint, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, range->name));
    assert_non_null(strstr(status.text, "allowed"));
}

TEST(every_field_refuses_what_is_beyond_its_range)
{
    Session *session = make_session(1);
    const SceneParams *scene = session_scene(session);
    int count;
    const StateRange *rows = state_ranges(&count);
    for (int k = 0; k < count; k++) {
        double low, high;
        state_range_bounds(&rows[k], scene, 0, &low, &high);
        bool real = rows[k].number == STATE_DOUBLE || rows[k].number == STATE_FLOAT;
        double beyond = real ? 1e-5 : 0.0;
        if (rows[k].number == STATE_TEXT) {
            continue;
        }
        refuse(&rows[k], scene, high + fmax(1.0, beyond * fabs(high)));
        refuse(&rows[k], scene, low - fmax(1.0, beyond * fabs(low)));
        if (real) {
            refuse(&rows[k], scene, (double)NAN);
            refuse(&rows[k], scene, (double)INFINITY);
            refuse(&rows[k], scene, 2e30);
        }
    }
    session_destroy(session);
}

/// Elements of a long field: many are checked together, the last ones singly.
enum { LONG = 3 * 64 + 7 };

/// One kind of number in the middle of its range, at its bounds and just beyond.
typedef struct LongField {
    const char *name;
    double middle, low, high, below, above;
} LongField;

static void put_element(StateNumber number, double value, unsigned char *data, int index)
{
    unsigned char bytes[MOST_BYTES] = {(unsigned char)value};
    size_t size = state_number_size(number);
    assert_true(number == STATE_UINT8 || put_number(number, value, bytes));
    memcpy(data + (size_t)index * size, bytes, size);
}

static bool long_field_holds(const StateRange *row, const SceneParams *scene, const unsigned char *data)
{
    Status status = {0};
    int hint = 0;
    StateBytes field = {row->name, strlen(row->name), data, LONG * state_number_size(row->number)};
    return state_range_holds(&field, scene, &hint, &status);
}

static void check_long_field(const LongField *kind, const SceneParams *scene)
{
    _Alignas(8) unsigned char data[LONG * sizeof(double)];
    int hint = 0;
    const StateRange *row = state_range_find(kind->name, strlen(kind->name), &hint);
    assert_non_null(row);
    for (int k = 0; k < LONG; k++) {
        put_element(row->number, kind->middle, data, k);
    }
    const double good[] = {kind->low, kind->high}, bad[] = {kind->below, kind->above, (double)NAN};
    for (int k = 0; k < LONG; k++) {
        for (int n = 0; n < 2; n++) {
            put_element(row->number, good[n], data, k);
            assert_true(long_field_holds(row, scene, data));
        }
        for (int n = 0; n < (row->number == STATE_DOUBLE || row->number == STATE_FLOAT ? 3 : 2); n++) {
            put_element(row->number, bad[n], data, k);
            assert_false(long_field_holds(row, scene, data));
        }
        put_element(row->number, kind->middle, data, k);
    }
}

/// Each element of a long field is checked, whatever stands beside it, to the last bit of its bounds.
TEST(every_element_of_a_long_field_is_checked)
{
    const LongField kinds[] = {
        {"particles.vx", 0.0, -1e3, 1e3, nextafter(-1e3, -2e3), nextafter(1e3, 2e3)},
        // No float is 1e-4: the least that is not below it, and the next one down.
        {"particles.radius", 0.1, (double)nextafterf(1e-4F, (double)1e-4F < 1e-4 ? 1.0F : 1e-4F), 1.0,
         (double)nextafterf(1e-4F, (double)1e-4F < 1e-4 ? 1e-4F : 0.0F), (double)nextafterf(1.0F, 2.0F)},
        {"particles.mass", 5.0, 1.0, 1e9, 0.0, 1e9 + 1.0},
        {"particles.newborn", 1.0, 0.0, 2.0, 3.0, 255.0},
    };
    Session *session = make_session(1);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        check_long_field(&kinds[k], session_scene(session));
    }
    session_destroy(session);
}

/// Visitor that finds the rows of fields and counts how often each was visited.
typedef struct RowVisitor {
    StateVisitor base;
    const StateRange *rows;
    int visits[1024];
} RowVisitor;

/// A field's row is looked up as a restore does.
static void find_row(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    RowVisitor *self = (RowVisitor *)visitor;
    int hint = 0;
    (void)data;
    const StateRange *row = state_range_find(name, strlen(name), &hint);
    if (row == NULL) {
        fail_msg("%s has no range: add a row to trainer/sim/state_io.c", name);
        return;
    }
    size_t number = state_number_size(row->number);
    if (size * count % number != 0 || (size < number && count > 0)) {
        fail_msg("%s has %zu x %zu bytes; its row says numbers of %zu", name, count, size, number);
    }
    self->visits[row - self->rows]++;
    visitor->failed = false;
}

TEST(every_field_of_every_scene_has_a_range)
{
    static DataListEntry scenes[128];
    static RowVisitor visitor = {.base = {.field = find_row, .measuring = true}};
    int row_count;
    visitor.rows = state_ranges(&row_count);
    assert_true(row_count <= (int)(sizeof visitor.visits / sizeof *visitor.visits));
    Status status = {0};
    int count = data_list("scenes", scenes, 128, &status);
    assert_good(count > 0, status);
    for (int k = 0; k < count; k++) {
        SessionParams params = {.scene = scenes[k].name, .threads = 1};
        Session *session = session_create(&params, &status);
        assert_good(session != NULL, status);
        session_visit(session, &visitor.base);
        session_destroy(session);
    }
    for (int k = 0; k < row_count; k++) {
        if (visitor.visits[k] == 0) {
            fail_msg("%s has a range, but no scene has such a field", visitor.rows[k].name);
        }
    }
}

/// Looks at the fields of an exercise.
typedef struct Look {
    StateVisitor base;
    const SceneParams *scene;
    int hint;
    double shortest; ///< s of the times of a cycle's phases, the least
} Look;

static void look_at_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Look *look = (Look *)visitor;
    Status status = {0};
    StateBytes field = {name, strlen(name), data, size * count};
    assert_good(count == 0 || state_range_holds(&field, look->scene, &look->hint, &status), status);
    for (size_t k = 0; strcmp(name, "exercise.phase_now") == 0 && k < count; k++) {
        look->shortest = fmin(look->shortest, ((const double *)data)[k]);
    }
}

/// Levers that change every few ticks: a bucket that fills, swings, opens and curls by chance.
static void sample_by_chance(ExerciseSample *sample, uint64_t tick)
{
    uint64_t span = tick / 20;
    sample->tick = (int64_t)tick;
    sample->swing_speed = random_unit(1, span, 0) < 0.5 ? 0.6 : 0.0;
    sample->curl_speed = 3.0 * random_unit(1, span, 1) - 1.5;
    sample->edge_height = 2.0 * random_unit(1, span, 2) - 0.5;
    sample->edge_clear = sample->edge_height > 0.0;
    sample->tip.x = 6.0 * random_unit(1, span, 5);
    sample->joint_speed = random_unit(1, span, 3) < 0.8 ? 0.5 : 0.0;
    double wanted = random_unit(1, tick / 60, 4) < 0.5 ? 0.0 : 900.0;
    sample->payload += 0.2 * (wanted - sample->payload);
}

/// A cycle may close while a phase is in doubt: what was counted before is then taken from the next cycle, whose times
/// are below 0 for a moment. Such a state was refused.
TEST(an_exercise_stays_in_its_ranges)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->exercise.kind = EXERCISE_FREE;
    scene->exercise.time_limit = scene->exercise.par_time = 3600.0;
    ExerciseSample sample = {
        .dt = 1.0 / TICK_RATE, .full = 1000.0, .tool_size = 1.0, .swings = true, .ground = EXERCISE_NOT_LOOKED};
    Exercise *exercise = exercise_create(scene);
    assert_non_null(exercise);
    exercise_start(exercise, &sample);
    Look look = {.base = {.field = look_at_field}, .scene = scene};
    for (uint64_t tick = 1; tick < 600 * TICK_RATE; tick++) {
        sample_by_chance(&sample, tick);
        exercise_tick(exercise, &sample);
        exercise_visit(exercise, &look.base);
    }
    print_message("the least time of a phase: %.3f s\n", look.shortest);
    assert_true(look.shortest < -0.1);
    exercise_destroy(exercise);
    free(scene);
}

TEST_GROUP(NULL, NULL)
