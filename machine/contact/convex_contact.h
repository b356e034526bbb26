/// Where two convex solids touch: separating axes with pruned edge pairs (Gregorius 2013, "The Separating Axis Test
/// between convex polyhedra", GDC), and the clipped face of contact. Pure functions.
#ifndef SPADEWORK_MACHINE_CONVEX_CONTACT_H
#define SPADEWORK_MACHINE_CONVEX_CONTACT_H

#include "data/core/convex.h"

enum { CONVEX_PAIR_CONTACTS = 4 };

/// A hull where it lies now.
typedef struct ConvexSolid {
    const ConvexHull *hull;
    const Vec3 *point; ///< m, world, [hull->point_count]
    const Vec3 *normal; ///< unit, world, [hull->face_count]
    Vec3 center; ///< m: a point inside
} ConvexSolid;

typedef struct ConvexContact {
    Vec3 point; ///< m
    Vec3 normal; ///< unit, from b to a
    double depth; ///< m; negative: the gap
} ConvexContact;

/// Contacts of two solids; 0 when they are apart by more than `margin` m.
int convex_contact_solids(const ConvexSolid *a, const ConvexSolid *b, double margin,
                          ConvexContact contacts[CONVEX_PAIR_CONTACTS]);
/// Chooses those of many contacts that bear most of what all would: the deepest and the outermost. Returns how many.
int convex_contact_choose(const ConvexContact *all, int count, ConvexContact contacts[CONVEX_PAIR_CONTACTS]);

#endif
