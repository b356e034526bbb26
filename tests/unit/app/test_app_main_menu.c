/// The first screen: who drives, what is open, own scenes and recordings that are broken, settings, and the mouse.
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "data/core/data_files.h"
#include "tests/support/reseal.h"
#include "tests/support/small_session.h"
#include "trainer/results/results_store.h"
#include "trainer/app/main_menu.h"

enum { WIDTH = 1280, HEIGHT = 720 };

typedef struct Shown {
    char home[64];
    MainMenu *menu;
    RenderView *view;
} Shown;

static void write_file(const char *home, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/spadework/%s", home, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder_in(const char *home, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/spadework%s", home, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

/// A home of its own, with folders for scenes and recordings.
static void begin_home(Shown *shown)
{
    snprintf(shown->home, sizeof shown->home, "/tmp/spadework-menu-XXXXXX");
    assert_non_null(mkdtemp(shown->home));
    assert_int_equal(setenv("XDG_DATA_HOME", shown->home, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", shown->home, 1), 0);
    make_folder_in(shown->home, "");
    make_folder_in(shown->home, "/scenes");
    make_folder_in(shown->home, "/recordings");
    write_file(shown->home, "settings.yaml", "kind: settings # mine\n");
    shown->view = calloc(1, sizeof *shown->view);
    assert_non_null(shown->view);
}

static void open_menu(Shown *shown, const RunOptions *options)
{
    Status status = {0};
    shown->menu = main_menu_create(options, &status);
    assert_good(shown->menu != NULL, status);
    main_menu_show(shown->menu, &shown->view->menu);
}

static void end(Shown *shown)
{
    main_menu_destroy(shown->menu);
    free(shown->view);
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", shown->home);
    assert_int_equal(system(command), 0);
}

static MainAnswer take(Shown *shown, WindowInput input)
{
    input.width = WIDTH;
    input.height = HEIGHT;
    MainAnswer answer = main_menu_take(shown->menu, &input, shown->view);
    main_menu_show(shown->menu, &shown->view->menu);
    return answer;
}

static MainAnswer press(Shown *shown, WindowCommand command)
{
    WindowInput input = {0};
    input.pressed[command] = 1;
    return take(shown, input);
}

static int find(const Shown *shown, const char *text)
{
    for (int k = 0; k < shown->view->menu.count; k++) {
        if (strncmp(shown->view->menu.items[k].text, text, strlen(text)) == 0) {
            return k;
        }
    }
    fail_msg("no item \"%s\" under \"%s\"", text, shown->view->menu.title);
    return -1;
}

/// Goes to an item by the arrow keys.
static void select_item(Shown *shown, const char *text)
{
    int wanted = find(shown, text);
    for (int k = 0; k < 400 && shown->view->menu.selected != wanted; k++) {
        press(shown, WINDOW_DOWN);
    }
    assert_int_equal(shown->view->menu.selected, wanted);
}

static MainAnswer choose(Shown *shown, const char *text)
{
    select_item(shown, text);
    return press(shown, WINDOW_ACCEPT);
}

/// An attempt of `operator_name`, which took `parent` over.
static void store_of(const char *trainee, const char *scene, double score, bool passed, const char *operator_name,
                     const char *parent)
{
    Status status = {0};
    Results *results = results_open(NULL, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    assert_non_null(attempt);
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee);
    snprintf(attempt->scene, sizeof attempt->scene, "%s", scene);
    snprintf(attempt->end, sizeof attempt->end, "done");
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "%s", operator_name);
    snprintf(attempt->parent, sizeof attempt->parent, "%s", parent);
    Credit credit = {0};
    credit_of_operator(operator_name, &credit);
    attempt->driver = credit.driver;
    results_now(attempt->started);
    attempt->score = score;
    attempt->passed = passed;
    assert_good(results_add(results, attempt, &status), status);
    free(attempt);
    results_close(results);
}

static void store(const char *trainee, const char *scene, double score, bool passed)
{
    store_of(trainee, scene, score, passed, "person", "");
}

TEST(a_new_name_is_typed_and_remembered)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){0});
    assert_string_equal(shown.view->menu.title, "Who drives?");
    choose(&shown, "A new name");
    assert_true(main_menu_types(shown.menu));
    press(&shown, WINDOW_ACCEPT); // nothing was typed
    assert_string_equal(shown.view->menu.subtitle, "Type a name first");
    take(&shown, (WindowInput){.text = "Ann\xc3\xb6"});
    take(&shown, (WindowInput){.erased = 1});
    press(&shown, WINDOW_RIGHT); // by the pad: one more letter, and the one after it
    press(&shown, WINDOW_DOWN);
    assert_string_equal(shown.view->menu.items[0].text, "Annb_");
    press(&shown, WINDOW_ACCEPT);
    assert_false(main_menu_types(shown.menu));
    find(&shown, "Driver: Annb");
    main_menu_destroy(shown.menu);
    open_menu(&shown, &(RunOptions){0}); // the next start
    assert_string_equal(shown.view->menu.items[shown.view->menu.selected].text, "Annb");
    press(&shown, WINDOW_ACCEPT);
    find(&shown, "Driver: Annb");
    end(&shown);
}

