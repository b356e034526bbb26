/// What every unit test is written with: cmocka, test cases that register themselves, and numbers that are nearly
/// alike.
///
///     TEST(water_runs_downhill)
///     {
///         assert_near(height(), 0.0, 1e-9);
///     }
///
///     TEST_GROUP(NULL, NULL)
///
/// A file of tests is a group: its cases run in the order in which they are written, between one setup and one
/// teardown. The groups of a library are one program (test_main.c): `unit_soil test_soil_water` runs a group,
/// `unit_soil test_soil_water 'runs*'` its cases of that name. A line `// test: WORDS` behind a file's head says where
/// the group belongs (tests/CMakeLists.txt).
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

/// The cases of this file, in the order in which they are written.
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

/// The cases of one file.
typedef struct TestGroup {
    const char *file; ///< path of the source
    const struct CMUnitTest *cases;
    const size_t *count;
    CMFixtureFunction setup, teardown; ///< or NULL
    int (*child)(int count, char **arguments); ///< what a process does that a case has started, or NULL
    struct TestGroup *next;
} TestGroup;

/// Adds a group to the program, before main.
void test_add_group(TestGroup *group);

/// Ends a file of tests: its cases run between `setup` and `teardown` (NULL: none).
#define TEST_GROUP(before, after) TEST_GROUP_WITH_CHILD(before, after, NULL)

/// The same with a function of its own for processes: a case that executes /proc/self/exe as "child", with the group's
/// name and further words, has `function` called with the words from the name on; what it returns is the exit code.
#define TEST_GROUP_WITH_CHILD(before, after, function)                                                                 \
    __attribute__((constructor)) static void register_group(void)                                                      \
    {                                                                                                                  \
        static TestGroup group = {.setup = (before), .teardown = (after), .child = (function)};                        \
        group.file = __FILE__;                                                                                         \
        group.cases = test_cases;                                                                                      \
        group.count = &test_case_count;                                                                                \
        test_add_group(&group);                                                                                        \
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

/// Bytes of this process that lie in memory. Fails the case where the system does not tell.
static inline double resident_bytes(void)
{
    long pages = -1;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%*s %ld", &pages) != 1) {
        pages = -1;
    }
    if (file != NULL) {
        fclose(file);
    }
    assert_true(pages > 0);
    return 4096.0 * (double)pages;
}

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
