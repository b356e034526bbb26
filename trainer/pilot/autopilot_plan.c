/// Plans a pass of the excavator's bucket: where its edge enters, the line along which it is drawn and where it curls,
/// the edge's path in time, and the place where the load goes. Passes are of three kinds: strokes that fill the bucket,
/// long sweeps that gather crumbs, and scrapes that clear the strip beside a trench.
#include "data/core/elementary.h"
#include "data/schema/machine_params.h"
#include "trainer/pilot/autopilot_internal.h"

/// ---- ground along a way --------------------------------------------------------------------------------------------
/// A section holds the ground along the way of a bucket. The line drawn through it is z = max(floor, base + slope s), s
/// from the far end, no lower than the edge gets that goes in there, and up on an arc from where the curl begins.

#define PROBE       0.1 ///< m between heights sampled along a way
#define CURL_RADIUS 1.25 ///< m: of the arc on which the edge comes up in the curl
enum { SECTION_SIZE = 48, SECTION_ACROSS = 7 }; ///< heights along a way and across the bucket, at most

typedef struct Section {
    double heights[SECTION_SIZE][SECTION_ACROSS]; ///< m, each PROBE nearer to the machine
    int count, across; ///< heights along and across
    double slope; ///< m per m towards the machine
    double floor; ///< m: nothing is cut below
    double width; ///< m: of the bucket
    double entry; ///< m per m with which the edge goes down from the far end; 0: it goes down upright
    double surface; ///< m: height from which it does
    double curl; ///< m from the far end: there the edge comes up; HUGE_VAL: the line goes on
} Section;

/// Mean ground across the bucket, m, at the place `k` PROBE from the far end.
static double mean_across(const Section *section, int k)
{
    double sum = 0.0;
    for (int i = 0; i < section->across; i++) {
        sum += section->heights[k][i];
    }
    return sum / section->across;
}

/// Highest ground across the bucket, m, at the place `k` PROBE from the far end.
static double highest_across(const Section *section, int k)
{
    double highest = -1e9;
    for (int i = 0; i < section->across; i++) {
        highest = fmax(highest, section->heights[k][i]);
    }
    return highest;
}

/// Height of the line, m, at `s` (m) from the far end.
static double section_line(const Section *section, double base, double s)
{
    double rise = fmax(s - section->curl, 0.0), line = fmax(section->floor, base + section->slope * s);
    double entered = section->entry > 0.0 ? fmax(line, section->surface - section->entry * s) : line;
    return entered + 0.5 * rise * rise / CURL_RADIUS;
}

/// Soil above the line over the first `count` heights, m3.
static double volume_above(const Section *section, int count, double base)
{
    double volume = 0.0;
    for (int k = 0; k < count && k < section->count; k++) {
        double line = section_line(section, base, k * PROBE);
        for (int i = 0; i < section->across; i++) {
            volume += section->width / section->across * PROBE * fmax(0.0, section->heights[k][i] - line);
        }
    }
    return volume;
}

/// The line's base that cuts `wanted` m3, by bisection between the shallowest and the one `deepest` (m) below it.
static double find_base(const Section *section, double deepest, double wanted)
{
    double highest = -1e9;
    for (int k = 0; k < section->count; k++) {
        highest = fmax(highest, mean_across(section, k) - section->slope * k * PROBE);
    }
    double low = highest - deepest, high = highest;
    if (volume_above(section, section->count, low) <= wanted) {
        return low;
    }
    for (int k = 0; k < 12; k++) {
        double middle = 0.5 * (low + high);
        *(volume_above(section, section->count, middle) > wanted ? &low : &high) = middle;
    }
    return low;
}

/// Mean inclination of the ground towards the machine, m per m, between -down and up.
static double ground_slope(const Section *section, double down, double up)
{
    int third = section->count / 3;
    double far = 0.0, near = 0.0;
    for (int k = 0; k < third; k++) {
        far += mean_across(section, k);
        near += mean_across(section, section->count - 1 - k);
    }
    double slope = (near - far) / (third * (section->count - third) * PROBE);
    return fmax(-down, fmin(up, slope));
}

/// ---- places and volumes --------------------------------------------------------------------------------------------

#define AVOID_RADIUS 0.4 ///< m around a place where the bucket got stuck or brought nothing
#define TRUCK_MARGIN 0.35 ///< m around the bed that counts as truck

/// Place in a frame with its origin at (x, y) and u along `heading`.
static void to_frame(double x, double y, double heading, double px, double py, double *u, double *v)
{
    double c = same_cos(heading), s = same_sin(heading);
    *u = c * (px - x) + s * (py - y);
    *v = c * (py - y) - s * (px - x);
}

double pilot_obstacle(const Pilot *pilot, const PilotView *view, double x, double y)
{
    double height = view->height(view->context, x, y);
    if (pilot->kind == EXERCISE_TRUCK_LOADING && view->time < pilot->truck_until) {
        const SceneTruck *truck = &pilot->truck;
        double u, v;
        to_frame(truck->x, truck->y, truck->heading, x, y, &u, &v);
        if (fabs(u) < 0.5 * truck->bed_length + TRUCK_MARGIN && fabs(v) < 0.5 * truck->bed_width + TRUCK_MARGIN) {
            height = fmax(height, truck->floor_height + truck->bed_height);
        }
        if (u > pilot->cab.low.x - TRUCK_MARGIN && u < pilot->cab.high.x + TRUCK_MARGIN &&
            fabs(v) < pilot->cab.high.y + TRUCK_MARGIN) {
            height = fmax(height, pilot->cab.high.z);
        }
    }
    return height;
}

/// Whether a place lies in the field, or less than `margin` (m) beside it.
static bool in_field(const PilotField *field, double x, double y, double margin)
{
    double u, v;
    to_frame(field->x, field->y, field->heading, x, y, &u, &v);
    return u >= -margin && u <= field->length + margin && fabs(v) <= 0.5 * field->width + margin;
}

bool pilot_reaches(const Pilot *pilot, double distance, double height, double elevation)
{
    ArmTip tip = {distance, height - pilot->stand - excavator_swing_height(&pilot->machine), elevation};
    ArmAngles angles;
    return excavator_reach(&pilot->machine, &tip, &angles);
}

double pilot_bucket_volume(const Pilot *pilot)
{
    return pilot->machine.tool[0].capacity / (1.0 + pilot->swell);
}

/// What a stroke loses in worth by the places near its start that are left alone.
static double avoidance(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double x = view->base.x + stroke->start * same_cos(stroke->direction);
    double y = view->base.y + stroke->start * same_sin(stroke->direction);
    double lost = 0.0;
    for (int k = 0; k < PILOT_MAX_BAD; k++) {
        const PilotBadPlace *bad = &pilot->bad[k];
        double dx = x - bad->x, dy = y - bad->y;
        bool near = dx * dx + dy * dy < AVOID_RADIUS * AVOID_RADIUS;
        lost += near && bad->until > pilot->strokes ? 1.0 : 0.0;
    }
    return lost;
}

/// Sets a knot that follows the one before it after `duration` s.
static void add_knot(Pilot *pilot, int index, double distance, double height, double elevation, double duration)
{
    double before = index > 0 ? pilot->knots[index - 1].time : 0.0;
    pilot->knots[index] = (PilotKnot){distance, height, elevation, before + duration};
}

/// ---- long sweeps ---------------------------------------------------------------------------------------------------
/// How an operator gathers what is left where full buckets are not to be had any more, the crumbs of a heap or of the
/// floor of a trench: straight to the machine.

#define LONG_SWEEP          2.7 ///< m that one bucket works over, curl included
#define SHORT_SWEEP         1.7 ///< m, where the ground is uneven
#define LEAST_SWEEP         0.5 ///< m: a shorter one is not driven
#define SWEEP_SLOPE_UP      0.8 ///< m per m: steepest line up towards the machine
#define SWEEP_SLOPE_DOWN    0.4 ///< m per m: steepest line down towards it
#define SWEEP_DEEPEST       0.65 ///< m: deepest single sweep
#define SWEEP_CURL          0.4 ///< m that the curl clears beyond the end of the drag
#define SWEEP_CURL_ROOM     0.8 ///< m the edge still sweeps towards the machine while it curls
#define SWEEP_STEP          0.2 ///< m between places tried
#define SWEEP_WORTH         0.05 ///< m3: less is not worth a sweep
#define SWEEP_WALL_ROOM     0.06 ///< m between the edge and the far end of a trench where it goes down
#define SWEEP_HEAP_ROOM     0.15 ///< m: the same of the place around a heap
#define SWEEP_END_ROOM      0.1 ///< m between the edge and the near end of the field
#define SWEEP_PUSHED_ROOM   0.8 ///< m before that end where a full sweep ends: it pushes soil ahead of the bucket
#define SWEEP_OVERCUT       1.7 ///< m3 to be cut for each m3 that stays in the bucket
#define SWEEP_FILLING       1.5 ///< worth of a full bucket
#define SWEEP_LAYERS        0.8 ///< worth of a metre of height over the floor
#define SWEEP_FAR_FIRST     0.08 ///< worth of a metre of distance from the machine
#define SWEEP_ENTRY_SLOPE   1.1 ///< m forward per m down while the edge enters
#define SWEEP_WALL_SLOPE    0.35 ///< the same at the foot of a wall, so that nothing is left there
#define SWEEP_STEEP_WALL    0.3 ///< m of ground that stands behind the place of entry, from which on it is a wall
#define SWEEP_ABOVE         0.25 ///< m over the ground and what stands behind it, from where the edge goes down
#define SWEEP_DOWN_SPEED    1.0 ///< m/s of the edge through the air
#define SWEEP_ENTRY_SPEED   0.9 ///< m/s
#define SWEEP_SHALLOW_SPEED 0.45 ///< m/s, where the floor is near: the boom must not fall through it
#define SWEEP_SHALLOW       0.25 ///< m of soil over the line: the same
#define SWEEP_DRAG_SPEED    1.2 ///< m/s
#define SWEEP_TURN_SPEED    1.0 ///< rad/s of the bucket in a short drag; faster, the edge shoots below the line
#define SWEEP_CURL_TIME     1.4 ///< s for the curl at the end
#define SWEEP_CURL_RISE     0.8 ///< m the bucket pin rises during the curl
// Elevation of the tip line, rad, in the middle and at the end of the drag on level ground: the leading plate, which
// stands 110 degrees off the tip line, then meets the soil at 38 and leaves it at 5 degrees.
#define SWEEP_ELEVATION_DRAG (-72.0 * M_PI / 180.0)
#define SWEEP_ELEVATION_LEFT (-105.0 * M_PI / 180.0)

