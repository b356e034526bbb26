/// Checks what the picture makes of steep ground: outlines of steps, layers at their depth, ragged borders of soils.
#include "render/camera.h"
#include "render/relief.h"
#include "render/soil_look.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

enum { SIDE = 21 };

/// A small grid, 1 m high where `upper` says so, else 0.
static RenderGrid steps(float height[SIDE * SIDE], bool (*upper)(int row, int column))
{
    for (int at = 0; at < SIDE * SIDE; at++) {
        height[at] = upper(at / SIDE, at % SIDE) ? 1.0f : 0.0f;
    }
    return (RenderGrid){.rows = SIDE, .columns = SIDE, .spacing = 0.1, .height = height};
}

static bool left_of_ten(int row, int column)
{
    (void)row;
    return column <= 10;
}

static bool below_diagonal(int row, int column)
{
    return column + row <= 20;
}

static bool below_flat_line(int row, int column)
{
    return 4 * row <= 40 + column;
}

static double shift_of(const RenderGrid *grid, int row, int column, int axis)
{
    int8_t out[4];
    outline_compute(grid, row, column, out);
    return out[axis] / 127.0 * OUTLINE_MOST;
}

/// Upper and lower columns beside a straight step meet at the line half-way between them; others stay.
TEST(a_straight_step_stands_upright)
{
    float height[SIDE * SIDE];
    RenderGrid grid = steps(height, left_of_ten);
    assert_near(10.0 + shift_of(&grid, 10, 10, 0), 10.5, 0.15);
    assert_near(11.0 + shift_of(&grid, 10, 11, 0), 10.5, 0.15);
    assert_true(10.0 + shift_of(&grid, 10, 10, 0) < 11.0 + shift_of(&grid, 10, 11, 0));
    assert_near(shift_of(&grid, 10, 10, 1), 0.0, 0.01);
    int8_t far[4], face[4];
    outline_compute(&grid, 10, 7, far);
    assert_true(far[0] == 0 && far[1] == 0 && far[2] == 0 && far[3] == 0);
    outline_compute(&grid, 10, 10, face);
    assert_true(face[2] > 120 && abs(face[3]) < 5); // it looks to the lower ground
}

/// Columns along a slanted step lie in a staircase; shifted they lie near the line, and look across it.
TEST(a_slanted_step_has_a_smooth_outline)
{
    const struct {
        bool (*upper)(int row, int column);
        double across[2]; ///< unit, towards the lower ground
    } lines[2] = {{below_diagonal, {M_SQRT1_2, M_SQRT1_2}}, {below_flat_line, {-1.0 / sqrt(17.0), 4.0 / sqrt(17.0)}}};
    for (int k = 0; k < 2; k++) {
        float height[SIDE * SIDE];
        RenderGrid grid = steps(height, lines[k].upper);
        double before[2] = {1e9, -1e9}, after[2] = {1e9, -1e9};
        for (int column = 6; column <= 14; column++) {
            int row = 0;
            while (lines[k].upper(row + 1, column)) {
                row++;
            }
            double moved_x = shift_of(&grid, row, column, 0), moved_y = shift_of(&grid, row, column, 1);
            double at = column * lines[k].across[0] + row * lines[k].across[1];
            double now = at + moved_x * lines[k].across[0] + moved_y * lines[k].across[1];
            before[0] = fmin(before[0], at);
            before[1] = fmax(before[1], at);
            after[0] = fmin(after[0], now);
            after[1] = fmax(after[1], now);
            int8_t face[4];
            outline_compute(&grid, row, column, face);
            double along = (face[2] * lines[k].across[0] + face[3] * lines[k].across[1]) / hypot(face[2], face[3]);
            assert_true(along > 0.93);
        }
        print_message("outline %d: %.2f columns out before, %.2f after\n", k, before[1] - before[0],
                      after[1] - after[0]);
        assert_true(after[1] - after[0] < 0.45 && after[1] - after[0] <= 0.65 * fmax(before[1] - before[0], 0.6));
    }
}

