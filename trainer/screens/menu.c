/// A list with one selected item. Keys, pad and wheel move the selection; texts are copies, so that a view may point at
/// them.
#include "trainer/screens/menu.h"

#include <stdio.h>

void menu_start(Menu *menu, const char *title, const char *subtitle)
{
    *menu = (Menu){0};
    snprintf(menu->title, sizeof menu->title, "%s", title);
    snprintf(menu->subtitle, sizeof menu->subtitle, "%s", subtitle);
    snprintf(menu->footer, sizeof menu->footer,
             "Keyboard or gamepad   Up/Down: move   Enter or A: choose   Esc or B: back   F11: full screen");
}

MenuItem *menu_add(Menu *menu, int id, const char *text, const char *detail)
{
    if (menu->count == RENDER_MAX_MENU) {
        return NULL;
    }
    MenuItem *item = &menu->items[menu->count++];
    item->id = id;
    snprintf(item->text, sizeof item->text, "%s", text);
    snprintf(item->detail, sizeof item->detail, "%s", detail);
    return item;
}

MenuAnswer menu_take(Menu *menu, const WindowInput *input)
{
    if (menu->count > 0) {
        int step = input->pressed[WINDOW_DOWN] - input->pressed[WINDOW_UP] - (int)input->wheel;
        int wrapped = (menu->selected + step) % menu->count;
        menu->selected = wrapped < 0 ? wrapped + menu->count : wrapped;
        if (input->pressed[WINDOW_ACCEPT] > 0) {
            return MENU_CHOSEN;
        }
        if (input->pressed[WINDOW_LEFT] != input->pressed[WINDOW_RIGHT]) {
            return input->pressed[WINDOW_LEFT] > input->pressed[WINDOW_RIGHT] ? MENU_LEFT : MENU_RIGHT;
        }
    }
    return input->pressed[WINDOW_BACK] > 0 || input->pressed[WINDOW_PAUSE] > 0 ? MENU_BACK : MENU_NOTHING;
}

int menu_id(const Menu *menu)
{
    return menu->count > 0 ? menu->items[menu->selected].id : -1;
}

void menu_show(const Menu *menu, RenderMenu *shown)
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
