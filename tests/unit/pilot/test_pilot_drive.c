/// One drive for window and headless runs: when it ends, what it records under which name, and what a file that can no
/// longer be written does to it. The host is a stand-in that asks for rounds.
#include <signal.h>
#include <sys/resource.h>

#include "tests/support/recording_fixture.h"
#include "trainer/pilot/drive.h"
#include "trainer/sim/state_io.h"

/// A host that gives the drive a number of rounds.
typedef struct Rounds {
    int left; ///< after which it leaves
    bool paced;
    double elapsed, budget; ///< s a round
    bool holds; ///< time stands still
    bool person; ///< answers what failed
    int asked; ///< how often, about recordings
    int told; ///< how often, about telemetry
    int ticks, lasts;
} Rounds;

static bool begin(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)drive;
    (void)status;
    Rounds *self = context;
    *round = (DriveRound){.leaves = self->left-- == 0,
                          .holds = self->holds,
                          .paced = self->paced,
                          .elapsed = self->elapsed,
                          .budget = self->budget};
    return true;
}

static void count(void *context, Drive *drive)
{
    (void)drive;
    ((Rounds *)context)->ticks++;
}

static bool end(void *context, Drive *drive, bool last, Status *status)
{
    (void)drive;
    (void)status;
    ((Rounds *)context)->lasts += last;
    return true;
}

static bool answer(void *context, Drive *drive, DriveFile file)
{
    Rounds *self = context;
    assert_int_not_equal(file == DRIVE_RECORDING ? drive->record_failure.code : drive->telemetry_failure.code,
                         STATUS_GOOD);
    self->asked += file == DRIVE_RECORDING;
    self->told += file == DRIVE_TELEMETRY;
    return self->person;
}

static bool give(Drive *drive, Rounds *rounds, Status *status)
{
    DriveHost host = {rounds, begin, count, end, answer};
    status_good(status);
    return drive_run(drive, &host, status);
}

/// A drive of the scene "free", where nothing is dug: ticks are quick.
static RunOptions plain(void)
{
    return (RunOptions){.scene = "free", .threads = 1, .shot_at = -1.0, .camera = -1};
}

static Drive *start(const DriveParams *params)
{
    Status status = {0};
    Drive *drive = calloc(1, sizeof *drive);
    assert_non_null(drive);
    assert_good(drive_create(drive, params, &status), status);
    return drive;
}

static void leave(Drive *drive)
{
    drive_destroy(drive);
    free(drive);
}

static void refuse(const DriveParams *params, StatusCode code, const char *part)
{
    Status status = {0};
    Drive *drive = calloc(1, sizeof *drive);
    assert_non_null(drive);
    assert_false(drive_create(drive, params, &status));
    assert_int_equal(status.code, code);
    if (strstr(status.text, part) == NULL) {
        fail_msg("\"%s\" is not in: %s", part, status.text);
    }
    free(drive);
}

static void write_script(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("t,swing\n0,0.5\n0.5,0\n", file);
    assert_int_equal(fclose(file), 0);
}

/// Half a second at 60 ticks a second is 30 ticks, by --seconds and by a script whose last row is at 0.5 s.
TEST(a_drive_ends_at_the_exact_tick)
{
    char folder[64], script[512];
    make_folder(folder);
    write_script(path_in(folder, "s.csv", script));
    for (int k = 0; k < 2; k++) {
        RunOptions options = plain();
        options.operator_name = k == 0 ? "auto" : script;
        options.seconds = k == 0 ? 0.5 : 0.0;
        Drive *drive = start(&(DriveParams){.options = &options});
        Rounds rounds = {.left = 1000};
        Status status;
        assert_good(give(drive, &rounds, &status), status);
        assert_int_equal(rounds.ticks, 30);
        assert_int_equal(rounds.lasts, 1);
        assert_good(drive_close(drive, true, &status), status);
        leave(drive);
    }
    remove_folder(folder);
}

