/// A snapshot holds all that a view points to, though what it was made from is overwritten and freed; of grids only
/// what is dirty is copied; in the long run no memory is made.
#include "render/view.h"
#include "tests/support/test.h"

enum { ROWS = 20, COLUMNS = 30, PARTICLES = 40, LINES = 7, COLUMNS_OF_CURVES = 5 };

/// Everything that a view can point to, each thing in memory of its own, so that a sanitizer sees what is read later.
typedef struct Model {
    RenderView view;
    void *kept[256];
    int count;
} Model;

static void *make(Model *model, const void *bytes, size_t size)
{
    void *copy = malloc(size);
    assert_non_null(copy);
    assert_true(model->count < (int)(sizeof model->kept / sizeof model->kept[0]));
    memcpy(copy, bytes, size);
    model->kept[model->count++] = copy;
    return copy;
}

static const char *text(Model *model, const char *name, int number)
{
    char line[64];
    snprintf(line, sizeof line, "%s %d", name, number);
    return make(model, line, strlen(line) + 1);
}

/// `count` things of `size` bytes that are counted through from `first`.
static void *counted(Model *model, int count, size_t size, unsigned first)
{
    unsigned char bytes[16384];
    assert_true((size_t)count * size <= sizeof bytes);
    for (size_t k = 0; k < (size_t)count * size; k++) {
        bytes[k] = (unsigned char)(first + k);
    }
    return make(model, bytes, (size_t)count * size);
}

static void fill_grid(Model *model, RenderGrid *grid, float height)
{
    float heights[ROWS * COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        heights[k] = height + (float)k;
    }
    *grid = (RenderGrid){.rows = ROWS,
                         .columns = COLUMNS,
                         .height = make(model, heights, sizeof heights),
                         .soil = counted(model, ROWS * COLUMNS, 1, 1),
                         .loose = counted(model, ROWS * COLUMNS, 1, 2),
                         .all_dirty = true};
}

static void fill_hud(Model *model, RenderHud *hud)
{
    hud->title = text(model, "title", 0);
    hud->pattern = text(model, "pattern", 0);
    hud->drive = text(model, "drive", 0);
    hud->message = text(model, "message", 0);
    for (int k = 0; k < 3; k++) {
        hud->joint_name[k] = text(model, "joint", k);
        hud->limit[k] = text(model, "limit", k);
        hud->progress[k] = text(model, "progress", k);
        hud->hints[k] = text(model, "hint", k);
    }
    hud->joint_value[1] = text(model, "value", 1);
    hud->race_count = 1;
    hud->race[0] = text(model, "race", 0);
    hud->controls = (RenderControls){.visible = true, .title = text(model, "controls", 0), .count = 2};
    for (int k = 0; k < 2; k++) {
        hud->controls.rows[k] = (RenderControl){.lever = text(model, "lever", k),
                                                .less = text(model, "less", k),
                                                .more = text(model, "more", k),
                                                .source = text(model, "source", k)};
    }
    hud->controls.device_count = 1;
    hud->controls.devices[0] = text(model, "device", 0);
}

static void fill_menu(Model *model, RenderMenu *menu)
{
    RenderPicture picture = {.width = 4, .height = 3, .pixels = counted(model, 12, 4, 3), .id = 7};
    *menu = (RenderMenu){.visible = true,
                         .title = text(model, "menu", 0),
                         .subtitle = text(model, "menu", 1),
                         .footer = text(model, "menu", 2),
                         .count = 2};
    for (int k = 0; k < 2; k++) {
        menu->items[k] = (RenderMenuItem){
            .text = text(model, "item", k), .detail = k == 0 ? text(model, "detail", k) : NULL, .value = NULL};
    }
    menu->side.visible = true;
    menu->side.text = text(model, "side", 0);
    menu->side.pictures[0] = make(model, &picture, sizeof picture);
}

