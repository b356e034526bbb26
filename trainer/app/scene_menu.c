/// The first screen: shows the main menu, drives and watches what was chosen there.
#include "trainer/app/screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trainer/report/report.h"
#include "trainer/app/main_menu.h"
#include "trainer/app/screen.h"

typedef struct SceneMenu {
    Window *window;
    MainMenu *menu;
    const char *first_record; ///< --record's file, or NULL
    bool first_made; ///< by this menu: the next one is numbered
    char next_record[DATA_PATH_LENGTH];
    int types; ///< what keys are for in the menu: 0 commands, 1 text, 2 a search
} SceneMenu;

/// Drives the chosen scene. --record names the first session's file only; those after it are numbered beside it.
static ScreenEnd drive(SceneMenu *self, Status *status)
{
    const char *first = self->first_record;
    RunOptions options = *main_menu_options(self->menu);
    if (self->first_made) {
        output_number_path(first, self->next_record, sizeof self->next_record);
        options.record = self->next_record;
    }
    bool absent = first != NULL && access(first, F_OK) != 0;
    char recorded[DATA_PATH_LENGTH];
    DriveParams params = {.options = &options, .briefs = true, .from_menu = true};
    ScreenEnd end = drive_screen(self->window, &params, recorded, status);
    self->first_made |= absent && access(first, F_OK) == 0;
    if (recorded[0] != '\0') {
        printf("recorded %s\n", recorded);
    }
    return end;
}

/// Does what was chosen; a failure becomes the menu's second line. True when the window is to close.
static bool follow(SceneMenu *self, MainAnswer answer, Status *status)
{
    if (answer == MAIN_STAYS || answer == MAIN_LEAVES) {
        return answer == MAIN_LEAVES;
    }
    if (answer == MAIN_APPLIES) {
        if (!settings_page_apply(main_menu_settings(self->menu), main_menu_changed(self->menu), self->window, status)) {
            main_menu_return(self->menu, status->text);
        } else if (main_menu_changed(self->menu) == SETTINGS_ITEM_LANGUAGE) {
            main_menu_return(self->menu, NULL);
        }
        return false;
    }
    window_take_text(self->window, false); // keys of a drive and of a replay are no search
    self->types = 0;
    ScreenEnd end = answer == MAIN_DRIVES ? drive(self, status)
                                          : watch_and_drive(self->window, main_menu_recording(self->menu), 0.0,
                                                            main_menu_options(self->menu), status);
    window_set_title(self->window, "Spadework");
    main_menu_return(self->menu, end == SCREEN_END_FAILED ? status->text : NULL);
    return end == SCREEN_END_CLOSE;
}

static void run_menu(SceneMenu *self, Status *status)
{
    RenderView *view = calloc(1, sizeof *view);
    if (view == NULL) {
        abort();
    }
    double last = drive_clock();
    for (bool over = false; !over;) {
        WindowInput input;
        const InputSample *sample = window_poll(self->window, NULL, &input);
        double now = drive_clock();
        main_menu_watch(self->menu, window_devices(self->window), sample, now - last);
        last = now;
        over = input.close || follow(self, main_menu_take(self->menu, &input, view), status);
        int wanted = main_menu_types(self->menu) ? 1 : main_menu_searches(self->menu) ? 2 : 0;
        if (wanted == 2 && self->types != 2) {
            window_take_search(self->window, true);
        } else if (wanted != self->types) {
            window_take_text(self->window, wanted == 1);
        }
        self->types = wanted;
        main_menu_show(self->menu, &view->menu);
        window_show(self->window, view);
    }
    window_take_text(self->window, false);
    free(view);
}

int screens_menu(const RunOptions *defaults)
{
    Status status = {0};
    SceneMenu self = {.first_record = defaults->record};
    self.menu = main_menu_create(defaults, &status);
    self.window = self.menu != NULL ? screen_open_window(defaults, &status) : NULL;
    bool good = self.window != NULL;
    if (good) {
        run_menu(&self, &status);
    } else {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    window_close(self.window);
    main_menu_destroy(self.menu);
    return good ? STATUS_GOOD : (int)status.code;
}
