/// Where a closed mesh has room for a sphere.
///
/// A point is inside when an upright ray from it crosses the mesh an odd number of times; both triangles of an edge
/// compute its crossing with the same bits, so that no ray slips between them or meets both. A sphere has room when its
/// middle is inside and no triangle is nearer than its radius. Triangles are sorted into upright bins, of which a query
/// looks at one.
#include "soil/exchange/mesh_volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Work and memory that no shipped mesh comes near; a hostile one is refused instead of running for hours.
#define MOST_LISTED 3.2e7
#define MOST_TESTS  1e9

static Vec3 vertex(const ObjMesh *mesh, int index)
{
    const double *at = mesh->vertices[index];
    return vec3(at[0], at[1], at[2]);
}

static int bin_of(double at, double low, double high, int count)
{
    double share = high > low ? (at - low) / (high - low) : 0.0;
    int bin = (int)floor(share * count);
    return bin < 0 ? 0 : bin >= count ? count - 1 : bin;
}

/// The bins a triangle comes near to: columns and rows, first and last.
static void bins_of(const Volume *volume, int triangle, int range[4])
{
    const int *corners = volume->mesh->triangles[triangle];
    Vec3 low = vertex(volume->mesh, corners[0]), high = low;
    for (int k = 1; k < 3; k++) {
        Vec3 at = vertex(volume->mesh, corners[k]);
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), 0.0);
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), 0.0);
    }
    double reach = volume->reach;
    range[0] = bin_of(low.x - reach, volume->low.x, volume->high.x, volume->columns);
    range[1] = bin_of(high.x + reach, volume->low.x, volume->high.x, volume->columns);
    range[2] = bin_of(low.y - reach, volume->low.y, volume->high.y, volume->rows);
    range[3] = bin_of(high.y + reach, volume->low.y, volume->high.y, volume->rows);
}

void volume_extent(const ObjMesh *mesh, Vec3 *low, Vec3 *high)
{
    *low = *high = vertex(mesh, mesh->triangles[0][0]);
    for (int k = 0; k < 3 * mesh->triangle_count; k++) {
        Vec3 at = vertex(mesh, mesh->triangles[k / 3][k % 3]);
        *low = vec3(fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z));
        *high = vec3(fmax(high->x, at.x), fmax(high->y, at.y), fmax(high->z, at.z));
    }
}

/// Entries of all bins together.
static double count_listed(const Volume *volume)
{
    double listed = 0.0;
    for (int k = 0; k < volume->mesh->triangle_count; k++) {
        int range[4];
        bins_of(volume, k, range);
        listed += (double)(range[1] - range[0] + 1) * (range[3] - range[2] + 1);
    }
    return listed;
}

/// Counts (list NULL) or lists each bin's triangles. Listing moves first[bin] to its end.
static void spread(Volume *volume, int *list)
{
    for (int k = 0; k < volume->mesh->triangle_count; k++) {
        int range[4];
        bins_of(volume, k, range);
        for (int row = range[2]; row <= range[3]; row++) {
            for (int column = range[0]; column <= range[1]; column++) {
                int bin = row * volume->columns + column;
                if (list != NULL) {
                    list[volume->first[bin]++] = k;
                } else {
                    volume->first[bin + 1]++;
                }
            }
        }
    }
}

VolumeFailure volume_create(Volume *volume, const ObjMesh *mesh, double reach, double sites)
{
    *volume = (Volume){.mesh = mesh, .reach = reach};
    volume_extent(mesh, &volume->low, &volume->high);
    volume->columns = (int)fmin(VOLUME_BINS, 1.0 + (volume->high.x - volume->low.x) / (2.0 * reach));
    volume->rows = (int)fmin(VOLUME_BINS, 1.0 + (volume->high.y - volume->low.y) / (2.0 * reach));
    int bins = volume->columns * volume->rows;
    double listed = count_listed(volume);
    if (listed > MOST_LISTED || listed / bins * sites > MOST_TESTS) {
        return VOLUME_TOO_FINE;
    }
    volume->first = calloc((size_t)bins + 1, sizeof *volume->first);
    volume->list = malloc((size_t)listed * sizeof *volume->list);
    if (volume->first == NULL || volume->list == NULL) {
        volume_free(volume);
        return VOLUME_NO_MEMORY;
    }
    spread(volume, NULL);
    for (int k = 0; k < bins; k++) {
        volume->first[k + 1] += volume->first[k];
    }
    spread(volume, volume->list);
    memmove(volume->first + 1, volume->first, (size_t)bins * sizeof *volume->first); // back to the beginnings
    volume->first[0] = 0;
    return VOLUME_GOOD;
}