/// What slopes as loose soil does has no outline, and the rectangle that is computed anew reaches two columns on.
TEST(slopes_keep_their_columns)
{
    float height[SIDE * SIDE];
    RenderGrid grid = steps(height, left_of_ten);
    for (int at = 0; at < SIDE * SIDE; at++) {
        height[at] = 0.1f * (float)(at % SIDE);
    }
    for (int column = 0; column < SIDE; column++) {
        int8_t out[4];
        outline_compute(&grid, 10, column, out);
        assert_true(out[0] == 0 && out[1] == 0);
    }
    DirtyRectangle part = dirty_rectangle_grown(&grid, &(DirtyRectangle){1, 3, 17, 4}, OUTLINE_REACH);
    assert_true(part.first_row == 0 && part.rows == 6 && part.first_column == 15 && part.columns == 6);
    part = dirty_rectangle_grown(&grid, &(DirtyRectangle){0}, OUTLINE_REACH);
    assert_true(dirty_is_empty(&part));
}

/// Low quality's normals: a slope leans by its angle, a step looks where its outline does, and what lies in a pit sees
/// less of the sky than the ground around it; a change reaches as far as its block counts.
TEST(the_relief_of_low_quality_is_that_of_the_heights)
{
    enum { WIDE = 64 };
    static float height[WIDE * WIDE];
    RenderGrid grid = {.rows = WIDE, .columns = WIDE, .spacing = 0.1, .height = height};
    for (int at = 0; at < WIDE * WIDE; at++) {
        height[at] = 0.05f * (float)(at % WIDE);
    }
    float means[16];
    int8_t outline[4] = {0};
    uint8_t out[4] = {0};
    const DirtyRectangle all = {0, WIDE, 0, WIDE};
    assert_int_equal(relief_block_count(&grid), 16);
    relief_mean(&grid, &all, means);
    relief_compute(&grid, outline, means, 30, 30, out);
    assert_near((out[0] - 128) / 127.0, -sin(atan(0.5)), 0.01);
    assert_int_equal(out[1], 128);
    assert_int_equal(out[2], 255);
    outline[3] = 127;
    relief_compute(&grid, outline, means, 30, 30, out);
    assert_int_equal(out[0], 128);
    assert_near((out[1] - 128) / 127.0, sin(atan(0.5)), 0.01);
    for (int at = 0; at < WIDE * WIDE; at++) {
        bool pit = at / WIDE >= 28 && at / WIDE < 36 && at % WIDE >= 28 && at % WIDE < 36;
        height[at] = pit ? -1.0f : 0.0f;
    }
    relief_mean(&grid, &all, means);
    outline[3] = 0;
    relief_compute(&grid, outline, means, 32, 32, out);
    assert_true(out[2] < 128 && out[0] == 128);
    relief_compute(&grid, outline, means, 4, 4, out);
    assert_int_equal(out[2], 255);
    DirtyRectangle part = dirty_rectangle_grown(&grid, &(DirtyRectangle){30, 2, 60, 2}, RELIEF_REACH);
    assert_true(part.first_row == 6 && part.rows == 50 && part.first_column == 36 && part.columns == 28);
    part = dirty_rectangle_grown(&grid, &(DirtyRectangle){0}, RELIEF_REACH);
    assert_true(dirty_is_empty(&part));
}

