/// The same items as on the menu's page of settings, but for those that need the devices.
#include "trainer/app/settings_screen.h"

#include <stdio.h>
#include <stdlib.h>

#include "data/core/language.h"
#include "trainer/app/settings_page.h"

enum { ITEM_BACK = 1 };

typedef struct SettingsScreen {
    SettingsPage page;
    Menu menu;
    Window *window;
    SessionView *behind;
    Drive *drive;
    char *controls; ///< [DATA_PATH_LENGTH] that are to drive; "" = as before
    char told[MENU_SUBTITLE]; ///< what went wrong; "" = nothing
    int restarts; ///< of the drive, when the page was opened
    bool failed, called; ///< the drive has; its guide calls the person back
    Status *status; ///< of the failure
} SettingsScreen;

static void fill(SettingsScreen *self, int id)
{
    const char *usual = language_text("Each change counts at once");
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

static void change(SettingsScreen *self, int id, int step)
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
static bool take(SettingsScreen *self, const WindowInput *input, const RenderView *shown)
{
    MenuAnswer answer = menu_take(&self->menu, input, shown);
    int id = menu_id(&self->menu);
    if (answer == MENU_BACK || (answer == MENU_CHOSEN && id == ITEM_BACK)) {
        return true;
    }
    if (answer != MENU_NOTHING) {
        change(self, id, answer == MENU_LEFT ? -1 : answer == MENU_RIGHT ? 1 : 0);
    }
    MenuPlace place = menu_place(&self->menu);
    fill(self, id);
    menu_keep_place(&self->menu, &place);
    return false;
}

/// The guide is heard at each poll.
static bool hear(void *context)
{
    SettingsScreen *self = context;
    self->failed = !drive_stand(self->drive, self->status);
    self->called = self->drive->dismissed || self->drive->restarts != self->restarts;
    return self->failed || self->called;
}

static SettingsEnd show(SettingsScreen *self)
{
    const RenderView *shown = NULL;
    for (;;) {
        WindowInput input;
        window_poll(self->window, NULL, &input);
        if (input.close) {
            return self->failed ? SETTINGS_END_FAILED : self->called ? SETTINGS_END_BACK : SETTINGS_END_CLOSE;
        }
        if (take(self, &input, shown)) {
            return SETTINGS_END_BACK;
        }
        RenderView *view = session_view_build(self->behind, self->drive->session, 1.0);
        menu_show(&self->menu, &view->menu);
        window_show(self->window, view);
        shown = view;
    }
}

SettingsEnd settings_screen(Window *window, SessionView *behind, Drive *drive, char *controls, Status *status)
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
                             .restarts = drive->restarts,
                             .status = status};
    controls[0] = '\0';
    if (!settings_page_read(&self->page, NULL, &fault)) {
        snprintf(self->page.fault, sizeof self->page.fault, "%.*s", MENU_SUBTITLE - 1, fault.text);
    }
    fill(self, SETTINGS_ITEM_VOLUME);
    if (drive->params.guide != NULL) {
        window_set_caller(window, hear, self);
    }
    SettingsEnd end = show(self);
    if (drive->params.guide != NULL) {
        window_set_caller(window, NULL, NULL);
    }
    free(self);
    return end;
}
