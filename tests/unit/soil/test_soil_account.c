/// The account of the site's columns: what each cause took and put down, to the quantum; the soil never reads it.
#include "tests/support/soil_fixture.h"

enum { CAUSE_COUNT = SOIL_CAUSES };

static SoilAccountEntry add(SoilAccountEntry a, SoilAccountEntry b)
{
    return (SoilAccountEntry){a.intact + b.intact, a.loose + b.loose, a.given + b.given, a.restored + b.restored};
}

/// Sum of a cause over all columns.
static SoilAccountEntry sum_of(const Soil *soil, SoilCause cause)
{
    SoilGridView grid = soil_get_grid(soil);
    const SoilAccountEntry *account = soil_get_account(soil, cause);
    SoilAccountEntry sum = {0};
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        sum = add(sum, account[k]);
    }
    return sum;
}

static int64_t balance(SoilAccountEntry entry)
{
    return entry.given + entry.restored - entry.intact - entry.loose;
}

/// Pushes a blade through the ground for a second, takes it away and lets everything settle.
static void push_and_settle(Soil *soil, const ToolShape *shape)
{
    double dt = 1.0 / 60.0, speed = 0.8;
    for (int tick = 0; tick < 60; tick++) {
        Wrench wrench;
        SoilTool blade = box_tool(shape, vec3(-1.0 + speed * tick * dt, 0.0, -0.25));
        blade.motion.velocity = vec3(speed, 0.0, 0.0);
        blade.cuts = true;
        soil_begin_tick(soil, &blade, 1, dt);
        for (int k = 1; k <= 8; k++) {
            blade.motion.frame.position.x += speed * dt / 8;
            blade.motion.center.x += speed * dt / 8;
            soil_substep(soil, &blade, 1, dt / 8, &wrench);
        }
        soil_end_tick(soil, &blade, 1);
    }
    run_ticks(soil, NULL, 0, 180);
}

TEST(every_quantum_is_booked)
{
    SceneParams scene = loam_scene();
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 2);
    assert_null(soil_get_account(soil, SOIL_CAUSE_EDGE));
    int64_t before = soil_get_ledger(soil).ground;
    assert_true(soil_keep_account(soil));
    push_and_settle(soil, &shape);
    SoilGridView grid = soil_get_grid(soil);
    int64_t booked = 0;
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        booked += balance(sum_of(soil, (SoilCause)cause));
    }
    assert_true(booked == soil_get_ledger(soil).ground - before);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        SoilAccountEntry all = {0};
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            all = add(all, soil_get_account(soil, (SoilCause)cause)[k]);
        }
        bool touched = all.intact + all.loose + all.given + all.restored > 0;
        assert_true(touched || fabs((double)grid.height[k]) < 1e-5); // a quantum is 6.5e-6 m
    }
    assert_true(sum_of(soil, SOIL_CAUSE_EDGE).intact > 0 && sum_of(soil, SOIL_CAUSE_WEDGE).intact > 0);
    assert_true(sum_of(soil, SOIL_CAUSE_ABSORPTION).given > 0 && sum_of(soil, SOIL_CAUSE_ABSORPTION).intact == 0);
    assert_true(balance(sum_of(soil, SOIL_CAUSE_SLIDE)) == 0 && sum_of(soil, SOIL_CAUSE_SLIDE).loose > 0);
    assert_true(balance(sum_of(soil, SOIL_CAUSE_BEARING)) == 0);
    soil_destroy(soil);
}

TEST(an_account_changes_nothing)
{
    SceneParams scene = loam_scene();
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    Soil *plain = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *kept = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_keep_account(kept));
    push_and_settle(plain, &shape);
    push_and_settle(kept, &shape);
    assert_true(hash_soil(plain) == hash_soil(kept));
    soil_destroy(plain);
    soil_destroy(kept);
}

/// A face higher than Culmann's height falls; what was dug from outside is booked as such.
TEST(a_face_that_falls_is_booked_as_one)
{
    SceneParams scene = sand_scene();
    scene.soils[0].cohesion = 1.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_keep_account(soil));
    double removed = 0.0;
    for (int row = 0; row < 80; row++) {
        for (int column = 0; column < 20; column++) {
            removed += soil_remove_ground(soil, -3.95 + 0.1 * column, -3.95 + 0.1 * row, -1.0);
        }
    }
    run_ticks(soil, NULL, 0, 60);
    SoilAccountEntry lab = sum_of(soil, SOIL_CAUSE_LAB), face = sum_of(soil, SOIL_CAUSE_FACE);
    assert_near((double)lab.intact * SOIL_QUANTUM, removed, 1e-3);
    assert_true(face.intact > 0 && sum_of(soil, SOIL_CAUSE_WEDGE).intact == 0);
    assert_true(soil_keep_account(soil));
    assert_true(sum_of(soil, SOIL_CAUSE_FACE).intact == 0 && sum_of(soil, SOIL_CAUSE_LAB).intact == 0);
    soil_destroy(soil);
}

