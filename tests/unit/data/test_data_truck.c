/// The shipped truck, and the roads trucks drive: they end where they should, bend no more than a truck can, and are
/// the shortest.
// test: sanitized

#include "data/schema/load.h"
#include "data/schema/truck_way.h"
#include "tests/support/test.h"

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

TEST(the_truck_is_of_its_class)
{
    Status status;
    TruckParams truck;
    assert_true(data_load_truck("truck-25t", &truck, NULL, &status));
    assert_string_equal(truck.name, "truck-25t");
    assert_close(truck.tare, 20000.0, 0.0);
    assert_close(truck.payload, 24000.0, 0.0);
    assert_close(truck.bed.capacity, 15.0, 0.0);
    assert_close(truck.bed.floor_height + truck.bed.height, 2.9, 1e-12);
    assert_close(truck.bed.floor_height + truck.bed.tail_height, 2.0, 1e-12);
    assert_close(truck.drive.speed_reverse, 6.0 / 3.6, 1e-12);
    assert_close(truck.tip.angle, 55.0 * M_PI / 180.0, 1e-12);
}

/// A number in low..high that follows from k alone.
static double number(unsigned k, double low, double high)
{
    unsigned x = k * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return low + (high - low) * (x / 4294967296.0);
}

/// Turn from a to b in a direction (+1 left), 0..2 pi.
static double turn(double a, double b, double sign)
{
    double t = fmod(sign * (b - a), 2.0 * M_PI);
    t = t < 0.0 ? t + 2.0 * M_PI : t;
    return 2.0 * M_PI - t < 1e-7 ? 0.0 : t;
}

/// Length of arc, straight, arc by the tangents of two circles: another derivation than the program's.
static double tangent_length(TruckPlace a, TruckPlace b, double r, double first, double second)
{
    double ax = a.x - first * r * sin(a.heading), ay = a.y + first * r * cos(a.heading);
    double bx = b.x - second * r * sin(b.heading), by = b.y + second * r * cos(b.heading);
    double apart = hypot(bx - ax, by - ay), line = atan2(by - ay, bx - ax);
    if (first != second) {
        if (apart < 2.0 * r) {
            return HUGE_VAL;
        }
        line += first * asin(2.0 * r / apart);
        apart = sqrt(apart * apart - 4.0 * r * r);
    }
    return apart + r * (turn(a.heading, line, first) + turn(line, b.heading, second));
}

static double shortest(TruckPlace a, TruckPlace b, double r)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        least = fmin(least, tangent_length(a, b, r, k & 1 ? -1.0 : 1.0, k & 2 ? -1.0 : 1.0));
    }
    return least;
}

TEST(drives_end_at_their_goal_by_the_shortest_way)
{
    const double r = 8.0;
    for (unsigned k = 0; k < 400; k++) {
        bool reverse = k % 2 == 1;
        TruckPlace from = {number(8 * k, -20, 20), number(8 * k + 1, -20, 20), number(8 * k + 2, -7, 7)};
        TruckPlace to = {number(8 * k + 3, -20, 20), number(8 * k + 4, -20, 20), number(8 * k + 5, -7, 7)};
        TruckWay way;
        truck_way_begin(&way, from);
        assert_true(truck_way_drive(&way, to, r, reverse));
        TruckPlace end = truck_way_at(&way, way.length);
        assert_close(end.x, to.x, 1e-9);
        assert_close(end.y, to.y, 1e-9);
        assert_close(remainder(end.heading - to.heading, 2.0 * M_PI), 0.0, 1e-9);
        double flip = reverse ? M_PI : 0.0;
        from.heading += flip;
        to.heading += flip;
        assert_close(way.length, shortest(from, to, r), 1e-6);
    }
}

TEST(a_u_turn_is_half_a_circle)
{
    TruckWay way;
    truck_way_begin(&way, (TruckPlace){1.0, 2.0, 0.0});
    assert_true(truck_way_drive(&way, (TruckPlace){1.0, 18.0, M_PI}, 8.0, false));
    assert_close(way.length, M_PI * 8.0, 1e-9);
    TruckPlace middle = truck_way_at(&way, 0.5 * way.length);
    assert_close(middle.x, 9.0, 0.1); // the wheel is not turned at once: a little inside
    assert_close(middle.y, 10.0, 1e-9);
}

