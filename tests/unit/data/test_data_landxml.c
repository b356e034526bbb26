/// Survey surfaces: what is read of LandXML, where it lies on the site, and each fault with its place.
// test: sanitized
#include "data/schema/design_surface.h"
#include "data/schema/load.h"
#include "data/files/landxml.h"
#include "tests/unit/data/survey_text.h"

#define SCENE SPADEWORK_TEST_DIR "/support/house-pad.yaml"

#define HEAD                                                                                                           \
    "<?xml version=\"1.0\"?>\n"                                                                                        \
    "<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\" version=\"1.2\">\n"                                  \
    " <Units><Metric linearUnit=\"meter\"/></Units>\n"                                                                 \
    " <Surfaces>\n"                                                                                                    \
    "  <Surface name=\"pad\"><Definition surfType=\"TIN\"><Pnts>\n"
#define MIDDLE "  </Pnts><Faces>\n"
#define TAIL   "  </Faces></Definition></Surface>\n </Surfaces>\n</LandXML>\n"
/// Lines 6 to 9: a square of 4 m whose north side is 1 m higher; northing first. Lines 11 and 12: its faces, one of
/// them clockwise.
#define SQUARE                                                                                                         \
    "<P id=\"1\">5000 400 10</P>\n<P id=\"2\">5000 404 10</P>\n<P id=\"3\">5004 404 11</P>\n<P id=\"7\">5004 400 "     \
    "11</P>\n"
#define FACES "<F>1 2 3</F>\n<F>1 7 3</F>\n"

static const LandXmlPlacement place = {
    .east = 400.0, .north = 5000.0, .elevation = 10.0, .x = 1.0, .y = 2.0, .z = -0.5, .heading = M_PI / 2.0};

static bool read_text(const char *text, const char *name, Tin *tin, Status *status)
{
    return landxml_read("t.xml", text, strlen(text), name, &place, tin, status);
}

static void check_refused(const char *text, const char *says)
{
    Status status;
    Tin tin;
    if (read_text(text, "", &tin, &status)) {
        fail_msg("accepted where \"%s\" is expected", says);
    }
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, says);
    assert_null(strchr(status.text, '\n'));
    assert_null(tin.points);
}

TEST(a_surface_lies_where_the_scene_puts_it)
{
    Status status;
    Tin tin;
    assert_good(read_text(HEAD SQUARE MIDDLE FACES TAIL, "", &tin, &status), status);
    assert_int_equal(tin.point_count, 4);
    assert_int_equal(tin.face_count, 2);
    assert_int_equal(tin.side_count, 4);
    // East points to +y: the second point, 4 m east, lies 4 m along y; the fourth, 4 m north, 4 m against x.
    const double second[3] = {1.0, 6.0, -0.5}, fourth[3] = {-3.0, 2.0, 0.5};
    for (int k = 0; k < 3; k++) {
        assert_near(tin.points[1][k], second[k], 1e-9);
        assert_near(tin.points[3][k], fourth[k], 1e-9);
    }
    for (int k = 0; k < 2; k++) { // counter-clockwise
        const double *a = tin.points[tin.faces[k][0]], *b = tin.points[tin.faces[k][1]],
                     *c = tin.points[tin.faces[k][2]];
        assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0);
    }
    assert_int_equal(tin.point_places[2].line, 8);
    tin_free(&tin);
}