/// A copy of a grid finds the columns of any array that are others than before, and no more than the rectangle around
/// them.
TEST(a_copy_finds_what_is_other)
{
    enum { ROWS = 9, COLUMNS = 7, CELLS = ROWS * COLUMNS };
    static float height[CELLS];
    static uint8_t soil[CELLS], loose[CELLS];
    static uint16_t strata[CELLS * RENDER_STRATA];
    static uint32_t marks[CELLS];
    RenderGrid grid = {.rows = ROWS, .columns = COLUMNS, .height = height, .soil = soil, .loose = loose};
    GridCopy copy = {0};
    DirtyRectangle part = grid_copy_update(&copy, &grid);
    assert_true(part.rows == ROWS && part.columns == COLUMNS);
    part = grid_copy_update(&copy, &grid);
    assert_true(dirty_is_empty(&part));
    height[3 * COLUMNS + 2] = 1.0f;
    loose[5 * COLUMNS + 6] = 7;
    part = grid_copy_update(&copy, &grid);
    assert_true(part.first_row == 3 && part.rows == 3 && part.first_column == 2 && part.columns == 5);
    soil[CELLS - 1] = 1;
    part = grid_copy_update(&copy, &grid);
    assert_true(part.first_row == ROWS - 1 && part.rows == 1 && part.first_column == COLUMNS - 1 && part.columns == 1);
    grid.strata = strata;
    grid.marks = marks;
    part = grid_copy_update(&copy, &grid);
    assert_true(part.rows == ROWS && part.columns == COLUMNS);
    strata[RENDER_STRATA * (2 * COLUMNS + 4) + RENDER_STRATA - 1] = 9;
    marks[2 * COLUMNS] = 5;
    part = grid_copy_update(&copy, &grid);
    assert_true(part.first_row == 2 && part.rows == 1 && part.first_column == 0 && part.columns == 5);
    part = grid_copy_update(&copy, &grid);
    assert_true(dirty_is_empty(&part));
    grid_copy_free(&copy);
}

static SoilLook look_of(const char *name)
{
    Status status;
    SoilParams soil;
    assert_good(data_load_soil(name, &soil, NULL, &status), status);
    return soil_look(&soil);
}

/// The shipped soils look like what they are.
TEST(looks_follow_from_laboratory_figures)
{
    SoilLook sand = look_of("sand"), gravel = look_of("gravel"), loam = look_of("loam"), topsoil = look_of("topsoil");
    SoilLook clay = look_of("clay"), wet_clay = look_of("wet-clay");
    assert_true(gravel.stones > 0.9f && sand.stones < 0.1f && loam.stones < 0.1f && clay.stones < 0.1f);
    assert_true(sand.lumps < 0.01f && gravel.lumps < 0.01f && loam.lumps > 0.2f && clay.lumps > 0.9f);
    assert_true(wet_clay.sheen > clay.sheen && clay.sheen > 0.4f && loam.sheen < 0.1f && sand.sheen < 0.1f);
    assert_true(topsoil.growth > 0.9f && loam.growth < 0.1f && sand.growth < 0.1f && clay.growth < 0.1f);
    const SoilLook packed = {.lumps = 1.0f, .stones = 0.2f, .sheen = 0.0f, .growth = 0.6f};
    assert_int_equal(soil_look_pack(&packed), 0x000033ffU); // grass is the column's, not the soil's
}

/// Low quality's colours: grass only on what has weathered, what was just cut is darker than what has dried, clods of a
/// tipped soil stand higher than of a cut one.
TEST(tints_follow_from_soil_and_looseness)
{
    Status status;
    SoilParams topsoil, clay;
    assert_good(data_load_soil("topsoil", &topsoil, NULL, &status), status);
    assert_good(data_load_soil("clay", &clay, NULL, &status), status);
    SoilTint grown = soil_look_tint(&topsoil, 0.0), cut = soil_look_tint(&topsoil, SOIL_LOOK_CUT);
    assert_true(grown.grass > 0.9f && cut.grass < 0.01f);
    assert_true(grown.root[1] / grown.root[0] > 1.1f * cut.root[1] / cut.root[0]);
    SoilTint fresh = soil_look_tint(&clay, SOIL_LOOK_CUT), tipped = soil_look_tint(&clay, 1.0);
    assert_true(fresh.root[0] < tipped.root[0] && fresh.relief < 0.5f * tipped.relief && tipped.relief <= 1.0f);
    const SoilTint packed = {.root = {0.2f, 0.4f, 1.0f}, .relief = 0.6f};
    assert_int_equal(soil_look_pack_tint(&packed), 0x99ff6633U);
}