/// A sweep that is tried.
typedef struct Sweep {
    double direction; ///< rad: world direction from the swing axis
    double start, near; ///< m from the swing axis: far end, and where it leaves the field
    Section section; ///< the mean across the bucket
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
    for (int k = 0; k * PROBE < 2.0 * LONG_SWEEP; k++) {
        double r = start - k * PROBE;
        if (!in_field(&pilot->field, view->base.x + r * same_cos(direction), view->base.y + r * same_sin(direction),
                      0.05)) {
            break;
        }
        end = r;
    }
    return end;
}

/// Samples the ground of a sweep, `length` m long at most; false when the field is too short for it there.
static bool sample_sweep(const PilotView *view, double length, bool level, Sweep *sweep)
{
    double end = fmax(sweep->near, sweep->start - length);
    if (sweep->start - end < LEAST_SWEEP) {
        return false;
    }
    Section *section = &sweep->section;
    section->count = 0;
    for (int k = 0; k < SECTION_SIZE && sweep->start - k * PROBE >= end; k++) {
        section->heights[section->count++][0] = height_across(view, sweep, sweep->start - k * PROBE);
    }
    section->slope = level ? 0.0 : ground_slope(section, SWEEP_SLOPE_DOWN, SWEEP_SLOPE_UP);
    return true;
}

/// Highest ground within a bucket's length beyond the start, seen from the machine.
static double highest_behind_sweep(const PilotView *view, const Sweep *sweep)
{
    double highest = -1e9;
    for (double way = 0.15; way < 0.7; way += 0.1) {
        highest = fmax(highest, height_across(view, sweep, sweep->start + way));
    }
    return highest;
}

/// Fills in a stroke along the ground's slope or level; false when it cannot be driven or brings nothing.
static bool measure_sweep(const Pilot *pilot, const PilotView *view, double length, bool level, Sweep *sweep,
                          PilotStroke *stroke)
{
    if (!sample_sweep(view, length, level, sweep)) {
        return false;
    }
    const Section *section = &sweep->section;
    double start = sweep->start, wanted = SWEEP_OVERCUT * pilot_bucket_volume(pilot),
           base = find_base(section, SWEEP_DEEPEST, wanted);
    double fill = fmin(volume_above(section, section->count, base) / wanted, 1.0);
    // Enter where the line does meet soil.
    int first = 0;
    while (first < section->count - 1 &&
           section->heights[first][0] < section_line(section, base, first * PROBE) + 0.03) {
        first++;
    }
    double entry = start - first * PROBE;
    if (entry - fmax(sweep->near, start - length) < LEAST_SWEEP) {
        return false;
    }
    double end = fmin(fmax(sweep->near + SWEEP_END_ROOM + SWEEP_PUSHED_ROOM * fill, start - length + SWEEP_CURL_ROOM),
                      entry - 0.35);
    *stroke = (PilotStroke){.direction = sweep->direction,
                            .direction_end = sweep->direction,
                            .start = start,
                            .end = end,
                            .surface = section->heights[0][0],
                            .rim = highest_behind_sweep(view, sweep),
                            .slope = section->slope,
                            .entry_floor = section_line(section, base, first * PROBE + 0.3),
                            .end_floor = section_line(section, base, start - end),
                            .volume = volume_above(section, (int)((start - end + SWEEP_CURL) / PROBE), base),
                            .wanted = wanted,
                            .near = sweep->near,
                            .sweep = true,
                            .fill = fill};
    bool steep = pilot->field.walled && stroke->rim > stroke->surface + SWEEP_STEEP_WALL;
    stroke->enter = steep ? PILOT_ELEVATION_UPRIGHT : PILOT_ELEVATION_ENTER;
    return stroke->volume > SWEEP_WORTH && pilot_reaches(pilot, entry, stroke->surface + 0.4, stroke->enter) &&
           pilot_reaches(pilot, stroke->end, stroke->end_floor, SWEEP_ELEVATION_LEFT);
}

/// How much a sweep is wanted: full buckets, high ground first (layer by layer), the far end before the near one.
static double sweep_worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    return SWEEP_FILLING * fmin(stroke->volume / pilot_bucket_volume(pilot), 1.0) + SWEEP_LAYERS * height +
           SWEEP_FAR_FIRST * stroke->start - avoidance(pilot, view, stroke);
}

/// Tries the sweeps that start at a place of the field: long and short, level and along the slope.
static void try_sweeps(const Pilot *pilot, const PilotView *view, double u, double v, double *best, PilotStroke *chosen)
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
        if (!measure_sweep(pilot, view, way < 2 ? LONG_SWEEP : SHORT_SWEEP, way % 2 == 0, &sweep, &stroke)) {
            continue;
        }
        double value = sweep_worth(pilot, view, &stroke);
        if (value > *best) {
            *best = value;
            *chosen = stroke;
        }
    }
}

/// The best sweep of the field. False when there is none.
static bool find_sweep(const Pilot *pilot, const PilotView *view, PilotStroke *chosen)
{
    const PilotField *field = &pilot->field;
    const double nothing = -1e9, first = field->length - (field->walled ? SWEEP_WALL_ROOM : SWEEP_HEAP_ROOM),
                 last = 0.5;
    double bucket = pilot->machine.tool[0].shape.edge_width, spare = field->width - bucket, best = nothing;
    int lanes = spare < 0.2 ? 1 : (int)ceil(field->width / bucket);
    for (int lane = 0; lane < lanes; lane++) {
        double v = lanes == 1 ? 0.0 : spare * ((double)lane / (lanes - 1) - 0.5);
        for (int k = 0; first - k * SWEEP_STEP > last; k++) {
            try_sweeps(pilot, view, first - k * SWEEP_STEP, v, &best, chosen);
        }
    }
    return best > nothing;
}

/// A knot given by the bucket pin instead of the edge.
static void add_pin_knot(Pilot *pilot, int index, double distance, double height, double elevation, double duration)
{
    double radius = excavator_tip_radius(&pilot->machine);
    add_knot(pilot, index, distance + radius * same_cos(elevation), height + radius * same_sin(elevation), elevation,
             duration);
}

/// The edge enters steeply and rounds the corner into the line, so that it does not shoot below it.
static void plan_sweep_entry(Pilot *pilot, double entered, double elevation)
{
    const PilotStroke *stroke = &pilot->stroke;
    double depth = fmax(stroke->surface - stroke->entry_floor, 0.0), along = stroke->start - entered;
    double speed = depth > SWEEP_SHALLOW ? SWEEP_ENTRY_SPEED : SWEEP_SHALLOW_SPEED;
    double over = fmax(stroke->surface, stroke->rim) + SWEEP_ABOVE;
    double air = over - stroke->surface;
    add_knot(pilot, PILOT_KNOT_ABOVE, stroke->start, over, stroke->enter, 0.0);
    add_knot(pilot, PILOT_KNOT_SURFACE, stroke->start, stroke->surface, stroke->enter,
             fmin(air, SWEEP_ABOVE) / speed + fmax(air - SWEEP_ABOVE, 0.0) / SWEEP_DOWN_SPEED);
    double bite_along = 0.45 * along, bite_depth = 0.75 * depth;
    add_knot(pilot, PILOT_KNOT_BITE, stroke->start - bite_along, stroke->surface - bite_depth,
             0.5 * (stroke->enter + elevation), sqrt(bite_along * bite_along + bite_depth * bite_depth) / speed);
    double rest_along = along - bite_along, rest_depth = stroke->surface - bite_depth - stroke->entry_floor;
    add_knot(pilot, PILOT_KNOT_DRAG, entered, stroke->entry_floor, elevation,
             sqrt(rest_along * rest_along + rest_depth * rest_depth) / speed);
}

