/// Moves the shipped bucket through one fill (enter, drag, curl, lift) and measures the volume in it: over a grid of
/// vertical lines, from the bucket's inner floor up to the outline of the grains.
#include "tests/validation/rigs/soil/digging.h"

#include <math.h>
#include <string.h>

void digging_go_fill(SiteWay *way, double seconds, const ToolShape *bucket, const DiggingCut *cut)
{
    double top = cut->surface + cut->clearance, low = cut->surface - cut->depth, end = cut->x - cut->length;
    double unit = cut->seconds / 8.0;
    site_go_edge(way, seconds, bucket, vec3(cut->x + 0.3, cut->y, top), DIGGING_PITCH, 0.0);
    site_go_edge(way, 1.0 * unit, bucket, vec3(cut->x, cut->y, low), DIGGING_PITCH, 0.0);
    site_go_edge(way, 3.0 * unit, bucket, vec3(end, cut->y, low), DIGGING_PITCH, 0.0);
    Vec3 pin = way->knots[way->count - 1].at;
    pin.z += 0.2;
    site_go(way, 2.0 * unit, pin, DIGGING_CURLED, 0.0);
    pin.z = fmax(pin.z, top + bucket->edge[0]);
    site_go(way, 2.0 * unit, pin, DIGGING_CURLED, 0.0);
}

SoilTool digging_bucket(const ToolShape *shape)
{
    SoilTool tool;
    memset(&tool, 0, sizeof tool);
    tool.shape = shape;
    tool.motion.frame.rotation = mat3_identity();
    tool.cuts = true;
    tool.steel_friction = 1.0;
    return tool;
}

/// Height of the bucket's inner floor at (x, y): where a vertical line enters the inside's outline from below. NAN
/// beside it.
static double inner_floor(const void *context, double x, double y)
{
    const SoilTool *bucket = context;
    const ToolShape *shape = bucket->shape;
    if (fabs(y - bucket->motion.frame.position.y) > 0.5 * shape->inside_width) {
        return NAN;
    }
    double lowest = HUGE_VAL;
    for (int k = 0; k < shape->inside_count; k++) {
        const double *a = shape->inside[k], *b = shape->inside[(k + 1) % shape->inside_count];
        Vec3 from = pose_apply(&bucket->motion.frame, vec3(a[0], 0.0, a[1])),
             to = pose_apply(&bucket->motion.frame, vec3(b[0], 0.0, b[1]));
        double share = (x - from.x) / (to.x - from.x);
        if (share >= 0.0 && share <= 1.0) { // false where the side is upright
            lowest = fmin(lowest, from.z + share * (to.z - from.z));
        }
    }
    return lowest < HUGE_VAL ? lowest : (double)NAN;
}

double digging_volume(const Soil *soil, const SoilTool *bucket, double radius)
{
    Vec3 at = bucket->motion.frame.position;
    SiteArea area = {at.x - 2.0, at.y - 1.5, at.x + 2.0, at.y + 1.5};
    return site_heap_volume(soil, &area, radius, inner_floor, bucket);
}
