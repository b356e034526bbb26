/// The shipped files, units, texts that were kept, names that lead nowhere, things on disk that are no data files.
// test: sanitized

#include <sys/stat.h>
#include <unistd.h>

#include "data/schema/machine_params.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

TEST(every_shipped_file_is_good)
{
    static const char *const kinds[] = {"scenes", "machines", "soils", "controls"};
    static const int least[] = {3, 1, 6, 2};
    for (int k = 0; k < 4; ++k) {
        static DataListEntry entries[32];
        Status status;
        int count = data_list(kinds[k], entries, 32, &status);
        assert_true(count >= least[k]);
        for (int i = 0; i < count; ++i) {
            char path[DATA_PATH_LENGTH];
            snprintf(path, sizeof path, "%s/%s/%.63s.yaml", SPADEWORK_DATA_DIR, kinds[k], entries[i].name);
            assert_good(data_check_file(path, NULL, NULL, &status), status);
            assert_int_equal(status.code, STATUS_GOOD);
            assert_true(strlen(entries[i].title) > 0);
            assert_true(i == 0 || strcmp(entries[i - 1].name, entries[i].name) < 0);
        }
    }
}

TEST(units_become_si)
{
    Status status;
    SoilParams soil;
    assert_true(data_load_soil("loam", &soil, NULL, &status));
    assert_string_equal(soil.name, "loam");
    assert_close(soil.friction_angle, 30.0 * M_PI / 180.0, 1e-12);
    assert_close(soil.cohesion, 5000.0, 1e-9);
    assert_close(soil.steel_adhesion, 1000.0, 1e-9);
    assert_true(soil.color_fresh[0] > 0.0F && soil.color_fresh[0] < 1.0F);

    static MachineParams machine;
    assert_true(data_load_machine("excavator-22t", &machine, NULL, &status));
    assert_string_equal(machine.name, "excavator-22t");
    assert_close(machine.joint[EXCAVATOR_JOINT_BOOM].cylinder.bore, 0.120, 1e-12);
    assert_close(machine.joint[EXCAVATOR_JOINT_BOOM].cylinder.relief, 38e6, 1e-3);
    assert_close(machine.hydraulics.pump_flow, 214.5e-3 / 60.0, 1e-12);
    assert_close(machine.tracks.max_speed, 5.7 / 3.6, 1e-12);
    assert_close(machine.swing.max_speed, 11.3 * 2.0 * M_PI / 60.0, 1e-12);
    assert_close(machine.swing.torque, 74e3, 1e-6);
    assert_close(machine.engine.power, 121e3, 1e-6);
    assert_close(machine.engine.fuel_rate * 3.6e6 * 1e3, 210.0, 1e-9);
    double mass = 0.0;
    for (int i = 0; i < MACHINE_MAX_BODIES; ++i) {
        mass += machine.body[i].mass;
    }
    assert_close(mass, 22000.0, 500.0);
    assert_true(machine.tool[0].shape.piece_count >= 5 && machine.tool[0].shape.inside_count >= 4);
}

TEST(a_scene_brings_its_soils_and_machine)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status;
    assert_true(data_load_scene("free", NULL, 0, &scene, &machine, NULL, &status));
    assert_string_equal(scene.name, "free");
    assert_string_equal(machine.name, "excavator-22t");
    assert_int_equal(scene.exercise.kind, EXERCISE_FREE);
    assert_int_equal(scene.soil_count, 6);
    for (int i = 0; i < scene.ground.layer_count; ++i) {
        assert_string_equal(scene.soils[scene.ground.layers[i].soil_index].name, scene.ground.layers[i].soil);
    }
    for (int i = 0; i < scene.ground.mound_count; ++i) {
        assert_string_equal(scene.soils[scene.ground.mounds[i].soil_index].name, scene.ground.mounds[i].soil);
    }
    // Keys that the file leaves out have the header's defaults.
    assert_int_equal(scene.rates.tick_rate, 60);
    assert_int_equal(scene.rates.substeps, 8);
    assert_int_equal(scene.particles.budget, 20000);
    assert_int_equal(scene.particles.most_awake, 6000);
    assert_int_equal(scene.particles.per_column_side, 1);
    assert_int_equal(scene.particles.iterations, 2);
}

