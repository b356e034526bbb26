/// Long sweeps straight to the machine: how an operator gathers what is left where full buckets are not to be had any
/// more, the crumbs of a heap or of the floor of a trench. Plans a sweep and the edge's path on it.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/autopilot_internal.h"
#include "trainer/pilot/autopilot_section.h"

#define LONG_SWEEP    2.7 ///< m that one bucket works over, curl included
#define SHORT_SWEEP   1.7 ///< m, where the ground is uneven
#define LEAST_SWEEP   0.5 ///< m: a shorter one is not driven
#define SLOPE_UP      0.8 ///< m per m: steepest line up towards the machine
#define SLOPE_DOWN    0.4 ///< m per m: steepest line down towards it
#define DEEPEST       0.65 ///< m: deepest single sweep
#define CURL_SWEEP    0.4 ///< m that the curl clears beyond the end of the drag
#define CURL_ROOM     0.8 ///< m the edge still sweeps towards the machine while it curls
#define STEP          0.2 ///< m between places tried
#define WORTH         0.05 ///< m3: less is not worth a sweep
#define WALL_ROOM     0.06 ///< m between the edge and the far end of a trench where it goes down
#define HEAP_ROOM     0.15 ///< m: the same of the place around a heap
#define END_ROOM      0.1 ///< m between the edge and the near end of the field
#define PUSHED_ROOM   0.8 ///< m before that end where a full sweep ends: it pushes soil ahead of the bucket
#define OVERCUT       1.7 ///< m3 to be cut for each m3 that stays in the bucket
#define FILLING       1.5 ///< worth of a full bucket
#define LAYERS        0.8 ///< worth of a metre of height over the floor
#define FAR_FIRST     0.08 ///< worth of a metre of distance from the machine
#define ENTRY_SLOPE   1.1 ///< m forward per m down while the edge enters
#define WALL_SLOPE    0.35 ///< the same at the foot of a wall, so that nothing is left there
#define STEEP_WALL    0.3 ///< m of ground that stands behind the place of entry, from which on it is a wall
#define ABOVE         0.25 ///< m over the ground and what stands behind it, from where the edge goes down
#define DOWN_SPEED    1.0 ///< m/s of the edge through the air
#define ENTRY_SPEED   0.9 ///< m/s
#define SHALLOW_SPEED 0.45 ///< m/s, where the floor is near: the boom must not fall through it
#define SHALLOW       0.25 ///< m of soil over the line: the same
#define DRAG_SPEED    1.2 ///< m/s
#define TURN_SPEED    1.0 ///< rad/s of the bucket in a short drag; faster, the edge shoots below the line
#define CURL_TIME     1.4 ///< s for the curl at the end
#define CURL_RISE     0.8 ///< m the bucket pin rises during the curl
// Elevation of the tip line, rad, in the middle and at the end of the drag on level ground: the leading plate, which
// stands 110 degrees off the tip line, then meets the soil at 38 and leaves it at 5 degrees.
#define ELEVATION_DRAG (-72.0 * M_PI / 180.0)
#define ELEVATION_LEFT (-105.0 * M_PI / 180.0)

/// A sweep that is tried.
typedef struct Sweep {
    double direction; ///< rad: world direction from the swing axis
    double start, near; ///< m from the swing axis: far end, and where it leaves the field
    PilotSection section; ///< the mean across the bucket
} Sweep;

/// Mean height across the bucket's width.
static double height_across(const PilotView *view, const Sweep *sweep, double distance)
{
    double c = same_cos(sweep->direction), s = same_sin(sweep->direction), side = 0.3 * sweep->section.width, sum = 0.0;
    for (int k = -1; k <= 1; k++) {
        sum += view->height(view->context, view->base.x + distance * c - k * side * s,
                            view->base.y + distance * s + k * side * c);
    }
    return sum / 3.0;
}

/// Distance from the swing axis where a sweep leaves the field, going towards the machine.
static double field_end(const Pilot *pilot, const PilotView *view, double direction, double start)
{
    double end = start;
    for (int k = 0; k * PILOT_PROBE < 2.0 * LONG_SWEEP; k++) {
        double r = start - k * PILOT_PROBE;
        if (!pilot_in_field(&pilot->field, view->base.x + r * same_cos(direction),
                            view->base.y + r * same_sin(direction), 0.05)) {
            break;
        }
        end = r;
    }
    return end;
}

/// Looks along a sweep, `length` long at most; false when the field is too short for it there.
static bool look_along(const PilotView *view, double length, bool level, Sweep *sweep)
{
    double end = fmax(sweep->near, sweep->start - length);
    if (sweep->start - end < LEAST_SWEEP) {
        return false;
    }
    PilotSection *section = &sweep->section;
    section->count = 0;
    for (int k = 0; k < PILOT_SECTION_SIZE && sweep->start - k * PILOT_PROBE >= end; k++) {
        section->heights[section->count++][0] = height_across(view, sweep, sweep->start - k * PILOT_PROBE);
    }
    section->slope = level ? 0.0 : pilot_ground_slope(section, SLOPE_DOWN, SLOPE_UP);
    return true;
}

