/// Grains without OpenGL: meshes of clusters, what grains of a soil look like, how a cluster stands.

#include "data/schema/machine_params.h"
#include "render/crumbs.h"
#include "render/grains.h"
#include "render/soil_look.h"
#include "tests/support/render_scene.h"

/// Parts are closed and look outwards, so that their backs may be left out; a coarser cluster has the first parts of a
/// finer one.
TEST(clusters_are_of_closed_grains)
{
    for (int level = 0; level < GRAIN_LEVELS; level++) {
        GrainMesh mesh;
        grain_mesh(level, &mesh);
        assert_true(mesh.vertex_count <= GRAIN_MAX_VERTICES && mesh.index_count <= GRAIN_MAX_INDICES);
        double volume[GRAIN_NEAR_PARTS] = {0.0};
        for (int k = 0; k < mesh.index_count; k += 3) {
            const GrainVertex *a = &mesh.vertices[mesh.indices[k]], *b = &mesh.vertices[mesh.indices[k + 1]];
            const GrainVertex *c = &mesh.vertices[mesh.indices[k + 2]];
            assert_true(mesh.indices[k] < mesh.vertex_count && (int)a->part == (int)b->part);
            FloatVec3 normal;
            glm_vec3_cross((float *)a->direction, (float *)b->direction, normal);
            double part = (double)glm_vec3_dot(normal, (float *)c->direction) / 6.0;
            assert_true(part > 0.0);
            volume[(int)a->part] += part;
        }
        for (int part = 0; part < grain_parts(level); part++) {
            assert_true(volume[part] > 1.2 && volume[part] < 4.0 / 3.0 * M_PI); // an octahedron has 4 / 3
        }
        float place[3];
        grain_place((int)mesh.vertices[mesh.vertex_count - 1].part, place);
        assert_memory_equal(mesh.vertices[mesh.vertex_count - 1].place, place, sizeof place);
        assert_int_equal((int)mesh.vertices[mesh.vertex_count - 1].part, grain_parts(level) - 1);
    }
}

TEST(the_first_grains_of_a_cluster_look_to_all_sides)
{
    for (int count = GRAIN_FAR_PARTS; count <= GRAIN_NEAR_PARTS; count++) {
        FloatVec3 sum = {0};
        for (int part = 0; part < count; part++) {
            FloatVec3 place;
            grain_place(part, place);
            assert_near((double)glm_vec3_norm(place), 1.0, 1e-5);
            glm_vec3_add(sum, place, sum);
        }
        assert_true((double)glm_vec3_norm(sum) < 0.3 * count);
    }
}

/// What the shipped soils look like: clay breaks into lumps, loam into smaller clods, gravel is stones, sand a spray.
TEST(grains_are_of_the_soils_sizes)
{
    const char *names[] = {"clay", "loam", "gravel", "sand"};
    GrainLook look[4];
    for (int k = 0; k < 4; k++) {
        Status status;
        SoilParams soil;
        assert_good(data_load_soil(names[k], &soil, NULL, &status), status);
        look[k] = grain_look(&soil);
        assert_near((double)soil_look(&soil).stones, k == 2 ? 1.0 : 0.0, 1e-6);
    }
    assert_true(look[0].largest > look[1].largest && look[1].largest > look[2].largest);
    assert_true(look[2].largest > look[3].largest);
    assert_true(look[0].decay > look[1].decay && look[1].decay > look[3].decay); // fines beside the lumps
    assert_true(look[1].angular > look[2].angular && look[2].angular > look[3].angular);
}

static RenderView *flat_view(const float *heights)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->grid_count = 1;
    view->grids[0] =
        (RenderGrid){.rows = 2, .columns = 2, .spacing = 20.0, .origin_x = -10.0, .origin_y = -10.0, .height = heights};
    return view;
}

/// The turn of a particle as a unit quaternion.
static void turn_of(const int16_t stand[4], versor turn)
{
    for (int k = 0; k < 3; k++) {
        turn[k] = (float)stand[k] / 32767.0f;
    }
    turn[3] = sqrtf(fmaxf(0.0f, 1.0f - turn[0] * turn[0] - turn[1] * turn[1] - turn[2] * turn[2]));
}

/// rad between two turns.
static double angle_between(versor a, versor b)
{
    return 2.0 * acos(fmin(1.0, fabs((double)glm_vec4_dot(a, b))));
}

TEST(particles_settle_onto_the_ground_and_tumble_on_their_way)
{
    const float heights[4] = {-1.0f, -1.0f, -1.0f, -1.0f};
    RenderView *view = flat_view(heights);
    GrainStand stand;
    grain_stand_find(&stand, view);
    int16_t lying[4], flying[4], outside[4], near[4], far[4];
    grain_stand_at(&stand, (float[4]){1.0f, 2.0f, -0.92f, 0.08f}, 7, lying);
    grain_stand_at(&stand, (float[4]){1.0f, 2.0f, 0.50f, 0.08f}, 7, flying);
    grain_stand_at(&stand, (float[4]){100.0f, 2.0f, -0.92f, 0.08f}, 7, outside);
    assert_int_equal(lying[3], 32767);
    assert_int_equal(flying[3], 0);
    assert_int_equal(outside[3], 0);
    versor a, b, c;
    turn_of(flying, a);
    grain_stand_at(&stand, (float[4]){1.0f, 2.0f, 0.51f, 0.08f}, 7, near);
    grain_stand_at(&stand, (float[4]){1.3f, 2.3f, 0.20f, 0.08f}, 7, far);
    turn_of(near, b);
    turn_of(far, c);
    assert_true(angle_between(a, b) < 0.05);
    assert_true(angle_between(a, c) > 0.1);
    grain_stand_at(&stand, (float[4]){1.0f, 2.0f, 0.50f, 0.08f}, 8, near);
    turn_of(near, b);
    assert_true(angle_between(a, b) > 0.1); // another one stands otherwise
    free(view);
}

