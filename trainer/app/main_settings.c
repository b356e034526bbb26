/// Pages of the main menu for settings and for setting up devices.
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/main_menu_internal.h"
#include "trainer/results/results.h"

enum { ITEM_SET_UP = 900, ITEM_DRIVER };

/// ---- settings ------------------------------------------------------------------------------------------------------

static void fill_settings(MainMenu *self)
{
    char path[DATA_PATH_LENGTH], usual[MENU_SUBTITLE], text[MENU_TEXT];
    Status status;
    bool there = user_config_path("settings.yaml", path, &status);
    snprintf(usual, sizeof usual, "%.500s", there ? path : status.text);
    main_menu_begin(self, language_text("Settings"), self->settings.fault[0] != '\0' ? self->settings.fault : usual);
    menu_add(&self->menu, ITEM_SET_UP, language_text("Set up levers, pedals, joysticks"), "");
    settings_page_add(&self->settings, &self->menu);
    main_menu_print_driver(self, text);
    menu_add(&self->menu, ITEM_DRIVER, text, "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

static void describe_settings(MainMenu *self, int id)
{
    const char *text =
        id == ITEM_SET_UP
            ? language_text("Move each lever and pedal once, and the program knows them. For devices that are no "
                            "gamepads, and for gamepads that are to move other levers.")
        : id == ITEM_DRIVER ? language_text("Recordings and results carry the name.")
                            : settings_page_about(id);
    snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", text);
}

/// step  0: it was chosen; the values cycle
static MainAnswer change_setting(MainMenu *self, int id, int step)
{
    Status status;
    if (!settings_page_change(&self->settings, id, step, &status)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
        main_menu_go(self, MAIN_SETTINGS);
        return MAIN_STAYS;
    }
    self->changed = id;
    self->options.controls = settings_page_controls(&self->settings);
    if (id == SETTINGS_ITEM_EXERCISES) {
        main_menu_return(self, NULL); // what is open has changed
    } else {
        main_menu_go(self, MAIN_SETTINGS);
    }
    return MAIN_APPLIES;
}

static MainAnswer change_settings(MainMenu *self, int id, int step)
{
    return id >= SETTINGS_ITEM_CONTROLS && id < SETTINGS_ITEM_END ? change_setting(self, id, step) : MAIN_STAYS;
}

static MainAnswer choose_settings(MainMenu *self, int id)
{
    if (id == ITEM_SET_UP) {
        main_menu_set_up(self, MAIN_SETTINGS);
        return MAIN_STAYS;
    }
    if (id == ITEM_DRIVER) {
        self->after_people = MAIN_SETTINGS;
        main_menu_go(self, MAIN_PEOPLE);
        return MAIN_STAYS;
    }
    return change_settings(self, id, 0);
}

const MainPage main_page_settings = {
    .fill = fill_settings, .describe = describe_settings, .choose = choose_settings, .change = change_settings};

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
    bool backhoe = data_load_controls(settings_page_controls(&self->settings), &params, NULL, &unused) &&
                   strcmp(params.pattern, "bhl") == 0;
    self->after_setup = after;
    device_setup_begin(&self->setup, self->devices, backhoe);
    self->chosen[MAIN_SETUP] = -1;
    main_menu_go(self, MAIN_SETUP);
}

static void fill_setup(MainMenu *self)
{
    setup_pages_fill(&self->setup, &self->menu);
    self->chosen[MAIN_SETUP] = menu_id(&self->menu);
}

static MainPoll poll_setup(MainMenu *self, WindowInput *input)
{
    return device_setup_look(&self->setup, self->sample, self->elapsed, input) ? MAIN_POLL_RESELECT : MAIN_POLL_FILL;
}

/// Leaves the set-up; a map that was kept becomes the chosen one.
static void apply_setup_answer(MainMenu *self, SetupAnswer answer)
{
    Status status;
    if (answer == SETUP_STAYS) {
        main_menu_go(self, MAIN_SETUP);
        return;
    }
    if (answer == SETUP_KEPT) {
        if (settings_page_choose_controls(&self->settings, self->setup.name, &status)) {
            snprintf(self->told, sizeof self->told, language_text("%s is kept, and drives from now on"),
                     self->setup.title);
        } else {
            snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
        }
        self->options.controls = settings_page_controls(&self->settings);
    }
    main_menu_go(self, answer == SETUP_LEAVES && self->after_setup == MAIN_LEVERS ? MAIN_DEVICE : self->after_setup);
}

static MainAnswer change_setup(MainMenu *self, int id, int step)
{
    (void)step; // there are two of each
    device_setup_change(&self->setup, id);
    self->setup.told[0] = '\0';
    setup_pages_fill(&self->setup, &self->menu);
    menu_select(&self->menu, id);
    return MAIN_STAYS;
}

static MainAnswer choose_setup(MainMenu *self, int id)
{
    if (self->setup.page == SETUP_CHOOSES && (id < self->setup.count || id == SETUP_ITEM_PATTERN)) {
        return change_setup(self, id, 1);
    }
    apply_setup_answer(self, device_setup_choose(&self->setup, id));
    return MAIN_STAYS;
}

static void back_from_setup(MainMenu *self)
{
    apply_setup_answer(self, device_setup_back(&self->setup));
}

static void leave_setup(MainMenu *self)
{
    device_setup_end(&self->setup);
}

const MainPage main_page_setup = {.fill = fill_setup,
                                  .choose = choose_setup,
                                  .change = change_setup,
                                  .go_back = back_from_setup,
                                  .poll = poll_setup,
                                  .leave = leave_setup};
