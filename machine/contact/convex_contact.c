/// The separating axis test of two convex solids after Gregorius 2013: the faces of each, then only those pairs of
/// edges whose arcs cross on the Gauss map; the face of contact is clipped against its neighbours (Sutherland and
/// Hodgman 1974) and thinned to four points that bear like all of them.
#include "machine/contact/convex_contact.h"

#include <math.h>

// A face is preferred to an edge pair, and the first solid's face to the second's, unless the other is this much less
// deep (m): nearly equal axes must not take turns from step to step.
#define FACE_BIAS 1e-4

enum { MAX_CLIPPED = 2 * CONVEX_MAX_POINTS };

typedef struct Axis {
    double separation; ///< m; negative: how deep
    int first, second; ///< face and nothing, or edge of a and edge of b
    Vec3 normal; ///< of an edge pair: from a to b
} Axis;

static double lowest_along(const ConvexSolid *solid, Vec3 direction)
{
    double lowest = HUGE_VAL;
    for (int i = 0; i < solid->hull->point_count; i++) {
        double along = vec3_dot(direction, solid->point[i]);
        lowest = along < lowest ? along : lowest; // fmin is a call
    }
    return lowest;
}

// How far b lies before each face of a, and which of b's points is nearest.
typedef struct Probe {
    double separation[CONVEX_MAX_FACES]; ///< m
    uint8_t nearest[CONVEX_MAX_FACES];
} Probe;

// The face of a that b reaches least deep behind. Ends early, with probes missing, when a face parts them.
static Axis face_axis(const ConvexSolid *a, const ConvexSolid *b, double margin, Probe *probe)
{
    Axis best = {-HUGE_VAL, 0, -1, {0.0, 0.0, 0.0}};
    for (int f = 0; f < a->hull->face_count && best.separation <= margin; f++) {
        Vec3 normal = a->normal[f];
        double lowest = HUGE_VAL;
        for (int k = 0; k < b->hull->point_count; k++) {
            double along = vec3_dot(normal, b->point[k]);
            if (along < lowest) {
                lowest = along;
                probe->nearest[f] = (uint8_t)k;
            }
        }
        double separation = lowest - vec3_dot(normal, a->point[a->hull->face_point[f][0]]);
        probe->separation[f] = separation;
        if (separation > best.separation) {
            best.separation = separation;
            best.first = f;
        }
    }
    return best;
}

// Axes across edge i of a lie between its faces' normals l and r. Along n = (u l + v r) / |u l + v r|, u + v = 1, the
// separation is at most n . (q - p), p on the edge, for any point q of b; where that is below 0 for both normals it is
// at most the greater of the two: with q the point nearest to either face it tells whether the edge can beat `least`.
static bool may_beat(const ConvexSolid *a, const ConvexSolid *b, const Probe *probe, int i, double least)
{
    const uint8_t *faces = a->hull->edge_face[i];
    Vec3 p = a->point[a->hull->edge_point[i][0]];
    for (int k = 0; k < 2; k++) {
        int face = faces[k], other = faces[1 - k];
        double here = probe->separation[face];
        double there = vec3_dot(a->normal[other], vec3_sub(b->point[probe->nearest[face]], p));
        if (here < 0.0 && there < 0.0 && here <= least && there <= least) {
            return false;
        }
    }
    return true;
}

// The best of the axes across edge i of a and the edges of b that are listed. Two edges make a face of the Minkowski
// difference when their arcs on the Gauss map, one of them mirrored, cross: seen along a's edge b's faces lie on either
// side, and seen along b's edge a's faces do, of the same hemisphere.
static void try_edge(const ConvexSolid *a, const ConvexSolid *b, int i, const uint8_t *others, int other_count,
                     Axis *best)
{
    const uint8_t *faces = a->hull->edge_face[i], *own = a->hull->edge_point[i];
    Vec3 p = a->point[own[0]], along_a = vec3_sub(a->point[own[1]], p);
    Vec3 left = a->normal[faces[0]], right = a->normal[faces[1]];
    double square = vec3_dot(along_a, along_a);
    for (int k = 0; k < other_count; k++) {
        int j = others[k];
        const uint8_t *other_faces = b->hull->edge_face[j];
        double seen_left = vec3_dot(b->normal[other_faces[0]], along_a);
        if (seen_left * vec3_dot(b->normal[other_faces[1]], along_a) >= 0.0) {
            continue;
        }
        const uint8_t *ends = b->hull->edge_point[j];
        Vec3 q = b->point[ends[0]], along_b = vec3_sub(b->point[ends[1]], q);
        double of_left = vec3_dot(left, along_b), of_right = vec3_dot(right, along_b);
        if (of_left * of_right >= 0.0 || seen_left * of_right >= 0.0) {
            continue;
        }
        Vec3 normal = vec3_cross(along_a, along_b);
        double length = vec3_length(normal);
        if (length * length <= 1e-6 * square * vec3_dot(along_b, along_b)) {
            continue; // parallel: a face tells it
        }
        normal = vec3_scale(normal, 1.0 / length);
        if (vec3_dot(normal, vec3_sub(p, a->center)) < 0.0) {
            normal = vec3_scale(normal, -1.0);
        }
        double separation = vec3_dot(normal, vec3_sub(q, p));
        if (separation > best->separation) {
            *best = (Axis){separation, i, j, normal};
        }
    }
}

