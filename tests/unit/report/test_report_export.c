/// Export: what a PLY file holds, read by a reader of its own, and what is refused.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/report/export.h"

enum { TICKS = 7, MOST = 4000 };

typedef struct Vertex {
    float value[7]; ///< x, y, z, radius, vx, vy, vz
    int soil;
    int32_t id;
} Vertex;

typedef struct Cloud {
    int count;
    char comment[128]; ///< the first
    Vertex *vertices;
} Cloud;

static uint32_t read_word(FILE *file)
{
    uint32_t word = 0;
    for (int k = 0; k < 4; k++) {
        int byte = fgetc(file);
        assert_true(byte != EOF);
        word |= (uint32_t)byte << (8 * k);
    }
    return word;
}

static void expect_line(FILE *file, const char *expected)
{
    char line[256];
    assert_non_null(fgets(line, sizeof line, file));
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(line, expected);
}

static Cloud read_cloud(const char *path)
{
    static const char *const properties[] = {"float x",  "float y",  "float z",    "float radius", "float vx",
                                             "float vy", "float vz", "uchar soil", "int id"};
    Cloud cloud = {0};
    char line[256];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
    }
    expect_line(file, "ply");
    expect_line(file, "format binary_little_endian 1.0");
    assert_non_null(fgets(cloud.comment, sizeof cloud.comment, file));
    do {
        assert_non_null(fgets(line, sizeof line, file));
    } while (strncmp(line, "comment ", 8) == 0);
    assert_int_equal(sscanf(line, "element vertex %d", &cloud.count), 1);
    for (int k = 0; k < 9; k++) {
        snprintf(line, sizeof line, "property %s", properties[k]);
        expect_line(file, line);
    }
    expect_line(file, "end_header");
    cloud.vertices = calloc((size_t)cloud.count + 1, sizeof *cloud.vertices);
    assert_non_null(cloud.vertices);
    for (int i = 0; i < cloud.count; i++) {
        Vertex *vertex = &cloud.vertices[i];
        for (int k = 0; k < 7; k++) {
            uint32_t word = read_word(file);
            memcpy(&vertex->value[k], &word, sizeof word);
        }
        vertex->soil = fgetc(file);
        vertex->id = (int32_t)read_word(file);
    }
    assert_true(fgetc(file) == EOF); // nothing behind the last
    fclose(file);
    return cloud;
}

/// The cloud holds exactly the session's particles, in order of id.
static void assert_is_session(const Cloud *cloud, Session *session)
{
    SoilParticleView p = soil_get_particles(session_soil(session));
    assert_int_equal(cloud->count, p.count);
    for (int i = 1; i < cloud->count; i++) {
        assert_true(cloud->vertices[i - 1].id < cloud->vertices[i].id);
    }
    for (int i = 0; i < p.count; i++) {
        int at = 0;
        while (at < cloud->count && cloud->vertices[at].id != (int32_t)p.id[i]) {
            at++;
        }
        assert_true(at < cloud->count);
        const Vertex *vertex = &cloud->vertices[at];
        const float expected[7] = {(float)p.x[i],  (float)p.y[i],  (float)p.z[i], p.radius[i],
                                   (float)p.vx[i], (float)p.vy[i], (float)p.vz[i]};
        assert_memory_equal(vertex->value, expected, sizeof expected);
        assert_int_equal(vertex->soil, p.soil[i]);
    }
}

