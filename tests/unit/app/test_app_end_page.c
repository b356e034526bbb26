/// The page at the end of an attempt says how it ended and offers what there is.
#include <unistd.h>

#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/app/drive_pages.h"

typedef struct Ended {
    SceneParams *scene;
    Exercise *exercise;
    Menu *menu;
} Ended;

static Ended end_at_once(const char *name)
{
    Ended ended = {.scene = calloc(1, sizeof *ended.scene), .menu = calloc(1, sizeof *ended.menu)};
    MachineParams *machine = calloc(1, sizeof *machine);
    Status status = {0};
    assert_true(ended.scene != NULL && ended.menu != NULL && machine != NULL);
    assert_good(data_load_scene(name, NULL, 0, ended.scene, machine, NULL, &status), status);
    if (ended.menu == NULL || ended.scene == NULL) {
        abort();
    }
    ended.exercise = exercise_create(ended.scene);
    assert_non_null(ended.exercise);
    free(machine);
    return ended;
}

static void free_ended(Ended *ended)
{
    exercise_destroy(ended->exercise);
    free(ended->scene);
    free(ended->menu);
}

static const MenuItem *find(const Menu *menu, const char *text)
{
    for (int k = 0; k < menu->count; k++) {
        if (strncmp(menu->items[k].text, text, strlen(text)) == 0) {
            return &menu->items[k];
        }
    }
    return NULL;
}

TEST(who_leaves_early_is_told_so)
{
    Ended ended = end_at_once("trench");
    EndPage page = {.scene = ended.scene,
                    .exercise = ended.exercise,
                    .trail = &(ScoreTrail){0},
                    .dt = 1.0 / 60.0,
                    .from_menu = true};
    end_page_fill(&page, ended.menu, NULL);
    assert_string_equal(ended.menu->title, "Left before the end, 0 of 100 points");
    assert_null(find(ended.menu, "Open the debrief")); // nothing was recorded
    assert_null(find(ended.menu, "Drive on"));
    assert_non_null(find(ended.menu, "What cost most"));
    assert_int_equal(menu_id(ended.menu), END_LEAVE);
    assert_string_equal(ended.menu->items[ended.menu->selected].text, "Back to the menu");
    page.scripted = true;
    page.recorded = true;
    end_page_fill(&page, ended.menu, "told");
    assert_string_equal(ended.menu->title, "The run is over, the exercise is not, 0 of 100 points");
    assert_string_equal(ended.menu->subtitle, "told");
    assert_int_equal(find(ended.menu, "Open the debrief")->id, END_DEBRIEF);
    assert_int_equal(find(ended.menu, "Watch")->id, END_WATCH);
    free_ended(&ended);
}

/// Practice says so and from where, has no points of its own, and passes nothing; a scripted run under a name neither.
TEST(what_counts_for_nobody_says_why)
{
    Ended ended = end_at_once("trench");
    EndPage page = {.scene = ended.scene,
                    .exercise = ended.exercise,
                    .trail = &(ScoreTrail){0},
                    .dt = 1.0 / 60.0,
                    .trainee = "Otto",
                    .cleared = "trench-2026-01-01-080000.spade, trench-2026-01-02-080000.spade"};
    credit_begin_in(&page.credit, "/x/lift-pipe.spade", 35.7);
    end_page_fill(&page, ended.menu, NULL);
    assert_string_equal(ended.menu->title, "Practice: 0 points together with the drive that it began in");
    assert_contains(ended.menu->subtitle, "Practice from 0:35.7 of lift-pipe.spade on: it passes nothing. ");
    assert_contains(ended.menu->subtitle, "drive it from its beginning");
    assert_true(end_page_score(&page) < 0.0);
    assert_non_null(find(ended.menu, "Old recordings that the clean-up has deleted"));
    assert_non_null(find(ended.menu, "trench-2026-01-01-080000.spade"));
    page.credit = (Credit){.driver = CREDIT_SCRIPT};
    page.cleared = "";
    end_page_fill(&page, ended.menu, NULL);
    assert_non_null(strstr(ended.menu->subtitle, "A scripted run under a trainee's name: it passes nothing"));
    assert_null(find(ended.menu, "Old recordings"));
    assert_true(end_page_score(&page) < 0.0);
    page.trainee = NULL; // in nobody's name it is an example
    assert_true(end_page_score(&page) >= 0.0);
    free_ended(&ended);
}