static void fill_replay(Model *model, RenderView *view)
{
    view->timeline.mark_count = 3;
    view->timeline.marks = counted(model, 3, sizeof(RenderMark), 4);
    view->timeline.told = text(model, "told", 0);
    view->timeline.keys[0] = text(model, "keys", 0);
    RenderEvent rows[2] = {{.time = text(model, "time", 0), .text = text(model, "text", 0)},
                           {.time = text(model, "time", 1), .text = text(model, "text", 1)}};
    view->events =
        (RenderEvents){.title = text(model, "events", 0), .count = 2, .rows = make(model, rows, sizeof rows)};
    view->curves = (RenderCurves){.title = text(model, "curves", 0),
                                  .top = text(model, "curves", 1),
                                  .bottom = text(model, "curves", 2),
                                  .from = text(model, "curves", 3),
                                  .to = text(model, "curves", 4),
                                  .columns = COLUMNS_OF_CURVES,
                                  .count = 1};
    view->curves.curves[0] = (RenderCurve){.name = text(model, "curve", 0),
                                           .value = text(model, "curve", 1),
                                           .low = counted(model, COLUMNS_OF_CURVES, sizeof(float), 5),
                                           .high = counted(model, COLUMNS_OF_CURVES, sizeof(float), 6)};
}

static Model *model_create(void)
{
    Model *model = calloc(1, sizeof *model);
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    if (model == NULL || scene == NULL || machine == NULL) {
        abort();
    }
    RenderView *view = &model->view;
    snprintf(scene->title, sizeof scene->title, "scene");
    view->scene = make(model, scene, sizeof *scene);
    machine->joint_count = 3;
    view->machine = make(model, machine, sizeof *machine);
    machine->joint_count = 4;
    view->ghost.machine = make(model, machine, sizeof *machine);
    free(scene);
    free(machine);
    view->grid_count = 2;
    fill_grid(model, &view->grids[0], 0.5f);
    fill_grid(model, &view->grids[1], 7.5f);
    view->particles = (RenderParticles){.count = PARTICLES,
                                        .xyzr = counted(model, PARTICLES, 4 * sizeof(float), 7),
                                        .soil = counted(model, PARTICLES, 1, 8),
                                        .id = counted(model, PARTICLES, sizeof(uint32_t), 9),
                                        .tint = counted(model, PARTICLES, 4, 10)};
    view->rocks = (RenderRocks){.shape_count = 2,
                                .shapes = counted(model, 2, sizeof(RenderRockShape), 11),
                                .count = 3,
                                .rocks = counted(model, 3, sizeof(RenderRock), 12)};
    fill_hud(model, &view->hud);
    fill_menu(model, &view->menu);
    fill_replay(model, view);
    view->debug.ground_line_count = view->debug.force_line_count = LINES;
    view->debug.ground_lines = counted(model, LINES, sizeof(RenderLine), 13);
    view->debug.force_lines = counted(model, LINES, sizeof(RenderLine), 14);
    view->grade.name = text(model, "grade", 0);
    view->grade.design = counted(model, ROWS * COLUMNS, sizeof(float), 15);
    return model;
}

static void model_free(Model *model)
{
    for (int k = 0; k < model->count; k++) {
        free(model->kept[k]);
    }
    free(model);
}

/// Both show the same; every pointer of either that is not a null one must lead somewhere else.
#define SAME_BYTES(a, b, size)                                                                                         \
    (assert_true((const void *)(a) != (const void *)(b)), assert_memory_equal((a), (b), (size)))
#define SAME_TEXT(a, b) (assert_true((a) != (b)), assert_string_equal((a), (b)))

