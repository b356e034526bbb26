/// A list a person chooses from, by keys, pad or mouse wheel. Texts belong to the menu, so that a view may point at them.
#ifndef SPADEWORK_TRAINER_APP_MENU_H
#define SPADEWORK_TRAINER_APP_MENU_H

#include "trainer/window/app_window.h"

enum { APP_MENU_TEXT = 160 };

typedef struct AppMenuItem {
    char text[APP_MENU_TEXT];
    char detail[APP_MENU_TEXT]; ///< "" = none
    int id; ///< what the caller knows it by
} AppMenuItem;

/// Zero-initialise, or use app_menu_start.
typedef struct AppMenu {
    char title[APP_MENU_TEXT], subtitle[APP_MENU_TEXT], footer[APP_MENU_TEXT];
    int count, selected;
    AppMenuItem items[RENDER_MAX_MENU];
} AppMenu;

typedef enum AppMenuAnswer {
    APP_MENU_NOTHING,
    APP_MENU_CHOSEN,
    APP_MENU_LEFT,
    APP_MENU_RIGHT,
    APP_MENU_BACK
} AppMenuAnswer;

void app_menu_start(AppMenu *menu, const char *title, const char *subtitle);
/// Appends an item; a full menu drops it. Returns it, or NULL.
AppMenuItem *app_menu_add(AppMenu *menu, int id, const char *text, const char *detail);
/// Moves the selection and tells what was asked of the selected item.
AppMenuAnswer app_menu_take(AppMenu *menu, const AppInput *input);
/// Id of the selected item, -1 in an empty menu.
int app_menu_id(const AppMenu *menu);
void app_menu_show(const AppMenu *menu, RenderMenu *shown);

#endif
