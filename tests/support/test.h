/// What every unit test is written with: cmocka, test cases that register themselves, and numbers that are nearly
/// alike.
///
///     TEST(water_runs_downhill)
///     {
///         assert_near(height(), 0.0, 1e-9);
///     }
///
///     TEST_MAIN(NULL, NULL)
///
/// A test program runs its cases in the order in which they are written; `test_x 'water*'` runs only those of that
/// name.
#ifndef SPADEWORK_TESTS_TEST_H
#define SPADEWORK_TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEST_MOST_CASES = 64 };

/// The cases of this program, in the order in which they are written.
static struct CMUnitTest test_cases[TEST_MOST_CASES];
static size_t test_case_count;

static inline void test_register(const char *name, CMUnitTestFunction run)
{
    if (test_case_count == TEST_MOST_CASES) {
        fprintf(stderr, "more than %d test cases: raise TEST_MOST_CASES\n", TEST_MOST_CASES);
        abort();
    }
    test_cases[test_case_count++] = (struct CMUnitTest){.name = name, .test_func = run};
}

#define TEST_REGISTER(name)                                                                                            \
    __attribute__((constructor)) static void register_##name(void)                                                     \
    {                                                                                                                  \
        test_register(#name, run_##name);                                                                              \
    }

/// Begins a test case.
#define TEST(name)                                                                                                     \
    static void name(void);                                                                                            \
    static void run_##name(void **state)                                                                               \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        name();                                                                                                        \
    }                                                                                                                  \
    TEST_REGISTER(name)                                                                                                \
    static void name(void)

/// Begins a test case that receives what the group's setup has made: TEST_WITH(name, Fixture *fixture).
#define TEST_WITH(name, fixture)                                                                                       \
    static void name(fixture);                                                                                         \
    static void run_##name(void **state)                                                                               \
    {                                                                                                                  \
        name(*state);                                                                                                  \
    }                                                                                                                  \
    TEST_REGISTER(name)                                                                                                \
    static void name(fixture)

/// Runs the cases between `setup` and `teardown` (NULL: none); a program's first argument selects cases by name.
static inline int test_run(int count, char **arguments, CMFixtureFunction setup, CMFixtureFunction teardown)
{
    if (count > 1) {
        cmocka_set_test_filter(arguments[1]);
    }
    return _cmocka_run_group_tests(arguments[0], test_cases, test_case_count, setup, teardown);
}

#define TEST_MAIN(setup, teardown)                                                                                     \
    int main(int count, char **arguments)                                                                              \
    {                                                                                                                  \
        return test_run(count, arguments, setup, teardown);                                                            \
    }

/// Fails the case with the text of a Status unless `call` is true.
#define assert_good(call, status)                                                                                      \
    do {                                                                                                               \
        if (!(call)) {                                                                                                 \
            fail_msg("%s", (status).text);                                                                             \
        }                                                                                                              \
    } while (0)

/// Fails the case unless `part` is in `text`.
#define assert_contains(text, part)                                                                                    \
    do {                                                                                                               \
        if (strstr(text, part) == NULL) {                                                                              \
            fail_msg("'%s' is not in '%s'", part, text);                                                               \
        }                                                                                                              \
    } while (0)

/// Fails the case unless `value` is within `tolerance` of `wanted`.
#define assert_near(value, wanted, tolerance)                                                                          \
    do {                                                                                                               \
        double near_value = (double)(value), near_wanted = (double)(wanted);                                           \
        if (!(fabs(near_value - near_wanted) <= (tolerance))) {                                                        \
            fail_msg("%s is %.9g, not %.9g", #value, near_value, near_wanted);                                         \
        }                                                                                                              \
    } while (0)

/// SANITIZED is defined where a sanitizer looks on: it has an allocator of its own, which no test can take the place
/// of, and what takes how long says nothing.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#endif