/// What lies in the bucket does not stir when the bucket swings: it turns with it.
TEST(what_lies_in_the_bucket_turns_with_it)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_good(stage != NULL, status);
    RenderView *view = &stage->view;
    const MachineToolParams *tool = &stage->machine.tool[0];
    Vec3 inside = vec3(0.0, 0.2, 0.0);
    for (int k = 0; k < tool->shape.inside_count; k++) {
        inside.x += tool->shape.inside[k][0] / tool->shape.inside_count;
        inside.z += tool->shape.inside[k][1] / tool->shape.inside_count;
    }
    versor turn[2];
    for (int k = 0; k < 2; k++) {
        Pose *pose = &view->body[tool->body];
        *pose = (Pose){vec3(6.0 * k, 3.0 * k, 4.0), mat3_yaw(0.9 * k)};
        Vec3 p = pose_apply(pose, inside);
        GrainStand stand;
        int16_t out[4];
        grain_stand_find(&stand, view);
        grain_stand_at(&stand, (float[4]){(float)p.x, (float)p.y, (float)p.z, 0.06f}, 5, out);
        turn_of(out, turn[k]);
    }
    assert_near(angle_between(turn[0], turn[1]), 0.9, 2e-3);
    free(stage);
}

enum { SIDE = 41, FIRST = 10, LAST = 19, ROOM = 2000 };

/// A site of 4 x 4 m with 10 x 10 loose columns.
static RenderGrid loose_site(float height[SIDE * SIDE], uint8_t loose[SIDE * SIDE])
{
    for (int k = 0; k < SIDE * SIDE; k++) {
        int row = k / SIDE, column = k % SIDE;
        height[k] = 0.5f;
        loose[k] = row >= FIRST && row <= LAST && column >= FIRST && column <= LAST ? 255 : 0;
    }
    return (RenderGrid){.rows = SIDE, .columns = SIDE, .spacing = 0.1, .height = height, .loose = loose};
}

static int find(const RenderGrid *grid, bool tray, const float eye[3], vec4 *planes, int room, int *near)
{
    static uint32_t columns[ROOM];
    CrumbColumns out = {.columns = columns, .back = room};
    crumbs_find(grid, tray, eye, planes, &out);
    *near = out.front;
    for (int k = 0; k < out.front; k++) {
        int column = (int)(columns[k] & 16383U), row = (int)(columns[k] >> 14 & 16383U);
        assert_true(tray || (column >= FIRST && column <= LAST && row >= FIRST && row <= LAST));
        assert_true(column > 0 && row > 0 && column < grid->columns - 1 && row < grid->rows - 1);
    }
    return out.front + room - out.back;
}

TEST(crumbs_lie_on_loose_ground_in_sight)
{
    static float height[SIDE * SIDE];
    static uint8_t loose[SIDE * SIDE];
    RenderGrid grid = loose_site(height, loose);
    int near = 0;
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), 100);
    assert_int_equal(near, 100);
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 12.0f}, NULL, ROOM, &near), 100);
    assert_int_equal(near, 0); // far ones
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 30.0f}, NULL, ROOM, &near), 0);
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 3.0f}, NULL, 30, &near), 30);
    vec4 planes[6] = {{0}};
    planes[0][0] = -1.0f; // x < 1.25 m, and 0.2 m more
    planes[0][3] = 1.25f;
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 3.0f}, planes, ROOM, &near), 50);
    height[15 * SIDE + 15] += 0.4f; // a step: itself and its four neighbours
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), 95);
    grid.loose = NULL;
    assert_int_equal(find(&grid, false, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), 0);
}

/// In a tray they lie where there is soil, and not against its walls; they move with it.
TEST(crumbs_lie_on_the_soil_of_trays)
{
    static float height[SIDE * SIDE];
    static uint8_t loose[SIDE * SIDE];
    RenderGrid grid = loose_site(height, loose);
    int near = 0;
    grid.floor = 0.5;
    assert_int_equal(find(&grid, true, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), 0); // empty
    grid.floor = 0.3;
    assert_int_equal(find(&grid, true, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), (SIDE - 2) * (SIDE - 2));
    grid.moves = true;
    grid.frame = (Pose){vec3(100.0, 0.0, 0.0), mat3_identity()};
    assert_int_equal(find(&grid, true, (float[3]){1.5f, 1.5f, 3.0f}, NULL, ROOM, &near), 0);
    assert_int_equal(find(&grid, true, (float[3]){101.5f, 1.5f, 3.0f}, NULL, ROOM, &near), (SIDE - 2) * (SIDE - 2));
}

TEST_GROUP(NULL, NULL)