/// The knots of the planned sweep.
static void plan_sweep_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double radius = excavator_tip_radius(&pilot->machine), depth = fmax(stroke->surface - stroke->entry_floor, 0.05);
    bool steep = stroke->enter > PILOT_ELEVATION_ENTER;
    double entered = fmax(stroke->start - (steep ? SWEEP_WALL_SLOPE : SWEEP_ENTRY_SLOPE) * depth, stroke->end + 0.2);
    // Up a slope the bucket is turned with the line, so that its leading plate meets the soil at the same angle.
    double incline = same_atan2(stroke->end_floor - stroke->entry_floor, stroke->start - stroke->end);
    double elevation = SWEEP_ELEVATION_LEFT - 0.5 * incline;
    plan_sweep_entry(pilot, entered, SWEEP_ELEVATION_DRAG - incline);
    double turn = fabs(elevation - (SWEEP_ELEVATION_DRAG - incline));
    add_knot(pilot, PILOT_KNOT_CURL, stroke->end, stroke->end_floor, elevation,
             fmax((entered - stroke->end) / SWEEP_DRAG_SPEED, turn / SWEEP_TURN_SPEED));
    // Curl about a pin that rises: first the mouth closes, then the load is held level. Where the field ends the pin
    // moves out, so that the edge climbs the near wall instead of undercutting it.
    double pin = stroke->end - radius * same_cos(elevation) - 0.15,
           height = stroke->end_floor - radius * same_sin(elevation);
    double half = 0.5 * (elevation + PILOT_ELEVATION_HELD), quarter = 0.5 * (elevation + half);
    double wall = stroke->near + SWEEP_END_ROOM + 0.5 * SWEEP_PUSHED_ROOM * stroke->fill;
    bool deep = height + SWEEP_CURL_RISE < stroke->surface + 0.3;
    add_pin_knot(pilot, PILOT_KNOT_SCOOP, fmax(pin + 0.075, wall - radius * same_cos(quarter)), height - 0.025, quarter,
                 0.25 * SWEEP_CURL_TIME);
    add_pin_knot(pilot, PILOT_KNOT_CLOSE, fmax(pin, wall - radius * same_cos(half)), height - 0.05, half,
                 0.25 * SWEEP_CURL_TIME);
    add_pin_knot(pilot, PILOT_KNOT_HELD, fmax(pin, deep ? wall + radius : wall - radius * same_cos(half)),
                 height + SWEEP_CURL_RISE, PILOT_ELEVATION_HELD, 0.5 * SWEEP_CURL_TIME);
}

/// Ends a sweep's drag where the edge is: the curl follows in `soon` seconds.
static void curl_sweep_here(Pilot *pilot, double soon)
{
    PilotKnot here = pilot_path_at(pilot, pilot->path_time), curl = pilot->knots[PILOT_KNOT_CURL];
    for (int k = PILOT_KNOT_CURL; k < PILOT_KNOT_COUNT; k++) {
        pilot->knots[k].distance += here.distance - curl.distance;
        pilot->knots[k].height += here.height - curl.height;
        pilot->knots[k].time -= curl.time - pilot->path_time - soon;
    }
}

/// ---- the strip beside a trench -------------------------------------------------------------------------------------
/// No soil may lie on that strip. Along either side the flat bucket is drawn over the ground towards the machine and
/// swung in over the trench at its end, so that what it has gathered falls in; from beyond the far end it is drawn back
/// into the trench; what lies before the near end, and what was pushed ahead to there, is raked out of the strip
/// towards the machine. The passes that clean the trench up dig out what fell in.

#define SCRAPE_LEVEL       (-0.02) ///< m over the level of the site that the edge is drawn: a little turf comes along
#define LIES               0.035 ///< m over that level from which soil lies on the ground, which is as uneven
#define SCRAPE_WORTH       0.035 ///< m3: less is not worth a scrape
#define AGAIN_FROM         0.35 ///< buckets left in the trench, below which what came up since is scraped off again
#define SCRAPE_OVER_RIM    0.30 ///< m that the bucket hangs over the trench: what it pushes to that side falls in
#define FALLS              0.45 ///< m inside the ends of the trench where a scrape lets go of what it has gathered
#define LEFT_BESIDE        0.2 ///< m beside the lanes across the far end that are not worth another
#define RAKED_BESIDE       0.5 ///< m beside the trench that is raked at its near end
#define RAKED_OUT          0.1 ///< m beyond the strip to where that goes
#define SCRAPE_NEAREST     3.7 ///< m from the swing axis: nearer, the edge would come to the tracks
#define SCRAPE_STEP        0.1 ///< m between places looked at
#define SCRAPE_LEAST       0.8 ///< m: a shorter scrape is not driven
#define SCRAPE_ABOVE       0.25 ///< m over the ground from where the edge goes down
#define SCRAPE_ENTRY       0.35 ///< m along the ground on which it does
#define SCRAPE_ENTRY_SPEED 0.6 ///< m/s of the edge
#define SCRAPE_FAR_SPEED   0.8 ///< m/s: far out the stick is slow, and the edge would lag and rise
#define SCRAPE_NEAR_SPEED  1.2 ///< m/s
#define SCRAPE_FAR         7.5 ///< m from the swing axis to where it is far
#define SCRAPE_TURN_IN     0.25 ///< rad/s with which the bucket is swung over the trench
#define SCRAPE_SETTLE      0.5 ///< s that the swing then has left
#define SCRAPE_OPEN_TIME   0.35 ///< s in which the bucket opens there
#define SCRAPE_OPEN_RISE   0.3 ///< m that the edge rises in that time
// Elevation of the tip line, rad: as the edge goes down, far out, and with the bucket flat; open, over the trench.
#define ELEVATION_DOWN (-60.0 * M_PI / 180.0)
#define ELEVATION_FAR  (-72.0 * M_PI / 180.0)
#define ELEVATION_FLAT (-100.0 * M_PI / 180.0)
#define ELEVATION_OPEN (-50.0 * M_PI / 180.0)

/// A scrape's way in the trench's frame: u along it from its near end, v to the left.
typedef struct RimLane {
    double from, to; ///< m: u of its start and end
    double aside; ///< m: v of its middle
    double looked_to; ///< m: u to which soil is looked for
    bool ends; ///< at one of the ends: straight, without a swing over the trench
} RimLane;

double pilot_asked_setback(const SceneExercise *exercise)
{
    for (int k = 0; k < exercise->scores_count; k++) {
        if (exercise->scores[k].metric == METRIC_SETBACK) {
            return SCENE_TRENCH_STRIP;
        }
    }
    return 0.0;
}

static double edge_width(const Pilot *pilot)
{
    return pilot->machine.tool[0].shape.edge_width;
}

static Vec3 place_in_frame(const PilotField *field, double u, double v)
{
    double c = same_cos(field->heading), s = same_sin(field->heading);
    return vec3(field->x + u * c - v * s, field->y + u * s + v * c, 0.0);
}

static double distance_of(const PilotView *view, Vec3 place)
{
    double dx = place.x - view->base.x, dy = place.y - view->base.y;
    return sqrt(dx * dx + dy * dy);
}

/// Middle of the lane `k` of `count` that share a width, m to the left.
static double lane_middle(const Pilot *pilot, double width, int k, int count)
{
    return count > 1 ? fmax(width - edge_width(pilot), 0.0) * ((double)k / (count - 1) - 0.5) : 0.0;
}

/// The lanes in the order of the work: on both sides in turn, across the far end, away from the near end. False when
/// there is no such.
static bool rim_lane(const Pilot *pilot, int index, RimLane *lane)
{
    const PilotField *field = &pilot->field;
    double edge = edge_width(pilot), beyond = field->length + pilot->setback;
    double far_width = field->width - 2.0 * LEFT_BESIDE, near_width = field->width + 2.0 * RAKED_BESIDE;
    int beside = 2 * (int)ceil(pilot->setback / edge), across = (int)ceil(far_width / edge);
    int before = (int)ceil(near_width / edge);
    if (index < beside) {
        double aside = 0.5 * field->width - SCRAPE_OVER_RIM + edge * (0.5 + index / 2);
        *lane = (RimLane){.from = beyond, .to = FALLS, .aside = index % 2 == 0 ? -aside : aside, .looked_to = FALLS};
        return true;
    }
    index -= beside;
    if (index < across) {
        *lane = (RimLane){.from = beyond,
                          .to = field->length - FALLS,
                          .aside = lane_middle(pilot, field->width, index, across),
                          .looked_to = field->length,
                          .ends = true};
        return true;
    }
    index -= across;
    *lane = (RimLane){.from = FALLS,
                      .to = -pilot->setback - RAKED_OUT,
                      .aside = lane_middle(pilot, near_width, index, before),
                      .looked_to = -pilot->setback,
                      .ends = true};
    return index < before;
}

/// Soil that lies on a lane, m3; none of what lies in the trench.
static double soil_on_lane(const Pilot *pilot, const PilotView *view, const RimLane *lane)
{
    double edge = edge_width(pilot), volume = 0.0;
    for (double u = lane->from; u > lane->looked_to; u -= SCRAPE_STEP) {
        for (double v = -0.5 * edge + 0.5 * SCRAPE_STEP; v < 0.5 * edge; v += SCRAPE_STEP) {
            Vec3 place = place_in_frame(&pilot->field, u, lane->aside + v);
            double height = view->height(view->context, place.x, place.y);
            volume += height > LIES ? height * SCRAPE_STEP * SCRAPE_STEP : 0.0;
        }
    }
    return volume;
}

/// Whether a lane leads away from the near end.
static bool rakes(const RimLane *lane)
{
    return lane->to < 0.0;
}

