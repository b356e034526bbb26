/// What the pages of the main menu share.
#ifndef SPADEWORK_TRAINER_MAIN_MENU_INTERNAL_H
#define SPADEWORK_TRAINER_MAIN_MENU_INTERNAL_H

#include "trainer/catalogue/catalogue.h"
#include "trainer/results/results.h"
#include "trainer/results/results_recordings.h"
#include "trainer/screens/main_menu/main_menu.h"

enum { MAIN_MOST_CONTROLS = 24 };

typedef enum MainPageKind {
    MAIN_HOME,
    MAIN_PEOPLE,
    MAIN_NAME,
    MAIN_COURSE,
    MAIN_FREE,
    MAIN_OWN,
    MAIN_RECORDINGS,
    MAIN_PAGES
} MainPageKind;

/// Ids of items that stand on more than one page; below 1000 the id is an index of the page's own.
enum { MAIN_ITEM_BACK = 1000 };

struct MainMenu {
    RunOptions options; ///< as chosen so far
    Catalogue catalogue;
    int trainee_count;
    ResultTrainee *trainees; ///< [trainee_count]
    char trainee[RESULT_NAME]; ///< who drives; "" = nobody said
    char typed[RESULT_NAME]; ///< on the page of names
    ResultRecordings recordings;
    int controls_count, controls_index;
    DataListEntry controls[MAIN_MOST_CONTROLS + 1];
    const char *given_controls; ///< a map of the person's own, the last one of the list; NULL = none
    MainPageKind page;
    int course; ///< that is looked at
    int chosen[MAIN_PAGES]; ///< id that was selected last
    char told[MENU_SUBTITLE]; ///< what went wrong; "" = nothing
    char scene[DATA_PATH_LENGTH], recording[DATA_PATH_LENGTH]; ///< that were chosen
    Menu menu;
    int side_of; ///< id that the side tells about; -2: none yet
    RenderPicture *picture; ///< of the side, or NULL
};

/// A page of the menu.
typedef struct MainPage {
    void (*fill)(MainMenu *self); ///< begins self->menu and adds its items
    void (*tell)(MainMenu *self, int id); ///< text and picture about the selected item; NULL: the page has no side
    MainAnswer (*choose)(MainMenu *self, int id);
    void (*change)(MainMenu *self, int id, int step); ///< of left and right; NULL: nothing
    MainPageKind back;
} MainPage;

extern const MainPage main_page_home, main_page_people, main_page_name, main_page_course, main_page_free, main_page_own;
extern const MainPage main_page_recordings;

/// Goes to a page, filled anew, where the item that was selected last is selected again.
void main_menu_go(MainMenu *self, MainPageKind page);
/// Begins a page's menu: `usual` is its second line where nothing went wrong.
void main_menu_begin(MainMenu *self, const char *title, const char *usual);
/// Tells what the trainee has reached: "87 points", "passed, 87 points"; "" where he never drove.
void main_menu_print_best(const CatalogueScene *scene, char text[MENU_VALUE]);
/// The picture of a scene, or its plan; NULL when neither can be had. The caller frees it.
RenderPicture *main_menu_scene_picture(const CatalogueScene *scene);
/// Takes what is typed, by keys or letter by letter with the pad, out of the input.
void main_menu_type(MainMenu *self, WindowInput *input);

/// Writes seconds as "4:12".
void main_menu_print_time(double seconds, char text[16]);

#endif
