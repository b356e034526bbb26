/// Reads two surfaces, sums their difference, and draws the page.
#include "trainer/report/volume.h"

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "data/files/files.h"
#include "data/schema/schema.h"
#include "trainer/report/change_map.h"
#include "trainer/report/output_file.h"

/// ---- surfaces ------------------------------------------------------------------------------------------------------

enum { SIDE = 500, MOST_CELLS = 25000000 };

/// Reads "FILE" or "FILE#SURFACE".
static DesignSurface *open_surface(const char *named, Status *status)
{
    char path[DATA_PATH_LENGTH];
    const char *mark = strrchr(named, '#');
    struct stat info;
    bool whole = mark == NULL || stat(named, &info) == 0;
    int length = whole ? (int)strlen(named) : (int)(mark - named);
    if (length >= DATA_PATH_LENGTH) {
        status_fail(status, STATUS_BAD_USAGE, "%.80s...: the path is longer than %d bytes", named,
                    DATA_PATH_LENGTH - 1);
        return NULL;
    }
    snprintf(path, sizeof path, "%.*s", length, named);
    FILE *file = regular_file_open(path, status);
    Tin tin;
    char left_out[SURVEY_LEFT_OUT];
    bool good = file != NULL && survey_read(path, file, whole ? "" : mark + 1, NULL, 0.0, NULL, &tin, left_out, status);
    if (file != NULL) {
        fclose(file);
    }
    return good ? design_of_tin(&tin, path, status) : NULL;
}

/// 1, 2 or 5 times a power of ten.
static double round_cell(double length)
{
    double power = pow(10.0, floor(log10(length))), lead = length / power;
    double cell = power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
    return fmin(fmax(cell, VOLUME_LEAST_CELL), VOLUME_MOST_CELL);
}

/// Lays cells over what both boxes have.
static bool lay_cells(const VolumeRequest *request, const DesignSurface *from, const DesignSurface *to, Volume *volume,
                      Status *status)
{
    DesignBox a, b;
    if (!design_box(from, &a) || !design_box(to, &b)) {
        return status_fail(status, STATUS_BAD_FILE, "%.80s: no surface", request->from);
    }
    double low[2] = {fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y)};
    double side[2] = {fmin(a.high.x, b.high.x) - low[0], fmin(a.high.y, b.high.y) - low[1]};
    if (!(side[0] > 0.0 && side[1] > 0.0)) {
        return status_fail(
            status, STATUS_BAD_FILE,
            "%.80s and %.80s have no place in common: east %.2f to %.2f and north %.2f to %.2f, east %.2f "
            "to %.2f and north %.2f to %.2f",
            request->from, request->to, a.low.x, a.high.x, a.low.y, a.high.y, b.low.x, b.high.x, b.low.y, b.high.y);
    }
    volume->cell = request->cell > 0.0 ? request->cell : round_cell(fmax(side[0], side[1]) / SIDE);
    double columns = ceil(side[0] / volume->cell - 1e-6), rows = ceil(side[1] / volume->cell - 1e-6);
    if (rows * columns > MOST_CELLS) {
        return status_fail(status, STATUS_BAD_USAGE, "--cell %g: makes %.0f cells of %.1f x %.1f m, allowed at most %d",
                           volume->cell, rows * columns, side[0], side[1], MOST_CELLS);
    }
    volume->rows = (int)rows;
    volume->columns = (int)columns;
    volume->east = low[0] + 0.5 * (side[0] - columns * volume->cell); // as far beyond one edge as beyond the other
    volume->north = low[1] + 0.5 * (side[1] - rows * volume->cell);
    return true;
}

static void sum_cells(const VolumeRequest *request, const DesignSurface *from, const DesignSurface *to, Volume *volume)
{
    double cell = volume->cell;
    volume->lowest.change = HUGE_VAL;
    volume->highest.change = -HUGE_VAL;
    for (int k = 0; k < volume->rows * volume->columns; k++) {
        double x = volume->east + (k % volume->columns + 0.5) * cell,
               y = volume->north + (k / volume->columns + 0.5) * cell;
        double before, after;
        volume->change[k] = (float)NAN;
        if (!design_height(from, x, y, &before) || !design_height(to, x, y, &after)) {
            continue;
        }
        double change = after - before;
        volume->change[k] = (float)change;
        volume->area += cell * cell;
        volume->fill += change > 0.0 ? change * cell * cell : 0.0;
        volume->cut -= change < 0.0 ? change * cell * cell : 0.0;
        volume->equal += fabs(change) <= request->tolerance ? cell * cell : 0.0;
        if (change < volume->lowest.change) {
            volume->lowest = (VolumePlace){change, x, y};
        }
        if (change > volume->highest.change) {
            volume->highest = (VolumePlace){change, x, y};
        }
    }
}

