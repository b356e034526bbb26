/// Recordings from strangers: bytes over a good file, values in its tables, journals beside it. Opening, reading and
/// restoring may refuse, with a reason, but never crash or change the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/record/record.h"

enum { GOOD_TICKS = 3, EVENTS = 8, METRICS = 8 };

/// The good recording's bytes and a session that fits it, made once.
typedef struct Good {
    unsigned char *bytes;
    size_t size;
    char path[96], journal[112];
    Session *session;
} Good;

static const Good *good_one(void)
{
    static Good good;
    if (good.bytes == NULL) {
        fuzz_path("changed.spade", good.path);
        snprintf(good.journal, sizeof good.journal, "%s-journal", good.path);
        fuzz_record(good.path, GOOD_TICKS);
        good.bytes = fuzz_read(good.path, &good.size);
        good.session = fuzz_session();
    }
    return &good;
}

/// Opens and reads all that a recording gives, and checks that neither did anything to the file.
static void read_all(const Good *good)
{
    Status status = {STATUS_GOOD, ""};
    struct stat before, after;
    require(stat(good->path, &before) == 0);
    Recording *recording = recording_open(good->path, &status);
    require(recording != NULL || status.text[0] != '\0');
    if (recording != NULL) {
        ExerciseEvent events[EVENTS];
        ExerciseMetric metrics[METRICS];
        TraceSample *samples = NULL;
        TraceGround ground = {0};
        recording_events(recording, events, EVENTS);
        recording_metrics(recording, metrics, METRICS);
        require(recording_trace(recording, &samples, &status) >= 0 || status.text[0] != '\0');
        free(samples);
        if (recording_ground(recording, recording_ticks(recording), &ground, &status)) {
            free(ground.height);
        }
        recording_seek(recording, good->session, recording_first_tick(recording), &status);
        recording_close(recording);
    }
    require(stat(good->path, &after) == 0 && before.st_size == after.st_size &&
            before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_mtim.tv_sec == after.st_mtim.tv_sec);
}

/// The first two bytes say where, as a share of the file's length; the others replace what is there.
void fuzz_recording(const uint8_t *data, size_t size)
{
    const Good *good = good_one();
    size_t at = size >= 2 ? (size_t)(data[0] | data[1] << 8) * good->size / 65536 : 0;
    size_t length = size >= 2 ? size - 2 : 0;
    length = length < good->size - at ? length : good->size - at;
    unsigned char *bytes = malloc(good->size);
    require(bytes != NULL);
    memcpy(bytes, good->bytes, good->size);
    if (length > 0) {
        memcpy(bytes + at, data + 2, length);
    }
    fuzz_write(good->path, bytes, good->size);
    free(bytes);
    read_all(good);
}

/// What a value may be put into. The rows of meta are told apart by ?2.
static const char *const places[] = {
    "UPDATE trace SET samples = ?1 WHERE tick = (SELECT min(tick) FROM trace)",
    "UPDATE ground SET zstd = ?1 WHERE tick = (SELECT max(tick) FROM ground)",
    "UPDATE ground SET rows = ?1",
    "UPDATE ground SET spacing = ?1",
    "UPDATE ground SET origin_x = ?1",
    "UPDATE input SET controls = ?1 WHERE tick = 1",
    "UPDATE input SET tick = ?1 WHERE tick = 2",
    "UPDATE state SET hash = ?1 WHERE tick = 1",
    "UPDATE keyframe SET zstd = ?1 WHERE tick = (SELECT min(tick) FROM keyframe)",
    "UPDATE keyframe SET tick = ?1 WHERE tick = (SELECT max(tick) FROM keyframe)",
    "UPDATE meta SET value = ?1 WHERE key = (SELECT key FROM meta ORDER BY key LIMIT 1 OFFSET ?2)",
    "UPDATE file SET name = ?1 WHERE rowid = 1",
    "UPDATE file SET text = ?1 WHERE rowid = (SELECT max(rowid) FROM file)",
    "INSERT INTO picture VALUES(?1)",
};

