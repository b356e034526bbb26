/// Draws a map as a picture of one pixel a cell.
#include "trainer/report/change_map.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static void set_pixel(unsigned char *pixel, double value, const ChangeScale *scale, bool hatched)
{
    if (fabs(value) <= scale->tolerance) {
        pixel[0] = pixel[1] = pixel[2] = pixel[3] = 255;
        return;
    }
    double beyond = (fabs(value) - scale->tolerance) / (scale->most - scale->tolerance);
    double strength = 0.25 + 0.75 * fmin(beyond, 1.0);
    static const double orange[3] = {0.90, 0.50, 0.00}, blue[3] = {0.00, 0.40, 0.75};
    const double *colour = value > 0.0 ? orange : blue;
    double shade = value > 0.0 && hatched ? 0.75 : 1.0;
    for (int k = 0; k < 3; k++) {
        double mixed = shade * (1.0 - strength + strength * colour[k]);
        pixel[2 - k] = (unsigned char)(255.0 * mixed + 0.5); // blue first
    }
    pixel[3] = 255;
}

void change_map_draw(cairo_t *cairo, const ChangeMap *map, const ChangeScale *scale)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, map->columns, map->rows);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int line = cairo_image_surface_get_stride(image);
    for (int row = 0; row < map->rows && pixels != NULL; row++) {
        for (int column = 0; column < map->columns; column++) {
            double at = map->at(map->context, row, column);
            if (!isnan(at)) {
                unsigned char *pixel = pixels + (size_t)(map->rows - 1 - row) * (size_t)line + (size_t)column * 4;
                set_pixel(pixel, at, scale, (row + column) % 4 == 0);
            }
        }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(cairo);
    cairo_translate(cairo, map->left, map->top);
    cairo_scale(cairo, map->cell, map->cell);
    cairo_set_source_surface(cairo, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

/// Hatches a field of the key as the map is hatched.
static void hatch(cairo_t *cairo, double x, double y)
{
    cairo_set_line_width(cairo, 0.8);
    cairo_set_source_rgba(cairo, 0.0, 0.0, 0.0, 0.35);
    for (int k = 0; k < 3; k++) {
        cairo_move_to(cairo, x + 4.0 * k, y + 8.0);
        cairo_line_to(cairo, x + 4.0 * k + 5.0, y);
        cairo_stroke(cairo);
    }
}

double change_map_key(cairo_t *cairo, double x, double y, const ChangeScale *scale)
{
    for (int k = -3; k <= 3; k++) {
        unsigned char pixel[4];
        if (k == 0 && !(scale->tolerance > 0.0)) {
            continue;
        }
        set_pixel(pixel, scale->most * k / 3.0, scale, false);
        cairo_rectangle(cairo, x, y, 14.0, 8.0);
        cairo_set_source_rgb(cairo, pixel[2] / 255.0, pixel[1] / 255.0, pixel[0] / 255.0);
        cairo_fill_preserve(cairo);
        cairo_set_source_rgba(cairo, 0.6, 0.6, 0.6, 0.6);
        cairo_set_line_width(cairo, 0.4);
        cairo_stroke(cairo);
        if (k > 0) {
            hatch(cairo, x, y);
        }
        x += 14.0;
    }
    return x;
}
