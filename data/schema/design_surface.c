/// Computes heights and slopes of four kinds of design. Planes and height maps lie over rectangles; a surface of
/// triangles has its faces and sides in bins of the plan.
#include "data/schema/design_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/files/height_map.h"
#include "data/files/landxml.h"

/// ---- bins of the plan ----------------------------------------------------------------------------------------------

/// Things that lie in the plan, sorted into square bins, so that what may lie at a place is found without looking at
/// all of them. Bins are one list of items with the place where each bin begins. There are about as many bins as items,
/// and fewer where long items would lie in too many of them.

/// Zero-initialise; free with plan_bins_free.
typedef struct PlanBins {
    double x, y, size; ///< m: lower left corner of the first bin, and a bin's side
    int columns, rows;
    int *first; ///< [rows * columns + 1]: where a bin's items begin
    int *items; ///< their numbers, rising within a bin
} PlanBins;

/// Box of an item: its low and high x, then its low and high y, m.
typedef double PlanBox[4];

enum { MOST_BINS = 128, ITEMS_EACH = 16 }; ///< a side; places in bins that an item may take on the mean

static void plan_bins_free(PlanBins *bins)
{
    free(bins->first);
    free(bins->items);
    *bins = (PlanBins){0};
}

static int bin_of(double at, double low, double size, int count)
{
    double bin = floor((at - low) / size);
    return bin < 0.0 ? 0 : bin > count - 1 ? count - 1 : (int)bin;
}

/// The bins that a box touches: first and last column, first and last row.
static void bins_of(const PlanBins *bins, const double *box, int range[4])
{
    for (int k = 0; k < 2; k++) {
        range[k] = bin_of(box[k], bins->x, bins->size, bins->columns);
        range[2 + k] = bin_of(box[2 + k], bins->y, bins->size, bins->rows);
    }
}

/// Lays `side` bins along the longer side; returns how many places in bins the items take.
static double lay_bins(PlanBins *bins, const PlanBox *boxes, int count, const double whole[4], int side)
{
    double width = whole[1] - whole[0], height = whole[3] - whole[2];
    bins->x = whole[0];
    bins->y = whole[2];
    bins->size = fmax(fmax(width, height) / side, 1e-3);
    bins->columns = (int)fmax(1.0, ceil(width / bins->size));
    bins->rows = (int)fmax(1.0, ceil(height / bins->size));
    double places = 0.0;
    for (int k = 0; k < count; k++) {
        int range[4];
        bins_of(bins, boxes[k], range);
        places += (double)(range[1] - range[0] + 1) * (range[3] - range[2] + 1);
    }
    return places;
}

/// Puts the items into their bins: counted first, then laid from the end of each bin on.
static void fill_bins(PlanBins *bins, const PlanBox *boxes, int count)
{
    int bin_count = bins->columns * bins->rows;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = count - 1; k >= 0; k--) {
            int range[4];
            bins_of(bins, boxes[k], range);
            for (int row = range[2]; row <= range[3]; row++) {
                for (int column = range[0]; column <= range[1]; column++) {
                    int *at = &bins->first[row * bins->columns + column];
                    if (pass == 0) {
                        (*at)++;
                    } else {
                        bins->items[--*at] = k;
                    }
                }
            }
        }
        for (int k = 1; k <= bin_count && pass == 0; k++) {
            bins->first[k] += bins->first[k - 1];
        }
    }
}

/// Sorts `count` (at least 1) boxes. False when memory is short.
static bool plan_bins_make(PlanBins *bins, const PlanBox *boxes, int count)
{
    *bins = (PlanBins){0};
    double whole[4] = {boxes[0][0], boxes[0][1], boxes[0][2], boxes[0][3]};
    for (int k = 1; k < count; k++) {
        for (int axis = 0; axis < 4; axis += 2) {
            whole[axis] = fmin(whole[axis], boxes[k][axis]);
            whole[axis + 1] = fmax(whole[axis + 1], boxes[k][axis + 1]);
        }
    }
    int side = (int)fmin(MOST_BINS, ceil(sqrt(count)));
    double places = lay_bins(bins, boxes, count, whole, side);
    while (places > (double)ITEMS_EACH * count && side > 1) {
        side /= 2;
        places = lay_bins(bins, boxes, count, whole, side);
    }
    bins->first = calloc((size_t)bins->columns * (size_t)bins->rows + 1, sizeof *bins->first);
    bins->items = calloc((size_t)places + 1, sizeof *bins->items);
    if (bins->first == NULL || bins->items == NULL) {
        plan_bins_free(bins);
        return false;
    }
    fill_bins(bins, boxes, count);
    return true;
}

