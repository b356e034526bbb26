/// Builds triangle meshes from a few shapes: extruded polygons with bevelled edges, turned bodies, tubes. Polygons are
/// triangulated by cutting off ears (Meisters, American Mathematical Monthly 1975), convex hulls found by Andrew's
/// monotone chain (Information Processing Letters 1979). Neighbouring walls share a normal where they meet under a
/// small angle, so that round things look round with few triangles.
#include "render/meshes/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_free(Mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (Mesh){0};
}

void mesh_orient(Mesh *mesh)
{
    for (int k = 0; k + 2 < mesh->index_count; k += 3) {
        uint32_t *corner = &mesh->indices[k];
        const MeshVertex *a = &mesh->vertices[corner[0]], *b = &mesh->vertices[corner[1]];
        const MeshVertex *c = &mesh->vertices[corner[2]];
        float u[3], v[3], facing = 0.0f;
        for (int m = 0; m < 3; m++) {
            u[m] = b->position[m] - a->position[m];
            v[m] = c->position[m] - a->position[m];
        }
        for (int m = 0; m < 3; m++) {
            int n = (m + 1) % 3, o = (m + 2) % 3;
            facing += (u[n] * v[o] - u[o] * v[n]) * (a->normal[m] + b->normal[m] + c->normal[m]);
        }
        if (facing < 0.0f) {
            uint32_t kept = corner[1];
            corner[1] = corner[2];
            corner[2] = kept;
        }
    }
}

void mesh_bounds(const Mesh *mesh, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = mesh->vertex_count > 0 ? mesh->vertices[0].position[k] : 0.0f;
    }
    for (int i = 1; i < mesh->vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], mesh->vertices[i].position[k]);
            high[k] = fmaxf(high[k], mesh->vertices[i].position[k]);
        }
    }
}

void mesh_stretch(Mesh *mesh, int first, const double factors[3])
{
    for (int k = first; k < mesh->vertex_count; k++) {
        MeshVertex *vertex = &mesh->vertices[k];
        double normal[3], square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            vertex->position[axis] = (float)(factors[axis] * (double)vertex->position[axis]);
            normal[axis] = (double)vertex->normal[axis] / factors[axis];
            square += normal[axis] * normal[axis];
        }
        for (int axis = 0; axis < 3 && square > 0.0; axis++) {
            vertex->normal[axis] = (float)(normal[axis] / sqrt(square));
        }
    }
}

void mesh_paint(MeshVertex *vertex, const MeshMaterial *material)
{
    memcpy(vertex->color, material->color, sizeof(vertex->color));
    memcpy(vertex->surface, material->surface, sizeof(vertex->surface));
}

void mesh_place(Mesh *mesh, int first, const Pose *pose)
{
    for (int k = first; k < mesh->vertex_count; k++) {
        float *p = mesh->vertices[k].position, *n = mesh->vertices[k].normal;
        Vec3 at = pose_apply(pose, vec3((double)p[0], (double)p[1], (double)p[2]));
        Vec3 normal = mat3_mul(&pose->rotation, vec3((double)n[0], (double)n[1], (double)n[2]));
        const double moved[2][3] = {{at.x, at.y, at.z}, {normal.x, normal.y, normal.z}};
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = (float)moved[0][axis];
            n[axis] = (float)moved[1][axis];
        }
    }
}

/// Returns `array` of `size` bytes an element with room for `needed` elements; NULL, and the old one kept, when memory
/// is short.
static void *grow(void *array, int *capacity, int needed, size_t size)
{
    if (needed <= *capacity) {
        return array;
    }
    void *grown = realloc(array, 2 * (size_t)needed * size);
    *capacity = grown == NULL ? *capacity : 2 * needed;
    return grown;
}

/// Makes room for more vertices and indices. False, and the mesh marked as failed, when memory is short.
static bool reserve(Mesh *mesh, int vertices, int indices)
{
    MeshVertex *more = grow(mesh->vertices, &mesh->vertex_capacity, mesh->vertex_count + vertices, sizeof(MeshVertex));
    mesh->vertices = more == NULL ? mesh->vertices : more;
    uint32_t *numbers = grow(mesh->indices, &mesh->index_capacity, mesh->index_count + indices, sizeof(uint32_t));
    mesh->indices = numbers == NULL ? mesh->indices : numbers;
    mesh->failed = mesh->failed || more == NULL || numbers == NULL;
    return more != NULL && numbers != NULL;
}

