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
            Mesh mesh = {0}, leaves = {0};
            landscape_mesh(sizes[k][0], sizes[k][1], seed, false, &mesh, &leaves);
            assert_false(mesh.failed || leaves.failed);
            assert_true(stands_clear(&mesh, sizes[k][0], sizes[k][1]));
            assert_true(stands_clear(&leaves, sizes[k][0], sizes[k][1]));
            mesh_free(&mesh);
            mesh_free(&leaves);
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

/// [0] what is solid, [1] leaves.
static void make_landscape(uint64_t seed, bool plain, Mesh made[2])
{
    memset(made, 0, 2 * sizeof made[0]);
    landscape_mesh(40.0, 40.0, seed, plain, &made[0], &made[1]);
}

TEST(same_seed_same_landscape)
{
    Mesh a[2], b[2], other[2], plain[2];
    make_landscape(7, false, a);
    make_landscape(7, false, b);
    make_landscape(8, false, other);
    make_landscape(7, true, plain);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(a[k].vertex_count, b[k].vertex_count);
        size_t size = sizeof(MeshVertex) * (size_t)a[k].vertex_count;
        assert_memory_equal(a[k].vertices, b[k].vertices, size);
        assert_true(other[k].vertex_count != a[k].vertex_count || memcmp(a[k].vertices, other[k].vertices, size) != 0);
        print_message("%d vertices, %d where drawn in software\n", a[k].vertex_count, plain[k].vertex_count);
        // What is drawn in software has a small part of the vertices.
        assert_true(plain[k].vertex_count < 16000);
        assert_true(a[k].vertex_count > 2 * plain[k].vertex_count);
    }
    for (int k = 0; k < 2; k++) {
        mesh_free(&a[k]);
        mesh_free(&b[k]);
        mesh_free(&other[k]);
        mesh_free(&plain[k]);
    }
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
