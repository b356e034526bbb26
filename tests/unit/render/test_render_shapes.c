/// What can be checked without OpenGL: cameras, dirty rectangles, terrain chunks, meshes, words and numbers of the HUD.

#include "data/schema/machine_params.h"
#include "render/meshes/machine_mesh.h"
#include "render/panels/canvas.h"
#include "render/panels/panels.h"
#include "render/camera.h"
#include "render/relief.h"
#include "render/soil_look.h"
#include "render/terrain.h"
#include "render/panels/overlay.h"
#include "tests/support/render_scene.h"

TEST(orbit_looks_at_the_place_of_work)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->body[EXCAVATOR_HOUSE] = view->body[MACHINE_BASE] = (Pose){vec3(3.0, -2.0, 1.0), mat3_identity()};
    view->orbit_distance = 10.0;
    view->orbit_pitch = 0.4;
    Camera camera;
    camera_compute(view, 16.0 / 9.0, &camera);
    // 1.6 m ahead of the house and 1.1 m below its frame.
    const double place[3] = {4.6, -2.0, -0.1}, behind[3] = {30.0, -2.0, 12.0}, left[3] = {4.6, -3.0, -0.1};
    double pixel[2];
    assert_true(camera_project(&camera, place, 1280, 720, pixel));
    assert_near(pixel[0], 640.0, 0.5);
    assert_near(pixel[1], 360.0, 0.5);
    assert_false(camera_project(&camera, behind, 1280, 720, pixel));
    // Seen from +x, south is on the left.
    assert_true(camera_project(&camera, left, 1280, 720, pixel));
    assert_true(pixel[0] < 600.0);
    assert_near((double)camera.eye[0], 4.6 + 10.0 * cos(0.4), 1e-4);
    free(view);
}

TEST(eye_stays_over_the_ground)
{
    float heights[4] = {5.0f, 5.0f, 7.0f, 7.0f};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->grid_count = 1;
    view->grids[0] = (RenderGrid){
        .rows = 2, .columns = 2, .spacing = 100.0, .origin_x = -50.0, .origin_y = -50.0, .height = heights};
    view->body[EXCAVATOR_HOUSE].rotation = view->body[MACHINE_BASE].rotation = mat3_identity();
    assert_near(camera_ground_height(view, 0.0, 0.0), 6.0, 1e-6);
    view->orbit_distance = 10.0;
    Camera camera;
    camera_compute(view, 1.5, &camera);
    assert_true((double)camera.eye[2] > 6.3);
    free(view);
}

TEST(dirty_rectangles_are_cut_to_the_grid)
{
    RenderGrid grid = {.rows = 50,
                       .columns = 80,
                       .dirty_row_min = -3,
                       .dirty_row_max = 10,
                       .dirty_column_min = 70,
                       .dirty_column_max = 500};
    DirtyRectangle r = dirty_rectangle(&grid, true);
    assert_int_equal(r.first_row, 0);
    assert_int_equal(r.rows, 11);
    assert_int_equal(r.first_column, 70);
    assert_int_equal(r.columns, 10);
    r = dirty_rectangle(&grid, false);
    assert_int_equal(r.rows * r.columns, 4000);
    grid.dirty_row_min = 20;
    r = dirty_rectangle(&grid, true);
    assert_true(dirty_is_empty(&r));
    grid.all_dirty = true;
    r = dirty_rectangle(&grid, true);
    assert_int_equal(r.rows * r.columns, 4000);
}

TEST(chunks_use_their_own_vertices)
{
    const int vertices = (TERRAIN_CHUNK_CELLS + 1) * (TERRAIN_CHUNK_CELLS + 1) + 4 * (TERRAIN_CHUNK_CELLS + 1);
    uint16_t indices[8000];
    for (int step = 1; step <= 8; step *= 2) {
        int count = terrain_chunk_index_count(step), cells = TERRAIN_CHUNK_CELLS / step, highest = 0;
        assert_int_equal(count, 6 * cells * cells + 24 * cells);
        terrain_chunk_indices(step, indices);
        for (int k = 0; k < count; k++) {
            highest = indices[k] > highest ? indices[k] : highest;
        }
        assert_int_equal(highest, vertices - 1);
    }
    assert_int_equal(terrain_level(5.0, 0.1, TERRAIN_REACH), 0);
    assert_true(terrain_level(60.0, 0.1, TERRAIN_REACH) > 0);
    assert_true(terrain_level(12.0, 0.1, TERRAIN_REACH_LOW) > terrain_level(12.0, 0.1, TERRAIN_REACH));
    assert_int_equal(terrain_level(1e6, 0.1, TERRAIN_REACH), TERRAIN_LEVELS - 1);
}