/// Byte 0: place; byte 1: blob, text, integer or real; byte 2: which of meta; then the value.
void fuzz_rows(const uint8_t *data, size_t size)
{
    const Good *good = good_one();
    if (size < 3) {
        return;
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    uint64_t bits = 0;
    double number;
    memcpy(&bits, data + 3, size - 3 < sizeof bits ? size - 3 : sizeof bits);
    memcpy(&number, &bits, sizeof number);
    fuzz_write(good->path, good->bytes, good->size);
    require(sqlite3_open(good->path, &db) == SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY", NULL, NULL, NULL);
    const char *place = places[data[0] % (sizeof places / sizeof places[0])];
    require(sqlite3_prepare_v2(db, place, -1, &row, NULL) == SQLITE_OK);
    if (data[1] % 4 == 0) {
        sqlite3_bind_blob(row, 1, data + 3, (int)(size - 3), SQLITE_STATIC);
    } else if (data[1] % 4 == 1) {
        sqlite3_bind_text(row, 1, (const char *)data + 3, (int)(size - 3), SQLITE_STATIC);
    } else if (data[1] % 4 == 2) {
        sqlite3_bind_int64(row, 1, (sqlite3_int64)bits);
    } else {
        sqlite3_bind_double(row, 1, number);
    }
    sqlite3_bind_int(row, 2, data[2] % 16);
    sqlite3_step(row); // what SQLite itself does not take stays as it was
    sqlite3_finalize(row);
    sqlite3_close(db);
    read_all(good);
}

/// ---- journals ------------------------------------------------------------------------------------------------------

enum { SECTOR = 512, PAGE = 4096, RECORD = 4 + PAGE + 4, RECORDS_MOST = 8, NONCE = 7 };

static void put_number(unsigned char *bytes, uint32_t number)
{
    for (int k = 0; k < 4; k++) {
        bytes[k] = (unsigned char)(number >> (24 - 8 * k));
    }
}

/// A journal as SQLite writes it, checksums and all, of pages of the good file with six bytes changed in each: byte 0
/// pages at the beginning, then of each record: page, place (2), value (4).
static size_t make_journal(const Good *good, const uint8_t *data, size_t size, unsigned char *journal)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    size_t records = size > 0 ? (size - 1) / 7 : 0, pages = good->size / PAGE;
    records = records < RECORDS_MOST ? records : RECORDS_MOST;
    memset(journal, 0, SECTOR);
    memcpy(journal, magic, sizeof magic);
    put_number(journal + 8, (uint32_t)records);
    put_number(journal + 12, NONCE);
    put_number(journal + 16, size > 0 && data[0] > 0 ? data[0] : (uint32_t)pages);
    put_number(journal + 20, SECTOR);
    put_number(journal + 24, PAGE);
    for (size_t k = 0; k < records; k++) {
        const uint8_t *asked = data + 1 + 7 * k;
        unsigned char *record = journal + SECTOR + k * RECORD, *page = record + 4;
        size_t number = asked[0] % pages, at = (size_t)(asked[1] | asked[2] << 8) % (PAGE - 4);
        put_number(record, (uint32_t)number + 1);
        memcpy(page, good->bytes + number * PAGE, PAGE);
        memcpy(page + at, asked + 3, 4);
        uint32_t sum = NONCE;
        for (int i = PAGE - 200; i > 0; i -= 200) {
            sum += page[i];
        }
        put_number(page + PAGE, sum);
    }
    return SECTOR + records * RECORD;
}

/// Byte 0 odd: the others are the journal; even: one is made of them.
void fuzz_journal(const uint8_t *data, size_t size)
{
    static unsigned char journal[SECTOR + RECORDS_MOST * RECORD];
    const Good *good = good_one();
    if (size == 0) {
        return;
    }
    if (data[0] % 2 != 0) {
        fuzz_write(good->journal, data + 1, size - 1);
    } else {
        fuzz_write(good->journal, journal, make_journal(good, data + 1, size - 1, journal));
    }
    Status status = {STATUS_GOOD, ""};
    struct stat left;
    require(recording_check_journal(good->journal, (int64_t)good->size, good->path, &status) || status.text[0] != '\0');
    read_all(good);
    require(stat(good->journal, &left) == 0);
    unlink(good->journal);
}
