/// The first menu: scenes with their tasks, the control map, who moves the levers, and the last recording.
#include "trainer/screens/screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trainer/export/output_file.h"
#include "trainer/screens/menu.h"
#include "trainer/screens/screen.h"

enum { MOST_CHOICES = 24, ITEM_CONTROLS = MOST_CHOICES, ITEM_DRIVER, ITEM_WATCH, ITEM_QUIT };

typedef struct SceneMenu {
    Window *window;
    RunOptions options; ///< as chosen so far
    int scene_count, controls_count, controls_index;
    DataListEntry scenes[MOST_CHOICES], controls[MOST_CHOICES + 1];
    const char *given_controls; ///< a map of the person's own, the last one in the list; NULL = none
    char tasks[MOST_CHOICES][MENU_TEXT]; ///< what each scene asks for, or why it cannot be loaded
    char recorded[DATA_PATH_LENGTH]; ///< last recording made from this menu
    const char *first_record; ///< --record's file, or NULL
    bool first_made; ///< by this menu: the next one is numbered
    char next_record[DATA_PATH_LENGTH];
    Menu menu;
} SceneMenu;

static void add_scenes(SceneMenu *self)
{
    for (int i = 0; i < self->scene_count; i++) {
        menu_add(&self->menu, i, self->scenes[i].title, self->tasks[i]);
    }
}

static void fill(SceneMenu *self, const char *subtitle)
{
    int selected = self->menu.selected;
    char text[MENU_TEXT];
    menu_start(&self->menu, "Spadework", subtitle);
    add_scenes(self);
    if (self->controls_count > 0) {
        snprintf(text, sizeof text, "Levers: %s", self->controls[self->controls_index].title);
        menu_add(&self->menu, ITEM_CONTROLS, text, "Left/Right: other pattern");
    }
    bool automatic = self->options.operator_name != NULL && strcmp(self->options.operator_name, "auto") == 0;
    menu_add(&self->menu, ITEM_DRIVER, automatic ? "Operator: automatic" : "Operator: you (gamepad, keyboard)",
             "Left/Right: who moves the levers");
    if (self->recorded[0] != '\0') {
        menu_add(&self->menu, ITEM_WATCH, "Watch the last session", self->recorded);
    }
    menu_add(&self->menu, ITEM_QUIT, "Quit", "");
    self->menu.selected = selected < self->menu.count ? selected : 0;
}

/// The scenes' descriptions, to their first full stop.
static void read_tasks(SceneMenu *self)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    if (scene == NULL || machine == NULL) {
        abort();
    }
    for (int i = 0; i < self->scene_count; i++) {
        Status status = {0};
        bool good = data_load_scene(self->scenes[i].name, NULL, 0, scene, machine, NULL, &status);
        const char *text = good ? scene->description : status.text;
        const char *stop = good ? strstr(text, ". ") : NULL;
        int length = stop != NULL ? (int)(stop - text) + 1 : (int)strlen(text);
        snprintf(self->tasks[i], sizeof self->tasks[i], "%.*s", length, text);
    }
    free(scene);
    free(machine);
}

