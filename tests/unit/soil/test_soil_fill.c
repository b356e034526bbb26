/// Grains of a scene: how many, where, how heavy, and what is refused.
#include "data/files/obj.h"
#include "tests/support/soil_fixture.h"

#define CUBE_CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
#define CUBE_FACES   "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"

/// A wide ring of square section: a hole in its middle, 24 corners around. Inside: 1 to 2 from the axis, 0 to 1 high.
static void write_ring(char *text, size_t size)
{
    enum { AROUND = 24 };
    size_t at = 0;
    for (int k = 0; k < AROUND; k++) {
        double c = cos(2.0 * M_PI * k / AROUND), s = sin(2.0 * M_PI * k / AROUND);
        at += (size_t)snprintf(text + at, size - at, "v %.6f %.6f 0\nv %.6f %.6f 0\nv %.6f %.6f 1\nv %.6f %.6f 1\n", c,
                               s, 2 * c, 2 * s, 2 * c, 2 * s, c, s);
    }
    for (int k = 0; k < AROUND; k++) {
        int a = 4 * k, b = 4 * ((k + 1) % AROUND);
        for (int side = 0; side < 4; side++) {
            int next = (side + 1) % 4;
            at += (size_t)snprintf(text + at, size - at, "f %d %d %d %d\n", a + side + 1, a + next + 1, b + next + 1,
                                   b + side + 1);
        }
    }
    assert_true(at < size);
}

static SceneGrains box_of(double length, double width, double height)
{
    return (SceneGrains){.box = {length, width, height}, .scale = 1.0};
}

static SceneGrains mesh_of(const char *text)
{
    return (SceneGrains){.obj = "mesh", .text = text, .text_size = strlen(text), .scale = 1.0};
}

static SceneParams scene_with(SceneGrains first)
{
    SceneParams scene = sand_scene();
    scene.particles.budget = 20000;
    scene.particles.persistent = true;
    scene.grains_count = 1;
    scene.grains[0] = first;
    return scene;
}

static void assert_none_overlap(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    for (int i = 0; i < p.count; i++) {
        for (int j = 0; j < i; j++) {
            double dx = p.x[i] - p.x[j], dy = p.y[i] - p.y[j], dz = p.z[i] - p.z[j];
            double reach = (double)p.radius[i] + (double)p.radius[j];
            if (dx * dx + dy * dy + dz * dz < reach * reach) {
                fail_msg("grains %d and %d overlap", i, j);
            }
        }
    }
}

TEST(a_box_is_full_and_holds_its_grains)
{
    SceneParams scene = scene_with(box_of(1.0, 1.2, 0.8));
    scene.grains[0].x = 0.5;
    scene.grains[0].z = 0.2;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilParticleView p = soil_get_particles(soil);
    double solid = 0.0, mass = 0.0;
    for (int i = 0; i < p.count; i++) {
        double r = (double)p.radius[i];
        assert_true(fabs(p.x[i] - 0.5) <= 0.5 - r && fabs(p.y[i]) <= 0.6 - r);
        assert_true(p.z[i] >= 0.2 + r && p.z[i] <= 1.0 - r);
        assert_true(p.vx[i] == 0.0 && p.vy[i] == 0.0 && p.vz[i] == 0.0);
        assert_true(r <= 0.05 && r >= 0.9 * 0.05 * (1.0 - 1e-6));
        solid += 4.0 / 3.0 * M_PI * r * r * r;
        mass += p.mass[i] * SOIL_QUANTUM;
    }
    assert_none_overlap(soil);
    // The lattice fills 0.74 / 1.06^3 with the largest grains and 0.86 of that with mixed ones (mean cube of 0.9..1);
    // walls keep half a grain away.
    double share = solid / (1.0 * 1.2 * 0.8);
    assert_true(share > 0.40 && share < 0.54);
    // Settled to 0.6 solid they have the loose density of the soil.
    assert_near(mass / (solid / 0.6), 1540.0 / 1.25, 0.5);
    soil_destroy(soil);
}

TEST(a_mesh_keeps_its_hole_empty)
{
    static char ring[8192];
    write_ring(ring, sizeof ring);
    SceneParams scene = scene_with(mesh_of(ring));
    scene.grains[0].scale = 0.9;
    scene.grains[0].radius = 0.045;
    scene.grains[0].x = -1.0;
    scene.grains[0].y = 0.7;
    scene.grains[0].z = 1.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilParticleView p = soil_get_particles(soil);
    // Volume of the ring: 24-sided, inner radius 0.9 and outer 1.8 at the corners, 0.9 high.
    double area = 0.5 * 24.0 * sin(2.0 * M_PI / 24.0) * (1.8 * 1.8 - 0.9 * 0.9), flat = cos(M_PI / 24.0);
    double each = 2.0 * sqrt(2.0) * pow(0.045 * 1.06, 3.0) * 2.0; // a^3 / sqrt 2 with a = 2 x 1.06 r
    assert_true(p.count > 0.75 * area * 0.9 / each && p.count < area * 0.9 / each);
    for (int i = 0; i < p.count; i++) {
        double r = (double)p.radius[i], out = hypot(p.x[i] + 1.0, p.y[i] - 0.7);
        assert_true(out >= 0.9 * flat + r - 1e-6 && out <= 1.8 - r);
        assert_true(p.z[i] >= 1.0 + r && p.z[i] <= 1.9 - r);
    }
    assert_none_overlap(soil);
    soil_destroy(soil);
}

