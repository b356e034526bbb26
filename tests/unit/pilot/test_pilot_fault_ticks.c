/// A drive whose ground gets no memory ends with one line, and its recording with the last whole tick.
// test: sanitized, alone
#include "soil/ground/ground.h"
#include "tests/support/recording_fixture.h"
#include "tests/support/refused_memory.h"
#include "tests/support/silent_host.h"

TEST(a_drive_that_gets_no_memory_ends_with_its_last_tick)
{
    char folder[64], path[512];
    make_folder(folder);
    RunOptions options = {.scene = "trench", .threads = 1, .shot_at = -1.0, .camera = -1, .seconds = 10.0};
    options.operator_name = "auto";
    options.record = path_in(folder, "a.spade", path);
    Drive *drive = calloc(1, sizeof *drive);
    assert_non_null(drive);
    Status status = {0};
    assert_good(drive_create(drive, &(DriveParams){.options = &options}, &status), status);
    memory_only = sizeof(GroundTile);
    memory_refuse(3, MEMORY_NEVER); // three tiles are reached at the start, by the tracks' pressure
    memory_counts = true;
    bool good = drive_run(drive, &silent_host, &status);
    memory_counts = false;
    assert_false(good);
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "out of memory for the soil after "));
    int64_t ticks = session_frame(drive->session)->tick;
    assert_true(ticks > 60 && ticks < 600);
    assert_true(session_has_failed(drive->session));
    assert_false(drive_close(drive, good, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    drive_destroy(drive);
    free(drive);
    Recording *recording = open_good(path);
    assert_int_equal(recording_ticks(recording), ticks);
    VerifyResult result;
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