/// A slope needs no columns; a stone on it needs those around it, and a coarse square rises to one of its corners.
TEST(even_chunks_are_drawn_coarse)
{
    enum { SIDE = 40 };
    float height[SIDE * SIDE], errors[TERRAIN_LEVELS];
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = 0.03f * (float)(k % SIDE) - 0.02f * (float)(k / SIDE);
    }
    const RenderGrid grid = {.rows = SIDE, .columns = SIDE, .spacing = 0.1, .height = height};
    terrain_errors(&grid, 0, 0, errors);
    for (int level = 0; level < TERRAIN_LEVELS; level++) {
        assert_float_equal(errors[level], 0.0f, 1e-6f);
    }
    height[9 * SIDE + 7] += 0.2f;
    terrain_errors(&grid, 0, 0, errors);
    assert_float_equal(errors[0], 0.0f, 0.0f);
    for (int level = 1; level < TERRAIN_LEVELS; level++) {
        assert_float_equal(errors[level], 0.2f, 1e-6f);
    }
    height[9 * SIDE + 7] -= 0.2f;
    height[8 * SIDE + 16] += 0.2f; // the corner of a square at every level: its neighbour is off by half, 3/4, 7/8
    terrain_errors(&grid, 0, 0, errors);
    for (int level = 1; level < TERRAIN_LEVELS; level++) {
        assert_float_equal(errors[level], 0.2f * (1.0f - 1.0f / (float)(1 << level)), 1e-6f);
    }
    terrain_errors(&grid, TERRAIN_CHUNK_CELLS, TERRAIN_CHUNK_CELLS, errors); // a part of a chunk, at the site's edge
    assert_float_equal(errors[TERRAIN_LEVELS - 1], 0.0f, 1e-6f);
}

TEST(soil_colours_go_from_weathered_to_fresh)
{
    SoilParams soil = {.color_fresh = {1.0f, 0.0f, 0.0f}, .color_weathered = {0.0f, 0.0f, 1.0f}};
    assert_int_equal(soil_look_pack_color(&soil, 0), 0x00ff0000U);
    assert_int_equal(soil_look_pack_color(&soil, 255), 0xff0000ffU);
}

TEST(shapes_have_their_sizes)
{
    const MeshMaterial material = {{1, 2, 3, 255}, {0}};
    const double low[3] = {-1.0, 0.0, 2.0}, high[3] = {1.0, 3.0, 2.5};
    Mesh mesh = {0};
    mesh_box(&mesh, low, high, 0.05, &material);
    float a[3], b[3];
    mesh_bounds(&mesh, a, b);
    for (int k = 0; k < 3; k++) {
        assert_near((double)a[k], low[k], 1e-6);
        assert_near((double)b[k], high[k], 1e-6);
    }
    for (int k = 0; k < mesh.index_count; k++) {
        assert_true(mesh.indices[k] < (uint32_t)mesh.vertex_count);
    }
    mesh_free(&mesh);
    // An L has a corner that bends inwards; its cap's area must come out.
    const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    mesh_prism(&mesh, MESH_PLANE_XY, corner, 6, 0.0, 1.0, 0.0, &material);
    double area = 0.0;
    for (int k = 0; k < mesh.index_count; k += 3) {
        const float *p = mesh.vertices[mesh.indices[k]].position, *q = mesh.vertices[mesh.indices[k + 1]].position;
        const float *r = mesh.vertices[mesh.indices[k + 2]].position;
        if (mesh.vertices[mesh.indices[k]].normal[2] > 0.9f) {
            area += 0.5 * fabs((double)((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])));
        }
    }
    assert_near(area, 4.0, 1e-6);
    mesh_free(&mesh);
}

