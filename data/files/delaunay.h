/// Joins points to a surface of triangles, of which none has another point within its circle in plan (Delaunay 1934).
#ifndef SPADEWORK_DATA_DELAUNAY_H
#define SPADEWORK_DATA_DELAUNAY_H

#include "data/files/tin.h"

/// Points that are joined at most: each has two faces of its own.
enum { DELAUNAY_MOST = TIN_MOST_FACES / 2 };

/// A triangle with an edge that is so many times as long as the middle one of all edges spans a hole or a bay of the
/// points.
#define DELAUNAY_LONG 5.0

/// Keeps of the points of a surface that lie on one another in plan (TIN_NEAREST) the first. False with the status when
/// their heights differ by more than `doubt`, m.
/// numbers  [points] out, or NULL: the number that each point has then
bool delaunay_merge(Tin *tin, double doubt, int *numbers, const char *label, Status *status);

/// Gives a surface of points, of which no two lie on one another in plan, its faces. A face's place in the file is that
/// of one of its points. False with the status when all points lie on a line, or there are too many.
bool delaunay_join(Tin *tin, const char *label, Status *status);

/// Leaves out the faces along the hull that have no area, as points along a straight edge have, and those with an
/// edge of more than `longest`, m (0: DELAUNAY_LONG times the middle length of all edges), which it counts in the
/// surface. False with the status when memory is short, or none is left.
bool delaunay_drop_long(Tin *tin, double longest, const char *label, Status *status);

#endif
