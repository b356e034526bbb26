/// Computes the ways of haul trucks: which arcs and straights lead from one place to the next, and where a truck is on
/// them.
///
/// Between two places a truck drives the shortest of the words arc, straight, arc of its turning circle (Dubins 1957,
/// without his words of three arcs; formulas as of Shkel and Lumelsky 2001, table 1). A wheel is not turned at once:
/// the place is the mean over a window of the way, so that curvature changes linearly over STEERING m, except where the
/// truck stops.
#include "data/core/elementary.h"
#include "data/schema/truck_way.h"

#include <math.h>

/// m over which the wheel is turned.
#define STEERING 4.0
/// m straight before the spot.
#define SPOT_APRON 4.0
/// m between two trucks that pass.
#define PASSING 1.0
/// m of a way between two sampled places.
#define SAMPLE_SPACING 0.5

void truck_way_begin(TruckWay *way, TruckPlace start)
{
    *way = (TruckWay){.count = 0};
    way->pieces[0].start = start;
}

static TruckPlace along(const TruckPiece *piece, double distance)
{
    double turn = piece->curvature * distance, h = piece->start.heading, d = piece->reverse ? -distance : distance;
    // Chord of an arc: length d sin(turn / 2) / (turn / 2), in the direction of its middle.
    double half = 0.5 * turn, chord = fabs(half) > 1e-9 ? d * same_sin(half) / half : d;
    return (TruckPlace){piece->start.x + chord * same_cos(h + half), piece->start.y + chord * same_sin(h + half),
                        h + turn};
}

static TruckPlace end_of(const TruckWay *way)
{
    if (way->count == 0) {
        return way->pieces[0].start;
    }
    const TruckPiece *last = &way->pieces[way->count - 1];
    return along(last, last->length);
}

static bool add_piece(TruckWay *way, double length, double curvature, bool reverse)
{
    if (length < 1e-6) {
        return true;
    }
    if (way->count == TRUCK_WAY_PIECES) {
        return false;
    }
    TruckPlace start = end_of(way);
    way->pieces[way->count++] =
        (TruckPiece){.start = start, .at = way->length, .length = length, .curvature = curvature, .reverse = reverse};
    way->length += length;
    return true;
}

/// Adds a straight of `length` m.
static bool add_straight(TruckWay *way, double length, bool reverse)
{
    return add_piece(way, length, 0.0, reverse);
}

/// Angle in 0..2 pi; what rounding put just below 2 pi is 0, not a whole circle.
static double turn_of(double angle)
{
    double whole = 2.0 * M_PI, turn = angle - whole * floor(angle / whole);
    return whole - turn < 1e-9 ? 0.0 : turn;
}

/// One word: first arc, straight, second arc, in turning radii; signs +1 left, -1 right.
typedef struct Word {
    double first, straight, second;
    double first_sign, second_sign;
} Word;

/// Between headings a and b, seen from the line to the goal at d radii. False when there is no such word.
static bool word_of(double first_sign, double second_sign, double a, double b, double d, Word *word)
{
    // Right turns are left turns in the mirror; s and e are the signs.
    double s = first_sign, e = second_sign;
    double sa = s * same_sin(a), sb = s * same_sin(b), ca = same_cos(a), cb = same_cos(b), square, lead;
    if (s == e) {
        square = 2.0 + d * d - 2.0 * same_cos(a - b) + 2.0 * d * (sa - sb);
        lead = same_atan2(cb - ca, d + sa - sb);
    } else {
        square = -2.0 + d * d + 2.0 * same_cos(a - b) + 2.0 * d * (sa + sb);
        if (square < 0.0) {
            return false;
        }
        lead = same_atan2(-ca - cb, d + sa + sb) - same_atan2(-2.0, sqrt(square));
    }
    *word = (Word){.first = turn_of(lead - s * a), .straight = sqrt(fmax(square, 0.0)), .first_sign = s};
    word->second_sign = e;
    word->second = turn_of(s == e ? s * b - lead : lead - s * b);
    return true;
}

bool truck_way_drive(TruckWay *way, TruckPlace to, double radius, bool reverse)
{
    TruckPlace from = end_of(way);
    double flip = reverse ? M_PI : 0.0, dx = to.x - from.x, dy = to.y - from.y, line = same_atan2(dy, dx);
    double a = from.heading + flip - line, b = to.heading + flip - line, d = sqrt(dx * dx + dy * dy) / radius;
    Word best = {0}, word;
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        if (word_of(k & 1 ? -1.0 : 1.0, k & 2 ? -1.0 : 1.0, a, b, d, &word) &&
            word.first + word.straight + word.second < least) {
            best = word;
            least = word.first + word.straight + word.second;
        }
    }
    return add_piece(way, best.first * radius, best.first_sign / radius, reverse) &&
           add_piece(way, best.straight * radius, 0.0, reverse) &&
           add_piece(way, best.second * radius, best.second_sign / radius, reverse);
}