/// The items of the bin at a place; returns how many (0 outside of all bins). They belong to the bins.
static int plan_bins_at(const PlanBins *bins, double x, double y, const int **items)
{
    if (bins->first == NULL || x < bins->x || y < bins->y || x > bins->x + bins->columns * bins->size ||
        y > bins->y + bins->rows * bins->size) {
        return 0;
    }
    int bin =
        bin_of(y, bins->y, bins->size, bins->rows) * bins->columns + bin_of(x, bins->x, bins->size, bins->columns);
    *items = bins->items + bins->first[bin];
    return bins->first[bin + 1] - bins->first[bin];
}

/// ---- designs -------------------------------------------------------------------------------------------------------

#define SLIP      1e-9 ///< share of a face by which a place on its edge may lie outside
#define MOST_GREY 65535.0

enum { MAX_PARTS = SCENE_MAX_SURFACE_PARTS + 1, SIDE_PIECES = 16, SURVEY_LINES = 64 };

struct DesignSurface {
    double tolerance;
    int part_count;
    SceneSurfacePart parts[MAX_PARTS]; ///< the later one holds; a height map is the only one
    double cosine[MAX_PARTS], sine[MAX_PARTS]; ///< of their headings
    HeightMap map; ///< rows 0: the parts are planes
    double map_low, map_high; ///< m: black and white
    Tin tin; ///< face_count 0: there is none
    PlanBins bins; ///< of faces, then of sides
    int line_count;
    DesignLine lines[SURVEY_LINES]; ///< of the boundary of a survey
};

/// ---- rectangles ----------------------------------------------------------------------------------------------------

static void add_part(DesignSurface *design, const SceneSurfacePart *part)
{
    int k = design->part_count++;
    design->parts[k] = *part;
    design->cosine[k] = same_cos(part->heading);
    design->sine[k] = same_sin(part->heading);
}

/// Place in a part's frame: u along its length from the near end, v across from its middle line.
static void place(const DesignSurface *design, int k, double x, double y, double *u, double *v)
{
    const SceneSurfacePart *part = &design->parts[k];
    double c = design->cosine[k], s = design->sine[k], dx = x - part->x, dy = y - part->y;
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
        place(design, k, x, y, u, v);
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
    *a = tin->points[tin->sides[side][0]];
    *b = tin->points[tin->sides[side][1]];
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
    bool good = boxes != NULL && count > 0 && plan_bins_make(&design->bins, (const PlanBox *)boxes, count);
    free(boxes);
    return good;
}

/// ---- the boundary of a survey --------------------------------------------------------------------------------------

static Vec3 point_of(const double p[3])
{
    return vec3(p[0], p[1], p[2]);
}

/// m: how far corners of the boundary may lie beside its lines at first; twice as far until there are few enough.
#define LEAST_ASIDE 0.002
#define RISE_ASIDE  5.0 ///< so many times farther above or below them

/// Corner k of a loop, counted from its place `start` on; the corner behind the last is the first.
static const double *corner_of(const Tin *tin, int loop, int start, int k)
{
    int first = tin->loops[loop], count = tin->loops[loop + 1] - first;
    return tin->points[tin->sides[first + (start + k) % count][0]];
}

/// True when no corner between two of a loop lies farther beside the line between those than `aside`.
static bool is_straight(const Tin *tin, int loop, int start, int from, int to, double aside)
{
    const double *a = corner_of(tin, loop, start, from), *b = corner_of(tin, loop, start, to);
    double dx = b[0] - a[0], dy = b[1] - a[1], length = same_hypot(dx, dy);
    for (int k = from + 1; k < to; k++) {
        const double *p = corner_of(tin, loop, start, k);
        double along = (p[0] - a[0]) * dx + (p[1] - a[1]) * dy, across = dx * (p[1] - a[1]) - dy * (p[0] - a[0]);
        bool beside = length > 1e-9 && along >= 0.0 && along <= length * length;
        double away = beside ? fabs(across) / length : same_hypot(p[0] - a[0], p[1] - a[1]);
        double share = beside ? along / (length * length) : 0.0;
        away = fmax(away, fabs(p[2] - a[2] - share * (b[2] - a[2])) / RISE_ASIDE);
        if (away > aside) {
            return false;
        }
    }
    return true;
}

