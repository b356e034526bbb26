/// One answer for four kinds of design. Planes and height maps lie over rectangles; a surface of triangles has its
/// faces and sides in bins of the plan.
#include "data/schema/design_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/files/height_map.h"
#include "data/files/landxml.h"
#include "data/files/plan_bins.h"

#define SLIP      1e-9 ///< share of a face by which a place on its edge may lie outside
#define MOST_GREY 65535.0

enum { MAX_PARTS = SCENE_MAX_SURFACE_PARTS + 1, SIDE_PIECES = 16, SURVEY_LINES = 64 };

struct DesignSurface {
    double tolerance;
    int part_count;
    SceneSurfacePart parts[MAX_PARTS]; ///< the later one holds; a height map is the only one
    HeightMap map; ///< rows 0: the parts are planes
    double map_low, map_high; ///< m: black and white
    Tin tin; ///< face_count 0: there is none
    PlanBins bins; ///< of faces, then of sides
};

/// ---- rectangles ----------------------------------------------------------------------------------------------------

/// Place in a part's frame: u along its length from the near end, v across from its middle line.
static void place(const SceneSurfacePart *part, double x, double y, double *u, double *v)
{
    double c = same_cos(part->heading), s = same_sin(part->heading), dx = x - part->x, dy = y - part->y;
    *u = c * dx + s * dy;
    *v = c * dy - s * dx;
}

static double inset(const SceneSurfacePart *part, double u, double v)
{
    double along = fmin(u, part->length - u), across = 0.5 * part->width - fabs(v);
    return fmin(along, across);
}

/// The last part that holds a place; NULL: none.
static const SceneSurfacePart *part_at(const DesignSurface *design, double x, double y, double *u, double *v)
{
    for (int k = design->part_count - 1; k >= 0; k--) {
        place(&design->parts[k], x, y, u, v);
        if (inset(&design->parts[k], *u, *v) >= 0.0) {
            return &design->parts[k];
        }
    }
    return NULL;
}

static double part_height(const DesignSurface *design, const SceneSurfacePart *part, double u, double v)
{
    if (design->map.rows == 0) {
        return part->z + (part->far_z - part->z) * u / part->length;
    }
    double grey = height_map_at(&design->map, u / part->length, v / part->width + 0.5);
    return design->map_low + (design->map_high - design->map_low) * grey / MOST_GREY;
}

static Vec3 part_point(const DesignSurface *design, const SceneSurfacePart *part, double u, double v)
{
    double c = same_cos(part->heading), s = same_sin(part->heading);
    return vec3(part->x + c * u - s * v, part->y + s * u + c * v, part_height(design, part, u, v));
}

/// ---- triangles -----------------------------------------------------------------------------------------------------

static bool face_height(const Tin *tin, int face, double x, double y, double *height)
{
    const double *a = tin->points[tin->faces[face][0]], *b = tin->points[tin->faces[face][1]],
                 *c = tin->points[tin->faces[face][2]];
    double whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    double share_b = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / whole;
    double share_c = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / whole;
    if (share_b < -SLIP || share_c < -SLIP || share_b + share_c > 1.0 + SLIP) {
        return false;
    }
    *height = a[2] + share_b * (b[2] - a[2]) + share_c * (c[2] - a[2]);
    return true;
}

static bool tin_height(const DesignSurface *design, double x, double y, double *height)
{
    const int *items = NULL;
    int count = plan_bins_at(&design->bins, x, y, &items);
    for (int k = 0; k < count; k++) {
        if (items[k] < design->tin.face_count && face_height(&design->tin, items[k], x, y, height)) {
            return true;
        }
    }
    return false;
}

static void side_ends(const Tin *tin, int side, const double **a, const double **b)
{
    *a = tin->points[tin->sides[side]];
    *b = tin->points[tin->sides[side + 1 < tin->side_count ? side + 1 : 0]];
}

/// True when a side of the outline that is in the bin at (bin_x, bin_y) is nearer than `margin` to (x, y).
static bool near_side(const DesignSurface *design, double x, double y, double margin, double bin_x, double bin_y)
{
    const int *items = NULL;
    int count = plan_bins_at(&design->bins, bin_x, bin_y, &items);
    for (int k = 0; k < count; k++) {
        if (items[k] < design->tin.face_count) {
            continue;
        }
        const double *a, *b;
        side_ends(&design->tin, items[k] - design->tin.face_count, &a, &b);
        double dx = b[0] - a[0], dy = b[1] - a[1];
        double along = ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy);
        along = fmin(fmax(along, 0.0), 1.0);
        if (same_hypot(a[0] + along * dx - x, a[1] + along * dy - y) < margin) {
            return true;
        }
    }
    return false;
}

