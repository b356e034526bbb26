/// Runs the main menu: the table of its pages, and those of trainee, first page and leaving.
#include "trainer/app/main_menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/main_menu_internal.h"
#include "trainer/app/menu.h"
#include "trainer/results/results.h"

/// ---- trainee -------------------------------------------------------------------------------------------------------

/// Choice of the trainee: one of the results, a new name, or none.

enum { ITEM_NEW = MAIN_ITEM_OWN, ITEM_NOBODY, ITEM_REMEMBERED };

static bool is_known(const MainMenu *self, const char *name)
{
    for (int k = 0; k < self->trainee_count; k++) {
        if (strcmp(self->trainees[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/// Items for a new name and for nobody, above the list.
static void fill_head(const MainMenu *self, int k, MenuItem *item)
{
    item->id = k == 0 ? ITEM_NEW : k == 1 ? ITEM_NOBODY : ITEM_REMEMBERED;
    snprintf(item->text, sizeof item->text, "%s",
             k == 0   ? language_text("A new name ...")
             : k == 1 ? language_text("Nobody: drive without a name")
                      : self->trainee);
}

static void fill_trainee(const MainMenu *self, int index, MenuItem *item)
{
    const ResultTrainee *trainee = &self->trainees[index];
    snprintf(item->text, sizeof item->text, "%s", trainee->name);
    snprintf(item->value, sizeof item->value,
             language_text(trainee->attempts == 1 ? TEXT("%d drive, %d passed") : TEXT("%d drives, %d passed")),
             trainee->attempts, trainee->passed);
}

static void name_trainee(const MainMenu *self, int index, char *text, size_t size)
{
    snprintf(text, size, "%s", self->trainees[index].name);
}

static void fill_people(MainMenu *self)
{
    static const MainList list = {.head = 2, .fill_head = fill_head, .fill = fill_trainee, .name = name_trainee};
    static const MainList with_remembered = {
        .head = 3, .fill_head = fill_head, .fill = fill_trainee, .name = name_trainee};
    bool remembered = self->trainee[0] != '\0' && !is_known(self, self->trainee); // but without results
    int chosen = remembered ? ITEM_REMEMBERED : self->trainee_count > 0 ? ITEM_NOBODY : ITEM_NEW;
    main_menu_begin(self, language_text("Who drives?"),
                    language_text("Recordings and results are stored under this name"));
    main_list_fill(self, remembered ? &with_remembered : &list, self->trainee_count);
    for (int k = 0; k < self->trainee_count; k++) {
        chosen = strcmp(self->trainees[k].name, self->trainee) == 0 ? k : chosen;
    }
    self->chosen[MAIN_PEOPLE] = chosen;
}

/// Sets the trainee. A failure to store the name is shown.
static void name_driver(MainMenu *self, const char *name)
{
    char kept[RESULT_NAME], told[MENU_SUBTITLE] = "";
    Status status;
    snprintf(kept, sizeof kept, "%s", name); // `name` may lie in what is read anew
    if (!results_remember(kept, &status)) {
        snprintf(told, sizeof told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
    snprintf(self->trainee, sizeof self->trainee, "%s", kept);
    self->page = self->after_people;
    self->after_people = MAIN_HOME;
    main_menu_return(self, told);
}

static MainAnswer choose_person(MainMenu *self, int id)
{
    if (id == ITEM_NEW) {
        snprintf(self->typed, sizeof self->typed, "%s", self->filter); // the name that was searched for and not found
        main_menu_go(self, MAIN_NAME);
    } else if (id == ITEM_REMEMBERED) {
        name_driver(self, self->trainee);
    } else {
        name_driver(self, id >= 0 && id < self->trainee_count ? self->trainees[id].name : "");
    }
    return MAIN_STAYS;
}

/// ---- a new name ----------------------------------------------------------------------------------------------------

enum { ITEM_DONE, ITEM_LETTER, ITEM_MORE, ITEM_ERASE };

static void fill_name(MainMenu *self)
{
    char text[MENU_TEXT];
    main_menu_begin(self, language_text("A new name"),
                    language_text("Type it.   Pad: up and down change the last letter, right adds one, left erases"));
    snprintf(text, sizeof text, "%s_", self->typed);
    menu_tell(&self->menu, RENDER_MENU_TELLS, text);
    menu_add(&self->menu, ITEM_DONE, language_text("Drive under this name"), "");
    size_t length = strlen(self->typed); // mouse and fingers change the last letter by its arrows
    bool plain = length > 0 && ((unsigned char)self->typed[length - 1] & 0x80U) == 0;
    menu_add_value(&self->menu, ITEM_LETTER, language_text("Last letter"), plain ? &self->typed[length - 1] : "");
    menu_add(&self->menu, ITEM_MORE, language_text("One more letter"), "");
    menu_add(&self->menu, ITEM_ERASE, language_text("Erase the last letter"), "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
    snprintf(self->menu.footer, MENU_TEXT,
             language_text("Enter, A or click: take this name   Esc, B or right click: back"));
}

/// The next letter of a wheel of letters, on or back.
static void turn_last(char *name, int step)
{
    static const char wheel[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .-";
    const int letters = (int)sizeof wheel - 1;
    size_t length = strlen(name);
    const char *at = length > 0 ? strchr(wheel, name[length - 1]) : NULL;
    int now = at != NULL ? (int)(at - wheel) + step : 0;
    if (length == 0) {
        snprintf(name, RESULT_NAME, "A");
    } else if (((unsigned char)name[length - 1] & 0x80U) == 0) {
        name[length - 1] = wheel[(now % letters + letters) % letters];
    }
}

/// Removes typed text from the input, by keys or letter by letter with the pad.
/// While the window takes text, the arrow commands come from the pad alone, and what accepts takes the name wherever
/// the mouse is.
static void edit_name(MainMenu *self, WindowInput *input)
{
    char before[RESULT_NAME];
    snprintf(before, sizeof before, "%s", self->typed);
    input->erased += input->pressed[WINDOW_LEFT];
    window_edit_text(input, self->typed, sizeof self->typed);
    for (int k = 0; k < input->pressed[WINDOW_RIGHT]; k++) {
        window_edit_text(&(WindowInput){.text = "a"}, self->typed, sizeof self->typed);
    }
    int turn = input->pressed[WINDOW_DOWN] - input->pressed[WINDOW_UP];
    if (turn != 0) {
        turn_last(self->typed, turn);
    }
    if (strcmp(before, self->typed) != 0) {
        self->told[0] = '\0'; // what was wrong with the name before
        fill_name(self);
    }
    input->pressed[WINDOW_LEFT] = input->pressed[WINDOW_RIGHT] = 0;
    input->pressed[WINDOW_UP] = input->pressed[WINDOW_DOWN] = 0;
    if (input->pressed[WINDOW_ACCEPT] > 0) {
        menu_select(&self->menu, ITEM_DONE);
    }
}

/// By mouse or finger.
static MainAnswer change_name(MainMenu *self, int id, int step)
{
    if (id == ITEM_LETTER || id == ITEM_MORE || id == ITEM_ERASE) {
        window_edit_text(&(WindowInput){.erased = id == ITEM_ERASE, .text = {id == ITEM_MORE ? 'a' : '\0'}},
                         self->typed, sizeof self->typed);
        if (id == ITEM_LETTER) {
            turn_last(self->typed, step);
        }
        MenuPlace place = menu_place(&self->menu);
        fill_name(self);
        menu_keep_place(&self->menu, &place);
    }
    return MAIN_STAYS;
}

static MainAnswer choose_name(MainMenu *self, int id)
{
    Status status;
    if (id != ITEM_DONE) {
        return change_name(self, id, 1);
    }
    if (results_check_name("the name", self->typed, &status)) {
        name_driver(self, self->typed);
    } else {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1,
                 self->typed[0] == '\0' ? language_text("Type a name first") : status.text);
        fill_name(self);
    }
    return MAIN_STAYS;
}

static void leave_people(MainMenu *self)
{
    MainPageKind after = self->after_people;
    self->after_people = MAIN_HOME;
    main_menu_go(self, after);
}

static const MainPage main_page_people = {
    .fill = fill_people, .choose = choose_person, .go_back = leave_people, .lists = true};
static const MainPage main_page_name = {
    .fill = fill_name, .choose = choose_name, .change = change_name, .back = MAIN_PEOPLE};

/// ---- first page ----------------------------------------------------------------------------------------------------

/// The first page, and the question before the program ends.

enum {
    ITEM_STRANGER = 100,
    ITEM_NEXT,
    ITEM_FREE,
    ITEM_OWN,
    ITEM_RECORDINGS,
    ITEM_DRIVER,
    ITEM_OPERATOR,
    ITEM_CONDITIONS,
    ITEM_CONTROLS,
    ITEM_SETTINGS,
    ITEM_TOUR,
    ITEM_QUIT
};

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
    main_menu_add_conditions(self, ITEM_CONDITIONS);
    menu_add(menu, ITEM_CONTROLS, language_text("Controls"), "");
    menu_add(menu, ITEM_SETTINGS, language_text("Settings"), "");
    menu_add(menu, ITEM_TOUR, language_text("The tour for beginners"), "");
    menu_add(menu, ITEM_QUIT, language_text("Quit Spadework"), "");
}

static void describe_course(MainMenu *self, const CatalogueCourse *course)
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
     TEXT("Each lever is asked for once, and the answers are saved. You can also do this later in the settings.")},
    {ITEM_DRIVER, TEXT("Recordings and results are stored under this name, and it opens the exercises of a course one "
                       "after the other.")},
    {ITEM_FREE, TEXT("Practice sites, and exercises that belong to no course.")},
    {ITEM_OWN, TEXT("Scenes from your own folder.")},
    {ITEM_RECORDINGS, TEXT("All drives recorded here: watch them, take over at any point, discuss them.")},
    {ITEM_OPERATOR, TEXT("You or the program: the scripted operator then drives what you choose while you watch.")},
    {ITEM_CONDITIONS, TEXT("Time of day, weather, soil and machine of what you drive next.")},
    {ITEM_CONTROLS,
     TEXT("A picture of keyboard, gamepad or joysticks that moves with them: what each does on an excavator "
          "and on a bulldozer.")},
    {ITEM_SETTINGS, TEXT("Levers and their set-up, sound, picture, gauges, language.")},
    {ITEM_TOUR, TEXT("What you drive with, which lever moves what, and the first exercise.")},
};

static void describe_next(MainMenu *self)
{
    const CatalogueCourse *course = &self->catalogue.courses[main_menu_course(self)];
    const CatalogueScene *scene = &self->catalogue.scenes[main_menu_next(self, course)->scene];
    snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s\n\n%s", scene->description, course->title);
    self->picture = main_menu_scene_picture(self, scene);
}

static void describe_home(MainMenu *self, int id)
{
    if (id >= 0 && id < self->catalogue.course_count) {
        describe_course(self, &self->catalogue.courses[id]);
        return;
    }
    if (id == ITEM_NEXT) {
        describe_next(self);
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
                {ITEM_DRIVER, MAIN_PEOPLE}, {ITEM_CONTROLS, MAIN_CONTROLS}, {ITEM_SETTINGS, MAIN_SETTINGS},
                {ITEM_TOUR, MAIN_HELLO},    {ITEM_QUIT, MAIN_LEAVE}};
    if (id >= 0 && id < self->catalogue.course_count) {
        self->chosen[MAIN_COURSE] = self->course == id ? self->chosen[MAIN_COURSE] : -1;
        self->course = id;
        main_menu_go(self, MAIN_COURSE);
    } else if (id == ITEM_STRANGER) {
        main_menu_set_up(self, MAIN_HOME);
    } else if (id == ITEM_NEXT) {
        return drive_next(self);
    } else if (id == ITEM_CONDITIONS) {
        main_menu_choose_conditions(self, MAIN_HOME);
    }
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        if (ways[k].id == id) {
            main_menu_go(self, ways[k].page);
        }
    }
    return change_home(self, id, 1);
}

/// Refreshes the page when a device is plugged in or out.
static MainPoll poll_home(MainMenu *self, WindowInput *input)
{
    char name[sizeof self->stranger];
    (void)input; // commands are the menu's
    if (!main_menu_stranger(self, name)) {
        name[0] = '\0';
    }
    if (strcmp(name, self->stranger) == 0) {
        return MAIN_POLL_NOTHING;
    }
    memcpy(self->stranger, name, sizeof name);
    return MAIN_POLL_FILL;
}

static const MainPage main_page_home = {.fill = fill_home,
                                        .describe = describe_home,
                                        .choose = choose_home,
                                        .change = change_home,
                                        .back = MAIN_LEAVE,
                                        .poll = poll_home};

/// ---- the end -------------------------------------------------------------------------------------------------------

enum { ITEM_END = 1 };

static void fill_leave(MainMenu *self)
{
    main_menu_begin(self, language_text("Quit Spadework?"), language_text("All recordings are kept"));
    menu_add(&self->menu, ITEM_END, language_text("Quit"), "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Stay"), "");
    self->chosen[MAIN_LEAVE] = ITEM_END;
}

static MainAnswer choose_leave(MainMenu *self, int id)
{
    (void)self;
    return id == ITEM_END ? MAIN_LEAVES : MAIN_STAYS;
}

static const MainPage main_page_leave = {.fill = fill_leave, .choose = choose_leave};

/// ---- the menu ------------------------------------------------------------------------------------------------------

static const MainPage *const pages[MAIN_PAGES] = {
    [MAIN_HOME] = &main_page_home,     [MAIN_LEAVE] = &main_page_leave,           [MAIN_SETTINGS] = &main_page_settings,
    [MAIN_SETUP] = &main_page_setup,   [MAIN_CONTROLS] = &main_page_controls,     [MAIN_HELLO] = &main_page_hello,
    [MAIN_DEVICE] = &main_page_device, [MAIN_PATTERN] = &main_page_pattern,       [MAIN_LEVERS] = &main_page_levers,
    [MAIN_FIRST] = &main_page_first,   [MAIN_PEOPLE] = &main_page_people,         [MAIN_NAME] = &main_page_name,
    [MAIN_COURSE] = &main_page_course, [MAIN_CONDITIONS] = &main_page_conditions, [MAIN_FREE] = &main_page_free,
    [MAIN_OWN] = &main_page_own,       [MAIN_RECORDINGS] = &main_page_recordings,
};

/// Polls a page that shows devices; a change fills it again at the same place.
static void poll_page(MainMenu *self, WindowInput *input)
{
    MainPageKind kind = self->page;
    const MainPage *page = pages[kind];
    MainPoll found = page->poll != NULL ? page->poll(self, input) : MAIN_POLL_NOTHING;
    MenuPlace place = menu_place(&self->menu);
    if (found == MAIN_POLL_NOTHING || self->page != kind) {
        return;
    }
    page->fill(self);
    if (found == MAIN_POLL_FILL) {
        menu_keep_place(&self->menu, &place);
    }
    self->side_of = -2;
    main_menu_describe(self);
}

void main_menu_watch(MainMenu *self, InputDevices *devices, const InputSample *sample, double elapsed)
{
    self->devices = devices;
    self->sample = sample;
    self->elapsed = elapsed;
}

MainAnswer main_menu_take(MainMenu *self, const WindowInput *input, const RenderView *view)
{
    MainPageKind page = self->page;
    WindowInput rest = *input;
    if (page == MAIN_NAME) {
        edit_name(self, &rest);
    }
    if (pages[page]->lists && main_list_search(self, &rest)) {
        self->told[0] = '\0';
        pages[page]->fill(self);
        menu_select(&self->menu, self->chosen[page]);
        main_list_select_first(self);
        self->side_of = -2;
        main_menu_describe(self);
    }
    poll_page(self, &rest);
    MenuAnswer answer = menu_take(&self->menu, &rest, view);
    int id = menu_id(&self->menu);
    self->chosen[page] = id;
    MainAnswer leads = MAIN_STAYS;
    if (answer == MENU_BACK || (answer == MENU_CHOSEN && id == MAIN_ITEM_BACK)) {
        self->told[0] = '\0';
        if (pages[page]->go_back != NULL) {
            pages[page]->go_back(self);
        } else {
            main_menu_go(self, pages[page]->back);
        }
    } else if (answer == MENU_CHOSEN) {
        self->told[0] = '\0';
        return pages[page]->choose(self, id);
    } else if ((answer == MENU_LEFT || answer == MENU_RIGHT) && pages[page]->change != NULL) {
        self->told[0] = '\0';
        leads = pages[page]->change(self, id, answer == MENU_LEFT ? -1 : 1);
    }
    main_menu_describe(self);
    return leads;
}

bool main_menu_types(const MainMenu *self)
{
    return self->page == MAIN_NAME;
}

bool main_menu_searches(const MainMenu *self)
{
    return pages[self->page]->lists;
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

const SettingsPage *main_menu_settings(const MainMenu *self)
{
    return &self->settings;
}

int main_menu_changed(const MainMenu *self)
{
    return self->changed;
}

/// ---- creation ------------------------------------------------------------------------------------------------------

MainMenu *main_menu_create(const RunOptions *defaults, Status *status)
{
    MainMenu *self = calloc(1, sizeof *self);
    if (self == NULL) {
        abort();
    }
    self->options = *defaults;
    self->options.conditions = &self->conditions;
    self->pages = pages;
    if (!settings_page_read(&self->settings, defaults->controls, status) ||
        !catalogue_read(&self->catalogue, NULL, status)) {
        main_menu_destroy(self);
        return NULL;
    }
    self->options.controls = settings_page_controls(&self->settings);
    snprintf(self->told, sizeof self->told, "%s", self->settings.fault);
    for (int k = 0; k < MAIN_PAGES; k++) {
        self->chosen[k] = -1;
    }
    if (defaults->trainee != NULL) {
        snprintf(self->trainee, sizeof self->trainee, "%s", defaults->trainee);
    } else {
        results_remembered(self->trainee);
    }
    main_menu_read_results(self);
    self->after_people = MAIN_HOME;
    bool first = self->trainee_count == 0 && self->trainee[0] == '\0' && !results_settings_exist();
    main_menu_go(self, defaults->trainee != NULL ? MAIN_HOME : first ? MAIN_HELLO : MAIN_PEOPLE);
    return self;
}

void main_menu_destroy(MainMenu *self)
{
    if (self != NULL) {
        device_setup_end(&self->setup);
        lever_check_close(&self->check);
        pictures_free(self->picture);
        main_menu_stop_proving(self);
        results_recordings_free(&self->recordings);
        free(self->trainees);
        free(self->listed);
        catalogue_free(&self->catalogue);
        free(self);
    }
}