TEST(the_next_exercise_is_offered_when_it_is_open)
{
    Ended ended = end_at_once("trench");
    EndPage page = {.scene = ended.scene,
                    .exercise = ended.exercise,
                    .trail = &(ScoreTrail){0},
                    .dt = 1.0 / 60.0,
                    .runs = true,
                    .next = {.scene = "haul", .title = "Haul", .open = false, .needs = 70.0}};
    end_page_fill(&page, ended.menu, NULL);
    const MenuItem *next = find(ended.menu, "Next exercise: Haul");
    assert_int_equal(next->style, RENDER_MENU_TELLS);
    assert_string_equal(next->detail, "opens when this one is passed with 70 points");
    assert_int_equal(menu_id(ended.menu), END_DRIVE_ON);
    page.next.open = true;
    end_page_fill(&page, ended.menu, NULL);
    assert_int_equal(find(ended.menu, "Next exercise: Haul")->id, END_NEXT);
    free_ended(&ended);
}

/// Points that were just won open it before they are stored; without a course there is none.
TEST(the_next_exercise_is_found_in_the_course)
{
    NextExercise next;
    assert_int_equal(setenv("XDG_DATA_HOME", "/nowhere/at/all", 1), 0);
    RunOptions options = {.scene = "walk-round", .course = "excavator", .trainee = "Ann"};
    next_exercise_find(&options, 20.0, &next);
    assert_string_equal(next.scene, "controls-targets");
    assert_false(next.open);
    next_exercise_find(&options, 80.0, &next);
    assert_true(next.open && !next.last);
    options.scene = "lift-pipe";
    next_exercise_find(&options, 80.0, &next);
    assert_true(next.last && next.scene[0] == '\0');
    options.course = NULL;
    next_exercise_find(&options, 80.0, &next);
    assert_string_equal(next.scene, "");
    options.course = "no-such-course";
    next_exercise_find(&options, 80.0, &next);
    assert_string_equal(next.scene, "");

    // A course that is named by its path, and stands in no folder of courses.
    static const char text[] = "kind: course\ntitle: t\ndescription: d\nexercises: [{scene: haul}, {scene: bench}]\n";
    char folder[] = "/tmp/spadework-course-XXXXXX", path[96];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/far.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    options.course = path;
    options.scene = "haul";
    next_exercise_find(&options, 80.0, &next);
    assert_string_equal(next.scene, "bench");
    unlink(path);
    rmdir(folder);
}

TEST(what_comes_next_is_told)
{
    char text[MENU_SUBTITLE];
    ReportSummary summary = {.passed = true};
    NextExercise next = {.scene = "haul", .title = "Haul", .open = true, .needs = 80.0};
    what_next(&summary, &next, true, text);
    assert_string_equal(text, "What to do next: Haul.");
    next.open = false;
    what_next(&summary, &next, true, text);
    assert_string_equal(text, "What to do next: drive it again, 80 points open Haul.");
    what_next(&summary, &next, false, text);
    assert_string_equal(text, "What to do next: drive it again, to its end.");
    what_next(&summary, &(NextExercise){.last = true}, true, text);
    assert_memory_equal(text, "That was the last exercise", 26);
    summary = (ReportSummary){.mistake_count = 2, .mistakes = {{.what = "Spill"}, {.advice = "Lift before you swing"}}};
    what_next(&summary, &next, true, text);
    assert_string_equal(text, "What to do next: drive it again, and above all: Lift before you swing");
    what_next(&(ReportSummary){0}, &next, true, text);
    assert_string_equal(text, "What to do next: drive it again.");
}

TEST_GROUP(NULL, NULL)
