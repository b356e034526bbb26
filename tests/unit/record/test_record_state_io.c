/// Saved states: what comes back is bit for bit what went in, damage is found, and a difference is named. With a small
/// state of made-up fields, and with the real session.
// test: sanitized
#include <xxhash.h>

#include "data/core/random.h"
#include "tests/support/recording_fixture.h"
#include "trainer/sim/state_sum.h"

enum { SAMPLES_MOST = 8 };

typedef struct Sample {
    int32_t count;
    double values[SAMPLES_MOST];
    struct {
        double x, y, z;
    } force;
    uint8_t small;
} Sample;

static void visit_sample(void *subject, StateVisitor *visitor)
{
    Sample *sample = subject;
    int32_t count = sample->count;
    STATE_VISIT(visitor, "sample.count", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > SAMPLES_MOST) {
            visitor->failed = true;
            return;
        }
        sample->count = count;
    }
    state_visit_array(visitor, "sample.values", sample->values, sizeof(double), (size_t)count);
    STATE_VISIT(visitor, "sample.force", sample->force);
    STATE_VISIT(visitor, "sample.small", sample->small);
}

static Sample make_sample(void)
{
    Sample sample;
    memset(&sample, 0xa5, sizeof sample); // padding and unused values hold rubbish
    sample.count = 5;
    for (int k = 0; k < SAMPLES_MOST; k++) {
        sample.values[k] = 0.1 * k;
    }
    sample.force.x = 1.0;
    sample.force.y = -0.0;
    sample.force.z = 1e300;
    sample.small = 7;
    return sample;
}

TEST(what_is_saved_comes_back)
{
    Sample sample = make_sample(), other = {0};
    StateBuffer buffer = {0};
    Status status = {0};
    char field[96];
    assert_good(state_save_visit(visit_sample, &sample, &buffer, &status), status);
    assert_good(state_is_whole(buffer.data, buffer.size, &status), status);
    assert_good(state_restore_visit(visit_sample, &other, buffer.data, buffer.size, &status), status);
    assert_int_equal(other.count, 5);
    assert_memory_equal(other.values, sample.values, 5 * sizeof(double));
    assert_memory_equal(&other.force, &sample.force, sizeof sample.force);
    assert_int_equal(other.small, 7);
    assert_true(state_hash_visit(visit_sample, &sample) == state_hash_visit(visit_sample, &other));
    assert_false(
        state_first_difference_visit(visit_sample, &other, buffer.data, buffer.size, field, (int)sizeof field));
    state_buffer_free(&buffer);
}

/// Whatever the processor's vectors, a sum is that of the library, at once and in pieces of any length.
TEST(sums_are_those_of_the_library)
{
    enum { MOST = 5000 };
    const StateSumKernel *kernels[] = {&state_sum_baseline, state_sum_choose()};
    unsigned char bytes[MOST];
    for (int k = 0; k < MOST; k++) {
        bytes[k] = (unsigned char)random_mix((uint64_t)k);
    }
    for (size_t size = 0; size < MOST; size += 1 + size / 7) {
        for (int k = 0; k < 2; k++) {
            StateSum sum;
            kernels[k]->begin(&sum);
            for (size_t at = 0, piece = 1; at < size; at += piece, piece = 1 + piece * 3 % 700) {
                piece = size - at < piece ? size - at : piece;
                kernels[k]->add(&sum, bytes + at, piece);
            }
            assert_true(kernels[k]->of(bytes, size) == XXH3_64bits(bytes, size));
            assert_true(kernels[k]->end(&sum) == XXH3_64bits(bytes, size));
        }
    }
}

TEST(padding_and_unused_values_do_not_count)
{
    Sample sample = make_sample(), other;
    memset(&other, 0, sizeof other);
    other.count = sample.count;
    memcpy(other.values, sample.values, 5 * sizeof(double));
    other.force = sample.force;
    other.small = sample.small;
    assert_true(state_hash_visit(visit_sample, &sample) == state_hash_visit(visit_sample, &other));
}

TEST(the_first_difference_is_named)
{
    Sample sample = make_sample();
    StateBuffer buffer = {0};
    Status status = {0};
    assert_good(state_save_visit(visit_sample, &sample, &buffer, &status), status);
    Sample cases[5];
    for (int k = 0; k < 5; k++) {
        cases[k] = sample;
    }
    cases[0].values[3] = 0.30000001;
    cases[1].force.y = 0.0; // differs from -0.0 in its bits only
    cases[2].small = 8;
    cases[3].count = 4;
    cases[4].small = 8;
    cases[4].values[4] = 9.0;
    static const char *const names[] = {"sample.values[3]", "sample.force[1]", "sample.small", "sample.count",
                                        "sample.values[4]"};
    for (int k = 0; k < 5; k++) {
        char field[96] = "";
        assert_true(
            state_first_difference_visit(visit_sample, &cases[k], buffer.data, buffer.size, field, (int)sizeof field));
        assert_string_equal(field, names[k]);
        assert_true(state_hash_visit(visit_sample, &cases[k]) != state_hash_visit(visit_sample, &sample));
    }
    state_buffer_free(&buffer);
}

