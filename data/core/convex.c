/// Computes the convex hull of a few points: every plane through three of them that leaves all others on one side is a
/// face; corners in one plane are gathered into one polygon. With at most 24 points the simple way is quick enough.
/// Integrals are sums over tetrahedra from the origin to a fan of each face.
#include "data/core/convex.h"

#include <math.h>
#include <string.h>

// Of the hull's size: points that are nearer to a plane lie in it.
#define FLATNESS 1e-7

typedef struct Plane {
    Vec3 normal;
    double offset;
} Plane;

static double hull_size(const Vec3 *points, int count)
{
    double size = 0.0;
    for (int i = 1; i < count; i++) {
        size = fmax(size, vec3_length(vec3_sub(points[i], points[0])));
    }
    return size;
}

// The plane through three points, when all points lie on one side of it; outwards.
static bool bounding_plane(const Vec3 *points, int count, const int corner[3], double near, Plane *plane)
{
    Vec3 a = points[corner[0]];
    Vec3 normal = vec3_cross(vec3_sub(points[corner[1]], a), vec3_sub(points[corner[2]], a));
    double length = vec3_length(normal);
    if (!(length > near * near)) {
        return false;
    }
    normal = vec3_scale(normal, 1.0 / length);
    double low = 0.0, high = 0.0;
    for (int i = 0; i < count; i++) {
        double distance = vec3_dot(normal, vec3_sub(points[i], a));
        low = fmin(low, distance);
        high = fmax(high, distance);
    }
    if ((low < -near && high > near) || (low >= -near && high <= near)) {
        return false;
    }
    plane->normal = high > near ? vec3_scale(normal, -1.0) : normal;
    plane->offset = vec3_dot(plane->normal, a);
    return true;
}

// Corners of the face in `plane`, wrapped counter-clockwise; those on a straight edge between others are left out.
static int wrap_face(const Vec3 *points, int count, const Plane *plane, double near, uint8_t corners[])
{
    int on[CONVEX_MAX_POINTS], on_count = 0, first = -1;
    for (int i = 0; i < count; i++) {
        if (fabs(vec3_dot(plane->normal, points[i]) - plane->offset) <= near) {
            on[on_count++] = i;
            // The outermost in one direction, of several the outermost in a second one, is a corner.
            bool outer =
                first < 0 || points[i].x < points[first].x ||
                (points[i].x == points[first].x && points[i].y < points[first].y) ||
                (points[i].x == points[first].x && points[i].y == points[first].y && points[i].z < points[first].z);
            first = outer ? i : first;
        }
    }
    int size = 0, current = first;
    do {
        corners[size++] = (uint8_t)current;
        int next = -1;
        for (int k = 0; k < on_count; k++) {
            Vec3 to = vec3_sub(points[on[k]], points[current]);
            double length = vec3_length(to);
            if (on[k] == current || length <= near) {
                continue;
            }
            Vec3 best = next < 0 ? to : vec3_sub(points[next], points[current]);
            double turn = vec3_dot(plane->normal, vec3_cross(best, to)) / length;
            if (next < 0 || turn < -near || (turn <= near && length > vec3_length(best))) {
                next = on[k];
            }
        }
        current = next;
    } while (current != first && current >= 0 && size < on_count);
    return current == first ? size : 0;
}

static bool find_faces(const Vec3 *points, int count, double near, ConvexHull *hull)
{
    Plane planes[CONVEX_MAX_FACES];
    int faces = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            for (int k = j + 1; k < count; k++) {
                Plane plane;
                if (!bounding_plane(points, count, (int[3]){i, j, k}, near, &plane)) {
                    continue;
                }
                bool known = false;
                for (int f = 0; f < faces && !known; f++) {
                    known = vec3_dot(planes[f].normal, plane.normal) > 1.0 - 1e-9;
                }
                if (known) {
                    continue;
                }
                if (faces == CONVEX_MAX_FACES) {
                    return false;
                }
                int size = wrap_face(points, count, &plane, near, hull->face_point[faces]);
                if (size < 3) {
                    return false;
                }
                planes[faces] = plane;
                hull->normal[faces] = plane.normal;
                hull->face_size[faces++] = (uint8_t)size;
            }
        }
    }
    hull->face_count = faces;
    return faces >= 4;
}