/// Corners in the wrong order are turned; those in the right one stay.
TEST(triangles_turn_to_where_their_normals_look)
{
    Mesh mesh = {0};
    static const MeshMaterial material = {{200, 200, 200, 255}, {0}};
    const float up[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, down[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const float normal[3] = {0, 0, 1};
    mesh_triangle(&mesh, up, normal, &material);
    mesh_triangle(&mesh, down, normal, &material);
    mesh_orient(&mesh);
    for (int k = 0; k < 6; k += 3) {
        const float *a = mesh.vertices[mesh.indices[k]].position, *b = mesh.vertices[mesh.indices[k + 1]].position;
        const float *c = mesh.vertices[mesh.indices[k + 2]].position;
        assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.5f);
    }
    mesh_free(&mesh);
}

TEST(machine_has_its_published_size)
{
    Status status;
    MachineParams machine;
    assert_good(data_load_machine("excavator-22t", &machine, NULL, &status), status);
    Mesh mesh = {0};
    float low[3], high[3];
    excavator_mesh_house(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_near((double)low[0], -machine.tail_radius, 0.05);
    mesh_free(&mesh);
    excavator_mesh_boom(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_true((double)high[0] > excavator_boom_length(&machine) &&
                (double)high[0] < excavator_boom_length(&machine) + 0.4);
    mesh_free(&mesh);
    excavator_mesh_bucket(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_true((double)high[0] > excavator_tip_radius(&machine) &&
                (double)high[0] < excavator_tip_radius(&machine) + 0.15);
    assert_near((double)(high[1] - low[1]), machine.tool[0].shape.edge_width, 0.1);
    mesh_free(&mesh);
}

TEST(a_dozer_has_its_published_size)
{
    Status status;
    MachineParams machine;
    assert_good(data_load_machine("dozer-20t", &machine, NULL, &status), status);
    Mesh mesh = {0};
    float low[3], high[3];
    dozer_mesh_blade(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_near((double)(high[1] - low[1]), 3.26, 0.02);
    assert_near((double)(high[2] - low[2]), 1.41, 0.02);
    mesh_free(&mesh);
    dozer_mesh_chassis(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_true((double)high[1] < 0.5 * (machine.tracks.gauge + machine.tracks.shoe_width) + 0.2);
    assert_near((double)low[0], -machine.tail_radius, 0.1);
    mesh_free(&mesh);
    dozer_mesh_push_frame(&machine, &mesh);
    mesh_bounds(&mesh, low, high);
    assert_true((double)high[0] < machine.joint[DOZER_JOINT_ANGLE].origin.x);
    assert_true((double)high[1] < 0.5 * machine.tool[0].shape.edge_width);
    mesh_free(&mesh);
}

TEST(belt_closes_and_touches_the_ground)
{
    MachineTracks tracks = {.length = 4.45, .height = 0.95};
    TrackPath path = track_path(&tracks);
    assert_near(path.pitch * path.shoes, path.length, 1e-9);
    float a[4], b[4];
    double lowest = 1.0;
    for (int k = 0; k < 1000; k++) {
        track_path_at(&path, k * path.length / 1000.0, a);
        track_path_at(&path, (k + 1) * path.length / 1000.0, b);
        double moved = hypot((double)(b[0] - a[0]), (double)(b[1] - a[1]));
        assert_near(moved, path.length / 1000.0, 1e-4);
        assert_true((double)((b[0] - a[0]) * a[2] + (b[1] - a[1]) * a[3]) > 0.0);
        lowest = fmin(lowest, (double)a[1]);
    }
    assert_true(lowest > 0.0 && lowest < 0.08);
    track_path_at(&path, -0.3, a);
    track_path_at(&path, path.length - 0.3, b);
    assert_near((double)a[0], (double)b[0], 1e-5);
}

static void check_text(void (*format)(double, char *), double value, const char *expected)
{
    char text[HUD_TEXT_LENGTH];
    format(value, text);
    assert_string_equal(text, expected);
}

static void check_count(int64_t count, const char *expected)
{
    char text[HUD_TEXT_LENGTH];
    hud_format_count(count, text);
    assert_string_equal(text, expected);
}

TEST(numbers_read_well)
{
    check_text(hud_format_time, 247.9, "4:07");
    check_count(0, "0");
    check_count(999, "999");
    check_count(98141597759, "98\u2009141\u2009597\u2009759");
    check_count(-1234, "-1\u2009234");
    check_count(-123, "-123");
    check_count(INT64_MIN, "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
    check_text(hud_format_time, 3753.0, "1:02:33");
    check_text(hud_format_time, NAN, "-:--");
    check_text(hud_format_time, -1.0, "-:--");
    check_text(hud_format_speed, 188.5, "1800");
    check_text(hud_format_replay, 0.25, "0.25\u00d7");
    check_text(hud_format_replay, 0.0, "paused");
    char text[HUD_TEXT_LENGTH];
    hud_format_depth(1.249, TEXT_UNITS_METRIC, text);
    assert_string_equal(text, "1.25 m");
    hud_format_depth(-0.4, TEXT_UNITS_METRIC, text);
    assert_string_equal(text, "+0.40 m");
    hud_format_depth(-0.001, TEXT_UNITS_METRIC, text);
    assert_string_equal(text, "0.00 m");
    hud_format_depth(1.249, TEXT_UNITS_IMPERIAL, text);
    assert_string_equal(text, "4 ft 1 in");
    assert_true(hud_format_badge(0.8, text));
    assert_string_equal(text, "0.8\u00d7");
    assert_true(hud_format_badge(0.97, text));
    assert_string_equal(text, "0.9\u00d7");
    assert_false(hud_format_badge(0.98, text));
    assert_false(hud_format_badge(0.0, text));
}

TEST(levers_show_what_they_do)
{
    double levers[CONTROL_COUNT] = {0};
    levers[CONTROL_STICK] = 0.5;
    levers[CONTROL_BOOM] = 1.0;
    levers[CONTROL_BUCKET] = 0.25;
    HudStick left = hud_stick(levers, "ISO", true), right = hud_stick(levers, "ISO", false);
    assert_near(left.y, -0.5, 1e-9); // stick in = pulled back
    assert_string_equal(left.back, "stick in");
    assert_near(right.y, -1.0, 1e-9); // boom up = pulled back
    assert_near(right.x, -0.25, 1e-9); // curl in = to the left
    left = hud_stick(levers, "BHL", true);
    assert_near(left.y, -1.0, 1e-9);
    assert_string_equal(left.ahead, "boom down");
    levers[CONTROL_SWING] = 0.75;
    left = hud_stick(levers, "H", true);
    right = hud_stick(levers, "H", false);
    assert_near(left.y, 0.75, 1e-9); // swing right = forward
    assert_near(left.x, 0.5, 1e-9); // stick in = towards the middle
    assert_string_equal(left.ahead, "swing right");
    assert_string_equal(left.left, "stick out");
    assert_string_equal(right.back, "boom up");
    left = hud_stick(levers, "HANDLER", true);
    right = hud_stick(levers, "HANDLER", false);
    assert_near(left.x, 0.25, 1e-9); // curl = towards the middle
    assert_near(right.x, 0.75, 1e-9);
    assert_near(right.y, -0.5, 1e-9);
    assert_string_equal(left.back, "boom up");
    assert_string_equal(right.ahead, "stick out");
    levers[CONTROL_LEFT_TRACK] = 1.0;
    levers[CONTROL_RIGHT_TRACK] = 0.2;
    levers[CONTROL_BLADE] = 0.5;
    levers[CONTROL_BLADE_TILT] = -0.3;
    left = hud_stick(levers, "DOZER", true);
    right = hud_stick(levers, "DOZER", false);
    assert_near(left.x, 0.4, 1e-9); // the faster left track turns it to the right
    assert_near(left.y, 0.6, 1e-9);
    assert_near(right.y, -0.5, 1e-9); // blade up = pulled back
    assert_near(right.x, -0.3, 1e-9);
    assert_string_equal(right.back, "blade up");
}

TEST(panels_change_only_with_what_they_show)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){
        .visible = true, .time = 10.2, .score = 50.0, .pressure = {1e6}, .pressure_relief = {30e6, 30e6, 30e6, 30e6}};
    uint64_t task = panel_signature(view, PANEL_TASK), gauges = panel_signature(view, PANEL_GAUGES);
    view->hud.time = 10.7;
    view->hud.pressure[0] = 1.0001e6;
    assert_true(panel_signature(view, PANEL_TASK) == task);
    assert_true(panel_signature(view, PANEL_GAUGES) == gauges);
    view->hud.time = 11.0;
    view->hud.pressure[0] = 9e6;
    assert_false(panel_signature(view, PANEL_TASK) == task);
    assert_false(panel_signature(view, PANEL_GAUGES) == gauges);
    assert_true(panel_place(view, PANEL_GAUGES, 1280.0, 720.0).width > 0.0);
    view->menu.visible = true;
    assert_true(panel_place(view, PANEL_GAUGES, 1280.0, 720.0).width <= 0.0);
    view->menu.count = RENDER_MAX_MENU;
    view->menu.selected = RENDER_MAX_MENU - 1;
    view->menu.first = -1;
    int shown = 0, first = menu_first_item(&view->menu, &(PanelPlace){0.0, 0.0, 760.0, 640.0}, &shown);
    assert_int_equal(first + shown, RENDER_MAX_MENU);
    free(view);
}

static bool overlap(const PanelPlace *a, const PanelPlace *b)
{
    return a->width > 0.0 && b->width > 0.0 && a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height;
}

/// The table of what each axis does lies clear of every other panel, the message included where few devices are listed,
/// and is drawn again when an axis moves.
TEST(the_table_of_axes_covers_nothing)
{
    const int sizes[][2] = {{480, 320}, {640, 360}, {1024, 768}, {1280, 720}, {1280, 1024}, {1920, 1080}, {3440, 1440}};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .recording = true, .message = "A message"};
    for (int k = 0; k < 5; k++) {
        view->hud.progress[k] = "A line of the task";
    }
    for (int k = 0; k < RENDER_MAX_HINTS; k++) {
        view->hud.hints[k] = "a key";
    }
    assert_true(panel_place(view, PANEL_CONTROLS, 1280.0, 720.0).width <= 0.0);
    view->hud.controls = (RenderControls){.visible = true, .count = 8};
    for (int many = 0; many < 2; many++) {
        view->hud.controls.device_count = many ? RENDER_MAX_DEVICES : 3;
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            double unit = panel_unit(view, sizes[s][0], sizes[s][1]), width = sizes[s][0] / unit,
                   height = sizes[s][1] / unit;
            PanelPlace table = panel_place(view, PANEL_CONTROLS, width, height);
            assert_true(table.width > 0.0);
            for (int kind = 0; kind < PANEL_COUNT; kind++) {
                PanelPlace place = panel_place(view, (PanelKind)kind, width, height);
                bool may = kind == PANEL_CONTROLS || (kind == PANEL_MESSAGE && many);
                assert_false(!may && overlap(&table, &place));
            }
        }
    }
    uint64_t before = panel_signature(view, PANEL_CONTROLS);
    view->hud.controls.rows[3].raw = 0.5;
    assert_false(panel_signature(view, PANEL_CONTROLS) == before);
    free(view);
}

/// White within the tolerance, then warm above and cold below, stronger the more it is out.
TEST(cut_and_fill_have_colours_of_their_own)
{
    float within[3], above[3], below[3], far_above[3];
    render_grade_color(0.019, 0.02, within);
    render_grade_color(0.04, 0.02, above);
    render_grade_color(-0.04, 0.02, below);
    render_grade_color(0.5, 0.02, far_above);
    for (int k = 0; k < 3; k++) {
        assert_near(within[k], 0.94, 1e-6);
    }
    assert_true(above[0] > above[2] + 0.2f && below[2] > below[0] + 0.2f);
    assert_true(far_above[2] < above[2]);
    render_grade_color(0.12, 0.02, above); // six times the tolerance is as strong as it gets
    assert_near(above[2], far_above[2], 1e-6);
}

TEST(the_grade_display_shows_what_it_shows_and_covers_nothing)
{
    const int sizes[][2] = {{480, 320}, {640, 360}, {1024, 768}, {1280, 720}, {1280, 1024}, {1920, 1080}, {3440, 1440}};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .recording = true, .hints = {"a key", "another"}};
    for (int k = 0; k < 5; k++) {
        view->hud.progress[k] = "A line of the task";
    }
    assert_true(panel_place(view, PANEL_GRADE, 1280.0, 720.0).width <= 0.0);
    view->grade = (RenderGrade){.visible = true, .over = true, .tolerance = 0.03, .rows = 2, .columns = 2};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        double unit = panel_unit(view, sizes[s][0], sizes[s][1]), width = sizes[s][0] / unit,
               height = sizes[s][1] / unit;
        PanelPlace grade = panel_place(view, PANEL_GRADE, width, height);
        assert_true(grade.width > 200.0 && grade.x + grade.width < 0.35 * width);
        for (int kind = 0; kind < PANEL_COUNT; kind++) {
            PanelPlace other = panel_place(view, (PanelKind)kind, width, height);
            assert_false(kind != PANEL_GRADE && overlap(&grade, &other));
        }
    }
    uint64_t before = panel_signature(view, PANEL_GRADE);
    view->grade.offset[1] = 1e-4;
    assert_true(panel_signature(view, PANEL_GRADE) == before);
    view->grade.offset[1] = 0.002;
    assert_false(panel_signature(view, PANEL_GRADE) == before);
    before = panel_signature(view, PANEL_GRADE);
    view->grade.error[3] = 5;
    assert_false(panel_signature(view, PANEL_GRADE) == before);
    view->debug.visible = true;
    assert_true(panel_place(view, PANEL_GRADE, 1280.0, 720.0).width <= 0.0);
    free(view);
}

/// A compact screen has a strip and no levers; nothing lies over the middle, and nothing over another panel.
TEST(a_compact_screen_leaves_the_place_of_work_free)
{
    const int sizes[][2] = {{640, 360}, {1024, 768}, {1280, 720}, {1920, 1080}, {3440, 1440}, {3840, 2160}};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .compact = true, .recording = true, .hints = {"a key", "another"}};
    for (int k = 0; k < 5; k++) {
        view->hud.progress[k] = "A line of the task";
    }
    view->grade = (RenderGrade){.visible = true, .over = true, .tolerance = 0.03, .rows = 2, .columns = 2};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        double unit = panel_unit(view, sizes[s][0], sizes[s][1]);
        double width = sizes[s][0] / unit, height = sizes[s][1] / unit;
        double low = sizes[s][1] < 500 ? 0.86 : 0.92; // letters of a small window are larger
        PanelPlace work = {0.32 * width, 0.1 * height, 0.36 * width, (low - 0.1) * height};
        for (int kind = 0; kind < PANEL_COUNT; kind++) {
            PanelPlace one = panel_place(view, (PanelKind)kind, width, height);
            assert_false(overlap(&one, &work));
            for (int other = 0; other < kind; other++) {
                PanelPlace two = panel_place(view, (PanelKind)other, width, height);
                assert_false(overlap(&one, &two));
            }
        }
        assert_true(unit * 11.0 >= 8.5); // letters
        assert_true(panel_place(view, PANEL_GAUGES, width, height).height <= 40.0);
        assert_true(panel_place(view, PANEL_LEFT_STICK, width, height).width <= 0.0);
    }
    uint64_t compact = panel_signature(view, PANEL_GAUGES);
    view->hud.compact = false;
    assert_false(panel_signature(view, PANEL_GAUGES) == compact);
    free(view);
}