/// The bare site, seen along y, with a pit whose far wall is looked at; soils in colours that are told apart.
static Stage *pit(int *below)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    stage->view.orbit_yaw = 1.5708;
    stage->view.orbit_pitch = 0.55;
    stage->view.orbit_distance = 12.0;
    stage->scene.machine.x = 0.0;
    stage->view.body[MACHINE_BASE].position = vec3(0.0, 0.0, 0.0);
    stage_dig(stage, -3.0, 3.0, -2.0, 2.0, 1.2, stage->scene.ground.layers[1].soil_index);
    *below = stage->scene.ground.layers[1].soil_index;
    int top = stage->scene.ground.layers[0].soil_index;
    const float red[3] = {0.6f, 0.05f, 0.05f}, blue[3] = {0.05f, 0.05f, 0.6f};
    memcpy(stage->scene.soils[top].color_fresh, red, sizeof red);
    memcpy(stage->scene.soils[*below].color_fresh, blue, sizeof blue);
    stage_show_layers(stage);
    return stage;
}

static void color_at(Studio *studio, const Stage *stage, double x, double y, double z, double color[3])
{
    Camera camera;
    const double place[3] = {x, y, z};
    double pixel[2];
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    assert_true(camera_project(&camera, place, WIDTH, HEIGHT, pixel));
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
}

/// A face shows the topsoil down to its depth and the soil below it from there on; without layers it does not.
TEST_WITH(a_wall_shows_its_layers, Studio *studio)
{
    int below;
    Stage *stage = pit(&below);
    double shallow[3], deep[3], far_wall = 0.0;
    shoot(studio, &stage->view, "render-pit.png");
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    far_wall = camera.eye[1] > 0.0f ? -2.0 : 2.0;
    for (double x = -1.0; x <= 2.5; x += 0.5) {
        color_at(studio, stage, x, far_wall, -0.09, shallow);
        color_at(studio, stage, x, far_wall, -0.55, deep);
        assert_true(shallow[0] > shallow[2] + 10.0);
        assert_true(deep[2] > deep[0] + 10.0);
    }
    free(stage);
}

/// Along the border between two soils of one level site, a straight line in the grid, the first pixel of the other soil
/// goes to and fro.
TEST_WITH(borders_of_soils_are_ragged, Studio *studio)
{
    int below;
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    stage->view.orbit_yaw = 0.0;
    stage->view.orbit_pitch = 1.2;
    stage->view.orbit_distance = 7.0;
    below = stage->scene.ground.layers[1].soil_index;
    const float red[3] = {0.6f, 0.05f, 0.05f}, blue[3] = {0.05f, 0.05f, 0.6f};
    memcpy(stage->scene.soils[stage->scene.ground.layers[0].soil_index].color_fresh, red, sizeof red);
    memcpy(stage->scene.soils[below].color_fresh, blue, sizeof blue);
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        bool other = stage_x(at % STAGE_SIDE) > stage->scene.machine.x;
        stage->soil[at] = other ? (uint8_t)below : stage->soil[at];
        stage->loose[at] = 255;
        stage->height[at] = 0.0f;
    }
    shoot(studio, &stage->view, "render-border.png");
    int turns = 0, last = 0, way = 0, least = HEIGHT, most = 0, rows = 0;
    for (int x = 120; x < WIDTH - 120; x++) {
        int y = 0;
        int first = studio->rgb[3 * ((size_t)(HEIGHT - 40) * WIDTH + (size_t)x)] >
                    studio->rgb[3 * ((size_t)(HEIGHT - 40) * WIDTH + (size_t)x) + 2];
        for (y = HEIGHT - 40; y > 0; y--) {
            const unsigned char *p = &studio->rgb[3 * ((size_t)y * WIDTH + (size_t)x)];
            if ((p[0] > p[2]) != first) {
                break;
            }
        }
        int step = x > 120 ? (y > last) - (y < last) : 0;
        turns += step != 0 && way != 0 && step != way;
        way = step != 0 ? step : way;
        last = y;
        least = y < least ? y : least;
        most = y > most ? y : most;
        rows++;
    }
    print_message("border over %d pixels: %d turns, between rows %d and %d\n", rows, turns, least, most);
    assert_true(turns > 15 && most - least >= 4 && most - least < HEIGHT / 3);
    free(stage);
}

