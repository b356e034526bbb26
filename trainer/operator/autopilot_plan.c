/// Plans a pass: the best of many strokes from the heights of the ground, by how full a bucket each would bring, how
/// high it lies (layer by layer) and how far from the last ones that failed; then the place to dump.
#include "data/excavator_params.h"
#include "trainer/operator/autopilot_internal.h"

#define LONG_PASS      1.6 ///< m: longest drag in a trench
#define CLEAN_PASS     2.2 ///< m: the same in the passes that clean up at the end, up to the near wall
#define SHORT_PASS     1.2 ///< m, where the ground of a trench is uneven
#define LONG_STROKE    1.6 ///< m: longest drag through a heap, which is dug with the bucket's turning
#define SHORT_STROKE   1.0 ///< m
#define SLOPE_UP       1.0 ///< m per m: steepest line up towards the machine
#define SLOPE_DOWN     0.4 ///< m per m: steepest line down towards it
#define CURL_SWEEP     1.0 ///< m that the curl clears beyond the end of the drag
#define CURL_RADIUS    1.25 ///< m: of the arc on which the edge comes up in the curl
#define HEAP_FOOT      1.5 ///< m before the near end of the place around a heap where a stroke begins to curl
#define LEAST_TURN     0.40 ///< m before the near end of a trench where a pass begins to curl, however shallow
#define STEP           0.2 ///< m between places tried
#define PROBE          0.1 ///< m between heights looked at along a stroke
#define WORTH          0.05 ///< m3: less is not worth a stroke
#define ALIGNED        0.2 ///< rad between a trench and the arm, up to which lanes run along the trench
#define FAR_ROOM       0.20 ///< m between the edge and the far end of a trench, whose wall is left alone
#define WALL_ROOM      0.04 ///< m: the same in the passes that clean up at the end
#define CLEAN_FROM     0.45 ///< buckets that the best pass would cut, below which the trench is cleaned up
#define PLATE_ROOM     0.04 ///< m that the side plate goes into the wall of a trench, so that nothing is left there
#define WEDGE          1.5 ///< m of ground ahead of a level pass that give way for each metre of its depth
#define OPEN_NEAR      1.4 ///< m before the near end of a trench where a long pass ends, to keep inside what it pushes
#define END_PASS       2.3 ///< m before that end within which passes go up to it
#define DEEPEST_PASS   0.70 ///< m: deepest single pass in a trench
#define DEEPEST_STROKE 1.40 ///< m: in a heap
/// m3 to be cut for each m3 that stays in the bucket: the rest is pushed ahead, or runs off a heap.
#define OVERCUT_TRENCH 3.0
#define OVERCUT_END    2.0 ///< the same where the near end of a trench is low, and what is pushed ahead goes over it
#define OVERCUT_HEAP   2.4
#define LOW_RIM        0.5 ///< m of wall at the near end that keep what is pushed ahead inside
#define IN_SOIL        0.4 ///< m of soil before the edge in which a bucket fills best while it curls
#define CLEAN_TURN     0.15 ///< m: the same in the passes that clean up at the end
#define STEEP_WALL     0.2 ///< m of ground that stands behind the place of entry, from which on the edge enters upright
enum { PROFILE_SIZE = 48, PROFILE_ACROSS = 7 }; ///< heights looked at along one stroke and across the bucket
#define LAYERS_TRENCH 0.4 ///< worth of a metre of height over the floor: a trench is dug in layers
#define LAYERS_HEAP   0.1 ///< the same of a heap
#define FILLING       2.0 ///< worth of a full bucket
#define HOLDING       1.0 ///< worth of soil before the edge where it curls
#define AVOID_RADIUS  0.4 ///< m around a place where the bucket got stuck or brought nothing
#define AVOID_STROKES 12 ///< passes for which it is left alone
#define TRUCK_MARGIN  0.35 ///< m around the bed that counts as truck
#define HEAP_SPREAD   0.1 ///< of the dump circle, between rings of places where a heap is poured: its foot stays inside

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
    if (pilot->kind == EXERCISE_TRUCK_LOADING && view->time < pilot->truck_until) {
        const SceneTruck *truck = &pilot->truck;
        double u, v;
        to_frame(truck->x, truck->y, truck->heading, x, y, &u, &v);
        if (fabs(u) < 0.5 * truck->bed_length + TRUCK_MARGIN && fabs(v) < 0.5 * truck->bed_width + TRUCK_MARGIN) {
            height = fmax(height, truck->floor_height + truck->bed_height);
        }
    }
    return height;
}

bool pilot_in_field(const PilotField *field, double x, double y, double margin)
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
    return atan2(lane->y + s * lane->toward_y - view->base.y, lane->x + s * lane->toward_x - view->base.x);
}

