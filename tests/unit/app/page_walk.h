/// Shows each page of the main menu and each page over a drive to a function of the test, which draws or judges it.
#ifndef SPADEWORK_TESTS_PAGE_WALK_H
#define SPADEWORK_TESTS_PAGE_WALK_H

#include "tests/support/test.h"
#include "trainer/app/drive_pages.h"
#include "trainer/app/main_menu.h"
#include "trainer/app/session_view.h"

enum { PAGE_WALK_WIDTH = 1280, PAGE_WALK_HEIGHT = 720 };

/// where  the title of the page, or the scene that is driven
typedef void PageLook(const RenderView *view, const char *where);

static inline MainAnswer page_walk_press(MainMenu *menu, RenderView *view, WindowCommand command, const char *where,
                                         PageLook *look)
{
    WindowInput input = {.width = PAGE_WALK_WIDTH, .height = PAGE_WALK_HEIGHT};
    input.pressed[command] = 1;
    MainAnswer answer = main_menu_take(menu, &input, view);
    main_menu_show(menu, &view->menu);
    look(view, where);
    return answer;
}

/// Goes through all items of a page, and through the pages behind them.
static inline void page_walk_menu(MainMenu *menu, RenderView *view, int depth, PageLook *look)
{
    char title[MENU_TEXT];
    snprintf(title, sizeof title, "%s", view->menu.title);
    for (int k = 0; k < view->menu.count && k < 24; k++) {
        for (int n = 0; n < 2 * view->menu.count && view->menu.selected != k; n++) {
            page_walk_press(menu, view, WINDOW_DOWN, title, look);
        }
        if (view->menu.selected != k) {
            continue;
        }
        page_walk_press(menu, view, WINDOW_ACCEPT, title, look);
        if (strcmp(view->menu.title, title) != 0 && depth > 1) {
            page_walk_menu(menu, view, depth - 1, look);
        }
        for (int n = 0; n < 3 && strcmp(view->menu.title, title) != 0; n++) {
            page_walk_press(menu, view, WINDOW_BACK, title, look);
        }
    }
}

static inline void page_walk_show(const Menu *menu, const char *where, PageLook *look)
{
    static RenderView view;
    view = (RenderView){0};
    menu_show(menu, &view.menu);
    look(&view, where);
}

/// The pause, the questions before leaving, a failure, the briefing, a question and the end of a drive.
static inline void page_walk_drive(Drive *drive, SessionView *own, const char *name, PageLook *look)
{
    static Menu menu;
    DrivePictures pictures = {0};
    const SceneParams *scene = session_view_scene(own, drive->session);
    const Exercise *exercise = session_exercise(drive->session);
    drive_pages_pause(&menu, drive, scene, language_text("Paused"),
                      &(PauseShows){.axes = true, .camera = language_text("cab")});
    page_walk_show(&menu, name, look);
    drive_pages_leave(&menu, drive, true);
    page_walk_show(&menu, name, look);
    drive_pages_failure(&menu, drive);
    page_walk_show(&menu, name, look);
    drive_pages_briefing(&menu, drive, scene, true, TEXT_UNITS_IMPERIAL, &pictures);
    page_walk_show(&menu, name, look);
    drive_pictures_free(&pictures);
    if (exercise_question(exercise) >= 0) {
        question_page_begin(&menu, &scene->exercise, exercise);
        page_walk_show(&menu, name, look);
    }
    ScoreTrail trail = {0};
    EndPage page = {.scene = scene,
                    .exercise = exercise,
                    .trail = &trail,
                    .dt = session_dt(drive->session),
                    .runs = true,
                    .recorded = true,
                    .from_menu = true};
    end_page_fill(&page, &menu, NULL);
    page_walk_show(&menu, name, look);
}

#endif