/// Highest ground within a bucket's length beyond the start, seen from the machine.
static double highest_behind(const PilotView *view, const Sweep *sweep)
{
    double highest = -1e9;
    for (double way = 0.15; way < 0.7; way += 0.1) {
        highest = fmax(highest, height_across(view, sweep, sweep->start + way));
    }
    return highest;
}

/// Fills in a stroke along the ground's slope or level; false when it cannot be driven or brings nothing.
static bool measure(const Pilot *pilot, const PilotView *view, double length, bool level, Sweep *sweep,
                    PilotStroke *stroke)
{
    if (!look_along(view, length, level, sweep)) {
        return false;
    }
    const PilotSection *section = &sweep->section;
    double start = sweep->start, wanted = OVERCUT * pilot_bucket_volume(pilot),
           base = pilot_find_base(section, DEEPEST, wanted);
    double fill = fmin(pilot_volume_above(section, section->count, base) / wanted, 1.0);
    // Enter where the line does meet soil.
    int first = 0;
    while (first < section->count - 1 &&
           section->heights[first][0] < pilot_line_at(section, base, first * PILOT_PROBE) + 0.03) {
        first++;
    }
    double entry = start - first * PILOT_PROBE;
    if (entry - fmax(sweep->near, start - length) < LEAST_SWEEP) {
        return false;
    }
    double end = fmin(fmax(sweep->near + END_ROOM + PUSHED_ROOM * fill, start - length + CURL_ROOM), entry - 0.35);
    *stroke =
        (PilotStroke){.direction = sweep->direction,
                      .direction_end = sweep->direction,
                      .start = start,
                      .end = end,
                      .surface = section->heights[0][0],
                      .rim = highest_behind(view, sweep),
                      .slope = section->slope,
                      .entry_floor = pilot_line_at(section, base, first * PILOT_PROBE + 0.3),
                      .end_floor = pilot_line_at(section, base, start - end),
                      .volume = pilot_volume_above(section, (int)((start - end + CURL_SWEEP) / PILOT_PROBE), base),
                      .wanted = wanted,
                      .near = sweep->near,
                      .sweep = true,
                      .fill = fill};
    bool steep = pilot->field.walled && stroke->rim > stroke->surface + STEEP_WALL;
    stroke->enter = steep ? PILOT_ELEVATION_UPRIGHT : PILOT_ELEVATION_ENTER;
    return stroke->volume > WORTH && pilot_reaches(pilot, entry, stroke->surface + 0.4, stroke->enter) &&
           pilot_reaches(pilot, stroke->end, stroke->end_floor, ELEVATION_LEFT);
}

/// How much a sweep is wanted: full buckets, high ground first (layer by layer), the far end before the near one.
static double worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    return FILLING * fmin(stroke->volume / pilot_bucket_volume(pilot), 1.0) + LAYERS * height +
           FAR_FIRST * stroke->start - pilot_avoidance(pilot, view, stroke);
}

/// Tries the sweeps that start at a place of the field: long and short, level and along the slope.
static void try_place(const Pilot *pilot, const PilotView *view, double u, double v, double *best, PilotStroke *chosen)
{
    const PilotField *field = &pilot->field;
    double c = same_cos(field->heading), s = same_sin(field->heading);
    double dx = field->x + u * c - v * s - view->base.x, dy = field->y + u * s + v * c - view->base.y;
    Sweep sweep = {
        .direction = same_atan2(dy, dx),
        .start = sqrt(dx * dx + dy * dy),
        .section = {
            .across = 1, .floor = field->floor, .width = pilot->machine.tool[0].shape.edge_width, .curl = HUGE_VAL}};
    sweep.near = field_end(pilot, view, sweep.direction, sweep.start);
    for (int way = 0; way < 4; way++) {
        PilotStroke stroke;
        if (!measure(pilot, view, way < 2 ? LONG_SWEEP : SHORT_SWEEP, way % 2 == 0, &sweep, &stroke)) {
            continue;
        }
        double value = worth(pilot, view, &stroke);
        if (value > *best) {
            *best = value;
            *chosen = stroke;
        }
    }
}

bool pilot_find_sweep(const Pilot *pilot, const PilotView *view, PilotStroke *chosen)
{
    const PilotField *field = &pilot->field;
    const double nothing = -1e9, first = field->length - (field->walled ? WALL_ROOM : HEAP_ROOM), last = 0.5;
    double bucket = pilot->machine.tool[0].shape.edge_width, spare = field->width - bucket, best = nothing;
    int lanes = spare < 0.2 ? 1 : (int)ceil(field->width / bucket);
    for (int lane = 0; lane < lanes; lane++) {
        double v = lanes == 1 ? 0.0 : spare * ((double)lane / (lanes - 1) - 0.5);
        for (int k = 0; first - k * STEP > last; k++) {
            try_place(pilot, view, first - k * STEP, v, &best, chosen);
        }
    }
    return best > nothing;
}