/// A box with side plates and an edge is pressed into the ground. What fails there lies between its plates: their faces
/// in the middle of a column do not push down the part of it that is beyond them.
TEST(a_tool_with_side_plates_pushes_nothing_down_beside_them)
{
    SceneParams scene = loam_scene();
    ToolShape shape = box_shape(0.5, 1.1, 0.6);
    shape.edge[0] = 0.35;
    shape.edge_width = 1.3;
    const double y = 0.0433, speed = 0.5, dt = 1.0 / 60.0; // plates end 43 mm off the middles of columns
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_keep_account(soil));
    for (int tick = 0; tick < 36; tick++) {
        Wrench wrench;
        SoilTool box = box_tool(&shape, vec3(0.0, y, 0.1 - speed * tick * dt));
        box.motion.velocity = vec3(0.0, 0.0, -speed);
        box.cuts = true;
        soil_begin_tick(soil, &box, 1, dt);
        for (int k = 1; k <= 8; k++) {
            box.motion.frame.position.z -= speed * dt / 8;
            box.motion.center.z -= speed * dt / 8;
            soil_substep(soil, &box, 1, dt / 8, &wrench);
        }
        soil_end_tick(soil, &box, 1);
    }
    SoilGridView grid = soil_get_grid(soil);
    const SoilAccountEntry *failed = soil_get_account(soil, SOIL_CAUSE_BEARING);
    int64_t between = 0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double aside = fabs(grid.origin_y + k / grid.columns * grid.spacing - y) - 0.65;
        between += aside < 0.0 ? failed[k].intact : 0;
        assert_true(aside < 0.0 || failed[k].intact == 0);
    }
    assert_true(between > 0);
    soil_destroy(soil);
}

/// An edge that rises, all but upright, in ground that is undisturbed cuts the columns that it stands in, and none
/// ahead; nor does it free any: what is lifted off breaks upright.
TEST(an_edge_that_only_rises_cuts_where_it_is)
{
    SceneParams scene = loam_scene();
    ToolShape shape = box_shape(0.5, 1.1, 0.6);
    shape.edge[0] = 0.45; // before its plate, which has no room for grains
    shape.edge_width = 1.3;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_keep_account(soil));
    SoilTool box = box_tool(&shape, vec3(0.0, 0.0, -0.4));
    box.motion.velocity = vec3(0.01, 0.0, 0.1);
    box.cuts = true;
    run_ticks(soil, &box, 1, 4);
    SoilGridView grid = soil_get_grid(soil);
    const SoilAccountEntry *edge = soil_get_account(soil, SOIL_CAUSE_EDGE);
    const SoilAccountEntry *wedge = soil_get_account(soil, SOIL_CAUSE_WEDGE);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing;
        assert_true(fabs(x - shape.edge[0]) < 0.11 || (edge[k].intact == 0 && wedge[k].intact == 0));
    }
    assert_true(sum_of(soil, SOIL_CAUSE_EDGE).intact > 0);
    soil_destroy(soil);
}

/// An edge with the whole tool ahead of it, as of a bucket that leaves an upright wall, cuts the columns that it
/// passes, and none behind.
TEST(an_edge_without_a_belly_frees_nothing_behind)
{
    SceneParams scene = loam_scene();
    ToolShape shape = box_shape(0.5, 1.1, 0.6);
    shape.pieces[0] = shape.pieces[--shape.piece_count]; // no floor: the edge ends an upright plate
    shape.edge[0] = -0.35;
    shape.edge_width = 1.3;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_keep_account(soil));
    SoilTool box = box_tool(&shape, vec3(0.0, 0.0, -0.5));
    box.motion.velocity = vec3(0.5, 0.0, 0.0);
    box.cuts = true;
    run_ticks(soil, &box, 1, 1);
    SoilGridView grid = soil_get_grid(soil);
    const SoilAccountEntry *edge = soil_get_account(soil, SOIL_CAUSE_EDGE);
    const SoilAccountEntry *wedge = soil_get_account(soil, SOIL_CAUSE_WEDGE);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing;
        assert_true(x > shape.edge[0] - 0.16 || (edge[k].intact == 0 && wedge[k].intact == 0));
    }
    assert_true(sum_of(soil, SOIL_CAUSE_EDGE).intact != 0 && sum_of(soil, SOIL_CAUSE_WEDGE).intact != 0);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