/// The leftmost corner of a loop, which every simplification keeps.
static int first_corner(const Tin *tin, int loop)
{
    int best = 0, count = tin->loops[loop + 1] - tin->loops[loop];
    for (int k = 1; k < count; k++) {
        const double *p = corner_of(tin, loop, 0, k), *q = corner_of(tin, loop, 0, best);
        best = p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]) ? k : best;
    }
    return best;
}

/// Lays lines along a loop, each as far as the corners beside it allow; returns how many there are then.
static int loop_lines(const Tin *tin, int loop, double aside, DesignLine *lines, int count)
{
    enum { LONGEST = 256 }; // sides: of a line, so that a long boundary takes no time
    int sides = tin->loops[loop + 1] - tin->loops[loop], start = first_corner(tin, loop), before = count;
    for (int from = 0; from < sides && count < SURVEY_LINES;) {
        int to = from + 1;
        while (to < sides && to - from < LONGEST && is_straight(tin, loop, start, from, to + 1, aside)) {
            to++;
        }
        lines[count] = (DesignLine){point_of(corner_of(tin, loop, start, from)),
                                    point_of(corner_of(tin, loop, start, to)), true, count == before};
        count++;
        from = to;
    }
    return count;
}

/// The boundary of a survey by at most SURVEY_LINES lines. A loop no wider than the lines are inaccurate has none.
static void find_outline(DesignSurface *design)
{
    const Tin *tin = &design->tin;
    double aside = LEAST_ASIDE;
    for (int pass = 0; pass < 24; pass++, aside *= 2.0) {
        design->line_count = 0;
        for (int loop = 0; loop < tin->loop_count && design->line_count < SURVEY_LINES; loop++) {
            int sides = tin->loops[loop + 1] - tin->loops[loop];
            if (sides > 2 && !is_straight(tin, loop, first_corner(tin, loop), 0, sides, aside)) {
                design->line_count = loop_lines(tin, loop, aside, design->lines, design->line_count);
            }
        }
        if (design->line_count < SURVEY_LINES) {
            return;
        }
    }
}

/// ---- creation ------------------------------------------------------------------------------------------------------

LandXmlPlacement design_placement(const SceneSurface *surface)
{
    return (LandXmlPlacement){.east = surface->east,
                              .north = surface->north,
                              .elevation = surface->elevation,
                              .x = surface->x,
                              .y = surface->y,
                              .z = surface->z,
                              .heading = surface->heading};
}

static bool read_survey(DesignSurface *design, const SceneSurface *surface, const char *label, Status *status)
{
    const LandXmlPlacement where = design_placement(surface);
    if (!landxml_read(label, surface->text, surface->text_size, surface->name, &where, &design->tin, status)) {
        return false;
    }
    find_outline(design);
    return make_bins(design) || status_fail(status, STATUS_LACKING, "%s: out of memory", label);
}

static bool read_heights(DesignSurface *design, const SceneSurface *surface, const char *label, Status *status)
{
    design->map_low = surface->low;
    design->map_high = surface->high;
    const SceneSurfacePart map = {.x = surface->x,
                                  .y = surface->y,
                                  .heading = surface->heading,
                                  .length = surface->length,
                                  .width = surface->width};
    add_part(design, &map);
    return height_map_read(label, surface->text, surface->text_size, &design->map, status);
}

static bool fill_design(DesignSurface *design, const SceneExercise *exercise, DesignOf of, const char *label,
                        Status *status)
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
        const SceneSurfacePart cut = {.x = trench->x,
                                      .y = trench->y,
                                      .heading = trench->heading,
                                      .length = trench->length,
                                      .width = trench->width,
                                      .z = -trench->depth,
                                      .far_z = -trench->depth};
        add_part(design, &cut);
    }
    for (int k = 0; k < surface->parts_count; k++) {
        add_part(design, &surface->parts[k]);
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
    if (!fill_design(design, exercise, of, label, status)) {
        design_destroy(design);
        return NULL;
    }
    return design;
}