/// Adds a vertex of material `material`, whose place and normal the caller writes. Room must have been reserved.
static MeshVertex *next_vertex(Mesh *mesh, const MeshMaterial *material)
{
    MeshVertex *vertex = &mesh->vertices[mesh->vertex_count++];
    mesh_paint(vertex, material);
    return vertex;
}

/// Adds a vertex with the normal `n` of any length and returns its number.
static int add_vertex(Mesh *mesh, const double p[3], const double n[3], const MeshMaterial *material)
{
    MeshVertex *vertex = next_vertex(mesh, material);
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    for (int k = 0; k < 3; k++) {
        vertex->position[k] = (float)p[k];
        vertex->normal[k] = (float)(n[k] * scale);
    }
    return mesh->vertex_count - 1;
}

static void add_triangle(Mesh *mesh, int a, int b, int c)
{
    mesh->indices[mesh->index_count++] = (uint32_t)a;
    mesh->indices[mesh->index_count++] = (uint32_t)b;
    mesh->indices[mesh->index_count++] = (uint32_t)c;
}

void mesh_triangle(Mesh *mesh, const float (*corners)[3], const float normal[3], const MeshMaterial *material)
{
    if (!reserve(mesh, 3, 3)) {
        return;
    }
    int first = mesh->vertex_count;
    add_triangle(mesh, first, first + 1, first + 2);
    for (int k = 0; k < 3; k++) {
        MeshVertex *vertex = next_vertex(mesh, material);
        memcpy(vertex->position, corners[k], sizeof(vertex->position));
        memcpy(vertex->normal, normal, sizeof(vertex->normal));
    }
}

/// Adds a quad whose four corners carry their own normals.
static void add_quad(Mesh *mesh, const double p[4][3], const double n[4][3], const MeshMaterial *material)
{
    if (!reserve(mesh, 4, 6)) {
        return;
    }
    int first = add_vertex(mesh, p[0], n[0], material);
    for (int k = 1; k < 4; k++) {
        add_vertex(mesh, p[k], n[k], material);
    }
    add_triangle(mesh, first, first + 1, first + 2);
    add_triangle(mesh, first, first + 2, first + 3);
}

void mesh_pane(Mesh *mesh, const double (*corners)[3], const MeshMaterial *material)
{
    double e[3], f[3], n[4][3], p[4][3];
    for (int k = 0; k < 3; k++) {
        e[k] = corners[1][k] - corners[0][k];
        f[k] = corners[2][k] - corners[0][k];
    }
    for (int i = 0; i < 4; i++) {
        n[i][0] = e[1] * f[2] - e[2] * f[1];
        n[i][1] = e[2] * f[0] - e[0] * f[2];
        n[i][2] = e[0] * f[1] - e[1] * f[0];
        memcpy(p[i], corners[i], sizeof(p[i]));
    }
    add_quad(mesh, (const double(*)[3])p, (const double(*)[3])n, material);
}

/// Puts a place of the plane (u, v) at the height w of the extrusion into space.
static void to_space(MeshPlane plane, double u, double v, double w, double p[3])
{
    static const int axes[3][3] = {{0, 2, 1}, {0, 1, 2}, {1, 2, 0}};
    p[axes[plane][0]] = u;
    p[axes[plane][1]] = v;
    p[axes[plane][2]] = w;
}

/// Twice the signed area of the triangle abc: positive when it runs counter-clockwise.
static double cross2(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// True when the corner `i` of the ring bends outwards and no other corner lies in its triangle.
static bool is_ear(const double (*p)[2], const int *ring, int count, int i)
{
    const double *a = p[ring[(i + count - 1) % count]], *b = p[ring[i]], *c = p[ring[(i + 1) % count]];
    if (cross2(a, b, c) <= 0.0) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        const double *q = p[ring[k]];
        if (q != a && q != b && q != c && cross2(a, b, q) > 0.0 && cross2(b, c, q) > 0.0 && cross2(c, a, q) > 0.0) {
            return false;
        }
    }
    return true;
}

