/// Pages and the way between them, and the page that the others are reached from.
#include "trainer/screens/main_menu/main_menu_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/results_remembered.h"
#include "trainer/screens/pictures/pictures.h"

/// ---- pages ---------------------------------------------------------------------------------------------------------

static const MainPage *const pages[MAIN_PAGES] = {
    [MAIN_HOME] = &main_page_home,
    [MAIN_PEOPLE] = &main_page_people,
    [MAIN_NAME] = &main_page_name,
    [MAIN_COURSE] = &main_page_course,
    [MAIN_FREE] = &main_page_free,
    [MAIN_OWN] = &main_page_own,
    [MAIN_RECORDINGS] = &main_page_recordings,
};

/// Text and picture beside the items, when another one is selected.
static void tell_selected(MainMenu *self)
{
    int id = menu_id(&self->menu);
    if (pages[self->page]->tell == NULL || id == self->side_of) {
        return;
    }
    pictures_free(self->picture);
    self->picture = NULL;
    self->side_of = id;
    self->menu.has_side = true;
    self->menu.side_text[0] = '\0';
    pages[self->page]->tell(self, id);
    self->menu.pictures[0] = self->picture;
}

void main_menu_begin(MainMenu *self, const char *title, const char *usual)
{
    menu_start(&self->menu, title, self->told[0] != '\0' ? self->told : usual);
}

void main_menu_go(MainMenu *self, MainPageKind page)
{
    self->page = page;
    pages[page]->fill(self);
    menu_select(&self->menu, self->chosen[page]);
    self->side_of = -2;
    tell_selected(self);
}

MainAnswer main_menu_take(MainMenu *self, const WindowInput *input, const RenderView *view)
{
    MainPageKind page = self->page;
    WindowInput rest = *input;
    if (page == MAIN_NAME) {
        main_menu_type(self, &rest);
    }
    MenuAnswer answer = menu_take(&self->menu, &rest, view);
    int id = menu_id(&self->menu);
    self->chosen[page] = id;
    if (answer == MENU_BACK || (answer == MENU_CHOSEN && id == MAIN_ITEM_BACK)) {
        self->told[0] = '\0';
        if (page == MAIN_HOME) {
            return MAIN_LEAVES;
        }
        main_menu_go(self, pages[page]->back);
    } else if (answer == MENU_CHOSEN) {
        self->told[0] = '\0';
        return pages[page]->choose(self, id);
    } else if ((answer == MENU_LEFT || answer == MENU_RIGHT) && pages[page]->change != NULL) {
        pages[page]->change(self, id, answer == MENU_LEFT ? -1 : 1);
    }
    tell_selected(self);
    return MAIN_STAYS;
}

bool main_menu_types(const MainMenu *self)
{
    return self->page == MAIN_NAME;
}

void main_menu_show(MainMenu *self, RenderMenu *shown)
{
    menu_show(&self->menu, shown);
}

const RunOptions *main_menu_options(const MainMenu *self)
{
    return &self->options;
}

const char *main_menu_recording(const MainMenu *self)
{
    return self->recording;
}

void main_menu_print_time(double seconds, char text[16])
{
    int whole = seconds > 0.0 && seconds < 1e6 ? (int)seconds : 0;
    snprintf(text, 16, "%d:%02d", whole / 60, whole % 60);
}

/// ---- what there is -------------------------------------------------------------------------------------------------

/// A control map that is no shipped one takes its place behind those. False when it cannot be loaded.
static bool add_given_controls(MainMenu *self, Status *status)
{
    for (int k = 0; k < self->controls_count; k++) {
        if (strcmp(self->controls[k].name, self->options.controls) == 0) {
            self->controls_index = k;
            return true;
        }
    }
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    bool good = data_load_controls(self->options.controls, params, NULL, status);
    if (good) {
        self->given_controls = self->options.controls;
        self->controls_index = self->controls_count++;
        snprintf(self->controls[self->controls_index].title, sizeof self->controls[0].title, "%s", params->title);
    }
    free(params);
    return good;
}

