/// A table with one row per setting: its key in the file, its values and their names. The file is authoritative: a
/// change is written and the file read again.
#include "trainer/app/settings_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/settings_params.h"
#include "trainer/app/controls_page.h"
#include "trainer/results/results.h"

#define VOLUME_STEP 0.1 ///< share of full volume. Chosen

enum { MOST_VALUES = 4, EDIT_LENGTH = 320 };

/// An item with a few values, each a word of the file.
typedef struct Row {
    SettingsItem id;
    const char *text, *key;
    int count;
    const char *values[MOST_VALUES], *words[MOST_VALUES];
} Row;

static const Row rows[] = {
    {SETTINGS_ITEM_QUALITY,
     TEXT("Picture"),
     "window.quality",
     4,
     {"auto", "high", "medium", "low"},
     {TEXT("Automatic"), TEXT("High"), TEXT("Medium"), TEXT("Low")}},
    {SETTINGS_ITEM_GAUGES,
     TEXT("Gauges"),
     "window.gauges",
     3,
     {"strip", "all", "none"},
     {TEXT("A strip of them"), TEXT("All of them"), TEXT("None")}},
    {SETTINGS_ITEM_REAR,
     TEXT("Rear camera"),
     "window.rear",
     3,
     {"off", "auto", "on"},
     {TEXT("Not shown"), TEXT("While going back or swinging"), TEXT("Always shown")}},
    {SETTINGS_ITEM_INSET,
     TEXT("Second picture"),
     "window.inset",
     4,
     {"off", "section", "plan", "boom"},
     {TEXT("None"), TEXT("Section"), TEXT("Plan"), TEXT("From the boom")}},
    {SETTINGS_ITEM_WINDOWS,
     TEXT("Second window"),
     "window.windows",
     4,
     {"", "around", "behind", "plan"},
     {TEXT("None"), TEXT("From around"), TEXT("From behind"), TEXT("Plan")}},
    {SETTINGS_ITEM_MIRRORS,
     TEXT("Mirrors"),
     "window.mirrors",
     3,
     {"auto", "off", "on"},
     {TEXT("At high picture quality"), TEXT("Grey"), TEXT("Always shown")}},
    {SETTINGS_ITEM_SCORE, TEXT("Time and score"), "window.score", 2, {"yes", "no"}, {TEXT("Shown"), TEXT("Hidden")}},
    {SETTINGS_ITEM_MAP, TEXT("Map"), "window.map", 2, {"yes", "no"}, {TEXT("Shown"), TEXT("Hidden")}},
    {SETTINGS_ITEM_SIGNALS,
     TEXT("Signals in words"),
     "window.signals",
     2,
     {"yes", "no"},
     {TEXT("Shown"), TEXT("Hidden")}},
    {SETTINGS_ITEM_SIDES,
     TEXT("Sides of the screen"),
     "window.sides",
     2,
     {"usual", "swapped"},
     {TEXT("Standard"), TEXT("Swapped")}},
    {SETTINGS_ITEM_SIZE,
     TEXT("Size of letters"),
     "window.panel_scale",
     4,
     {"0.8", "1", "1.2", "1.5"},
     {TEXT("Small"), TEXT("Standard"), TEXT("Large"), TEXT("Largest")}},
    {SETTINGS_ITEM_KEYS,
     TEXT("List of keys"),
     "window.keys",
     2,
     {"yes", "no"},
     {TEXT("At first"), TEXT("When asked for")}},
    {SETTINGS_ITEM_UNITS,
     TEXT("Units"),
     "window.units",
     2,
     {"metric", "imperial"},
     {TEXT("Metres, tonnes"), TEXT("Feet, pounds")}},
    {SETTINGS_ITEM_EXERCISES,
     TEXT("Exercises of courses"),
     "courses.exercises",
     2,
     {"in_order", "open"},
     {TEXT("One opens the next"), TEXT("All open")}},
    {SETTINGS_ITEM_LANGUAGE,
     TEXT("Language"),
     "language",
     4,
     {"", "en", "de", "es"},
     {TEXT("System language"), "English", "Deutsch", "Espa\u00f1ol"}},
};

