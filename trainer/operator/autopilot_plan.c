/// Plans a pass: the best of many strokes from the heights of the ground, by how much soil each would bring and how far
/// it lies from the last ones that failed; then the edge's path and the place to dump.
#include "data/excavator_params.h"
#include "trainer/operator/autopilot_internal.h"

#define STROKE_LENGTH  2.7 ///< m that one bucket works over, curl included
#define SHORT_STROKE   1.7 ///< m, where the ground is uneven
#define SLOPE_UP       0.8 ///< m per m: steepest line up towards the machine
#define SLOPE_DOWN     0.4 ///< m per m: steepest line down towards it
#define CURL_SWEEP     0.4 ///< m that the curl clears beyond the end of the drag
#define STEP           0.2 ///< m between places tried
#define PROBE          0.1 ///< m between heights looked at along a stroke
#define WORTH          0.05 ///< m3: less is not worth a stroke
#define ENTRY_SLOPE    1.1 ///< m forward per m down while the edge enters
#define WALL_ROOM      0.1 ///< m between the edge and the near end of the field
#define SURCHARGE_ROOM 0.8 ///< m before the near end where a full pass ends: it pushes soil ahead of the bucket
enum { PROFILE_SIZE = 40 }; ///< heights looked at along one stroke
#define CURL_RISE     0.8 ///< m the bucket pin rises during the curl
#define SPILLS        1.7 ///< m3 to be cut for each m3 that stays in the bucket
#define CURL_ROOM     0.8 ///< m the edge still sweeps towards the machine while it curls
#define AVOID_RADIUS  0.4 ///< m around a place where the bucket got stuck or brought nothing
#define AVOID_STROKES 12 ///< passes for which it is left alone
#define DRAG_SPEED    1.2 ///< m/s of the edge
#define ENTRY_SPEED   0.9 ///< m/s
#define SHALLOW_SPEED 0.45 ///< m/s, where the floor is near: the boom must not fall through it
#define CURL_TIME     1.4 ///< s for the curl at the end of a pass
#define TRUCK_MARGIN  0.35 ///< m around the bed that counts as truck

#define CUT_DEPTH 0.65 ///< m: deepest single pass
// Elevation of the tip line, rad, in the middle and at the end of the drag on level ground: the leading plate, which
// stands 110 degrees off the tip line, then meets the soil at 38 and leaves it at 6 degrees.
#define ELEVATION_DRAG (-72.0 * M_PI / 180.0)
#define ELEVATION_END  (-105.0 * M_PI / 180.0)

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/// Place in a frame with its origin at (x, y) and u along `heading`.
static void to_frame(double x, double y, double heading, double px, double py, double *u, double *v)
{
    double c = cos(heading), s = sin(heading);
    *u = c * (px - x) + s * (py - y);
    *v = c * (py - y) - s * (px - x);
}

double pilot_obstacle(const Pilot *pilot, const PilotView *view, double x, double y)
{
    double height = view->height(view->context, x, y);
    if (pilot->kind == EXERCISE_TRUCK_LOADING && !view->truck_away) {
        const SceneTruck *truck = &pilot->truck;
        double u, v;
        to_frame(truck->x, truck->y, truck->heading, x, y, &u, &v);
        if (fabs(u) < 0.5 * truck->bed_length + TRUCK_MARGIN && fabs(v) < 0.5 * truck->bed_width + TRUCK_MARGIN) {
            height = fmax(height, truck->floor_height + truck->bed_height);
        }
    }
    return height;
}

static bool in_field(const PilotField *field, double x, double y, double margin)
{
    double u, v;
    to_frame(field->x, field->y, field->heading, x, y, &u, &v);
    return u >= -margin && u <= field->length + margin && fabs(v) <= 0.5 * field->width + margin;
}

/// Whether the edge can be at a place, as seen from where the machine stands (level).
static bool reaches(const Pilot *pilot, const PilotView *view, double distance, double height, double elevation)
{
    ArmTip tip = {distance, height - view->base.z - excavator_swing_height(&pilot->machine), elevation};
    ArmAngles angles;
    return excavator_reach(&pilot->machine, &tip, &angles);
}

/// Mean height across the bucket's width at a place of a stroke.
static double height_across(const Pilot *pilot, const PilotView *view, double direction, double distance)
{
    double x = view->base.x + distance * cos(direction), y = view->base.y + distance * sin(direction);
    double side = 0.3 * pilot->machine.tool[0].shape.edge_width;
    double sum = 0.0;
    for (int k = -1; k <= 1; k++) {
        sum += view->height(view->context, x - k * side * sin(direction), y + k * side * cos(direction));
    }
    return sum / 3.0;
}

/// Soil that one bucket takes, m3 as it lies in the bank.
static double bucket_volume(const Pilot *pilot)
{
    return pilot->machine.tool[0].capacity / (1.0 + pilot->swell);
}

