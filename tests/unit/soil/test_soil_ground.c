/// Layered ground, tool geometry, digging: integer mass, angle of repose, exact restore.
// test: long
#include "tests/support/soil_fixture.h"

#include "data/core/random.h"
#include "data/core/tool_geometry.h"
#include "data/schema/load.h"
#include "soil/ground/ground.h"
#include "soil/soil_parts.h"

static Ground *make_ground(const SceneParams *scene)
{
    Ground *ground = ground_create(scene, &scene->ground, 7, 80, 80, -scene->ground.bedrock_depth);
    assert_non_null(ground);
    return ground;
}

TEST(cutting_and_putting_keep_every_quantum)
{
    SceneParams scene = loam_scene();
    scene.ground.roughness = 0.05;
    Ground *ground = make_ground(&scene);
    int64_t total = ground_total(ground), held = 0;
    for (int k = 0; k < 2000; k++) {
        int row = (k * 37) % 80, column = (k * 61) % 80, soil;
        double loose;
        held += ground_cut(ground, row, column, -0.3 - 0.001 * (k % 300), &soil, &loose);
        assert_true(ground_total(ground) + held == total);
        ground_spread(ground, -3.0 + 0.003 * k, 2.0 - 0.002 * k, 0.09, 0, held / 2);
        held -= held / 2;
        assert_true(ground_total(ground) + held == total);
    }
    ground_destroy(ground);
}

TEST(bank_soil_swells_when_put_back)
{
    SceneParams scene = loam_scene();
    Ground *ground = make_ground(&scene);
    int soil;
    double loose;
    int64_t mass = ground_cut(ground, 40, 40, -1.0, &soil, &loose);
    assert_near((double)mass * SOIL_QUANTUM, 1540.0 * 0.01 * 1.0, 1e-3);
    assert_near(loose, 0.0, 0.0);
    ground_put(ground, 40, 40, soil, mass, false);
    assert_near((double)ground->height[40 * 80 + 40], 0.25, 1e-5);
    ground_cut(ground, 40, 40, -1.0, &soil, &loose);
    assert_near(loose, 1.0, 0.0);
    ground_destroy(ground);
}

TEST(loose_soil_slides_to_its_angle)
{
    SceneParams scene = loam_scene();
    Ground *ground = make_ground(&scene);
    int64_t total = ground_total(ground);
    ground_put(ground, 40, 40, 0, 8000000, false); // 800 kg in one column
    total += 8000000;
    for (int tick = 0; tick < 3000; tick++) {
        ground_slide(ground, 0, 1);
    }
    assert_true(ground_total(ground) == total);
    double steepest = 0.0, top = -1.0;
    for (int row = 1; row < 79; row++) {
        for (int column = 1; column < 79; column++) {
            const float *h = &ground->height[row * 80 + column];
            steepest = fmax(steepest, fmax(fabs((double)(h[1] - h[0])), fabs((double)(h[80] - h[0]))) / 0.1);
            top = fmax(top, (double)h[0]);
        }
    }
    assert_near(steepest, tan(radians(35.0)), 0.03 * tan(radians(35.0)));
    // The cone of this volume at the angle of repose is 0.67 m high.
    double volume = 800.0 / (1540.0 / 1.25), expected = cbrt(3.0 * volume * pow(tan(radians(35.0)), 2.0) / M_PI);
    assert_near(top, expected, 0.12 * expected);
    for (int tick = 0; tick < 5; tick++) {
        ground_slide(ground, 0, 1);
    }
    assert_true(ground->active_columns == 0); // and rests
    ground_destroy(ground);
}

/// Angle (radians) at which a heap falls from its top along a direction, between 0.15 and 0.85 of its height: the line
/// through the least squares.
static double heap_angle(const Ground *ground, double direction)
{
    double top = ground_height(ground, 0.05, 0.05), n = 0.0, x = 0.0, z = 0.0, xx = 0.0, xz = 0.0;
    for (double r = 0.0; r < 3.0; r += 0.01) {
        double height = ground_height(ground, 0.05 + r * cos(direction), 0.05 + r * sin(direction));
        if (height > 0.15 * top && height < 0.85 * top) {
            n += 1.0;
            x += r;
            z += height;
            xx += r * r;
            xz += r * height;
        }
    }
    return atan((x * z - n * xz) / (n * xx - x * x));
}