static const struct {
    SettingsItem id;
    const char *text;
} about[] = {
    {SETTINGS_ITEM_CONTROLS, TEXT("Which lever moves what on the excavator. A bulldozer has a pattern of its own. It "
                                  "takes effect at once.\n\nISO: left lever swing and stick, right lever boom and "
                                  "bucket. Backhoe: boom and stick change sides.")},
    {SETTINGS_ITEM_VOLUME,
     TEXT("Engine, hydraulics, tracks and soil. F6 switches the sound off and on while you drive.")},
    {SETTINGS_ITEM_QUALITY,
     TEXT("Automatic: high, and lower when pictures take too long. Medium draws fewer pixels, low leaves out fine "
          "ground, soft shadows and grains; the machine drives the same. It takes effect at once.")},
    {SETTINGS_ITEM_GAUGES, TEXT("Pressures, engine, load and levers along the lower edge. F2 goes from one to the next "
                                "while you drive. It takes effect at once.")},
    {SETTINGS_ITEM_REAR, TEXT("What the camera at the machine's tail sees, in a corner of the picture. F9 changes it "
                              "while you drive. It takes effect at once.")},
    {SETTINGS_ITEM_INSET,
     TEXT("Another camera in a corner: the ground cut open in the plane of the arm, the site from above, or the bucket "
          "from the boom's tip. F10 goes through all cameras while you drive. It takes effect at once.")},
    {SETTINGS_ITEM_WINDOWS,
     TEXT("A window of its own for spectators. Mouse and digits turn and choose its camera, F11 fills its screen, its "
          "close button closes it, N opens it again. It takes effect at once.")},
    {SETTINGS_ITEM_MIRRORS,
     TEXT("Whether the mirrors of the cab show what is behind. They take time to draw. It takes effect at once.")},
    {SETTINGS_ITEM_SCORE, TEXT("What is asked, the time, the score and how far you are. F12 shows and hides it while "
                               "you drive. It takes effect at once.")},
    {SETTINGS_ITEM_MAP, TEXT("The site from above, with the machine, trucks, people and what is marked. M shows and "
                             "hides it while you drive. It takes effect at once.")},
    {SETTINGS_ITEM_SIGNALS,
     TEXT("The word of the banksman's arm signal, below the task. Hide it to learn the signals. It "
          "takes effect at once.")},
    {SETTINGS_ITEM_SIDES, TEXT("Swapped: left and right panels change places. It takes effect at once.")},
    {SETTINGS_ITEM_SIZE, TEXT("Size of the figures and texts over the picture, as far as there is room: the strip of "
                              "gauges leaves most. It takes effect at once.")},
    {SETTINGS_ITEM_KEYS,
     TEXT("At first: the keys stand on the right for the first 20 seconds of a drive. F1 shows them at "
          "any time.")},
    {SETTINGS_ITEM_UNITS,
     TEXT("What lengths, masses, pressures and speeds are shown in. Files keep SI units. It takes effect at once.")},
    {SETTINGS_ITEM_EXERCISES,
     TEXT("For instructors. One opens the next: a named trainee may choose an exercise of a course once the one before "
          "it is passed. All open: any exercise. It takes effect at once.")},
    {SETTINGS_ITEM_LANGUAGE, TEXT("The language of all texts. It takes effect at once.")},
};

static const Row *find_row(int id)
{
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if ((int)rows[k].id == id) {
            return &rows[k];
        }
    }
    return NULL;
}

/// Index among the cameras that the page offers; others, which the file may name, are shown as none.
static int find_inset(int inset)
{
    return inset == 1 + CAMERA_SECTION ? 1 : inset == 1 + CAMERA_PLAN ? 2 : inset == 1 + CAMERA_BOOM ? 3 : 0;
}

/// What the page does not offer, such as several windows or a display, is shown by the first window's camera, or as
/// none.
static int find_windows(const Row *row, const char *windows)
{
    int found = 0;
    for (int k = 1; k < row->count; k++) {
        found = strncmp(row->values[k], windows, strlen(row->values[k])) == 0 ? k : found;
    }
    return found;
}

/// Index of the letter size nearest to the file's value.
static int find_size(const Row *row, double scale)
{
    int nearest = 0;
    for (int k = 1; k < row->count; k++) {
        if (fabs(strtod(row->values[k], NULL) - scale) < fabs(strtod(row->values[nearest], NULL) - scale)) {
            nearest = k;
        }
    }
    return nearest;
}

