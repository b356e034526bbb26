/// Finds out what format a survey file has, and does with its surfaces what is the same for all.
#include "data/files/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/files/ascii_grid.h"
#include "data/files/dxf.h"
#include "data/files/geotiff.h"
#include "data/files/landxml.h"
#include "data/files/points.h"
#include "data/files/survey_scan.h"
#include "data/files/tin.h"

/// ---- formats -------------------------------------------------------------------------------------------------------

enum { FIRST_BYTES = 64 };

static bool is_xml(const char *first)
{
    bool wide = memcmp(first, "\xff\xfe", 2) == 0 || memcmp(first, "\xfe\xff", 2) == 0;
    const char *at = first + (memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    return wide || at[strspn(at, " \t\r\n")] == '<';
}

static const struct {
    const char *name;
    bool (*is)(const char *first); ///< [FIRST_BYTES + 1], ends in NUL
    SurveyScan *scan;
    bool joins; ///< points to triangles
} formats[] = {
    {"LandXML", is_xml, landxml_scan, false},
    {"DXF", dxf_is, dxf_scan, true},
    {"ESRI ASCII grid", ascii_grid_is, ascii_grid_scan, false},
    {"GeoTIFF", geotiff_is, geotiff_scan, false},
    {"points", points_is, points_scan, true}, // after all others: most text begins like one
};

/// [FIRST_BYTES + 1]; the file stands at its beginning afterwards.
static size_t read_first(FILE *file, char *first)
{
    size_t read = fread(first, 1, FIRST_BYTES, file);
    first[read] = '\0';
    rewind(file);
    return read;
}

bool survey_is_landxml(FILE *file)
{
    char first[FIRST_BYTES + 1];
    return read_first(file, first) > 0 && is_xml(first);
}

/// Reads a file by the reader of its format, whose name it tells.
static bool scan(const char *label, FILE *file, const SurveyWish *wish, const char **format, char *unit, Status *status)
{
    char first[FIRST_BYTES + 1] = "";
    if (read_first(file, first) == 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s:1:1: an empty file", label);
    }
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
        if (formats[k].is(first)) {
            *format = formats[k].name;
            if (wish->longest_edge > 0.0 && !formats[k].joins) {
                return status_fail(
                    status, STATUS_BAD_FILE,
                    "%s: longest_edge: read %.6g for a surface of %s, allowed for a list of points or lines", label,
                    wish->longest_edge, formats[k].name);
            }
            return formats[k].scan(label, file, wish, unit, status);
        }
    }
    bool drawing = memcmp(first, "AC10", 4) == 0 || memcmp(first, "AutoCAD Binary DXF", 18) == 0;
    return status_fail(status, STATUS_BAD_FILE,
                       "%s:1:1: read %s, allowed LandXML, DXF with text, an ESRI ASCII grid, GeoTIFF or a list of "
                       "points (x y z): export it as one of "
                       "them",
                       label, drawing ? "a DWG or a binary DXF" : "a file of another format");
}

/// ---- all surfaces --------------------------------------------------------------------------------------------------

static const TinAxes axes = {"easting", "northing", " of the survey"};

/// Who checks the surfaces of a file.
typedef struct Checking {
    const char *label;
    Findings *findings; ///< or NULL
    SurveyInfo *info;
} Checking;

static void find_extent(const Tin *tin, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = HUGE_VAL;
        high[axis] = -HUGE_VAL;
        for (int k = 0; k < 3 * tin->face_count; k++) {
            double at = tin->points[tin->faces[k / 3][k % 3]][axis];
            low[axis] = fmin(low[axis], at);
            high[axis] = fmax(high[axis], at);
        }
    }
}

static bool measure_surface(void *context, const SurveySurface *surface, TinPlace began, Status *status)
{
    const Checking *checking = context;
    if (checking->info->count == SURVEY_MOST_SURFACES) {
        return tin_fail_at(checking->label, began, status, "more than %d surfaces, allowed at most that many",
                           SURVEY_MOST_SURFACES);
    }
    checking->info->surfaces[checking->info->count++] = *surface;
    return true;
}

static bool note_surface(void *context, const char *name, Tin *tin, TinPlace began, Status *status)
{
    const Checking *checking = context;
    char left_out[SURVEY_LEFT_OUT];
    if (!tin_finish(tin, checking->label, &axes, status)) {
        return false;
    }
    tin_tell_left_out(tin, checking->label, left_out, sizeof left_out);
    if (checking->findings != NULL && left_out[0] != '\0') {
        findings_add(checking->findings, true, left_out);
    }
    SurveySurface surface = {.faces = tin->face_count,
                             .loops = tin->loop_count,
                             .points = tin->point_count,
                             .long_count = tin->long_count,
                             .longest = tin->longest};
    snprintf(surface.name, sizeof surface.name, "%s", name);
    find_extent(tin, surface.low, surface.high);
    return measure_surface(context, &surface, began, status);
}

