/// Triangulates by libqhull, and leaves out what spans holes.
#include "data/files/delaunay.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"

static bool fail_memory(const char *label, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
}

/// ---- points that lie on one another --------------------------------------------------------------------------------

typedef struct Place {
    double x, y; ///< TIN_NEAREST
    int number;
} Place;

static int compare_places(const void *a, const void *b)
{
    const Place *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->number - q->number;
}

/// Finds for each point the first that lies where it does; false when their heights differ.
static bool find_first(const Tin *tin, const Place *places, double doubt, int *first_of, const char *label,
                       Status *status)
{
    int first = 0;
    for (int k = 0; k < tin->point_count; k++) {
        first = places[k].x != places[first].x || places[k].y != places[first].y ? k : first;
        const int number = places[k].number, other = places[first].number;
        const double *p = tin->points[number], *q = tin->points[other];
        first_of[number] = other;
        if (fabs(p[2] - q[2]) > doubt) {
            return tin_fail_at(label, tin->point_places[number], status,
                               "a second point at %.3f, %.3f with another height (%.3f, %.3f in line %d), allowed one "
                               "height at a place",
                               p[0], p[1], p[2], q[2], tin->point_places[other].line);
        }
    }
    return true;
}

/// Leaves out the points that are another one; `numbers` has the first that lies where each does, and gets its new
/// number.
static void drop_same(Tin *tin, int *numbers)
{
    int kept = 0;
    for (int k = 0; k < tin->point_count; k++) {
        if (numbers[k] < k) {
            numbers[k] = numbers[numbers[k]];
            continue;
        }
        memmove(tin->points[kept], tin->points[k], sizeof tin->points[k]);
        tin->point_places[kept] = tin->point_places[k];
        numbers[k] = kept++;
    }
    tin->point_count = kept;
}

bool delaunay_merge(Tin *tin, double doubt, int *numbers, const char *label, Status *status)
{
    size_t count = (size_t)tin->point_count;
    Place *places = malloc((count + 1) * sizeof *places);
    int *own = numbers == NULL ? malloc((count + 1) * sizeof *own) : numbers;
    bool good = places != NULL && own != NULL;
    for (size_t k = 0; good && k < count; k++) {
        places[k] =
            (Place){floor(tin->points[k][0] / TIN_NEAREST + 0.5), floor(tin->points[k][1] / TIN_NEAREST + 0.5), (int)k};
    }
    if (good) {
        qsort(places, count, sizeof *places, compare_places);
        good = find_first(tin, places, doubt, own, label, status);
    } else {
        fail_memory(label, status);
    }
    if (good) {
        drop_same(tin, own);
    }
    free(places);
    if (numbers == NULL) {
        free(own);
    }
    return good;
}

/// ---- triangles -----------------------------------------------------------------------------------------------------

/// Takes over the triangles of a finished hull.
static bool take_faces(qhT *qh, Tin *tin, const char *label, Status *status)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    FORALLfacets
    {
        int corners[3], count = 0;
        bool inner = !facet->upperdelaunay;
        if (!inner) {
            continue;
        }
        FOREACHvertex_(facet->vertices)
        {
            int number = qh_pointid(qh, vertex->point);
            inner = inner && count < 3 && number >= 0 && number < tin->point_count; // the last lies at infinity
            corners[count < 3 ? count : 2] = number;
            count++;
        }
        if (inner && count == 3 && !tin_add_face(tin, label, corners, tin->point_places[corners[0]], status)) {
            return false;
        }
    }
    return true;
}

/// The first line of what qhull says, as the status.
static bool fail_qhull(const char *said, const char *label, TinPlace place, Status *status)
{
    return tin_fail_at(label, place, status,
                       "the points cannot be joined to triangles: do they all lie on a line? (qhull: %.*s)",
                       (int)strcspn(said != NULL ? said : "", "\n"), said != NULL ? said : "");
}

bool delaunay_join(Tin *tin, const char *label, Status *status)
{
    const TinPlace top = {1, 1};
    int count = tin->point_count;
    if (count < 3 || count > DELAUNAY_MOST) {
        return tin_fail_at(label, top, status, "read %d points, allowed 3 to %d", count, DELAUNAY_MOST);
    }
    char *said = NULL, command[] = "qhull d Qt Qbb Qc Qz";
    size_t said_size = 0;
    coordT *plan = malloc(2 * (size_t)count * sizeof *plan);
    FILE *errors = open_memstream(&said, &said_size);
    qhT *qh = calloc(1, sizeof *qh);
    bool good = plan != NULL && errors != NULL && qh != NULL;
    if (!good) {
        fail_memory(label, status);
    }
    for (int k = 0; good && k < 2 * count; k++) {
        plan[k] = tin->points[k / 2][k % 2] - tin->points[0][k % 2];
    }
    if (good) {
        int curlong, totlong;
        qh_zero(qh, errors);
        int code = qh_new_qhull(qh, 2, count, plan, False, command, NULL, errors);
        fflush(errors);
        good = code == 0 ? take_faces(qh, tin, label, status) : fail_qhull(said, label, top, status);
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &curlong, &totlong);
    }
    if (errors != NULL) {
        fclose(errors);
    }
    free(said);
    free(plan);
    free(qh);
    return good;
}