TEST(a_course_opens_one_exercise_after_the_other)
{
    Shown shown;
    begin_home(&shown);
    store("Ann", "walk-round", 92.0, true);
    store("Ann", "walk-round", 71.0, true);
    store("Bob", "controls-targets", 100.0, true);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    assert_string_equal(shown.view->menu.title, "Spadework");
    assert_memory_equal(shown.view->menu.items[find(&shown, "Excavator,")].value, "1 of ", 5);
    choose(&shown, "Excavator,");
    assert_string_equal(shown.view->menu.items[0].value, "passed, 92 points   \u25cf\u25cb\u25cb\u25cb\u25cb");
    assert_non_null(strstr(shown.view->menu.side.text, "Find what is worn, leaks or stands in the way"));
    assert_non_null(strstr(shown.view->menu.side.text, "Difficulty: 1 of 5"));
    assert_int_equal(shown.view->menu.items[1].style, RENDER_MENU_CHOICE);
    assert_int_equal(shown.view->menu.items[2].style, RENDER_MENU_CLOSED);
    assert_int_equal(choose(&shown, "3."), MAIN_STAYS);
    assert_memory_equal(shown.view->menu.subtitle, "It is not open yet", 18);
    assert_int_equal(choose(&shown, "2."), MAIN_DRIVES);
    const RunOptions *options = main_menu_options(shown.menu);
    assert_string_equal(options->scene, "controls-targets");
    assert_string_equal(options->course, "excavator");
    assert_string_equal(options->trainee, "Ann");
    main_menu_destroy(shown.menu);
    open_menu(&shown, &(RunOptions){0}); // nobody named: everything is open
    choose(&shown, "Nobody");
    choose(&shown, "Excavator,");
    assert_int_equal(choose(&shown, "3."), MAIN_DRIVES);
    assert_null(main_menu_options(shown.menu)->trainee);
    end(&shown);
}

/// One rule: an exercise opens when the one before it has been passed by the trainee's own work from its start.
TEST(only_own_work_that_passes_opens_an_exercise)
{
    static const struct {
        double score;
        bool passed;
        const char *operator_name, *parent;
        bool opens;
    } attempts[] = {
        {0.0, false, "person", "", false},
        {69.9, false, "keyboard", "", false},
        {100.0, false, "person", "", false}, // an incident has failed it
        {100.0, true, "expert:walk-round", "", false},
        {100.0, true, "auto", "", false},
        {100.0, true, "/home/ann/levers.csv", "", false},
        {100.0, true, "person", "/home/ann/expert.spade", false},
        {75.0, true, "gamepad", "", true},
    };
    for (size_t k = 0; k < sizeof attempts / sizeof attempts[0]; k++) {
        Shown shown;
        begin_home(&shown);
        store_of("Ann", "walk-round", attempts[k].score, attempts[k].passed, attempts[k].operator_name,
                 attempts[k].parent);
        store("Ann", "trench", 0.0, false); // by "spadework run trench": driven, and not passed
        open_menu(&shown, &(RunOptions){.trainee = "Ann"});
        assert_memory_equal(shown.view->menu.items[find(&shown, "Excavator,")].value,
                            attempts[k].opens ? "1 of " : "0 of ", 5);
        choose(&shown, "Excavator,");
        assert_int_equal(shown.view->menu.items[1].style, attempts[k].opens ? RENDER_MENU_CHOICE : RENDER_MENU_CLOSED);
        assert_int_equal(shown.view->menu.items[4].style, RENDER_MENU_CLOSED);
        assert_non_null(strstr(shown.view->menu.subtitle, "An exercise opens when you have passed the one before it."));
        assert_string_equal(shown.view->menu.items[4].detail,
                            "opens when 4. Obstacle course is passed with 70 points or more");
        end(&shown);
    }
}

TEST(an_instructor_opens_all_exercises)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Settings");
    select_item(&shown, "Exercises of courses");
    assert_string_equal(shown.view->menu.items[shown.view->menu.selected].value, "One opens the next");
    press(&shown, WINDOW_RIGHT);
    assert_string_equal(shown.view->menu.items[shown.view->menu.selected].value, "All open");
    press(&shown, WINDOW_BACK);
    choose(&shown, "Excavator,");
    assert_non_null(strstr(shown.view->menu.subtitle, "All exercises are open."));
    assert_int_equal(choose(&shown, "5."), MAIN_DRIVES);
    end(&shown);
}

