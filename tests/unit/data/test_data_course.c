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
    assert_int_equal(data_list("courses", entries, 16, &status), 2);
    assert_string_equal(entries[0].name, "dozer");
}

TEST_GROUP(NULL, NULL)
