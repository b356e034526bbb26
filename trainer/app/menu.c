/// A list with one selected item, and the pictures beside it. Keys and pad move the selection, mouse and finger point
/// at it; the wheel or a dragging finger scrolls the list, and so do the arrow keys where no further item can be
/// chosen. Texts are copies, so a view may point at them.
#include "trainer/app/menu.h"

#include <cairo/cairo.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/data_files.h"
#include "data/core/language.h"
#include "data/core/system_files.h"
#include "trainer/report/report.h"

#define MENU_PITCH 44.0 ///< design units that a list moves by under a finger; about an item's height

void menu_start(Menu *menu, const char *title, const char *subtitle)
{
    *menu = (Menu){.first = -1};
    snprintf(menu->title, sizeof menu->title, "%s", title);
    snprintf(menu->subtitle, sizeof menu->subtitle, "%s", subtitle);
    language_end_whole(menu->subtitle);
    snprintf(menu->footer, sizeof menu->footer, "%s",
             language_text("Up/Down, pad or mouse: move   Enter, A or click: choose   Esc, B or right click: back   "
                           "F11: full screen"));
}

MenuItem *menu_tell(Menu *menu, RenderMenuStyle style, const char *text)
{
    if (menu->count == RENDER_MAX_MENU) {
        return NULL;
    }
    MenuItem *item = &menu->items[menu->count++];
    *item = (MenuItem){.id = -1, .style = style};
    snprintf(item->text, sizeof item->text, "%s", text);
    language_end_whole(item->text);
    return item;
}

MenuItem *menu_add(Menu *menu, int id, const char *text, const char *detail)
{
    MenuItem *item = menu_tell(menu, RENDER_MENU_CHOICE, text);
    if (item != NULL) {
        item->id = id;
        snprintf(item->detail, sizeof item->detail, "%s", detail);
        language_end_whole(item->detail);
    }
    return item;
}

MenuItem *menu_add_value(Menu *menu, int id, const char *text, const char *value)
{
    MenuItem *item = menu_add(menu, id, text, "");
    if (item != NULL) {
        item->changes = true;
        snprintf(item->value, sizeof item->value, "%s", value);
    }
    return item;
}

/// Is the word that begins here a unit or as short as one: "%", "m", "km/h"?
static bool is_unit(const char *word)
{
    size_t letters = 0;
    while (isalpha((unsigned char)word[letters])) {
        letters++;
    }
    return letters <= 2;
}

enum { ORPHAN = 6 }; ///< bytes: a shorter rest gets a word of the line before it

/// Bytes of the text that make a line of at most `letters` letters. A number stays beside its unit, and no line is left
/// for "0 %" alone.
static size_t line_bytes(const char *text, int letters)
{
    size_t best = 0, before = 0, k = 0;
    for (; text[k] != '\0' && letters >= 0; k++) {
        letters -= ((unsigned char)text[k] & 0xC0U) != 0x80U; // a letter of UTF-8 begins
        bool number = k > 0 && isdigit((unsigned char)text[k - 1]);
        if (text[k] == ' ' && k > 0 && !(number && is_unit(text + k + 1))) {
            before = best;
            best = k;
        }
    }
    if (text[k] == '\0' && letters >= 0) {
        return k;
    }
    best = before > 0 && strlen(text + best) <= ORPHAN ? before : best;
    return best > 0 ? best : k - 1;
}

void menu_tell_text(Menu *menu, const char *text, int letters)
{
    while (text[0] != '\0') {
        size_t length = line_bytes(text, letters);
        char line[MENU_TEXT];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        menu_tell(menu, RENDER_MENU_TELLS, line);
        text += length + (text[length] == ' ');
    }
}

static bool may_select(const Menu *menu, int index)
{
    return index >= 0 && index < menu->count &&
           (menu->items[index].style == RENDER_MENU_CHOICE || menu->items[index].style == RENDER_MENU_CLOSED);
}