// Only axes above `least` count.
static Axis edge_axis(const ConvexSolid *a, const ConvexSolid *b, const Probe probes[2], double least, double margin)
{
    Axis best = {least, -1, -1, {0.0, 0.0, 0.0}};
    uint8_t others[CONVEX_MAX_EDGES];
    int other_count = 0;
    for (int j = 0; j < b->hull->edge_count; j++) {
        if (may_beat(b, a, &probes[1], j, least)) {
            others[other_count++] = (uint8_t)j;
        }
    }
    for (int i = 0; i < a->hull->edge_count && (best.first < 0 || best.separation <= margin); i++) {
        if (may_beat(a, b, &probes[0], i, best.separation)) {
            try_edge(a, b, i, others, other_count, &best);
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
int convex_contact_choose(const ConvexContact *all, int count, ConvexContact contacts[CONVEX_PAIR_CONTACTS])
{
    int pick[CONVEX_PAIR_CONTACTS] = {0, 0, -1, -1};
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
    for (int k = 0; k < CONVEX_PAIR_CONTACTS; k++) {
        if (pick[k] >= 0 && (k == 0 || pick[k] != pick[0])) {
            contacts[chosen++] = all[pick[k]];
        }
    }
    return chosen;
}

// The face of `other` that looks most against face `f` of `solid`, clipped to that face's outline.
static int face_contacts(const ConvexSolid *solid, int f, const ConvexSolid *other, double sign, double margin,
                         ConvexContact contacts[])
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
    ConvexContact all[MAX_CLIPPED];
    int deep = 0;
    for (int k = 0; k < count; k++) {
        double depth = plane - vec3_dot(normal, buffer[at][k]);
        if (depth >= -margin) {
            all[deep++] = (ConvexContact){buffer[at][k], vec3_scale(normal, sign), depth};
        }
    }
    return deep == 0 ? 0 : convex_contact_choose(all, deep, contacts);
}

// Middle between the nearest points of the two edges' lines.
static ConvexContact edge_contact(const ConvexSolid *a, const ConvexSolid *b, const Axis *axis)
{
    const uint8_t *ends = a->hull->edge_point[axis->first], *other = b->hull->edge_point[axis->second];
    Vec3 p = a->point[ends[0]], u = vec3_sub(a->point[ends[1]], p);
    Vec3 q = b->point[other[0]], v = vec3_sub(b->point[other[1]], q), w = vec3_sub(p, q);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w);
    double determinant = uu * vv - uv * uv;
    double s = fmin(fmax((uv * vw - vv * uw) / determinant, 0.0), 1.0);
    double t = fmin(fmax((uu * vw - uv * uw) / determinant, 0.0), 1.0);
    Vec3 middle = vec3_scale(vec3_add(vec3_madd(p, s, u), vec3_madd(q, t, v)), 0.5);
    return (ConvexContact){middle, vec3_scale(axis->normal, -1.0), -axis->separation};
}

// The line of centres parts most of the pairs that are apart.
static bool apart_along_centers(const ConvexSolid *a, const ConvexSolid *b, double margin)
{
    Vec3 line = vec3_sub(b->center, a->center);
    return lowest_along(b, line) + lowest_along(a, vec3_scale(line, -1.0)) > margin * vec3_length(line);
}

int convex_contact_solids(const ConvexSolid *a, const ConvexSolid *b, double margin,
                          ConvexContact contacts[CONVEX_PAIR_CONTACTS])
{
    if (apart_along_centers(a, b, margin)) {
        return 0;
    }
    Probe probes[2];
    Axis of_a = face_axis(a, b, margin, &probes[0]);
    if (of_a.separation > margin) {
        return 0;
    }
    Axis of_b = face_axis(b, a, margin, &probes[1]);
    if (of_b.separation > margin) {
        return 0;
    }
    double least = fmax(of_a.separation, of_b.separation) + FACE_BIAS;
    Axis of_edges = edge_axis(a, b, probes, least, margin);
    if (of_edges.first >= 0 && of_edges.separation > margin) {
        return 0;
    }
    if (of_edges.first >= 0) {
        contacts[0] = edge_contact(a, b, &of_edges);
        return 1;
    }
    if (of_b.separation > of_a.separation + FACE_BIAS) {
        return face_contacts(b, of_b.first, a, 1.0, margin, contacts);
    }
    return face_contacts(a, of_a.first, b, -1.0, margin, contacts);
}