static void check_world(const RenderView *a, const RenderView *b)
{
    SAME_BYTES(a->scene, b->scene, sizeof *a->scene);
    SAME_BYTES(a->machine, b->machine, sizeof *a->machine);
    SAME_BYTES(a->ghost.machine, b->ghost.machine, sizeof *a->ghost.machine);
    for (int k = 0; k < 2; k++) {
        SAME_BYTES(a->grids[k].height, b->grids[k].height, ROWS * COLUMNS * sizeof(float));
        SAME_BYTES(a->grids[k].soil, b->grids[k].soil, ROWS * COLUMNS);
        SAME_BYTES(a->grids[k].loose, b->grids[k].loose, ROWS * COLUMNS);
    }
    SAME_BYTES(a->particles.xyzr, b->particles.xyzr, PARTICLES * 4 * sizeof(float));
    SAME_BYTES(a->particles.soil, b->particles.soil, PARTICLES);
    SAME_BYTES(a->particles.id, b->particles.id, PARTICLES * sizeof(uint32_t));
    SAME_BYTES(a->particles.tint, b->particles.tint, PARTICLES * 4);
    SAME_BYTES(a->rocks.shapes, b->rocks.shapes, 2 * sizeof(RenderRockShape));
    SAME_BYTES(a->rocks.rocks, b->rocks.rocks, 3 * sizeof(RenderRock));
    SAME_BYTES(a->debug.ground_lines, b->debug.ground_lines, LINES * sizeof(RenderLine));
    SAME_BYTES(a->debug.force_lines, b->debug.force_lines, LINES * sizeof(RenderLine));
    SAME_TEXT(a->grade.name, b->grade.name);
    SAME_BYTES(a->grade.design, b->grade.design, ROWS * COLUMNS * sizeof(float));
}

static void check_panels(const RenderView *a, const RenderView *b)
{
    for (int k = 0; k < 3; k++) {
        SAME_TEXT(a->hud.joint_name[k], b->hud.joint_name[k]);
        SAME_TEXT(a->hud.limit[k], b->hud.limit[k]);
        SAME_TEXT(a->hud.progress[k], b->hud.progress[k]);
        SAME_TEXT(a->hud.hints[k], b->hud.hints[k]);
    }
    assert_null(b->hud.joint_name[3]);
    assert_null(b->hud.joint_value[0]);
    SAME_TEXT(a->hud.joint_value[1], b->hud.joint_value[1]);
    SAME_TEXT(a->hud.race[0], b->hud.race[0]);
    for (int k = 0; k < 2; k++) {
        SAME_TEXT(a->hud.controls.rows[k].lever, b->hud.controls.rows[k].lever);
        SAME_TEXT(a->hud.controls.rows[k].source, b->hud.controls.rows[k].source);
        SAME_TEXT(a->menu.items[k].text, b->menu.items[k].text);
        SAME_TEXT(a->events.rows[k].time, b->events.rows[k].time);
        SAME_TEXT(a->events.rows[k].text, b->events.rows[k].text);
    }
    SAME_TEXT(a->hud.controls.devices[0], b->hud.controls.devices[0]);
    SAME_TEXT(a->menu.title, b->menu.title);
    SAME_TEXT(a->menu.items[0].detail, b->menu.items[0].detail);
    assert_null(b->menu.items[1].detail);
    SAME_TEXT(a->menu.side.text, b->menu.side.text);
    SAME_BYTES(a->menu.side.pictures[0]->pixels, b->menu.side.pictures[0]->pixels, 48);
    assert_true(b->menu.side.pictures[0]->id == 7);
    SAME_BYTES(a->timeline.marks, b->timeline.marks, 3 * sizeof(RenderMark));
    SAME_TEXT(a->timeline.told, b->timeline.told);
    SAME_TEXT(a->curves.curves[0].name, b->curves.curves[0].name);
    SAME_BYTES(a->curves.curves[0].low, b->curves.curves[0].low, COLUMNS_OF_CURVES * sizeof(float));
    SAME_BYTES(a->curves.curves[0].high, b->curves.curves[0].high, COLUMNS_OF_CURVES * sizeof(float));
}

TEST(a_snapshot_holds_what_the_view_showed)
{
    Model *model = model_create(), *again = model_create();
    RenderSnapshot *snapshot = render_snapshot_create();
    render_snapshot_take(snapshot, &model->view, false);
    check_world(&model->view, render_snapshot_view(snapshot));
    check_panels(&model->view, render_snapshot_view(snapshot));
    model_free(model);
    check_world(&again->view, render_snapshot_view(snapshot));
    check_panels(&again->view, render_snapshot_view(snapshot));
    model_free(again);
    render_snapshot_destroy(snapshot);
}

