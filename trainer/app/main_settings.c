/// Pages of the main menu for settings, for setting up devices, and of the beginner's tour.
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/visible_text.h"
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
    visible_text_hide_home(usual);
    main_menu_begin(self, language_text("Settings"), self->settings.fault[0] != '\0' ? self->settings.fault : usual);
    menu_add(&self->menu, ITEM_SET_UP, language_text("Set up levers, pedals, joysticks"), "");
    settings_page_add(&self->settings, &self->menu);
    main_menu_print_driver(self, text);
    menu_add(&self->menu, ITEM_DRIVER, text, "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

static void describe_settings(MainMenu *self, int id)
{
    const char *text = id == ITEM_SET_UP
                           ? language_text("Move each lever and pedal once so that the program knows them. For devices "
                                           "other than gamepads, and for gamepads with other assignments.")
                       : id == ITEM_DRIVER ? language_text("Recordings and results are stored under this name.")
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
            snprintf(self->told, sizeof self->told, language_text("%s is saved and in use from now on"),
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

/// ---- what the controls do ------------------------------------------------------------------------------------------

enum { ITEM_KEYS_PATTERN = 100, ITEM_KEYS_DEVICE, ITEM_KEYS_MACHINE };

/// Opens the chosen map, or the bulldozer's own, when the page is shown or another one was chosen.
static void open_controls(MainMenu *self)
{
    Status status;
    const char *map = self->keys_dozer ? "dozer" : settings_page_controls(&self->settings);
    if (self->check.map != NULL) {
        return;
    }
    if (data_load_controls(map, &self->keys_map, NULL, &status) &&
        lever_check_open(&self->check, &self->keys_map, self->devices, &status)) {
        controls_page_begin(&self->keys, &self->keys_map, self->check.map, self->sample);
    } else {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
}

static void close_controls(MainMenu *self)
{
    lever_check_close(&self->check);
    self->keys = (ControlsPage){0};
}

static void fill_controls(MainMenu *self)
{
    char text[MENU_TEXT];
    open_controls(self);
    main_menu_begin(self, language_text("Controls"),
                    language_text("Move sticks, pedals or keys: the picture shows what they do. Enter, A or a click "
                                  "changes the selected line"));
    if (self->keys.params != NULL) {
        controls_page_name_device(&self->keys, text);
        menu_add(&self->menu, ITEM_KEYS_DEVICE, text, "");
        if (!self->keys_dozer) {
            controls_page_name_pattern(&self->keys, text);
            menu_add(&self->menu, ITEM_KEYS_PATTERN, text, "");
        }
    }
    snprintf(text, sizeof text, language_text("Machine: %s"),
             language_text(self->keys_dozer ? TEXT("Bulldozer") : TEXT("Excavator")));
    menu_add(&self->menu, ITEM_KEYS_MACHINE, text, "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
    controls_page_show(&self->keys, &self->menu);
}

static MainPoll poll_controls(MainMenu *self, WindowInput *input)
{
    controls_page_look(&self->keys, self->sample, self->elapsed, input);
    return MAIN_POLL_FILL;
}

static MainAnswer choose_controls(MainMenu *self, int id)
{
    Status status;
    if (id == ITEM_KEYS_DEVICE) {
        controls_page_next_device(&self->keys);
        return MAIN_STAYS;
    }
    self->keys_dozer = self->keys_dozer != (id == ITEM_KEYS_MACHINE);
    if (id == ITEM_KEYS_PATTERN && !settings_page_change(&self->settings, SETTINGS_ITEM_CONTROLS, 1, &status)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
    self->options.controls = settings_page_controls(&self->settings);
    lever_check_close(&self->check);
    open_controls(self);
    main_menu_go(self, MAIN_CONTROLS);
    return MAIN_STAYS;
}

const MainPage main_page_controls = {
    .fill = fill_controls, .choose = choose_controls, .poll = poll_controls, .leave = close_controls};

/// ---- tour ----------------------------------------------------------------------------------------------------------

/// The beginner's tour: device, lever pattern, trying the levers, first exercise. It starts by itself when there are
/// neither settings nor results, and from the first page.

enum { ITEM_GO_ON = 100, ITEM_SKIP, ITEM_KEYBOARD, ITEM_FIRST, ITEM_TOUR_DRIVER, ITEM_MENU };
enum { ITEM_PATTERN = 120 }; ///< of pattern k: ITEM_PATTERN + k

/// Existing settings keep the tour from starting by itself again. A write failure is shown.
static bool write_down(MainMenu *self, const char *controls)
{
    Status status;
    bool good = settings_page_choose_controls(&self->settings, controls, &status);
    if (!good) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
    self->options.controls = settings_page_controls(&self->settings);
    return good;
}

/// ---- whether it is wanted ------------------------------------------------------------------------------------------

static void fill_hello(MainMenu *self)
{
    main_menu_begin(
        self, language_text("Welcome to Spadework"),
        language_text(
            "Here you learn to drive an excavator and a bulldozer. Five minutes for the levers, then the first "
            "exercise?"));
    menu_add(&self->menu, ITEM_GO_ON, language_text("Show me"),
             language_text("What I drive with, which lever moves what, and the first exercise"));
    menu_add(&self->menu, ITEM_SKIP, language_text("Skip it"), language_text("The tour stays in the menu"));
    self->chosen[MAIN_HELLO] = ITEM_GO_ON;
}

/// At the first start the page of names comes next.
static void skip_tour(MainMenu *self)
{
    bool first = self->trainee_count == 0 && self->trainee[0] == '\0';
    write_down(self, settings_page_controls(&self->settings));
    main_menu_go(self, first ? MAIN_PEOPLE : MAIN_HOME);
}

static MainAnswer choose_hello(MainMenu *self, int id)
{
    if (id == ITEM_GO_ON) {
        main_menu_go(self, MAIN_DEVICE);
    } else {
        skip_tour(self);
    }
    return MAIN_STAYS;
}

const MainPage main_page_hello = {.fill = fill_hello, .choose = choose_hello, .go_back = skip_tour};

/// ---- what is driven with -------------------------------------------------------------------------------------------

static void fill_device(MainMenu *self)
{
    ControlDevice list[CONTROLS_MAX_DEVICES];
    int count = self->devices != NULL ? input_devices_list(self->devices, list, CONTROLS_MAX_DEVICES) : 0;
    main_menu_begin(self, language_text("What do you drive with?"),
                    count > 0 ? language_text("Choose your controls. The keyboard always works as well")
                              : language_text("Plug a gamepad, joysticks or pedals in now, or take the keyboard"));
    for (int k = 0; k < count; k++) {
        MenuItem *item = menu_add(&self->menu, k, list[k].name, "");
        if (item != NULL) {
            bool pad = input_devices_is_pad(self->devices, k), known = main_menu_knows(self, k);
            snprintf(item->detail, sizeof item->detail, "%s",
                     pad     ? language_text("A gamepad: its sticks are the levers")
                     : known ? language_text("Its levers are known")
                             : language_text("Its levers are set up first: two minutes"));
        }
    }
    menu_add(&self->menu, ITEM_KEYBOARD, language_text("The keyboard"),
             language_text("W A S D is the left lever, I J K L the right one"));
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

static MainPoll poll_device(MainMenu *self, WindowInput *input)
{
    (void)self;
    (void)input; // commands are the menu's
    return MAIN_POLL_FILL;
}

static MainAnswer choose_device(MainMenu *self, int id)
{
    if (id == ITEM_KEYBOARD || input_devices_is_pad(self->devices, id)) {
        main_menu_go(self, MAIN_PATTERN);
    } else if (main_menu_knows(self, id)) {
        main_menu_go(self, MAIN_LEVERS);
    } else {
        main_menu_set_up(self, MAIN_LEVERS);
    }
    return MAIN_STAYS;
}

const MainPage main_page_device = {
    .fill = fill_device, .choose = choose_device, .back = MAIN_HELLO, .poll = poll_device};

/// ---- which lever moves what ----------------------------------------------------------------------------------------

static void fill_pattern(MainMenu *self)
{
    main_menu_begin(self, language_text("Which pattern?"),
                    language_text("Which lever moves what. Take the one of the machines you know or will drive"));
    for (int k = 0; control_pattern(k) != NULL; k++) {
        const ControlPattern *pattern = control_pattern(k);
        if (!pattern->dozer) {
            menu_add(&self->menu, ITEM_PATTERN + k, language_text(pattern->title), language_text(pattern->about));
        }
    }
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

/// "boom down, up": what a lever's way does, forward or left first.
static const char *pair_of(const ControlPatternWay *way, bool sideways)
{
    static const char *const pairs[CONTROL_COUNT][2] = {
        [CONTROL_SWING] = {TEXT("swing"), TEXT("swing right, left")},
        [CONTROL_STICK] = {TEXT("stick out, in"), TEXT("stick in, out")},
        [CONTROL_BOOM] = {TEXT("boom down, up"), TEXT("boom up, down")},
        [CONTROL_BUCKET] = {TEXT("bucket dump, curl"), TEXT("bucket curl, dump")},
    };
    bool plus = (way->sign > 0) != sideways; // the way that is named first moves the machine's lever to plus
    return language_text(pairs[way->axis][plus]);
}

static void describe_pattern(MainMenu *self, int id)
{
    const ControlPattern *pattern = control_pattern(id - ITEM_PATTERN);
    if (pattern == NULL) {
        return;
    }
    const ControlPatternWay *left = pattern->ways[0], *right = pattern->ways[1];
    snprintf(self->menu.side_text, MENU_SIDE_TEXT,
             language_text("Left lever\n   forward, back: %s\n   left, right: %s\n\nRight lever\n"
                           "   forward, back: %s\n   left, right: %s"),
             pair_of(&left[1], false), pair_of(&left[0], true), pair_of(&right[1], false), pair_of(&right[0], true));
}

static MainAnswer choose_pattern(MainMenu *self, int id)
{
    const ControlPattern *pattern = control_pattern(id - ITEM_PATTERN);
    if (pattern != NULL) {
        write_down(self, pattern->map);
        main_menu_go(self, MAIN_LEVERS);
    }
    return MAIN_STAYS;
}

const MainPage main_page_pattern = {
    .fill = fill_pattern, .describe = describe_pattern, .choose = choose_pattern, .back = MAIN_DEVICE};

/// ---- trying them out -----------------------------------------------------------------------------------------------

/// Opens the control map when the page is shown.
static void open_check(MainMenu *self)
{
    ControlsParams params;
    Status status;
    if (self->check.map == NULL &&
        !(data_load_controls(settings_page_controls(&self->settings), &params, NULL, &status) &&
          lever_check_open(&self->check, &params, self->devices, &status))) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    }
}

static void fill_levers(MainMenu *self)
{
    char usual[MENU_SUBTITLE];
    open_check(self);
    int moved = lever_check_moved(&self->check);
    snprintf(usual, sizeof usual,
             moved < LEVER_CHECK_LEVERS ? language_text("Each of them both ways, to the end: %d of %d done")
                                        : language_text("All of them work: %d of %d"),
             moved, LEVER_CHECK_LEVERS);
    main_menu_begin(self, language_text("Move the levers"),
                    lever_check_misses(&self->check)
                        ? language_text("A device was unplugged: plug it in again, or move the levers by the keyboard")
                        : usual);
    menu_add(&self->menu, ITEM_GO_ON,
             moved < LEVER_CHECK_LEVERS ? language_text("Go on: I know them") : language_text("Go on"), "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
    lever_check_add(&self->check, &self->menu);
}

/// Sticks and keys move the levers; the selection stays where it is under them. In a small window the list goes to the
/// lever that moves.
static MainPoll poll_levers(MainMenu *self, WindowInput *input)
{
    input->pressed[WINDOW_UP] = input->pressed[WINDOW_DOWN] = 0;
    lever_check_look(&self->check, self->sample, self->elapsed);
    int moving = lever_check_moving(&self->check);
    if (moving >= 0) {
        self->menu.first = moving < LEVER_CHECK_LEVERS / 2 ? 0 : RENDER_MAX_MENU;
    }
    return MAIN_POLL_FILL;
}

static MainAnswer choose_levers(MainMenu *self, int id)
{
    (void)id; // the only one but for going back
    main_menu_go(self, MAIN_FIRST);
    return MAIN_STAYS;
}

static void leave_levers(MainMenu *self)
{
    lever_check_close(&self->check);
}

const MainPage main_page_levers = {
    .fill = fill_levers, .choose = choose_levers, .back = MAIN_DEVICE, .poll = poll_levers, .leave = leave_levers};

/// ---- the first exercise --------------------------------------------------------------------------------------------

static void fill_first(MainMenu *self)
{
    int course = main_menu_course(self);
    char text[MENU_TEXT];
    main_menu_begin(self, language_text("Ready"),
                    language_text("Each exercise begins with its goal and ends with what went well and what comes "
                                  "next. Esc pauses, F1 shows the keys"));
    if (course >= 0) {
        const CatalogueStep *next = main_menu_next(self, &self->catalogue.courses[course]);
        snprintf(text, sizeof text, language_text("Start: %s"), self->catalogue.scenes[next->scene].title);
        menu_add(&self->menu, ITEM_FIRST, text, "");
    }
    main_menu_print_driver(self, text);
    menu_add(&self->menu, ITEM_TOUR_DRIVER, text, language_text("Your results are stored under your name"));
    menu_add(&self->menu, ITEM_MENU, language_text("To the menu"), "");
}

static void describe_first(MainMenu *self, int id)
{
    int course = main_menu_course(self);
    if (id == ITEM_FIRST && course >= 0) {
        const CatalogueStep *next = main_menu_next(self, &self->catalogue.courses[course]);
        const CatalogueScene *scene = &self->catalogue.scenes[next->scene];
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", scene->description);
        self->picture = main_menu_scene_picture(self, scene);
    }
}

static MainAnswer choose_first(MainMenu *self, int id)
{
    int course = main_menu_course(self);
    if (id == ITEM_TOUR_DRIVER) {
        self->after_people = MAIN_FIRST;
        main_menu_go(self, MAIN_PEOPLE);
    } else if (id == ITEM_FIRST && course >= 0) {
        const CatalogueStep *next = main_menu_next(self, &self->catalogue.courses[course]);
        self->course = course;
        self->page = MAIN_COURSE; // that it comes back to
        return main_menu_drive(self, &self->catalogue.scenes[next->scene], self->catalogue.courses[course].name);
    } else {
        main_menu_go(self, MAIN_HOME);
    }
    return MAIN_STAYS;
}

const MainPage main_page_first = {
    .fill = fill_first, .describe = describe_first, .choose = choose_first, .back = MAIN_LEVERS};
