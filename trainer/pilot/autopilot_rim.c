/// Clears the strip beside a trench on which no soil may lie. Along either side the flat bucket is drawn over the
/// ground towards the machine and swung in over the trench at its end, so that what it has gathered falls in; from
/// beyond the far end it is drawn back into the trench; what lies before the near end, and what was pushed ahead to
/// there, is raked out of the strip towards the machine. The passes that clean the trench up dig out what fell in.
/// Plans such a scrape and the edge's path on it.
#include "data/core/elementary.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/autopilot_internal.h"

#define LEVEL        (-0.02) ///< m over the level of the site that the edge is drawn: a little turf comes along
#define LIES         0.035 ///< m over that level from which soil lies on the ground: the ground is as uneven as that
#define WORTH        0.035 ///< m3: less is not worth a scrape
#define AGAIN_FROM   0.35 ///< buckets left in the trench, below which what came up since is scraped off again
#define OVER_RIM     0.30 ///< m that the bucket hangs over the trench: what it pushes to that side falls in
#define FALLS        0.45 ///< m inside the ends of the trench where a scrape lets go of what it has gathered
#define LEFT_BESIDE  0.2 ///< m beside the lanes across the far end that are not worth another
#define RAKED_BESIDE 0.5 ///< m beside the trench that is raked at its near end
#define RAKED_OUT    0.1 ///< m beyond the strip to where that goes
#define NEAREST      3.7 ///< m from the swing axis: nearer, the edge would come to the tracks
#define STEP         0.1 ///< m between places looked at
#define LEAST        0.8 ///< m: a shorter scrape is not driven
#define ABOVE        0.25 ///< m over the ground from where the edge goes down
#define ENTRY        0.35 ///< m along the ground on which it does
#define ENTRY_SPEED  0.6 ///< m/s of the edge
#define FAR_SPEED    0.8 ///< m/s: far out the stick is slow, and the edge would lag and rise
#define NEAR_SPEED   1.2 ///< m/s
#define FAR          7.5 ///< m from the swing axis to where it is far
#define TURN_IN      0.25 ///< rad/s with which the bucket is swung over the trench
#define SETTLE       0.5 ///< s that the swing then has left
#define OPEN_TIME    0.35 ///< s in which the bucket opens there
#define OPEN_RISE    0.3 ///< m that the edge rises in that time
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