bool volume_compare(const VolumeRequest *request, Volume *volume, Status *status)
{
    *volume = (Volume){.cell = 0.0};
    DesignSurface *from = open_surface(request->from, status);
    DesignSurface *to = from != NULL ? open_surface(request->to, status) : NULL;
    bool good = to != NULL && lay_cells(request, from, to, volume, status);
    if (good) {
        volume->change = malloc((size_t)volume->rows * (size_t)volume->columns * sizeof *volume->change);
    }
    if (good && volume->change == NULL) {
        good = status_fail(status, STATUS_LACKING, "no memory for the cells of the volume");
    } else if (good) {
        sum_cells(request, from, to, volume);
        good = volume->area > 0.0 || status_fail(status, STATUS_BAD_FILE, "%.80s and %.80s have no place in common",
                                                 request->from, request->to);
    }
    design_destroy(from);
    design_destroy(to);
    if (!good) {
        volume_free(volume);
    }
    return good;
}

void volume_free(Volume *volume)
{
    free(volume->change);
    volume->change = NULL;
}

/// ---- the page ------------------------------------------------------------------------------------------------------

#define PAGE_WIDTH  595.0 ///< points: A4
#define PAGE_HEIGHT 842.0
#define MARGIN      48.0
#define TEXT_SIZE   10.0

static void put_text(cairo_t *cairo, double x, double y, double size, const char *text)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
    cairo_set_source_rgb(cairo, 0.13, 0.13, 0.13);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
}

/// A row of the table.
static void put_row(cairo_t *cairo, double *y, const char *name, const char *value)
{
    put_text(cairo, MARGIN, *y, TEXT_SIZE, language_text(name));
    put_text(cairo, MARGIN + 150.0, *y, TEXT_SIZE, value);
    *y += 16.0;
}

static void put_place(cairo_t *cairo, double *y, const char *name, const VolumePlace *place, TextUnits units)
{
    char text[160];
    snprintf(text, sizeof text, language_text("%s at east %s, north %s"),
             quantity(QUANTITY_RISE, place->change, units).text, quantity_number(place->east, 2).number,
             quantity_number(place->north, 2).number);
    put_row(cairo, y, name, text);
}

/// The last part of a path: a page names no folder of its maker.
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void draw_table(cairo_t *cairo, const Volume *volume, const VolumeRequest *request, TextUnits units, double *y)
{
    char text[192], area[48];
    put_text(cairo, MARGIN, *y, 18.0, language_text("Volumes between two surfaces"));
    *y += 28.0;
    put_row(cairo, y, TEXT("from"), visible_text_shown(file_name(request->from)).text);
    put_row(cairo, y, TEXT("to"), visible_text_shown(file_name(request->to)).text);
    snprintf(area, sizeof area, "%s m²", quantity_number(volume->area, 1).number);
    snprintf(text, sizeof text, language_text("%s, in cells of %s"), area,
             quantity(QUANTITY_LENGTH, volume->cell, units).text);
    put_row(cairo, y, TEXT("area of both"), text);
    put_row(cairo, y, TEXT("cut volume"), quantity(QUANTITY_VOLUME, volume->cut, units).text);
    put_row(cairo, y, TEXT("fill volume"), quantity(QUANTITY_VOLUME, volume->fill, units).text);
    put_row(cairo, y, TEXT("fill less cut"), quantity(QUANTITY_VOLUME, volume->fill - volume->cut, units).text);
    if (volume->cut > 0.0) {
        put_place(cairo, y, TEXT("deepest cut"), &volume->lowest, units);
    }
    if (volume->fill > 0.0) {
        put_place(cairo, y, TEXT("highest fill"), &volume->highest, units);
    }
    snprintf(text, sizeof text, language_text("%s %% of the area"),
             quantity_number(100.0 * volume->equal / volume->area, 1).number);
    char name[64];
    snprintf(name, sizeof name, language_text("within %s"), quantity(QUANTITY_FINE, request->tolerance, units).text);
    put_row(cairo, y, name, text);
}