/// Near the machine the bucket comes down flat: there the arm does not open it.
static double elevation_down(const RimLane *lane)
{
    return rakes(lane) ? ELEVATION_FLAT : ELEVATION_DOWN;
}

/// Moves the ends of a lane to where the edge reaches. False when too little is left of it.
static bool keep_in_reach(const Pilot *pilot, const PilotView *view, RimLane *lane)
{
    while (lane->to < lane->from &&
           distance_of(view, place_in_frame(&pilot->field, lane->to, lane->aside)) < SCRAPE_NEAREST) {
        lane->to += SCRAPE_STEP;
    }
    for (; lane->from - lane->to > SCRAPE_LEAST; lane->from -= SCRAPE_STEP) {
        double distance = distance_of(view, place_in_frame(&pilot->field, lane->from, lane->aside));
        if (pilot_reaches(pilot, distance, SCRAPE_ABOVE, elevation_down(lane)) &&
            pilot_reaches(pilot, distance - SCRAPE_ENTRY, SCRAPE_LEVEL, rakes(lane) ? ELEVATION_FLAT : ELEVATION_FAR)) {
            return true;
        }
    }
    return false;
}

static double direction_of(const PilotView *view, Vec3 place)
{
    return same_atan2(place.y - view->base.y, place.x - view->base.x);
}

static PilotStroke scrape_stroke(const Pilot *pilot, const PilotView *view, const RimLane *lane, double volume)
{
    Vec3 from = place_in_frame(&pilot->field, lane->from, lane->aside),
         to = place_in_frame(&pilot->field, lane->to, lane->aside);
    Vec3 in = lane->ends ? to : place_in_frame(&pilot->field, lane->to, 0.0);
    return (PilotStroke){.direction = direction_of(view, from),
                         .direction_end = direction_of(view, to),
                         .direction_in = direction_of(view, in),
                         .start = distance_of(view, from),
                         .end = distance_of(view, to),
                         .surface = fmax(view->height(view->context, from.x, from.y), 0.0),
                         .entry_floor = SCRAPE_LEVEL,
                         .end_floor = SCRAPE_LEVEL,
                         .enter = elevation_down(lane),
                         .volume = volume,
                         .scrapes = true,
                         .rakes = rakes(lane)};
}

bool pilot_find_scrape(Pilot *pilot, const PilotView *view, double left, PilotStroke *chosen)
{
    int tries = left < AGAIN_FROM * pilot_bucket_volume(pilot) ? PILOT_RIM_TRIES : 1;
    for (int tried = 0; tried < tries; tried++) {
        RimLane lane;
        for (int k = 0; k < PILOT_RIM_LANES && rim_lane(pilot, k, &lane); k++) {
            double volume = soil_on_lane(pilot, view, &lane);
            if (pilot->scraped[k] == tried && volume > SCRAPE_WORTH && keep_in_reach(pilot, view, &lane)) {
                pilot->scraped[k]++;
                *chosen = scrape_stroke(pilot, view, &lane, volume);
                return true;
            }
        }
    }
    return false;
}

/// The knots of the planned scrape.
static void plan_scrape_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double entered = stroke->start - SCRAPE_ENTRY, flat = fmax(fmin(entered, SCRAPE_FAR), stroke->end);
    double share = (entered - flat) / (entered - stroke->end);
    double turn = fabs(remainder(stroke->direction_in - stroke->direction_end, 2.0 * M_PI));
    double bite = stroke->rakes ? ELEVATION_FLAT : ELEVATION_FAR;
    add_knot(pilot, PILOT_KNOT_ABOVE, stroke->start, stroke->surface + SCRAPE_ABOVE, stroke->enter, 0.0);
    add_knot(pilot, PILOT_KNOT_SURFACE, stroke->start, stroke->surface, stroke->enter,
             SCRAPE_ABOVE / SCRAPE_ENTRY_SPEED);
    add_knot(pilot, PILOT_KNOT_BITE, entered, SCRAPE_LEVEL, bite, SCRAPE_ENTRY / SCRAPE_ENTRY_SPEED);
    add_knot(pilot, PILOT_KNOT_DRAG, flat, SCRAPE_LEVEL, bite + share * (ELEVATION_FLAT - bite),
             (entered - flat) / SCRAPE_FAR_SPEED);
    add_knot(pilot, PILOT_KNOT_CURL, stroke->end, SCRAPE_LEVEL, ELEVATION_FLAT,
             (flat - stroke->end) / SCRAPE_NEAR_SPEED);
    add_knot(pilot, PILOT_KNOT_SCOOP, stroke->end, SCRAPE_LEVEL, ELEVATION_FLAT,
             turn > 0.0 ? turn / SCRAPE_TURN_IN + SCRAPE_SETTLE : 0.05);
    double open = stroke->rakes ? ELEVATION_FLAT : ELEVATION_OPEN; // there the bucket holds what it can
    add_knot(pilot, PILOT_KNOT_CLOSE, stroke->end, SCRAPE_LEVEL + SCRAPE_OPEN_RISE, open, SCRAPE_OPEN_TIME);
    add_knot(pilot, PILOT_KNOT_HELD, stroke->end, SCRAPE_LEVEL + 2.0 * SCRAPE_OPEN_RISE, open, SCRAPE_OPEN_TIME);
}

/// World direction in which the arm is to look at `time`, rad.
static double scrape_direction(const Pilot *pilot, double time)
{
    const PilotStroke *stroke = &pilot->stroke;
    double drawn = pilot->knots[PILOT_KNOT_CURL].time;
    if (time > drawn) {
        double turn = remainder(stroke->direction_in - stroke->direction_end, 2.0 * M_PI);
        return stroke->direction_end + copysign(fmin(SCRAPE_TURN_IN * (time - drawn), fabs(turn)), turn);
    }
    // |from + s along| = distance, the nearer of both places.
    double distance = pilot_path_at(pilot, time).distance;
    double from_x = stroke->start * same_cos(stroke->direction), from_y = stroke->start * same_sin(stroke->direction);
    double along_x = stroke->end * same_cos(stroke->direction_end) - from_x;
    double along_y = stroke->end * same_sin(stroke->direction_end) - from_y;
    double a = along_x * along_x + along_y * along_y, b = from_x * along_x + from_y * along_y;
    double c = stroke->start * stroke->start - distance * distance;
    double s = a > 0.0 ? (-b - sqrt(fmax(b * b - a * c, 0.0))) / a : 0.0;
    s = fmax(0.0, fmin(s, 1.0));
    return same_atan2(from_y + s * along_y, from_x + s * along_x);
}

/// ---- strokes -------------------------------------------------------------------------------------------------------
/// The best of many strokes from the heights of the ground, by how full a bucket each would bring, how high it lies
/// (layer by layer) and how far from the last ones that failed.

#define LONG_PASS    1.6 ///< m: longest drag in a trench
#define CLEAN_PASS   3.3 ///< m: the same in the passes that clean up at the end, up to the near wall
#define SHORT_PASS   1.2 ///< m, where the ground of a trench is uneven
#define LONG_STROKE  1.6 ///< m: longest drag through a heap, which is dug with the bucket's turning
#define SHORT_STROKE 1.0 ///< m
#define SLOPE_UP     1.0 ///< m per m: steepest line up towards the machine
#define SLOPE_DOWN   0.4 ///< m per m: steepest line down towards it
#define FOOT         0.6 ///< m before that end, for each metre of depth, to which passes go level in the ground
#define CLEAN_FOOT                                                                                                     \
    0.3 ///< Chosen: the same of passes that clean up, when little is left to give way; `trench` seeds 1-4
