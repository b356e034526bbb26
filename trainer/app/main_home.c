/// The page that the others are reached from, and the one that asks before the program ends.
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/main_menu_internal.h"
#include "trainer/app/pictures.h"

enum {
    ITEM_STRANGER = 100,
    ITEM_NEXT,
    ITEM_FREE,
    ITEM_OWN,
    ITEM_RECORDINGS,
    ITEM_DRIVER,
    ITEM_OPERATOR,
    ITEM_SETTINGS,
    ITEM_TOUR,
    ITEM_QUIT
};

/// ---- which exercise is next ----------------------------------------------------------------------------------------

const CatalogueStep *main_menu_next(const MainMenu *self, const CatalogueCourse *course)
{
    for (int k = 0; k < course->step_count; k++) {
        if (course->steps[k].open && !self->catalogue.scenes[course->steps[k].scene].passed) {
            return &course->steps[k];
        }
    }
    return course->step_count > 0 ? &course->steps[course->step_count - 1] : NULL;
}

int main_menu_course(const MainMenu *self)
{
    int found = -1, most = -1;
    for (int k = 0; k < self->catalogue.course_count; k++) {
        const CatalogueCourse *course = &self->catalogue.courses[k];
        int driven = 0;
        for (int step = 0; step < course->step_count; step++) {
            driven += self->catalogue.scenes[course->steps[step].scene].attempts > 0;
        }
        bool open = course->step_count > 0 && course->passed < course->step_count;
        if (open && driven > most) {
            found = k;
            most = driven;
        }
    }
    return found;
}

/// "Begin: 1. Walk round and start up", where there is a course that is not passed yet.
static void add_next(MainMenu *self)
{
    int index = main_menu_course(self);
    if (index < 0) {
        return;
    }
    const CatalogueCourse *course = &self->catalogue.courses[index];
    const CatalogueStep *next = main_menu_next(self, course);
    char text[MENU_TEXT];
    bool begins = next == course->steps && self->catalogue.scenes[next->scene].attempts == 0;
    snprintf(text, sizeof text, begins ? language_text("Begin: %d. %s") : language_text("Go on: %d. %s"),
             (int)(next - course->steps) + 1, self->catalogue.scenes[next->scene].title);
    menu_add(&self->menu, ITEM_NEXT, text, "");
}

void main_menu_print_driver(const MainMenu *self, char text[MENU_TEXT])
{
    if (self->trainee[0] != '\0') {
        snprintf(text, MENU_TEXT, language_text("Driver: %s"), self->trainee);
    } else {
        snprintf(text, MENU_TEXT, "%s", language_text("Driver: nobody named"));
    }
}

/// ---- home ----------------------------------------------------------------------------------------------------------

static void count_scenes(const Catalogue *catalogue, int *free_scenes, int *own)
{
    *free_scenes = *own = 0;
    for (int k = 0; k < catalogue->scene_count; k++) {
        *own += catalogue->scenes[k].own;
        *free_scenes += !catalogue->scenes[k].own && !catalogue->scenes[k].in_course;
    }
}

static void add_counted(Menu *menu, int id, const char *text, int count)
{
    MenuItem *item = menu_add(menu, id, text, "");
    if (item != NULL) {
        snprintf(item->value, sizeof item->value, "%d", count);
    }
}

static bool is_automatic(const MainMenu *self)
{
    return self->options.operator_name != NULL && strcmp(self->options.operator_name, "auto") == 0;
}

static void fill_home(MainMenu *self)
{
    Menu *menu = &self->menu;
    char text[MENU_TEXT];
    int free_scenes = 0, own = 0;
    main_menu_begin(self, "Spadework", language_text("Choose what to drive"));
    if (self->stranger[0] != '\0') {
        snprintf(text, sizeof text, language_text("Set up: %s"), self->stranger);
        menu_add(menu, ITEM_STRANGER, text, language_text("It is plugged in, and its levers are not known"));
    }
    add_next(self);
    for (int k = 0; k < self->catalogue.course_count; k++) {
        const CatalogueCourse *course = &self->catalogue.courses[k];
        MenuItem *item = menu_add(menu, k, course->title, course->fault);
        if (item != NULL && course->fault[0] == '\0') {
            snprintf(item->value, sizeof item->value, language_text("%d of %d passed"), course->passed,
                     course->step_count);
        }
    }
    count_scenes(&self->catalogue, &free_scenes, &own);
    add_counted(menu, ITEM_FREE, language_text("Other scenes"), free_scenes);
    add_counted(menu, ITEM_OWN, language_text("My own scenes"), own);
    add_counted(menu, ITEM_RECORDINGS, language_text("Recordings"), self->recordings.count);
    main_menu_print_driver(self, text);
    menu_add(menu, ITEM_DRIVER, text, "");
    menu_add_value(menu, ITEM_OPERATOR, language_text("Who moves the levers"),
                   is_automatic(self) ? language_text("The program") : language_text("You"));
    menu_add(menu, ITEM_SETTINGS, language_text("Settings"), "");
    menu_add(menu, ITEM_TOUR, language_text("The tour for beginners"), "");
    menu_add(menu, ITEM_QUIT, language_text("End Spadework"), "");
}

