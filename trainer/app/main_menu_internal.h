/// State of the main menu and what its pages share (main_pages.c), below the pages themselves (main_scenes.c,
/// main_settings.c) and their table (main_menu.c).
#ifndef SPADEWORK_TRAINER_MAIN_MENU_INTERNAL_H
#define SPADEWORK_TRAINER_MAIN_MENU_INTERNAL_H

#include "trainer/app/controls_page.h"
#include "trainer/app/device_setup.h"
#include "trainer/app/main_menu.h"
#include "trainer/results/results.h"

typedef enum MainPageKind {
    MAIN_HOME,
    MAIN_PEOPLE,
    MAIN_NAME,
    MAIN_COURSE,
    MAIN_FREE,
    MAIN_OWN,
    MAIN_CONDITIONS, ///< of the drives that are chosen next
    MAIN_RECORDINGS,
    MAIN_SETTINGS,
    MAIN_CONTROLS, ///< what the controls do
    MAIN_SETUP, ///< of levers, pedals and joysticks
    MAIN_HELLO, ///< the tour: whether it is wanted
    MAIN_DEVICE, ///< the tour: what is driven with
    MAIN_PATTERN, ///< the tour: which lever moves what
    MAIN_LEVERS, ///< the tour: trying them out
    MAIN_FIRST, ///< the tour: the first exercise
    MAIN_LEAVE, ///< asks before the program ends
    MAIN_PAGES
} MainPageKind;

/// Ids of items that stand on more than one page; below MAIN_ITEM_OWN the id is an index of what the page lists.
enum { MAIN_ITEM_OWN = 1 << 24, MAIN_ITEM_BACK = 1 << 25 };

enum { MAIN_FILTER = 48 }; ///< bytes of a search text

/// A page that lists: `head` items of its own, then rows of what there is, then the way back.
typedef struct MainList {
    int head;
    void (*fill_head)(const MainMenu *self, int k, MenuItem *item); ///< NULL where `head` is 0
    void (*fill)(const MainMenu *self, int index, MenuItem *item); ///< the item's id is set
    void (*name)(const MainMenu *self, int index, char *text, size_t size); ///< what it is found by; "": is not listed
    const char *nothing; ///< a line, in English, where there is nothing to list; NULL: none
} MainList;

struct MainPage;

struct MainMenu {
    const struct MainPage *const *pages; ///< [MAIN_PAGES]
    RunOptions options; ///< as chosen so far
    Catalogue catalogue;
    int trainee_count;
    ResultTrainee *trainees; ///< [trainee_count]
    char trainee[RESULT_NAME]; ///< name; "" = not chosen
    char typed[RESULT_NAME]; ///< on the page of names
    ResultRecordings recordings;
    RecordingProver *prover; ///< of one of them, whose seals are being checked; NULL: none
    int proving; ///< its place in the list
    const MainList *list; ///< of the page that lists, or NULL
    int *listed; ///< [listed_count] indexes that fit what was typed, in the order of the page
    int listed_count;
    char filter[MAIN_FILTER]; ///< typed on a page that lists
    SettingsPage settings;
    int changed; ///< item of the settings
    InputDevices *devices; ///< the window's, borrowed; NULL = none given
    const InputSample *sample; ///< the same
    double elapsed; ///< s since the last one
    DeviceSetup setup;
    MainPageKind after_setup; ///< where it leads to
    LeverCheck check; ///< of the tour, and of the page of the controls
    ControlsPage keys; ///< what the controls do
    ControlsParams keys_map; ///< that they are shown of
    bool keys_dozer; ///< of a bulldozer, else of an excavator
    char stranger[48]; ///< a device whose levers are not known; "" = none
    char named_for[DATA_PATH_LENGTH]; ///< control map that `named` is of
    int named_count;
    ControlDevice named[CONTROLS_MAX_DEVICES]; ///< that it names
    MainPageKind after_people; ///< where the page of names leads to
    MainPageKind page;
    int course; ///< that is looked at
    Conditions conditions; ///< of the drives that are chosen next
    MainPageKind after_conditions; ///< where their page leads to
    int chosen[MAIN_PAGES]; ///< id that was selected last
    char told[MENU_SUBTITLE]; ///< what went wrong; "" = nothing
    char scene[DATA_PATH_LENGTH], recording[DATA_PATH_LENGTH]; ///< that were chosen
    Menu menu;
    int side_of; ///< id that the side describes; -2: none yet
    RenderPicture *picture; ///< of the side, or NULL
};

