/// Plans a pass: the best of many strokes from the heights of the ground, by how full a bucket each would bring, how
/// high it lies (layer by layer) and how far from the last ones that failed; then the place to dump.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/autopilot_internal.h"
#include "trainer/pilot/autopilot_section.h"

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
#define OVERCUT_HEAP   1.8
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
#define AVOID_RADIUS   0.4 ///< m around a place where the bucket got stuck or brought nothing
#define AVOID_STROKES  12 ///< passes for which it is left alone
#define POUR_SHORT     0.35 ///< m that a load falls nearer to the machine than the bucket is opened over
#define TRUCK_MARGIN   0.35 ///< m around the bed that counts as truck
#define HEAP_SPREAD    0.05 ///< of the dump circle, between rings of places where loads are poured
#define HEAP_WHOLE     0.40 ///< the same where the arm does not reach the middle
#define HANGS          0.45 ///< m over the ground of the edge of a bucket that is emptied, hanging straight down

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
    for (int k = 0; k * PILOT_PROBE < 2.0 * LONG_STROKE; k++) {
        double way = k * PILOT_PROBE;
        if (!pilot_in_field(field, lane.x + way * lane.toward_x, lane.y + way * lane.toward_y, 0.05)) {
            break;
        }
        lane.near = lane.start - way;
    }
    return lane;
}

