/// The rocks' hulls as triangles, taken once at a start, and their poses after the last two ticks, between which a
/// picture blends.
#include "trainer/app/rock_views.h"

#include <string.h>

#include "trainer/app/blend.h"

static void put(float out[3], Vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// The hull's faces as fans.
static void add_hull(const ConvexHull *hull, RenderRockShape *shape)
{
    for (int f = 0; f < hull->face_count; f++) {
        const uint8_t *corner = hull->face_point[f];
        for (int k = 2; k < hull->face_size[f] && shape->triangle_count < RENDER_MAX_ROCK_TRIANGLES; k++) {
            int t = shape->triangle_count++;
            put(shape->triangle[t][0], hull->point[corner[0]]);
            put(shape->triangle[t][1], hull->point[corner[k - 1]]);
            put(shape->triangle[t][2], hull->point[corner[k]]);
            put(shape->normal[t], hull->normal[f]);
        }
    }
}

static void take_shapes(RockViews *own, const Rocks *rocks)
{
    memset(own->shape, 0, sizeof own->shape);
    own->shape_count = rocks_get_shape_count(rocks);
    for (int s = 0; s < own->shape_count; s++) {
        for (int p = 0; p < rocks_get_part_count(rocks, s); p++) {
            add_hull(rocks_get_part(rocks, s, p), &own->shape[s]);
        }
    }
}

void rock_views_tick(RockViews *own, const Session *session, bool jump)
{
    const Rocks *rocks = session_rocks_get(session_rocks(session));
    memcpy(own->past, own->present, sizeof own->past);
    own->count = session_rocks_count(session_rocks(session));
    for (int i = 0; i < own->count; i++) {
        RockView view;
        if (rocks_get(rocks, i, &view)) {
            own->present[i] = (RenderRock){view.shape, view.motion.frame};
            own->past[i] = own->past[i].shape == view.shape ? own->past[i] : own->present[i]; // one that broke
        }
    }
    if (jump) {
        memcpy(own->past, own->present, sizeof own->past);
        own->shape_count = 0;
    }
    if (rocks != NULL && own->shape_count != rocks_get_shape_count(rocks)) {
        take_shapes(own, rocks);
    }
}

void rock_views_build(RockViews *own, double blend, RenderRocks *view)
{
    for (int i = 0; i < own->count; i++) {
        const Pose *a = &own->past[i].frame, *b = &own->present[i].frame;
        own->shown[i].shape = own->present[i].shape;
        own->shown[i].frame.position = vec3_madd(a->position, blend, vec3_sub(b->position, a->position));
        own->shown[i].frame.rotation = blend_rotation(&a->rotation, &b->rotation, blend);
    }
    *view =
        (RenderRocks){.shape_count = own->shape_count, .shapes = own->shape, .count = own->count, .rocks = own->shown};
}
