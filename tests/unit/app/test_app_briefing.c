/// What the page of an exercise tells, from the scene's values alone.
#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/app/drive_pages.h"

static SceneExercise *load_exercise(const char *name)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    SceneExercise *asked = calloc(1, sizeof *asked);
    Status status = {0};
    if (scene == NULL || machine == NULL || asked == NULL) {
        abort();
    }
    assert_good(data_load_scene(name, NULL, 0, scene, machine, NULL, &status), status);
    *asked = scene->exercise;
    free(machine);
    free(scene);
    return asked;
}

static bool tells(const Menu *menu, const char *line)
{
    for (int k = 0; k < menu->count; k++) {
        if (strcmp(menu->items[k].text, line) == 0) {
            return true;
        }
    }
    return false;
}

TEST(a_trench_is_told_by_its_numbers)
{
    SceneExercise *asked = load_exercise("trench");
    Menu menu = {0};
    assert_true(briefing_is_worth(asked));
    briefing_add(&menu, asked, NULL, TEXT_UNITS_METRIC);
    assert_true(tells(&menu, "Time: a good operator takes 10:00, the limit is 20:00"));
    assert_true(tells(&menu, "Passed from 70 points of 100"));
    assert_true(tells(&menu, "Measure: 4.00 m long, 1.60 m wide, 1.50 m deep, tolerance 10.0 cm"));
    assert_true(tells(&menu, "[ ] Step 1: Dig to half the depth"));
    assert_true(tells(&menu, "25 points: share of the trench that is dug, from 0 % to 95 %"));
    assert_true(tells(&menu, "-5 points each time: fell into a hole"));
    assert_true(menu.count < RENDER_MAX_MENU);
    free(asked);
}

/// Letters count, not bytes, and a number stays beside its unit.
TEST(lines_break_between_words)
{
    Menu menu = {0};
    menu_tell_text(&menu, "\u00c4ste \u00fcber 5 % brechen", 11);
    menu_tell_text(&menu, "123456789012", 5);
    assert_true(tells(&menu, "\u00c4ste \u00fcber") && tells(&menu, "5 % brechen"));
    assert_true(tells(&menu, "12345") && tells(&menu, "67890") && tells(&menu, "12"));
    assert_int_equal(menu.count, 5);
}

TEST(changed_values_are_told)
{
    SceneExercise *asked = load_exercise("trench");
    asked->par_time = 45.0;
    asked->pass_mark = 82.5;
    asked->trench.depth = 0.85;
    asked->scores[0].fail_below = 0.5;
    asked->rules[0].fail = true;
    asked->rules[0].limit = 2;
    Menu menu = {0};
    briefing_add(&menu, asked, NULL, TEXT_UNITS_METRIC);
    assert_true(tells(&menu, "Time: a good operator takes 45 s, the limit is 20:00"));
    assert_true(tells(&menu, "Passed from 82.5 points of 100"));
    assert_true(tells(&menu, "Measure: 4.00 m long, 1.60 m wide, 0.85 m deep, tolerance 10.0 cm"));
    assert_true(tells(&menu, "25 points: share of the trench that is dug, from 0 % to 95 %; fails below 50 %"));
    assert_true(tells(&menu, "Ends the attempt: began to tip, beyond 2"));
    free(asked);
}

/// All lines of every shipped exercise have room.
TEST(no_line_of_a_shipped_exercise_is_left_out)
{
    DataListEntry *list = calloc(64, sizeof *list);
    Status status = {0};
    if (list == NULL) {
        abort();
    }
    int count = data_list("scenes", list, 64, &status);
    assert_true(count > 10);
    for (int k = 0; k < count; k++) {
        SceneExercise *asked = load_exercise(list[k].name);
        Menu menu = {0};
        briefing_add(&menu, asked, NULL, TEXT_UNITS_METRIC);
        if (menu.count >= RENDER_MAX_MENU - 1) {
            fail_msg("%s: %d lines", list[k].name, menu.count);
        }
        free(asked);
    }
    free(list);
}

TEST_GROUP(NULL, NULL)