/// A course of the user's folder, and one of the folder that stations share, stand on the first page and are driven.
TEST(own_and_shared_courses_are_driven)
{
    static const char *const begin = "kind: course\ntitle: %s\ndescription: d\nplace: 5\nexercises:\n"
                                     "  - {scene: trench}\n  - {scene: haul}\n";
    char text[256], path[96];
    Shown shown;
    Status status;
    begin_home(&shown);
    make_folder_in(shown.home, "/courses");
    snprintf(text, sizeof text, begin, "Mine");
    write_file(shown.home, "courses/mine.yaml", text);
    make_folder_in(shown.home, "/centre");
    make_folder_in(shown.home, "/centre/courses");
    snprintf(text, sizeof text, begin, "Of the centre");
    write_file(shown.home, "centre/courses/centre.yaml", text);
    snprintf(path, sizeof path, "%s/spadework/centre", shown.home);
    assert_good(data_set_shared_folder(path, &status), status);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Of the centre");
    assert_int_equal(choose(&shown, "1."), MAIN_DRIVES);
    assert_string_equal(main_menu_options(shown.menu)->course, "centre");
    assert_string_equal(main_menu_options(shown.menu)->scene, "trench");
    press(&shown, WINDOW_BACK);
    choose(&shown, "Mine");
    assert_int_equal(shown.view->menu.items[1].style, RENDER_MENU_CLOSED);
    assert_int_equal(choose(&shown, "1."), MAIN_DRIVES);
    assert_string_equal(main_menu_options(shown.menu)->course, "mine");
    end(&shown);
    assert_good(data_set_shared_folder(NULL, &status), status);
}

/// Conditions of the next drives: chosen on a page of their own, from the first page and from a course's.
TEST(conditions_are_chosen_for_the_next_drives)
{
    Shown shown;
    ConditionSets sets;
    Status status;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    assert_string_equal(shown.view->menu.items[find(&shown, "Conditions")].value, "as each exercise has them");
    assert_false(conditions_are_chosen(main_menu_options(shown.menu)->conditions));
    choose(&shown, "Conditions");
    select_item(&shown, "Time of day");
    press(&shown, WINDOW_LEFT);
    assert_string_equal(shown.view->menu.items[shown.view->menu.selected].value, "Night, 23:00");
    select_item(&shown, "Soil");
    press(&shown, WINDOW_RIGHT);
    assert_string_equal(shown.view->menu.items[shown.view->menu.selected].value, "Clay");
    assert_non_null(strstr(shown.view->menu.side.text, "points are not comparable"));
    press(&shown, WINDOW_BACK);
    assert_string_equal(shown.view->menu.items[find(&shown, "Conditions")].value, "Night, 23:00, Clay");
    choose(&shown, "Excavator,");
    choose(&shown, "Conditions");
    press(&shown, WINDOW_BACK);
    assert_int_equal(choose(&shown, "1."), MAIN_DRIVES);
    const RunOptions *options = main_menu_options(shown.menu);
    assert_string_equal(options->conditions->name[CONDITION_TIME], "night");
    assert_good(conditions_set(options->conditions, options->scene, &sets, &status), status);
    assert_string_equal(sets.text[0], "weather.time=23");
    assert_string_equal(sets.text[1], "ground.layers.0.soil=clay");
    choose(&shown, "Conditions");
    choose(&shown, "All as");
    press(&shown, WINDOW_BACK);
    assert_false(conditions_are_chosen(main_menu_options(shown.menu)->conditions));
    end(&shown);
}

TEST(what_is_broken_is_listed_with_its_fault)
{
    Shown shown;
    begin_home(&shown);
    write_file(shown.home, "scenes/mine.yaml", "kind: scene\ntitle: Mine\ndepth: 7\n");
    write_file(shown.home, "recordings/trench-2026-01-01-000000.spade", "no recording\n");
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "My own scenes");
    assert_string_equal(shown.view->menu.items[0].text, "mine");
    assert_non_null(strstr(shown.view->menu.items[0].detail, "mine.yaml:"));
    assert_int_equal(choose(&shown, "mine"), MAIN_STAYS);
    assert_non_null(strstr(shown.view->menu.side.text, "It cannot be driven until this is mended in its file:"));
    assert_non_null(strstr(shown.view->menu.side.text, "mine.yaml:"));
    press(&shown, WINDOW_BACK);
    choose(&shown, "Recordings");
    assert_string_equal(shown.view->menu.items[0].value, "damaged");
    assert_non_null(strstr(shown.view->menu.side.text, "It cannot be watched:"));
    assert_int_equal(choose(&shown, "trench-2026"), MAIN_STAYS);
    assert_non_null(strstr(shown.view->menu.subtitle, "is not a recording"));
    press(&shown, WINDOW_BACK);
    end(&shown);
}