/// Triangulates a simple counter-clockwise polygon by cutting off ears; vertex k is `first` + k.
static void add_polygon(Mesh *mesh, const double (*p)[2], int corners, int first)
{
    int ring[MESH_MAX_CORNERS], count = corners;
    for (int i = 0; i < corners; i++) {
        ring[i] = i;
    }
    while (count >= 3) {
        int ear = 0;
        for (int i = 0; i < count; i++) {
            if (is_ear(p, ring, count, i)) {
                ear = i;
                break;
            }
        }
        add_triangle(mesh, first + ring[(ear + count - 1) % count], first + ring[ear], first + ring[(ear + 1) % count]);
        memmove(&ring[ear], &ring[ear + 1], (size_t)(count - ear - 1) * sizeof(ring[0]));
        count--;
    }
}

/// Outward unit normal of the edge from corner i to i + 1.
static void edge_normal(const double (*p)[2], int corners, int i, double n[2])
{
    const double *a = p[i], *b = p[(i + 1) % corners];
    double x = b[1] - a[1], y = a[0] - b[0], length = hypot(x, y);
    n[0] = length > 0.0 ? x / length : 0.0;
    n[1] = length > 0.0 ? y / length : 0.0;
}

/// Moves the outline inwards by `distance` along each corner's bisector.
static void inset(const double (*p)[2], int corners, double distance, double (*out)[2])
{
    for (int i = 0; i < corners; i++) {
        double before[2], after[2];
        edge_normal(p, corners, (i + corners - 1) % corners, before);
        edge_normal(p, corners, i, after);
        double x = before[0] + after[0], y = before[1] + after[1];
        double share = fmax(1.0 + before[0] * after[0] + before[1] * after[1], 0.4);
        out[i][0] = p[i][0] - x * distance / share;
        out[i][1] = p[i][1] - y * distance / share;
    }
}

static void add_cap(Mesh *mesh, MeshPlane plane, const double (*outline)[2], int corners, double w, double side,
                    const MeshMaterial *material)
{
    if (!reserve(mesh, corners, 3 * (corners - 2))) {
        return;
    }
    double n[3], p[3];
    to_space(plane, 0.0, 0.0, side, n);
    int first = mesh->vertex_count;
    for (int i = 0; i < corners; i++) {
        to_space(plane, outline[i][0], outline[i][1], w, p);
        add_vertex(mesh, p, n, material);
    }
    add_polygon(mesh, outline, corners, first);
}

/// Walls between two outlines of equal corner count at heights w0 and w1; `tilt` adds to the normals along the
/// extrusion.
static void add_walls(Mesh *mesh, MeshPlane plane, const double (*lower)[2], const double (*upper)[2], int corners,
                      double w0, double w1, double tilt, const MeshMaterial *material)
{
    const double smooth_cosine = 0.82; // of 35 degrees; chosen: eight-cornered drums stay sharp, hulls of circles round
    for (int i = 0; i < corners; i++) {
        int j = (i + 1) % corners;
        double here[2], before[2], after[2];
        edge_normal(lower, corners, i, here);
        edge_normal(lower, corners, (i + corners - 1) % corners, before);
        edge_normal(lower, corners, j, after);
        bool soft_start = here[0] * before[0] + here[1] * before[1] > smooth_cosine;
        bool soft_end = here[0] * after[0] + here[1] * after[1] > smooth_cosine;
        double sx = here[0] + (soft_start ? before[0] : here[0]), sy = here[1] + (soft_start ? before[1] : here[1]);
        double ex = here[0] + (soft_end ? after[0] : here[0]), ey = here[1] + (soft_end ? after[1] : here[1]);
        double p[4][3], n[4][3];
        to_space(plane, lower[i][0], lower[i][1], w0, p[0]);
        to_space(plane, lower[j][0], lower[j][1], w0, p[1]);
        to_space(plane, upper[j][0], upper[j][1], w1, p[2]);
        to_space(plane, upper[i][0], upper[i][1], w1, p[3]);
        to_space(plane, sx, sy, 2.0 * tilt, n[0]);
        to_space(plane, ex, ey, 2.0 * tilt, n[1]);
        memcpy(n[2], n[1], sizeof(n[2]));
        memcpy(n[3], n[0], sizeof(n[3]));
        add_quad(mesh, (const double(*)[3])p, (const double(*)[3])n, material);
    }
}