/// A heap is a cone: it has its angle of repose whichever way it falls, along the columns or between.
TEST(a_heap_has_its_angle_in_sixteen_directions)
{
    const double angles[] = {25.0, 33.5, 38.0};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = sand_scene();
        scene.soils[0].repose_angle = radians(angles[k]);
        Ground *ground = make_ground(&scene);
        int middle = ground->rows / 2;
        for (int n = 0; n < 121; n++) {
            ground_put(ground, middle - 5 + n / 11, middle - 5 + n % 11, 0, 150000, false); // 15 kg
        }
        for (int n = 0; n < 5000; n++) {
            ground_slide(ground, 0, 1);
        }
        assert_true(ground->active_columns == 0);
        for (int n = 0; n < 16; n++) {
            assert_near(heap_angle(ground, n * M_PI / 8.0), radians(angles[k]), radians(1.0));
        }
        ground_destroy(ground);
    }
}

/// Beyond the edge of a site its surface goes on level: what has fallen off a slope at the edge lies there.
/// Intact soil is put on the highest intact layer, and lifts what is loose above it.
TEST(intact_soil_is_put_below_loose_soil)
{
    SceneParams scene = loam_scene();
    Ground *ground = make_ground(&scene);
    double firm = ground_firm_top(ground, 40, 40), bank = scene.soils[0].bank_density * ground->area / SOIL_QUANTUM;
    assert_near(firm, (double)ground->height[ground_index(ground, 40, 40)], 1e-6);
    ground_put(ground, 40, 40, 0, 50000, false);
    double height = (double)ground->height[ground_index(ground, 40, 40)];
    assert_near(ground_firm_top(ground, 40, 40), firm, 1e-6);
    ground_put(ground, 40, 40, 0, 30000, true);
    assert_near(ground_firm_top(ground, 40, 40), firm + 30000 / bank, 1e-6);
    assert_near((double)ground->height[ground_index(ground, 40, 40)], height + 30000 / bank, 1e-6);
    assert_true(ground_top_is_loose(ground, 40, 40));
    ground_destroy(ground);
}

/// Whatever is dug or heaped at the edge, the ground beyond lies as it began, rough or level, from a column away on.
TEST(the_surface_beyond_the_edge_lies_as_it_began)
{
    SceneParams scene = loam_scene();
    scene.ground.roughness = 0.1;
    Ground *ground = make_ground(&scene);
    const double edge = 3.95;
    double before[40], along = 0.0, rough = 0.0;
    for (int k = 0; k < 40; k++) {
        double x = k < 20 ? 4.06 + 0.5 * k : -3.95 + 0.2 * k, y = k < 20 ? -3.9 + 0.2 * k : -4.06 - 0.3 * k;
        before[k] = ground_height(ground, x, y);
        double nearest = ground_height(ground, fmin(x, edge), fmax(y, -edge));
        assert_near(before[k], nearest, 1e-6);
        along += before[k];
        rough = fmax(rough, fabs(before[k] - before[0]));
    }
    assert_true(rough > 0.02 && along != 0.0);
    int soil;
    double loose;
    for (int k = 0; k < 80 * 80; k++) {
        if (k % 3 == 0) {
            ground_put(ground, k / 80, k % 80, 0, (int64_t)(5.0 / SOIL_QUANTUM), false);
        } else {
            ground_cut(ground, k / 80, k % 80, -0.8, &soil, &loose);
        }
    }
    for (int k = 0; k < 40; k++) {
        double x = k < 20 ? 4.06 + 0.5 * k : -3.95 + 0.2 * k, y = k < 20 ? -3.9 + 0.2 * k : -4.06 - 0.3 * k;
        Vec3 normal;
        assert_near(ground_surface(ground, x, y, &normal), before[k], 1e-6);
        assert_near(k < 20 ? normal.x : normal.y, 0.0, 1e-6); // level outwards
    }
    ground_destroy(ground);
}

