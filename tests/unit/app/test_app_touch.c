/// Fingers on the window's lists: events as SDL tells them, through the window, to what the list answers.
#include <SDL.h>

#include "tests/support/test.h"
#include "trainer/app/menu.h"

enum { ITEMS = 60, FIRST_ID = 100 };

typedef struct Table {
    Window *window;
    Menu menu;
    RenderView *view; ///< as it was drawn last
    int width, height; ///< pixels
} Table;

static int lay_table(void **state)
{
    static Table table;
    Status status;
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    table.window = window_open("test", SETTINGS_QUALITY_LOW, &status);
    if (table.window == NULL) {
        printf("no window on this computer: %s\n", status.text);
        exit(77);
    }
    table.view = calloc(1, sizeof *table.view);
    assert_non_null(table.view);
    window_size(table.window, &table.width, &table.height);
    *state = &table;
    return 0;
}

static int clear_table(void **state)
{
    Table *table = *state;
    free(table->view);
    window_close(table->window);
    return 0;
}

static void fill(Table *table)
{
    menu_start(&table->menu, "A list", "");
    for (int k = 0; k < ITEMS; k++) {
        char text[32];
        snprintf(text, sizeof text, "Item %d", k);
        menu_add_value(&table->menu, FIRST_ID + k, text, "value");
    }
    menu_select(&table->menu, FIRST_ID);
    menu_show(&table->menu, &table->view->menu);
}

static void finger(const Table *table, Uint32 type, SDL_FingerID id, double x, double y)
{
    SDL_Event event = {.tfinger = {.type = type,
                                   .touchId = 3,
                                   .fingerId = id,
                                   .x = (float)(x / table->width),
                                   .y = (float)(y / table->height)}};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static MenuAnswer answer(Table *table)
{
    WindowInput input;
    window_poll(table->window, NULL, &input);
    MenuAnswer answer = menu_take(&table->menu, &input, table->view);
    menu_show(&table->menu, &table->view->menu);
    return answer;
}

/// Pixels from the top at which an item lies.
static int find_item(const Table *table, int item)
{
    int y = 0;
    while (y < table->height && render_menu_at(table->view, table->width, table->height, 400.0, y) != item) {
        y++;
    }
    assert_true(y < table->height);
    return y + 4;
}

TEST_WITH(a_tap_chooses_what_it_is_on, Table *table)
{
    fill(table);
    int y = find_item(table, 4);
    finger(table, SDL_FINGERDOWN, 1, 400.0, y);
    assert_int_equal(answer(table), MENU_NOTHING);
    assert_int_equal(menu_id(&table->menu), FIRST_ID + 4); // it is shown what a tap would choose
    finger(table, SDL_FINGERUP, 1, 402.0, y + 1);
    assert_int_equal(answer(table), MENU_CHOSEN);
    assert_int_equal(menu_id(&table->menu), FIRST_ID + 4);
}

TEST_WITH(a_tap_on_an_arrow_changes_a_value, Table *table)
{
    fill(table);
    int y = find_item(table, 2), left = 0, right = 0;
    for (int x = 0; x < table->width; x++) {
        int arrow = render_menu_arrow_at(table->view, table->width, table->height, x, y);
        left = arrow < 0 ? x : left;
        right = arrow > 0 ? x : right;
    }
    const MenuAnswer wanted[2] = {MENU_LEFT, MENU_RIGHT};
    for (int k = 0; k < 2; k++) {
        finger(table, SDL_FINGERDOWN, 1, k == 0 ? left : right, y);
        finger(table, SDL_FINGERUP, 1, k == 0 ? left : right, y);
        assert_int_equal(answer(table), wanted[k]);
    }
}

TEST_WITH(a_finger_draws_the_list_and_chooses_nothing, Table *table)
{
    fill(table);
    int shown = 0, before = render_menu_first(table->view, table->width, table->height, &shown);
    finger(table, SDL_FINGERDOWN, 1, 400.0, 0.8 * table->height);
    for (int k = 1; k <= 10; k++) {
        finger(table, SDL_FINGERMOTION, 1, 400.0, (0.8 - 0.05 * k) * table->height);
    }
    finger(table, SDL_FINGERUP, 1, 400.0, 0.3 * table->height);
    assert_int_equal(answer(table), MENU_NOTHING);
    int after = render_menu_first(table->view, table->width, table->height, &shown);
    assert_true(after >= before + 5);
}

TEST_WITH(a_tap_of_two_goes_back, Table *table)
{
    fill(table);
    finger(table, SDL_FINGERDOWN, 1, 400.0, 300.0);
    finger(table, SDL_FINGERDOWN, 2, 600.0, 300.0);
    finger(table, SDL_FINGERUP, 1, 400.0, 300.0);
    finger(table, SDL_FINGERUP, 2, 600.0, 300.0);
    assert_int_equal(answer(table), MENU_BACK);
}

TEST_GROUP(lay_table, clear_table)