// Keeps the points that faces use.
static void keep_corners(const Vec3 *points, int count, ConvexHull *hull)
{
    int renamed[CONVEX_MAX_POINTS];
    memset(renamed, -1, sizeof renamed);
    for (int f = 0; f < hull->face_count; f++) {
        for (int k = 0; k < hull->face_size[f]; k++) {
            renamed[hull->face_point[f][k]] = 0;
        }
    }
    hull->point_count = 0;
    for (int i = 0; i < count; i++) {
        if (renamed[i] == 0) {
            renamed[i] = hull->point_count;
            hull->point[hull->point_count++] = points[i];
        }
    }
    for (int f = 0; f < hull->face_count; f++) {
        for (int k = 0; k < hull->face_size[f]; k++) {
            hull->face_point[f][k] = (uint8_t)renamed[hull->face_point[f][k]];
        }
    }
}

// The face that has the edge a -> b; -1 = none.
static int face_with_edge(const ConvexHull *hull, int a, int b)
{
    for (int f = 0; f < hull->face_count; f++) {
        int size = hull->face_size[f];
        for (int k = 0; k < size; k++) {
            if (hull->face_point[f][k] == a && hull->face_point[f][(k + 1) % size] == b) {
                return f;
            }
        }
    }
    return -1;
}

static bool find_edges(ConvexHull *hull)
{
    int edges = 0;
    for (int f = 0; f < hull->face_count; f++) {
        int size = hull->face_size[f];
        for (int k = 0; k < size; k++) {
            int a = hull->face_point[f][k], b = hull->face_point[f][(k + 1) % size];
            int other = face_with_edge(hull, b, a);
            if (other < 0) {
                return false;
            }
            if (a > b) {
                continue;
            }
            if (edges == CONVEX_MAX_EDGES) {
                return false;
            }
            hull->edge_point[edges][0] = (uint8_t)a;
            hull->edge_point[edges][1] = (uint8_t)b;
            hull->edge_face[edges][0] = (uint8_t)f;
            hull->edge_face[edges++][1] = (uint8_t)other;
        }
    }
    hull->edge_count = edges;
    return hull->point_count - edges + hull->face_count == 2; // Euler: a closed surface without holes
}

bool convex_build(const Vec3 *points, int count, ConvexHull *hull, const char **reason)
{
    memset(hull, 0, sizeof *hull);
    if (count < 4 || count > CONVEX_MAX_POINTS) {
        *reason = "a hull has 4 to 24 points";
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z)) {
            *reason = "a point is not finite";
            return false;
        }
    }
    double near = FLATNESS * hull_size(points, count);
    if (!(near > 0.0) || !find_faces(points, count, near, hull)) {
        *reason = "the points span no volume";
        return false;
    }
    keep_corners(points, count, hull);
    if (!find_edges(hull)) {
        *reason = "points are too near to one another to tell the faces apart";
        return false;
    }
    return true;
}

// Sum over tetrahedra (0, a, b, c) of the fan of each face, with det = a . (b x c), s = a + b + c:
//   V = det / 6,  int x = det s / 24,  int x x' = det (a a' + b b' + c c' + s s') / 120.
void convex_integrate(const ConvexHull *hull, ConvexIntegrals *sum)
{
    for (int f = 0; f < hull->face_count; f++) {
        Vec3 a = hull->point[hull->face_point[f][0]];
        for (int k = 1; k + 1 < hull->face_size[f]; k++) {
            Vec3 b = hull->point[hull->face_point[f][k]], c = hull->point[hull->face_point[f][k + 1]];
            Vec3 s = vec3_add(vec3_add(a, b), c);
            double det = vec3_dot(a, vec3_cross(b, c));
            sum->volume += det / 6.0;
            sum->first = vec3_madd(sum->first, det / 24.0, s);
            const double v[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {s.x, s.y, s.z}};
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    double products = v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j] + v[3][i] * v[3][j];
                    sum->second[i][j] += det * products / 120.0;
                }
            }
        }
    }
}
