/// Contour lines of heights on a grid, with their heights beside them, as a survey's plan has them.
#ifndef SPADEWORK_TRAINER_CONTOURS_H
#define SPADEWORK_TRAINER_CONTOURS_H

#include <cairo/cairo.h>
#include <stdbool.h>

/// Heights at the corners of square cells.
typedef struct ContourField {
    int rows, columns; ///< 2 and more
    double x, y, step; ///< points: of corner (0, 0), and from a corner to the next; rows run up the page
    const float *height; ///< [rows][columns], m; NaN: none
    bool spares_level; ///< there is no line of the height 0: of ground that is level but for its unevenness
} ContourField;

/// m from a line to the next: 1, 2 or 5 times a power of ten, 0.01 and more, so that at most ten lie between two
/// heights.
double contour_interval(double lowest, double highest);

/// Strokes the lines of all multiples of `interval` in the cairo's colour and line width.
void contours_stroke(cairo_t *cairo, const ContourField *field, double interval);

/// A place for the height of a line.
typedef struct ContourLabel {
    double x, y; ///< points, on the line
    double height; ///< m
} ContourLabel;

/// Chooses a place on each line, none nearer than `apart` points to another; returns how many, at most `capacity`.
int contour_labels(const ContourField *field, double interval, double apart, ContourLabel *labels, int capacity);

#endif