/// Result of a page's poll of the devices.
typedef enum MainPoll {
    MAIN_POLL_NOTHING, ///< nothing changed
    MAIN_POLL_FILL, ///< the page is to be filled anew
    MAIN_POLL_RESELECT, ///< the same, and another item is to be selected, as `fill` does
} MainPoll;

/// A page of the menu.
typedef struct MainPage {
    void (*fill)(MainMenu *self); ///< begins self->menu and adds its items
    void (*describe)(MainMenu *self, int id); ///< text and picture about the selected item; NULL: the page has no side
    MainAnswer (*choose)(MainMenu *self, int id);
    MainAnswer (*change)(MainMenu *self, int id, int step); ///< of left and right; NULL: nothing
    MainPageKind back;
    void (*go_back)(MainMenu *self); ///< in place of `back`, or NULL
    MainPoll (*poll)(MainMenu *self,
                     WindowInput *input); ///< each round, before the menu; NULL: the page does not change by itself
    void (*leave)(MainMenu *self); ///< before another page is shown; NULL: nothing
    bool lists; ///< it is filled by main_list_fill and can be searched
} MainPage;

/// main_scenes.c
extern const MainPage main_page_course, main_page_free, main_page_own, main_page_conditions, main_page_recordings;
/// Adds the item that leads to the page of conditions, with those that are chosen.
void main_menu_add_conditions(MainMenu *self, int id);
/// Goes to that page; `after` is where it leads back to.
void main_menu_choose_conditions(MainMenu *self, MainPageKind after);
/// main_settings.c
extern const MainPage main_page_settings, main_page_setup, main_page_controls;
extern const MainPage main_page_hello, main_page_device, main_page_pattern, main_page_levers, main_page_first;

/// Goes to a page, filled again, with the item selected that was selected last.
void main_menu_go(MainMenu *self, MainPageKind page);
/// Text and picture beside the items, when another one is selected.
void main_menu_describe(MainMenu *self);
/// Begins a page's menu: `usual` is its second line where nothing went wrong.
void main_menu_begin(MainMenu *self, const char *title, const char *usual);
/// The picture of a scene, or its plan; NULL when neither can be had. The caller frees it.
RenderPicture *main_menu_scene_picture(const MainMenu *self, const CatalogueScene *scene);
/// The course that a beginner takes first, or the trainee is in: the one with most of its exercises driven; -1: none.
int main_menu_course(const MainMenu *self);
/// The exercise of a course that is to be driven next: the first that is open and not passed, else the last one; NULL:
/// it has none.
const CatalogueStep *main_menu_next(const MainMenu *self, const CatalogueCourse *course);
/// Writes "Driver: Ann".
void main_menu_print_driver(const MainMenu *self, char text[MENU_TEXT]);
/// Drives a scene, of a course or (NULL) of none.
MainAnswer main_menu_drive(MainMenu *self, const CatalogueScene *scene, const char *course);
/// Goes to the set-up of devices; `after` is where it leads to.
void main_menu_set_up(MainMenu *self, MainPageKind after);
/// True when a device that is plugged in, by its number (input_devices_list), is a gamepad or one that the chosen map
/// names.
bool main_menu_knows(MainMenu *self, int device);
/// Writes the name of the first device that is not known so; false: there is none.
bool main_menu_stranger(MainMenu *self, char name[48]);
/// Gives the page's menu, which was begun, its rows: those of 0..count - 1 that fit what was typed.
void main_list_fill(MainMenu *self, const MainList *list, int count);
/// Removes typed text from the input. True when the search has changed and the page is to be filled again.
bool main_list_search(MainMenu *self, WindowInput *input);
/// Selects the first row that fits what was typed.
void main_list_select_first(MainMenu *self);

/// Reads results and recordings. A failure is shown, and the menu works without them.
void main_menu_read_results(MainMenu *self);
/// Ends checking seals where it is.
void main_menu_stop_proving(MainMenu *self);

/// Writes seconds as "4:12".
void main_menu_print_time(double seconds, char text[16]);

#endif
