/// The landscape stands clear of the site, and staffs have their bands where they say; without OpenGL.
#include "render/landscape.h"
#include "render/site_objects.h"
#include "tests/support/test.h"

/// True when a vertex lies over the site or nearer to it than LANDSCAPE_LEAST.
static bool stands_clear(const Mesh *mesh, double size_x, double size_y)
{
    for (int k = 0; k < mesh->vertex_count; k++) {
        const float *p = mesh->vertices[k].position;
        if (fabs((double)p[0]) < 0.5 * size_x + LANDSCAPE_LEAST &&
            fabs((double)p[1]) < 0.5 * size_y + LANDSCAPE_LEAST) {
            return false;
        }
    }
    return true;
}

TEST(nothing_stands_where_machines_drive)
{
    const double sizes[3][2] = {{40.0, 40.0}, {60.0, 24.0}, {200.0, 10.0}};
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 1; seed < 6; seed++) {
            Mesh mesh = {0};
            landscape_mesh(sizes[k][0], sizes[k][1], seed, false, &mesh);
            assert_false(mesh.failed);
            assert_true(stands_clear(&mesh, sizes[k][0], sizes[k][1]));
            mesh_free(&mesh);
        }
    }
}

/// Stakes and tape stand on the edge and nowhere else, along all of it.
TEST(the_edge_is_marked)
{
    const double sizes[2][2] = {{40.0, 40.0}, {60.0, 24.0}};
    for (int n = 0; n < 4; n++) {
        double x = 0.5 * sizes[n / 2][0], y = 0.5 * sizes[n / 2][1];
        bool there[4][61] = {{false}}; // metre by metre of each side
        Mesh mesh = {0};
        landscape_edge_mesh(2.0 * x, 2.0 * y, n % 2 == 1, &mesh);
        assert_false(mesh.failed);
        assert_true(mesh.vertex_count > 100 && mesh.vertex_count < 24000);
        for (int k = 0; k < mesh.vertex_count; k++) {
            const float *p = mesh.vertices[k].position;
            double out_x = fabs((double)p[0]) - x, out_y = fabs((double)p[1]) - y;
            assert_true(fmax(out_x, out_y) < 0.06 && (fabs(out_x) < 0.06 || fabs(out_y) < 0.06));
            int side = fabs(out_x) < 0.06 ? (p[0] > 0.0F ? 0 : 2) : (p[1] > 0.0F ? 1 : 3);
            int metre = (int)lround(side % 2 == 0 ? (double)p[1] + y : (double)p[0] + x);
            there[side][metre < 0 ? 0 : metre] = true;
        }
        for (int side = 0; side < 4; side++) {
            int length = (int)(side % 2 == 0 ? 2.0 * y : 2.0 * x);
            for (int metre = 0; metre < length; metre += 8) {
                assert_true(there[side][metre] || there[side][metre + 4]);
            }
        }
        mesh_free(&mesh);
    }
}

TEST(same_seed_same_landscape)
{
    Mesh a = {0}, b = {0}, other = {0}, plain = {0};
    landscape_mesh(40.0, 40.0, 7, false, &a);
    landscape_mesh(40.0, 40.0, 7, false, &b);
    landscape_mesh(40.0, 40.0, 8, false, &other);
    landscape_mesh(40.0, 40.0, 7, true, &plain);
    assert_int_equal(a.vertex_count, b.vertex_count);
    size_t size = sizeof(MeshVertex) * (size_t)a.vertex_count;
    assert_memory_equal(a.vertices, b.vertices, size);
    assert_true(other.vertex_count != a.vertex_count || memcmp(a.vertices, other.vertices, size) != 0);
    // What is drawn in software has a small part of the vertices.
    assert_true(plain.vertex_count < 16000);
    assert_true(a.vertex_count > 2 * plain.vertex_count);
    mesh_free(&a);
    mesh_free(&b);
    mesh_free(&other);
    mesh_free(&plain);
}

/// The bands of a board are tenths of a metre from its zero, red in the first metre and black in the second, and its
/// figures stand at every half metre.
TEST(bands_of_a_board)
{
    const RenderStaff board = {.kind = RENDER_STAFF_BOARD, .at = vec3(3.0, 2.0, 0.25), .low = -1.75, .high = 0.0};
    Mesh mesh = {0};
    staff_mesh(&board, &mesh);
    float low[3], high[3];
    mesh_bounds(&mesh, low, high);
    assert_near((double)low[2], 0.25 - 1.75, 1e-6);
    assert_near((double)high[2], 0.25, 1e-6);
    double lowest_red = 0.0, highest_black = -9.0;
    for (int k = 0; k < mesh.vertex_count; k++) {
        const MeshVertex *vertex = &mesh.vertices[k];
        double below = (double)vertex->position[2] - 0.25;
        bool in_bands = (double)vertex->position[1] < 2.0 + 1e-4 && (double)vertex->position[1] > 2.0 - 0.16;
        bool red = vertex->color[0] > 150 && vertex->color[1] < 60, black = vertex->color[0] < 40;
        if (in_bands && red) {
            lowest_red = fmin(lowest_red, below);
        } else if (in_bands && black && fabs(fabs(remainder(below, 0.5)) - 0.008) > 1e-4) {
            highest_black = fmax(highest_black, below);
        }
        if (in_bands && red) {
            assert_near(remainder(below, 0.1), 0.0, 1e-5);
        }
    }
    assert_near(lowest_red, -0.9, 1e-5); // bands are red from 0 to 0.1, 0.2 to 0.3, ... 0.8 to 0.9 m
    assert_near(highest_black, -1.0, 1e-5);
    mesh_free(&mesh);
}

/// A ranging pole changes its colour every half metre.
TEST(bands_of_a_pole)
{
    const RenderStaff pole = {.kind = RENDER_STAFF_POLE, .low = 0.0, .high = 2.0};
    Mesh mesh = {0};
    staff_mesh(&pole, &mesh);
    for (int k = 0; k < mesh.vertex_count; k++) {
        assert_near(remainder((double)mesh.vertices[k].position[2], 0.5), 0.0, 1e-6);
    }
    mesh_free(&mesh);
}

TEST_GROUP(NULL, NULL)
