/// Patches of other soils, mounds and layers in the columns of the ground; restores that cost what was touched.
#include "tests/support/soil_fixture.h"

#include "data/schema/scene_site.h"
#include "soil/soil_parts.h"

/// Loam over clay, with a rectangle of sand, a circle of gravel that lies on its corner and a buried lens.
static SceneParams patched_scene(void)
{
    SceneParams scene = loam_scene();
    scene.soil_count = 5;
    static const double density[] = {1540, 1750, 1600, 2000, 1400};
    for (int k = 1; k < 5; k++) {
        scene.soils[k] = scene.soils[0];
        scene.soils[k].bank_density = density[k];
    }
    scene.ground.layer_count = 2;
    scene.ground.layers[0] = (SceneLayer){.thickness = 0.5, .soil_index = 0};
    scene.ground.layers[1] = (SceneLayer){.soil_index = 1};
    scene.ground.patch_count = 3;
    scene.ground.patches[0] =
        (ScenePatch){.x = -1, .length = 3, .width = 1, .heading = radians(90), .thickness = 0.3, .soil_index = 2};
    scene.ground.patches[1] = (ScenePatch){.x = -1, .y = 1.5, .radius = 1, .thickness = 1.2, .soil_index = 3};
    scene.ground.patches[2] = (ScenePatch){.x = 2, .radius = 1, .top = 0.4, .thickness = 0.2, .soil_index = 4};
    return scene;
}

TEST(patches_replace_what_lay_there)
{
    SceneParams scene = patched_scene();
    expect_strata(&scene, 0.5, 0, 2, (int[]){0, 1}, (double[]){0.5, 1.5});
    expect_strata(&scene, -1, -1.4, 3, (int[]){2, 0, 1}, (double[]){0.3, 0.2, 1.5}); // heading 90: long in y
    expect_strata(&scene, -1.6, -1.4, 2, (int[]){0, 1}, (double[]){0.5, 1.5}); // 1 m wide
    expect_strata(&scene, -1, 1.4, 2, (int[]){3, 1}, (double[]){1.2, 0.8}); // the later patch holds
    expect_strata(&scene, 2, 0.5, 3, (int[]){0, 4, 1}, (double[]){0.4, 0.2, 1.4}); // across the border of two layers
    scene.ground.mound_count = 2; // two heaps of one soil are one heap
    scene.ground.mounds[0] = scene.ground.mounds[1] = (SceneMound){.x = 2, .y = 0.5, .height = 1.0, .soil_index = 2};
    expect_strata(&scene, 2, 0.5, 4, (int[]){2, 0, 4, 1}, (double[]){2.0, 0.4, 0.2, 1.4});
}

/// The surface stays level, the columns weigh what their soils weigh, and digging brings up the soil of each depth.
TEST(columns_hold_their_patches)
{
    SceneParams scene = patched_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    double mass = 0.0;
    SceneAngles angles;
    scene_find_angles(&scene.ground, &angles);
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        assert_near((double)ground->height[k], 0.0, 1e-5);
        double x = ground->origin_x + k % ground->columns * ground->spacing;
        double y = ground->origin_y + k / ground->columns * ground->spacing;
        SceneProfile profile;
        double tan_repose[SCENE_MAX_SOILS] = {0};
        scene_profile(&scene.ground, &angles, tan_repose, 2.0, x, y, &profile);
        for (int n = 0; n < profile.count; n++) {
            mass += profile.strata[n].thickness * scene.soils[profile.strata[n].soil].bank_density * 0.01;
        }
    }
    assert_near((double)soil_get_ledger(soil).ground * SOIL_QUANTUM, mass, 1.0);
    static const int expected[] = {0, 4, 1};
    int row, column;
    ground_column_at(ground, 2.05, 0.05, &row, &column);
    for (int k = 0; k < 3; k++) {
        int index;
        double loose, floor = k == 0 ? -0.4 : k == 1 ? -0.6 : -1.0;
        ground_cut(ground, row, column, floor, &index, &loose);
        assert_int_equal(index, expected[k]);
    }
    soil_destroy(soil);
}

/// What was changed after a keyframe is as it was again: surface, mass and top soil of every column.
TEST(a_restore_forgets_later_changes)
{
    SceneParams scene = patched_scene();
    scene.ground.size_x = scene.ground.size_y = 20;
    scene.ground.roughness = 0.05;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *fresh = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Copier copier = {.visitor = {.field = copy_field}, .size = 4u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    int index;
    double loose;
    ground_cut(soil->state.grounds.site, 20, 20, -1.0, &index, &loose); // before the keyframe, in one tile
    ground_put(soil->state.grounds.site, 21, 21, 2, 50000, false);
    ground_cut(fresh->state.grounds.site, 20, 20, -1.0, &index, &loose);
    ground_put(fresh->state.grounds.site, 21, 21, 2, 50000, false);
    soil_visit(soil, &copier.visitor);
    for (int k = 0; k < 200; k += 7) { // after it, all over the site
        ground_cut(soil->state.grounds.site, k, k, -1.5, &index, &loose);
        ground_put(soil->state.grounds.site, k, 199 - k, 3, 12345, false);
    }
    soil_clear_dirty(soil);
    copier.at = 0;
    copier.visitor.restoring = true;
    soil_visit(soil, &copier.visitor);
    assert_false(copier.visitor.failed);
    assert_true(hash_soil(soil) == hash_soil(fresh));
    assert_true(soil_get_ledger(soil).total == soil_get_ledger(fresh).total);
    SoilGridView a = soil_get_grid(soil), b = soil_get_grid(fresh);
    size_t cells = (size_t)a.rows * (size_t)a.columns;
    assert_memory_equal(a.height, b.height, cells * sizeof(float));
    assert_memory_equal(a.soil, b.soil, cells);
    assert_memory_equal(a.loose, b.loose, cells);
    assert_true(a.dirty_row_min == 0 && a.dirty_column_max == 199); // all that had changed is drawn anew
    free(copier.bytes);
    soil_destroy(soil);
    soil_destroy(fresh);
}

TEST_GROUP(NULL, NULL)
