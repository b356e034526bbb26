/// Surfaces of lists of points: columns, grids, triangles, holes, and each fault with its place.
// test: sanitized
#include <math.h>

#include "data/files/landxml.h"
#include "tests/unit/data/survey_text.h"

enum { MOST_TEXT = 200000 };

static SurveySurface check_good(const char *text)
{
    Status status;
    SurveyInfo info;
    assert_good(survey_text_check("t", text, NULL, &info, &status), status);
    assert_string_equal(info.format, "points");
    assert_int_equal(info.count, 1);
    return info.surfaces[0];
}

/// Writes points of a slope of 1 cm a metre; false leaves one out.
static char *write_points(int count, bool put(int k, double at[2]))
{
    char *text = malloc(MOST_TEXT);
    size_t length = 0;
    assert_non_null(text);
    for (int k = 0; k < count; k++) {
        double at[2];
        if (put(k, at)) {
            length += (size_t)snprintf(text + length, MOST_TEXT - length, "%.3f %.3f %.4f\n", at[0], at[1],
                                       100.0 + 0.01 * at[0]);
        }
    }
    return text;
}

TEST(columns_are_read_in_the_order_that_is_stated)
{
    static const char *const texts[] = {"1000 50 7\n1004 50 8\n1000 53 9\n",
                                        "  1000   50   7.0  \r\n1004\t50\t8\r\n1000\t53\t9\r\n",
                                        "# a comment\n\n// another\n1000;50;7\n1004;50;8\n1000;53;9\n",
                                        "\xef\xbb\xbfx,y,z\n1000,50,7\n1004,50,8\n1000,53,9\n",
                                        "1000,50,7\n1004,50,8\n1000,53,9",
                                        "1000, 50, 7\n1004, 50, 8\n1000, 53, 9",
                                        "1000,0;50,0;7,0\n1004,0;50,0;8,0\n1000,0;53,0;9,0\n",
                                        "1000,0 50,0 7,0\n1004,0 50,0 8,0\n1000,0 53,0 9,0\n",
                                        "P,N,E,Z,Code\nA1,50,1000,7,tree\n\"A2\",50,1004,8,\nA3,53,1000,9,kerb\n",
                                        "Punkt;Rechtswert;Hochwert;H\u00f6he\n1;1000;50;7\n2;1004;50;8\n3;1000;53;9\n",
                                        "3\n1000 50 7 128 0 0 0\n1004 50 8 128 0 0 0\n1000 53 9 128 0 0 0\n",
                                        "1000.5 50.5 7.5 255 0 0\n1000 50 7 0 0 0\n1004 50 8 0 0 0\n1000 53 9 0 0 0\n",
                                        "1000 50 7\n1004 50 8\n1000 53 9\n1000 50 7.001\n", // once more
                                        "1000 50 7\n1004 50 8\n1000 53 9\n1002 51 nan\n1002 51 -9999\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        SurveySurface surface = check_good(texts[k]);
        assert_int_equal(surface.points, k == 11 ? 4 : 3);
        assert_near(surface.low[0], 1000.0, 1e-9);
        assert_near(surface.high[0], 1004.0, 1e-9);
        assert_near(surface.low[1], 50.0, 1e-9);
        assert_near(surface.high[1], 53.0, 1e-9);
        assert_near(surface.low[2], 7.0, 1e-9);
        assert_near(surface.high[2], 9.0, 1e-9);
    }
}

TEST(wrong_lists_are_told_with_their_place)
{
    survey_text_refused("1000 2000 3\n", "t:1:1: read 1 points, allowed at least 3");
    survey_text_refused(
        "1 5.5 4.5 7\n2 5.5 4.5 8\n3 5.5 4.5 7\n",
        "t:1:1: the first column seems to number the points: name the columns in a first line, for example "
        "\"name,east,north,height\"");
    survey_text_refused("P1 5.5 4.5 7\nP2 5.5 4.5 8\n", "t:1:1: the first column is no number: name the columns");
    survey_text_refused("x,y,code\n1,2,3\n", "t:1:1: the first line does not name east, north and height");
    survey_text_refused("x,east,y,z\n1,1,2,3\n", "two columns of east (x, east), allowed one");
    survey_text_refused("1 2 3\n4 five 6\n",
                        "t:2:1: north: read \"five\" in column 2, allowed a number, -1e+08 to 1e+08");
    survey_text_refused("x;y;z\n1;2;3\n4;5\n", "t:3:1: height: read \"\" in column 3");
    survey_text_refused("1 2 3\n4 5e9 6\n", "north: read \"5e9\" in column 2");
    survey_text_refused("1,234.5;2;3\n", "t:1:1: the first column is no number");
    survey_text_refused("4\n1 2 3\n4 5 6\n7 8 9\n", "t:4:1: read 3 points, the first line announces 4");
    survey_text_refused("1 2 3\n4 5 6\n1 2 3.1\n",
                        "t:3:1: a second point at 1.000, 2.000 with another height (3.100, 3.000 in line 1)");
    survey_text_refused("0 0 3\n2 2 3\n3 3 3\n7 7 3\n",
                        "the points cannot be joined to triangles: do they all lie on a line?");
    survey_text_refused("11.5761 48.1371 520\n11.5772 48.1371 521\n11.5763 48.1382 522\n", "seem to be in degrees");
    Status status;
    size_t size;
    assert_null(survey_text_reduce("t", "1 2 3\n4 5 6\n1 3 3\n", "pad", NULL, &size, &status));
    assert_contains(status.text, "no surface named pad: a list of points has one without a name");
}