/// From the middles of the outermost columns the surface rises or falls within a column's width to what lies beyond,
/// and ground_is_far knows it.
TEST(the_edge_is_a_ramp_of_one_column)
{
    SceneParams scene = loam_scene();
    Ground *ground = make_ground(&scene);
    ground_put(ground, 40, 79, 0, (int64_t)(10.0 / SOIL_QUANTUM), false);
    Vec3 normal;
    double top = ground_height(ground, 3.95, 0.05);
    assert_true(top > 0.5);
    assert_near(ground_surface(ground, 4.0, 0.05, &normal), 0.5 * top, 1e-6);
    assert_near(normal.x / normal.z, top / 0.1, 1e-6);
    assert_near(ground_height(ground, 4.05, 0.05), 0.0, 1e-6);
    assert_false(ground_is_far(ground, 4.0, 0.05, 0.6 * top, 0.1));
    assert_true(ground_is_far(ground, 4.2, 0.05, 0.6 * top, 0.1));
    assert_near(ground_height_of_column(ground, 4.01, 0.05), 0.0, 1e-6);
    assert_near(ground_height_of_column(ground, 3.99, 0.05), top, 1e-6);
    ground_destroy(ground);
}

TEST(intact_ground_stands)
{
    SceneParams scene = loam_scene();
    Ground *ground = make_ground(&scene);
    int soil;
    double loose;
    for (int row = 30; row < 40; row++) {
        for (int column = 30; column < 40; column++) {
            ground_cut(ground, row, column, -1.0, &soil, &loose);
        }
    }
    for (int tick = 0; tick < 100; tick++) {
        ground_slide(ground, 0, 1);
    }
    assert_near((double)ground->height[35 * 80 + 40], 0.0, 1e-5);
    assert_near((double)ground->height[35 * 80 + 39], -1.0, 1e-3);
    ground_destroy(ground);
}

/// Columns that rest are left out until something near them changes: as if all were looked at in every tick.
TEST(slides_as_if_every_column_were_looked_at)
{
    SceneParams scene = loam_scene();
    scene.ground.roughness = 0.05;
    Ground *ground = make_ground(&scene), *all = make_ground(&scene), *both[2] = {ground, all};
    int left_out = 0;
    for (uint64_t tick = 0; tick < 300; tick++) {
        for (int k = 0; k < 2; k++) {
            double x = 3.0 * random_unit(1, 1, tick) - 1.5, y = 3.0 * random_unit(1, 2, tick) - 1.5, loose;
            int row, column, soil;
            ground_spread(both[k], x, y, 0.3, 0, (int64_t)(4e6 * random_unit(1, 3, tick)));
            ground_column_at(both[k], y, x, &row, &column);
            ground_cut(both[k], row, column, -random_unit(1, 4, tick), &soil, &loose);
            both[k]->cover_count = tick % 50 < 25; // a tool rests there for a while
            both[k]->covers[0] = (GroundCover){{1, 0}, {0, 1}, {-0.6, -0.6}, {0.6, 0.6}};
            ground_slide(both[k], 0, 1);
        }
        for (int index = 0; index < all->tile_rows * all->tile_columns; index++) {
            for (int row = 0; all->tiles[index] != NULL && row < GROUND_TILE; row++) {
                left_out += ground->tiles[index]->unsettled[row] == 0;
                all->tiles[index]->unsettled[row] = UINT32_MAX;
            }
        }
        assert_memory_equal(ground->height, all->height,
                            (size_t)ground->rows * (size_t)ground->columns * sizeof(float));
        assert_int_equal(ground->active_columns, all->active_columns);
    }
    assert_true(left_out > 10000);
    assert_true(ground_total(ground) == ground_total(all));
    ground_destroy(ground);
    ground_destroy(all);
}

/// Tiles with memory, and those with a mark, are all that the ground lists.
static void check_lists(const Ground *ground)
{
    int live = 0, marked = 0;
    for (int index = 0; index < ground->tile_rows * ground->tile_columns; index++) {
        if (ground->tiles[index] != NULL) {
            assert_true(live < ground->live_count && ground->live[live] == index);
            live++;
        }
        marked += ground->marks[index].end_row > 0;
    }
    assert_int_equal(live, ground->live_count);
    assert_int_equal(marked, ground->marked_count);
}