/// What results and recordings tell; what cannot be read is told, and the menu goes on without.
static void read_results(MainMenu *self)
{
    Status status;
    free(self->trainees);
    self->trainees = NULL;
    self->trainee_count = 0;
    results_recordings_free(&self->recordings);
    bool good = catalogue_judge(&self->catalogue, self->options.results, self->trainee, &status);
    Status other;
    Results *results = good ? results_open(self->options.results, RESULTS_READ, &other) : NULL;
    int count = results != NULL ? results_trainees(results, NULL, &self->trainees, &other) : 0;
    self->trainee_count = count > 0 ? count : 0;
    results_close(results);
    bool listed = results_recordings(NULL, &self->recordings, &other);
    if (self->told[0] == '\0' && !(good && listed)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, good ? other.text : status.text);
    }
}

MainMenu *main_menu_create(const RunOptions *defaults, Status *status)
{
    MainMenu *self = calloc(1, sizeof *self);
    if (self == NULL) {
        abort();
    }
    self->options = *defaults;
    self->options.controls = defaults->controls != NULL ? defaults->controls : "iso";
    self->controls_count = data_list("controls", self->controls, MAIN_MOST_CONTROLS, status);
    if (self->controls_count < 0 || !add_given_controls(self, status) || !catalogue_read(&self->catalogue, status)) {
        main_menu_destroy(self);
        return NULL;
    }
    for (int k = 0; k < MAIN_PAGES; k++) {
        self->chosen[k] = -1;
    }
    if (defaults->trainee != NULL) {
        snprintf(self->trainee, sizeof self->trainee, "%s", defaults->trainee);
    } else {
        results_remembered(self->trainee);
    }
    read_results(self);
    main_menu_go(self, defaults->trainee != NULL ? MAIN_HOME : MAIN_PEOPLE);
    return self;
}

void main_menu_destroy(MainMenu *self)
{
    if (self != NULL) {
        pictures_free(self->picture);
        results_recordings_free(&self->recordings);
        free(self->trainees);
        catalogue_free(&self->catalogue);
        free(self);
    }
}

void main_menu_return(MainMenu *self, const char *told)
{
    Status status;
    Catalogue catalogue;
    snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, told != NULL ? told : "");
    char course[COURSE_NAME_LENGTH] = "";
    if (self->catalogue.course_count > 0) {
        snprintf(course, sizeof course, "%s", self->catalogue.courses[self->course].name);
    }
    if (catalogue_read(&catalogue, &status)) {
        catalogue_free(&self->catalogue);
        self->catalogue = catalogue;
    }
    self->course = 0;
    for (int k = 0; k < self->catalogue.course_count; k++) {
        self->course = strcmp(self->catalogue.courses[k].name, course) == 0 ? k : self->course;
    }
    read_results(self);
    main_menu_go(self, self->page);
}

/// ---- home ----------------------------------------------------------------------------------------------------------

enum { ITEM_DRIVER = 100, ITEM_FREE, ITEM_OWN, ITEM_RECORDINGS, ITEM_CONTROLS, ITEM_OPERATOR, ITEM_QUIT };

static void count_scenes(const Catalogue *catalogue, int *free_scenes, int *own)
{
    *free_scenes = *own = 0;
    for (int k = 0; k < catalogue->scene_count; k++) {
        *own += catalogue->scenes[k].own;
        *free_scenes += !catalogue->scenes[k].own && !catalogue->scenes[k].in_course;
    }
}