static Session *make_grains(void)
{
    static const char *const set[] = {"grains.0.box.0=0.5", "grains.0.box.1=0.5", "grains.0.box.2=0.5",
                                      "grains.1.scale=0.5"};
    Status status;
    SessionParams params = {.scene = "dam-break", .set = set, .set_count = 4, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static void record_grains(const char *path)
{
    Status status;
    Session *session = make_grains();
    RecorderParams params = {.path = path, .operator_name = "nobody"};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < TICKS; tick++) {
        session_tick(session, &control_neutral);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
}

TEST(frames_hold_the_recorded_particles)
{
    char folder[64], recording[512], out[512], frame[600], csv[512];
    make_folder(folder);
    record_grains(path_in(folder, "r.spade", recording));
    ExportParams params = {.recording = recording,
                           .ply = path_in(folder, "out", out),
                           .csv = path_in(folder, "t.csv", csv),
                           .every = 3,
                           .threads = 2};
    ExportSummary summary;
    Status status;
    assert_good(export_recording(&params, &summary, &status), status);
    assert_int_equal(summary.frames, 3); // ticks 0, 3, 6
    assert_int_equal(summary.last_tick, TICKS);
    assert_int_equal(summary.rows, TICKS);
    Session *session = make_grains();
    for (int tick = 0; tick < TICKS; tick++) {
        if (tick % 3 == 0) {
            snprintf(frame, sizeof frame, "%s/frame_%06d.ply", out, tick / 3);
            Cloud cloud = read_cloud(frame);
            char comment[64];
            snprintf(comment, sizeof comment, "scene dam-break, tick %d, time", tick);
            assert_non_null(strstr(cloud.comment, comment));
            assert_true(cloud.count > 50);
            assert_is_session(&cloud, session);
            free(cloud.vertices);
        }
        session_tick(session, &control_neutral);
    }
    session_destroy(session);
    snprintf(frame, sizeof frame, "%s/frame_000003.ply", out);
    assert_int_equal(access(frame, F_OK), -1);
    remove_folder(folder);
}

static void assert_export_fails(const ExportParams *params, StatusCode code, const char *says)
{
    ExportSummary summary;
    Status status;
    if (export_recording(params, &summary, &status)) {
        fail_msg("it goes well, although: %s", says);
    }
    assert_int_equal(status.code, code);
    if (strstr(status.text, says) == NULL) {
        fail_msg("'%s' is not in '%s'", says, status.text);
    }
}

TEST(what_cannot_be_exported_is_told)
{
    char folder[64], recording[512], out[512], frame[600];
    make_folder(folder);
    ExportParams params = {.recording = path_in(folder, "r.spade", recording),
                           .ply = path_in(folder, "out", out),
                           .every = 1,
                           .threads = 1};
    assert_export_fails(&params, STATUS_BAD_FILE, "r.spade");
    assert_int_equal(access(out, F_OK), -1); // nothing is made for a bad recording
    record_grains(recording);
    assert_int_equal(mkdir(out, 0777), 0);
    snprintf(frame, sizeof frame, "%s/mine.txt", out);
    FILE *mine = fopen(frame, "w");
    assert_non_null(mine);
    fclose(mine);
    assert_export_fails(&params, STATUS_LACKING, "is not empty");
    params.ply = frame;
    assert_export_fails(&params, STATUS_LACKING, "mine.txt: cannot be used as a folder");
    unlink(frame);
    params.ply = path_in(folder, "no/such/out", frame);
    assert_export_fails(&params, STATUS_LACKING, "no/such/out: cannot be used as a folder");
    params.ply = out; // empty now: it is taken
    ExportSummary summary;
    Status status;
    assert_good(export_recording(&params, &summary, &status), status);
    assert_int_equal(summary.frames, TICKS + 1);
    remove_folder(folder);
}

TEST(a_replay_that_differs_is_no_export)
{
    char folder[64], recording[512], out[512];
    make_folder(folder);
    record_grains(path_in(folder, "r.spade", recording));
    sql_number(recording, "UPDATE state SET hash = hash + 1 WHERE tick = 4");
    ExportParams params = {.recording = recording, .ply = path_in(folder, "out", out), .every = 1, .threads = 1};
    ExportSummary summary;
    Status status;
    assert_false(export_recording(&params, &summary, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_non_null(strstr(status.text, "rows were changed in table state"));
    assert_true(access(out, F_OK) != 0); // nothing is written of what was changed
    assert_true(reseal(recording));
    assert_false(export_recording(&params, &summary, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_non_null(strstr(status.text, "at tick 4"));
    assert_int_equal(summary.frames, 4);
    remove_folder(folder);
}

TEST(a_frame_is_whole_or_absent)
{
    static double place[MOST];
    static float radius[MOST];
    static uint8_t soil[MOST];
    static uint32_t id[MOST];
    static SceneParams scene = {.name = "test"};
    for (int k = 0; k < MOST; k++) {
        id[k] = (uint32_t)((k * 7919) % MOST); // no order
    }
    SoilParticleView view = {.count = MOST,
                             .x = place,
                             .y = place,
                             .z = place,
                             .radius = radius,
                             .soil = soil,
                             .id = id,
                             .vx = place,
                             .vy = place,
                             .vz = place};
    char folder[64], path[512];
    make_folder(folder);
    path_in(folder, "a.ply", path);
    PlyWriter writer = {0};
    PlyMoment moment = {&scene, 5, 0.5};
    Status status;
    assert_good(ply_write(&writer, path, &view, &moment, &status), status);
    Cloud cloud = read_cloud(path);
    assert_int_equal(cloud.count, MOST);
    for (int k = 0; k < MOST; k++) {
        assert_int_equal(cloud.vertices[k].id, k);
    }
    free(cloud.vertices);
    assert_false(ply_write(&writer, path, &view, &moment, &status)); // never over another file
    unlink(path);
    view.count = 0;
    assert_good(ply_write(&writer, path, &view, &moment, &status), status);
    cloud = read_cloud(path);
    assert_int_equal(cloud.count, 0);
    free(cloud.vertices);
    unlink(path);
    // A disk that is full in the middle of it.
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    view.count = MOST;
    bool written = ply_write(&writer, path, &view, &moment, &status);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "a.ply: cannot be written: "));
    assert_int_equal(access(path, F_OK), -1);
    ply_free(&writer);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
