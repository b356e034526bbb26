/// Grass stands where ground is grown over and nowhere else, and the drawn surface of a rock follows its hull; without
/// OpenGL.
#include "render/grass.h"
#include "render/models/rock_mesh.h"
#include "tests/support/test.h"

/// ---- grass ---------------------------------------------------------------------------------------------------------

enum { SIDE = 161 }; ///< columns of 0.1 m: 16 m a side

/// A meadow of soil 0; soil 1 is bare.
typedef struct Meadow {
    float height[SIDE * SIDE];
    uint8_t soil[SIDE * SIDE], loose[SIDE * SIDE];
    SceneParams scene;
    RenderGrid grid;
    GrassPatches patches;
} Meadow;

static Meadow *make_meadow(void)
{
    Meadow *meadow = calloc(1, sizeof *meadow);
    if (meadow == NULL) {
        abort();
    }
    meadow->scene.soil_count = 2;
    for (int k = 0; k < 2; k++) {
        SoilParams *soil = &meadow->scene.soils[k];
        for (int c = 0; c < 3; c++) {
            soil->color_fresh[c] = 0.3f;
            soil->color_weathered[c] = k == 0 && c == 1 ? 0.42f : 0.3f;
        }
    }
    meadow->grid = (RenderGrid){.rows = SIDE,
                                .columns = SIDE,
                                .spacing = 0.1,
                                .origin_x = -8.0,
                                .origin_y = -8.0,
                                .height = meadow->height,
                                .soil = meadow->soil,
                                .loose = meadow->loose};
    return meadow;
}

static void find_from(Meadow *meadow, float x, float y, float z)
{
    grass_find(&meadow->grid, &meadow->scene, (const float[3]){x, y, z}, NULL, &meadow->patches);
}

/// Whether the patch over a place (m) has blades.
static bool has_blades(const Meadow *meadow, double x, double y)
{
    for (int k = 0; k < meadow->patches.count[GRASS_BANDS - 1]; k++) {
        if (meadow->patches.patch[k] == grass_patch((int)floor(x + 8.0), (int)floor(y + 8.0))) {
            return true;
        }
    }
    return false;
}

TEST(grass_is_gone_where_the_ground_is_dug)
{
    Meadow *meadow = make_meadow();
    find_from(meadow, 0.0f, 0.0f, 1.7f);
    assert_true(has_blades(meadow, 3.5, 0.5) && has_blades(meadow, -7.5, -7.5));
    int all = meadow->patches.count[GRASS_BANDS - 1];
    for (int row = 80; row <= 90; row++) { // a trench of 1 m by 4 m
        for (int column = 100; column <= 140; column++) {
            meadow->loose[row * SIDE + column] = 199;
        }
    }
    find_from(meadow, 0.0f, 0.0f, 1.7f);
    assert_false(has_blades(meadow, 3.5, 0.5));
    assert_true(has_blades(meadow, 3.5, 1.5));
    assert_int_equal(meadow->patches.count[GRASS_BANDS - 1], all - 4);
    free(meadow);
}

TEST(bare_soil_has_no_grass)
{
    Meadow *meadow = make_meadow();
    memset(meadow->soil, 1, sizeof meadow->soil);
    find_from(meadow, 0.0f, 0.0f, 1.7f);
    assert_int_equal(meadow->patches.count[GRASS_BANDS - 1], 0);
    free(meadow);
}

/// Near patches come first and have the blades of all bands; there are never more than there is room for.
TEST(patches_are_ordered_and_bounded)
{
    Meadow *meadow = make_meadow();
    find_from(meadow, 0.0f, 0.0f, 1.7f);
    const int *count = meadow->patches.count;
    assert_true(count[0] > 60 && count[0] < count[1] && count[1] <= count[2]);
    assert_int_equal(count[2], 16 * 16);
    for (int k = 0; k < count[0]; k++) {
        double x = (double)(meadow->patches.patch[k] & 65535U) - 7.5;
        double y = (double)(meadow->patches.patch[k] >> 16) - 7.5;
        assert_true(sqrt(x * x + y * y) < (double)grass_reach[0] + 0.8);
    }
    meadow->grid.spacing = 1.0; // 160 m a side
    find_from(meadow, 72.0f, 72.0f, 1.7f);
    assert_true(count[2] > 2000 && count[2] <= GRASS_MAX_PATCHES);
    find_from(meadow, 72.0f, 72.0f, 40.0f);
    assert_int_equal(count[2], 0); // too high to see blades
    free(meadow);
}

/// ---- rocks ---------------------------------------------------------------------------------------------------------

/// A box of 1.2 m by 0.8 m by 0.6 m.
static void make_box(RenderRockShape *shape)
{
    static const int corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    static const float half[3] = {0.6f, 0.4f, 0.3f};
    memset(shape, 0, sizeof *shape);
    shape->triangle_count = 12;
    for (int k = 0; k < 12; k++) {
        for (int c = 0; c < 3; c++) {
            for (int axis = 0; axis < 3; axis++) {
                shape->triangle[k][c][axis] = (corners[k][c] >> axis & 1) != 0 ? half[axis] : -half[axis];
            }
        }
        int axis = k < 4 ? 2 : k < 8 ? 1 : 0;
        shape->normal[k][axis] = shape->triangle[k][0][axis] > 0.0f ? 1.0f : -1.0f;
    }
}

/// m by which a place lies outside (> 0) or inside the box.
static double outside_box(const float p[3])
{
    double x = fabs((double)p[0]) - 0.6, y = fabs((double)p[1]) - 0.4, z = fabs((double)p[2]) - 0.3;
    return fmax(x, fmax(y, z));
}

TEST(a_rock_is_drawn_where_it_is_touched)
{
    RenderRockShape shape;
    make_box(&shape);
    for (int number = 0; number < 8; number++) {
        Mesh mesh = {0};
        rock_mesh(&shape, number, false, &mesh);
        assert_false(mesh.failed);
        assert_in_range(mesh.vertex_count, 3 * 12 * 8, 3 * 12 * 100);
        double least = 0.0, most = 0.0;
        for (int k = 0; k < mesh.vertex_count; k++) {
            double out = outside_box(mesh.vertices[k].position);
            least = fmin(least, out);
            most = fmax(most, out);
            const float *n = mesh.vertices[k].normal;
            assert_true(fabs((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1.0) < 1e-3);
        }
        assert_true(least > -ROCK_ROUGHNESS && most < 0.5 * ROCK_ROUGHNESS);
        assert_true(least < -0.004); // it is no box
        mesh_free(&mesh);
    }
}

/// Faces stay joined: every corner of a small triangle is one of a neighbour, too.
TEST(the_faces_of_a_rock_leave_no_gap)
{
    RenderRockShape shape;
    Mesh mesh = {0};
    make_box(&shape);
    rock_mesh(&shape, 3, false, &mesh);
    for (int k = 0; k < mesh.vertex_count; k++) {
        int same = 0;
        for (int n = 0; n < mesh.vertex_count; n++) {
            double apart = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                apart = fmax(apart,
                             fabs((double)mesh.vertices[k].position[axis] - (double)mesh.vertices[n].position[axis]));
            }
            same += apart < 1e-5;
        }
        assert_true(same >= 3);
    }
    mesh_free(&mesh);
}

TEST(low_quality_draws_the_hull_alone)
{
    RenderRockShape shape;
    Mesh mesh = {0};
    make_box(&shape);
    rock_mesh(&shape, 3, true, &mesh);
    assert_int_equal(mesh.vertex_count, 36);
    mesh_free(&mesh);
}

TEST_GROUP(NULL, NULL)