/// Heading and place change without a jump, also where arcs begin, and no more sharply than the turning circle.
TEST(ways_are_smooth)
{
    Status status;
    static SceneParams scene;
    static MachineParams machine;
    assert_true(data_load_scene("haul", NULL, 0, &scene, &machine, NULL, &status));
    static TruckRoute route;
    assert_true(truck_route(&scene.truck, &scene.exercise.truck, &scene.exercise.haul, &route));
    const double step = 0.05;
    for (int road = 0; road < TRUCK_ROAD_COUNT; road++) {
        const TruckWay *way = &route.roads[road];
        double sharpest = 0.0, jerk = 0.0, before = 0.0;
        for (double s = step; s + step < way->length; s += step) {
            TruckPlace a = truck_way_at(way, s), b = truck_way_at(way, s + step);
            double curvature = (b.heading - a.heading) / step;
            double slip = fabs(-sin(a.heading) * (b.x - a.x) + cos(a.heading) * (b.y - a.y)) / step;
            assert_true(slip < 0.1); // rad: the rear wheels roll where they look, nearly
            bool at_stop = truck_way_stop(way, s) - s < 0.2 || s < 0.2 ||
                           truck_way_piece(way, s)->reverse != truck_way_piece(way, s - 0.2)->reverse;
            jerk = at_stop ? jerk : fmax(jerk, fabs(curvature - before) / step);
            sharpest = fmax(sharpest, fabs(curvature));
            before = curvature;
        }
        print_message("road %d: %.1f m, curvature at most %.3f 1/m, changing by %.3f 1/m2\n", road, way->length,
                      sharpest, jerk);
        assert_true(sharpest < 1.001 / scene.truck.drive.turning_radius);
        assert_true(jerk < 0.2);
    }
    // OUT ends where BACK begins, apron and all; BACK ends where IN begins; IN ends where OUT begins.
    const TruckWay *out = &route.roads[TRUCK_ROAD_OUT], *back = &route.roads[TRUCK_ROAD_BACK],
                   *in = &route.roads[TRUCK_ROAD_IN];
    const TruckPlace ends[][2] = {{truck_way_at(out, out->length), truck_way_at(back, 0.0)},
                                  {truck_way_at(out, out->length - 6.0), truck_way_at(back, 6.0)},
                                  {truck_way_at(back, back->length), truck_way_at(in, 0.0)},
                                  {truck_way_at(in, in->length), truck_way_at(out, 0.0)}};
    for (int k = 0; k < 4; k++) {
        assert_close(ends[k][0].x, ends[k][1].x, 1e-9);
        assert_close(ends[k][0].y, ends[k][1].y, 1e-9);
        assert_close(remainder(ends[k][0].heading - ends[k][1].heading, 2.0 * M_PI), 0.0, 1e-9);
    }
    assert_true(route.clear > 0.0 && route.clear < out->length);
}

TEST(distances_are_from_the_outline)
{
    Status status;
    TruckParams truck;
    assert_true(data_load_truck("truck-25t", &truck, NULL, &status));
    const ScenePose bed = {2.0, 3.0, 0.5 * M_PI};
    TruckPlace place = truck_place_of(&truck, &bed);
    double x, y;
    truck_bed_middle(&truck, &place, &x, &y);
    assert_close(x, 2.0, 1e-12);
    assert_close(y, 3.0, 1e-12);
    assert_close(truck_distance(&truck, &place, 2.0, 3.0), 0.0, 0.0);
    assert_close(truck_distance(&truck, &place, 2.0, 3.0 + 5.05 + 2.0), 2.0, 1e-9);
    assert_close(truck_distance(&truck, &place, 2.0 + 1.55 + 3.0, 3.0), 3.0, 1e-9);
    TruckPlace beside = place;
    beside.x += 3.1 + 0.9;
    assert_true(truck_places_meet(&truck, &place, &beside, 1.0));
    assert_false(truck_places_meet(&truck, &place, &beside, 0.8));
}

TEST_GROUP(NULL, NULL)