/// Distance from the swing axis where a stroke leaves the field, going towards the machine.
static double field_end(const Pilot *pilot, const PilotView *view, double direction, double start)
{
    double end = start;
    for (int k = 0; k * PROBE < 2.0 * STROKE_LENGTH; k++) {
        double r = start - k * PROBE;
        if (!in_field(&pilot->field, view->base.x + r * cos(direction), view->base.y + r * sin(direction), 0.05)) {
            break;
        }
        end = r;
    }
    return end;
}

/// Ground along a stroke and the line that is to be drawn through it: z = max(floor, base + slope s), s from the start.
typedef struct Profile {
    double heights[PROFILE_SIZE]; ///< m, each PROBE nearer to the machine
    int count;
    double slope; ///< m per m towards the machine
    double floor; ///< m: nothing is cut below
} Profile;

static double line_at(const Profile *profile, double base, double s)
{
    return fmax(profile->floor, base + profile->slope * s);
}

/// Soil above the line over the first `count` heights, m3, for a bucket of `width`.
static double volume_above(const Profile *profile, int count, double base, double width)
{
    double volume = 0.0;
    for (int k = 0; k < count; k++) {
        volume += width * PROBE * fmax(0.0, profile->heights[k] - line_at(profile, base, k * PROBE));
    }
    return volume;
}

/// The line's base that cuts `wanted` m3, by bisection between the shallowest and the deepest that may be drawn.
static double find_base(const Profile *profile, double cut_depth, double width, double wanted)
{
    double highest = -1e9;
    for (int k = 0; k < profile->count; k++) {
        highest = fmax(highest, profile->heights[k] - profile->slope * k * PROBE);
    }
    double low = highest - cut_depth, high = highest;
    if (volume_above(profile, profile->count, low, width) <= wanted) {
        return low;
    }
    for (int k = 0; k < 12; k++) {
        double middle = 0.5 * (low + high);
        *(volume_above(profile, profile->count, middle, width) > wanted ? &low : &high) = middle;
    }
    return low;
}

/// Mean inclination of the ground towards the machine, m per m.
static double ground_slope(const Profile *profile)
{
    int third = profile->count / 3;
    double far = 0.0, near = 0.0;
    for (int k = 0; k < third; k++) {
        far += profile->heights[k];
        near += profile->heights[profile->count - 1 - k];
    }
    return clamp((near - far) / (third * (profile->count - third) * PROBE), -SLOPE_DOWN, SLOPE_UP);
}

/// Fills in a stroke that starts at (direction, start), `length` long, along the ground's slope or level; false when it
/// cannot be driven or brings nothing.
static bool measure_stroke(const Pilot *pilot, const PilotView *view, double direction, double start, double length,
                           bool level, PilotStroke *stroke)
{
    double near = field_end(pilot, view, direction, start), end = fmax(near, start - length);
    if (start - end < 0.5) {
        return false;
    }
    Profile profile = {.floor = pilot->field.floor};
    for (int k = 0; k < PROFILE_SIZE && start - k * PROBE >= end; k++) {
        profile.heights[profile.count++] = height_across(pilot, view, direction, start - k * PROBE);
    }
    profile.slope = level ? 0.0 : ground_slope(&profile);
    double width = pilot->machine.tool[0].shape.edge_width, wanted = SPILLS * bucket_volume(pilot);
    double base = find_base(&profile, CUT_DEPTH, width, wanted);
    double fill = fmin(volume_above(&profile, profile.count, base, width) / wanted, 1.0);
    // Enter where the line does meet soil.
    int first = 0;
    while (first < profile.count - 1 && profile.heights[first] < line_at(&profile, base, first * PROBE) + 0.03) {
        first++;
    }
    double before = first * PROBE, entry = start - before;
    if (entry - end < 0.5) {
        return false;
    }
    double drag_end = fmin(fmax(near + WALL_ROOM + SURCHARGE_ROOM * fill, start - length + CURL_ROOM), entry - 0.35);
    int reached = (int)((start - drag_end + CURL_SWEEP) / PROBE);
    *stroke =
        (PilotStroke){.direction = direction,
                      .start = start,
                      .end = drag_end,
                      .surface = profile.heights[0],
                      .slope = profile.slope,
                      .entry_floor = line_at(&profile, base, before + 0.3),
                      .end_floor = line_at(&profile, base, start - drag_end),
                      .volume = volume_above(&profile, reached < profile.count ? reached : profile.count, base, width),
                      .near = near,
                      .fill = fill};
    return stroke->volume > WORTH && reaches(pilot, view, entry, stroke->surface + 0.4, PILOT_ELEVATION_ENTER) &&
           reaches(pilot, view, stroke->end, stroke->end_floor, ELEVATION_END);
}