/// Records ten ticks into the folder of recordings, of a day of January 2026, and edits the file.
static void record_day(const Shown *shown, int day, const char *sql)
{
    char path[256];
    Status status = {0};
    snprintf(path, sizeof path, "%s/spadework/recordings/small-2026-01-%02d-000000.spade", shown->home, day);
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path, .trainee = "Ann"}, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < 10; tick++) {
        OperatorControls levers = small_levers(tick);
        session_tick(session, &levers);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    char text[160];
    snprintf(text, sizeof text, "UPDATE meta SET value = '2026-01-%02dT00:00:00Z' WHERE key = 'created'", day);
    sql_number(path, text);
    assert_true(reseal(path));
    sql_number(path, sql);
}

/// What a glance sees is listed at once; what only all seals show, as soon as they are checked beside the menu.
TEST(a_recording_that_was_changed_is_listed_as_changed)
{
    Shown shown;
    begin_home(&shown);
    record_day(&shown, 4, "SELECT 1");
    record_day(&shown, 3, "UPDATE metric SET value = 1 WHERE name = 'passed'");
    record_day(&shown, 2, "UPDATE ground SET spacing = 0.2");
    record_day(&shown, 1, "UPDATE meta SET value = 'Bob' WHERE key = 'trainee'");
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Recordings");
    const RenderMenuItem *items = shown.view->menu.items;
    assert_non_null(strstr(items[0].value, "points"));
    assert_null(strstr(items[0].value, "passed"));
    assert_string_equal(items[1].value, "changed");
    assert_non_null(strstr(items[2].value, "points"));
    assert_string_equal(items[3].value, "changed");
    for (int k = 0; k < 500 && strcmp(items[2].value, "changed") != 0; k++) {
        take(&shown, (WindowInput){0});
    }
    assert_string_equal(items[2].value, "changed");
    assert_non_null(strstr(items[0].value, "points"));
    assert_int_equal(shown.view->menu.selected, 0);
    assert_non_null(strstr(shown.view->menu.side.text, "Recording: whole; sealed, not signed"));
    press(&shown, WINDOW_DOWN);
    assert_non_null(strstr(shown.view->menu.side.text, "It was changed after it was recorded: no score"));
    assert_non_null(strstr(shown.view->menu.side.text, "rows were changed in table metric"));
    assert_int_equal(press(&shown, WINDOW_ACCEPT), MAIN_WATCHES); // it may be watched, and says so there
    end(&shown);
}

/// The item whose middle lies there is under the mouse; a click chooses it, the right button goes back.
TEST(the_mouse_points_and_clicks)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    int wanted = find(&shown, "Other scenes"), y = 0;
    for (y = 0; y < HEIGHT && render_menu_at(shown.view, WIDTH, HEIGHT, 300.0, y) != wanted; y++) {
    }
    assert_true(y < HEIGHT);
    assert_int_equal(render_menu_at(shown.view, WIDTH, HEIGHT, 1100.0, y), -1); // the side
    take(&shown, (WindowInput){.moved = true, .mouse_x = 300.0, .mouse_y = y + 5.0});
    assert_int_equal(shown.view->menu.selected, wanted);
    take(&shown, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = y + 5.0});
    assert_string_equal(shown.view->menu.title, "Other scenes");
    take(&shown, (WindowInput){.back_clicks = 1});
    assert_string_equal(shown.view->menu.title, "Spadework");
    end(&shown);
}

/// Pixels from the top where the mouse is over the item of that text, from the left where its arrow is.
static int find_row(Shown *shown, const char *text, int *arrow)
{
    int wanted = find(shown, text), y = 0;
    for (y = 0; y < HEIGHT && render_menu_at(shown->view, WIDTH, HEIGHT, 300.0, y) != wanted; y++) {
    }
    take(shown, (WindowInput){.moved = true, .mouse_x = 300.0, .mouse_y = y + 5.0});
    for (int x = 0; x < WIDTH; x++) {
        *arrow = render_menu_arrow_at(shown->view, WIDTH, HEIGHT, x, y + 5) > 0 ? x : *arrow;
    }
    return y + 5;
}

/// Who has neither keyboard nor pad makes a name letter by letter.
TEST(the_mouse_makes_a_name)
{
    Shown shown;
    int arrow = 0;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){0});
    choose(&shown, "A new name");
    int more = find_row(&shown, "One more letter", &arrow), erase = find_row(&shown, "Erase the last letter", &arrow);
    int done = find_row(&shown, "Drive under this name", &arrow);
    for (int k = 0; k < 3; k++) {
        take(&shown, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = more});
    }
    take(&shown, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = erase});
    int letter = find_row(&shown, "Last letter", &arrow);
    take(&shown, (WindowInput){.clicks = 1, .mouse_x = arrow, .mouse_y = letter});
    assert_string_equal(shown.view->menu.items[0].text, "ab_");
    take(&shown, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = done});
    find(&shown, "Driver: ab");
    end(&shown);
}