static void set_knot(Pilot *pilot, int index, double distance, double height, double elevation, double duration)
{
    double time = index > 0 ? pilot->knots[index - 1].time : 0.0;
    pilot->knots[index] = (PilotKnot){distance, height, elevation, time + duration};
}

/// A knot given by the bucket pin instead of the edge.
static void set_pin_knot(Pilot *pilot, int index, double distance, double height, double elevation, double duration)
{
    double radius = excavator_tip_radius(&pilot->machine);
    set_knot(pilot, index, distance + radius * same_cos(elevation), height + radius * same_sin(elevation), elevation,
             duration);
}

/// The edge enters steeply and rounds the corner into the line, so that it does not shoot below it.
static void plan_entry(Pilot *pilot, double entered, double elevation)
{
    const PilotStroke *stroke = &pilot->stroke;
    double depth = fmax(stroke->surface - stroke->entry_floor, 0.0), along = stroke->start - entered;
    double speed = depth > SHALLOW ? ENTRY_SPEED : SHALLOW_SPEED;
    double over = fmax(stroke->surface, stroke->rim) + ABOVE;
    double air = over - stroke->surface;
    set_knot(pilot, PILOT_KNOT_ABOVE, stroke->start, over, stroke->enter, 0.0);
    set_knot(pilot, PILOT_KNOT_SURFACE, stroke->start, stroke->surface, stroke->enter,
             fmin(air, ABOVE) / speed + fmax(air - ABOVE, 0.0) / DOWN_SPEED);
    double bite_along = 0.45 * along, bite_depth = 0.75 * depth;
    set_knot(pilot, PILOT_KNOT_BITE, stroke->start - bite_along, stroke->surface - bite_depth,
             0.5 * (stroke->enter + elevation), sqrt(bite_along * bite_along + bite_depth * bite_depth) / speed);
    double rest_along = along - bite_along, rest_depth = stroke->surface - bite_depth - stroke->entry_floor;
    set_knot(pilot, PILOT_KNOT_DRAG, entered, stroke->entry_floor, elevation,
             sqrt(rest_along * rest_along + rest_depth * rest_depth) / speed);
}

void pilot_plan_sweep_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double radius = excavator_tip_radius(&pilot->machine), depth = fmax(stroke->surface - stroke->entry_floor, 0.05);
    bool steep = stroke->enter > PILOT_ELEVATION_ENTER;
    double entered = fmax(stroke->start - (steep ? WALL_SLOPE : ENTRY_SLOPE) * depth, stroke->end + 0.2);
    // Up a slope the bucket is turned with the line, so that its leading plate meets the soil at the same angle.
    double incline = same_atan2(stroke->end_floor - stroke->entry_floor, stroke->start - stroke->end);
    double elevation = ELEVATION_LEFT - 0.5 * incline;
    plan_entry(pilot, entered, ELEVATION_DRAG - incline);
    double turn = fabs(elevation - (ELEVATION_DRAG - incline));
    set_knot(pilot, PILOT_KNOT_CURL, stroke->end, stroke->end_floor, elevation,
             fmax((entered - stroke->end) / DRAG_SPEED, turn / TURN_SPEED));
    // Curl about a pin that rises: first the mouth closes, then the load is held level. Where the field ends the pin
    // moves out, so that the edge climbs the near wall instead of undercutting it.
    double pin = stroke->end - radius * same_cos(elevation) - 0.15,
           height = stroke->end_floor - radius * same_sin(elevation);
    double half = 0.5 * (elevation + PILOT_ELEVATION_HELD), quarter = 0.5 * (elevation + half);
    double wall = stroke->near + END_ROOM + 0.5 * PUSHED_ROOM * stroke->fill;
    bool deep = height + CURL_RISE < stroke->surface + 0.3;
    set_pin_knot(pilot, PILOT_KNOT_SCOOP, fmax(pin + 0.075, wall - radius * same_cos(quarter)), height - 0.025, quarter,
                 0.25 * CURL_TIME);
    set_pin_knot(pilot, PILOT_KNOT_CLOSE, fmax(pin, wall - radius * same_cos(half)), height - 0.05, half,
                 0.25 * CURL_TIME);
    set_pin_knot(pilot, PILOT_KNOT_HELD, fmax(pin, deep ? wall + radius : wall - radius * same_cos(half)),
                 height + CURL_RISE, PILOT_ELEVATION_HELD, 0.5 * CURL_TIME);
}

void pilot_curl_sweep_here(Pilot *pilot, double soon)
{
    PilotKnot here = pilot_path_at(pilot, pilot->path_time), curl = pilot->knots[PILOT_KNOT_CURL];
    for (int k = PILOT_KNOT_CURL; k < PILOT_KNOT_COUNT; k++) {
        pilot->knots[k].distance += here.distance - curl.distance;
        pilot->knots[k].height += here.height - curl.height;
        pilot->knots[k].time -= curl.time - pilot->path_time - soon;
    }
}
