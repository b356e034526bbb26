/// Joins points and break lines to a surface of triangles, of which every break line is a row of edges.
#ifndef SPADEWORK_DATA_BREAKLINES_H
#define SPADEWORK_DATA_BREAKLINES_H

#include "data/files/tin.h"

/// Zero-initialise; free with breaklines_free.
typedef struct Breaklines {
    Tin points; ///< without faces
    int count, room; ///< lines
    int (*ends)[2]; ///< numbers of points
} Breaklines;

void breaklines_free(Breaklines *lines);

/// Adds a line between two points that are there. False with the status when there are too many.
bool breaklines_add(Breaklines *lines, const char *label, int from, int to, Status *status);

/// Gives the points their faces (delaunay_join, delaunay_drop_long). Lines are divided by points on them where they
/// cross and until each piece is an edge. False with the status when two lines have different heights at a place.
/// longest  m: see delaunay_drop_long
bool breaklines_join(Breaklines *lines, double longest, const char *label, Status *status);

#endif
