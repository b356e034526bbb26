/// Surfaces of GeoTIFF files: where heights lie, in which unit, what has none, and each fault with its reason.
// test: sanitized
#include "data/files/landxml.h"
#include "data/files/survey.h"
#include "data/schema/design_surface.h"
#include "tests/unit/data/survey_text.h"
#include "tests/unit/data/tiff_bytes.h"

enum {
    WIDTH = 256,
    LENGTH = 257,
    BITS = 258,
    COMPRESSION = 259,
    PHOTOMETRIC = 262,
    STRIPS = 273,
    BANDS = 277,
    STRIP_ROWS = 278,
    STRIP_BYTES = 279,
    TILE_WIDTH = 322,
    TILE_LENGTH = 323,
    TILES = 324,
    TILE_BYTES = 325,
    FORMAT = 339,
    PIXEL_SCALE = 33550,
    TIEPOINT = 33922,
    TRANSFORMATION = 34264,
    KEYS = 34735,
    DOUBLES = 34736,
    METADATA = 42112,
    NODATA = 42113,
};

enum {
    RASTER_TYPE = 1025,
    MODEL_TYPE = 1024,
    PROJECTED = 3072,
    LINEAR = 3076,
    LINEAR_SIZE = 3077,
    VERTICAL = 4096,
    VERTICAL_UNITS = 4099
};

static void set_pixels(TiffBytes *tiff, const void *pixels, size_t size)
{
    memcpy(tiff->pixels, pixels, size);
    tiff->pixels_size = size;
    tiff_set_number(tiff, STRIP_BYTES, (uint32_t)size);
}

/// Sets keys: pairs of a key and its code.
static void set_keys(TiffBytes *tiff, int count, uint16_t (*codes)[2])
{
    uint16_t keys[4 * 8] = {1, 1, 0, (uint16_t)count};
    for (int k = 0; k < count; k++) {
        const uint16_t entry[4] = {codes[k][0], 0, 1, codes[k][1]};
        memcpy(&keys[4 + 4 * k], entry, sizeof entry);
    }
    tiff_set(tiff, KEYS, 3, 4 + 4 * (uint32_t)count, keys);
}
#define SET_KEYS(tiff, ...)                                                                                            \
    set_keys(tiff, (int)(sizeof((uint16_t[][2]){__VA_ARGS__}) / 4), (uint16_t[][2]){__VA_ARGS__})

/// 3 x 3 floats, 1 in the south-west and 9 in the north-east, from (100, 50) to (106, 56).
static void begin(TiffBytes *tiff)
{
    static const float heights[9] = {7, 8, 9, 4, 5, 6, 1, 2, 3};
    *tiff = (TiffBytes){.count = 0};
    tiff_set_number(tiff, WIDTH, 3);
    tiff_set_number(tiff, LENGTH, 3);
    tiff_set_number(tiff, BITS, 32);
    tiff_set_number(tiff, COMPRESSION, 1);
    tiff_set_number(tiff, PHOTOMETRIC, 1);
    tiff_set_number(tiff, STRIPS, 1);
    tiff_set_number(tiff, BANDS, 1);
    tiff_set_number(tiff, STRIP_ROWS, 3);
    tiff_set_number(tiff, FORMAT, 3);
    set_pixels(tiff, heights, sizeof heights);
    tiff_set(tiff, PIXEL_SCALE, 12, 3, (double[3]){2, 2, 0});
    tiff_set(tiff, TIEPOINT, 12, 6, (double[6]){0, 0, 0, 100, 56, 0});
    SET_KEYS(tiff, {MODEL_TYPE, 1}, {RASTER_TYPE, 1}, {PROJECTED, 25832});
}

static FILE *open_bytes(TiffBytes *tiff)
{
    tiff_make(tiff);
    FILE *file = fmemopen(tiff->bytes, tiff->size, "r");
    assert_non_null(file);
    return file;
}

static void check_refused(TiffBytes *tiff, const char *says)
{
    Status status;
    SurveyInfo info = {.format = NULL};
    FILE *file = open_bytes(tiff);
    if (survey_check("t", file, NULL, &info, &status)) {
        fail_msg("accepted where \"%s\" is expected", says);
    }
    fclose(file);
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, says);
    assert_null(strchr(status.text, '\n'));
}

