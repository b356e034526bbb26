/// Divides break lines until the Delaunay triangles of all points have each piece as an edge (a conforming
/// triangulation). A new point lies on its line, so that no height changes.
///
/// A line whose end another line shares is divided at a distance from that end that is a power of two (Ruppert 1995):
/// else two lines at an acute angle would divide each other for ever.
#include "data/files/breaklines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/files/delaunay.h"

enum { MOST_PASSES = 40 };
#define MOST_COMPARED 2e8 ///< pairs of lines
#define SAME_HEIGHT   5e-3 ///< m: of two lines at a place
#define SHORTEST      2e-3 ///< m: pieces that are not divided

void breaklines_free(Breaklines *lines)
{
    tin_free(&lines->points);
    free(lines->ends);
    *lines = (Breaklines){.count = 0};
}

bool breaklines_add(Breaklines *lines, const char *label, int from, int to, Status *status)
{
    if (lines->count == TIN_MOST_FACES) {
        return tin_fail_at(label, lines->points.point_places[from], status,
                           "more than %d pieces of lines, allowed at most that many", TIN_MOST_FACES);
    }
    if (lines->count == lines->room) {
        int room = lines->room > 0 ? 2 * lines->room : 256;
        void *larger = realloc(lines->ends, (size_t)room * sizeof *lines->ends);
        if (larger == NULL) {
            return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
        }
        lines->ends = larger;
        lines->room = room;
    }
    lines->ends[lines->count][0] = from;
    lines->ends[lines->count++][1] = to;
    return true;
}

/// ---- lines that meet -----------------------------------------------------------------------------------------------

typedef struct Job {
    Breaklines *lines;
    const char *label;
    Status *status;
    int corners; ///< points that the file has; those behind them lie on lines
} Job;

static const double *end_of(const Breaklines *lines, int line, int end)
{
    return lines->points.points[lines->ends[line][end]];
}

static double length_of(const Breaklines *lines, int line)
{
    const double *a = end_of(lines, line, 0), *b = end_of(lines, line, 1);
    return same_hypot(b[0] - a[0], b[1] - a[1]);
}

/// Divides a line at a point; the second piece becomes the last line.
static bool divide_at(const Job *job, int line, int point)
{
    int to = job->lines->ends[line][1];
    job->lines->ends[line][1] = point;
    return breaklines_add(job->lines, job->label, point, to, job->status);
}

/// Adds a point on a line, at a share of its length, and divides the line there.
static bool divide(const Job *job, int line, double share)
{
    const double *a = end_of(job->lines, line, 0), *b = end_of(job->lines, line, 1);
    const double at[3] = {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])};
    Tin *points = &job->lines->points;
    TinPlace place = points->point_places[job->lines->ends[line][0]];
    return tin_add_point(points, job->label, at, place, job->status) && divide_at(job, line, points->point_count - 1);
}

static bool fail_heights(const Job *job, int a, int b, double x, double y, double of_a, double of_b)
{
    const TinPlace *places = job->lines->points.point_places;
    return tin_fail_at(job->label, places[job->lines->ends[b][0]], job->status,
                       "the line meets that of line %d at %.3f, %.3f with another height (%.3f, %.3f), allowed one "
                       "height at a place",
                       places[job->lines->ends[a][0]].line, x, y, of_b, of_a);
}

/// Divides line `a` at an end of line `b` that lies on it.
static bool divide_at_end(const Job *job, int a, int b, int end, bool *found)
{
    const double *from = end_of(job->lines, a, 0), *to = end_of(job->lines, a, 1), *p = end_of(job->lines, b, end);
    int point = job->lines->ends[b][end];
    double dx = to[0] - from[0], dy = to[1] - from[1], length = same_hypot(dx, dy);
    double along = ((p[0] - from[0]) * dx + (p[1] - from[1]) * dy) / length;
    double aside = fabs(dx * (p[1] - from[1]) - dy * (p[0] - from[0])) / length;
    if (point == job->lines->ends[a][0] || point == job->lines->ends[a][1] || aside > TIN_NEAREST ||
        along < TIN_NEAREST || along > length - TIN_NEAREST) {
        return true;
    }
    *found = true;
    double height = from[2] + along / length * (to[2] - from[2]);
    return fabs(height - p[2]) <= SAME_HEIGHT ? divide_at(job, a, point)
                                              : fail_heights(job, a, b, p[0], p[1], height, p[2]);
}

