/// Makes surfaces of grids, two rows at a time.
#include "data/files/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a float's rounding moves a value by, and more.
#define NODATA_DOUBT 5e-7

bool raster_is_nodata(double value, double nodata)
{
    return fabs(value - nodata) <= NODATA_DOUBT * fabs(nodata);
}

bool raster_seems_geographic(const Raster *raster)
{
    return raster->dx < 0.01 && fabs(raster->x) <= 360.0 && fabs(raster->y) <= 90.0;
}

/// A grid that is being read.
typedef struct Job {
    const Raster *raster;
    Status *status;
    int first_column, columns, first_row, rows; ///< of the file, that are read
    SurveySurface *measured; ///< or NULL: the surface is made
    Tin *tin; ///< or NULL
    double *heights; ///< [columns] of a row
    TinPlace *places; ///< the same
    int *numbers; ///< [2][columns] points of two rows, -1 without one
} Job;

/// The place of a column and a row of the file, m: east, north.
static void find_middle(const Raster *raster, int column, int row, double at[2])
{
    double along = column * raster->dx, up = (raster->northward ? row : raster->rows - 1 - row) * raster->dy;
    at[0] = raster->x + along * raster->cosine - up * raster->sine;
    at[1] = raster->y + along * raster->sine + up * raster->cosine;
}

/// The cells along an axis that lie between two places, and the next beyond them. False when there are none.
static bool find_span(double cell, int cells, double from, double to, int *first, int *last)
{
    double low = floor(from / cell), high = ceil(to / cell);
    if (high < 0.0 || low > cells - 1) {
        return false;
    }
    *first = (int)fmax(low, 0.0);
    *last = (int)fmin(high, cells - 1.0);
    return true;
}

/// How far the grid reaches, m.
static void find_sides(const Raster *raster, double low[2], double high[2])
{
    low[0] = low[1] = HUGE_VAL;
    high[0] = high[1] = -HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        double at[2];
        find_middle(raster, k % 2 * (raster->columns - 1), k / 2 * (raster->rows - 1), at);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
}

/// Finds out which columns and rows are read.
static bool find_window(Job *job, const SurveyCrop *crop)
{
    const Raster *raster = job->raster;
    job->columns = raster->columns;
    job->rows = raster->rows;
    if (crop == NULL) {
        return true;
    }
    double from[2], to[2], low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    int west, east, south, north;
    survey_crop_sides(crop, from, to);
    for (int k = 0; k < 4; k++) { // corners of the crop, along the columns and rows of the grid
        double dx = (k % 2 == 0 ? from[0] : to[0]) - raster->x, dy = (k < 2 ? from[1] : to[1]) - raster->y;
        const double at[2] = {dx * raster->cosine + dy * raster->sine, dy * raster->cosine - dx * raster->sine};
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    if (!find_span(raster->dx, raster->columns, low[0], high[0], &west, &east) ||
        !find_span(raster->dy, raster->rows, low[1], high[1], &south, &north)) {
        find_sides(raster, low, high);
        return survey_fail_crop(raster->label, (TinPlace){1, 1}, crop, low, high, job->status);
    }
    job->first_column = west;
    job->columns = east - west + 1;
    job->first_row = raster->northward ? south : raster->rows - 1 - north;
    job->rows = north - south + 1;
    return true;
}

/// Notes a height of a grid that is only measured.
static void measure_point(SurveySurface *measured, const double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        measured->low[axis] = measured->points == 0 ? at[axis] : fmin(measured->low[axis], at[axis]);
        measured->high[axis] = measured->points == 0 ? at[axis] : fmax(measured->high[axis], at[axis]);
    }
    measured->points++;
}

/// Adds the heights of a row.
static bool add_points(const Job *job, int row, int *numbers)
{
    for (int k = 0; k < job->columns; k++) {
        numbers[k] = -1;
        if (isnan(job->heights[k])) {
            continue;
        }
        double at[3];
        find_middle(job->raster, job->first_column + k, row, at);
        at[2] = job->heights[k];
        if (job->measured != NULL) {
            numbers[k] = job->measured->points;
            measure_point(job->measured, at);
            continue;
        }
        numbers[k] = job->tin->point_count;
        if (!tin_add_point(job->tin, job->raster->label, at, job->places[k], job->status)) {
            return false;
        }
    }
    return true;
}