TEST(kept_texts_give_the_same_scene)
{
    static SceneParams scene, again;
    static MachineParams machine, machine_again;
    Status status;
    DataFiles files = {0};
    static const char *const set[] = {"ground.size_x=44", "particles.budget=5000"};
    memset(&scene, 0, sizeof scene);
    memset(&again, 0, sizeof again);
    assert_true(data_load_scene("trench", set, 2, &scene, &machine, &files, &status));
    assert_int_equal(files.count, 4); // scene, topsoil, loam, machine
    // The texts alone are enough: the data folder may be gone.
    assert_int_equal(setenv("SPADEWORK_DATA", "/nonexistent", 1), 0);
    bool good = data_load_scene_from_files(&files, &again, &machine_again, &status);
    unsetenv("SPADEWORK_DATA");
    assert_good(good, status);
    assert_close(again.ground.size_x, 44.0, 0.0);
    assert_int_equal(again.particles.budget, 5000);
    assert_memory_equal(&scene, &again, sizeof scene);
    assert_memory_equal(&machine, &machine_again, sizeof machine);
    files.files[0].kind[0] = 'x'; // the first soil is lost
    assert_false(data_load_scene_from_files(&files, &again, &machine_again, &status));
    assert_contains(status.text, "hold no soils/topsoil.yaml");
    data_files_free(&files);
    assert_int_equal(files.count, 0);
    assert_false(data_load_scene_from_files(&files, &again, &machine_again, &status));
}

TEST(unknown_names_list_those_there_are)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status;
    assert_false(data_load_scene("trnch", NULL, 0, &scene, &machine, NULL, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, "no scene named trnch");
    assert_contains(status.text, " boulders, break-boulders, ");
    assert_contains(status.text, "trench, trench-box");
    SoilParams soil;
    assert_false(data_load_soil("lam", &soil, NULL, &status));
    assert_contains(status.text, "clay, fissured-loam, gravel, hard-clay, loam, sand, topsoil, wet-clay");
    assert_false(data_load_soil("lo am", &soil, NULL, &status));
    assert_contains(status.text, "not a soil name");
    assert_false(data_load_soil("", &soil, NULL, &status));
    assert_false(data_load_soil(".yaml", &soil, NULL, &status));
    assert_false(data_load_soil("a-name-that-is-longer-than-a-soil-name-can-be", &soil, NULL, &status));
    assert_contains(status.text, "at most 31");
    DataListEntry entry;
    assert_int_equal(data_list("soil", &entry, 1, &status), -1);
    assert_contains(status.text, "allowed scenes, machines, soils, controls");
}

/// Writes a file below a fresh folder and returns its path in `path`.
static void write_file(char path[DATA_PATH_LENGTH], const char *folder, const char *name, const void *data, size_t size)
{
    snprintf(path, DATA_PATH_LENGTH, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

TEST(things_that_are_no_data_files)
{
    char folder[] = "/tmp/spadework-test-XXXXXX", path[DATA_PATH_LENGTH];
    assert_non_null(mkdtemp(folder));
    Status status;
    assert_false(data_check_file(folder, NULL, NULL, &status));
    assert_contains(status.text, "a folder, not a file");
    snprintf(path, sizeof path, "%s/none.yaml", folder);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "No such file");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(data_check_file(path, NULL, NULL, &status)); // must not wait for a writer
    assert_contains(status.text, "not a file");
    unlink(path);

    write_file(path, folder, "empty.yaml", "", 0);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "empty.yaml: the file is empty");
    unlink(path);
    write_file(path, folder, "binary.yaml", "kind: s\0il", 10);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "binary.yaml:1:8: read a NUL byte (0x00), allowed text (UTF-8)");
    write_file(path, folder, "binary.yaml", "kind: \xff\xfe\xfa", 9);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "binary.yaml:1:7: read the byte 0xFF, which is no character, allowed text (UTF-8)");
    write_file(path, folder, "binary.yaml", "kind: \x01", 7);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "binary.yaml:1:7: read the byte 0x01: control characters are not allowed");
    unlink(path);
    char *large = malloc((1U << 20) + 10U);
    assert_non_null(large);
    memset(large, '#', (1U << 20) + 10U);
    write_file(path, folder, "large.yaml", large, (1U << 20) + 10U);
    free(large);
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "larger than 1 MiB");
    unlink(path);
    if (geteuid() != 0) {
        write_file(path, folder, "secret.yaml", "kind: soil\n", 11);
        chmod(path, 0);
        assert_false(data_check_file(path, NULL, NULL, &status));
        assert_contains(status.text, "Permission denied");
        unlink(path);
    }
    rmdir(folder);
}

