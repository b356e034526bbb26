/// Lines of DXF files as break lines of a surface: every line is a row of edges, so that it keeps its heights.
// test: sanitized
#include <math.h>
#include <stdarg.h>

#include "data/schema/design_surface.h"
#include "tests/unit/data/survey_text.h"

enum { MOST_TEXT = 100000 };

/// A text that grows.
typedef struct Drawing {
    char *text;
    size_t length;
} Drawing;

static void add(Drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(Drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    drawing->length +=
        (size_t)vsnprintf(drawing->text + drawing->length, MOST_TEXT - drawing->length, format, arguments);
    va_end(arguments);
    assert_true(drawing->length < MOST_TEXT);
}

static Drawing begin(void)
{
    Drawing drawing = {.text = malloc(MOST_TEXT)};
    assert_non_null(drawing.text);
    add(&drawing, "0\nSECTION\n2\nENTITIES\n");
    return drawing;
}

static void add_point(Drawing *drawing, const char *layer, double x, double y, double z)
{
    add(drawing, "0\nPOINT\n8\n%s\n10\n%.3f\n20\n%.3f\n30\n%.3f\n", layer, x, y, z);
}

static void add_line(Drawing *drawing, const char *layer, const double a[3], const double b[3])
{
    add(drawing, "0\nLINE\n8\n%s\n10\n%.3f\n20\n%.3f\n30\n%.3f\n11\n%.3f\n21\n%.3f\n31\n%.3f\n", layer, a[0], a[1],
        a[2], b[0], b[1], b[2]);
}

static const char *end(Drawing *drawing)
{
    add(drawing, "0\nENDSEC\n0\nEOF\n");
    return drawing->text;
}

/// Ground at 100 m on a grid of 4 m, which no line of the tests keeps to.
static void add_ground(Drawing *drawing)
{
    for (int k = 0; k < 77; k++) {
        add_point(drawing, "G", k % 11 * 4.0, k / 11 * 4.0, 100.0); // NOLINT: whole rows
    }
}

/// The design of a drawing's only layer.
static DesignSurface *design_of(const char *text, char **kept)
{
    Status status;
    size_t size = 0;
    *kept = survey_text_reduce("t", text, "", NULL, &size, &status);
    assert_good(*kept != NULL, status);
    SceneExercise *exercise = calloc(1, sizeof *exercise);
    assert_non_null(exercise);
    snprintf(exercise->surface.file, sizeof exercise->surface.file, "lines");
    exercise->surface.text = *kept;
    exercise->surface.text_size = size;
    DesignSurface *design = design_create(exercise, DESIGN_OF_SURFACE, NULL, &status);
    assert_good(design != NULL, status);
    free(exercise);
    return design;
}

/// The design has the heights of a line at `count` places of it.
static void check_line(const DesignSurface *design, const double a[3], const double b[3], int count)
{
    for (int k = 0; k < count; k++) {
        double share = (k + 0.5) / count, height = 0.0;
        assert_true(design_height(design, a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), &height));
        assert_near(height, a[2] + share * (b[2] - a[2]), 2e-4);
    }
}

TEST(lines_are_edges_of_the_surface)
{
    static const double lines[][2][3] = {{{1, 1, 104}, {39, 23, 108}}, // across the ground
                                         {{1, 1, 104}, {39, 2, 103}}, // at an acute angle to it
                                         {{1, 1, 104}, {39, 5, 102}},
                                         {{2, 20, 99}, {18, 22, 99.5}}};
    enum { LINES = sizeof lines / sizeof lines[0] };
    Drawing drawing = begin();
    add_ground(&drawing);
    for (int k = 0; k < LINES; k++) {
        add_line(&drawing, "G", lines[k][0], lines[k][1]);
    }
    char *kept;
    DesignSurface *design = design_of(end(&drawing), &kept);
    for (int k = 0; k < LINES; k++) {
        check_line(design, lines[k][0], lines[k][1], 100);
    }
    design_destroy(design);
    free(kept);
    free(drawing.text);
}

TEST(lines_that_cross_at_one_height_share_a_point)
{
    static const double a[2][3] = {{3, 3, 100}, {33, 21, 106}}, b[2][3] = {{3, 21, 104}, {33, 3, 102}};
    static const double c[2][3] = {{18, 12, 103}, {19, 23, 107}}; // from where they cross
    static const double d[2][3] = {{8, 6, 101}, {22, 5, 90}}; // from the middle of a
    Drawing drawing = begin();
    add_ground(&drawing);
    add_line(&drawing, "G", a[0], a[1]);
    add_line(&drawing, "G", b[0], b[1]);
    add_line(&drawing, "G", c[0], c[1]);
    add_line(&drawing, "G", d[0], d[1]);
    char *kept;
    DesignSurface *design = design_of(end(&drawing), &kept);
    check_line(design, a[0], a[1], 100);
    check_line(design, b[0], b[1], 100);
    check_line(design, c[0], c[1], 100);
    check_line(design, d[0], d[1], 100);
    design_destroy(design);
    free(kept);
    free(drawing.text);
}

#define POLYLINE(flags, rest) "0\nPOLYLINE\n8\nG\n66\n1\n70\n" flags "\n10\n0\n20\n0\n" rest
#define VERTEX(x, y, z)       "0\nVERTEX\n8\nG\n10\n" x "\n20\n" y "\n30\n" z "\n70\n32\n"
#define LIGHT(rest)           "0\nLWPOLYLINE\n8\nG\n90\n3\n70\n1\n" rest "10\n2\n20\n2\n10\n18\n20\n3\n10\n17\n20\n13\n"