/// The lane from a place of the field: along a trench that lies in the arm's direction, else straight to the machine.
static Lane lane_from(const Pilot *pilot, const PilotView *view, double u, double v)
{
    const PilotField *field = &pilot->field;
    double c = cos(field->heading), s = sin(field->heading);
    Lane lane = {.x = field->x + u * c - v * s, .y = field->y + u * s + v * c};
    double dx = lane.x - view->base.x, dy = lane.y - view->base.y;
    lane.start = sqrt(dx * dx + dy * dy);
    if (field->walled && fabs(remainder(atan2(dy, dx) - field->heading, 2.0 * M_PI)) < ALIGNED) {
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
        if (!pilot_in_field(field, lane.x + way * lane.toward_x, lane.y + way * lane.toward_y, 0.05)) {
            break;
        }
        lane.near = lane.start - way;
    }
    return lane;
}

/// Ground under a bucket along a lane and the line that is to be drawn through it: z = max(floor, base + slope s), s
/// from the far end.
typedef struct Profile {
    double heights[PROFILE_SIZE][PROFILE_ACROSS]; ///< m, each PROBE nearer to the machine
    int count;
    double slope; ///< m per m towards the machine
    double floor; ///< m: nothing is cut below
    double width; ///< m: of the bucket
    double curl; ///< m from the far end: there the edge comes up
} Profile;

static void look_along(const Pilot *pilot, const PilotView *view, const Lane *lane, double end, Profile *profile)
{
    *profile = (Profile){.floor = pilot->field.floor, .width = pilot->machine.tool[0].shape.edge_width};
    for (int k = 0; k < PROFILE_SIZE && lane->start - k * PROBE >= end - 1e-9; k++) {
        for (int i = 0; i < PROFILE_ACROSS; i++) {
            double side = profile->width * ((i + 0.5) / PROFILE_ACROSS - 0.5);
            profile->heights[k][i] =
                view->height(view->context, lane->x + k * PROBE * lane->toward_x - side * lane->toward_y,
                             lane->y + k * PROBE * lane->toward_y + side * lane->toward_x);
        }
        profile->count++;
    }
}

static double mean_across(const Profile *profile, int k)
{
    double sum = 0.0;
    for (int i = 0; i < PROFILE_ACROSS; i++) {
        sum += profile->heights[k][i];
    }
    return sum / PROFILE_ACROSS;
}

static double highest_of(const Profile *profile, int k)
{
    double highest = -1e9;
    for (int i = 0; i < PROFILE_ACROSS; i++) {
        highest = fmax(highest, profile->heights[k][i]);
    }
    return highest;
}

static double line_at(const Profile *profile, double base, double s)
{
    double rise = fmax(s - profile->curl, 0.0);
    return fmax(profile->floor, base + profile->slope * s) + 0.5 * rise * rise / CURL_RADIUS;
}

/// Soil above the line over the first `count` heights, m3.
static double volume_above(const Profile *profile, int count, double base)
{
    double volume = 0.0;
    for (int k = 0; k < count; k++) {
        double line = line_at(profile, base, k * PROBE);
        for (int i = 0; i < PROFILE_ACROSS; i++) {
            volume += profile->width / PROFILE_ACROSS * PROBE * fmax(0.0, profile->heights[k][i] - line);
        }
    }
    return volume;
}

/// The line's base that cuts `wanted` m3, by bisection between the shallowest and the deepest that may be drawn.
static double find_base(const Profile *profile, double cut_depth, double wanted)
{
    double highest = -1e9;
    for (int k = 0; k < profile->count; k++) {
        highest = fmax(highest, mean_across(profile, k) - profile->slope * k * PROBE);
    }
    double low = highest - cut_depth, high = highest;
    if (volume_above(profile, profile->count, low) <= wanted) {
        return low;
    }
    for (int k = 0; k < 12; k++) {
        double middle = 0.5 * (low + high);
        *(volume_above(profile, profile->count, middle) > wanted ? &low : &high) = middle;
    }
    return low;
}