TEST(a_scene_finds_files_beside_it)
{
    char folder[] = "/tmp/spadework-test-XXXXXX", soil_path[DATA_PATH_LENGTH], scene_path[DATA_PATH_LENGTH];
    assert_non_null(mkdtemp(folder));
    Status status;
    SoilParams soil;
    DataFiles files = {0};
    assert_true(data_load_soil("sand", &soil, &files, &status));
    // A byte order mark and Windows line ends are harmless.
    char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "\xEF\xBB\xBF");
    for (const char *c = files.files[0].text; *c; ++c) {
        if (*c == '\n') {
            text[at++] = '\r';
        }
        text[at++] = *c;
    }
    write_file(soil_path, folder, "my-sand.yaml", text, at);
    data_files_free(&files);

    static const char scene_text[] = "kind: scene\ntitle: t\ndescription: d\nseed: 3\n"
                                     "machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 90}\n"
                                     "ground:\n  size_x: 20\n  size_y: 20\n  bedrock_depth: 3\n"
                                     "  layers: [{soil: ./my-sand.yaml}]\n"
                                     "exercise: {kind: free, time_limit: 60, par_time: 60}\n";
    write_file(scene_path, folder, "mine.yaml", scene_text, sizeof scene_text - 1);
    static SceneParams scene;
    static MachineParams machine;
    assert_good(data_load_scene(scene_path, NULL, 0, &scene, &machine, &files, &status), status);
    assert_string_equal(scene.name, "mine");
    assert_string_equal(scene.soils[0].name, "my-sand");
    assert_string_equal(scene.ground.layers[0].soil, "my-sand");
    assert_close(scene.machine.heading, M_PI / 2.0, 1e-12);
    assert_true(data_load_scene_from_files(&files, &scene, &machine, &status));
    data_files_free(&files);

    write_file(soil_path, folder, "my-sand.yaml", "kind: soil\ntitle: 1\nswell: 7\n", 29);
    assert_false(data_load_scene(scene_path, NULL, 0, &scene, &machine, NULL, &status));
    assert_contains(status.text, "mine.yaml:10:19: ground.layers.0.soil: ");
    assert_contains(status.text, "my-sand.yaml:3:8: swell: read 7, allowed 0 to 0.8");
    unlink(soil_path);
    unlink(scene_path);
    rmdir(folder);
}

/// The user's scenes are found by name and listed last; where a shipped one has the name, it is meant.
TEST(scenes_of_the_users_folder)
{
    char home[] = "/tmp/spadework-home-XXXXXX", folder[DATA_PATH_LENGTH], path[2][DATA_PATH_LENGTH];
    static const char scene_text[] = "kind: scene\ntitle: Mine\ndescription: d\nseed: 3\n"
                                     "machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 90}\n"
                                     "ground:\n  size_x: 20\n  size_y: 20\n  bedrock_depth: 3\n"
                                     "  layers: [{soil: loam}]\n"
                                     "exercise: {kind: free, time_limit: 60, par_time: 60}\n";
    static SceneParams scene;
    static MachineParams machine;
    static DataListEntry entries[64];
    Status status;
    assert_non_null(mkdtemp(home));
    setenv("XDG_DATA_HOME", home, 1);
    int shipped = data_list("scenes", entries, 64, &status);
    assert_true(user_data_path("scenes", folder, &status) && user_make_folder(folder, &status));
    write_file(path[0], folder, "my-dig.yaml", scene_text, sizeof scene_text - 1);
    write_file(path[1], folder, "trench.yaml", scene_text, sizeof scene_text - 1);

    assert_good(data_load_scene("my-dig", NULL, 0, &scene, &machine, NULL, &status), status);
    assert_string_equal(scene.title, "Mine");
    assert_good(data_load_scene("trench", NULL, 0, &scene, &machine, NULL, &status), status);
    assert_string_equal(scene.title, "Dig a trench");
    assert_false(data_load_scene("my-dug", NULL, 0, &scene, &machine, NULL, &status));
    assert_contains(status.text, "and the user's folder, there are ");
    assert_contains(status.text, ", my-dig");
    assert_int_equal(data_list("scenes", entries, 64, &status), shipped + 1);
    assert_string_equal(entries[shipped].name, "my-dig");
    assert_true(entries[shipped].own && !entries[0].own && !entries[shipped - 1].own);
    assert_int_equal(data_list("scenes", entries, shipped, &status), shipped);

    unlink(path[0]);
    unlink(path[1]);
    rmdir(folder);
    unsetenv("XDG_DATA_HOME");
}

