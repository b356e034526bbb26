/// Writes heights in the formats of survey_grid.h.
///
/// GeoTIFF: tags by libtiff, keys by libgeotiff (OGC GeoTIFF Standard 1.1, OGC 19-008r4). A site that is turned against
/// its survey has a ModelTransformation, else a tie point and a pixel scale.
#include "data/files/survey_grid.h"

#include <geotiff/geotiff.h>
#include <geotiff/geovalues.h>
#include <geotiff/xtiffio.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/core/elementary.h"
#include "data/files/tin.h"

bool survey_format_of(const char *path, SurveyFormat *format, Status *status)
{
    static const struct {
        const char *ending;
        SurveyFormat format;
    } endings[] = {{".tif", SURVEY_GEOTIFF}, {".tiff", SURVEY_GEOTIFF}, {".asc", SURVEY_ASCII_GRID},
                   {".xml", SURVEY_LANDXML}, {".dxf", SURVEY_DXF},      {".xyz", SURVEY_XYZ}};
    const char *ending = strrchr(path, '.');
    for (size_t k = 0; ending != NULL && k < sizeof endings / sizeof endings[0]; k++) {
        if (strcasecmp(ending, endings[k].ending) == 0) {
            *format = endings[k].format;
            return true;
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "%.200s: its ending is to be .tif, .asc, .xml, .dxf or .xyz", path);
}

/// ---- places --------------------------------------------------------------------------------------------------------

/// How the survey's numbers follow from a column and a row.
typedef struct Frame {
    double east, north; ///< of column (0, 0), m
    double right[2], up[2]; ///< m east and north from a column to the next, from a row to the next
    double lift; ///< m: of the survey over the site's level
    bool turned;
} Frame;

/// A tenth of a micrometre: rounding of the site's middle stays out of the file.
static double rounded(double length)
{
    return nearbyint(1e7 * length) / 1e7;
}

static Frame frame_of(const SurveyGrid *grid)
{
    const LandXmlPlacement *place = &grid->place;
    double c = same_cos(place->heading), s = same_sin(place->heading), dx = grid->x - place->x, dy = grid->y - place->y;
    return (Frame){.east = rounded(place->east + c * dx + s * dy),
                   .north = rounded(place->north + c * dy - s * dx),
                   .right = {c * grid->spacing, -s * grid->spacing},
                   .up = {s * grid->spacing, c * grid->spacing},
                   .lift = place->elevation - place->z,
                   .turned = fabs(s) > 1e-12 || c < 0.0};
}

static double height_of(const SurveyGrid *grid, int row, int column)
{
    return (double)grid->height[(size_t)row * (size_t)grid->columns + (size_t)column];
}

/// Easting, northing and elevation of a column, m.
static void find_point(const SurveyGrid *grid, const Frame *frame, int row, int column, double point[3])
{
    point[0] = frame->east + column * frame->right[0] + row * frame->up[0];
    point[1] = frame->north + column * frame->right[1] + row * frame->up[1];
    point[2] = height_of(grid, row, column) + frame->lift;
}

/// The triangles of the cell whose south-west corner is a column, as offsets of row and column; returns how many.
static int find_triangles(const SurveyGrid *grid, int row, int column, int triangles[2][3][2])
{
    static const int offsets[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}; // counter-clockwise
    int there[4], count = 0;
    for (int k = 0; k < 4; k++) {
        there[count] = k;
        count += !isnan(height_of(grid, row + offsets[k][0], column + offsets[k][1]));
    }
    for (int n = 0; n + 2 < count; n++) {
        const int corners[3] = {there[0], there[n + 1], there[n + 2]};
        for (int k = 0; k < 3; k++) {
            triangles[n][k][0] = row + offsets[corners[k]][0];
            triangles[n][k][1] = column + offsets[corners[k]][1];
        }
    }
    return count > 2 ? count - 2 : 0;
}

static int64_t count_triangles(const SurveyGrid *grid)
{
    int64_t count = 0;
    int triangles[2][3][2];
    for (int row = 0; row + 1 < grid->rows; row++) {
        for (int column = 0; column + 1 < grid->columns; column++) {
            count += find_triangles(grid, row, column, triangles);
        }
    }
    return count;
}

/// ---- text ----------------------------------------------------------------------------------------------------------

static void print_ascii_grid(const SurveyGrid *grid, const Frame *frame, FILE *file)
{
    fprintf(file, "ncols %d\nnrows %d\nxllcorner %.4f\nyllcorner %.4f\ncellsize %.10g\nNODATA_value %.0f\n",
            grid->columns, grid->rows, frame->east - 0.5 * grid->spacing, frame->north - 0.5 * grid->spacing,
            grid->spacing, SURVEY_GRID_NODATA);
    for (int row = grid->rows - 1; row >= 0; row--) {
        for (int column = 0; column < grid->columns; column++) {
            double height = height_of(grid, row, column);
            fprintf(file, isnan(height) ? "%.0f%s" : "%.4f%s",
                    isnan(height) ? SURVEY_GRID_NODATA : height + frame->lift, column + 1 < grid->columns ? " " : "\n");
        }
    }
}

static void print_points(const SurveyGrid *grid, const Frame *frame, FILE *file)
{
    for (int row = grid->rows - 1; row >= 0; row--) {
        for (int column = 0; column < grid->columns; column++) {
            double point[3];
            find_point(grid, frame, row, column, point);
            if (!isnan(point[2])) {
                fprintf(file, "%.4f %.4f %.4f\n", point[0], point[1], point[2]);
            }
        }
    }
}

static void print_dxf(const SurveyGrid *grid, const Frame *frame, FILE *file)
{
    fputs("0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n",
          file);
    for (int k = 0; k < (grid->rows - 1) * (grid->columns - 1); k++) {
        int triangles[2][3][2];
        int count = find_triangles(grid, k / (grid->columns - 1), k % (grid->columns - 1), triangles);
        for (int n = 0; n < count; n++) {
            fprintf(file, "0\n3DFACE\n8\n%s\n", grid->name);
            for (int corner = 0; corner < 4; corner++) { // the fourth is the third again
                double point[3];
                const int *at = triangles[n][corner < 3 ? corner : 2];
                find_point(grid, frame, at[0], at[1], point);
                fprintf(file, "%d\n%.4f\n%d\n%.4f\n%d\n%.4f\n", 10 + corner, point[0], 20 + corner, point[1],
                        30 + corner, point[2]);
            }
        }
    }
    fputs("0\nENDSEC\n0\nEOF\n", file);
}

/// ---- LandXML -------------------------------------------------------------------------------------------------------

static bool make_tin(const char *label, const SurveyGrid *grid, const Frame *frame, Tin *tin, Status *status)
{
    const TinPlace nowhere = {1, 1};
    bool good = true;
    for (int k = 0; good && k < grid->rows * grid->columns; k++) {
        double point[3];
        find_point(grid, frame, k / grid->columns, k % grid->columns, point);
        point[2] = isnan(point[2]) ? 0.0 : point[2]; // no face names it
        good = tin_add_point(tin, label, point, nowhere, status);
    }
    for (int k = 0; good && k < (grid->rows - 1) * (grid->columns - 1); k++) {
        int triangles[2][3][2];
        int count = find_triangles(grid, k / (grid->columns - 1), k % (grid->columns - 1), triangles);
        for (int n = 0; good && n < count; n++) {
            int corners[3];
            for (int c = 0; c < 3; c++) {
                corners[c] = triangles[n][c][0] * grid->columns + triangles[n][c][1];
            }
            good = tin_add_face(tin, label, corners, nowhere, status);
        }
    }
    return good;
}

static bool write_landxml(const char *label, const SurveyGrid *grid, const Frame *frame, char **bytes, size_t *size,
                          Status *status)
{
    Tin tin = {0};
    bool good =
        make_tin(label, grid, frame, &tin, status) && landxml_write(label, &tin, grid->name, bytes, size, status);
    tin_free(&tin);
    return good;
}

/// ---- GeoTIFF -------------------------------------------------------------------------------------------------------

/// A file in memory, as libtiff writes it.
typedef struct Memory {
    char *bytes;
    size_t size, room, at;
} Memory;

static tmsize_t memory_read(thandle_t handle, void *bytes, tmsize_t size)
{
    Memory *memory = handle;
    size_t rest = memory->at < memory->size ? memory->size - memory->at : 0;
    size_t taken = (size_t)size < rest ? (size_t)size : rest;
    memcpy(bytes, memory->bytes + memory->at, taken);
    memory->at += taken;
    return (tmsize_t)taken;
}

static tmsize_t memory_write(thandle_t handle, void *bytes, tmsize_t size)
{
    Memory *memory = handle;
    size_t end = memory->at + (size_t)size;
    if (end > memory->room) {
        size_t room = 2 * end + 65536;
        char *larger = realloc(memory->bytes, room);
        if (larger == NULL) {
            return 0;
        }
        memory->bytes = larger;
        memory->room = room;
    }
    if (memory->at > memory->size) {
        memset(memory->bytes + memory->size, 0, memory->at - memory->size);
    }
    memcpy(memory->bytes + memory->at, bytes, (size_t)size);
    memory->at = end;
    memory->size = end > memory->size ? end : memory->size;
    return size;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int from)
{
    Memory *memory = handle;
    memory->at = (size_t)offset + (from == SEEK_CUR ? memory->at : from == SEEK_END ? memory->size : 0);
    return (toff_t)memory->at;
}

static toff_t memory_size(thandle_t handle)
{
    return (toff_t)((const Memory *)handle)->size;
}

static int memory_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

/// Says where pixels lie: the upper left corner of the upper left one, or how they are turned.
static void place_pixels(TIFF *tiff, const SurveyGrid *grid, const Frame *frame)
{
    double top = grid->rows - 0.5; // rows from row 0 to the upper edge
    double east = frame->east - 0.5 * frame->right[0] + top * frame->up[0];
    double north = frame->north - 0.5 * frame->right[1] + top * frame->up[1];
    if (frame->turned) {
        const double matrix[16] = {
            frame->right[0], -frame->up[0], 0, east, frame->right[1], -frame->up[1], 0, north, 0, 0, 1, 0, 0, 0, 0, 1};
        TIFFSetField(tiff, TIFFTAG_GEOTRANSMATRIX, 16, matrix);
    } else {
        const double tie[6] = {0, 0, 0, east, north, 0}, scale[3] = {grid->spacing, grid->spacing, 0};
        TIFFSetField(tiff, TIFFTAG_GEOTIEPOINTS, 6, tie);
        TIFFSetField(tiff, TIFFTAG_GEOPIXELSCALE, 3, scale);
    }
}

/// A plane of metres of which no projection is known, and heights in metres.
static bool write_keys(TIFF *tiff)
{
    enum { USER_DEFINED = 32767 };
    GTIF *keys = GTIFNew(tiff);
    if (keys == NULL) {
        return false;
    }
    GTIFKeySet(keys, GTModelTypeGeoKey, TYPE_SHORT, 1, ModelTypeProjected);
    GTIFKeySet(keys, GTRasterTypeGeoKey, TYPE_SHORT, 1, RasterPixelIsArea);
    GTIFKeySet(keys, ProjectedCSTypeGeoKey, TYPE_SHORT, 1, USER_DEFINED);
    GTIFKeySet(keys, PCSCitationGeoKey, TYPE_ASCII, 0, "plane of the survey, metres");
    GTIFKeySet(keys, ProjLinearUnitsGeoKey, TYPE_SHORT, 1, Linear_Meter);
    GTIFKeySet(keys, VerticalUnitsGeoKey, TYPE_SHORT, 1, Linear_Meter);
    bool good = GTIFWriteKeys(keys) != 0;
    GTIFFree(keys);
    return good;
}

static bool write_rows(TIFF *tiff, const SurveyGrid *grid, const Frame *frame)
{
    float *row = malloc((size_t)grid->columns * sizeof *row);
    bool good = row != NULL;
    for (int k = 0; good && k < grid->rows; k++) {
        for (int column = 0; column < grid->columns; column++) {
            double height = height_of(grid, grid->rows - 1 - k, column);
            row[column] = (float)(isnan(height) ? SURVEY_GRID_NODATA : height + frame->lift);
        }
        good = TIFFWriteScanline(tiff, row, (uint32_t)k, 0) == 1;
    }
    free(row);
    return good;
}

static bool write_tiff(TIFF *tiff, const SurveyGrid *grid, const Frame *frame)
{
    /// GDAL's tag for "no value", which other programs read, too (GDAL, GeoTIFF driver, "Nodata value").
    enum { GDAL_NODATA = 42113, ROWS_A_STRIP = 64, PREDICTOR_OF_FLOATS = 3 };
    static const TIFFFieldInfo nodata[] = {
        {GDAL_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"GDALNoDataValue"}};
    char none[32];
    snprintf(none, sizeof none, "%.0f", SURVEY_GRID_NODATA);
    TIFFMergeFieldInfo(tiff, nodata, 1);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)grid->columns);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)grid->rows);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_OF_FLOATS);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, ROWS_A_STRIP);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, grid->name);
    TIFFSetField(tiff, GDAL_NODATA, none);
    place_pixels(tiff, grid, frame);
    return write_keys(tiff) && write_rows(tiff, grid, frame) && TIFFFlush(tiff) == 1;
}

