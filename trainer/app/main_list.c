/// Pages that list what there may be thousands of: some items of the page's own, then the rows that fit what was typed,
/// then the way back.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/app/main_menu_internal.h"

/// ---- what fits -----------------------------------------------------------------------------------------------------

/// Writes a text in small letters: those of ASCII, and those of Latin-1 in UTF-8 (C3 80 to C3 9E).
static void make_small(const char *text, char *small, size_t size)
{
    snprintf(small, size, "%s", text);
    for (unsigned char *p = (unsigned char *)small; *p != '\0'; p++) {
        bool latin = p > (unsigned char *)small && p[-1] == 0xc3U && *p >= 0x80U && *p <= 0x9eU && *p != 0x97U;
        *p = latin ? (unsigned char)(*p + 0x20U) : (unsigned char)(*p < 0x80U ? tolower(*p) : *p);
    }
}

/// Each word that was typed stands somewhere in the text.
static bool fits(const char *filter, const char *text)
{
    char small[2 * MENU_TEXT], words[MAIN_FILTER], *rest = words;
    make_small(text, small, sizeof small);
    make_small(filter, words, sizeof words);
    for (const char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (strstr(small, word) == NULL) {
            return false;
        }
    }
    return true;
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

static void fill_row(const void *context, int row, MenuItem *item)
{
    const MainMenu *self = context;
    const MainList *list = self->list;
    if (row < list->head) {
        list->fill_head(self, row, item);
    } else if (row < list->head + self->listed_count) {
        int index = self->listed[row - list->head];
        item->id = index;
        list->fill(self, index, item);
    } else {
        bool back = row > list->head + self->listed_count || self->listed_count > 0;
        item->id = back ? MAIN_ITEM_BACK : -1;
        item->style = back ? RENDER_MENU_CHOICE : RENDER_MENU_TELLS;
        snprintf(item->text, sizeof item->text, "%s",
                 back                      ? language_text("Back")
                 : self->filter[0] != '\0' ? language_text("Nothing fits what was typed; Backspace takes it back")
                 : list->nothing != NULL   ? language_text(list->nothing)
                                           : "");
    }
}

/// The second line says what is searched for, or how; what went wrong stays there.
static void tell_search(MainMenu *self, int there)
{
    int length = (int)strlen(self->menu.subtitle);
    if (self->told[0] == '\0' && self->filter[0] != '\0') {
        snprintf(self->menu.subtitle, MENU_SUBTITLE, language_text("Typed: %s_   (%d of %d)"), self->filter,
                 self->listed_count, there);
    } else if (self->told[0] == '\0' && self->listed_count > MAIN_LONG && length < MENU_SUBTITLE) {
        snprintf(self->menu.subtitle + length, (size_t)(MENU_SUBTITLE - length), "%s%s", length > 0 ? ".   " : "",
                 language_text("Type to search. Page Up, Page Down, Home, End"));
    }
}

void main_list_fill(MainMenu *self, const MainList *list, int count)
{
    int *listed = realloc(self->listed, ((size_t)count + 1) * sizeof *listed);
    if (listed == NULL) {
        abort();
    }
    self->list = list;
    self->listed = listed;
    self->listed_count = 0;
    int there = 0;
    for (int k = 0; k < count; k++) {
        char text[2 * MENU_TEXT] = "";
        list->name(self, k, text, sizeof text);
        there += text[0] != '\0';
        if (text[0] != '\0' && fits(self->filter, text)) {
            self->listed[self->listed_count++] = k;
        }
    }
    tell_search(self, there);
    bool empty = self->listed_count == 0 && (self->filter[0] != '\0' || list->nothing != NULL);
    menu_set_rows(&self->menu, &(MenuRows){list->head + self->listed_count + empty + 1, fill_row, self});
}

bool main_list_type(MainMenu *self, WindowInput *input)
{
    char before[MAIN_FILTER];
    bool clears = self->filter[0] != '\0' && input->pressed[WINDOW_BACK] > 0; // Esc first takes back what was typed
    snprintf(before, sizeof before, "%s", self->filter);
    window_edit_text(input, self->filter, sizeof self->filter);
    if (clears) {
        self->filter[0] = '\0';
        input->pressed[WINDOW_BACK] = 0;
    }
    return strcmp(before, self->filter) != 0;
}

void main_list_select_first(MainMenu *self)
{
    if (self->filter[0] != '\0' && self->listed_count > 0) {
        menu_select(&self->menu, self->listed[0]);
    }
}