/// ---- grids ---------------------------------------------------------------------------------------------------------

/// 12 x 9 places in an order of its own, with a hole.
static bool put_grid(int k, double at[2])
{
    int cell = k * 35 % 108; // each once
    at[0] = 500.0 + cell % 12 * 0.25;
    at[1] = 300.0 + cell / 12 * 0.5; // NOLINT: whole rows
    return !(cell % 12 > 4 && cell % 12 < 7 && cell / 12 == 4);
}

TEST(points_on_a_grid_are_what_the_grid_is)
{
    char *points = write_points(108, put_grid), grid[4000];
    size_t length =
        (size_t)snprintf(grid, sizeof grid, "ncols 12\nnrows 9\nxllcenter 500\nyllcenter 300\ndx 0.25\ndy 0.5\n");
    for (int cell = 0; cell < 108; cell++) {
        int column = cell % 12, row = 8 - cell / 12;
        bool hole = column > 4 && column < 7 && row == 4;
        length += (size_t)snprintf(grid + length, sizeof grid - length, "%.4f\n",
                                   hole ? -9999.0 : 100.0 + 0.01 * (500.0 + column * 0.25));
    }
    static const SurveyCrop crop = {.east = 501.0, .north = 302.0, .length = 2.0, .width = 1.2, .called = "the crop"};
    for (int cropped = 0; cropped < 2; cropped++) {
        size_t sizes[2] = {0, 0};
        Status status;
        char *of_points = survey_text_reduce("t", points, "", cropped ? &crop : NULL, &sizes[0], &status);
        assert_good(of_points != NULL, status);
        char *of_grid = survey_text_reduce("t", grid, "", cropped ? &crop : NULL, &sizes[1], &status);
        assert_good(of_grid != NULL, status);
        assert_string_equal(of_points, of_grid);
        free(of_points);
        free(of_grid);
    }
    free(points);
}

/// ---- triangles -----------------------------------------------------------------------------------------------------

/// Points without order on 40 x 30 m, with a hole of 12 x 10 m.
static bool put_scattered(int k, double at[2])
{
    at[0] = 1000.0 + floor(fmod(k * 0.7548776662, 1.0) * 40000.0) / 1000.0;
    at[1] = 2000.0 + floor(fmod(k * 0.5698402910, 1.0) * 30000.0) / 1000.0;
    return !(fabs(at[0] - 1020.0) < 6.0 && fabs(at[1] - 2015.0) < 5.0);
}

TEST(a_hole_in_scattered_points_stays_open)
{
    char *text = write_points(1500, put_scattered);
    SurveySurface surface = check_good(text);
    assert_int_equal(surface.loops, 2);
    assert_true(surface.longest > 2.0 && surface.longest < 8.0 && surface.long_count > 0);
    // A longer edge is allowed on demand, and a text is of one surface then.
    char *kept = NULL, left_out[SURVEY_LEFT_OUT];
    size_t size = 0;
    Status status;
    for (int k = 0; k < 2; k++) {
        Tin tin;
        FILE *file = survey_text_open(text);
        assert_good(survey_reduce("t", file, "", NULL, k == 0 ? 0.0 : 20.0, &kept, &size, left_out, &status), status);
        fclose(file);
        assert_good(landxml_read("kept", kept, size, "", NULL, &tin, &status), status);
        assert_int_equal(tin.loop_count, k == 0 ? 2 : 1);
        for (int n = 0; n < tin.point_count; n++) { // the heights are a plane
            assert_near(tin.points[n][2], 100.0 + 0.01 * tin.points[n][0], 1e-4);
        }
        tin_free(&tin);
        free(kept);
    }
    FILE *file = survey_text_open(text);
    assert_false(survey_reduce("t", file, "", NULL, 0.1, &kept, &size, left_out, &status));
    fclose(file);
    assert_contains(status.text, "no triangle between the points has edges of at most 0.10 m");
    file = survey_text_open("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n");
    assert_false(survey_reduce("t", file, "", NULL, 2.0, &kept, &size, left_out, &status));
    fclose(file);
    assert_contains(status.text,
                    "longest_edge: read 2 for a surface of ESRI ASCII grid, allowed for a list of points or lines");
    free(text);
}

/// All of the crop has a height.
TEST(a_crop_takes_part_of_scattered_points)
{
    char *text = write_points(1500, put_scattered);
    static const SurveyCrop crop = {.east = 1008.0, .north = 2008.0, .length = 8.0, .width = 6.0, .called = "the crop"};
    Status status;
    Tin tin;
    size_t size = 0;
    char *kept = survey_text_reduce("t", text, "", &crop, &size, &status);
    assert_good(kept != NULL, status);
    assert_good(landxml_read("kept", kept, size, "", NULL, &tin, &status), status);
    double area = 0.0;
    for (int k = 0; k < tin.face_count; k++) {
        const double *a = tin.points[tin.faces[k][0]], *b = tin.points[tin.faces[k][1]],
                     *c = tin.points[tin.faces[k][2]];
        area += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    assert_near(area, 48.0, 1e-3);
    tin_free(&tin);
    free(kept);
    static const SurveyCrop away = {.east = 9008.0, .north = 2008.0, .length = 8.0, .width = 6.0, .called = "the crop"};
    assert_null(survey_text_reduce("t", text, "", &away, &size, &status));
    assert_contains(status.text, "nothing of the surface lies in the crop, east 9004.00 to 9012.00");
    free(text);
}

TEST_GROUP(NULL, NULL)
