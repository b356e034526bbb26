#include "trainer/window/app_menu.h"

#include <stdio.h>

void app_menu_start(AppMenu *menu, const char *title, const char *subtitle)
{
    *menu = (AppMenu){0};
    snprintf(menu->title, sizeof menu->title, "%s", title);
    snprintf(menu->subtitle, sizeof menu->subtitle, "%s", subtitle);
    snprintf(menu->footer, sizeof menu->footer,
             "Keyboard or gamepad   Up/Down: move   Enter or A: choose   Esc or B: back   F11: full screen");
}

AppMenuItem *app_menu_add(AppMenu *menu, int id, const char *text, const char *detail)
{
    if (menu->count == RENDER_MAX_MENU) {
        return NULL;
    }
    AppMenuItem *item = &menu->items[menu->count++];
    item->id = id;
    snprintf(item->text, sizeof item->text, "%s", text);
    snprintf(item->detail, sizeof item->detail, "%s", detail);
    return item;
}

AppMenuAnswer app_menu_take(AppMenu *menu, const AppInput *input)
{
    if (menu->count > 0) {
        int step = input->pressed[APP_DOWN] - input->pressed[APP_UP] - (int)input->wheel;
        int wrapped = (menu->selected + step) % menu->count;
        menu->selected = wrapped < 0 ? wrapped + menu->count : wrapped;
        if (input->pressed[APP_ACCEPT] > 0) {
            return APP_MENU_CHOSEN;
        }
        if (input->pressed[APP_LEFT] != input->pressed[APP_RIGHT]) {
            return input->pressed[APP_LEFT] > input->pressed[APP_RIGHT] ? APP_MENU_LEFT : APP_MENU_RIGHT;
        }
    }
    return input->pressed[APP_BACK] > 0 || input->pressed[APP_PAUSE] > 0 ? APP_MENU_BACK : APP_MENU_NOTHING;
}

int app_menu_id(const AppMenu *menu)
{
    return menu->count > 0 ? menu->items[menu->selected].id : -1;
}

void app_menu_show(const AppMenu *menu, RenderMenu *shown)
{
    *shown = (RenderMenu){.visible = true,
                          .title = menu->title,
                          .subtitle = menu->subtitle[0] != '\0' ? menu->subtitle : NULL,
                          .count = menu->count,
                          .selected = menu->selected,
                          .footer = menu->footer};
    for (int i = 0; i < menu->count; i++) {
        shown->items[i] = menu->items[i].text;
        shown->details[i] = menu->items[i].detail[0] != '\0' ? menu->items[i].detail : NULL;
    }
}
