/// A program of unit tests: `PROGRAM --list` prints its groups; `PROGRAM GROUP [CASE]` runs one, or its cases of a name
/// (* and ? stand for any letters); without arguments each group runs in a process of its own.
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { NAME = 128 };

static TestGroup *groups;

void test_add_group(TestGroup *group)
{
    TestGroup **place = &groups;
    while (*place != NULL && strcmp((*place)->file, group->file) < 0) {
        place = &(*place)->next;
    }
    group->next = *place;
    *place = group;
}

/// "tests/unit/soil/test_soil_water.c" is test_soil_water.
static void name_of(const TestGroup *group, char name[NAME])
{
    const char *slash = strrchr(group->file, '/');
    snprintf(name, NAME, "%s", slash != NULL ? slash + 1 : group->file);
    name[strcspn(name, ".")] = '\0';
}

static int run_group(const TestGroup *group)
{
    char name[NAME];
    name_of(group, name);
    return _cmocka_run_group_tests(name, group->cases, *group->count, group->setup, group->teardown);
}

static int run_all(void)
{
    int failed = 0;
    for (const TestGroup *group = groups; group != NULL; group = group->next) {
        int state = -1;
        pid_t child = fork();
        if (child == 0) {
            exit(run_group(group) == 0 ? 0 : 1);
        }
        failed += child < 0 || waitpid(child, &state, 0) != child || state != 0;
    }
    return failed == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    char name[NAME];
    if (count < 2) {
        return run_all();
    }
    if (count > 2 && strcmp(arguments[0], "child") != 0) {
        cmocka_set_test_filter(arguments[2]);
    }
    for (const TestGroup *group = groups; group != NULL; group = group->next) {
        name_of(group, name);
        if (strcmp(arguments[1], "--list") == 0) {
            puts(name);
        } else if (strcmp(arguments[1], name) == 0) {
            bool child = group->child != NULL && strcmp(arguments[0], "child") == 0;
            return child ? group->child(count - 1, arguments + 1) : run_group(group);
        }
    }
    if (strcmp(arguments[1], "--list") != 0) {
        fprintf(stderr, "%s: no group of tests is called %s; --list prints them\n", arguments[0], arguments[1]);
        return 2;
    }
    return 0;
}