/// A belt's print is seen as bars across its way, as often as the belt has them; beside it nothing changes.
TEST_WITH(prints_are_bars_where_the_belt_ran, Studio *studio)
{
    static uint32_t marks[STAGE_SIDE * STAGE_SIDE];
    static unsigned char plain[3 * WIDTH * HEIGHT];
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    stage->view.orbit_yaw = 0.0;
    stage->view.orbit_pitch = 1.2;
    stage->view.orbit_distance = 6.0;
    RenderGrid *grid = &stage->view.grids[0];
    shoot(studio, &stage->view, "render-unmarked.png");
    memcpy(plain, studio->rgb, sizeof plain);
    memset(marks, 0, sizeof marks);
    grid->marks = marks;
    grid->bar_pitch = 0.19;
    grid->bar_width = 0.6;
    grid->tooth_pitch = 0.25;
    draw(studio, &stage->view);
    assert_memory_equal(studio->rgb, plain, sizeof plain);
    const double middle = stage->scene.machine.y;
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        double left = stage_x(at / STAGE_SIDE) - middle;
        marks[at] = fabs(left) < 0.35 ? render_mark(RENDER_TRACE_BELT, RENDER_TRACE_FULL, 0.0,
                                                    stage_x(at % STAGE_SIDE) / 0.19, left / 0.6)
                                      : 0;
    }
    shoot(studio, &stage->view, "render-prints.png");
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    int bars = 0, changed = 0, seen = 0;
    bool dark = false;
    for (double x = stage->scene.machine.x - 1.0; x < stage->scene.machine.x + 0.9; x += 0.01) {
        double pixel[2], far_pixel[2];
        assert_true(camera_project(&camera, (const double[]){x, middle, 0.0}, WIDTH, HEIGHT, pixel));
        assert_true(camera_project(&camera, (const double[]){x, middle + 0.6, 0.0}, WIDTH, HEIGHT, far_pixel));
        if (fmin(pixel[1], far_pixel[1]) < 1.0 || fmax(pixel[1], far_pixel[1]) > HEIGHT - 1.0) {
            continue; // out of the picture
        }
        seen++;
        size_t at = 3 * ((size_t)pixel[1] * WIDTH + (size_t)pixel[0]) + 1;
        size_t beside = 3 * ((size_t)far_pixel[1] * WIDTH + (size_t)far_pixel[0]) + 1;
        double share = (double)studio->rgb[at] / (double)plain[at];
        changed += abs(studio->rgb[beside] - plain[beside]) > 2;
        bars += share < 0.74 && !dark;
        dark = share < 0.74 || (dark && share < 0.80);
    }
    print_message("%d bars over %.2f m, %d pixels changed beside them\n", bars, 0.01 * seen, changed);
    assert_true(seen > 100 && fabs(bars - 0.01 * seen / 0.19) < 1.01);
    assert_int_equal(changed, 0);
    free(stage);
}

/// Light that the picture loses or gains by marks, over all of its pixels.
static double darkened(Studio *studio, Stage *stage, uint32_t *marks, const char *path)
{
    static unsigned char plain[3 * WIDTH * HEIGHT];
    stage->view.grids[0].marks = NULL;
    stage->view.grids[0].all_dirty = true;
    draw(studio, &stage->view);
    memcpy(plain, studio->rgb, sizeof plain);
    stage->view.grids[0].marks = marks;
    shoot(studio, &stage->view, path);
    double lost = 0.0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) {
        lost += fabs((double)plain[k] - (double)studio->rgb[k]);
    }
    return lost;
}