void mesh_prism(Mesh *mesh, MeshPlane plane, const double (*outline)[2], int corners, double low, double high,
                double bevel, const MeshMaterial *material)
{
    if (corners < 3 || corners > MESH_MAX_CORNERS) {
        return;
    }
    double limit = 0.45 * fabs(high - low);
    bevel = bevel < limit ? bevel : limit;
    double cap[MESH_MAX_CORNERS][2];
    inset(outline, corners, bevel, cap);
    const double(*inner)[2] = (const double(*)[2])cap;
    add_walls(mesh, plane, outline, outline, corners, low + bevel, high - bevel, 0.0, material);
    if (bevel > 0.0) {
        add_walls(mesh, plane, outline, inner, corners, high - bevel, high, 1.0, material);
        add_walls(mesh, plane, outline, inner, corners, low + bevel, low, -1.0, material);
    }
    add_cap(mesh, plane, inner, corners, low, -1.0, material);
    add_cap(mesh, plane, inner, corners, high, 1.0, material);
}

void mesh_box(Mesh *mesh, const double low[3], const double high[3], double bevel, const MeshMaterial *material)
{
    double limit = 0.4 * fmin(high[0] - low[0], high[2] - low[2]);
    double b = bevel < limit ? bevel : limit;
    double outline[8][2] = {{low[0] + b, low[2]},   {high[0] - b, low[2]},  {high[0], low[2] + b},
                            {high[0], high[2] - b}, {high[0] - b, high[2]}, {low[0] + b, high[2]},
                            {low[0], high[2] - b},  {low[0], low[2] + b}};
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, 8, low[1], high[1], b, material);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(b[0] - a[0], 2.0) + pow(b[1] - a[1], 2.0) + pow(b[2] - a[2], 2.0));
}

/// Finds two unit vectors across the unit vector `axis`.
static void make_basis(const double axis[3], double s[3], double t[3])
{
    double up[3] = {0.0, 0.0, 1.0};
    if (fabs(axis[2]) > 0.9) {
        up[0] = 1.0;
        up[2] = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        s[k] = up[(k + 1) % 3] * axis[(k + 2) % 3] - up[(k + 2) % 3] * axis[(k + 1) % 3];
    }
    double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (int k = 0; k < 3; k++) {
        s[k] /= length;
    }
    for (int k = 0; k < 3; k++) {
        t[k] = axis[(k + 1) % 3] * s[(k + 2) % 3] - axis[(k + 2) % 3] * s[(k + 1) % 3];
    }
}

void mesh_lathe(Mesh *mesh, const double a[3], const double b[3], const double (*profile)[2], int points, int segments,
                const MeshMaterial *material)
{
    double axis[3], s[3], t[3], length = distance(a, b);
    if (length <= 0.0) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        axis[k] = (b[k] - a[k]) / length;
    }
    make_basis(axis, s, t);
    for (int i = 0; i + 1 < points && reserve(mesh, 2 * segments, 6 * segments); i++) {
        double slope[2] = {profile[i + 1][0] - profile[i][0], profile[i + 1][1] - profile[i][1]};
        int first = mesh->vertex_count;
        for (int j = 0; j < 2 * segments; j++) {
            const double *ring = profile[i + (j >= segments)];
            double angle = 2.0 * M_PI * j / segments, p[3], n[3];
            for (int k = 0; k < 3; k++) {
                double radial = cos(angle) * s[k] + sin(angle) * t[k];
                p[k] = a[k] + axis[k] * ring[0] + radial * ring[1];
                n[k] = radial * slope[0] - axis[k] * slope[1];
            }
            add_vertex(mesh, p, n, material);
        }
        for (int j = 0; j < segments; j++) {
            int here = first + j, next = first + (j + 1) % segments;
            add_triangle(mesh, here, next, next + segments);
            add_triangle(mesh, here, next + segments, here + segments);
        }
    }
}

void mesh_cylinder(Mesh *mesh, const double a[3], const double b[3], double radius, double bevel, int segments,
                   const MeshMaterial *material)
{
    double length = distance(a, b);
    double profile[6][2] = {
        {0.0, 0.0},   {0.0, radius - bevel}, {bevel, radius}, {length - bevel, radius}, {length, radius - bevel},
        {length, 0.0}};
    mesh_lathe(mesh, a, b, (const double(*)[2])profile, 6, segments, material);
}

void mesh_tube(Mesh *mesh, const double (*points)[3], int count, double radius, int segments,
               const MeshMaterial *material)
{
    for (int i = 0; i + 1 < count; i++) {
        mesh_cylinder(mesh, points[i], points[i + 1], radius, 0.3 * radius, segments, material);
    }
}