static bool tin_holds(const DesignSurface *design, double x, double y, double margin)
{
    double height;
    if (!tin_height(design, x, y, &height)) {
        return false;
    }
    int steps = margin > 0.0 ? (int)fmin(ceil(2.0 * margin / design->bins.size), 256.0) : -1;
    for (int k = 0; k <= steps; k++) {
        for (int n = 0; n <= steps; n++) {
            double bin_x = x - margin + 2.0 * margin * k / steps, bin_y = y - margin + 2.0 * margin * n / steps;
            if (near_side(design, x, y, margin, bin_x, bin_y)) {
                return false;
            }
        }
    }
    return true;
}

static bool make_bins(DesignSurface *design)
{
    const Tin *tin = &design->tin;
    int count = tin->face_count + tin->side_count;
    PlanBox *boxes = malloc((size_t)count * sizeof *boxes);
    for (int k = 0; boxes != NULL && k < count; k++) {
        const double *a, *b, *c;
        if (k < tin->face_count) {
            a = tin->points[tin->faces[k][0]];
            b = tin->points[tin->faces[k][1]];
            c = tin->points[tin->faces[k][2]];
        } else {
            side_ends(tin, k - tin->face_count, &a, &b);
            c = b;
        }
        for (int axis = 0; axis < 2; axis++) {
            boxes[k][2 * axis] = fmin(a[axis], fmin(b[axis], c[axis]));
            boxes[k][2 * axis + 1] = fmax(a[axis], fmax(b[axis], c[axis]));
        }
    }
    bool good = boxes != NULL && plan_bins_make(&design->bins, (const PlanBox *)boxes, count);
    free(boxes);
    return good;
}

/// ---- making it -----------------------------------------------------------------------------------------------------

static bool read_survey(DesignSurface *design, const SceneSurface *surface, const char *label, Status *status)
{
    const LandXmlPlacement where = {.east = surface->east,
                                    .north = surface->north,
                                    .elevation = surface->elevation,
                                    .x = surface->x,
                                    .y = surface->y,
                                    .z = surface->z,
                                    .heading = surface->heading};
    if (!landxml_read(label, surface->text, surface->text_size, surface->name, &where, &design->tin, status)) {
        return false;
    }
    return make_bins(design) || status_fail(status, STATUS_LACKING, "%s: out of memory", label);
}

static bool read_heights(DesignSurface *design, const SceneSurface *surface, const char *label, Status *status)
{
    design->map_low = surface->low;
    design->map_high = surface->high;
    design->parts[design->part_count++] = (SceneSurfacePart){.x = surface->x,
                                                             .y = surface->y,
                                                             .heading = surface->heading,
                                                             .length = surface->length,
                                                             .width = surface->width};
    return height_map_read(label, surface->text, surface->text_size, &design->map, status);
}

static bool fill(DesignSurface *design, const SceneExercise *exercise, DesignOf of, const char *label, Status *status)
{
    const SceneSurface *surface = &exercise->surface;
    const SceneTrench *trench = &exercise->trench;
    if (surface->file[0] != '\0' && surface->text != NULL) {
        return read_survey(design, surface, label != NULL ? label : surface->file, status);
    }
    if (surface->heights[0] != '\0' && surface->text != NULL) {
        return read_heights(design, surface, label != NULL ? label : surface->heights, status);
    }
    if (of == DESIGN_OF_WORK && exercise->kind == EXERCISE_TRENCH) {
        design->parts[design->part_count++] = (SceneSurfacePart){.x = trench->x,
                                                                 .y = trench->y,
                                                                 .heading = trench->heading,
                                                                 .length = trench->length,
                                                                 .width = trench->width,
                                                                 .z = -trench->depth,
                                                                 .far_z = -trench->depth};
    }
    for (int k = 0; k < surface->parts_count; k++) {
        design->parts[design->part_count++] = surface->parts[k];
    }
    return true;
}

DesignSurface *design_create(const SceneExercise *exercise, DesignOf of, const char *label, Status *status)
{
    DesignSurface *design = calloc(1, sizeof *design);
    if (design == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the design surface");
        return NULL;
    }
    bool surface = scene_has_part(exercise, METRIC_OF_SURFACE);
    design->tolerance = surface ? exercise->surface.tolerance : exercise->trench.tolerance;
    if (!fill(design, exercise, of, label, status)) {
        design_destroy(design);
        return NULL;
    }
    return design;
}

void design_destroy(DesignSurface *design)
{
    if (design != NULL) {
        height_map_free(&design->map);
        plan_bins_free(&design->bins);
        tin_free(&design->tin);
        free(design);
    }
}

/// ---- asking it -----------------------------------------------------------------------------------------------------

bool design_is_empty(const DesignSurface *design)
{
    return design == NULL || (design->part_count == 0 && design->tin.face_count == 0);
}

double design_tolerance(const DesignSurface *design)
{
    return design != NULL ? design->tolerance : 0.0;
}

bool design_height(const DesignSurface *design, double x, double y, double *height)
{
    if (design == NULL) {
        return false;
    }
    if (design->tin.face_count > 0) {
        return tin_height(design, x, y, height);
    }
    double u, v;
    const SceneSurfacePart *part = part_at(design, x, y, &u, &v);
    if (part == NULL) {
        return false;
    }
    *height = part_height(design, part, u, v);
    return true;
}