const TruckPiece *truck_way_piece(const TruckWay *way, double distance)
{
    int k = way->count - 1;
    while (k > 0 && distance < way->pieces[k].at) {
        k--;
    }
    return &way->pieces[k];
}

double truck_way_stop(const TruckWay *way, double distance)
{
    for (int k = 1; k < way->count; k++) {
        const TruckPiece *piece = &way->pieces[k];
        if (piece->at >= distance && piece->reverse != way->pieces[k - 1].reverse) {
            return piece->at;
        }
    }
    return way->length;
}

/// Where the truck stopped last at or before `distance`.
static double stop_before(const TruckWay *way, double distance)
{
    double at = 0.0;
    for (int k = 1; k < way->count; k++) {
        const TruckPiece *piece = &way->pieces[k];
        if (piece->at <= distance && piece->reverse != way->pieces[k - 1].reverse) {
            at = piece->at;
        }
    }
    return at;
}

/// Adds share x the mean place over a stretch of a piece: Gauss's rule of three points, exact to a hair for arcs so
/// short.
static void add_mean(const TruckPiece *piece, double from, double to, double share, TruckPlace *sum)
{
    static const double node[3] = {-0.774596669241483377, 0.0, 0.774596669241483377};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    for (int k = 0; k < 3; k++) {
        TruckPlace place = along(piece, 0.5 * (from + to) + 0.5 * (to - from) * node[k]);
        sum->x += share * weight[k] * place.x;
        sum->y += share * weight[k] * place.y;
        sum->heading += share * weight[k] * place.heading;
    }
}

/// Half of the window in which the wheel is turned, so near to a stop: never beyond it, and without a corner in its
/// growth.
static double half_window(double to_stop)
{
    return to_stop < STEERING ? to_stop - 0.5 * to_stop * to_stop / STEERING : 0.5 * STEERING;
}

/// The mean of the pieces' places over a window that closes where the truck stops: curvature then changes linearly
/// between pieces.
TruckPlace truck_way_at(const TruckWay *way, double distance)
{
    distance = fmax(0.0, fmin(distance, way->length));
    double since = distance - stop_before(way, distance), left = truck_way_stop(way, distance) - distance;
    double half = half_window(fmin(since, left));
    if (half < 1e-6) {
        const TruckPiece *piece = truck_way_piece(way, distance);
        return along(piece, distance - piece->at);
    }
    TruckPlace mean = {0.0, 0.0, 0.0};
    for (int k = 0; k < way->count; k++) {
        const TruckPiece *piece = &way->pieces[k];
        double from = fmax(distance - half - piece->at, 0.0), to = fmin(distance + half - piece->at, piece->length);
        if (to > from) {
            add_mean(piece, from, to, (to - from) / (2.0 * half), &mean);
        }
    }
    return mean;
}

/// ---- trucks in plan ------------------------------------------------------------------------------------------------

void truck_bed_middle(const TruckParams *truck, const TruckPlace *place, double *x, double *y)
{
    *x = place->x - truck->rear_axle * same_cos(place->heading);
    *y = place->y - truck->rear_axle * same_sin(place->heading);
}

TruckPlace truck_place_of(const TruckParams *truck, const ScenePose *bed)
{
    return (TruckPlace){bed->x + truck->rear_axle * same_cos(bed->heading),
                        bed->y + truck->rear_axle * same_sin(bed->heading), bed->heading};
}

/// Over all, from the bed's middle: m to the tail, and half its width.
static double tail_of(const TruckParams *truck)
{
    return 0.5 * truck->bed.length + 0.15;
}

static double half_width_of(const TruckParams *truck)
{
    return 0.5 * truck->bed.width + 0.15;
}

/// A truck's outline in the world.
typedef struct Outline {
    double x, y; ///< m: the bed's middle
    double cosine, sine; ///< of its heading
    double front, tail, half_width; ///< m from there
} Outline;

static Outline outline_of(const TruckParams *truck, const TruckPlace *place)
{
    Outline outline = {.cosine = same_cos(place->heading),
                       .sine = same_sin(place->heading),
                       .front = truck->front,
                       .tail = tail_of(truck),
                       .half_width = half_width_of(truck)};
    truck_bed_middle(truck, place, &outline.x, &outline.y);
    return outline;
}

static double outline_distance(const Outline *outline, double x, double y)
{
    double c = outline->cosine, s = outline->sine, dx = x - outline->x, dy = y - outline->y;
    double u = c * dx + s * dy, v = c * dy - s * dx;
    double beyond = fmax(0.0, fmax(u - outline->front, -outline->tail - u));
    double beside = fmax(0.0, fabs(v) - outline->half_width);
    return sqrt(beyond * beyond + beside * beside);
}

