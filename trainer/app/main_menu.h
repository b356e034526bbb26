/// The first screen: who drives, the courses with their exercises, free scenes, the user's own scenes, and what was
/// recorded. It knows what is shown and what was chosen; it neither drives nor watches.
#ifndef SPADEWORK_TRAINER_MAIN_MENU_H
#define SPADEWORK_TRAINER_MAIN_MENU_H

#include "trainer/app/menu.h"
#include "trainer/app/settings_page.h"
#include "trainer/pilot/pilot.h"

/// ---- the menu ------------------------------------------------------------------------------------------------------

typedef struct MainMenu MainMenu;

typedef enum MainAnswer {
    MAIN_STAYS,
    MAIN_DRIVES, ///< main_menu_options says what
    MAIN_WATCHES, ///< main_menu_recording says what
    MAIN_APPLIES, ///< main_menu_settings says what the window is to be like, main_menu_changed of which item
    MAIN_LEAVES
} MainAnswer;

/// Reads what there is. NULL with `status` when the shipped data, or the control map that was asked for, is not to be
/// had. A trainee who is named already is not asked for.
/// defaults  what `run` would be given; its strings outlive the menu
MainMenu *main_menu_create(const RunOptions *defaults, Status *status);
void main_menu_destroy(MainMenu *self); ///< NULL is nothing

/// Tells what is plugged in and how it is, `elapsed` s after the last time; without it the pages that show devices show
/// none. The sample outlives the next main_menu_take.
void main_menu_watch(MainMenu *self, InputDevices *devices, const InputSample *sample, double elapsed);
/// Takes what came in. view: what was drawn last, or NULL.
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
/// After a drive, a look or another language: reads scenes, results, recordings and settings anew.
/// told  what went wrong, or NULL
void main_menu_return(MainMenu *self, const char *told);

#endif
