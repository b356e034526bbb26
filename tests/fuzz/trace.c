/// Bytes in place of a recording's samples (first byte even) or of its last map of the ground. Reading them may refuse,
/// with a reason; what is taken is reported, summed up and raced against without a crash, whatever its numbers.
#include <sqlite3.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/report/report_pages.h"

enum { GOOD_TICKS = 90 };

static char recorded[96], page[96];

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

void fuzz_trace(const uint8_t *data, size_t size)
{
    if (recorded[0] == '\0') {
        fuzz_path("page.html", page);
        fuzz_record(fuzz_path("good.spade", recorded), GOOD_TICKS);
    }
    if (size == 0) {
        return;
    }
    put(data[0] % 2 == 0, data + 1, size - 1);
    Status status = {STATUS_GOOD, ""};
    ReportRequest request = {.recording = recorded, .html = page};
    require(report_write(&request, &status) || status.text[0] != '\0');
}