/// Index of a row's present value.
static int find_value(const SettingsPage *page, const Row *row)
{
    switch (row->id) {
    case SETTINGS_ITEM_QUALITY:
        return (int)page->now.window.quality;
    case SETTINGS_ITEM_GAUGES:
        return (int)page->now.window.gauges;
    case SETTINGS_ITEM_REAR:
        return (int)page->now.window.views.rear;
    case SETTINGS_ITEM_MIRRORS:
        return (int)page->now.window.views.mirrors;
    case SETTINGS_ITEM_INSET:
        return find_inset(page->now.window.views.inset);
    case SETTINGS_ITEM_WINDOWS:
        return find_windows(row, page->now.window.windows);
    case SETTINGS_ITEM_SCORE:
        return page->now.window.panels.no_score;
    case SETTINGS_ITEM_MAP:
        return page->now.window.panels.no_map;
    case SETTINGS_ITEM_SIGNALS:
        return page->now.window.panels.no_signals;
    case SETTINGS_ITEM_SIDES:
        return page->now.window.panels.mirrored;
    case SETTINGS_ITEM_SIZE:
        return find_size(row, page->now.window.panels.scale);
    case SETTINGS_ITEM_KEYS:
        return page->now.window.no_keys;
    case SETTINGS_ITEM_UNITS:
        return (int)page->now.window.units;
    case SETTINGS_ITEM_EXERCISES:
        return (int)page->now.courses.exercises;
    default:
        for (int k = 0; k < row->count; k++) {
            if (strcmp(row->values[k], page->now.language) == 0) {
                return k;
            }
        }
        return 0;
    }
}

/// ---- control maps --------------------------------------------------------------------------------------------------

/// Adds a map that an excavator can be driven with; a broken one is left out.
static bool add_controls(SettingsPage *page, const DataListEntry *entry, ControlsParams *params, Status *status)
{
    if (!data_load_controls(entry->name, params, NULL, status)) {
        return false;
    }
    if (strcmp(params->pattern, "dozer") != 0 && page->controls_count < SETTINGS_MOST_CONTROLS) {
        DataListEntry *kept = &page->controls[page->controls_count++];
        *kept = *entry;
        size_t length = strcspn(params->title, "("); // where the standards begin
        length -= length > 0 && params->title[length - 1] == ' ';
        snprintf(kept->title, sizeof kept->title, "%.*s", (int)length, params->title);
    }
    return true;
}

