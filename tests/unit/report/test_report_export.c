/// Export: what a PLY file holds, read by a reader of its own, and what is refused.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/report/export.h"

enum { TICKS = 7, MOST = 4000 };

enum { FLOATS_BEHIND = 7 };

typedef struct Vertex {
    float place[3]; ///< x, y, z
    uint8_t color[3];
    float value[FLOATS_BEHIND]; ///< radius, quality, and scalar_: radius, speed, vx, vy, vz
    int soil;
    int32_t id;
} Vertex;

typedef struct Cloud {
    int count;
    char comment[128]; ///< the first
    Vertex *vertices;
    int face_count;
    uint32_t (*faces)[3];
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

static void read_floats(FILE *file, float *values, int count)
{
    for (int k = 0; k < count; k++) {
        uint32_t word = read_word(file);
        memcpy(&values[k], &word, sizeof word);
    }
}

static void read_faces(FILE *file, Cloud *cloud)
{
    cloud->faces = calloc((size_t)cloud->face_count + 1, sizeof *cloud->faces);
    assert_non_null(cloud->faces);
    for (int i = 0; i < cloud->face_count; i++) {
        assert_int_equal(fgetc(file), 3);
        for (int k = 0; k < 3; k++) {
            cloud->faces[i][k] = read_word(file);
        }
    }
}

static void free_cloud(Cloud *cloud)
{
    free(cloud->vertices);
    free(cloud->faces);
}

static Cloud read_cloud(const char *path)
{
    static const char *const properties[] = {
        "float x",         "float y",         "float z",         "uchar red",           "uchar green",
        "uchar blue",      "float radius",    "float quality",   "float scalar_radius", "float scalar_speed",
        "float scalar_vx", "float scalar_vy", "float scalar_vz", "uchar scalar_soil",   "int scalar_id"};
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
    for (size_t k = 0; k < sizeof properties / sizeof properties[0]; k++) {
        snprintf(line, sizeof line, "property %s", properties[k]);
        expect_line(file, line);
    }
    assert_non_null(fgets(line, sizeof line, file));
    if (sscanf(line, "element face %d", &cloud.face_count) == 1) {
        expect_line(file, "property list uchar int vertex_indices");
        assert_non_null(fgets(line, sizeof line, file));
    }
    assert_string_equal(line, "end_header\n");
    cloud.vertices = calloc((size_t)cloud.count + 1, sizeof *cloud.vertices);
    assert_non_null(cloud.vertices);
    for (int i = 0; i < cloud.count; i++) {
        Vertex *vertex = &cloud.vertices[i];
        read_floats(file, vertex->place, 3);
        for (int k = 0; k < 3; k++) {
            vertex->color[k] = (uint8_t)fgetc(file);
        }
        read_floats(file, vertex->value, FLOATS_BEHIND);
        vertex->soil = fgetc(file);
        vertex->id = (int32_t)read_word(file);
    }
    read_faces(file, &cloud);
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
        const float place[3] = {(float)p.x[i], (float)p.y[i], (float)p.z[i]};
        float speed = (float)sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
        const float value[FLOATS_BEHIND] = {p.radius[i],    speed,          p.radius[i],   speed,
                                            (float)p.vx[i], (float)p.vy[i], (float)p.vz[i]};
        assert_memory_equal(vertex->place, place, sizeof place);
        assert_memory_equal(vertex->value, value, sizeof value);
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
            free_cloud(&cloud);
        }
        session_tick(session, &control_neutral);
    }
    session_destroy(session);
    snprintf(frame, sizeof frame, "%s/frame_000003.ply", out);
    assert_int_equal(access(frame, F_OK), -1);
    remove_folder(folder);
}

