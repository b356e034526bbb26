/// Builds the stones of the experiment `piles` (bars as an L, rings of six pieces, boxes) and measures a heap of them
/// by rain: the highest hull over each column of 0.05 m gives volume, radius and the height of the cone with the same
/// mean.
#include "tests/validation/rigs/machine/rock_heap.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN   0.05 ///< m
#define TOP_AREA 0.25 ///< m2
#define INNER    0.8 ///< share of the volume

void rock_heap_make_box(RockPart *part, Vec3 middle, Vec3 size)
{
    part->point_count = 8;
    for (int k = 0; k < 8; k++) {
        part->point[k] = vec3(middle.x + (k & 1 ? 0.5 : -0.5) * size.x, middle.y + (k & 2 ? 0.5 : -0.5) * size.y,
                              middle.z + (k & 4 ? 0.5 : -0.5) * size.z);
    }
}

void rock_heap_make_l(RockShapeParams *shape, double size, double thick)
{
    memset(shape, 0, sizeof *shape);
    shape->part_count = 2;
    rock_heap_make_box(&shape->part[0], vec3(0.5 * size, 0.5 * thick, 0.0), vec3(size, thick, thick));
    rock_heap_make_box(&shape->part[1], vec3(0.5 * thick, 0.5 * (size + thick), 0.0), vec3(thick, size - thick, thick));
    shape->mass = ROCK_HEAP_DENSITY * thick * thick * (2.0 * size - thick);
}

void rock_heap_make_ring(RockShapeParams *shape, double outer, double inner, double thick)
{
    memset(shape, 0, sizeof *shape);
    shape->part_count = 6;
    for (int p = 0; p < 6; p++) {
        RockPart *part = &shape->part[p];
        part->point_count = 8;
        for (int k = 0; k < 8; k++) {
            double angle = (p + (k & 1)) * M_PI / 3.0, r = k & 2 ? outer : inner;
            part->point[k] = vec3(r * cos(angle), r * sin(angle), k & 4 ? 0.5 * thick : -0.5 * thick);
        }
    }
    shape->mass = ROCK_HEAP_DENSITY * 1.5 * sqrt(3.0) * (outer * outer - inner * inner) * thick;
}

// Shoemake 1992, "Uniform random rotations", Graphics Gems III.
Quat rock_heap_random_turn(Run *run)
{
    double u = run_random(run), a = 2.0 * M_PI * run_random(run), b = 2.0 * M_PI * run_random(run);
    double s = sqrt(1.0 - u), c = sqrt(u);
    return (Quat){c * cos(b), s * sin(a), s * cos(a), c * sin(b)};
}

typedef struct Surface {
    int side; ///< columns along x and y
    double reach;
    double *height; ///< m, [side][side]
} Surface;

// Top of a convex part over (x, y): the lowest of its upper planes, where that is not outside of a side or below a
// lower one.
static double part_top(const ConvexHull *hull, const Pose *frame, double x, double y)
{
    double top = HUGE_VAL, bottom = -HUGE_VAL;
    for (int f = 0; f < hull->face_count; f++) {
        Vec3 n = mat3_mul(&frame->rotation, hull->normal[f]);
        Vec3 p = pose_apply(frame, hull->point[hull->face_point[f][0]]);
        double rest = vec3_dot(n, p) - n.x * x - n.y * y;
        if (n.z > 1e-9) {
            top = fmin(top, rest / n.z);
        } else if (n.z < -1e-9) {
            bottom = fmax(bottom, rest / n.z);
        } else if (rest < 0.0) {
            return 0.0;
        }
    }
    return top > bottom ? top : 0.0;
}

static void add_part(Surface *surface, const ConvexHull *hull, const Pose *frame)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < hull->point_count; k++) {
        Vec3 p = pose_apply(frame, hull->point[k]);
        low[0] = fmin(low[0], p.x);
        low[1] = fmin(low[1], p.y);
        high[0] = fmax(high[0], p.x);
        high[1] = fmax(high[1], p.y);
    }
    int from[2], to[2];
    for (int i = 0; i < 2; i++) {
        from[i] = (int)fmin(fmax(floor((low[i] + surface->reach) / COLUMN), 0.0), surface->side);
        to[i] = (int)fmin(fmax(ceil((high[i] + surface->reach) / COLUMN), 0.0), surface->side);
    }
    for (int row = from[1]; row < to[1]; row++) {
        for (int column = from[0]; column < to[0]; column++) {
            double x = (column + 0.5) * COLUMN - surface->reach, y = (row + 0.5) * COLUMN - surface->reach;
            double *height = &surface->height[row * surface->side + column];
            *height = fmax(*height, part_top(hull, frame, x, y));
        }
    }
}

static int higher_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

typedef struct Share {
    double distance, volume;
} Share;

static int nearer_first(const void *a, const void *b)
{
    const Share *x = a, *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

static double inner_radius(const Surface *surface, double volume, double x, double y)
{
    int count = surface->side * surface->side;
    Share *shares = calloc((size_t)count, sizeof *shares);
    assert(shares != NULL);
    for (int k = 0; k < count; k++) {
        double dx = (k % surface->side + 0.5) * COLUMN - surface->reach - x;
        double dy = ((int)(k / surface->side) + 0.5) * COLUMN - surface->reach - y;
        shares[k] = (Share){sqrt(dx * dx + dy * dy), surface->height[k] * COLUMN * COLUMN};
    }
    qsort(shares, (size_t)count, sizeof *shares, nearer_first);
    double sum = 0.0, radius = 0.0;
    for (int k = 0; k < count && sum < INNER * volume; k++) {
        sum += shares[k].volume;
        radius = shares[k].distance;
    }
    free(shares);
    return radius;
}

RockHeap rock_heap_measure(const Rocks *rocks, int budget, double reach)
{
    Surface surface = {.side = (int)(2.0 * reach / COLUMN), .reach = reach};
    int count = surface.side * surface.side;
    surface.height = calloc((size_t)count, sizeof *surface.height);
    assert(surface.height != NULL);
    for (int i = 0; i < budget; i++) {
        RockView view;
        for (int p = 0; rocks_get(rocks, i, &view) && p < rocks_get_part_count(rocks, view.shape); p++) {
            add_part(&surface, rocks_get_part(rocks, view.shape, p), &view.motion.frame);
        }
    }
    RockHeap heap = {0};
    double x = 0.0, y = 0.0;
    for (int k = 0; k < count; k++) {
        double volume = surface.height[k] * COLUMN * COLUMN;
        heap.volume += volume;
        heap.height += 2.0 * volume * surface.height[k];
        x += volume * ((k % surface.side + 0.5) * COLUMN - reach);
        y += volume * (((int)(k / surface.side) + 0.5) * COLUMN - reach);
    }
    if (heap.volume > 0.0) {
        heap.height /= heap.volume;
        heap.radius = inner_radius(&surface, heap.volume, x / heap.volume, y / heap.volume);
    }
    qsort(surface.height, (size_t)count, sizeof *surface.height, higher_first);
    int top = (int)(TOP_AREA / (COLUMN * COLUMN));
    for (int k = 0; k < top && k < count; k++) {
        heap.peak += surface.height[k] / top;
    }
    free(surface.height);
    return heap;
}