/// What a scene keeps of a file.
static void keep(TiffBytes *tiff, const SurveyCrop *crop, Tin *tin)
{
    Status status;
    char *kept = NULL, left_out[SURVEY_LEFT_OUT];
    size_t size = 0;
    FILE *file = open_bytes(tiff);
    assert_good(survey_reduce("t", file, "", crop, 0.0, &kept, &size, left_out, &status), status);
    assert_good(landxml_read("kept", kept, size, "", NULL, tin, &status), status);
    fclose(file);
    free(kept);
}

/// The surface has nine heights, 1 to 9 from the south-west, with that place and that way between them.
static void check_nine(TiffBytes *tiff, double x, double y, double cell, double height)
{
    Tin tin;
    keep(tiff, NULL, &tin);
    assert_int_equal(tin.point_count, 9);
    assert_int_equal(tin.face_count, 8);
    for (int k = 0; k < 9; k++) {
        assert_true(tin_has_point(&tin, x + k % 3 * cell, y + k / 3 * cell, (k + 1) * height));
    }
    tin_free(&tin);
}

TEST(heights_lie_at_the_middles_of_pixels)
{
    TiffBytes tiff;
    begin(&tiff);
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {RASTER_TYPE, 2});
    check_nine(&tiff, 100.0, 52.0, 2.0, 1.0);
    tiff_set(&tiff, KEYS, 3, 0, NULL); // without keys a pixel is an area
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
    tiff_set(&tiff, TIEPOINT, 12, 6, (double[6]){1, 2, 0, 102, 52, 0}); // another pixel's corner
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
    tiff_set(&tiff, PIXEL_SCALE, 12, 0, NULL);
    tiff_set(&tiff, TIEPOINT, 12, 0, NULL);
    tiff_set(&tiff, TRANSFORMATION, 12, 16, (double[16]){2, 0, 0, 100, 0, -2, 0, 56, 0, 0, 0, 0, 0, 0, 0, 1});
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
    // Rows from south to north.
    tiff_set(&tiff, TRANSFORMATION, 12, 16, (double[16]){2, 0, 0, 100, 0, 2, 0, 50, 0, 0, 0, 0, 0, 0, 0, 1});
    set_pixels(&tiff, (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 36);
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
}

TEST(samples_of_each_kind_are_read)
{
#define NINE(type)                                                                                                     \
    (type[9])                                                                                                          \
    {                                                                                                                  \
        7, 8, 9, 4, 5, 6, 1, 2, 3                                                                                      \
    }
    const struct {
        uint32_t bits, format;
        const void *pixels;
    } cases[] = {{8, 1, NINE(uint8_t)},   {8, 2, NINE(int8_t)},   {16, 1, NINE(uint16_t)}, {16, 2, NINE(int16_t)},
                 {32, 1, NINE(uint32_t)}, {32, 2, NINE(int32_t)}, {32, 3, NINE(float)},    {64, 3, NINE(double)}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        TiffBytes tiff;
        begin(&tiff);
        tiff_set_number(&tiff, BITS, cases[k].bits);
        tiff_set_number(&tiff, FORMAT, cases[k].format);
        set_pixels(&tiff, cases[k].pixels, 9 * cases[k].bits / 8);
        check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
    }
    TiffBytes tiff;
    Tin tin;
    begin(&tiff);
    tiff_set_number(&tiff, BITS, 16);
    tiff_set_number(&tiff, FORMAT, 2);
    set_pixels(&tiff, (int16_t[9]){-7, 8, 9, 4, 5, 6, -32768, 2, 3}, 18);
    keep(&tiff, NULL, &tin);
    assert_true(tin_has_point(&tin, 101.0, 55.0, -7.0) && tin_has_point(&tin, 101.0, 51.0, -32768.0));
    tin_free(&tin);
}

/// A tile is wider than the picture.
TEST(tiles_are_read)
{
    TiffBytes tiff;
    float tile[16 * 16] = {0};
    for (int k = 0; k < 9; k++) {
        tile[k / 3 * 16 + k % 3] = (float)(k % 3 + 7 - k / 3 * 3);
    }
    begin(&tiff);
    tiff_set_number(&tiff, TILE_WIDTH, 16);
    tiff_set_number(&tiff, TILE_LENGTH, 16);
    tiff_set_number(&tiff, TILES, 1);
    set_pixels(&tiff, tile, sizeof tile);
    for (int tag = STRIPS; tag <= STRIP_BYTES; tag++) {
        if (tag != BANDS) {
            tiff_set(&tiff, (uint16_t)tag, 4, 0, NULL);
        }
    }
    tiff_set_number(&tiff, TILE_BYTES, sizeof tile);
    check_nine(&tiff, 101.0, 51.0, 2.0, 1.0);
}

