/// Hulls, contacts and the stacking structure: pure functions against closed forms.
// test: sanitized

#include "machine/contact/convex_contact.h"
#include "machine/rocks/rocks_internal.h"
#include "tests/support/test.h"

static int box_points(Vec3 middle, Vec3 size, Vec3 points[8])
{
    for (int k = 0; k < 8; k++) {
        points[k] = vec3(middle.x + (k & 1 ? 0.5 : -0.5) * size.x, middle.y + (k & 2 ? 0.5 : -0.5) * size.y,
                         middle.z + (k & 4 ? 0.5 : -0.5) * size.z);
    }
    return 8;
}

static ConvexHull hull_of(const Vec3 *points, int count)
{
    ConvexHull hull;
    const char *reason = "";
    if (!convex_build(points, count, &hull, &reason)) {
        fail_msg("%s", reason);
    }
    return hull;
}

static ConvexSolid solid_of(const ConvexHull *hull)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < hull->point_count; k++) {
        sum = vec3_madd(sum, 1.0 / hull->point_count, hull->point[k]);
    }
    return (ConvexSolid){hull, hull->point, hull->normal, sum};
}

TEST(a_box_has_its_faces_and_integrals)
{
    Vec3 points[24], size = vec3(0.4, 0.7, 1.1);
    int count = box_points(vec3(0.0, 0.0, 0.0), size, points);
    points[count++] = vec3(0.0, 0.0, 0.0); // inside
    points[count++] = vec3(0.2, 0.0, 0.0); // in a face
    points[count++] = vec3(0.2, 0.35, 0.1); // on an edge
    points[count++] = points[0]; // twice
    ConvexHull hull = hull_of(points, count);
    assert_int_equal(hull.point_count, 8);
    assert_int_equal(hull.face_count, 6);
    assert_int_equal(hull.edge_count, 12);
    ConvexIntegrals sum = {0};
    convex_integrate(&hull, &sum);
    double volume = size.x * size.y * size.z;
    assert_near(sum.volume, volume, 1e-15);
    assert_near(vec3_length(sum.first), 0.0, 1e-15);
    const double side[3] = {size.x, size.y, size.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            assert_near(sum.second[i][j], i == j ? volume * side[i] * side[i] / 12.0 : 0.0, 1e-15);
        }
    }
}

TEST(a_tetrahedron_and_a_prism_are_closed)
{
    const Vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ConvexHull hull = hull_of(corner, 4);
    ConvexIntegrals sum = {0};
    convex_integrate(&hull, &sum);
    assert_int_equal(hull.face_count, 4);
    assert_near(sum.volume, 1.0 / 6.0, 1e-15);
    assert_near(sum.first.x / sum.volume, 0.25, 1e-15);
    Vec3 prism[24];
    for (int k = 0; k < 24; k++) {
        double angle = (k / 2) * M_PI / 6.0;
        prism[k] = vec3(cos(angle), sin(angle), k % 2);
    }
    hull = hull_of(prism, 24);
    assert_int_equal(hull.face_count, 14);
    sum = (ConvexIntegrals){0};
    convex_integrate(&hull, &sum);
    assert_near(sum.volume, 12.0 * 0.5 * sin(M_PI / 6.0), 1e-12); // the regular polygon's area
}

TEST(points_without_a_volume_are_refused)
{
    ConvexHull hull;
    const char *reason = NULL;
    const Vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}};
    assert_false(convex_build(flat, 5, &hull, &reason));
    assert_non_null(strstr(reason, "no volume"));
    const Vec3 line[4] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    assert_false(convex_build(line, 4, &hull, &reason));
    const Vec3 same[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assert_false(convex_build(same, 4, &hull, &reason));
    const Vec3 bad[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, (double)NAN}};
    assert_false(convex_build(bad, 4, &hull, &reason));
    assert_non_null(strstr(reason, "finite"));
    assert_false(convex_build(flat, 3, &hull, &reason));
    assert_non_null(strstr(reason, "4 to 24"));
}