/// Divides two lines where they cross, or where one ends on the other; `found` says whether one of them has changed.
static bool divide_pair(const Job *job, int a, int b, bool *found)
{
    *found = false;
    for (int k = 0; k < 4; k++) {
        if (!divide_at_end(job, k < 2 ? a : b, k < 2 ? b : a, k % 2, found)) {
            return false;
        }
        if (*found) {
            return true;
        }
    }
    const int *ends[2] = {job->lines->ends[a], job->lines->ends[b]};
    if (ends[0][0] == ends[1][0] || ends[0][0] == ends[1][1] || ends[0][1] == ends[1][0] || ends[0][1] == ends[1][1]) {
        return true;
    }
    const double *p = end_of(job->lines, a, 0), *q = end_of(job->lines, a, 1), *r = end_of(job->lines, b, 0),
                 *s = end_of(job->lines, b, 1);
    double ax = q[0] - p[0], ay = q[1] - p[1], bx = s[0] - r[0], by = s[1] - r[1], turn = ax * by - ay * bx;
    if (turn == 0.0) {
        return true;
    }
    double of_a = ((r[0] - p[0]) * by - (r[1] - p[1]) * bx) / turn;
    double of_b = ((r[0] - p[0]) * ay - (r[1] - p[1]) * ax) / turn;
    if (!(of_a > 0.0 && of_a < 1.0 && of_b > 0.0 && of_b < 1.0)) {
        return true;
    }
    double height_a = p[2] + of_a * (q[2] - p[2]), height_b = r[2] + of_b * (s[2] - r[2]);
    if (fabs(height_a - height_b) > SAME_HEIGHT) {
        return fail_heights(job, a, b, p[0] + of_a * ax, p[1] + of_a * ay, height_a, height_b);
    }
    *found = true;
    return divide(job, a, of_a) && divide_at(job, b, job->lines->points.point_count - 1);
}

/// A line with its extent along x.
typedef struct Span {
    double low, high;
    int line;
} Span;

static int compare_spans(const void *a, const void *b)
{
    const Span *p = a, *q = b;
    if (p->low != q->low) {
        return p->low < q->low ? -1 : 1;
    }
    return p->line - q->line;
}

static bool may_meet(const Breaklines *lines, int a, int b)
{
    const double *p = end_of(lines, a, 0), *q = end_of(lines, a, 1), *r = end_of(lines, b, 0), *s = end_of(lines, b, 1);
    return fmin(p[1], q[1]) <= fmax(r[1], s[1]) + TIN_NEAREST && fmin(r[1], s[1]) <= fmax(p[1], q[1]) + TIN_NEAREST;
}

/// Looks once at all pairs of lines that may meet. What has been divided is looked at in the next pass.
static bool divide_meeting(const Job *job, bool *changed)
{
    const Breaklines *lines = job->lines;
    int count = lines->count;
    double compared = 0.0;
    Span *spans = malloc(((size_t)count + 1) * sizeof *spans);
    bool *divided = calloc((size_t)count + 1, sizeof *divided);
    bool good = spans != NULL && divided != NULL;
    if (!good) {
        status_fail(job->status, STATUS_LACKING, "%s: out of memory", job->label);
    }
    for (int k = 0; good && k < count; k++) {
        const double *a = end_of(lines, k, 0), *b = end_of(lines, k, 1);
        spans[k] = (Span){fmin(a[0], b[0]), fmax(a[0], b[0]) + TIN_NEAREST, k};
    }
    if (good) {
        qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    }
    *changed = false;
    for (int k = 0; good && k < count; k++) {
        for (int n = k + 1; good && n < count && spans[n].low <= spans[k].high; n++) {
            bool found = false;
            int a = spans[k].line, b = spans[n].line;
            compared += 1.0;
            if (!divided[a] && !divided[b] && may_meet(lines, a, b)) {
                good = divide_pair(job, a, b, &found);
                divided[a] = divided[b] = found;
                *changed = *changed || found;
            }
        }
        if (good && compared > MOST_COMPARED) {
            good = tin_fail_at(job->label, (TinPlace){1, 1}, job->status,
                               "%d pieces of lines lie over one another, too many to join", count);
        }
    }
    free(spans);
    free(divided);
    return good;
}