TEST(units_become_metres)
{
    static const struct {
        const char *unit;
        double metres;
    } units[] = {{"<Metric linearUnit=\"millimeter\"/>", 0.001},
                 {"<Imperial linearUnit=\"foot\"/>", 0.3048},
                 {"<Imperial linearUnit=\"USSurveyFoot\"/>", 1200.0 / 3937.0}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        char text[2000];
        Status status;
        Tin tin;
        snprintf(text, sizeof text, "%s", HEAD SQUARE MIDDLE FACES TAIL);
        char *at = strstr(text, "<Metric");
        snprintf(at, sizeof text - (size_t)(at - text), "%s%s", units[k].unit,
                 strstr(HEAD SQUARE MIDDLE FACES TAIL, "</Units>"));
        const LandXmlPlacement none = {.east = 0.0};
        assert_good(landxml_read("t.xml", text, strlen(text), "", &none, &tin, &status), status);
        assert_near(tin.points[2][0], 404.0 * units[k].metres, 1e-9);
        assert_near(tin.points[2][1], 5004.0 * units[k].metres, 1e-9);
        tin_free(&tin);
    }
    static const struct {
        const char *units, *says;
    } wrong[] = {{"<Metric linearUnit=\"meter\" elevationUnit=\"feet\"/>",
                  "elevationUnit: read \"feet\" beside linearUnit \"meter\", allowed one unit"},
                 {"<Metric linearUnit=\"meter\" elevationUnit=\"ell\"/>", "elevationUnit: read \"ell\""},
                 {"<Metric linearUnit=\"meter\"/></Units><CoordinateSystem rotationAngle=\"2.5\"/><Units>",
                  "rotationAngle: read 2.5, allowed 0"},
                 {"<Metric linearUnit=\"METER\" elevationUnit=\"meter\"/>", NULL},
                 {"<Imperial linearUnit=\"USSurveyFoot\" elevationUnit=\"feet\"/>", NULL},
                 {"<Metric linearUnit=\"meter\"/></Units><CoordinateSystem rotationAngle=\"0.000\"/><Units>", NULL}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[2000];
        Status status;
        Tin tin;
        snprintf(text, sizeof text, "<LandXML><Units>%s</Units>%s", wrong[k].units,
                 strstr(HEAD SQUARE MIDDLE FACES TAIL, "<Surfaces>"));
        bool good = read_text(text, "", &tin, &status);
        if (wrong[k].says != NULL) {
            assert_false(good);
            assert_contains(status.text, wrong[k].says);
        } else {
            assert_good(good, status);
            tin_free(&tin);
        }
    }
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"><Units>\n"
                  "  <Imperial linearUnit=\"rod\"/></Units></LandXML>",
                  "t.xml:2:3: linearUnit: read \"rod\", allowed meter");
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"><Surfaces><Surface><Definition "
                  "surfType=\"TIN\"><Pnts>" SQUARE "</Pnts><Faces>" FACES "</Faces></Definition></Surface></Surfaces>"
                  "</LandXML>",
                  "no Units before this surface");
}

#define SECOND                                                                                                         \
    "<Surface name=\"%s\"><Definition surfType=\"%s\"><Pnts>" SQUARE "</Pnts><Faces>" FACES                            \
    "</Faces></Definition></Surface>\n"

TEST(a_surface_is_chosen_by_its_name)
{
    char text[4000];
    Status status;
    Tin tin;
    snprintf(text, sizeof text,
             HEAD SQUARE MIDDLE FACES "  </Faces></Definition></Surface>\n" SECOND SECOND "</Surfaces></LandXML>",
             "ramp", "TIN", "raster", "grid");
    assert_false(read_text(text, "", &tin, &status));
    assert_contains(status.text, "t.xml:14:22: the file has several surfaces (pad, ramp, ...): state which one by");
    assert_good(read_text(text, "ramp", &tin, &status), status);
    assert_int_equal(tin.point_places[0].line, 14);
    tin_free(&tin);
    assert_false(read_text(text, "road", &tin, &status));
    assert_contains(status.text, "no TIN surface named road, there are pad, ramp");
    assert_false(read_text(text, "raster", &tin, &status));
    assert_contains(status.text, "surfType: read \"grid\", allowed TIN");
    SurveyInfo info;
    assert_good(survey_text_check("t.xml", text, NULL, &info, &status), status);
    assert_int_equal(info.count, 2);
    assert_string_equal(info.surfaces[1].name, "ramp");
    assert_string_equal(info.unit, "meter");
    assert_int_equal(info.surfaces[0].points, 4);
    assert_int_equal(info.surfaces[0].faces, 2);
    assert_near(info.surfaces[0].low[0], 400.0, 1e-9);
    assert_near(info.surfaces[0].high[1], 5004.0, 1e-9);
    assert_near(info.surfaces[0].high[2], 11.0, 1e-9);
    // Every surface of a file is checked, also one that no scene names.
    char *bad = strstr(strstr(text, "ramp"), "1 7 3");
    bad[2] = '9';
    assert_false(survey_text_check("t.xml", text, NULL, &info, &status));
    assert_contains(status.text, "the face names point 9");
}

TEST(texts_that_are_no_landxml_are_refused)
{
    check_refused("", "t.xml:1:1: an empty file");
    check_refused("kind: scene\n", "t.xml:1:1: ");
    check_refused("<html xmlns=\"x\"/>", "t.xml:1:1: read <html>, allowed a LandXML file");
    check_refused("<LandXML xmlns=\"urn:other\"/>",
                  "t.xml:1:1: read the namespace urn:other, allowed http://www.landxml");
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-3.0\"/>", "read the namespace");
    static const char *const spaces[] = {"", " xmlns=\"http://www.landxml.org/schema/LandXML-1.0\"",
                                         " xmlns=\"http://www.landxml.org/schema/LandXML-2.0\"",
                                         " xmlns=\"http://www.inframodel.fi/inframodel\""};
    for (size_t k = 0; k < sizeof spaces / sizeof spaces[0]; k++) {
        char text[2000];
        Status status;
        Tin tin;
        snprintf(text, sizeof text, "<LandXML%s>%s", spaces[k], strstr(HEAD SQUARE MIDDLE FACES TAIL, "<Units>"));
        assert_good(read_text(text, "", &tin, &status), status);
        tin_free(&tin);
    }
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"/>",
                  "no TIN surface (Surfaces/Surface/Definition with surfType=\"TIN\"): export the surface");
    check_refused(HEAD SQUARE "</Pnts></Definition></Surface></Surfaces></LandXML>", "export it with its triangles");
    check_refused(HEAD SQUARE MIDDLE, "t.xml:11:1: ");
    check_refused(HEAD SQUARE "</Faces>", "t.xml:10:");
}