/// Watching, no panel covers another, with list and curves, with the debug panel or without; the mouse finds the bar
/// and the rows where they are drawn.
TEST(the_panels_of_a_replay_cover_nothing)
{
    const int sizes[][2] = {{480, 320}, {640, 360}, {1024, 768}, {1280, 720}, {1280, 1024}, {1920, 1080}, {3440, 1440}};
    static const RenderEvent rows[40] = {{"0:01.0", "a cycle", RENDER_MARK_CYCLE}};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true};
    for (int k = 0; k < 5; k++) {
        view->hud.progress[k] = "A line of the task";
    }
    view->timeline = (RenderTimeline){.visible = true, .duration = 60.0, .keys = {"keys", "more keys"}};
    view->events = (RenderEvents){.visible = true, .count = 40, .chosen = 20, .rows = rows};
    view->curves = (RenderCurves){.visible = true};
    for (int debug = 0; debug < 2; debug++) {
        view->debug.visible = debug == 1;
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            double unit = panel_unit(view, sizes[s][0], sizes[s][1]), width = sizes[s][0] / unit,
                   height = sizes[s][1] / unit;
            for (int a = 0; a < PANEL_COUNT * PANEL_COUNT; a++) {
                PanelPlace one = panel_place(view, (PanelKind)(a / PANEL_COUNT), width, height);
                PanelPlace other = panel_place(view, (PanelKind)(a % PANEL_COUNT), width, height);
                one.width -= 0.01; // edges may touch, to the rounding
                other.width -= 0.01;
                assert_false(a / PANEL_COUNT != a % PANEL_COUNT && overlap(&one, &other));
            }
            PanelPlace list = panel_place(view, PANEL_EVENTS, width, height);
            PanelPlace bar = panel_place(view, PANEL_TIMELINE, width, height);
            int shown = 0, first = events_first_row(&view->events, list.height, &shown);
            double middle = (list.x + 0.5 * list.width) * unit;
            assert_int_equal(render_event_at(view, sizes[s][0], sizes[s][1], middle, (list.y + 40.0) * unit), first);
            assert_int_equal(render_event_at(view, sizes[s][0], sizes[s][1], middle, (list.y + 3.0) * unit), -1);
            double at = bar.x + timeline_left + 0.25 * timeline_length(bar.width);
            assert_float_equal(render_timeline_at(view, sizes[s][0], sizes[s][1], at * unit, (bar.y + 20.0) * unit),
                               0.25, 1e-9);
            assert_true(render_timeline_at(view, sizes[s][0], sizes[s][1], at * unit, 5.0) < 0.0);
        }
    }
    free(view);
}