TEST(the_end_is_asked_for)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    assert_int_equal(press(&shown, WINDOW_BACK), MAIN_STAYS);
    assert_string_equal(shown.view->menu.title, "Quit Spadework?");
    assert_int_equal(press(&shown, WINDOW_BACK), MAIN_STAYS);
    assert_string_equal(shown.view->menu.title, "Spadework");
    choose(&shown, "Quit Spadework");
    assert_int_equal(choose(&shown, "Stay"), MAIN_STAYS);
    choose(&shown, "Quit Spadework");
    assert_int_equal(press(&shown, WINDOW_ACCEPT), MAIN_LEAVES);
    end(&shown);
}

static void expect_settings(const Shown *shown, const char *wanted)
{
    char path[256], text[256];
    snprintf(path, sizeof path, "%s/spadework/settings.yaml", shown->home);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

TEST(settings_are_in_the_file_at_once)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Settings");
    select_item(&shown, "Sound");
    assert_int_equal(press(&shown, WINDOW_LEFT), MAIN_APPLIES);
    assert_int_equal(main_menu_changed(shown.menu), SETTINGS_ITEM_VOLUME);
    assert_near(main_menu_settings(shown.menu)->now.sound.volume, 0.6, 1e-9);
    assert_string_equal(shown.view->menu.items[find(&shown, "Sound")].value, "60 %");
    expect_settings(&shown, "sound: {volume: 0.6}\nkind: settings # mine\n");
    select_item(&shown, "Levers");
    assert_int_equal(press(&shown, WINDOW_LEFT), MAIN_APPLIES);
    assert_string_equal(main_menu_options(shown.menu)->controls, "handler");
    assert_int_equal(press(&shown, WINDOW_RIGHT), MAIN_APPLIES);
    assert_string_equal(shown.view->menu.items[find(&shown, "Levers")].value, "ISO pattern");
    assert_string_equal(main_menu_options(shown.menu)->controls, "iso");
    assert_int_equal(choose(&shown, "Gauges"), MAIN_APPLIES);
    assert_int_equal(choose(&shown, "List of keys"), MAIN_APPLIES);
    select_item(&shown, "Language");
    press(&shown, WINDOW_LEFT);
    expect_settings(&shown, "language: es\nwindow: {keys: no, gauges: all}\ncontrols: iso\nsound: {volume: 0.6}\n"
                            "kind: settings # mine\n");
    main_menu_destroy(shown.menu);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"}); // the next start
    choose(&shown, "Settings");
    assert_string_equal(shown.view->menu.items[find(&shown, "Gauges")].value, "All of them");
    assert_string_equal(shown.view->menu.items[find(&shown, "Language")].value, "Espa\u00f1ol");
    end(&shown);
}

TEST(bad_settings_are_told_and_left_alone)
{
    Shown shown;
    begin_home(&shown);
    write_file(shown.home, "settings.yaml", "kind: settings\nmine: 3\n");
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    assert_non_null(strstr(shown.view->menu.subtitle, "The settings are not in use"));
    assert_non_null(strstr(shown.view->menu.subtitle, "settings.yaml:2:1: mine"));
    choose(&shown, "Settings");
    assert_non_null(strstr(shown.view->menu.subtitle, "settings.yaml:2:1: mine"));
    select_item(&shown, "Sound");
    assert_int_equal(press(&shown, WINDOW_LEFT), MAIN_STAYS);
    assert_non_null(strstr(shown.view->menu.subtitle, "settings.yaml:2:1: mine"));
    expect_settings(&shown, "kind: settings\nmine: 3\n");
    end(&shown);
}

TEST(a_click_on_an_arrow_changes_a_value)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Settings");
    int wanted = find(&shown, "Sound"), y = 0, left = 0, right = 0;
    for (y = 0; y < HEIGHT && render_menu_at(shown.view, WIDTH, HEIGHT, 300.0, y) != wanted; y++) {
    }
    y += 5;
    for (int x = 0; x < WIDTH; x++) {
        int arrow = render_menu_arrow_at(shown.view, WIDTH, HEIGHT, x, y);
        left = arrow < 0 ? x : left;
        right = arrow > 0 ? x : right;
    }
    assert_true(left > 300 && right > left);
    assert_int_equal(take(&shown, (WindowInput){.clicks = 1, .mouse_x = left, .mouse_y = y}), MAIN_APPLIES);
    assert_int_equal(take(&shown, (WindowInput){.clicks = 1, .mouse_x = left, .mouse_y = y}), MAIN_APPLIES);
    assert_string_equal(shown.view->menu.items[wanted].value, "50 %");
    assert_int_equal(take(&shown, (WindowInput){.clicks = 1, .mouse_x = right, .mouse_y = y}), MAIN_APPLIES);
    assert_string_equal(shown.view->menu.items[wanted].value, "60 %");
    end(&shown);
}