/// What slides, totals and marks visit follows from what is touched, not from the size of the site.
TEST(a_larger_site_has_no_more_to_visit)
{
    enum { SITES = 3, HALF = 40 };
    SceneParams scene = loam_scene();
    int live[SITES], marked[SITES], active[SITES];
    for (int n = 0; n < SITES; n++) {
        int half = HALF << n, soil; // the middle of each site lies alike in its tiles
        double loose;
        Ground *ground = ground_create(&scene, &scene.ground, 7, 2 * half, 2 * half, -scene.ground.bedrock_depth);
        assert_non_null(ground);
        check_lists(ground);
        for (int k = 0; k < 30; k++) { // from the last tile to the first
            int64_t mass = ground_cut(ground, half / 32 * 32 + 37 - k, half / 32 * 32 + 4, -0.5, &soil, &loose);
            ground_put(ground, half / 32 * 32 + 3, half / 32 * 32 + 37 - k, 0, mass, false);
            ground_slide(ground, k, 1);
            check_lists(ground);
        }
        live[n] = ground->live_count;
        marked[n] = ground->marked_count;
        active[n] = ground->active_columns;
        ground_clear_marks(ground);
        check_lists(ground);
        assert_int_equal(ground->marked_count, 0);
        ground_destroy(ground);
        assert_true(live[n] == live[0] && marked[n] == marked[0] && active[n] == active[0]);
    }
    assert_true(live[0] > 1 && marked[0] > 1 && active[0] > 0);
}

TEST(distances_to_a_prism)
{
    ToolPiece box = {.corner_count = 4, .corners = {{0, 0}, {2, 0}, {2, 1}, {0, 1}}, .y_min = -0.5, .y_max = 0.5};
    const struct {
        Vec3 at;
        double distance;
        Vec3 normal;
    } cases[] = {{{1, 0, 1.5}, 0.5, {0, 0, 1}},   {{-3, 0, 0.5}, 3.0, {-1, 0, 0}},
                 {{1, 1.5, 0.5}, 1.0, {0, 1, 0}}, {{5, 0, 5}, 5.0, {0.6, 0, 0.8}},
                 {{1, 0, 0.9}, -0.1, {0, 0, 1}},  {{1, -0.45, 0.5}, -0.05, {0, -1, 0}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint8_t face = 255;
        Vec3 normal;
        assert_near(tool_piece_distance(&box, cases[k].at, &face, &normal), cases[k].distance, 1e-12);
        assert_near(vec3_dot(normal, cases[k].normal), 1.0, 1e-12);
    }
    // A grain pressed beyond the middle of a plate goes back to the side it came from.
    uint8_t face = 255;
    Vec3 normal;
    tool_piece_distance(&box, vec3(1, 0, 1.01), &face, &normal);
    double distance = tool_piece_distance(&box, vec3(1, 0, 0.95), &face, &normal);
    assert_near(distance, -0.05, 1e-12);
    assert_near(normal.z, 1.0, 1e-12);
}

/// What leaves pieces out agrees with what looks at each: of two prisms, at places all around and in them.
TEST(near_and_inside_are_as_the_distance_says)
{
    ToolShape shape = {.piece_count = 2};
    shape.pieces[0] =
        (ToolPiece){.corner_count = 3, .corners = {{0, 0}, {1.5, -0.3}, {0.2, 1}}, .y_min = -0.5, .y_max = 0.5};
    shape.pieces[1] = (ToolPiece){
        .corner_count = 4, .corners = {{1, 0.5}, {2, 0.2}, {2.2, 0.9}, {1.1, 1.2}}, .y_min = 0.1, .y_max = 0.2};
    ToolShape finished = shape;
    tool_shape_finish(&finished);
    int held = 0, near = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        Vec3 at =
            vec3(4.0 * random_unit(1, 1, k) - 1.0, 2.0 * random_unit(1, 2, k) - 1.0, 3.0 * random_unit(1, 3, k) - 1.0);
        double least = HUGE_VAL, within = 0.8 * random_unit(1, 4, k) + 1e-3;
        for (int piece = 0; piece < shape.piece_count; piece++) {
            uint8_t face = TOOL_NO_FACE;
            Vec3 normal;
            double distance = tool_piece_distance(&shape.pieces[piece], at, &face, &normal);
            uint8_t same_face = TOOL_NO_FACE;
            Vec3 same;
            assert_true(tool_piece_distance(&finished.pieces[piece], at, &same_face, &same) == distance);
            assert_true(same_face == face && same.x == normal.x && same.y == normal.y && same.z == normal.z);
            assert_int_equal(tool_piece_holds(&shape.pieces[piece], at), distance < 0.0);
            held += distance < 0.0;
            least = fmin(least, distance);
        }
        assert_true(tool_distance(&shape, at) == least);
        assert_int_equal(tool_is_within(&shape, at, within), least < within);
        near += least < within;
    }
    assert_true(held > 500 && near > 5000 && near < 15000);
}