/// With the debug panel no panel covers another or leaves the screen, whatever the window's shape, driving or watching.
TEST(the_debug_panel_covers_nothing)
{
    const int sizes[][2] = {{480, 320}, {640, 360}, {1024, 768}, {1280, 720}, {1280, 1024}, {1920, 1080}, {3440, 1440}};
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .recording = true, .message = "A message"};
    for (int k = 0; k < 5; k++) {
        view->hud.progress[k] = "A line of the task";
    }
    assert_true(panel_place(view, PANEL_DEBUG, 1280.0, 720.0).width <= 0.0);
    view->debug.visible = true;
    for (int watching = 0; watching < 2; watching++) {
        view->timeline.visible = watching == 1; // which has neither hints nor message
        view->hud.message = watching == 1 ? NULL : view->hud.message;
        for (int k = 0; k < RENDER_MAX_HINTS; k++) {
            view->hud.hints[k] = watching == 1 ? NULL : "a key";
        }
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            double unit = panel_unit(view, sizes[s][0], sizes[s][1]), width = sizes[s][0] / unit,
                   height = sizes[s][1] / unit;
            PanelPlace debug = panel_place(view, PANEL_DEBUG, width, height);
            assert_true(debug.width > 0.0 && debug.x >= 0.0 && debug.x + debug.width <= width);
            assert_true(debug.y >= 0.0 && debug.y + debug.height <= height);
            PanelPlace hints = panel_place(view, PANEL_HINTS, width, height);
            for (int kind = 0; kind < PANEL_COUNT; kind++) {
                PanelPlace place = panel_place(view, (PanelKind)kind, width, height);
                assert_false(kind != PANEL_DEBUG && overlap(&debug, &place));
                assert_false(kind != PANEL_HINTS && overlap(&hints, &place));
            }
        }
    }
    view->hud.visible = false; // the panel stays without the gauges, a menu hides it
    assert_true(panel_place(view, PANEL_DEBUG, 1280.0, 720.0).width > 0.0);
    view->menu.visible = true;
    assert_true(panel_place(view, PANEL_DEBUG, 1280.0, 720.0).width <= 0.0);
    free(view);
}

TEST(the_debug_panel_follows_its_figures)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->debug = (RenderDebug){.visible = true, .known = true, .mass_total = 98141597759, .force = 10600.0};
    uint64_t before = panel_signature(view, PANEL_DEBUG);
    assert_true(panel_signature(view, PANEL_DEBUG) == before);
    view->debug.mass_drift = 1; // a single quantum must be seen
    assert_false(panel_signature(view, PANEL_DEBUG) == before);
    view->debug.mass_drift = 0;
    view->debug.mass_total++;
    assert_false(panel_signature(view, PANEL_DEBUG) == before);
    free(view);
}

TEST(force_colours_go_from_blue_to_red)
{
    float none[4], quarter[4], most[4], more[4];
    render_force_color(0.0, none);
    render_force_color(0.25, quarter);
    render_force_color(1.0, most);
    render_force_color(7.0, more);
    assert_true(none[2] > none[0] && none[2] > none[1]);
    assert_true(quarter[1] > quarter[0] && quarter[1] > quarter[2]); // the root of a quarter is the middle: green
    assert_true(most[0] > 2.0f * most[1] && most[0] > 2.0f * most[2]);
    assert_memory_equal(most, more, sizeof(most));
}

TEST_GROUP(NULL, NULL)