/// The selected item, or where that is none that can be chosen the first one that can; -1: there is none.
static int selected_item(const Menu *menu)
{
    if (may_select(menu, menu->selected)) {
        return menu->selected;
    }
    for (int k = 0; k < menu->count; k++) {
        if (may_select(menu, k)) {
            return k;
        }
    }
    return -1;
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

enum { MARGIN = 64 }; ///< rows that the menu holds on either side of the selected one, where there are so many

/// All rows or items there are.
static int count_all(const Menu *menu)
{
    return menu->rows.count > 0 ? menu->rows.count : menu->count;
}

/// Holds the rows from `base` on; the selected row and the first in sight stay what they are.
static void hold_rows(Menu *menu, int base)
{
    int most = menu->rows.count - RENDER_MAX_MENU, moved = menu->base;
    menu->base = base > most ? most : base;
    menu->base = menu->base < 0 ? 0 : menu->base;
    moved -= menu->base;
    menu->count = menu->rows.count < RENDER_MAX_MENU ? menu->rows.count : RENDER_MAX_MENU;
    for (int k = 0; k < menu->count; k++) {
        MenuItem *item = &menu->items[k];
        *item = (MenuItem){.id = -1};
        menu->rows.fill(menu->rows.context, menu->base + k, item);
        language_end_whole(item->text);
        language_end_whole(item->detail);
    }
    menu->selected += moved;
    menu->first = menu->first < 0 ? -1 : menu->first + moved < 0 ? 0 : menu->first + moved;
}

/// Brings further rows into the menu where it comes near an end of those it holds.
static void hold_around(Menu *menu, int item)
{
    bool low = menu->base > 0 && item < MARGIN;
    bool high = menu->base + menu->count < menu->rows.count && item >= menu->count - MARGIN;
    if (menu->rows.count > RENDER_MAX_MENU && (low || high)) {
        hold_rows(menu, menu->base + item - RENDER_MAX_MENU / 2);
    }
}

/// Selects the nearest row from `row` on, in steps of `step`, that can be chosen. False: there is none.
static bool select_row(Menu *menu, int row, int step)
{
    int all = count_all(menu);
    for (row = row < 0 ? 0 : row >= all ? all - 1 : row; row >= 0 && row < all; row += step) {
        if (menu->rows.count > 0 && (row < menu->base || row >= menu->base + menu->count)) {
            hold_rows(menu, row - RENDER_MAX_MENU / 2);
        }
        if (may_select(menu, row - menu->base)) {
            menu->selected = row - menu->base;
            menu->first = -1;
            hold_around(menu, menu->selected);
            return true;
        }
    }
    return false;
}

void menu_set_rows(Menu *menu, const MenuRows *rows)
{
    menu->rows = *rows;
    menu->selected = 0;
    hold_rows(menu, 0);
    select_row(menu, 0, 1);
}

/// The row of an id; -1: none.
static int find_row(const Menu *menu, int id)
{
    for (int k = 0; k < count_all(menu); k++) {
        MenuItem item = {.id = -1};
        if (k >= menu->base && k < menu->base + menu->count) {
            item.id = menu->items[k - menu->base].id;
        } else {
            menu->rows.fill(menu->rows.context, k, &item);
        }
        if (item.id == id) {
            return k;
        }
    }
    return -1;
}

void menu_select(Menu *menu, int id)
{
    int row = id >= 0 ? find_row(menu, id) : -1, before = menu->selected;
    if (row >= 0 && select_row(menu, row, 1) && menu_id(menu) == id) {
        return;
    }
    menu->selected = row < 0 ? before : menu->selected;
    menu->selected = selected_item(menu);
}

/// One item on or back among those that can be chosen. Behind the last one the rest of the list comes into sight first.
static void step_selection(Menu *menu, int step, int *first, int shown)
{
    int next = menu->selected;
    do {
        next += step;
    } while (next >= 0 && next < menu->count && !may_select(menu, next));
    if (next >= 0 && next < menu->count) {
        menu->selected = next;
        menu->first = -1;
        hold_around(menu, next);
    } else if (step > 0 && shown > 0 && *first + shown < menu->count) {
        menu->first = ++*first;
    } else if (step < 0 && *first > 0) {
        menu->first = --*first;
    } else {
        select_row(menu, step > 0 ? 0 : count_all(menu) - 1, step);
    }
}

/// A page on or back, or to an end of the list.
static void take_jumps(Menu *menu, const WindowInput *input, int shown)
{
    int pages = input->pressed[WINDOW_PAGE_DOWN] - input->pressed[WINDOW_PAGE_UP];
    int page = shown > 2 ? shown - 1 : 8, row = menu->base + menu->selected;
    if (pages != 0) {
        int wanted = row + pages * page;
        select_row(menu, wanted, wanted < row || wanted >= count_all(menu) ? -1 : 1);
    }
    if (input->pressed[WINDOW_FIRST] > 0) {
        select_row(menu, 0, 1);
    }
    if (input->pressed[WINDOW_LAST] > 0) {
        select_row(menu, count_all(menu) - 1, -1);
    }
}

/// How many items the list moves down under wheel and finger.
static int take_scroll(Menu *menu, const WindowInput *input)
{
    double pitch = MENU_PITCH * render_panel_unit(input->width, input->height);
    menu->drawn = input->scroll != 0.0 ? menu->drawn + input->scroll : menu->drawn;
    int items = (int)(menu->drawn / pitch);
    menu->drawn -= items * pitch;
    return items + (int)input->wheel;
}

/// Moves the list under the selection, which stays where it was as long as the menu holds it.
static void scroll_list(Menu *menu, int first, int shown, int moves)
{
    int last = menu->count - shown, now = first - moves;
    menu->first = now < 0 ? 0 : now > last ? last : now;
    int near = moves > 0 ? menu->first : menu->first + shown - 1;
    if (menu->rows.count > RENDER_MAX_MENU) {
        hold_around(menu, near);
        menu->selected = menu->selected < 0 ? 0 : menu->selected >= menu->count ? menu->count - 1 : menu->selected;
        menu->selected = selected_item(menu);
    }
}

/// Returns the item that was clicked at, -1: none.
static int take_mouse(Menu *menu, const WindowInput *input, const RenderView *view, int first, int shown)
{
    int moves = take_scroll(menu, input), at = -1;
    if (moves != 0) {
        scroll_list(menu, first, shown, moves);
    } else if (input->moved || input->clicks > 0) {
        at = render_menu_at(view, input->width, input->height, input->mouse_x, input->mouse_y);
    }
    if (may_select(menu, at)) {
        menu->selected = at;
        menu->first = first; // the list stays where the mouse points at it
    }
    return input->clicks > 0 && may_select(menu, at) ? at : -1;
}

MenuAnswer menu_take(Menu *menu, const WindowInput *input, const RenderView *view)
{
    menu->selected = selected_item(menu);
    if (menu->selected >= 0) {
        int shown = 0, clicked = -1;
        bool drawn =
            view != NULL && view->menu.visible && view->menu.count == menu->count && view->menu.before == menu->base;
        int first = drawn ? render_menu_first(view, input->width, input->height, &shown) : 0;
        if (drawn) {
            clicked = take_mouse(menu, input, view, first, shown);
        }
        int step = input->pressed[WINDOW_DOWN] - input->pressed[WINDOW_UP];
        for (int k = 0; k < step || k < -step; k++) {
            step_selection(menu, step > 0 ? 1 : -1, &first, shown);
        }
        take_jumps(menu, input, shown);
        int arrow =
            clicked < 0 ? 0 : render_menu_arrow_at(view, input->width, input->height, input->mouse_x, input->mouse_y);
        if (arrow != 0) {
            return arrow < 0 ? MENU_LEFT : MENU_RIGHT;
        }
        if (input->pressed[WINDOW_ACCEPT] > 0 || clicked >= 0) {
            return MENU_CHOSEN;
        }
        if (input->pressed[WINDOW_LEFT] != input->pressed[WINDOW_RIGHT]) {
            return input->pressed[WINDOW_LEFT] > input->pressed[WINDOW_RIGHT] ? MENU_LEFT : MENU_RIGHT;
        }
    }
    return input->pressed[WINDOW_BACK] + input->pressed[WINDOW_PAUSE] + input->back_clicks > 0 ? MENU_BACK
                                                                                               : MENU_NOTHING;
}

int menu_id(const Menu *menu)
{
    int selected = selected_item(menu);
    return selected >= 0 ? menu->items[selected].id : -1;
}

MenuPlace menu_place(const Menu *menu)
{
    return (MenuPlace){menu_id(menu), menu->first < 0 ? -1 : menu->base + menu->first, menu->drawn};
}

void menu_keep_place(Menu *menu, const MenuPlace *place)
{
    menu_select(menu, place->id);
    bool held = place->first >= menu->base && place->first < menu->base + menu->count;
    menu->first = menu->rows.count == 0 ? place->first : held ? place->first - menu->base : -1;
    menu->drawn = place->drawn;
}

static const char *text_or_none(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

void menu_show(const Menu *menu, RenderMenu *shown)
{
    *shown = (RenderMenu){.visible = true,
                          .title = menu->title,
                          .subtitle = text_or_none(menu->subtitle),
                          .count = menu->count,
                          .selected = selected_item(menu),
                          .first = menu->first,
                          .before = menu->base,
                          .whole = count_all(menu),
                          .side = {.visible = menu->has_side || menu->controls != NULL,
                                   .text = text_or_none(menu->side_text),
                                   .controls = menu->controls},
                          .footer = menu->footer};
    for (int k = 0; k < RENDER_SIDE_PICTURES; k++) {
        shown->side.pictures[k] = menu->pictures[k];
    }
    for (int k = 0; k < menu->count; k++) {
        const MenuItem *item = &menu->items[k];
        shown->items[k] = (RenderMenuItem){.text = item->text,
                                           .detail = text_or_none(item->detail),
                                           .value = text_or_none(item->value),
                                           .changes = item->changes,
                                           .bar = item->bar,
                                           .style = item->style};
    }
}

/// ---- pictures of panels --------------------------------------------------------------------------------------------

/// Reads and writes PNG with Cairo and draws plans of scenes. A PNG's size is checked before it is unpacked, so a small
/// file cannot claim all of the memory.

enum { HEAD = 24, MOST_BYTES = 16 << 20, PLAN_PIXELS = 2 };

/// Bytes that are read or written one after the other.
typedef struct Bytes {
    unsigned char *data;
    size_t size, at; ///< of reading: all, and how many were read; of writing: room, and how many were written
} Bytes;

/// ---- reading -------------------------------------------------------------------------------------------------------

static uint32_t get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_small_png(const unsigned char *data, size_t size)
{
    return size > HEAD && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0 && memcmp(data + 12, "IHDR", 4) == 0 &&
           get_big_endian(data + 16) - 1U < PICTURES_MOST && get_big_endian(data + 20) - 1U < PICTURES_MOST;
}

static cairo_status_t take_bytes(void *context, unsigned char *data, unsigned int size)
{
    Bytes *bytes = context;
    if (bytes->size - bytes->at < size) {
        return CAIRO_STATUS_READ_ERROR;
    }
    memcpy(data, bytes->data + bytes->at, size);
    bytes->at += size;
    return CAIRO_STATUS_SUCCESS;
}

/// FNV-1a, so that another picture has another number.
static uint64_t number_pixels(const unsigned char *pixels, size_t size)
{
    uint64_t hash = 14695981039346656037ULL;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ pixels[k]) * 1099511628211ULL;
    }
    return hash;
}