TEST(no_other_file_and_no_entity_is_followed)
{
    check_refused("<?xml version=\"1.0\"?>\n<!DOCTYPE LandXML SYSTEM \"file:///etc/passwd\">\n<LandXML/>",
                  "t.xml:2:1: read a DOCTYPE, allowed none");
    check_refused("<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n<l>&b;</l>",
                  "read a DOCTYPE, allowed none");
    check_refused(HEAD "<P id=\"1\">&x; 400 10</P>\n" MIDDLE FACES TAIL, "t.xml:6:");
    // XML's own signs are no entities of one's own.
    Status status;
    Tin tin;
    assert_good(read_text(HEAD "<P id=\"1\">&#53;000 400<!-- &amp; --> <![CDATA[10]]></P>\n<P id=\"2\">5000 404 10</P>"
                               "<P id=\"3\">5004 404 11</P>" MIDDLE "<F>1 2 3</F>" TAIL,
                          "", &tin, &status),
                status);
    tin_free(&tin);
}

TEST(wrong_points_and_faces_are_told_with_their_place)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {HEAD "<P id=\"1\">5000 nan 10</P>\n" MIDDLE FACES TAIL, "t.xml:6:1: point 1: read nan, allowed a number"},
        {HEAD "<P id=\"1\">5000 400 -inf</P>\n" MIDDLE FACES TAIL, "t.xml:6:1: point 1: read -inf, allowed"},
        {HEAD "<P id=\"1\">0x10 400 10</P>\n" MIDDLE FACES TAIL, "t.xml:6:1: point 1: read 0x10, allowed"},
        {HEAD "<P id=\"1\">1e9 400 10</P>\n" MIDDLE FACES TAIL,
         "t.xml:6:1: point 1: read 1e9, allowed a number, -1e+08"},
        {HEAD "<P id=\"1\">5000 400</P>\n" MIDDLE FACES TAIL,
         "t.xml:6:1: point 1: read 2 numbers, allowed 3: northing"},
        {HEAD "<P id=\"1\">1 2 3 4</P>\n" MIDDLE FACES TAIL, "t.xml:6:1: point 1: read more than 3 numbers"},
        {HEAD "  <P>5000 400 10</P>\n" MIDDLE FACES TAIL, "t.xml:6:3: id: read \"\", allowed a whole number"},
        {HEAD "<P id=\"-1\">5000 400 10</P>\n" MIDDLE FACES TAIL, "t.xml:6:1: id: read \"-1\", allowed"},
        {HEAD SQUARE "  <P id=\"2\">1 2 3</P>\n" MIDDLE FACES TAIL,
         "t.xml:10:3: a second point 2 (the first in line 7)"},
        {HEAD SQUARE MIDDLE "<F>1 2 3</F>\n <F>1 3 4</F>\n" TAIL,
         "t.xml:12:2: the face names point 4, which the surface does not have"},
        {HEAD SQUARE MIDDLE "<F>1 2</F>\n" TAIL, "t.xml:11:1: face: read 2 ids, allowed 3"},
        {HEAD SQUARE MIDDLE "<F>1 2 3 7</F>\n" TAIL,
         "t.xml:11:1: face: read more than 3 ids, allowed 3: export it again as triangles"},
        {HEAD SQUARE MIDDLE "<F>1 2 3</F>\n <F i=\"yes\">1 7 3</F>\n" TAIL,
         "t.xml:12:2: i: read \"yes\", allowed 1 or true"},
        {HEAD SQUARE MIDDLE "<F>1 2 three</F>\n" TAIL, "t.xml:11:1: face: read three, allowed the id of a point"},
        {HEAD SQUARE MIDDLE "<F i=\"1\">1 2 3</F>\n" TAIL, "the surface has no faces that are visible"},
        {HEAD SQUARE MIDDLE "<F>1 2 2</F>\n<F>1 3 1</F>" TAIL,
         "t.xml:11:1: no face of the surface has an area in plan (this is the first of 2)"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        check_refused(wrong[k].text, wrong[k].says);
    }
}