TEST(of_a_grid_only_what_is_dirty_is_copied)
{
    Model *model = model_create();
    RenderSnapshot *snapshot = render_snapshot_create();
    render_snapshot_take(snapshot, &model->view, false);
    RenderGrid *grid = &model->view.grids[0];
    float *height = (float *)(uintptr_t)grid->height;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        height[k] += 100.0f;
    }
    grid->all_dirty = model->view.grids[1].all_dirty = false;
    grid->dirty_row_min = 3;
    grid->dirty_row_max = 5;
    grid->dirty_column_min = 7;
    grid->dirty_column_max = 9;
    model->view.grids[1].dirty_row_min = 1;
    model->view.grids[1].dirty_row_max = 0;
    render_snapshot_take(snapshot, &model->view, false);
    const RenderGrid *kept = &render_snapshot_view(snapshot)->grids[0];
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        int row = k / COLUMNS, column = k % COLUMNS;
        bool dirty = row >= 3 && row <= 5 && column >= 7 && column <= 9;
        assert_true((double)kept->height[k] == 0.5 + k + (dirty ? 100.0 : 0.0));
    }
    assert_true(!kept->all_dirty && kept->dirty_row_max == 5);
    render_snapshot_take(snapshot, &model->view, true);
    kept = &render_snapshot_view(snapshot)->grids[0];
    assert_memory_equal(kept->height, height, ROWS * COLUMNS * sizeof(float));
    assert_true(kept->all_dirty);
    model_free(model);
    render_snapshot_destroy(snapshot);
}

static void set_clean(Model *model)
{
    for (int k = 0; k < 2; k++) {
        RenderGrid *grid = &model->view.grids[k];
        grid->all_dirty = false;
        grid->dirty_row_min = 1;
        grid->dirty_row_max = 0;
    }
}

/// Takes the view; true when that was seen as another one than before.
static bool takes_new(RenderSnapshot *snapshot, const Model *model)
{
    render_snapshot_take(snapshot, &model->view, false);
    return render_snapshot_is_new(snapshot);
}

/// What is the same in other memory is not new; each kind of thing that changes is.
TEST(a_view_that_is_the_same_is_known)
{
    Model *model = model_create(), *again = model_create();
    RenderSnapshot *snapshot = render_snapshot_create();
    assert_true(takes_new(snapshot, model));
    set_clean(model);
    set_clean(again);
    takes_new(snapshot, model);
    assert_false(takes_new(snapshot, again));
    assert_false(takes_new(snapshot, model));
    RenderPicture *picture = (RenderPicture *)(uintptr_t)model->view.menu.side.pictures[0];
    unsigned char *places[] = {(unsigned char *)(uintptr_t)model->view.scene->title,
                               (unsigned char *)(uintptr_t)model->view.hud.message,
                               (unsigned char *)(uintptr_t)model->view.events.rows[1].text,
                               (unsigned char *)(uintptr_t)model->view.particles.xyzr,
                               (unsigned char *)(uintptr_t)picture->pixels,
                               (unsigned char *)&picture->id,
                               (unsigned char *)&model->view.orbit_yaw};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        *places[k] ^= 1;
        assert_true(takes_new(snapshot, model));
        assert_false(takes_new(snapshot, model));
    }
    model->view.hud.hints[1] = "a hint that is longer";
    assert_true(takes_new(snapshot, model));
    assert_false(takes_new(snapshot, model));
    model->view.grids[1].dirty_row_max = 1;
    assert_true(takes_new(snapshot, model));
    model_free(again);
    model_free(model);
    render_snapshot_destroy(snapshot);
}

TEST(memory_is_made_once)
{
    Model *model = model_create();
    RenderSnapshot *snapshot = render_snapshot_create();
    for (int k = 0; k < 3; k++) {
        render_snapshot_take(snapshot, &model->view, false);
    }
    int64_t before = render_snapshot_allocations(snapshot);
    for (int k = 0; k < 50; k++) {
        render_snapshot_take(snapshot, &model->view, k % 2 == 0);
    }
    assert_true(render_snapshot_allocations(snapshot) == before);
    model_free(model);
    render_snapshot_destroy(snapshot);
}

TEST_GROUP(NULL, NULL)
