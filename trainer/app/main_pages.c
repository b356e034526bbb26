/// What all pages of the main menu use: the way from page to page, lists with search, results and settings read again,
/// the choice of a scene, and known devices.
#include "trainer/app/main_menu_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/menu.h"

enum { PLAN_WIDTH = 400, PLAN_HEIGHT = 270 };

/// ---- from page to page ---------------------------------------------------------------------------------------------

/// Text and picture beside the items, when another one is selected.
void main_menu_describe(MainMenu *self)
{
    int id = menu_id(&self->menu);
    if (self->pages[self->page]->describe == NULL || id == self->side_of) {
        return;
    }
    pictures_free(self->picture);
    self->picture = NULL;
    self->side_of = id;
    self->menu.has_side = true;
    self->menu.side_text[0] = '\0';
    self->pages[self->page]->describe(self, id);
    self->menu.pictures[0] = self->picture;
}

void main_menu_begin(MainMenu *self, const char *title, const char *usual)
{
    menu_start(&self->menu, title, self->told[0] != '\0' ? self->told : usual);
}

void main_menu_go(MainMenu *self, MainPageKind page)
{
    if (self->page != page && self->pages[self->page]->leave != NULL) {
        self->pages[self->page]->leave(self);
    }
    if (self->page != page) {
        self->filter[0] = '\0';
    }
    self->page = page;
    self->pages[page]->fill(self);
    menu_select(&self->menu, self->chosen[page]);
    self->side_of = -2;
    main_menu_describe(self);
}

void main_menu_print_time(double seconds, char text[16])
{
    int whole = seconds > 0.0 && seconds < 1e6 ? (int)seconds : 0;
    snprintf(text, 16, "%d:%02d", whole / 60, whole % 60);
}

/// ---- lists ---------------------------------------------------------------------------------------------------------

/// Lists of any length: the page's own items, the rows that match what was typed, and the way back.

enum { LONG_LIST = 12 }; ///< rows from which a list explains its search

/// ---- what fits -----------------------------------------------------------------------------------------------------

/// Writes a text in small letters: those of ASCII, and those of Latin-1 in UTF-8 (C3 80 to C3 9E).
static void make_small(const char *text, char *small, size_t size)
{
    snprintf(small, size, "%s", text);
    for (unsigned char *p = (unsigned char *)small; *p != '\0'; p++) {
        bool latin = p > (unsigned char *)small && p[-1] == 0xc3U && *p >= 0x80U && *p <= 0x9eU && *p != 0x97U;
        *p = latin ? (unsigned char)(*p + 0x20U) : (unsigned char)(*p < 0x80U ? tolower(*p) : *p);
    }
}

/// Each word that was typed stands somewhere in the text.
static bool matches_filter(const char *filter, const char *text)
{
    char small[2 * MENU_TEXT], words[MAIN_FILTER], *rest = words;
    make_small(text, small, sizeof small);
    make_small(filter, words, sizeof words);
    for (const char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (strstr(small, word) == NULL) {
            return false;
        }
    }
    return true;
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

static void fill_row(const void *context, int row, MenuItem *item)
{
    const MainMenu *self = context;
    const MainList *list = self->list;
    if (row < list->head) {
        list->fill_head(self, row, item);
    } else if (row < list->head + self->listed_count) {
        int index = self->listed[row - list->head];
        item->id = index;
        list->fill(self, index, item);
    } else {
        bool back = row > list->head + self->listed_count || self->listed_count > 0;
        item->id = back ? MAIN_ITEM_BACK : -1;
        item->style = back ? RENDER_MENU_CHOICE : RENDER_MENU_TELLS;
        snprintf(item->text, sizeof item->text, "%s",
                 back                      ? language_text("Back")
                 : self->filter[0] != '\0' ? language_text("No match; Backspace deletes a letter")
                 : list->nothing != NULL   ? language_text(list->nothing)
                                           : "");
    }
}

/// The second line shows the search, or how to search; a failure stays there.
static void describe_search(MainMenu *self, int there)
{
    int length = (int)strlen(self->menu.subtitle);
    if (self->told[0] == '\0' && self->filter[0] != '\0') {
        snprintf(self->menu.subtitle, MENU_SUBTITLE, language_text("Typed: %s_   (%d of %d)"), self->filter,
                 self->listed_count, there);
    } else if (self->told[0] == '\0' && self->listed_count > LONG_LIST && length < MENU_SUBTITLE) {
        snprintf(self->menu.subtitle + length, (size_t)(MENU_SUBTITLE - length), "%s%s", length > 0 ? ".   " : "",
                 language_text("Type to search. Page Up, Page Down, Home, End"));
    }
}

void main_list_fill(MainMenu *self, const MainList *list, int count)
{
    int *listed = realloc(self->listed, ((size_t)count + 1) * sizeof *listed);
    if (listed == NULL) {
        abort();
    }
    self->list = list;
    self->listed = listed;
    self->listed_count = 0;
    int there = 0;
    for (int k = 0; k < count; k++) {
        char text[2 * MENU_TEXT] = "";
        list->name(self, k, text, sizeof text);
        there += text[0] != '\0';
        if (text[0] != '\0' && matches_filter(self->filter, text)) {
            self->listed[self->listed_count++] = k;
        }
    }
    describe_search(self, there);
    bool empty = self->listed_count == 0 && (self->filter[0] != '\0' || list->nothing != NULL);
    menu_set_rows(&self->menu, &(MenuRows){list->head + self->listed_count + empty + 1, fill_row, self});
}

/// Removes typed text from the input. True when the search has changed and the page is to be filled again.
bool main_list_search(MainMenu *self, WindowInput *input)
{
    char before[MAIN_FILTER];
    bool clears = self->filter[0] != '\0' && input->pressed[WINDOW_BACK] > 0; // Esc first takes back what was typed
    snprintf(before, sizeof before, "%s", self->filter);
    window_edit_text(input, self->filter, sizeof self->filter);
    if (clears) {
        self->filter[0] = '\0';
        input->pressed[WINDOW_BACK] = 0;
    }
    return strcmp(before, self->filter) != 0;
}

/// Selects the first row that fits what was typed.
void main_list_select_first(MainMenu *self)
{
    if (self->filter[0] != '\0' && self->listed_count > 0) {
        menu_select(&self->menu, self->listed[0]);
    }
}

/// ---- what there is -------------------------------------------------------------------------------------------------

void main_menu_stop_proving(MainMenu *self)
{
    recording_prover_close(self->prover);
    self->prover = NULL;
}

/// Reads results and recordings. A failure is shown, and the menu works without them.
void main_menu_read_results(MainMenu *self)
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

/// Reads the settings again after a drive; a control map of the command line stays unless another was chosen.
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
    if (catalogue_read(&catalogue, NULL, &status)) {
        catalogue_free(&self->catalogue);
        self->catalogue = catalogue;
    }
    self->course = 0;
    for (int k = 0; k < self->catalogue.course_count; k++) {
        self->course = strcmp(self->catalogue.courses[k].name, course) == 0 ? k : self->course;
    }
    main_menu_read_results(self);
    read_settings(self);
    main_menu_go(self, self->page);
}