double truck_distance(const TruckParams *truck, const TruckPlace *place, double x, double y)
{
    Outline outline = outline_of(truck, place);
    return outline_distance(&outline, x, y);
}

/// True when two trucks are farther apart than their corners reach: most places of two roads are.
static bool are_far_apart(const TruckParams *truck, const TruckPlace *a, const TruckPlace *b, double margin)
{
    double longest = fmax(truck->front, tail_of(truck)) + fabs(truck->rear_axle), x = b->x - a->x, y = b->y - a->y;
    double reach = 2.0 * (longest + half_width_of(truck)) + margin; // more than the corners' diagonals
    return x * x + y * y > reach * reach;
}

bool truck_places_meet(const TruckParams *truck, const TruckPlace *a, const TruckPlace *b, double margin)
{
    if (are_far_apart(truck, a, b, margin)) {
        return false;
    }
    // Points of the outline of one against the other, both ways; they lie closer than a truck is wide.
    enum { ALONG = 8 };
    const Outline outlines[2] = {outline_of(truck, a), outline_of(truck, b)};
    for (int k = 0; k < 2; k++) {
        const Outline *from = &outlines[k], *to = &outlines[1 - k];
        double c = from->cosine, s = from->sine, w = from->half_width;
        for (int i = 0; i <= ALONG; i++) {
            double u = -from->tail + (from->front + from->tail) * i / ALONG;
            for (int side = -1; side <= 1; side++) {
                double v = side * w;
                if (outline_distance(to, from->x + c * u - s * v, from->y + s * u + c * v) < margin) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// ---- the roads of a scene ------------------------------------------------------------------------------------------

static TruckPlace ahead_of(TruckPlace place, double distance)
{
    place.x += distance * same_cos(place.heading);
    place.y += distance * same_sin(place.heading);
    return place;
}

static bool drive_through(TruckWay *way, const TruckParams *truck, const ScenePose *poses, int count)
{
    for (int k = 0; k < count; k++) {
        if (!truck_way_drive(way, truck_place_of(truck, &poses[k]), truck->drive.turning_radius, false)) {
            return false;
        }
    }
    return true;
}

/// The last place on OUT where the truck would still meet one on its way in, and a little more.
static double clear_of(const TruckParams *truck, const TruckRoute *route)
{
    const TruckWay *out = &route->roads[TRUCK_ROAD_OUT], *in = &route->roads[TRUCK_ROAD_IN];
    for (double s = out->length; s > 0.0; s -= SAMPLE_SPACING) {
        TruckPlace leaving = truck_way_at(out, s);
        for (double t = 0.0; t < in->length + SAMPLE_SPACING; t += SAMPLE_SPACING) {
            TruckPlace coming = truck_way_at(in, t);
            if (truck_places_meet(truck, &leaving, &coming, PASSING)) {
                return fmin(s + SAMPLE_SPACING, out->length);
            }
        }
    }
    return 0.0;
}

bool truck_route(const TruckParams *truck, const SceneTruck *spot, const SceneHaul *haul, TruckRoute *route)
{
    const ScenePose spot_pose = {spot->x, spot->y, spot->heading};
    TruckPlace at_spot = truck_place_of(truck, &spot_pose), at_dump = truck_place_of(truck, &haul->dump);
    TruckPlace wait = truck_place_of(truck, &haul->wait), turn = truck_place_of(truck, &haul->turn);
    TruckWay *out = &route->roads[TRUCK_ROAD_OUT], *back = &route->roads[TRUCK_ROAD_BACK],
             *in = &route->roads[TRUCK_ROAD_IN];
    double radius = truck->drive.turning_radius;
    truck_way_begin(out, at_spot);
    bool good = add_straight(out, SPOT_APRON, false) && drive_through(out, truck, haul->out, haul->out_count) &&
                truck_way_drive(out, turn, radius, false) &&
                truck_way_drive(out, ahead_of(at_dump, TRUCK_APRON), radius, true) &&
                add_straight(out, TRUCK_APRON, true);
    truck_way_begin(back, at_dump);
    good = good && add_straight(back, TRUCK_APRON, false) && drive_through(back, truck, haul->back, haul->back_count) &&
           truck_way_drive(back, wait, radius, false);
    truck_way_begin(in, wait);
    good =
        good && truck_way_drive(in, ahead_of(at_spot, SPOT_APRON), radius, true) && add_straight(in, SPOT_APRON, true);
    if (good) {
        route->clear = haul->trucks > 1 ? clear_of(truck, route) : 0.0;
    }
    return good;
}
