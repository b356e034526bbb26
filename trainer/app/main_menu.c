/// Pages and the way between them, and the page that the others are reached from.
#include "trainer/app/main_menu_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/results.h"
#include "trainer/app/pictures.h"

/// ---- pages ---------------------------------------------------------------------------------------------------------

static const MainPage *const pages[MAIN_PAGES] = {
    [MAIN_HOME] = &main_page_home,       [MAIN_LEAVE] = &main_page_leave,   [MAIN_SETTINGS] = &main_page_settings,
    [MAIN_SETUP] = &main_page_setup,     [MAIN_HELLO] = &main_page_hello,   [MAIN_DEVICE] = &main_page_device,
    [MAIN_PATTERN] = &main_page_pattern, [MAIN_LEVERS] = &main_page_levers, [MAIN_FIRST] = &main_page_first,
    [MAIN_PEOPLE] = &main_page_people,   [MAIN_NAME] = &main_page_name,     [MAIN_COURSE] = &main_page_course,
    [MAIN_FREE] = &main_page_free,       [MAIN_OWN] = &main_page_own,       [MAIN_RECORDINGS] = &main_page_recordings,
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
    if (self->page != page && pages[self->page]->leave != NULL) {
        pages[self->page]->leave(self);
    }
    if (self->page != page) {
        self->filter[0] = '\0';
    }
    self->page = page;
    pages[page]->fill(self);
    menu_select(&self->menu, self->chosen[page]);
    self->side_of = -2;
    tell_selected(self);
}

/// A page that shows devices as they are is filled anew where it was.
static void look(MainMenu *self, WindowInput *input)
{
    MainPageKind kind = self->page;
    const MainPage *page = pages[kind];
    MainLook found = page->look != NULL ? page->look(self, input) : MAIN_LOOK_NOTHING;
    MenuPlace place = menu_place(&self->menu);
    if (found == MAIN_LOOK_NOTHING || self->page != kind) {
        return;
    }
    page->fill(self);
    if (found == MAIN_LOOK_SHOWS) {
        menu_keep_place(&self->menu, &place);
    }
    self->side_of = -2;
    tell_selected(self);
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
        main_menu_type(self, &rest);
    }
    if (pages[page]->lists && main_list_type(self, &rest)) {
        self->told[0] = '\0';
        pages[page]->fill(self);
        menu_select(&self->menu, self->chosen[page]);
        main_list_select_first(self);
        self->side_of = -2;
        tell_selected(self);
    }
    look(self, &rest);
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
    tell_selected(self);
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

void main_menu_print_time(double seconds, char text[16])
{
    int whole = seconds > 0.0 && seconds < 1e6 ? (int)seconds : 0;
    snprintf(text, 16, "%d:%02d", whole / 60, whole % 60);
}

/// ---- what there is -------------------------------------------------------------------------------------------------

/// What results and recordings tell; what cannot be read is told, and the menu goes on without.
static void read_results(MainMenu *self)
{
    Status status;
    char told[RESULTS_TOLD];
    free(self->trainees);
    self->trainees = NULL;
    self->trainee_count = 0;
    main_menu_stop_proving(self);
    results_recordings_free(&self->recordings);
    Status other;
    Results *results = results_open(self->options.results, RESULTS_READ, &other);
    if (results != NULL && self->told[0] == '\0' && results_notice(results)[0] != '\0') {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, results_notice(results));
    }
    bool good = catalogue_judge(&self->catalogue, self->options.results, self->trainee, &status);
    int count = results != NULL && good ? results_trainees(results, NULL, &self->trainees, &other) : 0;
    self->trainee_count = count > 0 ? count : 0;
    if (results != NULL && self->told[0] == '\0' && results_shared_told(results, told)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, told);
    }
    results_close(results);
    bool listed = results_recordings_again(NULL, &self->recordings, &other);
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
    if (!settings_page_read(&self->settings, defaults->controls, status) || !catalogue_read(&self->catalogue, status)) {
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
    read_results(self);
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

/// A drive may have changed them; the levers of the command line stay unless others were chosen.
static void read_settings(MainMenu *self)
{
    SettingsPage page;
    Status unused;
    if (settings_page_read(&page, NULL, &unused)) {
        bool chosen = strcmp(page.now.controls, self->settings.now.controls) != 0;
        self->settings.now = page.now;
        if (chosen) {
            self->settings = page;
            self->options.controls = settings_page_controls(&self->settings);
        }
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
    read_settings(self);
    main_menu_go(self, self->page);
}
