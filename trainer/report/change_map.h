/// Maps of cut and fill: a colour a cell, orange above 0, blue below, stronger where it is more, white within the
/// tolerance. Orange is hatched, so that the two differ in grey, too. Colours are those of Okabe and Ito.
#ifndef SPADEWORK_TRAINER_CHANGE_MAP_H
#define SPADEWORK_TRAINER_CHANGE_MAP_H

#include <cairo/cairo.h>

typedef struct ChangeScale {
    double tolerance; ///< m: so much is white; 0: every value has a colour
    double most; ///< m with the strongest colour, above the tolerance
} ChangeScale;

typedef struct ChangeMap {
    int rows, columns; ///< row 0 lies at the bottom
    double left, top, cell; ///< points: its upper left corner, and a cell's side
    double (*at)(const void *context, int row, int column); ///< m; NaN: nothing is drawn
    const void *context;
} ChangeMap;

void change_map_draw(cairo_t *cairo, const ChangeMap *map, const ChangeScale *scale);

/// Draws the key of the colours, 8 points high, from its upper left corner on. Returns the x behind it.
double change_map_key(cairo_t *cairo, double x, double y, const ChangeScale *scale);

#endif