TEST(surfaces_that_cannot_be_built_to_are_refused)
{
    // A third face at the diagonal, beside a fifth point.
    check_refused(HEAD SQUARE "<P id=\"4\">5003 402.5 12</P>\n" MIDDLE FACES "<F>1 3 4</F>\n" TAIL,
                  "t.xml:14:1: 3 faces meet in one edge at x -1.00, y 4.00 on the site (the first in line 12)");
    // Folded: both faces lie on one side of the edge 1-2.
    check_refused(HEAD SQUARE MIDDLE "<F>1 2 3</F>\n<F>2 1 7</F>\n" TAIL,
                  "t.xml:12:1: the face overlaps that of line 11: both lie on one side of their edge");
    // One lies on another, without that any side crosses one of the other's.
    check_refused(HEAD SQUARE
                  "<P id=\"4\">5002 402 1</P><P id=\"5\">5002 403 1</P><P id=\"6\">5003 403 1</P>\n" MIDDLE FACES
                  "<F>4 5 6</F>\n" TAIL,
                  "faces overlap in plan: 2 lie over the middle of this one");
    check_refused(HEAD SQUARE
                  "<P id=\"4\">5002 402 1</P><P id=\"5\">5002 413 1</P><P id=\"6\">5003 413 1</P>\n" MIDDLE FACES
                  "<F>4 5 6</F>\n" TAIL,
                  "faces overlap in plan: a side of this face crosses one of the face of line 1");
}

