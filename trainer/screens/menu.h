/// A list a person chooses from, by keys, pad or mouse wheel. Texts belong to the menu, so that a view may point at
/// them.
#ifndef SPADEWORK_TRAINER_MENU_H
#define SPADEWORK_TRAINER_MENU_H

#include "trainer/window/window.h"

enum { MENU_TEXT = 160 };

typedef struct MenuItem {
    char text[MENU_TEXT];
    char detail[MENU_TEXT]; ///< "" = none
    int id; ///< what the caller knows it by
} MenuItem;

/// Zero-initialise, or use menu_start.
typedef struct Menu {
    char title[MENU_TEXT], subtitle[MENU_TEXT], footer[MENU_TEXT];
    int count, selected;
    MenuItem items[RENDER_MAX_MENU];
} Menu;

typedef enum MenuAnswer { MENU_NOTHING, MENU_CHOSEN, MENU_LEFT, MENU_RIGHT, MENU_BACK } MenuAnswer;

void menu_start(Menu *menu, const char *title, const char *subtitle);
/// Appends an item; a full menu drops it. Returns it, or NULL.
MenuItem *menu_add(Menu *menu, int id, const char *text, const char *detail);
/// Moves the selection and tells what was asked of the selected item.
MenuAnswer menu_take(Menu *menu, const WindowInput *input);
/// Id of the selected item, -1 in an empty menu.
int menu_id(const Menu *menu);
void menu_show(const Menu *menu, RenderMenu *shown);

#endif
