/// The corners of boxes and posts; a truck around a bed.
#include "data/scene_fixture.h"

#include <math.h>

int scene_fixture_points(const SceneFixture *fixture, Vec3 points[SCENE_FIXTURE_MAX_POINTS])
{
    int corners = fixture->shape == SCENE_FIXTURE_POST ? SCENE_POST_SIDES : 4;
    for (int k = 0; k < corners; k++) {
        double x, y;
        if (fixture->shape == SCENE_FIXTURE_POST) {
            double angle = 2.0 * M_PI * k / corners, out = fixture->radius / cos(M_PI / corners); // around the circle
            x = out * cos(angle);
            y = out * sin(angle);
        } else {
            x = k == 1 || k == 2 ? 0.5 * fixture->length : -0.5 * fixture->length;
            y = k >= 2 ? 0.5 * fixture->width : -0.5 * fixture->width;
        }
        double c = cos(fixture->heading), s = sin(fixture->heading);
        points[k] = vec3(fixture->x + c * x - s * y, fixture->y + s * x + c * y, fixture->bottom);
        points[corners + k] = vec3(points[k].x, points[k].y, fixture->top);
    }
    return 2 * corners;
}

/// The rest of a truck of the 25-t class around a bed, m: wall of the bed, gap between bed and cab, cab, bumper. Chosen
/// by eye.
static const double bed_wall = 0.09, least_gap = 0.55, cab_length = 1.75, bumper = 0.10;

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
    return truck;
}
