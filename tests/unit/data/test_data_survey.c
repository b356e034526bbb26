/// Surfaces of DXF files and ASCII grids: what is read of them, and each fault with its place.
// test: sanitized
#include "data/files/landxml.h"
#include "tests/unit/data/survey_text.h"

/// What a scene keeps of a file, as a surface of the survey.
static void keep(const char *text, const char *name, Tin *tin)
{
    size_t size = 0;
    Status status;
    char *kept = survey_text_reduce("t", text, name, NULL, &size, &status);
    assert_good(kept != NULL, status);
    assert_good(landxml_read("kept", kept, size, "", NULL, tin, &status), status);
    free(kept);
}

TEST(other_files_are_refused_with_what_to_do)
{
    survey_text_refused(
        "AC1027\n",
        "t:1:1: read a DWG or a binary DXF, allowed LandXML, DXF with text, an ESRI ASCII grid, GeoTIFF or a "
        "list of points (x y z)");
    survey_text_refused("AutoCAD Binary DXF\r\n", "read a DWG or a binary DXF");
    survey_text_refused("an essay on soil\n", "read a file of another format");
    survey_text_refused("tick,time,boom\n0,1,2\n", "read a file of another format");
    survey_text_refused("ply\nformat ascii 1.0\n", "read a file of another format");
    survey_text_refused(" \n", "read a file of another format");
}

/// ---- grids ---------------------------------------------------------------------------------------------------------

#define HEADER "ncols 3\nnrows 3\nxllcorner 100\nyllcorner 50\ncellsize 2\nNODATA_value -9999\n"

