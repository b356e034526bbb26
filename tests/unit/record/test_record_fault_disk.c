/// A disk that fails at any call, or loses its power at any moment, while a recording is written. The recorder says
/// that something was lost, or nothing was; what is on the disk afterwards opens and holds what was committed.
// test: waits
#include <sys/stat.h>

#include "data/core/random.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/small_session.h"

enum { VERIFY_EVERY = 97, SECTOR = 512, IMAGES_AN_OP = 6, FILES_MOST = 64 };

/// Counter-based, so that an image depends on the seed alone.
typedef struct Random {
    uint64_t seed, index;
} Random;

static uint64_t random_next(Random *random)
{
    return random_mix(random->seed + 0x9e3779b97f4a7c15u * ++random->index);
}

typedef struct Fixture {
    char folder[64], path[512], journal[520];
    SmallSession small;
    FaultyDisk disk;
    int calls; ///< that change a file, in a recording without a failure
    int first_commit; ///< number of the delete that commits the recording's beginning, from 1
} Fixture;

static void note_first_commit(void *context)
{
    Fixture *fixture = context;
    fixture->first_commit = fixture->disk.deletes;
}

static int set_up(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    make_folder(fixture->folder);
    path_in(fixture->folder, "faulty.spade", fixture->path);
    snprintf(fixture->journal, sizeof fixture->journal, "%s-journal", fixture->path);
    small_create(&fixture->small);
    disk_insert(&fixture->disk);
    fixture->disk.logs = true;
    disk_begin(&fixture->disk, -1, false, SQLITE_FULL);
    SmallEnd end = small_record(&fixture->small, fixture->path, note_first_commit, fixture);
    assert_int_equal(end, SMALL_WHOLE);
    fixture->calls = fixture->disk.calls;
    fixture->disk.logs = false;
    assert_true(fixture->calls > 30);
    assert_int_equal(fixture->disk.deletes - fixture->first_commit, 3); // after 30, 60 and 75 ticks
    assert_int_equal(small_check(&fixture->small, fixture->path), SMALL_TICKS);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    disk_remove(&fixture->disk);
    small_destroy(&fixture->small);
    remove_folder(fixture->folder);
    free(fixture);
    return 0;
}

static bool is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void clear(const Fixture *fixture)
{
    unlink(fixture->path);
    unlink(fixture->journal);
}

/// ---- a call that fails ---------------------------------------------------------------------------------------------

/// Replays what is there.
static void verify(const Fixture *fixture)
{
    Status status = {0};
    VerifyResult result;
    Recording *recording = open_good(fixture->path);
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
}

static void fail_at(Fixture *fixture, int call, bool for_ever, int code)
{
    clear(fixture);
    disk_begin(&fixture->disk, call, for_ever, code);
    SmallEnd end = small_record(&fixture->small, fixture->path, NULL, NULL);
    int commits = fixture->disk.deletes - fixture->first_commit;
    disk_begin(&fixture->disk, -1, false, code);
    if (end == SMALL_NOT_MADE) {
        assert_false(is_there(fixture->path));
        assert_false(is_there(fixture->journal));
        return;
    }
    int ticks = small_check(&fixture->small, fixture->path);
    if (ticks < small_ticks_of(commits) || (end == SMALL_WHOLE && ticks < SMALL_TICKS)) {
        fail_msg("call %d of %d failed, %d batches were committed: %d ticks are there", call, fixture->calls, commits,
                 ticks);
    }
    if (call % VERIFY_EVERY == 0) {
        verify(fixture);
    }
}

TEST_WITH(a_disk_that_is_full_from_any_call_on_leaves_what_was_committed, Fixture *fixture)
{
    for (int call = 0; call < fixture->calls; call++) {
        fail_at(fixture, call, true, SQLITE_FULL);
    }
    printf("each of %d calls: full from there on\n", fixture->calls);
}

TEST_WITH(a_single_call_that_fails_is_told_or_made_good, Fixture *fixture)
{
    for (int call = 0; call < fixture->calls; call++) {
        fail_at(fixture, call, false, SQLITE_IOERR);
    }
    printf("each of %d calls: an error once\n", fixture->calls);
}

/// ---- power that is lost --------------------------------------------------------------------------------------------

/// What is safe of a file, and what was done since.
typedef struct Safe {
    unsigned char *bytes; ///< [capacity]
    int64_t size, capacity;
    int first_op; ///< since which nothing is safe
} Safe;

/// The disk of a computer on which ops [0, now) were done.
typedef struct Platter {
    const FaultyDisk *disk;
    Safe files[FILES_MOST];
    int now;
    int entry, safe_entry; ///< which file the journal's name means, and meant when the folder was last synced; 0: none
    int deletes;
} Platter;

static void grow(Safe *file, int64_t size)
{
    if (size > file->capacity) {
        unsigned char *bytes = realloc(file->bytes, (size_t)(2 * size));
        if (bytes == NULL) {
            abort();
        }
        file->bytes = bytes;
        memset(file->bytes + file->capacity, 0, (size_t)(2 * size - file->capacity));
        file->capacity = 2 * size;
    }
    file->size = size > file->size ? size : file->size;
}

static void cut(Safe *file, int64_t size)
{
    if (size < file->size) {
        memset(file->bytes + size, 0, (size_t)(file->size - size));
        file->size = size;
    } else {
        grow(file, size);
    }
}