TEST(units_are_those_of_the_keys_of_systems_or_of_the_band)
{
#define US_FOOT (1200.0 / 3937.0)
    TiffBytes tiff;
    begin(&tiff);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {LINEAR, 9003}, {VERTICAL_UNITS, 9002});
    check_nine(&tiff, 101.0 * US_FOOT, 51.0 * US_FOOT, 2.0 * US_FOOT, 0.3048);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 2229}, {VERTICAL, 6360}); // both are in US survey feet
    check_nine(&tiff, 101.0 * US_FOOT, 51.0 * US_FOOT, 2.0 * US_FOOT, US_FOOT);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 25832}, {VERTICAL, 8228}); // NAVD88 in feet
    check_nine(&tiff, 101.0, 51.0, 2.0, 0.3048);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 25832});
    tiff_set_text(
        &tiff, METADATA,
        "<GDALMetadata><Item name=\"X\">1</Item><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item>"
        "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>");
    check_nine(&tiff, 101.0, 51.0, 2.0, 0.5 * 0.3048);
    // A unit of its own: 32767, and its size in metres.
    const uint16_t own[] = {1, 1, 0, 3, MODEL_TYPE, 0, 1, 1, LINEAR, 0, 1, 32767, LINEAR_SIZE, DOUBLES, 1, 0};
    tiff_set(&tiff, KEYS, 3, 16, own);
    tiff_set(&tiff, DOUBLES, 12, 1, (double[1]){0.1});
    check_nine(&tiff, 10.1, 5.1, 0.2, 0.5 * 0.3048);
}

TEST(units_that_contradict_each_other_or_are_missing_are_refused)
{
    TiffBytes tiff;
    begin(&tiff);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 25832}, {LINEAR, 9002});
    check_refused(&tiff, "ProjLinearUnitsGeoKey is foot, but that of ProjectedCRSGeoKey is metre");
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {VERTICAL, 5703}, {VERTICAL_UNITS, 9003});
    check_refused(&tiff, "VerticalUnitsGeoKey is US survey foot, but that of VerticalGeoKey is metre");
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {VERTICAL_UNITS, 9003});
    tiff_set_text(&tiff, METADATA,
                  "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">m</Item></GDALMetadata>");
    check_refused(&tiff, "the unit of heights by the keys is US survey foot, but that of the band is metre");
    tiff_set(&tiff, METADATA, 2, 0, NULL);
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 2229});
    check_refused(&tiff, "the plan is in US survey foot, and nothing states the unit of heights: state it, for example "
                         "by gdal_translate -a_srs EPSG:2229+6360");
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {LINEAR, 9102});
    check_refused(&tiff, "ProjLinearUnitsGeoKey: read 9102, allowed a unit of length of EPSG");
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {VERTICAL, 5831});
    check_refused(&tiff, "VerticalGeoKey: read EPSG:5831, which counts depths downwards");
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {PROJECTED, 4326});
    check_refused(&tiff, "ProjectedCRSGeoKey: read EPSG:4326, allowed a projected coordinate system");
    SET_KEYS(&tiff, {MODEL_TYPE, 1});
    tiff_set_text(&tiff, METADATA,
                  "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">kPa</Item></GDALMetadata>");
    check_refused(&tiff, "GDAL_METADATA: the unit of the band is \"kPa\", allowed a unit of length");
    tiff_set_text(&tiff, METADATA, "<GDALMetadata><Item role=\"scale\" sample=\"0\">0</Item></GDALMetadata>");
    check_refused(&tiff, "GDAL_METADATA: scale: read 0, allowed a number of -1e+08 to 1e+08, not 0");
    tiff_set_text(&tiff, METADATA, "<GDALMetadata><Item>");
    check_refused(&tiff, "GDAL_METADATA: it is not well-formed XML");
}

