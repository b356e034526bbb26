/// Each page of the menu and over a drive, in each language, on screens from 1024 x 600: no text is cut, all lines of a
/// list have letters of one size, and no line holds a sign or a unit alone.
// test: unit, alone
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/load.h"
#include "render/panels/canvas.h"
#include "render/panels/overlay.h"
#include "tests/unit/app/page_walk.h"
#include "tests/support/recording_fixture.h"

static char home[64];

/// A home of its own, with a driver who has no results.
static int begin(void **state)
{
    (void)state;
    make_folder(home);
    setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1);
    setenv("XDG_DATA_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

/// ---- the look at one page ------------------------------------------------------------------------------------------

typedef struct Look {
    const RenderMenu *menu;
    const char *where;
    double choice, line, detail; ///< size of the letters of the first one; 0: none so far
} Look;

static int pages, texts, faults;
static const char *language = "";

static void blame(const Look *look, const char *text, const char *fault)
{
    faults++;
    if (faults < 40) {
        print_error("%s, %s, %s: \"%s\" %s\n", language, look->where, look->menu->title, text, fault);
    }
}

/// True when a text belongs to an item of the style; `detail`: as its second line.
static bool is_item(const RenderMenu *menu, const char *text, bool choice, bool detail)
{
    for (int k = 0; k < menu->count; k++) {
        const RenderMenuItem *item = &menu->items[k];
        const char *own = detail ? item->detail : item->text;
        bool chosen = item->style == RENDER_MENU_CHOICE || item->style == RENDER_MENU_CLOSED;
        if (item->style != RENDER_MENU_HEADING && (detail || chosen == choice) && own != NULL &&
            strcmp(own, text) == 0) {
            return true;
        }
    }
    return false;
}

static void compare(Look *look, const CanvasText *text, double *size)
{
    *size = *size > 0.0 ? *size : text->size;
    if (text->size < *size - 0.01 || text->size > *size + 0.01) {
        blame(look, text->text, "has letters of another size than its list");
    }
}

static void see(void *context, const CanvasText *text)
{
    Look *look = context;
    texts++;
    if (text->cut) {
        blame(look, text->text, "is cut");
    }
    bool choice = is_item(look->menu, text->text, true, false), line = is_item(look->menu, text->text, false, false);
    bool detail = is_item(look->menu, text->text, false, true);
    if (choice + line + detail != 1) {
        return; // a title, a value, or a text of two lists
    }
    compare(look, text, choice ? &look->choice : line ? &look->line : &look->detail);
    if (line && text->text[0] != '\0' && strlen(text->text) < 4 && strpbrk(text->text, "%m") != NULL) {
        blame(look, text->text, "stands in a line of its own");
    }
}

static void draw(const RenderView *view, const char *where)
{
    static const int sizes[][2] = {{1024, 600}, {1920, 1080}};
    pages++;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int width = sizes[k][0], height = sizes[k][1];
        double unit = panel_unit(view, width, height);
        PanelPlace place = panel_place(view, PANEL_MENU, width / unit, height / unit);
        cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 8, 8);
        cairo_t *cairo = cairo_create(surface);
        Look look = {.menu = &view->menu, .where = where};
        CanvasWatch watch = {see, &look};
        canvas_watch(cairo, &watch);
        cairo_scale(cairo, unit, unit);
        panel_draw(cairo, view, PANEL_MENU, &place);
        cairo_destroy(cairo);
        cairo_surface_destroy(surface);
    }
}

static void choose(const char *name)
{
    Status status;
    language = name;
    assert_good(language_choose(name, &status), status);
}

TEST(the_look_finds_what_has_no_room)
{
    static RenderView view;
    Menu menu;
    choose("en");
    faults = 0;
    menu_start(&menu, "A page", "");
    menu_add(&menu, 1,
             "a line of words that is far too long to have room in any list of this program, whatever is done to its "
             "letters, since nobody would read a line like it",
             "");
    menu_tell(&menu, RENDER_MENU_TELLS, "0 %");
    menu_show(&menu, &view.menu);
    view.menu.side.visible = true;
    draw(&view, "a page that is spoiled");
    assert_int_equal(faults, 4); // both on either screen
}

/// ---- the pages -----------------------------------------------------------------------------------------------------

static void walk_menu(const char *name)
{
    Status status;
    static RenderView view;
    view = (RenderView){0};
    choose(name);
    MainMenu *menu = main_menu_create(&(RunOptions){.trainee = "Ann"}, &status);
    assert_good(menu != NULL, status);
    main_menu_show(menu, &view.menu);
    page_walk_menu(menu, &view, 3, draw);
    main_menu_destroy(menu);
}

TEST(each_page_of_the_menu_has_room_for_its_words)
{
    faults = pages = texts = 0;
    walk_menu("en");
    walk_menu("de");
    walk_menu("es");
    choose("en");
    assert_true(pages > 600 && texts > 10000);
    assert_int_equal(faults, 0);
}

/// The exercises of the courses, each in all languages, before its first tick.
TEST(each_page_over_a_drive_has_room_for_its_words)
{
    static const char *const languages[] = {"en", "de", "es"};
    Status status;
    DataListEntry scenes[128];
    int count = data_list("scenes", scenes, 128, &status);
    faults = pages = 0;
    for (int k = 0; k < count; k++) {
        Drive drive;
        RunOptions options = {.scene = scenes[k].name, .operator_name = "auto", .threads = 1, .no_record = true};
        if (!drive_create(&drive, &(DriveParams){.options = &options}, &status)) {
            continue; // one that the autopilot does not drive
        }
        for (size_t n = 0; n < sizeof languages / sizeof languages[0]; n++) {
            choose(languages[n]);
            SessionView *own = session_view_create();
            session_view_set_units(own, n == 1 ? TEXT_UNITS_IMPERIAL : TEXT_UNITS_METRIC);
            session_view_jump(own, drive.session);
            page_walk_drive(&drive, own, scenes[k].name, draw);
            session_view_destroy(own);
        }
        drive_close(&drive, true, &status);
        drive_destroy(&drive);
    }
    choose("en");
    assert_true(pages > 200);
    assert_int_equal(faults, 0);
}

TEST_GROUP(begin, end)