/// Does of a write the sectors that `keep` (bit by bit, then over again) keeps.
static void put(Safe *file, const DiskOp *op, uint64_t keep)
{
    int sector = 0;
    for (int64_t at = op->at; at < op->at + op->size;) {
        int64_t end = (at / SECTOR + 1) * SECTOR;
        end = end < op->at + op->size ? end : op->at + op->size;
        if (keep >> sector % 64 & 1) {
            grow(file, end);
            if (file->bytes != NULL) {
                memcpy(file->bytes + at, op->bytes + (at - op->at), (size_t)(end - at));
            }
        }
        at = end;
        sector++;
    }
}

/// Does one more op.
static void step(Platter *platter)
{
    const DiskOp *ops = platter->disk->ops, *op = &ops[platter->now++];
    Safe *file = &platter->files[op->file];
    assert_true(op->file < FILES_MOST);
    if (op->kind == DISK_SYNC) {
        for (int k = file->first_op; k < platter->now; k++) {
            if (ops[k].file == op->file && ops[k].kind == DISK_WRITE) {
                put(file, &ops[k], UINT64_MAX);
            } else if (ops[k].file == op->file && ops[k].kind == DISK_TRUNCATE) {
                cut(file, ops[k].at);
            }
        }
        file->first_op = platter->now;
        if (op->file != 0) {
            platter->safe_entry = platter->entry; // SQLite syncs the folder with a new journal
        }
    } else if (op->kind == DISK_CREATE) {
        platter->entry = op->file;
    } else if (op->kind == DISK_DELETE) {
        platter->entry = 0;
        platter->deletes++;
    }
}

/// Writes the file as it may be after a loss of power: what is safe, with none, all, some, or torn ones of the writes
/// since.
static void leave_file(const Platter *platter, int number, int image, Random *random, const char *path)
{
    const Safe *safe = &platter->files[number];
    Safe file = {.size = 0};
    grow(&file, safe->size);
    if (file.bytes != NULL && safe->bytes != NULL) {
        memcpy(file.bytes, safe->bytes, (size_t)safe->size);
    }
    for (int k = safe->first_op; k < platter->now; k++) {
        const DiskOp *op = &platter->disk->ops[k];
        uint64_t coin = random_next(random), keep = image == 0   ? 0
                                                    : image == 1 ? UINT64_MAX
                                                    : image == 2 ? 0 - (coin & 1)
                                                                 : coin;
        if (op->file == number && op->kind == DISK_WRITE) {
            put(&file, op, keep);
        } else if (op->file == number && op->kind == DISK_TRUNCATE && (keep & 1) != 0) {
            cut(&file, op->at);
        }
    }
    FILE *out = fopen(path, "wb");
    if (out == NULL || (file.bytes != NULL && fwrite(file.bytes, 1, (size_t)file.size, out) != (size_t)file.size)) {
        abort();
    }
    fclose(out);
    free(file.bytes);
}

/// Loses power now. Returns how many batches are there at least; -1: the recording had not begun.
static int lose_power(const Platter *platter, const Fixture *fixture, int image, Random *random)
{
    clear(fixture);
    leave_file(platter, 0, image, random, fixture->path);
    int entry = random_next(random) % 2 != 0 ? platter->entry : platter->safe_entry;
    if (entry != 0) {
        leave_file(platter, entry, image, random, fixture->journal);
    }
    // A journal whose removal was lost takes its transaction back.
    int commits = platter->deletes - fixture->first_commit;
    return entry != platter->entry ? commits - 1 : commits;
}

static void look(const Fixture *fixture, int now, int image, int commits)
{
    Status status = {0};
    Recording *recording = recording_open(fixture->path, &status);
    if (recording == NULL && commits < 0) {
        assert_true(status.text[0] != '\0'); // there was no recording yet
        return;
    }
    if (recording == NULL) {
        fail_msg("power lost after op %d (image %d), %d batches were committed: %s", now, image, commits, status.text);
    }
    recording_close(recording);
    int ticks = small_check(&fixture->small, fixture->path);
    if (commits >= 0 && ticks < small_ticks_of(commits)) {
        fail_msg("power lost after op %d (image %d), %d batches were committed: %d ticks are there", now, image,
                 commits, ticks);
    }
}

static void lose_power_everywhere(Fixture *fixture, uint64_t seed)
{
    Random random = {.seed = seed};
    Platter platter = {.disk = &fixture->disk};
    int images = 0;
    while (platter.now < fixture->disk.op_count) {
        step(&platter);
        for (int image = 0; image < IMAGES_AN_OP; image++, images++) {
            look(fixture, platter.now, image, lose_power(&platter, fixture, image, &random));
        }
    }
    printf("seed %llu: %d images after %d ops\n", (unsigned long long)seed, images, platter.now);
    for (int k = 0; k < FILES_MOST; k++) {
        free(platter.files[k].bytes);
    }
}

/// With half as careful a synchronisation (PRAGMA synchronous=NORMAL), seed 8 left a file that was damaged.
TEST_WITH(power_that_is_lost_at_any_moment_leaves_what_was_committed, Fixture *fixture)
{
    const char *asked = getenv("SPADEWORK_FAULT_SEED");
    if (asked != NULL) {
        lose_power_everywhere(fixture, strtoull(asked, NULL, 10));
        return;
    }
    lose_power_everywhere(fixture, 1);
    lose_power_everywhere(fixture, 8);
}

TEST_GROUP(set_up, tear_down)
