/// How panels are arranged: their sides and size, which of them are put away, the map of the site.

#include "render/panels/panels.h"
#include "tests/support/test.h"

static bool overlap(const PanelPlace *a, const PanelPlace *b)
{
    return a->width > 0.0 && b->width > 0.0 && a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height;
}

/// The map shows where things are and covers nothing; sides change places; each panel can be put away; all grow.
TEST(panels_are_arranged_as_one_likes)
{
    const int sizes[][2] = {{640, 360}, {1024, 768}, {1280, 720}, {3840, 2160}};
    static const float heights[4] = {0};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .recording = true, .progress = {"one", "two"}};
    view->grade = (RenderGrade){.visible = true, .over = true, .tolerance = 0.03, .rows = 2, .columns = 2};
    view->grid_count = 1;
    view->grids[0] = (RenderGrid){.rows = 2, .columns = 2, .spacing = 20.0, .height = heights};
    view->layout.map = true;
    for (int k = 0; k < 4 * 16; k++) {
        const int *size = sizes[k / 16];
        view->layout.mirrored = k & 1;
        view->hud.compact = k & 2;
        view->layout.scale = k & 4 ? 1.5 : 0.75;
        view->inset_count = k & 8 ? 1 : 0;
        double unit = panel_unit(view, size[0], size[1]), width = size[0] / unit, height = size[1] / unit;
        PanelPlace map = panel_place(view, PANEL_MAP, width, height);
        PanelPlace task = panel_place(view, PANEL_TASK, width, height);
        assert_true((task.x > 0.5 * width) == view->layout.mirrored);
        assert_true(map.width <= 0.0 || (map.x < 0.5 * width) == view->layout.mirrored);
        assert_true(panel_place(view, PANEL_LEFT_STICK, width, height).x < 0.5 * width);
        assert_true(map.width > 0.0 || size[1] < 500 || view->inset_count > 0 || (k & 4));
        PanelPlace inset = panel_inset(view, 0, width, height);
        assert_false(view->inset_count > 0 && overlap(&map, &inset));
        for (int pair = 0; pair < PANEL_COUNT * PANEL_COUNT; pair++) {
            PanelPlace one = panel_place(view, (PanelKind)(pair / PANEL_COUNT), width, height);
            PanelPlace other = panel_place(view, (PanelKind)(pair % PANEL_COUNT), width, height);
            assert_false(pair / PANEL_COUNT != pair % PANEL_COUNT && overlap(&one, &other));
            assert_true(one.width <= 0.0 || (one.x >= 0.0 && one.x + one.width <= width + 1e-9));
            assert_true(one.width <= 0.0 || (one.y >= 0.0 && one.y + one.height <= height + 1e-9));
        }
    }
    view->layout = (RenderLayout){.no_task = true, .no_gauges = true};
    view->hud.message = "pad lost";
    for (int kind = 0; kind < PANEL_COUNT; kind++) {
        bool shown = panel_place(view, (PanelKind)kind, 1280.0, 720.0).width > 0.0;
        assert_true(shown == (kind == PANEL_STATE || kind == PANEL_GRADE || kind == PANEL_MESSAGE));
    }
    view->hud.compact = false;
    view->layout = (RenderLayout){.scale = 1.25};
    assert_float_equal(panel_unit(view, 1280, 720), 1.125, 1e-9); // as far as there is room for all gauges
    view->hud.compact = true;
    assert_float_equal(panel_unit(view, 1280, 720), 1.25, 1e-9);
    free(view);
}

TEST_GROUP(NULL, NULL)