#define FOOT_STEP      0.2 ///< the same between places tried where a pass turns up that end
#define FOOT_FARTHEST  1.5 ///< the same: the farthest
#define CLIMB_LEAST    0.4 ///< m below what the machine stands on where such a pass curls
#define CLIMB_HOLD     0.3 ///< share of the soil that stays before the edge up that end
#define CLIMB          1.5 ///< m per m: line up the near end of a trench, behind which nothing gives way
#define CLEAN_CLIMB    3.0 ///< m per m, chosen: the same in the passes that clean up; `trench` seeds 1-4
#define CLIMB_FROM     2.6 ///< m before that end, at most, where such a pass begins
#define CURL_SWEEP     1.0 ///< m that the curl clears beyond the end of the drag
#define OPEN_FROM      2.0 ///< m before the near end where a pass ends, at least, that leaves that end to later ones
#define OPEN_CURL      0.6 ///< m before the near end where a curl ends while that end is not dug
#define HEAP_FOOT      1.4 ///< m before the near end of the place around a heap where a stroke begins to curl
#define LEAST_TURN     0.40 ///< m before the near end of a trench where a pass begins to curl, however shallow
#define STEP           0.2 ///< m between places tried
#define CLEAN_FACE     0.40 ///< m before the near end of a trench that a level pass which cleans up does not reach
#define CRUMBS         0.03 ///< m of soil on the floor of a trench that passes do not gather
#define WORTH          0.05 ///< m3: less is not worth a stroke
#define THOROUGH       0.5 ///< of that, and of what cleaning up leaves at the near end of a trench, to finish a task
#define ALIGNED        0.2 ///< rad between a trench and the arm, up to which lanes run along the trench
#define WALL_ROOM      0.10 ///< m between the edge and the far end of a trench
#define CLEAN_FROM     0.8 ///< buckets that the best pass would cut, below which the trench is cleaned up
#define CLEAR_FROM     0.75 ///< the same below which the strip beside it is cleared, before the last crumbs are taken
#define BACK_ROOM      0.5 ///< m from that end to passes that begin before it: the bucket's back goes in there
#define PLATE_ROOM     0.005 ///< m that the side plate goes into the wall of a trench, so that nothing is left there
#define WEDGE          1.5 ///< m of ground ahead of a level pass that give way for each metre of its depth
#define OPEN_NEAR      1.4 ///< m before the near end of a trench where a long pass ends, to keep inside what it pushes
#define END_PASS       2.3 ///< m before that end within which passes go up to it
#define DEEPEST_PASS   0.70 ///< m: deepest single pass in a trench
#define DEEPEST_STROKE 1.40 ///< m: in a heap
/// m3 to be cut for each m3 that stays in the bucket: the rest is pushed ahead. Chosen: more is drawn to the machine in
/// vain; less, and the curl does not fill the bucket; `haul` and `truck-loading`, seeds 1-3.
#define OVERCUT_HEAP   2.1 ///< in a heap; with 1.8 buckets came up with 0.9 of their rated load
#define OVERCUT_FALL   0.8 ///< what is added for each metre that the heap falls before the curl: so much runs off
#define FALL_MOST      1.0 ///< m of that fall that count
#define OVERCUT_SHORT  1.0 ///< the same of a short pass in a trench
#define OVERCUT_LENGTH 0.75 ///< what is added for each metre that a pass is longer
#define OVERCUT_MOST   2.0 ///< of the longest
#define OVERCUT_CLIMB  0.9 ///< up the near end, where all that is cut falls into the bucket
#define LOW_RIM        0.5 ///< m of wall at the near end that keep what is pushed ahead inside
#define IN_SOIL        0.4 ///< m of soil before the edge in which a bucket fills best while it curls
#define CLEAN_TURN     0.15 ///< m: the same in the passes that clean up at the end
#define STEEP_WALL     0.2 ///< m of ground that stands behind the place of entry, from which on the edge enters upright
#define LAYERS_TRENCH  0.4 ///< worth of a metre of height over the floor: a trench is dug in layers
#define LAYERS_HEAP    0.1 ///< the same of a heap
#define FILLING        2.0 ///< worth of a full bucket
#define HOLDING        1.0 ///< worth of soil before the edge where it curls
#define AVOID_STROKES  12 ///< passes for which it is left alone
#define POUR_SHORT     0.35 ///< m that a load falls nearer to the machine than the bucket is opened over
#define HEAP_SPREAD    0.05 ///< of the dump circle, between rings of places where loads are poured
#define HEAP_WHOLE     0.40 ///< the same where the arm does not reach the middle
#define HANGS          0.45 ///< m over the ground of the edge of a bucket that is emptied, hanging straight down

/// How a line runs towards the machine.
typedef enum LineWay {
    LINE_LEVEL,
    LINE_ALONG, ///< along the ground's slope
    LINE_CLIMB, ///< up the near end of a trench
    LINE_WAYS
} LineWay;

/// A line over the ground on which a bucket could be drawn, from its far end.
typedef struct Lane {
    double x, y; ///< m: its far end
    double toward_x, toward_y; ///< unit direction in which the bucket is drawn
    double start; ///< m: distance of the far end from the swing axis
    double near; ///< m: the same of the place where it leaves the field
} Lane;

/// World direction from the swing axis to a place of a lane.
static double lane_direction(const Lane *lane, const PilotView *view, double distance)
{
    double s = lane->start - distance;
    return same_atan2(lane->y + s * lane->toward_y - view->base.y, lane->x + s * lane->toward_x - view->base.x);
}

/// The lane from a place of the field: along a trench that lies in the arm's direction, else straight to the machine.
static Lane lane_from(const Pilot *pilot, const PilotView *view, double u, double v)
{
    const PilotField *field = &pilot->field;
    double c = same_cos(field->heading), s = same_sin(field->heading);
    Lane lane = {.x = field->x + u * c - v * s, .y = field->y + u * s + v * c};
    double dx = lane.x - view->base.x, dy = lane.y - view->base.y;
    lane.start = sqrt(dx * dx + dy * dy);
    if (field->walled && fabs(remainder(same_atan2(dy, dx) - field->heading, 2.0 * M_PI)) < ALIGNED) {
        lane.toward_x = -c;
        lane.toward_y = -s;
        lane.near = lane.start - u;
        return lane;
    }
    lane.toward_x = -dx / lane.start;
    lane.toward_y = -dy / lane.start;
    lane.near = lane.start;
    for (int k = 0; k * PROBE < 2.0 * LONG_STROKE; k++) {
        double way = k * PROBE;
        if (!in_field(field, lane.x + way * lane.toward_x, lane.y + way * lane.toward_y, 0.05)) {
            break;
        }
        lane.near = lane.start - way;
    }
    return lane;
}

/// Looks at the ground under a bucket along a lane, up to `end`.
static void sample_lane(const Pilot *pilot, const PilotView *view, const Lane *lane, double end, Section *profile)
{
    *profile = (Section){
        .across = SECTION_ACROSS, .floor = pilot->field.floor, .width = pilot->machine.tool[0].shape.edge_width};
    for (int k = 0; k < SECTION_SIZE && lane->start - k * PROBE >= end - 1e-9; k++) {
        for (int i = 0; i < SECTION_ACROSS; i++) {
            double side = profile->width * ((i + 0.5) / SECTION_ACROSS - 0.5);
            profile->heights[k][i] =
                view->height(view->context, lane->x + k * PROBE * lane->toward_x - side * lane->toward_y,
                             lane->y + k * PROBE * lane->toward_y + side * lane->toward_x);
        }
        profile->count++;
    }
    profile->entry = pilot->field.walled ? 0.0 : PILOT_HEAP_ENTRY;
    profile->surface = mean_across(profile, 0);
}

/// Highest ground within a bucket's length beyond a place of a lane, seen from the machine.
static double highest_behind(const PilotView *view, const Lane *lane, double distance)
{
    double highest = -1e9, before = lane->start - distance;
    for (double way = 0.15; way < 0.7; way += 0.1) {
        highest = fmax(highest, view->height(view->context, lane->x + (before - way) * lane->toward_x,
                                             lane->y + (before - way) * lane->toward_y));
    }
    return highest;
}

/// How deep the line lies under the ground where the curl begins, m.
static double depth_at_curl(const Section *profile, double base)
{
    int k = (int)(profile->curl / PROBE);
    k = k < profile->count ? k : profile->count - 1;
    if (k < 0) {
        return 0.0; // a line that ends before the first section
    }
    return fmax(highest_across(profile, k) - section_line(profile, base, k * PROBE), 0.0);
}

/// Height of the ground before the near end of a lane's trench, m.
static double near_rim(const PilotView *view, const Lane *lane)
{
    double way = lane->start - lane->near + 0.5;
    return view->height(view->context, lane->x + way * lane->toward_x, lane->y + way * lane->toward_y);
}

/// Whether the near end of a lane's trench is not dug yet: what falls from a bucket there stays on top.
static bool is_open(const PilotView *view, const Lane *lane)
{
    double way = lane->start - lane->near - 0.4;
    double here = view->height(view->context, lane->x + way * lane->toward_x, lane->y + way * lane->toward_y);
    return here > near_rim(view, lane) - LOW_RIM;
}

/// Soil that a pass is to cut, m3 in the bank, when its drag is so long: the longer, the more is left aside.
static double wanted_volume(const Pilot *pilot, LineWay way, double length)
{
    double along = fmin(OVERCUT_SHORT + OVERCUT_LENGTH * (length - SHORT_PASS), OVERCUT_MOST);
    double overcut = !pilot->field.walled ? OVERCUT_HEAP : way == LINE_CLIMB ? OVERCUT_CLIMB : along;
    return fmax(overcut, OVERCUT_CLIMB) * pilot_bucket_volume(pilot);
}

/// What is to be cut more, m3, because the heap falls away before the place where the bucket curls.
static double run_off(const Pilot *pilot, const Section *profile)
{
    if (pilot->field.walled || profile->curl >= PROBE * profile->count) {
        return 0.0;
    }
    // A lane that begins nearer than its drag ends has its curl before its first height.
    int at = (int)fmax(profile->curl / PROBE, 0.0);
    at = at < profile->count ? at : profile->count - 1;
    double fall = mean_across(profile, at) - mean_across(profile, profile->count - 1);
    return OVERCUT_FALL * fmax(fmin(fall, FALL_MOST), 0.0) * pilot_bucket_volume(pilot);
}

/// What a pass that cleans up leaves, or less where the task would not be done with that.
static double thoroughly(const Pilot *pilot, double leaves)
{
    return pilot->thorough ? THOROUGH * leaves : leaves;
}