/// ---- choice of a scene ---------------------------------------------------------------------------------------------

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

void main_menu_print_driver(const MainMenu *self, char text[MENU_TEXT])
{
    if (self->trainee[0] != '\0') {
        snprintf(text, MENU_TEXT, language_text("Driver: %s"), self->trainee);
    } else {
        snprintf(text, MENU_TEXT, "%s", language_text("Driver: nobody named"));
    }
}

static RenderPicture *draw_plan(const char *name, TextUnits units)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    Status unused;
    RenderPicture *plan = NULL;
    if (scene != NULL && machine != NULL && data_load_scene(name, NULL, 0, scene, machine, NULL, &unused)) {
        plan = pictures_plan(scene, units, PLAN_WIDTH, PLAN_HEIGHT);
    }
    free(machine);
    free(scene);
    return plan;
}

RenderPicture *main_menu_scene_picture(const MainMenu *self, const CatalogueScene *scene)
{
    RenderPicture *picture = pictures_of_scene(scene->name, scene->picture);
    return picture != NULL || scene->fault[0] != '\0' ? picture
                                                      : draw_plan(scene->name, self->settings.now.window.units);
}

MainAnswer main_menu_drive(MainMenu *self, const CatalogueScene *scene, const char *course)
{
    if (scene->fault[0] != '\0') {
        snprintf(self->told, sizeof self->told, "%s", scene->fault);
        main_menu_go(self, self->page);
        return MAIN_STAYS;
    }
    snprintf(self->scene, sizeof self->scene, "%s", scene->name);
    self->options.scene = self->scene;
    self->options.course = course;
    self->options.trainee = self->trainee[0] != '\0' ? self->trainee : NULL;
    return MAIN_DRIVES;
}

/// ---- devices -------------------------------------------------------------------------------------------------------

/// The devices that the chosen map names, read once for each map.
static void read_named(MainMenu *self)
{
    const char *name = settings_page_controls(&self->settings);
    ControlsParams params;
    Status unused;
    if (strcmp(name, self->named_for) == 0) {
        return;
    }
    snprintf(self->named_for, sizeof self->named_for, "%s", name);
    self->named_count = data_load_controls(name, &params, NULL, &unused) ? params.device_count : 0;
    for (int k = 0; k < self->named_count; k++) {
        self->named[k] = params.devices[k];
    }
}

bool main_menu_knows(MainMenu *self, int device)
{
    bool knows = input_devices_is_pad(self->devices, device);
    read_named(self);
    for (int k = 0; k < self->named_count; k++) {
        knows |= input_devices_fits(self->devices, device, &self->named[k]);
    }
    return knows;
}

bool main_menu_stranger(MainMenu *self, char name[48])
{
    ControlDevice list[CONTROLS_MAX_DEVICES];
    int count = self->devices != NULL ? input_devices_list(self->devices, list, CONTROLS_MAX_DEVICES) : 0;
    for (int k = 0; k < count; k++) {
        if (!main_menu_knows(self, k)) {
            snprintf(name, 48, "%s", list[k].name);
            return true;
        }
    }
    return false;
}

void main_menu_set_up(MainMenu *self, MainPageKind after)
{
    if (self->devices == NULL) {
        return;
    }
    ControlsParams params;
    Status unused;
    bool known = data_load_controls(settings_page_controls(&self->settings), &params, NULL, &unused);
    self->after_setup = after;
    device_setup_begin(&self->setup, self->devices, known ? params.pattern : "");
    self->chosen[MAIN_SETUP] = -1;
    main_menu_go(self, MAIN_SETUP);
}