/// Adds the faces between two rows.
static bool add_faces(const Job *job, const int *south, const int *north)
{
    for (int k = 0; k + 1 < job->columns; k++) {
        const int corners[4] = {south[k], south[k + 1], north[k + 1], north[k]}; // counter-clockwise
        int there[4], count = 0;
        for (int c = 0; c < 4; c++) {
            there[count] = corners[c];
            count += corners[c] >= 0;
        }
        if (job->measured != NULL) {
            job->measured->faces += count > 2 ? count - 2 : 0;
            continue;
        }
        for (int c = 2; c < count; c++) {
            TinPlace place = job->tin->point_places[there[0]];
            if (!tin_add_face(job->tin, job->raster->label, (int[3]){there[0], there[c - 1], there[c]}, place,
                              job->status)) {
                return false;
            }
        }
    }
    return true;
}

static bool has_room(const Job *job)
{
    const Tin *tin = job->tin;
    return tin == NULL ||
           (tin->point_count + job->columns <= TIN_MOST_POINTS && tin->face_count + 2 * job->columns <= TIN_MOST_FACES);
}

static bool read_rows(const Job *job, RasterRead *read, void *context)
{
    bool good = true;
    for (int k = 0; good && k < job->rows; k++) {
        int *now = job->numbers + (size_t)(k % 2) * (size_t)job->columns;
        const int *before = job->numbers + (size_t)((k + 1) % 2) * (size_t)job->columns;
        bool up = job->raster->northward;
        if (!has_room(job)) {
            return tin_fail_at(job->raster->label, (TinPlace){1, 1}, job->status,
                               "the grid has %d x %d cells, which are more than %d faces: state crop_length and "
                               "crop_width",
                               job->columns, job->rows, TIN_MOST_FACES);
        }
        good = read(context, job->first_row + k, job->first_column, job->columns, job->heights, job->places) &&
               add_points(job, job->first_row + k, now) &&
               (k == 0 || add_faces(job, up ? before : now, up ? now : before));
    }
    return good;
}

/// Reads the heights and hands the surface over.
static bool give_surface(Job *job, RasterRead *read, void *context, const SurveyWish *wish)
{
    const TinPlace top = {1, 1};
    Tin tin = {0};
    SurveySurface measured = {.points = 0};
    bool large = 2.0 * (job->columns - 1) * (job->rows - 1) > TIN_MOST_FACES;
    job->measured = large && wish->measure != NULL ? &measured : NULL;
    job->tin = job->measured == NULL ? &tin : NULL;
    bool good = read_rows(job, read, context);
    if (good && tin.face_count + measured.faces == 0) {
        good = tin_fail_at(job->raster->label, top, job->status, "no three cells beside each other have a height%s",
                           wish->crop != NULL ? " within the crop" : "");
    }
    good = good && (job->measured != NULL ? wish->measure(wish->context, &measured, top, job->status)
                                          : wish->take(wish->context, "", &tin, top, job->status));
    tin_free(&tin);
    job->measured = NULL;
    job->tin = NULL;
    return good && status_good(job->status);
}

bool raster_scan(const Raster *raster, RasterRead *read, void *context, const SurveyWish *wish, Status *status)
{
    Job job = {.raster = raster, .status = status};
    if (!survey_check_unnamed(raster->label, wish, "a grid", status) || !find_window(&job, wish->crop)) {
        return false;
    }
    job.heights = malloc((size_t)job.columns * sizeof *job.heights);
    job.places = malloc((size_t)job.columns * sizeof *job.places);
    job.numbers = malloc(2 * (size_t)job.columns * sizeof *job.numbers);
    bool there = job.heights != NULL && job.places != NULL && job.numbers != NULL;
    bool good = there ? give_surface(&job, read, context, wish)
                      : status_fail(status, STATUS_LACKING, "%s: out of memory", raster->label);
    free(job.heights);
    free(job.places);
    free(job.numbers);
    return good;
}