TEST(heights_of_a_grid_lie_in_the_middle_of_cells)
{
    static const struct {
        const char *header;
        double x, y, dx, dy; ///< of the lower left height
    } cases[] = {{HEADER, 101.0, 51.0, 2.0, 2.0},
                 {"NCOLS 3\r\nNROWS 3\r\nXLLCENTER 100\r\nYLLCENTER 50\r\nCELLSIZE 2\r\n", 100.0, 50.0, 2.0, 2.0},
                 {"nrows 3\nncols 3\nxllcenter 100\nyllcorner 50\ncellsize 2\n", 100.0, 51.0, 2.0, 2.0},
                 {"ncols 3\nnrows 3\nxllcorner 100\nyllcorner 50\ndx 1\ndy 3\n", 100.5, 51.5, 1.0, 3.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[300];
        Tin tin;
        snprintf(text, sizeof text, "%s7 8 9\n4 5 6\n1 2 3\n", cases[k].header);
        keep(text, "", &tin);
        assert_int_equal(tin.point_count, 9);
        assert_int_equal(tin.face_count, 8);
        for (int n = 0; n < 9; n++) { // 1 lies in the south-west, 9 in the north-east
            assert_true(
                tin_has_point(&tin, cases[k].x + n % 3 * cases[k].dx, cases[k].y + n / 3 * cases[k].dy, n + 1.0));
        }
        tin_free(&tin);
    }
}

TEST(a_cell_without_a_value_has_no_height)
{
    static const struct {
        const char *heights;
        int points, faces;
    } cases[] = {{"7 8 9 4 -9999 6 1 2 3", 8, 4}, {"7 8 9 4 -9999.0001 6 1 2 3", 8, 4}, // as a float it is the same
                 {"7 8 9 4 nan 6 1 2 3", 8, 4},   {"-9999 8 9 4 5 6 1 2 3", 8, 7},
                 {"7 8 9 4 -9998 6 1 2 3", 9, 8}, {"7 8 9 4 0 6 1 2 3", 9, 8}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[300];
        Tin tin;
        snprintf(text, sizeof text, HEADER "%s\n", cases[k].heights);
        keep(text, "", &tin);
        assert_int_equal(tin.point_count, cases[k].points);
        assert_int_equal(tin.face_count, cases[k].faces);
        tin_free(&tin);
    }
    survey_text_refused(HEADER "7 -9999 9 -9999 -9999 -9999 1 -9999 3\n",
                        "no three cells beside each other have a height");
}

TEST(wrong_grids_are_told_with_their_place)
{
    survey_text_refused("ncols 3\nnrows 3\nxllcorner 1\ncellsize 1\n1 2 3\n",
                        "t:5:1: the header needs one of xllcorner");
    survey_text_refused("ncols 3\nnrows 3\nxllcorner 1\nxllcenter 1\nyllcorner 1\ncellsize 1\n1",
                        "needs one of xllcorner");
    survey_text_refused("ncols 3\nxllcorner 1\nyllcorner 1\ncellsize 1\n1 2 3\n", "the header needs ncols and nrows");
    survey_text_refused("ncols 3\nnrows 3\nxllcorner 1\nyllcorner 1\ndx 1\n1 2 3\n", "needs cellsize, or dx and dy");
    survey_text_refused("ncols 3\nncols 3\n", "t:2:1: a second ncols");
    survey_text_refused("ncols 1\n", "t:1:7: ncols: read 1, allowed a number, 2 to 20000");
    survey_text_refused("ncols 2.5\nnrows 3\nxllcorner 1\nyllcorner 1\ncellsize 1\n1", "whole numbers of columns");
    survey_text_refused(
        "ncols 3\nnrows 3\nxllcorner 1\nyllcorner 1\ncellsize 0,5\n",
        "t:5:10: cellsize: read 0,5, allowed a number, 1e-06 to 10000: with a decimal point, not a comma");
    survey_text_refused("ncols 3\nnrows 3\nxllcorner 11.1\nyllcorner 48.2\ncellsize 0.0001\n1",
                        "seems to be in degrees");
    survey_text_refused(HEADER "1 2 3\n4 five 6\n", "t:8:3: height: read five, allowed a number");
    survey_text_refused(HEADER "1 2 3\n4 5\n", "t:9:1: height: the file ends, a number is expected");
    survey_text_refused(HEADER "1 2 3 4 5 6 7 8 9 10\n", "t:7:19: read 10 behind the last of 3 x 3 heights");
    survey_text_refused(HEADER "1 2 3 4 5 6 7 8 1e12\n", "height: read 1e12, allowed a number");
    survey_text_refused(HEADER "1111111111111111111111111111111111111111111111111111111111111111111111 ",
                        "a word of more than 63");
}

/// ---- DXF -----------------------------------------------------------------------------------------------------------

#define UNITS(code) "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n" code "\n0\nENDSEC\n"
#define ENTITIES    "0\nSECTION\n2\nENTITIES\n"
#define END         "0\nENDSEC\n0\nEOF\n"
#define TRIANGLE    "0\n3DFACE\n8\nA\n10\n0\n20\n0\n30\n1\n11\n4\n21\n0\n31\n1\n12\n4\n22\n3\n32\n2\n"
#define FOURTH      "13\n0\n23\n3\n33\n2\n"
#define MESH                                                                                                           \
    "0\nPOLYLINE\n8\nB\n66\n1\n70\n64\n"                                                                               \
    "0\nVERTEX\n10\n10\n20\n0\n30\n5\n70\n192\n0\nVERTEX\n10\n12\n20\n0\n30\n5\n70\n192\n"                             \
    "0\nVERTEX\n10\n12\n20\n2\n30\n6\n70\n192\n0\nVERTEX\n10\n10\n20\n2\n30\n6\n70\n192\n"
#define MESH_FACE "0\nVERTEX\n10\n0\n20\n0\n30\n0\n70\n128\n71\n1\n72\n-2\n73\n3\n74\n%d\n0\nSEQEND\n"

TEST(faces_and_meshes_of_a_dxf_are_read)
{
    Tin tin;
    Status status;
    SurveyInfo info;
    keep(ENTITIES TRIANGLE END, "", &tin); // the fourth corner is missing
    assert_int_equal(tin.face_count, 1);
    tin_free(&tin);
    keep(ENTITIES TRIANGLE "13\n4\n23\n3\n33\n2\n" END, "", &tin); // it is the third again
    assert_int_equal(tin.face_count, 1);
    tin_free(&tin);
    keep("999\nmade by hand\n" UNITS("4") ENTITIES TRIANGLE FOURTH END, "a",
         &tin); // millimetres; layers of any letters
    assert_int_equal(tin.face_count, 2);
    assert_true(tin_has_point(&tin, 0.004, 0.003, 0.002));
    tin_free(&tin);
    for (int corners = 3; corners <= 4; corners++) {
        char text[2000];
        snprintf(text, sizeof text, ENTITIES MESH MESH_FACE END, corners == 4 ? 4 : 0);
        keep(text, "", &tin);
        assert_int_equal(tin.face_count, corners - 2);
        assert_true(tin_has_point(&tin, 12.0, 2.0, 6.0));
        tin_free(&tin);
    }
    char text[3000];
    snprintf(text, sizeof text, "%s" ENTITIES TRIANGLE MESH MESH_FACE "0\n3DFACE\n67\n1\n10\n0\n20\n0\n" END,
             UNITS("2"), 4);
    assert_good(survey_text_check("t", text, NULL, &info, &status), status); // a face in paper space is none
    assert_int_equal(info.count, 2);
    assert_string_equal(info.format, "DXF");
    assert_string_equal(info.unit, "feet");
    assert_string_equal(info.surfaces[1].name, "B");
    assert_near(info.surfaces[1].high[0], 12.0 * 0.3048, 1e-9);
    assert_near(info.surfaces[1].high[2], 6.0 * 0.3048, 1e-9);
}

TEST(names_of_layers_are_read_by_the_code_page_of_the_file)
{
#define PAGE(page) "0\nSECTION\n2\nHEADER\n9\n$DWGCODEPAGE\n3\n" page "\n0\nENDSEC\n"
    static const struct {
        const char *page, *name, *read;
    } cases[] = {
        {"", "Gel\xe4nde", "Gel\u00e4nde"}, // none is stated
        {PAGE("ANSI_1252"), "Gel\xe4nde", "Gel\u00e4nde"},
        {PAGE("ANSI_1251"), "\xcf\xeb\xe0\xed", "\u041f\u043b\u0430\u043d"},
        {PAGE("ANSI_1252"), "Gel\u00e4nde", "Gel\u00e4nde"}, // files from 2007 on are UTF-8 whatever they state
        {PAGE("unknown"), "Gel\xe4nde", "Gel\u00e4nde"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        Status status;
        SurveyInfo info = {.count = 0};
        snprintf(text, sizeof text, "%s" ENTITIES "0\n3DFACE\n8\n%s\n10\n0\n20\n0\n11\n4\n21\n0\n12\n4\n22\n3\n" END,
                 cases[k].page, cases[k].name);
        assert_good(survey_text_check("t", text, NULL, &info, &status), status);
        assert_string_equal(info.surfaces[0].name, cases[k].read);
    }
}

TEST(wrong_dxf_files_are_told_with_their_place)
{
    char text[2000];
    survey_text_refused(
        ENTITIES END,
        "no 3DFACE, no polyface mesh and no lines with heights (there are 0 lines and points without, 0 other "
        "meshes, 0 inserted blocks)");
    survey_text_refused(ENTITIES "0\nLINE\n10\n1\n0\nINSERT\n2\nX\n" END,
                        "1 lines and points without, 0 other meshes, 1 inserted blocks");
    survey_text_refused(ENTITIES "0\n3DFACE\n10\n0\n20\n0\n11\n1\n21\n1\n" END,
                        "t:5:1: 3DFACE: less than three corners");
    survey_text_refused(ENTITIES TRIANGLE "13\nabc\n" END, "t:28:1: group code 13: read \"abc\", allowed a number");
    survey_text_refused(ENTITIES TRIANGLE "13\n1e300\n" END, "group code 13: read \"1e300\"");
    survey_text_refused(ENTITIES TRIANGLE "x\n0\n" END, "t:27:1: read \"x\", allowed a group code, -5 to 1071");
    survey_text_refused(ENTITIES TRIANGLE, "the file ends without EOF");
    survey_text_refused(ENTITIES TRIANGLE "13\n", "the file ends behind a group code");
    survey_text_refused(UNITS("17") ENTITIES TRIANGLE END, "$INSUNITS: read 17, allowed a unit of length");
    snprintf(text, sizeof text, ENTITIES MESH MESH_FACE END, 5);
    survey_text_refused(text, "the face names vertex 5, of 4 before it");
    size_t size;
    Status status;
    snprintf(text, sizeof text, ENTITIES TRIANGLE MESH MESH_FACE END, 4);
    static const struct {
        const char *name, *says;
    } wrong[] = {{"", "faces lie in several layers (A, B): state which one by `surface`"},
                 {"C", "no layer named C has faces or lines with heights, those are in A, B"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_null(survey_text_reduce("t", text, wrong[k].name, NULL, &size, &status));
        assert_contains(status.text, wrong[k].says);
    }
}

TEST_GROUP(NULL, NULL)
