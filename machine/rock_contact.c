#include "machine/rock_contact.h"

#include <math.h>

// A face is preferred to an edge pair, and the first solid's face to the second's, unless the other is this much less deep
// (m): nearly equal axes must not take turns from step to step.
#define FACE_BIAS 1e-4

enum { MAX_CLIPPED = 2 * ROCK_MAX_POINTS };

typedef struct Axis {
    double separation; ///< m; negative: how deep
    int first, second; ///< face and nothing, or edge of a and edge of b
    Vec3 normal; ///< of an edge pair: from a to b
} Axis;

static double lowest_along(const RockSolid *solid, Vec3 direction)
{
    double lowest = HUGE_VAL;
    for (int i = 0; i < solid->hull->point_count; i++) {
        double along = vec3_dot(direction, solid->point[i]);
        lowest = along < lowest ? along : lowest; // fmin is a call
    }
    return lowest;
}

// The face of a that b reaches least deep behind.
static Axis face_axis(const RockSolid *a, const RockSolid *b, double margin)
{
    Axis best = {-HUGE_VAL, 0, -1, {0.0, 0.0, 0.0}};
    for (int f = 0; f < a->hull->face_count; f++) {
        double plane = vec3_dot(a->normal[f], a->point[a->hull->face_point[f][0]]);
        double separation = lowest_along(b, a->normal[f]) - plane;
        if (separation > best.separation) {
            best.separation = separation;
            best.first = f;
            if (separation > margin) {
                break;
            }
        }
    }
    return best;
}

// Two edges make a face of the Minkowski difference when their arcs on the Gauss map cross.
static bool arcs_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Vec3 along_a, Vec3 along_b)
{
    double cba = vec3_dot(c, along_a), dba = vec3_dot(d, along_a);
    if (cba * dba >= 0.0) {
        return false;
    }
    double adc = vec3_dot(a, along_b), bdc = vec3_dot(b, along_b);
    return adc * bdc < 0.0 && cba * bdc > 0.0;
}

static Axis edge_axis(const RockSolid *a, const RockSolid *b, double margin)
{
    Axis best = {-HUGE_VAL, -1, -1, {0.0, 0.0, 0.0}};
    for (int i = 0; i < a->hull->edge_count; i++) {
        const uint8_t *ends = a->hull->edge_point[i], *faces = a->hull->edge_face[i];
        Vec3 p = a->point[ends[0]], along_a = vec3_sub(a->point[ends[1]], p);
        Vec3 left = a->normal[faces[0]], right = a->normal[faces[1]];
        for (int j = 0; j < b->hull->edge_count; j++) {
            const uint8_t *other_ends = b->hull->edge_point[j], *other_faces = b->hull->edge_face[j];
            Vec3 q = b->point[other_ends[0]], along_b = vec3_sub(b->point[other_ends[1]], q);
            Vec3 other_left = vec3_scale(b->normal[other_faces[0]], -1.0);
            Vec3 other_right = vec3_scale(b->normal[other_faces[1]], -1.0);
            if (!arcs_cross(left, right, other_left, other_right, along_a, along_b)) {
                continue;
            }
            Vec3 normal = vec3_cross(along_a, along_b);
            double length = vec3_length(normal);
            if (length * length <= 1e-6 * vec3_dot(along_a, along_a) * vec3_dot(along_b, along_b)) {
                continue; // parallel: a face tells it
            }
            normal = vec3_scale(normal, 1.0 / length);
            if (vec3_dot(normal, vec3_sub(p, a->center)) < 0.0) {
                normal = vec3_scale(normal, -1.0);
            }
            double separation = vec3_dot(normal, vec3_sub(q, p));
            if (separation > best.separation) {
                best = (Axis){separation, i, j, normal};
                if (separation > margin) {
                    return best;
                }
            }
        }
    }
    return best;
}

// The part of a polygon behind the plane n . x = offset (Sutherland and Hodgman 1974).
static int clip(const Vec3 *in, int count, Vec3 normal, double offset, Vec3 *out)
{
    int kept = 0;
    for (int k = 0; k < count && kept + 2 <= MAX_CLIPPED; k++) {
        Vec3 from = in[k], to = in[(k + 1) % count];
        double d_from = vec3_dot(normal, from) - offset, d_to = vec3_dot(normal, to) - offset;
        if (d_from <= 0.0) {
            out[kept++] = from;
        }
        if ((d_from < 0.0 && d_to > 0.0) || (d_from > 0.0 && d_to < 0.0)) {
            out[kept++] = vec3_madd(from, d_from / (d_from - d_to), vec3_sub(to, from));
        }
    }
    return kept;
}