/// Looks at the ground under a bucket along a lane, up to `end`.
static void look_along(const Pilot *pilot, const PilotView *view, const Lane *lane, double end, PilotSection *profile)
{
    *profile = (PilotSection){
        .across = PILOT_SECTION_ACROSS, .floor = pilot->field.floor, .width = pilot->machine.tool[0].shape.edge_width};
    for (int k = 0; k < PILOT_SECTION_SIZE && lane->start - k * PILOT_PROBE >= end - 1e-9; k++) {
        for (int i = 0; i < PILOT_SECTION_ACROSS; i++) {
            double side = profile->width * ((i + 0.5) / PILOT_SECTION_ACROSS - 0.5);
            profile->heights[k][i] =
                view->height(view->context, lane->x + k * PILOT_PROBE * lane->toward_x - side * lane->toward_y,
                             lane->y + k * PILOT_PROBE * lane->toward_y + side * lane->toward_x);
        }
        profile->count++;
    }
    profile->entry = pilot->field.walled ? 0.0 : PILOT_HEAP_ENTRY;
    profile->surface = pilot_mean_across(profile, 0);
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
static double depth_at_curl(const PilotSection *profile, double base)
{
    int k = (int)(profile->curl / PILOT_PROBE);
    k = k < profile->count ? k : profile->count - 1;
    if (k < 0) {
        return 0.0; // a line that ends before the first section
    }
    return fmax(pilot_highest_across(profile, k) - pilot_line_at(profile, base, k * PILOT_PROBE), 0.0);
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
static double run_off(const Pilot *pilot, const PilotSection *profile)
{
    if (pilot->field.walled || profile->curl >= PILOT_PROBE * profile->count) {
        return 0.0;
    }
    // A lane that begins nearer than its drag ends has its curl before its first height.
    int at = (int)fmax(profile->curl / PILOT_PROBE, 0.0);
    at = at < profile->count ? at : profile->count - 1;
    double fall = pilot_mean_across(profile, at) - pilot_mean_across(profile, profile->count - 1);
    return OVERCUT_FALL * fmax(fmin(fall, FALL_MOST), 0.0) * pilot_bucket_volume(pilot);
}

/// Finds the line for a pass over the floor and up the near end of a trench: the foot as near to that end as the bucket
/// takes.
static double find_climb(const Pilot *pilot, const PilotView *view, const Lane *lane, double *end,
                         PilotSection *profile)
{
    double deep = pilot->stand - pilot->field.floor, wanted = wanted_volume(pilot, LINE_CLIMB, CLIMB_FROM), base = 0.0;
    double slope = pilot->cleaning ? CLEAN_CLIMB : CLIMB;
    for (double foot = pilot->cleaning ? CLEAN_FOOT : FOOT; foot < FOOT_FARTHEST; foot += FOOT_STEP) {
        double at = lane->near + foot * deep;
        *end = fmax(lane->near + CLEAN_TURN, at - (deep - CLIMB_LEAST) / slope);
        look_along(pilot, view, lane, lane->near, profile);
        profile->curl = lane->start - *end;
        profile->slope = slope;
        base = profile->floor - slope * (lane->start - at);
        if (profile->count < 6 || pilot_volume_above(profile, profile->count, base) < wanted) {
            break;
        }
    }
    return base;
}

/// Finds the line for a pass that ends its drag at `end`. Near the end of a trench the curl begins the sooner the
/// deeper the cut, so that the edge comes out of the ground at the wall and pushes nothing over the rim.
static double find_line(const Pilot *pilot, const PilotView *view, const Lane *lane, double *end, LineWay way,
                        PilotSection *profile)
{
    bool walled = pilot->field.walled;
    if (way == LINE_CLIMB) {
        return find_climb(pilot, view, lane, end, profile);
    }
    double wanted = wanted_volume(pilot, way, lane->start - *end), base = 0.0;
    double deepest = walled && !pilot->cleaning ? DEEPEST_PASS : DEEPEST_STROKE;
    for (int k = 0; k < 3; k++) {
        look_along(pilot, view, lane, fmax(lane->near, *end - CURL_SWEEP), profile);
        if (profile->count < 6) {
            return 0.0;
        }
        profile->curl = lane->start - *end;
        profile->slope = way == LINE_LEVEL ? 0.0 : pilot_ground_slope(profile, SLOPE_DOWN, SLOPE_UP);
        base = pilot_find_base(profile, deepest, wanted + run_off(pilot, profile));
        double room = sqrt(2.0 * PILOT_CURL_RADIUS * depth_at_curl(profile, base));
        double least = pilot->cleaning ? CLEAN_TURN : LEAST_TURN;
        double turn = lane->near + (pilot->cleaning ? least : fmax(least, fmin(room, CURL_SWEEP)));
        if (pilot->cleaning) {
            double depth = pilot->stand - pilot_line_at(profile, base, profile->curl);
            turn = fmax(turn, lane->near + CLEAN_TURN + CLEAN_FOOT * fmax(depth, 0.0));
        }
        if (way == LINE_LEVEL && !pilot->cleaning) {
            turn =
                fmax(turn, lane->near + WEDGE * (near_rim(view, lane) - pilot_line_at(profile, base, profile->curl)));
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
static double gathered_volume(const Pilot *pilot, const Lane *lane, LineWay way, const PilotSection *profile,
                              double base)
{
    if (!pilot->cleaning) {
        return pilot_volume_above(profile, profile->count, base);
    }
    PilotSection thick = *profile;
    thick.floor += CRUMBS;
    double reached = lane->start - lane->near - (way == LINE_CLIMB ? CLEAN_TURN : CLEAN_FACE);
    return pilot_volume_above(&thick, (int)(reached / PILOT_PROBE), base + CRUMBS);
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
    double room = pilot->cleaning || way == LINE_CLIMB ? CLEAN_TURN : to_wall ? LEAST_TURN : OPEN_NEAR;
    room = walled ? room : HEAP_FOOT;
    double end = fmax(lane->near + room, lane->start - length);
    PilotSection profile;
    double base = find_line(pilot, view, lane, &end, way, &profile);
    if (profile.count < 6) {
        return false;
    }
    // Enter where the line does meet soil.
    int first = 0;
    while (first < profile.count - 1 &&
           pilot_highest_across(&profile, first) < pilot_line_at(&profile, base, first * PILOT_PROBE) + 0.03) {
        first++;
    }
    double entry = lane->start - first * PILOT_PROBE;
    if (entry - end < (walled ? 0.2 : 0.4)) {
        return false;
    }
    *stroke = (PilotStroke){
        .direction = lane_direction(lane, view, entry),
        .direction_end = lane_direction(lane, view, end),
        .start = entry,
        .end = end,
        .surface = pilot_mean_across(&profile, first),
        .rim = highest_behind(view, lane, entry),
        .slope = profile.slope,
        .entry_floor = pilot_line_at(&profile, base, first * PILOT_PROBE + 0.2),
        .end_floor = pilot_line_at(&profile, base, lane->start - end),
        .volume = gathered_volume(pilot, lane, way, &profile, base),
        .wanted = wanted_volume(pilot, way, lane->start - end),
        .near = !walled ? -1e9 : lane->near + (end > lane->near + OPEN_FROM && is_open(view, lane) ? OPEN_CURL : 0.0)};
    stroke->climbs = way == LINE_CLIMB;
    stroke->hold = stroke->climbs ? CLIMB_HOLD : fmin(depth_at_curl(&profile, base) / IN_SOIL, 1.0);
    bool at_wall = walled && first <= 2 && lane->near + pilot->field.length < lane->start + 0.3;
    bool steep = at_wall && stroke->rim > stroke->entry_floor + STEEP_WALL;
    stroke->enter = steep ? upright_at(pilot, entry, stroke->surface + 0.4) : PILOT_ELEVATION_ENTER;
    return stroke->volume > WORTH && pilot_reaches(pilot, entry, stroke->surface + 0.4, stroke->enter) &&
           pilot_reaches(pilot, stroke->end, stroke->end_floor, PILOT_ELEVATION_END);
}

double pilot_avoidance(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
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

/// How much a stroke is wanted: full buckets, high ground first (layer by layer), the far end before the near one. In
/// the clean-up only what it gathers counts.
static double worth(const Pilot *pilot, const PilotView *view, const PilotStroke *stroke)
{
    double height = 0.5 * (stroke->entry_floor + stroke->end_floor) - pilot->field.floor;
    double layers = pilot->field.walled ? LAYERS_TRENCH : LAYERS_HEAP;
    if (pilot->cleaning) {
        return FILLING * fmin(stroke->volume / pilot_bucket_volume(pilot), 1.0) - pilot_avoidance(pilot, view, stroke);
    }
    return FILLING * fmin(stroke->volume / stroke->wanted, 1.0) + layers * height + 0.08 * stroke->start +
           HOLDING * stroke->hold - pilot_avoidance(pilot, view, stroke);
}

void pilot_avoid_stroke(Pilot *pilot, const PilotView *view)
{
    const PilotStroke *stroke = &pilot->stroke;
    pilot->bad[pilot->bad_count++ % PILOT_MAX_BAD] =
        (PilotBadPlace){view->base.x + stroke->start * same_cos(stroke->direction),
                        view->base.y + stroke->start * same_sin(stroke->direction), pilot->strokes + AVOID_STROKES};
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