/// Finds the line for a pass over the floor and up the near end of a trench: the foot as near to that end as the bucket
/// takes.
static double find_climb(const Pilot *pilot, const PilotView *view, const Lane *lane, double *end, Section *profile)
{
    double deep = pilot->stand - pilot->field.floor, wanted = wanted_volume(pilot, LINE_CLIMB, CLIMB_FROM), base = 0.0;
    double slope = pilot->cleaning ? CLEAN_CLIMB : CLIMB;
    for (double foot = pilot->cleaning ? thoroughly(pilot, CLEAN_FOOT) : FOOT; foot < FOOT_FARTHEST;
         foot += FOOT_STEP) {
        double at = lane->near + foot * deep;
        *end = fmax(lane->near + thoroughly(pilot, CLEAN_TURN), at - (deep - CLIMB_LEAST) / slope);
        sample_lane(pilot, view, lane, lane->near, profile);
        profile->curl = lane->start - *end;
        profile->slope = slope;
        base = profile->floor - slope * (lane->start - at);
        if (profile->count < 6 || volume_above(profile, profile->count, base) < wanted) {
            break;
        }
    }
    return base;
}

/// Finds the line for a pass that ends its drag at `end`. Near the end of a trench the curl begins the sooner the
/// deeper the cut, so that the edge comes out of the ground at the wall and pushes nothing over the rim.
static double find_line(const Pilot *pilot, const PilotView *view, const Lane *lane, double *end, LineWay way,
                        Section *profile)
{
    bool walled = pilot->field.walled;
    if (way == LINE_CLIMB) {
        return find_climb(pilot, view, lane, end, profile);
    }
    double wanted = wanted_volume(pilot, way, lane->start - *end), base = 0.0;
    double deepest = walled && !pilot->cleaning ? DEEPEST_PASS : DEEPEST_STROKE;
    for (int k = 0; k < 3; k++) {
        sample_lane(pilot, view, lane, fmax(lane->near, *end - CURL_SWEEP), profile);
        if (profile->count < 6) {
            return 0.0;
        }
        profile->curl = lane->start - *end;
        profile->slope = way == LINE_LEVEL ? 0.0 : ground_slope(profile, SLOPE_DOWN, SLOPE_UP);
        base = find_base(profile, deepest, wanted + run_off(pilot, profile));
        double room = sqrt(2.0 * CURL_RADIUS * depth_at_curl(profile, base));
        double least = pilot->cleaning ? CLEAN_TURN : LEAST_TURN;
        double turn = lane->near + (pilot->cleaning ? least : fmax(least, fmin(room, CURL_SWEEP)));
        if (pilot->cleaning) {
            double depth = pilot->stand - section_line(profile, base, profile->curl);
            turn = fmax(turn, lane->near + CLEAN_TURN + CLEAN_FOOT * fmax(depth, 0.0));
        }
        if (way == LINE_LEVEL && !pilot->cleaning) {
            turn = fmax(turn, lane->near + WEDGE * (near_rim(view, lane) - section_line(profile, base, profile->curl)));
        }
        if (!walled || *end >= turn - 0.02) {
            break;
        }
        *end = turn;
    }
    return base;
}

/// Soil that a pass can gather, m3. When it cleans up, crumbs and what stands nearer than the edge comes do not count:
/// else the same lane would be gone along again and again for soil that stays where it is.
static double gathered_volume(const Pilot *pilot, const Lane *lane, LineWay way, const Section *profile, double base)
{
    if (!pilot->cleaning) {
        return volume_above(profile, profile->count, base);
    }
    Section thick = *profile;
    thick.floor += CRUMBS;
    double reached = lane->start - lane->near - thoroughly(pilot, way == LINE_CLIMB ? CLEAN_TURN : CLEAN_FACE);
    return volume_above(&thick, (int)(reached / PROBE), base + CRUMBS);
}

/// Elevation with which the edge goes down a wall: its plate as upright as the bucket opens there. It opens less the
/// nearer it is to the machine.
static double upright_at(const Pilot *pilot, double distance, double height)
{
    const double step = 2.0 * M_PI / 180.0;
    double elevation = PILOT_ELEVATION_UPRIGHT;
    while (elevation - step > PILOT_ELEVATION_ENTER && !pilot_reaches(pilot, distance, height, elevation)) {
        elevation -= step;
    }
    return elevation;
}

/// Fills in a stroke along a lane, `length` long, along the ground's slope or level; false when it cannot be driven or
/// brings nothing.
static bool measure_stroke(const Pilot *pilot, const PilotView *view, const Lane *lane, double length, LineWay way,
                           PilotStroke *stroke)
{
    bool walled = pilot->field.walled;
    bool to_wall = lane->start < lane->near + END_PASS;
    double room = pilot->cleaning || way == LINE_CLIMB ? thoroughly(pilot, CLEAN_TURN)
                  : to_wall                            ? LEAST_TURN
                                                       : OPEN_NEAR;
    room = walled ? room : HEAP_FOOT;
    double end = fmax(lane->near + room, lane->start - length);
    Section profile;
    double base = find_line(pilot, view, lane, &end, way, &profile);
    if (profile.count < 6) {
        return false;
    }
    // Enter where the line does meet soil.
    int first = 0;
    while (first < profile.count - 1 &&
           highest_across(&profile, first) < section_line(&profile, base, first * PROBE) + 0.03) {
        first++;
    }
    double entry = lane->start - first * PROBE;
    if (entry - end < (walled ? 0.2 : 0.4)) {
        return false;
    }
    *stroke = (PilotStroke){
        .direction = lane_direction(lane, view, entry),
        .direction_end = lane_direction(lane, view, end),
        .start = entry,
        .end = end,
        .surface = mean_across(&profile, first),
        .rim = highest_behind(view, lane, entry),
        .slope = profile.slope,
        .entry_floor = section_line(&profile, base, first * PROBE + 0.2),
        .end_floor = section_line(&profile, base, lane->start - end),
        .volume = gathered_volume(pilot, lane, way, &profile, base),
        .wanted = wanted_volume(pilot, way, lane->start - end),
        .near = !walled ? -1e9 : lane->near + (end > lane->near + OPEN_FROM && is_open(view, lane) ? OPEN_CURL : 0.0)};
    stroke->climbs = way == LINE_CLIMB;
    stroke->hold = stroke->climbs ? CLIMB_HOLD : fmin(depth_at_curl(&profile, base) / IN_SOIL, 1.0);
    bool at_wall = walled && first <= 2 && lane->near + pilot->field.length < lane->start + 0.3;
    bool steep = at_wall && stroke->rim > stroke->entry_floor + STEEP_WALL;
    stroke->enter = steep ? upright_at(pilot, entry, stroke->surface + 0.4) : PILOT_ELEVATION_ENTER;
    return stroke->volume > thoroughly(pilot, WORTH) &&
           pilot_reaches(pilot, entry, stroke->surface + 0.4, stroke->enter) &&
           pilot_reaches(pilot, stroke->end, stroke->end_floor, PILOT_ELEVATION_END);
}

/// How much a stroke is wanted: full buckets, high ground first (layer by layer), the far end before the near one. In
/// the clean-up only what it gathers counts.
static double stroke_worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    double layers = pilot->field.walled ? LAYERS_TRENCH : LAYERS_HEAP;
    if (pilot->cleaning) {
        return FILLING * fmin(stroke->volume / pilot_bucket_volume(pilot), 1.0) - avoidance(pilot, view, stroke);
    }
    return FILLING * fmin(stroke->volume / stroke->wanted, 1.0) + layers * height + 0.08 * stroke->start +
           HOLDING * stroke->hold - avoidance(pilot, view, stroke);
}

void pilot_avoid_stroke(Pilot *pilot, const PilotView *view)
{
    const PilotStroke *stroke = &pilot->stroke;
    pilot->bad[pilot->bad_count++ % PILOT_MAX_BAD] =
        (PilotBadPlace){view->base.x + stroke->start * same_cos(stroke->direction),
                        view->base.y + stroke->start * same_sin(stroke->direction), pilot->strokes + AVOID_STROKES};
}

/// Tries the strokes that start at a place of the field: long and short, level and along the slope.
static void try_strokes(const Pilot *pilot, const PilotView *view, double u, double v, double *best,
                        PilotStroke *chosen)
{
    const MachineParams *machine = &pilot->machine;
    Lane lane = lane_from(pilot, view, u, v);
    if (lane.start > excavator_boom_foot(machine).x + excavator_boom_length(machine) + excavator_stick_length(machine) +
                         excavator_tip_radius(machine)) {
        return;
    }
    bool walled = pilot->field.walled;
    double passes = pilot->cleaning ? CLEAN_PASS : LONG_PASS;
    const double lengths[] = {walled ? passes : LONG_STROKE, walled ? SHORT_PASS : SHORT_STROKE};
    bool climbs = walled && (pilot->cleaning || lane.start < lane.near + CLIMB_FROM);
    for (int k = 0; k < 2 * LINE_WAYS; k++) {
        PilotStroke stroke;
        LineWay way = (LineWay)(k % LINE_WAYS);
        double length = way == LINE_CLIMB ? CLIMB_FROM : lengths[k / LINE_WAYS];
        if ((way == LINE_CLIMB && (!climbs || k > LINE_CLIMB)) || (way == LINE_ALONG && pilot->cleaning) ||
            !measure_stroke(pilot, view, &lane, length, way, &stroke)) {
            continue;
        }
        double value = stroke_worth(pilot, view, &stroke);
        if (value > *best) {
            *best = value;
            *chosen = stroke;
        }
    }
}

