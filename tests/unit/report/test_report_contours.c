/// Contour lines: how far apart, where they run on planes and a saddle, and that no direction is preferred.
#include "tests/support/test.h"

#include <math.h>

#include "trainer/report/contours.h"

enum { SIDE = 9 };

static void fill(float heights[SIDE * SIDE], double height_at(double x, double y))
{
    for (int k = 0; k < SIDE * SIDE; k++) {
        heights[k] = (float)height_at(k % SIDE, k / SIDE);
    }
}

static double rising(double x, double y)
{
    (void)y;
    return 0.1 * (x - 1.5);
}

static double saddle(double x, double y)
{
    return 0.03 * (x - 4.0) * (y - 4.0) + 0.001 * x;
}

static double turned_saddle(double x, double y)
{
    return saddle(y, x);
}

TEST(lines_are_a_round_number_apart)
{
    static const struct {
        double range, interval;
    } cases[] = {{0.05, 0.01}, {0.1, 0.01}, {0.11, 0.02}, {0.3, 0.05}, {0.9, 0.1}, {1.5, 0.2}, {4.0, 0.5}, {19.0, 2.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_near(contour_interval(147.0, 147.0 + cases[k].range), cases[k].interval, 1e-9);
    }
}

TEST(heights_stand_on_their_lines)
{
    float heights[SIDE * SIDE];
    ContourLabel labels[8];
    fill(heights, rising);
    ContourField field = {SIDE, SIDE, 100.0, 500.0, 10.0, heights, false};
    assert_int_equal(contour_labels(&field, 0.25, 5.0, labels, 8), 3); // 0, 0.25, 0.5
    for (int k = 0; k < 3; k++) {
        assert_near(labels[k].height, 0.25 * k, 1e-9);
        assert_near(labels[k].x, 115.0 + 25.0 * k, 1e-4);
    }
    field.spares_level = true;
    assert_int_equal(contour_labels(&field, 0.25, 5.0, labels, 8), 2);
    assert_int_equal(contour_labels(&field, 0.25, 5.0, labels, 1), 1);
    heights[4 * SIDE + 4] = (float)NAN; // cells beside it have no line
    assert_int_equal(contour_labels(&field, 0.25, 5.0, labels, 8), 2);
    fill(heights, saddle);
    assert_int_equal(contour_labels(&field, 10.0, 5.0, labels, 8), 0);
}

/// Draws lines on a square picture.
static cairo_surface_t *draw(const ContourField *field, double interval)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 128, 128);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    contours_stroke(cairo, field, interval);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    return surface;
}

TEST(lines_of_a_saddle_do_not_depend_on_its_heading)
{
    float heights[SIDE * SIDE], others[SIDE * SIDE];
    fill(heights, saddle);
    fill(others, turned_saddle);
    const ContourField field = {SIDE, SIDE, 4.0, 124.0, 15.0, heights, false},
                       turned = {SIDE, SIDE, 4.0, 124.0, 15.0, others, false};
    cairo_surface_t *a = draw(&field, 0.05), *b = draw(&turned, 0.05);
    const unsigned char *first = cairo_image_surface_get_data(a), *second = cairo_image_surface_get_data(b);
    int stride = cairo_image_surface_get_stride(a), drawn = 0, off = 0;
    for (int k = 0; k < 128 * 128; k++) {
        int x = k % 128, y = k / 128;
        bool here = first[y * stride + x] != 0, there = false;
        for (int n = 0; n < 9; n++) { // mirrored at the diagonal that runs up the page, but for a pixel
            int u = 128 - y + n % 3 - 1, v = 128 - x + n / 3 - 1;
            there = there || (u >= 0 && v >= 0 && u < 128 && v < 128 && second[v * stride + u] != 0);
        }
        drawn += here;
        off += here && !there;
    }
    assert_true(drawn > 500);
    assert_int_equal(off, 0);
    cairo_surface_destroy(a);
    cairo_surface_destroy(b);
}

TEST_GROUP(NULL, NULL)
