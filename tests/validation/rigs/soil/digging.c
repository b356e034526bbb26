/// Moves the shipped bucket through one fill (enter, drag, curl, lift), or through many, each emptied on a pile; and
/// measures the volume in it: over a grid of vertical lines, from the bucket's inner floor up to the outline of the
/// grains.
#include "tests/validation/rigs/soil/digging.h"

#include <math.h>
#include <string.h>

#include "data/core/tool_geometry.h"
#include "tests/validation/rigs/soil/apparatus.h"

enum { PER_LAYER = DIGGING_LANES * DIGGING_CUTS };

#define DEPTH        0.3 ///< m of a cut
#define LENGTH       3.0 ///< m of a cut
#define LANE         1.4 ///< m
#define PIT_X        (-2.5) ///< m: where the first cut starts
#define PILE_X       5.5 ///< m: where the bucket is emptied
#define ACCELERATION 2.5 ///< m/s2, most of the bucket on its way: what lies at its angle of repose must not run out

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

/// ---- digging cycles ------------------------------------------------------------------------------------------------

bool digging_cycles_create(Run *run, const SoilParams *soil, double radius, DiggingCycles *cycles)
{
    // The walls of a deep pit fall from 3 m behind it: soil that runs out over the edge of the site stays grains.
    SiteForm form = {.size_x = 48.0, .size_y = 32.0, .depth = 4.0, .radius = radius, .budget = 40000};
    if (!site_load_bucket(run, "excavator-22t", "own", &cycles->shape, &cycles->capacity)) {
        return false;
    }
    cycles->scene = site_scene(run, soil, &form);
    cycles->soil = run_create_soil(run, &cycles->scene);
    if (cycles->soil == NULL) {
        return false;
    }
    cycles->bucket = digging_bucket(&cycles->shape);
    site_go(&cycles->way, 0.0, vec3(0, 0, 3.0), DIGGING_PITCH, 0.0);
    return true;
}

/// Seconds that the bucket takes for a distance: least jerk accelerates by 10 / sqrt(3) L / T^2 at most.
static double travel_time(Vec3 from, Vec3 to)
{
    double length = vec3_length(vec3_sub(to, from));
    return fmax(1.0, sqrt(10.0 / sqrt(3.0) * length / ACCELERATION));
}

/// Adds what the bucket carries at a moment.
static void weigh(DiggingCycles *cycles, DiggingMoment moment)
{
    SoilParticleView p = soil_get_particles(cycles->soil);
    const SoilTool *bucket = &cycles->bucket;
    DiggingLoad *load = &cycles->carried[moment];
    for (int k = 0; k < p.count; k++) {
        double radius = (double)p.radius[k];
        if (tool_contains(bucket->shape, pose_apply_inverse(&bucket->motion.frame, vec3(p.x[k], p.y[k], p.z[k])),
                          0.0)) {
            load->mass += p.mass[k] * SOIL_QUANTUM;
            load->solid += 4.0 / 3.0 * M_PI * radius * radius * radius;
        }
    }
    load->payload += soil_get_payload(cycles->soil, bucket, NULL);
}

/// Ticks from one time of the way to another.
static void go_on(DiggingCycles *cycles, double from, double to)
{
    int ticks = (int)floor(60.0 * (to - from) + 0.5);
    for (int k = 0; k < ticks; k++) {
        double start = wall_milliseconds(), worked = processor_milliseconds();
        site_tick(cycles->soil, &cycles->scene, &cycles->bucket, &cycles->way, 1, from + k / 60.0, NULL);
        if (cycles->after_tick != NULL) {
            cycles->after_tick(cycles->context, wall_milliseconds() - start, processor_milliseconds() - worked);
        }
    }
}

/// Highest ground within 2 m of the place where a lane is dumped.
static double pile_top(const DiggingCycles *cycles, double y)
{
    double top = 0.0;
    for (int k = 0; k < 400; k++) {
        top = fmax(top, soil_get_height(cycles->soil, PILE_X - 2.0 + 0.2 * (k % 20), y - 2.0 + 0.2 * (k / 20)));
    }
    return top;
}

/// When, in whole ticks from one time to another, the edge comes over a height; at the latest the latter.
static double clears_at(const DiggingCycles *cycles, double from, double to, double surface)
{
    SoilTool bucket = cycles->bucket;
    for (double time = from; time < to; time += 1.0 / 60.0) {
        site_place(&bucket, &cycles->way, time);
        if (pose_apply(&bucket.motion.frame, vec3(cycles->shape.edge[0], 0.0, cycles->shape.edge[1])).z > surface) {
            return time;
        }
    }
    return to;
}

void digging_cycles_run(DiggingCycles *cycles, int number)
{
    int layer = number / PER_LAYER, lane = number % PER_LAYER / DIGGING_CUTS, spot = number % DIGGING_CUTS;
    double y = (lane - 0.5 * (DIGGING_LANES - 1)) * LANE;
    DiggingCut cut = {.x = PIT_X - 0.7 * layer - spot * LENGTH,
                      .y = y,
                      .surface = -DEPTH * layer,
                      .depth = DEPTH,
                      .length = LENGTH,
                      .clearance = 0.5,
                      .seconds = 6.0};
    SiteKnot last = cycles->way.knots[cycles->way.count - 1];
    cycles->way.count = 0;
    site_go(&cycles->way, 0.0, last.at, last.pitch, last.yaw);
    digging_go_fill(&cycles->way, travel_time(last.at, vec3(cut.x, y, 1.5)), &cycles->shape, &cut);
    Vec3 over = vec3(PILE_X, y, pile_top(cycles, y) + cycles->shape.edge[0] + 0.5);
    int dragged = cycles->way.count - 3; // knots: the cut's end, curled, lifted
    double curled = cycles->way.knots[dragged + 1].time, lifted = site_way_end(&cycles->way);
    site_go(&cycles->way, travel_time(cycles->way.knots[cycles->way.count - 1].at, over), over, DIGGING_CURLED, 0.0);
    double arrived = site_way_end(&cycles->way);
    site_go(&cycles->way, 1.5, over, DIGGING_DUMPED, 0.0);
    site_go(&cycles->way, 1.0, over, DIGGING_DUMPED, 0.0);
    double clear = clears_at(cycles, cycles->way.knots[dragged].time, curled, cut.surface);
    const double times[DIGGING_MOMENTS] = {clear, curled, lifted, arrived};
    double before = 0.0;
    for (int moment = 0; moment < DIGGING_MOMENTS; moment++) {
        double now = floor(60.0 * times[moment] + 0.5) / 60.0; // a whole tick
        go_on(cycles, before, now);
        weigh(cycles, moment);
        before = now;
    }
    double payload = soil_get_payload(cycles->soil, &cycles->bucket, NULL);
    go_on(cycles, arrived, site_way_end(&cycles->way));
    cycles->dug += payload;
    cycles->dumped += payload - soil_get_payload(cycles->soil, &cycles->bucket, NULL);
}

void digging_cycles_settle(DiggingCycles *cycles)
{
    for (int second = 0; second < 30; second++) {
        int carried;
        soil_get_payload(cycles->soil, &cycles->bucket, &carried);
        if (soil_get_counters(cycles->soil).particles <= carried &&
            soil_get_counters(cycles->soil).active_columns == 0) {
            return;
        }
        double end = site_way_end(&cycles->way);
        go_on(cycles, end, end + 1.0);
    }
}