TEST(damage_is_found_before_anything_is_written)
{
    Sample sample = make_sample(), untouched = make_sample();
    StateBuffer buffer = {0};
    Status status = {0};
    assert_good(state_save_visit(visit_sample, &sample, &buffer, &status), status);
    for (size_t at = 0; at < buffer.size; at++) {
        buffer.data[at] ^= 0x10;
        assert_false(state_restore_visit(visit_sample, &untouched, buffer.data, buffer.size, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        buffer.data[at] ^= 0x10;
    }
    for (size_t size = 0; size < buffer.size; size++) {
        assert_false(state_restore_visit(visit_sample, &untouched, buffer.data, size, &status));
    }
    assert_memory_equal(&untouched, &sample, sizeof sample);
    state_buffer_free(&buffer);
}

static void visit_other(void *subject, StateVisitor *visitor)
{
    Sample *sample = subject;
    STATE_VISIT(visitor, "sample.count", sample->count);
    STATE_VISIT(visitor, "sample.amount", sample->values[0]);
}

static void visit_less(void *subject, StateVisitor *visitor)
{
    Sample *sample = subject;
    STATE_VISIT(visitor, "sample.count", sample->count);
}

TEST(a_state_of_something_else_is_refused)
{
    Sample sample = make_sample(), other = make_sample();
    StateBuffer buffer = {0};
    Status status = {0};
    char field[96];
    assert_good(state_save_visit(visit_sample, &sample, &buffer, &status), status);
    assert_false(state_restore_visit(visit_other, &other, buffer.data, buffer.size, &status));
    assert_non_null(strstr(status.text, "sample.values stands where sample.amount belongs"));
    assert_false(state_restore_visit(visit_less, &other, buffer.data, buffer.size, &status));
    assert_true(state_first_difference_visit(visit_less, &other, buffer.data, buffer.size, field, (int)sizeof field));
    state_buffer_free(&buffer);
}

static void dig(Session *session, int ticks)
{
    Autopilot *pilot = autopilot_create(session);
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
    }
    autopilot_destroy(pilot);
}

TEST(a_restored_session_goes_on_bit_for_bit)
{
    enum { DIG = 150, MORE = 30 };
    Session *session = make_session(1), *other = make_session(2);
    StateBuffer buffer = {0};
    Status status = {0};
    char field[96] = "";
    dig(session, DIG);
    assert_good(state_save(session, &buffer, &status), status);
    assert_true(state_first_difference(other, buffer.data, buffer.size, field, (int)sizeof field));
    assert_string_equal(field, "session.tick");
    OperatorControls controls = {{CONTROL_FULL / 3, CONTROL_FULL, -CONTROL_FULL / 2, CONTROL_FULL}};
    session_tick(other, &controls); // what was there before must not matter
    assert_good(state_restore(other, buffer.data, buffer.size, &status), status);
    assert_false(state_first_difference(other, buffer.data, buffer.size, field, (int)sizeof field));
    for (int tick = 0; tick < MORE; tick++) {
        assert_true(state_hash(session) == state_hash(other));
        session_tick(session, &controls);
        session_tick(other, &controls);
    }
    assert_true(soil_get_particles(session_soil(session)).count > 100);
    assert_true(state_hash(session) == state_hash(other));
    assert_true(soil_get_ledger(session_soil(session)).total == soil_get_ledger(session_soil(other)).total);
    state_buffer_free(&buffer);
    session_destroy(session);
    session_destroy(other);
}

TEST(saving_again_needs_no_memory)
{
    Session *session = make_session(1);
    StateBuffer buffer = {0};
    Status status = {0};
    assert_true(state_buffer_reserve(&buffer, 1 << 20));
    const unsigned char *data = buffer.data;
    dig(session, 100);
    assert_good(state_save(session, &buffer, &status), status);
    assert_ptr_equal(buffer.data, data);
    uint64_t before = state_hash(session);
    assert_good(state_save(session, &buffer, &status), status);
    assert_true(state_hash(session) == before);
    state_buffer_free(&buffer);
    session_destroy(session);
}

TEST(numbers_that_are_not_finite_are_refused)
{
    Session *session = make_session(1);
    StateBuffer buffer = {0};
    Status status = {0};
    MachineState *machine = (MachineState *)session_machine_state(session);
    double before = machine->fuel;
    machine->fuel = 0.0 / (before - before);
    assert_good(state_save(session, &buffer, &status), status);
    assert_false(state_restore(session, buffer.data, buffer.size, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "allowed"));
    state_buffer_free(&buffer);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