/// Frames keep their number in time: the first of a drive whose particles come late is not frame 0.
TEST(a_moment_without_particles_has_no_frame)
{
    enum { EVERY = 60, FRAMES = 4 };
    char folder[64], recording[512], out[512], frame[600];
    make_folder(folder);
    record(path_in(folder, "r.spade", recording), 1, EVERY * (FRAMES - 1), NULL);
    ExportParams params = {.recording = recording, .ply = path_in(folder, "out", out), .every = EVERY, .threads = 1};
    ExportSummary summary;
    Status status;
    assert_good(export_recording(&params, &summary, &status), status);
    assert_true(summary.empty_frames > 0 && summary.frames > 0); // the bucket comes down first
    assert_int_equal(summary.empty_frames + summary.frames, FRAMES);
    for (int k = 0; k < FRAMES; k++) {
        snprintf(frame, sizeof frame, "%s/frame_%06d.ply", out, k);
        assert_int_equal(access(frame, F_OK), k < summary.empty_frames ? -1 : 0);
    }
    Cloud cloud = read_cloud(frame);
    char comment[32];
    snprintf(comment, sizeof comment, "tick %d,", EVERY * (FRAMES - 1));
    assert_non_null(strstr(cloud.comment, comment));
    assert_true(cloud.count > 0);
    free_cloud(&cloud);
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
    free_cloud(&cloud);
    assert_false(ply_write(&writer, path, &view, &moment, &status)); // never over another file
    unlink(path);
    view.count = 0;
    assert_good(ply_write(&writer, path, &view, &moment, &status), status);
    cloud = read_cloud(path);
    assert_int_equal(cloud.count, 0);
    free_cloud(&cloud);
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

/// Three grains: at rest, at half the scale of speeds, beyond its end.
static const double grain_x[] = {1.0, 2.0, 3.0}, grain_zero[] = {0.0, 0.0, 0.0}, grain_speed[] = {0.0, -1.5, 90.0};
static const float grain_radius[] = {0.5f, 0.25f, 0.125f};
static const uint8_t grain_soil[] = {1, 0, 1};
static const uint32_t grain_id[] = {10, 11, 12};

static Cloud write_three(PlyStyle style)
{
    static SceneParams scene = {.name = "test",
                                .soil_count = 2,
                                .soils = {{.name = "black", .color_fresh = {0.0f, 0.0f, 0.0f}},
                                          {.name = "grey", .color_fresh = {0.5f, 0.5f, 0.5f}}}};
    SoilParticleView view = {.count = 3,
                             .x = grain_x,
                             .y = grain_zero,
                             .z = grain_zero,
                             .radius = grain_radius,
                             .soil = grain_soil,
                             .id = grain_id,
                             .vx = grain_zero,
                             .vy = grain_zero,
                             .vz = grain_speed};
    char folder[64], path[512];
    make_folder(folder);
    PlyWriter writer = {.style = style};
    PlyMoment moment = {&scene, 5, 0.5};
    Status status;
    assert_good(ply_write(&writer, path_in(folder, "a.ply", path), &view, &moment, &status), status);
    ply_free(&writer);
    Cloud cloud = read_cloud(path);
    remove_folder(folder);
    return cloud;
}

static void assert_color(const Vertex *vertex, int red, int green, int blue)
{
    assert_int_equal(vertex->color[0], red);
    assert_int_equal(vertex->color[1], green);
    assert_int_equal(vertex->color[2], blue);
}

TEST(colors_show_the_soil_or_the_speed)
{
    Cloud cloud = write_three((PlyStyle){.color = PLY_COLOR_SOIL});
    assert_color(&cloud.vertices[0], 188, 188, 188); // half the light in sRGB, IEC 61966-2-1
    assert_color(&cloud.vertices[1], 0, 0, 0);
    free_cloud(&cloud);
    cloud = write_three((PlyStyle){.color = PLY_COLOR_SPEED});
    assert_color(&cloud.vertices[0], 68, 1, 84); // ends and middle of viridis
    assert_color(&cloud.vertices[1], 33, 145, 140);
    assert_color(&cloud.vertices[2], 253, 231, 37);
    free_cloud(&cloud);
}

/// A closed body: each edge is in two faces, once in each direction; its volume is that of an octahedron, and positive,
/// so that faces turn left seen from outside.
TEST(solid_grains_are_closed_bodies_of_their_radius)
{
    Cloud cloud = write_three((PlyStyle){.solid = true});
    assert_int_equal(cloud.count, 3 * 6);
    assert_int_equal(cloud.face_count, 3 * 8);
    for (int grain = 0; grain < 3; grain++) {
        int edges[6][6] = {{0}};
        double volume = 0.0;
        for (int face = grain * 8; face < (grain + 1) * 8; face++) {
            double corner[3][3];
            for (int k = 0; k < 3; k++) {
                int from = (int)cloud.faces[face][k] - grain * 6, to = (int)cloud.faces[face][(k + 1) % 3] - grain * 6;
                assert_true(from >= 0 && from < 6 && to >= 0 && to < 6);
                edges[from][to]++;
                for (int axis = 0; axis < 3; axis++) {
                    corner[k][axis] =
                        (double)cloud.vertices[cloud.faces[face][k]].place[axis] - (axis == 0 ? grain_x[grain] : 0.0);
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                int next = (axis + 1) % 3, last = (axis + 2) % 3;
                volume +=
                    corner[0][axis] * (corner[1][next] * corner[2][last] - corner[1][last] * corner[2][next]) / 6.0;
            }
        }
        for (int from = 0; from < 6; from++) {
            for (int to = 0; to < 6; to++) {
                assert_true(edges[from][to] <= 1 && edges[from][to] == edges[to][from]);
            }
            assert_int_equal(cloud.vertices[grain * 6 + from].id, grain_id[grain]);
        }
        assert_near(volume, 4.0 / 3.0 * pow((double)grain_radius[grain], 3.0), 1e-6);
    }
    free_cloud(&cloud);
}

TEST_GROUP(NULL, NULL)