/// The best stroke of the field. False when there is none.
static bool find_stroke(const Pilot *pilot, const PilotView *view, PilotStroke *chosen)
{
    const PilotField *field = &pilot->field;
    const double nothing = -1e9, last = 0.5;
    double first = field->length - (field->walled ? WALL_ROOM : 0.15), best = nothing;
    double bucket = pilot->machine.tool[0].shape.edge_width;
    // Where the ground beside a trench is not to rise, the walls are not pressed again.
    bool presses = field->walled && !(pilot->setback > 0.0 && pilot->cleaning);
    double spare = field->width - bucket + (presses ? 2.0 * PLATE_ROOM : 0.0);
    int lanes = spare < 0.2 ? 1 : (int)ceil(field->width / bucket);
    for (int lane = 0; lane < lanes; lane++) {
        double v = lanes == 1 ? 0.0 : spare * ((double)lane / (lanes - 1) - 0.5);
        for (int k = 0; first - k * STEP > last; k++) {
            if (field->walled && k > 0 && k * STEP < BACK_ROOM) {
                continue;
            }
            try_strokes(pilot, view, first - k * STEP, v, &best, chosen);
        }
    }
    return best > nothing;
}

bool pilot_plan_stroke(Pilot *pilot, const PilotView *view)
{
    pilot->stand = view->base.z;
    PilotStroke chosen = {0};
    bool found = pilot->sweeping ? find_sweep(pilot, view, &chosen) : find_stroke(pilot, view, &chosen);
    if (pilot->field.walled && !pilot->cleaning && !pilot->sweeping &&
        (!found || chosen.volume < CLEAN_FROM * pilot_bucket_volume(pilot))) {
        pilot->cleaning = true;
        found = find_stroke(pilot, view, &chosen);
    }
    bool nearly_dug = !found || (pilot->cleaning && chosen.volume < CLEAR_FROM * pilot_bucket_volume(pilot));
    if (pilot->field.walled && pilot->setback > 0.0 && nearly_dug) {
        found = pilot_find_scrape(pilot, view, found ? chosen.volume : 0.0, &chosen) || found;
    }
    if (found) {
        pilot->stroke = chosen;
        pilot->strokes++;
    }
    return found;
}

/// ---- where loads go ------------------------------------------------------------------------------------------------

/// Highest thing within a bucket's reach of a place.
static double highest_near(const Pilot *pilot, const PilotView *view, double x, double y)
{
    double highest = pilot_obstacle(pilot, view, x, y);
    for (int k = 0; k < 8; k++) {
        double angle = k * 0.25 * M_PI;
        highest = fmax(highest, pilot_obstacle(pilot, view, x + 0.9 * same_cos(angle), y + 0.9 * same_sin(angle)));
    }
    return highest;
}

static void plan_truck_dump(Pilot *pilot, const PilotView *view)
{
    // One after the other along the bed, from the rear, so that the load is spread.
    static const double places[] = {-0.24, 0.0, 0.22};
    const SceneTruck *truck = &pilot->truck;
    double along = places[pilot->cycles % 3] * truck->bed_length;
    double x = truck->x + along * same_cos(truck->heading), y = truck->y + along * same_sin(truck->heading);
    pilot->dump = (Vec3){x, y, fmax(truck->floor_height + truck->bed_height, highest_near(pilot, view, x, y))};
}

/// True when the arm is too short for the middle of the circle, even before anything lies there.
static bool heap_is_far(const Pilot *pilot, const PilotView *view)
{
    double dx = pilot->trench.dump_x - view->base.x, dy = pilot->trench.dump_y - view->base.y;
    return !pilot_reaches(pilot, sqrt(dx * dx + dy * dy), view->base.z + HANGS, -0.5 * M_PI);
}

void pilot_plan_dump(Pilot *pilot, const PilotView *view)
{
    if (pilot->kind == EXERCISE_TRUCK_LOADING) {
        plan_truck_dump(pilot, view);
        return;
    }
    // The lowest place around the middle of the circle that is near in swing; for a small machine on its near side.
    const SceneTrench *trench = &pilot->trench;
    double spread = heap_is_far(pilot, view) ? HEAP_WHOLE : HEAP_SPREAD, best = 1e9;
    for (int ring = 0; ring < 3; ring++) {
        for (int k = 0; k < (ring == 0 ? 1 : 8); k++) {
            double radius = spread * ring * trench->dump_radius;
            double x = trench->dump_x + radius * same_cos(k * 0.25 * M_PI);
            double y = trench->dump_y + radius * same_sin(k * 0.25 * M_PI);
            double dx = x - view->base.x, dy = y - view->base.y, distance = sqrt(dx * dx + dy * dy);
            double turn = fabs(remainder(same_atan2(dy, dx) - pilot->stroke.direction, 2.0 * M_PI));
            double highest = highest_near(pilot, view, x, y);
            double pin = highest + 0.5 + excavator_tip_radius(&pilot->machine);
            double cost = highest + 0.5 * turn + 0.1 * fabs(distance - 6.5);
            cost +=
                pilot_reaches(pilot, distance - 0.3 - excavator_tip_radius(&pilot->machine), pin, PILOT_ELEVATION_HELD)
                    ? 0.0
                    : 100.0;
            if (cost < best) {
                best = cost;
                double farther = 1.0 + POUR_SHORT / fmax(distance, 1.0);
                pilot->dump = (Vec3){view->base.x + farther * dx, view->base.y + farther * dy, highest};
            }
        }
    }
}

/// ---- the edge's path -----------------------------------------------------------------------------------------------
/// In at the far end, level along the line, and a curl that ends with the load level over ground that was cut.

#define OVER_RIM       0.30 ///< m over the ground around the place of entry, from where the edge goes down
#define WALL_RISE      4.0 ///< m down per m forward while the edge enters beside a wall
#define ENTRY_ARC      0.7 ///< m down per m forward elsewhere in a trench
#define SLOWER_FROM    0.25 ///< m over the ground of a trench from where it goes so slowly
#define DRAG_SPEED     1.0 ///< m/s of the edge
#define ENTRY_SPEED    0.9 ///< m/s
#define SHALLOW_SPEED  0.45 ///< m/s, where the floor is near: the boom must not fall through it
#define NEAR_FLOOR     0.3 ///< m over the floor of the field: the same
#define TURN_SPEED     1.0 ///< rad/s of the bucket
#define ENTRY_TURN     0.6 ///< rad/s: the same while it comes down on the line, far out
#define CURL_WALL_ROOM 0.06 ///< m between the edge and the near end of the field
#define CURL_IN        0.80 ///< m that the pin comes nearer during the curl
#define CURL_IN_HEAP   0.30 ///< m: the same in a heap. Chosen: so little that the foot is not pushed to the tracks
#define CURL_RISE      0.70 ///< m that it rises, but in a heap: there the bucket is level before it leaves the soil
// Elevation of the tip line, rad, in the middle of the drag on level ground: the leading plate, which stands 110
// degrees off the tip line, then meets the soil at 38 degrees.
#define ELEVATION_DRAG (-72.0 * M_PI / 180.0)
// The same at the foot and at the top of a trench's near end, up which it is drawn.
#define ELEVATION_FOOT (-100.0 * M_PI / 180.0)
#define ELEVATION_TOP  (-145.0 * M_PI / 180.0)
// The same of a bucket that scoops up what it has pushed ahead: mouth half closed, and as far as its heel leaves the
// edge on the ground.
#define ELEVATION_SCOOP (-118.0 * M_PI / 180.0)
#define ELEVATION_CLOSE (-140.0 * M_PI / 180.0)

/// Sets a knot; the way to it takes as long as the edge's speed and the bucket's turning allow.
static void set_knot(Pilot *pilot, int index, PilotKnot knot, double speed, double turn_speed)
{
    knot.time = 0.0;
    if (index > 0) {
        const PilotKnot *before = &pilot->knots[index - 1];
        double dx = knot.distance - before->distance, dz = knot.height - before->height;
        knot.time =
            before->time + fmax(sqrt(dx * dx + dz * dz) / speed, fabs(knot.elevation - before->elevation) / turn_speed);
    }
    pilot->knots[index] = knot;
}

/// Elevation to which the bucket turns from `elevation`, at most to `wanted`, while the edge goes `way` (m) forward and
/// the pin does not go back: turned faster, its back and its edge would press outward.
static double turned_on_way(const Pilot *pilot, double elevation, double wanted, double way)
{
    double cosine = same_cos(elevation) - way / excavator_tip_radius(&pilot->machine);
    return fmax(wanted, -same_acos(pilot_clamp(cosine, -1.0, 1.0)));
}