/// Nothing was taken over, so nothing is said of a takeover.
TEST(a_script_without_a_time_is_refused)
{
    char folder[64], script[512];
    make_folder(folder);
    FILE *file = fopen(path_in(folder, "s.csv", script), "w");
    assert_non_null(file);
    fputs("t,swing\n0,0.5\n", file);
    assert_int_equal(fclose(file), 0);
    RunOptions options = plain();
    options.operator_name = script;
    refuse(&(DriveParams){.options = &options}, STATUS_BAD_USAGE, "read t 0 in its last row, allowed above 0");
    remove_folder(folder);
}

TEST(a_recording_is_taken_over_where_it_holds_the_moment)
{
    char folder[64], path[512], script[512], next[512];
    make_folder(folder);
    record(path_in(folder, "a.spade", path), 1, 60, NULL);
    write_script(path_in(folder, "s.csv", script));
    RunOptions options = plain();
    options.operator_name = "auto";
    options.seconds = 0.1;
    refuse(&(DriveParams){.options = &options, .parent = path, .at = 1.1}, STATUS_BAD_USAGE, "it holds 0.000..1.000 s");
    refuse(&(DriveParams){.options = &options, .parent = path, .at = -0.1}, STATUS_BAD_USAGE, "-0.1 s");
    Drive *drive = start(&(DriveParams){.options = &options, .parent = path, .at = 0.75});
    assert_int_equal(drive->first_tick, 45);
    assert_string_equal(drive->record, path_in(folder, "a-2.spade", next));
    Rounds rounds = {.left = 1000};
    Status status;
    assert_good(give(drive, &rounds, &status) && drive_close(drive, true, &status), status);
    assert_int_equal(rounds.ticks, 6);
    leave(drive);
    assert_int_equal(sql_number(next, "select count(*) from input"), 6);
    assert_int_equal(sql_number(next, "select value from meta where key = 'parent_tick'"), 45);
    options.operator_name = script;
    options.seconds = 0.0;
    refuse(&(DriveParams){.options = &options, .parent = path, .at = 0.75}, STATUS_BAD_USAGE,
           "ends at 0.5 s, before the takeover at 0.75 s");
    remove_folder(folder);
}

TEST(an_operator_that_fails_is_told)
{
    RunOptions options = plain();
    options.operator_name = "/nowhere/levers.csv";
    refuse(&(DriveParams){.options = &options}, STATUS_BAD_FILE, "/nowhere/levers.csv");
    options.operator_name = "auto";
    options.controls = "nosuchmap";
    refuse(&(DriveParams){.options = &options}, STATUS_BAD_FILE, "nosuchmap");
    options.controls = NULL;
    options.operator_name = "keyboard";
    refuse(&(DriveParams){.options = &options}, STATUS_BAD_USAGE, "window");
}

/// Nothing is left when only one of two files can be made; --keep-going drives on with what can be had.
TEST(files_that_cannot_be_made)
{
    char folder[64], path[512];
    make_folder(folder);
    RunOptions options = plain();
    options.record = path_in(folder, "a.spade", path);
    options.telemetry = "/nowhere/t.csv";
    refuse(&(DriveParams){.options = &options}, STATUS_LACKING, "/nowhere/t.csv");
    assert_int_not_equal(access(path, F_OK), 0);
    options.keep_going = true;
    options.seconds = 0.1;
    Drive *drive = start(&(DriveParams){.options = &options});
    Rounds rounds = {.left = 1000};
    Status status;
    assert_good(give(drive, &rounds, &status) && drive_close(drive, true, &status), status);
    assert_int_equal(drive->telemetry_failure.code, STATUS_LACKING);
    assert_false(drive->measured); // no file that was never begun is named in the summary
    assert_int_equal(drive->record_failure.code, STATUS_GOOD);
    leave(drive);
    drive = start(&(DriveParams){.options = &options}); // the recording exists now
    assert_string_equal(drive->record, "");
    assert_int_equal(drive->record_failure.code, STATUS_LACKING);
    assert_good(drive_close(drive, true, &status), status);
    leave(drive);
    remove_folder(folder);
}

