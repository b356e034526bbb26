/// Survey surfaces: what is read of LandXML, where it lies on the site, and each fault with its place.
// test: sanitized
#include "data/schema/design_surface.h"
#include "data/schema/load.h"
#include "data/files/landxml.h"
#include "tests/support/test.h"

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
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"><Units>\n"
                  "  <Imperial linearUnit=\"rod\"/></Units></LandXML>",
                  "t.xml:2:3: linearUnit: read \"rod\", allowed meter");
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"><Surfaces><Surface><Definition "
                  "surfType=\"TIN\"><Pnts>" SQUARE "</Pnts><Faces>" FACES "</Faces></Definition></Surface></Surfaces>"
                  "</LandXML>",
                  "t.xml:1:1: no Units");
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
    assert_good(landxml_check("t.xml", text, strlen(text), &status), status);
    // Every surface of a file is checked, also one that no scene names.
    char *bad = strstr(strstr(text, "ramp"), "1 7 3");
    bad[2] = '9';
    assert_false(landxml_check("t.xml", text, strlen(text), &status));
    assert_contains(status.text, "the face names point 9");
}

TEST(texts_that_are_no_landxml_are_refused)
{
    check_refused("", "t.xml:1:1: an empty file");
    check_refused("kind: scene\n", "t.xml:1:1: ");
    check_refused("<html xmlns=\"x\"/>", "t.xml:1:1: read <html>, allowed a LandXML file");
    check_refused("<LandXML/>", "t.xml:1:1: read the namespace none");
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-2.0\"/>", "read the namespace");
    check_refused("<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\"/>", "no TIN surface");
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
        {HEAD SQUARE MIDDLE "<F>1 2 3 7</F>\n" TAIL, "t.xml:11:1: face: read more than 3 ids, allowed 3"},
        {HEAD SQUARE MIDDLE "<F>1 2 three</F>\n" TAIL, "t.xml:11:1: face: read three, allowed the id of a point"},
        {HEAD SQUARE MIDDLE "<F i=\"1\">1 2 3</F>\n" TAIL, "the surface has no faces that are visible"},
        // A face that is a line; that stands upright; that names a point twice.
        {HEAD SQUARE "<P id=\"4\">5000 402 10</P>\n" MIDDLE FACES "<F>1 4 2</F>\n" TAIL,
         "t.xml:14:1: the face has no area in plan at x 1.00, y 2.00 on the site"},
        {HEAD SQUARE "<P id=\"4\">5000 404 12</P>\n" MIDDLE FACES "<F>1 4 2</F>\n" TAIL,
         "t.xml:14:1: the face has no area in plan"},
        {HEAD SQUARE MIDDLE "<F>1 2 2</F>\n" TAIL, "t.xml:11:1: the face has no area in plan"},
        {HEAD SQUARE
         "<P id=\"4\">5000.00001 404 12</P>\n<P id=\"5\">5001 407 12</P>\n<P id=\"6\">5003 407 12</P>\n" MIDDLE FACES
         "<F>4 5 6</F>\n" TAIL,
         "t.xml:10:1: the point lies on that of line 7 in plan, at x 1.00, y 6.00 on the site"},
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
    // Two pieces, and two that hang together at one point.
    check_refused(HEAD SQUARE
                  "<P id=\"4\">5010 410 1</P><P id=\"5\">5010 411 1</P><P id=\"6\">5011 411 1</P>\n" MIDDLE FACES
                  "<F>4 5 6</F>\n" TAIL,
                  "t.xml:14:1: the surface is in several pieces, with this face another one begins");
    check_refused(HEAD SQUARE "<P id=\"4\">5005 404 1</P><P id=\"5\">5005 406 1</P>\n" MIDDLE FACES
                              "<F>3 5 4</F>\n" TAIL,
                  "the surface is in several pieces");
}

/// A ring of faces around a gap: an outer square of 6 m and an inner one of 2 m, whose middle lies 3 m east and north
/// of the first point.
#define RING                                                                                                           \
    "<P id=\"1\">5000 400 1</P><P id=\"2\">5000 406 1</P><P id=\"3\">5006 406 1</P><P id=\"4\">5006 400 1</P>\n"       \
    "<P id=\"5\">5002 402 1</P><P id=\"6\">5002 404 1</P><P id=\"7\">5004 404 1</P><P id=\"8\">5004 402 1</P>\n"
#define RING_FACES "<F>1 2 6</F><F>1 6 5</F><F>2 3 7</F><F>2 7 6</F><F>3 4 8</F><F>3 8 7</F><F>4 1 5</F><F>4 5 8</F>\n"

TEST(a_hole_is_refused_with_its_place)
{
    check_refused(HEAD RING MIDDLE RING_FACES TAIL,
                  "the surface has a hole of 4.00 m2 with 4 sides around x -2.00, y 5.00 on the site");
    check_refused(HEAD RING MIDDLE RING_FACES TAIL, "t.xml:9:");
    // A face that is invisible leaves a hole too.
    check_refused(HEAD RING MIDDLE RING_FACES "<F>5 6 7</F><F i=\"1\">5 7 8</F>\n" TAIL,
                  "the surface has a hole of 2.00 m2 with 3 sides");
    // A hole that touches the outline.
    check_refused(HEAD RING MIDDLE "<F>1 2 6</F><F>2 3 7</F><F>2 7 6</F><F>3 4 8</F><F>3 8 7</F><F>4 1 8</F>\n" TAIL,
                  "the surface has a hole");
    // A point on a side that only one of two faces has: a crack.
    check_refused(HEAD SQUARE "<P id=\"4\">5002 402 10.5</P>\n" MIDDLE "<F>1 2 3</F><F>1 4 7</F><F>4 3 7</F>\n" TAIL,
                  "the surface has a hole of 0.00 m2 with 3 sides");
    Status status;
    Tin tin;
    assert_good(read_text(HEAD RING MIDDLE RING_FACES "<F>5 6 7</F><F>5 7 8</F>" TAIL, "", &tin, &status), status);
    assert_int_equal(tin.side_count, 4);
    tin_free(&tin);
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
    size_t room = 60 + 40 * (size_t)(TIN_MOST_POINTS + 2);
    char *text = malloc(room + 2000);
    assert_non_null(text);
    char *at = text + snprintf(text, room, "%s", HEAD);
    for (int k = 1; k <= TIN_MOST_POINTS + 1; k++) {
        at += snprintf(at, 40, "<P id=\"%d\">%d 1 1</P>\n", k, k);
    }
    snprintf(at, 1000, "%s", MIDDLE FACES TAIL);
    check_refused(text, "t.xml:20006:1: more than 20000 points");
    free(text);
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

TEST_GROUP(NULL, NULL)