/// How much a stroke is wanted: full buckets, high ground first (layer by layer), the far end before the near one.
static double worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double x = view->base.x + stroke->start * cos(stroke->direction);
    double y = view->base.y + stroke->start * sin(stroke->direction);
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    double value = 1.5 * fmin(stroke->volume / bucket_volume(pilot), 1.0) + 0.8 * height + 0.08 * stroke->start;
    for (int k = 0; k < PILOT_MAX_BAD; k++) {
        const PilotBadPlace *bad = &pilot->bad[k];
        double dx = x - bad->x, dy = y - bad->y;
        bool near = dx * dx + dy * dy < AVOID_RADIUS * AVOID_RADIUS;
        value -= near && bad->until > pilot->strokes ? 1.0 : 0.0;
    }
    return value;
}

void pilot_avoid_stroke(Pilot *pilot, const PilotView *view)
{
    const PilotStroke *stroke = &pilot->stroke;
    pilot->bad[pilot->bad_count++ % PILOT_MAX_BAD] =
        (PilotBadPlace){view->base.x + stroke->start * cos(stroke->direction),
                        view->base.y + stroke->start * sin(stroke->direction), pilot->strokes + AVOID_STROKES};
}

/// Tries the strokes that start at a place of the field: long and short, level and along the slope.
static void try_place(const Pilot *pilot, const PilotView *view, double u, double v, double *best, PilotStroke *chosen)
{
    const PilotField *field = &pilot->field;
    const MachineParams *machine = &pilot->machine;
    double x = field->x + u * cos(field->heading) - v * sin(field->heading);
    double y = field->y + u * sin(field->heading) + v * cos(field->heading);
    double dx = x - view->base.x, dy = y - view->base.y, distance = sqrt(dx * dx + dy * dy);
    if (distance > excavator_boom_foot(machine).x + excavator_boom_length(machine) + excavator_stick_length(machine) +
                       excavator_tip_radius(machine)) {
        return;
    }
    for (int way = 0; way < 4; way++) {
        PilotStroke stroke;
        double length = way < 2 ? STROKE_LENGTH : SHORT_STROKE;
        if (!measure_stroke(pilot, view, atan2(dy, dx), distance, length, way % 2 == 0, &stroke)) {
            continue;
        }
        double value = worth(pilot, view, &stroke);
        if (value > *best) {
            *best = value;
            *chosen = stroke;
        }
    }
}

bool pilot_plan_stroke(Pilot *pilot, const PilotView *view)
{
    const PilotField *field = &pilot->field;
    const double nothing = -1e9, first = field->length - 0.15, last = 0.5;
    double bucket = pilot->machine.tool[0].shape.edge_width, spare = field->width - bucket, best = nothing;
    int lanes = spare < 0.2 ? 1 : (int)ceil(field->width / bucket);
    PilotStroke chosen = {0};
    for (int lane = 0; lane < lanes; lane++) {
        double v = lanes == 1 ? 0.0 : spare * ((double)lane / (lanes - 1) - 0.5);
        for (int k = 0; first - k * STEP > last; k++) {
            try_place(pilot, view, first - k * STEP, v, &best, &chosen);
        }
    }
    if (best <= nothing) {
        return false;
    }
    pilot->stroke = chosen;
    pilot->strokes++;
    return true;
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
    set_knot(pilot, index, distance + radius * cos(elevation), height + radius * sin(elevation), elevation, duration);
}

/// The edge enters steeply and rounds the corner into the line, so that it does not shoot below it.
static void plan_entry(Pilot *pilot, double entered, double elevation)
{
    const PilotStroke *stroke = &pilot->stroke;
    double depth = fmax(stroke->surface - stroke->entry_floor, 0.0), along = stroke->start - entered;
    set_knot(pilot, PILOT_KNOT_ABOVE, stroke->start, stroke->surface + 0.25, PILOT_ELEVATION_ENTER, 0.0);
    double approach = depth > 0.25 ? ENTRY_SPEED : SHALLOW_SPEED;
    set_knot(pilot, PILOT_KNOT_SURFACE, stroke->start, stroke->surface, PILOT_ELEVATION_ENTER, 0.25 / approach);
    double bite_along = 0.45 * along, bite_depth = 0.75 * depth;
    set_knot(pilot, PILOT_KNOT_BITE, stroke->start - bite_along, stroke->surface - bite_depth,
             0.5 * (PILOT_ELEVATION_ENTER + elevation),
             sqrt(bite_along * bite_along + bite_depth * bite_depth) / approach);
    double rest_along = along - bite_along, rest_depth = stroke->surface - bite_depth - stroke->entry_floor;
    set_knot(pilot, PILOT_KNOT_DRAG, entered, stroke->entry_floor, elevation,
             sqrt(rest_along * rest_along + rest_depth * rest_depth) / approach);
}