// Four of many: the deepest, the one farthest from it, and the outermost on both sides of the line between.
int rock_contact_choose(const RockContact *all, int count, RockContact contacts[ROCK_PAIR_CONTACTS])
{
    int pick[ROCK_PAIR_CONTACTS] = {0, 0, -1, -1};
    for (int k = 1; k < count; k++) {
        pick[0] = all[k].depth > all[pick[0]].depth ? k : pick[0];
    }
    double farthest = 0.0;
    for (int k = 0; k < count; k++) {
        Vec3 to = vec3_sub(all[k].point, all[pick[0]].point);
        if (vec3_dot(to, to) > farthest) {
            farthest = vec3_dot(to, to);
            pick[1] = k;
        }
    }
    Vec3 side = vec3_cross(all[0].normal, vec3_sub(all[pick[1]].point, all[pick[0]].point));
    double low = -1e-6, high = 1e-6;
    for (int k = 0; k < count; k++) {
        double across = vec3_dot(side, vec3_sub(all[k].point, all[pick[0]].point));
        if (across > high) {
            high = across;
            pick[2] = k;
        }
        if (across < low) {
            low = across;
            pick[3] = k;
        }
    }
    int chosen = 0;
    for (int k = 0; k < ROCK_PAIR_CONTACTS; k++) {
        if (pick[k] >= 0 && (k == 0 || pick[k] != pick[0])) {
            contacts[chosen++] = all[pick[k]];
        }
    }
    return chosen;
}

// The face of `other` that looks most against face `f` of `solid`, clipped to that face's outline.
static int face_contacts(const RockSolid *solid, int f, const RockSolid *other, double sign, double margin,
                         RockContact contacts[])
{
    Vec3 normal = solid->normal[f];
    int facing = 0;
    for (int k = 1; k < other->hull->face_count; k++) {
        facing = vec3_dot(other->normal[k], normal) < vec3_dot(other->normal[facing], normal) ? k : facing;
    }
    Vec3 buffer[2][MAX_CLIPPED];
    int count = other->hull->face_size[facing], at = 0;
    for (int k = 0; k < count; k++) {
        buffer[0][k] = other->point[other->hull->face_point[facing][k]];
    }
    int size = solid->hull->face_size[f];
    for (int k = 0; k < size && count > 0; k++) {
        Vec3 from = solid->point[solid->hull->face_point[f][k]];
        Vec3 outwards = vec3_cross(vec3_sub(solid->point[solid->hull->face_point[f][(k + 1) % size]], from), normal);
        count = clip(buffer[at], count, outwards, vec3_dot(outwards, from), buffer[1 - at]);
        at = 1 - at;
    }
    double plane = vec3_dot(normal, solid->point[solid->hull->face_point[f][0]]);
    RockContact all[MAX_CLIPPED];
    int deep = 0;
    for (int k = 0; k < count; k++) {
        double depth = plane - vec3_dot(normal, buffer[at][k]);
        if (depth >= -margin) {
            all[deep++] = (RockContact){buffer[at][k], vec3_scale(normal, sign), depth};
        }
    }
    return deep == 0 ? 0 : rock_contact_choose(all, deep, contacts);
}

// Middle between the nearest points of the two edges' lines.
static RockContact edge_contact(const RockSolid *a, const RockSolid *b, const Axis *axis)
{
    const uint8_t *ends = a->hull->edge_point[axis->first], *other = b->hull->edge_point[axis->second];
    Vec3 p = a->point[ends[0]], u = vec3_sub(a->point[ends[1]], p);
    Vec3 q = b->point[other[0]], v = vec3_sub(b->point[other[1]], q), w = vec3_sub(p, q);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w);
    double determinant = uu * vv - uv * uv;
    double s = fmin(fmax((uv * vw - vv * uw) / determinant, 0.0), 1.0);
    double t = fmin(fmax((uu * vw - uv * uw) / determinant, 0.0), 1.0);
    Vec3 middle = vec3_scale(vec3_add(vec3_madd(p, s, u), vec3_madd(q, t, v)), 0.5);
    return (RockContact){middle, vec3_scale(axis->normal, -1.0), -axis->separation};
}

// The line of centres parts most of the pairs that are apart.
static bool apart_along_centers(const RockSolid *a, const RockSolid *b, double margin)
{
    Vec3 line = vec3_sub(b->center, a->center);
    return lowest_along(b, line) + lowest_along(a, vec3_scale(line, -1.0)) > margin * vec3_length(line);
}

int rock_contact_solids(const RockSolid *a, const RockSolid *b, double margin, RockContact contacts[ROCK_PAIR_CONTACTS])
{
    if (apart_along_centers(a, b, margin)) {
        return 0;
    }
    Axis of_a = face_axis(a, b, margin);
    if (of_a.separation > margin) {
        return 0;
    }
    Axis of_b = face_axis(b, a, margin);
    if (of_b.separation > margin) {
        return 0;
    }
    Axis of_edges = edge_axis(a, b, margin);
    if (of_edges.separation > margin) {
        return 0;
    }
    if (of_edges.separation > fmax(of_a.separation, of_b.separation) + FACE_BIAS) {
        contacts[0] = edge_contact(a, b, &of_edges);
        return 1;
    }
    if (of_b.separation > of_a.separation + FACE_BIAS) {
        return face_contacts(b, of_b.first, a, 1.0, margin, contacts);
    }
    return face_contacts(a, of_a.first, b, -1.0, margin, contacts);
}