void mesh_sweep(Mesh *mesh, const Vec3 *points, int count, Vec3 side, double radius, int segments,
                const MeshMaterial *material)
{
    if (count < 2 || !reserve(mesh, count * segments, 6 * (count - 1) * segments)) {
        return;
    }
    int first = mesh->vertex_count;
    for (int i = 0; i < count; i++) {
        const Vec3 *before = &points[i > 0 ? i - 1 : 0], *after = &points[i + 1 < count ? i + 1 : i];
        Vec3 along = vec3_unit(vec3_sub(*after, *before), vec3(1.0, 0.0, 0.0));
        Vec3 u = vec3_unit(vec3_madd(side, -vec3_dot(side, along), along), side), v = vec3_cross(along, u);
        for (int j = 0; j < segments; j++) {
            double angle = 2.0 * M_PI * j / segments;
            Vec3 n = vec3_madd(vec3_scale(u, cos(angle)), sin(angle), v), p = vec3_madd(points[i], radius, n);
            add_vertex(mesh, (const double[]){p.x, p.y, p.z}, (const double[]){n.x, n.y, n.z}, material);
        }
    }
    for (int i = 0; i + 1 < count; i++) {
        for (int j = 0; j < segments; j++) {
            int a = first + i * segments + j, b = first + i * segments + (j + 1) % segments;
            add_triangle(mesh, a, b, b + segments);
            add_triangle(mesh, a, b + segments, a + segments);
        }
    }
}

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    if (p[0] < q[0] || p[0] > q[0]) {
        return p[0] < q[0] ? -1 : 1;
    }
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

/// Finds the outline (counter-clockwise) of the convex hull of circles (x, y, radius); each circle is taken as
/// `segments` points. Returns the number of corners written, at most MESH_MAX_CORNERS.
static int mesh_hull_of_circles(const double (*circles)[3], int count, int segments, double (*outline)[2])
{
    enum { MAX_POINTS = 512 };
    double points[MAX_POINTS][2], hull[2 * MAX_POINTS][2];
    int n = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < segments && n < MAX_POINTS; j++, n++) {
            double angle = 2.0 * M_PI * j / segments;
            points[n][0] = circles[i][0] + circles[i][2] * cos(angle);
            points[n][1] = circles[i][1] + circles[i][2] * sin(angle);
        }
    }
    qsort(points, (size_t)n, sizeof(points[0]), compare_points);
    int size = 0;
    for (int pass = 0; pass < 2; pass++) {
        int start = size;
        for (int k = 0; k < n; k++) {
            const double *p = points[pass == 0 ? k : n - 1 - k];
            while (size - start >= 2 && cross2(hull[size - 2], hull[size - 1], p) <= 1e-12) {
                size--;
            }
            memcpy(hull[size++], p, sizeof(hull[0]));
        }
        size--;
    }
    int written = size < MESH_MAX_CORNERS ? size : MESH_MAX_CORNERS;
    memcpy(outline, hull, (size_t)written * sizeof(hull[0]));
    return written;
}

/// ---- parts ---------------------------------------------------------------------------------------------------------

void part_box(Mesh *mesh, double x0, double x1, double y0, double y1, double z0, double z1, double bevel,
              const MeshMaterial *material)
{
    const double low[3] = {x0, fmin(y0, y1), z0}, high[3] = {x1, fmax(y0, y1), z1};
    mesh_box(mesh, low, high, bevel, material);
}

void part_bar(Mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1, double radius, int sides,
              const MeshMaterial *material)
{
    const double a[3] = {x0, y0, z0}, b[3] = {x1, y1, z1};
    mesh_cylinder(mesh, a, b, radius, 0.2 * radius, sides, material);
}

void part_pin(Mesh *mesh, const PlanePoint *at, double half_width, double radius, const MeshMaterial *material)
{
    const double a[3] = {at->x, -half_width, at->z}, b[3] = {at->x, half_width, at->z};
    mesh_cylinder(mesh, a, b, radius, 0.15 * radius, 20, material);
}

void part_plate(Mesh *mesh, const double (*circles)[3], int count, double y0, double y1, double bevel,
                const MeshMaterial *material)
{
    double outline[MESH_MAX_CORNERS][2];
    int n = mesh_hull_of_circles(circles, count, 20, outline);
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, n, fmin(y0, y1), fmax(y0, y1), bevel, material);
}