/// In a small window the menu is drawn larger than other panels: fewer items are in sight, and the mouse finds each.
TEST(a_small_window_has_large_letters)
{
    Shown shown;
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    int all = 0, few = 0, found = -1, highest = 0;
    render_menu_first(shown.view, WIDTH, HEIGHT, &all);
    int first = render_menu_first(shown.view, WIDTH / 2, HEIGHT / 2, &few);
    assert_true(few < all && few >= 5 && first == 0);
    for (int y = 0, begin = 0; y < HEIGHT / 2; y++) {
        int at = render_menu_at(shown.view, WIDTH / 2, HEIGHT / 2, 120.0, y);
        begin = at != found ? y : begin;
        highest = at >= 0 && y - begin > highest ? y - begin : highest;
        found = at > found ? at : found;
    }
    assert_int_equal(found, few - 1);
    assert_true(highest >= 25); // 38 units at 0.7 pixels each
    end(&shown);
}

/// The page of the controls is reached, changed and left by its items; the picture follows keys.
TEST(the_page_of_the_controls_shows_pattern_device_and_machine)
{
    Shown shown;
    InputSample sample = {.pad_present = true};
    begin_home(&shown);
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    main_menu_watch(shown.menu, NULL, &sample, 0.05);
    choose(&shown, "Controls");
    const RenderMenu *menu = &shown.view->menu;
    assert_non_null(menu->side.controls);
    assert_int_equal(menu->side.controls->device, RENDER_DEVICE_PAD);
    find(&shown, "Pattern: ISO");
    choose(&shown, "Device: Gamepad");
    assert_int_equal(menu->side.controls->device, RENDER_DEVICE_KEYBOARD);
    take(&shown, (WindowInput){0});
    find(&shown, "Device: Keyboard");
    sample.key[control_key_index("K")] = 1;
    for (int k = 0; k < 10; k++) {
        take(&shown, (WindowInput){0});
    }
    assert_string_equal(menu->side.controls->told, "boom up");
    sample.key[control_key_index("K")] = 0;
    choose(&shown, "Pattern: ISO");
    find(&shown, "Pattern: Backhoe, Joysticks");
    expect_settings(&shown, "controls: joysticks-bhl\nkind: settings # mine\n");
    choose(&shown, "Machine: Excavator");
    find(&shown, "Machine: Bulldozer");
    assert_true(menu->side.controls->dozer);
    press(&shown, WINDOW_BACK);
    assert_string_equal(menu->title, "Spadework");
    assert_null(menu->side.controls);
    end(&shown);
}

/// A home without settings and results.
TEST(the_first_start_is_a_tour)
{
    Shown shown;
    char path[256];
    begin_home(&shown);
    snprintf(path, sizeof path, "%s/spadework/settings.yaml", shown.home);
    assert_int_equal(unlink(path), 0);
    open_menu(&shown, &(RunOptions){0});
    assert_string_equal(shown.view->menu.title, "Welcome to Spadework");
    choose(&shown, "Show me");
    assert_string_equal(shown.view->menu.title, "What do you drive with?");
    choose(&shown, "The keyboard");
    choose(&shown, "Backhoe");
    assert_string_equal(shown.view->menu.title, "Move the levers");
    expect_settings(&shown, "controls: bhl\nkind: settings\n");
    press(&shown, WINDOW_ACCEPT);
    assert_string_equal(shown.view->menu.title, "Ready");
    choose(&shown, "Driver");
    choose(&shown, "A new name");
    take(&shown, (WindowInput){.text = "Ann"});
    press(&shown, WINDOW_ACCEPT);
    assert_string_equal(shown.view->menu.title, "Ready");
    assert_int_equal(choose(&shown, "Start: "), MAIN_DRIVES);
    assert_string_equal(main_menu_options(shown.menu)->controls, "bhl");
    assert_string_equal(main_menu_options(shown.menu)->trainee, "Ann");
    assert_non_null(main_menu_options(shown.menu)->course);
    main_menu_return(shown.menu, NULL);
    main_menu_show(shown.menu, &shown.view->menu);
    assert_string_not_equal(shown.view->menu.title, "Ready");
    main_menu_destroy(shown.menu);
    open_menu(&shown, &(RunOptions){0});
    assert_string_equal(shown.view->menu.title, "Who drives?");
    end(&shown);
}

TEST(a_tour_that_was_skipped_comes_when_it_is_called)
{
    Shown shown;
    char path[256];
    begin_home(&shown);
    snprintf(path, sizeof path, "%s/spadework/settings.yaml", shown.home);
    assert_int_equal(unlink(path), 0);
    open_menu(&shown, &(RunOptions){0});
    press(&shown, WINDOW_BACK);
    assert_string_equal(shown.view->menu.title, "Who drives?");
    main_menu_destroy(shown.menu);
    open_menu(&shown, &(RunOptions){0});
    choose(&shown, "Nobody");
    choose(&shown, "The tour");
    assert_string_equal(shown.view->menu.title, "Welcome to Spadework");
    end(&shown);
}