TEST(polylines_of_each_kind_are_read)
{
    static const struct {
        const char *entity;
        double corners[3][3];
        bool closed;
    } cases[] = {{POLYLINE("8", "30\n0\n") VERTEX("2", "2", "101") VERTEX("18", "3", "102")
                      VERTEX("17", "13", "104") "0\nSEQEND\n",
                  {{2, 2, 101}, {18, 3, 102}, {17, 13, 104}},
                  false},
                 {POLYLINE("9", "30\n0\n") VERTEX("2", "2", "101") VERTEX("18", "3", "102")
                      VERTEX("17", "13", "104") "0\nSEQEND\n",
                  {{2, 2, 101}, {18, 3, 102}, {17, 13, 104}},
                  true},
                 {POLYLINE("0", "30\n103\n") VERTEX("2", "2", "0") VERTEX("18", "3", "0")
                      VERTEX("17", "13", "0") "0\nSEQEND\n",
                  {{2, 2, 103}, {18, 3, 103}, {17, 13, 103}},
                  false},
                 {LIGHT("38\n105\n"), {{2, 2, 105}, {18, 3, 105}, {17, 13, 105}}, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Drawing drawing = begin();
        add_ground(&drawing);
        add(&drawing, "%s", cases[k].entity);
        char *kept;
        DesignSurface *design = design_of(end(&drawing), &kept);
        for (int n = 0; n < (cases[k].closed ? 3 : 2); n++) {
            check_line(design, cases[k].corners[n], cases[k].corners[(n + 1) % 3], 30);
        }
        design_destroy(design);
        free(kept);
        free(drawing.text);
    }
}

static void check_refused(Drawing *drawing, const char *says)
{
    Status status;
    SurveyInfo info;
    if (survey_text_check("t", end(drawing), NULL, &info, &status)) {
        fail_msg("accepted where \"%s\" is expected", says);
    }
    assert_contains(status.text, says);
    free(drawing->text);
}

TEST(lines_with_two_heights_at_a_place_are_refused)
{
    Drawing drawing = begin();
    add_line(&drawing, "G", (double[3]){0, 0, 10}, (double[3]){10, 10, 10});
    add_line(&drawing, "G", (double[3]){0, 10, 10}, (double[3]){10, 0, 10.1});
    check_refused(&drawing,
                  "t:21:1: the line meets that of line 5 at 5.000, 5.000 with another height (10.050, 10.000), "
                  "allowed one height at a place");
    drawing = begin();
    add_line(&drawing, "G", (double[3]){0, 0, 10}, (double[3]){10, 10, 10});
    add_line(&drawing, "G", (double[3]){5, 5, 11}, (double[3]){10, 0, 11});
    check_refused(&drawing, "the line meets that of line 5 at 5.000, 5.000 with another height (11.000, 10.000)");
    drawing = begin();
    add_line(&drawing, "G", (double[3]){0, 0, 10}, (double[3]){10, 10, 10});
    add_line(&drawing, "G", (double[3]){10, 10, 11}, (double[3]){10, 0, 11});
    check_refused(&drawing, "a second point at 10.000, 10.000 with another height (11.000, 10.000 in line 5)");
}

TEST(lines_without_heights_are_no_surface)
{
    Drawing drawing = begin();
    add(&drawing, LIGHT("") "0\nLINE\n8\nG\n10\n0\n20\n0\n11\n4\n21\n4\n0\nPOINT\n8\nG\n10\n0\n20\n0\n");
    check_refused(&drawing, "no lines with heights (there are 3 lines and points without, 0 other meshes");
    drawing = begin();
    add_line(&drawing, "G", (double[3]){0, 0, 0}, (double[3]){10, 10, 0});
    add_point(&drawing, "G", 3, 8, 0);
    check_refused(&drawing,
                  "t:5:1: the lines and points of layer G have no height but 0: export them in three dimensions");
    drawing = begin();
    add_line(&drawing, "G", (double[3]){0, 0, 10}, (double[3]){10, 10, 10});
    check_refused(&drawing, "read 2 points, allowed 3 to 1000000");
}

/// A drawing with faces is their surface alone, unless another layer is named.
TEST(lines_count_where_there_are_no_faces)
{
    Drawing drawing = begin();
    add_ground(&drawing);
    add(&drawing, "0\n3DFACE\n8\nF\n10\n0\n20\n0\n30\n1\n11\n4\n21\n0\n31\n1\n12\n4\n22\n3\n32\n2\n");
    const char *text = end(&drawing);
    Status status;
    SurveyInfo info;
    assert_good(survey_text_check("t", text, NULL, &info, &status), status);
    assert_int_equal(info.count, 1);
    assert_string_equal(info.surfaces[0].name, "F");
    size_t size;
    char *kept = survey_text_reduce("t", text, "g", NULL, &size, &status);
    assert_good(kept != NULL, status);
    free(kept);
    free(drawing.text);
    drawing = begin();
    add_ground(&drawing);
    add_point(&drawing, "B", 1, 2, 3);
    assert_null(survey_text_reduce("t", end(&drawing), "", NULL, &size, &status));
    assert_contains(status.text, "lines lie in several layers (G, B): state which one by `surface`");
    free(drawing.text);
}

TEST_GROUP(NULL, NULL)