/// ---- slivers along the hull ----------------------------------------------------------------------------------------

/// A side of a face.
typedef struct Side {
    int low, high; ///< its points
    int face;
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *p = a, *q = b;
    int low = (p->low > q->low) - (p->low < q->low);
    return low != 0 ? low : (p->high > q->high) - (p->high < q->high);
}

/// Marks the faces without an area that have a side of their own; returns how many.
static int mark_slivers(const Tin *tin, Side *sides, bool *sliver)
{
    int count = 3 * tin->face_count, marked = 0;
    for (int k = 0; k < count; k++) {
        int a = tin->faces[k / 3][k % 3], b = tin->faces[k / 3][(k + 1) % 3];
        sides[k] = (Side){a < b ? a : b, a < b ? b : a, k / 3};
        sliver[k / 3] = false;
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int k = 0; k < count; k++) {
        bool shared = (k > 0 && compare_sides(&sides[k - 1], &sides[k]) == 0) ||
                      (k + 1 < count && compare_sides(&sides[k], &sides[k + 1]) == 0);
        const int *face = tin->faces[sides[k].face];
        if (!shared && !sliver[sides[k].face] &&
            tin_has_no_area(tin->points[face[0]], tin->points[face[1]], tin->points[face[2]])) {
            sliver[sides[k].face] = true;
            marked++;
        }
    }
    return marked;
}

static void keep_face(Tin *tin, int *kept, int face)
{
    memmove(tin->faces[*kept], tin->faces[face], sizeof tin->faces[face]);
    tin->face_places[(*kept)++] = tin->face_places[face];
}

/// Points along a straight edge lie beside it by what their numbers were rounded by: faces between them are none.
static bool drop_slivers(Tin *tin, const char *label, Status *status)
{
    Side *sides = malloc((3 * (size_t)tin->face_count + 1) * sizeof *sides);
    bool *sliver = malloc((size_t)tin->face_count + 1);
    bool good = sides != NULL && sliver != NULL;
    while (good && mark_slivers(tin, sides, sliver) > 0) {
        int kept = 0;
        for (int k = 0; k < tin->face_count; k++) {
            if (!sliver[k]) {
                keep_face(tin, &kept, k);
            }
        }
        tin->face_count = kept;
    }
    free(sides);
    free(sliver);
    return good || fail_memory(label, status);
}

/// ---- long edges ----------------------------------------------------------------------------------------------------

static double edge_length(const Tin *tin, int face, int side)
{
    const double *a = tin->points[tin->faces[face][side]], *b = tin->points[tin->faces[face][side == 2 ? 0 : side + 1]];
    return same_hypot(b[0] - a[0], b[1] - a[1]);
}

static int compare_lengths(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

bool delaunay_drop_long(Tin *tin, double longest, const char *label, Status *status)
{
    if (!drop_slivers(tin, label, status)) {
        return false;
    }
    size_t count = 3 * (size_t)tin->face_count;
    double *lengths = malloc((count + 1) * sizeof *lengths);
    if (lengths == NULL) {
        return fail_memory(label, status);
    }
    for (size_t k = 0; k < count; k++) {
        lengths[k] = edge_length(tin, (int)(k / 3), (int)(k % 3));
    }
    qsort(lengths, count, sizeof *lengths, compare_lengths);
    tin->longest = longest > 0.0 ? longest : count > 0 ? DELAUNAY_LONG * lengths[count / 2] : 0.0;
    free(lengths);
    int kept = 0;
    for (int k = 0; k < tin->face_count; k++) {
        if (edge_length(tin, k, 0) <= tin->longest && edge_length(tin, k, 1) <= tin->longest &&
            edge_length(tin, k, 2) <= tin->longest) {
            keep_face(tin, &kept, k);
        }
    }
    tin->long_count = tin->face_count - kept;
    tin->face_count = kept;
    return kept > 0 || tin_fail_at(label, (TinPlace){1, 1}, status,
                                   "no triangle between the points has edges of at most %.2f m: state a larger "
                                   "longest_edge",
                                   tin->longest);
}