static double change_of(const void *context, int row, int column)
{
    const Volume *volume = context;
    return -(double)volume->change[row * volume->columns + column]; // cut is orange
}

static void draw_change(cairo_t *cairo, const Volume *volume, const VolumeRequest *request, TextUnits units, double top)
{
    double width = PAGE_WIDTH - 2.0 * MARGIN, height = PAGE_HEIGHT - MARGIN - 40.0 - top;
    double cell = fmin(width / volume->columns, height / volume->rows);
    double most = fmax(fabs(volume->lowest.change), fabs(volume->highest.change));
    const ChangeScale scale = {.tolerance = request->tolerance, .most = fmax(most, 2.0 * request->tolerance)};
    const ChangeMap map = {volume->rows, volume->columns, MARGIN, top, cell, change_of, volume};
    change_map_draw(cairo, &map, &scale);
    cairo_rectangle(cairo, MARGIN, top, cell * volume->columns, cell * volume->rows);
    cairo_set_source_rgb(cairo, 0.6, 0.6, 0.6);
    cairo_set_line_width(cairo, 0.6);
    cairo_stroke(cairo);
    char text[160];
    double below = top + cell * volume->rows + 14.0;
    snprintf(text, sizeof text, language_text("east %s to %s, north %s to %s"), quantity_number(volume->east, 2).number,
             quantity_number(volume->east + volume->cell * volume->columns, 2).number,
             quantity_number(volume->north, 2).number,
             quantity_number(volume->north + volume->cell * volume->rows, 2).number);
    put_text(cairo, MARGIN, below, 8.0, text);
    double x = change_map_key(cairo, MARGIN, below + 8.0, &scale);
    const Quantity strongest = quantity(QUANTITY_LENGTH, scale.most, units);
    snprintf(text, sizeof text, language_text("filled %s ... cut away %s; white: within %s"), strongest.text,
             strongest.text, quantity(QUANTITY_FINE, request->tolerance, units).text);
    put_text(cairo, x + 5.0, below + 15.5, 8.0, text);
}

static void draw_page(cairo_t *cairo, const Volume *volume, const VolumeRequest *request, TextUnits units)
{
    double y = MARGIN + 12.0;
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    draw_table(cairo, volume, request, units, &y);
    draw_change(cairo, volume, request, units, y + 6.0);
}

bool volume_write(const Volume *volume, const VolumeRequest *request, const char *path, TextUnits units, Status *status)
{
    const double scale = 2.0; // pixels a point
    bool pdf = output_ends_in(path, ".pdf"), svg = output_ends_in(path, ".svg");
    if (!pdf && !svg && !output_ends_in(path, ".png")) {
        return status_fail(status, STATUS_BAD_USAGE, "-o %.80s: a name that ends in .pdf, .svg or .png is expected",
                           path);
    }
    if (!output_may_replace(path, pdf ? OUTPUT_PDF : svg ? OUTPUT_SVG : OUTPUT_PICTURE, status)) {
        return false;
    }
    cairo_surface_t *surface =
        pdf   ? cairo_pdf_surface_create(path, PAGE_WIDTH, PAGE_HEIGHT)
        : svg ? cairo_svg_surface_create(path, PAGE_WIDTH, PAGE_HEIGHT)
              : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(scale * PAGE_WIDTH), (int)(scale * PAGE_HEIGHT));
    cairo_t *cairo = cairo_create(surface);
    if (!pdf && !svg) {
        cairo_scale(cairo, scale, scale);
    }
    draw_page(cairo, volume, request, units);
    cairo_destroy(cairo);
    cairo_status_t code = pdf || svg ? CAIRO_STATUS_SUCCESS : cairo_surface_write_to_png(surface, path);
    cairo_surface_finish(surface);
    code = code == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : code;
    cairo_surface_destroy(surface);
    if (code != CAIRO_STATUS_SUCCESS) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the page cannot be written: %s", path,
                           cairo_status_to_string(code));
    }
    return true;
}
