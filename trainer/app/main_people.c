/// Who drives: trainees of the results, a new name, or nobody.
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/results/results.h"
#include "trainer/app/main_menu_internal.h"

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

/// New and nobody stay within reach of a list that is long.
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
    main_menu_begin(self, language_text("Who drives?"), language_text("Recordings and results carry the name"));
    main_list_fill(self, remembered ? &with_remembered : &list, self->trainee_count);
    for (int k = 0; k < self->trainee_count; k++) {
        chosen = strcmp(self->trainees[k].name, self->trainee) == 0 ? k : chosen;
    }
    self->chosen[MAIN_PEOPLE] = chosen;
}

/// From now on this one drives; that he cannot be remembered is told.
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
        snprintf(self->typed, sizeof self->typed, "%s", self->filter); // who was searched for and is not there
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

/// While the window takes text, the arrow commands come from the pad alone, and what accepts takes the name wherever
/// the mouse is.
void main_menu_type(MainMenu *self, WindowInput *input)
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

const MainPage main_page_people = {
    .fill = fill_people, .choose = choose_person, .go_back = leave_people, .lists = true};
const MainPage main_page_name = {.fill = fill_name, .choose = choose_name, .change = change_name, .back = MAIN_PEOPLE};