/// A long list moves under the wheel and follows the selection; the last item is reached.
TEST(a_long_list_scrolls)
{
    RenderView *view = calloc(1, sizeof *view);
    Menu *menu = calloc(1, sizeof *menu);
    assert_true(view != NULL && menu != NULL);
    menu_start(menu, "Long", "");
    for (int k = 0; k < 60; k++) {
        menu_add(menu, k, "Item", "");
    }
    menu_show(menu, &view->menu);
    int shown = 0;
    assert_int_equal(render_menu_first(view, WIDTH, HEIGHT, &shown), 0);
    assert_true(shown > 8 && shown < 30);
    menu_take(menu, &(WindowInput){.scroll = -70.0, .width = WIDTH, .height = HEIGHT}, view); // a finger
    menu_show(menu, &view->menu);
    menu_take(menu, &(WindowInput){.scroll = -70.0, .width = WIDTH, .height = HEIGHT}, view);
    menu_show(menu, &view->menu);
    assert_int_equal(render_menu_first(view, WIDTH, HEIGHT, &shown), 3);
    menu_take(menu, &(WindowInput){.wheel = 3.0, .width = WIDTH, .height = HEIGHT}, view);
    menu_show(menu, &view->menu);
    menu_take(menu, &(WindowInput){.wheel = -3.0, .width = WIDTH, .height = HEIGHT}, view);
    menu_show(menu, &view->menu);
    assert_int_equal(render_menu_first(view, WIDTH, HEIGHT, &shown), 3);
    assert_int_equal(menu_id(menu), 0);
    WindowInput up = {.width = WIDTH, .height = HEIGHT};
    up.pressed[WINDOW_UP] = 4; // the list goes back first, then the selection round to the end
    for (int k = 0; k < 2; k++) {
        menu_take(menu, &up, view);
        menu_show(menu, &view->menu);
    }
    assert_true(menu_id(menu) > 50);
    assert_true(render_menu_first(view, WIDTH, HEIGHT, &shown) > 30);
    free(menu);
    free(view);
}

/// ---- lists of thousands --------------------------------------------------------------------------------------------

enum { PEOPLE = 1000 };