static int find_controls(const SettingsPage *page, const char *name)
{
    for (int k = 0; k < page->controls_count; k++) {
        if (strcmp(page->controls[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static bool list_controls(SettingsPage *page, Status *status)
{
    DataListEntry entries[SETTINGS_MOST_CONTROLS];
    Status ignored;
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    int count = data_list("controls", entries, SETTINGS_MOST_CONTROLS, status);
    page->controls_count = 0;
    for (int k = 0; k < count; k++) {
        add_controls(page, &entries[k], params, &ignored);
    }
    free(params);
    return count >= 0;
}

/// Appends a map that is not in the list. False when it cannot be loaded.
static bool add_given(SettingsPage *page, const char *name, Status *status)
{
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    bool good = data_load_controls(name, params, NULL, status);
    if (good) {
        page->given = name;
        page->controls_index = page->controls_count++;
        DataListEntry *entry = &page->controls[page->controls_index];
        *entry = (DataListEntry){.own = true};
        snprintf(entry->title, sizeof entry->title, "%s", params->title);
    }
    free(params);
    return good;
}

bool settings_page_read(SettingsPage *page, const char *given, Status *status)
{
    Status reason;
    *page = (SettingsPage){0};
    if (!results_settings(&page->now, &reason)) {
        snprintf(page->fault, sizeof page->fault,
                 language_text("The settings are not in use, and none can be changed: mend or delete their file. %s"),
                 reason.text);
        page->now = (SettingsParams){0};
        data_load_settings(NULL, &page->now, status);
    }
    if (!list_controls(page, status)) {
        return false;
    }
    const char *wanted = given != NULL ? given : page->now.controls[0] != '\0' ? page->now.controls : "iso";
    page->controls_index = find_controls(page, wanted);
    if (page->controls_index >= 0) {
        return true;
    }
    if (given != NULL) {
        return add_given(page, given, status);
    }
    if (!add_given(page, page->now.controls, &reason)) { // the machine's own map drives
        snprintf(page->fault, sizeof page->fault,
                 language_text("The control map of the settings cannot be used, the ISO pattern drives. %s"),
                 reason.text);
        page->controls_index = find_controls(page, "iso");
        page->controls_index = page->controls_index >= 0 ? page->controls_index : 0;
    }
    return true;
}

const char *settings_page_controls(const SettingsPage *page)
{
    bool given = page->given != NULL && page->controls_index == page->controls_count - 1;
    return given ? page->given : page->controls[page->controls_index].name;
}

/// ---- changing ------------------------------------------------------------------------------------------------------

/// Writes a value and reads the file again.
static bool write_value(SettingsPage *page, const char *key, const char *value, Status *status)
{
    char edit[EDIT_LENGTH];
    const char *edits[] = {edit};
    snprintf(edit, sizeof edit, "%s=%s", key, value);
    return results_settings_change(edits, 1, status) && results_settings(&page->now, status);
}

bool settings_page_choose_controls(SettingsPage *page, const char *name, Status *status)
{
    int index = find_controls(page, name);
    if (index < 0) {
        const char *given = page->given;
        if (!list_controls(page, status)) {
            return false;
        }
        page->given = NULL;
        if (given != NULL) {
            Status ignored;
            add_given(page, given, &ignored);
        }
        index = find_controls(page, name);
    }
    if (index < 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: no such control map", name);
    }
    page->controls_index = index;
    return write_value(page, "controls", name, status);
}

static bool change_controls(SettingsPage *page, int step, Status *status)
{
    int before = page->controls_index;
    page->controls_index = (before + (step != 0 ? step : 1) + page->controls_count) % page->controls_count;
    if (write_value(page, "controls", settings_page_controls(page), status)) {
        return true;
    }
    page->controls_index = before;
    return false;
}

static bool change_volume(SettingsPage *page, int step, Status *status)
{
    char value[16];
    double now = VOLUME_STEP * round(page->now.sound.volume / VOLUME_STEP);
    double volume = step != 0 ? now + VOLUME_STEP * step : now > 1.0 - 0.5 * VOLUME_STEP ? 0.0 : now + VOLUME_STEP;
    snprintf(value, sizeof value, "%.1f", fmin(fmax(volume, 0.0), 1.0));
    return write_value(page, "sound.volume", value, status);
}

bool settings_page_change(SettingsPage *page, int id, int step, Status *status)
{
    const Row *row = find_row(id);
    if (page->fault[0] != '\0') {
        return status_fail(status, STATUS_BAD_FILE, "%s", page->fault);
    }
    if (id == SETTINGS_ITEM_CONTROLS) {
        return change_controls(page, step, status);
    }
    if (id == SETTINGS_ITEM_VOLUME) {
        return change_volume(page, step, status);
    }
    if (row == NULL) {
        return true;
    }
    int next = find_value(page, row) + (step != 0 ? step : 1);
    return write_value(page, row->key, row->values[(next + row->count) % row->count], status);
}

bool settings_page_apply(const SettingsPage *page, int id, Window *window, Status *status)
{
    SettingsSides sides;
    switch (id) {
    case SETTINGS_ITEM_VOLUME:
        window_set_volume(window, page->now.sound.volume);
        break;
    case SETTINGS_ITEM_QUALITY:
        return window_set_quality(window, page->now.window.quality, status);
    case SETTINGS_ITEM_GAUGES:
        window_set_gauges(window, page->now.window.gauges);
        break;
    case SETTINGS_ITEM_REAR:
    case SETTINGS_ITEM_INSET:
    case SETTINGS_ITEM_MIRRORS:
        window_set_views(window, &page->now.window.views);
        break;
    case SETTINGS_ITEM_WINDOWS:
        return sides_read(page->now.window.windows, &sides) && window_set_sides(window, &sides, status);
    case SETTINGS_ITEM_SCORE:
    case SETTINGS_ITEM_MAP:
    case SETTINGS_ITEM_SIGNALS:
    case SETTINGS_ITEM_SIDES:
    case SETTINGS_ITEM_SIZE:
        window_set_panels(window, &page->now.window.panels);
        break;
    case SETTINGS_ITEM_UNITS:
        window_set_units(window, page->now.window.units);
        break;
    case SETTINGS_ITEM_LANGUAGE:
        return language_choose(page->now.language[0] != '\0' ? page->now.language : NULL, status);
    case SETTINGS_ITEM_KEYS:
        window_set_help(window, !page->now.window.no_keys);
        break;
    default:
        break;
    }
    return true;
}

/// ---- showing -------------------------------------------------------------------------------------------------------

void settings_page_add(const SettingsPage *page, Menu *menu)
{
    char value[MENU_VALUE];
    menu_add_value(menu, SETTINGS_ITEM_CONTROLS, language_text("Levers"),
                   language_text(page->controls[page->controls_index].title));
    snprintf(value, sizeof value, "%.0f %%", 100.0 * page->now.sound.volume);
    MenuItem *item = menu_add_value(menu, SETTINGS_ITEM_VOLUME, language_text("Sound"),
                                    page->now.sound.volume > 0.0 ? value : language_text("Silent"));
    if (item != NULL) {
        item->bar = (RenderMenuBar){.visible = true, .share = page->now.sound.volume};
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        menu_add_value(menu, (int)rows[k].id, language_text(rows[k].text),
                       language_text(rows[k].words[find_value(page, &rows[k])]));
    }
}

const char *settings_page_about(int id)
{
    for (size_t k = 0; k < sizeof about / sizeof about[0]; k++) {
        if ((int)about[k].id == id) {
            return language_text(about[k].text);
        }
    }
    return "";
}

/// ---- settings over a drive -----------------------------------------------------------------------------------------

/// The items of the menu's settings page without those that need the devices.

enum { ITEM_BACK = 1, ITEM_DEVICE, ITEM_PATTERN };

typedef struct SettingsScreen {
    SettingsPage page;
    Menu menu;
    Window *window;
    SessionView *behind;
    Drive *drive;
    char *controls; ///< [DATA_PATH_LENGTH] that are to drive; "" = as before
    char told[MENU_SUBTITLE]; ///< what went wrong; "" = nothing
    bool pictured; ///< what the controls do is shown, in place of the settings
    ControlsPage keys;
    double last; ///< drive_clock of the last poll
    int restarts; ///< of the drive, when the page was opened
    bool failed, called; ///< the drive has; its guide calls the person back
    Status *status; ///< of the failure
} SettingsScreen;

static void fill_settings_screen(SettingsScreen *self, int id)
{
    const char *usual = language_text("Changes take effect at once");
    menu_start(&self->menu, language_text("Settings"),
               self->told[0] != '\0'         ? self->told
               : self->page.fault[0] != '\0' ? self->page.fault
                                             : usual);
    settings_page_add(&self->page, &self->menu);
    menu_add(&self->menu, ITEM_BACK, language_text("Back"), "");
    menu_select(&self->menu, id);
    self->menu.has_side = true;
    snprintf(self->menu.side_text, sizeof self->menu.side_text, "%s", settings_page_about(menu_id(&self->menu)));
}

/// What the controls do. A bulldozer has one pattern.
static void fill_controls(SettingsScreen *self, int id)
{
    char text[MENU_TEXT];
    menu_start(&self->menu, language_text("Controls"),
               self->told[0] != '\0' ? self->told
                                     : language_text("Move sticks, pedals or keys: the picture shows what they do. "
                                                     "Enter, A or a click changes the selected line"));
    controls_page_name_device(&self->keys, text);
    menu_add(&self->menu, ITEM_DEVICE, text, "");
    if (!self->keys.picture.dozer) {
        controls_page_name_pattern(&self->keys, text);
        menu_add(&self->menu, ITEM_PATTERN, text, "");
    }
    menu_add(&self->menu, ITEM_BACK, language_text("Back"), "");
    menu_select(&self->menu, id);
    controls_page_show(&self->keys, &self->menu);
}

static void begin_controls(SettingsScreen *self)
{
    Operator *driver = &self->drive->driver;
    controls_page_begin(&self->keys, driver->controls, driver->map, driver->sample);
}

/// The next map of the settings drives from now on.
static void change_pattern(SettingsScreen *self)
{
    Status status;
    self->told[0] = '\0';
    if (!settings_page_change(&self->page, SETTINGS_ITEM_CONTROLS, 1, &status) ||
        !operator_change_controls(&self->drive->driver, settings_page_controls(&self->page), self->drive->session,
                                  &status)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
        return;
    }
    snprintf(self->controls, DATA_PATH_LENGTH, "%s", settings_page_controls(&self->page));
    begin_controls(self);
}

/// True when the page is left.
static bool take_controls(SettingsScreen *self, WindowInput *input, const InputSample *sample, const RenderView *shown)
{
    double now = drive_clock();
    controls_page_look(&self->keys, sample, now - self->last, input);
    self->last = now;
    MenuAnswer answer = menu_take(&self->menu, input, shown);
    int id = menu_id(&self->menu);
    if (answer == MENU_BACK || (answer == MENU_CHOSEN && id == ITEM_BACK)) {
        return true;
    }
    if (answer == MENU_CHOSEN && id == ITEM_DEVICE) {
        controls_page_next_device(&self->keys);
    } else if (answer == MENU_CHOSEN && id == ITEM_PATTERN) {
        change_pattern(self);
    }
    MenuPlace place = menu_place(&self->menu);
    fill_controls(self, id);
    menu_keep_place(&self->menu, &place);
    return false;
}

static void change_item(SettingsScreen *self, int id, int step)
{
    Status status;
    self->told[0] = '\0';
    if (!settings_page_change(&self->page, id, step, &status) ||
        !settings_page_apply(&self->page, id, self->window, &status)) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1, status.text);
    } else if (id == SETTINGS_ITEM_CONTROLS) {
        snprintf(self->controls, DATA_PATH_LENGTH, "%s", settings_page_controls(&self->page));
    }
    session_view_set_units(self->behind, window_units(self->window));
    session_view_translate(self->behind, self->drive->session);
}

/// True when the page is left.
static bool take_input(SettingsScreen *self, const WindowInput *input, const RenderView *shown)
{
    MenuAnswer answer = menu_take(&self->menu, input, shown);
    int id = menu_id(&self->menu);
    if (answer == MENU_BACK || (answer == MENU_CHOSEN && id == ITEM_BACK)) {
        return true;
    }
    if (answer != MENU_NOTHING) {
        change_item(self, id, answer == MENU_LEFT ? -1 : answer == MENU_RIGHT ? 1 : 0);
    }
    MenuPlace place = menu_place(&self->menu);
    fill_settings_screen(self, id);
    menu_keep_place(&self->menu, &place);
    return false;
}

/// Window callback: true when the guide calls the person back.
static bool guide_calls_back(void *context)
{
    SettingsScreen *self = context;
    self->failed = !drive_stand(self->drive, self->status);
    self->called = self->drive->dismissed || self->drive->restarts != self->restarts;
    return self->failed || self->called;
}

static SettingsEnd run_settings_screen(SettingsScreen *self)
{
    const RenderView *shown = NULL;
    for (;;) {
        WindowInput input;
        const InputSample *sample = window_poll(self->window, NULL, &input);
        if (input.close) {
            return self->failed ? SETTINGS_END_FAILED : self->called ? SETTINGS_END_BACK : SETTINGS_END_CLOSE;
        }
        if (self->pictured ? take_controls(self, &input, sample, shown) : take_input(self, &input, shown)) {
            return SETTINGS_END_BACK;
        }
        RenderView *view = session_view_build(self->behind, self->drive->session, 1.0);
        menu_show(&self->menu, &view->menu);
        window_show(self->window, view);
        shown = view;
    }
}

SettingsEnd settings_screen(Window *window, SessionView *behind, Drive *drive, bool pictured, char *controls,
                            Status *status)
{
    Status fault;
    SettingsScreen *self = calloc(1, sizeof *self);
    if (self == NULL) {
        abort();
    }
    *self = (SettingsScreen){.window = window,
                             .behind = behind,
                             .drive = drive,
                             .controls = controls,
                             .pictured = pictured,
                             .last = drive_clock(),
                             .restarts = drive->restarts,
                             .status = status};
    controls[0] = '\0';
    if (!settings_page_read(&self->page, NULL, &fault)) {
        snprintf(self->page.fault, sizeof self->page.fault, "%.*s", MENU_SUBTITLE - 1, fault.text);
    }
    if (pictured) {
        begin_controls(self);
        fill_controls(self, ITEM_DEVICE);
    } else {
        fill_settings_screen(self, SETTINGS_ITEM_VOLUME);
    }
    if (drive->params.guide != NULL) {
        window_set_caller(window, guide_calls_back, self);
    }
    SettingsEnd end = run_settings_screen(self);
    if (drive->params.guide != NULL) {
        window_set_caller(window, NULL, NULL);
    }
    free(self);
    return end;
}