static RenderPicture *make_blank(int width, int height)
{
    RenderPicture *picture = calloc(1, sizeof *picture);
    unsigned char *pixels = calloc((size_t)width * (size_t)height, 4);
    if (picture == NULL || pixels == NULL) {
        free(pixels);
        free(picture);
        return NULL;
    }
    *picture = (RenderPicture){.width = width, .height = height, .pixels = pixels};
    return picture;
}

/// Begins to draw into a picture; `end_drawing` ends it.
static cairo_t *begin_drawing(const RenderPicture *picture, cairo_surface_t **target)
{
    *target = cairo_image_surface_create_for_data((unsigned char *)(uintptr_t)picture->pixels, CAIRO_FORMAT_RGB24,
                                                  picture->width, picture->height, 4 * picture->width);
    return cairo_create(*target);
}

static void end_drawing(RenderPicture *picture, cairo_t *cairo, cairo_surface_t *target)
{
    cairo_destroy(cairo);
    cairo_surface_flush(target);
    cairo_surface_destroy(target);
    picture->id = number_pixels(picture->pixels, (size_t)picture->width * (size_t)picture->height * 4);
}

RenderPicture *pictures_decode(const unsigned char *png, size_t size)
{
    if (!is_small_png(png, size)) {
        return NULL;
    }
    Bytes bytes = {(unsigned char *)(uintptr_t)png, size, 0}; // it is only read
    cairo_surface_t *read = cairo_image_surface_create_from_png_stream(take_bytes, &bytes), *target = NULL;
    RenderPicture *picture = NULL;
    if (cairo_surface_status(read) == CAIRO_STATUS_SUCCESS) {
        picture = make_blank(cairo_image_surface_get_width(read), cairo_image_surface_get_height(read));
    }
    if (picture != NULL) {
        cairo_t *cairo = begin_drawing(picture, &target);
        cairo_set_source_surface(cairo, read, 0.0, 0.0);
        cairo_paint(cairo);
        end_drawing(picture, cairo, target);
    }
    cairo_surface_destroy(read);
    return picture;
}

