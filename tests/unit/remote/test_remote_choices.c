/// What a station's page chooses from, while the server of results takes connections and says nothing: whoever asks
/// does not wait for it.
// test: waits
#include <arpa/inet.h>
#include <jansson.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/recording_fixture.h"
#include "trainer/remote/console_commands.h"
#include "trainer/remote/console_state.h"
#include "trainer/results/results_store.h"

#define SOON     0.5 ///< s: far less than the server's patience, and far more than it takes to begin a thread
#define PATIENCE 30.0 ///< s for the reading to end on a busy computer

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/// A place that lets everybody in and never answers. Returns its socket.
static int open_silence(int *port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(opened >= 0 && bind(opened, (struct sockaddr *)&place, size) == 0 && listen(opened, 8) == 0);
    assert_int_equal(getsockname(opened, (struct sockaddr *)&place, &size), 0);
    *port = ntohs(place.sin_port);
    return opened;
}

/// Waits for what is read; NULL: it never came.
static char *wait_for(Choices *choices, size_t *size)
{
    char *text = NULL;
    for (double end = now() + PATIENCE; text == NULL && now() < end;) {
        text = choices_take(choices, size);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return text;
}

TEST(a_server_that_hangs_holds_nobody_up)
{
    char folder[64], url[128];
    int port = 0, silence = open_silence(&port);
    size_t size = 0;
    make_folder(folder);
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(url, sizeof url, "postgresql://station@127.0.0.1:%d/spadework?sslmode=disable", port);
    Choices *choices = choices_open(url);
    double begun = now();
    choices_ask(choices);
    assert_null(choices_take(choices, &size));
    choices_ask(choices); // once more, when it has been read
    assert_true(now() - begun < SOON);
    char *text = wait_for(choices, &size);
    double waited = now() - begun;
    assert_true(waited > SOON);
    assert_non_null(text);
    json_t *read = json_loadb(text, size, 0, NULL);
    assert_true(json_array_size(json_object_get(read, "courses")) > 0);
    assert_int_equal(json_array_size(json_object_get(read, "trainees")), 0);
    json_decref(read);
    free(text);
    text = wait_for(choices, &size); // the server is left alone for a while now
    assert_non_null(text);
    free(text);
    assert_null(choices_take(choices, &size));
    choices_close(choices);
    close(silence);
    remove_folder(folder);
}

/// The page offers a course of the user's own, under any name that a file may have, and takes the order to load it.
TEST(own_courses_are_offered)
{
    static const char text[] = "kind: course\ntitle: T\ndescription: d\nexercises: [{scene: trench}]\n";
    static const char order[] = "{\"command\":\"load\",\"name\":\"My.trench_2\",\"text\":\"\",\"part\":\"My-Course\"}";
    char folder[64], path[512];
    ConsoleCommand command;
    Status status;
    make_folder(folder);
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/spadework/courses", folder);
    assert_good(user_make_folder(path, &status), status);
    snprintf(path, sizeof path, "%s/spadework/courses/My-Course.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    char *courses = choices_courses();
    assert_contains(courses, "{\"name\":\"My-Course\",\"title\":\"T\",\"scenes\":[\"trench\"]}");
    free(courses);
    assert_good(console_command_read(order, sizeof order - 1, &command, &status), status);
    assert_string_equal(command.name, "My.trench_2");
    assert_string_equal(command.part, "My-Course");
    remove_folder(folder);
}

/// A centre has more than some hundred trainees: all are there to be chosen.
TEST(thousands_of_trainees_are_suggested)
{
    enum { PEOPLE = 3000 };
    char folder[64], db[512];
    Status status = {0};
    size_t size = 0;
    json_error_t error;
    make_folder(folder);
    Results *results = results_open(path_in(folder, "r.db", db), RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    results_close(results);
    sql_number(db, "with recursive n(k) as (select 1 union all select k + 1 from n where k < 3000) insert into "
                   "trainee(name, created) select printf('Trainee %04d', k), '' from n");
    Choices *choices = choices_open(db);
    choices_ask(choices);
    char *text = wait_for(choices, &size);
    assert_non_null(text);
    json_t *object = json_loads(text, 0, &error);
    const json_t *names = json_object_get(object, "trainees");
    assert_int_equal(json_array_size(names), PEOPLE);
    assert_string_equal(json_string_value(json_array_get(names, PEOPLE - 1)), "Trainee 3000");
    json_decref(object);
    free(text);
    choices_close(choices);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
