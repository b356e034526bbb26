/// The edge's path of a planned pass: in at the far end, level along the line, and a curl that ends with the load level
/// over ground that was cut.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/autopilot_internal.h"

#define OVER_RIM      0.30 ///< m over the ground around the place of entry, from where the edge goes down
#define WALL_RISE     4.0 ///< m down per m forward while the edge enters beside a wall
#define ENTRY_ARC     0.7 ///< m down per m forward elsewhere in a trench
#define SLOWER_FROM   0.25 ///< m over the ground of a trench from where it goes so slowly
#define DRAG_SPEED    1.0 ///< m/s of the edge
#define ENTRY_SPEED   0.9 ///< m/s
#define SHALLOW_SPEED 0.45 ///< m/s, where the floor is near: the boom must not fall through it
#define NEAR_FLOOR    0.3 ///< m over the floor of the field: the same
#define TURN_SPEED    1.0 ///< rad/s of the bucket
#define ENTRY_TURN    0.6 ///< rad/s: the same while it comes down on the line, far out
#define WALL_ROOM     0.06 ///< m between the edge and the near end of the field
#define CURL_IN       0.80 ///< m that the pin comes nearer during the curl
#define CURL_IN_HEAP  0.10 ///< m: the same in a heap. Chosen: so little that the foot is not pushed to the tracks
#define CURL_RISE     0.70 ///< m that it rises
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

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

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
    return fmax(wanted, -same_acos(clamp(cosine, -1.0, 1.0)));
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
        double z = height + steps[k].rise * CURL_RISE;
        double depth = fmax(pilot->stand - (z + radius * same_sin(elevation)), 0.0);
        double wall = pilot->stroke.near + WALL_ROOM + 0.04 * k + PILOT_NEAR_FACE * depth;
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
    foot = clamp(foot, stroke->end + 0.1, bite->distance - 0.1);
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
        pilot_plan_scrape_path(pilot);
        return;
    }
    if (stroke->sweep) {
        pilot_plan_sweep_path(pilot);
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
        pilot_curl_sweep_here(pilot, soon);
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
    double s = clamp((time - knots[k].time) / length, 0.0, 1.0);
    return (PilotKnot){knots[k].distance + s * (knots[k + 1].distance - knots[k].distance),
                       knots[k].height + s * (knots[k + 1].height - knots[k].height),
                       knots[k].elevation + s * (knots[k + 1].elevation - knots[k].elevation), time};
}

double pilot_path_direction(const Pilot *pilot, double time)
{
    const PilotStroke *stroke = &pilot->stroke;
    if (stroke->scrapes) {
        return pilot_scrape_direction(pilot, time);
    }
    double way = (stroke->start - pilot_path_at(pilot, time).distance) / fmax(stroke->start - stroke->end, 0.1);
    double turn = remainder(stroke->direction_end - stroke->direction, 2.0 * M_PI);
    return stroke->direction + clamp(way, 0.0, 1.0) * turn;
}