static SoilTool blade_at(const ToolShape *shape, double x, double depth, double speed)
{
    SoilTool tool = box_tool(shape, vec3(x, 0, -depth));
    tool.motion.velocity = vec3(speed, 0, 0);
    tool.cuts = true;
    return tool;
}

/// Pushes the blade 1.6 m; returns the mean force against it over the last 0.64 m. Checks the ledger at each tick.
static double push_blade(Soil *soil, double depth)
{
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    double dt = 1.0 / 60.0, speed = 0.5, x = -1.5, sum = 0.0;
    int64_t total = soil_get_ledger(soil).total;
    int ticks = (int)(1.6 / (speed * dt)), counted = 0;
    for (int tick = 0; tick < ticks; tick++) {
        SoilTool tool = blade_at(&shape, x, depth, speed);
        soil_begin_tick(soil, &tool, 1, dt);
        for (int k = 0; k < 8; k++) {
            Wrench wrench;
            x += speed * dt / 8;
            tool = blade_at(&shape, x, depth, speed);
            soil_substep(soil, &tool, 1, dt / 8, &wrench);
            if (tick > ticks * 6 / 10) {
                sum -= wrench.force.x;
                counted++;
            }
        }
        soil_end_tick(soil, &tool, 1);
        assert_true(soil_get_ledger(soil).total == total);
    }
    return sum / counted;
}

TEST(draft_rises_with_depth)
{
    double last = 0.0;
    const double depths[] = {0.15, 0.3, 0.45};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = loam_scene();
        Status status;
        assert_true(data_load_soil("loam", &scene.soils[0], NULL, &status)); // its contacts are fitted to its strength
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
        double draft = push_blade(soil, depths[k]);
        print_message("draft of a 1.2 m blade in loam at %.2f m: %.2f kN\n", depths[k], draft / 1e3);
        assert_true(draft > 1.3 * last);
        assert_true(soil_get_counters(soil).particles > 50);
        last = draft;
        soil_destroy(soil);
    }
    assert_true(last > 4e3 && last < 80e3); // McKyes and Ali with what is heaped up: 68 kN
}

/// Stirs the ground with a blade on a looping path, from tick `from` to `to`.
static void stir(Soil *soil, const ToolShape *shape, int from, int to)
{
    double dt = 1.0 / 60.0;
    for (int tick = from; tick < to; tick++) {
        for (int k = 0; k <= 8; k++) {
            double t = tick * dt + k * dt / 8;
            SoilTool tool = blade_at(shape, 1.0 * sin(1.1 * t), 0.25 + 0.2 * sin(2.3 * t), 1.1 * cos(1.1 * t));
            tool.motion.frame.position.y = tool.motion.center.y = 0.6 * sin(1.7 * t);
            tool.motion.velocity.y = 1.02 * cos(1.7 * t);
            tool.motion.velocity.z = -0.46 * cos(2.3 * t);
            Wrench wrench;
            if (k == 0) {
                soil_begin_tick(soil, &tool, 1, dt);
            } else {
                soil_substep(soil, &tool, 1, dt / 8, &wrench);
            }
            if (k == 8) {
                soil_end_tick(soil, &tool, 1);
            }
        }
    }
}

/// A fresh soil that takes over at any moment goes on exactly as the one it was copied from: nothing that matters is
/// outside the visited state.
TEST(a_restored_soil_continues_bit_for_bit)
{
    SceneParams scene = loam_scene();
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    for (int from = 0; from < 480; from += 120) {
        Soil *copy = copy_soil(soil, &scene, &copier);
        assert_true(hash_soil(soil) == hash_soil(copy));
        stir(soil, &shape, from, from + 120);
        stir(copy, &shape, from, from + 120);
        assert_true(hash_soil(soil) == hash_soil(copy));
        soil_destroy(copy);
    }
    free(copier.bytes);
    soil_destroy(soil);
}

