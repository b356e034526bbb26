/// Checks a surface of triangles by its edges.
///
/// With all faces turned counter-clockwise, an edge between two faces is run through once in either direction. Where
/// both run the same way, the faces lie on the same side of it: the surface is folded there. What is run through once
/// alone is the boundary. It falls into loops: counter-clockwise ones are outlines of pieces, clockwise ones are holes.
/// The number of faces over a place is the number of times the boundary winds about it. So where the boundary is one
/// loop that nowhere meets itself, there is one face over each place inside and none outside, and no pair of faces need
/// be looked at.
#include "data/core/elementary.h"
#include "data/files/tin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_AREA 1e-6 ///< m2: a loop with less is a crack

void tin_free(Tin *tin)
{
    free(tin->points);
    free(tin->point_places);
    free(tin->faces);
    free(tin->face_places);
    free(tin->sides);
    *tin = (Tin){0};
}

/// ---- growing -------------------------------------------------------------------------------------------------------

/// Makes room for one more item in two arrays of the same length.
static bool grow(int count, int *room, void **items, size_t size, TinPlace **places)
{
    if (count < *room) {
        return true;
    }
    int wider = *room > 0 ? 2 * *room : 256;
    void *larger = realloc(*items, (size_t)wider * size);
    if (larger == NULL) {
        return false;
    }
    *items = larger;
    TinPlace *more = realloc(*places, (size_t)wider * sizeof *more);
    if (more == NULL) {
        return false;
    }
    *places = more;
    *room = wider;
    return true;
}

