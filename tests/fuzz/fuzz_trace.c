/// libFuzzer: bytes in place of a recording's samples (first byte even) or of its last map of the ground. Reading them
/// may refuse, with a reason; what is taken is reported, summed up and raced against without a crash, whatever its
/// numbers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "trainer/recording/recording.h"
#include "trainer/report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GOOD_TICKS = 90 };

static char folder[48], recorded[96], page[96];

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/// A recording of a second and a half, made once.
static void make_good(void)
{
    Status status = {0};
    snprintf(folder, sizeof folder, "/dev/shm/spadework-fuzz-XXXXXX");
    require(mkdtemp(folder) != NULL);
    snprintf(recorded, sizeof recorded, "%s/good.spade", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    Session *session = session_create(&(SessionParams){.scene = "truck-loading", .threads = 1}, &status);
    Recorder *recorder =
        session != NULL ? recorder_create(&(RecorderParams){.path = recorded}, session, &status) : NULL;
    OperatorControls neutral = {{0}};
    for (int tick = 0; recorder != NULL && tick < GOOD_TICKS; tick++) {
        session_tick(session, &neutral);
        recorder_tick(recorder, session, &status);
    }
    require(recorder != NULL && recorder_close(recorder, session, &status));
    session_destroy(session);
}

/// Puts the bytes into the file, where the row's own were.
static void put(bool samples, const uint8_t *data, size_t size)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    require(sqlite3_open(recorded, &db) == SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL);
    require(sqlite3_prepare_v2(db,
                               samples ? "UPDATE trace SET samples = ? WHERE tick = (SELECT min(tick) FROM trace)"
                                       : "UPDATE ground SET zstd = ? WHERE tick = (SELECT max(tick) FROM ground)",
                               -1, &row, NULL) == SQLITE_OK);
    sqlite3_bind_blob(row, 1, data, (int)size, SQLITE_STATIC);
    require(sqlite3_step(row) == SQLITE_DONE);
    sqlite3_finalize(row);
    if (samples) {
        require(sqlite3_exec(db, "DELETE FROM trace WHERE tick > (SELECT min(tick) FROM trace)", NULL, NULL, NULL) ==
                SQLITE_OK);
    }
    sqlite3_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (folder[0] == '\0') {
        make_good();
    }
    if (size == 0) {
        return 0;
    }
    put(data[0] % 2 == 0, data + 1, size - 1);
    Status status = {STATUS_GOOD, ""};
    ReportRequest request = {.recording = recorded, .html = page};
    require(report_write(&request, &status) || status.text[0] != '\0');
    return 0;
}
