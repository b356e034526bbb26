/// The corners of boxes and posts.
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
