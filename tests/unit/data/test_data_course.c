/// Courses: what they hold, and those that cannot be.
// test: sanitized

#include "tests/support/broken.h"

static const char *const course_text = "kind: course\n"
                                       "title: A test\n"
                                       "description: Dig.\n"
                                       "exercises:\n"
                                       "  - {scene: trench, needs: 80}\n"
                                       "  - {scene: haul}\n";

static const Broken broken_courses[] = {
    {"scene: haul", "scene: |hail", "exercises.1.scene: no scene named hail in"},
    {"scene: haul", "scene: |trench", "exercises.1.scene: read trench, allowed each scene once: it is exercise 1"},
    {"needs: 80", "needs: |180", "exercises.0.needs: read 180, allowed 0 to 100"},
    {"exercises:\n  - {scene: trench, needs: 80}\n  - {scene: haul}", "exercises: |[]",
     "exercises: read 0 items, allowed a list of 1 to 32 items"},
    {"needs: 80", "difficulty: 6", "exercises.0.difficulty: read 6, allowed a whole number, 0 to 5"},
    {"title: A test", "title: A test\nplace: 0", "place: read 0, allowed a whole number, 1 to 100"},
    {"title: A test", "|titel: A test",
     "titel: unknown key, allowed kind, title, description, language, place, exercises"},
    {"title: A test", "title: A test\nlanguage: german!", "language: read german!, allowed a language's tag"},
};

TEST(broken_ones_are_refused)
{
    check_broken(course_text, broken_courses, sizeof broken_courses / sizeof broken_courses[0]);
}

TEST(shipped_ones_load)
{
    Status status;
    CourseParams course;
    assert_good(data_load_course("excavator", &course, &status), status);
    assert_string_equal(course.name, "excavator");
    assert_string_equal(course.exercises[0].scene, "walk-round");
    assert_good(data_load_course("dozer", &course, &status), status);
    DataListEntry entries[16];
    assert_int_equal(data_list("courses", entries, 16, &status), 3);
    assert_string_equal(entries[0].name, "attachments");
    assert_string_equal(entries[1].name, "dozer");
}

/// An exercise that no course has is found by nobody who follows them.
TEST(each_shipped_exercise_is_in_a_course)
{
    static const char *const apart[] = {"trench-collapse"}; // shows how a wall falls; it opens nothing
    static const char *const names[] = {"excavator", "dozer", "attachments"};
    DataListEntry scenes[64];
    Status status;
    int count = data_list("scenes", scenes, 64, &status);
    assert_true(count > 20);
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    CourseParams course;
    for (int k = 0; k < count; k++) {
        assert_good(data_load_scene(scenes[k].name, NULL, 0, scene, machine, NULL, &status), status);
        bool found = scene->exercise.scores_count == 0;
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            assert_good(data_load_course(names[n], &course, &status), status);
            for (int i = 0; i < course.exercises_count; i++) {
                found |= strcmp(course.exercises[i].scene, scenes[k].name) == 0;
            }
        }
        for (size_t n = 0; n < sizeof apart / sizeof apart[0]; n++) {
            found |= strcmp(apart[n], scenes[k].name) == 0;
        }
        if (!found) {
            fail_msg("%s is in no course", scenes[k].name);
        }
    }
    free(scene);
    free(machine);
}

TEST_GROUP(NULL, NULL)
