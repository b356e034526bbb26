/// The clumsy operator's scripts: they follow from the seed, are in range, and mean the same as a file.
// test: sanitized
#include <unistd.h>

#include "input/input.h"
#include "tests/support/clumsy_operator.h"
#include "tests/support/test.h"

enum { SEEDS = 20 };

TEST(a_seed_gives_the_same_script_every_time)
{
    for (uint64_t seed = 0; seed <= SEEDS; seed++) {
        static ClumsyScript once, again, other;
        clumsy_make(seed, &once);
        clumsy_make(seed, &again);
        clumsy_make(seed + 1, &other);
        assert_int_equal(once.row_count, again.row_count);
        size_t size = (size_t)once.row_count * sizeof once.rows[0];
        assert_memory_equal(once.rows, again.rows, size);
        assert_true(other.row_count != once.row_count || memcmp(once.rows, other.rows, size) != 0);
    }
}

TEST(rows_are_in_range_and_in_order)
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        static ClumsyScript script;
        clumsy_make(seed, &script);
        assert_in_range(script.row_count, CLUMSY_SECONDS / CLUMSY_LONGEST, CLUMSY_MOST_ROWS);
        assert_int_equal(script.rows[0].milliseconds, 0);
        for (int k = 0; k < script.row_count; k++) {
            int held = k > 0 ? script.rows[k].milliseconds - script.rows[k - 1].milliseconds : 1000;
            assert_in_range(held, 1000.0 * CLUMSY_SHORTEST, 1000.0 * CLUMSY_LONGEST);
            assert_true(script.rows[k].milliseconds < 1000.0 * CLUMSY_SECONDS);
            for (int axis = 0; axis < CONTROL_COUNT; axis++) {
                assert_true(abs(script.rows[k].hundredths[axis]) <= 100);
            }
            assert_int_equal(script.rows[k].hundredths[CONTROL_THROTTLE], 100);
        }
    }
}

/// Every lever comes to both sides, far, several move at once, and some rows throw what was held over.
TEST(hands_are_clumsy)
{
    int far[CONTROL_COUNT][2] = {{0}}, together = 0, reversed = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        static ClumsyScript script;
        clumsy_make(seed, &script);
        for (int k = 0; k < script.row_count; k++) {
            const int16_t *levers = script.rows[k].hundredths, *before = script.rows[k > 0 ? k - 1 : 0].hundredths;
            int moved = 0, over = 0;
            for (int axis = 0; axis < CLUMSY_AXES; axis++) {
                far[axis][levers[axis] > 0] += abs(levers[axis]) > 80;
                moved += axis != CONTROL_THROTTLE && levers[axis] != 0;
                over += axis != CONTROL_THROTTLE && levers[axis] != 0 && levers[axis] == -before[axis];
            }
            together += moved >= 3;
            reversed += over >= 2 && over == moved;
        }
    }
    print_message("rows with three levers or more: %d, thrown over: %d\n", together, reversed);
    for (int axis = 0; axis < CLUMSY_AXES; axis++) {
        assert_true(far[axis][1] >= SEEDS && (axis == CONTROL_THROTTLE || far[axis][0] >= SEEDS));
    }
    assert_true(together > 10 * SEEDS && reversed > SEEDS);
}

TEST(a_file_of_it_means_the_same)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        static ClumsyScript script;
        char path[] = "/tmp/spadework-clumsy-XXXXXX";
        int handle = mkstemp(path);
        assert_true(handle >= 0);
        FILE *file = fdopen(handle, "w");
        assert_non_null(file);
        clumsy_make(seed, &script);
        assert_true(clumsy_write(&script, file));
        assert_int_equal(fclose(file), 0);
        Status status;
        InputScript *read = input_script_load(path, &status);
        unlink(path);
        assert_good(read != NULL, status);
        for (int tick = 0; tick < 60 * 32; tick++) {
            OperatorControls direct, filed;
            clumsy_levers(&script, tick / 60.0, &direct);
            input_script_get(read, tick / 60.0, &filed);
            assert_memory_equal(&direct, &filed, sizeof direct);
        }
        input_script_destroy(read);
    }
}

TEST_GROUP(NULL, NULL)
