/// The main menu: trainee, courses with their exercises, free scenes, the user's own scenes, recordings, settings. It
/// returns what was chosen; driving and watching are the caller's.
#ifndef SPADEWORK_TRAINER_MAIN_MENU_H
#define SPADEWORK_TRAINER_MAIN_MENU_H

#include "trainer/app/menu.h"
#include "trainer/app/settings_page.h"
#include "trainer/pilot/pilot.h"

typedef struct MainMenu MainMenu;

typedef enum MainAnswer {
    MAIN_STAYS,
    MAIN_DRIVES, ///< as main_menu_options says
    MAIN_WATCHES, ///< the file of main_menu_recording
    MAIN_APPLIES, ///< item main_menu_changed of main_menu_settings is to be applied to the window
    MAIN_LEAVES
} MainAnswer;

/// Reads scenes, results, recordings and settings. NULL with `status` when the shipped data or the requested control
/// map cannot be read. A trainee who is named already is not asked for.
/// defaults  what `run` would be given; its strings outlive the menu
MainMenu *main_menu_create(const RunOptions *defaults, Status *status);
void main_menu_destroy(MainMenu *self); ///< NULL is nothing

/// Passes the devices and their sample, `elapsed` s after the last call; without it the pages of devices show
/// none. The sample outlives the next main_menu_take.
void main_menu_watch(MainMenu *self, InputDevices *devices, const InputSample *sample, double elapsed);
/// Handles the input. view: what was drawn last, or NULL.
MainAnswer main_menu_take(MainMenu *self, const WindowInput *input, const RenderView *view);
/// True while a name is typed: the window is to take text.
bool main_menu_types(const MainMenu *self);
/// True while what is typed searches the list that is shown (window_take_search).
bool main_menu_searches(const MainMenu *self);
void main_menu_show(MainMenu *self, RenderMenu *shown);

/// What to drive: scene, course, trainee, control map, operator. Valid until the next main_menu_take.
const RunOptions *main_menu_options(const MainMenu *self);
/// What to watch: a path, valid until the next main_menu_take.
const char *main_menu_recording(const MainMenu *self);
/// The settings as they are now, and the item of their page that was changed last.
const SettingsPage *main_menu_settings(const MainMenu *self);
int main_menu_changed(const MainMenu *self);
/// Reads scenes, results, recordings and settings again, after a drive, a replay or a change of language.
/// told  what went wrong, or NULL
void main_menu_return(MainMenu *self, const char *told);

#endif
