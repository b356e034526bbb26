/// Computes the corners of boxes, posts and pipes, and a truck's measures from its bed.
#include "data/core/elementary.h"
#include "data/schema/scene_fixture.h"

#include <math.h>
#include <string.h>

/// A place beyond the middle of a fixture: `u` m towards its heading, `v` m to the left.
static Vec3 beside(const SceneFixture *fixture, double u, double v, double z)
{
    double c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    return vec3(fixture->x + c * u - s * v, fixture->y + s * u + c * v, z);
}

/// Corners around a circle with a flat side on top: `right` and `up` from its middle, m.
static void around(double radius, int k, double *right, double *up)
{
    double angle = 2.0 * M_PI * (k + 0.5) / SCENE_POST_SIDES, out = radius / same_cos(M_PI / SCENE_POST_SIDES);
    *right = out * same_cos(angle);
    *up = out * same_sin(angle);
}

int scene_fixture_outline(const SceneFixture *fixture, Vec3 points[SCENE_POST_SIDES])
{
    if (fixture->shape == SCENE_FIXTURE_POST) {
        for (int k = 0; k < SCENE_POST_SIDES; k++) {
            double angle = 2.0 * M_PI * k / SCENE_POST_SIDES, out = fixture->radius / same_cos(M_PI / SCENE_POST_SIDES);
            points[k] = beside(fixture, out * same_cos(angle), out * same_sin(angle), fixture->bottom);
        }
        return SCENE_POST_SIDES;
    }
    double half = fixture->shape == SCENE_FIXTURE_PIPE ? fixture->radius : 0.5 * fixture->width;
    for (int k = 0; k < 4; k++) {
        double u = k == 1 || k == 2 ? 0.5 * fixture->length : -0.5 * fixture->length, v = k >= 2 ? half : -half;
        points[k] = beside(fixture, u, v, fixture->bottom);
    }
    return 4;
}

int scene_fixture_points(const SceneFixture *fixture, Vec3 points[SCENE_FIXTURE_MAX_POINTS])
{
    if (fixture->shape == SCENE_FIXTURE_PIPE) {
        for (int k = 0; k < SCENE_POST_SIDES; k++) {
            double right, up;
            around(fixture->radius, k, &right, &up);
            points[k] = beside(fixture, -0.5 * fixture->length, -right, fixture->z + up);
            points[SCENE_POST_SIDES + k] = beside(fixture, 0.5 * fixture->length, -right, fixture->z + up);
        }
        return 2 * SCENE_POST_SIDES;
    }
    int corners = scene_fixture_outline(fixture, points);
    for (int k = 0; k < corners; k++) {
        points[corners + k] = vec3(points[k].x, points[k].y, fixture->top);
    }
    return 2 * corners;
}

double scene_fixture_crown(const SceneFixture *fixture, double x, double y)
{
    double dx = x - fixture->x, dy = y - fixture->y, c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    double u = fabs(dx * c + dy * s), v = fabs(dy * c - dx * s);
    bool within = false;
    switch (fixture->shape) {
    case SCENE_FIXTURE_BOX:
        within = u <= 0.5 * fixture->length && v <= 0.5 * fixture->width;
        break;
    case SCENE_FIXTURE_POST:
        within = u * u + v * v <= fixture->radius * fixture->radius;
        break;
    case SCENE_FIXTURE_PIPE:
        return u <= 0.5 * fixture->length && v < fixture->radius
                   ? fixture->z + sqrt(fixture->radius * fixture->radius - v * v)
                   : -HUGE_VAL;
    }
    return within ? fixture->top : -HUGE_VAL;
}

bool scene_is_to_expose(const SceneExercise *exercise, const SceneFixture *fixture)
{
    return exercise->expose[0] != '\0' && fixture->shape != SCENE_FIXTURE_POST &&
           strstr(fixture->name, exercise->expose) != NULL;
}

/// Extent of convex points along a direction in plan.
static void extent_along(const Vec3 *points, int count, double x, double y, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double at = points[k].x * x + points[k].y * y;
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

/// True when no line along a side of the first outline runs between the two.
static bool overlap_across_sides(const Vec3 *first, int sides, const Vec3 *second, int count)
{
    for (int k = 0; k < sides; k++) {
        double x = first[(k + 1) % sides].y - first[k].y, y = first[k].x - first[(k + 1) % sides].x, a[2], b[2];
        extent_along(first, sides, x, y, &a[0], &a[1]);
        extent_along(second, count, x, y, &b[0], &b[1]);
        if (a[1] < b[0] || b[1] < a[0]) {
            return false;
        }
    }
    return true;
}

bool scene_fixture_meets_truck(const SceneFixture *fixture, const TruckParams *truck, const TruckPlace *place)
{
    const double wall = 0.09, clearance = 0.3, roof = 2.86; // m: as a truck is drawn
    double x, y, c = same_cos(place->heading), s = same_sin(place->heading), side = 0.5 * truck->bed.width + wall;
    truck_bed_middle(truck, place, &x, &y);
    Vec3 outline[4], points[SCENE_POST_SIDES];
    for (int k = 0; k < 4; k++) {
        double ahead = k == 1 || k == 2 ? truck->front : -0.5 * truck->bed.length - wall, left = k >= 2 ? side : -side;
        outline[k] = vec3(x + c * ahead - s * left, y + s * ahead + c * left, 0.0);
    }
    int corners = scene_fixture_outline(fixture, points);
    double top = fmax(roof, truck->bed.floor_height + truck->bed.height);
    return fixture->bottom < top && fixture->top > clearance && overlap_across_sides(outline, 4, points, corners) &&
           overlap_across_sides(points, corners, outline, 4);
}

/// The rest of a truck of the 25-t class around a bed, m: wall of the bed, gap between bed and cab, cab, bumper. Chosen
/// by eye.
static const double bed_wall = 0.09, least_gap = 0.55, cab_length = 1.75, bumper = 0.10;

/// The same of its body on springs and tyres: as the file of the shipped 25-t truck has it (machines/truck-25t.yaml).
static const double class_tare = 20000.0, class_payload = 24000.0; // kg
static const TruckChassis class_chassis = {.front_share = 0.42,
                                           .center_height = 1.25,
                                           .inertia_size = {7.4, 2.4, 1.8},
                                           .gauge = 2.3,
                                           .front_stiffness = 5.0e5,
                                           .rear_stiffness = 1.5e6,
                                           .damping_ratio = 0.3,
                                           .tyre_stiffness = 8.0e5,
                                           .tyre_friction = 0.6,
                                           .front_limit = 14000.0,
                                           .rear_limit = 33000.0};

TruckParams scene_truck_shape(const SceneParams *scene)
{
    const SceneTruck *t = &scene->exercise.truck;
    if (t->file[0] != '\0') {
        return scene->truck;
    }
    double half = 0.5 * t->bed_length;
    TruckParams truck = {.bed = {.length = t->bed_length,
                                 .width = t->bed_width,
                                 .height = t->bed_height,
                                 .tail_height = t->bed_height,
                                 .floor_height = t->floor_height}};
    truck.front = half + bed_wall + least_gap + cab_length + bumper;
    truck.rear_axle = 1.63 - half;
    truck.wheelbase = truck.front - bumper - 0.95 - truck.rear_axle;
    truck.wheel_diameter = 1.12;
    truck.tare = class_tare;
    truck.payload = class_payload;
    truck.chassis = class_chassis;
    truck.chassis.gauge = fmin(class_chassis.gauge, 0.82 * t->bed_width);
    return truck;
}