TEST(pixels_without_a_value_have_no_height)
{
    static const struct {
        const char *nodata;
        float middle;
        int points;
    } cases[] = {{NULL, NAN, 8},           {"-9999", -9999.0f, 8},
                 {"-9999", -9999.002f, 8}, // as GDAL masks it
                 {"-9999", -9998.0f, 9},   {NULL, -9999.0f, 9},
                 {"nan", NAN, 8},          {"-3.4028234663852886e+38", -3.40282347e+38f, 8},
                 {"0", 0.0f, 8},           {"0", 1e-6f, 9},
                 {NULL, INFINITY, 8}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        TiffBytes tiff;
        Tin tin;
        begin(&tiff);
        if (cases[k].nodata != NULL) {
            tiff_set_text(&tiff, NODATA, cases[k].nodata);
        }
        set_pixels(&tiff, (float[9]){7, 8, 9, 4, cases[k].middle, 6, 1, 2, 3}, 36);
        keep(&tiff, NULL, &tin);
        assert_int_equal(tin.point_count, cases[k].points);
        assert_int_equal(tin.face_count, cases[k].points == 9 ? 8 : 4);
        tin_free(&tin);
    }
    // Of whole numbers no other is near.
    TiffBytes tiff;
    Tin tin;
    begin(&tiff);
    tiff_set_text(&tiff, NODATA, "2147483647");
    tiff_set_number(&tiff, FORMAT, 2);
    tiff_set_text(&tiff, METADATA,
                  "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">1e-6</Item></GDALMetadata>");
    set_pixels(&tiff, (int32_t[9]){2147483647, 2147483646, 9, 4, 5, 6, 1, 2, 3}, 36);
    keep(&tiff, NULL, &tin);
    assert_int_equal(tin.point_count, 8);
    tin_free(&tin);
    // A strip that a sparse file leaves out.
    begin(&tiff);
    tiff_set_number(&tiff, STRIP_ROWS, 1);
    uint32_t offsets[3] = {0, 0, 0}, sizes[3] = {12, 12, 0};
    tiff_set(&tiff, STRIPS, 4, 3, offsets);
    tiff_set(&tiff, STRIP_BYTES, 4, 3, sizes);
    tiff_make(&tiff);
    offsets[0] = (uint32_t)(tiff.size - 36);
    offsets[1] = offsets[0] + 12;
    tiff_set(&tiff, STRIPS, 4, 3, offsets);
    keep(&tiff, NULL, &tin);
    assert_int_equal(tin.point_count, 6);
    assert_true(tin_has_point(&tin, 101.0, 53.0, 4.0));
    tin_free(&tin);
}

TEST(a_grid_may_be_turned)
{
    for (int k = 1; k < 12; k++) {
        TiffBytes tiff;
        Tin tin;
        begin(&tiff);
        double c = cos(0.6 * k), s = sin(0.6 * k);
        bool northward = k % 2 == 0; // rows from south to north, seen along the columns
        double up = northward ? 2.0 : -2.0, corner = northward ? 50.0 : 56.0;
        tiff_set(&tiff, PIXEL_SCALE, 12, 0, NULL);
        tiff_set(&tiff, TIEPOINT, 12, 0, NULL);
        tiff_set(&tiff, TRANSFORMATION, 12, 16,
                 (double[16]){2 * c, -up * s, 0, 100 * c - corner * s, 2 * s, up * c, 0, 100 * s + corner * c, 0, 0, 0,
                              0, 0, 0, 0, 1});
        const SurveyCrop crop = {.east = 104.0 * c - 54.0 * s,
                                 .north = 104.0 * s + 54.0 * c,
                                 .length = 1.0,
                                 .width = 0.5,
                                 .called = "the crop"};
        for (int cropped = 0; cropped < 2; cropped++) {
            keep(&tiff, cropped ? &crop : NULL, &tin);
            assert_true(cropped ? tin.point_count >= 3 : tin.point_count == 9);
            for (int n = 0; n < tin.point_count; n++) {
                const double *p = tin.points[n];
                double x = c * p[0] + s * p[1], y = c * p[1] - s * p[0]; // turned back
                y = northward ? 106.0 - y : y;
                assert_near(p[2], 1.0 + 0.5 * (x - 101.0) + 1.5 * (y - 51.0), 1e-4);
            }
            tin_free(&tin);
        }
    }
}

TEST(a_crop_keeps_what_lies_in_it)
{
    TiffBytes tiff;
    Tin tin;
    begin(&tiff);
    keep(&tiff, &(SurveyCrop){.east = 104.0, .north = 54.0, .length = 2.0, .width = 1.0, .called = "the crop"}, &tin);
    for (int k = 0; k < tin.point_count; k++) {
        const double *p = tin.points[k];
        assert_true(p[0] > 102.999 && p[0] < 105.001 && p[1] > 53.499 && p[1] < 54.501);
        assert_near(p[2], 1.0 + 0.5 * (p[0] - 101.0) + 1.5 * (p[1] - 51.0), 1e-4); // the heights are a plane
    }
    tin_free(&tin);
    Status status;
    char *kept = NULL, left_out[SURVEY_LEFT_OUT];
    size_t size = 0;
    FILE *file = open_bytes(&tiff);
    const SurveyCrop away = {.east = 300.0, .north = 54.0, .length = 2.0, .width = 1.0, .called = "the crop"};
    assert_false(survey_reduce("t", file, "", &away, 0.0, &kept, &size, left_out, &status));
    fclose(file);
    assert_contains(status.text, "nothing of the surface lies in the crop, east 299.00 to 301.00 and north 53.50 to "
                                 "54.50: it reaches from east 101.00 to 105.00 and from north 51.00 to 55.00");
}

/// Height of a hill in plan, m.
static double hill(double x, double y)
{
    return 2.0 * sin(0.9 * x) * cos(0.7 * y);
}

/// The design of a scene has the heights that the pixels have by a computation of its own: within the triangle of
/// three of them, in squares that are cut from the south-west to the north-east.
TEST(a_scene_has_the_heights_of_the_pixels_between_them)
{
    enum { COLUMNS = 20, ROWS = 16 };
    TiffBytes tiff;
    float pixels[ROWS][COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        pixels[k / COLUMNS][k % COLUMNS] = (float)hill(k % COLUMNS * 0.5, k / COLUMNS * 0.5);
    }
    begin(&tiff);
    tiff_set_number(&tiff, WIDTH, COLUMNS);
    tiff_set_number(&tiff, LENGTH, ROWS);
    tiff_set_number(&tiff, STRIP_ROWS, ROWS);
    tiff_set(&tiff, PIXEL_SCALE, 12, 3, (double[3]){0.5, 0.5, 0});
    SET_KEYS(&tiff, {MODEL_TYPE, 1}, {RASTER_TYPE, 2}); // the middle of the north-western pixel is (100, 56)
    set_pixels(&tiff, pixels, sizeof pixels);
    Status status;
    char *kept = NULL, left_out[SURVEY_LEFT_OUT];
    size_t size = 0;
    FILE *file = open_bytes(&tiff);
    assert_good(survey_reduce("t", file, "", NULL, 0.0, &kept, &size, left_out, &status), status);
    fclose(file);
    SceneExercise *exercise = calloc(1, sizeof *exercise);
    assert_non_null(exercise);
    snprintf(exercise->surface.file, sizeof exercise->surface.file, "hill");
    exercise->surface.text = kept;
    exercise->surface.text_size = size;
    exercise->surface.east = 100.0;
    exercise->surface.north = 56.0;
    DesignSurface *design = design_create(exercise, DESIGN_OF_SURFACE, NULL, &status);
    assert_good(design != NULL, status);
    for (int k = 0; k < 100; k++) {
        double x = fmod(k * 0.7548776662, 1.0) * 9.5, south = fmod(k * 0.5698402910, 1.0) * 7.5, height;
        assert_true(design_height(design, x, -south, &height));
        int column = (int)floor(x / 0.5), row = (int)floor(south / 0.5);
        double u = x / 0.5 - column, v = row + 1 - south / 0.5; // from the south-west of the square
        double sw = (double)pixels[row + 1][column], se = (double)pixels[row + 1][column + 1];
        double nw = (double)pixels[row][column], ne = (double)pixels[row][column + 1];
        double expected = u > v ? sw + u * (se - sw) + v * (ne - se) : sw + v * (nw - sw) + u * (ne - nw);
        assert_near(height, expected, 2e-5);
    }
    design_destroy(design);
    free(exercise);
    free(kept);
}

TEST(wrong_files_are_told_with_what_was_read)
{
    static const struct {
        uint16_t tag;
        uint32_t number;
        const char *says;
    } numbers[] = {
        {WIDTH, 1, "read 1 x 3 pixels, allowed 2 to 20000 columns and rows"},
        {LENGTH, 20001, "read 3 x 20001 pixels, allowed 2 to 20000"},
        {BANDS, 3, "read 3 bands, allowed one of heights: pick it (gdal_translate -b 1)"},
        {BITS, 12, "read samples of 12 bits in format 3, allowed integers of 8, 16 or 32 bits and floats of 32 or 64"},
        {FORMAT, 5, "read samples of 32 bits in format 5"},
        {PHOTOMETRIC, 3, "a picture with a table of colours"},
        {COMPRESSION, 32908, "compression 32908"},
        {STRIPS, 100000, "row 1 of the pixels cannot be read (libtiff: "}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        TiffBytes tiff;
        begin(&tiff);
        if (numbers[k].tag == PHOTOMETRIC) {
            tiff_set_number(&tiff, BITS, 8);
            tiff_set_number(&tiff, FORMAT, 1);
            uint16_t colours[3 * 256] = {0};
            tiff_set(&tiff, 320, 3, 3 * 256, colours);
        }
        tiff_set_number(&tiff, numbers[k].tag, numbers[k].number);
        check_refused(&tiff, numbers[k].says);
    }
    TiffBytes tiff;
    begin(&tiff);
    set_pixels(&tiff, (float[9]){7, 8, 9, 4, 5, -3e38f, 1, 2, 3}, 36);
    check_refused(&tiff, "t:2:3: height: read -3e+38 m, allowed -1e+08 to 1e+08: if it stands for no height, state so "
                         "(gdal_translate -a_nodata -3e+38)");
    begin(&tiff);
    tiff_set_text(&tiff, NODATA, "none");
    check_refused(&tiff, "GDAL_NODATA: read none, allowed a number");
    tiff_set_text(&tiff, NODATA, "5");
    set_pixels(&tiff, (float[9]){7, 5, 9, 5, 5, 5, 1, 5, 3}, 36);
    check_refused(&tiff, "no three cells beside each other have a height");
}

TEST(files_that_do_not_lie_on_a_plan_are_refused)
{
    TiffBytes tiff;
    begin(&tiff);
    SET_KEYS(&tiff, {MODEL_TYPE, 2});
    check_refused(&tiff, "it is in degrees, allowed metres or feet: project it, for example by gdalwarp -t_srs");
    SET_KEYS(&tiff, {MODEL_TYPE, 3});
    check_refused(&tiff, "GTModelTypeGeoKey: read geocentric, allowed projected");
    tiff_set(&tiff, KEYS, 3, 0, NULL);
    tiff_set(&tiff, PIXEL_SCALE, 12, 3, (double[3]){1e-4, 1e-4, 0});
    tiff_set(&tiff, TIEPOINT, 12, 6, (double[6]){0, 0, 0, 11.5, 48.1, 0});
    check_refused(&tiff, "it is in degrees");
    tiff_set(&tiff, PIXEL_SCALE, 12, 3, (double[3]){-2, 2, 0});
    check_refused(&tiff, "read pixels of -2 x 2, allowed 1e-06 to 10000 m, columns from west to east");
    tiff_set(&tiff, PIXEL_SCALE, 12, 3, (double[3]){2, 2, 0.1});
    check_refused(&tiff, "heights are scaled by ModelPixelScale (0.1) and ModelTiepoint (0)");
    tiff_set(&tiff, PIXEL_SCALE, 12, 1, (double[1]){2});
    check_refused(&tiff, "ModelPixelScale: read 1 values, allowed 2 or 3 numbers");
    tiff_set(&tiff, PIXEL_SCALE, 12, 3, (double[3]){2, 2, 0});
    tiff_set(&tiff, TIEPOINT, 12, 6, (double[6]){0, 0, 0, NAN, 48.1, 0});
    check_refused(&tiff, "ModelTiepoint: read 6 values, allowed at least 6 numbers of -1e+08 to 1e+08");
    tiff_set(&tiff, PIXEL_SCALE, 12, 0, NULL);
    tiff_set(&tiff, TIEPOINT, 12, 12, (double[12]){0, 0, 0, 1, 2, 0, 2, 2, 0, 3, 4, 0});
    check_refused(&tiff, "it is placed by 2 points alone");
    tiff_set(&tiff, TIEPOINT, 12, 0, NULL);
    check_refused(&tiff,
                  "it does not say where its pixels lie (no ModelPixelScale, no ModelTransformation): state it by "
                  "gdal_translate -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH");
    tiff_set(&tiff, TRANSFORMATION, 12, 16, (double[16]){2, 1, 0, 100, 0.5, -2, 0, 56, 0, 0, 0, 0, 0, 0, 0, 1});
    check_refused(&tiff, "ModelTransformation: the grid is sheared (2 1, 0.5 -2), allowed columns square to rows");
}

TEST(files_that_are_not_whole_are_refused)
{
    TiffBytes tiff;
    begin(&tiff);
    tiff_make(&tiff);
    for (size_t size = 4; size < tiff.size; size += size < 40 ? 1 : 29) {
        Status status;
        SurveyInfo info = {.format = NULL};
        FILE *file = fmemopen(tiff.bytes, size, "r");
        assert_false(survey_check("t", file, NULL, &info, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        fclose(file);
    }
}

TEST_GROUP(NULL, NULL)