static bool fail(const char *label, TinPlace place, Status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail(const char *label, TinPlace place, Status *status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: %s", label, place.line, place.column, text);
}

static bool fail_memory(const char *label, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
}

bool tin_add_point(Tin *tin, const char *label, const double at[3], TinPlace place, Status *status)
{
    if (tin->point_count == TIN_MOST_POINTS) {
        return fail(label, place, status, "more than %d points, allowed at most that many", TIN_MOST_POINTS);
    }
    void *points = tin->points;
    bool good = grow(tin->point_count, &tin->point_room, &points, sizeof *tin->points, &tin->point_places);
    tin->points = points;
    if (!good) {
        return fail_memory(label, status);
    }
    memcpy(tin->points[tin->point_count], at, sizeof *tin->points);
    tin->point_places[tin->point_count++] = place;
    return true;
}

bool tin_add_face(Tin *tin, const char *label, const int corners[3], TinPlace place, Status *status)
{
    if (tin->face_count == TIN_MOST_FACES) {
        return fail(label, place, status, "more than %d faces, allowed at most that many", TIN_MOST_FACES);
    }
    void *faces = tin->faces;
    bool good = grow(tin->face_count, &tin->face_room, &faces, sizeof *tin->faces, &tin->face_places);
    tin->faces = faces;
    if (!good) {
        return fail_memory(label, status);
    }
    memcpy(tin->faces[tin->face_count], corners, sizeof *tin->faces);
    tin->face_places[tin->face_count++] = place;
    return true;
}

/// ---- one face ------------------------------------------------------------------------------------------------------

/// The surface that is being checked.
typedef struct Check {
    Tin *tin;
    const char *label;
    const TinAxes *axes;
    Status *status;
} Check;

/// A place of the plan, in words.
typedef struct Words {
    char text[96];
} Words;

static Words name_place(const Check *check, double x, double y)
{
    Words words;
    const TinAxes *axes = check->axes;
    snprintf(words.text, sizeof words.text, "%s %.2f, %s %.2f%s", axes->x, x, axes->y, y, axes->where);
    return words;
}

/// Twice the area of the triangle a, b, c in plan; above 0: counter-clockwise.
static double turn(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double apart(const double a[3], const double b[3])
{
    return same_hypot(b[0] - a[0], b[1] - a[1]);
}

/// Turns every face counter-clockwise; none may be a line or stand upright.
static bool turn_faces(const Check *check)
{
    Tin *tin = check->tin;
    for (int k = 0; k < tin->face_count; k++) {
        int *corner = tin->faces[k];
        const double *a = tin->points[corner[0]], *b = tin->points[corner[1]], *c = tin->points[corner[2]];
        double area = turn(a, b, c), longest = fmax(apart(a, b), fmax(apart(b, c), apart(c, a)));
        if (!(fabs(area) > TIN_NEAREST * longest)) {
            return fail(check->label, tin->face_places[k], check->status,
                        "the face has no area in plan at %s, allowed faces wider than %g m",
                        name_place(check, a[0], a[1]).text, TIN_NEAREST);
        }
        if (area < 0.0) {
            int second = corner[1];
            corner[1] = corner[2];
            corner[2] = second;
        }
    }
    return true;
}

/// ---- points that are one -------------------------------------------------------------------------------------------

typedef struct PlanPoint {
    double x, y;
    int number;
} PlanPoint;

static int compare_points(const void *a, const void *b)
{
    const PlanPoint *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->number - q->number;
}

/// No two corners of faces lie on one another in plan: faces that should be joined would gape.
static bool find_twins(const Check *check, PlanPoint *list)
{
    const Tin *tin = check->tin;
    int count = 0;
    for (int k = 0; k < tin->point_count; k++) {
        list[k] = (PlanPoint){.number = -1};
    }
    for (int k = 0; k < 3 * tin->face_count; k++) {
        int point = tin->faces[k / 3][k % 3];
        list[point] = (PlanPoint){tin->points[point][0], tin->points[point][1], point};
    }
    for (int k = 0; k < tin->point_count; k++) {
        if (list[k].number >= 0) {
            list[count++] = list[k];
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_points);
    for (int k = 0; k < count; k++) {
        for (int n = k + 1; n < count && list[n].x - list[k].x < TIN_NEAREST; n++) {
            if (fabs(list[n].y - list[k].y) < TIN_NEAREST) {
                int low = list[k].number < list[n].number ? k : n, high = low == k ? n : k;
                return fail(check->label, tin->point_places[list[high].number], check->status,
                            "the point lies on that of line %d in plan, at %s: allowed one point at a place",
                            tin->point_places[list[low].number].line,
                            name_place(check, list[high].x, list[high].y).text);
            }
        }
    }
    return true;
}

/// ---- edges ---------------------------------------------------------------------------------------------------------

/// An edge as its face runs through it.
typedef struct Edge {
    int from, to, face;
} Edge;

static int low_of(const Edge *edge)
{
    return edge->from < edge->to ? edge->from : edge->to;
}

static int high_of(const Edge *edge)
{
    return edge->from < edge->to ? edge->to : edge->from;
}

static int compare_edges(const void *a, const void *b)
{
    const Edge *p = a, *q = b;
    int order = low_of(p) - low_of(q);
    order = order != 0 ? order : high_of(p) - high_of(q);
    return order != 0 ? order : p->face - q->face;
}

static bool same_edge(const Edge *a, const Edge *b)
{
    return low_of(a) == low_of(b) && high_of(a) == high_of(b);
}

/// What is wrong with `shared` faces at the same edge.
static bool check_edge(const Check *check, const Edge *edges, int shared)
{
    const Tin *tin = check->tin;
    const double *a = tin->points[edges[0].from], *b = tin->points[edges[0].to];
    Words middle = name_place(check, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
    if (shared > 2) {
        return fail(check->label, tin->face_places[edges[2].face], check->status,
                    "%d faces meet in one edge at %s (the first in line %d), allowed two", shared, middle.text,
                    tin->face_places[edges[0].face].line);
    }
    if (shared == 2 && edges[0].from == edges[1].from) {
        return fail(check->label, tin->face_places[edges[1].face], check->status,
                    "the face overlaps that of line %d: both lie on one side of their edge at %s",
                    tin->face_places[edges[0].face].line, middle.text);
    }
    return true;
}

/// Leaves the boundary's edges in `edges`; returns how many, -1 when two faces do not fit.
static int find_boundary(const Check *check, Edge *edges)
{
    const Tin *tin = check->tin;
    int count = 3 * tin->face_count, boundary = 0;
    for (int k = 0; k < count; k++) {
        const int *corner = tin->faces[k / 3];
        edges[k] = (Edge){corner[k % 3], corner[(k + 1) % 3], k / 3};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int k = 0, next; k < count; k = next) {
        next = k + 1;
        while (next < count && same_edge(&edges[k], &edges[next])) {
            next++;
        }
        if (!check_edge(check, &edges[k], next - k)) {
            return -1;
        }
        if (next == k + 1) {
            edges[boundary++] = edges[k];
        }
    }
    return boundary;
}

/// ---- loops ---------------------------------------------------------------------------------------------------------

/// The boundary as it is walked along. A place that is come to again ends a loop.
typedef struct Walk {
    const Edge *edges; ///< ordered by `from`
    int count;
    int *first; ///< [points + 1] by point: its first edge that leaves it
    int *order; ///< [count] edges by `from`, those that have been walked first
    int *left; ///< [points] edges that have been walked from it
    int *path; ///< [count] edges that are walked, not yet in a loop
    int *at; ///< [points] place in the path of the edge that leaves the point; -1: none
    int *outline; ///< [count] points of the loop that runs counter-clockwise
    int outline_count, pieces;
} Walk;

static int compare_starts(const void *a, const void *b)
{
    const Edge *p = a, *q = b;
    return p->from != q->from ? p->from - q->from : p->to - q->to;
}

/// Takes path[start..end) as a loop; false when it is a hole.
static bool close_loop(const Check *check, Walk *walk, int start, int end)
{
    const Tin *tin = check->tin;
    const double *origin = tin->points[walk->edges[walk->path[start]].from];
    double area = 0.0, x = 0.0, y = 0.0;
    for (int k = start; k < end; k++) {
        const Edge *edge = &walk->edges[walk->path[k]];
        const double *a = tin->points[edge->from];
        area += 0.5 * turn(origin, a, tin->points[edge->to]);
        x += (a[0] - origin[0]) / (end - start);
        y += (a[1] - origin[1]) / (end - start);
        walk->at[edge->from] = -1;
    }
    if (area < LEAST_AREA) {
        return fail(check->label, tin->face_places[walk->edges[walk->path[start]].face], check->status,
                    "the surface has a hole of %.2f m2 with %d sides around %s, of which this face is one: allowed is "
                    "a surface without gaps",
                    fmax(-area, 0.0), end - start, name_place(check, origin[0] + x, origin[1] + y).text);
    }
    if (walk->pieces++ > 0) {
        return fail(check->label, tin->face_places[walk->edges[walk->path[start]].face], check->status,
                    "the surface is in several pieces, with this face another one begins at %s: allowed is one piece",
                    name_place(check, origin[0], origin[1]).text);
    }
    for (int k = start; k < end; k++) {
        walk->outline[walk->outline_count++] = walk->edges[walk->path[k]].from;
    }
    return true;
}

/// rad by which an edge turns left from the one that led to it, above -pi; back where it came from is +pi.
static double turn_of(const Tin *tin, const Edge *before, const Edge *edge)
{
    const double *a = tin->points[before->from], *b = tin->points[before->to], *c = tin->points[edge->to];
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
    double angle = same_atan2(ux * vy - uy * vx, ux * vx + uy * vy);
    return angle < -M_PI + 1e-6 ? angle + 2.0 * M_PI : angle;
}

/// The edge that is walked next from a point, where there are several the rightmost: so the outline goes around what
/// hangs together at a point, and what it leaves is a gap.
static int take_edge(const Check *check, Walk *walk, int point, int before)
{
    int *swap = walk->order + walk->first[point], left = walk->first[point + 1] - walk->first[point];
    int chosen = walk->left[point];
    for (int k = chosen + 1; k < left && before >= 0; k++) {
        if (turn_of(check->tin, &walk->edges[before], &walk->edges[swap[k]]) <
            turn_of(check->tin, &walk->edges[before], &walk->edges[swap[chosen]])) {
            chosen = k;
        }
    }
    int edge = swap[chosen];
    swap[chosen] = swap[walk->left[point]];
    swap[walk->left[point]++] = edge;
    return edge;
}

/// Walks from a point until nothing is left to walk; every loop on the way is closed.
static bool walk_from(const Check *check, Walk *walk, int point)
{
    int length = 0;
    while (true) {
        if (walk->at[point] >= 0) {
            int start = walk->at[point];
            if (!close_loop(check, walk, start, length)) {
                return false;
            }
            length = start;
        }
        if (walk->first[point] + walk->left[point] >= walk->first[point + 1]) {
            return true; // as many edges come to a point as leave it: this is where the walk began
        }
        int edge = take_edge(check, walk, point, length > 0 ? walk->path[length - 1] : -1);
        walk->at[point] = length;
        walk->path[length++] = edge;
        point = walk->edges[edge].to;
    }
}

static bool walk_boundary(const Check *check, Walk *walk)
{
    int points = check->tin->point_count;
    for (int k = 0; k < points; k++) {
        walk->at[k] = -1;
    }
    for (int k = 0; k < walk->count; k++) {
        walk->order[k] = k;
    }
    // A walk that begins where boundaries meet would not know which of them is the outer one.
    for (int k = 0; k < 2 * points; k++) {
        int point = k % points, edges = walk->first[point + 1] - walk->first[point];
        while (walk->left[point] < edges && (edges == 1 || k >= points)) {
            if (!walk_from(check, walk, point)) {
                return false;
            }
        }
    }
    return true;
}

/// ---- the outline ---------------------------------------------------------------------------------------------------

typedef struct Side {
    const double *a, *b;
    int number; ///< along the outline
} Side;

static double left_of(const Side *side)
{
    return fmin(side->a[0], side->b[0]);
}

static int compare_sides(const void *a, const void *b)
{
    const Side *p = a, *q = b;
    if (left_of(p) != left_of(q)) {
        return left_of(p) < left_of(q) ? -1 : 1;
    }
    return p->number - q->number;
}

/// True when point p, which lies on the line through a and b, lies between them.
static bool between(const double a[3], const double b[3], const double p[3])
{
    return (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) <= 0.0;
}

/// True when two sides have a place in common, beside the corner they share.
static bool sides_meet(const Side *p, const Side *q)
{
    if (p->b == q->a || q->b == p->a) {
        const double *corner = p->b == q->a ? p->b : q->b;
        const double *before = p->b == q->a ? p->a : q->a, *behind = p->b == q->a ? q->b : p->b;
        return turn(corner, before, behind) == 0.0 && !between(before, behind, corner);
    }
    double c = turn(p->a, p->b, q->a), d = turn(p->a, p->b, q->b), e = turn(q->a, q->b, p->a),
           f = turn(q->a, q->b, p->b);
    if (((c > 0.0 && d < 0.0) || (c < 0.0 && d > 0.0)) && ((e > 0.0 && f < 0.0) || (e < 0.0 && f > 0.0))) {
        return true;
    }
    return (c == 0.0 && between(p->a, p->b, q->a)) || (d == 0.0 && between(p->a, p->b, q->b)) ||
           (e == 0.0 && between(q->a, q->b, p->a)) || (f == 0.0 && between(q->a, q->b, p->b));
}

/// The outline nowhere meets itself; see the head of this file.
static bool check_outline(const Check *check, Side *sides)
{
    const Tin *tin = check->tin;
    for (int k = 0; k < tin->side_count; k++) {
        int next = k + 1 < tin->side_count ? k + 1 : 0;
        sides[k] = (Side){tin->points[tin->sides[k]], tin->points[tin->sides[next]], k};
    }
    qsort(sides, (size_t)tin->side_count, sizeof *sides, compare_sides);
    for (int k = 0; k < tin->side_count; k++) {
        double right = fmax(sides[k].a[0], sides[k].b[0]);
        for (int n = k + 1; n < tin->side_count && left_of(&sides[n]) <= right; n++) {
            if (sides_meet(&sides[k], &sides[n])) {
                return fail(
                    check->label, tin->point_places[tin->sides[sides[n].number]], check->status,
                    "faces overlap in plan: the side from this point on meets that from the point of line %d "
                    "on, at %s",
                    tin->point_places[tin->sides[sides[k].number]].line,
                    name_place(check, 0.5 * (sides[n].a[0] + sides[n].b[0]), 0.5 * (sides[n].a[1] + sides[n].b[1]))
                        .text);
            }
        }
    }
    return true;
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

/// Finds the outline from the edges of the boundary.
static bool find_outline(const Check *check, Edge *edges, int count)
{
    Tin *tin = check->tin;
    size_t points = (size_t)tin->point_count;
    int *room = calloc(3 * points + 1 + 3 * (size_t)count, sizeof *room);
    if (room == NULL) {
        return fail_memory(check->label, check->status);
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_starts);
    Walk walk = {.edges = edges,
                 .count = count,
                 .first = room,
                 .left = room + points + 1,
                 .at = room + 2 * points + 1,
                 .path = room + 3 * points + 1,
                 .outline = room + 3 * points + 1 + count,
                 .order = room + 3 * points + 1 + 2 * (size_t)count};
    for (int k = 0, edge = 0; k <= tin->point_count; k++) {
        walk.first[k] = edge;
        while (edge < count && edges[edge].from == k) {
            edge++;
        }
    }
    bool good = walk_boundary(check, &walk);
    tin->sides = good ? malloc(((size_t)walk.outline_count + 1) * sizeof *tin->sides) : NULL;
    if (tin->sides != NULL) {
        memcpy(tin->sides, walk.outline, (size_t)walk.outline_count * sizeof *tin->sides);
        tin->side_count = walk.outline_count;
    } else if (good) {
        good = fail_memory(check->label, check->status);
    }
    free(room);
    return good;
}

bool tin_check(Tin *tin, const char *label, const TinAxes *axes, Status *status)
{
    const Check check = {.tin = tin, .label = label, .axes = axes, .status = status};
    size_t edge_count = 3 * (size_t)tin->face_count, points = (size_t)tin->point_count;
    Edge *edges = malloc((edge_count + 1) * sizeof *edges);
    PlanPoint *list = malloc((points + 1) * sizeof *list);
    Side *sides = NULL;
    bool good = edges != NULL && list != NULL;
    if (!good) {
        fail_memory(label, status);
    }
    good = good && turn_faces(&check) && find_twins(&check, list);
    int boundary = good ? find_boundary(&check, edges) : -1;
    good = boundary >= 0 && find_outline(&check, edges, boundary);
    if (good) {
        sides = malloc(((size_t)tin->side_count + 1) * sizeof *sides);
        good = sides != NULL ? check_outline(&check, sides) : fail_memory(label, status);
    }
    free(edges);
    free(list);
    free(sides);
    return good;
}