static Vec3 place_of(const PilotField *field, double u, double v)
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
static bool lane_at(const Pilot *pilot, int index, RimLane *lane)
{
    const PilotField *field = &pilot->field;
    double edge = edge_width(pilot), beyond = field->length + pilot->setback;
    double far_width = field->width - 2.0 * LEFT_BESIDE, near_width = field->width + 2.0 * RAKED_BESIDE;
    int beside = 2 * (int)ceil(pilot->setback / edge), across = (int)ceil(far_width / edge);
    int before = (int)ceil(near_width / edge);
    if (index < beside) {
        double aside = 0.5 * field->width - OVER_RIM + edge * (0.5 + index / 2);
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
static double lying(const Pilot *pilot, const PilotView *view, const RimLane *lane)
{
    double edge = edge_width(pilot), volume = 0.0;
    for (double u = lane->from; u > lane->looked_to; u -= STEP) {
        for (double v = -0.5 * edge + 0.5 * STEP; v < 0.5 * edge; v += STEP) {
            Vec3 place = place_of(&pilot->field, u, lane->aside + v);
            double height = view->height(view->context, place.x, place.y);
            volume += height > LIES ? height * STEP * STEP : 0.0;
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
    while (lane->to < lane->from && distance_of(view, place_of(&pilot->field, lane->to, lane->aside)) < NEAREST) {
        lane->to += STEP;
    }
    for (; lane->from - lane->to > LEAST; lane->from -= STEP) {
        double distance = distance_of(view, place_of(&pilot->field, lane->from, lane->aside));
        if (pilot_reaches(pilot, distance, ABOVE, elevation_down(lane)) &&
            pilot_reaches(pilot, distance - ENTRY, LEVEL, rakes(lane) ? ELEVATION_FLAT : ELEVATION_FAR)) {
            return true;
        }
    }
    return false;
}

static double direction_of(const PilotView *view, Vec3 place)
{
    return same_atan2(place.y - view->base.y, place.x - view->base.x);
}

static PilotStroke scrape(const Pilot *pilot, const PilotView *view, const RimLane *lane, double volume)
{
    Vec3 from = place_of(&pilot->field, lane->from, lane->aside), to = place_of(&pilot->field, lane->to, lane->aside);
    Vec3 in = lane->ends ? to : place_of(&pilot->field, lane->to, 0.0);
    return (PilotStroke){.direction = direction_of(view, from),
                         .direction_end = direction_of(view, to),
                         .direction_in = direction_of(view, in),
                         .start = distance_of(view, from),
                         .end = distance_of(view, to),
                         .surface = fmax(view->height(view->context, from.x, from.y), 0.0),
                         .entry_floor = LEVEL,
                         .end_floor = LEVEL,
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
        for (int k = 0; k < PILOT_RIM_LANES && lane_at(pilot, k, &lane); k++) {
            double volume = lying(pilot, view, &lane);
            if (pilot->scraped[k] == tried && volume > WORTH && keep_in_reach(pilot, view, &lane)) {
                pilot->scraped[k]++;
                *chosen = scrape(pilot, view, &lane, volume);
                return true;
            }
        }
    }
    return false;
}

static void add_knot(Pilot *pilot, int index, double distance, double height, double elevation, double duration)
{
    double before = index > 0 ? pilot->knots[index - 1].time : 0.0;
    pilot->knots[index] = (PilotKnot){distance, height, elevation, before + duration};
}

void pilot_plan_scrape_path(Pilot *pilot)
{
    const PilotStroke *stroke = &pilot->stroke;
    double entered = stroke->start - ENTRY, flat = fmax(fmin(entered, FAR), stroke->end);
    double share = (entered - flat) / (entered - stroke->end);
    double turn = fabs(remainder(stroke->direction_in - stroke->direction_end, 2.0 * M_PI));
    double bite = stroke->rakes ? ELEVATION_FLAT : ELEVATION_FAR;
    add_knot(pilot, PILOT_KNOT_ABOVE, stroke->start, stroke->surface + ABOVE, stroke->enter, 0.0);
    add_knot(pilot, PILOT_KNOT_SURFACE, stroke->start, stroke->surface, stroke->enter, ABOVE / ENTRY_SPEED);
    add_knot(pilot, PILOT_KNOT_BITE, entered, LEVEL, bite, ENTRY / ENTRY_SPEED);
    add_knot(pilot, PILOT_KNOT_DRAG, flat, LEVEL, bite + share * (ELEVATION_FLAT - bite), (entered - flat) / FAR_SPEED);
    add_knot(pilot, PILOT_KNOT_CURL, stroke->end, LEVEL, ELEVATION_FLAT, (flat - stroke->end) / NEAR_SPEED);
    add_knot(pilot, PILOT_KNOT_SCOOP, stroke->end, LEVEL, ELEVATION_FLAT, turn > 0.0 ? turn / TURN_IN + SETTLE : 0.05);
    double open = stroke->rakes ? ELEVATION_FLAT : ELEVATION_OPEN; // there the bucket holds what it can
    add_knot(pilot, PILOT_KNOT_CLOSE, stroke->end, LEVEL + OPEN_RISE, open, OPEN_TIME);
    add_knot(pilot, PILOT_KNOT_HELD, stroke->end, LEVEL + 2.0 * OPEN_RISE, open, OPEN_TIME);
}

double pilot_scrape_direction(const Pilot *pilot, double time)
{
    const PilotStroke *stroke = &pilot->stroke;
    double drawn = pilot->knots[PILOT_KNOT_CURL].time;
    if (time > drawn) {
        double turn = remainder(stroke->direction_in - stroke->direction_end, 2.0 * M_PI);
        return stroke->direction_end + copysign(fmin(TURN_IN * (time - drawn), fabs(turn)), turn);
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
