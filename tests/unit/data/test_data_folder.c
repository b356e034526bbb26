/// Which folder of data counts, and where a shared library finds its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ftw.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "tests/support/test.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/spadework-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static int remove_all(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/// A path below the test's folder, whose folders are made.
static const char *make_path(const char *below, char path[DATA_PATH_LENGTH])
{
    snprintf(path, DATA_PATH_LENGTH, "%s/%s/", folder, below);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    path[strlen(path) - 1] = '\0';
    return path;
}

TEST(the_named_folder_comes_before_the_variable_and_that_before_the_one_of_the_build)
{
    Status status = {0};
    unsetenv("SPADEWORK_DATA");
    const char *built = data_folder();
    assert_int_equal(setenv("SPADEWORK_DATA", "/of/variable", 1), 0);
    assert_string_equal(data_folder(), "/of/variable");
    assert_good(data_set_folder("/named", &status), status);
    const char *named = data_folder();
    assert_string_equal(named, "/named");
    assert_good(data_set_folder("/other", &status), status);
    assert_string_equal(data_folder(), "/other");
    assert_string_equal(named, "/named"); // still valid
    assert_good(data_set_folder("/named", &status), status);
    assert_ptr_equal(data_folder(), named); // kept once
    assert_string_equal(getenv("SPADEWORK_DATA"), "/of/variable");
    assert_good(data_set_folder(NULL, &status), status);
    assert_string_equal(data_folder(), "/of/variable");
    assert_int_equal(setenv("SPADEWORK_DATA", "", 1), 0);
    assert_ptr_equal(data_folder(), built);
    unsetenv("SPADEWORK_DATA");
}

TEST(a_folder_that_is_no_path_is_refused)
{
    Status status = {0};
    char path[DATA_PATH_LENGTH + 1];
    memset(path, 'x', sizeof path);
    path[DATA_PATH_LENGTH] = '\0';
    const char *before = data_folder();
    assert_false(data_set_folder(path, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "read 512 characters"));
    assert_non_null(strstr(status.text, "allowed 1..511"));
    assert_false(data_set_folder("", &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_ptr_equal(data_folder(), before);
    path[DATA_PATH_LENGTH - 1] = '\0';
    assert_good(data_set_folder(path, &status), status);
    assert_string_equal(data_folder(), path);
    assert_good(data_set_folder(NULL, &status), status);
}

static void *set_in_turn(void *context)
{
    const char *const paths[2] = {"/a/b/c", context};
    for (int k = 0; k < 2000; k++) {
        Status status;
        const char *now = data_set_folder(paths[k % 2], &status) ? data_folder() : "";
        if (now[0] != '/') {
            return context;
        }
    }
    return NULL;
}

TEST(threads_may_name_folders_at_once)
{
    pthread_t threads[2];
    char one[] = "/d", two[] = "/e/f";
    assert_int_equal(pthread_create(&threads[0], NULL, set_in_turn, one), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, set_in_turn, two), 0);
    for (int k = 0; k < 2; k++) {
        void *wrong = NULL;
        pthread_join(threads[k], &wrong);
        assert_null(wrong);
    }
    Status status = {0};
    assert_good(data_set_folder(NULL, &status), status);
}

/// Loads a copy of a library that is at hand, and returns an address in it.
static const void *load_copy(const char *below, void **library)
{
    Dl_info info;
    char place[DATA_PATH_LENGTH], copy[DATA_PATH_LENGTH + 16], command[3 * DATA_PATH_LENGTH];
    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "_assert_true"), &info), 0);
    snprintf(copy, sizeof copy, "%s/libcopy.so", make_path(below, place));
    snprintf(command, sizeof command, "cp '%s' '%s'", info.dli_fname, copy);
    assert_int_equal(system(command), 0);
    *library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(*library);
    const void *address = dlsym(*library, "_assert_true");
    assert_non_null(address);
    return address;
}

static void expect_found(const char *library_below, const char *data_below)
{
    char data[DATA_PATH_LENGTH], found[DATA_PATH_LENGTH];
    void *library = NULL;
    const void *address = load_copy(library_below, &library);
    assert_false(data_find_beside(address, "data", found));
    make_path(data_below, data);
    assert_true(data_find_beside(address, "data", found));
    assert_string_equal(found, data);
    unsetenv("SPADEWORK_DATA");
    data_take_beside(address);
    assert_string_equal(data_folder(), data);
    assert_int_equal(setenv("SPADEWORK_DATA", "/of/variable", 1), 0);
    assert_string_equal(data_folder(), "/of/variable");
    unsetenv("SPADEWORK_DATA");
    dlclose(library);
}

TEST(a_library_finds_what_is_installed_beside_it)
{
    expect_found("one/lib/x86_64-linux-gnu", "one/share/spadework/data");
    expect_found("two/lib", "two/share/spadework/data");
    expect_found("three/site-packages/spadework", "three/site-packages/spadework/data");
}

TEST(an_address_of_no_library_finds_nothing)
{
    char found[DATA_PATH_LENGTH];
    int here = 0;
    assert_false(data_find_beside(&here, "data", found));
}

TEST_GROUP(make_folder, remove_all)