TEST(boxes_touch_over_their_faces)
{
    Vec3 points[8];
    ConvexHull low = hull_of(points, box_points(vec3(0.0, 0.0, 0.5), vec3(1.0, 1.0, 1.0), points));
    ConvexHull high = hull_of(points, box_points(vec3(0.4, 0.2, 1.499), vec3(1.0, 1.0, 1.0), points));
    ConvexSolid a = solid_of(&high), b = solid_of(&low);
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    for (int turned = 0; turned < 2; turned++) {
        int count = convex_contact_solids(turned ? &b : &a, turned ? &a : &b, 0.0, contacts);
        assert_int_equal(count, 4);
        for (int k = 0; k < count; k++) {
            assert_near(contacts[k].depth, 1e-3, 1e-12);
            assert_near(contacts[k].normal.z, turned ? -1.0 : 1.0, 1e-12);
            assert_true(contacts[k].point.x > -0.11 && contacts[k].point.x < 0.51);
            assert_true(contacts[k].point.y > -0.31 && contacts[k].point.y < 0.51);
        }
    }
    high = hull_of(points, box_points(vec3(0.4, 0.2, 1.501), vec3(1.0, 1.0, 1.0), points));
    a = solid_of(&high);
    assert_int_equal(convex_contact_solids(&a, &b, 0.0, contacts), 0);
}

// Two roofs crossed at right angles, ridge on ridge.
TEST(crossed_edges_touch_in_one_point)
{
    Vec3 lower[6] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
    Vec3 upper[6] = {{-1, -1, 1.99}, {-1, 1, 1.99}, {1, -1, 1.99}, {1, 1, 1.99}, {0, -1, 0.99}, {0, 1, 0.99}};
    ConvexHull low = hull_of(lower, 6), high = hull_of(upper, 6);
    ConvexSolid a = solid_of(&high), b = solid_of(&low);
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    assert_int_equal(convex_contact_solids(&a, &b, 0.0, contacts), 1);
    assert_near(contacts[0].depth, 0.01, 1e-12);
    assert_near(contacts[0].normal.z, 1.0, 1e-12);
    assert_near(contacts[0].point.x, 0.0, 1e-12);
    assert_near(contacts[0].point.z, 0.995, 1e-12);
    for (int k = 0; k < 6; k++) {
        upper[k].x += 1.2; // beside it
        upper[k].z += 0.3;
    }
    high = hull_of(upper, 6);
    a = solid_of(&high);
    assert_int_equal(convex_contact_solids(&a, &b, 0.0, contacts), 0);
}

// Eq. 1 and what layers must keep: capacities fill the cone, no layer is thinner than a rock is long.
TEST(a_cone_is_cut_into_layers)
{
    for (double volume = 1.0; volume < 1e3; volume *= 1.7) {
        double slope = 0.8, length = 0.5, sum = 0.0;
        RockLayers layers;
        rock_piles_cut(volume, slope, length, &layers);
        assert_near(M_PI / 3.0 * layers.radius * layers.radius * layers.height, volume, 1e-9 * volume);
        assert_near(layers.height, slope * layers.radius, 1e-12 * layers.radius);
        assert_int_equal(layers.count, (int)(layers.height / length));
        assert_true(layers.thickness >= length);
        for (int i = 0; i < layers.count; i++) {
            sum += layers.capacity[i];
        }
        assert_near(sum, volume, 1e-9 * volume);
    }
    RockLayers least;
    rock_piles_cut(rock_piles_least_volume(0.5, 0.8), 0.8, 0.5, &least);
    assert_int_equal(least.count, 1);
    assert_near(least.height, 0.5, 1e-9);
}

// Sections 3.2 and 3.3.
TEST(the_score_is_density_times_closeness_times_slowness)
{
    RockLayers layers;
    rock_piles_cut(M_PI / 3.0 * 8.0, 1.0, 0.5, &layers); // r = h = 2: four layers
    assert_int_equal(layers.count, 4);
    assert_int_equal(rock_piles_find(&layers, 0.6, 1.4), 1);
    assert_int_equal(rock_piles_find(&layers, 0.6, 1.6), -1);
    assert_int_equal(rock_piles_find(&layers, 2.1, 0.0), -1);
    assert_int_equal(rock_piles_find(&layers, -0.1, 0.0), -1);
    layers.held[1] = 0.6 * layers.capacity[1];
    assert_near(rock_piles_score(&layers, 1, 0.0, 0.0), 0.6, 1e-12);
    assert_near(rock_piles_score(&layers, 1, 0.75, 0.0), 0.3, 1e-12);
    assert_near(rock_piles_score(&layers, 1, 0.75, 1.0), 0.15, 1e-12);
    assert_near(rock_piles_score(&layers, 1, 1.5, 0.0), 0.0, 1e-12);
    assert_near(rock_piles_occupation(&layers), 0.6 * layers.capacity[1] / (M_PI / 3.0 * 8.0), 1e-12);
    layers.asleep[0] = 1;
    assert_true(rock_piles_stands(&layers, 1));
    assert_false(rock_piles_stands(&layers, 2)); // nothing sleeps in layer 1
}

TEST_GROUP(NULL, NULL)