/// The direction of faces does not matter, only what they enclose.
TEST(a_mesh_equals_the_box_it_is)
{
    SceneParams boxed = scene_with(box_of(1.0, 1.0, 1.0)), meshed = scene_with(mesh_of(CUBE_CORNERS CUBE_FACES));
    meshed.grains[0].x = meshed.grains[0].y = -0.5;
    Soil *a = make_soil(&boxed, SOIL_SOLVER_DEFAULT, 1), *b = make_soil(&meshed, SOIL_SOLVER_DEFAULT, 1);
    assert_true(soil_get_particles(a).count > 500);
    assert_int_equal(soil_get_particles(a).count, soil_get_particles(b).count);
    assert_true(hash_soil(a) == hash_soil(b));
    soil_destroy(a);
    soil_destroy(b);
}

TEST(the_seed_decides)
{
    SceneParams scene = scene_with(box_of(0.6, 0.6, 0.6));
    Soil *a = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1), *b = make_soil(&scene, SOIL_SOLVER_DEFAULT, 3);
    scene.seed = 2;
    Soil *c = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_true(hash_soil(a) == hash_soil(b));
    assert_true(hash_soil(a) != hash_soil(c));
    soil_destroy(a);
    soil_destroy(b);
    soil_destroy(c);
}

TEST(volumes_and_ground_never_overlap)
{
    SceneParams scene = scene_with(box_of(1.0, 1.0, 1.0));
    scene.grains_count = 2;
    scene.grains[1] = box_of(1.0, 1.0, 1.6);
    scene.grains[1].x = 0.43;
    scene.grains[1].z = -0.8; // half in the ground
    scene.grains[1].radius = 0.04;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilParticleView p = soil_get_particles(soil);
    int small = 0;
    for (int i = 0; i < p.count; i++) {
        small += (double)p.radius[i] <= 0.04;
        assert_true(p.z[i] >= (double)p.radius[i] + soil_get_height(soil, p.x[i], p.y[i]) - 1e-6);
    }
    assert_true(small > 100);
    assert_none_overlap(soil);
    soil_destroy(soil);
}

/// Released, the grains fall into a heap: nothing flies, no mass is lost.
TEST(a_column_collapses_quietly)
{
    SceneParams scene = scene_with(box_of(0.6, 0.6, 1.2));
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t before = soil_get_ledger(soil).total;
    double fastest = 0.0;
    for (int tick = 0; tick < 90; tick++) {
        run_ticks(soil, NULL, 0, 1);
        SoilParticleView p = soil_get_particles(soil);
        for (int i = 0; i < p.count; i++) {
            fastest = fmax(fastest, sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]));
        }
    }
    SoilParticleView p = soil_get_particles(soil);
    double highest = 0.0, farthest = 0.0;
    for (int i = 0; i < p.count; i++) {
        highest = fmax(highest, p.z[i]);
        farthest = fmax(farthest, hypot(p.x[i], p.y[i]));
    }
    assert_true(fastest < sqrt(2.0 * STANDARD_GRAVITY * 1.2) * 1.05); // no faster than a free fall from the top
    assert_true(highest < 1.1 && farthest > 0.45);
    assert_true(soil_get_ledger(soil).total == before);
    soil_destroy(soil);
}

static void assert_refused(const SceneParams *scene, const char *says)
{
    Status status;
    Soil *soil = soil_create(scene, scene->seed, SOIL_SOLVER_DEFAULT, 1, &status);
    if (soil != NULL) {
        fail_msg("made, although: %s", says);
    }
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (strstr(status.text, says) == NULL) {
        fail_msg("'%s' is not in '%s'", says, status.text);
    }
}

TEST(what_cannot_be_filled_is_refused)
{
    SceneParams scene = scene_with(box_of(1.0, 1.0, 1.0));
    scene.particles.budget = 300;
    assert_refused(&scene, "particles.budget leaves 300 of 300");
    scene = scene_with(box_of(0.1, 0.1, 0.1));
    assert_refused(&scene, "grains.0: the box has room for no grain");
    scene = scene_with(box_of(1.0, 1.0, 1.0));
    scene.grains[0].z = -1.5;
    assert_refused(&scene, "no grain above the ground");
    scene = scene_with(mesh_of(CUBE_CORNERS CUBE_FACES));
    scene.grains[0].scale = 1000.0;
    assert_refused(&scene, "grains.0: the mesh mesh is too large");
    scene.grains[0].text = NULL;
    assert_refused(&scene, "grains.0: the text of mesh mesh was not kept");
}

TEST_GROUP(NULL, NULL)
