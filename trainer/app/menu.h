/// A list to choose from by keys, pad, mouse or fingers. Texts belong to the menu, so a view may point at them.
///
/// A menu has room for RENDER_MAX_MENU items. A longer list is given as rows (menu_set_rows): the menu holds those
/// around the selected one and fetches others as the selection, the wheel or a page key moves.
#ifndef SPADEWORK_TRAINER_MENU_H
#define SPADEWORK_TRAINER_MENU_H

#include <stddef.h>

#include "data/schema/scene_params.h"
#include "render/render.h"
#include "trainer/app/window.h"

enum { MENU_TEXT = 160, MENU_VALUE = 64, MENU_SUBTITLE = 640, MENU_SIDE_TEXT = 1600 };

typedef struct MenuItem {
    char text[MENU_TEXT];
    char detail[MENU_TEXT]; ///< "" = none
    char value[MENU_VALUE]; ///< at the right end; "" = none
    bool changes; ///< MENU_LEFT and MENU_RIGHT give it another value, which stands between arrows
    RenderMenuBar bar;
    RenderMenuStyle style;
    int id; ///< what the caller knows it by
} MenuItem;

/// A list of any length.
typedef struct MenuRows {
    int count;
    /// Writes what stands in a row, 0..count - 1.
    void (*fill)(const void *context, int row, MenuItem *item);
    const void *context; ///< outlives the menu's use
} MenuRows;

/// Zero-initialise, or use menu_start.
typedef struct Menu {
    char title[MENU_TEXT], subtitle[MENU_SUBTITLE], footer[MENU_TEXT];
    int count, selected;
    int first; ///< as RenderMenu.first
    double drawn; ///< pixels that a finger drew the list along and it has not followed yet
    MenuItem items[RENDER_MAX_MENU];
    MenuRows rows; ///< count 0: the items are all there are
    int base; ///< row of items[0]
    bool has_side; ///< pictures and a text stand beside the items
    const RenderPicture *pictures[RENDER_SIDE_PICTURES]; ///< borrowed; NULL = none
    char side_text[MENU_SIDE_TEXT];
    const RenderControlsPicture *controls; ///< beside the items, in place of the above; borrowed; NULL = none
} Menu;

typedef enum MenuAnswer { MENU_NOTHING, MENU_CHOSEN, MENU_LEFT, MENU_RIGHT, MENU_BACK } MenuAnswer;

void menu_start(Menu *menu, const char *title, const char *subtitle);
/// Appends an item that can be chosen; a full menu drops it. Returns it, or NULL.
MenuItem *menu_add(Menu *menu, int id, const char *text, const char *detail);
/// The same of an item whose value is changed: "high" between two arrows.
MenuItem *menu_add_value(Menu *menu, int id, const char *text, const char *value);
/// Appends a line that is only read (RENDER_MENU_TELLS or RENDER_MENU_HEADING); a full menu drops it. Returns it, or
/// NULL.
MenuItem *menu_tell(Menu *menu, RenderMenuStyle style, const char *text);
/// Appends a text as lines of at most `letters` letters, broken between words.
void menu_tell_text(Menu *menu, const char *text, int letters);
/// Gives a menu that was started a list in place of items, and selects its first row that can be chosen.
void menu_set_rows(Menu *menu, const MenuRows *rows);
/// Selects the item of an id; without one the selection is as it was, or the first item that can be chosen.
void menu_select(Menu *menu, int id);
/// Moves the selection and returns what was asked of the selected item.
/// view  what was drawn last, which the mouse points at; NULL: nothing
MenuAnswer menu_take(Menu *menu, const WindowInput *input, const RenderView *view);
/// Id of the selected item, -1 when none can be chosen.
int menu_id(const Menu *menu);
/// Where a menu stands, for one that is filled anew.
typedef struct MenuPlace {
    int id; ///< selected
    int first; ///< as RenderMenu.first
    double drawn; ///< pixels, as Menu.drawn
} MenuPlace;
MenuPlace menu_place(const Menu *menu);
void menu_keep_place(Menu *menu, const MenuPlace *place);
void menu_show(const Menu *menu, RenderMenu *shown);

/// ---- pictures of panels --------------------------------------------------------------------------------------------

/// Pictures for the panels of menus: from PNG files, from PNG bytes of a recording, and plans of scenes. The caller
/// frees them with pictures_free. NULL means that a picture is not available, and a menu does without it.

enum { PICTURES_MOST = 2048 }; ///< pixels a side of a picture that is read

/// Reads a PNG file of at most PICTURES_MOST pixels a side.
RenderPicture *pictures_read(const char *path);
/// Reads the shipped picture of a scene: data/pictures/scenes/KEY.png, where the scene states a `key`, else NAME.png.
RenderPicture *pictures_of_scene(const char *name, const char *key);
/// The same from bytes.
RenderPicture *pictures_decode(const unsigned char *png, size_t size);
/// Draws the plan of a scene, so large in points (1..PICTURES_MOST / 2 a side), each of 2 x 2 pixels.
/// units  that heights are written in
RenderPicture *pictures_plan(const SceneParams *scene, TextUnits units, int width, int height);
void pictures_free(RenderPicture *picture); ///< NULL is nothing

/// Writes pixels as a PNG in memory, made smaller to `width` pixels, and returns it with its size; the caller frees it.
/// NULL when memory is short.
/// rgb  [height_of][width_of][3], top row first; at least as large as what is asked for
unsigned char *pictures_encode(const unsigned char *rgb, int width_of, int height_of, int width, size_t *size);

#endif