/// Down to the line beside a wall with the leading plate along it, elsewhere more flatly; the bucket's back comes down
/// once it has room.
static void plan_entry(Pilot *pilot, double drag_elevation)
{
    const PilotStroke *stroke = &pilot->stroke;
    bool steep = stroke->enter > PILOT_ELEVATION_ENTER;
    double depth = fmax(stroke->surface - stroke->entry_floor, 0.0);
    double rise = steep ? WALL_RISE : pilot->field.walled ? ENTRY_ARC : PILOT_HEAP_ENTRY;
    double entered = fmax(stroke->start - depth / rise, stroke->end + 0.1);
    double turn = excavator_tip_radius(&pilot->machine) * (same_cos(stroke->enter) - same_cos(drag_elevation));
    double dragged = fmax(fmin(entered - 0.1, steep ? entered - 1.5 * turn : stroke->start - 0.35), stroke->end + 0.05);
    double along = stroke->start - stroke->end, share = (stroke->start - dragged) / fmax(along, 0.1);
    bool shallow = depth < 0.25 || stroke->entry_floor < pilot->field.floor + NEAR_FLOOR;
    double speed = shallow ? SHALLOW_SPEED : ENTRY_SPEED;
    double bite = stroke->enter + (steep ? 0.0 : 0.8) * (drag_elevation - stroke->enter);
    // Between the walls of a trench only once it is on its line.
    double rim = pilot->field.walled ? fmax(stroke->rim, pilot->stand - OVER_RIM) : stroke->rim;
    if (pilot->field.walled) {
        bite = turned_on_way(pilot, stroke->enter, bite, stroke->start - entered);
    }
    double over = fmax(stroke->surface, rim) + OVER_RIM;
    set_knot(pilot, PILOT_KNOT_ABOVE, (PilotKnot){stroke->start, over, stroke->enter, 0.0}, 1.0, TURN_SPEED);
    double slower = pilot->field.walled && shallow ? SLOWER_FROM : 0.02;
    set_knot(pilot, PILOT_KNOT_SURFACE, (PilotKnot){stroke->start, stroke->surface + slower, stroke->enter, 0.0}, 1.0,
             TURN_SPEED);
    set_knot(pilot, PILOT_KNOT_BITE, (PilotKnot){entered, stroke->entry_floor, bite, 0.0}, speed, ENTRY_TURN);
    double height = stroke->entry_floor + share * (stroke->end_floor - stroke->entry_floor);
    if (pilot->field.walled) {
        drag_elevation = turned_on_way(pilot, bite, drag_elevation, entered - dragged);
    }
    set_knot(pilot, PILOT_KNOT_DRAG, (PilotKnot){dragged, height, drag_elevation, 0.0}, DRAG_SPEED, ENTRY_TURN);
}

/// The bucket turns about a pin that comes nearer and rises, so that the edge scoops up what it has pushed ahead. Where
/// the trench ends the pin gives way, so that the edge goes up along the wall instead of undercutting it.
static void plan_curl(Pilot *pilot)
{
    static const struct {
        double turned; ///< share of the turn to the held load
        double rise; ///< share of the pin's rise
    } steps[] = {{0.28, 0.0}, {0.62, 0.1}, {1.0, 1.0}};
    const PilotKnot *last = &pilot->knots[PILOT_KNOT_CURL];
    double radius = excavator_tip_radius(&pilot->machine), turn = PILOT_ELEVATION_HELD - last->elevation;
    double pin = last->distance - radius * same_cos(last->elevation),
           height = last->height - radius * same_sin(last->elevation);
    for (int k = 0; k < 3; k++) {
        double elevation = last->elevation + steps[k].turned * turn;
        double z = height + steps[k].rise * (pilot->field.walled ? CURL_RISE : 0.0);
        double depth = fmax(pilot->stand - (z + radius * same_sin(elevation)), 0.0);
        double wall = pilot->stroke.near + CURL_WALL_ROOM + 0.04 * k + PILOT_NEAR_FACE * depth;
        double x = fmax(pin - fmin(2.0 * steps[k].turned, 1.0) * (pilot->field.walled ? CURL_IN : CURL_IN_HEAP),
                        wall - radius * same_cos(elevation));
        // Far out the bucket does not turn so far: the pin comes nearer until it does.
        for (int i = 0;
             i < 30 &&
             !pilot_reaches(pilot, x + radius * same_cos(elevation), z + radius * same_sin(elevation), elevation) &&
             x > wall - radius * same_cos(elevation) + 0.1;
             i++) {
            x -= 0.1;
        }
        PilotKnot knot = {x + radius * same_cos(elevation), z + radius * same_sin(elevation), elevation, 0.0};
        set_knot(pilot, PILOT_KNOT_CURL + 1 + k, knot, DRAG_SPEED, TURN_SPEED);
    }
}

/// Level over the floor to the foot of the near end, up it with the bucket turning, and a curl at its top.
static void plan_climb(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double foot = stroke->end + (stroke->end_floor - stroke->entry_floor) / stroke->slope;
    plan_entry(pilot, ELEVATION_DRAG);
    const PilotKnot *bite = &pilot->knots[PILOT_KNOT_BITE];
    foot = pilot_clamp(foot, stroke->end + 0.1, bite->distance - 0.1);
    double way = bite->distance - foot;
    set_knot(pilot, PILOT_KNOT_DRAG,
             (PilotKnot){foot, stroke->entry_floor, turned_on_way(pilot, bite->elevation, ELEVATION_FOOT, way), 0.0},
             DRAG_SPEED, TURN_SPEED);
    set_knot(pilot, PILOT_KNOT_CURL, (PilotKnot){stroke->end, stroke->end_floor, ELEVATION_TOP, 0.0}, DRAG_SPEED,
             TURN_SPEED);
    plan_curl(pilot);
}

void pilot_plan_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    if (stroke->scrapes) {
        plan_scrape_path(pilot);
        return;
    }
    if (stroke->sweep) {
        plan_sweep_path(pilot);
        return;
    }
    if (stroke->climbs) {
        plan_climb(pilot);
        return;
    }
    // Up a slope the bucket is turned with the line, so that its leading plate meets the soil at the same angle.
    double incline = same_atan2(stroke->end_floor - stroke->entry_floor, stroke->start - stroke->end);
    plan_entry(pilot, ELEVATION_DRAG - incline);
    const PilotKnot *drag = &pilot->knots[PILOT_KNOT_DRAG];
    double elevation = PILOT_ELEVATION_END - 0.5 * incline;
    if (pilot->field.walled) {
        elevation = turned_on_way(pilot, drag->elevation, elevation, drag->distance - stroke->end);
    }
    set_knot(pilot, PILOT_KNOT_CURL, (PilotKnot){stroke->end, stroke->end_floor, elevation, 0.0}, DRAG_SPEED,
             TURN_SPEED);
    plan_curl(pilot);
}

void pilot_curl_here(Pilot *pilot, double soon)
{
    if (pilot->stroke.sweep) {
        curl_sweep_here(pilot, soon);
        return;
    }
    PilotKnot here = pilot_path_at(pilot, pilot->path_time);
    PilotKnot *curl = &pilot->knots[PILOT_KNOT_CURL];
    *curl = here;
    curl->time = pilot->path_time + soon;
    plan_curl(pilot);
}

void pilot_carry(Pilot *pilot, const PilotView *view, Vec3 tip, double elevation)
{
    double dx = tip.x - view->base.x, dy = tip.y - view->base.y, distance = sqrt(dx * dx + dy * dy);
    double look = same_atan2(dy, dx);
    pilot->stroke = (PilotStroke){.direction = look, .direction_end = look, .start = distance, .end = distance};
    pilot->stroke.surface = tip.z;
    const PilotKnot here = {distance, tip.z, elevation, 0.0};
    for (int k = 0; k <= PILOT_KNOT_CURL; k++) {
        pilot->knots[k] = here;
    }
    // The edge stays level as long as the bucket's heel is above it.
    PilotKnot knot = here;
    knot.distance -= 0.6 * PILOT_SCOOP;
    knot.elevation = ELEVATION_SCOOP;
    set_knot(pilot, PILOT_KNOT_SCOOP, knot, DRAG_SPEED, TURN_SPEED);
    knot.distance = distance - PILOT_SCOOP;
    knot.elevation = ELEVATION_CLOSE;
    set_knot(pilot, PILOT_KNOT_CLOSE, knot, DRAG_SPEED, TURN_SPEED);
    knot.height += CURL_RISE;
    knot.elevation = PILOT_ELEVATION_HELD;
    set_knot(pilot, PILOT_KNOT_HELD, knot, DRAG_SPEED, TURN_SPEED);
    pilot->stand = view->base.z;
    pilot->path_time = pilot->raise = pilot->stalled = 0.0;
    pilot->phase = PILOT_DIG;
    pilot->phase_start = view->time;
}

PilotKnot pilot_path_at(const Pilot *pilot, double time)
{
    const PilotKnot *knots = pilot->knots;
    const int last = PILOT_KNOT_HELD;
    if (time >= knots[last].time) {
        return knots[last];
    }
    int k = 0;
    while (k < last - 1 && time > knots[k + 1].time) {
        k++;
    }
    double length = fmax(knots[k + 1].time - knots[k].time, 1e-6);
    double s = pilot_clamp((time - knots[k].time) / length, 0.0, 1.0);
    return (PilotKnot){knots[k].distance + s * (knots[k + 1].distance - knots[k].distance),
                       knots[k].height + s * (knots[k + 1].height - knots[k].height),
                       knots[k].elevation + s * (knots[k + 1].elevation - knots[k].elevation), time};
}

double pilot_path_direction(const Pilot *pilot, double time)
{
    const PilotStroke *stroke = &pilot->stroke;
    if (stroke->scrapes) {
        return scrape_direction(pilot, time);
    }
    double way = (stroke->start - pilot_path_at(pilot, time).distance) / fmax(stroke->start - stroke->end, 0.1);
    double turn = remainder(stroke->direction_end - stroke->direction, 2.0 * M_PI);
    return stroke->direction + pilot_clamp(way, 0.0, 1.0) * turn;
}