/// The size that files may have from now on, bytes; a write beyond it fails as on a full disk.
static void limit_files(rlim_t size)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/// Telemetry on a full disk: a drive without a person fails, a person drives on and is told at the end, --keep-going is
/// content.
TEST(telemetry_that_breaks)
{
    static const struct {
        bool person, keep_going, drives_on, closes;
    } cases[] = {{false, false, false, false}, {true, false, true, false}, {false, true, true, true}};
    char folder[64], path[512];
    make_folder(folder);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RunOptions options = plain();
        options.telemetry = path_in(folder, "t.csv", path);
        options.seconds = 2.0;
        options.keep_going = cases[k].keep_going;
        Drive *drive = start(&(DriveParams){.options = &options});
        Rounds rounds = {.left = 1000, .person = cases[k].person};
        Status status;
        limit_files(64);
        bool good = give(drive, &rounds, &status);
        limit_files(RLIM_INFINITY);
        assert_int_equal(good, cases[k].drives_on);
        assert_int_equal(rounds.ticks == 120, cases[k].drives_on);
        assert_int_equal(rounds.told, !cases[k].keep_going);
        good = drive_close(drive, good, &status);
        assert_int_equal(good, cases[k].closes);
        assert_true(good || status.code == STATUS_LACKING);
        leave(drive);
    }
    remove_folder(folder);
}

/// A recording on a full disk: the same three, but a person is asked, and no tick is made before the answer.
TEST(a_recording_that_breaks)
{
    enum { FAILS, LEAVES, GOES_ON, KEEPS_GOING, CASES };
    char folder[64], path[512];
    make_folder(folder);
    for (int k = 0; k < CASES; k++) {
        RunOptions options = plain();
        options.record = path_in(folder, "a.spade", path);
        options.seconds = 20.0;
        options.keep_going = k == KEEPS_GOING;
        Drive *drive = start(&(DriveParams){.options = &options});
        Rounds rounds = {.left = 700, .person = k == LEAVES || k == GOES_ON};
        Status status;
        limit_files((rlim_t)sql_number(path, "select page_count * page_size from pragma_page_count, pragma_page_size"));
        bool good = give(drive, &rounds, &status);
        assert_int_equal(good, k == KEEPS_GOING);
        assert_true(k == KEEPS_GOING ? rounds.ticks == 700 : rounds.ticks < 600);
        assert_int_equal(rounds.asked, k == KEEPS_GOING ? 0 : 1);
        assert_int_equal(drive->asks, k == LEAVES || k == GOES_ON);
        if (k == GOES_ON) {
            drive_record_no_more(drive);
            int before = rounds.ticks;
            rounds.left = 10;
            good = give(drive, &rounds, &status);
            assert_true(good);
            assert_int_equal(rounds.ticks, before + 10);
        }
        good = drive_close(drive, good, &status);
        assert_int_equal(good, k == GOES_ON || k == KEEPS_GOING);
        assert_true(good || status.code == STATUS_LACKING);
        limit_files(RLIM_INFINITY);
        leave(drive);
        assert_int_equal(remove(path), 0);
        char journal[600];
        snprintf(journal, sizeof journal, "%s-journal", path);
        remove(journal);
    }
    remove_folder(folder);
}

/// From the beginning again: the first recording stays whole, the second lies beside it, telemetry is begun anew.
TEST(a_restart_records_beside_the_first)
{
    char folder[64], path[512], next[512], telemetry[512];
    make_folder(folder);
    RunOptions options = plain();
    options.record = path_in(folder, "a.spade", path);
    options.telemetry = path_in(folder, "t.csv", telemetry);
    options.operator_name = "auto";
    Drive *drive = start(&(DriveParams){.options = &options});
    Rounds rounds = {.left = 12};
    Status status;
    assert_good(give(drive, &rounds, &status), status);
    assert_good(drive_restart(drive, &status), status);
    assert_string_equal(drive->record, path_in(folder, "a-2.spade", next));
    assert_int_equal(session_frame(drive->session)->tick, 0);
    rounds.left = 5;
    assert_good(give(drive, &rounds, &status) && drive_close(drive, true, &status), status);
    leave(drive);
    assert_int_equal(sql_number(path, "select count(*) from input"), 12);
    assert_int_equal(sql_number(next, "select count(*) from input"), 5);
    int lines = 0;
    FILE *file = fopen(telemetry, "r");
    assert_non_null(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        lines += c == '\n';
    }
    fclose(file);
    assert_int_equal(lines, 1 + 5);
    remove_folder(folder);
}