static bool write_geotiff(const char *label, const SurveyGrid *grid, const Frame *frame, char **bytes, size_t *size,
                          Status *status)
{
    Memory memory = {0};
    TIFF *tiff = XTIFFClientOpen(label, "w", &memory, memory_read, memory_write, memory_seek, memory_close, memory_size,
                                 NULL, NULL);
    bool good = tiff != NULL && write_tiff(tiff, grid, frame);
    if (tiff != NULL) {
        XTIFFClose(tiff);
    }
    if (!good) {
        free(memory.bytes);
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    *bytes = memory.bytes;
    *size = memory.size;
    return true;
}

/// ---- any format ----------------------------------------------------------------------------------------------------

static bool write_text(const char *label, const SurveyGrid *grid, const Frame *frame,
                       void print(const SurveyGrid *grid, const Frame *frame, FILE *file), char **bytes, size_t *size,
                       Status *status)
{
    *bytes = NULL;
    FILE *file = open_memstream(bytes, size);
    if (file != NULL) {
        print(grid, frame, file);
    }
    bool good = file != NULL && ferror(file) == 0;
    good = (file == NULL || fclose(file) == 0) && good;
    if (!good) {
        free(*bytes);
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    return true;
}

bool survey_grid_write(const char *label, const SurveyGrid *grid, SurveyFormat format, char **bytes, size_t *size,
                       Status *status)
{
    Frame frame = frame_of(grid);
    int64_t triangles = count_triangles(grid);
    if (triangles == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: no three cells beside each other have a height", label);
    }
    if (triangles > TIN_MOST_FACES && (format == SURVEY_LANDXML || format == SURVEY_DXF)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: %lld triangles, allowed at most %d: choose .tif, .asc or .xyz", label,
                           (long long)triangles, TIN_MOST_FACES);
    }
    if (format == SURVEY_ASCII_GRID && frame.turned) {
        return status_fail(
            status, STATUS_BAD_USAGE,
            "%s: the site is turned against its survey, which this format cannot say: choose .tif, .xml, "
            ".dxf or .xyz, or the site's own coordinates",
            label);
    }
    switch (format) {
    case SURVEY_GEOTIFF:
        return write_geotiff(label, grid, &frame, bytes, size, status);
    case SURVEY_ASCII_GRID:
        return write_text(label, grid, &frame, print_ascii_grid, bytes, size, status);
    case SURVEY_LANDXML:
        return write_landxml(label, grid, &frame, bytes, size, status);
    case SURVEY_DXF:
        return write_text(label, grid, &frame, print_dxf, bytes, size, status);
    case SURVEY_XYZ:
        return write_text(label, grid, &frame, print_points, bytes, size, status);
    }
    return false;
}