void pilot_plan_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double radius = excavator_tip_radius(&pilot->machine), depth = fmax(stroke->surface - stroke->entry_floor, 0.05);
    double entered = fmax(stroke->start - ENTRY_SLOPE * depth, stroke->end + 0.2);
    // Up a slope the bucket is turned with the line, so that its leading plate meets the soil at the same angle.
    double incline = atan2(stroke->end_floor - stroke->entry_floor, stroke->start - stroke->end);
    double end_elevation = ELEVATION_END - 0.5 * incline;
    plan_entry(pilot, entered, ELEVATION_DRAG - incline);
    set_knot(pilot, PILOT_KNOT_CURL, stroke->end, stroke->end_floor, end_elevation,
             (entered - stroke->end) / DRAG_SPEED);
    // Curl about a pin that rises: first the mouth closes, then the load is held level. Where the field ends the pin
    // moves out, so that the edge climbs the near wall instead of undercutting it.
    double pin = stroke->end - radius * cos(end_elevation) - 0.15;
    double height = stroke->end_floor - radius * sin(end_elevation),
           half = 0.5 * (end_elevation + PILOT_ELEVATION_HELD);
    double wall = stroke->near + WALL_ROOM + 0.5 * SURCHARGE_ROOM * stroke->fill;
    bool deep = height + CURL_RISE < stroke->surface + 0.3;
    set_pin_knot(pilot, PILOT_KNOT_CLOSE, fmax(pin, wall - radius * cos(half)), height - 0.05, half, 0.5 * CURL_TIME);
    set_pin_knot(pilot, PILOT_KNOT_HELD, fmax(pin, deep ? wall + radius : wall - radius * cos(half)),
                 height + CURL_RISE, PILOT_ELEVATION_HELD, 0.5 * CURL_TIME);
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
    double s = clamp((time - knots[k].time) / length, 0.0, 1.0);
    return (PilotKnot){knots[k].distance + s * (knots[k + 1].distance - knots[k].distance),
                       knots[k].height + s * (knots[k + 1].height - knots[k].height),
                       knots[k].elevation + s * (knots[k + 1].elevation - knots[k].elevation), time};
}

/// Highest thing within a bucket's reach of a place.
static double highest_near(const Pilot *pilot, const PilotView *view, double x, double y)
{
    double highest = pilot_obstacle(pilot, view, x, y);
    for (int k = 0; k < 8; k++) {
        double angle = k * 0.25 * M_PI;
        highest = fmax(highest, pilot_obstacle(pilot, view, x + 0.9 * cos(angle), y + 0.9 * sin(angle)));
    }
    return highest;
}

static void plan_truck_dump(Pilot *pilot, const PilotView *view)
{
    // One after the other along the bed, so that the load is spread.
    static const double places[] = {0.0, 0.24, -0.24};
    const SceneTruck *truck = &pilot->truck;
    double along = places[pilot->cycles % 3] * truck->bed_length;
    double x = truck->x + along * cos(truck->heading), y = truck->y + along * sin(truck->heading);
    pilot->dump = (Vec3){x, y, fmax(truck->floor_height + truck->bed_height, highest_near(pilot, view, x, y))};
}

void pilot_plan_dump(Pilot *pilot, const PilotView *view)
{
    if (pilot->kind == EXERCISE_TRUCK_LOADING) {
        plan_truck_dump(pilot, view);
        return;
    }
    // The lowest place of the circle that is near in swing: the spoil is spread and stays low.
    const SceneTrench *trench = &pilot->trench;
    double best = 1e9;
    for (int ring = 0; ring < 3; ring++) {
        for (int k = 0; k < (ring == 0 ? 1 : 8); k++) {
            double radius = 0.3 * ring * trench->dump_radius;
            double x = trench->dump_x + radius * cos(k * 0.25 * M_PI);
            double y = trench->dump_y + radius * sin(k * 0.25 * M_PI);
            double dx = x - view->base.x, dy = y - view->base.y, distance = sqrt(dx * dx + dy * dy);
            double turn = fabs(remainder(atan2(dy, dx) - pilot->stroke.direction, 2.0 * M_PI));
            double highest = highest_near(pilot, view, x, y);
            double pin = highest + PILOT_DUMP_AIR + excavator_tip_radius(&pilot->machine);
            double cost = highest + 0.5 * turn + 0.1 * fabs(distance - 6.5);
            cost +=
                reaches(pilot, view, distance - 0.3 - excavator_tip_radius(&pilot->machine), pin, PILOT_ELEVATION_HELD)
                    ? 0.0
                    : 100.0;
            if (cost < best) {
                best = cost;
                pilot->dump = (Vec3){x, y, highest};
            }
        }
    }
}
