/// Planes over rectangles: a level pad, a bench, a slope from its crest to its toe.
#include "data/design/design_surface.h"

#include <math.h>

/// Place in a part's frame: u along its length from the near end, v across from its middle line.
static void place(const SceneSurfacePart *part, double x, double y, double *u, double *v)
{
    double c = cos(part->heading), s = sin(part->heading), dx = x - part->x, dy = y - part->y;
    *u = c * dx + s * dy;
    *v = c * dy - s * dx;
}

static double inset(const SceneSurfacePart *part, double u, double v)
{
    double along = fmin(u, part->length - u), across = 0.5 * part->width - fabs(v);
    return fmin(along, across);
}

/// The last part that holds a place; NULL: none.
static const SceneSurfacePart *part_at(const SceneSurface *surface, double x, double y, double *u, double *v)
{
    for (int k = surface->parts_count - 1; k >= 0; k--) {
        place(&surface->parts[k], x, y, u, v);
        if (inset(&surface->parts[k], *u, *v) >= 0.0) {
            return &surface->parts[k];
        }
    }
    return NULL;
}

bool design_height(const SceneSurface *surface, double x, double y, double *height)
{
    double u, v;
    const SceneSurfacePart *part = part_at(surface, x, y, &u, &v);
    if (part == NULL) {
        return false;
    }
    *height = part->z + (part->far_z - part->z) * u / part->length;
    return true;
}

double design_inset(const SceneSurface *surface, double x, double y)
{
    double u, v;
    const SceneSurfacePart *part = part_at(surface, x, y, &u, &v);
    return part != NULL ? inset(part, u, v) : -1.0;
}
