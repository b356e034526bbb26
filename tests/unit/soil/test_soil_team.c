/// The team of threads: every member runs, nobody passes the barrier early, whatever the size of the team and however
/// long it has slept; and the scratch memory: pieces do not overlap, and misuse ends the program.
// test: sanitized
#include "tests/support/host_mode.h"
#include "tests/support/test.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "soil/parallel/team.h"

enum { ROUNDS = 200, MOST = 8 };

/// Each round every member adds its number, waits, and looks whether all have added theirs.
typedef struct Adding {
    Team *team;
    atomic_int sum, wrong, runs;
} Adding;

static void add_in_rounds(void *context, int member, int members)
{
    Adding *adding = context;
    atomic_fetch_add(&adding->runs, 1);
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_fetch_add(&adding->sum, member + 1);
        team_wait(adding->team);
        if (atomic_load(&adding->sum) != round * members * (members + 1) / 2) {
            atomic_fetch_add(&adding->wrong, 1);
        }
        team_wait(adding->team);
    }
}

static void note_mode(void *context, int member, int members)
{
    (void)members;
    bool *plain = context;
    plain[member] = host_mode_is_default();
}

/// A thread begins with the floating-point environment of the thread that creates it.
TEST(members_compute_in_the_default_mode_whatever_their_creators)
{
    for (HostMode mode = MODE_FLUSHES; mode < MODE_COUNT; mode++) {
        bool plain[MOST] = {false};
        host_mode_set(mode);
        Team *team = team_create(MOST);
        fesetenv(FE_DFL_ENV);
        assert_non_null(team);
        team_run(team, true, note_mode, plain);
        team_destroy(team);
        for (int member = 0; member < MOST; member++) {
            assert_true(plain[member]);
        }
    }
}

TEST(no_member_passes_a_wait_before_all_have_come)
{
    for (int members = 1; members <= MOST; members++) {
        Adding adding = {.team = team_create(members)};
        assert_non_null(adding.team);
        assert_int_equal(team_members(adding.team), members);
        team_run(adding.team, true, add_in_rounds, &adding);
        assert_int_equal(atomic_load(&adding.runs), members);
        assert_int_equal(atomic_load(&adding.wrong), 0);
        team_destroy(adding.team);
    }
}

static void count_run(void *context, int member, int members)
{
    atomic_int *runs = context;
    assert_true(member < members);
    atomic_fetch_add(runs, 1);
}

TEST(members_that_sleep_wake_for_the_next_run)
{
    Team *team = team_create(4);
    assert_non_null(team);
    for (int run = 0; run < 5; run++) {
        atomic_int runs = 0;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); // long enough for all to fall asleep
        team_run(team, true, count_run, &runs);
        assert_int_equal(runs, 4);
    }
    team_destroy(team);
}

TEST(little_work_is_done_by_the_caller_alone)
{
    Team *team = team_create(4);
    assert_non_null(team);
    Adding adding = {.team = team};
    team_run(team, false, add_in_rounds, &adding); // whose waits do not wait then
    assert_int_equal(adding.runs, 1);
    assert_int_equal(adding.wrong, 0);
    team_destroy(team);
    team_destroy(NULL);
}

TEST(parts_cover_everything_once)
{
    for (int members = 1; members <= MOST; members++) {
        for (int32_t count = 0; count < 20; count++) {
            int32_t next = 0;
            for (int member = 0; member < members; member++) {
                TeamPart part = team_part(count, member, members);
                assert_int_equal(part.first, next);
                assert_true(part.end >= part.first && part.end - part.first <= count / members + 1);
                next = part.end;
            }
            assert_int_equal(next, count);
        }
    }
    assert_in_range(team_count_processors(), 1, TEAM_MOST_MEMBERS);
}

TEST(a_team_that_rests_takes_no_processor_time)
{
    Team *team = team_create(4);
    assert_non_null(team);
    atomic_int runs = 0;
    team_run(team, true, count_run, &runs);
    nanosleep(&(struct timespec){.tv_nsec = 100000000},
              NULL); // time for all to fall asleep, however busy the computer is
    clock_t before = clock();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    // Three threads that looked all the time would take 0.2 s of each processor there is.
    assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 0.02);
    team_destroy(team);
}

TEST(pieces_of_scratch_memory_lie_side_by_side)
{
    Scratch scratch;
    assert_true(scratch_create(&scratch, zeroed_room(10, 4) + zeroed_room(3, 8)));
    unsigned char *a = scratch_take(&scratch, "a", 10, 4), *b = scratch_take(&scratch, "b", 3, 8);
    assert_true((uintptr_t)a % ZEROED_ALIGNMENT == 0 && (uintptr_t)b % ZEROED_ALIGNMENT == 0);
    assert_true(b - a >= 40);
    memset(a, 1, 40);
    memset(b, 2, 24);
    assert_int_equal(a[39], 1);
    scratch_give_back(&scratch, b);
    assert_ptr_equal(scratch_take(&scratch, "c", 3, 8), b);
    scratch_give_back(&scratch, b);
    scratch_give_back(&scratch, a);
    assert_int_equal(scratch.used, 0);
    scratch_destroy(&scratch);
}

/// True when a misuse ends the process that does it.
static bool ends(void (*misuse)(Scratch *scratch))
{
    pid_t child = fork();
    if (child == 0) {
        Scratch scratch;
        signal(SIGABRT, SIG_DFL);
        if (scratch_create(&scratch, 256)) {
            misuse(&scratch);
        }
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void take_too_much(Scratch *scratch)
{
    scratch_take(scratch, "most of it", 200, 1);
    scratch_take(scratch, "too much", 200, 1);
}

static void give_back_in_wrong_order(Scratch *scratch)
{
    void *first = scratch_take(scratch, "first", 8, 1);
    scratch_take(scratch, "second", 8, 1);
    scratch_give_back(scratch, first);
}

static void give_back_twice(Scratch *scratch)
{
    void *piece = scratch_take(scratch, "piece", 8, 1);
    scratch_give_back(scratch, piece);
    scratch_give_back(scratch, piece);
}

TEST(misuse_of_scratch_memory_ends_the_program)
{
    assert_true(ends(take_too_much));
    assert_true(ends(give_back_in_wrong_order));
    assert_true(ends(give_back_twice));
}

TEST_GROUP(NULL, NULL)