/// Rain flattens prints, and a faded mark is less seen than a fresh one.
TEST_WITH(rain_and_time_soften_prints, Studio *studio)
{
    static uint32_t marks[STAGE_SIDE * STAGE_SIDE];
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    stage->view.orbit_pitch = 1.2;
    stage->view.orbit_distance = 6.0;
    RenderGrid *grid = &stage->view.grids[0];
    grid->bar_pitch = 0.19;
    grid->bar_width = 0.6;
    grid->tooth_pitch = 0.25;
    grid->blade_width = 2.0;
    double lost[3];
    for (int k = 0; k < 3; k++) {
        for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
            double left = stage_x(at / STAGE_SIDE) - stage->scene.machine.y;
            uint32_t mark =
                render_mark(RENDER_TRACE_BELT, RENDER_TRACE_FULL, 0.0, stage_x(at % STAGE_SIDE) / 0.19, left / 0.6);
            marks[at] =
                fabs(left) < 0.35 ? render_mark_faded(mark, k == 1 ? RENDER_TRACE_FULL / 3 : RENDER_TRACE_FULL) : 0;
        }
        stage->scene.weather.rain = k == 2 ? 0.05 / 3600.0 : 0.0;
        lost[k] = darkened(studio, stage, marks, k == 2 ? "render-prints-rain.png" : "render-prints-dry.png");
    }
    print_message("fresh %.0f, faded %.0f, in rain %.0f\n", lost[0], lost[1], lost[2]);
    assert_true(lost[1] < 0.6 * lost[0] && lost[1] > 0.1 * lost[0]);
    assert_true(lost[2] < 0.7 * lost[0]);
    free(stage);
}

/// A blade leaves a line along each of its ends, and between them less relief than there was.
TEST_WITH(a_blade_leaves_lines_at_its_ends, Studio *studio)
{
    static uint32_t marks[STAGE_SIDE * STAGE_SIDE];
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    stage->view.orbit_pitch = 1.2;
    stage->view.orbit_distance = 6.0;
    RenderGrid *grid = &stage->view.grids[0];
    grid->bar_pitch = 0.19;
    grid->bar_width = 0.6;
    grid->tooth_pitch = 0.6;
    grid->blade_width = 1.2;
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        double left = stage_x(at / STAGE_SIDE) - stage->scene.machine.y;
        marks[at] =
            fabs(left) < 0.65 ? render_mark(RENDER_TRACE_BLADE, RENDER_TRACE_FULL, 0.0, left / 0.6, left / 1.2) : 0;
    }
    grid->marks = marks;
    shoot(studio, &stage->view, "render-blade.png");
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    double light[3] = {0.0, 0.0, 0.0}; // on both lines, in the middle
    int looked = 0;
    for (double x = -1.0; x < 1.0; x += 0.01) {
        for (int k = 0; k < 3; k++) {
            double pixel[2], y = stage->scene.machine.y + (k == 0 ? 0.56 : k == 1 ? -0.56 : 0.0);
            assert_true(
                camera_project(&camera, (const double[]){stage->scene.machine.x + x, y, 0.0}, WIDTH, HEIGHT, pixel));
            bool seen = pixel[0] > 0.0 && pixel[0] < WIDTH && pixel[1] > 0.0 && pixel[1] < HEIGHT;
            if (!seen) {
                continue;
            }
            light[k] += studio->rgb[3 * ((size_t)pixel[1] * WIDTH + (size_t)pixel[0]) + 1];
            looked += k == 0;
        }
    }
    assert_true(looked > 30);
    print_message("lines %.0f, %.0f of %.0f\n", light[0], light[1], light[2]);
    assert_true(light[0] < 0.9 * light[2] && light[1] < 0.9 * light[2]);
    free(stage);
}

TEST_GROUP(open_studio, close_studio)