static void add_counted(Menu *menu, int id, const char *text, const char *detail, int count, const char *what)
{
    MenuItem *item = menu_add(menu, id, text, detail);
    if (item != NULL) {
        snprintf(item->value, sizeof item->value, "%d %s%s", count, what, count == 1 ? "" : "s");
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
    main_menu_begin(self, "Spadework", "Choose what to drive");
    snprintf(text, sizeof text, "Driver: %s", self->trainee[0] != '\0' ? self->trainee : "nobody named");
    menu_add(menu, ITEM_DRIVER, text, "");
    for (int k = 0; k < self->catalogue.course_count; k++) {
        const CatalogueCourse *course = &self->catalogue.courses[k];
        MenuItem *item = menu_add(menu, k, course->title, course->fault);
        if (item != NULL && course->fault[0] == '\0') {
            snprintf(item->value, sizeof item->value, "%d of %d passed", course->passed, course->step_count);
        }
    }
    count_scenes(&self->catalogue, &free_scenes, &own);
    add_counted(menu, ITEM_FREE, "Other scenes", "", free_scenes, "scene");
    add_counted(menu, ITEM_OWN, "My own scenes", "", own, "scene");
    add_counted(menu, ITEM_RECORDINGS, "Recordings", "", self->recordings.count, "recording");
    snprintf(text, sizeof text, "Levers: %s", self->controls[self->controls_index].title);
    menu_add(menu, ITEM_CONTROLS, text, "Left/Right: other pattern");
    menu_add(menu, ITEM_OPERATOR, is_automatic(self) ? "Operator: automatic" : "Operator: you (gamepad, keyboard)",
             "Left/Right: who moves the levers");
    menu_add(menu, ITEM_QUIT, "Quit", "");
}

/// The exercise of a course that is to be driven next: the first that is open and not passed, else the last one.
static const CatalogueStep *next_step(const Catalogue *catalogue, const CatalogueCourse *course)
{
    for (int k = 0; k < course->step_count; k++) {
        if (course->steps[k].open && !catalogue->scenes[course->steps[k].scene].passed) {
            return &course->steps[k];
        }
    }
    return course->step_count > 0 ? &course->steps[course->step_count - 1] : NULL;
}

static void tell_course(MainMenu *self, const CatalogueCourse *course)
{
    const CatalogueStep *next = next_step(&self->catalogue, course);
    if (next != NULL) {
        const CatalogueScene *scene = &self->catalogue.scenes[next->scene];
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s\n\nNext: %d. %s", course->description,
                 (int)(next - course->steps) + 1, scene->title);
        self->picture = main_menu_scene_picture(scene);
    } else {
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", course->fault);
    }
}

static const struct {
    int id;
    const char *text;
} home_texts[] = {
    {ITEM_DRIVER, "Recordings and results carry the name, and it opens the exercises of a course one after the other."},
    {ITEM_FREE, "Sites to try things on and exercises that are in no course."},
    {ITEM_OWN, "Scenes from your own folder."},
    {ITEM_RECORDINGS, "Everything that was driven here, to be watched, taken over and talked over."},
    {ITEM_CONTROLS, "Which stick moves what. The bulldozer has a pattern of its own."},
    {ITEM_OPERATOR, "You, or the scripted operator: watch how it is done."},
};

static void tell_home(MainMenu *self, int id)
{
    if (id >= 0 && id < self->catalogue.course_count) {
        tell_course(self, &self->catalogue.courses[id]);
        return;
    }
    for (size_t k = 0; k < sizeof home_texts / sizeof home_texts[0]; k++) {
        if (home_texts[k].id == id) {
            snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", home_texts[k].text);
        }
    }
}

static void change_home(MainMenu *self, int id, int step)
{
    if (id == ITEM_CONTROLS) {
        self->controls_index = (self->controls_index + step + self->controls_count) % self->controls_count;
        bool given = self->given_controls != NULL && self->controls_index == self->controls_count - 1;
        self->options.controls = given ? self->given_controls : self->controls[self->controls_index].name;
    } else if (id == ITEM_OPERATOR) {
        self->options.operator_name = is_automatic(self) ? NULL : "auto";
    } else {
        return;
    }
    main_menu_go(self, MAIN_HOME);
}

static MainAnswer choose_home(MainMenu *self, int id)
{
    static const MainPageKind pages_of[] = {MAIN_PEOPLE, MAIN_FREE, MAIN_OWN, MAIN_RECORDINGS};
    if (id == ITEM_QUIT) {
        return MAIN_LEAVES;
    }
    if (id >= ITEM_DRIVER && id <= ITEM_RECORDINGS) {
        main_menu_go(self, pages_of[id - ITEM_DRIVER]);
    } else if (id >= 0 && id < self->catalogue.course_count) {
        self->chosen[MAIN_COURSE] = self->course == id ? self->chosen[MAIN_COURSE] : -1;
        self->course = id;
        main_menu_go(self, MAIN_COURSE);
    } else {
        change_home(self, id, 1);
    }
    return MAIN_STAYS;
}

const MainPage main_page_home = {fill_home, tell_home, choose_home, change_home, MAIN_HOME};