/// ---- lines as edges ------------------------------------------------------------------------------------------------

typedef struct Edge {
    int low, high; ///< points
} Edge;

static int compare_edges(const void *a, const void *b)
{
    const Edge *p = a, *q = b;
    return p->low != q->low ? (p->low < q->low ? -1 : 1) : (p->high > q->high) - (p->high < q->high);
}

static Edge edge_between(int a, int b)
{
    return a < b ? (Edge){a, b} : (Edge){b, a};
}

/// Where a line is divided that is no edge yet: its share from its first point.
static double share_of(const Job *job, int line)
{
    const int *ends = job->lines->ends[line];
    bool first = ends[0] < job->corners, second = ends[1] < job->corners;
    double length = length_of(job->lines, line);
    if (first == second) {
        return 0.5;
    }
    int exponent;
    double part = frexp(length / 1.5, &exponent); // a power of two between a third and two thirds of the length
    double share = ldexp(part > 0.0 ? 0.5 : 0.0, exponent) / length;
    return first ? share : 1.0 - share;
}

/// Divides the lines that are no edges; `changed` says whether there were any.
static bool divide_missing(const Job *job, bool *changed)
{
    const Tin *tin = &job->lines->points;
    size_t count = 3 * (size_t)tin->face_count;
    Edge *edges = malloc((count + 1) * sizeof *edges);
    if (edges == NULL) {
        return status_fail(job->status, STATUS_LACKING, "%s: out of memory", job->label);
    }
    for (size_t k = 0; k < count; k++) {
        const int *face = tin->faces[k / 3];
        edges[k] = edge_between(face[k % 3], face[(k + 1) % 3]);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    bool good = true;
    *changed = false;
    for (int k = 0, lines = job->lines->count; good && k < lines; k++) {
        Edge wanted = edge_between(job->lines->ends[k][0], job->lines->ends[k][1]);
        if (length_of(job->lines, k) > SHORTEST &&
            bsearch(&wanted, edges, count, sizeof *edges, compare_edges) == NULL) {
            *changed = true;
            good = divide(job, k, share_of(job, k));
        }
    }
    free(edges);
    return good;
}

/// Joins points that lie on one another, and leaves out lines without a length.
static bool merge(Breaklines *lines, const char *label, Status *status)
{
    int *numbers = malloc(((size_t)lines->points.point_count + 1) * sizeof *numbers);
    if (numbers == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    bool good = delaunay_merge(&lines->points, SAME_HEIGHT, numbers, label, status);
    int kept = 0;
    for (int k = 0; good && k < lines->count; k++) {
        int from = numbers[lines->ends[k][0]], to = numbers[lines->ends[k][1]];
        if (from != to) {
            lines->ends[kept][0] = from;
            lines->ends[kept++][1] = to;
        }
    }
    lines->count = kept;
    free(numbers);
    return good;
}

bool breaklines_join(Breaklines *lines, double longest, const char *label, Status *status)
{
    Job job = {.lines = lines, .label = label, .status = status};
    bool changed = true, good = merge(lines, label, status);
    for (int pass = 0; good && changed && pass < MOST_PASSES; pass++) {
        good = divide_meeting(&job, &changed) && (!changed || merge(lines, label, status));
    }
    job.corners = lines->points.point_count;
    changed = true;
    for (int pass = 0; good && changed; pass++) {
        lines->points.face_count = 0;
        good = delaunay_join(&lines->points, label, status) && divide_missing(&job, &changed);
        if (good && changed && pass == MOST_PASSES) {
            good = tin_fail_at(label, (TinPlace){1, 1}, status,
                               "its lines cannot be made edges of triangles: do many of "
                               "them meet at acute angles?");
        }
    }
    return good && delaunay_drop_long(&lines->points, longest, label, status);
}