RenderPicture *pictures_read(const char *path)
{
    struct stat info;
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    if (file == NULL) {
        return NULL;
    }
    if (fstat(fileno(file), &info) != 0 || info.st_size > MOST_BYTES) {
        fclose(file);
        return NULL;
    }
    unsigned char *data = malloc((size_t)info.st_size + 1);
    size_t size = data != NULL ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    RenderPicture *picture = size > 0 ? pictures_decode(data, size) : NULL;
    free(data);
    return picture;
}

RenderPicture *pictures_of_scene(const char *name, const char *key)
{
    char path[DATA_PATH_LENGTH];
    const char *called = key[0] != '\0' ? key : name;
    int length = snprintf(path, sizeof path, "%s/pictures/scenes/%s.png", data_folder(), called);
    return strchr(called, '/') == NULL && length < DATA_PATH_LENGTH ? pictures_read(path) : NULL;
}

RenderPicture *pictures_plan(const SceneParams *scene, TextUnits units, int width, int height)
{
    RenderPicture *picture = make_blank(PLAN_PIXELS * width, PLAN_PIXELS * height);
    if (picture != NULL) {
        cairo_surface_t *target = NULL;
        cairo_t *cairo = begin_drawing(picture, &target);
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        cairo_paint(cairo);
        cairo_scale(cairo, PLAN_PIXELS, PLAN_PIXELS);
        plan_draw(cairo, scene, units, width, height);
        end_drawing(picture, cairo, target);
    }
    return picture;
}