/// Mean inclination of the ground towards the machine, m per m.
static double ground_slope(const Profile *profile)
{
    int third = profile->count / 3;
    double far = 0.0, near = 0.0;
    for (int k = 0; k < third; k++) {
        far += mean_across(profile, k);
        near += mean_across(profile, profile->count - 1 - k);
    }
    return clamp((near - far) / (third * (profile->count - third) * PROBE), -SLOPE_DOWN, SLOPE_UP);
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
static double depth_at_curl(const Profile *profile, double base)
{
    int k = (int)(profile->curl / PROBE);
    k = k < profile->count ? k : profile->count - 1;
    return fmax(highest_of(profile, k) - line_at(profile, base, k * PROBE), 0.0);
}

/// Height of the ground before the near end of a lane's trench, m.
static double near_rim(const PilotView *view, const Lane *lane)
{
    double way = lane->start - lane->near + 0.5;
    return view->height(view->context, lane->x + way * lane->toward_x, lane->y + way * lane->toward_y);
}

/// m3 to be cut for each that stays in the bucket, by a pass whose drag ends at `end`.
static double overcut(const Pilot *pilot, const PilotView *view, const Lane *lane, double end)
{
    if (!pilot->field.walled) {
        return OVERCUT_HEAP;
    }
    double before = lane->start - end, rim = near_rim(view, lane);
    double here = view->height(view->context, lane->x + before * lane->toward_x, lane->y + before * lane->toward_y);
    return end < lane->near + OPEN_NEAR - 0.1 && rim < here + LOW_RIM ? OVERCUT_END : OVERCUT_TRENCH;
}

/// Finds the line for a pass that ends its drag at `end`. Near the end of a trench the curl begins the sooner the
/// deeper the cut, so that the edge comes out of the ground at the wall and pushes nothing over the rim.
static double find_line(const Pilot *pilot, const PilotView *view, const Lane *lane, double *end, bool level,
                        Profile *profile)
{
    bool walled = pilot->field.walled;
    double wanted = overcut(pilot, view, lane, *end) * pilot_bucket_volume(pilot), base = 0.0;
    for (int k = 0; k < 3; k++) {
        look_along(pilot, view, lane, fmax(lane->near, *end - CURL_SWEEP), profile);
        if (profile->count < 6) {
            return 0.0;
        }
        profile->curl = lane->start - *end;
        profile->slope = level ? 0.0 : ground_slope(profile);
        base = find_base(profile, walled ? DEEPEST_PASS : DEEPEST_STROKE, wanted);
        double room = sqrt(2.0 * CURL_RADIUS * depth_at_curl(profile, base));
        double least = pilot->cleaning ? CLEAN_TURN : LEAST_TURN;
        double turn = lane->near + (pilot->cleaning ? least : fmax(least, fmin(room, CURL_SWEEP)));
        if (level && !pilot->cleaning) {
            turn = fmax(turn, lane->near + WEDGE * (near_rim(view, lane) - line_at(profile, base, profile->curl)));
        }
        if (!walled || *end >= turn - 0.02) {
            break;
        }
        *end = turn;
    }
    return base;
}

/// Fills in a stroke along a lane, `length` long, along the ground's slope or level; false when it cannot be driven or
/// brings nothing.
static bool measure_stroke(const Pilot *pilot, const PilotView *view, const Lane *lane, double length, bool level,
                           PilotStroke *stroke)
{
    bool walled = pilot->field.walled;
    bool to_wall = lane->start < lane->near + END_PASS;
    double room = !walled ? HEAP_FOOT : pilot->cleaning ? CLEAN_TURN : to_wall ? LEAST_TURN : OPEN_NEAR;
    double end = fmax(lane->near + room, lane->start - length);
    Profile profile;
    double base = find_line(pilot, view, lane, &end, level, &profile);
    if (profile.count < 6) {
        return false;
    }
    // Enter where the line does meet soil.
    int first = 0;
    while (first < profile.count - 1 && highest_of(&profile, first) < line_at(&profile, base, first * PROBE) + 0.03) {
        first++;
    }
    double entry = lane->start - first * PROBE;
    if (entry - end < (walled ? 0.2 : 0.4)) {
        return false;
    }
    *stroke = (PilotStroke){.direction = lane_direction(lane, view, entry),
                            .direction_end = lane_direction(lane, view, end),
                            .start = entry,
                            .end = end,
                            .surface = mean_across(&profile, first),
                            .rim = highest_behind(view, lane, entry),
                            .slope = profile.slope,
                            .entry_floor = line_at(&profile, base, first * PROBE + 0.2),
                            .end_floor = line_at(&profile, base, lane->start - end),
                            .volume = volume_above(&profile, profile.count, base),
                            .wanted = overcut(pilot, view, lane, end) * pilot_bucket_volume(pilot),
                            .near = walled ? lane->near : -1e9};
    stroke->hold = fmin(depth_at_curl(&profile, base) / IN_SOIL, 1.0);
    bool at_wall = walled && first <= 2 && lane->near + pilot->field.length < lane->start + 0.3;
    bool steep = at_wall && stroke->rim > stroke->entry_floor + STEEP_WALL;
    stroke->enter = steep ? PILOT_ELEVATION_UPRIGHT : PILOT_ELEVATION_ENTER;
    return stroke->volume > WORTH && pilot_reaches(pilot, entry, stroke->surface + 0.4, stroke->enter) &&
           pilot_reaches(pilot, stroke->end, stroke->end_floor, PILOT_ELEVATION_END);
}

double pilot_avoidance(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double x = view->base.x + stroke->start * cos(stroke->direction);
    double y = view->base.y + stroke->start * sin(stroke->direction);
    double lost = 0.0;
    for (int k = 0; k < PILOT_MAX_BAD; k++) {
        const PilotBadPlace *bad = &pilot->bad[k];
        double dx = x - bad->x, dy = y - bad->y;
        bool near = dx * dx + dy * dy < AVOID_RADIUS * AVOID_RADIUS;
        lost += near && bad->until > pilot->strokes ? 1.0 : 0.0;
    }
    return lost;
}

/// How much a stroke is wanted: full buckets, high ground first (layer by layer), the far end before the near one.
static double worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    double layers = pilot->field.walled ? LAYERS_TRENCH : LAYERS_HEAP;
    return FILLING * fmin(stroke->volume / stroke->wanted, 1.0) + layers * height + 0.08 * stroke->start +
           HOLDING * stroke->hold - pilot_avoidance(pilot, view, stroke);
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
    const MachineParams *machine = &pilot->machine;
    Lane lane = lane_from(pilot, view, u, v);
    if (lane.start > excavator_boom_foot(machine).x + excavator_boom_length(machine) + excavator_stick_length(machine) +
                         excavator_tip_radius(machine)) {
        return;
    }
    bool walled = pilot->field.walled;
    const double lengths[] = {walled ? pilot->cleaning ? CLEAN_PASS : LONG_PASS : LONG_STROKE,
                              walled ? SHORT_PASS : SHORT_STROKE};
    for (int way = 0; way < 4; way++) {
        PilotStroke stroke;
        if (!measure_stroke(pilot, view, &lane, lengths[way / 2], way % 2 == 0, &stroke)) {
            continue;
        }
        double value = worth(pilot, view, &stroke);
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
    const double nothing = -1e9, far_room = pilot->cleaning ? WALL_ROOM : FAR_ROOM, last = 0.5;
    double first = field->length - (field->walled ? far_room : 0.15), best = nothing;
    double bucket = pilot->machine.tool[0].shape.edge_width;
    double spare = field->width - bucket + (field->walled ? 2.0 * PLATE_ROOM : 0.0);
    int lanes = spare < 0.2 ? 1 : (int)ceil(field->width / bucket);
    for (int lane = 0; lane < lanes; lane++) {
        double v = lanes == 1 ? 0.0 : spare * ((double)lane / (lanes - 1) - 0.5);
        for (int k = 0; first - k * STEP > last; k++) {
            try_place(pilot, view, first - k * STEP, v, &best, chosen);
        }
    }
    return best > nothing;
}

bool pilot_plan_stroke(Pilot *pilot, const PilotView *view)
{
    pilot->stand = view->base.z;
    PilotStroke chosen = {0};
    bool found = pilot->sweeping ? pilot_find_sweep(pilot, view, &chosen) : find_stroke(pilot, view, &chosen);
    if (pilot->field.walled && !pilot->cleaning && !pilot->sweeping &&
        (!found || chosen.volume < CLEAN_FROM * pilot_bucket_volume(pilot))) {
        pilot->cleaning = true;
        found = find_stroke(pilot, view, &chosen);
    }
    if (found) {
        pilot->stroke = chosen;
        pilot->strokes++;
    }
    return found;
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
    // One after the other along the bed, from the rear, so that the load is spread.
    static const double places[] = {-0.24, 0.0, 0.22};
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
    // The lowest place around the middle of the circle that is near in swing.
    const SceneTrench *trench = &pilot->trench;
    double best = 1e9;
    for (int ring = 0; ring < 3; ring++) {
        for (int k = 0; k < (ring == 0 ? 1 : 8); k++) {
            double radius = HEAP_SPREAD * ring * trench->dump_radius;
            double x = trench->dump_x + radius * cos(k * 0.25 * M_PI);
            double y = trench->dump_y + radius * sin(k * 0.25 * M_PI);
            double dx = x - view->base.x, dy = y - view->base.y, distance = sqrt(dx * dx + dy * dy);
            double turn = fabs(remainder(atan2(dy, dx) - pilot->stroke.direction, 2.0 * M_PI));
            double highest = highest_near(pilot, view, x, y);
            double pin = highest + 0.5 + excavator_tip_radius(&pilot->machine);
            double cost = highest + 0.5 * turn + 0.1 * fabs(distance - 6.5);
            cost +=
                pilot_reaches(pilot, distance - 0.3 - excavator_tip_radius(&pilot->machine), pin, PILOT_ELEVATION_HELD)
                    ? 0.0
                    : 100.0;
            if (cost < best) {
                best = cost;
                pilot->dump = (Vec3){x, y, highest};
            }
        }
    }
}