void volume_free(Volume *volume)
{
    free(volume->first);
    free(volume->list);
    *volume = (Volume){0};
}

/// True when a ray from (x, y) along +x in the plane crosses the edge's shadow. Both triangles of an edge compute the
/// same bits, because its lower end is taken first: no ray slips between them or meets both.
static bool crosses_edge(const ObjMesh *mesh, int a, int b, double x, double y)
{
    bool upward = mesh->vertices[a][1] < mesh->vertices[b][1];
    const double *p = mesh->vertices[upward ? a : b], *q = mesh->vertices[upward ? b : a];
    if ((p[1] > y) == (q[1] > y)) {
        return false;
    }
    return x < p[0] + (y - p[1]) * (q[0] - p[0]) / (q[1] - p[1]);
}

/// True when the upright ray from `at` up crosses the triangle.
static bool crosses_triangle(const ObjMesh *mesh, const int *corners, Vec3 at)
{
    bool in_shadow = crosses_edge(mesh, corners[0], corners[1], at.x, at.y) !=
                     (crosses_edge(mesh, corners[1], corners[2], at.x, at.y) !=
                      crosses_edge(mesh, corners[2], corners[0], at.x, at.y));
    if (!in_shadow) {
        return false;
    }
    Vec3 a = vertex(mesh, corners[0]), b = vertex(mesh, corners[1]), c = vertex(mesh, corners[2]);
    Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double z = a.z;
    if (normal.z != 0.0) { // of an upright one, whose shadow is a line, any corner will do
        z -= ((at.x - a.x) * normal.x + (at.y - a.y) * normal.y) / normal.z;
    }
    double low = fmin(a.z, fmin(b.z, c.z)),
           high = fmax(a.z, fmax(b.z, c.z)); // nearly upright: rounding must not leave it
    return fmin(fmax(z, low), high) > at.z;
}

/// Squared distance of p to the segment from a to b.
static double segment_distance2(Vec3 p, Vec3 a, Vec3 b)
{
    Vec3 along = vec3_sub(b, a), to = vec3_sub(p, a);
    double length2 = vec3_dot(along, along), t = length2 > 0.0 ? vec3_dot(to, along) / length2 : 0.0;
    Vec3 away = vec3_madd(to, -(t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t), along);
    return vec3_dot(away, away);
}

/// Squared distance of p to a triangle: to its plane where p stands over it, else to its nearest edge.
static double triangle_distance2(const ObjMesh *mesh, const int *corners, Vec3 p)
{
    Vec3 a = vertex(mesh, corners[0]), b = vertex(mesh, corners[1]), c = vertex(mesh, corners[2]);
    Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double square = vec3_dot(normal, normal);
    bool over = square > 0.0 && vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(p, a)), normal) >= 0.0 &&
                vec3_dot(vec3_cross(vec3_sub(c, b), vec3_sub(p, b)), normal) >= 0.0 &&
                vec3_dot(vec3_cross(vec3_sub(a, c), vec3_sub(p, c)), normal) >= 0.0;
    if (over) {
        double height = vec3_dot(vec3_sub(p, a), normal);
        return height * height / square;
    }
    return fmin(segment_distance2(p, a, b), fmin(segment_distance2(p, b, c), segment_distance2(p, c, a)));
}

bool volume_holds(const Volume *volume, Vec3 at, double radius)
{
    const Vec3 *low = &volume->low, *high = &volume->high;
    if (at.x - radius < low->x || at.x + radius > high->x || at.y - radius < low->y || at.y + radius > high->y ||
        at.z - radius < low->z || at.z + radius > high->z) {
        return false;
    }
    int bin =
        bin_of(at.y, low->y, high->y, volume->rows) * volume->columns + bin_of(at.x, low->x, high->x, volume->columns);
    bool inside = false;
    for (int k = volume->first[bin]; k < volume->first[bin + 1]; k++) {
        const int *corners = volume->mesh->triangles[volume->list[k]];
        if (triangle_distance2(volume->mesh, corners, at) < radius * radius) {
            return false;
        }
        inside = crosses_triangle(volume->mesh, corners, at) != inside;
    }
    return inside;
}