/// Scenes, courses and control maps of the folder that stations share: behind the shipped ones, before the user's.
TEST(shared_files_are_found_before_the_users)
{
    enum { KINDS = 2 };
    static const char *const folders[] = {"shared", "home/spadework"};
    static const char *const titles[] = {"Of the centre", "Of the user"};
    char above[] = "/tmp/spadework-shared-XXXXXX", path[DATA_PATH_LENGTH], text[256], written[DATA_PATH_LENGTH];
    char command[64];
    static DataListEntry entries[64];
    static SceneParams scene;
    static MachineParams machine;
    CourseParams course;
    Status status;
    assert_non_null(mkdtemp(above));
    snprintf(path, sizeof path, "%s/home", above);
    setenv("XDG_DATA_HOME", path, 1);
    int shipped = data_list("courses", entries, 64, &status);
    for (int k = 0; k < KINDS; k++) {
        snprintf(path, sizeof path, "%s/%s/courses", above, folders[k]);
        assert_good(user_make_folder(path, &status), status);
        int size = snprintf(text, sizeof text,
                            "kind: course\ntitle: %s\ndescription: d\nexercises: [{scene: trench}]\n", titles[k]);
        write_file(written, path, k == 0 ? "ours.yaml" : "mine.yaml", text, (size_t)size);
        write_file(written, path, "both.yaml", text, (size_t)size);
        write_file(written, path, "excavator.yaml", text, (size_t)size);
    }
    snprintf(path, sizeof path, "%s/shared", above);
    assert_good(data_set_shared_folder(path, &status), status);
    assert_string_equal(data_shared_folder(), path);
    assert_int_equal(data_list("courses", entries, 64, &status), shipped + 3);
    assert_string_equal(entries[shipped].name, "both");
    assert_true(entries[shipped].shared && !entries[shipped].own && entries[shipped].hides);
    assert_string_equal(entries[shipped + 1].name, "ours");
    assert_false(entries[shipped + 1].hides);
    assert_string_equal(entries[shipped + 2].name, "mine");
    assert_true(entries[shipped + 2].own && !entries[shipped + 2].shared);
    assert_string_equal(entries[2].name, "excavator");
    assert_true(entries[2].hides && !entries[2].shared);
    assert_good(data_load_course("both", &course, &status), status);
    assert_string_equal(course.title, "Of the centre");
    assert_good(data_load_course("mine", &course, &status), status);
    assert_good(data_load_course("excavator", &course, &status), status);
    assert_string_not_equal(course.title, "Of the centre");
    assert_false(data_load_course("none", &course, &status));
    assert_contains(status.text, "/courses, the shared folder /tmp/spadework-shared-");
    assert_contains(status.text, " and the user's folder, there are attachments, dozer, excavator, both, ours, mine");

    // Relative, or too long: refused; a folder that is not there has nothing.
    char longest[DATA_PATH_LENGTH + 1];
    memset(longest, '/', DATA_PATH_LENGTH);
    longest[DATA_PATH_LENGTH] = '\0';
    assert_false(data_set_shared_folder("shared", &status));
    assert_contains(status.text, "read shared, allowed a path of 1..511 bytes that begins with /");
    assert_false(data_set_shared_folder(longest, &status));
    assert_good(data_set_shared_folder("/nowhere/at/all", &status), status);
    assert_int_equal(data_list("courses", entries, 64, &status), shipped + 2);
    assert_good(data_load_scene("trench", NULL, 0, &scene, &machine, NULL, &status), status);
    assert_good(data_set_shared_folder(NULL, &status), status);
    assert_null(data_shared_folder());
    snprintf(command, sizeof command, "rm -r '%s'", above);
    assert_int_equal(system(command), 0);
    unsetenv("XDG_DATA_HOME");
}

TEST(a_text_is_cut_between_two_letters)
{
    char text[8];
    status_copy_text(text, sizeof text, "1234567");
    assert_string_equal(text, "1234567");
    status_copy_text(text, sizeof text, "12345678");
    assert_string_equal(text, "1234\xe2\x80\xa6");
    status_copy_text(text, sizeof text,
                     "123\xc3\xa4"
                     "56789");
    assert_string_equal(text, "123\xe2\x80\xa6");
    status_copy_text(text, 4, "\xf0\x9f\x9a\x9c");
    assert_string_equal(text, "\xe2\x80\xa6");
}

TEST_GROUP(NULL, NULL)