/// One from a list, and some from whoever sits beside.
TEST(orders_wait_for_the_next_tick)
{
    char folder[64], path[512], list[512], next[512];
    Status status = {0};
    make_folder(folder);
    FILE *file = fopen(path_in(folder, "orders.csv", list), "w");
    assert_non_null(file);
    fputs("t,fault,part,value\n0.1,engine,,1\n", file);
    assert_int_equal(fclose(file), 0);
    RunOptions options = plain();
    options.operator_name = "auto";
    options.seconds = 0.5;
    options.orders = list;
    options.record = path_in(folder, "a.spade", path);
    Drive *drive = start(&(DriveParams){.options = &options});
    SessionOrder order = {SESSION_FAULT_HEAT, 0, 99.0};
    assert_false(drive_order(drive, &order, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    for (int k = 0; k < SESSION_ORDERS_A_TICK; k++) {
        order.value = 1.0 + k;
        assert_good(drive_order(drive, &order, &status), status);
    }
    assert_false(drive_order(drive, &order, &status));
    assert_false(session_orders_act(session_orders(drive->session)));
    Rounds rounds = {.left = 6};
    assert_good(give(drive, &rounds, &status), status);
    assert_true(session_orders(drive->session)->value[SESSION_FAULT_HEAT][0] == 16.0);
    assert_true(session_orders(drive->session)->value[SESSION_FAULT_ENGINE][0] == 0.0); // tick 6 begins at 0.1 s
    rounds.left = 1;
    assert_good(give(drive, &rounds, &status), status);
    assert_true(session_orders(drive->session)->value[SESSION_FAULT_ENGINE][0] == 1.0);
    assert_good(drive_order(drive, &order, &status), status);
    assert_good(drive_restart(drive, &status), status); // what waited was for the first session
    rounds.left = 1000;
    assert_good(give(drive, &rounds, &status) && drive_close(drive, true, &status), status);
    leave(drive);
    assert_int_equal(sql_number(path, "select count(*) from fault_order"), SESSION_ORDERS_A_TICK + 1);
    assert_int_equal(sql_number(path, "select tick from fault_order where fault = 'engine'"), 6);
    assert_int_equal(sql_number(path_in(folder, "a-2.spade", next), "select count(*) from fault_order"), 1);
    VerifyResult result;
    Recording *recording = open_good(path);
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
    options.record = NULL;
    options.orders = "no-such-list.csv";
    refuse(&(DriveParams){.options = &options}, STATUS_BAD_FILE, "no-such-list.csv");
    remove_folder(folder);
}

/// A paced drive makes the ticks that the clock asks for, at most one a round; work beyond the budget is dropped, which
/// is one event.
TEST(the_clock_paces)
{
    char folder[64], path[512];
    make_folder(folder);
    RunOptions options = plain();
    options.record = path_in(folder, "a.spade", path);
    Drive *drive = start(&(DriveParams){.options = &options});
    Rounds rounds = {.left = 100, .paced = true, .elapsed = 0.005, .budget = 10.0};
    Status status;
    assert_good(give(drive, &rounds, &status), status);
    assert_in_range(rounds.ticks, 29, 30); // 0.5 s; the last may lie a rounding beyond
    // A round that hung is made up for in the next ones, each of which makes one tick.
    for (int k = 0; k < 2; k++) {
        int before = rounds.ticks;
        rounds.left = k == 0 ? 1 : 40;
        rounds.elapsed = k == 0 ? 0.25 : 0.0;
        assert_good(give(drive, &rounds, &status), status);
        assert_in_range(rounds.ticks - before, k == 0 ? 1 : 13, k == 0 ? 1 : 15);
        assert_int_equal(drive_catches_up(drive), k == 0);
    }
    rounds.left = 40;
    rounds.elapsed = 0.5;
    rounds.budget = 0.0;
    int before = rounds.ticks;
    assert_good(give(drive, &rounds, &status), status);
    assert_int_equal(rounds.ticks, before + 40);
    assert_true(drive->real_time < 0.1);
    assert_near(drive_blend(drive), 1.0, 1e-9);
    drive_forget_time(drive);
    assert_near(drive_blend(drive), 0.0, 1e-9);
    assert_good(drive_close(drive, true, &status), status);
    leave(drive);
    assert_int_equal(sql_number(path, "select count(*) from event where kind = 'slow'"), 1);
    remove_folder(folder);
}

/// Time that stands still while ticks are due leaves nothing to catch up with, neither for a menu nor for the question
/// about a recording that failed: the host may draw.
TEST(nothing_is_caught_up_with_while_time_stands_still)
{
    char folder[64], path[512];
    Status status;
    make_folder(folder);
    for (int k = 0; k < 2; k++) {
        RunOptions options = plain();
        options.record = k == 0 ? NULL : path_in(folder, "a.spade", path);
        Drive *drive = start(&(DriveParams){.options = &options});
        Rounds rounds = {.left = 1, .paced = true, .elapsed = 0.25, .budget = 10.0, .person = true};
        assert_good(give(drive, &rounds, &status), status);
        assert_true(drive_catches_up(drive));
        assert_false(drive_waits_for_clock(drive));
        rounds.holds = k == 0;
        drive->asks = k == 1;
        rounds.left = 1;
        give(drive, &rounds, &status);
        assert_int_equal(rounds.ticks, 1);
        assert_false(drive_catches_up(drive));
        assert_true(drive_waits_for_clock(drive));
        drive->asks = false;
        assert_good(drive_close(drive, true, &status), status);
        leave(drive);
    }
    remove_folder(folder);
}

/// A guide that holds rounds 3 to 5, restarts in round 8 and ends the drive in round 11.
typedef struct Steps {
    int round, afters, lasts;
} Steps;

static bool guide_before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    Steps *self = context;
    self->round++;
    round->holds = self->round >= 3 && self->round <= 5;
    round->leaves |= self->round == 11;
    if (self->round == 4) {
        drive_tell(drive, "slower");
        drive_note(drive, &(ExerciseEvent){.kind = EVENT_MARK, .text = "here"});
    }
    return self->round != 8 || drive_restart(drive, status);
}

static void guide_after(void *context, Drive *drive, bool last)
{
    Steps *self = context;
    self->afters++;
    self->lasts += last;
    assert_int_equal(drive->held, self->round >= 3 && self->round <= 5);
}

TEST(a_guide_holds_restarts_and_ends_a_drive)
{
    char folder[64], path[512], next[512];
    make_folder(folder);
    Steps steps = {0};
    DriveGuide guide = {.context = &steps, .before = guide_before, .after = guide_after};
    RunOptions options = plain();
    options.record = path_in(folder, "a.spade", path);
    options.operator_name = "auto";
    Drive *drive = start(&(DriveParams){.options = &options, .guide = &guide});
    Rounds rounds = {.left = 1000};
    Status status;
    assert_good(give(drive, &rounds, &status), status);
    assert_int_equal(rounds.ticks, 7); // 11 rounds, three of them held, the last without a tick
    assert_int_equal(steps.afters, 11);
    assert_int_equal(steps.lasts, 1);
    assert_int_equal(drive->restarts, 1);
    assert_int_equal(drive->told_count, 1);
    assert_string_equal(drive->told, "slower");
    assert_good(drive_close(drive, true, &status), status);
    leave(drive);
    assert_int_equal(sql_number(path, "select count(*) from input"), 4);
    assert_int_equal(sql_number(path, "select tick from event where kind = 'mark'"), 2);
    assert_int_equal(sql_number(path_in(folder, "a-2.spade", next), "select count(*) from input"), 3);
    remove_folder(folder);
}

/// Drives `ticks` more.
static void drive_on(Drive *drive, int ticks)
{
    Rounds rounds = {.left = ticks};
    Status status = {0};
    assert_good(give(drive, &rounds, &status), status);
}

/// To a moment of the present recording, then to one before it began, which its parent holds, then to an earlier file.
TEST(a_drive_goes_back_to_what_was_recorded)
{
    char folder[64], path[512], second[512], third[512], fourth[512];
    make_folder(folder);
    RunOptions options = plain();
    options.record = path_in(folder, "a.spade", path);
    options.operator_name = "auto";
    Drive *drive = start(&(DriveParams){.options = &options});
    Status status = {0};
    double dt = session_dt(drive->session);
    drive_on(drive, 40);
    uint64_t forty = state_hash(drive->session);
    drive_on(drive, 80);
    assert_int_equal(drive_return(drive, NULL, 101.0 * dt, &status), DRIVE_WENT_BACK);
    assert_int_equal(session_frame(drive->session)->tick, 101);
    assert_string_equal(drive->record, path_in(folder, "a-2.spade", second));
    drive_on(drive, 10);
    assert_int_equal(drive_return(drive, NULL, 40.0 * dt, &status), DRIVE_WENT_BACK);
    assert_int_equal(session_frame(drive->session)->tick, 40);
    assert_true(state_hash(drive->session) == forty);
    assert_string_equal(drive->record, path_in(folder, "a-3.spade", third));
    drive_on(drive, 5);
    assert_int_equal(drive_return(drive, second, 105.0 * dt, &status), DRIVE_WENT_BACK);
    assert_int_equal(session_frame(drive->session)->tick, 105);
    drive_on(drive, 5);
    assert_int_equal(drive->restarts, 3);
    assert_good(drive_close(drive, true, &status), status);
    leave(drive);
    assert_int_equal(sql_number(path, "select count(*) from input"), 120);
    assert_int_equal(sql_number(second, "select count(*) from input"), 10);
    assert_int_equal(sql_number(third, "select value from meta where key = 'parent_tick'"), 40);
    path_in(folder, "a-4.spade", fourth);
    assert_int_equal(sql_number(fourth, "select value from meta where key = 'parent_tick'"), 105);
    const char *all[] = {path, second, third, fourth};
    for (int k = 0; k < 4; k++) {
        VerifyResult result = {.ticks = 0};
        Recording *recording = recording_open(all[k], &status);
        assert_good(recording != NULL && recording_verify(recording, recording_first_tick(recording), true, 1, NULL,
                                                          NULL, &result, &status),
                    status);
        assert_int_equal(result.parent.state, k == 0 ? PARENT_NONE : PARENT_FITS);
        recording_close(recording);
    }
    remove_folder(folder);
}

TEST(there_is_no_way_back_to_what_was_not_recorded)
{
    char folder[64], path[512], other[512];
    make_folder(folder);
    RunOptions options = plain();
    options.operator_name = "auto";
    Drive *drive = start(&(DriveParams){.options = &options});
    Status status = {0};
    drive_on(drive, 5);
    assert_int_equal(drive_return(drive, NULL, 0.0, &status), DRIVE_REFUSED);
    assert_string_equal(status.text, "there is no way back: nothing is recorded");
    leave(drive);
    options.record = path_in(folder, "a.spade", path);
    drive = start(&(DriveParams){.options = &options});
    drive_on(drive, 6);
    assert_int_equal(drive_return(drive, NULL, 0.2, &status), DRIVE_REFUSED);
    assert_string_equal(status.text, "there is no way back to 0.2 s: recorded are 0.000..0.100 s");
    assert_int_equal(drive_return(drive, path_in(folder, "b.spade", other), 0.0, &status), DRIVE_REFUSED);
    assert_int_equal(session_frame(drive->session)->tick, 6);
    assert_int_equal(drive->restarts, 0);
    assert_good(drive_close(drive, true, &status), status);
    leave(drive);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
