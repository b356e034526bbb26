/// Memory that costs nothing until it is touched.
#include "data/core/zeroed_memory.h"

#include <stdbool.h>

#include "tests/support/test.h"

TEST(memory_is_zero_and_aligned_whatever_was_there)
{
    for (size_t bytes = 0; bytes < 300000; bytes = 2 * bytes + 1) {
        for (int again = 0; again < 3; again++) {
            unsigned char *memory = zeroed_alloc(bytes, 1);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % 64, 0);
            for (size_t k = 0; k < bytes; k++) {
                assert_int_equal(memory[k], 0);
            }
            memset(memory, 0xff, bytes);
            zeroed_free(memory);
        }
    }
    zeroed_free(NULL);
}

TEST(too_much_is_refused)
{
    assert_null(zeroed_alloc(SIZE_MAX / 8, 16));
    assert_null(zeroed_alloc(SIZE_MAX, 1));
    assert_null(zeroed_alloc(SIZE_MAX / 4, 2));
}

/// 64 MB taken, of which one page is used, given back and taken again.
TEST(what_is_not_touched_takes_no_memory)
{
#ifdef SANITIZED
    skip();
#endif
    enum { BYTES = 64 << 20 };
    double before = resident_bytes();
    for (int k = 0; k < 4; k++) {
        unsigned char *memory = zeroed_alloc(BYTES, 1);
        assert_non_null(memory);
        memory[BYTES / 2] = 1;
        assert_true(resident_bytes() - before < 1e6);
        memset(memory, 1, BYTES / 4);
        assert_true(resident_bytes() - before > 1e7);
        zeroed_free(memory);
        assert_true(resident_bytes() - before < 1e6);
    }
}

/// Whole pages between the two bytes go; around them nothing changes.
TEST(what_is_given_back_takes_no_memory)
{
    enum { BYTES = 16 << 20, FIRST = 1000000, END = 15000000 };
    double before = resident_bytes();
    unsigned char *memory = zeroed_alloc(BYTES, 1);
    assert_non_null(memory);
    memset(memory, 1, BYTES);
    zeroed_give_back(memory, FIRST, END);
    zeroed_give_back(memory, 5, 5);
    double after = resident_bytes();
#ifdef SANITIZED
    after = before; // its allocator keeps what it has
#endif
    assert_true(after - before < BYTES - 13500000);
    for (size_t k = 0; k < BYTES; k++) {
        bool kept = k < FIRST || k >= END;
        assert_true(memory[k] == 1 || (!kept && memory[k] == 0));
    }
    zeroed_free(memory);
    int32_t *few = zeroed_alloc(100, sizeof *few); // too few for pages of their own
    assert_non_null(few);
    few[99] = 7;
    zeroed_give_back_elements(few, few + 50, sizeof *few, 0, 50);
    assert_true(few[99] == 7 || few[99] == 0);
    zeroed_free(few);
}

TEST_GROUP(NULL, NULL)