bool survey_check(const char *label, FILE *file, Findings *findings, SurveyInfo *info, Status *status)
{
    Checking checking = {.label = label, .findings = findings, .info = info};
    const SurveyWish wish = {
        .choice = SURVEY_ALL, .take = note_surface, .measure = measure_surface, .context = &checking};
    return scan(label, file, &wish, &info->format, info->unit, status);
}

/// ---- one surface ---------------------------------------------------------------------------------------------------

/// Who reads a surface for a scene, or writes it.
typedef struct Reducing {
    const char *label;
    const SurveyCrop *crop; ///< or NULL
    const LandXmlPlacement *place; ///< of reading; NULL: it stays where it is
    Tin *tin; ///< out, of reading
    char *text; ///< out, of writing
    size_t size;
    char *left_out; ///< [SURVEY_LEFT_OUT]
} Reducing;

/// Leaves of a surface what is to be kept. False when that is nothing.
static bool crop_surface(const Reducing *reducing, Tin *tin, TinPlace began, Status *status)
{
    const SurveyCrop *crop = reducing->crop;
    double low[3], high[3], from[2], to[2];
    find_extent(tin, low, high);
    survey_crop_sides(crop, from, to);
    return tin_clip(tin, from, to, reducing->label, status) &&
           (tin->face_count > 0 || survey_fail_crop(reducing->label, began, crop, low, high, status));
}

static bool reduce_surface(void *context, const char *name, Tin *tin, TinPlace began, Status *status)
{
    Reducing *reducing = context;
    if ((reducing->crop != NULL && !crop_surface(reducing, tin, began, status)) ||
        !landxml_write(reducing->label, tin, name, &reducing->text, &reducing->size, status)) {
        return false;
    }
    if (reducing->size > LANDXML_MOST_TEXT) {
        return tin_fail_at(reducing->label, began, status,
                           "the surface has %d faces, more than a scene may keep (about 100000): state crop_length and "
                           "crop_width%s",
                           tin->face_count, reducing->crop != NULL ? ", less than now" : "");
    }
    bool good = tin_finish(tin, reducing->label, &axes, status); // with the places of the file
    tin_tell_left_out(tin, reducing->label, reducing->left_out, SURVEY_LEFT_OUT);
    return good;
}

static bool read_surface(void *context, const char *name, Tin *tin, TinPlace began, Status *status)
{
    static const TinAxes site = {"x", "y", " on the site"};
    Reducing *reducing = context;
    (void)name;
    if (reducing->crop != NULL && !crop_surface(reducing, tin, began, status)) {
        return false;
    }
    if (reducing->place != NULL) {
        landxml_place(tin, reducing->place);
    }
    if (!tin_finish(tin, reducing->label, reducing->place != NULL ? &site : &axes, status)) {
        return false;
    }
    tin_tell_left_out(tin, reducing->label, reducing->left_out, SURVEY_LEFT_OUT);
    *reducing->tin = *tin;
    *tin = (Tin){0};
    return true;
}

static bool scan_one(Reducing *reducing, FILE *file, const char *name, double longest_edge, SurveyTake *take,
                     Status *status)
{
    const SurveyWish wish = {.choice = name[0] == '\0' ? SURVEY_ONLY : SURVEY_NAMED,
                             .name = name,
                             .crop = reducing->crop,
                             .longest_edge = longest_edge,
                             .take = take,
                             .context = reducing};
    const char *format;
    char unit[SURVEY_NAME_LENGTH];
    reducing->left_out[0] = '\0';
    return scan(reducing->label, file, &wish, &format, unit, status);
}

bool survey_read(const char *label, FILE *file, const char *name, const SurveyCrop *crop, double longest_edge,
                 const LandXmlPlacement *place, Tin *tin, char *left_out, Status *status)
{
    *tin = (Tin){0};
    Reducing reducing = {.label = label, .crop = crop, .place = place, .tin = tin, .left_out = left_out};
    if (!scan_one(&reducing, file, name, longest_edge, read_surface, status)) {
        tin_free(tin);
        return false;
    }
    return true;
}

bool survey_reduce(const char *label, FILE *file, const char *name, const SurveyCrop *crop, double longest_edge,
                   char **text, size_t *size, char *left_out, Status *status)
{
    Reducing reducing = {.label = label, .crop = crop, .left_out = left_out};
    if (!scan_one(&reducing, file, name, longest_edge, reduce_surface, status)) {
        free(reducing.text);
        return false;
    }
    *text = reducing.text;
    *size = reducing.size;
    return true;
}