static void tell_course(MainMenu *self, const CatalogueCourse *course)
{
    const CatalogueStep *next = main_menu_next(self, course);
    if (next != NULL) {
        const CatalogueScene *scene = &self->catalogue.scenes[next->scene];
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, language_text("%s\n\nNext: %d. %s"), course->description,
                 (int)(next - course->steps) + 1, scene->title);
        self->picture = main_menu_scene_picture(self, scene);
    } else {
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", course->fault);
    }
}

static const struct {
    int id;
    const char *text;
} home_texts[] = {
    {ITEM_STRANGER,
     TEXT("Each lever is asked for once, and the answers are kept. You can do it later from the settings.")},
    {ITEM_DRIVER,
     TEXT("Recordings and results carry the name, and it opens the exercises of a course one after the other.")},
    {ITEM_FREE, TEXT("Sites to try things on and exercises that are in no course.")},
    {ITEM_OWN, TEXT("Scenes from your own folder.")},
    {ITEM_RECORDINGS, TEXT("Everything that was driven here, to be watched, taken over and talked over.")},
    {ITEM_OPERATOR,
     TEXT("You, or the program: then the scripted operator drives what you choose, and you watch how it is "
          "done.")},
    {ITEM_SETTINGS, TEXT("Levers and their set-up, sound, picture, gauges, language.")},
    {ITEM_TOUR, TEXT("What you drive with, which lever moves what, and the first exercise.")},
};

static void tell_next(MainMenu *self)
{
    const CatalogueCourse *course = &self->catalogue.courses[main_menu_course(self)];
    const CatalogueScene *scene = &self->catalogue.scenes[main_menu_next(self, course)->scene];
    snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s\n\n%s", scene->description, course->title);
    self->picture = main_menu_scene_picture(self, scene);
}

static void tell_home(MainMenu *self, int id)
{
    if (id >= 0 && id < self->catalogue.course_count) {
        tell_course(self, &self->catalogue.courses[id]);
        return;
    }
    if (id == ITEM_NEXT) {
        tell_next(self);
        return;
    }
    for (size_t k = 0; k < sizeof home_texts / sizeof home_texts[0]; k++) {
        if (home_texts[k].id == id) {
            snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", language_text(home_texts[k].text));
        }
    }
}

static MainAnswer change_home(MainMenu *self, int id, int step)
{
    (void)step; // there are two
    if (id == ITEM_OPERATOR) {
        self->options.operator_name = is_automatic(self) ? NULL : "auto";
        main_menu_go(self, MAIN_HOME);
    }
    return MAIN_STAYS;
}

static MainAnswer drive_next(MainMenu *self)
{
    self->course = main_menu_course(self);
    const CatalogueCourse *course = &self->catalogue.courses[self->course];
    const CatalogueStep *next = main_menu_next(self, course);
    return main_menu_drive(self, &self->catalogue.scenes[next->scene], course->name);
}

static MainAnswer choose_home(MainMenu *self, int id)
{
    static const struct {
        int id;
        MainPageKind page;
    } ways[] = {{ITEM_FREE, MAIN_FREE},     {ITEM_OWN, MAIN_OWN},           {ITEM_RECORDINGS, MAIN_RECORDINGS},
                {ITEM_DRIVER, MAIN_PEOPLE}, {ITEM_SETTINGS, MAIN_SETTINGS}, {ITEM_TOUR, MAIN_HELLO},
                {ITEM_QUIT, MAIN_LEAVE}};
    if (id >= 0 && id < self->catalogue.course_count) {
        self->chosen[MAIN_COURSE] = self->course == id ? self->chosen[MAIN_COURSE] : -1;
        self->course = id;
        main_menu_go(self, MAIN_COURSE);
    } else if (id == ITEM_STRANGER) {
        main_menu_set_up(self, MAIN_HOME);
    } else if (id == ITEM_NEXT) {
        return drive_next(self);
    }
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        if (ways[k].id == id) {
            main_menu_go(self, ways[k].page);
        }
    }
    return change_home(self, id, 1);
}

/// A device that comes or goes is told at once.
static MainLook look_home(MainMenu *self, WindowInput *input)
{
    char name[sizeof self->stranger];
    (void)input; // commands are the menu's
    if (!main_menu_stranger(self, name)) {
        name[0] = '\0';
    }
    if (strcmp(name, self->stranger) == 0) {
        return MAIN_LOOK_NOTHING;
    }
    memcpy(self->stranger, name, sizeof name);
    return MAIN_LOOK_SHOWS;
}

const MainPage main_page_home = {.fill = fill_home,
                                 .tell = tell_home,
                                 .choose = choose_home,
                                 .change = change_home,
                                 .back = MAIN_LEAVE,
                                 .look = look_home};

/// ---- the end -------------------------------------------------------------------------------------------------------

enum { ITEM_END = 1 };

static void fill_leave(MainMenu *self)
{
    main_menu_begin(self, language_text("End Spadework?"), language_text("What was driven is kept"));
    menu_add(&self->menu, ITEM_END, language_text("End it"), "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Stay"), "");
    self->chosen[MAIN_LEAVE] = ITEM_END;
}

static MainAnswer choose_leave(MainMenu *self, int id)
{
    (void)self;
    return id == ITEM_END ? MAIN_LEAVES : MAIN_STAYS;
}

const MainPage main_page_leave = {.fill = fill_leave, .choose = choose_leave};