/// Many trainees, "Trainee 0001" and so on, and one of another name.
static void store_people(void)
{
    Status status = {0};
    Results *results = results_open(NULL, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    results_close(results);
    sqlite3 *db = NULL;
    char path[DATA_PATH_LENGTH], sql[256];
    assert_good(user_data_path("results.db", path, &status), status);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "with recursive n(k) as (select 1 union all select k + 1 from n where k < %d) insert into trainee(name, "
             "created) select printf('Trainee %%04d', k), '' from n; insert into trainee(name, created) "
             "values('Zo\u00cb Ochs', '')",
             PEOPLE);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static const char *selected(const Shown *shown)
{
    int at = shown->view->menu.selected;
    return at >= 0 ? shown->view->menu.items[at].text : "";
}

/// Presses a key as often as it takes until an item is selected. False: it is not reached.
static bool reach(Shown *shown, WindowCommand command, const char *text, int most)
{
    for (int k = 0; k < most && strcmp(selected(shown), text) != 0; k++) {
        press(shown, command);
    }
    return strcmp(selected(shown), text) == 0;
}

/// Each one is reached by the arrows, by pages, from the end and by what is typed; none is left out.
TEST(a_thousand_trainees_can_be_chosen)
{
    Shown shown;
    begin_home(&shown);
    store_people();
    open_menu(&shown, &(RunOptions){0});
    assert_string_equal(shown.view->menu.title, "Who drives?");
    assert_non_null(strstr(shown.view->menu.subtitle, "Type to search"));
    assert_true(main_menu_searches(shown.menu));
    assert_string_equal(selected(&shown), "Nobody: drive without a name");
    assert_int_equal(shown.view->menu.whole, PEOPLE + 1 + 3); // new, nobody, back
    char name[32];
    for (int k = 1; k <= PEOPLE; k++) { // one after the other, in their order
        snprintf(name, sizeof name, "Trainee %04d", k);
        press(&shown, WINDOW_DOWN);
        assert_string_equal(selected(&shown), name);
    }
    press(&shown, WINDOW_DOWN);
    assert_string_equal(selected(&shown), "Zo\u00cb Ochs");
    press(&shown, WINDOW_DOWN);
    assert_string_equal(selected(&shown), "Back");
    press(&shown, WINDOW_DOWN); // round to the top
    assert_string_equal(selected(&shown), "A new name ...");
    press(&shown, WINDOW_UP); // and back to the end
    assert_string_equal(selected(&shown), "Back");
    press(&shown, WINDOW_FIRST);
    assert_string_equal(selected(&shown), "A new name ...");
    assert_true(reach(&shown, WINDOW_PAGE_DOWN, "Back", PEOPLE / 8)); // a page is more than eight
    press(&shown, WINDOW_PAGE_UP);
    assert_memory_equal(selected(&shown), "Trainee 09", 10);
    press(&shown, WINDOW_LAST);
    assert_string_equal(selected(&shown), "Back");
    assert_true(reach(&shown, WINDOW_UP, "Trainee 0255", PEOPLE));
    press(&shown, WINDOW_ACCEPT);
    find(&shown, "Driver: Trainee 0255");
    choose(&shown, "Driver: Trainee 0255"); // it is selected when the list is opened again
    assert_string_equal(selected(&shown), "Trainee 0255");
    end(&shown);
}

TEST(what_is_typed_searches_the_list)
{
    Shown shown;
    begin_home(&shown);
    store_people();
    open_menu(&shown, &(RunOptions){0});
    take(&shown, (WindowInput){.text = "299"});
    assert_non_null(strstr(shown.view->menu.subtitle, "Typed: 299_   (1 of 1001)"));
    assert_string_equal(selected(&shown), "Trainee 0299");
    take(&shown, (WindowInput){.erased = 1});
    assert_string_equal(selected(&shown), "Trainee 0029");
    assert_int_equal(shown.view->menu.whole, 20 + 3); // 29, 129, ..., 290 to 299
    press(&shown, WINDOW_BACK); // takes back what was typed, and stays
    assert_string_equal(shown.view->menu.title, "Who drives?");
    assert_int_equal(shown.view->menu.whole, PEOPLE + 4);
    take(&shown, (WindowInput){.text = "OCH zo\u00eb"}); // each word, small or not
    assert_string_equal(selected(&shown), "Zo\u00cb Ochs");
    take(&shown, (WindowInput){.text = "x"});
    assert_int_equal(find(&shown, "No match"), 2);
    choose(&shown, "A new name"); // who is not there yet begins with what was typed
    assert_string_equal(shown.view->menu.items[0].text, "OCH zo\u00ebx_");
    press(&shown, WINDOW_BACK);
    assert_int_equal(shown.view->menu.whole, PEOPLE + 4);
    end(&shown);
}

/// The wheel and the mouse reach them, too: the list moves on under the pointer to its end.
TEST(the_wheel_reaches_the_end_of_a_long_list)
{
    Shown shown;
    begin_home(&shown);
    store_people();
    open_menu(&shown, &(RunOptions){0});
    bool last = false;
    for (int k = 0; k < PEOPLE && !last; k++) {
        take(&shown, (WindowInput){.wheel = -3.0});
        last = shown.view->menu.before + shown.view->menu.count == shown.view->menu.whole;
        for (int n = 0; last && n < 200; n++) {
            take(&shown, (WindowInput){.wheel = -3.0});
        }
    }
    assert_true(last);
    int y = HEIGHT - 1, at = -1;
    for (; y > 0 && at < 0; y--) {
        at = render_menu_at(shown.view, WIDTH, HEIGHT, 300.0, y);
    }
    assert_string_equal(shown.view->menu.items[at].text, "Back");
    at = render_menu_at(shown.view, WIDTH, HEIGHT, 300.0, y - 60);
    char name[64];
    snprintf(name, sizeof name, "%s", shown.view->menu.items[at].text);
    take(&shown, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = y - 60});
    char driver[96];
    snprintf(driver, sizeof driver, "Driver: %s", name);
    find(&shown, driver);
    end(&shown);
}

TEST(three_hundred_recordings_are_listed)
{
    Shown shown;
    begin_home(&shown);
    for (int k = 0; k < 300; k++) {
        char name[96];
        snprintf(name, sizeof name, "recordings/trench-2026-01-01-%06d.spade", k);
        write_file(shown.home, name, "no recording\n");
    }
    open_menu(&shown, &(RunOptions){.trainee = "Ann"});
    choose(&shown, "Recordings");
    assert_int_equal(shown.view->menu.whole, 301);
    press(&shown, WINDOW_LAST);
    press(&shown, WINDOW_UP);
    assert_memory_equal(selected(&shown), "trench-2026-01-01-", 18);
    take(&shown, (WindowInput){.text = "000255"});
    assert_string_equal(selected(&shown), "trench-2026-01-01-000255.spade");
    assert_int_equal(press(&shown, WINDOW_ACCEPT), MAIN_STAYS);
    assert_non_null(strstr(shown.view->menu.subtitle, "is not a recording"));
    end(&shown);
}

TEST_GROUP(NULL, NULL)
