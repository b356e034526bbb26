/// A recording keeps the file of its design surface, text or picture, byte for byte, and is judged by it alone.
#include "data/schema/load.h"
#include "tests/support/recording_fixture.h"
#include "trainer/sim/exercise.h"

static double share_to_do(const Session *session)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    return values[METRIC_SURFACE_CUT];
}

/// Records a second of a scene that nobody drives, and takes it up again without the data folder.
static void check_kept(const char *scene, const char *kind, const char *name, const char *file, const char *type)
{
    char folder[64], path[512], sql[256];
    Status status;
    make_folder(folder);
    path_in(folder, "a.spade", path);
    SessionParams params = {.scene = scene, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    RecorderParams recorder_params = {.path = path, .operator_name = "script"};
    Recorder *recorder = recorder_create(&recorder_params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < 60; tick++) {
        const OperatorControls idle = control_neutral;
        session_tick(session, &idle);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    double to_do = share_to_do(session);
    assert_true(to_do > 1.0);
    session_destroy(session);

    snprintf(sql, sizeof sql, "SELECT count(*) FROM file WHERE kind = '%s' AND typeof(text) = '%s'", kind, type);
    assert_int_equal(sql_number(path, sql), 1);
    assert_int_equal(setenv("SPADEWORK_DATA", "/nonexistent", 1), 0);
    Recording *recording = open_good(path);
    const DataFile *kept = data_files_find(recording_files(recording), kind, name);
    assert_non_null(kept);
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    char *bytes = malloc(kept->size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, kept->size + 1, stream), kept->size);
    assert_memory_equal(bytes, kept->text, kept->size);
    fclose(stream);
    free(bytes);
    Session *again = recording_create_session(recording, 1, &status);
    assert_good(again != NULL, status);
    assert_good(recording_seek(recording, again, 60, &status), status);
    assert_near(share_to_do(again), to_do, 1e-12);
    session_destroy(again);
    recording_close(recording);
    assert_int_equal(unsetenv("SPADEWORK_DATA"), 0);
    remove_folder(folder);
}

TEST(a_survey_is_kept_as_text)
{
    check_kept(SPADEWORK_TEST_DIR "/support/house-pad.yaml", "surfaces", "house-pad",
               SPADEWORK_DATA_DIR "/surfaces/house-pad.xml", "text");
}

TEST(a_height_map_is_kept_as_bytes)
{
    check_kept(SPADEWORK_TEST_DIR "/support/swale.yaml", "heights", "swale", SPADEWORK_DATA_DIR "/heights/swale.png",
               "blob");
}

TEST_GROUP(NULL, NULL)