bool design_holds(const DesignSurface *design, double x, double y, double margin)
{
    if (design == NULL) {
        return false;
    }
    if (design->tin.face_count > 0) {
        return tin_holds(design, x, y, margin);
    }
    double u, v;
    const SceneSurfacePart *part = part_at(design, x, y, &u, &v);
    return part != NULL && inset(part, u, v) >= margin;
}

static void include(DesignBox *box, Vec3 p)
{
    box->low = vec3(fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z));
    box->high = vec3(fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z));
}

bool design_box(const DesignSurface *design, DesignBox *box)
{
    if (design_is_empty(design)) {
        return false;
    }
    *box = (DesignBox){vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    const Tin *tin = &design->tin;
    for (int k = 0; k < 3 * tin->face_count; k++) {
        const double *p = tin->points[tin->faces[k / 3][k % 3]];
        include(box, vec3(p[0], p[1], p[2]));
    }
    for (int k = 0; k < 4 * design->part_count; k++) {
        const SceneSurfacePart *part = &design->parts[k / 4];
        include(box, part_point(design, part, k % 4 < 2 ? 0.0 : part->length, (k % 2 - 0.5) * part->width));
    }
    for (int k = 0; k < design->map.rows * design->map.columns; k++) {
        double z = design->map_low + (design->map_high - design->map_low) * design->map.grey[k] / MOST_GREY;
        box->low.z = fmin(box->low.z, z);
        box->high.z = fmax(box->high.z, z);
    }
    return true;
}

bool design_fits(const DesignSurface *design, const SceneGround *ground, Status *status)
{
    DesignBox box;
    double half_x = 0.5 * ground->size_x, half_y = 0.5 * ground->size_y;
    if (!design_box(design, &box)) {
        return true;
    }
    if (box.low.x < -half_x || box.high.x > half_x || box.low.y < -half_y || box.high.y > half_y) {
        return status_fail(status, STATUS_BAD_FILE,
                           "the surface reaches from %.6g, %.6g to %.6g, %.6g, allowed on the site, from %.6g, %.6g to "
                           "%.6g, %.6g%s",
                           box.low.x, box.low.y, box.high.x, box.high.y, -half_x, -half_y, half_x, half_y,
                           design->tin.face_count > 0 ? " (east and north say which place of the survey lies at x, y)"
                                                      : "");
    }
    if (box.low.z <= -ground->bedrock_depth) {
        return status_fail(status, STATUS_BAD_FILE, "the surface reaches down to %.6g, allowed above bedrock (%.6g)%s",
                           box.low.z, -ground->bedrock_depth,
                           design->tin.face_count > 0 ? " (elevation says which height of the survey lies at z)" : "");
    }
    return true;
}

/// ---- its sides -----------------------------------------------------------------------------------------------------

static Vec3 outline_point(const Tin *tin, int number)
{
    const double *p = tin->points[tin->sides[number % tin->side_count]];
    return vec3(p[0], p[1], p[2]);
}

static int survey_lines(const Tin *tin, DesignLine *lines, int capacity)
{
    int most = capacity < SURVEY_LINES ? capacity : SURVEY_LINES;
    int count = tin->side_count < most ? tin->side_count : most;
    for (int k = 0; k < count; k++) {
        int from = (int)((long long)k * tin->side_count / count), to = (int)((k + 1LL) * tin->side_count / count);
        lines[k] = (DesignLine){outline_point(tin, from), outline_point(tin, to), true, k == 0};
    }
    return count;
}

int design_lines(const DesignSurface *design, DesignLine *lines, int capacity)
{
    if (design == NULL) {
        return 0;
    }
    if (design->tin.face_count > 0) {
        return survey_lines(&design->tin, lines, capacity);
    }
    int count = 0, pieces = design->map.rows > 0 ? SIDE_PIECES : 1;
    for (int k = 0; k < 4 * design->part_count; k++) {
        static const double corner[5][2] = {{0, -0.5}, {1, -0.5}, {1, 0.5}, {0, 0.5}, {0, -0.5}};
        const SceneSurfacePart *part = &design->parts[k / 4];
        const double *from = corner[k % 4], *to = corner[k % 4 + 1];
        for (int piece = 0; piece < pieces && count < capacity; piece++) {
            double s = (double)piece / pieces, e = (piece + 1.0) / pieces;
            lines[count++] = (DesignLine){part_point(design, part, part->length * (from[0] + s * (to[0] - from[0])),
                                                     part->width * (from[1] + s * (to[1] - from[1]))),
                                          part_point(design, part, part->length * (from[0] + e * (to[0] - from[0])),
                                                     part->width * (from[1] + e * (to[1] - from[1]))),
                                          piece == 0, k % 4 == 0 && piece == 0};
        }
    }
    return count;
}
