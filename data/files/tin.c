/// Cleans and checks surfaces of triangles by their edges.
///
/// With all faces turned counter-clockwise, an edge between two faces is run through once in either direction. Where
/// both run the same way, the faces lie on the same side of it: the surface is folded there. What is run through once
/// alone is the boundary. The number of faces over a place is the number of times the boundary winds about it, and
/// changes only across the boundary. So where no two sides of the boundary cross, and it winds once about the faces
/// beside it, no two faces lie over one another, and no pair of faces need be compared.
#include "data/files/tin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"

void tin_free(Tin *tin)
{
    free(tin->points);
    free(tin->point_places);
    free(tin->faces);
    free(tin->face_places);
    free(tin->sides);
    free(tin->loops);
    *tin = (Tin){0};
}

bool tin_fail_at(const char *label, TinPlace place, Status *status, const char *format, ...)
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

/// ---- adding points and faces ---------------------------------------------------------------------------------------

/// Makes room for one more item in two arrays of the same length.
static bool grow(int count, int *room, void **items, size_t size, TinPlace **places)
{
    if (count < *room) {
        return true;
    }
    int wider = *room > 0 ? *room + *room / 2 : 256;
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

bool tin_add_point(Tin *tin, const char *label, const double at[3], TinPlace place, Status *status)
{
    if (tin->point_count == TIN_MOST_POINTS) {
        return tin_fail_at(label, place, status, "more than %d points, allowed at most that many", TIN_MOST_POINTS);
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
        return tin_fail_at(label, place, status, "more than %d faces, allowed at most that many", TIN_MOST_FACES);
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

/// ---- triangles in plan ---------------------------------------------------------------------------------------------

/// Twice the area of the triangle a, b, c in plan; above 0: counter-clockwise.
static double turn(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double apart(const double a[3], const double b[3])
{
    return same_hypot(b[0] - a[0], b[1] - a[1]);
}

/// True when a triangle has no area in plan.
bool tin_has_no_area(const double a[3], const double b[3], const double c[3])
{
    double longest = fmax(apart(a, b), fmax(apart(b, c), apart(c, a)));
    return !(fabs(turn(a, b, c)) > TIN_NEAREST * longest);
}

/// ---- cutting -------------------------------------------------------------------------------------------------------

enum { MOST_CORNERS = 8 }; ///< a triangle that four lines cut has at most seven

/// Where the way between two points meets a line across an axis, the same whichever way it is gone.
static void cut_way(const double a[3], const double b[3], int axis, double at, double cut[3])
{
    bool turned = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    const double *from = turned ? b : a, *to = turned ? a : b;
    double share = (at - from[axis]) / (to[axis] - from[axis]);
    for (int k = 0; k < 3; k++) {
        cut[k] = k == axis ? at : from[k] + share * (to[k] - from[k]);
    }
}

/// Cuts away what lies beyond a line across an axis (Sutherland and Hodgman 1974). Returns the number of corners left.
static int cut_corners(double corners[MOST_CORNERS][3], int count, int axis, double at, double sign)
{
    double kept[MOST_CORNERS][3];
    int found = 0;
    for (int k = 0; k < count; k++) {
        const double *a = corners[k], *b = corners[k + 1 < count ? k + 1 : 0];
        bool in_a = sign * (a[axis] - at) <= 0.0, in_b = sign * (b[axis] - at) <= 0.0;
        if (in_a) {
            memcpy(kept[found++], a, sizeof kept[0]);
        }
        if (in_a != in_b) {
            cut_way(a, b, axis, at, kept[found++]);
        }
    }
    memcpy(corners, kept, (size_t)found * sizeof kept[0]);
    return found;
}

/// Adds the polygon to which a face was cut, as a fan of triangles. Triangles without area are not added, unless the
/// face had none before: it may close a gap between others.
static bool add_cut(Tin *to, const char *label, double corners[MOST_CORNERS][3], int count, bool flat, TinPlace place,
                    Status *status)
{
    int first = to->point_count;
    for (int k = 0; k < count; k++) {
        if (!tin_add_point(to, label, corners[k], place, status)) {
            return false;
        }
    }
    for (int k = 2; k < count; k++) {
        if ((flat || !tin_has_no_area(corners[0], corners[k - 1], corners[k])) &&
            !tin_add_face(to, label, (int[3]){first, first + k - 1, first + k}, place, status)) {
            return false;
        }
    }
    return true;
}

bool tin_clip(Tin *tin, const double low[2], const double high[2], const char *label, Status *status)
{
    Tin kept = {0};
    bool good = true;
    for (int k = 0; good && k < tin->face_count; k++) {
        double corners[MOST_CORNERS][3];
        int count = 3;
        for (int c = 0; c < 3; c++) {
            memcpy(corners[c], tin->points[tin->faces[k][c]], sizeof corners[0]);
        }
        bool flat = tin_has_no_area(corners[0], corners[1], corners[2]);
        for (int axis = 0; axis < 2 && count > 0; axis++) {
            count = cut_corners(corners, count, axis, low[axis], -1.0);
            count = cut_corners(corners, count, axis, high[axis], 1.0);
        }
        good = count < 3 || add_cut(&kept, label, corners, count, flat, tin->face_places[k], status);
    }
    tin_free(tin);
    *tin = kept;
    return good;
}

/// ---- the check -----------------------------------------------------------------------------------------------------

/// An edge as its face runs through it.
typedef struct Edge {
    int from, to; ///< corners in plan
    int face, side; ///< the face's side of that number, 0..2
} Edge;

/// The surface that is being finished.
typedef struct Check {
    Tin *tin;
    const char *label;
    const TinAxes *axes;
    Status *status;
    int *corner; ///< [points] corner in plan of each: the first of the points that lie on one another
    Edge *edges; ///< [3 faces], then those of the boundary
    int *first; ///< [points + 1] by corner: where its edges begin
    int (*flat)[3]; ///< faces without area that close the gaps between others
    int flat_count, joined; ///< of those; the first of them whose edges count
    int boundary; ///< sides
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

/// ---- corners in plan -----------------------------------------------------------------------------------------------

typedef struct PlanPoint {
    double x, y; ///< TIN_NEAREST
    int number;
} PlanPoint;

static int compare_points(const void *a, const void *b)
{
    const PlanPoint *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->number - q->number;
}

/// Gives each point its corner.
static bool find_corners(const Check *check)
{
    const Tin *tin = check->tin;
    PlanPoint *list = malloc(((size_t)tin->point_count + 1) * sizeof *list);
    if (list == NULL) {
        return fail_memory(check->label, check->status);
    }
    for (int k = 0; k < tin->point_count; k++) {
        list[k] =
            (PlanPoint){floor(tin->points[k][0] / TIN_NEAREST + 0.5), floor(tin->points[k][1] / TIN_NEAREST + 0.5), k};
    }
    qsort(list, (size_t)tin->point_count, sizeof *list, compare_points);
    for (int k = 0; k < tin->point_count; k++) {
        bool same = k > 0 && list[k].x == list[k - 1].x && list[k].y == list[k - 1].y;
        check->corner[list[k].number] = same ? check->corner[list[k - 1].number] : list[k].number;
    }
    free(list);
    return true;
}

/// ---- faces ---------------------------------------------------------------------------------------------------------

/// True when a face has no area in plan.
static bool is_flat(const Check *check, const int face[3])
{
    const int *corner = check->corner;
    const double *a = check->tin->points[face[0]], *b = check->tin->points[face[1]], *c = check->tin->points[face[2]];
    return corner[face[0]] == corner[face[1]] || corner[face[1]] == corner[face[2]] ||
           corner[face[2]] == corner[face[0]] || tin_has_no_area(a, b, c);
}

/// Turns a face counter-clockwise.
static void turn_face(const Check *check, int face[3])
{
    const Tin *tin = check->tin;
    if (turn(tin->points[face[0]], tin->points[face[1]], tin->points[face[2]]) < 0.0) {
        int second = face[1];
        face[1] = face[2];
        face[2] = second;
    }
}

static const int *face_of(const Check *check, int face)
{
    int faces = check->tin->face_count;
    return face < faces ? check->tin->faces[face] : check->flat[face - faces];
}

/// Where a face stands in the file.
static TinPlace place_of(const Check *check, int face)
{
    return face < check->tin->face_count ? check->tin->face_places[face] : check->tin->flat_place;
}

static void note(int *count, TinPlace *first, TinPlace place)
{
    *first = (*count)++ == 0 ? place : *first;
}

/// Leaves out the faces that measure nothing. Those with three corners are kept for their edges.
static bool drop_flat(Check *check)
{
    Tin *tin = check->tin;
    int kept = 0, room = 0;
    for (int k = 0; k < tin->face_count; k++) {
        if (is_flat(check, tin->faces[k])) {
            note(&tin->flat_count, &tin->flat_place, tin->face_places[k]);
            if (check->flat_count == room) {
                room = room > 0 ? 2 * room : 64;
                void *larger = realloc(check->flat, (size_t)room * sizeof *check->flat);
                if (larger == NULL) {
                    return fail_memory(check->label, check->status);
                }
                check->flat = larger;
            }
            const int *face = tin->faces[k], *corner = check->corner;
            memcpy(check->flat[check->flat_count], face, sizeof *check->flat);
            check->flat_count += corner[face[0]] != corner[face[1]] && corner[face[1]] != corner[face[2]] &&
                                 corner[face[2]] != corner[face[0]];
            continue;
        }
        memmove(tin->faces[kept], tin->faces[k], sizeof tin->faces[k]);
        tin->face_places[kept] = tin->face_places[k];
        turn_face(check, tin->faces[kept++]);
    }
    tin->face_count = kept;
    return true;
}

/// Sorts small heaps of edges; those of a corner are a few.
static void sort_edges(Edge *edges, int count, int (*compare)(const void *a, const void *b))
{
    if (count > 16) {
        qsort(edges, (size_t)count, sizeof *edges, compare);
        return;
    }
    for (int k = 1; k < count; k++) {
        Edge edge = edges[k];
        int at = k;
        for (; at > 0 && compare(&edge, &edges[at - 1]) < 0; at--) {
            edges[at] = edges[at - 1];
        }
        edges[at] = edge;
    }
}

/// A side of a face as it runs.
static Edge edge_of(const Check *check, int face, int side)
{
    const int *corners = face_of(check, face);
    return (Edge){check->corner[corners[side]], check->corner[corners[side == 2 ? 0 : side + 1]], face, side};
}

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
    int order = high_of(p) - high_of(q);
    return order != 0 ? order : p->face - q->face;
}

/// Puts all edges into heaps by their lower corner, each in order.
static void heap_edges(Check *check)
{
    const Tin *tin = check->tin;
    const int count = 3 * (tin->face_count + check->joined);
    int *first = check->first;
    memset(first, 0, ((size_t)tin->point_count + 1) * sizeof *first);
    for (int k = 0; k < count; k++) {
        Edge edge = edge_of(check, k / 3, k % 3);
        first[low_of(&edge) + 1]++;
    }
    for (int k = 0; k < tin->point_count; k++) {
        first[k + 1] += first[k];
    }
    for (int k = count - 1; k >= 0; k--) {
        Edge edge = edge_of(check, k / 3, k % 3);
        check->edges[--first[low_of(&edge) + 1]] = edge;
    }
    // Every number is now that of the heap before: first[k + 1] is where heap k begins.
    memmove(first, first + 1, (size_t)tin->point_count * sizeof *first);
    first[tin->point_count] = count;
    for (int k = 0; k < tin->point_count; k++) {
        sort_edges(check->edges + first[k], first[k + 1] - first[k], compare_edges);
    }
}

/// True when the faces of two edges that run the same way have the same corners and heights.
static bool is_twin(const Check *check, const Edge *a, const Edge *b)
{
    const Tin *tin = check->tin;
    for (int k = 0; k < 3; k++) {
        int p = tin->faces[a->face][(a->side + k) % 3], q = tin->faces[b->face][(b->side + k) % 3];
        if (check->corner[p] != check->corner[q] || fabs(tin->points[p][2] - tin->points[q][2]) > TIN_NEAREST) {
            return false;
        }
    }
    return true;
}

/// Leaves out the faces that are there already: they share an edge that both run the same way.
static bool drop_twins(Check *check)
{
    Tin *tin = check->tin;
    bool *twin = calloc((size_t)tin->face_count + 1, sizeof *twin);
    if (twin == NULL) {
        return fail_memory(check->label, check->status);
    }
    for (int corner = 0; corner < tin->point_count; corner++) {
        for (int k = check->first[corner]; k < check->first[corner + 1]; k++) {
            const Edge *edge = &check->edges[k];
            for (int n = k - 1; n >= check->first[corner] && k - n <= 16 && !twin[edge->face]; n--) {
                const Edge *before = &check->edges[n];
                twin[edge->face] = before->from == edge->from && before->to == edge->to && !twin[before->face] &&
                                   is_twin(check, before, edge);
            }
        }
    }
    int kept = 0;
    for (int k = 0; k < tin->face_count; k++) {
        if (twin[k]) {
            note(&tin->twice_count, &tin->twice_place, tin->face_places[k]);
            continue;
        }
        memmove(tin->faces[kept], tin->faces[k], sizeof tin->faces[k]);
        tin->face_places[kept++] = tin->face_places[k];
    }
    tin->face_count = kept;
    free(twin);
    if (tin->twice_count > 0) {
        heap_edges(check);
    }
    return true;
}

/// ---- faces without area --------------------------------------------------------------------------------------------

/// The edges of faces without area that take part, in a hash table.
typedef struct FlatEdges {
    Edge *edges; ///< [size] by `from` and `to`; face -1: free
    unsigned size; ///< a power of two
} FlatEdges;

/// The place of an edge in the table, or that where it would be.
static Edge *find_flat_edge(const FlatEdges *table, int from, int to)
{
    unsigned slot = ((unsigned)from * 0x9e3779b1u ^ (unsigned)to * 0x85ebca6bu) & (table->size - 1);
    while (table->edges[slot].face >= 0 && (table->edges[slot].from != from || table->edges[slot].to != to)) {
        slot = (slot + 1) & (table->size - 1);
    }
    return &table->edges[slot];
}

/// How many faces run through an edge from a corner to another.
static int runs(const Check *check, const FlatEdges *table, int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from, found = find_flat_edge(table, from, to)->face >= 0;
    for (int k = check->first[low]; k < check->first[low + 1]; k++) {
        found += high_of(&check->edges[k]) == high && check->edges[k].from == from;
    }
    return found;
}

/// Turns a face without area so that it fits between those beside it. False when it fits neither way: it closes no gap.
static bool turn_flat(const Check *check, const FlatEdges *table, int face[3])
{
    for (int way = 0; way < 2; way++) {
        int fits = 0, clashes = 0;
        for (int side = 0; side < 3; side++) {
            int from = check->corner[face[side]], to = check->corner[face[side == 2 ? 0 : side + 1]];
            fits += runs(check, table, to, from) == 1;
            clashes += runs(check, table, from, to);
        }
        if (fits > 1 && clashes == 0) {
            return true;
        }
        int second = face[1];
        face[1] = face[2];
        face[2] = second;
    }
    return false;
}

/// Lets faces without area take part where they close a gap between others: else a sliver that is left out would be a
/// crack in the surface. One may lean on another.
static bool join_flat(Check *check)
{
    enum { PASSES = 8 };
    FlatEdges table = {.size = 64};
    while (table.size < 6 * (unsigned)check->flat_count) {
        table.size *= 2;
    }
    table.edges = malloc(table.size * sizeof *table.edges);
    if (table.edges == NULL) {
        return fail_memory(check->label, check->status);
    }
    memset(table.edges, 0xFF, table.size * sizeof *table.edges); // face -1
    bool more = true;
    for (int pass = 0; pass < PASSES && more; pass++) {
        int before = check->joined;
        for (int k = before; k < check->flat_count; k++) {
            if (!turn_flat(check, &table, check->flat[k])) {
                continue;
            }
            int face[3];
            memcpy(face, check->flat[k], sizeof face);
            memcpy(check->flat[k], check->flat[check->joined], sizeof face);
            memcpy(check->flat[check->joined], face, sizeof face);
            for (int side = 0; side < 3; side++) {
                Edge edge = edge_of(check, check->tin->face_count + check->joined, side);
                *find_flat_edge(&table, edge.from, edge.to) = edge;
            }
            check->joined++;
        }
        more = check->joined > before;
    }
    free(table.edges);
    if (check->joined > 0) {
        heap_edges(check);
    }
    return true;
}

/// ---- the boundary --------------------------------------------------------------------------------------------------

/// What is wrong with `shared` faces at the same edge.
static bool check_edge(const Check *check, const Edge *edges, int shared)
{
    const Tin *tin = check->tin;
    if (shared == 1 || (shared == 2 && edges[0].from != edges[1].from)) {
        return true;
    }
    const double *a = tin->points[edges[0].from], *b = tin->points[edges[0].to];
    Words middle = name_place(check, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
    if (shared > 2) {
        return tin_fail_at(check->label, place_of(check, edges[2].face), check->status,
                           "%d faces meet in one edge at %s (the first in line %d), allowed two", shared, middle.text,
                           place_of(check, edges[0].face).line);
    }
    return tin_fail_at(check->label, place_of(check, edges[1].face), check->status,
                       "the face overlaps that of line %d: both lie on one side of their edge at %s",
                       place_of(check, edges[0].face).line, middle.text);
}

/// Leaves the boundary's edges at the front of `edges`.
static bool find_boundary(Check *check)
{
    const Tin *tin = check->tin;
    Edge *edges = check->edges;
    check->boundary = 0;
    for (int corner = 0; corner < tin->point_count; corner++) {
        int end = check->first[corner + 1];
        for (int k = check->first[corner], next; k < end; k = next) {
            next = k + 1;
            while (next < end && high_of(&edges[next]) == high_of(&edges[k])) {
                next++;
            }
            if (!check_edge(check, &edges[k], next - k)) {
                return false;
            }
            if (next == k + 1) {
                edges[check->boundary++] = edges[k]; // it is written no later than it is read
            }
        }
    }
    return true;
}

static int compare_starts(const void *a, const void *b)
{
    const Edge *p = a, *q = b;
    return p->from != q->from ? p->from - q->from : p->to - q->to;
}

/// Lays the sides of the boundary out loop by loop. As many lead to a corner as leave it, so every walk comes back.
static bool find_loops(Check *check)
{
    Tin *tin = check->tin;
    int count = check->boundary, *first = check->first;
    tin->side_count = tin->loop_count = 0;
    qsort(check->edges, (size_t)count, sizeof *check->edges, compare_starts);
    for (int k = 0, edge = 0; k <= tin->point_count; k++) {
        first[k] = edge;
        while (edge < count && check->edges[edge].from == k) {
            edge++;
        }
    }
    Edge *ordered = malloc(((size_t)count + 1) * sizeof *ordered);
    int *taken = calloc((size_t)tin->point_count + 1, sizeof *taken);
    tin->sides = malloc(((size_t)count + 1) * sizeof *tin->sides);
    tin->loops = malloc(((size_t)count + 1) * sizeof *tin->loops);
    bool good = ordered != NULL && taken != NULL && tin->sides != NULL && tin->loops != NULL;
    for (int k = 0; good && k < count; k++) {
        int start = check->edges[k].from, corner = start;
        if (first[start] + taken[start] == first[start + 1]) {
            continue; // all that leave it are laid out
        }
        tin->loops[tin->loop_count++] = tin->side_count;
        do {
            Edge edge = check->edges[first[corner] + taken[corner]++];
            const int *face = face_of(check, edge.face);
            ordered[tin->side_count] = edge;
            tin->sides[tin->side_count][0] = face[edge.side];
            tin->sides[tin->side_count++][1] = face[edge.side == 2 ? 0 : edge.side + 1];
            corner = edge.to;
        } while (corner != start);
        k -= first[start] + taken[start] < first[start + 1]; // another walk leaves the same corner
    }
    if (good) {
        tin->loops[tin->loop_count] = tin->side_count;
        memcpy(check->edges, ordered, (size_t)count * sizeof *ordered);
    }
    free(ordered);
    free(taken);
    return good || fail_memory(check->label, check->status);
}

/// ---- faces over one another ----------------------------------------------------------------------------------------

/// Pairs that are compared at most: a surface in a million shreds is refused, not looked at for hours.
#define MOST_COMPARED 1e9

typedef struct Side {
    const double *a, *b;
    double low, high; ///< along the axis by which they are sorted
    int number; ///< of the boundary
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *p = a, *q = b;
    if (p->low != q->low) {
        return p->low < q->low ? -1 : 1;
    }
    return p->number - q->number;
}

static bool fail_shreds(const Check *check)
{
    return tin_fail_at(check->label, check->tin->face_places[0], check->status,
                       "the boundary has %d sides in %d loops, too many to check: is this a surface?",
                       check->tin->side_count, check->tin->loop_count);
}

/// True when two sides cross, each by more than points may be apart that are one.
static bool sides_cross(const Side *p, const Side *q)
{
    double of_p = TIN_NEAREST * apart(p->a, p->b), of_q = TIN_NEAREST * apart(q->a, q->b);
    double c = turn(p->a, p->b, q->a), d = turn(p->a, p->b, q->b), e = turn(q->a, q->b, p->a),
           f = turn(q->a, q->b, p->b);
    return ((c > of_p && d < -of_p) || (c < -of_p && d > of_p)) && ((e > of_q && f < -of_q) || (e < -of_q && f > of_q));
}

static void list_sides(const Check *check, Side *sides, int axis)
{
    const Tin *tin = check->tin;
    for (int k = 0; k < tin->side_count; k++) {
        const double *a = tin->points[check->edges[k].from], *b = tin->points[check->edges[k].to];
        sides[k] = (Side){a, b, fmin(a[axis], b[axis]), fmax(a[axis], b[axis]), k};
    }
}

static bool check_crossings(const Check *check, Side *sides)
{
    const Tin *tin = check->tin;
    double compared = 0.0;
    list_sides(check, sides, 0);
    qsort(sides, (size_t)tin->side_count, sizeof *sides, compare_sides);
    for (int k = 0; k < tin->side_count; k++) {
        for (int n = k + 1; n < tin->side_count && sides[n].low <= sides[k].high; n++) {
            if (sides_cross(&sides[k], &sides[n])) {
                const double *a = sides[n].a, *b = sides[n].b;
                return tin_fail_at(check->label, place_of(check, check->edges[sides[n].number].face), check->status,
                                   "faces overlap in plan: a side of this face crosses one of the face of line %d, at "
                                   "%s",
                                   place_of(check, check->edges[sides[k].number].face).line,
                                   name_place(check, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])).text);
            }
            compared += 1.0;
        }
        if (compared > MOST_COMPARED) {
            return fail_shreds(check);
        }
    }
    return true;
}

/// Rows of the plan with the sides that touch each.
typedef struct Rows {
    double low, size; ///< m: where the first begins, height of each
    int count;
    int *first, *items; ///< [count + 1]; numbers of sides
} Rows;

static int row_of(const Rows *rows, double y)
{
    double row = floor((y - rows->low) / rows->size);
    return row < 0.0 ? 0 : row > rows->count - 1 ? rows->count - 1 : (int)row;
}

/// False when memory is short, or the sides are in far too many rows.
static bool make_rows(Rows *rows, const Side *sides, int count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        low = fmin(low, sides[k].low);
        high = fmax(high, sides[k].high);
    }
    rows->count = (int)fmin(4096.0, 1.0 + sqrt(count));
    rows->low = low;
    rows->size = fmax((high - low) / rows->count, TIN_NEAREST);
    rows->first = calloc((size_t)rows->count + 1, sizeof *rows->first);
    double items = 0.0;
    for (int k = 0; rows->first != NULL && k < count; k++) {
        for (int row = row_of(rows, sides[k].low); row <= row_of(rows, sides[k].high); row++) {
            rows->first[row + 1]++;
            items += 1.0;
        }
        if (items > MOST_COMPARED / 8.0) {
            return false;
        }
    }
    rows->items = rows->first != NULL ? malloc(((size_t)items + 1) * sizeof *rows->items) : NULL;
    if (rows->items == NULL) {
        return false;
    }
    for (int row = 0; row < rows->count; row++) {
        rows->first[row + 1] += rows->first[row];
    }
    for (int k = count - 1; k >= 0; k--) {
        for (int row = row_of(rows, sides[k].low); row <= row_of(rows, sides[k].high); row++) {
            rows->items[--rows->first[row + 1]] = k;
        }
    }
    memmove(rows->first, rows->first + 1, (size_t)rows->count * sizeof *rows->first);
    rows->first[rows->count] = (int)items;
    return true;
}

/// How often the boundary winds about a place, by the sides that cross the line from there in the direction of x.
static int winding(const Rows *rows, const Side *sides, double x, double y)
{
    int row = row_of(rows, y), sum = 0;
    for (int k = rows->first[row]; k < rows->first[row + 1]; k++) {
        const double *a = sides[rows->items[k]].a, *b = sides[rows->items[k]].b, at[3] = {x, y, 0.0};
        if ((a[1] <= y) != (b[1] <= y)) {
            bool up = a[1] <= y;
            sum += up && turn(a, b, at) > 0.0 ? 1 : !up && turn(a, b, at) < 0.0 ? -1 : 0;
        }
    }
    return sum;
}

/// The boundary winds once about the middle of each face beside it.
static bool check_windings(const Check *check, Side *sides)
{
    const Tin *tin = check->tin;
    Rows rows = {0};
    list_sides(check, sides, 1);
    bool good = make_rows(&rows, sides, tin->side_count);
    if (!good) {
        fail_shreds(check);
    }
    double compared = 0.0;
    for (int k = 0; good && k < tin->side_count; k++) {
        if (check->edges[k].face >= tin->face_count) {
            continue; // it has no middle
        }
        const int *face = tin->faces[check->edges[k].face];
        const double *a = tin->points[face[0]], *b = tin->points[face[1]], *c = tin->points[face[2]];
        double x = (a[0] + b[0] + c[0]) / 3.0, y = (a[1] + b[1] + c[1]) / 3.0;
        int times = winding(&rows, sides, x, y), row = row_of(&rows, y);
        if (times != 1) {
            good = tin_fail_at(check->label, place_of(check, check->edges[k].face), check->status,
                               "faces overlap in plan: %d lie over the middle of this one, at %s", times,
                               name_place(check, x, y).text);
        }
        compared += rows.first[row + 1] - rows.first[row];
        good = good && (compared <= MOST_COMPARED || fail_shreds(check));
    }
    free(rows.first);
    free(rows.items);
    return good;
}

static bool check_overlaps(const Check *check)
{
    Side *sides = malloc(((size_t)check->tin->side_count + 1) * sizeof *sides);
    if (sides == NULL) {
        return fail_memory(check->label, check->status);
    }
    bool good = check_crossings(check, sides) && check_windings(check, sides);
    free(sides);
    return good;
}

static bool finish(Check *check)
{
    Tin *tin = check->tin;
    if (!find_corners(check)) {
        return false;
    }
    if (!drop_flat(check)) {
        return false;
    }
    if (tin->face_count == 0) {
        return tin_fail_at(check->label, tin->flat_place, check->status,
                           "no face of the surface has an area in plan (this is the first of %d): export it again "
                           "with its points where they lie",
                           tin->flat_count);
    }
    heap_edges(check);
    if (!drop_twins(check)) {
        return false;
    }
    return join_flat(check) && find_boundary(check) && find_loops(check) && check_overlaps(check);
}

void tin_tell_left_out(const Tin *tin, const char *label, char *text, size_t size)
{
    text[0] = '\0';
    int length = 0;
    if (tin->flat_count > 0) {
        length = snprintf(text, size, "%s:%d:%d: %d %s no area in plan and %s left out%s", label, tin->flat_place.line,
                          tin->flat_place.column, tin->flat_count, tin->flat_count == 1 ? "face has" : "faces have",
                          tin->flat_count == 1 ? "is" : "are", tin->flat_count == 1 ? "" : "; this is the first");
    }
    if (tin->twice_count > 0 && length >= 0 && (size_t)length < size) {
        snprintf(text + length, size - (size_t)length, "%s%s:%d:%d: %d %s twice and %s once%s", length > 0 ? "; " : "",
                 label, tin->twice_place.line, tin->twice_place.column, tin->twice_count,
                 tin->twice_count == 1 ? "face stands there" : "faces stand there",
                 tin->twice_count == 1 ? "is taken" : "are taken", tin->twice_count == 1 ? "" : "; this is the first");
    }
}

bool tin_finish(Tin *tin, const char *label, const TinAxes *axes, Status *status)
{
    size_t points = (size_t)tin->point_count + 1;
    Check check = {.tin = tin,
                   .label = label,
                   .axes = axes,
                   .status = status,
                   .corner = malloc(points * sizeof(int)),
                   .first = malloc((points + 1) * sizeof(int)),
                   .edges = malloc((3 * (size_t)tin->face_count + 1) * sizeof(Edge))};
    bool good = check.corner != NULL && check.first != NULL && check.edges != NULL;
    good = good ? finish(&check) : fail_memory(label, status);
    free(check.corner);
    free(check.first);
    free(check.edges);
    free(check.flat);
    return good;
}
