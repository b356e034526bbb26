/// A recording's file that is deleted, replaced, cut or overwritten while it is written or read: what became of it is
/// told by name, and nobody is told that it is good.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/small_session.h"
#include "trainer/record/recording_glance.h"

typedef struct Fixture {
    char folder[64], path[512], other[512];
    SmallSession small;
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    make_folder(fixture->folder);
    path_in(fixture->folder, "lost.spade", fixture->path);
    path_in(fixture->folder, "other.spade", fixture->other);
    small_create(&fixture->small);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    small_destroy(&fixture->small);
    remove_folder(fixture->folder);
    free(fixture);
    return 0;
}

/// ---- what happens to a file ----------------------------------------------------------------------------------------

static void delete_it(const Fixture *fixture)
{
    assert_int_equal(unlink(fixture->path), 0);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void replace_it(const Fixture *fixture)
{
    write_text(fixture->other, "another file");
    assert_int_equal(rename(fixture->other, fixture->path), 0);
}

static void cut_it(const Fixture *fixture)
{
    assert_int_equal(truncate(fixture->path, 0), 0);
}

static void overwrite_it(const Fixture *fixture)
{
    // Not cut first: on a busy disk the recorder would see it while it is empty.
    char text[8200];
    memset(text, 'x', sizeof text);
    int file = open(fixture->path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, text, sizeof text, 0), sizeof text);
    assert_int_equal(ftruncate(file, sizeof text), 0);
    close(file);
}

/// What a commit leaves that was under way while the file was cut: its first page, and nothing behind it.
static void hollow_it(const Fixture *fixture)
{
    char page[4096];
    int file = open(fixture->path, O_RDWR);
    assert_true(file >= 0);
    off_t size = lseek(file, 0, SEEK_END);
    assert_true(size > (off_t)sizeof page);
    assert_int_equal(pread(file, page, sizeof page, 0), sizeof page);
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, page, sizeof page, 0), sizeof page);
    assert_int_equal(ftruncate(file, size), 0);
    close(file);
}

static void put_a_folder(const Fixture *fixture)
{
    delete_it(fixture);
    assert_int_equal(mkdir(fixture->path, 0777), 0);
}

typedef struct Loss {
    void (*happen)(const Fixture *fixture);
    const char *told;
    bool in_place; ///< the file keeps its name
} Loss;

static const Loss losses[] = {
    {delete_it, "its file is no longer there: it was deleted, moved or renamed", false},
    {replace_it, "its file is no longer there: another file has its name", false},
    {cut_it, "its file was cut to 0 bytes and is no recording any more", true},
    {overwrite_it, "its file was overwritten and is no recording any more", true},
    {put_a_folder, "its file is no longer there: a folder has its name", false},
    {hollow_it, "another program changed its file", true},
};
enum { LOSSES = sizeof losses / sizeof losses[0] };

static void clear(const Fixture *fixture)
{
    unlink(fixture->path);
    rmdir(fixture->path);
}

/// ---- writing -------------------------------------------------------------------------------------------------------

/// Records with the loss after the recorder is made or (`late`) after its first commit; what is told at the end.
static Status record_with_loss(Fixture *fixture, const Loss *loss, bool late)
{
    Status status = {0};
    Session *session = fixture->small.session;
    assert_good(state_restore(session, fixture->small.start.data, fixture->small.start.size, &status), status);
    RecorderParams params = {.path = fixture->path, .patience = 1e-6};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < SMALL_TICKS; tick++) {
        if (tick == (late ? 2 * SMALL_BATCH + 5 : 0)) {
            loss->happen(fixture);
        }
        OperatorControls levers = small_levers(tick);
        session_tick(session, &levers);
        recorder_tick(recorder, session, &status);
    }
    assert_false(recorder_close(recorder, session, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    return status;
}

TEST_WITH(a_file_that_is_lost_while_it_is_written_is_told_by_name, Fixture *fixture)
{
    for (int k = 0; k < 2 * LOSSES; k++) {
        const Loss *loss = &losses[k / 2];
        Status status = record_with_loss(fixture, loss, k % 2 == 1);
        // A commit that was under way may have written what was cut or overwritten anew, and what is overwritten is
        // cut first.
        bool told = strstr(status.text, loss->told) != NULL ||
                    (loss->happen == overwrite_it && strstr(status.text, "its file was cut to 0 bytes") != NULL) ||
                    (loss->in_place && strstr(status.text, "another program changed its file") != NULL);
        if (!told || strstr(status.text, fixture->path) == NULL || strstr(status.text, "good") != NULL) {
            fail_msg("told: %s; wanted: %s", status.text, loss->told);
        }
        clear(fixture);
    }
}

/// SQLite opens no file whose whole path is longer than 512 bytes: there is none, so none is called good.
TEST_WITH(a_recording_that_cannot_be_begun_is_not_called_good, Fixture *fixture)
{
    char name[201], here[1024];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(fixture->folder), 0);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(mkdir(name, 0777), 0);
        assert_int_equal(chdir(name), 0);
    }
    Status status = {0};
    RecorderParams params = {.path = "x.spade", .patience = 1e-6};
    assert_null(recorder_create(&params, fixture->small.session, &status));
    int there = access("x.spade", F_OK);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(there, -1);
    assert_int_equal(status.code, STATUS_LACKING);
    if (strstr(status.text, "good") != NULL || strstr(status.text, "nothing was recorded") == NULL) {
        fail_msg("told: %s", status.text);
    }
}

/// ---- reading -------------------------------------------------------------------------------------------------------

TEST_WITH(a_file_that_is_cut_while_it_is_read_is_told_by_name, Fixture *fixture)
{
    for (int k = 2; k <= 3; k++) {
        clear(fixture);
        assert_int_equal(small_record(&fixture->small, fixture->path, NULL, NULL), SMALL_WHOLE);
        Recording *recording = open_good(fixture->path);
        losses[k].happen(fixture);
        Status status = {0};
        VerifyResult result;
        assert_false(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status));
        if (strstr(status.text, losses[k].told) == NULL) {
            fail_msg("told: %s; wanted: %s", status.text, losses[k].told);
        }
        recording_close(recording);
    }
}

TEST_WITH(a_file_without_its_name_is_still_read, Fixture *fixture)
{
    clear(fixture);
    assert_int_equal(small_record(&fixture->small, fixture->path, NULL, NULL), SMALL_WHOLE);
    Recording *recording = open_good(fixture->path);
    delete_it(fixture);
    Status status = {0};
    VerifyResult result;
    assert_good(recording_verify(recording, 0, false, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
}

TEST_WITH(a_file_that_is_lost_before_it_is_read_is_told_by_name, Fixture *fixture)
{
    static const struct {
        void (*happen)(const Fixture *fixture);
        const char *opened, *glanced;
    } before[] = {
        {delete_it, "No such file or directory", "No such file or directory"},
        {cut_it, "is empty, not a recording", "is empty, not a recording"},
        {replace_it, "is not a recording", "is not a recording"},
        {put_a_folder, "is a folder, not a recording", "a folder, not a file"},
    };
    for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) {
        clear(fixture);
        assert_int_equal(small_record(&fixture->small, fixture->path, NULL, NULL), SMALL_WHOLE);
        before[k].happen(fixture);
        Status status = {0};
        RecordingGlance glance;
        assert_null(recording_open(fixture->path, &status));
        assert_non_null(strstr(status.text, before[k].opened));
        assert_false(recording_glance(fixture->path, &glance, &status));
        assert_non_null(strstr(status.text, before[k].glanced));
    }
}

TEST_GROUP(set_up, tear_down)