/// A control map that is no shipped one takes its place behind those. False when it cannot be loaded.
static bool add_given_controls(SceneMenu *self, Status *status)
{
    for (int i = 0; i < self->controls_count; i++) {
        if (strcmp(self->controls[i].name, self->options.controls) == 0) {
            self->controls_index = i;
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

static bool read_choices(SceneMenu *self, Status *status)
{
    self->scene_count = data_list("scenes", self->scenes, MOST_CHOICES, status);
    self->controls_count = data_list("controls", self->controls, MOST_CHOICES, status);
    if (self->scene_count < 0 || self->controls_count < 0) {
        return false;
    }
    read_tasks(self);
    if (self->options.controls == NULL) {
        self->options.controls = "iso";
    }
    if (!add_given_controls(self, status)) {
        return false;
    }
    for (int i = 0; i < self->scene_count; i++) {
        if (self->options.scene != NULL && strcmp(self->scenes[i].name, self->options.scene) == 0) {
            self->menu.selected = i;
        }
    }
    return true;
}

static void change(SceneMenu *self, int id, int step)
{
    if (id == ITEM_CONTROLS) {
        self->controls_index = (self->controls_index + step + self->controls_count) % self->controls_count;
        bool given = self->given_controls != NULL && self->controls_index == self->controls_count - 1;
        self->options.controls = given ? self->given_controls : self->controls[self->controls_index].name;
    } else if (id == ITEM_DRIVER) {
        bool automatic = self->options.operator_name != NULL && strcmp(self->options.operator_name, "auto") == 0;
        self->options.operator_name = automatic ? NULL : "auto";
    }
}

/// Drives the chosen scene. --record names the first session's file only; those after it are numbered beside it.
static ScreenEnd drive(SceneMenu *self, Status *status)
{
    const char *first = self->first_record;
    if (self->first_made) {
        output_number_path(first, self->next_record, sizeof self->next_record);
        self->options.record = self->next_record;
    }
    bool absent = first != NULL && access(first, F_OK) != 0;
    char recorded[DATA_PATH_LENGTH];
    DriveParams params = {.options = &self->options, .briefs = true};
    ScreenEnd end = drive_screen(self->window, &params, recorded, status);
    self->first_made |= absent && access(first, F_OK) == 0;
    if (recorded[0] != '\0') {
        snprintf(self->recorded, sizeof self->recorded, "%s", recorded);
        printf("recorded %s\n", recorded);
    }
    return end;
}

/// Does what was chosen; a failure becomes the menu's second line. True when the window is to close.
static bool choose(SceneMenu *self, int id, Status *status)
{
    ScreenEnd end = SCREEN_END_LEAVE;
    if (id == ITEM_QUIT) {
        return true;
    }
    if (id == ITEM_WATCH) {
        end = watch_and_drive(self->window, self->recorded, 0.0, &self->options, status);
    } else if (id < self->scene_count) {
        self->options.scene = self->scenes[id].name;
        end = drive(self, status);
    } else {
        change(self, id, 1);
    }
    window_set_title(self->window, "Spadework");
    fill(self, end == SCREEN_END_FAILED ? status->text : "Choose an exercise");
    return end == SCREEN_END_CLOSE;
}

static void run_menu(SceneMenu *self, Status *status)
{
    fill(self, "Choose an exercise");
    RenderView *view = calloc(1, sizeof *view);
    if (view == NULL) {
        abort();
    }
    for (bool over = false; !over;) {
        WindowInput input;
        window_poll(self->window, NULL, &input);
        MenuAnswer answer = menu_take(&self->menu, &input);
        int id = menu_id(&self->menu);
        if (input.close || answer == MENU_BACK) {
            over = true;
        } else if (answer == MENU_CHOSEN) {
            over = choose(self, id, status);
        } else if (answer == MENU_LEFT || answer == MENU_RIGHT) {
            change(self, id, answer == MENU_LEFT ? -1 : 1);
            fill(self, "Choose an exercise");
        }
        menu_show(&self->menu, &view->menu);
        window_show(self->window, view);
    }
    free(view);
}

int screens_menu(const RunOptions *defaults)
{
    Status status = {0};
    SceneMenu *self = calloc(1, sizeof *self);
    if (self == NULL) {
        abort();
    }
    self->options = *defaults;
    self->first_record = defaults->record;
    bool good = read_choices(self, &status) && (self->window = window_open("Spadework", &status)) != NULL;
    if (good) {
        window_set_debug(self->window, self->options.overlay);
        window_set_cut_fill(self->window, self->options.cut_fill);
        window_open_sound(self->window, self->options.mute ? 0.0 : self->options.volume);
        window_set_controls(self->window, self->options.axes);
    }
    if (good) {
        run_menu(self, &status);
    } else {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    window_close(self->window);
    free(self);
    return good ? STATUS_GOOD : (int)status.code;
}