TEST(what_measures_nothing_is_left_out_and_told)
{
    static const struct {
        const char *text;
        int faces, sides;
        const char *says;
    } cases[] = {
        {HEAD SQUARE MIDDLE FACES TAIL, 2, 4, ""},
        // A face that is a line, at the rim; equal points; a face that stands upright; one that names a point twice.
        {HEAD SQUARE "<P id=\"4\">5000 402 10</P>\n" MIDDLE FACES "<F>1 4 2</F>\n" TAIL, 2, 4,
         "t.xml:14:1: 1 face has no area in plan and is left out"},
        {HEAD SQUARE "<P id=\"4\">5000 404 12</P>\n" MIDDLE FACES "<F>1 4 2</F>\n" TAIL, 2, 4,
         "t.xml:14:1: 1 face has no area in plan and is left out"},
        {HEAD SQUARE MIDDLE FACES "<F>1 2 2</F>\n<F>3 3 3</F>\n" TAIL, 2, 4,
         "t.xml:13:1: 2 faces have no area in plan and are left out; this is the first"},
        // A sliver between two faces leaves no crack: a point on a side that one of them has alone.
        {HEAD SQUARE "<P id=\"4\">5002 402 10.5</P>\n" MIDDLE "<F>1 2 3</F><F>1 4 7</F><F>4 3 7</F><F>1 3 4</F>\n" TAIL,
         3, 4, "t.xml:12:37: 1 face has no area in plan and is left out"},
        // Twice, and twice around another corner.
        {HEAD SQUARE MIDDLE FACES "<F>2 3 1</F>\n<F>1 7 3</F>\n" TAIL, 2, 4,
         "t.xml:13:1: 2 faces stand there twice and are taken once; this is the first"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        Tin tin;
        char text[512];
        assert_good(read_text(cases[k].text, "", &tin, &status), status);
        tin_tell_left_out(&tin, "t.xml", text, sizeof text);
        assert_string_equal(text, cases[k].says);
        assert_int_equal(tin.face_count, cases[k].faces);
        assert_int_equal(tin.side_count, cases[k].sides);
        assert_int_equal(tin.loop_count, 1);
        tin_free(&tin);
        Findings findings = {0};
        SurveyInfo info;
        assert_good(survey_text_check("t.xml", cases[k].text, &findings, &info, &status), status);
        assert_int_equal(findings.count, cases[k].says[0] != '\0');
        assert_int_equal(findings.faults, 0);
    }
}

/// Two squares side by side, with a wall of 2 m between: points of two heights at each end of it, and its two faces.
TEST(a_wall_is_a_step)
{
    static const char text[] = HEAD SQUARE "<P id=\"11\">5000 404 8</P><P id=\"12\">5004 404 8</P><P id=\"13\">5004 "
                                           "408 8</P><P id=\"14\">5000 408 8</P>" MIDDLE FACES
                                           "<F>11 12 13</F><F>11 13 14</F><F>2 3 12</F><F>2 12 11</F>" TAIL;
    Status status;
    Tin tin;
    assert_good(read_text(text, "", &tin, &status), status);
    assert_int_equal(tin.face_count, 4);
    assert_int_equal(tin.side_count, 6);
    assert_int_equal(tin.loop_count, 1);
    tin_free(&tin);
}

/// A ring of faces around a gap: an outer square of 6 m and an inner one of 2 m, whose middle lies 3 m east and north
/// of the first point.
#define RING                                                                                                           \
    "<P id=\"1\">5000 400 1</P><P id=\"2\">5000 406 1</P><P id=\"3\">5006 406 1</P><P id=\"4\">5006 400 1</P>\n"       \
    "<P id=\"5\">5002 402 1</P><P id=\"6\">5002 404 1</P><P id=\"7\">5004 404 1</P><P id=\"8\">5004 402 1</P>\n"
#define RING_FACES "<F>1 2 6</F><F>1 6 5</F><F>2 3 7</F><F>2 7 6</F><F>3 4 8</F><F>3 8 7</F><F>4 1 5</F><F>4 5 8</F>\n"

TEST(holes_and_pieces_are_kept)
{
    static const struct {
        const char *text;
        int sides, loops;
    } cases[] = {
        {HEAD RING MIDDLE RING_FACES TAIL, 8, 2},
        {HEAD RING MIDDLE RING_FACES "<F>5 6 7</F><F>5 7 8</F>" TAIL, 4, 1},
        // A face that is invisible leaves a hole, too.
        {HEAD RING MIDDLE RING_FACES "<F>5 6 7</F><F i=\"1\">5 7 8</F>\n" TAIL, 7, 2},
        {HEAD RING MIDDLE RING_FACES "<F i=\"0\">5 6 7</F><F i=\"true\">5 7 8</F>\n" TAIL, 7, 2},
        // A hole that touches the outline; it is walked with it.
        {HEAD RING MIDDLE "<F>1 2 6</F><F>2 3 7</F><F>2 7 6</F><F>3 4 8</F><F>3 8 7</F><F>4 1 8</F>\n" TAIL, 8, 0},
        // A crack: a point on a side that only one of two faces has.
        {HEAD SQUARE "<P id=\"4\">5002 402 10.5</P>\n" MIDDLE "<F>1 2 3</F><F>1 4 7</F><F>4 3 7</F>\n" TAIL, 7, 0},
        // Two pieces, and two that hang together at one point.
        {HEAD SQUARE "<P id=\"4\">5010 410 1</P><P id=\"5\">5010 411 1</P><P id=\"6\">5011 411 1</P>\n" MIDDLE FACES
                     "<F>4 5 6</F>\n" TAIL,
         7, 2},
        {HEAD SQUARE "<P id=\"4\">5005 404 1</P><P id=\"5\">5005 406 1</P>\n" MIDDLE FACES "<F>3 5 4</F>\n" TAIL, 7, 0},
        // A piece in a hole.
        {HEAD RING
         "<P id=\"9\">5002.5 402.5 1</P><P id=\"10\">5002.5 403 1</P><P id=\"11\">5003 403 1</P>" MIDDLE RING_FACES
         "<F>9 10 11</F>" TAIL,
         11, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        Tin tin;
        assert_good(read_text(cases[k].text, "", &tin, &status), status);
        assert_int_equal(tin.side_count, cases[k].sides);
        assert_true(cases[k].loops == 0 || tin.loop_count == cases[k].loops);
        for (int loop = 0; loop < tin.loop_count; loop++) { // every loop comes back
            int first = tin.loops[loop], last = tin.loops[loop + 1] - 1;
            for (int n = first; n <= last; n++) {
                const double *end = tin.points[tin.sides[n][1]];
                const double *next = tin.points[tin.sides[n < last ? n + 1 : first][0]];
                assert_true(end[0] == next[0] && end[1] == next[1]);
            }
        }
        tin_free(&tin);
    }
}

/// A strip of 1 m that winds around a middle by 1.25 turns: its ends lie over one another though no edge has more than
/// two faces.
TEST(a_surface_that_winds_over_itself_is_refused)
{
    char points[4000] = "", faces[4000] = "", text[9000];
    for (int k = 0; k <= 20; k++) {
        double angle = 2.0 * M_PI * k / 16.0;
        for (int ring = 0; ring < 2; ring++) {
            size_t length = strlen(points);
            double radius = 3.0 + ring + 0.01 * k;
            snprintf(points + length, sizeof points - length, "<P id=\"%d\">%.6f %.6f %d</P>\n", 2 * k + ring + 1,
                     radius * sin(angle), radius * cos(angle), k);
        }
        if (k > 0) {
            size_t length = strlen(faces);
            int a = 2 * k - 1;
            snprintf(faces + length, sizeof faces - length, "<F>%d %d %d</F><F>%d %d %d</F>\n", a, a + 1, a + 3, a,
                     a + 3, a + 2);
        }
    }
    snprintf(text, sizeof text, "%s%s%s%s%s", HEAD, points, MIDDLE, faces, TAIL);
    check_refused(text, "faces overlap in plan");
}

TEST(there_are_bounds)
{
    Tin tin = {.point_count = TIN_MOST_POINTS, .face_count = TIN_MOST_FACES};
    Status status;
    assert_false(tin_add_point(&tin, "t.xml", (double[3]){0.0}, (TinPlace){7, 1}, &status));
    assert_string_equal(status.text, "t.xml:7:1: more than 3000000 points, allowed at most that many");
    assert_false(tin_add_face(&tin, "t.xml", (int[3]){0}, (TinPlace){7, 2}, &status));
    assert_string_equal(status.text, "t.xml:7:2: more than 2000000 faces, allowed at most that many");
    check_refused(HEAD
                  "<P id=\"1\">5000                                                                                 "
                  "                                                                                                "
                  "                                                                                                "
                  "400 10</P>\n" MIDDLE FACES TAIL,
                  "t.xml:6:1: more than 255 characters");
    char deep[3000] = HEAD;
    for (int k = 0; k < 300; k++) {
        strcat(deep, "<a>");
    }
    check_refused(deep, "t.xml:6:");
}

TEST(heights_are_those_of_the_faces)
{
    static const char text[] = HEAD RING MIDDLE RING_FACES "<F>5 6 7</F><F>5 7 8</F>" TAIL;
    SceneExercise exercise = {.surface = {.tolerance = 0.02,
                                          .file = "t",
                                          .east = 403.0,
                                          .north = 5003.0,
                                          .elevation = 1.0,
                                          .z = 0.25,
                                          .text = text,
                                          .text_size = sizeof text - 1}};
    Status status;
    DesignSurface *design = design_create(&exercise, DESIGN_OF_WORK, "t.xml", &status);
    assert_non_null(design);
    for (int k = 0; k < 2000; k++) {
        double x = -3.5 + 7.0 * (k % 50) / 49.0, y = -3.5 + 7.0 * (k / 50) / 39.0, z = 9.0;
        bool inside = fabs(x) <= 3.0 && fabs(y) <= 3.0;
        assert_int_equal(design_height(design, x, y, &z), inside);
        assert_near(z, inside ? 0.25 : 9.0, 1e-9);
        double inset = 3.0 - fmax(fabs(x), fabs(y));
        assert_int_equal(design_holds(design, x, y, 0.4), inset >= 0.4);
        assert_int_equal(design_holds(design, x, y, 2.0), inset >= 2.0);
    }
    design_destroy(design);
    // Without its text nothing is asked for.
    exercise.surface.text = NULL;
    design = design_create(&exercise, DESIGN_OF_WORK, "t.xml", &status);
    assert_true(design != NULL && design_is_empty(design));
    design_destroy(design);
}

/// Corners of an L whose sides have a point each 10 cm, and a square hole: as few lines as there are corners.
TEST(the_outline_keeps_its_corners)
{
    enum { FINE = 60 }; // cells a side
    size_t room = 400000, length = 0;
    char *text = malloc(room);
    assert_non_null(text);
    length += (size_t)snprintf(text, room, HEAD);
    for (int k = 0; k < (FINE + 1) * (FINE + 1); k++) {
        length += (size_t)snprintf(text + length, room - length, "<P id=\"%d\">%.1f %.1f 1</P>\n", k + 1,
                                   0.1 * (k / (FINE + 1)), 0.1 * (k % (FINE + 1)));
    }
    length += (size_t)snprintf(text + length, room - length, MIDDLE);
    for (int k = 0; k < FINE * FINE; k++) {
        int i = k % FINE, j = k / FINE, a = j * (FINE + 1) + i + 1, d = a + FINE + 1;
        bool out = (i >= FINE / 2 && j >= FINE / 2) || (i >= 10 && i < 20 && j >= 10 && j < 20);
        if (!out) {
            length += (size_t)snprintf(text + length, room - length, "<F>%d %d %d</F><F>%d %d %d</F>\n", a, a + 1,
                                       d + 1, a, d + 1, d);
        }
    }
    length += (size_t)snprintf(text + length, room - length, TAIL);
    SceneExercise exercise = {.surface = {.tolerance = 0.02, .file = "t", .text = text, .text_size = length}};
    Status status;
    DesignSurface *design = design_create(&exercise, DESIGN_OF_WORK, "t.xml", &status);
    assert_non_null(design);
    DesignLine lines[DESIGN_LINES];
    assert_int_equal(design_lines(design, lines, DESIGN_LINES), 6 + 4);
    int starts = 0;
    for (int k = 0; k < 10; k++) {
        starts += lines[k].starts;
        assert_true(lines[k].corner);
        assert_near(fmod(10.0 * lines[k].a.x + 0.5, 10.0), 0.5, 1e-6); // corners lie on whole metres
        assert_near(fmod(10.0 * lines[k].a.y + 0.5, 10.0), 0.5, 1e-6);
    }
    assert_int_equal(starts, 2);
    design_destroy(design);
    free(text);
}

TEST(a_scene_keeps_its_survey_and_loads_from_it)
{
    static SceneParams scene, again;
    static MachineParams machine;
    DataFiles files = {0};
    Status status;
    assert_good(data_load_scene(SCENE, NULL, 0, &scene, &machine, &files, &status), status);
    const DataFile *kept = data_files_find(&files, "surfaces", "house-pad");
    assert_non_null(kept);
    assert_true(scene.exercise.surface.text == kept->text);
    assert_good(data_load_scene_from_files(&files, &again, &machine, &status), status);
    DesignSurface *design = design_create(&again.exercise, DESIGN_OF_SURFACE, NULL, &status);
    double z = 9.0;
    assert_true(design_height(design, -1.0, 1.0, &z));
    assert_near(z, -0.2, 1e-6);
    assert_true(design_height(design, 6.0, 0.5, &z));
    assert_near(z, -0.1, 1e-6);
    assert_false(design_height(design, 6.0, 2.5, &z)); // an invisible face
    design_destroy(design);
    data_files_free(&files);
    assert_true(data_load_scene(SCENE, NULL, 0, &scene, &machine, NULL, &status));
    assert_true(scene.exercise.surface.text == NULL && scene_has_part(&scene.exercise, METRIC_OF_SURFACE));
}

TEST(a_scene_tells_faults_of_its_survey_with_both_places)
{
    static const struct {
        const char *set, *says[2];
    } wrong[] = {
        {"exercise.surface.file=nosuch",
         {"house-pad.yaml:26:11: exercise.surface.file: ", "no surface named nosuch in"}},
        {"exercise.surface.surface=road", {"exercise.surface.file: ", "house-pad.xml:1:1: no TIN surface named road"}},
        {"exercise.surface.east=0",
         {"exercise.surface.file: ", "the surface reaches from 412356, -3 to 412368, 3, allowed on the site"}},
        {"exercise.surface.elevation=160",
         {"exercise.surface.file: ", "reaches down to -12.85, allowed above bedrock (-3)"}},
        {"exercise.surface.length=3", {"exercise.surface.length", "does not belong to a surface of file"}},
        {"exercise.surface.heights=swale", {"exercise.surface", "read several of parts, file and heights"}},
        {"exercise.surface.east=nan", {"exercise.surface.east", "read nan"}},
    };
    static SceneParams scene;
    static MachineParams machine;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        assert_false(data_load_scene(SCENE, &wrong[k].set, 1, &scene, &machine, NULL, &status));
        assert_contains(status.text, wrong[k].says[0]);
        assert_contains(status.text, wrong[k].says[1]);
    }
}

/// ---- crops ---------------------------------------------------------------------------------------------------------

/// A hilly ground of SIDE x SIDE cells of 1.5 m, whose points lie off the raster; coordinates of a national grid.
enum { SIDE = 24 };
#define EAST  412000.0
#define NORTH 5650000.0

static void hill_point(int i, int j, double at[3])
{
    unsigned seed = (unsigned)(i * 131 + j * 7919) * 2654435761u;
    at[0] = EAST + 1.5 * i + 0.4 * ((seed >> 8 & 1023) / 1023.0 - 0.5);
    at[1] = NORTH + 1.5 * j + 0.4 * ((seed >> 18 & 1023) / 1023.0 - 0.5);
    at[2] = 147.0 + 0.8 * sin(0.4 * i) * cos(0.3 * j);
}

static char *write_hill(void)
{
    size_t room = 1000 + 100 * (SIDE + 1) * (SIDE + 1) + 80 * SIDE * SIDE, length = 0;
    char *text = malloc(room);
    assert_non_null(text);
    length += (size_t)snprintf(text, room,
                               "<LandXML><Units><Metric linearUnit=\"meter\"/></Units><Surfaces>"
                               "<Surface name=\"A &amp; \"><Definition surfType=\"TIN\"><Pnts>\n");
    for (int k = 0; k < (SIDE + 1) * (SIDE + 1); k++) {
        double at[3];
        hill_point(k % (SIDE + 1), k / (SIDE + 1), at);
        length += (size_t)snprintf(text + length, room - length, "<P id=\"%d\">%.6f %.6f %.6f</P>\n", 7 * k + 3, at[1],
                                   at[0], at[2]);
    }
    length += (size_t)snprintf(text + length, room - length, "</Pnts><Faces>\n");
    for (int k = 0; k < SIDE * SIDE; k++) {
        int corner = k / SIDE * (SIDE + 1) + k % SIDE, ids[4];
        for (int c = 0; c < 4; c++) {
            ids[c] = 7 * (corner + c % 2 + c / 2 * (SIDE + 1)) + 3;
        }
        length += (size_t)snprintf(text + length, room - length, "<F>%d %d %d</F><F>%d %d %d</F>\n", ids[0], ids[1],
                                   ids[3], ids[0], ids[3], ids[2]);
    }
    snprintf(text + length, room - length, "</Faces></Definition></Surface></Surfaces></LandXML>\n");
    return text;
}

/// The height of the hill at a place by looking at every triangle; by areas, not as the program does it.
static bool hill_height(double x, double y, double *height)
{
    for (int k = 0; k < 2 * SIDE * SIDE; k++) {
        int i = k / 2 % SIDE, j = k / 2 / SIDE;
        double p[3][3];
        hill_point(i, j, p[0]);
        hill_point(i + 1, j + 1, p[1]);
        hill_point(i + (k % 2 == 0), j + (k % 2 != 0), p[2]);
        long double whole = 0.0L, sum = 0.0L, z = 0.0L;
        for (int c = 0; c < 3; c++) {
            const double *a = p[(c + 1) % 3], *b = p[(c + 2) % 3];
            long double of_c = fabsl(((long double)a[0] - x) * ((long double)b[1] - y) -
                                     ((long double)a[1] - y) * ((long double)b[0] - x));
            sum += of_c;
            z += of_c * p[c][2];
        }
        whole = fabsl(((long double)p[1][0] - p[0][0]) * ((long double)p[2][1] - p[0][1]) -
                      ((long double)p[1][1] - p[0][1]) * ((long double)p[2][0] - p[0][0]));
        if (sum <= whole * (1.0L + 1e-9L)) {
            *height = (double)(z / sum);
            return true;
        }
    }
    return false;
}

TEST(a_crop_has_the_heights_of_the_whole)
{
    static const SurveyCrop crops[] = {{EAST + 18.0, NORTH + 17.0, 9.0, 6.5, "the crop"}, // inside
                                       {EAST + 2.0, NORTH + 34.0, 11.0, 8.0, "the crop"}, // over a corner of the survey
                                       {EAST + 16.5, NORTH + 18.0, 100.0, 100.0, "the crop"}}; // all of it
    char *text = write_hill();
    for (size_t k = 0; k < sizeof crops / sizeof crops[0]; k++) {
        const SurveyCrop *crop = &crops[k];
        size_t size = 0;
        Status status;
        char *reduced = survey_text_reduce("t.xml", text, "A & ", crop, &size, &status);
        assert_good(reduced != NULL, status);
        SceneExercise exercise = {.surface = {.tolerance = 0.02,
                                              .file = "t",
                                              .name = "A & ",
                                              .east = crop->east,
                                              .north = crop->north,
                                              .elevation = 147.0,
                                              .text = reduced,
                                              .text_size = size}};
        DesignSurface *design = design_create(&exercise, DESIGN_OF_WORK, "t.xml", &status);
        assert_non_null(design);
        int found = 0;
        for (int n = 0; n < 400; n++) {
            double x = (n % 20 / 19.0 - 0.5) * (crop->length + 1.0), y = (n / 20 / 19.0 - 0.5) * (crop->width + 1.0);
            double height = 0.0, expected = 0.0;
            bool inside = fabs(x) < 0.5 * crop->length && fabs(y) < 0.5 * crop->width &&
                          hill_height(crop->east + x, crop->north + y, &expected);
            assert_int_equal(design_height(design, x, y, &height), inside);
            if (inside) {
                assert_near(height, expected - 147.0, 1e-4);
                found++;
            }
        }
        assert_true(found > 40);
        design_destroy(design);
        free(reduced);
    }
    // Where nothing is.
    size_t size = 0;
    Status status;
    assert_null(
        survey_text_reduce("t.xml", text, "", &(SurveyCrop){NORTH, EAST, 9.0, 9.0, "the crop"}, &size, &status));
    assert_contains(status.text, "t.xml:1:");
    assert_contains(status.text, "nothing of the surface lies in the crop");
    free(text);
}

TEST_GROUP(NULL, NULL)
