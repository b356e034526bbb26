/// A commented copy of a scene says the same as the scene, keeps its author's comments, and explains each key once.
// test: sanitized

#include <unistd.h>

#include "data/schema/authoring.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/spadework-copy-XXXXXX", path[64]; ///< of the file that the tests write

static int make_folder(void **state)
{
    (void)state;
    bool made = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    return made ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_text(const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

/// Every shipped scene: the copy is good, warns of no more than the scene, and holds the same values but the title.
TEST(copies_say_what_the_scenes_say)
{
    static DataListEntry entries[64];
    static SceneParams scene, copy;
    static MachineParams machine;
    static Findings findings;
    Status status;
    int count = data_list("scenes", entries, 64, &status);
    assert_true(count > 10);
    for (int k = 0; k < count; k++) {
        char *text = NULL;
        size_t size = 0;
        assert_good(data_copy("scene", entries[k].name, "Mine: \"the\" copy", &text, &size, &status), status);
        write_text(text, size);
        findings = (Findings){0};
        assert_good(data_check_file(path, &findings, NULL, &status), status);
        assert_good(data_load_scene(path, NULL, 0, &copy, &machine, NULL, &status), status);
        assert_string_equal(copy.title, "Mine: \"the\" copy");
        assert_good(data_load_scene(entries[k].name, NULL, 0, &scene, &machine, NULL, &status), status);
        memcpy(copy.title, scene.title, sizeof copy.title);
        memcpy(copy.name, scene.name, sizeof copy.name);
        if (memcmp(&copy, &scene, sizeof scene) != 0) {
            fail_msg("the copy of %s differs from it", entries[k].name);
        }
        free(text);
    }
}

TEST(each_key_is_explained_once)
{
    Status status;
    char *text = NULL;
    size_t size = 0;
    assert_good(data_copy("scene", "trench", "Mine", &text, &size, &status), status);
    assert_int_equal(strlen(text), size);
    assert_holds(text, "    # m, 0.2 to 6: of the floor below the level of the site\n    depth: 1.5\n");
    assert_holds(text, "    x: -0.2                 # near end, 4.8 m ahead of the swing axis\n");
    assert_holds(text, "#   x              m, -100 to 100: where it starts, to the east of the site's middle\n");
    assert_holds(text, "#   may also stand: attachment, coupler\nmachine: {file");
    assert_int_equal(count_of(text, "#   weight         points, 0 to 100: that the row is worth\n"), 1);
    assert_int_equal(count_of(text, "\ntitle: Mine\n"), 1);

    // A copy of the copy has no comment twice.
    char *again = NULL;
    size_t again_size = 0;
    write_text(text, size);
    assert_good(data_copy("scene", path, "Mine", &again, &again_size, &status), status);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

/// Scenes in braces, with Windows line ends, without a line end at the end, and under a former name of a key.
TEST(odd_texts_are_copied)
{
    static const char *const texts[] = {
        "{kind: scene, title: t, description: d, seed: 3, machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 9},\n"
        "ground: {size_x: 20, size_y: 20, bedrock_depth: 3, layers: [{soil: loam}]},\n"
        "exercise: {kind: free, time_limit: 60, par_time: 60}}",
        "kind: scene\r\ntitle: t\r\ndescription: |\r\n  # no comment\r\n  d\r\nseed: 3\r\nmachine:\r\n  file: "
        "excavator-22t\r\n"
        "  x: 0\r\n  y: 0\r\n  heading_deg: 9\r\nground:\r\n  size_x: 20\r\n  size_y: 20\r\n  bedrock_depth: 3\r\n"
        "  layers: [{soil: loam}]\r\nexercise: {kind: free, time_limit: 60, par_time: 60}\r\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        Status status;
        char *text = NULL;
        size_t size = 0;
        write_text(texts[k], strlen(texts[k]));
        assert_good(data_copy("scene", path, "Mine", &text, &size, &status), status);
        assert_good(data_check_text(path, text, size, &status), status);
        assert_holds(text, k == 0 ? "#   ground.size_x  m, 10 to 200: from the western"
                                  : "  # m, 10 to 200: from the western");
        free(text);
    }
}

TEST(a_course_begins_with_a_commented_file)
{
    Status status;
    char *text = NULL;
    size_t size = 0;
    CourseParams course;
    assert_good(data_copy("course", NULL, "Mine", &text, &size, &status), status);
    assert_holds(text, "# `spadework check FILE` tells what is wrong, `spadework reference course` all keys.\n");
    assert_holds(text, "# 1 to 100, default 50: order of the course in lists, the lowest first\nplace: 50\n");
    assert_holds(text, "\ntitle: Mine\n");
    write_text(text, size);
    assert_good(data_load_course(path, &course, &status), status);
    assert_true(course.exercises_count > 1);
    free(text);
    assert_good(data_copy("course", "dozer", "Mine", &text, &size, &status), status);
    assert_holds(text, "{scene: slot-dozing, difficulty: 2}");
    free(text);
    assert_false(data_copy_may_be_called("course", "dozer", &status));
    assert_holds(status.text, "dozer: a shipped course has this name");
    assert_true(data_copy_may_be_called("course", "trench", &status));

    // Exercises are known by their names.
    static const char by_path[] = "kind: course\ntitle: t\ndescription: d\nexercises: [{scene: ./trench.yaml}]\n";
    write_text(by_path, sizeof by_path - 1);
    assert_false(data_load_course(path, &course, &status));
    assert_holds(status.text, ":4:21: exercises.0.scene: read ./trench.yaml, allowed the name of a scene");
}

TEST(bad_scenes_and_names_are_refused)
{
    static const char *const bad[] = {"", ".hidden", "my trench", "sub/mine", "mine.yaml", "trench", "a\nb", "../mine"};
    Status status;
    char *text = NULL;
    size_t size = 0;
    char long_name[80];
    memset(long_name, 'a', sizeof long_name);
    long_name[79] = '\0';
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_false(data_copy_may_be_called("scene", bad[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
    }
    assert_false(data_copy_may_be_called("scene", long_name, &status));
    assert_true(data_copy_may_be_called("scene", "my-trench_2.b", &status));
    assert_false(data_copy("scene", "no-such-scene", "Mine", &text, &size, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    write_text("kind: [scene", 12);
    assert_false(data_copy("scene", path, "Mine", &text, &size, &status));
    assert_holds(status.text, ":1:");
    assert_null(text);
}

TEST_GROUP(make_folder, remove_folder)