/// A soil that goes back to a state in which less of the ground was touched has the surface and the mass of then, and
/// digs the same once more.
TEST(a_soil_goes_back_to_its_start)
{
    SceneParams scene = loam_scene();
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *fresh = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    const Ground *ground = soil->state.grounds.site, *first = fresh->state.grounds.site;
    size_t cells = (size_t)first->rows * (size_t)first->columns;
    uint64_t start = hash_soil(soil), dug = 0;
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    soil_visit(soil, &copier.visitor);
    copier.visitor.restoring = true;
    for (int k = 0; k < 3; k++) {
        stir(soil, &shape, 0, 120);
        assert_true(hash_soil(soil) != start && (k == 0 || hash_soil(soil) == dug));
        dug = hash_soil(soil);
        assert_memory_not_equal(ground->height, first->height, cells * sizeof *first->height);
        copier.at = 0;
        soil_visit(soil, &copier.visitor);
        assert_false(copier.visitor.failed);
        assert_true(hash_soil(soil) == start);
        assert_memory_equal(ground->height, first->height, cells * sizeof *first->height);
        assert_memory_equal(ground->top_soil, first->top_soil, cells);
        assert_memory_equal(ground->top_fresh, first->top_fresh, cells);
        assert_true(soil_get_ledger(soil).total == soil_get_ledger(fresh).total);
    }
    free(copier.bytes);
    soil_destroy(soil);
    soil_destroy(fresh);
}

/// Restored numbers that this program could not have written are refused.
TEST(impossible_states_are_refused)
{
    SceneParams scene = loam_scene();
    const double bad[] = {1e13, NAN, -HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *copy = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        soil_add_particle(soil, vec3(0, 0, 1), vec3(bad[k], 0, 0), 0.05, 0, 1.0);
        Copier copier = {.visitor = {.field = copy_field}, .size = 4u << 20};
        copier.bytes = malloc(copier.size);
        assert_non_null(copier.bytes);
        soil_visit(soil, &copier.visitor);
        copier.at = 0;
        copier.visitor.restoring = true;
        soil_visit(copy, &copier.visitor);
        assert_true(copier.visitor.failed);
        free(copier.bytes);
        soil_destroy(soil);
        soil_destroy(copy);
    }
}

/// A plate pressed flat into the ground feels no more when the ground closes over its top.
TEST(only_what_faces_down_bears)
{
    double force[2];
    for (int k = 0; k < 2; k++) {
        SceneParams scene = loam_scene();
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        ToolShape shape = plate_shape(0.08, 1.0, 1.2);
        shape.pieces[0] = (ToolPiece){.corner_count = 4,
                                      .corners = {{-0.15, 0}, {0.15, 0}, {0.15, 0.06}, {-0.15, 0.06}},
                                      .y_min = -0.6,
                                      .y_max = 0.6};
        SoilTool plate = box_tool(&shape, vec3(0, 0, k == 0 ? -0.055 : -0.065)); // top above, top below the surface
        plate.cuts = true;
        Wrench wrench;
        soil_begin_tick(soil, &plate, 1, 1.0 / 60.0);
        soil_substep(soil, &plate, 1, 1.0 / 480.0, &wrench);
        soil_end_tick(soil, &plate, 1);
        force[k] = wrench.force.z;
        soil_destroy(soil);
    }
    assert_true(force[0] > 50e3);
    assert_near(force[1], force[0], 0.05 * force[0]);
}

/// An edge below bedrock makes no particles there.
TEST(nothing_is_born_below_bedrock)
{
    SceneParams scene = loam_scene();
    scene.ground.bedrock_depth = 1.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool tool = blade_at(&shape, 0.0, 1.3, 0.5);
    soil_begin_tick(soil, &tool, 1, 1.0 / 60.0);
    SoilParticleView p = soil_get_particles(soil);
    assert_true(p.count > 0);
    for (int k = 0; k < p.count; k++) {
        assert_true(p.z[k] > -1.0);
    }
    soil_destroy(soil);
}

TEST(spoil_becomes_ground_again)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    push_blade(soil, 0.3);
    int64_t total = soil_get_ledger(soil).total;
    for (int tick = 0; tick < 700; tick++) {
        run_ticks(soil, NULL, 0, 1);
    }
    assert_int_equal(soil_get_counters(soil).particles, 0);
    assert_true(soil_get_ledger(soil).total == total);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