void pictures_free(RenderPicture *picture)
{
    if (picture != NULL) {
        free((unsigned char *)(uintptr_t)picture->pixels);
        free(picture);
    }
}

/// ---- writing -------------------------------------------------------------------------------------------------------

static cairo_status_t put_bytes(void *context, const unsigned char *data, unsigned int size)
{
    Bytes *bytes = context;
    if (bytes->size - bytes->at < size) {
        size_t room = 2 * (bytes->size + size);
        unsigned char *grown = realloc(bytes->data, room);
        if (grown == NULL) {
            return CAIRO_STATUS_WRITE_ERROR;
        }
        bytes->data = grown;
        bytes->size = room;
    }
    memcpy(bytes->data + bytes->at, data, size);
    bytes->at += size;
    return CAIRO_STATUS_SUCCESS;
}

static uint32_t get_pixel(const unsigned char *rgb)
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/// The same pixels as cairo has them; NULL when memory is short.
static RenderPicture *copy_pixels(const unsigned char *rgb, int width, int height)
{
    RenderPicture *picture = make_blank(width, height);
    for (size_t k = 0; picture != NULL && k < (size_t)width * (size_t)height; k++) {
        uint32_t pixel = get_pixel(rgb + 3 * k);
        memcpy((unsigned char *)(uintptr_t)picture->pixels + 4 * k, &pixel, sizeof pixel);
    }
    return picture;
}

unsigned char *pictures_encode(const unsigned char *rgb, int width_of, int height_of, int width, size_t *size)
{
    Bytes bytes = {0};
    RenderPicture *whole = copy_pixels(rgb, width_of, height_of);
    double scale = (double)width / width_of;
    int height = (int)(scale * height_of + 0.5);
    RenderPicture *small = whole != NULL ? make_blank(width, height > 0 ? height : 1) : NULL;
    bool good = false;
    if (small != NULL) {
        cairo_surface_t *source = NULL, *target = NULL;
        cairo_destroy(begin_drawing(whole, &source));
        cairo_t *cairo = begin_drawing(small, &target);
        cairo_scale(cairo, scale, scale);
        cairo_set_source_surface(cairo, source, 0.0, 0.0);
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD); // no dark rim
        cairo_paint(cairo);
        good = cairo_surface_write_to_png_stream(target, put_bytes, &bytes) == CAIRO_STATUS_SUCCESS;
        end_drawing(small, cairo, target);
        cairo_surface_destroy(source);
    }
    pictures_free(small);
    pictures_free(whole);
    *size = good ? bytes.at : 0;
    if (!good) {
        free(bytes.data);
        bytes.data = NULL;
    }
    return bytes.data;
}