DesignSurface *design_of_tin(Tin *tin, const char *label, Status *status)
{
    DesignSurface *design = calloc(1, sizeof *design);
    if (design == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory", label);
        return NULL;
    }
    design->tin = *tin;
    *tin = (Tin){0};
    if (!make_bins(design)) {
        status_fail(status, STATUS_LACKING, "%s: out of memory", label);
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

/// ---- heights and slopes --------------------------------------------------------------------------------------------

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

#define HIGHEST 10.0 ///< m over the level of the site: the highest fill of a height map, too

/// What would put the middle of a survey at the place of the site that it is to lie at, in words.
typedef struct Remedy {
    char place[192], height[96];
} Remedy;

static Remedy remedy_of(const SceneSurface *surface, const DesignBox *box, const SceneGround *ground)
{
    Remedy remedy;
    double c = same_cos(surface->heading), s = same_sin(surface->heading);
    double dx = 0.5 * (box->low.x + box->high.x) - surface->x, dy = 0.5 * (box->low.y + box->high.y) - surface->y;
    double east = surface->east + c * dx + s * dy, north = surface->north + c * dy - s * dx;
    double half = 0.5 * fmax(ground->size_x, ground->size_y);
    bool exchanged = fabs(east - surface->north) < half && fabs(north - surface->east) < half;
    snprintf(remedy.place, sizeof remedy.place,
             " (east: %.2f and north: %.2f would put its middle at x, y%s; crop_length and crop_width take a part)",
             east, north, exchanged ? ": are the two exchanged" : "");
    snprintf(remedy.height, sizeof remedy.height, " (elevation: %.2f would put its middle at z)",
             surface->elevation + 0.5 * (box->low.z + box->high.z) - surface->z);
    return remedy;
}

bool design_fits_height(const DesignSurface *design, const SceneSurface *surface, const SceneGround *ground,
                        Status *status)
{
    DesignBox box;
    if (!design_box(design, &box)) {
        return true;
    }
    bool survey = design->tin.face_count > 0;
    Remedy remedy = remedy_of(surface, &box, ground);
    if (box.low.z <= -ground->bedrock_depth) {
        return status_fail(status, STATUS_BAD_FILE, "the surface reaches down to %.6g, allowed above bedrock (%.6g)%s",
                           box.low.z, -ground->bedrock_depth, survey ? remedy.height : "");
    }
    if (box.high.z > HIGHEST && survey) {
        return status_fail(status, STATUS_BAD_FILE,
                           "the surface reaches up to %.6g, allowed %.6g over the level of the site%s", box.high.z,
                           HIGHEST, remedy.height);
    }
    return true;
}

bool design_fits(const DesignSurface *design, const SceneSurface *surface, const SceneGround *ground, Status *status)
{
    DesignBox box;
    double half_x = 0.5 * ground->size_x, half_y = 0.5 * ground->size_y;
    if (!design_box(design, &box)) {
        return true;
    }
    bool survey = design->tin.face_count > 0;
    Remedy remedy = remedy_of(surface, &box, ground);
    if (box.low.x < -half_x || box.high.x > half_x || box.low.y < -half_y || box.high.y > half_y) {
        return status_fail(status, STATUS_BAD_FILE,
                           "the surface reaches from %.6g, %.6g to %.6g, %.6g, allowed on the site, from %.6g, %.6g to "
                           "%.6g, %.6g%s",
                           box.low.x, box.low.y, box.high.x, box.high.y, -half_x, -half_y, half_x, half_y,
                           survey ? remedy.place : "");
    }
    return design_fits_height(design, surface, ground, status);
}

void design_tell_left_out(const DesignSurface *design, const char *label, char *text, size_t size)
{
    text[0] = '\0';
    if (design != NULL) {
        tin_tell_left_out(&design->tin, label, text, size);
    }
}

/// ---- the outline ---------------------------------------------------------------------------------------------------

int design_lines(const DesignSurface *design, DesignLine *lines, int capacity)
{
    if (design == NULL) {
        return 0;
    }
    if (design->tin.face_count > 0) {
        int found = design->line_count < capacity ? design->line_count : capacity;
        memcpy(lines, design->lines, (size_t)found * sizeof *lines);
        return found;
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
