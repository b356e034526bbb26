/// Reads LandXML with libxml2's SAX parser and checks its surfaces of triangles by their edges.
///
/// No tree is built, no entity is known but XML's own five, no file but the given text is opened. Which element is
/// which follows from its name and its parent. The parser says where it stands; an element's place is found by going
/// back from there to the "<" of its tag, which no attribute can hold.
#include "data/files/landxml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/plain_text.h"

/// ---- triangles -----------------------------------------------------------------------------------------------------

/// With all faces turned counter-clockwise, an edge between two faces is run through once in either direction. Where
/// both run the same way, the faces lie on the same side of it: the surface is folded there. What is run through once
/// alone is the boundary. It falls into loops: counter-clockwise ones are outlines of pieces, clockwise ones are holes.
/// The number of faces over a place is the number of times the boundary winds about it. So where the boundary is one
/// loop that nowhere meets itself, there is one face over each place inside and none outside, and no pair of faces need
/// be compared.

/// How errors name a place: "x 1.20, y 3.40 on the site".
typedef struct TinAxes {
    const char *x, *y, *where;
} TinAxes;

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

/// ---- adding points and faces ---------------------------------------------------------------------------------------

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

static bool fail_at(const char *label, TinPlace place, Status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail_at(const char *label, TinPlace place, Status *status, const char *format, ...)
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

static bool add_point(Tin *tin, const char *label, const double at[3], TinPlace place, Status *status)
{
    if (tin->point_count == TIN_MOST_POINTS) {
        return fail_at(label, place, status, "more than %d points, allowed at most that many", TIN_MOST_POINTS);
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

static bool add_face(Tin *tin, const char *label, const int corners[3], TinPlace place, Status *status)
{
    if (tin->face_count == TIN_MOST_FACES) {
        return fail_at(label, place, status, "more than %d faces, allowed at most that many", TIN_MOST_FACES);
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
            return fail_at(check->label, tin->face_places[k], check->status,
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
                return fail_at(check->label, tin->point_places[list[high].number], check->status,
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
        return fail_at(check->label, tin->face_places[edges[2].face], check->status,
                       "%d faces meet in one edge at %s (the first in line %d), allowed two", shared, middle.text,
                       tin->face_places[edges[0].face].line);
    }
    if (shared == 2 && edges[0].from == edges[1].from) {
        return fail_at(check->label, tin->face_places[edges[1].face], check->status,
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

/// State of a walk along the boundary. A place that is reached again ends a loop.
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
        return fail_at(
            check->label, tin->face_places[walk->edges[walk->path[start]].face], check->status,
            "the surface has a hole of %.2f m2 with %d sides around %s, of which this face is one: allowed is "
            "a surface without gaps",
            fmax(-area, 0.0), end - start, name_place(check, origin[0] + x, origin[1] + y).text);
    }
    if (walk->pieces++ > 0) {
        return fail_at(
            check->label, tin->face_places[walk->edges[walk->path[start]].face], check->status,
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
                return fail_at(
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

/// ---- the check of a surface ----------------------------------------------------------------------------------------

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

static bool check_tin(Tin *tin, const char *label, const TinAxes *axes, Status *status)
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

/// ---- LandXML: the reader -------------------------------------------------------------------------------------------

enum {
    MOST_BYTES = 1 << 24,
    MOST_DEPTH = 8, ///< deeper there is nothing that is read
    MOST_TEXT = 256, ///< bytes of a point or a face
    NAME_LENGTH = 64,
    MOST_SURFACES = 64,
    MOST_NAMES = 400, ///< bytes of all names together, for an error
    ONLY = -1, ///< of a wanted surface: the only one
    NAMED = -2,
};

typedef enum Element {
    ELEMENT_OTHER,
    ELEMENT_LANDXML,
    ELEMENT_UNITS,
    ELEMENT_METRIC,
    ELEMENT_IMPERIAL,
    ELEMENT_SURFACES,
    ELEMENT_SURFACE,
    ELEMENT_DEFINITION,
    ELEMENT_PNTS,
    ELEMENT_P,
    ELEMENT_FACES,
    ELEMENT_F,
} Element;

static const struct {
    Element parent;
    const char *name;
    Element element;
} elements[] = {
    {ELEMENT_LANDXML, "Units", ELEMENT_UNITS},      {ELEMENT_UNITS, "Metric", ELEMENT_METRIC},
    {ELEMENT_UNITS, "Imperial", ELEMENT_IMPERIAL},  {ELEMENT_LANDXML, "Surfaces", ELEMENT_SURFACES},
    {ELEMENT_SURFACES, "Surface", ELEMENT_SURFACE}, {ELEMENT_SURFACE, "Definition", ELEMENT_DEFINITION},
    {ELEMENT_DEFINITION, "Pnts", ELEMENT_PNTS},     {ELEMENT_PNTS, "P", ELEMENT_P},
    {ELEMENT_DEFINITION, "Faces", ELEMENT_FACES},   {ELEMENT_FACES, "F", ELEMENT_F},
};

static const struct {
    const char *name;
    double metres;
} linear_units[] = {
    {"meter", 1.0},     {"millimeter", 1e-3}, {"centimeter", 1e-2},
    {"kilometer", 1e3}, {"foot", 0.3048},     {"USSurveyFoot", 1200.0 / 3937.0},
    {"inch", 0.0254},   {"mile", 1609.344},
};

/// A point's id and its number.
typedef struct PointId {
    long id;
    int number;
} PointId;

/// A face as the file writes it.
typedef struct RawFace {
    long corners[3]; ///< ids
    TinPlace place;
    bool invisible;
} RawFace;

typedef struct Reader {
    const char *label;
    xmlParserCtxtPtr parser;
    Status *status;
    bool failed;
    const char *wanted_name;
    int wanted; ///< number of the TIN surface, from 0, ONLY or NAMED
    double metres; ///< a unit of the file; 0: not read yet
    int depth; ///< of open elements
    Element open[MOST_DEPTH];
    char name[NAME_LENGTH]; ///< of the open surface
    int tins; ///< TIN surfaces so far
    bool found; ///< the wanted one was there
    bool taking; ///< the open definition is the wanted one
    char names[MOST_NAMES]; ///< of the TIN surfaces, for errors
    TinPlace place; ///< of the open point or face
    long id;
    bool invisible;
    int length; ///< of its text so far
    char text[MOST_TEXT];
    PointId *ids; ///< [TIN_MOST_POINTS]
    RawFace *faces; ///< [TIN_MOST_FACES]
    int face_count;
    Tin *tin;
} Reader;

/// True when the file says that it is not UTF-8: by its mark of UTF-16, or by `encoding` in its first tag, which is
/// ASCII (XML 1.0, appendix F). The parser then reads what that names.
static bool names_encoding(const char *text, size_t size)
{
    char tag[128] = "";
    memcpy(tag, text, size < sizeof tag - 1 ? size : sizeof tag - 1);
    tag[strcspn(tag, ">")] = '\0';
    const char *encoding = strstr(tag, "encoding");
    bool wide = memcmp(tag, "\xff\xfe", 2) == 0 || memcmp(tag, "\xfe\xff", 2) == 0;
    return wide || (encoding != NULL && strstr(encoding, "UTF-8") == NULL && strstr(encoding, "utf-8") == NULL);
}

static void fail(Reader *reader, TinPlace place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// The first failure ends the reading.
static void fail(Reader *reader, TinPlace place, const char *format, ...)
{
    if (reader->failed) {
        return;
    }
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    status_fail(reader->status, STATUS_BAD_FILE, "%s:%d:%d: %s", reader->label, place.line, place.column, text);
    reader->failed = true;
    if (reader->parser != NULL) {
        xmlStopParser(reader->parser);
    }
}

/// Where the tag begins that the parser is at the end of.
static TinPlace tag_place(const Reader *reader)
{
    const xmlParserInput *input = reader->parser->input;
    if (input == NULL || input->cur == NULL) {
        return (TinPlace){1, 1};
    }
    TinPlace place = {input->line, input->col};
    const xmlChar *at = input->cur;
    bool one_line = true;
    while (at > input->base && *at != '<') {
        at--;
        if (*at == '\n') {
            place.line--;
            one_line = false;
        }
    }
    const xmlChar *start = at;
    while (start > input->base && start[-1] != '\n') {
        start--;
    }
    bool whole = start == input->base ? place.line == 1 : true; // the beginning of the line is still in the buffer
    place.column = whole || !one_line ? (int)(at - start) + 1 : input->col - (int)(input->cur - at);
    place.line = place.line > 0 ? place.line : 1;
    place.column = place.column > 0 ? place.column : 1;
    return place;
}

/// ---- elements ------------------------------------------------------------------------------------------------------

/// The value of an attribute without a prefix, cut to fit; false when there is none.
static bool attribute(const xmlChar **attributes, int count, const char *name, char *value, size_t size)
{
    // libxml2 hands over five pointers an attribute: name, prefix, namespace, begin and end of its value.
    for (int k = 0; k < count; k++) {
        const xmlChar **one = attributes + (ptrdiff_t)5 * k;
        if (one[1] == NULL && strcmp((const char *)one[0], name) == 0) {
            snprintf(value, size, "%.*s", (int)(one[4] - one[3]), (const char *)one[3]);
            return true;
        }
    }
    value[0] = '\0';
    return false;
}

static void begin_root(Reader *reader, const char *name, const char *space)
{
    static const char landxml[] = "http://www.landxml.org/schema/LandXML-1.";
    bool known = space != NULL && strncmp(space, landxml, sizeof landxml - 1) == 0;
    const char *version = known ? space + sizeof landxml - 1 : "";
    if (strcmp(name, "LandXML") != 0) {
        fail(reader, tag_place(reader), "read <%.40s>, allowed a LandXML file", name);
    } else if (!known || strlen(version) != 1 || strchr("012", version[0]) == NULL) {
        fail(reader, tag_place(reader), "read the namespace %.80s, allowed %s0 to 2", space ? space : "none", landxml);
    }
}

static void begin_units(Reader *reader, const xmlChar **attributes, int count)
{
    char unit[32];
    attribute(attributes, count, "linearUnit", unit, sizeof unit);
    for (size_t k = 0; k < sizeof linear_units / sizeof linear_units[0]; k++) {
        if (strcmp(linear_units[k].name, unit) == 0) {
            reader->metres = linear_units[k].metres;
            return;
        }
    }
    fail(reader, tag_place(reader),
         "linearUnit: read \"%s\", allowed meter, millimeter, centimeter, kilometer, foot, USSurveyFoot, inch, mile",
         unit);
}

static void begin_definition(Reader *reader, const xmlChar **attributes, int count)
{
    char type[16];
    attribute(attributes, count, "surfType", type, sizeof type);
    bool tin = strcmp(type, "TIN") == 0, named = reader->wanted == NAMED;
    bool called = named && strcmp(reader->name, reader->wanted_name) == 0;
    if (!tin) {
        if (called) {
            fail(reader, tag_place(reader), "surfType: read \"%s\", allowed TIN", type);
        }
        return;
    }
    size_t length = strlen(reader->names);
    snprintf(reader->names + length, sizeof reader->names - length, "%s%s", reader->tins > 0 ? ", " : "", reader->name);
    int number = reader->tins++;
    if (reader->tins > MOST_SURFACES) {
        fail(reader, tag_place(reader), "more than %d surfaces, allowed at most that many", MOST_SURFACES);
    }
    if (reader->wanted == ONLY && number == 1) {
        fail(reader, tag_place(reader), "the file has several surfaces (%s, ...): state which one by `surface`",
             reader->names);
    }
    if (called && reader->found) {
        fail(reader, tag_place(reader), "a second surface %s, allowed one of that name", reader->name);
    }
    reader->taking = named ? called : number == (reader->wanted == ONLY ? 0 : reader->wanted);
    reader->found = reader->found || reader->taking;
}

/// Reads a whole number above 0 that fills a word.
static bool read_id(const char *word, long *id)
{
    size_t length = strlen(word);
    *id = length > 0 && length <= 9 && strspn(word, "0123456789") == length ? strtol(word, NULL, 10) : 0;
    return *id > 0;
}

static void begin_item(Reader *reader, bool point, const xmlChar **attributes, int count)
{
    char word[32];
    reader->place = tag_place(reader);
    reader->length = 0;
    if (point) {
        attribute(attributes, count, "id", word, sizeof word);
        if (!read_id(word, &reader->id)) {
            fail(reader, reader->place, "id: read \"%s\", allowed a whole number, 1 to 999999999", word);
        }
    } else {
        reader->invisible = attribute(attributes, count, "i", word, sizeof word) && strcmp(word, "1") == 0;
    }
}

static void start_element(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *space,
                          int space_count, const xmlChar **spaces, int count, int defaulted, const xmlChar **attributes)
{
    Reader *reader = context;
    const char *name = (const char *)local;
    (void)prefix, (void)space_count, (void)spaces, (void)defaulted;
    if (reader->failed) {
        return;
    }
    Element element = ELEMENT_OTHER;
    if (reader->depth == 0) {
        begin_root(reader, name, (const char *)space);
        element = ELEMENT_LANDXML;
    }
    Element parent = reader->depth > 0 && reader->depth <= MOST_DEPTH ? reader->open[reader->depth - 1] : ELEMENT_OTHER;
    for (size_t k = 0; parent != ELEMENT_OTHER && k < sizeof elements / sizeof elements[0]; k++) {
        if (elements[k].parent == parent && strcmp(elements[k].name, name) == 0) {
            element = elements[k].element;
        }
    }
    if (reader->depth < MOST_DEPTH) {
        reader->open[reader->depth] = element;
    }
    reader->depth++;
    if (element == ELEMENT_METRIC || element == ELEMENT_IMPERIAL) {
        begin_units(reader, attributes, count);
    } else if (element == ELEMENT_SURFACE) {
        attribute(attributes, count, "name", reader->name, sizeof reader->name);
    } else if (element == ELEMENT_DEFINITION) {
        begin_definition(reader, attributes, count);
    } else if (reader->taking && (element == ELEMENT_P || element == ELEMENT_F)) {
        begin_item(reader, element == ELEMENT_P, attributes, count);
    }
}

/// ---- points and faces ----------------------------------------------------------------------------------------------

/// Splits the text at white space; returns the number of words, one more than `most` when there are more.
static int split(char *text, char *words[], int most)
{
    int count = 0;
    for (char *at = text + strspn(text, " \t\r\n"); *at != '\0'; at += strspn(at, " \t\r\n")) {
        if (count == most) {
            return most + 1;
        }
        words[count++] = at;
        at += strcspn(at, " \t\r\n");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return count;
}

static void end_point(Reader *reader)
{
    char *words[3];
    double at[3];
    int count = split(reader->text, words, 3);
    if (count != 3) {
        fail(reader, reader->place, "point %ld: read %s%d numbers, allowed 3: northing easting elevation", reader->id,
             count > 3 ? "more than " : "", count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        // Decimal digits only: strtod alone would take nan, inf and hexadecimal.
        char *end = words[k];
        bool plain = strspn(words[k], "0123456789+-.eE") == strlen(words[k]);
        at[k] = plain ? strtod(words[k], &end) : 0.0;
        if (!plain || end == words[k] || *end != '\0' || !(fabs(at[k]) <= LANDXML_FARTHEST)) {
            fail(reader, reader->place, "point %ld: read %.40s, allowed a number, %g to %g", reader->id, words[k],
                 -LANDXML_FARTHEST, LANDXML_FARTHEST);
            return;
        }
    }
    const double east_first[3] = {at[1], at[0], at[2]};
    int number = reader->tin->point_count;
    if (!add_point(reader->tin, reader->label, east_first, reader->place, reader->status)) {
        reader->failed = true;
        xmlStopParser(reader->parser);
        return;
    }
    reader->ids[number] = (PointId){reader->id, number};
}

static void end_face(Reader *reader)
{
    char *words[3];
    RawFace face = {.place = reader->place, .invisible = reader->invisible};
    int count = split(reader->text, words, 3);
    if (count != 3) {
        fail(reader, reader->place, "face: read %s%d ids, allowed 3", count > 3 ? "more than " : "",
             count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!read_id(words[k], &face.corners[k])) {
            fail(reader, reader->place, "face: read %.40s, allowed the id of a point", words[k]);
            return;
        }
    }
    if (reader->face_count == TIN_MOST_FACES) {
        fail(reader, reader->place, "more than %d faces, allowed at most that many", TIN_MOST_FACES);
        return;
    }
    reader->faces[reader->face_count++] = face;
}

static bool in_item(const Reader *reader)
{
    Element open = reader->depth > 0 && reader->depth <= MOST_DEPTH ? reader->open[reader->depth - 1] : ELEMENT_OTHER;
    return reader->taking && (open == ELEMENT_P || open == ELEMENT_F);
}

static void add_text(void *context, const xmlChar *text, int length)
{
    Reader *reader = context;
    if (reader->failed || !in_item(reader)) {
        return;
    }
    if (length >= MOST_TEXT - reader->length) {
        fail(reader, reader->place, "more than %d characters, allowed three numbers", MOST_TEXT - 1);
        return;
    }
    memcpy(reader->text + reader->length, text, (size_t)length);
    reader->length += length;
}

static void end_element(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *space)
{
    Reader *reader = context;
    (void)local, (void)prefix, (void)space;
    if (reader->failed) {
        return;
    }
    if (in_item(reader)) {
        reader->text[reader->length] = '\0';
        if (reader->open[reader->depth - 1] == ELEMENT_P) {
            end_point(reader);
        } else {
            end_face(reader);
        }
    }
    reader->depth--;
    if (reader->depth < MOST_DEPTH && reader->open[reader->depth] == ELEMENT_DEFINITION) {
        reader->taking = false;
    }
}

/// ---- errors of the parser ------------------------------------------------------------------------------------------

static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    Reader *reader = context;
    (void)name, (void)external, (void)system;
    fail(reader, tag_place(reader), "read a DOCTYPE, allowed none: entities and other files are not followed");
}

static void take_error(void *context, xmlErrorPtr error)
{
    Reader *reader = context;
    if (error->level == XML_ERR_FATAL) {
        int length = error->message != NULL ? (int)strcspn(error->message, "\n") : 0;
        fail(reader, (TinPlace){error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1}, "%.*s", length,
             error->message != NULL ? error->message : "");
    }
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b)
{
    const PointId *p = a, *q = b;
    if (p->id != q->id) {
        return p->id < q->id ? -1 : 1;
    }
    return p->number - q->number;
}

/// Gives the faces the numbers of their points.
static bool join_faces(Reader *reader)
{
    Tin *tin = reader->tin;
    size_t count = (size_t)tin->point_count;
    qsort(reader->ids, count, sizeof *reader->ids, compare_ids);
    for (size_t k = 1; k < count; k++) {
        if (reader->ids[k].id == reader->ids[k - 1].id) {
            fail(reader, tin->point_places[reader->ids[k].number], "a second point %ld (the first in line %d)",
                 reader->ids[k].id, tin->point_places[reader->ids[k - 1].number].line);
            return false;
        }
    }
    for (int k = 0; k < reader->face_count; k++) {
        const RawFace *face = &reader->faces[k];
        int corners[3];
        for (int c = 0; c < 3; c++) {
            const PointId wanted = {.id = face->corners[c]};
            size_t low = 0, high = count;
            while (low < high) {
                size_t middle = (low + high) / 2;
                bool before = reader->ids[middle].id < wanted.id;
                low = before ? middle + 1 : low;
                high = before ? high : middle;
            }
            if (low == count || reader->ids[low].id != wanted.id) {
                fail(reader, face->place, "the face names point %ld, which the surface does not have", wanted.id);
                return false;
            }
            corners[c] = reader->ids[low].number;
        }
        if (!face->invisible && !add_face(tin, reader->label, corners, face->place, reader->status)) {
            return false;
        }
    }
    return true;
}

/// Scales and moves the points to where they lie on the site.
static void put_points(Reader *reader, const LandXmlPlacement *place)
{
    for (int k = 0; k < reader->tin->point_count; k++) {
        double *p = reader->tin->points[k];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] *= reader->metres;
        }
        if (place != NULL) {
            double c = same_cos(place->heading), s = same_sin(place->heading);
            double east = p[0] - place->east, north = p[1] - place->north;
            p[0] = place->x + c * east - s * north;
            p[1] = place->y + s * east + c * north;
            p[2] = place->z + p[2] - place->elevation;
        }
    }
}

/// Runs the parser over the text.
static bool parse(Reader *reader, const char *text, size_t size)
{
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                             .startElementNs = start_element,
                             .endElementNs = end_element,
                             .characters = add_text,
                             .ignorableWhitespace = add_text,
                             .cdataBlock = add_text,
                             .internalSubset = refuse_doctype,
                             .serror = take_error};
    xmlInitParser();
    reader->parser = xmlCreateMemoryParserCtxt(text, (int)size);
    if (reader->parser == NULL) {
        return status_fail(reader->status, STATUS_LACKING, "%s: out of memory", reader->label);
    }
    *reader->parser->sax = handler;
    reader->parser->userData = reader;
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET | XML_PARSE_NOCDATA);
    xmlParseDocument(reader->parser);
    bool well = reader->parser->wellFormed != 0;
    if (reader->parser->myDoc != NULL) {
        xmlFreeDoc(reader->parser->myDoc);
    }
    xmlFreeParserCtxt(reader->parser);
    reader->parser = NULL;
    if (!well) {
        fail(reader, (TinPlace){1, 1}, "not a well-formed XML file");
    }
    return !reader->failed;
}

static bool finish(Reader *reader, const LandXmlPlacement *place)
{
    static const TinAxes site = {"x", "y", " on the site"}, survey = {"easting", "northing", " of the survey"};
    const TinPlace top = {1, 1};
    if (!reader->found && reader->wanted == NAMED) {
        fail(reader, top, "no TIN surface named %s, there are %s", reader->wanted_name,
             reader->tins > 0 ? reader->names : "none");
    } else if (!reader->found) {
        fail(reader, top, "no TIN surface (Surfaces/Surface/Definition with surfType=\"TIN\")");
    } else if (!(reader->metres > 0.0)) {
        fail(reader, top, "no Units with Metric or Imperial: the length of a unit is not told");
    }
    if (reader->failed || !join_faces(reader)) {
        return false;
    }
    if (reader->tin->face_count == 0) {
        fail(reader, top, "the surface has no faces that are visible");
        return false;
    }
    put_points(reader, place);
    return check_tin(reader->tin, reader->label, place != NULL ? &site : &survey, reader->status);
}

/// Reads one surface; `tins` takes how many the file has.
static bool read_surface(const char *label, const char *text, size_t size, const char *name, int wanted,
                         const LandXmlPlacement *place, Tin *tin, int *tins, Status *status)
{
    *tin = (Tin){0};
    if (size == 0 || size > MOST_BYTES) {
        return status_fail(status, STATUS_BAD_FILE, "%s:1:1: %s", label, size == 0 ? "an empty file" : "too large");
    }
    if (!names_encoding(text, size) && !plain_text_check(label, text, size, status)) {
        return false;
    }
    Reader *reader = calloc(1, sizeof *reader);
    PointId *ids = malloc(TIN_MOST_POINTS * sizeof *ids);
    RawFace *faces = malloc(TIN_MOST_FACES * sizeof *faces);
    bool good = reader != NULL && ids != NULL && faces != NULL;
    if (good) {
        *reader = (Reader){.label = label,
                           .status = status,
                           .wanted_name = name,
                           .wanted = wanted,
                           .ids = ids,
                           .faces = faces,
                           .tin = tin};
        good = parse(reader, text, size) && finish(reader, place);
        *tins = reader->tins;
    } else {
        status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    free(faces);
    free(ids);
    free(reader);
    if (!good) {
        tin_free(tin);
    }
    return good;
}

bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status)
{
    int tins = 0;
    return read_surface(label, text, size, name, name[0] == '\0' ? ONLY : NAMED, place, tin, &tins, status) &&
           status_good(status);
}

bool landxml_check(const char *label, const char *text, size_t size, Status *status)
{
    int tins = 1;
    for (int k = 0; k < tins; k++) {
        Tin tin;
        if (!read_surface(label, text, size, "", k, NULL, &tin, &tins, status)) {
            return false;
        }
        tin_free(&tin);
    }
    return status_good(status);
}
